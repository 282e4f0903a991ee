"""A package whose rooms and scripts use names of each other: ``from ags_linked import package``."""

from __future__ import annotations

from ags_package import ding, made_room
from ags_package import small_game as plain_game
from ags_rooms import bgra, main_of, sprites
from ags_scripted import compiled
from overhaul.ags.blockdata import Content
from overhaul.ags.game.resources import Frame, Loop, View
from overhaul.ags.library.package import Package
from overhaul.ags.pictures import Pixels
from overhaul.ags.room.records import ObjectScriptNames
from overhaul.ags.room.room import Room

GLOBAL = """int score = 3;
export score;

function strength(int points)
{
  return points * 2 + score;
}
function hDoor_Look(int a, int b)
{
  cEgo.ChangeRoom(2);
  if (cEgo.GetProperty("smell")) Display("it smells");
  Wait(GetTextWidth("x", 1));
}
"""
HEADER = """import Character cEgo;
import Hotspot hDoor;
import Object oLamp;
import Button bSave;
import function strength(int points);
import int score;
"""
ROOM = """function room_Load()
{
  hDoor.Enabled = false;
  oLamp.Visible = true;
  bSave.Visible = false;
  score = strength(2);
}
function hDoor_Look(int a, int b)
{
  cEgo.LockView(2);
}
"""


def put(made: Room, block: int, content: Content) -> None:
    """Give a block of a room another content."""
    found = made.blocks.get(block)
    if found is None:
        made.blocks.add(block, content)
    else:
        found.content = content


def room() -> Room:
    """A room whose script uses its hotspot and its object, a control, and the global script."""
    made = made_room()
    main_of(made).hotspot_script_names = ["", "hDoor", "hOther"]
    put(made, 9, ObjectScriptNames(["oLamp"]))
    put(made, 7, compiled("room1.asc", ROOM, HEADER))
    return made


def package() -> bytes:
    """A package of two rooms with that script and a global one."""
    game = plain_game()
    content = game.content
    assert content is not None
    content.views.insert(1, View([Loop(0, [Frame(picture=1)])]))
    content.view_names = ["vEgo", "vMore", ""]
    content.characters[0].talk_view = -1
    for button in content.gui.buttons:
        button.events = ["hDoor_Look", ""]
    content.global_script = compiled("GlobalScript.asc", GLOBAL, "import Character cEgo;\n")
    game.recompute_counts()
    made = Package(version=30, parts=["small.ags"])
    made.add("game28.dta", game.to_bytes())
    made.add("ding.wav", ding())
    for number in (0, 1):
        made.add(f"agsfnt{number}.wfn", b"")
    made.add("room1.crm", room().to_bytes())
    made.add("room2.crm", made_room().to_bytes())
    picture = Pixels(2, 1, 4, bgra((200, 0, 0, 255), (0, 255, 0, 255)))
    made.add("acsprset.spr", sprites(picture, picture))
    return made.to_bytes()
