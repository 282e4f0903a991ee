"""The statements of a function, by the shapes that the compiler gives them.

Each statement has one shape of jumps, and code stands in the order of the source.  So a function
is read from its beginning to its end: straight code by :class:`.machine.Machine`, and at a jump, or
where a loop jumps back to, what its shape says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from overhaul.ags.decompiler.code import (
    JUMP,
    JUMP_NOT_ZERO,
    JUMP_ZERO,
    LAST_LINE,
    LINE,
    VARIADIC,
    Code,
    Function,
    Instruction,
)
from overhaul.ags.decompiler.nodes import (
    Assign,
    Block,
    Braces,
    Case,
    Constant,
    Declare,
    Do,
    Expression,
    If,
    Increase,
    Leave,
    Place,
    Return,
    Statement,
    Switch,
    Variable,
    While,
)
from overhaul.ags.decompiler.shapes import Loop, Shapes
from overhaul.ags.decompiler.state import AX, BX, OLD, SP, THIS
from overhaul.ags.script.tables import BY_NAME

#: How deep statements may be nested.
_DEEPEST: Final = 40
_MOVE, _LITERAL, _RETURN = (BY_NAME[name].number for name in ("mov", "movl", "ret"))
_PUSH, _SUBTRACT = (BY_NAME[name].number for name in ("push", "subi"))
_UNEQUAL: Final = {BY_NAME["cmpne"].number: False, BY_NAME["strne"].number: True}
_NO_LOOP_CHECK: Final = BY_NAME["loopcheckoff"].number
#: The statements that the head of ``for`` may have.
_SIMPLE: Final = (Assign, Increase)


@dataclass(slots=True)
class Body:
    """A function as statements.  ``line`` is that of its opening brace, ``end`` of the closing."""

    function: Function
    block: Block
    parameters: list[Variable]
    variables: list[Variable]
    line: int
    end: int
    is_method: bool
    loop_check_off: bool
    uses: list[tuple[Place, str]]


def structure(code: Code, number: int) -> Body:
    """The statements of a function; Unstructured where they are none."""
    return _Structure(code, code.function(number)).body()


class _Structure(Shapes):
    """Reads a function from its beginning to its end."""

    def body(self) -> Body:
        code = self.instructions
        end = self._epilogue()
        loop_check_off = any(i.opcode == _NO_LOOP_CHECK for i in code[:4])
        self._find_loops(end)
        block = self.block(end)
        line = code[0].a if code and code[0].opcode == LINE else 0
        self.at = end
        self._finish_releases(end)
        block.end = self.line if self.marks != self.noted else 0
        block.released = self.released
        hidden = [entry for entry in self.stack if isinstance(entry, Variable)]
        count = self.function.name.parameters
        count = count % VARIADIC if count >= 0 else 1 + max(self.parameters, default=-1)
        parameters = [
            self.parameters.get(i) or Variable(self.function.number, i, -4 * (i + 2), 4, True)
            for i in range(count)
        ]
        is_method = any(entry.number == THIS for entry in hidden)
        return Body(
            self.function, block, parameters, self.variables, line, block.end, is_method,
            loop_check_off, self.uses,
        )  # fmt: skip

    def block(self, end: int, *, keep: bool = False, merge: bool = True) -> Block:
        """The statements up to an instruction, as the body of a statement (or of the function).

        ``keep``: ``ax`` keeps what a condition leaves there.  ``merge``: variables of braces that
        end where the block does are the block's.
        """
        self.nesting += 1
        if self.nesting > _DEEPEST:
            raise self.fail("statements are nested too deep")
        outer, self.out = self.out, []
        known = len(self.stack)
        self._run(end)
        if self.at != end:
            raise self.fail("a statement leaves its block")
        if not keep:
            self.flush()
        if self.pending is not None:
            raise self.fail("a declaration has no end")
        self.nesting -= 1
        block = Block(self.out, 0)
        self.out = outer
        if self.nesting:
            if len(self.stack) != known:
                raise self.fail("a block ends with another stack")
            if self.marks != self.noted:
                block.end = 0 if keep else self.line
            elif merge:
                _merge_last(block)
        return block

    def _run(self, end: int) -> None:
        code, handlers = self.instructions, self.handlers
        while self.at < end:
            at = self.at
            if at in self.tops:
                self.flush()
                self._loop(at, self.tops.pop(at), end)
                continue
            if at in self.copies:
                self._continue(self.copies[at], end)
                continue
            instruction = code[at]
            opcode = instruction.opcode
            handler = handlers.get(opcode)
            if handler is not None:
                handler(self, instruction)
                self.at += 1
            elif opcode == LINE:
                if not 0 <= instruction.a <= LAST_LINE:
                    raise self.fail("a line has an unusual number")
                self.flush()
                self.line = instruction.a
                self.marks += 1
                self.at += 1
            else:
                self._control(instruction, end)

    def _control(self, instruction: Instruction, end: int) -> None:
        opcode = instruction.opcode
        if opcode in (JUMP_ZERO, JUMP_NOT_ZERO):
            if self._is_logic():
                self.unused = None
                self.at += 1
            elif opcode == JUMP_ZERO:
                self._if(instruction.a, end)
            else:
                raise self.fail("a jump that no statement has")
        elif opcode == JUMP:
            self._jump(instruction, end)
        elif opcode == _SUBTRACT:
            self._subtract(instruction, end)
        elif opcode == _RETURN:
            if self.registers[AX] is None and self.code.script.version <= OLD:
                self.registers[AX] = Constant(0)
            value = self.value(AX)
            self.out.append(Return(*self.where(), value, self.released))
            self.released = []
            self.at += 1
        else:
            raise self.fail("an instruction that no statement has")

    def _subtract(self, instruction: Instruction, end: int) -> None:
        size = instruction.b
        if instruction.a != SP:
            self._subtract_number(instruction)
            return
        if size > 0 and self.stack and not isinstance(self.stack[-1], Variable):
            self._drop_arguments(size)
        elif self.instructions[self.at + 1].opcode != _RETURN:
            self.flush()
            is_head = self._ends_head(size)
            if is_head or self.at + 1 >= end or self._leaves(self.at + 1) in (0, end):
                self._close(size)
        self.at += 1

    def _ends_head(self, size: int) -> bool:
        """Whether a variable of the head of ``for`` ends: that is right behind the loop."""
        loop = self.out[-1] if self.out else None
        first = loop.first if isinstance(loop, While) else None
        return (
            isinstance(first, Declare)
            and bool(self.stack)
            and self.stack[-1] is first.variable
            and first.variable.size == size
            and self.instructions[self.at - 1].opcode == JUMP
        )

    def _if(self, target: int, end: int) -> None:
        code = self.instructions
        condition = self.value(AX)
        line, marked = self.where()
        if not self.at < target <= end:
            raise self.fail("a condition jumps out of its block")
        self.at += 1
        last = code[target - 1]
        otherwise: Block | None = None
        if (
            last.opcode == JUMP
            and target <= last.a <= end
            and target - 1 >= self.at
            and not self._is_head(target - 1)
            and not (last.a == target and self._is_target(self.at, target))
        ):
            then = self.block(target - 1)
            self.noted = self.marks
            self.at = target
            otherwise = self.block(last.a)
        else:
            then = self.block(target)
        self.out.append(If(line, marked, condition, then, otherwise))

    def _loop(self, top: int, jump: int, end: int) -> None:
        """``while`` or ``for``: a condition, and a jump back to it behind the body."""
        code = self.instructions
        if not top < jump < end:
            raise self.fail("a loop leaves its block")
        test = top
        while test < jump and not (code[test].opcode == JUMP_ZERO and code[test].a == jump + 1):
            test += 1
        if test == jump:
            raise self.fail("a loop has no condition")
        before = len(self.out)
        self._run(test)
        if self.at != test or len(self.out) != before:
            raise self.fail("a loop has no condition")
        condition = self.value(AX)
        line, marked = self.where()
        self.at += 1
        self.loops.append(Loop(test, top))
        body = self.block(jump, merge=False)
        self.loops.pop()
        self.noted = self.marks
        self.at = jump + 1
        loop = While(line, marked, condition, body)
        self.out.append(loop)
        copied = any(code[number].a == top for number in self.copies.values())
        may_be_for = top not in self.plain and code[jump - 1].opcode != LINE
        if copied or (may_be_for and self._is_for(loop, code[top])):
            self._make_for(loop, code[top].opcode == LINE)
        _merge_last(body)

    def _is_for(self, loop: While, top: Instruction) -> bool:
        """Whether the lines say that a loop is ``for``: its head is in one line, and no line
        begins behind its last statement."""
        statements = loop.body.statements
        if not statements or not isinstance(statements[-1], _SIMPLE):
            return False
        if top.opcode == LINE:
            return len(statements) > 1 and statements[-1].marked
        return self._first() is not None

    def _first(self) -> Statement | None:
        """The statement before a loop, if it can be the first in the head of ``for``: a variable of
        the head ends behind the loop."""
        first = self.out[-2] if len(self.out) > 1 else None
        if isinstance(first, Declare):
            behind = self.instructions[self.at]
            ends = (_SUBTRACT, SP, first.variable.size)
            return first if (behind.opcode, behind.a, behind.b) == ends else None
        return first if isinstance(first, _SIMPLE) else None

    def _make_for(self, loop: While, marked_top: bool) -> None:
        statements = loop.body.statements
        if not statements or not isinstance(statements[-1], _SIMPLE):
            raise self.fail("a loop continues, but not at its last statement")
        loop.is_for = True
        last = loop.next = statements.pop()
        loop.body.end = last.line if last.marked else 0
        first = None if marked_top else self._first()
        if first is not None:
            loop.first = first
            loop.line, loop.marked = first.line, first.marked
            del self.out[-2]

    def _jump(self, instruction: Instruction, end: int) -> None:
        code, at = self.instructions, self.at
        before = code[at - 1] if at else None
        behind = code[at + 1] if at + 1 < len(code) else None
        if behind is not None and behind.opcode == JUMP and at < instruction.a:
            if before is not None and before.opcode == _MOVE and before[1:3] == (AX, BX):
                self._switch(instruction.a, behind.a, end)
                return
            if instruction.a == at + 2 < behind.a:
                self._do(behind.a, end)
                return
        if before is not None and before[:3] == (_LITERAL, AX, 0) and instruction.a <= at:
            self._leave(instruction.a)
            self.at += 1
            return
        raise self.fail("a jump that no statement has")

    def _leave(self, target: int) -> None:
        self.unused = None
        self.registers[AX] = None
        released, self.released = self.released, []
        if self.loops and self.loops[-1].leave == target:
            word = "break"
        else:
            again = next((loop.again for loop in reversed(self.loops) if loop.again >= 0), -1)
            if again != target:
                raise self.fail("a jump that no statement has")
            word = "continue"
        self.out.append(Leave(*self.where(), word, released))

    def _continue(self, jump: int, end: int) -> None:
        """``continue`` in ``for``, whose last statement is copied before its jump."""
        if jump >= end:
            raise self.fail("a jump that no statement has")
        self.flush()
        self._leave(self.instructions[jump].a)
        self.at = jump + 1

    def _do(self, behind: int, end: int) -> None:
        code, at = self.instructions, self.at
        jump = behind - 1
        test = code[jump]
        if behind > end or test.opcode != JUMP_NOT_ZERO or test.a != at + 2:
            raise self.fail("a loop has no condition")
        self.flush()
        line, marked = self.where()
        self.at += 2
        self.loops.append(Loop(at + 1, at + 2))
        body = self.block(jump, keep=True)
        self.loops.pop()
        condition = self.value(AX)
        last = self.line if self.marks != self.noted else 0
        self.noted = self.marks
        self.at = behind
        self.out.append(Do(line, marked, body, condition, last))

    def _switch(self, table: int, behind: int, end: int) -> None:
        head = self.at
        value = self.value(BX)
        line, marked = self.where()
        if not head + 1 < table <= behind <= end:
            raise self.fail("a switch leaves its block")
        cases, is_text, line_end = self._cases(table, behind, value)
        code = self.instructions
        last = table
        jump = code[table - 1]
        is_left = False
        if jump.opcode == JUMP and jump.a == behind and table - 1 > head + 1:
            last = table - 1
            is_left = code[last - 1][:3] == (_LITERAL, AX, 0) and last - 1 > head + 1
            last -= is_left
        labels = sorted(cases)
        empty = 0
        if labels and last < labels[-1] <= table:
            # Nothing follows the last label.
            if labels[-1] == table and is_left and len(labels) > 1:
                empty = labels.pop()
            else:
                last, is_left = labels[-1], False
        self.at = head + 2
        between = code[self.at : labels[0]] if labels else []
        if between and all(instruction.opcode == LINE for instruction in between):
            # The jump to a label that has only a line before it leads behind the line.
            cases[self.at] = cases.pop(labels[0])
            labels[0] = self.at
        if labels and (labels[0] != self.at or labels[-1] > last):
            raise self.fail("a switch has code that no case has")
        self.loops.append(Loop(head + 1, -1))
        made = []
        for label, following in zip(labels, [*labels[1:], last], strict=True):
            if self.at != label:
                raise self.fail("a case begins in a statement")
            merge = not is_left or following != last
            made.append(Case(cases[label], self.block(following, merge=merge)))
        if made:
            line_end = line_end or made[-1].body.end
            made[-1].body.end = 0 if is_left else made[-1].body.end
        if is_left and made:
            made[-1].body.statements.append(Leave(*self.where(), "break", []))
        if empty:
            made.append(Case(cases[empty], Block([], 0)))
        self.loops.pop()
        if not labels:
            self._run(last)
        if not line_end and self.marks != self.noted:
            line_end = self.line
        self.noted = self.marks
        self.at = behind
        self.out.append(Switch(line, marked, value, made, is_text, line_end))

    def _cases(
        self, table: int, behind: int, value: Expression
    ) -> tuple[dict[int, list[tuple[Expression | None, int]]], bool, int]:
        """The values that lead to each place with their lines, from the table of a switch, whether
        they are texts, and the line in which the statement ends (0: not known)."""
        code = self.instructions
        cases: dict[int, list[tuple[Expression | None, int]]] = {}
        is_text = False
        ends: list[int] = []
        last = max((i.a for i in code[self.at : table] if i.opcode == LINE), default=1 << 30)
        self.at = table
        while self.at < behind:
            line = 0
            while code[self.at].opcode == LINE and self.at < behind - 1:
                ends.append(line)
                line = code[self.at].a
                self.at += 1
            if not cases and line > last:
                ends.append(line)
                line = 0
            instruction = code[self.at]
            if instruction.opcode == JUMP and self.at == behind - 1:
                cases.setdefault(instruction.a, []).append((None, line))
                break
            if instruction[:2] != (_PUSH, BX):
                raise self.fail("malformed switch table")
            self.registers[BX] = value
            tested = self.at
            while tested < behind and code[tested].opcode not in _UNEQUAL:
                tested += 1
            if tested + 1 >= behind or code[tested + 1].opcode != JUMP_ZERO:
                raise self.fail("malformed switch table")
            self._run(tested)
            if self.at != tested or self.registers[BX] is not value:
                raise self.fail("malformed switch table")
            is_text = is_text or _UNEQUAL[code[tested].opcode]
            cases.setdefault(code[tested + 1].a, []).append((self.value(AX), line))
            self.at = tested + 2
        return cases, is_text, max(ends, default=0)


def _merge_last(block: Block) -> None:
    """Let the variables of a last statement in braces be those of the block around it: both end at
    the same place."""
    inner = block.statements[-1] if block.statements else None
    if isinstance(inner, Braces) and block.end in (0, inner.body.end):
        block.statements.pop()
        block.statements += inner.body.statements
        block.released = inner.body.released
        block.end = block.end or inner.body.end
