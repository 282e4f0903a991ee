"""Random scripts with what authors write and few programs have: names that functions share in any
order, texts of all letters, numbers at their limits, readonly attributes, functions that return
arrays or extend structs of the game, pointers to heirs, and blocks with nothing in them:
``from ags_authored import authored, game``."""

from __future__ import annotations

from random import Random
from typing import Final

from ags_world_model import Field, Function, Known, Struct
from ags_worlds import ScriptWriter

_POOL: Final = ("i", "j", "value", "other_one", "name", "item", "text", "who", "data", "result",
                "next", "first", "last", "total", "w", "h", "buffer", "state")  # fmt: skip
_LIMITS: Final = ("2147483647", "-2147483647", "32767", "-32768", "65535", "255", "128", "-128",
                  "16777216", "'a'", "' '", "'9'", "0", "1000000", "-1")  # fmt: skip
_REALS: Final = ("0.1", "3.14159265", "-0.5", "123456789.0", "0.00001", "100000.5", "-1.0",
                 "16777217.0", "0.333333333", "1000000000000.0", "-0.0")  # fmt: skip
_TEXTS: Final = ('""', r'"a \"quoted\" word"', r'"back\\slash"', '"[new line[here"', r'"\[no line"',
                 '"100%% of %d"', '"// no comment"', '"/* nor this */"', "\"it's\"", '"&12 Hello"',
                 r'"tab\there"', r'"a\nb\r"', '" "', r'"\'"', '"%s"', r'"end\\"', r'"\\n"', r'"\q"',
                 '"{}"', '"' + "long " * 60 + '"')  # fmt: skip
_MANAGED: Final = (3, 4)
_LENGTH: Final = (3, 6, 2, 3)


