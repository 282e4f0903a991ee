"""Random games of several scripts that share structs, variables and functions, and single scripts
with all kinds of declarations: ``from ags_worlds import world, whole``."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random
from typing import Final, TypeVar

_LOOPS: Final = (3, 4)  # the release that has loops, switches and managed structs
_STATIC: Final = (3, 4, 1)  # extenders without an object
_TEXT_SWITCH: Final = (3, 4, 1, 2)
_NUMBERS: Final = ("int", "short", "char", "bool")
_VALUES: Final = ("int", "int", "int", "short", "char", "bool", "float", "String")
_THINGS: Final = ("Character*", "GUI*", "InventoryItem*", "Dialog*", "DynamicSprite*", "Overlay*")
_T = TypeVar("_T")


@dataclass(frozen=True)
class Field:
    """A variable, field or parameter: ``count`` elements, 0 for one, -1 for a dynamic array."""

    type: str
    name: str
    count: int = 0
    default: str = ""

    @property
    def text(self) -> str:
        star = f"{self.type[:-1]} *" if self.type.endswith("*") else f"{self.type} "
        array = "[]" if self.count < 0 else f"[{self.count}]" if self.count else ""
        return f"{star}{self.name}{array}"


@dataclass(frozen=True)
class Function:
    """A function, of a struct (``owner``) or none; ``form`` is ``""``, ``static``, ``this``
    (it extends a struct of the editor) or ``class`` (that too, without an object)."""

    result: str
    name: str
    parameters: tuple[Field, ...]
    owner: str = ""
    form: str = ""

    def heads(self, *, defined: bool) -> str:
        """The head in a script, or in a header."""
        parts = [one.text + ("" if defined else one.default) for one in self.parameters]
        first = {"this": f"this {self.owner}*", "class": f"static {self.owner}"}.get(self.form)
        parts = [first, *parts] if first else parts
        inside = self.owner and not first
        static = "static " if self.form == "static" else ""
        name = f"{self.owner}::{self.name}" if inside and defined else self.name
        result = f"{self.result[:-1]} *" if self.result.endswith("*") else f"{self.result} "
        return f"{static}{result}{name}({', '.join(parts)})"


@dataclass
class Struct:
    """A struct of the game."""

    name: str
    managed: bool
    fields: list[Field]
    base: Struct | None = None
    methods: list[Function] = field(default_factory=list)
    attributes: list[tuple[Field, str]] = field(default_factory=list)  # the second: "static "
    #: The members with functions that are defined: others can't be used yet.
    ready: set[str] = field(default_factory=set)

    @property
    def all_fields(self) -> list[Field]:
        return [*(self.base.all_fields if self.base else []), *self.fields]

    @property
    def all_methods(self) -> list[Function]:
        own = [one for one in self.methods if one.name in self.ready]
        return [*(self.base.all_methods if self.base else []), *own]

    @property
    def all_attributes(self) -> list[tuple[Field, str]]:
        own = [pair for pair in self.attributes if pair[0].name in self.ready]
        return [*(self.base.all_attributes if self.base else []), *own]

    @property
    def has_arrays(self) -> bool:
        """Whether no array can have it."""
        return any(one.count < 0 for one in self.all_fields)

    @property
    def text(self) -> str:
        lines = [f"{one.text};" for one in self.fields]
        lines += [f"import {one.heads(defined=False)};" for one in self.methods]
        for one, static in self.attributes:
            lines.append(f"import {static}attribute {one.text};")
        extends = f" extends {self.base.name}" if self.base else ""
        managed = "managed " if self.managed else ""
        return (
            f"{managed}struct {self.name}{extends} {{\n"
            + "".join(f"  {line}\n" for line in lines)
            + "};\n"
        )


@dataclass
class Known:
    """What a script can use."""

    structs: dict[str, Struct] = field(default_factory=dict)
    variables: list[Field] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)

    def copy(self) -> Known:
        return Known(dict(self.structs), list(self.variables), list(self.functions))


class _Script:
    """Writes the header and the text of one script."""

    def __init__(self, random: Random, editor: str, number: int, known: Known) -> None:
        self.random = random
        release = tuple(map(int, editor.split(".")))
        self.has_loops = release >= _LOOPS
        self.has_static = release >= _STATIC
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

    # -------------------------------------------------------------------------------- declarations

    def pointer(self) -> str:
        """A type of pointers."""
        own = [f"{one.name}*" for one in self.known.structs.values() if one.managed]
        return self.random.choice(own) if own and self.chance() < 0.7 else self.pick(*_THINGS)

    def type(self) -> str:
        return self.pointer() if self.chance() < 0.25 else self.pick(*_VALUES)

    def fields(self) -> list[Field]:
        made = []
        for _ in range(self.random.randrange(1, 6)):
            type = self.type()
            count = self.pick(0, 0, 0, 2, 5, 20)
            if count == 0 and self.has_loops and type != "bool" and self.chance() < 0.1:
                count = -1
            made.append(Field(type, self.name("m"), count))
        return made

    def struct(self) -> Struct:
        """A struct, which may extend another."""
        managed = self.has_loops and self.chance() < 0.4
        made = Struct(self.name("S"), managed, [])
        bases = [one for one in self.known.structs.values() if one.managed == managed]
        if bases and self.chance() < (0.05 if managed else 0.3):
            made.base = self.random.choice(bases)
        self.known.structs[made.name] = made
        made.fields = self.fields()
        if managed and self.chance() < 0.5:
            made.fields.append(Field(f"{made.name}*", self.name("m"), self.pick(0, 0, 3)))
        for _ in range(self.pick(0, 0, 1, 2)):
            form = self.pick("", "", "static")
            made.methods.append(self.signature(made.name, form))
        if not managed or self.chance() < 0.5:
            for _ in range(self.pick(0, 0, 0, 1, 2)):
                count = self.pick(0, 0, -1)
                static = self.pick("", "", "static ") if self.has_static else ""
                type = self.pick("int", "bool", "float", "String", self.pointer())
                made.attributes.append((Field(type, self.name("A"), count), static))
        return made

    def signature(self, owner: str = "", form: str = "") -> Function:
        """The head of a function."""
        parameters = [Field(self.argument(), self.name("p")) for _ in range(self.pick(0, 1, 2, 3))]
        if self.has_loops and self.chance() < 0.1:
            parameters.append(Field("int", self.name("p"), -1))
        last = parameters[-1] if parameters else Field("", "")
        if last.type == "int" and not last.count and self.chance() < 0.3:
            parameters[-1] = replace(last, default=self.pick(" = 3", " = 0", "=-1"))
        result = self.pick("void", "int", "int", "bool", "float", "String", self.pointer())
        return Function(result, self.name("F"), tuple(parameters), owner, form)

    def argument(self) -> str:
        return self.pointer() if self.chance() < 0.4 else self.pick(*_VALUES)

    def variable(self) -> Field:
        """A variable outside of functions."""
        plain = [one for one in self.known.structs.values() if not one.managed]
        if plain and self.chance() < 0.4:
            return self.held(self.random.choice(plain), "v")
        type = self.type()
        count = self.pick(0, 0, 0, 4)
        if count == 0 and type not in ("bool",) and self.chance() < 0.1:
            count = -1
        return Field(type, self.name("v"), count)

    def held(self, struct: Struct, stem: str) -> Field:
        """A variable of a struct."""
        count = 0 if struct.has_arrays else self.pick(0, 0, 3, 10)
        return Field(struct.name, self.name(stem), count)

    # --------------------------------------------------------------------------------- expressions

    def places(self, wanted: frozenset[str], written: bool) -> str:
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
        held = [one.name for one in [*self.known.variables, *self.local]
                if one.type == type and one.count < 0]  # fmt: skip
        return self.random.choice(held) if held and self.chance() < 0.8 else "null"

    def call(self, wanted: frozenset[str] | None) -> str:
        """A call of a function with one of some results; "" if there is none."""
        functions = [one for one in self.known.functions if wanted is None or one.result in wanted]
        if functions and self.chance() < 0.6:
            function = self.random.choice(functions)
            head = {
                "": "", "this": self.value(f"{function.owner}*", 3),
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
            object = self.places(frozenset((made.name, f"{made.name}*")), False)
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
        if depth > 8:
            return self.literal(type, depth)
        same = frozenset(_NUMBERS) if type in _NUMBERS else frozenset((type,))
        kind = self.random.randrange(10 if depth < 3 else 5)
        if kind < 4:
            found = self.places(same, False)
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
            place = self.places(frozenset((type,)), False)
            if place:
                return f"{place} {self.pick('==', '!=')} {self.pick('null', 'null', place)}"
        if kind == 3:
            place = self.places(frozenset(("String",)), False)
            if place:
                return self.pick(f"{place} == {self.value('String', 2)}", f"{place} != null")
        if kind == 4:
            operator = self.pick("<", ">", "==", "<=")
            return f"{self.value('float', 2)} {operator} {self.value('float', 2)}"
        if kind == 5:
            place = self.places(frozenset(("bool",)), False)
            if place:
                return self.pick(place, f"!{place}", f"{place} == true")
        operator = self.pick("==", "!=", "<", ">", "<=", ">=")
        return f"{self.value('int', 1)} {operator} {self.value('int', 2)}"

    # ---------------------------------------------------------------------------------- statements

    def assignment(self) -> str:
        """An assignment; "" where no variable was found."""
        type = self.type()
        same = frozenset(("int", "short", "char")) if type in _NUMBERS[:3] else frozenset((type,))
        place = self.places(same, True)
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
                return f"{one.name} = new {one.type.rstrip('*')}[{self.size()}];"
        return self.pick(
            'Display("%d and %s", count, player.Name);', "Wait(1);", "cEgo.Walk(1, 2, eBlock);",
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
        count = self.pick(0, 0, 0, 0, 3)
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

    # ----------------------------------------------------------------------------------- functions

    def function(self, head: str, parameters: tuple[Field, ...], result: str,
                 this: Struct | None = None) -> str:  # fmt: skip
        """A function with a body."""
        self.local = list(parameters)
        self.this, self.result = this, result
        self.left = self.random.randrange(2, 14)
        text = self.body(0, False, False)
        if result != "void" and self.chance() < 0.8:
            text += f"\n{self.leaving()}"
        self.this = None
        return f"{head}\n{{{text}\n}}\n"

    def defined(self, function: Function, this: Struct | None) -> str:
        head = function.heads(defined=True)
        if not function.owner and self.chance() < 0.15:
            first, _, rest = head.partition(" ")
            star = "*" if rest[0] == "*" else ""
            head = f"{first}{star} noloopcheck {rest.lstrip('*')}"
        return self.function(head, function.parameters, function.result, this)

    def accessors(self, struct: Struct) -> str:
        """The functions behind the attributes of a struct."""
        text = ""
        for one, static in struct.attributes:
            first = f"static {struct.name}" if static else f"this {struct.name}*"
            this = None if static else struct
            index = (Field("int", self.name("p")),) if one.count else ()
            many = "i" if one.count else ""
            for verb, more in (("get", ()), ("set", (Field(one.type, self.name("p")),))):
                parameters = (*index, *more)
                result = one.type if verb == "get" else "void"
                shown = f"{result[:-1]} *" if result.endswith("*") else f"{result} "
                parts = ", ".join([first, *(p.text for p in parameters)])
                head = f"{shown}{verb}{many}_{one.name}({parts})"
                text += self.function(head, parameters, result, this)
        struct.ready.update(one.name for one, _ in struct.attributes)
        return text

    def texts(self, *, exporting: bool = True) -> tuple[str, str]:
        """The header and the text."""
        header, text, exports = "", "", ""
        known = self.known
        for _ in range(self.pick(1, 1, 2, 3) if exporting else 0):
            made = self.struct()
            header += made.text
            self.shared.structs[made.name] = made
        for _ in range(self.pick(0, 0, 1, 2)):
            text += self.struct().text
        for _ in range(self.random.randrange(1, 7)):
            one = self.variable()
            known.variables.append(one)
            text += f"{one.text};\n"
            public = one.type.rstrip("*") in self.shared.structs or one.type[0] != "S"
            public = public or one.type == "String"
            if exporting and public and self.chance() < 0.6:
                header += f"import {one.text};\n"
                exports += f"export {one.name};\n"
                self.shared.variables.append(one)
        text += exports
        functions = []
        for _ in range(self.random.randrange(1, 5)):
            form = self.pick("", "", "", "this", "class" if self.has_static else "this")
            owner = "Character" if form else ""
            functions.append(self.signature(owner, form))
        own = [one for name, one in known.structs.items() if name.startswith(f"S{self.number}_")]
        bodies = [("", one) for one in functions] + [
            (struct.name, method) for struct in own for method in struct.methods
        ]
        self.random.shuffle(bodies)
        for owner, function in bodies:
            is_static = function.form == "static"
            struct = known.structs[owner] if owner else None
            text += self.defined(function, None if is_static else struct)
            if struct is not None:
                struct.ready.add(function.name)
                continue
            plain = tuple(replace(parameter, default="") for parameter in function.parameters)
            known.functions.append(replace(function, parameters=plain))
            types = {function.result, *(p.type for p in function.parameters)}
            private = {name for name in known.structs if name not in self.shared.structs}
            if exporting and not private & {t.rstrip("*") for t in types} and self.chance() < 0.7:
                header += f"import {function.heads(defined=False)};\n"
                self.shared.functions.append(function)
        for struct in own:
            text += self.accessors(struct)
        return header, text


EVENTS: Final = (
    "game_start()",
    "repeatedly_execute()",
    "on_event(EventType event, int data)",
    "on_key_press(eKeyCode keycode)",
    "on_mouse_click(MouseButton button)",
)


def world(
    seed: int, editor: str, names: tuple[str, ...] = ("Module", "GlobalScript")
) -> dict[str, str]:
    """The scripts and headers of a game by the names of their files, and that of its room."""
    random = Random(seed)
    known = Known()
    files: dict[str, str] = {}
    for number, name in enumerate(names):
        script = _Script(random, editor, number, known)
        header, text = script.texts()
        for event in random.sample(EVENTS, random.randrange(3)):
            text += script.function(f"function {event}", (), "void")
        if name == "GlobalScript":
            text += "function iKey_Look() { }\nfunction ok(GUIControl *control, MouseButton button)"
            text += " { }\nfunction dialog_request(int param) { }\n"
        files[f"{name}.ash"], files[f"{name}.asc"] = header, text
    script = _Script(random, editor, len(names), known)
    _, text = script.texts(exporting=False)
    files["room1.asc"] = text + script.function("function room_Load()", (), "void")
    return files


def whole(seed: int, editor: str) -> str:
    """A script with what is declared in headers in it: structs of its own, and imports."""
    random = Random(seed)
    known = Known()
    other = _Script(random, editor, 0, known)
    header, _ = other.texts()
    script = _Script(random, editor, 1, known)
    own, text = script.texts()
    lines = [line for line in own.splitlines() if not line.startswith("import ")]
    head = "import GUI gMenu; import Dialog dTalk;\nint count; export count;\n"
    return head + header + "\n".join(lines) + "\n" + text
