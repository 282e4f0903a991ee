"""Debugger files (.yydebug): read, written, and made for any game."""

from __future__ import annotations

from .document import DebugData

__all__ = ["DebugData"]