class Author(ScriptWriter):
    """Writes scripts as authors do."""

    def __init__(self, random: Random, editor: str, number: int, known: Known) -> None:
        super().__init__(random, editor, number, known)
        self.taken: set[str] = set()
        self.has_length = tuple(map(int, editor.split("."))) >= _LENGTH
        self.letters = self.pick("", "", "ä", "éß", "Ω")
        self.arrays: dict[str, Function] = {}

    def name(self, stem: str) -> str:
        """Local variables and parameters share a few names."""
        if stem in "lip" and self.chance() < 0.8:
            used = self.taken | {one.name for one in self.local}
            free = [name for name in _POOL if name not in used]
            if free:
                name = self.random.choice(free)
                self.taken.add(name)
                return name
        return super().name(stem)

    def signature(self, owner: str = "", form: str = "") -> Function:
        self.taken, self.local = set(), []
        made = super().signature(owner, form)
        self.taken = set()
        return made

    def function(self, head: str, parameters: tuple[Field, ...], result: str,
                 this: Struct | None = None) -> str:  # fmt: skip
        self.taken = set()
        return super().function(head, parameters, result, this)

    # values

    def literal(self, type: str, depth: int) -> str:
        if self.chance() < 0.4:
            if type in ("int", "short", "char"):
                return self.random.choice(_LIMITS)
            if type == "float":
                return self.random.choice(_REALS)
            if type == "String":
                text = self.random.choice(_TEXTS)
                return text[:-1] + self.letters + '"' if self.letters and len(text) > 4 else text
        return super().literal(type, depth)

    def _value(self, type: str, depth: int) -> str:
        kind = self.random.randrange(24)
        if depth < 4:
            if kind == 0 and type == "float":
                return f"-({self.value('float', depth + 1)})"
            if kind == 0 and type in ("int", "short", "char"):
                return f"-({self.value('int', depth + 1)})"
            if kind == 1 and type in ("int", "bool"):
                inner = self.pick("int", "bool")
                return f"(!{self.bracketed(inner, depth + 1)})"
            if kind == 2 and type == "int":
                operator = self.pick("^", ">>", "|", "<=", ">=", "||", "%")
                return f"({self.value('int', depth + 1)} {operator} {self.value('int', depth + 1)})"
            if kind == 3 and type == "int":
                place = self.places(frozenset(("String",)))
                if place:
                    letter = f"{place}.Chars[{self.value('int', depth + 1)}]"
                    return self.pick(f"{place}.Length", letter)
            if kind == 4 and type == "int":
                rounding = self.pick("", ", eRoundDown", ", eRoundNearest", ", eRoundUp")
                return f"FloatToInt({self.value('float', depth + 1)}{rounding})"
            if kind == 5 and type == "int" and self.has_length:
                held = [one.name for one in [*self.known.variables, *self.local] if one.count < 0]
                if held:
                    return f"{self.random.choice(held)}.Length"
            if kind == 6 and type == "String":
                place = self.places(frozenset(("String",)))
                if place:
                    return self.pick(f"{place}.Append({self.value('String', depth + 1)})",
                                     f"{place}.Substring(0, {self.value('int', depth + 1)})",
                                     f"{place}.AppendChar('x')")  # fmt: skip
        if kind == 18:
            found = self._static(type)
            if found:
                return found
        found = self._heirs(type) if kind > 18 and type.endswith("*") else ""
        return found or super()._value(type, depth)

    def bracketed(self, type: str, depth: int) -> str:
        text = self.value(type, depth)
        return text if text.replace("_", "").replace(".", "").isalnum() else f"({text})"

    def _heirs(self, type: str) -> str:
        """A pointer to a struct that extends the one that is pointed to; "this" where it is one."""
        wanted = self.known.structs.get(type[:-1])
        if wanted is None:
            return ""
        heirs = [one for one in self.known.structs.values()
                 if one is not wanted and self._extends(one, wanted)]  # fmt: skip
        if self.this is not None and self._extends(self.this, wanted) and self.chance() < 0.5:
            return "this"
        if not heirs:
            return ""
        heir = self.random.choice(heirs)
        return self.places(frozenset((f"{heir.name}*",))) or f"new {heir.name}"

    def _static(self, type: str) -> str:
        """An attribute of a struct, without an object."""
        found = [
            f"{struct.name}.{one.name}" + (f"[{self.index(one.count)}]" if one.count else "")
            for struct in self.known.structs.values()
            for one, static in struct.attributes
            if static and one.type == type and one.name in struct.ready
        ]
        return self.random.choice(found) if found else ""

    def _extends(self, one: Struct, other: Struct) -> bool:
        at: Struct | None = one
        while at is not None:
            if at is other:
                return True
            at = at.base
        return False

    def array(self, type: str) -> str:
        functions = [one for one in self.arrays.values() if one.result == f"{type}[]"]
        if functions and self.chance() < 0.3:
            return f"{self.random.choice(functions).name}()"
        return super().array(type)

    def condition(self, depth: int = 0) -> str:
        if self.this is not None and self.this.managed and self.chance() < 0.1:
            other = self.places(frozenset((f"{self.this.name}*",)))
            if other:
                return f"this {self.pick('==', '!=')} {other}"
        if self.chance() < 0.08:
            held = [one.name for one in [*self.known.variables, *self.local] if one.count < 0]
            if held:
                return f"{self.random.choice(held)} {self.pick('==', '!=')} null"
        return super().condition(depth)

    # statements

    def simple(self) -> str:
        kind = self.random.randrange(14)
        if kind == 0:
            return f"Display({self.literal('String', 1)});"
        if kind == 1:
            first = self.random.choice(_TEXTS)
            return f"Display({first}, {self.value('int', 2)}, {self.value('float', 2)});"
        if kind == 2:
            arrays = [one for one in [*self.known.variables, *self.local] if one.count < 0]
            if arrays:
                one = self.random.choice(arrays)
                same = [two.name for two in arrays if two.type == one.type]
                value = self.pick("null", *same)
                return f"{one.name} = {value};"
        if kind == 3:
            place = self.places(frozenset(("float",)))
            if place and self.is_writable(place):
                return f"{place} {self.pick('-=', '+=')} {self.value('float', 1)};"
        return super().simple()

    def declaration(self) -> str:
        if self.chance() < 0.15:
            one, two = self.name("l"), ""
            type = self.pick("int", "char", "short", "float", "String", "bool")
            self.local.append(Field(type, one))
            two = self.name("l")
            value = self.value(type, 1)
            self.local.append(Field(type, two))
            return f"{type} {one}, {two} = {value};"
        if self.chance() < 0.1:
            type = self.pick("int", "char", "short", "String")
            made = Field(type, self.name("l"), self.pick(1, 50, 200))
            self.local.append(made)
            return f"{made.text};"
        return super().declaration()

    def body(self, depth: int, loop: bool, leave: bool) -> str:
        if depth and self.chance() < 0.12:
            return self.pick("", "\n", " // nothing", "\n/* nothing\n here */\n")
        return super().body(depth, loop, leave)

    def statement(self, depth: int, loop: bool, leave: bool) -> str:
        if self.chance() < 0.05:
            return self.pick("// a comment\n", "/* one\n two */", "\n\n") + self.simple()
        if self.chance() < 0.03 and depth < 3:
            return f"if ({self.condition()}) {{ }} else {self.braces(depth, loop, leave)}"
        if self.chance() < 0.03 and self.has_loops and depth < 3:
            return self.pick("for (;;) { break; }", f"while ({self.condition()}) {{}}",
                             f"do {{ }} while ({self.condition()});",
                             f"for (;{self.condition()};) {{ {self.simple()} }}")  # fmt: skip
        return super().statement(depth, loop, leave)

    # declarations

    def struct(self) -> Struct:
        made = super().struct()
        made.readonly = {one.name for one, _ in made.attributes if self.chance() < 0.3}
        if not made.managed and self.chance() < 0.1 and made.base is None:
            made.fields = []
            made.methods = made.methods or [self.signature(made.name)]
        return made

    def extended(self) -> str:
        return self.pick("Character", "GUI", "InventoryItem", *self.known.structs)

    def object(self, owner: str) -> str:
        made = self.known.structs.get(owner)
        if made is None or made.managed:
            text = super().object(owner)
            return "null" if text.startswith("new ") else text
        return self.places(frozenset((owner,))) or "null"

    def defined(self, function: Function, this: Struct | None) -> str:
        if function.form == "this":
            this = self.known.structs.get(function.owner)
        return super().defined(function, this)

    def assignment(self) -> str:
        text = super().assignment()
        return text if self.is_writable(text) else ""

    def is_writable(self, text: str) -> bool:
        """Whether the place that a text begins with is not readonly."""
        place, brackets = "", 0
        for letter in text:
            brackets += (letter == "[") - (letter == "]")
            if letter in " +-=;" and not brackets:
                break
            place += letter if not brackets else ""
        last = place.rpartition(".")[2].rstrip("]")
        return not any(last in one.readonly for one in self.known.structs.values())

    def more(self) -> str:
        count = self.pick(0, 0, 1, 2) if self.has_loops else 0
        return "".join(self.returning() for _ in range(count))

    def handler(self, head: str) -> str:
        """A function that only the game's data names."""
        parts = head.rstrip(")").partition("(")[2]
        listed = [part.replace(" *", "* ").rpartition(" ") for part in parts.split(", ") if part]
        numbers = ("int", "MouseButton", "eKeyCode", "EventType", "CursorMode")
        self.left = 3
        fields = tuple(Field("int" if type in numbers else type, name) for type, _, name in listed)
        return self.function(f"function {head}", fields, "void")

    def dialog(self) -> str:
        """The lines of a dialog, which call functions of the game's scripts."""
        self.local, self.this, self.result = [], None, "int"
        lines = ["@S"]
        for _ in range(self.random.randrange(1, 6)):
            call = self.call(None) or 'Display("nothing")'
            lines.append(
                self.pick("Ego: Hello.", f"  {call};", f"  if ({self.condition()}) {call};")
            )
        return "\n".join([*lines, "return", "@1", f"  {self.simple()}", "stop", ""])

    def returning(self) -> str:
        """A function that returns an array."""
        type = self.pick("int", "String", "float", self.pointer())
        name = self.name("F")
        self.taken, self.local = set(), []
        shown = f"{type[:-1]} *" if type.endswith("*") else type
        size = self.size()
        local = self.name("l")
        self.local = [Field(type, local, -1)]
        self.left, self.result = 4, "int"
        body = super().body(1, False, False).replace("return ", "count = ")
        self.arrays[name] = Function(f"{type}[]", name, ())
        return (f"{shown}[] {name}()\n{{\n{shown} {local}[] = new {type.rstrip('*')}[{size}];"
                f"{body}\nreturn {local};\n}}\n")  # fmt: skip


