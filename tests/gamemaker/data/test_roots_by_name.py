"""The code that has a name."""

from __future__ import annotations

from overhaul.gamemaker.data.code.index import CodeIndex
from overhaul.gamemaker.data.code.roots_by_name import RootsByName
from small_games import again, game_of


def test_a_name_that_several_roots_declare() -> None:
    game = game_of("2023.8")
    game.add_script("scr_one", "function leap() { return 1; }")
    game.add_script("scr_two", "function rest() { return 2; }")
    game.add_script("scr_three", "function leap_far() { return 3; }")
    game = again(game)
    index = CodeIndex(game)
    numbers = {str(root.name): number for number, root in enumerate(index.roots)}
    one, two, three = (numbers[f"gml_GlobalScript_scr_{name}"] for name in ("one", "two", "three"))
    names = RootsByName(game, game.language.context, index)
    assert names.naming("leap") == {one}
    leap = next(text for text in game.strings if text == "gml_Script_leap")
    for entry in game.records.code.present():
        if entry.name in ("gml_Script_leap_far", "gml_Script_rest"):
            entry.name = leap
    names = RootsByName(game, game.language.context, CodeIndex(game))
    assert names.naming("leap") == {one, two, three}
