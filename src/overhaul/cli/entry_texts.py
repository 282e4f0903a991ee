"""What ``decompile`` and ``disasm`` share: code entries as texts, printed or written to files."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import partial

from overhaul.cli.exits import ANSWER_IS_NO, OK
from overhaul.cli.output import Settings, note, say, say_json, shown, warn
from overhaul.cli.progress import Bar
from overhaul.document.files import write_into
from overhaul.folder.parallel import Workers
from overhaul.gamemaker.data.code.texts import EntryText
from overhaul.gamemaker.data_folder import entry_texts


def show_entries(
    file: str,
    patterns: Sequence[str],
    code: str,
    settings: Settings,
    *,
    output: str | None,
    force: bool,
) -> int:
    """Print code entries as ``code`` (``"gml"`` or ``"asm"``), or write them to a folder."""

    bar = Bar("entries", hidden=settings.quiet or (output is None and not settings.json))
    with entry_texts.open_game(file, settings.assume_version) as game:
        workers = Workers(file, game, assume_version=settings.assume_version, jobs=settings.jobs)
        texts, missing = entry_texts.entry_texts(workers, patterns, code, bar)
        warnings = list(game.warnings)
    names = entry_texts.file_names(texts, f".{code}")
    if output is not None:
        _write(texts, names, output, force=force)
    if settings.json:
        say_json({"path": file, "entries": _rows(texts, names, output)})
    elif output is None:
        _print(texts, "//" if code == "gml" else ";")
    elif not settings.quiet:
        say(f"{len(texts)} entries in {shown(output)}")
    warn(warnings, settings)
    for pattern in missing:
        note(f"overhaul: no code entry is called {shown(pattern)}")
    failed = _report_problems(texts, settings)
    return ANSWER_IS_NO if failed or missing else OK


def _write(texts: Sequence[EntryText], names: Sequence[str], output: str, *, force: bool) -> None:
    files = {
        name: partial(str.encode, text.text, "utf-8", "surrogateescape")
        for name, text in zip(names, texts, strict=True)
        if text.text is not None
    }
    write_into(output, files, force=force)


def _rows(
    texts: Sequence[EntryText], names: Sequence[str], output: str | None
) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for text, name in zip(texts, names, strict=True):
        row: dict[str, object] = {"name": text.name, "problems": text.problems}
        if output is None:
            row["text"] = text.text
        else:
            row["file"] = None if text.text is None else os.path.join(output, name)
        rows.append(row)
    return rows


def _print(texts: Sequence[EntryText], comment: str) -> None:
    """Print texts, with a line that names the entry before each where there are several."""
    for number, text in enumerate(texts):
        if len(texts) > 1:
            say(f"{chr(10) if number else ''}{comment} {shown(text.name)}")
        if text.text is not None:
            say(_printed(text.text.removesuffix("\n")))


def _printed(text: str) -> str:
    """A text for stdout: as it is for a file or a pipe, harmless for a terminal."""
    if not sys.stdout.isatty():
        return text
    return "\n".join("    ".join(map(shown, line.split("\t"))) for line in text.split("\n"))


def _report_problems(texts: Sequence[EntryText], settings: Settings) -> int:
    """Say which entries have no text, or assembly in it; return how many have none."""
    failed = 0
    for text in texts:
        if text.text is None:
            failed += 1
            note(f"overhaul: {shown(text.name)}: failed: {shown(text.problems[0])}")
        elif text.problems and not settings.quiet:
            note(
                f"overhaul: {shown(text.name)}: warning: some of it is assembly in comments: "
                f"{shown(text.problems[0])}"
            )
    return failed
