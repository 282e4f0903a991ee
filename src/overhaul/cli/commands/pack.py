"""``overhaul pack``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import click

from overhaul import folder as folders
from overhaul.cli import options
from overhaul.cli.output import OK, Settings, say, say_json, shown, size_in_words, warn


@click.command(
    "pack",
    epilog=options.examples(
        "overhaul pack game -o new.win",
        "overhaul pack game --strict --force",
        "overhaul pack game --force",
        "overhaul pack handmade --from-scratch -o handmade.win",
    ),
)
@click.argument("folder", metavar="FOLDER")
@options.output_or_none("The file to write; by default next to FOLDER.")
@options.force_backup
@click.option("--from-scratch", is_flag=True, help="Use only the plain files, no kept original.")
@click.option(
    "--rewrite-code",
    is_flag=True,
    help="In Game Maker projects, change the old names of renamed resources in code.",
)
@click.option(
    "--accept-renumbering",
    is_flag=True,
    help="Leave numbers in code as they are that may name a resource whose number changed.",
)
@options.strict
@options.jobs
@options.no_cache
@options.common
def command(
    folder: str,
    output: str | None,
    force: bool,
    from_scratch: bool,
    rewrite_code: bool,
    accept_renumbering: bool,
    strict: bool,
    settings: Settings,
) -> int:
    """Make a file from a folder.

    Parts that did not change since unpacking keep their original bytes, so that an untouched folder
    gives the identical file; changed, added or removed parts are rebuilt. The file appears when it
    is complete.

    Names in changed code that nothing in the game has (a misspelt function or variable) are
    warnings; with --strict these and all other warnings are errors, and nothing is written.

    Where resources of a GameMaker game before 2023.8 were removed or moved, code that names them
    by number follows. A number that may name one, without certainty, is an error with its file
    and line; --accept-renumbering leaves these numbers as they are.
    """
    done = folders.pack(
        folder,
        output,
        force=force,
        from_scratch=from_scratch,
        strict=strict,
        rewrite_code=rewrite_code,
        accept_renumbering=accept_renumbering,
        jobs=settings.jobs,
    )
    if settings.json:
        say_json(done.to_json())
    elif not settings.quiet:
        how = "from the plain files only" if done.from_scratch else _in_words(done.changes)
        say(f"{shown(output or done.path)}: {size_in_words(done.size)}, {how}")
        if settings.verbose:
            for path, change in done.changes.items():
                say(f"  {change:8} {shown(path)}")
    warn(done.findings, settings)
    return OK


def _in_words(changes: Mapping[str, str]) -> str:
    if not changes:
        return "as it was unpacked"
    counts = Counter(changes.values())
    return ", ".join(
        f"{counts[change]} {change}" for change in ("changed", "added", "removed") if counts[change]
    )
