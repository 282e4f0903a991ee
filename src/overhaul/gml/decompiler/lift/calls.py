"""Calls: of functions by name and of methods."""

from __future__ import annotations

from collections.abc import Callable

from overhaul.gml.decompiler.errors import StructureError
from overhaul.gml.decompiler.lift.accessors import (
    GETTERS,
    STEPPERS,
    read_by_accessor,
    stepped_by_accessor,
)
from overhaul.gml.decompiler.lift.frame import Frame
from overhaul.gml.decompiler.lift.scope import Scope
from overhaul.gml.decompiler.lift.values import Value
from overhaul.gml.decompiler.opcodes import BUILTIN, STACKTOP, VARIABLE
from overhaul.gml.decompiler.passes.idioms import write_self
from overhaul.gml.decompiler.types.uses import Uses
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.chains import starts_with_call
from overhaul.gml.vm.code import FunctionReference, Instruction, VariableReference

CallHandler = Callable[[list[Value], int], int]


def nodes_of(values: list[Value]) -> list[tree.Expression | None]:
    """The expressions of values, as arguments."""
    return [value.node for value in values]


class Calls:
    """Handlers of call and callv.

    ``internal``: what reads calls of the functions that stand for syntax, by their name; filled by
    those who know the syntax.
    """

    def __init__(self, frame: Frame, scope: Scope, uses: Uses) -> None:
        self.frame = frame
        self.scope = scope
        self.uses = uses
        self.dialect = scope.context.dialect
        self.internal: dict[str, CallHandler] = {}

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
            read = read_by_accessor(code_name, arguments, self.dialect)
            if read is not None:
                self.push(read[0], arguments)
                stack[-1].arrays = read[1]
                return index + 1
        elif code_name in STEPPERS:
            step = stepped_by_accessor(code_name, arguments)
            if step is not None:
                self.push(step, arguments)
                return index + 1
        name = self.scope.function_name(code_name)
        nodes = nodes_of(arguments)
        self.uses.passed(name, nodes)
        if len(nodes) == 1 and self.dialect.instance_keywords_as_id:
            write_self(name, nodes)
        self.push(tree.Call(tree.Name(name), nodes), arguments)
        return index + 1

    def push(self, node: tree.Expression, parts: list[Value]) -> None:
        """Push what a call returns."""
        self.frame.stack.append(self.frame.grow(Value(node, VARIABLE), *parts))

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
            if source.value == BUILTIN and isinstance(instance, tree.Name):
                if instance.name == "self":
                    callee = tree.Name(callee.name)
            elif source.value == STACKTOP and isinstance(instance, tree.Call):
                # Else the arguments would come before the instance.
                instance.grouped = instance.grouped or starts_with_call(instance)
        if isinstance(callee, (tree.Name, tree.Member)):
            self.uses.passed_own(callee.name, nodes)
        self.push(tree.Call(callee, nodes), [function, *arguments])
        return index + 1
