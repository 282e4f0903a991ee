"""The obfuscation of Game Maker 7 projects, also used in executables and extensions.

Bytes are substituted through a table that a seed shuffles; in projects the position in the file
is added first.  No secret is involved.  Facts: specs/gamemaker-projects.md, section 3.
"""

from __future__ import annotations

from array import array
from collections.abc import MutableSequence
from functools import lru_cache
from typing import Annotated

from msgspec import field

from overhaul.errors import FormatError
from overhaul.schema import Numbers, Record, i32


class Obfuscation(Record):
    """The header of an obfuscated project: random numbers, kept as read, and the seed."""

    count_before: i32 = 0
    count_after: i32 = 0
    junk_before: Annotated[MutableSequence[int], Numbers("i", "count_before")] = field(
        default_factory=lambda: array("i")
    )
    seed: i32 = 248
    junk_after: Annotated[MutableSequence[int], Numbers("i", "count_after")] = field(
        default_factory=lambda: array("i")
    )


@lru_cache(maxsize=64)
def table(a: int, b: int) -> bytes:
    """The substitution that writing applies, for the two numbers of a seed.

    10000 exchanges of neighbours; the first and the last byte value keep their places. Sums wrap
    at 32 bits.
    """
    result = bytearray(range(256))
    for k in range(1, 10001):
        j = 1 + (k * a + b & 0xFFFFFFFF) % 254
        result[j], result[j + 1] = result[j + 1], result[j]
    return bytes(result)


def inverse(substitution: bytes) -> bytes:
    """The substitution that undoes another."""
    result = bytearray(256)
    for index, value in enumerate(substitution):
        result[value] = index
    return bytes(result)


def table_of_seed(seed: int) -> bytes:
    """The substitution of a seed.  Raises FormatError for a negative one, never seen in a file."""
    if seed < 0:
        raise FormatError(f"a negative obfuscation seed ({seed})")
    return table(6 + seed % 250, seed // 250)


def reveal(data: bytes, seed: int, start: int) -> bytes:
    """Remove the obfuscation of ``data``, which begins at offset ``start`` of the file.

    That first byte is plain; every later one is substituted after its offset was added.
    """
    return data[:1] + _shifted(data[1:].translate(inverse(table_of_seed(seed))), start + 1, -1)


def conceal(data: bytes, seed: int, start: int) -> bytes:
    """The reverse of :func:`reveal`."""
    return data[:1] + _shifted(data[1:], start + 1, 1).translate(table_of_seed(seed))


def _shifted(data: bytes, start: int, sign: int) -> bytes:
    """Each byte plus (``sign`` 1) or minus (-1) its offset in the file, modulo 256."""
    import numpy  # start-up: most projects need none of this

    offsets = numpy.roll(numpy.arange(256, dtype=numpy.uint8), -start % 256)
    values = numpy.frombuffer(data, numpy.uint8)
    return bytes(values + numpy.uint8(sign % 256) * numpy.resize(offsets, len(data)))
