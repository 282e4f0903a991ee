"""Sounds of a folder that change their audio group, go, or have no file."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import overhaul
from edited_games import changed, edited, made, packed, shown, unpacked
from overhaul.errors import EncodeError, WorkspaceError
from overhaul.gamemaker.data.chunks.sond import Audio, AudioGroupEntry, Sound
from overhaul.gamemaker.data.game import GameData
from small_folders import put, small_game, wave
from sound_files import ogg

VERSIONS = ["1.0.0.1567", "2024.14"]
GROUPS = ("audiogroup_default", "music", "effects")


def folder_with_groups(folder: Path, version: str) -> None:
    """Seven sounds in three groups: 1 and 4 are in "music", 2 and 5 in "effects"."""
    small_game(folder, version)
    rows = [{"name": name} for name in GROUPS]
    if version == "2024.14":
        rows[2]["path"] = "sub/effects.dat"
    put(folder, "audio_groups.json", rows)
    for number in range(6):
        put(folder, f"sounds/snd_{number}.wav", wave(100 + number))
        put(folder, f"sounds/snd_{number}.json", {"group": GROUPS[number % 3]})


@pytest.fixture(scope="module", params=VERSIONS)
def grouped(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with audio groups in files next to it, and its folder."""
    path = tmp_path_factory.mktemp("grouped")
    folder_with_groups(path / "source", request.param)
    (path / "made").mkdir()
    overhaul.pack(path / "source", path / "made" / "data.win")
    overhaul.unpack(path / "made" / "data.win", path / "game")
    return path


@pytest.fixture
def game(grouped: Path, tmp_path: Path) -> Path:
    """The unpacked folder of a game with audio groups in files next to it."""
    shutil.copytree(grouped, tmp_path, dirs_exist_ok=True)
    return tmp_path / "game"


def put_group(folder: Path, sound: str, group: str) -> None:
    path = folder / f"sounds/{sound}.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"group": group}))


def repacked(folder: Path, name: str = "out") -> Any:
    out = folder.parent / name
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    overhaul.pack(folder, out / "data.win")
    return overhaul.open(out / "data.win")


def stored(game: Any, group: int) -> int:
    entries = game.audio_files.files.list_of(group)
    assert None not in (entries or ())
    return len(entries or ())


@pytest.mark.parametrize("kept", [True, False])
def test_bytes_move_with_the_group(game: Path, kept: bool) -> None:
    if not kept:
        shutil.rmtree(game / ".overhaul")
    put_group(game, "snd_0", "effects")
    put_group(game, "snd_1", "audiogroup_default")
    put_group(game, "snd_2", "music")
    after = repacked(game)
    groups = [after.records.sounds[f"snd_{n}"].group for n in range(6)]
    assert groups == [2, 0, 1, 0, 1, 2]
    for number in range(6):
        assert after.sound_bytes(f"snd_{number}") == wave(100 + number)
    assert after.sound_bytes("snd_jump") == wave()
    assert [stored(after, group) for group in range(3)] == [3, 2, 2]
    again = game.parent / "again"
    overhaul.unpack(game.parent / "out" / "data.win", again)
    assert not (again / "audio").exists()


def test_a_group_loses_its_last_sound(game: Path) -> None:
    put_group(game, "snd_1", "audiogroup_default")
    put_group(game, "snd_4", "audiogroup_default")
    after = repacked(game)
    assert [stored(after, group) for group in range(3)] == [5, 0, 2]


def test_new_bytes_and_a_new_group_at_once(game: Path) -> None:
    put_group(game, "snd_3", "music")
    (game / "sounds/snd_3.wav").write_bytes(wave(77))
    after = repacked(game)
    assert after.sound_bytes("snd_3") == wave(77)
    assert [stored(after, group) for group in range(3)] == [2, 3, 2]


