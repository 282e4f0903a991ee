"""The registers and the stack of the symbolic machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from overhaul.ags.decompiler.code import VARIADIC, Code, Function, Instruction
from overhaul.ags.decompiler.errors import Unstructured
from overhaul.ags.decompiler.nodes import (
    DEEPEST,
    LOCAL,
    Address,
    Evaluate,
    Expression,
    Index,
    MemoryPlace,
    Statement,
    This,
    Variable,
)
from overhaul.ags.script.tables import REGISTER_NUMBERS

SP, MAR, AX, BX, CX, OP, DX = (
    REGISTER_NUMBERS[name] for name in ("sp", "mar", "ax", "bx", "cx", "op", "dx")
)
#: So many arguments a call has at most.
MOST_ARGUMENTS: Final = 300
#: Up to this version functions may return without a value, and old strings have a fix-up.
OLD: Final = 83
#: The numbers of what lies on the stack without being declared: ``this``, an old string's text.
THIS, HIDDEN = -1, -2

Handler = Callable[..., None]
Value = Expression | MemoryPlace | None


class Negation(Expression):
    """The value that ``lit bx,0`` leaves: the next subtraction negates."""

    __slots__ = ()


class Indexes(Expression):
    """An index in bytes, ready to be added to an address."""

    __slots__ = ("indexes",)

    def __init__(self, indexes: tuple[Index, ...]) -> None:
        self.depth = 1
        self.indexes: tuple[Index, ...] = indexes


class Scaled(Expression):
    """An index that is checked, and perhaps multiplied."""

    __slots__ = ("bound", "stride", "value")

    def __init__(self, value: Expression, bound: int, stride: int) -> None:
        self.depth: int = value.depth
        self.value: Expression = value
        self.bound: int = bound
        self.stride: int = stride


NEGATION: Final = Negation()


class StackState:
    """The values that the code has computed so far; statements are appended to ``out``."""

    def __init__(self, code: Code, function: Function) -> None:
        self.code = code
        self.function = function
        self.instructions: list[Instruction] = function.code
        self.registers: list[Value] = [None] * 8
        self.registers[OP] = This()
        self.stack: list[Expression | MemoryPlace | Variable] = []
        self.reals: list[Expression] = []
        self.depth = 0
        self.line = 0
        self.marks = 0
        self.noted: int = 0
        self.out: list[Statement] = []
        self.unused: Expression | None = None
        self.object: Expression | None = None
        self.is_property = False
        self.via: Expression | None = None
        self.buffer = -1
        self.op_pushed = -2
        self.popped = False
        self.pending: tuple[Expression | None, str] | None = None
        self.released: list[Variable] = []
        self.kept: dict[Variable, bool] = {}
        self.uses: list[tuple[MemoryPlace, str]] = []
        self.objects: list[tuple[Address | This, str]] = []
        self.parameters: dict[int, Variable] = {}
        self.variables: list[Variable] = []
        self.open: list[Variable] = []
        #: Variables of structs without fields, which take no bytes.
        self.empty: list[Variable] = []
        self.argument_count = -1
        self.at = 0
        self.handlers: dict[int, Handler] = {}

    def fail(self, reason: str) -> Unstructured:
        """The error for the instruction at hand."""
        code = self.instructions
        place = code[min(self.at, len(code) - 1)].word if code else self.function.start
        return Unstructured(reason, place)

    def where(self) -> tuple[int, bool]:
        """The line of a statement, and whether the code marks it."""
        marked = self.marks != self.noted
        self.noted = self.marks
        return self.line, marked

    def flush(self) -> None:
        """End the statement at hand: a call whose value nothing uses."""
        if self.unused is not None:
            self.out.append(Evaluate(*self.where(), self.unused))
            self.unused = None
            self.registers[AX] = None

    def set_ax(self, value: Expression) -> None:
        """Let ``ax`` have a value."""
        if self.unused is not None:
            self.flush()
        if value.depth > DEEPEST:
            raise self.fail("an expression is too deep")
        self.registers[AX] = value

    def value(self, register: int) -> Expression:
        """The value of a register, which is used."""
        value = self.registers[register] if 0 <= register < 8 else None
        if register == AX:
            self.unused = None
        if not isinstance(value, Expression) or isinstance(value, (Indexes, Negation, Scaled)):
            raise self.fail("a register has no value")
        return value

    def memory(self) -> MemoryPlace:
        """The place that ``mar`` has."""
        place = self.registers[MAR]
        if not isinstance(place, MemoryPlace):
            raise self.fail("mar has no address")
        return place

    def local(self, offset: int) -> MemoryPlace:
        """The place at an offset from where the stack was when the function began."""
        if offset < 0:
            return self._parameter(offset)
        for entry in reversed(self.open):
            if entry.offset <= offset < entry.offset + entry.size:
                return MemoryPlace(LOCAL, entry, offset - entry.offset)
        place = self.empty_at(offset)
        if place is None:
            raise self.fail("no variable lies there on the stack")
        return place

    def empty_at(self, offset: int) -> MemoryPlace | None:
        """The place of a variable without bytes at an offset."""
        for entry in reversed(self.empty):
            if entry.offset == offset:
                return MemoryPlace(LOCAL, entry, 0)
        return None

    def _parameter(self, offset: int) -> MemoryPlace:
        number = (-offset + 3) // 4 - 2
        count = self.function.name.parameters
        if (
            number < 0
            or number >= MOST_ARGUMENTS
            or (0 <= count % VARIADIC <= number and count >= 0)
        ):
            raise self.fail("no parameter lies there on the stack")
        variable = self.parameters.get(number)
        start = -4 * (number + 2)
        if variable is None:
            variable = Variable(self.function.number, number, start, 4, True)
            self.parameters[number] = variable
        return MemoryPlace(LOCAL, variable, offset - start)

    def _checked(self, place: MemoryPlace) -> MemoryPlace:
        if place.kind == LOCAL and place.base is None:
            raise self.fail("the code reads beyond the stack")
        return place
