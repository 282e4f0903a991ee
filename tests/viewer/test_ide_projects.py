"""A project of GameMaker's editor in the browser."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import overhaul
from ide_projects import modern_project, studio_project
from viewing import HOST, looking_at

#: what a form of the viewer's own pages sends
SAME = {"Origin": HOST}


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
    path = modern_project(tmp_path / "project")
    with looking_at(path) as client:
        page = client.get("/objects/obj_b").text
        sounds, room = client.get("/sounds").text, client.get("/rooms/rm_a").text
    assert "New sound" not in sounds and "Edit fields" not in room
    assert re.findall(r">(Edit [^<]*|Rename[^<]*|Paint[^<]*)<", page) == [
        "Edit Create_0.gml",
        "Edit obj_b.yy",
        "Rename, duplicate, remove",
    ]
    archive = tmp_path / "game.yyz"
    with zipfile.ZipFile(archive, "w") as made:
        for found in sorted(path.parent.rglob("*")):
            if found.is_file():
                made.write(found, found.relative_to(path.parent).as_posix())
    with looking_at(archive) as client:
        page = client.get("/objects/obj_b").text
    assert not re.search(r">(Edit|Rename|Paint)\b", page)


def test_a_source_is_edited_undone_and_saved_in_place(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    source = tmp_path / "objects/obj_b/Create_0.gml"
    before = source.read_bytes()
    href = "/-/file?path=objects/obj_b/Create_0.gml"
    with looking_at(path) as client:
        assert 'class="with-assembly"' not in client.get(href).text
        shown = client.get(href.replace("/-/file?", "/-/file.json?")).json()
        asked = {"text": "hp = ;\n", "before": shown["before"], "base": before.decode()}
        refused = client.post(href, data=asked, headers=SAME)
        assert refused.status_code == 422 and "expected a value" in refused.text
        made = client.post(href, data={**asked, "text": "hp = 3;\n"}, headers=SAME)
        assert made.status_code == 200 and source.read_bytes() == before
        assert "hp = 3" in re.sub(r"<[^>]*>", "", client.get("/objects/obj_b").text)
        steps = client.get("/-/steps").text
        assert not re.search(r"\.bak|as mod|Save as|Download", steps)
        assert client.post("/-/save", headers=SAME).status_code == 200
        assert source.read_bytes() == b"hp = 3;\n"
        client.post("/-/undo", headers=SAME)
        client.post("/-/save", headers=SAME)
        assert source.read_bytes() == before
    assert not list(tmp_path.glob("*.bak"))


@pytest.mark.parametrize("maker", [modern_project, studio_project])
def test_resources_are_added_renamed_copied_and_removed(
    maker: Callable[[Path], Path], tmp_path: Path
) -> None:
    path = maker(tmp_path / "project")
    before = files(path.parent)
    wishes = [
        ("/-/whole/objects/obj_a", {"do": "rename", "name": "obj_new", "sure": "1"}),
        ("/-/add?kind=object", {"kind": "object", "name": "obj_more"}),
        ("/-/whole/sprites/spr_a", {"do": "duplicate", "name": "spr_more"}),
        ("/-/whole/scripts/scr_a", {"do": "remove", "sure": "1"}),
    ]
    with looking_at(path) as client:
        assert "/-/add?kind=object" in client.get("/objects").text
        rename = {"do": "rename", "name": "obj_new"}
        shown = client.post(wishes[0][0], data=rename, headers=SAME).text
        assert "obj_new" in shown and client.get("/objects/obj_new").status_code == 404
        for href, asked in wishes:
            assert client.post(href, data=asked, headers=SAME).status_code == 200
        assert files(path.parent) == before
        assert client.get("/objects/obj_a").status_code == 404
        assert client.post("/-/save", headers=SAME).status_code == 200
        for page in ("/objects/obj_new", "/objects/obj_more", "/sprites/spr_more"):
            assert client.get(page).status_code == 200
        after = files(path.parent)
        assert not [each for each in after if "scr_a" in each or "obj_a." in each]
        assert b"obj_a" not in b"".join(after.values())
        assert overhaul.verify(path).findings == []
        for _ in wishes:
            client.post("/-/undo", headers=SAME)
        client.post("/-/save", headers=SAME)
    assert files(path.parent) == before


def files(folder: Path) -> dict[str, bytes]:
    return {found.relative_to(folder).as_posix(): found.read_bytes()
            for found in folder.rglob("*")
            if found.is_file() and ".overhaul" not in found.parts}  # fmt: skip


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
