"""Calls: of functions by their name, of values, of members."""

from __future__ import annotations

from overhaul.gml.builtins import BuiltinFunction
from overhaul.gml.compiler.emitter import (
    ARRAY,
    BUILTIN,
    CALLV,
    NORMAL,
    PUSH,
    SELF,
    STACKED,
    STACKTOP,
    STATIC,
    E,
    I,
    V,
)
from overhaul.gml.compiler.errors import Problem
from overhaul.gml.compiler.expressions import Expressions
from overhaul.gml.compiler.scopes import Scope
from overhaul.gml.compiler.variables import Access
from overhaul.gml.context import Context
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.chains import starts_with_call
from overhaul.gml.vm.code import FunctionReference, Instruction, VariableReference


class Calls(Expressions):
    """Emits calls."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.method_scope: Scope | None = None  # where arguments of ``e.f(...)`` are compiled

    def arguments(self, arguments: list[tree.Expression | None]) -> None:
        """The arguments of a call, last to first, each a V; an omitted one is ``undefined``."""
        for argument in reversed(arguments):
            if argument is None:
                self.value(tree.Name("undefined"))
            else:
                self.value(argument)

    def called_name(self, node: tree.Expression) -> str | None:
        """The function a call names directly: its name in the code, None where it is computed."""
        if not isinstance(node, tree.Name):
            return None
        name = node.name
        if not self.v2:
            return name
        if self.is_variable(name):
            return None
        declared = self.declared_function(name)
        if declared is not None:
            return declared
        code_name = self.context.function_code_name(name)
        if code_name is not None:
            return code_name
        return name if self.is_function(name) else None

    def is_function(self, name: str) -> bool:
        """Whether a name is a function of the runner or of an extension."""
        return (
            name in self.builtin_functions
            or name in self.context.extension_functions
            or name in self.learned_functions
        )

    def is_variable(self, name: str) -> bool:
        """Whether a name is a variable of the function, whatever else it may be."""
        scope = self.scope
        return name in scope.locals or name in scope.parameters or name in scope.statics

    def declared_function(self, name: str) -> str | None:
        """The code name of a function declared in this scope (for a header: in the outer one)."""
        scope = self.scope
        if scope.header and scope.parent is not None:
            scope = scope.parent
        return scope.functions.get(name)

    def call_expression(self, node: tree.Call) -> int:
        function = node.function
        name = self.called_name(function)
        if name is not None:
            if name == "variable_get_hash" and self.dialect.variable_hashes_fold:
                key = node.arguments[0] if node.arguments else None
                if isinstance(key, tree.String):
                    self.instructions.append(
                        Instruction(PUSH, I, 0, 0, VariableReference(key.value, SELF, ARRAY))
                    )
                    self.size += 2
                    return I
            self.check_call(function, name, len(node.arguments))
            self.arguments(node.arguments)
            self.call(name, len(node.arguments))
            return V
        return self.call_method(node)

    def hint(self, name: str) -> str:
        """The function that an unknown one may have meant."""
        from difflib import get_close_matches

        context = self.context
        known = {*self.builtin_functions, *context.functions, *context.extension_functions}
        known.update(context.assets["script"].values())
        close = get_close_matches(name, known, 1, 0.8)
        return f" (did you mean {close[0]}?)" if close else ""

    def check_call(self, function: tree.Expression, name: str, count: int) -> None:
        """Unknown functions and wrong numbers of arguments are errors."""
        context = self.context
        if name in context.extension_functions or name in self.learned_functions:
            return  # what an extension declares is not always what it takes
        builtin = None if name in context.functions else self.builtin_functions.get(name)
        if builtin is None:
            if not self.v2 and name not in context.functions:
                asset = context.asset_id(name)
                if asset is None or asset[0] != "script":
                    raise Problem(f"unknown function {name}{self.hint(name)}", function.position)
            return
        wrong = count < builtin.minimum or 0 <= builtin.maximum < count
        if wrong and (name, count) not in self.learned_calls:
            wanted = _wanted(builtin)
            noun = "argument" if wanted == "1" else "arguments"
            raise Problem(f"{name} takes {wanted} {noun}, not {count}", function.position)

    def call_method(self, node: tree.Call) -> int:
        """A call of a value (2.3+)."""
        function = node.function
        count = len(node.arguments)
        if isinstance(function, tree.Name):
            self.arguments(node.arguments)
            self.call("@@This@@", 0)
            outer = self.enclosing_function(function.name)
            if outer is not None and not self.is_variable(function.name):
                self.push_reference(FunctionReference(outer))
                self.one(CALLV, V, 0, count)
                return V
            self.called_variable(function)
            self.one(CALLV, V, 0, count)
            return V
        if isinstance(function, tree.Member):
            return self.call_member(node, function)
        if isinstance(function, tree.Index) and not self.is_accessor_call(function):
            base = function.object
            while isinstance(base, tree.Index):
                base = base.object
            if isinstance(base, tree.Member):
                self.arguments(node.arguments)
                self.expression(function)
                self.duplicate(V, 0)
                self.one(CALLV, V, 0, count)
                return V
        self.arguments(node.arguments)
        self.call("@@This@@", 0)
        self.expression(function)
        self.one(CALLV, V, 0, count)
        return V

    def in_method_arguments(self) -> bool:
        """Whether an argument of ``e.f(...)`` is compiled, where functions as values were numbers
        until 2024.13.
        """
        return self.method_scope is self.scope and not self.dialect.new_function_resolution

    def enclosing_function(self, name: str) -> str | None:
        """The code name of a function declared in a scope around this one (2024.13 and later)."""
        if not self.dialect.new_function_resolution:
            return None
        scope = self.scope.parent
        if scope is not None and self.scope.header:
            scope = scope.parent
        while scope is not None:
            if name in scope.functions:
                return scope.functions[name]
            scope = scope.parent
        return None

    def called_variable(self, node: tree.Name) -> None:
        """Read the function that a variable holds."""
        late = self.late_parameter(node)
        if late is not None:
            self.expression(late)
            return
        access = self.looked_up(self.resolve(node))
        self.load(access, access.opcode)

    def looked_up(self, access: Access) -> Access:
        """The access of a name that is called: found by the instance's own look-up."""
        if access.scope == STATIC and not self.dialect.statics_called_directly:
            return Access(NORMAL, access.name, SELF, BUILTIN, PUSH)
        if access.scope == SELF and access.opcode == PUSH:
            access.instance = BUILTIN
        return access

    def call_member(self, node: tree.Call, function: tree.Member) -> int:
        count = len(node.arguments)
        if starts_with_call(function.object):
            after = self.dialect.new_chained_function_argument_order
            if not after:
                self.arguments(node.arguments)
            self.convert(self.expression(function.object), V)
            self.duplicate(V, 0)
            self.small(STACKED)
            self.push_variable(PUSH, 0, function.name, -1, STACKTOP)
            if after and count:
                self.arguments(node.arguments)
                self.duplicate(E, 2, count)  # the instance and the function, above the arguments
            self.one(CALLV, V, 0, count)
            return V
        self.method_instance(function.object)
        outer, self.method_scope = self.method_scope, self.scope
        self.arguments(node.arguments)
        self.method_scope = outer
        self.duplicate(V, count, 1)
        self.duplicate(V, 0)
        self.push_variable(PUSH, STACKED, function.name, -1, NORMAL)
        self.one(CALLV, V, 0, count)
        return V

    def method_instance(self, node: tree.Expression) -> None:
        """The instance a method is called on, as a V."""
        if isinstance(node, tree.Name) and node.name == "global":
            self.call("@@Global@@", 0)
            return
        if isinstance(node, tree.Index):
            self.left_of_dot(node)
            return
        if isinstance(node, tree.Name) and self.static_owner(node):
            return
        folded = self.fold(node)
        type_ = self.emit(folded)
        if type_ != V:
            self.convert(type_, V)
            self.call("@@GetInstance@@", 1)


def _wanted(function: BuiltinFunction) -> str:
    """How many arguments a function takes, in words."""
    if function.minimum == function.maximum:
        return str(function.minimum)
    if function.maximum < 0:
        return f"{function.minimum} or more"
    return f"{function.minimum} to {function.maximum}"
