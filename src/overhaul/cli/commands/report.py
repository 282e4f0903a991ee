"""``overhaul info``, ``check`` and ``verify``: kinds of files, their faults, their rebuilding."""

from __future__ import annotations

import click

from overhaul.cli import options
from overhaul.cli.output import Settings
from overhaul.cli.reports import check_files, info_files, verify_files


@click.command(
    "info",
    epilog=options.examples(
        "overhaul info data.win",
        "overhaul info --json *.win",
        "overhaul info --short games/* game",
        "overhaul info 'game.zip!data.win'",
        "unzip -p game.zip data.win | overhaul info -",
    ),
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--short", is_flag=True, help="A line for each file: kind and version.")
@options.assume_version
@options.common
def info_command(files: tuple[str, ...], short: bool, settings: Settings) -> int:
    """Show what files are: kind, version, contents.

    The kind is found from the content, never from the name. A file inside a container is named
    with an exclamation mark: game.zip!data.win, game.ags!room1.crm; a zip archive, an .apk or an
    .app folder with one game in it is shown as that game. An unpacked folder is shown as the file
    that packing it gives; - is standard input.
    """
    return info_files(list(files), settings, short=short)


@click.command(
    "check",
    epilog=options.examples(
        "overhaul check source/Game.yyp",
        "overhaul check --json data.win",
    ),
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@options.assume_version
@options.common
def check_command(files: tuple[str, ...], settings: Settings) -> int:
    """List the faults of files, each with its place and a code.

    Everything in each file is read, and the documents in it. Of a project of GameMaker's editor all
    files are read: listed files that are absent, names in another case, references to nothing and
    marks of merges are faults. `overhaul repair` mends some of them.

    Exit code: 0 no faults (notes do not count), 1 there are some, 3 a file can't be read.
    """
    return check_files(list(files), settings)


@click.command(
    "verify",
    epilog=options.examples(
        "overhaul verify data.win",
        "overhaul verify --code data.win",
        "overhaul verify --json games/*.win > report.json",
        "overhaul verify --details room1.crm",
        "overhaul verify game",
    ),
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--code", is_flag=True, help="Also decompile and recompile every code entry.")
@click.option("--details", is_flag=True, help="List the opaque bytes: where, how many, and why.")
@options.assume_version
@options.jobs
@options.no_cache
@options.common
def verify_command(
    files: tuple[str, ...],
    code: bool,
    details: bool,
    settings: Settings,
) -> int:
    """Decode files, rebuild them, compare, and report.

    Everything in each file is decoded; the file is rebuilt from the model only, and compared byte
    by byte. The coverage says how many bytes were decoded into fields, are known media (such as a
    PNG), or were carried as opaque bytes. Documents inside a document are verified too.

    An unpacked folder is verified as the file that packing it gives.

    With --code every code entry is decompiled, and the source compiled again and compared.

    Exit code: 0 all identical, 1 a file or code entry differs, 3 a file can't be read.
    """
    return verify_files(list(files), settings, code=code, details=details)
