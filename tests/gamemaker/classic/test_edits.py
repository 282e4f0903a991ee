"""Edits of a project's folder: true, reported or refused."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy
import pytest

import overhaul
from edit_law.edits import all_edits
from edit_law.law import compact, judge
from edit_law.subject import Subject
from handmade_project import VERSIONS, as_json, packed, picture, project_file, unpacked
from overhaul.cli import main
from overhaul.errors import WorkspaceError
from overhaul.folder.edits import likeness
from overhaul.folder.parallel import Workers
from overhaul.folder.texts import uses
from overhaul.gamemaker.classic.documents.library import ExtensionDocument
from overhaul.gamemaker.classic.extensions import Package
from overhaul.gamemaker.classic.pictures import bmp_pixels
from overhaul.gamemaker.classic.records import Project, read_project, write_project
from overhaul.gamemaker.classic.resources import OldSprite, Room
from overhaul.gamemaker.classic_folder.names import with_new_names
from overhaul.gamemaker.classic_folder.pictures import with_key_colour
from overhaul.media import png
from present import instance

every_version = pytest.mark.parametrize("version", VERSIONS)


@pytest.mark.sampled(2)
@every_version
def test_the_law(version: int) -> None:
    """Each edit of each kind of file is true or refused; a sixth of them, others by version."""
    subject = Subject("made.gmk", project_file(version))
    edits = all_edits(subject.files, seed=version)[version // 10 % 6 :: 6]
    assert len(edits) > 75
    result = [judge(subject, edit) for edit in edits]
    assert compact(result) == []
    outcomes = [finding.outcome for finding in result]
    assert outcomes.count("true") > len(edits) / 2


def edited(version: int, path: str, value: object) -> tuple[Project, list[str]]:
    """The project with another JSON file in its folder, and the warnings."""
    data = project_file(version)
    content = unpacked(data)[1] | {path: as_json(value)}
    changed, warnings = packed(data, content)
    return read_project(changed), warnings


# ---------------------------------------------------------------------- instances and tiles


def rows(version: int, part: str = "instances") -> list[dict[str, Any]]:
    result: list[dict[str, Any]] = json.loads(
        unpacked(project_file(version))[1][f"rooms/rm_first/{part}.json"]
    )
    return result


def room_of(project: Project, index: int = 0) -> Room:
    return instance(Room, project.rooms.slots[index].resource)


@every_version
def test_new_instances_and_tiles_get_the_next_ids(version: int) -> None:
    new = [{"object": "obj_wall", "x": 5}, {"object": "obj_wall"}]
    project, warnings = edited(version, "rooms/rm_first/instances.json", [*rows(version), *new])
    assert warnings == []
    ids = [item.id for item in room_of(project).instances]
    assert ids == [100001, 100002, 100011, 100012]  # behind last_instance_id
    assert (project.last_instance_id, project.last_tile_id) == (100012, 10000005)
    tiles = [{"background": "bg_sky"}, *rows(version, "tiles")]
    project, warnings = edited(version, "rooms/rm_first/tiles.json", tiles)
    assert warnings == []
    assert [item.id for item in room_of(project).tiles] == [10000006, 10000001]
    assert (project.last_instance_id, project.last_tile_id) == (100010, 10000006)


def test_rows_without_fields_mean_what_game_maker_begins_with() -> None:
    """Folders leave these values out: another one here is another meaning of each folder."""
    data = project_file(800)
    content = unpacked(data)[1]
    plain = json.loads(content["rooms/rm_second/room.json"]) | {"backgrounds": [{}], "views": [{}]}
    content["rooms/rm_second/room.json"] = as_json(plain)
    content["rooms/rm_second/instances.json"] = as_json([{"id": 100007}])
    content["rooms/rm_second/tiles.json"] = as_json([{"id": 10000004}])
    changed, _ = packed(data, content)
    room = room_of(read_project(changed), 1)
    values = [
        tuple(getattr(record, name) for name in record.__struct_fields__)
        for record in (room.backgrounds[0], room.views[0], room.instances[0], room.tiles[0])
    ]
    assert values == [
        (0, 0, -1, 0, 0, 1, 1, 0, 0, 0),
        (0, 0, 0, 640, 480, 0, 0, 640, 480, 32, 32, -1, -1, -1),
        (0, 0, -1, 100007, "", 1.0, 1.0, -1, 0.0, 0),
        (0, 0, -1, 0, 0, 16, 16, 1000000, 10000004, 1.0, 1.0, -1, 0),
    ]
    shown = unpacked(changed)[1]
    (instance,) = json.loads(shown["rooms/rm_second/instances.json"])
    (tile,) = json.loads(shown["rooms/rm_second/tiles.json"])
    assert instance == {"id": 100007, "object": None, "x": 0, "y": 0}
    assert tile["background"] is None


def test_ids_in_two_rooms_do_not_meet() -> None:
    data = project_file(800)
    content = unpacked(data)[1]
    for room in ("rm_first", "rm_second"):
        content[f"rooms/{room}/instances.json"] = as_json([{"object": "obj_wall"}])
    content["rooms/rm_first/instance_100001.gml"] = b""
    project = read_project(packed(data, content)[0])
    ids = [item.id for index in (0, 1) for item in room_of(project, index).instances]
    assert ids == [100011, 100012]


def test_instances_of_one_id_have_their_code_in_their_rows() -> None:
    project = read_project(project_file(800))
    first, second = room_of(project).instances
    first.creation_code, second.creation_code = "lives = 3;", ""
    second.id = first.id
    data = write_project(project)
    content = unpacked(data)[1]
    shown = json.loads(content["rooms/rm_first/instances.json"])
    assert [row.get("creation_code") for row in shown] == ["lives = 3;", None]
    assert [path for path in content if path.startswith("rooms/rm_first/instance_")] == []
    assert packed(data, content) == (data, [])


def test_a_higher_id_moves_the_last_one() -> None:
    project, _ = edited(800, "rooms/rm_second/instances.json", [{"id": 100500}])
    assert project.last_instance_id == 100500
    project, _ = edited(800, "rooms/rm_second/instances.json", [{"id": 5}])
    assert project.last_instance_id == 100010


def test_what_is_new_in_a_room_has_ids_of_its_own() -> None:
    again = [{"id": 100002}, {"id": 100700}, {"id": 100001}, {"id": 100002}]
    project, warnings = edited(800, "rooms/rm_second/instances.json", again)
    assert warnings == [
        "rooms/rm_second/instances.json: other rooms have these ids, so there are new ones: "
        "100002 is 100703, 100001 is 100702"
    ]
    assert [item.id for item in room_of(project).instances] == [100001, 100002]
    assert [item.id for item in room_of(project, 1).instances] == [100701, 100700, 100702, 100703]
    assert project.last_instance_id == 100703


def test_a_copied_room_has_ids_of_its_own_and_its_code() -> None:
    data = project_file(800)
    content = unpacked(data)[1]
    for path in [*content]:
        if path.startswith("rooms/rm_first/"):
            content[path.replace("rm_first", "rm_copy")] = content[path]
    ids = json.loads(content["ids.json"])
    content["ids.json"] = as_json({**ids, "rooms": ["rm_copy", *ids["rooms"]]})
    made, warnings = packed(data, content)
    project = read_project(made)
    assert [item.id for item in room_of(project, 0).instances] == [100011, 100012]
    assert [item.id for item in room_of(project, 1).instances] == [100001, 100002]
    assert [item.creation_code for item in room_of(project, 0).instances] == [
        item.creation_code for item in room_of(project, 1).instances
    ]
    assert [item.id for item in room_of(project, 0).tiles] == [10000006]
    assert sum("other rooms have these ids" in warning for warning in warnings) == 2


def test_the_last_resources_go_with_their_entries_in_the_list() -> None:
    data = project_file(800)
    content = unpacked(data)[1]
    ids = json.loads(content["ids.json"])
    last = ids["objects"][-1]
    content["ids.json"] = as_json({**ids, "objects": ids["objects"][:-1]})
    kept = {p: item for p, item in content.items() if not p.startswith(f"objects/{last}/")}
    kept["scripts/scr_names.gml"] = f"instance_create(0, 0, {last});".encode()
    made, warnings = packed(data, kept)
    assert len(read_project(made).objects.slots) == len(ids["objects"]) - 1
    assert [warning for warning in warnings if f"objects/{last}" in warning]


def test_an_instance_that_moves_to_another_room_keeps_its_id() -> None:
    data = project_file(800)
    content = unpacked(data)[1]
    first, second = json.loads(content["rooms/rm_first/instances.json"])
    content["rooms/rm_first/instances.json"] = as_json([first])
    content["rooms/rm_second/instances.json"] = as_json([second])
    project = read_project(packed(data, content)[0])
    assert [item.id for item in room_of(project, 1).instances] == [second["id"]]


def test_ids_that_occur_twice_in_a_room_are_reported() -> None:
    same = [*rows(800, "tiles")] * 2
    _, warnings = edited(800, "rooms/rm_first/tiles.json", same)
    assert warnings[0].startswith("rooms/rm_first/tiles.json: more than one of the tiles has the")
    project = read_project(project_file(800))
    room_of(project).tiles *= 2
    data = write_project(project)
    _, warnings = packed(data, unpacked(data)[1] | {"rooms/rm_second/creation.gml": b"x = 1"})
    assert warnings == []  # they were there


# --------------------------------------------------------------------------- strict reading


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("project.json", {"zz": 1}, r"^project\.json: zz: there is no such key"),
        ("project.json", {"versions": {"zz": 1}}, r"^project\.json: versions\.zz: there is no"),
        ("project.json", {"room_order": [1.5]}, r"^project\.json: room_order\[0\]: expected the"),
        ("ids.json", {"zz": []}, r"^ids\.json: zz: there is no such key"),
        ("ids.json", {"objects": [0]}, r"^ids\.json: objects\[0\]: expected a name"),
        ("ids.json", {"objects": [True]}, r"^ids\.json: objects\[0\]: expected a name"),
        ("ids.json", {"objects": ["a", "a"]}, r"^ids\.json: objects\[1\]: expected a name"),
        ("ids.json", {"objects": [(1 << 20) + 1]}, r"^ids\.json: objects\[0\]: expected a name"),
        ("ids.json", {"objects": [1 << 20, None]}, r"^ids\.json: objects\[1\]: expected a name"),
        ("ids.json", {"objects": [1 << 20] * 5}, r"^ids\.json: objects\[4\]: expected a name"),
        ("dates.json", {"zz": 1}, r"^dates\.json: zz: there is no such key"),
        ("dates.json", {"rooms": {"rm_first": "x"}}, r"^dates\.json: rooms\.rm_first: expected a"),
        ("tree.json", [{"root": "x", "zz": 1}] * 12, r"^tree\.json: \[0\]\.zz: there is no such"),
        ("timelines/tl_intro/timeline.json", {"zz": 1}, r"timeline\.json: zz: there is no such"),
        ("scripts/scr_add.json", {"zz": 1}, r"scr_add\.json: zz: there is no such key"),
        ("sounds/snd_jump.json", {"file": "no.wav"}, r"snd_jump\.json: file: there is no file sou"),
        ("included_files.json", [{"store": True, "original_chosen": True}],
         r"included_files\.json: \[0\]\.file: expected the name"),
        ("objects/obj_player/collision_obj_wall/actions.json",
         [{"action": "code", "file": "9.gml"}], r"actions\.json: \[0\]\.file: there is no file"),
        ("sprites/spr_player/sprite.json", {"frames": [{"file": "0.png", "zz": 1}]},
         r"sprite\.json: frames\[0\]\.zz: there is no such key"),
    ],
)  # fmt: skip
def test_what_nothing_reads_is_refused(path: str, value: object, message: str) -> None:
    with pytest.raises(WorkspaceError, match=message):
        edited(800, path, value)


@pytest.mark.parametrize(
    ("path", "value", "warning"),
    [
        ("project.json", {"room_order": ["rm_first", "rm_x", "rm_second"]},
         "project.json: room_order: there is no room 'rm_x'; it is left out"),
        ("ids.json", {"fonts": ["fnt_big", "fnt_x"]},
         "ids.json: fonts: there is no 'fnt_x'; it is left out"),
        ("ids.json", {"fonts": []},
         "ids.json: fonts/fnt_big is not listed: it gets an id after the others"),
        ("tree.json", [{"root": "Sprites", "children": ["spr_wall", "spr_x"]}],
         "tree.json: there is no 'spr_x' among the sprites; it is left out"),
        ("tree.json", [{"root": "Sprites", "children": [{"group": "a", "children": ["spr_wall"]}]}],
         "tree.json: sprites/spr_player is not listed: it is at the end of its root"),
    ],
)  # fmt: skip
def test_names_of_nothing_are_reported(path: str, value: Any, warning: str) -> None:
    shown = json.loads(unpacked(project_file(800))[1][path])
    content = shown | value if isinstance(value, dict) else [*value, *shown[1:]]
    assert warning in edited(800, path, content)[1]


def test_a_picture_that_is_left_out_is_refused() -> None:
    data = project_file(800)
    content = unpacked(data)[1]
    del content["sprites/spr_player/0.png"]
    with pytest.raises(WorkspaceError, match=r"frames: 0\.png is missing, but there is 1\.png"):
        packed(data, content)


def test_files_that_nothing_reads_any_more_are_reported() -> None:
    data = project_file(800)
    content = unpacked(data)[1]
    content["rooms/rm_first/instances.json"] = b"[]"
    content["objects/obj_player/collision_obj_wall/actions.json"] = b"[]"
    content["included_files.json"] = b"[]"
    _, warnings = packed(data, content)
    reports = [warning.partition(": it belongs to nothing")[0] for warning in warnings]
    assert reports == [
        "included_files/note.txt",
        "objects/obj_player/collision_obj_wall/1.gml",
        "rooms/rm_first/instance_100001.gml",
    ]


# ------------------------------------------------------------------------------ key colours

CLEAR, BLACK, WHITE = (9, 9, 9, 0), (0, 0, 0, 255), (255, 255, 255, 255)


def pixels_of(*rows_of: list[tuple[int, int, int, int]]) -> Any:
    return numpy.array(rows_of, numpy.uint8)


def test_transparent_pixels_get_a_colour_of_their_own() -> None:
    made, words = with_key_colour(pixels_of([BLACK, WHITE], [CLEAR, BLACK]))
    assert made.tolist() == [[[*BLACK], [*WHITE]], [[255, 0, 255, 255], [*BLACK]]]
    assert words == ["1 transparent pixels have the colour #FF00FF"]


def test_the_key_is_none_of_the_visible_colours() -> None:
    magenta, green = (255, 0, 255, 255), (0, 255, 0, 200)
    made, words = with_key_colour(pixels_of([magenta, green], [CLEAR, BLACK]))
    assert made[1, 0].tolist() == [0, 255, 255, 255]
    assert made[0, 1].tolist() == [0, 255, 0, 255]
    assert words[0] == "1 half-transparent pixels became solid or transparent"
    before = pixels_of([BLACK, BLACK], [(1, 2, 3, 255), BLACK])
    assert with_key_colour(pixels_of([CLEAR, BLACK]), before)[0][0, 0, :3].tolist() == [1, 2, 3]
    before[1, 0] = BLACK  # an outline has this colour
    assert with_key_colour(pixels_of([CLEAR, BLACK]), before)[0][0, 0, :3].tolist() == [255, 0, 255]


def test_the_bottom_left_pixel_is_the_key() -> None:
    made, words = with_key_colour(pixels_of([CLEAR, BLACK], [WHITE, BLACK]))
    assert made[1, 0].tolist() == made[0, 0].tolist() == [255, 0, 255, 255]
    assert "the bottom left pixel became transparent, as its colour is the key" in words
    assert "2 transparent pixels have" in words[-1]


def test_pixels_are_visible_from_the_middle_on() -> None:
    made, words = with_key_colour(pixels_of([(1, 1, 1, 127), (2, 2, 2, 128)]))
    assert made.tolist() == [[[255, 0, 255, 255], [2, 2, 2, 255]]]
    assert words[0].startswith("2 half-transparent pixels")
    solid, words = with_key_colour(pixels_of([(1, 1, 1, 130), BLACK]))
    assert solid[0, 0].tolist() == [1, 1, 1, 255] and len(words) == 1


@pytest.mark.parametrize("version", [500, 701])
def test_a_sprite_before_8_takes_a_png_with_alpha(version: int) -> None:
    data = project_file(version)
    content = unpacked(data)[1]
    image = pixels_of([CLEAR, BLACK, CLEAR], [CLEAR, CLEAR, CLEAR])
    content["sprites/spr_player/0.png"] = png.encode(image)
    content["sprites/spr_player/1.png"] = png.encode(image)
    changed, warnings = packed(data, content)
    assert len(warnings) == 2 and all(
        "5 transparent pixels have the colour #" in w for w in warnings
    )
    sprite = instance(OldSprite, read_project(changed).sprites.slots[3].resource)
    assert sprite.frames[0].file is not None
    stored = bmp_pixels(sprite.frames[0].file.data)
    assert stored is not None and stored[0, 1].tolist() == [*BLACK]
    assert (sprite.bbox_left, sprite.bbox_right) == (1, 1)  # the outline is what is visible
    plain = json.loads(content["sprites/spr_player/sprite.json"]) | {"transparent": False}
    content["sprites/spr_player/sprite.json"] = as_json(plain)
    _, warnings = packed(data, content)
    assert "its transparent pixels show" in warnings[-1]


def test_an_opaque_png_stays_as_it_is() -> None:
    data = project_file(701)
    content = unpacked(data)[1]
    content["backgrounds/bg_sky.png"] = picture(16, 8, (1, 2, 3, 255))
    assert packed(data, content)[1] == []
    content["backgrounds/bg_sky.png"] = picture(16, 8, (1, 2, 3, 0))
    assert "128 transparent pixels" in packed(data, content)[1][0]


@pytest.mark.parametrize("version", [500, 701])
def test_a_new_opaque_sprite_is_not_transparent(version: int) -> None:
    """No pixel of it may vanish for having the colour of the bottom left one."""
    data = project_file(version)
    content = unpacked(data)[1]
    solid, holes = pixels_of([BLACK, WHITE], [BLACK, BLACK]), pixels_of([BLACK, CLEAR])
    new = {
        "spr_solid": {"sprite.json": b"{}", "0.png": png.encode(solid)},
        "spr_asked": {"sprite.json": b'{"transparent": true}', "0.png": png.encode(solid)},
        "spr_holes": {"sprite.json": b"{}", "0.png": png.encode(holes)},
        "spr_mixed": {"sprite.json": b"{}", "0.png": png.encode(holes),
                      "1.png": png.encode(solid[:1])},
        "spr_empty": {"sprite.json": b"{}"},
    }  # fmt: skip
    for name, files in new.items():
        content |= {f"sprites/{name}/{path}": value for path, value in files.items()}
    changed, warnings = packed(data, content)
    sprites = {slot.name: slot.resource for slot in read_project(changed).sprites.slots}
    flags = {name: instance(OldSprite, sprites[name]).transparent for name in new}
    assert flags == {
        "spr_solid": 0, "spr_asked": 1, "spr_holes": 1, "spr_mixed": 1, "spr_empty": 1
    }  # fmt: skip
    assert [text for text in warnings if "opaque" in text] == [
        "sprites/spr_mixed/1.png: it is opaque, but its sprite is not: it is transparent where it "
        "has the colour of its bottom left pixel"
    ]
    with overhaul.open(changed) as document:
        frame = document.sprites["spr_solid"].frames[0]  # type: ignore[attr-defined]
        assert frame.pixels.tolist() == solid.tolist()


@pytest.mark.parametrize("version", [500, 701])
def test_a_sprite_that_was_transparent_stays_so(version: int) -> None:
    data = project_file(version)
    content = unpacked(data)[1]
    plain = json.loads(content["sprites/spr_player/sprite.json"]) | {"transparent": True}
    data, _ = packed(data, content | {"sprites/spr_player/sprite.json": as_json(plain)})
    content = unpacked(data)[1]
    del plain["transparent"]
    content["sprites/spr_player/sprite.json"] = as_json(plain)
    content["sprites/spr_player/0.png"] = picture(5, 4, (7, 8, 9, 255))
    changed, warnings = packed(data, content)
    assert warnings == []
    assert instance(OldSprite, read_project(changed).sprites.slots[3].resource).transparent == 1


def test_from_8_on_pictures_have_alpha() -> None:
    data = project_file(800)
    content = unpacked(data)[1]
    content["backgrounds/bg_sky.png"] = picture(16, 8, (1, 2, 3, 77))
    changed, warnings = packed(data, content)
    assert warnings == []
    pixels = png.decode(io.BytesIO(unpacked(changed)[1]["backgrounds/bg_sky.png"]).read())
    assert pixels[3, 3].tolist() == [1, 2, 3, 77]


# ------------------------------------------------------------------------------- new names


def renamed(
    content: dict[str, bytes], old: str, new: str, changed: dict[str, bytes] | None = None
) -> dict[str, bytes]:
    """The folder with a resource's files under another name; ``changed`` are edits of them."""
    moved = {
        (new + path.removeprefix(old) if path.startswith((old + "/", old + ".")) else path): data
        for path, data in content.items()
    }
    return moved | {new + end: data for end, data in (changed or {}).items()}


