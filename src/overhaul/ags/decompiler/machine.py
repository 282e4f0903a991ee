"""A symbolic machine: what instructions without jumps compute, as expressions and statements.

A compiler of one pass leaves each value in ``ax``, and keeps those it needs on the stack; so the
registers and the stack hold the expressions that the script has.  ``docs/formats/ags-scripts.md``
has the instructions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from overhaul.ags.decompiler.code import VARIADIC, Code, Function, Instruction
from overhaul.ags.decompiler.errors import Unstructured
from overhaul.ags.decompiler.layout import BUFFER
from overhaul.ags.decompiler.nodes import (
    DEEPEST,
    ELEMENTS,
    GLOBAL,
    IMPORT,
    LOCAL,
    POINTER,
    Address,
    AsText,
    Assign,
    Binary,
    Call,
    Constant,
    Declare,
    Evaluate,
    Expression,
    Increase,
    Index,
    Load,
    MakeString,
    New,
    NewArray,
    Place,
    Property,
    Reference,
    Statement,
    Step,
    Text,
    This,
    Unary,
    Variable,
)
from overhaul.ags.script.tables import BY_NAME, DATA, FUNCTION, REGISTER_NUMBERS, STACK, STRING
from overhaul.ags.script.tables import IMPORT as IMPORT_FIXUP

SP, MAR, AX, BX, CX, OP, DX = (
    REGISTER_NUMBERS[name] for name in ("sp", "mar", "ax", "bx", "cx", "op", "dx")
)
#: The operators by opcode, and whether they work on floats.
_OPERATORS: Final = {
    BY_NAME[name].number: (operator, name[0] == "f")
    for name, operator in (
        ("mul", "*"), ("div", "/"), ("add", "+"), ("sub", "-"), ("and", "&"), ("or", "|"),
        ("cmpeq", "=="), ("cmpne", "!="), ("gt", ">"), ("lt", "<"), ("gte", ">="), ("lte", "<="),
        ("land", "&&"), ("lor", "||"), ("mod", "%"), ("xor", "^"), ("shl", "<<"), ("shr", ">>"),
        ("fmul", "*"), ("fdiv", "/"), ("fadd", "+"), ("fsub", "-"), ("fgt", ">"), ("flt", "<"),
        ("fgte", ">="), ("flte", "<="), ("streq", "=s"), ("strne", "!s"),
    )
}  # fmt: skip
#: So many arguments a call has at most.
_MOST_ARGUMENTS: Final = 300
#: So many bytes of locals a function has at most.
_MOST_BYTES: Final = 1 << 24
#: What may stand between an unused value and a call.
_BETWEEN: Final = frozenset(BY_NAME[name].number for name in ("setfuncargs", "farpush", "push"))
_VALUES: Final = frozenset(
    ((BY_NAME["mov"].number, MAR, AX), (BY_NAME["memread.ptr"].number, AX, 0))
)
_GETTERS: Final = ("get_", "geti_")
_SETTERS: Final = ("set_", "seti_")

#: Up to this version functions may return without a value, and old strings have a fix-up.
OLD: Final = 83
#: The numbers of what lies on the stack without being declared: ``this``, an old string's text.
THIS, HIDDEN = -1, -2

Value = Expression | Place | None


class _Negation(Expression):
    """What ``lit bx,0`` leaves: the next subtraction negates."""

    __slots__ = ()


class _Indexes(Expression):
    """An index in bytes, ready to be added to an address."""

    __slots__ = ("indexes",)

    def __init__(self, indexes: tuple[Index, ...]) -> None:
        self.depth = 1
        self.indexes = indexes


class _Scaled(Expression):
    """An index that is checked, and perhaps multiplied."""

    __slots__ = ("bound", "stride", "value")

    def __init__(self, value: Expression, bound: int, stride: int) -> None:
        self.depth = value.depth
        self.value = value
        self.bound = bound
        self.stride = stride


_NEGATION: Final = _Negation()


class Machine:
    """Runs the instructions of a function; statements are appended to ``out``."""

    def __init__(self, code: Code, function: Function) -> None:
        self.code = code
        self.function = function
        self.instructions = function.code
        self.registers: list[Value] = [None] * 8
        self.registers[OP] = This()
        self.stack: list[Expression | Place | Variable] = []
        self.reals: list[Expression] = []
        self.depth = 0
        self.line = 0
        self.marks = 0
        self.noted = 0
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
        self.uses: list[tuple[Place, str]] = []
        self.parameters: dict[int, Variable] = {}
        self.variables: list[Variable] = []
        self.open: list[Variable] = []
        self.argument_count = -1
        self.at = 0
        self.handlers = self._handlers()

    # ------------------------------------------------------------------------------- bookkeeping

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
        if not isinstance(value, Expression) or isinstance(value, (_Indexes, _Negation, _Scaled)):
            raise self.fail("a register has no value")
        return value

    def memory(self) -> Place:
        """The place that ``mar`` has."""
        place = self.registers[MAR]
        if not isinstance(place, Place):
            raise self.fail("mar has no address")
        return place

    def local(self, offset: int) -> Place:
        """The place at an offset from where the stack was when the function began."""
        if offset < 0:
            return self._parameter(offset)
        for entry in reversed(self.open):
            if entry.offset <= offset < entry.offset + entry.size:
                return Place(LOCAL, entry, offset - entry.offset)
        raise self.fail("no variable lies there on the stack")

    def _parameter(self, offset: int) -> Place:
        number = (-offset + 3) // 4 - 2
        count = self.function.name.count
        if number < 0 or number >= _MOST_ARGUMENTS or (0 <= count % VARIADIC <= number and count >= 0):
            raise self.fail("no parameter lies there on the stack")
        variable = self.parameters.get(number)
        start = -4 * (number + 2)
        if variable is None:
            variable = Variable(self.function.number, number, start, 4, True)
            self.parameters[number] = variable
        return Place(LOCAL, variable, offset - start)

    # --------------------------------------------------------------------------------- dispatch

    def _handlers(self) -> dict[int, Callable[[Instruction], None]]:
        names: dict[str, Callable[[Instruction], None]] = {
            "addi": self._add_number, "mov": self._move, "movl": self._literal,
            "memwritelit": self._write_literal, "push": self._push, "pop": self._pop,
            "memread1": self._read, "memread2": self._read, "memread4": self._read,
            "memwrite1": self._write, "memwrite2": self._write, "memwrite4": self._write,
            "memread.ptr": self._read_pointer, "memwrite.ptr": self._write_pointer,
            "meminit.ptr": self._start_pointer, "memwrite.ptr.0": self._release,
            "memwrite.ptr.0.nd": self._release, "load.sp.offs": self._stack_address,
            "checknull.ptr": self._check_pointer, "checknull": self._check_text,
            "checkbounds": self._check_bounds, "dynamicbounds": self._check_array,
            "muli": self._scale, "not": self._not, "newstring": self._make_string,
            "newarray": self._new_array, "newuserobject": self._new, "zeromem": self._zero,
            "faddi": self._add_number, "fsubi": self._add_number,
            "call": self._call_own, "farcall": self._call_import, "callscr": self._call_import,
            "farpush": self._push_real, "farsubsp": self._drop_reals,
            "callobj": self._set_object, "setfuncargs": self._set_count,
            "loopcheckoff": self._nothing, "thisaddr": self._nothing,
        }  # fmt: skip
        handlers = {BY_NAME[name].number: handler for name, handler in names.items()}
        for number in _OPERATORS:
            handlers[number] = self._operate
        return handlers

    def _nothing(self, instruction: Instruction) -> None:
        """An instruction that the structure has looked at."""

    # --------------------------------------------------------------------------- loads and moves

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
                self.registers[MAR] = Place(GLOBAL, None, value)
            else:
                self.registers[MAR] = Place(IMPORT, value, 0)
        elif register == BX and value == 0 and fixup == 0:
            self.registers[BX] = _NEGATION
        elif register == CX and value == 0 and fixup == 0:
            self.registers[CX] = _Indexes(())
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
            self.registers[MAR] = Place(LOCAL, None, self.depth)
        elif source == MAR and target == AX:
            held = self.registers[MAR]
            if isinstance(held, Place):
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
            elif isinstance(held, _Scaled):
                self.registers[target] = _Indexes((Index(held.value, held.stride, held.bound),))
            elif isinstance(held, Expression):
                self.registers[target] = _Indexes((Index(held, 1, 0),))
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
        self.depth -= 4
        if register == OP:
            if not isinstance(value, This):
                raise self.fail("op gets another value")
        elif register == AX:
            if isinstance(value, Place):
                raise self.fail("an address is a value")
            self.set_ax(value)
        else:
            if register == MAR:
                self.popped = isinstance(value, Place)
            self.registers[register] = value

    def _read(self, instruction: Instruction) -> None:
        how = {7: "4", 24: "1", 25: "2"}[instruction.opcode]
        if instruction.a != AX:
            raise self.fail("an unusual read")
        place = self._checked(self.memory())
        self.uses.append((place, how))
        self.set_ax(Load(place, how))

    def _checked(self, place: Place) -> Place:
        if place.kind == LOCAL and place.base is None:
            raise self.fail("what is behind the stack is read")
        return place

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
            self.registers[MAR] = Place(POINTER, held, 0)
        elif not isinstance(held, Place) or held.kind != POINTER:
            raise self.fail("an address is checked")

    def _check_array(self, instruction: Instruction) -> None:
        held = self.registers[MAR]
        if not isinstance(held, Place) or held.kind != POINTER or held.offset or held.indexes:
            raise self.fail("an index of no array")
        base = held.base
        if isinstance(base, Load):
            base = Load(base.place, "a")
        self.registers[MAR] = Place(ELEMENTS, base, 0)

    def _check_text(self, instruction: Instruction) -> None:
        self.set_ax(AsText(self.value(AX)))

    # ----------------------------------------------------------------------------------- indexes

    def _check_bounds(self, instruction: Instruction) -> None:
        self.registers[AX] = _Scaled(self.value(AX), instruction.b, 1)

    def _scale(self, instruction: Instruction) -> None:
        register, stride = instruction.a, instruction.b
        held = self.registers[register] if register in (AX, DX) else None
        if register == DX and isinstance(held, _Indexes) and len(held.indexes) == 1:
            index = held.indexes[0]
            self.registers[DX] = _Indexes((Index(index.value, stride, index.bound),))
        elif register == AX and isinstance(held, _Scaled):
            self.registers[AX] = _Scaled(held.value, held.bound, stride)
        elif register == AX:
            self.registers[AX] = _Scaled(self.value(AX), 0, stride)
        else:
            raise self.fail("an unusual multiplication")

    def _add_index(self, target: int, source: int) -> None:
        held, added = self.registers[target], self.registers[source]
        if target == CX and source == AX:
            if isinstance(added, _Scaled):
                added = _Indexes((Index(added.value, added.stride, added.bound),))
            else:
                added = _Indexes((Index(self.value(AX), 1, 0),))
            self.unused = None
        if not isinstance(added, _Indexes):
            raise self.fail("an address is added to")
        if target == CX and isinstance(held, _Indexes):
            self.registers[CX] = _Indexes(held.indexes + added.indexes)
        elif target == MAR and isinstance(held, Place):
            place = held.indexed(added.indexes, first=source == CX)
            if place.depth > DEEPEST or len(place.indexes) > DEEPEST:
                raise self.fail("an expression is too deep")
            self.registers[MAR] = self._checked(place)
        else:
            raise self.fail("an address is added to")

    # ----------------------------------------------------------------------------------- operators

    def _operate(self, instruction: Instruction) -> None:
        opcode, first, second, _, _, _ = instruction
        operator, is_float = _OPERATORS[opcode]
        if first in (MAR, CX) and operator == "+":
            self._add_index(first, second)
            return
        if {first, second} != {AX, BX}:
            raise self.fail("an unusual operation")
        if first == BX and self.registers[BX] is _NEGATION:
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

    # ---------------------------------------------------------------------------------- statements

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
                raise self.fail("what is behind the stack is written")
            self.pending = value, how
            return
        self.uses.append((place, how))
        self.assign(place, value, how)
        self.registers[AX] = None

    def assign(self, target: Place | Property, value: Expression, how: str) -> None:
        """Append an assignment: plain, compound, ``++`` or ``--``."""
        if isinstance(value, Step):
            if not isinstance(value.value, (Load, Property)):
                raise self.fail("an unusual addition")
            self.out.append(
                Increase(*self.where(), target, value.operator, how, value.is_float)
            )
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
            raise self.fail("a pointer begins that is no variable")
        base.pointer = base.pointer or "?"
        self.registers[AX] = None

    def _zero(self, instruction: Instruction) -> None:
        place = self.memory()
        if place.kind != LOCAL or place.base is not None:
            raise self.fail("memory is cleared that is no new variable")
        self.pending = None, "0"

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
            raise self.fail("a pointer is cleared that is no variable")
        base.pointer = base.pointer or "?"
        if base not in self.released:
            self.released.append(base)

    # ----------------------------------------------------------------------------- values that are made

    def _make_string(self, instruction: Instruction) -> None:
        self.set_ax(MakeString(self.value(AX)))

    def _new(self, instruction: Instruction) -> None:
        self.set_ax(New(instruction.b))

    def _new_array(self, instruction: Instruction) -> None:
        self.set_ax(NewArray(self.value(AX), instruction.b, instruction.c != 0))

    # -------------------------------------------------------------------------------------- calls

    def _push_real(self, instruction: Instruction) -> None:
        register = instruction.a
        if register == DX:
            held = self.registers[DX]
            if not isinstance(held, _Indexes) or len(held.indexes) != 1:
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
        self.object = self.value(instruction.a)
        self.is_property = self.op_pushed == self.at - 1

    def _set_count(self, instruction: Instruction) -> None:
        self.argument_count = instruction.a

    def _call_import(self, instruction: Instruction) -> None:
        target = self.registers[AX] if instruction.a == AX else None
        if not isinstance(target, Reference) or target.own:
            raise self.fail("a call of no function")
        count = self.argument_count
        if count < 0:
            count = self._count_behind()
        self.argument_count = -1
        if count > min(len(self.reals), _MOST_ARGUMENTS):
            raise self.fail("a call has too few arguments")
        arguments = self.reals[-1 : -count - 1 : -1] if count else []
        if not 0 <= target.value < len(self.code.imports):
            raise self.fail("no import has this number")
        name = self.code.imports[target.value]
        self._finish(target, name.owner, name.name, name.count, arguments)

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
            raise self.fail("a call of no function")
        number = self.code.callee(target.value)
        if number is None:
            raise self.fail("a call of no function")
        name = self.code.names[number]
        count = name.count % VARIADIC if name.count >= 0 else self._own_count_behind()
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
