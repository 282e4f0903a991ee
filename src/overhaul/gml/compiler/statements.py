"""Statements: assignments, branches, loops and the ways out of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from overhaul.gml.compiler.emitter import (
    BRANCH,
    BRANCH_FALSE,
    BRANCH_TRUE,
    CHKNULLISH,
    CMP,
    DUP,
    EXIT,
    LOCAL,
    NORMAL,
    POPENV,
    POPENV_DROP,
    PUSH,
    PUSHENV,
    RET,
    SETSTATIC,
    B,
    I,
    L,
    Label,
    S,
    V,
)
from overhaul.gml.compiler.errors import Problem
from overhaul.gml.compiler.expressions import _OPCODES
from overhaul.gml.compiler.folding import CONSTANTS, is_true
from overhaul.gml.compiler.owners import Owners, has_array_literal
from overhaul.gml.compiler.scopes import Enclosing
from overhaul.gml.compiler.variables import CHANGE, ELEMENT, WRITE, Access
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.errors import ProblemList

TEMPORARY: Final = "$$$$temp$$$$"


class Statements(Owners):
    """Emits statements."""

    problems: ProblemList

    def statements(self, statements: list[tree.Statement]) -> None:
        """Several statements; one that does not compile is noted and skipped."""
        scope = self.scope
        depth = len(scope.enclosing)
        for statement in statements:
            try:
                EMITTERS[type(statement)](self, statement)
            except Problem as problem:
                self.problems.add(problem.message, problem.position)
                self.scope = scope  # whatever was entered in the statement
                del scope.enclosing[depth:]
                self.owners_allowed = True

    def statement(self, node: tree.Statement) -> None:
        if isinstance(node, tree.Block):
            self.statements(node.statements)
        else:
            self.statements([node])

    def nothing(self, node: tree.Statement) -> None:
        """A statement that leaves no code."""

    def block(self, node: tree.Block) -> None:
        self.statements(node.statements)

    # -------------------------------------------------------------------------------------------
    # Assignments

    def expression_statement(self, node: tree.ExpressionStatement) -> None:
        expression = node.expression
        if isinstance(expression, tree.Increment):
            self.step_statement(expression)
        elif isinstance(expression, tree.Function):
            self.function_declaration(expression)
        elif isinstance(expression, (tree.Call, tree.New)):
            function = expression.function
            if isinstance(function, tree.Name) and function.name == "gml_pragma":
                return  # an order to the compiler alone
            self.expression(expression)
            self.discard(V)
        else:
            raise Problem(
                "this does nothing: a statement is a call or an assignment", node.position
            )

    def step_statement(self, node: tree.Increment) -> None:
        """``x++`` as a statement. With array owners, an element is stepped as in an expression,
        and read once more before when no owner had to be marked (so do the official
        compilers).
        """
        target = node.operand
        if (
            self.marks_owners
            and isinstance(target, tree.Index)
            and not self.is_accessor_call(target)
        ):
            if not self.owners_allowed or not self.set_owner(self.owner_of(target, False)):
                self.expression(target)
                self.discard(V)
            self.step(node, True)
            self.discard(V)
            return
        self.step(node, False)

    def function_declaration(self, node: tree.Function) -> None:
        raise Problem("functions are not part of this version's language", node.position)

    def var(self, node: tree.Var) -> None:
        for declarator in node.declarators:
            self.scope.locals.setdefault(declarator.name, False)
            if declarator.value is not None:
                name = tree.Name(declarator.name, position=declarator.position)
                self.owned_assignment(name, "=", declarator.value, True)

    def globalvar(self, node: tree.GlobalVar) -> None:
        for declarator in node.declarators:
            self.context.add_global(declarator.name)
            if declarator.value is not None:
                self.assign(
                    tree.Name(declarator.name, position=declarator.position), declarator.value
                )

    def assignment(self, node: tree.Assignment) -> None:
        target, value = node.target, node.value
        self.check_writable(target)
        if (
            node.operator == "="
            and isinstance(target, tree.Name)
            and isinstance(value, tree.Name)
            and target.name == value.name
            and not self.old
        ):
            return  # nothing to do, but for a `var`
        self.owned_assignment(target, node.operator, value, False)

    def owned_assignment(
        self, target: tree.Expression, operator: str, value: tree.Expression, declared: bool
    ) -> None:
        """An assignment, with the mark of the array's owner before it where there is one."""
        if not self.marks_owners or not self.owners_allowed:
            self.assign_any(target, operator, value)
            return
        if self.has_element(target) or has_array_literal(value):
            self.owners_allowed = False
            self.set_owner(self.owner_of(target, declared))
            self.assign_any(target, operator, value)
            self.owners_allowed = True
        else:
            self.assign_any(target, operator, value)

    def assign_any(self, target: tree.Expression, operator: str, value: tree.Expression) -> None:
        if operator == "=":
            self.assign(target, value)
        elif operator == "??=":
            self.assign_nullish(target, value)
        elif isinstance(target, tree.Index) and self.is_accessor_call(target):
            self.change_accessor(target, operator[:-1], value)
        else:
            access = self.access(target, CHANGE)
            self.duplicate_operands(access, False)
            self.load(access, PUSH)
            self.change(operator[:-1], value)
            self.restore_reference(access)
            self.store_top(access, V)

    def change(self, operator: str, value: tree.Expression) -> None:
        """The right side and the operator of a compound assignment, the old value being pushed."""
        type_ = self.expression(value)
        if operator in ("&", "|", "^"):
            if self.dialect.long_compound_bitwise:
                self.convert(type_, L)
                type_ = L
            elif type_ != L:
                self.convert(type_, I)
                type_ = I
        elif type_ == B:
            self.convert(B, I)
            type_ = I
        self.one(_OPCODES[operator], type_, V)

    def assign(self, target: tree.Expression, value: tree.Expression) -> None:
        """``target = value``: the value first, then the target's instance and index."""
        if isinstance(target, tree.Index) and (
            (target.accessor == "@" and self.marks_owners) or self.is_accessor_call(target)
        ):
            self.value(value)
            self.set_accessor(target)
            return
        type_ = self.assigned_value(target, value)
        if self.v2 and self.is_element(target):
            self.convert(type_, V)
            type_ = V
        self.store(self.access(target, WRITE), type_)

    def assigned_value(self, target: tree.Expression, value: tree.Expression) -> int:
        return self.expression(value)

    def assign_nullish(self, target: tree.Expression, value: tree.Expression) -> None:
        """``target ??= value``: read as any value, and where that is nullish written as by ``=``,
        with the target's instance and index worked out once more.
        """
        if not self.dialect.nullish_operator:
            raise Problem("this release has no ??=", target.position)
        skip = Label()
        end = Label()
        self.emit(target)
        self.extended(CHKNULLISH)
        self.branch(BRANCH_FALSE, skip)
        self.discard(V)
        self.value(value)
        if isinstance(target, tree.Index) and self.is_accessor_call(target):
            self.set_accessor(target)
        else:
            self.store(self.access(target, WRITE), V)
        self.branch(BRANCH, end)
        self.place(skip)
        self.discard(V)
        self.place(end)

    def set_accessor(self, target: tree.Index) -> None:
        """Write the value on top of the stack to an element that is reached by a function."""
        functions = self.accessor_functions(target)
        self.accessor_arguments(target)
        self.call(functions[1], len(target.indices) + 2)
        self.discard(V)

    def change_accessor(self, target: tree.Index, operator: str, value: tree.Expression) -> None:
        functions = self.accessor_functions(target)
        count = len(target.indices)
        self.accessor_arguments(target)
        self.call(functions[0], count + 1)
        step = tree.Binary(operator, target, self.fold(value), position=target.position)
        self.convert(self.operate(step, V, None), V)
        self.set_accessor(target)

    def delete(self, node: tree.Delete) -> None:
        self.check_writable(node.target)
        self.owned_assignment(
            node.target, "=", tree.Name("undefined", position=node.position), False
        )

    # -------------------------------------------------------------------------------------------
    # Branches and loops

    def if_(self, node: tree.If) -> None:
        ends: list[Label] = []
        current: tree.Statement | None = node
        while isinstance(current, tree.If):
            condition = self.fold(current.condition)
            if isinstance(condition, CONSTANTS):
                if is_true(condition):
                    self.statement(current.then)
                    current = None
                else:
                    current = current.otherwise
                continue
            otherwise = Label()
            self.convert(self.emit(condition), B)
            self.branch(BRANCH_FALSE, otherwise)
            before = self.owner_last
            self.statement(current.then)
            if current.otherwise is not None:
                self.owner_last = before
            if current.otherwise is None:
                self.place(otherwise)
                current = None
            else:
                end = Label()
                self.branch(BRANCH, end)
                ends.append(end)
                self.place(otherwise)
                current = current.otherwise
        if current is not None:
            self.statement(current)
        for end in reversed(ends):
            self.place(end)

    def enter(self, kind: str, breaks: Label, continues: Label, type_: int = 0) -> Enclosing:
        enclosing = Enclosing(kind, breaks, continues, type_)
        self.scope.enclosing.append(enclosing)
        return enclosing

    def leave(self) -> None:
        self.scope.enclosing.pop()
        self.forget_owner()

    def while_(self, node: tree.While) -> None:
        head = self.here()
        end = Label()
        self.condition(node.condition)
        self.branch(BRANCH_FALSE, end)
        self.enter("while", end, head)
        self.statement(node.body)
        self.leave()
        self.branch(BRANCH, head)
        self.place(end)

    def for_(self, node: tree.For) -> None:
        if node.initial is not None:
            self.statement(node.initial)
        head = self.here()
        step = Label()
        end = Label()
        if node.condition is None:
            self.push_int64(1)
            self.convert(L, B)
        else:
            self.condition(node.condition)
        self.branch(BRANCH_FALSE, end)
        self.enter("for", end, step)
        self.statement(node.body)
        self.leave()
        self.place(step)
        if node.step is not None:
            self.statement(node.step)
        self.branch(BRANCH, head)
        self.place(end)

    def do_until(self, node: tree.DoUntil) -> None:
        head = self.here()
        check = Label()
        end = Label()
        self.enter("do", end, check)
        self.statement(node.body)
        self.leave()
        self.place(check)
        self.condition(node.condition)
        self.branch(BRANCH_FALSE, head)
        self.place(end)

    def repeat(self, node: tree.Repeat) -> None:
        check = Label()
        end = Label()
        type_ = self.expression(node.count)
        if type_ != L or not self.dialect.repeat_keeps_int64:
            self.convert(type_, I)
            type_ = I
        self.duplicate(type_, 0)
        self.push_int(0)
        self.one(CMP, I, type_, 2)
        self.branch(BRANCH_TRUE, end)
        head = self.here()
        self.enter("repeat", end, check, type_)
        self.statement(node.body)
        self.leave()
        self.place(check)
        if self.dialect.extra_repeat_instruction:
            self.push_int(1)
        else:
            self.small(1)
        self.one(0x0D, I, type_)
        self.duplicate(type_, 0)
        if self.dialect.extra_repeat_instruction or type_ == L:
            self.convert(type_, B)
        self.branch(BRANCH_TRUE, head)
        self.place(end)
        self.discard(type_)

    def with_(self, node: tree.With) -> None:
        self.with_target(node.target)
        next_ = Label()
        breaks = Label()
        self.branch(PUSHENV, next_)
        body = self.here()
        enclosing = self.enter("with", breaks, next_)
        self.statement(node.body)
        self.leave()
        self.place(next_)
        self.branch(POPENV, body)
        if enclosing.broken:
            end = Label()
            self.branch(BRANCH, end)
            self.place(breaks)
            self.one(POPENV, 0, 0, POPENV_DROP)
            self.place(end)

    def with_target(self, node: tree.Expression) -> None:
        if (
            self.dialect.instance_keywords_as_id
            and isinstance(node, tree.Name)
            and node.name in ("self", "other")
        ):
            self.convert(self.instance_word(node.name), I)
        else:
            self.push_instance(node)

    def switch(self, node: tree.Switch) -> None:
        type_ = self.expression(node.value)
        end = Label()
        bodies = [Label() for _ in node.cases]
        default: Label | None = None
        for case, body in zip(node.cases, bodies, strict=True):
            if case.value is None:
                default = body
                continue
            self.duplicate(type_, 0)
            label_type = self.expression(case.value)
            self.one(CMP, label_type, type_, 3)
            self.branch(BRANCH_TRUE, body)
        if default is not None:
            self.branch(BRANCH, default)
        self.branch(BRANCH, end)
        continues = Label()
        enclosing = self.enter("switch", end, continues, type_)
        for case, body in zip(node.cases, bodies, strict=True):
            self.place(body)
            enclosing.in_default = case.value is None
            self.statements(case.body)
        self.leave()
        if enclosing.continued:
            self.branch(BRANCH, end)
            self.place(continues)
            self.discard(type_)
            self.continue_(tree.Continue(position=node.position))
        self.place(end)
        self.discard(type_)

    def break_(self, node: tree.Break) -> None:
        innermost = self.innermost()
        if innermost is None:
            raise Problem("break outside a loop or switch", node.position)
        innermost.broken = True
        self.branch(BRANCH, innermost.breaks)

    def continue_(self, node: tree.Continue) -> None:
        innermost = self.innermost()
        if innermost is None or not any(
            each.kind in ("while", "for", "do", "repeat", "with") for each in self.scope.enclosing
        ):
            raise Problem("continue outside a loop", node.position)
        innermost.continued = True
        self.branch(BRANCH, innermost.continues)

    def innermost(self) -> Enclosing | None:
        """The innermost loop, with or switch."""
        return self.scope.enclosing[-1] if self.scope.enclosing else None

    # -------------------------------------------------------------------------------------------
    # Leaving

    def clean_up(self, dry: bool = False) -> bool:
        """Undo what encloses an early exit; whether there is (with ``dry``: would be) anything."""
        any_ = False
        for enclosing in reversed(self.scope.enclosing):
            if enclosing.kind == "with":
                any_ = True
                if not dry:
                    self.one(POPENV, 0, 0, POPENV_DROP)
            elif enclosing.kind == "switch":
                any_ = True
                if not dry and not (
                    enclosing.in_default and self.dialect.switch_default_exit_keeps_value
                ):
                    self.discard(enclosing.type)
            elif enclosing.kind == "repeat" and self.v2:
                any_ = True
                if not dry:
                    self.discard(enclosing.type)
        return any_

    def exit(self, node: tree.Exit) -> None:
        self.clean_up()
        self.mark_static()
        self.one(EXIT, I)

    def return_(self, node: tree.Return) -> None:
        self.value(node.value)
        if self.clean_up(dry=True):
            self.scope.locals.setdefault(TEMPORARY, True)
            self.pop_variable(V, V, LOCAL, TEMPORARY, LOCAL, NORMAL)
            self.clean_up()
            self.mark_static()
            self.push_variable(PUSH, LOCAL, TEMPORARY, LOCAL, NORMAL)
        else:
            self.mark_static()
        self.one(RET, V)

    def mark_static(self) -> None:
        """The first 2.3 builds mark the statics as done at every way out of a function."""
        if self.dialect.static_marker_everywhere and self.scope.parent is not None:
            self.extended(SETSTATIC)

    def throw(self, node: tree.Throw) -> None:
        self.value(node.value)
        self.call("@@throw@@", 1)

    def static(self, node: tree.Static) -> None:
        raise Problem("static is not part of this version's language", node.position)

    def try_(self, node: tree.Try) -> None:
        raise Problem("try is not part of this version's language", node.position)


# What a deriving class overrides is looked up when called.
EMITTERS: Final[dict[type, Callable[..., None]]] = {
    tree.Block: Statements.block,
    tree.ExpressionStatement: Statements.expression_statement,
    tree.Assignment: Statements.assignment,
    tree.Var: Statements.var,
    tree.GlobalVar: Statements.globalvar,
    tree.If: Statements.if_,
    tree.While: Statements.while_,
    tree.For: Statements.for_,
    tree.DoUntil: Statements.do_until,
    tree.Repeat: Statements.repeat,
    tree.With: Statements.with_,
    tree.Switch: Statements.switch,
    tree.Break: Statements.break_,
    tree.Continue: Statements.continue_,
    tree.Exit: lambda self, node: self.exit(node),
    tree.Return: lambda self, node: self.return_(node),
    tree.Throw: lambda self, node: self.throw(node),
    tree.Delete: Statements.delete,
    tree.Static: lambda self, node: self.static(node),
    tree.Try: lambda self, node: self.try_(node),
    tree.Enum: Statements.nothing,
    tree.Macro: Statements.nothing,
    tree.Comment: Statements.nothing,
}

__all__ = ["DUP", "ELEMENT", "Access", "S", "Statements"]
