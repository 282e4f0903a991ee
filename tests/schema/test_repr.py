"""Every record of every format says what it is in one short line."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import sys
from array import array
from enum import IntEnum

import numpy as np
import pytest

import overhaul.ags
import overhaul.gamemaker
from overhaul.ags.blockdata import DecodedBlocks
from overhaul.ags.blocks import GAME
from overhaul.ags.translation import Translation
from overhaul.gamemaker.data.blank import blank_game
from overhaul.gamemaker.data.chunks.bytecode import Bytecode
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.chunks.sprt import Sprite
from overhaul.gml.vm.columns import Columns
from overhaul.schema import Record
from small_games import game_of


def record_classes() -> list[type[Record]]:
    """All records that the formats declare."""
    for package in (overhaul.gamemaker, overhaul.ags):
        for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            importlib.import_module(module.name)
    classes: list[type[Record]] = []
    todo = [Record]
    while todo:
        made = todo.pop()
        todo += made.__subclasses__()
        if made.__struct_fields__ and made.__module__.startswith("overhaul."):
            classes.append(made)
    return classes


MODELS = ("overhaul.ags.", "overhaul.gamemaker.classic.", "overhaul.gamemaker.data.")
#: What these hold is of a text or of code that is being read, not of a file.
WORKING = tuple(
    f"overhaul.ags.{name}." for name in ("agf", "decompiler", "folder", "language", "project")
)


def model_classes() -> list[type]:
    """The dataclasses of the formats that hold something of a file: those that can be changed."""
    record_classes()  # imports all modules
    return [
        value
        for name, module in sorted(sys.modules.items())
        if name.startswith(MODELS) and not name.startswith(WORKING)
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__ == name and dataclasses.is_dataclass(value)
        if not value.__dataclass_params__.frozen  # type: ignore[attr-defined]
    ]


LARGE = [
    "a text\n" * 1000,
    b"bytes" * 1000,
    memoryview(b"bytes" * 1000),
    [[1] * 1000] * 1000,
    [None, "x" * 1000],
    dict.fromkeys(range(1000), "x" * 1000),
    array("H", range(1000)),
    np.zeros((300, 300)),
    -(10**300),
    1.2345678901234567e-300,
    Sprite("spr\n" * 1000),
    {1, 2},
]


def test_any_record_of_any_format_fits_on_a_line() -> None:
    classes = record_classes()
    assert len(classes) > 300
    for record in classes:
        if record is CodeEntry:
            continue  # counts the instructions of a game
        for value in LARGE:
            made = record(*[None] * len(record.__struct_fields__))
            for name in record.__struct_fields__:
                setattr(made, name, value)
            shown = repr(made)
            assert len(shown) < 200, (record, len(shown))
            assert "\n" not in shown, record
            assert shown.startswith(f"{record.__name__}(")


def test_any_dataclass_of_a_model_fits_on_a_line() -> None:
    classes = model_classes()
    assert len(classes) >= 14
    for made_of in classes:
        if made_of in (Bytecode, Columns):
            continue  # of arrays only
        for value in LARGE:
            made: object = object.__new__(made_of)  # whatever it checks
            for field in dataclasses.fields(made_of):
                setattr(made, field.name, value)
            shown = repr(made)
            assert len(shown) < 200 and "\n" not in shown, (made_of, shown[:200])
            assert shown.startswith(f"{made_of.__name__}(")
    assert repr(Translation()) == "Translation()"
    assert repr(DecodedBlocks(GAME)) == "DecodedBlocks(format=<BlockFormat>)"


class Colour(IntEnum):
    """An enumeration, as a field may have it."""

    RED = 1


class Thing(Record):
    """A record with a field of each kind."""

    x: int = 0
    name: str | None = None
    parts: list[object] = []
    data: bytes = b""
    colour: Colour | int = 0
    other: object = None


@pytest.mark.parametrize(
    ("thing", "shown"),
    [
        (Thing(), "Thing()"),
        (Thing(3, "a"), "Thing('a', x=3)"),
        (Thing(name="n" * 50), f"Thing('{'n' * 40}'...)"),
        (Thing(True), "Thing(x=True)"),
        (Thing(parts=[1, 2]), "Thing(parts=<2 x int>)"),
        (Thing(parts=[1, "a"]), "Thing(parts=<2>)"),
        (Thing(parts=[Thing()] * 3, data=b"abc"), "Thing(parts=<3 x Thing>, data=<3 bytes>)"),
        (Thing(colour=Colour.RED), "Thing(colour=<Colour.RED: 1>)"),
        (Thing(other=Thing(name="b")), "Thing(other=<Thing b>)"),
        (Thing(other=Thing()), "Thing(other=<Thing>)"),
        (Thing(other="two\nlines"), r"Thing(other='two\nlines')"),
    ],
)
def test_what_differs_from_the_defaults_is_shown(thing: Thing, shown: str) -> None:
    assert repr(thing) == shown


def test_a_long_record_ends_in_dots() -> None:
    shown = repr(Sprite("spr", *range(1000, 1020)))
    assert shown.startswith("Sprite('spr', width=1000, height=1001, ") and shown.endswith(", ...)")
    assert 120 < len(shown) < 200


def test_tables_and_lists_of_a_game_are_short_too() -> None:
    game = blank_game({"kind": "gamemaker-data", "version": "2024.13"})
    for number in range(1000):
        game.strings.add(f"text {number}")
        game.records.sprites.append(Sprite(f"spr_{number}"))
    assert repr(game.strings) == f"<{len(game.strings)} strings>"
    assert repr(game.records.sprites) == "<sprite list: 1000>"
    assert repr(game.records.sprites.reference(7)) == "<sprite spr_7>"
    game.records.sprites[7].name = "spr\n" * 1000
    assert len(repr(game.records.sprites.reference(7))) < 200 and "\n" not in repr(
        game.records.sprites[7]
    )
    game = game_of("2023.4")
    long = "f" * 500
    game.add_script(long, f"function {long}() {{}}")
    assert len(game.records.code) == 2
    for entry in game.records.code.present():
        assert 100 < len(repr(entry)) < 200
    assert len(repr(game)) < 200
