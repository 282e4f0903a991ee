"""Projects of Game Maker 5 to 8.1 as .gm82 folders, and the folders as .gm81 projects."""

from __future__ import annotations

from pathlib import Path

import pytest

import overhaul
from cataloged import rows
from handmade_project import VERSIONS, project_file
from made_executables import executable
from overhaul.catalog.building import build
from overhaul.cli import main
from overhaul.errors import EncodeError, FormatError, UnsupportedVersion
from overhaul.gamemaker.classic import Project, ProjectDocument
from overhaul.gamemaker.classic.documents.converted import converted
from overhaul.gamemaker.classic.fields import Slot
from overhaul.gamemaker.classic.kinds import slots_of
from overhaul.gamemaker.classic.resources import Sound
from overhaul.gamemaker.forward import forward
from overhaul.gamemaker.forward.memory import MadeFiles
from overhaul.gamemaker.gm82 import Gm82Document, as_gm81, folder_of
from overhaul.gamemaker.gm82.comparing import differences
from overhaul.gamemaker.gm82.converting import MadeFolder

Files = dict[str, bytes]


def made(version: int = 810, changed: Files | None = None) -> tuple[MadeFolder, Files]:
    folder = folder_of(ProjectDocument.from_bytes(project_file(version, changed)), "game")
    return folder, {path: read() for path, read in folder.files.items()}


def opened(files: Files) -> Gm82Document:
    sources = {path: data.__bytes__ for path, data in files.items()}
    return Gm82Document.from_bytes(
        files["game.gm82"], source="game.gm82", siblings=MadeFiles(sources)
    )


def texts_of(files: Files, changed: Files) -> list[str]:
    """The findings of the folder with other files, in words, without notes and the action of a
    library that is not known."""
    document = opened(files | changed)
    document.decode()
    texts = [str(one) for one in document.findings if one.severity != "note"]
    return [text for text in texts if "the library 68903" not in text]


def test_the_files_are_those_of_game_maker_8_2() -> None:
    _, files = made()
    assert files["objects/index.yyd"] == b"\nobj_wall\nobj_player\n"
    assert files["objects/tree.yyd"] == b"|obj_wall\n|obj_player\n"
    assert files["sprites/index.yyd"] == b"spr_wall\n\n\nspr_player\n"
    assert files["objects/obj_wall.txt"] == (
        b"sprite=spr_wall\nvisible=1\nsolid=1\npersistent=0\ndepth=0\nparent=\nmask=\n"
    )
    assert files["objects/obj_wall.gml"] == b""
    assert files["scripts/scr_add.gml"] == b"return argument0 + argument1;\n\n"
    assert files["rooms/rm_first/instances.txt"] == (
        b"obj_player,32,48,000186A1,0,1,1,4294967295,0,1\n"
        b"obj_wall,64,48,000186A2,1,1,1,4294967295,0,0\n"
    )
    assert files["rooms/rm_first/000186A1.gml"] == b"lives = 3;\n"
    assert "rooms/rm_first/000186A2.gml" not in files
    assert files["rooms/rm_first/layers.txt"] == b"1000000\n"
    assert files["rooms/rm_first/1000000.txt"] == b"bg_sky,0,16,0,0,8,8,0,1,1,4294967295\n"
    assert files["rooms/tree.yyd"] == b"|rm_first\n|rm_second\n"
    assert files["settings/constants.txt"] == b"SPEED=4\n"
    assert files["fonts/fnt_big.txt"].startswith(b"name=Verdana\nsize=24\n")
    assert files["datafiles/include/note.txt"] == b"a note"
    assert files["triggers/low_health.txt"] == b"constant=\nkind=1\n"
    assert files["game.gm82"].startswith(
        b"gm82_version=5\ngameid=123456\n\ninfo_author=made by hand\ninfo_version=100\n"
    )
    assert files["game.gm82"].endswith(b"has_timelines=1\nhas_triggers=1\n")


