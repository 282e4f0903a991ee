"""What packing makes of changed files: ids, dates, versions, encodings, leftovers."""

from __future__ import annotations

import json
import re
import zlib
from array import array
from typing import Any

import pytest

from handmade_project import (
    VERSIONS,
    as_json,
    packed,
    picture,
    project_file,
    unpacked,
)
from memory_folder import memory_folder
from overhaul.document.plainfiles import UnpackOptions
from overhaul.errors import FormatError, WorkspaceError
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.classic.fields import Deflated
from overhaul.gamemaker.classic.obfuscation import Obfuscation
from overhaul.gamemaker.classic.records import read_project, write_project
from overhaul.gamemaker.classic.settings import PackageName
from overhaul.gamemaker.classic_folder.project import FORMAT as folder_format

every_version = pytest.mark.parametrize("version", VERSIONS)


def settings_of(version: int, **more: object) -> dict[str, object]:
    return {"kind": "gamemaker-project", "version": str(version), **more}


def dated(version: int) -> bytes:
    """A project whose resources were all changed at different times."""
    project = read_project(project_file(version))
    date = 40000.0
    for kind in ("sprites", "sounds", "scripts", "objects", "rooms"):
        for slot in getattr(project, kind).slots:
            if slot.exists and version >= 800:
                slot.changed = date = date + 1.5
    return write_project(project)


@every_version
def test_moved_ids_are_followed_by_everything(version: int) -> None:
    """Resources that change places are what packing the folder alone makes of them."""
    data = dated(version)
    _, content = unpacked(data)
    ids = json.loads(content["ids.json"])
    assert ids["sprites"] == ["spr_wall", 2, "spr_player"]
    ids["sprites"] = [1, "spr_player", "spr_wall"]
    ids["objects"] = ["obj_wall", "obj_player"]
    ids["rooms"] = ids["rooms"][::-1]
    content["ids.json"] = as_json(ids)
    changed, warnings = packed(data, content)
    assert warnings == []
    assert changed == packed(data, content, from_scratch=True)[0]
    project = read_project(changed)
    assert [slot.name for slot in project.sprites.slots] == ["", "spr_player", "spr_wall"]
    player = project.objects.slots[1].resource
    assert player is not None
    assert (player.sprite, player.categories[4][0].sub_type) == (1, 0)
    assert [slot.name for slot in project.rooms.slots] == ids["rooms"]
    _, again = unpacked(changed)
    assert again.keys() == content.keys()
    for path in content:
        if path.endswith(".json"):  # the dates stand in the order of the ids
            shown, given = json.loads(again[path]), json.loads(content[path])
            if "/" in path and isinstance(shown, dict):
                assert shown.pop("id", None) is None or given.pop("id") is not None
            assert shown == given
        else:
            assert again[path] == content[path]


@every_version
def test_one_moved_id_is_enough(version: int) -> None:
    """What refers to a resource is read again when only that one resource moved."""
    data = project_file(version)
    _, content = unpacked(data)
    ids = json.loads(content["ids.json"])
    for listed, expected in (([1, "scr_add"], 1), ([2, "scr_add"], 2)):
        content["ids.json"] = as_json(ids | {"scripts": listed, "objects": [3, *ids["objects"]]})
        changed, _ = packed(data, content)
        project = read_project(changed)
        assert [slot.exists for slot in project.scripts.slots] == [0] * expected + [1]
        room = project.rooms.slots[0].resource
        assert room is not None
        assert [instance.object for instance in room.instances] == [5, 4]
        assert changed == packed(data, content, from_scratch=True)[0]


@every_version
def test_the_version_is_not_a_setting(version: int) -> None:
    document, content = unpacked(project_file(version))
    other = 600 if version != 600 else 800
    with pytest.raises(WorkspaceError, match=f"asks for version {other}, but this is {version}"):
        folder_format.apply(document, memory_folder(content, settings_of(other)), {})
    assert folder_format.apply(document, memory_folder(content, settings_of(version)), {}) == []
    assert folder_format.apply(document, memory_folder(content, {}), {}) == []
    with pytest.raises(WorkspaceError, match=re.escape("'820' (there are 500, 510")):
        folder_format.empty(settings_of(820))


