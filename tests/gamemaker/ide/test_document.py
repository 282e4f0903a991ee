"""Projects of the editor as documents: what they list, and what is wrong in them."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import overhaul
from ide_projects import FRAME, LAYER, modern_project, old_project, picture, studio_project, write
from overhaul.cli import main
from overhaul.document.jsontext import JsonError
from overhaul.document.protocol import Surroundings
from overhaul.document.reading import FileSiblings, open_data
from overhaul.errors import FormatError, WorkspaceError
from overhaul.gamemaker.ide import files
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.texts import read_json_file
from overhaul.gamemaker.ide.values import Json
from repeats import times

MAKERS: dict[str, Callable[[Path], Path]] = {
    "modern": modern_project, "old": old_project, "studio": studio_project,
}  # fmt: skip


def opened(path: Path) -> IdeProjectDocument:
    document = overhaul.open(path)
    assert isinstance(document, IdeProjectDocument)
    return document


def found(path: Path) -> list[tuple[str, str]]:
    """The code and the text of each finding."""
    return [(one.code, str(one)) for one in overhaul.verify(path).findings]


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text, (path, old)
    path.write_text(text.replace(old, new, 1))


@pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)
def test_an_unpacked_archive_is_the_project(maker: Callable[[Path], Path], tmp_path: Path) -> None:
    """With pictures that no resource has alone, files that nothing lists, and those next to it."""
    folder = tmp_path / "project"
    path = maker(folder)
    write(folder, "options/windows/icons/icon.ico", b"icon")
    write(folder, "Configs/Default/windows/splash.png", picture(2, 2))
    write(folder, "extensions/Ads/AndroidSource/Ads.java", "class Ads")
    write(folder, "objects/obj_left/Step_0.gml", "x = 1;")
    write(folder, f"{path.name.partition('.')[0]}.resource_order", "{}")
    write(folder, "help.rtf", "{}")
    files = {found.relative_to(folder).as_posix(): found.read_bytes()
             for found in folder.rglob("*") if found.is_file()}  # fmt: skip
    with zipfile.ZipFile(tmp_path / "project.yyz", "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
        archive.writestr("notes of somebody/a.txt", b"a")
        archive.writestr("README.md", b"a")
    out = tmp_path / "out"
    assert main(["unpack", str(tmp_path / "project.yyz"), str(out)]) == 0
    ours = {".gitattributes", "overhaul.toml"}
    assert files == {
        found.relative_to(out).as_posix(): found.read_bytes()
        for found in out.rglob("*")
        if found.is_file() and found.name not in ours and ".overhaul" not in found.parts
    }


@pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)
def test_sound_projects(maker: Callable[[Path], Path], tmp_path: Path) -> None:
    path = maker(tmp_path)
    report = overhaul.verify(path)
    assert report.identical
    assert report.kind == "gamemaker-ide-project"
    assert found(path) == []
    assert opened(path).info()["missing_files"] == []
    assert opened(path).to_bytes() == path.read_bytes()


def test_info_and_ls(tmp_path: Path) -> None:
    document = opened(modern_project(tmp_path))
    assert document.info() == {
        "kind": "gamemaker-ide-project",
        "compiled_with": "2024.14.2.213",
        "name": "Game",
        "configurations": ["Default", "Demo"],
        "resources": {
            "included file": 1, "object": 2, "room": 1, "script": 1, "sound": 1, "sprite": 1,
        },
        "missing_files": [],
    }  # fmt: skip
    assert [(one.kind, one.name, one.path) for one in document.tree()][:2] == [
        ("object", "obj_a", "objects/obj_a"),
        ("object", "obj_b", "objects/obj_b"),
    ]
    assert opened(old_project(tmp_path / "old")).version == "2.0-2.2"
    studio = opened(studio_project(tmp_path / "x"))
    assert [(one.kind, one.name, one.path) for one in studio.tree()] == [
        ("sound", "snd_a", "sound/snd_a.sound.gmx"),
        ("sprite", "spr_a", "sprites/spr_a.sprite.gmx"),
        ("script", "scr_a", "scripts/scr_a.gml"),
        ("object", "obj_a", "objects/obj_a.object.gmx"),
        ("room", "rm_a", "rooms/rm_a.room.gmx"),
    ]  # fmt: skip


def test_kinds_are_found_by_content(tmp_path: Path) -> None:
    data = modern_project(tmp_path).read_bytes()
    assert overhaul.open(data).kind == "gamemaker-ide-project"
    assert overhaul.open(b"\xef\xbb\xbf" + data).to_bytes() == b"\xef\xbb\xbf" + data
    with pytest.raises(FormatError):
        overhaul.open((tmp_path / "sprites/spr_a/spr_a.yy").read_bytes())


# --- what is wrong ------------------------------------------------------------------------------

ROOM = "rooms/rm_a/rm_a.yy"
SPRITE = "sprites/spr_a/spr_a.yy"
OBJECT = "objects/obj_b/obj_b.yy"


def test_listed_and_not_there(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    for gone in ("scripts/scr_a/scr_a.yy", "datafiles/info.txt", "sounds/snd_a/snd_a.wav"):
        (tmp_path / gone).unlink()
    assert opened(path).info()["missing_files"] == ["scripts/scr_a/scr_a.yy", "datafiles/info.txt"]
    assert found(path) == [
        ("absent-file", "Game.yyp:27:5: resources[3]: scripts/scr_a/scr_a.yy is listed, and is "
         "not there"),
        ("absent-file", "sounds/snd_a/snd_a.yy:11:3: soundFile: sounds/snd_a/snd_a.wav is not "
         "there: the sound of snd_a"),
        ("absent-file", "Game.yyp:17:5: IncludedFiles[0]: datafiles/info.txt is listed, and is "
         "not there"),
    ]  # fmt: skip


def test_there_and_not_listed(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    write(tmp_path, "objects/obj_c/obj_c.yy", "{}")
    write(tmp_path, "objects/obj_c/obj_c.old.yy", "{}")
    other = FRAME.replace("1", "2")
    write(tmp_path, f"sprites/spr_a/{other}.png", picture(1, 1))
    write(tmp_path, f"sprites/spr_a/layers/{FRAME}/{other}.png", picture(1, 1))
    write(tmp_path, f"sprites/spr_a/layers/{other}/{LAYER}.png", picture(1, 1))
    assert found(path) == [
        ("unlisted", f"sprites/spr_a: no frame of spr_a has {other}.png, layers/{other}, "
                     f"layers/{FRAME}/{other}.png"),
        ("unlisted", "objects: the project does not list objects/obj_c/obj_c.yy"),
    ]  # fmt: skip
    assert {one.severity for one in overhaul.verify(path).findings} == {"note"}


def test_names_in_another_case(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    (tmp_path / "scripts/scr_a").rename(tmp_path / "scripts/Scr_A")
    ((code, text),) = found(path)
    assert code == "other-case"
    assert text.startswith("Game.yyp:27:5: resources[3]: scripts/scr_a/scr_a.yy is called")


def test_references_to_nothing(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    edit(tmp_path / OBJECT, "objects/obj_a/obj_a.yy", "objects/obj_z/obj_z.yy")
    edit(tmp_path / SPRITE, '"name":"Default"', '"name":"Menu"')
    edit(tmp_path / ROOM, "folders/All.yy", "folders/Gone.yy")
    row = '"roomId":{"name":"rm_a","path":"rooms/'
    edit(path, f'{row}rm_a/rm_a.yy"', f'{row}r/r.yy"')
    assert [(code, text.partition(": ")[2]) for code, text in found(path)] == [
        ("missing-name", "RoomOrderNodes[0].roomId: it refers to rm_a (rooms/r/r.yy), which "
         "the project does not list"),
        ("missing-name", "parentObjectId: it refers to obj_a "
         "(objects/obj_z/obj_z.yy), which the project does not list"),
        ("missing-name", "parent: the folder folders/Gone.yy is not in Folders"),
        ("missing-name", "textureGroupId: it names Menu, which is not in "
         "TextureGroups"),
    ]  # fmt: skip


def test_references_into_prefabs_are_left_alone(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    edit(
        tmp_path / OBJECT,
        '    "name":"obj_a",\n    "path":"objects/obj_a/obj_a.yy",',
        '    "link":"io.gamemaker.x-1.0.0",\n    "name":"obj_z",\n    "path":"objects/obj_z/z.yy",',
    )
    assert found(path) == []


def test_duplicates(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    row = '    {"id":{"name":"obj_a","path":"objects/obj_a/obj_a.yy",},},\n'
    edit(path, row, row + row)
    instance = '"name":"inst_1",'
    text = (tmp_path / ROOM).read_text()
    line = next(line for line in text.splitlines(keepends=True) if instance in line)
    (tmp_path / ROOM).write_text(text.replace(line, line + line))
    assert [(code, text.partition(": ")[2]) for code, text in found(path)] == [
        ("duplicate", "resources[1]: obj_a is listed twice"),
        ("duplicate", "layers[0].instances[1]: two instances are called inst_1"),
    ]


def test_names_sizes_and_cycles(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    edit(tmp_path / "scripts/scr_a/scr_a.yy", '"name":"scr_a"', '"name":"scr_b"')
    write(tmp_path, f"sprites/spr_a/{FRAME}.png", picture(3, 2))
    edit(
        tmp_path / "objects/obj_a/obj_a.yy", '"parentObjectId":null',
        '"parentObjectId":{\n    "name":"obj_b",\n    "path":"objects/obj_b/obj_b.yy",\n  }',
    )  # fmt: skip
    assert [(code, re.sub(r"^[^ ]+ ", "", text)) for code, text in found(path)] == [
        ("mismatch", "name: it is called 'scr_b', and listed as 'scr_a'"),
        ("mismatch", f"frames[0]: {FRAME}.png has 3 x 2 pixels, the sprite 4 x 2"),
        ("invalid", "parentObjectId: its parents lead back to it: obj_a > obj_b > obj_a"),
    ]


def test_broken_files(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    edit(tmp_path / "scripts/scr_a/scr_a.yy", '"GMScript",', '"GMScript"')
    edit(tmp_path / ROOM, '  "name"', '<<<<<<< HEAD\n=======\n>>>>>>> b\n  "name"')
    write(tmp_path, "objects/obj_b/Create_0.gml", "a\n<<<<<<< HEAD\n=======\n>>>>>>> b\n")
    write(tmp_path, f"sprites/spr_a/{FRAME}.png", b"no picture")
    assert [(code, text[:60]) for code, text in found(path)] == [
        ("merge-conflict", "rooms/rm_a/rm_a.yy:9:1: a merge left <<<<<<< here: keep one "),
        ("invalid", "scripts/scr_a/scr_a.yy:10:3: not valid JSON: Expecting ',' d"),
        ("invalid", f"sprites/spr_a/{FRAME}.png: expe"),
        ("merge-conflict", "objects/obj_b/Create_0.gml:2:1: a merge left <<<<<<< here: k"),
    ]  # fmt: skip
    write(tmp_path, f"sprites/spr_a/{FRAME}.png", b"version https://git-lfs.github.com/spec/v1")
    assert found(path)[2][1].endswith("picture, got a pointer of Git LFS: run git lfs pull")
    with pytest.raises(FormatError, match="a merge left") as error:
        overhaul.open(path, strict=True)
    assert error.value.code == "merge-conflict"


def test_a_project_file_with_marks_names_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = modern_project(tmp_path)
    edit(path, '  "Folders"', '<<<<<<< HEAD\n=======\n>>>>>>> b\n  "Folders"')
    edit(tmp_path / ROOM, '  "name"', '<<<<<<< HEAD\n=======\n>>>>>>> b\n  "name"')
    with pytest.raises(JsonError, match=r"<<<<<<< here.*; it left marks in rooms/rm_a/rm_a\.yy:9"):
        overhaul.open(path)
    assert main(["verify", "--json", str(path)]) == 3
    (row,) = json.loads(capsys.readouterr().out)["files"]
    assert (row["findings"][0]["code"], row["findings"][0]["line"]) == ("merge-conflict", 13)


def test_what_another_program_wrote_is_noted(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    edit(tmp_path / OBJECT, '"name":"obj_b"', '"name" : "obj_b"')
    said = f"GameMaker writes {OBJECT} in another form: another program wrote it"
    assert found(path) == [("unusual", f"{OBJECT}: {said}")]


def test_faults_of_2_2(tmp_path: Path) -> None:
    path = old_project(tmp_path)
    edit(path, '"Key": "3"', '"Key": "2"')
    edit(tmp_path / "objects/obj_a/obj_a.yy", '"spriteId": "1"', '"spriteId": "9"')
    (tmp_path / f"sprites/spr_a/{FRAME}.png").unlink()
    assert [(code, re.sub(r"^[^ ]+ ", "", text)) for code, text in found(path)] == [
        ("duplicate", "resources[2]: rm_a has the id of obj_a"),
        ("absent-file", f"frames[0]: sprites/spr_a/{FRAME}.png is not there: the picture of a "
         "frame of spr_a"),
        ("missing-name", "spriteId: it has the id 9, which no resource has"),
        ("mismatch", "id: it has the id 3, and is listed with 2"),
    ]  # fmt: skip


def test_faults_of_studio_1(tmp_path: Path) -> None:
    path = studio_project(tmp_path)
    edit(tmp_path / "objects/obj_a.object.gmx", "<spriteName>spr_a", "<spriteName>spr_z")
    row = '<instance objName="obj_z" name="inst_1"/>'
    edit(tmp_path / "rooms/rm_a.room.gmx", "</instances>", f"{row}</instances>")
    (tmp_path / "sprites/images/spr_a_0.png").unlink()
    (tmp_path / "scripts/scr_a.gml").unlink()
    write(tmp_path, "sound/snd_a.sound.gmx", "<sound><data>")
    write(tmp_path, "objects/obj_q.object.gmx", "<object></object>")
    assert [(code, text[:66]) for code, text in found(path)] == [
        ("invalid", "sound/snd_a.sound.gmx: broken XML at line 1, column 14: no element"),
        ("absent-file", "sprites/spr_a.sprite.gmx:6: sprites/images/spr_a_0.png is not ther"),
        ("absent-file", "Game.project.gmx:10: scripts/scr_a.gml is listed, and is not there"),
        ("missing-name", "objects/obj_a.object.gmx:3: spriteName: it uses the sprite spr_z, "),
        ("missing-name", "rooms/rm_a.room.gmx:6: instance: it uses the object obj_z, which t"),
        ("duplicate", "rooms/rm_a.room.gmx:6: instance: two instances are called inst_1"),
        ("unlisted", "objects: the project does not list obj_q.object.gmx"),
        ("unusual", "rooms/rm_a.room.gmx: GameMaker writes rooms/rm_a.room.gmx in anoth"),
    ]


def test_paths_that_lead_out_of_the_project_are_not_followed(tmp_path: Path) -> None:
    path = modern_project(tmp_path / "game")
    write(tmp_path, "secret.yy", "{}")
    edit(path, "scripts/scr_a/scr_a.yy", "../secret.yy")
    ((code, text), *_) = found(path)
    assert code == "absent-file"
    assert text == "Game.yyp:27:5: resources[3]: ../secret.yy is listed, and is not there"


# --- its files ----------------------------------------------------------------------------------


def test_its_files_are_read_and_edits_of_a_copy_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = modern_project(tmp_path / "game")
    main(["cat", str(path), "objects/obj_b/Create_0.gml"])
    assert capsys.readouterr().out == "x = 1;\n"
    overhaul.unpack(path, tmp_path / "copy")
    for file in ("Game.yyp", SPRITE, f"sprites/spr_a/layers/{FRAME}/{LAYER}.png"):
        assert (tmp_path / "copy" / file).read_bytes() == (tmp_path / "game" / file).read_bytes()
    overhaul.pack(tmp_path / "copy", tmp_path / "again.yyp")
    assert (tmp_path / "again.yyp").read_bytes() == path.read_bytes()
    write(tmp_path / "copy", "objects/obj_b/Create_0.gml", "x = 2;\n")
    with pytest.raises(WorkspaceError, match="is a folder of plain files already"):
        overhaul.pack(tmp_path / "copy", tmp_path / "again.yyp", force=True)


def test_an_archive_is_the_project_in_it(tmp_path: Path) -> None:
    path = modern_project(tmp_path / "game")
    files = [file for file in sorted(path.parent.rglob("*")) if file.is_file()]
    for prefix in ("", "inside/"):
        archive = tmp_path / f"{prefix.strip('/')}game.yyz"
        with zipfile.ZipFile(archive, "w") as made:
            for file in files:
                made.write(file, prefix + file.relative_to(path.parent).as_posix())
        document = opened(archive)
        assert document.info()["missing_files"] == []
        document.decode()
        assert document.findings == []
        assert document.files.listing("sprites") == ([], ["spr_a"])
        assert document.files.listing("sprites/spr_a/layers") == ([], [FRAME])
        assert document.files.read("objects/obj_b/Create_0.gml") == b"x = 1;\n"
        assert document.files.listing("nothing") == ([], [])
        with pytest.raises(FormatError, match="can't be read"):
            document.files.read("../secret")


def test_uses_of_a_resource(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def uses(path: Path, name: str) -> list[str]:
        main(["refs", str(path), name])
        return [line.partition(": ")[0] for line in capsys.readouterr().out.splitlines()]

    path = modern_project(tmp_path / "new")
    write(path.parent, "scripts/scr_a/scr_a.gml", "function scr_a() {\n  return obj_a;\n}\n")
    assert uses(path, "obj_a") == ["objects/obj_b/obj_b.yy:13", "scripts/scr_a/scr_a.gml:2"]
    assert uses(path, "obj_b") == ["rooms/rm_a/rm_a.yy:6"]
    assert uses(path, "rm_a") == []
    assert uses(old_project(tmp_path / "old"), "obj_a") == ["rooms/rm_a/rm_a.yy:12"]
    assert uses(old_project(tmp_path / "old"), "spr_a") == ["objects/obj_a/obj_a.yy:6"]
    studio = studio_project(tmp_path / "studio")
    assert uses(studio, "obj_a") == ["rooms/rm_a.room.gmx:5"]
    assert uses(studio, "spr_a") == ["objects/obj_a.object.gmx:3"]
    assert uses(studio, "snd_a") == []


def test_two_versions_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = modern_project(tmp_path / "one"), modern_project(tmp_path / "two")
    edit(two.parent / ROOM, '"x":1.0', '"x":5.0')
    write(two.parent, "objects/obj_b/Create_0.gml", "x = 2;\n")
    assert main(["diff", str(one), str(two)]) == 1
    said = capsys.readouterr().out
    assert "changed  objects/obj_b/Create_0.gml" in said
    assert "    -x = 1;\n    +x = 2;\n" in said
    assert "changed  rooms/rm_a/rm_a.yy" in said
    assert '"x":5.0' in said


def test_a_mod_of_a_project_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = modern_project(tmp_path / "old"), modern_project(tmp_path / "new")
    (tmp_path / "new/scripts/scr_a/scr_a.gml").write_text("function scr_a() {\n\treturn 1;\n}\n")
    mod = tmp_path / "mod.zip"
    assert main(["mod", "make", str(old), str(new), "-o", str(mod)]) == 3
    assert "edited in place: share its files" in capsys.readouterr().err
    assert not mod.exists()


def test_paths_that_no_system_has_are_absent(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    for wrong in ("a/" * 50_000 + "x.yy", f"{'a' * 5_000}/x.yy", f"objects/{'a' * 300}/x.yy"):
        file = read_json_file(path.read_bytes())
        row: dict[str, Json] = {"id": {"name": "x", "path": wrong}}
        data = file.added("resources", 0, value=row).to_bytes()
        with open_data(data, source=str(path), siblings=FileSiblings(str(path))) as document:
            document.decode()
        assert [found.code for found in document.findings] == ["absent-file"]


def test_a_file_that_is_too_large_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = modern_project(tmp_path)
    monkeypatch.setattr(files, "MOST", 2_000)
    (tmp_path / "objects/obj_a/obj_a.yy").write_bytes(b" " * 2_001)
    found = overhaul.verify(path).findings
    assert [(one.code, one.path) for one in found] == [("limit", "objects/obj_a/obj_a.yy")]


def test_only_the_beginning_of_a_picture_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = modern_project(tmp_path)
    for png in tmp_path.rglob("*.png"):
        png.write_bytes(png.read_bytes() + bytes(10_000))
    monkeypatch.setattr(files, "MOST", 5_000)
    assert overhaul.verify(path).findings == []


def test_a_long_line_of_parents_is_followed_once(tmp_path: Path) -> None:
    path, count = modern_project(tmp_path), times(3_000, 3)
    file = read_json_file((tmp_path / "objects/obj_b/obj_b.yy").read_bytes())
    rows = []
    for number in range(count):
        name, parent = f"o{number}", f"o{(number + 1) % count}"
        made = file.replaced("name", value=name).replaced("%Name", value=name)
        made = made.replaced("parentObjectId", "name", value=parent)
        made = made.replaced("parentObjectId", "path", value=f"objects/{parent}/{parent}.yy")
        write(tmp_path, f"objects/{name}/{name}.yy", made.text)
        rows.append(f'    {{"id":{{"name":"{name}","path":"objects/{name}/{name}.yy",}},}},\n')
    text = path.read_text()
    path.write_text(text.replace('"resources":[\n', '"resources":[\n' + "".join(rows)))
    found = [one for one in overhaul.verify(path).findings if "lead back" in one.message]
    assert len(found) == 1 and found[0].message.count(" > ") == count


class _Counted:
    """The files next to a project, which count the folders that are listed."""

    def __init__(self, inner: Surroundings) -> None:
        self._inner = inner
        self.listed: list[str] = []

    def names(self) -> list[str]:
        return self._inner.names()

    def read(self, name: str) -> bytes:
        return self._inner.read(name)

    def listing(self, folder: str) -> tuple[list[str], list[str]]:
        self.listed.append(folder)
        return self._inner.listing(folder)

    def read_at(self, path: str, most: int = -1) -> bytes:
        return self._inner.read_at(path, most)


def test_listing_reads_no_folder_of_a_resource(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    (tmp_path / "scripts/scr_a").rename(tmp_path / "scripts/SCR_A")
    files = _Counted(FileSiblings(str(path)))
    project = IdeProjectDocument.from_bytes(path.read_bytes(), source=str(path), siblings=files)
    places = {one.name: one.path for one in project.tree()}
    assert places["obj_a"] == "objects/obj_a"
    assert places["scr_a"] == "scripts/SCR_A"  # as it is spelled
    assert places["info.txt"] == "datafiles/info.txt"
    assert not {"objects/obj_a", "objects/obj_b", "rooms/rm_a", "sprites/spr_a"} & {*files.listed}
