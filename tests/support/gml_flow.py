"""Writes small random programs of nothing but control flow, as text.

A program of ``gml_writer`` has everything once; here loops, ``if``, ``switch`` and ``try`` stand in
each other and their parts are a statement or two, many of them empty or a way out.  What compilers
do around them (the marks of array owners, the copies of finally parts, the flags of ``break``) is
distinguished by such programs in thousands, by others in hundreds of thousands.
"""

from __future__ import annotations

import random
from typing import Final

from overhaul.gml.dialect import Dialect

_STORES: Final = ("x = 1;", "x += 1;", "y = x;", "x = 2;", "scr_move();")
_ARRAYS: Final = (
    "x[0] = 1;", "x[0] = 1;", "y[1] = x;", "scr_move();", "y[0]++;", "z[0][1] = 2;",
    "hp.x[0] = 2;",
)  # fmt: skip
_LITERALS: Final = ("z = [];", "self.z = [];", "z[0] = [1];")
_DEPTH: Final = 3


class FlowWriter:
    """Writes one program; the same seed writes the same program."""

    def __init__(self, seed: int, dialect: Dialect) -> None:
        self.random = random.Random(seed)
        self.v2 = dialect.gml_v2
        self.stores: tuple[str, ...] = _STORES
        if self.random.random() < 0.5:
            self.stores = _ARRAYS + (_LITERALS if self.v2 else ())
        self.loop = self.switch = self.final = False
        """What is around: a loop, a switch inside it, what no ``exit`` may leave."""

    def program(self) -> str:
        """One to three statements."""
        return " ".join(self.statement(_DEPTH) for _ in range(self.random.randint(1, 3)))

    def block(self, depth: int) -> str:
        count = self.random.choice((0, 1, 1, 1, 2, 2, 3) if depth else (0, 1, 1, 2))
        return " ".join(("{", *(self.statement(depth) for _ in range(count)), "}"))

    def inside(self, depth: int, *, loop: bool, switch: bool = False, final: bool = False) -> str:
        """A block that is the body of something."""
        outer = self.loop, self.switch, self.final
        self.loop, self.switch = loop, switch
        self.final = self.final or final
        text = self.block(depth)
        self.loop, self.switch, self.final = outer
        return text

    def statement(self, depth: int) -> str:
        kind = self.random.random()
        if not depth or kind < 0.3:
            return self.simple()
        if kind < 0.75:
            text = f"if (a) {self.block(depth - 1)}"
            return text if kind < 0.55 else f"{text} else {self.block(depth - 1)}"
        makers = [self.while_, self.for_, self.for_, self.do, self.repeat, self.with_, self.choice]
        return self.random.choice(makers + [self.attempt, self.attempt] * self.v2)(depth - 1)

    def simple(self) -> str:
        """A store, or a way out that is allowed here."""
        stores = list(self.stores)
        if self.loop:
            stores += ["continue;"] * 3
        if self.loop or self.switch:
            stores += ["break;"] * 3
        if not self.final:
            stores.append("exit;")
        return self.random.choice(stores)

    def while_(self, depth: int) -> str:
        return f"while (b) {self.inside(depth, loop=True)}"

    def for_(self, depth: int) -> str:
        before = self.random.choice(("", "x = 1; "))
        first = self.random.choice(("", "x = 0", "y = 0"))
        test = self.random.choice(("", "x < 5", "b"))
        step = self.random.choice(("", "x += 1", "x = 2", "scr_move()", self.stores[0][:-1]))
        return f"{before}for ({first}; {test}; {step}) {self.inside(depth, loop=True)}"

    def do(self, depth: int) -> str:
        return f"do {self.inside(depth, loop=True)} until (b);"

    def repeat(self, depth: int) -> str:
        # Before 2.3 an early exit leaves the counter where it is.
        return f"repeat (3) {self.inside(depth, loop=True, final=not self.v2)}"

    def with_(self, depth: int) -> str:
        return f"with (hp) {self.inside(depth, loop=True)}"

    def choice(self, depth: int) -> str:
        """A switch."""
        labels = ["case 1:", "case 2:", "default:", "case x:"]
        self.random.shuffle(labels)
        parts = (
            f"{label} {self.inside(depth, loop=self.loop, switch=True)[2:-2]}"
            for label in labels[: self.random.randint(0, 3)]
        )
        return f"switch (a) {{ {' '.join(parts)} }}"

    def attempt(self, depth: int) -> str:
        """A try."""
        kind = self.random.random()
        text = f"try {self.block(depth)}"
        if kind < 0.7:
            text += f" catch (e) {self.block(depth)}"
        if kind > 0.5:
            text += f" finally {self.inside(depth, loop=False, final=True)}"
        return text
