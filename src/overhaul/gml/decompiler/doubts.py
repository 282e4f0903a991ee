"""Numbers in code that may stand for assets, though nothing shows their kind.

Before 2023.8 an asset is a number in code. Where the code shows what a number is (an argument of
``draw_sprite``, a variable that is drawn as a sprite), the decompiler names it. Of the others
most can't be assets: they are calculated with, compared by size, or given to a function that
takes a plain number. The remaining numbers are in doubt: ``target = 11`` may be an object.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from functools import cache, partial
from typing import Final, NamedTuple

from overhaul.gml.builtins.types import ASSET_TYPES, INSTANCE_TYPES
from overhaul.gml.context import Context
from overhaul.gml.decompiler.choices import Choices
from overhaul.gml.decompiler.fragment import RootEntry
from overhaul.gml.decompiler.only_compared import (
    READ_AS_TEXT,
    OnlyCompared,
    Within,
    parameter,
    variable_of,
)
from overhaul.gml.decompiler.passes.pipeline import run
from overhaul.gml.decompiler.regions.reader import Reader
from overhaul.gml.decompiler.types.collecting import Collector
from overhaul.gml.decompiler.types.facts import (
    PARAMETER,
    RESULT,
    GameFacts,
    InferredTypes,
    Location,
)
from overhaul.gml.decompiler.types.infer import shared_facts
from overhaul.gml.decompiler.types.locations import Locations
from overhaul.gml.decompiler.types.names import TypeNames
from overhaul.gml.decompiler.types.naming import Naming
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.node import Node
from overhaul.gml.syntax.printer import to_source
from overhaul.gml.syntax.tree import Expression
from overhaul.gml.values import STORED, alternatives, arguments_with, initial_element
from overhaul.gml.vm.code import Code

_UNKNOWN: Final = frozenset(("", "Any", "ArgumentIdentity", "Undefined", "Asset"))
_ASSETS: Final = frozenset((*ASSET_TYPES, *INSTANCE_TYPES))
_ANSWERS: Final = frozenset((-4, 0, 1))
"""Numbers that say yes, no or nothing as well as they name assets."""
_MARK: Final = "\0"
_BY_NUMBER: Final = frozenset(("", "@", "|", "#"))
"""Accessors whose indices are plain numbers; keys of maps may be anything."""


class Doubt(NamedTuple):
    """A number that may stand for an asset: the line of the source it is in (from 1).

    ``asked``: the kind of an asset that a condition there asks for, which number 0 answers with no;
    "" for a number in the source.  ``within``: the code that the number meets, if all of that only
    sets and compares it; None for other numbers.
    """

    line: int
    value: int
    asked: str = ""
    within: Within | None = None


class Doubtful(NamedTuple):
    """The source of an entry, why parts of it have no structured form, and the numbers in it that
    may stand for assets."""

    source: str
    problems: list[str]
    doubts: list[Doubt]


class Weighed(NamedTuple):
    """The values of a game's variables, parameters and results, as its code uses them.

    ``numbers``: those that are calculated with, and never used as an asset.  ``mixed``: those that
    are used in both ways.  ``compared``: the variables of :class:`OnlyCompared`.
    """

    numbers: frozenset[Location]
    mixed: frozenset[Location]
    compared: dict[str, Within]


@cache
def is_plain(type_name: str) -> bool:
    """Whether a value of a type is certainly no asset."""
    return not any(
        part in _UNKNOWN or part in _ASSETS or part.startswith(("Asset", "Array", "Struct"))
        for part in type_name.split("|")
    )


@cache
def _may_be_asset(type_name: str) -> bool:
    return any(part in _ASSETS for part in type_name.split("|"))


class Evidence(Collector):
    """Also notes which locations are used where only a plain number may stand."""

    def assigned(self, target: Expression, node: Expression, operator: str) -> Expression:
        if operator == "=" and _is_plain_builtin(self.names, target):
            self._plain(node)
        return super().assigned(target, node, operator)

    def compared(
        self, left: Expression, right: Expression, by_size: bool
    ) -> tuple[Expression, Expression]:
        for side, other in ((left, right), (right, left)):
            if not by_size and _is_number(self.names, side):
                self._plain(other)
        return super().compared(left, right, by_size)

    def passed(self, name: str, nodes: list[Expression | None]) -> None:
        signature = self.names.signatures.get(name)
        if signature is not None:
            for position, node in enumerate(nodes):
                if signature.parameter(position) and is_plain(signature.parameter(position)):
                    self._plain(node)
        super().passed(name, nodes)

    def _plain(self, node: Expression | None) -> None:
        for part in alternatives(node):
            location = self.locations.of(part)
            if location is not None:
                self.facts.at(location).ordered += 1


def weigh(codes: Iterable[Code], context: Context, inferred: InferredTypes) -> Weighed:
    """The evidence of a game's code about the numbers in its variables; ``inferred`` are the
    types that :func:`~overhaul.gml.decompiler.gather` concludes from the same code."""
    facts = GameFacts()
    names = TypeNames(context, inferred)
    compared = OnlyCompared(names.is_script, partial(context.asset_name, "script"))
    for code in codes:
        read_evidence(code, names, facts, compared)
    numbers, mixed = numbers_and_mixed(facts, inferred)
    return Weighed(numbers, mixed, compared.names(names.builtins))


def read_evidence(code: Code, names: TypeNames, facts: GameFacts, compared: OnlyCompared) -> None:
    """Read an entry for :func:`weigh`."""
    locations = Locations(names)
    entry = RootEntry(code, names.context.dialect, Choices())
    fragments = Reader(entry, locations, Evidence(locations, facts)).read()
    run(fragments)
    compared.add(code, tree.Block(fragments[-1].statements), not entry.problems)


def numbers_and_mixed(
    facts: GameFacts, inferred: InferredTypes
) -> tuple[frozenset[Location], frozenset[Location]]:
    """The first members of :class:`Weighed`, from facts, which are used up."""
    types = inferred.types
    table = shared_facts(facts)
    assets = {location for location, seen in table.items() if any(map(_may_be_asset, seen.kinds))}
    assets |= {location for location in types if _may_be_asset(types[location])}
    numbers, mixed = set(), set()
    for location, seen in table.items():
        fractions = any(type(number) is float and number % 1 for number in seen.constants)
        counted = bool(seen.numeric or seen.ordered or fractions)
        if location in assets:
            if counted or seen.constants <= _ANSWERS:
                mixed.add(location)
        elif (counted or location in types) and assets.isdisjoint(seen.neighbours):
            numbers.add(location)
    return frozenset(numbers), frozenset(mixed)


class Doubting(Naming):
    """Names numbers, and notes which of the others are certainly no assets."""

    def __init__(self, locations: Locations, weighed: Weighed) -> None:
        super().__init__(locations)
        self._weighed = weighed
        #: numbers that are not assets, and those that may be all the same, by the id of the node
        self.certain: dict[int, tree.Number] = {}
        self.doubted: dict[int, tree.Number | tree.Name] = {}
        #: numbers that variables of :class:`OnlyCompared` hold, or are compared with
        self.kept_with: dict[int, tuple[tree.Number, Within]] = {}
        #: conditions that ask for an asset, with its kind
        self.questions: list[tuple[tree.Name | tree.Member, str]] = []

    # -- uses ----------------------------------------------------------------------------------

    def assigned(self, target: Expression, node: Expression, operator: str) -> Expression:
        made = super().assigned(target, node, operator)
        if operator == "=":
            self._joins(target, made)
        else:
            self._sure(made)
        return made

    def compared(
        self, left: Expression, right: Expression, by_size: bool
    ) -> tuple[Expression, Expression]:
        made = super().compared(left, right, by_size)
        if by_size:
            self._sure(made[0])
            self._sure(made[1])
        else:
            self._joins(made[0], made[1])
            self._joins(made[1], made[0])
        return made

    def calculated(self, node: tree.Binary) -> None:
        super().calculated(node)
        self._sure(node.left)
        self._sure(node.right)

    def asked(self, node: Expression) -> None:
        super().asked(node)
        self._sure(node)
        if type(node) is tree.Unary or type(node) is tree.Binary:
            return  # the parts that are asked for are asked by themselves
        kinds = self._kinds_asked(node)
        while type(node) is tree.Index:
            node = node.object
        if len(kinds) == 1 and isinstance(node, tree.Name | tree.Member):
            self.questions.append((node, kinds.pop()))

    def _kinds_asked(self, node: Expression) -> set[str]:
        """The kinds of assets that a condition asks for."""
        location = self.locations.of(node)
        type_name = self.names.builtin_type(node)
        if not type_name and location is not None:
            type_name = self.inferred.get(location.shared(), "")
        return {ASSET_TYPES[part] for part in type_name.split("|") if part in ASSET_TYPES}

    def as_instance(self, node: Expression) -> Expression:
        made = super().as_instance(node)
        self._sure(made)  # an object would have its name
        return made

    def returned(self, node: Expression) -> Expression:
        made = super().returned(node)
        if self.locations.function:
            self._reaches(Location(RESULT, self.locations.function), made)
        else:
            self._sure(made)
        return made

    def passed(self, name: str, nodes: list[Expression | None]) -> None:
        super().passed(name, nodes)
        signature = self.names.signatures.get(name)
        if signature is None:
            for position, node in enumerate(nodes):
                self._meets(parameter(name, position), node)
            return
        for position, node in enumerate(nodes):
            if name in READ_AS_TEXT:
                self._sure(node)
            elif signature.parameter(position):
                self._typed(node, signature.parameter(position))
        location = self.locations.stored(name, nodes) if name in STORED else None
        if location is not None:
            for value in arguments_with(STORED, name, nodes):
                self._reaches(location, value)

    def passed_own(self, name: str, nodes: list[Expression | None]) -> None:
        super().passed_own(name, nodes)
        for position, node in enumerate(nodes):
            self._reaches(Location(PARAMETER, name, "", position), node)

    # -- what follows from them ------------------------------------------------------------------

    def _joins(self, other: Expression, node: Expression) -> None:
        """A value that is stored in another expression's place, or compared with it."""
        type_name = self.names.builtin_type(other)
        self._meets(variable_of(other, self.locations.function), node)
        if type_name:
            self._typed(node, type_name)
        elif _is_plain_builtin(self.names, other) or _is_number(self.names, other):
            self._sure(node)
        else:
            location = self.locations.of(other)
            if location is not None:
                self._reaches(location, node)

    def _meets(self, variable: str | None, node: Expression | None) -> None:
        """A value that meets a variable of :class:`OnlyCompared`, or an element of it."""
        within = None if variable is None else self._weighed.compared.get(variable)
        if within is None:
            return
        for part in alternatives(node):
            if type(part) is tree.Number:
                self.kept_with[id(part)] = part, within
            elif type(part) is tree.ArrayLiteral:
                for element in part.elements:
                    self._meets(variable, element)
            elif type(part) is tree.Call and initial_element(part) is not None:
                self._meets(variable, initial_element(part))

    def _typed(self, node: Expression | None, type_name: str) -> None:
        if is_plain(type_name):
            self._sure(node)
        elif _may_be_asset(type_name) and node is not None:
            for part in alternatives(node):
                self._doubt_terms(part)

    def _reaches(self, location: Location, node: Expression | None) -> None:
        if type(node) is tree.ArrayLiteral:
            for element in node.elements:
                self._reaches(location.element_at(), element)
        elif type(node) is tree.Call and initial_element(node) is not None:
            self._reaches(location.element_at(), initial_element(node))
        elif location.shared() in self._weighed.numbers:
            self._sure(node)
        elif location.shared() in self._weighed.mixed:
            for part in alternatives(node):
                if type(part) is tree.Name and part.name in self.names.context.asset_ids:
                    self.doubted[id(part)] = part
        elif node is not None and _may_be_asset(self.inferred.get(location.shared(), "")):
            for part in alternatives(node):
                self._doubt_terms(part)

    def _sure(self, node: Expression | None) -> None:
        for part in alternatives(node):
            if type(part) is tree.Number:
                self.certain[id(part)] = part

    def _doubt_terms(self, node: Expression) -> None:
        """A calculation that gives an asset: its numbers may be assets."""
        if type(node) is tree.Binary:
            for side in (node.left, node.right):
                if type(side) is tree.Number:
                    self.doubted[id(side)] = side
                self._doubt_terms(side)


