"""Code that follows resources: with other numbers, removed, or renamed."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

import numpy as np

from overhaul.errors import OverhaulError
from overhaul.findings import Finding, warning
from overhaul.gamemaker.data.chunks import CHUNKS, KIND_CHUNKS
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.chunks.func import Variable
from overhaul.gamemaker.data.code.compiling import compile_entry
from overhaul.gamemaker.data.code.context import GLOBAL_SCRIPT_PREFIX, SCRIPT_PREFIX
from overhaul.gamemaker.data.code.mention_index import with_words, words_of
from overhaul.gamemaker.data.code.mentions import code_with, has_plain_numbers, holds_number, roots
from overhaul.gamemaker.data.code.model import CodeModel
from overhaul.gamemaker.data.code.places import SourceLine
from overhaul.gml.builtins import load_functions
from overhaul.gml.vm.code import Child, Code, FunctionReference, VariableReference
from overhaul.gml.vm.opcodes import InstanceType, Opcode, ReferenceType

#: the text for a missing object, and for another missing resource: -1 is ``self``
_NOONE, _NONE = -4, -1


class Doubtful(NamedTuple):
    """Numbers in code that may name a resource whose number changed, and stay unchanged.

    ``kind`` is what the resource is, ``now`` its number (None: it was removed).
    """

    kind: str
    name: str
    number: int
    now: int | None
    places: list[SourceLine]

    def __str__(self) -> str:
        now = "which was removed" if self.now is None else f"whose number is {self.now} now"
        places = ", ".join(map(str, self.places))
        return f"{self.number} may name the {self.kind} {self.name}, {now}: {places}"


class Asked(NamedTuple):
    """Conditions that ask for a resource of a kind, where number 0 is another one now.

    Before 2023.8 a condition is false for number 0.  ``before`` and ``now`` are the names, "" for
    none.
    """

    kind: str
    before: str
    now: str
    places: list[SourceLine]

    def of(self, place: SourceLine, path: str = "") -> Finding:
        """The warning about a place, which is in the file ``path``."""
        now = f"{self.now} now" if self.now else "removed"
        was = f"({self.before} before)"
        message = f"{place.text!r:.80} is false for {self.kind} 0, which is {now} {was}"
        return warning("renumbered", message, path or place.entry, line=place.line)


class Followed(NamedTuple):
    """Changes of code: where it named removed resources (by name), and what is in doubt.

    ``asked``: conditions for which another resource counts as none.
    """

    cleared: dict[str, list[SourceLine]]
    doubtful: list[Doubtful]
    unread: list[str]
    asked: Asked | None = None

    def without(self, gone: Callable[[SourceLine], bool]) -> Followed:
        """The same without some places."""
        left = {
            name: [place for place in places if not gone(place)]
            for name, places in self.cleared.items()
        }
        doubtful = [
            doubt._replace(places=[place for place in doubt.places if not gone(place)])
            for doubt in self.doubtful
        ]
        return Followed(
            {name: places for name, places in left.items() if places},
            [doubt for doubt in doubtful if doubt.places],
            [entry for entry in self.unread if not gone(SourceLine(entry, 0))],
            self.asked,
        )

    def findings(self) -> Iterator[Finding]:
        """The warnings about it."""
        for name, places in self.cleared.items():
            message = f"{name} was removed, but code named it: {', '.join(map(str, places))}"
            yield warning("still-named", message)
        for doubt in self.doubtful:
            yield warning("renumbered", str(doubt))
        if self.asked is not None:
            yield from map(self.asked.of, self.asked.places)
        if self.unread:
            message = (
                "code that can't be compiled for the new numbers, and may name others now: "
                f"{', '.join(self.unread)}"
            )
            yield warning("renumbered", message)


class Following:
    """The code of a game that names resources of a kind by numbers which are about to change.

    Make one before the change, with the numbers; :meth:`follow` compiles that code for the new
    numbers after it. A number whose kind the code shows follows. A number that certainly does
    not name a resource stays; so does any other, and is reported (:class:`Doubtful`), except
    where a new resource has the number of a removed one.
    """

    def __init__(
        self, game: CodeModel, chunk: str, moved: Collection[int], removed: Collection[int] = ()
    ) -> None:
        self.game = game
        self.chunk = chunk
        self.kind: str = next((kind for kind, name in KIND_CHUNKS.items() if name == chunk), "")
        records = game.named(chunk)
        #: all of the resources, so that one which took another's place is known
        self._before = list(records)
        #: the resources that are going to have other numbers, with the old ones
        self._moved = [
            (number, record, str(name))
            for number in moved
            if (record := records.at(number)) is not None
            and (name := getattr(record, "name", None)) is not None
        ]
        self._sources: list[tuple[CodeEntry, str]] = []
        self._doubts: dict[int, list[SourceLine]] = {}
        self._asked: list[SourceLine] = []
        self._unread: list[str] = []
        self._cleared: dict[str, list[SourceLine]] = {}
        self.plain: bool = bool(self._moved) and has_plain_numbers(game, chunk)
        if self.plain:
            names = {name for _, _, name in self._moved}
            numbers = {number for number, _, _ in self._moved}
            # Conditions are true or false by the number, and hold none.
            asks = 0 in numbers
            for entry in roots(game):
                if holds_number(entry, numbers) or (asks and _branches(entry)):
                    self._read(entry, names)
        elif self.kind not in ("", "script"):  # calls of removed scripts are found by their names
            self._find_references(set(removed))

    def _find_references(self, removed: set[int]) -> None:
        """Note the code that refers to resources about to be removed."""
        entries: dict[int, CodeEntry] = {}
        for number, _, name in self._moved:
            if number not in removed:
                continue
            for entry in code_with(self.game, self.chunk, number, name):
                source = self.game.language.decompiled.source(entry)[0]
                places = _places(str(entry.name), source, name) or [SourceLine(str(entry.name), 0)]
                self._cleared.setdefault(name, []).extend(places)
                entries[id(entry)] = entry
        gone = {name for number, _, name in self._moved if number in removed}
        for entry in entries.values():
            source, problems = self.game.language.decompiled.source(entry)
            if not problems and self._comes_back(entry, source):
                self._sources.append((entry, with_words(source, dict.fromkeys(gone, self._none))))

    @property
    def _none(self) -> str:
        """The source text for a missing resource."""
        return "noone" if self.chunk == "OBJT" else f"({_NONE})"

    def _comes_back(self, entry: CodeEntry, source: str) -> bool:
        """Whether an entry's source compiles to its present code."""
        before = self.game.language.code(entry)
        made = self._compile(before, source)
        return made is not None and made.instructions == before.instructions

    def _read(self, entry: CodeEntry, names: set[str]) -> None:
        try:
            source, problems, doubts = self.game.language.decompiled.doubtful(entry)
        except OverhaulError as error:
            problems = [str(error)]
        if problems:
            self._unread.append(str(entry.name))
            return
        lines = source.split("\n")
        for doubt in dict.fromkeys(doubts):
            place = SourceLine(str(entry.name), doubt.line, lines[doubt.line - 1].strip())
            if doubt.asked:
                self._asked += [place] * (doubt.asked == self.kind)
                continue
            if doubt.within in (None, "set"):  # code that is added may read what is only set
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
        cleared: dict[str, list[SourceLine]] = {}
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
        return Followed(cleared, list(self._in_doubt(now)), unread, self._asks_now())

    def _asks_now(self) -> Asked | None:
        """The conditions for which another resource counts as none."""
        before = next((name for number, _, name in self._moved if number == 0), "")
        first = self.game.named(self.chunk).at(0) if len(self.game.named(self.chunk)) else None
        now = "" if first is None else str(getattr(first, "name", ""))
        if not before or before == now or not self._asked:
            return None
        return Asked(CHUNKS[self.chunk].title, before, now, self._asked)

    def _clear_references(self) -> None:
        """Replace references to removed resources in code; code that can't be compiled keeps an
        empty reference."""
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
            return compile_entry(
                source, language.context, before.name, before, language.decompiled.inferred
            )
        except OverhaulError:
            return None

    def _in_doubt(self, now: dict[int, int]) -> Iterator[Doubtful]:
        """The numbers in doubt that name something else now."""
        title = CHUNKS[self.chunk].title
        before = {id(record) for record in self._before}
        taken = {number for record, number in now.items() if record not in before}
        for number, record, name in self._moved:
            index = now.get(id(record))
            if index != number and not (index is None and number in taken):
                places = self._doubts.get(number)
                if places:
                    yield Doubtful(title, name, number, index, places)


