"""Outlines of records (:mod:`overhaul.schema.outline`), made of what their classes declare.

A codec of a format's own says its outline by a method ``outline(outliner, slot_of)``; one without
it is ``unknown``, and a chunk with such a field in it is decoded.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Protocol

from overhaul.schema import fields, lists
from overhaul.schema.codec import Deferred, FieldCodec, FixedCodec, resolve
from overhaul.schema.conditions import When
from overhaul.schema.declaration import Field, fields_of
from overhaul.schema.generator import signature_of
from overhaul.schema.record import Record
from overhaul.schema.streams import AnyVersion

if TYPE_CHECKING:
    from overhaul.schema.outline import Outline

#: the values that tests of earlier fields are tried with
_TRIED = (*range(300), 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF, -1, -2)
#: the kinds of resolved fields that hold an address
_ADDRESSES = frozenset({"string", "item"})


class SlotOf(Protocol):
    """The slot of a field that a later one looks at."""

    def __call__(self, name: str, /) -> int: ...


class Outliner:
    """Makes the outlines of records, by name: those of equal layout have one.

    ``version`` is the one that the outlines are for.
    """

    def __init__(self, addresses: dict[tuple[str, str], str]) -> None:
        #: more fields that hold an address: by record and field, the kind
        self.addresses = addresses
        self.records: dict[str, Outline] = {}
        self._names: dict[tuple[type[Record], Hashable], str] = {}
        self._counts: dict[str, int] = {}
        self.version: AnyVersion = None

    def record(self, record: type[Record], version: Hashable) -> str:
        """The name of a record's outline in a version."""
        key = (record, signature_of(record, version))
        name = self._names.get(key)
        if name is None:
            number = self._counts[record.__name__] = self._counts.get(record.__name__, 0) + 1
            name = record.__name__ + (f" {number}" if number > 1 else "")
            self._names[key] = name
            before, self.version = self.version, version
            self.records[name] = ()
            self.records[name] = _OfRecord(self, record).outline()
            self.version = before
        return name

    def of(self, codec: FieldCodec | None, slot_of: SlotOf) -> Outline:
        """The outline of a field."""
        codec = None if codec is None else resolve(codec, self.version)
        said: Callable[[Outliner, SlotOf], Outline] | None = getattr(codec, "outline", None)
        if said is not None:
            return said(self, slot_of)
        if isinstance(codec, FixedCodec):
            kind = codec.kind if codec.kind in _ADDRESSES else None
            return ("fixed", codec.size, () if kind is None else ((0, kind),), ())
        if isinstance(codec, lists.ListCodec):
            return self._of_list(codec, slot_of)
        return self._of_other(codec, slot_of)

    def _of_list(self, codec: lists.ListCodec, slot_of: SlotOf) -> Outline:
        inner = self.of(codec.element, _nothing_before)
        if isinstance(codec, lists.Inline):
            return ("inline", codec.count, inner)
        if isinstance(codec, lists.Times):
            return ("times", codec.count, inner)
        if isinstance(codec, lists.Pointers):
            return ("list", codec.alignment(self.version), inner)
        if isinstance(codec, lists.Counted) and codec.count is None:
            return ("count", slot_of(codec.needs[0]), 0, inner)
        if isinstance(codec, lists.ToEnd) and codec.whole:
            return ("end", inner)
        return ("unknown", codec.type_name())

    def _of_other(self, codec: FieldCodec | None, slot_of: SlotOf) -> Outline:
        if isinstance(codec, fields.Embedded):
            return ("record", self.record(codec.record, self.version))
        if isinstance(codec, fields.Padding):
            return ("align", codec.alignment)
        if isinstance(codec, fields.Numbers):
            return ("product", codec.size, tuple(map(slot_of, codec.needs)))
        if isinstance(codec, fields.SizedBytes):
            return ("sized", codec.size.format)
        if isinstance(codec, fields.CountedBytes) and codec.count is None:
            return ("count", slot_of(codec.needs[0]), codec.unit, None)
        if isinstance(codec, fields.Switch) and codec.key in (None, str):
            cases = {
                _plain(value): ("record", self.record(case, self.version))
                for value, case in codec.cases.items()
            }
            other = None if codec.unknown else ("fixed", 0, (), ())
            key = "number" if codec.key is None else "text"
            return ("choice", slot_of(codec.needs[0]), key, cases, other)
        return ("unknown", "a field" if codec is None else codec.type_name())


