"""Code that names resources by plain numbers, made to follow when these get other numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from overhaul.errors import OverhaulError
from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.code.compiling import compile_entry
from overhaul.gamemaker.data.code.dialect import KIND_CHUNKS
from overhaul.gamemaker.data.code.mentions import has_plain_numbers, holds_number, roots, words_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from overhaul.gamemaker.data.chunks.code import CodeEntry
    from overhaul.gamemaker.data.code.model import CodeModel
    from overhaul.gml.vm.code import Code

#: how the warning begins about numbers in code that can't follow
PLAIN_NUMBERS = "code of this version holds"
#: how many names of code a warning has
_TOLD = 5


class Following:
    """The code of a game that names resources of a kind by numbers which are about to change.

    Make one before the change, with the numbers; :meth:`follow` compiles that code anew after it.
    """

    def __init__(self, game: CodeModel, chunk: str, moved: Collection[int]) -> None:
        self.game = game
        self.chunk = chunk
        self._names = {
            name: number
            for number in moved
            if (name := getattr(game.named(chunk).at(number), "name", None)) is not None
        }
        self._sources: list[tuple[CodeEntry, str]] = []
        self._unread: list[str] = []
        self.plain = bool(self._names) and has_plain_numbers(game, chunk)
        if self.plain:
            numbers = np.array(sorted(self._names.values()))
            for entry in roots(game):
                if holds_number(entry, numbers):
                    self._read(entry)

    def _read(self, entry: CodeEntry) -> None:
        try:
            source, problems = self.game.language.source(entry)
        except OverhaulError as error:
            problems = [str(error)]
        if problems:
            self._unread.append(str(entry.name))
        elif not self._names.keys().isdisjoint(words_of(source)):
            self._sources.append((entry, source))

    def follow(self) -> list[str]:
        """Compile the code for the new numbers; return warnings of what can't follow."""
        if not self.plain:
            return []
        kind = next(kind for kind, chunk in KIND_CHUNKS.items() if chunk == self.chunk)
        language = self.game.language
        language.forget()
        context = language.context
        for name in self._names:  # what was removed is none
            if context.asset_id(name) is None:
                context.add_asset(kind, -1, name)
        left = []
        here = {id(entry) for entry in self.game.named("CODE")}
        for entry, source in self._sources:
            if id(entry) not in here:
                continue
            before = language.code(entry)
            try:
                made = compile_entry(source, context, str(entry.name), before)
            except OverhaulError:
                left.append(str(entry.name))
                continue
            if _differ_in_numbers(before, made):
                language.assign(entry, made)
            else:
                left.append(str(entry.name))
        language.forget()
        return list(self._warnings([*self._unread, *left]))

    def _warnings(self, left: list[str]) -> Iterable[str]:
        title = CHUNKS[self.chunk].title
        yield (
            f"{PLAIN_NUMBERS} {title}s as plain numbers: those whose kind the code shows follow, "
            "others stay as they were"
        )
        if left:
            more = f", ... ({len(left)} in all)" if len(left) > _TOLD else ""
            yield (
                f"code that holds {title}s as plain numbers and may name others now: "
                f"{', '.join(left[:_TOLD])}{more}"
            )


def _differ_in_numbers(before: Code, after: Code) -> bool:
    """Whether two codes are the same but for constants."""
    return len(before.instructions) == len(after.instructions) and all(
        a.opcode == b.opcode and type(a.operand) is type(b.operand)
        for a, b in zip(before.instructions, after.instructions, strict=True)
    )
