"""``overhaul cat``."""

from __future__ import annotations

import os
import sys

import click

from overhaul.cli import ANSWER_IS_NO, OK, options
from overhaul.cli.output import Settings, note, say_json
from overhaul.document.plainfiles import UnpackOptions, matches
from overhaul.document.protocol import Document, HasMembers, Member
from overhaul.errors import WorkspaceError
from overhaul.folder.texts import plain_files


@click.command(
    "cat",
    epilog=options.examples(
        "overhaul cat data.win sprites/spr_player/0.png > player.png",
        "overhaul cat data.win 'rooms/rm_first*' | less",
        "overhaul cat data.win 'sounds/*' -o sounds/",
    ),
)
@click.argument("file", metavar="FILE")
@click.argument("pattern", metavar="PATTERN")
@click.option(
    "-o", "--output", metavar="PATH", help="Write to this file; to this folder, if several fit."
)
@click.option("--force", is_flag=True, help="Replace existing files.")
@click.option(
    "--code",
    type=click.Choice(["asm", "gml", "both"]),
    help="How code is written; else as the ending of PATTERN says, or gml.",
)
@options.assume_version
@options.common
def command(
    file: str,
    pattern: str,
    output: str | None,
    force: bool,
    code: str | None,
    assume_version: str | None,
    settings: Settings,
) -> int:
    """Write one plain file of a game to stdout, or several to a folder.

    PATTERN is a path, or a glob of paths, as they are in the unpacked folder. With --json only
    the paths and sizes are printed.
    """
    from overhaul.document.opening import open

    code = code or ("asm" if pattern.endswith(".asm") else "gml")
    with open(file, assume_version=assume_version) as document:
        found = _find(document, pattern, UnpackOptions(only=[pattern], code=code))
        if not found:
            note(f"overhaul: nothing in it is called {pattern} (overhaul ls shows what there is)")
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
                f"{len(found)} files fit {pattern}; name one, or a folder to write them to (-o)"
            )
    return OK


def _find(document: Document, pattern: str, chosen: UnpackOptions) -> list[Member]:
    files: list[Member] = [
        plain for plain in plain_files(document, chosen) if matches(plain.path, pattern)
    ]
    exact = [plain for plain in files if plain.path == pattern]
    if exact or files:
        return exact or files
    members = document.members() if isinstance(document, HasMembers) else ()
    return [member for member in members if matches(member.path, pattern)]


def _row(plain: Member) -> dict[str, object]:
    return {"path": plain.path, "size": len(plain.read())}


def _write(found: list[Member], output: str, *, force: bool) -> None:
    from overhaul.document.files import write_file
    from overhaul.document.names import safe_path

    if len(found) == 1 and not os.path.isdir(output) and not output.endswith(("/", os.sep)):
        write_file(output, found[0].read(), force=force)
        return
    for plain in found:
        target = os.path.join(output, *safe_path(plain.path).split("/"))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        write_file(target, plain.read(), force=force)
