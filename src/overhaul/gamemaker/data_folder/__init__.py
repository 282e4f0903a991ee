"""A game's folder: plain files out of a game, and edited ones back into it.

The members are those of :class:`~overhaul.document.protocol.FolderFormat`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.gamemaker.data.blank import blank_game as empty
from overhaul.gamemaker.data.blank import settings_of as settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from overhaul.document.protocol import Change, Folder, PlainFile, Resource, UnpackOptions
    from overhaul.gamemaker.data.game import GameData

__all__ = ["apply", "empty", "plain_files", "settings", "tree"]


def tree(game: GameData) -> Iterator[Resource]:
    """All resources, in the order of the folder."""
    from overhaul.gamemaker.data_folder.unpacking import resources  # start-up: not for packing

    return resources(game)


def plain_files(game: GameData, options: UnpackOptions) -> Iterator[PlainFile]:
    """The files of the unpacked folder."""
    from overhaul.gamemaker.data_folder.unpacking import Unpacker  # start-up: not for packing

    return Unpacker(game, options).files()


def apply(game: GameData, folder: Folder, changes: Mapping[str, Change]) -> list[str]:
    """Change the game as its plain files were changed; return warnings for people."""
    from overhaul.gamemaker.data_folder.applying import Applier  # start-up: not for unpacking

    return Applier(game, folder, changes).run()