def test_a_removed_sound_takes_its_bytes_with_it(game: Path) -> None:
    for number in (0, 1):
        for path in (game / "sounds").glob(f"snd_{number}.*"):
            path.unlink()
    after = repacked(game)
    assert [stored(after, group) for group in range(3)] == [2, 1, 2]
    for number in range(2, 6):
        assert after.sound_bytes(f"snd_{number}") == wave(100 + number)


def test_several_removed_sounds_take_their_bytes_with_them(game: Path) -> None:
    for number in (0, 1, 4):
        for path in (game / "sounds").glob(f"snd_{number}.*"):
            path.unlink()
    for path in (game / "sounds").glob("snd_jump.*"):
        path.unlink()
    after = repacked(game)
    assert [stored(after, group) for group in range(3)] == [1, 0, 2]
    assert after.sound_bytes("snd_3") == wave(103) and after.sound_bytes("snd_5") == wave(105)


def test_bytes_that_two_sounds_have_stay(tmp_path: Path) -> None:
    def share(game: GameData) -> None:
        game.records.audio_groups.append(AudioGroupEntry(game.strings.add("music")))
        first = game.records.sounds["snd_jump"]
        game.records.sounds.append(Sound(game.strings.add("snd_twin"), audio=first.audio))

    data = changed("2.3.2", share)
    for path, left in (("sounds/snd_twin", "snd_jump"), ("sounds/snd_jump", "snd_twin")):
        after, _ = edited(data, {f"{path}.json": None, f"{path}.wav": None})
        assert after.sound_bytes(left) == wave()
        plain = shown(data, f"{path}.json") | {"group": "music"}
        after, _ = edited(data, {f"{path}.json": plain})
        assert after.sound_bytes(left) == wave() and len(after.audio) == 1


def test_a_companion_that_is_not_there(game: Path, tmp_path: Path) -> None:
    source = tmp_path / "made"
    music = repacked(game).audio_files.files.file_name(1)
    (source / music).unlink()
    done = overhaul.unpack(source / "data.win", tmp_path / "part")
    assert done.warnings == [
        f"{music}: it is not next to the game: there is no file for the sounds snd_1, snd_4"
    ]
    put_group(tmp_path / "part", "snd_1", "audiogroup_default")
    with pytest.raises(
        WorkspaceError, match=f"snd_1.json: group: the bytes of snd_1 .* {music}, which"
    ):
        repacked(tmp_path / "part")
    put_group(tmp_path / "part", "snd_1", "music")
    put_group(tmp_path / "part", "snd_0", "music")
    with pytest.raises(WorkspaceError, match=f"snd_0 belongs into {music}, .* has snd_1 already"):
        repacked(tmp_path / "part")
    put_group(tmp_path / "part", "snd_0", "audiogroup_default")
    (tmp_path / "part/sounds/snd_4.wav").write_bytes(wave(5))
    with pytest.raises(WorkspaceError, match=f"snd_4 belongs into {music}"):
        repacked(tmp_path / "part")
    shutil.rmtree(tmp_path / "part/.overhaul")
    with pytest.raises(EncodeError, match="snd_1 has no file, but is in"):
        repacked(tmp_path / "part")


def test_the_first_sound_of_a_group_makes_its_file(game: Path) -> None:
    rows = [*json.loads((game / "audio_groups.json").read_text()), {"name": "voices"}]
    (game / "audio_groups.json").write_text(json.dumps(rows))
    put_group(game, "snd_5", "voices")
    after = repacked(game)
    assert after.records.sounds["snd_5"].group == 3 and after.sound_bytes("snd_5") == wave(105)
    assert [stored(after, group) for group in range(4)] == [3, 2, 1, 1]
    put_group(game, "snd_5", "choir")
    with pytest.raises(WorkspaceError, match=r"snd_5.json.*: group: there is no .* named 'choir'"):
        repacked(game)


