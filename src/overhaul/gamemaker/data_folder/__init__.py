"""A game's folder: plain files out of a game, and edited ones back into it.

The members are those of :class:`~overhaul.document.plainfiles.FolderFormat` and ``KnowsUses``.
A kind of resource is one module here (see :mod:`~overhaul.gamemaker.data_folder.resource` for
what it has to say), all are named in :mod:`~overhaul.gamemaker.data_folder.kinds`, and the steps
of packing are those of :mod:`~overhaul.gamemaker.data_folder.applying`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.gamemaker.data.beginning import begin_game as begin
from overhaul.gamemaker.data.blank import blank_game as empty
from overhaul.gamemaker.data.blank import settings_of as settings
from overhaul.gamemaker.data_folder.uses import listings, use_keys, use_paths
from overhaul.lazy import attach

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
    from overhaul.document.protocol import Resource
    from overhaul.gamemaker.data.game import GameData
    from overhaul.gamemaker.data_folder.dropped import take_others as take_others
    from overhaul.gamemaker.data_folder.knowledge import beside as beside
    from overhaul.gamemaker.data_folder.knowledge import counter as counter
    from overhaul.gamemaker.data_folder.knowledge import derived as derived
    from overhaul.gamemaker.data_folder.knowledge import fixed as fixed
    from overhaul.gamemaker.data_folder.knowledge import meaning as meaning
    from overhaul.gamemaker.data_folder.knowledge import ordering as ordering
    from overhaul.gamemaker.data_folder.knowledge import texts as texts

__getattr__ = attach(
    __name__,
    {
        f"{__name__}.dropped": "take_others",
        f"{__name__}.knowledge": "beside counter derived fixed meaning ordering texts",
    },
)[0]

#: Listing the files decodes all chunks.
SLOW_LISTING = True

__all__ = [
    "SLOW_LISTING",
    "apply",
    "begin",
    "beside",
    "counter",
    "derived",
    "empty",
    "fixed",
    "listings",
    "meaning",
    "ordering",
    "plain_files",
    "settings",
    "take_others",
    "texts",
    "tree",
    "use_keys",
    "use_paths",
]


def tree(game: GameData) -> Iterable[Resource]:
    """All resources, in the order of the folder."""
    from overhaul.gamemaker.data_folder import listing  # start-up: listing needs no code

    return listing.resources(game)


def plain_files(game: GameData, options: UnpackOptions) -> Iterator[PlainFile]:
    """The files of the unpacked folder."""
    from overhaul.gamemaker.data_folder import unpacking  # start-up: not for packing

    return unpacking.plain_files(game, options)


def apply(game: GameData, folder: Folder, changes: Mapping[str, Change]) -> list[str]:
    """Change the game as its plain files were changed; return warnings for people."""
    from overhaul.gamemaker.data_folder import applying  # start-up: not for unpacking

    return applying.apply_folder(game, folder, changes)
