"""Literals, and reading of variables and elements."""

from __future__ import annotations

from overhaul.gml.compiler.access import READ
from overhaul.gml.compiler.accessors import Accessors
from overhaul.gml.compiler.emitter import Emitter, Label
from overhaul.gml.compiler.errors import Problem
from overhaul.gml.compiler.machine import BRANCH, BRANCH_FALSE, B, I, L, S, V
from overhaul.gml.compiler.names import Names
from overhaul.gml.compiler.nodes import Truth
from overhaul.gml.compiler.part import Part
from overhaul.gml.compiler.references import References
from overhaul.gml.compiler.values import Values
from overhaul.gml.compiler.variables import Variables
from overhaul.gml.syntax import tree


class Expressions(Part):
    """Emits the simple kinds of expressions."""

    def __init__(
        self,
        code: Emitter,
        names: Names,
        values: Values,
        references: References,
        variables: Variables,
        accessors: Accessors,
    ) -> None:
        super().__init__(code, names)
        self.values = values
        self.references = references
        self.variables = variables
        self.accessors = accessors

    def number(self, node: tree.Number) -> int:
        return self.code.push_number(node.value)

    def int64(self, node: tree.Int64) -> int:
        self.code.push_int64(node.value)
        return L

    def string(self, node: tree.String) -> int:
        self.code.push_string(node.value)
        return S

    def boolean(self, node: tree.Boolean) -> int:
        self.code.small(int(node.value))
        return B if self.dialect.typed_booleans or isinstance(node, Truth) else I

    def array(self, node: tree.ArrayLiteral) -> int:
        for element in reversed(node.elements):
            self.values.value(element)
        self.code.call("@@NewGMLArray@@", len(node.elements))
        return V

    def template(self, node: tree.TemplateString) -> int:
        if not self.dialect.template_strings:
            raise Problem("this release has no template strings", node.position)
        text: list[str] = []
        fields: list[tree.Expression] = []
        for part in node.parts:
            if type(part) is tree.String:
                text.append(part.value)
            else:
                text.append(f"{{{len(fields)}}}")
                fields.append(part)
        if not fields:
            self.code.push_string("".join(text))
            return S
        for argument in reversed(fields):
            self.values.value(argument)
        self.code.push_string("".join(text))
        self.code.convert(S, V)
        name = "@@string@@" if self.dialect.modern_template_strings else "string"
        self.code.call(name, len(fields) + 1)
        return V

    def name(self, node: tree.Name) -> int:
        if node.name not in self.scopes.current.locals:
            special = self.references.special_name(node)
            if special is not None:
                return special
        return self.read(node)

    def read(self, node: tree.Expression) -> int:
        """Read a variable, member or element."""
        access = self.variables.access(node, READ)
        return self.variables.load(access, access.opcode)

    def index(self, node: tree.Index) -> int:
        if self.accessors.is_call(node):
            self.accessors.get(node)
            return V
        return self.read(node)

    def conditional(self, node: tree.Conditional) -> int:
        otherwise = Label()
        end = Label()
        self.values.condition(node.condition)
        self.code.branch(BRANCH_FALSE, otherwise)
        self.values.value(node.then)
        self.code.branch(BRANCH, end)
        self.code.place(otherwise)
        self.values.value(node.otherwise)
        self.code.place(end)
        return V
