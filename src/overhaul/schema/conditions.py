"""Conditions under which a field is present, resolved when a codec is generated.

A :class:`Condition` tests only the version (any hashable value the format chooses), so that
the generated code holds no test for it.  A :class:`When` tests an earlier field of the same
record and is tested for each record.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

TYPE_CHECKING = False


class Condition:
    """A test of the version: ``holds(version)``, and its words for the documentation."""

    __slots__ = ("holds", "words")

    def __init__(self, holds: Callable[[Any], bool], words: str) -> None:
        self.holds: Callable[[Any], bool] = holds
        self.words: str = words

    def __and__(self, other: Condition) -> Condition:
        return Condition(
            lambda version: self.holds(version) and other.holds(version),
            f"{self.words}, {other.words}",
        )

    def __invert__(self) -> Condition:
        return Condition(lambda version: not self.holds(version), f"not {self.words}")


def since(version: int) -> Condition:
    """Present from this version on, where versions are numbers."""
    return Condition(lambda actual: actual >= version, f"since {version}")


def before(version: int) -> Condition:
    """Present below this version, where versions are numbers."""
    return Condition(lambda actual: actual < version, f"before {version}")


def only(*versions: int) -> Condition:
    """Present in just these versions, where versions are numbers."""
    return Condition(lambda actual: actual in versions, "only " + ", ".join(map(str, versions)))


class When:
    """A test of an earlier field of the same record, made for each record.

    ``holds`` is asked with the value of the field; ``words`` are for the documentation.
    """

    __slots__ = ("field", "holds", "words")

    def __init__(self, field: str, holds: Callable[[Any], bool], words: str) -> None:
        self.field: str = field
        self.holds: Callable[[Any], bool] = holds
        self.words: str = words


def given(field: str) -> When:
    """Present if an earlier field is not zero."""
    return When(field, bool, f"if {field}")
