"""The pages of Game Maker projects."""

from __future__ import annotations

import html
import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import overhaul
from drawn_projects import BLUE, GREEN, RED, Made, pixels
from handmade_project import as_json, project_file
from overhaul.gamemaker.classic.actions import Object
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.classic.resources import Background, Instance, Picture, Room, Sound, View
from overhaul.viewer.opened import anchor_of
from overhaul.viewer.pages.generic import is_fields
from viewing import crawl, looking_at

ENDINGS = {500: "gmd", 510: "gmd", 530: "gmd", 600: "gm6", 701: "gmk", 800: "gmk", 810: "gm81"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small project of Game Maker 8.1."""
    path = tmp_path / "made.gm81"
    path.write_bytes(project_file(810))
    return path


def saved(made: Made, tmp_path: Path) -> Path:
    path = tmp_path / "made.gm81"
    path.write_bytes(made.document.to_bytes())
    return path


def texts_of(parts: list[dict[str, Any]]) -> str:
    return "".join(part["text"] for part in parts)


@pytest.mark.parametrize("version", [500, 701, 810])
def test_every_page_of_each_version(version: int, tmp_path: Path) -> None:
    path = tmp_path / f"made.{ENDINGS[version]}"
    path.write_bytes(project_file(version))
    pages: dict[str, str] = {}
    with looking_at(path) as client:
        crawl(client, each=pages.__setitem__)
    for address in ("/objects/obj_player", "/rooms/rm_first", "/sprites/spr_player",
                    "/timelines/tl_intro", "/scripts/scr_add", "/sounds/snd_jump",
                    "/backgrounds/bg_sky", "/paths/pth_round"):  # fmt: skip
        assert address in pages
        ids = re.findall(r'\bid="([^"]*)"', pages[address])
        assert len(ids) == len(set(ids)), address
    assert ("/triggers/low_health" in pages) == (version >= 800)
    assert "<strong>" not in pages["/objects/obj_player"]


def test_actions_are_sentences_with_links(project: Path) -> None:
    with looking_at(project) as client:
        page = client.get("/objects/obj_player.json").json()
        text = client.get("/objects/obj_player").text
    titles = [event["title"] for event in page["events"]]
    assert titles == [
        "Create", "Step", "End step", "Collision with obj_wall", "Key press: enter",
        "Trigger: low_health",
    ]  # fmt: skip
    lines = page["events"][3]["actions"]
    assert [(line["depth"], line["text"]) for line in lines] == [
        (0, "If there is no instance of obj_wall at (0, 8)"),
        (1, "Execute code"),
        (1, "For the other instance: create an instance of obj_wall at (x, y) (relative)"),
        (0, "Else"),
        (1, "For obj_wall: set the sprite to spr_player, scaled by 1"),
        (0, "Action 4 of library 68903(“hello”)"),
    ]
    assert [texts_of(line["parts"]) for line in lines] == [line["text"] for line in lines]
    assert [line.get("role", "") for line in lines] == ["block", "", "", "block", "", ""]
    links = [(p["text"], p["href"]) for line in lines for p in line["parts"] if p.get("href")]
    assert ("obj_wall", "/objects/obj_wall") in links
    assert ("spr_player", "/sprites/spr_player") in links
    assert [texts_of(line["parts"]) for line in lines[1]["code"]] == ["move_bounce_solid(true);"]
    assert [texts_of(line["parts"]) for line in lines[5]["code"]] == ["show_message(argument0)"]
    assert [texts_of(line["parts"]) for line in page["events"][0]["lines"]] == ["hspeed = 4;"]
    facts = {fact["name"]: fact for fact in page["facts"]}
    assert (facts["sprite"]["text"], facts["sprite"]["href"]) == (
        "spr_player", "/sprites/spr_player",
    )  # fmt: skip
    assert page["picture"] == "/sprites/spr_player/thumbnail.png"
    assert facts["depth"]["text"] == "-5"
    assert 'class="block depth0"' in text
    assert 'data-picture="/sprites/spr_player/thumbnail.png"' in text
    assert "sound_play" in text


def test_search_lands_on_the_lines_of_code(project: Path) -> None:
    """What the index links to is on the page: files of several events may have one name."""
    with looking_at(project) as client:
        opened = client.site.documents[0]
        for entry in list(opened.entries()):
            text = client.get(opened.href(entry)).text
            for file in opened.files_of(entry):
                ending = file.path.rpartition(".")[2]
                if is_fields(entry, file) or ending not in ("gml", "json"):
                    continue
                if not file.path.startswith(("objects", "rooms", "scripts", "time", "trig")):
                    continue
                assert f'id="{anchor_of(entry, file.path)}1"' in text, file.path


def test_inherited_events_and_the_family(tmp_path: Path) -> None:
    content = {
        "objects/obj_top/object.json": b"{}",
        "objects/obj_top/create.gml": b"a = 1;",
        "objects/obj_top/step.gml": b"b = 1;",
        "objects/obj_wall/object.json": as_json({"sprite": "spr_wall", "parent": "obj_top"}),
        "objects/obj_wall/step.gml": b"c = 1;",
        "ids.json": as_json({"objects": ["obj_wall"]}),
    }
    path = tmp_path / "made.gm81"
    path.write_bytes(project_file(810, content))
    with looking_at(path) as client:
        page = client.get("/objects/obj_wall.json").json()
        text = client.get("/objects/obj_wall").text
    own, inherited = page["events"]
    assert (own["title"], own["anchor"], own["inherited"]) == ("Step", "step.gml", None)
    assert (inherited["title"], inherited["anchor"]) == ("Create", "")
    assert inherited["inherited"] == {"text": "obj_top", "href": "/objects/obj_top"}
    family = page["family"]
    assert (family["name"], family["here"]) == ("obj_top", False)
    assert [(each["name"], each["here"]) for each in family["children"]] == [("obj_wall", True)]
    assert "Inherited events" in text


def test_a_timeline_shows_its_moments(project: Path) -> None:
    with looking_at(project) as client:
        page = client.get("/timelines/tl_intro.json").json()
        text = client.get("/timelines/tl_intro").text
    assert [each["title"] for each in page["moments"]] == ["Step 0", "Step 30"]
    assert texts_of(page["moments"][0]["lines"][0]["parts"]) == "x = 1;"
    assert [each["text"] for each in page["moments"][1]["actions"]] == ["Destroy the instance"]
    assert [each["place"] for each in page["moments"]] == [0.0, 1.0]
    assert (page["last"], page["count"]) == (30, 2)
    assert 'href="#30"' in text
    assert 'id="30"' in text


def test_a_room_is_drawn_with_its_code(tmp_path: Path) -> None:
    made = Made()
    made.sprite("spr", pixels([RED]))
    made.add("objects", "obj", Object(version=430, sprite=0))
    view = View(visible=1, view_x=1, view_y=0, view_width=2, view_height=1)
    made.add(
        "rooms", "rm",
        Room(
            version=541, width=3, height=1, background_colour=0x030201, enable_views=1,
            views=[View(), view], creation_code="score = 0;\r\nlives = 1;",
            instances=[
                Instance(x=1, object=0, id=100001, creation_code="go = spr;"),
                Instance(x=9, object=7, id=100002),
            ],
        ),
    )  # fmt: skip
    with looking_at(saved(made, tmp_path)) as client:
        page = client.get("/rooms/rm.json").json()
        text = client.get("/rooms/rm").text
        shown = [
            np.asarray(Image.open(io.BytesIO(client.get(address).content)).convert("RGBA"))
            for address in ("/rooms/rm/picture.png", "/rooms/rm/tiles/0/0/0.png")
        ]
        alone = client.get("/rooms/rm/picture.png?layers=2")
        assert client.get("/rooms/rm/tiles/0/9/0.png").status_code == 404
    back = (1, 2, 3, 255)
    for each in shown:
        assert [tuple(map(int, p)) for p in each[0]] == [back, RED, back]
    only = np.asarray(Image.open(io.BytesIO(alone.content)).convert("RGBA"))[0]
    assert [bool(pixel[3]) for pixel in only] == [False, True, False]
    assert [layer["name"] for layer in page["layers"]] == [
        "backgrounds", "tiles", "instances", "foregrounds",
    ]  # fmt: skip
    assert page["views"] == [{"number": 1, "x": 1, "y": 0, "width": 2, "height": 1}]
    first, second = page["instances"]
    assert (first["name"], first["object"]["href"], first["left"], first["width"]) == (
        "obj", "/objects/obj", 1, 1,
    )  # fmt: skip
    assert first["code"] == {"text": "code", "href": "#instance_100001.gml"}
    assert (second["name"], second["object"], second["code"]) == ("", None, None)
    assert [each["title"] for each in page["codes"]] == ["Creation code", "Instance 100001"]
    assert len(page["codes"][0]["lines"]) == 2
    assert {fact["name"]: fact["text"] for fact in page["facts"]}["background colour"] == "#010203"
    assert 'id="instance_100001.gml"' in text
    assert '<a class="role-resource" href="/sprites/spr"' in text


def test_resources_of_one_name_are_shown_each_by_itself(tmp_path: Path) -> None:
    made = Made()
    for colour in (RED, GREEN, BLUE):
        made.sprite("spr", pixels([colour]))
    gone = made.project.sprites.slots[1]
    gone.exists, gone.resource = 0, None
    with looking_at(saved(made, tmp_path)) as client:
        rows = client.get("/sprites.json").json()["rows"]
        shown = [
            Image.open(io.BytesIO(client.get(f"{row['href']}/frames/0.png").content))
            for row in rows
        ]
    assert [row["name"] for row in rows] == ["spr", "spr"]
    assert [each.getpixel((0, 0)) for each in shown] == [RED, BLUE]


def test_a_background_has_its_tiles(tmp_path: Path) -> None:
    made = Made()
    tiles = {"use_as_tileset": 1, "tile_width": 2, "tile_height": 1, "tile_h_sep": 1}
    made.background("bg", np.zeros((2, 6, 4), np.uint8), **tiles)
    made.background("plain", pixels([RED]))
    made.add("backgrounds", "none", Background(version=710, image=Picture(version=800)))
    with looking_at(saved(made, tmp_path)) as client:
        page = client.get("/backgrounds/bg.json").json()
        plain = client.get("/backgrounds/plain.json").json()
        assert client.get("/backgrounds/none/thumbnail.png").status_code == 200
        assert client.get("/backgrounds/none/picture.png").status_code == 404
    places = [(each["number"], each["x"], each["y"]) for each in page["tiles"]]
    assert places == [(0, 0, 0), (1, 3, 0), (2, 0, 1), (3, 3, 1)]
    assert (page["tile_width"], page["tile_height"], page["count"]) == (2, 1, 4)
    assert (plain["tile_width"], plain["count"], plain["tiles"]) == (0, 0, [])


def test_sounds_are_played_where_browsers_can(tmp_path: Path) -> None:
    made = Made()
    wave = b"RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x40\x1f\0\0\1\0\x08\0"
    wave += b"data\x08\0\0\0" + bytes(8)
    made.add("sounds", "snd", Sound(version=800, file_type=".mp3", has_data=1, data=wave))
    midi = Sound(version=800, file_type=".mid", has_data=1, data=b"MThd\0\0\0\6\0\0\0\1\0\x60")
    made.add("sounds", "song", midi)
    made.add("sounds", "none", Sound(version=800, volume=0.5))
    with looking_at(saved(made, tmp_path)) as client:
        page = client.get("/sounds/snd.json").json()
        assert client.get(page["audio"]).content == wave
        assert client.get("/sounds/snd/sound.mp3").status_code == 404
        song, none = client.get("/sounds/song").text, client.get("/sounds/none").text
        assert client.get("/sounds/song/sound.mid").headers["content-type"] == "audio/midi"
        assert client.get("/sounds/snd").text.count("<audio") == 1
        facts = client.get("/sounds/none.json").json()["facts"]
        listed = client.get("/sounds").text
    assert (page["format"], page["sample_rate"], page["type"]) == ("wav", 8000, "audio/wav")
    assert "<audio" not in song
    assert "Browsers don't play MIDI" in html.unescape(song)
    assert "It has no sound." in none
    assert re.findall('aria-label="Play ([^"]*)"', listed) == ["snd", "song"]
    assert {"name": "volume", "text": "0.5"} in facts


def test_fonts_information_and_constants(project: Path) -> None:
    with looking_at(project) as client:
        font = client.get("/fonts/fnt_big?text=Hello").text
        entry = next(iter(client.site.documents[0].listing("information").entries.values()))
        information = client.get(client.site.documents[0].href(entry)).text
        constants = client.get("/constants/constants").text
    assert 'font-family="Verdana"' in font
    assert ">Hello</text>" in font
    assert "<p>Press keys.</p>" in information
    assert "SPEED" in constants


def test_names_and_texts_of_a_project_are_escaped(tmp_path: Path) -> None:
    bad = "\"><script>alert(1)</script><b x='"
    content = {
        "objects/obj_wall/create.gml": f'show_message("{bad}");'.encode(),
        "objects/obj_wall/step/actions.json": json.dumps(
            [{"action": "action_message", "arguments": [bad]},
             {"library": 7, "id": 1, "exec_type": 1, "function_name": bad}]
        ).encode(),
        "rooms/rm_first/creation.gml": bad.encode(),
        "fonts/fnt_big.json": as_json({"font_name": bad, "size": 9}),
        "game_information.rtf": b"{\\rtf1 " + bad.encode() + b"}",
    }  # fmt: skip
    path = tmp_path / "made.gm81"
    path.write_bytes(project_file(810, content))
    with overhaul.open(path) as document:
        assert isinstance(document, ProjectDocument)
        document.project.objects.slots[1].name = bad
        document.project.sprites.slots[0].name = bad
        path.write_bytes(document.to_bytes())
    pages: dict[str, str] = {}
    with looking_at(path) as client:
        crawl(client, each=pages.__setitem__)
    assert len(pages) > 20
    for address, text in pages.items():
        assert "<script>alert" not in text, address
        assert "<b x=" not in text, address


def test_what_uses_a_resource_is_reported_in_its_words(project: Path) -> None:
    def uses(client: Any, address: str) -> dict[str, list[tuple[str, str]]]:
        found = client.get(f"/-/uses/{address}.json").json()["uses"]
        return {
            f"{use['kind']} {use['name']}": [(each["text"], each["href"]) for each in use["lines"]]
            for use in found
        }

    player = "/objects/obj_player"
    with looking_at(project) as client:
        wall = uses(client, "objects/obj_wall")
        sprite = uses(client, "sprites/spr_player")
        sound = uses(client, "sounds/snd_jump")
        sky = uses(client, "backgrounds/bg_sky")
        assert uses(client, "objects/obj_player")["room rm_first"] == [
            ("1 instance", "/rooms/rm_first")
        ]
        assert uses(client, "triggers/low_health") == {
            "object obj_player": [("Trigger: low_health", f"{player}#trigger_low_health.gml")]
        }
        assert uses(client, "scripts/scr_add") == {}
        text = client.get(player).text
    event = f"{player}#collision_obj_wall"
    assert wall["object obj_player"][0] == ("Collision with obj_wall", event)
    said = "Collision with obj_wall: If there is no instance of obj_wall at (0, 8)"
    assert (said, event) in wall["object obj_player"]
    assert wall["room rm_first"] == [("1 instance", "/rooms/rm_first")]
    assert sprite["object obj_player"][0] == ("its sprite", player)
    assert sound == {
        "object obj_player": [
            ("sound_play(snd_jump);", f"{player}#trigger_low_health.gml-L1"),
        ]
    }
    assert sky == {"room rm_first": [("1 tile", "/rooms/rm_first")]}
    for _, href in (*wall["object obj_player"], *sound["object obj_player"]):
        assert f'id="{href.partition("#")[2]}"' in text
