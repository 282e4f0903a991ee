"""Sprite sets (acsprset.spr).

A set is a run of slots, some empty.  A sprite keeps its stored bytes until its pixels are
replaced.  Source: the engine's ``Common/ac/spritefile.cpp``; see docs/formats/ags-sprites.md.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Final

from overhaul.ags.compression import compress_rle, decompress_lzw, decompress_rle
from overhaul.ags.detect import SPRITE_SET as SIGNATURE
from overhaul.ags.fields import new_reader, new_writer
from overhaul.ags.lzw_encoder import compress_lzw
from overhaul.ags.pictures import Pixels
from overhaul.ags.versions import SPRITES_PACKED, SPRITES_STORAGE
from overhaul.errors import EncodeError, FormatError, UnsupportedVersion
from overhaul.media.bounds import MAX_PIXELS, check_pixels
from overhaul.schema import Bytes, Either, FixedCodec, Record, codec_for, i16, i32, since, u8
from overhaul.schema.record import short_repr

NONE, RLE, LZW, DEFLATE = 0, 1, 2, 3
COMPRESSIONS: Final = {NONE: "none", RLE: "rle", LZW: "lzw", DEFLATE: "deflate"}
VERSIONS: Final = (4, 5, 6, 10, 11, 12)
_LZW_SHORTEST: Final = 16
PALETTE_FORMATS: Final = {32: 3, 33: 4, 34: 2}
"""Storage formats with a palette, and the bytes of a colour in each."""
PALETTE_STORAGE: Final = {size: storage for storage, size in PALETTE_FORMATS.items()}


class SpriteSetHeader(Record):
    """The header of a sprite set, after its version and signature."""

    palette: Annotated[bytes, Bytes(768), ~since(5)] = bytes(768)
    compression: Annotated[u8, since(6), "0 none, 1 RLE, 2 LZW, 3 deflate"] = 0
    file_id: Annotated[i32, since(6), "repeated in the index"] = 0
    last_slot: Annotated[int, Either(since(11), FixedCodec("i", "i32"), FixedCodec("H", "u16"))] = 0
    store_flags: Annotated[u8, since(12), "1 optimised for size"] = 0
    reserved: Annotated[bytes, Bytes(3), since(12)] = bytes(3)


class SpriteHeader(Record):
    """The header of a sprite; an empty slot has only the first two bytes."""

    depth: Annotated[u8, "bytes per pixel"] = 0
    storage: Annotated[u8, "0 as it is; 32, 33, 34: indexes into a palette"] = 0
    palette_last: Annotated[u8, since(12), "palette entries less 1"] = 0
    compression: Annotated[u8, since(12)] = 0
    width: i16 = 0
    height: i16 = 0


@dataclass(slots=True)
class Sprite:
    """A sprite as stored: ``data`` is what follows palette and size in the file."""

    __repr__ = short_repr

    header: SpriteHeader
    palette: bytes
    data: bytes
    offset: int = 0

    @property
    def width(self) -> int:
        """In pixels."""
        return self.header.width

    @property
    def height(self) -> int:
        """In pixels."""
        return self.header.height

    @property
    def depth(self) -> int:
        """Bytes per pixel of the sprite as it is drawn."""
        return self.header.depth


@dataclass(slots=True)
class EmptySlot:
    """A slot without a sprite; ``storage`` is the second of its two bytes."""

    __repr__ = short_repr

    storage: int = 0
    offset: int = 0


@dataclass(slots=True)
class SpriteSet:
    """The slots of a sprite set in order.

    ``version`` and ``header`` say how it is stored; ``trailing`` are the bytes behind the last.
    """

    __repr__ = short_repr

    version: int = 12
    header: SpriteSetHeader = field(default_factory=SpriteSetHeader)
    slots: list[Sprite | EmptySlot] = field(default_factory=list)
    trailing: bytes = b""

    @classmethod
    def read(cls, data: bytes | memoryview, *, source: str | None = None) -> SpriteSet:
        """The sprite set in ``data``.  Raises FormatError, UnsupportedVersion."""
        data = bytes(data)
        if data[2:15] != SIGNATURE:
            raise FormatError("not a sprite set: expected ' Sprite File '", source=source, offset=2)
        version = int.from_bytes(data[:2], "little", signed=True)
        if version not in VERSIONS:
            raise UnsupportedVersion(
                f"unknown sprite set version {version}", source=source, offset=0
            )
        reader = new_reader(version, source)
        header, position = codec_for(SpriteSetHeader, version).read(data, 15, reader)
        result = cls(version, header)
        count = header.last_slot + 1
        if not 0 <= count <= (len(data) - position) // 2 + 1:
            raise reader.fail(f"{count} slots do not fit into the bytes left", position)
        try:
            while len(result.slots) < count:
                position = result._read_slot(data, position)
        except FormatError as error:
            error.source = source
            raise error.within("slots", len(result.slots)) from None
        except struct.error:
            place = len(result.slots)
            raise reader.truncated(data, position).within("slots", place) from None
        result.trailing = data[position:]
        return result

    def _read_slot(self, data: bytes, position: int) -> int:
        start = position
        if position + 2 > len(data):
            raise FormatError("the data ends before the last slot", offset=position)
        if data[position] == 0:
            self.slots.append(EmptySlot(data[position + 1], start))
            return position + 2
        codec = codec_for(SpriteHeader, self.version)
        header, position = codec.read(data, position, _READER)
        if header.width <= 0 or header.height <= 0 or header.depth > 4:
            raise FormatError(
                f"not a valid sprite: {header.width} x {header.height} of {header.depth} bytes",
                offset=start,
            )
        palette = b""
        if self.version >= SPRITES_STORAGE and header.storage in PALETTE_FORMATS:
            size = (header.palette_last + 1) * PALETTE_FORMATS[header.storage]
            palette = data[position : position + size]
            position += size
        if self.version >= SPRITES_STORAGE or self.compression:
            (size,) = struct.unpack_from("<I", data, position)
            position += 4
        else:
            size = header.width * header.height * header.depth
        if size > len(data) - position:
            raise FormatError(
                f"a sprite of {size} bytes does not fit into the {len(data) - position} left",
                offset=start,
            )
        sprite = Sprite(header, palette, data[position : position + size], start)
        self.slots.append(sprite)
        return position + int(size)

    @property
    def compression(self) -> int:
        """The compression of the set: one of NONE, RLE, LZW, DEFLATE."""
        return 1 if self.version == SPRITES_PACKED else self.header.compression

    def to_bytes(self) -> bytes:
        """The sprite set as stored in a file; each slot's offset is set."""
        if len(self.slots) != self.header.last_slot + 1:
            self.header.last_slot = len(self.slots) - 1
        writer = new_writer(self.version)
        out = writer.out
        out += self.version.to_bytes(2, "little") + SIGNATURE
        codec_for(SpriteSetHeader, self.version).write(writer, self.header)
        codec = codec_for(SpriteHeader, self.version)
        sized = self.version >= SPRITES_STORAGE or self.compression != NONE
        for slot in self.slots:
            slot.offset = len(out)
            if isinstance(slot, EmptySlot):
                out += bytes([0, slot.storage])
                continue
            codec.write(writer, slot.header)
            out += slot.palette
            if sized:
                out += len(slot.data).to_bytes(4, "little")
            out += slot.data
        return bytes(out) + self.trailing

    # -- pixels ------------------------------------------------------------------------------

    def filled(self) -> Iterator[tuple[int, Sprite]]:
        """(slot, sprite) of each slot that has a sprite."""
        for slot, sprite in enumerate(self.slots):
            if isinstance(sprite, Sprite):
                yield slot, sprite

    def compression_of(self, sprite: Sprite) -> int:
        """How one sprite is packed."""
        return sprite.header.compression if self.version >= SPRITES_STORAGE else self.compression

    def pixels(self, sprite: Sprite) -> Pixels:
        """The pixels of a sprite as it is drawn; raises FormatError for broken data."""
        header = sprite.header
        check_pixels(header.width, header.height, MAX_PIXELS)
        unit = 1 if sprite.palette else header.depth
        size = header.width * header.height * unit
        data = _unpack(sprite.data, size, unit, self.compression_of(sprite))
        if sprite.palette:
            data = _colours(data, sprite.palette, header.depth)
        return Pixels(header.width, header.height, header.depth, data)

    def replace(
        self,
        index: int,
        pixels: Pixels,
        *,
        palette: bytes | None = None,
        compression: int | None = None,
    ) -> None:
        """Put other pixels in a slot, stored and packed as the set's others are.

        ``palette``: the sprite's own colours instead of those the editor would choose, ``b""`` for
        none; ``compression`` is one of NONE, RLE, LZW, DEFLATE.  Raises EncodeError where the
        palette lacks a colour.
        """
        if not (0 < pixels.width < 1 << 15 and 0 < pixels.height < 1 << 15):
            raise EncodeError(f"not a valid size of a sprite: {pixels.width} x {pixels.height}")
        old = self.slots[index]
        packing = self.compression if compression is None else compression
        if compression is None and isinstance(old, Sprite):
            packing = self.compression_of(old)
        if palette is None:
            palette = self.best_palette(pixels)
        plain, unit, storage = pixels.data, pixels.depth, 0
        if palette:
            plain, unit, storage = _indexes(pixels, palette), 1, PALETTE_STORAGE[pixels.depth]
        row = 0 if self.version >= SPRITES_STORAGE else pixels.width * pixels.depth
        data = _pack(plain, unit, packing, row)
        last = max(0, len(palette) // pixels.depth - 1)
        header = SpriteHeader(pixels.depth, storage, last, packing, pixels.width, pixels.height)
        self.slots[index] = Sprite(header, palette, data)

    def best_palette(self, pixels: Pixels) -> bytes:
        """The palette that the editor gives a sprite of a set that is optimised for size.

        It has the colours in the order of their first use; ``b""`` where that takes more bytes
        than the pixels themselves.
        """
        if self.version < SPRITES_STORAGE or not self.header.store_flags & 1 or pixels.depth == 1:
            return b""
        colours = _distinct(pixels)
        size = len(pixels.data) // pixels.depth + len(colours) * pixels.depth
        return b"".join(colours) if len(colours) <= 256 and size <= len(pixels.data) else b""


_READER: Final = new_reader()


def _unpack(data: bytes, size: int, unit: int, compression: int) -> bytes:
    if compression == NONE:
        plain = data
    elif compression == RLE:
        plain, _ = decompress_rle(data, size, unit)
    elif compression == LZW:
        plain = data if size < _LZW_SHORTEST else decompress_lzw(data, size)
    elif compression == DEFLATE:
        plain = _inflate(data, size)
    else:
        raise FormatError(f"unknown sprite compression {compression}")
    if len(plain) != size:
        raise FormatError(f"expected {size} bytes of pixels, got {len(plain)}")
    return plain


def _inflate(data: bytes, size: int) -> bytes:
    machine = zlib.decompressobj()
    try:
        return machine.decompress(data, size + 1)
    except zlib.error as error:
        raise FormatError(f"not valid deflate data: {error}") from None


def _pack(data: bytes, unit: int, compression: int, row: int) -> bytes:
    if compression == NONE:
        return data
    if compression == RLE:
        return compress_rle(data, unit, row)
    if compression == LZW:
        return data if len(data) < _LZW_SHORTEST else compress_lzw(data)
    return zlib.compress(data)


def _each(pixels: Pixels) -> Iterator[bytes]:
    """The bytes of each pixel."""
    data, depth = pixels.data, pixels.depth
    return (data[at : at + depth] for at in range(0, len(data), depth))


def _distinct(pixels: Pixels) -> list[bytes]:
    """The different colours in the order of their first use, 257 of them at most."""
    distinct: dict[bytes, None] = {}
    for colour in _each(pixels):
        distinct[colour] = None
        if len(distinct) > 256:
            break
    return list(distinct)


def _indexes(pixels: Pixels, palette: bytes) -> bytes:
    """Each pixel as the place of its colour in a palette.  Raises EncodeError."""
    depth = pixels.depth
    colours = [palette[at : at + depth] for at in range(0, len(palette), depth)]
    places = {colour: place for place, colour in reversed([*enumerate(colours)])}
    try:
        return bytes([places[colour] for colour in _each(pixels)])
    except KeyError as error:
        (colour,) = error.args
        raise EncodeError(f"the sprite's palette lacks the colour {colour.hex()}") from None
    except ValueError:
        raise EncodeError("a palette has at most 256 colours") from None


def _colours(indexes: bytes, palette: bytes, depth: int) -> bytes:
    """Each index replaced by its colour of ``depth`` bytes."""
    if len(palette) < (max(indexes, default=0) + 1) * depth:
        raise FormatError("a sprite's pixel lies outside its palette")
    pixels = bytearray(len(indexes) * depth)
    for at in range(depth):
        pixels[at::depth] = indexes.translate(palette[at::depth][:256].ljust(256, b"\0"))
    return bytes(pixels)