@pytest.mark.parametrize("change", ["turn", "remove", "insert"])
def test_groups_that_have_sounds_keep_their_numbers(game: Path, change: str) -> None:
    rows = json.loads((game / "audio_groups.json").read_text())
    if change == "turn":
        rows[1:] = rows[:0:-1]
    elif change == "remove":
        del rows[1]
    else:
        rows.insert(1, {"name": "voices"})
    (game / "audio_groups.json").write_text(json.dumps(rows))
    if change == "remove":
        put_group(game, "snd_1", "effects")
        put_group(game, "snd_4", "effects")
    with pytest.raises(WorkspaceError, match="'music' has the number 1 and keeps it"):
        repacked(game)


def test_streamed_sounds_are_reported_and_moved(tmp_path: Path) -> None:
    def stream(game: GameData) -> None:
        add = game.strings.add
        for number in range(4):
            name = f"snd_s{number}"
            game.records.sounds.append(Sound(add(name), 0x64, add(".ogg"), add(f"{name}.ogg")))

    place = tmp_path / "made"
    place.mkdir()
    (place / "data.win").write_bytes(changed("2.3.2", stream))
    done = overhaul.unpack(place / "data.win", tmp_path / "one")
    assert done.warnings == [
        "files of streamed sounds are not next to the game: "
        "snd_s0.ogg, snd_s1.ogg, snd_s2.ogg, ... (4 in all)"
    ]
    for number in range(4):
        (place / f"snd_s{number}.ogg").write_bytes(b"OggS" + bytes([number] * 9))
    done = overhaul.unpack(place / "data.win", tmp_path / "game")
    assert done.warnings == []
    path = tmp_path / "game/sounds/snd_s1.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"file": "other.ogg"}))
    path = tmp_path / "game/sounds/snd_s2.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"flags": ["embedded", "regular"]}))
    after = repacked(tmp_path / "game")
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"data.win", "snd_s0.ogg", "other.ogg", "snd_s3.ogg"}
    assert after.sound_bytes("snd_s1") == b"OggS" + bytes([1] * 9)
    assert after.sound_bytes("snd_s2") == b"OggS" + bytes([2] * 9)
    assert len(after.audio) == 2


def test_an_edit_names_the_streamed_files_that_it_lacks(tmp_path: Path) -> None:
    """Once, and none that was missing before: unpacking named those."""

    def stream(game: GameData) -> None:
        add = game.strings.add
        for number in range(3):
            name = f"snd_s{number}"
            game.records.sounds.append(Sound(add(name), 0x64, add(".ogg"), add(f"{name}.ogg")))

    data = changed("2.3.2", stream)
    plain = shown(data, "sounds/snd_s0.json")
    assert plain["flags"] == ["regular"]
    louder = {"sounds/snd_s0.json": {**plain, "volume": 0.5}, "sounds/snd_s0.ogg": ogg()}
    lost = {"sounds/snd_lost.json": {**plain, "file": "lost.ogg"}}
    again = {"sounds/snd_again.json": {**plain, "file": "snd_s2.ogg"}}
    words = "files of streamed sounds are not next to the game: "
    for edits, warnings in (
        (louder, []),
        (louder | lost, [f"{words}lost.ogg"]),
        (lost | again, [f"{words}lost.ogg, snd_s2.ogg"]),
    ):
        game, reports = edited(data, edits)
        assert reports == warnings
    assert game.records.sounds["snd_lost"].flags == 0x64
    old = {"sounds/snd_s0.json": {**plain, "flags": [100]}}
    assert edited(data, old)[0].records.sounds["snd_s0"].flags == 0x64


