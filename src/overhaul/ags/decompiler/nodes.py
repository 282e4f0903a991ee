"""The tree of a function: expressions, the places they read, and statements.

Nodes say what the code does; types and names are found later
(:mod:`overhaul.ags.decompiler.types`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from overhaul.ags.decompiler.cells import CellItem

#: How deep an expression may be.
DEEPEST: Final = 120


class Variable:
    """A local variable or parameter: where it lies on the stack, and its bytes."""

    __slots__ = (
        "freed", "function", "is_bare", "is_parameter", "is_struct", "item", "name", "number",
        "offset", "pointer", "size", "width",
    )  # fmt: skip

    def __init__(self, function: int, number: int, offset: int, size: int, parameter: bool) -> None:
        self.function: int = function
        self.number: int = number
        self.offset: int = offset
        self.size: int = size
        self.is_parameter: bool = parameter
        self.pointer: str = ""
        """``p`` for a pointer, ``a`` for a dynamic array, ``?`` for one of them."""
        self.freed: list[tuple[int, int]] = []
        """Where pointers in it are released, in order: the offset of each, and how many follow."""
        self.is_struct: bool = False
        """Its pointers are released as those of a struct are."""
        self.is_bare: bool = False
        """Its pointers are released as those of an array of pointers, or as a lone one."""
        self.width: int = 4
        self.item: CellItem | None = None
        self.name: str = ""


# ------------------------------------------------------------------------------------ expressions


class Expression:
    """A value.  ``depth`` is that of its tree."""

    __slots__ = ("depth",)

    def __init__(self) -> None:
        self.depth: int = 1


class Constant(Expression):
    """A number as the code has it: an int, the bits of a float, ``null``."""

    __slots__ = ("value",)

    def __init__(self, value: int) -> None:
        self.depth = 1
        self.value: int = value


class Text(Expression):
    """A text of the string table, by its offset."""

    __slots__ = ("offset",)

    def __init__(self, offset: int) -> None:
        self.depth = 1
        self.offset: int = offset


class Reference(Expression):
    """The address of a function: of this script (``own``), or an import's slot."""

    __slots__ = ("own", "value")

    def __init__(self, own: bool, value: int) -> None:
        self.depth = 1
        self.own: bool = own
        self.value: int = value


class This(Expression):
    """The object that a method is called of."""

    __slots__ = ()


class Load(Expression):
    """The value at a place: 1, 2 or 4 bytes, ``p`` a pointer, ``a`` a dynamic array."""

    __slots__ = ("how", "place")

    def __init__(self, place: MemoryPlace, how: str) -> None:
        self.depth: int = place.depth
        self.place: MemoryPlace = place
        self.how: str = how


class Address(Expression):
    """A struct or array itself: the object of a call."""

    __slots__ = ("place",)

    def __init__(self, place: MemoryPlace) -> None:
        self.depth: int = place.depth
        self.place: MemoryPlace = place


class Binary(Expression):
    """An operator and two values; ``turned``: as compound assignment works."""

    __slots__ = ("is_float", "left", "operator", "right", "turned")

    def __init__(
        self, operator: str, left: Expression, right: Expression, is_float: bool, turned: bool
    ) -> None:
        self.depth: int = 1 + max(left.depth, right.depth)
        self.operator: str = operator
        self.left: Expression = left
        self.right: Expression = right
        self.is_float: bool = is_float
        self.turned: bool = turned


class Unary(Expression):
    """``-`` or ``!`` of a value."""

    __slots__ = ("is_float", "operator", "value")

    def __init__(self, operator: str, value: Expression, is_float: bool = False) -> None:
        self.depth: int = 1 + value.depth
        self.operator: str = operator
        self.value: Expression = value
        self.is_float: bool = is_float


class Step(Expression):
    """A value that ``++`` or ``--`` changes; it is never part of an expression."""

    __slots__ = ("is_float", "operator", "value")

    def __init__(self, operator: str, value: Expression, is_float: bool) -> None:
        self.depth: int = 1 + value.depth
        self.operator: str = operator
        self.value: Expression = value
        self.is_float: bool = is_float


class Call(Expression):
    """A call; ``target`` is a function of this script or an import.

    ``via`` is the variable by which a static method is named, if it is not the struct.
    """

    __slots__ = ("arguments", "object", "target", "via")

    def __init__(
        self,
        target: Reference,
        object: Expression | None,
        arguments: list[Expression],
        via: Expression | None,
    ) -> None:
        depth = object.depth if object is not None else 0
        for argument in arguments:
            depth = max(depth, argument.depth)
        self.depth: int = 1 + depth
        self.target: Reference = target
        self.object: Expression | None = object
        self.arguments: list[Expression] = arguments
        self.via: Expression | None = via


