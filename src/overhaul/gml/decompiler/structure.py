"""Statements: loops, switch, jumps, try, and the table of handlers.

See ``blocks`` for how a stretch of instructions is read.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

from overhaul.gml.context import Context
from overhaul.gml.decompiler import finish
from overhaul.gml.decompiler.blocks import Handler
from overhaul.gml.decompiler.evidence import Evidence
from overhaul.gml.decompiler.functions import Functions
from overhaul.gml.decompiler.habits import continue_early
from overhaul.gml.decompiler.layout import Layout
from overhaul.gml.decompiler.locals import declares_in_headers
from overhaul.gml.decompiler.machine import MIXED
from overhaul.gml.decompiler.switches import SwitchShape, find_switch
from overhaul.gml.decompiler.values import Breakable, StructureError, Value
from overhaul.gml.decompiler.variables import INT16, INT32, INT64, VARIABLE
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import Code, FunctionReference, Instruction, VariableReference
from overhaul.gml.vm.opcodes import POPENV_DROP, Comparison, Extended, Opcode

_B, _BT, _BF = int(Opcode.B), int(Opcode.BT), int(Opcode.BF)
_POPZ, _POP, _CALL, _CMP = int(Opcode.POPZ), int(Opcode.POP), int(Opcode.CALL), int(Opcode.CMP)
_PUSHENV, _POPENV, _EXIT = int(Opcode.PUSHENV), int(Opcode.POPENV), int(Opcode.EXIT)
_RET: Final = int(Opcode.RET)
_READ: Final = (tree.Name, tree.Member, tree.Index)
_CONV, _DUP, _BREAK = int(Opcode.CONV), int(Opcode.DUP), int(Opcode.BREAK)
_OPERATORS = (
    Opcode.MUL, Opcode.DIV, Opcode.REM, Opcode.MOD, Opcode.ADD, Opcode.SUB, Opcode.AND, Opcode.OR,
    Opcode.XOR, Opcode.SHL, Opcode.SHR,
)  # fmt: skip
_PUSHES = (Opcode.PUSH, Opcode.PUSHLOC, Opcode.PUSHGLB, Opcode.PUSHBLTN)


class Structure(Functions):
    """Reads an entry's code into statements."""

    def __init__(self, code: Code, context: Context, layout: Layout, evidence: Evidence) -> None:
        super().__init__(code, context, layout, evidence)
        handlers: dict[int, Handler] = {
            **dict.fromkeys(map(int, _OPERATORS), self.on_binary),
            **dict.fromkeys(map(int, _PUSHES), self.on_push),
            int(Opcode.PUSHI): self.on_pushi, _CONV: self.on_conv, _CMP: self.on_cmp,
            int(Opcode.NEG): self.on_neg, int(Opcode.NOT): self.on_not, _POP: self.on_pop,
            _DUP: self.on_dup, _CALL: self.on_call, int(Opcode.CALLV): self.on_callv,
            _POPZ: self.on_popz, int(Opcode.RET): self.on_ret, _EXIT: self.on_exit,
            _B: self.on_b, _BT: self.on_bt, _BF: self.on_bf, _PUSHENV: self.on_pushenv,
            _POPENV: self.on_popenv, _BREAK: self.on_break,
        }  # fmt: skip
        self.handlers = handlers
        self.enter(self.fragment)
        self.name_functions()

    def close(self) -> None:
        """Let go of the reader's own methods, so that it can be freed at once."""
        self.handlers.clear()
        self.special.clear()

    # -- loops -------------------------------------------------------------------------------

    def on_loop(self, index: int) -> int:
        """A place that a later branch jumps back to: ``do``, ``while`` or ``for``."""
        loops = self.layout.loops
        tails = loops[index]
        tail = tails.pop()
        is_do = self.instructions[tail].opcode == _BF
        if not is_do or not tails:
            del loops[index]
        if self.stack or tail >= self.end:
            raise StructureError(f"the loop at {self.place(index)} crosses another construct")
        begin = self.begin
        if is_do:
            breakable = Breakable("do", tail + 1, -1, tail, self.breakable)
            self.breakable = breakable
            out, rest = self.block(index, tail)
            self.breakable = breakable.parent
            if len(rest) != 1:
                raise StructureError(f"a do without a condition at {self.place(tail)}")
            if breakable.step >= 0 and out[-1].address >= self.layout.offsets[breakable.step]:
                raise StructureError(f"a continue leads into the do at {self.place(index)}")
            self.as_condition(rest[0])
            self.begin = begin
            if not self.flagged():
                finish.continue_at_end(out)
                continue_early(out)
            self.emit(tree.DoUntil(tree.Block(out), rest[0].node), tail + 1)
            return tail + 1
        return self.read_while(index, tail, begin, counted=not tails)

    def read_while(self, index: int, tail: int, begin: int, counted: bool) -> int:
        """``head: condition; bf out; body; b head``: a while or for."""
        exits = self.layout.exits.get(tail + 1, [])
        first = bisect_left(exits, index)
        test = exits[first] if first < len(exits) else -1
        if not index <= test < tail:
            raise StructureError(f"the loop at {self.place(index)} has no condition")
        out, rest = self.block(index, test)
        if out or len(rest) != 1:
            raise StructureError(f"the loop at {self.place(index)} has no condition")
        condition = rest[0]
        self.as_condition(condition)
        if not self.typed and condition.constant == 1 and type(condition.node) is tree.Number:
            condition.node = tree.Boolean(True)  # an endless loop is not written with a number
        once = self.tries > 0 and self.asks_to_continue(test + 2)  # a part of a try with ways out
        kind = "once" if once else "while"
        breakable = Breakable(kind, tail + 1, index, tail, self.breakable)
        breakable.counted = counted and self.counts(tail)
        body = self.body(test + 1, tail, breakable)
        step_offset = self.layout.offsets[breakable.step] if breakable.step >= 0 else -1
        self.begin = begin
        statement = finish.loop(
            self.out, condition.node, body, step_offset, breakable.continued,
            step_offset == self.layout.offsets[tail],
            self.fragment.locals if declares_in_headers(self.dialect) else set(),
        )  # fmt: skip
        if type(statement) is tree.For:
            if statement.initial is not None:
                self.begin = self.layout.at_offset[statement.initial.address]
            if not self.flagged():
                continue_early(body)
        self.emit(statement, tail + 1)
        return tail + 1

    def counts(self, tail: int) -> bool:
        """Whether a loop ends in a store of the variable that was set just before it."""
        operand = self.instructions[tail - 1].operand
        if not self.is_opcode(tail - 1, _POP) or type(operand) is not VariableReference:
            return False
        targets = [each.target for each in self.out[-2:] if isinstance(each, tree.Assignment)]
        return any(
            isinstance(target, (tree.Name, tree.Member)) and target.name == operand.name
            for target in targets
        )

    def on_dup(self, instruction: Instruction, index: int) -> int:
        """dup: the head of a repeat, or just a copy."""
        if instruction.value == 0 and instruction.type1 in (INT32, INT64):
            test = index + 2
            zero = self.is_opcode(test, _CMP) and self.instructions[index + 1].operand == 0
            if zero and self.instructions[test].value == Comparison.LTE:
                if self.is_opcode(index + 3, _BT):
                    return self.read_repeat(index)
                raise StructureError(f"the repeat at {self.place(index)} has no end")
        return super().on_dup(instruction, index)

    def read_repeat(self, index: int) -> int:
        """``dup; push.i 0; cmp LTE; bt end; body; push 1; sub; dup; [conv]; bt body; end: popz``"""
        end = self.layout.targets[index + 3]
        if not (self.is_branch(end - 1, _BT, index + 4) and self.is_opcode(end, _POPZ)):
            raise StructureError(f"the repeat at {self.place(index)} has no end")
        count = self.stack.pop()
        tail = end - 5 if self.instructions[end - 2].opcode == _CONV else end - 4
        if self.stack or tail < index + 4 or end >= self.end:
            raise StructureError(f"the repeat at {self.place(index)} crosses another construct")
        begin = self.begin
        breakable = Breakable("repeat", end, tail, tail, self.breakable)
        body = self.body(index + 4, tail, breakable)
        if not self.flagged():
            continue_early(body)
        self.begin = begin
        self.emit(tree.Repeat(count.node, tree.Block(body)), end + 1)
        return end + 1

    def on_pushenv(self, instruction: Instruction, index: int) -> int:
        """pushenv: ``with``."""
        tail = self.layout.targets[index]
        instance = self.stack.pop()
        if instance.constant == -9 and self.stack:
            instance = self.stack.pop()
        if self.stack or not self.is_branch(tail, _POPENV, index + 1) or tail >= self.end:
            raise StructureError(f"the with at {self.place(index)} has no end")
        following, leave = tail + 1, -1
        broken = self.is_branch(tail + 1, _B, tail + 3) and self.is_opcode(tail + 2, _POPENV)
        if broken and self.instructions[tail + 2].value == POPENV_DROP:
            following, leave = tail + 3, tail + 2
        begin = self.begin
        breakable = Breakable("with", leave, tail, tail, self.breakable)
        evidence = self.evidence
        owner, evidence.owner = evidence.owner, evidence.object_of(instance.node)
        try:
            body = self.body(index + 1, tail, breakable)
        finally:
            evidence.owner = owner
        if not self.flagged():
            continue_early(body)
        self.begin = begin
        if evidence.gathering:
            evidence.note_instance(instance.node)
        target = evidence.as_kind(instance.node, "with")
        self.emit(tree.With(target, tree.Block(body)), following)
        return following

    def on_popenv(self, instruction: Instruction, index: int) -> int:
        """popenv: only the form that leaves a ``with`` early stands by itself."""
        if instruction.value != POPENV_DROP:
            raise StructureError(f"the popenv at {self.place(index)} belongs to no with")
        if not self.is_clean_up(index, ("with",)):
            return self.remark("popenv leaves no with", index)
        self.begin = index + 1
        return index + 1

    def on_bt(self, instruction: Instruction, index: int) -> int:
        """bt: an operand of ``||``, or a case label."""
        target = self.layout.targets[index]
        if target in self.layout.shorts:
            return self.short_circuit(index, target, "||")
        stack = self.stack
        test = stack.pop()
        if stack and test.left is stack[-1]:
            return self.read_switch(find_switch(self, index, test))
        raise StructureError(f"the bt at {self.place(index)} belongs to nothing known")

    # -- jumps and switch ----------------------------------------------------------------------

    def on_b(self, instruction: Instruction, index: int) -> int:
        """b: over a function, to a switch's end, or break and continue."""
        child = self.layout.functions.get(index + 1)
        if child is not None:
            return self.read_function(child, index)
        if self.stack:
            return self.read_switch(find_switch(self, index, None))
        target = self.layout.targets[index]
        outer = self.breakable
        if outer is not None:
            if target == outer.break_target:
                self.emit(tree.Break(), index + 1)
                return index + 1
            if self.note_continue(outer, index, target):
                self.emit(tree.Continue(), index + 1)
                return index + 1
        if target == index + 1:
            return self.remark("a jump to the next instruction", index)
        raise StructureError(f"the jump at {self.place(index)} fits nothing")

    def remark(self, what: str, index: int) -> int:
        """An instruction that has no source and no effect stands in a comment."""
        problem = StructureError(f"{what} at {self.place(index)}")
        if self.stack:
            raise problem
        self.out.append(self.unstructured(problem, self.begin, index + 1))
        self.begin = index + 1
        return index + 1

    def note_continue(self, outer: Breakable, index: int, target: int) -> bool:
        """Whether a jump is a ``continue``; learns where the step of a for stands."""
        if target == outer.continue_target:
            outer.continued = True
            return True
        if outer.kind not in ("while", "do") or not index < target <= outer.tail:
            return False
        if outer.step not in (-1, target):
            return False
        outer.step = target
        return True

    def read_switch(self, shape: SwitchShape) -> int:
        """Read the bodies of a switch whose labels are known."""
        value = self.stack.pop()
        if self.stack:
            raise StructureError(f"the switch at {self.place(shape.end)} crosses another construct")
        begin = self.begin
        outer = self.breakable
        if shape.leave >= 0:
            target = self.layout.targets[shape.leave + 1]
            if outer is None or not self.note_continue(outer, shape.leave + 1, target):
                raise StructureError(f"a continue leaves no loop at {self.place(shape.leave)}")
        breakable = Breakable("switch", shape.end, shape.leave, shape.end, outer)
        cases: list[tree.Case] = []
        for position, (start, label) in enumerate(shape.labels):
            last = position + 1 == len(shape.labels)
            stop = shape.bodies_end if last else shape.labels[position + 1][0]
            case = tree.Case(label, self.body(start, stop, breakable))
            case.address = self.layout.offsets[start]
            cases.append(case)
        self.begin = begin
        self.emit(tree.Switch(value.node, cases), shape.end + 1)
        return shape.end + 1

    # -- leaving -------------------------------------------------------------------------------

    def drop(self, value: Value | None, index: int) -> int:
        """A popz that is no statement: what undoes an enclosing switch or repeat before an exit, or
        the second reading of an array that is copied on write.  Others were made by hand."""
        if value is None:
            known = self.is_clean_up(index, ("switch", "repeat"))
        elif value.source is not None and type(value.source.operand) is FunctionReference:
            self.emit(
                tree.ExpressionStatement(tree.Call(tree.Name("static_get"), [value.node])),
                index + 1,
            )
            return index + 1
        else:
            known = self.dialect.array_copy_on_write and isinstance(value.node, _READ)
        if not known:
            what = "popz finds nothing" if value is None else "a value that nobody takes is dropped"
            return self.remark(what, index)
        if not self.stack:
            self.begin = index + 1
        return index + 1

    def is_clean_up(self, index: int, kinds: tuple[str, ...]) -> bool:
        """Whether only clean-ups lead from here to an exit from within some kind of construct."""
        outer = self.breakable
        while outer is not None and outer.kind not in kinds:
            outer = outer.parent
        if outer is None:
            return False
        for instruction in self.instructions[index + 1 : self.end]:
            opcode = instruction.opcode
            if opcode in (_EXIT, _RET):
                return True
            if opcode == _POPENV and instruction.value != POPENV_DROP:
                return False
            if opcode == _BREAK and instruction.value != Extended.SETSTATIC:
                return False
            if opcode not in (_POPZ, _POPENV, _BREAK, _CALL, int(Opcode.PUSH)):
                return False
        return False

    def on_ret(self, instruction: Instruction, index: int) -> int:
        """ret: ``return``; a value kept over clean-ups comes back from its temporary."""
        value = self.stack.pop()
        node = value.node
        if isinstance(node, tree.Name) and node.name == finish.TEMPORARY and self.out:
            last = self.out[-1]
            if isinstance(last, tree.Assignment) and last.target == node and last.operator == "=":
                self.out.pop()
                self.begin = self.layout.at_offset[last.address]
                node = last.value
        if self.evidence.gathering:
            self.evidence.note_returned(node)
        elif type(node) in MIXED:
            node = self.evidence.returned(node)
        self.emit(tree.Return(node), index + 1)
        return index + 1

    def on_exit(self, instruction: Instruction, index: int) -> int:
        """exit."""
        self.emit(tree.Exit(text="exit" if self.fragment.child is None else "return"), index + 1)
        return index + 1

    # -- extended operations -------------------------------------------------------------------

    def on_break(self, instruction: Instruction, index: int) -> int:
        """The operations behind ``break``."""
        number = instruction.value
        if number == Extended.PUSHREF:
            self.push_reference(instruction)
        elif number in (Extended.PUSHAF, Extended.PUSHAC):
            self.read_element()
        elif number == Extended.POPAF:
            self.write_element(index + 1)
        elif number == Extended.SETOWNER:
            source = self.stack.pop().source
            if source is None or source.type1 not in (INT16, INT32, INT64):
                raise StructureError("setowner of no number")
            owner = source.value if source.type1 == INT16 else source.operand
            self.last_unowned = isinstance(owner, int) and owner & 0xFFFF == 0
            if index == self.begin + 1:
                self.unowned = self.last_unowned
        elif number == Extended.ISSTATICOK:
            return self.read_statics(index)
        elif number == Extended.SETSTATIC:
            if not self.stack:
                self.begin = index + 1
        elif number == Extended.CHKNULLISH:
            return self.read_nullish(index)
        elif number not in (Extended.CHKINDEX, Extended.SAVEREF, Extended.RESTOREREF):
            raise StructureError(f"an unknown operation break.e {number}")
        return index + 1

    def read_statics(self, index: int) -> int:
        """``isstaticok; bt end; static assignments; end:``"""
        if not self.is_opcode(index + 1, _BT):
            raise StructureError("isstaticok without a branch")
        end = self.layout.targets[index + 1]
        if self.stack or not index + 1 < end <= self.end:
            raise StructureError("a static block crosses another construct")
        for statement in self.statements(index + 2, end):
            if not isinstance(statement, tree.Assignment) or statement.operator != "=":
                raise StructureError("a static block holds other statements")
            if not isinstance(statement.target, tree.Name):
                raise StructureError("a static block assigns other variables")
            static = tree.Static([tree.Declarator(statement.target.name, statement.value)])
            static.address = statement.address
            self.out.append(static)
        self.begin = end
        return end

    def read_nullish(self, index: int) -> int:
        """``??`` and ``??=``"""
        if not (self.is_opcode(index + 1, _BF) and self.is_opcode(index + 2, _POPZ)):
            raise StructureError("chknullish of an unknown shape")
        target = self.layout.targets[index + 1]
        left = self.stack.pop()
        if self.is_opcode(target, _POPZ) and self.is_branch(target - 1, _B, target + 1):
            begin = self.begin
            out = self.statements_over(index + 3, target - 1)
            if len(out) != 1 or not isinstance(out[0], tree.Assignment):
                raise StructureError("??= of an unknown shape")
            self.begin = begin
            place = self.owned(out[0].target)
            self.emit(tree.Assignment(place, "??=", out[0].value), target + 1)
            return target + 1
        if not index + 2 < target <= self.end:
            raise StructureError("?? of an unknown shape")
        out, rest = self.block(index + 3, target)
        if out or len(rest) != 1:
            raise StructureError("?? of an unknown shape")
        node = tree.Binary("??", left.node, rest[0].node)
        self.stack.append(self.grow(Value(node, VARIABLE), left, rest[0]))
        return target

    def statements_over(self, start: int, end: int) -> list[tree.Statement]:
        """The right side of ``??=``, which may use operands below it on the stack."""
        operands = self.stack[:]
        self.stack.clear()
        saved = self.out, self.end
        self.out, self.end = [], end
        self.stack.extend(operands)
        index = start
        while index < end:
            instruction = self.instructions[index]
            handler = self.handlers.get(instruction.opcode)
            if handler is None:
                raise StructureError(f"an unknown opcode {instruction.opcode:#x}")
            index = handler(instruction, index)
            if index == self.end and self.elses and self.end < end:
                self.close_else(index)
        out = self.out
        self.out, self.end = saved
        if self.stack:
            raise StructureError("??= of an unknown shape")
        return out

    # -- try -----------------------------------------------------------------------------------

    def on_try(self, arguments: list[Value], index: int) -> int:
        """@@try_hook@@: reads the try statement up to its finally part."""
        self.fragment.has_try = True
        if len(arguments) != 2 or self.stack:
            raise StructureError("a try hook of an unknown shape")
        catch, final = arguments[0].constant, arguments[1].constant
        at_offset = self.layout.at_offset
        end = at_offset.get(final, -1) if final is not None else -1
        if catch is None or not index + 1 < end < self.end or not self.is_opcode(index + 1, _POPZ):
            raise StructureError("a try hook of an unknown shape")
        if not self.is_call(end, "@@try_unhook@@"):
            raise StructureError("a try without an end")
        begin = self.begin
        self.tries += 1
        outer, self.attempted = self.attempted, self.breakable
        try:
            if catch == -1:
                node = tree.Try(tree.Block(self.statements(index + 2, end)))
            else:
                node = self.read_catch(index, at_offset.get(catch, -1), end)
        finally:
            self.tries -= 1
            self.attempted = outer
        following = self.skip_popz(end + 1)
        self.begin = begin
        self.emit(node, following)
        return following

    def read_catch(self, index: int, handler: int, end: int) -> tree.Try:
        """A try with a catch part at ``handler``."""
        if not (index + 1 < handler < end and self.is_branch(handler - 1, _B, end)):
            raise StructureError("a catch of an unknown shape")
        store = self.instructions[handler]
        if store.opcode != _POP or type(store.operand) is not VariableReference:
            raise StructureError("a catch without a variable")
        if not self.is_call(handler + 1, "@@try_unhook@@"):
            raise StructureError("a catch of an unknown shape")
        if not self.is_call(end - 3, "@@finish_catch@@"):
            raise StructureError("a catch without an end")
        body = self.statements(index + 2, handler - 1)
        name = store.operand.name
        self.fragment.locals.add(name)
        caught = self.statements(self.skip_popz(handler + 2), end - 3)
        return tree.Try(tree.Block(body), name, tree.Block(caught))

    def on_finish_finally(self, arguments: list[Value], index: int) -> int:
        """@@finish_finally@@: all since the last try statement was its finally part."""
        out = self.out
        position = len(out) - 1
        while position >= 0:
            statement = out[position]
            if isinstance(statement, tree.Try) and statement.final is None:
                break
            position -= 1
        if position < 0:
            raise StructureError("a finally without a try")
        owner = out[position]
        assert isinstance(owner, tree.Try)
        owner.final = tree.Block(out[position + 1 :])
        del out[position + 1 :]
        following = self.skip_popz(index + 1)
        if self.is_branch(following, _B, following + 1):
            following += 1
        self.begin = following
        return following
