"""GameMaker's image stream ``fioq``: an early draft of QOI with its own operations and header.

A stream is a header of 12 bytes (``fioq``, width and height as u16, the length of the operations
as u32, all little-endian) and the operations, which paint the pixels in row order:

======================  =====  ==============================================================
first byte              bytes  operation
======================  =====  ==============================================================
``00iiiiii``            1      INDEX: the pixel remembered at index i
``010nnnnn``            1      RUN8: the current pixel n + 1 times
``011nnnnn n8``         2      RUN16: the current pixel n + 33 times (13 bits, big end first)
``10rrggbb``            1      DIFF8: red, green, blue change by -2..1
``110rrrrr ggggbbbb``   2      DIFF16: red by -16..15, green and blue by -8..7
``1110rrrr rg.. ..a5``  3      DIFF24: red, green, blue, alpha by -16..15, five bits each
``1111rgba`` + 0..4     1..5   COLOUR: a new value for each component whose bit is set
======================  =====  ==============================================================

Sums are modulo 256. The first current pixel is opaque black; 64 remembered pixels start as
transparent black, and after every operation the current pixel is remembered at the exclusive-or of
its components modulo 64. The format has no end marker.

:func:`encode` takes the decisions GameMaker's compiler takes, so that decoding and encoding gives
the same bytes.  The source of these facts is the pages of real games, 2022.3 to 2024.14 (see
``docs/formats/textures.md``).

The decoder works on *spread* pixels: the four components in the 16-bit lanes of one integer.  A
sum of components is then one addition and one mask, whatever carries.  It collects one value per
operation; NumPy repeats them into pixels at the end.  The loop is plain integer code that mypyc
compiles as it stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from overhaul.errors import EncodeError, FormatError
from overhaul.media.bounds import MAX_PIXELS, check_pixels

if TYPE_CHECKING:
    from mypy_extensions import i64

MAGIC: Final = b"fioq"
HEADER_SIZE: Final = 12
LONGEST_RUN: Final = 8224
LONGEST_SHORT_RUN: Final = 32

# A spread pixel holds red in bits 0-7, green in 16-23, blue in 32-39 and alpha in 48-55.
_LANES: Final = 0x00FF_00FF_00FF_00FF
_OPAQUE_BLACK: Final = 0x00FF_0000_0000_0000
# How many operations are collected as Python integers before NumPy takes them over.
_BATCH: Final = 1 << 16
# How many changed pixels the encoder works on at once.
_ENCODE_BLOCK: Final = 1 << 16


def _spread(red: int, green: int, blue: int, alpha: int) -> int:
    return red & 255 | (green & 255) << 16 | (blue & 255) << 32 | (alpha & 255) << 48


def _signed(value: int, bits: int) -> int:
    """The two's complement reading of the low ``bits`` of ``value``."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def _small_steps() -> list[int]:
    """The spread change of every DIFF8 byte, indexed by its low six bits."""
    return [
        _spread(_signed(op >> 4, 2), _signed(op >> 2, 2), _signed(op, 2), 0) for op in range(64)
    ]


def _step_pairs(bits: int, low_lane: bool) -> list[int]:
    """The spread change of two fields of ``bits`` bits, as green and blue or two outer lanes."""
    steps = []
    for word in range(1 << (2 * bits)):
        first, second = _signed(word >> bits, bits), _signed(word, bits)
        steps.append(_spread(first, second, 0, 0) if low_lane else _spread(0, 0, first, second))
    return steps


_DIFF8: Final = _small_steps()
_DIFF16_RED: Final = [_spread(_signed(word, 5), 0, 0, 0) for word in range(32)]
_DIFF16_GREEN_BLUE: Final = [
    _spread(0, _signed(word >> 4, 4), _signed(word, 4), 0) for word in range(256)
]
_DIFF24_RED_GREEN: Final = _step_pairs(5, low_lane=True)
_DIFF24_BLUE_ALPHA: Final = _step_pairs(5, low_lane=False)


def size(data: bytes | memoryview) -> tuple[int, int]:
    """The (width, height) a ``fioq`` header states, without decoding; raises FormatError."""
    width, height, _ = _header(bytes(data[:HEADER_SIZE]))
    return width, height


def stream_length(data: bytes | memoryview) -> int:
    """The bytes a ``fioq`` stream takes by its own header, the header included."""
    return HEADER_SIZE + _header(bytes(data[:HEADER_SIZE]))[2]


