"""Changes of several mods to one JSON value: located, checked against each other, applied."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from overhaul.mods import values
from overhaul.mods.values import ITSELF, NOTHING, Op, Step, is_brief_of, same, show_path
from overhaul.sequences import Edit, Hunk, carry_out, combine, place

#: An identity that packing allocates where it is left out.
_GIVEN = "id"


#: An object or a list of JSON, and a key or an index in it; the value there is changed in place.
_Container: TypeAlias = Any


class MergeConflict(NamedTuple):
    """A change that can't be put in: at which ``key``, of which mods (indices), and why.

    ``ours`` is the value there or that of the first mod, ``theirs`` that of the other mod.
    """

    key: str
    owners: tuple[int, ...]
    reason: str
    ours: object = NOTHING
    theirs: object = NOTHING


class _Slot(NamedTuple):
    """A place in the value, which an op of a mod is for: ``step`` of ``container``."""

    path: tuple[object, ...]
    op: Op
    owner: int
    container: _Container
    step: _Container


class _Found(NamedTuple):
    """The place that a path leads to: ``value`` is the value there, _ABSENT for a key that an
    object does not have, or _NOWHERE."""

    path: tuple[object, ...]
    value: object
    container: _Container = None
    step: _Container = None


class _Missing:
    """Marks a path that leads to no value."""


#: a key that an object does not have
_ABSENT = _Missing()
#: the path leads to nothing that could have it
_NOWHERE = _Missing()


def merge(
    value: object,
    changes: Iterable[tuple[int, Sequence[Op]]],
    is_counter: Callable[[str], bool] = lambda key: False,
    preferred: Collection[int] = (),
    known: object = NOTHING,
) -> tuple[object, list[MergeConflict]]:
    """A value with the changes of mods (index, ops) in it, and the changes that could not be
    applied.

    The order of the mods only decides the order of elements that are inserted behind the same
    one.  Where mods disagree, ``preferred`` ones count.  ``known``: the part of the
    value that mods see, where they do not see all of it.
    """
    merger = _Merger(copy.deepcopy(value), is_counter, preferred)
    if known is not NOTHING:
        merger.known = _Merger(known, is_counter, preferred)
    ops = [(owner, op) for owner, listed in changes for op in listed]
    while (shared := merger.share(ops)) != ops:  # shared objects may have shared objects in them
        ops = shared
    for owner, op in ops:
        merger.add(op, owner)
    merger.check()
    merger.carry_out()
    return merger.root[0], merger.clashes


def _added_at(op: Op) -> str:
    """The place at which an object or list is added, as a text; "" for other changes."""
    adds = op.kind == "set" and op.was is NOTHING and isinstance(op.now, dict | list)
    return values.text_of([*op.at]) if adds else ""


def fits(op: Op, value: object, known: object = NOTHING) -> bool:
    """Whether the place of a change is in a value, and has the content that the change expects."""
    merger = _Merger(value, lambda key: False, ())
    merger.known = _Merger(known, lambda key: False, ())
    if merger._walk(op.at).value is _NOWHERE:
        return False
    merger.add(op, 0)
    return not merger.clashes


class _Merger:
    def __init__(
        self, value: object, is_counter: Callable[[str], bool], preferred: Collection[int]
    ) -> None:
        #: a list with the value in it, so that it has a container too
        self.root = [value]
        self.clashes: list[MergeConflict] = []
        #: the value as mods see it
        self.known = self
        self._is_counter = is_counter
        self._preferred = preferred
        self._slots: dict[tuple[object, ...], _Slot] = {}
        self._items: dict[tuple[object, ...], list[tuple[Hunk, Op, int, list[object]]]] = {}
        self._indices: dict[tuple[int, str], dict[object, int]] = {}

    def share(self, ops: list[tuple[int, Op]]) -> list[tuple[int, Op]]:
        """The ops of mods.  An object or list that several mods add at one place is created first,
        and each mod adds its elements to it."""
        added: dict[str, list[object]] = {}
        places = [_added_at(op) for _, op in ops]
        for (_, op), at in zip(ops, places, strict=True):
            if at:
                added.setdefault(at, []).append(op.now)
        result: list[tuple[int, Op]] = []
        for (owner, op), at in zip(ops, places, strict=True):
            among = added.get(at, ())
            kinds = {type(value) for value in among}
            alike = len(kinds) != 1 or all(same(value, op.now) for value in among)
            target = self._walk(op.at) if not alike else None
            if target is None or target.value is _NOWHERE:
                result.append((owner, op))
                continue
            kind = kinds.pop()
            if target.value is _ABSENT:
                target.container[target.step] = kind()
            result += [(owner, inner) for inner in values.compare(kind(), op.now, op.at)]
        return result

    def add(self, op: Op, owner: int) -> None:
        """Find the place of an op, and check whether it fits there."""
        target = self._walk(op.at)
        value = target.value
        if value is _NOWHERE or (value is _ABSENT and op.kind not in ("set", "move")):
            if not (op.kind == "remove" or (op.kind == "set" and op.now is NOTHING)):
                self._report(op, owner, "no longer exists")
        elif op.kind == "items":
            if isinstance(value, list) and isinstance(op.now, Hunk):
                self._items.setdefault(target.path, []).append((op.now, op, owner, value))
            else:
                self._report(op, owner, "is no longer a list", value)
        elif op.kind == "insert":
            self._add_insert(target, op, owner)
        elif op.kind == "set":
            self._add_set(target, op, owner)
        elif op.kind == "move":
            self._take((*target.path, "move"), op, owner, target)
        elif self._was(op, value) or owner in self._preferred:
            self._take(target.path, op, owner, target)
        else:
            self._report(op, owner, "is removed, but is not what it was", value)

    def _was(self, op: Op, value: object) -> bool:
        """Whether a value is what a mod expects it to be."""
        if is_brief_of(op.was, value):
            return True
        if self.known is self:
            return False
        known = self.known._walk(op.at).value
        return not isinstance(known, _Missing) and is_brief_of(op.was, known)

    def _add_insert(self, target: _Found, op: Op, owner: int) -> None:
        items = target.value
        if not isinstance(items, list):
            self._report(op, owner, "is no longer a list", items)
            return
        place_of_list = target._replace(container=items)
        key = _identity_of(op, items)
        mark = values.mark_of(op.now, key)
        index = self._index(items, key).get(_hashable(mark))
        slot = (*target.path, "insert", key, mark)
        taken = None if mark is None else self._slots.get(slot)
        others = [] if mark is None or index is None else [items[index]]
        others += [] if taken is None else [taken.op.now]
        if mark is None:
            self._take((*slot, len(self._slots)), op, owner, place_of_list)
        elif not others:
            self._take(slot, op, owner, place_of_list)
        elif any(same(other, op.now) for other in others):
            return
        elif key == _GIVEN and isinstance(op.now, dict):
            rest = _without_id(op.now)
            if index is not None and any(same(_without_id(item), rest) for item in items):
                return  # it was put in before, and got another id then
            new = Op("insert", op.at, NOTHING, rest, op.after)
            self._take((*slot, owner), new, owner, place_of_list)
        else:
            owners = (owner,) if taken is None else (taken.owner, owner)
            self._report(op, owners, "is there already", others[0], op.now, f"[{key}={mark}]")

    def _add_set(self, target: _Found, op: Op, owner: int) -> None:
        now = NOTHING if target.value is _ABSENT else target.value
        key = next((step for step in reversed(op.at) if isinstance(step, str)), "")
        if self._is_counter(key) and isinstance(op.now, int | float):
            self._take_largest(target, op, owner)
        elif same(now, op.now):
            return
        elif self._was(op, now) or owner in self._preferred:
            self._take(target.path, op, owner, target)
        else:
            self._report(op, owner, "is not what it was", now, op.now)

    def _take_largest(self, target: _Found, op: Op, owner: int) -> None:
        """A number that only grows: the largest of all, but that of the only mod that changes
        it."""
        other = self._slots.get(target.path)
        numbers = [op.now]
        if other is not None:
            numbers.append(other.op.now)
        if other is not None or not same(op.was, target.value):
            numbers.append(target.value)
        largest = max(number for number in numbers if isinstance(number, int | float))
        self._put(target.path, op._replace(now=largest), owner, target)

    def _take(self, path: tuple[object, ...], op: Op, owner: int, target: _Found) -> None:
        other = self._slots.get(path)
        if other is None:
            self._put(path, op, owner, target)
        elif other.owner == owner or _alike(other.op, op):
            return
        elif (owner in self._preferred) != (other.owner in self._preferred):
            if owner in self._preferred:
                self._put(path, op, owner, target)
        else:
            self._report(op, (other.owner, owner), "is changed by both", other.op.now, op.now)

    def _put(self, path: tuple[object, ...], op: Op, owner: int, target: _Found) -> None:
        self._slots[path] = _Slot(path, op, owner, target.container, target.step)

    def _report(
        self,
        op: Op,
        owners: int | tuple[int, ...],
        reason: str,
        ours: object = NOTHING,
        theirs: object = NOTHING,
        more: str = "",
    ) -> None:
        owners = (owners,) if isinstance(owners, int) else owners
        ours = NOTHING if isinstance(ours, _Missing) else ours
        self.clashes.append(MergeConflict(show_path(op.at) + more, owners, reason, ours, theirs))

    def _walk(self, at: Sequence[Step]) -> _Found:
        """The place that a path leads to, in the value before the changes."""
        container: _Container = self.root
        where: _Container = 0
        path: list[object] = []
        for number, step in enumerate(at):
            container = container[where]
            if isinstance(step, str) and isinstance(container, dict):
                path.append(step)
                where = step
                if step not in container:
                    last = number == len(at) - 1
                    missing = _ABSENT if last else _NOWHERE
                    return _Found(tuple(path), missing, container, step)
            elif isinstance(step, int) and isinstance(container, list) and step < len(container):
                path.append(step)
                where = step
            elif isinstance(step, Mapping) and isinstance(container, list):
                key, mark = next(iter(step.items()), ("", None))
                path.append((key, mark))
                where = self._index(container, key).get(_hashable(mark))
                if where is None:
                    return _Found(tuple(path), _NOWHERE)
            else:
                return _Found(tuple(path), _NOWHERE)
        return _Found(tuple(path), container[where], container, where)

    def _index(self, items: list[object], key: str) -> dict[object, int]:
        """The index of each element of a list, by its identity."""
        positions = self._indices.get((id(items), key))
        if positions is None:
            positions = {}
            for index, item in enumerate(items):
                positions.setdefault(_hashable(values.mark_of(item, key)), index)
            positions.pop(None, None)
            self._indices[id(items), key] = positions
        return positions

    # -- against each other -----------------------------------------------------------------------

    def check(self) -> None:
        """Find changes inside of values that another mod replaces or removes."""
        for path, slot in list(self._slots.items()):
            for length in range(len(path)):
                outer = self._slots.get(path[:length])
                if outer is None or outer.owner == slot.owner or path not in self._slots:
                    continue
                if outer.op.kind not in ("set", "remove"):
                    continue
                chosen = {outer.owner, slot.owner} & set(self._preferred)
                if len(chosen) == 1:
                    del self._slots[path[:length] if slot.owner in chosen else path]
                    continue
                owners = (outer.owner, slot.owner)
                what = "removed" if outer.op.kind == "remove" else "replaced"
                self._report(slot.op, owners, f"is changed, but {what} by the other", outer.op.now)
                del self._slots[path]

    # -- putting in ---------------------------------------------------------------------------

    def carry_out(self) -> None:
        """Apply the changes that have a place."""
        out: dict[int, tuple[list[object], set[int]]] = {}
        placed: dict[int, tuple[list[object], list[tuple[Op, object]]]] = {}
        moved: dict[int, tuple[dict[str, object], list[tuple[Op, object]]]] = {}
        for slot in self._slots.values():
            kind, container, step = slot.op.kind, slot.container, slot.step
            if kind == "move" and isinstance(container, dict):
                moved.setdefault(id(container), (container, []))[1].append((slot.op, step))
                continue
            if kind in ("remove", "move"):
                out.setdefault(id(container), (container, set()))[1].add(step)
            if kind in ("insert", "move"):
                item = slot.op.now if kind == "insert" else container[step]
                placed.setdefault(id(container), (container, []))[1].append((slot.op, item))
            elif kind == "set" and slot.op.now is NOTHING:
                container.pop(step, None)
            elif kind == "set":
                container[step] = slot.op.now
        for items, indices in out.values():
            items[:] = [item for index, item in enumerate(items) if index not in indices]
        for items, new in placed.values():
            items[:] = _place(items, new)
        for pairs, keys in moved.values():
            _order(pairs, [(op, key) for op, key in keys if key in pairs])
        for found in self._items.values():
            self._put_items(found)

    def _put_items(self, inserts: list[tuple[Hunk, Op, int, list[object]]]) -> None:
        """Changes of a list whose elements have no identity."""
        _, op, _, items = inserts[0]
        texts = [values.text_of(item) for item in items]
        edits: list[Edit] = []
        for owner in sorted({owner for _, _, owner, _ in inserts}):
            mine = [hunk for hunk, _, whose, _ in inserts if whose == owner]
            placed, misfits = place(mine, texts, owner)
            edits += placed
            for misfit in misfits:
                ours, theirs = list(misfit.hunk.old), list(misfit.hunk.new)
                self._report(op, owner, "has other elements by now", ours, theirs)
        edits, clashes = combine(edits, inserts_clash=False)
        for clash in clashes:
            owners = (clash.one.owner, clash.two.owner)
            ours, theirs = list(clash.one.new), list(clash.two.new)
            self._report(op, owners, "is changed by both", ours, theirs, f"[{clash.two.start}]")
        items[:] = [json.loads(text) for text in carry_out(edits, texts)]


def _order(pairs: dict[str, object], moved: Sequence[tuple[Op, object]]) -> None:
    """Put keys of an object behind those that their ops name."""
    keys = {key for _, key in moved}
    before = dict(pairs)
    pairs.clear()
    for key in _place([key for key in before if key not in keys], moved):
        if isinstance(key, str):
            pairs[key] = before[key]


def _place(items: list[object], new: Sequence[tuple[Op, object]]) -> list[object]:
    """A list with elements inserted behind those that their ops name, or at the end where these are
    missing.  Of several behind the same one, the last comes first."""
    keys = {key for op, _ in new if op.after is not None for key in op.after}
    following: dict[tuple[str, object] | None, list[object]] = {}
    for op, item in new:
        behind = None if op.after is None else next(iter(op.after.items()), ("", None))
        following.setdefault(behind, []).append(item)
    result: list[object] = []
    waiting = [*reversed(items), *following.pop(None, [])]
    while waiting or following:
        if not waiting:  # behind what is not there
            waiting = list(reversed(following.pop(next(iter(following)))))
        item = waiting.pop()
        result.append(item)
        for key in keys:
            mark = values.mark_of(item, key)
            if mark is not None:
                waiting += following.pop((key, _hashable(mark)), [])
    return result


def _without_id(item: object) -> object:
    """An element without the identity that packing allocates."""
    if not isinstance(item, dict):
        return item
    return {name: value for name, value in item.items() if name != _GIVEN}


def _hashable(mark: object) -> object:
    """The identity of an element as a key; None for one that has none."""
    return mark if isinstance(mark, str | int) else None


def _identity_of(op: Op, items: Sequence[object]) -> str:
    """The key by which the inserted element is identified."""
    if op.after is not None:
        return next(iter(op.after), ITSELF)
    return values.identity(items, [op.now]) or ITSELF


def _alike(first: Op, second: Op) -> bool:
    """Whether two mods change a value in the same way."""
    return first.kind == second.kind and same(first.now, second.now) and first.after == second.after
