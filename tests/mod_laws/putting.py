"""Generated mods put together, against each other, and on the builds that follow."""

from __future__ import annotations

import hashlib
import itertools
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from mod_laws.generated import Made, mods_of
from overhaul import mods
from overhaul.findings import Findings
from overhaul.folder.packing import Built
from overhaul.media import textures
from overhaul.mods.applying import apply_to
from overhaul.mods.building import view_of
from overhaul.mods.comparing import compare
from overhaul.mods.modfile import Mod
from overhaul.mods.view import FileView, opened

#: So many pairs are also put on in the other order, and one after the other.
_TURNED = 3
#: Files that list resources in the order in which they came.
_ORDERED = ("order.json", "ids.json", "tree.json")
#: How the names of mods begin that add resources or instances.
_ADDING = ("new ", "copy of ", "instance in ")


@contextmanager
def pages_kept() -> Iterator[None]:
    """Each texture page is decoded once, however often the game is opened."""
    kept: dict[bytes, NDArray[np.uint8]] = {}
    decode = textures.decode

    def decoded(data: bytes | memoryview, **limits: int) -> NDArray[np.uint8]:
        digest = hashlib.sha256(data).digest()
        if digest not in kept:
            kept[digest] = decode(data, **limits)
        return kept[digest].copy()

    with mock.patch.object(textures, "decode", decoded):
        yield


def together(game: Path, seed: int = 0, most: int = 20) -> tuple[Counter[str], list[str]]:
    """Pairs of mods that touch different things commute, and both show; pairs that touch the same
    conflict, also with a third next to them.  Returns counts and what is wrong."""
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    chance = random.Random(seed)
    with pages_kept(), opened(game) as view:
        made = mods_of(view, seed)
        shown = {one.name: _shown(view, _alone(view, one)) for one in made}
        pairs = [pair for pair in itertools.combinations(made, 2) if not _is_of_one_thing(*pair)]
        for number, (one, two) in enumerate(chance.sample(pairs, min(most, len(pairs)))):
            found = _put(view, one, two, shown, in_turn=number < _TURNED)
            counts["commute" if not found else "do not commute"] += 1
            wrong += found
        rivals: list[tuple[Made, tuple[Made, ...]]] = [(one, ()) for one in made]
        rivals += [(one, (two,)) for one, two in pairs if len(made) < most]
        for one, others in rivals[: max(most, len(made))]:
            if one.rival is None:
                continue
            result = apply_to(view, [one.rival, one.mod, *(other.mod for other in others)])
            reported = {name for conflict in result.conflicts for name in conflict.mods}
            good = not result.data and reported == {one.mod.name, one.rival.name}
            counts["conflict" if good else "do not conflict"] += 1
            if not good:
                wrong.append(f"{one.name} and its rival: {[*map(str, result.conflicts)]}")
    return counts, wrong


def _alone(view: FileView, one: Made) -> FileView:
    return _opened(view, apply_to(view, [one.mod]))


def _opened(view: FileView, result: mods.Applied) -> FileView:
    made = Built(result.data, result.companions, {}, Findings())
    return view_of(made, view.document.source)


def _is_of_one_thing(one: Made, two: Made) -> bool:
    """Whether one mod gives what the other changes another name."""
    places = [each.name.removeprefix("name of ") for each in (one, two)]
    return places[0] + "/" in places[1] or places[1] + "/" in places[0]


def _put(
    view: FileView, one: Made, two: Made, shown: dict[str, set[str]], *, in_turn: bool
) -> list[str]:
    names = f"{one.name} + {two.name}"
    result = apply_to(view, [one.mod, two.mod])
    if result.conflicts:
        return [f"{names}: {result.conflicts[0]}"]
    wrong = []
    made = _opened(view, result)
    if made.document.to_bytes() != result.data:
        wrong.append(f"{names}: the result is not rebuilt identically")
    wrong += [f"{names}: {each.name} does not show" for each in (one, two) if not each.shows(made)]
    if in_turn:
        if apply_to(view, [two.mod, one.mod]).data != result.data:
            wrong.append(f"{names}: the order makes a difference")
        wrong += _put_in_turn(view, one, two, made)
    found = _shown(view, made)
    if found != shown[one.name] | shown[two.name]:
        odd = sorted(found ^ (shown[one.name] | shown[two.name]))
        wrong.append(f"{names}: differ beyond the edits: {odd[:4]}")
    return wrong


def _put_in_turn(view: FileView, one: Made, two: Made, made: FileView) -> list[str]:
    """One after the other, in both orders, gives what both together give."""
    wrong = []
    for first, second in ((one, two), (two, one)):
        names = f"{first.name}, then {second.name}"
        result = apply_to(_alone(view, first), [second.mod])
        if result.conflicts:
            wrong.append(f"{names}: {result.conflicts[0]}")
            continue
        turned = _opened(view, result)
        left = _shown(made, turned)
        if one.name.startswith(_ADDING) and two.name.startswith(_ADDING):
            # what both add has other numbers, also in code
            mine = {path for each in (one, two) for path in (*each.mod.patches, *each.mod.added)}
            left -= {f"changed {path}" for path in (*_ORDERED, *mine)}
            wrong += [f"{names}: {e.name} does not show" for e in (one, two) if not e.shows(turned)]
        if left:
            wrong.append(f"{names}: differs from both at once: {sorted(left)[:4]}")
    return wrong


def _shown(one: FileView, two: FileView) -> set[str]:
    return {f"{change.kind} {change.path}" for change in compare(one, two).changes}


def carried(builds: Sequence[Path], seed: int = 0) -> tuple[Counter[str], list[str]]:
    """Mods of the first build, carried to each that follows: kept, reported, or lost."""
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    old = builds[0].read_bytes()
    with opened(old) as view:
        made = mods_of(view, seed)
    for one in made:
        mod: Mod = one.mod
        before = old
        for path in builds[1:]:
            new = path.read_bytes()
            mod = mods.rebase(mod, before, new)
            result = mods.apply(new, [mod])
            with opened(result.data or new) as view:
                shows = one.shows(view)
            kept = "kept" if shows and not result.conflicts else "lost"
            word = "reported" if mod.left_out else kept
            counts[word] += 1
            if word == "lost":
                wrong.append(f"{one.name} on {path.name}: {[*map(str, result.conflicts)]}")
            if word != "kept":
                break
            before = new
    return counts, wrong
