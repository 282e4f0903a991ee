"""The typed tree of GML source, between parser and decompiler, printer and compiler.

Every node is a small class. ``fields`` names what makes up the node; ``position`` (offset of its
first character in the source text, -1 if made) and ``address`` (offset in bytes of the first
instruction it came from, -1 if parsed) are notes: equality ignores them, as it ignores
spellings.

The tree has no node for parentheses, comments of the source, ``#region`` lines or empty
statements. A chain of binary operators of one level is nested to the left: ``a - b - c`` is
``Binary("-", Binary("-", a, b), c)``; such spines may be thousands long: walk them with a loop.
"""

from __future__ import annotations

from typing import ClassVar, Final

from overhaul.gml.syntax.node import Node as Node

# ------------------------------------------------------------------------------------------------
# Expressions


class Expression(Node):
    """Base of everything that has a value."""


class Number(Expression):
    """A literal number: a double (``value`` may be an int when it is integral).

    ``text`` is the spelling it had (``$FF``, ``0b1``, ``#ff8800``); "" lets the printer choose.
    """

    fields: ClassVar[tuple[str, ...]] = ("value",)
    is_leaf: ClassVar[bool] = True

    def __init__(self, value: int | float, text: str = "", position: int = -1) -> None:
        self.position = position
        self.value = value
        self.text = text


class Int64(Expression):
    """A literal that the compiler keeps as a 64-bit integer; ``text`` is as in Number."""

    fields: ClassVar[tuple[str, ...]] = ("value",)
    is_leaf: ClassVar[bool] = True

    def __init__(self, value: int, text: str = "", position: int = -1) -> None:
        self.position = position
        self.value = value
        self.text = text


class String(Expression):
    """A literal string; ``value`` is its content, escapes resolved."""

    fields: ClassVar[tuple[str, ...]] = ("value",)
    is_leaf: ClassVar[bool] = True

    def __init__(self, value: str, position: int = -1) -> None:
        self.position = position
        self.value = value


class Boolean(Expression):
    """``true`` or ``false``."""

    fields: ClassVar[tuple[str, ...]] = ("value",)
    is_leaf: ClassVar[bool] = True

    def __init__(self, value: bool, position: int = -1) -> None:
        self.position = position
        self.value = value


class Name(Expression):
    """A plain name: a variable, asset, constant, function, or one of ``self other all noone
    global``.
    """

    fields: ClassVar[tuple[str, ...]] = ("name",)
    is_leaf: ClassVar[bool] = True

    def __init__(self, name: str, position: int = -1) -> None:
        self.position = position
        self.name = name


class Member(Expression):
    """``object.name``"""

    fields: ClassVar[tuple[str, ...]] = ("object", "name")

    def __init__(self, object: Expression, name: str, position: int = -1) -> None:
        self.position = position
        self.object = object
        self.name = name


class Index(Expression):
    """``object[indices]``; accessor is "", "|" (list), "?" (map), "#" (grid), "@" (array), "$"
    (struct).
    """

    fields: ClassVar[tuple[str, ...]] = ("object", "accessor", "indices")

    def __init__(
        self, object: Expression, indices: list[Expression], accessor: str = "", position: int = -1
    ) -> None:
        self.position = position
        self.object = object
        self.indices = indices
        self.accessor = accessor


class Call(Expression):
    """``function(arguments)``; an omitted argument is None.

    ``grouped``: it stands in parentheses. ``(f()).g(a)`` compiles otherwise than ``f().g(a)``,
    where the arguments come first; the printer keeps the parentheses left of a dot.
    """

    fields: ClassVar[tuple[str, ...]] = ("function", "arguments")

    def __init__(
        self,
        function: Expression,
        arguments: list[Expression | None],
        position: int = -1,
        grouped: bool = False,
    ) -> None:
        self.position = position
        self.function = function
        self.arguments = arguments
        self.grouped = grouped


class New(Expression):
    """``new function(arguments)``"""

    fields: ClassVar[tuple[str, ...]] = ("function", "arguments")

    def __init__(
        self, function: Expression, arguments: list[Expression | None], position: int = -1
    ) -> None:
        self.position = position
        self.function = function
        self.arguments = arguments


