"""The plain files of an unpacked folder, as the formats and the folder see them.

:class:`FolderFormat` is the contract between them: a format's folder package has its functions,
and the registry names it.
"""

from __future__ import annotations

from overhaul.errors import WorkspaceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
    from typing import Literal, Protocol, TypeAlias, runtime_checkable

    from overhaul.document.protocol import Document, Resource
    from overhaul.schema import Record

    #: What happened to a plain file since it was unpacked.
    Change: TypeAlias = Literal["added", "changed", "removed"]
else:  # start-up: without the cost of importing typing
    from overhaul.document.protocol import Protocol, runtime_checkable

    Change = str


class PlainFile:
    """A file of the unpacked folder, made when it is read.

    ``path`` has ``/`` between its parts; parts that are names of resources come from
    :mod:`overhaul.document.names`.  ``origin`` says where in the document it came from
    (``SPRT[12].frames[3]``), ``note`` is one line for the manifest; ``read`` may still set it.
    Files with the same number ``near`` are made of one large thing: who reads all files reads these
    one after another.  ``offset`` is that of a :class:`~overhaul.document.protocol.Member`.
    """

    __slots__ = ("near", "note", "offset", "origin", "path", "read")

    def __init__(
        self,
        path: str,
        read: Callable[[], bytes],
        *,
        origin: str = "",
        note: str = "",
        near: int = 0,
        offset: int | None = None,
    ) -> None:
        self.near: int = near
        self.offset: int | None = offset
        self.path: str = path
        self.read: Callable[[], bytes] = read
        self.origin: str = origin
        self.note: str = note

    def same(self, other: PlainFile) -> bool:
        """Whether the file of another document says the same; a format may know without reading."""
        return self.read() == other.read()

    def seems_same(self, other: PlainFile) -> bool:
        """Whether the file of another document has the same bytes, where that is known for less
        than making them takes; False where it is not known."""
        return False

    def pixels(self) -> object:
        """The pixels of a picture that is not a PNG file yet, as :mod:`overhaul.media.png` decodes
        them; None for other files."""
        return None

    def dimensions(self) -> tuple[int, int] | None:
        """The width and height of a picture, where they are known without reading it."""
        return None

    def agrees(self, data: bytes) -> bool:
        """Whether an edited file says the same, where that is known for less than reading this
        one takes; False where it is not known."""
        return False

    def alone(self) -> bytes | None:
        """What the file says by what it is made of alone, where reading it takes looking at much
        more; packing makes the same of it, also after an edit.  None for other files."""
        return None

    @property
    def is_exact(self) -> bool:
        """Whether packing makes of the file what it was made from."""
        return True

    @property
    def is_source(self) -> bool:
        """Whether it is the source of code, of which a file of the same name may have the
        assembly."""
        return False

    @property
    def is_written(self) -> bool:
        """Whether it is as somebody wrote it, not as the document shows it."""
        return False

    def shown(self) -> PlainFile:
        """The file as the document shows it."""
        return self

    def __repr__(self) -> str:
        return f"PlainFile({self.path!r})"


class WrittenFile(PlainFile):
    """A source as somebody wrote it, which was compiled into the document."""

    __slots__ = ("_data", "_shown")

    def __init__(self, shown: PlainFile, data: bytes) -> None:
        super().__init__(shown.path, lambda: data, origin=shown.origin)
        self._shown = shown
        self._data = data

    @property
    def is_source(self) -> bool:
        """As the file that it stands for."""
        return self._shown.is_source

    @property
    def is_written(self) -> bool:
        """It is."""
        return True

    def shown(self) -> PlainFile:
        """The file as the document shows it."""
        return self._shown

    def same(self, other: PlainFile) -> bool:
        """Whether the other one has the same text, or becomes the same code."""
        if other.is_written and other.read() == self._data:
            return True
        return self._shown.same(other.shown())

    def alone(self) -> bytes | None:
        """The text."""
        return self._data


