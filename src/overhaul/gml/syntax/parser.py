"""Reads GML into a tree: recursive descent for statements, precedence climbing for expressions.

The grammar is that of the official compilers, loose where they are: ``=`` compares inside an expression,
semicolons are optional, ``begin``/``end`` are braces, ``then`` and ``do`` may follow a condition.
Several errors are collected; after one, reading goes on at the next statement.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from overhaul.gml.syntax import tree
from overhaul.gml.syntax.errors import ProblemList, syntax_error
from overhaul.gml.syntax.lexer import (
    END,
    MACRO,
    NAME,
    NUMBER,
    STRING,
    TEMPLATE,
    Tokens,
    string_value,
    tokenize,
    unescape,
)

# How many calls deep the parser may be; Python's own limit is 1000, and callers need room too.
MAX_DEPTH: Final = 600
MAX_MACRO_TOKENS: Final = 1_000_000

PRECEDENCE: Final[dict[str, int]] = {
    "??": 1, "||": 2, "&&": 3, "^^": 4,
    "==": 5, "=": 5, "!=": 5, "<": 5, "<=": 5, ">": 5, ">=": 5,
    "&": 6, "|": 6, "^": 6, "<<": 7, ">>": 7,
    "+": 8, "-": 8, "*": 9, "/": 9, "%": 9, "div": 9,
}  # fmt: skip

_ASSIGNMENTS: Final = frozenset(tree.ASSIGNMENT_OPERATORS)
_PREFIXES: Final = frozenset({"-", "+", "!", "~"})
_INDEXES: Final = {"[": "", "[|": "|", "[?": "?", "[#": "#", "[@": "@", "[$": "$"}

# A return directly before one of these returns nothing.
_RETURN_STOPS: Final = frozenset(
    ("; } if switch case default break continue exit return while for repeat do until with var globalvar "
     "enum try catch finally throw delete static else").split()
) | {END, MACRO}  # fmt: skip

# Where reading starts again after an error.
_STATEMENT_STARTS: Final = frozenset(
    "if switch case default break continue exit return while for repeat do with var globalvar enum try throw "
    "delete static".split()
) | {END, MACRO}


class Language(Protocol):
    """What the parser asks of a dialect."""

    @property
    def gms2_or_later(self) -> bool:
        """GMS2 strings (escapes) instead of GMS1's."""
        ...

    @property
    def gml_v2(self) -> bool:
        """Functions, structs, methods (2.3 and later)."""
        ...


class _Newest:
    gms2_or_later = True
    gml_v2 = True


class _Stop(Exception):
    """Leaves the statement being read, after a problem has been noted."""


