"""The symbols that a name in a script can stand for, and the types of values.

A type of a value is a number: that of the named type, with flags for a pointer to it, a dynamic
array of it, and a constant of it.
"""

from __future__ import annotations

from typing import Final

from overhaul.ags.language.templates import Template

POINTER: Final = 1 << 28
ARRAY: Final = 1 << 27
CONST: Final = 1 << 26
NAMED: Final = CONST - 1

CHAR: Final = 1
FLOAT: Final = 2
INT: Final = 3
LONG: Final = 4
SHORT: Final = 5
STRING: Final = 6
VOID: Final = 7
NULL: Final = 8

LOCAL: Final = 1
GLOBAL: Final = 2
MEMBER: Final = 3


#: The steps of a path after its first one, and their use; the name of a member to read.
Key = tuple["int | Symbol", ...] | int | str


class Symbol:
    """A name that is declared."""

    __slots__ = ("name",)
    #: The members after the dot of a variable or a type so far.
    members: dict[str, Variable | Function] | None

    def __init__(self, name: str) -> None:
        self.name: str = name


class NamedType(Symbol):
    """A type: a basic one, an enum or a struct."""

    __slots__ = (
        "autoptr",
        "base",
        "builtin",
        "defined",
        "has_arrays",
        "managed",
        "members",
        "number",
        "pointers",
        "size",
        "struct",
        "templates",
    )

    def __init__(self, name: str, number: int, size: int, *, struct: bool = False) -> None:
        super().__init__(name)
        self.number: int = number
        self.size: int = size
        self.struct: bool = struct
        self.managed: bool = False
        self.autoptr: bool = False
        self.builtin: bool = False
        #: False for a struct that is only announced.
        self.defined: bool = True
        self.has_arrays: bool = False
        #: The number of the struct that it extends, or 0.
        self.base: int = 0
        #: Its own members that are pointers, to release with it.
        self.pointers: list[Variable] = []
        self.members = None
        self.templates: dict[Key, Template] | None = None


class Constant(Symbol):
    """A member of an enum."""

    __slots__ = ("value",)

    def __init__(self, name: str, value: int) -> None:
        super().__init__(name)
        self.value: int = value


class Variable(Symbol):
    """A variable, a parameter, or a struct's member; an attribute is a member with functions.

    ``offset`` is that in the global data, on the stack or in the struct, or an import's slot.
    """

    __slots__ = (
        "array",
        "buffer",
        "const",
        "count",
        "dynamic",
        "getter",
        "imported",
        "kind",
        "level",
        "members",
        "offset",
        "parameter",
        "pointer",
        "protected",
        "readonly",
        "setter",
        "simple",
        "size",
        "static",
        "templates",
        "this",
        "type",
        "writeprotected",
    )

    def __init__(self, name: str, kind: int, named: int, size: int) -> None:
        super().__init__(name)
        self.kind: int = kind
        self.type: int = named
        #: The size of one element.
        self.size: int = size
        self.offset: int = 0
        self.count: int = 1
        self.level: int = 0
        self.array: bool = False
        self.dynamic: bool = False
        self.pointer: bool = False
        self.imported: bool = False
        self.parameter: bool = False
        self.this: bool = False
        #: A number or a pointer in memory, which two instructions read.
        self.simple: bool = False
        #: An old string with its text on the stack.
        self.buffer: bool = False
        self.const: bool = False
        self.readonly: bool = False
        self.protected: bool = False
        self.writeprotected: bool = False
        self.static: bool = False
        #: The import slots of an attribute's functions, -1 for none.
        self.getter: int = -1
        self.setter: int = -1
        self.members = None
        #: The code of paths that begin with it and have no index.
        self.templates: dict[Key, Template] | None = None

    @property
    def attribute(self) -> bool:
        """Whether reading it is a call."""
        return self.getter >= 0

    @property
    def value_type(self) -> int:
        """The type of its value as a whole."""
        value = self.type
        if self.pointer:
            value |= POINTER
        if self.dynamic:
            value |= ARRAY
        return value


class Function(Symbol):
    """A function.

    ``address`` is its first code word or its import slot; ``parameters`` and ``defaults`` begin
    with the first parameter.
    """

    __slots__ = (
        "address",
        "defaults",
        "imported",
        "parameters",
        "protected",
        "result",
        "static",
        "variadic",
    )

    def __init__(self, name: str, result: int) -> None:
        super().__init__(name)
        self.result: int = result
        self.address: int = 0
        self.imported: bool = False
        self.static: bool = False
        self.protected: bool = False
        self.variadic: bool = False
        self.parameters: tuple[int, ...] = ()
        self.defaults: tuple[int | None, ...] = ()

    @property
    def count(self) -> int:
        """The number of its parameters as names of exports have it: 100 more for a variadic one."""
        return len(self.parameters) + (100 if self.variadic else 0)


def basic_types() -> list[NamedType]:
    """The types that need no declaration, by number; number 0 is not used."""
    sizes = (
        ("", 0),
        ("char", 1),
        ("float", 4),
        ("int", 4),
        ("long", 4),
        ("short", 2),
        ("string", 4),
        ("void", 0),
        ("null", 4),
    )
    return [NamedType(name, number, size) for number, (name, size) in enumerate(sizes)]
