"""Reader, writer, record declarations and the codecs generated from them."""

from __future__ import annotations

from .codec import Codec, codec_for
from .conditions import Condition, Given
from .exact import RawFloat
from .fields import (
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
from .lists import Counted, Inline, ListCodec, Pointers
from .record import Align, Field, Record, fields_of
from .streams import Buffer, Reader, Writer

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
    "Given",
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
