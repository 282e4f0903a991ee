"""Records drawn from their declarations are written, read back, and written the same."""

from __future__ import annotations

import importlib
import pkgutil
from array import array
from collections.abc import Iterator, MutableSequence
from enum import IntEnum
from typing import Annotated, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from overhaul.gamemaker.data import chunks
from overhaul.gamemaker.data.version import Version
from overhaul.schema import (
    Bytes,
    Condition,
    Counted,
    Deferred,
    Either,
    Embedded,
    FixedCodec,
    Inline,
    ListCodec,
    Numbers,
    Pointers,
    Reader,
    Record,
    Switch,
    When,
    Writer,
    b32,
    codec_for,
    enum32,
    f32,
    f64,
    fields_of,
    i16,
    u8,
    u16,
    u32,
)
from overhaul.testing import records, values_of

new = Condition(lambda version: version >= 2, "from 2")


class Shape(IntEnum):
    ROUND = 0
    SQUARE = 1


class Point(Record):
    x: f32 = 0.0
    y: f64 = 0.0


class Circle(Record):
    radius: u16 = 0


class Everything(Record):
    small: u8 = 0
    flag: b32 = False
    shape: Annotated[int, enum32(Shape)] = 0
    raw: Annotated[bytes, Bytes(3)] = b"\0\0\0"
    late: Annotated[i16, new] = 0
    count: u8 = 0
    width: u8 = 0
    extra: Annotated[u32, When("flag", bool, "if flag")] = 0
    point: Point | None = None
    points: Annotated[list[Point], Counted("count")] = []
    cells: Annotated[MutableSequence[int], Numbers("I", "count", "width")] = array("I")
    names: Annotated[list[u8], Inline()] = []
    far: Annotated[list[Point], Pointers()] = []
    either: Annotated[Any, Either(new, Bytes(2), Bytes(4))] = b""
    by_shape: Annotated[Any, Switch("shape", {Shape.ROUND: Circle})] = None
    deferred: Annotated[list[u16] | None, Deferred(Inline())] = None


def round_trip(record: Record, version: Any, **tables: Any) -> None:
    codec = codec_for(type(record), version)
    writer = Writer(version=version, encoders=tables.get("encoders"))
    codec.write(writer, record)
    data = bytes(writer.out)
    reader = Reader(version=version, tables=tables.get("tables"))
    again, end = codec.read(data, 0, reader)
    assert end == len(data)
    rewritten = Writer(version=version, encoders=tables.get("encoders"))
    codec.write(rewritten, again)
    assert bytes(rewritten.out) == data


@pytest.mark.parametrize("version", [1, 2])
def test_records_round_trip(version: int) -> None:
    @given(records(Everything, version))
    @settings(max_examples=40, deadline=None)
    def check(record: Everything) -> None:
        assert len(record.points) == record.count
        assert len(record.cells) == record.count * record.width
        assert (record.by_shape is None) == (record.shape != Shape.ROUND)
        round_trip(record, version)

    check()


def test_conditions_are_kept() -> None:
    @given(records(Everything, 1))
    @settings(max_examples=20, deadline=None)
    def check(record: Everything) -> None:
        assert record.late == 0
        assert len(record.either) == 4

    check()


def test_what_is_not_known_is_said() -> None:
    with pytest.raises(TypeError, match="kind 'string'"):
        values_of(FixedCodec("I", "string", kind="string"))


# ----------------------------------------------------------------- the records of a real format


class Numbered(dict[int, int]):
    """A table in which every number stands for itself."""

    def __missing__(self, number: int) -> int:
        return number


class Tables(dict[str, Any]):
    def __missing__(self, kind: str) -> Any:
        return Numbered()


class Encoders(dict[str, Any]):
    def __missing__(self, kind: str) -> Any:
        return int


def chunk_records() -> Iterator[type[Record]]:
    for info in pkgutil.iter_modules(chunks.__path__):
        module = importlib.import_module(f"{chunks.__name__}.{info.name}")
        for value in vars(module).values():
            if (
                isinstance(value, type)
                and issubclass(value, Record)
                and value.__module__ == module.__name__
            ):
                yield value


class Values(dict[str, Any]):
    """Any reference is a number here."""

    def __missing__(self, kind: str) -> Any:
        return st.integers(0, 2**15 - 1)  # page numbers have 16 bits


#: One version of each generation; the chunks' own tests have all of them.
VERSIONS = [Version(13, 1), Version(16, 1, 0, 0, 1763), Version(17, 2, 3), Version(17, 2024, 14)]


def known(record: type[Record], above: tuple[type[Record], ...] = ()) -> bool:
    """Whether all its fields are of the engine's own types (the chunks test the others)."""
    return record in above or all(
        known_codec(field.codec, (*above, record))
        and getattr(field.codec, "record", None) is not record  # a tree in memory, not in files
        for field in fields_of(record)
    )


def known_codec(codec: Any, above: tuple[type[Record], ...]) -> bool:
    if type(codec).__module__.startswith("overhaul.gamemaker"):
        return False
    if isinstance(codec, Deferred):
        return known_codec(codec.inner, above)
    if isinstance(codec, Either):
        return known_codec(codec.then, above) and known_codec(codec.otherwise, above)
    if isinstance(codec, ListCodec):
        return known_codec(codec.element, above)
    if isinstance(codec, Switch):
        return not codec.unknown and all(known(case, above) for case in codec.cases.values())
    return not isinstance(codec, Embedded) or known(codec.record, above)


def test_most_records_of_a_game_are_known() -> None:
    found = list(chunk_records())
    assert sum(map(known, found)) > 0.6 * len(found)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("record", [*filter(known, chunk_records())], ids=lambda r: r.__name__)
def test_the_records_of_a_game_round_trip(record: type[Record]) -> None:
    of_a_version = st.sampled_from(VERSIONS).flatmap(
        lambda version: st.tuples(st.just(version), records(record, version, values=Values()))
    )

    @given(of_a_version)
    @settings(
        max_examples=12,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow],  # by the clock of a busy machine
    )
    def check(drawn: tuple[Version, Record]) -> None:
        version, made = drawn
        round_trip(made, version, tables=Tables(), encoders=Encoders())

    check()
