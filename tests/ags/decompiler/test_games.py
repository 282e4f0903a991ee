"""What a game says about its scripts: names of its things, of cursors and views, other scripts."""

from __future__ import annotations

import overhaul
import overhaul.ags
from ags_decompiled import EDITOR, compiled
from ags_games import game, package
from overhaul.ags.decompiler import Environment, decompile_block
from overhaul.ags.decompiler.game import environment_of
from overhaul.ags.decompiler.library import VIEWS, Known, Member
from overhaul.ags.decompiler.proof import decompile_proven, prove

GAME = Environment(
    version=EDITOR,
    variables=(
        Member("character", "Character", count=3),
        Member("cEgo", "Character"),
        Member("iKey", "InventoryItem"),
        Member("btnOk", "Button"),
    ),
    enums=(
        ("CursorMode", ((0, "eModeWalkto"), (1, "eModeLookat"))),
        (VIEWS, ((3, "VWALK"),)),
    ),
)
SCRIPT = """
function f()
{
  mouse.Mode = 1;
  cEgo.ChangeView(3);
  if (player.ActiveInventory == iKey) other = 7;
}
"""


def test_cursors_and_views_have_their_names() -> None:
    script = compiled(SCRIPT)
    assert prove(script, GAME) == []
    made = decompile_block(script, GAME)
    assert "mouse.Mode = eModeLookat;" in made.text
    assert "cEgo.ChangeView(VWALK);" in made.text
    assert made.declarations == "import int other;\n"


def test_what_a_game_says_counts_where_it_agrees_with_the_code() -> None:
    script = compiled(SCRIPT)
    wrong = Environment(version=EDITOR, variables=(Member("cEgo", "Hotspot"),))
    made, left = decompile_proven(script, wrong)
    assert left == []
    assert "cEgo.ChangeView(3);" in made.text


def test_other_scripts_say_types() -> None:
    other = compiled(
        "bool on;\nexport on;\n"
        "function Turn(CharacterDirection d)\n{\n  cEgo.FaceDirection(d);\n"
        "  if (on) { on = false; }\n}\n"
    )
    said = {known.name: known for known in decompile_block(other).exports}
    assert said["Turn"] == Known("Turn", "int", ("CharacterDirection",))
    assert said["on"] == Known("on", "bool")
    script = compiled("function f() { OtherScript(3, 1.0); }\n")
    known = Environment(exports=(Known("OtherScript", "int", ("CharacterDirection", "float")),))
    assert prove(script, known) == []
    assert "OtherScript(eDirectionUp, 1.0);" in decompile_block(script, known).text


def test_the_data_of_a_game_and_its_package_say_the_same() -> None:
    made = game()
    with overhaul.open(package(made)) as document:
        known = environment_of(document)
    assert known.version == "3.6.0.51"
    assert not known.left_to_right
    assert Member("character", "Character", count=2) in known.variables
    assert Member("bSave", "Button") in known.variables
    with overhaul.open(made.to_bytes()) as document:
        assert environment_of(document) == known
        script = compiled("function f() { bSave.Visible = true; }\n".replace("bSave", "btnOk"))
        assert "btnOk.Visible = true;" in overhaul.ags.decompile(script.to_bytes(), document)
    assert environment_of(None) == Environment()
