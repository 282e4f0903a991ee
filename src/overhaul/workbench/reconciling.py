"""Two edits of one JSON value that were made at the same time: what each changes, and both in one.

Changes are compared as those of mods are: elements of lists by what identifies them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from overhaul.errors import WorkspaceError
from overhaul.mods.merging import MergeConflict, merge
from overhaul.mods.values import IDENTITIES, ITSELF, NOTHING, Op, Step, compare, mark_of, same
from overhaul.sequences import Hunk
from overhaul.workbench.forms import title_of

Side: TypeAlias = Literal["theirs", "yours"]
#: values that a text names; the others are counted
_NAMED: Final = 6
_LONGEST: Final = 400
_THEIRS, _YOURS = 0, 1


class Difference(msgspec.Struct, frozen=True):
    """A place that an edit changes, in words: what it ``was``, what it is ``now``, and what
    ``yours`` makes of it.

    ``number`` is that of your change, -1 for one of the other edit alone.  ``rivals``: both edits
    change it, and one of them has to be chosen.
    """

    number: int
    place: str
    was: str
    now: str
    yours: str
    rivals: bool = False


class Reconciling:
    """Your edit of a value, and another one that was made meanwhile.

    ``base`` is the value that both began with, NOTHING where that is not known: then all that
    differs has to be chosen.
    """

    def __init__(self, base: object, yours: object, now: object) -> None:
        self._known = base is not NOTHING
        self._base = base if self._known else now
        self._now = now
        self._yours = list(compare(self._base, yours))
        self._theirs = list(compare(self._base, now))
        self._fits = [self._fit(op) for op in self._yours]

    def differences(self) -> list[Difference]:
        """The changes of your edit, and then those that only the other one makes."""
        mine = [
            self._difference(op, number, fit == "rivals")
            for number, (op, fit) in enumerate(zip(self._yours, self._fits, strict=True))
            if fit != "done"
        ]
        shown = [
            op
            for op, fit in zip(self._yours, self._fits, strict=True)
            if fit == "rivals" or (fit == "fits" and op.kind == "items")
        ]
        return mine + [
            self._difference(op, -1, False)
            for op in self._theirs
            if not any(_touch(op, each) for each in shown)
        ]

    def value(self, chosen: Mapping[int, Side]) -> object:
        """Both edits in one value; ``chosen`` has a side for each of your changes that has a rival.

        Raises WorkspaceError where a side is missing, or changes do not go together.
        """
        yours: list[Op] = []
        theirs = self._theirs
        for number, (op, fit) in enumerate(zip(self._yours, self._fits, strict=True)):
            is_rival = fit == "rivals"
            side = chosen.get(number) if is_rival else "yours"
            if side is None:
                raise WorkspaceError("Choose a side of each field that both changed.")
            if side == "yours":
                yours.append(op)
                if is_rival:
                    theirs = [each for each in theirs if not _touch(each, op)]
        made, clashes = merge(self._base, [(_THEIRS, theirs), (_YOURS, yours)])
        if clashes:
            raise WorkspaceError("These choices do not go together: choose others.")
        return made

    def _fit(self, op: Op) -> Literal["fits", "rivals", "done"]:
        """Whether the value as it is now can have a change that changes nothing else there."""
        if not self._known:
            return "rivals"
        made, clashes = self._with(op)
        more = list(compare(self._now, made))
        if clashes or len(more) > 1 or any(each.kind != op.kind for each in more):
            return "rivals"
        return "fits" if more else "done"

    def _with(self, op: Op) -> tuple[object, list[MergeConflict]]:
        """The value as it is now with one of your changes."""
        return merge(self._base, [(_THEIRS, self._theirs), (_YOURS, [op])])

    def _difference(self, op: Op, number: int, is_rival: bool) -> Difference:
        place = in_place(self._base, op)
        at = op.at if op.kind != "insert" else (*op.at, _marked(op))
        old, there = _at(self._base, at), _at(self._now, at)
        now, yours = words_of(there), _made_by(op, old)
        if op.kind == "items" and not is_rival and number >= 0:
            yours = words_of(_at(self._with(op)[0], at))
        if op.kind == "move":
            now = "moved" if any(o.kind == "move" and o.at == op.at for o in self._theirs) else ""
            return Difference(number, place, "", now, "moved" if number >= 0 else "", is_rival)
        if number < 0:
            yours = ""
        return Difference(number, place, words_of(old), now, yours, is_rival)


def _made_by(op: Op, old: object) -> str:
    """The effect of a change on a value, in words."""
    if isinstance(op.now, Hunk) and isinstance(old, list):
        texts = [msgspec.json.decode(text) for text in op.now.new]
        start = op.now.at
        return words_of([*old[:start], *texts, *old[start + len(op.now.old) :]])
    return words_of(NOTHING if op.kind == "remove" else op.now)


def _marked(op: Op) -> Step:
    """The step to an element that is put in; its name where nothing identifies it."""
    keys = list(op.after) if op.after is not None else [ITSELF, *IDENTITIES]
    return next(
        ({key: mark} for key in keys if (mark := mark_of(op.now, key)) is not None), {"": op.now}
    )


def _touch(one: Op, other: Op) -> bool:
    """Whether changes are at one place, or one is inside of what the other changes."""
    first, second = ((*op.at, _marked(op)) if op.kind == "insert" else op.at for op in (one, other))
    if one.kind == "items" or other.kind == "items":
        first, second = one.at, other.at
    shorter = min(len(first), len(second))
    return first[:shorter] == second[:shorter]


def _at(value: object, at: Sequence[Step]) -> object:
    """The value that a path leads to; NOTHING where it leads nowhere."""
    for step in at:
        value = _inside(value, step)
    return value


def _inside(value: object, step: Step) -> object:
    if isinstance(step, str):
        return value.get(step, NOTHING) if isinstance(value, dict) else NOTHING
    if not isinstance(value, list):
        return NOTHING
    if isinstance(step, int):
        return value[step] if step < len(value) else NOTHING
    return value[index] if (index := _index_of(value, step)) >= 0 else NOTHING


def _index_of(items: Sequence[object], step: Mapping[str, object]) -> int:
    key, mark = next(iter(step.items()))
    found = (n for n, item in enumerate(items) if same(mark_of(item, key), mark))
    return next(found, -1)


# ------------------------------------------------------------------------------------- in words


def in_place(base: object, op: Op) -> str:
    """Where a change is, in the words of a form: ``events › 0: Create › code``."""
    parts: list[str] = []
    value = base
    for step in op.at:
        if isinstance(step, str):
            parts.append(step.replace("_", " "))
        elif isinstance(step, int):
            parts.append(title_of(step, _inside(value, step)))
        else:
            index = _index_of(value, step) if isinstance(value, list) else -1
            name = str(next(iter(step.values())))
            parts.append(name if index < 0 else title_of(index, _inside(value, step)))
        value = _inside(value, step)
    if op.kind == "insert":
        parts.append("a new element")
    return " › ".join(parts) or "all of it"


def words_of(value: object) -> str:
    """A value in words: ``nothing``, ``yes``, ``12``, ``x 5, y 3``, ``3 elements: …``."""
    if value is NOTHING:
        return "not there"
    text = _words(value, 0)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _words(value: object, deep: int) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value or "empty"
    if isinstance(value, dict):
        named = [f"{key.replace('_', ' ')} {_words(each, deep + 1)}" for key, each in value.items()]
        return _joined(named, deep) or "empty"
    if isinstance(value, list):
        number = "1 element" if len(value) == 1 else f"{len(value)} elements"
        listed = _joined([_words(each, deep + 1) for each in value], deep)
        return f"{number}: {listed}" if value and deep < 2 else number
    return str(value)


def _joined(words: Sequence[str], deep: int) -> str:
    most = _NAMED if deep else 2 * _NAMED
    more = [f"{len(words) - most} more"] if len(words) > most else []
    return ("; " if deep == 0 else ", ").join([*words[:most], *more])
