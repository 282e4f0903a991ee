"""SPRT: sprites, their frames, collision masks, and special kinds."""

import enum
from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec

from overhaul.errors import EncodeError
from overhaul.gamemaker.data.chunks.seqn import Sequence, SpeedType
from overhaul.gamemaker.data.chunks.sprt_swf import SwfSprite, VectorSprite
from overhaul.gamemaker.data.fields import ItemRef, StringRef
from overhaul.gamemaker.data.pictures import image_of_item, png_bytes, strip
from overhaul.gamemaker.data.version import Version, before, gms2, since
from overhaul.schema import (
    Align,
    Buffer,
    Condition,
    Counted,
    CountedBytes,
    Deferred,
    Embedded,
    Inline,
    Pointers,
    Reader,
    Record,
    Scheme,
    Switch,
    VariableCodec,
    When,
    Writer,
    b32,
    count_of,
    enum32,
    f32,
    i32,
    u32,
)
from overhaul.schema.codec import bytes_from_json, list_of_json
from overhaul.schema.streams import U32

if TYPE_CHECKING:
    from PIL.Image import Image

    from overhaul.schema.outline import Outline
    from overhaul.schema.outlining import Outliner, SlotOf


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


class BboxMode(enum.IntEnum):
    """How the bounding box was made."""

    AUTOMATIC = 0
    FULL_IMAGE = 1
    MANUAL = 2


class CollisionKind(enum.IntEnum):
    """The shape collisions are tested with."""

    RECTANGLE = 0
    PRECISE = 1
    ROTATED_RECTANGLE = 2


class SpriteType(enum.IntEnum):
    """The type of a sprite's pictures."""

    BITMAP = 0
    SWF = 1
    SPINE = 2
    VECTOR = 3


class TileMode(enum.IntEnum):
    """How a part of a nine-slice sprite fills its place."""

    STRETCH = 0
    REPEAT = 1
    MIRROR = 2
    BLANK_REPEAT = 3
    HIDE = 4


class NineSlice(Record):
    """The cuts of a nine-slice sprite."""

    left: i32 = 0
    top: i32 = 0
    right: i32 = 0
    bottom: i32 = 0
    enabled: b32 = True
    left_mode: Annotated[int, enum32(TileMode, "i")] = 0
    top_mode: Annotated[int, enum32(TileMode, "i")] = 0
    right_mode: Annotated[int, enum32(TileMode, "i")] = 0
    bottom_mode: Annotated[int, enum32(TileMode, "i")] = 0
    centre_mode: Annotated[int, enum32(TileMode, "i")] = 0


class SpriteSequence(Record):
    """The sequence embedded in a sprite."""

    version: Annotated[u32, "1"] = 1
    sequence: Sequence = msgspec.field(default_factory=Sequence)


class SpecialMark(VariableCodec[int]):
    """-1 and the sub-version of a special sprite, or nothing (0): a plain sprite of GMS1."""

    def type_name(self) -> str:
        return "i32 -1, u32; absent in a plain sprite"

    def outline(self, outliner: "Outliner", slot_of: "SlotOf") -> "Outline":
        return ("own", "mark", (), -1)

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[int, int]:
        reader.take(data, position, 8)
        if U32.unpack_from(data, position)[0] != 0xFFFFFFFF:
            return 0, position
        (version,) = U32.unpack_from(data, position + 4)
        if not 1 <= version <= 3:
            raise reader.fail(f"a special sprite of the unknown sub-version {version}", position)
        return version, position + 8

    def write(self, writer: Writer, value: int) -> None:
        if value:
            writer.out += b"\xff\xff\xff\xff" + U32.pack(value)


