"""What passes work on."""

from __future__ import annotations

from overhaul.gml.decompiler.fragment import Fragment
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree


class Body:
    """The statements of one function or root entry, which passes change in place.

    ``parameters``: those of a function.  ``enum_values``: members of the unknown enum that were
    shown anywhere in the entry.
    """

    __slots__ = ("dialect", "enum_values", "fragment", "parameters", "statements")

    def __init__(
        self, statements: list[tree.Statement], fragment: Fragment, dialect: Dialect
    ) -> None:
        self.statements = statements
        self.fragment = fragment
        self.dialect = dialect
        self.parameters: list[tree.Parameter] = []
        self.enum_values: set[int] = set()
