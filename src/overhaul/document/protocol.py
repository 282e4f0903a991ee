"""What every opened file can do, whatever its format: the :class:`Document` protocol.

A format is a class with these members, and one line in :mod:`overhaul.document.registry`.  Then
``open``, ``info``, ``ls``, ``cat``, ``verify``, ``unpack`` and ``pack`` work for it.  Most classes
derive from :class:`BaseDocument`, which has the shared behaviour; they add
:meth:`~Document.from_bytes`,
:meth:`~Document.info`, :meth:`~Document.tree`, :meth:`~Document.to_bytes` and
:meth:`~Document.coverage`, and for the folder :meth:`~Document.plain_files`,
:meth:`~Document.apply` and :meth:`~Document.empty`.

This module stands on the path of every command, so it imports next to nothing.
"""

from __future__ import annotations

import os

from overhaul.document.files import write_file
from overhaul.errors import WorkspaceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, Literal, Protocol, Self, TypeAlias

    #: Bytes as a format reads them: in memory, or a view on a mapped file.
    Buffer: TypeAlias = bytes | memoryview
    #: What happened to a plain file since it was unpacked.
    Change: TypeAlias = Literal["added", "changed", "removed"]
    #: See :meth:`Document.learn_code`.
    Each: TypeAlias = Callable[[Callable[[Any, Any], Any], Sequence[Any]], Iterable[Any]]
else:  # without the cost of importing typing
    Protocol = object
    Buffer = bytes | memoryview
    Change = str


class Resource:
    """One line of ``overhaul ls``: a thing in a document.

    ``path`` is where it is in the unpacked folder (a file, or the folder of its files); ``size``
    its bytes in the document, or None where that has no meaning.
    """

    __slots__ = ("kind", "name", "path", "size")

    def __init__(self, kind: str, name: str, path: str, size: int | None = None) -> None:
        self.kind = kind
        self.name = name
        self.path = path
        self.size = size

    def __repr__(self) -> str:
        return f"Resource({self.kind!r}, {self.name!r}, {self.path!r}, {self.size!r})"


class Opaque:
    """Bytes that were carried but not understood: where they are, and why."""

    __slots__ = ("length", "offset", "path", "reason")

    def __init__(self, offset: int, path: str, length: int, reason: str) -> None:
        self.offset = offset
        self.path = path
        self.length = length
        self.reason = reason

    def __repr__(self) -> str:
        return f"Opaque({self.offset:#x}, {self.path!r}, {self.length}, {self.reason!r})"


class Coverage:
    """How many of a document's bytes were decoded into fields, are media, or are opaque.

    Media are bytes of a known format of their own, such as a PNG or an Ogg file.  ``details``
    lists the opaque bytes; the lengths there add up to ``opaque``.
    """

    __slots__ = ("decoded", "details", "media", "opaque")

    def __init__(
        self,
        decoded: int = 0,
        media: int = 0,
        opaque: int = 0,
        details: list[Opaque] | None = None,
    ) -> None:
        self.decoded = decoded
        self.media = media
        self.opaque = opaque
        self.details: list[Opaque] = details if details is not None else []

    @property
    def total(self) -> int:
        """All bytes counted: the size of the document."""
        return self.decoded + self.media + self.opaque

    def __repr__(self) -> str:
        return f"Coverage(decoded={self.decoded}, media={self.media}, opaque={self.opaque})"


class PlainFile:
    """A file of the unpacked folder, made when it is read.

    ``path`` has ``/`` between its parts; parts that are names of resources come from
    :mod:`overhaul.document.names`.  ``origin`` says where in the document it came from
    (``SPRT[12].frames[3]``), ``note`` is one line for the manifest; ``read`` may still set it.
    """

    __slots__ = ("note", "origin", "path", "read")

    def __init__(
        self, path: str, read: Callable[[], bytes], *, origin: str = "", note: str = ""
    ) -> None:
        self.path = path
        self.read = read
        self.origin = origin
        self.note = note

    def __repr__(self) -> str:
        return f"PlainFile({self.path!r})"


class UnpackOptions:
    """What people chose when unpacking.  ``code``: ``"asm"``, ``"gml"`` or ``"both"``.

    ``whole``: also what only packing needs, beside the texts that people read; searching does
    without, as it takes long to make.
    """

    __slots__ = ("code", "only", "whole")

    def __init__(self, *, only: Iterable[str] = (), code: str = "gml", whole: bool = True) -> None:
        self.only = tuple(only)
        self.code = code
        self.whole = whole

    def wants(self, path: str) -> bool:
        """Whether a plain file is among those asked for (all, without ``only``)."""
        return not self.only or matches_any(path, self.only)


class Folder(Protocol):
    """The plain files that packing reads, as :meth:`Document.apply` sees them."""

    settings: dict[str, object]

    def read(self, path: str) -> bytes:
        """The bytes of a plain file.  Raises WorkspaceError where there is none."""
        raise WorkspaceError(f"{path}: there is no such file")

    def list(self) -> list[str]:
        """The paths of all plain files, sorted."""
        return []

    def __contains__(self, path: str) -> bool:
        return path in self.list()


