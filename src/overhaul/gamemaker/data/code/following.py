"""Code that names resources by plain numbers, made to follow when these get other numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from overhaul.errors import OverhaulError
from overhaul.gamemaker.data.asset_kinds import KIND_CHUNKS
from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.code.compiling import compile_entry, with_words, words_of
from overhaul.gamemaker.data.code.mentions import code_with, has_plain_numbers, holds_number, roots

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from overhaul.gamemaker.data.chunks.code import CodeEntry
    from overhaul.gamemaker.data.code.model import CodeModel
    from overhaul.gml.vm.code import Code

#: what stands for an object that is not there, and for another resource: -1 is ``self``
_NOONE, _NONE = -4, -1


class Place(NamedTuple):
    """A line (from 1) of a code entry's source; 0 where the entry as a whole is meant."""

    entry: str
    line: int
    text: str = ""

    def __str__(self) -> str:
        return f"{self.entry}:{self.line}" if self.line else self.entry


class Doubtful(NamedTuple):
    """Numbers in code that may name a resource whose number changed, and stay as they are.

    ``kind`` is what the resource is, ``now`` its number (None: it was removed).
    """

    kind: str
    name: str
    number: int
    now: int | None
    places: list[Place]

    def __str__(self) -> str:
        now = "which was removed" if self.now is None else f"whose number is {self.now} now"
        places = ", ".join(map(str, self.places))
        return f"{self.number} may name the {self.kind} {self.name}, {now}: {places}"


class Followed(NamedTuple):
    """What became of code: where it named what was removed (by name), and what is in doubt."""

    cleared: dict[str, list[Place]]
    doubtful: list[Doubtful]
    unread: list[str]

    def without(self, gone: Callable[[Place], bool]) -> Followed:
        """The same without some places."""
        left = {
            name: [place for place in places if not gone(place)]
            for name, places in self.cleared.items()
        }
        doubtful = [
            each._replace(places=[place for place in each.places if not gone(place)])
            for each in self.doubtful
        ]
        return Followed(
            {name: places for name, places in left.items() if places},
            [each for each in doubtful if each.places],
            [entry for entry in self.unread if not gone(Place(entry, 0))],
        )

    def warnings(self) -> Iterator[str]:
        """What to say of it."""
        for name, places in self.cleared.items():
            yield f"{name} was removed, but code named it: {', '.join(map(str, places))}"
        for each in self.doubtful:
            yield str(each)
        if self.unread:
            yield (
                "code that can't be compiled for the new numbers, and may name others now: "
                f"{', '.join(self.unread)}"
            )