def _header(head: bytes) -> tuple[int, int, int]:
    """(width, height, length of the operations)."""
    if len(head) < HEADER_SIZE or head[:4] != MAGIC:
        raise FormatError("not a GameMaker QOI stream: the header 'fioq' is missing", offset=0)
    return (
        int.from_bytes(head[4:6], "little"),
        int.from_bytes(head[6:8], "little"),
        int.from_bytes(head[8:12], "little"),
    )


def decode(data: bytes | memoryview, *, max_pixels: int = MAX_PIXELS) -> NDArray[np.uint8]:
    """The pixels of a ``fioq`` stream: an array of (height, width, 4), red, green, blue, alpha.

    The operations must give exactly width x height pixels.  Nothing of the image's size is
    allocated before they did, so that a false header costs no memory.  Raises FormatError.
    """
    width, height, length = _header(bytes(data[:HEADER_SIZE]))
    if length > len(data) - HEADER_SIZE:
        raise FormatError(
            f"the stream's operations take {length} bytes, but {len(data) - HEADER_SIZE} are left",
            offset=8,
        )
    check_pixels(width, height, max_pixels, offset=4)
    wanted = width * height
    # No byte of operations can paint more than half a longest run (two bytes, 8224 pixels).
    if wanted * 2 > length * LONGEST_RUN:
        raise FormatError(
            f"{length} bytes of operations can't paint {width} x {height} pixels", offset=4
        )
    operations = bytes(data[HEADER_SIZE : HEADER_SIZE + length])
    values, counts = _decode_values(operations, wanted)
    if len(values) == 0:
        return np.zeros((height, width, 4), np.uint8)
    return np.repeat(values, counts).view(np.uint8).reshape(height, width, 4)


def _decode_values(operations: bytes, wanted: int) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
    """One pixel value and one repetition per operation, ``wanted`` pixels in all."""
    length = len(operations)
    # The longest operation reads four bytes past its first: zeros stand in for what is cut off.
    padded = operations + bytes(4)
    table: list[int] = [0] * 64
    if length and 0x40 <= operations[0] < 0x80:
        table[63] = _OPAQUE_BLACK  # a run at the start remembers the first current pixel
    value_parts: list[NDArray[np.uint32]] = []
    count_parts: list[NDArray[np.uint16]] = []
    position, pixel, painted = 0, _OPAQUE_BLACK, 0
    while position < length:
        stop = min(length, position + _BATCH)
        position, values, run_places, run_lengths = _run_operations(
            padded, position, stop, pixel, table
        )
        pixel = values[-1]
        counts = np.ones(len(values), np.uint16)
        counts[run_places] = run_lengths
        painted += int(counts.sum(dtype=np.int64))
        if painted > wanted:
            break
        value_parts.append(_narrow(values))
        count_parts.append(counts)
    if position > length:
        raise FormatError("the stream ends inside an operation", offset=HEADER_SIZE + length)
    if painted != wanted:
        relation = "more" if painted > wanted else f"{painted}, fewer"
        raise FormatError(
            f"the operations paint {relation} than the {wanted} pixels of the image",
            offset=HEADER_SIZE + position,
        )
    if not value_parts:
        return np.empty(0, np.uint32), np.empty(0, np.uint16)
    return np.concatenate(value_parts), np.concatenate(count_parts)


def _narrow(spread: list[int]) -> NDArray[np.uint32]:
    """Spread pixels as four adjacent bytes each."""
    lanes = np.array(spread, np.uint64).view(np.uint16)
    return lanes.astype(np.uint8).view(np.uint32)


