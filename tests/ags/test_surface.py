"""Games, rooms, sprites and scripts as people look at them, on made files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import overhaul
from ags_package import made_room, package
from ags_rooms import RED
from overhaul.ags.documents.game import GameDocument
from overhaul.ags.documents.package import PackageDocument


@pytest.fixture
def game(tmp_path: Path) -> Iterator[GameDocument]:
    path = tmp_path / "small.ags"
    path.write_bytes(package())
    with overhaul.open_ags_game(f"{path}!game28.dta") as document:
        assert isinstance(document, GameDocument)
        yield document


def test_characters_with_what_they_refer_to(game: GameDocument) -> None:
    ego = game.characters["cEgo"]
    assert (ego.name, ego.full_name, ego.position, ego.is_player) == ("cEgo", "Ego", (30, 40), True)
    assert ego.functions == ["hDoor_Look"] and ego.colour == "#ffffff"
    assert [(use, ref.name) for use, ref in ego.views] == [("walks", "vEgo"), ("talks", "2")]
    (cup,) = ego.items
    assert cup.name == "cup" and cup.get() == game.inventory[1] and cup.first == 1
    room = ego.room
    assert room is not None and room.file == "room1.crm"
    assert room.get() is not None and room.name == "room1"
    assert game.characters[1].room is None
    assert game.characters["cEgo"] == game.characters[0] != game.characters[1]
    assert game.characters["cEgo"] != game.inventory[1]
    assert "normal_view" in ego.fields and "padding" not in ego.fields


def test_what_is_not_there_is_an_error_with_a_suggestion(game: GameDocument) -> None:
    with pytest.raises(KeyError, match=r"no character named 'cEgo1'.*cEgo"):
        game.characters["cEgo1"]
    with pytest.raises(IndexError, match="no inventory item number 0"):
        game.inventory[0]
    assert game.rooms.get(99) is None and game.sprites.get(-1) is None
    with pytest.raises(IndexError, match="no room number 99"):
        game.rooms[99]


def test_rooms_are_read_when_they_are_looked_at(game: GameDocument) -> None:
    assert game.rooms.numbers() == [1] and len(game.rooms) == 1
    room = game.rooms[1]
    assert (room.name, room.width, room.height, room.background.size) == ("room1", 4, 3, (4, 3))
    assert [spot.script_name for spot in room.hotspots][1] == "hDoor"
    door = room.hotspots[1]
    assert door.functions == ["hDoor_Look", "nowhere"]
    assert door.drawn is not None and door.drawn.pixels == 2
    assert room.hotspots[2].drawn is None
    assert room.functions == ["room_Load"] and room.edges["right"] == 3
    assert room.messages == ["The door is locked.", "&mp;"]
    (lamp,) = room.objects
    assert (lamp.name, lamp.box, lamp.sprite.id) == ("a lamp", (1, 1, 2, 1), 1)
    shown = lamp.sprite.get()
    assert shown is not None and shown.image.getpixel((0, 0)) == (*RED, 255)
    assert room.image(scale=2.0).size == (8, 6)
    with pytest.raises(KeyError, match=r"no layer named 'object'.*objects"):
        room.image(layers=["object"])
    with pytest.raises(IndexError, match="no views"):
        room.image(view=0)
    assert room.script is not None and "room_Load" in room.script.assembly
    assert room.script.imports == ["Display^101"]


def test_views_scripts_and_sprites(game: GameDocument) -> None:
    view = game.views["vEgo"]
    first, second = view.loops
    assert (first.goes_on, len(first.frames), len(second.frames)) == (True, 2, 0)
    assert [frame.flipped for frame in first.frames] == [False, True]
    assert [ref.name for ref in view.characters] == ["cEgo"]
    assert game.sprites["1"] == game.sprites[1] and game.sprites[1].bits == 32
    assert game.scripts["GlobalScript.asc"].exports
    gui = game.guis["gBar"]
    assert [control.kind for control in gui.controls] == ["label", "button"]
    assert gui.image.size == (40, 20)
    clip = game.audio_clips["aDing"]
    assert clip.bytes is not None and clip.notes == ()
    assert game.audio_clips["aFar"].bytes is None and game.audio_clips["aFar"].notes
    dialog = game.dialogs[0]
    assert next(option.text for option in dialog.options) == "Who are you?"
    assert dialog.steps[0].who == "cBob"
    assert repr(game.views).startswith("<2 views>\n  <View vEgo 2 loops>")


def test_a_room_and_a_package_by_themselves(tmp_path: Path) -> None:
    path = tmp_path / "room7.crm"
    path.write_bytes(made_room().to_bytes())
    with overhaul.open_room(path) as document:
        assert document.surface.name == "room7"
        assert document.surface == document.surface
        assert document.sole_resource() == document.surface
        assert document.surface.no_sprites == "there is no acsprset.spr next to the file"
    path = tmp_path / "small.ags"
    path.write_bytes(package())
    with overhaul.open_package(path) as whole:
        assert isinstance(whole, PackageDocument)
        assert set(whole.drawn_kinds) == {"room", "sprite", "view"}
        assert [room.name for room in whole.resources("room")] == ["room1"]
        assert [sprite.name for sprite in whole.resources("sprite")] == ["0", "1"]