@every_version
def test_the_encoding_is_a_setting_before_8_1(version: int) -> None:
    document, content = unpacked(project_file(version))
    before = document.project.encoding
    folder = memory_folder(content, settings_of(version, encoding="cp1250"))
    reports = folder_format.apply(document, folder, {}).texts()
    # the RTF of these projects names no code page: the packed file alone does not say it
    assert [item.partition(":")[0] for item in reports] == ["overhaul.toml"] * (version < 810)
    assert all("cp1250, but read from the packed file as cp1252" in item for item in reports)
    assert document.project.encoding == ("cp1250" if version < 810 else before)
    made = folder_format.empty(settings_of(version, encoding="cp1250"))
    assert made.project.encoding == ("cp1250" if version < 810 else "utf-8")
    unusable = settings_of(version, encoding="utf-16")
    if version < 810:
        with pytest.raises(WorkspaceError, match="'utf-16' is not a valid encoding"):
            folder_format.empty(unusable)
    else:
        assert folder_format.settings(folder_format.empty(unusable)) == {}


@every_version
def test_some_files_only(version: int) -> None:
    data = project_file(version)
    _, content = unpacked(data)
    for pattern in ("sprites", "sprites/spr_player/*", "*.gml", "spr?tes/*", "[r]ooms", "x/*"):
        document = ProjectDocument.from_bytes(data)
        options = UnpackOptions(only=[pattern])
        files = {file.path for file in folder_format.plain_files(document, options)}
        assert {path for path in content if options.wants(path)} <= files
        if pattern.startswith("sprites"):
            assert not [path for path in files if path.startswith(("rooms/", "objects/"))]


@pytest.mark.parametrize("version", [600, 800])
def test_dates(version: int) -> None:
    data = dated(version)
    _, content = unpacked(data)
    dates = json.loads(content["dates.json"])
    assert ("scripts" in dates) == (version == 800)
    later = {
        "settings": 1.5, "triggers": 2.5, "constants": 3.5, "game_information": 4.5,
        "scripts": {"scr_add": 5.5, "scr_gone": 1}, "rooms": {},
    }  # fmt: skip
    content["dates.json"] = as_json({"last_changed": 41000.25} | (later if version == 800 else {}))
    changed, warnings = packed(data, content)
    gone = ["dates.json: scripts: there is no 'scr_gone'; it is left out"]
    assert warnings == (gone if version == 800 else [])
    project, before = read_project(changed), read_project(data)
    assert project.settings.last_changed == 41000.25
    if version == 800:
        assert project.scripts.slots[0].changed == 5.5
        assert project.rooms.slots[0].changed == before.rooms.slots[0].changed
        assert (project.settings.settings_changed, project.triggers.changed) == (1.5, 2.5)
        assert (project.constants.changed, project.information.changed) == (3.5, 4.5)
    for wrong in (b"true", b'"soon"', b'"fff00000000000zz"', b"9" * 400, b"null"):
        content["dates.json"] = b'{"last_changed": ' + wrong + b"}"
        with pytest.raises(
            WorkspaceError, match=r"^dates\.json: last_changed: expected a number of d"
        ):
            packed(data, content)


def test_dates_that_are_no_numbers() -> None:
    project = read_project(project_file(800))
    project.settings.last_changed = float("nan")
    project.scripts.slots[0].changed = float("-inf")
    data = write_project(project)
    _, content = unpacked(data)
    assert json.loads(content["dates.json"])["scripts"] == {"scr_add": "fff0000000000000"}
    assert packed(data, content, from_scratch=True)[0] == data


@every_version
def test_a_new_resource_keeps_the_dates_of_the_others(version: int) -> None:
    data = dated(version)
    _, content = unpacked(data)
    content["scripts/scr_new.gml"] = b"return 2;"
    content["scripts/scr_add.gml"] = b"return 3;"
    changed, _ = packed(data, content)
    before, after = read_project(data), read_project(changed)
    assert after.scripts.slots[0].changed == before.scripts.slots[0].changed
    assert after.scripts.slots[1].changed == 0.0


@every_version
def test_the_room_order_follows(version: int) -> None:
    data = project_file(version)
    _, content = unpacked(data)
    content["rooms/rm_new/room.json"] = b"{}"
    changed, _ = packed(data, content)
    assert read_project(changed).room_order.rooms == [1, 0, 2]
    plain = json.loads(content["project.json"])
    content["project.json"] = as_json(plain | {"room_order": ["rm_new", "rm_gone", "rm_first"]})
    changed, _ = packed(data, content)
    assert read_project(changed).room_order.rooms == [2, 0]
    project = read_project(data)
    project.room_order.rooms = []  # as in a game without an order: a new room is not put into it
    unordered = write_project(project)
    _, content = unpacked(unordered)
    content["rooms/rm_new/room.json"] = b"{}"
    assert read_project(packed(unordered, content)[0]).room_order.rooms == []


