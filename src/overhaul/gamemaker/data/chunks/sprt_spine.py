"""Spine sprites: skeleton JSON, atlas and textures."""

from typing import Annotated, ClassVar

from overhaul.gamemaker.data.fields import ItemRef
from overhaul.gamemaker.data.version import before, since
from overhaul.schema import (
    Align,
    Condition,
    Counted,
    CountedBytes,
    Inline,
    Record,
    When,
    count_of,
    i32,
    u32,
)

KEY = 42


def unscramble(data: bytes) -> bytes:
    """The JSON or atlas text, which the runner obfuscates."""
    return _shift(data, -1)


def scramble(text: bytes) -> bytes:
    """The inverse of :func:`unscramble`."""
    return _shift(text, 1)


def _shift(data: bytes, sign: int) -> bytes:
    key = KEY
    shifted = bytearray(len(data))
    for index, byte in enumerate(data):
        shifted[index] = byte + sign * (key & 255) & 255
        key = key * (key + 1) & 0xFFFFFFFF
    return bytes(shifted)


class SpineTexture(Record):
    """A texture of a Spine sprite; from 2023.1 on the bytes are on a texture page instead."""

    width: i32 = 0
    height: i32 = 0
    length: u32 = 0
    data: Annotated[bytes, CountedBytes("length", media=True), before(2023, 1, lts=True)] = b""


first: When = When("version", lambda v: v == 1, "version 1")
later: When = When("version", lambda v: v >= 2, "version 2 or 3")
third: When = When("version", lambda v: v >= 3, "version 3")


class SpineSprite(Record):
    """A Spine skeleton; its JSON and atlas are scrambled (see :func:`unscramble`)."""

    items: Annotated[list[ItemRef], Inline(), Align(4), since(2023, 1, lts=False)] = []
    version: Annotated[
        u32, Align(4, Condition(lambda v: v.number < (2023, 1) or v.lts, "")), "1, 2 or 3"
    ] = 3
    cache_version: Annotated[u32, third, "1"] = 1
    json_length: ClassVar[u32] = count_of("json")
    atlas_length: ClassVar[u32] = count_of("atlas")
    texture_length: Annotated[u32, first] = 0
    texture_width: Annotated[u32, first] = 0
    texture_height: Annotated[u32, first] = 0
    texture_count: Annotated[u32, later] = 0
    json: Annotated[bytes, CountedBytes("json_length", media=True)] = b""
    atlas: Annotated[bytes, CountedBytes("atlas_length", media=True)] = b""
    texture: Annotated[bytes, CountedBytes("texture_length", media=True), first] = b""
    textures: Annotated[list[SpineTexture], Counted("texture_count"), later] = []
