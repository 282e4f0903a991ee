"""The obfuscation of the game in an executable, removed and applied.

Each product has its own: Game Maker 6 substitutes bytes, 7 the way its projects do, 8 mixes them
with their neighbours and exchanges them, 8.1 adds a mask of pseudo-random words around that.
"""

from __future__ import annotations

import sys
import zlib
from array import array

from overhaul.gamemaker.classic.obfuscation import inverse

_WORD = 0xFFFFFFFF


def unscramble(scrambled: bytes, table: bytes) -> bytes:
    """Remove the obfuscation of Game Maker 8, given the 256 bytes of its table."""
    import numpy  # start-up: looking for a game in a program needs none of this

    size = len(scrambled)
    substituted = numpy.frombuffer(scrambled.translate(inverse(table)), numpy.uint8)
    before = numpy.frombuffer(scrambled, numpy.uint8)
    mixed = substituted.copy()
    positions = numpy.resize(numpy.arange(256, dtype=numpy.uint8), size)
    mixed[1:] -= before[:-1] + positions[1:]
    if size:
        mixed[0] = before[0]
    data = bytearray(mixed.tobytes())
    for i in range(size - 1, -1, -1):
        j = i - table[i & 255]
        if j < 0:
            j = 0
        data[i], data[j] = data[j], data[i]
    return bytes(data)


def scramble(data: bytes, table: bytes) -> bytes:
    """The reverse of :func:`unscramble`."""
    result = bytearray(data)
    for i in range(len(result)):
        j = i - table[i & 255]
        if j < 0:
            j = 0
        result[i], result[j] = result[j], result[i]
    last = result[0] if result else 0
    for i in range(1, len(result)):
        result[i] = last = table[(result[i] + last + i) & 255]
    return bytes(result)


def key_checksum(number: int) -> int:
    """The second half of the seed of 8.1's mask: a CRC-32 of a text with a number in it."""
    key = f"_MJD{number}#RWK".encode("utf-16-le")
    return zlib.crc32(key) ^ _WORD  # without the final inversion


def masked(data: bytes, start: int, first: int, second: int) -> bytes:
    """XOR the words of ``data`` from ``start`` on with 8.1's mask, both ways."""
    count = (len(data) - start) // 4
    if count <= 0:
        return data
    masks = array("I", bytes(4 * count))
    for index in range(count):
        first = (first & 0xFFFF) * 0x9069 + (first >> 16) & _WORD
        second = (second & 0xFFFF) * 0x4650 + (second >> 16) & _WORD
        masks[index] = (first << 16) + (second & 0xFFFF) & _WORD
    end = start + 4 * count
    if sys.byteorder == "big":
        masks.byteswap()
    words = int.from_bytes(data[start:end], "little") ^ int.from_bytes(masks.tobytes(), "little")
    return data[:start] + words.to_bytes(end - start, "little") + data[end:]
