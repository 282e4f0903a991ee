"""What the commands about code share: opening a game, texts of entries, changed copies, matches."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from overhaul.cli import ANSWER_IS_NO, OK
from overhaul.cli.options import Decorator
from overhaul.cli.output import Settings, note, say, say_json, shown, warn
from overhaul.cli.progress import Bar
from overhaul.errors import FormatError, SourceError, WorkspaceError

if TYPE_CHECKING:
    from overhaul.document.protocol import Document
    from overhaul.folder.texts import Match
    from overhaul.gamemaker.data.code.texts import EntryText
    from overhaul.gamemaker.data.game import GameData
    from overhaul.gamemaker.data_folder.batch import Outcome, When

    Progress = Callable[[int, int, str], None]

definitions: Decorator = click.option(
    "--definitions", metavar="PATH", help="GML with #macro and enum lines to know."
)


def open_game(file: str, assume_version: str | None) -> GameData:
    """Open a compiled GameMaker game.  Raises FormatError for anything else."""
    from overhaul.document.opening import open
    from overhaul.gamemaker.data.game import GameData

    document: Any = open(file, assume_version=assume_version)
    if isinstance(document, GameData):
        return document
    kind = document.kind
    document.close()
    raise FormatError(f"this works on compiled GameMaker games, not on {kind}", source=file)


# ------------------------------------------------------------------------------ decompile, disasm


def show_entries(
    file: str,
    patterns: Sequence[str],
    code: str,
    settings: Settings,
    *,
    output: str | None,
    force: bool,
    assume_version: str | None,
) -> int:
    """Print code entries as ``code`` (``"gml"`` or ``"asm"``), or write them to a folder."""
    from overhaul.folder.parallel import learn_code, map_parts
    from overhaul.gamemaker.data.code.texts import (
        chosen_entries,
        decompiled,
        disassembled,
        itself,
        learned,
    )

    texts: list[EntryText] = []
    prepare: Any = learned if code == "gml" else itself
    with open_game(file, assume_version) as game:
        document: Any = game
        chosen, missing = chosen_entries(game, patterns)
        hidden = settings.quiet or (output is None and not settings.json)
        bar = Bar("entries", hidden=hidden)
        if code == "gml":
            learn_code(file, document, settings.jobs)
        for text in map_parts(
            file,
            prepare,
            decompiled if code == "gml" else disassembled,
            chosen,
            document=document,
            assume_version=assume_version,
            jobs=settings.jobs,
        ):
            bar(len(texts), len(chosen), text.name)
            texts.append(text)
        bar(len(chosen), len(chosen), "")
        warnings = list(game.warnings)
    paths = None if output is None else _write(texts, f".{code}", output, force=force)
    if settings.json:
        _report(file, texts, paths)
    elif paths is None:
        _print(texts, "//" if code == "gml" else ";")
    elif not settings.quiet:
        say(f"{len(texts)} entries in {shown(output)}")
    warn(warnings, settings)
    for pattern in missing:
        note(f"overhaul: no code entry is called {shown(pattern)}")
    failed = _tell_problems(texts, settings)
    return ANSWER_IS_NO if failed or missing else OK


def _write(
    texts: Sequence[EntryText], ending: str, output: str, *, force: bool
) -> list[str | None]:
    """Write each text to a file of a folder; the paths (None where there is no text)."""
    from overhaul.document.files import remove_quietly, write_file
    from overhaul.document.names import FileNames

    names = FileNames()
    paths = [os.path.join(output, names(text.name) + ending) for text in texts]
    existing = [] if force else [path for path in paths if os.path.lexists(path)]
    if existing:
        raise FileExistsError(17, "it exists already (--force replaces it)", existing[0])
    made = not os.path.lexists(output)
    os.makedirs(output, exist_ok=True)
    written: list[str | None] = []
    new: list[str] = []
    try:
        for text, path in zip(texts, paths, strict=True):
            if text.text is not None:
                content = text.text.encode("utf-8", "surrogateescape")
                if not os.path.lexists(path):
                    new.append(path)
                write_file(path, content, force=force, flush=False)
            written.append(None if text.text is None else path)
    except BaseException:  # Ctrl-C, a full disk: what is new goes again
        for path in new:
            remove_quietly(path)
        if made:
            with contextlib.suppress(OSError):
                os.rmdir(output)
        raise
    return written


def _print(texts: Sequence[EntryText], comment: str) -> None:
    """Print texts, with a line that names the entry before each where there are several."""
    for number, text in enumerate(texts):
        if len(texts) > 1:
            say(f"{chr(10) if number else ''}{comment} {shown(text.name)}")
        if text.text is not None:
            say(_printed(text.text.removesuffix("\n")))


def _printed(text: str) -> str:
    """A text for stdout: as it is for a file or a pipe, harmless for a terminal."""
    import sys

    if not sys.stdout.isatty():
        return text
    return "\n".join("    ".join(map(shown, line.split("\t"))) for line in text.split("\n"))


def _report(file: str, texts: Sequence[EntryText], paths: Sequence[str | None] | None) -> None:
    rows: list[dict[str, Any]] = []
    for number, text in enumerate(texts):
        row: dict[str, Any] = {"name": text.name, "problems": text.problems}
        if paths is None:
            row["text"] = text.text
        else:
            row["file"] = paths[number]
        rows.append(row)
    say_json({"path": file, "entries": rows})


def _tell_problems(texts: Sequence[EntryText], settings: Settings) -> int:
    """Say which entries have no text, or assembly in it; return how many have none."""
    failed = 0
    for text in texts:
        if text.text is None:
            failed += 1
            note(f"overhaul: {shown(text.name)}: failed: {shown(text.problems[0])}")
        elif text.problems and not settings.quiet:
            note(
                f"overhaul: {shown(text.name)}: warning: not all of it has structure: "
                f"{shown(text.problems[0])}"
            )
    return failed


# ----------------------------------------------------------------------------------- compile, asm


def read_text(path: str) -> str:
    """A source or assembly file; ``-`` is stdin.  Raises WorkspaceError if it is not UTF-8."""
    import sys

    if path == "-":
        data = sys.stdin.buffer.read()
    else:
        with open(path, "rb") as stream:
            data = stream.read()
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise WorkspaceError(f"{path}: text is UTF-8, which this is not: {error}") from None


def read_definitions(game: GameData, path: str) -> str:
    """The text of a file with definitions.  Raises SourceError, naming the file, if it is wrong."""
    from overhaul.gamemaker.data.code.context import game_context
    from overhaul.gamemaker.data.code.language import add_definitions

    text = read_text(path)
    try:
        add_definitions(game_context(game), text)
    except SourceError as error:
        error.name = path
        raise
    return text


def put_entries(
    file: str,
    sources: Sequence[str],
    name: str | None,
    settings: Settings,
    *,
    assembly: bool,
    definitions: str | None = None,
    output: str | None,
    force: bool,
    assume_version: str | None,
) -> int:
    """Check source or assembly files against a game, and write a changed copy if asked for."""
    if name is None and "-" in sources:
        raise click.UsageError("a text from stdin needs the name of its entry (--entry)")
    if name is not None and len(sources) > 1:
        raise click.UsageError("--entry names one entry; give one file with it")
    names = [name or _entry_of_file(source) for source in sources]
    twice = next((each for each in names if names.count(each) > 1), None)
    if twice is not None:
        raise click.UsageError(f"more than one file is for the entry {twice!r}")
    if output is not None and not force and os.path.lexists(output):
        raise FileExistsError(17, "it exists already (--force replaces it)", output)
    rows: list[dict[str, Any]] = []
    with open_game(file, assume_version) as game:
        for row in _rows(
            game,
            file,
            list(zip(names, sources, strict=True)),
            settings,
            assembly=assembly,
            definitions=definitions,
            keep=output is not None,
            assume_version=assume_version,
        ):
            _tell_errors(row)
            rows.append(row)
        bad = any(row["errors"] for row in rows)
        written = None if bad else output
        if written is not None:
            game.save(written, force=force)
        warn(list(game.warnings), settings)
    if settings.json:
        say_json({"path": file, "files": rows, "written": written})
    elif not settings.quiet:
        for row in rows:
            if not row["errors"]:
                say(f"{shown(row['file'])}: {shown(row['entry'])}: {_outcome(row)}")
        if written is not None:
            say(f"written to {shown(written)}")
    return ANSWER_IS_NO if bad else OK


def _rows(
    game: GameData,
    file: str,
    given: Sequence[tuple[str, str]],
    settings: Settings,
    *,
    assembly: bool,
    definitions: str | None,
    keep: bool,
    assume_version: str | None,
) -> Iterator[dict[str, Any]]:
    """The rows of the report, in order; then, with ``keep`` and no errors, all is in the game."""
    from functools import partial

    from overhaul.folder.parallel import map_parts
    from overhaul.gamemaker.data.code.texts import root_entries
    from overhaul.gamemaker.data_folder.batch import Batch, When, prepare

    root_entries(game)  # there must be bytecode
    known = "" if definitions is None else read_definitions(game, definitions)
    texts = [When(name, source, read_text(source)) for name, source in given]
    document: Any = game
    ready: Any = partial(prepare, texts=texts, assembly=assembly, definitions=known)
    bar = Bar("files", hidden=settings.quiet)
    changed = []
    good = True
    for number, outcome in enumerate(
        map_parts(
            file,
            ready,
            Batch.check,
            range(len(texts)),
            document=document,
            assume_version=assume_version,
            jobs=settings.jobs,
        )
    ):
        bar(number, len(texts), texts[number].name)
        if outcome.mistakes:
            bar.clear()
            good = False
        elif not outcome.identical:
            changed.append(number)
        yield _row(texts[number], outcome)
    bar(len(texts), len(texts), "")
    if keep and good and changed:
        ready(game).put(changed)


def _row(given: When, outcome: Outcome) -> dict[str, Any]:
    row: dict[str, Any] = {"file": given.path, "entry": given.name, "errors": []}
    if not outcome.mistakes:
        found = {"identical": outcome.identical, "new": outcome.new, "size": outcome.size}
        return {**row, **found}
    lines = given.text.split("\n")
    row["errors"] = [
        {
            "line": each.line,
            "column": each.column,
            "message": each.message,
            "text": lines[each.line - 1] if 0 < each.line <= len(lines) else "",
        }
        for each in outcome.mistakes
    ]
    return row


def _tell_errors(row: dict[str, Any]) -> None:
    for each in row["errors"]:
        place = f":{each['line']}:{each['column']}" if each["line"] else ""
        note(f"{shown(row['file'])}{place}: error: {shown(each['message'])}")
        if each["text"]:
            note("    " + shown(each["text"].replace("\t", " ")))
            note("    " + " " * (each["column"] - 1) + "^")


def _entry_of_file(path: str) -> str:
    """The entry a file is for, by its name."""
    from overhaul.document.names import unescape_name

    name = os.path.basename(path)
    return unescape_name(name.rpartition(".")[0] or name)


def _outcome(row: dict[str, Any]) -> str:
    if row["new"]:
        return "new"
    return "identical to the game's" if row["identical"] else "differs from the game's"


# ------------------------------------------------------------------------------------- grep, refs


def show_matches(
    file: str,
    find: Callable[[Document, Progress], Iterator[Match]],
    settings: Settings,
    assume_version: str | None,
    *,
    nothing: str,
) -> int:
    """Print the lines that a search finds; exit code 1, and ``nothing``, if there are none."""
    from overhaul.document.opening import open

    rows: list[dict[str, object]] = []
    count = 0
    with open(file, assume_version=assume_version) as document:
        bar = Bar("files", hidden=settings.quiet)
        for match in find(document, bar):
            count += 1
            if settings.json:
                rows.append({"path": match.path, "line": match.line, "text": match.text})
            else:
                bar.clear()
                text = shown(match.text.strip().replace("\t", " "))
                say(f"{shown(match.path)}:{match.line}: {text}")
        warn(list(document.warnings), settings)
    if settings.json:
        say_json({"path": file, "matches": rows})
    if not count and not settings.quiet:
        note(f"overhaul: {nothing}")
    return OK if count else ANSWER_IS_NO
