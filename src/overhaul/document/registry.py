"""The formats Overhaul knows, and how a file finds its own: from its content, never its name alone.

A new format is one :class:`Format` in :data:`REGISTRY`.  Its class is imported when a file of
that kind is opened, so that the formats cost nothing otherwise.  This module stands on the path
of every command and imports next to nothing itself.
"""

from __future__ import annotations

import builtins
import os

from overhaul.errors import FormatError, UnsupportedVersion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from overhaul.document.protocol import Beside, Buffer, Document, FolderFormat

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
    :class:`~overhaul.document.protocol.FolderFormat` for it.
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


class _FolderOfDocument:
    """The folder of a format whose document class still has these members itself."""

    def __init__(self, entry: Format) -> None:
        self._entry = entry

    def tree(self, document: Any) -> Any:
        return document.tree()

    def settings(self, document: Any) -> Any:
        return document.settings()

    def plain_files(self, document: Any, options: Any) -> Any:
        return document.plain_files(options)

    def apply(self, document: Any, folder: Any, changes: Any) -> Any:
        return document.apply(folder, changes)

    def empty(self, settings: Any) -> Any:
        document_class: Any = self._entry.document_class()
        return document_class.empty(settings)


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
        "overhaul.gamemaker.classic.executable.document:ExecutableFile",
    ),
    Format(
        ("gamemaker-extension",),
        "Game Maker extension package (.ged, .gex)",
        "overhaul.gamemaker.classic.detect:is_package",
        "overhaul.gamemaker.classic.documents:PackageFile",
    ),
    Format(
        ("gamemaker-export",),
        "Game Maker exported resources (.gmspr, .gmbck, .gmres)",
        "overhaul.gamemaker.classic.detect:is_export",
        "overhaul.gamemaker.classic.export_document:ExportFile",
    ),
    Format(
        ("gamemaker-library",),
        "Game Maker action library (.lib, .lgl)",
        "overhaul.gamemaker.classic.detect:is_library",
        "overhaul.gamemaker.classic.documents:LibraryFile",
    ),
    Format(
        ("gamemaker-project",),
        "Game Maker project (.gmd, .gm6, .gmk, .gm81)",
        "overhaul.gamemaker.classic.detect:is_project",
        "overhaul.gamemaker.classic.document:ProjectFile",
    ),
]


def find(probe: Probe) -> Format | None:
    """The format that accepts a file; None if no format does."""
    for entry in REGISTRY:
        if entry.accepts(probe):
            return entry
    return None


def format_of_kind(kind: str) -> Format:
    """The format whose class makes documents of a kind.  Raises FormatError for an unknown one."""
    for entry in REGISTRY:
        if kind in entry.kinds:
            return entry
    known = ", ".join(sorted(kind for entry in REGISTRY for kind in entry.kinds))
    raise FormatError(f"there is no kind of document called {kind!r}; there are: {known}")


# ---------------------------------------------------------------------------------------- opening


def open(
    source: str | os.PathLike[str] | bytes | bytearray | memoryview,
    *,
    assume_version: str | None = None,
    strict: bool = False,
) -> Document:
    """Open a game's file and return its :class:`~overhaul.document.protocol.Document`.

    ``source`` is a path, or the bytes of a file.  A path may go on inside a container:
    ``game.zip!data.win``, ``game.exe!data.win``, ``game.ags!room1.crm``.  The file is mapped, and
    read as far as it is looked at; close the document (or use ``with``) to let go of it.
    ``assume_version`` overrides the version found from evidence; with ``strict``, what would be a
    warning is an error.

    Raises OSError if the file can't be read, FormatError if it is broken or of no known format.
    """
    found = find_bytes(source)
    try:
        document = open_data(
            found.data,
            source=found.source,
            beside=found.beside,
            assume_version=assume_version,
            strict=strict,
        )
    except BaseException:
        found.release()
        raise
    document.on_close = found.release
    return document


class Found:
    """The bytes of a file, where they came from, what stands beside it, and what lets it go."""

    __slots__ = ("beside", "data", "release", "source")

    def __init__(
        self,
        data: Buffer,
        source: str | None,
        beside: Beside | None,
        release: Callable[[], None],
    ) -> None:
        self.data = data
        self.source = source
        self.beside = beside
        self.release = release


def find_bytes(source: str | os.PathLike[str] | bytes | bytearray | memoryview) -> Found:
    """The bytes that :func:`open` opens; a file is mapped, not read."""
    if isinstance(source, bytes):
        return Found(source, None, None, _nothing)
    if isinstance(source, bytearray | memoryview):
        return Found(memoryview(source).toreadonly(), None, None, _nothing)
    path = os.fspath(source)
    if "!" in path and not os.path.exists(path):
        from overhaul.document.containers import find_inside

        return find_inside(path)
    data, release = map_file(path)
    return Found(data, path, FilesBeside(path), release)


def _nothing() -> None:
    return


def open_data(
    data: Buffer,
    *,
    source: str | None = None,
    beside: Beside | None = None,
    assume_version: str | None = None,
    strict: bool = False,
) -> Document:
    """Open the bytes of a file; see :func:`open`."""
    probe = Probe(data, os.path.basename(source or ""))
    entry = find(probe)
    try:
        if entry is None:
            from overhaul.document.sniff import explain

            raise FormatError(explain(probe, source))
        return entry.document_class().from_bytes(
            data, source=source, beside=beside, assume_version=assume_version, strict=strict
        )
    except FormatError as error:
        if error.source is None:
            error.source = source
        raise
    except RecursionError:
        raise UnsupportedVersion(
            "its structure is nested deeper than Overhaul reads", source=source
        ) from None


def map_file(path: str) -> tuple[Buffer, Callable[[], None]]:
    """A view on the bytes of a file, and what releases it."""
    import mmap

    with builtins.open(path, "rb", buffering=0) as file:
        try:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (ValueError, OSError):  # an empty file, a pipe
            return file.read(), _nothing
    view = memoryview(mapped)

    def release() -> None:
        try:
            view.release()
            mapped.close()
        except BufferError:  # parts of it are still in use, and keep it alive
            return

    return view, release


class FilesBeside:
    """The files in the folder of a file."""

    def __init__(self, path: str) -> None:
        self._folder = os.path.dirname(os.path.abspath(path))

    def names(self) -> list[str]:
        """The names of the files in the folder, sorted."""
        with os.scandir(self._folder) as entries:
            return sorted(entry.name for entry in entries if entry.is_file())

    def read(self, name: str) -> bytes:
        """The bytes of a file of the folder.  Raises FileNotFoundError where there is none."""
        if os.path.basename(name) != name or name in ("", ".", ".."):
            raise FileNotFoundError(2, "it is not a name of a file in this folder", name)
        with builtins.open(os.path.join(self._folder, name), "rb") as file:
            return file.read()


def kinds() -> Iterable[tuple[str, str]]:
    """Each kind of document, with its title."""
    for entry in REGISTRY:
        for kind in entry.kinds:
            yield kind, entry.title