def _plain(value: object) -> object:
    return int(value) if isinstance(value, int) else value


def _nothing_before(name: str) -> int:
    raise TypeError(f"an element of a list looks at {name}, which stands before the list")


class _OfRecord:
    """The outline of one record."""

    def __init__(self, outliner: Outliner, record: type[Record]) -> None:
        self.outliner = outliner
        self.record = record
        self.slots: dict[str, int] = {}
        self.kept: set[str] = set()
        version = outliner.version
        self.fields = [field for field in fields_of(record) if field.present(version)]

    def slot(self, name: str) -> int:
        """The slot of a field."""
        return self.slots.setdefault(name, len(self.slots))

    def outline(self) -> Outline:
        """The number of slots, then the parts."""
        # first which fields are looked at, then the parts with these kept
        for field in self.fields:
            self._looked_at(field)
        parts: list[Outline] = []
        behind: list[Outline] = []
        for field in self.fields:
            self._add(field, parts, behind)
        return (len(self.slots), *_merged([*parts, *behind]))

    def _looked_at(self, field: Field) -> None:
        codec = resolve(field.codec, self.outliner.version)
        if field.given is not None:
            self.slot(field.given.field)
        if isinstance(codec, Deferred):
            self.outliner.of(codec.inner, self.slot)
        elif not isinstance(codec, FixedCodec):
            self.outliner.of(codec, self.slot)

    def _add(self, field: Field, parts: list[Outline], behind: list[Outline]) -> None:
        version = self.outliner.version
        codec = resolve(field.codec, version)
        if to := field.aligned(version):
            parts.append(("align", to))
        if isinstance(codec, Deferred):
            slot = self.slot(f"{field.name} (pointer)")
            self._part(field, ("fixed", 4, ((0, "pointer"),), ((slot, 0, "I"),)), parts)
            # without the condition: the slot stays 0 where the pointer is not stored
            behind.append(("later", slot, codec.align, self.outliner.of(codec.inner, self.slot)))
            return
        made = self.outliner.of(codec, self.slot)
        kind = self.outliner.addresses.get((self.record.__name__, field.name))
        if kind is not None:
            made = ("fixed", made[1], ((0, kind),), ())
        if field.name in self.slots:
            if isinstance(codec, FixedCodec):
                keeps = ((self.slots[field.name], 0, codec.format),)
                made = ("fixed", made[1], made[2], keeps)
            elif made[0] == "own":
                made = (*made[:3], self.slots[field.name])
            else:
                made = ("unknown", f"{self.record.__name__}.{field.name}")
        self._part(field, made, parts)

    def _part(self, field: Field, made: Outline, parts: list[Outline]) -> None:
        if field.given is None:
            parts.append(made)
        else:
            slot = self.slot(field.given.field)
            parts.append(("given", slot, *_numbers(field.given), made))


def _numbers(test: When) -> tuple[tuple[int, ...], bool]:
    """The numbers that a test holds for; or, and True, those that it does not hold for.

    Raises TypeError for a test that distinguishes large numbers.
    """
    held = {number: bool(test.holds(number)) for number in _TRIED}
    others = held[0x7FFFFFFF]
    numbers = tuple(number for number, holds in held.items() if holds is not others)
    if numbers and max(numbers) > 16:
        numbers = tuple(number for number in numbers if 0 <= number <= 16)
        if any(held[n] is not others for n in (17, 299, 0x80000000, 0xFFFFFFFF)):
            raise TypeError(f"the outline of a field {test.words} can't be made")
    return tuple(number for number in numbers if number >= 0), others


def _merged(parts: list[Outline]) -> list[Outline]:
    """Neighbouring stretches of fixed size as one."""
    merged: list[Outline] = []
    for part in parts:
        if part[0] == "fixed" and merged and merged[-1][0] == "fixed":
            _, size, marks, keeps = merged.pop()
            part = (
                "fixed",
                size + part[1],
                (*marks, *((size + offset, kind) for offset, kind in part[2])),
                (*keeps, *((slot, size + offset, format) for slot, offset, format in part[3])),
            )
        merged.append(part)
    return merged