def test_actions_are_written_as_game_maker_8_2_does() -> None:
    _, files = made()
    assert files["objects/obj_player.gml"].decode().split("#define ")[4] == (
        "Collision_obj_wall\n"
        "/*\"/*'/**//* YYD ACTION\nlib_id=1\naction_id=403\nrelative=0\napplies_to=self\ninvert=1\n"
        "arg0=obj_wall\narg1=0\narg2=8\n*/\n"
        "/*\"/*'/**//* YYD ACTION\nlib_id=1\naction_id=422\n*/\n"
        "/*\"/*'/**//* YYD ACTION\nlib_id=1\naction_id=603\napplies_to=self\n*/\n"
        "move_bounce_solid(true);\n"
        "/*\"/*'/**//* YYD ACTION\nlib_id=1\naction_id=201\nrelative=1\n"
        "applies_to=other\ninvert=0\n"
        "arg0=obj_wall\narg1=x\narg2=y\n*/\n"
        "/*\"/*'/**//* YYD ACTION\nlib_id=1\naction_id=424\n*/\n"
        "/*\"/*'/**//* YYD ACTION\nlib_id=1\naction_id=421\n*/\n"
        "/*\"/*'/**//* YYD ACTION\nlib_id=1\naction_id=541\napplies_to=obj_wall\ninvert=0\n"
        "arg0=spr_player\narg1=1\n*/\n"
        "/*\"/*'/**//* YYD ACTION\nlib_id=68903\naction_id=4\ninvert=0\narg0=hello\n*/\n"
    ).replace("action_id=541", "action_id=205")


@pytest.mark.parametrize("version", VERSIONS)
def test_what_a_folder_lacks_is_named_and_nothing_else_differs(version: int) -> None:
    folder, files = made(version)
    document = opened(files)
    document.decode()
    assert [one for one in document.findings if one.code == "unusual"] == []
    again = as_gm81(document).project.to_bytes()
    later = ProjectDocument.from_bytes(again)
    assert later.project.version == 810
    second = folder_of(later, "game")
    assert {path: read() for path, read in second.files.items()} == files
    if version == 810:
        stored = ProjectDocument.from_bytes(project_file(version)).project
        fields = {one.field for one in differences(later.project, stored)}
        said = " ".join(map(str, folder.findings))
        assert fields and all(field.replace("_", " ") in said for field in fields)


def test_an_action_of_another_library_loses_what_it_does() -> None:
    folder, _ = made()
    place = "object obj_player.categories[4].categories[0].actions[7]"
    texts = folder.findings.texts()
    assert f"{place}: code ('show_message(argument0)') has no place in a .gm82 folder" in texts
    assert "room_order: rooms ([1, 0]) has no place in a .gm82 folder" in texts
    assert "library_codes: codes (2 values) has no place in a .gm82 folder" in texts


def test_two_resources_of_one_name_and_names_of_no_file_are_renamed() -> None:
    document = ProjectDocument.from_bytes(project_file(810))
    document.project.objects.slots[1].name = "OBJ_player"
    document.project.scripts.slots[0].name = "../scr"
    folder = folder_of(document, "game")
    files = {path: read() for path, read in folder.files.items()}
    assert files["objects/index.yyd"] == b"\nOBJ_player\nobj_player_2\n"
    assert "scripts/_scr_2.gml" in files
    texts = folder.findings.texts()
    assert "object obj_player: two have this name: it is called obj_player_2 in the folder" in texts
    assert any("script ../scr: no file can have this name" in text for text in texts)
    assert document.project.objects.slots[2].name == "obj_player"


def test_included_files_get_names_that_files_can_have() -> None:
    document = ProjectDocument.from_bytes(project_file(810))
    slots = document.project.includes.slots
    again = ProjectDocument.from_bytes(project_file(810)).project.includes.slots[0]
    assert slots[0].include is not None and again.include is not None
    again.include.file_name = "a/b.txt"
    document.project.includes.slots = [*slots, again]
    folder = folder_of(document, "game")
    assert folder.files["datafiles/index.yyd"]() == b"note.txt\na_b_2.txt\n"
    assert "datafiles/include/a_b_2.txt" in folder.files
    assert again.include.file_name == "a/b.txt"
    texts = folder.findings.texts()
    assert (
        "included file a/b.txt: no other file can have this name: it is called a_b_2.txt" in texts
    )


