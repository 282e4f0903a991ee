"""The typed tree of GML source: what the parser and the decompiler build, and the printer and
compiler read.

Every node is a small slotted class. ``fields`` names what makes up the node; ``position`` (offset
of its first character in the source text, -1 if made) and ``address`` (offset in bytes of the
first instruction it came from, -1 if parsed) are notes beside it: equality ignores them, as it
ignores spellings.

The tree has no node for parentheses, comments of the source, ``#region`` lines or empty
statements. A chain of binary operators of one level is nested to the left: ``a - b - c`` is
``Binary("-", Binary("-", a, b), c)``; such spines may be thousands long, so walk them with a
loop.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Final


@dataclass(slots=True, eq=False, repr=False)
class Node:
    """Base of every node of the tree."""

    fields: ClassVar[tuple[str, ...]] = ()

    position: int = field(default=-1, kw_only=True, compare=False)
    address: int = field(default=-1, init=False, compare=False)

    def __eq__(self, other: object) -> bool:
        """Equal in kind and content; positions, addresses and spellings are not compared."""
        if not isinstance(other, Node):
            return NotImplemented
        return _equal(self, other)

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.fields)
        return f"{type(self).__name__}({inside})"

    def children(self) -> Iterator[Node]:
        """The nodes directly below this one, in source order."""
        for name in self.fields:
            value = getattr(self, name)
            if isinstance(value, Node):
                yield value
            elif isinstance(value, list):
                for item in value:
                    if isinstance(item, Node):
                        yield item

    def walk(self) -> Iterator[Node]:
        """This node and all below it, in source order, without recursion."""
        stack: list[Node] = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(list(node.children())))


def _equal(left: object, right: object) -> bool:
    """Compare two trees without recursion (spines and nests may be deep)."""
    stack: list[tuple[object, object]] = [(left, right)]
    while stack:
        a, b = stack.pop()
        if isinstance(a, Node):
            if type(a) is not type(b):
                return False
            for name in a.fields:
                stack.append((getattr(a, name), getattr(b, name)))
        elif isinstance(a, list):
            if not isinstance(b, list) or len(a) != len(b):
                return False
            stack.extend(zip(a, b, strict=True))
        elif a != b:
            return False
    return True


# ------------------------------------------------------------------------------------------------
# Expressions


@dataclass(slots=True, eq=False, repr=False)
class Expression(Node):
    """Base of everything that has a value."""


@dataclass(slots=True, eq=False, repr=False)
class Number(Expression):
    """A literal number: a double (``value`` may be an int when it is integral).

    ``text`` is the spelling it had (``$FF``, ``0b1``, ``#ff8800``); "" lets the printer choose.
    """

    value: int | float
    text: str = field(default="", compare=False)


@dataclass(slots=True, eq=False, repr=False)
class Int64(Expression):
    """A literal that the compiler keeps as a 64-bit integer (large hexadecimal, large decimal)."""

    value: int
    text: str = field(default="", compare=False)


@dataclass(slots=True, eq=False, repr=False)
class String(Expression):
    """A literal string; ``value`` is its content, escapes resolved."""

    value: str


@dataclass(slots=True, eq=False, repr=False)
class Boolean(Expression):
    """``true`` or ``false``."""

    value: bool


@dataclass(slots=True, eq=False, repr=False)
class Name(Expression):
    """A bare name: a variable, asset, constant, function, or one of ``self other all noone
    global``.
    """

    name: str


@dataclass(slots=True, eq=False, repr=False)
class Member(Expression):
    """``object.name``"""

    object: Expression
    name: str


@dataclass(slots=True, eq=False, repr=False)
class Index(Expression):
    """``object[indices]``; accessor is "", "|" (list), "?" (map), "#" (grid), "@" (array), "$"
    (struct).
    """

    object: Expression
    indices: list[Expression]
    accessor: str = ""

    fields = ("object", "accessor", "indices")


@dataclass(slots=True, eq=False, repr=False)
class Call(Expression):
    """``function(arguments)``; an omitted argument is None.

    ``grouped``: it stands in parentheses. ``(f()).g(a)`` compiles otherwise than ``f().g(a)``,
    where the arguments come first; the printer keeps the parentheses left of a dot.
    """

    function: Expression
    arguments: list[Expression | None]
    grouped: bool = field(default=False, compare=False)


@dataclass(slots=True, eq=False, repr=False)
class New(Expression):
    """``new function(arguments)``"""

    function: Expression
    arguments: list[Expression | None]


@dataclass(slots=True, eq=False, repr=False)
class Unary(Expression):
    """A prefix operator: ``-`` ``+`` ``!`` ``~`` (``not`` is kept as ``!``)."""

    operator: str
    operand: Expression


BINARY_OPERATORS: Final = (
    "??", "||", "&&", "^^", "==", "!=", "<", "<=", ">", ">=",
    "&", "|", "^", "<<", ">>", "+", "-", "*", "/", "%", "div",
)  # fmt: skip


@dataclass(slots=True, eq=False, repr=False)
class Binary(Expression):
    """``left operator right`` with an operator of BINARY_OPERATORS (``and`` is kept as ``&&``,
    ``mod`` as ``%`` ...).

    ``grouped`` says whether the operation stood in parentheses: 1 yes, -1 no, 0 the printer's
    choice. The official compiler coerces the left operand of ``(a * b) / c`` but not that of
    ``a * b / c``.
    """

    operator: str
    left: Expression
    right: Expression
    grouped: int = field(default=0, compare=False)


@dataclass(slots=True, eq=False, repr=False)
class Conditional(Expression):
    """``condition ? then : otherwise``"""

    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(slots=True, eq=False, repr=False)
class Increment(Expression):
    """``++x``, ``x++``, ``--x``, ``x--``; operator is "++" or "--"."""

    operator: str
    operand: Expression
    prefix: bool = False

    fields = ("operator", "prefix", "operand")


@dataclass(slots=True, eq=False, repr=False)
class ArrayLiteral(Expression):
    """``[a, b, c]``"""

    elements: list[Expression]


@dataclass(slots=True, eq=False, repr=False)
class StructMember(Node):
    """``name: value`` in a struct literal (``{name}`` is read as ``{name: name}``)."""

    name: str
    value: Expression


@dataclass(slots=True, eq=False, repr=False)
class StructLiteral(Expression):
    """``{a: 1, b: 2}``"""

    members: list[StructMember]


@dataclass(slots=True, eq=False, repr=False)
class StringField(String):
    """A constant string in braces: ``$"a{"b"}c"``; it is passed like every other field."""


@dataclass(slots=True, eq=False, repr=False)
class TemplateString(Expression):
    """``$"a{b}c"``: its texts (Strings, never two side by side) and the expressions of its
    fields, in order; a field that is a constant string is a StringField.
    """

    parts: list[Expression]


@dataclass(slots=True, eq=False, repr=False)
class Parameter(Node):
    """A parameter of a function; ``default`` is None where it has none."""

    name: str
    default: Expression | None = None


@dataclass(slots=True, eq=False, repr=False)
class Function(Expression):
    """``function name(parameters) : parent(...) constructor { body }``; name is "" for an
    anonymous one.

    A declaration is an ExpressionStatement of a named Function.
    """

    name: str
    parameters: list[Parameter]
    body: Block
    constructor: bool = False
    parent: Call | None = None

    fields = ("name", "parameters", "parent", "constructor", "body")


# ------------------------------------------------------------------------------------------------
# Statements


@dataclass(slots=True, eq=False, repr=False)
class Statement(Node):
    """Base of everything that is executed for what it does."""


@dataclass(slots=True, eq=False, repr=False)
class Block(Statement):
    """``{ statements }``; also bodies of loops and functions, and the whole text of an entry."""

    statements: list[Statement]
    end: int = field(default=-1, compare=False)


@dataclass(slots=True, eq=False, repr=False)
class ExpressionStatement(Statement):
    """A call, ``new``, ``++``/``--`` or function declaration used as a statement."""

    expression: Expression


ASSIGNMENT_OPERATORS: Final = (
    "=",
    "+=",
    "-=",
    "*=",
    "/=",
    "%=",
    "&=",
    "|=",
    "^=",
    "??=",
    "<<=",
    ">>=",
)


@dataclass(slots=True, eq=False, repr=False)
class Assignment(Statement):
    """``target operator value``; target is a Name, Member or Index."""

    target: Expression
    operator: str
    value: Expression


@dataclass(slots=True, eq=False, repr=False)
class Declarator(Node):
    """``name`` or ``name = value`` in ``var``, ``static`` or ``globalvar``."""

    name: str
    value: Expression | None = None


@dataclass(slots=True, eq=False, repr=False)
class Var(Statement):
    """``var a, b = 1;``"""

    declarators: list[Declarator]


@dataclass(slots=True, eq=False, repr=False)
class Static(Statement):
    """``static a = 1, b = 2;``"""

    declarators: list[Declarator]


@dataclass(slots=True, eq=False, repr=False)
class GlobalVar(Statement):
    """``globalvar a, b;``"""

    declarators: list[Declarator]


@dataclass(slots=True, eq=False, repr=False)
class If(Statement):
    """``if (condition) then else otherwise``; an ``else if`` is an ``otherwise`` that is an If.

    The parser makes every other body a Block (also those of loops). Chains of them may be long:
    walk ``otherwise`` with a loop.
    """

    condition: Expression
    then: Statement
    otherwise: Statement | None = None


@dataclass(slots=True, eq=False, repr=False)
class While(Statement):
    """``while (condition) body``"""

    condition: Expression
    body: Statement


@dataclass(slots=True, eq=False, repr=False)
class DoUntil(Statement):
    """``do body until (condition);``"""

    body: Statement
    condition: Expression


@dataclass(slots=True, eq=False, repr=False)
class Repeat(Statement):
    """``repeat (count) body``"""

    count: Expression
    body: Statement


@dataclass(slots=True, eq=False, repr=False)
class For(Statement):
    """``for (initial; condition; step) body``; each of the three may be None."""

    initial: Statement | None
    condition: Expression | None
    step: Statement | None
    body: Statement


@dataclass(slots=True, eq=False, repr=False)
class With(Statement):
    """``with (target) body``"""

    target: Expression
    body: Statement


@dataclass(slots=True, eq=False, repr=False)
class Case(Node):
    """``case value:`` (``default:`` when value is None) and the statements up to the next label."""

    value: Expression | None
    body: list[Statement]


@dataclass(slots=True, eq=False, repr=False)
class Switch(Statement):
    """``switch (value) { cases }``"""

    value: Expression
    cases: list[Case]


@dataclass(slots=True, eq=False, repr=False)
class Break(Statement):
    """``break;``"""


@dataclass(slots=True, eq=False, repr=False)
class Continue(Statement):
    """``continue;``"""


@dataclass(slots=True, eq=False, repr=False)
class Exit(Statement):
    """``exit;`` or ``return;`` (``text`` is the word; not compared, they are the same)."""

    text: str = field(default="exit", compare=False)


@dataclass(slots=True, eq=False, repr=False)
class Return(Statement):
    """``return value;``"""

    value: Expression


@dataclass(slots=True, eq=False, repr=False)
class Throw(Statement):
    """``throw value;``"""

    value: Expression


@dataclass(slots=True, eq=False, repr=False)
class Try(Statement):
    """``try body catch (name) handler finally final``; name is "" without a catch."""

    body: Block
    name: str = ""
    handler: Block | None = None
    final: Block | None = None


@dataclass(slots=True, eq=False, repr=False)
class Delete(Statement):
    """``delete target;``"""

    target: Expression


@dataclass(slots=True, eq=False, repr=False)
class EnumMember(Node):
    """``name`` or ``name = value`` in an enum."""

    name: str
    value: Expression | None = None


@dataclass(slots=True, eq=False, repr=False)
class Enum(Statement):
    """``enum name { members }``"""

    name: str
    members: list[EnumMember]


@dataclass(slots=True, eq=False, repr=False)
class Macro(Statement):
    """``#macro configuration:name text``; the definition, kept as text."""

    name: str
    text: str
    configuration: str = ""

    fields = ("name", "configuration", "text")


@dataclass(slots=True, eq=False, repr=False)
class Comment(Statement):
    """A comment that a maker of trees wants printed (text without the marks); the parser makes
    none.
    """

    text: str


AssignmentTarget = Name | Member | Index


def _set_fields(kinds: list[object]) -> None:
    """Note what makes up each kind of node: the fields that are compared."""
    for kind in kinds:
        if isinstance(kind, type) and issubclass(kind, Node) and not kind.fields:
            kind.fields = tuple(each.name for each in dataclasses.fields(kind) if each.compare)


_set_fields(list(globals().values()))


class Visitor:
    """Calls ``visit_<NodeClass>`` for a node, or ``generic_visit``, which visits its children."""

    def visit(self, node: Node) -> None:
        method = getattr(self, "visit_" + type(node).__name__, None)
        if method is None:
            self.generic_visit(node)
        else:
            method(node)

    def generic_visit(self, node: Node) -> None:
        for child in node.children():
            self.visit(child)


class Transformer:
    """Rebuilds a tree in place: ``visit_<NodeClass>`` returns the node to stand there.

    In a list of statements None removes the node and a list replaces it by several. The default
    visits the children and returns the node itself.
    """

    def visit(self, node: Node) -> Node | list[Node] | None:
        method = getattr(self, "visit_" + type(node).__name__, None)
        result: Node | list[Node] | None = (
            self.generic_visit(node) if method is None else method(node)
        )
        return result

    def generic_visit(self, node: Node) -> Node:
        for name in node.fields:
            value = getattr(node, name)
            if isinstance(value, Node):
                setattr(node, name, self.visit(value))
            elif isinstance(value, list):
                out: list[object] = []
                for item in value:
                    if not isinstance(item, Node):
                        out.append(item)
                        continue
                    new = self.visit(item)
                    if isinstance(new, list):
                        out.extend(new)
                    elif new is not None:
                        out.append(new)
                setattr(node, name, out)
        return node
