"""A made game of Adventure Game Studio with something on every page, in a package."""

from __future__ import annotations

import io
import wave

import ags_games
from ags_rooms import RED, bgra, main_of, sprites, with_object
from ags_things import make_even
from overhaul.ags.blockdata import DecodedBlocks
from overhaul.ags.blocks import TRANSLATION
from overhaul.ags.game.game import Game
from overhaul.ags.game.resources import AudioClip, Cursor, Frame, Loop, View
from overhaul.ags.library.package import Package
from overhaul.ags.pictures import Pixels
from overhaul.ags.properties import Property, PropertySet
from overhaul.ags.room.pictures import LzwPicture
from overhaul.ags.room.records import AnimatedBackgrounds, MessageInfo, Point, RoomProperties
from overhaul.ags.room.room import Room
from overhaul.ags.script.assembler import assemble
from overhaul.ags.translation import DictionaryBlock, Pair, Translation

SCRIPT = assemble(
    """
.script 90
.data 4
.strings
    s0: "a <b>text</b>"
.imports 2
    1: "Display^101"
.exports
    function "room_Load$0" L0
    function "hDoor_Look$2" L4
    data "counter" 0
.sections
    "room1.asc" L0
.code
L0:
    movl ax, 0
    ret
L4:
    jzi L0
    ret
"""
)


def made_room() -> Room:
    made = with_object(width=4, height=3)
    main = main_of(made)
    main.hotspot_mask.set_pixels(Pixels(4, 3, 1, bytes([1, 1, 0, 0] + [0] * 8)), by_row=False)
    main.walk_behind_mask.set_pixels(Pixels(4, 3, 1, bytes([0] * 8 + [1, 0, 0, 0])), by_row=False)
    main.hotspot_count = 3
    main.hotspot_names, main.hotspot_script_names = ["", "<i>door", "c"], ["", "hDoor", ""]
    main.walk_to_points = [Point(), Point(7, 8), Point()]
    main.hotspot_events = [[], ["", "hDoor_Look", "nowhere"], []]
    main.room_events = ["room_Load"]
    main.walk_behind_baselines = [0, 2]
    main.edge_right = 3
    second = LzwPicture()
    second.set_pixels(Pixels(4, 3, 4, bgra(*[RED] * 12)), signed=False)
    made.blocks.add(6, AnimatedBackgrounds(2, 3, [0, 0], [second]))
    made.blocks.add(7, SCRIPT)
    own = PropertySet(values=[Property("mood", "<b>dark")])
    made.blocks.add(8, RoomProperties(room=own, sets=[PropertySet() for _ in range(4)]))
    main.message_count, main.messages = 2, ["The door is locked.", "&mp;"]
    main.message_info = [MessageInfo(), MessageInfo()]
    return made


def translation() -> Translation:
    pairs = [Pair("yes", "ja"), Pair("no", ""), Pair("a <b>", "ein <b>")]
    pairs += [Pair(f"text {number}", "") for number in range(600)]
    made = Translation(blocks=DecodedBlocks(TRANSLATION))
    made.blocks.add(1, DictionaryBlock([*pairs, Pair("", "")]))
    return made


def small_game() -> Game:
    """The small game, with views, pictures, sounds and functions."""
    made = ags_games.game()
    content = made.content
    assert content is not None
    content.views = [
        View([Loop(1, [Frame(picture=1), Frame(picture=1, flags=1, speed=4)]), Loop()]),
        View([Loop(0, [Frame(picture=99)])]),
    ]
    content.view_names = ["vEgo", ""]
    ego, bob = content.characters
    ego.normal_view, ego.talk_view, ego.room, ego.x, ego.y = 0, 1, 1, 30, 40
    ego.talk_colour, ego.animation_delay, ego.inventory[1] = 15, 2, 1
    bob.normal_view, bob.room, bob.name = 7, -1, "<u>Bob"
    content.character_events[0] = ["", "hDoor_Look"]
    cup = content.inventory[1]
    cup.picture, cup.cursor_picture, cup.hot_x = 1, 0, 1
    content.cursors = [Cursor(picture=1, hot_x=1, view=0, name="Look"), Cursor(picture=99)]
    content.audio_clips = [
        AudioClip(script_name="aDing", file_name="ding.wav", bundling=1),
        AudioClip(script_name="aFar", file_name="far.ogg", bundling=2),
    ]
    content.dialogs[0].option_flags = [1, 1 | 4, *[0] * 28]
    content.messages = ["You can't do that"]
    for button in content.gui.buttons:
        button.flags, button.x, button.width, button.height = 16, 2, 30, 12
        button.events = ["hDoor_Look", "elsewhere"]
    window = content.gui.guis[0]
    window.width, window.height, window.background_colour = 40, 20, 7
    content.global_script = assemble(DING)
    make_even(made.tables())
    made.recompute_counts()
    return made


DING = """
.script 90
.data 0
.strings
.imports 0
.exports
    function "hDoor_Look$2" L0
.sections
    "GlobalScript.asc" L0
.code
L0:
    ret
"""


def ding() -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(1)
        file.setframerate(8000)
        file.writeframes(bytes(range(0, 250, 10)))
    return out.getvalue()


def package() -> bytes:
    made = Package(version=30, parts=["small.ags"])
    made.add("game28.dta", small_game().to_bytes())
    made.add("ding.wav", ding())
    made.add("agsfnt0.wfn", ags_games.wfn("Aj"))
    made.add("room1.crm", made_room().to_bytes())
    picture = Pixels(2, 1, 4, bgra((*RED, 0), (255, 0, 255, 0)))
    made.add("acsprset.spr", sprites(picture, picture))
    made.add("German.tra", translation().to_bytes())
    made.add("readme.txt", b"nothing that opens")
    return made.to_bytes()
