"""``compile`` for projects of Adventure Game Studio: scripts checked, or written as blocks."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import click

from overhaul.ags.agf.compiling import PROJECT_FILE, ProjectCompiler
from overhaul.ags.language import ScriptError
from overhaul.cli.output import ANSWER_IS_NO, OK, note, say, say_json, shown
from overhaul.cli.verbs import Compiling
from overhaul.document.files import already_exists, write_file

_ENDING = ".o"


def project_folder(file: str) -> Path | None:
    """The folder of the project that ``file`` is, or that is in it; None for anything else."""
    path = Path(file)
    if path.name.lower() == PROJECT_FILE.lower() and path.is_file():
        return path.parent
    return path if (path / PROJECT_FILE).is_file() else None


def compiles(file: str) -> bool:
    """Whether it is a project of Adventure Game Studio."""
    return project_folder(file) is not None


def compile_scripts(asked: Compiling) -> int:
    """Compile scripts of a project; write their blocks to a file, or to a folder for several."""
    if asked.entry is not None or asked.definitions is not None:
        raise click.UsageError("--entry and --definitions are for games of GameMaker")
    folder, scripts, settings = project_folder(asked.file), asked.sources, asked.settings
    assert folder is not None
    output, force = asked.output, asked.force
    if "-" in scripts:
        raise click.UsageError("a script of a project is named: its headers depend on its name")
    targets = _targets(scripts, output, force=force)
    compiler = ProjectCompiler(folder, settings.assume_version)
    rows: list[dict[str, object]] = []
    blocks: dict[str, bytes] = {}
    for script in scripts:
        row: dict[str, object] = {"file": script, "errors": []}
        try:
            block = compiler.compile(Path(script))
        except ScriptError as error:
            row["errors"] = [_report(compiler, Path(script), mistake) for mistake in error.errors]
        else:
            blocks[script] = block.to_bytes()
            row |= {"size": len(blocks[script]), "instructions_bytes": len(block.code)}
            if not settings.json and not settings.quiet:
                say(f"{shown(script)}: compiles: {len(blocks[script])} bytes")
        rows.append(row)
    bad = len(blocks) < len(scripts)
    written: list[str] = []
    if not bad:
        for script, target in targets.items():
            os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
            write_file(target, blocks[script], force=force)
            written.append(target)
    if settings.json:
        say_json({"path": str(folder), "files": rows, "written": written})
    elif written and not settings.quiet:
        say(f"written to {shown(output)}")
    return ANSWER_IS_NO if bad else OK


def _targets(scripts: Sequence[str], output: str | None, *, force: bool) -> dict[str, str]:
    """Where the block of each script goes."""
    if output is None:
        return {}
    targets = dict.fromkeys(scripts, output)
    if len(scripts) > 1 or os.path.isdir(output):
        targets = {
            script: os.path.join(output, os.path.basename(script) + _ENDING) for script in scripts
        }
    for target in targets.values():
        if os.path.lexists(target) and not force:
            raise already_exists(target)
    return targets


def _report(compiler: ProjectCompiler, script: Path, error: ScriptError) -> dict[str, object]:
    """Show an error with its line and a caret; returns it for JSON."""
    line = compiler.line_of(script, error)
    note(f"{shown(error.name)}:{error.line}:{error.column}: error: {shown(error.message)}")
    if line.strip():
        note("    " + shown(line.replace("\t", " ")))
        note("    " + " " * (error.column - 1) + "^")
    return {
        "name": error.name,
        "line": error.line,
        "column": error.column,
        "message": error.message,
        "text": line,
    }