def names_in(project: Project, section: str) -> list[str]:
    return [slot.name if slot.exists else "" for slot in getattr(project, section).slots]


@every_version
def test_a_folder_that_is_renamed_and_edited_keeps_its_id(version: int) -> None:
    data = project_file(version)
    _, content = unpacked(data)
    plain = json.loads(content["objects/obj_wall/object.json"])
    assert plain["id"] == 1
    edits = {"/object.json": as_json(plain | {"depth": 77, "solid": False, "visible": False})}
    changed, warnings = packed(
        data, renamed(content, "objects/obj_wall", "objects/obj_brick", edits)
    )
    assert "objects/obj_brick is objects/obj_wall under another name, with its id" in warnings
    project = read_project(changed)
    assert names_in(project, "objects")[1] == "obj_brick"
    assert [item.object for item in room_of(project).instances] == [2, 1]
    again = unpacked(changed)[1]
    assert "objects/obj_player/collision_obj_brick/actions.json" in again
    assert json.loads(again["rooms/rm_first/instances.json"])[1]["object"] == "obj_brick"


def test_the_id_says_which_of_two_it_is() -> None:
    data = project_file(800)
    _, content = unpacked(data)
    wall = json.loads(content["objects/obj_wall/object.json"])
    player = json.loads(content["objects/obj_player/object.json"])
    for name in [path for path in content if path.startswith("objects/")]:
        del content[name]
    # the player is now like the wall was, and the wall like the player
    content["objects/obj_one/object.json"] = as_json(wall | {"id": player["id"], "depth": 5})
    content["objects/obj_two/object.json"] = as_json(player | {"id": wall["id"], "depth": 6})
    project = read_project(packed(data, content)[0])
    assert names_in(project, "objects") == ["", "obj_two", "obj_one"]


