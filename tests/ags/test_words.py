"""The files of a game's things: their words, their names, and what they refer to."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import overhaul
from ags_folders import Folder, room
from ags_games import game as small_game
from overhaul import mods
from overhaul.ags import shapes
from overhaul.ags.folder import forms
from overhaul.ags.folder.resources import places_of_controls
from overhaul.ags.game.game import Game
from overhaul.ags.game.gui import Button, Gui, Label
from overhaul.ags.game.resources import (
    Character,
    Dialog,
    Frame,
    InventoryItem,
    Loop,
    View,
)
from overhaul.ags.properties import PropertySet
from overhaul.ags.shapes import ByName, key_of, steps_of
from overhaul.ags.words import Flags, Object, Shown, form
from overhaul.errors import FormatError, OverhaulError, WorkspaceError

Edit = Callable[[dict[str, Any]], object]


def game(version: int = 3060114) -> Game:
    """A small game with a view, two items, a dialog and two GUIs with controls."""
    made = small_game()
    content = made.content
    assert content is not None
    content.views = [View([Loop(1, [Frame(picture=3, flags=1, speed=2)])])]
    content.view_names = ["vEgo"]
    content.characters = [
        Character(name="Ego", script_name="cEgo", flags=4 | 0x2000, walk_speed=5),
        Character(name="Bob", script_name="cBob", walk_speed=3, walk_speed_y=2, talk_view=-1),
    ]
    content.character_events = [["", "cEgo_look"] + [""] * 6, [""] * 8]
    content.inventory = [InventoryItem(), InventoryItem("Cup"), InventoryItem("Key")]
    content.inventory_script_names = ["", "iCup", "iKey"]
    content.inventory_events = [[""] * 5, [""] * 5]
    content.dialogs = [
        Dialog(options=["Hello", "Bye", *[""] * 28], option_count=2, option_flags=[1, 5, *[0] * 28])
    ]
    content.dialog_script_names = ["dBob"]
    section = content.gui
    section.guis = [
        Gui(name="gMain", control_count=2, control_references=[65536, 131072], flags=5),
        Gui(name="gQuit", control_count=1, control_references=[65537], flags=1),
    ]
    section.buttons = [
        Button(name="bOk", text="OK", flags=84, events=["bOk_click"]),
        Button(name="bNo", events=[""]),
    ]
    section.labels = [Label(name="lTitle", text="Title")]
    game_properties(made)
    return made


def game_properties(made: Game) -> None:
    """Lists that go with those of the things."""
    content = made.content
    assert content is not None
    content.character_properties = [PropertySet() for _ in content.characters]
    _, *others = content.inventory
    content.inventory_properties = [PropertySet(format=1), *(PropertySet() for _ in others)]
    made.recompute_counts()
    made.uneven = made.tables().uneven()


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """What the tests get copies of."""
    return Folder(tmp_path_factory.mktemp("words"), "game28.dta", game().to_bytes(), new=True)


@pytest.fixture
def tree(unpacked: Folder, tmp_path: Path) -> Folder:
    return unpacked.copy(tmp_path)


def edited(folder: Folder, name: str, **fields: object) -> Game:
    folder.edit(name, lambda shown: shown.update(fields))
    return Game.read(folder.pack())


# --- files ----------------------------------------------------------------------------------


def test_each_thing_has_a_file_named_after_what_scripts_call_it(tree: Folder) -> None:
    names = set(tree.names())
    assert {
        "characters/cEgo.json", "characters/cBob.json", "inventory/iKey.json", "views/vEgo.json",
        "dialogs/dBob.json", "guis/gMain.json", "guis/gQuit.json", "game.json",
    } <= names  # fmt: skip
    assert not {"characters.json", "inventory.json", "views.json"} & names
    assert tree.pack(from_scratch=True) == tree.data
    with overhaul.open(tree.file) as document:
        paths = {resource.path for resource in document.tree()}
    assert {"characters/cEgo.json", "guis/gMain.json", "inventory/iKey.json"} <= paths


def test_the_words_are_those_of_the_editor(tree: Folder) -> None:
    ego = tree.json("characters/cEgo.json")
    assert (ego["ID"], ego["RealName"], ego["NormalView"], ego["SpeechView"]) == (0, "Ego", 1, 0)
    assert (ego["Clickable"], ego["Solid"], ego["flags"]) == (False, True, 0x2000)
    assert (ego["UniformMovementSpeed"], ego["MovementSpeed"]) == (True, 5)
    assert ego["Interactions"]["Interact"] == "cEgo_look"  # type: ignore[index]
    bob = tree.json("characters/cBob.json")
    assert (bob["MovementSpeedX"], bob["MovementSpeedY"]) == (3, 2)
    item = tree.json("inventory/iKey.json")
    assert (item["ID"], item["Name"], item["Description"]) == (2, "iKey", "Key")
    view = tree.json("views/vEgo.json")
    frame = {"Image": 3, "Flipped": True, "Delay": 2}
    assert view["Loops"] == [{"RunNextLoop": True, "Frames": [frame]}]
    dialog = tree.json("dialogs/dBob.json")
    assert dialog["Options"] == [
        {"Text": "Hello", "Show": True, "Say": True},
        {"Text": "Bye", "Show": True, "Say": False},
    ]
    window: Any = tree.json("guis/gMain.json")
    assert [control["Type"] for control in window["Controls"]] == ["Button", "Label"]
    assert window["Controls"][0]["OnClick"] == "bOk_click"
    settings: Any = tree.json("game.json")["Settings"]
    assert settings["Options"]["GameTextEncoding"] == 65001


def test_what_is_edited_is_what_changes(tree: Folder) -> None:
    content = edited(tree, "characters/cEgo.json", RealName="Hero", Clickable=True).content
    assert content is not None
    assert (content.characters[0].name, content.characters[0].flags) == ("Hero", 0x2000)
    (change,) = mods.diff(tree.file, tree.path).changes
    assert change.path == "characters/cEgo.json"
    assert sorted(change.lines()) == ["Clickable: false → true", 'RealName: "Ego" → "Hero"']


def test_an_item_renamed_is_the_same_item(tree: Folder) -> None:
    tree.edit("inventory/iKey.json", lambda shown: shown.update(Description="Golden key"))
    (change,) = mods.diff(tree.file, tree.path).changes
    assert (change.kind, change.path) == ("changed", "inventory/iKey.json")


def test_a_thing_is_added_as_a_file(tree: Folder) -> None:
    lamp = {**tree.json("inventory/iKey.json"), "Name": "iLamp", "Description": "Lamp"}
    del lamp["ID"]
    (tree.path / "inventory/iLamp.json").write_text(json.dumps(lamp))
    content = Game.read(tree.pack()).content
    assert content is not None
    assert [item.name for item in content.inventory] == ["", "Cup", "Key", "Lamp"]
    assert content.inventory_script_names[-1] == "iLamp"
    assert content.settings.inventory_count == 4
    (change,) = mods.diff(tree.file, tree.path).changes
    assert (change.kind, change.path) == ("added", "inventory/iLamp.json")


def test_a_control_is_added_to_its_window(tree: Folder) -> None:
    window: Any = tree.json("guis/gMain.json")
    window["Controls"].insert(0, {"Type": "Button", "Name": "bNew", "Text": "New"})
    (tree.path / "guis/gMain.json").write_text(json.dumps(window))
    content = Game.read(tree.pack()).content
    assert content is not None
    assert [button.name for button in content.gui.buttons] == ["bNew", "bOk", "bNo"]
    assert content.gui.guis[0].control_references == [65536, 65537, 131072]
    assert content.gui.guis[1].control_references == [65538]


def test_all_things_can_not_go_at_once(tree: Folder) -> None:
    (tree.path / "inventory/iCup.json").unlink()
    (tree.path / "inventory/iKey.json").unlink()
    with pytest.raises(WorkspaceError, match="the folder inventory is missing, or empty"):
        tree.pack()


@pytest.mark.parametrize("name", ["views", "guis", "dialogs"])
def test_a_lost_folder_is_reported(tree: Folder, name: str) -> None:
    count = len(list((tree.path / name).iterdir()))
    shutil.rmtree(tree.path / name)
    if count > 1:
        with pytest.raises(WorkspaceError, match=f"the folder {name} is missing, or empty"):
            tree.pack()
    elif name == "views":
        with pytest.raises(WorkspaceError, match=r"NormalView: there is no view 1"):
            tree.pack()
    else:
        assert Game.read(tree.pack()).content


def test_windows_whose_controls_are_out_of_order_stay_in_lists(tmp_path: Path) -> None:
    made = game()
    assert made.content is not None
    made.content.gui.guis[1].control_references = [65536]  # the button of another one
    folder = Folder(tmp_path, "game28.dta", made.to_bytes(), new=True)
    assert "guis" in folder.json("gui.json") and not (folder.path / "guis").exists()
    assert folder.pack(from_scratch=True) == folder.data


# --- references -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("characters/cEgo.json", {"NormalView": 99},
         r":\d+:3: NormalView: there is no view 99: the game has 1 view$"),
        ("characters/cBob.json", {"ScriptName": "cEgo"},
         r":\d+:3: ScriptName: 'cEgo' is the name of another one too: of ID 0$"),
        ("game.json", "player",
         r":\d+:5: Settings.PlayerCharacter: 7 is not a character: the game has 2 characters$"),
        ("characters/cBob.json", {"Interactions": {"Look": "cBob_Look"}},
         r":\d+:\d+: Interactions.Look: no script has a function cBob_Look$"),
        ("dialogs/dBob.json", {"UnusedOptions": {"3": {"Text": "Late"}}},
         r"UnusedOptions\.3\.Text: 'Late' is not an option: the dialog has 2 options$"),
        ("guis/gQuit.json", {"OnClick": "gQuit_Click"}, r"no script has a function gQuit_Click$"),
        ("guis/gMain.json", "control", r"Controls\[1\].Font: there is no font 9"),
        ("views/vEgo.json", {"ID": 5}, r"ID: got 5, but no file next to it has the ID 1"),
        ("inventory/iKey.json", {"ID": 1}, r"ID: 1 is the ID of inventory/iCup.json too$"),
        ("inventory/iKey.json", {"Nmae": "x"}, r": unknown field 'Nmae'$"),
        ("characters/cEgo.json", {"Interactions": {"Lok": ""}},
         r"Interactions.Lok: unknown name.*Look"),
        ("characters/cEgo.json", {"NormalView": "one"}, "NormalView: expected a whole number"),
        ("characters/cEgo.json", {"Solid": 1}, "Solid: expected true or false, got 1"),
        ("characters/cEgo.json", {"MovementSpeedX": 3}, "MovementSpeedX can't be set"),
        ("characters/cEgo.json", {"name": "x"}, "RealName: name is the same, and is there too"),
        ("characters/cEgo.json", {"StartX": 1 << 40}, "StartX: "),
        ("guis/gMain.json", {"PopupStyle": "Modal"}, "PopupStyle: expected one of Normal"),
        ("guis/gMain.json", {"Controls": [{"Type": "Knob"}]}, r"Controls\[0\].Type: expected one"),
        ("guis/gMain.json", {"control_count": 1}, "control_count: it follows from Controls"),
        ("dialogs/dBob.json", {"Options": [{}] * 31}, "Options: a dialog has at most 30"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_refused_with_its_place(
    tree: Folder, name: str, change: Any, message: str
) -> None:
    def edit(shown: dict[str, Any]) -> None:
        if change == "player":
            shown["Settings"]["PlayerCharacter"] = 7
        elif change == "control":
            shown["Controls"][1]["Font"] = 9
        else:
            shown.update(change)

    text = json.dumps(tree.json(name), indent=2)
    (tree.path / name).write_text(text)
    value = tree.json(name)
    edit(value)
    (tree.path / name).write_text(json.dumps(value, indent=2))
    with pytest.raises(WorkspaceError, match=message) as caught:
        tree.pack()
    assert str(caught.value).startswith(f"{name}:")


def test_what_was_wrong_before_is_no_mistake_of_an_edit(tmp_path: Path) -> None:
    made = game()
    assert made.content is not None
    made.content.characters[1].normal_view = 50
    made.content.character_events[1][0] = "gone"
    folder = Folder(tmp_path, "game28.dta", made.to_bytes(), new=True)
    assert edited(folder, "characters/cEgo.json", RealName="Hero").content
    with pytest.raises(WorkspaceError, match=r"cBob\.json:\d+:3: NormalView: there is no view 51"):
        folder.pack(from_scratch=True)


def test_functions_that_no_script_has_are_warnings_without_the_original(tmp_path: Path) -> None:
    made = game()
    folder = Folder(tmp_path, "game28.dta", made.to_bytes(), new=True)
    assert folder.pack(from_scratch=True) == folder.data
    assert any(
        "characters/cEgo.json: Interactions.Interact: no script has a function cEgo_look" in warning
        for warning in folder.warnings
    )


def test_functions_and_masks_of_a_room(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "room1.crm", room(1).to_bytes(), new=True)

    def call(shown: dict[str, Any]) -> None:
        shown["Objects"][0]["Interactions"] = ["nothing"]

    text = (folder.path / "room.json").read_bytes()
    folder.edit("room.json", call)
    message = r"^room\.json:\d+:\d+: Objects\[0\].Interactions.*: no script has a function nothing"
    with pytest.raises(WorkspaceError, match=message):
        folder.pack()
    folder.pack(from_scratch=True)
    assert any("no script has a function nothing" in warning for warning in folder.warnings)
    (folder.path / "room.json").write_bytes(text)
    Image.new("P", (3, 3)).save(folder.path / "walkable.png")
    for scratch in (False, True):
        with pytest.raises(WorkspaceError, match=r"^walkable\.png: expected 4 x 3 pixels"):
            folder.pack(from_scratch=scratch)


# --- one place -------------------------------------------------------------------------------


def test_things_are_in_one_place(tree: Folder) -> None:
    (tree.path / "characters.json").write_text('{"characters": []}')
    with pytest.raises(WorkspaceError, match=r"characters\.json:1:2: characters: the list is not"):
        tree.pack()


# --- shapes ---------------------------------------------------------------------------------


def test_paths_of_keys() -> None:
    assert steps_of("guis[3].events[0]") == ["guis", 3, "events", 0]
    assert key_of(["guis", 3, "events", 0]) == "guis[3].events[0]"
    shape = Object([Shown("Interactions", ByName(("Look", "Talk"), "Event"), field="events")])
    stored = {"events": ["a", "b", "", "", "", "f"]}
    assert shape.place(stored, ["events", 1]) == ["Interactions", "Talk"]
    assert shape.place(stored, ["events", 5]) == ["Interactions", "Event5"]
    assert shape.place(stored, ["other"]) == ["other"]


@pytest.mark.parametrize("value", [0, 1, 4, 5, 0x8001, -1])
@pytest.mark.parametrize("inverted", [0, 4])
def test_bits_come_back(value: int, inverted: int) -> None:
    flags = Flags({"On": 1, "!Off": 4}, inverted=inverted, until=9).at("flags", 8)
    shape = Object([flags])
    assert shape.stored(shape.shown({"flags": value})) == {"flags": value}


@pytest.mark.parametrize("items", [[], ["a"], ["", ""], ["", "", "", "x"], ["", "", "", ""]])
def test_lists_by_name_come_back(items: list[str]) -> None:
    for shape in (
        ByName(("A", "B"), "More"),
        ByName(("A", "B"), "More", usual=True),
        ByName(("A", "B"), "More", quiet="", length=3),
    ):
        assert shape.read(shape.show(items)) == items


@pytest.mark.parametrize("shown", [{"C": 1}, {"More1": 1}, {"More9999": 1}, {"": 1}])
def test_unknown_names_are_refused(shown: dict[str, object]) -> None:
    with pytest.raises(FormatError, match="unknown name"):
        ByName(("A", "B"), "More").read(shown)


@pytest.mark.parametrize("version", [105, 115, 118, 119, 3060300])
def test_controls_of_all_versions_come_back(version: int) -> None:
    for name, (_, _, shape) in forms.controls(version).items():
        for flags in (0, 4, 84, 0x8000, 255):
            row: dict[str, object] = {"flags": flags, "x": 3, "events": ["f"], "alignment": 2}
            row |= {"box_flags": 1, "text": "t"}
            assert shape.stored(shape.shown(row)) == row, name


def test_every_word_is_there_once() -> None:
    for shape in (forms.character(50), forms.inventory_item(50), forms.cursor(50)):
        listed = [name for word in shape.words for name in word.hints()]
        assert len(listed) == len(set(listed))
    assert shapes.SAME.show(3) == 3


def test_a_form_leaves_out_defaults_without_a_word_but_for_loud_ones() -> None:
    stored: dict[str, object] = {"flags": 0, "frames": []}
    assert form(50, Loop, "flags").shown(stored) == {"RunNextLoop": False}
    assert form(50, Loop, "flags", loud=("frames",)).shown(stored)["frames"] == []
    assert form(50, Loop, Shown("Frames", field="frames")).stored({"Frames": []}) == {"frames": []}


@pytest.mark.parametrize(
    ("used", "lengths", "places"),
    [
        ([[1 << 16, 2 << 16], [1 << 16 | 1]], {1: 2, 2: 1},
         {(1, 0): (0, 0), (2, 0): (0, 1), (1, 1): (1, 0)}),
        ([[1 << 16 | 1, 1 << 16]], {1: 2}, None),
        ([[1 << 16]], {1: 2}, None),
        ([[3 << 16]], {1: 0}, None),
        ([["1"]], {1: 1}, None),
    ],
)  # fmt: skip
def test_controls_have_places_where_they_are_in_order(
    used: list[list[object]], lengths: dict[int, int], places: object
) -> None:
    assert places_of_controls(used, lengths) == places


def test_a_script_module_needs_no_interactions() -> None:
    item = forms.inventory_item(3060210)
    stored = item.stored({"Name": "iCup", "ScriptModule": "GlobalScript.asc"})
    table = stored["handlers"]
    assert isinstance(table, dict)
    assert table["script_module"] == "GlobalScript.asc"
    assert not any(table["handlers"])
    shown = item.shown(stored)
    assert (shown["ScriptModule"], shown["Interactions"]) == ("GlobalScript.asc", {})


# --- what is behind the end of a text ----------------------------------------------------------


@pytest.fixture
def remembering(tmp_path: Path) -> Folder:
    """A game whose first character has other bytes behind the ends of its names."""
    made = game(3060000)
    assert made.content is not None
    made.content.characters[0].name = "Ego\0RACTER"
    made.content.characters[0].script_name = "cEgo\0x"
    made.content.dialogs[0].options[0] = "Hello\0there"
    return Folder(tmp_path, "game28.dta", made.to_bytes(), new=True)


def test_what_memory_had_behind_a_name_is_a_detail(remembering: Folder) -> None:
    ego = remembering.json("characters/cEgo.json")
    assert (ego["ScriptName"], ego["RealName"]) == ("cEgo", "Ego")
    assert list(ego.items())[-2:] == [("script_name", "\0x"), ("name", "\0RACTER")]
    assert remembering.json("dialogs/dBob.json")["Options"] == [
        {"Text": "Hello", "Show": True, "Say": True, "text": "\0there"},
        {"Text": "Bye", "Show": True, "Say": False},
    ]
    assert remembering.pack(from_scratch=True) == remembering.data


@pytest.mark.parametrize(
    ("name", "stored"), [("Hero", "Hero\0RACTER"), ("H" * 36, "H" * 36 + "\0RAC"), ("H" * 40,) * 2]
)
def test_an_edited_name_keeps_the_detail_as_far_as_the_field_has_room(
    remembering: Folder, name: str, stored: str
) -> None:
    content = edited(remembering, "characters/cEgo.json", RealName=name).content
    assert content is not None
    assert content.characters[0].name == stored
    assert content.characters[0].script_name == "cEgo\0x"


def test_a_name_must_fit_without_the_detail(remembering: Folder) -> None:
    remembering.edit("characters/cEgo.json", lambda shown: shown.update(RealName="H" * 41))
    with pytest.raises(OverhaulError, match="the text takes 41 bytes, and the field has 40"):
        remembering.pack()


def test_the_detail_can_be_edited_and_may_go(remembering: Folder) -> None:
    def edit(shown: dict[str, Any]) -> None:
        shown["name"] = "\0y"
        del shown["script_name"]

    remembering.edit("characters/cEgo.json", edit)
    content = Game.read(remembering.pack()).content
    assert content is not None
    ego = content.characters[0]
    assert (ego.name, ego.script_name) == ("Ego\0y", "cEgo")


def test_names_of_older_folders_have_what_is_behind_them() -> None:
    shape = forms.character(3060000)
    assert shape.stored({"RealName": "Ego\0x"}) == shape.stored({"RealName": "Ego", "name": "\0x"})


def test_a_field_is_not_there_in_two_words(remembering: Folder) -> None:
    remembering.edit("characters/cEgo.json", lambda shown: shown.update(name="other"))
    with pytest.raises(WorkspaceError, match=r"RealName: name is the same, and is there too"):
        remembering.pack()


# --- the place of a stored value ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "place"),
    [
        (["name"], ["RealName"]),
        (["flags"], ["Solid"]),
        (["events"], ["Interactions"]),
        (["events", 2], ["Interactions", "Talk"]),
        (["walk_speed"], ["MovementSpeedX"]),
        (["inventory", 7], ["Inventory", "7"]),
        (["padding"], ["padding"]),
        (["nothing", "there"], ["nothing", "there"]),
    ],
)
def test_what_shows_a_stored_value(steps: list[str | int], place: list[str | int]) -> None:
    stored = {
        "name": "Ego\0x", "flags": 5, "events": [""] * 8, "walk_speed": 3, "walk_speed_y": 4,
        "inventory": [0] * 301, "padding": 0,
    }  # fmt: skip
    assert forms.character(3060000).place(stored, steps) == place


def test_lists_that_do_not_go_together_are_shown_as_they_are() -> None:
    """What somebody wrote is shown to find its place, whatever it is."""
    shape = forms.dialog(3060000)
    odd = {"options": ["a"], "option_flags": ["x", 3], "entry_points": [], "option_count": 1}
    assert shape.shown(odd) == odd
    odd = {"options": ["a"], "option_flags": ["x"], "entry_points": [0], "option_count": 1}
    assert shape.place(odd, ["option_flags", 0]) == ["Options", 0, "flags"]
    handlers: dict[str, object] = {"handlers": {"format": 3060200, "a": 1, "b": 2}}
    assert forms.character(3060200).shown(handlers) == handlers
    assert forms.view(30).shown({"loop_count": 3}) == {"loop_count": 3}
    main: dict[str, object] = {"blocks": [{"id": 1, "fields": 3}]}
    assert forms.room(31).shown(main) == main
