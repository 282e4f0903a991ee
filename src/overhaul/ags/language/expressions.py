"""Expressions: operators, calls, literals.  Each leaves its value in AX and its type in the unit.

Every operator has a precedence of its own (see docs/formats/ags-compiler.md); in games without
LeftToRightPrecedence equal operators group to the right.
"""

from __future__ import annotations

import struct
from typing import Final

from overhaul.ags.language import opcodes as o
from overhaul.ags.language import symbols as s
from overhaul.ags.language.emitter import Emitter
from overhaul.ags.language.options import ARGUMENT_COUNTS, NEGATIVE_LITERALS, STATEMENTS
from overhaul.ags.language.parsing import Path
from overhaul.ags.language.paths import Paths
from overhaul.ags.language.symbols import (
    ARRAY,
    CONST,
    POINTER,
    Constant,
    Function,
    NamedType,
    Variable,
)
from overhaul.ags.language.unit import DIGITS, Unit

_DEEPEST: Final = 100
_JUMPS: Final = {"&&": o.JUMP_ZERO, "||": o.JUMP_NOT_ZERO}


class Expressions:
    """Compiles expressions of a unit."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.code: Emitter = unit.code
        self.tokens: list[str] = unit.tokens
        self.symbols: dict[str, s.Symbol] = unit.symbols
        self.paths: Paths = Paths(unit, self.between)
        self.depth: int = 0
        #: The values of literal whole numbers.
        self._values: dict[str, int] = {}
        self._left = unit.options.left_to_right
        self._counts = unit.options.editor >= ARGUMENT_COUNTS
        self._negative = unit.options.editor >= NEGATIVE_LITERALS
        self._objects = unit.options.editor >= STATEMENTS

    def between(self, start: int, end: int) -> None:
        """The expression that stands between two tokens."""
        if end - start == 1 and self._single(start):
            return
        unit = self.unit
        at = unit.at
        unit.at = start
        self.expression()
        if unit.at != end:
            unit.fail(f"expected an operator, got {unit.shown(unit.at)}")
        unit.at = at

    def _single(self, at: int) -> bool:
        """The token at a place as a value, if it is a variable, a constant or a literal."""
        token = self.tokens[at]
        symbol = self.symbols.get(token)
        code = self.code
        if symbol is not None:
            if isinstance(symbol, Variable):
                self.paths.read_variable(symbol, at)
                return True
            if not isinstance(symbol, Constant):
                return False
            value = symbol.value
        else:
            known = self._values.get(token)
            if known is None:
                return self._literal(token, at)
            value = known
        if code.line:
            code.flush()
        code.words += (o.LITERAL, o.AX, value)
        self.unit.value = s.INT
        return True

    def _literal(self, token: str, at: int) -> bool:
        """A token as a value, if it is a literal."""
        if not token:
            return False
        if token[0] in DIGITS:
            self._number(token, at)
            if self.unit.value == s.INT:
                self._values[token] = self.code.words[-1]
            return True
        if token[0] != '"':
            return False
        code = self.code
        if code.line:
            code.flush()
        code.words += (o.LITERAL, o.AX, self.unit.literals[token])
        code.fixups.append(len(code.words) - 1 << 3 | o.FIX_STRING)
        self.unit.value = s.STRING | CONST
        return True

    def whole(self) -> None:
        """The expression that comes next, up to a token that can't be part of it."""
        unit = self.unit
        self.expression()
        unit.skipped = unit.at

    def expression(self, loosest: int = o.LOOSEST) -> None:
        """An expression of operators that bind at least as tightly as ``loosest``."""
        unit = self.unit
        self.depth += 1
        if self.depth > _DEEPEST:
            unit.fail("the expression is nested too deeply")
        tokens = self.tokens
        at = unit.at
        if tokens[at + 1] not in _FOLLOWED and self._single(at):
            unit.at = at + 1
        else:
            self.operand(loosest)
        operators = o.OPERATORS
        while True:
            token = tokens[unit.at]
            if token not in operators:
                break
            precedence, instruction = operators[token]
            if precedence > loosest:
                break
            self._binary(token, precedence, instruction)
        self.depth -= 1

    def _binary(self, token: str, precedence: int, instruction: int) -> None:
        """An operator and its right side; the left one is in AX."""
        unit = self.unit
        code = self.code
        words = code.words
        at = unit.at
        unit.at = at + 1
        position = 0
        if token in _JUMPS and not code.old:
            words += (_JUMPS[token], 0, o.PUSH, o.AX)
            position = len(words) - 3
        else:
            words += _PUSH
        left = unit.value
        code.depth += 4
        following = self.tokens[at + 2]
        if following in o.OPERATORS or following in _FOLLOWED or not self._single(at + 1):
            self.expression(precedence - 1 if self._left else precedence)
        else:
            unit.at = at + 2
        code.depth -= 4
        right = unit.value
        if left != right:
            self._check_operands(left, right, at)
        if left != s.INT or right != s.INT:
            instruction = self.typed(instruction, right, left, at)
        words += (o.POP, o.BX, instruction, o.BX, o.AX, o.MOVE, o.BX, o.AX)
        if position:
            code.patch(position)
        if instruction in o.COMPARISONS:
            unit.value = s.INT

    def _check_operands(self, left: int, right: int, at: int) -> None:
        """Fail if the sides of an operator don't go together."""
        unit = self.unit
        if not unit.converts(right, left) and not unit.converts(left, right):
            text = unit.names.text
            operator = unit.tokens[at]
            unit.fail(f"{operator!r} can't work on {text(left)} and {text(right)}", at)

    def typed(self, instruction: int, value: int, other: int, at: int) -> int:
        """The form of an instruction for the types that it works on (``other`` 0: only one)."""
        unit = self.unit
        wrong = False
        if s.FLOAT in (value, other):
            form = o.ON_FLOATS.get(instruction)
            wrong = form is None
            instruction = form or instruction
        if instruction in (o.EQUAL, o.NOT_EQUAL) and unit.is_text(value) and unit.is_text(other):
            return o.STRINGS_EQUAL if instruction == o.EQUAL else o.STRINGS_NOT_EQUAL
        if (value | other) & POINTER or unit.is_string(value) or (other and unit.is_string(other)):
            compared = other and instruction in (o.EQUAL, o.NOT_EQUAL)
            wrong = not compared or unit.is_string(value)
        if wrong:
            text = unit.names.text
            operator = unit.tokens[at]
            unit.fail(f"{operator!r} can't work on {text(other or value)}", at)
        return instruction

    def operand(self, loosest: int) -> None:
        """The operand left or right of an operator."""
        unit = self.unit
        at = unit.at
        token = self.tokens[at]
        symbol = self.symbols.get(token)
        if symbol is not None:
            if isinstance(symbol, Function):
                self.call(symbol, None, at + 1)
            elif isinstance(symbol, Constant):
                self._single(at)
                unit.at = at + 1
            elif isinstance(symbol, Variable) and self.tokens[at + 1] == ".":
                self._member(symbol, at)
            else:
                self._path(symbol)
        elif token == "(":
            self._brackets()
        elif token in _PREFIXES:
            self._prefix(token, loosest)
        elif token == "null":
            self.code.load(o.AX, 0)
            unit.value = s.NULL | POINTER
            unit.at = at + 1
        elif self._single(at):
            unit.at = at + 1
        elif unit.guessed(at):
            self.operand(loosest)
        else:
            unit.unknown(at)

    def _member(self, item: Variable, at: int) -> None:
        """A variable at a token with a member behind it."""
        following = self.tokens[at + 3]
        name = self.tokens[at + 2]
        if following == "(":
            function = self.paths.method(item, name)
            if function is not None:
                self.call(function, item, at + 3)
                return
        elif following not in _MORE and self.paths.read_member(item, name):
            self.unit.at = at + 3
            return
        self._path(item)

    def _path(self, symbol: s.Symbol) -> None:
        """A variable, or a member of it or of a type."""
        unit = self.unit
        if isinstance(symbol, NamedType) and unit.tokens[unit.at + 1] != ".":
            unit.fail(f"{symbol.name!r} is a type, not a value")
        at = unit.at
        path = self.paths.parse(at)
        if path.call is not None:
            self.call(path.call, path, path.end)
        else:
            self.paths.read(path)
            unit.at = path.end

    def _brackets(self) -> None:
        """An expression in brackets."""
        unit = self.unit
        start = unit.at
        end = self.paths.close(start)
        if end == start + 1:
            unit.fail("expected a value between the brackets", end)
        self.between(start + 1, end)
        unit.at = end + 1

    def _number(self, token: str, at: int) -> None:
        """A number."""
        unit = self.unit
        if "." in token:
            self.code.load(o.AX, self.float_bits(token, at))
            unit.value = s.FLOAT
        else:
            self.code.load(o.AX, unit.number(token, at))
            unit.value = s.INT

    def float_bits(self, token: str, at: int, *, negative: bool = False) -> int:
        """A literal float as the machine has it."""
        whole, _, rest = token.partition(".")
        value = float(f"{whole}.{rest.partition('.')[0]}0"[:400])
        try:
            bits: int = struct.unpack("<i", struct.pack("<f", -value if negative else value))[0]
        except OverflowError:
            self.unit.fail(f"the number {token[:40]} is too large", at)
        return bits

    def _prefix(self, token: str, loosest: int) -> None:
        """An operator with only a right side."""
        unit = self.unit
        code = self.code
        at = unit.at
        unit.at += 1
        following = unit.tokens[unit.at]
        if token == "new":
            self._new()
            return
        if token == "!":
            if following in _PREFIXES:
                unit.fail(f"expected a value after '!', got {unit.shown(unit.at)}")
            self.expression(0)
            self.typed(o.NOT, unit.value, 0, at)
            code.op1(o.NOT, o.AX)
            return
        if following == "-":
            unit.fail("expected a value after '-', got '-'")
        if self._negative and following and following[0] in DIGITS and "." not in following:
            code.load(o.AX, unit.number(following, unit.at, negative=True))
            unit.value = s.INT
            unit.at += 1
            return
        inner = o.SUM - 1 if self._left else o.SUM
        self.expression(inner if loosest else 0)
        instruction = self.typed(o.SUBTRACT, unit.value, 0, at)
        code.load(o.BX, 0)
        code.op2(instruction, o.BX, o.AX)
        code.op2(o.MOVE, o.BX, o.AX)

    def _new(self) -> None:
        """``new T`` or ``new T[n]``; The parser is past ``new``."""
        unit = self.unit
        code = self.code
        at = unit.at
        item = unit.pointed(unit.tokens[at])
        if item is None:
            unit.fail(f"expected a type after 'new', got {unit.shown(at)}")
        unit.at += 1
        if unit.tokens[unit.at] != "[":
            if not self._objects:
                unit.fail("expected '[': this version's 'new' makes arrays only")
            if not item.struct or not item.managed or item.builtin:
                unit.fail(f"'new' needs a managed struct of a script, got {item.name}", at)
            code.op2(o.NEW_OBJECT, o.AX, item.size)
            unit.value = item.number | POINTER
            return
        opened = unit.at
        end = self.paths.close(opened)
        self.between(opened + 1, end)
        if unit.value != s.INT:
            unit.fail("the size of an array must be an int", opened + 1)
        unit.at = end + 1
        if item.struct and not item.managed:
            unit.fail(f"can't make a dynamic array of {item.name}: it is not managed", at)
        code.op3(o.NEW_ARRAY, o.AX, 4 if item.managed else item.size, int(item.managed))
        unit.value = item.number | ARRAY | (POINTER if item.managed else 0)

    # calls

    def call(self, function: Function, path: Path | Variable | None, opened: int) -> None:
        """A call of a function, of the object at a path or in a variable, whose arguments' bracket
        opens at a token."""
        unit = self.unit
        code = self.code
        if unit.tokens[opened] != "(":
            unit.fail(f"expected '(' after {function.name!r}, got {unit.shown(opened)}", opened)
        closed, starts = self._arguments(opened)
        wanted = len(function.parameters)
        given = len(starts)
        if given > wanted and not function.variadic:
            unit.fail(
                f"{function.name} takes {wanted} argument{'s'[: wanted != 1]}, got {given}", opened
            )
        words = code.words
        target = None if function.static else path
        if target is not None:
            if code.line:
                code.flush()
            words += _PUSH_OBJECT
            code.depth += 4
        imported = function.imported
        push = _PUSH_ARGUMENT if imported else _PUSH
        count = given
        if given < wanted:
            count = wanted
            self._default_arguments(function, given, opened)
        end = closed
        parameters = function.parameters
        for number in range(given - 1, -1, -1):
            start = starts[number]
            if end - start != 1 or not self._single(start):
                self.between(start, end)
            end = start - 1
            if number < wanted and unit.value != parameters[number]:
                self.convert(parameters[number], start)
            words += push
            if not imported:
                code.depth += 4
        if target is not None:
            if isinstance(target, Variable):
                self.paths.read_variable(target, opened - 3)
            else:
                self.paths.read(target)
            words += _SET_OBJECT
        if imported:
            self._call_imported(function.address, count)
        else:
            self._call_own(function, count)
        unit.value = function.result
        if target is not None:
            words += _POP_OBJECT
            code.depth -= 4
        unit.at = closed + 1

    def _call_imported(self, slot: int, count: int) -> None:
        """The call of an import, whose arguments are pushed."""
        code = self.code
        words = code.words
        if code.line:
            code.flush()
        if self._counts:
            words += (o.ARGUMENT_COUNT, count)
        code.fixups.append(len(words) + 2 << 3 | o.FIX_IMPORT)
        code.used.add(slot)
        words += (o.LITERAL, o.AX, slot, o.CALL_IMPORT, o.AX)
        if count:
            words += (o.DROP_ARGUMENTS, count)

    def _arguments(self, opened: int) -> tuple[int, list[int]]:
        """Where the bracket of arguments closes, and where each of them begins."""
        tokens = self.tokens
        at = opened + 1
        first = tokens[at]
        if first == ")":
            return at, _NONE
        if tokens[at + 1] == ")" and first not in _NO_ARGUMENT:
            return at + 1, [at]
        closed = self.paths.close(opened)
        starts = [at]
        within = tokens[at:closed]
        if "," in within:
            if _OPENED.isdisjoint(within):
                for _ in range(within.count(",")):
                    at = tokens.index(",", at) + 1
                    starts.append(at)
            else:
                while at < closed:
                    token = tokens[at]
                    if token == ",":
                        starts.append(at + 1)
                    elif token in _OPENED:
                        at = self.paths.close(at)
                    at += 1
        for start in starts:
            if start == closed or tokens[start] == ",":
                self.unit.fail("an argument is missing", start)
        return closed, starts

    def _default_arguments(self, function: Function, given: int, at: int) -> None:
        """Push the arguments that are not given."""
        code = self.code
        wanted = len(function.parameters)
        for number in range(wanted - 1, given - 1, -1):
            default = function.defaults[number]
            if default is None:
                self.unit.fail(
                    f"{function.name} takes {wanted} argument{'s'[: wanted != 1]}, got {given}", at
                )
            code.load(o.AX, default)
            if function.imported:
                code.words += _PUSH_ARGUMENT
            else:
                code.words += _PUSH
                code.depth += 4

    def convert(self, wanted: int, at: int) -> None:
        """Make the value in AX one of the type ``wanted``, or fail."""
        unit = self.unit
        if unit.value == wanted:
            return
        self.make_string(wanted)
        unit.check_convertible(unit.value, wanted, at)
        if unit.value & ~POINTER == unit.names.string_struct and wanted & ~CONST == s.STRING:
            self.code.op1(o.CHECK_NULL_REGISTER, o.AX)

    def make_string(self, wanted: int) -> None:
        """Make a literal a String if one is wanted."""
        unit = self.unit
        string = unit.names.string_struct
        if string and unit.value & ~CONST == s.STRING and wanted & ~POINTER == string:
            self.code.op1(o.CREATE_STRING, o.AX)
            unit.value = string | POINTER

    def _call_own(self, function: Function, count: int) -> None:
        """The instructions of the call of a function of the script itself."""
        code = self.code
        code.load(o.AX, function.address, o.FIX_FUNCTION)
        code.op1(o.CALL, o.AX)
        if count:
            code.depth -= count * 4
            code.op2(o.SUBI, o.SP, count * 4)


_PUSH_OBJECT: Final = (o.PUSH, o.OP)
_POP_OBJECT: Final = (o.POP, o.OP)
_SET_OBJECT: Final = (o.SET_OBJECT, o.AX)
_PUSH: Final = (o.PUSH, o.AX)
_PUSH_ARGUMENT: Final = (o.PUSH_ARGUMENT, o.AX)
_NONE: Final[list[int]] = []
_OPENED: Final = frozenset("([")
_NO_ARGUMENT: Final = frozenset({"(", "[", "{", ",", ""})
_MORE: Final = frozenset({".", "[", "("})
_FOLLOWED: Final = frozenset({".", "["})
_PREFIXES: Final = frozenset({"-", "!", "new"})
