"""The lines of an entry that may have a word, before the types of its game are known."""

from __future__ import annotations

from collections.abc import Set

from overhaul import gml
from overhaul.gml.decompiler import Decompiled, FirstReading, read_first
from overhaul.gml.decompiler.choices import Choices
from overhaul.gml.decompiler.glimpses import Glimpse, Word, glimpse
from overhaul.gml.decompiler.types.facts import FIELD, NOTHING, GameFacts, Location
from overhaul.gml.decompiler.types.habits import Fractions
from overhaul.gml.decompiler.types.names import TypeNames
from overhaul.gml.decompiler.types.provisional import Asked, Contents, Literal, Question
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.parser import parse

DIALECT = gml.Dialect()
_NOTHING_SPECIAL = Contents(False, False, False, set(), set(), set())


def reading(
    source: str, asked: list[Question], literals: list[Literal], is_open: bool = False
) -> FirstReading:
    """A first reading that gave a source."""
    made = Decompiled(parse(source, DIALECT), [])
    return FirstReading(made, Asked(asked, _NOTHING_SPECIAL, literals), Choices(), is_open)


def question(node: tree.Expression, *, alone: bool = True) -> Question:
    return Question(Location(FIELD, "shape"), node, False, alone)


def lines(first: FirstReading, word: str, values: Set[float] = frozenset()) -> Glimpse | None:
    return glimpse(first, DIALECT, Word(lambda text: word in text, values))


def numbers_of(first: FirstReading) -> list[tree.Number]:
    return [node for node in first.made.block.walk() if type(node) is tree.Number]


def test_only_lines_with_the_word_ask() -> None:
    first = reading("shape = 5;\nother = 6;\nplain = shape;", [], [])
    five, six = numbers_of(first)
    asked = [question(five), question(six)]
    seen = lines(
        FirstReading(first.made, Asked(asked, _NOTHING_SPECIAL), Choices(), False), "shape"
    )
    assert seen is not None
    assert seen.numbers == [1, 3]
    assert seen.text.asked.questions == asked[:1]
    assert seen.text.asked.fill(seen.text.text, {}) == "shape = 5;\nplain = shape;"
    assert seen.text.asked.fill(seen.text.text, {0: "spr_a"}) == "shape = spr_a;\nplain = shape;"


def test_a_number_that_may_be_named_with_the_word_asks() -> None:
    first = reading("shape = 5;\nother = 6;", [], [])
    asked = [question(node) for node in numbers_of(first)]
    first = FirstReading(first.made, Asked(asked, _NOTHING_SPECIAL), Choices(), False)
    seen = lines(first, "spr_", {6, 7})
    assert seen is not None
    assert (seen.numbers, seen.text.asked.questions) == ([2], asked[1:])


def test_what_is_not_certain_is_not_seen() -> None:
    first = reading("shape = 5;", [question(tree.Number(7))], [])
    assert lines(first, "shape") is None  # another number is asked about
    first = reading("shape = 5;", [], [Literal(tree.Number(0.5), 0.5, None)])
    assert lines(first, "shape") is None
    pi = tree.Unary("-", tree.Name("pi"))
    assert lines(reading("shape = 5;", [], [Literal(pi, 0.5, None)]), "shape") is None
    assert lines(reading("shape = 5;", [], [], is_open=True), "shape") is None
    assert lines(reading("shape = 5;", [], []), "shape") is not None


def test_lines_with_noone_ask_what_it_stands_for() -> None:
    asked = [question(tree.Number(-4))]
    first = reading("if (shape == noone)\n{\n    other = 5;\n}", asked, [])
    seen = lines(first, "shape")
    assert seen is not None
    assert (seen.numbers, seen.text.asked.questions) == ([1], asked)
    first = reading("if (shape == noone)\n{\n    other = 5;\n}", asked, [])
    seen = lines(first, "other")
    assert seen is not None
    assert (seen.numbers, seen.text.asked.questions) == ([3], [])
    first = reading("if (shape == noone)\n{\n    other = 5;\n}", asked, [])
    named = lines(first, "vk_", {-4})
    assert named is not None
    assert named.numbers == [1]
    literal = Literal(tree.Number(-4.0), -4.0, None)
    assert lines(reading("x = noone;", [], [literal]), "x") is None


def test_literals_of_the_lines_are_their_contents() -> None:
    first = reading("shape = room_speed * 0.25;\nother = 0.0166;", [], [])
    quarter, small = numbers_of(first)
    literals = [Literal(quarter, 0.25, "room_speed"), Literal(small, 0.0166, None)]
    contents = _NOTHING_SPECIAL._replace(fractions={0.0166}, factors={("room_speed", 0.25)})
    first = FirstReading(first.made, Asked([], contents, literals), Choices(), False)
    seen = lines(first, "shape")
    assert seen is not None
    assert seen.text.text == "shape = room_speed * 0.25;"
    assert seen.text.asked.contents == contents._replace(fractions=set())
    assert small.text in ("", "0.0166")


def test_a_member_of_an_unknown_enum_is_one_place() -> None:
    code = gml.compile("enum Kind { First = 3 }\nshape = Kind.First; more = 1;", gml.Context())
    names = TypeNames(gml.Context(), NOTHING)
    first = read_first(code, names, GameFacts())
    assert first is not None
    seen = lines(first, "shape")
    assert seen is not None
    assert seen.text.asked.fill(seen.text.text, {}).startswith("shape = ")
    assert "\0" not in seen.text.asked.fill(seen.text.text, {})


def test_a_fraction_that_a_factor_replaces_is_one_literal() -> None:
    code = gml.compile("waits = room_speed * (0.7 / 60);", gml.Context())
    likely = Fractions(60, frozenset({"room_speed"}))
    names = TypeNames(gml.Context(), NOTHING._replace(fractions=likely))
    first = read_first(code, names, GameFacts())
    assert first is not None
    seen = lines(first, "waits")
    assert seen is not None
    assert seen.text.text == "waits = room_speed * (0.7 / 60);"
    assert seen.text.asked.contents.factors == {("room_speed", 0.7 / 60)}
    assert seen.text.asked.contents.fractions == {0.7 / 60}
