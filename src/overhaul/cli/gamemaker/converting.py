"""``convert`` for projects and games of GameMaker and Game Maker."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import click

import overhaul
from overhaul.cli.output import OK, Settings, note, say, say_json, shown, size_in_words
from overhaul.cli.progress import Bar
from overhaul.cli.verbs import Conversion
from overhaul.document.files import already_exists, write_into
from overhaul.document.protocol import Document
from overhaul.errors import FormatError
from overhaul.findings import Findings
from overhaul.gamemaker import classic, forward, gm82, ide_release
from overhaul.gamemaker.recovered import Tally

if TYPE_CHECKING:
    from overhaul.gamemaker.classic import Converted
    from overhaul.gamemaker.gm82.converting import MadeFolder
    from overhaul.gamemaker.recovery.recovering import Recovered

_FOLDERS = ("gmx", "yyp", "gm82")


def converts(kind: str) -> bool:
    """Whether projects of a kind are made here."""
    return kind in _FOLDERS or kind in classic.TARGETS


def convert(asked: Conversion) -> int:
    """Make a project of a kind, or of a release."""
    if asked.release is not None and asked.kind == "yyp":
        return _to_release(asked, asked.release)
    if asked.release is not None or asked.lossy:
        raise click.UsageError("--release and --lossy are for projects of the kind .yyp")
    if asked.kind in _FOLDERS:
        return _to_project(asked)
    return _to_version(asked, classic.TARGETS[asked.kind])


def _to_version(asked: Conversion, version: int) -> int:
    """Make the file of a project of Game Maker 5 to 8.1."""
    with overhaul.open(asked.file) as document:
        made = _converted(document, version)
        path = asked.output or asked.stem + classic.EXTENSIONS.get(version, ".gm81")
        if os.path.lexists(path) and not asked.force:  # before files are written next to it
            raise already_exists(path)
        data = made.project.to_bytes()
        if made.files:
            files = {name: content.__bytes__ for name, content in made.files.items()}
            write_into(f"{path.rpartition('.')[0] or path}-files", files, force=asked.force)
        made.project.save(path, force=asked.force)
    if asked.settings.json:
        row = {"path": path, "version": version, "size": len(data)}
        say_json(row | {"report": made.findings.texts()} | made.to_json())
        return OK
    say(f"{shown(path)}: version {version}, {size_in_words(len(data))}")
    _say_recovered(made.tallies, made.findings, asked.settings)
    return OK


def _converted(document: Document, version: int) -> Converted:
    """The project of a version of Game Maker that a document becomes."""
    if isinstance(document, gm82.Gm82Document):
        return gm82.as_gm81(document, version)
    return classic.converted(document, version)


def _made_of(document: Document, kind: str, folder: str) -> MadeFolder | Recovered:
    """The folder of a project that a document becomes."""
    if kind != "gm82":
        return forward.project_of(document, kind)
    name = os.path.basename(os.path.abspath(folder))
    return gm82.folder_of(document, name.removesuffix(".gm82"))


def _to_project(asked: Conversion) -> int:
    """Make the folder of a project of GameMaker's editor."""
    kind = asked.kind
    folder = asked.output or asked.stem + (".gm82" if kind == "gm82" else "-project")
    _refuse_existing(folder, asked.force)
    with overhaul.open(asked.file) as document:
        made = _made_of(document, kind, folder)
        _write(folder, made, asked)
    return _say_project(folder, made, asked.settings)


def _to_release(asked: Conversion, text: str) -> int:
    """Make the folder of a project of a release; with ``is_asked``, other documents become one
    first."""
    release = ide_release.named_release(text)
    folder = asked.output or f"{asked.stem}-{text}"
    _refuse_existing(folder, asked.force)
    with overhaul.open(asked.file) as document:
        if ide_release.is_convertible(document):
            made = ide_release.converted_to(document, release)
        elif asked.is_asked:
            made = ide_release.released(forward.project_of(document, "yyp"), release)
        else:
            message = f"got {document.kind}: --to yyp makes a project of it first"
            raise FormatError(message, source=document.source)
        if not asked.lossy:
            ide_release.refuse_losses(ide_release.losses(made))
        _write(folder, made, asked)
    return _say_project(folder, made, asked.settings)


def _refuse_existing(folder: str, force: bool) -> None:
    """Refuse to write into a folder that has something."""
    if os.path.lexists(folder) and not force and (not os.path.isdir(folder) or os.listdir(folder)):
        raise already_exists(folder)


def _write(folder: str, made: MadeFolder | Recovered, asked: Conversion) -> None:
    """Write the files of a project."""
    bar = Bar("files", hidden=asked.settings.quiet)
    write_into(folder, _tracked(made.files, bar), force=asked.force)


def _say_project(folder: str, made: MadeFolder | Recovered, settings: Settings) -> int:
    """Print what was made."""
    if settings.json:
        say_json({"path": folder, "project": made.name} | made.to_json())
        return OK
    say(f"{shown(os.path.join(folder, made.name))}: {len(made.files)} files")
    _say_recovered(made.tallies, made.findings, settings)
    return OK


def _tracked(files: Mapping[str, Callable[[], bytes]], bar: Bar) -> dict[str, Callable[[], bytes]]:
    """The same files, whose reading a bar shows."""

    def reading(number: int, path: str) -> Callable[[], bytes]:
        def read() -> bytes:
            bar(number, len(files), path)
            return files[path]()

        return read

    return {path: reading(number, path) for number, path in enumerate(files, 1)}


def _say_recovered(tallies: Mapping[str, Tally], findings: Findings, settings: Settings) -> None:
    """Print how many of each kind there are, and what a person should know."""
    parts = [f"{tally.total} {kind}" for kind, tally in tallies.items() if tally.total]
    say(f"  {', '.join(parts).replace('_', ' ')}")
    if not settings.quiet:
        for line in findings:
            note(f"overhaul: {shown(line)}")
