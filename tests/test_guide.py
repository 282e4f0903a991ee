"""The tour of the library in the guide runs, and shows what it says, on the small game."""

from __future__ import annotations

import doctest
import importlib.util
import os
import re
from pathlib import Path
from types import ModuleType

import pytest

from ide_projects import modern_project
from modded_games import lantern
from overhaul.examples import write_example
from present import present

ROOT = Path(__file__).resolve().parents[1]
GUIDE = ROOT / "docs" / "guide" / "library.md"


def test_the_tour_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lantern.win").write_bytes(lantern("current"))
    monkeypatch.chdir(tmp_path)
    write_example("park", "park.ags")
    assert examples_run(GUIDE) > 40


def test_the_examples_of_projects_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    modern_project(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert examples_run(GUIDE.with_name("projects.md")) == 37


def examples_run(page: Path) -> int:
    """Run the examples of a page; how many there are."""
    text = page.read_text("utf-8")
    # what is outside of the blocks is blank, so that lines keep their numbers
    blocks = re.split(r"^```(?:python)?$", text, flags=re.MULTILINE)
    kept = [
        block if number % 2 else re.sub(r"[^\n]", "", block) for number, block in enumerate(blocks)
    ]
    test = doctest.DocTestParser().get_doctest("\n".join(kept), {}, page.name, str(page), 0)
    assert all(">>>" in block for block in blocks[1::2])
    said: list[str] = []
    options = doctest.NORMALIZE_WHITESPACE
    result = doctest.DocTestRunner(optionflags=options).run(test, out=said.append)
    assert result.failed == 0, "".join(said)
    return len(test.examples)


def test_the_reference_has_every_kind_of_resource() -> None:
    from overhaul.gamemaker.data.resources.base import Resource
    from overhaul.gamemaker.data.resources.kinds import Kind, ResourceAttributes

    folder = ROOT / "docs" / "reference"
    pages = [page.read_text("utf-8") for page in sorted(folder.glob("game-data-*.md"))]
    text = "\n".join(map(hooks().on_page_markdown, pages))
    for kind in vars(ResourceAttributes).values():
        if isinstance(kind, Kind):
            home = f"{Resource.__module__.rpartition('.')[0]}.{kind.home.replace(':', '.')}"
            assert f"\n::: {home}\n" in text
    assert "\n## Objects with their events and instances, and timelines\n" in text
    assert "| `density` | A number. | mass per area; 0 for an object that nothing moves |" in text
    assert "resources.parts.Part" not in text
    assert "._" not in text


def hooks() -> ModuleType:
    spec = present(importlib.util.spec_from_file_location("hooks", ROOT / "docs" / "hooks.py"))
    module = importlib.util.module_from_spec(spec)
    present(spec.loader).exec_module(module)
    return module


def test_the_tables_of_records_are_those_of_the_declarations() -> None:
    """``docs/formats/records.md`` is for people who read the pages in the repository."""
    folder = ROOT / "docs" / "formats"
    text = hooks().all_tables(folder)
    if os.environ.get("OVERHAUL_WRITE_LAYOUTS"):
        (folder / "records.md").write_text(text, "utf-8")
    assert (folder / "records.md").read_text("utf-8") == text, (
        "OVERHAUL_WRITE_LAYOUTS=1 writes docs/formats/records.md"
    )
    assert text.count("\n## ") >= 29
