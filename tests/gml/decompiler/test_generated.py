"""Programs made at random, of everything a person may write: what is compiled comes back."""

from __future__ import annotations

import random

import pytest

from gml_programs import RELEASES, context, plain
from overhaul.gml.compiler import compile as compile_source
from overhaul.gml.decompiler import analyse, decompile
from overhaul.gml.dialect import Dialect

NAMES = ("hp", "x", "speed_", "total", "i", "list", "other.hp", "global.score_", "target.y")


class Writer:
    """Writes programs; ``v2``: with what 2.3 brought."""

    def __init__(self, seed: int, dialect: Dialect) -> None:
        self.random = random.Random(seed)
        self.v2 = dialect.gml_v2
        self.nullish = dialect.nullish_operator
        self.conditional = dialect.gms2_or_later
        self.loops = 0
        self.tries = 0
        self.switches = 0
        self.functions = 0

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    # -- expressions ---------------------------------------------------------------------------

    def value(self, depth: int = 2) -> str:
        kind = self.random.randrange(14 if self.v2 else 11)
        if depth <= 0 or kind <= 3:
            number = self.random.choice((0, 1, 2, -1, 40000, 0.5, 100))
            return self.pick(*NAMES, str(number), '"text"', "_local")
        one, two = self.value(depth - 1), self.value(depth - 1)
        match kind:
            case 4 | 5:
                return f"({one} {self.pick('+', '-', '*', '/', 'mod', 'div')} {two})"
            case 6:
                return f"({one} {self.pick('&', '|', '^', '<<', '>>')} {two})"
            case 7:
                return f"({self.test(depth - 1)})"
            case 8:
                return f"max({one}, {two})"
            case 9:
                return f"{self.pick('grid', 'other.list', 'global.map')}[{self.value(depth - 1)}]"
            case 10:
                return f"{self.pick('-', '~')}({one})"
            case 11:
                return f"({self.test(depth - 1)} ? {one} : {two})"
            case 12:
                return f"[{one}, {two}]"
        if self.nullish:
            return f"({one} ?? {two})"
        return f"grid[{one}][{two}]"

    def test(self, depth: int = 2) -> str:
        kind = self.random.randrange(6)
        if depth <= 0 or kind <= 2:
            comparison = self.pick("==", "!=", "<", "<=", ">", ">=")
            return f"{self.value(0)} {comparison} {self.value(depth - 1)}"
        if kind == 3:
            return f"!({self.test(depth - 1)})"
        operator = self.pick("&&", "||")
        return f"({self.test(depth - 1)}) {operator} ({self.test(depth - 1)})"

    # -- statements ----------------------------------------------------------------------------

    def body(self, depth: int) -> str:
        return (
            "{ " + " ".join(self.statement(depth) for _ in range(self.random.randrange(4))) + " }"
        )

    def loop(self, head: str, depth: int, tail: str = "") -> str:
        self.loops += 1
        switches, self.switches = self.switches, 0
        text = f"{head} {self.body(depth)}{tail}"
        self.loops -= 1
        self.switches = switches
        return text

    def statement(self, depth: int) -> str:
        kind = self.random.randrange(26 if self.v2 else 19)
        if depth <= 0 or kind <= 5:
            return self.simple()
        less = depth - 1
        match kind:
            case 6 | 7:
                return f"if ({self.test()}) {self.body(less)}"
            case 8 | 9:
                return f"if ({self.test()}) {self.body(less)} else {self.body(less)}"
            case 10:
                second = f"else if ({self.test()}) {self.body(less)} else {self.body(less)}"
                return f"if ({self.test()}) {self.body(less)} {second}"
            case 11:
                return self.loop(f"while ({self.test()})", less)
            case 12:
                return self.loop("do", less, f" until ({self.test()});")
            case 13:
                return self.loop(f"repeat ({self.value(1)})", less)
            case 14 | 15:
                return self.loop(f"for (i = 0; i < {self.value(1)}; i += 1)", less)
            case 16:
                return self.loop(f"with ({self.pick('obj', 'target', 'other')})", less)
            case 17 | 18:
                return self.switch(less)
            case 19 | 20:
                return self.attempt(less)
            case 21:
                return self.function(less)
            case 22:
                return f"made = {{ a: {self.value()}, b: [1, {self.value(1)}], c: {{ }} }};"
            case 23:
                return f"target.call_({self.value(1)}, {self.value(1)});"
        return (
            f"grid[{self.value(1)}][{self.value(1)}] {self.pick('=', '+=', '-=')} {self.value()};"
        )

    def simple(self) -> str:
        kind = self.random.randrange(12)
        inside = self.loops > 0 and not self.tries
        if kind == 0 and (inside or self.switches):
            return f"if ({self.test(1)}) break;"
        if kind == 1 and inside:
            return f"if ({self.test(1)}) {{ {self.simple()} continue; }}"
        if kind == 2:
            return f"if ({self.test(1)}) exit;"
        if kind == 3:
            return f"if ({self.test(1)}) return {self.value()};"
        if kind == 4:
            return f"show_debug_message({self.value()});"
        if kind == 5:
            return f"var _local = {self.value()};"
        if kind == 6:
            return f"{self.pick('list', 'target.list')}[{self.value(1)}] = {self.value()};"
        if kind == 7:
            return f"{self.pick(*NAMES)}{self.pick('++', '--')};"
        if kind == 8:
            operator = self.pick("+=", "-=", "*=", "/=", "&=", "|=")
            return f"{self.pick(*NAMES)} {operator} {self.value()};"
        return f"{self.pick(*NAMES)} = {self.value()} + {self.value(1)};"

    def switch(self, depth: int) -> str:
        self.switches += 1
        cases = []
        labels = [f"case {n}:" for n in range(self.random.randint(1, 4))]
        if self.random.random() < 0.5:
            labels.insert(self.random.randrange(len(labels) + 1), "default:")
        for label in labels:
            ending = self.pick("break;", "break;", "", "exit;", "return hp;")
            cases.append(f"{label} {self.statement(depth)} {ending}")
        self.switches -= 1
        return f"switch ({self.value(1)}) {{ {' '.join(cases)} }}"

    def attempt(self, depth: int) -> str:
        self.tries += 1
        text = f"try {self.body(depth)}"
        ending = self.random.randrange(3)
        if ending != 1:
            text += f" catch (problem) {self.body(depth)}"
        if ending != 0:
            text += f" finally {{ {self.pick('hp = 0;', 'total += 1; x = 2;')} }}"
        self.tries -= 1
        return text

    def function(self, depth: int) -> str:
        self.functions += 1
        loops, self.loops = self.loops, 0
        switches, self.switches = self.switches, 0
        tries, self.tries = self.tries, 0
        name = f"helper{self.functions}"
        head = self.pick("a, b", "a, b = 2", "", "a = hp")
        text = f"function {name}({head}) {self.body(depth)}"
        if self.random.random() < 0.4:
            text = f"callback = function({head}) {self.body(depth)};"
        self.loops, self.switches, self.tries = loops, switches, tries
        return text


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: f"{release[0]}-{release[1]}")
def test_generated_programs(release: tuple[int, tuple[int, ...]]) -> None:
    for seed in range(25):
        game = context(*release)
        writer = Writer(seed, game.dialect)
        source = " ".join(writer.statement(3) for _ in range(3))
        code = compile_source(source, game, kind="event", name="gml_Object_o_Step_0")
        assert not analyse(code, game).problems, source
        text = decompile(code, game)
        again = compile_source(text, game, kind="event", name="gml_Object_o_Step_0", previous=code)
        assert plain(again) == plain(code), f"seed {seed}\n{source}\n{text}"
