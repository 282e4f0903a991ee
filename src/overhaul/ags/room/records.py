"""The blocks of a room, field by field.  ``version`` is the room version.

Source: the engine's ``Common/game/room_file.cpp`` and ``room_file_deprecated.cpp``; see
docs/formats/ags-rooms.md.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Annotated, Any, ClassVar, TypeAlias

from overhaul.ags.blocks import BlockId
from overhaul.ags.events import ROOM_EVENTS
from overhaul.ags.fields import EString, FixedText, blob, lstr, new, zeros
from overhaul.ags.properties import (
    Anchor,
    EventBlock,
    EventList,
    EventSchema,
    HandlerTable,
    Interaction,
    InteractionVariable,
    PropertySet,
    SchemaAndTables,
    TextMap,
    ThingNames,
)
from overhaul.ags.room.pictures import LzwPicture, Mask
from overhaul.ags.shapes import Truth, by_event
from overhaul.ags.text import add_key, subtract_key
from overhaul.ags.versions import ROOM_COUNTED_HOTSPOTS
from overhaul.ags.words import Shown
from overhaul.schema import (
    Binder,
    BoundCodec,
    Buffer,
    Bytes,
    Counted,
    Either,
    Inline,
    NulText,
    OneOf,
    Reader,
    Record,
    Scheme,
    SizedText,
    Times,
    ToEnd,
    VariableCodec,
    Writer,
    before,
    by_version,
    codec_for,
    count_of,
    f32,
    i8,
    i16,
    i32,
    since,
    u8,
    u16,
)
from overhaul.schema.codec import list_of_json
from overhaul.schema.jsonable import from_jsonable, to_jsonable
from overhaul.schema.lists import BoundCounted

_OLD_HOTSPOTS = 20


class PerHotspot(Counted):
    """One element for each hotspot; up to version 25 a count of 0 means 20."""

    def __init__(self) -> None:
        super().__init__("hotspot_count")

    def is_length(self, version: Any) -> bool:
        return bool(version >= ROOM_COUNTED_HOTSPOTS)

    def bind(self, binder: Binder) -> BoundCodec[list[Any]]:
        count = self.old_count if binder.version < ROOM_COUNTED_HOTSPOTS else None
        return BoundCounted(self.elements(binder), self.needs, count)

    def signature(self, binder: Binder) -> Hashable:
        return binder.version < ROOM_COUNTED_HOTSPOTS, super().signature(binder)

    @staticmethod
    def old_count(count: int) -> int:
        """The number of hotspots up to version 25."""
        return count or _OLD_HOTSPOTS


Name: TypeAlias = Annotated[str, by_version((28, FixedText(30)), (31, NulText()), last=SizedText())]
HotspotScriptName: TypeAlias = Annotated[str, by_version((31, FixedText(20)), last=SizedText())]
ObjectName: TypeAlias = Annotated[str, by_version((31, FixedText(30)), last=SizedText())]
ObjectScriptName: TypeAlias = Annotated[str, by_version((31, FixedText(20)), last=SizedText())]
Message: TypeAlias = Annotated[str, by_version((22, NulText()), last=EString())]


ShortName: TypeAlias = Annotated[str, SizedText("B")]


class Point(Record):
    """A place in the room."""

    x: Annotated[i16, Shown("X")] = 0
    y: Annotated[i16, Shown("Y")] = 0


class PolygonArea(Record):
    """A walkable area as a polygon; released editors do not write them."""

    x: Annotated[list[i32], Times(30)] = []
    y: Annotated[list[i32], Times(30)] = []
    count: i32 = 0


class RoomObject(Record):
    """An object as it is when the room is first entered."""

    sprite: Annotated[u16, Shown("Image", to="sprites")] = 0
    x: Annotated[i16, Shown("StartX")] = 0
    y: Annotated[i16, Shown("StartY")] = 0
    room: i16 = 0
    on: Annotated[i16, Shown("Visible", Truth())] = 0


class MessageInfo(Record):
    """How a message is shown."""

    display_as: Annotated[u8, Shown("DisplayAs")] = 0
    flags: Annotated[u8, Shown("Flags")] = 0


class GraphicalScript(Record):
    """A script of the graphical editor, not understood further."""

    number: i32 = 0
    data: blob = b""


class _GraphicalScripts(VariableCodec[list[GraphicalScript]]):
    """Scripts up to the number -1."""

    minimum = 4

    def type_name(self) -> str:
        return "GraphicalScript to the number -1"

    def read(
        self, data: Buffer, position: int, reader: Reader
    ) -> tuple[list[GraphicalScript], int]:
        scripts: list[GraphicalScript] = []
        codec = codec_for(GraphicalScript, None)
        while bytes(data[position : position + 4]) != b"\xff\xff\xff\xff":
            item, position = codec.read(data, position, reader)
            scripts.append(item)
        return scripts, position + 4

    def write(self, writer: Writer, value: list[GraphicalScript]) -> None:
        codec = codec_for(GraphicalScript, None)
        for item in value:
            codec.write(writer, item)
        writer.out += b"\xff\xff\xff\xff"

    def to_jsonable(self, value: list[GraphicalScript], scheme: Scheme) -> object:
        return [to_jsonable(item, scheme) for item in value]

    def from_jsonable(self, value: object, scheme: Scheme) -> list[GraphicalScript]:
        return [from_jsonable(GraphicalScript, item, scheme) for item in list_of_json(value)]


class FullAnimation(Record):
    """An animation of very old rooms, not understood further."""

    data: Annotated[bytes, Bytes(244)] = bytes(244)


# Of the room 5 (7 from version 7), of 15 hotspots 4 each, of 10 objects 6 each.
_PER_CONDITION = Either(before(7), Times(125), Times(127))
_PER_WALK_AREA = Either(before(14), Times(15), Counted("walk_area_count"))


class MainBlock(Record):
    """Block 1: everything of a room but its script, names, properties and further frames."""

    depth: Annotated[
        i32, since(12), Shown("BytesPerPixel"), "bytes per pixel of the background; 0 means 1"
    ] = 1
    walk_behind_count: ClassVar[i16] = count_of("walk_behind_baselines")
    walk_behind_baselines: Annotated[list[i16], Counted("walk_behind_count")] = []
    condition_responses: Annotated[list[i16], _PER_CONDITION, before(9)] = []
    condition_values: Annotated[list[i16], _PER_CONDITION, before(9)] = []
    condition_data: Annotated[list[i16], _PER_CONDITION, before(9)] = []
    condition_extra: Annotated[list[i16], _PER_CONDITION, before(9)] = []
    condition_scores: Annotated[list[i8], _PER_CONDITION, before(9)] = []
    hotspot_count: Annotated[i32, since(9), "before 26, 0 means 20"] = 0
    hotspot_conditions: Annotated[list[EventBlock], PerHotspot(), since(9) & before(15)] = []
    object_conditions: Annotated[list[EventBlock], Times(10), since(9) & before(15)] = []
    room_conditions: Annotated[EventBlock, since(9) & before(15)] = new(EventBlock)
    walk_to_points: Annotated[list[Point], PerHotspot(), since(9)] = []
    hotspot_names: Annotated[list[Name], PerHotspot(), since(9)] = []
    hotspot_script_names: Annotated[list[HotspotScriptName], PerHotspot(), since(24)] = []
    polygon_count: ClassVar[Annotated[i32, since(9)]] = count_of("polygons")
    polygons: Annotated[list[PolygonArea], Counted("polygon_count"), since(9)] = []
    edge_top: Annotated[i16, Shown("TopEdgeY")] = 0
    edge_bottom: Annotated[i16, Shown("BottomEdgeY")] = 0
    edge_left: Annotated[i16, Shown("LeftEdgeX")] = 0
    edge_right: Annotated[i16, Shown("RightEdgeX")] = 0
    object_count: ClassVar[u16] = count_of("objects")
    objects: Annotated[list[RoomObject], Counted("object_count")] = []
    variables: Annotated[list[InteractionVariable], Inline("i"), since(19)] = []
    hotspot_interactions: Annotated[list[Interaction], PerHotspot(), since(15) & before(26)] = []
    object_interactions: Annotated[
        list[Interaction], Counted("object_count"), since(15) & before(26)
    ] = []
    room_interaction: Annotated[Interaction, since(15) & before(26)] = new(Interaction)
    region_count: Annotated[i32, since(21)] = 0
    region_interactions: Annotated[
        list[Interaction], Counted("region_count"), since(21) & before(26)
    ] = []
    room_events: Annotated[EventList, since(26), Shown("Interactions", by_event(ROOM_EVENTS))] = []
    hotspot_events: Annotated[list[EventList], PerHotspot(), since(26)] = []
    object_events: Annotated[list[EventList], Counted("object_count"), since(26)] = []
    region_events: Annotated[list[EventList], Counted("region_count"), since(26)] = []
    object_baselines: Annotated[list[i32], Counted("object_count"), since(9)] = []
    width: Annotated[i16, since(9), Shown("Width")] = 0
    height: Annotated[i16, since(9), Shown("Height")] = 0
    object_flags: Annotated[list[i16], Counted("object_count"), since(23)] = []
    resolution: Annotated[
        i16,
        since(11),
        Shown("MaskResolution"),
        "1 low, 2 high; from 33, the room's pixels for one of a mask",
    ] = 1
    walk_area_count: Annotated[i32, since(14), "before, 15"] = 15
    scaling_far: Annotated[list[i16], _PER_WALK_AREA, since(10)] = []
    player_view: Annotated[list[i16], _PER_WALK_AREA, since(13)] = []
    scaling_near: Annotated[list[i16], Counted("walk_area_count"), since(18)] = []
    scaling_top: Annotated[list[i16], Counted("walk_area_count"), since(18)] = []
    scaling_bottom: Annotated[list[i16], Counted("walk_area_count"), since(18)] = []
    password: Annotated[bytes, Bytes(11)] = bytes(11)
    start_music: Annotated[u8, Shown("PlayMusicOnRoomLoad")] = 0
    saving_disabled: Annotated[u8, Shown("SaveLoadEnabled", Truth(inverted=True))] = 0
    player_off: Annotated[u8, Shown("ShowPlayerCharacter", Truth(inverted=True))] = 0
    player_special_view: Annotated[u8, Shown("PlayerCharacterView", to="views")] = 0
    music_volume: Annotated[u8, Shown("MusicVolumeAdjustment")] = 0
    flags: u8 = 0
    reserved: Annotated[bytes, Bytes(4)] = bytes(4)
    message_count: i16 = 0
    game_id: Annotated[i32, since(25), Shown("GameID"), "16325 means none"] = 16325
    message_info: Annotated[list[MessageInfo], Counted("message_count"), since(3)] = []
    messages: Annotated[list[Message], Counted("message_count")] = []
    animation_count: ClassVar[Annotated[i16, since(6)]] = count_of("animations")
    animations: Annotated[list[FullAnimation], Counted("animation_count"), since(6)] = []
    script_format: Annotated[int, OneOf(1), since(4) & before(15)] = 1
    script_variables: Annotated[list[ShortName], Inline("i"), since(4) & before(15)] = []
    graphical_scripts: Annotated[
        list[GraphicalScript], _GraphicalScripts(), since(4) & before(15)
    ] = []
    walk_area_light: Annotated[list[i16], Times(16), since(8)] = []
    region_light: Annotated[list[i16], Counted("region_count"), since(21)] = []
    region_tint: Annotated[list[i32], Counted("region_count"), since(21)] = []
    old_background: Annotated[Mask, before(5), "a picture; its palette counts"] = new(Mask)
    background: Annotated[LzwPicture, since(5)] = new(LzwPicture)
    region_mask: Annotated[Mask, since(8)] = new(Mask)
    walkable_mask: Mask = new(Mask)
    walk_behind_mask: Mask = new(Mask)
    hotspot_mask: Mask = new(Mask)


class ObjectNames(Record):
    """Block 5: the names of the objects."""

    names: Annotated[list[ObjectName], Inline("B")] = []


class ObjectScriptNames(Record):
    """Block 9: the names by which scripts know the objects."""

    names: Annotated[list[ObjectScriptName], Inline("B")] = []


class AnimatedBackgrounds(Record):
    """Block 6: the further frames of the background."""

    frame_count: Annotated[u8, "the main background counts as frame 0"] = 1
    speed: u8 = 5
    shared_palettes: Annotated[list[u8], Counted("frame_count"), since(20)] = []
    frames: Annotated[list[LzwPicture], Counted("frame_count", count=lambda n: max(0, n - 1))] = []


class RoomProperties(Record):
    """Block 8: the custom properties of the room, and of each hotspot and each object."""

    format: Annotated[int, OneOf(1)] = 1
    room: PropertySet = new(PropertySet)
    sets: Annotated[list[PropertySet], ToEnd()] = []


class SourceText(Record):
    """Block 2: the script's source as stored; the text key was subtracted from it."""

    stored: blob = b""

    @property
    def text(self) -> bytes:
        """The source text."""
        return add_key(self.stored)

    @text.setter
    def text(self, plain: bytes) -> None:
        self.stored = subtract_key(plain)