def test_texts_of_another_encoding_and_with_line_ends_are_named() -> None:
    document = ProjectDocument.from_bytes(project_file(810))
    project = document.project
    script = project.scripts.slots[0].resource
    assert script is not None
    script.code = "// \udcff"
    project.constants.constants[0].value = "1\n+ 2"
    project.settings.author = "two\r\nlines"
    folder = folder_of(document, "game")
    assert folder.files["scripts/scr_add.gml"]() == b"// \xff\n"
    assert folder.files["settings/constants.txt"]() == b"SPEED=1 + 2\n"
    texts = folder.findings.texts()
    assert "scripts/scr_add.gml:1: the text is not UTF-8: its bytes are kept" in texts
    assert any("value ('1\\n+ 2') has no place" in text for text in texts)
    assert any("author ('two\\r\\nlines') has no place" in text for text in texts)


def test_code_that_begins_as_an_event_gets_a_blank() -> None:
    code = b"/*\n#define x\n*/"
    folder, files = made(changed={"objects/obj_player/create.gml": code})
    assert b"/*\n #define x\n*/\n" in files["objects/obj_player.gml"]
    assert "objects/obj_player.gml: a line of code begins as an event does" in " ".join(
        folder.findings.texts()
    )


def test_another_order_of_the_settings_and_unknown_keys_are_kept_and_named() -> None:
    _, files = made()
    text = files["settings/settings.txt"]
    other = b"new_key=7\n" + text.replace(b"fullscreen=0\ninterpolate_pixels=0\n",
                                          b"interpolate_pixels=0\nfullscreen=0\n")  # fmt: skip
    assert texts_of(files, {"settings/settings.txt": other}) == [
        "settings/settings.txt: a line is not understood, and kept as it is: 'new_key=7'"
    ]
    report = as_gm81(opened(files | {"settings/settings.txt": other})).findings.texts()
    assert "settings/settings.txt: a line is not understood, and is left out: 'new_key=7'" in report


def test_scaled_instances_and_swapped_events_are_kept() -> None:
    _, files = made()
    path = "rooms/rm_first/instances.txt"
    rows = (
        b"obj_player,32,48,1B22D291,0,2,0.5,255,90,0\nobj_wall,64,48,7CAA3272,1,1,1,4294967295,0\n"
    )
    settings = files["settings/settings.txt"].replace(b"_events=0", b"_events=1")
    changed = {path: rows, "settings/settings.txt": settings}
    del files["rooms/rm_first/000186A1.gml"]
    assert texts_of(files, changed) == []
    made_of = as_gm81(opened(files | changed))
    project = ProjectDocument.from_bytes(made_of.project.to_bytes()).project
    room = project.rooms.slots[0].resource
    if room is None or not room.instances:
        room = project.rooms.slots[1].resource
    assert room is not None and room.version == 811
    first = room.instances[0]
    assert (first.scale_x, first.scale_y, first.blend, first.rotation) == (2.0, 0.5, 255, 90.0)
    assert (project.settings.version, project.settings.rest) == (820, bytes(4) + b"\1\0\0\0")
    assert "room rm_first: its instances or tiles are scaled" in " ".join(made_of.findings.texts())


def test_a_name_that_no_resource_has_is_kept_and_named() -> None:
    _, files = made()
    path = "objects/obj_wall.txt"
    changed = {path: files[path].replace(b"parent=", b"parent=obj_gone")}
    assert texts_of(files, changed) == [f"{path}:6: 'obj_gone' is not one of the objects"]
    project: Project = opened(files | changed).project
    resource = project.objects.slots[1].resource
    assert resource is not None and resource.parent == 3


