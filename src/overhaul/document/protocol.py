"""The interface of every opened file, whatever its format: the :class:`Document` protocol.

A format is a class with these members, and one line in :mod:`overhaul.document.registry`; most
derive from :class:`~overhaul.document.base.BaseDocument`.  Then ``open``, ``info``, ``ls`` and
``verify`` work for it; ``cat``, ``unpack`` and ``pack`` ask the format's folder
(:class:`~overhaul.document.folder_format.FolderFormat`).

Members that only some formats have are capabilities: a document that has the members of
:class:`HasCode`, :class:`HasMembers` or :class:`HasCompanions` is an instance of it.

Every command imports this module, so it imports next to nothing itself.
"""

from __future__ import annotations

import sys

from overhaul.findings import Findings

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Protocol, Self, TypeAlias, TypeVar, runtime_checkable

    from overhaul.stretch import Piece

    #: Bytes as a format reads them: in memory, or a view on a mapped file.
    Buffer: TypeAlias = bytes | memoryview
    D = TypeVar("D")
    Item = TypeVar("Item")
    Result = TypeVar("Result")
else:  # start-up: without the cost of importing typing
    Protocol = object
    Buffer = bytes | memoryview

    class _Structural(type):
        """The test of typing.runtime_checkable: an instance (or a module) has all the members.

        No property is evaluated.
        """

        def __instancecheck__(cls, instance: object) -> bool:
            members = {name for base in cls.__mro__[1:-1] for name in vars(base) if name[0] != "_"}
            owner = instance if type(instance) is type(sys) else type(instance)
            own = getattr(instance, "__dict__", ())
            return all(hasattr(owner, name) or name in own for name in members)

    def runtime_checkable(protocol: type) -> type:
        """As the decorator of ``typing``, with a cheaper test."""
        return _Structural(protocol.__name__, (protocol,), {})


class Resource:
    """One line of ``overhaul ls``: a thing in a document.

    ``path`` is where it is in the unpacked folder (a file, or the folder of its files); ``size``
    its bytes in the document, or None where that has no meaning.  ``kind`` and ``name`` are what
    the line shows.
    """

    __slots__ = ("kind", "name", "path", "size")

    def __init__(self, kind: str, name: str, path: str, size: int | None = None) -> None:
        self.kind: str = kind
        self.name: str = name
        self.path: str = path
        self.size: int | None = size

    def __repr__(self) -> str:
        return f"Resource({self.kind!r}, {self.name[:40]!r}, {self.path[:80]!r}, {self.size!r})"


class Opaque:
    """Bytes that were carried but not understood: where they are, and why.

    They begin at ``offset`` of the file and have ``length`` bytes; ``path`` is their place in its
    structure, ``reason`` why they were not understood.
    """

    __slots__ = ("length", "offset", "path", "reason")

    def __init__(self, offset: int, path: str, length: int, reason: str) -> None:
        self.offset: int = offset
        self.path: str = path
        self.length: int = length
        self.reason: str = reason

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
        self.decoded: int = decoded
        self.media: int = media
        self.opaque: int = opaque
        self.details: list[Opaque] = details if details is not None else []

    @property
    def total(self) -> int:
        """All bytes counted: the size of the document."""
        return self.decoded + self.media + self.opaque

    def put(self, offset: int, path: str, inside: Coverage) -> None:
        """Count the bytes of a file in the document, which were media, as that file's coverage
        does; it begins at ``offset``, and ``path`` names it."""
        self.media += inside.media - inside.total
        self.decoded += inside.decoded
        self.opaque += inside.opaque
        self.details += [
            Opaque(
                offset + part.offset,
                f"{path}!{part.path}" if part.path else path,
                part.length,
                part.reason,
            )
            for part in inside.details
        ]

    def __repr__(self) -> str:
        return f"Coverage(decoded={self.decoded}, media={self.media}, opaque={self.opaque})"


class Siblings(Protocol):
    """The files next to a document: in its folder, its archive, or among the kept originals."""

    def names(self) -> list[str]:
        """The names of the files, sorted."""
        return []

    def read(self, name: str) -> bytes:
        """The bytes of a file.  Raises FileNotFoundError for an unknown name."""
        raise FileNotFoundError(name)


