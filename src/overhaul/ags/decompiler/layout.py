"""Where variables lie in memory, from how it is read and written.

The compiler leaves no gaps, so what lies between two variables is one that nothing uses.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from overhaul.ags.decompiler.cells import Cell
from overhaul.ags.decompiler.nodes import Index

#: The bytes of an old string.
BUFFER: Final = 200
_WIDTHS: Final = {"1": 1, "2": 2}
#: So many bytes of variables, and so many unused ones in a row, a script has at most.
_MOST: Final = 1 << 24


class Access(NamedTuple):
    """A use of memory: the place, its indexes, and how (``&``: its address)."""

    offset: int
    indexes: tuple[Index, ...]
    how: str

    @property
    def width(self) -> int:
        return _WIDTHS.get(self.how, 4)


class Item:
    """A variable or field: ``count`` elements (0: no array) of ``stride`` bytes, a value
    (``cell``) or a struct (``record``)."""

    __slots__ = (
        "by_value", "cell", "is_buffer", "count", "exported", "name", "offset", "record", "stride", "used"
    )  # fmt: skip

    def __init__(self, offset: int, stride: int, count: int = 0) -> None:
        self.name = ""
        self.offset = offset
        self.stride = stride
        self.count = count
        self.cell = Cell()
        self.record: Record | None = None
        self.exported = False
        self.used = True
        self.by_value = False
        self.is_buffer = False

    @property
    def size(self) -> int:
        """All its bytes."""
        return self.stride * max(self.count, 1)


class Record:
    """A struct of the game's own: its fields by offset, as they are met with."""

    __slots__ = ("base", "fields", "name", "parent", "size")

    def __init__(self, size: int = 0, name: str = "") -> None:
        self.name = name
        self.size = size
        self.parent: Record | None = None
        self.base: Record | None = None
        self.fields: dict[int, Item] = {}

    def root(self) -> Record:
        """The record that stands for all that were joined with this one."""
        record = self
        while record.parent is not None:
            record = record.parent
        return record

    def type_name(self) -> str:
        """The name of the struct."""
        return self.root().name

    def lineage(self) -> Iterator[Record]:
        """The record and those it extends."""
        record: Record | None = self.root()
        while record is not None:
            yield record
            record = record.base.root() if record.base is not None else None

    def derives(self, other: Record) -> bool:
        """Whether a record is another one, or extends it."""
        return any(record is other.root() for record in self.lineage())

    def at(self, access: Access) -> Item:
        """The field that an access is to, made where there is none."""
        for record in self.lineage():
            known = record.fields.get(access.offset)
            if known is not None:
                if access.indexes and not known.count:
                    known.count = access.indexes[0].bound or 1
                return known
        for record in self.lineage():
            for item in record.fields.values():
                if item.offset <= access.offset < item.offset + item.size:
                    return item
        if access.indexes:
            index = access.indexes[0]
            made = Item(access.offset, index.stride, index.bound or 1)
        else:
            made = Item(access.offset, access.width)
        made.name = f"field_{access.offset}"
        self.root().fields[access.offset] = made
        return made

    def end(self) -> int:
        """The bytes that the record has at least."""
        fields = [item.offset + item.size for r in self.lineage() for item in r.fields.values()]
        return (max([self.root().size, *fields]) + 3) // 4 * 4

    def settle_fields(self) -> None:
        """Let fields that lie in the record that this one extends be its fields."""
        record = self.root()
        if record.base is None:
            return
        base = record.base.root()
        end = base.end()
        for offset in sorted(record.fields):
            if offset < end:
                item = record.fields.pop(offset)
                base.fields.setdefault(offset, item)


def meet(first: Record, second: Record) -> tuple[Record, list[tuple[Cell, Cell]]]:
    """What an object is that is of both of two records, and the cells that are then the same.

    Records that have no two names become one; of others one extends the other.
    """
    a, b = first.root(), second.root()
    if a is b or a.derives(b):
        return a, []
    if b.derives(a):
        return b, []
    if a.name and b.name:
        top = list(a.lineage())[-1]
        top.base = b
        return a, []
    if b.name:
        a, b = b, a
    b.parent = a
    if a.base is None:
        a.base = b.base
    a.size = max(a.size, b.size)
    same = []
    for offset, item in b.fields.items():
        known = a.fields.setdefault(offset, item)
        if known is not item:
            known.count = max(known.count, item.count)
            same.append((known.cell, item.cell))
    return a, same


