"""``overhaul unpack``."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial

import click

from overhaul import folder as folders
from overhaul.cli import options
from overhaul.cli.output import (
    ANSWER_IS_NO,
    OK,
    Settings,
    explain_error,
    say,
    say_json,
    say_lost,
    shown,
    size_in_words,
    warn,
)
from overhaul.cli.progress import Bar
from overhaul.document.names import folder_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.folder.unpacking import Unpacked


@click.command(
    "unpack",
    epilog=options.examples(
        "overhaul unpack data.win game",
        'overhaul unpack data.win player --only "sprites/spr_player*"',
        "overhaul unpack --into folders games/*.win",
        "overhaul unpack game.ags",
        "overhaul unpack --flat game.ags files",
        "overhaul unpack --salvage damaged.ags",
    ),
)
@click.argument("files", nargs=-1, required=True, metavar="FILE... [FOLDER]")
@click.option("--into", metavar="FOLDER", help="Unpack each file to a folder of its name in here.")
@click.option("--only", multiple=True, metavar="GLOB", help="Only plain files that match.")
@click.option(
    "--code",
    type=options.CODE,
    default="gml",
    show_default=True,
    help="How code is written.",
)
@click.option(
    "--flat", is_flag=True, help="Of a package, only its files: they are not taken apart."
)
@click.option(
    "--force", is_flag=True, help="Replace a folder that Overhaul made, unless it was edited."
)
@click.option("--discard", is_flag=True, help="Replace it with all edits and files of your own.")
@click.option("--small", is_flag=True, help="PNG files as small as can be, in five times the time.")
@options.salvage
@options.assume_version
@options.jobs
@options.no_cache
@options.common
def command(
    files: tuple[str, ...],
    into: str | None,
    only: tuple[str, ...],
    code: str,
    flat: bool,
    force: bool,
    discard: bool,
    small: bool,
    salvage: bool,
    settings: Settings,
) -> int:
    """Take a file apart into a folder of plain files.

    Without FOLDER, the folder is named after the file, without its extension. The folder appears
    when it is complete; an existing one is replaced only with --force, only if Overhaul made it,
    and only if it was not edited since: --discard replaces it with everything in it. One that
    does not say what was unpacked (it has no .overhaul) is kept as FOLDER.bak. See
    docs/guide/folder.md for what is in it.

    A package of Adventure Game Studio is taken apart with all its parts: the game's things, rooms,
    sprites, translations. --flat leaves its files as they are.

    With --salvage, the folder of a damaged package has what is whole; what is lost is listed with
    its reason, and the exit code is 1. Packing the folder gives a package of what is in it.
    """
    tasks = plan(list(files), into)
    bar = Bar("files", hidden=settings.quiet)
    task = partial(
        folders.unpack,
        only=only,
        code=code,
        flat=flat,
        force=force,
        discard=discard,
        small=small,
        salvage=salvage,
        assume_version=settings.assume_version,
        progress=bar if len(tasks) == 1 else None,
        jobs=settings.jobs if len(tasks) == 1 else 1,  # a single file has all processes for itself
    )
    results = folders.map_files(task, tasks, settings.jobs)
    return _report(tasks, results, settings, salvage=salvage)


def _report(
    tasks: list[tuple[str, str]],
    results: Iterable[Unpacked | Exception],
    settings: Settings,
    *,
    salvage: bool,
) -> int:
    """Print what became of each file; the exit code."""
    worst = OK
    rows: list[dict[str, object]] = []
    for (file, folder), done in zip(tasks, results, strict=True):
        if isinstance(done, Exception):
            worst = max(worst, explain_error(done, settings))
            rows.append({"path": file, "folder": folder, "error": str(done)})
            continue
        row: dict[str, object] = {"path": file, "folder": done.folder, "files": done.files}
        rows.append(
            row
            | {"bytes": done.bytes, "warnings": done.warnings, "findings": done.findings.to_json()}
        )
        if salvage:
            rows[-1]["lost"] = say_lost(done.lost, settings)
        if done.lost:
            worst = max(worst, ANSWER_IS_NO)
        if not settings.json and not settings.quiet:
            size = size_in_words(done.bytes)
            say(f"{shown(file)}: {done.files} files, {size}, in {shown(folder)}")
            if done.game:
                say(f"  opened {shown(done.game)}; packing the folder writes that file by itself")
        warn(done.findings, settings, file if len(tasks) > 1 else "")
    if settings.json:
        say_json({"files": rows})
    return worst


def plan(words: list[str], into: str | None) -> list[tuple[str, str]]:
    """Which file goes to which folder.

    Two words are a file and its folder, unless ``into`` is given or the second is a file too.
    """
    if into is not None:
        os.makedirs(into, exist_ok=True)
        folders = [os.path.join(into, folder_name(word)) for word in words]
    elif len(words) == 2 and not os.path.isfile(words[1].partition("!")[0]):
        return [(words[0], words[1])]
    else:
        folders = [folder_name(word) for word in words]
    twice = sorted({folder for folder in folders if folders.count(folder) > 1})
    if twice:
        raise click.UsageError(f"two of the files would go to {twice[0]}; unpack them one by one")
    return list(zip(words, folders, strict=True))
