"""Random games of several scripts that share structs, variables and functions, and single scripts
with all kinds of declarations: ``from ags_worlds import world, whole``."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

from ags_world_code import ENUMS, Code
from ags_world_model import Field, Function, Known, Struct


class ScriptWriter(Code):
    """Writes the header and the text of one script."""

    # -------------------------------------------------------------------------------- declarations

    def fields(self) -> list[Field]:
        made = []
        for _ in range(self.random.randrange(1, 6)):
            type = self.type()
            count = self.counted(type, self.pick(0, 0, 0, 2, 5, 20))
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
            count = 0 if made.has_arrays else self.pick(0, 0, 3)
            made.fields.append(Field(f"{made.name}*", self.name("m"), count))
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
        values = () if last.count else self.defaults(last.type)
        if values and self.chance() < 0.3:
            parameters[-1] = replace(last, default=self.pick(*values))
        result = self.pick("void", "int", "int", "bool", "float", "String", self.pointer())
        if self.gives_arrays and result not in ("void", "bool") and self.chance() < 0.15:
            result += "[]"
        return Function(result, self.name("F"), tuple(parameters), owner, form)

    def defaults(self, type: str) -> tuple[str, ...]:
        """The default values that a parameter can have."""
        if type in ENUMS:
            return tuple(f" = {name}" for name in ENUMS[type])
        if type.endswith("*"):
            return (" = 0", " = null")
        numbers = {"int": (" = 3", " = 0", "=-1"), "bool": (" = true", " = false"),
                   "float": (" = 1.5", " = -2.0", " = 0")}  # fmt: skip
        return numbers.get(type, ())

    def variable(self) -> Field:
        """A variable outside of functions."""
        plain = [one for one in self.known.structs.values() if not one.managed]
        if plain and self.chance() < 0.4:
            return self.held(self.random.choice(plain), "v")
        type = self.type()
        count = self.counted(type, self.pick(0, 0, 0, 4))
        if count == 0 and type not in ("bool",) and self.chance() < 0.1:
            count = -1
        return Field(type, self.name("v"), count)

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
            ways = [("get", ()), ("set", (Field(one.type, self.name("p")),))]
            for verb, more in ways[: 1 if one.name in struct.readonly else 2]:
                parameters = (*index, *more)
                result = one.type if verb == "get" else "void"
                shown = f"{result[:-1]} *" if result.endswith("*") else f"{result} "
                parts = ", ".join([first, *(p.text for p in parameters)])
                head = f"{shown}{verb}{many}_{one.name}({parts})"
                text += self.function(head, parameters, result, this)
        struct.ready.update(one.name for one, _ in struct.attributes)
        return text

    def more(self) -> str:
        """What stands in front of the functions."""
        return ""

    def extended(self) -> str:
        """The struct that a function extends."""
        return "Character"

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
        text += exports + self.more()
        functions = []
        for _ in range(self.random.randrange(1, 5)):
            form = self.pick("", "", "", "this", "class" if self.has_static else "this")
            owner = self.extended() if form else ""
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
            types = {function.owner, function.result, *(p.type for p in function.parameters)}
            private = {name for name in known.structs if name not in self.shared.structs}
            if exporting and not private & {t.rstrip("*[]") for t in types} and self.chance() < 0.7:
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
        script = ScriptWriter(random, editor, number, known)
        header, text = script.texts()
        for event in random.sample(EVENTS, random.randrange(3)):
            text += script.function(f"function {event}", (), "void")
        if name == "GlobalScript":
            text += "function iKey_Look() { }\nfunction ok(GUIControl *control, MouseButton button)"
            text += " { }\nfunction dialog_request(int param) { }\n"
        files[f"{name}.ash"], files[f"{name}.asc"] = header, text
    script = ScriptWriter(random, editor, len(names), known)
    _, text = script.texts(exporting=False)
    files["room1.asc"] = text + script.function("function room_Load()", (), "void")
    return files


def whole(seed: int, editor: str) -> str:
    """A script with what is declared in headers in it: structs of its own, and imports."""
    random = Random(seed)
    known = Known()
    other = ScriptWriter(random, editor, 0, known)
    header, _ = other.texts()
    script = ScriptWriter(random, editor, 1, known)
    own, text = script.texts()
    lines = [line for line in own.splitlines() if not line.startswith("import ")]
    head = "import GUI gMenu; import Dialog dTalk;\nint count; export count;\n"
    return head + header + "\n".join(lines) + "\n" + text
