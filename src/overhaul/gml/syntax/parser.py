"""Reads GML into a tree: recursive descent for statements, precedence climbing for expressions.

The grammar is that of the official compilers, loose where they are: ``=`` compares inside an
expression, semicolons are optional, ``begin``/``end`` are braces, ``then`` and ``do`` may follow
a condition. Several errors are collected; after one, reading goes on at the next statement.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from overhaul.gml.syntax import tree
from overhaul.gml.syntax.errors import ProblemList, syntax_error
from overhaul.gml.syntax.expressions import MAX_DEPTH, ExpressionParser, Stop
from overhaul.gml.syntax.language import Language, Newest
from overhaul.gml.syntax.lexer import END, MACRO, tokenize
from overhaul.gml.syntax.macros import expand_macros, macro_parts

_ASSIGNMENTS: Final = frozenset(tree.ASSIGNMENT_OPERATORS)

# A return directly before one of these returns nothing.
_RETURN_STOPS: Final = frozenset(
    [";", "}", "if", "switch", "case", "default", "break", "continue", "exit", "return", "while",
    "for", "repeat", "do", "until", "with", "var", "globalvar", "enum",
    "try", "catch", "finally", "throw", "delete", "static", "else"]
) | {END, MACRO}  # fmt: skip

# Where reading starts again after an error.
_STATEMENT_STARTS: Final = frozenset(
    [
        "if",
        "switch",
        "case",
        "default",
        "break",
        "continue",
        "exit",
        "return",
        "while",
        "for",
        "repeat",
        "do",
        "with",
        "var",
        "globalvar",
        "enum",
        "try",
        "throw",
        "delete",
        "static",
    ]
) | {END, MACRO}


def parse(
    source: str,
    language: Language | None = None,
    *,
    macros: Mapping[str, str] | None = None,
    name: str = "",
) -> tree.Block:
    """Parse the text of a code entry.

    ``language`` is a Dialect (default: the newest). With ``macros`` (name to text) their names
    are replaced by their tokens first. Raises SyntaxError_ with all problems found.
    """
    block, problems = parse_all(source, language, macros=macros)
    if problems.found:
        raise syntax_error(problems, name)
    return block


def parse_all(
    source: str, language: Language | None = None, *, macros: Mapping[str, str] | None = None
) -> tuple[tree.Block, ProblemList]:
    """Parse as much as can be: the tree without the statements in error, and the problems."""
    problems = ProblemList(source)
    language = language or Newest()
    tokens = tokenize(source, problems, gms2=language.gms2_or_later, v2=language.gml_v2)
    if macros:
        tokens = expand_macros(tokens, macros, problems, language)
    parser = Parser(tokens, problems, language, macros)
    return parser.program(), problems


def parse_expression(source: str, language: Language | None = None) -> tree.Expression:
    """Parse one expression; raises SyntaxError_."""
    problems = ProblemList(source)
    language = language or Newest()
    tokens = tokenize(source, problems, gms2=language.gms2_or_later, v2=language.gml_v2)
    parser = Parser(tokens, problems, language, None)
    expression: tree.Expression = tree.Number(0)
    try:
        expression = parser.expression()
        if parser.kinds[parser.at] != END:
            parser.fail("the expression should end here")
    except Stop:
        pass
    if problems.found:
        raise syntax_error(problems)
    return expression


class Parser(ExpressionParser):
    """Reads the statements of one list of tokens."""

    def program(self) -> tree.Block:
        """The whole text."""
        statements: list[tree.Statement] = []
        while True:
            self.statements(statements)
            if self.kinds[self.at] == END or self.problems.full:
                break
            self.problems.add(f"{self.shown()} closes nothing", self.positions[self.at])
            self.at += 1
        return tree.Block(statements, position=0, end=self.positions[-1])

    def statements(self, out: list[tree.Statement]) -> None:
        """Statements up to a closing brace, a case label or the end."""
        kinds = self.kinds
        depth = self.depth
        while True:
            kind = kinds[self.at]
            if kind == ";":
                self.at += 1
                continue
            if kind == "}" or kind == END or kind == "case" or kind == "default":
                return
            start = self.at
            try:
                out.append(self.statement())
            except Stop:
                self.depth = depth
                if self.problems.full:
                    self.at = len(kinds) - 1
                    return
                self.recover(start)

    def recover(self, start: int) -> None:
        """After an error: go on behind the next semicolon or before the next statement."""
        kinds = self.kinds
        at = max(self.at, start + 1)
        while True:
            kind = kinds[min(at, len(kinds) - 1)]
            if kind == ";":
                at += 1
                break
            if kind == "}" or kind in _STATEMENT_STARTS or (kind == "{" and at > start):
                break
            at += 1
        self.at = min(at, len(kinds) - 1)

    def statement(self) -> tree.Statement:
        """One statement, with the semicolon behind it if there is one."""
        kind = self.kinds[self.at]
        self.depth += 3
        if self.depth > MAX_DEPTH:
            self.deeper(0)
        method = _STATEMENTS.get(kind)
        result = self.simple_statement() if method is None else method(self)
        self.depth -= 3
        if self.kinds[self.at] == ";":
            self.at += 1
        return result

    def simple_statement(self) -> tree.Statement:
        """An assignment, or an expression that does something."""
        position = self.positions[self.at]
        target = self.unary()
        kind = self.kinds[self.at]
        if kind in _ASSIGNMENTS:
            if not isinstance(target, (tree.Name, tree.Member, tree.Index)):
                self.fail("nothing can be assigned to this")
            self.at += 1
            return tree.Assignment(target, kind, self.expression(), position=position)
        if kind == "==" and isinstance(target, (tree.Name, tree.Member, tree.Index)):
            self.fail("'==' compares; '=' assigns")
        return tree.ExpressionStatement(target, position=position)

    def body(self) -> tree.Block:
        """The statement after a condition, as a block; a missing one is an error."""
        kind = self.kinds[self.at]
        position = self.positions[self.at]
        if kind == ";":
            self.at += 1
            return tree.Block([], position=position, end=position)
        if kind == END or kind == "}":
            self.fail(f"expected a statement, found {self.shown()}")
        statement = self.statement()
        if isinstance(statement, tree.Block):
            return statement
        return tree.Block([statement], position=position, end=self.positions[self.at])

    def block(self) -> tree.Block:
        position = self.positions[self.at]
        if self.kinds[self.at] != "{":
            self.fail(f"expected '{{', found {self.shown()}")
        self.at += 1
        statements: list[tree.Statement] = []
        self.statements(statements)
        while self.kinds[self.at] in ("case", "default"):
            self.problems.add("a case label outside a switch", self.positions[self.at])
            self.recover(self.at)
            self.statements(statements)
        end = self.positions[self.at]
        if self.kinds[self.at] != "}":
            self.problems.add("this brace is not closed", position)
            raise Stop
        self.at += 1
        return tree.Block(statements, position=position, end=end)

    def if_statement(self) -> tree.Statement:
        first: tree.If | None = None
        last: tree.If | None = None
        while True:  # a loop, since else-if chains may be long
            position = self.positions[self.at]
            self.at += 1
            condition = self.expression()
            self.accept("then")
            self.accept(";")
            node = tree.If(condition, self.body(), None, position=position)
            if first is None or last is None:
                first = node
            else:
                last.otherwise = node
            last = node
            if not self.accept_else():
                return first
            if self.kinds[self.at] != "if":
                last.otherwise = self.body()
                return first

    def accept_else(self) -> bool:
        at = self.at
        while self.kinds[at] == ";":
            at += 1
        if self.kinds[at] == "else":
            self.at = at + 1
            return True
        return False

    def while_statement(self) -> tree.Statement:
        position = self.positions[self.at]
        self.at += 1
        condition = self.expression()
        self.accept("do")
        return tree.While(condition, self.body(), position=position)

    def do_statement(self) -> tree.Statement:
        position = self.positions[self.at]
        self.at += 1
        body = self.body()
        while self.accept(";"):
            pass
        self.expect("until", "after the body of 'do'")
        return tree.DoUntil(body, self.expression(), position=position)

    def repeat_statement(self) -> tree.Statement:
        position = self.positions[self.at]
        self.at += 1
        count = self.expression()
        return tree.Repeat(count, self.body(), position=position)

    def with_statement(self) -> tree.Statement:
        position = self.positions[self.at]
        self.at += 1
        target = self.expression()
        self.accept("do")
        return tree.With(target, self.body(), position=position)

    def for_statement(self) -> tree.Statement:
        position = self.positions[self.at]
        self.at += 1
        self.expect("(", "after 'for'")
        kinds = self.kinds
        initial: tree.Statement | None = None
        condition: tree.Expression | None = None
        step: tree.Statement | None = None
        if not self.accept(";"):
            initial = self.statement()  # takes its semicolon along
        if not self.accept(";"):
            if kinds[self.at] != ")":
                condition = self.expression()
            self.accept(";")
        if kinds[self.at] != ")":
            step = self.statement()
            while self.accept(";"):
                pass
        self.expect(")", "after the parts of 'for'")
        return tree.For(initial, condition, step, self.body(), position=position)

    def switch_statement(self) -> tree.Statement:
        position = self.positions[self.at]
        self.at += 1
        value = self.expression()
        opening = self.positions[self.at]
        self.expect("{", "after the value of 'switch'")
        cases: list[tree.Case] = []
        while True:
            kind = self.kinds[self.at]
            start = self.positions[self.at]
            label: tree.Expression | None = None
            if kind == "}":
                self.at += 1
                return tree.Switch(value, cases, position=position)
            if kind == ";":
                self.at += 1
                continue
            if kind == END:
                self.problems.add("this brace is not closed", opening)
                raise Stop
            if kind == "case":
                self.at += 1
                label = self.expression()
            elif kind == "default":
                self.at += 1
            elif kind == MACRO or kind == "enum":
                self.statement()  # defined elsewhere already; it does nothing here
                continue
            else:
                self.fail(f"expected 'case', 'default' or '}}' in 'switch', found {self.shown()}")
            self.expect(":", "after the label")
            case = tree.Case(label, [], position=start)
            self.statements(case.body)
            cases.append(case)

    def break_statement(self) -> tree.Statement:
        self.at += 1
        return tree.Break(position=self.positions[self.at - 1])

    def continue_statement(self) -> tree.Statement:
        self.at += 1
        return tree.Continue(position=self.positions[self.at - 1])

    def exit_statement(self) -> tree.Statement:
        self.at += 1
        return tree.Exit(position=self.positions[self.at - 1])

    def return_statement(self) -> tree.Statement:
        position = self.positions[self.at]
        self.at += 1
        if self.kinds[self.at] in _RETURN_STOPS:
            return tree.Exit(position=position, text="return")
        return tree.Return(self.expression(), position=position)

    def throw_statement(self) -> tree.Statement:
        position = self.positions[self.at]
        self.at += 1
        return tree.Throw(self.expression(), position=position)

    def delete_statement(self) -> tree.Statement:
        position = self.positions[self.at]
        self.at += 1
        return tree.Delete(self.unary(), position=position)

    def try_statement(self) -> tree.Statement:
        position = self.positions[self.at]
        self.at += 1
        body = self.block()
        name = ""
        handler: tree.Block | None = None
        final: tree.Block | None = None
        if self.accept("catch"):
            parenthesis = self.accept("(")
            name = self.name("the name of the exception")
            if parenthesis:
                self.expect(")", "after the name of the exception")
            handler = self.block()
        if self.accept("finally"):
            final = self.block()
        return tree.Try(body, name, handler, final, position=position)

    def declarators(self, what: str) -> list[tree.Declarator]:
        out: list[tree.Declarator] = []
        if (
            self.kinds[self.at] == ";" and what == "var"
        ):  # official: a var without names is let pass
            return out
        while True:
            position = self.positions[self.at]
            name = self.name(f"a name after '{what}'")
            value: tree.Expression | None = None
            if self.kinds[self.at] == "=" or self.kinds[self.at] == "==":
                self.at += 1
                value = self.expression()
            out.append(tree.Declarator(name, value, position=position))
            if not self.accept(","):
                return out
            if self.kinds[self.at] == ";":
                return out

    def var_statement(self) -> tree.Statement:
        position = self.positions[self.at]
        self.at += 1
        out = self.declarators("var")
        while self.kinds[self.at] == "var" and self.values[self.at - 1] == ",":
            self.at += 1
            out += self.declarators("var")
        return tree.Var(out, position=position)

    def static_statement(self) -> tree.Statement:
        position = self.positions[self.at]
        self.at += 1
        return tree.Static(self.declarators("static"), position=position)

    def globalvar_statement(self) -> tree.Statement:
        position = self.positions[self.at]
        self.at += 1
        return tree.GlobalVar(self.declarators("globalvar"), position=position)

    def enum_statement(self) -> tree.Statement:
        position = self.positions[self.at]
        self.at += 1
        name = self.name("the name of the enum")
        self.expect("{", "after the name of the enum")
        members: list[tree.EnumMember] = []
        while self.kinds[self.at] != "}":
            start = self.positions[self.at]
            member = self.member_name("a name in the enum")
            value: tree.Expression | None = None
            if self.accept("="):
                value = self.expression()
            members.append(tree.EnumMember(member, value, position=start))
            if not self.accept(","):
                break
        self.expect("}", "after the members of the enum")
        return tree.Enum(name, members, position=position)

    def macro_statement(self) -> tree.Statement:
        position = self.positions[self.at]
        text = self.values[self.at]
        self.at += 1
        name, body, configuration = macro_parts(text)
        if not name:
            self.problems.add("expected the name of the macro", position)
        return tree.Macro(name, body, configuration, position=position)

    def function_statement(self) -> tree.Statement:
        position = self.positions[self.at]
        function = self.function()
        if function.name:  # a declaration: what follows is no call of it
            return tree.ExpressionStatement(function, position=position)
        return tree.ExpressionStatement(self.postfix(function), position=position)


_STATEMENTS: Final = {
    "{": Parser.block,
    "if": Parser.if_statement,
    "while": Parser.while_statement,
    "do": Parser.do_statement,
    "repeat": Parser.repeat_statement,
    "with": Parser.with_statement,
    "for": Parser.for_statement,
    "switch": Parser.switch_statement,
    "break": Parser.break_statement,
    "continue": Parser.continue_statement,
    "exit": Parser.exit_statement,
    "return": Parser.return_statement,
    "throw": Parser.throw_statement,
    "delete": Parser.delete_statement,
    "try": Parser.try_statement,
    "var": Parser.var_statement,
    "static": Parser.static_statement,
    "globalvar": Parser.globalvar_statement,
    "enum": Parser.enum_statement,
    MACRO: Parser.macro_statement,
    "function": Parser.function_statement,
}

__all__ = [
    "Language",
    "Parser",
    "macro_parts",
    "parse",
    "parse_all",
    "parse_expression",
]
