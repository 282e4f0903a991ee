"""``overhaul convert``."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import click

import overhaul
from overhaul.ags import project as ags_project
from overhaul.cli import options
from overhaul.cli.output import (
    ANSWER_IS_NO,
    OK,
    Settings,
    note,
    say,
    say_json,
    shown,
    size_in_words,
)
from overhaul.cli.progress import Bar
from overhaul.document.files import already_exists, write_into
from overhaul.errors import FormatError
from overhaul.gamemaker import classic, forward, gm82, ide_release

if TYPE_CHECKING:
    from overhaul.document.protocol import Document
    from overhaul.findings import Findings
    from overhaul.gamemaker.classic import Converted
    from overhaul.gamemaker.gm82.converting import MadeFolder
    from overhaul.gamemaker.recovered import Tally
    from overhaul.gamemaker.recovery.recovering import Recovered


@click.command(
    "convert",
    epilog=options.examples(
        "overhaul convert old.gm6 --to gm81",
        "overhaul convert game.gmd --to 800 -o game.gmk",
        "overhaul convert game.exe --to gm81 -o recovered.gm81",
        "overhaul convert data.win --to yyp -o recovered",
        "overhaul convert old.gmk --to yyp -o today",
        "overhaul convert game.gm82 --to gm81 -o game.gm81",
        "overhaul convert Game.yyp --release 2023.11 --lossy -o earlier",
        "overhaul convert game.ags --to agf -o project",
        "overhaul convert --json old.gmk --to gm81",
    ),
)
@click.argument("file", metavar="FILE")
@click.option(
    "--to",
    "target",
    metavar="VERSION",
    help="gmd (5.3), gm6, gmk7, gmk (8.0) or gm81, or the number: 530, 600, 701, 800, 810; gm82, "
    "yyp, gmx or agf: a folder with a project of the editor.",
)
@click.option(
    "--release",
    metavar="RELEASE",
    help="The release of GameMaker that the .yyp is for: 2.3.7, 2022.9, 2024.13 …",
)
@click.option("--lossy", is_flag=True, help="Leave out what the release can't have.")
@options.output_or_none("The file to write; by default next to FILE.", "PATH")
@options.force_file
@options.common
def command(
    file: str,
    target: str | None,
    release: str | None,
    lossy: bool,
    output: str | None,
    force: bool,
    settings: Settings,
) -> int:
    """Convert a project to a later editor, or a game to a project of its editor.

    A project of Game Maker 5 to 8.1 becomes one of a later version; with --to gmx, one of
    GameMaker: Studio 1; with --to yyp, one of GameMaker 2024, and so does a project of Studio 1.
    Actions become GML there, tiles and views layers and cameras. CONVERTED.md in the folder lists
    what to look at.

    --release makes a .yyp one of another release of GameMaker, earlier or later, and has --to yyp
    make one of that release. What the release can't have is named, and nothing is written without
    --lossy.

    A .gm82 folder of Game Maker 8.2 becomes a .gm81 (or a later project), and with --to gm82 a
    project becomes such a folder. What the other form has no place for is reported.

    For people who own a game and lost its project: an executable of Game Maker 5.3 to 8.1 becomes
    the project that it was made of, or a later one. With --to yyp, a data.win becomes a folder
    with a project; with --to gmx, one of Studio 1 does; with --to agf, a game of Adventure Game
    Studio. What compiling threw away is reported, and in RECOVERED.md of a folder. With agf the
    exit code is 1 if a script does not compile or lacks a function. FILE is not changed.
    """
    kind = (target or "yyp").lower().lstrip(".")
    if release is not None and kind == "yyp":
        return _to_release(file, release, lossy, target is not None, output, force, settings)
    if release is not None or lossy:
        raise click.UsageError("--release and --lossy are for projects of the kind .yyp")
    if target is None:
        raise click.UsageError("Missing option '--to' or '--release'.")
    if kind == "agf":
        return _to_agf(file, output, force, settings)
    if kind in ("gmx", "yyp", "gm82"):
        return _to_project(file, kind, output, force, settings)
    version = classic.TARGETS.get(kind)
    if version is None:
        raise click.BadParameter(f"unknown version {target!r}", param_hint="--to")
    with overhaul.open(file) as document:
        made = _converted(document, version)
        path = output or _stem(file) + classic.EXTENSIONS.get(version, ".gm81")
        if os.path.lexists(path) and not force:  # before files are written next to it
            raise already_exists(path)
        data = made.project.to_bytes()
        if made.files:
            files = {name: content.__bytes__ for name, content in made.files.items()}
            write_into(f"{_stem(path)}-files", files, force=force)
        made.project.save(path, force=force)
    if settings.json:
        row = {"path": path, "version": version, "size": len(data)}
        say_json(row | {"report": made.findings.texts()} | made.to_json())
        return OK
    say(f"{shown(path)}: version {version}, {size_in_words(len(data))}")
    say_recovered(made.tallies, made.findings, settings)
    return OK


def _stem(path: str) -> str:
    return path.rpartition(".")[0] or path


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


def _to_project(file: str, kind: str, output: str | None, force: bool, settings: Settings) -> int:
    """Make the folder of a project of GameMaker's editor."""
    folder = output or _stem(file) + (".gm82" if kind == "gm82" else "-project")
    _refuse_existing(folder, force)
    with overhaul.open(file) as document:
        made = _made_of(document, kind, folder)
        _write(folder, made, force, settings)
    return _say_project(folder, made, settings)


