"""Checked code is registered only where its names do not say which numbers it has."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import overhaul
from modded_games import lantern
from overhaul.gamemaker.data.chunks.bytecode import Bytecode
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code import checking, knowledge
from overhaul.gamemaker.data.code.plain_names import PlainlyNamed, are_exactly
from overhaul.gamemaker.data.code.registration import Registrar
from overhaul.gamemaker.data.game import GameData
from overhaul.gml.context import Context
from overhaul.gml.vm.code import (
    AssetReference,
    Code,
    FunctionReference,
    Instruction,
    StringReference,
    VariableReference,
)
from overhaul.gml.vm.opcodes import DataType, Opcode

EDITIONS = ["current", "gms1"]
DOUBLE = int(DataType.DOUBLE)
PUSH = int(Opcode.PUSH)


@pytest.fixture(autouse=True)
def _much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knowledge, "_MUCH", 0)


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The entries whose code was registered to be compared."""
    names: list[str] = []
    numbered = Registrar.numbered

    def registering(self: Registrar, root: CodeEntry, code: Code, context: Context) -> Bytecode:
        names.append(str(root.name))
        return numbered(self, root, code, context)

    monkeypatch.setattr(Registrar, "numbered", registering)
    yield names


def opened(edition: str) -> GameData:
    game = overhaul.open(lantern(edition))
    assert isinstance(game, GameData)
    return game


@pytest.mark.parametrize("edition", EDITIONS)
def test_equal_code_is_not_registered(edition: str, registered: list[str]) -> None:
    game = opened(edition)
    game.expect_checks()
    registered.clear()  # the game was compiled
    assert [game.check_code(name) for name in game.code_names()] == [None] * len(game.code_names())
    assert registered == []


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_answers_are_those_of_registered_code(edition: str) -> None:
    """Also of sources that compile to other code."""
    game, other = opened(edition), opened(edition)
    game.expect_checks()
    for root in game.language.index.roots:
        source, _ = game.language.decompiled.source(root)
        for text in (source, source + "\nzz = 1;\n", source.replace("1", "2", 1), "zz = 'a';"):
            answers = []
            for each in (game, other):
                entry = each.records.code[str(root.name)]
                answers.append(checking.why_source_differs(each, entry, text, []))
            assert answers[0] == answers[1]


@pytest.mark.parametrize("edition", EDITIONS)
def test_two_records_of_one_name_are_registered(edition: str, registered: list[str]) -> None:
    game = opened(edition)
    root = max(game.language.index.roots, key=lambda root: len(set(root.bytecode.record.tolist())))
    numbers = [n for n in sorted(set(root.bytecode.record.tolist())) if 0 <= n < 1 << 30]
    first, second = (game.variables.items[number] for number in numbers[:2])
    assert first is not None and second is not None
    second.name, second.instance_type = first.name, first.instance_type
    game.language.forget()
    game.expect_checks()
    assert root not in PlainlyNamed(game, game.language.context, game.language.index)
    registered.clear()
    game.check_code(str(root.name))
    assert registered == [str(root.name)]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (0.0, -0.0),
        (1, 1.0),
        ("a", "b"),
        (FunctionReference("f"), FunctionReference("g")),
        (VariableReference("a", -1, 0), VariableReference("a", -5, 0)),
        (AssetReference("sprite", 1), ("sprite", 1)),
    ],
)
def test_what_is_equal_need_not_be_the_same(one: object, two: object) -> None:
    first, second = (Instruction(PUSH, DOUBLE, 0, 0, each) for each in (one, two))  # type: ignore[arg-type]
    assert are_exactly([first], [first])
    assert not are_exactly([first], [second])


def test_a_text_is_the_same_whatever_its_number() -> None:
    plain = Instruction(PUSH, int(DataType.STRING), 0, 0, "text")
    numbered = Instruction(PUSH, int(DataType.STRING), 0, 0, StringReference("text", 3))
    assert are_exactly([plain], [numbered])
    assert not are_exactly([plain], [])


@pytest.mark.parametrize("edition", EDITIONS)
def test_numbered_rows_are_the_rows_read_one_by_one(edition: str) -> None:
    game, other = opened(edition), opened(edition)
    game.language.expect_all()
    for root in game.language.index.roots:
        place = root.bytecode.place()
        assert place is not None
        reader = game.language.current().reader
        assert reader.shared_rows(place[0].record, place[1], place[2]) is not None
        numbered = game.language.code_to_read(root)
        one_by_one = other.language.code_to_read(other.records.code[str(root.name)])
        assert numbered == one_by_one
        assert numbered.offsets() == one_by_one.offsets()
        assert numbered.known_offsets is not None and one_by_one.known_offsets is None


def test_changed_rows_are_read_again() -> None:
    game = opened("current")
    game.language.expect_all()
    root = game.language.index.roots[0]
    before = game.language.code_to_read(root).instructions
    columns = root.bytecode.columns
    columns.value = columns.value.copy()
    columns.value[0] = 1 if columns.value[0] == 0 else 0
    assert root.bytecode.place() is None
    assert game.language.code_to_read(root).instructions != before
    assert game.language.code_to_read(root).known_offsets is None
