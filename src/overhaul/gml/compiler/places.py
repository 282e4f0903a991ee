"""Compiling with a record of the places: which bytecode offset belongs to which source offset.

The official compilers write these pairs into .yydebug files, for the debugger.  A pair stands for
every value that is pushed directly (a constant, a variable, a call without arguments), for the
ways out of loops and functions, for the labels of a ``switch`` and for inner functions.  The rules
were read off the official files of 2014 (bytecode 13), 2018 (16) and 2023 (17), and agree with
them for every pair; docs/formats/yydebug.md lists them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from typing import Final, NamedTuple

from overhaul.gml.compiler.compiler import Compiler, run
from overhaul.gml.compiler.emitter import BRANCH, Label
from overhaul.gml.compiler.functions import HoistedArgument
from overhaul.gml.compiler.scopes import STRUCT, Scope
from overhaul.gml.compiler.variables import CHANGE, WRITE, Access
from overhaul.gml.context import Context
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.errors import ProblemList
from overhaul.gml.syntax.lexer import Tokens, tokenize
from overhaul.gml.vm.code import Code

_LEAVES: Final = (tree.Number, tree.Int64, tree.String, tree.Boolean, tree.Name)
_EXITS: Final = (tree.Break, tree.Continue, tree.Exit)
_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_FUNCTION_NAME: Final = re.compile(r"function\s+")
_OPENING: Final = frozenset({"(", "[", "{", "[|", "[?", "[#", "[@", "[$"})
_CLOSING: Final = frozenset({")", "]", "}"})
_CHANGE: Final = re.compile(r"\+\+|--|[-+*/%|&^?]+=")


class InnerFunction(NamedTuple):
    """What the source calls an inner function or struct, its parameters and locals.

    ``name`` is the short one: without the prefix and the outer names that its entry's name has.
    """

    name: str
    parameters: list[str]
    locals: list[str]


class Placed(NamedTuple):
    """Compiled code with its places.

    ``source`` is the text the offsets count in: it has the line ends the game was made with.
    ``places`` are (bytecode offset in bytes, source offset in characters), ascending; a source
    offset of 0xFFFFFFFF stands for what is not written in the source.  ``functions`` are those of
    ``code.children``, in their order.
    """

    code: Code
    source: str
    places: list[tuple[int, int]]
    functions: list[InnerFunction]


def compile_with_places(
    source: str,
    context: Context,
    kind: str = "event",
    name: str = "",
    *,
    previous: Code | None = None,
) -> Placed:
    """As :func:`overhaul.gml.compiler.compile`, with the places; the same errors."""
    compiler = run(PlacedCompiler, source, context, kind, name, previous)
    assert isinstance(compiler, PlacedCompiler)
    code = compiler.finish()
    return Placed(code, compiler.source, sorted(compiler.places.items()), compiler.inner)


class PlacedCompiler(Compiler):
    """A compiler that notes places; of several at one bytecode offset the last counts."""

    def __init__(
        self, context: Context, source: str, kind: str, name: str, previous: Code | None
    ) -> None:
        super().__init__(context, source, kind, name, previous)
        self.places: dict[int, int] = {}
        self.inner: list[InnerFunction] = []
        self._cases: dict[int, int] = {}  # id of a label's value -> position of its `case`
        self._dots: dict[int, int] = {}
        self._default = -1
        self._accessed = -1
        self._struct = -1
        self._structs: list[int] = []
        self._scopes: list[Scope] = []
        self._own_names: list[str] = []
        self._tokens: Tokens | None = None

    def mark(self, position: int, back: int = 0) -> None:
        """Note a place, ``back`` words before the end of the code so far."""
        self.places[(self.size - back) * 4] = position & 0xFFFFFFFF

    def mark_name(self, position: int) -> None:
        """Note the place of a name; what a macro stands for has its place in the macro's text."""
        if position >= 0 and self.context.macros:
            found = _NAME.match(self.source, position)
            if found is not None and found.group() in self.context.macros:
                position = 0
        self.mark(position)

    # -------------------------------------------------------------------------------------------
    # Values

    def emit(self, node: tree.Expression) -> int:
        if isinstance(node, _LEAVES):
            self.mark_name(node.position)
        elif isinstance(node, tree.Call) and not node.arguments:
            self.mark_name(node.function.position)
        elif (isinstance(node, tree.New) and not node.arguments) or (
            isinstance(node, tree.ArrayLiteral) and not node.elements
        ):
            self.mark(node.position)
        return super().emit(node)

    def expression(self, node: tree.Expression) -> int:
        case = self._cases.get(id(node), -1)
        if case >= 0:  # the switch has just doubled its value to compare it
            self.mark(case, 1)
        return super().expression(node)

    def enum_constant(self, value: int, position: int) -> tree.Expression:
        """A member of an enum: its place is the dot."""
        found = _NAME.match(self.source, position) if position >= 0 else None
        return super().enum_constant(value, position if found is None else found.end())

    def access(self, node: tree.Expression, purpose: int) -> Access:
        self._accessed = node.position
        if purpose != WRITE:
            if isinstance(node, tree.Name):
                if purpose >= CHANGE:
                    self.mark(self.before_operator(node.position))
                else:
                    self.mark_name(node.position)
            elif isinstance(node, tree.Member) and self.instance_number(node.object) is not None:
                self.mark(self.source.find(".", node.object.position) + 1)
        if isinstance(node, tree.Index):
            self.mark_name(self._dots.get(id(node), node.position))
        return super().access(node, purpose)

    def member_access(self, node: tree.Member) -> Access:
        if isinstance(node.object, tree.Index):  # the place of `a[i]` in `a[i].x` is the dot
            self._dots[id(node.object)] = self.behind(node.object)
        return super().member_access(node)

    def before_operator(self, position: int) -> int:
        """The character before the operator of a compound assignment, or before ``++``."""
        found = _CHANGE.search(self.source, max(position, 0))
        return position if found is None else found.start() - 1

    def push_instance(self, node: tree.Expression) -> bool:
        instance = self.instance_number(node)
        if instance is not None and not self.is_computed(instance):
            self.mark_name(node.position)
        return super().push_instance(node)

    def with_target(self, node: tree.Expression) -> None:
        if isinstance(node, tree.Name):
            self.mark_name(node.position)  # also of `other`, where that is an instance's id
        super().with_target(node)

    def automatic_array(self, access: Access) -> None:
        if self.size * 4 not in self.places and self._accessed >= 0:
            self.mark_name(self._accessed)
        super().automatic_array(access)

    def first_element(self) -> None:
        self.mark(-1)  # an index that is not written
        super().first_element()

    def call_method(self, node: tree.Call) -> int:
        type_ = super().call_method(node)
        if isinstance(node.function, tree.Name):  # the function, pushed before its call
            self.mark(node.position, 3)
        return type_

    # -------------------------------------------------------------------------------------------
    # Statements

    def statements(self, statements: list[tree.Statement]) -> None:
        for statement in statements:
            if isinstance(statement, _EXITS):
                self.mark(statement.position)
            elif isinstance(statement, tree.Switch):
                for case in statement.cases:
                    if case.value is not None:
                        self._cases[id(case.value)] = case.position
                    else:
                        self._default = case.position
            super().statements([statement])
            self.end_of_block(statement)

    def statement(self, node: tree.Statement) -> None:
        super().statement(node)
        self.end_of_block(node)

    def end_of_block(self, node: tree.Statement) -> None:
        """The closing brace: where nothing else begins, it is what comes next."""
        if self.v2 and isinstance(node, tree.Block) and node.end >= 0:
            self.mark(node.end)

    def branch(self, opcode: int, label: Label) -> None:
        if self._default >= 0 and opcode == BRANCH:  # from the labels of a switch to its default
            self.mark(self._default)
            self._default = -1
        super().branch(opcode, label)

    # -------------------------------------------------------------------------------------------
    # Functions and structs

    def body(self, node: tree.Function, own: str, code_name: str) -> None:
        self.mark(node.position)
        super().body(node, own, code_name)
        self.mark(node.position)
        parameters = [parameter.name for parameter in node.parameters]
        locals_ = _in_source_order(node.body, self._scopes.pop().locals)
        self.inner.append(InnerFunction(own, parameters, locals_))

    def function_value_of(self, node: tree.Function, static: str = "") -> None:
        super().function_value_of(node, static)
        if node.name and not self.dialect.optimized_function_declarations:
            found = _FUNCTION_NAME.match(self.source, max(node.position, 0))
            if found is not None:
                self.mark(found.end(), 3)  # the owner of the variable that keeps it

    # The official compilers count the place of a struct in tokens instead of characters.

    def struct(self, node: tree.StructLiteral) -> int:
        if not node.members and self.dialect.optimized_function_declarations:
            self.mark(node.position)
            return super().struct(node)
        self._struct = number = self.token(node.position)
        place = len(self._own_names)
        type_ = super().struct(node)
        if not self.dialect.optimized_function_declarations:
            self.mark(number, 5)  # the owner of the variable that keeps the function
        own = self._own_names[place]
        del self._own_names[place:]
        self.inner.append(InnerFunction(own, [], list(self._scopes.pop().locals)))
        return type_

    def enter_scope(self, kind: int, own: str) -> Scope:
        if kind == STRUCT:
            self.mark(self._struct, 1)
            self._structs.append(self._struct)
            self._own_names.append(own)
        outer = super().enter_scope(kind, own)
        self._scopes.append(self.scope)
        return outer

    def push_method(self, code_name: str, constructor: bool, static: bool) -> None:
        if code_name.startswith("gml_Script____struct___") and self._structs:
            self.mark(self._structs.pop())
        super().push_method(code_name, constructor, static)

    def hoist(self, value: tree.Expression, hoisted: list[tree.Expression]) -> tree.Expression:
        result = super().hoist(value, hoisted)
        if isinstance(result, HoistedArgument) and result.position < 0:
            result.position = value.position
        return result

    def hoisted_argument(self, node: HoistedArgument) -> int:
        number = self.token_behind(node.position)
        self.mark(number)
        type_ = super().hoisted_argument(node)
        self.mark(number, 3)  # its index
        return type_

    def token(self, position: int) -> int:
        """The number of the token at a source offset."""
        return bisect_left(self.tokens().positions, position)

    def token_behind(self, position: int) -> int:
        """The number of the token that ends the value at a source offset: a comma or a bracket."""
        kinds = self.tokens().kinds
        depth = 0
        for number in range(self.token(position), len(kinds)):
            kind = kinds[number]
            if kind in _OPENING:
                depth += 1
            elif depth <= 0 and kind in (",", "}", "]"):
                return number
            elif kind in _CLOSING:
                depth -= 1
        return len(kinds)

    def behind(self, node: tree.Expression) -> int:
        """The offset of the dot behind an element: where its last bracket has closed."""
        brackets = 0
        inner = node
        while isinstance(inner, (tree.Index, tree.Member, tree.Call)):
            brackets += not isinstance(inner, tree.Member)
            inner = inner.function if isinstance(inner, tree.Call) else inner.object
        tokens = self.tokens()
        depth = 0
        for number in range(self.token(node.position), len(tokens.kinds)):
            kind = tokens.kinds[number]
            if kind in _OPENING:
                depth += 1
            elif kind in _CLOSING:
                depth -= 1
                brackets -= depth == 0
            elif kind == "." and depth == 0 and brackets <= 0:
                return tokens.positions[number]
        return node.position

    def tokens(self) -> Tokens:
        """The tokens of the source, with no macro replaced."""
        if self._tokens is None:
            self._tokens = tokenize(
                self.source,
                ProblemList(self.source),
                gms2=self.dialect.gms2_or_later,
                v2=self.dialect.gml_v2,
            )
        return self._tokens


def _in_source_order(body: tree.Node, names: Iterable[str]) -> list[str]:
    """Locals in the order in which the source declares them; others behind."""
    declared: dict[str, int] = {}
    stack: list[tree.Node] = [body]
    while stack:
        node = stack.pop()
        if isinstance(node, tree.Var):
            for declarator in node.declarators:
                first = declared.get(declarator.name, declarator.position)
                declared[declarator.name] = min(first, declarator.position)
        if not isinstance(node, tree.Function):
            stack.extend(node.children())
    behind = max(declared.values(), default=0) + 1
    return sorted(names, key=lambda name: declared.get(name, behind))
