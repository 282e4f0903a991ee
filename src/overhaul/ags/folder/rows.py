"""Things as rows of JSON: what a file stores of one thing in several lists, in one object."""

from __future__ import annotations

import copy
from collections.abc import Collection
from typing import Final, cast

from overhaul.ags.parallel import MAIN, Column, ParallelKind, Stored, Tables
from overhaul.ags.parallel import even_columns as even_columns
from overhaul.ags.parallel import folded as folded
from overhaul.ags.parallel import show_rows as show_rows
from overhaul.errors import FormatError
from overhaul.folder.json_fields import at_key, expect_list, expect_object, expect_text
from overhaul.folder.records import set_counts
from overhaul.schema import (
    Either,
    Embedded,
    FieldCodec,
    FixedCodec,
    IfPresent,
    ListCodec,
    Record,
    Scheme,
    Times,
    fields_of,
)
from overhaul.schema.jsonable import from_jsonable, value_from_jsonable

#: A dialog without a script.
_NO_SCRIPT: Final = {"code": "", "text": ""}


# --- reading --------------------------------------------------------------------------------


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
    for stored in reversed(columns):  # what is spread is taken out of what it was put into
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
            value = value_from_jsonable(element, plain, scheme)
    else:
        assert isinstance(element, Embedded)
        fields = {f.name for f in fields_of(element.record) if f.present(stored.version)}
        own = {key: row[key] for key in row if key in fields and key not in derived}
        used.update(own)
        value = from_jsonable(element.record, own, scheme)
    if isinstance(value, Record):
        set_counts(value, stored.version)
    return value


def _gathered(item: object, column: Column, names: tuple[str, ...]) -> object:
    """The lists in lists that :func:`_spread` spread, as JSON."""
    if not names:
        return expect_object(item).pop(column.key, "")
    items = []
    for index, one in enumerate(_list_in(item, names[0])):
        with at_key(names[0], index):
            items.append(_gathered(one, column, names[1:]))
    return {names[0]: items}


def _list_in(value: object, name: str) -> list[object]:
    with at_key(name):
        return expect_list(expect_object(value).get(name, []))


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
    """What a new thing has in a column."""
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
