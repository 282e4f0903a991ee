"""32-bit floats whose bits survive.

Widening a signalling NaN to a double makes it quiet, so a NaN read from a file is kept together
with its bits.
"""

from __future__ import annotations

import struct

_BITS = struct.Struct("<I")
_FLOAT = struct.Struct("<f")


class RawFloat(float):
    """A 32-bit NaN that remembers its ``bits``."""

    __slots__ = ("bits",)
    bits: int

    def __new__(cls, bits: int) -> RawFloat:
        self = super().__new__(cls, "nan")
        self.bits = bits
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RawFloat) and other.bits == self.bits

    def __hash__(self) -> int:
        return hash(self.bits)

    def __repr__(self) -> str:
        return f"RawFloat({self.bits:#010x})"

    def __reduce__(self) -> tuple[type[RawFloat], tuple[int]]:
        return RawFloat, (self.bits,)


def float_offsets(format: str) -> list[tuple[int, int]]:
    """(index of the value, byte offset) of every ``f`` in a little-endian struct format."""
    offsets: list[tuple[int, int]] = []
    position = index = 0
    number = ""
    for letter in format.lstrip("<>="):
        if letter.isdigit():
            number += letter
            continue
        repeat = int(number) if number else 1
        number = ""
        if letter == "s":
            position += repeat
            index += 1
            continue
        if letter == "x":
            position += repeat
            continue
        size = struct.calcsize("<" + letter)
        for _ in range(repeat):
            if letter == "f":
                offsets.append((index, position))
            position += size
            index += 1
    return offsets


def unpack_exact(
    layout: struct.Struct, data: bytes | bytearray | memoryview, position: int
) -> tuple[object, ...]:
    """As ``layout.unpack_from``, with every NaN float as a :class:`RawFloat`."""
    values = list(layout.unpack_from(data, position))
    for index, offset in float_offsets(layout.format):
        if values[index] != values[index]:
            values[index] = RawFloat(_BITS.unpack_from(data, position + offset)[0])
    return tuple(values)


def pack_exact(layout: struct.Struct, values: tuple[object, ...]) -> bytes:
    """As ``layout.pack``, with the bits of every :class:`RawFloat`."""
    packed = bytearray(layout.pack(*values))
    for index, offset in float_offsets(layout.format):
        value = values[index]
        if type(value) is RawFloat:
            _BITS.pack_into(packed, offset, value.bits)
    return bytes(packed)
