"""Folders written by hand from nothing: new games of every generation, and what is refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import overhaul
from overhaul.errors import OverhaulError, WorkspaceError
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.pictures import PageImages
from overhaul.media import png
from present import opened, present
from same_meaning import differences
from small_folders import picture, put, small_game, toml, wave
from sound_files import ogg

VERSIONS = [
    "1.0.0.1451", "1.0.0.1567", "1.0.0.1763", "1.0.0.1773", "1.0.0.9999", "2.0", "2.0.6",
    "2.2.2.302", "2.3", "2.3.2", "2.3.6", "2022.3", "2022.8", "2022.9 LTS", "2023.1", "2023.8",
    "2024.2", "2024.8", "2024.11", "2024.13", "2024.14",
]  # fmt: skip
FEW = ["1.0.0.1763", "2.2.2.302", "2.3.2", "2022.3", "2024.14"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("version", VERSIONS)
def test_a_game_of_nothing(version: str, tmp_path: Path) -> None:
    put(tmp_path, "empty/overhaul.toml", toml(version))
    overhaul.pack(tmp_path / "empty", tmp_path / "data.win")
    assert overhaul.verify(tmp_path / "data.win").identical
    with opened(tmp_path / "data.win", GameData) as game:
        assert game.version.startswith(version.removesuffix(" LTS").split(".")[0])
        assert list(game.records.sprites) == [] and list(game.records.rooms) == []


@pytest.mark.parametrize("version", VERSIONS)
def test_a_small_game_from_nothing(version: str, tmp_path: Path) -> None:
    small_game(tmp_path / "game", version)
    done = overhaul.pack(tmp_path / "game", tmp_path / "data.win")
    assert done.from_scratch and done.warnings == []
    report = overhaul.verify(tmp_path / "data.win")
    assert report.identical and present(report.coverage).opaque == 0
    game: Any = overhaul.open(tmp_path / "data.win")
    player = game.records.sprites["spr_player"]
    assert (player.width, player.height, player.margin_left, player.margin_right) == (16, 16, 3, 12)
    for number in range(2):
        frame = present(PageImages().frame(player.textures[number]))
        assert np.array_equal(frame, picture(seed=number))
    assert game.sound_bytes("snd_jump") == wave()
    events = game.records.objects["obj_player"].events
    assert str(events[0][0].actions[0].code.name) == "gml_Object_obj_player_Create_0"
    assert events[4][0].subtype.name == "obj_wall"
    assert [i.object.name for i in game.records.rooms[0].instances] == ["obj_player", "obj_wall"]
    assert [i.id for i in game.records.rooms[0].instances] == [100000, 100001]
    if game.release.major >= 2:
        assert game.records.rooms[0].layers[0].data.instances == [100000, 100001]
    assert [room.name for room in game.general.room_order] == ["rm_first"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("version", VERSIONS)
def test_it_unpacks_again_to_the_same(version: str, tmp_path: Path) -> None:
    small_game(tmp_path / "game", version)
    overhaul.pack(tmp_path / "game", tmp_path / "data.win")
    overhaul.unpack(tmp_path / "data.win", tmp_path / "again")
    overhaul.pack(tmp_path / "again", tmp_path / "kept.win")
    assert (tmp_path / "kept.win").read_bytes() == (tmp_path / "data.win").read_bytes()
    shutil.rmtree(tmp_path / "again" / ".overhaul")
    overhaul.pack(tmp_path / "again", tmp_path / "bare.win")
    first = opened(tmp_path / "data.win", GameData)
    second = opened(tmp_path / "bare.win", GameData)
    assert first.version == second.version
    assert differences(first, second) == []


def source_game(folder: Path, version: str) -> None:
    """A small game whose code is GML: a script function and a macro used elsewhere."""
    small_game(folder, version)
    for path in (folder / "code").glob("*.asm"):
        path.unlink()
    name, modern = "gml_Script_scr_double", not version.startswith(("1.", "2.2"))
    if modern:
        name = "gml_GlobalScript_scr_double"
        double = "#macro FACTOR 2\nfunction scr_double(n)\n{\n    return n * FACTOR;\n}\n"
        put(folder, "global_init.json", [name])
    else:
        double = "return argument0 * 2;\n"
    put(folder, f"code/{name}.gml", double)
    put(folder, "scripts.json", {"scr_double": name})
    put(folder, "code/gml_Object_obj_player_Create_0.gml", "speed_now = scr_double(3);\n")
    step = "if (place_meeting(x, y, obj_wall))\n    audio_play_sound(snd_jump, 1, false);\n"
    put(folder, "code/gml_Object_obj_player_Step_0.gml", step)
    put(folder, "code/gml_Object_obj_player_Collision_obj_wall.gml", "instance_destroy();\n")


@pytest.mark.parametrize("version", FEW)
def test_code_may_be_source(version: str, tmp_path: Path) -> None:
    source_game(tmp_path / "game", version)
    overhaul.pack(tmp_path / "game", tmp_path / "data.win")
    assert overhaul.verify(tmp_path / "data.win").identical
    game: Any = overhaul.open(tmp_path / "data.win")
    create = game.records.code["gml_Object_obj_player_Create_0"].assembly
    called = "scr_double" if version.startswith(("1.", "2.2")) else "gml_Script_scr_double"
    assert f"call.i {called}(argc=1)" in create
    assert "snd_jump" in game.records.code["gml_Object_obj_player_Step_0"].gml
    overhaul.unpack(tmp_path / "data.win", tmp_path / "again", code="gml")
    shutil.rmtree(tmp_path / "again" / ".overhaul")
    overhaul.pack(tmp_path / "again", tmp_path / "bare.win")
    second: Any = overhaul.open(tmp_path / "bare.win")
    assert differences(game, second) == []


def test_unpacking_is_deterministic(tmp_path: Path) -> None:
    small_game(tmp_path / "game", "2024.14")
    overhaul.pack(tmp_path / "game", tmp_path / "data.win")
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        overhaul.unpack(tmp_path / "data.win", folder)
    files = [
        {p.relative_to(f).as_posix(): p.read_bytes() for p in f.rglob("*") if p.is_file()}
        for f in folders
    ]
    assert files[0] == files[1]


@pytest.fixture(scope="module", params=FEW)
def small(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small game, packed and unpacked."""
    path = tmp_path_factory.mktemp("small")
    small_game(path / "source", request.param)
    overhaul.pack(path / "source", path / "data.win")
    overhaul.unpack(path / "data.win", path / "game")
    return path


