"""Resources that have another name, found by what their files say."""

from __future__ import annotations

import json
from typing import cast

import pytest

from overhaul.mods.renames import find_renamed
from overhaul.mods.view import FileView


class Files:
    """Plain files by path, each resource in a folder of its own."""

    def __init__(self, files: dict[str, object]) -> None:
        self.files = {path: json.dumps(value).encode() for path, value in files.items()}

    def resources(self) -> dict[str, str]:
        return {path: path.rpartition("/")[0] for path in self.files}

    def read(self, path: str) -> bytes:
        return self.files[path]


def renamed(old: dict[str, object], new: dict[str, object]) -> dict[str, str]:
    return find_renamed(cast("FileView", Files(old)), cast("FileView", Files(new)))


def sprite(name: str, **more: object) -> dict[str, object]:
    return {f"sprites/{name}/sprite.json": {"width": 8, **more}}


@pytest.mark.parametrize("inner", ["spr_old", "spr_new"])
def test_a_sequence_may_still_have_the_old_name(inner: str) -> None:
    old = sprite("spr_old", details={"sequence": {"name": "spr_old"}})
    new = sprite("spr_new", details={"sequence": {"name": inner}})
    assert renamed(old, new) == {"sprites/spr_old": "sprites/spr_new"}


@pytest.mark.parametrize("inner", ["spr_else", "", {"name": 3}, ["spr_old"], None, 3])
def test_another_name_is_another_content(inner: object) -> None:
    old = sprite("spr_old", details={"sequence": {"name": "spr_old"}})
    new = sprite("spr_new", details={"sequence": {"name": inner}})
    assert renamed(old, new) == {}


def test_the_name_of_one_that_is_still_there_tells_them_apart() -> None:
    kept = sprite("spr_kept", details={"sequence": {"name": "spr_kept"}}, height=3)
    old = sprite("spr_old", details={"sequence": {"name": "spr_old"}}) | kept
    new = sprite("spr_new", details={"sequence": {"name": "spr_kept"}}) | kept
    assert renamed(old, new) == {}


def test_equal_ones_are_paired_in_order() -> None:
    old = sprite("spr_b") | sprite("spr_a") | sprite("spr_c", width=9)
    new = sprite("spr_y") | sprite("spr_x") | sprite("spr_z", width=9)
    assert renamed(old, new) == {
        "sprites/spr_a": "sprites/spr_x",
        "sprites/spr_b": "sprites/spr_y",
        "sprites/spr_c": "sprites/spr_z",
    }


def test_what_names_a_renamed_one_is_renamed_as_well() -> None:
    old = sprite("spr_old") | {"objects/obj_old/object.json": {"sprite": "spr_old"}}
    new = sprite("spr_new") | {"objects/obj_new/object.json": {"sprite": "spr_new"}}
    assert renamed(old, new) == {
        "objects/obj_old": "objects/obj_new",
        "sprites/spr_old": "sprites/spr_new",
    }


def item(name: str, number: int, about: str, image: int = 3) -> dict[str, object]:
    """An inventory item of Adventure Game Studio, with its name in a field."""
    value = {"ID": number, "ScriptName": name, "RealName": about, "Image": image, "CursorImage": 0}
    return {f"inventory/{name}/x.json": value}


def test_what_has_its_name_in_a_field() -> None:
    """Equal but for the name, then with the same number, unless another one is more like it."""
    one = item("iCup", 1, "a cup of tea")
    assert renamed(one, item("iMug", 1, "a cup of tea")) == {"inventory/iCup": "inventory/iMug"}
    assert renamed(one, item("iMug", 1, "a mug of tea")) == {"inventory/iCup": "inventory/iMug"}
    assert renamed(one, item("iMug", 1, "a stone", 9)) == {}
    assert renamed(one, item("iMug", 2, "a cup of tea")) == {}  # too little says so
    text = "This cup was made of blue clay on a long winter's evening by the river." * 2
    two = item("iMug", 2, text) | item("iPot", 1, "", 3)
    assert renamed(item("iCup", 1, text), two) == {"inventory/iCup": "inventory/iMug"}


class Sources(Files):
    """Files that are no JSON."""

    def __init__(self, files: dict[str, object]) -> None:
        super().__init__({})
        self.files = {path: str(value).encode() for path, value in files.items()}


def alike(old: dict[str, object], new: dict[str, object]) -> dict[str, str]:
    return find_renamed(cast("FileView", Sources(old)), cast("FileView", Sources(new)))


def source(name: str, lines: range, *more: str) -> dict[str, object]:
    """A script: 24 bytes a line."""
    return {
        f"scripts/{name}/x.gml": "\n".join(
            [f"show_message_{n:02} = 'said';" for n in lines] + [*more]
        )
    }


