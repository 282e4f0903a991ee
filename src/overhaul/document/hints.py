"""The values that the fields of a JSON file can have, read off the record that declares them.

A file whose format says no record has the hints that its values give: see :func:`of_value`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import IntEnum, IntFlag
from typing import Final, Literal, NamedTuple, TypeAlias

from overhaul.schema import (
    Deferred,
    Either,
    Embedded,
    FieldCodec,
    FixedCodec,
    Record,
    fields_of,
)
from overhaul.schema.declaration import Field
from overhaul.schema.fields import IfPresent, OneOf, Padding, TextCodec
from overhaul.schema.lists import ListCodec

#: The type of a field: ``name`` is that of a resource, ``json`` anything.
Type: TypeAlias = Literal[
    "text", "integer", "number", "flag", "choice", "flags", "name", "colour", "object", "list",
    "json",
]  # fmt: skip
#: The name of the kind of a :class:`FixedCodec` whose values are strings.
_STRING: Final = "string"
_COLOUR: Final = re.compile(r"#[0-9A-Fa-f]{6}")


class Hint(NamedTuple):
    """The values that a field can have.

    ``low`` and ``high`` bound an integer; ``choices`` are the names of a choice or of flags;
    ``kind`` is the kind of the resource that a name is of, as the format calls it; ``empty``: it
    may be null.  ``about`` is the note of the declaration.  ``record`` gives the hints of an
    object's fields and what they are where they are left out; ``element`` is that of a list.
    """

    type: Type
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()
    kind: str = ""
    empty: bool = False
    about: str = ""
    record: Callable[[], Mapping[str, tuple[Hint, object]]] | None = None
    element: Hint | None = None

    def inside(self, key: str) -> Hint | None:
        """The hint of a field of an object."""
        if self.record is None:
            return None
        found = self.record().get(key)
        return None if found is None else found[0]


ANY: Final = Hint("json")
#: fields of a file that are kept apart, and belong to the same record
_APART: Final = "details"


def of_record(
    record: type[Record], version: object, kinds: Mapping[str, str], default: object = None
) -> Hint:
    """The hint of an object that shows a record; ``kinds`` has the kinds of resources by what the
    records call them."""
    known: dict[str, tuple[Hint, object]] = {}

    def fields() -> Mapping[str, tuple[Hint, object]]:
        if not known:
            for field in fields_of(record):
                if field.present(version) and not isinstance(field.codec, Padding):
                    hint = of_field(field, version, kinds)
                    known[field.name] = (hint, _default(field, hint))
            known.setdefault(_APART, (Hint("object", record=fields), None))
        return known

    return Hint("object", record=fields)


def of_field(field: Field, version: object, kinds: Mapping[str, str]) -> Hint:
    """The hint of what a field shows, with its note."""
    hint = of_codec(field.codec, version, kinds)
    if field.doc and not hint.about:
        hint = hint._replace(about=field.doc)
    return hint._replace(empty=hint.empty or field.make_default() is None)


def _default(field: Field, hint: Hint) -> object:
    """The JSON of a field that is left out, as far as it is a plain value."""
    value = field.make_default()
    if isinstance(value, IntEnum | IntFlag) or hint.type in ("choice", "flags"):
        return None
    return value if isinstance(value, bool | int | float | str) else None


def of_codec(codec: FieldCodec | None, version: object, kinds: Mapping[str, str]) -> Hint:
    """The hint of what a codec shows."""
    if isinstance(codec, Either):
        codec = codec.choose(version)
    if isinstance(codec, Deferred | IfPresent):
        return of_codec(codec.inner, version, kinds)._replace(empty=True)
    if isinstance(codec, FixedCodec):
        return _of_fixed(codec, kinds)
    if isinstance(codec, OneOf):
        return Hint("integer")
    if isinstance(codec, TextCodec):
        return Hint("text")
    if isinstance(codec, Embedded) and type(codec).to_jsonable is Embedded.to_jsonable:
        return of_record(codec.record, version, kinds)
    if isinstance(codec, ListCodec) and type(codec).to_jsonable is ListCodec.to_jsonable:
        return Hint("list", element=of_codec(codec.element, version, kinds))
    return ANY


def _of_fixed(codec: FixedCodec, kinds: Mapping[str, str]) -> Hint:
    if codec.kind == _STRING:
        return Hint("text", empty=True)
    if codec.kind is not None:
        kind = kinds.get(codec.kind)
        return ANY if kind is None else Hint("name", kind=kind, empty=True)
    if codec.boolean:
        return Hint("flag")
    if codec.names is not None:
        several = issubclass(codec.names, IntFlag)
        names = tuple(name.lower() for name in codec.names.__members__)
        return Hint("flags" if several else "choice", choices=names)
    if codec.format in "fd":
        return Hint("number")
    if codec.format in "BHIQbhiq":
        bits = 8 * codec.size
        if codec.format.isupper():
            return Hint("integer", 0, (1 << bits) - 1)
        return Hint("integer", -(1 << bits - 1), (1 << bits - 1) - 1)
    return Hint("text")


def of_value(value: object, name: Callable[[str], str] = lambda text: "") -> Hint:
    """The hint that a value itself gives; ``name``: the kind of the resource of a name, or ""."""
    if isinstance(value, bool):
        return Hint("flag")
    if isinstance(value, int):
        return Hint("integer")
    if isinstance(value, float):
        return Hint("number")
    if isinstance(value, str):
        if _COLOUR.fullmatch(value):
            return Hint("colour")
        kind = name(value)
        return Hint("name", kind=kind) if kind else Hint("text")
    if isinstance(value, dict):
        return Hint("object")
    if isinstance(value, list):
        return Hint("list")
    return ANY._replace(empty=True)


def agrees(hint: Hint, value: object) -> bool:
    """Whether a value is as a hint says; of one that is not, only its own hint is known."""
    if value is None:
        return hint.empty
    kind = hint.type
    if isinstance(value, bool):
        return kind == "flag"
    if isinstance(value, int):
        return kind in ("integer", "number", "json")
    if isinstance(value, float):
        return kind in ("number", "json")
    if isinstance(value, str):
        return kind in ("text", "name", "colour") or (kind == "choice" and value in hint.choices)
    if isinstance(value, list):
        if kind == "flags":
            return all(item in hint.choices for item in value)
        return kind in ("list", "json")
    return kind in ("object", "json")
