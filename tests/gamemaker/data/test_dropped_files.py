"""Files that people drop into a folder: used or refused, never ignored."""

from __future__ import annotations

import atexit
import json
import random
import shutil
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
import pytest
from PIL import Image

import overhaul
from memory_folder import memory_folder
from overhaul.errors import OverhaulError, WorkspaceError
from overhaul.gamemaker.data.pictures import image_of_item
from overhaul.gamemaker.data_folder.format import FORMAT as data_folder
from overhaul.gamemaker.data_folder.kinds import kinds_of
from overhaul.media import png
from small_folders import picture, put, small_game
from sound_files import mp3, ogg, wave

COLOURS = [picture(16, 16, seed=seed) for seed in range(12)]


def strip(*numbers: int) -> bytes:
    return png.encode(np.concatenate([COLOURS[n] for n in numbers], axis=1))


def animation(kind: str, *numbers: int) -> bytes:
    out = BytesIO()
    images = [Image.fromarray(COLOURS[n]) for n in numbers]
    images[0].save(out, kind, save_all=True, append_images=images[1:], disposal=2, duration=50)
    return out.getvalue()


@cache
def unpacked(version: str) -> Path:
    """An unpacked folder, and the game that it was unpacked from."""
    place = Path(mkdtemp())
    atexit.register(shutil.rmtree, place)
    small_game(place / "source", version)
    overhaul.pack(place / "source", place / "data.win")
    overhaul.unpack(place / "data.win", place / "game")
    return place


def copied(version: str, folder: Path) -> Path:
    shutil.copytree(unpacked(version), folder, dirs_exist_ok=True)
    return folder / "game"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """An unpacked folder."""
    return copied("2023.8", tmp_path)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """An unpacked folder of a game of GameMaker: Studio."""
    return copied("1.0.0.1763", tmp_path / "old")


def repacked(folder: Path) -> Any:
    """The game of a folder; the same is made of the plain files alone."""
    out = folder.parent / "out"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    overhaul.pack(folder, out / "data.win", strict=True)
    bare = folder.parent / "bare"
    shutil.rmtree(bare, ignore_errors=True)
    shutil.copytree(folder, bare)
    shutil.rmtree(bare / ".overhaul")
    overhaul.pack(bare, out / "bare.win", strict=True)
    game: Any = overhaul.open(out / "data.win")
    other: Any = overhaul.open(out / "bare.win")
    assert game.sprites.names() == other.sprites.names()
    for sprite in game.sprites:
        same = [np.array(frame.image) for frame in other.sprites[sprite.name].frames]
        assert [np.array(frame.image).tolist() for frame in sprite.frames] == [
            item.tolist() for item in same
        ]
    return game


def frames(game: Any, name: str) -> list[int]:
    """The numbers of the pictures that a sprite shows."""
    shown = [np.array(frame.image) for frame in game.sprites[name].frames]
    return [next(n for n, c in enumerate(COLOURS) if np.array_equal(c, item)) for item in shown]


