"""Where the pointers of records are: outlines, and the walk that follows one through bytes.

An *outline* is what a declaration says of a record in one version, without names and types of
values: how far its fields reach, and which of its words are pointers.  Outlines are plain tuples
that :mod:`overhaul.schema.outlining` makes of the declarations, so that they can be kept as a
module, and a structure can be moved without the records: neither their classes are imported nor is
a record made.

A walk accepts only what follows the layout rule by which a writer lays records out: elements in
running order, padding of zeros.  Anything else is :class:`Unlike`, and has to be decoded.

The first element of an outline says what it is:

========== ===================================================================================
``fixed``  size, marks, keeps: a stretch of fixed size; ``marks`` are (offset, kind) of its
           pointers, ``keeps`` (slot, offset, struct format) of numbers that later fields look at
``record`` name: another record, in place
``align``  to: zeros up to the next multiple
``given``  slot, numbers, others, outline: stored if the number is one of some, or of all others
``later``  slot, alignment, outline: what a pointer leads to, behind the record; nothing for 0
``inline`` count's struct format, outline: a count, then elements
``count``  slot, size, outline: elements as a number says; without outline that many bytes × size
``times``  number, outline
``end``    outline: whole elements up to the end
``rows``   outline: a count, a number and a pointer for each, and what the pointers lead to
``list``   alignment, outline: a count, pointers, and the elements that they lead to
``product`` size, slots: bytes as many as the product of numbers
``sized``  struct format: a length, and as many bytes
``choice`` slot, key, outlines by number, other: by a number; or with the key "text" by a text
``own``    name, slots, fills: a structure of the format, which says itself how far it reaches;
           the slot ``fills`` (-1: none) gets its value
``unknown`` nothing is known
========== ===================================================================================
"""

from __future__ import annotations

import struct
from array import array
from typing import TYPE_CHECKING

from overhaul.errors import FormatError
from overhaul.schema.streams import MAX_DEPTH, U32

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    from overhaul.schema.streams import AnyVersion, Buffer

    #: offsets in a file, in little memory
    Places: TypeAlias = "array[int]"
    #: the fields of a record's declaration in one version
    Outline: TypeAlias = tuple[Any, ...]
    #: an outline as it is walked: from a position and the numbers kept, to the position after it
    Step: TypeAlias = Callable[["Walk", int, list[int]], int]
    #: a structure of a format: as a step, with the numbers that it looks at; and its value
    Own: TypeAlias = Callable[..., tuple[int, int]]

#: how the numbers are stored that lengths and counts are
LENGTHS = {format: struct.Struct("<" + format) for format in "BHIbhiQqfd"}


class Unlike(FormatError):
    """Bytes that do not follow the rules of the layout: no error, but they must be decoded."""


class Walk:
    """The state of following an outline through ``data``, which ends with the structure.

    ``found`` has the offsets of the pointers, by kind; ``alignment`` is the largest that any part
    is aligned to, so that the structure can be moved by a multiple of it.  The data begin at
    ``base`` of the file and end at ``end``; ``version`` is that of the file, ``depth`` how deep the
    walk is in records.
    """

    def __init__(self, data: Buffer, base: int, version: AnyVersion = None) -> None:
        self.data = data
        self.base = base
        self.end: int = len(data)
        self.version = version
        self.found: dict[str, Places] = {}
        self.alignment = 1
        self.depth = 0

    def of(self, kind: str) -> Places:
        """The offsets found of a kind."""
        found = self.found.get(kind)
        if found is None:
            found = self.found[kind] = array("I")
        return found

    def number(self, position: int) -> int:
        """The 32-bit number at a position."""
        number: int = U32.unpack_from(self.data, position)[0]
        return number

    def skip(self, position: int, size: int) -> int:
        """The position after ``size`` bytes."""
        if not 0 <= size <= self.end - position:
            raise Unlike("a part does not fit", offset=position)
        return position + size

    def aligned(self, position: int, to: int) -> int:
        """The next multiple of ``to``."""
        if to <= 1:
            return position
        self.alignment = max(self.alignment, to)
        end = position + -position % to
        if end != position and (end > self.end or any(self.data[position:end])):
            raise Unlike("padding that is not zero", offset=position)
        return end

    def check(self, count: int, minimum: int, position: int) -> None:
        """Raise Unlike where so many elements can't be left."""
        if count < 0 or count * (minimum or 1) > self.end - position:
            raise Unlike("a count that does not fit", offset=position)