def test_without_an_id_the_most_alike_is_it() -> None:
    data = project_file(800, {"scripts/scr_b.gml": b"a = 1;\nb = 2;\nc = 3;\n"})
    _, content = unpacked(data)
    assert names_in(read_project(data), "scripts") == ["scr_add", "scr_b"]
    del content["scripts/scr_add.gml"], content["scripts/scr_b.gml"]
    content["scripts/scr_x.gml"] = b"a = 1;\nb = 2;\nc = 4;\n"
    content["scripts/scr_y.gml"] = b"nothing = alike;"
    changed, warnings = packed(data, content)
    assert names_in(read_project(changed), "scripts") == ["", "scr_x", "scr_y"]
    assert warnings == ["scripts/scr_x is scripts/scr_b under another name, with its id"]


def test_a_copy_is_a_new_resource() -> None:
    data = project_file(800)
    _, content = unpacked(data)
    wall = "objects/obj_wall/object.json"
    content["objects/obj_copy/object.json"] = content[wall]
    changed, warnings = packed(data, content)
    assert warnings == []
    assert names_in(read_project(changed), "objects")[1:] == ["obj_wall", "obj_player", "obj_copy"]
    assert json.loads(unpacked(changed)[1]["objects/obj_copy/object.json"])["id"] == 3


