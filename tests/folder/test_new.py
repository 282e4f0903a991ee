"""New games as folders."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import overhaul
from overhaul.cli import main
from overhaul.errors import FormatError, WorkspaceError
from overhaul.media import png
from small_folders import picture, put, toml
from sound_files import wave

#: one for every layout of the file
RELEASES = [
    *("1.0.0.412", "1.0.0.513", "1.0.0.666", "1.0.0.929", "1.0.0.964", "1.0.0.1044"),
    *("1.0.0.1279", "1.0.0.1307", "1.0.0.1344", "1.0.0.1451", "1.0.0.1567", "1.0.0.1675"),
    *("1.0.0.1763", "1.0.0.1773", "1.0.0.1804", "1.0.0.9999", "2.0", "2.0.6", "2.2.1"),
    *("2.2.2.302", "2.2.5", "2.3", "2.3.1", "2.3.2", "2.3.6", "2022.1", "2022.2", "2022.3"),
    *("2022.5", "2022.6", "2022.8", "2022.9", "2023.4", "2023.6", "2023.8"),
    *("2023.11", "2024.2", "2024.4", "2024.6", "2024.8", "2024.11", "2024.13", "2024.14"),
]


def files(folder: Path) -> dict[str, bytes]:
    """The plain files of a folder."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    names = {path: path.relative_to(folder).as_posix() for path in paths}
    return {name: path.read_bytes() for path, name in names.items() if name[0] != "."}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("version", RELEASES)
def test_a_new_game_of_every_release(version: str, tmp_path: Path) -> None:
    made = overhaul.new(tmp_path / "game", version=version)
    assert made.warnings == []
    done = overhaul.pack(tmp_path / "game", tmp_path / "data.win", strict=True)
    report = overhaul.verify(tmp_path / "data.win")
    assert report.identical and report.coverage is not None and not report.coverage.opaque
    assert report.version == version and done.changes == {}
    overhaul.unpack(tmp_path / "data.win", tmp_path / "again")
    assert files(tmp_path / "again") == files(tmp_path / "game")
    shutil.rmtree(tmp_path / "game/.overhaul")
    overhaul.pack(tmp_path / "game", tmp_path / "bare.win", strict=True)
    overhaul.unpack(tmp_path / "bare.win", tmp_path / "bare")
    assert files(tmp_path / "bare") | {"overhaul.toml": b""} == files(tmp_path / "game") | {
        "overhaul.toml": b""
    }


@pytest.mark.sampled(3)
@pytest.mark.parametrize("version", RELEASES)
def test_resources_by_files_only(version: str, tmp_path: Path) -> None:
    folder = tmp_path / "game"
    overhaul.new(folder, version=version)
    put(folder, "sprites/spr_hero/0.png", png.encode(picture()))
    put(folder, "objects/obj_hero/object.json", {"sprite": "spr_hero"})
    put(folder, "code/gml_Object_obj_hero_Create_0.gml", "hp = 3;\n")
    put(folder, "sounds/snd_hit.wav", wave())
    modern = not version.startswith("1.")
    where = {"layer": "Instances"} if modern else {}
    room = json.loads((folder / "rooms/Room1.json").read_text())
    room["instances"] = [{"object": "obj_hero", "x": 30, "y": 40, **where}]
    put(folder, "rooms/Room1.json", room)
    overhaul.pack(folder, tmp_path / "data.win", strict=True)
    assert overhaul.verify(tmp_path / "data.win").identical
    with overhaul.open(tmp_path / "data.win") as opened:
        game: Any = opened
        (instance,) = game.records.rooms["Room1"].instances
        assert (instance.x, instance.y, instance.object.sprite.name) == (30, 40, "spr_hero")
        assert instance.id == 100000
        image = game.sprites["spr_hero"].frames[0].image
        assert image.tobytes() == picture().tobytes()
        assert game.code["gml_Object_obj_hero_Create_0"].gml == "hp = 3;"
        (event,) = [e for events in game.records.objects["obj_hero"].events for e in events]
        assert event.actions[0].code.name == "gml_Object_obj_hero_Create_0"
        sound = game.sounds["snd_hit"]
        assert sound.bytes == wave() and sound.record.flags & 0x64 == 0x64


