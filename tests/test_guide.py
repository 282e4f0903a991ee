"""The tour of the library in the guide runs, and shows what it says, on the small game."""

from __future__ import annotations

import doctest
import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

import overhaul
from present import present

ROOT = Path(__file__).resolve().parents[1]
GUIDE = ROOT / "docs" / "guide" / "library.md"


def test_the_tour_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = GUIDE.read_text("utf-8")
    # what is outside of the blocks is blank, so that lines keep their numbers
    blocks = re.split(r"^```(?:python)?$", text, flags=re.MULTILINE)
    kept = [
        block if number % 2 else re.sub(r"[^\n]", "", block) for number, block in enumerate(blocks)
    ]
    test = doctest.DocTestParser().get_doctest("\n".join(kept), {}, GUIDE.name, str(GUIDE), 0)
    assert len(test.examples) > 40
    assert all(">>>" in block for block in blocks[1::2])
    overhaul.pack(ROOT / "examples" / "lantern" / "current", tmp_path / "lantern.win")
    monkeypatch.chdir(tmp_path)
    said: list[str] = []
    options = doctest.NORMALIZE_WHITESPACE
    result = doctest.DocTestRunner(optionflags=options).run(test, out=said.append)
    assert result.failed == 0, "".join(said)


def test_the_reference_has_every_kind_of_resource() -> None:
    from overhaul.gamemaker.data.resources.base import Resource
    from overhaul.gamemaker.data.resources.kinds import Kind, ResourceAttributes

    page = (ROOT / "docs" / "reference" / "game-data.md").read_text("utf-8")
    listed = re.findall(r"^\{surface (.+)\}$", page, re.MULTILINE)
    homes = {
        f"{Resource.__module__.rpartition('.')[0]}.{kind.home.partition(':')[0]}"
        for kind in vars(ResourceAttributes).values()
        if isinstance(kind, Kind)
    }
    assert homes <= set(listed)
    sections = {name: hooks().on_page_markdown(f"{{surface {name}}}") for name in listed}
    assert all(text.startswith("### ") and "\n::: overhaul." in text for text in sections.values())
    objects = sections["overhaul.gamemaker.data.resources.objects"]
    assert objects.startswith("### Objects, with their events\n")
    assert (
        "| `density` | A number. | mass per area; 0 for an object that nothing moves |" in objects
    )
    assert "_Addition" not in "".join(sections.values())


def hooks() -> ModuleType:
    spec = present(importlib.util.spec_from_file_location("hooks", ROOT / "docs" / "hooks.py"))
    module = importlib.util.module_from_spec(spec)
    present(spec.loader).exec_module(module)
    return module
