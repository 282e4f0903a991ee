"""The code of Game Maker 5 to 8.1 projects, which is text."""

from __future__ import annotations

from pathlib import Path

import pytest

import overhaul
from handmade_project import project_file
from overhaul.errors import WorkspaceError
from overhaul.language.answers import Move
from overhaul.language.edits import after_edits
from overhaul.language.gml.language import GmlLanguage
from overhaul.language.texts import FolderTexts
from overhaul.language.workspace import Workspace

ENTER = "objects/obj_player/key_press_enter.gml"
CODE = (
    b"with (obj_wall) scr_add(lives, SPEED);\n"
    b"var near; near = obj_wall.x;\nammo = near;\nmy.obj_wall = 1;\n"
)


@pytest.fixture(params=[600, 800, 810])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    data = project_file(request.param, {ENTER: CODE})
    (tmp_path / "small.gmk").write_bytes(data)
    overhaul.unpack(tmp_path / "small.gmk", tmp_path / "game")
    return tmp_path / "game"


def saved(folder: Path, workspace: Workspace, gml: GmlLanguage, word: str, new: str) -> list[Move]:
    """Rename, write the files, and pack."""
    offset = workspace.texts.read(ENTER).index(word)
    made = gml.rename(ENTER, offset, new, workspace.prove)
    for path, data in after_edits(workspace.texts, made.edits, made.moves).items():
        place = folder / path
        if data is None:
            place.unlink()
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    overhaul.pack(folder, folder.with_name("renamed.gmk"), force=True)
    overhaul.unpack(folder.with_name("renamed.gmk"), folder.with_name("again"), force=True)
    return made.moves


def test_resources_scripts_and_variables_are_renamed(folder: Path) -> None:
    again = folder.with_name("again")
    for word, new in (
        ("obj_wall", "obj_stone"), ("scr_add", "scr_sum"), ("ammo", "bullets"), ("near", "close"),
    ):  # fmt: skip
        workspace = Workspace.of_folder(folder)
        (gml,) = workspace.languages
        assert isinstance(gml, GmlLanguage)
        moves = saved(folder, workspace, gml, word, new)
        assert bool(moves) == (word in ("obj_wall", "scr_add"))
        workspace.close()
    text = (again / ENTER).read_text()
    assert text.splitlines() == [
        "with (obj_stone) scr_sum(lives, SPEED);",
        "var close; close = obj_stone.x;",
        "bullets = close;",
        "my.obj_wall = 1;",
    ]
    assert (again / "scripts/scr_sum.gml").exists()
    assert (again / "objects/obj_player/collision_obj_stone/1.gml").exists()
    assert '"obj_stone"' in (again / "rooms/rm_first/instances.json").read_text()
    assert not list(again.rglob("*obj_wall*"))


def test_what_a_project_has_is_completed(folder: Path) -> None:
    workspace = Workspace.of_folder(folder)
    (gml,) = workspace.languages
    assert isinstance(workspace.texts, FolderTexts)
    for typed, name in (
        ("\nspr_pl", "spr_player"), ("\nscr_", "scr_add"), ("\nSPE", "SPEED"),
        ("\nsound_pla", "sound_play"), ("\namm", "ammo"),
    ):  # fmt: skip
        text = CODE.decode() + typed
        workspace.texts.put(ENTER, text)
        assert gml.completion(ENTER, len(text)).items[0].name == name
    assert workspace.diagnostics(ENTER) == []
    with pytest.raises(WorkspaceError, match="of the project"):
        gml.rename(ENTER, text.index("SPEED"), "FASTER", workspace.prove)
