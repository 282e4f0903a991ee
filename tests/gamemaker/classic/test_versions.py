"""A project made by hand, of every version: written, read, unpacked, changed, packed."""

from __future__ import annotations

import json
import re
import struct
import zlib
from pathlib import Path

import numpy
import pytest

import overhaul
from handmade_project import VERSIONS, as_json, packed, picture, project_file, unpacked
from overhaul.errors import EncodeError, FormatError, UnsupportedVersion, WorkspaceError
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.classic.records import read_project, write_project
from overhaul.gamemaker.classic.resources import OldSprite
from overhaul.gamemaker.classic_folder.project import FORMAT
from overhaul.media import png
from overhaul.schema import Record
from present import opened, present

every_version = pytest.mark.parametrize("version", VERSIONS)


@every_version
def test_written_and_read(version: int) -> None:
    data = project_file(version)
    with overhaul.open(data) as document:
        assert (document.kind, document.version) == ("gamemaker-project", str(version))
        assert document.to_bytes() == data
        counts = document.info()["resources"]
        assert isinstance(counts, dict)
        assert {counts[kind] for kind in ("sprites", "objects", "rooms")} == {2}
        coverage = document.coverage()
        assert coverage.total == len(data) and coverage.opaque == 0 < coverage.media
    project = read_project(data)
    names = [slot.name for slot in project.sprites.slots]
    assert names == ["spr_wall", "", "", "spr_player"]
    player = present(
        next(slot.resource for slot in project.objects.slots if slot.name == "obj_player")
    )
    assert player.sprite == 3 and player.last_category == (11 if version >= 800 else 10)
    assert [event.sub_type for event in player.categories[3]] == [2, 0]
    collision = player.categories[4][0]
    assert collision.sub_type == 1  # obj_wall stands second in ids.json, behind a deleted object
    actions = collision.actions.actions
    assert actions[0].arguments[:3] == ["1", "0", "8"] and actions[0].negated == 1
    assert actions[2].arguments[0] == "move_bounce_solid(true);"
    assert [action.relative for action in actions] == [0, 0, 0, 1, 0, 0, 0, 0]
    assert [action.negated for action in actions] == [1, 0, 0, 0, 0, 0, 0, 0]
    assert [action.applies_to for action in actions] == [-1, -1, -1, -2, -1, -1, 1, -1]
    assert actions[6].applies_to == 1 and actions[6].arguments[0] == "3"
    assert (actions[7].library_id, actions[7].arguments) == (68903, ["hello", *["0"] * 7])
    created = player.categories[0][0].actions.actions
    assert [(action.action_id, action.kind, action.exec_type) for action in created] == [
        (603, 7, 2)
    ]
    assert created[0].argument_kinds == [1, *[0] * 7]
    room = present(project.rooms.slots[0].resource)
    assert room.instances[0].creation_code == "lives = 3;"
    assert (room.tiles[0].y, room.tiles[0].depth, len(room.views)) == (16, 1000000, 8)
    assert room.background_colour == 0x302010
    assert project.room_order.rooms == [1, 0]


@every_version
def test_unpacked_and_packed(version: int) -> None:
    data = project_file(version)
    _, content = unpacked(data)
    assert "objects/obj_player/create.gml" in content
    assert packed(data, content) == (data, [])
    assert packed(data, content, from_scratch=True) == (data, [])


@every_version
def test_longer_names_everywhere(version: int) -> None:
    """Every name and text grows; everything else reads as before."""
    data = project_file(version)
    before, after = read_project(data), read_project(data)
    lengthen(after)
    grown = write_project(after)
    assert len(grown) > len(data)
    again = read_project(grown)
    assert shortened(again) == shortened(before)
    assert write_project(again) == grown
    with overhaul.open(grown) as document:
        assert document.to_bytes() == grown


MORE = "_and_a_good_deal_more"


def lengthen(record: object) -> None:
    if isinstance(record, list):
        for item in record:
            lengthen(item)
    elif isinstance(record, Record):
        for name in record.__struct_fields__:
            value = getattr(record, name)
            if isinstance(value, str) and name not in ("encoding", "file_type"):
                setattr(record, name, value + MORE)
            elif isinstance(value, list) and value and isinstance(value[0], str):
                setattr(record, name, [text + MORE for text in value])
            else:
                lengthen(value)