@pytest.fixture
def unpacked(small: Path, tmp_path: Path) -> Path:
    """The folder of a small game, which a test may change; the game is next to it."""
    shutil.copytree(small, tmp_path, dirs_exist_ok=True)
    return tmp_path / "game"


def repack(folder: Path) -> Any:
    overhaul.pack(folder, folder.parent / "edited.win", force=True)
    assert overhaul.verify(folder.parent / "edited.win").identical
    return overhaul.open(folder.parent / "edited.win")


def test_a_repainted_page(unpacked: Path) -> None:
    page = png.decode((unpacked / "textures" / "0.png").read_bytes()).copy()
    page[page[..., 3] > 0] = (9, 8, 7, 255)
    put(unpacked, "textures/0.png", png.encode(page))
    game = repack(unpacked)
    frame = present(PageImages().frame(game.records.sprites["spr_player"].textures[0]))
    assert {tuple(pixel) for pixel in frame[frame[..., 3] > 0].tolist()} == {(9, 8, 7, 255)}


def test_a_frame_removed_and_one_added(unpacked: Path) -> None:
    sprite = unpacked / "sprites" / "spr_player"
    (sprite / "0.png").unlink()
    put(sprite, "2.png", png.encode(picture(seed=7)))
    game = repack(unpacked)
    frames = [present(PageImages().frame(i)) for i in game.records.sprites["spr_player"].textures]
    assert len(frames) == 2
    assert np.array_equal(frames[0], picture(seed=1))
    assert np.array_equal(frames[1], picture(seed=7))
    sequence = game.records.sprites["spr_player"].sequence
    if sequence is not None:
        assert len(sequence.sequence.tracks[0].keyframes.frames) == 2


