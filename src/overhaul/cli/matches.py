"""What ``grep`` and ``refs`` share: lines found in the plain files of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from overhaul.cli.exits import ANSWER_IS_NO, OK
from overhaul.cli.output import Settings, note, say, say_json, shown, warn
from overhaul.cli.progress import Bar
from overhaul.document.opening import open
from overhaul.document.protocol import Document
from overhaul.folder.parallel import Progress, Workers
from overhaul.folder.texts import Match


def show_matches(
    file: str,
    find: Callable[[Workers[Document], Progress], Iterator[Match]],
    settings: Settings,
    *,
    nothing: str,
) -> int:
    """Print the lines that a search finds; exit code 1, and ``nothing``, if there are none."""
    rows: list[dict[str, object]] = []
    count = 0
    with open(file, assume_version=settings.assume_version) as document:
        bar = Bar("files", hidden=settings.quiet)
        workers = Workers(
            file, document, assume_version=settings.assume_version, jobs=settings.jobs
        )
        for match in find(workers, bar):
            count += 1
            if settings.json:
                rows.append(match._asdict())
            else:
                bar.clear()
                text = shown(match.text.strip().replace("\t", " "))
                say(f"{shown(match.path)}:{match.line}: {text}")
        warn(document.warnings, settings)
    if settings.json:
        say_json({"path": file, "matches": rows})
    if not count and not settings.quiet:
        note(f"overhaul: {nothing}")
    return OK if count else ANSWER_IS_NO