@runtime_checkable
class Surroundings(Siblings, Protocol):
    """Siblings that are in folders too: the files of a project."""

    def listing(self, folder: str) -> tuple[list[str], list[str]]:
        """The names of the files and of the folders in a folder (``sprites/a``, "" for that of
        the document); none if it does not exist."""
        return [], []

    def read_at(self, path: str, most: int = -1) -> bytes:
        """The bytes of a file by its path, at most so many of the first.  Raises FileNotFoundError
        for an unknown one."""
        del most
        raise FileNotFoundError(path)


@runtime_checkable
class Overlaid(Surroundings, Protocol):
    """Siblings that differ in part from those on the disk: steps changed them."""

    @property
    def changed(self) -> Mapping[str, bytes]:
        """The files that differ, by path."""
        return {}

    @property
    def removed(self) -> frozenset[str]:
        """The paths of files that are on the disk, and were taken out."""
        return frozenset()


@runtime_checkable
class TakesOut(Protocol):
    """A document of several files: an edit may take some of them out."""

    def removed_files(self) -> frozenset[str]:
        """The paths of the files that edits took out."""
        return frozenset()


class Document(Protocol):
    """An opened file.  ``findings`` are what opening, reading and edits found worth knowing,
    ``warnings`` the same as texts.

    ``kind`` is a kind of the registry, ``version`` that of the file in words, ``source`` the path
    that it was opened from, None for bytes in memory.
    """

    kind: str
    version: str
    source: str | None
    findings: Findings
    #: Called once on closing: releases the mapped file (:func:`overhaul.document.opening.open`).
    on_close: Callable[[], None] | None

    @classmethod
    def from_bytes(
        cls,
        data: Buffer,
        *,
        source: str | None = None,
        assume_version: str | None = None,
        strict: bool = False,
        siblings: Siblings | None = None,
    ) -> Self:
        """Open the bytes of a file; as little as possible is read now, the rest when it is used.

        With ``strict``, what would be a warning is a FormatError.
        """

    @property
    def warnings(self) -> list[str]:
        """The findings as texts."""

    def info(self) -> dict[str, object]:
        """The type of the file (JSON types only); quick."""

    def tree(self) -> Iterable[Resource]:
        """The resources, in the document's order."""

    def decode(self) -> None:
        """Decode all of the file, so that :meth:`to_bytes` rebuilds all of it (verify does)."""

    def to_bytes(self) -> bytes:
        """The file, rebuilt from the model."""

    def pieces(self) -> list[Piece]:
        """The same bytes as :meth:`to_bytes`, in pieces: what is untouched need not be decoded,
        and large parts of the file that was opened are named by their place."""

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the file, and what belongs next to it, all or nothing."""

    def let_go(self) -> None:
        """Let go of what was read, as the document was written and is not used again."""

    def coverage(self) -> Coverage:
        """How much of the file was decoded; valid after :meth:`to_bytes`."""

    def locate(self, offset: int) -> str:
        """The place in the structure that a byte offset of the file lies in; "" if unknown."""

    def close(self) -> None:
        """Release the file."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exception: object) -> None: ...


# --------------------------------------------------------------------------------- capabilities


class Each(Protocol):
    """Does a task for many items, in several processes: see :meth:`HasCode.learn_code`."""

    def __call__(
        self, task: Callable[[D, Item], Result], items: Sequence[Item], /
    ) -> Iterable[Result]:
        """``task(document, item)`` for each item, in order."""
        return ()


@runtime_checkable
class HasCode(Protocol):
    """A document with code entries that decompile and compile."""

    def code_names(self) -> list[str]:
        """The names of the code entries."""
        return []

    def code_size(self) -> int:
        """How many bytes of code there are, about: whether several processes are worth it."""
        return 0

    def learn_code(self, each: Each | None, *, later: bool = False, few: int = 0) -> None:
        """Find out what all code says about each entry, with the help of processes (``each``), if
        there are any; ``later``: not before something needs it; ``few``: neither, as so many
        entries are going to be read, which may need less."""

    def check_code(self, name: str) -> str | None:
        """None if a code entry decompiles to source that compiles to it again; else the reason."""

    def code_compiler(self) -> dict[str, object]:
        """The evidence about the compiler in the code itself; empty if there is none."""
        return {}


