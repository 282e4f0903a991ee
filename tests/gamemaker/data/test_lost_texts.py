"""Names that an edit takes away, and that code holds as texts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from edited_games import Files, edited, unpacked
from overhaul.gamemaker.data import GameData
from overhaul.gamemaker.data.chunks.extn import Extension, ExtensionFile, ExtensionFunction
from overhaul.gamemaker.data.chunks.seqn import AnimationCurve, CurveChannel
from per_file import per_file
from small_games import blank

STEP = "gml_Object_obj_hero_Step_0"
AT = f"code/{STEP}.gml"


@per_file
def game_with_texts() -> bytes:
    """An event that holds the names of an object, a layer, a channel, a group, and calls a function
    of an extension."""
    with GameData.from_bytes(blank("2024.14")) as game:
        text = game.strings.add
        game.objects.add("obj_wall")
        game.rooms.add("rm_first").layers.add("Walls", "instances")
        game.audio_groups.add("audiogroup_speech")
        curve = AnimationCurve(text("crv_jump"))
        curve.channels = [CurveChannel(text("height")), CurveChannel(text("width"))]
        game.records.curves.append(curve)
        file = ExtensionFile(text("box.dll"), text(""), text(""))
        file.functions = [ExtensionFunction(text("box_open"), 1, external_name=text("box_open"))]
        game.records.extensions.append(
            Extension(text(""), text("Box"), text("1.0.0"), text(""), [file])
        )
        game.language.forget()
        game.objects.add("obj_hero").events["Step_0"] = (
            'foo = asset_get_index("obj_wall");\n'
            'foo = layer_get_id("Walls");\n'
            'foo = animcurve_get_channel(crv_jump, "height");\n'
            "audio_group_load(audiogroup_speech);\n"
            "foo = box_open();\n"
        )
        return game.to_bytes()


def files() -> Files:
    return unpacked(game_with_texts(), "gml")


def with_json(path: str, change: Any) -> list[str]:
    """The warnings about a JSON file that was changed."""
    plain = json.loads(files()[path])
    change(plain)
    return edited(game_with_texts(), {path: json.dumps(plain).encode()}, code="gml")[1]


def test_a_removed_resource() -> None:
    gone: dict[str, bytes | None] = {
        path: None for path in files() if path.startswith("objects/obj_wall")
    }
    assert edited(game_with_texts(), gone, code="gml")[1] == [
        f"objects/obj_wall: it was removed, but code holds 'obj_wall' as a text: {AT}:1"
    ]


def test_a_layer_and_a_channel() -> None:
    def rename_layer(plain: Any) -> None:
        layer = next(each for each in plain["layers"] if each["name"] == "Walls")
        layer["name"] = "Bricks"

    assert with_json("rooms/rm_first.json", rename_layer) == [
        "rooms/rm_first.json: it no longer has 'Walls', which code holds as a text: "
        f"{AT}:2 (is it 'Bricks' now?)"
    ]
    assert with_json("rooms/rm_first.json", lambda plain: plain["layers"].pop()) == [
        f"rooms/rm_first.json: it no longer has 'Walls', which code holds as a text: {AT}:2"
    ]
    path = next(path for path in files() if path.endswith("crv_jump.json"))
    assert with_json(path, lambda plain: plain["channels"].pop(0)) == [
        f"{path}: it no longer has 'height', which code holds as a text: {AT}:3"
    ]
    assert with_json(path, lambda plain: plain["channels"].pop(1)) == []


def test_an_audio_group_that_code_has_as_a_number() -> None:
    assert with_json("audio_groups.json", lambda plain: plain.pop()) == [
        f"audio_groups.json: it no longer has audiogroup_speech, which code names: {AT}:4"
    ]
    # a new name is followed: code has the number
    assert with_json("audio_groups.json", lambda plain: plain[-1].update(name="talk")) == []


@pytest.mark.parametrize("way", ["removed", "renamed", "all"])
def test_a_function_of_an_extension(way: str) -> None:
    path = next(path for path in files() if path.startswith("extensions/"))

    def change(plain: Any) -> None:
        functions = plain["files"][0]["functions"]
        if way == "removed":
            functions.pop()
        else:
            functions[0]["name"] = "box_close"

    if way == "all":
        (warning,) = edited(game_with_texts(), {path: None}, code="gml")[1]
        assert warning == (
            f"the extension Box: it was removed, but code calls its function box_open: {AT}:5"
        )
        return
    assert with_json(path, change) == [
        f"the extension Box: it no longer has the function box_open, which code calls: {AT}:5"
    ]


def test_a_name_that_no_code_holds() -> None:
    with GameData.from_bytes(game_with_texts()) as game:
        game.code[STEP].gml = "foo = 1;"
        data = game.to_bytes()
    gone: dict[str, bytes | None] = {
        path: None for path in files() if path.startswith("objects/obj_wall")
    }
    assert edited(data, gone, code="gml")[1] == []
