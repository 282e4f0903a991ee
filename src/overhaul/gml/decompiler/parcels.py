"""The facts and texts that one process sends to another of the code it read, as plain values.

Most of what is sent are locations, which come again and again: each is sent once, and named by
its number. Plain values take less time than objects, and their bytes less memory. Names that are
not Unicode have bytes of one version of Python: those are for the processes of one command,
never for a file.
"""

from __future__ import annotations

import marshal
from collections import Counter
from typing import Final, TypeAlias

import msgspec

from overhaul.gml.decompiler import FirstText
from overhaul.gml.decompiler.types.constants import (
    UNKNOWN_ENUM,
    enum_member_name,
    stand_in_value,
)
from overhaul.gml.decompiler.types.facts import Facts, GameFacts, Location, LocationKind
from overhaul.gml.decompiler.types.provisional import Asked, Contents, Question
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.tree import Expression

_Facts: TypeAlias = tuple[
    list[tuple[str, int]], list[int | float], list[int | float], list[int],
    int, int, int, int, int, int, int,
]  # fmt: skip
"""Facts: kinds, numbers stored and compared, neighbours, and counts in the order of the class."""
_Question: TypeAlias = tuple[int, int, int | float]
"""A question: its location, what it is of, and a number."""
_Contents: TypeAlias = tuple[
    bool, bool, bool, list[float], list[tuple[str, float]], list[str]
]  # fmt: skip
"""The contents of code, in the order of :class:`Contents`."""
_Text: TypeAlias = tuple[str, list[str], list[_Question], _Contents]
"""A text, its problems and questions, and the contents of its code."""
_Location: TypeAlias = tuple[int, str, str, int, str | None]
"""A location, its kind as a number."""
_Others: TypeAlias = tuple[
    int, bool, list[float], list[tuple[str, list[float]]], list[tuple[str, int]]
]
"""The facts that do not concern a location, in the order of :class:`GameFacts`."""
Plain: TypeAlias = tuple[list[_Location], list[tuple[int, _Facts]], _Others, list[_Text | None]]
"""Facts and texts as plain values: locations, facts by the number of the location, what is of no
location, and texts."""
Parcel: TypeAlias = bytes | msgspec.Raw
"""The result of :func:`pack`, or the part of it in a file."""
_FACTS: Final = msgspec.msgpack.Decoder(
    tuple[list[_Location], list[tuple[int, _Facts]], _Others, msgspec.Raw]
)
_TEXTS: Final = msgspec.msgpack.Decoder(
    tuple[list[_Location], msgspec.Raw, msgspec.Raw, list[_Text | None]]
)
_NUMBER: Final = 0
_SUM: Final = 1
_MEMBER: Final = 2
_INSIDE: Final = 4
_ALONE: Final = 8


_FOR_FILES: Final = b"f"
_FOR_PROCESSES: Final = b"p"


def pack(facts: GameFacts, texts: list[FirstText | None]) -> bytes:
    """Facts and texts as bytes."""
    plain = to_plain(facts, texts)
    try:
        return _FOR_FILES + msgspec.msgpack.encode(plain)
    except (UnicodeEncodeError, OverflowError):  # names that are not Unicode, very large numbers
        return _FOR_PROCESSES + marshal.dumps(plain)


def for_files(data: Parcel) -> msgspec.Raw | None:
    """The result of :func:`pack`, as MessagePack of plain values; None where that can't have
    them."""
    message = _message(data)
    return None if message is None else msgspec.Raw(message)


def _message(data: Parcel) -> bytes | memoryview | None:
    if isinstance(data, msgspec.Raw):
        return memoryview(data)
    return memoryview(data)[1:] if data[:1] == _FOR_FILES else None


def to_plain(facts: GameFacts, texts: list[FirstText | None]) -> Plain:
    """Facts and texts as plain values."""
    numbers = _Numbers()
    table = [
        (numbers.of(location), _of_facts(known, numbers)) for location, known in facts.table.items()
    ]
    shown = [None if text is None else _of_text(text, numbers) for text in texts]
    others = (
        facts.with_self, facts.with_index, list(facts.doubles),
        [(str(name), list(products)) for name, products in facts.products.items()],
        list(facts.writes.items()),
    )  # fmt: skip
    return numbers.locations, table, others, shown


