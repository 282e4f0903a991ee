"""Prints a tree as source, in the layout GameMaker's modding community is used to.

Four spaces, braces on their own lines and always there, ``else if`` joined, the parentheses that
are needed, those that most people write although they are not (see ``_OPERAND``) and no others
(besides those a tree asks for with ``Binary.grouped``).
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Final

from overhaul.gml.syntax import tree
from overhaul.gml.syntax.language import Language
from overhaul.gml.syntax.operators import PRECEDENCE

_INDENT: Final = "    "
_CONDITIONAL: Final = 0  # precedence of ?:
_UNARY: Final = 10
_POSTFIX: Final = 11
_NEVER: Final = 12  # above all: parentheses anyway

_COMPARISON: Final = PRECEDENCE["=="]
_BITWISE: Final = PRECEDENCE["&"]
_SUM: Final = PRECEDENCE["+"]
_OPERAND: Final[dict[str, int]] = {
    operator: {
        PRECEDENCE["||"]: _COMPARISON,
        PRECEDENCE["&&"]: _COMPARISON,
        PRECEDENCE["^^"]: _COMPARISON,
        _COMPARISON: _SUM,
        _BITWISE: _UNARY,
        PRECEDENCE["<<"]: _UNARY,
    }.get(precedence, precedence + 1)
    for operator, precedence in PRECEDENCE.items()
}
"""How tightly an operator's operands bind at least where they stand without parentheses.

