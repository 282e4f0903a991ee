"""The bytes that a resource, or a part of a file, is stored as, and what they say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from overhaul.schema import Buffer
from overhaul.schema.spans import Span


class Stored(NamedTuple):
    """A stretch of bytes: ``data`` from ``start`` to ``end``, called ``title``.

    ``spans`` gives the values in a part of it (from, to), as far as they are declared.  ``data``
    is the file, or what ``note`` says; ``offset`` is where its first byte is in the file, and None
    where it is not in the file as it is (it is compressed there).
    """

    title: str
    data: Buffer
    start: int
    end: int
    spans: Callable[[int, int], list[Span]]
    note: str = ""
    offset: int | None = 0


@runtime_checkable
class ShowsBytes(Protocol):
    """A document that shows how its resources are stored."""

    def stored(self, kind: str, position: int, name: str) -> Sequence[Stored]:
        """The stretches of bytes of the resource that ``ls`` lists at a position of its kind, by
        its name; none where they are not known."""

    def stored_parts(self) -> Sequence[Stored]:
        """The parts of the whole file, in their order."""


def unnamed(start: int, end: int) -> list[Span]:
    """The values of bytes that no record declares: none."""
    return []
