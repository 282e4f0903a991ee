"""The names of the code entries that inner functions get."""

from __future__ import annotations

from typing import Final

from overhaul.gml.compiler.errors import Problem
from overhaul.gml.compiler.names import GLOBAL_SCRIPT, SCRIPT
from overhaul.gml.compiler.scopes import ROOT, Scope, Scopes
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree

MAX_NAME: Final = 1 << 16
"""Characters of a scope's name; before 2023.11 a name holds that of the scope around it twice."""


class CodeNames:
    """Names functions declared in the current scope."""

    def __init__(self, scopes: Scopes, dialect: Dialect, entry_name: str, kind: str) -> None:
        self.scopes = scopes
        self.dialect = dialect
        self.entry_name = entry_name
        self.global_script: bool = kind == "global_script" or entry_name.startswith(GLOBAL_SCRIPT)
        self.separator = "@" if dialect.global_constant_function else "_"
        self.scope_separator = self.separator if dialect.new_scope_names else "_"
        self.package: str = ""  # of the library, with the underscore behind it

    def of(self, own: str, named: bool = True) -> str:
        """The name of the code entry of a function declared here.

        Named functions and struct literals at the root of a global script have their name alone.
        Functions of library packages are declared under the full name of their entry.
        """
        if own.startswith(SCRIPT):
            at = own.rfind("__")
            self.package = own[len(SCRIPT) : at + 1] if at > len(SCRIPT) else ""
            return own
        own = self.package + own
        if named and self.is_script_root():
            return SCRIPT + own
        return f"{SCRIPT}{own}{self.separator}{self.scope_name()}"

    def anonymous(self, node: tree.Function, static: str) -> str:
        """The name of an anonymous function: it contains the function's position."""
        if self.separator == "_":
            outer = self.scopes.current.naming.name
            if len(outer) > MAX_NAME:  # each function within another doubles it
                raise Problem("anonymous functions are nested too deeply", node.position)
            return f"anon_{outer}_{node.position}"
        prefix = f"{static}@" if static and self.dialect.new_function_variables else ""
        return f"{prefix}anon@{node.position}"

    def scope_name(self) -> str:
        name = self.scopes.current.naming.name
        if self.separator == "@" and name.startswith(GLOBAL_SCRIPT):
            return name[len(GLOBAL_SCRIPT) :]
        return name

    def is_own_script(self, name: str) -> bool:
        return self.entry_name == GLOBAL_SCRIPT + name

    def enter(self, kind: int, own: str) -> Scope:
        """Enter the scope of a function declared here; returns the outer one."""
        own = own.removeprefix(SCRIPT) if own.startswith(SCRIPT) else self.package + own
        outer = self.scope_name()
        if self.separator == "@" and own.startswith("anon@") and self.is_script_root():
            # as a named function there has the name that entries see
            own = f"{own}{self.scope_separator}{outer}"
        return self.scopes.enter(kind, f"{own}{self.scope_separator}{outer}")

    def is_script_root(self) -> bool:
        """Whether functions declared here are declared at the root of a global script."""
        return self.global_script and self.scopes.current.naming.kind == ROOT