class Unary(Expression):
    """An operator before its ``operand``: ``-`` ``+`` ``!`` ``~`` (``not`` is kept as ``!``)."""

    fields: ClassVar[tuple[str, ...]] = ("operator", "operand")

    def __init__(self, operator: str, operand: Expression, position: int = -1) -> None:
        self.position = position
        self.operator = operator
        self.operand = operand


#: the operators between two operands, as the tree has them
BINARY_OPERATORS: Final = (
    "??", "||", "&&", "^^", "==", "!=", "<", "<=", ">", ">=",
    "&", "|", "^", "<<", ">>", "+", "-", "*", "/", "%", "div",
)  # fmt: skip


class Binary(Expression):
    """``left operator right`` with an operator of BINARY_OPERATORS (``and`` is kept as ``&&``,
    ``mod`` as ``%`` ...).

    ``grouped`` says whether the operation stood in parentheses: 1 yes, -1 no, 0 the printer's
    choice. The official compiler coerces the left operand of ``(a * b) / c`` but not that of
    ``a * b / c``.
    """

    fields: ClassVar[tuple[str, ...]] = ("operator", "left", "right")

    def __init__(
        self,
        operator: str,
        left: Expression,
        right: Expression,
        position: int = -1,
        grouped: int = 0,
    ) -> None:
        self.position = position
        self.operator = operator
        self.left = left
        self.right = right
        self.grouped = grouped


class Conditional(Expression):
    """``condition ? then : otherwise``"""

    fields: ClassVar[tuple[str, ...]] = ("condition", "then", "otherwise")

    def __init__(
        self, condition: Expression, then: Expression, otherwise: Expression, position: int = -1
    ) -> None:
        self.position = position
        self.condition = condition
        self.then = then
        self.otherwise = otherwise


class Increment(Expression):
    """``++operand``, or ``operand++`` without ``prefix``; the operator may also be "--"."""

    fields: ClassVar[tuple[str, ...]] = ("operator", "prefix", "operand")

    def __init__(
        self, operator: str, operand: Expression, prefix: bool = False, position: int = -1
    ) -> None:
        self.position = position
        self.operator = operator
        self.operand = operand
        self.prefix = prefix


class ArrayLiteral(Expression):
    """``[elements]``"""

    fields: ClassVar[tuple[str, ...]] = ("elements",)

    def __init__(self, elements: list[Expression], position: int = -1) -> None:
        self.position = position
        self.elements = elements


class StructMember(Node):
    """``name: value`` in a struct literal (``{name}`` is read as ``{name: name}``)."""

    fields: ClassVar[tuple[str, ...]] = ("name", "value")

    def __init__(self, name: str, value: Expression, position: int = -1) -> None:
        self.position = position
        self.name = name
        self.value = value


class StructLiteral(Expression):
    """``{members}``: ``{a: 1, b: 2}``"""

    fields: ClassVar[tuple[str, ...]] = ("members",)

    def __init__(self, members: list[StructMember], position: int = -1) -> None:
        self.position = position
        self.members = members


class StringField(String):
    """A constant string in braces: ``$"a{"b"}c"``; it is passed like every other field."""


class TemplateString(Expression):
    """``$"a{b}c"``: ``parts`` are its texts (Strings, never two side by side) and the expressions
    of its fields, in order; a field that is a constant string is a StringField.
    """

    fields: ClassVar[tuple[str, ...]] = ("parts",)

    def __init__(self, parts: list[Expression], position: int = -1) -> None:
        self.position = position
        self.parts = parts


class Parameter(Node):
    """A parameter of a function: its ``name`` and ``default``, None where it has none."""

    fields: ClassVar[tuple[str, ...]] = ("name", "default")

    def __init__(self, name: str, default: Expression | None = None, position: int = -1) -> None:
        self.position = position
        self.name = name
        self.default = default


