"""Errors about code that the decompiler cannot read."""

from __future__ import annotations

from overhaul.errors import FormatError


class Unstructured(FormatError):
    """Code that is not what the compiler makes of a script; ``place`` is its code word."""

    def __init__(self, reason: str, place: int) -> None:
        super().__init__(f"{reason} (code word {place})")
        self.reason = reason
        self.place = place
