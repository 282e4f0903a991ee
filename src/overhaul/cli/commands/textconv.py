"""``overhaul textconv``."""

from __future__ import annotations

import click

from overhaul import mods
from overhaul.cli import options
from overhaul.cli.exits import OK
from overhaul.cli.output import Settings, say, say_json


@click.command("textconv", epilog=options.examples("overhaul textconv data.win"))
@click.argument("file", metavar="FILE")
@options.common
def command(file: str, settings: Settings) -> int:
    """Print a game as one text, for git diff.

    All plain files, one after another; pictures and sounds are a line each. See git-setup.
    """
    text = mods.textconv(file)
    if settings.json:
        say_json({"path": file, "text": text})
    else:
        say(text.removesuffix("\n"))
    return OK
