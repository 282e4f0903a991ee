"""The library on games of Adventure Game Studio: what is read by name, and what is set."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import ags_games
import ags_package
import overhaul
from ags_decompiled import compiled
from ags_spoken import BOB, spoken
from overhaul.ags.documents.game import GameDocument
from overhaul.ags.documents.package import PackageDocument
from overhaul.ags.documents.room import RoomDocument
from overhaul.ags.folder.editing import _merged
from overhaul.ags.library.package import Package
from overhaul.ags.script.model import Script
from overhaul.errors import FormatError, OverhaulError, WorkspaceError
from present import instance


def opened(data: bytes | None = None) -> PackageDocument:
    return PackageDocument.from_bytes(ags_games.package() if data is None else data)


def test_a_game_is_opened_as_its_package_or_its_data(tmp_path: Path) -> None:
    path = tmp_path / "game.ags"
    path.write_bytes(ags_games.package())
    with overhaul.open_ags_game(path) as game, overhaul.open_ags_game(f"{path}!game28.dta") as data:
        assert isinstance(game, PackageDocument) and isinstance(data, GameDocument)
        assert game.characters.names() == data.characters.names() == ["cEgo", ""]
        assert game.to_bytes() == path.read_bytes()
    path.write_bytes(Package(parts=["speech.vox"]).to_bytes())
    with pytest.raises(
        FormatError, match="expected an Adventure Game Studio game, got ags-package"
    ):
        overhaul.open_ags_game(path)
    with overhaul.open_package(path) as speech, pytest.raises(FormatError, match="no game in this"):
        _ = speech.characters


def test_what_is_set_is_saved_and_nothing_else(tmp_path: Path) -> None:
    game = opened()
    before = Package.read(game.to_bytes())
    ego = game.characters["cEgo"]
    delay = ego.animation_delay
    ego.real_name = "Hero"
    ego.position = (11, 22)
    ego.room = 1
    ego.animation_delay = 3
    game.inventory[1].name = "a cup"
    assert (ego.real_name, ego.full_name, ego.position, ego.animation_delay) == (
        "Hero", "Hero", (11, 22), 3,
    )  # fmt: skip
    assert game.characters["cEgo"].room == ego.room != None  # noqa: E711
    game.save(tmp_path / "new.ags")
    with overhaul.open_ags_game(tmp_path / "new.ags") as again:
        assert again.characters["cEgo"].real_name == "Hero"
        assert again.characters["cEgo"].position == (11, 22)
        assert again.inventory["a cup"].number == 1
    after = Package.read((tmp_path / "new.ags").read_bytes())
    changed = [a.name for a in after if a.read() != before[a.name].read()]
    assert changed == ["game28.dta"]
    ego.edit(RealName="Ego", StartX=0, StartY=0, StartingRoom=0, AnimationDelay=delay)
    game.inventory[1].name = "cup"
    assert Package.read(game.to_bytes())["game28.dta"].read() == before["game28.dta"].read()


def test_game_data_by_itself_is_set_too(tmp_path: Path) -> None:
    data = GameDocument.from_bytes(ags_games.game().to_bytes())
    data.characters["cEgo"].real_name = "Hero"
    data.save(tmp_path / "game28.dta")
    with overhaul.open_ags_game(tmp_path / "game28.dta") as again:
        assert again.characters["cEgo"].real_name == "Hero"


def test_parts_of_rooms_and_guis_and_options_are_set() -> None:
    game = opened(ags_package.package())
    data = game.to_bytes()
    room = game.rooms[1]
    stone, door = room.objects[0], room.hotspots["hDoor"]
    before = (stone.x, stone.y, stone.visible, stone.name)
    stone.x, stone.y, stone.visible, stone.name = before[0] + 5, 77, not before[2], "a stone"
    assert (stone.x, stone.y, stone.visible, stone.name) == (
        before[0] + 5, 77, not before[2], "a stone",
    )  # fmt: skip
    again = game.rooms[1].objects[0]
    assert (again.x, again.y, again.visible, again.name) == (stone.x, 77, stone.visible, "a stone")
    stone.edit(StartX=before[0], StartY=before[1], Visible=before[2], Description=before[3])
    assert stone.x == before[0] and game.to_bytes() == data
    name, baseline = door.name, room.walk_behinds[1].edit
    door.name = "gate"
    baseline(Baseline=33)
    assert (door.name, game.rooms[1].hotspots[1].name) == ("gate", "gate")
    assert game.rooms[1].walk_behinds[1].fields["baseline"] == 33
    room.edit(LeftEdgeX=4)
    assert game.rooms[1].edges["left"] == room.edges["left"]
    door.name = name
    control = next(each for each in game.guis[0].controls if each.kind == "button")
    control.text = "Go"
    control.box = (1, 2, 30, 14)
    shown = game.guis[0].controls[control.name]
    assert (control.text, shown.text, shown.box) == ("Go", "Go", (1, 2, 30, 14))
    game.guis[0].box = (3, 4, 50, 60)
    assert game.guis[0].box == (3, 4, 50, 60)
    game.options["DebugMode"] = True
    assert game.options["DebugMode"] is True and game.player is not None


def test_a_room_by_itself_is_set_and_one_next_to_game_data_is_not(tmp_path: Path) -> None:
    package = Package.read(ags_package.package())
    (tmp_path / "room1.crm").write_bytes(package["room1.crm"].read())
    (tmp_path / "game28.dta").write_bytes(package["game28.dta"].read())
    with overhaul.open(tmp_path / "room1.crm") as document:
        room = instance(RoomDocument, document).surface
        room.objects[0].x = 9
        assert room.objects[0].x == 9
        document.save(tmp_path / "new.crm")
    with overhaul.open(tmp_path / "new.crm") as document:
        assert instance(RoomDocument, document).surface.objects[0].x == 9
    with (
        overhaul.open_ags_game(tmp_path / "game28.dta") as game,
        pytest.raises(WorkspaceError, match=r"room1\.crm is a file of its own: open it"),
    ):
        game.rooms[1].objects[0].x = 9


def test_what_a_text_of_fixed_length_has_behind_its_end_stays() -> None:
    merged = _merged({"Name": "oBible\x000", "Other": "a\0b"}, {"Name": "oBibl"}, "room.json")
    assert merged == {"Name": "oBibl\0\x000", "Other": "a\0b"}
    assert _merged(merged, {"Name": "oBible"}, "room.json")["Name"] == "oBible\x000"


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda game: setattr(game.characters["cEgo"], "room", 77), r"cEgo\.json:.*no rooms/77"),
        (lambda game: game.characters["cEgo"].edit(NormalView=9), r"cEgo\.json:.*no view 9"),
        (lambda game: game.characters["cEgo"].edit(Zz=1), r"cEgo\.json: unknown field 'Zz'"),
        (lambda game: game.characters["cEgo"].edit(StartX="left"), r"cEgo\.json.*StartX: expected"),
        (
            lambda game: setattr(game.characters["cEgo"], "name", "cHero"),
            r"scripts/.*cEgo.*nothing in the game",
        ),
        (lambda game: setattr(game.rooms[1].objects[0], "script_name", "oKey"), "block 9"),
        (lambda game: game.rooms[1].objects[0].edit(Zz=1), r"rooms/1/room\.json:.*'Zz'"),
        (lambda game: setattr(game.rooms[1].objects[0], "x", "left"), r"StartX: expected"),
        (lambda game: game.options.__setitem__("Zz", 1), r"game\.json:.*Zz"),
        (lambda game: game.guis[0].controls[0].edit(Zz=1), r"guis/.*\.json:.*Zz"),
        (lambda game: game.edit("rooms/1/room.json", {"zz": 1}), r"rooms/1/room\.json: unknown"),
    ],
)
def test_what_packing_refuses_is_refused(
    edit: Callable[[PackageDocument], None], message: str
) -> None:
    game = opened()
    data = game.to_bytes()
    with pytest.raises(OverhaulError, match=message):
        edit(game)
    assert game.to_bytes() == data and game.warnings == []
    assert game.characters["cEgo"].real_name == "Ego"


def test_a_name_that_no_script_uses_is_changed() -> None:
    game = opened(ags_package.package())
    game.characters[1].edit(ScriptName="cBob", NormalView=1)
    assert game.characters.names()[1] == "cBob"
    view = game.views["vEgo"]
    view.name = "vHero"
    assert view.name == "vHero"
    assert game.views.names() == ["vHero", "2"]


def test_things_by_the_names_that_people_guess() -> None:
    game = opened(ags_package.package())
    views = game.views
    assert (views[1].name, views[1].number, views["vEgo"].place) == ("vEgo", 1, 0)
    with pytest.raises(IndexError, match="no view number 0"):
        _ = views[0]
    ego = game.characters["cEgo"]
    assert [(ref.id, instance(type(views[1]), ref.get()).name) for _, ref in ego.views] == [
        (1, "vEgo"), (2, "2"),
    ]  # fmt: skip
    assert game.player is not None and game.player.name == "cEgo"
    assert game.inventory_items.names() == game.inventory.names() == ["cup"]
    scripts = game.scripts
    assert scripts["GlobalScript"].name == scripts["GlobalScript.asc"].name == "GlobalScript.asc"
    stored = game.open_inside("game28.dta")
    assert isinstance(stored, GameDocument) and stored.game.content is not None
    code = instance(Script, stored.game.content.dialog_script).code
    assert scripts["DialogScripts"].record.code == code
    with pytest.raises(KeyError, match="no script named 'Globl'"):
        _ = scripts["Globl"]
    assert game.options["DebugMode"] is False
    room = game.rooms[1]
    assert game.rooms["1"].name == game.rooms["room1"].name == room.name == "room1"
    assert room.hotspots["hDoor"].number == room.hotspots["<i>door"].number == 1
    assert room.hotspots.names()[0] == "hDoor"
    with pytest.raises(KeyError, match=r"nothing named 'hDor' \(did you mean 'hDoor'"):
        _ = room.hotspots["hDor"]
    assert len(room.walkable) == len(room.walkable_areas)
    assert room.objects[0].number == 0 and room.objects.get("oNone") is None
    controls = game.guis[0].controls
    assert [control.kind for control in controls] == ["label", "button"]
    named = next(control.name for control in controls if control.name)
    assert repr(controls[named]) == f"<{controls[named].kind} {named}>"


def test_dialogs_have_their_source() -> None:
    game = GameDocument.from_bytes(spoken())
    bob = game.dialogs["dBob"]
    assert (bob.written, bob.operations) == ("", [])
    assert "".join(f"{line}\n" for line in bob.lines) == bob.source
    assert bob.source == BOB
    assert opened().dialogs[0].source == ""  # its code is none of a compiler


def test_a_dialog_that_is_at_hand_has_its_new_name() -> None:
    game = GameDocument.from_bytes(spoken())
    bob = game.dialogs["dBob"]
    bob.name = "dBert"
    assert bob.name == game.dialogs[bob.number].name == "dBert"


def test_global_variables_are_those_of_the_script_that_the_editor_made() -> None:
    made = ags_games.game()
    assert made.content is not None
    script = compiled("int score = 7;\nexport score;\nbool open;\nexport open;\n")
    script.sections[0].name = "_GlobalVariables.asc"
    made.content.script_modules.append(script)
    variables = opened(ags_games.package(made)).global_variables
    assert [(each.name, each.type, each.value) for each in variables] == [
        ("score", "int", "7"), ("open", "int", ""),
    ]  # fmt: skip
