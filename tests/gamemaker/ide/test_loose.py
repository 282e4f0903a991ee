"""What hangs loose in a project is named: code, folders, inheritance, ids, sizes."""

from __future__ import annotations

from pathlib import Path

import overhaul
from ide_projects import modern_project, old_project, picture, studio_project, write


def found(path: Path) -> list[tuple[str, str, str]]:
    findings = overhaul.verify(path).findings
    return [(one.severity, one.code, str(one)) for one in findings]


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text, (path, old)
    path.write_text(text.replace(old, new, 1))


def test_code_of_no_event(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    write(tmp_path, "objects/obj_b/Step_0.gml", "x = 1;\n")
    message = "objects/obj_b: no event of obj_b has Step_0.gml"
    assert found(path) == [("note", "unlisted", message)]


def test_folders_of_nothing(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    write(tmp_path, "sprites/spr_gone/picture.png", picture(1, 1))
    (tmp_path / "sprites/empty").mkdir()
    message = "sprites: no file of a resource is in sprites/spr_gone"
    assert found(path) == [("note", "unlisted", message)]


def test_a_folder_in_one_that_is_not_there(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    edit(path, '"folderPath":"folders/All.yy"', '"folderPath":"folders/Up/All.yy"')
    messages = [text for _, code, text in found(path) if code == "missing-name"]
    assert messages[-1].endswith(
        "Folders[0].folderPath: the folder folders/Up/All.yy is in folders/Up.yy, which is not in "
        "Folders"
    )


def test_inheritance_without_a_parent(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    room = tmp_path / "rooms/rm_a/rm_a.yy"
    edit(room, '"name":"inst_1"', '"inheritedItemId":{"name":"i","path":"rooms/rm_a/rm_a.yy",},'
         '"name":"inst_1"')  # fmt: skip
    assert found(path) == [(
        "warning", "missing-name",
        "rooms/rm_a/rm_a.yy:6:9: layers[0].instances[0]: the instance inst_1 is inherited, and the "
        "room has no parent",
    )]  # fmt: skip
    edit(room, '"inheritedItemId":{"name":"i","path":"rooms/rm_a/rm_a.yy",},', "")
    edit(room, '"layers":[],', '"inheritLayerSettings":true,"layers":[],')
    assert [row[:2] for row in found(path)] == [("note", "missing-name")]
    assert "layers[0]: the layer Instances is inherited" in found(path)[0][2]


def test_an_id_that_the_list_does_not_have(tmp_path: Path) -> None:
    path = old_project(tmp_path)
    edit(tmp_path / "objects/obj_a/obj_a.yy", '"id": "2"', '"id": "22"')
    assert found(path) == [(
        "warning", "mismatch",
        "objects/obj_a/obj_a.yy:2:5: id: it has the id 22, and is listed with 2",
    )]  # fmt: skip


def test_sizes_in_xml(tmp_path: Path) -> None:
    path = studio_project(tmp_path)
    write(tmp_path, "sprites/spr_a.sprite.gmx", (tmp_path / "sprites/spr_a.sprite.gmx").read_text()
          .replace("<height>2<", "<height>3<"))  # fmt: skip
    assert found(path) == [(
        "warning", "mismatch",
        "sprites/spr_a.sprite.gmx:6: frame: sprites/images/spr_a_0.png has 4 x 2 pixels, the "
        "sprite 4 x 3",
    )]  # fmt: skip
