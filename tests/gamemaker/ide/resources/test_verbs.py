"""Resources renamed, duplicated, removed: files, the project, references and code follow."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import overhaul
from ide_projects import (
    FRAME,
    folder_ref,
    modern_project,
    old_project,
    printed,
    ref,
    studio_project,
)
from ide_projects import write as write_file
from overhaul.errors import FormatError, WorkspaceError
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.values import Json


def opened(path: Path) -> IdeProjectDocument:
    document = overhaul.open_project(path)
    assert isinstance(document, IdeProjectDocument)
    return document


def sound(path: Path) -> None:
    assert [str(one) for one in overhaul.verify(path).findings] == []


def event(kind: int, other: Json) -> Json:
    """An event of 2024."""
    return {
        "$GMEvent": "v1", "%Name": "", "collisionObjectId": other, "eventNum": 0,
        "eventType": kind, "isDnD": False, "name": "", "resourceType": "GMEvent",
        "resourceVersion": "2.0",
    }  # fmt: skip


def project_of(folder: Path) -> Path:
    """A project in which obj_b collides with obj_a, and code names things in several ways."""
    path = modern_project(folder)
    value: dict[str, Json] = {
        "$GMObject": "v1", "%Name": "obj_b", "name": "obj_b", "parent": folder_ref("All"),
        "resourceType": "GMObject", "resourceVersion": "2.0",
        "parentObjectId": ref("objects", "obj_a"),
        "eventList": [event(0, None), event(4, ref("objects", "obj_a"))],
    }  # fmt: skip
    write_file(folder, "objects/obj_b/obj_b.yy", printed(value))
    write_file(folder, "objects/obj_b/Collision_obj_a.gml", "other.obj_a = obj_a;\n")
    write_file(folder, "objects/obj_b/Create_0.gml", "// obj_a\nx = instance_number(obj_a);\n")
    write_file(
        folder, "scripts/scr_a/scr_a.gml",
        '#macro FIRST obj_a\nfunction scr_a(spr_a) {\n  return [spr_a, "obj_a", obj_a.x];\n}\n',
    )  # fmt: skip
    return path


def test_renaming_an_object(tmp_path: Path) -> None:
    path = project_of(tmp_path)
    project = opened(path)
    kind, child = project.objects["obj_a"], project.objects["obj_b"]
    findings = project.objects.rename("obj_a", "obj_wall")
    assert findings.texts() == [
        "code holds 'obj_a', as the object obj_wall was called, as a text: scripts/scr_a/scr_a.gml"
    ]
    assert kind.name == "obj_wall"
    assert child.parent == kind
    assert list(child.events) == ["Create_0", "Collision_obj_wall"]
    project.save()
    sound(path)
    assert sorted(os.listdir(tmp_path / "objects")) == ["obj_b", "obj_wall"]
    assert os.listdir(tmp_path / "objects/obj_wall") == ["obj_wall.yy"]
    names = {file.name: file.read_text() for file in (tmp_path / "objects/obj_b").iterdir()}
    assert names["Collision_obj_wall.gml"] == "other.obj_a = obj_wall;\n"
    assert names["Create_0.gml"] == "// obj_a\nx = instance_number(obj_wall);\n"
    assert (tmp_path / "scripts/scr_a/scr_a.gml").read_text() == (
        "#macro FIRST obj_wall\n"
        'function scr_a(spr_a) {\n  return [spr_a, "obj_a", obj_wall.x];\n}\n'
    )
    again = opened(path)
    assert again.objects.names() == ["obj_wall", "obj_b"]
    assert not (tmp_path / ".overhaul").exists()


def test_renaming_a_sprite_a_sound_and_a_room(tmp_path: Path) -> None:
    path = project_of(tmp_path)
    project = opened(path)
    project.sprites["spr_a"].name = "spr_wall"
    assert project.findings.texts() == [
        "code holds 'spr_a', as the sprite spr_wall was called, as a variable of its own: "
        "scripts/scr_a/scr_a.gml"
    ]
    project.sounds["snd_a"].name = "snd_wall"
    project.rooms["rm_a"].name = "rm_first"
    assert project.sounds["snd_wall"].file_name == "snd_wall.wav"
    project.save()
    sound(path)
    assert os.listdir(tmp_path / "sprites") == ["spr_wall"]
    assert (tmp_path / f"sprites/spr_wall/{FRAME}.png").is_file()
    assert sorted(os.listdir(tmp_path / "sounds/snd_wall")) == ["snd_wall.wav", "snd_wall.yy"]
    text = path.read_text()
    assert "rm_a" not in text
    assert text.count("rooms/rm_first/rm_first.yy") == 2
    assert (
        '"path":"sprites/spr_wall/spr_wall.yy"' in (tmp_path / "objects/obj_a/obj_a.yy").read_text()
    )


def test_renaming_in_another_case(tmp_path: Path) -> None:
    path = project_of(tmp_path)
    project = opened(path)
    project.objects.rename("obj_a", "Obj_A")
    project.save()
    sound(path)
    assert "Obj_A" in os.listdir(tmp_path / "objects")


def test_renaming_to_a_taken_name(tmp_path: Path) -> None:
    project = opened(project_of(tmp_path))
    with pytest.raises(ValueError, match="the name 'spr_a' is taken by the sprite of this name"):
        project.objects.rename("obj_a", "spr_a")
    assert project.objects.rename("obj_a", "obj_a").texts() == []
    assert project.files.changed == {}


def test_renaming_with_ids(tmp_path: Path) -> None:
    path = old_project(tmp_path)
    project = opened(path)
    project.sprites["spr_a"].name = "spr_wall"
    project.save()
    sound(path)
    again = opened(path)
    assert again.objects["obj_a"].sprite == again.sprites["spr_wall"]
    assert "sprites\\\\spr_wall\\\\spr_wall.yy" in path.read_text()


def test_renaming_in_xml(tmp_path: Path) -> None:
    path = studio_project(tmp_path)
    project = opened(path)
    project.objects["obj_a"].events["Create_0"] = "sprite_index = spr_a; scr_a();"
    project.sprites["spr_a"].name = "spr_wall"
    project.objects["obj_a"].name = "obj_wall"
    project.scripts["scr_a"].name = "scr_wall"
    project.save()
    sound(path)
    again = opened(path)
    kind = again.objects["obj_wall"]
    assert kind.sprite == again.sprites["spr_wall"]
    assert kind.events["Create_0"].gml == "sprite_index = spr_wall; scr_wall();"
    assert [one.object for one in again.rooms["rm_a"].instances] == [kind]
    assert (tmp_path / "sprites/images/spr_wall_0.png").is_file()
    assert not (tmp_path / "sprites/images/spr_a_0.png").exists()


def test_removing_what_is_used(tmp_path: Path) -> None:
    path = project_of(tmp_path)
    project = opened(path)
    with pytest.raises(ValueError, match="spr_a is used by object obj_a; force=True takes it out"):
        project.sprites.remove("spr_a")
    assert [str(user) for user in project.objects["obj_a"].users()] == [
        "object obj_b",
        "code objects/obj_b/Collision_obj_a.gml",
        "code objects/obj_b/Create_0.gml",
        "code scripts/scr_a/scr_a.gml",
    ]
    assert project.files.changed == {}
    findings = project.objects.remove("obj_a", force=True)
    assert findings.texts()[0] == "obj_a was removed, but the object obj_b named it"
    child = project.objects["obj_b"]
    assert child.parent is None
    assert list(child.events) == ["Create_0"]
    project.save()
    sound(path)
    kept = tmp_path / ".overhaul/removed/objects/obj_a/obj_a.yy"
    assert kept.is_file()
    assert not (tmp_path / "objects/obj_a").exists()


def test_removing_an_object_takes_its_instances(tmp_path: Path) -> None:
    path = project_of(tmp_path)
    project = opened(path)
    project.objects.remove("obj_b", force=True)
    assert list(project.rooms["rm_a"].instances) == []
    project.save()
    sound(path)
    with pytest.raises(KeyError, match="there is no object named 'obj_b'"):
        project.objects.remove("obj_b")


def test_removing_a_room_and_what_uses_it(tmp_path: Path) -> None:
    path = project_of(tmp_path)
    project = opened(path)
    project.rooms.remove("rm_a")
    project.objects.remove("obj_a", "obj_b", force=True)
    project.save()
    sound(path)
    assert "rm_a" not in path.read_text()
    assert opened(path).info()["resources"] == {
        "included file": 1, "script": 1, "sound": 1, "sprite": 1,
    }  # fmt: skip


def test_removing_in_xml(tmp_path: Path) -> None:
    path = studio_project(tmp_path)
    project = opened(path)
    with pytest.raises(ValueError, match="obj_a is used by room rm_a"):
        project.objects.remove("obj_a")
    project.sprites.remove("spr_a", force=True)
    assert project.objects["obj_a"].sprite is None
    project.objects.remove("obj_a", force=True)
    assert list(project.rooms["rm_a"].instances) == []
    project.save()
    sound(path)
    assert opened(path).sprites.names() == []


def test_a_resource_without_its_file_is_not_duplicated(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    (tmp_path / "sprites/spr_a/spr_a.yy").unlink()
    project = opened(path)
    with pytest.raises(FormatError, match=r"sprites/spr_a/spr_a\.yy: can't be read"):
        project.sprites.duplicate("spr_a", "spr_new")


def test_duplicating(tmp_path: Path) -> None:
    path = project_of(tmp_path)
    project = opened(path)
    made = project.sprites.duplicate("spr_a", "spr_copy")
    assert made.frames[0].has_picture
    project.objects.duplicate(project.objects["obj_b"], "obj_copy")
    project.save()
    sound(path)
    again = opened(path)
    assert again.sprites.names() == ["spr_a", "spr_copy"]
    assert list(again.objects["obj_copy"].events) == ["Create_0", "Collision_obj_a"]
    assert again.objects["obj_b"].name == "obj_b"


def test_saving_is_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = project_of(tmp_path)
    project = opened(path)
    project.objects.rename("obj_a", "obj_wall")
    project.sounds.remove("snd_a")
    before = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    count = 0
    replace = os.replace

    def failing(old: str, new: str) -> None:
        nonlocal count
        count += 1
        if count == 9:
            raise OSError(28, "no space left on device")
        replace(old, new)

    monkeypatch.setattr(os, "replace", failing)
    with pytest.raises(OSError, match="no space left"):
        project.save()
    monkeypatch.undo()
    after = {
        file: file.read_bytes() for file in tmp_path.rglob("*")
        if file.is_file() and ".overhaul" not in file.parts
    }  # fmt: skip
    assert count > 9
    assert after == before
    project.save()
    sound(path)


def test_nothing_is_written_behind_a_link(tmp_path: Path) -> None:
    path = project_of(tmp_path / "project")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "project/scripts/scr_a/scr_a.gml").unlink()
    (tmp_path / "project/scripts/scr_a/scr_a.yy").rename(tmp_path / "elsewhere/scr_a.yy")
    (tmp_path / "project/scripts/scr_a").rmdir()
    (tmp_path / "project/scripts/scr_a").symlink_to(tmp_path / "elsewhere")
    project = opened(path)
    project.scripts["scr_a"].gml = "x = 1;"
    with pytest.raises(WorkspaceError, match="leads out of the project: nothing was written"):
        project.save()
    assert not (tmp_path / "elsewhere/scr_a.gml").exists()
