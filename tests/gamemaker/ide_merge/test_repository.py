"""git merges projects by meaning in a real repository, and does not commit a broken one."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

import overhaul
from ide_projects import modern_project
from overhaul.cli import main
from overhaul.errors import WorkspaceError
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.marks import sides_of
from overhaul.gamemaker.ide_merge.repository import check_merge
from repositories import git, started

Change = Callable[[IdeProjectDocument], object]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty repository, in which ``overhaul`` is a command."""
    return started(tmp_path / "repository", tmp_path / "programs", monkeypatch)


def commit(change: Change | None = None) -> None:
    if change is not None:
        project = overhaul.open_project("Game.yyp")
        assert isinstance(project, IdeProjectDocument)
        change(project)
        project.save()
    git("add", "-A")
    git("commit", "-qm", "work")


def branches(ours: Change, theirs: Change) -> None:
    """A project, and what two people did."""
    modern_project(Path())
    assert main(["git", "setup", "-q"]) == 0
    commit()
    git("checkout", "-qb", "other")
    commit(theirs)
    git("checkout", "-q", "main")
    commit(ours)


def test_both_added_resources_and_instances(repository: Path) -> None:
    def added(name: str, x: int) -> Change:
        def change(one: IdeProjectDocument) -> None:
            one.objects.add(name)
            one.rooms["rm_a"].layers["Instances"].instances.add(name, x, 0)

        return change

    branches(added("obj_x", 5), added("obj_y", 6))
    git("merge", "-q", "-m", "both", "other")
    project = overhaul.open_project("Game.yyp")
    assert project.objects.names() == ["obj_a", "obj_b", "obj_x", "obj_y"]
    assert [one.x for one in project.rooms["rm_a"].instances] == [1, 5, 6]
    assert overhaul.verify("Game.yyp").findings == []


