"""ROOM: rooms, their instances, layers and tile maps."""

import enum
import sys
from array import array
from collections.abc import MutableSequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import numpy as np

from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker.data.chunks.seqn import SpeedType
from overhaul.gamemaker.data.fields import (
    BackgroundRef,
    CodeRef,
    FontRef,
    ObjectRef,
    ParticleSystemRef,
    SequenceRef,
    SpriteRef,
    StringRef,
    reference,
)
from overhaul.gamemaker.data.version import before, bytecode, gms2, since
from overhaul.media import tilemap
from overhaul.schema import (
    Buffer,
    Condition,
    Deferred,
    Inline,
    Pointers,
    Reader,
    Record,
    Scheme,
    Switch,
    VariableCodec,
    Writer,
    b32,
    enum32,
    f32,
    i32,
    u32,
)
from overhaul.schema.codec import list_of_json

if TYPE_CHECKING:
    from overhaul.schema.outline import Outline
    from overhaul.schema.outlining import Outliner, SlotOf


class TileMap(array):  # type: ignore[type-arg]
    """The tiles of a map, row by row.

    ``encoded`` holds the coded bytes where another encoder than GameMaker's wrote them; they are
    used as long as they decode to the same tiles.
    """

    encoded: bytes | None = None


class TileMapCodec(VariableCodec[TileMap]):
    """``width × height`` numbers; from 2024.2 on coded, from 2024.4 on padded to 4."""

    needs: tuple[str, ...] = ("width", "height")

    def type_name(self) -> str:
        return "u32 × width × height, run-length coded from 2024.2 on"

    def outline(self, outliner: "Outliner", slot_of: "SlotOf") -> "Outline":
        return ("own", "tiles", tuple(map(slot_of, self.needs)), -1)

    def read(
        self, data: Buffer, position: int, reader: Reader, width: int, height: int
    ) -> tuple[TileMap, int]:
        version = reader.version
        count = width * height
        tiles = TileMap("I")
        if version.number < (2024, 2):
            end = position + 4 * count
            if end > len(data):
                raise reader.fail(f"a map of {width}×{height} tiles does not fit", position)
            tiles.frombytes(data[position:end])
            if sys.byteorder == "big":
                tiles.byteswap()
            return tiles, end
        try:
            decoded, end = tilemap.decode(memoryview(data), count, offset=position)
        except FormatError as error:
            error.source = reader.source
            raise
        tiles.frombytes(decoded.tobytes())
        stored = bytes(data[position:end])
        if tilemap.encode(decoded) != stored:
            tiles.encoded = stored
        if version.number >= (2024, 4):
            end = reader.skip_padding(data, end, 4)
        return tiles, end

    def write(self, writer: Writer, value: TileMap, width: int, height: int) -> None:
        if len(value) != width * height:
            raise EncodeError(f"{len(value)} tiles in a map of {width}×{height}")
        version = writer.version
        if version.number < (2024, 2):
            plain = array("I", value)
            if sys.byteorder == "big":
                plain.byteswap()
            writer.out += plain.tobytes()
            return
        tiles = np.array(value, np.uint32)
        coded = getattr(value, "encoded", None)
        if coded is None or (tilemap.decode(coded, len(value))[0] != tiles).any():
            coded = tilemap.encode(tiles)
        writer.out += coded
        if version.number >= (2024, 4):
            writer.align(4)

    def to_jsonable(self, value: TileMap, scheme: Scheme) -> object:
        return list(value)

    def from_jsonable(self, value: object, scheme: Scheme) -> TileMap:
        try:
            return TileMap("I", list_of_json(value))
        except (OverflowError, TypeError, ValueError) as error:
            raise FormatError(f"expected a list of tiles: {error}") from None


class RoomFlags(enum.IntFlag):
    """Bits of a room's flags; the high half marks the generation of the compiler."""

    VIEWS_ENABLED = 1
    CLEAR_VIEW_BACKGROUND = 2
    KEEP_DISPLAY_BUFFER = 4
    STUDIO_2 = 0x20000
    STUDIO_2_3 = 0x10000
    GAMEMAKER_2024_13 = 0x40000


class RoomBackground(Record):
    """A background of a room (GMS1)."""

    enabled: b32 = False
    foreground: b32 = False
    background: BackgroundRef = None
    x: i32 = 0
    y: i32 = 0
    tile_x: Annotated[i32, "repeat horizontally"] = 1
    tile_y: Annotated[i32, "repeat vertically"] = 1
    speed_x: i32 = 0
    speed_y: i32 = 0
    stretch: b32 = False


