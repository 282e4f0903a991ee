"""Where texts of Adventure Game Studio are: dialogs of each age, scripts, rooms, properties."""

from __future__ import annotations

import pytest

from ags_games import game, room
from overhaul.ags.documents.game import GameDocument
from overhaul.ags.documents.room import RoomDocument
from overhaul.ags.game.dialogs import assemble as dialog
from overhaul.ags.game.dialogs import stored_text
from overhaul.ags.game.extensions import DialogsBlock, NewDialog, NewDialogOption
from overhaul.ags.game.gui import Gui, GuiSection, Label
from overhaul.ags.game.old import EarlyCharacter, EarlyDialog, Interface, OldGameContent
from overhaul.ags.game.records import GameContent
from overhaul.ags.game.resources import Dialog, InventoryItem
from overhaul.ags.properties import (
    MapEntry,
    OldProperty,
    OldPropertyDefinition,
    Property,
    PropertySet,
    TextMap,
)
from overhaul.ags.room.records import RoomProperties, SourceText
from overhaul.ags.script.assembler import assemble
from overhaul.ags.script.texts import script_texts
from overhaul.translate.ags.extracting import _entry
from overhaul.translate.ags.game import GameWithRooms, RoomTexts
from overhaul.translate.ags.texts import TextPlace, find_texts

CODE = ["say 0 1", "say 999 0", "say 998 2", "say 5 0", "say 0 99", "return"]


def notes(parts: GameWithRooms, where: str) -> list[tuple[str, str]]:
    """The texts at places that begin so, and their notes."""
    return [
        (text, place.note)
        for text, places in find_texts(parts).items()
        for place in places
        if place.where.startswith(where)
    ]


def parts(version: int = 36) -> tuple[GameWithRooms, GameContent]:
    document = GameDocument.from_bytes(game(50, "3.5.1.10").to_bytes())
    content = document.game.content
    assert content is not None
    document.game.version, document.game.header.compiled_with = version, ""
    content.dialog_script, content.global_script = None, None
    content.dialogs = [Dialog(["Hi", *[""] * 29], option_count=1), Dialog()]
    return GameWithRooms(document), content


SAID = [
    ("Hi", "an option of the player"),
    ("one", "cEgo: say"),
    ("zero", "narrator: say"),
    ("zero", "character 5: say"),
    ("two", "player: say"),
]


@pytest.mark.parametrize("version", [36, 26, 25])
def test_lines_of_dialogs_before_3_1(version: int) -> None:
    made, content = parts(version)
    lines = [stored_text(text, version) for text in ("zero\0", "one\0", "two\0", "unsaid\0")]
    content.speech_lines = lines if version > 25 else [b"".join(lines)]
    content.dialog_data = [(dialog(CODE), b""), (b"", b"")]
    assert notes(made, "Dialog") == [*SAID, ("unsaid", "a line of a dialog")]


def test_unknown_code_of_a_dialog_is_read_from_its_source() -> None:
    made, content = parts()
    source = stored_text("@1\nEGO: Hello: you\nreturn\n  not: this one?\n", 36)
    content.dialog_data = [(b"\x77", source), (b"", b"")]
    found = find_texts(made)
    (place,) = found["Hello: you"]
    assert (place.where, place.line, place.note) == ("Dialog 0", 2, "EGO: say")


def test_options_of_dialogs_from_3_6_3_on() -> None:
    document = GameDocument.from_bytes(game().to_bytes())
    block = DialogsBlock([NewDialog("dOne"), NewDialog("dTwo", options=[NewDialogOption("Hey")])])
    document.game.blocks.add("v363_dialogsnew", block)
    assert notes(GameWithRooms(document), "Dialog 1") == [("Hey", "an option of the player")]
    assert [text for text, _ in notes(GameWithRooms(document), "Dialog 0")] == [
        "&7 I'm Bob.",
        'So "long"!',
    ]


def test_what_a_game_says_of_itself_from_3_6_3_on() -> None:
    document = GameDocument.from_bytes(game().to_bytes())
    reported = {"title": "T", "description": "Long ago", "genre": "Adventure", "version": "1"}
    entries = [MapEntry(key, value) for key, value in reported.items()]
    document.game.blocks.add("v363_gameinfo", TextMap(entries))
    assert notes(GameWithRooms(document), "game") == [
        ("Small Game", "the name of the game"),
        ("Long ago", "the description of the game"),
        ("Adventure", "the genre of the game"),
    ]


def test_games_before_2_5() -> None:
    document = GameDocument.from_bytes(game(50, "3.5.1.10").to_bytes())
    document.game.version, document.game.content = 12, None
    document.game.header.compiled_with = ""
    old = OldGameContent(
        name="Old",
        interfaces=[Interface(text="bar"), Interface(text="unused")],
        interface_count=1,
        characters=[EarlyCharacter(name="Ego", script_name="EGO")],
        inventory=[InventoryItem("none"), InventoryItem("cup"), InventoryItem("unused")],
        inventory_count=2,
        dialogs=[EarlyDialog(options=["Hi", "unused"], option_count=1)],
        dialog_data=[(dialog(CODE[:2]), b"")],
        dialog_messages=["zero", "one", "unsaid"],
        messages=["no"],
    )
    old.message_pointers[7] = 1
    old.source = b'function x() { Display("shown"); }'
    old.guis = (100, GuiSection([Gui(control_references=[2 << 16])], [], [Label(text="label")]))
    document.game.old = old
    made = GameWithRooms(document)
    assert (made.name, made.unique_id, made.release()) == ("Old", 0, (2,))
    assert list(find_texts(made)) == [
        "Hi", "one", "zero", "unsaid", "shown", "bar", "label", "Ego", "cup", "no",
    ]  # fmt: skip
    assert notes(made, "messages") == [("no", "a global message")]
    assert notes(made, "Dialog 0")[1:] == [("one", "EGO: say"), ("zero", "narrator: say")]


