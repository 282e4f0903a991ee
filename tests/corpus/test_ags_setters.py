"""Parts of rooms and GUIs, and options, set and set back in real games: the bytes are the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import overhaul
from overhaul.errors import OverhaulError
from real_files import NO_CORPUS, corpus_files, sample

ROOMS = corpus_files("ags/*/*.crm") + corpus_files("ags2/*.crm")
GAMES = [
    *corpus_files("ags/*/*.dta"),
    *corpus_files("ags/*/*.DTA"),
    *corpus_files("ags2/*.dta"),
    *(path for path in corpus_files("ags/*/*.ags") if path.stat().st_size < 8_000_000),
]
Set = tuple[str, Callable[[], Any], Callable[[Any], None]]


def attribute(kind: str, thing: Any, name: str) -> Set:
    """What gets and sets an attribute."""
    return f"{kind}.{name}", lambda: getattr(thing, name), lambda new: setattr(thing, name, new)


def ends(listed: Any) -> list[Any]:
    """The first and the last of some things, and the one in the middle."""
    every = list(listed)
    return [every[n] for n in sorted({0, len(every) // 2, len(every) - 1})] if every else []


def sets_of_room(room: Any) -> Iterator[Set]:
    """What can be set in a room."""
    for thing in ends(room.objects):
        for name in ("x", "y", "visible", "name", "script_name"):
            yield attribute("object", thing, name)
    for thing in ends(room.hotspots):
        for name in ("name", "script_name"):
            yield attribute("hotspot", thing, name)
    for kind, listed, key in (
        ("region", room.regions, "LightLevel"),
        ("walk-behind", room.walk_behinds, "Baseline"),
        ("walkable area", room.walkable_areas, "ScalingFar"),
    ):
        rows = {"region": "Regions", "walk-behind": "WalkBehinds"}.get(kind, "WalkableAreas")
        for thing in ends(listed)[-1:]:
            get = partial(plain_of, room, rows, thing.number, key)
            yield f"{kind}.{key}", get, partial(set_key, thing, key)


def plain_of(room: Any, rows: str, number: int, key: str) -> Any:
    """A key of a row of a room's plain file."""
    from overhaul.ags.folder.editing import plain_json

    listed: Any = plain_json(room.document, "room.json")[rows]
    return listed[number][key]


def sets_of_game(game: Any) -> Iterator[Set]:
    """What can be set in a game."""
    for gui in ends(game.guis):
        yield attribute("gui", gui, "box")
        for control in ends(gui.controls):
            for name in ("text", "box", "visible"):
                if name != "text" or control.kind in ("label", "button", "text box"):
                    yield attribute(control.kind, control, name)
    for name in ends(game.options):
        yield "option", partial(option_of, game, name), partial(game.options.__setitem__, name)


def option_of(game: Any, name: str) -> Any:
    """An option of a game."""
    return game.options[name]


def set_key(thing: Any, key: str, new: Any) -> None:
    """Set a key of a part by its name in the plain file."""
    thing.edit(**{key: new})


def other(value: Any) -> Any:
    """Another value."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1 if value < 90 else value - 1
    if isinstance(value, str):
        return value[:-1] if value else "other9"
    return (value[0] + 1, *value[1:])


def outcome(document: Any, got: Set) -> str:
    """What becomes of a value that is set, and set back."""
    _, get, put = got
    before, data = get(), document.to_bytes()
    try:
        put(other(before))
    except OverhaulError as error:
        assert document.to_bytes() == data
        return f"refused: {error}"
    assert get() == other(before), got
    put(before)
    assert document.to_bytes() == data, got
    return "identical"


@pytest.mark.parametrize(("files", "count"), [(ROOMS, 12), (GAMES, 4)], ids=["rooms", "games"])
def test_what_is_set_and_set_back_leaves_the_bytes(files: list[Path], count: int) -> None:
    if not files:
        pytest.skip(NO_CORPUS)
    counts: Counter[str] = Counter()
    for path in sample(files, count, seed=3):
        try:
            document: Any = overhaul.open(path)
            listed = sets_of_room(document.surface) if files is ROOMS else sets_of_game(document)
            every = list(listed)
        except OverhaulError:
            continue  # damaged by its makers, or without a game
        for got in every:
            counts[outcome(document, got).partition(":")[0]] += 1
    assert counts["identical"] > 3 * counts["refused"]
