"""``overhaul git``, ``git-setup`` and ``textconv``: games and projects in a git repository."""

from __future__ import annotations

import click

from overhaul import mods
from overhaul.cli import options, verbs
from overhaul.cli.output import ANSWER_IS_NO, OK, Settings, note, say, say_json, shown


@click.group(
    "git",
    epilog=options.examples("overhaul git setup", "overhaul git check"),
)
def git_command() -> None:
    """Let git compare and merge games and projects by meaning."""


@git_command.command(
    "setup", epilog=options.examples("overhaul git setup", "overhaul git setup --show")
)
@click.argument("folder", default=".", metavar="[FOLDER]")
@click.option("--show", is_flag=True, help="Only show the lines and the hooks.")
@options.common
def setup(folder: str, show: bool, settings: Settings) -> int:
    """Set up the repository in FOLDER: by default the current folder.

    .gitattributes gets the lines for games (.win, .gmk, .ags and others) and for files of
    GameMaker projects (.yyp, .yy, .gmx), .git/config the programs that merge them, and the hooks
    pre-merge-commit and pre-commit stop a merge that breaks a project. Existing files and
    settings stay; hooks that do not check merges are named. Commit .gitattributes; each clone
    needs this command once.
    """
    attributes, config = mods.git_lines()
    hooks = mods.git_hooks()
    changed = [] if show else mods.git_setup(folder)
    unchecked = [] if show else mods.git_unchecked(folder)
    if settings.json:
        row = {"attributes": attributes, "config": config, "hooks": hooks}
        say_json({**row, "changed": changed, "unchecked": unchecked})
    elif show:
        text = f"# .gitattributes\n{attributes}\n# .git/config\n{config}"
        text += "".join(f"\n# .git/hooks/{name}\n{script}" for name, script in hooks.items())
        say(text.rstrip("\n"))
    elif not settings.quiet:
        for path in changed:
            say(f"{shown(path)}: set up")
        if not changed and not unchecked:
            say("all of it is there already")
    for path in () if settings.json else unchecked:
        note(
            f"overhaul: {shown(path)}: this hook does not check merges: add the lines that "
            "overhaul git setup --show has for it"
        )
    return OK


@git_command.command("check", epilog=options.examples("overhaul git check"))
@options.common
def check(settings: Settings) -> int:
    """Check the projects of the merge that git is about to commit.

    For the hooks that `overhaul git setup` installs. It reports conflicts that a merge of single
    files does not show: one side uses, in a file or in code, a name that the other removed.

    Exit code: 0 nothing is wrong that was not wrong before, 1 something is.
    """
    found = [conflict for family in verbs.families() for conflict in family.check_merge()]
    if settings.json:
        say_json({"conflicts": [conflict.to_json() for conflict in found]})
    for conflict in () if settings.json else found:
        note(f"overhaul: conflict: {shown(str(conflict))}")
    return ANSWER_IS_NO if found else OK


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
