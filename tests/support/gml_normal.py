"""GML source in a normal form, to compare what people wrote with what the decompiler shows.

Two sources are alike when a person would call them the same text, spelled otherwise: layout,
comments, braces around single statements, ``and`` or ``&&``, ``x++`` or ``x += 1`` as a statement,
the names of locals and parameters.  ``declarations=False`` also ignores where ``var`` stands.
``Names`` resolves what a compiled game no longer shows: constants, enums, assets, booleans.
"""

from __future__ import annotations

from collections.abc import Mapping

from overhaul.gml.context import Context
from overhaul.gml.decompiler.types.constants import UNKNOWN_ENUM
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.node import Transformer
from overhaul.gml.syntax.parser import parse
from overhaul.gml.syntax.printer import to_source
from present import instance


class Names:
    """What names stand for.  ``everything``: assets, built-in constants and booleans too, not only
    the project's own constants and enums."""

    def __init__(self, context: Context, everything: bool) -> None:
        self.macros: Mapping[str, str] = context.macros
        self.everything = everything
        self.context = context
        self.globals = context.globals
        self.members = {
            (enum, member): value
            for enum, members in context.enums.items()
            for member, value in members
        }
        self.constants: dict[str, float] = {"noone": -4, "all": -3}
        if everything:
            for name, constant in context.builtin_constants.items():
                self.constants[name] = constant.value

    def number(self, node: tree.Expression) -> float | None:
        """The number behind an expression, or None."""
        match node:
            case tree.Number() | tree.Int64():
                return node.value
            case tree.Member(object=tree.Name(name=enum), name=member):
                if enum == UNKNOWN_ENUM:
                    return int(member.removeprefix("Value_").replace("m", "-"))
                return self.members.get((enum, member))
            case tree.Call(function=tree.Name(name="int64"), arguments=[tree.Number() as inner]):
                return inner.value
        return self._named(node) if self.everything else None

    def _named(self, node: tree.Expression) -> float | None:
        match node:
            case tree.Boolean():
                return int(node.value)
            case tree.Name():
                if node.name in self.constants:
                    return self.constants[node.name]
                asset = self.context.asset_id(node.name)
                return None if asset is None else asset[1]
            case tree.Call(function=tree.Name(name="ord"), arguments=[tree.String(value=text)]):
                return ord(text) if len(text) == 1 else None
        return None