def test_a_mask_repainted(unpacked: Path) -> None:
    from PIL import Image

    path = unpacked / "sprites" / "spr_player" / "mask_0.png"
    with Image.open(path) as image:
        size = image.size
    Image.new("1", size, 1).save(path)
    (mask,) = repack(unpacked).records.sprites["spr_player"].masks
    assert len(mask) == (size[0] + 7) // 8 * size[1]
    Image.new("1", (3, 3), 1).save(path)
    with pytest.raises(WorkspaceError, match=r"mask_0\.png: the mask is 3 x 3"):
        repack(unpacked)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    ("kept", "said"), [(50, "a damaged PNG file: "), (0, "not a PNG file: the signature")]
)
def test_a_damaged_mask_is_named(unpacked: Path, kept: int, said: str, jobs: int) -> None:
    path = unpacked / "sprites" / "spr_player" / "mask_0.png"
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(WorkspaceError, match=f"^sprites/spr_player/mask_0.png: {said}"):
        overhaul.pack(unpacked, unpacked.with_name("out.win"), from_scratch=True, jobs=jobs)


def test_a_name_key_renames(unpacked: Path) -> None:
    path = unpacked / "objects" / "obj_wall" / "object.json"
    plain = {"name": "obj_stone"} | json.loads(path.read_text())
    put(unpacked, "objects/obj_wall/object.json", plain)
    game = repack(unpacked)
    assert game.records.rooms[0].instances[1].object.name == "obj_stone"
    assert game.records.objects["obj_player"].events[4][0].subtype.name == "obj_stone"


def test_the_order_can_be_changed(unpacked: Path) -> None:
    order = json.loads((unpacked / "order.json").read_text())
    order["sprites"].reverse()
    put(unpacked, "order.json", order)
    game = repack(unpacked)
    assert [str(s.name) for s in game.records.sprites] == ["spr_wall", "spr_player"]
    assert game.records.objects["obj_wall"].sprite.name == "spr_wall"


def test_code_changed(unpacked: Path) -> None:
    path = "code/gml_Object_obj_player_Step_0.asm"
    put(unpacked, path, ":[0]\npushi.e 3\npop.v.i self.new_one\n\n:[end]\n")
    game = repack(unpacked)
    assert "new_one" in game.records.code["gml_Object_obj_player_Step_0"].assembly
    assert "Create_0" in game.records.code["gml_Object_obj_player_Create_0"].assembly
    put(unpacked, path, ":[0]\nnonsense.e 3\n")
    with pytest.raises(OverhaulError, match="Step_0"):
        repack(unpacked)


def test_an_edited_string_wins_over_an_untouched_file(unpacked: Path) -> None:
    text = (unpacked / "strings.csv").read_text("utf-8")
    assert ",spr_wall\n" in text
    put(unpacked, "strings.csv", text.replace(",spr_wall\n", ",spr_stone\n"))
    object_path = unpacked / "objects" / "obj_wall" / "object.json"
    plain = json.loads(object_path.read_text())
    plain["depth"] = 4
    put(unpacked, "objects/obj_wall/object.json", plain)
    game = repack(unpacked)
    assert game.records.objects["obj_wall"].sprite.name == "spr_stone"
    assert game.records.objects["obj_wall"].depth == 4


BAD: list[tuple[str, Any, str]] = [
    (
        "objects/obj_wall/object.json",
        {"sprite": "spr_none"},
        r"object\.json:\d+:\d+: sprite: .*spr_none",
    ),
    ("objects/obj_wall/object.json", {"solid": "x"}, r"object\.json:\d+:\d+: solid"),
    ("objects/obj_wall/object.json", {"colour": 1}, r"object\.json:2:3: colour: .*no such key"),
    ("objects/obj_wall/object.json", {"events": {"Step_0": "no"}}, r"events\.Step_0.*'no'"),
    ("objects/obj_wall/object.json", {"events": ["Dance_0"]}, r"events\.Dance_0"),
    ("objects/obj_wall/object.json", "[1, 2", r"object\.json:1:6: .*JSON"),
    ("objects/obj_wall/object.json", [1], r"object\.json: expected an object"),
    ("rooms/rm_first.json", {"instances": [{"object": "obj_none"}]}, r"instances\[0\]\.object"),
    ("rooms/rm_first.json", {"instances": [{"layer": "None"}]}, r"no layer .*None"),
    ("rooms/rm_first.json", {"width": -4}, r"rm_first\.json:\d+:\d+: width"),
    (
        "rooms/rm_first.json",
        {
            "layers": [
                {
                    "name": "Map",
                    "type": "tiles",
                    "data": {"width": 2, "height": 2, "tiles": [[1, 2], [3]]},
                }
            ]
        },
        r"rm_first\.json:\d+:\d+: layers\[0\]\.data\.tiles: 3 tiles in a map of 2",
    ),
    ("sprites/spr_wall/0.png", b"no picture", r"spr_wall/0\.png: "),
    ("strings.csv", "index,text\n0,a\n0,b\n", r"strings\.csv: row 3: .*twice"),
    ("strings.csv", "index,text\n5000,a\n", r"strings\.csv: the string \d+ is missing, and later"),
    ("strings.csv", "index,text\n5,a\nx,b\n", r"strings\.csv: row 3: 'x' is not an index"),
    ("strings.csv", "index,words\n5,a\n", r"strings\.csv: row 1: expected a column 'text'"),
    ("strings.csv", 'index,text\n5,"a', r"strings\.csv: not valid CSV"),
    ("strings.csv", "index,text\n5\n", r"strings\.csv: row 2: expected an index and a text"),
    ("strings.csv", b"index,text\n0,\xff\n", r"strings\.csv: .*UTF-8"),
    ("general.json", {"room_order": ["rm_none"]}, r"general\.json:\d+:\d+: .*rm_none"),
    ("general.json", {"details": {"name": "x"}}, r"general\.json:\d+:\d+: details\.name"),
    ("scripts.json", {"scr": "gml_none"}, r"scripts\.json:\d+:\d+: scr.*gml_none"),
    ("textures/7.png", png.encode(picture()), r"textures/7\.png: there is no texture page"),
]


