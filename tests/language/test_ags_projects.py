"""Scripts of a project of Adventure Game Studio's editor, where they are."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import ags_built
from lsp_editor import editing
from overhaul.ags.agf import compiling
from overhaul.ags.agf.files import ProjectFiles
from overhaul.ags.agf.rooms import RoomNames, names_in_room
from overhaul.errors import WorkspaceError
from overhaul.language.protocol import Language
from overhaul.language.workspace import Workspace

ROOM = 'function room_Load()\n{\n  count = twice(3);\n  cEgo.Say("Here.");\n}\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = ags_built.write(tmp_path / "project", ags_built.project())
    (folder / "room1.asc").write_text(ROOM)
    return folder


@pytest.fixture
def workspace(project: Path) -> Workspace:
    return Workspace.of_project(project / "Game.agf")


def language_of(workspace: Workspace) -> Language:
    (language,) = workspace.languages
    return language


def said(workspace: Workspace, path: str) -> list[str]:
    return [each.message for each in workspace.diagnostics(path)]


def test_scripts_are_checked_as_they_are_typed(workspace: Workspace) -> None:
    assert workspace.kind == "ags-project"
    for path in ("room1.asc", "Module.asc", "Module.ash", "GlobalScript.asc"):
        assert said(workspace, path) == []
    workspace.texts.put("room1.asc", ROOM.replace("cEgo.Say", "cEgo.Sya"))
    assert said(workspace, "room1.asc") == ["Character has no member 'Sya'"]
    workspace.texts.put("room1.asc", ROOM.replace("twice", "thrice"))
    assert "'thrice' is not declared" in said(workspace, "room1.asc")[0]
    # a header that nobody has saved counts for all that follow it
    workspace.texts.put("Module.ash", "import int twice(int a);\nimport int thrice(int a);\n")
    assert said(workspace, "room1.asc") == []
    workspace.texts.put("Module.ash", "import int twice(int a)\n")
    assert len(said(workspace, "Module.ash")) == 1
    assert said(workspace, "room1.asc") == []  # the mistake is not in it


def test_the_whole_project_is_checked(project: Path, workspace: Workspace) -> None:
    (project / "Old.asc").write_text("no script of the project")
    assert workspace.check() == {}
    workspace.texts.put("GlobalScript.asc", "function f() { nowhere(); }\n")
    found = workspace.check()
    assert [*found] == ["GlobalScript.asc"]
    workspace.texts.put("Game.agf", "<no project")
    assert workspace.check()


def test_names_of_things_and_of_other_scripts_are_known(workspace: Workspace) -> None:
    language = language_of(workspace)
    text = workspace.texts.read("room1.asc")
    hover = language.hover("room1.asc", text.index("cEgo"))
    assert hover is not None and hover.code == "Character cEgo"
    (span,) = language.definitions("room1.asc", text.index("twice"))
    assert (span.path, span.start) == ("Module.asc", len("int "))
    uses = {one.path for one in language.references("room1.asc", text.index("twice"))}
    assert uses == {"Module.ash", "Module.asc", "GlobalScript.asc", "room1.asc"}
    offered = language.completion("room1.asc", text.index("Say(")).items
    assert {"Say", "Walk"} <= {item.name for item in offered}
    for name in ("twice", "cEgo", "count"):
        offered = language.completion("room1.asc", text.index(name) + 2).items
        assert name in {item.name for item in offered}


def test_names_of_a_project_are_not_renamed(workspace: Workspace) -> None:
    language = language_of(workspace)
    at = workspace.texts.read("room1.asc").index("twice")
    for ask in (
        lambda: language.renameable("room1.asc", at),
        lambda: language.rename("room1.asc", at, "double", workspace.prove),
    ):
        with pytest.raises(WorkspaceError, match="names of a project are not renamed"):
            ask()


def test_a_broken_project_has_scripts_without_answers(project: Path) -> None:
    (project / "Game.agf").write_text("<no project")
    workspace = Workspace.of_project(project / "Game.agf")
    assert said(workspace, "room1.asc") == []
    assert language_of(workspace).symbols("room1.asc")[0].name == "room_Load"


def test_an_editor_shows_the_mistakes_of_a_project(project: Path) -> None:
    (project / "room1.asc").write_text(ROOM.replace("cEgo.Say", "cEgo.Sya"))

    async def asked() -> None:
        async with editing(project) as editor:
            editor.open("room1.asc")
            await editor.reported("room1.asc", "Character has no member 'Sya'")

    asyncio.run(asked())


def test_scripts_are_those_of_the_project_wherever_the_program_runs(
    project: Path, workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = ags_built.write(tmp_path / "other", ags_built.project())
    (other / "room1.asc").write_text("function f() { nowhere(); }\n")
    monkeypatch.chdir(other)
    assert said(workspace, "room1.asc") == []
    workspace.texts.put("room1.asc", ROOM.replace("twice", "thrice"))
    assert "'thrice' is not declared" in said(workspace, "room1.asc")[0]
    assert [*workspace.check()] == ["room1.asc"]


@pytest.mark.parametrize("is_broken", [False, True])
def test_a_project_is_read_once_for_all_that_is_asked(
    project: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch, is_broken: bool
) -> None:
    if is_broken:
        (project / "Game.agf").write_text("<no project")
    language = language_of(workspace)
    text = workspace.texts.read("room1.asc")
    read: list[str] = []
    one = ProjectFiles.read

    def reading(self: ProjectFiles, path: Path) -> bytes:
        read.append(path.name)
        return one(self, path)

    monkeypatch.setattr(ProjectFiles, "read", reading)
    for _ in range(3):
        assert language.tokens("room1.asc")
        assert is_broken or language.references("room1.asc", text.index("twice"))
    assert read.count("Game.agf") == 1
    workspace.texts.put("room1.asc", text + "\n")  # it may have been the project
    assert language.tokens("room1.asc") and language.tokens("room1.asc")
    assert read.count("Game.agf") == 2


def test_a_project_that_is_mended_has_answers_again(project: Path, workspace: Workspace) -> None:
    whole = (project / "Game.agf").read_text()
    workspace.texts.put("Game.agf", "<no project")
    wrong = ROOM.replace("twice", "thrice")
    workspace.texts.put("room1.asc", wrong)
    assert said(workspace, "room1.asc") == []
    workspace.texts.put("Game.agf", whole)
    assert len(said(workspace, "room1.asc")) == 1


def test_the_file_of_a_room_is_decoded_once_until_it_changes(
    project: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded: list[bytes] = []

    def reading(data: bytes, *, source: str | None = None) -> RoomNames:
        decoded.append(data)
        return names_in_room(data, source=source)

    monkeypatch.setattr(compiling, "names_in_room", reading)
    for text in (ROOM, ROOM + "\n", ROOM + "\n\n"):
        workspace.texts.put("room1.asc", text)
        assert said(workspace, "room1.asc") == []
    assert len(decoded) == 1
    room = project / "room1.crm"
    room.write_bytes(room.read_bytes() + b"\0")
    workspace.texts.put("room1.asc", ROOM)
    assert said(workspace, "room1.asc") == []
    assert len(decoded) == 2
