"""Projects built into games like another one: identical where nothing was edited."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as pillow

import overhaul
from furnished import furnished
from overhaul.document.files import write_into
from overhaul.errors import WorkspaceError
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide_game.building import build
from overhaul.gamemaker.recovery import recover
from overhaul.gml.errors import SyntaxError_

EDITIONS = ["current", "gms1"]


def project_of(edition: str, folder: Path) -> IdeProjectDocument:
    """The project of the demo game, in a folder."""
    with overhaul.open_game(furnished(edition)) as game:
        found = recover(game)
        write_into(str(folder), found.files)
    project = overhaul.open_project(folder / found.name)
    assert isinstance(project, IdeProjectDocument)
    return project


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_untouched_project_builds_the_same_file(edition: str, tmp_path: Path) -> None:
    project = project_of(edition, tmp_path / "p")
    with project, overhaul.open_game(furnished(edition)) as game:
        built = build(project, game)
        assert built.changed == []
        assert game.to_bytes() == furnished(edition)


def edited_game(edition: str, folder: Path) -> tuple[GameData, list[str]]:
    """The demo game after a build of its edited project."""
    with project_of(edition, folder) as project:
        project.objects["obj_keeper"].events["Create_0"] = "speed = 77;\nnew_one = spr_new;\n"
        project.objects["obj_keeper"].events["Alarm_4"] = "speed = -1;\n"
        project.objects["obj_keeper"].visible = False
        sprite = project.sprites.add("spr_new")
        sprite.frames[0].image = pillow.new("RGBA", (64, 64), (1, 2, 3, 255))
        frame = project.sprites["spr_keeper"].frames[0]
        image = frame.image
        assert image is not None
        changed = image.convert("RGBA")
        changed.putpixel((0, 0), (9, 8, 7, 255))
        frame.image = changed
        project.paths["pth_round"].closed = False
        project.rooms["rm_cave"].width += 16
        project.save()
    game = overhaul.open_game(furnished(edition))
    with overhaul.open_project(project.source or "") as again:
        assert isinstance(again, IdeProjectDocument)
        return game, build(again, game).changed


@pytest.mark.parametrize("edition", ["current"])
def test_edits_of_a_project_reach_the_game_and_nothing_else(edition: str, tmp_path: Path) -> None:
    game, changed = edited_game(edition, tmp_path / "p")
    assert changed == [
        "frames/spr_keeper/0.png", "gml_Object_obj_keeper_Alarm_4",
        "gml_Object_obj_keeper_Create_0", "objects/obj_keeper.json", "paths/pth_round.json",
        "rooms/rm_cave.json", "sprites/spr_new.json",
    ]  # fmt: skip
    data = game.to_bytes()
    game.close()
    with overhaul.open_game(data) as made, overhaul.open_game(furnished(edition)) as before:
        keeper = made.objects["obj_keeper"]
        assert keeper.events["Create_0"].gml == "speed = 77;\nnew_one = spr_new;"
        assert keeper.events["Alarm_4"].gml == "speed = -1;"
        assert keeper.visible is False
        assert made.rooms["rm_cave"].width == before.rooms["rm_cave"].width + 16
        assert made.paths["pth_round"].closed is False
        pixels = np.asarray(made.sprites["spr_keeper"].frames[0].image)
        assert pixels[0, 0].tolist() == [9, 8, 7, 255]
        old = np.asarray(before.sprites["spr_keeper"].frames[0].image)
        assert np.array_equal(pixels.reshape(-1, 4)[1:], old.reshape(-1, 4)[1:])
        for kind in before.objects:
            if kind.name != "obj_keeper":
                for name, event in kind.events.items():
                    assert made.objects[kind.name].events[name].gml == event.gml


def test_what_can_not_be_built_is_refused_by_name(tmp_path: Path) -> None:
    with project_of("current", tmp_path / "p") as project:
        project.rooms.add("rm_other")
        room = project.rooms["rm_cave"]
        layer = next(layer for layer in room.layers.all() if layer.instances)
        layer.instances.add(project.objects["obj_keeper"], 3, 4)
        project.save()
        with overhaul.open_game(furnished("current")) as game:
            with pytest.raises(WorkspaceError) as caught:
                build(project, game)
            assert "rooms/rm_other.json: a new room" in str(caught.value)
            assert "rooms/rm_cave.json: instances" in str(caught.value)
            assert game.to_bytes() == furnished("current")


def test_code_that_does_not_compile_changes_nothing(tmp_path: Path) -> None:
    with project_of("current", tmp_path / "p") as project:
        project.objects["obj_keeper"].visible = False
        project.objects["obj_keeper"].events["Create_0"] = "x = ;\n"
        project.save()
        with overhaul.open_game(furnished("current")) as game:
            with pytest.raises(SyntaxError_):
                build(project, game)
            assert game.to_bytes() == furnished("current")


def test_what_the_game_keeps_is_named(tmp_path: Path) -> None:
    with project_of("current", tmp_path / "p") as project:
        sound = next(one for one in project.sounds if one.bytes is not None)
        sound.bytes = b"another"
        project.save()
        with overhaul.open_game(furnished("current")) as game:
            built = build(project, game)
            assert game.to_bytes() == furnished("current")
    messages = [finding.message for finding in built.findings]
    assert f"the file of sound {sound.name} is another one: the game keeps its own" in messages
    assert not any(message.endswith("they are not built") for message in messages)


def test_what_is_compared_and_not_built_is_refused_by_name(tmp_path: Path) -> None:
    with project_of("current", tmp_path / "p") as project:
        project.shaders.add("shd_new")
        project.fonts[0].size += 1
        for kind, member in (("sequences", "playbackSpeed"), ("particle_systems", "drawOrder")):
            (resource, *_) = getattr(project, kind)
            path = tmp_path / "p" / resource.entry.path
            text, count = re.subn(rf'("{member}":)[\d.]+', r"\g<1>13", path.read_text())
            assert count == 1
            path.write_text(text)
        project.save()
    with (
        overhaul.open_project(tmp_path / "p") as project,
        overhaul.open_game(furnished("current")) as game,
        pytest.raises(WorkspaceError) as refused,
    ):
        assert isinstance(project, IdeProjectDocument)
        build(project, game)
    assert str(refused.value).splitlines()[1:] == [
        "fonts/fnt_small.json: another font",
        "particle_systems/ps_fire.json: another particle system",
        "sequences/seq_walk.json: another sequence",
        "shaders/shd_new.glsl: a new shader",
    ]