def _run_operations(
    data: bytes, start: int, stop: int, first_pixel: int, table: list[int]
) -> tuple[int, list[int], list[int], list[int]]:
    """Run the operations that begin in ``start..stop``: where the last ends, one spread pixel for
    each, and of the runs among them the places and lengths.  ``table`` is changed."""
    values: list[int] = []
    run_places: list[int] = []
    run_lengths: list[int] = []
    lanes: i64 = _LANES
    diff8, red16, green_blue16 = _DIFF8, _DIFF16_RED, _DIFF16_GREEN_BLUE
    red_green24, blue_alpha24 = _DIFF24_RED_GREEN, _DIFF24_BLUE_ALPHA
    position: i64 = start
    end: i64 = stop
    pixel: i64 = first_pixel
    while position < end:
        op: i64 = data[position]
        position += 1
        if op < 0x40:
            pixel = table[op]
            values.append(pixel)
            if pixel == 0:
                # Only a slot never written holds a pixel that belongs elsewhere.
                table[0] = 0
            continue
        if op < 0x80:
            run_places.append(len(values))
            values.append(pixel)
            if op < 0x60:
                run_lengths.append(op - 0x3F)
            else:
                run_lengths.append(((op & 31) << 8 | data[position]) + 33)
                position += 1
            continue
        if op < 0xC0:
            pixel = (pixel + diff8[op & 63]) & lanes
        elif op < 0xE0:
            pixel = (pixel + red16[op & 31] + green_blue16[data[position]]) & lanes
            position += 1
        elif op < 0xF0:
            word: i64 = (op & 15) << 16 | data[position] << 8 | data[position + 1]
            position += 2
            pixel = (pixel + red_green24[word >> 10] + blue_alpha24[word & 1023]) & lanes
        else:
            if op & 8:
                pixel = pixel & ~0xFF | data[position]
                position += 1
            if op & 4:
                pixel = pixel & ~0xFF_0000 | data[position] << 16
                position += 1
            if op & 2:
                pixel = pixel & ~0xFF_0000_0000 | data[position] << 32
                position += 1
            if op & 1:
                pixel = pixel & ~0xFF_0000_0000_0000 | data[position] << 48
                position += 1
        folded: i64 = pixel ^ pixel >> 32
        table[(folded ^ folded >> 16) & 63] = pixel
        values.append(pixel)
    return position, values, run_places, run_lengths


def encode(pixels: NDArray[np.uint8]) -> bytes:
    """A ``fioq`` stream of an array (height, width, 4), as GameMaker's compiler writes it.

    Raises EncodeError if the array is not an image of bytes, or is larger than 65535 either way.
    """
    if pixels.ndim != 3 or pixels.shape[2] != 4 or pixels.dtype != np.uint8:
        raise EncodeError(
            f"expected bytes of (height, width, 4), got {pixels.dtype} of {pixels.shape}"
        )
    height, width = pixels.shape[:2]
    if height > 0xFFFF or width > 0xFFFF:
        raise EncodeError(f"an image of {width} x {height} exceeds 65535 pixels either way")
    flat = np.ascontiguousarray(pixels).reshape(-1, 4)
    operations = b"".join(_encode_operations(flat))
    if len(operations) > 0xFFFF_FFFF:
        raise EncodeError("the encoded image exceeds 4 GiB")
    return b"".join(
        (
            MAGIC,
            width.to_bytes(2, "little"),
            height.to_bytes(2, "little"),
            len(operations).to_bytes(4, "little"),
            operations,
        )
    )


def _encode_operations(flat: NDArray[np.uint8]) -> list[bytes]:
    """The operations for pixels (count, 4), in pieces.

    Only a pixel that differs from the one before takes more than a comparison; these are encoded
    in blocks, each with the run of repetitions that precedes it.
    """
    words = flat.view(np.uint32)[:, 0]
    before = np.empty_like(words)
    before[:1] = np.array([0, 0, 0, 255], np.uint8).view(np.uint32)
    before[1:] = words[:-1]
    places = np.flatnonzero(words != before)
    parts: list[bytes] = []
    table = np.zeros(64, np.uint32)
    last = -1
    for start in range(0, len(places), _ENCODE_BLOCK):
        block = places[start : start + _ENCODE_BLOCK]
        runs = np.diff(block, prepend=last) - 1
        last = int(block[-1])
        remembered = _remembered(words[block], table)
        steps = flat[block].astype(np.int16) - before[block].view(np.uint8).reshape(-1, 4)
        parts.append(_encode_block(flat[block], steps, remembered, runs))
    full, rest = divmod(len(flat) - 1 - last, LONGEST_RUN)
    parts.append(b"\x7f\xff" * full + _run(rest))
    return parts


def _run(length: int) -> bytes:
    """One run of at most 8224 pixels; nothing for none."""
    if length == 0:
        return b""
    if length <= LONGEST_SHORT_RUN:
        return bytes((0x3F + length,))
    return (0x6000 + length - LONGEST_SHORT_RUN - 1).to_bytes(2, "big")