def test_an_id_is_changed_in_ids_json_only() -> None:
    data = project_file(800)
    _, content = unpacked(data)
    wall = "objects/obj_wall/object.json"
    plain = json.loads(content[wall])
    with pytest.raises(WorkspaceError, match=r"obj_wall/object\.json: id: it is 1, not 2; see ids"):
        packed(data, content | {wall: as_json(plain | {"id": 2})})
    ids = json.loads(content["ids.json"]) | {"objects": ["obj_wall", "obj_player"]}
    changed, warnings = packed(data, content | {"ids.json": as_json(ids)})
    assert warnings == []
    assert json.loads(unpacked(changed)[1][wall])["id"] == 0


def test_a_number_in_ids_json_is_so_many_ids_of_nothing() -> None:
    data = project_file(800)
    _, content = unpacked(data)
    ids = json.loads(content["ids.json"])
    listed = [2, "obj_player", 1, "obj_wall", 3]
    changed, warnings = packed(data, content | {"ids.json": as_json(ids | {"objects": listed})})
    assert warnings == []
    names = ["", "", "obj_player", "", "obj_wall", "", "", ""]
    assert names_in(read_project(changed), "objects") == names
    again = json.loads(unpacked(changed)[1]["ids.json"])
    assert again == ids | {"objects": listed}


