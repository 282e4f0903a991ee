"""Expressions: operators, calls, literals."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable
from typing import Final

from overhaul.gml.compiler.emitter import (
    BRANCH,
    BRANCH_FALSE,
    BRANCH_TRUE,
    BUILTIN,
    CHKNULLISH,
    CMP,
    GLOBAL,
    LOCAL,
    NEG,
    NORMAL,
    NOT,
    PUSH,
    STACKTOP,
    B,
    D,
    I,
    L,
    Label,
    S,
    V,
)
from overhaul.gml.compiler.errors import Problem
from overhaul.gml.compiler.folding import (
    CONSTANTS,
    Truth,
    fold_binary,
    fold_unary,
    is_true,
    truncated,
)
from overhaul.gml.compiler.variables import (
    ACCESSORS,
    ACCESSORS_2D,
    READ,
    STEP,
    Variables,
)
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.parser import PRECEDENCE
from overhaul.gml.vm.code import AssetReference

_OPCODES: Final = {
    "*": 0x08, "/": 0x09, "div": 0x0A, "%": 0x0B, "+": 0x0C, "-": 0x0D,
    "&": 0x0E, "|": 0x0F, "^": 0x10, "<<": 0x13, ">>": 0x14, "&&": 0x0E, "||": 0x0F, "^^": 0x10,
}  # fmt: skip
_COMPARISONS: Final = {"<": 1, "<=": 2, "==": 3, "!=": 4, ">=": 5, ">": 6}
_DECIMAL: Final = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?")
_RANK: Final = {V: 2, D: 1, L: 1, I: 0, B: 0, S: 0}
_STRING_TO_DOUBLE: Final = frozenset({"-", "/", "%", "&", "|", "^", "<<", ">>"})


def _number_in(node: tree.Expression) -> tree.Expression | None:
    """The number a constant string spells, None where it spells none."""
    if not isinstance(node, tree.String) or not _DECIMAL.fullmatch(node.value):
        return None
    value = float(node.value)
    return tree.Number(int(value) if value.is_integer() else value, position=node.position)


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


class Expressions(Variables):
    """Emits expressions; every method returns the type of the value it leaves."""

    # -------------------------------------------------------------------------------------------
    # Folding

    def fold(self, node: tree.Expression) -> tree.Expression:
        """The expression with its constant parts worked out (the tree is changed in place)."""
        kind = type(node)
        if kind is tree.Name:
            return self.constant(node) or node  # type: ignore[arg-type]
        if kind is tree.Binary:
            return self.fold_chain(node)  # type: ignore[arg-type]
        if isinstance(node, tree.Unary):
            operand = self.fold(node.operand)
            if isinstance(operand, CONSTANTS):
                folded = fold_unary(node, operand)
                if folded is not None:
                    return folded
            node.operand = operand
        elif isinstance(node, tree.Member):
            return self.enum_value(node) or node
        elif isinstance(node, tree.Call):
            return self.fold_call(node) or node
        elif isinstance(node, tree.TemplateString):
            if self.dialect.template_strings and all(type(p) is tree.String for p in node.parts):
                return tree.String("".join(p.value for p in node.parts), position=node.position)  # type: ignore[attr-defined]
        elif isinstance(node, tree.Conditional):
            node.condition = self.fold(node.condition)
            if isinstance(node.condition, CONSTANTS):
                return self.fold(node.then if is_true(node.condition) else node.otherwise)
        return node

    def fold_chain(self, node: tree.Binary) -> tree.Expression:
        spine: list[tree.Binary] = []
        left: tree.Expression = node
        while isinstance(left, tree.Binary):
            spine.append(left)
            left = left.left
        left = self.fold(left)
        for each in reversed(spine):
            right = self.fold(each.right)
            each.left = left
            each.right = right
            left = each
            if isinstance(each.left, CONSTANTS) and isinstance(right, CONSTANTS):
                folded = fold_binary(each, each.left, right)
                if folded is not None:
                    left = folded
        return left

    def fold_call(self, node: tree.Call) -> tree.Expression | None:
        """The few functions that are worked out when their argument is constant."""
        if not isinstance(node.function, tree.Name) or len(node.arguments) != 1:
            return None
        name = node.function.name
        if name not in ("ord", "chr", "int64", "real", "string"):
            return None
        argument = node.arguments[0]
        if argument is None:
            return None
        value = self.fold(argument)
        position = node.position
        if name == "ord" and isinstance(value, tree.String):
            return tree.Number(ord(value.value[0]) if value.value else 0, position=position)
        if name == "chr" and isinstance(value, tree.Number) and self.dialect.chr_folds:
            code = truncated(value.value)
            if 0 <= code < 0x110000:
                return tree.String(chr(code), position=position)
        if name == "int64" and isinstance(value, (tree.Number, tree.Int64)):
            return tree.Int64(truncated(value.value), position=position)
        if self.dialect.string_real_optimizations:
            if name == "real":
                return value if isinstance(value, tree.Number) else _number_in(value)
            if name == "string":
                if isinstance(value, tree.Number) and isinstance(value.value, int):
                    return tree.String(str(value.value), position=position)
                return value if isinstance(value, tree.String) else None
        return None

    # -------------------------------------------------------------------------------------------
    # Dispatch

    def expression(self, node: tree.Expression) -> int:
        return self.emit(self.fold(node))

    def emit(self, node: tree.Expression) -> int:
        return _EMITTERS[type(node)](self, node)

    def value(self, node: tree.Expression) -> None:
        """An expression, converted to a V."""
        self.convert(self.expression(node), V)

    def condition(self, node: tree.Expression) -> None:
        """An expression, converted to a boolean."""
        self.convert(self.expression(node), B)

    # -------------------------------------------------------------------------------------------
    # Literals

    def number(self, node: tree.Number) -> int:
        return self.push_number(node.value)

    def int64(self, node: tree.Int64) -> int:
        self.push_int64(node.value)
        return L

    def string(self, node: tree.String) -> int:
        self.push_string(node.value)
        return S

    def boolean(self, node: tree.Boolean) -> int:
        self.small(int(node.value))
        return B if self.dialect.typed_booleans or isinstance(node, Truth) else I

    def array(self, node: tree.ArrayLiteral) -> int:
        for element in reversed(node.elements):
            self.value(element)
        self.call("@@NewGMLArray@@", len(node.elements))
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
            self.push_string("".join(text))
            return S
        for argument in reversed(fields):
            self.value(argument)
        self.push_string("".join(text))
        self.convert(S, V)
        name = "@@string@@" if self.dialect.modern_template_strings else "string"
        self.call(name, len(fields) + 1)
        return V

    # -------------------------------------------------------------------------------------------
    # Variables

    def name(self, node: tree.Name) -> int:
        name = node.name
        if name not in self.scope.locals:
            special = self.special_name(node)
            if special is not None:
                return special
        access = self.access(node, READ)
        return self.load(access, access.opcode)

    def special_name(self, node: tree.Name) -> int | None:
        """Names that are no variables: instances, assets, functions."""
        name = node.name
        if name in ("self", "other", "all", "noone", "global"):
            return self.instance_word(name)
        if name in self.scope.parameters or name in self.scope.statics:
            return None
        asset = self.context.asset_id(name)
        if asset is not None and asset[0] != "script":
            self.push_reference(AssetReference(asset[0], asset[1]))
            return V
        if self.v2:
            return self.function_value(name)
        return None

    def instance_word(self, name: str) -> int:
        if self.v2:
            if name == "self":
                self.call("@@This@@", 0)
                return V
            if name == "other":
                self.call("@@Other@@", 0)
                return V
            if name == "global" and self.dialect.global_constant_function:
                self.call("@@Global@@", 0)
                return V
        elif name in ("self", "other") and self.dialect.instance_keywords_as_id:
            self.push_variable(PUSH, -1 if name == "self" else -2, "id", -1, NORMAL)
            return V
        numbers = {"self": -1, "other": -2, "all": -3, "noone": -4, "global": GLOBAL}
        self.small(numbers[name])
        return I

    def function_value(self, name: str) -> int | None:
        """A function's name as a value (2.3+), None where the name is none."""
        return None

    def member(self, node: tree.Member) -> int:
        access = self.access(node, READ)
        return self.load(access, access.opcode)

    def index(self, node: tree.Index) -> int:
        if self.is_accessor_call(node):
            functions = self.accessor_functions(node)
            self.accessor_arguments(node)
            self.call(functions[0], len(node.indices) + 1)
            return V
        access = self.access(node, READ)
        return self.load(access, access.opcode)

    def is_accessor_call(self, node: tree.Index) -> bool:
        """Whether an element is reached by calling a function."""
        if node.accessor in ("", "@"):
            if node.accessor == "@" and not self.v2:
                return True
            base = node.object
            while self.v2 and isinstance(base, tree.Index) and base.accessor in ("", "@"):
                base = base.object
            return not isinstance(base, (tree.Name, tree.Member))
        return True

    def accessor_functions(self, node: tree.Index) -> tuple[str, str, str, str]:
        kind = node.accessor or "@"
        if kind == "@" and self.array_get != "array_get" and len(node.indices) == 1:
            return (self.array_get, *ACCESSORS["@"][1:])
        if len(node.indices) == 2 and kind in ACCESSORS_2D:
            return ACCESSORS_2D[kind]
        return ACCESSORS[kind]

    def accessor_arguments(self, node: tree.Index) -> None:
        """The indices, last first, and what they look into."""
        for index in reversed(node.indices):
            self.element_value(index)
        self.element_value(node.object)

    def element_value(self, node: tree.Expression) -> None:
        """An argument of an accessor; there plain array elements are read by a function too
        (2.3+).
        """
        if (
            self.v2
            and isinstance(node, tree.Index)
            and node.accessor in ("", "@")
            and len(node.indices) == 1
            and isinstance(node.object, tree.Name)
        ):
            self.value(node.indices[0])
            self.value(node.object)
            self.call(self.array_get, 2)
            return
        self.value(node)

    # -------------------------------------------------------------------------------------------
    # Operators

    def unary(self, node: tree.Unary) -> int:
        type_ = self.emit(node.operand)
        operator = node.operator
        if operator == "!":
            self.convert(type_, B)
            self.one(NOT, B)
            return B
        if operator == "-":
            if type_ == B:
                self.convert(B, I)
                type_ = I
            self.one(NEG, type_)
        elif operator == "~":
            if type_ in (D, V):
                self.convert(type_, L)
                type_ = L
            self.one(NOT, type_)
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
        type_ = self.emit(left)
        below: tree.Binary | None = None
        for each in reversed(spine):
            type_ = self.operate(each, type_, below)
            below = each
        return type_

    def is_branching(self, node: tree.Binary) -> bool:
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
        right = self.emit(node.right)
        if self.old_bitwise and operator in ("<<", ">>"):
            pass
        else:
            right = self.coerce(operator, right)
        comparison = _COMPARISONS.get(operator, 0)
        if comparison:
            self.one(CMP, right, left, comparison)
            return B
        self.one(_OPCODES[operator], right, left)
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
            target = L
        elif operator in ("&", "|", "^"):
            if type_ in (V, D):
                target = L
            elif type_ in (B, S) or (type_ == L and self.old_bitwise):
                target = I
        self.convert(type_, target)
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
        opcode = BRANCH_FALSE if operator == "&&" else BRANCH_TRUE
        for operand in operands[:-1]:
            self.convert(self.emit(operand), B)
            self.branch(opcode, short)
        self.convert(self.emit(operands[-1]), B)
        self.branch(BRANCH, end)
        self.place(short)
        self.push_small(0 if operator == "&&" else 1)
        self.place(end)
        return B

    def nullish(self, node: tree.Binary) -> int:
        if not self.dialect.nullish_operator:
            raise Problem("this release has no ??", node.position)
        rights = [node.right]  # a chain, nested to the left, may be longer than the stack is deep
        left = node.left
        while isinstance(left, tree.Binary) and left.operator == "??":
            rights.append(left.right)
            left = left.left
        self.convert(self.emit(left), V)
        for right in reversed(rights):
            end = Label()
            self.extended(CHKNULLISH)
            self.branch(BRANCH_FALSE, end)
            self.discard(V)
            self.convert(self.emit(right), V)
            self.place(end)
        return V

    def conditional(self, node: tree.Conditional) -> int:
        otherwise = Label()
        end = Label()
        self.condition(node.condition)
        self.branch(BRANCH_FALSE, otherwise)
        self.value(node.then)
        self.branch(BRANCH, end)
        self.place(otherwise)
        self.value(node.otherwise)
        self.place(end)
        return V

    def increment(self, node: tree.Increment) -> int:
        """``x++`` or ``++x`` whose value is used."""
        return self.step(node, True)

    def step(self, node: tree.Increment, used: bool) -> int:
        target = node.operand
        opcode = _OPCODES["+" if node.operator == "++" else "-"]
        self.check_writable(target)
        if isinstance(target, tree.Index) and self.is_accessor_call(target):
            return self.step_accessor(node, target, opcode, used)
        access = self.access(target, STEP)
        self.duplicate_operands(access, True)
        self.load(access, PUSH)
        if used and not node.prefix:
            self.keep_below(access)
        self.push_small(1)
        self.one(opcode, I, V)
        if used and node.prefix:
            self.keep_below(access)
        if (
            access.kind == STACKTOP
            and isinstance(target, tree.Member)
            and isinstance(target.object, tree.Name)
            and target.object.name in self.scope.parameters
        ):
            # Of a parameter's member, the compilers take another record than elsewhere.
            access.scope = BUILTIN if self.dialect.self_to_builtin else LOCAL
        self.store_top(access, V)
        return V

    def step_accessor(
        self, node: tree.Increment, target: tree.Index, opcode: int, used: bool
    ) -> int:
        functions = self.accessor_functions(target)
        count = len(target.indices)
        self.accessor_arguments(target)
        self.call(functions[0], count + 1)
        self.small(1)
        self.one(opcode, I, V)
        self.accessor_arguments(target)
        self.call(functions[3 if node.prefix else 2], count + 2)
        if not used:
            self.discard(V)
        return V

    def check_writable(self, target: tree.Expression) -> None:
        """Complain about an assignment to what is no variable, or is read-only."""
        if isinstance(target, tree.Name):
            name = target.name
            if name in self.scope.locals or name in self.scope.parameters:
                return
            if self.constant(target) is not None or name in (
                "self", "other", "all", "noone", "global",
            ):  # fmt: skip
                raise Problem(
                    f"{name} is a constant; nothing can be assigned to it", target.position
                )
            builtin = self.builtin_variables.get(name)
            if (
                builtin is not None
                and builtin.readonly
                and name not in self.scope.statics
                and name not in self.learned_writes
            ):
                raise Problem(f"{name} is read-only", target.position)
        elif isinstance(target, tree.Member):
            if self.enum_value(target) is not None:
                raise Problem("a member of an enum is a constant", target.position)
        elif not isinstance(target, tree.Index):
            raise Problem("nothing can be assigned to this", target.position)

    # -------------------------------------------------------------------------------------------
    # What deriving classes emit

    @abstractmethod
    def call_expression(self, node: tree.Call) -> int:
        """A call."""

    @abstractmethod
    def is_variable(self, name: str) -> bool:
        """Whether a name is a variable of the function, whatever else it may be."""

    @abstractmethod
    def new(self, node: tree.New) -> int:
        """``new``."""

    @abstractmethod
    def struct(self, node: tree.StructLiteral) -> int:
        """A struct literal."""

    @abstractmethod
    def function_literal(self, node: tree.Function) -> int:
        """A function as a value."""


# What a deriving class emits or overrides is looked up when called.
_EMITTERS: Final[dict[type, Callable[..., int]]] = {
    tree.Number: Expressions.number,
    tree.Int64: Expressions.int64,
    tree.String: Expressions.string,
    tree.StringField: Expressions.string,
    tree.Boolean: Expressions.boolean,
    Truth: Expressions.boolean,
    tree.ArrayLiteral: Expressions.array,
    tree.TemplateString: Expressions.template,
    tree.Name: Expressions.name,
    tree.Member: Expressions.member,
    tree.Index: Expressions.index,
    tree.Unary: Expressions.unary,
    tree.Binary: Expressions.binary,
    tree.Conditional: Expressions.conditional,
    tree.Increment: Expressions.increment,
    tree.Call: lambda self, node: self.call_expression(node),
    tree.New: lambda self, node: self.new(node),
    tree.StructLiteral: lambda self, node: self.struct(node),
    tree.Function: lambda self, node: self.function_literal(node),
}