def parse(
    source: str,
    language: Language | None = None,
    *,
    macros: Mapping[str, str] | None = None,
    name: str = "",
) -> tree.Block:
    """Parse the text of a code entry.

    ``language`` is a Dialect (default: the newest). With ``macros`` (name to text) their names are
    replaced by their tokens first. Raises SyntaxError_ with all problems found.
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
    language = language or _Newest()
    tokens = tokenize(source, problems, gms2=language.gms2_or_later, v2=language.gml_v2)
    if macros:
        tokens = expand_macros(tokens, macros, problems, language)
    parser = Parser(tokens, problems, language, macros)
    return parser.program(), problems


def parse_expression(source: str, language: Language | None = None) -> tree.Expression:
    """Parse one expression; raises SyntaxError_."""
    problems = ProblemList(source)
    language = language or _Newest()
    tokens = tokenize(source, problems, gms2=language.gms2_or_later, v2=language.gml_v2)
    parser = Parser(tokens, problems, language, None)
    expression: tree.Expression = tree.Number(0)
    try:
        expression = parser.expression()
        if parser.kinds[parser.at] != END:
            parser.fail("the expression should end here")
    except _Stop:
        pass
    if problems.found:
        raise syntax_error(problems)
    return expression


def expand_macros(
    tokens: Tokens, macros: Mapping[str, str], problems: ProblemList, language: Language
) -> Tokens:
    """Replace the names of macros by their tokens (which stand at the place of the name)."""
    if not any(kind == NAME and text in macros for kind, text in zip(tokens.kinds, tokens.values, strict=True)):
        return tokens
    out = Tokens()
    for kind, text, position in zip(tokens.kinds, tokens.values, tokens.positions, strict=True):
        if kind == NAME and text in macros:
            _expand(text, position, macros, problems, language, out, [])
            if len(out) > MAX_MACRO_TOKENS:
                problems.add("the macros of this text expand without end", position)
                break
        else:
            out.append(kind, text, position)
    if not out.kinds or out.kinds[-1] != END:
        out.append(END, "", tokens.positions[-1])
    return out


def _expand(
    name: str,
    position: int,
    macros: Mapping[str, str],
    problems: ProblemList,
    language: Language,
    out: Tokens,
    active: list[str],
) -> None:
    text = macros[name].replace("\\\r\n", " \n").replace("\\\n", " \n")
    inner = ProblemList(text)
    tokens = tokenize(text, inner, gms2=language.gms2_or_later, v2=language.gml_v2)
    for _, message in inner.found:
        problems.add(f"in macro {name}: {message}", position)
    active.append(name)
    for kind, value in zip(tokens.kinds, tokens.values, strict=True):
        if kind == END or len(out) > MAX_MACRO_TOKENS:
            break
        if kind == NAME and value in macros and value not in active and len(active) < 50:
            _expand(value, position, macros, problems, language, out, active)
        else:
            out.append(kind, value, position)
    active.pop()


class Parser:
    """One reading of one list of tokens."""

    def __init__(
        self,
        tokens: Tokens,
        problems: ProblemList,
        language: Language,
        macros: Mapping[str, str] | None,
    ) -> None:
        self.kinds = tokens.kinds
        self.values = tokens.values
        self.positions = tokens.positions
        self.at = 0
        self.depth = 0
        self.problems = problems
        self.language = language
        self.macros = macros
        self.gms2 = language.gms2_or_later
        self.v2 = language.gml_v2

    # -------------------------------------------------------------------------------------------
    # Helpers

    def fail(self, message: str) -> _Stop:
        """Note a problem at the current token and leave the statement."""
        self.problems.add(message, self.positions[self.at])
        raise _Stop

    def shown(self) -> str:
        """The current token, in words for a message."""
        kind = self.kinds[self.at]
        return kind if kind == END else repr(self.values[self.at][:40])

    def expect(self, kind: str, where: str) -> None:
        if self.kinds[self.at] != kind:
            self.fail(f"expected {kind!r} {where}, found {self.shown()}")
        self.at += 1

    def accept(self, kind: str) -> bool:
        if self.kinds[self.at] == kind:
            self.at += 1
            return True
        return False

    def name(self, what: str) -> str:
        if self.kinds[self.at] != NAME:
            self.fail(f"expected {what}, found {self.shown()}")
        self.at += 1
        return self.values[self.at - 1]

    def deeper(self, frames: int) -> None:
        self.depth += frames
        if self.depth > MAX_DEPTH:
            self.depth = 0
            self.fail("this is nested too deeply")

    # -------------------------------------------------------------------------------------------
    # Statements

    def program(self) -> tree.Block:
        """The whole text."""
        statements: list[tree.Statement] = []
        while True:
            self.statements(statements)
            if self.kinds[self.at] == END or self.problems.full:
                break
            self.problems.add(f"{self.shown()} closes nothing", self.positions[self.at])
            self.at += 1
        return tree.Block(statements, 0, self.positions[-1])

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
            except _Stop:
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
            if kind == "}" or kind in _STATEMENT_STARTS:
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
            return tree.Assignment(target, kind, self.expression(), position)
        if kind == "==" and isinstance(target, (tree.Name, tree.Member, tree.Index)):
            self.fail("'==' compares; '=' assigns")
        return tree.ExpressionStatement(target, position)

    def body(self) -> tree.Block:
        """The statement after a condition, as a block; a missing one is an error."""
        kind = self.kinds[self.at]
        position = self.positions[self.at]
        if kind == ";":
            self.at += 1
            return tree.Block([], position, position)
        if kind == END or kind == "}":
            self.fail(f"expected a statement, found {self.shown()}")
        statement = self.statement()
        if isinstance(statement, tree.Block):
            return statement
        return tree.Block([statement], position, self.positions[self.at])

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
            raise _Stop
        self.at += 1
        return tree.Block(statements, position, end)

    def if_statement(self) -> tree.Statement:
        first: tree.If | None = None
        last: tree.If | None = None
        while True:  # a loop, since else-if chains may be long
            position = self.positions[self.at]
            self.at += 1
            condition = self.expression()
            self.accept("then")
            self.accept(";")
            node = tree.If(condition, self.body(), None, position)
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
        return tree.While(condition, self.body(), position)

    def do_statement(self) -> tree.Statement:
        position = self.positions[self.at]
        self.at += 1
        body = self.body()
        while self.accept(";"):
            pass
        self.expect("until", "after the body of 'do'")
        return tree.DoUntil(body, self.expression(), position)

    def repeat_statement(self) -> tree.Statement:
        position = self.positions[self.at]
        self.at += 1
        count = self.expression()
        return tree.Repeat(count, self.body(), position)

    def with_statement(self) -> tree.Statement:
        position = self.positions[self.at]
        self.at += 1
        target = self.expression()
        self.accept("do")
        return tree.With(target, self.body(), position)

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
        return tree.For(initial, condition, step, self.body(), position)

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
                return tree.Switch(value, cases, position)
            if kind == ";":
                self.at += 1
                continue
            if kind == END:
                self.problems.add("this brace is not closed", opening)
                raise _Stop
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
            case = tree.Case(label, [], start)
            self.statements(case.body)
            cases.append(case)

    def break_statement(self) -> tree.Statement:
        self.at += 1
        return tree.Break(self.positions[self.at - 1])

    def continue_statement(self) -> tree.Statement:
        self.at += 1
        return tree.Continue(self.positions[self.at - 1])

    def exit_statement(self) -> tree.Statement:
        self.at += 1
        return tree.Exit(self.positions[self.at - 1])

    def return_statement(self) -> tree.Statement:
        position = self.positions[self.at]
        self.at += 1
        if self.kinds[self.at] in _RETURN_STOPS:
            return tree.Exit(position, "return")
        return tree.Return(self.expression(), position)

    def throw_statement(self) -> tree.Statement:
        position = self.positions[self.at]
        self.at += 1
        return tree.Throw(self.expression(), position)

    def delete_statement(self) -> tree.Statement:
        position = self.positions[self.at]
        self.at += 1
        return tree.Delete(self.unary(), position)

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
        return tree.Try(body, name, handler, final, position)

    def declarators(self, what: str) -> list[tree.Declarator]:
        out: list[tree.Declarator] = []
        if self.kinds[self.at] == ";" and what == "var":  # official: a var without names is let pass
            return out
        while True:
            position = self.positions[self.at]
            name = self.name(f"a name after '{what}'")
            value: tree.Expression | None = None
            if self.kinds[self.at] == "=" or self.kinds[self.at] == "==":
                self.at += 1
                value = self.expression()
            out.append(tree.Declarator(name, value, position))
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
        return tree.Var(out, position)

    def static_statement(self) -> tree.Statement:
        position = self.positions[self.at]
        self.at += 1
        return tree.Static(self.declarators("static"), position)

    def globalvar_statement(self) -> tree.Statement:
        position = self.positions[self.at]
        self.at += 1
        return tree.GlobalVar(self.declarators("globalvar"), position)

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
            members.append(tree.EnumMember(member, value, start))
            if not self.accept(","):
                break
        self.expect("}", "after the members of the enum")
        return tree.Enum(name, members, position)

    def macro_statement(self) -> tree.Statement:
        position = self.positions[self.at]
        text = self.values[self.at]
        self.at += 1
        head, rest = macro_parts(text)
        configuration, _, name = head.rpartition(":")
        if not name:
            self.problems.add("expected the name of the macro", position)
        return tree.Macro(name, rest, configuration, position)

    def function_statement(self) -> tree.Statement:
        position = self.positions[self.at]
        # A declaration may be called or looked into on the spot, as any other value.
        return tree.ExpressionStatement(self.postfix(self.function()), position)

    # -------------------------------------------------------------------------------------------
    # Expressions

    def expression(self) -> tree.Expression:
        """An expression of any kind."""
        self.depth += 5
        if self.depth > MAX_DEPTH:
            self.deeper(0)
        left = self.unary()
        kind = self.kinds[self.at]
        if kind in PRECEDENCE:
            left = self.chain(left, 1)
            kind = self.kinds[self.at]
        if kind == "?":
            self.at += 1
            then = self.expression()
            self.expect(":", "between the two values of '?'")
            left = tree.Conditional(left, then, self.expression(), left.position)
        self.depth -= 5
        return left

    def chain(self, left: tree.Expression, minimum: int) -> tree.Expression:
        """The operators behind ``left`` that are at least as tight as ``minimum``."""
        kinds = self.kinds
        precedence_of = PRECEDENCE.get
        while True:
            kind = kinds[self.at]
            precedence = precedence_of(kind, 0)
            if precedence < minimum:
                return left
            self.at += 1
            right = self.unary()
            if precedence_of(kinds[self.at], 0) > precedence:
                self.depth += 1
                right = self.chain(right, precedence + 1)
                self.depth -= 1
            left = tree.Binary("==" if kind == "=" else kind, left, right, left.position, -1)

    def unary(self) -> tree.Expression:
        """Prefix operators and one chain of postfix ones."""
        kind = self.kinds[self.at]
        if kind == NAME:
            name = tree.Name(self.values[self.at], self.positions[self.at])
            self.at += 1
            if self.kinds[self.at] not in _POSTFIXES:
                if name.name in _BOOLEANS:
                    return tree.Boolean(name.name == "true", name.position)
                return name
            return self.postfix(name)
        if kind in _PREFIXES:
            prefixes: list[int] = []
            while self.kinds[self.at] in _PREFIXES:
                prefixes.append(self.at)
                self.at += 1
            operand = self.unary()
            if len(prefixes) > MAX_DEPTH // 4:
                self.fail("this is nested too deeply")
            for at in reversed(prefixes):
                operand = tree.Unary(self.kinds[at], operand, self.positions[at])
            return operand
        if kind == "++" or kind == "--":
            position = self.positions[self.at]
            self.at += 1
            self.deeper(1)
            operand = self.unary()
            self.depth -= 1
            if not isinstance(operand, (tree.Name, tree.Member, tree.Index)):
                self.fail(f"{kind} changes a variable")
            return tree.Increment(kind, operand, True, position)
        return self.postfix(self.primary(kind))

    def primary(self, kind: str) -> tree.Expression:
        position = self.positions[self.at]
        if kind == NUMBER:
            self.at += 1
            return number(self.values[self.at - 1], position)
        if kind == STRING:
            self.at += 1
            text = self.values[self.at - 1]
            return tree.String(string_value(text, self.gms2), position)
        if kind == "(":
            self.at += 1
            inner = self.expression()
            self.expect(")", "to close the parenthesis")
            if isinstance(inner, tree.Binary):
                inner.grouped = 1
            elif isinstance(inner, tree.Call):
                inner.grouped = True
            return inner
        if kind == "[" and self.gms2:
            self.at += 1
            return tree.ArrayLiteral(self.items("]"), position)
        if kind == TEMPLATE:
            return self.template()
        if self.v2:
            if kind == "function":
                return self.function()
            if kind == "new":
                return self.new()
            if kind == "{":
                return self.struct()
        self.fail(f"expected a value, found {self.shown()}")
        raise AssertionError  # fail() has raised

    def postfix(self, value: tree.Expression) -> tree.Expression:
        """Calls, members, indices and ``++`` behind a value."""
        kinds = self.kinds
        # `if (a) ++b;`: the ++ belongs to what follows a parenthesis, not to it.
        assignable = kinds[self.at - 1] != ")"
        while True:
            kind = kinds[self.at]
            if kind == ".":
                self.at += 1
                name = self.member_name("a name after '.'")
                value = tree.Member(value, name, value.position)
                assignable = True
            elif kind == "(":
                if not self.v2 and not isinstance(value, tree.Name):
                    return value
                self.at += 1
                value = tree.Call(value, self.arguments(), value.position)
                assignable = False
            elif kind in _INDEXES:
                self.at += 1
                indices = self.items("]")
                if not indices:
                    self.fail("expected an index")
                value = tree.Index(value, indices, _INDEXES[kind], value.position)
                assignable = True
            elif kind == "++" or kind == "--":
                if not assignable or not isinstance(value, (tree.Name, tree.Member, tree.Index)):
                    return value
                self.at += 1
                return tree.Increment(kind, value, False, value.position)
            else:
                return value

    def member_name(self, what: str) -> str:
        """A name where keywords may stand too."""
        kind = self.kinds[self.at]
        text = self.values[self.at]
        if kind != NAME and not (text[:1].isalpha() and kind not in (END, NUMBER, STRING)):
            self.fail(f"expected {what}, found {self.shown()}")
        self.at += 1
        return text

    def items(self, close: str) -> list[tree.Expression]:
        """Expressions with commas between (one may stand behind the last), and the closing bracket."""
        out: list[tree.Expression] = []
        while self.kinds[self.at] != close:
            out.append(self.expression())
            if not self.accept(","):
                break
        self.expect(close, "to close the bracket")
        return out

    def arguments(self) -> list[tree.Expression | None]:
        """The arguments of a call, up to and with the closing parenthesis; omitted ones are None."""
        out: list[tree.Expression | None] = []
        kinds = self.kinds
        if self.accept(")"):
            return out
        while True:
            kind = kinds[self.at]
            if kind == ",":
                out.append(None)
                self.at += 1
                if kinds[self.at] == ")":
                    out.append(None)
                    self.at += 1
                    return out
                continue
            out.append(self.expression())
            kind = kinds[self.at]
            self.at += 1
            if kind == ")":
                return out
            if kind != ",":
                self.at -= 1
                self.fail(f"expected ',' or ')' after an argument, found {self.shown()}")
            if kinds[self.at] == ")":  # a comma too many is let pass
                self.at += 1
                return out

    def new(self) -> tree.Expression:
        position = self.positions[self.at]
        self.at += 1
        if self.kinds[self.at] == "(":
            self.at += 1
            value: tree.Expression = self.expression()
            self.expect(")", "to close the parenthesis")
        elif self.kinds[self.at] == "function":
            value = self.function()
        else:
            value = tree.Name(self.name("a constructor after 'new'"), self.positions[self.at - 1])
        while True:
            kind = self.kinds[self.at]
            if kind == ".":
                self.at += 1
                value = tree.Member(value, self.member_name("a name after '.'"), value.position)
            elif kind in _INDEXES:
                self.at += 1
                value = tree.Index(value, self.items("]"), _INDEXES[kind], value.position)
            else:
                break
        self.expect("(", "after the constructor")
        return tree.New(value, self.arguments(), position)

    def struct(self) -> tree.Expression:
        position = self.positions[self.at]
        self.at += 1
        members: list[tree.StructMember] = []
        while self.kinds[self.at] != "}":
            start = self.positions[self.at]
            if self.kinds[self.at] == STRING:
                name = string_value(self.values[self.at], self.gms2)
                self.at += 1
                short = False
            else:
                name = self.member_name("a name in the struct")
                short = self.kinds[self.at] in (",", "}")
            if short:
                value: tree.Expression = tree.Name(name, start)
            else:
                self.expect(":", "after the name in the struct")
                value = self.expression()
            members.append(tree.StructMember(name, value, start))
            if not self.accept(","):
                break
        self.expect("}", "to close the struct")
        return tree.StructLiteral(members, position)

    def function(self) -> tree.Function:
        position = self.positions[self.at]
        self.at += 1
        self.deeper(4)
        name = self.name("a name") if self.kinds[self.at] == NAME else ""
        self.expect("(", "after 'function'")
        parameters: list[tree.Parameter] = []
        while self.kinds[self.at] != ")":
            start = self.positions[self.at]
            parameter = self.name("the name of a parameter")
            default: tree.Expression | None = None
            if self.accept("="):
                default = self.expression()
            parameters.append(tree.Parameter(parameter, default, start))
            if not self.accept(","):
                break
        self.expect(")", "after the parameters")
        parent: tree.Call | None = None
        constructor = False
        if self.accept(":"):
            start = self.positions[self.at]
            base: tree.Expression = tree.Name(self.name("the parent constructor"), start)
            while self.accept("."):
                base = tree.Member(base, self.member_name("a name after '.'"), start)
            self.expect("(", "after the parent constructor")
            parent = tree.Call(base, self.arguments(), start)
        if self.kinds[self.at] == NAME and self.values[self.at] == "constructor":
            self.at += 1
            constructor = True
        body = self.block()
        self.depth -= 4
        return tree.Function(name, parameters, body, constructor, parent, position)

    def template(self) -> tree.Expression:
        """A template string: its texts and the expressions in braces."""
        position = self.positions[self.at]
        source = self.values[self.at]
        self.at += 1
        self.deeper(3)
        parts: list[tree.Expression] = []
        text: list[str] = []
        at = 2
        end = len(source) - 1
        while at < end:
            char = source[at]
            if char == "\\" and at + 1 < end:
                text.append(source[at : at + 2])
                at += 2
            elif char == "{":
                if text:
                    parts.append(tree.String(unescape("".join(text)), position))
                    text = []
                inner, at = self.template_field(source, at + 1, end, position)
                parts.append(inner)
            else:
                text.append(char)
                at += 1
        if text:
            parts.append(tree.String(unescape("".join(text)), position))
        self.depth -= 3
        return tree.TemplateString(parts, position)

    def template_field(
        self, source: str, at: int, end: int, position: int
    ) -> tuple[tree.Expression, int]:
        """The expression at ``at`` and the offset behind its closing brace."""
        tokens = tokenize(source, ProblemList(source), gms2=True, v2=True, start=at, end=end)
        depth = 0
        close = -1
        for index, kind in enumerate(tokens.kinds):
            if kind == "{":
                depth += 1
            elif kind == "}":
                if depth == 0:
                    close = index
                    break
                depth -= 1
        if close < 0:
            self.problems.add("this brace is not closed", position + at - 1)
            raise _Stop
        stop = tokens.positions[close]
        field = tokenize(source, ProblemList(source), gms2=True, v2=True, start=at, end=stop)
        field.positions = [place + position for place in field.positions]
        if self.macros:
            field = expand_macros(field, self.macros, self.problems, self.language)
        outer = (self.kinds, self.values, self.positions, self.at)
        self.kinds, self.values, self.positions, self.at = (
            field.kinds,
            field.values,
            field.positions,
            0,
        )
        try:
            inner = self.expression()
            if self.kinds[self.at] != END:
                self.fail(f"expected '}}' after the expression, found {self.shown()}")
        finally:
            self.kinds, self.values, self.positions, self.at = outer
        return inner, stop + 1


_BOOLEANS: Final = frozenset({"true", "false"})
_POSTFIXES: Final = frozenset({".", "(", "++", "--", *_INDEXES})

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


def macro_parts(text: str) -> tuple[str, str]:
    """The name (``name`` or ``configuration:name``) and the body of a ``#macro`` line."""
    text = text[len("#macro") :].strip()
    head = text.split(maxsplit=1)[0] if text else ""
    return head, text[len(head) :].strip()


