"""Named lists, the references into them, and strings."""

from __future__ import annotations

import copy
import re
from pathlib import Path

import pytest

from overhaul.gamemaker.data import GameData
from overhaul.gamemaker.data.blank import blank_game
from overhaul.gamemaker.data.chunks import CHUNKS, ChunkAttributes
from overhaul.gamemaker.data.chunks.objt import GameObject
from overhaul.gamemaker.data.chunks.room import Instance, Room
from overhaul.gamemaker.data.chunks.sprt import Sprite
from overhaul.gamemaker.data.references import NamedList
from overhaul.gamemaker.data.strings import String
from present import instance, present


@pytest.fixture
def game() -> GameData:
    """Three sprites, two objects, and a room with an instance of each."""
    game = blank_game({"kind": "gamemaker-data", "version": "2024.13"})
    sprites = [game.records.sprites.append(Sprite(f"spr_{name}")) for name in "abc"]
    objects = [
        game.records.objects.append(GameObject("obj_first", sprites[0])),
        game.records.objects.append(GameObject("obj_second", sprites[2])),
    ]
    instances = [Instance(object=obj, id=100000 + i) for i, obj in enumerate(objects)]
    game.records.rooms.append(Room("rm_start", instances=instances))
    return game


def again(game: GameData) -> GameData:
    return GameData.from_bytes(game.to_bytes())


def test_references_resolve(game: GameData) -> None:
    room = again(game).records.rooms["rm_start"]
    assert [str(i.object.sprite.name) for i in room.instances] == ["spr_a", "spr_c"]
    assert game.records.rooms[0].instances[0].object == game.records.objects["obj_first"]


def test_a_list_that_turns_out_shorter_than_it_was_counted_has_no_such_element() -> None:
    unreadable: NamedList[object] = NamedList(
        "TXTR", "texture page", 3, list, lambda: None, lambda moved: None
    )
    assert unreadable.reference(1).target is None
    unreadable = NamedList("TXTR", "texture page", 3, list, lambda: None, lambda moved: None)
    assert unreadable.get(1) is None


def test_references_follow_when_several_are_added(game: GameData) -> None:
    """All at once, in the places that the indices had before."""
    sprites = game.records.sprites
    held = [sprites.reference(number) for number in range(3)]
    added = {0: "xy", 2: "z", 3: "w"}
    sprites.insert_all({at: [Sprite(f"spr_{c}") for c in names] for at, names in added.items()})
    assert [str(item.name)[4:] for item in present_all(sprites)] == list("xyabzcw")
    assert [item.index for item in held] == [2, 3, 5]
    assert [str(item.name) for item in held] == ["spr_a", "spr_b", "spr_c"]


def present_all(sprites: NamedList[Sprite]) -> list[Sprite]:
    return list(sprites.present())


def test_references_follow_a_new_order(game: GameData) -> None:
    game.records.sprites.reorder(["spr_c", "spr_a", "spr_b"])
    game.records.objects.insert(
        0, GameObject("obj_new", game.records.sprites.reference_to("spr_b"))
    )
    read = again(game)
    assert read.records.sprites.names() == ["spr_c", "spr_a", "spr_b"]
    assert [str(o.sprite.name) for o in map(present, read.records.objects)] == [
        "spr_b",
        "spr_a",
        "spr_c",
    ]
    assert [str(i.object.name) for i in read.records.rooms[0].instances] == [
        "obj_first",
        "obj_second",
    ]


def test_del_removes(game: GameData) -> None:
    del game.records.sprites[-3]
    del game.records.objects["obj_second"]
    read = again(game)
    assert read.records.sprites.names() == ["spr_b", "spr_c"]
    assert read.records.objects.names() == ["obj_first"]
    assert read.records.objects[0].sprite is None
    with pytest.raises(IndexError, match="no sprite number 2"):
        del game.records.sprites[2]
    del game.records.sprites[:]
    assert not again(game).records.sprites.names()


def test_lists_are_completed(game: GameData) -> None:
    assert {"sprites", "strings", "save"} <= set(dir(game))
    assert "read_starts" not in dir(game)


