"""Writes small programs in which few numbers may be names: literals of structs and arrays and what
is read of them, comparisons of constants, and tries in tries.

Whatever name the decompiler shows that the program lacks is a false one.
"""

from __future__ import annotations

import random
import re

_WORD = re.compile(r"[A-Za-z_]\w*")
_TEXT = re.compile(r'"[^"]*"')
_EMPTY_FINALLY = re.compile(r"finally\s*\{\s*\}")
#: words of the language that a decompiler may write for others
_WRITTEN = frozenset(("true", "false", "self", "begin", "end", "if", "else", "var", "exit"))


class NamesWriter:
    """Writes one program; the same seed writes the same program.

    ``structs``: whether the release has structs and tries.
    """

    def __init__(self, seed: int, *, structs: bool) -> None:
        self.random = random.Random(seed)
        self.structs = structs

    def program(self) -> str:
        """A whole entry."""
        return " ".join(self.statement(2) for _ in range(self.random.randint(2, 5)))

    def statement(self, depth: int) -> str:
        kinds = [self.compared, self.called]
        if self.structs:
            kinds += [self.stored, self.stored, self.read]
        if self.structs and depth and self.random.random() < 0.2:
            return self.tried(depth - 1)
        return self.random.choice(kinds)()

    def compared(self) -> str:
        """A comparison that the compilers work out."""
        sides = [self.random.choice(("true", "false", "1", "0", "2")) for _ in range(2)]
        return f"same{self.number()} = {sides[0]} {self.random.choice(('==', '!='))} {sides[1]};"

    def called(self) -> str:
        return f"show_debug_message(thing{self.number()});"

    def stored(self) -> str:
        return f"thing{self.number()} = {self.struct(3)};"

    def read(self) -> str:
        """A number that is read or written, through structs and arrays: as their fields are called,
        and elements of arrays, which are structs and numbers."""
        path = f"thing{self.number()}"
        for _ in range(self.random.randint(1, 3)):
            path += self.random.choice(
                (f".s{self.number()}", f".a{self.number()}[{self.number()}]")
            )
        path += f".n{self.number()}"
        value = self.random.choice((path, f"{path} + 1"))
        return self.random.choice((f"show_debug_message({value});", f"{path} = 5;"))

    def tried(self, depth: int) -> str:
        """A try with a catch, a finally part, or both, which may hold others."""
        parts = self.random.choice((("catch",), ("finally",), ("catch", "finally")))
        text = f"try {{ {self.statement(depth)} }}"
        for part in parts:
            head = "catch (problem)" if part == "catch" else "finally"
            text += f" {head} {{ {self.statement(depth)} }}"
        return text

    def number(self) -> int:
        return self.random.randrange(3)

    def struct(self, depth: int) -> str:
        fields = []
        for number in range(self.random.randint(1, 3)):
            kind = self.random.choice("nsa") if depth > 0 else "n"
            fields.append(f"{kind}{number}: {self.value(kind, depth - 1)}")
        return "{ " + ", ".join(fields) + " }"

    def value(self, kind: str, depth: int) -> str:
        """What a field has: a number, a struct, or an array of numbers and a struct or more."""
        if kind == "s":
            return self.struct(depth)
        if kind == "n":
            return str(self.random.randrange(5))
        kinds = [self.random.choice("nns") for _ in range(self.random.randrange(4))]
        elements = [self.value(kind, depth) for kind in (*kinds, "s")]
        self.random.shuffle(elements)
        return f"[{', '.join(elements)}]"


def false_names(source: str, text: str) -> set[str]:
    """The names that a text has and the source that it was made of lacks; ``finally`` for an empty
    part where the source has none."""
    known = words(source) | _WRITTEN
    found = {word for word in words(text) if word not in known}
    if _EMPTY_FINALLY.search(text) and not _EMPTY_FINALLY.search(source):
        found.add("finally")
    return found


def words(text: str) -> set[str]:
    return set(_WORD.findall(_TEXT.sub("", text)))