def test_what_a_new_game_has(tmp_path: Path) -> None:
    overhaul.new(tmp_path / "game", version="2023.8")
    overhaul.pack(tmp_path / "game", tmp_path / "data.win")
    game: Any = overhaul.open(tmp_path / "data.win")
    assert [str(room.name) for room in game.records.rooms] == ["Room1"]
    assert [room.name for room in game.general.room_order] == ["Room1"]
    assert (game.general.window_width, game.general.window_height) == (1366, 768)
    room = game.records.rooms[0]
    assert (room.width, room.height, len(room.views), room.flags) == (1366, 768, 8, 0x30000)
    assert [str(layer.name) for layer in room.layers] == ["Instances", "Background"]
    assert game.options.flags == 0x400014  # as GameMaker's own new projects
    old: Any = overhaul.open(packed(tmp_path, "1.0.0.1763"))
    assert old.options.flags == 0xCC7A16 and len(old.records.rooms[0].backgrounds) == 8
    assert old.records.rooms[0].speed == 30
    older: Any = overhaul.open(packed(tmp_path, "1.0.0.1307"))
    assert older.options.new_audio
    newest: Any = overhaul.open(packed(tmp_path, "2024.14"))
    assert newest.options.flags == 0x400010 and newest.options.scale == 0
    assert newest.records.rooms[0].flags == 0x40000
    first: Any = overhaul.open(packed(tmp_path, "2.2.5"))
    assert first.options.flags == 0x480014 and first.records.rooms[0].flags == 0x20000


def packed(place: Path, version: str) -> Path:
    overhaul.new(place / version, version=version)
    overhaul.pack(place / version, place / f"{version}.win")
    return place / f"{version}.win"


def test_the_newest_release_is_the_default(tmp_path: Path) -> None:
    overhaul.new(tmp_path / "game")
    assert 'version = "2024.14"' in (tmp_path / "game/overhaul.toml").read_text()


@pytest.mark.parametrize("version", ["", "500", "510", "530", "600", "701", "800", "810"])
def test_projects_of_game_maker(version: str, tmp_path: Path) -> None:
    overhaul.new(tmp_path / "game", version=version, kind="gamemaker-project")
    overhaul.pack(tmp_path / "game", strict=True)
    endings = {"500": "gmd", "510": "gmd", "530": "gmd", "600": "gm6", "701": "gmk", "800": "gmk"}
    report = overhaul.verify(tmp_path / f"game.{endings.get(version, 'gm81')}")
    assert report.identical and report.version == (version or "810")


@pytest.mark.parametrize(
    "version, kind, error, words",
    [
        ("hello", "gamemaker-data", FormatError, "'hello' is not a version"),
        ("2019.1", "gamemaker-data", FormatError, "'2019.1' is not a version"),
        ("999", "gamemaker-project", WorkspaceError, "there is no project version '999'"),
        ("", "gamemaker-dat", FormatError, "unknown kind of document 'gamemaker-dat'"),
        ("", "ags-room", WorkspaceError, "only gamemaker-data and gamemaker-project can"),
    ],
)
def test_what_can_not_be_begun(
    version: str, kind: str, error: type[Exception], words: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=words):
        overhaul.new(tmp_path / "game", version=version, kind=kind)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_something_in_it(tmp_path: Path) -> None:
    put(tmp_path, "game/notes.txt", "mine")
    for _ in range(2):
        with pytest.raises(FileExistsError, match="is not empty"):
            overhaul.new(tmp_path / "game")
    assert (tmp_path / "game/notes.txt").read_text() == "mine"
    (tmp_path / "empty").mkdir()
    overhaul.new(tmp_path / "empty")
    with pytest.raises(FileExistsError, match="is not empty"):
        overhaul.new(tmp_path / "empty")
    with pytest.raises(FileNotFoundError):
        overhaul.new(tmp_path / "no/where")
    with pytest.raises(FileExistsError, match="not a folder"):
        overhaul.new(tmp_path / "game/notes.txt")


def test_a_release_that_an_empty_game_can_not_show(tmp_path: Path) -> None:
    made = overhaul.new(tmp_path / "game", version="2023.2")
    assert made.warnings == [
        "the new game is read as 2023.4: nothing in an empty game shows 2023.2"
    ]
    assert "@@" + "OverhaulRelease" not in (tmp_path / "game/options.json").read_text()


@pytest.mark.parametrize("version", [*RELEASES[16:], "2022.0.3 LTS", "2023.1", "2023.1 LTS"])
def test_the_release_is_shown_as_real_files_show_it(version: str, tmp_path: Path) -> None:
    """GEN8 says 2.0.0.0, as in all files of GameMaker 2 and later: the rest of the file tells."""
    game: Any = overhaul.open(packed(tmp_path, version))
    general = game.general
    assert (general.major, general.minor, general.release, general.build) == (2, 0, 0, 0)
    assert game.version == version
    named = [
        str(constant.value)
        for constant in game.options.constants
        if "Release" in str(constant.name)
    ]
    reasons = [each.reason for each in game.evidence]
    assert named == [version] * ("the constant @@OverhaulRelease of the options" in reasons)
    assert bool(named) is (version not in SHOWN)


#: the releases that an empty game shows by itself
SHOWN = (
    *("2.0", "2.2.1", "2.3", "2.3.6", "2022.1", "2022.8", "2022.9", "2023.1", "2023.4", "2023.6"),
    *("2023.8", "2024.11", "2024.13", "2024.14"),
)


