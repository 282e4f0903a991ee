"""The tables of an old block, kept for the code that replaces its own."""

from __future__ import annotations

from overhaul.ags.script.model import Script


def keep_tables(new: Script, old: Script) -> Script:
    """A new block with the tables of an old one."""
    return new
