"""Values of three editions merged: objects by their fields, lists by what identifies elements."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Sequence, Set
from typing import Final, TypeAlias

import numpy as np

from overhaul.gamemaker.ide.styles import is_number
from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.ide_merge.conflicts import NOTHING, Conflict, Maybe, Which
from overhaul.gamemaker.ide_merge.identities import Identity, identity_of, shown
from overhaul.gamemaker.ide_merge.shapes import Three, merged_tiles
from overhaul.sequences import opcodes, three_way

#: Where a new key stands among those of an object: the keys, the key, and the class of the object.
Place: TypeAlias = "Callable[[Sequence[str], str, str], int]"
#: The release that wrote a project only grows.
_RELEASE: Final = "IDEVersion"


def same(first: Maybe, second: Maybe) -> bool:
    """Whether two values are equal: 1 and 1.0 are, 1 and true are not."""
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(same(first[key], second[key]) for key in first)
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(same, first, second))
    return first == second and isinstance(first, bool) == isinstance(second, bool)


class ValueMerge:
    """One merge; ``conflicts`` has where the editions disagree, and ``which`` counts there."""

    def __init__(
        self,
        path: str,
        which: Which,
        place: Place,
        identify: Callable[..., Identity | None] = identity_of,
    ) -> None:
        self.conflicts: list[Conflict] = []
        self._path = path
        self._which = which
        self._place = place
        self._identify = identify

    def merged(
        self, base: Maybe, ours: Maybe, theirs: Maybe, at: str = "", kind: str = ""
    ) -> Maybe:
        """The value that both editions make of one; NOTHING if it is taken out.

        ``at`` is its place, ``kind`` the class of an object.
        """
        if same(base, theirs) or same(ours, theirs):
            return ours
        if same(base, ours):
            return theirs
        if isinstance(ours, dict) and isinstance(theirs, dict):
            if isinstance(base, dict):
                tiles = merged_tiles(Three(base, ours, theirs), self._path, at, self._which)
                if tiles is not None:
                    self.conflicts += tiles[1]
                    return tiles[0]
            return self._objects(base if isinstance(base, dict) else {}, ours, theirs, at, kind)
        if isinstance(ours, list) and isinstance(theirs, list):
            return self._lists(base if isinstance(base, list) else [], ours, theirs, at, kind)
        if isinstance(ours, str) and isinstance(theirs, str):
            if at.endswith(_RELEASE):
                return max(ours, theirs, key=_numbers)
            if isinstance(base, str) and "\n" in base:
                return self._lines(base, ours, theirs, at)
        return self._disagree(at, ours, theirs)

    def _lines(self, base: str, ours: str, theirs: str, at: str) -> str:
        """A text of several lines, by its lines."""
        made: list[str] = []
        for region in three_way(*(text.splitlines(True) for text in (base, ours, theirs))):
            if region.merged is not None:
                made += region.merged
                continue
            sides = "".join(region.ours), "".join(region.theirs)
            self._disagree(at, *sides)
            made.append(sides[0] if self._which == "ours" else sides[1])
        return "".join(made)

    def _disagree(self, at: str, ours: Maybe, theirs: Maybe, reason: str = "") -> Maybe:
        if not reason:
            gone = "ours" if ours is NOTHING else "theirs" if theirs is NOTHING else ""
            other = "theirs" if gone == "ours" else "ours"
            reason = f"changed by {other} and removed by {gone}" if gone else "changed by both"
        self.conflicts.append(Conflict(self._path, reason, at, 0, ours, theirs))
        return ours if self._which == "ours" else theirs

    # -- objects --------------------------------------------------------------------------------

    def _objects(
        self,
        base: dict[str, Json],
        ours: dict[str, Json],
        theirs: dict[str, Json],
        at: str,
        kind: str,
    ) -> Json:
        own = ours.get("resourceType")
        kind = own if isinstance(own, str) else kind
        made: dict[str, Json] = {}
        for key in ours:
            inner = f"{at}.{key}" if at else key
            step = ".#" if key.isdecimal() else f".{key}"
            was, other = base.get(key, NOTHING), theirs.get(key, NOTHING)
            value = self.merged(was, ours[key], other, inner, kind + step)
            if value is not NOTHING:
                made[key] = value
        keys = list(made)
        for key, item in theirs.items():
            if key in ours:
                continue
            inner = f"{at}.{key}" if at else key
            value = self.merged(base.get(key, NOTHING), NOTHING, item, inner)
            if value is not NOTHING:
                made[key] = value
                keys.insert(self._place(keys, key, kind), key)
        return {key: made[key] for key in keys}

    # -- lists ----------------------------------------------------------------------------------

    def _lists(
        self, base: list[Json], ours: list[Json], theirs: list[Json], at: str, kind: str
    ) -> Json:
        if all(map(is_number, (*base, *ours, *theirs))):
            return self._cells(base, ours, theirs, at)
        identity = self._identify(base, ours, theirs)
        if identity is None:
            return self._regions(base, ours, theirs, at, kind)
        known, one, other = (
            {identity(item): item for item in items} for items in (base, ours, theirs)
        )
        made: dict[Hashable, Json] = {}
        for mark in dict.fromkeys((*one, *other)):
            was, left, right = (side.get(mark, NOTHING) for side in (known, one, other))
            value = self.merged(was, left, right, f"{at}{shown(mark)}", f"{kind}[]")
            if value is not NOTHING:
                made[mark] = value
        order = self._order(list(known), list(one), list(other), at)
        return [made[mark] for mark in order if mark in made]

    def _cells(self, base: list[Json], ours: list[Json], theirs: list[Json], at: str) -> Json:
        """Numbers, cell by cell if all editions have equally many."""
        if not len(base) == len(ours) == len(theirs):
            return _listed(self._disagree(at, ours, theirs))
        made, clash = list(ours), -1
        for number, (was, one, other) in enumerate(zip(base, ours, theirs, strict=True)):
            if other in (was, one):
                continue
            if one != was:
                clash = number
                if self._which == "ours":
                    continue
            made[number] = other
        if clash >= 0:
            place = f"{at}[{clash}]"
            self._disagree(place, ours[clash], theirs[clash])
        return made

    def _regions(
        self, base: list[Json], ours: list[Json], theirs: list[Json], at: str, kind: str
    ) -> Json:
        """Elements that nothing identifies, by those around them."""
        items = {_text(item): item for item in (*base, *theirs, *ours)}
        made: list[Json] = []
        sides = ([_text(item) for item in side] for side in (base, ours, theirs))
        for region in three_way(*sides):
            if region.merged is not None:
                made += [items[text] for text in region.merged]
            elif len(region.base) == len(region.ours) == len(region.theirs):
                for was, left, right in zip(*region[:3], strict=True):
                    place = f"{at}[{len(made)}]"
                    value = self.merged(items[was], items[left], items[right], place, f"{kind}[]")
                    made += [] if value is NOTHING else [value]
            else:
                one, other = ([items[text] for text in side] for side in region[1:3])
                made += _listed(self._disagree(f"{at}[{len(made)}]", one, other))
        return made

    def _order(
        self, base: list[Hashable], ours: list[Hashable], theirs: list[Hashable], at: str
    ) -> list[Hashable]:
        """The order of the elements of all editions: elements that theirs moved or added follow
        the element that is before them there."""
        common = _common(ours, theirs), _common(theirs, ours)
        moved = _moved(base, ours), _moved(base, theirs)
        order = [mark for mark in ours if mark not in moved[1] - moved[0]]
        if all(moved) and common[0] != common[1]:
            agreed = None if moved[0] & moved[1] else _agreed(base, *common)
            if agreed is None:
                self._disagree(at, NOTHING, NOTHING, "the order is changed by both")
                agreed = common[0] if self._which == "ours" else common[1]
            order = _with_others(agreed, ours)
        made = _with_others(order, theirs, {*ours} - {*base})
        if all(_is_sorted(side) for side in (base, ours, theirs)) and len(base) > 1:
            made.sort(key=_sorted_by)
        return made


def _agreed(
    base: list[Hashable], ours: list[Hashable], theirs: list[Hashable]
) -> list[Hashable] | None:
    """The order of the elements of two editions in which each two of them stand as in the
    edition that turned them round; None if they do not have an order."""
    places = [{mark: number for number, mark in enumerate(side)} for side in (base, theirs)]
    one = np.arange(len(ours))
    two = np.array([places[1][mark] for mark in ours], np.int64)
    was = np.array([places[0].get(mark, -1) for mark in ours], np.int64)
    before = []
    for number in range(len(ours)):  # how many others are before each
        left, right, old = (side < side[number] for side in (one, two, was))
        only_theirs = (left == old) & (was >= 0) & bool(was[number] >= 0)
        before.append(int(np.count_nonzero(np.where(only_theirs, right, left))))
    if sorted(before) != list(range(len(ours))):
        return None
    return [ours[number] for number in np.argsort(before)]


def _with_others(
    order: list[Hashable], side: list[Hashable], own: Set[Hashable] = frozenset()
) -> list[Hashable]:
    """An order with the other elements of an edition, each behind the one that is before it there,
    and behind ``own`` ones."""
    places = {mark: number for number, mark in enumerate(order)}
    behind: dict[int, list[Hashable]] = {}
    last = -1
    for mark in side:
        if mark in places:
            last = places[mark]
            continue
        at_end = last
        while at_end + 1 < len(order) and order[at_end + 1] in own:
            at_end += 1
        behind.setdefault(at_end, []).append(mark)
    made = [*behind.get(-1, [])]
    for number, mark in enumerate(order):
        made += [mark, *behind.get(number, ())]
    return made


def _listed(value: Maybe) -> list[Json]:
    return value if isinstance(value, list) else []


def _text(item: Json) -> str:
    return json.dumps(item, sort_keys=True)


def _numbers(release: str) -> list[int]:
    return [int(part) for part in release.split(".") if part.isdecimal()]


def _moved(base: list[Hashable], side: list[Hashable]) -> set[Hashable]:
    """The elements that have another place among the others of the base."""
    before, after = _common(base, side), _common(side, base)
    if before == after:
        return set()
    places = {mark: f"{number}" for number, mark in enumerate(before)}
    one, two = [places[mark] for mark in before], [places[mark] for mark in after]
    moved: set[Hashable] = set()
    for _, _, start, end in opcodes(one, two):
        moved.update(after[start:end])
    return moved


def _common(side: list[Hashable], other: list[Hashable]) -> list[Hashable]:
    known = set(other)
    return [mark for mark in side if mark in known]


def _sorted_by(mark: Hashable) -> str:
    """The key by which the rows of a project are sorted: the name at the end of a path."""
    return str(mark).rpartition("/")[2].removesuffix(".yy").upper()


def _is_sorted(marks: list[Hashable]) -> bool:
    """Whether marks are paths in the order of their names."""
    names = [_sorted_by(mark) for mark in marks]
    return names == sorted(names) and all(isinstance(mark, str) and "/" in mark for mark in marks)
