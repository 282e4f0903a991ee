"""Random scripts that compile: ``from ags_programs import program``."""

from __future__ import annotations

from random import Random

_HEAD = """int gi; int gj = 5; float gf = 1.5; String gs; char gc; short gh; bool gb; int ga[6];
String gsa[3]; char gca[20]; Character *gp; float gfa[4]; int gd[]; Thing gt; Thing gta[4];
Node *gn; Node *gna[3]; Node *gnd[]; char gcd[]; short gha[7];
export gi, gs;
int own(int a, float b) { return a; }
int Thing::Twice(int number) { return number * this.tag; }
static int Thing::Zero() { return 0; }
"""
_NUMBERS = ("0", "1", "2", "100", "-3", "a", "b", "gi", "gj", "gc", "gh", "player.x", "mouse.x")
_TARGETS = ("gi", "gj", "gc", "gh", "a", "ga[1]", "gt.kind", "gta[2].tag", "gn.value", "player.x")
_LINES = (
    "gp = null;", "gp = cEgo;", "gn = new Node;", "gd = new int[a + 1];", "gna[1] = gn;",
    "gnd = new Node[3];", "gnd[a] = gn;", "gn.next = gnd[1];", "gcd = new char[9];",
    "gcd[a] = 65;", "Wait(1);", 'Display("x %d", a);', "cEgo.Walk(1, 2, eBlock);",
    "mouse.Visible = false;", 'btnOk.Text = "a";', "gt.Twice(a);", "own(1, 2.0);",
)  # fmt: skip