def shortened(record: object) -> object:
    """The record as plain values, without what was added and without how it was compressed."""
    if isinstance(record, list):
        return [shortened(item) for item in record]
    if isinstance(record, str):
        return record.removesuffix(MORE)
    if isinstance(record, Record):
        left_out = ("kept", "rest", "content_size")
        return {
            name: shortened(getattr(record, name))
            for name in record.__struct_fields__
            if name not in left_out
        }
    return record


@every_version
def test_a_changed_script_changes_nothing_else(version: int) -> None:
    data = project_file(version)
    _, content = unpacked(data)
    content["scripts/scr_add.gml"] = b"return 42; // \xc3\xa9"
    changed, warnings = packed(data, content)
    assert warnings == []
    before, after = read_project(data), read_project(changed)
    assert present(after.scripts.slots[0].resource).code == "return 42; // é"
    present(after.scripts.slots[0].resource).code = present(before.scripts.slots[0].resource).code
    assert shortened(after) == shortened(before)


@every_version
def test_resources_come_and_go(version: int) -> None:
    data = project_file(version)
    _, content = unpacked(data)
    content["objects/obj_new/object.json"] = as_json({"sprite": "spr_new", "parent": "obj_player"})
    content["objects/obj_new/create.gml"] = b"a = 1;"
    content["sprites/spr_new/0.png"] = picture(7, 3, (9, 8, 7, 255))
    keyed = {} if version >= 800 else {"transparent": True}
    content["sprites/spr_new/sprite.json"] = as_json(keyed)
    content["rooms/rm_third/room.json"] = b"{}"
    content["rooms/rm_third/instances.json"] = as_json([{"id": 100500, "object": "obj_new"}])
    for path in [path for path in content if path.startswith(("scripts/", "rooms/rm_second/"))]:
        del content[path]
    changed, warnings = packed(data, content)
    assert warnings == []
    project = read_project(changed)
    new = project.objects.slots[-1]
    made = present(new.resource)
    assert (new.name, made.parent) == ("obj_new", 2)
    sprite = project.sprites.slots[made.sprite]
    assert sprite.name == "spr_new"
    # before 8.0 the colour of the bottom left pixel is transparent: only one pixel has another
    assert box(sprite.resource) == ((0, 6, 2, 0) if version >= 800 else (0, 0, 0, 0))
    assert not project.scripts.slots[0].exists
    assert project.room_order.rooms == [0, 2]
    assert project.last_instance_id == 100500
    roots = {root.name: [child.name for child in root.children] for root in project.tree}
    assert roots["Scripts"] == [] and roots["Rooms"] == ["rm_first", "rm_third"]
    assert roots["Objects"][-1] == "obj_new"
    _, files = unpacked(changed)
    assert json.loads(files["objects/obj_new/object.json"])["parent"] == "obj_player"
    assert packed(changed, files, from_scratch=True)[0] == changed


def box(sprite: object) -> tuple[int, ...]:
    return tuple(getattr(sprite, f"bbox_{side}") for side in ("left", "right", "bottom", "top"))


@every_version
def test_a_picture_of_another_size(version: int) -> None:
    """What follows from the pictures follows them; what was set by hand stays."""
    data = project_file(version)
    _, content = unpacked(data)
    sprite = json.loads(content["sprites/spr_player/sprite.json"])
    assert not [name for name in sprite if name in ("width", "height", "bbox_right")]
    larger = numpy.zeros((20, 30, 4), numpy.uint8)
    larger[:, :, 3] = 0 if version >= 800 else 255
    larger[5:8, 10:13] = 255
    for index in range(2):
        content[f"sprites/spr_player/{index}.png"] = png.encode(larger)
    content["backgrounds/bg_sky.png"] = png.encode(larger)
    for scratch in (False, True):
        changed, warnings = packed(data, content, from_scratch=scratch)
        assert warnings == []
        project = read_project(changed)
        new = project.sprites.slots[3].resource
        assert box(new) == (10, 12, 7, 5)
        background = present(project.backgrounds.slots[0].resource)
        if version < 800:
            assert isinstance(new, OldSprite)
            assert (new.width, new.height) == (background.width, background.height) == (30, 20)

    for mode, expected in ((1, (0, 29, 19, 0)), (2, (1, 2, 3, 4))):
        numbers = {"bbox_left": 1, "bbox_right": 2, "bbox_bottom": 3, "bbox_top": 4}
        sprite |= {"bbox_mode": mode} | (numbers if mode == 2 else {})
        content["sprites/spr_player/sprite.json"] = as_json(sprite)
        changed, _ = packed(data, content)
        assert box(read_project(changed).sprites.slots[3].resource) == expected

    content["sprites/spr_player/1.png"] = picture(5, 4, (0, 255, 0, 255))
    _, warnings = packed(data, content)
    assert len(warnings) == 1 and "one size, not 30 by 20 and 5 by 4" in warnings[0]


