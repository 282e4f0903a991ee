"""What a project's plain files mean to each other, for comparing and merging projects."""

from __future__ import annotations

from collections.abc import Set

from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.classic_folder.dates import DATES
from overhaul.gamemaker.classic_folder.header import PROJECT

#: numbers in project.json that only grow
_LAST = ("last_instance_id", "last_tile_id")


def derived(document: ProjectDocument, path: str) -> bool:
    """No file of a project follows from others."""
    return False


def texts(path: str) -> bool:
    """No file lists all texts."""
    return False


def ordering(path: str, key: str) -> bool | None:
    """Lists of names in a project are the numbers of its resources."""


def meaning(
    document: ProjectDocument, path: str, value: object, touched: Set[str] | None
) -> object:
    """No value follows from other files."""
    return value


def fixed(path: str, key: str) -> bool:
    """All that a project says can be edited."""
    return False


def counter(path: str, key: str) -> bool:
    """The dates of the last changes, and the last ids that were given."""
    return path == DATES or (path == PROJECT and key in _LAST)


def beside(one: ProjectDocument, two: ProjectDocument) -> None:
    """Nothing is found out about projects."""
