"""Prints a tree as source, in the layout that GameMaker's modding community uses.

Four spaces, braces on their own lines and always there, ``else if`` joined, the parentheses that
are needed, those that most people write anyway (see ``_OPERAND``) and those of ``Binary.grouped``.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Final

from overhaul.gml.syntax import tree
from overhaul.gml.syntax.language import PRECEDENCE, Language

_INDENT: Final = "    "
_CONDITIONAL: Final = 0  # precedence of ?:
_BRANCH: Final = 2  # the branches of ?: hold no ?? without parentheses
_UNARY: Final = 10
_POSTFIX: Final = 11
_NEVER: Final = 12  # above all: parentheses anyway

_NULLISH: Final = PRECEDENCE["??"]
_COMPARISON: Final = PRECEDENCE["=="]
_BITWISE: Final = PRECEDENCE["&"]
_SUM: Final = PRECEDENCE["+"]
_OPERAND: Final[dict[str, int]] = {
    operator: {
        PRECEDENCE["||"]: _COMPARISON,
        PRECEDENCE["&&"]: _COMPARISON,
        PRECEDENCE["^^"]: _COMPARISON,
        _NULLISH: _NULLISH,
        _COMPARISON: _SUM,
        _BITWISE: _UNARY,
        PRECEDENCE["<<"]: _UNARY,
    }.get(precedence, precedence + 1)
    for operator, precedence in PRECEDENCE.items()
}
"""How tightly an operand binds at least to have no parentheses.

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
    printer = Printer(language is None or language.gms2_or_later)
    if isinstance(node, tree.Block):
        printer.statements(node.statements)
    elif isinstance(node, tree.Statement):
        printer.statement(node)
    elif isinstance(node, tree.Expression):
        printer.expression(node)
    else:
        raise TypeError(f"a {type(node).__name__} cannot be printed by itself")
    return "".join(printer.out)


class Printer:
    """Writes source into ``out``, a list of pieces."""

    def __init__(self, gms2: bool = True) -> None:
        self.out: list[str] = []
        self.gms2 = gms2
        self.line = "\n"  # a line break and the current indentation

    # -------------------------------------------------------------------------------------------
    # Statements

    def statements(self, statements: list[tree.Statement]) -> None:
        """Statements on lines of their own, without a line break after the last."""
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

    def braces(self, node: tree.Statement) -> None:
        """A body in braces on their own lines."""
        self.out.append(self.line)
        _block(self, node if isinstance(node, tree.Block) else tree.Block([node]))

    def statement(self, node: tree.Statement) -> None:
        """One statement, with its semicolon."""
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
        elif isinstance(node, tree.Declaration):
            self.declarators(_WORDS[type(node)], node.declarators)
        elif isinstance(node, (tree.Return, tree.Throw)):
            write(_WORDS[type(node)] + " ")
            self.expression(node.value)
        elif isinstance(node, tree.Delete):
            write("delete ")
            self.expression(node.target, _UNARY)
        elif isinstance(node, tree.Exit):
            write(node.text)
        else:
            write(_WORDS[type(node)])

    def declarators(self, word: str, declarators: list[tree.Declarator]) -> None:
        write = self.out.append
        write(word)
        for index, declarator in enumerate(declarators):
            write(", " if index else " ")
            write(declarator.name)
            if declarator.value is not None:
                write(" = ")
                self.expression(declarator.value)

    def head(self, word: str, value: tree.Expression, body: tree.Statement) -> None:
        self.out.append(word + " (")
        self.expression(value)
        self.out.append(")")
        self.braces(body)

    def inline(self, node: tree.Statement) -> None:
        """A statement in the head of a ``for``."""
        if type(node) is tree.Exit:
            self.out.append("exit")  # a `return` would take what follows for its value
        elif type(node) in _SIMPLE:
            self.simple(node)
        elif isinstance(node, tree.Block):
            self.out.append("{ ")
            for statement in node.statements:
                self.statement(statement)
                self.out.append(" ")
            self.out.append("}")
        else:
            self.statement(node)

    # -------------------------------------------------------------------------------------------
    # Expressions

    def expression(self, node: tree.Expression, minimum: int = 0) -> None:
        """An expression, in parentheses when it binds less tightly than ``minimum``."""
        if type(node) is tree.Name:
            self.out.append(node.name)
            return
        if type(node) is tree.Binary:
            self.binary(node, minimum)
            return
        write, precedence = _EXPRESSIONS[type(node)]
        if precedence < minimum:
            self.out.append("(")
            write(self, node)
            self.out.append(")")
        else:
            write(self, node)

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
                else:  # `(a == b) == c`, as everybody writes it
                    closed = precedence in (_COMPARISON, _NULLISH) or (
                        left.grouped == 1 and _needed(left, outer)
                    )
            if closed:
                write("(")
            spine.append((left, closed))
            minimum = precedence
            left = left.left
        self.expression(left, max(minimum, 1))
        for operation, closed in reversed(spine):
            write(f" {operation.operator} ")
            self.expression(operation.right, _OPERAND[operation.operator])
            if closed:
                write(")")

    def listed(self, items: list[tree.Expression] | list[tree.Expression | None]) -> None:
        write = self.out.append
        for index, item in enumerate(items):
            if index:
                write(", ")
            if item is not None:
                self.expression(item)
        if items and items[-1] is None and (len(items) == 1 or items[-2] is not None):
            write("undefined")  # a comma after an argument would omit none


