"""Stretches of instructions.

A compiler lays every construct out in one piece, so a stretch of code is read from left to right:
straight-line instructions work on a simulated stack, and the target of a branch, and what stands
just before that target, decide which construct begins here and where its parts end.  No jump is
ever threaded through another, so a target beyond the end of the current stretch can only leave it:
``break`` or ``continue``.  Every instruction is read once; nothing is tried twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from overhaul.gml.decompiler import opcodes as op
from overhaul.gml.decompiler.fragment import RootEntry
from overhaul.gml.decompiler.lift.scope import Frame, Value
from overhaul.gml.decompiler.unstructured import MAXIMUM_DEPTH, StructureError
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import Instruction

Handler = Callable[[Instruction, int], int]
"""Reads an instruction (and what belongs to it) at an index; returns the index behind."""
LOOP_HEAD: Final = -1
"""The key of the handler of places that a later branch jumps back to, next to the opcodes."""


class Construct(Enum):
    """A statement that ``break`` or ``continue`` can leave."""

    DO = 1
    WHILE = 2
    """or ``for``"""
    REPEAT = 3
    WITH = 4
    SWITCH = 5
    ONCE = 6
    """The loop around a part of a try, which runs once."""


@dataclass
class Breakable:
    """A construct that ``break`` or ``continue`` can leave, while its body is being read.

    Targets are instruction indices, -1 while unknown.  The ``continue`` of a ``for`` jumps forward,
    to a place that only such a jump shows: it sets ``step``.  ``counted``: the loop counts a
    variable up or down at its end that was set just before it, so that it may well be a ``for``.
    ``in_default``: the body being read is that of a switch's ``default``; None while that may be
    the label of a case as well.
    """

    kind: Construct
    break_target: int
    continue_target: int
    tail: int
    parent: Breakable | None
    counted: bool = False
    continued: bool = False
    step: int = -1
    in_default: bool | None = False

    def undone(self, count: int) -> None:
        """Note an exit inside, before which ``count`` values are taken off the stack.

        The newest compilers forget the value of a switch in its ``default``: whether that or a
        case was the last label of a body shows in how many values there are.
        """
        kinds = (Construct.SWITCH, Construct.REPEAT)
        counted = [outer for outer in self.around() if outer.kind in kinds]
        forgotten = sum(not outer.in_default for outer in counted) - count
        for outer in counted:
            if outer.in_default is None:
                outer.in_default = forgotten > 0
                forgotten -= 1

    def around(self) -> Iterator[Breakable]:
        """This construct and those that it is in, innermost first."""
        outer: Breakable | None = self
        while outer is not None:
            yield outer
            outer = outer.parent

    def may_leave(self, target: int) -> bool:
        """Whether a jump forward to ``target`` may be a ``break`` or ``continue`` of this one."""
        if target in (self.break_target, self.continue_target):
            return True
        steps = self.kind in (Construct.WHILE, Construct.DO)
        return steps and target <= self.tail and self.step in (-1, target)

    def takes_continue(self, index: int, target: int) -> bool:
        """Whether a jump at ``index`` is a ``continue``; learns where the step of a for stands."""
        if target == self.continue_target:
            self.continued = True
            return True
        if self.kind not in (Construct.WHILE, Construct.DO) or not index < target <= self.tail:
            return False
        if self.step not in (-1, target):
            return False
        self.step = target
        return True


@dataclass
class Else:
    """An if whose else part is being read, and the state that it interrupted.

    ``body`` and ``rest``: statements of the first part, and the values that it leaves.
    """

    condition: Value
    body: list[tree.Statement]
    rest: list[Value]
    begin: int
    out: list[tree.Statement]
    end: int
    height: int


@dataclass
class Blocks:
    """Reads stretches of instructions into lists of statements.

    ``handlers``: by opcode, filled by those who know the instructions.  ``end``: of the current
    stretch.  ``elses``: ifs whose else parts are being read in it.  ``open_shorts``: ends and
    operands of the ``&&`` and ``||`` being read.
    """

    entry: RootEntry
    frame: Frame
    handlers: dict[int, Handler] = field(default_factory=dict)
    end: int = 0
    elses: list[Else] = field(default_factory=list)
    breakable: Breakable | None = None
    open_shorts: list[tuple[int, list[Value]]] = field(default_factory=list)
    _nesting: int = 0

    def __post_init__(self) -> None:
        self.flow = self.entry.flow
        self.dialect: Dialect = self.entry.dialect

    def block(
        self, start: int, end: int, salvage: bool = False
    ) -> tuple[list[tree.Statement], list[Value]]:
        """Read ``start`` up to ``end``: its statements, and the values it leaves on the stack.

        ``salvage``: what can't be read becomes a comment behind the statements before it; otherwise
        StructureError is raised, or IndexError where a value is missing on the stack.
        """
        frame = self.frame
        outer = frame.out, frame.stack, frame.begin
        around = self.end, self.elses, self.breakable
        shorts = len(self.open_shorts)
        out: list[tree.Statement] = []
        stack: list[Value] = []
        frame.out, frame.stack, frame.begin = out, stack, start
        self.end, self.elses = end, []
        self._nesting += 1
        try:
            self._run(start)
            return out, stack
        except (StructureError, IndexError) as problem:
            if not salvage:
                raise
            begin = self.elses[0].begin if self.elses else frame.begin
            out.append(self.entry.unstructured(problem, begin, end))
            return out, []
        finally:
            self._nesting -= 1
            frame.out, frame.stack, frame.begin = outer
            self.end, self.elses, self.breakable = around
            del self.open_shorts[shorts:]

    def _run(self, index: int) -> None:
        """Read instructions up to the end of the current stretch."""
        if self._nesting > MAXIMUM_DEPTH:
            raise StructureError(f"statements nest deeper than {MAXIMUM_DEPTH}")
        instructions, handlers, loops = self.flow.instructions, self.handlers, self.flow.loops
        while True:
            while index < self.end:
                instruction = instructions[index]
                if loops and index in loops:
                    handler = handlers.get(LOOP_HEAD)
                else:
                    handler = handlers.get(instruction.opcode)
                if handler is None:
                    raise StructureError(f"an unknown opcode {instruction.opcode:#x}")
                index = handler(instruction, index)
            if index > self.end:
                raise StructureError(f"a construct runs over its end at {self.flow.where(index)}")
            if not self.elses:
                break
            self.close_else(index)

    def run_inline(self, start: int, end: int) -> list[tree.Statement]:
        """Read a stretch that may use the values below it on the stack, and leaves none."""
        frame = self.frame
        outer = frame.out, self.end
        frame.out, self.end = [], end
        index = start
        while index < end:
            instruction = self.flow.instructions[index]
            handler = self.handlers.get(instruction.opcode)
            if handler is None:
                raise StructureError(f"an unknown opcode {instruction.opcode:#x}")
            index = handler(instruction, index)
            while index == self.end and self.elses and self.end < end:
                self.close_else(index)
        out = frame.out
        frame.out, self.end = outer
        if frame.stack:
            raise StructureError("??= of an unknown shape")
        return out

    def statements(self, start: int, end: int) -> list[tree.Statement]:
        """Read a stretch that may leave no value."""
        out, rest = self.block(start, end, salvage=True)
        if rest:
            problem = StructureError(f"values are left on the stack at {self.flow.where(end)}")
            return [self.entry.unstructured(problem, start, end)]
        return out

    def body(self, start: int, end: int, breakable: Breakable) -> list[tree.Statement]:
        """Read the body of a construct that ``break`` or ``continue`` may leave."""
        outer = self.breakable
        self.breakable = breakable
        try:
            return self.statements(start, end)
        finally:
            self.breakable = outer

    def function_body(self, start: int, end: int) -> list[tree.Statement]:
        """Read the body of a function.  Loops around it are not its own, and owners of arrays
        that it marks are others, even with the same numbers."""
        frame = self.frame
        outer = self.breakable, self.open_shorts, frame.owner
        self.breakable, self.open_shorts = None, []
        try:
            return self.statements(start, end)
        finally:
            self.breakable, self.open_shorts, frame.owner = outer

    def value(self, start: int, end: int, problem: str) -> Value:
        """Read a stretch that leaves one value and has no statements."""
        out, rest = self.block(start, end)
        if out or len(rest) != 1:
            raise StructureError(problem)
        return rest[0]

    def close_else(self, index: int) -> None:
        """The else part is read: make the if, or the ``?:``."""
        frame = self.frame
        record = self.elses.pop()
        otherwise = frame.out
        frame.out, frame.begin, self.end = record.out, record.begin, record.end
        height = record.height + (1 if record.rest else 0)
        unequal = len(frame.stack) != height or len(record.rest) > 1
        if unequal or (record.rest and (record.body or otherwise)):
            raise StructureError(f"the branches to {self.flow.where(index)} leave unequal stacks")
        if record.rest:
            then, other = record.rest[0], frame.stack.pop()
            node = tree.Conditional(record.condition.node, then.node, other.node)
            value = frame.grow(Value(node, op.VARIABLE), record.condition, then, other)
            frame.stack.append(value)
            return
        last: tree.Statement
        if len(otherwise) == 1 and type(otherwise[0]) is tree.If:
            last = otherwise[0]
        else:
            last = tree.Block(otherwise)
        frame.emit(tree.If(record.condition.node, tree.Block(record.body), last), index)

    def remark(self, what: str, index: int) -> int:
        """Show an instruction that has no source and no effect in a comment."""
        problem = StructureError(f"{what} at {self.flow.where(index)}")
        if self.frame.stack:
            raise problem
        self.frame.out.append(self.entry.unstructured(problem, self.frame.begin, index + 1))
        self.frame.begin = index + 1
        return index + 1