def test_one_that_was_changed_as_well_has_most_of_it() -> None:
    renamed_one = {"scripts/a": "scripts/b"}
    assert alike(source("a", range(10)), source("b", range(10), "more();")) == renamed_one
    assert alike(source("a", range(10)), source("b", range(6))) == renamed_one
    assert alike(source("a", range(10)), source("b", range(5))) == {}
    assert alike(source("a", range(6)), source("b", range(10))) == renamed_one
    assert alike(source("a", range(5)), source("b", range(10))) == {}


def test_a_few_bytes_that_are_alike_say_nothing() -> None:
    assert alike(source("a", range(4)), source("b", range(4), "x();")) == {}
    assert alike(source("a", range(5)), source("b", range(5), "x();")) == {"scripts/a": "scripts/b"}


def test_the_most_alike_are_paired() -> None:
    old = source("a", range(10)) | source("b", range(20, 30))
    new = source("y", range(8)) | source("z", range(9)) | source("x", range(20, 29))
    assert alike(old, new) == {"scripts/a": "scripts/z", "scripts/b": "scripts/x"}


def test_files_that_are_equal_count_whole() -> None:
    picture = "p" * 300
    old: dict[str, object] = {"sprites/a/0.png": picture, "sprites/a/sprite.dat": "1"}
    assert alike(old, {"sprites/b/0.png": picture, "sprites/b/sprite.dat": "2"}) == {
        "sprites/a": "sprites/b"
    }
    assert alike(old, {"sprites/b/0.png": picture + "q", "sprites/b/sprite.dat": "1"}) == {}
    assert alike(old, {"sounds/b/0.png": picture, "sounds/b/sprite.dat": "2"}) == {}


def test_code_follows_its_object() -> None:
    old: dict[str, object] = {
        "objects/obj_a/object.json": {"depth": 3},
        "code/gml_Object_obj_a_Step_0/x.gml": "x",
    }
    new: dict[str, object] = {
        "objects/obj_b/object.json": {"depth": 3},
        "code/gml_Object_obj_b_Step_0/x.gml": "y",
    }
    assert renamed(old, new) == {
        "code/gml_Object_obj_a_Step_0": "code/gml_Object_obj_b_Step_0",
        "objects/obj_a": "objects/obj_b",
    }
    other: dict[str, object] = {
        "objects/obj_b/object.json": {"depth": 3},
        "code/gml_Object_obj_b_Step_1/x.gml": "y",
    }
    assert renamed(old, other) == {"objects/obj_a": "objects/obj_b"}


def room(name: str, number: int | None, **more: object) -> dict[str, object]:
    identity = {} if number is None else {"id": number}
    plain = {"width": 640, "height": 480, "speed": 30, "isometric": False, "caption": ""}
    return {f"rooms/{name}/room.json": identity | plain | more}


def test_one_with_the_same_id_is_the_same_though_much_is_changed() -> None:
    edited = {"width": 1024, "height": 768}
    assert renamed(room("a", 3), room("b", 3, **edited)) == {"rooms/a": "rooms/b"}
    assert renamed(room("a", 3), room("b", 4, **edited)) == {}
    assert renamed(room("a", None), room("b", None, **edited)) == {}
    assert renamed(room("a", 3), room("b", 3, **edited, speed=60)) == {}, "a quarter must be left"


def test_an_id_inside_says_nothing() -> None:
    old, new = ({"list": [{"id": 3}], "x": 1}, {"list": [{"id": 3}], "x": 2})
    assert renamed({"rooms/a/room.json": old}, {"rooms/b/room.json": new}) == {}


def test_the_id_counts_more_than_likeness() -> None:
    old = room("a", 1) | room("b", 2, width=1, height=2, caption="hello")
    new = room("c", 2) | room("d", 1, width=1, height=2, caption="hello")
    assert renamed(old, new) == {"rooms/a": "rooms/d", "rooms/b": "rooms/c"}


def test_json_is_compared_by_its_values() -> None:
    def listed(name: str, numbers: range) -> dict[str, object]:
        things = [{"object": "obj_wall", "x": n, "y": 2} for n in numbers]
        return {f"rooms/{name}/room.json": {"instances": things}}

    assert renamed(listed("a", range(10, 20)), listed("b", range(10, 19))) == {"rooms/a": "rooms/b"}
    assert renamed(listed("a", range(10, 20)), listed("b", range(50, 55))) == {}
    few = (listed("a", range(10, 11)), listed("b", range(10, 12)))
    assert renamed(*few) == {}, "so few bytes say nothing"


def test_values_that_all_have_say_nothing() -> None:
    values = [0, 1, False, "", None, []] * 4
    usual = {f"some_long_name_{n}": value for n, value in enumerate(values)}
    old, new = usual | {"x": 5}, usual | {"x": 6}
    assert renamed({"rooms/a/room.json": old}, {"rooms/b/room.json": new}) == {}


def test_elements_of_lists_are_reported_apart() -> None:
    old = {"list": [{"a": 1}, {"b": 2}]}
    new = {"list": [{"a": 1, "b": 2}]}
    assert renamed({"rooms/a/room.json": old}, {"rooms/b/room.json": new}) == {}
