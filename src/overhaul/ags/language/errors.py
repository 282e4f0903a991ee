"""Errors in scripts."""

from __future__ import annotations

from overhaul.errors import SourceError


class ScriptError(SourceError):
    """The text of a script does not compile.

    ``name`` is the script, ``line`` and ``column`` the place in it, counted from 1.
    ``undeclared`` is the name that has no declaration, and what stands behind its dot; both are ""
    for other errors.
    """

    def __init__(
        self,
        message: str,
        line: int = 0,
        column: int = 0,
        *,
        name: str = "",
        undeclared: tuple[str, str] = ("", ""),
    ) -> None:
        super().__init__(message, line, column, name=name)
        self.undeclared = undeclared
