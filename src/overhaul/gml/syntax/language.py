"""What the parser and printer need of a dialect."""

from __future__ import annotations

from typing import Protocol


class Language(Protocol):
    """What the parser needs of a dialect."""

    @property
    def gms2_or_later(self) -> bool:
        """GMS2 strings (escapes) instead of GMS1's."""
        ...

    @property
    def gml_v2(self) -> bool:
        """Functions, structs, methods (2.3 and later)."""
        ...


class Newest:
    """The newest language."""

    gms2_or_later = True
    gml_v2 = True
