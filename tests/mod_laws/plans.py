"""What a mod that is made up does, and what shows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from modded_games import Edit
from overhaul.mods.view import FileView

#: what is new in the games has this in its name
SEEN = "zz_seen"


class Plan(NamedTuple):
    """Edits of plain files for a mod and for its rival (None: it has none), and what shows the
    mod's."""

    name: str
    edits: dict[str, Edit]
    rival: dict[str, Edit] | None
    shows: Callable[[FileView], bool]
