"""The law of numbers that are only compared: in random programs a variable, an argument or an array
whose value reaches more than comparisons, also through others, is never one of them."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from gml_programs import context
from overhaul import gml
from overhaul.gml.decompiler import gather
from overhaul.gml.decompiler.doubts import weigh

PROGRAMS = 40
RELEASES = [(16, (1, 4, 1804)), (17, (2, 2, 5)), (17, (2022, 5)), (17, (2023, 4))]


#: functions of the game's own with two arguments each
OWN = ("own_0", "own_1", "own_2", "own_3")
ARRAYS = "mnopqr"


class Program:
    """Random statements over twelve variables, six arrays, and the arguments of four functions.

    ``goes``: those whose value goes elsewhere, or comes from there; ``links``: those that meet.
    ``function`` is the one that statements are written for, "" for an event.
    """

    def __init__(self, seed: int, *, conditional: bool, named: bool) -> None:
        self.random = random.Random(seed)
        self.conditional = conditional
        self.named = named
        self.function = ""
        self.goes: set[str] = set()
        self.links: list[tuple[str, str]] = []

    def in_function(self, function: str) -> str:
        """The source of a function, as the release declares it."""
        self.function = function
        body = "\n".join(self.statement() for _ in range(3))
        self.function = ""
        return f"function {function}(p0, p1) {{ {body} }}" if self.named else body

    def argument(self) -> tuple[str, str]:
        """An argument of the function: what it counts as, and how it is written."""
        number = self.random.randint(0, 1)
        text = f"p{number}" if self.named else f"argument{number}"
        return f"{self.function}#{number}", self.any_of(text, text, f"argument[{number}]")

    def call(self, depth: int) -> str:
        """A call of a function of the game's own."""
        function = self.random.choice(OWN)
        given = [self.value(f"{function}#{number}", depth) for number in range(2)]
        if self.random.random() < 0.04:
            self.goes |= {f"{function}#{number}" for number in range(2)}
            caller = "some_script" if self.named else "script_execute"
            return f"{caller}({function}, {', '.join(given)})"
        return f"{function}({', '.join(given)})"

    def any_of(self, *texts: str) -> str:
        return self.random.choice(texts)

    def variable(self, meets: str = "", goes: bool = False) -> tuple[str, str]:
        kind = self.random.random()
        is_argument = kind < 0.45 and self.function != ""
        name, text = f"v_{self.random.choice('abcdefghijkl')}", ""
        if is_argument:
            name, text = self.argument()
        elif kind > 0.85:
            name = f"v_{self.random.choice(ARRAYS)}"
            index = str(self.random.randint(0, 3))
            if self.random.random() < 0.3:
                index = "v_i"
                self.goes.add("v_i")
            text = self.any_of("", "obj_1.", "global.") + f"{name}[{index}]"
        if goes:
            self.goes.add(name)
        if meets:
            self.links.append((name, meets))
        return name, text or self.any_of(name, name, f"obj_1.{name}", f"global.{name}")

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
        if kind < 0.4:
            return f"{self.call(depth)};"
        if kind < 0.42 and self.conditional:
            name = f"v_{self.random.choice(ARRAYS)}"
            return f"{name} = [{self.value(name)}, {self.value(name)}];"
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
    found: Counter[str | bool] = Counter()
    for seed in range(PROGRAMS):
        game = context(bytecode, release)
        game.add_extension_function("some_script", -1)
        game.add_asset("object", 1, "obj_1")
        named = release >= (2, 3)
        program = Program(seed, conditional=release >= (2,), named=named)
        for number, function in enumerate(OWN):
            game.add_function(function, f"gml_Script_{function}")
            game.add_asset("script", number, function)
        sources = ["\n".join(program.statement() for _ in range(3)) for _ in range(2)]
        sources.append("some_script(list);")
        own = [program.in_function(function) for function in OWN]
        codes = [
            gml.compile(source, game, kind="event", name=f"gml_Object_obj_1_Step_{number}")
            for number, source in enumerate(sources)
        ]
        head = "gml_GlobalScript_" if named else "gml_Script_"
        codes += [
            gml.compile(source, game, kind="script", name=head + function)
            for function, source in zip(OWN, own, strict=True)
        ]
        compared = weigh(codes, game, gather(codes, game)).compared
        mine = {name for name in compared if name.startswith("v_") or "#" in name}
        assert mine.isdisjoint(program.reached()), (mine & program.reached(), sources, own)
        found.update("argument" if "#" in name else name[2] in ARRAYS for name in mine)
    assert found[False] > 5 and found[True] > 1 and found["argument"] > 5
