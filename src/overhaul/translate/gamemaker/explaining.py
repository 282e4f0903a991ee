"""Why a text of a GameMaker game is translated, or is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.translate.gamemaker.flow import told_way
from overhaul.translate.gamemaker.shown import ShownTexts, find_texts
from overhaul.translate.results import Explanation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhaul.folder.parallel import Progress
    from overhaul.gamemaker.data.game import GameData
    from overhaul.translate.rules import Rules


def explain(
    game: GameData, text: str, *, rules: Rules | None = None, progress: Progress | None = None
) -> list[Explanation]:
    """What was decided about each place of a text."""
    found = find_texts(game, progress, rules)
    return [*_in_code(found, text), *_in_rooms(found, text)]


def _in_code(found: ShownTexts, text: str) -> Iterator[Explanation]:
    for each in found.entries:
        same = [literal for literal in each.literals if literal.text == text]
        lines = each.lines({id(literal.node) for literal in same})
        for literal, (_, line, source) in zip(same, lines, strict=True):
            node = id(literal.node)
            if node in found.shown:
                yield Explanation(
                    str(each.entry.name), line, source, True, told_way(found.shown[node])
                )
                continue
            use = "" if literal.use == "used" else f"it is {literal.use}"
            why = found.left.get(node) or use or "nothing that shows texts gets it"
            yield Explanation(str(each.entry.name), line, source, False, why)


def _in_rooms(found: ShownTexts, text: str) -> Iterator[Explanation]:
    for item in found.fields:
        if item.text == text:
            yield Explanation(item.where, 0, item.owner, True, "a text of a room")
