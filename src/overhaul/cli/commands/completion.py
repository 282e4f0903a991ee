"""``overhaul completion``."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from overhaul.cli import options
from overhaul.cli.app import overhaul
from overhaul.cli.output import OK, say
from overhaul.cli.powershell import PowerShellComplete


@click.command(
    "completion",
    epilog=options.examples(
        "overhaul completion bash >> ~/.bashrc",
        "overhaul completion zsh >> ~/.zshrc",
        "overhaul completion fish > ~/.config/fish/completions/overhaul.fish",
        "overhaul completion powershell >> $PROFILE",
    ),
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish", "powershell"]))
def command(shell: str) -> int:
    """Print the completion script of a shell.

    The shell then completes commands, options and file names.
    """
    classes = {PowerShellComplete.name: PowerShellComplete}
    completion = classes.get(shell) or get_completion_class(shell)
    assert completion is not None
    script = completion(overhaul, {}, "overhaul", "_OVERHAUL_COMPLETE").source()
    # click's script for fish cuts the help at its first comma
    say(script.replace('string split ","', 'string split --max 1 ","').rstrip())
    return OK
