"""Find which structs extend which, from the values that code puts into variables and compares.

The smallest object in a variable limits the bytes of the variable's struct.  The struct of a value
has at least the bytes of all fields that code uses.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from overhaul.ags.decompiler.cells import Cell, CellItem, Record, meet, unite
from overhaul.ags.decompiler.nodes import New
from overhaul.ags.decompiler.shared import Shared

_MANY: Final = 1 << 30


class Flows:
    """Lets values have the types of the variables that they are put into, or structs that extend
    those of the variables, where more fields are used of a value than the variable's objects have.

    A variable has room for the fields of the smallest object in it, and a value has the fields of
    all variables that hold it.  Two values that code compares have one type, or the struct of one
    extends that of the other.
    """

    def __init__(self, shared: Shared, made: Iterable[tuple[New, Cell]]) -> None:
        self._flows = shared.flows
        self._compared = shared.compared
        self._made = list(made)
        self._rooms: dict[int, int] = {}
        self._needs: dict[int, int] = {}

    def decide(self) -> None:
        """Join the types, or let one extend the other."""
        self._measure()
        pending = [pair for pair in self._flows if not self._join(*pair)]
        for target, source in [pair for pair in pending if not self._join(*pair)]:
            self._derive(target, source)
        for first, second in self._compared:
            self._compare(first, second)

    # --- bytes

    def _measure(self) -> None:
        """Find the room of variables, and the bytes of fields that values need."""
        while sum(_share(target, source) for target, source in self._flows):
            pass
        for node, cell in self._made:
            key = _key(cell)
            self._rooms[key] = min(self._room(key), node.size)
        for cell in (cell for pair in (*self._flows, *self._compared) for cell in pair):
            record = cell.root().record
            if record is not None:
                self._needs[_key(cell)] = record.used()
        while sum(self._spread(_key(target), _key(source)) for target, source in self._flows):
            pass

    def _spread(self, target: int, source: int) -> bool:
        """Let a variable have the room of a value, and the value the needs of the variable; return
        whether this changes something."""
        room = min(self._room(target), self._room(source))
        need = max(self._needs.get(target, 0), self._needs.get(source, 0))
        is_new = room < self._room(target) or need > self._needs.get(source, 0)
        self._rooms[target], self._needs[source] = room, need
        return is_new

    def _room(self, key: int) -> int:
        return self._rooms.get(key, _MANY)

    # --- types

    def _join(self, target: Cell, source: Cell) -> bool:
        """Let a value have the type of a variable that has room for its fields.  Return whether the
        value has that type, or one that extends it."""
        base, heir = target.root().record, source.root().record
        if base is not None and heir is not None:
            if heir.derives(base):
                return True
            if _are_two(base, heir):
                return False
        first, second = _key(target), _key(source)
        room, need = self._room(first), self._needs.get(second, 0)
        if need > room:
            return False
        unite(target, source)
        key = _key(target)
        self._rooms[key] = min(room, self._room(second))
        self._needs[key] = max(need, self._needs.get(first, 0))
        return True

    def _derive(self, target: Cell, source: Cell) -> None:
        """Let the struct of a value extend that of a variable."""
        base, heir = target.root().record, source.root().record
        if base is None or heir is None:
            unite(target, source)
        elif not heir.derives(base):
            room = self._room(_key(target))
            first = _first_above(heir.root(), room)
            if not base.derives(first):
                _extend(first, base.root(), room)

    def _compare(self, first: Cell, second: Cell) -> None:
        """Let two values that are compared have one type, or let the struct of one extend that of
        the other."""
        one, other = first.root().record, second.root().record
        if one is not None and other is not None and (one.derives(other) or other.derives(one)):
            return
        if self._needs.get(_key(first), 0) > self._room(_key(second)):
            first, second = second, first
        if not self._join(first, second):
            self._derive(first, second)


def _key(cell: Cell) -> int:
    """The struct of a pointer, or the pointer."""
    root = cell.root()
    return id(root if root.record is None else root.record.root())


def _are_two(first: Record, second: Record) -> bool:
    """Whether two structs have names of their own."""
    one, other = first.root(), second.root()
    return bool(one.name and other.name) and one is not other


def _fields(record: Record) -> dict[int, CellItem]:
    """The fields of a struct and its bases; fields at the same offset become the same."""
    fields: dict[int, CellItem] = {}
    for one in list(record.lineage()):
        for offset, field in list(one.fields.items()):
            known = fields.setdefault(offset, field)
            if known is not field:
                unite(known.cell, field.cell)
    return fields


def _share(target: Cell, source: Cell) -> bool:
    """Let a value have the fields of a variable that holds it; return whether this changes
    something."""
    first, holder = target.root().record, source.root()
    if first is None:
        return False
    if holder.record is None:
        holder.record = Record()
    if first.derives(holder.record) and _collapse(first.root(), holder.record.root()):
        return True
    known, own = _fields(first), _fields(holder.record)
    is_new = False
    for offset, field in known.items():
        if offset not in own:
            made = CellItem(offset, field.stride, field.count)
            made.cell = field.cell
            holder.record.root().fields[offset] = made
            is_new = True
        elif own[offset].cell.root() is not field.cell.root():
            unite(field.cell, own[offset].cell)
            is_new = True
    return is_new


def _collapse(record: Record, base: Record) -> bool:
    """Let a struct be the one that it extends, unless a struct between them has a name; return
    whether it is now."""
    between = [one for one in record.lineage() if one.derives(base) and one is not base]
    if not between or any(one.name for one in between):
        return False
    for one in between:
        one.parent, one.base = base, None
        _take(base, one, list(one.fields))
    return True


def _take(record: Record, other: Record, offsets: Iterable[int]) -> None:
    """Move some fields of another struct into a struct."""
    for offset in offsets:
        field = other.fields.pop(offset)
        known = record.root().fields.setdefault(offset, field)
        if known is not field:
            known.count = max(known.count, field.count)
            unite(known.cell, field.cell)


def _first_above(record: Record, room: int) -> Record:
    """The last struct in a lineage whose fields need more than the room; or the struct itself."""
    return [record, *(one for one in record.lineage() if one.used() > room)][-1]


def _extend(heir: Record, base: Record, room: int) -> None:
    """Let a struct extend another one, which takes the fields in the first bytes."""
    base.size = min(base.size, room)
    same: list[tuple[Cell, Cell]] = []
    if heir.base is None:
        heir.base = base
    else:
        heir.base, same = meet(heir.base, base)
    _take(base, heir, [offset for offset in heir.fields if offset < room])
    for one, other in same:
        unite(one, other)
