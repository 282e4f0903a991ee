"""Texture blobs of every kind: recognised, measured, decoded, made."""

from __future__ import annotations

import bz2
import struct

import numpy as np
import pytest

from overhaul.errors import EncodeError, FormatError
from overhaul.media import dds, png, qoi, textures
from overhaul.media.textures import TextureFormat, TextureInfo

IMAGE = np.random.default_rng(1).integers(0, 4, (13, 21, 4), np.uint8) * np.uint8(60)
KINDS = [
    (TextureFormat.PNG, 0),
    (TextureFormat.QOI, 0),
    (TextureFormat.BZ2_QOI, 8),
    (TextureFormat.BZ2_QOI, 12),
]


def blob(kind: TextureFormat, header_size: int) -> bytes:
    return textures.encode(IMAGE, kind, header_size=header_size or 12)


@pytest.mark.parametrize(("kind", "header_size"), KINDS)
@pytest.mark.parametrize("after", [b"", bytes(128), b"\x01" * 300, b"\x01"])
def test_a_blob_is_known_by_itself(kind: TextureFormat, header_size: int, after: bytes) -> None:
    data = blob(kind, header_size)
    assert textures.sniff(data) is kind
    info = TextureInfo(kind, 21, 13, len(data), header_size)
    assert textures.inspect(data + after) == info
    assert textures.inspect(memoryview(data + after)) == info
    assert np.array_equal(textures.decode(data + after), IMAGE)
    assert np.array_equal(textures.decode(memoryview(data)), IMAGE)


def test_header_of_a_compressed_stream() -> None:
    stream = qoi.encode(IMAGE)
    long, short = textures.compress(stream), textures.compress(stream, header_size=8)
    assert long[:12] == b"2zoq" + struct.pack("<HHI", 21, 13, len(stream))
    assert short[:8] == b"2zoq" + struct.pack("<HH", 21, 13)
    assert long[12:] == short[8:] == bz2.compress(stream, 9)
    assert textures.decompress(long) == textures.decompress(short) == stream
    assert textures.recompresses_identically(long)
    assert textures.recompresses_identically(short)
    other = long[:12] + bz2.compress(stream, 1)
    assert textures.decompress(other) == stream
    assert not textures.recompresses_identically(other)


def test_the_end_of_a_bzip2_stream_with_and_without_decompressing() -> None:
    """The fast way (the end mark) agrees with the slow one, at every bit offset."""
    rng = np.random.default_rng(2)
    for size in range(1, 60):
        compressed = bz2.compress(rng.integers(0, 256, size, np.uint8).tobytes(), 9)
        for after in (b"", bytes(1), bytes(140)):
            data = b"head" + compressed + after
            marked = textures._bz2_end_mark(data, 4)
            measured = textures._bz2_length(memoryview(data)[4:], 1000)
            assert marked == 4 + measured == 4 + len(compressed)
        assert textures._bz2_end_mark(compressed + b"\x01", 0) is None
        assert textures._bz2_end_mark(compressed + bytes(500), 0) is None


def test_an_unknown_blob_takes_all() -> None:
    assert textures.inspect(b"XNBw" + bytes(9)) == TextureInfo(TextureFormat.UNKNOWN, 0, 0, 13)
    with pytest.raises(FormatError, match="unknown kind"):
        textures.decode(b"XNBw" + bytes(9))


def test_kinds_that_are_not_written() -> None:
    for kind in (TextureFormat.DDS, TextureFormat.UNKNOWN):
        with pytest.raises(EncodeError, match="can't be written"):
            textures.encode(IMAGE, kind)
    with pytest.raises(EncodeError, match="8 or 12 bytes"):
        textures.encode(IMAGE, TextureFormat.BZ2_QOI, header_size=9)


STREAM = qoi.encode(IMAGE)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"2zoq", "no bzip2 stream"),
        (b"2zoq" + bytes(40), "no bzip2 stream"),
        (textures.compress(STREAM)[:-1], "ends early"),
        (textures.compress(STREAM)[:12] + b"BZh9" + bytes(40), "broken"),
        # The header says less than the stream gives, then more, then another image.
        (b"2zoq" + STREAM[4:8] + struct.pack("<I", 100) + bz2.compress(STREAM), "exceeds the 100"),
        (
            b"2zoq" + STREAM[4:8] + struct.pack("<I", len(STREAM) + 1) + bz2.compress(STREAM),
            "not the",
        ),
        (
            b"2zoq" + struct.pack("<HHI", 20, 13, len(STREAM)) + bz2.compress(STREAM),
            "the size in its header",
        ),
        # A stream of far more bytes than 21 x 13 pixels can take.
        (b"2zoq" + STREAM[4:8] + bz2.compress(bytes(10_000_000)), "exceeds the 1377 bytes"),
        (b"2zoq" + b"\xff\xff\xff\xff" + bz2.compress(STREAM), "exceeds the limit"),
        (b"fioq" + bytes(7), "'fioq' is missing"),
        (STREAM[:-1], "left"),
        (b"DDS " + bytes(10), "header is broken"),
    ],
)
def test_broken_blobs(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        textures.decode(data)


@pytest.mark.parametrize(
    "data",
    [
        b"2zoq" + bytes(40),
        textures.compress(STREAM)[:-1],
        b"2zoq" + STREAM[4:8] + bz2.compress(bytes(10_000_000)) + b"\x01",
        textures.compress(STREAM)[:20] + bytes(40),
        STREAM[:-1],
        png.encode(IMAGE)[:-1],
        b"DDS " + bytes(10),
    ],
)
def test_broken_blobs_have_no_length(data: bytes) -> None:
    with pytest.raises(FormatError):
        textures.inspect(data)


def surface(width: int, height: int, body: bytes, mipmaps: int = 0, code: bytes = b"") -> bytes:
    """A DDS texture: 32-bit pixels, or blocks with a four-character code."""
    flags = 0x1007 | (0x20000 if mipmaps else 0)
    head = [124, flags, height, width, 0, 0, mipmaps, *[0] * 11, 32]
    if code:
        head += [4, int.from_bytes(code, "little"), 0, 0, 0, 0, 0]
    else:
        head += [0x41, 0, 32, 0x00FF0000, 0x0000FF00, 0x000000FF, 0xFF000000]
    head += [0x1000, 0, 0, 0, 0]
    return b"DDS " + struct.pack("<31I", *head) + body


def test_dds() -> None:
    plain = surface(2, 1, bytes((3, 2, 1, 4, 7, 6, 5, 8)))  # blue, green, red, alpha
    assert textures.inspect(plain + b"next") == TextureInfo(TextureFormat.DDS, 2, 1, len(plain))
    assert textures.decode(plain).tolist() == [[[1, 2, 3, 4], [5, 6, 7, 8]]]
    with pytest.raises(FormatError):
        textures.decode(plain[:-1])
    # DXT1, 8 x 8: 4 blocks of 8 bytes, then mipmaps of 4 x 4, 2 x 2, 1 x 1: one block each.
    blocks = surface(8, 8, bytes(8 * 7), mipmaps=4, code=b"DXT1")
    assert dds.length(blocks + b"next") == len(blocks)
    assert textures.decode(blocks).shape == (8, 8, 4)
    unknown = surface(8, 8, bytes(99), code=b"WHAT")
    assert dds.length(unknown) == len(unknown)
    with pytest.raises(FormatError, match="limit"):
        dds.decode(surface(60000, 60000, b""))
