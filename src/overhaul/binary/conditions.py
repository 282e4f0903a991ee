"""Conditions under which a field is present, resolved when a codec is generated.

A :class:`Condition` looks only at the version (any hashable value the format chooses), so that
the generated code holds no test for it.  A :class:`Given` looks at an earlier field of the same
record and is tested at run time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Condition:
    """A test of the version: ``holds(version)``, and its words for the documentation."""

    holds: Callable[[Any], bool]
    words: str

    def __and__(self, other: Condition) -> Condition:
        return Condition(
            lambda version: self.holds(version) and other.holds(version),
            f"{self.words}, {other.words}",
        )

    def __invert__(self) -> Condition:
        return Condition(lambda version: not self.holds(version), f"not {self.words}")


@dataclass(frozen=True)
class Given:
    """A test of an earlier field of the same record, made for each record."""

    field: str
    holds: Callable[[Any], bool]
    words: str
