"""Results that the tests of one file share: ``from per_file import per_file``."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeVar

Made = TypeVar("Made", bound=Callable[..., object])

#: How to forget what was made; conftest.py does so after each file.
FORGET: list[Callable[[], None]] = []


def per_file(function: Made) -> Made:
    """A function that keeps what it returned, which nobody changes, until the next file of tests.

    Not for longer: a changed line (``dev.py mutate``) is shown to the tests of the files that run
    it.
    """
    made = cache(function)
    FORGET.append(made.cache_clear)
    return made  # type: ignore[return-value]
