"""The commands that only files of GameMaker and Game Maker have, and code entries as texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click

import overhaul
from overhaul.cli.output import Settings

if TYPE_CHECKING:
    from overhaul.gamemaker.data.game import GameData


def open_game(file: str, settings: Settings) -> GameData:
    """The game in a file; a usage error for a file that is something else."""
    document = overhaul.open(file, assume_version=settings.assume_version)
    if document.kind != "gamemaker-data":
        kind = document.kind
        document.close()
        raise click.UsageError(f"{file} is not the data of a GameMaker game, but {kind}")
    return cast("GameData", document)
