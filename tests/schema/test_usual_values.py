"""The values that records begin with: folders leave them out, so another one is another meaning of
every folder."""

from __future__ import annotations

import pkgutil
from array import array
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from overhaul import ags
from overhaul.gamemaker import classic
from overhaul.gamemaker.data import chunks
from overhaul.schema import Record

#: a line for each record that begins with other values than 0 and nothing
USUAL = Path(__file__).with_name("usual_values.txt")


def records() -> Iterator[type[Record]]:
    """All records of the formats, by module and name."""
    for package in (chunks, classic, ags):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = import_module(found.name)
            for kind in vars(module).values():
                is_record = isinstance(kind, type) and issubclass(kind, Record)
                if is_record and kind.__module__ == module.__name__:
                    yield kind


def usual(kind: type[Record]) -> str:
    """The fields of a new record that are not 0 or nothing; records inside it have their own."""
    made = kind()
    values = {name: getattr(made, name) for name in made.__struct_fields__}
    shown = [f"{name}={briefly(value)}" for name, value in values.items() if is_shown(value)]
    return f"{kind.__module__}.{kind.__qualname__}: {' '.join(shown)}" if shown else ""


def briefly(value: object) -> str:
    """A value; many equal ones as their number and one of them."""
    if isinstance(value, list) and len(value) > 2 and all(each == value[0] for each in value):
        return f"{len(value)}*{value[0]!r}"
    return repr(value)


def is_shown(value: object) -> bool:
    if isinstance(value, bytes):
        return value != bytes(len(value))
    return bool(value) and isinstance(value, int | float | str | list | tuple | array)


def test_the_values_that_folders_leave_out() -> None:
    lines = sorted({line for kind in records() if (line := usual(kind))})
    assert lines == USUAL.read_text(encoding="utf-8").splitlines()
