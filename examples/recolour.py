"""Turn the colours of sprites: the picture of each frame, by as many degrees of hue.

python3 examples/recolour.py lantern.win blue.win --hue 120 'spr_f*' spr_glow
"""

from __future__ import annotations

import argparse
from fnmatch import fnmatchcase

import numpy as np
from PIL import Image

import overhaul
from overhaul.gamemaker.data import GameData


def turned(picture: Image.Image, degrees: float) -> Image.Image:
    """The picture with other hues; how light and how opaque it is stays."""
    hue, saturation, value = picture.convert("RGB").convert("HSV").split()
    moved = (np.asarray(hue).astype(np.int32) + round(degrees / 360 * 256)) % 256
    bands = (Image.fromarray(moved.astype(np.uint8)), saturation, value)
    made = Image.merge("HSV", bands).convert("RGBA")
    made.putalpha(picture.getchannel("A"))
    return made


def recolour(game: GameData, patterns: list[str], degrees: float) -> list[str]:
    """Turn the colours of all sprites whose names match; return their names."""
    done = []
    for sprite in game.sprites:
        if not any(fnmatchcase(sprite.name, pattern) for pattern in patterns):
            continue
        for frame in sprite.frames:
            picture = frame.image
            if picture is not None:
                frame.image = turned(picture, degrees)
        done.append(sprite.name)
    return done


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Turn the colours of a game's sprites.")
    parser.add_argument("game", help="the game's data.win")
    parser.add_argument("new", help="where to write the changed game")
    parser.add_argument("sprites", nargs="*", default=["*"], help="patterns of names (all)")
    parser.add_argument("--hue", type=float, default=180, help="degrees, 180 unless told")
    chosen = parser.parse_intermixed_args(arguments)
    with overhaul.open_game(chosen.game) as game:
        names = recolour(game, chosen.sprites, chosen.hue)
        game.save(chosen.new)
    print(f"{len(names)} sprites: {', '.join(names)}")


if __name__ == "__main__":
    main()
