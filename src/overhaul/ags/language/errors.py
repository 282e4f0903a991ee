"""Errors in scripts."""

from __future__ import annotations

from overhaul.errors import SourceError


class ScriptError(SourceError):
    """The text of a script does not compile.

    ``name`` is the script, ``line`` and ``column`` the place in it, counted from 1.
    """
