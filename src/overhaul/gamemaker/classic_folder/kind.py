"""How a kind of resource, or a part of a project, becomes files and comes back; records as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, TypeVar

from overhaul.document.plainfiles import PlainFile
from overhaul.errors import FormatError
from overhaul.findings import Findings
from overhaul.folder.edits import Edits
from overhaul.folder.json_fields import (
    Layout,
    at_key,
    expect_integer,
    expect_object,
    fitted,
    in_file,
    json_bytes,
    read_colour,
    show_colour,
)
from overhaul.gamemaker.classic.fields import Deflated, VersionedRecord
from overhaul.gamemaker.classic.records import Project
from overhaul.gamemaker.classic_folder.names import ResourceFileNames
from overhaul.schema import Record, Scheme
from overhaul.schema.jsonable import from_jsonable, to_jsonable

AnyRecord = TypeVar("AnyRecord", bound=Record)
T = TypeVar("T")
U = TypeVar("U")

JsonObject: TypeAlias = dict[str, object]
#: the path of a file, and what makes its bytes
Made: TypeAlias = tuple[str, Callable[[], bytes]]


def made_json(value: object, layout: Layout = fitted) -> Callable[[], bytes]:
    """A function that makes a JSON file."""
    return lambda: json_bytes(value, layout)


def made_text(text: str) -> Callable[[], bytes]:
    """A function that makes a text file in UTF-8; bytes that are not text are kept."""
    return lambda: text.encode("utf-8", "surrogateescape")


def take(plain: JsonObject, key: str, expect: Callable[[object], T], default: object) -> T:
    """The value of a key, checked and removed from the object."""
    with at_key(key):
        return expect(plain.pop(key, default))


def take_integer(
    plain: JsonObject, key: str, default: int | None, low: int = -(1 << 31), high: int = 1 << 31
) -> int:
    """The value of a key, an integer from ``low`` to below ``high``, removed from the object."""
    return take(plain, key, lambda value: expect_integer(value, low, high - 1), default)


def take_version(plain: JsonObject, usual: int, known: Iterable[int]) -> int:
    """The version number of a record, removed from the object."""
    version = plain.pop("version", usual)
    if not isinstance(version, int) or version not in known:
        raise FormatError(f"not a valid version: {version!r:.20}", path="version")
    return version


def expect_no_more(plain: JsonObject) -> None:
    """FormatError for a key that nothing has taken from the object."""
    if plain:
        raise FormatError("there is no such key here", path=min(plain))


def left_out(files: Edits, path: str, message: str) -> None:
    """Report a name in an edited file of the project that no resource has."""
    if files.edited(path):
        files.findings.warn("left-out", f"{message}; it is left out", path)


def read_each(read: Callable[[T], U], items: Iterable[T], key: str = "") -> list[U]:
    """Apply ``read`` to each item of a list; errors name the key and the index."""
    result = []
    for index, item in enumerate(items):
        with at_key(key, index):
            result.append(read(item))
    return result


def deflated(data: bytes, before: object) -> Deflated:
    """The zlib stream of a file; the one ``before`` if it has the same content."""
    if isinstance(before, Deflated) and before.data == data:
        return before
    return Deflated.of(data)


# ---------------------------------------------------------------------------- records as JSON

#: by field: the kind of resource it refers to, and the number that means none
References: TypeAlias = Mapping[str, tuple[str, int]]


def show_record(
    record: Record,
    version: int,
    names: ResourceFileNames,
    *,
    without: Iterable[str] = (),
    references: References | None = None,
    colours: Iterable[str] = (),
    short: bool = False,
) -> JsonObject:
    """A record's fields for JSON; with ``short``, without those that have their default."""
    plain = to_jsonable(record, Scheme(version, omit_defaults=short))
    for name in without:
        plain.pop(name, None)
    for name, (kind, none) in (references or {}).items():
        if name in plain:
            plain[name] = names.show(kind, plain[name], none)
    for name in colours:
        if name in plain:
            plain[name] = show_colour(plain[name])
    return plain


def read_record(
    record: type[AnyRecord],
    plain: object,
    version: int,
    names: ResourceFileNames,
    *,
    references: References | None = None,
    colours: Iterable[str] = (),
    base: AnyRecord | None = None,
) -> AnyRecord:
    """The record of what :func:`show_record` showed; missing fields are those of ``base``."""
    values = dict(expect_object(plain))
    for name, (resources, none) in (references or {}).items():
        if name in values:
            with at_key(name):
                values[name] = names.read(resources, values[name], none)
    for name in colours:
        if name in values:
            with at_key(name):
                values[name] = read_colour(values[name])
    return from_jsonable(record, values, Scheme(version), base=base)


R = TypeVar("R", bound=VersionedRecord)

#: a kind of resource and the id of one
Reference: TypeAlias = tuple[str, int]


@dataclass
class Unit:
    """The files of one resource, as it is read.

    ``folder`` is where they are, ``plain`` what is left of its JSON, ``version`` the record's.
    """

    files: Edits
    names: ResourceFileNames
    folder: str
    stem: str
    paths: list[str]
    plain: JsonObject
    version: int
    #: the changes by making pictures without alpha, in words
    keyed: Findings = field(default_factory=Findings)
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

    ``name`` is the folder of the kind. ``json`` is the end of the path of the JSON file that
    describes a resource: ``/sprite.json`` where each resource has a folder of its own. ``needs``
    are endings of paths, and a file with one of them must exist: a sound file, say, does not
    make a resource, as it may belong to another. ``show(resource, stem, extra, names)`` yields
    the files, with paths in the folder of the kind; ``extra`` goes into the JSON. ``read(unit,
    before)`` reads a resource; ``before`` is what it was, if that has the same version.
    ``references`` yields what a resource refers to; ``named`` are the keys of the JSON that name
    resources, with their kinds.
    """

    name: str
    show: Callable[[R, str, JsonObject, ResourceFileNames], Iterator[Made]]
    read: Callable[[Unit, R | None], R]
    json: str = ".json"
    needs: tuple[str, ...] = (".json",)
    references: Callable[[R], Iterator[Reference]] = _none
    named: References = field(default_factory=dict)

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
class FolderPart:
    """A part of a project: which files it has, how they are made, how they are read.

    In ``files`` a name with / at its end is a folder; errors name the first.
    """

    files: tuple[str, ...]
    show: Callable[[Project, ResourceFileNames], Iterator[PlainFile]]
    read_files: Callable[[Project, Edits, ResourceFileNames], None]

    def has(self, path: str) -> bool:
        """Whether this is one of the part's files."""
        return any(
            path.startswith(name) if name.endswith("/") else path == name for name in self.files
        )

    def read(self, project: Project, files: Edits, names: ResourceFileNames) -> None:
        """Read the part again from its files."""
        with in_file(self.files[0]):
            self.read_files(project, files, names)
