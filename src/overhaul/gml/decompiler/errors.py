"""What goes wrong while code is read."""

from __future__ import annotations

from typing import Final

MAXIMUM_DEPTH: Final = 80
"""How deep expressions and statements may nest."""


class StructureError(Exception):
    """A stretch of code has no structured form; the message says why.  Never leaves the package."""
