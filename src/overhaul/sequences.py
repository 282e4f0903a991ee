"""Changes of a sequence (the lines of a text, the elements of a list), and merging them.

A :class:`Hunk` is a change with the items around it, which locate it in another version of the
sequence; an :class:`Edit` is a change at a place of the sequence at hand.
"""

from __future__ import annotations

import difflib
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

#: How many items around a change are kept.
CONTEXT = 3


class Hunk(NamedTuple):
    """``old`` items, between ``before`` and ``after``, became ``new``.

    ``at`` is the index of the first old item in the sequence that was changed.
    """

    at: int
    before: tuple[str, ...]
    old: tuple[str, ...]
    new: tuple[str, ...]
    after: tuple[str, ...]


class Edit(NamedTuple):
    """Items ``start`` to ``end`` (exclusive) become ``new``; ``owner`` is the index of the mod."""

    start: int
    end: int
    new: tuple[str, ...]
    owner: int = 0


class Misfit(NamedTuple):
    """A hunk whose place was not found; ``line`` is where it was expected, from 0."""

    hunk: Hunk
    line: int


def opcodes(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """Where two sequences differ: ``old[a:b]`` became ``new[c:d]``."""
    start = 0
    shorter = min(len(old), len(new))
    while start < shorter and old[start] == new[start]:
        start += 1
    end = 0
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    one, two = old[start : len(old) - end], new[start : len(new) - end]
    if not one or not two:
        if one or two:
            yield start, len(old) - end, start, len(new) - end
        return
    for tag, a, b, c, d in difflib.SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
        if tag != "equal":
            yield start + a, start + b, start + c, start + d


def hunks(old: Sequence[str], new: Sequence[str], context: int = CONTEXT) -> list[Hunk]:
    """The changes from one sequence to another."""
    return [
        Hunk(
            a,
            tuple(old[max(0, a - context) : a]),
            tuple(old[a:b]),
            tuple(new[c:d]),
            tuple(old[b : b + context]),
        )
        for a, b, c, d in opcodes(old, new)
    ]


def place(
    changes: Iterable[Hunk], items: Sequence[str], owner: int = 0
) -> tuple[list[Edit], list[Misfit]]:
    """Find the places of hunks in a sequence; a hunk that is applied already gives no edit."""
    edits: list[Edit] = []
    misfits: list[Misfit] = []
    drift = 0
    for hunk in changes:
        expected = hunk.at + drift
        at = _find(hunk, items, expected)
        if at is None:
            misfits.append(Misfit(hunk, max(0, min(expected, len(items)))))
            continue
        start, is_there = at
        drift = start - hunk.at
        if not is_there:
            edits.append(Edit(start, start + len(hunk.old), hunk.new, owner))
    return edits, misfits


def _find(hunk: Hunk, items: Sequence[str], expected: int) -> tuple[int, bool] | None:
    """The place of the old items of a hunk, and whether the new ones are there instead."""
    full = len(hunk.before), len(hunk.after)
    # fewer items than usual before or after a hunk: it was at the beginning or the end
    ends = full[0] < CONTEXT, full[1] < CONTEXT
    for middle, is_there in ((hunk.old, False), (hunk.new, True)):
        places = _places(middle, hunk, full, items, ends)
        nearest = min(places, key=lambda start: (abs(start - expected), start), default=None)
        if nearest is not None:
            return nearest, is_there
    for width in range(CONTEXT - 1, -1, -1):
        size = min(width, full[0]), min(width, full[1])
        if not _is_characteristic(
            (*hunk.before[full[0] - size[0] :], *hunk.old, *hunk.after[: size[1]])
        ):
            return None
        found_here = list(_places(hunk.old, hunk, size, items))
        if found_here:  # of several, what is around them does not say which
            return (found_here[0], False) if len(found_here) == 1 else None
    return None


def exactly(hunk: Hunk, items: Sequence[str], owner: int = 0) -> Edit | None:
    """The edit of a hunk whose old items and context are exactly at its place; None where they are
    not, or where the change may be applied already."""
    start, end = hunk.at - len(hunk.before), hunk.at + len(hunk.old) + len(hunk.after)
    fits = (start == 0 or len(hunk.before) == CONTEXT) and (
        end == len(items) or len(hunk.after) == CONTEXT
    )
    if not fits or start < 0 or list(items[start:end]) != [*hunk.before, *hunk.old, *hunk.after]:
        return None
    if (*hunk.old, *hunk.after)[:1] == (*hunk.new, *hunk.after)[:1]:
        return None
    return Edit(hunk.at, hunk.at + len(hunk.old), hunk.new, owner)


def _is_characteristic(items: Sequence[str]) -> bool:
    """Whether items are more than brackets and blanks, which are too common to locate a hunk."""
    return any(character.isalnum() for item in items for character in item)


def _places(
    middle: Sequence[str],
    hunk: Hunk,
    size: tuple[int, int],
    items: Sequence[str],
    ends: tuple[bool, bool] = (False, False),
) -> Iterator[int]:
    """The places of the middle with some of the items around it; ``ends``: only at the beginning,
    only at the end of the items."""
    before = hunk.before[len(hunk.before) - size[0] :]
    wanted = [*before, *middle, *hunk.after[: size[1]]]
    last = len(items) - len(wanted)
    for start in range(last if ends[1] else 0, (0 if ends[0] else last) + 1):
        if start >= 0 and list(items[start : start + len(wanted)]) == wanted:
            yield start + len(before)


class Clash(NamedTuple):
    """Two edits of different mods to the same items."""

    one: Edit
    two: Edit


def combine(edits: Iterable[Edit], *, inserts_clash: bool = True) -> tuple[list[Edit], list[Clash]]:
    """The edits in order, equal ones once, and those that clash.

    Items inserted at the same place by two mods clash, unless that is allowed.
    """
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end, edit.new, edit.owner))
    kept: list[Edit] = []
    clashes: list[Clash] = []
    for edit in ordered:
        last = kept[-1] if kept else None
        if last is not None and last[:3] == edit[:3] and last.owner != edit.owner:
            continue
        if last is not None and last.owner != edit.owner and _meet(last, edit, inserts_clash):
            clashes.append(Clash(last, edit))
            if edit.end <= last.end:
                continue
        kept.append(edit)
    return kept, clashes


