"""Put the instances of some objects in each other's places, room by room, and write what is where.

python3 examples/randomiser.py lantern.win random.win --seed 7 obj_firefly obj_door
"""

from __future__ import annotations

import argparse
import random

import overhaul
from overhaul.gamemaker.data import GameData


def randomise(game: GameData, objects: list[str], seed: int) -> list[str]:
    """Shuffle the places of the objects' instances in each room; return a line for each.

    The same seed gives the same game.  KeyError for an object that the game does not have.
    """
    chosen = [game.objects[name] for name in objects]
    dice = random.Random(seed)
    lines = []
    for room in game.rooms:
        found = [instance for instance in room.instances if instance.object in chosen]
        places = [(instance.x, instance.y) for instance in found]
        dice.shuffle(places)
        for instance, (x, y) in zip(found, places, strict=True):
            instance.x, instance.y = x, y
            lines.append(f"{room.name}: {instance.object and instance.object.name} at {x}, {y}")
    return lines


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Shuffle the places of a game's instances.")
    parser.add_argument("game", help="the game's data.win")
    parser.add_argument("new", help="where to write the changed game")
    parser.add_argument("objects", nargs="+", help="whose instances change places")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_intermixed_args(arguments)
    with overhaul.open_game(chosen.game) as game:
        lines = randomise(game, chosen.objects, chosen.seed)
        game.save(chosen.new)
    print("\n".join(lines))


if __name__ == "__main__":
    main()