@every_version
def test_the_last_ids_follow(version: int) -> None:
    data = project_file(version)
    _, content = unpacked(data)
    rows = json.loads(content["rooms/rm_first/instances.json"])
    tiles = json.loads(content["rooms/rm_first/tiles.json"])
    content["rooms/rm_first/instances.json"] = as_json([*rows, rows[0] | {"id": 100005}])
    content["rooms/rm_first/tiles.json"] = as_json([*tiles, tiles[0] | {"id": 10000099}])
    project = read_project(packed(data, content)[0])
    assert (project.last_instance_id, project.last_tile_id) == (100010, 10000099)


def test_warnings_name_three_that_refer_to_what_is_gone() -> None:
    data = project_file(800)
    _, content = unpacked(data)
    for number in range(5):
        content[f"objects/obj_{number}/object.json"] = as_json({"sprite": "spr_wall"})
    grown, _ = packed(data, content)
    _, content = unpacked(grown)
    del content["sprites/spr_wall/sprite.json"]
    _, warnings = packed(grown, content)
    assert warnings == [
        "sprites/spr_wall is gone, but objects/obj_wall, objects/obj_0, objects/obj_1 and "
        "3 more refer to it"
    ]
    none = as_json({"sprite": None})
    for number in range(1, 5):
        content[f"objects/obj_{number}/object.json"] = none
    _, warnings = packed(grown, content)
    gone = "sprites/spr_wall is gone, but objects/obj_wall"
    assert warnings == [f"{gone} and objects/obj_0 refer to it"]
    content["objects/obj_0/object.json"] = none
    _, warnings = packed(grown, content)
    assert warnings == [f"{gone} refers to it"]


REFERRERS = {
    "backgrounds/bg_sky": (["backgrounds/bg_sky.json", "backgrounds/bg_sky.png"], "rooms/rm_first"),
    "rooms/rm_second": (["rooms/rm_second/room.json"], "paths/pth_round"),
    "triggers/low_health": (
        ["triggers/low_health.json", "triggers/low_health.gml"], "objects/obj_player"
    ),
    "sprites/spr_player": (
        [f"sprites/spr_player/{name}" for name in ("sprite.json", "0.png", "1.png")],
        "objects/obj_player",
    ),
    "objects/obj_wall": (["objects/obj_wall/object.json"], "timelines/tl_intro"),
}  # fmt: skip


@pytest.mark.parametrize("gone", REFERRERS)
def test_who_refers_to_what(gone: str) -> None:
    """Each kind of reference is known: of objects, events, actions, moments, rooms and paths."""
    data = project_file(
        800,
        {
            "paths/pth_round.json": as_json({"background_room": "rm_second"}),
            "timelines/tl_intro/30/actions.json": as_json(
                [{"action": "action_kill_object", "applies_to": {"object": "obj_wall"}}]
            ),
            "rooms/rm_second/room.json": as_json(
                {
                    "views": [{"follow_object": "obj_wall"}],
                    "backgrounds": [{"background": "bg_sky"}],
                }
            ),
        },
    )
    _, content = unpacked(data)
    paths, referrer = REFERRERS[gone]
    for path in paths:
        del content[path]
    _, warnings = packed(data, content)
    assert len(warnings) == 1 and warnings[0].startswith(f"{gone} is gone, but ")
    assert referrer in warnings[0]


@every_version
def test_what_disagrees_with_the_rules_is_kept(version: int) -> None:
    """Flags other than 0 and 1, unusual counts and versions of parts come back from the folder."""
    project = read_project(project_file(version))
    project.objects.slots[1].exists = 7
    wall = project.objects.slots[1].resource
    assert wall is not None
    wall.categories = wall.categories[:5]
    wall.last_category = 4
    sound = project.sounds.slots[0].resource
    assert sound is not None
    if version >= 600:
        sound.has_data = 5
    if version < 600:
        project.reserved = 3
    project.trailing = b"behind"
    data = write_project(project)
    document, content = unpacked(data)
    assert json.loads(content["left_over.json"]) == {"objects/obj_wall exists": 7}
    assert json.loads(content["project.json"])["trailing"] == b"behind".hex()
    assert packed(data, content, from_scratch=True)[0] == data
    assert "6 bytes after the resource tree" in document.warnings[0]