class _Normal(Transformer):
    """Rebuilds one function's statements; functions inside are done on their own."""

    def __init__(self, declarations: bool, names: Names | None) -> None:
        self.declarations = declarations
        self.names = names
        self.locals: set[str] = set()
        self.numbers: dict[str, str] = {}

    # -- statements ----------------------------------------------------------------------------

    def block(self, statement: tree.Statement | None) -> tree.Block:
        """Any statement as a block without blocks directly inside."""
        out: list[tree.Statement] = []
        pending = [statement] if statement is not None else []
        while pending:
            first = pending.pop(0)
            if isinstance(first, tree.Block):
                pending[:0] = first.statements
            elif not isinstance(first, (tree.Enum, tree.Macro, tree.GlobalVar, tree.Comment)):
                made = self.visit(first)
                whole = made if isinstance(made, list) else [made] if made is not None else []
                out += [instance(tree.Statement, part) for part in whole]
        return tree.Block(out)

    def visit_Block(self, node: tree.Block) -> tree.Node:
        return self.block(node)

    def visit_Var(self, node: tree.Var) -> list[tree.Node]:
        out: list[tree.Node] = []
        for declarator in node.declarators:
            self.locals.add(declarator.name)
            value = None if declarator.value is None else self.expression(declarator.value)
            if self.declarations:
                out.append(tree.Var([tree.Declarator(self.local(declarator.name), value)]))
            elif value is not None:
                out.append(tree.Assignment(tree.Name(self.local(declarator.name)), "=", value))
        return out

    def visit_Static(self, node: tree.Static) -> list[tree.Node]:
        self.generic_visit(node)
        return [tree.Static([declarator]) for declarator in node.declarators]

    def visit_If(self, node: tree.If) -> tree.Node:
        node.condition = self.expression(node.condition)
        node.then = self.block(node.then)
        last = node.otherwise
        if last is not None:
            made = self.block(last).statements
            node.otherwise = (
                made[0] if len(made) == 1 and isinstance(made[0], tree.If) else tree.Block(made)
            )
        return node

    def _loop(self, node: tree.While | tree.Repeat | tree.With | tree.DoUntil) -> tree.Node:
        for name in node.fields:
            value = getattr(node, name)
            done = self.block(value) if name == "body" else self.expression(value)
            setattr(node, name, done)
        return node

    visit_While = visit_Repeat = visit_With = visit_DoUntil = _loop

    def visit_For(self, node: tree.For) -> tree.Node:
        node.initial = self._inline(node.initial)
        if node.condition is not None:
            node.condition = self.expression(node.condition)
        node.step = self._inline(node.step)
        node.body = self.block(node.body)
        return node

    def _inline(self, statement: tree.Statement | None) -> tree.Statement | None:
        made = self.block(statement).statements
        return tree.Block(made) if len(made) > 1 else made[0] if made else None

    def visit_Case(self, node: tree.Case) -> tree.Node:
        if node.value is not None:
            node.value = self.expression(node.value)
        node.body = self.block(tree.Block(node.body)).statements
        return node

    def visit_Try(self, node: tree.Try) -> tree.Node:
        node.body = self.block(node.body)
        if node.handler is not None:
            self.locals.add(node.name)
            node.name = self.local(node.name)
            node.handler = self.block(node.handler)
        if node.final is not None:
            node.final = self.block(node.final)
        return node

    def visit_Assignment(self, node: tree.Assignment) -> tree.Node:
        node.value = self.expression(node.value)
        node.target = self.expression(node.target)
        return node

    def visit_ExpressionStatement(self, node: tree.ExpressionStatement) -> tree.Node:
        made = self.expression(node.expression)
        if isinstance(made, tree.Increment):
            return tree.Assignment(made.operand, made.operator[0] + "=", tree.Number(1))
        return tree.ExpressionStatement(made)

    def visit_Delete(self, node: tree.Delete) -> tree.Node:
        return tree.Assignment(self.expression(node.target), "=", tree.Name("undefined"))

    # -- expressions -----------------------------------------------------------------------------

    def local(self, name: str) -> str:
        """A local's number, by first use."""
        return self.numbers.setdefault(name, f"local{len(self.numbers)}")

    def expression(self, node: tree.Expression) -> tree.Expression:
        made = self.visit(node)
        assert isinstance(made, tree.Expression)
        return made

    def visit(self, node: tree.Node) -> tree.Node | list[tree.Node] | None:
        if isinstance(node, tree.Name) and node.name in self.locals:
            return tree.Name(self.local(node.name))
        if self.names is not None and isinstance(node, tree.Expression):
            number = self.names.number(node)
            if number is not None:
                return tree.Number(number)
        return super().visit(node)

    def visit_Name(self, node: tree.Name) -> tree.Node:
        if self.names is not None and node.name in self.names.globals:
            return tree.Member(tree.Name("global"), node.name)
        return node

    def visit_String(self, node: tree.String) -> tree.Node:
        return tree.String(node.value.replace("\r\n", "\n"))  # the line ends of the file

    def visit_Number(self, node: tree.Number) -> tree.Node:
        return tree.Number(node.value)

    def visit_Unary(self, node: tree.Unary) -> tree.Node:
        node.operand = self.expression(node.operand)
        negative = self.names is not None and node.operator == "-"
        if negative and isinstance(node.operand, tree.Number):
            return tree.Number(-node.operand.value)
        return node

    def visit_Binary(self, node: tree.Binary) -> tree.Node:
        spine = []
        left: tree.Expression = node
        while isinstance(left, tree.Binary):
            spine.append(left)
            left = left.left
        made = self.expression(left)
        for operation in reversed(spine):
            made = tree.Binary(operation.operator, made, self.expression(operation.right))
        return made

    def function(self, body: tree.Statement) -> tree.Block:
        """The body of a function: its locals are local above their ``var`` too."""
        pending: list[tree.Node] = [body]
        while pending:
            node = pending.pop()
            if isinstance(node, tree.Var):
                self.locals.update(declarator.name for declarator in node.declarators)
            pending += [child for child in node.children() if not isinstance(child, tree.Function)]
        return self.block(body)

    def visit_Function(self, node: tree.Function) -> tree.Node:
        inner = _Normal(self.declarations, self.names)
        for parameter in node.parameters:
            inner.locals.add(parameter.name)
            parameter.name = inner.local(parameter.name)
            if parameter.default is not None:
                parameter.default = inner.expression(parameter.default)
        if node.parent is not None:
            inner.generic_visit(node.parent)
        node.body = inner.function(node.body)
        return node


def normal(
    source: str, context: Context, *, declarations: bool = True, names: Names | None = None
) -> str:
    """The normal form of a source; SyntaxError_ where it is none."""
    macros = None if names is None else names.macros
    block = parse(source, context.dialect, macros=macros)
    return to_source(_Normal(declarations, names).function(block), context.dialect)
