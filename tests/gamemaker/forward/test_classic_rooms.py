"""Rooms of old projects in Studio: every value is in the element that the editor reads it from."""

from __future__ import annotations

import random

import pytest

from handmade_project import project_file
from overhaul.document.xmltext import XmlNode, read_xml
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.classic.resources import Room, RoomBackground, View
from overhaul.gamemaker.forward import forward

#: By the element: the field of the room.
NUMBERS = {"width": "width", "height": "height", "vsnap": "snap_y", "hsnap": "snap_x",
           "speed": "speed", "colour": "background_colour"}  # fmt: skip
FLAGS = {"isometric": "isometric", "persistent": "persistent", "enableViews": "enable_views"}
#: By the element in ``makerSettings``: the field of what the room editor remembers.
EDITOR_NUMBERS = {"w": "width", "h": "height", "page": "tab", "xoffset": "scroll_x",
                  "yoffset": "scroll_y"}  # fmt: skip
EDITOR_FLAGS = {
    "isSet": "remember", "showGrid": "show_grid", "showObjects": "show_objects",
    "showTiles": "show_tiles", "showBackgrounds": "show_backgrounds",
    "showForegrounds": "show_foregrounds", "showViews": "show_views",
    "deleteUnderlyingObj": "delete_underlying_objects",
    "deleteUnderlyingTiles": "delete_underlying_tiles",
}  # fmt: skip
#: By the attribute: the field of the view, or of the background.
VIEW = {
    "xview": "view_x", "yview": "view_y", "wview": "view_width", "hview": "view_height",
    "xport": "port_x", "yport": "port_y", "wport": "port_width", "hport": "port_height",
    "hborder": "h_border", "vborder": "v_border", "hspeed": "h_speed", "vspeed": "v_speed",
}  # fmt: skip
BACKGROUND = {"x": "x", "y": "y", "hspeed": "h_speed", "vspeed": "v_speed"}
BACKGROUND_FLAGS = {"visible": "visible", "foreground": "foreground", "stretch": "stretch",
                    "htiled": "tile_horizontally", "vtiled": "tile_vertically"}  # fmt: skip


def studio(old: ProjectDocument) -> XmlNode:
    return read_xml(forward(old, "gmx", "game").files["rooms/rm_first.room.gmx"]()).root


def first_room() -> tuple[ProjectDocument, Room]:
    old = ProjectDocument.from_bytes(project_file(810))
    room = old.rooms["rm_first"].record
    assert isinstance(room, Room)
    return old, room


@pytest.mark.parametrize("seed", range(4))
def test_every_value_of_a_room_is_in_its_element(seed: int) -> None:
    dice = random.Random(seed)
    old, room = first_room()
    room.views = [View() for _ in range(8)]
    room.backgrounds = [RoomBackground() for _ in range(8)]

    def scattered(part: object, numbers: dict[str, str], flags: dict[str, str]) -> dict[str, str]:
        """Give fields values of their own; what the project says of them."""
        said = {}
        for element, field in numbers.items():
            setattr(part, field, dice.randrange(1, 9999))
            said[element] = str(getattr(part, field))
        for element, field in flags.items():
            setattr(part, field, dice.randrange(2))
            said[element] = str(-getattr(part, field))
        return said

    own = scattered(room, NUMBERS, FLAGS)
    editor = scattered(room.editor, EDITOR_NUMBERS, EDITOR_FLAGS)
    views = [scattered(view, VIEW, {"visible": "visible"}) for view in room.views]
    backgrounds = [scattered(each, BACKGROUND, BACKGROUND_FLAGS) for each in room.backgrounds]
    made = studio(old)
    assert {element: made.value(element) for element in own} == own
    assert {element: made.value(f"makerSettings/{element}") for element in editor} == editor
    for tag, expected in (("view", views), ("background", backgrounds)):
        found = [node.attributes for node in made.walk() if node.tag == tag]
        assert [{name: each[name] for name in expected[0]} for each in found] == expected


@pytest.mark.parametrize(("bits", "said"), [(0, "0 -1"), (1, "-1 -1"), (2, "0 0"), (3, "-1 0")])
def test_what_is_cleared_before_a_room_is_drawn(bits: int, said: str) -> None:
    """Bit 0 is whether the colour is drawn; with bit 1 the background of the view stays."""
    old, room = first_room()
    room.draw_background_colour = bits
    made = studio(old)
    assert [made.value(tag) for tag in ("showcolour", "clearViewBackground")] == said.split()
