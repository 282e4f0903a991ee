"""A project is built again: only scripts whose texts have changed are compiled."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import ags_built
import overhaul
from overhaul import ags
from overhaul.ags.agf.compiling import ProjectCompiler
from overhaul.cli import main
from overhaul.document import caches
from overhaul.folder import watching

# A shell starts what it runs in the background with Ctrl-C ignored, and so may the tests be.
START = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from overhaul.cli import main; sys.exit(main())"
)
ALL = ["room1.asc", "GlobalScript.asc", "_GlobalVariables.asc", "Module.asc", "__DialogScripts.asc"]


def built(project: Path, out: Path) -> tuple[list[str], dict[str, bytes]]:
    """The scripts that were not compiled, and the files of the game."""
    made = ags.build(project, out, force=True)
    assert made.scripts.names == ALL
    return made.scripts.reused, {Path(path).name: Path(path).read_bytes() for path in made.files}


def test_only_what_changed_is_compiled(tmp_path: Path, with_cache: Path) -> None:
    project = ags_built.write(tmp_path / "project")
    reused, first = built(project, tmp_path / "out")
    assert reused == []
    assert len(list(with_cache.glob("*.block"))) == len(ALL)
    reused, second = built(project, tmp_path / "out")
    assert (reused, second) == (ALL, first)
    script = project / "GlobalScript.asc"
    script.write_text(script.read_text() + "int more() { return 2; }\n")
    reused, third = built(project, tmp_path / "out")
    assert reused == [name for name in ALL if name != "GlobalScript.asc"]
    with caches.without():
        reused, whole = built(project, tmp_path / "whole")
    assert reused == []
    assert third == whole != first


def test_a_header_compiles_the_scripts_behind_it(tmp_path: Path, with_cache: Path) -> None:
    project = ags_built.write(tmp_path / "project")
    built(project, tmp_path / "out")
    header = project / "Module.ash"
    header.write_text(header.read_text() + "import int thrice(int a);\n")
    reused, _ = built(project, tmp_path / "out")
    assert reused == ["_GlobalVariables.asc"]  # it is in front of the header


def test_settings_compile_all(tmp_path: Path, with_cache: Path) -> None:
    project = ags_built.write(tmp_path / "project")
    built(project, tmp_path / "out")
    file = ags_built.project(EnforceNewAudio=True, LeftToRightPrecedence=False)
    ags_built.write(project, file)
    reused, _ = built(project, tmp_path / "out")
    assert reused == []


def test_a_damaged_block_is_compiled_again(tmp_path: Path, with_cache: Path) -> None:
    project = ags_built.write(tmp_path / "project")
    _, first = built(project, tmp_path / "out")
    for path in with_cache.glob("*.block"):
        path.write_bytes(path.read_bytes()[:-3])
    assert built(project, tmp_path / "out") == ([], first)


def test_blocks_of_another_compiler_are_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def stamp_of(*folders: str) -> str:
        asked.extend(folders)
        return ""

    monkeypatch.setattr(caches, "stamp_of", stamp_of)
    project = ags_built.write(tmp_path / "project")
    ProjectCompiler(project).inputs(project / "Module.asc")
    root = Path(overhaul.__file__).parent
    assert [folder for folder in asked if not (root / folder).is_dir()] == []
    assert {"ags/agf", "ags/language"} <= {*asked}


def test_scripts_with_errors_are_not_kept(tmp_path: Path, with_cache: Path) -> None:
    project = ags_built.write(tmp_path / "project")
    (project / "Module.asc").write_text("int twice(int a) { return b; }\n")
    for _ in range(2):
        with pytest.raises(ags.BuildError) as caught:
            ags.build(project, tmp_path / "out")
        assert list(caught.value.scripts.failed) == ["Module.asc"]


def test_things_of_a_room_compile_its_script(tmp_path: Path) -> None:
    project = ags_built.write(tmp_path / "project")
    room = project / "room1.asc"
    before = ProjectCompiler(project).inputs(room)
    assert ProjectCompiler(project).inputs(room) == before
    (project / "room1.crm").unlink()
    assert ProjectCompiler(project).inputs(room) != before


def test_the_command_reports_what_it_kept(
    tmp_path: Path, with_cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = ags_built.write(tmp_path / "project")
    words = ["build", str(project), "-o", str(tmp_path / "out"), "--force"]
    assert main(words) == 0
    assert "5 scripts compiled, " in capsys.readouterr().out
    (project / "Module.asc").write_text("int twice(int a) { return a + a; }\n")
    assert main(words) == 0
    assert "1 scripts compiled (4 as before), " in capsys.readouterr().out
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["reused"] == ALL
    assert main([*words, "--json", "--no-cache"]) == 0
    assert json.loads(capsys.readouterr().out)["reused"] == []
    assert main([*words, "--watch", "--like", "data.win"]) == 2
    assert "can't be used together" in capsys.readouterr().err


def test_an_existing_file_stays_where_the_first_build_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project, game = ags_built.write(tmp_path / "project"), tmp_path / "out.ags"
    script = project / "Module.asc"
    good = script.read_text()

    def saves(folder: str, out: str) -> Iterator[str]:
        for text in ("int twice(int a) { return b; }\n", good, good):
            script.write_text(text)
            yield folder

    monkeypatch.setattr(watching, "saves", saves)
    words = ["build", str(project), "-o", str(game), "--watch"]
    assert main(words) == 0  # it is replaced only where it is one that was built
    assert game.read_bytes()[:4] == b"CLIB"
    game.write_bytes(b"of another")
    assert main(words) == 2
    assert "out.ags: already exists" in capsys.readouterr().err
    assert game.read_bytes() == b"of another"


def test_a_project_is_built_whenever_a_file_is_saved(tmp_path: Path) -> None:
    pytest.importorskip("watchfiles")
    project = ags_built.write(tmp_path / "project")
    words = ["build", str(project), "-o", str(tmp_path / "out"), "--watch"]
    program = subprocess.Popen(
        [sys.executable, "-c", START, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None and program.stderr is not None
    assert "scripts compiled" in program.stdout.readline()
    (project / "Module.asc").write_text("int twice(int a) { return b; }\n")
    assert "Module.asc:1:27: 'b' is not declared" in program.stderr.readline()
    (project / "Module.asc").write_text("int twice(int a) { return a + a; }\n")
    assert any("scripts compiled" in line for line in program.stdout)
    program.send_signal(signal.SIGINT)
    program.communicate(timeout=30)
    assert program.returncode == 130