COLLISION = "objects/obj_player/collision_obj_wall/actions.json"


@pytest.mark.parametrize(
    ("given", "slots"),
    [(["1", "2"], 2), (["1"], 3), ([str(n) for n in range(1, 10)], 9), ([], 0), (["x"], 1000)],
)
def test_an_action_has_as_many_slots_as_it_says(given: list[str], slots: int) -> None:
    data = project_file(800)
    _, content = unpacked(data)
    action = {"library": 68903, "id": 4, "argument_count": len(given), "slots": slots}
    edit = {COLLISION: as_json([action | {"arguments": given}])}
    del content[COLLISION.replace("actions.json", "1.gml")]
    changed, warnings = packed(data, content | edit)
    assert warnings == []
    (shown,) = json.loads(unpacked(changed)[1][COLLISION])
    assert (shown["slots"], shown.get("arguments", [])) == (slots, given)


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ({"slots": 1, "arguments": ["1", "2"]}, r"\[0\]\.arguments: 2 arguments, but only 1 slots"),
        ({"arguments": ["1"] * 9}, r"\[0\]\.arguments: 9 arguments, but only 8 slots"),
        ({"slots": 1001}, r"\[0\]\.slots: "),
        ({"slots": -1}, r"\[0\]\.slots: "),
        ({"slots": 0, "file": "1.gml"}, r"\[0\]\.slots: an action with code needs a slot"),
    ],
)
def test_slots_that_an_action_can_not_have_are_refused(action: Any, message: str) -> None:
    with pytest.raises(WorkspaceError, match=r"actions\.json: " + message):
        edited(800, COLLISION, [{"library": 1, "id": 603} | action])


