"""``overhaul unpack``."""

from __future__ import annotations

import os

import click

from overhaul.cli import OK, options
from overhaul.cli.output import (
    Settings,
    explain_error,
    say,
    say_json,
    shown,
    size_in_words,
    warn,
)


@click.command(
    "unpack",
    epilog=options.examples(
        "overhaul unpack data.win game",
        "overhaul unpack data.win player --only 'sprites/spr_player*'",
        "overhaul unpack -j 0 --into folders games/*.win",
    ),
)
@click.argument("files", nargs=-1, required=True, metavar="FILE... [FOLDER]")
@click.option("--into", metavar="FOLDER", help="Unpack each file to a folder of its name in here.")
@click.option("--only", multiple=True, metavar="GLOB", help="Only plain files that fit.")
@click.option(
    "--code",
    type=click.Choice(["asm", "gml", "both"]),
    default="gml",
    show_default=True,
    help="How code is written.",
)
@click.option("--force", is_flag=True, help="Replace a folder that Overhaul made.")
@options.assume_version
@options.jobs
@options.common
def command(
    files: tuple[str, ...],
    into: str | None,
    only: tuple[str, ...],
    code: str,
    force: bool,
    assume_version: str | None,
    settings: Settings,
) -> int:
    """Take a file apart into a folder of plain files.

    Without FOLDER, the folder is named after the file, without its extension. The folder appears
    when it is complete; an existing one is replaced only with --force, and only if Overhaul made
    it. See docs/guide/folder.md for what is in it.
    """
    tasks = plan(list(files), into)
    arguments: dict[str, object] = {
        "only": only,
        "code": code,
        "force": force,
        "assume_version": assume_version,
    }
    if settings.jobs > 1 and len(tasks) > 1:
        results = _in_processes(tasks, arguments, settings.jobs)
    else:
        results = [unpack_one(file, folder, arguments, settings) for file, folder in tasks]
    worst = OK
    rows: list[dict[str, object]] = []
    for (file, folder), (row, warnings, error) in zip(tasks, results, strict=True):
        if error is not None:
            worst = max(worst, explain_error(error, settings))
            rows.append({"path": file, "folder": folder, "error": str(error)})
            continue
        rows.append(row)
        if not settings.json and not settings.quiet:
            size = size_in_words(int(str(row["bytes"])))
            say(f"{shown(file)}: {row['files']} files, {size}, in {shown(folder)}")
        warn(warnings, settings, file if len(tasks) > 1 else "")
    if settings.json:
        say_json({"files": rows})
    return worst


def plan(words: list[str], into: str | None) -> list[tuple[str, str]]:
    """Which file goes to which folder.

    Two words are a file and its folder, unless ``into`` is given or the second is a file too.
    """
    if into is not None:
        os.makedirs(into, exist_ok=True)
        folders = [os.path.join(into, _folder_name(word)) for word in words]
    elif len(words) == 2 and not os.path.isfile(words[1].partition("!")[0]):
        return [(words[0], words[1])]
    else:
        folders = [_folder_name(word) for word in words]
    twice = sorted({folder for folder in folders if folders.count(folder) > 1})
    if twice:
        raise click.UsageError(f"two of the files would go to {twice[0]}; unpack them one by one")
    return list(zip(words, folders, strict=True))


def _folder_name(file: str) -> str:
    name = os.path.basename(file.replace("!", "/"))
    stem, dot, _ = name.rpartition(".")
    return stem if dot and stem else name + "_unpacked"


Result = tuple[dict[str, object], list[str], Exception | None]


def unpack_one(
    file: str, folder: str, arguments: dict[str, object], settings: Settings | None
) -> Result:
    """Unpack a file; the row of the report, the warnings, the error."""
    from overhaul.folder.unpacking import unpack

    progress = None
    if settings is not None and not settings.quiet:
        from overhaul.cli.progress import Bar

        progress = Bar("files")
    try:
        done = unpack(file, folder, progress=progress, **arguments)  # type: ignore[arg-type]
    except Exception as error:  # noqa: BLE001 - told by the caller; the other files go on
        return {}, [], error
    row = {"path": file, "folder": done.folder, "files": done.files, "bytes": done.bytes}
    return {**row, "warnings": done.warnings}, done.warnings, None


def _in_processes(
    tasks: list[tuple[str, str]], arguments: dict[str, object], jobs: int
) -> list[Result]:
    from concurrent.futures import ProcessPoolExecutor

    from overhaul.folder.parallel import leave_quietly

    with ProcessPoolExecutor(jobs, initializer=leave_quietly) as pool:
        waiting = [pool.submit(_unpack_elsewhere, *task, arguments) for task in tasks]
        try:
            return [result.result() for result in waiting]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _unpack_elsewhere(file: str, folder: str, arguments: dict[str, object]) -> Result:
    """Unpack a file in a process of its own, which at Ctrl-C cleans up before it ends."""
    import signal

    quiet = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return unpack_one(file, folder, arguments, None)
    except KeyboardInterrupt:
        os._exit(130)
    finally:
        signal.signal(signal.SIGINT, quiet)
