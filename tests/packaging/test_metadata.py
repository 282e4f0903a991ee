"""What a package index would show, and what the sdist has."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from present import present

ROOT = Path(__file__).resolve().parents[2]
TEXT = "# Name\n\n![A picture](docs/a.png)\n\n    code\n\nRead [on](docs/b.md#c) at [home](https://a.b).\n"


def metadata() -> ModuleType:
    path = ROOT / "tools" / "packaging" / "metadata.py"
    spec = present(importlib.util.spec_from_file_location("metadata", path))
    module = importlib.util.module_from_spec(spec)
    present(spec.loader).exec_module(module)
    return module


def test_without_an_address_nothing_points_anywhere() -> None:
    text = metadata().readme(TEXT, "")
    assert text == "# Name\n\n    code\n\nRead on at [home](https://a.b).\n"
    assert metadata().urls("") == {}


def test_with_an_address_links_are_whole() -> None:
    text = metadata().readme(TEXT, "https://x.y/z")
    assert "![A picture](https://x.y/z/raw/main/docs/a.png)" in text
    assert "[on](https://x.y/z/blob/main/docs/b.md#c) at [home](https://a.b)" in text
    assert set(metadata().urls("https://x.y/z")) == {"Source", "Issues", "Changes"}


def test_the_readme_has_no_link_that_leads_nowhere() -> None:
    settings = metadata().addresses(ROOT)
    text = metadata().readme((ROOT / "README.md").read_text("utf-8"), settings["repository"])
    assert not re.search(r"\]\((?!https?:|#)", text)


def test_authors_have_an_address_if_there_is_one() -> None:
    assert metadata().authors("") == [{"name": "The Overhaul contributors"}]
    assert metadata().authors("a@b.c")[0]["email"] == "a@b.c"


def test_the_sdist_has_every_folder_of_the_repository() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("this is no checkout")
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\n")
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    included = settings["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    always = {"pyproject.toml", "README.md", "LICENSE", ".gitignore"}
    for path in filter(None, listed):
        place = "/" + path
        assert path in always or any(
            place.startswith(pattern + "/") or Path(place).match(pattern) for pattern in included
        ), f"{path} is not in the sdist"
