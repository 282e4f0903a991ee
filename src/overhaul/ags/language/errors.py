"""Errors in scripts."""

from __future__ import annotations

from overhaul.errors import SourceError


class ScriptError(SourceError):
    """The text of a script does not compile.

    ``name`` is the script, ``line`` and ``column`` the place in it, counted from 1.
    ``undeclared`` is the name that has no declaration, and the name after its dot, and
    ``redeclared`` a name that has one already; they are "" for other errors.  ``unknown`` is the
    name that the error is about if its declaration may be what is wrong.  ``errors`` has every
    error that was looked for, this one first; ``at`` is the token, before columns are known.
    ``function`` is the function that the error is in, where compiling went on behind it.
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
        self.unknown = undeclared[0]
        self.at = 0
        self.function = ""
        self.errors: list[ScriptError] = [self]

    def __str__(self) -> str:
        """Every error: ``name:line:column: message``, one a line."""
        return "\n".join(SourceError.__str__(error) for error in self.errors)
