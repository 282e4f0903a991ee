"""What scripts use, and what things name, can't be taken away without a word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import overhaul
from ags_linked import package, put, room
from ags_rooms import main_of
from ags_scripted import compiled
from overhaul.ags.api import ScriptSettings
from overhaul.ags.decompiler.files import ScriptFiles, Tables, compile_files
from overhaul.ags.documents.room import RoomDocument
from overhaul.ags.folder.linking import ScriptSource, rooms_entered
from overhaul.ags.folder.references import functions_of
from overhaul.ags.properties import Property, PropertySet
from overhaul.ags.room.records import ObjectScriptNames, RoomProperties
from overhaul.ags.room.room import Room
from overhaul.cli import main
from overhaul.errors import SourceError, WorkspaceError
from overhaul.folder.json_fields import json_bytes, read_object

Change = Callable[[dict[str, Any]], object]
"""What an edit does to the object of a JSON file."""


class Tree:
    """A file in an unpacked folder."""

    def __init__(self, root: Path, name: str, data: bytes) -> None:
        self.file = root / name
        self.file.write_bytes(data)
        self.path = root / "folder"
        overhaul.unpack(self.file, self.path)
        self.packed = root / f"packed-{name}"

    def edit(self, name: str, change: Change) -> None:
        file = self.path / name
        value = read_object(file.read_bytes(), name)
        change(value)
        file.write_bytes(json_bytes(value))

    def replace(self, name: str, old: str, new: str) -> None:
        file = self.path / name
        text = file.read_bytes().decode()
        assert old in text, text
        file.write_bytes(text.replace(old, new).encode())

    def remove(self, folder: str) -> None:
        for file in (self.path / folder).iterdir():
            file.unlink()
        (self.path / folder).rmdir()

    def pack(self) -> list[str]:
        return overhaul.pack(self.path, self.packed, force=True).warnings

    def refusal(self) -> str:
        with pytest.raises((WorkspaceError, SourceError)) as caught:
            self.pack()
        return str(caught.value)


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path, "small.ags", package())


def _first(key: str, **values: object) -> Change:
    return lambda shown: shown[key][0].update(values)


def _hotspot(number: int, name: str) -> Change:
    return lambda shown: shown["Hotspots"][number].update(Name=name)


GONE = "is used here, but nothing in the"
NO_NAME = "is used here, which is no longer a Name of Hotspots or Objects in room.json"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_hotspot(1, "hGate"), f"rooms/1/script.asc:3:3: hDoor {NO_NAME}"),
        (_hotspot(1, ""), f"rooms/1/script.asc:3:3: hDoor {NO_NAME}"),
        (_first("Objects", Name="oX"), f"rooms/1/script.asc:4:3: oLamp {NO_NAME}"),
        (lambda shown: shown["Objects"].clear(), f"rooms/1/script.asc:4:3: oLamp {NO_NAME}"),
    ],
)
def test_things_of_a_room_that_its_script_uses(tree: Tree, change: Change, message: str) -> None:
    tree.edit("rooms/1/room.json", change)
    assert tree.refusal().startswith(message)


def test_a_room_by_itself(tmp_path: Path) -> None:
    tree = Tree(tmp_path, "room1.crm", room().to_bytes())
    tree.edit("room.json", _hotspot(1, "hGate"))
    assert tree.refusal() == f"script.asc:3:3: hDoor {NO_NAME}"
    # What the script does not use, and what it uses no more.
    tree.edit("room.json", _hotspot(2, "hGate2"))
    tree.replace("script.asc", "hDoor.Enabled", "hGate.Enabled")
    assert tree.pack() == []
    with overhaul.open(tree.packed) as document:
        assert isinstance(document, RoomDocument) and document.room.script is not None
        script = document.room.script
        assert {"hGate", "oLamp"} <= {*script.imports} and "hDoor" not in script.imports


def test_what_other_scripts_import(tree: Tree) -> None:
    tree.replace("scripts/GlobalScript.asc", "strength", "force")
    assert tree.refusal().startswith(f"rooms/1/script.asc:6:11: strength {GONE} game is called")
    tree.replace("scripts/GlobalScript.asc", "force", "strength")
    tree.replace("scripts/GlobalScript.asc", "export score;", "")
    assert tree.refusal().startswith(f"rooms/1/script.asc:6:3: score {GONE} game is called")


def test_controls_of_guis(tree: Tree) -> None:
    tree.edit("guis/gBar.json", lambda shown: shown["Controls"][1].update(Name="bKeep"))
    assert tree.refusal().startswith(f"rooms/1/script.asc:5:3: bSave {GONE} game is called")


def test_names_are_there_once_and_are_identifiers(tree: Tree) -> None:
    tree.edit("rooms/1/room.json", _hotspot(2, "oLamp"))
    again = "'oLamp' is the name of a hotspot too"
    assert tree.refusal() == f"rooms/1/room.json:46:7: Objects[0].Name: {again}"
    tree.edit("rooms/1/room.json", _hotspot(2, "hDoor"))
    refused = tree.refusal()
    assert "Hotspots[2].Name: 'hDoor' is the name of a hotspot too" in refused
    tree.edit("rooms/1/room.json", _hotspot(2, "h door"))
    assert (
        "Hotspots[2].Name: 'h door' is not a name for scripts: these have letters" in tree.refusal()
    )
    tree.edit("rooms/1/room.json", _hotspot(2, "hNew"))
    assert tree.pack() == []
    tree.edit("guis/gBar.json", lambda shown: shown["Controls"][0].update(Name="bSave"))
    refused = tree.refusal()
    assert refused.startswith("guis/gBar.json:")
    assert refused.endswith("Controls[0].Name: 'bSave' is the name of a button too")
    tree.edit("guis/gBar.json", lambda shown: shown["Controls"][0].update(Name="cEgo"))
    assert tree.refusal().endswith("Controls[0].Name: 'cEgo' is the name of a character too")
    tree.edit("guis/gBar.json", lambda shown: shown["Controls"][0].update(Name="2nd"))
    assert "Controls[0].Name: '2nd' is not a name for scripts" in tree.refusal()
    tree.edit("guis/gBar.json", lambda shown: shown["Controls"][0].update(Name="lScore"))
    tree.pack()
    tree.edit("guis/gBar.json", lambda shown: shown.update(Name="cEgo"))
    assert tree.refusal().endswith(" Name: 'cEgo' is the name of a character too")


def test_sprites_fonts_and_sounds_are_there(tree: Tree) -> None:
    tree.edit("rooms/1/room.json", _first("Objects", Image=7777))
    no_sprite = "there is no sprite 7777, sprites/07777.png"
    assert tree.refusal().endswith(f"Objects[0].Image: {no_sprite}")
    tree.edit("rooms/1/room.json", _first("Objects", Image=0))
    tree.pack()
    tree.edit("views/vEgo.json", lambda shown: shown["Loops"][0]["Frames"][0].update(Image=7777))
    assert tree.refusal().endswith(f"Loops[0].Frames[0].Image: {no_sprite}")
    tree.edit("views/vEgo.json", lambda shown: shown["Loops"][0]["Frames"][0].update(Image=1))
    tree.edit("fonts/1.json", lambda shown: shown.update(OutlineFont=17))
    refused = tree.refusal()
    assert refused.endswith("OutlineFont: there is no font 17: the game has 2, numbered from 0")
    assert refused.startswith("fonts/1.json:")
    tree.edit("fonts/1.json", lambda shown: shown.update(OutlineFont=2))
    assert "there is no font 2: the game has 2" in tree.refusal()
    tree.edit("fonts/1.json", lambda shown: shown.update(OutlineFont=1))
    tree.edit("audio_clips/aDing.json", lambda shown: shown.update(FileName="dong.wav"))
    assert tree.refusal().endswith("FileName: there is no assets/dong.wav")
    tree.edit("audio_clips/aDing.json", lambda shown: shown.update(FileName="DING.wav"))
    tree.pack()
    (tree.path / "assets/ding.wav").unlink()
    assert tree.refusal().endswith("FileName: there is no assets/DING.wav")


def test_a_font_file_that_is_deleted(tree: Tree) -> None:
    (tree.path / "fonts/agsfnt1.wfn").unlink()
    assert tree.refusal() == "fonts/1.json: there is no fonts/agsfnt1.ttf or .wfn for it"


def test_numbers_of_fonts_in_scripts(tree: Tree) -> None:
    for name in ("1.json", "agsfnt1.wfn"):
        (tree.path / "fonts" / name).unlink()
    refused = tree.refusal()
    assert refused.endswith("Font: there is no font 1: the game has 1 font")
    tree.edit("guis/gBar.json", lambda shown: shown["Controls"][0].update(Font=0))
    assert tree.pack() == [
        "scripts/GlobalScript.asc: the number of a font from 1 on may stand there, which the game "
        "no longer has: the script uses GetTextWidth"
    ]


def test_properties_are_defined(tree: Tree) -> None:
    tree.edit(
        "characters/cBob.json" if (tree.path / "characters/cBob.json").exists()
        else "characters/cEgo.json",
        lambda shown: shown["Properties"].append({"Name": "taste", "Value": "salt"}),
    )  # fmt: skip
    assert tree.refusal().endswith(".Name: the game defines no property 'taste'")


def test_a_definition_that_is_removed(tree: Tree) -> None:
    tree.edit("characters/cEgo.json", lambda shown: shown.update(Properties=[]))
    tree.pack()
    tree.edit("properties.json", lambda shown: shown["PropertyDefinitions"].clear())
    assert tree.pack() == [
        "scripts/GlobalScript.asc:11:24: 'smell' may be the property that is no longer defined: "
        "the script uses Character::GetProperty"
    ]


def test_properties_of_a_room(tmp_path: Path) -> None:
    tree = Tree(tmp_path, "small.ags", package())
    tree.edit(
        "rooms/1/room.json",
        lambda shown: shown["Hotspots"][1].update(Properties=[{"Name": "taste", "Value": "1"}]),
    )
    assert tree.refusal().endswith(
        "Hotspots[1].Properties[0].Name: the game defines no property 'taste'"
    )
    tree.edit(
        "rooms/1/room.json",
        lambda shown: shown["Hotspots"][1].update(Properties=[{"Name": "Smell", "Value": "1"}]),
    )
    assert tree.pack() == []


def test_a_room_that_a_script_enters(tree: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    tree.remove("rooms/2")
    warning = "scripts/GlobalScript.asc:10:19: ChangeRoom enters the room 2, which was removed"
    assert tree.pack() == [warning]
    assert main(["pack", str(tree.path), "-o", str(tree.packed), "--force", "--strict"]) == 3
    assert warning in capsys.readouterr().err


def test_a_room_that_a_dialog_enters() -> None:
    enters = compiled("d.asc", "function f() { cEgo.ChangeRoom(2); }", "import Character cEgo;\n")
    lines = "@S\nEGO: Room 2\nnew-room 22\n new-room 2\nstop\n"
    dialogs = ScriptSource(
        "scripts/DialogScripts.asc", enters, lambda: [("dialogs/dBob.ads", lines)]
    )
    other = ScriptSource(
        "other.asc", compiled("o.asc", "int NewRoom;"), lambda: [("o.asc", "NewRoom(2)")]
    )
    assert [str(each) for each in rooms_entered({2}, [dialogs, other])] == [
        "dialogs/dBob.ads:4:11: new-room enters the room 2, which was removed"
    ]
    assert [*rooms_entered({3}, [dialogs])] == []


def test_a_view_that_the_script_of_a_room_shows(tree: Tree) -> None:
    (tree.path / "views/vMore.json").unlink()
    assert tree.refusal().startswith(
        "views: the view 2 is removed, and scripts may hold its number, which shows nothing then: "
        "rooms/1/script.asc uses Character::LockView. Accept"
    )


def test_what_was_so_before_stays(tmp_path: Path) -> None:
    made = room()
    main_of(made).hotspot_script_names = ["", "hDoor", "hDoor"]
    put(made, 9, ObjectScriptNames(["o lamp"]))
    own = PropertySet(values=[Property("nowhere", "1")])
    put(made, 8, RoomProperties(sets=[own, *(PropertySet() for _ in range(3))]))
    main_of(made).objects[0].sprite = 7777
    tree = Tree(tmp_path, "room1.crm", made.to_bytes())
    tree.edit("room.json", lambda shown: shown["Hotspots"][1].update(Description="a gate"))
    assert tree.pack() == []


def test_a_room_s_script_knows_its_things(tmp_path: Path) -> None:
    made = room()
    empty = "function room_Load()\n{\n}\nfunction hDoor_Look(int a, int b)\n{\n}\n"
    put(made, 7, compiled("room1.asc", empty))
    tree = Tree(tmp_path, "room1.crm", made.to_bytes())
    tree.replace("script.asc", "room_Load()\n{", "room_Load()\n{\n  hDoor.Enabled = oLamp.Visible;")
    assert tree.pack() == []
    tree.edit("room.json", _hotspot(1, "hGate"))
    assert tree.refusal().startswith("script.asc:3:3: 'hDoor' is not declared")
    tree.replace("script.asc", "hDoor.Enabled", "hGate.Enabled")
    assert tree.pack() == []
    with overhaul.open(tree.packed) as document:
        assert isinstance(document, RoomDocument) and document.room.script is not None
        script = document.room.script
        assert {"hGate", "oLamp"} <= {*script.imports}
        assert functions_of([script]) == {"room_Load", "hDoor_Look"}


@pytest.mark.parametrize("version", ["3.2.1", "3.5.1.22", "3.6.0.6", "3.6.0.7", "3.6.1.30"])
def test_scripts_know_the_areas_of_rooms(version: str) -> None:
    text = "function f() { hotspot[3].Enabled = false; region[2].Enabled = true; }\n"
    tables = Tables(0, "a.asc", ScriptSettings(version), sections=(("a.asc",),))
    script = compile_files(ScriptFiles(text, "", tables))
    assert [name for name in script.imports if name in ("hotspot", "region")] == [
        "hotspot", "region"
    ]  # fmt: skip
    own = replace(tables, settings=ScriptSettings("3.5.1.22"))
    header = "import Hotspot hotspot[7];\n"  # as decompiled headers have it
    assert "hotspot" in compile_files(ScriptFiles(text, header, own)).imports


def test_properties_of_another_format(tmp_path: Path) -> None:
    made = room()
    sets = [PropertySet(format=1) for _ in range(4)]
    put(made, 8, RoomProperties(room=PropertySet(format=1), sets=sets))
    tree = Tree(tmp_path, "room1.crm", made.to_bytes())
    tree.edit("room.json", lambda shown: shown["Hotspots"][1]["Properties"].update(format=2))
    assert tree.refusal().endswith(
        "Hotspots[1].Properties.old_values: format 1 has them: format 2 is a list in the place of "
        "the object"
    )
    wrong = {"format": 1, "values": []}
    tree.edit("room.json", lambda shown: shown["Hotspots"][1].update(Properties=wrong))
    assert tree.refusal().endswith("Hotspots[1].Properties.values: format 1 has old_values")
    new = [{"Name": "smell", "Value": "x"}]
    tree.edit("room.json", lambda shown: shown["Hotspots"][1].update(Properties=new))
    assert tree.pack() == []
    properties = Room.read(tree.packed.read_bytes()).blocks.find(8, RoomProperties)
    assert properties is not None
    assert properties.sets[1] == PropertySet(values=[Property("smell", "x")])


def test_an_import_that_nothing_has(tree: Tree) -> None:
    tree.replace("rooms/1/script.ash", "import int score;", "import int score;\nimport int ghost;")
    tree.pack()  # nothing uses it
    tree.replace("rooms/1/script.asc", "score = strength(2)", "score = strength(ghost)")
    assert tree.refusal() == (
        "rooms/1/script.asc:6:20: ghost is used here, but nothing in the game is called that"
    )
    tree.replace("scripts/GlobalScript.asc", "export score;", "int ghost;\nexport score, ghost;")
    assert tree.pack() == []


def test_imports_of_the_game_its_rooms_and_the_engine(tree: Tree) -> None:
    """What the editor declares for a room's script."""
    used = "hOther.Name; gBar.Visible = false; Mouse.Visible = true; cEgo.StopMoving(); "
    used += "character[0].x = inventory[1].CursorGraphic; gui[0].Visible = false; player.y = 2; "
    used += "dialog[0].Start(); object[0].Visible = mouse.IsButtonDown(eMouseLeft);"
    used = f"room_Load()\n{{\n  hOther.Enabled = true; {used.partition('; ')[2]}"
    tree.replace("rooms/1/script.asc", "room_Load()\n{", used)
    assert tree.pack() == []
