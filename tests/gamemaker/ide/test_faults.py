"""Damaged projects: only Overhaul's own errors, whatever a file says."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import overhaul
from ide_projects import modern_project, old_project, studio_project
from overhaul.document.registry import folder_format_of
from overhaul.errors import OverhaulError
from overhaul.gamemaker.ide.texts import read_json_file
from overhaul.gamemaker.ide.values import Json, Steps
from repeats import times

MAKERS: dict[str, Callable[[Path], Path]] = {
    "modern": modern_project, "old": old_project, "studio": studio_project,
}  # fmt: skip
#: What other types a value can have.
OTHERS: tuple[Json, ...] = (None, True, -1, 2**70, 0.5, "", "../x", [], {}, [[]], [None], {"a": []})


def looked_at(path: Path) -> str:
    """Look at all of a project; the code of the error, or ""."""
    try:
        with overhaul.open(path) as document:
            document.info()
            list(document.tree())
            document.decode()
            document.to_bytes()
            assert all(finding.message for finding in document.findings)
        folder_format_of(document.kind)
    except OverhaulError as error:
        assert str(error)
        return error.code
    return ""


def values_in(value: Json, steps: Steps = ()) -> Iterator[Steps]:
    """The steps to all values."""
    inner: list[tuple[str | int, Json]] = []
    if isinstance(value, dict):
        inner += value.items()
    elif isinstance(value, list):
        inner += enumerate(value)
    for step, item in inner:
        yield (*steps, step)
        yield from values_in(item, (*steps, step))


@pytest.mark.parametrize("maker", [modern_project, old_project])
def test_values_of_other_types(maker: Callable[[Path], Path], tmp_path: Path) -> None:
    path = maker(tmp_path)
    random_of = random.Random(1)
    files = sorted(file for file in tmp_path.rglob("*") if file.suffix in (".yy", ".yyp"))
    for file in files:
        kept = file.read_bytes()
        read = read_json_file(kept)
        for steps in list(values_in(read.value)):
            edited = read.replaced(*steps, value=random_of.choice(OTHERS))
            file.write_bytes(edited.to_bytes())
            looked_at(path)
            assert read_json_file(edited.to_bytes()).value == edited.value
        file.write_bytes(kept)
    assert looked_at(path) == ""


@pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)
def test_damaged_bytes(maker: Callable[[Path], Path], tmp_path: Path) -> None:
    path = maker(tmp_path)
    files = sorted(file for file in tmp_path.rglob("*") if file.is_file())
    for seed in range(times(3000, 15)):
        made = random.Random(seed)
        file = made.choice(files)
        kept = file.read_bytes()
        data = bytearray(kept)
        for _ in range(made.choice((1, 1, 3, 20))):
            at = made.randrange(len(data) + 1)
            cut = made.choice((0, 0, 1, 5, len(data)))
            data[at : at + cut] = made.choice(
                (b"", b"\0", b"\xff", b'"', b"{", b"[", b"}", b",", b"<", b"&", b"\\u12", b"9" * 99)
            )
        file.write_bytes(bytes(data))
        looked_at(path)
        file.write_bytes(kept)


@pytest.mark.parametrize(
    "text",
    [
        b'{"$GMProject":"v1","resources":' + b"[" * 100_000,
        b'{"$GMProject":"v1","resources":' + b'{"a":' * 100_000,
        b'{"$GMProject":"v1","a":"' + b'\\"' * 1_000_000,
        b'{"$GMProject":"v1","a":' + b"9" * 100_000 + b"}",
        b"<assets>" + b"<sprites>" * 100_000,
        b'<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><assets>&b;</assets>',
    ],
)  # fmt: skip
def test_hostile_projects(text: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.yyp"
    path.write_bytes(text)
    assert looked_at(path) == "invalid"
