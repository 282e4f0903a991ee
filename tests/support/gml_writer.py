"""Writes random programs over the whole language of a release, as text.

Everything compiles: names are those of :func:`context`, ways out stand where they may.
"""

from __future__ import annotations

import random

from overhaul.gml.context import Context
from overhaul.gml.dialect import Dialect

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "=", "<>")
ARITHMETIC = ("+", "-", "*", "/", "mod", "div", "%")
BITWISE = ("&", "|", "^", "<<", ">>")
NUMBERS = (
    "0", "1", "2", "3", "10", "255", "32767", "32768", "65536", "2147483647", "2147483648", "0.5",
    "1.25", ".75", " $FF", " $80000000", "0.1", "1000000", "4294967296", "9007199254740993",
)  # fmt: skip
STRINGS = ('""', '"text"', '"a b"', '"{0}"', '"#"', '"k"')


def context(dialect: Dialect) -> Context:
    """A game with what the programs name."""
    made = Context(dialect)
    for index, name in enumerate(("obj_first", "obj_wall", "obj_player")):
        made.add_asset("object", index, name)
    made.add_asset("sprite", 4, "spr_hero")
    made.add_asset("sound", 2, "snd_hit")
    made.add_asset("room", 1, "rm_start")
    if not dialect.gml_v2:
        made.add_asset("script", 3, "scr_move")
        made.add_asset("script", 5, "scr_hit")
    made.add_function("scr_move", "gml_Script_scr_move")
    made.add_function("scr_hit", "gml_Script_scr_hit")
    made.add_function("Vector", "gml_Script_Vector")
    made.add_extension_function("ext_call")
    made.add_enum("Kind", [("none", 0), ("small", 1), ("large", 70000)])
    made.add_global("shared")
    made.add_macro("LIMIT", "8")
    made.add_macro("HALF", "(hp / 2)")
    return made


def _numeric(text: str) -> str:
    """A value that is no text."""
    return "(hp)" if '"' in text or "'" in text or "string(" in text or "chr(" in text else text