def _block(printer: Printer, node: tree.Block) -> None:
    outer = printer.line
    printer.out.append("{")
    if node.statements:
        printer.line = outer + _INDENT
        printer.out.append(printer.line)
        printer.statements(node.statements)
        printer.line = outer
    printer.out.append(outer + "}")


def _if(printer: Printer, node: tree.If) -> None:
    write = printer.out.append
    while True:
        write("if (")
        printer.expression(node.condition)
        write(")")
        printer.braces(node.then)
        otherwise = node.otherwise
        if otherwise is None:
            return
        write(printer.line + "else")
        if not isinstance(otherwise, tree.If):
            printer.braces(otherwise)
            return
        write(" ")
        node = otherwise


def _while(printer: Printer, node: tree.While) -> None:
    printer.head("while", node.condition, node.body)


def _repeat(printer: Printer, node: tree.Repeat) -> None:
    printer.head("repeat", node.count, node.body)


def _with(printer: Printer, node: tree.With) -> None:
    printer.head("with", node.target, node.body)


def _do_until(printer: Printer, node: tree.DoUntil) -> None:
    printer.out.append("do")
    printer.braces(node.body)
    printer.out.append(printer.line + "until (")
    printer.expression(node.condition)
    printer.out.append(");")


def _for(printer: Printer, node: tree.For) -> None:
    write = printer.out.append
    write("for (")
    if node.initial is not None:
        printer.inline(node.initial)
    write(";")
    if node.condition is not None:
        write(" ")
        printer.expression(node.condition)
    write(";")
    if node.step is not None:
        write(" ")
        printer.inline(node.step)
    write(")")
    printer.braces(node.body)


def _switch(printer: Printer, node: tree.Switch) -> None:
    write = printer.out.append
    write("switch (")
    printer.expression(node.value)
    outer = printer.line
    write(")" + outer + "{")
    for case in node.cases:
        printer.line = outer + _INDENT
        write(printer.line)
        if case.value is None:
            write("default:")
        else:
            write("case ")
            printer.expression(case.value)
            write(":")
        printer.line += _INDENT
        if case.body:
            write(printer.line)
            printer.statements(case.body)
    printer.line = outer
    write(outer + "}")


def _try(printer: Printer, node: tree.Try) -> None:
    write = printer.out.append
    write("try")
    printer.braces(node.body)
    if node.handler is not None:
        write(f"{printer.line}catch ({node.name})")
        printer.braces(node.handler)
    if node.final is not None:
        write(printer.line + "finally")
        printer.braces(node.final)