def number(text: str, position: int) -> tree.Expression:
    """The node of a numeric literal.

    Decimals become doubles unless a double cannot hold them; hexadecimal beyond 32 bits, and decimal
    integers that do not survive a double, become 64-bit integers.
    """
    digits = text.replace("_", "")
    first = digits[0]
    if first == "$":
        value = int(digits[1:] or "0", 16)
    elif first == "#":
        rgb = int(digits[1:], 16)
        value = (rgb & 0xFF) << 16 | rgb & 0xFF00 | rgb >> 16
    elif digits[:2] in ("0x", "0X"):
        value = int(digits[2:] or "0", 16)
    elif digits[:2] in ("0b", "0B"):
        value = int(digits[2:] or "0", 2)
    elif digits.isdigit():
        value = int(digits)
        if value < 1 << 53 or value >= 1 << 63 or int(float(value)) == value:
            return tree.Number(value, text, position)
        return tree.Int64(_signed(value), text, position)
    else:
        real = float(digits)
        return tree.Number(int(real) if real.is_integer() else real, text, position)
    if value > 0x7FFFFFFF:
        return tree.Int64(_signed(value), text, position)
    return tree.Number(value, text, position)


def _signed(value: int) -> int:
    value &= 0xFFFF_FFFF_FFFF_FFFF
    return value - (1 << 64) if value >> 63 else value
