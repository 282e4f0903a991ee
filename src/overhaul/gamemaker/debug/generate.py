"""Debugger data for any game: from its decompiled code, or from the original sources.

The sources are compiled once more, with a record of the place of each bytecode; where that gives
the game's own bytecode, the places are exactly those the official tools would write.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

from overhaul.errors import FormatError, OverhaulError
from overhaul.findings import Findings, warning
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code.checking import exact, explained
from overhaul.gamemaker.data.code.compiling import add_definitions
from overhaul.gamemaker.data.code.context import game_context
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.strings import String
from overhaul.gamemaker.debug.document import (
    DebugData,
    DebugFunction,
    DebugFunctionList,
    DebugLayout,
    EntryLocals,
    EntryPlaces,
    LocalsList,
    LocalVariable,
    PlaceList,
    Source,
    SourceList,
    SourcePlace,
)
from overhaul.gml import disassemble
from overhaul.gml.compiler import InnerFunction, compile_with_source_map
from overhaul.gml.compiler.compiler import entry_kind
from overhaul.gml.context import Context
from overhaul.gml.vm.code import Code, VariableReference, child_ends
from overhaul.gml.vm.opcodes import InstanceType
from overhaul.gml.vm.registration import local_names

Progress = Callable[[int, int, str], None]
#: see :func:`generate`
Each = Callable[[Any, Any, range], Iterable[Any]]

#: the first bytecode version whose games list the locals of their code
_WITH_LOCALS = 15
#: where a debugger that speaks over the network finds the game
DEFAULT_PORT = 6502
#: lines of assembly text other than instructions begin with one of these
_NO_INSTRUCTION = (".", ":", ">", ";")


def generate(
    game: GameData,
    sources: Mapping[str, str] | None = None,
    *,
    definitions: str = "",
    progress: Progress | None = None,
    each: Each | None = None,
) -> DebugData:
    """The debugger data of a game.

    ``sources`` has original sources by the name of their entry, ``definitions`` the ``#macro`` and
    ``enum`` lines they need; entries without one, or whose source does not compile to the game's
    bytecode, get the decompiled source (the ``warnings`` of the result name them).  Code that has
    no source that compiles back is shown as assembly.

    ``each(prepare, task, numbers)`` gives ``task(prepare(game), number)`` for each number, in
    order: in several processes, say.

    Raises FormatError for a game without readable bytecode.
    """
    if game.is_native or game.record("CODE") is None:
        raise FormatError("the game has no readable bytecode", source=game.source)
    prepare = partial(_maker, sources=dict(sources or {}), definitions=definitions)
    maker = prepare(game)
    numbers = range(len(maker.roots))
    made: Iterable[tuple[_EntryView, Findings]] = map(maker.show, numbers)
    if each is not None:
        made = each(prepare, _Maker.show, numbers)
    shown = []
    for number, (parts, findings) in enumerate(made):
        if progress is not None:
            progress(number, len(maker.roots), str(maker.roots[number].name))
        shown.append(parts)
        maker.findings += findings
    if progress is not None:
        progress(len(maker.roots), len(maker.roots), "")
    return maker.finish(shown)


class ShownCode(NamedTuple):
    """A root entry as a debugger shows it.

    ``places`` are pairs of an instruction's offset in bytes and the position in ``source`` that it
    belongs to, by offset; ``findings`` say why the source is not the expected one.
    """

    source: str
    places: list[tuple[int, int]]
    findings: Findings

    @property
    def warnings(self) -> list[str]:
        """The findings as texts."""
        return self.findings.texts()


def shown_code(game: GameData, entry: CodeEntry) -> ShownCode:
    """The source of an entry (of its root, for a function inside one) and the place of each
    instruction; assembly text if no source compiles back."""
    root = entry if entry.root is None else entry.root
    maker = _Maker(game, {}, "")
    number = next(number for number, entry in enumerate(maker.roots) if entry is root)
    shown, findings = maker.show(number)
    return ShownCode(shown.source, shown.places, findings)


def _maker(game: GameData, *, sources: Mapping[str, str], definitions: str) -> _Maker:
    """The state that a process needs for :meth:`_Maker.show`."""
    return _Maker(game, sources, definitions)


def enable_debugger(game: GameData) -> None:
    """Let the game wait for a debugger when it starts."""
    general = game.general
    general.debugger_disabled = 0
    if game.release.bytecode >= 14 and not general.debugger_port:
        general.debugger_port = DEFAULT_PORT


class _EntryView(NamedTuple):
    """The debugger's view of one root entry."""

    source: str
    places: list[tuple[int, int]]
    functions: list[InnerFunction]