def test_releases_by_the_data_version() -> None:
    document = GameDocument.from_bytes(game().to_bytes())
    made = GameWithRooms(document)
    assert made.release() == (3, 6, 0, 51)
    for version, release in [(3060203, (3, 6, 2)), (4000027, (4, 0, 0)), (33, (3,)), (32, (2,))]:
        document.game.header.compiled_with, document.game.version = "", version
        assert made.release() == release


def test_texts_of_properties_and_old_rooms() -> None:
    document = GameDocument.from_bytes(game().to_bytes())
    assert document.game.content is not None
    schema = document.game.content.property_schema
    schema.old_definitions = [
        OldPropertyDefinition("sound", "", "Silence", 3),
        OldPropertyDefinition("size", "", "big", 2),
    ]
    model = room()
    sets = [
        PropertySet(1, [OldProperty("sound", "Bang"), OldProperty("size", "huge")]),
        PropertySet(values=[Property("smell", "Rust")]),
        PropertySet(values=[Property("smell", "Oil")]),
    ]
    own = PropertySet(values=[Property("smell", "Damp")])
    model.blocks.add(8, RoomProperties(room=own, sets=sets))
    model.blocks.blocks = [block for block in model.blocks.blocks if block.id != 7]
    source = SourceText()
    source.text = b'Display("from its source");'
    model.blocks.add(2, source)
    opened = RoomDocument.from_bytes(model.to_bytes())
    made = GameWithRooms(document, [RoomTexts(4, opened)])
    found = {text: places[0].where for text, places in find_texts(made).items()}
    assert notes(made, "properties") == [
        ("Silence", "what the property sound is by default"),
        ("It smells of nothing", "what the property smell is by default"),
    ]
    assert [text for text, where in found.items() if where.startswith("room4")] == [
        "from its source", "A message of the room", "Damp", "Bang", "the door", "Rust", "a lamp",
        "Oil",
    ]  # fmt: skip
    assert found["Rust"] == "room4/hotspots/1" and found["Oil"] == "room4/objects/0"
    assert "huge" not in found and "big" not in found


# --- scripts --------------------------------------------------------------------------------

NESTED = """
.script 90
.data 0
.strings
    s0: "outer %s"
    s9: "inner"
    s15: "assigned"
    s24: "left alone"
    s35: "for the player"
    s50: "a key"
    s56: "to a result"
.imports 7
    1: "Display^101"
    2: "String::Append^1"
    3: "player"
    4: "Character::Think^101"
    5: "Game::get_Name"
    6: "Game::DoOnceOnly^1"
.exports
.sections
    "b.asc" L3
    "a.asc" L0
.code
L0:
    sourceline 7
    movl ax, @string s9
    farpush ax
    movl ax, @string s0
    farpush ax
    movl mar, @import "Game::get_Name"
    mov mar, ax
    callobj ax
    setfuncargs 1
    movl ax, @import "String::Append^1"
    farcall ax
    farsubsp 1
    farpush ax
    setfuncargs 2
    movl ax, @import "Display^101"
    farcall ax
    farsubsp 2
    movl ax, @string s15
    newstring ax
    memwrite.ptr ax
    movl bx, @string s9
    movl ax, 5
    add bx, ax
    cmpeq bx, ax
L3:
    sourceline 1
    movl ax, @string s35
    farpush ax
    movl mar, @import "player"
    push mar
    pop mar
    memread.ptr ax
    callobj ax
    setfuncargs 1
    movl ax, @import "Character::Think^101"
    farcall ax
    farsubsp 1
    movl ax, @string s50
    farpush ax
    setfuncargs 1
    movl ax, @import "Game::DoOnceOnly^1"
    farcall ax
    farsubsp 1
    movl ax, @string s56
    farpush ax
    setfuncargs 0
    movl ax, @import "Game::get_Name"
    farcall ax
    callobj ax
    setfuncargs 1
    movl ax, @import "Character::Think^101"
    farcall ax
    ret
"""


def test_what_is_done_with_each_text_of_a_script() -> None:
    found = {text.text: text for text in script_texts(assemble(NESTED))}
    assert list(found) == [
        "outer %s", "inner", "assigned", "left alone", "for the player", "a key", "to a result",
    ]  # fmt: skip
    assert found["a key"].uses == ["Game::DoOnceOnly"]
    assert found["to a result"].uses == ["Character::Think"]
    assert found["outer %s"].uses == ["Game::get_Name: Append"]
    assert found["inner"].uses == ["Display"]
    assert found["assigned"].uses == [] and found["left alone"].uses == []
    assert found["for the player"].uses == ["player: Think"]
    assert [(text.section, text.line) for text in found.values()] == [
        ("a.asc", 7), ("a.asc", 7), ("a.asc", 7), ("", 0), ("b.asc", 1), ("b.asc", 1), ("b.asc", 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("count", "more"), [(7, []), (8, []), (9, ["and 1 more use"]), (10, ["and 2 more uses"])]
)
def test_up_to_eight_uses_of_a_text_are_listed(count: int, more: list[str]) -> None:
    notes = [f"use {number}" for number in range(count)]
    entry = _entry("Hello", [TextPlace("room1", number, note) for number, note in enumerate(notes)])
    assert entry.comment.split("\n") == [*notes[:8], *more]