def test_eight_slots_are_the_usual_number() -> None:
    data = project_file(800)
    _, content = unpacked(data)
    actions = [{"action": "code", "file": "1.gml"}, {"action": "begin_group"}]
    content = unpacked(packed(data, content | {COLLISION: as_json(actions)})[0])[1]
    shown = json.loads(content[COLLISION])
    assert [item["action"] for item in shown] == ["code", "begin_group"]
    assert not any("slots" in item for item in shown)


def test_ids_json_and_a_renamed_folder_go_together() -> None:
    data = project_file(800)
    _, content = unpacked(data)
    content = renamed(content, "sprites/spr_wall", "sprites/spr_brick")
    ids = json.loads(content["ids.json"])
    for listed in (["spr_brick", 2, "spr_player"], ["spr_wall", 2, "spr_player"]):
        edit = {"ids.json": as_json(ids | {"sprites": listed})}
        project = read_project(packed(data, content | edit)[0])
        assert names_in(project, "sprites") == ["spr_brick", "", "", "spr_player"]


CODE = b"""x = spr_wall; // spr_wall
draw_text(0, 0, "spr_wall"); other.spr_wall = spr_walls + spr_wall;
"""


def test_code_that_says_the_old_name_is_reported_or_changed() -> None:
    data = project_file(800, {"scripts/scr_use.gml": CODE, "scripts/scr_own.gml": b"var spr_wall;"})
    _, content = unpacked(data)
    content = renamed(content, "sprites/spr_wall", "sprites/spr_brick")
    _, warnings = packed(data, content)
    assert warnings == [
        "scripts/scr_own.gml:1: spr_wall is spr_brick now",
        *["scripts/scr_use.gml:1: spr_wall is spr_brick now"] * 2,
        *["scripts/scr_use.gml:2: spr_wall is spr_brick now"] * 3,
    ]
    changed, warnings = packed(data, content, rewrite_code=True)
    assert unpacked(changed)[1]["scripts/scr_use.gml"] == (
        CODE.replace(b"x = spr_wall", b"x = spr_brick").replace(b"+ spr_wall", b"+ spr_brick")
    )
    assert unpacked(changed)[1]["scripts/scr_own.gml"] == b"var spr_wall;"
    assert len(warnings) == 4


def test_arguments_of_actions_are_code_too() -> None:
    kill = {"action": "action_kill_object"}
    actions = [kill, {"action": "action_set_hspeed", "arguments": ["sprite_get_width(spr_wall)"]}]
    path = "objects/obj_player/alarm_0/actions.json"
    data = project_file(800, {path: as_json(actions)})
    _, content = unpacked(data)
    content = renamed(content, "sprites/spr_wall", "sprites/spr_brick")
    _, (warning,) = packed(data, content)
    assert warning.startswith(path) and warning.endswith("spr_wall is spr_brick now")
    changed, warnings = packed(data, content, rewrite_code=True)
    assert warnings == []
    assert b"sprite_get_width(spr_brick)" in unpacked(changed)[1][path]


def test_a_name_that_another_resource_has_now_is_no_mention() -> None:
    data = project_file(800, {"scripts/scr_use.gml": b"x = spr_wall;"})
    _, content = unpacked(data)
    content = renamed(content, "sprites/spr_wall", "sprites/spr_brick")
    content["sounds/spr_wall.json"] = b"{}"
    assert packed(data, content)[1] == []


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("a = old", "a = new"),
        ("old_ = old1 + Xold + old", "old_ = old1 + Xold + new"),
        ("a = old == old", "a = new == new"),
        ("old = 1; b = old", "old = 1; b = old"),
        ("old += 1; b = old", "old += 1; b = old"),
        ("var a, old; b = old", "var a, old; b = old"),
        ("globalvar old; b = old", "globalvar old; b = old"),
        ("b = a . old + old", "b = a . old + new"),
        ("/* old */ b = old // old", "/* old */ b = new // old"),
        ("b = 'old' + \"old\" + old", "b = 'old' + \"old\" + new"),
        ('b = "// " + old', 'b = "// " + new'),
        ("other.old = 1; b = old", "other.old = 1; b = new"),
    ],
)
def test_words_that_are_certainly_meant(code: str, expected: str) -> None:
    assert with_new_names(code, {"old": "new"}) == expected


@every_version
def test_last_ids_that_are_low_stay_so_until_something_is_numbered(version: int) -> None:
    project = read_project(project_file(version))
    project.last_instance_id, project.last_tile_id = 100001, 10000001
    data = write_project(project)
    content = unpacked(data)[1]
    # instance 100002 is above the last id, tile 10000001 is it
    assert json.loads(content["project.json"])["low_last_ids"] == ["last_instance_id"]
    assert packed(data, content, from_scratch=True) == (data, [])
    placed = [*json.loads(content["rooms/rm_first/instances.json"]), {"object": "obj_wall"}]
    content["rooms/rm_first/instances.json"] = as_json(placed)
    for from_scratch in (False, True):
        changed = read_project(packed(data, content, from_scratch=from_scratch)[0])
        assert (changed.last_instance_id, changed.last_tile_id) == (100003, 10000001)
    assert "low_last_ids" not in json.loads(unpacked(project_file(version))[1]["project.json"])