class Suspecting(Doubting):
    """Doubts each number that other code may show to be no asset, and notes what shows it."""

    def __init__(self, locations: Locations) -> None:
        super().__init__(locations, Weighed(frozenset(), frozenset(), {}))
        #: the locations that numbers and questions depend on, and the names of variables that
        #: numbers meet, by the id of the node
        self.met: defaultdict[int, set[Location]] = defaultdict(set)
        self.near: defaultdict[int, set[str]] = defaultdict(set)

    def _kinds_asked(self, node: Expression) -> set[str]:
        location = self.locations.of(node)
        if location is None or self.names.builtin_type(node):
            return super()._kinds_asked(node)
        while type(node) is tree.Index:
            node = node.object
        self.met[id(node)].add(location.shared())
        return {"any"}

    def _joins(self, other: Expression, node: Expression) -> None:
        if type(other) is tree.Name or type(other) is tree.Member:
            for part in alternatives(node):
                self.near[id(part)].add(other.name)
        super()._joins(other, node)

    def _reaches(self, location: Location, node: Expression | None) -> None:
        super()._reaches(location, node)
        is_array = type(node) is tree.ArrayLiteral
        if is_array or (type(node) is tree.Call and initial_element(node) is not None):
            return
        for part in alternatives(node):
            if type(part) is tree.Name and part.name in self.names.context.asset_ids:
                self.doubted[id(part)] = part
            self._doubt_terms(part)
            for number in part.walk():
                self.met[id(number)].add(location.shared())


