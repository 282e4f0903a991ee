"""The behaviour that the folders of all files of Adventure Game Studio share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import ClassVar, Final, TypeVar, cast

from overhaul.ags.documents.base import AgsDocument
from overhaul.ags.folder import file_io, uses
from overhaul.document.folder_format import FolderFormat
from overhaul.document.format_parts import FileMeaning, ResourceMentions

#: Where things were in the editor's memory: they say at most whether something is there.
_POINTERS: Final = frozenset({"pointer", "pointers", "message_pointers", "has_message"})
_POINTER: Final = "_pointer"
#: How many there are, and the random number that each writing of a sprite set makes.
_COUNTS: Final = frozenset({"slot_count", "sprite_count", "last_slot", "file_id"})
#: The release of the editor, in game.json and room.json.
RELEASE: Final = "compiled_with"

D = TypeVar("D", bound=AgsDocument)


class AgsMeaning(FileMeaning[D]):
    """The meaning of values in the files of a game, for mods."""

    def fixed(self, path: str, key: str) -> bool:
        """A mod does not include the release of the editor that compiled a file."""
        return key == RELEASE

    def counter(self, path: str, key: str) -> bool:
        """Pointers and ids of sprite sets differ in each build: of several, any will do."""
        return key in _POINTERS or key in _COUNTS or key.endswith(_POINTER)


class AgsFormat(FolderFormat[D]):
    """The folder of a file of Adventure Game Studio.

    ``document_class`` is the class of its documents; ``has_encoding`` says that they have texts,
    whose encoding is a setting.
    """

    document_class: ClassVar[type[AgsDocument]]
    has_encoding: ClassVar[bool] = False

    def settings(self, document: D) -> dict[str, object]:
        """The encoding of a document with texts."""
        return file_io.encoding_settings(document) if self.has_encoding else {}

    def empty(self, settings: Mapping[str, object]) -> D:
        """An empty document of the version and encoding that the settings name."""
        return cast("D", file_io.new_document(self.document_class, settings))

    @property
    def meaning(self) -> FileMeaning[D]:
        """The release of the editor, and pointers."""
        return AgsMeaning()


class NumberedMentions(ResourceMentions):
    """How files mention things that are known by numbers."""

    has_numbers = True

    def files(self) -> Collection[str]:
        """Scripts and dialogs."""
        return uses.use_files()

    def by_number(self, name: str, paths: Collection[str], read: Callable[[str], bytes]) -> str:
        """See :func:`overhaul.ags.folder.uses.uses_by_number`."""
        return uses.uses_by_number(name, paths, read)

    def defines(self, path: str, line: str, name: str) -> bool:
        """See :func:`overhaul.ags.folder.uses.defines`."""
        return uses.defines(path, line, name)


MENTIONS: Final = NumberedMentions()


class NumberedFormat(AgsFormat[D]):
    """The folder of a file whose things are known by numbers."""

    @property
    def mentions(self) -> NumberedMentions:
        """Names, numbers and the names that scripts have for these."""
        return MENTIONS
