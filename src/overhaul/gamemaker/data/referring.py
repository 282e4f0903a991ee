"""Which references a record holds."""

from __future__ import annotations

from overhaul.gamemaker.data.references import Reference
from overhaul.schema import FixedCodec, Record, fields_of


def references_in(value: object) -> list[Reference[object]]:
    """All references in a record."""
    references: list[Reference[object]] = []
    _collect(value, references)
    return references


#: the fields of each type of record that can hold references; None for types of lists
_HOLDING: dict[type, tuple[str, ...] | None] = {Reference: (), list: None, tuple: None}


def _collect(value: object, found: list[Reference[object]]) -> None:
    if isinstance(value, Reference):
        found.append(value)
        return
    kind = type(value)
    try:
        names = _HOLDING[kind]
    except KeyError:
        names = _HOLDING[kind] = _holding(kind)
    if isinstance(value, (list, tuple)):
        for item in value:
            if item is not None:
                _collect(item, found)
    else:
        for name in names or ():
            item = getattr(value, name)
            if item is not None:
                _collect(item, found)


def _holding(kind: type) -> tuple[str, ...] | None:
    """The fields of a type that can hold references: not those declared as numbers or texts."""
    if issubclass(kind, (list, tuple)):
        return None
    plain = {
        field.name
        for field in (fields_of(kind) if issubclass(kind, Record) else ())
        if isinstance(field.codec, FixedCodec) and field.codec.kind in (None, "string")
    }
    names: tuple[str, ...] = getattr(kind, "__struct_fields__", ())
    return tuple(name for name in names if name not in plain)
