"""The table of a ``switch``, which follows the statements of its cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from overhaul.ags.decompiler.code import JUMP, JUMP_ZERO, LINE
from overhaul.ags.decompiler.machine import Machine
from overhaul.ags.decompiler.nodes import Expression, Label
from overhaul.ags.decompiler.regions import Choice
from overhaul.ags.decompiler.state import AX, BX
from overhaul.ags.script.tables import BY_NAME

_PUSH: Final = BY_NAME["push"].number
_UNEQUAL: Final = {BY_NAME["cmpne"].number: False, BY_NAME["strne"].number: True}


@dataclass(slots=True)
class Table:
    """The labels of each place, whether their values are texts, and the line in which the statement
    ends (0: not known).  The ``brace`` of a first label is that of the case before."""

    labels: dict[int, list[Label]] = field(default_factory=dict)
    is_text: bool = False
    end: int = 0


class TableReader:
    """Reads the table of a ``switch`` over ``value``.  ``run`` runs the machine to an instruction;
    ``old``: an editor before 3.4.1 made it."""

    def __init__(
        self,
        machine: Machine,
        choice: Choice,
        value: Expression,
        run: Callable[[int], None],
        *,
        old: bool,
    ) -> None:
        self.machine = machine
        self.code = machine.instructions
        self.choice = choice
        self.value = value
        self.run = run
        self.old = old
        self.made = Table()

    def read(self) -> Table:
        """The table; :exc:`.errors.Unstructured` where it is malformed."""
        code, machine, choice, made = self.code, self.machine, self.choice, self.made
        end_line = self._end_line()
        machine.at = choice.table
        while machine.at < choice.behind:
            found: list[int] = []
            while code[machine.at].opcode == LINE and machine.at < choice.behind - 1:
                found.append(code[machine.at].a)
                machine.at += 1
            jump = code[machine.at]
            if jump.opcode == JUMP and machine.at == choice.behind - 1:
                # The line of ``default`` itself is in the statements, or in what follows it.
                is_first = jump.a <= min(made.labels, default=jump.a)
                _add_default(made.labels.setdefault(jump.a, []), is_first=is_first)
                made.end = max([made.end, *found])
                break
            if not made.labels and end_line:
                made.end = found.pop(0)
            line = found[-1] if found else 0
            before, line = (line, 0) if self.old else (0, line)
            if self.old and code[machine.at + 1].opcode == LINE:
                line = code[machine.at + 1].a
            place, case = self._case()
            made.labels.setdefault(place, []).append(Label(case, line, before))
        return made

    def _end_line(self) -> bool:
        """Whether the first line in the table is that of the closing brace, which is there where
        the last statement is ``break``: then no jump behind it has that line."""
        code, choice = self.code, self.choice
        if choice.end != choice.table or code[choice.table].opcode != LINE:
            return False
        first, behind = code[choice.table].a, code[choice.table + 1]
        before = [i.a for i in code[self.machine.at : choice.table] if i.opcode == LINE]
        others = [i.a for i in code[choice.table + 1 : choice.behind] if i.opcode == LINE]
        if behind.opcode == LINE or others:
            return behind.opcode == LINE or min(others) < first
        return max(before) < first if before else self.old

    def _case(self) -> tuple[int, Expression]:
        """Where the next value leads, and the value."""
        code, machine, behind = self.code, self.machine, self.choice.behind
        if code[machine.at][:2] != (_PUSH, BX):
            raise machine.fail("malformed switch table")
        machine.registers[BX] = self.value
        if code[machine.at + 1].opcode == LINE:
            self.run(machine.at + 1)
            machine.at += 1
        tested = machine.at
        while tested < behind and code[tested].opcode not in _UNEQUAL:
            tested += 1
        if tested + 1 >= behind or code[tested + 1].opcode != JUMP_ZERO:
            raise machine.fail("malformed switch table")
        self.run(tested)
        if machine.at != tested or machine.registers[BX] is not self.value:
            raise machine.fail("malformed switch table")
        self.made.is_text = self.made.is_text or _UNEQUAL[code[tested].opcode]
        machine.at = tested + 2
        return code[tested + 1].a, machine.value(AX)


def _add_default(labels: list[Label], *, is_first: bool) -> None:
    """Put ``default`` among the labels of its place.  The line before a label is that of
    ``default``, or of a brace that closes an empty block: the last one is taken for ``default``.
    No block ends before the first place (``is_first``), so there it is the first one."""
    marked = [n for n, label in enumerate(labels) if label.brace]
    if not marked:
        labels.append(Label(None, 0))
        return
    at = marked[0] if is_first else marked[-1]
    line = labels[at].brace
    labels[at] = labels[at]._replace(brace=0)
    labels.insert(at, Label(None, line))
