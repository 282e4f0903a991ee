"""Random scripts that use what the editor declares, for random settings of the game."""

from __future__ import annotations

import os

import pytest

from ags_used import compiled, used
from overhaul.ags.api import ScriptSettings
from overhaul.ags.decompiler.proof import decompile_proven, prove

SEEDS = range(1000 if os.environ.get("OVERHAUL_FULL") == "1" else 40)
EDITORS = ("3.2.1.112", "3.3.4.2", "3.4.0.14", "3.4.3.1", "3.5.0.31", "3.6.0.51", "3.6.2.21")


@pytest.mark.parametrize("editor", EDITORS)
def test_uses_of_the_library_come_back(editor: str) -> None:
    assert {seed: wrong for seed in SEEDS if (wrong := prove(*used(seed, editor)))} == {}


def test_a_negative_default_is_left_out() -> None:
    # In old code a negative literal is a difference, and a default is none.
    text = "function f(DrawingSurface *a, int b)\n{\na.Clear();\nSetWalkBehindBase(b, -1);\n}\n"
    made, wrong = decompile_proven(*compiled(text, ScriptSettings("3.2.1.112")))
    assert wrong == []
    assert "surface.Clear();" in made.text
    assert "SetWalkBehindBase(value, -1);" in made.text


def test_the_settings_of_a_game_say_which_fields_there_are() -> None:
    text = 'function f()\n{\nif (cEgo.x > 3) cEgo.Say("a");\n}\n'
    settings = ScriptSettings("3.4.3.1", object_based=False)
    made, wrong = decompile_proven(*compiled(text, settings))
    assert wrong == []
    assert 'if (cEgo.x > 3) cEgo.Say("a");' in made.text
    assert not made.settings.object_based