@pytest.mark.parametrize(
    "files, numbers",
    [
        ({"spr_new.png": strip(3)}, [3]),
        ({"spr_new_strip4.png": strip(4, 5, 6, 7)}, [4, 5, 6, 7]),
        ({"spr_new/0.png": strip(1), "spr_new/1.png": strip(2)}, [1, 2]),
        ({"spr_new/spr_new_strip3.png": strip(1, 2, 3)}, [1, 2, 3]),
        ({"spr_new/anything at all.png": strip(9)}, [9]),
        ({"spr_new/Run.PNG": strip(9)}, [9]),
        ({f"spr_new/walk{n}.png": strip(n) for n in (11, 2, 1, 10)}, [1, 2, 10, 11]),
        ({"spr_new/a_strip2.png": strip(1, 2), "spr_new/b.png": strip(3)}, [1, 2, 3]),
        ({"spr_new.apng": animation("PNG", 3, 5, 8)}, [3, 5, 8]),
        ({"spr_new.png": animation("PNG", 3, 5, 8)}, [3, 5, 8]),
        ({"spr_new/idle.gif": animation("GIF", 3, 5, 8)}, [3, 5, 8]),
    ],
)
def test_pictures_make_a_sprite(files: dict[str, bytes], numbers: list[int], game: Path) -> None:
    for path, data in files.items():
        put(game, f"sprites/{path}", data)
    made = repacked(game)
    sprite = made.sprites["spr_new"]
    assert (sprite.width, sprite.height) == (16, 16)
    assert frames(made, "spr_new") == numbers
    assert made.sprites.names()[-1] == "spr_new"
    overhaul.unpack(game.parent / "out/data.win", game.parent / "again")
    again = game.parent / "again/sprites/spr_new"
    shown = {path.name for path in again.iterdir() if not path.name.startswith("mask_")}
    assert shown == {"sprite.json", *(f"{n}.png" for n in range(len(numbers)))}
    overhaul.pack(game.parent / "again", game.parent / "again.win", strict=True)
    assert (game.parent / "again.win").read_bytes() == (game.parent / "out/data.win").read_bytes()


def test_what_the_json_says_of_dropped_frames(game: Path) -> None:
    put(game, "sprites/spr_new_strip2.png", strip(1, 2))
    put(game, "sprites/spr_new.json", {"origin_x": 5, "origin_y": 6})
    put(game, "objects/obj_new.json", {"sprite": "spr_new", "visible": False})
    made = repacked(game)
    assert (made.sprites["spr_new"].origin_x, made.sprites["spr_new"].origin_y) == (5, 6)
    record = made.records.objects["obj_new"]
    assert record.sprite.name == "spr_new" and not record.visible
    put(game, "objects/obj_new/object.json", {"sprite": "spr_new"})
    with pytest.raises(WorkspaceError, match=r"obj_new.json and objects/obj_new/object.json: ther"):
        repacked(game)


def test_other_frames_for_a_sprite_that_is_there(game: Path) -> None:
    put(game, "sprites/spr_player/new_strip3.png", strip(4, 5, 6))
    with pytest.raises(
        WorkspaceError,
        match=r"new_strip3.png: the frames .* are in files of their own .sprites/spr_player/0.png.",
    ):
        repacked(game)
    for number in range(2):
        (game / f"sprites/spr_player/{number}.png").unlink()
    assert frames(repacked(game), "spr_player") == [4, 5, 6]
    put(game, "sprites/spr_player/new_strip3.png", strip(7))
    with pytest.raises(WorkspaceError, match=r"new_strip3.png: .*3"):
        repacked(game)
    (game / "sprites/spr_player/new_strip3.png").rename(game / "sprites/spr_player/one.png")
    assert frames(repacked(game), "spr_player") == [7]


def test_a_part_of_the_game(game: Path) -> None:
    part = game.parent / "part"
    overhaul.unpack(game.parent / "data.win", part, only=["sprites/spr_wall*"])
    put(part, "sprites/spr_player_strip3.png", strip(4, 5, 6))
    with pytest.raises(WorkspaceError, match=r"in files of their own .sprites/spr_player/0.png"):
        overhaul.pack(part, game.parent / "part.win")
    put(part, "sprites/spr_new_strip3.png", strip(4, 5, 6))
    (part / "sprites/spr_player_strip3.png").unlink()
    overhaul.pack(part, game.parent / "part.win", strict=True)
    with overhaul.open(game.parent / "part.win") as opened:
        assert frames(opened, "spr_new") == [4, 5, 6]


