"""The parts that ``compile`` and ``asm`` share: texts checked against a game, or put into a copy
of it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

import click

from overhaul.cli.output import (
    ANSWER_IS_NO,
    OK,
    Settings,
    note,
    read_input,
    say,
    say_json,
    shown,
    warn,
)
from overhaul.cli.progress import Bar
from overhaul.document.files import already_exists
from overhaul.folder.parallel import Workers
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder import batch, entry_texts
from overhaul.gamemaker.data_folder.batch import EntrySource, Mistake, Outcome


def put_entries(
    file: str,
    paths: Sequence[str],
    entry: str | None,
    settings: Settings,
    *,
    assembly: bool,
    definitions: str | None = None,
    output: str | None,
    force: bool,
    strict: bool = False,
) -> int:
    """Check source or assembly files against a game, and write a changed copy if asked for."""
    names = _names(paths, entry)
    if output is not None and not force and os.path.lexists(output):
        raise already_exists(output)
    bar = Bar("files", hidden=settings.quiet)
    with entry_texts.open_game(file, settings.assume_version) as game:
        workers = Workers(file, game, assume_version=settings.assume_version, jobs=settings.jobs)
        known = read_definitions(game, definitions)
        texts = list(_sources(names, paths))
        outcomes = []
        for text, outcome in zip(
            texts,
            batch.check_sources(workers, texts, assembly=assembly, definitions=known, progress=bar),
            strict=True,
        ):
            if outcome.mistakes:
                bar.clear()
                _report(text, "error", outcome.mistakes)
            outcomes.append(outcome)
        doubts = batch.unknown_names(outcomes)
        bad = any(outcome.mistakes for outcome in outcomes)
        if not bad and (output is not None or any(outcome.loses for outcome in outcomes)):
            lost = batch.put_sources(game, texts, outcomes, assembly=assembly, definitions=known)
            said = {text.name: found for text, found in zip(texts, doubts, strict=True)}
            for gone in lost:
                said[gone.home].append(Mistake(0, 0, str(gone.finding())))
        for text, found in zip(texts, doubts, strict=True):
            if strict or not settings.quiet:
                _report(text, "error" if strict else "warning", found)
        bad = bad or (strict and any(doubts))
        written = None if bad else output
        if written is not None:
            game.save(written, force=force)
        warn(game.findings, settings)
    if settings.json:
        rows = [_row(*parts) for parts in zip(texts, outcomes, doubts, strict=True)]
        say_json({"path": file, "files": rows, "written": written})
    elif not settings.quiet:
        for text, outcome in zip(texts, outcomes, strict=True):
            if not outcome.mistakes:
                say(f"{shown(text.path)}: {shown(text.name)}: {_in_words(outcome)}")
        if written is not None:
            say(f"written to {shown(written)}")
    return ANSWER_IS_NO if bad else OK


def read_definitions(game: GameData, path: str | None) -> str:
    """The text of a file with definitions; none without a path."""
    if path is None:
        return ""
    text = batch.source_text(read_input(path), path)
    batch.check_definitions(game, text, path)
    return text


def _names(paths: Sequence[str], entry: str | None) -> list[str]:
    if entry is None and "-" in paths:
        raise click.UsageError("a text from stdin needs the name of its entry (--entry)")
    if entry is not None and len(paths) > 1:
        raise click.UsageError("--entry names one entry; give one file with it")
    names = [entry or entry_texts.entry_of_file(path) for path in paths]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise click.UsageError(f"more than one file is for the entry {twice!r}")
    return names


def _sources(names: Sequence[str], paths: Sequence[str]) -> Iterator[EntrySource]:

    for name, path in zip(names, paths, strict=True):
        yield EntrySource(name, path, batch.source_text(read_input(path), path))


def _row(text: EntrySource, outcome: Outcome, doubts: Sequence[Mistake]) -> dict[str, object]:
    row: dict[str, object] = {"file": text.path, "entry": text.name}
    row["errors"] = [_mistake(text, mistake) for mistake in outcome.mistakes]
    row["warnings"] = [_mistake(text, doubt) for doubt in doubts]
    if not outcome.mistakes:
        row |= {"identical": outcome.identical, "new": outcome.new, "size": outcome.size}
    return row


def _mistake(text: EntrySource, mistake: Mistake) -> dict[str, object]:
    return mistake._asdict() | {"text": _line(text, mistake.line)}


def _report(text: EntrySource, what: str, mistakes: Sequence[Mistake]) -> None:
    for mistake in mistakes:
        place = f":{mistake.line}:{mistake.column}" if mistake.line else ""
        note(f"{shown(text.path)}{place}: {what}: {shown(mistake.message)}")
        line = _line(text, mistake.line)
        if line:
            note("    " + shown(line.replace("\t", " ")))
            note("    " + " " * (mistake.column - 1) + "^")


def _line(text: EntrySource, number: int) -> str:
    """A line of a text, counted from 1; empty where there is none."""
    lines = text.text.split("\n")
    return lines[number - 1] if 0 < number <= len(lines) else ""


def _in_words(outcome: Outcome) -> str:
    if outcome.new:
        return "new"
    return "identical to the game's" if outcome.identical else "differs from the game's"
