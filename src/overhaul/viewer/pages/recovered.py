"""The project of an editor that a game or an old project becomes: its report, and the download."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import msgspec

from overhaul.viewer.answers import Answer, Asked, DataPage
from overhaul.viewer.opened import NotThere
from overhaul.viewer.pages import of_family
from overhaul.viewer.pages.archives import zipped
from overhaul.viewer.pages.overview import projects_of

#: the names of the projects of each kind for people
_TITLES = {
    "yyp": "GameMaker", "gmx": "GameMaker: Studio 1", "agf": "Adventure Game Studio",
}  # fmt: skip
#: kinds of documents that are projects themselves
_PROJECTS = ("gamemaker-project", "gamemaker-ide-project")
#: lines of a report that the page shows; the archive has all
_LISTED = 300


class RecoveredKind(msgspec.Struct, frozen=True):
    """How many of a kind there are, and of how many something is lost."""

    kind: str
    total: int
    lossy: int
    lost: int


class ProjectPage(msgspec.Struct, frozen=True):
    """A project that a document becomes: ``others`` are the other kinds that it can become, by
    their names; ``column`` is what becomes of the rows' resources: those of a game are recovered,
    those of a project converted; ``more`` lines of the report are not shown."""

    kind: str
    title: str
    others: dict[str, str]
    files: int
    column: str
    rows: list[RecoveredKind]
    lines: list[str]
    more: int


class Made(NamedTuple):
    """A project that was made: its files, the rows of the page, and the lines of the report."""

    files: Mapping[str, Callable[[], bytes]]
    rows: list[RecoveredKind]
    lines: list[str]


def show_project(asked: Asked) -> Answer:
    """``/-/project?to=yyp``: the report; with ``zip``, the files."""
    opened = asked.opened
    kinds = projects_of(opened.document)
    kind = asked.query.get("to", "") or next(iter(kinds), "")
    if kind not in kinds:
        raise NotThere("this file does not become such a project")
    make = of_family("MAKES", opened.document)
    assert make is not None
    made: Made = make(opened.document, kind)
    if "zip" in asked.query:
        name = f"{opened.title.partition('.')[0]}-{kind}.zip"
        return zipped(made.files, name, f"overhaul convert --to {kind}")
    page = ProjectPage(
        kind,
        _TITLES[kind],
        {other: _TITLES[other] for other in kinds if other != kind},
        len(made.files),
        "Converted" if opened.document.kind in _PROJECTS else "Recovered",
        made.rows,
        made.lines[:_LISTED],
        max(0, len(made.lines) - _LISTED),
    )
    return DataPage("project.html", page, f"Project of {_TITLES[kind]}")
