"""Lists of some resources decode no others."""

from __future__ import annotations

from overhaul import folder
from overhaul.gamemaker.data.game import GameData
from small_games import game_of


def decoded(*patterns: str) -> tuple[list[str], set[str]]:
    """The paths that match, and which chunks of resources and code were decoded for them."""
    made = game_of("2022.3")
    made.add_script("scr_one", "function scr_one() { return 1; }")
    game = GameData.from_bytes(made.to_bytes())
    found = [resource.path for resource in folder.find_resources(game, patterns)]
    chunks = {name for name, chunk in game.chunks.items() if chunk.decoded}
    return found, chunks & {"OBJT", "ROOM", "CODE", "SPRT", "TMLN", "SCPT"}


def test_a_pattern_with_a_folder_decodes_what_is_in_it() -> None:
    assert decoded("objects/*") == (["objects/obj_a", "objects/obj_a_b"], {"OBJT"})
    assert decoded("timelines/tm_*", "objects/obj_a_*") == (
        ["objects/obj_a_b", "timelines/tm_day.json"],
        {"OBJT", "TMLN"},
    )
    assert decoded("code/*")[0] == ["code/gml_GlobalScript_scr_one.gml"]


def test_other_patterns_may_match_anything() -> None:
    everything = {"OBJT", "ROOM", "CODE", "SPRT", "TMLN", "SCPT"}
    assert decoded("obj_a")[1] == everything
    assert decoded("o*/obj_a")[1] >= {"OBJT"}
    assert decoded("o*/obj_a")[0] == ["objects/obj_a"]
    assert decoded("rooms")[0] == ["rooms/rm_first.json"]
