"""Reader, writer, record declarations and the codecs generated from them.

The names are imported when they are first used: telling which version a file is needs none of
them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from overhaul.schema.codec import Codec, codec_for
    from overhaul.schema.conditions import Condition, When
    from overhaul.schema.exact import RawFloat
    from overhaul.schema.fields import (
        Bytes,
        Deferred,
        Either,
        Embedded,
        FieldCodec,
        FixedCodec,
        Numbers,
        Padding,
        Switch,
        VariableCodec,
        b8,
        b32,
        enum32,
        f32,
        f64,
        i8,
        i16,
        i32,
        i64,
        u8,
        u16,
        u32,
        u64,
    )
    from overhaul.schema.lists import Counted, Inline, ListCodec, Pointers
    from overhaul.schema.record import Align, Field, Record, fields_of
    from overhaul.schema.streams import Buffer, Reader, Writer

__all__ = [
    "Align",
    "Buffer",
    "Bytes",
    "Codec",
    "Condition",
    "Counted",
    "Deferred",
    "Either",
    "Embedded",
    "Field",
    "FieldCodec",
    "FixedCodec",
    "When",
    "Inline",
    "ListCodec",
    "Numbers",
    "Padding",
    "Pointers",
    "RawFloat",
    "Reader",
    "Record",
    "Switch",
    "VariableCodec",
    "Writer",
    "b8",
    "b32",
    "codec_for",
    "enum32",
    "f32",
    "f64",
    "fields_of",
    "i8",
    "i16",
    "i32",
    "i64",
    "u8",
    "u16",
    "u32",
    "u64",
]

_HOMES = {
    "Align": "record",
    "Buffer": "streams",
    "Bytes": "fields",
    "Codec": "codec",
    "Condition": "conditions",
    "Counted": "lists",
    "Deferred": "fields",
    "Either": "fields",
    "Embedded": "fields",
    "Field": "record",
    "FieldCodec": "fields",
    "FixedCodec": "fields",
    "When": "conditions",
    "Inline": "lists",
    "ListCodec": "lists",
    "Numbers": "fields",
    "Padding": "fields",
    "Pointers": "lists",
    "RawFloat": "exact",
    "Reader": "streams",
    "Record": "record",
    "Switch": "fields",
    "VariableCodec": "fields",
    "Writer": "streams",
    "b8": "fields",
    "b32": "fields",
    "codec_for": "codec",
    "enum32": "fields",
    "f32": "fields",
    "f64": "fields",
    "fields_of": "record",
    "i8": "fields",
    "i16": "fields",
    "i32": "fields",
    "i64": "fields",
    "u8": "fields",
    "u16": "fields",
    "u32": "fields",
    "u64": "fields",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(f"{__name__}.{home}"), name)
    return value
