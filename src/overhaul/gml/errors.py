"""Errors in people's source text and assembly: several may be collected before stopping."""

from __future__ import annotations

from collections.abc import Sequence

from overhaul.errors import SourceError


class SyntaxError_(SourceError):  # noqa: N801 - the public name; SyntaxError is Python's
    """The text is not GML (or not assembly).  ``errors`` has every error found, this one first."""

    def __init__(
        self,
        message: str,
        line: int = 0,
        column: int = 0,
        *,
        name: str = "",
        errors: Sequence[SourceError] = (),
    ) -> None:
        super().__init__(message, line, column, name=name)
        self.errors: list[SourceError] = list(errors) or [self]

    def __str__(self) -> str:
        """Every error: ``name:line:column: message``, below it the line and a caret."""
        if self.errors == [self]:
            return super().__str__()
        place = self.name or "source"
        return "\n".join(
            f"{place}:{error.line}:{error.column}: {error.message}"
            if isinstance(error, SyntaxError_)
            else f"{place}:{error}"
            for error in self.errors
        )


class CompileError(SyntaxError_):
    """The text is GML, but does not compile: an unknown function, a wrong argument count."""