In the 3,155 original sources of the corpus most people write ``(a && b) || c`` (94 of 117),
``(a & b) == c`` (16 of 22), ``(a << b) | c`` (21 of 21), ``a << (b * c)`` (6 of 6) and
``(a == b) ? c : d`` (34 of 50), but ``a + b * c`` (1,195 of 1,286) and ``a + b == c``.
"""

_GMS2_ESCAPES: Final = str.maketrans(
    {
        "\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t",
        "\b": "\\b", "\f": "\\f", "\v": "\\v", "\a": "\\a",
    }
)  # fmt: skip
_TEMPLATE_ESCAPES: Final = {**_GMS2_ESCAPES, ord("{"): "\\{", ord("}"): "\\}"}


def to_source(node: tree.Node, language: Language | None = None) -> str:
    """The text of a tree (a Block is printed without braces: as the text of an entry).

    ``language`` (a Dialect) decides how strings are written; the default is the newest.
    """
    return _printed(node, language).text()


def to_source_with_map(
    node: tree.Node, language: Language | None = None
) -> tuple[str, list[tuple[int, int]]]:
    """The text, and for each statement (and part of a ``for``) its (address, character offset).

    The address is the node's ``address``; statements without one (-1) are left out. In text
    order.
    """
    printer = _printed(node, language)
    return printer.text(), printer.map()


def _printed(node: tree.Node, language: Language | None) -> Printer:
    printer = Printer(language is None or language.gms2_or_later)
    if isinstance(node, tree.Block):
        printer.statements(node.statements)
    elif isinstance(node, tree.Statement):
        printer.statement(node)
    elif isinstance(node, tree.Expression):
        printer.expression(node)
    else:
        raise TypeError(f"a {type(node).__name__} does not stand alone")
    return printer


class Printer:
    """Writes source into ``out``, a list of pieces."""

    def __init__(self, gms2: bool = True) -> None:
        self.out: list[str] = []
        self.gms2 = gms2
        self.line = "\n"  # a line break and the current indentation
        self.places: list[tuple[int, int]] = []

    def text(self) -> str:
        """All that was written."""
        return "".join(self.out)

    def map(self) -> list[tuple[int, int]]:
        """(address, character offset) of each statement that has an address."""
        offset = 0
        offsets: list[int] = []
        for piece in self.out:
            offsets.append(offset)
            offset += len(piece)
        offsets.append(offset)
        return [(address, offsets[index]) for address, index in self.places]

    def mark(self, node: tree.Node) -> None:
        if node.address >= 0:
            self.places.append((node.address, len(self.out)))

    # -------------------------------------------------------------------------------------------
    # Statements

    def statements(self, statements: list[tree.Statement]) -> None:
        """Statements below each other, each with a line break behind it but the last."""
        apart = False
        for index, statement in enumerate(statements):
            spacious = isinstance(statement, (tree.Static, tree.Enum)) or (
                isinstance(statement, tree.ExpressionStatement)
                and isinstance(statement.expression, tree.Function)
            )
            if index:
                both_static = isinstance(statement, tree.Static) and isinstance(
                    statements[index - 1], tree.Static
                )
                if (apart or spacious) and not both_static:
                    self.out.append("\n")
                self.out.append(self.line)
            self.statement(statement)
            apart = spacious

    def braces(self, node: tree.Node) -> None:
        """A body in braces on their own lines."""
        statements = node.statements if isinstance(node, tree.Block) else [node]
        outer = self.line
        self.out.append(outer + "{")
        if statements:
            self.line = outer + _INDENT
            self.out.append(self.line)
            self.statements(statements)  # type: ignore[arg-type]
            self.line = outer
        self.out.append(outer + "}")

    def statement(self, node: tree.Statement) -> None:
        """One statement, with its semicolon."""
        self.mark(node)
        kind = type(node)
        if kind in _SIMPLE:
            self.simple(node)
            # A declaration ends with its brace.
            if not (
                isinstance(node, tree.ExpressionStatement)
                and isinstance(node.expression, tree.Function)
            ):
                self.out.append(";")
        else:
            _COMPOUND[kind](self, node)

    def simple(self, node: tree.Statement) -> None:
        """A statement that may also stand in the head of a ``for``, without semicolon."""
        write = self.out.append
        if isinstance(node, tree.Assignment):
            self.expression(node.target, _POSTFIX)
            write(f" {node.operator} ")
            self.expression(node.value)
        elif isinstance(node, tree.ExpressionStatement):
            self.expression(node.expression, _POSTFIX if _begins_none(node.expression) else 0)
        elif isinstance(node, tree.Var):
            self.declarators("var", node.declarators)
        elif isinstance(node, tree.Static):
            self.declarators("static", node.declarators)
        elif isinstance(node, tree.GlobalVar):
            self.declarators("globalvar", node.declarators)
        elif isinstance(node, tree.Return):
            write("return ")
            self.expression(node.value)
        elif isinstance(node, tree.Throw):
            write("throw ")
            self.expression(node.value)
        elif isinstance(node, tree.Delete):
            write("delete ")
            self.expression(node.target, _UNARY)
        elif isinstance(node, tree.Exit):
            write(node.text)
        elif isinstance(node, tree.Break):
            write("break")
        elif isinstance(node, tree.Continue):
            write("continue")

    def declarators(self, word: str, declarators: list[tree.Declarator]) -> None:
        write = self.out.append
        write(word)
        for index, declarator in enumerate(declarators):
            write(", " if index else " ")
            write(declarator.name)
            if declarator.value is not None:
                write(" = ")
                self.expression(declarator.value)

    def block(self, node: tree.Block) -> None:
        outer = self.line
        self.out.append("{")
        if node.statements:
            self.line = outer + _INDENT
            self.out.append(self.line)
            self.statements(node.statements)
            self.line = outer
        self.out.append(outer + "}")

    def if_(self, node: tree.If) -> None:
        write = self.out.append
        while True:
            write("if (")
            self.expression(node.condition)
            write(")")
            self.braces(node.then)
            otherwise = node.otherwise
            if otherwise is None:
                return
            write(self.line + "else")
            if not isinstance(otherwise, tree.If):
                self.braces(otherwise)
                return
            write(" ")
            node = otherwise

    def head(self, word: str, value: tree.Expression, body: tree.Node) -> None:
        self.out.append(word + " (")
        self.expression(value)
        self.out.append(")")
        self.braces(body)

    def while_(self, node: tree.While) -> None:
        self.head("while", node.condition, node.body)

    def repeat(self, node: tree.Repeat) -> None:
        self.head("repeat", node.count, node.body)

    def with_(self, node: tree.With) -> None:
        self.head("with", node.target, node.body)

    def do_until(self, node: tree.DoUntil) -> None:
        self.out.append("do")
        self.braces(node.body)
        self.out.append(self.line + "until (")
        self.expression(node.condition)
        self.out.append(");")

    def for_(self, node: tree.For) -> None:
        write = self.out.append
        write("for (")
        if node.initial is not None:
            self.inline(node.initial)
        write(";")
        if node.condition is not None:
            write(" ")
            self.mark(node.condition)
            self.expression(node.condition)
        write(";")
        if node.step is not None:
            write(" ")
            self.inline(node.step)
        write(")")
        self.braces(node.body)

    def inline(self, node: tree.Statement) -> None:
        """A statement in the head of a ``for``."""
        if type(node) in _SIMPLE:
            self.mark(node)
            self.simple(node)
        elif isinstance(node, tree.Block):
            self.out.append("{ ")
            for statement in node.statements:
                self.statement(statement)
                self.out.append(" ")
            self.out.append("}")
        else:
            self.statement(node)

    def switch(self, node: tree.Switch) -> None:
        write = self.out.append
        write("switch (")
        self.expression(node.value)
        outer = self.line
        write(")" + outer + "{")
        for case in node.cases:
            self.line = outer + _INDENT
            write(self.line)
            if case.value is None:
                write("default:")
            else:
                write("case ")
                self.expression(case.value)
                write(":")
            self.line += _INDENT
            if case.body:
                write(self.line)
                self.statements(case.body)
        self.line = outer
        write(outer + "}")

    def try_(self, node: tree.Try) -> None:
        write = self.out.append
        write("try")
        self.braces(node.body)
        if node.handler is not None:
            write(f"{self.line}catch ({node.name})")
            self.braces(node.handler)
        if node.final is not None:
            write(self.line + "finally")
            self.braces(node.final)

    def enum(self, node: tree.Enum) -> None:
        write = self.out.append
        outer = self.line
        write("enum " + node.name + outer + "{")
        self.line = outer + _INDENT
        for index, member in enumerate(node.members):
            write(("," if index else "") + self.line + member.name)
            if member.value is not None:
                write(" = ")
                self.expression(member.value)
        self.line = outer
        write(outer + "}")

    def macro(self, node: tree.Macro) -> None:
        configuration = node.configuration + ":" if node.configuration else ""
        self.out.append(f"#macro {configuration}{node.name} {node.text}".rstrip())

    def comment(self, node: tree.Comment) -> None:
        lines = node.text.split("\n")
        if len(lines) == 1:
            self.out.append("// " + lines[0])
            return
        body = [self.line + text if text else "\n" for text in lines]
        self.out.append("/*" + "".join(body).replace("*/", "* /") + self.line + "*/")

    # -------------------------------------------------------------------------------------------
    # Expressions

    def expression(self, node: tree.Expression, minimum: int = 0) -> None:
        """An expression, in parentheses when it binds less tightly than ``minimum``."""
        kind = type(node)
        if kind is tree.Name:
            self.out.append(node.name)  # type: ignore[attr-defined]
            return
        if kind is tree.Binary:
            self.binary(node, minimum)  # type: ignore[arg-type]
            return
        method, precedence = _EXPRESSIONS[kind]
        if precedence < minimum:
            self.out.append("(")
            method(self, node)
            self.out.append(")")
        else:
            method(self, node)

    def binary(self, node: tree.Binary, minimum: int) -> None:
        """A chain of operators: down its left side by a loop."""
        spine: list[tuple[tree.Binary, bool]] = []
        write = self.out.append
        left: tree.Expression = node
        while isinstance(left, tree.Binary):
            precedence = PRECEDENCE[left.operator]
            closed = precedence < minimum
            if spine:
                outer = spine[-1][0]
                if precedence != PRECEDENCE[outer.operator]:
                    closed = precedence < _OPERAND[outer.operator]
                elif left.grouped == 1 and _needed(left, outer):
                    closed = True
            if closed:
                write("(")
            spine.append((left, closed))
            minimum = precedence
            left = left.left
        self.expression(left, max(minimum, 1))
        for each, closed in reversed(spine):
            write(f" {each.operator} ")
            self.expression(each.right, _OPERAND[each.operator])
            if closed:
                write(")")

    def number(self, node: tree.Number) -> None:
        self.out.append(node.text or number_text(node.value))

    def int64(self, node: tree.Int64) -> None:
        # A decimal that a double holds would come back as one.
        exact = abs(node.value) < 1 << 53 or int(float(node.value)) == node.value
        self.out.append(node.text or (f"int64({node.value})" if exact else number_text(node.value)))

    def string(self, node: tree.String) -> None:
        self.out.append(string_text(node.value, self.gms2))

    def boolean(self, node: tree.Boolean) -> None:
        self.out.append("true" if node.value else "false")

    def member(self, node: tree.Member) -> None:
        grouped = isinstance(node.object, tree.Call) and node.object.grouped
        self.expression(node.object, _NEVER if grouped else _POSTFIX)
        self.out.append("." + node.name)

    def index(self, node: tree.Index) -> None:
        self.expression(node.object, _POSTFIX)
        self.out.append(f"[{node.accessor} " if node.accessor else "[")
        first = len(self.out)
        self.listed(node.indices)
        if not node.accessor and self.out[first][:1] in ("$", "#", "@", "?", "|"):
            self.out[first] = " " + self.out[first]  # else it would be an accessor
        self.out.append("]")

    def listed(self, items: list[tree.Expression] | list[tree.Expression | None]) -> None:
        write = self.out.append
        for index, item in enumerate(items):
            if index:
                write(", ")
            if item is not None:
                self.expression(item)
        if items and items[-1] is None and (len(items) == 1 or items[-2] is not None):
            write("undefined")  # a comma behind an argument would leave nothing out

    def call(self, node: tree.Call) -> None:
        self.expression(node.function, _POSTFIX)
        self.out.append("(")
        self.listed(node.arguments)
        self.out.append(")")

    def new(self, node: tree.New) -> None:
        self.out.append("new ")
        constructor = node.function
        base = constructor
        while isinstance(base, (tree.Member, tree.Index)):
            base = base.object
        if isinstance(base, tree.Name):
            self.expression(constructor, _POSTFIX)
        else:
            self.out.append("(")
            self.expression(constructor)
            self.out.append(")")
        self.out.append("(")
        self.listed(node.arguments)
        self.out.append(")")

    def unary(self, node: tree.Unary) -> None:
        self.out.append(node.operator)
        # "--x" and "++x" are something else.
        self.expression(node.operand, _POSTFIX if _starts_signed(node.operand) else _UNARY)

    def increment(self, node: tree.Increment) -> None:
        if node.prefix:
            self.out.append(node.operator)
        self.expression(node.operand, _POSTFIX)
        if not node.prefix:
            self.out.append(node.operator)

    def conditional(self, node: tree.Conditional) -> None:
        self.expression(node.condition, _UNARY)
        self.out.append(" ? ")
        self.expression(node.then, 1)
        self.out.append(" : ")
        self.expression(node.otherwise, 1)

    def array(self, node: tree.ArrayLiteral) -> None:
        self.out.append("[")
        self.listed(node.elements)
        self.out.append("]")

    def struct(self, node: tree.StructLiteral) -> None:
        write = self.out.append
        if not node.members:
            write("{}")
            return
        outer = self.line
        write("{")
        self.line = outer + _INDENT
        for index, member in enumerate(node.members):
            write("," + self.line if index else self.line)
            name = member.name
            write((name if name.isidentifier() else string_text(name, True)) + ": ")
            self.expression(member.value)
        self.line = outer
        write(outer + "}")

    def template(self, node: tree.TemplateString) -> None:
        write = self.out.append
        write('$"')
        for part in node.parts:
            if type(part) is tree.String:
                write(part.value.translate(_TEMPLATE_ESCAPES))
            else:
                write("{")
                self.expression(part)
                write("}")
        write('"')

    def function(self, node: tree.Function) -> None:
        write = self.out.append
        write(f"function {node.name}(" if node.name else "function(")
        for index, parameter in enumerate(node.parameters):
            write((", " if index else "") + parameter.name)
            if parameter.default is not None:
                write(" = ")
                self.expression(parameter.default)
        write(")")
        if node.parent is not None:
            write(" : ")
            self.expression(node.parent)
        if node.constructor:
            write(" constructor")
        self.braces(node.body)


def _needed(inner: tree.Binary, outer: tree.Binary) -> bool:
    """Whether parentheses that stood around a left operand change what the compiler emits."""
    if PRECEDENCE[inner.operator] != PRECEDENCE[outer.operator]:
        return False
    if inner.operator == outer.operator:
        # Two short circuits instead of one; a result that is converted once more.
        return outer.operator in ("&&", "||", "&", "|", "^", "<<", ">>")
    return outer.operator in ("/", "&", "|", "^")


def _starts_signed(node: tree.Expression) -> bool:
    """Whether the text of an operand begins with a sign of its own."""
    if isinstance(node, tree.Unary):
        return node.operator in ("-", "+")
    if isinstance(node, tree.Increment):
        return node.prefix
    return isinstance(node, (tree.Number, tree.Int64)) and not node.text and node.value < 0


def _begins_none(node: tree.Expression) -> bool:
    """Whether an expression makes no statement without parentheses."""
    return isinstance(node, (tree.StructLiteral, tree.ArrayLiteral, tree.Binary, tree.Conditional))


def number_text(value: int | float) -> str:
    """The shortest decimal that reads back as the same number, without an exponent."""
    if isinstance(value, int):
        return str(value)
    text = repr(value)
    if value - value != 0:  # no literal says it, but it folds
        return {"inf": "(1 / 0)", "-inf": "(-1 / 0)"}.get(text, "(0 / 0)")
    if "e" in text:
        text = format(Decimal(text), "f")
    return text[:-2] if text.endswith(".0") else text


def string_text(value: str, gms2: bool) -> str:
    """A string as a literal; in GMS1 (no escapes), both kinds of quotes need a sum of two."""
    if gms2:
        return '"' + value.translate(_GMS2_ESCAPES) + '"'
    if '"' not in value:
        return f'"{value}"'
    if "'" not in value:
        return f"'{value}'"
    if value.count('"') <= value.count("'"):
        return "(" + " + '\"' + ".join(f'"{part}"' for part in value.split('"')) + ")"
    return "(" + ' + "\'" + '.join(f"'{part}'" for part in value.split("'")) + ")"


_SIMPLE: Final = frozenset(
    {
        tree.Assignment, tree.ExpressionStatement, tree.Var, tree.Static, tree.GlobalVar,
        tree.Return, tree.Throw, tree.Delete, tree.Exit, tree.Break, tree.Continue,
    }
)  # fmt: skip

_COMPOUND: Final[dict[type, Callable[..., None]]] = {
    tree.Block: Printer.block,
    tree.If: Printer.if_,
    tree.While: Printer.while_,
    tree.Repeat: Printer.repeat,
    tree.With: Printer.with_,
    tree.DoUntil: Printer.do_until,
    tree.For: Printer.for_,
    tree.Switch: Printer.switch,
    tree.Try: Printer.try_,
    tree.Enum: Printer.enum,
    tree.Macro: Printer.macro,
    tree.Comment: Printer.comment,
}

# How each expression is written, and how tightly it binds.
_EXPRESSIONS: Final[dict[type, tuple[Callable[..., None], int]]] = {
    tree.Number: (Printer.number, _UNARY),
    tree.Int64: (Printer.int64, _UNARY),
    tree.String: (Printer.string, _POSTFIX),
    tree.StringField: (Printer.string, _POSTFIX),
    tree.Boolean: (Printer.boolean, _POSTFIX),
    tree.Member: (Printer.member, _POSTFIX),
    tree.Index: (Printer.index, _POSTFIX),
    tree.Call: (Printer.call, _POSTFIX),
    tree.New: (Printer.new, _POSTFIX),
    tree.Unary: (Printer.unary, _UNARY),
    tree.Increment: (Printer.increment, _UNARY),
    tree.Conditional: (Printer.conditional, _CONDITIONAL),
    tree.ArrayLiteral: (Printer.array, _UNARY),  # behind a brace, a bare one would be an index
    tree.StructLiteral: (Printer.struct, _UNARY),
    tree.TemplateString: (Printer.template, _POSTFIX),
    tree.Function: (Printer.function, _CONDITIONAL),
}
