"""Reading code in other processes: tasks that these do for a game, and what they send.

Facts are sent as parcels, which are smaller than they are, and sooner made of.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from overhaul.gml.decompiler import parcels, without_collector
from overhaul.gml.decompiler.types.facts import GameFacts


def read_span(game: Any, span: tuple[int, int]) -> bytes:
    """:meth:`GameDecompiler.read_span` of a game, as another process sends it."""
    decompiler = game.language.decompiler
    return parcels.pack(*decompiler.read_span(span))


def read_each_of_span(game: Any, span: tuple[int, int]) -> list[bytes]:
    """:meth:`GameDecompiler.read_each` of a game, as another process sends it."""
    decompiler = game.language.decompiler
    return [parcels.pack(facts, []) for facts in decompiler.read_each(span)]


def read_joined(game: Any, span: tuple[int, int]) -> bytes:
    """:meth:`GameDecompiler.read_joined` of a game, as another process sends it."""
    decompiler = game.language.decompiler
    return parcels.pack(decompiler.read_joined(span), [])


def read_numbered(game: Any, numbers: list[int]) -> list[bytes]:
    """What the roots of some numbers show, as another process sends it."""
    needed = game.language.decompiler.alone_reader()
    with without_collector():
        return [parcels.pack(needed.facts_of_number(number), []) for number in numbers]


def unpacked(part: list[bytes]) -> Iterator[GameFacts]:
    """The facts of roots, as they were sent."""
    return map(parcels.facts_of, part)