@pytest.mark.parametrize(
    ("path", "old", "new", "message"),
    [
        ("objects/obj_player.gml", b"#define Create_0", b"#define Made_0",
         "objects/obj_player.gml: line 1: there is no event 'Made_0'"),
        ("objects/obj_player.gml", b"*/\nhspeed", b"hspeed",
         "expected a key of an action, got 'hspeed = 4;'"),
        ("objects/index.yyd", b"obj_wall", b"../wall",
         "objects/index.yyd: line 2: no file can be called '../wall'"),
        ("objects/tree.yyd", b"|obj_wall", b"\t|obj_wall",
         "objects/tree.yyd: line 1: expected |NAME or +NAME"),
        ("rooms/rm_first/instances.txt", b",0,1\n", b"\n",
         "rooms/rm_first/instances.txt: line 1: expected 9 or 10 values, got 8"),
        ("sprites/spr_player/sprite.txt", b"frames=2", b"frames=2000000",
         "sprites/spr_player/sprite.txt: line 1: 2000000 subimages, but there are 2 pictures"),
        ("fonts/fnt_big.txt", b"charset=", b"charset=1000",
         "is not a number from 0 to 255"),
        ("settings/constants.txt", b"=", b" ", "expected NAME=expression, got 'SPEED 4'"),
    ],
)  # fmt: skip
def test_errors_name_the_file_and_the_line(path: str, old: bytes, new: bytes, message: str) -> None:
    _, files = made()
    assert old in files[path]
    with pytest.raises(FormatError) as caught:
        opened(files | {path: files[path].replace(old, new, 1)}).decode()
    assert message in str(caught.value) and path in str(caught.value)


def test_a_missing_file_and_another_version_are_errors() -> None:
    _, files = made()
    left = {path: data for path, data in files.items() if path != "scripts/scr_add.gml"}
    with pytest.raises(FormatError, match=r"scripts/scr_add\.gml: can't be read"):
        opened(left).decode()
    head = files["game.gm82"].replace(b"gm82_version=5", b"gm82_version=6")
    without = files["game.gm82"].replace(b"gm82_version=5\n", b"")
    with pytest.raises(FormatError, match=r"^game\.gm82: the \.gm82 file has no gm82_version"):
        opened(files | {"game.gm82": without}).decode()
    with pytest.raises(UnsupportedVersion, match=r"version 6 of \.gm82 is not supported"):
        opened(files | {"game.gm82": head}).decode()


def test_a_missing_picture_is_named_and_the_key_stays() -> None:
    _, files = made()
    left = {path: data for path, data in files.items() if path != "backgrounds/bg_sky.png"}
    assert texts_of(left, {}) == ["backgrounds/bg_sky.png: the picture is not there"]


@pytest.mark.parametrize("version", [600, 700, 800, 810])
def test_an_executable_becomes_a_folder(version: int, tmp_path: Path) -> None:
    source = tmp_path / "game.exe"
    source.write_bytes(executable(version))
    assert main(["convert", str(source), "--to", "gm82", "-o", str(tmp_path / "out")]) == 0
    assert overhaul.verify(tmp_path / "out").good
    with (
        overhaul.open(source) as game,
        overhaul.open(tmp_path / "out") as folder,
    ):
        assert isinstance(folder, Gm82Document)
        found = slots_of(converted(game, 810).project.project)
        made_names = {kind: [s.name for s in slots if s.exists] for kind, slots in found.items()}
        folder_names = {
            kind: [s.name for s in slots if s.exists]
            for kind, slots in slots_of(folder.project).items()
        }
        assert folder_names == made_names
        assert made_names["sprites"]


