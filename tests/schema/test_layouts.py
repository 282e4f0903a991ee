"""What every record declares, compared with ``layouts.txt``: a layout never changes unnoticed.

The real files that show a layout are in the corpus, which is not everywhere.  After a change that
is meant, ``OVERHAUL_WRITE_LAYOUTS=1`` with this test writes the list again; read the difference.
"""

from __future__ import annotations

import enum
import inspect
import os
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import overhaul
from overhaul.schema.declaration import Field, describe, fields_of
from overhaul.schema.record import Record

LIST = Path(__file__).with_name("layouts.txt")
MODELS = ("overhaul.gamemaker", "overhaul.ags")


def layouts() -> Iterator[str]:
    """A paragraph for each record and each enumeration of the models."""
    for walk_package in pkgutil.walk_packages(overhaul.__path__, "overhaul."):
        if walk_package.name.startswith(MODELS):
            for name, value in vars(import_module(walk_package.name)).items():
                if inspect.isclass(value) and value.__module__ == walk_package.name:
                    title = f"{walk_package.name.removeprefix('overhaul.')}:{name}"
                    if issubclass(value, Record):
                        yield "\n".join([title, *of_record(value)]) + "\n"
                    elif issubclass(value, enum.IntEnum | enum.IntFlag):
                        yield "\n".join([title, *(f"  {m.name} {m.value}" for m in value)]) + "\n"


def of_record(record: type[Record]) -> Iterator[str]:
    for field, row in zip(fields_of(record), describe(record), strict=True):
        words = [row.name, row.type, row.condition, aligned(field), default_of(field)]
        yield "  " + ", ".join(word for word in words if word)


def aligned(field: Field) -> str:
    return f"aligned to {field.align.to}" if field.align else ""


def default_of(field: Field) -> str:
    if field.counts:
        return f"counts {field.counts[0]} by {field.counts[1]}"
    try:
        value = field.make_default()
    except TypeError:  # it must be given
        return ""
    return f"else {type(value).__name__}" if isinstance(value, Record) else f"else {value!r}"


def test_layouts_are_those_of_the_list() -> None:
    text = "\n".join(layouts())
    if os.environ.get("OVERHAUL_WRITE_LAYOUTS") == "1":
        LIST.write_text(text, encoding="utf-8")
    again = "OVERHAUL_WRITE_LAYOUTS=1 python3 dev.py test tests/schema/test_layouts.py"
    listed = LIST.read_text(encoding="utf-8")
    assert text.split("\n\n") == listed.split("\n\n"), f"layouts changed; if meant so: {again}"
