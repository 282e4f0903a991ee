"""``overhaul merge``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from overhaul.cli import options
from overhaul.cli.output import ANSWER_IS_NO, OK, Settings, note, say, say_json, shown
from overhaul.document.files import already_exists, write_file, write_into
from overhaul.document.registry import load
from overhaul.errors import WorkspaceError

if TYPE_CHECKING:
    from overhaul.gamemaker.ide_merge.conflicts import Conflict
    from overhaul.gamemaker.ide_merge.files import MergedFile
    from overhaul.gamemaker.ide_merge.projects import MergedProject

_MERGING = "overhaul.gamemaker.ide_merge"
#: Two games are merged by another command.
_GAMES = (".win", ".unx", ".ios", ".droid", ".gmk", ".gm81", ".gm6", ".gmd", ".ags")
#: So much of each side of a conflict is shown.
_MOST_LINES = 12


@click.command(
    "merge",
    epilog=options.examples(
        "overhaul merge source mine theirs -o both",
        "overhaul merge --json source/Game.yyp mine/Game.yyp theirs/Game.yyp",
        "overhaul merge base.yy mine.yy theirs.yy -o both.yy",
    ),
)
@click.argument("base", metavar="BASE")
@click.argument("ours", metavar="OURS")
@click.argument("theirs", metavar="THEIRS")
@options.output_or_none("The folder or the file to write.", "PATH")
@click.option("--path", metavar="PATH", help="The path of the file in its project (for git).")
@options.force
@options.common
def command(
    base: str,
    ours: str,
    theirs: str,
    output: str | None,
    path: str | None,
    force: bool,
    settings: Settings,
) -> int:
    """Merge two editions of a project of GameMaker's editor that were made of a third one.

    All three are folders of projects (or their .yyp, .project.gmx), or single files: .yyp, .yy and
    .gmx are merged by what they mean (resources by path, instances and layers by name or id, frames
    by id, tiles by cell), all others by lines. A resource that one renamed gets its name in what
    the other wrote. Where both changed the same, a file has both sides between marks. A fault that
    only the merge has is a conflict, too: one uses what the other removed.

    Without -o a single file is printed, and of a project the conflicts are reported. A project is
    merged whole; a single file (with --path, or not the project's own) is merged alone.

    Exit code: 0 merged, 1 there are conflicts.
    """
    if base.endswith(_GAMES):
        raise click.UsageError("these are games: overhaul mod merge merges them")
    wholes = [os.path.isdir(one) or _is_project(one) for one in (base, ours, theirs)]
    if path is None and all(wholes):
        return _merge_projects((base, ours, theirs), output, settings, force=force)
    return _merge_files((base, ours, theirs), path or ours, output, settings, force=force)


def _is_project(path: str) -> bool:
    return path.endswith((".yyp", ".project.gmx"))


def _merge_projects(
    paths: tuple[str, str, str], output: str | None, settings: Settings, *, force: bool
) -> int:
    trees = [load(f"{_MERGING}.trees:tree_of")(one) for one in paths]
    if output is not None and not force and os.path.isdir(output) and os.listdir(output):
        raise already_exists(output)
    merged: MergedProject = load(f"{_MERGING}.projects:merge_projects")(*trees)
    if output is not None:
        _write(merged, output)
    if settings.json:
        say_json({"path": output, **merged.to_json()})
    else:
        _report(merged.conflicts)
        if not settings.quiet:
            for old, new in merged.renamed.items():
                say(f"{shown(old)} is {shown(new)}")
            say(f"{len(merged.changed)} files are not as in {shown(paths[1])}")
    return ANSWER_IS_NO if merged.conflicts else OK


def _write(merged: MergedProject, output: str) -> None:
    """Write the folder; of a project that is there, what changes, with copies of what goes.

    Raises WorkspaceError for a folder of something else, whose files would go.
    """
    there = load(f"{_MERGING}.trees:tree_of")(output) if os.path.isdir(output) else None
    if there is None or not there.files:
        write_into(output, {one: partial(merged.tree.read, one) for one in merged.tree.files})
        return
    if merged.tree.project_file not in there:
        name = merged.tree.project_file
        raise WorkspaceError(f"{output}: it has files, and no {name}: choose an empty folder")
    gone = dict.fromkeys(there.files.keys() - merged.tree.files.keys())
    files = {one: merged.tree.read(one) for one in merged.tree.files}
    load("overhaul.document.saving:save_files")(output, {**files, **gone})


def _merge_files(
    paths: tuple[str, str, str],
    path: str,
    output: str | None,
    settings: Settings,
    *,
    force: bool,
) -> int:
    data = []
    for one in paths:
        with open(one, "rb") as file:
            data.append(file.read())
    merged: MergedFile = load(f"{_MERGING}.files:merge_files")(path, *data)
    if output is not None:
        write_file(output, merged.data, force=force)
    if settings.json:
        row: dict[str, object] = {"path": output}
        if output is None:
            row["text"] = merged.data.decode("utf-8", "replace")
        say_json({**row, "conflicts": [conflict.to_json() for conflict in merged.conflicts]})
    else:
        _report(merged.conflicts)
        if output is None:
            say(merged.data.decode("utf-8", "replace").removesuffix("\n"))
    return ANSWER_IS_NO if merged.conflicts else OK


def _report(conflicts: Sequence[Conflict]) -> None:
    """Conflicts with both sides, on stderr."""
    for conflict in conflicts:
        note(f"overhaul: conflict: {shown(str(conflict))}")
        for whose, side in conflict.sides():
            for line in side.split("\n")[:_MOST_LINES]:
                note(f"    {whose:6} {shown(line)}")
