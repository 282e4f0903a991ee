"""Sprite sets and their index: every version, compression and depth."""

from __future__ import annotations

import pytest

from overhaul.ags.pictures import Pixels
from overhaul.ags.sprite_index import index_of, read_index, write_index
from overhaul.ags.sprites import (
    COMPRESSIONS,
    VERSIONS,
    EmptySlot,
    Sprite,
    SpriteHeader,
    SpriteSet,
)
from overhaul.errors import EncodeError, FormatError, UnsupportedVersion

CASES = [
    (version, compression)
    for version in VERSIONS
    for compression in COMPRESSIONS
    if version >= 6 or compression == (1 if version == 5 else 0)
]


def sprite_set(version: int, compression: int) -> tuple[SpriteSet, list[Pixels]]:
    sprites = SpriteSet(version)
    if version >= 6:
        sprites.header.compression = compression
        sprites.header.file_id = 4711
    pictures = []
    for depth in (1, 2, 4):
        for width, height in ((1, 1), (7, 5), (20, 9)):
            size = width * height * depth
            pictures.append(Pixels(width, height, depth, bytes(i // 3 % 7 for i in range(size))))
    sprites.slots = [EmptySlot() for _ in range(2 * len(pictures))]
    for index, pixels in enumerate(pictures):
        sprites.replace(2 * index, pixels)
    return sprites, pictures


@pytest.mark.parametrize(("version", "compression"), CASES)
def test_round_trip(version: int, compression: int) -> None:
    sprites, pictures = sprite_set(version, compression)
    data = sprites.to_bytes()
    again = SpriteSet.read(data)
    assert again.to_bytes() == data and not again.trailing
    assert again.compression == compression
    found = [again.pixels(slot) for slot in again.slots if isinstance(slot, Sprite)]
    assert found == pictures
    assert all(isinstance(slot, EmptySlot) for slot in again.slots[1::2])


@pytest.mark.parametrize("version", [1, 2, 10, 11, 12])
def test_the_index_shifts_with_the_sprites(version: int) -> None:
    sprites, _ = sprite_set(12, 1)
    sprites.to_bytes()
    before = index_of(sprites, version)
    sprites.replace(4, Pixels(30, 30, 4, bytes(range(225)) * 16))
    sprites.to_bytes()
    after = index_of(sprites, version)
    shift = after.offsets[6] - before.offsets[6]
    assert shift > 0
    assert after.offsets[:5] == before.offsets[:5]
    assert after.offsets[5:] == [offset + shift for offset in before.offsets[5:]]
    assert (after.widths[4], after.widths[6]) == (30, before.widths[6])
    data = write_index(version, after)
    read_version, again = read_index(data)
    assert read_version == version and write_index(version, again) == data


@pytest.mark.parametrize("storage", [32, 33, 34])
def test_sprites_with_a_palette_of_their_own(storage: int) -> None:
    depth = {32: 3, 33: 4, 34: 2}[storage]
    palette = bytes(range(3 * depth))
    header = SpriteHeader(depth, storage, 2, 0, 2, 2)
    sprites = SpriteSet(12, slots=[Sprite(header, palette, b"\2\0\1\2")])
    again = SpriteSet.read(sprites.to_bytes())
    (sprite,) = again.slots
    assert isinstance(sprite, Sprite)
    colours = [palette[i * depth : (i + 1) * depth] for i in (2, 0, 1, 2)]
    assert again.pixels(sprite).data == b"".join(colours)
    sprite.data = b"\3\0\1\2"
    with pytest.raises(FormatError, match="outside its palette"):
        again.pixels(sprite)


@pytest.mark.parametrize("compression", [0, 1, 2, 3, 9])
def test_data_that_lies(compression: int) -> None:
    header = SpriteHeader(1, 0, 0, compression, 30, 30)
    sprites = SpriteSet(12, slots=[Sprite(header, b"", b"\0\1\2")])
    (sprite,) = SpriteSet.read(sprites.to_bytes()).slots
    assert isinstance(sprite, Sprite)
    with pytest.raises(FormatError):
        sprites.pixels(sprite)
    sprite.header.width = sprite.header.height = 32767
    with pytest.raises(FormatError):
        sprites.pixels(sprite)


def test_bad_sets() -> None:
    data = sprite_set(12, 1)[0].to_bytes()
    for size in range(0, len(data), 7):
        with pytest.raises(FormatError):
            SpriteSet.read(data[:size])
    with pytest.raises(UnsupportedVersion):
        SpriteSet.read(b"\x07" + data[1:])
    with pytest.raises(FormatError, match=r"slots\[0\].*30000"):
        SpriteSet.read(SpriteSet(12, slots=[Sprite(SpriteHeader(9, 0, 0, 0, 30000, 1), b"", b"")])
                       .to_bytes())  # fmt: skip
    with pytest.raises(EncodeError):
        SpriteSet(12, slots=[EmptySlot()]).replace(0, Pixels(40000, 1, 1, bytes(40000)))


def test_bad_indexes() -> None:
    sprites, _ = sprite_set(12, 1)
    sprites.to_bytes()
    data = write_index(11, index_of(sprites))
    for size in range(len(data)):
        with pytest.raises(FormatError):
            read_index(data[:size])
    with pytest.raises(FormatError, match="follow"):
        read_index(data + b"\0")
    with pytest.raises(UnsupportedVersion):
        read_index(data[:8] + b"\x09" + data[9:])
