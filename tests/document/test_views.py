"""What resources of every family have in common: protocols, references, a family made here."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

import overhaul
from overhaul.ags.surface import game as ags
from overhaul.ags.surface import people
from overhaul.ags.surface import rooms as ags_rooms
from overhaul.ags.surface import sprites as ags_sprites
from overhaul.cli.app import run as cli
from overhaul.document import room_views, views
from overhaul.document.refs import Ref
from overhaul.document.rendering import View, picture_names, render
from overhaul.document.surface import list_text
from overhaul.errors import EncodeError
from overhaul.gamemaker.classic.surface import assets, objects
from overhaul.gamemaker.classic.surface import rooms as classic_rooms
from overhaul.gamemaker.data.resources import (
    backgrounds,
    curves,
    rooms,
    sounds,
    sprites,
)
from overhaul.gamemaker.data.resources import objects as data_objects
from toy import ToyFrame, ToyGame, ToyRoom, ToySprite
from viewing import crawl, looking_at

RED, BLUE = "#ff0000", "#0000ff"
CONTENT = {
    "sprites": {"walk": [RED, BLUE], "none": []},
    "rooms": {"cave": [BLUE, [3, 2]], "void": [RED, [0, 0]]},
}


if TYPE_CHECKING:  # mypy says where a surface is not what its protocol asks for
    SPRITES: list[views.SpriteView] = [
        sprites.Sprite.__new__(sprites.Sprite),
        assets.Sprite.__new__(assets.Sprite),
        ags_sprites.Sprite.__new__(ags_sprites.Sprite),
        ToySprite("", []),
    ]
    ROOMS: list[room_views.RoomView] = [
        rooms.Room.__new__(rooms.Room),
        classic_rooms.Room.__new__(classic_rooms.Room),
        ags_rooms.Room.__new__(ags_rooms.Room),
        ToyRoom("", RED, (1, 1)),
    ]
    SOUNDS: list[views.SoundView] = [
        sounds.Sound.__new__(sounds.Sound),
        assets.Sound.__new__(assets.Sound),
        ags.AudioClip.__new__(ags.AudioClip),
    ]
    PICTURES: list[views.PictureView] = [
        backgrounds.Background.__new__(backgrounds.Background),
        assets.Background.__new__(assets.Background),
    ]
    PATHS: list[views.PathView] = [
        curves.Path.__new__(curves.Path),
        assets.Path.__new__(assets.Path),
    ]
    OBJECTS: list[views.ObjectView] = [
        data_objects.GameObject.__new__(data_objects.GameObject),
        objects.Object.__new__(objects.Object),
    ]
    TIMELINES: list[views.TimelineView] = [
        data_objects.Timeline.__new__(data_objects.Timeline),
        objects.Timeline.__new__(objects.Timeline),
    ]
    SOURCES: list[views.SourceView] = [
        objects.Script.__new__(objects.Script),
        objects.Trigger.__new__(objects.Trigger),
    ]
    ASSEMBLIES: list[views.AssemblyView] = [ags_sprites.Script.__new__(ags_sprites.Script)]
    SCRIPTED: list[views.ScriptedView] = [
        people.Character.__new__(people.Character),
        ags_rooms.Room.__new__(ags_rooms.Room),
    ]
    DOCUMENTS: list[views.HasPictures] = [ToyGame({})]


@pytest.fixture
def game(toys: None, tmp_path: Path) -> Path:
    path = tmp_path / "game.toy"
    path.write_bytes(b"TOYG" + json.dumps(CONTENT).encode())
    return path


def test_asking_for_a_protocol_evaluates_nothing() -> None:
    class Broken(ToySprite):
        @property
        def frames(self) -> list[ToyFrame]:
            raise AssertionError("frames are decoded")

    assert isinstance(Broken("", []), views.SpriteView)
    assert isinstance(Broken("", []), views.ResourceView)
    assert not isinstance(Broken("", []), room_views.RoomView)
    assert not isinstance(object(), views.ResourceView)
    assert isinstance(ToyRoom("", RED, (1, 1)), room_views.RoomView)
    assert not isinstance(ToyRoom("", RED, (1, 1)), views.SpriteView)
    # members of the protocols that a protocol extends count as well
    assert not isinstance(
        type("Half", (), {"script_name": "", "functions": ()})(), views.ScriptedView
    )


def test_a_new_family_is_listed(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli(["ls", str(game), "--kind", "sprite", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["resources"]
    assert [(row["kind"], row["name"]) for row in listed] == [
        ("sprite", "walk"),
        ("sprite", "none"),
    ]


def test_a_new_family_is_drawn(game: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert cli(["render", str(game), "*", "-o", str(out)]) == 0
    files = sorted(str(path.relative_to(out)) for path in out.rglob("*.png"))
    assert files == ["rooms/cave.png", "sprites/walk/0.png", "sprites/walk/1.png"]
    assert np.asarray(Image.open(out / "rooms/cave.png")).shape == (2, 3, 4)
    assert np.asarray(Image.open(out / "sprites/walk/1.png"))[0, 0].tolist() == [0, 0, 255, 255]
    with overhaul.open(game) as document:
        assert isinstance(document, views.HasPictures)
        assert list(picture_names(document)) == ["rooms/cave", "sprites/walk"]
        how = View(layers=("sky",))
        with pytest.raises(EncodeError, match="no layer named 'sky'"):
            render(document, ["rooms/*"], str(tmp_path / "no"), how=how)


def test_a_new_family_has_pages(game: Path) -> None:
    with looking_at(game) as client:
        crawl(client)
        page = client.get("/sprites/walk.json").json()
        assert (page["width"], page["height"], page["fps"]) == (2, 1, 0.0)
        assert page["frames"] == ["/sprites/walk/frames/0.png", "/sprites/walk/frames/1.png"]
        shown = Image.open(io.BytesIO(client.get(page["frames"][0]).content)).convert("RGBA")
        assert shown.getpixel((1, 0)) == (255, 0, 0, 255)
        assert client.get("/sprites/walk/animation.gif").headers["content-type"] == "image/gif"
        assert "It has no frames." in client.get("/sprites/none").text
        page = client.get("/rooms/cave.json").json()
        assert (page["width"], page["height"]) == (3, 2)
        assert [layer["name"] for layer in page["layers"]] == ["ground"]
        assert "It has no size" in client.get("/rooms/void").text
        assert page["facts"] == [{"name": "colour", "text": BLUE, "colour": BLUE}]
        shown = Image.open(io.BytesIO(client.get("/rooms/cave/tiles/0/0/0.png").content))
        assert shown.convert("RGBA").getpixel((2, 1)) == (0, 0, 255, 255)
        rows = client.get("/sprites.json").json()["rows"]
        assert rows[0]["thumbnail"] == "/sprites/walk/thumbnail.png"


def test_a_room_is_cut_out_and_scaled() -> None:
    room = ToyRoom("r", RED, (3, 2))
    assert room.image(region=(1, 0, 2, 1), scale=2.0).size == (4, 2)
    with pytest.raises(IndexError, match="no views"):
        room.image(view=0)
    with pytest.raises(ValueError, match="scale"):
        room.image(scale=0)
    png = room._repr_png_()
    assert png is not None and png[:4] == b"\x89PNG"
    assert ToyRoom("r", RED, (0, 2))._repr_png_() is None


def test_surfaces_of_one_record_are_equal() -> None:
    colours = [RED]
    assert ToySprite("a", colours) == ToySprite("b", colours)
    assert ToySprite("a", colours) != ToySprite("a", [RED])
    assert len({ToySprite("a", colours), ToySprite("b", colours)}) == 1
    assert repr(ToySprite("a", [])) == "<ToySprite a>"
    assert ToySprite("a", []) != "a"


def test_a_reference_follows_what_it_leads_to() -> None:
    known = {7: ToySprite("seven", [])}
    ref = Ref("sprite", 7, known.get)
    assert ref and ref.get() is known[7] and ref.name == "seven"
    assert repr(ref) == "<sprite 7>" and repr(Ref("room", 1, known.get, file="a.crm")) == (
        "<room 1 in a.crm>"
    )
    assert ref == Ref("sprite", 7, lambda number: None) != Ref("sprite", 8, known.get)
    del known[7]
    assert not ref and ref.get() is None and ref.name == ""


def test_a_list_says_how_many_there_are() -> None:
    text = list_text([1] * 14, "number")
    assert text.startswith("<14 numbers>\n  1\n") and text.endswith("\n  … 2 more")
    assert list_text([1], "number") == "<1 number>\n  1"