class _Maker:
    def __init__(self, game: GameData, sources: Mapping[str, str], definitions: str) -> None:
        self.game = game
        self.sources = sources
        self.context: Context = game.language.context
        self.source_context = self.context
        if definitions:
            self.source_context = game_context(game)
            add_definitions(self.source_context, definitions)
        self.modern = self.context.dialect.gml_v2
        self.roots = [e for e in game.records.code if e is not None and e.root is None]
        self.findings: Findings = Findings()

    # -- one entry ---------------------------------------------------------------------------

    def show(self, number: int) -> tuple[_EntryView, Findings]:
        """The source and the places of a root entry, and warnings about them."""
        root = self.roots[number]
        name = str(root.name)
        try:
            code = self.game.language.code(root)
        except OverhaulError as error:
            hidden = warning("code-not-decompiled", f"not shown: {error}", name)
            return _EntryView(f"// {explained(error)}", [], []), Findings([hidden])
        findings = Findings()
        shown = None
        original = self.sources.get(name)
        if original is not None:
            shown = self._compiled(code, original, self.source_context)
            if isinstance(shown, str):
                findings.warn("code-not-compiled", f"decompiled, as the source given {shown}", name)
        if not isinstance(shown, _EntryView):
            shown = self._decompiled(root, code)
        if isinstance(shown, str):
            findings.warn("code-not-compiled", f"shown as assembly, as its source {shown}", name)
            shown = self._assembly(code)
        return shown._replace(places=_from_the_start(shown.places)), findings

    def _compiled(self, code: Code, source: str, context: Context) -> _EntryView | str:
        """The places of a source, or why it has none: it is not the source of the code."""
        kind = entry_kind(code.name, context.dialect)
        try:
            made = compile_with_source_map(source, context, kind, code.name, previous=code)
        except Exception as error:  # noqa: BLE001 - the reason; the entry is shown otherwise
            return f"does not compile: {explained(error)}"
        if not same_code(made.code, code):
            return "compiles to other code"
        return _EntryView(made.source, made.points, made.functions)

    def _decompiled(self, root: CodeEntry, code: Code) -> _EntryView | str:
        try:
            source, problems = self.game.language.decompiled.source(root)
        except Exception as error:  # noqa: BLE001 - the reason; the entry is shown otherwise
            return f"can't be decompiled: {explained(error)}"
        if problems:
            return f"is not all structured: {problems[0]}"
        return self._compiled(code, source, self.context)

    def _assembly(self, code: Code) -> _EntryView:
        """Assembly text, each instruction at its line."""
        try:
            text = disassemble(code, self.context)
        except OverhaulError as error:
            text = f"; {explained(error)}"
        places = []
        at = 0
        offsets = iter(code.offsets())
        for line in text.splitlines(keepends=True):
            if line.strip() and not line.startswith(_NO_INSTRUCTION):
                offset = next(offsets, None)
                if offset is not None:
                    places.append((offset, at))
            at += len(line)
        return _EntryView(text, places, _functions_of(code))

    # -- the file ----------------------------------------------------------------------------

    def finish(self, shown: list[_EntryView]) -> DebugData:
        """Put all into a document, its chunks and strings as the official tools order them."""
        game = self.game
        roots = self.roots
        layout = DebugLayout(self.modern, 4 if self.modern else 1)
        names = ["SCPT", "DBGI"]
        if not self.context.dialect.every_place:
            names.append("INST")
        if game.release.bytecode >= _WITH_LOCALS:
            names.append("LOCL")
        if self.modern:
            names.append("DFNC")
        document = DebugData(layout, [*names, "STRG"], alignment=16 if self.modern else 1)
        document.findings += self.findings
        add = document.strings.add
        numbers = {id(root): number for number, root in enumerate(roots)}
        sources, places = document.record(SourceList), document.record(PlaceList)
        for entry in game.records.code:
            root = None if entry is None else entry if entry.root is None else entry.root
            number = numbers.get(id(root))
            sources.sources.append(Source(add("" if number is None else shown[number].source)))
            if self.modern:
                places.roots.append(number or 0)
        for source in shown:
            pairs = [SourcePlace(first, second) for first, second in source.places]
            places.entries.append(EntryPlaces(pairs))
        if "LOCL" in names:
            document.record(LocalsList).entries += [self._locals(root, add) for root in roots]
        if "DFNC" in names:
            document.record(DebugFunctionList).functions += self._functions(shown, add)
        return document

    def _locals(self, root: CodeEntry, add: Callable[[str], String]) -> EntryLocals:
        """The code locals of a root, as FUNC has them; made where this release has no lists."""
        record = self.game.record("FUNC")
        lists = [] if record is None else record.code_locals
        own = next((locals_ for locals_ in lists if locals_.name == root.name), None)
        name = add(str(root.name))
        if own is not None:
            pairs = [(local.index, str(local.name)) for local in own.locals]
        else:
            pairs = []
            for place, text in enumerate(local_names(self._code(root))):
                string = self.game.strings.find(text)
                number = string.number if self.modern and string is not None else place
                pairs.append((number, text))
        locals_ = [LocalVariable(index, add(text)) for index, text in pairs]
        return EntryLocals(name, locals_)

    def _code(self, root: CodeEntry) -> Code:
        try:
            return self.game.language.code(root)
        except OverhaulError:  # a warning says so
            return Code(str(root.name))

    def _functions(
        self, shown: list[_EntryView], add: Callable[[str], String]
    ) -> list[DebugFunction]:
        """The functions inside the roots, in the order of the game's code."""
        places = {id(entry): place for place, entry in enumerate(self.game.records.code)}
        placed: list[tuple[int, CodeEntry, int, InnerFunction]] = []
        for root, source in zip(self.roots, shown, strict=True):
            if not source.functions:
                continue
            code = self._code(root)
            ends = child_ends(code.instructions, code.children)
            for child, end, inner in zip(
                self.game.language.children(root), ends, source.functions, strict=True
            ):
                placed.append((places[id(child)], child, max(0, end - child.offset), inner))
        functions = []
        for place, child, length, inner in sorted(placed, key=lambda item: item[0]):
            name = add(_short_name(str(child.name), inner.name))
            arguments: list[String | str | None] = [add(text) for text in inner.parameters]
            locals_: list[String | str | None] = [add(text) for text in inner.locals]
            functions.append(DebugFunction(place, name, length, arguments, locals_))
        return functions


