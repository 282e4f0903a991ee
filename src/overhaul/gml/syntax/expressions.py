"""Reading expressions: precedence climbing over a list of tokens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from overhaul.gml.syntax import tree
from overhaul.gml.syntax.errors import ProblemList
from overhaul.gml.syntax.language import PRECEDENCE, Language, number
from overhaul.gml.syntax.lexer import (
    END,
    NAME,
    NUMBER,
    STRING,
    TEMPLATE,
    Tokens,
    string_value,
    tokenize,
    unescape,
)
from overhaul.gml.syntax.macros import expand_macros

# How many calls deep the parser may be; Python's own limit is 1000, and callers need room too.
MAX_DEPTH: Final = 600
MAX_CHAIN: Final = 120  # dots, indices and calls behind one value

_PREFIXES: Final = frozenset({"-", "+", "!", "~"})
_INDEXES: Final = {"[": "", "[|": "|", "[?": "?", "[#": "#", "[@": "@", "[$": "$"}
_BOOLEANS: Final = frozenset({"true", "false"})
_POSTFIXES: Final = frozenset({".", "(", "++", "--", *_INDEXES})


class Stop(Exception):
    """Leaves the statement being read, after a problem has been noted."""


class Parser:
    """Reads the expressions of one list of tokens; ``block`` reads the body of a function."""

    def __init__(
        self,
        tokens: Tokens,
        problems: ProblemList,
        language: Language,
        macros: Mapping[str, str] | None,
        block: Callable[[Parser], tree.Block],
    ) -> None:
        self.kinds: list[str] = tokens.kinds
        self.values = tokens.values
        self.positions = tokens.positions
        self.at = 0
        self.depth: int = 0
        self.problems = problems
        self.language = language
        self.macros = macros
        self.block = block
        self.gms2: bool = language.gms2_or_later
        self.v2: bool = language.gml_v2

    # -------------------------------------------------------------------------------------------
    # Helpers

    def fail(self, message: str) -> Stop:
        """Note a problem at the current token and leave the statement."""
        self.problems.add(message, self.positions[self.at])
        raise Stop

    def shown(self) -> str:
        """The current token, in words for a message."""
        kind = self.kinds[self.at]
        return kind if kind == END else repr(self.values[self.at][:40])

    def expect(self, kind: str, where: str) -> None:
        if self.kinds[self.at] != kind:
            self.fail(f"expected {kind!r} {where}, got {self.shown()}")
        self.at += 1

    def accept(self, kind: str) -> bool:
        if self.kinds[self.at] == kind:
            self.at += 1
            return True
        return False

    def name(self, what: str) -> str:
        if self.kinds[self.at] != NAME:
            self.fail(f"expected {what}, got {self.shown()}")
        self.at += 1
        return self.values[self.at - 1]

    def deeper(self, frames: int) -> None:
        self.depth += frames
        if self.depth > MAX_DEPTH:
            self.depth = 0
            self.fail("this is nested too deeply")

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
            left = tree.Conditional(left, then, self.expression(), position=left.position)
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
            if kind == "??" and kinds[self.at] == "??":  # `a ?? b ?? c` is `a ?? (b ?? c)`
                self.depth += 5
                if self.depth > MAX_DEPTH:
                    self.deeper(0)
                right = self.chain(right, precedence)
                self.depth -= 5
            left = tree.Binary(
                "==" if kind == "=" else kind, left, right, position=left.position, grouped=-1
            )

    def unary(self) -> tree.Expression:
        """Prefix operators and one chain of postfix ones."""
        kind = self.kinds[self.at]
        if kind == NAME:
            text = self.values[self.at]
            position = self.positions[self.at]
            value: tree.Expression = (
                tree.Boolean(text == "true", position=position)
                if text in _BOOLEANS
                else tree.Name(text, position=position)
            )
            self.at += 1
            return self.postfix(value) if self.kinds[self.at] in _POSTFIXES else value
        if kind in _PREFIXES:
            prefixes: list[int] = []
            while self.kinds[self.at] in _PREFIXES:
                prefixes.append(self.at)
                self.at += 1
            operand = self.unary()
            if len(prefixes) > MAX_DEPTH // 4:
                self.fail("this is nested too deeply")
            for at in reversed(prefixes):
                operand = tree.Unary(self.kinds[at], operand, position=self.positions[at])
            return operand
        if kind == "++" or kind == "--":
            position = self.positions[self.at]
            self.at += 1
            self.deeper(1)
            operand = self.unary()
            self.depth -= 1
            if not isinstance(operand, (tree.Name, tree.Member, tree.Index)):
                self.fail(f"expected a variable after {kind}")
            return tree.Increment(kind, operand, True, position=position)
        return self.postfix(self.primary(kind))

    def primary(self, kind: str) -> tree.Expression:
        position = self.positions[self.at]
        if kind == NUMBER:
            self.at += 1
            return number(self.values[self.at - 1], position)
        if kind == STRING:
            self.at += 1
            text = self.values[self.at - 1]
            return tree.String(string_value(text, self.gms2), position=position)
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
            return tree.ArrayLiteral(self.items("]"), position=position)
        if kind == TEMPLATE:
            return self.template()
        if self.v2:
            if kind == "function":
                return self.function()
            if kind == "new":
                return self.new()
            if kind == "{":
                return self.struct()
        self.fail(f"expected a value, got {self.shown()}")
        raise AssertionError  # fail() has raised

    def postfix(self, value: tree.Expression) -> tree.Expression:
        """Calls, members, indices and ``++`` behind a value."""
        kinds = self.kinds
        # `if (a) ++b;`: the ++ belongs to what follows a parenthesis, not to it.
        assignable = kinds[self.at - 1] != ")"
        links = 0
        while True:
            links += 1
            if links > MAX_CHAIN:
                self.fail("this chain is too long")
            kind = kinds[self.at]
            if kind == ".":
                self.at += 1
                name = self.member_name("a name after '.'")
                value = tree.Member(value, name, position=value.position)
                assignable = True
            elif kind == "(":
                # Before 2.3 only functions by name are called; `if (a) (b).c = 1` has no call.
                named = kinds[self.at - 1] == NAME and isinstance(value, tree.Name)
                if not self.v2 and not named:
                    return value
                self.at += 1
                value = tree.Call(value, self.arguments(), position=value.position)
                assignable = False
            elif kind in _INDEXES:
                self.at += 1
                indices = self.items("]")
                if not indices:
                    self.fail("expected an index")
                value = tree.Index(value, indices, _INDEXES[kind], position=value.position)
                assignable = True
            elif kind == "++" or kind == "--":
                if not assignable or not isinstance(value, (tree.Name, tree.Member, tree.Index)):
                    return value
                self.at += 1
                return tree.Increment(kind, value, False, position=value.position)
            else:
                return value

    def member_name(self, what: str) -> str:
        """A name where keywords may stand too."""
        kind = self.kinds[self.at]
        text = self.values[self.at]
        if kind != NAME and not (text[:1].isalpha() and kind not in (END, NUMBER, STRING)):
            self.fail(f"expected {what}, got {self.shown()}")
        self.at += 1
        return text

    def items(self, close: str) -> list[tree.Expression]:
        """Expressions with commas between (one may follow the last), and the closing bracket."""
        out: list[tree.Expression] = []
        while self.kinds[self.at] != close:
            out.append(self.expression())
            if not self.accept(","):
                break
        self.expect(close, "to close the bracket")
        return out

    def arguments(self) -> list[tree.Expression | None]:
        """The arguments of a call and the closing parenthesis; omitted arguments are None."""
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
                self.fail(f"expected ',' or ')' after an argument, got {self.shown()}")
            if kinds[self.at] == ")":  # one comma too many is allowed
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
            value = tree.Name(
                self.name("a constructor after 'new'"), position=self.positions[self.at - 1]
            )
        while True:
            kind = self.kinds[self.at]
            if kind == ".":
                self.at += 1
                value = tree.Member(
                    value, self.member_name("a name after '.'"), position=value.position
                )
            elif kind in _INDEXES:
                self.at += 1
                value = tree.Index(value, self.items("]"), _INDEXES[kind], position=value.position)
            else:
                break
        self.expect("(", "after the constructor")
        return tree.New(value, self.arguments(), position=position)

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
                value: tree.Expression = tree.Name(name, position=start)
            else:
                self.expect(":", "after the name in the struct")
                value = self.expression()
            members.append(tree.StructMember(name, value, position=start))
            if not self.accept(","):
                break
        self.expect("}", "to close the struct")
        return tree.StructLiteral(members, position=position)

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
            parameters.append(tree.Parameter(parameter, default, position=start))
            if not self.accept(","):
                break
        self.expect(")", "after the parameters")
        parent: tree.Call | None = None
        constructor = False
        if self.accept(":"):
            start = self.positions[self.at]
            base: tree.Expression = tree.Name(self.name("the parent constructor"), position=start)
            while self.accept("."):
                base = tree.Member(base, self.member_name("a name after '.'"), position=start)
            self.expect("(", "after the parent constructor")
            parent = tree.Call(base, self.arguments(), position=start)
        if self.kinds[self.at] == NAME and self.values[self.at] == "constructor":
            self.at += 1
            constructor = True
        body = self.block(self)
        self.depth -= 4
        return tree.Function(name, parameters, body, constructor, parent, position=position)

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
                    parts.append(tree.String(unescape("".join(text)), position=position))
                    text = []
                inner, at = self.template_field(source, at + 1, end, position)
                if type(inner) is tree.String:
                    inner = tree.StringField(inner.value, position=inner.position)
                parts.append(inner)
            else:
                text.append(char)
                at += 1
        if text:
            parts.append(tree.String(unescape("".join(text)), position=position))
        self.depth -= 3
        return tree.TemplateString(parts, position=position)

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
            raise Stop
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
                self.fail(f"expected '}}' after the expression, got {self.shown()}")
        finally:
            self.kinds, self.values, self.positions, self.at = outer
        return inner, stop + 1
