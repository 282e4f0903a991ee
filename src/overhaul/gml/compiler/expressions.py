"""Literals, reading of variables and elements, and operators: conversion of their operands, short
circuits, and the type they leave.
"""

from __future__ import annotations

from typing import Final

from overhaul.gml.compiler import machine as m
from overhaul.gml.compiler.emitter import Emitter, Label
from overhaul.gml.compiler.machine import BRANCH, BRANCH_FALSE, B, D, I, L, S, V
from overhaul.gml.compiler.names import NameResolver
from overhaul.gml.compiler.nodes import READ, Problem, Truth
from overhaul.gml.compiler.part import CompilerPart
from overhaul.gml.compiler.statements import Composed
from overhaul.gml.compiler.values import Values
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.language import PRECEDENCE


class Expressions(Composed):
    """Emits the simple kinds of expressions."""

    def number(self, node: tree.Number) -> int:
        return self.code.push_number(node.value)

    def int64(self, node: tree.Int64) -> int:
        self.code.push_int64(node.value)
        return L

    def string(self, node: tree.String) -> int:
        self.code.push_string(node.value)
        return S

    def boolean(self, node: tree.Boolean) -> int:
        self.code.small(int(node.value))
        return B if self.dialect.typed_booleans or isinstance(node, Truth) else I

    def array(self, node: tree.ArrayLiteral) -> int:
        for element in reversed(node.elements):
            self.values.value(element)
        self.code.call("@@NewGMLArray@@", len(node.elements))
        return V

    def template(self, node: tree.TemplateString) -> int:
        if not self.dialect.template_strings:
            raise Problem("this release has no template strings", node.position)
        text: list[str] = []
        fields: list[tree.Expression] = []
        for part in node.parts:
            if type(part) is tree.String:
                text.append(part.value)
            else:
                text.append(f"{{{len(fields)}}}")
                fields.append(part)
        if not fields:
            self.code.push_string("".join(text))
            return S
        for argument in reversed(fields):
            self.values.value(argument)
        self.code.push_string("".join(text))
        self.code.convert(S, V)
        name = "@@string@@" if self.dialect.modern_template_strings else "string"
        self.code.call(name, len(fields) + 1)
        return V

    def name(self, node: tree.Name) -> int:
        if node.name not in self.scopes.current.locals:
            special = self.references.special_name(node)
            if special is not None:
                return special
        return self.read(node)

    def read(self, node: tree.Expression) -> int:
        """Read a variable, member or element."""
        access = self.variables.access(node, READ)
        return self.variables.load(access, access.opcode)

    def index(self, node: tree.Index) -> int:
        if self.accessors.is_call(node):
            self.accessors.get(node)
            return V
        return self.read(node)

    def conditional(self, node: tree.Conditional) -> int:
        otherwise = Label()
        end = Label()
        self.values.condition(node.condition)
        self.code.branch(BRANCH_FALSE, otherwise)
        self.values.value(node.then)
        self.code.branch(BRANCH, end)
        self.code.place(otherwise)
        self.values.value(node.otherwise)
        self.code.place(end)
        return V


OPCODES: Final = {
    "*": m.MUL, "/": m.DIV, "div": m.REM, "%": m.MOD, "+": m.ADD, "-": m.SUB,
    "&": m.AND, "|": m.OR, "^": m.XOR, "<<": m.SHL, ">>": m.SHR,
    "&&": m.AND, "||": m.OR, "^^": m.XOR,
}  # fmt: skip
_COMPARISONS: Final = {"<": m.LT, "<=": m.LTE, "==": m.EQ, "!=": m.NEQ, ">=": m.GTE, ">": m.GT}
_RANK: Final = {V: 2, D: 1, L: 1, I: 0, B: 0, S: 0}
_STRING_TO_DOUBLE: Final = frozenset({"-", "/", "%", "&", "|", "^", "<<", ">>"})


def result_type(operator: str, left: int, right: int) -> int:
    """The type an operator leaves."""
    if operator in _STRING_TO_DOUBLE and (left == S or right == S):
        return D
    if operator == "div" and ((left == S and right != V) or right == S):
        return D
    if left == right:
        return left
    a, b = _RANK[left], _RANK[right]
    if a != b:
        return left if a > b else right
    return min(left, right)