@pytest.mark.parametrize(
    "path, data, words",
    [
        ("sprites/spr_new_strip3.png", strip(1, 2), "sprites/spr_new_strip3.png: .*3"),
        ("sprites/spr_new.png", b"hello", "sprites/spr_new.png: not a picture"),
        ("sprites/spr_new.gif", animation("GIF", 1, 2)[:-30], "sprites/spr_new.gif: "),
        ("sprites/spr_new.ase", b"\0\0\0\0\xe0\xa5", "spr_new.ase: Aseprite files can't be read"),
        (
            "sprites/spr_new.wav",
            wave(),
            "wav: it has no place here: sounds go into sounds/",
        ),
        ("objects/obj_wall/0.png", strip(1), "pictures of sprites go into sprites/NAME/"),
        ("rooms/rm_first.png", strip(1), "rooms/rm_first.png: it has no place here"),
        ("sounds/snd_new.png", strip(1), "sounds/snd_new.png: it has no place here"),
        ("sounds/sub/snd_new.wav", wave(), "sounds/sub/snd_new.wav: it has no place here"),
        ("sounds/snd_new.flac", b"fLaC" + bytes(99), "snd_new.flac: .* plays WAV and Ogg Vorbis"),
        ("sounds/snd_new.wav", wave()[:99], "snd_new.wav: the WAV file is cut off"),
        ("sounds/snd_new.ogg", ogg()[:-9], "snd_new.ogg: the Ogg file is cut off in page 2"),
        ("sounds/snd_jump.WAV", wave(7), "snd_jump.WAV and sounds/snd_jump.wav: there are two"),
        ("fonts/fnt_a/letters.png", strip(1), "fonts/fnt_a/letters.png: it has no place here"),
    ],
)
def test_what_has_no_place_is_refused(path: str, data: bytes, words: str, game: Path) -> None:
    put(game, path, data)
    before = sorted(game.parent.iterdir())
    with pytest.raises(WorkspaceError, match=words):
        overhaul.pack(game, game.parent / "new.win")
    assert sorted(game.parent.iterdir()) == before


@pytest.mark.parametrize(
    "path, text, words",
    [
        ("objects/obj_new/Create_0.gml", "x = = 1;", r"objects/obj_new/Create_0.gml:1:5: "),
        (
            "objects/obj_new/objekt.json",
            "{}",
            "objekt.json: it has no place here: expected obj",
        ),
        ("objects/obj_new/sub/Create_0.gml", "x = 1;", "code goes into code/"),
        (
            "rooms/rm_first.gml",
            "x = 1;",
            "rm_first.gml: it has no place here: code goes into",
        ),
        (
            "objects/obj_new.json",
            '{"spritee": null}',
            r"obj_new.json.*: spritee: .*'sprite'",
        ),
        ("objekts/obj_new/object.json", "{}", r"did you mean 'objects/obj_new/object.json'"),
        ("audio_group.json", "[]", r"did you mean 'audio_groups.json'"),
        ("sprites/spr_new_strip2.json", '{"orgin_x": 3}', r"orgin_x: .* .did you mean 'origin_x'"),
        ("sounds/snd_new.json", '{"flags": ["embeded"]}', r"flags: .* .did you mean 'embedded'"),
        ("objects/obj_new.json", '{"solid": "yes"}', "solid: expected true or false, got 'yes'"),
        ("paths/p.json", '{"points": [{"z": 1}]}', r"points.0..z: .* .there are speed, x, y."),
        ("order.json", '{"sprite": []}', r"order.json: .* .did you mean 'sprites'"),
        (
            "rooms/rm_new.json",
            '{"layers": [{"name": "Top"}], "instances": [{"object": "obj_wall", "layer": "Topp"}]}',
            r"instances: there is no layer of instances named 'Topp' in layers .did you mean 'Top'",
        ),
    ],
)
def test_what_was_probably_meant(path: str, text: str, words: str, game: Path) -> None:
    put(game, path, text)
    with pytest.raises(OverhaulError, match=words):
        overhaul.pack(game, game.parent / "new.win")


