"""Assignments, ``++`` and ``--``, ``var``, ``globalvar`` and ``delete``."""

from __future__ import annotations

from overhaul.gml.compiler import machine as m
from overhaul.gml.compiler.emitter import Label
from overhaul.gml.compiler.expressions import OPCODES, Operators
from overhaul.gml.compiler.machine import B, I, L, V
from overhaul.gml.compiler.nodes import CHANGE, STEP, WRITE, Access, Problem
from overhaul.gml.compiler.statements import Composed, Shared
from overhaul.gml.compiler.variables import constant_key
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.language import has_array_literal


class Assignments(Composed):
    """Emits what writes variables."""

    def __init__(self, shared: Shared, operators: Operators) -> None:
        super().__init__(shared)
        self.operators = operators

    def increment(self, node: tree.Increment) -> int:
        """``x++`` or ``++x`` whose value is used; with array owners, that of an element is
        marked outside of assignments."""
        target = node.operand
        called = isinstance(target, tree.Index) and self.accessors.is_call(target)
        if self.owners.enabled and self.owners.allowed and not called and self.is_owned(target):
            self.owners.mark(self.owners.owner_of(target, False))
        return self.step(node, True)

    def is_owned(self, target: tree.Expression) -> bool:
        """Whether a step changes an element, or a member of one (``a[i].x++``)."""
        return isinstance(target, tree.Index) or (
            isinstance(target, tree.Member) and self.owners.has_element(target)
        )

    def step(self, node: tree.Increment, used: bool) -> int:
        """``x++`` or ``++x``; its value is left when it is used."""
        target = node.operand
        opcode = OPCODES["+" if node.operator == "++" else "-"]
        self.names.check_writable(target)
        if isinstance(target, tree.Index) and self.accessors.is_call(target):
            return self.step_accessor(node, target, opcode, used)
        access = self.variables.access(target, STEP)
        self.variables.duplicate_operands(access, True)
        self.variables.load(access, m.PUSH)
        if used and not node.prefix:
            self.variables.keep_below(access)
        self.code.push_small(1)
        self.code.one(opcode, I, V)
        if used and node.prefix:
            self.variables.keep_below(access)
        if (
            access.kind == m.STACKTOP
            and isinstance(target, tree.Member)
            and isinstance(target.object, tree.Name)
            and target.object.name in self.scopes.current.parameters
        ):
            # Of a parameter's member, the compilers take another record than elsewhere.
            access.scope = m.BUILTIN if self.dialect.self_to_builtin else m.LOCAL
        elif access.kind == m.ARRAY and self.v2 and access.own in (m.LOCAL, m.GLOBAL):
            access.scope = access.own  # stored by the variable's own record, read by another
        self.write_back(access)
        return V

    def write_back(self, access: Access) -> None:
        """Store what was read and changed, by the record that the old code has there, if any."""
        if access.kind in (m.ARRAY, m.STACKTOP):
            written = self.names.learned.write_backs.get((access.name, access.kind), set())
            if len(written) == 1:
                (access.scope,) = written
        self.variables.store_top(access, V)

    def step_statement(self, node: tree.Increment) -> None:
        """``x++`` as a statement. With array owners, an element and a member of one (``a[i].x++``)
        are stepped as in an expression, and read once more before when no owner had to be marked
        (so do the official compilers).
        """
        target = node.operand
        if isinstance(target, tree.Name):
            target = self.names.late_parameter(target) or target
        called = isinstance(target, tree.Index) and self.accessors.is_call(target)
        if self.dialect.compound_reads_again and not called:
            self.names.check_writable(target)
            one = tree.Number(1, position=node.position)
            self.assign_any(target, "+=" if node.operator == "++" else "-=", one)
            return
        if self.owners.enabled and not called and self.is_owned(target):
            if not self.owners.allowed or not self.owners.mark(self.owners.owner_of(target, False)):
                self.values.expression(target)
                self.code.discard(V)
            self.step(node, True)
            self.code.discard(V)
            return
        self.step(node, False)

    def step_accessor(
        self, node: tree.Increment, target: tree.Index, opcode: int, used: bool
    ) -> int:
        self.accessors.get(target)
        self.code.small(1)
        self.code.one(opcode, I, V)
        self.accessors.operands(target)
        stores = self.accessors.functions(target)[3 if node.prefix else 2]
        self.code.call(stores, len(target.indices) + 2)
        if not used:
            self.code.discard(V)
        return V

    def var(self, node: tree.Var) -> None:
        for declarator in node.declarators:
            self.scopes.current.locals.setdefault(declarator.name, False)
            if declarator.value is not None:
                name = tree.Name(declarator.name, position=declarator.position)
                self.owned(name, "=", declarator.value, True)

    def globalvar(self, node: tree.GlobalVar) -> None:
        for declarator in node.declarators:
            self.names.context.add_global(declarator.name)
            if declarator.value is not None:
                self.assign(
                    tree.Name(declarator.name, position=declarator.position), declarator.value
                )

    def assignment(self, node: tree.Assignment) -> None:
        target, value = node.target, node.value
        self.names.check_writable(target)
        if (
            node.operator == "="
            and isinstance(target, tree.Name)
            and isinstance(value, tree.Name)
            and target.name == value.name
            and not self.names.old
        ):
            return  # no code, unless it is a `var`
        self.owned(target, node.operator, value, False)

    def delete(self, node: tree.Delete) -> None:
        self.names.check_writable(node.target)
        self.owned(node.target, "=", tree.Name("undefined", position=node.position), False)

    def owned(
        self, target: tree.Expression, operator: str, value: tree.Expression, declared: bool
    ) -> None:
        """An assignment, with the mark of the array's owner before it where there is one."""
        if not self.owners.enabled or not self.owners.allowed:
            self.assign_any(target, operator, value)
            return
        owned = self.owners.has_element(target) or has_array_literal(value)
        if owned:
            self.owners.allowed = False
            self.owners.mark(self.owners.owner_of(target, declared))
        self.assign_any(target, operator, value)
        if owned:
            self.owners.allowed = True

    def assign_any(self, target: tree.Expression, operator: str, value: tree.Expression) -> None:
        """An assignment with any operator."""
        if operator == "=":
            self.assign(target, value)
        elif operator == "??=":
            self.assign_nullish(target, value)
        elif isinstance(target, tree.Index) and self.accessors.is_call(target):
            self.change_accessor(target, operator[:-1], value)
        else:
            access = self.variables.access(target, CHANGE)
            again = self.dialect.compound_reads_again
            if not again:
                self.variables.duplicate_operands(access, False)
            self.variables.load(access, m.PUSH)
            self.change(operator[:-1], value)
            if again:
                self.variables.store(self.variables.access(target, CHANGE), V)
                return
            self.variables.restore_reference(access)
            self.write_back(access)

    def change(self, operator: str, value: tree.Expression) -> None:
        """The right side and the operator of a compound assignment, the old value being pushed."""
        type_ = self.values.expression(value)
        if operator in ("&", "|", "^"):
            if self.dialect.long_compound_bitwise:
                self.code.convert(type_, L)
                type_ = L
            elif type_ != L:
                self.code.convert(type_, I)
                type_ = I
        elif type_ == B:
            self.code.convert(B, I)
            type_ = I
        self.code.one(OPCODES[operator], type_, V)

    def assign(self, target: tree.Expression, value: tree.Expression) -> None:
        """``target = value``: the value first, then the target's instance and index."""
        if isinstance(target, tree.Index) and self.dialect.struct_keys_stored:
            key = constant_key(target)
            if key:
                target = tree.Member(target.object, key, position=target.position)
        if isinstance(target, tree.Index) and (
            (target.accessor == "@" and self.owners.enabled) or self.accessors.is_call(target)
        ):
            self.values.value(value)
            self.accessors.set(target)
            return
        type_ = self.values.expression(value)
        if self.v2 and self.names.is_element(target):
            self.code.convert(type_, V)
            type_ = V
        self.variables.store(self.variables.access(target, WRITE), type_)

    def assign_nullish(self, target: tree.Expression, value: tree.Expression) -> None:
        """``target ??= value``: read as any value, and where that is nullish written as by ``=``,
        with the target's instance and index worked out once more.
        """
        if not self.dialect.nullish_operator:
            raise Problem("this release has no ??=", target.position)
        skip = Label()
        end = Label()
        self.values.emit(target)
        self.code.extended(m.CHKNULLISH)
        self.code.branch(m.BRANCH_FALSE, skip)
        self.code.discard(V)
        self.values.value(value)
        if isinstance(target, tree.Index) and self.accessors.is_call(target):
            self.accessors.set(target)
        else:
            self.variables.store(self.variables.access(target, WRITE), V)
        self.code.branch(m.BRANCH, end)
        self.code.place(skip)
        self.code.discard(V)
        self.code.place(end)

    def change_accessor(self, target: tree.Index, operator: str, value: tree.Expression) -> None:
        """A compound assignment to an element that is reached by a function."""
        self.accessors.get(target)
        folded = self.values.folder.fold(value)
        step = tree.Binary(operator, target, folded, position=target.position)
        self.code.convert(self.operators.operate(step, V, None), V)
        self.accessors.set(target)