def _indexes(words: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """The place at which each pixel is remembered: its components' exclusive-or, modulo 64."""
    parts = words.view(np.uint8).reshape(-1, 4)
    return (parts[:, 0] ^ parts[:, 1] ^ parts[:, 2] ^ parts[:, 3]) & np.uint8(63)


def _remembered(words: NDArray[np.uint32], table: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Which of the changed pixels are in the table when their turn comes; updates ``table``.

    A changed pixel always leaves itself in the table, whichever operation it takes.  So it is
    remembered exactly when the previous changed pixel of the same index equals it: sorting by
    index, stably, puts the two side by side.
    """
    indexes = _indexes(words)
    order = np.argsort(indexes, kind="stable")
    sorted_words = words[order]
    sorted_indexes = indexes[order]
    previous = np.empty_like(sorted_words)
    previous[1:] = sorted_words[:-1]
    starts = np.flatnonzero(np.diff(sorted_indexes, prepend=255))
    previous[starts] = table[sorted_indexes[starts]]
    table[sorted_indexes] = sorted_words  # the last one of each index stays
    remembered = np.empty(len(words), np.bool_)
    remembered[order] = sorted_words == previous
    return remembered


def _encode_block(
    pixels: NDArray[np.uint8],
    steps: NDArray[np.int16],
    remembered: NDArray[np.bool_],
    runs: NDArray[np.int64],
) -> bytes:
    """The operations of changed pixels: each a row of seven byte places, some of them used.

    Places 0 and 1 belong to the run before the pixel, 2 to 6 to the pixel's own operation.
    """
    rows = np.zeros((len(pixels), 7), np.uint8)
    used = np.zeros((len(pixels), 7), np.bool_)
    full, rest = np.divmod(runs, LONGEST_RUN)
    short = rest <= LONGEST_SHORT_RUN
    excess = np.where(short, 0, rest - LONGEST_SHORT_RUN - 1)
    rows[:, 0] = np.where(short, 0x3F + rest, 0x60 | excess >> 8)
    rows[:, 1] = excess & 0xFF
    used[:, 0] = rest > 0
    used[:, 1] = ~short
    _fill_operations(rows[:, 2:], used[:, 2:], pixels, steps, remembered)
    if full.any():
        # A run beyond 8224 pixels: rows of their own in front, with the two bytes of a full run.
        at = np.repeat(np.arange(len(pixels)), full)
        rows = np.insert(rows, at, np.array([0x7F, 0xFF, 0, 0, 0, 0, 0], np.uint8), axis=0)
        used = np.insert(used, at, np.array([1, 1, 0, 0, 0, 0, 0], np.bool_), axis=0)
    return rows[used].tobytes()


def _fill_operations(
    rows: NDArray[np.uint8],
    used: NDArray[np.bool_],
    pixels: NDArray[np.uint8],
    steps: NDArray[np.int16],
    remembered: NDArray[np.bool_],
) -> None:
    """Fill in the operation of each changed pixel: five byte places, some of them used.

    ``steps`` are differences of the components as plain integers: from 255 to 0 is -255.
    """
    red, green, blue, alpha = steps.T
    in_five_bits = np.all((steps >= -16) & (steps < 16), axis=1)
    in_four_bits = np.all((steps[:, 1:3] >= -8) & (steps[:, 1:3] < 8), axis=1)
    in_two_bits = np.all((steps[:, :3] >= -2) & (steps[:, :3] < 2), axis=1)
    used[:, 0] = True
    rows[:, 0] = _indexes(pixels.view(np.uint32)[:, 0])

    left = ~remembered
    diff8 = left & in_two_bits & (alpha == 0)
    rows[diff8, 0] = (0x80 | (red & 3) << 4 | (green & 3) << 2 | blue & 3)[diff8]

    left &= ~diff8
    diff16 = left & in_five_bits & in_four_bits & (alpha == 0)
    rows[diff16, 0] = (0xC0 | red & 31)[diff16]
    rows[diff16, 1] = ((green & 15) << 4 | blue & 15)[diff16]
    used[diff16, 1] = True

    left &= ~diff16
    diff24 = left & in_five_bits
    rows[diff24, 0] = (0xE0 | (red & 31) >> 1)[diff24]
    rows[diff24, 1] = ((red & 1) << 7 | (green & 31) << 2 | (blue & 31) >> 3)[diff24]
    rows[diff24, 2] = ((blue & 7) << 5 | alpha & 31)[diff24]
    used[diff24, 1:3] = True

    left &= ~diff24
    changed = steps[left] != 0
    rows[left, 0] = 0xF0 | np.packbits(changed, axis=1)[:, 0] >> 4
    rows[left, 1:] = pixels[left]
    used[left, 1:] = changed
