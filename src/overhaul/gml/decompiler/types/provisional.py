"""Names for numbers by the tables only, while facts are collected; names by types come later.

An entry is read once, before the types of its game are known, and what would have been asked of
them is kept (:class:`Asked`).  Once the types are inferred, most of what they name are single
numbers: these get their names in the tree that is there.  Only where an answer changes more of the
tree, the entry is read again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Final, NamedTuple

from overhaul.gml.context import Context
from overhaul.gml.decompiler.types.collecting import Collector
from overhaul.gml.decompiler.types.constants import is_worked_out, stand_in_value
from overhaul.gml.decompiler.types.facts import GameFacts, InferredTypes, Location
from overhaul.gml.decompiler.types.habits import REDUCED, Fractions
from overhaul.gml.decompiler.types.locations import Locations, Uses
from overhaul.gml.decompiler.types.names import NOONE, TypeNames
from overhaul.gml.decompiler.types.naming import Naming, adds_to
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.printer import number_text
from overhaul.gml.syntax.tree import Expression
from overhaul.gml.values import is_transparent, returned_arguments


class Question:
    """An expression that changes if its location has a type.

    ``node``: a number, or what may hold one.  ``inside``: it is a part of what is stored in the
    location (an element of an array, one of two alternatives).  ``alone``: it is a number that
    stands in one place of the tree.
    """

    __slots__ = ("alone", "inside", "location", "node")

    def __init__(self, location: Location, node: Expression, inside: bool, alone: bool) -> None:
        self.location: Location = location
        self.node: Expression = node
        self.inside: bool = inside
        self.alone: bool = alone


class Contents(NamedTuple):
    """The parts of an entry's code that habits of the game's author change: functions, calls
    that read elements, built-in arrays without an index, doubles that were worked out, and
    products of a variable and a decimal, as its name and the number. ``names``: of its local and
    static variables."""

    functions: bool
    elements: bool
    no_index: bool
    fractions: Set[float]
    factors: Set[tuple[str, float]]
    names: Set[str]

    def differ(self, inferred: InferredTypes, likely: Fractions) -> bool:
        """Whether these habits change the tree, which was made with likely ones of fractions."""
        habit = inferred.fractions
        return (
            inferred.numbers
            or (inferred.says_self and self.functions)
            or (inferred.called and self.elements)
            or (inferred.with_index and self.no_index)
            or any(likely.likely(number) != habit.written(number) for number in self.fractions)
            or any(likely.of_factor(*each) != habit.of_factor(*each) for each in self.factors)
        )


class Literal(NamedTuple):
    """A literal that habits of the game's author change: of a double that was worked out, or of a
    decimal that the variable called ``factor`` is multiplied by."""

    node: Expression
    value: float
    factor: str | None


class Asked(NamedTuple):
    """The questions that the tree of an entry depends on, besides its code. ``literals`` are
    those with the fractions and factors of the contents."""

    questions: list[Question]
    contents: Contents
    literals: Sequence[Literal] = ()

    def spelled(self, inferred: InferredTypes, answers: Answers) -> dict[int, str] | None:
        """The spelling of the numbers that get names by inferred types, by the number of the
        question; None if the types change more, and the code has to be read again."""
        if self.contents.differ(inferred, answers.likely):
            return None
        spelled: dict[int, str] = {}
        for at, question in enumerate(self.questions):
            text = answers.spelling(question, self.contents.names)
            if text is None:
                return None
            if text:
                spelled[at] = text
        return spelled

    def name(self, spelled: Mapping[int, str]) -> None:
        """Name numbers in the tree."""
        for at, text in spelled.items():
            node = self.questions[at].node
            if type(node) is tree.Number:
                node.text = text

    def mark(self) -> None:
        """Show marks for the numbers that may be named; :meth:`fill` puts text in their place."""
        for at, question in enumerate(self.questions):
            if question.alone and type(question.node) is tree.Number:
                question.node.text = f"{MARK}{at}{MARK}"

    def mark_all(self) -> list[Place] | None:
        """Show marks for all that the types and habits may change, with the number of the place
        that they change; None where one of them can't be marked."""
        places: dict[int, Place] = {}
        for node, question, literal in (
            *((question.node, question, None) for question in self.questions),
            *((literal.node, None, literal) for literal in self.literals),
        ):
            shown = _shown_part(node)
            if shown is None:
                return None
            place = places.get(id(shown))
            if place is None:
                place = places[id(shown)] = Place(shown, *_text_and_value(shown), [], [])
            if question is not None:
                place.questions.append(question)
            if literal is not None:
                place.literals.append(literal)
        for at, place in enumerate(places.values()):
            place.show(f"{MARK}{at}{MARK}")
        return list(places.values())

    def fill(self, text: str, spelled: Mapping[int, str]) -> str:
        """A text in which numbers were marked, with their names, or the numbers."""
        parts = text.split(MARK)
        for at in range(1, len(parts), 2):
            number = int(parts[at])
            node = self.questions[number].node
            assert type(node) is tree.Number
            parts[at] = spelled.get(number) or number_text(node.value)
        return "".join(parts)


