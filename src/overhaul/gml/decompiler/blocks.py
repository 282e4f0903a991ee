"""Stretches of instructions, and the branches inside expressions and ifs.

A compiler lays every construct out in one piece, so a stretch of code is read from left to right:
straight-line instructions work on a simulated stack, and a branch tells by its target, and by what
stands just before that target, which construct begins here and where its parts end.  No jump is
ever threaded through another, so a target beyond the end of the current stretch can only leave it:
``break`` or ``continue``.  Every instruction is read once; nothing is tried twice.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable

from overhaul.gml.context import Context
from overhaul.gml.decompiler.calls import Calls
from overhaul.gml.decompiler.evidence import Evidence
from overhaul.gml.decompiler.flags import BREAKING, CONTINUING
from overhaul.gml.decompiler.layout import Layout
from overhaul.gml.decompiler.listing import MARK, listing
from overhaul.gml.decompiler.values import MAXIMUM_DEPTH, Breakable, StructureError, Value
from overhaul.gml.decompiler.variables import BOOLEAN, VARIABLE
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import Code, FunctionReference, Instruction, VariableReference
from overhaul.gml.vm.opcodes import Opcode

_B, _CALL, _POP = int(Opcode.B), int(Opcode.CALL), int(Opcode.POP)
_POPENV = int(Opcode.POPENV)

Handler = Callable[[Instruction, int], int]


def _any_between(indices: list[int], after: int, before: int) -> bool:
    """Whether one of the indices, which ascend, lies between two."""
    first = bisect_right(indices, after)
    return first < len(indices) and indices[first] < before


class _Else:
    """An if whose else part is being read, and what was going on before it."""

    __slots__ = ("begin", "body", "condition", "end", "height", "out", "rest")

    def __init__(
        self, condition: Value, body: list[tree.Statement], rest: list[Value], begin: int,
        out: list[tree.Statement], end: int, height: int,
    ) -> None:  # fmt: skip
        self.condition = condition
        self.body = body
        self.rest = rest
        self.begin = begin
        self.out = out
        self.end = end
        self.height = height


class Blocks(Calls):
    """Reads stretches of instructions into lists of statements."""

    def __init__(self, code: Code, context: Context, layout: Layout, evidence: Evidence) -> None:
        super().__init__(code, context, layout, evidence)
        self.end = 0
        self.elses: list[_Else] = []
        self.nesting = 0
        self.breakable: Breakable | None = None
        self.open_shorts: list[tuple[int, list[Value]]] = []
        self.tries = 0
        self.attempted: Breakable | None = None  # what stands around the innermost of them
        self.finally_marks: list[int] = []  # where tries are hooked, and finally parts end
        self.problems: list[str] = []
        self.landing = set(layout.targets.values())
        self.handlers: dict[int, Handler] = {}

    # -- stretches -----------------------------------------------------------------------------

    def block(
        self, start: int, end: int, salvage: bool = False
    ) -> tuple[list[tree.Statement], list[Value]]:
        """Read ``start`` up to ``end``: its statements, and the values it leaves on the stack.

        ``salvage``: what can't be read becomes a comment behind the statements before it; otherwise
        StructureError is raised, or IndexError where a value is missing on the stack.
        """
        saved = self.out, self.stack, self.end, self.elses, self.begin, self.breakable
        shorts = len(self.open_shorts)
        out: list[tree.Statement] = []
        stack: list[Value] = []
        self.out, self.stack, self.end, self.elses, self.begin = out, stack, end, [], start
        self.nesting += 1
        try:
            self._run(start)
            return out, stack
        except (StructureError, IndexError) as problem:
            if not salvage:
                raise
            if self.elses:
                self.begin = self.elses[0].begin
            out.append(self.unstructured(problem, self.begin, end))
            return out, []
        finally:
            self.nesting -= 1
            self.out, self.stack, self.end, self.elses, self.begin, self.breakable = saved
            del self.open_shorts[shorts:]

    def _run(self, index: int) -> None:
        """Read instructions up to the end of the current stretch."""
        if self.nesting > MAXIMUM_DEPTH:
            raise StructureError(f"statements nest deeper than {MAXIMUM_DEPTH}")
        instructions, handlers, loops = self.instructions, self.handlers, self.layout.loops
        while True:
            while index < self.end:
                if index in loops:
                    index = self.on_loop(index)
                    continue
                instruction = instructions[index]
                handler = handlers.get(instruction.opcode)
                if handler is None:
                    raise StructureError(f"an unknown opcode {instruction.opcode:#x}")
                index = handler(instruction, index)
            if index > self.end:
                raise StructureError(f"a construct runs over its end at {self.place(index)}")
            if not self.elses:
                break
            self.close_else(index)

    def statements(self, start: int, end: int) -> list[tree.Statement]:
        """Read a stretch that may leave no value."""
        out, rest = self.block(start, end, salvage=True)
        if rest:
            self.stack_problem(out, start, end)
        return out

    def stack_problem(self, out: list[tree.Statement], start: int, end: int) -> None:
        """Values are left over: the stretch is not what it seems."""
        problem = StructureError(f"values are left on the stack at {self.place(end)}")
        out[:] = [self.unstructured(problem, start, end)]

    def body(self, start: int, end: int, breakable: Breakable) -> list[tree.Statement]:
        """Read the body of a construct that ``break`` or ``continue`` may leave."""
        outer = self.breakable
        self.breakable = breakable
        try:
            return self.statements(start, end)
        finally:
            self.breakable = outer

    def on_loop(self, index: int) -> int:
        """Read the loop whose head is at ``index``."""
        raise StructureError("the layer that knows the structure is missing")

    def unstructured(self, problem: Exception, start: int, end: int) -> tree.Comment:
        """What stands for a stretch without a structured form."""
        reason = str(problem) if isinstance(problem, StructureError) else "a value is missing"
        self.problems.append(reason)
        text = listing(self.code, self.dialect, start, end)
        comment = tree.Comment(f"{MARK}{reason}\n{text}")
        comment.address = self.layout.offsets[min(start, len(self.instructions))]
        return comment

    def place(self, index: int) -> str:
        """An instruction's place for a message."""
        return f"byte {self.layout.offsets[min(index, len(self.instructions))]}"

    def is_branch(self, index: int, opcode: int, target: int) -> bool:
        """Whether a branch of this kind and target stands at ``index``."""
        return (
            0 <= index < len(self.instructions)
            and self.instructions[index].opcode == opcode
            and self.layout.targets.get(index) == target
        )

    def is_opcode(self, index: int, opcode: int) -> bool:
        """Whether an instruction of this kind stands at ``index``."""
        return 0 <= index < len(self.instructions) and self.instructions[index].opcode == opcode

    def is_call(self, index: int, name: str) -> bool:
        """Whether a call of ``name`` stands at ``index``."""
        if not self.is_opcode(index, _CALL):
            return False
        operand = self.instructions[index].operand
        return type(operand) is FunctionReference and operand.name == name

    def condition(self) -> Value:
        """Take a condition from the stack."""
        value = self.stack.pop()
        self.as_condition(value)
        return value

    # -- if, ?:, && and || ---------------------------------------------------------------------

    def on_bf(self, instruction: Instruction, index: int) -> int:
        """bf: an operand of ``&&``, or the condition of an if or ``?:``."""
        target = self.layout.targets[index]
        if target in self.layout.shorts:
            return self.short_circuit(index, target, "&&")
        condition = self.condition()
        if not index < target <= self.end:
            raise StructureError(f"the branch at {self.place(index)} leads out of its block")
        beyond = self.else_end(index, target)
        begin = self.begin
        if beyond < 0:
            body = self.statements(index + 1, target)
            self.begin = begin
            self.emit(tree.If(condition.node, tree.Block(body)), target)
            return target
        body, rest = self.block(index + 1, target - 1, salvage=True)
        self.elses.append(_Else(condition, body, rest, begin, self.out, self.end, len(self.stack)))
        self.out, self.end, self.begin = [], beyond, target
        return target

    def else_end(self, index: int, target: int) -> int:
        """Where the else part that begins at ``target`` ends; -1 if there is none."""
        last = target - 1
        if last == index or self.instructions[last].opcode != _B:
            return -1
        beyond = self.layout.targets[last]
        if not target <= beyond <= self.end:
            return -1
        if _any_between(self.layout.exits[target], index, last):
            return -1  # the jump belongs to an if inside
        if beyond != target and _any_between(self.layout.jumps.get(target, []), index, last):
            return -1  # an else part inside ends here: the jump leaves its loop
        outer = self.breakable
        if outer is not None and self.sets_flag(last - 1):
            return -1
        empty = last == index + 1
        breaks = empty and outer is not None and outer.break_target == beyond
        if breaks and (self.in_switch() or not self.flagged()):
            return -1
        if empty and outer is not None and self.asks_to_continue(index):
            return -1
        if beyond == target and self.is_call(last - 2, "@@finish_finally@@"):
            return -1
        if self.ends_finally(target, beyond):
            return -1
        if outer is not None and (empty or beyond == target) and self.can_continue(outer, beyond):
            return -1
        return beyond

    def flagged(self) -> bool:
        """Whether a ``break`` or ``continue`` here would set the flag of a try first.

        From 2024.11 on none does in a loop inside the try, but for a ``do``.  (Nor behind a
        ``while``, but there an ``if`` with an ``else`` is as good.)
        """
        if self.tries == 0 or not self.dialect.better_try_break_continue:
            return self.tries > 0
        outer = self.breakable
        while outer is not None and outer is not self.attempted:
            if outer.kind not in ("do", "switch", "once"):
                return False
            outer = outer.parent
        return True

    def in_switch(self) -> bool:
        """Whether a ``break`` here leaves a switch (a ``do`` is not looked at): it sets no flag."""
        outer = self.breakable
        while outer is not None and outer.kind == "do":
            outer = outer.parent
        return outer is not None and outer.kind == "switch"

    def sets_flag(self, index: int) -> bool:
        """Whether a store stands at ``index`` that comes before a jump out of a try statement."""
        operand = self.instructions[index].operand
        return (
            self.fragment.has_try
            and type(operand) is VariableReference
            and operand.name.startswith((BREAKING, CONTINUING))
        )

    def ends_finally(self, start: int, end: int) -> bool:
        """Whether a finally part that began before ``start`` ends before ``end``."""
        marks = self.finally_marks
        if not self.fragment.has_try:
            return False
        if not marks:
            for index in range(len(self.instructions)):
                if self.is_call(index, "@@try_hook@@") or self.is_call(index, "@@finish_finally@@"):
                    marks.append(index)
        begun = 0
        for index in marks[bisect_left(marks, start) : bisect_left(marks, end)]:
            begun += 1 if self.is_call(index, "@@try_hook@@") else -1
            if begun < 0:
                return True
        return False

    def asks_to_continue(self, index: int) -> bool:
        """Whether the branch at ``index`` asks whether a try statement wants the loop continued."""
        if not self.fragment.has_try:
            return False
        for instruction in self.instructions[max(index - 2, 0) : index]:
            operand = instruction.operand
            if type(operand) is VariableReference and operand.name.startswith(CONTINUING):
                return True
        return False

    def can_continue(self, outer: Breakable, target: int) -> bool:
        """Whether a forward jump from here to ``target`` may be a ``continue`` of the loop."""
        if self.flagged():
            return False
        if outer.continue_target == target or outer.step == target:
            return True
        if outer.kind == "do":
            return False
        return (
            outer.counted and outer.step < 0 and self.end == outer.tail and not self.elses
            and target < outer.tail and self.is_one_store(target, outer.tail)
        )  # fmt: skip

    def is_one_store(self, start: int, end: int) -> bool:
        """Whether a stretch is just one assignment or increment."""
        stores = 0
        for instruction in self.instructions[start:end]:
            if _B <= instruction.opcode <= _POPENV:
                return False
            stores += instruction.opcode == _POP
        return stores == 1 and self.is_opcode(end - 1, _POP)

    def close_else(self, index: int) -> None:
        """The else part is read: make the if, or the ``?:``."""
        record = self.elses.pop()
        otherwise = self.out
        self.out, self.end, self.begin = record.out, record.end, record.begin
        height = len(self.stack)
        if record.rest:
            if len(record.rest) != 1 or height != record.height + 1 or record.body or otherwise:
                raise StructureError(f"the branches to {self.place(index)} leave unequal stacks")
            other = self.stack.pop()
            then = record.rest[0]
            node = tree.Conditional(record.condition.node, then.node, other.node)
            value = Value(node, VARIABLE)
            self.stack.append(self.grow(value, record.condition, then, other))
            return
        if height != record.height:
            raise StructureError(f"the branches to {self.place(index)} leave unequal stacks")
        last: tree.Statement
        if len(otherwise) == 1 and type(otherwise[0]) is tree.If:
            last = otherwise[0]
        else:
            last = tree.Block(otherwise)
        self.emit(tree.If(record.condition.node, tree.Block(record.body), last), index)

    def short_circuit(self, index: int, target: int, operator: str) -> int:
        """An operand of ``&&`` or ``||`` ends here; the first one reads all the others."""
        if self.layout.shorts[target] != operator:
            raise StructureError(f"a mixed short circuit ends at {self.place(target)}")
        operand = self.condition()
        if self.open_shorts and self.open_shorts[-1][0] == target:
            self.open_shorts[-1][1].append(operand)
            return index + 1
        if target >= self.end:
            raise StructureError(f"a short circuit leaves its block at {self.place(target)}")
        operands = [operand]
        self.open_shorts.append((target, operands))
        out, rest = self.block(index + 1, target - 1)
        self.open_shorts.pop()
        if out or len(rest) != 1:
            raise StructureError(f"a short circuit of unknown shape ends at {self.place(target)}")
        self.as_condition(rest[0])
        operands += rest
        node = operands[0].node
        if type(node) is tree.Binary and node.operator == operator:
            node.grouped = 1
        depth = operands[0].depth
        for operand in operands[1:]:
            node = tree.Binary(operator, node, operand.node)
        value = self.grow(Value(node, BOOLEAN), *operands[1:])
        value.depth = max(value.depth, depth)
        value.size += operands[0].size
        self.stack.append(value)
        return target + 1
