"""The head of a switch: its labels, and where its bodies and its end are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.gml.decompiler.values import StructureError, Value
from overhaul.gml.syntax import tree
from overhaul.gml.vm.opcodes import Opcode

if TYPE_CHECKING:
    from overhaul.gml.decompiler.structure import Structure

_B, _BT, _CMP, _POPZ = int(Opcode.B), int(Opcode.BT), int(Opcode.CMP), int(Opcode.POPZ)
_EXIT, _RET = int(Opcode.EXIT), int(Opcode.RET)
_POPENV, _CALL, _CALLV = int(Opcode.POPENV), int(Opcode.CALL), int(Opcode.CALLV)


class SwitchShape:
    """Where the parts of a switch are.

    labels       (first instruction of its body, case value or None for default), in source order
    bodies_end   where the last body ends
    leave        the ``popz; b`` that a ``continue`` out of the switch jumps to, or -1
    end          the popz that ends it
    """

    __slots__ = ("bodies_end", "end", "labels", "leave")

    def __init__(
        self,
        labels: list[tuple[int, tree.Expression | None]],
        bodies_end: int,
        leave: int,
        end: int,
    ) -> None:
        self.labels = labels
        self.bodies_end = bodies_end
        self.leave = leave
        self.end = end


def find_switch(reader: Structure, index: int, test: Value | None) -> SwitchShape:
    """The switch whose first case test is the ``bt`` at ``index``; or, without a test, one that has
    no cases and whose first jump is at ``index``.  Its value stays on the reader's stack."""
    cases: list[tuple[int, tree.Expression | None]] = []
    at = index
    if test is not None:
        at = _read_cases(reader, index, test, cases)
    targets = reader.layout.targets
    first_body = at + 1
    default = -1
    lowest = min((target for target, _ in cases), default=-1)
    if reader.is_opcode(at + 1, _B) and lowest != at + 1 and at + 1 not in reader.landing:
        default = targets[at]
        first_body = at + 2
        end = targets[at + 1]
    else:
        end = targets[at]
    if not first_body <= end < reader.end or not reader.is_opcode(end, _POPZ):
        raise StructureError(f"the switch at {reader.place(index)} has no end")
    leave, bodies_end = -1, end
    if (
        reader.is_opcode(end - 2, _POPZ)
        and end - 2 in reader.landing
        and reader.is_branch(end - 3, _B, end)
        and reader.is_opcode(end - 1, _B)
        and targets[end - 1] != end
        and end - 3 >= first_body
    ):
        leave, bodies_end = end - 2, end - 3
    labels = [(min(target, bodies_end), value) for target, value in cases]
    if default >= 0:
        default = min(default, bodies_end)
        place = 0 if _is_undone(reader, default, labels, bodies_end) else len(labels)
        labels.insert(place, (default, None))
    labels.sort(key=lambda label: label[0])
    if (labels and labels[0][0] != first_body) or (not labels and bodies_end != first_body):
        raise StructureError(f"the switch at {reader.place(index)} has code before its labels")
    return SwitchShape(labels, bodies_end, leave, end)


def _is_undone(
    reader: Structure, default: int, labels: list[tuple[int, tree.Expression | None]], end: int
) -> bool:
    """Whether a body that a default shares with a case undoes the switch before it exits.

    Where compilers forget that in a default, a case must have been the last of its labels.
    """
    starts = [start for start, _ in labels]
    if default not in starts or not reader.dialect.switch_default_exit_keeps_value:
        return False
    stop = min((start for start in starts if start > default), default=end)
    around = 0
    outer = reader.breakable
    while outer is not None:
        around += outer.kind in ("switch", "repeat")
        outer = outer.parent
    index = default
    while index < stop:
        opcode = reader.instructions[index].opcode
        if opcode == _BT:
            return False  # another switch or repeat, perhaps: its exits tell nothing
        if opcode in (_EXIT, _RET):
            return _values_undone(reader, index - (1 if opcode == _EXIT else 2)) > around
        if index + 1 in reader.layout.functions and reader.layout.targets.get(index, -1) > index:
            index = reader.layout.targets[index]
        else:
            index += 1
    return False


def _values_undone(reader: Structure, last: int) -> int:
    """How many values are taken off the stack before an exit; ``last``: the instruction before."""
    undone = 0
    while reader.is_opcode(last, _POPZ) or reader.is_opcode(last, _POPENV):
        undone += reader.is_opcode(last, _POPZ)
        last -= 1
    called = reader.is_opcode(last, _CALL) or reader.is_opcode(last, _CALLV)
    if called and not reader.is_call(last, "@@try_unhook@@"):
        undone -= 1  # the first takes what the call leaves
    return undone


def _read_cases(
    reader: Structure,
    index: int,
    test: Value,
    cases: list[tuple[int, tree.Expression | None]],
) -> int:
    """Read all case tests; returns the index of the jump behind them."""
    instructions, targets = reader.instructions, reader.layout.targets
    value = reader.stack[-1]
    at = index
    while True:
        if not isinstance(test.node, tree.Binary) or test.node.operator != "==":
            raise StructureError(f"a case of an unknown shape at {reader.place(at)}")
        cases.append((targets[at], test.node.right))
        at += 1
        if reader.is_opcode(at, _B) and at + 1 not in reader.layout.functions:
            return at
        stop = at
        while stop < reader.end and not (
            instructions[stop].opcode == _BT and instructions[stop - 1].opcode == _CMP
        ):
            stop += 1
        if stop >= reader.end:
            raise StructureError(f"the switch at {reader.place(index)} has no end")
        while at < stop:
            at = reader.handlers[instructions[at].opcode](instructions[at], at)
        if at != stop or not reader.stack:
            raise StructureError(f"a case of an unknown shape at {reader.place(at)}")
        test = reader.stack.pop()
        if not reader.stack or reader.stack[-1] is not value or test.left is not value:
            raise StructureError(f"a case of an unknown shape at {reader.place(at)}")
