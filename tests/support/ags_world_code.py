"""Random expressions and statements of scripts: ``from ags_world_code import Code``."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final, TypeVar

from ags_world_model import Field, Function, Known, Struct

_LOOPS: Final = (3, 4)  # the release that has loops, switches and managed structs
_ARRAYS: Final = (3, 4)  # the release that has functions whose results are dynamic arrays
_STATIC: Final = (3, 4, 1)  # extenders without an object
_TEXT_SWITCH: Final = (3, 4, 1, 2)
_NUMBERS: Final = ("int", "short", "char", "bool")
_VALUES: Final = ("int", "int", "int", "short", "char", "bool", "float", "String")
#: Enums of the editor, and some of their members.
ENUMS: Final = {
    "BlockingStyle": ("eBlock", "eNoBlock"),
    "RepeatStyle": ("eRepeat", "eOnce"),
    "EventType": ("eEventLoseInventory", "eEventAddInventory"),
}
_THINGS: Final = ("Character*", "GUI*", "InventoryItem*", "Dialog*", "DynamicSprite*", "Overlay*")
_T = TypeVar("_T")


class Code:
    """Writes random expressions and statements, of what a script knows."""

    def __init__(self, random: Random, editor: str, number: int, known: Known) -> None:
        self.random = random
        release = tuple(map(int, editor.split(".")))
        self.has_loops = release >= _LOOPS
        self.has_static = release >= _STATIC
        self.gives_arrays = release >= _ARRAYS
        self.has_text_switch = release >= _TEXT_SWITCH
        self.number = number
        self.shared = known
        self.known = known.copy()
        self.count = 0
        self.local: list[Field] = []
        self.this: Struct | None = None
        self.result = "int"
        self.left = self.deep = 0
        self.chance = random.random

    def pick(self, *choices: _T) -> _T:
        return self.random.choice(choices)

    def name(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.number}_{self.count}"

    def pointer(self) -> str:
        """A type of pointers."""
        own = [f"{one.name}*" for one in self.known.structs.values() if one.managed]
        return self.random.choice(own) if own and self.chance() < 0.7 else self.pick(*_THINGS)

    def type(self) -> str:
        if self.chance() < 0.25:
            return self.pointer()
        return self.pick(*ENUMS) if self.chance() < 0.1 else self.pick(*_VALUES)

    def argument(self) -> str:
        return self.pointer() if self.chance() < 0.25 else self.type()

    def counted(self, type: str, count: int) -> int:
        """The count of elements, 0 for structs with dynamic arrays, of which no array is."""
        struct = self.known.structs.get(type.rstrip("*"))
        return 0 if count > 0 and struct is not None and struct.has_arrays else count

    def held(self, struct: Struct, stem: str) -> Field:
        """A variable of a struct."""
        count = 0 if struct.has_arrays else self.pick(0, 0, 3, 10)
        return Field(struct.name, self.name(stem), count)

    # --------------------------------------------------------------------------------- expressions

    def places(self, wanted: frozenset[str]) -> str:
        """A place that has a value of one of some types; "" if none was found."""
        for _ in range(6):
            variables = [*self.known.variables, *self.local, *self.local]
            if not variables and self.this is None:
                return ""
            if self.this is not None and self.chance() < 0.4:
                text, one = "this", Field(f"{self.this.name}*", "this")
            else:
                one = self.random.choice(variables)
                text = one.name
            for _ in range(4):
                if one.count:
                    text += f"[{self.index(one.count)}]"
                    one = replace(one, count=0)
                if one.type in wanted and text != "this":
                    return text
                struct = self.known.structs.get(one.type.rstrip("*"))
                if struct is None or one.type.rstrip("*") != struct.name:
                    break
                following = list(struct.all_fields)
                following += [a for a, static in struct.all_attributes if not static]
                if not following:
                    break
                one = self.random.choice(following)
                text += f".{one.name}"
        return ""

    def index(self, count: int) -> str:
        names = [one.name for one in [*self.known.variables, *self.local]
                 if one.type == "int" and not one.count]  # fmt: skip
        plain = self.pick("0", "1", "count", *names)
        kind = self.random.randrange(8)
        if kind == 0:
            return self.value("int", 3)
        return f"{plain} + {self.pick('1', *names)} * 2" if kind == 1 else plain

    def arguments(self, function: Function) -> str:
        parts = []
        for one in function.parameters:
            if one.default and self.chance() < 0.4:
                break
            parts.append(self.array(one.type) if one.count < 0 else self.value(one.type, 2))
        return ", ".join(parts)

    def array(self, type: str) -> str:
        """A dynamic array."""
        if self.chance() < 0.3:
            found = self.call(frozenset((f"{type}[]",)))
            if found:
                return found
        held = [one.name for one in [*self.known.variables, *self.local]
                if one.type == type and one.count < 0]  # fmt: skip
        return self.random.choice(held) if held and self.chance() < 0.8 else "null"

    def object(self, owner: str) -> str:
        """What a function that extends a struct is called of; "null" if there is none."""
        return self.value(f"{owner}*", 3)

    def call(self, wanted: frozenset[str] | None) -> str:
        """A call of a function with one of some results; "" if there is none."""
        functions = [one for one in self.known.functions if wanted is None or one.result in wanted]
        if functions and self.chance() < 0.6:
            function = self.random.choice(functions)
            head = {
                "": "", "this": self.object(function.owner),
                "class": function.owner, "static": function.owner,
            }[function.form]  # fmt: skip
            if function.form == "this" and not head[-1].isalnum() and head[-1] != "]":
                return ""
            if head == "null":
                return ""
            dot = "." if head else ""
            return f"{head}{dot}{function.name}({self.arguments(function)})"
        for struct in self.random.sample(sorted(self.known.structs), len(self.known.structs)):
            made = self.known.structs[struct]
            methods = [m for m in made.all_methods if wanted is None or m.result in wanted]
            if not methods:
                continue
            method = self.random.choice(methods)
            if method.form == "static":
                return f"{method.owner}.{method.name}({self.arguments(method)})"
            object = self.places(frozenset((made.name, f"{made.name}*")))
            if not object and self.this is made:
                object = "this"
            if object:
                return f"{object}.{method.name}({self.arguments(method)})"
        return ""

    def value(self, type: str, depth: int = 0) -> str:
        """A value of a type."""
        self.deep += 1
        try:
            return self._value(type, depth if self.deep < 5 else 9)
        finally:
            self.deep -= 1

    def _value(self, type: str, depth: int) -> str:
        if type.endswith("[]"):
            return self.array(type[:-2])
        if depth > 8:
            return self.literal(type, depth)
        same = frozenset(_NUMBERS) if type in _NUMBERS else frozenset((type,))
        kind = self.random.randrange(10 if depth < 3 else 5)
        if kind < 4:
            found = self.places(same)
            if found:
                return found
        elif kind == 5 or kind == 6:
            found = self.call(same)
            if found:
                return found
        elif kind > 6 and type in _NUMBERS:
            operator = self.pick("+", "-", "*", "/", "%", "&", "|", "<<", "==", ">", "!=", "&&")
            return f"({self.value('int', depth + 1)} {operator} {self.value('int', depth + 1)})"
        elif kind > 6 and type == "float":
            operator = self.pick(*"+-*/")
            return f"({self.value('float', depth + 1)} {operator} {self.value('float', depth + 1)})"
        return self.literal(type, depth)

    def literal(self, type: str, depth: int) -> str:
        """A value that needs no variable of the game."""
        if type in ("int", "short", "char"):
            return self.pick("0", "1", "2", "7", "100", "-3", "player.x", "mouse.y", "count")
        if type == "bool":
            return self.pick("true", "false", "gMenu.Visible")
        if type == "float":
            inner = self.value("int", depth + 1) if depth < 3 else "2"
            return self.pick("0.0", "1.5", "-2.0", f"IntToFloat({inner})")
        if type == "String":
            inner = self.value("int", depth + 1) if depth < 3 else "2"
            return self.pick('"t"', '"a b"', "player.Name", f'String.Format("%d", {inner})')
        if type in ENUMS:
            return self.pick(*ENUMS[type])
        known = {"Character*": ("cEgo", "player"), "GUI*": ("gMenu",), "InventoryItem*": ("iKey",),
                 "Dialog*": ("dTalk",)}  # fmt: skip
        struct = self.known.structs.get(type.rstrip("*"))
        if struct is not None and self.chance() < 0.6:
            return f"new {struct.name}"
        return self.pick(*known.get(type, ("null",)), "null")

    def condition(self, depth: int = 0) -> str:
        """What a statement asks for."""
        kind = self.random.randrange(9)
        if kind == 0 and depth < 2:
            operator = self.pick("&&", "||")
            return f"({self.condition(depth + 1)}) {operator} ({self.condition(depth + 1)})"
        if kind == 1 and depth < 2:
            return f"!({self.condition(depth + 1)})"
        if kind == 2:
            type = self.pointer()
            place = self.places(frozenset((type,)))
            if place:
                return f"{place} {self.pick('==', '!=')} {self.pick('null', 'null', place)}"
        if kind == 3:
            place = self.places(frozenset(("String",)))
            if place:
                return self.pick(f"{place} == {self.value('String', 2)}", f"{place} != null")
        if kind == 4:
            operator = self.pick("<", ">", "==", "<=")
            return f"{self.value('float', 2)} {operator} {self.value('float', 2)}"
        if kind == 5:
            place = self.places(frozenset(("bool",)))
            if place:
                return self.pick(place, f"!{place}", f"{place} == true")
        operator = self.pick("==", "!=", "<", ">", "<=", ">=")
        return f"{self.value('int', 1)} {operator} {self.value('int', 2)}"

    # ---------------------------------------------------------------------------------- statements

    def assignment(self) -> str:
        """An assignment; "" where no variable was found."""
        type = self.type()
        same = frozenset(("int", "short", "char")) if type in _NUMBERS[:3] else frozenset((type,))
        place = self.places(same)
        if not place:
            return ""
        if type in _NUMBERS[:3]:
            kind = self.random.randrange(5)
            if kind == 0:
                return f"{place}{self.pick('++', '--')}"
            if kind == 1:
                ways = ("+=", "-=", "*=", "|=", "<<=") if self.has_loops else ("+=", "-=")
                return f"{place} {self.pick(*ways)} {self.value('int', 1)}"
        if type == "float" and self.chance() < 0.2:
            return f"{place} += {self.value('float', 1)}"
        if type == "String" and self.chance() < 0.1:
            return f"{place} = null"
        return f"{place} = {self.value(type)}"

    def simple(self) -> str:
        kind = self.random.randrange(12)
        if kind < 6:
            return (self.assignment() or "count++") + ";"
        if kind < 9:
            return (self.call(None) or 'Display("x")') + ";"
        if kind == 9:
            arrays = [one for one in [*self.known.variables, *self.local] if one.count < 0]
            if arrays:
                one = self.random.choice(arrays)
                made = self.call(frozenset((f"{one.type}[]",))) if self.chance() < 0.4 else ""
                made = made or f"new {one.type.rstrip('*')}[{self.size()}]"
                return f"{one.name} = {made};"
        return self.pick(
            'Display("%d and %s", count, player.Name);', "Wait(1);",
            f"cEgo.Walk(1, 2, {self.value('BlockingStyle', 1)});",
            f"cEgo.Animate(1, 2, {self.value('RepeatStyle', 1)}, eBlock);",
            f"cEgo.Say({self.value('String', 1)});", f"player.x = {self.value('int', 1)};",
            "mouse.Visible = true;", f"gMenu.Visible = {self.value('bool', 2)};",
            f"Random({self.value('int', 1)});", "SetTimer(1, 40);", "btnOk.Text = \"ok\";",
        )  # fmt: skip

    def size(self) -> str:
        return self.pick("3", "count", "count * 2 + 1")

    def declaration(self) -> str:
        plain = [one for one in self.known.structs.values() if not one.managed]
        if plain and self.chance() < 0.2:
            made = self.held(self.random.choice(plain), "l")
            self.local.append(made)
            return f"{made.text};"
        type = self.type()
        count = self.counted(type, self.pick(0, 0, 0, 0, 3))
        if not count and self.has_loops and type != "bool" and self.chance() < 0.15:
            made = Field(type, self.name("l"), -1)
            size = self.size()
            self.local.append(made)
            return f"{made.text} = new {type.rstrip('*')}[{size}];"
        made = Field(type, self.name("l"), count)
        value = "" if count or self.chance() < 0.3 else f" = {self.value(type)}"
        self.local.append(made)
        return f"{made.text}{value};"

    def body(self, depth: int, loop: bool, leave: bool) -> str:
        known = len(self.local)
        lines = [self.statement(depth, loop, leave) for _ in range(self.random.randrange(1, 4))]
        del self.local[known:]
        return "".join(f"\n{line}" if self.chance() < 0.8 else f" {line}" for line in lines)

    def braces(self, depth: int, loop: bool, leave: bool) -> str:
        if self.chance() < 0.2:
            return self.simple()
        return f"{{{self.body(depth + 1, loop, leave)}\n}}"

    def statement(self, depth: int, loop: bool, leave: bool) -> str:
        self.left -= 1
        kind = self.random.randrange(16 if depth < 4 and self.left > 0 else 7)
        if kind < 2:
            return self.declaration()
        if kind < 7:
            return self.simple()
        if kind == 7:
            ways = ["continue;"] * loop + ["break;"] * leave
            return self.random.choice(ways) if ways else self.leaving()
        if kind < 11:
            text = f"if ({self.condition()})\n{self.braces(depth, loop, leave)}"
            if self.chance() < 0.3:
                text += f"\nelse if ({self.condition()})\n{self.braces(depth, loop, leave)}"
            if self.chance() < 0.4:
                text += f"\nelse {self.braces(depth, loop, leave)}"
            return text
        if kind == 11 or not self.has_loops:
            inside = self.braces(depth, self.has_loops, self.has_loops)
            return f"while ({self.condition()})\n{inside}"
        if kind < 14:
            name = self.name("i")
            known = len(self.local)
            limit = self.value("int", 2)
            self.local.append(Field("int", name))
            inside = self.braces(depth, True, True)
            del self.local[known:]
            return f"for (int {name} = 0; {name} < {limit}; {name}++)\n{inside}"
        if kind == 14:
            return f"do {{{self.body(depth + 1, True, True)}\n}} while ({self.condition()});"
        return self.switch(depth, loop)

    def switch(self, depth: int, loop: bool) -> str:
        is_text = self.has_text_switch and self.chance() < 0.2
        type = "String" if is_text else "int"
        labels = self.random.sample(['"t"', '"u"', '"v"'] if is_text else ["1", "2", "-3", "9"], 2)
        parts = [f"case {label}:" for label in labels]
        if self.chance() < 0.6:
            parts.insert(self.random.randrange(3), "default:")
        text = ""
        for label in parts:
            inside = self.braces(depth, loop, True) if self.chance() < 0.8 else ""
            end = self.pick("break;", "break;", self.leaving(), "")
            text += f"\n{label}\n{inside}\n{end}"
        return f"switch ({self.value(type, 1)})\n{{{text}\n}}"

    def leaving(self) -> str:
        if self.result == "void":
            return "return;"
        return f"return {self.value(self.result, 1)};"