class Beside(Protocol):
    """The files that stand beside a document: in its folder, its archive, or a kept original."""

    def names(self) -> list[str]:
        """The names of the files, sorted."""
        return []

    def read(self, name: str) -> bytes:
        """The bytes of one.  Raises FileNotFoundError where there is none."""
        raise FileNotFoundError(name)


class Document(Protocol):
    """An opened file.  ``warnings`` are sentences for people, found while opening and reading."""

    kind: str
    version: str
    source: str | None
    warnings: list[str]
    #: Called once on closing: releases the mapped file (:func:`overhaul.document.registry.open`).
    on_close: Callable[[], None] | None

    @classmethod
    def from_bytes(
        cls,
        data: Buffer,
        *,
        source: str | None = None,
        assume_version: str | None = None,
        strict: bool = False,
        beside: Beside | None = None,
    ) -> Self:
        """Open the bytes of a file; as little as possible is read now, the rest when touched.

        With ``strict``, what would be a warning is a FormatError.
        """

    @classmethod
    def empty(cls, settings: Mapping[str, object]) -> Self:
        """A new document without resources, of the version that ``settings`` asks for.

        ``settings`` has ``kind``, ``version`` and what :meth:`settings` gave.  Packing a folder
        without kept originals applies all its files to this.
        """

    def info(self) -> dict[str, object]:
        """What the file is, for people and programs (JSON types only); cheap."""

    def tree(self) -> Iterable[Resource]:
        """The resources, in the document's order."""

    def decode(self) -> None:
        """Decode all of the file, so that :meth:`to_bytes` rebuilds all of it (verify does)."""

    def to_bytes(self) -> bytes:
        """The file, rebuilt from the model."""

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the file, and what belongs beside it, all or nothing."""

    def coverage(self) -> Coverage:
        """How much of the file was understood; valid after :meth:`to_bytes`."""

    def locate(self, offset: int) -> str:
        """The place in the structure that a byte offset of the file lies in; "" if unknown."""

    def code_names(self) -> list[str] | None:
        """The names of the code entries; None where the format has no code that compiles."""

    def learn_code(self, each: Each) -> None:
        """Work out what all code tells of each entry, if the format has such, with the help of
        processes: ``each(task, items)`` gives ``task(document, item)`` for each item, in order."""

    def check_code(self, name: str) -> str | None:
        """None if a code entry decompiles to source that compiles to it again; else the reason."""

    def members(self) -> Iterable[PlainFile]:
        """The documents in this document (the files of a package)."""

    def companions(self) -> Mapping[str, bytes]:
        """The files beside this one that belong to it, by name, as they would be written now."""

    def settings(self) -> dict[str, object]:
        """What overhaul.toml says of this document besides kind and version (TOML types only)."""

    def plain_files(self, options: UnpackOptions) -> Iterator[PlainFile]:
        """The files of the unpacked folder, in a stable order, by unique paths."""

    def apply(self, folder: Folder, changes: Mapping[str, Change]) -> list[str]:
        """Change the model as the plain files were changed; return warnings for people.

        ``changes`` names each file that was added, changed or removed, by path; an edit of the
        settings comes as ``overhaul.toml`` and is read from ``folder.settings``.  Raises
        SourceError, FormatError or WorkspaceError for files that can't be read.
        """

    def close(self) -> None:
        """Let go of the file."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exception: object) -> None: ...


class FolderFormat(Protocol):
    """How the documents of a format become plain files, and how these become documents.

    The folder packages are such objects (their functions are the members); the registry names the
    one of each format, so that a model imports nothing of its folder.
    """

    def tree(self, document: Any, /) -> Iterable[Resource]:
        """The resources, in the document's order, with their paths in the folder."""

    def settings(self, document: Any, /) -> dict[str, object]:
        """What overhaul.toml says of a document besides kind and version (TOML types only)."""

    def plain_files(self, document: Any, options: UnpackOptions, /) -> Iterator[PlainFile]:
        """The files of the unpacked folder, in a stable order, by unique paths."""

    def apply(self, document: Any, folder: Folder, changes: Mapping[str, Change], /) -> list[str]:
        """Change the document as the plain files were changed; return warnings for people.

        ``changes`` names each file that was added, changed or removed, by path; an edit of the
        settings comes as ``overhaul.toml`` and is read from ``folder.settings``.  Raises
        SourceError, FormatError or WorkspaceError for files that can't be read.
        """

    def empty(self, settings: Mapping[str, object], /) -> Document:
        """A new document without resources, of the version that ``settings`` asks for.

        ``settings`` has ``kind``, ``version`` and what :meth:`settings` gave.  Packing a folder
        without kept originals applies all its files to this.
        """


