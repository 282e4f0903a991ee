"""``overhaul lsp``."""

from __future__ import annotations

import click

from overhaul import lsp
from overhaul.cli import options
from overhaul.cli.output import ANSWER_IS_NO, OK, Settings


@click.command("lsp", epilog=options.examples("overhaul lsp --stdio"))
@click.option("--stdio", is_flag=True, help="Speak over stdin and stdout, as it always does.")
@options.common
def command(stdio: bool, settings: Settings) -> int:
    """Answer an editor: mistakes, completion, definitions, uses, renaming.

    A server of the Language Server Protocol for folders that were unpacked: GML, and the scripts
    of Adventure Game Studio. Editors start it themselves; the guide says how to set up VS Code,
    Neovim, Helix and Zed.

    Needs some packages: pip install 'overhaul[lsp]'
    """
    return OK if lsp.serve() else ANSWER_IS_NO
