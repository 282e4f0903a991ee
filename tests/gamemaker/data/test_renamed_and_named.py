"""A resource that is renamed while edited code has its old name."""

from __future__ import annotations

import pytest

from edited_games import edited, unpacked
from overhaul.errors import SourceError
from overhaul.gamemaker.data import GameData
from per_file import per_file
from small_games import blank

CREATE = "gml_Object_obj_hero_Create_0"
STEP = "gml_Object_obj_hero_Step_0"


@per_file
def game_of_bullets(version: str) -> bytes:
    with GameData.from_bytes(blank(version)) as game:
        game.objects.add("obj_bullet")
        hero = game.objects.add("obj_hero")
        hero.events["Create_0"] = "foo = obj_bullet;"
        hero.events["Step_0"] = "foo = instance_number(obj_bullet);"
        return game.to_bytes()


@pytest.mark.parametrize("version", ["1.4.1757", "2.2.5", "2.3.1", "2023.8", "2024.14"])
def test_edited_code_with_the_old_name_is_refused(version: str) -> None:
    data = game_of_bullets(version)
    files = unpacked(data, "gml")
    moved: dict[str, bytes | None] = {
        "objects/obj_bullet/object.json": None,
        "objects/obj_ball/object.json": files["objects/obj_bullet/object.json"],
    }
    text = b"bar = 1;\nfoo = obj_bullet;"
    with pytest.raises(SourceError) as caught:
        edited(data, {**moved, f"code/{CREATE}.gml": text}, code="gml")
    assert str(caught.value) == (
        f"code/{CREATE}.gml:2:7: obj_bullet is obj_ball now: write that name"
    )
    text = b"bar = 1;\nfoo = obj_ball;"
    game, warnings = edited(data, {**moved, f"code/{CREATE}.gml": text}, code="gml")
    assert warnings == []
    assert game.code[STEP].gml.strip() == "foo = instance_number(obj_ball);"
    text = b"obj_bullet = 1;\nfoo = obj_bullet;"  # a variable of its own now
    _, warnings = edited(data, {**moved, f"code/{CREATE}.gml": text}, code="gml")
    assert warnings == []


def test_a_renamed_script_is_named_where_its_old_name_is_called() -> None:
    with GameData.from_bytes(blank("1.4.1757")) as game:
        game.scripts.add("jump", "return argument0 + 1;")
        game.objects.add("obj_hero").events["Create_0"] = "foo = jump(2);"
        data = game.to_bytes()
    files = unpacked(data, "gml")
    moved = {
        "code/gml_Script_jump.gml": None,
        "code/gml_Script_leap.gml": files["code/gml_Script_jump.gml"],
        f"code/{CREATE}.gml": b"foo = jump(3);",
    }
    _, warnings = edited(data, moved, code="gml")
    assert warnings == [
        "code/gml_Script_jump.gml: it was removed, but code calls its function jump: "
        f"code/{CREATE}.gml:1 (it is leap now: write that name there)"
    ]
