"""What the parser and printer need of a dialect."""

from __future__ import annotations

import re
from typing import Final, Protocol

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def is_name(text: str) -> bool:
    """Whether a text could be the name of a variable."""
    return _NAME.fullmatch(text) is not None


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
