"""A project compared with a game: equal where the game is what it was compiled to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image as pillow

import overhaul
from ide_projects import styled_project
from overhaul import mods
from overhaul.cli import main
from overhaul.gamemaker.data.blank import blank_game
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.resources.fields import Colour
from overhaul.gamemaker.data.resources.layers import BackgroundLayer
from overhaul.gamemaker.ide.dialects import closed
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.resources.rooms import expanded
from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.ide_game.saying import rounded_alike
from overhaul.gamemaker.ide_game.sources import definitions_of
from overhaul.media.png import encode

CODE = "#macro SPEED 4\nenum Kind { ONE, TWO }\nspeed = SPEED + Kind.TWO;\nmove(1);\n"
SCRIPT = "function move(far) {\n    x += far;\n}\n"


def picture(colour: tuple[int, int, int, int]) -> pillow.Image:
    return pillow.new("RGBA", (64, 64), colour)


def project_in(folder: Path) -> IdeProjectDocument:
    """A project with a sprite, two objects, a script, a path and a room."""
    project = overhaul.open_project(styled_project(folder, "C"))
    assert isinstance(project, IdeProjectDocument)
    sprite = project.sprites.add("spr_a")
    sprite.frames[0].image = picture((250, 20, 20, 255))
    parent = project.objects.add("obj_a")
    child = project.objects.add("obj_b")
    child.parent, child.sprite = parent, sprite
    child.events["Create_0"] = CODE
    project.scripts.add("scr_a").gml = SCRIPT
    room = project.rooms.add("rm_a")
    room.layers["Instances"].instances.add(child, 32, 64)
    project.save()
    return project


def game_of() -> GameData:
    """A game as the project becomes, by Overhaul's own writer."""
    game = blank_game({"version": "2023.8"})
    sprite = game.sprites.add("spr_a", [picture((250, 20, 20, 255))])
    sprite.bbox = (0, 0, 63, 63)
    sprite.speed, sprite.speed_type, sprite.bbox_mode = 30, 0, 0
    game.objects.add("obj_a")
    game.scripts.add("scr_a", SCRIPT)
    child = game.objects.add("obj_b", sprite="spr_a", parent="obj_a")
    child.events.add("Create_0", "speed = 5;\nmove(1);\n")
    room = game.rooms.add("rm_a")
    for layer in list(room.layers):
        room.layers.remove(layer)
    room.layers.add("Instances", "instances", depth=0)
    behind = room.layers.add("Background", "background", depth=100)
    assert isinstance(behind, BackgroundLayer)
    behind.colour = Colour(0, 0, 0, 255)
    room.instances.add("obj_b", x=32, y=64, layer="Instances")
    return game


def test_equal(tmp_path: Path) -> None:
    project, game = project_in(tmp_path), game_of()
    difference = mods.diff(project, game)
    assert [(one.path, one.lines()) for one in difference.changes] == []
    assert difference.equal == {
        "sprite": (1, 1), "frame": (1, 1), "object": (2, 2), "room": (1, 1), "code": (2, 2),
    }  # fmt: skip
    assert difference.apart == []
    assert mods.diff(game, project).equal == difference.equal


def test_different(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project, game = project_in(tmp_path), game_of()
    game.sprites["spr_a"].frames[0].image = picture((250, 20, 21, 255))
    game.sprites["spr_a"].origin_x = 3
    game.objects["obj_b"].solid = True
    game.rooms["rm_a"].instances[0].x = 40
    game.objects["obj_b"].events["Create_0"].gml = "speed = 6;\nmove(1);\n"
    game.objects.add("obj_only")
    game.save(tmp_path / "game.win")
    main(["diff", "--no-cache", str(project.source), str(tmp_path / "game.win")])
    *_, code, apart = capsys.readouterr().out.splitlines()
    assert code == "equal: 1 of 2 code entries"
    assert apart == "not compared: objects only in the game: obj_only"
    main(["diff", "--json", "--no-cache", str(project.source), str(tmp_path / "game.win")])
    shown = json.loads(capsys.readouterr().out)
    assert shown["equal"] == {
        "sprite": {"equal": 0, "compared": 1}, "frame": {"equal": 0, "compared": 1},
        "object": {"equal": 1, "compared": 2}, "room": {"equal": 0, "compared": 1},
        "code": {"equal": 1, "compared": 2},
    }  # fmt: skip
    found = {change["path"]: change["details"] for change in shown["changes"]}
    assert found["frames/spr_a/0.png"] == {"picture": [64, 64], "pixels": 4096}
    assert found["sprites/spr_a.json"]["fields"] == [{"path": "origin[0]", "old": 0, "new": 3}]
    assert found["objects/obj_b.json"]["fields"] == [{"path": "solid", "old": False, "new": True}]
    assert found["rooms/rm_a.json"]["fields"] == [{"path": "instances[0][1]", "old": 32, "new": 40}]
    assert "+pushi.e 6" in found["bytecode/gml_Object_obj_b_Create_0.asm"]["diff"]
    assert shown["apart"] == ["objects only in the game: obj_only"]


def test_kinds_that_are_not_compared_are_named(tmp_path: Path) -> None:
    project = project_in(tmp_path)
    project.shaders.add("shd_a")
    project.sounds.add("snd_a")
    project.files.write("datafiles/info.txt", b"text")
    row: Json = {"filePath": "datafiles", "name": "info.txt"}
    listing = project.json_file("Game.yyp").added("IncludedFiles", 0, value=row)
    project.put("Game.yyp", listing)
    assert mods.diff(project, game_of()).apart == [
        "included files",
        "fields of sounds but their volume",
        "sounds only in the project: snd_a",
        "shaders only in the project: shd_a",
    ]


def test_code_that_does_not_compile_says_why(tmp_path: Path) -> None:
    project, game = project_in(tmp_path), game_of()
    project.objects["obj_b"].events["Create_0"].gml = "speed = = 5;"
    (change,) = mods.diff(project, game).changes
    assert change.path == "bytecode/gml_Object_obj_b_Create_0.asm"
    assert "objects/obj_b/Create_0.gml: " in change.lines()[1]
    assert "expected a value, got '='" in change.lines()[1]


def test_definitions(tmp_path: Path) -> None:
    project = project_in(tmp_path)
    found = definitions_of(project, project.dialect)
    assert found == ["#macro SPEED 4", "enum Kind { ONE, TWO }"]
    project.scripts["scr_a"].gml = "globalvar a, b;\n// enum No { A }\nvar c = 1;\n"
    assert definitions_of(project, project.dialect)[-1] == "globalvar a, b;;"
    assert closed("a = 1; /* open", project.dialect) == "a = 1; /* open*/"
    assert closed("a = 1; /* closed */", project.dialect) == "a = 1; /* closed */"


def test_compressed_maps() -> None:
    assert expanded([-3, 7, 2, 1, 2, -1, 5], 6) == [7, 7, 7, 1, 2, 5]
    assert len(expanded([-(10**9), 7], 4)) == 5
    assert expanded([3], 3) == []


def test_pictures_that_a_compiler_rounded() -> None:
    import numpy

    one = numpy.full((2, 2, 4), 200, numpy.uint8)
    other = one.copy()
    other[0, 0] = (201, 199, 200, 199)
    assert rounded_alike(encode(one), encode(other))
    other[0, 0, 3] = 198
    assert not rounded_alike(encode(one), encode(other))
    solid = one.copy()
    solid[..., 3] = 255
    changed = solid.copy()
    changed[0, 0, 0] = 201
    assert not rounded_alike(encode(solid), encode(changed))
    assert not rounded_alike(b"", encode(one))
