"""Commands with unpacked folders, and with several files at once."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import overhaul
from overhaul.cli import main
from overhaul.examples import write_example
from overhaul.media import png
from small_games import game_of

CapSys = pytest.CaptureFixture[str]
STEP = "gml_Object_obj_a_Step_0"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two games with a little code, and one of them unpacked."""
    path = tmp_path_factory.mktemp("files")
    for name, text in (("one.win", "x = lucky(7);"), ("two.win", "y = 8;")):
        game = game_of("2023.4")
        game.add_script("lucky", "function lucky(n) { return n; }")
        game.add_event("obj_a", "Step_0", text)
        game.save(path / name)
    overhaul.unpack(path / "one.win", path / "game")
    return path


@pytest.fixture
def folder(files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the files, which a test may change."""
    shutil.copytree(files, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "game"


def run(capsys: CapSys, *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def run_json(capsys: CapSys, *words: str) -> Any:
    return json.loads(run(capsys, *words, "--json")[1])


def write(folder: Path, text: str) -> None:
    (folder / "code" / f"{STEP}.gml").write_text(text, "utf-8")


def test_status_lists_what_was_changed(folder: Path, capsys: CapSys) -> None:
    assert run(capsys, "status", "game") == (0, "game: as it was unpacked\n", "")
    assert run(capsys, "status", "game", "-q") == (0, "", "")
    (folder / "options.json").write_bytes(
        (folder / "options.json").read_bytes().replace(b"\n", b"\r\n")
    )
    assert run_json(capsys, "status", "game")["folders"][0]["changes"] == {}  # only line ends
    write(folder, "// mine\n")
    (folder / "new.txt").write_text("a note")
    (folder / "order.json").unlink()
    toml = folder / "overhaul.toml"
    toml.write_text(toml.read_text().replace('version = "2023.4', 'version = "2023.6'))
    lines = [
        f"changed  code/{STEP}.gml",
        "added    new.txt",
        "removed  order.json",
        "changed  overhaul.toml",
    ]
    assert run(capsys, "status", "game")[1].splitlines() == lines
    both = run(capsys, "status", "game", "nowhere")
    assert both[0] == 3 and "nowhere" in both[2]
    assert both[1].splitlines() == [f"game: {line}" for line in lines]
    (row, missing) = run_json(capsys, "status", "game", "nowhere")["folders"]
    assert row["kind"] == "gamemaker-data" and row["changes"]["new.txt"] == "added"
    assert "error" in missing


def test_status_needs_an_original(folder: Path, capsys: CapSys) -> None:
    (folder / ".overhaul").rename(folder.parent / "kept")
    code, _, err = run(capsys, "status", "game")
    assert code == 3 and "keeps no original to compare with" in err


def test_a_folder_is_the_file_that_packing_it_gives(folder: Path, capsys: CapSys) -> None:
    assert run(capsys, "info", "--short", "game", "one.win")[1].splitlines() == [
        "game: gamemaker-data 2023.4", "one.win: gamemaker-data 2023.4",
    ]  # fmt: skip
    write(folder, "x = 99;\n")
    code, out, _ = run(capsys, "verify", "game", "--code")
    assert code == 0 and "game: identical" in out
    assert "x = 99;" in run(capsys, "decompile", "game", STEP)[1]
    assert "x = 99;" not in run(capsys, "decompile", "one.win", STEP)[1]
    assert run(capsys, "ls", "game", "obj_a")[0] == 0
    write(folder, "x = ;\n")
    for words in (["info", "game"], ["verify", "game"], ["info", "--short", "game"]):
        code, _, err = run(capsys, *words)
        assert code == 3 and f"code/{STEP}.gml:1:5" in err
    write(folder, "x = lonely;\n")
    assert f"code/{STEP}.gml:1:5: unknown variable lonely" in run(capsys, "info", "game")[2]


@pytest.mark.parametrize("command", ["info", "verify", "ls"])
def test_a_folder_that_was_not_unpacked_is_an_error(
    folder: Path, capsys: CapSys, command: str
) -> None:
    Path("other").mkdir()
    code, _, err = run(capsys, command, "other")
    assert code == 3 and "it has no overhaul.toml" in err


def test_grep_searches_the_files_of_a_folder_as_they_are(folder: Path, capsys: CapSys) -> None:
    write(folder, "x = 1; // a remark, which packing drops\r\ny = 2;")
    path = f"code/{STEP}.gml"
    assert run(capsys, "grep", "remark|y = 2", "game")[1].splitlines() == [
        f"{path}:1: x = 1; // a remark, which packing drops", f"{path}:2: y = 2;",
    ]  # fmt: skip
    assert run(capsys, "grep", "remark", "game", "--strings")[0] == 1
    assert run(capsys, "grep", "remark", "game", "--code")[0] == 0
    assert run(capsys, "grep", "remark", "one.win")[0] == 1


def test_refs_in_a_folder_and_in_files(folder: Path, capsys: CapSys) -> None:
    in_file = run(capsys, "refs", "one.win", "lucky")
    assert in_file[0] == 0 and f"code/{STEP}.gml:1: x = lucky(7);" in in_file[1]
    assert run(capsys, "refs", "game", "lucky") == in_file
    code, out, _ = run(capsys, "refs", "one.win", "two.win", "game", "lucky")
    assert code == 0
    assert f"one.win: code/{STEP}.gml:1: x = lucky(7);" in out
    assert f"game: code/{STEP}.gml:1: x = lucky(7);" in out
    assert f"two.win: code/{STEP}" not in out


def test_refs_takes_the_path_of_a_resource(
    tmp_path: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_example("lantern", "lantern.win")
    overhaul.unpack("lantern.win", "lantern")
    for place in ("lantern.win", "lantern"):
        for name, paths in (
            ("spr_door", ("sprites/spr_door", "sprites/spr_door/")),
            ("obj_keeper", ("objects/obj_keeper", "objects/obj_keeper/object.json")),
        ):
            by_name = run(capsys, "refs", place, name)
            assert by_name[0] == 0
            for path in paths:
                assert run(capsys, "refs", place, path) == by_name
        code, _, message = run(capsys, "refs", place, "sprites/spr_doo")
        assert code == 1
        assert "nothing uses sprites/spr_doo" in message
        assert run(capsys, "refs", place, "objects/spr_door")[0] == 1


def test_refs_suggests_a_resource(folder: Path, capsys: CapSys) -> None:
    code, _, err = run(capsys, "refs", "one.win", "obj_aa")
    assert code == 1
    assert err == "overhaul: nothing uses obj_aa (did you mean 'obj_a'?)\n"
    assert run(capsys, "refs", "one.win", "wholly_other")[2].endswith("uses wholly_other\n")


def test_grep_in_many_files(folder: Path, capsys: CapSys) -> None:
    code, out, _ = run(capsys, "grep", "[xy] = ", "one.win", "two.win", "--code")
    assert code == 0
    assert out.splitlines() == [
        f"one.win: code/{STEP}.gml:1: x = lucky(7);", f"two.win: code/{STEP}.gml:1: y = 8;",
    ]  # fmt: skip
    rows = run_json(capsys, "grep", "y = 8", "one.win", "two.win")["files"]
    assert [(row["path"], len(row["matches"])) for row in rows] == [("one.win", 0), ("two.win", 1)]
    assert list(run_json(capsys, "grep", "y = 8", "two.win")) == ["path", "matches"]
    code, out, err = run(capsys, "grep", "y = 8", "gone.win", "two.win")
    assert code == 3 and "gone.win" in err and "two.win: code" in out
    assert run(capsys, "grep", "nothing at all", "one.win", "two.win")[0] == 1


def test_ls_of_many_files(folder: Path, capsys: CapSys) -> None:
    code, out, _ = run(capsys, "ls", "one.win", "two.win", "obj_*")
    assert code == 0
    assert out.count("objects/obj_a\n") == 2 and out.startswith("one.win:\n")
    assert run(capsys, "ls", "one.win", "two.win", "zzz")[0] == 1
    rows = run_json(capsys, "ls", "one.win", "two.win", "obj_a")["files"]
    assert [row["path"] for row in rows] == ["one.win", "two.win"]
    assert [each["name"] for each in rows[1]["resources"]] == ["obj_a"]
    code, out, err = run(capsys, "ls", "gone.win", "two.win")
    assert code == 3 and "gone.win" in err and "two.win:" in out
    assert run(capsys, "ls", "gone.win")[0] == 3


def test_decompile_of_many_files(folder: Path, capsys: CapSys) -> None:
    code, out, _ = run(capsys, "decompile", "one.win", "two.win", STEP)
    assert code == 0 and "x = lucky(7);" in out and "y = 8;" in out
    assert "// ==== one.win" in out
    assert run(capsys, "decompile", "one.win", "two.win", "-o", "sources")[0] == 0
    assert Path("sources/two", f"{STEP}.gml").read_text() == "y = 8;"
    assert Path("sources/one", f"{STEP}.gml").read_text() == "x = lucky(7);"
    rows = run_json(capsys, "decompile", "one.win", "two.win", STEP)["files"]
    assert [row["entries"][0]["text"] for row in rows] == ["x = lucky(7);", "y = 8;"]
    assert list(run_json(capsys, "decompile", "one.win", STEP)) == ["path", "entries"]
    code, out, err = run(capsys, "decompile", "gone.win", "two.win", STEP)
    assert code == 3 and "gone.win" in err and "y = 8;" in out
    assert run(capsys, "disasm", "one.win", "two.win", STEP)[1].startswith("; ==== one.win")
    Path("more").mkdir()
    Path("more/one.win").write_bytes(Path("one.win").read_bytes())
    assert run(capsys, "decompile", "one.win", "more/one.win", "-o", "again")[0] == 2


def test_decompile_suggests_an_entry(folder: Path, capsys: CapSys) -> None:
    code, _, err = run(capsys, "decompile", "one.win", "gml_Object_obj_a_Stp_0")
    assert code == 1
    assert err == (
        f"overhaul: no code entry is called gml_Object_obj_a_Stp_0 (did you mean '{STEP}'?)\n"
    )
    assert "did you mean 'lucky'?" in run(capsys, "decompile", "one.win", "lukcy")[2]
    code, _, err = run(capsys, "decompile", "one.win", "two.win", "lucky", "lukcy")
    assert code == 1 and err.count("no code entry is called") == 1


def test_only_some_games_have_an_entry(folder: Path, capsys: CapSys) -> None:
    game = game_of("2023.4")
    game.add_script("other", "function other() {}")
    game.save("third.win")
    assert run(capsys, "decompile", "one.win", "third.win", STEP)[0] == 0


def test_unpacked_small_has_the_same_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    monkeypatch.chdir(tmp_path)
    game = game_of("2023.4")
    shades = np.add.outer(np.arange(90), np.arange(120))[..., None] * np.array([1, 2, 3, 0])
    pixels = (shades % 256).astype(np.uint8)
    pixels[..., 3] = 255
    game.sprites.add("spr_sky", [pixels])
    game.save(tmp_path / "sky.win")
    assert run(capsys, "unpack", "sky.win", "plain", "-q") == (0, "", "")
    assert run(capsys, "unpack", "sky.win", "small", "--small", "-q") == (0, "", "")
    sizes = []
    for folder in ("plain", "small"):
        files = sorted(Path(folder, "sprites").rglob("*.png"))
        sizes.append(sum(file.stat().st_size for file in files))
        assert [np.array_equal(png.decode(file.read_bytes()), pixels) for file in files] == [True]
        assert run(capsys, "pack", folder, "-o", f"{folder}.win", "-q") == (0, "", "")
        assert Path(f"{folder}.win").read_bytes() == Path("sky.win").read_bytes()
    assert sizes[1] < sizes[0]


def test_a_container_with_one_game_is_that_game(folder: Path, capsys: CapSys) -> None:
    with zipfile.ZipFile("game.apk", "w") as archive:
        archive.write("one.win", "assets/game.droid")
    before = Path("game.apk").read_bytes()
    Path("Mine.app/Contents/Resources").mkdir(parents=True)
    shutil.copy("one.win", "Mine.app/Contents/Resources/game.ios")
    for name, game, file in (
        ("game.apk", "game.apk!assets/game.droid", "game.droid"),
        ("Mine.app", "Mine.app/Contents/Resources/game.ios", "game.ios"),
    ):
        (row,) = run_json(capsys, "info", name)["files"]
        assert (row["path"], row["kind"], row["opened"]) == (name, "gamemaker-data", game)
        assert run(capsys, "cat", name, "rooms/rm_first.json")[0] == 0
        (verified,) = run_json(capsys, "verify", name)["files"]
        assert verified["path"] == game and verified["identical"] is True
        code, out, _ = run(capsys, "unpack", name, f"of {file}")
        note = f"  opened {game}; packing the folder writes that file by itself"
        assert (code, out.splitlines()[1]) == (0, note)
        assert run(capsys, "pack", f"of {file}")[0] == 0
        assert Path(file).read_bytes() == Path("one.win").read_bytes()
    code, _, errors = run(capsys, "pack", "of game.droid", "-o", "game.apk", "--force")
    assert code != 0 and "game.apk is an archive, and is not replaced by a file" in errors
    assert Path("game.apk").read_bytes() == before
    (row,) = run_json(capsys, "info", "one.win")["files"]
    assert "opened" not in row
