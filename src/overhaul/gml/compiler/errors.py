"""How the compiler reports what is wrong with a source."""

from __future__ import annotations


class Problem(Exception):
    """Something at a place of the source that does not compile; leaves the statement."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.message = message
        self.position = position
