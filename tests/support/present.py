"""Values with the types that a test knows them to have: ``from present import opened, present``."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import overhaul

T = TypeVar("T")


def present(value: T | None) -> T:
    """A value that is not None here."""
    assert value is not None
    return value


def instance(kind: type[T], value: object) -> T:
    """A value that is an instance of ``kind`` here."""
    assert isinstance(value, kind)
    return value


def opened(source: Path | str | bytes, kind: type[T]) -> T:
    """A file, opened as the document of the format it has."""
    return instance(kind, overhaul.open(source))
