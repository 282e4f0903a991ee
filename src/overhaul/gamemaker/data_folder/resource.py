"""The contract of a kind of resource: which files a record becomes, and how they change it.

Each kind is a :class:`ResourceFiles` in a module of its own (kinds that need only their
declaration share ``simple.py``), and one line in
:data:`overhaul.gamemaker.data_folder.kinds.KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from overhaul.document.plainfiles import PlainFile
from overhaul.errors import FormatError, PlainFileError
from overhaul.folder.records import set_counts
from overhaul.folder.records import show_record as show_fields
from overhaul.gamemaker.data.chunks.txtr import TexturePageItem
from overhaul.gamemaker.data.painting import group_of, is_cropped, list_in_group
from overhaul.gamemaker.data.version import Version
from overhaul.gamemaker.data_folder.edits import GameEdits, Maker, Making, pixels_of
from overhaul.gamemaker.data_folder.kind_folders import KindFolder
from overhaul.gamemaker.data_folder.names import ReferenceNames, name_of
from overhaul.schema import Counted, CountedBytes, Record, Scheme, fields_of
from overhaul.schema.jsonable import from_jsonable, to_jsonable

#: an object of a JSON file
JsonObject: TypeAlias = dict[str, object]


def show_record(record: Record, scheme: Scheme, hidden: Collection[str] = ()) -> JsonObject:
    """A resource as JSON: all its own fields, and of nested records what is not the default."""
    return show_fields(record, scheme, without=hidden)


def show_element(record: Record, scheme: Scheme) -> object:
    """An element of a list as JSON: what is not the default."""
    return to_jsonable(record, scheme)


def recompute_counts(record: Record, scheme: Scheme) -> None:
    """Set the counts of lists and the lengths of blocks, throughout."""
    set_counts(record, scheme.version, (Counted, CountedBytes))


R = TypeVar("R", bound=Record)


def field_names(text: str) -> frozenset[str]:
    """The names in a text, separated by spaces."""
    return frozenset(text.split())


class ShownItem(NamedTuple):
    """A texture page item that a resource shows: ``path`` is its file without ``.png``, behind
    the resource's own; ``field`` is where the record has it."""

    path: str
    field: str
    item: TexturePageItem | None


@dataclass(frozen=True)
class ResourceFiles(Generic[R]):
    """A kind of resource: a JSON file for each, in the folder ``at``, and files next to it.

    ``hidden`` fields are kept in other files; ``details`` are not for editing.  ``own_endings`` are
    the endings of the other files of a resource without a folder.
    """

    at: KindFolder
    record: type[R]
    hidden: frozenset[str] = field_names("name")
    details: frozenset[str] = frozenset()
    own_endings: tuple[str, ...] = ()

    @property
    def chunk(self) -> str:
        """The chunk that lists them."""
        return self.at.chunk

    @property
    def folder(self) -> str:
        """The folder that they are in."""
        return self.at.folder

    @property
    def main(self) -> str:
        """The JSON file in the folder of each; "" where none has a folder."""
        return self.at.main

    @property
    def has_other_files(self) -> bool:
        """Whether its resources may have files besides their JSON."""
        own = type(self)
        return (own.pictures, own.parts) != (ResourceFiles.pictures, ResourceFiles.parts)

    @property
    def word(self) -> str:
        """The word for one of them."""
        return self.at.word

    def json_path(self, stem: str) -> str:
        """The JSON file of the resource with this file name."""
        return self.at.json_path(stem)

    def stem_of(self, path: str) -> str | None:
        """The file name of the resource that a path belongs to; None if it belongs to none."""
        head, _, rest = path.partition("/")
        if head != self.folder or not rest:
            return None
        if self.main:
            stem, slash, _ = rest.partition("/")
            return stem if slash else None
        if "/" in rest:
            return None
        for ending in (".json", *self.own_endings):
            if rest.endswith(ending):
                return rest[: -len(ending)]
        return None

    def listed(self, record: R, stem: str, names: ReferenceNames) -> tuple[str, int | None]:
        """The line of ``overhaul ls`` for a resource: its path, and its bytes where that means
        something."""
        return self.place(stem), None

    def place(self, stem: str) -> str:
        """The path that stands for a resource: its folder, or its only file."""
        return self.at.place(stem)

    # -- records become files -----------------------------------------------------------------

    def defaults(self, version: Version) -> JsonObject:
        """JSON values of a new resource that follow from the version, not the declaration."""
        return {}

    def usual(self, names: ReferenceNames) -> JsonObject:
        """The JSON values of a new resource: details that have them are left out."""
        return show_record(self.record(), names.scheme) | self.defaults(names.version)

    def show(self, record: R, names: ReferenceNames) -> JsonObject:
        """The JSON of a resource, without its name."""
        return show_record(record, names.scheme, self.hidden)

    def pictures(self, record: R) -> Iterable[ShownItem]:
        """The texture page items that a resource shows; each is a PNG file."""
        return ()

    def parts(
        self, record: R, place: str, origin: str, names: ReferenceNames
    ) -> Iterator[PlainFile]:
        """The files of a resource besides its JSON and pictures.

        ``place`` is its path without an ending, ``origin`` its place in the game.
        """
        return iter(())

    # -- files become records -----------------------------------------------------------------

    def values_of(self, plain: JsonObject, version: Version) -> tuple[JsonObject, frozenset[str]]:
        """The values of the record's fields from JSON, and which of them it gives."""
        given = dict(plain)
        name = given.pop("name", None)
        if name is not None and not isinstance(name, str):
            raise FormatError(f"expected a text, got {name!r}").within("name")
        details = given.pop("details", {})
        if not isinstance(details, dict):
            raise FormatError("expected an object").within("details")
        given = {**details, **given}
        misplaced = given.keys() & (self.hidden - {"name"})
        if misplaced:
            raise FormatError("this is kept in a file of its own, not here").within(min(misplaced))
        return self.defaults(version) | given, frozenset({*plain, *given})

    def read(self, values: JsonObject, edit: ResourceEdit[R]) -> R:
        """The record of the JSON; hidden fields have their defaults.

        Raises FormatError with the path of the key.
        """
        place = {field.name: index for index, field in enumerate(fields_of(self.record))}
        # In the order of declaration: a choice is read before what it chooses.
        ordered = sorted(values.items(), key=lambda pair: place.get(pair[0], len(place)))
        record = from_jsonable(self.record, dict(ordered), edit.edits.names.scheme)
        recompute_counts(record, edit.edits.names.scheme)
        return record

    def maker(self, name: str) -> Maker:
        """The reader of a picture's file of a name."""
        return pixels_of

    def makings(self, edit: ResourceEdit[R]) -> Iterator[Making]:
        """How :meth:`apply` reads the changed pictures, in about its order."""
        paths = [
            path
            for path, change in edit.changes.items()
            if change != "removed" and path.endswith(".png")
        ]
        for path in sorted(paths, key=lambda path: (len(path), path)):
            yield self.maker(path.rpartition("/")[2]), path, ()

    def apply(self, edit: ResourceEdit[R]) -> None:
        """Put changed files besides the JSON into the record."""

    def remove(self, records: Sequence[R], edits: GameEdits) -> None:
        """Remove what removed resources leave behind in the game."""

    def enlist(self, record: R, edits: GameEdits) -> None:
        """List a new resource where every game lists those of its kind, if no file lists it.

        Resources with pictures are listed by a texture group.
        """
        items = [picture.item for picture in self.pictures(record)]
        if any(item is not None and id(item) not in edits.known_items for item in items):
            list_in_group(edits.game, self.chunk, record)

    def painted(
        self, edit: ResourceEdit[R], pixels: NDArray[np.uint8], item: TexturePageItem | None
    ) -> NDArray[np.uint8]:
        """A changed picture with its derived pixels drawn again; ``item`` is the item before."""
        return pixels

    def apply_picture(self, edit: ResourceEdit[R]) -> None:
        """:meth:`apply` for the kinds whose records have one picture in a field."""
        (picture,) = self.pictures(edit.record)
        place = f"{edit.place}{picture.path}"
        path, item = f"{place}.png", picture.item
        if edit.added:
            item = edit.edits.items.get(place)
            edit.edits.painting.shows_others((picture.item,), (item,))
            setattr(edit.record, picture.field, item)
        change = edit.changes.get(path)
        if change == "removed":
            raise PlainFileError("it is missing", path)
        if change is not None:
            edit.paint(path, item, partial(setattr, edit.record, picture.field))


