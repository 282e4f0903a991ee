"""Variables of structs without fields: they have no bytes, so another one begins where they do.

What shows them is what lies behind all bytes of a script, several exports of one place, and the
members that are used of them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping

from overhaul.ags.decompiler.cells import CellItem
from overhaul.ags.decompiler.layout import Access, empty_item
from overhaul.ags.decompiler.nodes import OBJECT, MemoryPlace
from overhaul.ags.script.model import Export

_DATA = 2
#: The bytes of a struct are a multiple of so many, and the most of a value.
_WORD = 4


def place_of(export: Export) -> int:
    """Where an exported variable lies; -1 for a function."""
    return export.address & 0xFFFFFF if export.address >> 24 == _DATA else -1


def has_no_bytes(place: int, data: bytes) -> bool:
    """Whether a struct at a place of a script's data is certain to have no bytes: the data ends
    before it, or its first byte is not zero."""
    return place >= 0 and data[place : place + 1] != b"\0"


def without_room(
    objects: Collection[tuple[MemoryPlace, str]],
    accesses: Collection[Access],
    starts: Iterable[int],
    data: bytes,
) -> set[str]:
    """The structs of objects that are certain to have no bytes.

    Wherever such a struct ended, before the next variable that begins for certain (``starts``, and
    objects), it would end in a value that is used, or have a byte of the data that is not zero; or
    an array of structs has its bytes.
    """
    ordered = sorted({*starts, *(place.offset for place, _ in objects)})
    plain = sorted({*ordered, *(access.offset for access in accesses if not access.indexes)})
    inner: set[int] = set()
    arrays: set[tuple[int, int]] = set()
    size = ordered[-1] if ordered else 0
    for access in accesses:
        if access.indexes and access.how == OBJECT:
            arrays.add((access.offset, access.extent))
        elif access.indexes and access.indexes[0].stride > _WORD:
            arrays.add(_certain(access, _next(plain, access.offset, size)))
        elif access.how not in ("&", OBJECT):
            inner.update(range(access.offset + 1, min(access.extent, size)))
    found: set[str] = set()
    for place, owner in objects:
        at = place.offset
        if place.indexes or owner in found:
            continue
        last = _next(ordered, at, at)
        last -= len(data[at:last].lstrip(b"\0"))
        fits = any(end not in inner for end in range(at + _WORD, last + 1, _WORD))
        if not fits or any(first - _WORD < at < end for first, end in arrays):
            found.add(owner)
    return found


def _next(ordered: list[int], place: int, otherwise: int) -> int:
    """The first place behind another one; the places are in order."""
    behind = bisect_right(ordered, place)
    return ordered[behind] if behind < len(ordered) else otherwise


def _certain(access: Access, limit: int) -> tuple[int, int]:
    """The bytes that an array of structs covers wherever it begins; it ends before a limit."""
    stride, bound = access.indexes[0].stride, max(access.indexes[0].bound, 1)
    last = min(access.offset, limit - stride * bound)
    return last, access.offset + 1 - stride + stride * bound


class Emptied:
    """Finds the variables of a script that have no bytes (``items``); ``exports`` are the others
    that are exported, by their places, and ``places`` those that code uses of ``items``.

    ``empty`` are the structs without fields; ``objects`` the structs whose members are used of
    exported variables, and ``uses`` how other scripts use these, by their names.
    """

    def __init__(
        self,
        empty: set[str],
        objects: Mapping[str, set[str]],
        uses: Mapping[str, list[Access]],
        size: int,
    ) -> None:
        self._empty = empty
        self._objects = objects
        self._uses = uses
        self._size = size
        #: What the variables are for certain: their structs, and their numbers of elements.
        self._structs: dict[CellItem, set[str]] = {}
        self._bounds: dict[CellItem, int] = {}
        self.items: list[CellItem] = []
        self.exports: dict[int, str] = {}
        self.places: set[MemoryPlace] = set()

    def take_exports(self, exports: Iterable[Export]) -> None:
        """Take the exported variables."""
        by_place: dict[int, list[str]] = {}
        for export in exports:
            if place_of(export) >= 0:
                by_place.setdefault(place_of(export), []).append(export.name)
        for place, names in by_place.items():
            sized = [] if place >= self._size else [n for n in names if self._has_bytes(n)]
            used = [name for name in sized if self._is_used(name)]
            kept = (used or sized or [""])[-1]
            if kept:
                self.exports[place] = kept
            for name in names:
                if name != kept:
                    self._export(place, name)

    def _has_bytes(self, name: str) -> bool:
        """Whether a variable may have bytes: also one of a struct that extends one without."""
        return self._is_used(name) or self._empty.isdisjoint(self._objects.get(name, ()))

    def _is_used(self, name: str) -> bool:
        """Whether other scripts use bytes of a variable."""
        return any(access.how not in ("&", OBJECT) for access in self._uses.get(name, ()))

    def _export(self, place: int, name: str) -> None:
        uses = self._uses.get(name, ())
        item = empty_item(place, uses)
        item.name, item.exported = name, True
        self.items.append(item)
        if uses:
            self._bounds[item] = item.count
        self._structs[item] = set(self._objects.get(name, ()))

    def take_objects(self, objects: Iterable[tuple[MemoryPlace, str]]) -> None:
        """Take the objects that code uses members of, and the structs of these; what an object is
        without bytes is the base of its place from here on."""
        for place, owner in objects:
            exported = self._objects.get(self.exports.get(place.offset, ""), ())
            has_bytes = bool(place.indexes and place.indexes[0].stride) or owner in exported
            if has_bytes or (place.offset < self._size and owner not in self._empty):
                place.base = None
                continue
            place.base = self._at(place, owner)
            self.places.add(place)

    def _at(self, place: MemoryPlace, owner: str) -> CellItem:
        """The variable of a struct at a place: one that may be it, or another one."""
        bound = place.indexes[0].bound or 1 if place.indexes else 0
        there = [
            item
            for item in self.items
            if item.offset == place.offset and self._bounds.get(item, bound) == bound
        ]
        found = [item for item in there if owner in self._structs[item]]
        found += [item for item in there if not self._structs[item]]
        if found:
            item = found[0]
        else:
            item = empty_item(place.offset, ())
            self.items.append(item)
            self._structs[item] = set()
        item.count = self._bounds[item] = bound
        self._structs[item].add(owner)
        return item
