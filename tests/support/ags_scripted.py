"""The made game of Adventure Game Studio with scripts that have a source."""

from __future__ import annotations

import pytest

import ags_package
from overhaul.ags.api import ScriptSettings
from overhaul.ags.decompiler.files import ScriptFiles, Tables, compile_files
from overhaul.ags.game.game import Game
from overhaul.ags.script.model import Script

GAME_TEXT = """struct Weapon
{
  int damage;
  String label;
};
Weapon sword;
int score = 3;

function strength(int points)
{
  return points * 2 + score;
}
function hDoor_Look()
{
  int found = 4 + score;
  sword.damage = found;
  return strength(found);
}
function game_start()
{
  score = strength(1);
}
"""
ROOM_TEXT = """int counter;
export counter;
function room_Load()
{
  counter = strength(2);
  Display("hi %d", counter);
}
function hDoor_Look()
{
  counter++;
}
"""


def compiled(name: str, text: str, header: str = "") -> Script:
    """The block of a script."""
    tables = Tables(0, name, ScriptSettings("3.6.1"), sections=((name,),))
    return compile_files(ScriptFiles(text, header, tables))


def scripted_package() -> bytes:
    """The package with a global script, and a room's script that calls a function of it."""
    plain_game = ags_package.small_game

    def small_game() -> Game:
        made = plain_game()
        assert made.content is not None
        made.content.global_script = compiled("GlobalScript.asc", GAME_TEXT)
        made.recompute_counts()
        return made

    with pytest.MonkeyPatch.context() as patch:
        header = "import function strength(int points);"
        patch.setattr(ags_package, "SCRIPT", compiled("room1.asc", ROOM_TEXT, header))
        patch.setattr(ags_package, "small_game", small_game)
        return ags_package.package()


#: What the editor makes of global variables; what an array is, nothing in compiled code says.
VARIABLES = """int hasKey = 3; float speed = 1.5;
String title;
GUI *panel;
export hasKey;
export speed;
export title;
export panel;
function game_start()
{
  title = "A \\"lantern\\"";
}
"""


def package_with_variables() -> bytes:
    """The package with a script of global variables, one of which the room's script uses."""
    plain_game = ags_package.small_game

    def small_game() -> Game:
        made = plain_game()
        assert made.content is not None
        made.content.script_modules = [compiled("_GlobalVariables.asc", VARIABLES)]
        made.recompute_counts()
        return made

    text = "function room_Load() { hasKey = 1; }\nfunction hDoor_Look() { }\n"
    with pytest.MonkeyPatch.context() as patch:
        script = compiled("room1.asc", text, "import int hasKey;")
        patch.setattr(ags_package, "SCRIPT", script)
        patch.setattr(ags_package, "small_game", small_game)
        return ags_package.package()