@pytest.mark.parametrize("value", ["x", "1.4", "2024.8.1.1.1", "3000.1", "2024.-1"])
def test_a_release_that_there_is_not_is_no_evidence(value: str, tmp_path: Path) -> None:
    game: Any = overhaul.open(packed(tmp_path, "2024.8"))
    (named,) = [constant for constant in game.options.constants if "Release" in str(constant.name)]
    named.value = game.strings.add(value)
    again: Any = overhaul.open(game.to_bytes())
    assert again.version == "2023.8" and again.to_bytes() == game.to_bytes()


@pytest.mark.parametrize("version", ["2.3.2", "2024.8"])
def test_a_game_by_hand_with_options_of_its_own(version: str, tmp_path: Path) -> None:
    put(tmp_path, "game/overhaul.toml", toml(version))
    put(tmp_path, "game/options.json", {"scale": 1, "constants": []})
    overhaul.pack(tmp_path / "game", tmp_path / "data.win")
    game: Any = overhaul.open(tmp_path / "data.win")
    assert (game.version, game.options.scale, game.general.major) == (version, 1, 2)
    put(tmp_path, "game/general.json", {"major": 2})  # as unpacking writes it: all is said
    overhaul.pack(tmp_path / "game", tmp_path / "other.win")
    assert overhaul.open(tmp_path / "other.win").version != version


def test_the_constant_that_names_the_release_stays(tmp_path: Path) -> None:
    """As long as nothing else shows it."""
    folder = tmp_path / "game"
    overhaul.new(folder, version="2024.8")
    options = folder / "options.json"
    plain = json.loads(options.read_text())
    kept = [each for each in plain["constants"] if "Release" not in each["name"]]
    other = [*kept, {"name": "@@OverhaulRelease", "value": "2024.4"}]
    for constants in (kept, other):
        options.write_text(json.dumps(plain | {"constants": constants}))
        with pytest.raises(WorkspaceError, match=r"@@OverhaulRelease is 2024\.8 and stays so"):
            overhaul.pack(folder, tmp_path / "data.win")
    options.write_text(json.dumps(plain))
    strings = folder / "strings.csv"
    text = strings.read_text()
    strings.write_text(text.replace("2024.8", "2024.6"))
    with pytest.raises(WorkspaceError, match=r"@@OverhaulRelease is 2024\.8 and stays so"):
        overhaul.pack(folder, tmp_path / "data.win")
    strings.write_text(text)
    options.write_text(json.dumps(plain | {"constants": plain["constants"][::-1]}))
    overhaul.pack(folder, tmp_path / "data.win")
    assert overhaul.open(tmp_path / "data.win").version == "2024.8"
    overhaul.new(tmp_path / "shown", version="2024.14")
    options = tmp_path / "shown/options.json"
    plain = json.loads(options.read_text())
    added = [*plain["constants"], {"name": "@@OverhaulRelease", "value": "2024.8"}]
    options.write_text(json.dumps(plain | {"constants": added}))
    overhaul.pack(tmp_path / "shown", tmp_path / "shown.win")  # an older one hides nothing
    assert overhaul.open(tmp_path / "shown.win").version == "2024.14"


@pytest.mark.parametrize("version", ["2022.8", "2022.9", "2023.11", "2024.2", "2024.14"])
def test_the_picture_for_missing_textures(version: str, tmp_path: Path) -> None:
    game: Any = overhaul.open(packed(tmp_path, version))
    if version == "2022.8":
        assert len(game.records.texture_groups) == len(game.records.embedded_images) == 0
        return
    (group,) = game.records.texture_groups
    words = "__YY__0{}_YYG_AUTO_GEN_TEX_GROUP_NAME_".format
    name = words("fallbacktexture.png")
    if version in ("2024.2", "2024.14"):
        name = name.lower()
    assert (str(group.name), str(group.extension), group.load_type) == (name, ".yytex", 0)
    assert str(group.directory) == ("dyntex" if version == "2024.14" else "DynTex")
    (image,) = game.embedded_images
    assert image.name == "fallbacktexture.png" and image.image.size == (64, 64)
    assert image.image.getpixel((0, 0)) != image.image.getpixel((8, 0))
    assert image.record.image.page.target is group.pages[0].target
    (page,) = game.record("TXTR").pages
    assert (page.width, page.height, page.index_in_group) == (64, 64, 0)
    made = game.sprites.add("spr_hero", picture())
    assert [str(each.name) for each in game.records.texture_groups] == [name, "Default"]
    assert made.record.textures[0].page.target is not page


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "game")
    assert main(["new", "--version", "2.3.2", folder, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["folder"] == folder and shown["files"] > 5 and shown["warnings"] == []
    assert main(["new", folder]) == 2
    assert "is not empty" in capsys.readouterr().err
    assert main(["new", "--version", "x", str(tmp_path / "b")]) == 3
    assert main(["new", str(tmp_path / "c")]) == 0
    out, err = capsys.readouterr()
    assert out.strip().endswith("files") and "overhaul pack" in err
