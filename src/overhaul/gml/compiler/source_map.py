"""The source map: which bytecode offset belongs to which source offset.

The official compilers write these pairs into .yydebug files, for the debugger.  A pair stands for
every value that is pushed directly (a constant, a variable, a call without arguments), for the
ways out of loops and functions, for the labels of a ``switch`` and for inner functions.  In the
first releases with such files also for statements, operators and calls (``every_place``).  The
rules were read off the official files of 2013 and 2014 (bytecode 13), 2018 (16) and 2023 (17), and
agree with them for every pair; docs/formats/yydebug.md lists them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from overhaul.gml.compiler.emitter import Emitter
from overhaul.gml.compiler.nodes import CHANGE, WRITE
from overhaul.gml.context import Context
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.errors import ProblemList
from overhaul.gml.syntax.lexer import Tokens, tokenize

_LEAVES: Final = (tree.Number, tree.Int64, tree.String, tree.Boolean, tree.Name)
_EXITS: Final = (tree.Break, tree.Continue, tree.Exit)
_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_FUNCTION_NAME: Final = re.compile(r"function\s+")
_OPENING: Final = frozenset({"(", "[", "{", "[|", "[?", "[#", "[@", "[$"})
_CLOSING: Final = frozenset({")", "]", "}"})
_CHANGE: Final = re.compile(r"\+\+|--|[-+*/%|&^?]+=")


class InnerFunction(NamedTuple):
    """An inner function or struct as the source shows it: name, parameters and locals.

    ``name`` is the short one: without the prefix and the outer names that its entry's name has.
    """

    name: str
    parameters: list[str]
    locals: list[str]


class SourceMap:
    """Collects the pairs while code is emitted; the last of several at one bytecode offset counts.

    The emitting parts call a method per rule; a part that has no source map (None) calls none.
    """

    def __init__(self, code: Emitter, source: str, context: Context) -> None:
        self.code = code
        self.source = source
        self.macros: dict[str, str] = context.macros
        self.dialect: Dialect = context.dialect
        self.offsets: dict[int, int] = {}  # of the bytecode in bytes -> of the source
        self.every: bool = context.dialect.every_place
        self.pairs: list[tuple[int, int]] = []  # in the order of the code, if each one counts
        self.functions: list[InnerFunction] = []
        self._dots: dict[int, int] = {}  # id of an element left of a dot -> position of the dot
        self._accessed = -1
        self._tokens: Tokens | None = None

    def points(self) -> list[tuple[int, int]]:
        """The pairs, in ascending order of bytecode offsets."""
        return self.pairs if self.every else sorted(self.offsets.items())

    def mark(self, position: int, back: int = 0) -> None:
        """Note a source offset, ``back`` words before the end of the code so far."""
        pair = ((self.code.size - back) * 4, position & 0xFFFFFFFF)
        self.offsets[pair[0]] = pair[1]
        if self.every and pair not in self.pairs[-1:]:
            self.pairs.append(pair)

    def mark_name(self, position: int) -> None:
        """Note the offset of a name; what a macro stands for has its offset in the macro's text."""
        if position >= 0 and self.macros:
            match = _NAME.match(self.source, position)
            if match is not None and match.group() in self.macros:
                position = 0
        self.mark(position)

    # -------------------------------------------------------------------------------------------
    # Values

    def value(self, node: tree.Expression) -> None:
        """An expression that is about to be emitted."""
        if isinstance(node, _LEAVES):
            self.mark_name(node.position)
        elif isinstance(node, tree.Call) and not node.arguments:
            self.mark_name(node.function.position)
        elif _is_empty(node) or (self.every and not isinstance(node, tree.Member)):
            self.mark(node.position)

    def behind_name(self, position: int) -> int:
        """The position of a member of an enum: its dot, behind the name of the enum."""
        match = _NAME.match(self.source, position) if position >= 0 else None
        return position if match is None else match.end()

    def access(self, node: tree.Expression, purpose: int, named: bool) -> None:
        """An access that is about to be emitted; ``named``: the left side of its dot is a constant
        instance.
        """
        self._accessed = node.position
        if purpose != WRITE and (named or isinstance(node, tree.Name)):
            if purpose >= CHANGE:
                self.mark(self.before_operator(node.position))
            elif isinstance(node, tree.Member):
                self.mark(self.source.find(".", node.object.position) + 1)
            else:
                self.mark_name(node.position)
        if isinstance(node, tree.Index):
            self.mark_name(self._dots.get(id(node), node.position))

    def member(self, node: tree.Member) -> None:
        """``a[i].x``: the offset of the element is that of the dot."""
        if isinstance(node.object, tree.Index):
            self._dots[id(node.object)] = self.behind(node.object)

    def automatic_array(self) -> None:
        """A built-in array without an index is about to be accessed."""
        if self.code.size * 4 not in self.offsets and self._accessed >= 0:
            self.mark_name(self._accessed)

    def before_operator(self, position: int) -> int:
        """The character before the operator of a compound assignment, or before ``++``."""
        match = _CHANGE.search(self.source, max(position, 0))
        return position if match is None else match.start() - 1

    # -------------------------------------------------------------------------------------------
    # Statements and functions

    def statement(self, node: tree.Statement) -> None:
        """A statement that is about to be emitted."""
        if isinstance(node, _EXITS):
            self.mark(node.position)
        elif self.every and isinstance(node, tree.Assignment):
            if node.operator == "=":
                self.mark(self._operator(node))
        elif self.every and not (isinstance(node, tree.Block) or _is_step(node)):
            self.mark(node.position)

    def label(self, position: int, back: int) -> None:
        """A label of a ``switch``: its comparison, or the jump to the default."""
        if not self.every:
            self.mark(position, back)

    def end_of_block(self, node: tree.Statement) -> None:
        """The closing brace: where nothing else begins, it is what comes next."""
        if self.dialect.gml_v2 and isinstance(node, tree.Block) and node.end >= 0:
            self.mark(node.end)

    def function_name(self, position: int) -> None:
        """A function was stored under its name: the owner of the variable that keeps it."""
        match = _FUNCTION_NAME.match(self.source, max(position, 0))
        if match is not None:
            self.mark(match.end(), 3)

    def function(self, own: str, node: tree.Function, names: Iterable[str]) -> None:
        """A function with its locals was emitted."""
        self.mark(node.position)
        parameters = [parameter.name for parameter in node.parameters]
        self.functions.append(InnerFunction(own, parameters, _in_source_order(node.body, names)))

    def struct(self, own: str, names: Iterable[str]) -> None:
        """The function of a struct literal was emitted."""
        self.functions.append(InnerFunction(own, [], list(names)))

    # -------------------------------------------------------------------------------------------
    # Tokens

    def token(self, position: int) -> int:
        """The number of the token at a source offset."""
        return bisect_left(self.tokens().positions, position)

    def _from(self, position: int) -> Iterator[tuple[int, str, int]]:
        """The tokens from a source offset on: number, kind, and how many brackets are open."""
        depth, kinds = 0, self.tokens().kinds
        for number in range(self.token(position), len(kinds)):
            kind = kinds[number]
            yield number, kind, depth
            if kind in _OPENING:
                depth += 1
            elif kind in _CLOSING:
                depth -= 1

    def _operator(self, node: tree.Assignment) -> int:
        """The offset of the ``=`` of an assignment."""
        for number, kind, depth in self._from(node.position):
            if depth == 0 and kind.endswith("="):
                return self.tokens().positions[number]
        return node.position

    def token_behind(self, position: int) -> int:
        """The number of the token that ends the value at a source offset: a comma or a bracket."""
        for number, kind, depth in self._from(position):
            if depth <= 0 and kind in (",", "}", "]"):
                return number
        return len(self.tokens().kinds)

    def behind(self, node: tree.Expression) -> int:
        """The offset of the dot behind an element: where its last bracket has closed."""
        brackets = 0
        inner = node
        while isinstance(inner, (tree.Index, tree.Member, tree.Call)):
            brackets += not isinstance(inner, tree.Member)
            inner = inner.function if isinstance(inner, tree.Call) else inner.object
        for number, kind, depth in self._from(node.position):
            if kind in _CLOSING:
                brackets -= depth == 1
            elif kind == "." and depth == 0 and brackets <= 0:
                return self.tokens().positions[number]
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


def _is_empty(node: tree.Expression) -> bool:
    """Whether an expression is ``new T()`` or ``[]``, which push nothing before."""
    if isinstance(node, tree.New):
        return not node.arguments
    return isinstance(node, tree.ArrayLiteral) and not node.elements


def _is_step(node: tree.Statement) -> bool:
    """Whether a statement is ``x++`` or ``x--``, which has the place of a compound assignment."""
    return isinstance(node, tree.ExpressionStatement) and isinstance(
        node.expression, tree.Increment
    )


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
