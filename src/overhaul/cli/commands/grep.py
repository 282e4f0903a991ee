"""``overhaul grep``."""

from __future__ import annotations

import re

import click

from overhaul import folder as folders
from overhaul.cli import options
from overhaul.cli.matches import show_matches
from overhaul.cli.output import Settings


@click.command(
    "grep",
    epilog=options.examples(
        'overhaul grep "hp *-=" data.win',
        'overhaul grep -i -F "game over" data.win --strings',
        "overhaul grep spr_boss data.win --code --names",
        'overhaul grep "light" room1.crm --only "*.asc"',
        'overhaul grep "hp *-=" games/*.win game',
    ),
)
@click.argument("pattern", metavar="PATTERN")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--code", "code", is_flag=True, help="Search code and shaders.")
@click.option("--strings", "strings", is_flag=True, help="Search the strings.")
@click.option("--names", "names", is_flag=True, help="Search the names in the JSON of resources.")
@click.option("--asm", "asm", is_flag=True, help="Search code as assembly, not as source.")
@click.option("--only", multiple=True, metavar="GLOB", help="Only in plain files that match.")
@click.option(
    "-i",
    "--ignore-case",
    is_flag=True,
    help="Ignore case.",
)
@click.option("-F", "--fixed", is_flag=True, help="PATTERN is plain text.")
@options.assume_version
@options.jobs
@options.no_cache
@options.common
def command(
    pattern: str,
    files: tuple[str, ...],
    code: bool,
    strings: bool,
    names: bool,
    asm: bool,
    only: tuple[str, ...],
    ignore_case: bool,
    fixed: bool,
    settings: Settings,
) -> int:
    """Search the code, strings and names of games.

    PATTERN is a regular expression (as in Python). The texts that unpacking would write are
    searched, without unpacking; of an unpacked folder, its files as they are. --code, --strings,
    --names and --only choose some. Each line found is printed as path:line: text, of several
    files as file: path:line: text. Exit code 1 if nothing is found.
    """
    try:
        expression = re.compile(
            re.escape(pattern) if fixed else pattern, re.IGNORECASE if ignore_case else 0
        )
    except re.error as error:
        raise click.UsageError(f"{pattern!r} is not a valid regular expression: {error}") from None
    chosen = [*only]
    for asked, globs in ((code, folders.CODE), (strings, folders.STRINGS), (names, folders.NAMES)):
        chosen += globs if asked else ()
    how = "asm" if asm else "gml"
    return show_matches(
        files,
        lambda workers, progress: folders.search(
            workers, expression, only=chosen, code=how, progress=progress
        ),
        lambda folder: folders.search_folder(folder, expression, only=chosen),
        settings,
        nothing=lambda: "no line matches",
    )
