"""``overhaul completion``."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from overhaul.cli import options
from overhaul.cli.app import overhaul
from overhaul.cli.output import OK, say


@click.command(
    "completion",
    epilog=options.examples(
        "overhaul completion bash >> ~/.bashrc",
        "overhaul completion zsh >> ~/.zshrc",
        "overhaul completion fish > ~/.config/fish/completions/overhaul.fish",
    ),
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> int:
    """Print the completion script of a shell.

    The shell then completes commands, options and file names.
    """
    completion = get_completion_class(shell)
    assert completion is not None
    say(completion(overhaul, {}, "overhaul", "_OVERHAUL_COMPLETE").source().rstrip())
    return OK
