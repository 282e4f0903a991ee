"""What forms know about the fields of things: names, choices and limits of the records' words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import ags_games
import ags_rooms
from overhaul.ags.documents.game import GameDocument
from overhaul.ags.documents.room import RoomDocument
from overhaul.ags.game.gui import Gui
from overhaul.ags.properties import EventSchema
from overhaul.ags.shapes import (
    SAME,
    ByName,
    Counted,
    ListOf,
    NamedNumber,
    Truth,
)
from overhaul.ags.words import Flags, Inside, Object, Shown
from overhaul.document.hints import ANY, Hint, agrees
from overhaul.document.plainfiles import UnpackOptions
from overhaul.document.reading import open_data
from overhaul.document.registry import folder_format_of
from overhaul.folder.json_fields import read_json
from overhaul.folder.texts import plain_files
from overhaul.schema.declaration import markdown_table
from overhaul.workbench import forms

TEXT = Hint("text")


def document(version: int = 3060021) -> GameDocument:
    return GameDocument.from_bytes(ags_games.game(version).to_bytes(), source="game28.dta")


def shown(made: GameDocument | RoomDocument, path: str) -> tuple[object, Hint]:
    """What a file of a document shows, and what may stand there."""
    file = next(one for one in plain_files(made, UnpackOptions()) if one.path == path)
    hint = folder_format_of(made.kind).fields.hint(made, path)
    assert hint is not None
    return read_json(file.read(), path), hint


def test_shapes_say_what_may_stand_in_what_they_show() -> None:
    assert NamedNumber({0: "No", 3: "Yes"}).hint(ANY) == Hint("choice", choices=("No", "Yes"))
    assert Truth().hint(ANY) == Hint("flag") and Counted().hint(ANY) == Hint("integer")
    assert SAME.hint(TEXT) is TEXT
    assert ListOf(Truth()).hint(ANY) == Hint("list", element=Hint("flag"))
    events = ByName(("Look", "Talk"), "Event", usual=True).hint(Hint("list", element=TEXT))
    assert events.record is not None and events.record() == {"Look": (TEXT, ""), "Talk": (TEXT, "")}
    flags = Flags({"A": 1, "!B": 2}, field="flags")
    inner = Object([Shown("X", field="x", quiet=3), flags])
    record = Object([Inside("look", inner)]).hint().record
    assert record is not None
    assert record() == {"X": (ANY, 3), "A": (Hint("flag"), None), "B": (Hint("flag"), None)}


def test_fields_have_the_limits_and_notes_of_their_declarations() -> None:
    _, hint = shown(document(), "characters/cEgo.json")
    record = hint.record
    assert record is not None
    known = {name: said for name, (said, _) in record().items()}
    assert known["ID"] == Hint("integer", 0)
    assert known["UniformMovementSpeed"].type == "flag"
    assert (known["StartX"].low, known["StartX"].high) == (-(1 << 31), (1 << 31) - 1)
    assert known["NormalView"].type == "integer"
    assert known["Interactions"].inside("Look") == TEXT
    properties = known["Properties"].element
    assert properties is not None and properties.inside("Value") is not None


def test_a_gui_and_its_controls_have_choices_of_the_editor() -> None:
    value, hint = shown(document(), "guis/gBar.json")
    fields = {field.label: field for field in forms.Form().fields(value, hint)}
    assert fields["PopupStyle"].type == "choice" and "Normal" in fields["PopupStyle"].choices
    (controls,) = [field for field in fields.values() if field.label == "Controls"]
    types = [inner.choices for field in controls.fields for inner in field.fields[:1]]
    assert types and all("Slider" in each for each in types)
    control = hint_at(hint, "/Controls/0")
    assert control.inside("ClickAction") is not None and control.inside("OnClick") == TEXT


def hint_at(hint: Hint, pointer: str) -> Hint:
    return forms.hint_at(hint, pointer)


def test_a_room_has_hints_of_its_block_and_its_areas() -> None:
    made = RoomDocument()
    made.room = ags_rooms.room()
    value, hint = shown(made, "room.json")
    assert isinstance(value, dict) and agrees(hint, value)
    assert hint.inside("BottomEdgeY") is not None
    assert hint_at(hint, "/Regions/0/ID") == Hint("integer", 0)
    assert hint_at(hint, "/Interactions").inside("FirstLoad") is not None
    assert folder_format_of(made.kind).fields.hint(made, "tables.json") is None


def pairs(value: object, hint: Hint) -> Iterator[tuple[object, Hint]]:
    """All values of a file that are known by name, with what may stand there."""
    yield value, hint
    if isinstance(value, dict) and hint.record is not None:
        for key, inner in value.items():
            yield from pairs(inner, hint.inside(key) or ANY)
    if isinstance(value, list) and hint.element is not None:
        for inner in value:
            yield from pairs(inner, hint.element)


@pytest.mark.parametrize("version", [3020021, 3050000, 3060003, 3060021])
def test_what_is_shown_is_what_may_stand_there(version: int) -> None:
    made = document(version)
    known = 0
    for file in plain_files(made, UnpackOptions()):
        hint = folder_format_of(made.kind).fields.hint(made, file.path)
        if hint is None or not file.path.endswith(".json"):
            continue
        value = read_json(file.read(), file.path)
        for inner, said in pairs(value, hint):
            is_number = said.type == "choice" and isinstance(inner, int)  # one without a name
            assert agrees(said, inner) or is_number or said.type == "json", (file.path, inner, said)
            known += said.type != "json"
        fields = forms.Form().fields(value, hint)
        assert [field.label for field in fields] == list(value if isinstance(value, dict) else ())
    assert known > 60


def test_a_package_asks_the_format_of_its_part() -> None:
    with open_data(ags_games.package(), source="game.ags") as made:
        known = folder_format_of(made.kind)
        character = known.fields.hint(made, "characters/cEgo.json")
        assert character is not None and character.inside("StartX") is not None
        room = known.fields.hint(made, "rooms/1/room.json")
        assert room is not None and room.inside("Width") is not None
        assert known.fields.hint(made, "package.json") is None


def test_tables_of_records_say_what_plain_files_call_a_field() -> None:
    table = markdown_table(Gui)
    choices = "Normal, MouseYPos, PopupModal, Persistent, NormalButInitiallyOff"
    assert "| Field | Type | Present | In plain files | Meaning |\n|---|---|---|---|---|\n" in table
    assert f"| `popup_style` | i32 |  | `PopupStyle` ({choices}) |  |\n" in table
    assert "| `x` | i32 |  | `Left` |  |\n" in table
    assert "| `Clickable`, `TextWindow`, `Visible` | before 119, the flag 1" in table
    plain = markdown_table(EventSchema)
    assert "| Field | Type | Present | Meaning |\n|---|---|---|---|\n" in plain
