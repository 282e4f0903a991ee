"""Trees of GML for hypothesis: every node, in the forms the parser makes.

A tree is made from one number (by a plain random generator, which is far faster than composed
strategies for something this recursive); hypothesis chooses the number and keeps those that fail.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TypeVar

from hypothesis import strategies as st

from overhaul.gml.syntax import tree

OPERATORS = [op for op in tree.ASSIGNMENT_OPERATORS if op not in ("<<=", ">>=")]
CHARACTERS = "ab {}\"'\\\n\t$é\x07€/*"


T = TypeVar("T")


class TreeMaker:
    """Makes trees; ``size`` bounds how deep they go."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def name(self) -> str:
        return self.random.choice(["a", "b", "speed", "x", "i", "list_2", "_m", "self", "global"])

    def text(self) -> str:
        return "".join(self.random.choices(CHARACTERS, k=self.random.randrange(6)))

    def some(self, make: Callable[[], T], most: int = 2, least: int = 0) -> list[T]:
        return [make() for _ in range(self.random.randint(least, most))]

    def maybe(self, make: Callable[[], T]) -> T | None:
        return make() if self.random.random() < 0.5 else None

    # -- expressions ---------------------------------------------------------------------------

    def leaf(self) -> tree.Expression:
        kind = self.random.randrange(6)
        if kind == 0:
            return tree.Number(self.random.randrange(1 << self.random.randrange(1, 45)))
        if kind == 1:
            return tree.Number(self.random.randrange(1, 1000) / 64 + 1 / 128)
        if kind == 2:
            value = self.random.randrange(1 << 31, 1 << 63)
            return tree.Int64(value, f"${value:X}")
        if kind == 3:
            return tree.String(self.text())
        if kind == 4:
            return tree.Boolean(self.random.random() < 0.5)
        return tree.Name(self.name())

    def variable(self, size: int) -> tree.Expression:
        kind = self.random.randrange(3)
        if kind == 0 or size <= 0:
            return tree.Name(self.name())
        if kind == 1:
            return tree.Member(self.expression(size - 1), self.name())
        indices = self.some(lambda: self.expression(size - 2), 2, 1)
        accessor = self.random.choice(["", "|", "?", "#", "@", "$"])
        return tree.Index(self.expression(size - 1), indices, accessor)

    def expression(self, size: int) -> tree.Expression:
        if size <= 0:
            return self.leaf()
        less = size - 1 - self.random.randrange(2)

        def inner() -> tree.Expression:
            return self.expression(less)

        kind = self.random.randrange(12)
        if kind <= 1:
            return tree.Binary(self.random.choice(tree.BINARY_OPERATORS), inner(), inner())
        if kind == 2:
            return self.variable(size)
        if kind == 3:
            return tree.Call(inner(), self.arguments(inner))
        if kind == 4:
            return tree.New(tree.Name(self.name()), self.arguments(inner))
        if kind == 5:
            return tree.Unary(self.random.choice("-+!~"), inner())
        if kind == 6:
            return tree.Conditional(inner(), inner(), inner())
        if kind == 7:
            operator = self.random.choice(["++", "--"])
            return tree.Increment(operator, self.variable(less), self.random.random() < 0.5)
        if kind == 8:
            return tree.ArrayLiteral(self.some(inner))
        if kind == 9:
            return tree.StructLiteral(
                [
                    tree.StructMember(self.random.choice([self.name(), self.text()]), inner())
                    for _ in range(self.random.randrange(3))
                ]
            )
        if kind == 10:
            return self.template(inner)
        return self.function("", less)

    def arguments(self, inner: Callable[[], tree.Expression]) -> list[tree.Expression | None]:
        items: list[tree.Expression | None] = [
            inner() if self.random.random() < 0.8 else None for _ in range(self.random.randrange(4))
        ]
        if items and items[-1] is None and (len(items) == 1 or items[-2] is not None):
            items.pop()  # the printer writes undefined for it
        return items

    def template(self, inner: Callable[[], tree.Expression]) -> tree.TemplateString:
        parts: list[tree.Expression] = []
        for _ in range(self.random.randrange(3)):
            text = self.text()
            if text:
                parts.append(tree.String(text))
            value = inner()
            parts.append(tree.StringField(value.value) if type(value) is tree.String else value)
        return tree.TemplateString(parts)

    def function(self, name: str, size: int) -> tree.Function:
        parameters = [
            tree.Parameter(self.name(), self.leaf() if self.random.random() < 0.3 else None)
            for _ in range(self.random.randrange(3))
        ]
        parent = None
        if self.random.random() < 0.3:
            parent = tree.Call(tree.Name(self.name()), self.arguments(self.leaf))
        return tree.Function(
            name, parameters, self.block(size - 1), self.random.random() < 0.3, parent
        )

    # -- statements ----------------------------------------------------------------------------

    def block(self, size: int) -> tree.Block:
        return tree.Block(self.statements(size))

    def statements(self, size: int) -> list[tree.Statement]:
        return [self.statement(size) for _ in range(self.random.randrange(3))]

    def declarators(self, size: int) -> list[tree.Declarator]:
        return [
            tree.Declarator(
                self.name(), self.expression(size) if self.random.random() < 0.6 else None
            )
            for _ in range(self.random.randint(1, 2))
        ]

    def simple(self, size: int) -> tree.Statement:
        kind = self.random.randrange(14)
        value = self.expression(size)
        if kind <= 2:
            return tree.Assignment(self.variable(size), self.random.choice(OPERATORS), value)
        if kind == 3:
            call = tree.Call(tree.Name(self.name()), [value])
            return tree.ExpressionStatement(call if self.random.random() < 0.8 else value)
        if kind == 4:
            return tree.ExpressionStatement(self.function(self.name(), size - 1))
        if kind == 5:
            return tree.Var(self.declarators(size))
        if kind == 6:
            return tree.Static(self.declarators(size))
        if kind == 7:
            return tree.GlobalVar(self.declarators(size))
        if kind == 8:
            return self.random.choice([tree.Break(), tree.Continue(), tree.Exit()])
        if kind == 9:
            return tree.Return(value)
        if kind == 10:
            return tree.Throw(value)
        if kind == 11:
            return tree.Delete(self.variable(size))
        if kind == 12:
            members = [tree.EnumMember(self.name()), tree.EnumMember("last", tree.Number(7))]
            return tree.Enum(self.name(), members[: self.random.randrange(3)])
        return tree.Macro("MACRO", "1 + 2")

    def statement(self, size: int) -> tree.Statement:
        if size <= 0 or self.random.random() < 0.5:
            return self.simple(size)
        less = size - 1
        kind = self.random.randrange(9)
        if kind == 0:
            return self.block(less)
        if kind == 1:
            otherwise = self.random.choice([None, self.block(less)])
            first = tree.If(self.expression(less), self.block(less), otherwise)
            if self.random.random() < 0.5:
                return first
            return tree.If(self.expression(less), self.block(less), first)
        if kind == 2:
            return tree.While(self.expression(less), self.block(less))
        if kind == 3:
            return tree.DoUntil(self.block(less), self.expression(less))
        if kind == 4:
            return tree.Repeat(self.expression(less), self.block(less))
        if kind == 5:
            return tree.With(self.expression(less), self.block(less))
        if kind == 6:
            head = tree.Assignment(tree.Name("i"), "=", self.expression(less))
            step = tree.ExpressionStatement(tree.Increment("++", tree.Name("i")))
            condition = self.expression(less)
            begins, asks, steps = (self.random.random() < 0.7 for _ in range(3))
            return tree.For(
                head if begins else None,
                condition if asks else None,
                step if steps else None,
                self.block(less),
            )
        if kind == 7:
            cases = [
                tree.Case(self.maybe(lambda: self.expression(less)), self.statements(less))
                for _ in range(self.random.randrange(4))
            ]
            return tree.Switch(self.expression(less), cases)
        final = self.random.choice([None, self.block(less)])
        return tree.Try(self.block(less), self.name(), self.block(less), final)


SEEDS = st.integers(0, (1 << 64) - 1)
EXPRESSIONS = SEEDS.map(lambda seed: TreeMaker(seed).expression(4))
PROGRAMS = SEEDS.map(
    lambda seed: tree.Block([maker.statement(4) for maker in [TreeMaker(seed)] for _ in range(4)])
)
