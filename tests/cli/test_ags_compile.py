"""``overhaul compile`` on projects of Adventure Game Studio."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import overhaul.ags
from ags_editor_projects import make_project
from overhaul.cli import main
from overhaul.cli.output import ANSWER_IS_NO, OK, USAGE

CapSys = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a project, which is the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game").mkdir()
    return make_project(tmp_path / "game")


def run(capsys: CapSys, *words: str) -> tuple[int, str, str]:
    code = main(["compile", *words])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_a_script_is_checked(folder: Path, capsys: CapSys) -> None:
    code, out, err = run(capsys, "game", "game/Module.asc")
    size = len(overhaul.ags.compile_project(folder, folder / "Module.asc"))
    assert (code, out, err) == (OK, f"game/Module.asc: compiles: {size} bytes\n", "")


def test_a_block_is_written(folder: Path, capsys: CapSys) -> None:
    words = ("game/Game.agf", "Module.asc", "-o", "m.o")
    code, out, _ = run(capsys, *words)
    assert code == OK
    assert out.endswith("written to m.o\n")
    expected = overhaul.ags.compile_project(folder, folder / "Module.asc")
    assert Path("m.o").read_bytes() == expected
    assert run(capsys, *words)[0] == USAGE
    code, _, _ = run(capsys, *words, "--force", "--assume-version", "3.3.0")
    assert code == OK
    assert Path("m.o").read_bytes()[4] == 89


def test_several_blocks_go_to_a_folder(folder: Path, capsys: CapSys) -> None:
    code, _, _ = run(capsys, "game", "Module.asc", "GlobalScript.asc", "-o", "out", "--json")
    assert code == OK
    assert sorted(path.name for path in Path("out").iterdir()) == [
        "GlobalScript.asc.o",
        "Module.asc.o",
    ]
    assert folder.is_dir()


def test_errors_show_their_line(folder: Path, capsys: CapSys) -> None:
    (folder / "Module.asc").write_text("int module(int a) {\n\treturn b;\n}\n")
    code, out, err = run(capsys, "game", "game/Module.asc", "game/GlobalScript.asc", "-o", "out")
    assert code == ANSWER_IS_NO
    assert err == ("Module.asc:2:9: error: 'b' is not declared\n     return b;\n            ^\n")
    assert "GlobalScript.asc: compiles" in out
    assert not Path("out").exists()


def test_errors_as_json(folder: Path, capsys: CapSys) -> None:
    (folder / "Module.ash").write_text("import int module(int a)\n")
    code, out, _ = run(capsys, "game", "Module.asc", "--json")
    assert code == ANSWER_IS_NO
    (row,) = json.loads(out)["files"]
    assert row["errors"] == [
        {
            "name": "Module.ash",
            "line": 1,
            "column": 24,
            "message": "expected ';', got the end of the text",
            "text": "import int module(int a)",
        }
    ]


def test_what_only_games_take_is_refused(folder: Path, capsys: CapSys) -> None:
    assert run(capsys, "game", "Module.asc", "--entry", "x")[0] == USAGE
    assert run(capsys, "game", "-")[0] == USAGE
    assert folder.is_dir()