class Suspect(NamedTuple):
    """A number that may be in doubt, and the locations and names of variables that decide it."""

    doubt: Doubt
    locations: Set[Location]
    names: Set[str]


def suspects_of(code: Code, context: Context, inferred: InferredTypes) -> tuple[str, list[Suspect]]:
    """The source of an entry, and the numbers that :func:`doubts_of` may find, whatever other code
    shows."""
    locations = Locations(TypeNames(context, inferred))
    doubting = Suspecting(locations)
    made, nodes = _doubts(code, context, doubting, Choices())
    suspects = [
        Suspect(doubt, doubting.met.get(number, set()), doubting.near.get(number, set()))
        for doubt, number in zip(made.doubts, nodes, strict=True)
    ]
    return made.source, suspects


def _is_plain_builtin(names: TypeNames, node: Expression) -> bool:
    """Whether an expression is a built-in variable that holds no asset."""
    if type(node) is tree.Index and not node.accessor:
        node = node.object
    if type(node) is not tree.Name and type(node) is not tree.Member:
        return False
    if node.name not in names.builtins or node.name.startswith("argument"):
        return False
    type_name = names.variables.get(node.name, "")
    return not type_name or is_plain(type_name)


def _is_number(names: TypeNames, node: Expression) -> bool:
    """Whether an expression is certainly no asset: a calculation, a text, a plain result."""
    if type(node) is tree.Binary:
        return node.operator not in ("??", "+") or any(
            type(side) is tree.Number for side in (node.left, node.right)
        )
    if type(node) is tree.Call:
        type_name = names.builtin_type(node)
        return bool(type_name) and is_plain(type_name)
    return type(node) in (tree.String, tree.Boolean) or _is_plain_builtin(names, node)


