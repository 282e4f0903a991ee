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


_FLOW_HEAD = """struct Holder { int number; Node *node; String text; Node *nodes[2]; char letter; };
Holder gh1; Holder gha1[2];
"""
_LOOPS = (3, 4)  # the release that has loops, switches, and what leaves them
_TEXT_SWITCH = (3, 4, 1, 2)
_NUMBERS_SET = ("gi", "gj", "ga[1]", "gt.kind", "player.x", "gn.value", "gh1.number")


class _Flow:
    """Small functions of nothing but flow: each nesting of loops, switches, conditions and braces,
    with declarations before, in and behind what leaves them."""

    def __init__(self, random: Random, editor: str) -> None:
        self.random = random
        release = tuple(map(int, editor.split(".")))
        self.has_loops = release >= _LOOPS
        self.has_text_switch = release >= _TEXT_SWITCH
        self.left = random.randrange(4, 20)  # statements to write
        self.count = 0
        self.known: list[tuple[str, str]] = [("int", "a"), ("int", "b")]
        self.result = random.choice(["int"] * 4 + ["String", "Node*", "float", "void"])

    def function(self, name: str) -> str:
        """A function, which may be one of a struct."""
        check = self.random.choice(["", "", "", "noloopcheck "])
        result = "function" if self.result == "void" else self.result
        owner = self.random.choice(["", "", "", "this Character*, "])
        more = self.random.choice(["", "", ", Node *c, String d"])
        self.known += [("Node", "c"), ("String", "d")] if more else []
        return (
            f"{result} {check}{name}({owner}int a, int b{more})\n"
            f"{{{self.body(False, False, 0)}{self.gap()}}}\n"
        )

    def body(self, loop: bool, leave: bool, depth: int) -> str:
        known = len(self.known)
        count = self.random.randrange(1, 4)
        text = "".join(f"{self.gap()}{self.statement(loop, leave, depth)}" for _ in range(count))
        del self.known[known:]
        return text

    def gap(self) -> str:
        return "\n" if self.random.random() < 0.6 else " "

    def braces(self, loop: bool, leave: bool, depth: int) -> str:
        if self.random.random() < 0.15:
            return self.simple(loop, leave)
        return f"{{{self.body(loop, leave, depth + 1)}{self.gap()}}}"

    def value(self, type: str) -> str:
        """A value of a type, which a local variable may have."""
        own = [name for kind, name in self.known if kind == type]
        if own and self.random.random() < 0.7:
            return self.random.choice(own)
        return {
            "int": "gi", "float": "gf", "String": "gs", "Node": "gn", "Holder": "gh1.number",
        }[type]  # fmt: skip

    def simple(self, loop: bool, leave: bool) -> str:
        """A statement that may stand without braces, and declares nothing."""
        ways = [self.assignment() + ";" for _ in range(4)]
        ways += ["own(b, 1.0);", self.leaving(), "Wait(gj);", f"own({self.value('int')}, gf);"]
        ways += ["continue;"] * 3 * loop + ["break;"] * 3 * leave
        return self.random.choice(ways)

    def leaving(self) -> str:
        """A return."""
        values = {
            "int": self.value("int"), "String": self.value("String"), "Node*": self.value("Node"),
            "float": "1.5", "void": "",
        }  # fmt: skip
        plain = self.random.random() < 0.2 and self.result == "int"
        return f"return {values[self.result]};" if not plain else "return;"

    def assignment(self) -> str:
        """An assignment, which the head of ``for`` may have."""
        own = [name for kind, name in self.known if kind == "int"]
        target = self.random.choice([*own, *_NUMBERS_SET])
        more = ["+= 2"] if not self.has_loops else ["+= 2", "*= b", f"|= {self.value('int')}"]
        how = self.random.choice([
            "++", "--", f"= {self.value('int')}", "= own(a, gf)", "= a && b", *more
        ])  # fmt: skip
        return target + how if how in ("++", "--") else f"{target} {how}"

    def declaration(self) -> str:
        """A declaration."""
        self.count += 1
        name = f"v{self.count}"
        forms = [
            ("int", f"int {name} = {self.value('int')};"),
            ("int", f"int {name}; {name} = {self.value('int')};"),
            ("int", f"short {name} = 2;"),
            ("int", f"char {name}; {name} = 65;"),
            ("Node", f"Node *{name} = {self.value('Node')};"),
            ("Node", f"Node *{name};"),
            ("String", f"String {name} = {self.value('String')};"),
            ("float", f"float {name} = gf;"),
            ("", f"int {name}[3]; {name}[1] = b;"),
            ("", f"Thing {name}; {name}.kind = 2;"),
            ("", f"Holder {name}; {name}.node = gn;"),
            ("", f"Holder {name}[2]; {name}[a].text = gs;"),
            ("", f"Node *{name}[2]; {name}[1] = gn;"),
            ("", f"String {name}[3]; {name}[b] = gs;"),
            ("", f"int {name}[] = new int[4]; {name}[a] = 2;"),
            ("int", f"int {name}, {name}b = a;"),
        ]
        type, text = self.random.choice(forms)
        if type:
            self.known.append((type, name))
        return text

    def condition(self) -> str:
        """What a statement asks for."""
        return self.random.choice([
            self.value("int"), f"{self.value('int')} > b", "gi != 2 && b", "own(a, gf) || b",
            f"{self.value('Node')} == null", f"{self.value('String')} == \"t\"", "!(a && gi < 3)",
        ])  # fmt: skip

    def statement(self, loop: bool, leave: bool, depth: int) -> str:
        """``loop``, ``leave``: whether ``continue`` and ``break`` have something around them."""
        self.left -= 1
        kind = self.random.randrange(16 if depth < 5 and self.left > 0 else 5)
        if kind < 3:
            return self.declaration()
        if kind < 5:
            return self.simple(loop, leave)
        if kind < 7:
            return f"{{{self.body(loop, leave, depth + 1)}{self.gap()}}}"
        if kind < 10:
            text = f"if ({self.condition()}){self.gap()}{self.braces(loop, leave, depth)}"
            if self.random.random() < 0.5:
                text += f"{self.gap()}else {self.braces(loop, leave, depth)}"
            return text
        in_loop = self.has_loops
        if kind < 12 or not self.has_loops:
            text = self.braces(in_loop, in_loop, depth)
            return f"while ({self.condition()}){self.gap()}{text}"
        if kind == 12:
            return self.repeat(depth)
        if kind == 13:
            text = self.body(True, True, depth + 1)
            return f"do{self.gap()}{{{text}{self.gap()}}} while ({self.condition()});"
        return self.switch(loop, depth)

    def repeat(self, depth: int) -> str:
        """``for``."""
        self.count += 1
        known, name = len(self.known), f"v{self.count}"
        kind = self.random.randrange(5)
        if kind < 2:
            self.known.append(("int", name))
            last = self.random.choice([f"{name}++", self.assignment()])
            head = f"int {name} = 0; {self.condition()}; {last}"
        elif kind == 2:
            self.known.append(("Node", name))
            head = f"Node *{name} = gn; {name} != null; {name} = {name}.next"
        elif kind == 3:
            head = f"{self.assignment()}; {self.condition()}; {self.assignment()}"
        else:
            parts = [self.assignment(), self.condition(), self.assignment()]
            head = "; ".join(self.random.choice([part, ""]) for part in parts)
        text = f"for ({head}){self.gap()}{self.braces(True, True, depth)}"
        del self.known[known:]
        return text

    def switch(self, loop: bool, depth: int) -> str:
        """``switch``."""
        is_text = self.has_text_switch and self.random.random() < 0.2
        values = ['"t"', "gs", '"u"'] if is_text else ["1", "2", "a && b", "-3", "own(2, gf)"]
        labels = [f"case {self.random.choice(values)}:" for _ in range(self.random.randrange(4))]
        if not labels or self.random.random() < 0.6:
            labels.insert(self.random.randrange(len(labels) + 1), "default:")
        parts = []
        for label in labels:
            inside = self.braces(loop, True, depth) if self.random.random() < 0.8 else ""
            ends = ["break;", "break;", "", "continue;" if loop else self.leaving()]
            end = self.random.choice([*ends, f"if ({self.condition()}) break;"])
            parts.append(f"{self.gap()}{label}{self.gap()}{inside}{self.gap()}{end}")
        value = self.value("String" if is_text else "int")
        return f"switch ({value}){self.gap()}{{{''.join(parts)}{self.gap()}}}"


