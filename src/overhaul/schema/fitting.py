"""JSON of a record from another version: without the keys that records lack in a version."""

from __future__ import annotations

from collections.abc import Iterator

from overhaul.errors import FormatError
from overhaul.schema.codec import Deferred, Either, FieldCodec, JsonFields, Scheme
from overhaul.schema.declaration import Field, fields_of
from overhaul.schema.fields import Embedded, IfPresent, Switch
from overhaul.schema.jsonable import value_from_jsonable, value_to_jsonable
from overhaul.schema.lists import ListCodec
from overhaul.schema.record import Record


def leave_out(record: type[Record], plain: JsonFields, scheme: Scheme) -> Iterator[str]:
    """Remove the keys of fields that a record has in other versions only, also of records in it.

    Gives the places (``layers[0].visible``) of those that had another value than the default.
    Keys that name no field of any version stay.
    """
    for field in fields_of(record):
        if field.name not in plain:
            continue
        if not field.present(scheme.version):
            if any(f.present(scheme.version) for f in _named(record, field.name)):
                continue
            if not _is_usual(field, plain.pop(field.name), scheme):
                yield field.name
            continue
        codec: FieldCodec | None = field.codec
        if isinstance(codec, Switch):
            case = _case_of(record, codec, plain, scheme)
            codec = None if case is None else Embedded(case)
        for place in _inside(codec, plain[field.name], scheme):
            yield f"{field.name}{place}"


def _named(record: type[Record], name: str) -> Iterator[Field]:
    """The fields of a name: versions may store one at several places."""
    return (field for field in fields_of(record) if field.name == name)


def _case_of(
    record: type[Record], codec: Switch, plain: JsonFields, scheme: Scheme
) -> type[Record] | None:
    """The class of records that an earlier field of the JSON chooses; None for none."""
    (selector,) = (field for field in fields_of(record) if field.name == codec.needs[0])
    if selector.name not in plain:
        return codec.case(selector.make_default())
    try:
        return codec.case(value_from_jsonable(selector.codec, plain[selector.name], scheme))
    except FormatError:  # reading the record reports it
        return None


def _is_usual(field: Field, value: object, scheme: Scheme) -> bool:
    """Whether a value is what a new record has."""
    usual = field.make_default()
    return value is None or value == value_to_jsonable(field.codec, usual, scheme)


def _inside(codec: FieldCodec | None, value: object, scheme: Scheme) -> Iterator[str]:
    """The same in the records of a value; places begin with ``.`` or ``[``."""
    if isinstance(codec, Deferred | IfPresent):
        yield from _inside(codec.inner, value, scheme)
    elif isinstance(codec, Either):
        yield from _inside(codec.choose(scheme.version), value, scheme)
    elif isinstance(codec, Embedded) and isinstance(value, dict):
        for place in leave_out(codec.record, value, scheme):
            yield f".{place}"
    elif isinstance(codec, ListCodec) and isinstance(value, list):
        for index, item in enumerate(value):
            for place in _inside(codec.element, item, scheme):
                yield f"[{index}]{place}"
