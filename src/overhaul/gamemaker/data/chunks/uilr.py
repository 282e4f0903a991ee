"""UILR: user interface layers (2024.13 and later)."""

import enum
from typing import Annotated

import msgspec

from overhaul.gamemaker.data.chunks.room import (
    EffectProperty,
    Instance,
    SequenceInstance,
    SpriteInstance,
    TextInstance,
)
from overhaul.gamemaker.data.fields import StringRef
from overhaul.schema import Deferred, Pointers, Record, Switch, b32, enum32, f32, i32


class Unit(enum.IntEnum):
    """The unit of a length."""

    UNDEFINED = 0
    POINT = 1
    PERCENT = 2
    AUTO = 3


class Length(Record):
    """A length with its unit."""

    value: f32 = 0.0
    unit: Annotated[int, enum32(Unit, "i")] = 0


class Flex(Record):
    """How a container lays out its children."""

    align_items: i32 = 0
    direction: i32 = 0
    wrap: i32 = 0
    align_content: i32 = 0
    gap_row: f32 = 0.0
    gap_column: f32 = 0.0
    padding_left: Length = msgspec.field(default_factory=Length)
    padding_right: Length = msgspec.field(default_factory=Length)
    padding_top: Length = msgspec.field(default_factory=Length)
    padding_bottom: Length = msgspec.field(default_factory=Length)
    justify_content: i32 = 0
    layout_direction: i32 = 0


class FlexLayer(Record):
    """A layer."""

    name: StringRef = None
    draw_space: Annotated[i32, "1 GUI, 2 view"] = 1
    visible: b32 = True
    flex: Flex = msgspec.field(default_factory=Flex)


class FlexPanel(Record):
    """A panel."""

    name: StringRef = None
    width: Length = msgspec.field(default_factory=Length)
    height: Length = msgspec.field(default_factory=Length)
    min_width: Length = msgspec.field(default_factory=Length)
    min_height: Length = msgspec.field(default_factory=Length)
    max_width: Length = msgspec.field(default_factory=Length)
    max_height: Length = msgspec.field(default_factory=Length)
    offset_left: Length = msgspec.field(default_factory=Length)
    offset_right: Length = msgspec.field(default_factory=Length)
    offset_top: Length = msgspec.field(default_factory=Length)
    offset_bottom: Length = msgspec.field(default_factory=Length)
    clips: b32 = False
    position_type: Annotated[i32, "0 static, 1 relative, 2 absolute"] = 1
    align_self: i32 = 0
    margin_left: Length = msgspec.field(default_factory=Length)
    margin_right: Length = msgspec.field(default_factory=Length)
    margin_top: Length = msgspec.field(default_factory=Length)
    margin_bottom: Length = msgspec.field(default_factory=Length)
    grow: f32 = 0.0
    shrink: f32 = 1.0
    flex: Flex = msgspec.field(default_factory=Flex)


class FlexInstance(Record):
    """How an element is laid out in its panel."""

    visible: b32 = True
    anchor: i32 = 0
    stretch_width: b32 = False
    stretch_height: b32 = False
    tile_horizontally: b32 = False
    tile_vertically: b32 = False
    keep_aspect: b32 = False


class UiInstance(Record):
    """An instance."""

    instance: Instance = msgspec.field(default_factory=Instance)
    flex: FlexInstance = msgspec.field(default_factory=FlexInstance)


class UiSequence(Record):
    """A sequence."""

    sequence: SequenceInstance = msgspec.field(default_factory=SequenceInstance)
    flex: FlexInstance = msgspec.field(default_factory=FlexInstance)


class UiSprite(Record):
    """A sprite."""

    sprite: SpriteInstance = msgspec.field(default_factory=SpriteInstance)
    flex: FlexInstance = msgspec.field(default_factory=FlexInstance)


class UiText(Record):
    """A text."""

    text: TextInstance = msgspec.field(default_factory=TextInstance)
    flex: FlexInstance = msgspec.field(default_factory=FlexInstance)


class UiEffect(Record):
    """An effect layer."""

    enabled: b32 = True
    effect_type: StringRef = None
    properties: Annotated[list[EffectProperty], Pointers()] = []


class NodeType(enum.IntEnum):
    """The type of a node."""

    LAYER = 0
    PANEL = 1
    INSTANCE = 3
    SEQUENCE = 4
    SPRITE = 5
    TEXT = 6
    EFFECT = 7


NODE_RECORDS: dict[int, type[Record]] = {
    NodeType.LAYER: FlexLayer,
    NodeType.PANEL: FlexPanel,
    NodeType.INSTANCE: UiInstance,
    NodeType.SEQUENCE: UiSequence,
    NodeType.SPRITE: UiSprite,
    NodeType.TEXT: UiText,
    NodeType.EFFECT: UiEffect,
}


#: the data of a node, by its type
NODE_DATA = Switch("type", NODE_RECORDS, unknown="a node of the unknown type")


class Node(Record):
    """A node of the tree of layers and panels."""

    type: Annotated[int, enum32(NodeType, "i")] = 0
    data: Annotated[object, Deferred(NODE_DATA)] = None
    children: Annotated[list["Node"], Pointers()] = []


class NodeList(Record):
    """All user interface layers."""

    nodes: Annotated[list[Node], Pointers()] = []
