"""The functions and struct literals inside a root code entry: entries and scripts of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeVar

from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.chunks.scpt import Script, ScriptCode
from overhaul.gml.vm.code import Child, Code, FunctionReference
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


def assign_children(
    game: GameModel, root: CodeEntry, code: Code, old: list[CodeEntry]
) -> list[CodeEntry]:
    """Give a root the inner entries of its new code, in their order; return them.

    Entries are known again by their names.  New ones, and their scripts, go where the compiler
    puts them: both lists follow the order in which the functions end in the code.
    """
    left: dict[str, list[CodeEntry]] = {}
    for entry in old:
        left.setdefault(str(entry.name), []).append(entry)
    chosen: list[CodeEntry | None] = []
    for child in code.children:
        same = left.get(child.name)
        chosen.append(same.pop(0) if same else None)
    gone = [entry for entries in left.values() for entry in entries]
    if gone:
        _remove(game, gone)
    children = _in_order(game, root, code.children, chosen)
    for entry, child in zip(children, code.children, strict=True):
        entry.offset = child.offset
        entry.locals_count = child.locals_count
        entry.arguments = child.arguments_count
    if children:
        _mark_constructors(game, children, set(constructors(code)))
    return children


def _in_order(
    game: GameModel, root: CodeEntry, wanted: list[Child], chosen: list[CodeEntry | None]
) -> list[CodeEntry]:
    places = [game.records.code.index(entry) for entry in chosen if entry is not None]
    if places != sorted(places):
        _reorder(game, root, [entry for entry in chosen if entry is not None])
    children: list[CodeEntry] = []
    before = root
    for child, known in zip(wanted, chosen, strict=True):
        before = _add(game, root, child, before) if known is None else known
        children.append(before)
    return children


def _add(game: GameModel, root: CodeEntry, child: Child, before: CodeEntry) -> CodeEntry:
    name = game.strings.add(child.name)
    entry = CodeEntry(name, root=root, game=game)
    place = game.records.code.index(before) + 1
    if place < len(game.records.code):
        reference = game.records.code.insert(place, entry)
    else:
        reference = game.records.code.append(entry)
    script = Script(name, ScriptCode(reference))
    place = _script_place(game, reference.index)
    if place < len(game.records.scripts):
        game.records.scripts.insert(place, script)
    else:
        game.records.scripts.append(script)
    return entry


T = TypeVar("T", bound=Record)


def _script_place(game: GameModel, code: int) -> int:
    """Where the script of a code entry belongs: scripts are in the order of their code."""
    found = 0
    last = -1
    for place, script in enumerate(game.records.scripts):
        entry = None if script is None else script.code.entry
        if entry is None:
            continue
        if entry.index < last:
            return len(game.records.scripts)
        last = entry.index
        if last < code:
            found = place + 1
    return found


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


def _reorder(game: GameModel, root: CodeEntry, children: list[CodeEntry]) -> None:
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


def _mark_constructors(game: GameModel, children: list[CodeEntry], names: set[str]) -> None:
    scripts: dict[int, list[Script]] = {}
    for script in game.records.scripts:
        if script is not None and script.code.entry is not None:
            scripts.setdefault(script.code.entry.index, []).append(script)
    for entry in children:
        for script in scripts.get(game.records.code.index(entry), ()):
            constructor = str(entry.name) in names
            if script.code.constructor != constructor:
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
