"""Generated mods put together, against each other, and on the builds that follow."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import overhaul
from mod_laws.generated import Made, mods_of
from overhaul import mods
from overhaul.mods.modfile import Mod
from overhaul.mods.view import opened


def together(game: bytes, seed: int = 0, most: int = 20) -> tuple[Counter[str], list[str]]:
    """Pairs of mods that touch different things commute, and both show; pairs that touch the same
    conflict.  Returns counts and what is wrong."""
    made = mods_of(game, seed)
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    shown = {one.name: _shown(mods.diff(game, mods.apply(game, [one.mod]).data)) for one in made}
    pairs = [pair for pair in itertools.combinations(made, 2) if not _is_of_one_thing(*pair)]
    for one, two in random.Random(seed).sample(pairs, min(most, len(pairs))):
        found = _put(game, one, two, shown)
        counts["commute" if not found else "do not commute"] += 1
        wrong += found
    for one in made:
        result = mods.apply(game, [one.mod, one.rival])
        told = {name for conflict in result.conflicts for name in conflict.mods}
        good = not result.data and told == {one.mod.name, one.rival.name}
        counts["conflict" if good else "do not conflict"] += 1
        if not good:
            wrong.append(f"{one.name} and its rival: {[*map(str, result.conflicts)]}")
    return counts, wrong


def _is_of_one_thing(one: Made, two: Made) -> bool:
    """Whether one mod gives what the other changes another name."""
    places = [each.name.removeprefix("name of ") for each in (one, two)]
    return places[0] + "/" in places[1] or places[1] + "/" in places[0]


def _put(game: bytes, one: Made, two: Made, shown: dict[str, set[str]]) -> list[str]:
    names = f"{one.name} + {two.name}"
    result = mods.apply(game, [one.mod, two.mod])
    if result.conflicts:
        return [f"{names}: {result.conflicts[0]}"]
    wrong = []
    if mods.apply(game, [two.mod, one.mod]).data != result.data:
        wrong.append(f"{names}: the order makes a difference")
    if not overhaul.verify(result.data).identical:
        wrong.append(f"{names}: the result is not rebuilt identically")
    with opened(result.data) as view:
        hidden = [each.name for each in (one, two) if not each.shows(view)]
    wrong += [f"{names}: {name} does not show" for name in hidden]
    found = _shown(mods.diff(game, result.data))
    if found != shown[one.name] | shown[two.name]:
        odd = sorted(found ^ (shown[one.name] | shown[two.name]))
        wrong.append(f"{names}: differ beyond the edits: {odd[:4]}")
    return wrong


def _shown(found: mods.Diff) -> set[str]:
    return {f"{change.kind} {change.path}" for change in found.changes}


def carried(builds: Sequence[Path], seed: int = 0) -> tuple[Counter[str], list[str]]:
    """Mods of the first build, carried to each that follows: kept, told, or lost."""
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    old = builds[0].read_bytes()
    for one in mods_of(old, seed):
        mod: Mod = one.mod
        before = old
        for path in builds[1:]:
            new = path.read_bytes()
            mod = mods.rebase(mod, before, new)
            result = mods.apply(new, [mod])
            with opened(result.data or new) as view:
                shows = one.shows(view)
            word = "told" if mod.told else "kept" if shows and not result.conflicts else "lost"
            counts[word] += 1
            if word == "lost":
                wrong.append(f"{one.name} on {path.name}: {[*map(str, result.conflicts)]}")
            if word != "kept":
                break
            before = new
    return counts, wrong
