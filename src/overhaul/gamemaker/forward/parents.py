"""The parents of objects without circles: no later editor reads these."""

from __future__ import annotations

from collections.abc import Callable

from overhaul.findings import Findings


def cut_circles(
    parents: dict[str, str], findings: Findings, path_of: Callable[[str], str]
) -> dict[str, str]:
    """The parents of objects by name, without one of each circle, which is reported."""
    kept = dict(parents)
    done: set[str] = set()
    for start in parents:
        line: set[str] = set()
        name = start
        while name in kept and name not in done:
            line.add(name)
            if kept[name] in line:
                message = f"its parent {kept.pop(name)} is left out, as its parents lead back to it"
                findings.warn("left-out", message, path_of(name))
            else:
                name = kept[name]
        done |= line
    return kept