def _branches(entry: CodeEntry) -> bool:
    """Whether an entry has conditions."""
    opcodes = (int(Opcode.BT), int(Opcode.BF))
    return bool(np.isin(entry.bytecode.columns.opcode, opcodes).any())


def _places(entry: str, source: str, name: str) -> list[SourceLine]:
    """The lines of a source that say a name."""
    lines = enumerate(source.split("\n"), 1)
    return [
        SourceLine(entry, number, line.strip()) for number, line in lines if name in words_of(line)
    ]


def _differ_in_numbers(before: Code, after: Code) -> bool:
    """Whether two codes are the same but for constants."""
    return len(before.instructions) == len(after.instructions) and all(
        a.opcode == b.opcode and type(a.operand) is type(b.operand)
        for a, b in zip(before.instructions, after.instructions, strict=True)
    )


_SELF = int(InstanceType.SELF)


class CodeNames:
    """The names of the functions inside an entry after it is renamed.

    Their names hold that of the entry: ``gml_Script_anon@12@gml_Object_obj_a_Create_0``.  The
    function that a script declares under its own name goes with the script.
    """

    def __init__(self, old: str, new: str) -> None:
        self.old: str = old
        self.new: str = new
        self._parts = {old: new}
        #: the script's own function, before and after; "" for other code
        self.function: str = ""
        self.new_function: str = ""
        if old.startswith(GLOBAL_SCRIPT_PREFIX) and new.startswith(GLOBAL_SCRIPT_PREFIX):
            self.function = old.removeprefix(GLOBAL_SCRIPT_PREFIX)
            self.new_function = new.removeprefix(GLOBAL_SCRIPT_PREFIX)
            self._parts |= {
                self.function: self.new_function,
                SCRIPT_PREFIX + self.function: SCRIPT_PREFIX + self.new_function,
            }
        owner = f"(?:(?<=_){re.escape(self.function)}_)?" if self.function else ""
        self._joined = re.compile(rf"({owner}){re.escape(old)}(?=_|$)")

    def of(self, name: str) -> str:
        """The new name of the entry or of a function inside it."""
        if "@" in name:
            return "@".join(self._parts.get(part, part) for part in name.split("@"))
        if name in self._parts:
            return self._parts[name]
        return self._joined.sub(
            lambda match: (f"{self.new_function}_" if match[1] else "") + self.new, name
        )

    def code(self, code: Code) -> Code:
        """A copy of an entry's code as that of the new name."""
        own = {child.name for child in code.children} | {self.old}
        instructions = []
        for instruction in code.instructions:
            made = instruction.copy()
            if isinstance(made.operand, FunctionReference) and made.operand.name in own:
                made.operand = FunctionReference(self.of(made.operand.name))
            elif isinstance(made.operand, VariableReference) and self._is_own(made.operand):
                made.operand = made.operand._replace(name=self.new_function)
            instructions.append(made)
        children = [
            Child(self.of(child.name), child.offset, child.locals_count, child.arguments_count)
            for child in code.children
        ]
        return Code(
            self.new,
            instructions,
            children,
            code.locals_count,
            code.arguments_count,
            list(code.local_names),
        )

    def _is_own(self, operand: VariableReference) -> bool:
        return bool(self.function) and operand.name == self.function and operand.scope == _SELF


