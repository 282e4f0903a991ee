"""The guide to lost projects: every example runs, on made games."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from furnished import furnished
from handmade_project import project_file
from made_executables import executable
from overhaul.cli import main
from overhaul.examples import write_example

ROOT = Path(__file__).resolve().parents[1]
GUIDE = ROOT / "docs" / "guide" / "recover.md"
_EXAMPLE = re.compile(r"^    (overhaul [^\n]*)$|^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_every_example_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.exe").write_bytes(executable(800))
    Path("data.win").write_bytes(furnished("current"))
    Path("old.win").write_bytes(furnished("gms1"))
    Path("old.gmk").write_bytes(project_file(800))
    write_example("park", "game.ags")
    seen = []
    for line, code in _EXAMPLE.findall(GUIDE.read_text("utf-8")):
        if code:
            exec(compile(f"import overhaul\n{code}", GUIDE.name, "exec"), {})
        elif " view " not in line:
            if line.startswith("overhaul convert old.win"):
                shutil.move("recovered", "of_today")
            assert main(shlex.split(line)[1:]) == 0, (line, capsys.readouterr().err)
            seen.append(line)
            if line.startswith("overhaul convert old.win"):
                shutil.rmtree("recovered")
                shutil.move("of_today", "recovered")
    assert len(seen) >= 11
    assert Path("recovered.gm81").is_file() and Path("recovered.gmk").is_file()
    assert Path("today/CONVERTED.md").is_file() and Path("later/old.yyp").is_file()
    assert Path("studio/old.project.gmx").is_file() and Path("saved/game.yyp").is_file()
    assert Path("recovered/RECOVERED.md").is_file() and Path("project/RECOVERED.md").is_file()