class ObjectOptions(Record):
    """The fields that 3.6.3 added to objects."""

    transparency: i16 = 0
    baseline: i16 = 0
    blocking_x: i16 = 0
    blocking_y: i16 = 0
    blocking_width: i16 = 0
    blocking_height: i16 = 0
    reserved: i32 = 0


class ObjectOptionsBlock(Record):
    """Block v363_objects."""

    objects: Annotated[list[ObjectOptions], Inline()] = []


class BlendMode(Record):
    """How a thing is drawn over others (AGS 4)."""

    mode: i32 = 0
    reserved: Annotated[list[i32], Times(15)] = zeros(15)


class BlendModesBlock(Record):
    """Block ext_ags399 of a room: one for each object."""

    objects: Annotated[list[BlendMode], ToEnd()] = []


class WalkAreaOptions(Record):
    """The ratio by which characters turn in a walkable area (AGS 4)."""

    face_direction_ratio: f32 = 0.0
    reserved: Annotated[list[i32], Times(3)] = zeros(3)


class WalkOptionsBlock(Record):
    """Block v400_walkopts."""

    room: WalkAreaOptions = new(WalkAreaOptions)
    areas: Annotated[list[WalkAreaOptions], Inline()] = []


class AreaPropertiesBlock(Record):
    """Block v400_customprops of a room."""

    regions: Annotated[list[PropertySet], Inline()] = []
    walk_areas: Annotated[list[PropertySet], Inline()] = []


