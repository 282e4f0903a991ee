"""The functions and struct literals inside a root code entry: entries and scripts of their own."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.chunks.scpt import Script, ScriptCode
from overhaul.gml.vm.code import Code, FunctionReference
from overhaul.schema.record import Record

if TYPE_CHECKING:
    from overhaul.gamemaker.data.chunks.scpt import Script
    from overhaul.gamemaker.data.model import GameModel
    from overhaul.gamemaker.data.references import NamedList

#: called right before ``method`` for a constructor, in place of the instance it belongs to
_NO_INSTANCE = "@@NullObject@@"


def child_key(entry: CodeEntry) -> tuple[str, int, int, int]:
    """What symbolic code knows of an inner entry."""
    return str(entry.name), entry.offset, entry.locals_count, entry.arguments


class NewChildren(NamedTuple):
    """A root, its new code, and the inner entries that it has, in the order of the list."""

    root: CodeEntry
    code: Code
    old: list[CodeEntry]


def assign_children(
    game: GameModel, root: CodeEntry, code: Code, old: list[CodeEntry]
) -> list[CodeEntry]:
    """Give a root the inner entries of its new code, in their order; return them.

    Entries are known again by their names.  New ones, and their scripts, go where the compiler
    puts them: both lists follow the order in which the functions end in the code.
    """
    return assign_all_children(game, [NewChildren(root, code, old)])[0]


def assign_all_children(game: GameModel, given: Sequence[NewChildren]) -> list[list[CodeEntry]]:
    """:func:`assign_children` for many roots, in time that grows as the number of entries."""
    chosen = []
    gone: list[CodeEntry] = []
    for each in given:
        left: dict[str, list[CodeEntry]] = {}
        for entry in each.old:
            left.setdefault(str(entry.name), []).append(entry)
        known: list[CodeEntry | None] = []
        for child in each.code.children:
            same = left.get(child.name)
            known.append(same.pop(0) if same else None)
        chosen.append(known)
        gone += (entry for entries in left.values() for entry in entries)
    if gone:
        _remove(game, gone)
    children = _in_order(game, given, chosen)
    constructing: dict[int, bool] = {}
    for each, entries in zip(given, children, strict=True):
        names = set(constructors(each.code)) if entries else set()
        for entry, child in zip(entries, each.code.children, strict=True):
            entry.offset = child.offset
            entry.locals_count = child.locals_count
            entry.arguments = child.arguments_count
            constructing[id(entry)] = str(entry.name) in names
    if constructing:
        _mark_constructors(game, constructing)
    return children


def _in_order(
    game: GameModel, given: Sequence[NewChildren], chosen: Sequence[list[CodeEntry | None]]
) -> list[list[CodeEntry]]:
    """The children of each root, the new ones added to the game."""
    for each, known in zip(given, chosen, strict=True):
        here = [entry for entry in known if entry is not None]
        order = {id(entry): number for number, entry in enumerate(each.old)}
        numbers = [order[id(entry)] for entry in here]
        if numbers != sorted(numbers):
            _reorder(game, here)
    is_new = any(entry is None for known in chosen for entry in known)
    places = _places(game) if is_new else {}
    made: list[list[CodeEntry]] = []
    added: dict[int, list[CodeEntry | None]] = {}
    for each, known in zip(given, chosen, strict=True):
        children: list[CodeEntry] = []
        behind = places.get(id(each.root), 0) + 1
        for child, entry in zip(each.code.children, known, strict=True):
            if entry is None:
                entry = CodeEntry(game.strings.add(child.name), root=each.root, game=game)
                added.setdefault(behind, []).append(entry)
            else:
                behind = places.get(id(entry), 0) + 1
            children.append(entry)
        made.append(children)
    if added:
        _insert(game.records.code, added)
        _add_scripts(game, {id(entry) for entries in added.values() for entry in entries})
    return made


def _places(game: GameModel) -> dict[int, int]:
    """The index of each code entry, by its identity."""
    return {id(entry): index for index, entry in enumerate(game.records.code)}


T = TypeVar("T", bound=Record)


def _insert(owner: NamedList[T], added: dict[int, list[T | None]]) -> None:
    if added.keys() == {len(owner)}:
        for item in added[len(owner)]:
            owner.append(item)
    else:
        owner.insert_all(added)


def _add_scripts(game: GameModel, new: set[int]) -> None:
    """Add the scripts of new code entries, known by their identities: scripts are in the order of
    their code, and where they are not, new ones come last."""
    scripts = game.records.scripts
    numbers: list[int] = []
    places: list[int] = []
    for place, script in enumerate(scripts):
        entry = None if script is None else script.code.entry
        if entry is not None:
            numbers.append(entry.index)
            places.append(place + 1)
    in_order = numbers == sorted(numbers)
    added: dict[int, list[Script | None]] = {}
    for index, entry in enumerate(game.records.code):
        if entry is not None and id(entry) in new:
            found = bisect_left(numbers, index)
            place = 0 if not found else places[found - 1]
            script = Script(entry.name, ScriptCode(game.records.code.reference(index)))
            added.setdefault(place if in_order else len(scripts), []).append(script)
    _insert(scripts, added)


def _remove(game: GameModel, entries: list[CodeEntry]) -> None:
    scripts = [script for entry in entries for script in _scripts(game, entry)]
    if scripts:
        game.records.scripts.remove(*scripts)
    game.records.code.remove(*entries)


def _scripts(game: GameModel, entry: CodeEntry) -> list[Script]:
    reference = game.records.code.reference_to(entry)
    return [
        each for each in game.records.scripts if each is not None and each.code.entry is reference
    ]


def _reorder(game: GameModel, children: list[CodeEntry]) -> None:
    """Put a root's entries into another order among themselves, and their scripts likewise."""
    _exchange(game.records.code, children)
    _exchange(
        game.records.scripts, [script for entry in children for script in _scripts(game, entry)]
    )


def _exchange(items: NamedList[T], moved: list[T]) -> None:
    order = list(range(len(items)))
    numbers = [items.index(item) for item in moved]
    for place, number in zip(sorted(numbers), numbers, strict=True):
        order[place] = number
    if order != sorted(order):
        items.reorder(order)


def _mark_constructors(game: GameModel, constructing: dict[int, bool]) -> None:
    """Mark the scripts of inner entries, known by their identities, that are constructors."""
    entries = game.records.code.items
    for script in game.records.scripts:
        reference = None if script is None else script.code.entry
        if script is None or reference is None or not 0 <= reference.index < len(entries):
            continue
        constructor = constructing.get(id(entries[reference.index]))
        if constructor is not None and script.code.constructor != constructor:
            script.code = script.code._replace(constructor=constructor)


def constructors(code: Code) -> Iterator[str]:
    """The inner functions that the code makes methods of as constructors."""
    pushed = ""
    for instruction in code.instructions:
        operand = instruction.operand
        if isinstance(operand, FunctionReference):
            if operand.name == _NO_INSTANCE:
                yield pushed
            pushed = operand.name
