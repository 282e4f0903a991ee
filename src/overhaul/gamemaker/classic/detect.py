"""Detecting Game Maker's older files by their content; their extensions are unreliable."""

from __future__ import annotations

import struct

from overhaul.document.registry import Probe

MAGIC = (1234321).to_bytes(4, "little")
ZLIB = b"\x78"


def _number(data: bytes, offset: int) -> int:
    return int.from_bytes(data[offset : offset + 4], "little", signed=True)


def is_project(probe: Probe) -> bool:
    """The magic number and a version; packages and exports begin with the number too."""
    return probe.head[:4] == MAGIC and not is_package(probe) and not is_export(probe)


def is_package(probe: Probe) -> bool:
    """An extension package: obfuscated, behind the number 701 of projects too, or plain."""
    head = probe.head
    if head[:4] == MAGIC:
        return _number(head, 4) == 701 and _number(head, 8) >= 0 and _is_obfuscated_package(head)
    # the name, the folder, the version and the author follow two numbers
    return (
        _number(head, 0) in (700, 743)
        and _number(head, 4) in (0, 1)
        and _texts(head, 8, 4) is not None
    )


def _is_obfuscated_package(head: bytes) -> bool:
    if head[12:13] != b"\xbc" or len(head) < 24:
        return False
    # start-up: hardly any file gets here
    from overhaul.gamemaker.classic.obfuscation import inverse, table_of_seed

    plain = head[13:20].translate(inverse(table_of_seed(_number(head, 8))))
    return plain[:3] == b"\x02\0\0" and plain[3:7] in (bytes(4), b"\1\0\0\0")


def is_export(probe: Probe) -> bool:
    """A sprite, a background or several resources, as one zlib block that fills the file."""
    head = probe.head
    start = 4 if head[:4] == MAGIC else 0
    return (
        _number(head, start) == probe.size - start - 4
        and head[start + 4 : start + 5] == ZLIB
        and int.from_bytes(head[start + 4 : start + 6], "big") % 31 == 0
        and probe.size > 20
    )


def is_library(probe: Probe) -> bool:
    """An action library: Game Maker's, of version 500 or 520, or LateralGM's."""
    head = probe.head
    if head[:5] == b"LGL\xa0\0":
        return True
    if _number(head, 0) not in (500, 520):
        return False
    caption = _texts(head, 4, 1)
    author = None if caption is None else _texts(head, caption + 4, 1)
    if author is None or author + 12 > len(head):
        return False
    (date,) = struct.unpack_from("<d", head, author + 4)
    return bool(0 <= date < 100_000)


def _texts(head: bytes, position: int, count: int) -> int | None:
    """The end of some short texts at a position; None if there are other bytes."""
    for _ in range(count):
        length = _number(head, position)
        position += 4
        if not 0 <= length <= 1000 or position + length > len(head):
            return None
        if any(byte < 32 and byte not in b"\t\r\n" for byte in head[position : position + length]):
            return None
        position += length
    return position


def is_executable(probe: Probe) -> bool:
    """A Windows program with a game of Game Maker 5.3 to 8.1 in it."""
    if probe.head[:2] != b"MZ":
        return False
    # start-up: hardly any file gets here
    from overhaul.gamemaker.classic.executable.container import locate

    return locate(probe.data) is not None
