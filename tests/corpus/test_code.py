"""Code of real games: checked, in folders, in commands; a sample (``OVERHAUL_FULL=1``: all)."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import overhaul
from overhaul.cli import main
from overhaul.gamemaker.data.code.additions import add_event, add_script
from overhaul.gamemaker.data.game import GameData
from real_files import corpus_files, sample

#: a larger game is left to the full run
LARGE = 4 << 20
FULL = os.environ.get("OVERHAUL_FULL") == "1"
GAMES = sample(
    [path for path in corpus_files("datawin*/*.win") if FULL or path.stat().st_size < LARGE], 8
)


def opened(path: Path) -> GameData:
    game = overhaul.open(path)
    assert isinstance(game, GameData)
    return game


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
def test_what_is_said_to_be_identical_is(path: Path) -> None:
    """The check compares instructions and records; here the linked bytes are compared."""
    game = opened(path)
    names = game.code_names()
    for name in names[:: max(1, len(names) // 8)]:
        entry = game.records.code[name]
        if game.check_code(name) is None:
            assert game.compile(name, entry.gml).to_bytes() == entry.to_bytes(), name


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
def test_an_edited_source_changes_its_entry_only(path: Path, tmp_path: Path) -> None:
    before = opened(path)
    names = before.code_names()
    if not names:
        pytest.skip("native code")
    overhaul.unpack(path, tmp_path / "folder", code="gml")
    notes = _notes(tmp_path / "folder")
    assert len(notes) == len(names)
    assert all(notes)
    chosen = next(name for name in names if before.records.code[name].gml and "Global" not in name)
    file = tmp_path / "folder/code" / f"{chosen}.gml"
    file.write_text("global.overhaul_was_here = 123;\n" + file.read_text(encoding="utf-8"))
    done = overhaul.pack(tmp_path / "folder", tmp_path / "packed.win")
    assert list(done.changes) == [f"code/{chosen}.gml"]
    after = opened(tmp_path / "packed.win")
    assert after.warnings == before.warnings
    assert "global.overhaul_was_here = 123;" in after.records.code[chosen].gml
    assert after.code_names() == names
    for name in names:
        if name != chosen:
            assert after.records.code[name].assembly == before.records.code[name].assembly, name


def _notes(folder: Path) -> list[str]:
    """What the manifest says of each source file."""
    manifest = json.loads((folder / ".overhaul/manifest.json").read_text(encoding="utf-8"))
    return [row.get("note", "") for row in manifest["files"] if row["path"].endswith(".gml")]


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
def test_additions(path: Path) -> None:
    game = opened(path)
    if not game.code_names():
        pytest.skip("native code")
    modern = game.language.context.dialect.gml_v2
    before = {name: game.records.code[name].assembly for name in game.code_names()}
    body = "function overhaul_jump(a) { return a * 2; }" if modern else "return argument0 * 2;"
    add_script(game, "overhaul_jump", body)
    owner = next(each for each in game.records.objects if each is not None)
    add_event(
        game, owner, "Other_25" if not owner.events[7] else "Alarm_11", "y = overhaul_jump(1);"
    )
    data = game.to_bytes()
    after = GameData.from_bytes(data)
    assert after.to_bytes() == data
    new = [name for name in after.code_names() if name not in before]
    assert len(new) == 2
    assert [after.check_code(name) for name in new] == [None, None]
    for name, text in before.items():
        assert after.records.code[name].assembly == text, name


@pytest.mark.parametrize("path", GAMES[:3], ids=lambda path: path.name)
def test_commands(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = opened(path).code_names()
    if not names:
        pytest.skip("native code")
    source, assembly = str(tmp_path / "gml"), str(tmp_path / "asm")
    assert main(["decompile", str(path), "-o", source, "-j", "2", "-q"]) == 0
    assert main(["disasm", str(path), "-o", assembly, "-q"]) == 0
    assert len(list((tmp_path / "gml").iterdir())) == len(names)
    capsys.readouterr()
    files = sorted(str(file) for file in (tmp_path / "asm").iterdir())[:5]
    assert main(["asm", str(path), *files, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["files"]
    assert [row["identical"] for row in rows] == [True] * len(files)
    files = sorted(str(file) for file in (tmp_path / "gml").iterdir())[:5]
    assert main(["compile", str(path), *files, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["files"]
    assert all(row["identical"] for row in rows)
