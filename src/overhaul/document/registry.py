"""The formats Overhaul knows, and how a file's format is detected: by content, not by name alone.

A new format is one :class:`Format` in :data:`REGISTRY`.  Its modules are imported when a file of
that kind is opened.  Every command imports this module, so it imports next to nothing itself.
"""

from __future__ import annotations

from overhaul.errors import FormatError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from overhaul.document.folder_format import FolderFormat
    from overhaul.document.protocol import Buffer, Document

#: How many of a file's first bytes are read to detect its format.
HEAD = 4096


class Probe:
    """The input of detection: the first bytes, size and name of a file, and its data.

    ``head`` has the first bytes.
    """

    __slots__ = ("data", "head", "name", "size")

    def __init__(self, data: Buffer, name: str = "") -> None:
        self.data: Buffer = data
        self.head: bytes = bytes(data[:HEAD])
        self.size: int = len(data)
        self.name: str = name

    def tail(self, length: int) -> bytes:
        """The last bytes."""
        return bytes(self.data[max(0, self.size - length) :])


class Format:
    """A line of the registry.

    ``kind`` is the ``Document.kind`` of what its class makes; ``accept`` is a cheap test (or
    ``"module:function"``, imported when no earlier format accepted); ``target`` is the class,
    ``folder`` the module whose ``FORMAT`` (or ``"module:object"``) is the
    :class:`~overhaul.document.folder_format.FolderFormat` for it.  ``damaged`` is a test
    (``"module:function"``) for files that no format accepts, as their ends are lost; see
    :mod:`overhaul.document.salvaging`.  ``title`` is what people call it.
    """

    __slots__ = ("accept", "damaged", "folder", "kind", "target", "title")

    def __init__(
        self,
        kind: str,
        title: str,
        accept: Callable[[Probe], bool] | str,
        target: str,
        folder: str,
        damaged: str = "",
    ) -> None:
        self.kind: str = kind
        self.title: str = title
        self.accept: Callable[[Probe], bool] | str = accept
        self.target: str = target
        self.folder: str = folder
        self.damaged: str = damaged

    def accepts_damaged(self, probe: Probe) -> bool:
        """Whether a file that no format accepts may be a damaged one of this format."""
        return bool(self.damaged and load(self.damaged)(probe))

    def accepts(self, probe: Probe) -> bool:
        """Whether the file looks like one of this format."""
        accept = load(self.accept) if isinstance(self.accept, str) else self.accept
        return bool(accept(probe))

    def document_class(self) -> type[Document]:
        """The class that reads it."""
        document_class: type[Document] = load(self.target)
        return document_class

    def folder_format(self) -> FolderFormat[Document]:
        """How documents of this format become plain files, and how these become documents."""
        folder: FolderFormat[Document] = load(
            self.folder if ":" in self.folder else f"{self.folder}:FORMAT"
        )
        return folder


def load(target: str) -> Any:
    """The object that ``"module:attribute"`` names; the module itself without an attribute."""
    from importlib import import_module  # start-up: not for every command

    module, _, attribute = target.partition(":")
    loaded = import_module(module)
    return getattr(loaded, attribute) if attribute else loaded


# ------------------------------------------------------------------------------ how formats begin


def form_chunks(head: bytes) -> list[bytes]:
    """The names of the chunks of a FORM whose headers are in ``head``."""
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


