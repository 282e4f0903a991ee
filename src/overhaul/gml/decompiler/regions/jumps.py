"""Jumps: over functions, and what leaves a stretch: ``break``, ``continue``, ``return``, ``exit``,
popz."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from overhaul.gml.decompiler import opcodes as op
from overhaul.gml.decompiler.cfg import ControlFlow
from overhaul.gml.decompiler.fragment import Fragment
from overhaul.gml.decompiler.lift.accessors import is_element_of_variable, written_by_accessor
from overhaul.gml.decompiler.lift.scope import Frame, Scope, Value
from overhaul.gml.decompiler.regions.blocks import Blocks, Construct
from overhaul.gml.decompiler.regions.branches import Switches
from overhaul.gml.decompiler.regions.tries import Tries
from overhaul.gml.decompiler.types.locations import Uses
from overhaul.gml.decompiler.unstructured import StructureError
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.language import has_array_literal
from overhaul.gml.vm.code import Child, FunctionReference, Instruction
from overhaul.gml.vm.opcodes import POPENV_DROP, Extended

_TEMPORARY: Final = tree.Name("$$$$temp$$$$")
"""The local that keeps a return value over the clean-ups before a ``ret``."""
_READ: Final = (tree.Name, tree.Member, tree.Index)
_STATEMENTS: Final = frozenset(
    (tree.New, tree.Function, tree.StructLiteral, tree.ArrayLiteral, tree.TemplateString)
)
"""Expressions that may stand as statements, as calls and increments do."""


@dataclass
class Functions:
    """Reads the functions that stand inside an entry's code."""

    flow: ControlFlow
    scope: Scope
    blocks: Blocks
    tries: Tries

    def read(self, child: Child, index: int) -> int:
        """A function or struct literal in place: ``b after; its code; exit; after:``"""
        after = self.flow.targets[index]
        start, end = index + 1, after - 1
        if not start <= end < self.blocks.end or not self.flow.is_opcode(end, op.EXIT):
            raise StructureError(f"function {child.name} has no end")
        outer = self.scope.fragment
        fragment = Fragment(outer.entry, child, start, end)
        fragment.of_constructor = not fragment.is_struct and (
            outer.of_constructor or self.flow.is_call(after + 2, "@@NullObject@@")
        )
        depth, self.tries.depth = self.tries.depth, 0
        self.scope.enter(fragment)
        fragment.statements = self.blocks.function_body(start, end)
        self.scope.enter(outer)
        self.tries.depth = depth
        made = tree.Function("", fragment.parameters, tree.Block(fragment.statements))
        made.parent = fragment.parent_call
        made.constructor = fragment.constructor or fragment.parent_call is not None
        made.address = self.flow.offsets[start]
        fragment.function = made
        self.scope.keep(fragment)
        return after


