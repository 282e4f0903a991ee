"""The six data structures and their values as Python objects that keep how they were written.

Each behaves as the collection its users expect, and carries, in fields of its own, what the text
had beyond the elements: the generation, the case of the hexadecimal digits, a queue's unused
slots, bytes after the end.  Editing the elements keeps those.

A real is a ``float``, a string a ``str`` (``bytes`` if it is not text in the structure's
encoding), a boolean a ``bool``, undefined is ``None`` and an array a ``list``. There are classes
for the other values; each keeps what it takes to write the same bytes again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, cast


class Int32(int):
    """A 32-bit integer (tag 7), -2**31 to 2**31 - 1."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Int32({int(self)})"


class Int64(int):
    """A 64-bit integer (tag 10), -2**63 to 2**63 - 1."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Int64({int(self)})"


class Pointer(int):
    """A pointer (tag 3): an address in the run that wrote it, 0 to 2**64 - 1."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Pointer({int(self):#x})"


class Boolean(float):
    """A boolean (tag 13) whose stored real is neither 0.0 nor 1.0, which ``bool`` can't hold."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Boolean({float(self)!r})"


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference to an asset, a function or a structure (tag 15).

    No source says whether its payload takes 8 bytes or 4; ``size`` is what the string was
    found to hold.  In the real string known, ``value`` is a script's index plus 100000.
    """

    value: int
    size: int = 8


@dataclass(frozen=True, slots=True)
class Mark:
    """An element marked as a list or a map by GameMaker: Studio 1 (tags 2**30 and 2**31).

    ``real`` is the payload if the string holds one: the one description there is says that none
    follows, and no real string was found to confirm it.
    """

    kind: str  # "list" or "map"
    real: float | None = None


@dataclass(frozen=True, slots=True)
class Legacy:
    """A value of generation 1 whose unused half is not zero.

    Generation 1 stores a real *and* a string for every value, whichever ``tag`` (0 real,
    1 string) says is meant.  Where the other half is empty the value is a plain ``float`` or
    ``str``; this keeps both.
    """

    tag: int
    real: float
    text: str | bytes

    @property
    def value(self) -> float | str | bytes:
        """The meaning of the value."""
        return self.text if self.tag else self.real


