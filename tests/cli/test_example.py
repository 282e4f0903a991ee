"""``overhaul example``: the games that come with Overhaul."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path

import pytest

import overhaul
from overhaul import examples
from overhaul.cli import main
from overhaul.examples import EXAMPLES, write_example

ROOT = Path(__file__).resolve().parents[2]
VERSIONS = {"lantern": "2024.13", "lantern-old": "1.0.0.1763", "park": "3.6.1.26"}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_an_example_is_its_folder_packed_without_a_warning(
    example: examples.Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert write_example(example.name).warnings == []
    overhaul.pack(ROOT / "examples" / example.folder, "packed")
    assert Path(example.file).read_bytes() == Path("packed").read_bytes()
    with overhaul.open(example.file) as document:
        version = str(document.info().get("compiled_with", document.version))
    assert version == VERSIONS[example.name]


def test_a_wheel_has_the_files_where_the_package_looks_for_them() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]
    included = settings["build"]["targets"]["wheel"]["force-include"]
    assert included == {
        f"examples/{example.folder}": f"overhaul/examples/{example.folder}" for example in EXAMPLES
    }
    place, sources = examples._PLACES
    assert place.parent == Path(overhaul.__file__).resolve().parent
    assert sources == place.parent.parents[1] / "examples"


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["example"]) == 0
    assert capsys.readouterr() == (
        "lantern.win: 33.8 kB\n",
        "To look at it: overhaul view lantern.win\n",
    )
    assert main(["example"]) == 2
    assert "lantern.win: already exists (--force replaces it)" in capsys.readouterr().err
    assert main(["example", "lantern-old", "-o", "lantern.win", "--force", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["size"] == Path("lantern.win").stat().st_size
    assert main(["example", "--list"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert listed[2] == "park         a small game of Adventure Game Studio 3.6.1"
    assert main(["example", "--list", "--json"]) == 0
    assert [game["file"] for game in json.loads(capsys.readouterr().out)] == [
        example.file for example in EXAMPLES
    ]


def test_a_name_that_no_example_has(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["example", "lanter"]) == 3
    assert capsys.readouterr().err == (
        "overhaul: there is no example 'lanter'; did you mean 'lantern'?\n"
    )
    assert main(["example", "xyz"]) == 3
    assert "there are lantern, lantern-old, park" in capsys.readouterr().err


def test_a_program_has_an_archive_of_each_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = str(tmp_path / "examples" / "park")
    shutil.make_archive(archive, "zip", ROOT / "examples/ags/park")
    monkeypatch.setattr(examples, "_PLACES", (tmp_path / "examples",))
    monkeypatch.chdir(tmp_path)
    assert write_example("park").warnings == []
    overhaul.pack(ROOT / "examples/ags/park", "packed")
    assert Path("park.ags").read_bytes() == Path("packed").read_bytes()


def test_an_installation_without_the_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(examples, "_PLACES", (tmp_path,))
    assert main(["example", "-o", str(tmp_path / "game.win")]) == 3
    assert "the files of the example 'lantern' are not installed" in capsys.readouterr().err
    assert not any(tmp_path.iterdir())
