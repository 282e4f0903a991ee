"""What the language tools know about a project: its dialect, its resources by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.gamemaker.classic.kinds import BY_PLURAL
from overhaul.gml.context import ASSET_KINDS, Context
from overhaul.gml.dialect import Dialect

if TYPE_CHECKING:
    from overhaul.gamemaker.classic.surface.base import Places

#: what the compilers of these releases have in common with the first one that is known
_DIALECT = Dialect.for_version(8, (1, 0, 0, 0))


def context_of(places: Places) -> Context:
    """A context with the resources of a project; scripts are functions, too."""
    context = Context(_DIALECT)
    for plural, slots in places.slots.items():
        kind = BY_PLURAL[plural].singular
        for index, slot in enumerate(slots):
            if slot.exists and slot.name and kind in ASSET_KINDS:
                context.add_asset(kind, index, slot.name)
    return context