class Rows(list["list[Value]"]):
    """An array of generation 2 as its rows: two dimensions, each row of its own length.

    An array of exactly one row is a plain ``list``, as people think of it.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Rows({super().__repr__()})"


# The types of an element. A structure (or, on writing, a plain mapping) in a value's place stands
# for its string, which is how games nest them by hand.
Value: TypeAlias = object


NEWEST_GENERATION = 3


class Structure:
    """The parts of every ds structure besides its elements.

    - ``generation``: 1 (Game Maker 6-8.1, GameMaker: Studio to 1.2), 2 (Studio 1.3 to
      GameMaker Studio 2.2) or 3 (2.3 and later).  The last digit of the magic number.
    - ``lower_case``: the digits are ``abcdef``.  Runners write upper case.
    - ``mixed_case``: the digits as read, where both cases occur; used again while they spell the
      same bytes.
    - ``encoding``: of the strings (a Python codec name).
    - ``trailing``: bytes after the last element.  Runners ignore them.
    - ``lead``: what stands before the digits in a file of its own (a quotation mark, white space).
    - ``base64``: None, or what stands behind the digits where they are in base64, as games put
      them with ``base64_encode`` ("") or from a buffer (its final NUL).
    - ``rest``: text after the last pair of digits (a line end, say).  Runners ignore it.
    """

    kind: str = ""

    # Class attributes are the defaults: only a structure that differs has an entry of its own.
    generation: int = NEWEST_GENERATION
    lower_case: bool = False
    mixed_case: str = ""
    encoding: str = "utf-8"
    trailing: bytes = b""
    lead: str = ""
    base64: str | None = None
    rest: str = ""


class DsList(list[Value], Structure):
    """A ``ds_list``: a Python list."""

    kind = "list"

    def __repr__(self) -> str:
        return f"DsList({super().__repr__()})"


class DsStack(list[Value], Structure):
    """A ``ds_stack``: a Python list whose last element is the top."""

    kind = "stack"

    def __repr__(self) -> str:
        return f"DsStack({super().__repr__()})"


class DsQueue(list[Value], Structure):
    """A ``ds_queue``: a Python list whose first element is the head (the next to leave).

    The runner stores its whole ring of slots.  ``before`` are the values in slots that were
    already dequeued, ``after`` those in slots not used yet; runners of the browser store neither.
    When the queue grows it takes over slots of ``after``; when it shrinks, zeros fill them, so
    that the number of slots stays as long as it suffices.
    """

    kind = "queue"

    def __init__(
        self,
        values: Iterable[Value] = (),
        *,
        before: Iterable[Value] = (),
        after: Iterable[Value] = (),
    ) -> None:
        super().__init__(values)
        self.before: list[Value] = list(before)
        self.after: list[Value] = list(after)
        self._slots = len(self.before) + len(self) + len(self.after)

    def slots(self) -> tuple[int, int, list[Value]]:
        """The stored slots: the index after the last element, that of the first, every slot."""
        head, tail = len(self.before), len(self.before) + len(self)
        first_free = self._slots - len(self.after)
        spare = self.after[max(0, tail - first_free) :]
        zeros: list[Value] = [0.0] * max(0, first_free - tail)
        return tail, head, [*self.before, *self, *zeros, *spare]

    def __repr__(self) -> str:
        return f"DsQueue({super().__repr__()})"


class Prioritized(NamedTuple):
    """An element of a priority queue."""

    value: Value
    priority: Value


class DsPriority(list[Prioritized], Structure):
    """A ``ds_priority``: a list of :class:`Prioritized`, in the stored order (not sorted)."""

    kind = "priority"

    def minimum(self) -> Prioritized:
        """The element of lowest priority; the first of equals.  ValueError if empty."""
        return min(self, key=lambda element: cast("float", element.priority))

    def maximum(self) -> Prioritized:
        """The element of highest priority; the first of equals.  ValueError if empty."""
        return max(self, key=lambda element: cast("float", element.priority))

    def __repr__(self) -> str:
        return f"DsPriority({super().__repr__()})"


class DsGrid(Structure):
    """A ``ds_grid``: ``grid[x, y]``, ``width`` columns of ``height`` values.

    ``cells`` is the stored order, column by column: x outer, y inner.
    """

    kind = "grid"

    def __init__(self, width: int, height: int, cells: list[Value] | None = None) -> None:
        if width < 0 or height < 0:
            raise ValueError(f"a grid can't be {width} by {height}")
        self.width = width
        self.height = height
        self.cells: list[Value] = [0.0] * (width * height) if cells is None else cells
        if len(self.cells) != width * height:
            raise ValueError(f"{len(self.cells)} values for a grid of {width} by {height}")

    @classmethod
    def from_rows(cls, rows: Iterable[Iterable[Value]]) -> DsGrid:
        """A grid of the given rows, top first, all of one length (ValueError otherwise)."""
        table = [list(row) for row in rows]
        width = len(table[0]) if table else 0
        if any(len(row) != width for row in table):
            raise ValueError("the rows of a grid are all of one length")
        return cls(width, len(table), [row[x] for x in range(width) for row in table])

    def _place(self, position: tuple[int, int]) -> int:
        x, y = position
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise IndexError(f"({x}, {y}) is outside a grid of {self.width} by {self.height}")
        return x * self.height + y

    def __getitem__(self, position: tuple[int, int]) -> Value:
        return self.cells[self._place(position)]

    def __setitem__(self, position: tuple[int, int], value: Value) -> None:
        self.cells[self._place(position)] = value

    def rows(self) -> list[list[Value]]:
        """``height`` rows of ``width`` values, as one reads a table; none if either is 0."""
        if not self.cells:
            return []
        return [self.cells[y :: self.height] for y in range(self.height)]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DsGrid):
            return NotImplemented
        return (self.width, self.height, self.cells) == (other.width, other.height, other.cells)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"DsGrid({self.width}, {self.height}, {self.cells!r})"


class DsMap(MutableMapping[Value, Value], Structure):
    """A ``ds_map``: a mapping in the stored order, whose keys are numbers and strings.

    Maps of Game Maker 8 and earlier may hold one key several times: iterating, ``items()`` and
    ``len`` see every entry; ``map[key]`` is the first, as it is for ``ds_map_find_value``.
    Setting a key that is there keeps its place.
    """

    kind = "map"

    def __init__(self, entries: Mapping[Any, Value] | Iterable[tuple[Value, Value]] = ()) -> None:
        pairs = entries.items() if isinstance(entries, Mapping) else entries
        # Entries by a number that only grows: taking one out disturbs no other.
        self._entries: dict[int, tuple[Value, Value]] = dict(enumerate(pairs))
        self._next = len(self._entries)
        self._index: dict[Value, list[int]] | None = None

    def pairs(self) -> list[tuple[Value, Value]]:
        """Every entry as (key, value), in the stored order."""
        return list(self._entries.values())

    def getall(self, key: Value) -> list[Value]:
        """Every value that ``key`` has."""
        return [self._entries[number][1] for number in self._find().get(_lookup(key), ())]

    def add(self, key: Value, value: Value) -> None:
        """Append an entry, even where the key is there already."""
        if self._index is not None:
            self._index.setdefault(_lookup(key), []).append(self._next)
        self._entries[self._next] = (key, value)
        self._next += 1

    def _find(self) -> dict[Value, list[int]]:
        if self._index is None:
            self._index = {}
            for number, (key, _) in self._entries.items():
                self._index.setdefault(_lookup(key), []).append(number)
        return self._index

    def __getitem__(self, key: Value) -> Value:
        return self._entries[self._find()[_lookup(key)][0]][1]

    def __setitem__(self, key: Value, value: Value) -> None:
        numbers = self._find().get(_lookup(key))
        if numbers:
            self._entries[numbers[0]] = (self._entries[numbers[0]][0], value)
        else:
            self.add(key, value)

    def __delitem__(self, key: Value) -> None:
        for number in self._find().pop(_lookup(key)):
            del self._entries[number]

    def __iter__(self) -> Iterator[Value]:
        return (key for key, _ in self._entries.values())

    def __len__(self) -> int:
        return len(self._entries)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, DsMap):
            return self.pairs() == other.pairs()
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        inside = ", ".join(f"{key!r}: {value!r}" for key, value in self._entries.values())
        return f"DsMap({{{inside}}})"


def _lookup(key: Value) -> Value:
    """The key as dictionaries take it: an array can be a key of a ds_map too."""
    return repr(key) if isinstance(key, list | Structure) else key