def _in_doubt(block: Node, doubting: Doubting) -> list[tuple[tree.Number | tree.Name, int]]:
    """The numbers of a tree that may be assets, in order."""
    certain = doubting.certain.keys() - doubting.doubted.keys()
    assets = doubting.names.context.asset_ids
    numbers: list[tuple[tree.Number | tree.Name, int]] = []
    for node in block.walk():
        plain: Sequence[object] = ()
        if type(node) is tree.Index and node.accessor in _BY_NUMBER:
            plain = node.indices
        elif type(node) is tree.Unary:
            plain = (node.operand,)
        elif type(node) is tree.Repeat:
            plain = (node.count,)
        elif type(node) is tree.Binary and node.operator not in ("==", "!=", "??", "=", "<>"):
            plain = (node.left, node.right)
        certain |= {id(number) for number in plain if id(number) not in doubting.doubted}
        if type(node) is tree.Number and isinstance(node.value, int) and node.value >= 0:
            numbers.append((node, node.value))
        elif type(node) is tree.Name and id(node) in doubting.doubted:
            numbers.append((node, assets[node.name][1]))
    return [(node, value) for node, value in numbers if id(node) not in certain]


def doubts_of(
    code: Code, context: Context, weighed: Weighed, choices: Choices, inferred: InferredTypes
) -> Doubtful:
    """The source of an entry with its doubts; ``weighed`` is what :func:`weigh` finds in all code
    of the game, ``choices`` are those of the source that people see."""
    doubting = Doubting(Locations(TypeNames(context, inferred)), weighed)
    return _doubts(code, context, doubting, choices)[0]


def _doubts(
    code: Code, context: Context, doubting: Doubting, choices: Choices
) -> tuple[Doubtful, list[int]]:
    """The source of an entry with its doubts, and the id of the node of each."""
    entry = RootEntry(code, context.dialect, choices)
    fragments = Reader(entry, doubting.locations, doubting).read()
    run(fragments)
    block = tree.Block(fragments[-1].statements)
    source = to_source(block, context.dialect)
    found: list[Doubt] = []  # without their lines, which show where their numbers stand
    nodes: list[int] = []

    def mark(node: Expression, doubt: Doubt) -> str:
        found.append(doubt)
        nodes.append(id(node))
        return f"{_MARK}{len(found) - 1}{_MARK}"

    for node, value in _in_doubt(block, doubting):
        if type(node) is tree.Number:
            _, within = doubting.kept_with.get(id(node), (node, None))
            node.text = mark(node, Doubt(0, value, within=within))
        elif type(node) is tree.Name:
            node.name = mark(node, Doubt(0, value))
    for question, kind in doubting.questions:
        question.name = mark(question, Doubt(0, 0, kind))
    marked = to_source(block, context.dialect) if found else ""
    places = [
        (int(text), line)
        for line, shown in enumerate(marked.split("\n"), 1)
        for text in shown.split(_MARK)[1::2]
    ]
    doubts = [found[number]._replace(line=line) for number, line in places]
    return Doubtful(source, entry.problems, doubts), [nodes[number] for number, _ in places]
