"""``overhaul verify``."""

from __future__ import annotations

import click

from overhaul.cli import options
from overhaul.cli.output import Settings
from overhaul.cli.reports import verify_files


@click.command(
    "verify",
    epilog=options.examples(
        "overhaul verify data.win",
        "overhaul verify --code data.win -j 0",
        "overhaul verify -j 0 --json games/*.win > report.json",
        "overhaul verify --details room1.crm",
        "overhaul verify game",
    ),
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--code", is_flag=True, help="Also decompile and recompile every code entry.")
@click.option("--details", is_flag=True, help="List the opaque bytes: where, how many, and why.")
@options.assume_version
@options.jobs
@options.common
def command(
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
