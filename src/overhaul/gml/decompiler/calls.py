"""Calls: of functions by name, of methods, and of the internal functions that stand for syntax."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from overhaul.gml.context import Context
from overhaul.gml.decompiler.evidence import Evidence
from overhaul.gml.decompiler.habits import destroyed, methods_last
from overhaul.gml.decompiler.layout import Layout
from overhaul.gml.decompiler.machine import Machine
from overhaul.gml.decompiler.values import CALLED_ARRAY, PLAIN_ARRAY, StructureError, Value
from overhaul.gml.decompiler.variables import POPZ, VARIABLE
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.chains import starts_with_call
from overhaul.gml.vm.code import Code, FunctionReference, Instruction, VariableReference
from overhaul.gml.vm.opcodes import InstanceType, Opcode

_STACKTOP = int(InstanceType.STACKTOP)
_FIELD: Final = re.compile(r"\{(\d+)\}")

CallHandler = Callable[[list[Value], int], int]

ACCESSORS: Final = {
    "ds_list_find_value": ("|", 1), "ds_map_find_value": ("?", 1), "ds_grid_get": ("#", 2),
    "variable_struct_get": ("$", 1), "struct_get": ("$", 1), "array_get": ("@", 1),
    "@@array_get@@": ("@", 1),
}  # fmt: skip
"""Reading functions that an accessor compiles to, with the number of indices."""
ACCESSOR_SETTERS: Final = {
    "ds_list_set": ("|", 1), "ds_map_set": ("?", 1), "ds_grid_set": ("#", 2),
    "variable_struct_set": ("$", 1), "struct_set": ("$", 1), "array_set": ("@", 1),
}  # fmt: skip
"""The writing functions."""
STEPPERS: Final = {f"{name}_post": False for name in ACCESSOR_SETTERS} | {
    f"{name}_pre": True for name in ACCESSOR_SETTERS
}
"""The writing functions of ``++`` and ``--``, and whether they return the new value."""
ARRAY_GETTERS: Final = frozenset(("array_get", "@@array_get@@"))
VARIABLES: Final = (tree.Name, tree.Member)
COMPOUND_OPERATORS: Final = frozenset("+-*/%&|^")


class Calls(Machine):
    """Handlers of call and callv."""

    def __init__(self, code: Code, context: Context, layout: Layout, evidence: Evidence) -> None:
        super().__init__(code, context, layout, evidence)
        self.special: dict[str, CallHandler] = {
            "@@This@@": self._self,
            "@@Other@@": self._other,
            "@@Global@@": self._global,
            "@@NullObject@@": self._null_object,
            "@@GetInstance@@": self._get_instance,
            "@@NewGMLArray@@": self._array_literal,
            "@@NewGMLObject@@": self._new,
            "method": self._method,
            "static_get": self._static_get,
            "@@SetStatic@@": self._set_static,
            "@@CopyStatic@@": self._copy_static,
            "@@throw@@": self._throw,
            "@@try_unhook@@": self._machinery,
            "@@finish_catch@@": self._machinery,
            "@@try_hook@@": self.on_try,
            "@@finish_finally@@": self.on_finish_finally,
        }
        if self.dialect.modern_template_strings:
            self.special["@@string@@"] = self._template
        elif self.dialect.template_strings:
            self.special["string"] = self._template
        self.functions_by_operand: dict[str, str] = {}

    def on_call(self, instruction: Instruction, index: int) -> int:
        """call: a function by name; the first argument is on top."""
        operand = instruction.operand
        if type(operand) is not FunctionReference:
            raise StructureError("a call of nothing")
        code_name = operand.name
        count = instruction.value
        stack = self.stack
        if count > len(stack) or count < 0:
            raise StructureError(f"{code_name} is called with more values than the stack holds")
        arguments: list[Value] = []
        if count:
            arguments = stack[-count:]
            del stack[-count:]
            arguments.reverse()
        handler = self.special.get(code_name)
        if handler is not None:
            return handler(arguments, index)
        if code_name in ACCESSORS and self.push_accessor(code_name, arguments):
            return index + 1
        if code_name in STEPPERS:
            step = as_step(arguments, STEPPERS[code_name])
            if step is not None:
                self.push_call(step, arguments)
                return index + 1
        name = self.function_name(code_name)
        nodes: list[tree.Expression | None] = [argument.node for argument in arguments]
        self.evidence.type_arguments(name, nodes)
        if len(nodes) == 1 and self.dialect.instance_keywords_as_id:
            destroyed(name, nodes)
        self.push_call(tree.Call(tree.Name(name), nodes), arguments)
        return index + 1

    def push_call(self, node: tree.Expression, parts: list[Value]) -> None:
        """Push what a call returns."""
        self.stack.append(self.grow(Value(node, VARIABLE), *parts))

    def on_callv(self, instruction: Instruction, index: int) -> int:
        """callv: ``argN ... arg1 instance function -> result``."""
        stack = self.stack
        count = instruction.value
        if len(stack) < count + 2 or count < 0:
            raise StructureError("a call with more values than the stack holds")
        function = stack.pop()
        stack.pop()
        arguments = [stack.pop() for _ in range(count)]
        nodes: list[tree.Expression | None] = [argument.node for argument in arguments]
        callee = function.node
        source = function.source
        if (
            isinstance(callee, tree.Member)
            and isinstance(callee.object, tree.Name)
            and callee.object.name == "self"
            and source is not None
            and type(source.operand) is VariableReference
            and source.value == -6
        ):
            callee = tree.Name(callee.name)
        if (
            isinstance(callee, tree.Member)
            and source is not None
            and type(source.operand) is VariableReference
            and source.value == _STACKTOP
            and isinstance(callee.object, tree.Call)
            and starts_with_call(callee.object)
        ):
            callee.object.grouped = True  # else the arguments would come before the instance
        if isinstance(callee, (tree.Name, tree.Member)):
            self.evidence.type_own_arguments(callee.name, nodes)
        self.push_call(tree.Call(callee, nodes), [function, *arguments])
        return index + 1

    def on_popz(self, instruction: Instruction, index: int) -> int:
        """popz: a call whose result nobody takes is a statement."""
        if not self.stack:
            return self.drop(None, index)
        value = self.stack.pop()
        node = value.node
        kind = type(node)
        if kind is tree.Call or kind is tree.New or kind is tree.Increment:
            if isinstance(node, tree.Increment):
                node.operand = self.owned(node.operand)
            statement = self.as_setter(node) if isinstance(node, tree.Call) else None
            self.emit(statement or tree.ExpressionStatement(node), index + 1)
        elif (
            kind is tree.Function
            or kind is tree.StructLiteral
            or kind is tree.ArrayLiteral
            or kind is tree.TemplateString
        ):
            self.emit(tree.ExpressionStatement(node), index + 1)
        else:
            return self.drop(value, index)
        return index + 1

    def drop(self, value: Value | None, index: int) -> int:
        """Overridden where the structure is known."""
        raise StructureError("the layer that knows the structure is missing")

    def push_accessor(self, name: str, arguments: list[Value]) -> bool:
        """Push a reading function as the accessor it was written as, unless it was no accessor.

        Both compile to the same call, but from 2.3 on an array element in an accessor's index is
        itself read by a call of array_get.  People write accessors since there are any (GMS1's last
        years), but before 2.3 they read ``async_load`` by name, as the manual did.
        """
        accessor, count = ACCESSORS[name]
        if len(arguments) != count + 1 or self.old:
            return False
        node = arguments[0].node
        if accessor == "@" and self.v2:
            if isinstance(node, VARIABLES):
                call = tree.Call(tree.Name(name), [argument.node for argument in arguments])
                self.push_call(call, arguments)
                self.stack[-1].arrays |= CALLED_ARRAY
                return True
            accessor = ""
        elif accessor == "?" and not self.v2 and node == tree.Name("async_load"):
            return False
        indices = [argument.node for argument in arguments[1:]]
        if self.v2 and accessor:
            inside = 0
            for argument in arguments[1:]:
                inside |= argument.arrays
            if inside & PLAIN_ARRAY:
                return False
            if inside & CALLED_ARRAY:
                indices = [array_elements(each) for each in indices]
        self.push_call(tree.Index(node, indices, accessor), arguments)
        self.stack[-1].arrays &= ~CALLED_ARRAY
        return True

    def as_setter(self, node: tree.Call) -> tree.Statement | None:
        """``ds_list_set(l, i, v)`` as ``l[| i] = v``, which is what makes such calls."""
        function, arguments = node.function, node.arguments
        if not isinstance(function, tree.Name) or function.name not in ACCESSOR_SETTERS:
            return None
        accessor, count = ACCESSOR_SETTERS[function.name]
        parts = [argument for argument in arguments if argument is not None]
        if len(arguments) != count + 2 or len(parts) != len(arguments):
            return None
        if accessor == "@" and self.v2:
            if not isinstance(parts[0], VARIABLES):
                accessor = ""
            elif not self.dialect.array_copy_on_write:
                return None
        target = tree.Index(parts[0], parts[1:-1], accessor)
        value = parts[-1]
        compound = isinstance(value, tree.Binary) and value.operator in COMPOUND_OPERATORS
        if compound and isinstance(value, tree.Binary) and value.left == target:
            return tree.Assignment(target, value.operator + "=", value.right)
        return tree.Assignment(target, "=", value)

    # -- internal functions --------------------------------------------------------------------

    def _self(self, arguments: list[Value], index: int) -> int:
        self.stack.append(Value(tree.Name("self"), VARIABLE))
        return index + 1

    def _other(self, arguments: list[Value], index: int) -> int:
        self.stack.append(Value(tree.Name("other"), VARIABLE))
        return index + 1

    def _global(self, arguments: list[Value], index: int) -> int:
        self.stack.append(Value(tree.Name("global"), VARIABLE))
        return index + 1

    def _null_object(self, arguments: list[Value], index: int) -> int:
        self.stack.append(Value(tree.Name("@@NullObject@@"), VARIABLE))
        return index + 1

    def _get_instance(self, arguments: list[Value], index: int) -> int:
        value = arguments[0]
        value.node = self.evidence.as_kind(value.node, "object")
        self.stack.append(value)
        return index + 1

    def _array_literal(self, arguments: list[Value], index: int) -> int:
        self.push_call(tree.ArrayLiteral([value.node for value in arguments]), arguments)
        return index + 1

    def _new(self, arguments: list[Value], index: int) -> int:
        if not arguments:
            self.push_call(tree.StructLiteral([]), arguments)
            return index + 1
        function = arguments[0]
        if self.is_struct_function(function):
            node = self.struct_literal(function, [value.node for value in arguments[1:]])
            self.push_call(node, arguments)
            return index + 1
        rest: list[tree.Expression | None] = [value.node for value in arguments[1:]]
        if isinstance(function.node, (tree.Name, tree.Member)):
            self.evidence.type_own_arguments(function.node.name, rest)
        self.push_call(tree.New(function.node, rest), arguments)
        return index + 1

    def _method(self, arguments: list[Value], index: int) -> int:
        if len(arguments) == 2:
            source = arguments[1].source
            raw = type(arguments[1].node) is tree.Name
            if raw and source is not None and type(source.operand) is FunctionReference:
                made = self.made.get(source.operand.name)
                if made is not None:
                    owner = arguments[0].node
                    if isinstance(owner, tree.Name) and owner.name == "@@NullObject@@":
                        made.constructor = True
                        methods_last(made.body.statements)
                    self.stack.append(Value(made, VARIABLE, source))
                    return index + 1
        nodes: list[tree.Expression | None] = [value.node for value in arguments]
        self.push_call(tree.Call(tree.Name("method"), nodes), arguments)
        return index + 1

    def _static_get(self, arguments: list[Value], index: int) -> int:
        source = arguments[0].source if len(arguments) == 1 else None
        if (
            source is not None
            and source.opcode == Opcode.PUSH  # a pushref was written static_get(F)
            and type(source.operand) is FunctionReference
        ):
            self.stack.append(Value(arguments[0].node, VARIABLE, source))
            return index + 1
        nodes: list[tree.Expression | None] = [value.node for value in arguments]
        self.push_call(tree.Call(tree.Name("static_get"), nodes), arguments)
        return index + 1

    def _set_static(self, arguments: list[Value], index: int) -> int:
        self.begin = index + 1
        self.fragment.constructor = True
        return self.skip_popz(index + 1)

    def _copy_static(self, arguments: list[Value], index: int) -> int:
        """Behind the call of the parent constructor, whose result stays below."""
        if len(self.stack) != 1 or not isinstance(self.stack[-1].node, tree.Call):
            raise StructureError("@@CopyStatic@@ without a call of the parent constructor")
        parent = self.stack.pop().node
        assert isinstance(parent, tree.Call)
        self.fragment.parent_call = parent
        self.begin = index + 1
        return index + 1

    def _throw(self, arguments: list[Value], index: int) -> int:
        self.emit(tree.Throw(arguments[0].node), index + 1)
        return index + 1

    def _machinery(self, arguments: list[Value], index: int) -> int:
        """try_unhook or finish_catch before an exit: the compiler puts it there by itself."""
        following = self.skip_popz(index + 1)
        self.begin = following
        return following

    def skip_popz(self, index: int) -> int:
        """The index behind a popz, if one is at ``index``."""
        if index < len(self.instructions) and self.instructions[index].opcode == POPZ:
            return index + 1
        return index

    def _template(self, arguments: list[Value], index: int) -> int:
        parts = template_parts(arguments, self.dialect.modern_template_strings)
        if parts is not None:
            self.push_call(tree.TemplateString(parts), arguments)
            return index + 1
        name = "string"
        nodes: list[tree.Expression | None] = [value.node for value in arguments]
        self.push_call(tree.Call(tree.Name(name), nodes), arguments)
        return index + 1

    # -- for the structure ---------------------------------------------------------------------

    def on_try(self, arguments: list[Value], index: int) -> int:
        """Overridden where the structure is known."""
        raise StructureError("the layer that knows the structure is missing")

    def on_finish_finally(self, arguments: list[Value], index: int) -> int:
        """Overridden where the structure is known."""
        raise StructureError("the layer that knows the structure is missing")

    def struct_literal(self, value: Value, outside: list[tree.Expression]) -> tree.Expression:
        """Overridden where functions are read."""
        raise StructureError("the layer that knows the structure is missing")


class _Elements(tree.Transformer):
    """Shows calls of array_get as the array elements they were in an accessor's index."""

    def visit_Call(self, node: tree.Call) -> tree.Node:  # noqa: N802 - named after the node
        self.generic_visit(node)
        if isinstance(node.function, tree.Name) and node.function.name in ARRAY_GETTERS:
            parts = [argument for argument in node.arguments if argument is not None]
            if len(parts) == 2:
                return tree.Index(parts[0], parts[1:])
        return node

    def visit_Function(self, node: tree.Function) -> tree.Node:  # noqa: N802
        return node


