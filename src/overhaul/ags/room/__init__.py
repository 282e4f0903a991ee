"""Rooms (.crm): their blocks, pictures, masks and script."""

from __future__ import annotations

from overhaul.ags.room.room import Room

__all__ = ["Room"]
