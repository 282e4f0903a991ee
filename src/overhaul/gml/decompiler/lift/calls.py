"""Calls: of functions by name, of methods, and of the internal functions that stand for syntax."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Final

from overhaul.gml.builtins import load_constants
from overhaul.gml.decompiler import opcodes as op
from overhaul.gml.decompiler.lift.accessors import (
    GETTERS,
    STEPPERS,
    read_by_accessor,
    stepped_by_accessor,
)
from overhaul.gml.decompiler.lift.scope import Frame, Scope, Value
from overhaul.gml.decompiler.types.locations import Uses
from overhaul.gml.decompiler.unstructured import StructureError
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.language import starts_with_call
from overhaul.gml.syntax.node import Transformer
from overhaul.gml.vm.code import (
    AssetReference,
    FunctionReference,
    Instruction,
    VariableReference,
)

_FIELD: Final = re.compile(r"\{(\d+)\}")
_NO_INSTANCE: Final = "@@NullObject@@"
INSTANCES: Final = {
    "@@This@@": "self", "@@Other@@": "other", "@@Global@@": "global",
}  # fmt: skip
"""Functions that give an instance which source has a word for."""

_BEHIND: Final = 8
"""A function literal is made within so many instructions behind its body, of a reference to it and
an instance; a call of ``method`` further on is one that was written."""

CallHandler = Callable[[list[Value], int], int]


def nodes_of(values: list[Value]) -> list[tree.Expression | None]:
    """The expressions of values, as arguments."""
    return [value.node for value in values]


class Calls:
    """Handlers of call and callv.

    ``internal``: what reads calls of the runner's internal functions, which stand for syntax.
    ``reads_elements``: whether a function was called that accessors stand for.
    """

    def __init__(self, frame: Frame, scope: Scope, uses: Uses) -> None:
        self.frame = frame
        self.scope = scope
        self.uses = uses
        self.dialect: Dialect = scope.context.dialect
        accessors = scope.fragment.entry.options.accessors
        self.called: bool = scope.locations.names.called or not accessors
        self.reads_elements: bool = False
        self.internal: dict[str, CallHandler] = {}
        if not self.dialect.gms2_or_later:
            return
        self.internal = {
            "@@GetInstance@@": self._get_instance,
            "@@NewGMLArray@@": self._array_literal,
            "@@NewGMLObject@@": self._new,
            "method": self._method,
            "static_get": self._static_get,
            "@@SetStatic@@": self._set_static,
            "@@CopyStatic@@": self._copy_static,
            "@@throw@@": self._throw,
            "@@try_unhook@@": self._clean_up,
            "@@finish_catch@@": self._clean_up,
        }
        if self.dialect.modern_template_strings:
            self.internal["@@string@@"] = self._template
        elif self.dialect.template_strings:
            self.internal["string"] = self._template

    def on_call(self, instruction: Instruction, index: int) -> int:
        """call: a function by name; the first argument is on top."""
        operand = instruction.operand
        if type(operand) is not FunctionReference:
            raise StructureError("a call of nothing")
        code_name = operand.name
        count = instruction.value
        stack = self.frame.stack
        if count > len(stack) or count < 0:
            raise StructureError(f"{code_name} is called with more values than the stack holds")
        arguments: list[Value] = []
        if count:
            arguments = stack[-count:]
            del stack[-count:]
            arguments.reverse()
        handler = self.internal.get(code_name)
        if handler is not None:
            return handler(arguments, index)
        if code_name in GETTERS:
            self.reads_elements = True
            shown = [argument.node for argument in arguments]
            read = read_by_accessor(code_name, shown, self.dialect, self.called)
            if read is not None:
                call = tree.Call(tree.Name(code_name), nodes_of(arguments))
                self.frame.calls[id(read)] = read, call
                self.push(read, arguments)
                return index + 1
        elif code_name in STEPPERS:
            shown = [argument.node for argument in arguments]
            step = stepped_by_accessor(code_name, shown, self.dialect)
            if step is not None:
                self.push(step, arguments)
                return index + 1
        word = INSTANCES.get(code_name)
        if word is not None:
            stack.append(Value(tree.Name(word), op.VARIABLE))
            return index + 1
        name = self.scope.function_name(code_name)
        nodes = nodes_of(arguments)
        self.uses.passed(code_name if name.startswith("@@") else name, nodes)
        call = tree.Call(tree.Name(name), nodes)
        if name == "instance_destroy":
            self.scope.fragment.destroys.append(call)
        self.push(call, arguments)
        return index + 1

    def push(self, node: tree.Expression, parts: list[Value]) -> None:
        """Push what a call returns."""
        self.frame.stack.append(self.frame.grow(Value(node, op.VARIABLE), *parts))

    def push_call(self, name: str, arguments: list[Value]) -> None:
        """Push a call of a function that does not stand for syntax here."""
        self.push(tree.Call(tree.Name(name), nodes_of(arguments)), arguments)

    def on_callv(self, instruction: Instruction, index: int) -> int:
        """callv: ``argN ... arg1 instance function -> result``."""
        stack = self.frame.stack
        count = instruction.value
        if len(stack) < count + 2 or count < 0:
            raise StructureError("a call with more values than the stack holds")
        function = stack.pop()
        stack.pop()
        arguments = [stack.pop() for _ in range(count)]
        nodes = nodes_of(arguments)
        callee = function.node
        source = function.source
        if (
            isinstance(callee, tree.Member)
            and source is not None
            and type(source.operand) is VariableReference
        ):
            instance = callee.object
            if source.value == op.BUILTIN and isinstance(instance, tree.Name):
                if instance.name == "self":
                    callee = tree.Name(callee.name)
            elif source.value == op.STACKTOP and isinstance(instance, tree.Call):
                # Else the arguments would come before the instance.
                instance.grouped = instance.grouped or starts_with_call(instance)
            elif source.value != op.STACKTOP and id(instance) in self.frame.calls:
                # Those of an accessor would follow it.
                callee = tree.Member(self.frame.as_call(instance), callee.name)
        if isinstance(callee, (tree.Name, tree.Member)):
            self.uses.passed_own(callee.name, nodes)
        self.push(tree.Call(callee, nodes), [function, *arguments])
        return index + 1

    # -- functions that stand for syntax -------------------------------------------------------

    def _get_instance(self, arguments: list[Value], index: int) -> int:
        value = arguments[0]
        value.node = self.uses.as_instance(value.node)
        self.frame.stack.append(value)
        return index + 1

    def _array_literal(self, arguments: list[Value], index: int) -> int:
        self.push(tree.ArrayLiteral([value.node for value in arguments]), arguments)
        return index + 1

    def _new(self, arguments: list[Value], index: int) -> int:
        if not arguments:
            self.push(tree.StructLiteral([]), arguments)
            return index + 1
        function = arguments[0].node
        body = self.scope.struct_body(arguments[0])
        if body is not None:
            node = struct_literal(body, arguments[1:], self.dialect)
            self.push(node, arguments)
            return index + 1
        rest = nodes_of(arguments[1:])
        if isinstance(function, (tree.Name, tree.Member)):
            self.uses.passed_own(function.name, rest)
        self.push(tree.New(function, rest), arguments)
        return index + 1

    def _method(self, arguments: list[Value], index: int) -> int:
        value = arguments[-1] if len(arguments) == 2 else None
        if value is not None and type(value.node) is tree.Name:
            made = self.scope.function(value)
            function = None if made is None else made.function
            if made is not None and function is not None and index - made.end <= _BEHIND:
                if arguments[0].node == tree.Call(tree.Name(_NO_INSTANCE), []):
                    function.constructor = made.is_declared = True
                self.frame.stack.append(Value(function, op.VARIABLE, value.source))
                return index + 1
        self.push_call("method", arguments)
        return index + 1

    def _static_get(self, arguments: list[Value], index: int) -> int:
        source = arguments[0].source if len(arguments) == 1 else None
        if (
            source is not None
            and source.opcode == op.PUSH  # a pushref was written static_get(F)
            and type(source.operand) is FunctionReference
        ):
            self.push_call("static_get", arguments)
            self.frame.stack[-1].source = source  # which `F.` leaves, too: see Variables
        else:
            self.push_call("static_get", arguments)
        return index + 1

    def _set_static(self, arguments: list[Value], index: int) -> int:
        self.scope.fragment.constructor = True
        self.frame.begin = self._clean_up(arguments, index)
        return self.frame.begin

    def _copy_static(self, arguments: list[Value], index: int) -> int:
        """Behind the call of the parent constructor, whose result stays below."""
        stack = self.frame.stack
        parent = stack[-1].node if len(stack) == 1 else None
        if not isinstance(parent, tree.Call):
            raise StructureError("@@CopyStatic@@ without a call of the parent constructor")
        stack.pop()
        self.scope.fragment.parent_call = parent
        self.frame.begin = index + 1
        return index + 1

    def _throw(self, arguments: list[Value], index: int) -> int:
        self.frame.emit(tree.Throw(arguments[0].node), index + 1)
        return index + 1

    def _clean_up(self, arguments: list[Value], index: int) -> int:
        """try_unhook or finish_catch before an exit, which begins with it: the compiler puts it
        there by itself."""
        return self.scope.flow.behind(index + 1, op.POPZ)

    def _template(self, arguments: list[Value], index: int) -> int:
        modern = self.dialect.modern_template_strings
        parts = template_parts(arguments, modern)
        if parts is not None:
            self.push(tree.TemplateString(parts), arguments)
        else:
            self.push_call("@@string@@" if modern else "string", arguments)
        return index + 1


def template_parts(arguments: list[Value], certain: bool) -> list[tree.Expression] | None:
    """The parts of ``$"a{b}c"`` from ``string("a{0}c", b)``; None if it was written as a call.

    ``certain``: nothing but a template string makes such a call.
    """
    if len(arguments) < 2 or not isinstance(arguments[0].node, tree.String):
        return None
    pieces = _FIELD.split(arguments[0].node.value)
    if [int(number) for number in pieces[1::2]] != list(range(len(arguments) - 1)):
        return None
    parts: list[tree.Expression] = []
    for position, piece in enumerate(pieces):
        if position % 2:
            node = arguments[position // 2 + 1].node
            parts.append(tree.StringField(node.value) if type(node) is tree.String else node)
        elif piece:
            if not certain and ("{" in piece or "}" in piece):
                return None
            parts.append(tree.String(piece))
    return parts


# -- struct literals -----------------------------------------------------------------------------


class _Fill(Transformer):
    """Puts values that were computed outside into a struct literal's members."""

    def __init__(self, outside: list[tree.Expression]) -> None:
        self.outside = outside

    def visit_Index(self, node: tree.Index) -> tree.Node:  # noqa: N802 - named after the node
        if isinstance(node.object, tree.Name) and node.object.name == "argument":
            index = node.indices[0]
            if isinstance(index, tree.Number) and isinstance(index.value, int):
                if not 0 <= index.value < len(self.outside):
                    raise StructureError("a struct literal uses a value that it was not given")
                return self.outside[index.value]
        return self.generic_visit(node)

    def visit_Function(self, node: tree.Function) -> tree.Node:  # noqa: N802
        return node


