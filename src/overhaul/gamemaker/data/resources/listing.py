"""Where games list their resources besides the list of the kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.gamemaker.data.chunks.extn import NO_PRODUCT_ID
from overhaul.gamemaker.data.chunks.room import Room
from overhaul.gamemaker.data.painting import GROUP_FIELDS, list_in_group
from overhaul.gamemaker.data.room_rules import enlist_room

if TYPE_CHECKING:
    from overhaul.gamemaker.data.model import GameModel


def enlist(game: GameModel, chunk: str, record: object) -> None:
    """Enter a new resource: a room in the order of rooms, what has pictures in a texture group, an
    extension among the product ids."""
    if isinstance(record, Room):
        enlist_room(game, record)
    elif chunk == "EXTN":
        ids = game.record(chunk).product_ids
        if ids or game.release.major >= 2:
            ids += [NO_PRODUCT_ID] * (len(game.named(chunk)) - len(ids))
    else:
        list_in_group(game, chunk, record)


def enlist_like(game: GameModel, chunk: str, record: object, original: object) -> None:
    """Enter a copy of a resource where the original is: in its texture group, with its tags."""
    owner = game.named(chunk)
    new, old = owner.reference_to(record), owner.reference_to(original)
    field = GROUP_FIELDS.get(chunk)
    if field is not None and "TGIN" in game.chunks:
        for group in game.records.texture_groups.present():
            for name in (field, "spine_sprites"):
                listed = getattr(group, name)
                if any(each is old for each in listed):
                    listed.append(new)
    if game.tags is not None:
        for entry in list(game.tags.assets):
            if entry.asset is old:
                game.tags.assets.append(type(entry)(new, list(entry.tags)))
    enlist(game, chunk, record)
