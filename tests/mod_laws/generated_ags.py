"""Mods of Adventure Game Studio's files that touch one thing each, made up by a seed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator

import numpy as np

from mod_laws.plans import SEEN, Plan
from modded_games import Edit
from overhaul.errors import OverhaulError
from overhaul.mods.patches import read_picture
from overhaul.mods.view import FileView


def plans(view: FileView, chance: random.Random) -> Iterator[Plan]:
    """Two fields, two texts of scripts, a translation, two pictures."""
    for make, end, count in (
        (_field, ".json", 2),
        (_text, ".asm", 2),
        (_entry, ".trs", 2),
        (_pixel, ".png", 2),
    ):
        paths = sorted(path for path in view.files if path.endswith(end))
        for path in chance.sample(paths, min(count, len(paths))):
            plan = make(view, path, chance)
            if plan is not None:
                yield plan


def _field(view: FileView, path: str, chance: random.Random) -> Plan | None:
    """A number that is in no list, as elements of lists may be others in another build."""
    value = json.loads(view.read(path))
    counts = view.counter(path)
    places = [
        place
        for place in _numbers(value)
        if not counts(place[-1]) and not any(view.fixed(path, key) for key in place)
    ]
    if not places:
        return None
    place = chance.choice(places)
    before = _at(value, place)

    def plus(number: int) -> Callable[[str], str]:
        def edit(text: str) -> str:
            shown = json.loads(text)
            holder = shown
            for key in place[:-1]:
                holder = holder[key]
            holder[place[-1]] = before + number
            return json.dumps(shown)

        return edit

    def shows(other: FileView) -> bool:
        return path in other and _at(json.loads(other.read(path)), place) == before + 1

    return Plan(f"{'.'.join(place)} of {path}", {path: plus(1)}, {path: plus(2)}, shows)


def _numbers(value: object, at: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _numbers(item, (*at, key))
    elif type(value) is int and 0 <= value < 100 and not {"version", "sprite_count", ""} & {*at}:
        yield at


def _at(value: object, place: tuple[str, ...]) -> int:
    for key in place:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, int) else -1


def _text(view: FileView, path: str, chance: random.Random) -> Plan | None:
    lines = view.read(path).decode("utf-8", "surrogateescape").split("\n")
    texts = [
        line for line in lines if line.startswith("    s") and ' "' in line and " " in line[40:]
    ]
    if not texts:
        return None
    line = chance.choice(texts)
    new = f'"{SEEN} {chance.randrange(10**6)}"'

    def said(text: str) -> Callable[[str], str]:
        return lambda shown: shown.replace(line, f"{line.partition(': ')[0]}: {text}", 1)

    def shows(other: FileView) -> bool:
        return path in other and new in other.read(path).decode("utf-8", "replace")

    return Plan(f"text of {path}", {path: said(new)}, {path: said('"else"')}, shows)


def _entry(view: FileView, path: str, chance: random.Random) -> Plan | None:
    lines = view.read(path).decode("utf-8", "surrogateescape").split("\n")
    if len(lines) < 3:
        return None
    at = 2 * chance.randrange(len(lines) // 2)
    source = lines[at]

    def becomes(word: str) -> bytes:
        changed = [*lines[: at + 1], word, *lines[at + 2 :]]
        return "\n".join(changed).encode("utf-8", "surrogateescape")

    def shows(other: FileView) -> bool:
        if path not in other:
            return False
        found = other.read(path).decode("utf-8", "surrogateescape").split("\n")
        return (source, SEEN) in zip(found[::2], found[1::2], strict=False)

    edits: list[Edit] = [becomes(SEEN), becomes("else")]
    return Plan(f"entry of {path}", {path: edits[0]}, {path: edits[1]}, shows)


def _pixel(view: FileView, path: str, chance: random.Random) -> Plan | None:
    try:
        shown = read_picture(view.read(path))
    except OverhaulError:
        return None
    y, x = (chance.randrange(size) for size in shown.pixels.shape[:2])
    before = shown.pixels[y, x]
    indexed = bool(shown.palette)
    colours = [before ^ 1, before ^ 2] if indexed else [(248, 0, 248, 255), (0, 248, 0, 255)]
    pictures = []
    for colour in colours:
        painted = shown.pixels.copy()
        painted[y, x] = colour
        pictures.append(shown._replace(pixels=painted).encode())

    def shows(other: FileView) -> bool:
        if path not in other:
            return False
        found = read_picture(other.read(path)).pixels
        return found.shape == shown.pixels.shape and bool(np.all(found[y, x, :3] == colours[0][:3]))

    return Plan(f"pixel of {path}", {path: pictures[0]}, {path: pictures[1]}, shows)
