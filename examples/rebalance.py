"""A rebalancing mod for the small game: a few numbers of its code, and a key that refills the lamp.

python3 examples/rebalance.py lantern.win easier.win
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import overhaul
from overhaul.gamemaker.data import GameData

#: object, event, what it says, what it is to say
CHANGES = [
    ("obj_keeper", "Create_0", "walk_speed = 1.5", "walk_speed = 2.5"),
    ("obj_keeper", "Step_0", "light - 0.0005", "light - 0.0002"),
    ("obj_keeper", "Collision_obj_firefly", "light + 0.35", "light + 0.5"),
]


def rebalance(game: GameData) -> Iterator[str]:
    """Make the changes; yield a line for each.

    Text that is not there raises EncodeError, so a mod for another release does nothing by
    halves: what was not saved is not changed.
    """
    for name, event, old, new in CHANGES:
        times = game.objects[name].events[event].replace(old, new)
        yield f"{name} {event}: {old!r} -> {new!r}" + (f", {times} times" if times > 1 else "")
    game.code["gml_Script_scr_flicker"].replace("0.05", "0.02")
    yield "the light flickers less"
    keeper = game.objects["obj_keeper"]
    keeper.events["KeyPress_76"] = "light = 2;"
    yield "L lights the lamp"
    keeper.events["Draw_0"].append('draw_text(8, 20, "L: light");')
    yield "and the screen says so"


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Make the small game easier.")
    parser.add_argument("game", help="the game's data.win")
    parser.add_argument("new", help="where to write the changed game")
    chosen = parser.parse_args(arguments)
    with overhaul.open_game(chosen.game) as game:
        for line in rebalance(game):
            print(line)
        game.save(chosen.new)


if __name__ == "__main__":
    main()
