"""Files of a revision of a git repository, named as git names them."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

import overhaul
from ide_projects import modern_project
from overhaul.cli import main
from overhaul.document.revisions import RevisionFiles, is_revision
from overhaul.errors import FormatError, WorkspaceError
from overhaul.gamemaker.ide.document import IdeProjectDocument
from repositories import git, started


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in a folder of a repository: an object was removed in the second commit."""
    folder = started(tmp_path / "repository", tmp_path / "programs", monkeypatch) / "game"
    path = modern_project(folder)
    git("add", "-A")
    git("commit", "-qm", "first")
    with overhaul.open_project(path) as opened:
        assert isinstance(opened, IdeProjectDocument)
        opened.scripts.remove("scr_a", force=True)
        opened.save()
    git("add", "-A")
    git("commit", "-qm", "second")
    monkeypatch.chdir(folder)
    return path


def scripts(path: str) -> list[str]:
    with overhaul.open_project(path) as opened:
        assert isinstance(opened, IdeProjectDocument)
        assert opened.name == "Game.yyp"
        assert overhaul.verify(path).identical
        return [script.gml for script in opened.scripts]


@pytest.mark.usefixtures("project")
def test_a_file_is_named_as_git_names_it() -> None:
    for name in ("game/Game.yyp", "./Game.yyp", "game", ".", "../game/Game.yyp"):
        assert len(scripts(f"HEAD~1:{name}")) == 1, name
        assert scripts(f"HEAD:{name}") == [], name


@pytest.mark.usefixtures("project")
def test_two_commits_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    for old, new in (("HEAD~1:.", "HEAD:."), ("HEAD~1:game/Game.yyp", "Game.yyp")):
        assert main(["diff", "--json", old, new]) == 1
        found = json.loads(capsys.readouterr().out)
        assert [one["path"] for one in found["changes"] if one["kind"] == "removed"] == [
            "scripts/scr_a"
        ]
    assert main(["diff", "HEAD:.", "."]) == 0


def test_a_member_of_an_archive_in_a_revision(project: Path) -> None:
    with zipfile.ZipFile("game.zip", "w") as archive:
        for path in sorted(project.parent.rglob("*")):
            if path.is_file() and path.name != "game.zip":
                archive.write(path, path.relative_to(project.parent).as_posix())
    git("add", "-A")
    git("commit", "-qm", "third")
    Path("game.zip").unlink()
    assert scripts("HEAD:game/game.zip!Game.yyp") == []


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("HEAD:game/Other.yyp", "the revision has no such file"),
        ("HEAD~9:game/Game.yyp", "no such revision"),
        ("nothing:game/Game.yyp", "no such revision"),
        ("--all:game", "there is no such file"),
    ],
)
@pytest.mark.usefixtures("project")
def test_what_is_missing(path: str, message: str) -> None:
    with pytest.raises(FileNotFoundError, match=message):
        overhaul.open(path)


@pytest.mark.usefixtures("project")
def test_a_folder_stands_for_its_only_project() -> None:
    with pytest.raises(FormatError, match="a folder without a project file"):
        overhaul.open("HEAD:game/rooms")
    Path("Second.yyp").write_bytes(Path("Game.yyp").read_bytes())
    git("add", "-A")
    git("commit", "-qm", "third")
    with pytest.raises(FormatError, match=r"there are 2 projects in it: Game\.yyp, Second\.yyp"):
        overhaul.open("HEAD:game")


@pytest.mark.usefixtures("project")
def test_a_revision_is_not_saved() -> None:
    with overhaul.open_project("HEAD~1:.") as opened:
        assert isinstance(opened, IdeProjectDocument)
        opened.scripts["scr_a"].gml = "x = 2;"
        with pytest.raises(WorkspaceError, match="only a project in a folder is saved"):
            opened.save()
    assert main(["repair", "HEAD~1:.", "--yes"]) == 3


def test_a_file_on_the_disk_goes_first(project: Path) -> None:
    Path("HEAD:Game.yyp").write_bytes(project.read_bytes())
    with overhaul.open_project("HEAD:Game.yyp") as opened:
        assert isinstance(opened, IdeProjectDocument)
        assert opened.name == "HEAD:Game.yyp"


@pytest.mark.usefixtures("project")
def test_links_are_no_files() -> None:
    Path("link.yyp").symlink_to("Game.yyp")
    git("add", "-A")
    git("commit", "-qm", "third")
    with pytest.raises(FileNotFoundError, match="the revision has no such file"):
        overhaul.open("HEAD:game/link.yyp")


def test_the_reader_ends_with_the_document(project: Path) -> None:
    files = RevisionFiles("HEAD")
    assert files.read("game/Game.yyp") == project.read_bytes()
    reader = files._reader
    assert reader is not None
    files.close()
    assert reader.returncode == 0


def test_drives_are_no_revisions() -> None:
    assert not is_revision("C:/games/data.win")
    assert is_revision("v1:data.win")
    assert not is_revision("data.win")


@pytest.mark.usefixtures("project")
def test_an_object_that_the_repository_lacks_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    top = Path(git("rev-parse", "--show-toplevel").strip())
    lost = git("rev-parse", "HEAD:game/Game.yyp").strip()
    (top / ".git/objects" / lost[:2] / lost[2:]).unlink()
    assert main(["info", "HEAD:game/Game.yyp"]) != 0
    assert "git cat-file: 'game/Game.yyp' can't be read" in capsys.readouterr().err
    assert scripts("HEAD~1:game/Game.yyp") != []
