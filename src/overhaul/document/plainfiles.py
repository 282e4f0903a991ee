"""The plain files of an unpacked folder, as the formats and the folder see them.

:class:`~overhaul.document.folder_format.FolderFormat` is the contract between them.
"""

from __future__ import annotations

from functools import lru_cache

from overhaul.errors import PlainFileError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from typing import Literal, Protocol, TypeAlias

    #: The state of a plain file since it was unpacked.
    Change: TypeAlias = Literal["added", "changed", "removed"]
    #: Lines of a source: their numbers, from 1 on, and their texts.
    SeenLines: TypeAlias = Sequence[tuple[int, str]]
else:  # start-up: without the cost of importing typing
    from overhaul.document.protocol import Protocol

    Change = str
    SeenLines = list


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
        """The file's own content, where reading it takes looking at much more; packing makes the
        same of it, also after an edit. None for other files."""
        return None

    @property
    def kept(self) -> bytes | None:
        """Its bytes, if they are there already; None where reading makes them."""
        return None

    def finding(self) -> object:
        """The findings of reading it, for :meth:`take_over` of the same file in another process;
        None for nothing."""
        return None

    def take_over(self, finding: object) -> None:
        """Take over what another process found out when it read the file."""

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
    """The options of unpacking. ``code``: ``"asm"``, ``"gml"`` or ``"both"``.

    ``whole``: also what only packing needs, next to the texts that people read; searching does
    without, as it takes long to make.  ``warn``: the document gets warnings of what it lacks.
    ``parts``: the files of documents inside the document are listed too.  ``proven``: of code as
    source, only the files that it needs are listed, which takes compiling it; without, all that
    there may be.  ``near``: the plain files of the document that are next to it already are listed
    too; unpacking leaves them where they are.  ``leaving``: folders whose files are not listed,
    where the format lists folders, paths of tables, and paths of code without their endings.
    """

    __slots__ = ("code", "leaving", "near", "only", "parts", "proven", "warn", "whole")

    def __init__(
        self,
        *,
        only: Iterable[str] = (),
        code: str = "gml",
        whole: bool = True,
        warn: bool = True,
        parts: bool = True,
        proven: bool = True,
        near: bool = True,
        leaving: frozenset[str] = frozenset(),
    ) -> None:
        self.near: bool = near
        self.leaving: frozenset[str] = leaving
        self.parts: bool = parts
        self.proven: bool = proven
        self.only: tuple[str, ...] = tuple(only)
        self.code: str = code
        self.whole: bool = whole
        self.warn: bool = warn

    def wants(self, path: str) -> bool:
        """Whether a plain file is among those asked for (all, without ``only``)."""
        return not self.only or matches_any(path, self.only)

    def wants_in(self, folder: str) -> bool:
        """Whether a plain file in a folder may be among those asked for."""
        if folder in self.leaving:
            return False
        return not self.only or any(_reaches(pattern, f"{folder}/") for pattern in self.only)

    def wants_ending(self, ending: str) -> bool:
        """Whether a plain file whose name ends so may be among those asked for."""
        return not self.only or any(_may_end(pattern, ending) for pattern in self.only)


class Within:
    """Keys set in an object of a plain file, or in the ``row`` of a list, whose other keys stay.

    ``values`` are the new values by key.
    """

    __slots__ = ("row", "values")

    def __init__(self, values: Mapping[str, object], row: int | None = None) -> None:
        self.values: Mapping[str, object] = values
        self.row: int | None = row


