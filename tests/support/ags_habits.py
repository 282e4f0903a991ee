"""Random scripts with habits of authors that the other generators lack: enums with values of all
kinds, values at the start of variables, macros in code, functions that call themselves, chains of
conditions that return, and switches in loops in switches: ``from ags_habits import habitual``."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import Final

from ags_authored import Author
from ags_world_model import Field, Function, Known, Struct

_ENUMS: Final = (
    "eRed{0}, eGreen{0}, eBlue{0}",
    "eRed{0} = 2, eGreen{0} = 5, eBlue{0}",
    "eRed{0} = -1, eGreen{0}, eBlue{0} = 40",
    "eRed{0} = 1, eGreen{0} = 2, eBlue{0} = 4",
    "eRed{0} = 100000, eGreen{0} = -5, eBlue{0} = -4",
)
_MEMBERS: Final = ("eRed", "eGreen", "eBlue")
_FORMATS: Final = ('"%d of %d (%s)"', '"%05d %+d %s"', '"%x %c %s"', '"%d%%%d%s"', '"%3d|%-4d|%s"')
_CHECKS: Final = ("count > 3", "count == 1 && player.x > 5", "!gMenu.Visible")
_CALLS: Final = ('player.Say("x")', "Wait(K{0}_INT)", "count += 2")
_ONCE: Final = (3, 4, 1)
_VALUES: Final = {
    "int": ("5", "-1", "65536", "16711935", "-2147483648", "256"),
    "short": ("300", "-1", "256", "-32768"),
    "char": ("7", "255"),
    "bool": ("true",),
    "float": ("1.5", "-0.25", "0.1"),
}
_PLAIN: Final = """struct Clock { import int Start(int a); import attribute int Hour; };
struct Box { int value; import int Open(); };
"""


class Creature(Author):
    """Writes scripts as authors of habits do."""

    def __init__(self, random: Random, editor: str, number: int, known: Known) -> None:
        super().__init__(random, editor, number, known)
        release = tuple(map(int, editor.split(".")))
        self.has_once = release >= _ONCE
        self.enums: list[str] = []
        self.at: Function | None = None

    # values

    def member(self) -> str:
        """A member of an enum of the script."""
        return f"{self.pick(*_MEMBERS)}{self.random.choice(self.enums)}" if self.enums else "2"

    def literal(self, type: str, depth: int) -> str:
        if type in ("int", "short", "char") and self.enums and self.chance() < 0.35:
            return self.member()
        if type in ("int", "float") and self.chance() < 0.1:
            return f"K{self.number}_{type.upper()}"
        if type == "String" and self.chance() < 0.15 and depth < 3:
            first, second = self.value("int", depth + 1), self.value("int", depth + 1)
            text = self.value("String", depth + 1)
            return f"String.Format({self.pick(*_FORMATS)}, {first}, {second}, {text})"
        if type == "bool" and self.has_once and self.chance() < 0.1:
            return f'Game.DoOnceOnly("token {self.random.randrange(5)}")'
        return super().literal(type, depth)

    def _value(self, type: str, depth: int) -> str:
        kind = self.random.randrange(30)
        if depth < 4 and type in ("int", "short", "char", "bool"):
            if kind == 0:
                return self.chained(depth)
            if kind == 1:
                return self.pick(
                    "gMenu.Controls[1].AsButton.Y", "player.ActiveInventory.Graphic", "mouse.x",
                    "character[2].x", "dialog[1].GetOptionState(1)", "player.InventoryQuantity[2]",
                    "GetLocationType(mouse.x, mouse.y)", "inventory[count].Graphic",
                    "gMenu.Controls[count].AsLabel.Font", 'cEgo.GetProperty("Weight")',
                )  # fmt: skip
        if kind == 2 and depth < 4 and type == "String":
            return self.pick("player.Name.UpperCase()", "player.ActiveInventory.Name",
                             "gMenu.Controls[0].AsLabel.Text", 'String.Format("%s%s", "", "y")',
                             'player.Name.Append("x")')  # fmt: skip
        return super()._value(type, depth)

    def chained(self, depth: int) -> str:
        """Operators one behind another without brackets."""
        text = self.value("int", depth + 2)
        for _ in range(self.random.randrange(2, 5)):
            operator = self.pick("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>")
            text += f" {operator} {self.value('int', depth + 2)}"
        return text if self.chance() < 0.3 else f"({text})"

    def condition(self, depth: int = 0) -> str:
        if self.chance() < 0.2 and depth < 2:
            text = super().condition(2)
            for _ in range(self.random.randrange(1, 4)):
                text += f" {self.pick('&&', '||')} {super().condition(2)}"
            return text
        if self.chance() < 0.1 and not depth:
            place = self.places(frozenset((self.pointer(),)))
            return place or self.value("int", 2)
        return super().condition(depth)

    def call(self, wanted: frozenset[str] | None) -> str:
        at = self.at
        is_wanted = at is not None and (wanted is None or at.result in wanted)
        if at is not None and is_wanted and not at.owner and self.chance() < 0.1:
            plain = tuple(replace(one, default="") for one in at.parameters)
            return f"{at.name}({self.arguments(replace(at, parameters=plain))})"
        return super().call(wanted)

    # statements

    def simple(self) -> str:
        kind = self.random.randrange(16)
        if kind == 0:
            values = (self.value("int", 2), self.value("int", 2), self.value("String", 2))
            return f"Display({self.pick(*_FORMATS)}, {', '.join(values)});"
        if kind == 1:
            return f"CALL{self.number};"
        if kind == 2:
            place = self.places(frozenset(("int",)))
            ways = ("&=", "^=", ">>=", "/=") if self.has_loops else ("+=", "-=")
            if place and self.is_writable(place):
                return f"{place} {self.pick(*ways)} {self.value('int', 1)};"
        if kind == 3 and self.enums:
            name = self.random.choice(self.enums)
            place = self.places(frozenset((f"Mood{name}", "int")))
            if place and self.is_writable(place):
                return f"{place} = {self.pick(*_MEMBERS)}{name};"
        return super().simple()

    def declaration(self) -> str:
        if self.enums and self.chance() < 0.2:
            name = self.random.choice(self.enums)
            made = Field("int", self.name("l"), self.pick(0, 0, 3))
            value = "" if made.count else f" = {self.pick(*_MEMBERS)}{name}"
            self.local.append(made)
            return f"Mood{name} {made.text.partition(' ')[2]}{value};"
        return super().declaration()

    def statement(self, depth: int, loop: bool, leave: bool) -> str:
        kind = self.random.randrange(40)
        if kind == 0 and depth < 3:
            return self.chain(depth)
        if kind == 1 and self.has_loops and depth < 2:
            return self.nest(depth)
        if kind == 2:
            way = self.pick("ifdef NEVER", "ifndef NEVER", "ifver 3.0", "ifnver 3.0", "ifver 9.9")
            return f"\n#{way}\n{self.simple()}\n#endif\n"
        if kind == 3:
            return f"if (CHECK{self.number}) {self.braces(depth, loop, leave)}"
        if kind == 4 and depth < 3:
            return f"{{{self.body(depth + 1, loop, leave)}\n}}"
        if kind == 5 and self.has_loops and depth < 3:
            return self.search(depth)
        if kind == 6:
            first, second = self.condition(), self.condition()
            text = f"if ({first}) if ({second}) {self.simple()}"
            return text + self.pick(
                "",
                f" else {self.simple()}",
                f" else if ({first}) {self.simple()} else {self.simple()}",
            )
        if kind == 7 and depth < 3:
            return self.loop(depth)
        if kind == 8 and self.has_loops and depth < 3:
            return self.bare(depth, loop)
        return super().statement(depth, loop, leave)

    def bare(self, depth: int, loop: bool) -> str:
        """Statements that stand for a block without braces, and those with nothing in them."""
        condition, simple = self.condition(), self.simple()
        kind = self.random.randrange(8)
        if kind == 0:
            return f"switch ({self.value('int', 2)}) {self.pick('{ }', '{ default: }')}"
        if kind == 1:
            return f"while ({condition}) {self.switch(depth + 2, True)}"
        if kind == 2:
            return f"if ({condition}) {self.switch(depth + 2, loop)}\nelse {simple}"
        if kind == 3:
            return f"for (; {condition}; ) {simple}"
        if kind == 4:
            return f"for (;;) {{ {simple} if ({condition}) break; }}"
        if kind == 5:
            return f"do {simple} while ({condition});"
        if kind == 6:
            end = self.pick("{ }", f"if ({condition}) {simple}", "continue;")
            return f"while ({condition}) {end}"
        name = self.name("i")
        end = self.pick("break", "continue")
        inner = f"while ({name} < 3) {{ {name}++; if ({condition}) {end}; }}"
        return f"for (int {name} = 0; {name} < 9; {name}++) {inner}"

    def loop(self, depth: int) -> str:
        """A loop that only a statement in it leaves, or one of a variable that was there."""
        end = self.pick("return;" if self.result == "void" else self.leaving(), "break;")
        if not self.has_loops:
            return f"while (true) {{{self.body(depth + 1, False, False)}\n{self.leaving()} }}"
        place = self.places(frozenset(("int",)))
        if place and self.is_writable(place) and self.chance() < 0.5:
            step = self.pick(f"{place}++", f"{place} -= 2", f"{place} = {place} + 1", "count++")
            return (f"for ({place} = {self.value('int', 3)}; {place} != {self.value('int', 3)}; "
                    f"{step}) {self.braces(depth, True, True)}")  # fmt: skip
        body = self.body(depth + 1, True, True)
        return self.pick(
            f"while (true)\n{{{body}\nif ({self.condition()}) {end}\n}}",
            f"do {{{body}\n}} while ({self.pick('false', '0', 'true')});",
            f"while (1) {{ if ({self.condition()}) {{ {self.simple()} {end} }} }}",
        )

    def chain(self, depth: int) -> str:
        """Conditions one behind another, each of which leaves the function."""
        place = self.places(frozenset(("int", "short", "char"))) or "count"
        text = ""
        for number in range(self.random.randrange(3, 12)):
            value = self.pick(str(number), self.member(), self.value("int", 3))
            inner = self.leaving()
            if self.chance() < 0.3:
                inner = f"{{ {self.simple()} {inner} }}"
            begin = "else if" if number and self.chance() < 0.9 else "if"
            text += f"{begin} ({place} == {value}) {inner}\n"
        if self.chance() < 0.5 and self.has_loops:
            return text
        return text + (f"else {self.braces(depth, False, False)}" if text.rstrip() else "")

    def nest(self, depth: int) -> str:
        """A switch in a loop in a switch."""
        inner = self.switch(depth + 2, True)
        name = self.name("i")
        known = len(self.local)
        self.local.append(Field("int", name))
        loop = self.pick(
            f"for (int {name} = 9; {name} >= 0; {name}--)\n{{\n{inner}\n{self.simple()}\n}}",
            f"int {name};\nwhile ({name} < 5)\n{{\n{inner}\n{name}++;\n}}",
            f"int {name};\ndo\n{{\n{name} += 2;\n{inner}\n}} while ({name} < 5);",
        )
        del self.local[known:]
        labels = [self.pick(self.member(), "1"), "77"]
        end = self.pick("break;", "", self.leaving())
        default = f"default:\n{self.simple()}\nbreak;\n" if self.chance() < 0.6 else ""
        return (f"switch ({self.value('int', 2)})\n{{\ncase {labels[0]}: {{\n{loop}\n}}\n{end}\n"
                f"case {labels[1]}:\n{self.simple()}\nbreak;\n{default}}}")  # fmt: skip

    def search(self, depth: int) -> str:
        """Loops in one another with what leaves them."""
        one, two = self.name("i"), self.name("i")
        known = len(self.local)
        self.local += [Field("int", one), Field("int", two)]
        inner = self.pick("break;", "continue;", self.leaving(), self.simple())
        condition = self.condition()
        extra = self.simple()
        end = self.pick("break;", "continue;", "", extra)
        del self.local[known:]
        return (f"for (int {one} = 0; {one} < 4; {one} += 2)\n{{\nint {two} = {one};\n"
                f"while ({two} > 0 && {one} != {two})\n{{\n{two}--;\nif ({condition}) {inner}\n"
                f"else {{ {extra} }}\n}}\n{end}\n}}")  # fmt: skip

    # declarations

    def function(self, head: str, parameters: tuple[Field, ...], result: str,
                 this: Struct | None = None) -> str:  # fmt: skip
        text = super().function(head, parameters, result, this)
        self.at = None
        return text

    def defined(self, function: Function, this: Struct | None) -> str:
        self.at = function if not function.form else None
        return super().defined(function, this)

    def signature(self, owner: str = "", form: str = "") -> Function:
        made = super().signature(owner, form)
        if form in ("", "static") and made.parameters and self.chance() < 0.4:
            *rest, last = made.parameters
            if last.type == "int" and not last.count:
                default = self.pick(" = -1", " = 5", " = 0")
                if len(rest) and rest[-1].type == "int" and not rest[-1].count:
                    rest[-1] = replace(rest[-1], default=self.pick(" = -2", " = 7"))
                made = replace(made, parameters=(*rest, replace(last, default=default)))
        return made

    def fields(self) -> list[Field]:
        made = super().fields()
        if self.enums and self.chance() < 0.4:
            made.append(Field("int", self.name("m"), self.pick(0, 0, 4)))
        return made

    def more(self) -> str:
        return self.values_() + super().more()

    def values_(self) -> str:
        """Variables with values at the start."""
        text = ""
        for _ in range(self.random.randrange(4)):
            type = self.pick("int", "int", "short", "char", "bool", "float")
            value = {
                "int": self.pick("5", "-3", "2147483647", "0", "1"),
                "short": self.pick("5", "300"), "char": self.pick("'a'", "7"),
                "bool": self.pick("true", "false"), "float": self.pick("1.5", "-0.25", "100.0"),
            }[type]  # fmt: skip
            made = Field(type, self.name("v"))
            self.known.variables.append(made)
            text += f"{type} {made.name} = {value};\n"
        if self.enums and self.chance() < 0.5:
            made = Field("int", self.name("v"), self.pick(0, 3))
            self.known.variables.append(made)
            text += f"Mood{self.random.choice(self.enums)} {made.text.partition(' ')[2]};\n"
        size = Field("int", self.name("v"), 6)
        self.known.variables.append(size)
        return text + f"int {size.name}[SIZE{self.number}];\n"

    def texts(self, *, exporting: bool = True) -> tuple[str, str]:
        head = ""
        for _ in range(self.random.randrange(3)):
            name = f"{self.number}{'abc'[len(self.enums)]}"
            head += f"enum Mood{name} {{ {self.pick(*_ENUMS).format(name)} }};\n"
            self.enums.append(name)
        number = self.number
        value = self.member()
        head += (
            f"#define K{number}_INT {self.pick('12', '(3 + 4)', '(-7)', value)}\n"
            f"#define K{number}_FLOAT {self.pick('1.25', '-0.75')}\n#define SIZE{number} 6\n"
            f"#define CHECK{number} {self.pick(*_CHECKS)}\n"
            f"#define CALL{number} {self.pick(*_CALLS).format(number)}\n"
        )
        header, text = super().texts(exporting=exporting)
        return head + header, text


def with_enums(text: str, enums: list[str], random: Random) -> str:
    """A script where some numbers are of enums."""
    names = sorted(set(re.findall(r"\bint (\w+\d_\d+)(?!\w|\[\]|::)", text)))
    arrays = set(re.findall(r"\bint (\w+)\[\]", text))
    for name in names if enums else ():
        if name not in arrays and random.random() < 0.15:
            enum = random.choice(enums)
            text = re.sub(rf"\bint ((?:\w+::)?{name})\b", rf"{enum} \1", text)
    return text


def habitual(seed: int, editor: str) -> str:
    """A script with what is declared in headers in it."""
    random = Random(seed)
    known = Known()
    other = Creature(random, editor, 0, known)
    header, _ = other.texts()
    script = Creature(random, editor, 1, known)
    own, text = script.texts()
    lines = [line for line in own.splitlines() if not line.startswith("import ")]
    head = "import GUI gMenu; import Dialog dTalk;\nint count; export count;\n"
    # enums are declared before all that uses them
    enums = re.findall(r"^enum .*\n", header + own, re.MULTILINE)
    text = re.sub(r"^enum .*\n", "", header + "\n".join(lines) + "\n" + text, flags=re.MULTILINE)
    return "".join(enums) + with_enums(
        head + text, re.findall(r"enum (\w+)", "".join(enums)), random
    )


def placed(seed: int) -> str:
    """A script of variables, of which some have values at the start, some are not used, and some
    have no bytes."""
    random = Random(seed)
    text, uses = _PLAIN, ""
    for number in range(random.randrange(1, 9)):
        type = random.choice(("int", "int", "short", "char", "bool", "float", "Clock", "Box"))
        count = random.choice((0, 0, 0, random.randrange(1, 5)))
        values = () if count else _VALUES.get(type, ())
        start = f" = {random.choice(values)}" if values and random.random() < 0.6 else ""
        name = f"v{number}"
        text += f"{type} {name}{f'[{count}]' if count else ''}{start};\n"
        place = f"{name}[a]" if count else name
        if random.random() < 0.5:
            ways = {
                "Clock": (f"{place}.Start(a);",),
                "Box": (f"{place}.Open();", f"a = {place}.value;"),
                "float": (f"if ({place} > 1.0) a++;",),
            }
            uses += random.choice(ways.get(type, (f"a = {place};",))) + "\n"
        if random.random() < 0.3:
            text += f"export {name};\n"
    return f"{text}function f(int a)\n{{\n{uses}}}\n"
