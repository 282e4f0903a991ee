"""The room interface: layers of panels that lie over all rooms (2024.13 and later)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeVar, cast

from overhaul.gamemaker.data.chunks import uilr
from overhaul.gamemaker.data.chunks.room import Room
from overhaul.gamemaker.data.chunks.uilr import NodeType
from overhaul.gamemaker.data.resources.layers import (
    Asset,
    SequenceAsset,
    SpriteAsset,
    TextAsset,
)
from overhaul.gamemaker.data.resources.objects import Instance
from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.recovery.modern import ModernDraft, rows
from overhaul.gamemaker.recovery.objects import Variables
from overhaul.gamemaker.recovery.placed import Placed

A = TypeVar("A", bound=Asset)

#: A project has one room interface, and the editor calls it so.
NAME: Final = "RoomUI"
PATH: Final = f"roomui/{NAME}/{NAME}.yy"
_VIEW: Final = 2
#: The editor's colour of a node without one of its own: ABGR, opaque grey.
_GREY: Final = 0xFF808080
_LENGTHS: Final = {
    "minWidth": "min_width", "minHeight": "min_height", "maxWidth": "max_width",
    "maxHeight": "max_height", "positionLeft": "offset_left", "positionTop": "offset_top",
    "positionRight": "offset_right", "positionBottom": "offset_bottom",
    "marginLeft": "margin_left", "marginTop": "margin_top", "marginRight": "margin_right",
    "marginBottom": "margin_bottom",
}  # fmt: skip
_PADDINGS: Final = {
    "paddingLeft": "padding_left", "paddingTop": "padding_top", "paddingRight": "padding_right",
    "paddingBottom": "padding_bottom",
}  # fmt: skip
#: Members that a project has only where they differ from these, by the fields of records.
_PANEL: Final[Mapping[str, tuple[str, Json]]] = {
    "clipContent": ("clips", False), "positionType": ("position_type", 1),
    "alignSelf": ("align_self", 0), "flexGrow": ("grow", 0.0), "flexShrink": ("shrink", 1.0),
}  # fmt: skip
_FLEX: Final[Mapping[str, tuple[str, Json]]] = {
    "flexWrap": ("wrap", 0), "alignContent": ("align_content", 1), "gapRow": ("gap_row", 0.0),
    "gapColumn": ("gap_column", 0.0), "layoutDirection": ("layout_direction", 0),
}  # fmt: skip
_STRETCHES: Final = {
    "stretchWidth": "stretch_width", "stretchHeight": "stretch_height", "keepAspect": "keep_aspect",
}  # fmt: skip
#: The class of what stands in a panel, and its tag.
_CLASSES: Final = {
    NodeType.INSTANCE: ("GMRInstance", "v2"),
    NodeType.SEQUENCE: ("GMRSequenceGraphic", None),
    NodeType.SPRITE: ("GMRSpriteGraphic", None),
    NodeType.TEXT: ("GMRTextItem", "v2"),
}


def add_interface(draft: ModernDraft, variables: Variables) -> None:
    """Add the room interface, if the game has one."""
    made = _Interface(draft, variables)
    members = made.members()
    if members is None:
        return
    members["parent"] = draft.place(draft.name, f"{draft.name}.yyp")
    draft.files[PATH] = draft.text(draft.record("GMRoomUI", members, NAME))
    for inner, read in made.placed.files.items():
        draft.files[f"{PATH.rpartition('/')[0]}/{inner}"] = read
    draft.listed.append(("room_interface", NAME, PATH))
    draft.count("room_interfaces", 1, 1, int(made.is_lossy or made.placed.is_lossy))
    draft.lost("the grids, locks and colours of its layers and panels", PATH)


def interface_of(draft: ModernDraft, variables: Variables) -> dict[str, Json] | None:
    """The members of the room interface; None for a game without one."""
    return _Interface(draft, variables).members()


class _Interface:
    """The room interface on its way into a project."""

    def __init__(self, draft: ModernDraft, variables: Variables) -> None:
        self.draft = draft
        self.placed = Placed(draft, variables, PATH, NAME)
        #: whether a part of it has no place in a project
        self.is_lossy = False
        self.count = 0

    def members(self) -> dict[str, Json] | None:
        """The members of its file but the parent; None without layers."""
        record = self.draft.game.ui_layers
        nodes = [] if record is None else record.nodes
        shown: dict[bool, list[Json]] = {False: [], True: []}
        for node, made in self._made(nodes, ""):
            shown[getattr(node.data, "draw_space", 0) == _VIEW].append(made)
        if not nodes:
            return None
        return {
            "children": shown[False],
            "viewspaceChildren": shown[True],
            "locked": False,
            "visible": True,
        }

    def _made(
        self, nodes: Iterable[uilr.Node | None], start: str
    ) -> Iterator[tuple[uilr.Node, Json]]:
        """The nodes that a project has a place for; a damaged list has places for none."""
        for number, node in enumerate(nodes):
            made = None if node is None else self._node(node, f"{start}{number}")
            if node is not None and made is not None:
                yield node, made

    def _node(self, node: uilr.Node, place: str) -> Json:
        """A node with those in it; None for one that a project has no place for."""
        self.count += 1
        data = node.data
        if isinstance(data, uilr.FlexLayer):
            return self._layer(data, self._children(node, place))
        if isinstance(data, uilr.FlexPanel):
            return self._panel(data, self._children(node, place))
        item = self._item(data)
        if item is None:
            self.is_lossy = True
            word = "an effect" if isinstance(data, uilr.UiEffect) else f"a node of type {node.type}"
            self.draft.findings.warn("left-out", f"{word} is left out", f"{PATH}#{place}")
            return None
        kind, tag = _CLASSES[NodeType(node.type)]
        name, members, flex = item
        self._report(flex, f"{PATH}#{name}")
        members["flexProperties"] = self._stretching(flex)
        return self.draft.record(kind, members, name, tag)

    def _children(self, node: uilr.Node, place: str) -> list[Json]:
        return rows([made for _, made in self._made(node.children, f"{place}.")])

    def _layer(self, layer: uilr.FlexLayer, children: list[Json]) -> Json:
        members = self._flex(layer.flex) | {"children": children, "gridX": 32, "gridY": 32}
        if not layer.visible:
            members["visible"] = False
        return self.draft.record("GMRUILayer", members, str(layer.name or ""), "v1")

    def _panel(self, panel: uilr.FlexPanel, children: list[Json]) -> Json:
        members = self._flex(panel.flex) | {
            "children": children,
            "width": self._length(panel.width),
            "height": self._length(panel.height),
        }
        members |= self._lengths(panel, _LENGTHS) | dict(_set(panel, _PANEL))
        return self.draft.record("GMRFlexPanel", members, str(panel.name or ""))

    def _flex(self, flex: uilr.Flex) -> dict[str, Json]:
        members: dict[str, Json] = {
            "alignItems": flex.align_items,
            "flexDirection": flex.direction,
            "justifyContent": flex.justify_content,
            "nodeColour": _GREY,
        }
        return members | self._lengths(flex, _PADDINGS) | dict(_set(flex, _FLEX))

    def _lengths(self, record: object, names: dict[str, str]) -> dict[str, Json]:
        """The lengths that are set."""
        found = {key: cast("uilr.Length", getattr(record, name)) for key, name in names.items()}
        return {
            key: self._length(length) for key, length in found.items() if length != uilr.Length()
        }

    def _length(self, length: uilr.Length) -> Json:
        return self.draft.ordered({"unit": int(length.unit), "value": float(length.value)})

    # -- what stands in panels ---------------------------------------------------------------------

    def _item(self, data: object) -> tuple[str, dict[str, Json], uilr.FlexInstance] | None:
        """The name of what stands in a panel, its members, and how it is laid out."""
        placed = self.placed
        if isinstance(data, uilr.UiInstance):
            name = f"inst_{self.draft.short_id(NAME, data.instance.id, self.count)}"
            instance = Instance(self.draft.game, _NOWHERE, data.instance)
            return name, placed.instance(instance, name), data.flex
        if isinstance(data, uilr.UiSequence):
            sequence = self._asset(SequenceAsset, data.sequence)
            name = placed.name(sequence, "GMRSequenceGraphic", self.count)
            return name, placed.sequence(sequence), data.flex
        if isinstance(data, uilr.UiSprite):
            sprite = self._asset(SpriteAsset, data.sprite)
            name = placed.name(sprite, "GMRSpriteGraphic", self.count)
            return name, placed.sprite(sprite), data.flex
        if isinstance(data, uilr.UiText):
            text = self._asset(TextAsset, data.text)
            return placed.name(text, "GMRTextItem", self.count), placed.text(text), data.flex
        return None

    def _asset(self, kind: type[A], record: object) -> A:
        return kind(self.draft.game, _NOWHERE, record)

    def _report(self, flex: uilr.FlexInstance, path: str) -> None:
        """Report what projects are not known to store."""
        if not flex.visible:
            self.draft.findings.warn("approximated", "it is hidden in the game", path)
        if flex.tile_horizontally or flex.tile_vertically:
            self.draft.findings.warn("approximated", "its sprite repeats in the game", path)

    def _stretching(self, flex: uilr.FlexInstance) -> Json:
        members: dict[str, Json] = {
            "$InstanceFlexProps": "v1",
            "anchor": flex.anchor,
            "resourceType": "InstanceFlexProps",
        }
        members |= {key: True for key, name in _STRETCHES.items() if getattr(flex, name)}
        return self.draft.ordered(members, "InstanceFlexProps")


#: The room that instances and assets of the interface are in: none.
_NOWHERE: Final = cast("Room", None)


def _set(record: object, names: Mapping[str, tuple[str, Json]]) -> Iterator[tuple[str, Json]]:
    """The members that differ from what a new node has."""
    for key, (name, usual) in names.items():
        value = getattr(record, name)
        if value != usual:
            yield key, value