def array_elements(node: tree.Expression) -> tree.Expression:
    """An accessor's index, its calls of array_get shown as array elements."""
    changed = _Elements().visit(node)
    assert isinstance(changed, tree.Expression)
    return changed


def template_parts(arguments: list[Value], certain: bool) -> list[tree.Expression] | None:
    """The parts of ``$"a{b}c"`` from ``string("a{0}c", b)``; None if it was written as a call.

    ``certain``: nothing but a template string makes such a call.
    """
    if len(arguments) < 2 or not isinstance(arguments[0].node, tree.String):
        return None
    text = arguments[0].node.value
    pieces = _FIELD.split(text)
    numbers = pieces[1::2]
    if [int(number) for number in numbers] != list(range(len(arguments) - 1)):
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


def as_step(arguments: list[Value], prefix: bool) -> tree.Increment | None:
    """``ds_map_set_post(m, k, m[? k] + 1)`` as the ``m[? k]++`` it was written as."""
    value = arguments[-1].node if arguments else None
    if not isinstance(value, tree.Binary) or value.operator not in ("+", "-"):
        return None
    element = value.left
    if value.right != tree.Number(1) or not isinstance(element, tree.Index):
        return None
    if [element.object, *element.indices] != [each.node for each in arguments[:-1]]:
        return None
    return tree.Increment(value.operator * 2, element, prefix)
