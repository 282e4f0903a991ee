"""Resources copied between games and projects of different versions."""

from __future__ import annotations

import json
from contextlib import chdir
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from edited_games import edited, packed, shown
from handmade_project import project_file
from modded_games import lantern
from overhaul import mods
from overhaul.cli import main
from overhaul.errors import WorkspaceError
from overhaul.folder.json_fields import json_bytes
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.sprite_shape import SHAPE, size_of_masks
from overhaul.gamemaker.data_folder.fitting import VERSIONS
from overhaul.media import masks, png
from small_folders import picture

SPRITE = "sprites/spr_hero/sprite.json"


def with_hero(version: str) -> bytes:
    """A sprite of 62 x 32 pixels, whose visible part is smaller, with a precise mask."""
    pixels = np.zeros((32, 62, 4), np.uint8)
    pixels[4:20, 9:50] = picture(41, 16)
    pixels[4, 9] = pixels[19, 49] = 255
    edits = {SPRITE: {"collision_kind": "precise"}, "sprites/spr_hero/0.png": png.encode(pixels)}
    game, _ = edited(packed(version), edits)
    data: bytes = game.to_bytes()
    return data


def solid(game: Any, name: str) -> tuple[Any, tuple[int, int]]:
    """The mask of a sprite on its whole canvas, and the size that it is stored in."""
    sprite = game.records.sprites[name]
    size = size_of_masks(game, sprite)
    whole = np.zeros((sprite.height, sprite.width), np.bool_)
    (mask,) = (masks.unpack(each, *size) for each in sprite.masks)
    x, y = (0, 0) if size == (sprite.width, sprite.height) else (9, 4)
    whole[y : y + size[1], x : x + size[0]] = mask
    return whole, size


@pytest.mark.parametrize(
    "old, new", [("2.3.2", "2024.13"), ("2024.13", "2.3.2"), ("1.0.0.1763", "2024.13")]
)
def test_a_mask_is_stored_as_the_release_does(old: str, new: str) -> None:
    """Of the whole sprite, or of its bounding box (2024.6 and later)."""
    data = with_hero(old)
    result = mods.copy(data, "sprites/spr_hero", packed(new))
    assert result.conflicts == [] and result.warnings == []
    first: Any = GameData.from_bytes(data)
    again: Any = GameData.from_bytes(result.data)
    assert again.to_bytes() == result.data
    (mine, size), (theirs, now) = solid(first, "spr_hero"), solid(again, "spr_hero")
    assert {size, now} == {(62, 32), (41, 16)} and np.array_equal(mine, theirs) and mine.any()
    before, after = (game.records.sprites["spr_hero"] for game in (first, again))
    assert [getattr(before, name) for name in SHAPE] == [getattr(after, name) for name in SHAPE]
    assert (after.sequence is None) is (new != "2.3.2")


def test_the_mask_of_one_release_stays() -> None:
    def change(game: GameData) -> None:
        sprite = game.records.sprites["spr_hero"]
        sprite.masks = [bytes(len(sprite.masks[0]))]

    version = "2024.13"
    data = with_hero(version)
    game = GameData.from_bytes(data)
    change(game)
    result = mods.copy(game.to_bytes(), "sprites/spr_hero", packed(version))
    assert not any(GameData.from_bytes(result.data).records.sprites["spr_hero"].masks[0])
    assert "sequence" not in shown(result.data, SPRITE).get("details", {})


@pytest.mark.parametrize("old, new", [(530, 800), (600, 810), (800, 810)])
def test_a_project_is_converted(old: int, new: int) -> None:
    source = project_file(old)
    name = next(iter(ProjectDocument.read(source, None).sprites)).name
    result = mods.copy(source, f"sprites/{name}", project_file(new), rename={name: "spr_taken"})
    assert result.conflicts == []
    made = ProjectDocument.read(result.data, None)
    assert made.version == str(new) and "spr_taken" in [sprite.name for sprite in made.sprites]
    assert made.to_bytes() == result.data
    assert all(f"converted to {new}" in warning for warning in result.warnings)


def test_what_can_not_be_converted_is_refused() -> None:
    with pytest.raises(
        WorkspaceError, match="can only be converted to a later version, not to 600"
    ):
        mods.copy(project_file(800), "sprites/*", project_file(600))
    with pytest.raises(WorkspaceError, match=r"gamemaker-project\) can't go into .*gamemaker-data"):
        mods.copy(project_file(800), "sprites/*", packed("2.3.2"))
    with pytest.raises(WorkspaceError, match=r"gamemaker-data\) can't go into"):
        mods.copy(packed("2.3.2"), "sprites/*", project_file(800))