def authored(seed: int, editor: str) -> str:
    """A script with what is declared in headers in it."""
    random = Random(seed)
    known = Known()
    other = Author(random, editor, 0, known)
    header, _ = other.texts()
    script = Author(random, editor, 1, known)
    own, text = script.texts()
    lines = [line for line in own.splitlines() if not line.startswith("import ")]
    head = "import GUI gMenu; import Dialog dTalk;\nint count; export count;\n"
    return head + header + "\n".join(lines) + "\n" + text


_HANDLERS: Final = ("hDoor_Look()", "hDoor_Interact()", "oLamp_UseInv()", "region1_WalksOnto()",
                    "room_Load()", "room_AfterFadeIn()", "room_FirstLoad()", "room_RepExec()",
                    "hDoor_Look(Hotspot *theHotspot, CursorMode mode)",
                    "region1_Standing(Region *theRegion)")  # fmt: skip
#: What handles events of the game's own things.
_OWN: Final = ("cEgo_Look()", "cEgo_Interact(Character *theCharacter, CursorMode mode)",
               "iKey_Interact()", "late_repeatedly_execute_always()", "game_start()",
               "repeatedly_execute_always()", "on_mouse_click(MouseButton button)",
               "interface_click(int interface, int button)", "unhandled_event(int what, int type)",
               "on_key_press(eKeyCode keycode)", "on_event(EventType event, int data)")  # fmt: skip


