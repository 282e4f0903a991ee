"""PNG files in and out, with every pixel exact: colours under zero alpha included.

Only the chunks that hold pixels are decoded (header, palette, transparency, data): gamma, colour
profiles and texts can change nothing and cost nothing.  Images of 16 bits per component keep
their high bytes.
"""

from __future__ import annotations

import struct
import zlib
from collections import deque
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

try:  # the extra "fast"
    from zlib_ng import zlib_ng
except ImportError:
    zlib_ng = None

from overhaul.errors import EncodeError, FormatError
from overhaul.lazy import LazyModule
from overhaul.media.bounds import MAX_PIXELS, PILLOW_ERRORS, check_pixels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent import futures

    from numpy.typing import NDArray
    from PIL import Image
else:  # start-up: it imports logging, and only large rooms need it
    futures = LazyModule("concurrent.futures")

_Taken = TypeVar("_Taken")

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_PIXEL_CHUNKS: Final = frozenset((b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"))
# Of pictures with many colours: of the pages of real games level 6 saves 4 % more, and takes half
# as long again.
_COMPRESSION_LEVEL: Final = 4
# Of pictures with few colours, and of those that do not get smaller.  See docs/dependencies.md.
_PLAIN_LEVEL: Final = 3
_NOISE_LEVEL: Final = 1
# The pictures that --small takes.
_SMALLEST: Final = 9
# Pixels that are looked at to find out how many colours there are, and rows to find out whether
# the picture gets smaller.
_LOOKED_AT: Final = 1024
_ROWS: Final = 8
# Kinds of pixels in a header.
_WITH_ALPHA: Final = 6
_WITHOUT_ALPHA: Final = 2
_AS_NUMBER: Final = np.array([1, 1 << 8, 1 << 16, 1 << 24], np.int64)
# Pixels that are copied at once.
_STRIP: Final = 1 << 20
# Strips that wait for being compressed, at most.
_AHEAD: Final = 2


def length(data: bytes | memoryview, start: int = 0, stop: int | None = None) -> int:
    """The bytes a PNG file takes from ``start``, by its chunks; raises FormatError."""
    return _chunks(memoryview(data)[start:stop])[-1][2]


def size(data: bytes | memoryview) -> tuple[int, int]:
    """The (width, height) of a PNG file's header; raises FormatError."""
    head = bytes(data[:33])
    if head[:8] != SIGNATURE or head[12:16] != b"IHDR" or len(head) < 33:
        raise FormatError("not a PNG file: the signature or the header is missing", offset=0)
    return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")


def _chunks(view: memoryview) -> list[tuple[bytes, int, int]]:
    """(kind, start, end) of every chunk up to IEND, each within the bytes there are."""
    if bytes(view[:8]) != SIGNATURE:
        raise FormatError("not a PNG file: the signature is missing", offset=0)
    chunks: list[tuple[bytes, int, int]] = []
    position = 8
    while True:
        head = bytes(view[position : position + 8])
        end = position + 12 + int.from_bytes(head[:4], "big")
        if len(head) < 8 or end > len(view):
            raise FormatError("the PNG file ends before its last chunk", offset=position)
        kind = head[4:]
        chunks.append((kind, position, end))
        if kind == b"IEND":
            return chunks
        position = end


def decode(data: bytes | memoryview, *, max_pixels: int = MAX_PIXELS) -> NDArray[np.uint8]:
    """The pixels of a PNG file as (height, width, 4); raises FormatError.

    Bytes after the file's end are ignored.
    """
    return _decoded(data, max_pixels, from_image)


def decode_indexed(data: bytes | memoryview) -> tuple[NDArray[np.uint8], bytes]:
    """The pixels of an indexed PNG file as indices (height, width), and its palette: red, green
    and blue of each colour.  Raises FormatError, also for one that is not indexed, or that says
    how transparent colours are."""

    def indexed(image: Image.Image) -> tuple[NDArray[np.uint8], bytes]:
        if image.mode != "P" or "transparency" in image.info:
            raise FormatError("expected an indexed picture without transparency", offset=25)
        return np.array(image), bytes(image.getpalette("RGB") or b"")

    return _decoded(data, MAX_PIXELS, indexed)


def encode_indexed(indices: NDArray[np.uint8], palette: bytes) -> bytes:
    """A PNG file of what :func:`decode_indexed` gives, the same every time."""
    image = _image(indices)
    image.putpalette(palette)
    out = BytesIO()
    image.save(out, "PNG", compress_level=_COMPRESSION_LEVEL)
    return out.getvalue()


def _decoded(
    data: bytes | memoryview, max_pixels: int, take: Callable[[Image.Image], _Taken]
) -> _Taken:
    """The pixels of a PNG file, without chunks that do not hold pixels."""
    from PIL import PngImagePlugin  # start-up: Pillow

    check_pixels(*size(data), max_pixels, offset=16)
    view = memoryview(data)
    parts = [view[start:end] for kind, start, end in _chunks(view) if kind in _PIXEL_CHUNKS]
    try:
        with PngImagePlugin.PngImageFile(BytesIO(b"".join((SIGNATURE, *parts)))) as image:
            return take(image)
    except FormatError:
        raise
    except PILLOW_ERRORS as error:
        raise FormatError(f"the PNG file can't be decoded: {error}", offset=0) from error


def same_pixels(one: bytes, two: bytes) -> bool:
    """Whether two PNG files have the same pixels.  Raises FormatError."""
    return one == two or np.array_equal(decode(one), decode(two))


def encode(pixels: NDArray[np.uint8]) -> bytes:
    """A PNG file of an array (height, width, 4), or 3 for pixels without alpha: 8 bits, no other
    chunks, the same every time.

    "The same" holds for one build of Pillow, and with or without the extra ``fast``: another zlib
    may compress to other bytes (and the same pixels).  Raises EncodeError for an image without
    pixels, which PNG can't hold.
    """
    _check(pixels, (3, 4))
    if 0 in pixels.shape:
        raise EncodeError("a PNG file can't hold an image without pixels")
    if _small:
        plain, filtered = _plain(pixels, _SMALLEST), _by_pillow(pixels, _SMALLEST)
        return min(plain, filtered, key=len)
    if _few_colours(pixels):
        return _plain(pixels, _PLAIN_LEVEL)
    if _is_noise(pixels):
        return _plain(pixels, _NOISE_LEVEL, zlib.Z_HUFFMAN_ONLY)
    return _by_pillow(pixels, _COMPRESSION_LEVEL)


#: whether files shall be small, whatever it takes
_small = False


@contextmanager
def smallest(small: bool = True) -> Iterator[None]:
    """Inside the block, :func:`encode` makes files as small as it can, in five times the time."""
    global _small
    before, _small = _small, small
    try:
        yield
    finally:
        _small = before


def _by_pillow(pixels: NDArray[np.uint8], level: int) -> bytes:
    """A PNG file by Pillow, which filters each row in the way that seems best."""
    out = BytesIO()
    _image(pixels).save(out, "PNG", compress_level=level)
    return out.getvalue()


def _plain(pixels: NDArray[np.uint8], level: int, strategy: int = zlib.Z_DEFAULT_STRATEGY) -> bytes:
    """A PNG file with unfiltered rows.

    Pictures of few colours get as small, as drawings repeat themselves, and filtering is most of
    the work.
    """
    height, width, size = pixels.shape
    rows = np.zeros((height, size * width + 1), np.uint8)  # the first byte of each: no filter
    rows[:, 1:] = pixels.reshape(height, size * width)
    kind = _WITH_ALPHA if size == 4 else _WITHOUT_ALPHA
    head = _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0))
    data = _chunk(b"IDAT", _packed(rows, level, strategy))
    return b"".join((SIGNATURE, head, data, _chunk(b"IEND", b"")))