SINGER = "objects/obj_singer"
LENGTH = "sounds/snd_catch.json: length is left out: GameMaker {} has no such field"
GROUP = (
    "sounds/snd_catch.json: group: the game has no audio group 'audiogroup_default': "
    "the sound is in the first one"
)


def with_singer() -> bytes:
    """A game of 2024.13 with an object that plays a sound."""
    game = GameData.from_bytes(lantern())
    game.objects.add("obj_singer", events={"Create_0": "audio_play_sound(snd_catch, 1, false);"})
    return game.to_bytes()


@pytest.mark.parametrize(
    ("version", "type_", "warnings"),
    [
        ("2023.11", None, [LENGTH.format("2023.11")]),
        ("2.3.2", None, [LENGTH.format("2.3.2")]),
        ("1.0.0.1763", ".wav", [LENGTH.format("1.0.0.1763"), GROUP]),
    ],
)
def test_fields_that_the_release_lacks_are_left_out_by_name(
    version: str, type_: str | None, warnings: list[str]
) -> None:
    result = mods.copy(with_singer(), SINGER, packed(version), with_dependencies=True)
    assert result.conflicts == []
    assert result.warnings == warnings
    old, new = GameData.from_bytes(lantern()), GameData.from_bytes(result.data)
    assert new.to_bytes() == result.data
    sound = new.records.sounds["snd_catch"]
    assert new.audio_files.files.bytes_of(sound) == old.audio_files.files.bytes_of(
        old.records.sounds["snd_catch"]
    )
    assert (sound.group, sound.type) == (0, type_)
    code = new.objects["obj_singer"].events["Create_0"].gml
    assert code.strip() == "audio_play_sound(snd_catch, 1, false);"


def test_nothing_is_left_out_in_the_same_release() -> None:
    length = GameData.from_bytes(lantern()).records.sounds["snd_catch"].length
    result = mods.copy(lantern(), "sounds/snd_catch", packed("2024.13"))
    assert (result.conflicts, result.warnings) == ([], [])
    assert length and GameData.from_bytes(result.data).records.sounds["snd_catch"].length == length


def test_a_mod_of_another_release_adds_what_the_game_can_have() -> None:
    old = GameData.from_bytes(with_singer())
    data = old.sounds["snd_catch"].bytes
    assert data is not None
    old.sounds.add("snd_new", data[:-1] + bytes([data[-1] ^ 1]))
    mod = mods.make(with_singer(), old.to_bytes(), name="sounds")
    assert list(mod.added) == ["sounds/snd_new.json", "sounds/snd_new.wav"]
    result = mods.apply(packed("2.3.2"), [mod])
    assert result.conflicts == []
    assert "snd_new" in GameData.from_bytes(result.data).records.sounds
    assert [line for line in result.warnings if "left out" in line] == [
        "sounds/snd_new.json: length is left out: GameMaker 2.3.2 has no such field (mod sounds)"
    ]


def test_the_command_names_what_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "old.win").write_bytes(lantern())
    (tmp_path / "new.win").write_bytes(packed("2.3.2"))
    words = ["copy", "old.win", "sounds/snd_catch", "new.win", "-o", "made.win"]
    with chdir(tmp_path):
        assert main(words) == 0
    assert LENGTH.format("2.3.2") in capsys.readouterr().err
    assert (tmp_path / "made.win").stat().st_size > 0


def test_fields_of_records_in_records_are_left_out() -> None:
    room = {
        "layers": [
            {"name": "a", "type": "assets", "data": {"sprites": [], "texts": [{"name": "t"}]}},
            {"name": "b", "type": "instances", "data": {"instances": []}},
        ],
        "not_a_field": 1,
    }
    data = json_bytes(room)
    game = GameData.from_bytes(packed("2.3.2"))
    made, warnings = VERSIONS.fitted("rooms/rm_new.json", data, game)
    assert warnings.texts() == [
        "rooms/rm_new.json: layers[0].data.texts is left out: GameMaker 2.3.2 has no such field"
    ]
    assert json.loads(made) == {
        "layers": [
            {"name": "a", "type": "assets", "data": {"sprites": []}},
            {"name": "b", "type": "instances", "data": {"instances": []}},
        ],
        "not_a_field": 1,  # which is refused where it is read
    }
    for path, other in (("code/a.gml", b"x = 1;"), ("rooms/rm_new.json", json_bytes({}))):
        assert VERSIONS.fitted(path, other, game) == (other, [])
