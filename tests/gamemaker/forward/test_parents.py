"""Objects whose parents lead back to them."""

from __future__ import annotations

import pytest

from handmade_project import as_json, project_file
from overhaul.findings import Findings
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.forward import forward
from overhaul.gamemaker.forward.memory import MadeFiles
from overhaul.gamemaker.forward.parents import cut_circles
from overhaul.gamemaker.ide.document import IdeProjectDocument


def test_one_parent_of_each_circle_is_left_out() -> None:
    parents = {"a": "b", "b": "c", "c": "b", "d": "d", "e": "a", "f": "gone"}
    found = Findings()
    kept = cut_circles(parents, found, "objects/{}".format)
    assert kept == {"a": "b", "b": "c", "e": "a", "f": "gone"}
    assert found.texts() == [
        "objects/c: its parent b is left out, as its parents lead back to it",
        "objects/d: its parent d is left out, as its parents lead back to it",
    ]


def test_long_lines_of_parents_are_followed_once() -> None:
    parents = {str(number): str(number + 1) for number in reversed(range(100_000))}
    assert cut_circles(parents, Findings(), str) == parents


@pytest.mark.parametrize("kind", ["gmx", "yyp"])
def test_a_project_has_no_circle(kind: str) -> None:
    files = {
        "objects/obj_player/object.json": as_json({"parent": "obj_wall"}),
        "objects/obj_wall/object.json": as_json({"parent": "obj_player"}),
    }
    found = forward(ProjectDocument.from_bytes(project_file(810, files)), kind, "game")
    texts = [str(one) for one in found.findings if one.code == "left-out"]
    path = "objects/obj_player/obj_player.yy" if kind == "yyp" else "objects/obj_player.object.gmx"
    message = f"{path}: its parent obj_wall is left out, as its parents lead back to it"
    assert texts == [message]
    made = IdeProjectDocument.from_bytes(
        found.files[found.name](), source=found.name, siblings=MadeFiles(found.files)
    )
    parents = {each.name: each.parent for each in made.objects}
    assert parents["obj_player"] is None
    assert parents["obj_wall"] is not None