class Writer:
    """Writes one program; the same seed writes the same program."""

    def __init__(self, seed: int, dialect: Dialect) -> None:
        self.random = random.Random(seed)
        self.dialect = dialect
        self.v2 = dialect.gml_v2
        self.gms2 = dialect.gms2_or_later
        self.locals = ["i", "j", "temp"]
        self.parameters: list[str] = []
        self.statics: list[str] = []
        self.functions = 0
        self.breakable = 0  # loops, with and switch around
        self.loops = 0
        self.final = False
        self.tries = 0
        self.header = False
        self.budget = 120

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def program(self) -> str:
        """A whole entry."""
        return self.statements(self.random.randint(1, 5), 3)

    # -- places ----------------------------------------------------------------------------------

    def name(self) -> str:
        """A bare variable."""
        kind = self.random.randrange(12)
        if kind <= 2:
            return self.pick("hp", "x", "speed", "list", "target", "flag")
        if kind <= 5:
            return self.random.choice(self.locals)
        if kind == 6 and self.parameters:
            return self.random.choice(self.parameters)
        if kind == 7 and self.statics:
            return self.random.choice(self.statics)
        if kind == 8:
            arguments = () if self.header else ("argument0", "argument3")
            return self.pick("room", "score", "lives", *arguments)
        if kind == 9:
            return "shared"
        return self.pick("hp", "mp", "data", "image_index")

    def instance(self, depth: int) -> str:
        """What stands left of a dot."""
        kind = self.random.randrange(9)
        if depth <= 0 or kind <= 3:
            return self.pick("self", "other", "global", "obj_wall", "obj_first", "target", "temp")
        if kind == 4:
            return f"{self.name()}"
        if kind == 5:
            return f"{self.instance(depth - 1)}.{self.pick('child', 'data')}"
        if kind == 6:
            return (
                f"{self.pick('list', 'temp', 'other.list', 'target.list')}[{self.value(depth - 1)}]"
            )
        if kind == 7:
            return f"({self.pick('3', '7', '100012')})"
        if self.v2:
            return f"{self.pick('scr_move', 'unknown')}({self.arguments(depth - 1)})"
        return "(target)"

    def place(self, depth: int = 1) -> str:
        """Something that can be assigned to."""
        kind = self.random.randrange(14 if self.v2 else 10)
        if depth <= 0 or kind <= 3:
            return self.name()
        if kind <= 5:
            return f"{self.instance(depth)}.{self.pick('hp', 'x', 'data', 'alpha')}"
        owner = self.pick("", "", "", f"{self.instance(depth - 1)}.")
        array = owner + self.pick("list", "grid", "temp", "alarm")
        if owner == "" and self.chance(0.2):
            array = self.name()
            if array in ("room", "score", "lives", "argument0", "argument3", "x", "speed"):
                array = "argument" if self.chance(0.5) else "grid"
        if kind <= 7:
            return f"{array}[{self.value(depth - 1)}]"
        if kind == 8:
            return f"{array}[{self.value(depth - 1)}, {self.value(depth - 1)}]"
        if kind == 9:
            return self.accessor(depth - 1)
        if kind <= 11:
            return f"{array}[{self.value(depth - 1)}][{self.value(depth - 1)}]"
        if kind == 12:
            return f"{array}[{self.value(0)}][{self.value(0)}][{self.value(0)}]"
        return self.accessor(depth - 1)

    def accessor(self, depth: int) -> str:
        base = self.pick("list", "data", "temp", "other.list", "global.map")
        key = self.value(depth)
        choices = [f"{base}[| {key}]", f"{base}[? {key}]", f"{base}[# {key}, {self.value(0)}]"]
        if self.v2:
            choices += [f"{base}[$ {key}]", f"{base}[@ {key}]"]
        return self.random.choice(choices)

    def getter(self, depth: int) -> str:
        """A call by name of a function that accessors stand for, or nearly."""
        base, key = self.pick("list", "data", "other.list", "global.map"), self.value(depth)
        names = ["ds_list_find_value", "ds_map_find_value"]
        if self.v2:
            names += ["struct_get", "variable_struct_get"]
        return f"{self.random.choice(names)}({base}, {key})"

    # -- values ----------------------------------------------------------------------------------

    def constant(self) -> str:
        kind = self.random.randrange(9)
        if kind <= 2:
            return self.random.choice(NUMBERS)
        if kind == 3:
            return self.random.choice(STRINGS)
        if kind == 4:
            return self.pick("true", "false", "undefined", "pi", "c_red", "vk_left", "noone", "all")
        if kind == 5:
            return self.pick("obj_wall", "spr_hero", "rm_start", "obj_first")
        if kind == 6:
            return self.pick("Kind.none", "Kind.small", "Kind.large")
        if kind == 7:
            return self.pick("LIMIT", "HALF", "-1", "-0.5", "-40000")
        if self.gms2 and self.chance(0.5):
            return self.pick('"a\\nb"', '"q\\"q"', " @'raw'", '"\\u00e9"')
        return self.pick("self", "other", "global", '"é"')

    def value(self, depth: int = 2) -> str:
        self.budget -= 1
        if depth <= 0 or self.budget < 0 or self.chance(0.3):
            return self.constant() if self.chance(0.5) else self.name()
        one = self.value
        less = depth - 1
        kind = self.random.randrange(24 if self.v2 else 15)
        if kind <= 1:
            operator = self.random.choice(ARITHMETIC)
            one_side, other = self.operand(less), self.operand(less)
            if operator != "+":  # of a text and a variable, the compilers take it for a double
                one_side, other = _numeric(one_side), _numeric(other)
            if operator not in ("+", "-", "*"):
                other = self.pick("3", "2.5", "hp", "temp", "-7", "(x + 1)", "LIMIT")
            return f"{one_side} {operator} {other}"
        if kind == 2:
            bits = self.random.choice(BITWISE)
            return f"({_numeric(one(less))} {bits} {_numeric(one(less))})"
        if kind == 3:
            return f"({one(less)} {self.random.choice(COMPARISONS)} {one(less)})"
        if kind == 4:
            return f"({self.test(less)})"
        if kind <= 6:
            return self.place(less)
        if kind == 7:
            return f"{self.pick('-', '~', '!', 'not ')}({one(less)})"
        if kind == 8:
            return self.step(less)
        if kind <= 10:
            return self.call(less)
        if kind == 11:
            return f"({one(less)} {self.pick('&&', '||', '^^', 'and', 'or', 'xor')} {one(less)})"
        if kind == 12:
            chain = f" {self.pick('+', '-', '*')} ".join(
                _numeric(self.operand(0)) for _ in range(4)
            )
            return f"({chain})"
        if kind == 13:
            return f"{self.pick('string', 'real', 'ord', 'chr', 'int64')}({self.folded()})"
        if kind == 14:
            return (
                self.place(less)
                if not self.gms2
                else f"({self.name()} ? {one(less)} : {one(less)})"
            )
        if kind == 15:
            return f"[{', '.join(one(less) for _ in range(self.random.randrange(4)))}]"
        if kind == 16:
            return self.struct(less)
        if kind == 17:
            return self.function_text("", less) if self.chance(0.4) else self.call(less)
        if kind == 18:
            made = self.pick("Vector", "Vector", "other.Vector", "unknown")
            return f"new {made}({self.arguments(less)})"
        if kind == 19 and self.dialect.nullish_operator:
            return f"({one(less)} ?? {one(less)})"
        if kind == 20 and self.dialect.template_strings:
            field = self.pick("hp", "x + 1", '"s"', "list[0]", "scr_move(1)")
            return self.pick(f' $"a{{{field}}}b{{hp}}"', ' $"plain"', f' $"{{{field}}}"')
        if kind == 21:
            return self.pick("scr_move", "show_debug_message", "Vector", "Vector.count")
        return self.method(less)

    def folded(self) -> str:
        """A value the compiler may work out."""
        return self.pick('"A"', '"12"', "65", "3", "hp", '"1.5"', "temp")

    def operand(self, depth: int) -> str:
        text = self.value(depth)
        return text if self.chance(0.4) else f"({text})"

    def test(self, depth: int = 1) -> str:
        kind = self.random.randrange(6)
        if depth <= 0 or kind <= 2:
            return f"{self.value(depth - 1)} {self.random.choice(COMPARISONS)} {self.value(0)}"
        if kind == 3:
            return f"!({self.test(depth - 1)})"
        if kind == 4:
            return self.value(depth - 1)
        return f"({self.test(depth - 1)}) {self.pick('&&', '||')} ({self.test(depth - 1)})"

    def step(self, depth: int) -> str:
        place = self.place(depth).replace("[@ ", "[")
        sign = self.pick("++", "--")
        return sign + place if self.chance(0.5) else place + sign

    def arguments(self, depth: int) -> str:
        return ", ".join(self.value(depth) for _ in range(self.random.randrange(4)))

    def call(self, depth: int) -> str:
        """A call that can be a statement, too."""
        kind = self.random.randrange(9)
        if kind == 8 and self.gms2:
            return self.getter(depth - 1)
        if kind <= 1:
            return f"show_debug_message({self.value(depth)})"
        if kind == 2:
            return f"max({self.value(depth)}, {self.value(depth)})"
        if kind == 3:
            return f"ext_call({self.arguments(depth)})"
        if kind == 4 and self.v2:
            return self.method(depth)
        if kind == 5:
            return f"instance_exists({self.pick('obj_wall', 'other', 'target', 'self')})"
        return f"{self.pick('scr_move', 'scr_hit')}({self.arguments(depth)})"

    def method(self, depth: int) -> str:
        kind = self.random.randrange(11)
        given = self.arguments(depth - 1)
        if kind == 0:
            return f"unknown({given})"
        if kind == 1:
            return f"{self.instance(depth - 1)}.act({given})"
        if kind == 2:
            return f"scr_move({self.arguments(0)}).act({given})"
        if kind == 3:
            return f"target.first({self.arguments(0)}).second({given}).third()"
        if kind == 4:
            return f"scr_move().first({self.arguments(0)}).second({given})"
        if kind == 5:
            array = self.pick("list", "temp", "self.list", "other.list", "target.list")
            return f"{array}[{self.value(0)}]({given})"
        if kind == 6:
            return f"scr_hit({self.value(0)})({given})"
        if kind == 7:
            return f"(scr_move({self.value(0)})).act({given})"
        if kind == 8:
            return f"{self.getter(0)}.act({given})"
        if kind == 9:
            return f"{self.accessor(0)}.act({given})"
        return f"{self.pick('temp', 'data', 'Vector.make')}({given})"

    def struct(self, depth: int) -> str:
        members = []
        for number in range(self.random.randrange(4)):
            key = self.pick(f"m{number}", f'"key {number}"', f"n{number}")
            members.append(f"{key}: {self.value(depth)}")
        return "({ " + ", ".join(members) + " })"

    # -- functions -------------------------------------------------------------------------------

    def function_text(self, name: str, depth: int) -> str:
        """A function, with a scope of its own."""
        outer = (
            self.locals, self.parameters, self.statics, self.breakable, self.loops, self.final,
            self.tries,
        )  # fmt: skip
        self.locals, self.statics, self.breakable, self.loops = ["i", "temp"], [], 0, 0
        self.final, self.tries = False, 0
        count = 18 if self.chance(0.05) else self.random.randrange(4)
        self.parameters = [f"p{number}" for number in range(count)]
        parameters, self.parameters = self.parameters, []
        self.header = True
        head = [
            parameter + (f" = {self.value(1)}" if self.chance(0.2) else "")
            for parameter in parameters
        ]
        self.header = False
        self.parameters = parameters
        constructor = self.chance(0.25)
        tail = ""
        if constructor:
            tail = " constructor"
            if self.chance(0.4):
                tail = f" : Vector({self.pick('', '1', *self.parameters[:1])}) constructor"
        body = ""
        for number in range(self.random.randrange(3)):
            if self.chance(0.4):
                body += f"static st{number} = {self.value(1)}; "
                self.statics.append(f"st{number}")
        body += self.statements(self.random.randrange(4), depth - 1)
        (
            self.locals, self.parameters, self.statics, self.breakable, self.loops, self.final,
            self.tries,
        ) = outer  # fmt: skip
        return f"function {name}({', '.join(head)}){tail} {{ {body} }}"

    # -- statements ------------------------------------------------------------------------------

    def statements(self, count: int, depth: int) -> str:
        return " ".join(self.statement(depth) for _ in range(count))

    def body(self, depth: int) -> str:
        if self.chance(0.1):
            text = self.statement(depth)
            # Behind a condition, `(` would call it and `do` is a word of its own.
            return f"{{ {text} }}" if text.startswith(("(", "do")) else text
        text = self.statements(self.random.randrange(4), depth)
        return f"begin {text} end" if self.chance(0.05) else f"{{ {text} }}"

    def inside(self, depth: int, loop: bool) -> str:
        self.breakable += 1
        self.loops += loop
        text = self.body(depth)
        self.breakable -= 1
        self.loops -= loop
        return text

    def statement(self, depth: int) -> str:
        self.budget -= 1
        kind = self.random.randrange(30 if self.v2 else 22)
        if depth <= 0 or self.budget < 0 or kind <= 8:
            return self.simple()
        if 22 <= kind <= 24 and self.final:
            return self.simple()
        less = depth - 1
        if kind <= 11:
            text = f"if ({self.test()}) {self.body(less)}"
            if self.chance(0.5):
                text += f" else {self.body(less)}"
            return text
        if kind == 12:
            return f"while ({self.test()}) {self.inside(less, True)}"
        if kind == 13:
            return f"do {self.inside(less, True)} until ({self.test()});"
        if kind == 14:
            # Before 2.3 an early exit leaves the counter where it is.
            outer, self.final = self.final, self.final or not self.v2
            text = f"repeat ({self.value(1)}) {self.inside(less, True)}"
            self.final = outer
            return text
        if kind <= 16:
            first = self.pick("i = 0", "var k = 1", "", "temp = hp")
            last = self.pick("i += 1", "i++", "", "scr_move()", "++i")
            if self.chance(0.2):
                last = self.last(less)
            test = self.test() if self.chance(0.9) else ""
            return f"for ({first}; {test}; {last}) {self.inside(less, True)}"
        if kind == 17:
            return f"with ({self.instance(1)}) {self.inside(less, True)}"
        if kind <= 20:
            return self.switch(less)
        if kind == 21:
            return self.body(less)
        if kind <= 24:
            return self.attempt(less)
        if kind == 25:
            self.functions += 1
            return self.function_text(f"helper{self.functions}", less)
        if kind == 26:
            self.functions += 1
            return f"{self.place(1)} = {self.function_text('', less)};"
        if kind == 27:
            return f"{self.place(1)} = {self.struct(2)};"
        if kind == 28 and not self.final:
            return f"throw {self.value(1)};"
        return f"delete {self.pick('hp', 'temp', 'target.data', 'list[0]', 'self.flag')};"

    def simple(self) -> str:
        kind = self.random.randrange(16)
        end = ";" if self.chance(0.9) else " ;; "
        if kind == 0 and self.breakable > 0:
            return f"if ({self.test(0)}) break{end}"
        if kind == 1 and self.loops > 0:
            return f"if ({self.test(0)}) continue{end}"
        if kind == 2 and not self.final:
            return self.pick(f"if ({self.test(0)}) exit{end}", f"exit{end}", f"return{end}")
        if kind == 3 and not self.final:
            return f"return {self.value(2)}{end}"
        if kind == 4:
            return self.step(2) + end
        if kind <= 6:
            return self.call(2) + end
        if kind == 7:
            name = self.pick(*self.locals, "fresh")
            return f"var {name} = {self.value(2)}, other_{name}{end}"
        if kind == 8:
            return f"{self.place(2)} = {self.step(1)}{end}"
        if kind <= 11:
            operator = self.pick("+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=")
            if self.dialect.nullish_operator and self.chance(0.1):
                operator = "??="
            if operator == "??=":
                return f"{self.place(2)} ??= {self.pick('1', 'true', '0.5', 'scr_hit(2)')}{end}"
            place = self.place(2).replace("[@ ", "[")
            return f"{place} {operator} {self.value(2)}{end}"
        return f"{self.place(2)} {self.pick('=', '=', ':=')} {self.value(3)}{end}"

    def last(self, depth: int) -> str:
        """The last part of a ``for``: any statement, which may leave the entry."""
        around, self.breakable, self.loops = (self.breakable, self.loops), 0, 0
        text = self.pick(
            self.simple(), self.body(depth), f"if ({self.test()}) {self.body(depth)}",
            self.switch(depth), f"while ({self.test()}) {self.inside(depth, True)}",
        )  # fmt: skip
        if not self.final:
            text = self.pick(text, "exit", "return hp", f"{{ {text} exit; }}")
        self.breakable, self.loops = around
        return text

    def switch(self, depth: int) -> str:
        self.breakable += 1
        labels = [f"case {self.label(n)}:" for n in range(self.random.randint(1, 4))]
        if self.chance(0.5):
            labels.insert(self.random.randrange(len(labels) + 1), "default:")
        cases = []
        for label in labels:
            body = self.statements(self.random.randrange(3), depth)
            ending = self.pick("break;", "break;", "") if self.breakable > 0 else ""
            if not self.final:
                ending = self.pick(ending, ending, ending, "exit;", "return hp;")
            if self.loops > 0:
                ending = self.pick(ending, ending, ending, "continue;")
            cases.append(f"{label} {body} {ending}")
        self.breakable -= 1
        return f"switch ({self.value(1)}) {{ {' '.join(cases)} }}"

    def label(self, number: int) -> str:
        return self.pick(str(number), str(number), f'"{number}"', "Kind.small", "obj_wall", "-1")

    def attempt(self, depth: int) -> str:
        around = self.breakable, self.loops
        if self.tries:  # what leaves an inner try early comes back in other words
            self.breakable = self.loops = -100
        self.tries += 1
        text = f"try {{ {self.statements(self.random.randrange(3), depth)} }}"
        ending = self.random.randrange(4)
        if ending != 1:
            text += f" catch (problem) {{ {self.statements(self.random.randrange(3), depth)} }}"
        if ending in (1, 3):
            outer, self.final = self.final, True
            breakable, loops = self.breakable, self.loops
            self.breakable = self.loops = 0
            text += f" finally {{ {self.statements(self.random.randrange(1, 3), 1)} }}"
            self.final, self.breakable, self.loops = outer, breakable, loops
        self.tries -= 1
        self.breakable, self.loops = around
        return text