class ResourceEdit(Generic[R]):
    """A resource with changed files: ``record`` in the game, and its files by what happened."""

    def __init__(
        self,
        kind: ResourceFiles[R],
        stem: str,
        edits: GameEdits,
        record: R | None,
        paths: Iterable[str],
    ) -> None:
        self.kind = kind
        self.stem = stem
        self.edits = edits
        self.record: R = kind.record() if record is None else record
        self.changes: dict[str, str] = {path: edits.changes[path] for path in paths}
        #: the changed files that are there
        self.files: list[str] = [path for path in self.changes if edits.edited(path)]
        self.added: bool = record is None
        #: whether its JSON file is gone
        self.removed: bool = not self.added and self.changes.get(self.json_path) == "removed"
        #: whether it was there under another name, with the same JSON
        self.renamed: bool = False
        self._was: ResourceEdit[R] | None = None
        #: the keys that the JSON gives
        self.given: frozenset[str] = frozenset()
        #: the keys of the JSON besides the fields of the record
        self.extra: JsonObject = {}
        #: a copy of the record as it was before its JSON was read
        self.before: R = self.record

    def take_over(self, other: ResourceEdit[R], *, same: bool) -> None:
        """Take over the identity of a resource that was renamed; ``same``: its JSON did not
        change."""
        self.record = other.record
        self.added = False
        self.renamed = same
        self._was = other

    def gone(self, name: str) -> bool:
        """Whether a file in the folder of the resource was removed; of a renamed one, in that of
        its old name."""
        where = self._was or self
        return where.changes.get(f"{where.place}/{name}") == "removed"

    @property
    def place(self) -> str:
        """The path of its folder, or of its files without their endings."""
        return f"{self.kind.folder}/{self.stem}"

    @property
    def json_path(self) -> str:
        """Its JSON file."""
        return self.kind.json_path(self.stem)

    @property
    def name(self) -> str:
        """The name in the game."""
        return name_of(self.record)

    def paint(
        self, path: str, item: TexturePageItem | None, place: Callable[[TexturePageItem], None]
    ) -> tuple[NDArray[np.uint8], bool]:
        """Show a picture's file where ``item`` was shown: its pixels, and whether they changed.

        ``place`` is called with another item where a new one is needed.
        """
        pixels = self.kind.painted(self, self.edits.picture(path), item)
        group = partial(group_of, self.edits.game, self.kind.chunk, self.record)
        crop = is_cropped(self.kind.chunk, self.edits.game.release)
        put = partial(self.edits.painting.put, group=group, path=path, crop=crop)
        return pixels, put(pixels, item, place)