class CollisionMasks(VariableCodec[list[bytes]]):
    """A count, then 1-bit masks of whole rows; together padded to a multiple of 4 bytes.

    Rows run from the top, the leftmost pixel is the highest bit.  A mask covers the sprite, from
    2024.6 on only the bounding box.  The value is a list of ``bytes``, one for each mask.
    """

    needs: tuple[str, ...] = (
        "width",
        "height",
        "margin_left",
        "margin_right",
        "margin_top",
        "margin_bottom",
    )

    def type_name(self) -> str:
        return "count, masks of 1 bit per pixel, padding to 4"

    def outline(self, outliner: "Outliner", slot_of: "SlotOf") -> "Outline":
        return ("own", "masks", tuple(map(slot_of, self.needs)), -1)

    def read(
        self, data: Buffer, position: int, reader: Reader, *sides: int
    ) -> tuple[list[bytes], int]:
        reader.take(data, position, 4)
        (count,) = U32.unpack_from(data, position)
        position += 4
        if not count:
            return [], position
        width, height = mask_size(reader.version, *sides)
        size = (width + 7) // 8 * height
        if size <= 0 or count * size > len(data) - position:
            raise reader.fail(
                f"{count} masks of {width}×{height} pixels do not fit the bytes left",
                position - 4,
            )
        masks = [
            bytes(data[at : at + size]) for at in range(position, position + count * size, size)
        ]
        position += count * size
        end = position + (-count * size) % 4
        if end > len(data):
            raise reader.truncated(data, position)
        if any(data[position:end]):
            reader.note("padding is not zero", position)
        return masks, end

    def write(self, writer: Writer, value: list[bytes], *sides: int) -> None:
        writer.out += U32.pack(len(value))
        width, height = mask_size(writer.version, *sides)
        size = (width + 7) // 8 * height
        total = 0
        for index, mask in enumerate(value):
            if len(mask) != size:
                raise EncodeError(
                    f"a mask of {width}×{height} pixels has {size} bytes, not {len(mask)}"
                ).within("", index)
            writer.out += mask
            total += size
        writer.out += bytes(-total % 4)

    def to_jsonable(self, value: list[bytes], scheme: Scheme) -> object:
        return [mask.hex() for mask in value]

    def from_jsonable(self, value: object, scheme: Scheme) -> list[bytes]:
        return [bytes_from_json(mask) for mask in list_of_json(value)]


def mask_size(
    version: Version, width: int, height: int, left: int, right: int, top: int, bottom: int
) -> tuple[int, int]:
    """The width and height of a sprite's collision masks, in pixels."""
    if version.number >= (2024, 6):
        return right - left + 1, bottom - top + 1
    return width, height


def _special(sub_version: int) -> bool:
    return sub_version >= 1


def _bitmap(sprite_type: int) -> bool:
    return sprite_type == SpriteType.BITMAP


special: When = When("sub_version", _special, "special sprite")
bitmap: When = When("sprite_type", _bitmap, "bitmap sprite")


class Sprite(Record):
    """A sprite."""

    name: StringRef = None
    width: u32 = 0
    height: u32 = 0
    margin_left: Annotated[i32, "bounding box"] = 0
    margin_right: i32 = 0
    margin_bottom: i32 = 0
    margin_top: i32 = 0
    transparent: b32 = False
    smooth: b32 = False
    preload: b32 = False
    bbox_mode: Annotated[int, enum32(BboxMode)] = 0
    collision_kind: Annotated[int, enum32(CollisionKind)] = 0
    origin_x: i32 = 0
    origin_y: i32 = 0
    sub_version: Annotated[int, SpecialMark()] = 0
    sprite_type: Annotated[int, enum32(SpriteType), special] = 0
    playback_speed: Annotated[f32, gms2, special] = 30.0
    playback_speed_type: Annotated[int, enum32(SpeedType), gms2, special] = 0
    sequence: Annotated[
        SpriteSequence | None,
        Deferred(Embedded(SpriteSequence)),
        gms2,
        When("sub_version", lambda v: v >= 2, "sub-version 2+"),
    ] = None
    nine_slice: Annotated[
        NineSlice | None,
        Deferred(Embedded(NineSlice)),
        gms2,
        When("sub_version", lambda v: v >= 3, "sub-version 3+"),
    ] = None
    textures: Annotated[list[ItemRef], Inline(), bitmap, "one for each frame"] = []
    masks: Annotated[list[bytes], CollisionMasks(), bitmap] = []
    special: Annotated[
        object,
        Switch(
            "sprite_type",
            {
                SpriteType.SWF: SwfSprite,
                SpriteType.SPINE: SpineSprite,
                SpriteType.VECTOR: VectorSprite,
            },
        ),
    ] = None

    @property
    def frames(self) -> "tuple[Image | None, ...]":
        """The frames on the sprite's full canvas, as Pillow images (RGBA).

        They are copies: ``game.set_frame`` puts one back.
        """
        return tuple(image_of_item(item) for item in self.textures)

    def _repr_png_(self) -> bytes | None:
        return png_bytes(strip(self.frames))


class SpriteList(Record):
    """All sprites."""

    sprites: Annotated[list[Sprite], Pointers(align=4)] = []


__all__ = ["Sprite", "SpriteList", "SpriteType", "since"]