@every_version
def test_files_of_pictures_that_are_not_plain(version: int) -> None:
    """An own loading bar, a picture that is no usual BMP, pictures that are missing."""
    data = project_file(version)
    _, content = unpacked(data)
    settings = json.loads(content["settings.json"])
    content["settings.json"] = as_json(settings | {"load_bar": 2, "own_load_image": True})
    content["settings/load_bar_back.bmp"] = b"BM back"
    content["settings/load_image.bmp"] = b"BM image"
    changed, warnings = packed(data, content)
    assert warnings == []
    made = read_project(changed).settings
    assert made.load_bar_back is not None and made.load_bar_back.file is not None
    assert made.load_bar_back.file.data == b"BM back"
    assert made.load_bar_back.present == (10 if version < 800 else 1)
    assert made.load_bar_front is not None and made.load_bar_front.file is None
    assert made.load_bar_front.present == (-1 if version < 800 else 0)
    _, again = unpacked(changed)
    assert "load_bar_front_present" in json.loads(again["settings.json"])
    assert "load_image_present" not in json.loads(again["settings.json"])
    assert packed(changed, again, from_scratch=True)[0] == changed
    assert packed(changed, again)[0] == changed
    shown = json.loads(again["settings.json"])
    for key, value, message in (
        ("load_bar_front_present", 10, "10 says that there is a picture, but .* is missing"),
        ("load_bar_back_present", 0, "0 says that there is no picture, but .* is there"),
        ("load_image_present", "1", "expected a whole number"),
    ):
        wrong = again | {"settings.json": as_json(shown | {key: value})}
        with pytest.raises(WorkspaceError, match=rf"settings\.json:.* {key}: {message}"):
            packed(changed, wrong)
    if version < 800:
        again["sprites/spr_player/0.bmp"] = b"BM not a usual one"
        sprite = json.loads(again["sprites/spr_player/sprite.json"])
        frames: list[Any] = ["0.bmp", {"present": -1}, {"file": "1.png", "present": 12}]
        again["sprites/spr_player/sprite.json"] = as_json(sprite | {"frames": frames})
    else:
        frames = ["0.png", {"width": 0, "height": 3}, {"file": "1.png", "version": 810}]
        again["sprites/spr_player/sprite.json"] = as_json({"frames": frames})
    changed, _ = packed(changed, again)
    _, content = unpacked(changed)
    shown = json.loads(content["sprites/spr_player/sprite.json"])["frames"]
    assert shown == [*frames[:2], frames[2] | {"file": "2.png"}]
    assert packed(changed, content, from_scratch=True)[0] == changed


@every_version
def test_events_in_an_order_of_their_own(version: int) -> None:
    project = read_project(project_file(version))
    player = next(s.resource for s in project.objects.slots if s.name == "obj_player")
    assert player is not None
    player.categories[3].reverse()
    player.categories[3].append(player.categories[3][0])
    timeline = project.timelines.slots[0].resource
    assert timeline is not None
    timeline.moments = [timeline.moments[1], timeline.moments[0], timeline.moments[1]]
    data = write_project(project)
    _, content = unpacked(data)
    assert json.loads(content["objects/obj_player/object.json"])["events"][:4] == [
        "create", "step", "step_end", "step%=2"
    ]  # fmt: skip
    moments = ["30", "0", "30%=2"]
    assert json.loads(content["timelines/tl_intro/timeline.json"])["moments"] == moments
    assert packed(data, content, from_scratch=True)[0] == data
    content["timelines/tl_intro/7.gml"] = b"y = 1;"
    del content["timelines/tl_intro/0.gml"]
    changed = read_project(packed(data, content)[0]).timelines.slots[0].resource
    assert changed is not None
    assert [moment.position for moment in changed.moments] == [30, 30, 7]


def test_a_single_picture_is_a_background() -> None:
    data = project_file(600)
    _, content = unpacked(data)
    content["backgrounds/bg_new.png"] = picture(4, 4, (1, 1, 1, 255))
    changed, warnings = packed(data, content)
    assert warnings == []
    assert read_project(changed).backgrounds.slots[1].name == "bg_new"


def test_fonts_of_8_1() -> None:
    font = {"range_start": 33, "character_set": 204, "smoothing": 3}
    data = project_file(810, {"fonts/fnt_big.json": as_json(font)})
    made = read_project(data).fonts.slots[0].resource
    assert made is not None and made.range_start == 3 << 24 | 204 << 16 | 33
    _, content = unpacked(data)
    assert json.loads(content["fonts/fnt_big.json"]).items() >= font.items()
    for wrong in ({"smoothing": 128}, {"character_set": 256}, {"smoothing": -1}):
        content["fonts/fnt_big.json"] = as_json(font | wrong)
        with pytest.raises(WorkspaceError, match=re.escape(f"fonts/fnt_big.json: {min(wrong)}: ")):
            packed(data, content)


