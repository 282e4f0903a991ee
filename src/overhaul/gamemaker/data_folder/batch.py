"""Sources (or assembly) of many entries at once, checked against a game or put into it.

What one of them defines (a new script, a macro, an enum) all the others know.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from overhaul.errors import OverhaulError, SourceError
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code.additions import add_entry
from overhaul.gamemaker.data.code.compiling import add_definitions
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder.assigning import EntryText, assign_texts, declare
from overhaul.gamemaker.data_folder.code import assemble_entry
from overhaul.gamemaker.data_folder.view import ASSEMBLY, SOURCE
from overhaul.gml.vm.registration import names_given


class EntrySource(NamedTuple):
    """A text, and the entry it is for; ``path`` is what errors call it."""

    name: str
    path: str
    text: str


class Mistake(NamedTuple):
    """An error in a text: ``line`` and ``column`` count from 1, or are 0 if it has no place."""

    line: int
    column: int
    message: str


class Outcome(NamedTuple):
    """What became of a text.  Without ``mistakes`` it has ``size`` bytes of bytecode.

    ``identical``: the game has the same; ``new``: the game had no such entry.  ``unknown``: by
    name, what is to be said of names that nothing has; ``given``: those the game does not know
    that this text gives to something.
    """

    mistakes: list[Mistake]
    identical: bool = False
    new: bool = False
    size: int = 0
    unknown: Mapping[str, Mistake] = {}
    given: Collection[str] = ()


class Batch:
    """The texts, and their entries in a game; new ones are there, still empty.

    Raises SourceError for the definitions.
    """

    def __init__(
        self, game: GameData, texts: Sequence[EntrySource], *, assembly: bool, definitions: str
    ) -> None:
        self.game = game
        self.texts = texts
        self.assembly = assembly
        self.entries: list[CodeEntry | None] = []
        self.refused: dict[int, str] = {}
        self.new: set[int] = set()
        for number, given in enumerate(texts):
            entry: CodeEntry | None = game.records.code.get(given.name)
            if entry is None:
                try:
                    entry = add_entry(game, given.name, "")
                    self.new.add(number)
                except OverhaulError as error:
                    self.refused[number] = str(error)
            elif entry.root is not None:
                entry = entry.root
            self.entries.append(entry)
        game.language.forget()
        context = game.language.context
        if definitions:
            add_definitions(context, definitions)
        for given, entry in zip(texts, self.entries, strict=True):
            if entry is not None and not assembly:
                try:
                    declare(context, str(entry.name), given.text)
                except SourceError:
                    continue  # compiling it reports the error

    def check(self, number: int) -> Outcome:
        """Compile or assemble one text; the game does not change."""
        entry, given = self.entries[number], self.texts[number]
        if entry is None:
            return Outcome([Mistake(0, 0, self.refused[number])])
        language = self.game.language
        try:
            if self.assembly:
                code = assemble_entry(entry, given.text)
            else:
                code = language.compile_entry(entry, given.text)
            words = language.link(entry, code)
        except SourceError as error:
            found = getattr(error, "errors", None) or [error]
            return Outcome([Mistake(e.line, e.column, e.message) for e in found])
        except OverhaulError as error:
            return Outcome([Mistake(0, 0, str(error))])
        new = number in self.new
        same = not new and words == entry.to_bytes()
        unknown = {
            each.name: Mistake(each.line, each.column, each.message) for each in code.unknown
        }
        new_names = {name for name in names_given(code) if name not in language.names}
        return Outcome([], same, new, len(words), unknown, new_names)

    def put(self, numbers: Sequence[int]) -> None:
        """Put some of the texts, which have no mistakes, into the game."""
        ending = ASSEMBLY if self.assembly else SOURCE
        chosen = []
        for number in numbers:
            entry, given = self.entries[number], self.texts[number]
            assert entry is not None
            chosen.append(EntryText(entry, given.path + ending, given.text))
        assign_texts(self.game, chosen)


def prepare(
    game: GameData, *, texts: Sequence[EntrySource], assembly: bool, definitions: str
) -> Batch:
    """A batch for a game: what a process needs to check texts."""
    return Batch(game, texts, assembly=assembly, definitions=definitions)
