"""Functions, constructors, structs, statics and exceptions (2.3 and later), and the root of an entry."""

from __future__ import annotations

from overhaul.gml.compiler.emitter import EXIT, I
from overhaul.gml.compiler.statements import Statements
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import Child, Code


class Functions(Statements):
    """Emits whole functions."""

    source: str
    kind: str
    entry_name: str
    previous: Code | None

    def root(self, block: tree.Block) -> None:
        """The entry itself."""
        self.children: list[Child] = []
        self.statements(block.statements)

    def finish(self) -> Code:
        """The code of the entry."""
        from overhaul.gml.compiler.compiler import local_names

        code = Code(self.entry_name, self.instructions, self.children)
        if not self.old:
            code.locals_count = 1 + len(self.scope.locals)
        if self.dialect.code_locals_list:
            code.local_names = local_names(self.instructions)
        return code


__all__ = ["EXIT", "Functions", "I"]