def facts_of(data: Parcel) -> GameFacts:
    """The facts of a parcel.  Raises LookupError for a location that there is not, and
    msgspec.DecodeError for a file with something else."""
    message = _message(data)
    if message is not None:
        locations, table, others, _ = _FACTS.decode(message)
        return _all_facts(table, others, _locations(locations))
    plain = _of_process(data)
    return _all_facts(plain[1], plain[2], _locations(plain[0]))


def texts_of(data: Parcel) -> list[FirstText | None]:
    """The texts of a parcel; the errors of :func:`facts_of`."""
    message = _message(data)
    if message is not None:
        plain_locations, _, _, texts = _TEXTS.decode(message)
    else:
        plain_locations, _, _, texts = _of_process(data)
    locations = _locations(plain_locations)
    return [None if text is None else _text(text, locations) for text in texts]


def _of_process(data: Parcel) -> Plain:
    plain: Plain = marshal.loads(memoryview(data)[1:])
    return plain


def _locations(plain: list[_Location]) -> list[Location]:
    kinds = {int(kind): kind for kind in LocationKind}
    return [
        Location(kinds[kind], name, owner, number, element)
        for kind, name, owner, number, element in plain
    ]


def _all_facts(
    table: list[tuple[int, _Facts]], others: _Others, locations: list[Location]
) -> GameFacts:
    facts = GameFacts()
    for number, known in table:
        facts.table[locations[number]] = _facts(known, locations)
    facts.with_self, facts.with_index, doubles, products, writes = others
    facts.doubles = set(doubles)
    facts.products = {name: set(values) for name, values in products}
    facts.writes = Counter(dict(writes))
    return facts


class _Numbers:
    """The numbers of locations."""

    def __init__(self) -> None:
        self.locations: list[_Location] = []
        self._known: dict[Location, int] = {}

    def of(self, location: Location) -> int:
        known = self._known.get(location)
        if known is None:
            known = self._known[location] = len(self.locations)
            kind, name, owner, number, element = location
            self.locations.append(
                (
                    int(kind),
                    str(name),
                    str(owner),
                    number,
                    None if element is None else str(element),
                )
            )
        return known


def _of_facts(known: Facts, numbers: _Numbers) -> _Facts:
    return (
        list(known.kinds.items()), list(known.given), list(known.equal),
        [numbers.of(other) for other in known.neighbours], known.numeric, known.terms,
        known.ordered, known.other, known.unknown, known.asked, known.addressed,
    )  # fmt: skip


def _facts(plain: _Facts, locations: list[Location]) -> Facts:
    made = Facts()
    kinds, given, equal, neighbours, *counts = plain
    made.kinds = dict(kinds)
    made.given = set(given)
    made.equal = set(equal)
    made.neighbours = {locations[number] for number in neighbours}
    (
        made.numeric, made.terms, made.ordered, made.other, made.unknown, made.asked,
        made.addressed,
    ) = counts  # fmt: skip
    return made


def _of_text(text: FirstText, numbers: _Numbers) -> _Text:
    questions = [_of_question(question, numbers) for question in text.asked.questions]
    functions, elements, no_index, fractions, factors, names = text.asked.contents
    contents = (
        functions, elements, no_index, list(fractions), list(factors), list(map(str, names)),
    )  # fmt: skip
    return str(text.text), list(map(str, text.problems)), questions, contents


def _of_question(question: Question, numbers: _Numbers) -> _Question:
    node = question.node
    flags = _INSIDE * question.inside + _ALONE * question.alone
    value: int | float = 0
    if type(node) is tree.Number:
        value = node.value
    elif type(node) is tree.Binary:
        flags |= _SUM
    else:
        flags |= _MEMBER
        value = stand_in_value(node) or 0
    return numbers.of(question.location), flags, value


def _text(plain: _Text, locations: list[Location]) -> FirstText:
    text, problems, asked, contents = plain
    questions = [
        Question(locations[number], _node(what, value), bool(what & _INSIDE), bool(what & _ALONE))
        for number, what, value in asked
    ]
    functions, elements, no_index, fractions, factors, names = contents
    pairs = {(name, number) for name, number in factors}
    known = Contents(functions, elements, no_index, set(fractions), pairs, set(names))
    return FirstText(text, problems, Asked(questions, known))


def _node(what: int, value: int | float) -> Expression:
    """An expression that answers are the same for as for the one that was read."""
    if what & _SUM:
        return tree.Binary("+", tree.Number(0), tree.Number(0))
    if what & _MEMBER:
        return tree.Member(tree.Name(UNKNOWN_ENUM), enum_member_name(int(value)))
    return tree.Number(value)