def test_a_game_does_not_become_a_project_of_game_maker_5(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "game.exe"
    source.write_bytes(executable(800))
    assert main(["convert", str(source), "--to", "gmd"]) == 3
    assert "no earlier Game Maker runs what is new in Game Maker 8.0" in capsys.readouterr().err
    assert not (tmp_path / "game.gmd").exists()


def test_a_folder_does_not_become_an_earlier_project() -> None:
    _, files = made()
    with pytest.raises(EncodeError, match=r"only be converted to \.gm81 \(810\) or later"):
        as_gm81(opened(files), 800)


def test_a_folder_becomes_a_project_of_studio_1() -> None:
    _, files = made()
    found = forward(opened(files), "gmx")
    assert found.name == "game.project.gmx"
    assert "objects/obj_player.object.gmx" in found.files
    lost = "the action 4 of the library 68903 is not known: its effect is lost"
    assert lost in " ".join(map(str, found.findings))
    assert lost in found.files["CONVERTED.md"]().decode()


def test_the_command_converts_both_ways(tmp_path: Path) -> None:
    source = tmp_path / "old.gm81"
    source.write_bytes(project_file(810))
    assert main(["convert", str(source), "--to", "gm82"]) == 0
    folder = tmp_path / "old.gm82"
    assert (folder / "old.gm82").read_bytes().startswith(b"gm82_version=5\n")
    with overhaul.open(folder) as document:
        assert document.kind == "gamemaker-gm82-project"
        assert document.info()["gm82_version"] == 5
        names = {resource.name for resource in document.tree()}
        assert {"spr_player", "rm_first", "low_health"} <= names
    assert overhaul.verify(folder).good
    again = tmp_path / "again.gm81"
    assert main(["convert", str(folder), "--to", "gm81", "-o", str(again)]) == 0
    with overhaul.open(again) as document:
        assert document.info()["author"] == "made by hand"


def test_a_file_without_the_folders_of_its_project_says_so() -> None:
    _, files = made()
    alone = {path: data for path, data in files.items() if "/" not in path}
    with pytest.raises(FormatError, match="must be next to this file: settings, sprites"):
        opened(alone).info()


def test_a_project_is_identical_where_all_its_files_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, files = made()
    for path, data in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    report = overhaul.verify(tmp_path / "game.gm82")
    assert (report.identical, report.first_difference) == (True, None)
    changed = tmp_path / "rooms/rm_first/instances.txt"
    changed.write_bytes(
        files["rooms/rm_first/instances.txt"].replace(b"obj_wall,64", b"obj_wall,064")
    )
    report = overhaul.verify(tmp_path / "game.gm82")
    assert (report.identical, report.good) == (False, False)
    place = {"offset": 56, "path": "rooms/rm_first/instances.txt"}
    assert report.to_json()["first_difference"] == place
    assert main(["verify", str(tmp_path / "game.gm82")]) == 1
    assert "differs at 0x38 (rooms/rm_first/instances.txt)" in capsys.readouterr().out
    build([tmp_path / "game.gm82"], tmp_path / "c", jobs=1)
    read = "SELECT identical, first_difference FROM files WHERE kind = 'gamemaker-gm82-project'"
    assert rows(tmp_path / "c", read) == [(False, 56)]


def test_groups_are_as_deep_as_gm81_files_hold_them() -> None:
    _, files = made()

    def tree(depth: int) -> Files:
        groups = "".join("\t" * level + f"+group {level}\n" for level in range(depth))
        return {"scripts/tree.yyd": (groups + "\t" * depth + "|scr_add\n").encode()}

    document = opened(files | tree(62))
    later = ProjectDocument.from_bytes(as_gm81(document).project.to_bytes())
    again = folder_of(later, "game")
    assert again.files["scripts/tree.yyd"]() == tree(62)["scripts/tree.yyd"]
    for depth in (63, 3000):
        with pytest.raises(FormatError, match="line 64: groups are nested more than 62 levels"):
            opened(files | tree(depth)).decode()


def test_files_of_sounds_are_no_other_files() -> None:
    project = ProjectDocument.new(810).project
    kinds = {
        "a": "../../x", "b": ".txt", "index": "yyd", "c": ".wav", "c.wav": "", "d": ".mp3", "e": "",
    }  # fmt: skip
    for name, kind in kinds.items():
        sound = Sound(version=800, file_type=kind, has_data=1, data=name.encode())
        project.sounds.slots.append(Slot(exists=1, name=name, resource=sound))
    folder = folder_of(ProjectDocument.of(project), "game")
    media = {path: read() for path, read in folder.files.items() if path.startswith("sounds/")}
    names = {data.decode(): path[7:] for path, data in media.items() if data.decode() in kinds}
    assert names == {
        "a": "a.2", "b": "b.2", "index": "index.2", "c": "c.wav", "c.wav": "c.wav.2", "d": "d.mp3",
        "e": "e",
    }  # fmt: skip
    assert [str(one) for one in folder.findings if one.code == "renamed"] == [
        f"sound {name}: no other file can have the name with {kind!r}: its type is .2"
        for name, kind in kinds.items()
        if names[name].endswith(".2")
    ]
    assert [slot.resource.file_type for slot in project.sounds.slots if slot.resource] == [
        *kinds.values()
    ]