@pytest.mark.parametrize(("path", "content", "message"), BAD, ids=lambda value: str(value)[:40])
def test_bad_files_are_named(path: str, content: Any, message: str, tmp_path: Path) -> None:
    small_game(tmp_path / "source", "2.3.2")
    overhaul.pack(tmp_path / "source", tmp_path / "data.win")
    overhaul.unpack(tmp_path / "data.win", tmp_path / "game")
    put(tmp_path / "game", path, content)
    with pytest.raises(WorkspaceError, match=message):
        overhaul.pack(tmp_path / "game", tmp_path / "out.win")
    assert not (tmp_path / "out.win").exists()


@pytest.mark.parametrize("version", ["x", "3.1", "2.3.4.5.6", "-1", "1.x"])
def test_versions_that_are_none(version: str, tmp_path: Path) -> None:
    put(tmp_path, "empty/overhaul.toml", toml(version))
    with pytest.raises(OverhaulError, match="not a version"):
        overhaul.pack(tmp_path / "empty", tmp_path / "data.win")


def test_a_part_of_the_folder_can_be_edited(tmp_path: Path) -> None:
    """What was never unpacked is not taken for removed."""
    small_game(tmp_path / "source", "2023.8")
    overhaul.pack(tmp_path / "source", tmp_path / "data.win")
    overhaul.unpack(tmp_path / "data.win", tmp_path / "game", only=["sprites/spr_player/1.png"])
    put(tmp_path / "game", "sprites/spr_player/1.png", png.encode(picture(seed=9)))
    game = repack(tmp_path / "game")
    frames = [
        present(PageImages().frame(item)) for item in game.records.sprites["spr_player"].textures
    ]
    assert np.array_equal(frames[0], picture(seed=0))
    assert np.array_equal(frames[1], picture(seed=9))
    before: Any = overhaul.open(tmp_path / "data.win")
    assert differences(before, game) == ["sprites/spr_player/1: other pixels"]
    with pytest.raises(WorkspaceError, match="only a part"):
        overhaul.pack(tmp_path / "game", tmp_path / "bare.win", from_scratch=True)


def test_an_edit_changes_a_few_bytes(tmp_path: Path) -> None:
    small_game(tmp_path / "source", "2022.3")
    overhaul.pack(tmp_path / "source", tmp_path / "data.win")
    overhaul.unpack(tmp_path / "data.win", tmp_path / "game")
    path = tmp_path / "game" / "objects" / "obj_wall" / "object.json"
    plain = json.loads(path.read_text()) | {"depth": 1}
    put(tmp_path / "game", "objects/obj_wall/object.json", plain)
    repack(tmp_path / "game")
    before = (tmp_path / "data.win").read_bytes()
    after = (tmp_path / "edited.win").read_bytes()
    assert len(before) == len(after)
    assert sum(a != b for a, b in zip(before, after, strict=True)) == 1


