"""Packages (CLIB): a game's assets in one file, in several parts, or behind its executable."""

from __future__ import annotations

from overhaul.ags.library.package import Asset, Package, is_package

__all__ = ["Asset", "Package", "is_package"]