class Following:
    """The code of a game that names resources of a kind by numbers which are about to change.

    Make one before the change, with the numbers; :meth:`follow` compiles that code for the new
    numbers after it.  A number whose kind the code shows follows.  One that certainly is no
    resource stays; so does any other, and is reported (:class:`Doubtful`).
    """

    def __init__(
        self, game: CodeModel, chunk: str, moved: Collection[int], removed: Collection[int] = ()
    ) -> None:
        self.game = game
        self.chunk = chunk
        self.kind: str = next((kind for kind, each in KIND_CHUNKS.items() if each == chunk), "")
        records = game.named(chunk)
        #: the resources that are going to have other numbers, with the old ones
        self._moved = [
            (number, record, str(name))
            for number in moved
            if (record := records.at(number)) is not None
            and (name := getattr(record, "name", None)) is not None
        ]
        self._sources: list[tuple[CodeEntry, str]] = []
        self._doubts: dict[int, list[Place]] = {}
        self._unread: list[str] = []
        self._cleared: dict[str, list[Place]] = {}
        self.plain: bool = bool(self._moved) and has_plain_numbers(game, chunk)
        if self.plain:
            names = {name for _, _, name in self._moved}
            numbers = {number for number, _, _ in self._moved}
            for entry in roots(game):
                if holds_number(entry, numbers):
                    self._read(entry, names)
        elif self.kind not in ("", "script"):  # calls of removed scripts are found by their names
            self._find_references(set(removed))

    def _find_references(self, removed: set[int]) -> None:
        """Note the code that refers to what is going to be removed."""
        found: dict[int, CodeEntry] = {}
        for number, _, name in self._moved:
            if number not in removed:
                continue
            for entry in code_with(self.game, self.chunk, number, name):
                source = self.game.language.source(entry)[0]
                places = _places(str(entry.name), source, name) or [Place(str(entry.name), 0)]
                self._cleared.setdefault(name, []).extend(places)
                found[id(entry)] = entry
        gone = {name for number, _, name in self._moved if number in removed}
        for entry in found.values():
            source, problems = self.game.language.source(entry)
            if not problems and self._comes_back(entry, source):
                self._sources.append((entry, with_words(source, dict.fromkeys(gone, self._none))))

    @property
    def _none(self) -> str:
        """What stands in source for a resource that is not there."""
        return "noone" if self.chunk == "OBJT" else f"({_NONE})"

    def _comes_back(self, entry: CodeEntry, source: str) -> bool:
        """Whether an entry's source compiles to the code that it has."""
        before = self.game.language.code(entry)
        made = self._compile(before, source)
        return made is not None and made.instructions == before.instructions

    def _read(self, entry: CodeEntry, names: set[str]) -> None:
        try:
            source, problems, doubts = self.game.language.doubtful(entry)
        except OverhaulError as error:
            problems = [str(error)]
        if problems:
            self._unread.append(str(entry.name))
            return
        lines = source.split("\n")
        for doubt in dict.fromkeys(doubts):
            place = Place(str(entry.name), doubt.line, lines[doubt.line - 1].strip())
            self._doubts.setdefault(doubt.value, []).append(place)
        if not names.isdisjoint(words_of(source)):
            self._sources.append((entry, source))

    def follow(self) -> Followed:
        """Compile the code for the new numbers."""
        if not self.plain:
            self._clear_references()
            return Followed(self._cleared, [], [])
        here = {id(entry) for entry in self.game.named("CODE")}
        now = {id(record): index for index, record in enumerate(self.game.named(self.chunk))}
        removed = {name for _, record, name in self._moved if id(record) not in now}
        moved = {name for number, record, name in self._moved if now.get(id(record)) != number}
        language = self.game.language
        language.forget()
        context = language.context
        for name in removed:
            if context.asset_id(name) is None:
                context.add_asset(self.kind, _NOONE if self.chunk == "OBJT" else _NONE, name)
        unread = list(self._unread)
        cleared: dict[str, list[Place]] = {}
        for entry, source in self._sources:
            words = set(words_of(source))
            if id(entry) in here and not moved.isdisjoint(words):
                before = language.code(entry)
                made = self._compiled(before, source)
                if made is None:
                    unread.append(str(entry.name))
                    continue
                # calls name scripts without their numbers
                if self.chunk != "SCPT" or made.instructions != before.instructions:
                    for name in sorted(removed & words):
                        cleared.setdefault(name, []).extend(_places(str(entry.name), source, name))
                language.assign(entry, made)
        language.forget()
        return Followed(cleared, list(self._in_doubt(now)), unread)

    def _clear_references(self) -> None:
        """Let code that referred to what is gone say so; what can't be compiled keeps a reference
        to nothing."""
        language = self.game.language
        here = {id(entry) for entry in self.game.named("CODE")}
        language.forget()
        for entry, source in self._sources:
            made = self._compile(language.code(entry), source) if id(entry) in here else None
            if made is not None:
                language.assign(entry, made)
        language.forget()

    def _compiled(self, before: Code, source: str) -> Code | None:
        """An entry's code for the numbers as they are; None where more would change."""
        made = self._compile(before, source)
        return made if made is not None and _differ_in_numbers(before, made) else None

    def _compile(self, before: Code, source: str) -> Code | None:
        """An entry's code; None where its source does not compile."""
        try:
            language = self.game.language
            return compile_entry(source, language.context, before.name, before, language.inferred)
        except OverhaulError:
            return None

    def _in_doubt(self, now: dict[int, int]) -> Iterator[Doubtful]:
        """The numbers in doubt that name something else now."""
        title = CHUNKS[self.chunk].title
        for number, record, name in self._moved:
            index = now.get(id(record))
            if index != number:
                places = self._doubts.get(number)
                if places:
                    yield Doubtful(title, name, number, index, places)


def _places(entry: str, source: str, name: str) -> list[Place]:
    """The lines of a source that say a name."""
    lines = enumerate(source.split("\n"), 1)
    return [Place(entry, number, line.strip()) for number, line in lines if name in words_of(line)]


def _differ_in_numbers(before: Code, after: Code) -> bool:
    """Whether two codes are the same but for constants."""
    return len(before.instructions) == len(after.instructions) and all(
        a.opcode == b.opcode and type(a.operand) is type(b.operand)
        for a, b in zip(before.instructions, after.instructions, strict=True)
    )
