"""Struct literals: functions that fill a struct and get the values computed outside."""

from __future__ import annotations

from overhaul.gml.compiler import machine as m
from overhaul.gml.compiler.code_names import CodeNames
from overhaul.gml.compiler.emitter import Emitter, Label
from overhaul.gml.compiler.exits import Exits
from overhaul.gml.compiler.folding import CONSTANTS
from overhaul.gml.compiler.functions import Functions
from overhaul.gml.compiler.machine import V
from overhaul.gml.compiler.names import Names
from overhaul.gml.compiler.nodes import HoistedArgument
from overhaul.gml.compiler.part import Part
from overhaul.gml.compiler.scopes import STRUCT
from overhaul.gml.compiler.values import Values
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import Child


class Structs(Part):
    """Emits struct literals. ``number`` is the one the next literal gets in its name."""

    def __init__(
        self,
        code: Emitter,
        names: Names,
        values: Values,
        functions: Functions,
        exits: Exits,
        code_names: CodeNames,
        number: int,
    ) -> None:
        super().__init__(code, names)
        self.values = values
        self.functions = functions
        self.exits = exits
        self.code_names = code_names
        self.number: int = number
        #: the literals: position, index among the functions, members, and how many are passed
        self.literals: list[tuple[int, int, list[str], int]] = []

    def literal(self, node: tree.StructLiteral) -> int:
        """A struct literal: a function that fills the struct, called with computed values."""
        if not node.members and self.dialect.optimized_function_declarations:
            if self.source_map is not None:
                self.source_map.mark(node.position)
            self.code.call("@@NewGMLObject@@", 0)
            return V
        # The official compilers count the position of a struct in tokens instead of characters.
        token = -1 if self.source_map is None else self.source_map.token(node.position)
        own = f"___struct___{self.number}"
        self.number += 1
        code_name = self.code_names.of(own)
        hoisted: list[tree.Expression] = []
        members = [(member.name, self.hoist(member.value, hoisted)) for member in node.members]
        for value in reversed(hoisted):
            self.values.value(value)
        after = Label()
        if self.source_map is not None:
            self.source_map.mark(token)
        self.code.branch(m.BRANCH, after)
        offset = self.code.size * 4
        outer = self.code_names.enter(STRUCT, own)
        if self.dialect.constructor_set_static:
            self.code.call("@@SetStatic@@", 0)
        for name, value in members:
            type_ = self.values.expression(value)
            if name in ("self", "other"):
                self.code.call("@@This@@", 0)
                self.code.small(m.STACKED)
                self.code.pop_variable(V, type_, 0, name, m.SELF, m.STACKTOP)
            else:
                self.code.pop_variable(V, type_, m.SELF, name, m.SELF, m.NORMAL)
        self.exits.end()
        locals_ = self.scopes.current.locals
        self.scopes.current = outer
        self.code.place(after)
        names = [member.name for member in node.members]
        number = len(self.functions.children)
        self.literals.append((node.position, number, names, len(hoisted)))
        self.functions.children.append(Child(code_name, offset, len(locals_), 0))
        if self.source_map is not None:
            self.source_map.mark(token)
            self.source_map.struct(own, locals_)
        self.functions.push_method(code_name, True, False)
        self.code.duplicate(V, 0)
        if self.dialect.optimized_function_declarations:
            self.code.pop_variable(V, V, m.GLOBAL, own, m.GLOBAL, m.NORMAL)
        else:
            scope = m.GLOBAL if self.dialect.new_function_variables else m.STATIC
            if self.source_map is not None:  # the owner of the variable that keeps the function
                self.source_map.mark(token)
            self.code.small(scope)
            self.code.pop_variable(V, V, 0, own, scope, m.STACKTOP)
        self.code.call("@@NewGMLObject@@", len(hoisted) + 1)
        return V

    def hoist(self, value: tree.Expression, hoisted: list[tree.Expression]) -> tree.Expression:
        """The value inside the struct.

        Literals, named constants, assets, functions and the frames of nested literals stay;
        everything else (``-1`` and members of enums too) is passed as an argument.
        """
        if isinstance(value, tree.Name):
            folded: tree.Expression | None = self.names.constant(value)
            if isinstance(folded, CONSTANTS):
                return folded
            if self.names.is_asset_reference(value.name):
                return value
        if isinstance(value, (tree.Number, tree.String, tree.Boolean, tree.Function)):
            return value
        if isinstance(value, tree.ArrayLiteral) and not self.dialect.struct_arrays_passed:
            return tree.ArrayLiteral(
                [self.hoist(element, hoisted) for element in value.elements],
                position=value.position,
            )
        if isinstance(value, tree.StructLiteral):
            return tree.StructLiteral(
                [
                    tree.StructMember(m.name, self.hoist(m.value, hoisted), position=m.position)
                    for m in value.members
                ],
                position=value.position,
            )
        hoisted.append(value)
        return HoistedArgument(len(hoisted) - 1, value.position)

    def hoisted_argument(self, node: HoistedArgument) -> int:
        """A value passed to a struct's function: ``argument[k]``."""
        token = -1
        if self.source_map is not None:
            token = self.source_map.token_behind(node.position)
            self.source_map.mark(token)
        self.code.small(m.SELF if self.dialect.builtin_globals_as_self else m.ARGUMENT)
        if self.source_map is not None:
            self.source_map.mark(token)
        self.code.small(node.index)
        self.code.push_variable(m.PUSH, 0, "argument", m.SELF, m.ARRAY)
        return V
