"""The values that stand inside a ds string, where Python has no type of its own for them.

A real is a ``float``, a string a ``str`` (``bytes`` when it is no text in the structure's
encoding), a boolean a ``bool``, undefined is ``None`` and an array a ``list``.  The classes here
are for the rest; each keeps what it takes to write the same bytes again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


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

    No source settles whether its payload takes 8 bytes or 4; ``size`` is what the string was
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
        """What the value means."""
        return self.text if self.tag else self.real


class Rows(list["list[Value]"]):
    """An array of generation 2 as its rows: two dimensions, each row of its own length.

    An array of exactly one row is a plain ``list``, as people think of it.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Rows({super().__repr__()})"


# What an element can be.  A structure (or, on writing, a plain mapping) in a value's place stands
# for its string, which is how games nest them by hand.
Value: TypeAlias = object
