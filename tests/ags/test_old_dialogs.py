"""Dialogs before 3.1: their lines, what they compile to, and their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from ags_folders import Folder
from ags_games import game
from ags_things import make_even
from overhaul import mods
from overhaul.ags.game import Game
from overhaul.ags.game.dialogs import assemble, stored_text
from overhaul.ags.game.gui import Button, Gui, GuiSection, Label
from overhaul.ags.game.old import (
    EarlyCharacter,
    EarlyDialog,
    EarlyView,
    Interface,
    InterfaceButton,
    OldGameContent,
)
from overhaul.ags.game.old_dialogs import compile_dialogs
from overhaul.ags.game.resources import Cursor, Dialog, Frame, InventoryItem, SpriteFolder
from overhaul.ags.properties import EventBlock
from overhaul.ags.script.model import Script
from overhaul.errors import SourceError, WorkspaceError

FIRST = """// dialog script file
@S  // how it begins
bob: Who goes there?
return
@1  // the option
 ego: It's me, Bob!
narrator:He shrugs.
player: Well.
option-off 1
option-on 2;
set-speech-view bob, 4
set-globalint 3, 4
return  // done
@2
goto-dialog second
goto-dialog 0
stop"""
SECOND = "bob: No.\ngoto-previous\n"
CODE = [
    *("say 1 0", "return", "say 0 1", "say 999 2", "say 998 3", "option-off 0", "option-on 1"),
    *("set-speech-view 1 4", "set-globalint 3 4", "return", "goto-dialog 1", "goto-dialog 0"),
    *("stop", "end"),
]


def test_lines_become_operations() -> None:
    made = compile_dialogs(
        {"a": FIRST, "b": SECOND, "c": ""}, ["EGO", "cBob"], ["dFirst", "Second"]
    )
    assert [dialog.code for dialog in made.dialogs] == [
        CODE,
        ["say 1 4", "goto-previous", "end"],
        [],
    ]
    assert made.lines == ["Who goes there?", "It's me, Bob!", "He shrugs.", "Well.", "No."]
    assert made.dialogs[0].entries == {0: 0, 1: 6, 2: 6 + 3 * 5 + 2 * 3 + 2 * 5 + 1}
    assert made.dialogs[1].entries == {}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("bop: Hi", "no character is called 'bop'"),
        ("jump 2", "unknown command jump 2"),
        ("option-onn 2", "did you mean 'option-on'"),
        ("option-on", "option-on lacks its parameter"),
        ("option-on 31", "a dialog has at most 30 options: no 31"),
        ("option-on two", "option-on: expected a number, got 'two'"),
        ("goto-dialog third", "goto-dialog: expected a number, got 'third'"),
        ("give-score 40000", "give-score: 40000 is too large"),
        ("@x", "expected @S or @ and the number of an option, got @x"),
        ("@31", "expected @S or @ and the number of an option, got @31"),
        (";", "unknown command ;"),
    ],
)
def test_a_wrong_line_has_its_place(line: str, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        compile_dialogs({"dialogs/a.ads": f"@S\n  {line}\n"}, ["EGO", "BOB"], ["first"])
    assert message in str(caught.value)
    assert str(caught.value).startswith("dialogs/a.ads:2:3: ")


def newer(version: int = 36, *, code: list[str] = CODE) -> bytes:
    """A game of 3.0 with two dialogs."""
    made = game(40, "3.0.1")
    made.version = made.blocks.version = version
    content = made.content
    assert content is not None
    content.dialog_script = None
    content.font_flags, content.font_outlines = [0, 0], [-1, -1]
    content.characters[0].script_name, content.characters[1].script_name = "EGO", "BOB"
    points = [6, 38, *[-1] * 28]
    options = ["Me", "Bye", *[""] * 28]
    content.dialogs = [
        Dialog(options=options, option_count=2, entry_points=points),
        Dialog(options=options, entry_points=[-1] * 30, start_entry=-1),
    ]
    content.dialog_script_names = ["dFirst", "second"]
    second = ["say 1 4", "goto-previous", "end"]
    texts = [stored_text(text.replace("\n", "\r\n") + "\0", version) for text in (FIRST, SECOND)]
    content.dialog_data = [(assemble(code), texts[0]), (assemble(second), texts[1])]
    said = compile_dialogs({"a": FIRST, "b": SECOND}, ["EGO", "BOB"], ["", "second"]).lines
    content.speech_lines = [stored_text(line + "\0", version) for line in said]
    make_even(made.tables())
    made.recompute_counts()
    return made.to_bytes()


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path, "game28.dta", newer(), new=True)


def test_lines_are_files(folder: Folder) -> None:
    assert (folder.path / "dialogs/dFirst.ads").read_text() == FIRST
    assert (folder.path / "dialogs/second.ads").read_text() == SECOND
    shown = folder.json("dialogs/dFirst.json")
    assert "Script" not in shown
    assert shown["Options"] == [
        {"Text": "Me", "Show": False, "Say": True},
        {"Text": "Bye", "Show": False, "Say": True},
    ]
    assert "dialogs.json" not in folder.names()
    folder.check()


def test_an_edited_line_is_compiled(folder: Folder) -> None:
    lines = folder.path / "dialogs/dFirst.ads"
    lines.write_text(FIRST.replace("Who goes there?", "Who is there?\nego: Guess."))
    (folder.root / "edited.dta").write_bytes(folder.pack())
    (change,) = mods.diff(folder.file, folder.root / "edited.dta").changes
    assert change.path == "dialogs/dFirst.ads"
    lines.write_text(FIRST.replace("bob: Who", "rob: Who"))
    with pytest.raises(SourceError, match=r"dialogs/dFirst.ads:3:1: no character is called 'rob'"):
        folder.pack()


def test_lines_are_not_lost(folder: Folder) -> None:
    (folder.path / "dialogs/second.ads").unlink()
    with pytest.raises(WorkspaceError, match=r"dialogs/second.ads is missing"):
        folder.pack()
    (folder.path / "dialogs/dFirst.ads").unlink()
    with pytest.raises(WorkspaceError, match=r"dialogs/dFirst.ads is missing"):
        folder.pack()
    (folder.path / "dialogs/other.ads").write_text("")
    with pytest.raises(WorkspaceError, match=r"there is no dialogs/other.json"):
        folder.pack()


def test_lines_that_give_other_code_stay_in_json(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "game28.dta", newer(code=["say 1 1", *CODE[1:]]), new=True)
    assert not [name for name in folder.names() if name.endswith(".ads")]
    shown = folder.json("dialogs/dFirst.json")
    assert shown["Script"]["code"][0] == "say 1 1"  # type: ignore[index]
    folder.check()


def test_lines_of_the_first_versions(tmp_path: Path) -> None:
    text = "@S\r\nbob: Hi.\r\nstop"
    content = OldGameContent(
        interfaces=[Interface(buttons=[InterfaceButton() for _ in range(20)]) for _ in range(10)],
        cursors=[Cursor(name="walk") for _ in range(10)],
        character_conditions=[EventBlock() for _ in range(50)],
        inventory_conditions=[EventBlock() for _ in range(100)],
        inventory=[InventoryItem(f"item {number}") for number in range(100)],
        dialogs=[EarlyDialog(options=["Hi", *[""] * 14], option_count=1, code_size=7)],
        dialog_data=[(assemble(["say 0 0", "stop", "end"]), stored_text(text + "\0", 12))],
        dialog_messages=["Hi."],
        characters=[EarlyCharacter(name="Bob", script_name="BOB")],
    )
    content.views = [EarlyView(1, frames=[Frame(picture=0) for _ in range(80)])]
    content.sprite_folders = [SpriteFolder(1, [3] * 240, -1, "MAIN")]
    content.global_script_pointer = content.compiled_script_pointer = 7
    content.compiled_script = Script(version=81, code=bytes(4))
    content.source = b""
    gui = Gui(name="gui", control_references=[0] * 30)
    content.guis = (102, GuiSection([gui], [Button(text="ok")], [Label(text="l")]))
    made = Game(version=12, old=content)
    made.header.compiled_with = "2.3"
    folder = Folder(tmp_path, "ac2game.dta", made.to_bytes(), new=True)
    lines = folder.path / "dialogs/0.ads"
    assert lines.read_text() == text.replace("\r\n", "\n")
    folder.check()
    lines.write_text("@S\nbob: Hi.\nbob: Ho.\nstop")
    (folder.root / "edited.dta").write_bytes(folder.pack())
    (change,) = mods.diff(folder.file, folder.root / "edited.dta").changes
    assert change.path == "dialogs/0.ads"
    lines.unlink()
    with pytest.raises(WorkspaceError, match=r"dialogs/0.ads is missing"):
        folder.pack()
