"""Where the pointers of a data.win are: ``outlines.py`` is what the records declare.

Moving a chunk must not import its records, and must not have a layout of its own.
``OVERHAUL_WRITE_LAYOUTS=1`` with this test writes the module again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterator
from pathlib import Path
from typing import Any

import overhaul
from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.version import BREAKS, Version
from overhaul.schema.generator import signature_of
from overhaul.schema.outlining import Outliner
from overhaul.schema.record import Record

MODULE = Path(overhaul.__file__).parent / "gamemaker" / "data" / "outlines.py"
HEAD = '''\
"""Where the pointers of a data.win are, as tests/schema/test_outlines.py writes it.

``RECORDS`` are outlines (see :mod:`overhaul.schema.outline`): the number of slots, then the parts.
``ROOTS`` says by the release which of them is that of a chunk.
"""

# ruff: noqa: E501
# fmt: off

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.schema.outline import Outline

'''
#: fields that hold an address of the code
ADDRESSES = {("Function", "first_address"): "address", ("Variable", "first_address"): "address"}
BYTECODES = tuple(range(8, 18))
FLAGS: dict[str, tuple[object, ...]] = {
    "lts": (False, True),
    "background_alignment": (1, 8),
    "old_options": (False, True),
    "extension_classes": (False, True),
    "object_friction": (False, True),
}
#: what is decoded whenever a file is written
WITHOUT = ("STRG",)

Tree = Any


def of_attribute(version: Version, attribute: str, value: Any) -> Version:
    if attribute == "number":
        return version.with_number(*value)
    return version._replace(**{attribute: value})


def tree(name_of: Callable[[Version], str], attributes: list[str], version: Version) -> Tree:
    """By the first attribute that matters: its name, and (value from which on, subtree)."""
    if not attributes:
        return name_of(version)
    first, *rest = attributes
    values = {"number": BREAKS, "bytecode": BYTECODES}.get(first) or FLAGS[first]
    rows: list[tuple[object, Tree]] = []
    for value in values:
        below = tree(name_of, rest, of_attribute(version, first, value))
        if not rows or rows[-1][1] != below:
            rows.append((value, below))
    return rows[0][1] if len(rows) == 1 else (first, *rows)


def matter(record: type[Record]) -> list[str]:
    """The attributes of a version that the layout of a record depends on."""
    bases = [Version(17, 0).with_number(*number) for number in BREAKS]
    bases += [Version(bytecode, 1) for bytecode in BYTECODES]

    def differs(attribute: str, values: tuple[Any, ...]) -> bool:
        return any(
            len({layout(of_attribute(base, attribute, value)) for value in values}) > 1
            for base in bases
        )

    def layout(version: Version) -> Hashable:
        return signature_of(record, version)

    every = {"bytecode": BYTECODES, "number": BREAKS, **FLAGS}
    return [name for name, values in every.items() if differs(name, values)]


def module() -> Iterator[str]:
    outliner = Outliner(ADDRESSES)
    roots: dict[str, Tree] = {}
    for chunk, kind in CHUNKS.items():
        if chunk in WITHOUT:
            continue
        record = kind.load()
        roots[chunk] = tree(
            lambda version, record=record: outliner.record(record, version),  # type: ignore[misc]
            matter(record),
            Version(17, 2),
        )
    yield "RECORDS: dict[str, Outline] = {"
    for name, outline in sorted(outliner.records.items()):
        yield f'    "{name}": {outline!r},'
    yield "}"
    yield ""
    yield "ROOTS: dict[str, object] = {"
    for chunk, root in roots.items():
        yield f'    "{chunk}": {root!r},'
    yield "}"


def test_outlines_are_those_of_the_records() -> None:
    text = HEAD + "\n".join(module()) + "\n"
    if os.environ.get("OVERHAUL_WRITE_LAYOUTS") == "1":
        MODULE.write_text(text, encoding="utf-8")
    assert text == MODULE.read_text(encoding="utf-8")
