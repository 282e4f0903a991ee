"""Functions that are not edited keep their code, also where their source compiles to other code.

The unedited source of a script is compiled like the edited one.  A function that does not come back
from the first and has the same tokens in the second gets the code of the old block, at its place in
the new one.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from overhaul.ags.language import ScriptError, Trace
from overhaul.ags.script.disassembler import instructions
from overhaul.ags.script.model import Export, Script, Section
from overhaul.ags.script.tables import (
    BY_NAME,
    CODE_FIXUPS,
    DATA,
    DATA_DATA,
    EXPORT_KINDS,
    FUNCTION,
    IMPORT,
    STRING,
)
from overhaul.errors import FormatError

_FUNCTION_EXPORT: Final = next(n for n, kind in EXPORT_KINDS.items() if kind == "function")
_PLACE: Final = 0xFFFFFF
_LINE: Final = BY_NAME["sourceline"].number
_OWN_PLACE: Final = BY_NAME["thisaddr"].number
Operand = tuple[str, object, int]


class NotTaken(FormatError):
    """An edit can't be taken: the ``function`` that it is about does not come back."""

    def __init__(self, function: str, reason: str) -> None:
        super().__init__(f"{function} does not come back from its source, {reason}")
        self.function = function


class Way(NamedTuple):
    """A way of comparing code: with the numbers of lines; with functions and variables by name, or
    by place."""

    lines: bool
    named: bool


LINES: Final = Way(lines=True, named=True)
NAMED: Final = Way(lines=False, named=True)
PLACED: Final = Way(lines=False, named=False)


class _Span(NamedTuple):
    """The code words of a function."""

    start: int
    end: int


class KeptFunction(NamedTuple):
    """A function that keeps its code: where that is in the old block, and how it was compared."""

    span: _Span
    way: Way


class _Block:
    """A block with the places of its functions and of its variables."""

    def __init__(self, script: Script, variables: Mapping[str, tuple[int, int]]) -> None:
        self.script = script
        self.words = script.words
        self.variables = variables
        self._places = sorted((place, size, name) for name, (place, size) in variables.items())
        self.fixups = {
            at: kind
            for at, kind in zip(script.fixup_positions, script.fixup_types, strict=True)
            if kind in CODE_FIXUPS and 0 <= at < len(self.words)
        }
        names: dict[int, str] = {}
        for export in script.exports:
            if export.address >> 24 == _FUNCTION_EXPORT:
                names.setdefault(export.address & _PLACE, export.name)
        self.starts = sorted(names)
        ends = [*self.starts, len(self.words)][1:]
        self.spans = {
            plain_name(names[start]): _Span(start, end)
            for start, end in zip(self.starts, ends, strict=True)
        }
        self.functions = {span.start: name for name, span in self.spans.items()}
        self.own_places = {
            at + 1
            for at, opcode in instructions(self.words, self.fixups)
            if opcode is not None and opcode.number == _OWN_PLACE
        }

    def text(self, offset: int) -> bytes:
        """The text at an offset of the string table."""
        return self.script.strings[max(offset, 0) :].partition(b"\0")[0]

    def variable(self, offset: int) -> tuple[str, int]:
        """The variable at an offset of the global data, and how far in it that is."""
        at = bisect_right(self._places, offset, key=lambda item: item[0]) - 1
        if at >= 0:
            place, size, name = self._places[at]
            if offset - place < size:
                return name, offset - place
        return "", offset

    def operand(self, at: int, start: int, *, named: bool) -> Operand:
        """The target of a word in a function that begins at ``start``; functions and variables
        are given by their names if ``named``, else by their places."""
        value, kind = self.words[at], self.fixups.get(at, 0)
        if kind == STRING:
            return "text", self.text(value), 0
        if kind == IMPORT and 0 <= value < len(self.script.imports):
            return "import", self.script.imports[value].partition("^")[0], 0
        if kind == FUNCTION and value in self.functions:
            return "function", self.functions[value] if named else self.starts.index(value), 0
        if kind == DATA:
            return "data", *(self.variable(value) if named else ("", value))
        if at in self.own_places:
            return "place", "", value - start
        return "", kind, value

    def code(self, span: _Span, way: Way) -> list[tuple[object, ...]]:
        """The instructions of a function with what their operands refer to; jumps lead to the
        numbers of instructions."""
        start = span.start
        words = self.words[start : span.end]
        fixups = {at - start: self.fixups[at] for at in range(*span) if at in self.fixups}
        found = [
            (index, opcode)
            for index, opcode in instructions(words, fixups)
            if way.lines or opcode is None or opcode.number != _LINE
        ]
        places = [index for index, _ in found]
        made: list[tuple[object, ...]] = []
        for index, opcode in found:
            if opcode is None:
                made.append(("word", words[index]))
            elif opcode.is_jump and index + 1 not in fixups:
                target = index + 2 + words[index + 1]
                made.append((opcode.number, bisect_right(places, target - 1)))
            else:
                count = len(opcode.arguments)
                operands = [
                    self.operand(start + index + 1 + n, start, named=way.named)
                    for n in range(count)
                ]
                made.append((opcode.number, *operands))
        return made


