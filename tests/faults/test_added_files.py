"""Damaged pictures and sounds that are added in the library: refused, or taken whole."""

from __future__ import annotations

import random
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from overhaul.errors import OverhaulError
from overhaul.gamemaker.data.game import GameData
from repeats import times
from small_games import game_of
from sound_files import mp3, ogg, wave


def still(form: str, mode: str = "RGB") -> bytes:
    pixels = np.random.default_rng(1).integers(0, 256, (6, 15, 4), np.uint8)
    out = BytesIO()
    Image.fromarray(pixels).convert(mode).save(out, form)
    return out.getvalue()


def moving(form: str) -> bytes:
    frames = [Image.fromarray(np.full((6, 5, 4), (40 * n, 9, 200, 255), np.uint8)) for n in (1, 2)]
    out = BytesIO()
    frames[0].save(out, form, save_all=True, append_images=frames[1:])
    return out.getvalue()


def damaged(whole: bytes, chance: random.Random) -> bytes:
    data = bytearray(whole)
    at = chance.randrange(min(len(data), chance.choice([60, len(data)])))
    match chance.randrange(3):
        case 0:
            data[at] ^= 1 << chance.randrange(8)
        case 1:
            del data[max(1, at) :]
        case _:
            data[at:at] = chance.randbytes(9)
    return bytes(data)


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("a.png", lambda: still("PNG", "RGBA")),
        ("a_strip3.png", lambda: still("PNG", "RGBA")),
        ("a.gif", lambda: moving("GIF")),
        ("a.apng", lambda: moving("PNG")),
        ("a.jpg", lambda: still("JPEG")),
        ("a.bmp", lambda: still("BMP")),
        ("a.webp", lambda: still("WEBP")),
        ("s.wav", lambda: wave(90)),
        ("s.ogg", ogg),
        ("s.mp3", mp3),
    ],
)
def test_damaged_files_are_refused_or_taken_whole(
    name: str, make: Callable[[], bytes], tmp_path: Path
) -> None:
    """One error of ours, and the game is as it was."""
    game: GameData = game_of("2023.8")
    before = game.to_bytes()
    chance = random.Random(name)
    path, whole, refused = tmp_path / name, make(), 0
    tries = times(300, 4)

    def add() -> None:
        if name.startswith("s"):
            game.sounds.add("snd_x", path.read_bytes())
        else:
            game.sprites.add("spr_x", path)

    for _ in range(tries):
        path.write_bytes(damaged(whole, chance))
        try:
            with game.edit():
                add()
                raise _Back
        except _Back:
            pass
        except (OverhaulError, ValueError) as error:
            refused += 1
            assert 0 < len(str(error)) < 400
    assert refused > tries / 3
    assert game.to_bytes() == before
    path.write_bytes(whole[: len(whole) // 4])
    with pytest.raises((OverhaulError, ValueError)):
        add()
    assert game.to_bytes() == before


class _Back(Exception):
    """Takes back what was added."""
