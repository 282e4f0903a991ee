"""Instructions that compute, write memory, declare variables, and end them."""

from __future__ import annotations

from typing import Final

from overhaul.ags.decompiler.code import Instruction
from overhaul.ags.decompiler.layout import BUFFER
from overhaul.ags.decompiler.moves import Moves
from overhaul.ags.decompiler.nodes import (
    LOCAL,
    Assign,
    Binary,
    Block,
    Braces,
    Constant,
    Declare,
    Expression,
    Increase,
    Load,
    MemoryPlace,
    Property,
    Step,
    Unary,
    Variable,
    While,
)
from overhaul.ags.decompiler.state import AX, BX, CX, DX, HIDDEN, MAR, NEGATION, OLD, SP, THIS
from overhaul.ags.script.tables import BY_NAME, STACK

#: The operators by opcode, and whether they work on floats.
OPERATORS: Final = {
    BY_NAME[name].number: (operator, name[0] == "f")
    for name, operator in (
        ("mul", "*"), ("div", "/"), ("add", "+"), ("sub", "-"), ("and", "&"), ("or", "|"),
        ("cmpeq", "=="), ("cmpne", "!="), ("gt", ">"), ("lt", "<"), ("gte", ">="), ("lte", "<="),
        ("land", "&&"), ("lor", "||"), ("mod", "%"), ("xor", "^"), ("shl", "<<"), ("shr", ">>"),
        ("fmul", "*"), ("fdiv", "/"), ("fadd", "+"), ("fsub", "-"), ("fgt", ">"), ("flt", "<"),
        ("fgte", ">="), ("flte", "<="), ("streq", "=s"), ("strne", "!s"),
    )
}  # fmt: skip
_ADD: Final = BY_NAME["addi"].number
#: The instruction that releases a pointer of a variable when a function ends; of a struct it is the
#: other one.
_KEPT: Final = BY_NAME["memwrite.ptr.0.nd"].number
#: So many bytes of locals a function has at most.
_MOST_BYTES: Final = 1 << 24


