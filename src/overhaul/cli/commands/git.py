"""``overhaul git-setup`` and ``textconv``: games in a git repository."""

from __future__ import annotations

import click

from overhaul import mods
from overhaul.cli import options
from overhaul.cli.output import OK, Settings, say, say_json, shown


@click.command(
    "git-setup",
    epilog=options.examples("overhaul git-setup", "overhaul git-setup --write"),
)
@click.argument("folder", default=".", metavar="[FOLDER]")
@click.option("--write", is_flag=True, help="Add the lines to the repository in FOLDER.")
@options.common
def git_setup_command(folder: str, write: bool, settings: Settings) -> int:
    """Show the lines with which git compares and merges games by name.

    With --write they are added to .gitattributes and .git/config of the repository in FOLDER (by
    default the current folder), unless they are there.
    """
    attributes, config = mods.git_lines()
    changed = mods.git_setup(folder) if write else []
    if settings.json:
        say_json({"attributes": attributes, "config": config, "changed": changed})
    elif write:
        for path in changed:
            say(f"{shown(path)}: lines added")
        if not changed:
            say("the lines are there already")
    else:
        say(f"# .gitattributes\n{attributes}\n# .git/config\n{config}".rstrip("\n"))
    return OK


@click.command("textconv", epilog=options.examples("overhaul textconv data.win"))
@click.argument("file", metavar="FILE")
@options.common
def textconv_command(file: str, settings: Settings) -> int:
    """Print a game as one text, for git diff.

    All plain files, one after another; pictures and sounds are a line each. See git-setup.
    """
    text = mods.textconv(file)
    if settings.json:
        say_json({"path": file, "text": text})
    else:
        say(text.removesuffix("\n"))
    return OK