class Outlines:
    """The outlines of records by name, as steps: made of those that are walked."""

    def __init__(
        self,
        records: Mapping[str, Outline],
        own: Mapping[str, Own],
        text: Callable[..., str],
    ) -> None:
        self._records = records
        self._own = own
        #: the text that an address leads to
        self.text = text
        self._steps: dict[str, tuple[Step, int]] = {}

    def walk(self, name: str, walk: Walk, position: int) -> int:
        """Follow the outline of a record, and return the position after it.

        Raises Unlike.
        """
        try:
            return self.record(name)[0](walk, position, [])
        except (struct.error, IndexError, FormatError) as error:
            raise Unlike(str(error), offset=position) from None

    def record(self, name: str) -> tuple[Step, int]:
        """The step of a record, and the fewest bytes that it takes."""
        known = self._steps.get(name)
        if known is None:
            slots, *parts = self._records[name]
            steps: list[Step] = []
            self._steps[name] = known = (_chained(steps, slots), 4)  # it may be inside itself
            least = 0
            for part in parts:
                step, size = self.step(part)
                steps.append(step)
                least += 0 if part[0] in ("given", "later") else size
            if len(steps) == 1 and not slots:
                self._steps[name] = known = (steps[0], least)
            else:
                self._steps[name] = known = (known[0], least)
        return known

    def flat(self, outline: Outline) -> tuple[int, tuple[tuple[int, str], ...]] | None:
        """Size and marks of elements of fixed size; None for others."""
        if outline[0] == "record":
            parts = self._records[outline[1]][1:]
            return self.flat(parts[0]) if len(parts) == 1 else None
        if outline[0] == "fixed" and not outline[3]:
            return outline[1], outline[2]
        return None

    def step(self, outline: Outline) -> tuple[Step, int]:
        """An outline as a step, and the fewest bytes that it takes."""
        made: tuple[Step, int] = _MAKERS[outline[0]](self, *outline[1:])
        return made

    def own(self, name: str) -> Own:
        """A structure of the format."""
        return self._own[name]


def _chained(steps: list[Step], slots: int) -> Step:
    def record(walk: Walk, position: int, _: list[int]) -> int:
        walk.depth += 1
        if walk.depth > MAX_DEPTH:
            raise Unlike("nested too deeply", offset=position)
        kept = [0] * slots
        for step in steps:
            position = step(walk, position, kept)
        walk.depth -= 1
        return position

    return record


def _fixed(
    outlines: Outlines,
    size: int,
    marks: tuple[tuple[int, str], ...],
    keeps: tuple[tuple[int, int, str], ...],
) -> tuple[Step, int]:
    readers = [(slot, offset, LENGTHS[format].unpack_from) for slot, offset, format in keeps]

    def fixed(walk: Walk, position: int, kept: list[int]) -> int:
        end = position + size
        if end > walk.end:
            raise Unlike("the data ends here", offset=position)
        found = walk.found
        for offset, kind in marks:
            if kind in found:
                found[kind].append(position + offset)
            else:
                walk.of(kind).append(position + offset)
        for slot, offset, unpack in readers:
            kept[slot] = unpack(walk.data, position + offset)[0]
        return end

    return fixed, size


def _record(outlines: Outlines, name: str) -> tuple[Step, int]:
    step, least = outlines.record(name)
    return step, least


def _align(outlines: Outlines, to: int) -> tuple[Step, int]:
    return (lambda walk, position, kept: walk.aligned(position, to)), 0


def _given(
    outlines: Outlines, slot: int, numbers: tuple[int, ...], others: bool, inner: Outline
) -> tuple[Step, int]:
    step, _ = outlines.step(inner)

    def given(walk: Walk, position: int, kept: list[int]) -> int:
        if (kept[slot] in numbers) is not others:
            return step(walk, position, kept)
        return position

    return given, 0


def _later(outlines: Outlines, slot: int, alignment: int, inner: Outline) -> tuple[Step, int]:
    step, _ = outlines.step(inner)

    def later(walk: Walk, position: int, kept: list[int]) -> int:
        pointer = kept[slot]
        if not pointer:
            return position
        position = walk.aligned(position, alignment)
        if pointer != position:
            raise Unlike("a structure out of running order", offset=position)
        return step(walk, position, kept)

    return later, 0


def _elements(outlines: Outlines, inner: Outline) -> tuple[Callable[..., int], int]:
    """Many elements one after another: from a position and their number to the position after."""
    flat = outlines.flat(inner)
    if flat is not None:
        size, marks = flat

        def all_at_once(walk: Walk, position: int, count: int, kept: list[int]) -> int:
            end = walk.skip(position, count * size)
            for offset, kind in marks:
                walk.of(kind).extend(range(position + offset, end, size))
            return end

        return all_at_once, size
    step, least = outlines.step(inner)

    def each(walk: Walk, position: int, count: int, kept: list[int]) -> int:
        for _ in range(count):
            position = step(walk, position, kept)
        return position

    return each, least


def _inline(outlines: Outlines, format: str, inner: Outline) -> tuple[Step, int]:
    layout = LENGTHS[format]
    walk_all, least = _elements(outlines, inner)

    def inline(walk: Walk, position: int, kept: list[int]) -> int:
        (count,) = layout.unpack_from(walk.data, position)
        position += layout.size
        walk.check(count, least, position)
        return walk_all(walk, position, count, kept)

    return inline, layout.size


