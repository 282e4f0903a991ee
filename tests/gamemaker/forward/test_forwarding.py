"""Old projects made into later ones: all kinds, of every version, on both ways."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import overhaul
from edited_games import packed
from handmade_project import VERSIONS, as_json, files, picture, project_file
from ide_projects import modern_project, studio_project
from made_executables import executable
from overhaul.cli import main
from overhaul.document.xmltext import read_xml
from overhaul.errors import FormatError, OverhaulError
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.classic.records import Node
from overhaul.gamemaker.forward import forward, project_of
from overhaul.gamemaker.forward.classic_rooms import _stays
from overhaul.gamemaker.forward.memory import MadeFiles
from overhaul.gamemaker.forward.rich_text import plain_text
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.values import read_values
from overhaul.gamemaker.recovery.recovering import Recovered, recover
from overhaul.media import png
from per_file import per_file


@per_file
def made(version: int, kind: str) -> Recovered:
    return forward(ProjectDocument.from_bytes(project_file(version)), kind, "game")


def changed(kind: str, **changed_files: bytes) -> Recovered:
    """A project of version 810 with other files."""
    own = {path.replace("__", "/"): data for path, data in changed_files.items()}
    return forward(ProjectDocument.from_bytes(project_file(810, own)), kind, "game")


def opened(found: Recovered) -> IdeProjectDocument:
    data = found.files[found.name]()
    return IdeProjectDocument.from_bytes(data, source=found.name, siblings=MadeFiles(found.files))


def text(found: Recovered, path: str) -> str:
    return found.files[path]().decode("utf-8")


def value(found: Recovered, path: str) -> Any:
    return read_values(text(found, path))


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("kind", ["gmx", "yyp"])
def test_each_version_becomes_a_sound_project(
    version: int, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "game.gmk"
    old.write_bytes(project_file(version))
    out = tmp_path / "out"
    assert main(["convert", str(old), "--to", kind, "-o", str(out), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["project"] == ("game.project.gmx" if kind == "gmx" else "game.yyp")
    counts = {name: row["count"] for name, row in said["recovered"].items()}
    expected = {
        "sprites": 2, "sounds": 1, "backgrounds": 1, "paths": 1, "scripts": 1, "timelines": 1,
        "objects": 2, "rooms": 2, "fonts": int(version >= 600),
    }  # fmt: skip
    assert {name: counts[name] for name in expected} == expected
    assert counts["constants"] == int(version >= 530)
    assert counts.get("included_files", 0) == int(version != 600)
    assert (counts["instances"], counts["tiles"], counts["points"]) == (2, 1, 2)
    assert counts["actions"] == 14 + (version >= 800)
    project = out / said["project"]
    assert main(["check", str(project)]) == 0, capsys.readouterr().out
    assert overhaul.verify(project).identical
    with overhaul.open_project(project) as document:
        document.decode()
        assert document.findings == []
    assert (out / "CONVERTED.md").read_text("utf-8").startswith("# game\n")
    assert main(["convert", str(old), "--to", kind, "-o", str(out), "-q"]) == 2
    assert main(["convert", str(old), "--to", kind, "-o", str(out), "-q", "--force"]) == 0


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("kind", ["gmx", "yyp"])
def test_rooms_look_the_same(version: int, kind: str) -> None:
    old = ProjectDocument.from_bytes(project_file(version))
    new = opened(made(version, kind))
    assert [room.name for room in new.rooms] == ["rm_second", "rm_first"]
    for room in old.rooms:
        image = np.asarray(room.image().convert("RGB"))
        assert np.array_equal(np.asarray(new.rooms[room.name].image().convert("RGB")), image)


def test_sprites_of_studio() -> None:
    found = made(810, "gmx")
    root = read_xml(found.files["sprites/spr_player.sprite.gmx"]()).root
    values = {node.tag: node.text for node in root.children if not node.children}
    assert values["xorig"] == "3" and values["colkind"] == "0" and values["width"] == "5"
    frames = [node.text for node in root.walk() if node.tag == "frame"]
    assert frames == ["images\\spr_player_0.png", "images\\spr_player_1.png"]
    pixels = png.decode(found.files["sprites/images/spr_player_0.png"]())
    assert np.array_equal(pixels, png.decode(picture(5, 4, (200, 100, 50, 120))))


def test_actions_stay_actions_in_studio() -> None:
    found = made(810, "gmx")
    root = read_xml(found.files["objects/obj_player.object.gmx"]()).root
    event = next(
        node for node in root.walk()
        if node.tag == "event" and node.attributes.get("ename") == "obj_wall"
    )  # fmt: skip
    actions = list(event.all("action"))
    assert [action.value("functionname") for action in actions[:1]] == ["action_if_object"]
    assert [action.value("id") for action in actions] == [
        "403", "422", "603", "201", "424", "421", "205", "4",
    ]  # fmt: skip
    first, _, code, create, _, _, sprite, other = actions
    assert first.value("isnot") == "-1" and first.value("arguments/argument/object") == "obj_wall"
    assert code.value("arguments/argument/string") == "move_bounce_solid(true);"
    assert (create.value("whoName"), create.value("relative")) == ("other", "-1")
    assert (sprite.value("whoName"), sprite.value("useapplyto")) == ("obj_wall", "-1")
    assert (other.value("libid"), other.value("codestring")) == (
        "68903", "show_message(argument0)",
    )  # fmt: skip
    unknown = [each for each in found.findings if "68903" in each.message]
    assert [(each.code, each.path) for each in unknown] == [
        ("unsupported", "objects/obj_player.object.gmx")
    ]


def test_actions_are_code_later() -> None:
    found = made(810, "yyp")
    assert text(found, "objects/obj_player/Collision_obj_wall.gml") == (
        "// If there is no instance of obj_wall at (0, 8)\n"
        "if (!(place_meeting(0, 8, obj_wall)))\n"
        "{\n"
        "    move_bounce_solid(true);\n"
        "    // For the other instance: create an instance of obj_wall at (x, y) (relative)\n"
        "    with (other)\n"
        "    {\n"
        "        instance_create(x + x, y + y, obj_wall);\n"
        "    }\n"
        "}\n"
        "else\n"
        "{\n"
        "    // For obj_wall: set the sprite to spr_player, scaled by 1\n"
        "    with (obj_wall)\n"
        "    {\n"
        "        sprite_index = spr_player;\n"
        "        image_xscale = 1;\n"
        "        image_yscale = 1;\n"
        "    }\n"
        "}\n"
        "// Action 4 of library 68903(“hello”)\n"
        'show_message("hello")\n'
    )
    assert text(found, "scripts/scr_add/scr_add.gml") == (
        "function scr_add() {\n    return argument0 + argument1;\n}\n"
    )
    depths = text(found, "scripts/object_get_depth/object_get_depth.gml")
    assert "        case obj_player: return -5;\n" in depths
    assert text(found, "scripts/constants/constants.gml") == "#macro SPEED 4\n"
    assert text(found, "timelines/tl_intro/moment_30.gml").endswith("instance_destroy();\n")


def test_what_f1_showed_is_a_message() -> None:
    own = {
        "objects__obj_player__create.gml": b"show_info();",
        "game_information.rtf": b'{\\rtf1 Room #1\\par of "Keys"}',
    }
    source = text(changed("yyp", **own), "scripts/show_info/show_info.gml")
    assert source == (
        "/// What F1 showed.\nfunction show_info() {\n"
        '    show_message("Room #1\\nof \\"Keys\\"");\n}\n'
    )


def test_depths_that_code_sets() -> None:
    source = {"objects__obj_player__create.gml": b"object_set_depth(obj_wall, 7);"}
    found = changed("yyp", **source)
    made_for = text(found, "scripts/object_get_depth/object_get_depth.gml")
    assert made_for.splitlines()[1:4] == [
        "function object_get_depth(kind) {",
        "    var own = old_depths();",
        "    if (ds_map_exists(own, kind)) return own[? kind];",
    ]
    assert "case obj_player: return -5;" in made_for
    assert "own[? kind] = depth_of_it;" in text(
        found, "scripts/object_set_depth/object_set_depth.gml"
    )
    assert "scripts/old_depths/old_depths.gml" in found.files


def test_triggers_are_asked_for_in_steps() -> None:
    found = made(810, "yyp")
    begin = text(found, "objects/obj_player/Step_1.gml")
    assert "if (trigger_low_health())\n{\n    sound_play(snd_jump);\n}\n" in begin
    script = text(found, "scripts/trigger_low_health/trigger_low_health.gml")
    assert "    health < 10\n" in script
    assert found.tallies["triggers"].lossy == 1


def test_a_room_has_layers() -> None:
    found = made(810, "yyp")
    room = value(found, "rooms/rm_first/rm_first.yy")
    layers = [(layer["name"], layer["depth"], layer["resourceType"]) for layer in room["layers"]]
    assert layers == [
        ("Instances_m5", -5, "GMRInstanceLayer"),
        ("Instances_0", 0, "GMRInstanceLayer"),
        ("Tiles_1000000", 1000000, "GMRAssetLayer"),
        ("Colour", 2147483600, "GMRBackgroundLayer"),
    ]
    colour = room["layers"][-1]["colour"]
    assert colour == 0xFF302010
    (tile,) = room["layers"][2]["assets"]
    assert (tile["x"], tile["y"], tile["w"], tile["u1"]) == (0.0, 16.0, 8, 8)
    (instance,) = room["layers"][0]["instances"]
    assert instance["hasCreationCode"] is True
    code = text(found, f"rooms/rm_first/InstanceCreationCode_{instance['name']}.gml")
    assert code == "lives = 3;\n"
    assert room["instanceCreationOrder"][0]["name"] == instance["name"]
    assert text(found, "rooms/rm_first/RoomCreationCode.gml") == (
        'window_set_caption("One");\nscore = 0;\n'
    )
    project = value(found, found.name)
    assert [row["roomId"]["name"] for row in project["RoomOrderNodes"]] == ["rm_second", "rm_first"]


def test_tiles_on_a_grid_are_a_tile_layer() -> None:
    tiles = [
        {"id": 1, "background": "bg_sky", "x": 8, "y": 0, "width": 8, "height": 8},
        {"id": 2, "background": "bg_sky", "x": 16, "y": 0, "tile_x": 8, "width": 8, "height": 8},
    ]
    grid = {"use_as_tileset": True, "tile_width": 8, "tile_height": 8}
    found = changed(
        "yyp",
        **{
            "rooms__rm_first__tiles.json": as_json(tiles),
            "backgrounds__bg_sky.json": as_json(grid),
        },
    )
    room = value(found, "rooms/rm_first/rm_first.yy")
    layer = room["layers"][2]
    assert (layer["resourceType"], layer["name"], layer["x"]) == (
        "GMRTileLayer", "Tiles_1000000", 8,
    )  # fmt: skip
    assert layer["tiles"]["TileCompressedData"] == [2, 2, 3]
    tile_set = value(found, "tilesets/ts_bg_sky/ts_bg_sky.yy")
    assert (tile_set["tile_count"], tile_set["out_columns"]) == (4, 2)
    (frame,) = [
        path for path in found.files
        if path.startswith("sprites/spr_ts_bg_sky/") and path.count("/") == 2 and "png" in path
    ]  # fmt: skip
    pixels = png.decode(found.files[frame]())
    assert pixels.shape == (16, 16, 4) and not pixels[:8].any() and pixels[8:, :, 3].all()
    old = ProjectDocument.from_bytes(
        project_file(810, {"rooms/rm_first/tiles.json": as_json(tiles),
                           "backgrounds/bg_sky.json": as_json(grid)})
    )  # fmt: skip
    image = np.asarray(old.rooms["rm_first"].image().convert("RGB"))
    shown = opened(found).rooms["rm_first"].image().convert("RGB")
    assert np.array_equal(image, np.asarray(shown))


def test_names_that_later_editors_do_not_take() -> None:
    found = changed(
        "yyp",
        **{
            "scripts__my script.gml": b"return 1;",
            "scripts__string_split.gml": b"return 2;",
            "scripts__obj_wall.gml": b"return string_split(obj_wall(), obj_wall, 100001);",
            "objects__obj_player__create.gml": b"layer = obj_wall();",
        },
    )
    assert text(found, "scripts/my_script/my_script.gml").endswith("return 1;\n}\n")
    renamed = text(found, "scripts/scr_obj_wall/scr_obj_wall.gml")
    (instance,) = [
        row["name"] for row in value(found, "rooms/rm_first/rm_first.yy")["layers"][0]["instances"]
    ]
    assert f"return scr_string_split(scr_obj_wall(), obj_wall, {instance});" in renamed
    assert text(found, "objects/obj_player/Create_0.gml") == "own_layer = scr_obj_wall();\n"
    said = [finding.message for finding in found.findings if finding.code == "renamed"]
    assert said == [
        "later editors do not take the name 'my script': it is called my_script",
        "another resource has the name obj_wall: it is called scr_obj_wall, calls follow",
        "the language has the name string_split: it is called scr_string_split, and code follows",
        "the number of an instance is its name now",
        "later releases have the name layer: the variable is called own_layer",
    ]


def test_a_project_of_studio_becomes_one_of_today(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = studio_project(tmp_path / "old")
    out = tmp_path / "out"
    assert main(["convert", str(path), "--to", "yyp", "-o", str(out), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    project = out / said["project"]
    assert overhaul.verify(project).identical
    assert main(["check", str(project)]) == 0, capsys.readouterr().out
    with overhaul.open_project(path) as old, overhaul.open_project(project) as new:
        for kind in ("object", "sprite", "room", "script"):
            names = [resource.name for resource in old.resources(kind)]
            assert set(names) <= {resource.name for resource in new.resources(kind)}, kind


def test_a_broken_file_leaves_an_empty_resource() -> None:
    files_of = dict(made(810, "gmx").files)
    files_of["sprites/spr_player.sprite.gmx"] = b"<sprite><frames>".__bytes__
    del files_of["rooms/rm_first.room.gmx"]
    name = "game.project.gmx"
    old = IdeProjectDocument.from_bytes(files_of[name](), source=name, siblings=MadeFiles(files_of))
    found = forward(old, "yyp")
    new = opened(found)
    new.decode()
    assert new.findings == []
    assert len(new.sprites["spr_player"].frames) == 0
    sprite = new.objects["obj_player"].sprite
    assert sprite is not None and sprite.name == "spr_player"
    assert new.rooms.names() == ["rm_second", "rm_first"]
    assert (found.tallies["sprites"].lost, found.tallies["rooms"].lost) == (1, 1)
    said = [(each.code, each.path) for each in found.findings if "is empty" in each.message]
    assert said == [
        ("absent-file", "rooms/rm_first.room.gmx"),
        ("invalid", "sprites/spr_player.sprite.gmx"),
    ]


def test_an_executable_becomes_a_project_of_today(tmp_path: Path) -> None:
    game = tmp_path / "game.exe"
    game.write_bytes(executable(800))
    with overhaul.open(game) as document:
        found = forward(document, "yyp")
    assert found.name == "game.yyp"
    assert found.tallies["sprites"].total == found.tallies["scripts"].total == 1
    assert text(found, "scripts/scr/scr.gml") == "function scr() {\n    return 1;\n}\n"


def test_what_can_not_be_converted(tmp_path: Path) -> None:
    new, old = modern_project(tmp_path / "new"), studio_project(tmp_path / "old")
    with (
        overhaul.open_project(new) as project,
        pytest.raises(FormatError, match="its editor converts it itself"),
    ):
        forward(project, "yyp")
    with (
        overhaul.open_project(old) as project,
        pytest.raises(FormatError, match="one of Studio 1 already"),
    ):
        forward(project, "gmx")
    with pytest.raises(FormatError, match="unknown kind of project 'exe'"):
        forward(ProjectDocument.new(810), "exe")


def grouped(kind: str) -> Recovered:
    """A project whose sprite and rooms are in groups."""
    project = ProjectDocument.from_bytes(project_file(810)).project
    for root in project.tree:
        if root.grouping == 2:
            (player,) = [node for node in root.children if node.name == "spr_player"]
            root.children.remove(player)
            inner = Node(2, 2, 0, "Heroes / all", [player])
            root.children.append(Node(2, 2, 0, "People", [inner]))
        elif root.grouping == 4:
            (second,) = [node for node in root.children if node.name == "rm_second"]
            root.children[root.children.index(second)] = Node(2, 4, 0, "Caves", [second])
    return forward(ProjectDocument.of(project), kind, "game")


def test_groups_are_folders() -> None:
    found = grouped("gmx")
    root = read_xml(found.files[found.name]()).root
    groups = root.find("sprites")
    assert groups is not None
    (people,) = groups.all("sprites")
    (heroes,) = people.all("sprites")
    assert (people.attributes["name"], heroes.attributes["name"]) == ("People", "Heroes all")
    assert [node.text for node in heroes.children] == ["sprites\\spr_player"]
    new = grouped("yyp")
    parent = value(new, "sprites/spr_player/spr_player.yy")["parent"]
    assert parent == {"name": "Heroes all", "path": "folders/Sprites/People/Heroes all.yy"}
    folders = [row["folderPath"] for row in value(new, new.name)["Folders"]]
    assert folders[:4] == [
        "folders/Sprites.yy",
        "folders/Sprites/Backgrounds.yy",
        "folders/Sprites/People.yy",
        "folders/Sprites/People/Heroes all.yy",
    ]
    assert value(new, "rooms/rm_second/rm_second.yy")["parent"]["path"] == "folders/Rooms/Caves.yy"
    opened(new).decode()


def test_a_resource_in_many_groups_is_in_the_first_twelve() -> None:
    project = ProjectDocument.from_bytes(project_file(810)).project
    (root,) = [root for root in project.tree if root.grouping == 2]
    (player,) = [node for node in root.children if node.name == "spr_player"]
    root.children.remove(player)
    inner = [player]
    for level in reversed(range(15)):
        inner = [Node(2, 2, 0, f"g{level}", inner)]
    root.children += inner
    found = forward(ProjectDocument.of(project), "yyp", "game")
    path = "/".join(f"g{level}" for level in range(12))
    parent = value(found, "sprites/spr_player/spr_player.yy")["parent"]
    assert parent == {"name": "g11", "path": f"folders/Sprites/{path}.yy"}
    parent = value(found, "sprites/spr_wall/spr_wall.yy")["parent"]
    assert parent == {"name": "Sprites", "path": "folders/Sprites.yy"}


def test_groups_never_change_the_order_of_rooms() -> None:
    assert _stays([("a",), ("a", "b"), ("a",), (), ("c",)])
    assert not _stays([("a",), (), ("a",)])
    assert not _stays([("a", "b"), ("a",), ("a", "b")])


def test_an_empty_project() -> None:
    for kind in ("gmx", "yyp"):
        found = forward(ProjectDocument.new(810), kind, "empty")
        assert opened(found).rooms.names() == []
        assert all(tally.total <= 1 for tally in found.tallies.values())


@pytest.mark.parametrize("kind", ["gmx", "yyp"])
def test_damaged_projects_are_errors_or_projects(kind: str) -> None:
    data = project_file(701)
    places = range(0, len(data), max(1, len(data) // 60))
    projects = errors = 0
    for step in places:
        broken = bytearray(data)
        broken[step] ^= 0x55
        try:
            found = forward(ProjectDocument.from_bytes(bytes(broken)), kind, "game")
        except OverhaulError:
            errors += 1
        else:
            assert opened(found).rooms.names()
            assert all(isinstance(read(), bytes) for read in found.files.values())
            projects += 1
    assert projects + errors == len(places) and projects >= 5 and errors >= 5, (projects, errors)


def test_the_words_of_rich_text() -> None:
    rtf = (
        rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\*\generator x;}\f0 One\par "
        rb"\'e9t\'e9 \{a\}\tab\u8364?b\par}" + b"\0"
    )
    assert plain_text(rtf) == "One\n\u00e9t\u00e9 {a}\t\u20ac?b\n"
    assert plain_text(b"") == ""


def test_the_report_names_each_place() -> None:
    found = made(810, "yyp")
    report = text(found, "CONVERTED.md")
    for finding in found.findings:
        assert f"- {finding}\n" in report
    assert "| sprites | 2 | 0 | 1 |" in report or "| sprites | 2 |" in report
    assert "| triggers | 1 | 1 | 0 |" in report


def test_findings_name_the_files_of_the_new_project() -> None:
    gmx, yyp = made(810, "gmx"), made(810, "yyp")
    said = {(finding.code, finding.path) for finding in gmx.findings}
    assert ("approximated", "fonts/fnt_big.font.gmx") in said
    said = {(finding.code, finding.path) for finding in yyp.findings}
    assert ("approximated", "fonts/fnt_big/fnt_big.yy") in said
    assert len({str(finding) for finding in yyp.findings}) == len(yyp.findings)
    assert not [finding.path for finding in yyp.findings if finding.path.endswith(".gmx")]


def test_each_switch_of_the_settings_is_an_option_of_studio() -> None:
    """Of switches that are all off but one, another option is on for each."""
    switches = (
        "start_fullscreen", "interpolate", "dont_draw_border", "display_cursor", "allow_resize",
        "always_on_top", "set_resolution", "dont_show_buttons", "disable_screensavers", "key_f4",
        "key_f1", "key_esc", "key_f5_f6", "key_f9", "close_as_esc", "freeze_on_lose_focus",
        "load_transparent", "load_scale_bar", "errors_display", "errors_log", "errors_abort",
    )  # fmt: skip

    def on(**values: bool) -> set[str]:
        said = json.dumps({**dict.fromkeys(switches, False), **values}).encode()
        made = changed("gmx", **{"settings.json": said}).files["Configs/Default.config.gmx"]()
        options = read_xml(made).root.find("Options")
        assert options is not None
        return {node.tag for node in options.children if node.text.lower() == "true"}

    always = on()
    found = {switch: on(**{switch: True}) - always for switch in switches}
    assert {switch for switch, options in found.items() if len(options) != 1} == set()
    assert len({option for options in found.values() for option in options}) == len(switches)
    assert found["load_transparent"] == {"option_loadtransparent"}
    assert found["key_esc"] == {"option_quitkey"}


def test_options_that_no_later_release_has_are_named() -> None:
    """Each is off here but for some, so that the report names these alone."""
    keys = ("key_esc", "key_f5_f6", "key_f9")
    window = ("freeze_on_lose_focus", "always_on_top", "dont_show_buttons", "set_resolution")
    off = dict.fromkeys((*keys, *window), False)

    def said(**values: object) -> list[str]:
        found = changed("yyp", **{"settings.json": json.dumps({**off, **values}).encode()}).findings
        path = "options/windows/options_windows.yy"
        return [one.message for one in found if one.code == "unsupported" and one.path == path]

    assert said() == []
    assert said(key_esc=True, key_f9=True, always_on_top=True) == [
        "Esc ended the game, F9 made a picture of the game: later runners do nothing when these "
        "keys are pressed",
        "the window stayed above others: no option of later releases does this",
    ]
    assert said(key_f5_f6=True, **dict.fromkeys(window, True)) == [
        "F5 saved the game and F6 loaded it: later runners do nothing when these keys are pressed",
        "the game stood still while another window was active, the window stayed above others, "
        "the window had no buttons, the game changed the resolution of the screen: no option of "
        "later releases does this",
    ]


def test_what_a_project_says_about_itself_is_a_note() -> None:
    own = {"author": "Ada", "game_version_text": "1.5", "information": "Thanks to all.\nBye."}
    found = changed("yyp", **{"settings.json": json.dumps(own).encode()})
    note = "notes/project_information/project_information.txt"
    assert text(found, note) == "Author: Ada\nVersion: 1.5\nInformation: Thanks to all.\nBye."
    assert "project_information" in text(found, found.name)
    assert [one.code for one in found.findings if one.path == "notes/project_information"] == [
        "approximated"
    ]
    own["information"] = ""
    found = changed("yyp", **{"settings.json": json.dumps(own).encode()})
    assert text(found, note) == "Author: Ada\nVersion: 1.5"
    own["game_version_text"] = "100"  # the editor's own
    assert note not in changed("yyp", **{"settings.json": json.dumps(own).encode()}).files


def test_files_are_files() -> None:
    own = files(810)
    gmx, yyp = made(810, "gmx"), made(810, "yyp")
    assert gmx.files["sound/audio/snd_jump.wav"]() == own["sounds/snd_jump.wav"]
    assert yyp.files["sounds/snd_jump/snd_jump.wav"]() == own["sounds/snd_jump.wav"]
    assert gmx.files["datafiles/note.txt"]() == yyp.files["datafiles/note.txt"]() == b"a note"
    assert gmx.files["help.rtf"]() == own["game_information.rtf"]
    assert text(yyp, "notes/game_information/game_information.txt") == "Press keys.\n"
    icon = own["settings/icon.ico"]
    assert gmx.files["Configs/Default/windows/runner_icon.ico"]() == icon
    assert yyp.files["options/windows/icons/icon.ico"]() == icon


def test_a_game_of_studio_becomes_a_project_of_gamemaker_2024(tmp_path: Path) -> None:
    """Through the project of Studio 1 that it was made of, which is not written."""
    with overhaul.open_game(packed("1.4.9999")) as game:
        between = project_of(game, "gmx", "made")
        found = project_of(game, "yyp", "made")
        own = {resource.name for resource in game.tree() if resource.kind in ("sprite", "object")}
    assert (between.name, found.name) == ("made.project.gmx", "made.yyp")
    made_of = opened(found)
    assert own <= {resource.name for resource in made_of.tree()}
    assert found.tallies["objects"].total == between.tallies["objects"].total > 0
    assert {*map(str, between.findings)} & {*map(str, found.findings)} or not between.findings
    assert found.files["CONVERTED.md"]()
    for path, read in found.files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(read())
    assert main(["check", "--json", str(tmp_path / "made.yyp")]) == 0


def test_a_later_game_has_the_project_of_its_release() -> None:
    with overhaul.open_game(packed("2023.8")) as game:
        assert project_of(game, "yyp").name.endswith(".yyp")
        with pytest.raises(FormatError, match="becomes a project of the kind yyp, not gmx"):
            project_of(game, "gmx")


@pytest.mark.parametrize("version", ["1.4.9999", "2023.8"])
def test_resources_without_names_are_called_by_their_numbers(version: str) -> None:
    with overhaul.open_game(packed(version)) as game:
        records = [record for record in game.named("OBJT") if record is not None]
        assert len(records) > 1
        for record in records:
            record.name = records[0].name
        stored = game.to_bytes()
        found = recover(game)
        assert game.to_bytes() == stored  # the game itself keeps its names
    objects = [resource.name for resource in opened(found).tree() if resource.kind == "object"]
    assert objects == [str(records[0].name), *(f"object_{n}" for n in range(1, len(records)))]
    assert found.tallies["objects"].total == len(records)
    assert f"{len(records) - 1} objects have no name, or that of another one" in str(
        found.findings[0]
    )
