"""Resources that have another name, found by what their files say."""

from __future__ import annotations

import json
from typing import cast

import pytest

from overhaul.mods.renames import find_renamed
from overhaul.mods.view import View


class Files:
    """Plain files by path, each resource in a folder of its own."""

    def __init__(self, files: dict[str, object]) -> None:
        self.files = {path: json.dumps(value).encode() for path, value in files.items()}

    def resources(self) -> dict[str, str]:
        return {path: path.rpartition("/")[0] for path in self.files}

    def read(self, path: str) -> bytes:
        return self.files[path]


def renamed(old: dict[str, object], new: dict[str, object]) -> dict[str, str]:
    return find_renamed(cast("View", Files(old)), cast("View", Files(new)))


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