def test_trees_with_groups() -> None:
    data = project_file(800)
    _, content = unpacked(data)
    tree = json.loads(content["tree.json"])
    tree[0]["children"] = [{"group": "walls", "children": ["spr_wall", "spr_gone"]}, "spr_player"]
    content["tree.json"] = as_json(tree)
    changed, _ = packed(data, content)
    root = read_project(changed).tree[0]
    assert [(node.status, node.name) for node in root.children] == [(2, "walls"), (3, "spr_player")]
    assert [(node.index, node.name) for node in root.children[0].children] == [(0, "spr_wall")]
    _, again = unpacked(changed)
    tree[0]["children"][0]["children"].pop()
    assert json.loads(again["tree.json"]) == tree
    for path in [path for path in again if path.startswith("sprites/spr_wall/")]:
        del again[path]
    again["sprites/spr_new/sprite.json"] = b"{}"
    root = read_project(packed(changed, again)[0]).tree[0]
    assert root.children[0].children == []
    assert [node.name for node in root.children[1:]] == ["spr_player", "spr_new"]
    nested: object = "spr_wall"
    for _ in range(70):
        nested = {"group": "g", "children": [nested]}
    wrong = [
        ([1], "expected an object"),
        ([{"group": 3}], "expected a text"),
        ([{"node": [1, 2], "name": "x"}], "a node is"),
        ([nested], "levels deep"),
    ]
    for children, words in wrong:
        tree[0]["children"] = children
        content["tree.json"] = as_json(tree)
        with pytest.raises(WorkspaceError, match=words):
            packed(data, content)


def test_ids_beyond_reason() -> None:
    data = project_file(800)
    _, content = unpacked(data)
    for listed in ([1 << 21], [-1], ["spr_wall", "spr_wall"], [1.5], "spr_wall"):
        content["ids.json"] = as_json({"sprites": listed})
        with pytest.raises(WorkspaceError, match=r"^ids\.json: sprites"):
            packed(data, content)


@every_version
def test_the_header_comes_from_its_file(version: int) -> None:
    """Versions of sections that are unusual, packages, and what hides a project of 7.0."""
    project = read_project(project_file(version))
    project.backgrounds.version = 400 if version >= 800 else 800
    for slot in project.backgrounds.slots:
        slot.exists = 0
    if version >= 701:
        names = ("Windows Dialogs", "GMAPI")
        project.packages.names = [PackageName(name) for name in names]
    if version == 701:
        project.obfuscation = Obfuscation(1, 2, array("i", [7]), 4711, array("i", [8, 9]))
    data = write_project(project)
    _, content = unpacked(data)
    plain = json.loads(content["project.json"])
    assert plain["versions"] == {"backgrounds": project.backgrounds.version}
    assert ("packages" in plain) == (version >= 701)
    assert ("obfuscation.bin" in content) == (version == 701)
    assert packed(data, content, from_scratch=True)[0] == data
    plain["versions"]["backgrounds"] = 401
    content["project.json"] = as_json(plain)
    message = r"^project\.json: versions\.backgrounds: not a valid version: 401"
    with pytest.raises(WorkspaceError, match=message):
        packed(data, content)
    usual = json.loads(unpacked(project_file(version))[1]["project.json"])
    assert "versions" not in usual and "trailing" not in usual


def test_without_its_header_a_project_of_7_0_is_hidden_by_the_usual_seed() -> None:
    data = project_file(701)
    document, content = unpacked(data)
    header = document.project.obfuscation
    assert (header.count_before, header.count_after, header.seed) == (0, 0, 248)
    del content["obfuscation.bin"]
    assert packed(data, content, from_scratch=True)[0] == data
    content["obfuscation.bin"] = bytes(8) + (-5).to_bytes(4, "little", signed=True)
    for broken in (content["obfuscation.bin"], bytes(12) + b"more", b"\1"):
        content["obfuscation.bin"] = broken
        with pytest.raises((WorkspaceError, FormatError)):
            packed(data, content)


