"""Whole projects merged: resources of both sides, renames, and what a merge alone breaks."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import overhaul
from ide_projects import modern_project
from overhaul.cli import main
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide_merge.projects import KEPT, MergedProject, merge_projects
from overhaul.gamemaker.ide_merge.trees import Tree, same_files, tree_of
from project_edits import Refused, edits_of, meaning

Change = Callable[[IdeProjectDocument], object]


@pytest.fixture
def base(tmp_path: Path) -> Path:
    modern_project(tmp_path / "base")
    return tmp_path / "base"


def edition(base: Path, name: str, change: Change) -> Path:
    """A copy of a project that someone edited."""
    folder = base.with_name(name)
    shutil.copytree(base, folder)
    project = overhaul.open_project(folder)
    assert isinstance(project, IdeProjectDocument)
    change(project)
    project.save()
    return folder


def merged(base: Path, ours: Change, theirs: Change) -> MergedProject:
    folders = base, edition(base, "ours", ours), edition(base, "theirs", theirs)
    return merge_projects(*(tree_of(str(folder)) for folder in folders))


def reasons(project: MergedProject) -> list[str]:
    return [str(conflict) for conflict in project.conflicts]


def names(tree: Tree, kind: str) -> list[str]:
    return tree.document().names_of(kind)


def test_resources_of_both(base: Path) -> None:
    made = merged(base, lambda one: one.objects.add("obj_x"), lambda one: one.scripts.add("scr_b"))
    assert reasons(made) == []
    assert names(made.tree, "object") == ["obj_a", "obj_b", "obj_x"]
    assert names(made.tree, "script") == ["scr_a", "scr_b"]
    assert made.changed == ["Game.yyp", "scripts/scr_b/scr_b.gml", "scripts/scr_b/scr_b.yy"]
    document = made.tree.document()
    document.decode()
    assert document.findings == []


def test_a_rename_is_followed_in_what_the_other_wrote(base: Path) -> None:
    def theirs(one: IdeProjectDocument) -> None:
        one.rooms["rm_a"].layers["Instances"].instances.add("obj_a", 5, 6)
        one.objects["obj_b"].events["Create_0"] = "x = 1;\ninstance_create_depth(0, 0, 0, obj_a);\n"
        one.objects["obj_a"].solid = True

    made = merged(base, lambda one: one.objects.rename("obj_a", "obj_wall"), theirs)
    assert reasons(made) == []
    assert made.renamed == {"obj_a": "obj_wall"}
    assert names(made.tree, "object") == ["obj_wall", "obj_b"]
    document = made.tree.document()
    assert [one.object.name for one in document.rooms["rm_a"].instances if one.object] == [
        "obj_b", "obj_wall",
    ]  # fmt: skip
    assert document.objects["obj_wall"].solid is True
    assert b"0, obj_wall);" in made.tree.read("objects/obj_b/Create_0.gml")
    assert not any("obj_a" in path for path in made.tree.files)


def test_renames_that_disagree(base: Path) -> None:
    made = merged(
        base,
        lambda one: one.objects.rename("obj_a", "obj_x"),
        lambda one: one.objects.rename("obj_a", "obj_y"),
    )
    path = "objects/obj_a/obj_a.yy"
    assert reasons(made)[0] == f"{path}: renamed to obj_x by ours and to obj_y by theirs"


def test_the_same_rename_on_both_sides(base: Path) -> None:
    def renamed(one: IdeProjectDocument) -> None:
        one.sprites.rename("spr_a", "spr_b")

    def and_more(one: IdeProjectDocument) -> None:
        renamed(one)
        one.objects.add("obj_x")

    made = merged(base, renamed, and_more)
    assert (reasons(made), made.renamed) == ([], {"spr_a": "spr_b"})
    assert names(made.tree, "sprite") == ["spr_b"]
    assert names(made.tree, "object") == ["obj_a", "obj_b", "obj_x"]


def test_a_rename_to_a_name_that_the_other_gave(base: Path) -> None:
    made = merged(
        base,
        lambda one: one.sprites.rename("spr_a", "thing"),
        lambda one: one.objects.add("thing"),
    )
    assert reasons(made)[0].startswith(
        "sprites/spr_a/spr_a.yy: renamed to thing by ours, which theirs can't follow: "
    )


def test_a_rename_of_what_the_other_removed(base: Path) -> None:
    made = merged(
        base,
        lambda one: one.scripts.remove("scr_a"),
        lambda one: one.sprites.rename("spr_a", "spr_b"),
    )
    assert reasons(made) == []
    shutil.rmtree(base.with_name("ours"))
    shutil.rmtree(base.with_name("theirs"))
    made = merged(
        base,
        lambda one: one.sprites.remove("spr_a", force=True),
        lambda one: one.sprites.rename("spr_a", "spr_b"),
    )
    path = "sprites/spr_a/spr_a.yy"
    assert f"{path}: renamed to spr_b by theirs and removed by ours" in reasons(made)


def test_what_one_uses_and_the_other_removed(base: Path) -> None:
    def theirs(one: IdeProjectDocument) -> None:
        one.objects["obj_b"].events["Create_0"] = "x = 1;\nscr_a();\n"
        one.objects["obj_b"].mask = one.sprites["spr_a"]

    def ours(one: IdeProjectDocument) -> None:
        one.scripts.remove("scr_a")
        one.sprites.remove("spr_a", force=True)

    made = merged(base, ours, theirs)
    assert reasons(made) == [
        "objects/obj_b/obj_b.yy: it refers to spr_a (sprites/spr_a/spr_a.yy), which the project "
        "does not list, and neither ours nor theirs says that",
        "objects/obj_b/Create_0.gml: theirs names scr_a here, which ours removed",
    ]


def test_a_resource_that_both_added(base: Path) -> None:
    # its frames are those of one side, and not two frames
    made = merged(base, lambda one: one.sprites.add("spr_x"), lambda one: one.sprites.add("spr_x"))
    assert reasons(made) == ["sprites/spr_x/spr_x.yy:15: added by both, and not the same"]
    assert names(made.tree, "sprite") == ["spr_a", "spr_x"]


def test_two_resources_of_one_name(base: Path) -> None:
    made = merged(base, lambda one: one.objects.add("thing"), lambda one: one.scripts.add("thing"))
    assert reasons(made) == ["Game.yyp: two resources are called thing"]


def test_what_one_removed_and_the_other_changed(base: Path) -> None:
    made = merged(
        base,
        lambda one: one.scripts.remove("scr_a"),
        lambda one: setattr(one.scripts["scr_a"], "gml", "function scr_a() {\n  show();\n}\n"),
    )
    assert reasons(made) == ["scripts/scr_a/scr_a.gml: changed by theirs and removed by ours"]
    assert b"show" in made.tree.read("scripts/scr_a/scr_a.gml")


def test_the_command(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ours = edition(base, "ours", lambda one: one.objects.add("obj_x"))
    theirs = edition(base, "theirs", lambda one: one.objects.add("obj_y"))
    out = base.with_name("out")
    words = ["merge", str(base), str(ours / "Game.yyp"), str(theirs)]
    assert main([*words, "-o", str(out)]) == 0
    assert capsys.readouterr().out == f"2 files are not as in {ours / 'Game.yyp'}\n"
    assert overhaul.verify(out / "Game.yyp").findings == []
    assert main([*words, "-o", str(out)]) != 0
    assert "exists" in capsys.readouterr().err
    (out / "objects/obj_x/obj_x.yy").unlink()
    (out / "extra.txt").write_text("mine")
    assert main([*words, "-o", str(out), "--force", "-q"]) == 0
    assert capsys.readouterr().out == ""
    assert (out / "objects/obj_x/obj_x.yy").is_file()
    assert not (out / "extra.txt").exists()
    assert (out / ".overhaul/removed/extra.txt").read_text() == "mine"
    # a folder of something else keeps its files
    (other := base.with_name("other")).mkdir()
    (other / "letter.txt").write_text("mine")
    assert main([*words, "-o", str(other), "--force"]) == 3
    assert capsys.readouterr().err == (
        f"overhaul: {other}: it has files, and no Game.yyp: choose an empty folder\n"
    )
    assert [path.name for path in other.rglob("*")] == ["letter.txt"]
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "path": None, "changed": ["Game.yyp", "objects/obj_y/obj_y.yy"], "renamed": {},
        "conflicts": [],
    }  # fmt: skip


def test_conflicts_are_reported(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ours = edition(base, "ours", lambda one: setattr(one.sounds["snd_a"], "volume", 0.75))
    theirs = edition(base, "theirs", lambda one: setattr(one.sounds["snd_a"], "volume", 0.25))
    (ours / "datafiles/info.txt").write_bytes(b"\0\1")
    (theirs / "datafiles/info.txt").write_bytes(b"\0\2")
    out = base.with_name("out")
    words = ["merge", str(base), str(ours), str(theirs), "-o", str(out)]
    assert main(words) == 1
    captured = capsys.readouterr()
    assert captured.err.splitlines() == [
        "overhaul: conflict: datafiles/info.txt: changed by both, and no text",
        "overhaul: conflict: sounds/snd_a/snd_a.yy:12: volume: changed by both",
        "    ours   0.75",
        "    theirs 0.25",
    ]
    assert (out / "datafiles/info.txt").read_bytes() == b"\0\1"
    assert (out / KEPT / "datafiles/info.txt").read_bytes() == b"\0\2"
    found = overhaul.verify(out / "Game.yyp").findings
    assert [(one.code, one.path, one.line) for one in found if one.severity != "note"] == [
        ("merge-conflict", "sounds/snd_a/snd_a.yy", 12)
    ]


def test_a_single_file_is_printed(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = "objects/obj_a/obj_a.yy"
    ours = edition(base, "ours", lambda one: setattr(one.objects["obj_a"], "solid", True))
    theirs = edition(base, "theirs", lambda one: setattr(one.objects["obj_a"], "persistent", True))
    words = ["merge", *(str(folder / path) for folder in (base, ours, theirs))]
    assert main(words) == 0
    text = capsys.readouterr().out
    assert '  "solid":true,\n' in text and '  "persistent":true,\n' in text
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "path": None, "text": text.removesuffix("\n"), "conflicts": [],
    }  # fmt: skip


def test_what_is_no_project_is_refused(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["merge", "a.win", "b.win", "c.win"]) == 2
    assert "overhaul mod merge" in capsys.readouterr().err
    empty = base.with_name("empty")
    empty.mkdir()
    assert main(["merge", str(base), str(empty), str(base)]) != 0
    assert "expected one project of GameMaker, got no project file" in capsys.readouterr().err
    assert main(["merge", str(base), str(base / "nowhere"), str(base)]) != 0


def test_files_that_are_the_same(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1")
    one, two = Tree("one", {"a": tmp_path / "a", "b": b"1"}), Tree("two", {"a": b"1", "b": b"12"})
    assert same_files("a", (one, two)) and same_files("c", (one, two))
    assert not same_files("b", (one, two))
    assert not same_files("a", (one, Tree("three", {})))
    assert one.read_at("a", 0) == b"" and two.read_at("b", 1) == b"1"


@pytest.mark.parametrize("seed", range(30))
def test_edits_of_two_people_commute_or_conflict(base: Path, seed: int) -> None:
    tree = tree_of(str(base))
    sides, edits = [], []
    for number in (2 * seed, 2 * seed + 1):
        project = tree.document()
        chosen = edits_of(project, number)
        made = []
        for edit in chosen:
            try:
                edit.on(project)
                made.append(edit)
            except Refused:
                continue
        sides.append(tree.changed(project))
        edits.append(made)
    result = merge_projects(tree, *sides)
    turned = merge_projects(tree, *reversed(sides))
    assert bool(result.conflicts) == bool(turned.conflicts)
    if result.conflicts:
        return
    document = result.tree.document()
    document.decode()
    assert [one for one in document.findings if one.severity != "note"] == []
    assert meaning(turned.tree) == meaning(result.tree)
    for side, others in zip(sides, reversed(edits), strict=True):
        project = side.document()
        try:
            for edit in others:
                edit.on(project)
        except Refused:  # as both did the same
            continue
        assert meaning(side.changed(project)) == meaning(result.tree)