def _worked_out(value: Value, dialect: Dialect) -> tree.Expression:
    """A value that is computed outside a struct literal, written so that a compiler computes it
    there again.  A plain constant or literal would be assigned inside: compilers drop the other
    side of a condition that is a constant (``DEBUG ? [1] : []``), but leave what remains outside.
    """
    node = value.node
    named = isinstance(node, tree.Name) and node.name in load_constants()
    if named or (isinstance(node, tree.Number) and node.value >= 0):
        return tree.Unary("+", node)
    if isinstance(node, tree.String):
        return tree.Binary("+", tree.String(""), node)
    if isinstance(node, tree.Boolean):
        return tree.Unary("!", tree.Boolean(not node.value))
    literal = isinstance(node, (tree.StructLiteral, tree.Function))
    literal |= value.source is not None and type(value.source.operand) is AssetReference
    if literal or (isinstance(node, tree.ArrayLiteral) and not dialect.struct_arrays_passed):
        return tree.Conditional(tree.Boolean(True), node, tree.Name("undefined"))
    return node


@cache
def _negatives() -> dict[int | float, str]:
    """Names of the negative constants: ``-4`` would be worked out outside a struct literal."""
    names: dict[int | float, str] = {-3: "all", -4: "noone", -5: "global"}
    for constant in load_constants().values():
        if constant.value < 0 and constant.generation != "gms1":
            names.setdefault(constant.value, constant.name)
    return names


def _assigned_inside(node: tree.Expression) -> tree.Expression:
    """A value that a struct literal's own code works out, written so that it does so again."""
    if isinstance(node, tree.Number) and node.value < 0:
        name = _negatives().get(node.value)
        return node if name is None else tree.Name(name)
    if isinstance(node, tree.ArrayLiteral):
        node.elements = [_assigned_inside(element) for element in node.elements]
    return node


def struct_literal(body: tree.Function, outside: list[Value], dialect: Dialect) -> tree.Expression:
    """The literal that a constructor-like function stands for."""
    members: list[tree.StructMember] = []
    fill = _Fill([_worked_out(value, dialect) for value in outside])
    for statement in body.body.statements:
        if isinstance(statement, tree.Exit):
            continue
        if not isinstance(statement, tree.Assignment) or statement.operator != "=":
            raise StructureError("a struct literal holds other statements")
        target = statement.target
        if not isinstance(target, (tree.Name, tree.Member)):
            raise StructureError("a struct literal assigns something other than its members")
        value = _assigned_inside(statement.value)
        filled = fill.visit(value) if outside else value
        assert isinstance(filled, tree.Expression)
        members.append(tree.StructMember(target.name, filled))
    return tree.StructLiteral(members)