class UnpackOptions:
    """What people chose when unpacking.  ``code``: ``"asm"``, ``"gml"`` or ``"both"``.

    ``whole``: also what only packing needs, next to the texts that people read; searching does
    without, as it takes long to make.  ``warn``: the document gets warnings of what it lacks.
    ``parts``: the files of documents inside the document are listed too.  ``proven``: of code as
    source, only the files that it needs are listed, which takes compiling it; without, all that
    there may be.
    """

    __slots__ = ("code", "only", "parts", "proven", "warn", "whole")

    def __init__(
        self,
        *,
        only: Iterable[str] = (),
        code: str = "gml",
        whole: bool = True,
        warn: bool = True,
        parts: bool = True,
        proven: bool = True,
    ) -> None:
        self.parts: bool = parts
        self.proven: bool = proven
        self.only: tuple[str, ...] = tuple(only)
        self.code: str = code
        self.whole: bool = whole
        self.warn: bool = warn

    def wants(self, path: str) -> bool:
        """Whether a plain file is among those asked for (all, without ``only``)."""
        return not self.only or matches_any(path, self.only)


class PackOptions:
    """What people chose when packing.

    ``rewrite_code``: code that is kept as text gets the new names of renamed resources.
    ``accept_renumbering``: numbers in code that may name a resource which has another number now
    stay as they are.  ``remove_all_code``: all code may be removed at once, which in a folder is
    more likely an accident.  ``inside``: the documents in the document that were edited by their
    own files, where it shows them as files: what others hold of them is looked at.
    ``jobs``: in how many processes files may be read and compiled.
    """

    __slots__ = ("accept_renumbering", "inside", "jobs", "remove_all_code", "rewrite_code")

    def __init__(
        self,
        *,
        rewrite_code: bool = False,
        accept_renumbering: bool = False,
        remove_all_code: bool = False,
        inside: Collection[str] = (),
        jobs: int = 1,
    ) -> None:
        self.rewrite_code: bool = rewrite_code
        self.accept_renumbering: bool = accept_renumbering
        self.remove_all_code: bool = remove_all_code
        self.inside: frozenset[str] = frozenset(inside)
        self.jobs: int = jobs

    def with_inside(self, inside: Collection[str]) -> PackOptions:
        """The same for a document of which documents in it were edited by their own files."""
        return PackOptions(
            rewrite_code=self.rewrite_code,
            accept_renumbering=self.accept_renumbering,
            remove_all_code=self.remove_all_code,
            inside=inside,
            jobs=self.jobs,
        )


class Folder(Protocol):
    """The plain files that packing reads, as :meth:`Document.apply` sees them.

    ``settings`` are those that unpacking wrote, ``options`` those of packing.
    """

    settings: dict[str, object]
    options: PackOptions

    def read(self, path: str) -> bytes:
        """The bytes of a plain file.  Raises WorkspaceError for an unknown path."""
        raise WorkspaceError(f"{path}: there is no such file")

    def list(self) -> list[str]:
        """The paths of all plain files, sorted."""
        return []

    def __contains__(self, path: str) -> bool:
        return path in self.list()


class FolderFormat(Protocol):
    """How the documents of a format become plain files, and how these become documents.

    Where listing the files takes long, ``SLOW_LISTING = True`` says so.

    The folder packages are such objects (their functions are the members); the registry names the
    one of each format, so that a model imports nothing of its folder.
    """

    def tree(self, document: Document, /) -> Iterable[Resource]:
        """The resources, in the document's order, with their paths in the folder."""

    def settings(self, document: Document, /) -> dict[str, object]:
        """What overhaul.toml says of a document besides kind and version (TOML types only)."""

    def plain_files(self, document: Document, options: UnpackOptions, /) -> Iterator[PlainFile]:
        """The files of the unpacked folder, in a stable order, by unique paths."""

    def apply(
        self, document: Document, folder: Folder, changes: Mapping[str, Change], /
    ) -> list[str]:
        """Change the document as the plain files were changed; return warnings.

        ``changes`` names each file that was added, changed or removed, by path; an edit of the
        settings comes as ``overhaul.toml`` and is read from ``folder.settings``.  Raises
        SourceError, FormatError or WorkspaceError for files that can't be read.
        """

    def empty(self, settings: Mapping[str, object], /) -> Document:
        """A new document without resources, of the version that ``settings`` asks for.

        ``settings`` has ``kind``, ``version`` and what :meth:`settings` gave.  Packing a folder
        without kept originals applies all its files to this.
        """


@runtime_checkable
class ListsFolders(Protocol):
    """What a FolderFormat may also have: a list of the resources in some folders, for less than
    the list of all takes."""

    def tree_in(self, document: Document, wanted: Callable[[str], bool], /) -> Iterable[Resource]:
        """The resources in the folders that are wanted, "" for those in none."""


