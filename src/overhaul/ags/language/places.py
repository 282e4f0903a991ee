"""Columns: which part of a line a token came from."""

from __future__ import annotations

from overhaul.ags.language.errors import ScriptError
from overhaul.ags.language.options import Source


def with_column(error: ScriptError, source: Source, lines: list[str]) -> ScriptError:
    """An error whose column is the number of a token, with the column of that token."""
    return ScriptError(error.message, error.line, error.column, name=source.name,
        undeclared=error.undeclared,
        redeclared=error.redeclared)
