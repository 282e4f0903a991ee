"""The page on the format shows what the program does."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from overhaul.gamemaker import ds
from overhaul.gamemaker.ds.codec import KINDS

PAGE = (Path(__file__).parents[3] / "docs/formats/ds.md").read_text(encoding="utf-8")


def test_the_worked_example() -> None:
    text = re.search(r"```text\n(\w+)\n```", PAGE)
    written = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert text and written
    assert ds.json_text(ds.to_json(ds.loads(text[1]))) == written[1]
    assert ds.dumps(ds.from_json(ds.parse_json(written[1]))) == text[1]
    rows = re.findall(r"^\| `([0-9A-F ]+)` \|", PAGE, re.MULTILINE)
    assert "".join(rows).replace(" ", "") == text[1]


def test_every_magic_number() -> None:
    shown = {int(number): digits for number, digits in re.findall(r"(\d{3}) `(\w{8})`", PAGE)}
    assert shown == {number: number.to_bytes(4, "little").hex().upper() for number in KINDS}


def test_every_type_key() -> None:
    from overhaul.gamemaker.ds.jsonform import TYPE_KEYS

    for key in TYPE_KEYS:
        assert f'"{key}"' in PAGE or f"`{key}`" in PAGE, key


def test_the_example_of_the_package() -> None:
    assert doctest.testmod(ds) == doctest.TestResults(failed=0, attempted=5)