@runtime_checkable
class KnowsUses(Protocol):
    """What a FolderFormat may also have: how the plain files of its format mention resources."""

    def use_keys(self, name: str, /) -> str:
        """A regular expression for JSON keys that use a resource and contain its name."""
        return ""

    def use_paths(self, name: str, /) -> str:
        """A regular expression for paths of files that use a resource by their own name, or ""."""
        return ""

    def listings(self, name: str, /) -> Mapping[str, str]:
        """Plain files that list everything: a regular expression for the lines that only do so."""
        return {}


@runtime_checkable
class KnowsTokens(Protocol):
    """What a FolderFormat may also have: how the language of its sources is cut into tokens."""

    def tokens(self, document: Document, source: str, /) -> list[str]:
        """The names, numbers, texts (in quotes) and signs of a source, without comments."""
        return []


@runtime_checkable
class KnowsNumbers(Protocol):
    """What a FolderFormat may also have: how its plain files use resources by their numbers."""

    def use_files(self) -> Collection[str]:
        """Globs of the files, besides JSON and GML, that use resources by name."""
        return ()

    def uses_by_number(
        self, name: str, paths: Collection[str], read: Callable[[str], bytes], /
    ) -> str:
        """A regular expression for values in JSON that use a resource by its number, or "".

        What it finds has the number in decimal digits, or is the name in capital letters, as
        scripts may call a number.

        ``paths`` are those of the plain files, which ``read`` reads.
        """
        return ""

    def defines(self, path: str, line: str, name: str, /) -> bool:
        """Whether a line of a file only says that a resource has the name."""
        return False


@runtime_checkable
class TakesOthers(Protocol):
    """What a FolderFormat may also have: files besides its own that packing understands."""

    def take_others(
        self, document: Document, folder: Folder, changes: Mapping[str, Change], /
    ) -> tuple[Folder, Mapping[str, Change], Mapping[str, str]]:
        """A folder and its changes, with the format's own plain files in place of others, and for
        each of these the path of the file that it is made of.

        Raises WorkspaceError for a file that can't be understood.
        """
        return folder, changes, {}


@runtime_checkable
class HasParts(Protocol):
    """What a FolderFormat may also have: documents whose members are documents, with the files of
    all of them in one folder (:mod:`overhaul.folder.nested`).

    :meth:`FolderFormat.plain_files` yields the files of a part only after those of the part before
    it were read, where they are read in order, so that one of them is in memory at a time.
    """

    def groups(
        self, document: Document, options: UnpackOptions, /
    ) -> list[Callable[[], Iterable[PlainFile]]]:
        """What lists the files of :meth:`FolderFormat.plain_files`, in its order: those of each
        part, and at last the document's own.  Which groups there are does not depend on which are
        listed."""
        return []

    def arrange(self, document: Document, settings: Mapping[str, object], /) -> None:
        """Show the document as the settings of a folder say, before it is compared with that."""

    def own_files(
        self, document: Document, folder: Folder, changes: Mapping[str, Change], /
    ) -> tuple[Folder, Mapping[str, Change]]:
        """The folder and its changes without the files of parts, which :meth:`FolderFormat.apply`
        checked."""
        return folder, changes


@runtime_checkable
class CanBegin(Protocol):
    """What a FolderFormat may also have: documents for people to begin a new game with."""

    def begin(self, settings: Mapping[str, object], /) -> Document:
        """A new document of ``settings["version"]``, by default of the newest one.

        It has what a program that makes such games begins with; ``source`` is the name that its
        file gets.  Raises FormatError or WorkspaceError for an unknown version.
        """
        raise WorkspaceError("there is nothing to begin with")


@runtime_checkable
class CanAdd(Protocol):
    """What a FolderFormat may also have: new resources that people can begin with."""

    def can_add(self, document: Document, /) -> Mapping[str, str]:
        """The kinds that can be added, as ``Resource.kind``, and a note for people or "" each."""
        return {}

    def new_files(self, document: Document, kind: str, name: str, /) -> Mapping[str, bytes]:
        """The plain files of a new resource of one of these kinds."""
        return {}


