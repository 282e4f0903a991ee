"""``overhaul ls``."""

from __future__ import annotations

import click

from overhaul.cli import options
from overhaul.cli.exits import ANSWER_IS_NO, OK
from overhaul.cli.output import Settings, note, say, say_json, shown, warn
from overhaul.document.opening import open
from overhaul.document.protocol import Resource
from overhaul.folder.texts import find_resources


@click.command(
    "ls",
    epilog=options.examples(
        "overhaul ls data.win",
        "overhaul ls data.win 'sprites/spr_player*'",
        "overhaul ls data.win --kind sprite --kind sound",
        "overhaul ls --json game.ags '*.crm'",
    ),
)
@click.argument("file", metavar="FILE")
@click.argument("patterns", nargs=-1, metavar="[PATTERN]...")
@click.option("--kind", "types", multiple=True, metavar="KIND", help="Only this kind (a glob).")
@options.assume_version
@options.common
def command(
    file: str,
    patterns: tuple[str, ...],
    types: tuple[str, ...],
    settings: Settings,
) -> int:
    """List what is in a file.

    A PATTERN is a glob of paths as they are in the unpacked folder (sprites/spr_player*), or of
    names if it has no slash (spr_*). Columns: kind, bytes in the file, path. Exit code 1 if
    nothing matches.
    """
    with open(file, assume_version=settings.assume_version) as document:
        found = find_resources(document, patterns, types)
        head = {"path": file, "kind": document.kind, "version": document.version}
        warnings = list(document.warnings)
    if settings.json:
        rows = [{"kind": r.kind, "name": r.name, "path": r.path, "size": r.size} for r in found]
        say_json({**head, "resources": rows})
    else:
        _show(found)
    warn(warnings, settings)
    if not found and (patterns or types):
        if not settings.quiet:
            note("overhaul: nothing matches")
        return ANSWER_IS_NO
    return OK


def _show(found: list[Resource]) -> None:
    sizes = ["-" if r.size is None else str(r.size) for r in found]
    kind_width = max((len(r.kind) for r in found), default=0)
    size_width = max((len(size) for size in sizes), default=0)
    for resource, size in zip(found, sizes, strict=True):
        line = f"{resource.kind:{kind_width}}  {size:>{size_width}}  {shown(resource.path)}"
        say(line if resource.name in resource.path else f"{line}  ({shown(resource.name)})")
