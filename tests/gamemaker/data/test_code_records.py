"""What assigning code does to the records of variables, and to what the decompiler learned."""

from __future__ import annotations

import numpy as np
import pytest

from edited_games import packed
from overhaul.gamemaker.data.game import GameData
from small_games import again

OWN_IDS = ["1.0.0.1763", "2.2.5"]
ALARM = "gml_Object_obj_player_Alarm_{}"


def opened(version: str) -> GameData:
    game = GameData.from_bytes(packed(version))
    game.load_all()
    return game


@pytest.mark.parametrize("version", [*OWN_IDS, "2.3.2"])
def test_compiling_for_a_look_leaves_no_trace(version: str) -> None:
    looked, other = opened(version), opened(version)
    name = "gml_Object_obj_player_Create_0"
    source = "one_new = 1; two_new = 2; global.three = abs(4);"
    assert looked.compile(name, source).to_bytes() == looked.compile(name, source).to_bytes()
    assert looked.to_bytes() == packed(version)
    for game in (looked, other):
        game.code[name].gml = "fresh = 1;"
    highest = max(variable.id for variable in other.variables.present())
    assert looked.to_bytes() == other.to_bytes()
    assert max(variable.id for variable in looked.variables.present()) == highest


@pytest.mark.parametrize("shared", [False, True])
def test_a_local_that_other_code_shares_keeps_its_number(shared: bool) -> None:
    game = opened("1.0.0.1763")
    for number in range(2):
        game.add_event("obj_player", f"Alarm_{number}", "var one, two; one = 1; two = 2;")
    first, second = (game.records.code[ALARM.format(number)] for number in range(2))
    if shared:
        second.bytecode.record = first.bytecode.record.copy()
    game.language.forget()
    (place,) = (
        number for number in first.bytecode.record.tolist()
        if number >= 0 and game.variables[number].name == "two"
    )  # fmt: skip
    assert game.variables[place].id == 2
    first.gml = "var two; two = 3;"
    assert place in first.bytecode.record
    assert game.variables[place].id == (2 if shared else 1)
    assert np.isin(place, second.bytecode.record) == shared
    assert again(game).code[ALARM.format(1)].gml.count("two = 2") == 1


def test_what_was_learned_stays_when_functions_are_added() -> None:
    game = opened("2.3.2")
    step, create = "gml_Object_obj_player_Step_0", "gml_Object_obj_player_Create_0"
    game.code[create].gml = "skin = spr_wall;"
    game.code[step].gml = "sprite_index = skin;"
    assert game.code[create].gml == "skin = spr_wall;"
    game.code[step].gml = "jump = function() { y -= 1; };"
    assert game.code[step].children
    assert game.code[create].gml == "skin = spr_wall;"
    assert again(game).code[create].gml == "skin = 1;"  # nothing shows it there


def test_who_has_not_learned_learns_when_asked() -> None:
    game = opened("2.3.2")
    create = "gml_Object_obj_player_Create_0"
    game.code[create].gml = "skin = spr_wall;"
    assert game.language.decompiled.decompiler  # is made, and has read nothing yet
    game.code["gml_Object_obj_player_Step_0"].gml = "jump = function() { sprite_index = skin; };"
    assert game.code[create].gml == "skin = spr_wall;"