@every_version
def test_a_sound_of_another_kind(version: int) -> None:
    data = project_file(version)
    _, content = unpacked(data)
    sound = json.loads(content["sounds/snd_jump.json"])
    assert "file_type" not in sound
    content["sounds/snd_jump.json"] = as_json(sound | {"file": "leap.mp3"})
    content["sounds/leap.mp3"] = b"ID3 and so on"
    del content["sounds/snd_jump.wav"]
    for scratch in (False, True):
        changed, warnings = packed(data, content, from_scratch=scratch)
        assert warnings == []
        _, again = unpacked(changed)
        assert again["sounds/snd_jump.mp3"] == b"ID3 and so on"
        assert present(read_project(changed).sounds.slots[0].resource).file_type == ".mp3"


@every_version
def test_a_resource_gets_another_name(version: int) -> None:
    data = project_file(version)
    _, content = unpacked(data)
    plain = json.loads(content["objects/obj_wall/object.json"])
    content["objects/obj_wall/object.json"] = as_json(plain | {"name": "a brick/wall"})
    changed, _ = packed(data, content)
    project = read_project(changed)
    assert project.objects.slots[1].name == "a brick/wall"
    roots = {root.name: [child.name for child in root.children] for root in project.tree}
    assert "a brick/wall" in roots["Objects"]
    _, files = unpacked(changed)
    assert "objects/a brick%2Fwall/object.json" in files
    assert "objects/obj_player/collision_a brick%2Fwall/actions.json" in files
    assert packed(changed, files, from_scratch=True)[0] == changed


@every_version
def test_renamed_files_are_the_same_resource(version: int) -> None:
    """Its id stays, and who refers to it, by the old name or the new, still means it."""
    data = project_file(version)
    _, content = unpacked(data)
    for old, new in (
        ("objects/obj_wall/", "objects/obj_stone/"),
        ("sprites/spr_wall/", "sprites/spr_stone/"),
        ("scripts/scr_add.", "scripts/scr_sum."),
    ):
        for path in [path for path in content if path.startswith(old)]:
            content[new + path.removeprefix(old)] = content.pop(path)
    content["rooms/rm_first/room.json"] = as_json({"caption": "read again"})
    changed, warnings = packed(data, content)
    assert warnings == []
    before, after = read_project(data), read_project(changed)
    for kind, index, name in (
        ("objects", 1, "obj_stone"), ("sprites", 0, "spr_stone"), ("scripts", 0, "scr_sum")
    ):  # fmt: skip
        old_slot, slot = (getattr(project, kind).slots[index] for project in (before, after))
        assert (slot.name, slot.resource) == (name, old_slot.resource)
        assert len(getattr(after, kind).slots) == len(getattr(before, kind).slots)
    assert present(after.rooms.slots[0].resource).instances[1].object == 1
    names = [node.name for root in after.tree for node in root.children]
    assert "obj_stone" in names and "obj_wall" not in names


@every_version
def test_what_still_refers_to_a_deleted_resource_is_reported(version: int) -> None:
    data = project_file(version)
    _, content = unpacked(data)
    content = {path: made for path, made in content.items() if "/obj_wall/" not in path}
    changed, warnings = packed(data, content)
    assert warnings == [
        "objects/obj_wall is gone, but objects/obj_player and rooms/rm_first refer to it"
    ]
    assert present(read_project(changed).rooms.slots[0].resource).instances[1].object == 1