class View(Record):
    """A view of a room."""

    enabled: b32 = False
    view_x: i32 = 0
    view_y: i32 = 0
    view_width: i32 = 1024
    view_height: i32 = 768
    port_x: i32 = 0
    port_y: i32 = 0
    port_width: i32 = 1024
    port_height: i32 = 768
    border_x: u32 = 32
    border_y: u32 = 32
    speed_x: i32 = -1
    speed_y: i32 = -1
    follow: ObjectRef = None


class Instance(Record):
    """An instance of an object in a room."""

    x: i32 = 0
    y: i32 = 0
    object: ObjectRef = None
    id: Annotated[u32, "instance id, from 100000"] = 0
    creation_code: CodeRef = None
    scale_x: f32 = 1.0
    scale_y: f32 = 1.0
    image_speed: Annotated[f32, since(2, 2, 2, 302)] = 1.0
    image_index: Annotated[i32, since(2, 2, 2, 302)] = 0
    colour: Annotated[u32, "ABGR"] = 0xFFFFFFFF
    rotation: f32 = 0.0
    pre_create_code: Annotated[CodeRef, bytecode(16)] = None


class Tile(Record):
    """A single tile: of a background in GMS1, of a sprite in GMS2 and later."""

    x: i32 = 0
    y: i32 = 0
    background: Annotated[Any, reference("BGND", "background"), before(2)] = None
    sprite: Annotated[Any, reference("SPRT", "sprite"), gms2] = None
    source_x: i32 = 0
    source_y: i32 = 0
    width: u32 = 16
    height: u32 = 16
    depth: i32 = 0
    id: Annotated[u32, "tile id, from 10000000"] = 0
    scale_x: f32 = 1.0
    scale_y: f32 = 1.0
    colour: u32 = 0xFFFFFFFF


class LayerType(enum.IntEnum):
    """The type of a layer."""

    PATH = 0
    BACKGROUND = 1
    INSTANCES = 2
    ASSETS = 3
    TILES = 4
    EFFECT = 6
    PATH_2 = 7


class PropertyKind(enum.IntEnum):
    """The type of an effect property."""

    REAL = 0
    COLOUR = 1
    SAMPLER = 2


class EffectProperty(Record):
    """A property of a layer's effect."""

    kind: Annotated[int, enum32(PropertyKind, "i")] = 0
    name: StringRef = None
    value: StringRef = None


class BackgroundLayer(Record):
    """The drawing of a background layer."""

    visible: b32 = True
    foreground: b32 = False
    sprite: SpriteRef = None
    tile_horizontally: b32 = False
    tile_vertically: b32 = False
    stretch: b32 = False
    colour: u32 = 0xFFFFFFFF
    first_frame: f32 = 0.0
    animation_speed: f32 = 15.0
    speed_type: Annotated[int, enum32(SpeedType)] = 0


class InstancesLayer(Record):
    """The instances of a layer, by id; an id may have no instance in the room."""

    instances: Annotated[list[u32], Inline()] = []


class SpriteInstance(Record):
    """A sprite on an assets layer."""

    name: StringRef = None
    sprite: SpriteRef = None
    x: i32 = 0
    y: i32 = 0
    scale_x: f32 = 1.0
    scale_y: f32 = 1.0
    colour: u32 = 0xFFFFFFFF
    animation_speed: f32 = 1.0
    speed_type: Annotated[int, enum32(SpeedType)] = 0
    frame: f32 = 0.0
    rotation: f32 = 0.0


class SequenceInstance(Record):
    """A sequence on an assets layer."""

    name: StringRef = None
    sequence: SequenceRef = None
    x: i32 = 0
    y: i32 = 0
    scale_x: f32 = 1.0
    scale_y: f32 = 1.0
    colour: u32 = 0xFFFFFFFF
    animation_speed: f32 = 1.0
    speed_type: Annotated[int, enum32(SpeedType)] = 0
    frame: f32 = 0.0
    rotation: f32 = 0.0


class ParticleInstance(Record):
    """A particle system on an assets layer."""

    name: StringRef = None
    id: Annotated[i32, since(2024, 14)] = 0
    particle_system: ParticleSystemRef = None
    x: i32 = 0
    y: i32 = 0
    scale_x: f32 = 1.0
    scale_y: f32 = 1.0
    colour: u32 = 0xFFFFFFFF
    rotation: f32 = 0.0


