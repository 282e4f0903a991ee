"""The parts that ``decompile`` and ``disasm`` share: code entries as texts, printed or written
to files."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import partial
from typing import NamedTuple

import click

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
from overhaul.document.files import write_into
from overhaul.document.names import folder_name
from overhaul.document.protocol import HasSources
from overhaul.folder.opening import open as open_document
from overhaul.folder.parallel import Workers
from overhaul.gamemaker.data.code.texts import EntryText
from overhaul.gamemaker.data_folder import entry_texts
from overhaul.gml.decompiler.options import DecompileOptions
from overhaul.suggest import did_you_mean


class _GameTexts(NamedTuple):
    """The texts asked of one game with their file names, and the entries that it lacks."""

    texts: list[EntryText]
    names: list[str]
    missing: dict[str, str]  # pattern -> what it may have meant


def show_entries(
    files: Sequence[str],
    patterns: Sequence[str],
    code: str,
    settings: Settings,
    *,
    output: str | None,
    force: bool,
    style: DecompileOptions | None = None,
) -> int:
    """Print code entries as ``code`` (``"gml"``, as ``style`` says, or ``"asm"``), or write them to
    a folder."""
    single = len(files) == 1
    folders = dict.fromkeys(files, output)
    if output is not None and not single:
        folders = {file: os.path.join(output, folder_name(file)) for file in files}
        if len(set(folders.values())) < len(files):
            raise click.UsageError("two of the files would go to one folder; name them one by one")
    rows: list[dict[str, object]] = []
    missing: list[dict[str, str]] = []
    worst = OK
    for file, folder in folders.items():
        try:
            done = _entries(file, patterns, code, settings, style, hidden=output is None)
            if folder is not None:
                _write(done.texts, done.names, folder, force=force)
        except Exception as error:
            if single:
                raise
            worst = max(worst, explain_error(error, settings))
            rows.append({"path": file, "error": str(error)})
            continue
        rows.append({"path": file, "entries": _rows(done.texts, done.names, folder)})
        missing.append(done.missing)
        if not settings.json:
            if not single and folder is None:
                say(f"{'//' if code == 'gml' else ';'} ==== {shown(file)}")
            _say(done.texts, code, folder, settings)
        if _report_problems(done.texts, settings):
            worst = max(worst, ANSWER_IS_NO)
    if settings.json:
        say_json(rows[0] if single else {"files": rows})
    for pattern in patterns:
        hints = [others[pattern] for others in missing if pattern in others]
        if hints and len(hints) == len(missing):  # in none of the games
            note(f"overhaul: no code entry is called {shown(pattern)}{shown(max(hints, key=len))}")
            worst = max(worst, ANSWER_IS_NO)
    return worst


def _entries(
    file: str,
    patterns: Sequence[str],
    code: str,
    settings: Settings,
    style: DecompileOptions | None,
    *,
    hidden: bool,
) -> _GameTexts:
    bar = Bar("entries", hidden=settings.quiet or (hidden and not settings.json))
    with open_document(file, assume_version=settings.assume_version) as document:
        if code == "gml" and isinstance(document, HasSources):
            warn(document.findings, settings, file)
            return _sources(document, patterns)
        game = entry_texts.as_game(document, file)
        workers = Workers(file, game, assume_version=settings.assume_version, jobs=settings.jobs)
        texts, missing = entry_texts.entry_texts(workers, patterns, code, bar, style)
        known = entry_texts.spoken_names(game) if missing else ()
        hints = {pattern: did_you_mean(pattern, known) for pattern in missing}
        warn(game.findings, settings, file)
    return _GameTexts(texts, entry_texts.file_names(texts, f".{code}"), hints)


def _sources(document: HasSources, patterns: Sequence[str]) -> _GameTexts:
    """The texts of a document whose entries have source of their own.

    A pattern is that of an entry, or of its name in its file.
    """
    names = document.code_names()
    asked = {pattern: [name for name in names if _matches(name, pattern)] for pattern in patterns}
    chosen = [n for n in names if not patterns or any(n in found for found in asked.values())]
    texts = [EntryText(name, *document.code_source(name)) for name in chosen]
    missing = {p: did_you_mean(p, names) for p, found in asked.items() if not found}
    return _GameTexts(texts, entry_texts.file_names(texts, ""), missing)


def _matches(name: str, pattern: str) -> bool:
    return any(fnmatchcase(part, pattern) for part in (name, name.rpartition("!")[2]))


def _say(texts: Sequence[EntryText], code: str, folder: str | None, settings: Settings) -> None:
    if folder is None:
        _print(texts, "//" if code == "gml" else ";")
    elif not settings.quiet:
        say(f"{len(texts)} entries in {shown(folder)}")


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
