"""7-Zip archives by our own writer: ``from seven_zip_files import seven_zip``."""

from __future__ import annotations

import lzma
import struct
import zlib
from collections.abc import Mapping

#: What a stream is packed with, as an archive names it, and its properties.
LZMA = (b"\x03\x01\x01", struct.pack("<BI", 3 + 9 * (0 + 5 * 2), 1 << 16))
LZMA2 = (b"\x21", bytes([8]))
COPY = (b"\x00", b"")
AES = (b"\x06\xf1\x07\x01", b"\x00")


def number(value: int) -> bytes:
    """A number as archives have it."""
    for count in range(8):
        if value < 1 << (7 * (count + 1)):
            first = (0xFF00 >> count & 0xFF) | value >> (8 * count)
            return bytes([first]) + (value & (1 << 8 * count) - 1).to_bytes(count, "little")
    return b"\xff" + value.to_bytes(8, "little")


def packed(data: bytes, method: tuple[bytes, bytes]) -> bytes:
    """A packed stream."""
    if method[0] == LZMA[0]:
        filters = [{"id": lzma.FILTER_LZMA1, "dict_size": 1 << 16, "lc": 3, "lp": 0, "pb": 2}]
    elif method[0] == LZMA2[0]:
        filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 16}]
    else:
        return data
    return lzma.compress(data, lzma.FORMAT_RAW, filters=filters)


def streams(sizes: list[int], stored: int, method: tuple[bytes, bytes], inner: bytes) -> bytes:
    """The description of one stream: what it takes, how it is packed, what is in it."""
    key, properties = method
    coder = bytes([len(key) | (0x20 if properties else 0)]) + key
    coder += number(len(properties)) + properties if properties else b""
    made = b"\x06" + number(0) + number(1) + b"\x09" + number(stored) + b"\x00"
    made += b"\x07\x0b" + number(1) + b"\x00" + number(1) + coder
    return made + b"\x0c" + number(sum(sizes)) + b"\x00" + inner + b"\x00"


def seven_zip(
    files: Mapping[str, bytes], method: tuple[bytes, bytes] = LZMA, *, encoded: bool = False
) -> bytes:
    """An archive of files in one stream; ``encoded``: its header is packed, too."""
    full = {name: data for name, data in files.items() if data}
    body = packed(b"".join(full.values()), method)
    sizes = [len(data) for data in full.values()]
    inner = b"\x08\x0d" + number(len(sizes))
    inner += b"\x09" + b"".join(map(number, sizes[:-1])) if len(sizes) > 1 else b""
    sums = b"".join(struct.pack("<I", zlib.crc32(data)) for data in full.values())
    inner += b"\x0a\x01" + sums + b"\x00"
    names = b"\x00" + "".join(f"{name}\0" for name in files).encode("utf-16-le")
    empty = "".join("0" if data else "1" for data in files.values())
    listed = b"\x05" + number(len(files))
    if "1" in empty:
        bits = int(empty.ljust(-(-len(empty) // 8) * 8, "0"), 2).to_bytes(
            -(-len(empty) // 8), "big"
        )
        count = empty.count("1")
        ones = int(("1" * count).ljust(-(-count // 8) * 8, "0"), 2).to_bytes(-(-count // 8), "big")
        listed += b"\x0e" + number(len(bits)) + bits + b"\x0f" + number(len(ones)) + ones
    listed += b"\x11" + number(len(names)) + names + b"\x00"
    header = b"\x01\x04" + streams(sizes, len(body), method, inner) + listed + b"\x00"
    if encoded:
        more = packed(header, LZMA)
        start = number(len(body))
        header_streams = streams([len(header)], len(more), LZMA, b"").replace(
            b"\x06" + number(0), b"\x06" + start, 1
        )
        body, header = body + more, b"\x17" + header_streams
    about = struct.pack("<QQI", len(body), len(header), zlib.crc32(header))
    first = b"7z\xbc\xaf\x27\x1c\x00\x04" + struct.pack("<I", zlib.crc32(about)) + about
    return first + body + header
