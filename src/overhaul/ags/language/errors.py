"""Errors in scripts."""

from __future__ import annotations

from overhaul.errors import SourceError


class ScriptError(SourceError):
    """The text of a script does not compile.

    ``name`` is the script, ``line`` and ``column`` the place in it, counted from 1.
    ``undeclared`` is the name that has no declaration, and what stands behind its dot, and
    ``redeclared`` a name that has one already; they are "" for other errors.
    """

    def __init__(
        self,
        message: str,
        line: int = 0,
        column: int = 0,
        *,
        name: str = "",
        undeclared: tuple[str, str] = ("", ""),
        redeclared: str = "",
    ) -> None:
        super().__init__(message, line, column, name=name)
        self.undeclared = undeclared
        self.redeclared = redeclared
