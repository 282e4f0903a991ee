"""Where variables lie in memory, from how it is read and written.

The compiler leaves no gaps, so the bytes between two variables are variables that nothing uses.
Only a single number has a value at the start, so no array and no struct has a byte that is not
zero.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from overhaul.ags.decompiler.cells import CellItem, Record
from overhaul.ags.decompiler.nodes import OBJECT, Index, Variable

#: The bytes of an old string.
BUFFER: Final = 200
_WIDTHS: Final = {"1": 1, "2": 2}
#: Bytes of a number that a variable has at the start.
_VALUE: Final = re.compile(rb"[^\0]{1,4}", re.DOTALL)
#: So many bytes of variables, and so many unused ones in a row, a script has at most.
_MOST: Final = 1 << 24


class Access(NamedTuple):
    """A use of memory: the place, its indexes, and how (``&``: its address; OBJECT)."""

    offset: int
    indexes: tuple[Index, ...]
    how: str

    @property
    def array(self) -> tuple[int, int] | None:
        """The bytes and the number of elements of an array that the access is to."""
        return (self.indexes[0].stride, self.indexes[0].bound) if self.indexes else None

    @property
    def width(self) -> int:
        return _WIDTHS.get(self.how, 4)

    @property
    def extent(self) -> int:
        """Where the used bytes end, in a variable that is not an array."""
        first = self.indexes[0] if self.indexes else None
        used = self.width if first is None else first.stride * max(first.bound, 1)
        return self.offset + used

    @property
    def end(self) -> int:
        """Where the used bytes end, in an element of the array that is indexed first."""
        if len(self.indexes) > 1:
            inner = self.indexes[1]
            return self.offset + inner.stride * max(inner.bound, 1)
        return self.offset + (min(self.width, self.indexes[0].stride) if self.indexes else 4)

    @property
    def is_part(self) -> bool:
        """Whether what is indexed has structs: a part of one is used, its address, or a pointer in
        the way that pointers in structs are."""
        first = self.indexes[0]
        is_narrow = self.width < first.stride or self.how in ("&", OBJECT)
        of_struct = self.how in ("p", "a") and not first.of_pointers
        return is_narrow or of_struct or len(self.indexes) > 1


def lay_out(
    accesses: Iterable[Access],
    exports: Mapping[int, str],
    data: bytes,
    buffers: Collection[int],
    others: Mapping[int, list[Access]],
    empty: Collection[int] = (),
) -> list[CellItem]:
    """The variables of a script's global data, without a gap.

    ``buffers`` are the offsets of old strings' pointers, each behind its text; ``others`` are the
    accesses of other scripts to exported variables, as these begin there; ``empty`` are the places
    of variables without bytes, where another one begins.
    """
    size = len(data)
    used = [access for access in accesses if 0 <= access.offset < size]
    for offset, foreign in others.items():
        used += [access._replace(offset=access.offset + offset) for access in foreign]
    items = _buffers(buffers, size)
    structs = _structs(others, {*exports, *empty}, size)
    items += structs
    inside = [(item.offset, item.offset + item.size) for item in structs]
    used = [access for access in used if not _inside(access.offset, inside)]
    objects = {a.offset for a in used if a.how == OBJECT and not a.indexes}
    indexed = [a for a in used if a.indexes and a.offset not in objects]
    plain = {*objects, *(a.offset for a in used if not a.indexes)}
    values = {found.start() for found in _VALUE.finditer(data)}
    items += _arrays(indexed, exports, {*plain, *empty, *values}, size)
    items.sort(key=lambda item: item.offset)
    taken = sorted((item.offset, item.offset + item.size) for item in items)
    scalars: dict[int, int] = {}
    for access in used:
        if not access.indexes or access.offset in objects:
            scalars[access.offset] = max(scalars.get(access.offset, 0), access.width)
    scalars = {at: width for at, width in scalars.items() if not _inside(at, taken)}
    for offset in exports:
        if 0 <= offset < size and not _inside(offset, taken):
            scalars.setdefault(offset, 0)
    made = _without_gaps(items, scalars, exports, empty, data)
    for item in made:
        if item.offset in objects and not item.count:
            item.record = Record()
    return made


def _structs(
    others: Mapping[int, list[Access]], exports: Collection[int], size: int
) -> list[CellItem]:
    """The exported variables that other scripts use parts of."""
    items = []
    for offset, accesses in sorted(others.items()):
        shape = import_shape(accesses)
        if shape.record is None or shape.count:
            continue
        behind = min((one for one in exports if one > offset), default=size)
        ends = max(access.extent for access in accesses)
        item = CellItem(offset, max(min(ends, behind - offset), 1))
        item.record = Record()
        items.append(item)
    return items


def _is_outer(uses: list[Access]) -> bool:
    """Whether the first index of all uses is that of the variable, and not of a field in it."""
    strides = [max(access.indexes[0].stride, 1) for access in uses]
    ends = [access.offset + min(access.width, s) for access, s in zip(uses, strides, strict=True)]
    return all(end <= stride for end, stride in zip(ends, strides, strict=True))


def import_shape(uses: list[Access]) -> CellItem:
    """The shape of a variable of another script."""
    indexed = [access for access in uses if access.indexes]
    arrays = {access.array for access in indexed}
    if len(indexed) == len(uses) and len(arrays) == 1 and _is_outer(indexed):
        first = indexed[0].indexes[0]
        item = CellItem(0, first.stride, first.bound or 1)
        part = any(a.offset or len(a.indexes) > 1 for a in indexed)
        item.by_value = any(access.how == "&" and not access.offset for access in indexed)
        if part or (not item.by_value and any(access.is_part for access in indexed)):
            item.record = Record(first.stride)
        return item
    item = CellItem(0, 4)
    item.by_value = any(access.how == "&" for access in uses)
    if indexed or any(access.offset or access.how == OBJECT for access in uses):
        item.record = Record()
    elif all(access.width < 4 for access in uses):
        item.stride = uses[0].width
    return item


def _buffers(offsets: Collection[int], size: int) -> list[CellItem]:
    items = []
    for offset in sorted(offsets):
        if BUFFER <= offset <= size - 4:
            item = CellItem(offset - BUFFER, BUFFER + 4)
            item.is_buffer = True
            items.append(item)
    return items


def _inside(offset: int, taken: list[tuple[int, int]]) -> bool:
    return any(start <= offset < end for start, end in taken)


@dataclass(slots=True)
class _Array:
    """An array that accesses show.  It begins at its first access, or up to ``room`` bytes before:
    nothing may be known of the first fields of its structs."""

    item: CellItem
    room: int


def _arrays(
    accesses: list[Access], exports: Mapping[int, str], others: Collection[int], size: int
) -> list[CellItem]:
    """The arrays: accesses with one stride and bound, less than a stride apart, are to one.

    ``others`` are the offsets of the uses without an index.
    """
    found: list[_Array] = []
    used = sorted({*others, *(access.offset for access in accesses)})
    accesses.sort(key=lambda access: (access.array or (0, 0), access.offset))
    at = 0
    while at < len(accesses):
        first = accesses[at]
        stride = max(first.indexes[0].stride, 1)
        count = max(first.indexes[0].bound, 1)
        if stride * count > min(_MOST, size):
            at += 1
            continue
        members = _alike(accesses, at, first.offset, exports)
        is_object = any(a.how == OBJECT and a.offset == first.offset for a in members)
        start = first.offset
        if not is_object and any(access.is_part for access in members):
            start = max((e for e in exports if e <= start), default=start)
            ends = max(access.end for access in members)
            between = bisect_left(used, first.offset) > bisect_left(used, start)
            if ends > start + stride or between:
                start = first.offset
        item = CellItem(start, stride, count)
        if any(access.is_part for access in members):
            item.record = Record(stride)
        fixed = start in exports or is_object
        ends = max(access.end for access in members) - start
        found.append(_Array(item, 0 if fixed else max(stride - ends, 0)))
        at += len(members)
    return _placed(found, sorted({*exports, *others}), size)


def _alike(accesses: list[Access], at: int, start: int, exports: Collection[int]) -> list[Access]:
    """The accesses from a place in the list on that are to one array, which begins at ``start``."""
    first = accesses[at]
    members = [first]
    for access in accesses[at + 1 :]:
        if access.array != first.array or access.offset >= start + first.indexes[0].stride:
            break
        apart = access.offset > first.offset
        if apart and (access.offset in exports or access.how == OBJECT):
            break
        members.append(access)
    return members


def _placed(found: list[_Array], others: list[int], size: int) -> list[CellItem]:
    """Arrays where each ends before what follows it."""
    found.sort(key=lambda array: (array.item.offset, -array.item.size))
    following = size
    for array in reversed(found):
        item = array.item
        behind = bisect_right(others, item.offset)
        limit = min(following, others[behind] if behind < len(others) else size)
        moved = item.offset + item.size - limit
        if item.record is not None and 0 < moved <= min(array.room, item.offset):
            item.offset -= moved
        following = item.offset
    kept: list[CellItem] = []
    for array in found:
        item = array.item
        if kept and item.offset < kept[-1].offset + kept[-1].size:
            continue
        item.offset = max(0, min(item.offset, size - item.size))
        kept.append(item)
    return kept


def _without_gaps(
    arrays: list[CellItem],
    scalars: dict[int, int],
    exports: Mapping[int, str],
    empty: Collection[int],
    data: bytes,
) -> list[CellItem]:
    made: list[CellItem] = []
    size = len(data)
    by_offset = {item.offset: item for item in arrays}
    starts = sorted({*scalars, *by_offset, *(at for at in empty if at < size)})
    end = 0
    for number, start in enumerate(starts):
        if start < end:
            continue
        made += unused_items(end, start, data)
        end = start
        following = starts[number + 1] if number + 1 < len(starts) else size
        item = by_offset.get(start)
        if item is None and start not in scalars:
            continue
        if item is None:
            width = scalars[start] or _guessed(following - start)
            item = CellItem(start, min(width, following - start))
        if start in exports:
            item.name, item.exported = exports[start], True
        made.append(item)
        end = start + item.size
    made += unused_items(end, size, data)
    return made


def _guessed(room: int) -> int:
    """The bytes of a variable that nothing uses: the most that one value can have."""
    return next(width for width in (4, 2, 1) if width <= max(room, 1))


def unused_items(start: int, end: int, data: bytes) -> list[CellItem]:
    """Variables that fill a gap; each value in the data belongs to one of them."""
    room = end - start
    if room % 4 == 0 and room <= 64:
        items = [CellItem(offset, 4) for offset in range(start, end, 4)]
    else:
        items = []
        while start < end:
            found = _VALUE.search(data, start, end)
            first = end if found is None else found.start()
            items += _without_value(start, first)
            start = first
            if found is not None:
                following = _VALUE.search(data, found.end(), end)
                last = end if following is None else following.start()
                items.append(CellItem(start, _guessed(last - start)))
                start += items[-1].size
    for item in items:
        item.used = False
    return items


def _without_value(start: int, end: int) -> list[CellItem]:
    room = end - start
    if room <= 0:
        return []
    return [CellItem(start, 2) if room == 2 else CellItem(start, 1, room if room > 1 else 0)]


def empty_item(offset: int, accesses: Iterable[Access]) -> CellItem:
    """A variable of a struct without fields, or an array of such."""
    bounds = [access.indexes[0].bound or 1 for access in accesses if access.indexes]
    item = CellItem(offset, 0, max(bounds, default=0))
    item.record = Record()
    return item


def lay_out_local(variable: Variable, accesses: list[Access]) -> CellItem:
    """The shape of a local variable: a value, an array, or a struct."""
    size, freed = variable.size, variable.freed
    if not size:
        return empty_item(0, accesses)
    is_object = any(access.how == OBJECT and not access.indexes for access in accesses)
    if not (variable.is_struct or is_object):
        plain = all(a.indexes and not a.offset and a.width == 4 for a in accesses)
        if variable.pointer and size == 4 and not (plain and accesses):
            item = CellItem(0, 4)
            item.is_buffer = variable.pointer == "s"
            return item
        if freed == [(0, size // 4)] and plain:
            return CellItem(0, 4, size // 4)
    if not freed:
        return _lay_out_value(size, accesses)
    item = CellItem(0, *_elements(size, accesses, freed))
    record = item.record = Record(item.stride)
    for offset, count in freed:
        if offset < item.stride:
            field = record.at(offset, 4, (4, count) if count > 1 else None)
            field.cell.is_pointer = True
    return item


def _elements(size: int, accesses: list[Access], freed: list[tuple[int, int]]) -> tuple[int, int]:
    """The bytes and the number of elements (0: no array) of a local struct with pointers, or of an
    array of them: of each pointer, all elements are released before the next."""
    for access in accesses:
        stride, count = access.array or (0, 0)
        inside = [offset for offset, _ in freed if offset < stride]
        if stride * count == size and len(freed) == count * len(inside):
            return stride, count
    offsets = [offset for offset, _ in freed]
    count = next((n for n in range(1, len(offsets)) if offsets[n] < offsets[n - 1]), 0)
    return (size // count, count) if count > 1 else (size, 0)


def _lay_out_value(size: int, accesses: list[Access]) -> CellItem:
    """The shape of a local variable without pointers."""
    indexed = [access for access in accesses if access.indexes]
    is_struct = any(access.how == OBJECT and not access.indexes for access in accesses)
    for access in [] if is_struct else indexed:
        stride, count = access.indexes[0].stride, access.indexes[0].bound
        if stride > 0 and count > 0 and stride * count == size:
            item = CellItem(0, stride, count)
            if any(other.is_part for other in indexed if other.array == access.array):
                item.record = Record(stride)
            return item
    plain = all(
        a.offset == 0 and a.how not in ("&", "p", "a") and a.width == size for a in accesses
    )
    if size in (1, 2, 4) and plain and not indexed and not is_struct:
        return CellItem(0, size)
    if not accesses:
        return CellItem(0, 4, size // 4) if size % 4 == 0 else CellItem(0, 1, size)
    item = CellItem(0, size)
    item.record = Record(size)
    return item
