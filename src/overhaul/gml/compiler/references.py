"""Names as values that are no variables: instances, assets and functions."""

from __future__ import annotations

from overhaul.gml.compiler.machine import NORMAL, PUSH, SELF, I, V
from overhaul.gml.compiler.names import INSTANCE_WORDS
from overhaul.gml.compiler.part import Part
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import AssetReference, FunctionReference


class References(Part):
    """Emits names that are no variables."""

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