class Function(Expression):
    """``function name(parameters) : parent(...) constructor { body }``; name is "" for an
    anonymous one.

    A declaration is an ExpressionStatement of a named Function.
    """

    fields: ClassVar[tuple[str, ...]] = ("name", "parameters", "parent", "constructor", "body")

    def __init__(
        self,
        name: str,
        parameters: list[Parameter],
        body: Block,
        constructor: bool = False,
        parent: Call | None = None,
        position: int = -1,
    ) -> None:
        self.position = position
        self.name = name
        self.parameters = parameters
        self.body = body
        self.constructor = constructor
        self.parent = parent


# ------------------------------------------------------------------------------------------------
# Statements


class Statement(Node):
    """Base of everything that is executed for its effect."""


class Block(Statement):
    """``{ statements }``, closed at ``end``; also bodies of loops and functions, and entries."""

    fields: ClassVar[tuple[str, ...]] = ("statements",)

    def __init__(self, statements: list[Statement], position: int = -1, end: int = -1) -> None:
        self.position = position
        self.statements = statements
        self.end = end  # offset of the closing brace


class ExpressionStatement(Statement):
    """An ``expression`` as a statement: a call, ``new``, ``++``/``--``, a function declaration."""

    fields: ClassVar[tuple[str, ...]] = ("expression",)

    def __init__(self, expression: Expression, position: int = -1) -> None:
        self.position = position
        self.expression = expression


#: the operators of an assignment
ASSIGNMENT_OPERATORS: Final = (
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "??=", "<<=", ">>=",
)  # fmt: skip


class Assignment(Statement):
    """``target operator value``; target is a Name, Member or Index."""

    fields: ClassVar[tuple[str, ...]] = ("target", "operator", "value")

    def __init__(
        self, target: Expression, operator: str, value: Expression, position: int = -1
    ) -> None:
        self.position = position
        self.target = target
        self.operator = operator
        self.value = value


class Declarator(Node):
    """``name`` or ``name = value`` in ``var``, ``static`` or ``globalvar``."""

    fields: ClassVar[tuple[str, ...]] = ("name", "value")

    def __init__(self, name: str, value: Expression | None = None, position: int = -1) -> None:
        self.position = position
        self.name = name
        self.value = value


class Declaration(Statement):
    """Base of ``var``, ``static`` and ``globalvar``, which declare their ``declarators``."""

    fields: ClassVar[tuple[str, ...]] = ("declarators",)

    def __init__(self, declarators: list[Declarator], position: int = -1) -> None:
        self.position = position
        self.declarators = declarators


class Var(Declaration):
    """``var a, b = 1;``"""


class Static(Declaration):
    """``static a = 1, b = 2;``"""


class GlobalVar(Declaration):
    """``globalvar a, b;``"""


class If(Statement):
    """``if (condition) then else otherwise``; an ``else if`` is an ``otherwise`` that is an If.

    The parser makes every other body a Block (also those of loops). Chains of them may be long:
    walk ``otherwise`` with a loop.
    """

    fields: ClassVar[tuple[str, ...]] = ("condition", "then", "otherwise")

    def __init__(
        self,
        condition: Expression,
        then: Statement,
        otherwise: Statement | None = None,
        position: int = -1,
    ) -> None:
        self.position = position
        self.condition = condition
        self.then = then
        self.otherwise = otherwise


class While(Statement):
    """``while (condition) body``"""

    fields: ClassVar[tuple[str, ...]] = ("condition", "body")

    def __init__(self, condition: Expression, body: Statement, position: int = -1) -> None:
        self.position = position
        self.condition = condition
        self.body = body


class DoUntil(Statement):
    """``do body until (condition);``"""

    fields: ClassVar[tuple[str, ...]] = ("body", "condition")

    def __init__(self, body: Statement, condition: Expression, position: int = -1) -> None:
        self.position = position
        self.body = body
        self.condition = condition


class Repeat(Statement):
    """``repeat (count) body``"""

    fields: ClassVar[tuple[str, ...]] = ("count", "body")

    def __init__(self, count: Expression, body: Statement, position: int = -1) -> None:
        self.position = position
        self.count = count
        self.body = body


