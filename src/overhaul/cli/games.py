"""What commands about GameMaker games share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

import click

import overhaul
from overhaul.errors import OverhaulError

if TYPE_CHECKING:
    from overhaul.cli.output import Settings
    from overhaul.gamemaker.data.game import GameData


@contextmanager
def arguments() -> Iterator[None]:
    """Around what takes values from the command line: wrong ones are usage errors."""
    try:
        yield
    except OverhaulError:
        raise
    except (KeyError, ValueError) as error:
        raise click.UsageError(str(error.args[0])) from None


def open_game(file: str, settings: Settings) -> GameData:
    """The game in a file; a usage error for a file that is something else."""
    document = overhaul.open(file, assume_version=settings.assume_version)
    if document.kind != "gamemaker-data":
        kind = document.kind
        document.close()
        raise click.UsageError(f"{file} is not the data of a GameMaker game, but {kind}")
    return cast("GameData", document)
