"""A model of the machine's stack: whether code is sound along every path.

It knows what each instruction takes and leaves, by type, and that heights must agree where paths
meet.  What it does not know is what the values mean.
"""

from __future__ import annotations

from overhaul.gml.compiler.expressions import result_type
from overhaul.gml.dialect import Dialect
from overhaul.gml.vm.code import Code, FunctionReference, Instruction, VariableReference
from overhaul.gml.vm.opcodes import POPENV_DROP

SIZES = {0: 8, 1: 4, 2: 4, 3: 8, 4: 4, 5: 16, 6: 4, 15: 4}
OPERATORS = {
    0x08: "*", 0x09: "/", 0x0A: "div", 0x0B: "%", 0x0C: "+", 0x0D: "-", 0x0E: "&", 0x0F: "|",
    0x10: "^", 0x13: "<<", 0x14: ">>",
}  # fmt: skip
D, I, L, B, V, S, E = 0, 2, 3, 4, 5, 6, 15  # noqa: E741 - the machine's own letters
NONE = -(1 << 40)  # a value that is not known
EITHER = NONE - 1  # the compilers take it for a D, a change of a variable for a V

Stack = tuple[tuple[int, int], ...]  # (type, value), the top last


class Unsound(AssertionError):
    """Code that takes what is not there, or leaves different things on different paths."""


