"""Which code names a resource by reference, number or text, and which functions code calls."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import numpy as np

from overhaul.gamemaker.data.chunks import KIND_CHUNKS
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code.context import SCRIPT_PREFIX
from overhaul.gamemaker.data.code.mention_index import NO_ASSET
from overhaul.gamemaker.data.code.model import CodeModel
from overhaul.gml.context import asset_types
from overhaul.gml.vm.columns import FUNCTION_BIT, NO_RECORD, is_pushref, is_string_push


def roots(game: CodeModel) -> Iterator[CodeEntry]:
    """The entries with bytecode of their own; none in a game of native code."""
    if game.record("CODE") is not None:
        yield from (entry for entry in game.named("CODE").present() if entry.root is None)


def names_in(entry: CodeEntry) -> frozenset[str]:
    """The names in an entry's source; none where it can't be decompiled."""
    language = entry.game.language
    names: frozenset[str] = language.mentions.names(entry, language.decompiled.decompiler)
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
    kind = next((kind for kind, name in KIND_CHUNKS.items() if name == chunk), None)
    if game.is_native or game.record("CODE") is None:
        return
    if chunk == "AGRP":
        yield from _with_audio_group(game, index, name)
    if kind is None:
        return
    types = asset_types(game.language.context.dialect)
    operands = [number << 24 | index for number, name in types.items() if name == kind]
    called = functions_of(game, index, name) if chunk == "SCPT" else set()
    calling = {id(entry) for entry in callers(game, called)}
    plain = has_plain_numbers(game, chunk)
    mentions = game.language.mentions
    decompiler = game.language.decompiled.decompiler if plain else None
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


#: how the functions that take an audio group are called
_OF_AUDIO_GROUPS = "audio_group_"


def _with_audio_group(game: CodeModel, index: int, name: str) -> Iterator[CodeEntry]:
    """The root entries that name an audio group, which code of all releases has as a number."""
    functions = {str(function.name) for function in game.functions.present()}
    mentions = game.language.mentions
    for entry in callers(game, {each for each in functions if each.startswith(_OF_AUDIO_GROUPS)}):
        if index in mentions.numbers(entry).held and name in names_in(entry):
            yield entry


def code_naming(game: CodeModel, chunk: str) -> Iterator[tuple[CodeEntry, set[int]]]:
    """The root entries with the numbers of the resources of a chunk that each names: what
    :func:`code_with` finds for each resource, found for all of them at once."""
    kind = next((kind for kind, name in KIND_CHUNKS.items() if name == chunk), None)
    if kind is None or game.is_native:
        return
    types = asset_types(game.language.context.dialect)
    shown = {number for number, name in types.items() if name == kind}
    names = {
        index: str(record.name)
        for index, record in enumerate(game.named(chunk))
        if record is not None
    }
    called = _called_numbers(game, names) if chunk == "SCPT" else {}
    plain = has_plain_numbers(game, chunk)
    mentions = game.language.mentions
    decompiler = game.language.decompiled.decompiler if plain else None
    for entry in roots(game):
        numbers = mentions.numbers(entry)
        named = {each & NO_ASSET for each in numbers.shown if each >> 24 in shown}
        if chunk == "OBJT":
            named |= numbers.owners
        if called:
            for number in np.unique(entry.bytecode.record):
                named.update(called.get(int(number), ()))
        if decompiler is not None:
            held = {int(n) for n in numbers.held if n == n and n in names} - named
            if held:
                words = mentions.names(entry, decompiler)
                named |= {index for index in held if names[index] in words}
        yield entry, named


def functions_of(game: CodeModel, index: int, name: str) -> set[str]:
    """The names that instructions may have for a script of a number and a name: its own, and
    those of the functions that its code declares."""
    bare = name.removeprefix(SCRIPT_PREFIX)
    script = game.named("SCPT").at(index)
    entry = None if script is None else getattr(script.code.entry, "target", None)
    inside = game.language.children(entry) if entry is not None and entry.root is None else ()
    return {bare, SCRIPT_PREFIX + bare, *(str(child.name) for child in inside)}


def _called_numbers(game: CodeModel, names: Mapping[int, str]) -> dict[int, list[int]]:
    """The scripts that each number of a function in code stands for, by their numbers."""
    scripts: dict[str, list[int]] = {}
    for index, name in names.items():
        for spelling in functions_of(game, index, name):
            scripts.setdefault(spelling, []).append(index)
    return {
        number | FUNCTION_BIT: scripts[str(function.name)]
        for number, function in enumerate(game.functions)
        if function is not None and str(function.name) in scripts
    }


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


def code_with_text(game: CodeModel, text: str) -> list[CodeEntry]:
    """The root entries that hold a text, e.g. the name in ``asset_get_index("spr_wall")``."""
    return entries_with_texts(game, {text}).get(text, [])


def entries_with_texts(game: CodeModel, texts: Collection[str]) -> dict[str, list[CodeEntry]]:
    """The root entries that hold each of some texts; texts that none holds are left out."""
    numbers = {
        string.number: text
        for string in game.strings
        if string is not None and (text := str(string)) in texts
    }
    found: dict[str, dict[int, CodeEntry]] = {}
    for entry in roots(game) if numbers else ():
        columns = entry.bytecode.columns
        held = columns.operand[is_string_push(columns)]
        for number in np.unique(held[np.isin(held, list(numbers))]).tolist():
            found.setdefault(numbers[number], {})[id(entry)] = entry
    return {text: list(entries.values()) for text, entries in found.items()}


class CallGraph:
    """The calls between the root entries of a game, by their names.

    ``calls`` has for each entry those that it calls or refers to, ``callers`` the other way;
    both in the order of the game's code, without those that call none. Calls through a variable
    are absent, and so are an entry's calls of itself.
    """

    def __init__(self, calls: Mapping[str, list[str]]) -> None:
        self.calls: dict[str, list[str]] = dict(calls)
        self.callers: dict[str, list[str]] = {}
        for caller, called in calls.items():
            for name in called:
                self.callers.setdefault(name, []).append(caller)


def call_graph(game: CodeModel) -> CallGraph:
    """The calls of a whole game; empty for one without readable bytecode."""
    if game.is_native or game.record("CODE") is None:
        return CallGraph({})
    homes = _homes(game)
    functions = dict(_functions(game, homes))
    scripts = _scripts(game, homes)
    calls = {}
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
            calls[own] = list(names)
    return CallGraph(calls)


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
    scripts = {}
    for index, script in enumerate(game.named("SCPT")):
        home = None if script is None else homes.get(str(script.name))
        if home is not None:
            scripts[number << 24 | (index & NO_ASSET)] = home
    return scripts
