"""Functions that two entries of a game declare, so that code can call only one of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.model import GameModel
from overhaul.gml.vm.code import Code, is_anonymous, struct_number


class DeclaredFunction(NamedTuple):
    """A function that the new code of an entry declares, though that of another one does: the name
    of its code, and the other entry."""

    root: CodeEntry
    function: str
    other: str


def declared_twice(
    game: GameModel, given: Iterable[tuple[CodeEntry, Code]]
) -> Iterator[DeclaredFunction]:
    """The functions that entries are about to declare for the first time, and that another entry
    declares then."""
    given = list(given)
    changed = {id(root) for root, _ in given}
    new: dict[str, list[CodeEntry]] = {}
    owners: dict[str, str] = {}
    for root, code in given:
        had = {str(child.name) for child in root.game.language.children(root)}
        for child in code.children:
            if child.name in had:
                owners.setdefault(child.name, str(root.name))
            elif not is_anonymous(child.name) and struct_number(child.name) < 0:
                declaring = new.setdefault(child.name, [])
                if all(root is not other for other in declaring):
                    declaring.append(root)
    if not new:
        return
    for entry in game.named("CODE").present():
        name = str(entry.name)
        if name in new and entry.root is not None and id(entry.root) not in changed:
            owners.setdefault(name, str(entry.root.name))
    for name, roots in new.items():
        first = owners.get(name)
        for root in roots:
            if first is None:
                first = str(root.name)
            else:
                yield DeclaredFunction(root, name, first)
