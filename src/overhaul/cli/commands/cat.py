"""``overhaul cat``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from overhaul import folder as folders
from overhaul.cli import options
from overhaul.cli.output import ANSWER_IS_NO, OK, Settings, note, say_json
from overhaul.document.files import write_file, write_into
from overhaul.document.names import safe_path
from overhaul.document.protocol import Member
from overhaul.document.registry import load
from overhaul.errors import WorkspaceError


@click.command(
    "cat",
    epilog=options.examples(
        "overhaul cat data.win sprites/spr_player/0.png > player.png",
        'overhaul cat data.win "rooms/rm_first*" | less',
        'overhaul cat data.win "sounds/*" -o sounds/',
    ),
)
@click.argument("file", metavar="FILE")
@click.argument("pattern", metavar="PATTERN")
@options.output_or_none("Write to this file; to this folder, if several match.", "PATH")
@options.force
@click.option(
    "--code",
    type=options.CODE,
    help="How code is written; by default as the ending of PATTERN says, or gml.",
)
@options.assume_version
@options.common
def command(
    file: str,
    pattern: str,
    output: str | None,
    force: bool,
    code: str | None,
    settings: Settings,
) -> int:
    """Write one plain file of a game to stdout, or several to a folder.

    PATTERN is a path, or a glob of paths, as they are in the unpacked folder. With --json only
    the paths and sizes are printed.
    """
    code = code or ("asm" if pattern.endswith(".asm") else "gml")
    with folders.open(file, assume_version=settings.assume_version) as document:
        automatic: int = load("overhaul.folder.processes:AUTOMATIC")
        workers = folders.Workers(file, document, jobs=automatic)
        found = folders.find_files(document, pattern, code, workers=workers)
        if not found:
            note(f"overhaul: nothing matches {pattern} (overhaul ls shows what there is)")
            return ANSWER_IS_NO
        if settings.json:
            say_json({"path": file, "files": [_row(plain) for plain in found]})
        elif output is not None:
            _write(found, output, force=force)
        elif len(found) == 1:
            sys.stdout.flush()
            sys.stdout.buffer.write(found[0].read())
        else:
            raise WorkspaceError(
                f"{len(found)} files match {pattern}; name one, or a folder to write them to (-o)"
            )
    return OK


def _row(plain: Member) -> dict[str, object]:
    return {"path": plain.path, "size": len(plain.read())}


def _write(found: Sequence[Member], output: str, *, force: bool) -> None:
    if len(found) == 1 and not os.path.isdir(output) and not output.endswith(("/", os.sep)):
        write_file(output, found[0].read(), force=force)
    else:
        write_into(output, {safe_path(plain.path): plain.read for plain in found}, force=force)
