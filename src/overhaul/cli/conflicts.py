"""The parts that the commands that merge games share: the result is written, or its conflicts
are reported."""

from __future__ import annotations

from collections.abc import Sequence

from overhaul import mods
from overhaul.cli.output import (
    ANSWER_IS_NO,
    OK,
    Settings,
    note,
    say,
    say_json,
    shown,
    size_in_words,
    warn,
    with_hint,
)
from overhaul.document.files import save_all

#: how much of each side of a conflict is shown
_MOST_LINES = 12


def write_merged(
    result: mods.Applied, output: str, settings: Settings, *, force: bool, backup: bool = True
) -> int:
    """Write a merged game; if there are conflicts, report them and write nothing."""
    if settings.json:
        say_json({"path": output, **result.to_json()})
    if result.conflicts:
        if not settings.json:
            report_conflicts(result.conflicts)
        return ANSWER_IS_NO
    save_all(output, result.content, result.companions, force=force, backup=lambda path: backup)
    if not settings.json and not settings.quiet:
        size = size_in_words(len(result.content))
        count = len(result.changed)
        differ = {0: "as it was", 1: "1 plain file differs"}.get(
            count, f"{count} plain files differ"
        )
        say(f"{shown(output)}: {size}, {differ}")
    warn(result.findings, settings)
    return OK


def report_conflicts(conflicts: Sequence[mods.Conflict]) -> None:
    """Conflicts with both sides, on stderr."""
    for conflict in conflicts:
        code = "renumbered" if conflict.is_doubt else ""
        note(f"overhaul: conflict: {with_hint(str(conflict), code)}")
        sides = conflict.sides()
        width = max((len(shown(of)) for of, _ in sides), default=0)
        for of, side in sides:
            for line in side.split("\n")[:_MOST_LINES]:
                note(f"    {shown(of):{width}} {shown(line)}")
