"""How a game's plain files mention resources: for ``overhaul refs``."""

from __future__ import annotations

import re
from collections.abc import Mapping


def use_keys(name: str) -> str:
    """Keys of events with an object: ``"Collision_obj_wall":``."""
    return rf'"[A-Z][A-Za-z]*_{re.escape(name)}":'


def use_paths(name: str) -> str:
    """None: an object's events are keys of its JSON."""
    return ""


def listings(name: str) -> Mapping[str, str]:
    """order.json lists all resources, scripts.json all scripts, each with its code."""
    escaped = re.escape(name)
    return {"order.json": "", "scripts.json": rf'\s*"{escaped}": (?!"{escaped}")'}
