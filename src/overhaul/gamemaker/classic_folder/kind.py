"""How a kind of resource, or a part of a project, becomes files, and files become it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, TypeVar

from overhaul.document.plainfiles import PlainFile
from overhaul.errors import FormatError
from overhaul.folder.edits import Edits
from overhaul.folder.jsonkit import in_file
from overhaul.gamemaker.classic.fields import VersionedRecord
from overhaul.gamemaker.classic.records import Project
from overhaul.gamemaker.classic_folder.files import JsonObject, Made, References, read_record
from overhaul.gamemaker.classic_folder.names import Names

R = TypeVar("R", bound=VersionedRecord)

#: a kind of resource and the id of one
Reference: TypeAlias = tuple[str, int]


@dataclass
class Unit:
    """The files of one resource, as it is read.

    ``folder`` is where they are, ``plain`` what is left of its JSON, ``version`` the record's.
    """

    files: Edits
    names: Names
    folder: str
    stem: str
    paths: list[str]
    plain: JsonObject
    version: int
    #: what making pictures without alpha changed, in words
    keyed: list[str] = field(default_factory=list)
    #: the PNG files that were read and have no transparent pixel
    opaque: list[str] = field(default_factory=list)

    def record(
        self,
        record: type[R],
        base: R | None,
        *,
        references: References | None = None,
        colours: Iterable[str] = (),
    ) -> R:
        """The record of the JSON; missing fields are those of ``base``."""
        return read_record(
            record,
            self.plain,
            self.version,
            self.names,
            references=references,
            colours=colours,
            base=base,
        )

    def renamed_with(self, name: object) -> object:
        """The name of a file that the JSON names: the resource's own, where the JSON says the old
        name of a file that was renamed with it."""
        if (
            not isinstance(name, str)
            or self.files.changes.get(f"{self.folder}/{name}") != "removed"
        ):
            return name
        own = f"{self.stem}.{name.rpartition('.')[2]}"
        return own if f"{self.folder}/{own}" in self.files else name

    def named_file(self, name: object) -> bytes:
        """The bytes of a file in the folder that the JSON names."""
        if not isinstance(name, str) or "/" in name:
            raise FormatError("expected the name of a file next to this one", path="file")
        path = f"{self.folder}/{name}"
        if path not in self.files:
            raise FormatError(f"there is no file {path}", path="file")
        return self.files.bytes(path)


def _none(resource: VersionedRecord) -> Iterator[Reference]:
    return iter(())


@dataclass(frozen=True)
class FolderKind(Generic[R]):
    """How the resources of a kind become files, and how files become them.

    ``name`` is the folder of the kind.  ``json`` is the end of the path of the JSON file that
    describes a resource: ``/sprite.json`` where each resource has a folder of its own.
    ``needs`` are the ends of paths of which at least one file must exist: a sound file, say, does
    not make a resource, as it may belong to another.
    ``show(resource, stem, extra, names)`` yields the files, with paths in the folder of the kind;
    ``extra`` goes into the JSON.  ``read(unit, before)`` reads a resource; ``before`` is what it
    was, if that has the same version.  ``references`` yields what a resource refers to.
    """

    name: str
    show: Callable[[R, str, JsonObject, Names], Iterator[Made]]
    read: Callable[[Unit, R | None], R]
    json: str = ".json"
    needs: tuple[str, ...] = (".json",)
    references: Callable[[R], Iterator[Reference]] = _none

    @property
    def has_folders(self) -> bool:
        """Whether each resource has a folder of its own."""
        return self.json.startswith("/")

    def path(self, stem: str) -> str:
        """Where a resource is in the folder: its own folder, or its main file."""
        path = f"{self.name}/{stem}"
        return path if self.has_folders else path + self.needs[0]

    def exists(self, stem: str, paths: Iterable[str]) -> bool:
        """Whether these files make a resource."""
        return self.has_folders or any(f"{self.name}/{stem}{end}" in paths for end in self.needs)


AnyKind: TypeAlias = FolderKind[Any]


@dataclass(frozen=True)
class Part:
    """A part of a project: which files it has, how they are made, how they are read.

    In ``files`` a name with / at its end is a folder; errors name the first.
    """

    files: tuple[str, ...]
    show: Callable[[Project, Names], Iterator[PlainFile]]
    read_files: Callable[[Project, Edits, Names], None]

    def has(self, path: str) -> bool:
        """Whether this is one of the part's files."""
        return any(
            path.startswith(name) if name.endswith("/") else path == name for name in self.files
        )

    def read(self, project: Project, files: Edits, names: Names) -> None:
        """Read the part again from its files."""
        with in_file(self.files[0]):
            self.read_files(project, files, names)
