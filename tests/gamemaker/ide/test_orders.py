"""Where a new member of an object stands."""

from __future__ import annotations

import pytest

from overhaul.gamemaker.ide.orders import class_of, place_of_key
from overhaul.gamemaker.ide.styles import Style
from overhaul.gamemaker.ide.texts import read_json_file
from overhaul.gamemaker.ide.values import Json

B_OBJECT = "spriteId visible eventList parent resourceVersion name tags resourceType"
C_OBJECT = "resourceType resourceVersion name visible spriteMaskId eventList"


@pytest.mark.parametrize(
    ("letter", "keys", "key", "place"),
    [
        ("B", B_OBJECT, "solid", 1),
        ("B", B_OBJECT, "managed", 2),
        ("B", B_OBJECT, "properties", 3),
        ("B", B_OBJECT, "unknown", 3),
        ("B", "visible", "spriteId", 0),
        ("B", "visible", "unknown", 1),
        ("C", C_OBJECT, "solid", 3),
        ("C", C_OBJECT, "properties", 6),
        ("C", "resourceType resourceVersion name a c", "B", 4),
        ("D", "$GMObject %Name a bd b_c", "bC", 3),
        ("D", "$GMObject %Name a bd b_c", "B", 3),
        ("A", "id modelName mvc name a c", "B", 4),
        ("A", "id mvc name", "modelName", 1),
        ("B", "path", "name", 0),
        ("D", "name path", "link", 0),
        ("D", "9 10 32", "11", 2),
    ],
)  # fmt: skip
def test_places(letter: str, keys: str, key: str, place: int) -> None:
    style = next(Style(one) for one in ("A", "B", "C", "D") if one == letter)
    assert place_of_key(keys.split(), key, style, "GMObject") == place


def test_classes() -> None:
    room: Json = {"resourceType": "GMRoom", "roomSettings": {"Width": 1}, "views": [{"x": 1}]}
    assert class_of([room], ()) == "GMRoom"
    assert class_of([room, {"Width": 1}], ("roomSettings",)) == "GMRoom.roomSettings"
    assert class_of([room, [{}], {}], ("views", 0)) == "GMRoom.views[]"
    layer: Json = {"resourceType": "GMRTileLayer"}
    assert class_of([room, [layer], layer], ("layers", 0)) == "GMRTileLayer"
    assert class_of([{"resourceType": "GMFont"}, {}, {}], ("glyphs", "32")) == "GMFont.glyphs.#"


def test_a_member_of_2_3_has_the_place_of_its_class() -> None:
    text = '{\n  "roomSettings": {\n    "Width": 1,\n    "persistent": false,\n  },\n'
    text += '  "resourceType": "GMRoom",\n}'
    file = read_json_file(text.encode()).added("roomSettings", "Height", value=2)
    assert file.text == text.replace("1,\n", '1,\n    "Height": 2,\n')
