"""How tightly the binary operators bind."""

from __future__ import annotations

from typing import Final

PRECEDENCE: Final[dict[str, int]] = {
    "??": 1, "||": 2, "&&": 3, "^^": 4,
    "==": 5, "=": 5, "!=": 5, "<": 5, "<=": 5, ">": 5, ">=": 5,
    "&": 6, "|": 6, "^": 6, "<<": 7, ">>": 7,
    "+": 8, "-": 8, "*": 9, "/": 9, "%": 9, "div": 9,
}  # fmt: skip
