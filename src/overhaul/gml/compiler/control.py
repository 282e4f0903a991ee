"""Branches and loops."""

from __future__ import annotations

from overhaul.gml.compiler import machine as m
from overhaul.gml.compiler.emitter import Label
from overhaul.gml.compiler.folding import is_true
from overhaul.gml.compiler.machine import B, I, L
from overhaul.gml.compiler.names import Enclosing
from overhaul.gml.compiler.nodes import CONSTANTS, Problem
from overhaul.gml.compiler.owners import Owner
from overhaul.gml.compiler.statements import Composed
from overhaul.gml.syntax import tree


class Control(Composed):
    """Emits ``if``, loops, ``with``, ``switch``, ``break`` and ``continue``."""

    def if_(self, node: tree.If) -> None:
        ends: list[tuple[Label, Owner | None]] = []  # with the owner marked last before it
        current: tree.Statement | None = node
        while isinstance(current, tree.If):
            condition = self.values.folder.weigh(current.condition)
            if isinstance(condition, CONSTANTS):
                if is_true(condition):
                    self.statements.one(current.then)
                    current = None
                else:
                    current = current.otherwise
                continue
            otherwise = Label()
            self.code.convert(self.values.emit(condition), B)
            self.code.branch(m.BRANCH_FALSE, otherwise)
            before = self.owners.last
            self.statements.one(current.then)
            if current.otherwise is None:
                self.code.place(otherwise)
                current = None
            else:
                end = Label()
                self.code.branch(m.BRANCH, end)
                ends.append((end, self.owners.last))
                self.owners.last = before
                self.code.place(otherwise)
                current = current.otherwise
        if current is not None:
            self.statements.one(current)
        for end, last in reversed(ends):
            self.code.place(end)
            self.owners.meet(last)

    def while_(self, node: tree.While) -> None:
        head = self.code.here()
        end = Label()
        self.values.condition(node.condition)
        self.code.branch(m.BRANCH_FALSE, end)
        self.enter("while", end, head)
        self.statements.one(node.body)
        self.leave()
        self.code.branch(m.BRANCH, head)
        self.code.place(end)

    def for_(self, node: tree.For) -> None:
        if node.initial is not None:
            self.statements.one(node.initial)
        head = self.code.here()
        step = Label()
        end = Label()
        if node.condition is None:
            self.code.push_int64(1)
            self.code.convert(L, B)
        else:
            self.values.condition(node.condition)
        self.code.branch(m.BRANCH_FALSE, end)
        self.enter("for", end, step)
        self.statements.one(node.body)
        self.leave()
        self.code.place(step)
        if node.step is not None:
            self.statements.one(node.step)
        self.code.branch(m.BRANCH, head)
        self.code.place(end)

    def do_until(self, node: tree.DoUntil) -> None:
        head = self.code.here()
        check = Label()
        end = Label()
        self.enter("do", end, check)
        self.statements.one(node.body)
        self.leave()
        self.code.place(check)
        self.values.condition(node.condition)
        self.code.branch(m.BRANCH_FALSE, head)
        self.code.place(end)

    def repeat(self, node: tree.Repeat) -> None:
        check = Label()
        end = Label()
        type_ = self.values.expression(node.count)
        if type_ != L or not self.dialect.repeat_keeps_int64:
            self.code.convert(type_, I)
            type_ = I
        self.code.duplicate(type_, 0)
        self.code.push_int(0)
        self.code.one(m.CMP, I, type_, m.LTE)
        self.code.branch(m.BRANCH_TRUE, end)
        head = self.code.here()
        self.enter("repeat", end, check, type_)
        self.statements.one(node.body)
        self.leave()
        self.code.place(check)
        if self.dialect.extra_repeat_instruction:
            self.code.push_int(1)
        else:
            self.code.small(1)
        self.code.one(m.SUB, I, type_)
        self.code.duplicate(type_, 0)
        if self.dialect.extra_repeat_instruction or type_ == L:
            self.code.convert(type_, B)
        self.code.branch(m.BRANCH_TRUE, head)
        self.code.place(end)
        self.code.discard(type_)

    def with_(self, node: tree.With) -> None:
        self.with_target(node.target)
        next_ = Label()
        breaks = Label()
        self.code.branch(m.PUSHENV, next_)
        body = self.code.here()
        enclosing = self.enter("with", breaks, next_)
        self.statements.one(node.body)
        self.leave()
        self.code.place(next_)
        self.code.branch(m.POPENV, body)
        if enclosing.broken:
            end = Label()
            self.code.branch(m.BRANCH, end)
            self.code.place(breaks)
            self.code.one(m.POPENV, 0, 0, m.POPENV_DROP)
            self.code.place(end)

    def with_target(self, node: tree.Expression) -> None:
        if self.source_map is not None and isinstance(node, tree.Name):
            self.source_map.mark_name(node.position)  # also of `other`, where it is an id
        if (
            self.dialect.instance_keywords_as_id
            and isinstance(node, tree.Name)
            and node.name in ("self", "other")
        ):
            self.code.convert(self.references.instance_word(node.name), I)
        else:
            self.variables.push_target(node)

    def switch(self, node: tree.Switch) -> None:
        type_ = self.values.expression(node.value)
        end = Label()
        bodies = [Label() for _ in node.cases]
        default: Label | None = None
        default_position = -1
        for case, body in zip(node.cases, bodies, strict=True):
            if case.value is None:
                default = body
                default_position = case.position
                continue
            self.code.duplicate(type_, 0)
            if self.source_map is not None:
                self.source_map.label(case.position, 1)
            label_type = self.values.expression(case.value)
            self.code.one(m.CMP, label_type, type_, m.EQ)
            self.code.branch(m.BRANCH_TRUE, body)
        if default is not None:
            if self.source_map is not None:
                self.source_map.label(default_position, 0)
            self.code.branch(m.BRANCH, default)
        self.code.branch(m.BRANCH, end)
        continues = Label()
        enclosing = self.enter("switch", end, continues, type_)
        before = self.owners.last
        for case, body in zip(node.cases, bodies, strict=True):
            self.code.place(body)
            self.owners.last = before
            enclosing.in_default = case.value is None
            self.statements.run(case.body)
        self.leave()
        if enclosing.continued:
            self.code.branch(m.BRANCH, end)
            self.code.place(continues)
            self.code.discard(type_)
            self.continue_(tree.Continue(position=node.position))
        self.code.place(end)
        self.code.discard(type_)

    def break_(self, node: tree.Break) -> None:
        innermost = self.innermost()
        if innermost is None:
            raise Problem("break outside a loop or switch", node.position)
        innermost.broken = True
        self.code.branch(m.BRANCH, innermost.breaks)

    def continue_(self, node: tree.Continue) -> None:
        innermost = self.innermost()
        if innermost is None or not any(
            enclosing.kind != "switch" for enclosing in self.scopes.current.enclosing
        ):
            raise Problem("continue outside a loop", node.position)
        innermost.continued = True
        self.code.branch(m.BRANCH, innermost.continues)

    def enter(self, kind: str, breaks: Label, continues: Label, type_: int = 0) -> Enclosing:
        enclosing = Enclosing(kind, breaks, continues, type_, len(self.owners.marked))
        self.scopes.current.enclosing.append(enclosing)
        return enclosing

    def leave(self) -> None:
        """Forget the owner marked last behind a statement in which one was marked, or which is
        left in other ways (those of a ``switch`` do not count)."""
        left = self.scopes.current.enclosing.pop()
        jumps = left.kind != "switch" and (left.broken or left.continued)
        if jumps or len(self.owners.marked) != left.marks:
            self.owners.forget()

    def innermost(self) -> Enclosing | None:
        """The innermost loop, with or switch."""
        return self.scopes.current.enclosing[-1] if self.scopes.current.enclosing else None