class Property(Expression):
    """An attribute, read or written; ``object`` is None for a static one (``via``: see Call)."""

    __slots__ = ("index", "name", "object", "owner", "target", "via")

    def __init__(
        self,
        target: Reference,
        object: Expression | None,
        index: Expression | None,
        owner: str,
        name: str,
        via: Expression | None,
    ) -> None:
        self.depth: int = 1 + max(
            object.depth if object is not None else 0, index.depth if index is not None else 0
        )
        self.target: Reference = target
        self.object: Expression | None = object
        self.index: Expression | None = index
        self.owner: str = owner
        self.name: str = name
        self.via: Expression | None = via


class New(Expression):
    """``new T``: the bytes of its struct."""

    __slots__ = ("size",)

    def __init__(self, size: int) -> None:
        self.depth = 1
        self.size: int = size


class NewArray(Expression):
    """``new T[count]``: the bytes of an element, and whether elements are pointers."""

    __slots__ = ("count", "managed", "size")

    def __init__(self, count: Expression, size: int, managed: bool) -> None:
        self.depth: int = 1 + count.depth
        self.count: Expression = count
        self.size: int = size
        self.managed: bool = managed


class MakeString(Expression):
    """A text that becomes a String."""

    __slots__ = ("value",)

    def __init__(self, value: Expression) -> None:
        self.depth: int = 1 + value.depth
        self.value: Expression = value


class AsText(Expression):
    """A String that is given where a text is expected."""

    __slots__ = ("value",)

    def __init__(self, value: Expression) -> None:
        self.depth: int = 1 + value.depth
        self.value: Expression = value


# ----------------------------------------------------------------------------------------- places


class Index:
    """An index: what it is, the bytes of an element, the number of elements (0: not known), and
    whether the code indexes pointers."""

    __slots__ = ("bound", "of_pointers", "stride", "value")

    def __init__(
        self, value: Expression, stride: int, bound: int, of_pointers: bool = False
    ) -> None:
        self.value: Expression = value
        self.stride: int = stride
        self.bound: int = bound
        self.of_pointers: bool = of_pointers


#: How a place is used that a member is called of.
OBJECT: Final = "o"
GLOBAL, IMPORT, LOCAL, POINTER, ELEMENTS = "global", "import", "local", "pointer", "elements"


class MemoryPlace:
    """A place in memory: ``kind`` of base and the base, bytes from it, and indexes.

    The base is nothing (GLOBAL; a CellItem, where several variables begin there), the slot of an
    import, a Variable, the pointer's value (POINTER) or a dynamic array's value (ELEMENTS).
    """

    __slots__ = ("base", "checked", "depth", "indexes", "kind", "offset")

    def __init__(
        self,
        kind: str,
        base: Variable | Expression | CellItem | int | None,
        offset: int,
        indexes: tuple[Index, ...] = (),
    ) -> None:
        depth = base.depth if isinstance(base, Expression) else 0
        for index in indexes:
            depth = max(depth, index.value.depth)
        self.depth: int = 1 + depth
        self.kind: str = kind
        self.base: Expression | Variable | CellItem | int | None = base
        self.offset: int = offset
        self.indexes: tuple[Index, ...] = indexes
        self.checked: bool = True

    def moved(self, by: int) -> MemoryPlace:
        """The place a number of bytes on."""
        place = MemoryPlace(self.kind, self.base, self.offset + by, self.indexes)
        place.checked = self.checked
        return place

    def indexed(self, indexes: tuple[Index, ...], *, first: bool) -> MemoryPlace:
        """The place with indexes added, before those it has or behind them."""
        both = indexes + self.indexes if first else self.indexes + indexes
        return MemoryPlace(self.kind, self.base, self.offset, both)


# ------------------------------------------------------------------------------------- statements


class Statement:
    """A statement: the line it begins in, and whether the code says so."""

    __slots__ = ("line", "marked")

    def __init__(self, line: int, marked: bool) -> None:
        self.line: int = line
        self.marked: bool = marked


class Declare(Statement):
    """The declaration of a local variable."""

    __slots__ = ("value", "variable")

    def __init__(
        self, line: int, marked: bool, variable: Variable, value: Expression | None
    ) -> None:
        self.line, self.marked = line, marked
        self.variable: Variable = variable
        self.value: Expression | None = value


class Assign(Statement):
    """``target operator value``, the operator ``=``, ``+=`` and so on."""

    __slots__ = ("how", "is_float", "operator", "target", "value")

    def __init__(
        self,
        line: int,
        marked: bool,
        target: MemoryPlace | Property,
        operator: str,
        value: Expression,
        how: str,
        is_float: bool,
    ) -> None:
        self.line, self.marked = line, marked
        self.target: MemoryPlace | Property = target
        self.operator: str = operator
        self.value: Expression = value
        self.how: str = how
        self.is_float: bool = is_float


class Increase(Statement):
    """``target++`` or ``target--``."""

    __slots__ = ("how", "is_float", "operator", "target")

    def __init__(
        self,
        line: int,
        marked: bool,
        target: MemoryPlace | Property,
        operator: str,
        how: str,
        is_float: bool,
    ) -> None:
        self.line, self.marked = line, marked
        self.target: MemoryPlace | Property = target
        self.operator: str = operator
        self.how: str = how
        self.is_float: bool = is_float