def lay_out(
    accesses: Iterable[Access], exports: Mapping[int, str], size: int, buffers: Collection[int]
) -> list[Item]:
    """The variables of a script's global data, without a gap.

    ``buffers`` are the offsets of old strings' pointers, each behind its text.
    """
    used = [access for access in accesses if 0 <= access.offset < size]
    items = _buffers(buffers, size)
    items += _arrays([access for access in used if access.indexes], exports, size)
    items.sort(key=lambda item: item.offset)
    taken = sorted((item.offset, item.offset + item.size) for item in items)
    scalars: dict[int, int] = {}
    for access in used:
        if not access.indexes and not _inside(access.offset, taken):
            scalars[access.offset] = max(scalars.get(access.offset, 0), access.width)
    for offset in exports:
        if 0 <= offset < size and not _inside(offset, taken):
            scalars.setdefault(offset, 0)
    return _without_gaps(items, scalars, exports, size)


def _buffers(offsets: Collection[int], size: int) -> list[Item]:
    items = []
    for offset in sorted(offsets):
        if BUFFER <= offset <= size - 4:
            item = Item(offset - BUFFER, BUFFER + 4)
            item.is_buffer = True
            items.append(item)
    return items


def _inside(offset: int, taken: list[tuple[int, int]]) -> bool:
    return any(start <= offset < end for start, end in taken)


def _arrays(accesses: list[Access], exports: Mapping[int, str], size: int) -> list[Item]:
    """The arrays: accesses with one stride and bound, less than a stride apart, are to one."""
    items: list[Item] = []
    accesses.sort(key=lambda access: (access.indexes[0].stride, access.offset))
    for access in accesses:
        index = access.indexes[0]
        stride, count = max(index.stride, 1), max(index.bound, 1)
        if stride * count > min(_MOST, size):
            continue
        last = items[-1] if items else None
        if last is not None and (last.stride, last.count) == (stride, count):
            if access.offset < last.offset + stride and access.offset not in exports:
                if access.how == "&" or access.offset != last.offset or access.width < stride:
                    last.record = last.record or (
                        Record(stride) if access.width < stride or access.how == "&" else None
                    )
                continue
        item = Item(access.offset, stride, count)
        inner = len(access.indexes) > 1
        if access.width < stride or access.how == "&" or inner:
            item.record = Record(stride)
            starts = [e for e in exports if access.offset - stride < e <= access.offset]
            item.offset = max(starts, default=access.offset)
        items.append(item)
    items.sort(key=lambda item: (item.offset, -item.size))
    kept: list[Item] = []
    for item in items:
        if kept and item.offset < kept[-1].offset + kept[-1].size:
            continue
        item.offset = max(0, min(item.offset, size - item.size))
        kept.append(item)
    return kept


def _without_gaps(
    arrays: list[Item], scalars: dict[int, int], exports: Mapping[int, str], size: int
) -> list[Item]:
    made: list[Item] = []
    starts = sorted({*scalars, *(item.offset for item in arrays)})
    by_offset = {item.offset: item for item in arrays}
    end = 0
    for number, start in enumerate(starts):
        if start < end:
            continue
        made += _unused(end, start)
        following = starts[number + 1] if number + 1 < len(starts) else size
        item = by_offset.get(start)
        if item is None:
            width = scalars[start] or _guessed(following - start)
            item = Item(start, min(width, size - start))
        if start in exports:
            item.name, item.exported = exports[start], True
        made.append(item)
        end = start + item.size
    made += _unused(end, size)
    return made


def _guessed(room: int) -> int:
    return room if room in (1, 2) else 4


def _unused(start: int, end: int) -> list[Item]:
    """A variable that fills a gap."""
    room = end - start
    if room <= 0:
        return []
    if room % 4 == 0 and room <= 64:
        items = [Item(offset, 4) for offset in range(start, end, 4)]
    elif room == 2:
        items = [Item(start, 2)]
    else:
        items = [Item(start, 1, room if room > 1 else 0)]
    for item in items:
        item.used = False
    return items


def lay_out_local(size: int, accesses: list[Access], pointer: str) -> Item:
    """The shape of a local variable: a value, an array, or a struct."""
    if pointer and size == 4:
        item = Item(0, 4)
        item.is_buffer = pointer == "s"
        return item
    if pointer and not accesses:
        return Item(0, 4, size // 4)
    indexed = [access for access in accesses if access.indexes]
    for access in indexed:
        stride, count = access.indexes[0].stride, access.indexes[0].bound
        if stride > 0 and count > 0 and stride * count == size:
            item = Item(0, stride, count)
            if access.width < stride or access.how == "&" or len(access.indexes) > 1:
                item.record = Record(stride)
            return item
    plain = all(access.offset == 0 and access.how != "&" for access in accesses)
    if size in (1, 2, 4) and plain and not indexed:
        return Item(0, size)
    if not accesses:
        return Item(0, 4, size // 4) if size % 4 == 0 else Item(0, 1, size)
    item = Item(0, size)
    item.record = Record(size)
    return item