def rename_entry(game: CodeModel, entry: CodeEntry, new: str) -> None:
    """Give a root entry another name; the functions inside it, and what lists them, follow."""
    names = CodeNames(str(entry.name), new)
    inside = [
        inner for inner in game.named("CODE").present() if inner is entry or inner.root is entry
    ]
    mine = {id(game.named("CODE").reference_to(inner)) for inner in inside}
    renamed = {}
    for inner in inside:
        name = str(inner.name)
        if names.of(name) != name:
            renamed[name] = names.of(name)
            inner.name = game.strings.add(renamed[name])
    for script in game.records.scripts.present():
        if id(script.code.entry) in mine and str(script.name) in renamed:
            script.name = game.strings.add(renamed[str(script.name)])
    rename_functions(game, renamed)
    functions = game.record("FUNC")
    for listed in () if functions is None else functions.code_locals:
        if str(listed.name) == names.old:
            listed.name = game.strings.add(new)
    if f"{SCRIPT_PREFIX}{names.function}" in renamed:
        _rename_variable(game, entry, names)
    game.language.forget()


def rename_functions(game: CodeModel, renamed: dict[str, str]) -> None:
    """Let code that calls functions call them by their new names."""
    for function in game.functions.present():
        new = renamed.get(str(function.name))
        if new is not None:
            function.name = game.strings.add(new)


def bare_functions(game: CodeModel, old: str, new: str) -> dict[str, str]:
    """The references of calls that name a script by its bare name."""
    own = game.release.number < (2, 3) or old not in load_functions()
    return {old: new} if own else {}


def _rename_variable(game: CodeModel, entry: CodeEntry, names: CodeNames) -> None:
    """The variable that holds a script's function: that of the script, and where other code reads
    it without an owner."""
    olds = [
        number
        for number, variable in enumerate(game.variables)
        if variable is not None
        and variable.name == names.function
        and variable.instance_type == _SELF
    ]
    if not olds:
        return
    added = -1
    for root in roots(game):
        columns, record = root.bytecode.columns, root.bytecode.record
        mine = np.isin(record, olds)
        if root is not entry:
            mine &= (columns.opcode == int(Opcode.PUSH)) & (columns.operand >> 24 & 0xF8 == _PLAIN)
            mine &= np.isin(columns.value, (_SELF, int(InstanceType.BUILTIN)))
        if not mine.any():
            continue
        if added < 0:
            added = _add_variable(game, names.new_function, olds[0])
        root.bytecode.record = np.where(mine, added, record).astype(record.dtype)


_PLAIN = int(ReferenceType.NORMAL)


def _add_variable(game: CodeModel, name: str, like: int) -> int:
    """Add a variable like another one, with another name and an id of its own."""
    items = game.variables.items
    old = items[like]
    for number, variable in enumerate(items):
        if variable is not None and variable.name == name and variable.instance_type == _SELF:
            return number
    string = game.strings.add(name)
    items.append(Variable(string, _SELF, string.number))
    head = game.record("VARI")
    if head is not None and old is not None and head.instance_count > old.id:
        head.instance_count = max(head.instance_count, string.number + 1)
    return len(items) - 1
