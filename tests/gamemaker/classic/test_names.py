"""Names that no file system likes, and names that resources share."""

from __future__ import annotations

from pathlib import Path

import pytest

import overhaul
from handmade_project import VERSIONS, packed, project_file, unpacked
from overhaul.gamemaker.classic.actions import Action
from overhaul.gamemaker.classic.records import Node, read_project, write_project
from present import present

NASTY = [
    "", "con", "AUX.txt", "a/b", "..", ".", "spr", "SPR", "Spr", "spr", "spr", "%41", "a%2Fb",
    "trailing.", "trailing ", " leading", "tab\there", "line\r\nbreak", 'quote"<>|?*:\\',
    "x" * 300, "y" * 300, "dots.in.name", "name.json", "spr.gml", "%~2", "café",
]  # fmt: skip


@pytest.mark.parametrize("version", VERSIONS)
def test_every_name_comes_back_from_a_real_folder(version: int, tmp_path: Path) -> None:
    project = read_project(project_file(version))
    for kind in ("scripts", "objects", "sprites", "sounds", "rooms", "timelines", "paths"):
        section = getattr(project, kind)
        live = next(slot for slot in section.slots if slot.exists)
        grouping = {"sprites": 2, "scripts": 7, "objects": 1}.get(kind)
        for name in NASTY:
            section.slots.append(type(live)(exists=1, name=name, changed=live.changed))
            section.slots[-1].resource = live.resource
            if grouping is not None:
                root = next(node for node in project.tree if node.grouping == grouping)
                root.children.append(Node(3, grouping, len(section.slots) - 1, name))
    wall = present(project.objects.slots[1].resource)
    wall.sprite = len(project.sprites.slots) - 1  # the last of the nasty ones
    data = write_project(project)
    (tmp_path / "nasty.gmk").write_bytes(data)
    overhaul.unpack(tmp_path / "nasty.gmk", tmp_path / "folder")
    overhaul.pack(tmp_path / "folder", tmp_path / "packed")
    assert (tmp_path / "packed").read_bytes() == data
    overhaul.pack(tmp_path / "folder", tmp_path / "scratch", from_scratch=True)
    again = read_project((tmp_path / "scratch").read_bytes())
    assert [slot.name for slot in again.scripts.slots] == [
        slot.name for slot in project.scripts.slots
    ]
    assert present(again.objects.slots[1].resource).sprite == wall.sprite
    assert any(path.stat().st_size for path in (tmp_path / "folder").rglob("*.gml"))
    inside = (tmp_path / "folder").resolve()
    assert all(inside in path.resolve().parents for path in (tmp_path / "folder").rglob("*"))


def test_collisions_of_namesakes() -> None:
    project = read_project(project_file(800))
    wall = project.objects.slots[1]
    twin = type(wall)(exists=1, name=wall.name, changed=0.0)
    twin.resource = wall.resource
    project.objects.slots.append(twin)
    project.tree[7].children.append(Node(3, 1, 3, wall.name))
    player = present(project.objects.slots[2].resource)
    event = player.categories[4][0]
    player.categories[4] = [type(event)(3, event.actions), event, type(event)(99, event.actions)]
    action = event.actions.actions[0]
    assert isinstance(action, Action)
    action.arguments[0] = "3"
    data = write_project(project)
    _, files = unpacked(data)
    assert {path.split("/")[2] for path in files if "collision" in path} == {
        "collision_obj_wall",
        "collision_obj_wall%~2",
        "collision_@99",
    }
    assert packed(data, files, from_scratch=True)[0] == data
