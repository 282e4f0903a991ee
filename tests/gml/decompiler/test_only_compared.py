"""The law of numbers that are only compared: in random programs a variable whose value reaches more
than comparisons, also through other variables, is never one of them."""

from __future__ import annotations

import random

import pytest

from gml_programs import context
from overhaul import gml
from overhaul.gml.decompiler import gather
from overhaul.gml.decompiler.doubts import weigh

PROGRAMS = 40
RELEASES = [(16, (1, 4, 1804)), (17, (2, 2, 5)), (17, (2022, 5)), (17, (2023, 4))]


class Program:
    """Random statements over twelve variables.

    ``goes``: those whose value goes elsewhere, or comes from there; ``links``: those that meet.
    """

    def __init__(self, seed: int, conditional: bool) -> None:
        self.random = random.Random(seed)
        self.conditional = conditional
        self.goes: set[str] = set()
        self.links: list[tuple[str, str]] = []

    def any_of(self, *texts: str) -> str:
        return self.random.choice(texts)

    def variable(self, meets: str = "", goes: bool = False) -> tuple[str, str]:
        name = f"v_{self.random.choice('abcdefghijkl')}"
        if goes:
            self.goes.add(name)
        if meets:
            self.links.append((name, meets))
        return name, self.any_of(name, name, f"obj_1.{name}", f"global.{name}")

    def condition(self, depth: int = 0) -> str:
        kind = self.random.random()
        if kind < 0.2 and depth < 2:
            operator = self.any_of("&&", "||")
            return f"({self.condition(depth + 1)}) {operator} ({self.condition(depth + 1)})"
        if kind < 0.3:
            return f"some_script({self.variable(goes=True)[1]})"
        name, text = self.variable()
        if kind < 0.45:
            return f"{text} == {self.variable(meets=name)[1]}"
        if kind < 0.6:
            return self.any_of(text, f"!{text}")
        return f"{text} {self.any_of('==', '!=')} {self.random.randint(0, 19)}"

    def value(self, name: str, depth: int = 0) -> str:
        kind = self.random.random()
        if kind < 0.25:
            return self.variable(meets=name)[1]
        if kind < 0.35:
            self.goes.add(name)
            return f"list[{self.variable(goes=True)[1]}]"
        if kind < 0.5 and depth < 2:
            one, other = self.value(name, depth + 1), self.value(name, depth + 1)
            if self.conditional and kind < 0.42:
                return f"({self.condition()}) ? {one} : {other}"
            return f"choose({one}, {other})"
        return str(self.random.randint(0, 19))

    def body(self, depth: int) -> str:
        count = self.random.randint(1, 3)
        return "{ " + " ".join(self.statement(depth + 1) for _ in range(count)) + " }"

    def statement(self, depth: int = 0) -> str:
        kind = self.random.random()
        if kind < 0.35 or depth > 2:
            name, text = self.variable()
            return f"{text} = {self.value(name)};"
        if kind < 0.45:
            _, text = self.variable(goes=True)
            uses = "some_script({});", "list[0] = {};", "with ({}) x = 1;", "ds_list_add(q, {});"
            return self.any_of(*uses).format(text)
        if kind < 0.5:
            return f"show_debug_message(string({self.variable()[1]}));"
        if kind < 0.7:
            return f"if ({self.condition()}) {self.body(depth)} else {self.body(depth)}"
        if kind < 0.8:
            return f"while ({self.condition()}) {self.body(depth)}"
        if kind < 0.9:
            begin = self.statement(3)
            return f"for ({begin.removesuffix(';')}; {self.condition()}; x += 1) {self.body(depth)}"
        cases = " ".join(
            f"case {number}: {self.statement(depth + 1)} {self.any_of('break;', '')}"
            for number in self.random.sample(range(20), self.random.randint(1, 4))
        )
        return f"switch ({self.variable()[1]}) {{ {cases} default: x = 1; }}"

    def reached(self) -> set[str]:
        """The variables whose value goes elsewhere, also through others."""
        reached = set(self.goes)
        while True:
            more = {a for a, b in self.links if b in reached}
            more |= {b for a, b in self.links if a in reached}
            if more <= reached:
                return reached
            reached |= more


@pytest.mark.parametrize(("bytecode", "release"), RELEASES)
def test_what_goes_elsewhere_is_never_only_compared(
    bytecode: int, release: tuple[int, ...]
) -> None:
    found = 0
    for seed in range(PROGRAMS):
        game = context(bytecode, release)
        game.add_extension_function("some_script", -1)
        game.add_asset("object", 1, "obj_1")
        program = Program(seed, conditional=release >= (2,))
        sources = ["\n".join(program.statement() for _ in range(3)) for _ in range(2)]
        codes = [
            gml.compile(source, game, kind="event", name=f"gml_Object_obj_1_Step_{number}")
            for number, source in enumerate(sources)
        ]
        compared = weigh(codes, game, gather(codes, game)).compared
        mine = {name for name in compared if name.startswith("v_")}
        assert mine.isdisjoint(program.reached()), sources
        found += len(mine)
    assert found > PROGRAMS / 4
