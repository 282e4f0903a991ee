"""A project of GameMaker's editor in the browser."""

from __future__ import annotations

import re
from pathlib import Path

from ide_projects import modern_project
from viewing import looking_at


def test_the_page_of_a_resource_shows_the_files_in_its_folder(tmp_path: Path) -> None:
    with looking_at(modern_project(tmp_path)) as client:
        shown = client.get("/objects/obj_b.json").json()
        page = client.get("/objects/obj_b").text
    names = {file["path"] for file in shown["files"]}
    folder = tmp_path / "objects/obj_b"
    there = {f"objects/obj_b/{path.name}" for path in folder.iterdir()}
    assert names == there and len(names) > 1
    assert "objects/obj_b/obj_b.yy" in page
    assert re.search(r">\s*Create\s*<", page)  # its code stands there


def test_rooms_sprites_and_code_have_pages(tmp_path: Path) -> None:
    with looking_at(modern_project(tmp_path)) as client:
        sprite = client.get("/sprites/spr_a.json").json()
        room = client.get("/rooms/rm_a.json").json()
        kind = client.get("/objects/obj_b.json").json()
        script = client.get("/scripts/scr_a.json").json()
    assert (sprite["width"], sprite["height"]) == (4, 2)
    assert [layer["name"] for layer in room["layers"]] == ["Instances"]
    assert [event["title"] for event in kind["events"]] == ["Create"]
    assert script["source"].startswith("function scr_a()")


def test_what_uses_a_resource_is_found_in_the_files_of_others(tmp_path: Path) -> None:
    with looking_at(modern_project(tmp_path)) as client:
        uses = client.get("/-/uses/objects/obj_a.json").json()["uses"]
    assert ("object", "obj_b") in {(use["kind"], use["name"]) for use in uses}


def test_nothing_offers_an_edit_that_is_refused(tmp_path: Path) -> None:
    with looking_at(modern_project(tmp_path)) as client:
        page = client.get("/objects/obj_b").text
    assert not re.search(r">(Edit|Rename|Paint)\b", page)


def test_check_reads_all_files_of_the_project(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    (tmp_path / "objects/obj_b/obj_b.yy").unlink()
    with looking_at(path) as client:
        page = client.get("/-/check").text
    assert "objects/obj_b/obj_b.yy is listed, and is not there" in page


def test_a_comparison_of_projects_offers_no_mod(tmp_path: Path) -> None:
    old, new = modern_project(tmp_path / "old"), modern_project(tmp_path / "new")
    (tmp_path / "new/scripts/scr_a/scr_a.gml").write_text("function scr_a() {\n\treturn 1;\n}\n")
    with looking_at(old, new) as client:
        page = client.get("/1/-/diff/2").text
    assert "return 1;" in page and "diff-filter" in page
    assert "Make a mod" not in page
