"""What is in the way of a release is said."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: Hosts of package indexes: no file of the project names one.
INDEXES = re.compile(rb"(pypi|pythonhosted|npmjs)\." + rb"(org|com)\b|registry\.(npm|yarn)")


def tracked() -> list[Path]:
    if not (ROOT / ".git").exists():
        pytest.skip("this is no checkout")
    said = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    return [ROOT / name for name in said.stdout.decode().split("\0") if name]


def test_the_citation_has_the_version() -> None:
    from overhaul.version import __version__

    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")


def test_no_file_names_the_host_of_a_package_index() -> None:
    named = [
        path.relative_to(ROOT).as_posix()
        for path in tracked()
        if path.is_file() and INDEXES.search(path.read_bytes())
    ]
    assert named == []


def test_actions_are_pinned_by_hash() -> None:
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        text = path.read_text("utf-8")
        assert "permissions: {}\n" in text
        for action in re.findall(r"uses: (\S+)", text):
            assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action) or action.startswith(
                "github/codeql-action/"
            ), f"{path.name}: {action}"


def test_workflows_call_commands_that_exist() -> None:
    import importlib.util

    from present import present

    spec = present(importlib.util.spec_from_file_location("dev", ROOT / "dev.py"))
    dev = importlib.util.module_from_spec(spec)
    present(spec.loader).exec_module(dev)
    called = set()
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        called |= set(re.findall(r"dev\.py (\w+)", path.read_text("utf-8")))
    assert called == {"test", "lint", "docs", "build", "release"}
    assert called <= set(dev.COMMANDS)
    assert set(dev.ENVIRONMENTS) == set(dev.COMMANDS)


def test_classifiers_and_workflows_agree_on_pythons() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    versions = [
        line.rpartition(" ")[2]
        for line in settings["project"]["classifiers"]
        if re.search(r":: 3\.\d+$", line)
    ]
    text = (ROOT / ".github" / "workflows" / "check.yml").read_text("utf-8")
    tested = re.search(r"python: \[(.+)\]", text)
    assert tested is not None
    assert [name.strip(' "') for name in tested[1].split(",") if "t" not in name] == versions


def test_changes_have_a_kind_and_a_text() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["towncrier"]
    kinds = {kind["directory"] for kind in settings["type"]}
    for path in (ROOT / "changes").glob("*.md"):
        if path.name not in settings["ignore"]:
            assert path.name.split(".")[-2] in kinds, path.name
            assert path.read_text("utf-8").strip(), path.name


def test_the_changelog_has_the_place_where_releases_begin() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["towncrier"]
    assert (ROOT / "CHANGELOG.md").read_text("utf-8").count(settings["start_string"]) == 1
