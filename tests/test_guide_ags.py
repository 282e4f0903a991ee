"""The guide to Adventure Game Studio: every example runs, on the example's game."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import overhaul
from overhaul.cli import main

ROOT = Path(__file__).resolve().parents[1]
GUIDE = ROOT / "docs" / "guide" / "ags.md"
_EXAMPLE = re.compile(r"^    (overhaul [^\n]*)$|^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_every_example_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["example", "park"]) == 0
    assert capsys.readouterr().out == "park.ags: 29.1 kB\n"
    printed: dict[str, str] = {}
    for line, code in _EXAMPLE.findall(GUIDE.read_text("utf-8")):
        if code:
            exec(compile(code, GUIDE.name, "exec"), {})
            continue
        status = main(shlex.split(line)[1:])
        out, err = capsys.readouterr()
        # diff ends with 1 where there are differences; a recovered project has none
        differs = " diff " in line and "Game.agf" not in line
        assert status == int(differs), (line, out, err)
        printed[line] = out
    assert len(printed) == 18
    shown = printed["overhaul diff park.ags moon.ags"]
    assert "rooms/1/script.asc" in shown and '+  Display("A full moon.");' in shown
    assert Path("changed.ags").read_bytes() == Path("moon.ags").read_bytes()
    assert "Display(" in printed["overhaul cat park.ags rooms/1/script.asc"]
    trs = Path("German.trs").read_text("utf-8-sig")
    assert "The moon is out tonight.\nDer Mond scheint heute.\n" in trs
    with overhaul.open("German.tra") as translation:
        assert translation.kind == "ags-translation"
    assert Path("GlobalScript.o").read_bytes()[:4] == b"SCOM"
    assert "Of 3 scripts 3 compile again." in Path("project/RECOVERED.md").read_text()
    names = sorted(path.name for path in Path("Compiled").iterdir())
    assert names == ["German.tra", "acsetup.cfg", "park.ags"]
    with overhaul.open("Compiled/park.ags") as built:
        assert b"No moon tonight." in built.to_bytes()
