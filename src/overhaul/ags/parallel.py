"""Things that a file stores in several lists side by side.

A character of a game, or a hotspot of a room, is an element of the main record's list, and another
of each list that later editors added in blocks.  A :class:`ParallelKind` names these lists as
columns of one table; :class:`Tables` finds them in a game or room.  The engine refuses a file whose
lists do not go together.  In JSON a thing is a row: one object with what all columns have of it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, cast

from overhaul.ags.blockdata import DecodedBlocks
from overhaul.ags.blocks import BlockId
from overhaul.ags.words import Word
from overhaul.document.jsonvalues import at_key, expect_list, expect_object, expect_text
from overhaul.errors import EncodeError, FormatError
from overhaul.schema import (
    Either,
    Embedded,
    Field,
    FieldCodec,
    FixedCodec,
    IfPresent,
    ListCodec,
    Record,
    Scheme,
    Times,
    fields_of,
)
from overhaul.schema.jsonable import from_jsonable, value_from_jsonable, value_to_jsonable

MAIN: Final = ""
"""The source of columns that are in the main record."""


@dataclass(frozen=True, slots=True)
class Column:
    """A list with an element for each thing of a kind.

    ``key`` is what a thing calls its element; ``""`` for a record whose fields are the thing's
    own.  ``path`` are the attributes that lead from the ``source`` (the main record, another one
    by name, or a block's content) to the list.  ``first`` is the first thing that has an element.
    The list may be shared with other kinds (``joined``: all of them, in order).  ``spread`` are
    the names of lists in lists: the elements of the innermost go to those of the thing's own.
    ``shows`` is the word for the ``key``; the fields of a record have their own.
    """

    key: str
    path: str
    source: BlockId = MAIN
    first: int = 0
    joined: tuple[str, ...] = ()
    spread: tuple[str, ...] = ()
    shows: Word | None = None


@dataclass(frozen=True, slots=True)
class ParallelKind:
    """A kind of thing: its name, and its columns, the one that counts the things first.

    ``extra`` are attributes of the first column's records other than fields; ``derived`` are
    (field, key): the field follows from what is under the key.
    """

    name: str
    columns: tuple[Column, ...]
    extra: tuple[str, ...] = ()
    derived: tuple[tuple[str, str], ...] = ()

    @property
    def words(self) -> dict[str, Word]:
        """The words of what its columns have under a key."""
        return {column.key: column.shows for column in self.columns if column.shows is not None}

    def following(self, columns: Iterable[Stored]) -> set[str]:
        """The fields that follow from the columns that a file has."""
        keys = {stored.column.key for stored in columns} if self.derived else ()
        return {field for field, key in self.derived if key in keys}


class Stored:
    """A column as stored: its list's field in a record, and the part of the list that is its."""

    __slots__ = ("_fields", "column", "count", "field", "record", "start", "version")

    def __init__(self, column: Column, record: Record, field: Field, version: int) -> None:
        self.column = column
        self.record = record
        self.field = field
        self.version = version
        self.start: int = 0
        self.count: int = 0
        self._fields: set[str] | None = None

    @property
    def all_values(self) -> list[object]:
        """All elements of the list, also those of other kinds of things."""
        return list(getattr(self.record, self.field.name) or ())

    @property
    def values(self) -> list[object]:
        """The elements of this kind of things."""
        return self.all_values[self.start : self.start + self.count]

    def replace(self, values: Iterable[object]) -> None:
        """Put other elements in their place."""
        every = self.all_values
        every[self.start : self.start + self.count] = values
        setattr(self.record, self.field.name, every)

    def agrees(self, other: Stored) -> bool:
        """Whether the two columns say the same where both say it."""
        return all(other.given(key) in (None, self.given(key)) for key in self._keys())

    @property
    def fields(self) -> Collection[str]:
        """The fields that things have of its records, where they are the things' own."""
        if self._fields is None:
            element = _element(self.field.codec, self.version)
            self._fields = set()
            if isinstance(element, Embedded) and not self.column.key:
                present = (each for each in fields_of(element.record) if each.present(self.version))
                self._fields = {each.name for each in present}
        return self._fields

    def as_json(self, value: object) -> object:
        """An element as JSON."""
        return value_to_jsonable(self.field.codec, [value], Scheme(self.version))[0]

    def _keys(self) -> Iterable[str]:
        if self.column.spread:
            return ()
        if self.column.key:
            return (self.column.key,)
        return getattr(next(iter(self.values), None), "__struct_fields__", ())

    def given(self, key: str) -> list[object] | None:
        """The values that the column has for each thing under a key; None if it does not."""
        if self.column.spread or self.column.key not in ("", key):
            return None
        values = self.values
        if self.column.key or not values:
            return values
        return [getattr(value, key) for value in values] if hasattr(values[0], key) else None

    def __repr__(self) -> str:
        return f"{self.column.source}.{self.column.path}".lstrip(".")


class Tables:
    """The tables of a game or room: ``records`` are its main record and others, by source."""

    def __init__(
        self,
        kinds: Iterable[ParallelKind],
        records: Mapping[BlockId, tuple[Record, int]],
        blocks: DecodedBlocks | None = None,
    ) -> None:
        self.kinds: dict[str, ParallelKind] = {kind.name: kind for kind in kinds}
        self._records = records
        self._blocks = blocks

    def stored(self, kind: ParallelKind) -> Iterator[Stored]:
        """The columns of a kind that this file has.

        Without one of its own (the first, or one outside the blocks) the kind is not there.
        """
        for place, column in enumerate(kind.columns):
            column_at = self._find(column)
            if column_at is not None:
                yield column_at
            elif place == 0 and not any(
                self._find(other) for other in kind.columns if other.source in self._records
            ):
                return

    def _find(self, column: Column) -> Stored | None:
        version = -1
        if column.source in self._records:
            record, version = self._records[column.source]
        else:
            block = None if self._blocks is None else self._blocks.get(column.source)
            if block is None or not isinstance(block.content, Record):
                return None
            record = block.content
            version = (self._blocks.version if self._blocks is not None else None) or 0
        *way, last = column.path.split(".")
        for name in way:
            record = getattr(record, name)
        for field in fields_of(type(record)):
            if field.name == last and field.present(version):
                return Stored(column, record, field, version)
        return None

    def count(self, name: str) -> int:
        """The number of things of a kind."""
        first = next(self.stored(self.kinds[name]), None)
        return 0 if first is None else len(first.all_values) + first.column.first

    def columns(self, kind: ParallelKind) -> Iterator[tuple[Stored, bool]]:
        """The columns of a kind, each with whether its length is that of the kind."""
        count = self.count(kind.name)
        earlier: list[Stored] = []
        for stored in self.stored(kind):
            column = stored.column
            before, total = 0, 0
            for name in column.joined or (kind.name,):
                if name == kind.name:
                    before = total
                total += max(0, (count if name == kind.name else self.count(name)) - column.first)
            stored.start, stored.count = before, max(0, count - column.first)
            even = len(stored.all_values) == total and self._spreads(kind, stored)
            even = even and all(stored.agrees(other) for other in earlier)
            yield stored, even
            if even:
                earlier.append(stored)

    def _spreads(self, kind: ParallelKind, stored: Stored) -> bool:
        """Whether lists in lists are as long as those of the things they are for."""
        if not stored.column.spread:
            return True
        first = next(self.stored(kind))
        names = stored.column.spread
        shapes = [_shape(value, names) for value in stored.values]
        return shapes == [_shape(thing, names) for thing in first.all_values]

    def uneven(self, *, empty: bool = True) -> set[str]:
        """The columns whose length is not that of their kind; without ``empty`` no empty ones."""
        return {
            repr(stored)
            for kind in self.kinds.values()
            for stored, even in self.columns(kind)
            if not even and (empty or stored.all_values)
        }

    def check(self, known: set[str]) -> None:
        """Raise EncodeError for an uneven column, but for those that are known to be uneven."""
        for kind in self.kinds.values():
            for stored, even in self.columns(kind):
                if not even and repr(stored) not in known:
                    stored_count, count = len(stored.all_values), self.count(kind.name)
                    if stored_count == stored.count:
                        raise EncodeError(f"{stored}: it says something else than the {kind.name}")
                    raise EncodeError(
                        f"{stored} has {stored_count} elements, which does not go with {count} "
                        f"{kind.name}"
                    )


def _shape(value: object, names: tuple[str, ...]) -> object:
    """The lengths of lists in lists."""
    if not names:
        return 0
    items = getattr(value, names[0], None)
    if not isinstance(items, list):
        return None
    return [_shape(item, names[1:]) for item in items]


def even_columns(tables: Tables, kind: ParallelKind) -> list[Stored]:
    """The columns of a kind that are shown in rows: those that all its things have."""
    return [stored for stored, even in tables.columns(kind) if even]


def folded(tables: Tables, names: Iterable[str]) -> dict[BlockId, set[str]]:
    """The fields of each source that are shown in rows of some kinds; of lists in lists, the outer
    name."""
    shown: dict[BlockId, set[str]] = {}
    for name in names:
        for stored in even_columns(tables, tables.kinds[name]):
            shown.setdefault(stored.column.source, set()).add(stored.column.path)
    return shown


# -- things --------------------------------------------------------------------------------------


class Thing:
    """A thing: what its lists have of it, by key, as records have it or as a row of JSON."""

    __slots__ = ("_kind", "_parts", "shown")

    def __init__(self, kind: ParallelKind, shown: Callable[[str], str]) -> None:
        self._kind = kind
        self._parts: list[tuple[Stored, object]] = []
        #: gives a text as people read it
        self.shown = shown

    def add(self, stored: Stored, value: object) -> None:
        """Add what a list has of it."""
        self._parts.append((stored, value))

    @property
    def record(self) -> Record:
        """The record that the first of its lists has of it."""
        record = self._parts[0][1]
        assert isinstance(record, Record)
        return record

    def get(self, key: str) -> object:
        """The value under a key. None where its file does not store that."""
        for stored, value in reversed(self._parts):  # of two with a key the last one counts
            if stored.column.key == key and not stored.column.spread:
                return value
            if key in stored.fields:
                return getattr(value, key)
        return None

    def text(self, key: str) -> str:
        """A text as people read it, up to its first NUL; empty where there is none."""
        return self.shown(str(self.get(key) or "")).partition("\0")[0]

    def number(self, key: str) -> int:
        """A number; -1 where there is none."""
        value = self.get(key)
        return value if isinstance(value, int) else -1

    def listed(self, key: str) -> list[object]:
        """A list; empty where there is none."""
        value = self.get(key)
        return value if isinstance(value, list) else []

    def put(self, key: str, value: object) -> None:
        """Set a field that a record has."""
        record = next(value for stored, value in self._parts if key in stored.fields)
        setattr(record, key, value)

    def row(self) -> dict[str, object]:
        """All of it as JSON, in the fields' own names."""
        row: dict[str, object] = {}
        derived = self._kind.following([stored for stored, _ in self._parts])
        for stored, value in self._parts:
            column, item = stored.column, stored.as_json(value)
            if column.spread:
                owners = _innermost(row, column.spread)
                for owner, inner in zip(owners, _innermost(item, column.spread), strict=True):
                    expect_object(owner)[column.key] = inner
            elif column.key:
                row[column.key] = item
            else:
                row |= expect_object(item)
                for name in derived & row.keys():
                    del row[name]
        for name in self._kind.extra:
            kept = getattr(self.record, name)
            if kept is not None:
                row[name] = kept
        return row


def _innermost(value: object, names: Iterable[str]) -> list[object]:
    """The elements of the innermost of lists in lists."""
    found = [value]
    for name in names:
        lists = [each.get(name) for each in found if isinstance(each, dict)]
        found = [item for listed in lists if isinstance(listed, list) for item in listed]
    return found


def things_of(tables: Tables, name: str, shown: Callable[[str], str] = str) -> list[Thing]:
    """The things of a kind, none where the file has no such kind; ``shown`` gives a text as people
    read it."""
    kind = tables.kinds.get(name)
    if kind is None:
        return []
    things = [Thing(kind, shown) for _ in range(tables.count(name))]
    for stored in even_columns(tables, kind):
        for thing, value in zip(things[stored.column.first :], stored.values, strict=True):
            thing.add(stored, value)
    return things


def show_rows(tables: Tables, names: Iterable[str]) -> dict[str, list[dict[str, object]]]:
    """The rows of some kinds of things, by kind; kinds that this version has not are left out."""
    there = (name for name in names if any(True for _ in tables.stored(tables.kinds[name])))
    return {name: [thing.row() for thing in things_of(tables, name)] for name in there}


# -- reading rows of JSON ------------------------------------------------------------------------

#: A dialog without a script.
_NO_SCRIPT: Final = {"code": "", "text": ""}


def keep_lists(before: Tables, after: Tables) -> None:
    """Give blocks that were read again the lists that rows show, and the blocks do not."""
    for kind in before.kinds.values():
        old = {stored.column: stored for stored in even_columns(before, kind)}
        for stored in after.stored(kind):
            if stored.column in old and not stored.all_values:
                setattr(stored.record, stored.field.name, old[stored.column].all_values)


def take_rows(
    tables: Tables, shown: dict[str, object], names: Collection[str], given: Collection[str] = ()
) -> None:
    """Take the rows of some kinds of things out of a JSON object, and into the lists.

    Each list of a kind gets an element for each row; ``given`` are lists of the main record that
    were read by themselves.  Raises FormatError.
    """
    for name in names:
        if name in shown:
            columns = even_columns(tables, tables.kinds[name])
            for stored in columns:
                if stored.column.source == MAIN and stored.field.name in given:
                    with at_key(stored.field.name):
                        raise FormatError(f"it is a part of the {name}")
            with at_key(name):
                _take(tables.kinds[name], columns, expect_list(shown.pop(name)))


def _take(kind: ParallelKind, columns: list[Stored], shown: list[object]) -> None:
    if not columns:
        raise FormatError("this file has no such things")
    rows: list[dict[str, object]] = []
    for index, item in enumerate(shown):
        with at_key("", index):
            rows.append(dict(expect_object(item)))
    for stored in columns:
        codec = _list_of(stored.field.codec, stored.version)
        expected = stored.column.first + codec.count if isinstance(codec, Times) else len(rows)
        if expected != len(rows):
            raise FormatError(f"this version has {expected} of them, got {len(rows)}")
    rows_taken: list[list[object]] = []
    derived = kind.following(columns)
    used: list[set[str]] = [{*()} for _ in rows]
    for stored in reversed(columns):  # a spread column leaves the columns that it was put into
        values = []
        for index in range(stored.column.first, len(rows)):
            with at_key("", index):
                values.append(_value(stored, rows[index], used[index], derived))
        rows_taken.insert(0, values)
    for index, row in enumerate(rows):
        with at_key("", index):
            for name in kind.extra:
                if name in row:
                    with at_key(name):
                        setattr(rows_taken[0][index], name, expect_text(row[name]))
            unknown = row.keys() - used[index] - {*kind.extra}
            if unknown:
                _refuse(kind, min(unknown), derived)
    for stored, values in zip(columns, rows_taken, strict=True):
        stored.replace(values)


def _refuse(kind: ParallelKind, key: str, derived: Collection[str]) -> None:
    if key in derived:
        raise FormatError(f"{key} follows from the rest, and can't be set")
    sources = [column.source for column in kind.columns if column.key == key]
    if sources and sources[0] != MAIN:
        raise FormatError(f"{key} is stored in the block {sources[-1]!r}, which is not there")
    raise FormatError(f"unknown field {key!r}")


def _value(
    stored: Stored, row: dict[str, object], used: set[str], derived: Collection[str]
) -> object:
    """The element of a column for a row; ``used`` gets the keys that it was read from."""
    column, scheme = stored.column, Scheme(stored.version)
    codec = stored.field.codec
    element = _element(codec, stored.version)
    if column.spread:
        if column.spread[0] in row:  # its lists lose the spread elements
            row[column.spread[0]] = copy.deepcopy(row[column.spread[0]])
        return value_from_jsonable(element, _gathered(row, column, column.spread), scheme)
    if column.key:
        used.add(column.key)
        with at_key(column.key):
            plain = row.get(column.key, _default(element, stored))
            if element is None:
                (value,) = cast("list[object]", value_from_jsonable(codec, [plain], scheme))
                return value
            return value_from_jsonable(element, plain, scheme)
    assert isinstance(element, Embedded)
    fields = {f.name for f in fields_of(element.record) if f.present(stored.version)}
    own = {key: row[key] for key in row if key in fields and key not in derived}
    used.update(own)
    return from_jsonable(element.record, own, scheme)


def _gathered(item: object, column: Column, names: tuple[str, ...]) -> object:
    """The lists in lists whose innermost elements a row has in its own, as JSON."""
    if not names:
        return expect_object(item).pop(column.key, "")
    items = []
    with at_key(names[0]):
        listed = expect_list(expect_object(item).get(names[0], []))
    for index, one in enumerate(listed):
        with at_key(names[0], index):
            items.append(_gathered(one, column, names[1:]))
    return {names[0]: items}


def _element(codec: FieldCodec | None, version: int) -> FieldCodec | None:
    """The codec of a list's elements; None if the list is read as a whole."""
    codec_of_list = _list_of(codec, version)
    return codec_of_list.element if isinstance(codec_of_list, ListCodec) else None


def _list_of(codec: FieldCodec | None, version: int) -> FieldCodec | None:
    """The codec of a list in a version."""
    while isinstance(codec, (Either, IfPresent)):
        codec = codec.choose(version) if isinstance(codec, Either) else codec.inner
    return codec


def _default(element: FieldCodec | None, stored: Stored) -> object:
    """The value of a new thing in a column."""
    if element is None:
        return _NO_SCRIPT
    if isinstance(element, Either):
        return _default(element.choose(stored.version), stored)
    if isinstance(element, Embedded):
        # Of inner versions, that of the other things.
        format = getattr(next(iter(stored.values), None), "format", None)
        return {} if format is None else {"format": format}
    if isinstance(element, ListCodec):
        return []
    return 0 if isinstance(element, FixedCodec) and element.kind is None else ""
