"""How often a test of random things repeats: ``from repeats import times``."""

from __future__ import annotations

import os


def times(most: int, part: int) -> int:
    """``most`` with OVERHAUL_FULL=1, else one of ``part`` of it."""
    return most if os.environ.get("OVERHAUL_FULL") == "1" else most // part
