"""docs/formats/bytecode.md says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from overhaul import gml
from overhaul.gml.asset_types import NEW_ASSET_TYPES, OLD_ASSET_TYPES
from overhaul.gml.vm.opcodes import MNEMONICS, OLD_OPCODES
from overhaul.gml.vm.text import EXTENDED_NAMES

PAGE = Path(__file__).parents[3] / "docs" / "formats" / "bytecode.md"
TEXT = PAGE.read_text(encoding="utf-8")
WORDS = {"curve": "animation_curve", "particles": "particle_system"}


@pytest.mark.parametrize(
    ("release", "types"), [("2023.8", OLD_ASSET_TYPES), ("2024.4", NEW_ASSET_TYPES)]
)
def test_asset_types(release: str, types: dict[int, str]) -> None:
    (head,) = re.findall(r"^\| \| object \|.*$", TEXT, re.M)
    (row,) = re.findall(rf"^\| {re.escape(release)} \|.*$", TEXT, re.M)
    kinds = [cell.strip() for cell in head.split("|")[2:-1]]
    numbers = [int(cell) for cell in row.split("|")[2:-1]]
    assert {
        number: WORDS.get(kind, kind.replace(" ", "_"))
        for number, kind in zip(numbers, kinds, strict=True)
    } == types


def test_opcodes() -> None:
    seen = set()
    for row in re.findall(r"^\| (`[a-z].*?)\|(.*?)\|(.*?)\|.*\|$", TEXT, re.M):
        names = re.findall(r"`([a-z]+)`", row[0])
        seen.update(names)
        opcodes = [opcode for opcode, name in MNEMONICS.items() if name in names]
        assert len(opcodes) == len(names), row
        new = re.findall(r"\b[0-9A-F]{2}\b", row[1])
        assert new[0] == f"{min(opcodes):02X}"
        old = re.findall(r"\b[0-9A-F]{2}\b", row[2])
        if old and names != ["cmp"]:
            assert old == [f"{OLD_OPCODES[opcode]:02X}" for opcode in sorted(opcodes)]
    assert seen == set(MNEMONICS.values())


def test_extended_operations() -> None:
    assert dict(re.findall(r"`([a-z]+)` (-\d+)", TEXT)) == {
        name: str(number) for number, name in EXTENDED_NAMES.items()
    }


def test_the_listing_assembles_to_itself() -> None:
    (listing,) = re.findall(r"```\n(\.localvar.*?)\n```", TEXT, re.S)
    assert gml.disassemble(gml.assemble(listing)) == listing


@pytest.mark.parametrize(
    "text",
    [
        text
        for row in re.findall(
            r"^\| (?:constants|variables|calls|break|one type|two types) \|(.*)\|$", TEXT, re.M
        )
        for text in re.findall(r"`(.+?)`", row)
    ],
)
def test_examples(text: str) -> None:
    assert gml.disassemble(gml.assemble(text)).split("\n")[1] == text