def _enum(printer: Printer, node: tree.Enum) -> None:
    write = printer.out.append
    outer = printer.line
    write("enum " + node.name + outer + "{")
    printer.line = outer + _INDENT
    for index, member in enumerate(node.members):
        write(("," if index else "") + printer.line + member.name)
        if member.value is not None:
            write(" = ")
            printer.expression(member.value)
    printer.line = outer
    write(outer + "}")


def _macro(printer: Printer, node: tree.Macro) -> None:
    configuration = node.configuration + ":" if node.configuration else ""
    printer.out.append(f"#macro {configuration}{node.name} {node.text}".rstrip())


def _comment(printer: Printer, node: tree.Comment) -> None:
    lines = node.text.split("\n")
    if len(lines) == 1:
        printer.out.append("// " + lines[0])
        return
    body = [printer.line + text if text else "\n" for text in lines]
    printer.out.append("/*" + "".join(body).replace("*/", "* /") + printer.line + "*/")


def _number(printer: Printer, node: tree.Number) -> None:
    printer.out.append(node.text or number_text(node.value))


def _int64(printer: Printer, node: tree.Int64) -> None:
    # A decimal that a double holds would come back as one.
    exact = abs(node.value) < 1 << 53 or int(float(node.value)) == node.value
    printer.out.append(node.text or (f"int64({node.value})" if exact else number_text(node.value)))


def _string(printer: Printer, node: tree.String) -> None:
    printer.out.append(string_text(node.value, printer.gms2))


def _boolean(printer: Printer, node: tree.Boolean) -> None:
    printer.out.append("true" if node.value else "false")


def _member(printer: Printer, node: tree.Member) -> None:
    grouped = isinstance(node.object, tree.Call) and node.object.grouped
    printer.expression(node.object, _NEVER if grouped else _POSTFIX)
    printer.out.append("." + node.name)


def _index(printer: Printer, node: tree.Index) -> None:
    printer.expression(node.object, _POSTFIX)
    printer.out.append(f"[{node.accessor} " if node.accessor else "[")
    first = len(printer.out)
    printer.listed(node.indices)
    if not node.accessor and printer.out[first][:1] in ("$", "#", "@", "?", "|"):
        printer.out[first] = " " + printer.out[first]  # else it would be an accessor
    printer.out.append("]")


def _call(printer: Printer, node: tree.Call) -> None:
    printer.expression(node.function, _POSTFIX)
    printer.out.append("(")
    printer.listed(node.arguments)
    printer.out.append(")")


def _new(printer: Printer, node: tree.New) -> None:
    printer.out.append("new ")
    constructor = node.function
    base = constructor
    while isinstance(base, (tree.Member, tree.Index)):
        base = base.object
    if isinstance(base, tree.Name):
        printer.expression(constructor, _POSTFIX)
    else:
        printer.out.append("(")
        printer.expression(constructor)
        printer.out.append(")")
    printer.out.append("(")
    printer.listed(node.arguments)
    printer.out.append(")")


def _unary(printer: Printer, node: tree.Unary) -> None:
    printer.out.append(node.operator)
    # "--x" and "++x" are something else.
    printer.expression(node.operand, _POSTFIX if _starts_signed(node.operand) else _UNARY)


def _increment(printer: Printer, node: tree.Increment) -> None:
    if node.prefix:
        printer.out.append(node.operator)
    printer.expression(node.operand, _POSTFIX)
    if not node.prefix:
        printer.out.append(node.operator)


def _conditional(printer: Printer, node: tree.Conditional) -> None:
    printer.expression(node.condition, _UNARY)
    printer.out.append(" ? ")
    printer.expression(node.then, _BRANCH)
    printer.out.append(" : ")
    printer.expression(node.otherwise, _BRANCH)


def _array(printer: Printer, node: tree.ArrayLiteral) -> None:
    printer.out.append("[")
    printer.listed(node.elements)
    printer.out.append("]")


def _struct(printer: Printer, node: tree.StructLiteral) -> None:
    write = printer.out.append
    if not node.members:
        write("{}")
        return
    outer = printer.line
    write("{")
    printer.line = outer + _INDENT
    for index, member in enumerate(node.members):
        write("," + printer.line if index else printer.line)
        name = member.name
        write((name if name.isidentifier() else string_text(name, True)) + ": ")
        printer.expression(member.value)
    printer.line = outer
    write(outer + "}")