@every_version
def test_broken_files_of_the_folder_say_so(version: int) -> None:
    data = project_file(version)
    faults = {
        "objects/obj_player/object.json": (b'{"sprite": "spr_nobody"}', "spr_nobody"),
        "objects/obj_wall/object.json": (b"{", "not valid JSON"),
        "objects/obj_player/collision_obj_wall/actions.json": (b'[{"action": "x"}]', "'x'"),
        "rooms/rm_first/instances.json": (b'[{"id": 1, "nothing": 2}]', "nothing"),
        "sprites/spr_player/0.png": (b"no picture", "PNG"),
        "tree.json": (b"[]", "roots"),
        "ids.json": (b'{"sprites": [true, {}]}', "sprites"),
        "project.json": (b'{"guid": "00"}', "guid"),
        "settings.json": (b'{"priority": "?"}', "priority"),
    }
    for path, (broken, words) in faults.items():
        _, content = unpacked(data)
        content[path] = broken
        with pytest.raises(WorkspaceError, match=re.escape(words)) as caught:
            packed(data, content)
        assert str(caught.value).startswith(path.rpartition("/")[0])


@pytest.mark.sampled(2)
@every_version
def test_every_cut_is_refused(version: int) -> None:
    data = project_file(version)
    step = 1 if version in (600, 800) else 37
    for length in range(0, len(data), step):
        with pytest.raises(FormatError):
            document = overhaul.open(data[:length])
            document.info()


def test_other_versions_are_refused() -> None:
    data = bytearray(project_file(800))
    for version in (430, 520, 702, 820, -1):
        data[4:8] = struct.pack("<i", version)
        with pytest.raises(UnsupportedVersion, match=re.escape(str(version))):
            overhaul.open(bytes(data))


def test_a_section_of_another_version_is_refused() -> None:
    data = project_file(600)
    project = read_project(data)
    project.sounds.version = 401
    with pytest.raises(EncodeError, match="401"):
        write_project(project)


def bomb(size: int) -> bytes:
    machine = zlib.compressobj(9)
    # behind a full flush a piece refers to none before it; only the checksum at the end is wrong
    first, piece = (
        machine.compress(bytes(1 << 20)) + machine.flush(zlib.Z_FULL_FLUSH) for _ in range(2)
    )
    return first + piece * ((size >> 20) - 1) + machine.flush()


def test_a_bomb_does_not_go_off() -> None:
    stream = bomb(600 << 20)
    project = read_project(project_file(800))
    project.scripts.slots[0].kept = stream
    head = write_project(read_project(project_file(800)))
    position = head.index(project.settings.kept)
    broken = head[: position - 4] + struct.pack("<i", len(stream)) + stream
    with pytest.raises(FormatError, match="beyond the limit"):
        overhaul.open(broken).info()


def test_deep_trees_end() -> None:
    project = read_project(project_file(600))
    node = project.tree[0]
    for _ in range(5000):
        child = type(node)(2, 2, 0, "deeper")
        node.children = [child]
        node = child
    project.tree[0].children = project.tree[0].children[:1]
    data = project_file(600)
    deep = struct.pack("<iii i6s i", 2, 2, 0, 6, b"deeper", 1) * 5000
    at = data.index(struct.pack("<iiii", 1, 2, 0, 7) + b"Sprites")
    broken = data[: at + 23] + struct.pack("<i", 1) + deep
    with pytest.raises(FormatError, match="deep"):
        overhaul.open(broken).info()


def test_text_beyond_the_code_page_is_refused() -> None:
    project = read_project(project_file(600))
    present(project.scripts.slots[0].resource).code = "日本"
    with pytest.raises(EncodeError, match="cp1252"):
        write_project(project)


def test_the_code_page_is_taken_from_the_game_information() -> None:
    project = read_project(project_file(600))
    project.encoding = "cp1253"
    project.information.text = b"{\\rtf1\\ansi\\ansicpg1253 }\0"
    present(project.scripts.slots[0].resource).code = "// Ελλάδα"
    again = read_project(write_project(project))
    assert again.encoding == "cp1253"
    assert present(again.scripts.slots[0].resource).code == "// Ελλάδα"