class _Maker:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.count = 0
        self.numbers: list[str] = []
        self.in_loop = False

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def number(self, depth: int = 0) -> str:
        """An int."""
        kind = self.random.randrange(12 if depth < 3 else 3)
        if kind < 3:
            return self.random.choice((*_NUMBERS, *self.numbers))
        inner = self.number(depth + 1)
        if kind < 7:
            operator = self.pick("+", "-", "*", "/", "%", "<<", "&", "|", "^", "==", "<")
            text = f"{inner} {operator} {self.number(depth + 1)}"
            return f"({text})" if self.random.random() < 0.6 else text
        return self.pick(
            f"ga[{inner}]", f"gd[{inner}]", f"gta[{inner}].values[{self.number(depth + 1)}]",
            f"own({inner}, {self.real(depth + 1)})", f"({self.condition(depth + 1)})", "gn.value",
            f"gna[{inner}].next.value", f"Random({inner})", f"gs.Chars[{inner}]", f"gca[{inner}]",
            f"FloatToInt({self.real(depth + 1)})", f"gha[{inner}]", "gs.Length", "-gi",
        )  # fmt: skip

    def real(self, depth: int = 0) -> str:
        """A float."""
        kind = self.random.randrange(6 if depth < 3 else 2)
        if kind < 2:
            return self.pick("0.0", "2.5", "gf")
        if kind < 4:
            return f"({self.real(depth + 1)} {self.pick(*'+-*/')} {self.real(depth + 1)})"
        inner = self.number(depth + 1)
        return self.pick(f"IntToFloat({inner})", f"gfa[{inner}]")

    def text(self) -> str:
        """A String."""
        inner = f"{self.number(2)}, {self.real(2)}"
        return self.pick('"t"', "gs", f"gsa[{self.number(2)}]", f'String.Format("%d %f", {inner})')

    def condition(self, depth: int = 0) -> str:
        """What a statement asks for."""
        kind = self.random.randrange(8)
        if kind == 0 and depth < 3:
            operator = self.pick("&&", "||")
            return f"({self.condition(depth + 1)}) {operator} ({self.condition(depth + 1)})"
        if kind == 1 and depth < 3:
            return f"!({self.condition(depth + 1)})"
        if kind == 2:
            return self.pick("gp != null", "gp == cEgo", "gb", f"gs == {self.text()}")
        if kind == 3:
            return f"{self.real(depth + 1)} {self.pick('<', '==')} {self.real(depth + 1)}"
        operator = self.pick("==", "!=", "<", ">", "<=", ">=")
        return f"{self.number(depth + 1)} {operator} {self.number(depth + 1)}"

    def gap(self) -> str:
        return "\n" if self.random.random() < 0.7 else " "

    def body(self, depth: int, *, loop: bool | None = None) -> str:
        """Statements in braces."""
        outer, self.in_loop = self.in_loop, self.in_loop if loop is None else loop
        known = len(self.numbers)
        parts = [self.gap() + self.statement(depth + 1) for _ in range(self.random.randrange(1, 4))]
        del self.numbers[known:]
        self.in_loop = outer
        return f"{self.gap()}{{{''.join(parts)}{self.gap()}}}"

    def variable(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def statement(self, depth: int) -> str:
        """A statement, which may have others in it."""
        kind = self.random.randrange(18 if depth < 4 else 9)
        if kind < 3:
            return f"{self.pick(*_TARGETS)} = {self.number()};"
        if kind == 3:
            return f"{self.pick(*_TARGETS)} {self.pick('+=', '*=', '|=', '<<=')} {self.number()};"
        if kind == 4:
            return f"{self.pick(*_TARGETS)}{self.pick('++', '--')};"
        if kind == 5:
            return f"gf {self.pick('=', '+=')} {self.real()}; gs = {self.text()};"
        if kind == 6:
            name = self.variable()
            value = self.number()
            self.numbers.append(name)
            return f"int {name} = {value}; Node *{name}p = gn; {name}p.value = a;"
        if kind < 9:
            return self.random.choice(_LINES)
        return self._nested(kind, depth)

    def _nested(self, kind: int, depth: int) -> str:
        if kind < 12:
            otherwise = self.gap() + "else" + self.body(depth)
            text = f"if ({self.condition()}){self.body(depth)}"
            return text + (otherwise if self.random.random() < 0.5 else "")
        if kind < 14:
            return f"while ({self.condition()}){self.body(depth, loop=True)}"
        if kind == 14:
            name = self.variable()
            head = f"int {name} = {self.number()}; {self.condition()}; {name}++"
            return f"for ({head}){self.body(depth, loop=True)}"
        if kind == 15:
            return f"do{self.body(depth, loop=True)} while ({self.condition()});"
        if kind == 16:
            cases = "".join(
                f"{self.gap()}{label}:{self.body(depth, loop=False)}{self.gap()}break;"
                for label in (*(f"case {n}" for n in range(self.random.randrange(1, 4))), "default")
            )
            return f"switch ({self.number()}){self.gap()}{{{cases}{self.gap()}}}"
        return self.pick("break;", "continue;") if self.in_loop else "return a;"

    def function(self, name: str) -> str:
        self.numbers = []
        return f"int {name}(int a, int b)\n{self.body(0, loop=False).strip()}\n"


def program(seed: int) -> str:
    """A script of a few functions."""
    maker = _Maker(Random(seed))
    return _HEAD + "".join(maker.function(f"f{number}") for number in range(3))


class _Flow:
    """Small functions of nothing but flow: each nesting of loops, switches, conditions and braces,
    with declarations before, in and behind what leaves them."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.left = random.randrange(4, 16)  # statements to write
        self.count = 0

    def body(self, loop: bool, leave: bool, depth: int) -> str:
        count = self.random.randrange(1, 4)
        return "".join(f"{self.gap()}{self.statement(loop, leave, depth)}" for _ in range(count))

    def gap(self) -> str:
        return "\n" if self.random.random() < 0.6 else " "

    def braces(self, loop: bool, leave: bool, depth: int) -> str:
        if self.random.random() < 0.15:
            return self.simple(loop, leave)
        return f"{{{self.body(loop, leave, depth + 1)}{self.gap()}}}"

    def simple(self, loop: bool, leave: bool) -> str:
        """A statement that may stand without braces, and declares nothing."""
        ways = ["gi = a;", "own(b, 1.0);", 'gs = "t";', "return a;", "gj++;"]
        ways += ["continue;"] * 3 * loop + ["break;"] * 3 * leave
        return self.random.choice(ways)

    def declaration(self) -> str:
        self.count += 1
        name = f"v{self.count}"
        return self.random.choice([
            f"int {name} = a;", f"Node *{name} = gn;", f"String {name} = gs;", f"int {name}[3];",
            f"Node *{name};", f"Thing {name};", f"short {name} = 2;", f"int {name}; {name} = b;",
        ])  # fmt: skip

    def statement(self, loop: bool, leave: bool, depth: int) -> str:
        """``loop``, ``leave``: whether ``continue`` and ``break`` have something around them."""
        self.left -= 1
        kind = self.random.randrange(14 if depth < 5 and self.left > 0 else 5)
        if kind < 3:
            return self.declaration()
        if kind < 5:
            return self.simple(loop, leave)
        test = self.random.choice(["a", "a > b", "gi != 2 && b", "gn == null"])
        inside = self.braces(True, True, depth)
        if kind == 5:
            return f"while ({test}){self.gap()}{inside}"
        if kind == 6:
            self.count += 1
            name = f"v{self.count}"
            head = self.random.choice([f"int {name} = 0; {name} < a; {name}++", "a = 0; b; a++"])
            return f"for ({head}){self.gap()}{inside}"
        if kind == 7:
            return (
                f"do{self.gap()}{{{self.body(True, True, depth + 1)}{self.gap()}}} while ({test});"
            )
        if kind == 8:
            return f"{{{self.body(loop, leave, depth + 1)}{self.gap()}}}"
        if kind < 11:
            text = f"if ({test}){self.gap()}{self.braces(loop, leave, depth)}"
            if self.random.random() < 0.5:
                text += f"{self.gap()}else {self.braces(loop, leave, depth)}"
            return text
        return self.switch(loop, depth)

    def switch(self, loop: bool, depth: int) -> str:
        labels = [f"case {number}:" for number in range(self.random.randrange(1, 4))]
        if self.random.random() < 0.6:
            labels.insert(self.random.randrange(len(labels) + 1), "default:")
        parts = []
        for label in labels:
            inside = self.braces(loop, True, depth) if self.random.random() < 0.8 else ""
            end = self.random.choice(["break;", "break;", "", "continue;" if loop else "return b;"])
            parts.append(f"{self.gap()}{label}{self.gap()}{inside}{self.gap()}{end}")
        return f"switch (a){self.gap()}{{{''.join(parts)}{self.gap()}}}"


def flow(seed: int) -> str:
    """A script of one function, which is small and has many ways through it."""
    maker = _Flow(Random(seed))
    return f"{_HEAD}int f0(int a, int b)\n{{{maker.body(False, False, 0)}\n}}\n"
