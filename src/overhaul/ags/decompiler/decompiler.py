"""A script as source: the stages one after another."""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from overhaul.ags.api import ScriptSettings, parse_version
from overhaul.ags.decompiler.cells import Types
from overhaul.ags.decompiler.code import LAST_LINE, LINE, Code
from overhaul.ags.decompiler.declarations import Declarations, decide_layouts, name_structs
from overhaul.ags.decompiler.declared import Declaration, GlobalVariable
from overhaul.ags.decompiler.dialogs import dialog_text
from overhaul.ags.decompiler.errors import Unstructured
from overhaul.ags.decompiler.expressions import Expressions
from overhaul.ags.decompiler.flows import Flows
from overhaul.ags.decompiler.inference import Inference
from overhaul.ags.decompiler.library import (
    VIEWS,
    Enums,
    Import,
    Known,
    Library,
    Member,
    fitting_settings,
    library_of_game,
)
from overhaul.ags.decompiler.names import Namer
from overhaul.ags.decompiler.nodes import IMPORT as IMPORT_PLACE
from overhaul.ags.decompiler.nodes import Assign, MakeString, Text
from overhaul.ags.decompiler.shared import Shared
from overhaul.ags.decompiler.structure import Body, structure
from overhaul.ags.decompiler.unread import unread
from overhaul.ags.decompiler.writer import DIALOG, JOIN, Lines, Piece, Writer
from overhaul.ags.language import without_collector
from overhaul.ags.language.options import NEGATIVE_LITERALS
from overhaul.ags.script.model import Script
from overhaul.ags.script.tables import BY_NAME, IMPORT, REGISTER_NUMBERS
from overhaul.ags.versions import SCRIPT_NEWEST_COMPILED

#: So many lines are empty before a function where lines count on through all headers.
_MOST_EMPTY: Final = 3
#: The last editor with the switches of 3.4.0.
_OLD_SWITCHES: Final = "3.4.0.16"
_MORE_ESCAPES: Final = (3, 6, 2, 1)
_PLAYER: Final = "player"
#: The number that stands for an argument that is left out.
_NO_VALUE: Final = 31998
_COUNT: Final = BY_NAME["setfuncargs"].number
_LITERAL, _SUBTRACT = BY_NAME["movl"].number, BY_NAME["sub"].number
_LEFT_OUT: Final = (_LITERAL, _NO_VALUE)
#: The code that subtracts from 0 in register bx, as early compilers negate literals.
_NEGATED: Final = struct.pack("<4i", _LITERAL, 4, 0, _SUBTRACT)


@dataclass(frozen=True, slots=True)
class Environment:
    """The facts known about a script besides its code.

    ``version`` is the editor's, where it is known; ``variables`` and ``enums`` are what it declares
    for the game (:mod:`overhaul.ags.decompiler.game`); ``exports`` is what other scripts say about
    their names.  ``settings`` are the game's settings for new scripts, ``handlers`` the functions
    that its things name for their events, with the types of the parameters.  ``as_given``:
    these settings count as well as those that the imports of a script show.  Where structs are read
    ``apart``, what a method is called of extends the struct of the method, and is it only where
    nothing else can be.  Where they are ``extended``, the functions behind an attribute that any
    script uses extend the struct, as the editor wants them.
    """

    version: str = ""
    left_to_right: bool = True
    variables: tuple[Member, ...] = ()
    enums: Enums = ()
    exports: tuple[Known, ...] = ()
    settings: ScriptSettings | None = None
    as_given: bool = False
    apart: bool = False
    extended: bool = False
    handlers: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def is_loose(self) -> bool:
        """Whether the editor declares something old for the scripts of the game."""
        return self.settings is not None and not self.settings.is_strict

    @property
    def header(self) -> str:
        """The declarations of the game's things as the editor makes them."""
        lines = []
        for name, members in self.enums:
            if name == VIEWS:
                lines += [f"#define {member} {number}" for number, member in members]
            else:
                inner = ", ".join(f"{member} = {number}" for number, member in members)
                lines.append(f"enum {name} {{ {inner} }};")
        for member in self.variables:
            array = f"[{member.count}]" if member.count else ""
            lines.append(f"import {member.type} {member.name}{array};")
        return "".join(line + "\r\n" for line in lines)


