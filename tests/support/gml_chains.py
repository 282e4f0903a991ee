"""Writes random programs with what :class:`gml_writer.Writer` writes rarely or never: chains of
accessors and indices, functions in structs and calls, numbers and texts of all spellings, loops
right inside loops.
"""

from __future__ import annotations

from gml_writer import Writer

_NAMES = ("self", "other", "global", "obj_wall", "target", "temp", "hp")
_INSTANCES = _NAMES[:4]
_VARIABLES = (
    "room_width", "view_current", "fps", "os_windows", "mb_left", "id", "object_index",
    "instance_count", "mouse_x", "keyboard_key", "working_directory",
)  # fmt: skip
_TEXTS = (
    '"\\t\\\\x"', '"\\x41"', '"a\'b"', ' @"it\'s"', '"\\r\\n"', '"%"', '"\\u4e2d"', " @'\"raw\"'",
)  # fmt: skip
_NUMBERS = (
    "0xFF", "0x7FFFFFFFFFFFFFFF", "0xFFFFFFFF", "1000000000000", "0.000001", "123456.789", "1.0",
    "-2147483648", "-2147483649", "2147483648", "-(-1)", "!1", "~0", "!true", "- -hp", "!!hp",
    "NaN", "infinity",
)  # fmt: skip
_NEW_NUMBERS = ("0b1010", "1_000_000", " #FF8800", " #000000")

_HEADS = (
    "", "", "", "if (a == undefined) { a = 1; } ", "static none; ", "static none; none = a; ",
    "if (argument0 == undefined) { argument0 = 1; } ", "self.pool = []; self.pool[0] = a; ",
    "static some = 1, none; self.some = a; some = none; ",
    "pool = []; pool[0] = a; self.pool[1] = 2; ",
)  # fmt: skip


