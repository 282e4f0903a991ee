"""How fast projects of GameMaker's editor are opened, listed, edited and checked.

A project of 2,000 resources is made; the promises are those of the issue that asked for it.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from runner import Bench, Result, median

import overhaul
from overhaul.gamemaker.ide.document import IdeProjectDocument

RESOURCES = 2_000
OPENED_IN = 1.0
CHECKED_IN = 3.0
LISTED_IN = 0.3


def opened(path: Path) -> IdeProjectDocument:
    """The project, with all its resources found."""
    project = overhaul.open_project(path)
    assert isinstance(project, IdeProjectDocument)
    assert len(project.objects) + len(project.scripts) + len(project.sounds) == RESOURCES
    return project


def main() -> None:
    from ide_projects import large_project

    bench = Bench("Projects of GameMaker's editor")
    with tempfile.TemporaryDirectory() as folder:
        path = large_project(Path(folder), RESOURCES)

        def rename() -> None:
            opened(path).objects.rename("object_6", "object_x")

        def add(name: str, seconds: float, most: float | None) -> None:
            bench.add(Result(f"{name}, {RESOURCES} resources", seconds, "s", most, at_most=True))

        add("open", median(lambda: opened(path)), OPENED_IN)
        add("list", median(lambda: list(opened(path).tree())), LISTED_IN)
        add("check", median(lambda: overhaul.verify(path).findings), CHECKED_IN)
        add("rename an object", median(rename), None)
    bench.finish()


if __name__ == "__main__":
    main()