@every_version
def test_code_that_names_what_is_gone_is_listed(version: int) -> None:
    data = project_file(version)
    content = unpacked(data)[1]
    content["scripts/scr_add.gml"] = (
        b"// spr_wall\r\nvar a;\r\na = spr_wall + other.spr_wall;\r\n"
        b"show_message('spr_wall'); b = spr_wall; c = spr_wall;"
    )
    content["rooms/rm_first/creation.gml"] = b"var spr_wall; spr_wall = 4; x = spr_wall;"
    actions = json.loads(content["objects/obj_player/collision_obj_wall/actions.json"])
    actions[6]["arguments"][1] = "spr_wall + 1"
    content["objects/obj_player/collision_obj_wall/actions.json"] = as_json(actions)
    content["objects/obj_wall/object.json"] = as_json({"solid": True})
    data, warnings = packed(data, content)
    assert warnings == []
    content = unpacked(data)[1]
    shown = content["objects/obj_player/collision_obj_wall/actions.json"].decode().split("\n")
    line = next(number for number, text in enumerate(shown, 1) if "spr_wall + 1" in text)
    del content["sprites/spr_wall/sprite.json"]
    changed, warnings = packed(data, content)
    gone = "the line names spr_wall, but sprites/spr_wall is gone"
    assert [text for text in warnings if "names" in text] == [
        f"objects/obj_player/collision_obj_wall/actions.json:{line}: {gone}",
        f"scripts/scr_add.gml:3: {gone}",
        f"scripts/scr_add.gml:4: {gone}",
    ]
    # another resource of the name is there
    content["scripts/spr_wall.gml"] = b"return 1;"
    assert not any("names" in text for text in packed(data, content)[1])
    assert not read_project(changed).sprites.slots[0].exists


CONSTANTS = [
    {"name": "WALL", "value": "spr_wall + 1"},
    {"name": "TEXT", "value": "'spr_wall'"},
    {"name": "spr_wall_2", "value": "spr_wall"},
]


@pytest.mark.parametrize("version", [530, 701, 810])
def test_constants_name_resources_too(version: int) -> None:
    data, _ = packed(
        project_file(version),
        unpacked(project_file(version))[1] | {"constants.json": as_json(CONSTANTS)},
    )
    content = unpacked(data)[1]
    gone = {path: value for path, value in content.items() if "sprites/spr_wall/" not in path}
    del gone["objects/obj_wall/object.json"]
    warnings = [text for text in packed(data, gone)[1] if text.startswith("constants.json")]
    assert warnings == [
        "constants.json:2: the line names spr_wall, but sprites/spr_wall is gone",
        "constants.json:4: the line names spr_wall, but sprites/spr_wall is gone",
    ]
    moved = {path.replace("/spr_wall/", "/spr_rock/"): value for path, value in content.items()}
    _, warnings = packed(data, moved)
    assert "constants.json:2: spr_wall is spr_rock now" in warnings
    changed, warnings = packed(data, moved, rewrite_code=True)
    assert [text for text in warnings if " now" in text] == [
        "constants.json:3: spr_wall is spr_rock now"
    ]
    values = [row["value"] for row in json.loads(unpacked(changed)[1]["constants.json"])]
    assert values == ["spr_rock + 1", "'spr_wall'", "spr_rock"]


def test_a_list_of_what_names_the_gone_ends() -> None:
    data = project_file(800)
    content = unpacked(data)[1] | {"scripts/scr_add.gml": b"a = snd_jump;\n" * 25}
    data, _ = packed(data, content)
    content = unpacked(data)[1]
    del content["sounds/snd_jump.json"], content["sounds/snd_jump.wav"]
    warnings = [text for text in packed(data, content)[1] if "name" in text]
    assert len(warnings) == 21
    assert warnings[-1] == "6 more lines of code name removed resources"  # the trigger's event, too


@every_version
def test_a_file_is_renamed_with_the_resource_that_it_belongs_to(version: int) -> None:
    data = project_file(version)
    content = unpacked(data)[1]
    moved = {"sounds/snd_jump": ("sounds/snd_leap", (".json", ".wav"))}
    if version < 600:
        moved["data_files/readme"] = ("data_files/notes", (".json", ".txt"))
    for old, (new, endings) in moved.items():
        for ending in endings:
            content[new + ending] = content.pop(old + ending)
    changed, warnings = packed(data, content)
    assert [text for text in warnings if not text.endswith("snd_jump is snd_leap now")] == []
    files = unpacked(changed)[1]
    assert files["sounds/snd_leap.wav"] == content["sounds/snd_leap.wav"]
    assert json.loads(files["sounds/snd_leap.json"])["file"] == "snd_leap.wav"
    assert "sounds/snd_jump.json" not in files
    if version < 600:
        assert files["data_files/notes.txt"] == b"read me"