MARK: Final = "\0"
"""No text of a game has it: it ends them."""


class Place(NamedTuple):
    """A number or a member in the tree that questions and literals are about."""

    shown: tree.Number | tree.Member
    text: str
    value: float
    questions: list[Question]
    literals: list[Literal]

    def show(self, text: str) -> None:
        """Show a text in the place of the number, or of the name of the member."""
        if type(self.shown) is tree.Number:
            self.shown.text = text
        elif type(self.shown) is tree.Member:
            self.shown.name = text


def _text_and_value(shown: tree.Number | tree.Member) -> tuple[str, float]:
    if type(shown) is tree.Number:
        return shown.text or number_text(shown.value), shown.value
    assert type(shown) is tree.Member
    return shown.name, stand_in_value(shown) or 0


def _shown_part(node: Expression) -> tree.Number | tree.Member | None:
    """The part of a question's expression, or of a literal, that is printed in one place."""
    while type(node) is tree.Binary:
        node = node.right if type(node.left) is tree.Name else node.left
    return node if type(node) is tree.Number or type(node) is tree.Member else None


class Answers:
    """Answers questions by the types that were inferred from a game."""

    def __init__(
        self, context: Context, inferred: InferredTypes, likely: Fractions = REDUCED
    ) -> None:
        #: how fractions are written in what was read first
        self.likely = likely
        self._naming = Naming(Locations(TypeNames(context, inferred)))
        self._known: dict[tuple[Location, int | float, type, bool], str | None] = {}

    def spelling(self, question: Question, taken: Set[str]) -> str | None:
        """The text of a number's name, "" where it has none; None where the tree changes otherwise.

        ``taken``: names that mean something else in the code.
        """
        node = question.node
        if type(node) is not tree.Number:
            text = self._spelling(question)
        else:
            key = question.location, node.value, type(node.value), question.inside
            if key in self._known:
                text = self._known[key]
            else:
                text = self._known[key] = self._spelling(question)
        if not text:
            return text
        return None if text in taken or not question.alone else text

    def _spelling(self, question: Question) -> str | None:
        node, naming = question.node, self._naming
        type_name = naming.type_of(question.location, node)
        if type_name is None:
            return ""
        if type(node) is tree.Binary:
            return None if adds_to(type_name) else ""
        if question.inside:
            made = naming.named(node, type_name)
        else:
            made = naming.stored_as(question.location, node, type_name)
        if made is node:
            return ""
        text = _atom(made)
        if type(node) is tree.Number and node.value == NOONE and text != "noone":
            return None  # values that are compared with it may be shown as `noone` already
        return text


def _atom(node: Expression) -> str | None:
    """The text of an expression that needs no parentheses anywhere; None for others."""
    if type(node) is tree.Name:
        return node.name
    if type(node) is tree.Boolean:
        return "true" if node.value else "false"
    if type(node) is tree.Member and type(node.object) is tree.Name:
        return f"{node.object.name}.{node.name}"
    if type(node) is tree.Call and type(node.function) is tree.Name and len(node.arguments) == 1:
        argument = node.arguments[0]
        if type(argument) is tree.String and argument.value.isalnum():
            return f'{node.function.name}("{argument.value}")'
    return None


class _Asking(Naming):
    """Names numbers by the tables, and notes where a type would be asked for."""

    def __init__(self, locations: Locations) -> None:
        super().__init__(locations)
        self.knows = True
        self.questions: list[Question] = []

    def type_of(self, location: Location, node: Expression) -> str | None:
        if type(node) is tree.Number:
            self.questions.append(Question(location, node, False, True))
        else:
            self.questions += [
                Question(location, part, True, type(part) is tree.Number)
                for part in _parts_of(node)
            ]
        return None

    def doubt(self, first: int) -> None:
        """Note of the questions from number ``first`` on that a name changes more than a number."""
        for at in range(first, len(self.questions)):
            self.questions[at].alone = False


def _parts_of(node: Expression | None) -> Iterator[Expression]:
    """The parts of an expression that the type of its value changes: see Naming.named."""
    if type(node) is tree.Number:
        yield node
    elif type(node) is tree.Conditional:
        yield from _parts_of(node.then)
        yield from _parts_of(node.otherwise)
    elif type(node) is tree.Call:
        for position in returned_arguments(node):
            yield from _parts_of(node.arguments[position])
    elif type(node) is tree.ArrayLiteral:
        for element in node.elements:
            yield from _parts_of(element)
    elif type(node) is tree.Binary:
        if node.operator == "??":
            yield from _parts_of(node.left)
            yield from _parts_of(node.right)
        elif node.operator == "+" and type(node.left) is tree.Number:
            yield node
    elif type(node) is tree.Member and stand_in_value(node) is not None:
        yield node