class Stores(Moves):
    """Operators, assignments, declarations, and the ends of pointers."""

    def _operate(self, instruction: Instruction) -> None:
        opcode, first, second, _, _, _ = instruction
        operator, is_float = OPERATORS[opcode]
        if first in (MAR, CX) and second in (AX, CX, DX) and operator == "+":
            self._add_index(first, second)
            return
        if {first, second} != {AX, BX}:
            raise self.fail("an unusual operation")
        if first == BX and self.registers[BX] is NEGATION:
            if operator != "-":
                raise self.fail("an unusual operation")
            self.registers[BX] = Unary("-", self.value(AX), is_float)
            return
        left, right = self.value(first), self.value(second)
        result = Binary(operator, left, right, is_float, first == AX)
        if first == AX:
            self.set_ax(result)
        else:
            self.registers[BX] = result

    def _not(self, instruction: Instruction) -> None:
        if instruction.a != AX:
            raise self.fail("an unusual operation")
        self.set_ax(Unary("!", self.value(AX)))

    def _add_number(self, instruction: Instruction) -> None:
        opcode, register, number, _, _, _ = instruction
        plus = opcode in (BY_NAME["addi"].number, BY_NAME["faddi"].number)
        is_float = opcode in (BY_NAME["faddi"].number, BY_NAME["fsubi"].number)
        if register == SP and plus and not is_float:
            self._declare(number)
        elif register == MAR and plus and not is_float:
            self.registers[MAR] = self._checked(self.memory()).moved(number)
        elif register == AX and number == 1:
            self.set_ax(Step("++" if plus else "--", self.value(AX), is_float))
        else:
            raise self.fail("an unusual addition")

    def _write(self, instruction: Instruction) -> None:
        how = {8: "4", 26: "1", 27: "2"}[instruction.opcode]
        if instruction.a == CX and self.buffer == self.depth - BUFFER:
            place = self.memory()
            if place.base is not None or place.kind != LOCAL or place.offset != self.depth:
                raise self.fail("an unusual write")
            self.buffer = -1
            self.pending = None, "s"
            return
        if instruction.a != AX:
            raise self.fail("an unusual write")
        self._store(how)

    def _write_pointer(self, instruction: Instruction) -> None:
        if instruction.a != AX:
            raise self.fail("an unusual write")
        self._store("p" if self.popped else "a")

    def _store(self, how: str) -> None:
        place = self.memory()
        value = self.value(AX)
        if place.kind == LOCAL and place.base is None:
            if place.offset != self.depth:
                raise self.fail("the code writes beyond the stack")
            self.pending = value, how
            return
        self.uses.append((place, how))
        self.assign(place, value, how)
        self.registers[AX] = None

    def assign(self, target: MemoryPlace | Property, value: Expression, how: str) -> None:
        """Append an assignment: plain, compound, ``++`` or ``--``."""
        if isinstance(value, Step):
            if not isinstance(value.value, (Load, Property)):
                raise self.fail("an unusual addition")
            self.out.append(Increase(*self.where(), target, value.operator, how, value.is_float))
        elif isinstance(value, Binary) and value.turned:
            self.out.append(
                Assign(
                    *self.where(), target, value.operator + "=", value.right, how, value.is_float
                )
            )
        else:
            self.out.append(Assign(*self.where(), target, "=", value, how, False))

    def _start_pointer(self, instruction: Instruction) -> None:
        place = self.memory()
        if place.kind == LOCAL and place.base is None:
            self._store("?")
            return
        base = place.base
        value = self.registers[AX]
        if not isinstance(base, Variable) or not base.is_parameter or not isinstance(value, Load):
            raise self.fail("a pointer begins that is not a variable")
        base.pointer = base.pointer or "?"
        self.registers[AX] = None

    def _zero(self, instruction: Instruction) -> None:
        place = self.memory()
        if place.kind != LOCAL or place.base is not None:
            raise self.fail("memory is cleared that is not a new variable")
        if instruction.a == 0:
            self._declare_empty()
        else:
            self.pending = None, "0"

    def _declare_empty(self) -> None:
        """A variable of a struct without fields: the stack does not grow."""
        self.flush()
        variable = Variable(self.function.number, len(self.variables), self.depth, 0, False)
        self.variables.append(variable)
        self.empty.append(variable)
        self.out.append(Declare(*self.where(), variable, None))

    def _write_literal(self, instruction: Instruction) -> None:
        place = self.memory()
        if place.kind != LOCAL or place.base is not None or instruction.a not in (1, 2, 4):
            raise self.fail("a literal is written")
        if instruction.fixup == STACK:
            self.pending = None, "s"
        elif self.function.name.owner and not self.variables:
            self.pending = None, "this"
        else:
            value = Constant(instruction.b) if instruction.b else None
            self.pending = value, str(instruction.a)

    def _declare(self, size: int) -> None:
        is_old = self.code.script.version <= OLD
        if self.pending is None and size == BUFFER and (is_old or self.buffer == self.depth):
            self.flush()
            self.stack.append(Variable(self.function.number, HIDDEN, self.depth, size, False))
            self.depth += size
            return
        if self.pending is None or size <= 0 or self.depth + size > _MOST_BYTES:
            raise self.fail("the stack grows")
        value, how = self.pending
        self.pending = None
        number = len(self.variables) if how != "this" else THIS
        variable = Variable(self.function.number, number, self.depth, size, False)
        self.stack.append(variable)
        self.depth += size
        if how == "this":
            return
        if how in ("?", "p", "a"):
            variable.pointer = "?"
        elif how == "s":
            variable.pointer = "s"
        self.flush()
        self.variables.append(variable)
        self.open.append(variable)
        self.out.append(Declare(*self.where(), variable, value))

    def _release(self, instruction: Instruction) -> None:
        place = self.memory()
        base = place.base
        if place.kind != LOCAL or not isinstance(base, Variable):
            raise self.fail("a pointer is cleared that is not a variable")
        base.pointer = base.pointer or "?"
        if base not in self.released:
            self.released.append(base)
            base.freed = []
        if self.instructions[self.at - 1].opcode == _ADD and base.freed:
            first, count = base.freed[-1]
            base.freed[-1] = first, count + 1
        else:
            base.freed.append((place.offset, 1))
        self.kept[base] = instruction.opcode == _KEPT

    def subtract_number(self, instruction: Instruction) -> None:
        """``--``, and, in old scripts, the address of a variable."""
        if instruction.a == MAR:
            place = self.memory()
            if place.kind != LOCAL or place.base is not None:
                raise self.fail("an unusual subtraction")
            self.registers[MAR] = self.local(place.offset - instruction.b)
            return
        if instruction.a != AX or instruction.b != 1:
            raise self.fail("an unusual subtraction")
        self.set_ax(Step("--", self.value(AX), is_float=False))

    def drop_arguments(self, size: int) -> None:
        """End the arguments of a call."""
        count = size // 4
        if size <= 0 or size % 4 or count > len(self.stack):
            raise self.fail("arguments are dropped that are not there")
        if any(isinstance(entry, Variable) for entry in self.stack[-count:]):
            raise self.fail("arguments are dropped that are not there")
        del self.stack[-count:]
        self.depth -= size

    def close(self, size: int) -> None:
        """End the last variables: they are those of a block, which begins with the first."""
        closed: list[Variable] = []
        while size > 0 and self.stack:
            variable = self.stack[-1]
            if (
                not isinstance(variable, Variable)
                or variable.size > size
                or variable.number == THIS
            ):
                break
            self.stack.pop()
            if variable.number != HIDDEN:
                self.open.remove(variable)
            closed.append(variable)
            size -= variable.size
            self.depth -= variable.size
        if size or not closed:
            raise self.fail("a block ends with another stack")
        first = self._declares(closed)
        inner = self.out[first:]
        ended = [one.variable for one in inner if isinstance(one, Declare)]
        self.empty = [one for one in self.empty if one not in ended]
        block = Block(inner, self.line if self.marks != self.noted else 0)
        block.released, self.released = self.released, []
        head = inner[0]
        if len(inner) == 1 and isinstance(head, While):
            block.end = 0
        else:
            self.noted = self.marks
            self.out[first:] = [Braces(head.line, head.marked, block)]

    def end_function(self) -> list[Variable]:
        """The variables whose pointers are released where a function ends."""
        released, self.released = self.released, []
        for variable in released:
            variable.is_struct = variable.is_struct or not self.kept[variable]
            variable.is_bare = variable.is_bare or self.kept[variable]
        return released

    def _declares(self, closed: list[Variable]) -> int:
        """The number of the first statement that declares one of some variables."""
        for number, statement in enumerate(self.out):
            declared = statement.first if isinstance(statement, While) else statement
            if isinstance(declared, Declare) and declared.variable in closed:
                return number
        raise self.fail("a block ends variables of another")
