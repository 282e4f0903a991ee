"""Reader, writer, record declarations and the codecs generated from them.

The names are imported when they are first used: detecting which version a file is needs none of
them.
"""

from __future__ import annotations

from overhaul.schema.conditions import Condition, When, before, given, only, since
from overhaul.schema.streams import Buffer, Reader, Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.schema.codec import (
        Binder,
        BoundCodec,
        Codec,
        DeclaredCodec,
        Deferred,
        Either,
        FieldCodec,
        FixedCodec,
        Scheme,
        VariableCodec,
    )
    from overhaul.schema.declaration import Field, fields_of
    from overhaul.schema.exact import RawFloat
    from overhaul.schema.fields import (
        Bytes,
        Constant,
        CountedBytes,
        Embedded,
        IfPresent,
        NulText,
        Numbers,
        OneOf,
        Padding,
        RawBytes,
        Rest,
        SizedBytes,
        SizedText,
        Switch,
        TextCodec,
        b8,
        b32,
        by_version,
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
    from overhaul.schema.generator import bind, codec_for
    from overhaul.schema.lists import Counted, Inline, ListCodec, Pointers, Times, ToEnd
    from overhaul.schema.record import Align, NotStored, Record, count_of

__all__ = [
    "Align", "Binder", "BoundCodec", "Buffer", "Bytes", "Codec", "Condition", "Constant",
    "Counted", "CountedBytes", "DeclaredCodec", "Deferred", "Either", "Embedded", "Field",
    "FieldCodec", "FixedCodec", "IfPresent", "Inline", "ListCodec", "NotStored", "NulText",
    "Numbers", "OneOf", "Padding", "Pointers", "RawBytes", "RawFloat", "Reader", "Record", "Rest",
    "Scheme", "SizedBytes", "SizedText", "Switch", "TextCodec", "Times", "ToEnd",
    "VariableCodec", "When", "Writer", "b32", "b8", "before", "bind", "by_version", "codec_for",
    "count_of", "enum32", "f32", "f64", "fields_of", "given", "i16", "i32", "i64", "i8", "only",
    "since", "u16", "u32", "u64", "u8",
]  # fmt: skip

#: where the names are looked for: those that need few others come first
_MODULES = (
    "streams", "exact", "conditions", "record", "codec", "fields", "lists",
    "declaration", "generator",
)  # fmt: skip


if not TYPE_CHECKING:  # a name that is not there is an error of types

    def __getattr__(name: str) -> object:
        from importlib import import_module  # start-up: with the first name only

        for module in _MODULES if name in __all__ else ():
            value: object = getattr(import_module(f"{__name__}.{module}"), name, None)
            if value is not None:
                globals()[name] = value
                return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
