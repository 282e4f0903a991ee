"""Functions: their heads, the prologue, the body, and the end."""

from __future__ import annotations

from typing import Final

from overhaul.ags.language import opcodes as o
from overhaul.ags.language import symbols as s
from overhaul.ags.language.emitter import Emitter
from overhaul.ags.language.options import COUNTED_IMPORTS, FUNCTION_BASES, SHORT_CIRCUITS
from overhaul.ags.language.statements import Statements
from overhaul.ags.language.symbols import (
    ARRAY,
    CONST,
    NAMED,
    POINTER,
    Function,
    NamedType,
    Symbol,
    Variable,
)
from overhaul.ags.language.unit import DIGITS, Unit, is_name

_MOST_PARAMETERS: Final = 90
#: Lists of more tokens are not kept.
_LONG_LIST: Final = 40
Types = tuple[int, ...]
Defaults = tuple["int | None", ...]


class Parameter:
    """A parameter as declared."""

    __slots__ = ("at", "default", "name", "type")

    def __init__(self, kind: int, at: int) -> None:
        self.type: int = kind
        self.at: int = at
        self.name: str = ""
        self.default: int | None = None


class Functions:
    """Compiles functions."""

    def __init__(self, unit: Unit, statements: Statements) -> None:
        self.unit = unit
        self.code: Emitter = unit.code
        self.statements = statements
        #: The types and the default values of parameters by their tokens, and whether more follow.
        self._lists: dict[tuple[str, ...], tuple[Types, Defaults, bool]] = {}

    # parts of declarations

    def pointer(self, kind: NamedType) -> bool:
        """The asterisk behind a type, which a type of automatic pointers has not."""
        unit = self.unit
        if unit.tokens[unit.at] == "*":
            if not kind.struct:
                unit.fail(f"can't point to {kind.name}: it is not a struct")
            if kind.autoptr:
                unit.fail(f"{kind.name} is a pointer without '*'")
            unit.see(unit.at)
            unit.at += 1
            return True
        return kind.autoptr

    def brackets(self, kind: NamedType, *, pointer: bool) -> bool:
        """The empty brackets of a dynamic array."""
        unit = self.unit
        if unit.tokens[unit.at] != "[":
            return False
        unit.at += 1
        if unit.tokens[unit.at] != "]":
            unit.fail("expected ']': an array of fixed size can't stand here")
        unit.at += 1
        if kind.struct and not (kind.managed and pointer):
            unit.fail(f"expected pointers to a managed struct before '[]', got {kind.name}")
        return True

    def check_new(self, name: str, at: int) -> None:
        """Fail if a name is declared."""
        unit = self.unit
        if name in unit.symbols:
            raise unit.error(f"{name!r} is already declared", at, redeclared=name)

    def replace_import(self, name: str, at: int) -> Symbol | None:
        """Forget an import, because the text declares the name itself; returns it."""
        unit = self.unit
        item = unit.symbols.get(name)
        if isinstance(item, Function):
            slot = item.address
        elif isinstance(item, Variable) and not item.attribute:
            slot = item.offset
        else:
            return None
        if not item.imported:
            return None
        if slot in self.code.used:
            unit.fail(f"{name!r} is used above as an import: define it before using it", at)
        del unit.symbols[name]
        return item

    # functions

    def declare(
        self, result: int, *, imported: bool, static: bool, protected: bool, unchecked: bool
    ) -> None:
        """A function whose name is the next token."""
        unit = self.unit
        at = unit.at
        owner, name = self._name()
        extender = unit.tokens[unit.at + 1] in ("this", "static")
        unit.expect("(")
        if extender:
            if owner is not None:
                unit.fail("a function of a struct can't extend another", at)
            static = unit.tokens[unit.at] == "static"
            if not imported:  # the official compiler takes the short name for a definition first
                self.replace_import(name, at)
            owner, name = self._extended(name, static=static)
        elif static and owner is None:
            unit.fail("only functions of a struct can be static", at)
        self._check_result(result, at)
        previous = None if imported else self.replace_import(name, at)
        self.check_new(name, at)
        if owner is not None:
            unit.names.fresh.add(name.rpartition(":")[2])
        function = Function(name, result)
        function.imported = imported
        function.static = static
        function.protected = protected
        if isinstance(previous, Function):
            function.static = static or previous.static
            function.protected = protected or previous.protected
        if imported:
            self.parameters(function)
            if unchecked:
                unit.fail("an imported function can't be noloopcheck", at)
            self.add_import(function, member=False)
            unit.symbols[name] = function
            unit.taken(";")
            unit.see_range(at, unit.at - 1)
            return
        parameters = self._parameters(function)
        if previous is not None:
            self._check_prototype(function, previous, at)
        if unit.tokens[unit.at] != "{":
            unit.fail(f"expected '{{', got {unit.shown(unit.at)}")
        unit.see_range(at, unit.at - 1)
        self._define(function, parameters, owner, unchecked=unchecked)

    def _name(self) -> tuple[NamedType | None, str]:
        """The name of a function that is declared, and the struct that it belongs to."""
        unit = self.unit
        name = unit.tokens[unit.at]
        if unit.tokens[unit.at + 1] != "::":
            unit.at += 1
            return None, name
        owner = unit.pointed(name)
        if owner is None:
            unit.fail(f"expected a struct before '::', got {unit.shown(unit.at)}")
        full = f"{name}::{unit.tokens[unit.at + 2]}"
        if not isinstance(unit.symbols.get(full), Function):
            unit.fail(f"{name} declares no function {unit.tokens[unit.at + 2]!r}", unit.at + 2)
        unit.at += 3
        if unit.tokens[unit.at] != "(":
            unit.fail(f"expected '(', got {unit.shown(unit.at)}")
        return owner, full

    def _extended(self, name: str, *, static: bool) -> tuple[NamedType, str]:
        """The struct that a function extends, and the function's full name."""
        unit = self.unit
        unit.at += 1
        owner = unit.pointed(unit.tokens[unit.at])
        if owner is None or not owner.struct:
            unit.fail(f"expected a struct to extend, got {unit.shown(unit.at)}")
        unit.at += 1
        if not static:
            unit.expect("*")
        token = unit.tokens[unit.at]
        if token == ",":
            unit.at += 1
        elif token != ")":
            unit.fail(f"expected ',' or ')', got {unit.shown(unit.at)}")
        return owner, f"{owner.name}::{name}"

    def _check_result(self, result: int, at: int) -> None:
        """Fail if a function can't return a type."""
        kind = self.unit.types[result & NAMED]
        if kind.struct and not result & POINTER:
            self.unit.fail(f"a function can't return a whole {kind.name}", at)

    def add_import(self, function: Function, *, member: bool) -> None:
        """The slot of an imported function."""
        name = function.name
        if member or self.unit.options.editor >= COUNTED_IMPORTS:
            name = f"{name}^{function.count}"
        function.address = self.code.add_import(name)

    def forget_parameters(self) -> None:
        """Forget what lists of parameters mean: a type has changed."""
        self._lists.clear()

    def parameters(self, function: Function) -> None:
        """The parameters of a function that is imported, up to and with the bracket."""
        unit = self.unit
        start = unit.at
        tokens = unit.tokens
        if tokens[start] == ")":
            unit.at = start + 1
            return
        key: tuple[str, ...] = ()
        if ")" in tokens[start : start + _LONG_LIST]:
            key = tuple(tokens[start : tokens.index(")", start)])
            known = self._lists.get(key)
            if known is not None:
                function.parameters, function.defaults, function.variadic = known
                unit.at = start + len(key) + 1
                return
        self._parameters(function)
        if unit.at == start + len(key) + 1:
            self._lists[key] = function.parameters, function.defaults, function.variadic

    def _parameters(self, function: Function) -> list[Parameter]:
        """The parameters, up to and with the closing bracket."""
        unit = self.unit
        result: list[Parameter] = []
        while unit.tokens[unit.at] != ")":
            if unit.tokens[unit.at] == "...":
                function.variadic = True
                unit.at += 1
                break
            parameter = self._parameter(function)
            result.append(parameter)
            if len(result) > _MOST_PARAMETERS:
                unit.fail(f"{function.name} has too many parameters", parameter.at)
            if unit.tokens[unit.at] != ",":
                break
            unit.at += 1
        if unit.tokens[unit.at] != ")":
            unit.fail(f"expected ',' or ')', got {unit.shown(unit.at)}")
        unit.at += 1
        function.parameters = tuple([parameter.type for parameter in result])
        function.defaults = tuple([parameter.default for parameter in result])
        return result

    def _parameter(self, function: Function) -> Parameter:
        """One parameter."""
        unit = self.unit
        const = unit.tokens[unit.at] == "const"
        unit.at += const
        at = unit.at
        kind = unit.pointed(unit.tokens[at])
        if kind is None:
            unit.fail(f"expected the type of a parameter, got {unit.shown(at)}", at)
        if kind.number == s.VOID:
            unit.fail("a parameter can't be void", at)
        unit.at += 1
        pointer = self.pointer(kind)
        parameter = Parameter(kind.number | (POINTER if pointer else 0), unit.at)
        if unit.tokens[unit.at] == "[":
            self.brackets(kind, pointer=pointer)
            parameter.type |= ARRAY
        token = unit.tokens[unit.at]
        if is_name(token) and token not in unit.keywords:
            parameter.name = token
            unit.at += 1
        if unit.tokens[unit.at] == "=":
            unit.at += 1
            parameter.default = self._default(parameter)
        elif unit.tokens[unit.at] == "*=":
            unit.fail("write a space between '*' and '='")
        if unit.tokens[unit.at] == "[":
            self.brackets(kind, pointer=pointer)
            parameter.type |= ARRAY
            if unit.tokens[unit.at] == "=":
                unit.at += 1
                parameter.default = self._default(parameter)
        if kind.struct and not parameter.type & (POINTER | ARRAY):
            unit.fail(f"a whole {kind.name} can't be a parameter of {function.name}", at)
        if const:
            parameter.type |= CONST
        return parameter

    def _default(self, parameter: Parameter) -> int:
        """The default value of a parameter."""
        unit = self.unit
        negative = unit.tokens[unit.at] == "-"
        token = unit.tokens[unit.at + negative]
        if token == "null":
            unit.at += 1
            return 0
        if token and token[0] in DIGITS and "." in token:
            unit.at += negative + 1
            return self.statements.expressions.float_bits(token, unit.at - 1, negative=negative)
        value = unit.constant("a number as default value")
        if value and parameter.type & (POINTER | ARRAY):
            unit.fail("a pointer's default value can only be 0", unit.at - 1)
        return value

    def _check_prototype(self, function: Function, previous: Symbol, at: int) -> None:
        """Fail if a function is not what was announced; take the default values from there."""
        unit = self.unit
        if not isinstance(previous, Function):
            unit.fail(f"{function.name!r} was imported as a variable", at)
        if previous.count != function.count:
            unit.fail(
                f"{function.name} has {len(function.parameters)} parameters here, but"
                f" {len(previous.parameters)} where it is imported",
                at,
            )
        differs = previous.result != function.result and unit.options.editor >= SHORT_CIRCUITS
        if previous.parameters != function.parameters or differs:
            unit.fail(f"{function.name} has other types where it is imported", at)
        function.defaults = previous.defaults

    def _define(
        self,
        function: Function,
        parameters: list[Parameter],
        owner: NamedType | None,
        *,
        unchecked: bool,
    ) -> None:
        """The body of a function."""
        unit = self.unit
        code = self.code
        start = self._head(unit.at)
        unit.symbols[function.name] = function
        function.address = len(code.words)
        code.functions.append((function.name, function.address, function.count))
        unit.function = function
        code.depth = 0
        unit.level = 1
        for number, parameter in enumerate(parameters, start=1):
            self._declare_parameter(parameter, number)
        unit.mark(unit.at)
        unit.at += 1
        self._prologue(function, owner, unchecked=unchecked)
        self.statements.block()
        unit.mark(unit.at)
        unit.at += 1
        unit.level = 0
        if not code.old:
            code.load(o.AX, 0)
        self.statements.end_variables()
        code.op(o.RETURN)
        self.statements.end_switches()
        unit.function = None
        unit.names.bodies[function.name] = tuple(unit.tokens[start : unit.at])

    def _head(self, at: int) -> int:
        """Where the declaration begins that goes on at a token."""
        tokens = self.unit.tokens
        while at and tokens[at - 1] not in (";", "}") and tokens[at - 1][0] != '"':
            at -= 1
        return at

    def _declare_parameter(self, parameter: Parameter, number: int) -> None:
        """Make a parameter known in the function."""
        unit = self.unit
        if not parameter.name:
            unit.fail("the parameter has no name", parameter.at)
        self.check_new(parameter.name, parameter.at)
        item = Variable(parameter.name, s.LOCAL, parameter.type & NAMED, 4)
        item.level = 1
        item.parameter = True
        item.pointer = bool(parameter.type & POINTER)
        item.dynamic = item.array = bool(parameter.type & ARRAY)
        item.const = item.readonly = bool(parameter.type & CONST)
        item.offset = -4 * (number + 1)
        if item.array and not item.pointer:
            item.size = unit.types[item.type].size
        item.simple = not item.array and (item.pointer or not unit.types[item.type].struct)
        unit.symbols[item.name] = item
        unit.locals.append(item)

    def _prologue(self, function: Function, owner: NamedType | None, *, unchecked: bool) -> None:
        """The instructions before the first statement."""
        unit = self.unit
        code = self.code
        if unit.options.editor >= FUNCTION_BASES:
            code.op1(o.FUNCTION_BASE, len(code.words))
        if unchecked:
            code.op(o.LOOP_CHECK_OFF)
        for number, kind in enumerate(function.parameters, start=1):
            if kind & (POINTER | ARRAY):
                code.op1(o.LOCAL_ADDRESS, 4 * (number + 1))
                code.op1(o.READ, o.AX)
                code.op1(o.INIT_POINTER, o.AX)
        if owner is None or function.static:
            return
        item = Variable("this", s.LOCAL, owner.number, 4)
        item.level = 1
        item.pointer = item.this = item.readonly = True
        item.offset = code.depth
        code.op2(o.MOVE, o.SP, o.MAR)
        code.op2(o.WRITE_LITERAL, 4, 0)
        code.depth += 4
        code.op2(o.ADDI, o.SP, 4)
        unit.symbols["this"] = item
        unit.locals.append(item)