class TextInstance(Record):
    """A text on an assets layer."""

    name: StringRef = None
    x: i32 = 0
    y: i32 = 0
    font: FontRef = None
    scale_x: f32 = 1.0
    scale_y: f32 = 1.0
    rotation: f32 = 0.0
    colour: u32 = 0xFFFFFFFF
    origin_x: f32 = 0.0
    origin_y: f32 = 0.0
    text: StringRef = None
    alignment: i32 = 0
    character_spacing: f32 = 0.0
    line_spacing: f32 = 0.0
    paragraph_spacing: Annotated[f32, since(2024, 14)] = 0.0
    frame_width: f32 = 0.0
    frame_height: f32 = 0.0
    wrap: b32 = False
    wrap_mode: Annotated[i32, since(2024, 14)] = 0
    origin_kind: Annotated[i32, since(2024, 14)] = 0


class AssetsLayer(Record):
    """The contents of an assets layer."""

    tiles: Annotated[list[Tile], Deferred(Pointers()), "tiles of old projects"] = []
    sprites: Annotated[list[SpriteInstance], Deferred(Pointers())] = []
    sequences: Annotated[list[SequenceInstance], Deferred(Pointers()), since(2, 3)] = []
    nine_slices: Annotated[
        list[SpriteInstance],
        Deferred(Pointers()),
        Condition(lambda v: (2, 3) <= v.number < (2, 3, 2), "2.3.0–2.3.1"),
    ] = []
    particle_systems: Annotated[
        list[ParticleInstance], Deferred(Pointers()), since(2023, 2, lts=False)
    ] = []
    texts: Annotated[list[TextInstance], Deferred(Pointers()), since(2024, 6)] = []


class TilesLayer(Record):
    """A tile map."""

    tileset: BackgroundRef = None
    width: Annotated[u32, "tiles"] = 0
    height: Annotated[u32, "tiles"] = 0
    tiles: Annotated[MutableSequence[int], TileMapCodec(), "row by row"] = msgspec.field(
        default_factory=lambda: array("I")
    )


class EffectLayer(Record):
    """The effect of an effect layer before 2022.1; later it is in the layer's header."""

    effect_type: Annotated[StringRef, before(2022, 1)] = None
    properties: Annotated[list[EffectProperty], Inline(), before(2022, 1)] = []


class Layer(Record):
    """A layer of a room."""

    name: StringRef = None
    id: u32 = 0
    type: Annotated[int, enum32(LayerType)] = 2
    depth: i32 = 0
    offset_x: f32 = 0.0
    offset_y: f32 = 0.0
    speed_x: f32 = 0.0
    speed_y: f32 = 0.0
    visible: b32 = True
    effect_enabled: Annotated[b32, since(2022, 1)] = True
    effect_type: Annotated[StringRef, since(2022, 1)] = None
    effect_properties: Annotated[list[EffectProperty], Inline(), since(2022, 1)] = []
    data: Annotated[
        Any,
        Switch(
            "type",
            {
                LayerType.BACKGROUND: BackgroundLayer,
                LayerType.INSTANCES: InstancesLayer,
                LayerType.ASSETS: AssetsLayer,
                LayerType.TILES: TilesLayer,
                LayerType.EFFECT: EffectLayer,
            },
        ),
    ] = None


class Room(Record):
    """A room."""

    name: StringRef = None
    caption: Annotated[StringRef, "null from GMS2 on"] = None
    width: u32 = 640
    height: u32 = 480
    speed: Annotated[u32, "steps per second; 0 from GMS2 on"] = 0
    persistent: b32 = False
    background_colour: Annotated[u32, "BGR in the low 24 bits"] = 0
    draw_background_colour: b32 = True
    creation_code: CodeRef = None
    flags: Annotated[int, enum32(RoomFlags)] = 0
    backgrounds: Annotated[list[RoomBackground], Deferred(Pointers())] = []
    views: Annotated[list[View], Deferred(Pointers())] = []
    instances: Annotated[list[Instance], Deferred(Pointers(present=True))] = []
    tiles: Annotated[list[Tile], Deferred(Pointers())] = []
    instance_order: Annotated[
        list[u32], Deferred(Inline()), since(2024, 13), "instance ids in order of creation"
    ] = []
    physics_world: b32 = False
    physics_top: u32 = 0
    physics_left: u32 = 0
    physics_right: u32 = 1024
    physics_bottom: u32 = 768
    gravity_x: f32 = 0.0
    gravity_y: f32 = 10.0
    metres_per_pixel: f32 = 0.1
    layers: Annotated[list[Layer], Deferred(Pointers(present=True)), gms2] = []
    sequences: Annotated[list[SequenceRef], Deferred(Inline()), since(2, 3)] = []


class RoomList(Record):
    """All rooms."""

    rooms: Annotated[list[Room], Pointers()] = []