@dataclass(frozen=True, slots=True)
class Failure:
    """A function that could not be read: its number among all, its name, and why."""

    number: int
    name: str
    reason: str


@dataclass(slots=True)
class Decompiled:
    """A script as source.

    ``parts`` are its texts by the names of its sections (a script of dialogs has more than one),
    each statement in the line that the code says; ``declared`` has the names that they use and no
    header of the editor declares; ``functions`` are the names of the functions that were read,
    ``prototypes`` declarations of the functions that other scripts can call, by name. Code that
    could not be read is assembly in a comment after the others, with a function without
    statements in its place. ``proof`` are the texts to compile: old scripts have other lines
    there. ``dialogs`` are dialogs in the editor's language for them.
    """

    parts: list[tuple[str, str]]
    proof: list[tuple[str, str]]
    declared: tuple[Declaration, ...]
    functions: list[str]
    failures: list[Failure]
    settings: ScriptSettings
    old_negatives: bool = False
    bodies: dict[int, Body] = field(default_factory=dict)
    dialogs: dict[int, str] = field(default_factory=dict)
    exports: list[Known] = field(default_factory=list)
    prototypes: dict[str, str] = field(default_factory=dict)
    variables: list[GlobalVariable] = field(default_factory=list)

    @property
    def declarations(self) -> str:
        """The text of ``declared``: one declaration after another."""
        return "".join(f"{line}\n" for each in self.declared for line in each.lines())

    @property
    def members(self) -> list[str]:
        """The functions of structs that it defines: ``Clock::Start``."""
        names = (*self.functions, *(failure.name for failure in self.failures))
        return [name for name in names if "::" in name]

    @property
    def text(self) -> str:
        """The whole text; see :func:`joined`."""
        return joined(self.parts)


def joined(parts: list[tuple[str, str]]) -> str:
    """The parts of a script as one text; each behind the first begins with the mark that the
    editor puts there, from which lines are counted from 1 again."""
    first, *rest = parts
    return first[1] + "".join(f'"__NEWSCRIPTSTART_{name}"\r\n{text}' for name, text in rest)


def decompile_block(script: Script, environment: Environment | None = None) -> Decompiled:
    """The source of a script."""
    return decompile_blocks([script], environment or Environment())[0]


def decompile_blocks(
    scripts: Sequence[Script], environment: Environment | Sequence[Environment]
) -> list[Decompiled]:
    """The sources of the scripts of a game, which have one type for each name they share.

    An environment for each script is the game's, but for the handlers of events.
    """
    known = [environment] * len(scripts) if isinstance(environment, Environment) else environment
    with without_collector():
        return _decompiled(scripts, known)


def _decompiled(scripts: Sequence[Script], environments: Sequence[Environment]) -> list[Decompiled]:
    made = [_Decompiler(*each) for each in zip(scripts, environments, strict=True)]
    apart = any(environment.apart for environment in environments)
    shared = Shared((one.code for one in made), apart=apart)
    for one in made:
        one.read(shared)
    shared.find_empty()
    for one in made:
        one.inference.lay_out()
        one.inference.note_extensions()
    for one in made:
        one.inference.find_imports()
    for one in made:
        one.infer()
    Flows(shared, (new for one in made for new in one.inference.news)).decide()
    declarations = [one.declare() for one in made]
    decide_layouts(declarations)
    taken = set[str]().union(*(one.taken for one in made))
    name_structs(declarations, taken)
    shared.name_negatives(taken)
    for each in declarations:
        each.expressions.find_defaults()
    if any(environment.extended for environment in environments):
        shared.extending |= {pair for each in declarations for pair in each.attributes()}
    return [one.write() for one in made]


