"""The parts that ``grep`` and ``refs`` share: lines found in the plain files of games."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence

from overhaul import folder as folders
from overhaul.cli.output import (
    ANSWER_IS_NO,
    OK,
    Settings,
    explain_error,
    note,
    say,
    say_json,
    shown,
    warn,
)
from overhaul.cli.progress import Bar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.document.protocol import Document
    from overhaul.folder.parallel import Progress, Workers
    from overhaul.folder.texts import Match

    #: Finds lines in the plain files of a document, without unpacking it.
    InFile = Callable[[Workers[Document], Progress], Iterable[Match]]
    #: Finds lines in the unchanged plain files of an unpacked folder.
    InFolder = Callable[[str], Iterable[Match]]


def show_matches(
    files: Sequence[str],
    in_file: InFile,
    in_folder: InFolder,
    settings: Settings,
    *,
    nothing: Callable[[], str],
) -> int:
    """Print the lines that a search finds in files and unpacked folders.

    Exit code 1, and ``nothing()``, if there are none in any; the worst if some can't be read.
    """
    rows: list[dict[str, object]] = []
    count = 0
    worst = OK
    for file in files:
        shown_rows: list[dict[str, object]] = []
        row: dict[str, object] = {"path": file, "matches": shown_rows}
        prefix = f"{shown(file)}: " if len(files) > 1 else ""
        try:
            for match in _matches(file, in_file, in_folder, settings):
                count += 1
                if settings.json:
                    shown_rows.append(match._asdict())
                else:
                    text = shown(match.text.strip().replace("\t", " "))
                    say(f"{prefix}{shown(match.path)}:{match.line}: {text}")
        except Exception as error:
            if len(files) == 1:
                raise
            worst = max(worst, explain_error(error, settings))
            row["error"] = str(error)
        rows.append(row)
    if settings.json:
        say_json(rows[0] if len(files) == 1 else {"files": rows})
    if not count and not settings.quiet:
        note(f"overhaul: {nothing()}")
    return max(worst, OK if count else ANSWER_IS_NO)


def _matches(
    file: str, in_file: InFile, in_folder: InFolder, settings: Settings
) -> Iterator[Match]:
    if os.path.isdir(file):
        yield from in_folder(file)
        return
    with folders.open(file, assume_version=settings.assume_version) as document:
        bar = Bar("files", hidden=settings.quiet)
        workers = folders.Workers(
            file, document, assume_version=settings.assume_version, jobs=settings.jobs
        )
        for match in in_file(workers, bar):
            bar.clear()
            yield match
        warn(document.findings, settings, file)
