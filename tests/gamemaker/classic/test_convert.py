"""Projects converted to a later version."""

from __future__ import annotations

import json
from pathlib import Path

import numpy
import pytest

import overhaul
from handmade_project import VERSIONS, project_file, unpacked
from overhaul.cli import main
from overhaul.errors import EncodeError
from overhaul.gamemaker.classic.conversion import convert, smoothed
from overhaul.gamemaker.classic.records import read_project, write_project
from overhaul.gamemaker.classic.resources import Picture, Sprite
from present import instance, present

PAIRS = [(old, new) for old in VERSIONS for new in VERSIONS if old < new]


@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_every_later_version(old: int, new: int) -> None:
    before = read_project(project_file(old))
    made, report = convert(before, new)
    data = write_project(made)
    assert write_project(before) == project_file(old)  # the old one stays as it was
    with overhaul.open(data) as document:
        assert document.version == str(new)
        assert document.to_bytes() == data
    after = read_project(data)
    for kind in ("sprites", "sounds", "scripts", "objects", "rooms", "paths", "timelines"):
        names = [slot.name for slot in getattr(before, kind).slots]
        assert [slot.name for slot in getattr(after, kind).slots] == names
    assert len(after.tree) == (12 if new >= 701 else 11)
    assert [child.name for child in after.tree[7].children] == ["obj_wall", "obj_player"]
    player = present(after.objects.slots[2].resource)
    assert len(player.categories) == (12 if new >= 800 else 11)
    assert player.categories[4] == present(before.objects.slots[2].resource).categories[4]
    room = present(after.rooms.slots[0].resource)
    assert room.instances[0].creation_code == "lives = 3;"
    assert all(view.port_width == view.view_width for view in room.views)
    constants = (after.constants if new >= 800 else after.settings).constants
    assert [item.name for item in constants] == (["SPEED"] if old >= 530 else [])
    if old < 600:
        kept = [present(slot.include).data for slot in after.includes.slots]
        assert kept == ([b"read me"] if new >= 701 else [])
        assert len(after.data_files.slots) == (1 if new < 600 else 0)
        assert any("data file" in line for line in report.texts()) == (new == 600)
    _, content = unpacked(data)
    assert content["scripts/scr_add.gml"] == b"return argument0 + argument1;\r\n"


def test_a_transparent_colour_becomes_alpha() -> None:
    before = read_project(project_file(600))
    after, _ = convert(before, 800)
    resource = next(slot.resource for slot in after.sprites.slots if slot.name == "spr_player")
    frame = instance(Picture, instance(Sprite, resource).frames[0])
    pixels = [frame.pixels[i : i + 4] for i in range(0, len(frame.pixels), 4)]
    assert pixels[0] == bytes([3, 2, 1, 255])  # the one pixel of another colour
    assert set(pixels[1:]) == {bytes([50, 100, 200, 0])}


def test_smooth_edges_become_half_transparent() -> None:
    alpha = numpy.full((5, 6), 255, numpy.uint8)
    alpha[0, 0] = alpha[4, 3] = 0
    assert smoothed(alpha).tolist() == [
        [0, 223, 255, 255, 255, 255],
        [223, 223, 255, 255, 255, 255],
        [255, 255, 255, 255, 255, 255],
        [255, 255, 223, 223, 223, 255],
        [255, 255, 223, 0, 223, 255],
    ]


def test_fonts_of_8_1_say_how_they_are_smoothed() -> None:
    after, _ = convert(read_project(project_file(800)), 810)
    assert present(after.fonts.slots[0].resource).range_start == 0x04000020


def test_there_is_no_way_back() -> None:
    project = read_project(project_file(800))
    for version in (600, 800, 820):
        with pytest.raises(EncodeError, match="later version"):
            convert(project, version)


def test_the_command(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    old = tmp_path / "old.gmd"
    old.write_bytes(project_file(530))
    assert main(["convert", str(old), "--to", "gm81", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["version"] == 810
    with overhaul.open(tmp_path / "old.gm81") as document:
        assert document.version == "810"
    assert main(["convert", str(old), "--to", "gm81"]) == 2  # it is there already
    assert main(["convert", str(old), "--to", "gm6", "-o", str(tmp_path / "new.gm6")]) == 0
    assert "data file" in capfd.readouterr().err
    assert main(["convert", str(tmp_path / "old.gm81"), "--to", "gm6"]) == 3
    assert main(["convert", str(old), "--to", "gm9"]) == 2
