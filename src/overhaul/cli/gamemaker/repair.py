"""``overhaul repair``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

import overhaul
from overhaul.cli import options
from overhaul.cli.output import ANSWER_IS_NO, OK, Settings, note, say, say_json, shown
from overhaul.document.games import game_of
from overhaul.document.registry import load
from overhaul.errors import FormatError

if TYPE_CHECKING:
    from overhaul.gamemaker.ide.repairing import Repair

#: The planner of repairs, which needs numpy.
_REPAIRING = "overhaul.gamemaker.ide.repairing"


def _plan(project: str, *, recover: bool) -> Repair:
    with overhaul.open(project) as document:
        planned: Repair = load(f"{_REPAIRING}:plan_repair")(document, recover=recover)
        return planned


@click.command(
    "repair",
    epilog=options.examples(
        "overhaul repair source/Game.yyp",
        "overhaul repair source/Game.yyp --yes",
    ),
)
@click.argument("project", metavar="PROJECT")
@click.option("--yes", is_flag=True, help="Do it; without this, the plan is shown.")
@click.option(
    "--recover", is_flag=True, help='List the files that are there, in a folder "Recovered".'
)
@options.common
def command(project: str, yes: bool, recover: bool, settings: Settings) -> int:
    """Repair the list of a project of GameMaker's editor, its names and pictures.

    PROJECT is a .yyp of GameMaker Studio 2 or later in its folder. A resource whose file is nowhere
    is taken off the list, one that others use and the list lacks is put on it, and files get the
    case and the names of the list. Folders and groups that are named and not there are made or
    replaced by the default ones, frames without a picture get that of their layer, or a
    placeholder. Marks of a merge go where both sides can be kept. Broken JSON is mended where one
    reading is possible: commas, brackets, a quote, blocks that are there twice, UTF-16. Files that
    change are kept as NAME.bak. `overhaul check` names other faults.

    Faults that can't be mended are reported, and stay. Exit code: 0 nothing to repair, or
    repaired; 1 there is a plan, and --yes was not given.
    """
    try:
        plan = _plan(project, recover=recover)
    except FormatError:
        path = game_of(project)
        if not path.endswith(".yyp") or "!" in path:
            raise
        text = plan = load(f"{_REPAIRING}:plan_project_file")(path)
        if not text.steps:
            raise
        if yes:  # the rest can be seen only then
            text.write()
            plan = _plan(project, recover=recover)
            plan.steps[:0] = text.steps
    if yes:
        plan.write()
    if settings.json:
        moves = [{"from": old, "to": new} for old, new in plan.moves]
        row = {"steps": plan.steps, "files": sorted(plan.files), "moves": moves, "left": plan.left}
        say_json({**row, "done": yes})
    elif not settings.quiet:
        for step in plan.steps:
            say(shown(step))
        for left in plan.left:
            note(f"overhaul: not repaired: {shown(left)}")
        done = "done" if yes else "--yes does this"
        say(f"{len(plan.steps)} steps: {done}" if plan.steps else "nothing to repair")
    return OK if yes or not plan.steps else ANSWER_IS_NO
