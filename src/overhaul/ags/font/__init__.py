"""Bitmap fonts of Adventure Game Studio: WFN files, and those of Sierra's games (SCI)."""

from __future__ import annotations

from overhaul.ags.font.model import BitmapFont, Glyph
from overhaul.ags.font.sci import is_sci_font, read_sci_font, write_sci_font
from overhaul.ags.font.wfn import read_font, read_loose, write_font

__all__ = [
    "BitmapFont",
    "Glyph",
    "is_sci_font",
    "read_font",
    "read_loose",
    "read_sci_font",
    "write_font",
    "write_sci_font",
]