class Provisional(Uses):
    """Collects facts as a Collector does, and names numbers as Naming does that knows no types."""

    def __init__(self, locations: Locations, facts: GameFacts) -> None:
        super().__init__()
        self.collector = Collector(locations, facts)
        self.naming = _Asking(locations)
        #: doubles that were worked out, and what variables are multiplied by
        self.fractions: set[float] = set()
        self.factors: set[tuple[str, float]] = set()
        self.literals: list[Literal] = []
        self._replaced: list[Expression] = []

    def asked_of(self, contents: Contents, copied: list[Expression], is_plain: bool) -> Asked:
        """The questions asked in an entry. ``copied``: numbers that may stand in two places of
        the tree; without ``is_plain`` any may."""
        questions = self.naming.questions
        several = set(map(id, copied)) | set(map(id, self._replaced))
        seen: set[int] = set()
        for question in questions:
            number = id(question.node)
            (several if number in seen else seen).add(number)
        for question in questions if several or not is_plain else ():
            if not is_plain or id(question.node) in several:
                question.alone = False
        return Asked(questions, contents, self.literals)

    def _unnamed(self, node: Expression) -> Expression:
        collector = self.collector
        return collector.unnamed(node) if collector.before else node

    # -- uses ----------------------------------------------------------------------------------

    def assigned(self, target: Expression, node: Expression, operator: str) -> Expression:
        if self.collector.before:
            self.collector.assigned(self._unnamed(target), self._unnamed(node), operator)
        else:
            self.collector.assigned(target, node, operator)
        return self.naming.assigned(target, node, operator)

    def compared(
        self, left: Expression, right: Expression, by_size: bool
    ) -> tuple[Expression, Expression]:
        self.collector.compared(self._unnamed(left), self._unnamed(right), by_size)
        first = len(self.naming.questions)
        made = self.naming.compared(left, right, by_size)
        if by_size or type(right) is not tree.Number:
            self.naming.doubt(first)
        return made

    def double(self, operand: object) -> Expression:
        node = self.collector.double(operand)
        if isinstance(operand, float) and is_worked_out(operand):
            self.fractions.add(operand)
            node = self.naming.fractions.likely(operand)
            self.literals.append(Literal(node, operand, None))
        return node

    def calculated(self, node: tree.Binary) -> None:
        self.collector.calculated(node)
        if node.operator == "*":
            left, right = node.left, node.right
            self.naming.calculated(node)
            self._multiplied(left, right, node.right)
            self._multiplied(right, left, node.left)

    def _multiplied(self, name: Expression, other: Expression, shown: Expression) -> None:
        """Note what a variable is multiplied by, and how it is shown."""
        if type(name) is tree.Name and type(other) is tree.Number and type(other.value) is float:
            factor = str(name.name)
            self.factors.add((factor, other.value))
            if shown is not other and self.literals and self.literals[-1].node is other:
                self.literals[-1] = self.literals[-1]._replace(node=shown)
            self.literals.append(Literal(shown, other.value, factor))

    def asked(self, node: Expression) -> None:
        self.collector.asked(self._unnamed(node))

    def addressed(self, node: Expression) -> None:
        self.collector.addressed(self._unnamed(node))

    def as_instance(self, node: Expression) -> Expression:
        named = self.naming.as_instance(node)
        if named is not node:
            self.collector.before[id(named)] = named, node
        return named

    def returned(self, node: Expression) -> Expression:
        self.collector.returned(self._unnamed(node))
        named = self.naming.returned(node)
        if named is not node:  # it may have been asked for as what is kept until the return
            self._replaced.append(node)
        return named

    def passed(self, name: str, nodes: list[Expression | None]) -> None:
        self.collector.passed(name, self._all_unnamed(nodes) if self.collector.before else nodes)
        if not is_transparent(name):
            self.naming.passed(name, nodes)
            return
        plain = list(nodes)
        self.naming.passed(name, nodes)
        for node, named in zip(plain, nodes, strict=True):
            if node is not named and node is not None and named is not None:
                self.collector.before[id(named)] = named, node

    def passed_own(self, name: str, nodes: list[Expression | None]) -> None:
        self.collector.passed_own(
            name, self._all_unnamed(nodes) if self.collector.before else nodes
        )
        self.naming.passed_own(name, nodes)

    def _all_unnamed(self, nodes: list[Expression | None]) -> list[Expression | None]:
        return [None if node is None else self._unnamed(node) for node in nodes]