class For(Statement):
    """``for (initial; condition; step) body``; each of the three may be None."""

    fields: ClassVar[tuple[str, ...]] = ("initial", "condition", "step", "body")

    def __init__(
        self,
        initial: Statement | None,
        condition: Expression | None,
        step: Statement | None,
        body: Statement,
        position: int = -1,
    ) -> None:
        self.position = position
        self.initial = initial
        self.condition = condition
        self.step = step
        self.body = body


class With(Statement):
    """``with (target) body``"""

    fields: ClassVar[tuple[str, ...]] = ("target", "body")

    def __init__(self, target: Expression, body: Statement, position: int = -1) -> None:
        self.position = position
        self.target = target
        self.body = body


class Case(Node):
    """``case value:`` (``default:`` when it is None) and ``body``, all up to the next label."""

    fields: ClassVar[tuple[str, ...]] = ("value", "body")

    def __init__(self, value: Expression | None, body: list[Statement], position: int = -1) -> None:
        self.position = position
        self.value = value
        self.body = body


class Switch(Statement):
    """``switch (value) { cases }``"""

    fields: ClassVar[tuple[str, ...]] = ("value", "cases")

    def __init__(self, value: Expression, cases: list[Case], position: int = -1) -> None:
        self.position = position
        self.value = value
        self.cases = cases


class Break(Statement):
    """``break;``"""


class Continue(Statement):
    """``continue;``"""


class Exit(Statement):
    """``exit;`` or ``return;`` (``text`` is the word; not compared, they are the same)."""

    def __init__(self, position: int = -1, text: str = "exit") -> None:
        self.position = position
        self.text = text


class Return(Statement):
    """``return value;``"""

    fields: ClassVar[tuple[str, ...]] = ("value",)

    def __init__(self, value: Expression, position: int = -1) -> None:
        self.position = position
        self.value = value


class Throw(Statement):
    """``throw value;``"""

    fields: ClassVar[tuple[str, ...]] = ("value",)

    def __init__(self, value: Expression, position: int = -1) -> None:
        self.position = position
        self.value = value


class Try(Statement):
    """``try body catch (name) handler finally final``; name is "" without a catch."""

    fields: ClassVar[tuple[str, ...]] = ("body", "name", "handler", "final")

    def __init__(
        self,
        body: Block,
        name: str = "",
        handler: Block | None = None,
        final: Block | None = None,
        position: int = -1,
    ) -> None:
        self.position = position
        self.body = body
        self.name = name
        self.handler = handler
        self.final = final


class Delete(Statement):
    """``delete target;``"""

    fields: ClassVar[tuple[str, ...]] = ("target",)

    def __init__(self, target: Expression, position: int = -1) -> None:
        self.position = position
        self.target = target


class EnumMember(Node):
    """``name`` or ``name = value`` in an enum."""

    fields: ClassVar[tuple[str, ...]] = ("name", "value")

    def __init__(self, name: str, value: Expression | None = None, position: int = -1) -> None:
        self.position = position
        self.name = name
        self.value = value


class Enum(Statement):
    """``enum name { members }``"""

    fields: ClassVar[tuple[str, ...]] = ("name", "members")

    def __init__(self, name: str, members: list[EnumMember], position: int = -1) -> None:
        self.position = position
        self.name = name
        self.members = members


class Macro(Statement):
    """``#macro configuration:name text``; the definition, kept as text."""

    fields: ClassVar[tuple[str, ...]] = ("name", "configuration", "text")
    is_leaf: ClassVar[bool] = True

    def __init__(self, name: str, text: str, configuration: str = "", position: int = -1) -> None:
        self.position = position
        self.name = name
        self.text = text
        self.configuration = configuration


class Comment(Statement):
    """A comment to print (text without the marks); the parser makes none."""

    fields: ClassVar[tuple[str, ...]] = ("text",)
    is_leaf: ClassVar[bool] = True

    def __init__(self, text: str, position: int = -1) -> None:
        self.position = position
        self.text = text