def test_a_resource_that_comes_into_a_converted_project_is_named(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One person converts the project, another adds an object in the form of before."""

    def theirs(one: IdeProjectDocument) -> None:
        one.objects.add("obj_x")
        one.sounds["snd_a"].volume = 0.25

    modern_project(Path())
    assert main(["git", "setup", "-q"]) == 0
    commit()
    git("checkout", "-qb", "other")
    commit(theirs)
    git("checkout", "-q", "main")
    convert = ["convert", "Game.yyp", "--release", "2023.11", "-o", ".", "--force", "-q"]
    assert main(convert) == 0
    commit()
    message = "it has the form of a later release: convert the project to 2023.11.1.129"
    said = git("merge", "-q", "-m", "both", "other", code=1)
    assert f"objects/obj_x/obj_x.yy: {message}" in said
    project = overhaul.open_project("Game.yyp")
    assert project.objects.names() == ["obj_a", "obj_b", "obj_x"]
    assert project.sounds["snd_a"].volume == 0.25
    capsys.readouterr()
    assert main(["check", "Game.yyp"]) == 1
    assert message in capsys.readouterr().out
    assert main(convert) == 0
    commit()
    assert overhaul.verify("Game.yyp").findings == []


def test_a_conflict_has_marks_that_check_names(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def louder(volume: float) -> Change:
        return lambda one: setattr(one.sounds["snd_a"], "volume", volume)

    branches(louder(0.25), louder(0.75))
    said = git("merge", "-q", "-m", "both", "other", code=1)
    assert "CONFLICT (content): Merge conflict in sounds/snd_a/snd_a.yy" in said
    text = Path("sounds/snd_a/snd_a.yy").read_text()
    assert ["0.25" in side for side in sides_of(text)] == [True, False]
    capsys.readouterr()
    assert main(["check", "Game.yyp"]) == 1
    out = capsys.readouterr().out
    assert "snd_a.yy:12:1: a merge left <<<<<<< here: keep one of the two sides" in out


def test_a_merge_that_breaks_the_project_is_not_committed(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def theirs(one: IdeProjectDocument) -> None:
        one.objects["obj_b"].events["Create_0"] = "scr_a();\n"
        one.objects["obj_b"].mask = one.sprites["spr_a"]

    def ours(one: IdeProjectDocument) -> None:
        one.scripts.remove("scr_a")
        one.sprites.remove("spr_a", force=True)

    branches(ours, theirs)
    said = git("merge", "-m", "both", "other", code=1)
    assert "Create_0.gml: theirs names scr_a here, which ours removed" in said
    assert "objects/obj_b/obj_b.yy: it refers to spr_a" in said
    assert git("log", "--oneline", "--merges") == ""
    # the same is said again until the merge is over
    assert main(["git", "check", "--json"]) == 1
    rows = json.loads(capsys.readouterr().out)["conflicts"]
    assert [row["path"] for row in rows] == [
        "objects/obj_b/obj_b.yy", "objects/obj_b/Create_0.gml",
    ]  # fmt: skip
    # nor by people who commit it as it is
    assert "names scr_a here" in git("commit", "-m", "both", code=1)
    git("checkout", "HEAD", "--", "objects/obj_b")
    git("commit", "-qm", "both")
    assert git("log", "--oneline", "--merges") != ""
    Path("more.txt").write_text("another commit is not looked at")
    commit()
    with pytest.raises(WorkspaceError, match="run this after git merge has stopped"):
        check_merge()


def test_faults_that_were_there_stop_nothing(repository: Path) -> None:
    def broken(one: IdeProjectDocument) -> None:
        one.files.write("scripts/scr_a/scr_a.yy", None)
        one.files.write("scripts/scr_a/scr_a.gml", None)

    branches(broken, lambda one: one.objects.add("obj_x"))
    git("merge", "-q", "-m", "both", "other")
    assert git("log", "--oneline", "--merges") != ""


def test_setting_up(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["git", "setup", "--show"]) == 0
    shown = capsys.readouterr().out
    assert "*.yyp merge=overhaul-project\n" in shown
    assert "driver = overhaul merge %O %A %B -o %A --path %P --force\n" in shown
    assert not Path(".gitattributes").exists()
    Path(".gitattributes").write_text("*.win diff=overhaul merge=overhaul\n*.yy text")
    assert main(["git", "setup", "--json"]) == 0
    changed = json.loads(capsys.readouterr().out)["changed"]
    assert [Path(path).name for path in changed] == [
        ".gitattributes", "config", "pre-merge-commit", "pre-commit",
    ]  # fmt: skip
    lines = Path(".gitattributes").read_text().splitlines()
    assert lines[:3] == ["*.win diff=overhaul merge=overhaul", "*.yy text",
                         "*.unx diff=overhaul merge=overhaul"]  # fmt: skip
    assert [line for line in lines if line.startswith("*.yy ")] == ["*.yy text"]
    assert "*.gmx merge=overhaul-project" in lines
    assert os.access(".git/hooks/pre-merge-commit", os.X_OK)
    assert main(["git", "setup"]) == 0
    assert capsys.readouterr().out == "all of it is there already\n"


def test_hooks_that_are_there_stay_and_are_named(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hook = Path(".git/hooks/pre-commit")
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 0\n")
    assert main(["git", "setup", "-q"]) == 0
    said = (
        f"overhaul: ./{hook}: this hook does not check merges: add the lines that "
        "overhaul git setup --show has for it\n"
    )
    assert capsys.readouterr().err == said
    assert hook.read_text() == "#!/bin/sh\nexit 0\n"
    assert main(["git", "setup"]) == 0
    assert capsys.readouterr() == ("", said)
    hook.write_text("#!/bin/sh\noverhaul git check\n")
    assert main(["git", "setup"]) == 0
    assert capsys.readouterr() == ("all of it is there already\n", "")


def test_a_folder_of_hooks_that_the_configuration_names(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    git("config", "core.hooksPath", ".husky")
    assert main(["git", "setup", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert [Path(path).name for path in row["changed"]] == [".gitattributes", "config"]
    assert row["unchecked"] == ["./.husky/pre-merge-commit", "./.husky/pre-commit"]
    assert not Path(".husky").exists() and not Path(".git/hooks/pre-merge-commit").exists()


def test_another_tree_of_the_repository(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    modern_project(Path())
    commit()
    git("worktree", "add", "-q", "-b", "other", "../\u00e4 tree")
    assert main(["git", "setup", "../\u00e4 tree", "-q"]) == 0
    assert Path("../\u00e4 tree/.gitattributes").is_file()
    assert "overhaul-project" in Path(".git/config").read_text()
    assert os.access(".git/hooks/pre-merge-commit", os.X_OK)
    Path("inside").mkdir()
    capsys.readouterr()
    assert main(["git", "setup", "inside"]) == 3
    assert capsys.readouterr().err == "overhaul: inside: not the top of a git repository\n"


def test_a_project_in_a_folder_with_a_long_name(repository: Path) -> None:
    folder = Path("Mein Spiel \u00e4\u65e5")
    modern_project(folder)
    assert main(["git", "setup", "-q"]) == 0
    commit()
    for branch, name in (("other", "obj_x"), ("main", "obj_y")):
        git("checkout", "-q", *(["-b"] if branch == "other" else []), branch)
        project = overhaul.open_project(folder)
        assert isinstance(project, IdeProjectDocument)
        project.objects.add(name)
        project.save()
        commit()
    git("merge", "-q", "-m", "both", "other")
    assert overhaul.open_project(folder).objects.names() == ["obj_a", "obj_b", "obj_x", "obj_y"]


def three_branches(change: Callable[[int], object]) -> None:
    """A first commit, and one of each of three branches, of which the last is the current one."""
    git("checkout", "-q", "--detach")
    for number, name in enumerate(("one", "two", "three")):
        git("checkout", "-q", "-b", name, "main")
        change(number)
        commit()


def test_more_than_two_commits(repository: Path) -> None:
    assert main(["git", "setup", "-q"]) == 0
    commit()
    three_branches(lambda number: Path(f"{number}.txt").write_text("no project is in it"))
    git("merge", "-q", "-m", "all", "one", "two")
    assert len(git("log", "-1", "--format=%p").split()) == 3


def test_projects_of_more_than_two_commits(repository: Path) -> None:
    modern_project(Path())
    assert main(["git", "setup", "-q"]) == 0
    commit()
    three_branches(lambda number: Path(f"{number}.txt").write_text("more"))
    said = git("merge", "-m", "all", "one", "two", code=1)
    assert (
        "overhaul: a merge of 3 commits is not checked: merge one after another, or commit it "
        "with --no-verify\n" in said
    )
    # git commit looks at all three as well
    assert "a merge of 3 commits is not checked" in git("commit", "-m", "all", code=1)


def test_histories_that_have_no_commit_in_common(repository: Path) -> None:
    modern_project(Path())
    assert main(["git", "setup", "-q"]) == 0
    commit()
    git("checkout", "-q", "--orphan", "other")
    git("rm", "-rqf", ".")
    Path("other.txt").write_text("another project")
    commit()
    git("checkout", "-q", "main")
    git("merge", "-q", "-m", "both", "--allow-unrelated-histories", "other")
    assert Path("other.txt").is_file() and Path("Game.yyp").is_file()