def _meet(first: Edit, second: Edit, inserts_clash: bool) -> bool:
    """Whether two edits, in order, change the same items."""
    if first.start == second.start and (first.start == first.end or second.start == second.end):
        return inserts_clash and first.end == second.end
    return second.start < first.end


def carry_out(edits: Iterable[Edit], items: Sequence[str]) -> list[str]:
    """The sequence with the edits applied, which must be in order."""
    result: list[str] = []
    at = 0
    for edit in edits:
        result += items[at : edit.start]
        result += edit.new
        at = edit.end
    return [*result, *items[at:]]


# -- three editions -------------------------------------------------------------------------------


class Region(NamedTuple):
    """Items of two editions where both are made of the same items of a third.

    ``merged`` is what both changes give; None where they disagree.
    """

    base: tuple[str, ...]
    ours: tuple[str, ...]
    theirs: tuple[str, ...]
    merged: tuple[str, ...] | None


def three_way(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> list[Region]:
    """Two editions of a sequence, region by region.

    Changes that touch each other disagree, unless they are equal.
    """
    edits = [list(anchored_opcodes(base, side)) for side in (ours, theirs)]
    taken, drift = [0, 0], [0, 0]
    regions: list[Region] = []
    at = 0

    def region(start: int, end: int, after: Sequence[int]) -> None:
        both = (base, tuple(ours[start + drift[0] : end + after[0]]),
                tuple(theirs[start + drift[1] : end + after[1]]))  # fmt: skip
        own = tuple(both[0][start:end])
        merged = both[1] if own == both[2] or both[1] == both[2] else None
        regions.append(Region(own, both[1], both[2], both[2] if own == both[1] else merged))

    while any(number < len(side) for number, side in zip(taken, edits, strict=True)):
        waiting = [side[n] for n, side in zip(taken, edits, strict=True) if n < len(side)]
        start = end = min(edit[0] for edit in waiting)
        after = [*drift]
        grows = True
        while grows:
            grows = False
            for which, side in enumerate(edits):
                while taken[which] < len(side) and side[taken[which]][0] <= end:
                    _, last, _, there = side[taken[which]]
                    end, after[which] = max(end, last), there - last
                    taken[which] += 1
                    grows = True
        if start > at:
            region(at, start, drift)
        region(start, end, after)
        drift, at = after, end
    if at < len(base):
        region(at, len(base), drift)
    return regions


def anchored_opcodes(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """As :func:`opcodes`, between the items that both sequences have once: in long sequences of
    many equal items, this is much faster."""
    a = c = 0
    for b, d in [*_anchors(old, new), (len(old), len(new))]:
        for one, two, three, four in opcodes(old[a:b], new[c:d]):
            yield a + one, a + two, c + three, c + four
        a, c = b + 1, d + 1


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Places of items that both have once, in an order that both have: as many as there are."""
    counts, others = Counter(old), Counter(new)
    places = {item: at for at, item in enumerate(new) if others[item] == 1}
    pairs = [(n, places[item]) for n, item in enumerate(old) if item in places
             and counts[item] == 1]  # fmt: skip
    # the longest rising line of the second places: the last pair of each length, and what it is on
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for number, (_, there) in enumerate(pairs):
        length = bisect_left(ends, there)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [there]
        last[length : length + 1] = [number]
    found: list[tuple[int, int]] = []
    number = last[-1] if last else -1
    while number >= 0:
        found.append(pairs[number])
        number = before[number]
    return found[::-1]