# The order matters: a format that is detected by more bytes comes first.
REGISTRY: list[Format] = [
    Format(
        "gamemaker-audiogroup",
        "GameMaker audio group",
        is_audio_group,
        "overhaul.gamemaker.data:AudioGroup",
        folder="overhaul.gamemaker.data_folder.audiogroup",
    ),
    Format(
        "gamemaker-debug",
        "GameMaker debug information (.yydebug)",
        is_debug_data,
        "overhaul.gamemaker.debug:DebugData",
        folder="overhaul.gamemaker.debug_folder",
    ),
    Format(
        "gamemaker-data",
        "GameMaker game data (data.win)",
        is_game_data,
        "overhaul.gamemaker.data:GameData",
        folder="overhaul.gamemaker.data_folder.format",
    ),
    Format(
        "ags-package",
        "Adventure Game Studio package (.ags, .vox, .exe, .001)",
        "overhaul.ags.detect:is_package",
        "overhaul.ags.documents.package:PackageDocument",
        "overhaul.ags.folder.package",
        damaged="overhaul.ags.detect:is_damaged_package",
    ),
    Format(
        "ags-game",
        "Adventure Game Studio game data (game28.dta, ac2game.dta)",
        "overhaul.ags.detect:is_game",
        "overhaul.ags.documents.game:GameDocument",
        "overhaul.ags.folder.game",
    ),
    Format(
        "ags-sprites",
        "Adventure Game Studio sprite set (acsprset.spr)",
        "overhaul.ags.detect:is_sprite_set",
        "overhaul.ags.documents.sprites:SpriteSetDocument",
        "overhaul.ags.folder.sprites",
    ),
    Format(
        "ags-sprite-index",
        "Adventure Game Studio sprite index (sprindex.dat)",
        "overhaul.ags.detect:is_sprite_index",
        "overhaul.ags.documents.sprites:SpriteIndexDocument",
        "overhaul.ags.folder.sprite_index",
    ),
    Format(
        "ags-font",
        "Adventure Game Studio bitmap font (.wfn), or one of Sierra's games",
        "overhaul.ags.detect:is_font",
        "overhaul.ags.documents.font:FontDocument",
        "overhaul.ags.folder.font",
    ),
    Format(
        "ags-translation",
        "Adventure Game Studio translation (.tra)",
        "overhaul.ags.detect:is_translation",
        "overhaul.ags.documents.translation:TranslationDocument",
        "overhaul.ags.folder.translation",
    ),
    Format(
        "ags-module",
        "Adventure Game Studio script module (.scm)",
        "overhaul.ags.detect:is_module",
        "overhaul.ags.documents.script:ModuleDocument",
        "overhaul.ags.folder.module",
    ),
    Format(
        "ags-script",
        "Adventure Game Studio compiled script",
        "overhaul.ags.detect:is_script",
        "overhaul.ags.documents.script:ScriptDocument",
        "overhaul.ags.folder.script",
    ),
    Format(
        "ags-save",
        "Adventure Game Studio saved game",
        "overhaul.ags.detect:is_save",
        "overhaul.ags.documents.save:SaveDocument",
        "overhaul.ags.folder.save",
    ),
    Format(
        "ags-room",
        "Adventure Game Studio room (.crm)",
        "overhaul.ags.detect:is_room",
        "overhaul.ags.documents.room:RoomDocument",
        "overhaul.ags.folder.room",
    ),
    Format(
        "ags-lip-sync",
        "Adventure Game Studio lip synchronisation of speech (syncdata.dat)",
        "overhaul.ags.lip_sync:is_lip_sync",
        "overhaul.ags.documents.lip_sync:LipSyncDocument",
        "overhaul.ags.folder.lip_sync",
    ),
    Format(
        "ags-project",
        "Adventure Game Studio project (Game.agf)",
        "overhaul.ags.project.document:is_project",
        "overhaul.ags.project.document:ProjectDocument",
        "overhaul.ags.project.folder",
    ),
    Format(
        "gamemaker-ide-project",
        "GameMaker editor's project (.yyp, .project.gmx)",
        "overhaul.gamemaker.ide.detect:is_project",
        "overhaul.gamemaker.ide.document:IdeProjectDocument",
        "overhaul.gamemaker.ide_folder",
    ),
    Format(
        "gamemaker-gm82-project",
        "Game Maker 8.2 project (.gm82, a folder)",
        "overhaul.gamemaker.gm82.detect:is_project",
        "overhaul.gamemaker.gm82.document:Gm82Document",
        "overhaul.gamemaker.gm82_folder",
    ),
    Format(
        "gamemaker-executable",
        "Game Maker executable (.exe of 5.3 to 8.1)",
        "overhaul.gamemaker.classic.detect:is_executable",
        "overhaul.gamemaker.classic.documents.executable:ExecutableDocument",
        "overhaul.gamemaker.classic_folder.executable",
    ),
    Format(
        "gamemaker-extension",
        "Game Maker extension package (.ged, .gex)",
        "overhaul.gamemaker.classic.detect:is_package",
        "overhaul.gamemaker.classic.documents.library:ExtensionDocument",
        "overhaul.gamemaker.classic_folder.extension",
    ),
    Format(
        "gamemaker-export",
        "Game Maker exported resources (.gmspr, .gmbck, .gmres)",
        "overhaul.gamemaker.classic.detect:is_export",
        "overhaul.gamemaker.classic.documents.library:ExportDocument",
        "overhaul.gamemaker.classic_folder.export",
    ),
    Format(
        "gamemaker-library",
        "Game Maker action library (.lib, .lgl)",
        "overhaul.gamemaker.classic.detect:is_library",
        "overhaul.gamemaker.classic.documents.library:LibraryDocument",
        "overhaul.gamemaker.classic_folder.library",
    ),
    Format(
        "gamemaker-project",
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


def folder_format_of(kind: str) -> FolderFormat[Document]:
    """How documents of a kind become plain files, and how these become documents.

    Raises FormatError for an unknown kind.
    """
    return format_of_kind(kind).folder_format()


def format_of_kind(kind: str) -> Format:
    """The format whose class makes documents of a kind.  Raises FormatError for an unknown one."""
    for entry in REGISTRY:
        if kind == entry.kind:
            return entry
    known = ", ".join(sorted(entry.kind for entry in REGISTRY))
    raise FormatError(f"unknown kind of document {kind!r}; expected one of: {known}")