class ChainWriter(Writer):
    """Writes one program; the same seed writes the same program."""

    def key(self) -> str:
        """An index."""
        return self.pick("i", "0", '"k"', "hp", "temp + 1", "irandom(3)", "list[| 0]", "-1")

    def link(self) -> str:
        """What a chain goes on with."""
        key = self.key()
        return self.pick(
            f"[| {key}]", f"[? {key}]", f"[# {key}, 1]", f"[$ {key}]", f"[{key}]", f"[@ {key}]",
            f"[{key}, 2]", ".hp", ".data",
        )  # fmt: skip

    def accessor(self, depth: int) -> str:
        links = self.random.randrange(4) if self.v2 else 0
        return super().accessor(depth) + "".join(self.link() for _ in range(links))

    def place(self, depth: int = 1) -> str:
        if not self.v2 or depth <= 0 or not self.chance(0.15):
            return super().place(depth)
        chain = self.pick(*_NAMES)
        for _ in range(self.random.randint(1, 4)):
            if chain in _INSTANCES or self.chance(0.4):
                chain += self.pick(".hp", ".data", ".list", ".x", ".image_index")
            else:
                key = self.key()
                chain += self.pick(
                    f"[{key}]", f"[| {key}]", f"[? {key}]", f"[$ {key}]", f".act({key}).q",
                    f".act()[{key}]",
                )  # fmt: skip
        return chain

    def constant(self) -> str:
        kind = self.random.randrange(30)
        if kind == 0 and self.gms2:
            return self.random.choice(_TEXTS)
        if kind == 1 and self.v2:
            return self.random.choice(_NUMBERS)
        if kind == 2 and self.dialect.template_strings:
            return self.random.choice(_NEW_NUMBERS)
        if kind == 3:
            return self.random.choice(_VARIABLES)
        return super().constant()

    def value(self, depth: int = 2) -> str:
        if depth <= 0 or self.budget <= 0 or not self.chance(0.12):
            return super().value(depth)
        less = depth - 1
        kind = self.random.randrange(12)
        if kind == 0:
            return (
                f"(({self.test(0)} && {self.test(0)}) ||"
                f" ({self.test(0)} && !({self.test(0)} || {self.test(0)})))"
            )
        if kind == 1:
            return f"({self.pick('-', '!', '~')}({self.pick('-', '!', '~')}(hp)))"
        if kind == 2:
            values = (self.value(0) for _ in range(self.random.randint(1, 17)))
            return f"choose({', '.join(values)})"
        if kind == 3 and self.gms2:
            inner = f"({self.name()} ? {self.value(less)} : {self.value(0)})"
            return f"(({self.test(0)}) ? {inner} : {self.value(0)})"
        if kind == 4 and self.gms2:
            inner = f"(({self.test(0)}) ? {self.value(0)} : {self.value(0)})"
            return f"({self.test(1)} ? {self.value(less)} : {inner})"
        return self._new_value(kind, less) if self.v2 else super().value(depth)

    def _new_value(self, kind: int, less: int) -> str:
        """A value that 2.3 and later have."""
        if kind == 5:
            parameters, given = self.pick("", "q", "q = 1"), self.pick("", "1")
            return f"(function({parameters}) {{ return {self.value(less)}; }})({given})"
        if kind == 6:
            owner = self.pick("self", "other", "undefined", "{ }", "{ a: hp }")
            return f"method({owner}, {self.function_text('', less)})"
        if kind == 7:
            inner = f"{{ d: {self.value(0)}, e: [{self.value(0)}, {{ f: {self.name()} }}] }}"
            return f"({{ a: {self.value(0)}, b: {self.function_text('', less)}, c: {inner} }})"
        if kind == 8:
            return f"[[{self.value(0)}, [{self.value(0)}]], [], {self.value(less)}]"
        if kind == 9 and self.dialect.nullish_operator:
            return f"({self.value(0)} ?? {self.value(0)} ?? {self.value(less)})"
        if kind == 10 and self.dialect.template_strings:
            field = self.pick("temp + 1", "list[0][1]", "scr_move(hp, 2)", "(hp ? 1 : 2)")
            return f'$"{{hp}}{{{field}}}\\n{{y}}"'
        return f"({self.name()} == {self.pick('self', 'other', 'noone', 'undefined')})"

    def statement(self, depth: int) -> str:
        if depth <= 0 or self.budget <= 0 or not self.chance(0.14):
            return super().statement(depth)
        less = depth - 1
        kind = self.random.randrange(11)
        if kind == 0:
            text = f"if ({self.test()}) {self.body(less)}"
            for _ in range(self.random.randint(1, 5)):
                text += f" else if ({self.test(0)}) {self.body(0)}"
            return text + (f" else {self.body(less)}" if self.chance(0.5) else "")
        if kind == 1:
            head = f"var k = 0, m = {self.value(0)}; k < m; k += 1"
            return f"for ({head}) {self.inside(less, True)}"
        if kind == 2:
            inner = f"with ({self.instance(1)}) {self.inside(less, True)}"
            return f"with ({self.instance(1)}) {{ {inner} {self.simple()} }}"
        if kind == 3:
            return self._fall_through(less)
        if kind == 4:
            inner = f"{{ {self.simple() if self.v2 and not self.final else 'hp += 1;'} }}"
            return f"repeat ({self.value(0)}) repeat ({self.value(0)}) {inner}"
        if kind == 5:
            return f"{self.place(2)} = {self.place(2)};"
        if kind == 6:
            return f"if ({self.test(0)}) {{}} else {{ {self.statements(2, less)} }}"
        if kind == 7:
            leave = f"if ({self.test(0)}) break;"
            return (
                f"while (true) {{ {self.statements(1, less)} {leave} {self.statements(1, less)} }}"
            )
        if kind == 8:
            ways = f"if ({self.test(0)}) continue; if ({self.test(0)}) break;"
            return f"do {{ {ways} hp += 1; }} until ({self.test(0)});"
        return self._declaration(kind, less) if self.v2 else super().statement(depth)

    def _fall_through(self, less: int) -> str:
        """A ``switch`` whose default part goes on into another."""
        label = self.pick("3", "Kind.large", "-5", "Kind.small", self.test(1), f"!({self.test(0)})")
        if self.v2 and self.chance(0.1):
            label = f"function() {{ if ({self.test(0)}) return {self.value(1)}; }}"
        self.breakable += 1
        parts = (
            f"case 1: case 2: {self.statements(1, less)} break;"
            f" default: {self.statements(1, less)}"
            f" case {label}: {{ {self.statements(2, less)} break; }}"
        )
        self.breakable -= 1
        return f"switch ({self.value(0)}) {{ {parts} }}"

    def _declaration(self, kind: int, less: int) -> str:
        """A constructor or a function with statics that have functions."""
        self.functions += 1
        name = f"helper{self.functions}"
        around = self.breakable, self.loops, self.final, self.tries
        self.breakable, self.loops, self.final, self.tries = 0, 0, False, 0
        inside = self.pick(*_HEADS) + self.statements(1, less)
        self.breakable, self.loops, self.final, self.tries = around
        if kind == 9:
            return (
                f"function {name}(a, b = {self.value(0)}, c = a) constructor {{"
                f" static make = function(q) {{ return new {name}(q); }};"
                f" static n = 0; self.a = a; hp = b; {inside}"
                " static next = function() { n++; return self; }; }"
            )
        return (
            f"function {name}(a = {self.value(0)}) {{ static s = {self.value(0)}; {inside}"
            " var h = function(z) { static t = []; return z; }; return h(a); }"
        )


__all__ = ["ChainWriter"]
