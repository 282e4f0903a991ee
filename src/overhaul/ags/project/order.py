"""The order of things in folders of a project, as the tables of its game's scripts have it.

The game has things by their numbers.  The editor declares them in the order of the project's
folders, and the table of each script has a place for each of these declarations.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from overhaul.document.xmltext import Node

_IMPORT: Final = re.compile(r"^import \w+ (\w+)", re.MULTILINE)
#: The things that the editor declares in the order of their folders, and the elements with names.
_KINDS: Final = (
    ("Characters", "Character", "ScriptName"),
    ("AudioClips", "AudioClip", "ScriptName"),
    ("InventoryItems", "InventoryItem", "Name"),
)


def order_things(root: Node, header: str, places: Mapping[str, int]) -> None:
    """Order the things of a project as its author had them, as far as scripts use them.

    ``header`` is what the editor declares of the project as it is; ``places`` are where the tables
    of scripts have names.  Things that no script uses stay in the order of their numbers.
    """
    names = _IMPORT.findall(header)
    used = [(at, places[name]) for at, name in enumerate(names) if name in places]
    if not used:
        return
    (first, _), *_ = Counter(place - at for at, place in used).most_common(1)
    for listed, tag, key in _KINDS:
        for group in _groups(root, listed, tag):
            named = [child for child in group.children if child.value(key)]
            shown = [child.value(key) for child in named]
            if len(named) < 2 or shown[0] not in names:
                continue
            start = names.index(shown[0])
            if names[start : start + len(shown)] == shown:
                order = _ordered(shown, first + start, places)
                by_name = dict(zip(shown, named, strict=True))
                waiting = iter([by_name[name] for name in order])
                group.children[:] = [
                    next(waiting) if child.value(key) else child for child in group.children
                ]


def _groups(node: Node, listed: str, tag: str) -> Iterator[Node]:
    """The lists of a kind of things in folders."""
    for child in node.children:
        if child.tag == listed and any(one.tag == tag and one.children for one in child.children):
            yield child
        else:
            yield from _groups(child, listed, tag)


def _ordered(names: Sequence[str], first: int, places: Mapping[str, int]) -> list[str]:
    """Names in their places behind the ``first``, the others between them; as they are if two have
    one place, or one has a place of something else."""
    known = {places[name] - first: name for name in names if name in places}
    used = set(known.values())
    several = len(used) < sum(name in places for name in names)
    if several or any(not 0 <= at < len(names) for at in known):
        return list(names)
    others = (name for name in names if name not in used)
    return [known.get(at) or next(others) for at in range(len(names))]
