"""Reading code in other processes: tasks that these do for a game, and what they send.

Facts are sent as parcels, which are smaller than they are, and sooner made of.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol, TypeAlias

from overhaul.errors import OverhaulError
from overhaul.gml.builtins import load_constants
from overhaul.gml.decompiler import FirstText, parcels, read_first, without_collector
from overhaul.gml.decompiler.glimpses import Glimpse, Word, glimpse
from overhaul.gml.decompiler.types.facts import GameFacts
from overhaul.gml.decompiler.types.names import TypeNames
from overhaul.gml.decompiler.wording import finder
from overhaul.gml.vm.code import Code

#: the numbers of lines, None where they are not certain, and a parcel of facts and these lines
ReadLines: TypeAlias = "tuple[list[int] | None, bytes]"


class WordSought(NamedTuple):
    """A word that is looked for, and the numbers whose names may have it."""

    text: str
    any_case: bool
    values: frozenset[float]


class _Needed(Protocol):
    def facts_of_number(self, number: int) -> GameFacts: ...

    def code(self, number: int) -> Code: ...


class _AllCode(Protocol):
    def read_span(self, span: tuple[int, int]) -> tuple[GameFacts, list[FirstText | None]]: ...

    def read_each(self, span: tuple[int, int]) -> list[GameFacts]: ...

    def read_joined(self, span: tuple[int, int]) -> GameFacts: ...

    def first_names(self) -> TypeNames: ...


class _Decompiler(Protocol):
    @property
    def code(self) -> _AllCode: ...

    def alone_reader(self) -> _Needed: ...


class _Decompiled(Protocol):
    @property
    def decompiler(self) -> _Decompiler: ...


class _Language(Protocol):
    @property
    def decompiled(self) -> _Decompiled: ...


class _Game(Protocol):
    """A game, whose decompiler is made of these tasks."""

    @property
    def language(self) -> _Language: ...


def _code(game: _Game) -> _AllCode:
    return game.language.decompiled.decompiler.code


def read_span(game: _Game, span: tuple[int, int]) -> bytes:
    """:meth:`AllCode.read_span` of a game, as another process sends it."""
    return parcels.pack(*_code(game).read_span(span))


def read_each_of_span(game: _Game, span: tuple[int, int]) -> list[bytes]:
    """:meth:`AllCode.read_each` of a game, as another process sends it."""
    return [parcels.pack(facts, []) for facts in _code(game).read_each(span)]


def read_joined(game: _Game, span: tuple[int, int]) -> bytes:
    """:meth:`AllCode.read_joined` of a game, as another process sends it."""
    return parcels.pack(_code(game).read_joined(span), [])


def read_numbered(game: _Game, numbers: list[int]) -> list[bytes]:
    """The facts that the roots of some numbers show, as another process sends them."""
    needed = game.language.decompiled.decompiler.alone_reader()
    with without_collector():
        return [parcels.pack(needed.facts_of_number(number), []) for number in numbers]


def read_lines(game: _Game, part: tuple[list[int], WordSought]) -> list[ReadLines]:
    """The facts that the roots of some numbers show, and their lines that may have a word, as
    another process sends them."""
    decompiler = game.language.decompiled.decompiler
    needed, names = decompiler.alone_reader(), decompiler.code.first_names()
    numbers, sought = part
    word = Word(finder(sought.text, sought.any_case), sought.values)
    taken = names.context.asset_ids.keys() | load_constants().keys()
    made: list[ReadLines] = []
    with without_collector():
        for number in numbers:
            facts = GameFacts()
            seen: Glimpse | None = None
            try:
                first = read_first(needed.code(number), names, facts)
            except OverhaulError:  # reported where the entry is asked for
                first, facts = None, GameFacts()
            if first is not None and taken.isdisjoint(first.asked.contents.names):
                seen = glimpse(first, names.context.dialect, word)
            texts = [None if seen is None else seen.text]
            made.append((None if seen is None else seen.numbers, parcels.pack(facts, texts)))
    return made


def unpacked(part: list[bytes]) -> Iterator[GameFacts]:
    """The facts of roots, as they were sent."""
    return map(parcels.facts_of, part)
