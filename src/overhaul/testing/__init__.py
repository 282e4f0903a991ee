"""Hypothesis strategies for records, derived from their declarations.

    from hypothesis import given
    from overhaul.testing import records

    @given(records(TexturePageItem, version))
    def test_it_round_trips(record): ...

A field gets what its type can hold and its condition allows; a list whose count is an earlier
field gets as many elements as that field says.  Fields that refer to something outside of the
record (``kind`` of a fixed codec: strings, resources) take their values from ``values``, by kind;
field types that a format adds take theirs from ``fields``, by class, or from their own method
``strategy(*needed)``.

Needs hypothesis (``pip install overhaul[test]``), which only this module imports.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Mapping
from math import prod
from typing import Any, TypeAlias, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from overhaul.schema import (
    Bytes,
    Constant,
    Counted,
    CountedBytes,
    Deferred,
    Either,
    Embedded,
    Field,
    FieldCodec,
    FixedCodec,
    IfPresent,
    Inline,
    ListCodec,
    Numbers,
    OneOf,
    Padding,
    Pointers,
    RawBytes,
    RawFloat,
    Record,
    Switch,
    Times,
    ToEnd,
    fields_of,
)
from overhaul.schema.streams import AnyVersion

__all__ = ["floats32", "records", "values_of"]

AnyRecord = TypeVar("AnyRecord", bound=Record)
#: The values of the earlier fields that a field needs.
Needed: TypeAlias = tuple[Any, ...]
#: Makes the strategy of a format's own field type: from the codec and the values it needs.
FieldMaker = Callable[[Any, Needed], SearchStrategy[object]]

#: How many elements a list gets at most where nothing says more; one less for each level of
#: nesting, so that drawn records stay small and recursive ones end.
LONGEST_LIST = 4


def records(
    record: type[AnyRecord],
    version: AnyVersion = None,
    *,
    values: Mapping[str, SearchStrategy[object]] | None = None,
    fields: Mapping[type, FieldMaker] | None = None,
) -> SearchStrategy[AnyRecord]:
    """Records of a class, as they can stand in a file of one version.

    Raises TypeError when drawn for a field type that neither ``fields`` nor the type itself knows
    how to make.
    """
    maker = _Maker(version, {} if values is None else values, {} if fields is None else fields)
    return maker.record(record, 0)


def values_of(
    codec: FieldCodec,
    version: AnyVersion = None,
    *,
    values: Mapping[str, SearchStrategy[object]] | None = None,
    fields: Mapping[type, FieldMaker] | None = None,
) -> SearchStrategy[object]:
    """Values of one field type that needs no other field."""
    maker = _Maker(version, {} if values is None else values, {} if fields is None else fields)
    return maker.value(codec, (), 0)


def floats32() -> SearchStrategy[float]:
    """32-bit floats with every bit pattern: NaNs keep theirs as RawFloat."""

    def as_read(bits: int) -> float:
        (value,) = struct.unpack("<f", struct.pack("<I", bits))
        return RawFloat(bits) if value != value else value

    return st.floats(width=32, allow_nan=False) | st.integers(0, 2**32 - 1).map(as_read)


class _Maker:
    def __init__(
        self,
        version: AnyVersion,
        values: Mapping[str, SearchStrategy[object]],
        fields: Mapping[type, FieldMaker],
    ) -> None:
        self.version = version
        self.values = values
        self.fields = fields

    def record(self, record: type[AnyRecord], depth: int) -> SearchStrategy[AnyRecord]:
        @st.composite
        def make(draw: DrawFn) -> AnyRecord:
            drawn: dict[str, object] = {}
            counts = self._counts(record)
            for field in fields_of(record):
                if not field.present(self.version) or not self._given(field, drawn):
                    continue
                codec = self._chosen(field.codec)
                if field.name in counts:
                    drawn[field.name] = draw(st.integers(0, _longest(depth)))
                    continue
                needs = codec.inner.needs if isinstance(codec, Deferred) else codec.needs
                needed = tuple(drawn[name] for name in needs)
                drawn[field.name] = draw(self.value(codec, needed, depth))
            return record(
                **{name: drawn[name] for name in record.__struct_fields__ if name in drawn}
            )

        return make()

    def value(self, codec: FieldCodec, needed: Needed, depth: int) -> SearchStrategy[object]:
        """Values of a field, given those of the fields it needs."""
        own = next((self.fields[c] for c in type(codec).__mro__ if c in self.fields), None)
        if own is not None:
            return own(codec, needed)
        if hasattr(codec, "strategy"):
            made: SearchStrategy[object] = codec.strategy(*needed)
            return made
        if isinstance(codec, FixedCodec):
            return self._fixed(codec)
        if isinstance(codec, Deferred):
            inner = self.value(codec.inner, needed, depth)
            return st.none() if depth >= LONGEST_LIST else st.none() | inner
        if isinstance(codec, Embedded):
            return self.record(codec.record, depth + 1)
        if isinstance(codec, IfPresent):
            if not codec.present(*needed):
                return st.just(codec.empty())
            return self.value(self._chosen(codec.inner), (), depth)
        if isinstance(codec, ListCodec):
            return self._list(codec, needed, depth)
        if isinstance(codec, CountedBytes):
            size = codec.size(needed)
            return st.binary(min_size=size, max_size=size)
        if isinstance(codec, RawBytes):
            return st.binary(max_size=LONGEST_LIST)
        if isinstance(codec, OneOf):
            return st.sampled_from(codec.values)
        if isinstance(codec, Numbers):
            low, high = _limits(codec.typecode)
            count = prod(needed)
            numbers = st.lists(st.integers(low, high), min_size=count, max_size=count)
            return numbers.map(lambda found: array(codec.typecode, found))
        if isinstance(codec, Switch):
            case = codec.case(needed[0])
            return st.none() if case is None else self.record(case, depth + 1)
        if isinstance(codec, Padding | Constant):
            return st.none()
        raise TypeError(f"no strategy is known for the field type {type(codec).__name__}")

    def _fixed(self, codec: FixedCodec) -> SearchStrategy[object]:
        if codec.kind is not None:
            try:
                return self.values[codec.kind]
            except KeyError:
                raise TypeError(
                    f"values for fields of the kind {codec.kind!r} are wanted"
                ) from None
        if isinstance(codec, Bytes) or codec.format.endswith("s"):
            return st.binary(min_size=codec.size, max_size=codec.size)
        if codec.boolean:
            return st.booleans()
        if codec.format == "f":
            return floats32()
        if codec.format == "d":
            return st.floats(allow_nan=False)
        low, high = _limits(codec.format)
        if codec.names is not None:
            return st.sampled_from(list(codec.names.__members__.values()))
        return st.integers(low, high)

    def _list(self, codec: ListCodec, needed: Needed, depth: int) -> SearchStrategy[list[object]]:
        if codec.element is None:
            raise TypeError("a list without an element type can't be made")
        shortest, longest = 0, _longest(depth)
        if isinstance(codec, Counted):
            shortest = longest = needed[0] if codec.count is None else codec.count(*needed)
        elif isinstance(codec, Times):
            shortest = longest = codec.count
        elif not isinstance(codec, Inline | Pointers | ToEnd):
            raise TypeError(f"no strategy is known for the list type {type(codec).__name__}")
        element = self.value(self._chosen(codec.element), (), depth + 1)
        return st.lists(element, min_size=shortest, max_size=longest)

    def _chosen(self, codec: FieldCodec) -> FieldCodec:
        return codec.choose(self.version) if isinstance(codec, Either) else codec

    def _given(self, field: Field, drawn: Mapping[str, object]) -> bool:
        """Whether a field that depends on another one's value is there."""
        return field.given is None or bool(field.given.holds(drawn.get(field.given.field)))

    def _counts(self, record: type[Record]) -> set[str]:
        """The fields that say how long a list or a table of numbers is: they stay small."""
        codecs = [self._chosen(f.codec) for f in fields_of(record) if f.present(self.version)]
        inner = [codec.inner if isinstance(codec, Deferred) else codec for codec in codecs]
        return {
            name
            for c in inner
            if isinstance(c, Counted | CountedBytes | Numbers)
            for name in c.needs
        }


def _longest(depth: int) -> int:
    return max(0, LONGEST_LIST - depth)


def _limits(format: str) -> tuple[int, int]:
    bits = 8 * struct.calcsize("<" + format)
    return (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if format.islower() else (0, 2**bits - 1)
