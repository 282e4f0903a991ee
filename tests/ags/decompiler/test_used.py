"""Random scripts that use what the editor declares, for random settings of the game."""

from __future__ import annotations

import os

import pytest

from ags_used import compiled, used
from overhaul.ags.api import ScriptSettings
from overhaul.ags.decompiler.proof import decompile_proven, differences, prove

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


def test_an_index_is_that_of_a_field_by_its_size() -> None:
    settings = ScriptSettings("3.6.0.51", object_based=False)
    text = "function f(int i)\n{\ni = cEgo.scrname[i];\ni = character[i].scrname[2];\n}\n"
    made, wrong = decompile_proven(*compiled(text, settings))
    assert wrong == []
    assert "value = cEgo.scrname[value];" in made.text
    assert "value = character[value].scrname[2];" in made.text


def test_names_of_pointers_do_not_depend_on_what_no_game_stores() -> None:
    # "channel" is a parameter of an old function of sounds.
    text = "function f(AudioChannel *b, GUIControl *a)\n{\na.BringToFront();\nb.Stop();\n}\n"
    for new_audio in (False, True):
        settings = ScriptSettings("3.6.2.12", new_audio=new_audio)
        made, wrong = decompile_proven(*compiled(text, settings))
        assert wrong == []
        assert "f(AudioChannel *channel2, GUIControl *control)" in made.text
        other = ScriptSettings("3.6.2.12", new_audio=not new_audio)
        first, second = (compiled(made.text, one)[0] for one in (settings, other))
        assert list(differences(first, second)) == []
