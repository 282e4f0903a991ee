"""``overhaul ls``."""

from __future__ import annotations

from collections.abc import Sequence

import click

from overhaul import folder as folders
from overhaul.cli import options
from overhaul.cli.output import (
    ANSWER_IS_NO,
    OK,
    Settings,
    explain_error,
    note,
    say,
    say_json,
    say_lost,
    shown,
    warn,
)
from overhaul.document.protocol import Resource


@click.command(
    "ls",
    epilog=options.examples(
        "overhaul ls data.win",
        'overhaul ls data.win "sprites/spr_player*"',
        "overhaul ls data.win --kind sprite --kind sound",
        'overhaul ls --json game.ags "rooms/*"',
        'overhaul ls games/*.win game "spr_*"',
        "overhaul ls --salvage damaged.ags",
    ),
)
@click.argument("words", nargs=-1, required=True, metavar="FILE... [PATTERN]...")
@click.option("--kind", "types", multiple=True, metavar="KIND", help="Only this kind (a glob).")
@options.salvage
@options.assume_version
@options.common
def command(
    words: tuple[str, ...],
    types: tuple[str, ...],
    salvage: bool,
    settings: Settings,
) -> int:
    """List the contents of files.

    A PATTERN is a glob of paths as they are in the unpacked folder (sprites/spr_player*), or of
    names if it has no slash (spr_*). Columns: kind, bytes in the file, path. After the first,
    an argument that is a file or an unpacked folder is a FILE too. Exit code 1 if nothing matches,
    or if --salvage found something lost.
    """
    files, patterns = options.files_and_patterns(words)
    rows: list[dict[str, object]] = []
    worst = OK
    matched = False
    for file in files:
        try:
            found, row = _list(file, patterns, types, settings, salvage=salvage)
        except Exception as error:
            if len(files) == 1:
                raise
            worst = max(worst, explain_error(error, settings))
            rows.append({"path": file, "error": str(error)})
            continue
        rows.append(row)
        if row.get("lost"):
            worst = max(worst, ANSWER_IS_NO)
        matched = matched or bool(found)
        if not settings.json:
            if len(files) > 1:
                say(f"{shown(file)}:")
            _show(found)
    if settings.json:
        say_json(rows[0] if len(files) == 1 else {"files": rows})
    if not matched and (patterns or types):
        if not settings.quiet:
            note("overhaul: nothing matches")
        worst = max(worst, ANSWER_IS_NO)
    return worst


def _list(
    file: str,
    patterns: Sequence[str],
    types: Sequence[str],
    settings: Settings,
    *,
    salvage: bool = False,
) -> tuple[list[Resource], dict[str, object]]:
    """The resources of a file that match, and the file's row of JSON."""
    lost: dict[str, object] = {}
    if salvage:
        found_bytes, gone = folders.salvage(file)
        opened = found_bytes.open(assume_version=settings.assume_version)
        lost = {"lost": say_lost(gone, settings)}
    else:
        opened = folders.open(file, assume_version=settings.assume_version)
    with opened as document:
        found = folders.find_resources(document, patterns, types)
        head = {"path": file, "kind": document.kind, "version": document.version}
        findings = list(document.findings)
    warn(findings, settings, file)
    rows = [{"kind": r.kind, "name": r.name, "path": r.path, "size": r.size} for r in found]
    return found, {**head, "resources": rows, **lost}


def _show(found: list[Resource]) -> None:
    sizes = ["-" if r.size is None else str(r.size) for r in found]
    kind_width = max((len(r.kind) for r in found), default=0)
    size_width = max((len(size) for size in sizes), default=0)
    for resource, size in zip(found, sizes, strict=True):
        line = f"{resource.kind:{kind_width}}  {size:>{size_width}}  {shown(resource.path)}"
        say(line if resource.name in resource.path else f"{line}  ({shown(resource.name)})")