def test_a_folder_packed_again_does_not_repeat_what_unpacking_said(tmp_path: Path) -> None:
    def stream(game: GameData) -> None:
        add = game.strings.add
        for number in range(2):
            name = f"snd_s{number}"
            game.records.sounds.append(Sound(add(name), 0x64, add(".ogg"), add(f"{name}.ogg")))

    (tmp_path / "data.win").write_bytes(changed("2.3.2", stream))
    assert len(overhaul.unpack(tmp_path / "data.win", tmp_path / "game").warnings) == 1
    (tmp_path / "game/sounds/snd_s0.ogg").write_bytes(ogg())
    done = overhaul.pack(tmp_path / "game", tmp_path / "out.win")
    assert done.warnings == [] and (tmp_path / "snd_s0.ogg").read_bytes() == ogg()


def test_the_number_of_the_bytes_is_not_edited() -> None:
    plain = shown(packed("2.3.2"), "sounds/snd_jump.json")
    plain["details"]["audio"] = 3
    with pytest.raises(
        WorkspaceError, match=r"snd_jump.json: details.audio: the number of a sound's"
    ):
        edited(packed("2.3.2"), {"sounds/snd_jump.json": plain})


def test_flags_that_move_the_bytes_are_reported_or_refused() -> None:
    path = "sounds/snd_jump.json"
    plain = shown(packed("2.3.2"), path) | {"flags": ["regular"], "file": None}
    with pytest.raises(WorkspaceError, match=f"{path}: flags: neither .* file does not name one"):
        edited(packed("2.3.2"), {path: plain})
    plain["file"] = "jump.ogg"
    with pytest.raises(
        WorkspaceError, match=f"{path}: flags: a streamed .* is an Ogg Vorbis file, not W"
    ):
        edited(packed("2.3.2"), {path: plain})
    other: dict[str, bytes | None] = {"sounds/snd_jump.wav": None, "sounds/snd_jump.ogg": ogg()}
    streamed, reports = edited(packed("2.3.2"), {path: plain, **other})
    assert reports == [
        f"{path}: the sound is in jump.ogg now, by its flags and its file, "
        "and no longer in the game"
    ]
    assert len(streamed.audio) == 0
    _, reports = edited(packed("2.3.2"), {path: plain | {"flags": ["compressed", "regular"]}})
    assert reports == []


def test_bytes_without_a_sound_keep_their_place() -> None:
    def spare(game: GameData) -> None:
        game.audio.items[:0] = [Audio(b"OggS one"), Audio(b"OggS two"), Audio(b"OggS three")]
        game.records.sounds["snd_jump"].audio = 3

    data = changed("2.3.2", spare)
    after, _ = edited(data, {"sounds/snd_jump.json": None, "sounds/snd_jump.wav": None})
    assert [bytes(item.data) for item in after.audio] == [b"OggS one", b"OggS two", b"OggS three"]
    files = unpacked(data)
    fresh = made(files, "2.3.2")
    assert [bytes(item.data)[:8] for item in fresh.audio] == [
        b"OggS one", b"OggS two", b"OggS thr", wave()[:8]
    ]  # fmt: skip
    del files["audio/1.ogg"]
    fresh = made(files, "2.3.2")
    assert len(fresh.audio) == 3 and fresh.records.sounds["snd_jump"].audio == 2


@pytest.mark.parametrize(("version", "group"), [("1.0.0.964", 1), ("1.0.0.1567", 0), ("2.2.5", 0)])
def test_a_sound_without_a_group_is_in_the_first(version: str, group: int, tmp_path: Path) -> None:
    small_game(tmp_path / "game", version)
    put(tmp_path / "game", "sounds/snd_jump.json", {"volume": 0.5})
    put(tmp_path / "game", "sounds/snd_null.wav", wave(90))
    put(tmp_path / "game", "sounds/snd_null.json", {"group": None})
    overhaul.pack(tmp_path / "game", tmp_path / "data.win")
    game = GameData.from_bytes((tmp_path / "data.win").read_bytes())
    assert [sound.group for sound in game.records.sounds.present()] == [group, group]
    assert game.sound_bytes("snd_null") == wave(90)
    assert not list(tmp_path.glob("audiogroup*"))