def test_code_next_to_its_object(game: Path, old: Path) -> None:
    for place in (game, old):
        put(place, "objects/obj_new/object.json", {"sprite": "spr_wall"})
        put(place, "objects/obj_new/Create_0.gml", "hp = 3;\n")
        put(place, "objects/obj_new/Collision_obj_wall.gml", "hp = scr_less(hp);\n")
        modern = place is game
        put(
            place,
            "scripts/scr_less.gml",
            "function scr_less(n) { return n - 1; }" if modern else "return argument0 - 1;",
        )
        overhaul.pack(place, place.parent / "new.win", strict=True)
        made: Any = overhaul.open(place.parent / "new.win")
        assert made.objects["obj_new"].events["Create_0"].gml == "hp = 3;"
        assert "scr_less" in made.objects["obj_new"].events["Collision_obj_wall"].gml
        assert "scr_less" in made.scripts.names()


def test_warnings_name_the_files_of_people(game: Path) -> None:
    put(game, "objects/obj_new/Create_0.gml", "hp = no_such_function();\n")
    done = overhaul.pack(game, game.parent / "new.win")
    (warning,) = [warning for warning in done.warnings if "no_such_function" in warning]
    assert warning.startswith("objects/obj_new/Create_0.gml:1:6: ")


MINIMAL = ["1.0.0.513", "1.0.0.1763", "2.3.2", "2024.14"]


@pytest.mark.parametrize("version", MINIMAL)
def test_every_kind_needs_no_more_than_its_name(version: str, tmp_path: Path) -> None:
    folder = tmp_path / "game"
    overhaul.new(folder, version=version)
    with overhaul.open(folder / ".overhaul/blobs" / original(folder)) as opened:
        game: Any = opened
        kinds = [k for k in kinds_of(game.release) if k.chunk in game.chunks]
    for number, kind in enumerate(kinds):
        put(folder, kind.json_path(f"thing_{number}"), {"name": f"thing_{number}"})
    overhaul.pack(folder, tmp_path / "data.win", strict=True)
    assert overhaul.verify(tmp_path / "data.win").identical
    with overhaul.open(tmp_path / "data.win") as opened:
        game = opened
        for number, kind in enumerate(kinds):
            assert f"thing_{number}" in game.named(kind.chunk).names()
    overhaul.unpack(tmp_path / "data.win", tmp_path / "again")
    for number, kind in enumerate(kinds):
        shown = json.loads((tmp_path / "again" / kind.json_path(f"thing_{number}")).read_text())
        assert kind.chunk not in ("OBJT", "ROOM", "SPRT", "SOND") or len(shown) > 5


def original(folder: Path) -> str:
    digest: str = json.loads((folder / ".overhaul/manifest.json").read_text())["original"]["sha256"]
    return digest


def test_several_files_for_one_sprite(game: Path) -> None:
    put(game, "sprites/spr_new.png", strip(1))
    put(game, "sprites/spr_new_strip2.png", strip(1, 2))
    with pytest.raises(WorkspaceError, match=r"several files .* belong in sprites/spr_new/"):
        repacked(game)
    (game / "sprites/spr_new.png").unlink()
    put(game, "sprites/spr_new/more.png", strip(3))
    with pytest.raises(WorkspaceError, match=r"several files .* belong in sprites/spr_new/"):
        repacked(game)


def test_a_source_next_to_its_pictures_is_reported(game: Path) -> None:
    put(game, "sprites/spr_player/player.aseprite", b"\0\0\0\0\xe0\xa5")
    done = overhaul.pack(game, game.parent / "new.win")
    (warning,) = done.warnings
    assert warning.startswith("sprites/spr_player/player.aseprite: it has no effect")


@pytest.mark.parametrize("ending, data", [("wav", wave(90)), ("ogg", ogg()), ("WAV", wave(90))])
def test_sounds(ending: str, data: bytes, game: Path) -> None:
    put(game, f"sounds/snd_new.{ending}", data)
    made = repacked(game)
    assert made.sounds["snd_new"].bytes == data and made.sounds["snd_new"].volume == 1
    assert made.sounds["snd_new"].record.flags == (0x66 if ending == "ogg" else 0x65)
    put(
        game, "sounds/snd_new.json", {"volume": 0.5, "flags": ["embedded", "compressed", "regular"]}
    )
    made = repacked(game)
    assert made.sounds["snd_new"].volume == 0.5 and made.sounds["snd_new"].record.flags == 0x67
    put(game, "sounds/snd_new.json", {"volume": 0.5, "group": "musik"})
    put(game, "audio_groups.json", [{"name": "audiogroup_default"}, {"name": "music"}])
    with pytest.raises(
        WorkspaceError, match=r"snd_new.json.*: group: .* named 'musik' .did you mean 'music'"
    ):
        repacked(game)
    put(game, "sounds/snd_new.json", {"volume": 0.5, "group": "music"})
    made = repacked(game)
    assert made.sounds["snd_new"].group.name == "music" and made.sounds["snd_new"].bytes == data