class Operators(CompilerPart):
    """Emits operators."""

    def __init__(self, code: Emitter, names: NameResolver, values: Values) -> None:
        super().__init__(code, names)
        self.old_bitwise: bool = not names.dialect.shifts_convert_both
        self.bits: int = L if names.dialect.bitwise_int64 else I
        self.values = values

    def unary(self, node: tree.Unary) -> int:
        type_ = self.values.emit(node.operand)
        operator = node.operator
        if operator == "!":
            self.code.convert(type_, B)
            self.code.one(m.NOT, B)
            return B
        if operator == "-":
            if type_ == B:
                self.code.convert(B, I)
                type_ = I
            self.code.one(m.NEG, type_)
        elif operator == "~":
            if type_ in (D, V):
                self.code.convert(type_, self.bits)
                type_ = self.bits
            self.code.one(m.NOT, type_)
        return type_

    def binary(self, node: tree.Binary) -> int:
        operator = node.operator
        if operator == "??":
            return self.nullish(node)
        if operator in ("&&", "||") and self.dialect.logical_short_circuit:
            return self.short_circuit(node)
        # Down the left side by a loop: chains may be long.
        spine = [node]
        left = node.left
        while isinstance(left, tree.Binary) and not self.is_branching(left):
            spine.append(left)
            left = left.left
        type_ = self.values.emit(left)
        below: tree.Binary | None = None
        for operation in reversed(spine):
            type_ = self.operate(operation, type_, below)
            below = operation
        return type_

    def is_branching(self, node: tree.Binary) -> bool:
        """Whether the operator evaluates its right side only sometimes."""
        operator = node.operator
        return operator == "??" or (operator in ("&&", "||") and self.dialect.logical_short_circuit)

    def operate(self, node: tree.Binary, left: int, below: tree.Binary | None) -> int:
        """The right operand and the operator, the left operand being pushed."""
        operator = node.operator
        # Within one chain only the first operand is converted.
        if (
            below is None
            or below.grouped == 1
            or PRECEDENCE[below.operator] != PRECEDENCE[operator]
        ):
            left = self.coerce(operator, left)
        right = self.values.emit(node.right)
        if not (self.old_bitwise and operator in ("<<", ">>")):
            right = self.coerce(operator, right)
        comparison = _COMPARISONS.get(operator, 0)
        if comparison:
            self.code.one(m.CMP, right, left, comparison)
            return B
        self.code.one(OPCODES[operator], right, left)
        return result_type(operator, left, right)

    def coerce(self, operator: str, type_: int) -> int:
        """Convert an operand on the stack as its operator wants it."""
        target = type_
        if operator in ("+", "-", "*", "div", "%"):
            if type_ == B:
                target = I
        elif operator == "/":
            if type_ not in (V, D):
                target = D
        elif operator in ("&&", "||", "^^"):
            target = B
        elif operator in ("<<", ">>"):
            target = self.bits
        elif operator in ("&", "|", "^"):
            if type_ in (V, D):
                target = self.bits
            elif type_ in (B, S) or (type_ == L and self.old_bitwise):
                target = I
        self.code.convert(type_, target)
        return target

    def short_circuit(self, node: tree.Binary) -> int:
        operator = node.operator
        operands = [node.right]
        left = node.left
        while isinstance(left, tree.Binary) and left.operator == operator and left.grouped != 1:
            operands.append(left.right)
            left = left.left
        operands.append(left)
        operands.reverse()
        short = Label()
        end = Label()
        opcode = m.BRANCH_FALSE if operator == "&&" else m.BRANCH_TRUE
        for operand in operands[:-1]:
            self.code.convert(self.values.emit(operand), B)
            self.code.branch(opcode, short)
        self.code.convert(self.values.emit(operands[-1]), B)
        self.code.branch(m.BRANCH, end)
        self.code.place(short)
        self.code.push_small(0 if operator == "&&" else 1)
        self.code.place(end)
        return B

    def nullish(self, node: tree.Binary) -> int:
        if not self.dialect.nullish_operator:
            raise Problem("this release has no ??", node.position)
        end = Label()
        self.code.convert(self.values.emit(node.left), V)
        self.code.extended(m.CHKNULLISH)
        self.code.branch(m.BRANCH_FALSE, end)
        self.code.discard(V)
        self.code.convert(self.values.emit(node.right), V)
        self.code.place(end)
        return V
