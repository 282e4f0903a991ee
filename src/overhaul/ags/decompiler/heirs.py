"""Structs that the compiler's rules show: what a local struct extends, and what holds an array.

A local struct releases its own pointers only, so others in it belong to a struct that it extends.
An array of pointers to structs with dynamic arrays of their own is a field: no variable can be one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from overhaul.ags.decompiler.cells import CellItem, Record, meet, unite
from overhaul.ags.decompiler.inference import Inference
from overhaul.ags.decompiler.library import Library
from overhaul.ags.decompiler.nodes import New, Variable

TypeOf = Callable[[CellItem], str]


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


def _made(
    inferences: Iterable[Inference],
) -> Iterator[tuple[Record, list[tuple[Inference, New]]]]:
    """The structs with objects, and these objects, if they have room for all fields that code uses.
    A struct comes before its heirs."""
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
    """Give each struct the bytes of the smallest object that code puts where it is expected."""
    for record, nodes in _made(inferences):
        record.size = min(node.size for _, node in nodes)


def divide_made(inferences: Iterable[Inference]) -> None:
    """Give larger objects of a struct structs of their own, which extend it.  The struct has the
    bytes of its smallest object, if that has room for all fields that code uses."""
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
