"""Conditions under which a field is present, resolved when a codec is generated.

A :class:`Condition` looks only at the version (any hashable value the format chooses), so that
the generated code holds no test for it.  A :class:`Given` looks at an earlier field of the same
record and is tested at run time.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Condition:
    """A test of the version: ``holds(version)``, and its words for the documentation."""

    __slots__ = ("holds", "words")

    def __init__(self, holds: Callable[[Any], bool], words: str) -> None:
        self.holds = holds
        self.words = words

    def __and__(self, other: Condition) -> Condition:
        return Condition(
            lambda version: self.holds(version) and other.holds(version),
            f"{self.words}, {other.words}",
        )

    def __invert__(self) -> Condition:
        return Condition(lambda version: not self.holds(version), f"not {self.words}")


class When:
    """A test of an earlier field of the same record, made for each record."""

    __slots__ = ("field", "holds", "words")

    def __init__(self, field: str, holds: Callable[[Any], bool], words: str) -> None:
        self.field = field
        self.holds = holds
        self.words = words
