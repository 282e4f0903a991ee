"""Variables of structs without fields: they have no bytes, so another one begins where they do.

What shows them is what lies behind all bytes of a script, several exports of one place, and the
members that are used of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from overhaul.ags.decompiler.cells import CellItem
from overhaul.ags.decompiler.layout import Access, empty_item
from overhaul.ags.decompiler.nodes import OBJECT, MemoryPlace
from overhaul.ags.script.model import Export

_DATA = 2


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
        self._structs: dict[CellItem, str] = {}
        self._bounds: dict[CellItem, int] = {}
        self.items: list[CellItem] = []
        self.exports: dict[int, str] = {}
        self.places: set[MemoryPlace] = set()

    def take_exports(self, exports: Iterable[Export]) -> None:
        """Take the exported variables."""
        by_place: dict[int, list[str]] = {}
        for export in exports:
            if export.address >> 24 == _DATA:
                by_place.setdefault(export.address & 0xFFFFFF, []).append(export.name)
        for place, names in by_place.items():
            sized = [] if place >= self._size else [n for n in names if not self._is_empty(n)]
            used = [name for name in sized if self._is_used(name)]
            kept = (used or sized or [""])[-1]
            if kept:
                self.exports[place] = kept
            for name in names:
                if name != kept:
                    self._export(place, name)

    def _is_empty(self, name: str) -> bool:
        return not self._empty.isdisjoint(self._objects.get(name, ()))

    def _is_used(self, name: str) -> bool:
        """Whether other scripts use bytes of a variable."""
        return any(access.how != OBJECT for access in self._uses.get(name, ()))

    def _export(self, place: int, name: str) -> None:
        uses = self._uses.get(name, ())
        item = empty_item(place, uses)
        item.name, item.exported = name, True
        self.items.append(item)
        if uses:
            self._bounds[item] = item.count
        for owner in self._objects.get(name, ()):
            self._structs.setdefault(item, owner)

    def take_objects(self, objects: Iterable[tuple[MemoryPlace, str]]) -> None:
        """Take the objects that code uses members of, and the structs of these; what an object is
        without bytes is the base of its place from here on."""
        for place, owner in objects:
            has_bytes = bool(place.indexes and place.indexes[0].stride)
            if has_bytes or (place.offset < self._size and owner not in self._empty):
                place.base = None
                continue
            place.base = self._at(place, owner)
            self.places.add(place)

    def _at(self, place: MemoryPlace, owner: str) -> CellItem:
        """The variable of a struct at a place: one that may be it, or another one."""
        bound = place.indexes[0].bound or 1 if place.indexes else 0
        for item in self.items:
            is_it = self._structs.get(item, owner) == owner
            if item.offset == place.offset and is_it and self._bounds.get(item, bound) == bound:
                break
        else:
            item = empty_item(place.offset, ())
            self.items.append(item)
        item.count = bound
        self._structs[item], self._bounds[item] = owner, bound
        return item
