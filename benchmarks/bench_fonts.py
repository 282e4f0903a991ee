"""How fast fonts are drawn: 400 glyphs with a typeface, as a font and as distance fields."""

from __future__ import annotations

import sys
from pathlib import Path

from runner import Bench, Result, median

from overhaul.gamemaker.data.game import GameData
from small_games import game_of

TYPEFACE = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
#: Latin, Greek and Cyrillic: 400 characters
CHARACTERS = [range(32, 127), range(160, 384), range(0x391, 0x3A2), range(0x410, 0x450)]
VERSIONS = ("1.4.9999", "2024.14")


def drawn(version: str, points: float, *, sdf: bool = False) -> bytes:
    """A game with a font, as saved."""
    game = game_of(version)
    game.fonts.add("fnt", ttf=TYPEFACE, size=points, chars=CHARACTERS, sdf=sdf)
    return game.to_bytes()


def extended(data: bytes) -> None:
    """100 letters more."""
    game = GameData.from_bytes(data)
    assert len(game.fonts[0].add_glyphs(TYPEFACE, [range(0x1E00, 0x1E64)])) == 100
    game.to_bytes()


def main() -> None:
    if not TYPEFACE.exists():
        sys.exit(f"needs {TYPEFACE} (Debian: fonts-dejavu)")
    assert len(GameData.from_bytes(drawn("1.4.9999", 12)).fonts[0].glyphs) == 400
    bench = Bench("Fonts")
    for version in VERSIONS:
        for points in (12, 36):
            seconds = median(lambda v=version, p=points: drawn(v, p), 3)  # type: ignore[misc]
            name = f"a font of 400 glyphs of {points} points drawn and saved, {version}"
            bench.add(Result(name, seconds, "s", 1, True))
    seconds = median(lambda: drawn("2024.14", 12, sdf=True), 1)
    bench.add(Result("400 distance fields of 12 points", seconds, "s"))
    data = drawn("2024.14", 12)
    bench.add(Result("100 glyphs added to 400", median(lambda: extended(data), 3), "s"))
    bench.finish()


if __name__ == "__main__":
    main()