class Evaluate(Statement):
    """A call."""

    __slots__ = ("value",)

    def __init__(self, line: int, marked: bool, value: Expression) -> None:
        self.line, self.marked = line, marked
        self.value: Expression = value


class Block:
    """Statements in braces: the line of the closing one (0: not known) and, where variables end,
    the order in which their pointers are released."""

    __slots__ = ("end", "released", "statements")

    def __init__(self, statements: list[Statement], end: int) -> None:
        self.statements: list[Statement] = statements
        self.end: int = end
        self.released: list[Variable] = []


class Braces(Statement):
    """A block as a statement."""

    __slots__ = ("body",)

    def __init__(self, line: int, marked: bool, body: Block) -> None:
        self.line, self.marked = line, marked
        self.body: Block = body


class If(Statement):
    """``if``, perhaps with ``else``."""

    __slots__ = ("condition", "otherwise", "then")

    def __init__(
        self, line: int, marked: bool, condition: Expression, then: Block, otherwise: Block | None
    ) -> None:
        self.line, self.marked = line, marked
        self.condition: Expression = condition
        self.then: Block = then
        self.otherwise: Block | None = otherwise


class While(Statement):
    """``while``, or ``for`` with what it has besides the condition.

    ``is_endless``: the head of ``for`` has no condition; the code has 1.
    """

    __slots__ = ("body", "condition", "first", "is_endless", "is_for", "next")

    def __init__(self, line: int, marked: bool, condition: Expression, body: Block) -> None:
        self.line, self.marked = line, marked
        self.condition: Expression = condition
        self.body: Block = body
        self.is_for: bool = False
        self.is_endless: bool = False
        self.first: Statement | None = None
        self.next: Statement | None = None


class Do(Statement):
    """``do … while``; ``last`` is the line of the condition (0: not known)."""

    __slots__ = ("body", "condition", "last")

    def __init__(
        self, line: int, marked: bool, body: Block, condition: Expression, last: int
    ) -> None:
        self.line, self.marked = line, marked
        self.body: Block = body
        self.condition: Expression = condition
        self.last: int = last


class Label(NamedTuple):
    """``case``, or ``default`` where ``value`` is None, and its line (0: not known); ``brace`` is
    the line in which the braces of an empty block before it close (0: there is none)."""

    value: Expression | None
    line: int
    brace: int = 0


class Case:
    """Labels, and what follows them; ``brace`` is the line of a closing brace behind that (0: not
    known), and ``joined`` says that all braces that close in it stand in the line of its last
    code."""

    __slots__ = ("body", "brace", "joined", "labels")

    def __init__(self, labels: list[Label], body: Block) -> None:
        self.brace: int = 0
        self.joined: bool = False
        self.labels: list[Label] = labels
        self.body: Block = body


class Switch(Statement):
    """``switch``."""

    __slots__ = ("cases", "end", "is_text", "value")

    def __init__(
        self,
        line: int,
        marked: bool,
        value: Expression,
        cases: list[Case],
        is_text: bool,
        end: int,
    ) -> None:
        self.line, self.marked = line, marked
        self.value: Expression = value
        self.cases: list[Case] = cases
        self.is_text: bool = is_text
        self.end: int = end


class Leave(Statement):
    """``break`` or ``continue``; ``released``: the pointers whose blocks it leaves."""

    __slots__ = ("released", "word")

    def __init__(self, line: int, marked: bool, word: str, released: list[Variable]) -> None:
        self.line, self.marked = line, marked
        self.word: str = word
        self.released: list[Variable] = released


class Return(Statement):
    """``return``; ``released``: the pointers that end, in the order of the code."""

    __slots__ = ("released", "value")

    def __init__(
        self, line: int, marked: bool, value: Expression, released: list[Variable]
    ) -> None:
        self.line, self.marked = line, marked
        self.value: Expression = value
        self.released: list[Variable] = released


def children(statement: Statement) -> Iterator[Block]:
    """The blocks in a statement."""
    match statement:
        case If():
            yield statement.then
            if statement.otherwise is not None:
                yield statement.otherwise
        case While() | Do() | Braces():
            yield statement.body
        case Switch():
            for case in statement.cases:
                yield case.body
        case _:
            pass


def same(one: object, other: object) -> bool:
    """Whether two statements or values are the same, but for their lines."""
    if one is other:
        return True
    if type(one) is not type(other) or isinstance(one, Variable):
        return False
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return len(one) == len(other) and all(map(same, one, other))
    if not isinstance(one, (Expression, MemoryPlace, Index, Assign, Increase)):
        return one == other
    names = [name for kind in type(one).__mro__ for name in getattr(kind, "__slots__", ())]
    return all(
        same(getattr(one, name), getattr(other, name))
        for name in names
        if name not in ("line", "marked")
    )
