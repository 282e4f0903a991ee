"""Structs that the compiler's rules show: what a local struct extends, and what holds an array.

A local struct releases its own pointers only, so others in it belong to a struct that it extends.
An array of pointers to structs with dynamic arrays of their own is a field: no variable can be one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from overhaul.ags.decompiler.cells import Cell, CellItem, Record, meet, unite
from overhaul.ags.decompiler.inference import Inference
from overhaul.ags.decompiler.library import Library
from overhaul.ags.decompiler.nodes import New, Variable

TypeOf = Callable[[CellItem], str]
_MANY: Final = 1 << 30


def join_heirs(inferences: Iterable[Inference], records: Iterable[Record]) -> None:
    """Let structs without a name be what they extend, where they add nothing to it, or release
    pointers of it."""
    for record in records:
        base = _joinable(record)
        if base is not None and not record.fields and record.size <= base.end():
            _join(record, base)
    for inference in inferences:
        for variable in _locals(inference):
            if variable.item is None or variable.item.record is None:
                continue
            own = variable.item.record.root()
            base = _joinable(own)
            if base is not None and any(at < base.end() for at, _ in variable.freed):
                _join(own, base)


def _joinable(record: Record) -> Record | None:
    """The struct that a struct without a name extends."""
    return None if record.name or record.base is None else record.base.root()


def _join(record: Record, base: Record) -> None:
    """Let a struct be the one that it extends."""
    record.base = None
    for first, second in meet(base, record)[1]:
        unite(first, second)


class Flows:
    """Lets values have the types of the variables that they are put into, or structs that extend
    those of the variables, where more fields are used of a value than the variable's objects have.

    A variable has room for the fields of the smallest object that comes into it, and a value has
    the fields that are used of all variables that it comes into.
    """

    def __init__(
        self, flows: Iterable[tuple[Cell, Cell]], made: Iterable[tuple[New, Cell]]
    ) -> None:
        self._flows = list(flows)
        self._rooms: dict[int, int] = {}
        self._needs: dict[int, int] = {}
        for node, cell in made:
            key = self._key(cell)
            self._rooms[key] = min(self._room(key), node.size)
        for cell in (cell for pair in self._flows for cell in pair):
            record = cell.root().record
            if record is not None:
                self._needs[self._key(cell)] = record.used()

    def decide(self) -> None:
        """Join the types, or let one extend the other."""
        is_new = True
        while is_new:
            is_new = False
            for target, source in self._flows:
                is_new |= self._spread(self._key(target), self._key(source))
        pending = [pair for pair in self._flows if not self._join(*pair)]
        for target, source in [pair for pair in pending if not self._join(*pair)]:
            base, heir = target.root().record, source.root().record
            if base is None or heir is None or base.root().derives(heir):
                unite(target, source)
            elif not heir.root().derives(base):
                room = self._room(self._key(target))
                _extend(_first_above(heir.root(), room), base.root(), room)

    def _join(self, target: Cell, source: Cell) -> bool:
        """Let a value have the type of a variable, if that has room for its fields."""
        first, second = self._key(target), self._key(source)
        room, need = self._room(first), self._needs.get(second, 0)
        if need > room:
            return False
        unite(target, source)
        key = self._key(target)
        self._rooms[key] = min(room, self._room(second))
        self._needs[key] = max(need, self._needs.get(first, 0))
        return True

    def _spread(self, target: int, source: int) -> bool:
        """Whether a variable has less room than was known, or a value more fields."""
        room = min(self._room(target), self._room(source))
        need = max(self._needs.get(target, 0), self._needs.get(source, 0))
        is_new = room < self._room(target) or need > self._needs.get(source, 0)
        self._rooms[target], self._needs[source] = room, need
        return is_new

    def _room(self, key: int) -> int:
        return self._rooms.get(key, _MANY)

    @staticmethod
    def _key(cell: Cell) -> int:
        """The struct of a pointer, or the pointer."""
        root = cell.root()
        return id(root if root.record is None else root.record.root())


def _first_above(record: Record, room: int) -> Record:
    """The first struct of those that a struct extends that has more fields than there is room for,
    or the struct."""
    return [record, *(one for one in record.lineage() if one.used() > room)][-1]


def _extend(heir: Record, base: Record, room: int) -> None:
    """Let a struct extend another one, which has the fields in its first bytes."""
    base.size = min(base.size, room)
    for offset in [offset for offset in heir.fields if offset < room]:
        field = heir.fields.pop(offset)
        known = base.fields.setdefault(offset, field)
        if known is not field:
            known.count = max(known.count, field.count)
            unite(known.cell, field.cell)
    if heir.base is None:
        heir.base = base
        return
    heir.base, same = meet(heir.base, base)
    for one, other in same:
        unite(one, other)


def _made(
    inferences: Iterable[Inference],
) -> Iterator[tuple[Record, list[tuple[Inference, New]]]]:
    """The structs that have objects, and these objects, which have room for all fields that are
    used; those that others extend are first."""
    found: dict[int, tuple[Record, list[tuple[Inference, New]]]] = {}
    for inference in inferences:
        for node, cell in inference.news:
            record = cell.root().record
            if record is not None:
                root = record.root()
                found.setdefault(id(root), (root, []))[1].append((inference, node))
    for record, nodes in sorted(found.values(), key=lambda one: len(list(one[0].lineage()))):
        needed = max(inference.shared.sizes.get(record.name, 0) for inference, _ in nodes)
        if max(needed, record.used()) <= min(node.size for _, node in nodes):
            yield record, nodes


def fit_made(inferences: Iterable[Inference]) -> None:
    """Let structs have the bytes of the smallest object that is given where they are expected."""
    for record, nodes in _made(inferences):
        record.size = min(node.size for _, node in nodes)


def divide_made(inferences: Iterable[Inference]) -> None:
    """Let objects of several sizes that are given where one type is expected be of structs that
    extend the one with the fewest bytes, if that has room for all fields that are used."""
    for record, nodes in _made(inferences):
        record.size = min(node.size for _, node in nodes)
        heirs: dict[int, Record] = {}
        for inference, node in nodes:
            if node.size > record.size:
                heir = inference.heirs[node] = heirs.setdefault(node.size, Record(node.size))
                heir.base = record
                inference.anonymous.append(heir)


def find_heirs(scripts: Iterable[tuple[Inference, TypeOf]]) -> None:
    """Let local structs extend what has the pointers that they have and do not release."""
    kept: dict[int, int] = {}
    found: list[tuple[Variable, CellItem, Record, int]] = []
    for inference, type_of in scripts:
        for variable in _locals(inference):
            item = variable.item
            if item is None or item.record is None:
                continue
            record = item.record.root()
            first = min((at for at, _ in variable.freed), default=record.end())
            kept[id(record)] = min(kept.get(id(record), first), first)
            end = _kept_end(variable, record, inference.library, type_of)
            if end:
                found.append((variable, item, record, end))
    for variable, item, record, end in found:
        if not variable.freed:
            item.record = Record(record.end())
            item.record.base = record
        elif end <= kept[id(record)]:
            _divide(record, end)


def _locals(inference: Inference) -> Iterator[Variable]:
    for body in inference.bodies.values():
        yield from body.variables


def _kept_end(variable: Variable, record: Record, library: Library, type_of: TypeOf) -> int:
    """Where the last field ends that a struct would release if it were its own, and that a variable
    does not release; 0 without one."""
    end = 0
    parts = [record] if variable.freed else list(record.lineage())
    for field in (field for part in parts for field in part.fields.values()):
        type = type_of(field).removesuffix("[]")
        freed = any(at <= field.offset < at + 4 * count for at, count in variable.freed)
        if not freed and (type.endswith("*") or library.is_pointer(type)):
            end = max(end, field.offset + field.size)
    return (end + 3) // 4 * 4


def _divide(record: Record, end: int) -> None:
    """Let a struct extend one that has its bytes up to ``end``."""
    base = Record(end)
    base.base = record.base
    for offset in [offset for offset in record.fields if offset < end]:
        base.fields[offset] = record.fields.pop(offset)
    record.base = base


def hold_arrays(scripts: Iterable[tuple[Inference, TypeOf]]) -> None:
    """Let arrays of pointers to structs with dynamic arrays be fields of structs.

    Where an array is released as a variable is, or has structs and no pointers to them, the structs
    extend what has the dynamic arrays: the compiler asks for those of a struct's own.
    """
    known = list(scripts)
    for inference, type_of in known:
        for item in _variables(inference):
            if item.record is not None and item.count:
                _divide_arrays(item.record.root(), type_of)
        for held in [variable.item for variable in _locals(inference) if variable.is_bare]:
            pointed = None if held is None else _pointed(held, type_of)
            if pointed is not None:
                _divide(pointed, pointed.end())
    holders: dict[tuple[int, int], Record] = {}
    for inference, type_of in known:
        for item in _variables(inference):
            pointed = _pointed(item, type_of)
            if pointed is None:
                continue
            item.record = holders.setdefault((id(pointed), item.count), _holder(item))
            item.stride, item.count = item.size, 0


def _variables(inference: Inference) -> list[CellItem]:
    """The variables of a script, of others that it uses, and of its functions."""
    items = [*inference.items, *inference.variables.values()]
    return items + [one.item for one in _locals(inference) if one.item is not None]


def _divide_arrays(record: Record, type_of: TypeOf) -> None:
    """Let a struct extend one that has its dynamic arrays."""
    ends = [f.offset + f.size for f in record.fields.values() if type_of(f).endswith("[]")]
    if ends:
        _divide(record, (max(ends) + 3) // 4 * 4)


def _pointed(item: CellItem, type_of: TypeOf) -> Record | None:
    """The struct with dynamic arrays of its own that an array has pointers to."""
    pointed = item.cell.root().record if item.count and item.record is None else None
    if pointed is None:
        return None
    record = pointed.root()
    has_arrays = any(type_of(field).endswith("[]") for field in record.fields.values())
    return record if has_arrays else None


def _holder(item: CellItem) -> Record:
    """A struct with an array as its field."""
    record = Record(item.size)
    field = record.fields[0] = CellItem(0, item.stride, item.count)
    field.cell = item.cell
    return record
