"""Reading code in other processes: tasks that these do for a game, and what they send.

Facts are sent as parcels, which are smaller than they are, and sooner made of.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from overhaul.gml.decompiler import FirstText, parcels, without_collector
from overhaul.gml.decompiler.types.facts import GameFacts


class _Needed(Protocol):
    def facts_of_number(self, number: int) -> GameFacts: ...


class _AllCode(Protocol):
    def read_span(self, span: tuple[int, int]) -> tuple[GameFacts, list[FirstText | None]]: ...

    def read_each(self, span: tuple[int, int]) -> list[GameFacts]: ...

    def read_joined(self, span: tuple[int, int]) -> GameFacts: ...


class _Decompiler(Protocol):
    @property
    def code(self) -> _AllCode: ...

    def alone_reader(self) -> _Needed: ...


class _Language(Protocol):
    @property
    def decompiler(self) -> _Decompiler: ...


class _Game(Protocol):
    """A game, whose decompiler is made of these tasks."""

    @property
    def language(self) -> _Language: ...


def read_span(game: _Game, span: tuple[int, int]) -> bytes:
    """:meth:`AllCode.read_span` of a game, as another process sends it."""
    return parcels.pack(*game.language.decompiler.code.read_span(span))


def read_each_of_span(game: _Game, span: tuple[int, int]) -> list[bytes]:
    """:meth:`AllCode.read_each` of a game, as another process sends it."""
    return [parcels.pack(facts, []) for facts in game.language.decompiler.code.read_each(span)]


def read_joined(game: _Game, span: tuple[int, int]) -> bytes:
    """:meth:`AllCode.read_joined` of a game, as another process sends it."""
    return parcels.pack(game.language.decompiler.code.read_joined(span), [])


def read_numbered(game: _Game, numbers: list[int]) -> list[bytes]:
    """What the roots of some numbers show, as another process sends it."""
    needed = game.language.decompiler.alone_reader()
    with without_collector():
        return [parcels.pack(needed.facts_of_number(number), []) for number in numbers]


def unpacked(part: list[bytes]) -> Iterator[GameFacts]:
    """The facts of roots, as they were sent."""
    return map(parcels.facts_of, part)
