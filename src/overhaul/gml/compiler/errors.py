"""The error that the parts of the compiler raise."""

from __future__ import annotations


class Problem(Exception):
    """Raised where the source does not compile; leaves the statement."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.message = message
        self.position = position
