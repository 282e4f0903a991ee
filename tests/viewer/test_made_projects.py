"""A project of an editor, made of what the browser shows: its report, and the download."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import overhaul
from ags_folders import translation
from ags_package import package
from handmade_project import project_file
from ide_projects import modern_project, studio_project, write
from modded_games import lantern
from overhaul.cli import main as main_of
from overhaul.gamemaker.classic import ProjectDocument
from overhaul.gamemaker.gm82 import folder_of
from overhaul.viewer.pages import recovered
from viewing import HOST, looking_at


@pytest.mark.parametrize(
    ("name", "data", "kinds"),
    [
        ("game.win", lantern(), ["yyp"]),
        ("old.win", lantern("gms1"), ["gmx", "yyp"]),
        ("made.gmk", project_file(800), ["yyp", "gmx"]),
        ("game.ags", package(), ["agf"]),
    ],
    ids=["current", "gms1", "project", "ags"],
)
def test_a_project_is_shown_and_downloaded(
    name: str, data: bytes, kinds: list[str], tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    endings = {"yyp": ".yyp", "gmx": ".project.gmx", "agf": "Game.agf"}
    with looking_at(path) as client:
        assert 'href="/-/project">Make a project of this' in client.get("/").text
        first = client.get("/-/project.json").json()
        assert [first["kind"], *first["others"]] == kinds
        assert first["files"] > 3 and first["rows"]
        assert first["column"] == ("Converted" if name == "made.gmk" else "Recovered")
        for kind in kinds:
            assert "What to look at" in client.get(f"/-/project?to={kind}").text
            archive = client.get(f"/-/project?to={kind}&zip=1")
            assert archive.headers["content-type"] == "application/zip"
            with zipfile.ZipFile(io.BytesIO(archive.content)) as files:
                files.extractall(tmp_path / kind)
                main = [each for each in files.namelist() if each.endswith(endings[kind])]
            assert len(main) == 1
            with overhaul.open(tmp_path / kind / main[0]) as made:
                assert made.to_bytes() == (tmp_path / kind / main[0]).read_bytes()
            written = tmp_path / f"{kind}-of-the-command"
            main_of(["convert", str(path), "--to", kind, "-o", str(written)])
            assert held(tmp_path / kind) == held(written)
        assert client.get("/-/project?to=exe").status_code == 404


def test_a_long_report_is_shown_in_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "made.gmk"
    path.write_bytes(project_file(800))
    with looking_at(path) as client:
        whole = client.get("/-/project.json").json()
        assert len(whole["lines"]) > 3 and whole["more"] == 0
        assert "which the archive has" not in client.get("/-/project").text
        monkeypatch.setattr(recovered, "_LISTED", 2)
        part = client.get("/-/project.json").json()
        assert part["lines"] == whole["lines"][:2]
        assert part["more"] == len(whole["lines"]) - 2
        assert f"and {part['more']} more lines" in client.get("/-/project").text


def classic_folder(folder: Path) -> Path:
    made = folder_of(ProjectDocument.from_bytes(project_file(810)), "game")
    for path, read in made.files.items():
        write(folder, path, read())
    return folder / "game.gm82"


@pytest.mark.parametrize(
    ("write_project", "kinds"),
    [(classic_folder, ["yyp", "gmx"]), (studio_project, ["yyp"]), (modern_project, [])],
    ids=["gm82", "studio", "current"],
)
def test_projects_become_those_of_later_editors(
    write_project: Callable[[Path], Path], kinds: list[str], tmp_path: Path
) -> None:
    with looking_at(write_project(tmp_path)) as client:
        assert ("Make a project" in client.get("/").text) is bool(kinds)
        answer = client.get("/-/project.json")
        assert answer.status_code == (200 if kinds else 404)
        if kinds:
            shown = answer.json()
            assert [shown["kind"], *shown["others"]] == kinds
            assert {row["kind"] for row in shown["rows"]} > {"sprites", "objects", "rooms"}


def held(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_edits_are_in_the_project(tmp_path: Path) -> None:
    path = tmp_path / "game.win"
    path.write_bytes(lantern())
    with looking_at(path) as client:
        wish = {"do": "rename", "name": "spr_guard", "sure": "1"}
        done = client.post("/-/whole/sprites/spr_keeper", headers={"Origin": HOST}, data=wish)
        assert done.status_code == 200
        archive = client.get("/-/project?zip=1").content
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        assert "sprites/spr_guard/spr_guard.yy" in files.namelist()


def test_a_file_of_another_kind_has_none(tmp_path: Path) -> None:
    path = tmp_path / "German.tra"
    path.write_bytes(translation().to_bytes())
    with looking_at(path) as client:
        assert "Make a project" not in client.get("/").text
        assert client.get("/-/project").status_code == 404
