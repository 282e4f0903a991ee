"""Names that scripts know things by: one that a script uses can't be taken away."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ags_folders import Folder
from ags_games import game
from ags_package import made_room
from ags_rooms import bgra, sprites
from overhaul.ags.documents.room import RoomDocument
from overhaul.ags.game.extensions import DialogsBlock, NewDialog
from overhaul.ags.game.game import Game
from overhaul.ags.library.package import Package
from overhaul.ags.pictures import Pixels
from overhaul.ags.room.room import Room
from overhaul.ags.script.assembler import assemble
from overhaul.ags.script.model import Script
from overhaul.errors import WorkspaceError

USES = """
.script 90
.data 0
.strings
.imports 1
    0: "{name}"
.exports
    function "used$0" L0
.sections
    "script.asc" L0
.code
L0:
    movl ax @import "{name}"
    ret
"""


def uses(name: str) -> Script:
    """A script that uses a name."""
    return assemble(USES.format(name=name))


#: What scripts call the last character of :func:`game_with`.
NAME = "cZed"


def game_with(used: str) -> Game:
    """The small game with a script that uses a name."""
    made = game()
    assert made.content is not None
    made.content.characters[-1].script_name = NAME
    made.content.global_script = uses(used)
    made.recompute_counts()
    return made


def rename(value: dict[str, Any]) -> None:
    value["ScriptName"] = "cOther"


FILE = f"characters/{NAME}.json"


def test_of_the_game_s_own_scripts(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "game28.dta", game_with(NAME).to_bytes(), new=True)
    kept = folder.json(FILE)
    folder.edit(FILE, rename)
    with pytest.raises(
        WorkspaceError, match=rf"^scripts/GlobalScript\.asc: {NAME} is used here, but nothing"
    ):
        folder.pack()
    folder.edit(FILE, lambda value: value.update(kept, RealName="Somebody else"))
    folder.pack()


def test_a_name_that_no_script_uses_may_go(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "game28.dta", game_with("Display").to_bytes(), new=True)
    folder.edit(FILE, rename)
    content = Game.read(folder.pack()).content
    assert content is not None and content.characters[-1].script_name == "cOther"


def package_of(made: Game, room: Room) -> bytes:
    package = Package(version=30, parts=["small.ags"])
    package.add("game28.dta", made.to_bytes())
    package.add("room1.crm", room.to_bytes())
    picture = Pixels(2, 1, 4, bgra((200, 0, 0, 255), (0, 255, 0, 255)))
    package.add("acsprset.spr", sprites(picture, picture))
    return package.to_bytes()


def test_of_the_scripts_of_rooms(tmp_path: Path) -> None:
    room = RoomDocument.from_bytes(made_room().to_bytes()).room
    assert room.script is not None
    room.script.imports[:] = uses(NAME).imports
    folder = Folder(tmp_path, "small.ags", package_of(game_with("Display"), room), new=True)
    folder.edit(FILE, rename)
    with pytest.raises(
        WorkspaceError, match=rf"rooms/1/script\.asc: {NAME} is used here, but nothing"
    ):
        folder.pack()


def test_of_dialogs_that_have_a_block_of_their_own(tmp_path: Path) -> None:
    made = game(3060303)
    assert made.content is not None
    made.content.dialogs, made.content.dialog_script_names = [], []
    made.blocks.add("v363_dialogsnew", DialogsBlock([NewDialog("dStart"), NewDialog("dEnd")]))
    made.recompute_counts()
    room = RoomDocument.from_bytes(made_room().to_bytes()).room
    assert room.script is not None
    room.script.imports[:] = uses("dEnd").imports
    folder = Folder(tmp_path, "small.ags", package_of(made, room), new=True)
    folder.edit("dialogs/dEnd.json", lambda value: value.update(Name="dOther"))
    with pytest.raises(
        WorkspaceError, match=r"rooms/1/script\.asc: dEnd is used here, but nothing"
    ):
        folder.pack()