@pytest.mark.parametrize("version", ["1.0.0.9999", "2024.14"])
def test_a_script_is_known_by_its_code_only(version: str, tmp_path: Path) -> None:
    source_game(tmp_path / "game", version)
    (tmp_path / "game" / "scripts.json").unlink()
    (tmp_path / "game" / "global_init.json").unlink(missing_ok=True)
    overhaul.pack(tmp_path / "game", tmp_path / "data.win")
    game: Any = overhaul.open(tmp_path / "data.win")
    assert "scr_double" in game.records.scripts
    if version == "2024.14":
        assert [entry.name for entry in game.global_init.code] == ["gml_GlobalScript_scr_double"]
    overhaul.unpack(tmp_path / "data.win", tmp_path / "again", code="gml")
    prefix = "gml_Script_" if version != "2024.14" else "gml_GlobalScript_"
    text = "function scr_more() { return 5; }\n" if version == "2024.14" else "return 5;\n"
    put(tmp_path / "again", f"code/{prefix}scr_more.gml", text)
    after = repack(tmp_path / "again")
    assert "scr_more" in after.records.scripts and "scr_double" in after.records.scripts
    if version == "2024.14":
        assert after.global_init.code[-1].name == "gml_GlobalScript_scr_more"


def test_streamed_sounds_lie_next_to_the_game(tmp_path: Path) -> None:
    small_game(tmp_path / "game", "2023.8")
    put(tmp_path / "game", "sounds/snd_song.ogg", ogg(800))
    put(tmp_path / "game", "sounds/snd_song.json", {"flags": ["regular"], "file": "snd_song.ogg"})
    (tmp_path / "out").mkdir()
    overhaul.pack(tmp_path / "game", tmp_path / "out" / "data.win")
    assert (tmp_path / "out" / "snd_song.ogg").read_bytes() == ogg(800)
    game: Any = overhaul.open(tmp_path / "out" / "data.win")
    assert game.sound_bytes("snd_song") == ogg(800) and len(game.audio) == 1
    overhaul.unpack(tmp_path / "out" / "data.win", tmp_path / "again")
    put(tmp_path / "again", "sounds/snd_song.ogg", ogg(400))
    (tmp_path / "new").mkdir()
    overhaul.pack(tmp_path / "again", tmp_path / "new" / "data.win")
    assert (tmp_path / "new" / "snd_song.ogg").read_bytes() == ogg(400)
    assert (tmp_path / "new" / "data.win").read_bytes() == (
        tmp_path / "out" / "data.win"
    ).read_bytes()


def test_a_changed_window_renews_what_follows_from_it(tmp_path: Path) -> None:
    from overhaul.gamemaker.data.chunks.gen8 import earlier_of, inputs_of_uid

    small_game(tmp_path / "source", "2022.3")
    overhaul.pack(tmp_path / "source", tmp_path / "data.win")
    overhaul.unpack(tmp_path / "data.win", tmp_path / "game")
    path = tmp_path / "game" / "general.json"
    put(tmp_path / "game", "general.json", json.loads(path.read_text()) | {"window_width": 999})
    game = repack(tmp_path / "game")
    assert game.general.window_width == 999
    assert earlier_of(game.general.uid, inputs_of_uid(game.general)) is not None


def bare(unpacked: Path) -> Any:
    """The game made of a folder without its originals."""
    shutil.rmtree(unpacked / ".overhaul")
    return repack(unpacked)


def test_edits_without_the_originals(unpacked: Path) -> None:
    put(unpacked, "sprites/spr_player/0.png", png.encode(picture(seed=4)))
    put(unpacked, "sprites/spr_wall/0.png", png.encode(picture(40, 24, 6)))
    for path in (unpacked / "sprites" / "spr_wall").glob("mask_*.png"):
        path.unlink()
    plain = json.loads((unpacked / "sprites/spr_wall/sprite.json").read_text())
    for key in ("width", "height", "margin_left", "margin_right", "margin_top", "margin_bottom"):
        del plain[key]
    put(unpacked, "sprites/spr_wall/sprite.json", plain)
    put(unpacked, "sprites/spr_new/0.png", png.encode(picture(seed=11)))
    put(unpacked, "sprites/spr_new/sprite.json", {})
    (unpacked / "sounds" / "snd_jump.json").unlink()
    (unpacked / "sounds" / "snd_jump.wav").unlink()
    game = bare(unpacked)
    images = PageImages()
    assert [str(s.name) for s in game.records.sprites] == ["spr_player", "spr_wall", "spr_new"]
    assert np.array_equal(
        present(images.frame(game.records.sprites["spr_player"].textures[0])), picture(seed=4)
    )
    assert np.array_equal(
        present(images.frame(game.records.sprites["spr_player"].textures[1])), picture(seed=1)
    )
    wall = game.records.sprites["spr_wall"]
    assert np.array_equal(present(images.frame(wall.textures[0])), picture(40, 24, 6))
    assert (wall.width, wall.height, wall.margin_right, wall.margin_bottom) == (40, 24, 36, 21)
    assert np.array_equal(
        present(images.frame(game.records.sprites["spr_new"].textures[0])), picture(seed=11)
    )
    assert len(game.records.sounds) == 0 and len(game.textures) == 2


