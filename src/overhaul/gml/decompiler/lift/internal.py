"""Calls of the runner's internal functions that stand for syntax inside expressions."""

from __future__ import annotations

import re
from typing import Final

from overhaul.gml.decompiler.errors import StructureError
from overhaul.gml.decompiler.lift.calls import Calls, nodes_of
from overhaul.gml.decompiler.lift.frame import Frame
from overhaul.gml.decompiler.lift.scope import Scope
from overhaul.gml.decompiler.lift.values import Value
from overhaul.gml.decompiler.opcodes import POPZ, PUSH, VARIABLE
from overhaul.gml.decompiler.passes.functions import struct_literal
from overhaul.gml.decompiler.passes.idioms import methods_last
from overhaul.gml.decompiler.types.uses import Uses
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import FunctionReference

_FIELD: Final = re.compile(r"\{(\d+)\}")
_NO_INSTANCE: Final = "@@NullObject@@"


class InternalFunctions:
    """Handlers of internal functions."""

    def __init__(self, frame: Frame, scope: Scope, calls: Calls, uses: Uses) -> None:
        self.frame = frame
        self.scope = scope
        self.calls = calls
        self.uses = uses
        dialect = scope.context.dialect
        self.certain_templates = dialect.modern_template_strings
        calls.internal.update(
            {
                "@@This@@": self._self,
                "@@Other@@": self._other,
                "@@Global@@": self._global,
                _NO_INSTANCE: self._no_instance,
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
        )
        if self.certain_templates:
            calls.internal["@@string@@"] = self._template
        elif dialect.template_strings:
            calls.internal["string"] = self._template

    def _push(self, name: str, index: int) -> int:
        self.frame.stack.append(Value(tree.Name(name), VARIABLE))
        return index + 1

    def _self(self, arguments: list[Value], index: int) -> int:
        return self._push("self", index)

    def _other(self, arguments: list[Value], index: int) -> int:
        return self._push("other", index)

    def _global(self, arguments: list[Value], index: int) -> int:
        return self._push("global", index)

    def _no_instance(self, arguments: list[Value], index: int) -> int:
        return self._push(_NO_INSTANCE, index)

    def _get_instance(self, arguments: list[Value], index: int) -> int:
        value = arguments[0]
        value.node = self.uses.as_instance(value.node)
        self.frame.stack.append(value)
        return index + 1

    def _array_literal(self, arguments: list[Value], index: int) -> int:
        self.calls.push(tree.ArrayLiteral([value.node for value in arguments]), arguments)
        return index + 1

    def _new(self, arguments: list[Value], index: int) -> int:
        if not arguments:
            self.calls.push(tree.StructLiteral([]), arguments)
            return index + 1
        function = arguments[0].node
        body = self.scope.struct_body(arguments[0])
        if body is not None:
            node = struct_literal(body, [value.node for value in arguments[1:]])
            self.calls.push(node, arguments)
            return index + 1
        rest = nodes_of(arguments[1:])
        if isinstance(function, (tree.Name, tree.Member)):
            self.uses.passed_own(function.name, rest)
        self.calls.push(tree.New(function, rest), arguments)
        return index + 1

    def _method(self, arguments: list[Value], index: int) -> int:
        value = arguments[-1] if len(arguments) == 2 else None
        if value is not None and type(value.node) is tree.Name:
            made = self.scope.function(value)
            if made is not None:
                if arguments[0].node == tree.Name(_NO_INSTANCE):
                    made.constructor = True
                    methods_last(made.body.statements)
                self.frame.stack.append(Value(made, VARIABLE, value.source))
                return index + 1
        self.calls.push_call("method", arguments)
        return index + 1

    def _static_get(self, arguments: list[Value], index: int) -> int:
        source = arguments[0].source if len(arguments) == 1 else None
        if (
            source is not None
            and source.opcode == PUSH  # a pushref was written static_get(F)
            and type(source.operand) is FunctionReference
        ):
            self.frame.stack.append(Value(arguments[0].node, VARIABLE, source))
        else:
            self.calls.push_call("static_get", arguments)
        return index + 1

    def _set_static(self, arguments: list[Value], index: int) -> int:
        self.scope.fragment.constructor = True
        return self._clean_up(arguments, index)

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
        """try_unhook or finish_catch before an exit: the compiler puts it there by itself."""
        self.frame.begin = self.scope.flow.behind(index + 1, POPZ)
        return self.frame.begin

    def _template(self, arguments: list[Value], index: int) -> int:
        parts = template_parts(arguments, self.certain_templates)
        if parts is not None:
            self.calls.push(tree.TemplateString(parts), arguments)
        else:
            self.calls.push_call("string", arguments)
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
