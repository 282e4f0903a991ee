"""Emitting of expressions: each kind of node goes to the part that knows it; and of names other
than variables: instances, assets and functions.
"""

from __future__ import annotations

from collections.abc import Callable

from overhaul.gml.compiler.emitter import Emitter
from overhaul.gml.compiler.folding import Folder
from overhaul.gml.compiler.machine import NORMAL, PUSH, SELF, B, I, V
from overhaul.gml.compiler.names import INSTANCE_WORDS, NameResolver
from overhaul.gml.compiler.owners import Owners
from overhaul.gml.compiler.part import CompilerPart
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import AssetReference, FunctionReference


class References(CompilerPart):
    """Emits names other than variables."""

    def special_name(self, node: tree.Name) -> int | None:
        """Push an instance, asset or function by its name; None where the name is none."""
        name = node.name
        if name in INSTANCE_WORDS:
            return self.instance_word(name)
        scope = self.scopes.current
        if name in scope.parameters or name in scope.statics:
            return None
        asset = self.names.asset(name)
        if asset is not None and asset[0] != "script":
            self.code.push_reference(AssetReference(asset[0], asset[1]))
            return V
        if self.v2:
            return self.function_value(name)
        return None

    def instance_word(self, name: str) -> int:
        """Push ``self``, ``other``, ``all``, ``noone`` or ``global``."""
        if self.v2:
            if name == "self":
                self.code.call("@@This@@", 0)
                return V
            if name == "other":
                self.code.call("@@Other@@", 0)
                return V
            if name == "global" and self.dialect.global_constant_function:
                self.code.call("@@Global@@", 0)
                return V
        elif name in ("self", "other") and self.dialect.instance_keywords_as_id:
            self.code.push_variable(PUSH, INSTANCE_WORDS[name], "id", SELF, NORMAL)
            return V
        self.code.small(INSTANCE_WORDS[name])
        return I

    def function_value(self, name: str) -> int | None:
        """Push a function by its name (2.3+); None where the name is none."""
        names = self.names
        code_name = names.named_function(name)
        if names.declared_function(name) is None:
            code_name = names.enclosing_function(name) or code_name
        if code_name is not None:
            if self.dialect.function_script_references and not names.in_method_arguments():
                self.code.push_reference(FunctionReference(code_name))
                return V
            self.code.push_function(code_name)
            return I
        if self.names.is_function(name):
            self.code.push_function(names.hidden_function(name) or name)
            return I
        return None

    def push_function(self, name: str) -> bool:
        """Push a function by its name, as a V; False where the name is none."""
        code_name = self.names.named_function(name)
        if code_name is None:
            if not self.names.is_function(name):
                return False
            code_name = self.names.hidden_function(name) or name
        self.code.push_function(code_name)
        self.code.convert(I, V)
        return True

    def static_owner(self, node: tree.Name) -> bool:
        """Push the statics of a function named left of a dot; False where the name is none."""
        name = node.name
        asset = self.names.asset(name)
        if self.names.is_variable(name) or (asset is not None and asset[0] != "script"):
            return False
        if self.names.function_code_name(name) is None:
            return False
        self.push_function(name)
        self.code.call("static_get", 1)
        return True


class Values(CompilerPart):
    """Emits expressions; every method that emits one returns the type of the value it leaves.

    ``emitters`` has what emits each kind of node; whoever puts the parts together fills it.
    """

    def __init__(self, code: Emitter, names: NameResolver, folder: Folder, owners: Owners) -> None:
        super().__init__(code, names)
        self.folder = folder
        self.owners = owners
        self.emitters: dict[type, Callable[..., int]] = {}

    def expression(self, node: tree.Expression) -> int:
        """Emit an expression, folded first."""
        return self.emit(self.folder.fold(node))

    def emit(self, node: tree.Expression) -> int:
        """Emit an expression that is folded already."""
        if self.source_map is not None:
            self.source_map.value(node)
        if self.owners.enabled:
            self.owners.mark_maker(node)
        return self.emitters[type(node)](node)

    def value(self, node: tree.Expression) -> None:
        """An expression, converted to a V."""
        self.code.convert(self.expression(node), V)

    def condition(self, node: tree.Expression) -> None:
        """An expression, converted to a boolean."""
        self.code.convert(self.expression(node), B)