def _packed(data: NDArray[np.uint8], level: int, strategy: int) -> bytes:
    """Bytes as a zlib stream: by zlib-ng where the extra ``fast`` is installed."""
    if zlib_ng is not None:
        level += level == _PLAIN_LEVEL  # its levels are quicker
    module = zlib_ng or zlib
    settings = (zlib.DEFLATED, zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL, strategy)
    packer = module.compressobj(level, *settings)
    made: bytes = packer.compress(data.reshape(-1).data) + packer.flush()
    return made


def _few_colours(pixels: NDArray[np.uint8]) -> bool:
    """Whether a picture has few colours, by some of its pixels."""
    height, width, size = pixels.shape
    step = max(1, height * width // _LOOKED_AT) | 1  # odd, so that not all are of one column
    some = pixels.reshape(-1, size)[::step].astype(np.int64) @ _AS_NUMBER[:size]
    return len(set(some.tolist())) <= max(64, len(some) // 4)


def _is_noise(pixels: NDArray[np.uint8]) -> bool:
    """Whether a picture does not get smaller, by some of its rows."""
    height, width, size = pixels.shape
    rows = np.ascontiguousarray(pixels[:: max(1, height // _ROWS)]).reshape(-1, size * width)
    filtered = _filtered(rows, np.zeros(size * width, np.uint8), size)
    return len(zlib.compress(filtered, _NOISE_LEVEL)) > 0.74 * len(filtered)


def encode_strips(width: int, height: int, strips: Iterable[NDArray[np.uint8]]) -> bytes:
    """A PNG file of a picture that comes in strips from top to bottom, each (rows, width, 4).

    It takes the memory of a few strips and of the file.  A strip is compressed in another thread
    while the next one is made.  Raises EncodeError where the strips are not of the size.
    """
    if not 0 < width < 1 << 31 or not 0 < height < 1 << 31:
        raise EncodeError("a PNG file can't hold an image without pixels")
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    parts = [SIGNATURE, _chunk(b"IHDR", head)]
    packer = zlib.compressobj(_COMPRESSION_LEVEL)

    def pack(rows: NDArray[np.uint8], above: NDArray[np.uint8]) -> bytes:
        return _chunk(b"IDAT", packer.compress(_from_above(rows, above)))

    above = np.zeros(4 * width, np.uint8)
    done = 0
    step = max(1, _STRIP // width)
    packed: deque[futures.Future[bytes]] = deque()
    with futures.ThreadPoolExecutor(1) as thread:
        for strip in strips:
            if strip.shape[1:] != (width, 4) or done + len(strip) > height:
                raise EncodeError(f"expected rows of {width} pixels, {height} in all")
            for first in range(0, len(strip), step):
                rows = strip[first : first + step].reshape(-1, 4 * width)
                packed.append(thread.submit(pack, rows, above))
                above = rows[-1].copy()
                if len(packed) > _AHEAD:
                    parts.append(packed.popleft().result())
            done += len(strip)
        parts += [each.result() for each in packed]
    if done != height:
        raise EncodeError(f"expected {height} rows of pixels, got {done}")
    parts += [_chunk(b"IDAT", packer.flush()), _chunk(b"IEND", b"")]
    return b"".join(part for part in parts if part)


def _from_above(rows: NDArray[np.uint8], above: NDArray[np.uint8]) -> memoryview:
    """Rows as PNG compresses them, each as its differences from the row above (kind 2).

    Drawn rooms get smaller so than by the best kind for each row, in half the time.
    """
    out = np.empty((len(rows), rows.shape[1] + 1), np.uint8)
    out[:, 0] = 2
    np.subtract(rows[:1], above, out=out[:1, 1:])
    np.subtract(rows[1:], rows[:-1], out=out[1:, 1:])
    return out.reshape(-1).data


def _chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk; nothing for one of data without any."""
    if not data and kind == b"IDAT":
        return b""
    check = zlib.crc32(data, zlib.crc32(kind))
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)


def _filtered(rows: NDArray[np.uint8], above: NDArray[np.uint8], size: int = 4) -> bytes:
    """Rows of pixels of ``size`` bytes as PNG compresses them: each as it is, or its differences
    from the pixel to the left or from the row above (kinds 0, 1, 2), whichever are smallest in
    sum."""
    left = rows.copy()
    left[:, size:] -= rows[:, :-size]
    up = rows - np.vstack((above, rows[:-1]))
    kinds = (rows, left, up)
    sums = np.stack([np.minimum(kind, -kind).sum(axis=1, dtype=np.int64) for kind in kinds])
    chosen = sums.argmin(axis=0)
    out = np.empty((len(rows), rows.shape[1] + 1), np.uint8)
    out[:, 0] = chosen
    for number, kind in enumerate(kinds):
        mine = chosen == number
        out[mine, 1:] = kind[mine]
    return out.tobytes()


def to_image(pixels: NDArray[np.uint8]) -> Image.Image:
    """A Pillow image (mode RGBA) of an array (height, width, 4)."""
    _check(pixels)
    return _image(pixels)


def _check(pixels: NDArray[np.uint8], sizes: tuple[int, ...] = (4,)) -> None:
    if pixels.ndim != 3 or pixels.shape[2] not in sizes or pixels.dtype != np.uint8:
        raise EncodeError(
            f"expected bytes of (height, width, 4), got {pixels.dtype} of {pixels.shape}"
        )


def _image(array: NDArray[np.uint8]) -> Image.Image:
    from PIL import Image  # start-up: Pillow

    return Image.fromarray(np.ascontiguousarray(array))


def from_image(image: Image.Image) -> NDArray[np.uint8]:
    """The pixels of a Pillow image of any mode as (height, width, 4), nothing premultiplied."""

    if image.mode.startswith("I"):  # 16-bit grey: Pillow's own conversion would clip it at 255
        grey = np.asarray(image)
        pixels = np.empty((*grey.shape, 4), np.uint8)
        pixels[..., :3] = (grey >> 8)[..., np.newaxis]
        pixels[..., 3] = 255
        if "transparency" in image.info:
            pixels[grey == image.info["transparency"], 3] = 0
        return pixels
    pixels = np.empty((image.height, image.width, 4), np.uint8)
    rows = max(1, _STRIP // max(1, image.width))
    for top in range(0, image.height, rows):  # Pillow gives arrays by way of a copy: keep it small
        strip = image.crop((0, top, image.width, min(top + rows, image.height)))
        pixels[top : top + rows] = strip if image.mode == "RGBA" else strip.convert("RGBA")
    return pixels
