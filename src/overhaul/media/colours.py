"""Colours of four parts, as numbers and as texts."""

from __future__ import annotations

from typing import NamedTuple, Self


class Colour(NamedTuple):
    """A colour; each part from 0 to 255.

    The parts are ``red``, ``green``, ``blue`` and ``alpha`` (255: opaque).
    """

    red: int = 0
    green: int = 0
    blue: int = 0
    alpha: int = 255

    @classmethod
    def of(cls, value: Self | tuple[int, ...] | str) -> Self:
        """A colour from a tuple of three or four numbers, or from ``"#rrggbb"``, ``"#rrggbbaa"``.

        Raises ValueError for anything else.
        """
        if isinstance(value, str):
            digits = value.removeprefix("#")
            if len(digits) not in (6, 8) or not all(c in "0123456789abcdefABCDEF" for c in digits):
                raise ValueError(f"expected a colour as '#rrggbb' or '#rrggbbaa', got {value!r}")
            return cls(*bytes.fromhex(digits))
        if not 3 <= len(value) <= 4 or any(not 0 <= part <= 255 for part in value):
            raise ValueError(f"expected 3 or 4 numbers from 0 to 255, got {value!r}")
        return cls(*value)

    @classmethod
    def from_abgr(cls, value: int) -> Self:
        """The colour of a number whose lowest byte is red and whose highest byte is alpha."""
        return cls(value & 255, value >> 8 & 255, value >> 16 & 255, value >> 24 & 255)

    def to_abgr(self) -> int:
        """The number whose lowest byte is red and whose highest byte is alpha."""
        return self.red | self.green << 8 | self.blue << 16 | self.alpha << 24

    def __str__(self) -> str:
        alpha = "" if self.alpha == 255 else f"{self.alpha:02x}"
        return f"#{self.red:02x}{self.green:02x}{self.blue:02x}{alpha}"