def _from_the_start(places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Places that begin at the first instruction, so that a breakpoint can stand there."""
    if places and places[0][0]:
        return [(0, min(place for _, place in places)), *places]
    return places


def same_code(mine: Code, theirs: Code) -> bool:
    """Whether two entries have the same instructions and the same functions in them."""
    if len(mine.instructions) != len(theirs.instructions):
        return False
    children = [(child.name, child.offset) for child in mine.children]
    if children != [(child.name, child.offset) for child in theirs.children]:
        return False
    return all(
        exact(first) == exact(second)
        for first, second in zip(mine.instructions, theirs.instructions, strict=True)
    )


def _without_prefix(name: str) -> str:
    return name.removeprefix("gml_Script_")


def _short_name(name: str, own: str) -> str:
    """The short name at the beginning of an entry's name, which may have other numbers in it than
    a source that was decompiled gives."""
    pattern = re.sub(r"\d+", r"\\d+", re.escape(own))
    match = re.match(pattern, _without_prefix(name))
    return _without_prefix(name) if match is None else match.group()


def _functions_of(code: Code) -> list[InnerFunction]:
    """The inner functions, from the bytecode only."""
    functions = []
    offsets = code.offsets()
    ends = child_ends(code.instructions, code.children)
    for child, end in zip(code.children, ends, strict=True):
        names: dict[str, None] = {}
        for offset, instruction in zip(offsets, code.instructions, strict=True):
            operand = instruction.operand
            if (
                child.offset <= offset < end
                and isinstance(operand, VariableReference)
                and operand.scope == InstanceType.LOCAL
            ):
                names.setdefault(operand.name)
        arguments = [f"argument{number}" for number in range(child.arguments_count & 0x1FFF)]
        functions.append(InnerFunction(_without_prefix(child.name), arguments, list(names)))
    return functions
