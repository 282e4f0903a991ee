"""The pages of Adventure Game Studio, on made files."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from ags_package import ding, made_room, package, small_game
from ags_rooms import GREY, RED, bgra, main_of, sprites
from overhaul.ags.drawing.areas import area_colour
from overhaul.ags.game.game import Game
from overhaul.ags.game.gui import GuiSection
from overhaul.ags.game.old import EarlyDialog, Interface, InterfaceButton, OldGameContent
from overhaul.ags.game.resources import Cursor, InventoryItem
from overhaul.ags.pictures import Pixels
from overhaul.ags.properties import EventBlock
from overhaul.ags.room.records import SourceText
from overhaul.ags.script.dialogs import Block, Step
from overhaul.ags.sprites import Sprite, SpriteSet
from overhaul.ags.surface.base import Fields
from overhaul.viewer.pages.ags import dialogs
from viewing import Browser, crawl, looking_at


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ags") / "small.ags"
    path.write_bytes(package())
    return path


@pytest.fixture(scope="module")
def client(game: Path) -> Iterator[Browser]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("OVERHAUL_CACHE", str(game.parent / "cache"))
        with looking_at(game) as client:
            yield client


ROOM = "/in/room1.crm/rooms/room"


def pixels(client: Browser, address: str) -> list[list[list[int]]]:
    answer = client.get(address)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
    image = Image.open(io.BytesIO(answer.content)).convert("RGBA")
    shown: list[list[list[int]]] = np.asarray(image).tolist()
    return shown


def test_every_page_of_a_package(client: Browser) -> None:
    counts = crawl(client)
    assert counts["text/html"] > 60
    assert counts["image/png"] > 8


def test_a_room_has_its_areas_with_their_functions(client: Browser) -> None:
    page = client.get(f"{ROOM}.json").json()
    assert (page["width"], page["height"], page["bits"], page["fps"]) == (4, 3, 32, 10.0)
    assert page["edges"] == {"left": 0, "top": 0, "right": 3, "bottom": 0}
    assert page["problem"] == page["no_sprites"] == ""
    by_kind = {overlay["key"]: overlay for overlay in page["overlays"]}
    assert list(by_kind) == ["hotspots", "regions", "walk_areas", "walk_behinds"]
    assert by_kind["hotspots"]["count"] == 3
    (door,) = by_kind["hotspots"]["areas"]
    script = "/in/room1.crm/scripts/room1.asc"
    assert door == {
        "id": "hotspots-1",
        "number": 1,
        "name": "<i>door",
        "script_name": "hDoor",
        "colour": "#{:02x}{:02x}{:02x}".format(*area_colour(1)),
        "pixels": 2,
        "shape": "M0 0h2v1h-2z",
        "left": 0,
        "right": 2,
        "baseline": None,
        "functions": [
            {"text": "hDoor_Look", "href": f"{script}#f-hDoor_Look"},
            {"text": "nowhere", "href": ""},
        ],
        "details": {"walk_to": {"x": 7, "y": 8}},
        "does": [
            {
                "event": "Look at",
                "function": {"text": "hDoor_Look", "href": f"{script}#f-hDoor_Look"},
            },
            {"event": "Interact", "function": {"text": "nowhere", "href": ""}},
        ],
    }
    (behind,) = by_kind["walk_behinds"]["areas"]
    assert behind["baseline"] == 2
    load = {"text": "room_Load", "href": f"{script}#f-room_Load"}
    assert page["functions"] == [load]
    assert page["does"] == [{"event": "Leave left", "function": load}]
    shown = client.get(ROOM).text
    within = shown[shown.index("ags-within") : shown.index('class="downloads"')]
    assert within.index("Look at") < within.index(f'href="{script}#f-hDoor_Look"')
    assert 'href="#hotspots-1"' in within and 'href="#objects-0"' in within
    assert page["properties"] == {"mood": "<b>dark"}
    assert page["messages"] == ["The door is locked.", "&mp;"]
    (lamp,) = page["objects"]
    assert (lamp["name"], lamp["left"], lamp["top"]) == ("a lamp", 1, 1)
    assert (lamp["width"], lamp["height"], lamp["visible"]) == (2, 1, True)
    assert lamp["page"] == "/in/acsprset.spr/sprites/1"
    assert pixels(client, lamp["picture"]) == [[[*RED, 255], [0, 0, 0, 0]]]


def test_a_room_as_people_see_it(client: Browser) -> None:
    text = client.get(ROOM).text
    assert "&lt;i&gt;door" in text and "<i>door" not in text
    assert '<a href="#hotspots-1"' in text and '<tr id="hotspots-1"' in text
    assert 'd="M0 0h2v1h-2z"' in text
    assert 'd="M0 2H1"' in text  # the baseline
    assert 'd="M0 0V3M3 0V3M0 0H4M0 0H4"' in text  # the edges
    assert "<dd>&lt;b&gt;dark</dd>" in text and "<li>&amp;mp;</li>" in text
    assert 'data-show="regions"' not in text  # there are none
    assert 'data-show="walk_behinds"' in text and 'data-show="objects"' in text
    first, second = ([[*colour, 255]] * 4 for colour in (GREY, RED))
    assert pixels(client, f"{ROOM}/backgrounds/0.png") == [first] * 3
    assert pixels(client, f"{ROOM}/backgrounds/1.png") == [second] * 3


def test_a_picture_with_overlays(client: Browser) -> None:
    shown = pixels(client, f"{ROOM}/picture.png?overlays=objects-edges")
    assert shown[1][1] == [*RED, 255]
    assert shown[1][3] == [255, 220, 0, 255]
    assert pixels(client, f"{ROOM}/picture.png?background=1")[2][2] == [*RED, 255]
    for wrong in (
        *("picture.png?overlays=walls", "picture.png?background=2", "backgrounds/2.png"),
        *("backgrounds/x.png", "sprites/9.png", "sprites/-1.png", "backgrounds/99999999999.png"),
    ):
        assert client.get(f"{ROOM}/{wrong}").status_code == 404, wrong


def test_the_first_page_of_a_room_shows_it(client: Browser) -> None:
    page = client.get("/in/room1.crm/.json").json()
    picture = f"{ROOM}/front.png"
    assert page["front"] == {"name": "room", "href": ROOM, "picture": picture}
    assert f'<img class="front" src="{picture}"' in client.get("/in/room1.crm/").text
    assert client.get("/.json").json()["front"] == page["front"]


def test_a_room_without_sprites_says_so(tmp_path: Path) -> None:
    path = tmp_path / "room7.crm"
    path.write_bytes(made_room().to_bytes())
    with looking_at(path) as client:
        page = client.get("/rooms/room.json").json()
        text = client.get("/rooms/room").text
    assert page["no_sprites"] == "there is no acsprset.spr next to the file"
    assert "there is no acsprset.spr next to the file" in text
    assert page["objects"][0]["picture"] == page["objects"][0]["page"] == ""
    assert 'class="unknown"' in text


@pytest.mark.parametrize("part", ["background", "hotspot_mask"])
def test_a_room_with_a_broken_picture_is_shown_without_it(tmp_path: Path, part: str) -> None:
    made = made_room()
    getattr(main_of(made), part).packed = b"\0"
    path = tmp_path / "room7.crm"
    path.write_bytes(made.to_bytes())
    with looking_at(path) as client:
        page = client.get("/rooms/room.json").json()
        text = client.get("/rooms/room").text
        assert "It can't be drawn whole" in text
        if part == "hotspot_mask":  # its length is not known, so the block is kept as bytes
            assert page["problem"] == "its main block is not understood"
            assert (page["objects"], len(page["backgrounds"])) == ([], 1)  # the other frame
            return
        assert page["problem"] != "" and page["backgrounds"] == []
        assert len(page["overlays"]) == 4 and page["objects"] != []
        assert client.get("/rooms/room/picture.png").status_code == 422
        assert pixels(client, "/rooms/room/front.png") == [[[0, 0, 0, 0]]]
        assert pixels(client, "/rooms/room/thumbnail.png") == [[[0, 0, 0, 0]]]


def test_names_end_at_their_first_nul() -> None:
    assert Fields({"name": "door\0left over"}, "utf-8").text("name") == "door"
    assert Fields({"name": 5}, "utf-8").text("name") == Fields({}, "utf-8").text("name") == ""


def test_a_script_has_its_functions_and_names(client: Browser) -> None:
    address = "/in/room1.crm/scripts/room1.asc"
    page = client.get(f"{address}.json").json()
    assert page["exported"] == [
        {"name": "room_Load", "arguments": "0", "line": 14},
        {"name": "hDoor_Look", "arguments": "2", "line": 17},
    ]
    assert page["variables"] == ["counter"]
    assert [each["text"] for each in page["imports"]] == ["Display^101"]
    assert "q=Display" in page["imports"][0]["href"]
    assert page["source"] is None
    lines = {line["number"]: line["parts"] for line in page["lines"]}
    assert lines[17] == [
        {"text": "L_hDoor_Look", "role": "resource", "href": "#L17"},
        {"text": ":"},
    ]
    assert lines[18] == [
        {"text": "    jzi", "role": "keyword"},
        {"text": " "},
        {"text": "L_room_Load", "role": "resource", "href": "#L14"},
    ]
    assert lines[4][1] == {"text": ": "}
    assert lines[4][2] == {"text": '"a <b>text</b>"', "role": "string"}
    assert lines[1][0] == {"text": ".script", "role": "directive"}
    text = client.get(address).text
    assert 'id="L17"' in text and "<b>text" not in text
    assert "".join(part["text"] for part in lines[15]) == "    movl ax, 0"


def test_a_script_names_its_source(tmp_path: Path) -> None:
    made = made_room()
    source = SourceText()
    source.text = b"// a source"
    made.blocks.add(2, source)
    path = tmp_path / "room7.crm"
    path.write_bytes(made.to_bytes())
    with looking_at(path) as client:
        page = client.get("/scripts/room1.asc.json").json()
        assert page["source"]["text"] == "script source"
        assert "// a source" in client.get(page["source"]["href"]).text


def test_files_of_a_package_open_from_its_list(client: Browser) -> None:
    rows = {row["name"]: row for row in client.get("/assets.json").json()["rows"]}
    assert rows["room1.crm"]["inside"] == "/in/room1.crm/"
    assert rows["readme.txt"]["inside"] == ""
    text = client.get("/assets").text
    assert '<a href="/in/room1.crm/">' in text
    assert '<a class="as-file" href="/assets/room1.crm">' in text
    assert '<a href="/assets/readme.txt">' in text
    assert client.get("/in/readme.txt/").status_code == 422
    assert {row["name"] for row in client.get("/.json").json()["files"]} == {*rows}
    assert '<a href="/in/room1.crm/">' in client.get("/").text
    assert client.get("/in/room1.crm/.json").json()["files"] == []
    assert client.get("/in/nothing.txt/").status_code == 404


def test_a_sprite_with_its_size_and_depth(client: Browser) -> None:
    base = "/in/acsprset.spr/sprites"
    page = client.get(f"{base}/1.json").json()
    assert (page["width"], page["height"], page["zoom"]) == (2, 1, 16)
    assert {fact["name"]: fact["text"] for fact in page["facts"]} == {
        "bits": "32", "colours": "0", "stored": "none", "alpha": "yes"
    }  # fmt: skip
    assert page["notes"] == [] and page["frames"] == [f"{base}/1/frames/0.png"]
    assert (page["origin"], page["bbox"], page["masks"]) == (None, None, [])
    shown = [[[*RED, 255], [0, 0, 0, 0]]]
    assert pixels(client, page["frames"][0]) == pixels(client, f"{base}/1/picture.png") == shown
    assert pixels(client, f"{base}/1/thumbnail.png") == shown
    assert "<h1>Sprite 1</h1>" in client.get(f"{base}/1").text
    listed = client.get(base).text
    assert f'src="{base}/0/thumbnail.png" alt="" loading="lazy"' in listed


def test_a_broken_sprite_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "acsprset.spr"
    good = Pixels(2, 1, 4, bgra(RED, RED))
    made = SpriteSet.read(sprites(good, good))
    stored = made.slots[1]
    assert isinstance(stored, Sprite)
    stored.data = b"short"
    path.write_bytes(made.to_bytes())
    with looking_at(path) as client:
        page = client.get("/sprites/1.json").json()
        assert "expected 8 bytes of pixels, got 5" in page["notes"][0]
        assert "be drawn: expected 8 bytes of pixels, got 5" in client.get("/sprites/1").text
        assert client.get("/sprites/1/picture.png").status_code == 422
        assert pixels(client, "/sprites/1/thumbnail.png") == [[[0, 0, 0, 0]]]
        assert {"name": "alpha", "text": "no"} in client.get("/sprites/0.json").json()["facts"]


def test_a_sprite_without_the_colours_of_its_game_is_grey(tmp_path: Path) -> None:
    path = tmp_path / "acsprset.spr"
    path.write_bytes(sprites(Pixels(2, 1, 1, b"\0\7"), Pixels(1, 1, 4, bgra(RED))))
    with looking_at(path) as client:
        assert "shown as greys" in client.get("/sprites/0.json").json()["notes"][0]
        assert client.get("/sprites/1.json").json()["notes"] == []
        assert "no game data is next to the set" in client.get("/sprites/0").text
        assert pixels(client, "/sprites/0/picture.png") == [[[0, 0, 0, 0], [7, 7, 7, 255]]]
    (tmp_path / "game28.dta").write_bytes(small_game().to_bytes())
    with looking_at(path) as client:
        assert client.get("/sprites/0.json").json()["notes"] == []


def test_a_translation_side_by_side(client: Browser) -> None:
    address = "/in/German.tra/dictionaries/texts"
    page = client.get(f"{address}.json").json()
    assert (page["count"], page["translated"], page["found"]) == (603, 2, 603)
    assert page["pairs"][:2] == [
        {"number": 1, "source": "yes", "text": "ja"},
        {"number": 2, "source": "no", "text": ""},
    ]
    assert len(page["pairs"]) == 603 and page["next"] == ""

    def numbers(**query: str) -> list[int]:
        found = client.get(f"{address}.json", params=query).json()["pairs"]
        return [each["number"] for each in found]

    assert numbers(filter="JA") == [1]
    assert numbers(filter="a <B") == [3]
    assert numbers(only="translated") == [1, 3]
    assert numbers(only="untranslated", filter="no") == [2]
    assert numbers(only="nonsense", filter="yes") == [1]
    text = client.get(address).text
    assert "a &lt;b&gt;" in text and "<b>" not in text.partition("<main")[2]
    assert '<tr id="t2" class="lacking">' in text and '<tr id="t1">' in text
    assert 'id="t500"' in text and 'id="t501"' not in text
    following = f"{address}?filter=&amp;only=&amp;from=500"
    assert f'href="{following}"' in text
    text = client.get(address, params={"from": "500"}).text
    assert 'id="t501"' in text and 'id="t500"' not in text and 'id="t603"' in text
    assert f'href="{address}?filter=&amp;only=&amp;from=0"' in text


GAME = "/in/game28.dta"


def test_a_view_is_played_at_the_speed_of_its_frames(client: Browser) -> None:
    page = client.get(f"{GAME}/views/vEgo.json").json()
    first, second = page["loops"]
    assert (first["frames"], first["goes_on"], second["frames"]) == (2, True, 0)
    assert second["player"] is None
    shots = first["player"]["frames"]
    assert [shot["milliseconds"] for shot in shots] == [150, 250]
    assert [shot["about"] for shot in shots] == ["sprite 1, speed 0", "sprite 1, speed 4, flipped"]
    assert pixels(client, shots[0]["href"]) == [[[*RED, 255], [0, 0, 0, 0]]]
    assert pixels(client, shots[1]["href"]) == [[[0, 0, 0, 0], [*RED, 255]]]
    assert [each["text"] for each in page["users"]] == ["cEgo"]
    assert 'data-ms="250"' in client.get(f"{GAME}/views/vEgo").text
    assert pixels(client, f"{GAME}/views/vEgo/thumbnail.png") == [[[*RED, 255], [0, 0, 0, 0]]]
    unknown = client.get(f"{GAME}/views/2.json").json()
    assert unknown["loops"][0]["player"] is None
    assert "Its sprites are not known." in client.get(f"{GAME}/views/2").text
    assert pixels(client, f"{GAME}/views/2/thumbnail.png") == [[[0, 0, 0, 0]]]
    for wrong in ("frames/0/2.png", "frames/2/0.png", "frames/0.png", "frames/x/0.png"):
        assert client.get(f"{GAME}/views/vEgo/{wrong}").status_code == 404, wrong


def test_a_character_with_its_views(client: Browser) -> None:
    page = client.get(f"{GAME}/characters/cEgo.json").json()
    assert (page["full_name"], page["place"], page["is_player"]) == ("Ego", [30, 40], True)
    assert page["room"] == {"text": "room 1", "href": ROOM}
    assert page["colour"] == "#ffffff"
    assert [each["text"] for each in page["items"]] == ["cup"]
    walks, talks = page["views"]
    assert (walks["use"], walks["link"]["text"]) == ("walks", "vEgo")
    assert [s["milliseconds"] for s in walks["loops"][0]["player"]["frames"]] == [75, 175]
    assert (talks["use"], talks["link"]["text"]) == ("talks", "2")
    assert page["functions"] == [
        {"text": "hDoor_Look", "href": f"{GAME}/scripts/GlobalScript.asc#f-hDoor_Look"}
    ]
    text = client.get(f"{GAME}/characters/cEgo").text
    assert "the player, in" in text and f'href="{ROOM}"' in text
    bob = client.get(f"{GAME}/characters.json").json()["rows"][1]["href"]
    page = client.get(f"{bob}.json").json()
    assert (page["is_player"], page["room"], page["views"][0]["loops"]) == (False, None, [])
    assert "&lt;u&gt;Bob" in client.get(bob).text
    assert pixels(client, f"{bob}/thumbnail.png") == [[[0, 0, 0, 0]]]
    shown = pixels(client, f"{GAME}/characters/cEgo/thumbnail.png")
    assert shown == [[[*RED, 255], [0, 0, 0, 0]]]


def test_items_and_cursors_with_what_they_point_at(client: Browser) -> None:
    page = client.get(f"{GAME}/inventory/cup.json").json()
    inside, cursor = page["pictures"]
    assert (page["number"], inside["title"], inside["x"]) == (1, "In the inventory", -1)
    assert (cursor["title"], cursor["sprite"], cursor["x"], cursor["y"]) == (
        *("As the cursor", 0, 1, 0),
    )
    assert inside["page"] == "/in/acsprset.spr/sprites/1"
    assert client.get(inside["page"]).status_code == 200
    assert pixels(client, inside["href"]) == [[[*RED, 255], [0, 0, 0, 0]]]
    look = client.get(f"{GAME}/cursors/Look.json").json()
    assert (look["view"]["text"], len(look["pictures"])) == ("vEgo", 1)
    other = client.get(f"{GAME}/cursors.json").json()["rows"][1]["href"]
    assert client.get(f"{other}.json").json()["pictures"] == []
    assert pixels(client, f"{other}/thumbnail.png") == [[[0, 0, 0, 0]]]
    assert pixels(client, f"{GAME}/cursors/Look/thumbnail.png")[0][0] == [*RED, 255]
    assert pixels(client, f"{GAME}/inventory/cup/thumbnail.png")[0][0] == [*RED, 255]


def test_a_gui_is_drawn_with_its_controls(client: Browser) -> None:
    page = client.get(f"{GAME}/guis/gBar.json").json()
    assert (page["width"], page["height"], page["zoom"]) == (40, 20, 4)
    label, button = page["controls"]
    assert (label["kind"], label["name"], label["visible"]) == ("label", "lScore", False)
    assert (button["kind"], button["text"], button["left"]) == ("button", "Save", 2)
    assert [each["text"] for each in button["functions"]] == ["hDoor_Look", "elsewhere"]
    assert "controls that are hidden at first" in page["not_drawn"]
    shown = pixels(client, page["picture"])
    assert (len(shown), len(shown[0])) == (20, 40)
    assert shown[15][20] == [0xA0, 0xA0, 0xA0, 255]
    text = client.get(f"{GAME}/guis/gBar").text
    assert 'href="#control-1"' in text and '<tr id="control-1">' in text
    assert "Not drawn: " in text


def test_a_dialog_as_people_read_it(client: Browser) -> None:
    rows = client.get(f"{GAME}/dialogs.json").json()["rows"]
    page = client.get(f"{rows[0]['href']}.json").json()
    begins, first, second = page["options"]
    assert (begins["number"], begins["text"]) == (0, "")
    ego = f"{GAME}/characters/cEgo"
    assert begins["lines"][1] == {"who": "Ego", "href": ego, "text": 'So "long"!'}
    assert begins["lines"][0]["who"] == "cBob"
    assert (first["text"], first["on"], first["said"]) == ("Who are you?", True, True)
    assert (second["on"], second["said"]) == (True, False)
    text = client.get(rows[0]["href"]).text
    assert "When it begins" in text and "not said aloud" in text
    assert "Bye [for now]" in text and ", 2 options" in text


def test_a_dialog_of_the_first_versions_has_its_script(tmp_path: Path) -> None:
    dialog = EarlyDialog(
        options=["Hi", *[""] * 14], option_flags=[1] * 15, option_count=1, code_size=5
    )
    content = OldGameContent(dialogs=[dialog], dialog_messages=["Well"], guis=(99, GuiSection()))
    content.dialog_data = [(bytes([1, 231, 3, 0, 0]), b"")]
    made = Game(version=5, old=content)
    for name, count in (("interfaces", 10), ("cursors", 10), ("inventory", 100)):
        record = {"interfaces": Interface, "cursors": Cursor, "inventory": InventoryItem}[name]
        setattr(content, name, [record() for _ in range(count)])
    for interface in content.interfaces:
        interface.buttons = [InterfaceButton() for _ in range(20)]
    content.character_conditions = [EventBlock() for _ in range(50)]
    content.inventory_conditions = [EventBlock() for _ in range(100)]
    path = tmp_path / "AC2GAME.DTA"
    path.write_bytes(made.to_bytes())
    with looking_at(path) as client:
        page = client.get("/dialogs/0.json").json()
        assert page["lines"] == [{"who": "the narrator", "href": "", "text": "Well"}]
        assert [option["text"] for option in page["options"]] == ["Hi"]
        assert "Well" in client.get("/dialogs/0").text


def test_audio_clips_play_where_the_package_has_them(client: Browser) -> None:
    page = client.get(f"{GAME}/audio-clips/aDing.json").json()
    assert page["waveform"].startswith("M0 ")
    answer = client.get(page["audio"])
    assert (answer.content, answer.headers["content-type"]) == (ding(), "audio/wav")
    page = client.get(f"{GAME}/audio-clips/aFar.json").json()
    assert page["audio"] == "" and {"name": "where", "text": "audio.vox"} in page["facts"]
    assert "not next to the game data" in client.get(f"{GAME}/audio-clips/aFar").text
    for wrong in ("aDing/sound.ogg", "aFar/sound.ogg"):
        assert client.get(f"{GAME}/audio-clips/{wrong}").status_code == 404


def test_a_text_in_a_font_of_the_game(client: Browser) -> None:
    page = client.get(f"{GAME}/fonts/0.json", params={"text": "Aj"}).json()
    assert (page["own"], page["text"]) == (True, "Aj")
    shown = pixels(client, f"{GAME}/fonts/0/text.png?text=Aj")
    assert [pixel[3] > 0 for pixel in shown[0]] == [bit == "1" for bit in "01111110" * 2]
    assert client.get(f"{GAME}/fonts/1.json").json()["own"] is False
    assert "not its own" in client.get(f"{GAME}/fonts/1").text
    assert client.get(f"{GAME}/fonts/0.json?text={'x' * 500}").json()["text"] == "x" * 400


def test_a_game_lists_what_stands_in_files_of_its_own(client: Browser) -> None:
    listings = client.get(f"{GAME}/.json").json()["kinds"]
    found = {listing["title"]: listing["count"] for listing in listings}
    assert (found["Fonts"], found["GUIs"], found["Dialogs"], found["Views"]) == (2, 1, 1, 2)
    assert (found["Custom properties"], found["Texts"]) == (1, 1)
    text = client.get(f"{GAME}/custom-properties/properties").text
    assert "It smells of nothing" in text


def test_the_overview_of_a_package_is_that_of_the_game(client: Browser) -> None:
    page = client.get("/.json").json()
    assert page["title"] == "Small Game"
    assert page["front"]["picture"].startswith("/in/room1.crm/")
    names = [row["name"] for row in page["files"]]
    assert names[0] == "game28.dta"
    assert names[-2:] == ["ding.wav", "readme.txt"]


def test_game_data_alone_says_what_it_lacks(tmp_path: Path) -> None:
    path = tmp_path / "game28.dta"
    path.write_bytes(small_game().to_bytes())
    with looking_at(path) as client:
        counts = crawl(client)
        page = client.get("/characters/cEgo.json").json()
        assert page["no_sprites"] == "there is no acsprset.spr next to the file"
        assert page["room"] == {"text": "room 1", "href": ""}
        assert "can't be drawn: there is no acsprset.spr" in client.get("/views/vEgo").text
        for slug, pictured in (("characters", False), ("views", False), ("guis", True)):
            rows = client.get(f"/{slug}.json").json()["rows"]
            assert all(bool(row["thumbnail"]) == pictured for row in rows), slug
    assert counts["text/html"] > 30


def test_conditions_of_a_dialog_stand_before_what_they_are_of() -> None:
    outer, inner, other = Block(1, "if (a)"), Block(2, "if (b)"), Block(3, "if (a)")
    steps = [
        Step(1, 1, "cEgo", "Hi"),
        Step(1, 2, "", "f()", (outer, inner)),
        Step(1, 3, "", "g()", (outer, inner)),
        Step(1, 4, "", "h()", (outer,)),
        Step(1, 5, "", "i()", (other,)),
        Step(1, 6, "", "stop"),
    ]
    lines = dialogs._lines(steps, {"cEgo": ("Ego", "/e")})
    assert [(line.depth, line.condition, line.text) for line in lines] == [
        (0, False, "Hi"),
        (0, True, "if (a)"),
        (1, True, "if (b)"),
        (2, False, "f()"),
        (2, False, "g()"),
        (1, False, "h()"),
        (0, True, "if (a)"),
        (1, False, "i()"),
        (0, False, "stop"),
    ]
    assert (lines[0].who, lines[0].href) == ("Ego", "/e")


def test_a_condition_is_shown_on_the_page_of_a_dialog(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = Step(0, 1, "cEgo", "So long", (Block(1, "if (tired == 1)"),))
    monkeypatch.setattr(dialogs, "steps_of", lambda game: {0: [step]})
    with looking_at(game) as client:
        href = client.get(f"{GAME}/dialogs.json").json()["rows"][0]["href"]
        text = client.get(href).text
    before, condition, after = text.partition('<div class="condition">')
    assert condition and "if (tired == 1)" in after
    assert "So long" in after.partition("depth1")[2]
    assert "depth1" not in before