class BaseDocument:
    """The shared behaviour of documents; see :class:`Document` for what each member means."""

    kind: str = ""
    version: str = ""
    #: Called once on closing: releases the mapped file (:func:`overhaul.document.registry.open`).
    on_close: Callable[[], None] | None = None

    def __init__(self, source: str | None = None) -> None:
        self.source = source
        self.warnings: list[str] = []

    def decode(self) -> None:
        """Nothing more to do, unless parts are decoded when they are touched."""

    def to_bytes(self) -> bytes:
        raise TypeError(f"{type(self).__name__} does not say how it is written")

    def companions(self) -> Mapping[str, bytes]:
        """None: most files stand alone."""
        return {}

    def tree(self) -> Iterable[Resource]:
        """The resources, as the format of the kind lists them."""
        # Here, as the registry names the formats by strings and imports none of them.
        from overhaul.document.registry import format_of_kind

        return format_of_kind(self.kind).folder_format().tree(self)

    def members(self) -> Iterable[PlainFile]:
        """None: most files contain no documents."""
        return ()

    def code_names(self) -> list[str] | None:
        """None: most formats have no code that compiles."""
        return None

    def learn_code(self, each: Each) -> None:
        """Nothing to do: there is no code."""

    def check_code(self, name: str) -> str | None:
        """Nothing to say: there is no code."""
        return f"{name}: a {self.kind} file has no code that compiles"

    def settings(self) -> dict[str, object]:
        """None beyond kind and version."""
        return {}

    def locate(self, offset: int) -> str:
        """Unknown, unless the format says."""
        return ""

    def plain_files(self, options: UnpackOptions) -> Iterator[PlainFile]:
        """Refused: a format whose files make no folder does not override this."""
        raise WorkspaceError(f"a {self.kind} file is not a thing to unpack; look at it with ls")

    def apply(self, folder: Folder, changes: Mapping[str, Change]) -> list[str]:
        """Refused, as :meth:`plain_files` is."""
        raise WorkspaceError(f"a {self.kind} file can't be made from a folder")

    @classmethod
    def empty(cls, settings: Mapping[str, object]) -> Self:
        """Refused, as :meth:`plain_files` is."""
        raise WorkspaceError(f"a {cls.kind} file can't be made from a folder")

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the file and the companions that differ from what stands beside ``path``.

        Raises FileExistsError for an existing file without ``force``.  Writing over the file this
        document was opened from keeps that as ``NAME.bak``.
        """
        source = self.source
        save_all(
            path,
            self.to_bytes(),
            self.companions(),
            force=force,
            backup=lambda name: source is not None and _same_file(source, name),
        )

    def close(self) -> None:
        """Let go of the file; reading parts that were not read yet fails afterwards."""
        release, self.on_close = self.on_close, None
        if release is not None:
            release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        version = f" {self.version}" if self.version else ""
        return f"<{type(self).__name__} {self.kind}{version} {self.source or 'in memory'}>"


def save_all(
    path: str | os.PathLike[str],
    data: bytes,
    companions: Mapping[str, bytes],
    *,
    force: bool,
    backup: Callable[[str], bool],
) -> list[str]:
    """Write a file and its companions; return the paths written.

    Companions come first, so that the file never names something that is not there yet; those
    that stand there already, byte for byte, are left alone.  Nothing is written unless everything
    may be (FileExistsError).  ``backup`` says of an existing file whether to keep it.
    """
    target = os.fspath(path)
    beside = os.path.dirname(target)
    pending: list[tuple[str, bytes]] = []
    for name, content in companions.items():
        if os.path.basename(name) != name or name in ("", ".", ".."):
            raise WorkspaceError(f"{name!r} can't be the name of a file beside {target}")
        companion = os.path.join(beside, name)
        if not _has_content(companion, content):
            pending.append((companion, content))
    pending.append((target, data))
    existing = {name for name, _ in pending if os.path.lexists(name)}
    if existing and not force:
        name = min(existing)
        raise FileExistsError(17, "it exists already (--force replaces it)", name)
    for name, content in pending:
        keep = name in existing and backup(name)
        write_file(name, content, force=force, backup=keep)
    return [name for name, _ in pending]


def matches(path: str, pattern: str) -> bool:
    """Whether a path is named by a glob (``*`` crosses ``/``), or lies in a folder that is."""
    from fnmatch import fnmatchcase

    pattern = pattern.rstrip("/")
    if fnmatchcase(path, pattern):
        return True
    return any(fnmatchcase(path[:i], pattern) for i, c in enumerate(path) if c == "/")


def matches_any(path: str, patterns: Iterable[str]) -> bool:
    """Whether one of several globs names the path; see :func:`matches`."""
    return any(matches(path, pattern) for pattern in patterns)


def _same_file(first: str, second: str | os.PathLike[str]) -> bool:
    try:
        return os.path.samefile(first, second)
    except OSError:
        return False


def _has_content(path: str, content: bytes) -> bool:
    try:
        if os.path.getsize(path) != len(content):
            return False
        with open(path, "rb") as file:
            return file.read() == content
    except OSError:
        return False
