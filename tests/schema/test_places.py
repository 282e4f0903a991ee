"""Where fields are in the records that show a release: ``places.py`` is what they declare.

Detecting a release must not import the records (see tests/test_startup.py), and must not have a
layout of its own.  ``OVERHAUL_WRITE_LAYOUTS=1`` with this test writes the table again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import overhaul
from overhaul.gamemaker.data import places
from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.version import BREAKS, Version
from overhaul.schema.codec import Deferred, FixedCodec, resolve
from overhaul.schema.declaration import fields_of
from overhaul.schema.record import Record

DATA = Path(overhaul.__file__).parent / "gamemaker" / "data"
HEAD = """\
\"\"\"Where fields are in the records that show a release, as tests/schema/test_places.py writes it.

The place of a field, or for a record where its fixed part ends, with each release that moves it.
A field behind others that vary in size is not here.
\"\"\"

Release = tuple[int, ...]

PLACES: dict[str, tuple[tuple[Release, int], ...]] = {
"""


def names() -> list[str]:
    """The records and fields that detecting a release asks for."""
    text = (DATA / "detect.py").read_text("utf-8")
    asked = re.findall(r'f?"((?:[A-Z][a-z]+)+(?:\.[a-z_{}]+)?)"', text)
    sides = ("left", "right", "bottom", "top")
    return sorted({name.format(side=side) for name in asked for side in sides})


def records() -> dict[str, type[Record]]:
    classes: dict[str, type[Record]] = {}
    for kind in CHUNKS.values():
        module = import_module(kind.load().__module__)
        classes |= {
            name: value
            for name, value in vars(module).items()
            if isinstance(value, type) and issubclass(value, Record)
        }
    return classes


def place(record: type[Record], name: str, version: Version) -> int | None:
    """Where a field is, or where the fixed part ends; None in a release that lacks the field."""
    at = 0
    for field in fields_of(record):
        if field.condition is not None and not field.condition.holds(version):
            continue
        if field.name == name:
            return at
        codec = resolve(field.codec, version)
        if field.given is None and isinstance(codec, FixedCodec | Deferred):
            at += 4 if isinstance(codec, Deferred) else codec.size
        else:
            break
    return None if name else at


def table() -> Iterator[str]:
    known = records()
    for name in names():
        record, _, field = name.partition(".")
        rows: list[tuple[tuple[int, ...], int]] = []
        for release in BREAKS:
            version = Version(17 if release >= (2,) else 16, 0).with_number(*release)
            offset = place(known[record], field, version)
            if offset is not None and (not rows or rows[-1][1] != offset):
                rows.append((release, offset))
        assert rows, name
        listed = ", ".join(map(str, rows)) + "," * (len(rows) == 1)
        yield f'    "{name}": ({listed}),'


def test_places_are_those_of_the_records() -> None:
    text = HEAD + "\n".join(table()) + "\n}\n"
    path = Path(places.__file__)
    if os.environ.get("OVERHAUL_WRITE_LAYOUTS") == "1":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
