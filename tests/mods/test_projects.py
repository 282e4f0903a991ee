"""Mods of projects of Game Maker 5 to 8.1, which note when each resource was changed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from handmade_project import project_file
from modded_games import Edit, changed, plain
from overhaul import mods

GAME = project_file(810)
DATES = "dates.json"
ROOM = "rooms/rm_first/room.json"


def saved(path: str, edit: Edit, when: float) -> bytes:
    """The project with an edit, and the time that Game Maker notes when it saves."""

    def dated(text: str) -> str:
        dates: dict[str, Any] = json.loads(text)
        return json.dumps({**dates, "last_changed": dates["last_changed"] + when})

    return changed(GAME, {path: edit, DATES: dated})


def field(name: str) -> Edit:
    return lambda text: json.dumps({**json.loads(text), name: json.loads(text)[name] + 7})


@pytest.mark.parametrize("later", [0, 1])
def test_the_later_date_counts(later: int) -> None:
    with_room = saved(ROOM, field("speed"), 1.5 if later else 3.5)
    with_id = saved("project.json", field("last_instance_id"), 2.5)
    made = [mods.make(GAME, new, name=name) for new, name in ((with_room, "r"), (with_id, "i"))]
    result = mods.apply(GAME, made)
    assert result.conflicts == []
    assert mods.apply(GAME, made[::-1]).data == result.data
    dates = [json.loads(plain(game, DATES))["last_changed"] for game in (with_room, with_id)]
    assert json.loads(plain(result.data, DATES))["last_changed"] == max(dates)
    before, after = (json.loads(plain(game, ROOM))["speed"] for game in (GAME, result.data))
    assert after == before + 7


def test_the_last_ids_are_the_largest() -> None:
    games = [
        changed(GAME, {"project.json": lambda text, n=n: json.dumps(
            {**json.loads(text), "last_instance_id": json.loads(text)["last_instance_id"] + n}
        )})  # type: ignore[misc]
        for n in (3, 8)
    ]  # fmt: skip
    made = [mods.make(GAME, new, name=str(number)) for number, new in enumerate(games)]
    result = mods.apply(GAME, made)
    assert result.conflicts == []
    assert plain(result.data, "project.json") == plain(games[1], "project.json")
