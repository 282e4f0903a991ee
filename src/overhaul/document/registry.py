"""The formats Overhaul knows, and how a file finds its own: from its content, never its name alone.

A new format is one :class:`Format` in :data:`REGISTRY`.  Its class is imported when a file of
that kind is opened, so that the formats cost nothing otherwise.  This module stands on the path
of every command and imports next to nothing itself.
"""

from __future__ import annotations

from overhaul.errors import FormatError, WorkspaceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from overhaul.document.plainfiles import FolderFormat
    from overhaul.document.protocol import Buffer, Document

#: How many bytes of its beginning a format is told by.
HEAD = 4096


class Probe:
    """What a format is told by: the first bytes, the size, the name, and the rest if need be."""

    __slots__ = ("data", "head", "name", "size")

    def __init__(self, data: Buffer, name: str = "") -> None:
        self.data = data
        self.head = bytes(data[:HEAD])
        self.size = len(data)
        self.name = name

    def tail(self, length: int) -> bytes:
        """The last bytes."""
        return bytes(self.data[max(0, self.size - length) :])


class Format:
    """A line of the registry.

    ``kinds`` are the values of ``Document.kind`` that its class makes; ``accept`` is a cheap test
    (or ``"module:function"``, imported when no earlier format accepted); ``target`` is the class,
    ``folder`` the module (or ``"module:object"``) that has the members of
    :class:`~overhaul.document.plainfiles.FolderFormat` for it.
    """

    __slots__ = ("accept", "folder", "kinds", "target", "title")

    def __init__(
        self,
        kinds: tuple[str, ...],
        title: str,
        accept: Callable[[Probe], bool] | str,
        target: str,
        folder: str = "",
    ) -> None:
        self.kinds = kinds
        self.title = title
        self.accept = accept
        self.target = target
        self.folder = folder

    def accepts(self, probe: Probe) -> bool:
        """Whether the file looks like one of this format."""
        accept = load(self.accept) if isinstance(self.accept, str) else self.accept
        return bool(accept(probe))

    def document_class(self) -> type[Document]:
        """The class that reads it."""
        document_class: type[Document] = load(self.target)
        return document_class

    def folder_format(self) -> FolderFormat:
        """How documents of this format become plain files, and how these become documents."""
        if not self.folder:
            return _FolderOfDocument(self)
        folder: FolderFormat = load(self.folder)
        return folder

    def no_folder(self) -> WorkspaceError:
        """The error for a format whose documents make no folder."""
        return WorkspaceError(f"a {self.kinds[0]} file cannot be unpacked or packed; list it (ls)")


class _FolderOfDocument:
    """The folder of a format whose document class still has these members itself."""

    def __init__(self, entry: Format) -> None:
        self._entry = entry

    def tree(self, document: Any) -> Any:
        return document.tree()

    def settings(self, document: Any) -> Any:
        return document.settings() if hasattr(document, "settings") else {}

    def plain_files(self, document: Any, options: Any) -> Any:
        return self._has("plain_files").plain_files(document, options)

    def apply(self, document: Any, folder: Any, changes: Any) -> Any:
        return self._has("apply").apply(document, folder, changes)

    def empty(self, settings: Any) -> Any:
        return self._has("empty").empty(settings)

    def _has(self, name: str) -> Any:
        document_class = self._entry.document_class()
        if not hasattr(document_class, name):
            raise self._entry.no_folder()
        return document_class


def load(target: str) -> Any:
    """The object that ``"module:attribute"`` names; the module itself without an attribute."""
    from importlib import import_module

    module, _, attribute = target.partition(":")
    loaded = import_module(module)
    return getattr(loaded, attribute) if attribute else loaded


# ------------------------------------------------------------------------------ how formats begin


def form_chunks(head: bytes) -> list[bytes]:
    """The names of the chunks of a FORM whose headers lie in ``head``."""
    names = []
    position = 8
    while position + 8 <= len(head):
        name = head[position : position + 4]
        if not (name.isalnum() and name.isupper()):
            break
        names.append(name)
        position += 8 + int.from_bytes(head[position + 4 : position + 8], "little")
    return names


def is_game_data(probe: Probe) -> bool:
    """A FORM (or a big-endian MROF, which the reader refuses by name) of a game."""
    if probe.head[:4] == b"MROF":
        return True
    if probe.head[:4] != b"FORM" or is_debug_data(probe) or is_audio_group(probe):
        return False
    return bool(form_chunks(probe.head))


def is_audio_group(probe: Probe) -> bool:
    """A FORM whose first and only chunk is AUDO."""
    head = probe.head
    if head[:4] != b"FORM" or head[8:12] != b"AUDO":
        return False
    return 16 + int.from_bytes(head[12:16], "little") + 8 > probe.size


def is_debug_data(probe: Probe) -> bool:
    """A FORM that begins with SCPT and DBGI, and has no GEN8."""
    return probe.head[:4] == b"FORM" and probe.head[8:12] in (b"SCPT", b"DBGI")


