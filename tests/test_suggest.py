"""Names that may have been meant: the same as the plain way finds."""

from __future__ import annotations

import random
from difflib import get_close_matches

import pytest

from overhaul import suggest
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


def words(seed: int, count: int) -> list[str]:
    """Names like those of games, some of them alike."""
    chosen = random.Random(seed)
    parts = ["spr", "obj", "Player", "enemy", "x", "speed", "é", "hp", "max", "draw", "TEXT"]
    return ["_".join(chosen.choices(parts, k=chosen.randint(1, 3))) + str(n) for n in range(count)]


@pytest.mark.parametrize("letters", [63, 2])
@pytest.mark.parametrize("seed", range(4))
def test_many_names_get_what_each_alone_gets(
    seed: int, letters: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suggest, "_MOST_LETTERS", letters)
    known = [*words(seed, 120), "Foo", "foo", "FOO", "foo", "room_speed"]
    further = {"enemy_hp", "spr_Playr"}
    near = suggest.Near(known)
    asked = [*words(seed + 10, 60), *known[::7], "FoO", "Foo", "fooo", "romm_speed", "", "ß"]
    for name in asked:
        assert near.closest(name) == closest(name, known), name
        assert near.closest(name, further) == closest(name, [*known, *sorted(further)]), name
    assert near.closest("romm_speed") == "room_speed"
    assert near.closest("Foo") == "foo"
    assert "ROOM_SPEED" in near
    assert "room" not in near


def test_names_are_not_searched_in_very_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suggest, "_SEARCHED", 4)
    known = ["room_speed", "a", "b", "c"]
    assert suggest.Near(known).closest("romm_speed") == "room_speed"
    assert suggest.Near([*known, "d"]).closest("romm_speed") is None
    assert suggest.Near([*known, "d"]).closest("ROOM_SPEED") == "room_speed"
    assert suggest.Near([*known, "d"]).closest("d") is None
    assert suggest.Near(known).closest("romm_speed", {"d"}) is None


def test_names_that_share_letters_only_are_compared_one_by_one() -> None:
    near = suggest.Near([f"alpha_{number}" for number in range(500)])
    assert near._alike("gamma_7") == []
    assert "alpha_77" in near._alike("alpha_7")
    assert len(near._alike("alpha_7")) < 200