def plain_name(exported: str) -> str:
    """The name of a function without the number of its parameters."""
    return exported.partition("$")[0]


def keep_untouched(old: Script, unedited: Trace, edited: Trace) -> tuple[Script, list[ScriptError]]:
    """The edited block, in which functions keep their old code that are not edited and do not come
    back from their source; and the errors of the edited source in other functions.

    Raises FormatError that names a function of that kind which was edited, or can't be placed.
    """
    before = _Block(old, unedited.variables)
    compiled = _Block(unedited.script, unedited.variables)
    after = _Block(edited.script, edited.variables)
    wrong = {error.function for error in unedited.errors}
    lost = {
        name
        for name, span in before.spans.items()
        if name in wrong or not _is_same(before, span, compiled, compiled.spans.get(name), LINES)
    }
    mistakes = [error for error in edited.errors if error.function not in lost]
    if mistakes:
        return edited.script, mistakes
    if old.global_data != unedited.script.global_data:
        raise FormatError("the variables do not come back from the source")
    ways = (NAMED, PLACED) if list(before.spans) == list(compiled.spans) else (NAMED,)
    still_wrong = {error.function for error in edited.errors}
    kept: dict[str, KeptFunction] = {}
    for name, new_name in _matched(sorted(lost), compiled, after, ways):
        old_span, new = before.spans[name], after.spans[new_name]
        is_edited = unedited.bodies.get(name) != edited.bodies.get(new_name)
        is_right = any(_is_same(before, old_span, after, new, way) for way in ways)
        if is_edited and is_right and new_name not in still_wrong:
            continue
        if is_edited and new_name == name in wrong:
            raise NotTaken(name, "and it is edited")
        for way in ways:
            if _is_same(compiled, compiled.spans.get(name), after, new, way):
                kept[new_name] = KeptFunction(old_span, way)
                break
        else:
            what = "it" if is_edited else "what it uses"
            raise NotTaken(name, f"and {what} is edited")
    return (_Splice(before, after, kept).run() if kept else edited.script), []


def _matched(
    lost: list[str], compiled: _Block, after: _Block, ways: Sequence[Way]
) -> Iterator[tuple[str, str]]:
    """The names before and after an edit of functions that it leaves: by name, or by their code
    where they have a new name."""
    new = [name for name in after.spans if name not in compiled.spans]
    for name in lost:
        span = compiled.spans.get(name)
        if name in after.spans:
            yield name, name
            continue
        for other in new:
            if any(_is_same(compiled, span, after, after.spans[other], way) for way in ways):
                new.remove(other)
                yield name, other
                break


def _is_same(one: _Block, first: _Span | None, two: _Block, second: _Span | None, way: Way) -> bool:
    """Whether two functions have the same code, in a way of comparing."""
    if first is None or second is None:
        return False
    return one.code(first, way) == two.code(second, way)