@runtime_checkable
class NotesChecks(HasCode, Protocol):
    """A document that lists other files for code that does not compile to itself."""

    def expect_checks(self) -> None:
        """Prepare for :meth:`HasCode.check_code` of most entries."""

    def prove_code(self, name: str) -> tuple[str | None, object]:
        """As :meth:`HasCode.check_code`, with the source that was made for it, for
        :meth:`note_check`."""
        return None, None

    def note_check(self, name: str, reason: str | None, source: object = None) -> None:
        """Note what :meth:`prove_code` gave in another process."""

    def knows_check(self, name: str) -> bool:
        """Whether that was noted, now or by an earlier command."""
        return False


@runtime_checkable
class HasSources(HasCode, Protocol):
    """A document whose code entries have source of their own each."""

    def code_source(self, name: str) -> tuple[str, list[str]]:
        """The source of a code entry, and why parts of it are assembly in comments."""
        return "", []


@runtime_checkable
class CountsCode(HasCode, Protocol):
    """A document that knows how many instructions its code entries have."""

    def code_instructions(self) -> Mapping[str, int]:
        """The number of instructions of each code entry, by its name."""
        return {}


@runtime_checkable
class HasCounterpart(Protocol):
    """A document that is compared with documents of another kind: a project with the game that was
    compiled from it."""

    def counterpart(self, other: Document, /) -> tuple[Document, Document, list[str]] | None:
        """Documents of one kind to compare in the place of it and of another document, and in words
        what only one of them can have; None for a document that it is not compared with."""
        return None


class Member(Protocol):
    """A file in a document: its ``path``, and ``read``, which gives its bytes.

    ``offset`` is where they are in the document's file, which counts them as media; None where
    they are not there as they are, or not for this member only.
    """

    path: str
    read: Callable[[], bytes]
    offset: int | None


@runtime_checkable
class NamesKinds(Protocol):
    """A document whose users call some resources otherwise than ``Resource.kind`` does."""

    def kind_word(self, kind: str) -> str:
        """The word that users of such a file have for a resource of a kind: a background a
        ``tile set``."""
        return kind


@runtime_checkable
class HasMembers(Protocol):
    """A document that contains other files: a package."""

    def members(self) -> Iterable[Member]:
        """The files in it, by their paths."""
        return ()


@runtime_checkable
class HasMembersNear(Protocol):
    """A project, whose members are files next to it, which are seen by themselves where all files
    of a folder are looked at."""

    @property
    def members_are_near(self) -> bool:
        """True."""
        return True


@runtime_checkable
class HoldsGame(HasMembers, Protocol):
    """A package with the data of a game: the member of the name ``game_name``, "" for none."""

    @property
    def game_name(self) -> str: ...
    @property
    def game(self) -> Document: ...


@runtime_checkable
class HasCompanions(Protocol):
    """A document with files next to it that belong to it."""

    def companions(self) -> Mapping[str, bytes]:
        """These files by name, as they would be written now."""
        return {}


@runtime_checkable
class HasOtherFiles(Protocol):
    """A document that is read from several files, and written as several."""

    def changed_files(self) -> Mapping[str, tuple[Buffer, Buffer]]:
        """The other files that :meth:`Document.decode` found to be rebuilt otherwise, by path: the
        bytes that are stored, and those that are written."""
        return {}


def removed_of(document: object) -> frozenset[str]:
    """The paths of the files next to a document that edits took out."""
    return document.removed_files() if isinstance(document, TakesOut) else frozenset()


def companions_of(document: object) -> Mapping[str, bytes]:
    """The companions of a document; none where its format has none."""
    return document.companions() if isinstance(document, HasCompanions) else {}