class _Decompiler:
    def __init__(self, script: Script, environment: Environment) -> None:
        self.code = Code(script)
        self.settings = ScriptSettings("3.6.1")
        self.library = Library()
        self.environment = environment
        self.failures: list[Failure] = []
        self.bodies: dict[int, Body] = {}
        self.structs: dict[int, str] = {}

    def read(self, shared: Shared) -> None:
        """Read the statements of all functions, and what they say about the editor."""
        self.shared = shared
        for number in range(len(self.code)):
            try:
                if self.code.script.version > SCRIPT_NEWEST_COMPILED:
                    raise Unstructured("AGS 4 has another compiler", self.code.starts[number])
                self.bodies[number] = structure(self.code, number)
            except Unstructured as error:
                self._failed(number, error)
        version = self.environment.version
        if not version and any(body.old_switches for body in self.bodies.values()):
            version = _OLD_SWITCHES
        settings = fitting_settings(self._imports(), self.code.script.version, version)
        if self.environment.as_given and self.environment.settings is not None:
            settings = settings.loosened(self.environment.settings)
        self.settings = replace(settings, old_player=self._has_old_player())
        self.library = self._library()
        self._begin()
        for name, used in self.inference.imported.items():
            if shared.owners.get(name) is not self.code:
                shared.uses.setdefault(name, []).extend(used)

    def _begin(self) -> None:
        known = {item.name: item for item in self.environment.exports}
        self.inference = Inference(
            self.code, self.library, self.bodies, self.structs, known, self.shared,
            dict(self.environment.handlers),
        )  # fmt: skip
        self.inference.find_accesses()

    def declare(self) -> Declarations:
        """The declarations of the script, before structs have names."""
        inference = self.inference
        types = Types(self.library)
        build = tuple(int(part) for part in self.settings.version.split("."))
        expressions = Expressions(
            inference,
            types,
            left_to_right=self.environment.left_to_right,
            escapes=build >= _MORE_ESCAPES,
            old_negatives=self._negates_literals(),
        )
        self.made = Declarations(inference, expressions, Writer(inference, expressions))
        return self.made

    def write(self) -> Decompiled:
        """The source."""
        made, inference = self.made, self.inference
        expressions, writer = made.expressions, made.writer
        taken = set(self.taken)
        made.name_globals(taken)
        taken |= {item.name for item in inference.items}
        taken |= {record.name for record in made.records()}
        namer = Namer(inference, expressions, self.settings, taken)
        for body in self.bodies.values():
            namer.function(body)
        functions = self._functions(writer)
        made.lost = {f.number: self.code.is_method(f.number) for f in self.failures}
        if self.code.script.version <= SCRIPT_NEWEST_COMPILED:
            functions |= {f.number: self._stub(writer, f.number) for f in self.failures}
        comments = {f.number: unread(self.code, f.number, f.reason) for f in self.failures}
        head = [*self._called_first(writer), *made.variables(), *made.exports()]
        parts = self._parts(head, functions, comments)
        same = bool(self.code.script.sections)
        return Decompiled(
            parts=parts,
            proof=parts if same else self._parts(head, functions, comments, proof=True),
            declared=(*made.enums(), *made.structs(), *made.imports()),
            functions=[self.code.names[number].full for number in self.bodies],
            failures=self.failures,
            settings=self.settings,
            old_negatives=expressions.old_negatives,
            bodies=self.bodies,
            dialogs=self._dialogs(writer),
            exports=list(self._exports(inference, expressions, made)),
            prototypes=self._prototypes(writer),
            variables=made.values(self._assigned(expressions)),
        )

    def _has_old_player(self) -> bool:
        """Whether fields of the player are used without following a pointer."""
        return any(
            place.kind == IMPORT_PLACE and place.offset > 0 and isinstance(place.base, int)
            and place.base < len(self.code.imports)
            and self.code.imports[place.base].name == _PLAYER
            for body in self.bodies.values()
            for place, _ in body.uses
        )  # fmt: skip

    def _library(self) -> Library:
        game = self.environment
        return library_of_game(self.settings, game.variables, game.enums)

    def _imports(self) -> list[Import]:
        """The imports of the script, and how it uses them."""
        counts: dict[int, set[int]] = {}
        bounds: dict[int, int] = {}
        leaving: set[int] = set()
        has_left_out = _NO_VALUE in self.code.words
        for body in self.bodies.values():
            code = body.function.code
            behind = 0
            for number in [n for n, one in enumerate(code) if one.fixup == IMPORT]:
                instruction = code[number]
                if has_left_out and instruction.a == REGISTER_NUMBERS["ax"]:
                    if any(one[:3:2] == _LEFT_OUT for one in code[behind:number]):
                        leaving.add(instruction.b)
                    behind = number
                if number and code[number - 1].opcode == _COUNT:
                    counts.setdefault(instruction.b, set()).add(code[number - 1].a)
            for place, _ in body.uses:
                if place.kind == IMPORT_PLACE and place.indexes and isinstance(place.base, int):
                    bounds[place.base] = place.indexes[0].bound
        return [
            Import(name, frozenset(counts.get(slot, ())), bounds.get(slot, 0), slot in leaving)
            for slot, name in enumerate(self.code.imports)
            if name.name
        ]

    def _failed(self, number: int, error: Unstructured) -> None:
        self.bodies.pop(number, None)
        self.failures.append(Failure(number, self.code.names[number].full, error.reason))

    def infer(self) -> None:
        """Find the types; functions that use memory in a way that no source has are left out."""
        while True:
            count = len(self.structs)
            try:
                self.inference.run()
                if len(self.structs) == count:
                    return
            except Unstructured as error:
                if "no field at" in error.reason and self.settings.object_based:
                    self.settings = replace(self.settings, object_based=False)
                    self.library = self._library()
                else:
                    self._failed(self.inference.function, error)
            self._begin()
            self.inference.lay_out()
            self.inference.find_imports()

    def _exports(
        self, inference: Inference, write: Expressions, made: Declarations
    ) -> Iterator[Known]:
        """The facts that the script shows about the names it exports."""
        for number, body in self.bodies.items():
            parameters = tuple(write.variable_type(variable) for variable in body.parameters)
            given = inference.returns_value[number]
            result = write.types.of(inference.results[number]) if given else "int"
            yield Known(body.function.name.full, result, parameters)
        for item in inference.items:
            if item.exported and not item.count and item.record is None:
                yield Known(item.name, made.item_type(item))

    def _dialogs(self, writer: Writer) -> dict[int, str]:
        """The texts of dialogs in their own language, by their numbers."""
        made: dict[int, str] = {}
        for body in self.bodies.values():
            match = DIALOG.fullmatch(body.function.name.full)
            text = dialog_text(body, writer) if match is not None else None
            if match is not None and text is not None:
                made[int(match[1])] = text
        return made

    def _functions(self, writer: Writer) -> dict[int, list[Piece]]:
        made: dict[int, list[Piece]] = {}
        for number, body in list(self.bodies.items()):
            try:
                made[number] = writer.function(body)
            except Unstructured as error:
                self._failed(number, error)
        return made

    def _stub(self, writer: Writer, number: int) -> list[Piece]:
        """A function without statements, in the place of one that could not be read."""
        is_method = self.code.is_method(number)
        return writer.stub(number, self._line(number), is_method=is_method)

    def _line(self, number: int) -> int:
        """The line that a function begins in, if its first instruction says it."""
        start, end = self.code.bounds(number)
        words = self.code.words
        line = words[start + 1] if start + 1 < end and words[start] == LINE else 0
        return line if 0 < line <= LAST_LINE else 0

    def _parts(
        self,
        head: list[str],
        functions: dict[int, list[Piece]],
        comments: dict[int, list[str]],
        *,
        proof: bool = False,
    ) -> list[tuple[str, str]]:
        """The texts of the sections that have functions.

        Old scripts name no sections: ``proof`` begins one where lines do not ascend.
        """
        script = self.code.script
        sections = sorted((section.offset, section.name) for section in script.sections)
        starts = [offset for offset, _ in sections]
        by_section: dict[int, tuple[list[list[Piece]], list[str]]] = {}
        place = line = 0
        for number in sorted({*functions, *comments}):
            if sections:
                place = max(bisect_right(starts, self.code.starts[number]) - 1, 0)
            elif proof:
                place += 0 < self._line(number) < line
                line = self._line(number) or line
            pieces, behind = by_section.setdefault(place, ([], []))
            if number in functions:
                pieces.append(functions[number])
            behind += comments.get(number, [])
        by_section = by_section or {max(len(sections) - 1, 0): ([], [])}
        parts = []
        for place in sorted(by_section):
            name = sections[place][1] if sections else ""
            compact = not sections and not proof
            parts.append((name, _text(head, *by_section[place], compact=compact)))
            head = []
        return parts

    def _prototypes(self, writer: Writer) -> dict[str, str]:
        """The declarations of functions that other scripts can call, without members of structs."""
        heads = {
            body.function.name: writer.head(body, prototype=True) for body in self.bodies.values()
        }
        for failure in self.failures:
            is_method = self.code.is_method(failure.number)
            heads[self.code.names[failure.number]] = writer.stub_head(
                failure.number, is_method=is_method, prototype=True
            )
        return {
            name.full: f"import {head};"
            for name, head in heads.items()
            if not name.owner or writer.extends(name)
        }

    def _assigned(self, expressions: Expressions) -> dict[str, str]:
        """The texts that functions of the script give to its variables."""
        made: dict[str, str] = {}
        for number, body in self.bodies.items():
            self.inference.function = number
            for node in body.block.statements:
                if isinstance(node, Assign):
                    value = node.value.value if isinstance(node.value, MakeString) else node.value
                    if isinstance(value, Text):
                        made[expressions.target(node.target, node.how)] = expressions.text(value)
        return made

    def _called_first(self, writer: Writer) -> list[str]:
        """The declarations of functions that are called before they are defined."""
        called = {name.full for name in self.code.imports if name.name}
        return [
            f"import {writer.head(body, prototype=True)};"
            for body in self.bodies.values()
            if body.function.name.full in called and not body.function.name.owner
        ]

    def _negates_literals(self) -> bool:
        """Whether the compiler was one that subtracts for a negative literal, as the editor or the
        code says.  Later ones do so for a minus before a constant or a bracket."""
        script, version = self.code.script, self.environment.version
        if version and parse_version(version) < NEGATIVE_LITERALS:
            return True
        if script.version >= SCRIPT_NEWEST_COMPILED or _NEGATED not in script.code:
            return False
        for body in self.bodies.values():
            code = body.function.code
            for number in range(1, len(code) - 1):
                instruction = code[number]
                if instruction[:3] == (_LITERAL, 4, 0) and code[number + 1].opcode == _SUBTRACT:
                    before = code[number - 1]
                    if before.opcode == _LITERAL and before.a == 3 and not before.fixup:
                        return True
        return False

    @cached_property
    def taken(self) -> set[str]:
        """The names that the script cannot give to something else."""
        names = {*self.library.words, *self.library.variables}
        names.update(export.name for export in self.code.script.exports)
        for enum in self.library.enums.values():
            names.update(enum.values())
        for name in (*self.code.imports, *self.code.names):
            names.update((name.name, name.owner))
        return names


def _shift(line: int, lines: int, compact: bool) -> int:
    """By how much the lines of a function are shifted, where they do not follow those before it:
    that happens where each header has lines of its own, or all count on (``compact``)."""
    if 0 < line < lines or (compact and line > lines + _MOST_EMPTY):
        return lines + 2 - line
    return 0


def _text(
    head: list[str], functions: list[list[Piece]], behind: list[str], *, compact: bool
) -> str:
    """The lines of a script: declarations before the first function, comments behind the last."""
    lines = Lines()
    first = functions[0][0].line if functions and functions[0] else 1 << 30
    first = 1 << 30 if compact else first
    for number, line in enumerate(head):
        left = len(head) - number
        room = first - 1 - len(lines.lines)
        lines.add(Piece(line, 0, len(lines.lines) + 1 if room >= left or not lines.lines else JOIN))
    for pieces in functions:
        shift = _shift(max(p.line for p in pieces[:2]), len(lines.lines), compact)
        for piece in pieces:
            moved = shift and piece.line > 0
            lines.add(piece._replace(line=piece.line + shift) if moved else piece)
    lines.end()
    return "".join(line + "\r\n" for line in [*lines.lines, *behind])
