"""Calls: of functions by their name, of values, of members, and ``new``."""

from __future__ import annotations

from overhaul.gml.builtins import BuiltinFunction
from overhaul.gml.compiler import machine as m
from overhaul.gml.compiler.machine import E, I, V
from overhaul.gml.compiler.nodes import Access, Problem
from overhaul.gml.compiler.statements import Composed
from overhaul.gml.context import ASSET_KINDS
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.language import starts_with_call
from overhaul.gml.vm.code import AssetReference, FunctionReference


class Calls(Composed):
    """Emits calls."""

    def arguments(self, arguments: list[tree.Expression | None]) -> None:
        """The arguments of a call, last to first, each a V; an omitted one is ``undefined``."""
        for argument in reversed(arguments):
            if argument is None:
                self.values.value(tree.Name("undefined"))
            else:
                self.values.value(argument)

    def call(self, node: tree.Call) -> int:
        """A call of any kind."""
        function = node.function
        name = self.names.called_name(function, node.arguments)
        if name is not None:
            if name == "variable_get_hash" and self.dialect.variable_hashes_fold:
                key = node.arguments[0] if node.arguments else None
                if isinstance(key, tree.String):
                    self.code.push_hash(key.value)
                    return I
            if name.startswith("@@"):
                asset = unnamed_asset(name, node.arguments)
                if asset is not None and self.dialect.asset_references:
                    self.code.push_reference(asset)
                    return V
            self.check(function, name, len(node.arguments))
            self.arguments(node.arguments)
            self.code.call(name, len(node.arguments))
            return V
        return self.call_value(node)

    def check(self, function: tree.Expression, name: str, count: int) -> None:
        """Raise Problem for an unknown function or a wrong number of arguments."""
        context = self.names.context
        if name in context.extension_functions or name in self.names.learned.functions:
            return  # extensions declare other numbers than they accept
        if name.startswith("@@"):
            return
        builtin = None if name in context.functions else self.names.builtin_functions.get(name)
        if builtin is None:
            if not self.v2 and name not in context.functions:
                asset = context.asset_id(name)
                if asset is None or asset[0] != "script":
                    hint = context.suggestion(name)
                    raise Problem(f"unknown function {name}{hint}", function.position)
            return
        if context.lacks(name):
            self.names.lacking.setdefault(name, function.position)
        wrong = count < builtin.minimum or 0 <= builtin.maximum < count
        if wrong and (name, count) not in self.names.learned.calls:
            wanted = _wanted(builtin)
            noun = "argument" if wanted == "1" else "arguments"
            raise Problem(f"{name} takes {wanted} {noun}, not {count}", function.position)

    def call_value(self, node: tree.Call) -> int:
        """A call of a value (2.3+)."""
        function = node.function
        count = len(node.arguments)
        if isinstance(function, tree.Name):
            self.arguments(node.arguments)
            self.code.call("@@This@@", 0)
            outer = self.names.enclosing_function(function.name)
            if outer is not None and not self.names.is_variable(function.name):
                self.code.push_reference(FunctionReference(outer))
            else:
                self.called_variable(function)
            self.code.one(m.CALLV, V, 0, count)
            if self.source_map is not None:  # the function, pushed before its call
                self.source_map.mark(node.position, 3)
            return V
        if isinstance(function, tree.Member):
            return self.call_member(node, function)
        if isinstance(function, tree.Index) and not self.accessors.is_call(function):
            base = function.object
            while isinstance(base, tree.Index):
                base = base.object
            if isinstance(base, tree.Member):
                after = self.dialect.new_chained_function_argument_order
                if not after:
                    self.arguments(node.arguments)
                self.values.expression(function)
                self.code.duplicate(V, 0)
                if after:
                    self.late_arguments(node.arguments)
                self.code.one(m.CALLV, V, 0, count)
                return V
        self.arguments(node.arguments)
        self.code.call("@@This@@", 0)
        self.code.convert(self.values.expression(function), V)
        self.code.one(m.CALLV, V, 0, count)
        return V

    def call_member(self, node: tree.Call, function: tree.Member) -> int:
        """``e.f(...)``."""
        count = len(node.arguments)
        if starts_with_call(function.object):
            after = self.dialect.new_chained_function_argument_order
            if not after:
                self.arguments(node.arguments)
            self.code.convert(self.values.expression(function.object), V)
            self.code.duplicate(V, 0)
            self.code.small(m.STACKED)
            self.code.push_variable(m.PUSH, 0, function.name, -1, m.STACKTOP)
            if after:
                self.late_arguments(node.arguments)
            self.code.one(m.CALLV, V, 0, count)
            return V
        self.method_instance(function.object)
        scope = self.scopes.current
        outer, scope.in_method_arguments = scope.in_method_arguments, True
        self.arguments(node.arguments)
        scope.in_method_arguments = outer
        self.code.duplicate(V, count, 1)
        self.code.duplicate(V, 0)
        self.code.push_variable(m.PUSH, m.STACKED, function.name, -1, m.NORMAL)
        self.code.one(m.CALLV, V, 0, count)
        return V

    def late_arguments(self, arguments: list[tree.Expression | None]) -> None:
        """The arguments of a call whose instance and function are pushed: they come below those."""
        if arguments:
            self.arguments(arguments)
            self.code.duplicate(E, 2, len(arguments))

    def method_instance(self, node: tree.Expression) -> None:
        """The instance a method is called on, as a V."""
        if isinstance(node, tree.Name) and node.name == "global":
            self.code.call("@@Global@@", 0)
            return
        if isinstance(node, tree.Index):
            self.variables.left_of_dot(node)
            return
        if isinstance(node, tree.Name) and self.references.static_owner(node):
            return
        folded = self.values.folder.fold(node)
        type_ = self.values.emit(folded)
        if type_ != V:
            self.code.convert(type_, V)
            self.code.call("@@GetInstance@@", 1)

    def called_variable(self, node: tree.Name) -> None:
        """Read the function that a variable holds."""
        late = self.names.late_parameter(node)
        if late is not None:
            self.values.expression(late)
            return
        self.names.called.add(node.name)
        access = self.looked_up(self.names.resolve(node))
        self.variables.load(access, access.opcode)

    def looked_up(self, access: Access) -> Access:
        """The access of a name that is called: found by the instance's own look-up."""
        if access.scope == m.STATIC and not self.dialect.statics_called_directly:
            return Access(m.NORMAL, access.name, m.SELF, m.BUILTIN, m.PUSH)
        if access.scope == m.SELF and access.opcode == m.PUSH:
            access.instance = m.BUILTIN
        return access

    def new(self, node: tree.New) -> int:
        self.arguments(node.arguments)
        function = node.function
        if not isinstance(function, tree.Name):
            self.values.value(function)
        elif self.names.is_variable(function.name) or not self.references.push_function(
            function.name
        ):
            self.called_variable(function)
        self.code.call("@@NewGMLObject@@", len(node.arguments) + 1)
        return V


def unnamed_asset(name: str, arguments: list[tree.Expression | None]) -> AssetReference | None:
    """The asset of ``@@sprite@@(7)``: an asset that the game has no name for, as decompilers
    show it; None for other calls."""
    kind, number = name[2:-2], arguments[0] if len(arguments) == 1 else None
    if kind not in ASSET_KINDS and not (kind.startswith("type_") and kind[5:].isdecimal()):
        return None
    if type(number) is not tree.Number or not isinstance(number.value, int):
        return None
    return AssetReference(kind, number.value)


def _wanted(function: BuiltinFunction) -> str:
    """How many arguments a function takes, in words."""
    if function.minimum == function.maximum:
        return str(function.minimum)
    if function.maximum < 0:
        return f"{function.minimum} or more"
    return f"{function.minimum} to {function.maximum}"
