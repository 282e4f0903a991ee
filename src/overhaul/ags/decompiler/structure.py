"""The statements of a function: what :mod:`.regions` found, with what :mod:`.machine` computes.

Code stands in the order of the source, so a function is read from its beginning to its end:
straight code by the machine, and at a jump, or where a loop jumps back to, the statement that it
belongs to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NamedTuple

from overhaul.ags.decompiler.code import (
    JUMP,
    LINE,
    VARIADIC,
    Code,
    Function,
    Instruction,
)
from overhaul.ags.decompiler.machine import Machine
from overhaul.ags.decompiler.nodes import (
    Address,
    Assign,
    Block,
    Braces,
    Case,
    Constant,
    Declare,
    Do,
    If,
    Increase,
    Leave,
    MemoryPlace,
    Return,
    Statement,
    Switch,
    This,
    Variable,
    While,
    same,
)
from overhaul.ags.decompiler.regions import Branch, Choice, regions
from overhaul.ags.decompiler.regions import Do as DoRegion
from overhaul.ags.decompiler.regions import Leave as LeaveRegion
from overhaul.ags.decompiler.regions import Loop as LoopRegion
from overhaul.ags.decompiler.state import AX, BX, OLD, SP, THIS
from overhaul.ags.decompiler.switches import TableReader
from overhaul.ags.script.tables import BY_NAME

#: The version of scripts since which there are loops besides ``while``.
_LOOPS: Final = 90
#: How deep statements may be nested.
_DEEPEST: Final = 40
_LITERAL, _RETURN = (BY_NAME[name].number for name in ("movl", "ret"))
_SUBTRACT: Final = BY_NAME["subi"].number
_NO_LOOP_CHECK: Final = BY_NAME["loopcheckoff"].number
_RELEASES: Final = frozenset(
    BY_NAME[name].number for name in ("memwrite.ptr.0", "memwrite.ptr.0.nd")
)
_ADDRESSES: Final = frozenset(BY_NAME[name].number for name in ("load.sp.offs", "addi"))
#: The statements that the head of ``for`` may have.
_SIMPLE: Final = (Assign, Increase)


@dataclass(slots=True)
class Body:
    """A function as statements.  ``line`` is that of its opening brace, ``end`` of the closing;
    ``uses`` are the places that it uses, and how, ``objects`` what it calls members of, and the
    owners of these; ``old_switches``: an editor before 3.4.1 made it."""

    function: Function
    block: Block
    parameters: list[Variable]
    variables: list[Variable]
    line: int
    end: int
    is_method: bool
    loop_check_off: bool
    uses: list[tuple[MemoryPlace, str]]
    objects: list[tuple[Address | This, str]]
    old_switches: bool


class _Continue(NamedTuple):
    """A ``continue``, its jump, its line (0: not known), and the assignment right before it, which
    may be the copy of what ``for`` does last; ``certain``: it can be nothing else, for the
    variables of the loop have ended."""

    statement: Leave
    jump: int
    line: int
    copy: Statement | None
    certain: bool


@dataclass(slots=True)
class _Around:
    """A statement around the code at hand: where ``break`` and ``continue`` jump to (-1: it takes
    none)."""

    leave: int
    again: int
    continues: list[_Continue] = field(default_factory=list)


def structure(code: Code, number: int) -> Body:
    """The statements of a function; Unstructured where they are none."""
    return _FunctionReader(code, code.function(number)).body()


class _FunctionReader:
    """Reads a function from its beginning to its end."""

    def __init__(self, code: Code, function: Function) -> None:
        self.machine = Machine(code, function)
        self.code = function.code
        self.end = _epilogue(self.machine)
        self.regions = regions(function.code)
        self.around: list[_Around] = []
        self.nesting = 0
        #: How many statements there were when variables were freed for a jump, and its line.
        self.freed = 0
        self.freed_line = 0

    def body(self) -> Body:
        code, machine, function = self.code, self.machine, self.machine.function
        loop_check_off = any(i.opcode == _NO_LOOP_CHECK for i in code[:4])
        block = self.block(self.end)
        line = code[0].a if code and code[0].opcode == LINE else 0
        self._finish_releases()
        block.end = machine.line if machine.marks != machine.noted else 0
        block.released = machine.end_function()
        hidden = [entry for entry in machine.stack if isinstance(entry, Variable)]
        count = function.name.parameters
        count = count % VARIADIC if count >= 0 else 1 + max(machine.parameters, default=-1)
        parameters = [
            machine.parameters.get(i) or Variable(function.number, i, -4 * (i + 2), 4, True)
            for i in range(count)
        ]
        is_method = any(entry.number == THIS for entry in hidden)
        return Body(
            function, block, parameters, machine.variables, line, block.end, is_method,
            loop_check_off, machine.uses, machine.objects, self.regions.old_switches,
        )  # fmt: skip

    def _finish_releases(self) -> None:
        """Run the releases that a function ends with."""
        machine = self.machine
        for number in range(self.end, len(self.code) - 1):
            instruction = self.code[number]
            machine.at = number
            if instruction.opcode == _LITERAL:
                continue
            if instruction.opcode == _SUBTRACT:
                locals_ = sum(e.size for e in machine.stack if isinstance(e, Variable))
                if instruction.b != locals_ or machine.depth != locals_:
                    raise machine.fail("the function ends with another stack")
            else:
                machine.handlers[instruction.opcode](machine, instruction)

    def block(self, end: int, *, keep: bool = False, merge: bool = True) -> Block:
        """The statements up to an instruction, as the body of a statement (or of the function).

        ``keep``: ``ax`` keeps what a condition leaves there.  ``merge``: variables of braces that
        end where the block does are the block's.
        """
        machine = self.machine
        self.nesting += 1
        if self.nesting > _DEEPEST:
            raise machine.fail("statements are nested too deep")
        outer, machine.out = machine.out, []
        known, empty = len(machine.stack), len(machine.empty)
        self._run(end)
        if machine.at != end:
            raise machine.fail("a statement leaves its block")
        if not keep:
            machine.flush()
        if machine.pending is not None:
            raise machine.fail("a declaration has no end")
        self.nesting -= 1
        del machine.empty[empty:]
        block = Block(machine.out, 0)
        machine.out = outer
        if self.nesting:
            if len(machine.stack) != known:
                raise machine.fail("a block ends with another stack")
            if machine.marks != machine.noted:
                block.end = 0 if keep else machine.line
            elif merge:
                _merge_last(block)
        return block

    def _run(self, end: int) -> None:
        code, machine, loops = self.code, self.machine, self.regions.loops
        handlers = machine.handlers
        while machine.at < end:
            at = machine.at
            if at in loops:
                machine.flush()
                self._loop(at, loops.pop(at), end)
                continue
            instruction = code[at]
            opcode = instruction.opcode
            handler = handlers.get(opcode)
            if handler is not None:
                handler(machine, instruction)
                machine.at += 1
            elif opcode == LINE:
                machine.flush()
                machine.line = instruction.a
                machine.marks += 1
                machine.at += 1
            else:
                self._control(at, instruction, end)

    def _control(self, at: int, instruction: Instruction, end: int) -> None:
        """A jump, a return, or an instruction that ends variables."""
        made = self.regions
        if at in made.logic:
            self.machine.unused = None
            self.machine.at += 1
        elif at in made.branches:
            self._if(made.branches[at], end)
        elif at in made.leaves:
            self._leave(made.leaves[at])
        elif at in made.dos:
            self._do(made.dos[at], end)
        elif at in made.choices:
            self._switch(made.choices[at], end)
        elif instruction.opcode == _SUBTRACT:
            self._subtract(at, instruction)
        elif instruction.opcode == _RETURN:
            self._return()
        else:
            raise self.machine.fail("an instruction that no statement has")

    def _subtract(self, at: int, instruction: Instruction) -> None:
        machine, size = self.machine, instruction.b
        if instruction.a != SP:
            machine.subtract_number(instruction)
        elif machine.stack and not isinstance(machine.stack[-1], Variable):
            machine.drop_arguments(size)
        elif at not in self.regions.frees:
            machine.flush()
            machine.close(size)
        elif self.code[at + 1].opcode != _RETURN:
            machine.flush()
            machine.depth -= size
            self.freed = len(machine.out)
            self.freed_line = machine.line if machine.marks != machine.noted else 0
        machine.at += 1

    def _return(self) -> None:
        machine = self.machine
        if machine.registers[AX] is None and machine.code.script.version <= OLD:
            machine.registers[AX] = Constant(0)
        value = machine.value(AX)
        machine.out.append(Return(*machine.where(), value, machine.end_function()))
        machine.at += 1

    def _if(self, branch: Branch, end: int) -> None:
        machine = self.machine
        condition = machine.value(AX)
        line, marked = machine.where()
        if not branch.then <= branch.otherwise <= branch.behind <= end:
            raise machine.fail("a condition jumps out of its block")
        machine.at += 1
        then = self.block(branch.then)
        otherwise: Block | None = None
        if branch.then != branch.otherwise:
            machine.noted = machine.marks
            machine.at = branch.otherwise
            otherwise = self.block(branch.behind)
        machine.out.append(If(line, marked, condition, then, otherwise))

    # --------------------------------------------------------------------------------------- loops

    def _loop(self, top: int, loop: LoopRegion, end: int) -> None:
        """``while`` or ``for``: a condition, and a jump back to it behind the body."""
        machine = self.machine
        if loop.jump >= end:
            raise machine.fail("a loop leaves its block")
        before = len(machine.out)
        self._run(loop.test)
        if machine.at != loop.test or len(machine.out) != before:
            raise machine.fail("a loop has no condition")
        condition = machine.value(AX)
        line, marked = machine.where()
        machine.at += 1
        around = _Around(loop.test, top)
        self.around.append(around)
        body = self.block(loop.jump, merge=False)
        self.around.pop()
        machine.noted = machine.marks
        machine.at = loop.jump + 1
        made = While(line, marked, condition, body)
        marked_top = self.code[top].opcode == LINE
        made.is_endless = isinstance(condition, Constant) and condition.value == 1
        made.is_endless = made.is_endless and not marked_top
        machine.out.append(made)
        head = self._head_line(made, around.continues, loop)
        ends_with_line = self.code[loop.jump - 1].opcode == LINE
        is_copied = not ends_with_line and self._take_copies(made, around.continues, head)
        if head or is_copied or self._is_for(made, around, loop, marked_top):
            self._make_for(made, None if marked_top or head else self._first())
            if head:
                made.line, made.marked = head, True
                made.body.end = self._line_of(self._line_before(loop.jump) - 1)
        _merge_last(body)

    def _head_line(self, loop: While, continues: list[_Continue], region: LoopRegion) -> int:
        """The line of ``for (; ; assignment)`` that begins in another than what is before it, else
        0: the first instruction with a line is in the assignment, and each copy of it."""
        statements = loop.body.statements
        at = self._line_before(region.jump)
        if not loop.is_endless or at <= region.test or not statements:
            return 0
        if not isinstance(statements[-1], _SIMPLE) or not statements[-1].marked:
            return 0
        line = self.code[at].a
        goes_back = any(i.a > line for i in self.code[region.test : at] if i.opcode == LINE)
        copies = {self._line_of(self._line_before(found.jump)) for found in continues}
        return line if copies == {line} or (goes_back and not copies) else 0

    def _line_before(self, at: int) -> int:
        """The number of the instruction with a line that the last statement before another one
        begins with; -1 if it has none."""
        at -= 1
        while at >= 0 and self.code[at].opcode not in (LINE, JUMP, _RETURN):
            at -= 1
        return at if at >= 0 and self.code[at].opcode == LINE else -1

    def _line_of(self, at: int) -> int:
        """The line that an instruction has, if it is one with a line; else 0."""
        return self.code[at].a if at >= 0 and self.code[at].opcode == LINE else 0

    def _take_copies(self, loop: While, continues: list[_Continue], head: int) -> bool:
        """Whether each ``continue`` of a loop does what the loop does last: that is ``for``, and
        the copies are taken away."""
        statements = loop.body.statements
        last = statements[-1] if statements else None
        copies = [found.copy for found in continues]
        if not copies or not all(copy is not None and same(copy, last) for copy in copies):
            if any(found.certain for found in continues):
                raise self.machine.fail("a loop continues, but not at its last statement")
            return False
        for statement, _, line, copy, _ in continues:
            assert copy is not None
            statement.line, statement.marked = copy.line, copy.marked
            if head:
                statement.line, statement.marked = line or copy.line, line > 0
        for inner in _nested(loop.body):
            inner[:] = [statement for statement in inner if statement not in copies]
        return True

    def _is_for(self, loop: While, around: _Around, region: LoopRegion, marked_top: bool) -> bool:
        """Whether the lines say that a loop is ``for``: its head is in one line, and no line
        begins behind its last statement."""
        statements = loop.body.statements
        if self.machine.code.script.version < _LOOPS or around.continues:
            return False
        if self.code[region.jump - 1].opcode == LINE:
            return False
        if not statements or not isinstance(statements[-1], _SIMPLE):
            return False
        if marked_top:
            return len(statements) > 1 and statements[-1].marked
        return self._first() is not None

    def _first(self) -> Statement | None:
        """The statement before a loop, if it can be the first in the head of ``for``: a variable of
        the head ends behind the loop."""
        out = self.machine.out
        first = out[-2] if len(out) > 1 else None
        if isinstance(first, Declare):
            behind = self.code[self.machine.at]
            ends = (_SUBTRACT, SP, first.variable.size)
            return first if (behind.opcode, behind.a, behind.b) == ends else None
        return first if isinstance(first, _SIMPLE) else None

    def _make_for(self, loop: While, first: Statement | None) -> None:
        loop.is_for = True
        last = loop.next = loop.body.statements.pop()
        loop.body.end = last.line if last.marked else 0
        if first is not None:
            loop.first = first
            loop.line, loop.marked = first.line, first.marked
            del self.machine.out[-2]

    def _do(self, do: DoRegion, end: int) -> None:
        machine, at = self.machine, self.machine.at
        if do.jump >= end:
            raise machine.fail("a loop leaves its block")
        machine.flush()
        line, marked = machine.where()
        machine.at += 2
        self.around.append(_Around(at + 1, at + 2))
        body = self.block(do.jump, keep=True)
        self.around.pop()
        condition = machine.value(AX)
        last = machine.line if machine.marks != machine.noted else 0
        machine.noted = machine.marks
        machine.at = do.jump + 1
        machine.out.append(Do(line, marked, body, condition, last))

    def _leave(self, region: LeaveRegion) -> None:
        """``break`` or ``continue``."""
        machine, around = self.machine, self.around
        machine.unused = None
        machine.registers[AX] = None
        copy = self._copy(region)
        machine.depth += region.size
        released, machine.released = machine.released, []
        if around and around[-1].leave == region.target:
            made = Leave(*machine.where(), "break", released)
        else:
            loop = next((found for found in reversed(around) if found.again >= 0), None)
            if loop is None or loop.again != region.target:
                raise machine.fail("a jump that no statement has")
            made = Leave(*machine.where(), "continue", released)
            at = machine.at
            line = self.freed_line if region.size else self._line_of(self._line_before(at) - 1)
            loop.continues.append(_Continue(made, at, line, copy, bool(region.size and copy)))
        machine.out.append(made)
        machine.at += 1

    def _copy(self, region: LeaveRegion) -> Statement | None:
        """The assignment right before the jump of ``continue``, behind the ends of variables."""
        machine = self.machine
        last = machine.out[-1] if machine.out else None
        if region.size and len(machine.out) == self.freed:
            return None
        return last if isinstance(last, _SIMPLE) and machine.marks == machine.noted else None

    # -------------------------------------------------------------------------------------- switch

    def _switch(self, choice: Choice, end: int) -> None:
        machine = self.machine
        head = machine.at
        value = machine.value(BX)
        line, marked = machine.where()
        if choice.behind > end:
            raise machine.fail("a switch leaves its block")
        old = self.regions.old_switches
        table = TableReader(machine, choice, value, self._run, old=old).read()
        places = sorted(table.labels)
        machine.at = head + 2
        if places and (places[0] != machine.at or places[-1] > choice.end):
            raise machine.fail("a switch has code that no case has")
        self.around.append(_Around(head + 1, -1))
        made: list[Case] = []
        for place, following in pairwise([*places, choice.end]):
            if machine.at != place:
                raise machine.fail("a case begins in a statement")
            first, *others = table.labels[place]
            if made:
                made[-1].brace = first.brace
                made[-1].joined = old and not first.brace
            made.append(Case([first._replace(brace=0), *others], self.block(following)))
        self.around.pop()
        line_end = table.end
        if made:
            line_end = line_end or made[-1].body.end
        else:
            self._run(choice.end)
        if not line_end and machine.marks != machine.noted:
            line_end = machine.line
        machine.noted = machine.marks
        machine.at = choice.behind
        machine.out.append(Switch(line, marked, value, made, table.is_text, line_end))


def _epilogue(machine: Machine) -> int:
    """The number of the instruction that begins what every function ends with: ``return 0``, or, in
    old scripts, ``return``."""
    code = machine.instructions
    at = len(code) - 1
    if at < 0 or code[at].opcode != _RETURN:
        machine.at = max(at, 0)
        raise machine.fail("the function does not end with its return")
    at -= 1
    if at >= 0 and code[at].opcode == _SUBTRACT and code[at].a == SP:
        at -= 1
    behind = at + 1
    while at > 0 and code[at].opcode in _RELEASES and code[at - 1].opcode in _ADDRESSES:
        at -= 2
    ends_with_zero = at >= 0 and code[at][:3] == (_LITERAL, AX, 0)
    return at if ends_with_zero else behind


def _nested(block: Block) -> Iterator[list[Statement]]:
    """The lists of statements in a block, but for those in other loops."""
    yield block.statements
    for statement in block.statements:
        match statement:
            case If(then=then, otherwise=otherwise):
                yield from _nested(then)
                if otherwise is not None:
                    yield from _nested(otherwise)
            case Braces(body=body):
                yield from _nested(body)
            case Switch(cases=cases):
                for case in cases:
                    yield from _nested(case.body)


def _merge_last(block: Block) -> None:
    """Let the variables of a last statement in braces be those of the block around it: both end at
    the same place."""
    inner = block.statements[-1] if block.statements else None
    if isinstance(inner, Braces) and block.end in (0, inner.body.end):
        block.statements.pop()
        block.statements += inner.body.statements
        block.released = inner.body.released
        block.end = block.end or inner.body.end