def _template(printer: Printer, node: tree.TemplateString) -> None:
    write = printer.out.append
    write('$"')
    for part in node.parts:
        if type(part) is tree.String:
            write(part.value.translate(_TEMPLATE_ESCAPES))
        else:
            write("{")
            printer.expression(part)
            write("}")
    write('"')


def _function(printer: Printer, node: tree.Function) -> None:
    write = printer.out.append
    write(f"function {node.name}(" if node.name else "function(")
    for index, parameter in enumerate(node.parameters):
        write((", " if index else "") + parameter.name)
        if parameter.default is not None:
            write(" = ")
            printer.expression(parameter.default)
    write(")")
    if node.parent is not None:
        write(" : ")
        printer.expression(node.parent)
    if node.constructor:
        write(" constructor")
    printer.braces(node.body)


def _needed(inner: tree.Binary, outer: tree.Binary) -> bool:
    """Whether parentheses that stood around a left operand change what the compiler emits."""
    if PRECEDENCE[inner.operator] != PRECEDENCE[outer.operator]:
        return False
    if inner.operator == outer.operator:
        # Two short circuits instead of one; a result that is converted once more.
        return outer.operator in ("&&", "||", "&", "|", "^", "<<", ">>")
    return outer.operator in ("/", "&", "|", "^", "<<", ">>")


def _starts_signed(node: tree.Expression) -> bool:
    """Whether the text of an operand begins with a sign of its own."""
    if isinstance(node, tree.Unary):
        return node.operator in ("-", "+")
    if isinstance(node, tree.Increment):
        return node.prefix
    return isinstance(node, (tree.Number, tree.Int64)) and not node.text and node.value < 0


def _begins_none(node: tree.Expression) -> bool:
    """Whether a statement cannot begin with this expression unless it is in parentheses."""
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


_WORDS: Final[dict[type, str]] = {
    tree.Var: "var", tree.Static: "static", tree.GlobalVar: "globalvar", tree.Return: "return",
    tree.Throw: "throw", tree.Break: "break", tree.Continue: "continue",
}  # fmt: skip

_SIMPLE: Final = frozenset(
    {
        tree.Assignment, tree.ExpressionStatement, tree.Var, tree.Static, tree.GlobalVar,
        tree.Return, tree.Throw, tree.Delete, tree.Exit, tree.Break, tree.Continue,
    }
)  # fmt: skip

_COMPOUND: Final[dict[type, Callable[..., None]]] = {
    tree.Block: _block,
    tree.If: _if,
    tree.While: _while,
    tree.Repeat: _repeat,
    tree.With: _with,
    tree.DoUntil: _do_until,
    tree.For: _for,
    tree.Switch: _switch,
    tree.Try: _try,
    tree.Enum: _enum,
    tree.Macro: _macro,
    tree.Comment: _comment,
}

# How each expression is written, and how tightly it binds.
_EXPRESSIONS: Final[dict[type, tuple[Callable[..., None], int]]] = {
    tree.Number: (_number, _UNARY),
    tree.Int64: (_int64, _UNARY),
    tree.String: (_string, _POSTFIX),
    tree.StringField: (_string, _POSTFIX),
    tree.Boolean: (_boolean, _POSTFIX),
    tree.Member: (_member, _POSTFIX),
    tree.Index: (_index, _POSTFIX),
    tree.Call: (_call, _POSTFIX),
    tree.New: (_new, _POSTFIX),
    tree.Unary: (_unary, _UNARY),
    tree.Increment: (_increment, _UNARY),
    tree.Conditional: (_conditional, _CONDITIONAL),
    tree.ArrayLiteral: (_array, _UNARY),  # behind a brace, a bare one would be an index
    tree.StructLiteral: (_struct, _UNARY),
    tree.TemplateString: (_template, _POSTFIX),
    tree.Function: (_function, _CONDITIONAL),
}
