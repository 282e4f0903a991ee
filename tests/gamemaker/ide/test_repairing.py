"""Repair of projects: the plan, what is written, and what verify says then."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import overhaul
from ide_projects import FRAME, LAYER, modern_project, old_project, studio_project, write
from overhaul.cli import main
from overhaul.errors import WorkspaceError
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.repairing import Repair, plan_repair
from overhaul.gamemaker.ide.texts import read_json_file
from overhaul.gamemaker.ide.values import Json
from overhaul.media import png


def planned(path: Path) -> Repair:
    with overhaul.open(path) as document:
        return plan_repair(document)


def faults(path: Path) -> list[str]:
    return [one.code for one in overhaul.verify(path).findings]


def test_a_sound_project_has_nothing_to_repair(tmp_path: Path) -> None:
    for number, maker in enumerate((modern_project, old_project)):
        path = maker(tmp_path / str(number))
        assert planned(path) == Repair(path.parent)
        assert main(["repair", str(path), "--yes"]) == 0
        assert not list(path.parent.rglob("*.bak"))


@pytest.mark.parametrize("other", ["objects/OBJ_A/obj_a.yy", "objects/OBJ_A/OBJ_A.yy"])
def test_a_file_that_two_entries_name_is_moved_for_one_of_them(tmp_path: Path, other: str) -> None:
    path = modern_project(tmp_path)
    if other.endswith("OBJ_A.yy"):  # no entry has the file in its own case
        text = path.read_text().replace("objects/obj_a/obj_a.yy", "objects/Obj_A/Obj_A.yy")
        path.write_text(text)
    file = read_json_file(path.read_bytes())
    row: dict[str, Json] = {"id": {"name": "obj_a", "path": other}}
    path.write_bytes(file.added("resources", 0, value=row).to_bytes())
    plan = planned(path)
    assert sum("rename objects/obj_a/obj_a.yy" in step for step in plan.steps) <= 1
    plan.write()
    assert len(list((tmp_path / "objects").glob("[oO]*_[aA]/*.yy"))) == 1
    assert len(planned(path).steps) == 0


def test_no_file_is_renamed_to_one_that_is_there(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    path.write_text(path.read_text().replace("scripts/scr_a/scr_a.yy", "scripts/scr_a/SCR_A.yy"))
    (tmp_path / "scripts/scr_a/SCR_A.gml").write_text("// somebody's\n")
    assert not [step for step in planned(path).steps if step.startswith("rename")]
    planned(path).write()
    assert (tmp_path / "scripts/scr_a/SCR_A.gml").read_text() == "// somebody's\n"
    assert (tmp_path / "scripts/scr_a/scr_a.gml").is_file()


def test_nothing_is_written_behind_a_link(tmp_path: Path) -> None:
    path = modern_project(tmp_path / "project")
    shutil.move(tmp_path / "project/objects/obj_b", tmp_path / "elsewhere")
    (tmp_path / "project/objects/obj_b").symlink_to(tmp_path / "elsewhere")
    shutil.rmtree(tmp_path / "project/objects/obj_a")  # its child forgets its parent
    before = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    with pytest.raises(WorkspaceError, match=r"objects/obj_b/obj_b\.yy leads out of the project"):
        planned(path).write()
    assert {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()} == before


def test_what_is_nowhere_is_taken_off_the_list(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    shutil.rmtree(tmp_path / "rooms/rm_a")
    shutil.rmtree(tmp_path / "objects/obj_a")
    order = '{\n  "ResourceOrderSettings":[\n'
    order += '    {"name":"rm_a","order":1,"path":"rooms/rm_a/rm_a.yy",},\n'
    order += '    {"name":"scr_a","order":2,"path":"scripts/scr_a/scr_a.yy",},\n  ],\n}'
    write(tmp_path, "Game.resource_order", order)
    before = path.read_text()
    plan = planned(path)
    assert plan.steps == [
        "take objects/obj_a/obj_a.yy off the list: it is not there",
        "take rooms/rm_a/rm_a.yy off the list: it is not there",
        "take 1 of them out of Game.resource_order",
        "objects/obj_b/obj_b.yy: parentObjectId named obj_a, and is null",
    ]
    assert path.read_text() == before
    plan.write()
    assert path.read_text() == "".join(
        line for line in before.splitlines(keepends=True)
        if "rm_a.yy" not in line and "/obj_a.yy" not in line
    ).replace('"RoomOrderNodes":[\n  ]', '"RoomOrderNodes":[]')  # fmt: skip
    assert (tmp_path / "Game.yyp.bak").read_text() == before
    assert "rm_a" not in (tmp_path / "Game.resource_order").read_text()
    assert '"parentObjectId":null' in (tmp_path / "objects/obj_b/obj_b.yy").read_text()
    assert faults(path) == []
    assert planned(path).steps == []


def test_what_is_used_is_put_on_the_list(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    before = path.read_text()
    lines = [line for line in before.splitlines(keepends=True) if "/spr_a.yy" in line]
    path.write_text(before.replace(lines[0], ""))
    assert faults(path) == ["missing-name"]
    assert planned(path).steps == ["list sprites/spr_a/spr_a.yy, which is used"]
    planned(path).write()
    assert path.read_text() == before
    assert faults(path) == []


def test_files_get_the_case_of_the_list(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    text = (tmp_path / "scripts/scr_a/scr_a.yy").read_text()
    (tmp_path / "scripts/scr_a").rename(tmp_path / "scripts/SCR_a")
    for ending in ("yy", "gml"):
        old = tmp_path / f"scripts/SCR_a/scr_a.{ending}"
        old.rename(old.with_name(f"SCR_a.{ending}"))
    (tmp_path / "scripts/SCR_a/SCR_a.yy").write_text(text.replace("scr_a", "SCR_a"))
    assert faults(path) == ["other-case", "mismatch", "mismatch", "other-case"]
    planned(path).write()
    assert (tmp_path / "scripts/scr_a/scr_a.yy").read_text() == text
    assert (tmp_path / "scripts/scr_a/scr_a.gml").is_file()
    assert faults(path) == []


def test_an_ending_gets_the_case_of_the_list(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    old = tmp_path / "scripts/scr_a/scr_a.yy"
    old.rename(old.with_name("SCR_A.YY"))
    assert faults(path) == ["other-case"]
    planned(path).write()
    assert sorted(file.name for file in old.parent.iterdir()) == ["scr_a.gml", "scr_a.yy"]
    assert faults(path) == []


def test_two_folders_become_one(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    (tmp_path / "scripts/scr_a").rename(tmp_path / "scripts/SCR_a")
    write(tmp_path, "scripts/scr_a/other.txt", "mine")
    planned(path).write()
    assert sorted(file.name for file in (tmp_path / "scripts/scr_a").iterdir()) == [
        "other.txt", "scr_a.gml", "scr_a.yy",
    ]  # fmt: skip
    assert not (tmp_path / "scripts/SCR_a").exists()
    assert faults(path) == []


def test_two_files_of_one_name_are_left_to_people(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    (tmp_path / "scripts/scr_a").rename(tmp_path / "scripts/SCR_a")
    write(tmp_path, "scripts/scr_a/scr_a.gml", "mine")
    assert planned(path).steps == []
    assert faults(path) == ["other-case"]


def test_what_is_listed_twice(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    before = path.read_text()
    row = next(line for line in before.splitlines(keepends=True) if "/obj_a.yy" in line)
    path.write_text(before.replace(row, row + row))
    assert planned(path).steps == ["take objects/obj_a/obj_a.yy off the list: it is listed twice"]
    planned(path).write()
    assert path.read_text() == before


def test_a_project_of_2_2(tmp_path: Path) -> None:
    path = old_project(tmp_path)
    shutil.rmtree(tmp_path / "rooms")
    assert planned(path).steps == ["take rooms/rm_a/rm_a.yy off the list: it is not there"]
    planned(path).write()
    assert faults(path) == []


def test_what_is_refused(tmp_path: Path) -> None:
    path = modern_project(tmp_path / "new")
    for folder in ("objects", "rooms", "scripts", "sounds", "sprites"):
        shutil.rmtree(path.parent / folder)
    with pytest.raises(WorkspaceError, match=r"none of the 6 files that Game\.yyp lists is"):
        planned(path)
    with pytest.raises(WorkspaceError, match="only a project"):
        plan_repair(overhaul.open(path.read_bytes()))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = modern_project(tmp_path)
    shutil.rmtree(tmp_path / "rooms")
    before = path.read_text()
    assert main(["repair", str(path)]) == 1
    assert capsys.readouterr().out == (
        "take rooms/rm_a/rm_a.yy off the list: it is not there\n1 steps: --yes does this\n"
    )
    assert path.read_text() == before
    assert main(["repair", "--json", "--yes", str(path)]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "steps": ["take rooms/rm_a/rm_a.yy off the list: it is not there"],
        "files": ["Game.yyp"], "moves": [], "left": [], "done": True,
    }  # fmt: skip
    assert main(["repair", str(path)]) == 0
    assert capsys.readouterr().out == "nothing to repair\n"


def test_names_in_files(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    file = tmp_path / "objects/obj_a/obj_a.yy"
    before = file.read_text()
    file.write_text(before.replace('"%Name":"obj_a"', '"%Name":"obj_old"'))
    assert faults(path) == ["mismatch"]
    assert planned(path).steps == ["objects/obj_a/obj_a.yy: %Name was obj_old, and is obj_a"]
    planned(path).write()
    assert file.read_text() == before


def test_folders_that_the_list_lacks(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    file = tmp_path / "objects/obj_a/obj_a.yy"
    file.write_text(file.read_text().replace("folders/All.yy", "folders/New/Inner.yy"))
    assert faults(path) == ["missing-name"]
    assert planned(path).steps == [
        "make the folder folders/New.yy, which is named",
        "make the folder folders/New/Inner.yy, which is named",
    ]
    planned(path).write()
    assert faults(path) == []
    assert '"%Name":"Inner","folderPath":"folders/New/Inner.yy","name":"Inner"' in path.read_text()


def test_groups_that_are_not_there(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    file = tmp_path / "sprites/spr_a/spr_a.yy"
    before = file.read_text()
    text = before.replace('"name":"Default"', '"name":"Big"')
    file.write_text(text.replace("texturegroups/Default", "texturegroups/Big"))
    assert faults(path) == ["missing-name"]
    step = "sprites/spr_a/spr_a.yy: textureGroupId named Big, and is Default"
    assert planned(path).steps == [step]
    planned(path).write()
    assert file.read_text() == before


def test_pictures_that_are_not_there(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    frame = tmp_path / f"sprites/spr_a/{FRAME}.png"
    layer = tmp_path / f"sprites/spr_a/layers/{FRAME}/{LAYER}.png"
    frame.unlink()
    assert planned(path).steps == [f"sprites/spr_a/{FRAME}.png: the picture of its only layer"]
    planned(path).write()
    assert frame.read_bytes() == layer.read_bytes()
    frame.unlink()
    layer.unlink()
    step = f"sprites/spr_a/{FRAME}.png: a placeholder of 4 x 2 pixels"
    assert planned(path).steps == [step]
    planned(path).write()
    assert png.decode(frame.read_bytes()).reshape(-1, 4).tolist() == [[255, 0, 255, 255]] * 8
    assert faults(path) == []


def test_a_source_that_is_not_there(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    (tmp_path / "scripts/scr_a/scr_a.gml").unlink()
    assert planned(path).steps == ["scripts/scr_a/scr_a.gml: an empty source"]
    planned(path).write()
    assert faults(path) == []


def test_what_is_there_is_recovered_on_request(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    row = next(line for line in path.read_text().splitlines(keepends=True) if "snd_a" in line)
    path.write_text(path.read_text().replace(row, ""))
    assert planned(path).steps == []
    assert main(["repair", str(path), "--recover"]) == 1
    assert main(["repair", str(path), "--recover", "--yes"]) == 0
    assert faults(path) == []
    project = overhaul.open_project(path)
    assert isinstance(project, IdeProjectDocument)
    assert project.sounds["snd_a"].in_folder == "Recovered"
    assert main(["repair", str(path), "--recover"]) == 0


def test_a_project_of_studio_1(tmp_path: Path) -> None:
    path = studio_project(tmp_path)
    text = path.read_text()
    row = "    <sprite>sprites\\spr_a</sprite>\n"
    gone = "    <sprite>sprites\\spr_gone</sprite>\n"
    path.write_text(text.replace(row, row + row + gone))
    kind = tmp_path / "objects/obj_a.object.gmx"
    kind.write_text(kind.read_text().replace("spr_a", "spr_gone"))
    kind.rename(tmp_path / "objects/OBJ_a.object.gmx")
    (tmp_path / "sprites/images/spr_a_0.png").unlink()
    assert planned(path).steps == [
        "rename objects/OBJ_a.object.gmx to objects/obj_a.object.gmx",
        "take sprites/spr_a.sprite.gmx off the list: it is listed twice",
        "take sprites/spr_gone.sprite.gmx off the list: it is not there",
        "sprites/images/spr_a_0.png: a placeholder of 4 x 2 pixels",
        "objects/OBJ_a.object.gmx: spriteName named spr_gone, and names nothing",
    ]
    planned(path).write()
    assert path.read_text() == text
    assert faults(path) == []
    assert planned(path).steps == []
    assert "<spriteName>&lt;undefined&gt;</spriteName>" in kind.read_text()


def test_a_project_of_studio_1_without_files(tmp_path: Path) -> None:
    path = studio_project(tmp_path)
    for folder in ("sprites", "sound", "scripts", "objects", "rooms"):
        shutil.rmtree(tmp_path / folder)
    with pytest.raises(WorkspaceError, match=r"none of the 5 files that Game\.project\.gmx lists"):
        planned(path)