@pytest.mark.parametrize("version", [701, 800, 810])
def test_included_files(version: int) -> None:
    data = project_file(version)
    _, content = unpacked(data)
    entries = json.loads(content["included_files.json"])
    assert ("changed" in entries[0]) == (version >= 800) and "version" not in entries[0]
    other = 800 if version < 800 else 620
    entries += [
        {"file_name": "later.txt", "store": False, "version": other},
        {"file_name": "note.txt", "file": "other.bin", "store": 3, "original_chosen": 4},
    ]
    content["included_files.json"] = as_json(entries)
    content["included_files/other.bin"] = b"\0\1"
    changed, warnings = packed(data, content)
    assert warnings == []
    made = [slot.include for slot in read_project(changed).includes.slots if slot.include]
    assert [include.version for include in made] == [made[0].version, other, made[0].version]
    assert [include.data for include in made] == [b"a note", None, b"\0\1"]
    assert [include.store for include in made] == [1, 0, 3]
    assert [include.original_chosen for include in made] == [1, 0, 4]
    _, again = unpacked(changed)
    assert again["included_files/note.txt%~2"] == b"\0\1"
    assert packed(changed, again, from_scratch=True)[0] == changed
    wrong: list[tuple[object, str]] = [
        ({"version": 1}, ".version: not a valid version: 1"),
        ({"file": 3}, ".file: expected a text, got 3"),
        ({"changed": "now"}, ".changed: expected a number, got 'now'"),
        (7, ": expected an object, got 7"),
    ]
    for entry, words in wrong:
        content["included_files.json"] = as_json([entries[0], entry])
        with pytest.raises(WorkspaceError, match=re.escape(f"included_files.json: [1]{words}")):
            packed(data, content)


@every_version
def test_game_information(version: int) -> None:
    data = project_file(version)
    _, content = unpacked(data)
    plain = json.loads(content["game_information.json"])
    assert "version" not in plain and "nul" not in plain and "changed" not in plain
    plain |= {"nul": False, "background_colour": "#010203"}
    content["game_information.json"] = as_json(plain)
    content["game_information.rtf"] = b"{other}"
    changed, _ = packed(data, content)
    made = read_project(changed).information
    assert (made.text, made.background_colour) == (b"{other}", 0x030201)
    _, again = unpacked(changed)
    assert json.loads(again["game_information.json"])["nul"] is False
    assert packed(changed, again, from_scratch=True)[0] == changed
    del content["game_information.rtf"]
    assert read_project(packed(data, content)[0]).information.text == b""
    content["game_information.json"] = b'{"version": 5}'
    with pytest.raises(WorkspaceError, match=r"^game_information\.json: version: not a valid"):
        packed(data, content)


@every_version
def test_sounds_without_data(version: int) -> None:
    files = {"sounds/snd_none.json": as_json({"file_type": ".mid"})}
    data = project_file(version, files)
    sound = next(s.resource for s in read_project(data).sounds.slots if s.name == "snd_none")
    assert sound is not None and sound.data is None
    assert sound.kind == (-1 if version < 600 else 0) and sound.has_data == 0
    _, content = unpacked(data)
    assert "file" not in json.loads(content["sounds/snd_none.json"])
    assert packed(data, content, from_scratch=True)[0] == data
    content["sounds/snd_none.json"] = as_json(
        {"file": "snd_none.json", "file_type": ".json", "kind": 0}
    )
    changed, _ = packed(data, content)
    assert "sounds/snd_none.bin" in unpacked(changed)[1]
    content["sounds/snd_none.json"] = as_json({"file": "../snd_jump.wav"})
    with pytest.raises(WorkspaceError, match=r"^sounds/snd_none\.json: file: expected the name"):
        packed(data, content)


@every_version
def test_unchanged_streams_are_kept(version: int) -> None:
    """A resource that is read again keeps the streams of files that are as before."""
    if version >= 800:
        return
    project = read_project(project_file(version))
    sound = project.sounds.slots[0].resource
    assert sound is not None and isinstance(sound.data, Deflated)
    sound.data = Deflated(zlib.compress(sound.data.data, 1))
    data = write_project(project)
    _, content = unpacked(data)
    plain = json.loads(content["sounds/snd_jump.json"])
    content["sounds/snd_jump.json"] = as_json(plain | {"file_type": ".WAV"})
    again = read_project(packed(data, content)[0]).sounds.slots[0].resource
    assert again is not None and again.data == sound.data
    content["sounds/snd_jump.wav"] += b"more"
    again = read_project(packed(data, content)[0]).sounds.slots[0].resource
    assert again is not None and isinstance(again.data, Deflated)
    assert again.data.data == b"RIFF\4\0\0\0WAVEmore"
