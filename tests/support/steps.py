"""Limits by steps instead of by a clock: a busy machine takes longer, but no more steps."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TooManySteps(AssertionError):
    """More calls than a test allows."""


@contextmanager
def at_most(limit: int) -> Iterator[None]:
    """Raise TooManySteps when more than ``limit`` functions are called or left, C's too."""
    left = limit

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            sys.setprofile(None)
            raise TooManySteps(f"more than {limit} calls")

    outer = sys.getprofile()
    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(outer)