def test_texture_pages_may_be_missing(unpacked: Path) -> None:
    before: Any = overhaul.open(unpacked.parent / "data.win")
    shutil.rmtree(unpacked / "textures")
    game = bare(unpacked)
    assert [d for d in differences(before, game) if not d.startswith("TGIN")] == []
    assert repack(unpacked).version == before.version
    (unpacked / "textures.json").unlink()
    game = repack(unpacked)
    assert [d for d in differences(before, game) if not d.startswith("TGIN")] == []


def test_what_is_odd_is_reported(unpacked: Path) -> None:
    (unpacked / "options.json").unlink()
    put(unpacked, "notes/idea.txt", "a lantern that sings")
    shutil.rmtree(unpacked / "objects" / "obj_wall")
    done = overhaul.pack(unpacked, unpacked.parent / "edited.win")
    result = sorted(done.warnings)
    assert any(w.startswith("notes/idea.txt: it is not part of a game") for w in result)
    assert any(w.startswith("options.json: the file was removed") for w in result)
    assert any(w.startswith("objects/obj_wall was removed, but") for w in result)
    game: Any = overhaul.open(unpacked.parent / "edited.win")
    assert [i.object.name for i in game.records.rooms[0].instances] == ["obj_player"]


def test_without_the_originals_the_json_is_right(unpacked: Path) -> None:
    plain = json.loads((unpacked / "sprites/spr_wall/sprite.json").read_text()) | {"width": 5}
    put(unpacked, "sprites/spr_wall/sprite.json", plain)
    for path in (unpacked / "sprites" / "spr_wall").glob("mask_*.png"):
        path.unlink()
    shutil.rmtree(unpacked / ".overhaul")
    done = overhaul.pack(unpacked, unpacked.parent / "edited.win")
    assert any("says 5 x 8 pixels" in warning for warning in done.warnings)
    game: Any = overhaul.open(unpacked.parent / "edited.win")
    assert game.records.sprites["spr_wall"].width == 5
    shutil.rmtree(unpacked / "objects" / "obj_wall")
    with pytest.raises(WorkspaceError, match="there is no object named 'obj_wall'"):
        overhaul.pack(unpacked, unpacked.parent / "edited.win", force=True)


def test_a_broken_page_is_reported(tmp_path: Path) -> None:
    """Its pictures come out empty, with a warning; the untouched folder packs all the same."""
    small_game(tmp_path / "game", "2024.2")
    overhaul.pack(tmp_path / "game", tmp_path / "data.win")
    data = bytearray((tmp_path / "data.win").read_bytes())
    at = data.index(b"2zoq") + 30
    data[at : at + 40] = bytes(40)
    (tmp_path / "broken.win").write_bytes(data)
    done = overhaul.unpack(tmp_path / "broken.win", tmp_path / "again")
    assert (
        "sprites/spr_player/0.png: the picture is empty: its texture page can't be decoded"
        in done.warnings
    )
    assert png.size((tmp_path / "again/sprites/spr_player/0.png").read_bytes()) == (16, 16)
    overhaul.pack(tmp_path / "again", tmp_path / "packed.win")
    assert (tmp_path / "packed.win").read_bytes() == data
    put(tmp_path / "again", "sprites/spr_player/0.png", png.encode(picture(seed=3)))
    game = repack(tmp_path / "again")
    frame = present(PageImages().frame(game.records.sprites["spr_player"].textures[0]))
    assert np.array_equal(frame, picture(seed=3))