@dataclass
class Jumps:
    """Reads what ends or leaves a stretch."""

    flow: ControlFlow
    frame: Frame
    scope: Scope
    blocks: Blocks
    switches: Switches
    functions: Functions
    uses: Uses

    def on_b(self, instruction: Instruction, index: int) -> int:
        """b: over a function, to a switch's end, or break and continue."""
        child = self.flow.functions.get(index + 1)
        if child is not None:
            return self.functions.read(child, index)
        if self.frame.stack:
            return self.switches.read(index, None)
        target = self.flow.targets[index]
        outer = self.blocks.breakable
        if outer is not None:
            if target == outer.break_target:
                self.frame.emit(tree.Break(), index + 1)
                return index + 1
            if outer.takes_continue(index, target):
                self.frame.emit(tree.Continue(), index + 1)
                return index + 1
        if target == index + 1:
            return self.blocks.remark("a jump to the next instruction", index)
        raise StructureError(f"the jump at {self.flow.where(index)} fits nothing")

    def on_ret(self, instruction: Instruction, index: int) -> int:
        """ret: ``return``; a value kept over clean-ups comes back from its temporary."""
        frame = self.frame
        node = frame.stack.pop().node
        last = frame.out[-1] if frame.out and node == _TEMPORARY else None
        if isinstance(last, tree.Assignment) and last.target == node and last.operator == "=":
            self._note_undone(index)
            frame.out.pop()
            frame.begin = self.flow.at_offset[last.address]
            node = last.value
        frame.emit(tree.Return(self.uses.returned(node)), index + 1)
        return index + 1

    def on_exit(self, instruction: Instruction, index: int) -> int:
        """exit."""
        self._note_undone(index)
        text = "exit" if self.scope.fragment.child is None else "return"
        self.frame.emit(tree.Exit(text=text), index + 1)
        return index + 1

    def _note_undone(self, index: int) -> None:
        """Note how many values an exit takes off the stack, which it begins with."""
        if (
            self.blocks.breakable is not None
            and self.blocks.dialect.switch_default_exit_keeps_value
        ):
            ahead = self.flow.instructions[self.frame.begin : index]
            self.blocks.breakable.undone(
                sum(instruction.opcode == op.POPZ for instruction in ahead)
            )

    def on_popenv(self, instruction: Instruction, index: int) -> int:
        """popenv: only the form that leaves a ``with`` early stands by itself."""
        if instruction.value != POPENV_DROP:
            raise StructureError(f"the popenv at {self.flow.where(index)} belongs to no with")
        if not self._is_clean_up(index, (Construct.WITH,)):
            return self.blocks.remark("popenv leaves no with", index)
        return index + 1  # a part of the exit behind it

    # -- popz ----------------------------------------------------------------------------------

    def on_popz(self, instruction: Instruction, index: int) -> int:
        """popz: a call whose result is not used is a statement."""
        frame = self.frame
        if not frame.stack:
            return self._drop(None, index)
        value = frame.stack.pop()
        node = frame.as_call(value.node)
        statement: tree.Statement | None = None
        if isinstance(node, tree.Call):
            written = written_by_accessor(node, self.blocks.dialect)
            if written is not None and not self._marks_inside(written, index):
                if self._is_owned(written.target):
                    written.target = frame.owned(written.target)
                statement = written
        elif isinstance(node, tree.Increment):
            node.operand = frame.owned(node.operand)
        elif type(node) not in _STATEMENTS:
            return self._drop(value, index)
        frame.emit(statement or tree.ExpressionStatement(node), index + 1)
        return index + 1

    def _is_owned(self, target: tree.Expression) -> bool:
        """Whether an array that a statement changes has an owner unless ``[@`` takes it: elements
        of variables do; later builds also number those of other values."""
        return self.blocks.dialect.self_to_builtin or is_element_of_variable(target)

    def _marks_inside(self, written: tree.Assignment, end: int) -> bool:
        """Whether a statement marks owners of arrays inside.  Only a call does, for its
        arguments: an accessor marks one owner for all."""
        plain = isinstance(written.target, tree.Index) and written.target.accessor in ("", "@")
        if not self.blocks.dialect.array_copy_on_write or not (
            plain or has_array_literal(written.value)
        ):
            return False
        instructions = self.flow.instructions
        return any(
            instructions[index].opcode == op.BREAK
            and instructions[index].value == Extended.SETOWNER
            for index in range(self.frame.begin + 2, end)
        )

    def _drop(self, value: Value | None, index: int) -> int:
        """A popz that does not end a statement: it undoes an enclosing switch or repeat before
        an exit, or drops the second reading of an array that is copied on write. Others were
        made by hand."""
        if value is None:
            known = self._is_clean_up(index, (Construct.SWITCH, Construct.REPEAT))
        elif value.source is not None and type(value.source.operand) is FunctionReference:
            call = tree.Call(tree.Name("static_get"), [value.node])
            self.frame.emit(tree.ExpressionStatement(call), index + 1)
            return index + 1
        else:
            known = self.blocks.dialect.array_copy_on_write and isinstance(value.node, _READ)
        if not known:
            what = "popz finds nothing" if value is None else "a value is dropped unused"
            return self.blocks.remark(what, index)
        return index + 1  # a part of the statement behind it

    def _is_clean_up(self, index: int, kinds: tuple[Construct, ...]) -> bool:
        """Whether only clean-ups lead from here to an exit from within some kind of construct."""
        outer = self.blocks.breakable
        while outer is not None and outer.kind not in kinds:
            outer = outer.parent
        if outer is None:
            return False
        for instruction in self.flow.instructions[index + 1 : self.blocks.end]:
            opcode = instruction.opcode
            if opcode in (op.EXIT, op.RET):
                return True
            if opcode == op.POPENV and instruction.value != POPENV_DROP:
                return False
            if opcode == op.BREAK and instruction.value != Extended.SETSTATIC:
                return False
            if opcode not in (op.POPZ, op.POPENV, op.BREAK, op.CALL, op.PUSH):
                return False
        return False