def test_a_sound_of_another_format_is_reported() -> None:
    data = project_file(800)
    content = unpacked(data)[1] | {"sounds/snd_jump.wav": b"OggS and more"}
    changed, warnings = packed(data, content)
    assert warnings == [
        "sounds/snd_jump.wav: it is a sound of the format OGG, but its file type is .wav: Game "
        "Maker may not play it"
    ]
    # once it is so, it is not reported again
    content = unpacked(changed)[1]
    plain = json.loads(content["sounds/snd_jump.json"])
    content["sounds/snd_jump.json"] = as_json(plain | {"volume": 0.5})
    assert packed(changed, content)[1] == []
    content["sounds/snd_jump.json"] = as_json(plain | {"file_type": ".mp3"})
    assert "its file type is .mp3" in packed(changed, content)[1][0]
    content["sounds/snd_jump.json"] = as_json(plain | {"file_type": ".ogg"})
    assert packed(changed, content)[1] == []
    content["sounds/snd_jump.json"] = as_json(plain | {"file_type": ".mod"})
    assert packed(changed, content)[1] == []


@pytest.mark.parametrize("version", [800, 810])
def test_code_makes_a_trigger(version: int) -> None:
    data = project_file(version)
    content = unpacked(data)[1] | {"triggers/t_new.gml": b"x > 9"}
    content["objects/obj_player/trigger_t_new.gml"] = b"x = 0;"
    changed, warnings = packed(data, content)
    assert warnings == []
    slot = read_project(changed).triggers.slots[-1]
    assert slot.resource is not None
    assert (slot.name, slot.resource.condition, slot.resource.moment) == ("t_new", "x > 9", 0)
    files = unpacked(changed)[1]
    assert files["objects/obj_player/trigger_t_new.gml"] == b"x = 0;"
    del files["triggers/t_new.gml"], files["triggers/t_new.json"]
    del files["objects/obj_player/trigger_t_new.gml"]
    assert not read_project(packed(changed, files)[0]).triggers.slots[-1].exists


@every_version
@pytest.mark.parametrize("from_scratch", [False, True])
def test_an_empty_project_json_is_refused(version: int, from_scratch: bool) -> None:
    data = project_file(version)
    content = unpacked(data)[1] | {"project.json": b"{}"}
    with pytest.raises(WorkspaceError, match=r"project\.json: expected the fields of a project"):
        packed(data, content, from_scratch=from_scratch)


def test_uses_of_an_object_are_its_collisions_too_and_no_lists(tmp_path: Path) -> None:
    path = tmp_path / "game.gmk"
    path.write_bytes(project_file(800, {"objects/obj_wall/collision_obj_wall.gml": b"x = 1;"}))
    with overhaul.open(path) as document:
        result = list(uses(Workers(path, document), "obj_wall"))
        of_trigger = list(uses(Workers(path, document), "low_health"))
    paths = [match.path for match in result]
    assert "objects/obj_player/collision_obj_wall/actions.json" in paths
    assert "objects/obj_wall/collision_obj_wall.gml" in paths
    assert "rooms/rm_first/instances.json" in paths
    assert not {"ids.json", "tree.json", "dates.json"} & set(paths)
    assert [m[:2] for m in of_trigger] == [("objects/obj_player/trigger_low_health.gml", 1)]
    assert of_trigger[0].text == "sound_play(snd_jump);"


def test_packing_changes_code_when_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "game.gmk"
    source.write_bytes(project_file(800, {"scripts/scr_use.gml": b"x = spr_wall;"}))
    overhaul.unpack(source, tmp_path / "game")
    (tmp_path / "game/sprites/spr_wall").rename(tmp_path / "game/sprites/spr_brick")
    done = overhaul.pack(tmp_path / "game", tmp_path / "told.gmk")
    assert done.warnings == ["scripts/scr_use.gml:1: spr_wall is spr_brick now"]
    code = main(["pack", str(tmp_path / "game"), "-o", str(tmp_path / "2.gmk"), "--rewrite-code"])
    assert code == 0
    assert "still says" not in capsys.readouterr().err
    _, content = unpacked((tmp_path / "2.gmk").read_bytes())
    assert content["scripts/scr_use.gml"] == b"x = spr_brick;"
    assert (tmp_path / "game/scripts/scr_use.gml").read_bytes() == b"x = spr_wall;"


def test_likeness() -> None:
    one = {".json": b'{"a": 1, "b": [1, 2]}', ".png": b"1"}
    assert likeness(one, one) == 1
    assert likeness(one, {**one, ".png": b"2"}) == 0.5
    assert likeness(one, {".json": one[".json"]}) == 0.5
    assert likeness(one, {**one, ".json": b'{"a": 1, "b": [1, 3]}'}) == (1 + 2 / 4) / 2
    assert likeness({".gml": b"a\nb"}, {".gml": b" a\r\nb\nc"}) == 2 / 3
    assert likeness({}, {}) == 0


def test_what_opens_as_another_kind_of_file_is_not_written(tmp_path: Path) -> None:
    """Only packages of version 700 are hidden; what another one gives begins as a project does."""
    made = ExtensionDocument(Package(version=743, name="maggots"))
    (tmp_path / "a.ged").write_bytes(made.to_bytes())
    overhaul.unpack(tmp_path / "a.ged", tmp_path / "a")
    settings = tmp_path / "a" / "overhaul.toml"
    settings.write_text(settings.read_text() + "\n[settings]\nseed = 5\n")
    with pytest.raises(overhaul.OverhaulError, match=r"overhaul\.toml"):
        overhaul.pack(tmp_path / "a", tmp_path / "b.ged")
    assert not (tmp_path / "b.ged").exists()
