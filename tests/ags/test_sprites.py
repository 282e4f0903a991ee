"""Sprite sets and their index: every version, compression and depth."""

from __future__ import annotations

import pytest

from overhaul.ags.pictures import Pixels
from overhaul.ags.sprite_index import index_of, read_index, renewed, write_index
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


@pytest.mark.parametrize(("version", "set_version"), [(1, 5), (2, 6), (11, 11), (12, 12)])
def test_an_index_that_fits_is_renewed(version: int, set_version: int) -> None:
    """One of version 1 too, which has no id."""
    sprites, _ = sprite_set(set_version, 1)
    old = SpriteSet.read(sprites.to_bytes())
    index = write_index(version, index_of(sprites, version))
    sprites.replace(0, Pixels(9, 8, 4, bytes(288)))
    made = renewed(index, old, sprites)
    assert made is not None and made != index
    found = read_index(made)[1]
    assert (found.widths[0], found.heights[0]) == (9, 8)
    if version == 12:
        assert found.depths[:3] == [32, 0, 8]  # bits, as the editor writes them
    assert renewed(index[:-1] + b"\1", old, sprites) is None
    assert renewed(index, sprites, sprites) is None


def test_a_set_optimised_for_size_gives_sprites_palettes() -> None:
    sprites = SpriteSet(12)
    sprites.header.store_flags = 1
    sprites.slots = [EmptySlot() for _ in range(6)]
    red, blue = b"\1\2\3\4", b"\5\6\7\x08"
    sprites.replace(0, Pixels(4, 1, 4, blue + red + blue + blue))
    many = b"".join(i.to_bytes(4, "little") for i in range(257)) * 4
    sprites.replace(1, Pixels(257, 4, 4, many))
    sprites.replace(2, Pixels(256, 4, 4, b"".join(many[:1024] for _ in range(4))))
    sprites.replace(3, Pixels(2, 1, 4, red + blue))
    sprites.replace(4, Pixels(4, 1, 1, bytes(4)))
    sprites.replace(5, Pixels(8, 1, 2, b"ab" * 4 + b"cd" * 4))
    first, second, third, fourth, fifth, sixth = (
        slot for slot in sprites.slots if isinstance(slot, Sprite)
    )
    # In the order of their first use; 4 + 8 bytes are less than 16.
    assert (first.header.storage, first.palette, first.data) == (33, blue + red, b"\0\1\0\0")
    assert first.header.palette_last == 1
    assert second.palette == b"" and second.header.storage == 0  # 257 colours
    assert len(third.palette) == 1024 and third.header.palette_last == 255
    assert fourth.palette == b""  # 2 + 8 bytes are more than 8
    assert fifth.palette == b"" and (sixth.header.storage, sixth.palette) == (34, b"abcd")
    again = SpriteSet.read(sprites.to_bytes())
    for slot in range(6):
        one, two = sprites.slots[slot], again.slots[slot]
        assert isinstance(one, Sprite) and isinstance(two, Sprite)
        assert sprites.pixels(one) == again.pixels(two)
    sprites.header.store_flags = 0
    assert sprites.best_palette(Pixels(4, 1, 4, blue + red + blue + blue)) == b""
    # As many bytes as without are no reason against a palette.
    sprites.header.store_flags = 1
    assert sprites.best_palette(Pixels(4, 1, 4, red + blue + b"1234" + red)) == red + blue + b"1234"


def test_a_palette_of_ones_own() -> None:
    sprites = SpriteSet(12)
    sprites.slots = [EmptySlot()]
    pixels = Pixels(2, 1, 4, b"aaaabbbb")
    sprites.replace(0, pixels, palette=b"ccccbbbbaaaa", compression=1)
    (sprite,) = (slot for _, slot in sprites.filled())
    assert sprite.palette == b"ccccbbbbaaaa" and sprites.pixels(sprite) == pixels
    assert sprites.compression_of(sprite) == 1
    with pytest.raises(EncodeError, match="lacks the colour 61616161"):
        sprites.replace(0, pixels, palette=b"bbbb")
    with pytest.raises(EncodeError, match="at most 256"):
        sprites.replace(0, pixels, palette=b"cccc" * 256 + b"aaaabbbb")
    sprites.replace(0, pixels, palette=b"")
    assert next(sprites.filled())[1].header.storage == 0