class _Splice:
    """Puts the code of some old functions in the place of the new."""

    def __init__(self, old: _Block, new: _Block, kept: Mapping[str, KeptFunction]) -> None:
        self.old = old
        self.new = new
        self.kept = kept
        self.imports = list(new.script.imports)
        self.strings = bytearray(old.script.strings)
        self.added: dict[bytes, int] = {}
        self.places: dict[int, int] = {}

    def run(self) -> Script:
        """The block."""
        new, script = self.new, self.new.script
        pieces = list(self._pieces())
        length = 0
        for start, _, _, span in pieces:
            self.places[start] = length
            length += span.end - span.start
        words = array("i")
        fixups: list[tuple[int, int]] = []
        for start, name, block, span in pieces:
            for at in range(span.start, span.end):
                kind = block.fixups.get(at, 0)
                if kind:
                    fixups.append((kind, len(words)))
                words.append(self._word(block, at, span.start, self.places[start], name))
        for number, kind in enumerate(script.fixup_types):
            if kind == DATA_DATA:
                fixups.insert(number, (kind, script.fixup_positions[number]))
        self._forget_imports(words, fixups)
        return Script(
            version=script.version,
            global_data=script.global_data,
            code=words.tobytes(),
            strings=bytes(self.strings),
            fixup_types=bytes(kind for kind, _ in fixups),
            fixup_positions=[position for _, position in fixups],
            imports=self.imports,
            exports=[self._export(export) for export in script.exports],
            sections=[
                Section(name=section.name, offset=self._moved(section.offset))
                for section in script.sections
            ],
            extensions=new.script.extensions,
        )

    def _pieces(self) -> Iterator[tuple[int, str, _Block, _Span]]:
        """(start in the new block, name, block with the code, its place) of each function."""
        new = self.new
        first = min(new.starts, default=len(new.words))
        yield 0, "", new, _Span(0, first)
        for start in new.starts:
            name = new.functions[start]
            kept = self.kept.get(name)
            if kept is None:
                yield start, name, new, new.spans[name]
            else:
                yield start, name, self.old, kept.span

    def _word(self, block: _Block, at: int, start: int, place: int, name: str) -> int:
        """A word of the code at its new place."""
        value, kind = block.words[at], block.fixups.get(at, 0)
        if kind == FUNCTION:
            return self._function(block, value, name)
        if at in block.own_places:
            return place + value - start
        if kind == STRING:
            return self._string(value, block.text(value))
        if block is self.new:
            return value
        if kind == IMPORT and 0 <= value < len(block.script.imports):
            return self._import(value, block.script.imports[value])
        if kind == DATA and self.kept[name].way.named:
            return self._data(*block.variable(value), name)
        return value

    def _function(self, block: _Block, place: int, name: str) -> int:
        """The place of a function that code calls."""
        called = block.functions.get(place, "")
        if block is self.old and called and not self.kept[name].way.named:
            return self.places[self.new.starts[block.starts.index(place)]]
        target = self.new.spans.get(called)
        if target is None:
            called = called or f"code word {place}"
            raise NotTaken(name, f"so its code stays, which calls {called}; that is gone")
        return self.places[target.start]

    def _string(self, offset: int, text: bytes) -> int:
        """The offset of a text, which is the old one if the text is there."""
        if self.strings.startswith(text + b"\0", offset):
            return offset
        if text not in self.added:
            self.added[text] = len(self.strings)
            self.strings += text + b"\0"
        return self.added[text]

    def _import(self, slot: int, name: str) -> int:
        """The slot of a name, which has the old one if that is free."""
        if slot < len(self.imports) and self.imports[slot] in ("", name):
            self.imports[slot] = name
            return slot
        if name not in self.imports:
            self.imports.append(name)
        return self.imports.index(name)

    def _data(self, variable: str, offset: int, name: str) -> int:
        """The place of a variable that old code uses."""
        place = self.new.variables.get(variable)
        if place is None or place[1] != self.old.variables[variable][1]:
            reason = f"so its code stays, which uses the variable {variable}; this one is edited"
            raise NotTaken(name, reason)
        return place[0] + offset

    def _forget_imports(self, words: Sequence[int], fixups: Sequence[tuple[int, int]]) -> None:
        """Leave out imports that only the replaced code uses."""
        used = {words[at] for kind, at in fixups if kind == IMPORT}
        for slot in range(len(self.old.script.imports), len(self.imports)):
            if slot not in used:
                self.imports[slot] = ""

    def _moved(self, place: int) -> int:
        """Where a place in the new code is now."""
        starts = sorted(self.places)
        start = starts[max(bisect_right(starts, place) - 1, 0)]
        return self.places[start] + place - start

    def _export(self, export: Export) -> Export:
        if export.address >> 24 != _FUNCTION_EXPORT:
            return export
        place = self._moved(export.address & _PLACE)
        return Export(name=export.name, address=_FUNCTION_EXPORT << 24 | place)