class RoomNamesBlock(Record):
    """Block v400_roomnames."""

    script_name: lstr = ""
    name: lstr = ""


class RoomEventsBlock(Record):
    """Block v400_eventtables of a room."""

    room_schema: EventSchema = new(EventSchema)
    room_handlers: HandlerTable = new(HandlerTable)
    hotspots: SchemaAndTables = new(SchemaAndTables)
    objects: SchemaAndTables = new(SchemaAndTables)
    regions: SchemaAndTables = new(SchemaAndTables)


class ObjectAnchorsBlock(Record):
    """Block v400_objopts2."""

    objects: Annotated[list[Anchor], Inline()] = []


class AreaNamesBlock(Record):
    """Block v400_areanames."""

    objects: Annotated[list[ThingNames], Inline()] = []
    regions: Annotated[list[lstr], Inline()] = []
    walk_areas: Annotated[list[lstr], Inline()] = []
    walk_behinds: Annotated[list[lstr], Inline()] = []


MAIN_BLOCK, SOURCE_BLOCK, OBJECT_NAMES_BLOCK, FRAMES_BLOCK, SCRIPT_BLOCK = 1, 2, 5, 6, 7

BLOCKS: dict[BlockId, type[Record]] = {
    MAIN_BLOCK: MainBlock,
    SOURCE_BLOCK: SourceText,
    OBJECT_NAMES_BLOCK: ObjectNames,
    FRAMES_BLOCK: AnimatedBackgrounds,
    8: RoomProperties,
    9: ObjectScriptNames,
    "ext_sopts": TextMap,
    "v363_objects": ObjectOptionsBlock,
    "ext_ags399": BlendModesBlock,
    "v400_walkopts": WalkOptionsBlock,
    "v400_customprops": AreaPropertiesBlock,
    "v400_roomnames": RoomNamesBlock,
    "v400_eventtables": RoomEventsBlock,
    "v400_objopts2": ObjectAnchorsBlock,
    "v400_areanames": AreaNamesBlock,
}
"""The record of each block; SCRIPT_BLOCK is a compiled script."""

BLOCK_NAMES: dict[BlockId, str] = {
    MAIN_BLOCK: "main",
    SOURCE_BLOCK: "script source",
    3: "compiled script 1",
    4: "compiled script 2",
    5: "object names",
    FRAMES_BLOCK: "animated backgrounds",
    SCRIPT_BLOCK: "compiled script",
    8: "properties",
    9: "object script names",
}
"""The names of the numbered blocks."""
