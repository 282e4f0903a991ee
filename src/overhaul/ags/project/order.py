"""The order of things in folders of a project, as the tables of its game's scripts have it.

The game has things by their numbers.  The editor declares them in the order of the project's
folders, and the table of each script has a place for each of these declarations.  Sounds stand in
that order in packages, too.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from overhaul.document.xmltext import XmlNode

_IMPORT: Final = re.compile(r"^import \w+ (\w+)", re.MULTILINE)
#: The things that the editor declares in the order of their folders, and the elements with names.
_KINDS: Final = (
    ("Characters", "Character", "ScriptName"),
    ("AudioClips", "AudioClip", "ScriptName"),
    ("InventoryItems", "InventoryItem", "Name"),
)


def order_things(
    root: XmlNode, header: str, places: Mapping[str, int], files: Iterable[str]
) -> None:
    """Order the things of a project as its author had them, as far as the game shows that.

    ``header`` is what the editor declares of the project as it is; ``places`` are where the
    tables of scripts have names; ``files`` are those in the game's packages, where sounds have
    the order of the project. Things whose order nothing shows stay in the order of their
    numbers.
    """
    names = _IMPORT.findall(header)
    used = [(at, places[name]) for at, name in enumerate(names) if name in places]
    shifts = Counter(place - at for at, place in used).most_common(1)
    packed = {name: at for at, name in enumerate(files)}
    for listed, tag, key in _KINDS:
        for group in _groups(root, listed, tag):
            named = {child.value(key): child for child in group.children if child.value(key)}
            shown = [*named]
            if len(shown) < 2 or shown[0] not in names:
                continue
            start = names.index(shown[0])
            if names[start : start + len(shown)] != shown:
                continue
            first = start + (shifts[0][0] if shifts else 0)
            known = {name: places[name] - first for name in shown if name in places}
            waiting = iter([named[name] for name in _ordered(shown, known, _rows(named, packed))])
            group.children[:] = [
                next(waiting) if child.value(key) else child for child in group.children
            ]


def _rows(named: Mapping[str, XmlNode], packed: Mapping[str, int]) -> list[list[str]]:
    """Names in rows, each in an order that is known: sounds of one package are in one row."""
    rows: dict[str, list[str]] = {}
    at: dict[str, int] = {}
    for name, node in named.items():
        file = node.value("SourceFileName").rpartition("/")[2]
        at[name] = packed.get(file, -1)
        rows.setdefault(node.value("BundlingType") if file in packed else name, []).append(name)
    return [sorted(row, key=at.__getitem__) for row in rows.values()]


def _groups(node: XmlNode, listed: str, tag: str) -> Iterator[XmlNode]:
    """The lists of a kind of things in folders."""
    for child in node.children:
        if child.tag == listed and any(one.tag == tag and one.children for one in child.children):
            yield child
        else:
            yield from _groups(child, listed, tag)


def _ordered(names: Sequence[str], known: Mapping[str, int], rows: list[list[str]]) -> list[str]:
    """The names of rows in one order: each of the ``known`` in its place, the others between them
    in the order of ``names``.  Where a row has another order than these places, they do not count.
    """
    ranks = {name: rank for rank, name in enumerate(names)}
    places = {at: name for name, at in known.items()}
    waiting = [deque(row) for row in rows]
    made: list[str] = []
    for at in range(len(names)):
        free = [
            row
            for row in waiting
            if row and (row[0] == places[at] if at in places else row[0] not in known)
        ]
        if not free:
            return _ordered(names, {}, rows)
        made.append(min(free, key=lambda row: ranks[row[0]]).popleft())
    return made
