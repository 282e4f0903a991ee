"""Records as JSON and back, for plain files: what all formats do the same way.

:mod:`overhaul.schema.jsonable` turns one record into JSON-able values and back.  This module adds
what a folder needs: some fields of a record (:func:`show_record`), counts that follow from edited
lists (:func:`set_counts`), and :func:`overlay`, which puts the values read into the old record, so
that values that were not edited stay the same objects.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TypeVar

from overhaul.schema import (
    Counted,
    DeclaredCodec,
    Deferred,
    Either,
    Field,
    FieldCodec,
    Padding,
    Record,
    Scheme,
    bind,
    fields_of,
)
from overhaul.schema.jsonable import agreeing_counts, value_to_jsonable

T = TypeVar("T")


def show_record(
    record: Record,
    scheme: Scheme,
    *,
    only: Collection[str] | None = None,
    without: Collection[str] = (),
    nulls: bool = True,
) -> dict[str, object]:
    """The fields of a record as JSON-able values, in the order of declaration.

    All fields that are stored in ``scheme.version`` are shown (those of nested records too, unless
    ``scheme.omit_defaults``), but not counts that follow from lists: only those in ``only`` if
    given, none in ``without``; without ``nulls`` also none whose value is None.
    """
    shown: dict[str, object] = {}
    hidden = agreeing_counts(record, scheme.version)
    for field in stored_fields(record, scheme.version):
        name = field.name
        if name in without or name in hidden or (only is not None and name not in only):
            continue
        value = getattr(record, name)
        if nulls or value is not None:
            shown[name] = value_to_jsonable(field.codec, value, scheme)
    return shown


def stored_fields(record: Record, version: object) -> Iterator[Field]:
    """The fields of a record that are stored in a version, and have a value of their own."""
    for field in fields_of(type(record)):
        if not field.present(version) or isinstance(field.codec, Padding):
            continue
        if field.given is None or field.given.holds(getattr(record, field.given.field)):
            yield field


def set_counts(
    record: Record, version: object, counted: tuple[type[FieldCodec], ...] = (Counted,)
) -> None:
    """Set the count fields of a record, and of the records in it, to the lengths of their lists.

    ``counted``: the codecs whose ``needs[0]`` names the field with the length of their value.
    """
    decided = {field.name for field in fields_of(type(record)) if field.counts is not None}
    for field in fields_of(type(record)):
        if not field.present(version):
            continue
        value = getattr(record, field.name)
        codec = field.codec.inner if isinstance(field.codec, Deferred) else field.codec
        if isinstance(codec, Either):
            codec = codec.choose(version)
        if isinstance(codec, counted) and isinstance(codec, DeclaredCodec) and value is not None:
            name = codec.needs[0]
            stored = getattr(record, name)
            if name not in decided and isinstance(stored, int):
                count = getattr(bind(codec, version), "count", None)
                if (stored if count is None else count(stored)) != len(value):
                    setattr(record, name, len(value))
            decided.add(name)
        for item in _records_in(value):
            set_counts(item, version, counted)


def _records_in(value: object) -> Iterator[Record]:
    if isinstance(value, Record):
        yield value
    elif isinstance(value, list):
        for item in value:
            if isinstance(item, Record | list):
                yield from _records_in(item)


def overlay(old: T, new: T) -> T:
    """The new value made of the old one's parts wherever they are equal.

    A value that is equal stays the very object it was: strings that occur twice, the bits of a
    NaN and kept originals survive an edit of their neighbours. Attributes of a record that it
    does not store stay with it.
    """
    if type(old) is not type(new):
        return old if _same(old, new) else new
    if isinstance(old, Record):
        return _overlay_records(old, new)
    if isinstance(old, list) and isinstance(new, list):
        return _overlay_lists(old, new)  # type: ignore[return-value]
    return old if _same(old, new) else new


def _overlay_records(old: T, new: T) -> T:
    known = {field.name for field in fields_of(type(old))}  # type: ignore[arg-type]
    same = True
    for name in type(old).__struct_fields__:  # type: ignore[attr-defined]
        before = getattr(old, name)
        if known and name not in known:
            setattr(new, name, before)
            continue
        value = overlay(before, getattr(new, name))
        setattr(new, name, value)
        same = same and value is before
    return old if same else new


def _overlay_lists(old: list[object], new: list[object]) -> list[object]:
    if len(old) == len(new):
        merged = [overlay(before, after) for before, after in zip(old, new, strict=True)]
        return old if all(a is b for a, b in zip(old, merged, strict=True)) else merged
    start = 0
    shorter = min(len(old), len(new))
    while start < shorter and _same(old[start], new[start]):
        start += 1
    end = 0
    while end < shorter - start and _same(old[-1 - end], new[-1 - end]):
        end += 1
    return [*old[:start], *new[start : len(new) - end], *old[len(old) - end :]]


def _same(old: object, new: object) -> bool:
    try:
        return bool(old == new)
    except (TypeError, ValueError):
        return False


def replace_fields(target: Record, source: Record, without: Collection[str] = ()) -> None:
    """Copy all fields but some into a record, which keeps its identity."""
    for name in type(target).__struct_fields__:
        if name not in without:
            setattr(target, name, getattr(source, name))