def test_the_reference_page_lists_every_attribute() -> None:
    page = (Path(__file__).parents[3] / "docs/reference/game-data.md").read_text("utf-8")
    listed = re.findall(
        r"^\| `game\.(?:records\.)?(\w+)` \| `[\w\[\]]+` \| (\w{4}) \|$", page, re.M
    )
    assert listed == [(chunk_type.attribute, name) for name, chunk_type in CHUNKS.items()]


def test_chunks_load_the_records_of_their_lists(game: GameData) -> None:
    for name, chunk_type in CHUNKS.items():
        record = chunk_type.load()()
        if name == "CODE":
            continue
        assert chunk_type.items in ("", *record.__struct_fields__), name
        held = game if chunk_type.attribute in vars(ChunkAttributes) else game.records
        content = getattr(held, chunk_type.attribute)
        assert name not in game.chunks or isinstance(content, (NamedList, list, chunk_type.load()))


def test_what_is_removed_is_referred_to_no_more(game: GameData) -> None:
    game.records.sprites.remove("spr_a")
    game.records.objects.remove("obj_second")
    read = again(game)
    assert read.records.objects["obj_first"].sprite is None
    assert [str(i.object.name) for i in read.records.rooms[0].instances] == ["obj_first"]


def test_names_are_found_and_missed(game: GameData) -> None:
    assert "spr_b" in game.records.sprites
    assert game.records.sprites["spr_b"] is game.records.sprites[1]
    game.records.sprites[1].name = game.strings.add("spr_renamed")
    assert game.records.sprites["spr_renamed"] is game.records.sprites[1]
    with pytest.raises(KeyError, match="no sprite named 'spr_b'"):
        game.records.sprites["spr_b"]


def test_a_new_order_names_everything_once(game: GameData) -> None:
    with pytest.raises(ValueError, match="every sprite exactly once"):
        game.records.sprites.reorder(["spr_a", "spr_a", "spr_b"])


def test_a_copy_refers_to_the_same_elements(game: GameData) -> None:
    twin = copy.deepcopy(game.records.rooms[0])
    twin.name = "rm_twin"
    game.records.rooms.append(twin)
    read = again(game)
    assert read.records.rooms["rm_twin"].instances == read.records.rooms["rm_start"].instances


def test_bytes_that_are_not_utf8_survive(game: GameData) -> None:
    game.records.rooms[0].name = b"\xff\xfename".decode("utf-8", "surrogateescape")
    assert instance(String, again(game).records.rooms[0].name).raw == b"\xff\xfename"


def test_a_written_game_is_counted_and_numbered_again(game: GameData) -> None:
    read = again(game)
    assert (len(read.records.sprites), read.records.sprites.stored) == (3, 3)
    first = read.records.objects[0].sprite
    read.records.sprites.reorder(["spr_b", "spr_a", "spr_c"])
    read.records.sprites.reorder(["spr_a", "spr_b", "spr_c"])
    assert first.index == 0
    assert read.records.sprites.reference(0) is first
    assert [read.records.sprites.index(name) for name in ("spr_a", "spr_b")] == [0, 1]


def test_the_first_of_one_name_is_found_after_the_order_changed(game: GameData) -> None:
    twin = Sprite(game.strings.add("spr_b"))
    game.records.sprites.append(twin)
    assert game.records.sprites.index("spr_b") == 1
    game.records.sprites.reorder([0, 3, 2, 1])
    assert game.records.sprites.index("spr_b") == 1
    assert game.records.sprites["spr_b"] is twin
    game.records.sprites.reorder([0, 2, 3, 1])
    assert game.records.sprites.index("spr_b") == 2


def test_a_reference_to_what_was_removed_is_stored_as_none(game: GameData) -> None:
    taken = game.records.sprites.reference_to("spr_a")
    parent = game.records.objects.reference_to("obj_first")
    game.records.sprites.remove("spr_a")
    game.records.objects.remove("obj_first")
    game.records.objects[0].sprite, game.records.objects[0].parent = taken, parent
    read = again(game)
    assert (read.records.objects[0].sprite, read.records.objects[0].parent) == (None, None)
    assert repr(taken) == "<removed sprite>"


def test_a_changed_text_is_found_at_once(game: GameData) -> None:
    strings = game.strings
    before = strings.add("before")
    assert strings.find("after") is None
    before.text = "after"
    assert strings.find("after") is before.current
    assert strings.find("before") is None
    assert strings.add("before") is not before