def _count(outlines: Outlines, slot: int, size: int, inner: Outline | None) -> tuple[Step, int]:
    if inner is None:
        return (lambda walk, position, kept: walk.skip(position, kept[slot] * size)), 0
    walk_all, least = _elements(outlines, inner)

    def count(walk: Walk, position: int, kept: list[int]) -> int:
        walk.check(kept[slot], least, position)
        return walk_all(walk, position, kept[slot], kept)

    return count, 0


def _times(outlines: Outlines, number: int, inner: Outline) -> tuple[Step, int]:
    walk_all, least = _elements(outlines, inner)
    return (lambda walk, position, kept: walk_all(walk, position, number, kept)), number * least


def _end(outlines: Outlines, inner: Outline) -> tuple[Step, int]:
    walk_all, least = _elements(outlines, inner)

    def end(walk: Walk, position: int, kept: list[int]) -> int:
        return walk_all(walk, position, max(0, walk.end - position) // least, kept)

    return end, 0


def _list(outlines: Outlines, alignment: int, inner: Outline) -> tuple[Step, int]:
    flat = outlines.flat(inner)
    size, marks = flat or (0, ())
    step, _ = outlines.step(inner)
    read = U32.unpack_from

    def pointers(walk: Walk, position: int, kept: list[int]) -> int:
        data = walk.data
        count: int = read(data, position)[0]
        position += 4
        if not count:
            return position
        places: tuple[int, ...]
        if count == 1:  # as most lists in records have
            places = read(data, position)
            walk.of("pointer").append(position)
        else:
            walk.check(count, 4, position)
            places = struct.unpack_from(f"<{count}I", data, position)
            walk.of("pointer").extend(range(position, position + 4 * count, 4))
        position += 4 * count
        if flat is not None and count > 1 and size % alignment == 0:
            start = position + -position % alignment
            end = start + count * size
            if end <= walk.end and places == tuple(range(start, end, size)):
                walk.aligned(position, alignment)
                for offset, kind in marks:
                    walk.of(kind).extend(range(start + offset, end, size))
                return end
        for place in places:
            if place:
                if alignment > 1:
                    position = walk.aligned(position, alignment)
                if place != position:
                    raise Unlike("an element out of running order", offset=place)
                position = step(walk, position, [])
        return position

    return pointers, 4


def _rows(outlines: Outlines, inner: Outline) -> tuple[Step, int]:
    step, _ = outlines.step(inner)

    def rows(walk: Walk, position: int, kept: list[int]) -> int:
        count = walk.number(position)
        position += 4
        walk.check(count, 12, position)
        places = struct.unpack_from(f"<{2 * count}I", walk.data, position)[1::2]
        walk.of("pointer").extend(range(position + 4, position + 8 * count, 8))
        position += 8 * count
        for place in places:
            if place != position:
                raise Unlike("an element out of running order", offset=place)
            position = step(walk, position, kept)
        return position

    return rows, 4


def _product(outlines: Outlines, size: int, slots: tuple[int, ...]) -> tuple[Step, int]:
    def product(walk: Walk, position: int, kept: list[int]) -> int:
        total = size
        for slot in slots:
            total *= kept[slot]
        return walk.skip(position, total)

    return product, 0


def _sized(outlines: Outlines, format: str) -> tuple[Step, int]:
    layout = LENGTHS[format]

    def sized(walk: Walk, position: int, kept: list[int]) -> int:
        (length,) = layout.unpack_from(walk.data, position)
        return walk.skip(position + layout.size, length)

    return sized, layout.size


def _choice(
    outlines: Outlines, slot: int, key: str, cases: Mapping[object, Outline], other: Outline | None
) -> tuple[Step, int]:
    steps: dict[object, Step] = {}
    text = outlines.text if key == "text" else None

    def choice(walk: Walk, position: int, kept: list[int]) -> int:
        chosen: object = kept[slot] if text is None else text(walk, kept[slot])
        outline = cases.get(chosen, other)
        if outline is None:
            raise Unlike(f"no layout for {chosen!r:.40}", offset=position)
        step = steps.get(chosen)
        if step is None:
            step = steps[chosen] = outlines.step(outline)[0]
        return step(walk, position, kept)

    return choice, 0


def _own(outlines: Outlines, name: str, slots: tuple[int, ...], fills: int) -> tuple[Step, int]:
    function = outlines.own(name)

    def own(walk: Walk, position: int, kept: list[int]) -> int:
        position, value = function(walk, position, *[kept[slot] for slot in slots])
        if fills >= 0:
            kept[fills] = value
        return position

    return own, 0


def _unknown(outlines: Outlines, what: str) -> tuple[Step, int]:
    def unknown(walk: Walk, position: int, kept: list[int]) -> int:
        raise Unlike(f"no layout for {what}", offset=position)

    return unknown, 0


_MAKERS: dict[str, Callable[..., tuple[Step, int]]] = {
    "fixed": _fixed,
    "record": _record,
    "align": _align,
    "given": _given,
    "later": _later,
    "inline": _inline,
    "count": _count,
    "times": _times,
    "end": _end,
    "list": _list,
    "rows": _rows,
    "product": _product,
    "sized": _sized,
    "choice": _choice,
    "own": _own,
    "unknown": _unknown,
}
