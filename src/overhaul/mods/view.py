"""A game as its plain files, by path, without a folder on the disk."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from copy import copy
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from overhaul.document.containers import Members
from overhaul.document.folder_format import FolderFormat, HasFormat
from overhaul.document.mapped import HELD, held
from overhaul.document.plainfiles import PlainFile, UnpackOptions, WrittenFile, is_glob
from overhaul.document.protocol import (
    Buffer,
    Document,
    HasMembers,
    HasMembersNear,
    Siblings,
    companions_of,
)
from overhaul.document.reading import FoundFile, nothing_to_release, open_data
from overhaul.document.registry import folder_format_of
from overhaul.errors import OverhaulError
from overhaul.findings import Findings
from overhaul.folder import opening
from overhaul.folder.json_fields import json_bytes, read_json
from overhaul.folder.packing import Built
from overhaul.folder.parallel import Workers
from overhaul.folder.toml import NAME
from overhaul.stretch import let_go

#: A game for the functions of this package: a file, an unpacked folder, bytes, a document.
Game: TypeAlias = "str | os.PathLike[str] | bytes | Document"

#: the folder of code, and the endings of its files
CODE = "code/"
SOURCE = ".gml"
ASSEMBLY = ".asm"
#: the endings of all sources that may have assembly
_SOURCES = (SOURCE, ".asc")
#: so many sources are listed without the others
_FEW = 4


@contextmanager
def opened(game: Game | FoundFile) -> Iterator[FileView]:
    """The view of a game; a document that was opened for it is closed again."""
    if isinstance(game, str | os.PathLike | bytes | FoundFile):
        original = game if isinstance(game, FoundFile) else opening.find(game)
        with original.open() as document:
            yield FileView(document, original, lazily=True)
    else:
        yield FileView(game)


class _Listed(NamedTuple):
    """Plain files by path: those that are not derived from others, the assembly of code by the path
    of its source, and those that are derived."""

    files: dict[str, PlainFile]
    assembly: dict[str, PlainFile]
    derived: dict[str, PlainFile]


class _Listing:
    """The plain files of a document, but for those in the folders, or at the paths, ``leaving``.

    Where the format lists a folder without the others, that is done for each folder that is asked
    for.  A file stays the same object.
    """

    def __init__(
        self,
        document: Document,
        format_: FolderFormat[Document],
        original: FoundFile | None,
        leaving: frozenset[str] = frozenset(),
        siblings: dict[frozenset[str], _Listing] | None = None,
        known: dict[str, PlainFile] | None = None,
    ) -> None:
        self._document = document
        self._format = format_
        self._original = original
        self._leaving = leaving
        #: the folders that are listed without some of their paths
        self._thinned = {path.partition("/")[0] for path in leaving if "/" in path}
        #: the listings of the same document, by what they leave out
        self._siblings: dict[frozenset[str], _Listing] = {} if siblings is None else siblings
        self._siblings[leaving] = self
        self._known: dict[str, PlainFile] = {} if known is None else known
        self._all: _Listed | None = None
        self._parts: dict[str, _Listed] = {}
        #: the few sources that were listed without the others of their folder
        self._single: dict[str, _Listed] = {}

    def outside(self, places: frozenset[str]) -> _Listing:
        """The listing without some folders, and paths."""
        leaving = self._leaving | places
        return self._siblings.get(leaving) or _Listing(
            self._document, self._format, self._original, leaving, self._siblings, self._known
        )

    def wants(self, folder: str) -> bool:
        """Whether the files of a folder are listed."""
        return folder not in self._leaving

    def _is_whole(self, folder: str) -> bool:
        """Whether all files of a folder are listed."""
        return self.wants(folder) and folder not in self._thinned

    def all(self) -> _Listed:
        """All files."""
        if self._all is None:
            self._all = self._list(())
        return self._all

    def near(self, path: str) -> _Listed:
        """The files of the folder that a path leads into, perhaps with others."""
        if self._all is not None or not self._format.lists_folders:
            return self.all()
        head, slash, _ = path.partition("/")
        if slash and not self.wants(head):
            return _Listed({}, {}, {})
        for other in self._siblings.values() if self._is_whole(head) else ():
            if other._all is not None and other._is_whole(head):
                return other._all
        if head not in self._parts and slash and head == self._format.assembled:
            single = self._near_source(path)
            if single is not None:
                return single
        if head not in self._parts:
            self._parts[head] = self._list((f"{head}/*" if slash else head,))
        return self._parts[head]

    def _near_source(self, path: str) -> _Listed | None:
        """A source and its assembly, by the path of one of them; None for another file, and where
        listing the whole folder takes no longer."""
        stem = without_ending(path)
        if not path.endswith((SOURCE, ASSEMBLY)) or is_glob(path):
            return None
        if stem not in self._single:
            if len(self._single) >= _FEW:
                return None
            self._single[stem] = self._list((stem + SOURCE, stem + ASSEMBLY))
        return self._single[stem]

    def _list(self, only: tuple[str, ...]) -> _Listed:
        options = UnpackOptions(only=only, code="both", whole=False, leaving=self._leaving)
        listed = {file.path: file for file in self._format.plain_files(self._document, options)}
        sources: Mapping[str, bytes] = {}
        if self._original is not None:
            let_go(self._original.data)  # resources were looked for in all of it
            sources = self._original.sources
        for path, data in sources.items():
            if path in listed and assembly_of(path) in listed:
                listed[path] = WrittenFile(listed[path], data)
        made = _Listed({}, {}, {})
        for path, new in listed.items():
            file = self._known.setdefault(path, new)
            source = ""
            if path.endswith(ASSEMBLY):
                found = (candidate for candidate in _sources(path) if candidate in listed)
                source = next((candidate for candidate in found if listed[candidate].is_source), "")
            if source:
                made.assembly[source] = file
            elif self._format.meaning.derived(self._document, path):
                made.derived[path] = file
            else:
                made.files[path] = file
        return made


class _Files(Mapping[str, PlainFile]):
    """Some of the files of a listing, by path."""

    def __init__(
        self, listing: _Listing, choose: Callable[[_Listed], dict[str, PlainFile]]
    ) -> None:
        self._listing = listing
        self._choose = choose

    def __getitem__(self, path: str) -> PlainFile:
        return self._choose(self._listing.near(path))[path]

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and path in self._choose(self._listing.near(path))

    def __iter__(self) -> Iterator[str]:
        return iter(self._choose(self._listing.all()))

    def __len__(self) -> int:
        return len(self._choose(self._listing.all()))


class FileView:
    """The plain files of a document, read when they are asked for.

    ``files`` has those that are not derived from others; ``assembly`` the code as assembly, by the
    path that the code's source has.  A file that is a document itself, in a package, has files of
    its own behind its path (``assets/room1.crm/room.json``): see :meth:`part`.

    With ``lazily``, files are listed when they are asked for, as nobody changes the document.
    """

    def __init__(
        self, document: Document, original: FoundFile | None = None, *, lazily: bool = False
    ) -> None:
        self.document = document
        self._found = original
        self.format: FolderFormat[Document] = (
            document.own_format if isinstance(document, HasFormat)
            else folder_format_of(document.kind)
        )  # fmt: skip
        #: the document as it was opened for this view, before anything was read of it
        self._stored = None if original is None else self.format.comparing.stored(document)
        self._parts: dict[str, FileView | None] = {}
        self._learned = False
        #: the file that lists all texts, once it was looked for; "" for none
        self._texts: str | None = None
        #: the texts of code as they were written
        self.sources: dict[str, bytes] = {} if original is None else dict(original.sources)
        #: the resource of each file, of a document that nobody changes
        self._places: dict[str, str] | None = None
        self._is_lazy = lazily
        self._show(_Listing(document, self.format, original))
        if not lazily:
            self._listing.all()

    def _show(self, listing: _Listing) -> None:
        """Show the files of a listing."""
        self._listing = listing
        self.files: Mapping[str, PlainFile] = _Files(listing, attrgetter("files"))
        self.assembly: Mapping[str, PlainFile] = _Files(listing, attrgetter("assembly"))
        self.derived: Mapping[str, PlainFile] = _Files(listing, attrgetter("derived"))

    def next_to(self, path: str) -> frozenset[str]:
        """The files in the folder of a file, as far as they are listed with it."""
        folder = path.rpartition("/")[0]
        listed = self._listing.near(path).files
        return frozenset(each for each in listed if each.rpartition("/")[0] == folder)

    def outside(self, places: frozenset[str]) -> FileView:
        """The view without the files in some folders, or at some paths without their endings, which
        are not even listed."""
        if not places:
            return self
        view = copy(self)
        view._show(self._listing.outside(places))
        view._places = None
        return view

    def paths_in(self, folder: str) -> list[str]:
        """The paths of the files in a folder (or of the file of this name), derived ones too."""
        near = self._listing.near(folder if folder in self else f"{folder}/")
        listed = (*near.files, *near.derived)
        return [path for path in listed if path.partition("/")[0] == folder]

    def title(self) -> str:
        """The title of the game; "" where it has none."""
        title = self.document.info().get("name")
        return title if isinstance(title, str) else ""

    def original(self) -> tuple[Buffer, Siblings | None]:
        """The bytes of the file, and its companion files."""
        if self._found is None:
            self._found = FoundFile(
                held(self.document.pieces()),
                self.document.source,
                Built(b"", dict(companions_of(self.document)), {}, Findings()),
                nothing_to_release,
            )
        return self._found.data, self._found.siblings

    def as_it_is(self) -> Built:
        """The bytes of the file, and of its companions."""
        data, siblings = self.original()
        companions = {}
        for name, content in companions_of(self.document).items():
            try:
                companions[name] = content if siblings is None else siblings.read(name)
            except FileNotFoundError:
                companions[name] = content
        # a view of its own, as that of the document is released
        kept = bytes(data) if len(data) < HELD else memoryview(data)
        made = Built(kept, companions, {}, Findings(), self.sources)
        around = self.format.siblings_of(self.document, made)
        return made._replace(around=None if around is made else around)

    def reopen(self) -> Document:
        """The document opened a second time, as it is now."""
        data, siblings = self.original()
        made = open_data(data, source=self.document.source, siblings=siblings)
        if self._is_lazy:  # nobody changes this one
            self.format.comparing.share_layout(self.document, made)
        return made

    def share_analysis(self, other: FileView) -> None:
        """Called before a comparison, to share analysis with the other game, which is read
        first."""
        if self.document.kind == other.document.kind:
            self.format.comparing.share_analysis(other.document, self.document)

    def same_places(self, other: FileView) -> frozenset[str]:
        """The folders whose files certainly say the same in another game, and the paths, without
        their endings, of other files that do; both games are as they were opened."""
        if self._stored is None or other._stored is None:
            return frozenset()
        return self._stored.same_places(other._stored)

    def same_sources(self, files: Mapping[str, PlainFile], other: FileView) -> Set[str]:
        """The paths of sources that certainly say the same in another game; ``files`` are those of
        this one by the paths there."""
        if self.document.kind != other.document.kind:
            return frozenset()
        return self.format.comparing.same_sources(files, other.files)

    def same_texts(self, other: FileView) -> bool:
        """Whether certainly no text in the table of all texts was edited in another game."""
        return self.document.kind == other.document.kind and self.format.comparing.same_texts(
            self.document, other.document
        )

    def learn_code(self, jobs: int) -> None:
        """Let the document learn from its code in several processes, once all of it is needed."""
        if not self._learned:
            self._learned = True
            Workers(self.document.source or "", self.document, jobs=jobs).learn_code(later=True)

    def read(self, path: str) -> bytes:
        """The bytes of a file.  Raises KeyError for an unknown path."""
        for files in (self.files, self.derived):
            if path in files:
                return files[path].read()
        part, rest = self.inside(path)
        if part is not self:
            return part.read(rest)
        return self.assembly[self.source_of(path)].read()

    def __contains__(self, path: str) -> bool:
        if path in self.files or path in self.derived:
            return True
        part, rest = self.inside(path)
        if part is not self:
            return rest in part
        return bool(self.source_of(path))

    def source_of(self, path: str) -> str:
        """The file of the source whose assembly a file has; "" for others."""
        return next((source for source in _sources(path) if source in self.assembly), "")

    @property
    def has_parts(self) -> bool:
        """Whether files may be documents themselves."""
        return isinstance(self.document, HasMembers)

    def part(self, path: str) -> FileView | None:
        """The view of a file of a package that is a document itself; None for others."""
        if path not in self._parts:
            self._parts[path] = self._open_part(path)
        return self._parts[path]

    def _open_part(self, path: str) -> FileView | None:
        if not self.has_parts or path not in self.files:
            return None
        members = Members(self.document)
        if isinstance(self.document, HasMembersNear) and path not in members.names():
            return None  # a project without its things reads as a project, too
        original = FoundFile(self.files[path].read(), path, members, nothing_to_release)
        try:
            return FileView(original.open(), original)
        except OverhaulError:  # a file of an unknown kind, or a broken one, is compared as a whole
            return None

    def part_of(self, path: str) -> tuple[str, str]:
        """The document in this one that a path leads into, and the path there; "" and the path for
        others."""
        if self.has_parts and path not in self.files:
            for at, character in enumerate(path):
                if character == "/" and self.part(path[:at]) is not None:
                    return path[:at], path[at + 1 :]
        return "", path

    def inside(self, path: str) -> tuple[FileView, str]:
        """The innermost document that a path leads into, and the path there."""
        head, rest = self.part_of(path)
        part = self.part(head) if head else None
        return (self, path) if part is None else part.inside(rest)

    def value(self, path: str) -> object:
        """The value of a JSON file, without derived values.

        Raises WorkspaceError for a file that is not JSON.
        """
        return self.without(path, read_json(self.read(path), path))

    def without(self, path: str, value: object, touched: Set[str] | None = None) -> object:
        """The value of a JSON file without values that are derived from other files (of
        ``touched``)."""
        part, rest = self.inside(path)
        if part is not self:
            head = path.removesuffix(rest)
            near = touched and {name.removeprefix(head) for name in touched if head in name}
            return part.without(rest, value, near)
        return self.format.meaning.of(self.document, path, value, touched)

    def settings(self) -> dict[str, object]:
        """The settings in overhaul.toml, without those of the layout of the file."""
        if self.format.meaning.derived(self.document, NAME):
            return {}
        return {**self.format.settings(self.document), "version": self.document.version}

    def all_settings(self) -> dict[str, object]:
        """All settings in overhaul.toml."""
        settings = self.format.settings(self.document)
        return {**settings, "kind": self.document.kind, "version": self.document.version}

    def texts(self) -> str | None:
        """The path of the file that lists all texts, if there is one."""
        if self._texts is None:
            known = self.format.meaning.texts_file
            listed = (known,) if known else (*self.derived, *self.files)
            found = (
                path for path in listed if self.format.meaning.lists_texts(path) and path in self
            )
            self._texts = next(found, "")
        return self._texts or None

    def resources(self) -> dict[str, str]:
        """The resource that each file belongs to: the path of its folder, or of its files without
        their ending."""
        if self._places is not None:
            return self._places
        places = self._placed([*self.files], self._listing.wants)
        if self._is_lazy:
            self._places = places
        return places

    def resources_in(self, folder: str) -> dict[str, str]:
        """The same of the files in a folder alone, where the format lists it without the others."""
        if self._places is not None or not self.format.lists_folders:
            return self.resources()
        near = self._listing.near(f"{folder}/").files
        inside = [path for path in near if path.startswith(f"{folder}/")]
        return self._placed(inside, lambda each: each == folder)

    def _placed(self, paths: Iterable[str], wanted: Callable[[str], bool]) -> dict[str, str]:
        """The resource that each path belongs to; the resources are in the folders that are
        wanted."""
        tree = self.format.tree_in(self.document, wanted)
        folders = {place for resource in tree if (place := resource.path) not in self.files}
        places = {}
        for path in paths:
            head = path.rpartition("/")[0]
            while head and head not in folders:
                head = head.rpartition("/")[0]
            places[path] = head or without_ending(path)
        return places

    def ordering(self, path: str) -> Callable[[str], bool] | None:
        """For a JSON file that lists resources: the lists whose order matters."""
        part, path = self.inside(path)
        if part.format.meaning.ordering(path, "") is None:
            return None
        return lambda key: bool(part.format.meaning.ordering(path, key))

    def keys_ordered(self, path: str) -> bool:
        """Whether the order of the keys in the object that a JSON file has counts."""
        part, path = self.inside(path)
        return part.format.meaning.keys_ordered(part.document, path)

    def numbering(self) -> str:
        """The digest of the lists whose order numbers resources; "" where files have none."""
        lists: list[object] = []
        for path in sorted(self.format.meaning.ordering_files or self.files):
            if path not in self.files:
                continue
            counts = self.ordering(path)
            if counts is not None or self.keys_ordered(path):
                value = self.value(path)
                pairs = value.items() if isinstance(value, dict) else ()
                if counts is None:
                    lists.append([key for key, _ in pairs])
                else:
                    lists.append({key: names for key, names in sorted(pairs) if counts(key)})
        return hashlib.sha256(json_bytes(lists)).hexdigest() if lists else ""

    def fixed(self, path: str, key: object) -> bool:
        """Whether a value of a JSON file is of the game's release, which no mod changes."""
        part, path = self.inside(path)
        if path == NAME:
            return key == "version"
        if part is not self:
            return part.fixed(path, key)
        return self.format.meaning.fixed(path, str(key))

    def names_in(self, lines: Iterable[str]) -> dict[str, tuple[str, int]]:
        """The resources that lines of source name: their kinds and numbers, by name."""
        return self.format.names.names_in(self.document, lines)

    def words_in(self, lines: Iterable[str]) -> set[str]:
        """The words of lines of source."""
        return self.format.names.words_in(lines)

    def is_written(self, path: str) -> bool:
        """Whether a code file is what its author wrote: that has names where he meant names."""
        part, path = self.inside(path)
        return path in part.files and part.files[path].is_written

    def numbers_in(self, path: str, lines: Set[str] | None) -> dict[int, dict[str, str]]:
        """The numbers in lines of a code file (None: all of it, as assembly) that may stand for
        resources, and meet other code: by number, the name that each kind has."""
        part, inner = self.inside(path)
        if self.is_written(path):
            return {}
        return part.format.names.numbers_in(part.document, inner, lines)

    def own_numbers_in(self, path: str, lines: Set[str] | None) -> dict[int, dict[str, str]]:
        """The same of numbers that meet only code of that file, also of a written one."""
        part, inner = self.inside(path)
        return part.format.names.own_numbers_in(part.document, inner, lines)

    def number_of(self, kind: str, name: str) -> int | None:
        """The number of a resource, by its kind and name; None where there is none."""
        return self.format.names.number_of(self.document, kind, name)

    def counter(self, path: str) -> Callable[[str], bool]:
        """The keys of a JSON file whose numbers only grow."""
        part, path = self.inside(path)
        return lambda key: part.format.meaning.counter(path, key)


def _sources(path: str) -> Iterator[str]:
    """The files that a file of assembly may have its source in."""
    if path.endswith(ASSEMBLY):
        for ending in _SOURCES:
            yield path.removesuffix(ASSEMBLY) + ending


def assembly_of(path: str) -> str:
    """The file of the assembly of a source."""
    return without_ending(path) + ASSEMBLY


def without_ending(path: str) -> str:
    """A path without the last ending of the file's name."""
    head, slash, name = path.rpartition("/")
    stem, dot, _ = name.rpartition(".")
    return f"{head}{slash}{stem}" if dot and stem else path


def fitted(target: FileView, path: str, data: bytes) -> tuple[bytes, Findings]:
    """A file of a new resource of another version as a game takes it, and warnings of what it
    leaves out."""
    return target.format.versions.fitted(path, data, target.document)


__all__ = [
    "ASSEMBLY",
    "CODE",
    "NAME",
    "SOURCE",
    "Game",
    "FileView",
    "assembly_of",
    "fitted",
    "opened",
    "without_ending",
]
