"""Debugger files (.yydebug): read, written, and made for any game."""

from __future__ import annotations

from overhaul.gamemaker.debug.document import DebugData

__all__ = ["DebugData"]