def flow(seed: int, editor: str) -> str:
    """A script of one function for an editor, which is small and has many ways through it."""
    return _HEAD + _FLOW_HEAD + _Flow(Random(seed), editor).function("f0")


class _Layout:
    """Functions that use variables of structs in all ways: global, imported, local and behind
    pointers, one or many, with arrays of numbers, texts and pointers, and with methods."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.structs: dict[str, list[tuple[str, str, int]]] = {}
        self.places: list[tuple[str, str]] = []
        self.count = 0

    def struct(self, name: str, kinds: tuple[str, ...], head: str) -> str:
        """A struct of random fields, with a method."""
        fields = []
        for number in range(self.random.randrange(1, 6)):
            length = self.random.choice([0, 0, 2, 3, 20])
            fields.append((self.random.choice(kinds), f"m{number}", length))
        self.structs[name] = fields
        lines = "".join(
            f" {kind}{field}{f'[{length}]' if length else ''};" for kind, field, length in fields
        )
        return f"{head}struct {name} {{{lines} import int Sum{name}(int a); }};\n"

    def variables(self) -> str:
        """Variables of the structs."""
        text = ""
        for number in range(self.random.randrange(2, 7)):
            kind = self.random.choice(["Plain", "Plain", "Held", "Held"])
            length = self.random.choice([0, 0, 3, 10])
            word = self.random.choice(["", "", "import "])
            name = f"s{number}"
            text += f"{word}{kind} {name}{f'[{length}]' if length else ''};\n"
            self.places.append((kind, f"{name}[%]" if length else name))
            text += self.random.choice(["", f"int between{number};\n", f"short odd{number}[3];\n"])
        return text

    def number(self) -> str:
        return self.random.choice(["0", "1", "a", "b", "a + 1", "gi", "ga[b]"])

    def place(self) -> tuple[str, str]:
        """A field that is no array, or an element, and its type."""
        kind, name = self.random.choice(self.places)
        type, field, length = self.random.choice(self.structs[kind])
        index = f"[{self.number()}]" if length else ""
        return type.strip(), f"{name.replace('%', self.number())}.{field}{index}"

    def value(self, type: str) -> str:
        """A value of a type, which may be a field."""
        same = [place for kind, place in (self.place() for _ in range(6)) if kind == type]
        if same and self.random.random() < 0.5:
            return same[0]
        return {
            "int": "a", "short": "2", "char": "65", "float": "1.5", "String": "gs", "Node *": "gn",
            "Node*": "gn",
        }[type]  # fmt: skip

    def statement(self, depth: int = 0) -> str:
        """A statement."""
        kind = self.random.randrange(9)
        type, place = self.place()
        plain = type in ("int", "short", "char")
        if kind == 0 and plain:
            return f"{place}{self.random.choice(['++', '--', ' += a'])};"
        if kind == 1 and depth < 2:
            self.count += 1
            name = f"i{self.count}"
            inner = self.statement(depth + 1)
            return f"int {name} = 0; while ({name} < 20) {{ {inner}\n{name}++; }}"
        if kind == 2:
            owner, name = self.random.choice(self.places)
            return f"gi = {name.replace('%', self.number())}.Sum{owner}({self.number()});"
        if kind == 3 and plain:
            return f"if ({place} > {self.value(type)}) gi = {place};"
        if kind == 4 and type.startswith("Node"):
            return f"if ({place} != null) {place}.value = a;"
        if kind == 5 and type == "String":
            return f"Display({place});"
        return f"{place} = {self.value(type)};"

    def function(self, number: int) -> str:
        """A function with variables of its own."""
        known = len(self.places)
        text = ""
        for name in ("l0", "l1")[: self.random.randrange(3)]:
            kind = self.random.choice(["Plain", "Held"])
            length = self.random.choice([0, 0, 3])
            text += f"{kind} {name}{f'[{length}]' if length else ''};\n"
            self.places.append((kind, f"{name}[%]" if length else name))
        lines = (self.statement() for _ in range(self.random.randrange(1, 8)))
        text = f"int f{number}(int a, int b)\n{{ {text}{chr(10).join(lines)}\nreturn a;\n}}\n"
        del self.places[known:]
        return text

    def methods(self) -> str:
        """The methods of the structs."""
        known, self.places = self.places, []
        text = ""
        for owner in ("Plain", "Held"):
            self.places = [(owner, "this")]
            lines = "\n".join(self.statement() for _ in range(self.random.randrange(4)))
            text += f"int {owner}::Sum{owner}(int a)\n{{ int b = a;\n{lines}\nreturn b;\n}}\n"
        self.places = known
        return text


def layout(seed: int) -> str:
    """A script whose functions use variables of structs."""
    made = _Layout(Random(seed))
    plain = made.struct("Plain", ("int ", "short ", "char ", "float "), "")
    held = made.struct("Held", ("int ", "short ", "char ", "Node *", "String "), "")
    parts = ["int gi; int ga[4]; String gs; Node *gn;\n", plain, held, made.variables()]
    parts.append(made.methods())
    return "".join([*parts, *(made.function(number) for number in range(3))])


_BODIES = (
    "{\n}", "\n{}\n", "other = 5;", "\n", "break;\n", "{ other = 3;\n}\n", "if (b)\n{\n}\n",
    "while (b)\n{\n}", "{ if (a) { break;\n}\n}\n", "own();\n", "continue;", "return 3;\n",
    "{ int v = a;\n}\n", "{ Node *n;\n n = null; break;\n}", "do {\n} while (b);", "{{\n}\n}\n",
    "if (a) other = 2; else {\n}\n", "for (int i = 0; i < b; i++) { continue;\n}\n",
)  # fmt: skip


def _labels(random: Random, depth: int) -> str:
    """A switch: labels without code, empty blocks, and line ends between them."""
    parts: list[str] = []
    number, has_default = 0, False
    for _ in range(random.randint(1, 9)):
        part = random.choice(_BODIES)
        if not parts or random.random() < 0.35:
            part = f"case {number}:"
            if not has_default and random.random() < 0.3:
                part, has_default = "default:", True
            number += 1
        elif depth and random.random() < 0.1:
            part = _labels(random, depth - 1)
        parts += part, random.choice(["", "\n", " "])
    return f"switch ({random.choice('ab')})\n{{\n{''.join(parts)}{random.choice(['', chr(10)])}}}\n"


def switches(seed: int) -> str:
    """A script whose function is a switch in a loop."""
    random = Random(seed)
    statement = _labels(random, 2)
    return (
        "int own() { return 1; }\nint f(int a, int b)\n{\nother = 1;\n"
        f"while (a < b) {{\n{statement}}}\nother = 2;\n}}\n"
    )
