"""``overhaul status``."""

from __future__ import annotations

import click

import overhaul.folder
from overhaul.cli import options
from overhaul.cli.exits import OK
from overhaul.cli.output import Settings, explain_error, say, say_json, shown


@click.command(
    "status",
    epilog=options.examples("overhaul status game", "overhaul status --json game"),
)
@click.argument("folders", nargs=-1, required=True, metavar="FOLDER...")
@options.common
def command(folders: tuple[str, ...], settings: Settings) -> int:
    """Show what was changed in a folder since it was unpacked.

    Each file that packing would read is printed as added, changed or removed, with its path.
    """
    rows: list[dict[str, object]] = []
    worst = OK
    for folder in folders:
        try:
            found = overhaul.folder.status(folder)
        except Exception as error:  # noqa: BLE001 - the other folders are shown all the same
            worst = max(worst, explain_error(error, settings))
            rows.append({"folder": folder, "error": str(error)})
            continue
        rows.append(found._asdict())
        if settings.json:
            continue
        prefix = f"{shown(folder)}: " if len(folders) > 1 else ""
        for path, change in found.changes.items():
            say(f"{prefix}{change:8} {shown(path)}")
        if not found.changes and not settings.quiet:
            say(f"{shown(folder)}: as it was unpacked")
    if settings.json:
        say_json({"folders": rows})
    return worst
