"""Sources (or assembly) of many entries at once, checked against a game or put into it.

A definition in one of them (a new script, a macro, an enum) is known to all the others.

The functions that take :class:`~overhaul.folder.parallel.Workers` share the entries among its
processes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from overhaul.errors import OverhaulError, PlainFileError, SourceError
from overhaul.folder.parallel import Progress, Workers, tracked
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code.additions import add_entry
from overhaul.gamemaker.data.code.compiling import add_definitions
from overhaul.gamemaker.data.code.context import game_context
from overhaul.gamemaker.data.code.removed_names import RemovedNames, Unnamed
from overhaul.gamemaker.data.code.texts import root_entries
from overhaul.gamemaker.data.code.unset_variables import UnsetVariables
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
    """The result for a text. Without ``mistakes`` it has ``size`` bytes of bytecode.

    ``identical``: the game has the same; ``new``: the game had no such entry. ``unknown``: warnings
    about unknown names, by name; ``given``: those the game does not know that this text gives to
    something.  ``loses``: the entry has other functions now, or does not set all variables
    that it set.
    """

    mistakes: list[Mistake]
    identical: bool = False
    new: bool = False
    size: int = 0
    unknown: Mapping[str, Mistake] = {}
    given: Collection[str] = ()
    loses: bool = False


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
            mistakes = getattr(error, "errors", None) or [error]
            return Outcome([Mistake(e.line, e.column, e.message) for e in mistakes])
        except OverhaulError as error:
            return Outcome([Mistake(0, 0, str(error))])
        new = number in self.new
        same = not new and words == entry.to_bytes()
        unknown = {
            name.name: Mistake(name.line, name.column, name.message) for name in code.unknown
        }
        new_names = {name for name in names_given(code) if name not in language.names}
        had = {str(child.name) for child in language.children(entry)}
        loses = {child.name for child in code.children} != had or bool(
            UnsetVariables(self.game).lost_with(entry, code)
        )
        return Outcome([], same, new, len(words), unknown, new_names, loses)

    def put(self, numbers: Sequence[int]) -> list[Unnamed]:
        """Put some of the texts, which have no mistakes, into the game; return the functions that
        are gone by that and code still calls, and the variables that code reads and no longer
        sets, in the entries that texts name."""
        ending = ASSEMBLY if self.assembly else SOURCE
        chosen = []
        for number in numbers:
            entry, given = self.entries[number], self.texts[number]
            assert entry is not None
            chosen.append(EntryText(entry, given.path + ending, given.text))
        removed = RemovedNames(self.game)
        assign_texts(self.game, chosen, removed)
        called = removed.used()
        names = {
            str(entry.name): given.name
            for entry, given in zip(self.entries, self.texts, strict=True)
            if entry is not None
        }
        return [gone._replace(home=names.get(gone.home, gone.home)) for gone in called]


def prepare(
    game: GameData, *, texts: Sequence[EntrySource], assembly: bool, definitions: str
) -> Batch:
    """A batch for a game: what a process needs to check texts."""
    return Batch(game, texts, assembly=assembly, definitions=definitions)


def source_text(data: bytes, path: str) -> str:
    """The text of a source or assembly file.  Raises WorkspaceError if it is not UTF-8."""
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise PlainFileError(f"not UTF-8: {error}", path) from None


def check_definitions(game: GameData, text: str, path: str) -> None:
    """Read ``#macro`` and ``enum`` lines.  Raises SourceError, naming the file."""
    try:
        add_definitions(game_context(game), text)
    except SourceError as error:
        error.name = path
        raise


def check_sources(
    workers: Workers[GameData],
    texts: Sequence[EntrySource],
    *,
    assembly: bool = False,
    definitions: str = "",
    progress: Progress | None = None,
) -> Iterator[Outcome]:
    """Compile (or assemble) texts and compare them with the game, which does not change."""
    root_entries(workers.document)  # there must be bytecode
    ready = partial(prepare, texts=texts, assembly=assembly, definitions=definitions)
    outcomes = workers.map(ready, Batch.check, range(len(texts)))
    return tracked([text.name for text in texts], outcomes, progress)


def unknown_names(outcomes: Sequence[Outcome]) -> list[list[Mistake]]:
    """Warnings about names in each text that neither the game nor any of the texts has."""
    given = {name for outcome in outcomes for name in outcome.given}
    return [
        [said for name, said in outcome.unknown.items() if name not in given]
        for outcome in outcomes
    ]


def put_sources(
    game: GameData,
    texts: Sequence[EntrySource],
    outcomes: Sequence[Outcome],
    *,
    assembly: bool = False,
    definitions: str = "",
) -> list[Unnamed]:
    """Put the texts that differ from the game's, and have no errors, into the game; return the
    functions that are gone by that and code still calls, and the variables that code reads and no
    longer sets."""
    changed = [
        n for n, outcome in enumerate(outcomes) if not outcome.identical and not outcome.mistakes
    ]
    if not changed:
        return []
    return prepare(game, texts=texts, assembly=assembly, definitions=definitions).put(changed)