class Machine:
    """Runs one code entry over types."""

    def __init__(self, code: Code, dialect: Dialect) -> None:
        self.code = code
        self.dialect = dialect
        self.offsets = code.offsets()
        self.at = {offset: index for index, offset in enumerate(self.offsets)}
        self.at[len(code)] = len(code.instructions)
        self.seen: dict[int, Stack] = {}
        self.waiting: list[tuple[int, Stack]] = [(0, ())]
        self.waiting += [(self.at[child.offset], ()) for child in code.children]
        self.stack: list[tuple[int, int]] = []
        self.index = 0

    def fail(self, message: str) -> Unsound:
        where = self.code.instructions[self.index] if self.index < len(self.offsets) else "the end"
        return Unsound(f"{self.code.name}, instruction {self.index} ({where!r}): {message}")

    def run(self) -> None:
        while self.waiting:
            index, stack = self.waiting.pop()
            known = self.seen.get(index)
            if known is not None:
                if [SIZES[value[0]] for value in known] != [SIZES[value[0]] for value in stack]:
                    self.index = index
                    raise self.fail(f"paths meet with {known} and {stack}")
                continue
            self.seen[index] = stack
            self.index = index
            self.stack = list(stack)
            if index == len(self.code.instructions):
                if stack:
                    raise self.fail(f"the end is reached with {stack}")
                continue
            self.step(self.code.instructions[index])

    def go(self, index: int) -> None:
        self.waiting.append((index, tuple(self.stack)))

    def jump(self, instruction: Instruction) -> None:
        target = self.at.get(self.offsets[self.index] + 4 * instruction.value)
        if target is None:
            raise self.fail("a branch into the middle of an instruction")
        self.go(target)

    def take(self, type_: int) -> int:
        """Take a value of a type off the stack; returns it if it is known."""
        type_ = I if type_ == E else type_
        if self.stack and self.stack[-1][1] == EITHER and type_ in (D, V):
            return self.stack.pop()[1]
        if not self.stack or SIZES[self.stack[-1][0]] != SIZES[type_]:
            raise self.fail(f"wants type {type_}, finds {self.stack}")
        return self.stack.pop()[1]

    def give(self, type_: int, value: int = NONE) -> None:
        self.stack.append((type_, value))

    def instance(self) -> None:
        if self.take(I) == -9:
            self.take(V)

    def operands(self, reference: VariableReference, value: int) -> None:
        """What a variable access takes in addition to the value."""
        if reference.kind in (0x00, 0x10, 0x90):
            self.take(I)
            self.instance()
        elif reference.kind == 0x80:
            self.instance()
        elif value == -9:
            self.take(V)

    def block(self, size: int) -> list[tuple[int, int]]:
        """The values that make up so many bytes at the top, taken off."""
        blocks: list[tuple[int, int]] = []
        while size > 0:
            if not self.stack:
                raise self.fail("the stack is too short")
            blocks.insert(0, self.stack.pop())
            size -= SIZES[blocks[0][0]]
        if size:
            raise self.fail("cuts a value in two")
        return blocks

    def step(self, instruction: Instruction) -> None:
        opcode, type1, type2 = instruction.opcode, instruction.type1, instruction.type2
        value, operand = instruction.value, instruction.operand
        if opcode == 0xB6:
            self.jump(instruction)
            return
        if opcode in (0xB7, 0xB8):
            self.take(B)
            self.jump(instruction)
        elif opcode == 0xBA:
            self.instance()
            self.jump(instruction)
        elif opcode == 0xBB:
            if value != POPENV_DROP:
                self.jump(instruction)
        elif opcode in (0x9C, 0x9D):
            self.leave(opcode)
            return
        elif opcode == 0x07:
            self.take(type1)
            self.give(type2)
        elif opcode in OPERATORS:
            self.take(type1)
            self.take(type2)
            boolean = type1 == B and type2 == B
            result = B if boolean else result_type(OPERATORS[opcode], type2, type1)
            if result == D and V in (type1, type2):
                self.give(V, EITHER)
            else:
                self.give(result)
        elif opcode in (0x11, 0x12):
            self.take(type1)
            self.give(type1)
        elif opcode == 0x15:
            self.take(type1)
            self.take(type2)
            self.give(B)
        elif opcode == 0x45:
            self.pop(instruction)
        elif opcode in (0x84, 0xC0, 0xC1, 0xC2, 0xC3):
            if type1 == V:
                assert isinstance(operand, VariableReference)
                self.operands(operand, value)
            self.give(I if type1 == E else type1, value if type1 == E else NONE)
        elif opcode == 0x86:
            self.duplicate(type1, value)
        elif opcode == 0x99:
            for _ in range((value & 0xFF) + 2):
                self.take(V)
            self.give(V)
        elif opcode == 0x9E:
            self.take(type1)
        elif opcode == 0xD9:
            assert isinstance(operand, FunctionReference)
            self.call(operand.name, value)
        elif opcode == 0xFF:
            self.extended(value)
        else:
            raise self.fail("unknown")
        self.go(self.index + 1)

    def leave(self, opcode: int) -> None:
        if opcode == 0x9C:
            self.take(V)
        lenient = self.dialect.switch_default_exit_keeps_value or not self.dialect.gml_v2
        if self.stack and not lenient:
            raise self.fail(f"leaves {self.stack} behind")

    def pop(self, instruction: Instruction) -> None:
        if instruction.type1 == E:  # a swap
            values = [self.stack.pop() for _ in range(instruction.value - 2)]
            top, *rest = values
            self.stack += [top, *reversed(rest[1:]), rest[0]]
            return
        assert isinstance(instruction.operand, VariableReference)
        if instruction.type1 == V:
            self.operands(instruction.operand, instruction.value)
            self.take(instruction.type2)
        else:
            self.take(instruction.type2)
            self.operands(instruction.operand, instruction.value)

    def duplicate(self, type_: int, value: int) -> None:
        low, high = value & 0xFF, value >> 8 & 0x7F
        if not value >> 8 & 0x80:
            block = self.block((low + 1) * SIZES[type_])
            self.stack += block * 2
        else:
            unit = 16 if type_ == E else SIZES[type_]
            first, second = low * unit, (high >> 3) * unit
            if type_ == E:
                first, second = second, first
            top = self.block(first)
            below = self.block(second)
            self.stack += top + below

    def call(self, name: str, count: int) -> None:
        for _ in range(count):
            self.take(V)
        if name == "@@CopyStatic@@":
            self.take(V)
        elif name == "@@try_hook@@":
            finish = self.code.instructions[self.index - 4].operand
            catch = self.code.instructions[self.index - 2].operand
            assert isinstance(finish, int) and isinstance(catch, int)
            self.go(self.at[finish])
            if catch != -1:
                self.waiting.append((self.at[catch], (*self.stack, (V, NONE))))
            self.give(V)
        elif name in ("@@throw@@", "@@SetStatic@@"):
            pass
        elif name not in ("@@try_unhook@@", "@@finish_catch@@") or not self.leaving():
            self.give(V)

    def leaving(self) -> bool:
        """Whether what follows only undoes what is around and leaves: the compilers let no
        ``popz`` follow the call in front of an early exit.
        """
        popped = 0
        for instruction in self.code.instructions[self.index + 1 :]:
            if instruction.opcode == 0x9E:
                popped += 1
            elif instruction.opcode != 0xBB and (instruction.opcode, instruction.value) != (
                0xFF,
                -7,
            ):
                return popped == 0 or (instruction.opcode == 0x9D and popped <= len(self.stack))
        return False

    def extended(self, number: int) -> None:
        if number in (-2, -4):
            self.take(I)
            self.take(V)
            self.give(V)
        elif number == -3:
            self.take(I)
            self.take(V)
            self.take(V)
        elif number == -5:
            self.take(I)
        elif number in (-6, -10):
            self.give(B)
        elif number == -11:
            self.give(V)


def check_stack(code: Code, dialect: Dialect) -> None:
    """Raise Unsound where the stack of a code entry does not work out."""
    Machine(code, dialect).run()