def test_the_code_page_is_known_before_it_is_needed() -> None:
    project = read_project(project_file(701))
    project.information.text = b"{\\rtf1\\ansi\\ansicpg1251 }\0"
    data = write_project(project)
    document, content = unpacked(data)
    assert FORMAT.settings(document) == {"encoding": "cp1251"}
    content["scripts/scr_add.gml"] = "// Привет".encode()
    changed, _ = packed(data, content)
    assert present(read_project(changed).scripts.slots[0].resource).code == "// Привет"
    assert (
        present(read_project(changed, encoding="latin-1").scripts.slots[0].resource).code
        == "// Ïðèâåò"
    )


def greek() -> bytes:
    """A project where only the game information names the encoding of texts."""
    project = read_project(project_file(701))
    project.encoding = "cp1253"
    project.information.text = b"{\\rtf1\\ansi\\ansicpg1253 Information}\0"
    project.scripts.slots[0].name = "Ελλάδα"
    return write_project(project)


def test_the_encoding_stays_without_the_game_information() -> None:
    data = greek()
    _, content = unpacked(data)
    assert "scripts/Ελλάδα.gml" in content
    del content["game_information.rtf"]
    changed, warnings = packed(data, content)
    assert warnings == [
        "game_information.rtf: nothing else says that the project's texts are cp1253: "
        "an empty one that does is written"
    ]
    _, again = unpacked(changed)
    assert again.pop("game_information.rtf") == b"{\\rtf1\\ansi\\ansicpg1253\\deff0\\pard\\par}"
    assert again == content


@pytest.mark.parametrize(
    ("text", "encoding"), [(b"{\\rtf1 x}", "cp1252"), (b"\\ansicpg1251", "cp1251")]
)
def test_game_information_of_another_encoding_is_reported(text: bytes, encoding: str) -> None:
    data = greek()
    _, content = unpacked(data)
    content["game_information.rtf"] = text
    _, warnings = packed(data, content)
    assert warnings == [
        f"overhaul.toml: encoding: texts are written as cp1253, but read from the packed file as "
        f"{encoding}: game_information.rtf should name the code page (\\ansicpg)"
    ]


def test_no_information_is_needed_where_nothing_needs_telling() -> None:
    for version in (701, 810):
        data = project_file(version)
        _, content = unpacked(data)
        del content["game_information.rtf"]
        changed, warnings = packed(data, content)
        assert warnings == []
        assert read_project(changed).information.text in (b"", b"\0")


@pytest.mark.parametrize("page", ["037", "500", "864", "99999", "65001"])
def test_code_pages_that_are_none(page: str) -> None:
    """What is no superset of ASCII is not believed (65001 is UTF-8)."""
    project = read_project(project_file(600))
    project.information.text = b"{\\rtf1\\ansi\\ansicpg%s }\0" % page.encode()
    project.encoding = "latin-1"
    present(project.scripts.slots[0].resource).code = "// \xe9\xff%"
    data = write_project(project)
    again = read_project(data)
    assert again.encoding == ("cp65001" if page == "65001" else "cp1252")
    assert write_project(again) == data


def test_bytes_that_are_no_text_stay() -> None:
    project = read_project(project_file(800))
    present(project.scripts.slots[0].resource).code = "// \udc81\udc8d"
    data = write_project(project)
    assert present(read_project(data).scripts.slots[0].resource).code == "// \udc81\udc8d"
    _, content = unpacked(data)
    assert packed(data, content, from_scratch=True)[0] == data


def test_resources_by_name() -> None:
    with opened(project_file(800), ProjectDocument) as document:
        sprites = document["sprites"]
        assert sprites.names() == ["spr_wall", "spr_player"]
        assert sprites["spr_player"] is sprites[1]
        assert len(sprites["spr_player"].frames) == 2
        for missing in "spr_nobody", "":
            with pytest.raises(KeyError):
                sprites[missing]
        with pytest.raises(KeyError):
            document["potatoes"]