# The order matters: what is told by more bytes comes first.
REGISTRY: list[Format] = [
    Format(
        ("gamemaker-audiogroup",),
        "GameMaker audio group",
        is_audio_group,
        "overhaul.gamemaker.data:AudioGroup",
        folder="overhaul.gamemaker.data_folder.audiogroup",
    ),
    Format(
        ("gamemaker-debug",),
        "GameMaker debug information (.yydebug)",
        is_debug_data,
        "overhaul.gamemaker.debug:DebugData",
        folder="overhaul.gamemaker.debug_folder",
    ),
    Format(
        ("gamemaker-data",),
        "GameMaker game data (data.win)",
        is_game_data,
        "overhaul.gamemaker.data:GameData",
        folder="overhaul.gamemaker.data_folder",
    ),
    Format(
        ("ags-package",),
        "Adventure Game Studio package (.ags, .vox, .exe, .001)",
        "overhaul.ags.detect:is_package",
        "overhaul.ags.documents.package:PackageDocument",
        "overhaul.ags_folder.package",
    ),
    Format(
        ("ags-game",),
        "Adventure Game Studio game data (game28.dta, ac2game.dta)",
        "overhaul.ags.detect:is_game",
        "overhaul.ags.documents.game:GameDocument",
        "overhaul.ags_folder.game",
    ),
    Format(
        ("ags-sprites",),
        "Adventure Game Studio sprite set (acsprset.spr)",
        "overhaul.ags.detect:is_sprite_set",
        "overhaul.ags.documents.sprites:SpriteSetDocument",
        "overhaul.ags_folder.sprites",
    ),
    Format(
        ("ags-sprite-index",),
        "Adventure Game Studio sprite index (sprindex.dat)",
        "overhaul.ags.detect:is_sprite_index",
        "overhaul.ags.documents.sprite_index:SpriteIndexDocument",
        "overhaul.ags_folder.sprite_index",
    ),
    Format(
        ("ags-translation",),
        "Adventure Game Studio translation (.tra)",
        "overhaul.ags.detect:is_translation",
        "overhaul.ags.documents.translation:TranslationDocument",
        "overhaul.ags_folder.translation",
    ),
    Format(
        ("ags-module",),
        "Adventure Game Studio script module (.scm)",
        "overhaul.ags.detect:is_module",
        "overhaul.ags.documents.module:ModuleDocument",
        "overhaul.ags_folder.module",
    ),
    Format(
        ("ags-script",),
        "Adventure Game Studio compiled script",
        "overhaul.ags.detect:is_script",
        "overhaul.ags.documents.script:ScriptDocument",
        "overhaul.ags_folder.script",
    ),
    Format(
        ("ags-save",),
        "Adventure Game Studio saved game",
        "overhaul.ags.detect:is_save",
        "overhaul.ags.documents.save:SaveDocument",
        "overhaul.ags_folder.save",
    ),
    Format(
        ("ags-room",),
        "Adventure Game Studio room (.crm)",
        "overhaul.ags.detect:is_room",
        "overhaul.ags.documents.room:RoomDocument",
        "overhaul.ags_folder.room",
    ),
    Format(
        ("gamemaker-executable",),
        "Game Maker executable (.exe of 6.0 to 8.1)",
        "overhaul.gamemaker.classic.detect:is_executable",
        "overhaul.gamemaker.classic.documents.executable:ExecutableDocument",
        "overhaul.gamemaker.classic_folder.executable",
    ),
    Format(
        ("gamemaker-extension",),
        "Game Maker extension package (.ged, .gex)",
        "overhaul.gamemaker.classic.detect:is_package",
        "overhaul.gamemaker.classic.documents.extension:ExtensionDocument",
        "overhaul.gamemaker.classic_folder.extension",
    ),
    Format(
        ("gamemaker-export",),
        "Game Maker exported resources (.gmspr, .gmbck, .gmres)",
        "overhaul.gamemaker.classic.detect:is_export",
        "overhaul.gamemaker.classic.documents.export:ExportDocument",
        "overhaul.gamemaker.classic_folder.export",
    ),
    Format(
        ("gamemaker-library",),
        "Game Maker action library (.lib, .lgl)",
        "overhaul.gamemaker.classic.detect:is_library",
        "overhaul.gamemaker.classic.documents.library:LibraryDocument",
        "overhaul.gamemaker.classic_folder.library",
    ),
    Format(
        ("gamemaker-project",),
        "Game Maker project (.gmd, .gm6, .gmk, .gm81)",
        "overhaul.gamemaker.classic.detect:is_project",
        "overhaul.gamemaker.classic.documents.project:ProjectDocument",
        "overhaul.gamemaker.classic_folder.project",
    ),
]


def find(probe: Probe) -> Format | None:
    """The format that accepts a file; None if no format does."""
    for entry in REGISTRY:
        if entry.accepts(probe):
            return entry
    return None


def folder_format_of(kind: str) -> FolderFormat:
    """How documents of a kind become plain files, and how these become documents.

    Raises FormatError for an unknown kind, WorkspaceError for one that makes no folder.
    """
    return format_of_kind(kind).folder_format()


def format_of_kind(kind: str) -> Format:
    """The format whose class makes documents of a kind.  Raises FormatError for an unknown one."""
    for entry in REGISTRY:
        if kind in entry.kinds:
            return entry
    known = ", ".join(sorted(kind for entry in REGISTRY for kind in entry.kinds))
    raise FormatError(f"there is no kind of document called {kind!r}; there are: {known}")


def kinds() -> Iterable[tuple[str, str]]:
    """Each kind of document, with its title."""
    for entry in REGISTRY:
        for kind in entry.kinds:
            yield kind, entry.title


# The names that moved to other modules, until everything imports them from there.
if TYPE_CHECKING:
    from overhaul.document.opening import find_bytes as find_bytes
    from overhaul.document.opening import open as open
    from overhaul.document.reading import open_data as open_data
else:

    def __getattr__(name: str) -> object:
        if name == "open_data":
            return load("overhaul.document.reading:open_data")
        if name in ("open", "find_bytes"):
            return load(f"overhaul.document.opening:{name}")
        raise AttributeError(name)
