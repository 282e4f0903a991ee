"""How fast pictures go into games: sprites added, imported and painted, pages packed anew."""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from runner import Bench, Result, median

from overhaul.gamemaker.data.game import GameData
from overhaul.media import png
from small_games import game_of

VERSIONS = ("2.3.2", "2024.14")


def pictures(count: int, most: int = 96) -> list[NDArray[np.uint8]]:
    """Pictures as games have them: flat areas and shades in a shape, transparent around it."""
    source = random.Random(1)
    made = []
    for number in range(count):
        width, height = source.randint(8, most), source.randint(8, most)
        rng = np.random.default_rng(number)
        colours = rng.integers(0, 256, (6, 4), np.uint8)
        colours[:, 3] = 255
        cells = colours[rng.integers(0, 6, (height // 4 + 1, width // 4 + 1))]
        frame = cells.repeat(4, 0).repeat(4, 1)[:height, :width].copy()
        y, x = np.ogrid[:height, :width]
        outside = (x / width - 0.5) ** 2 + (y / height - 0.5) ** 2 > 0.24
        frame[outside] = 0
        made.append(frame)
    return made


def added(version: str, frames: list[NDArray[np.uint8]]) -> bytes:
    """A game of this many sprites, as saved."""
    game = game_of(version)
    for number, frame in enumerate(frames):
        game.sprites.add(f"spr_{number}", [frame], origin=(4, 4))
    return game.to_bytes()


def painted(data: bytes) -> None:
    """Each frame of a game in other colours."""
    game = GameData.from_bytes(data)
    images = game.painting.images
    for sprite in game.sprites:
        pixels = images.frame(sprite.frames[0].item)
        assert pixels is not None
        pixels[..., :3] ^= (pixels[..., 3:] > 0) * np.uint8(255)
        sprite.frames[0].image = pixels
    game.to_bytes()


def import_memory(folder: Path, game: Path) -> float:
    """The peak memory of importing a folder, in MB."""
    program = (
        "import resource, sys\nfrom overhaul.cli import main\n"
        "assert main(['sprites', 'add', sys.argv[1], sys.argv[2], '-o', sys.argv[3], '-q']) == 0\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, file=sys.stderr)\n"
    )
    words = [sys.executable, "-c", program, str(game), str(folder), str(game) + ".new"]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    return float(done.stderr.split()[-1])


def main() -> None:
    bench = Bench("Sprites and texture pages")
    frames = pictures(1000)
    for version in VERSIONS:
        seconds = median(lambda version=version: added(version, frames), 3)  # type: ignore[misc]
        bench.add(Result(f"1,000 sprites added and saved, {version}", seconds, "s", 4, True))
    data = added("2.3.2", frames)
    bench.add(Result("1,000 frames painted and saved", median(lambda: painted(data), 1), "s"))
    many = pictures(2000)
    for version in VERSIONS:
        data = added(version, many)

        def repacked(data: bytes = data) -> None:
            GameData.from_bytes(data).repack(padding=2)

        seconds = median(repacked, 1)
        bench.add(Result(f"2,000 frames packed anew, {version}", seconds, "s", 3, True))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "pictures"
        folder.mkdir()
        for number, frame in enumerate(pictures(2000, 200)):
            (folder / f"spr_{number}.png").write_bytes(png.encode(frame))
        game = Path(name) / "data.win"
        game_of("2024.14").save(game)
        memory = import_memory(folder, game)
    bench.add(Result("peak memory of importing 2,000 PNG files", memory, "MB", 300, True))
    bench.finish()


if __name__ == "__main__":
    main()