def test_files_that_belong_to_nothing_are_reported() -> None:
    data = project_file(800)
    _, content = unpacked(data)
    content["notes.txt"] = b"remember the milk"
    content["sounds/lonely.wav"] = b"RIFF"
    changed, warnings = packed(data, content)
    assert changed == data
    assert [warning.split(":")[0] for warning in warnings] == ["notes.txt", "sounds/lonely.wav"]
    content["sounds/snd_two.json"] = as_json({"file": "lonely.wav"})
    changed, warnings = packed(data, content)
    assert warnings == [
        "sounds/lonely.wav: it is no sound, but its file type is .wav: Game Maker may not play it",
        "notes.txt: it belongs to nothing in the project and is not used",
    ]
    assert present(read_project(changed).sounds.slots[1].resource).data == b"RIFF"


def test_what_no_field_accounts_for_is_kept() -> None:
    project = read_project(project_file(810))
    project.objects.slots[1].rest = b"more"
    project.settings.rest = b"and more"
    data = write_project(project)
    with overhaul.open(data) as document:
        assert document.to_bytes() == data
        assert {item.path for item in document.coverage().details} == {
            "settings",
            "objects.slots[1]",
        }
    _, content = unpacked(data)
    assert packed(data, content, from_scratch=True)[0] == data


def test_the_file_with_a_character_that_the_encoding_lacks_is_named(tmp_path: Path) -> None:
    (tmp_path / "game.gmk").write_bytes(project_file(701))
    overhaul.unpack(tmp_path / "game.gmk", tmp_path / "game")
    sources = sorted((tmp_path / "game").rglob("*.gml"))
    assert len(sources) >= 2
    for source in sources:
        source.write_text("// fine\n", "cp1252")
    sources[-1].write_text("// fine\nx = '\u65e5';\n", "utf-8")
    name = sources[-1].relative_to(tmp_path / "game").as_posix()
    for from_scratch in (False, True):
        with pytest.raises(WorkspaceError) as caught:
            overhaul.pack(tmp_path / "game", tmp_path / "new.gmk", from_scratch=from_scratch)
        assert str(caught.value) == (
            f"{name}:2:6: '\u65e5' does not exist in the project's encoding, cp1252"
        )


@pytest.mark.parametrize("escaped", [False, True])
def test_a_picture_is_not_the_file_with_a_character(tmp_path: Path, escaped: bool) -> None:
    """Bytes of a picture may be those of a character, and JSON may have an escape for it."""
    (tmp_path / "game.gmk").write_bytes(project_file(701))
    overhaul.unpack(tmp_path / "game.gmk", tmp_path / "game")
    settings = tmp_path / "game/settings.json"
    values = json.loads(settings.read_text("utf-8"))
    values["author"] = "a\u0301"
    settings.write_text(json.dumps(values, ensure_ascii=escaped), "utf-8")
    picture = next((tmp_path / "game").rglob("*.png"))
    extra = b"tEXtk\0\xcc\x81"
    data = picture.read_bytes()
    chunk = (len(extra) - 4).to_bytes(4, "big") + extra + zlib.crc32(extra).to_bytes(4, "big")
    picture.write_bytes(data[:33] + chunk + data[33:])
    for from_scratch in (False, True):
        with pytest.raises(WorkspaceError, match=r"^settings\.json:1:\d+: .*encoding, cp1252$"):
            overhaul.pack(tmp_path / "game", tmp_path / "new.gmk", from_scratch=from_scratch)


def test_settings_of_game_maker_8_2_are_those_of_8_1() -> None:
    """Version 820, with two more numbers at its end; the file's version stays 810."""
    project = read_project(project_file(810))
    project.settings.version = 820
    project.settings.rest = bytes(4) + b"\1\0\0\0"
    data = write_project(project)
    document, content = unpacked(data)
    assert document.info()["product"] == "Game Maker 8.2"
    assert document.version == "810" and document.to_bytes() == data
    assert json.loads(content["settings.json"])["version"] == 820
    assert json.loads(content["left_over.json"]) == {"settings": "0000000001000000"}
    assert packed(data, content, from_scratch=True) == (data, [])
    assert unpacked(project_file(810))[0].info()["product"] == "Game Maker 8.1"
