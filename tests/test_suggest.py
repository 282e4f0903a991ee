"""Names that may have been meant: the same as the plain way finds."""

from __future__ import annotations

import random
from difflib import get_close_matches

import pytest

from overhaul.suggest import closest

NAMES = ["draw_sprite", "draw_sprite_ext", "draw_set_color", "obj_wall", "x", "hp", "hp_max", "Hp"]


def plainly(name: str, known: list[str]) -> str | None:
    lower = {other.lower(): other for other in known if other != name}
    if name.lower() in lower:
        return lower[name.lower()]
    close = get_close_matches(name.lower(), lower, 1, 0.8)
    return lower[close[0]] if close else None


@pytest.mark.parametrize("seed", range(40))
def test_closest_is_what_difflib_finds(seed: int) -> None:
    chance = random.Random(seed)
    known = NAMES + ["".join(chance.choices("abc_", k=chance.randint(0, 9))) for _ in range(60)]
    for _ in range(10):
        name = chance.choice(known)
        cut = chance.randint(0, len(name))
        name = name[:cut] + chance.choice("abcd_") + name[cut + chance.randint(0, 1) :]
        assert closest(name, known) == plainly(name, known)


def test_closest_of_nothing() -> None:
    assert closest("x", []) is None
    assert closest("", ["", "a"]) is None
    assert closest("drawsprite", NAMES) == "draw_sprite"
