"""``overhaul grep``."""

from __future__ import annotations

import re

import click

from overhaul.cli import options
from overhaul.cli.code import show_matches
from overhaul.cli.output import Settings

#: the plain files that each choice means
CODE = ("code/*", "*.gml", "*.asm", "*.asc", "*.ash", "*.glsl", "*.hlsl")
STRINGS = ("strings.csv", "*.trs")
NAMES = ("*.json",)


@click.command(
    "grep",
    epilog=options.examples(
        "overhaul grep 'hp *-=' data.win",
        "overhaul grep -i -F 'game over' data.win --strings",
        "overhaul grep spr_boss data.win --code --names -j 0",
        "overhaul grep 'light' room1.crm --only '*.asc'",
    ),
)
@click.argument("pattern", metavar="PATTERN")
@click.argument("file", metavar="FILE")
@click.option("--code", "code", is_flag=True, help="Search code and shaders.")
@click.option("--strings", "strings", is_flag=True, help="Search the strings.")
@click.option("--names", "names", is_flag=True, help="Search the names in the JSON of resources.")
@click.option("--asm", "asm", is_flag=True, help="Search code as assembly, not as source.")
@click.option("--only", multiple=True, metavar="GLOB", help="Only in plain files that fit.")
@click.option("-i", "--ignore-case", is_flag=True, help="Capitals and small letters are the same.")
@click.option("-F", "--fixed", is_flag=True, help="PATTERN is a plain text.")
@options.assume_version
@options.jobs
@options.common
def command(
    pattern: str,
    file: str,
    code: bool,
    strings: bool,
    names: bool,
    asm: bool,
    only: tuple[str, ...],
    ignore_case: bool,
    fixed: bool,
    assume_version: str | None,
    settings: Settings,
) -> int:
    """Search the code, strings and names of a game.

    PATTERN is a regular expression (as in Python). The texts that unpacking would write are
    searched, without unpacking; --code, --strings, --names and --only choose some. Each line
    found is printed as path:line: text. Exit code 1 if nothing is found.
    """
    from overhaul.folder.texts import search

    try:
        expression = re.compile(
            re.escape(pattern) if fixed else pattern, re.IGNORECASE if ignore_case else 0
        )
    except re.error as error:
        raise click.UsageError(f"{pattern!r} is no regular expression: {error}") from None
    chosen = [*only]
    for asked, globs in ((code, CODE), (strings, STRINGS), (names, NAMES)):
        chosen += globs if asked else ()
    return show_matches(
        file,
        lambda document, progress: search(
            file,
            document,
            expression,
            only=chosen,
            code="asm" if asm else "gml",
            jobs=settings.jobs,
            assume_version=assume_version,
            progress=progress,
        ),
        settings,
        assume_version,
        nothing="nothing in it fits",
    )