class PackOptions:
    """The options of packing.

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
        """The same for a document with documents in it that were edited by their own files."""
        return PackOptions(
            rewrite_code=self.rewrite_code,
            accept_renumbering=self.accept_renumbering,
            remove_all_code=self.remove_all_code,
            inside=inside,
            jobs=self.jobs,
        )


class Stored(Protocol):
    """A document as it was opened."""

    def same_places(self, other: object) -> frozenset[str]:
        """The folders whose files certainly say the same in another document, and the paths,
        without their endings, of other files that do."""
        return frozenset()


class KeptAnswer(Protocol):
    """The answer to a question about a document, which follows from its bytes."""

    def read(self) -> list[list[str | int]] | None:
        """The stored content; None for nothing."""

    def keep(self, answer: Sequence[Sequence[str | int]]) -> None:
        """Keep the answer."""


class Folder:
    """Plain files by path, each read when it is asked for, as packing sees them.

    ``settings`` are those that unpacking wrote, ``options`` those of packing.  A folder does not
    change: :meth:`overlay`, :meth:`only`, :meth:`under` and :meth:`noting` make another one that
    reads from it.

    ``list_paths`` gives the paths, ``read`` the bytes of one (it raises WorkspaceError for an
    unknown path); ``has`` says whether a path is there, where that takes less than the list, or
    where there are files that the list leaves out.  ``list_in`` gives the paths of the list that
    begin with a name and a slash, or are that name, where that takes less than the list.
    """

    __slots__ = (
        "_has", "_in", "_list_in", "_list_paths", "_listed", "_paths", "_read", "options",
        "settings",
    )  # fmt: skip

    def __init__(
        self,
        list_paths: Callable[[], Iterable[str]],
        read: Callable[[str], bytes],
        settings: dict[str, object] | None = None,
        options: PackOptions | None = None,
        has: Callable[[str], bool] | None = None,
        list_in: Callable[[str], Iterable[str]] | None = None,
    ) -> None:
        self._list_in = list_in
        self._in: dict[str, frozenset[str]] = {}
        self.settings: dict[str, object] = {} if settings is None else settings
        self.options: PackOptions = PackOptions() if options is None else options
        self._list_paths = list_paths
        self._read = read
        self._has = has
        self._listed: tuple[str, ...] | None = None
        self._paths: frozenset[str] | None = None

    @classmethod
    def of(
        cls,
        files: Mapping[str, Callable[[], bytes]],
        settings: dict[str, object] | None = None,
        options: PackOptions | None = None,
    ) -> Folder:
        """The folder of what reads each file, by path."""

        def read(path: str) -> bytes:
            if path not in files:
                raise PlainFileError("there is no such file", path)
            return files[path]()

        return cls(lambda: files, read, settings, options, files.__contains__)

    def read(self, path: str) -> bytes:
        """The bytes of a plain file.  Raises WorkspaceError for an unknown path."""
        return self._read(path)

    def list(self) -> Sequence[str]:
        """The paths of all plain files, sorted."""
        if self._listed is None:
            self._listed = tuple(sorted(self._list_paths()))
        return self._listed

    def __contains__(self, path: str) -> bool:
        return self.lists(path) if self._has is None else self._has(path)

    def lists(self, path: str) -> bool:
        """Whether the list has a path."""
        if self._list_in is not None and self._listed is None:
            return path in self._within(path.partition("/")[0])
        if self._paths is None:
            self._paths = frozenset(self.list())
        return path in self._paths

    def list_in(self, folder: str) -> Sequence[str]:
        """The paths of the list that lead into a folder, sorted."""
        prefix = f"{folder}/"
        within = self.list() if self._list_in is None else sorted(self._within(folder))
        return [path for path in within if path.startswith(prefix)]

    def _within(self, name: str) -> frozenset[str]:
        """The paths of the list that begin with a name."""
        known = self._in.get(name)
        if known is None:
            listed = self.list() if self._list_in is None else self._list_in(name)
            known = frozenset(path for path in listed if path.partition("/")[0] == name)
            self._in[name] = known
        return known

    # -- other folders of this one ----------------------------------------------------------------

    def overlay(self, changes: Mapping[str, Callable[[], bytes] | None]) -> Folder:
        """The folder with what reads files in the place of its own, or None for one that is
        gone."""

        def read(path: str) -> bytes:
            if path not in changes:
                return self._read(path)
            change = changes[path]
            if change is None:
                raise PlainFileError("there is no such file", path)
            return change()

        made = {path for path, change in changes.items() if change is not None}
        return self._made(
            lambda: {path for path in self.list() if path not in changes} | made,
            read,
            lambda path: path in made or (path not in changes and path in self),
            lambda name: {path for path in self._within(name) if path not in changes} | made,
        )

    def only(self, wanted: Callable[[str], bool]) -> Folder:
        """The folder without the files that are not wanted; these can be read all the same."""
        return self._made(
            lambda: filter(wanted, self.list()),
            self._read,
            lambda path: path in self and wanted(path),
            lambda name: filter(wanted, self._within(name)),
        )

    def under(self, prefix: str, settings: dict[str, object]) -> Folder:
        """The files whose paths begin with a prefix, without it, and with other settings."""
        return Folder(
            lambda: (path[len(prefix) :] for path in self.list() if path.startswith(prefix)),
            lambda path: self._read(prefix + path),
            settings,
            self.options,
            lambda path: prefix + path in self,
        )

    def noting(self, used: set[str]) -> Folder:
        """The folder that adds the paths of files to a set as they are read."""

        def read(path: str) -> bytes:
            used.add(path)
            return self._read(path)

        return self._made(self.list, read, self.__contains__, self._within)

    def _made(
        self,
        list_paths: Callable[[], Iterable[str]],
        read: Callable[[str], bytes],
        has: Callable[[str], bool],
        list_in: Callable[[str], Iterable[str]],
    ) -> Folder:
        some = None if self._list_in is None else list_in
        return Folder(list_paths, read, self.settings, self.options, has, some)


def readers(files: Mapping[str, bytes]) -> dict[str, Callable[[], bytes]]:
    """The readers of files that are in memory, for :class:`Folder`."""
    return {path: data.__bytes__ for path, data in files.items()}


#: characters with a meaning of their own in a glob
_WILD = frozenset("*?[")


def is_glob(path: str) -> bool:
    """Whether a pattern may match more than one path, or another one than itself."""
    return not _WILD.isdisjoint(path)


def matches(path: str, pattern: str) -> bool:
    """Whether a glob (``*`` also matches ``/``) matches a path, or a folder that it is in."""
    return _matcher(pattern)(path)


@lru_cache(maxsize=64)
def _matcher(pattern: str) -> Callable[[str], bool]:
    """The test that :func:`matches` makes of paths for one glob; many paths are compared with
    each."""
    pattern = pattern.rstrip("/")
    if not is_glob(pattern):
        folder = f"{pattern}/"
        return lambda path: path == pattern or path.startswith(folder)
    from fnmatch import fnmatchcase  # start-up: it imports re

    def matching(path: str) -> bool:
        return fnmatchcase(path, pattern) or any(
            fnmatchcase(path[:at], pattern) for at, sign in enumerate(path) if sign == "/"
        )

    return matching


def matches_any(path: str, patterns: Iterable[str]) -> bool:
    """Whether one of several globs matches a path; see :func:`matches`."""
    return any(matches(path, pattern) for pattern in patterns)


def _reaches(pattern: str, folder: str) -> bool:
    """Whether a glob may match a path that begins with a folder and its slash."""
    start = next((at for at, sign in enumerate(pattern) if sign in _WILD), len(pattern))
    fixed = pattern[:start]
    return fixed.startswith(folder) or folder.startswith(fixed)


def _may_end(pattern: str, ending: str) -> bool:
    """Whether a glob may match a path that ends so, but for folders whose names do."""
    start = max(map(pattern.rfind, "*?]")) + 1
    fixed = pattern[start:]
    if not start:
        return pattern.endswith(ending) or "." not in pattern.rpartition("/")[2]
    return fixed.endswith(ending) or ending.endswith(fixed)
