"""Who refers to whom: what is left dangling when a resource is taken out."""

from __future__ import annotations

from collections.abc import Mapping

from overhaul.gamemaker.classic.kinds import AnySlot
from overhaul.gamemaker.classic_folder.kind import Reference
from overhaul.gamemaker.classic_folder.kinds import KINDS
from overhaul.gamemaker.classic_folder.names import Names

_LISTED = 3  # how many referrers a warning names


def dangling(before: Names, now: Names, slots: Mapping[str, list[AnySlot]]) -> list[str]:
    """Warnings about resources that are gone, but that others refer to.

    ``slots`` are those of every kind as they are now.
    """
    kept = {
        (kind, index)
        for kind, found in slots.items()
        for index, slot in enumerate(found)
        if slot.resource is not None
    }
    gone = {
        (kind, index): f"{kind}/{stem}"
        for kind, stems in before.stems.items()
        for index, stem in enumerate(stems)
        if stem is not None and (kind, index) not in kept
    }
    if not gone:
        return []
    referrers: dict[Reference, dict[str, None]] = {}
    for kind, found in slots.items():
        for stem, slot in zip(now.stems[kind], found, strict=True):
            for reference in KINDS[kind].references(slot.resource) if slot.resource else ():
                if reference in gone:
                    referrers.setdefault(reference, {})[f"{kind}/{stem}"] = None
    warnings = []
    for reference, found_in in referrers.items():
        listed = list(found_in)[:_LISTED]
        if len(found_in) > _LISTED:
            listed.append(f"{len(found_in) - _LISTED} more")
        words = " and ".join([", ".join(listed[:-1]), listed[-1]] if len(listed) > 1 else listed)
        verb = "refers" if len(found_in) == 1 else "refer"
        warnings.append(f"{gone[reference]} is gone, but {words} {verb} to it")
    return warnings
