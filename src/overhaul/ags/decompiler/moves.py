"""Instructions that read memory, and move values and addresses."""

from __future__ import annotations

from typing import Final

from overhaul.ags.decompiler.code import Instruction
from overhaul.ags.decompiler.nodes import (
    DEEPEST,
    ELEMENTS,
    GLOBAL,
    IMPORT,
    LOCAL,
    POINTER,
    Address,
    AsText,
    Constant,
    Expression,
    Index,
    Load,
    MemoryPlace,
    Reference,
    Text,
    This,
    Variable,
)
from overhaul.ags.decompiler.state import (
    AX,
    BX,
    CX,
    DX,
    MAR,
    NEGATION,
    OP,
    SP,
    Indexes,
    Scaled,
    StackState,
)
from overhaul.ags.script.tables import BY_NAME, DATA, FUNCTION, STRING
from overhaul.ags.script.tables import IMPORT as IMPORT_FIXUP

#: Instructions that may be between an unused value and a call.
_BETWEEN: Final = frozenset(BY_NAME[name].number for name in ("setfuncargs", "farpush", "push"))
_VALUES: Final = frozenset(
    ((BY_NAME["mov"].number, MAR, AX), (BY_NAME["memread.ptr"].number, AX, 0))
)


class Moves(StackState):
    """Loads, moves, the stack, and indexes."""

    def _literal(self, instruction: Instruction) -> None:
        _, register, value, _, fixup, _ = instruction
        if register == AX:
            if fixup == 0:
                self.set_ax(Constant(value))
            elif fixup == STRING:
                self.set_ax(Text(value))
            elif fixup in (FUNCTION, IMPORT_FIXUP):
                self.via = self._value_before()
                self.set_ax(Reference(fixup == FUNCTION, value))
            else:
                raise self.fail("an address is a value")
        elif register == MAR and fixup in (DATA, IMPORT_FIXUP):
            self.popped = False
            if fixup == DATA:
                self.registers[MAR] = MemoryPlace(GLOBAL, None, value)
            else:
                self.registers[MAR] = MemoryPlace(IMPORT, value, 0)
        elif register == BX and value == 0 and fixup == 0:
            self.registers[BX] = NEGATION
        elif register == CX and value == 0 and fixup == 0:
            self.registers[CX] = Indexes(())
        else:
            raise self.fail("an unusual literal")

    def _value_before(self) -> Expression | None:
        """The value that the code computes before it calls, and does not use: the variable by
        which a static member is named."""
        at = self.at - 1
        code = self.instructions
        while at > 0 and code[at].opcode in _BETWEEN and code[at].a != AX:
            at -= 1
        if at <= 0 or (code[at].opcode, code[at].a, code[at].b) not in _VALUES:
            return None
        value = self.registers[AX]
        return value if isinstance(value, (Address, Load)) else None

    def _move(self, instruction: Instruction) -> None:
        source, target = instruction.a, instruction.b
        if source == SP and target == CX:
            self.buffer = self.depth
        elif source == SP:
            if target != MAR:
                raise self.fail("an unusual move")
            self.registers[MAR] = MemoryPlace(LOCAL, None, self.depth)
        elif source == MAR and target == AX:
            held = self.registers[MAR]
            if isinstance(held, MemoryPlace):
                pointer = held.kind == POINTER and held.offset == 0 and not held.indexes
                base = held.base if pointer else None
                if isinstance(base, Expression):
                    self.set_ax(base)
                else:
                    self.uses.append((held, "&"))
                    self.set_ax(Address(held))
            elif isinstance(held, Expression):
                self.set_ax(held)
            else:
                raise self.fail("mar has no address")
        elif target == AX:
            value = self.value(source)
            self.set_ax(value)
        elif source == AX and target in (BX, CX, DX):
            self.unused = None
            held = self.registers[AX]
            if target == BX:
                self.registers[BX] = self.value(AX)
            elif isinstance(held, Scaled):
                index = Index(held.value, held.stride, held.bound, target == DX)
                self.registers[target] = Indexes((index,))
            elif isinstance(held, Expression):
                self.registers[target] = Indexes((Index(held, 1, 0, target == DX),))
            else:
                raise self.fail("a register has no value")
        else:
            raise self.fail("an unusual move")

    def _stack_address(self, instruction: Instruction) -> None:
        self.popped = False
        self.registers[MAR] = self.local(self.depth - instruction.a)

    def _push(self, instruction: Instruction) -> None:
        register = instruction.a
        value = self.registers[register] if 0 < register < 8 else None
        if register == AX:
            self.unused = None
        elif register == OP:
            self.op_pushed = self.at
        if value is None:
            raise self.fail("a register has no value")
        self.stack.append(value)
        self.depth += 4

    def _pop(self, instruction: Instruction) -> None:
        register = instruction.a
        if not self.stack or isinstance(self.stack[-1], Variable) or not 0 < register < 8:
            raise self.fail("the stack has no value")
        value = self.stack.pop()
        assert not isinstance(value, Variable)
        self.depth -= 4
        if register == OP:
            if not isinstance(value, This):
                raise self.fail("op gets another value")
        elif register == AX:
            if isinstance(value, MemoryPlace):
                raise self.fail("an address is a value")
            self.set_ax(value)
        else:
            if register == MAR:
                self.popped = isinstance(value, MemoryPlace)
            self.registers[register] = value

    def _read(self, instruction: Instruction) -> None:
        how = {7: "4", 24: "1", 25: "2"}[instruction.opcode]
        if instruction.a != AX:
            raise self.fail("an unusual read")
        place = self._checked(self.memory())
        self.uses.append((place, how))
        self.set_ax(Load(place, how))

    def _read_pointer(self, instruction: Instruction) -> None:
        place = self._checked(self.memory())
        self.uses.append((place, "p" if self.popped else "a"))
        if instruction.a == MAR:
            self.registers[MAR] = Load(place, "p" if self.popped else "a")
            self.popped = False
        elif instruction.a == AX:
            self.set_ax(Load(place, "p" if self.popped else "a"))
        else:
            raise self.fail("an unusual read")

    def _check_pointer(self, instruction: Instruction) -> None:
        held = self.registers[MAR]
        if isinstance(held, Expression):
            self.registers[MAR] = MemoryPlace(POINTER, held, 0)
        elif not isinstance(held, MemoryPlace) or held.kind != POINTER:
            raise self.fail("an address is checked")

    def _check_array(self, instruction: Instruction) -> None:
        held = self.registers[MAR]
        if not isinstance(held, MemoryPlace) or held.kind != POINTER or held.offset or held.indexes:
            raise self.fail("an index of no array")
        base = held.base
        if isinstance(base, Load):
            base = Load(base.place, "a")
        self.registers[MAR] = MemoryPlace(ELEMENTS, base, 0)

    def _check_text(self, instruction: Instruction) -> None:
        self.set_ax(AsText(self.value(AX)))

    def _check_bounds(self, instruction: Instruction) -> None:
        self.registers[AX] = Scaled(self.value(AX), instruction.b, 1)

    def _scale(self, instruction: Instruction) -> None:
        register, stride = instruction.a, instruction.b
        held = self.registers[register] if register in (AX, DX) else None
        if register == DX and isinstance(held, Indexes) and len(held.indexes) == 1:
            index = held.indexes[0]
            self.registers[DX] = Indexes((Index(index.value, stride, index.bound, True),))
        elif register == AX and isinstance(held, Scaled):
            self.registers[AX] = Scaled(held.value, held.bound, stride)
        elif register == AX:
            self.registers[AX] = Scaled(self.value(AX), 0, stride)
        else:
            raise self.fail("an unusual multiplication")

    def _add_index(self, target: int, source: int) -> None:
        held, added = self.registers[target], self.registers[source]
        if target == CX and source == AX:
            if isinstance(added, Scaled):
                added = Indexes((Index(added.value, added.stride, added.bound),))
            else:
                added = Indexes((Index(self.value(AX), 1, 0),))
            self.unused = None
        if not isinstance(added, Indexes):
            raise self.fail("an address is added to")
        if target == CX and isinstance(held, Indexes):
            self.registers[CX] = Indexes(held.indexes + added.indexes)
        elif target == MAR and isinstance(held, MemoryPlace):
            place = held.indexed(added.indexes, first=source == CX)
            if place.depth > DEEPEST or len(place.indexes) > DEEPEST:
                raise self.fail("an expression is too deep")
            self.registers[MAR] = self._checked(place)
        else:
            raise self.fail("an address is added to")
