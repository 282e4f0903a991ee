"""Who refers to whom: what is left dangling when a resource is taken out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from overhaul.gamemaker.classic.actions import Action, Object
from overhaul.gamemaker.classic.resources import Path, Timeline
from overhaul.gamemaker.classic.rooms import Room
from overhaul.gamemaker.classic_folder.names import (
    ARGUMENT_RESOURCES,
    COLLISION,
    TRIGGER,
    Names,
)

Reference = tuple[str, int]  # the kind of resource and its id

_TOLD = 3  # referrers that a warning names


def references(resource: Any) -> Iterator[Reference]:
    """What a resource refers to, ids that mean "none" included."""
    if isinstance(resource, Object):
        yield "sprites", resource.sprite
        yield "sprites", resource.mask
        yield "objects", resource.parent
        for category, events in enumerate(resource.categories):
            for event in events:
                if category in (COLLISION, TRIGGER):
                    yield "objects" if category == COLLISION else "triggers", event.sub_type
                yield from _of_actions(event.actions.actions)
    elif isinstance(resource, Timeline):
        for moment in resource.moments:
            yield from _of_actions(moment.actions.actions)
    elif isinstance(resource, Room):
        for layer in resource.backgrounds:
            yield "backgrounds", layer.background
        for tile in resource.tiles:
            yield "backgrounds", tile.background
        for instance in resource.instances:
            yield "objects", instance.object
        for view in resource.views:
            yield "objects", view.follow_object
    elif isinstance(resource, Path):
        yield "rooms", resource.background_room


def _of_actions(actions: list[Action]) -> Iterator[Reference]:
    for action in actions:
        yield "objects", action.applies_to
        for kind, text in zip(action.argument_kinds, action.arguments, strict=False):
            if kind in ARGUMENT_RESOURCES and text.isascii() and text.isdigit():
                yield ARGUMENT_RESOURCES[kind], int(text[:10])


def dangling(
    before: Names, now: Names, resources: Mapping[str, list[Any]], kept: set[Reference]
) -> list[str]:
    """Warnings about resources that are gone, but that others refer to.

    ``resources`` has the resource of each slot as it is now, by kind; ``kept`` those slots of
    before that still have one.
    """
    gone = {
        (kind, index): f"{kind}/{stem}"
        for kind, stems in before.stems.items()
        for index, stem in enumerate(stems)
        if stem is not None and (kind, index) not in kept
    }
    if not gone:
        return []
    referrers: dict[Reference, dict[str, None]] = {}
    for kind, found in resources.items():
        for stem, resource in zip(now.stems[kind], found, strict=True):
            for reference in references(resource):
                if reference in gone:
                    referrers.setdefault(reference, {})[f"{kind}/{stem}"] = None
    warnings = []
    for reference, places in referrers.items():
        told = list(places)[:_TOLD]
        if len(places) > _TOLD:
            told.append(f"{len(places) - _TOLD} more")
        words = " and ".join([", ".join(told[:-1]), told[-1]] if len(told) > 1 else told)
        verb = "refers" if len(places) == 1 else "refer"
        warnings.append(f"{gone[reference]} is gone, but {words} {verb} to it")
    return warnings
