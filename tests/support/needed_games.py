"""Games with a few scripts that have to do with each other, and many that do not."""

from __future__ import annotations

import numpy as np

from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.game import GameData
from small_games import game_of

OLD, NEW = "1.4.1763", "2022.3"
#: entries that have nothing to do with others
MANY = 30


def game_with(version: str, scripts: dict[str, str], sprites: int = 8) -> GameData:
    """A game with scripts, sprites and many other scripts."""
    game = game_of(version)
    for number in range(sprites):
        game.sprites.add(f"spr_{number}", [np.zeros((1, 1, 4), np.uint8)])
    others = {f"other_{n}": f"v_{n} = {n}; w_{n} = v_{n} + {n};" for n in range(MANY)}
    for name, source in (scripts | others).items():
        if game.release.major >= 2:
            game.add_script(name, f"function {name}() {{ {source} }}")
        else:
            game.add_script(name, source)
    data = game.to_bytes()
    return GameData.from_bytes(data)


def root_of(game: GameData, name: str) -> CodeEntry:
    head = "gml_GlobalScript_" if game.release.major >= 2 else "gml_Script_"
    entry = game.records.code[head + name]
    assert entry is not None
    return entry