def _to_release(
    file: str,
    text: str,
    lossy: bool,
    is_made: bool,
    output: str | None,
    force: bool,
    settings: Settings,
) -> int:
    """Make the folder of a project of a release; ``is_made``: of what is no such project yet."""
    release = ide_release.named_release(text)
    folder = output or f"{_stem(file)}-{text}"
    _refuse_existing(folder, force)
    with overhaul.open(file) as document:
        if ide_release.is_convertible(document):
            made = ide_release.converted_to(document, release)
        elif is_made:
            made = ide_release.released(forward.project_of(document, "yyp"), release)
        else:
            message = f"got {document.kind}: --to yyp makes a project of it first"
            raise FormatError(message, source=document.source)
        if not lossy:
            ide_release.refuse_losses(ide_release.losses(made))
        _write(folder, made, force, settings)
    return _say_project(folder, made, settings)


def _refuse_existing(folder: str, force: bool) -> None:
    """Refuse to write into a folder that has something."""
    if os.path.lexists(folder) and not force and (not os.path.isdir(folder) or os.listdir(folder)):
        raise already_exists(folder)


def _write(folder: str, made: MadeFolder | Recovered, force: bool, settings: Settings) -> None:
    """Write the files of a project."""
    bar = Bar("files", hidden=settings.quiet)
    write_into(folder, tracked(made.files, bar), force=force)


def _say_project(folder: str, made: MadeFolder | Recovered, settings: Settings) -> int:
    """Print what was made."""
    if settings.json:
        say_json({"path": folder, "project": made.name} | made.to_json())
        return OK
    say(f"{shown(os.path.join(folder, made.name))}: {len(made.files)} files")
    say_recovered(made.tallies, made.findings, settings)
    return OK


def tracked(files: Mapping[str, Callable[[], bytes]], bar: Bar) -> dict[str, Callable[[], bytes]]:
    """The same files, whose reading a bar shows."""

    def reading(number: int, path: str) -> Callable[[], bytes]:
        def read() -> bytes:
            bar(number, len(files), path)
            return files[path]()

        return read

    return {path: reading(number, path) for number, path in enumerate(files, 1)}


def say_recovered(tallies: Mapping[str, Tally], findings: Findings, settings: Settings) -> None:
    """Print how many of each kind there are, and what a person should know."""
    parts = [f"{tally.total} {kind}" for kind, tally in tallies.items() if tally.total]
    say(f"  {', '.join(parts).replace('_', ' ')}")
    if not settings.quiet:
        for line in findings:
            note(f"overhaul: {shown(line)}")


def _to_agf(file: str, output: str | None, force: bool, settings: Settings) -> int:
    """Make the folder of a project."""
    with overhaul.open(file) as document:
        made = ags_project.convert(document)
        folder = output or (file.rpartition(".")[0] or file) + "-project"
        ags_project.write_project(made, folder, force=force)
    code = OK if made.is_whole else ANSWER_IS_NO
    if settings.json:
        say_json(
            {
                "path": folder,
                "version": made.version,
                "files": sorted(made.files),
                "report": made.report,
                "scripts": made.scripts.to_json(),
                "missing": made.missing,
            }
        )
        return code
    say(f"{shown(folder)}: a project of the editor {made.version}, {len(made.files)} files")
    if not settings.quiet:
        for line in made.report:
            note(f"overhaul: {shown(line)}")
        for script, finding in made.scripts.failed.items():
            note(f"overhaul: {shown(script)} does not compile: {shown(finding)}")
        for line in made.missing:
            note(f"overhaul: missing: {shown(line)}")
    return code
