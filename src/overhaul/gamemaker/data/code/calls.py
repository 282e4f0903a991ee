"""Which code calls which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from overhaul.gamemaker.data.code.mention_index import NO_ASSET
from overhaul.gamemaker.data.code.mentions import roots
from overhaul.gml.context import asset_types
from overhaul.gml.vm.columns import FUNCTION_BIT, NO_RECORD, is_pushref

if TYPE_CHECKING:
    from overhaul.gamemaker.data.chunks.code import CodeEntry
    from overhaul.gamemaker.data.code.model import CodeModel


class CallGraph:
    """The calls between the root entries of a game, by their names.

    ``calls`` has for each entry those that it calls or refers to, ``callers`` the other way; both
    in the order of the game's code, without those that call none.  What is called through a
    variable is not there, nor an entry's calls of itself.
    """

    def __init__(self, calls: Mapping[str, list[str]]) -> None:
        self.calls: dict[str, list[str]] = dict(calls)
        self.callers: dict[str, list[str]] = {}
        for caller, called in calls.items():
            for each in called:
                self.callers.setdefault(each, []).append(caller)


def call_graph(game: CodeModel) -> CallGraph:
    """The calls of a whole game; empty for one without readable bytecode."""
    if game.is_native or game.record("CODE") is None:
        return CallGraph({})
    homes = _homes(game)
    functions = dict(_functions(game, homes))
    scripts = _scripts(game, homes)
    found = {}
    for entry in roots(game):
        records = entry.bytecode.record
        named = np.unique(records[(records != NO_RECORD) & ((records & FUNCTION_BIT) != 0)])
        called = [functions.get(int(number) & ~FUNCTION_BIT) for number in named]
        shown = is_pushref(entry.bytecode.columns) & (records == NO_RECORD)
        operands = np.unique(entry.bytecode.columns.operand[shown])
        called += [scripts.get(int(operand)) for operand in operands]
        own = str(entry.name)
        names = dict.fromkeys(name for name in called if name is not None and name != own)
        if names:
            found[own] = list(names)
    return CallGraph(found)


def _homes(game: CodeModel) -> dict[str, str]:
    """The root of each function, by the names it is called by."""
    homes: dict[str, str] = {}
    for entry in game.named("CODE").present():
        home: CodeEntry = entry if entry.root is None else entry.root
        homes[str(entry.name)] = str(home.name)
    known = game.language.context.functions
    homes.update((name, homes[code]) for name, code in known.items() if code in homes)
    return homes


def _functions(game: CodeModel, homes: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    for number, function in enumerate(game.functions):
        home = None if function is None else homes.get(str(function.name))
        if home is not None:
            yield number, home


def _scripts(game: CodeModel, homes: Mapping[str, str]) -> dict[int, str]:
    """The roots of scripts by the operand that refers to them."""
    types = asset_types(game.language.context.dialect)
    number = next((number for number, kind in types.items() if kind == "script"), None)
    if number is None:
        return {}
    found = {}
    for index, script in enumerate(game.named("SCPT")):
        home = None if script is None else homes.get(str(script.name))
        if home is not None:
            found[number << 24 | (index & NO_ASSET)] = home
    return found
