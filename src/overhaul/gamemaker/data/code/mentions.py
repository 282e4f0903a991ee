"""Which code names a resource: by reference, by number, or as a text."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

import numpy as np

from overhaul.gamemaker.data.asset_kinds import KIND_CHUNKS
from overhaul.gamemaker.data.code.context import SCRIPT_PREFIX
from overhaul.gml.context import asset_types
from overhaul.gml.vm.columns import FUNCTION_BIT, is_string_push

if TYPE_CHECKING:
    from overhaul.gamemaker.data.chunks.code import CodeEntry
    from overhaul.gamemaker.data.code.model import CodeModel


def roots(game: CodeModel) -> Iterator[CodeEntry]:
    """The entries with bytecode of their own; none in a game of native code."""
    if game.record("CODE") is not None:
        yield from (entry for entry in game.named("CODE").present() if entry.root is None)


def names_in(entry: CodeEntry) -> frozenset[str]:
    """The names in an entry's source; none where it can't be decompiled."""
    language = entry.game.language
    names: frozenset[str] = language.mentions.names(entry, language.decompiler)
    return names


def holds_number(entry: CodeEntry, numbers: Collection[float]) -> bool:
    """Whether an entry may hold one of the numbers as a constant."""
    return not entry.game.language.mentions.numbers(entry).held.isdisjoint(numbers)


def has_plain_numbers(game: CodeModel, chunk: str) -> bool:
    """Whether code of the game's version holds resources of a kind as plain numbers."""
    if chunk not in KIND_CHUNKS.values() or game.is_native or game.record("CODE") is None:
        return False
    dialect = game.language.context.dialect
    return not (dialect.asset_references or (chunk == "SCPT" and dialect.gml_v2))


def code_with(game: CodeModel, chunk: str, index: int, name: str) -> Iterator[CodeEntry]:
    """The root entries that name the resource of a number and a name, each once.

    Where code holds plain numbers, those are meant whose kind the code shows.
    """
    kind = next((kind for kind, each in KIND_CHUNKS.items() if each == chunk), None)
    if kind is None or game.is_native:
        return
    types = asset_types(game.language.context.dialect)
    operands = [number << 24 | index for number, each in types.items() if each == kind]
    bare = name.removeprefix(SCRIPT_PREFIX)
    called = {bare, SCRIPT_PREFIX + bare} if chunk == "SCPT" else set()
    calling = {id(entry) for entry in callers(game, called)}
    plain = has_plain_numbers(game, chunk)
    mentions = game.language.mentions
    decompiler = game.language.decompiler if plain else None
    for entry in roots(game):
        numbers = mentions.numbers(entry)
        if (
            id(entry) in calling
            or not numbers.shown.isdisjoint(operands)
            or (chunk == "OBJT" and index in numbers.owners)
            or (
                decompiler is not None
                and index in numbers.held
                and name in mentions.names(entry, decompiler)
            )
        ):
            yield entry


def callers(game: CodeModel, names: Collection[str]) -> Iterator[CodeEntry]:
    """The root entries that call or refer to functions of these names."""
    numbers = [
        number | FUNCTION_BIT
        for number, function in enumerate(game.functions)
        if function is not None and str(function.name) in names
    ]
    if numbers:
        for entry in roots(game):
            if np.isin(entry.bytecode.record, numbers).any():
                yield entry


def code_with_text(game: CodeModel, text: str) -> Iterator[CodeEntry]:
    """The root entries that hold a text, e.g. the name in ``asset_get_index("spr_wall")``."""
    numbers = [string.number for string in game.strings if string == text]
    if numbers:
        for entry in roots(game):
            columns = entry.bytecode.columns
            if np.isin(columns.operand[is_string_push(columns)], numbers).any():
                yield entry
