"""A symbolic machine: what instructions without jumps compute, as expressions and statements.

A compiler of one pass leaves each value in ``ax``, and keeps those it needs on the stack; so the
registers and the stack hold the expressions that the script has.  ``docs/formats/ags-scripts.md``
has the instructions.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from overhaul.ags.decompiler.code import VARIADIC, Code, Function, Instruction
from overhaul.ags.decompiler.nodes import (
    Address,
    Call,
    Expression,
    MakeString,
    New,
    NewArray,
    Property,
    Reference,
    This,
    Variable,
)
from overhaul.ags.decompiler.state import AX, DX, MOST_ARGUMENTS, SP, Handler, Indexes
from overhaul.ags.decompiler.stores import OPERATORS, Stores
from overhaul.ags.script.tables import BY_NAME

_GETTERS: Final = ("get_", "geti_")
_SETTERS: Final = ("set_", "seti_")


class Machine(Stores):
    """Runs the instructions of a function; statements are appended to ``out``."""

    def __init__(self, code: Code, function: Function) -> None:
        super().__init__(code, function)
        self.handlers = _handlers()

    def _nothing(self, instruction: Instruction) -> None:
        """An instruction that the structure has looked at."""

    def _make_string(self, instruction: Instruction) -> None:
        self.set_ax(MakeString(self.value(AX)))

    def _new(self, instruction: Instruction) -> None:
        self.set_ax(New(instruction.b))

    def _new_array(self, instruction: Instruction) -> None:
        self.set_ax(NewArray(self.value(AX), instruction.b, instruction.c != 0))

    def _push_real(self, instruction: Instruction) -> None:
        register = instruction.a
        if register == DX:
            held = self.registers[DX]
            if not isinstance(held, Indexes) or len(held.indexes) != 1:
                raise self.fail("a register has no value")
            self.reals.append(held.indexes[0].value)
        else:
            self.reals.append(self.value(register))

    def _drop_reals(self, instruction: Instruction) -> None:
        if not 0 <= instruction.a <= len(self.reals):
            raise self.fail("arguments are dropped that are not there")
        if instruction.a:
            del self.reals[-instruction.a :]

    def _set_object(self, instruction: Instruction) -> None:
        self.object = self._or_empty(self.value(instruction.a))
        self.is_property = self.op_pushed == self.at - 1

    def _or_empty(self, object: Expression) -> Expression:
        """An object, or the variable without bytes that begins where it does."""
        place = object.place if isinstance(object, Address) and self.empty else None
        if place is None or not isinstance(place.base, Variable):
            return object
        made = self.empty_at(place.base.offset + place.offset)
        if made is None:
            return object
        made.indexes = place.indexes
        self.uses = [(made if used is place else used, how) for used, how in self.uses]
        return Address(made)

    def _set_count(self, instruction: Instruction) -> None:
        self.argument_count = instruction.a

    def _call_import(self, instruction: Instruction) -> None:
        target = self.registers[AX] if instruction.a == AX else None
        if not isinstance(target, Reference) or target.own:
            raise self.fail("call without a target")
        count = self.argument_count
        if count < 0:
            count = self._count_behind()
        self.argument_count = -1
        if count > min(len(self.reals), MOST_ARGUMENTS):
            raise self.fail("a call has too few arguments")
        arguments = self.reals[-1 : -count - 1 : -1] if count else []
        if not 0 <= target.value < len(self.code.imports):
            raise self.fail("no import has this number")
        name = self.code.imports[target.value]
        self._finish(target, name.owner, name.name, name.parameters, arguments)

    def _count_behind(self) -> int:
        """The number of arguments, where the code does not say it, from what drops them."""
        behind = self.at + 1
        code = self.instructions
        if behind < len(code) and code[behind].opcode == BY_NAME["farsubsp"].number:
            return max(0, code[behind].a)
        return 0

    def _call_own(self, instruction: Instruction) -> None:
        target = self.registers[AX] if instruction.a == AX else None
        if not isinstance(target, Reference) or not target.own:
            raise self.fail("call without a target")
        number = self.code.callee(target.value)
        if number is None:
            raise self.fail("call without a target")
        name = self.code.names[number]
        count = name.parameters % VARIADIC if name.parameters >= 0 else self._own_count_behind()
        taken = self.stack[len(self.stack) - count :] if count else []
        arguments = [entry for entry in reversed(taken) if isinstance(entry, Expression)]
        if len(arguments) != count:
            raise self.fail("a call has too few arguments")
        self._finish(Reference(True, number), name.owner, name.name, -1, arguments)

    def _own_count_behind(self) -> int:
        behind = self.at + 1
        code = self.instructions
        if behind < len(code) and code[behind].opcode == BY_NAME["subi"].number:
            return max(0, code[behind].b // 4) if code[behind].a == SP else 0
        return 0

    def _finish(
        self, target: Reference, owner: str, name: str, count: int, arguments: list[Expression]
    ) -> None:
        object, is_property = self.object, self.is_property
        if isinstance(object, (Address, This)):
            self.objects.append((object, owner))
        via, self.via = (self.via if object is None else None), None
        self.object, self.is_property = None, False
        static = object is None and count < 0 and owner != ""
        self.unused = None
        if (is_property or static) and name.startswith(_GETTERS) and len(arguments) < 2:
            head = "geti_" if name.startswith("geti_") else "get_"
            index = arguments[0] if arguments else None
            self.set_ax(Property(target, object, index, owner, name.removeprefix(head), via))
        elif (is_property or static) and name.startswith(_SETTERS) and 0 < len(arguments) < 3:
            head = "seti_" if name.startswith("seti_") else "set_"
            index = arguments[0] if len(arguments) == 2 else None
            place = Property(target, object, index, owner, name.removeprefix(head), via)
            self.assign(place, arguments[-1], "=")
            self.registers[AX] = None
        else:
            call = Call(target, object, arguments, via)
            self.set_ax(call)
            self.unused = call


@cache
def _handlers() -> dict[int, Handler]:
    """The handler of each instruction, by its opcode."""
    names: dict[str, Handler] = {
        "addi": Machine._add_number, "mov": Machine._move, "movl": Machine._literal,
        "memwritelit": Machine._write_literal, "push": Machine._push, "pop": Machine._pop,
        "memread1": Machine._read, "memread2": Machine._read, "memread4": Machine._read,
        "memwrite1": Machine._write, "memwrite2": Machine._write, "memwrite4": Machine._write,
        "memread.ptr": Machine._read_pointer, "memwrite.ptr": Machine._write_pointer,
        "meminit.ptr": Machine._start_pointer, "memwrite.ptr.0": Machine._release,
        "memwrite.ptr.0.nd": Machine._release, "load.sp.offs": Machine._stack_address,
        "checknull.ptr": Machine._check_pointer, "checknull": Machine._check_text,
        "checkbounds": Machine._check_bounds, "dynamicbounds": Machine._check_array,
        "muli": Machine._scale, "not": Machine._not, "newstring": Machine._make_string,
        "newarray": Machine._new_array, "newuserobject": Machine._new, "zeromem": Machine._zero,
        "faddi": Machine._add_number, "fsubi": Machine._add_number,
        "call": Machine._call_own, "farcall": Machine._call_import, "callscr": Machine._call_import,
        "farpush": Machine._push_real, "farsubsp": Machine._drop_reals,
        "callobj": Machine._set_object, "setfuncargs": Machine._set_count,
        "loopcheckoff": Machine._nothing, "thisaddr": Machine._nothing,
    }  # fmt: skip
    handlers = {BY_NAME[name].number: handler for name, handler in names.items()}
    for number in OPERATORS:
        handlers[number] = Machine._operate
    return handlers
