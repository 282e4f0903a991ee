"""Declarations outside of functions: variables, functions, enums, exports, sections of the text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from overhaul.ags.language import opcodes as o
from overhaul.ags.language import symbols as s
from overhaul.ags.language.emitter import DATA_EXPORT, Emitter
from overhaul.ags.language.errors import ScriptError
from overhaul.ags.language.expressions import Expressions
from overhaul.ags.language.functions import Functions
from overhaul.ags.language.lexer import section_name
from overhaul.ags.language.paths import writer
from overhaul.ags.language.repair import Repair
from overhaul.ags.language.statements import Statements
from overhaul.ags.language.structs import Structs
from overhaul.ags.language.symbols import (
    ARRAY,
    POINTER,
    Constant,
    Function,
    NamedType,
    Variable,
)
from overhaul.ags.language.unit import DIGITS, Unit, wrapped
from overhaul.suggest import did_you_mean

_STRING_SIZE: Final = 200
#: The official compiler counts sizes with 32 bits; variables are in memory, so they have a limit.
_LARGEST: Final = (1 << 31) - 1
_MOST_DATA: Final = 1 << 28


@dataclass
class Words:
    """The words before a declaration; they are kept and not changed."""

    imported: bool = False
    optional: bool = False
    readonly: bool = False
    static: bool = False
    protected: bool = False
    const: bool = False
    managed: bool = False
    builtin: bool = False
    autoptr: bool = False
    string: bool = False

    @property
    def of_struct(self) -> bool:
        """Whether a struct must follow."""
        return self.managed or self.builtin or self.autoptr or self.string


_WORDS: Final = {
    "import": "imported",
    "_tryimport": "optional",
    "readonly": "readonly",
    "static": "static",
    "protected": "protected",
    "const": "const",
    "managed": "managed",
    "builtin": "builtin",
    "autoptr": "autoptr",
    "internalstring": "string",
}
_OF_STRUCTS: Final = ("managed", "builtin", "autoptr", "string")


@lru_cache(1024)
def _words_of(tokens: tuple[str, ...]) -> Words:
    """The meaning of the words before a declaration."""
    words = Words(**{_WORDS[token]: True for token in tokens})
    words.imported = words.imported or words.optional
    return words


def _nothing(*_: object) -> None:
    """Compiles nothing: the text has ended."""


class Declarations:
    """Compiles a text: the declarations one after another."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.code: Emitter = unit.code
        self.expressions: Expressions = Expressions(unit)
        self.statements: Statements = Statements(unit, self.expressions)
        self.statements.declare = self.local
        self.functions: Functions = Functions(unit, self.statements)
        self.structs: Structs = Structs(unit, self.functions)

    def run(self) -> None:
        """All of the text."""
        try:
            self._run()
        finally:
            # Types that refer to each other in a circle would wait for the collector.
            self.statements.by_token.clear()
            self.statements.declare = _nothing
            self.expressions.paths.expression = _nothing

    def _run(self) -> None:
        unit = self.unit
        tokens = unit.tokens
        while True:
            at = unit.at
            token = tokens[at]
            if not token:
                return
            if token[0] == '"':
                self._section(token)
                continue
            unit.mark(at)
            try:
                if token == "export":
                    self._export()
                else:
                    self._declaration()
            except ScriptError as error:
                if unit.repair is None:
                    raise
                self._go_on(unit.repair, at, error)

    def _go_on(self, repair: Repair, start: int, error: ScriptError) -> None:
        """Go on behind a declaration that is wrong."""
        unit = self.unit
        end = repair.behind_declaration(start, error.at)
        head = start
        while head < end and unit.tokens[head] not in ("{", ";"):
            head += 1
        declares = unit.tokens[start] in ("struct", "enum") or unit.tokens[head - 2] == "struct"
        repair.take(error, end)
        repair.doubt(start, end if declares else head)
        unit.at = end
        unit.level = 0
        unit.function = None
        self.statements.forget(0)
        self.statements.start_over()

    def _section(self, token: str) -> None:
        """A literal between declarations: the mark of a new source file."""
        unit = self.unit
        if unit.lines[unit.at] > 0:
            unit.fail("a literal stands between the declarations")
        line = abs(unit.lines[unit.at])
        if line != unit.marked:
            self.code.line = line
            unit.marked = line
        self.code.start_section(section_name(token))
        unit.line = 0
        unit.at += 1

    def _words(self) -> Words:
        """The words before a declaration."""
        unit = self.unit
        tokens = unit.tokens
        start = unit.at
        while tokens[unit.at] in _WORDS:
            unit.at += 1
            unit.mark(unit.at)
        return _words_of(tuple(tokens[start : unit.at]))

    def _declaration(self) -> None:
        """A declaration."""
        unit = self.unit
        words = self._words()
        token = unit.tokens[unit.at]
        if token == "struct":
            self.structs.struct(
                managed=words.managed,
                builtin=words.builtin,
                autoptr=words.autoptr,
                string=words.string,
            )
            return
        for word, field in () if not words.of_struct else _WORDS.items():
            if field in _OF_STRUCTS and getattr(words, field):
                unit.fail(f"expected 'struct' after {word!r}, got {unit.shown(unit.at)}")
        if token == "enum":
            self._enum()
            return
        kind = unit.pointed(token)
        if kind is None:
            if token in unit.symbols or token in ("}", "{"):
                unit.fail(f"expected a declaration, got {unit.shown(unit.at)}")
            unit.new_name("a type")
            self._unknown_type()
        self._typed(kind, words)

    def _unknown_type(self) -> None:
        unit = self.unit
        token = unit.tokens[unit.at]
        known = [name for name, item in unit.symbols.items() if isinstance(item, NamedType)]
        error = unit.error(f"{token!r} is not a type{did_you_mean(token, known)}", unit.at)
        error.unknown = token
        raise error

    def _typed(self, kind: NamedType | None, words: Words) -> None:
        """A declaration of a function or of variables."""
        unit = self.unit
        assert kind is not None
        unit.at += 1
        pointer = self.functions.pointer(kind)
        dynamic = self.functions.brackets(kind, pointer=pointer)
        unchecked = unit.tokens[unit.at] == "noloopcheck"
        unit.at += unchecked
        while True:
            at = unit.at
            name = unit.new_name("a variable or a function")
            following = unit.tokens[at + 1]
            if following in ("(", "::"):
                result = kind.number | (POINTER if pointer else 0) | (ARRAY if dynamic else 0)
                if words.const:
                    result |= s.CONST
                if words.readonly:
                    unit.fail("a function can't be readonly", at)
                self.functions.declare(
                    result,
                    imported=words.imported,
                    static=words.static,
                    protected=words.protected,
                    unchecked=unchecked,
                )
                return
            if dynamic or unchecked or words.static or words.protected:
                unit.fail(f"expected a function after {name!r}, got {unit.shown(at + 1)}", at + 1)
            self._variable(kind, words, pointer=pointer)
            if unit.tokens[unit.at] == ";":
                unit.see(unit.at)
                unit.at += 1
                return
            self._comma()

    def _comma(self) -> None:
        unit = self.unit
        unit.see(unit.at)
        if unit.tokens[unit.at] != ",":
            unit.fail(f"expected ',' or ';', got {unit.shown(unit.at)}")
        unit.at += 1

    # variables

    def _start(self, kind: NamedType, *, pointer: bool, imported: bool) -> Variable:
        """A variable whose name is the next token, with its array's brackets; not yet declared."""
        unit = self.unit
        at = unit.at
        name = unit.new_name("a variable")
        if kind.number == s.VOID:
            unit.fail("a variable can't be void", at)
        if kind.managed and not pointer and not imported:
            unit.fail(
                f"{kind.name} is managed: a variable can only point to one ('{kind.name} *')", at
            )
        if pointer and not kind.managed and not imported:
            unit.fail(f"can't point to {kind.name}: it is not managed", at)
        if not kind.defined and not pointer:
            unit.fail(f"the struct {kind.name} is only announced", at)
        item = Variable(name, s.GLOBAL, kind.number, 4 if pointer else kind.size)
        item.pointer = pointer
        unit.see(at)
        unit.at += 1
        if unit.tokens[unit.at] == "[":
            self._dimension(item, kind)
        item.simple = not item.array and (pointer or not kind.struct)
        return item

    def _dimension(self, item: Variable, kind: NamedType) -> None:
        """The size of an array."""
        unit = self.unit
        start = unit.at
        unit.at += 1
        item.array = True
        if unit.tokens[unit.at] == "]":
            item.dynamic = True
            if kind.struct and not kind.managed:
                unit.fail(f"can't make a dynamic array of {kind.name}: it is not managed", start)
        else:
            item.count = unit.constant("the size of the array")
            if item.count < 1:
                unit.fail("an array needs at least one element", start + 1)
            if kind.has_arrays:
                unit.fail(f"can't make an array of {kind.name}: it has dynamic arrays", start)
            if item.count * item.size > _LARGEST:
                unit.fail("the array is too large", start + 1)
        unit.expect("]")
        unit.see_range(start, unit.at - 1)

    def _variable(self, kind: NamedType, words: Words, *, pointer: bool) -> None:
        """A variable outside of functions."""
        unit = self.unit
        code = self.code
        at = unit.at
        if not words.imported or words.optional:
            self.functions.replace_import(unit.tokens[at], at)
        self.functions.check_new(unit.tokens[at], at)
        item = self._start(kind, pointer=pointer, imported=words.imported)
        item.readonly = words.readonly
        size = 4 if item.dynamic else item.size * item.count
        if not words.imported and len(code.data) + size > _MOST_DATA:
            unit.fail(f"the variables take more than {_MOST_DATA >> 20} MB", at)
        if words.imported:
            if unit.tokens[unit.at] == "=":
                unit.fail("an imported variable can't have an initial value")
            if kind.number == s.STRING:
                unit.fail("a string can't be imported: use char[]", at)
            item.imported = True
            item.offset = code.add_import(item.name)
        elif kind.number == s.STRING:
            self._check_string(item, at)
            buffer = code.add_data(bytes(_STRING_SIZE))
            item.offset = code.add_data(buffer.to_bytes(4, "little").ljust(size, b"\0"))
            code.fixups.append(item.offset << 3 | o.FIX_DATA_IN_DATA)
        else:
            content = bytes(size)
            if unit.tokens[unit.at] == "=":
                content = self._initial(item, size)
            item.offset = code.add_data(content)
        unit.symbols[item.name] = item

    def _check_string(self, item: Variable, at: int) -> None:
        """Fail if an old string can't be declared."""
        unit = self.unit
        if not unit.options.old_strings:
            unit.fail("the type string needs EnforceNewStrings off: use String", at)
        if item.dynamic:
            unit.fail("there are no dynamic arrays of string", at)
        if unit.tokens[unit.at] == "=":
            unit.fail("a string can't have an initial value: use StrCopy")

    def _initial(self, item: Variable, size: int) -> bytes:
        """The initial value of a variable outside of functions."""
        unit = self.unit
        unit.at += 1
        at = unit.at
        if item.pointer or item.array:
            unit.fail(f"{item.name!r} can't have an initial value here: it is a pointer or array")
        if unit.types[item.type].struct:
            unit.fail("a struct can't have an initial value")
        if item.type == s.FLOAT:
            negative = unit.tokens[unit.at] == "-"
            unit.at += negative
            token = unit.tokens[unit.at]
            if "." not in token or token[0] not in DIGITS:
                unit.fail(f"expected a number with a point, got {unit.shown(unit.at)}")
            value = self.expressions.float_bits(token, unit.at, negative=negative)
            unit.at += 1
        else:
            value = unit.constant("a whole number")
        unit.see_range(at, unit.at - 1)
        return (value & 0xFFFFFFFF).to_bytes(4, "little")[:size]

    def local(self) -> None:
        """A declaration of variables in a function."""
        unit = self.unit
        at = unit.at
        readonly = unit.tokens[at] == "readonly"
        if readonly:
            unit.at += 1
            unit.mark(unit.at)
        kind = unit.pointed(unit.tokens[unit.at])
        if kind is None:
            unit.fail(f"expected a type, got {unit.shown(unit.at)}")
        unit.at += 1
        pointer = self.functions.pointer(kind)
        while True:
            self._local(kind, pointer=pointer, readonly=readonly)
            if unit.tokens[unit.at] == ";":
                unit.see(unit.at)
                unit.at += 1
                return
            self._comma()

    def _local(self, kind: NamedType, *, pointer: bool, readonly: bool) -> None:
        """A variable in a function."""
        unit = self.unit
        code = self.code
        at = unit.at
        if unit.tokens[at + 1] in ("(", "::"):
            unit.fail("a function can't be inside another: perhaps a '}' is missing", at)
        self.functions.check_new(unit.tokens[at], at)
        item = self._start(kind, pointer=pointer, imported=False)
        item.kind = s.LOCAL
        item.level = unit.level
        item.readonly = readonly
        size = 4 if item.dynamic else item.size * item.count
        assigned = False
        if kind.number == s.STRING:
            self._check_string(item, at)
            code.op2(o.MOVE, o.SP, o.CX)
            code.depth += _STRING_SIZE
            code.op2(o.ADDI, o.SP, _STRING_SIZE)
            item.buffer = True
        elif unit.tokens[unit.at] == "=":
            self._local_value(item)
            assigned = True
        item.offset = code.depth
        code.op2(o.MOVE, o.SP, o.MAR)
        if assigned:
            indirect = item.pointer or item.dynamic
            code.op1(o.INIT_POINTER if indirect else writer(size), o.AX)
        elif item.buffer:
            code.op1(o.WRITE, o.CX)
        elif code.old:
            code.op2(o.WRITE_LITERAL, size, 0)
        else:
            code.op1(o.ZERO, size)
        if size:
            code.depth += size
            code.op2(o.ADDI, o.SP, size)
        unit.symbols[item.name] = item
        unit.locals.append(item)

    def _local_value(self, item: Variable) -> None:
        """The initial value of a variable in a function, to AX."""
        unit = self.unit
        if item.array and not item.dynamic:
            unit.fail("an array can't have an initial value")
        unit.see(unit.at)
        unit.at += 1
        at = unit.at
        self.expressions.whole()
        wanted = item.value_type
        self.expressions.make_string(wanted)
        unit.check_convertible(unit.value, wanted, at)

    # enums and exports

    def _enum(self) -> None:
        """An enum."""
        unit = self.unit
        start = unit.at
        unit.at += 1
        name = unit.new_name("an enum")
        self.functions.check_new(name, unit.at)
        unit.names.add_type(name, 4, struct=False)
        unit.at += 1
        unit.expect("{")
        value = 0
        while unit.tokens[unit.at] != "}":
            member = unit.new_name("a member of the enum")
            self.functions.check_new(member, unit.at)
            unit.at += 1
            value = wrapped(value + 1)
            if unit.tokens[unit.at] == "=":
                unit.at += 1
                value = unit.constant("the value of the member")
            unit.symbols[member] = Constant(member, value)
            if unit.tokens[unit.at] != "}":
                unit.expect(",", "',' or '}'")
        unit.at += 1
        unit.expect(";")
        unit.see_range(start, unit.at - 1)

    def _export(self) -> None:
        """An export of variables and functions; functions are exported without it."""
        unit = self.unit
        start = unit.at
        while True:
            unit.at += 1
            token = unit.tokens[unit.at]
            if token == ";" and unit.at == start + 1:
                break
            item = unit.symbols.get(token)
            if item is None:
                unit.unknown(unit.at)
            if not isinstance(item, (Variable, Function)):
                unit.fail(f"{token!r} can't be exported")
            if item.imported:
                unit.fail(f"{token!r} is imported: it can't be exported")
            if isinstance(item, Variable):
                if item.type == s.STRING:
                    unit.fail("a string can't be exported: use char[200]")
                self.code.add_export(token, DATA_EXPORT, item.offset)
            unit.at += 1
            if unit.tokens[unit.at] == ";":
                break
            if unit.tokens[unit.at] != ",":
                unit.fail(f"expected ',' or ';', got {unit.shown(unit.at)}")
        unit.at += 1
        unit.see_range(start, unit.at - 1)
