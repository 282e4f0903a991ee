"""Random scripts of managed structs that extend each other, with fields and methods that other
scripts of the tests lack: ``from ags_kin import kin``.

Objects of a struct are put where a struct that it extends is expected: in variables, fields,
arrays, arguments and results.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Final

_NUMBERS: Final = ("int", "int", "String", "float")


@dataclass
class Member:
    """A field: its type, name, and number of elements (0: it is no array)."""

    type: str
    name: str
    count: int

    @property
    def text(self) -> str:
        """The declaration."""
        array = f"[{self.count}]" if self.count else ""
        return f"{self.type} {self.name}{array};"

    @property
    def struct(self) -> int | None:
        """The number of the struct that it points to."""
        return int(self.type[1:-2]) if self.type.endswith("*") else None


@dataclass
class Called:
    """A method, or a function: its name, the struct that its parameter points to (-1: a number),
    the struct that has it (-1: none), and the one that its result points to (-1: a number)."""

    name: str
    parameter: int
    owner: int = -1
    result: int = -1


@dataclass
class Kind:
    """A struct: the one that it extends (-1: none), its fields and methods."""

    base: int
    members: list[Member]
    methods: list[Called] = field(default_factory=list)


class Family:
    """Writes a script of a few structs."""

    def __init__(self, random: Random) -> None:
        self.random = random
        count = random.randrange(2, 5)
        self.kinds = [self._kind(number) for number in range(count)]
        for number, kind in enumerate(self.kinds):
            kind.methods = [
                Called(f"F{number}{place}", random.choice((-1, random.randrange(count))), number)
                for place in range(random.randrange(3))
            ]
        self.arrays = {number for number in range(count) if random.random() < 0.33}
        self.functions = [
            Called(f"H{place}", random.randrange(count), -1, random.choice((-1, number)))
            for place, number in enumerate(random.choices(range(count), k=random.randrange(1, 4)))
        ]
        #: The functions that are written, and the pointers that the one at hand has.
        self.written: list[Called] = []
        self.pointers: list[tuple[str, int]] = []

    def _kind(self, number: int) -> Kind:
        pick = self.random.choice
        base = pick((-1, *range(number), number - 1, number - 1)) if number else -1
        types = [pick((*_NUMBERS, f"S{self.random.randrange(number + 1)} *"))
                 for _ in range(self.random.randrange(1, 4))]  # fmt: skip
        counts = [pick((0, 0, 0, 2, 3)) for _ in types]
        rows = enumerate(zip(types, counts, strict=True))
        return Kind(base, [Member(type, f"m{number}{at}", count) for at, (type, count) in rows])

    def lineage(self, number: int) -> Iterator[int]:
        """A struct, and those that it extends."""
        while number >= 0:
            yield number
            number = self.kinds[number].base

    def members(self, number: int) -> list[Member]:
        """The fields that objects of a struct have."""
        return [member for one in self.lineage(number) for member in self.kinds[one].members]

    # --- values

    def kept(self, number: int, index: str = "count") -> str:
        """The variable for a struct."""
        return f"g{number}[{index}]" if number in self.arrays else f"g{number}"

    def pointer(self, wanted: int, depth: int = 0) -> str:
        """A pointer to an object of a struct."""
        if self.random.random() < 0.08:
            return "null"
        heirs = [one for one in range(len(self.kinds)) if wanted in self.lineage(one)]
        one = self.random.choice(heirs)
        ways = [f"new S{one}", self.kept(one)]
        ways += [name for name, number in self.pointers if wanted in self.lineage(number)] * 2
        if depth < 2:
            ways += [
                f"{name}.{member.name}" + ("[1]" if member.count else "")
                for name, number in self.pointers
                for member in self.members(number)
                if member.struct is not None and wanted in self.lineage(member.struct)
            ]
            ways += [
                f"{called.name}({self.pointer(called.parameter, depth + 1)})"
                for called in self.written
                if called.owner < 0 and wanted in self.lineage(called.result)
            ]
        return self.random.choice(ways)

    def object(self) -> tuple[str, int]:
        """Something that points to an object, and its struct."""
        return self.random.choice(
            [*self.pointers, *((self.kept(one, "1"), one) for one in range(len(self.kinds)))]
        )

    def number(self) -> str:
        """A number: a field of an object, or what a method gives."""
        name, struct = self.object()
        ways = ["count", "2"]
        for member in self.members(struct):
            if member.type == "int":
                ways += [f"{name}.{member.name}" + ("[count]" if member.count else "")] * 2
        for called in self.written:
            argument = "count" if called.parameter < 0 else self.pointer(called.parameter)
            if called.owner in self.lineage(struct):
                ways.append(f"{name}.{called.name}({argument})")
            elif called.owner < 0 and called.result < 0:
                ways.append(f"{called.name}({argument})")
        return self.random.choice(ways)

    # --- statements

    def statement(self) -> str:
        """A statement, which may declare a pointer."""
        way = self.random.randrange(8)
        one = self.random.randrange(len(self.kinds))
        if way < 3:
            return self.changed()
        if way == 3:
            name, value = f"l{len(self.pointers)}", self.pointer(one)
            self.pointers.append((name, one))
            return f"S{one} *{name} = {value};"
        known = [each for each in self.pointers if each[0] != "this"]
        if way == 4 and known:
            name, one = self.random.choice(known)
            return f"{name} = {self.pointer(one)};"
        if way == 5:
            return f"{self.kept(one)} = {self.pointer(one)};"
        if way == 6:
            (first, struct), (second, other) = self.object(), self.object()
            if other in self.lineage(struct):
                return f"if ({first} == {second}) count++;"
        return f"count += {self.number()};"

    def changed(self) -> str:
        """A field gets a value."""
        name, struct = self.object()
        member = self.random.choice(self.members(struct))
        if member.struct is not None:
            value = self.pointer(member.struct)
        else:
            value = {"int": self.number(), "float": "1.5", "String": '"x"'}[member.type]
        return f"{name}.{member.name}{'[count]' if member.count else ''} = {value};"

    # --- the script

    def body(self, called: Called) -> str:
        """The text of a function."""
        self.pointers = [] if called.parameter < 0 else [("p", called.parameter)]
        self.pointers += [("this", called.owner)] * (3 if called.owner >= 0 else 0)
        lines = [self.statement() for _ in range(self.random.randrange(1, 7))]
        value = self.number() if called.result < 0 else self.pointer(called.result)
        parameter = "int p" if called.parameter < 0 else f"S{called.parameter} *p"
        result = "int " if called.result < 0 else f"S{called.result} *"
        owner = "" if called.owner < 0 else f"S{called.owner}::"
        text = "\n  ".join([*lines, f"return {value};"])
        return f"{result}{owner}{called.name}({parameter})\n{{\n  {text}\n}}\n"

    def declared(self, number: int) -> str:
        """The declaration of a struct."""
        kind = self.kinds[number]
        lines = [member.text for member in kind.members]
        for called in kind.methods:
            parameter = "int p" if called.parameter < 0 else f"S{called.parameter} *p"
            lines.append(f"import int {called.name}({parameter});")
        base = "" if kind.base < 0 else f" extends S{kind.base}"
        return f"managed struct S{number}{base} {{\n  " + "\n  ".join(lines) + "\n};\n"

    def text(self) -> str:
        """The script."""
        numbers = range(len(self.kinds))
        text = "".join(f"managed struct S{number};\n" for number in numbers)
        text += "".join(map(self.declared, numbers))
        for number in numbers:
            text += f"S{number} *g{number}{'[3]' if number in self.arrays else ''};\n"
        text += "int count;\n"
        todo = [*self.functions, *(called for kind in self.kinds for called in kind.methods)]
        self.random.shuffle(todo)
        for called in todo:
            text += self.body(called)
            self.written.append(called)
        return text


def kin(seed: int, editor: str) -> str:
    """A script of managed structs, for an editor since 3.4."""
    assert tuple(map(int, editor.split("."))) >= (3, 4)
    return Family(Random(seed)).text()