def _versions(header: str, number: int, random: Random) -> str:
    """A header with constants, an enum, and parts for other editors and settings."""
    condition = random.choice(
        ("#ifver 2.72", "#ifnver 9.9", "#ifndef NEVER", "#ifdef AGS_SUPPORTS_IFVER")
    )
    return "\n".join([
        "#ifdef NEVER", "import int NotThere(int a);", "struct S0_1 { int wrong; };", "#endif",
        condition, f"#define LIMIT{number} 20", f'#define NAME{number} "Ego"',
        f"enum Mood{number} {{ eGlad{number}, eSad{number} = 7, eNone{number} = -1 }};",
        header, "#endif", "",
    ])  # fmt: skip


def game(
    seed: int, editor: str, rooms: int = 3, writer: type[Author] = Author
) -> tuple[dict[str, str], list[str]]:
    """The scripts and headers of a game with several rooms, by the names of their files, and the
    lines of dialogs, which call functions of the scripts."""
    random = Random(seed)
    known = Known()
    files: dict[str, str] = {}
    for number, name in enumerate(("Module", "GlobalScript")):
        script = writer(random, editor, number, known)
        header, text = script.texts()
        for event in random.sample(_OWN if name == "GlobalScript" else _OWN[3:6], 3):
            text += script.handler(event)
        if name == "GlobalScript":
            text += "function iKey_Look() { }\nfunction ok(GUIControl *control, MouseButton button)"
            text += " { }\nfunction dialog_request(int param) { }\n"
        files[f"{name}.ash"], files[f"{name}.asc"] = _versions(header, number, random), text
    for number in range(1, rooms + 1):
        script = writer(random, editor, number + 1, known)
        text = "".join(script.texts(exporting=False))
        for event in random.sample(_HANDLERS[:8], 3):
            text += script.handler(event)
        files[f"room{number}.asc"] = text
    speaker = Author(random, editor, 9, known)
    return files, [speaker.dialog() for _ in range(2)]