def test_a_sound_that_may_stay_silent_is_reported(game: Path) -> None:
    put(game, "sounds/snd_new.mp3", mp3())
    done = overhaul.pack(game, game.parent / "new.win")
    (warning,) = done.warnings
    assert warning.startswith("sounds/snd_new.mp3: ") and "plays WAV and Ogg Vorbis" in warning
    with overhaul.open(game.parent / "new.win") as opened:
        made: Any = opened
        assert made.sounds["snd_new"].bytes == mp3()


def test_pictures_of_other_formats(game: Path, old: Path) -> None:
    for place, folder in ((game, "tilesets"), (old, "backgrounds")):
        out = BytesIO()
        Image.fromarray(COLOURS[3]).save(out, "GIF")
        put(place, f"{folder}/bg_new.gif", out.getvalue())
        item = repacked(place).records.backgrounds["bg_new"].texture
        assert np.array_equal(np.array(image_of_item(item)), COLOURS[3])
        put(place, f"{folder}/bg_new.gif", animation("GIF", 1, 2))
        with pytest.raises(WorkspaceError, match=r"bg_new.gif: expected one picture, got 2"):
            repacked(place)


def test_strips_and_sounds_of_an_early_release(old: Path) -> None:
    put(old, "sprites/spr_new_strip2.png", strip(1, 2))
    put(old, "sounds/snd_new.OGG", ogg())
    made = repacked(old)
    assert frames(made, "spr_new") == [1, 2]
    assert made.sounds["snd_new"].bytes == ogg() and made.sounds["snd_new"].file_name


def test_what_is_reported_are_the_files_of_people(game: Path) -> None:
    put(game, "sprites/spr_new_strip2.png", strip(1, 2))
    done = overhaul.pack(game, game.parent / "new.win")
    assert done.changes == {"sprites/spr_new_strip2.png": "added"}
    assert json.loads((game / ".overhaul/manifest.json").read_text())


@pytest.mark.parametrize(
    "path, whole",
    [
        ("sprites/spr_new_strip3.png", strip(1, 2, 3)),
        ("sprites/spr_new.apng", animation("PNG", 1, 2, 3)),
        ("sprites/spr_new/run.gif", animation("GIF", 1, 2, 3)),
    ],
)
def test_damaged_pictures(path: str, whole: bytes) -> None:
    """300 files: each is refused by its name, or all its frames are read."""
    made: Any = overhaul.open(unpacked("2023.8") / "data.win")
    chance = random.Random(path)
    refused = 0
    for _ in range(300):
        data = bytearray(whole)
        at = chance.randrange(min(len(data), chance.choice([60, len(data)])))
        kind = chance.randrange(3)
        if kind == 0:
            data[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            del data[max(1, at) :]
        else:
            data[at:at] = chance.randbytes(9)
        folder = memory_folder({path: bytes(data)})
        try:
            taken, changes, names = data_folder.take_others(made, folder, {path: "added"})
            frames = [png.decode(taken.read(item)) for item in taken.list()]
        except WorkspaceError as error:
            refused += 1
            assert str(error).startswith(f"{path}: ") and len(str(error)) < 300
        else:
            assert 1 <= len(frames) <= 3 or path.endswith(".gif")
            assert set(names) == set(changes) == set(taken.list())
            assert set(names.values()) == {path}
    assert refused > 100