@runtime_checkable
class CanAdapt(Protocol):
    """What a FolderFormat may also have: its resources go into documents of other versions."""

    def as_in(self, source: Document, target: Document, /) -> tuple[Document, list[str]]:
        """The source as a document of the target's version, or itself; and warnings of what has
        no equivalent there.  Raises WorkspaceError where it can't be one."""
        return source, []

    def adapted(
        self, path: str, read: Callable[[str], bytes], source: Document, target: Document, /
    ) -> bytes:
        """A file of a resource of the source as the target has it; ``read`` reads others."""
        return read(path)


@runtime_checkable
class FitsVersions(Protocol):
    """What a FolderFormat may also have: new resources lose what a document of another version
    can't have."""

    def fitted(self, path: str, data: bytes, target: Document, /) -> tuple[bytes, list[str]]:
        """A file of a new resource as a document takes it, and warnings of what it leaves out."""
        return data, []


@runtime_checkable
class KnowsMeaning(Protocol):
    """What a FolderFormat may also have, for comparing and merging documents."""

    def derived(self, document: Document, path: str, /) -> bool:
        """Whether a plain file follows from the others, or shows them in another way."""
        return False

    def texts(self, path: str, /) -> bool:
        """Whether a CSV file lists all texts, with the columns index, text and kind: those without
        a kind can be edited."""
        return False

    def ordering(self, path: str, key: str, /) -> bool | None:
        """Of a JSON file whose keys are lists of the names of resources: whether the order in a
        list counts; None for other files."""

    def meaning(
        self, document: Document, path: str, value: object, touched: Set[str] | None, /
    ) -> object:
        """The value of a JSON file without what follows from other files; if ``touched`` is given,
        from those alone."""
        return value

    def fixed(self, path: str, key: str, /) -> bool:
        """Whether a value in a JSON file follows from other parts, or the layout of the file from
        it, so that it can't be edited."""
        return False

    def counter(self, path: str, key: str, /) -> bool:
        """Whether a number in a JSON file only grows, such as the last id that was given."""
        return False

    def share_analysis(self, one: Document, two: Document, /) -> None:
        """Two documents are going to be compared: what is found out about the first may serve for
        the second."""


@runtime_checkable
class KnowsOrder(Protocol):
    """What a FolderFormat may also have: JSON objects whose keys have an order that counts."""

    def keys_ordered(self, document: Document, path: str, /) -> bool:
        """Whether the order of the keys in the object that a JSON file has counts."""
        return False


@runtime_checkable
class KnowsFields(Protocol):
    """What a FolderFormat may also have: the records whose fields JSON files show."""

    def declared(self, document: Document, path: str, /) -> tuple[type[Record], object] | None:
        """The record whose fields a JSON file shows, and the version that says which are stored;
        None where the file shows something else."""
        return None

    def reference_kinds(self, document: Document, /) -> Mapping[str, str]:
        """The kinds of resources, as ``Resource.kind``, by what records call references to them."""
        return {}


@runtime_checkable
class KnowsNames(Protocol):
    """What a FolderFormat may also have: which resources code names, and by which numbers."""

    def words_in(self, lines: Iterable[str], /) -> set[str]:
        """The words of lines of source, but for texts and comments."""
        return set()

    def names_in(self, document: Document, lines: Iterable[str], /) -> dict[str, tuple[str, int]]:
        """What lines of source name, resources and functions: their kinds and numbers."""
        return {}

    def numbers_in(
        self, document: Document, path: str, lines: Set[str] | None, /
    ) -> dict[int, dict[str, str]]:
        """The numbers in lines of a code file (None: all of it, as assembly) that may stand for
        resources: by number, the name that each kind has."""
        return {}

    def number_of(self, document: Document, kind: str, name: str, /) -> int | None:
        """The number of a resource, by its kind and name; None where there is none."""


def matches(path: str, pattern: str) -> bool:
    """Whether a glob (``*`` also matches ``/``) matches a path, or a folder that it is in."""
    from fnmatch import fnmatchcase  # start-up: it imports re

    pattern = pattern.rstrip("/")
    if fnmatchcase(path, pattern):
        return True
    return any(fnmatchcase(path[:i], pattern) for i, c in enumerate(path) if c == "/")


def matches_any(path: str, patterns: Iterable[str]) -> bool:
    """Whether one of several globs matches a path; see :func:`matches`."""
    return any(matches(path, pattern) for pattern in patterns)
