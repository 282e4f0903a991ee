"""Names that an edit of code takes away, though other code uses them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from overhaul.findings import Findings
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code.model import CodeModel
from overhaul.gamemaker.data.code.removed_functions import LostFunction, RemovedFunctions
from overhaul.gamemaker.data.code.unset_variables import UnsetVariable, UnsetVariables
from overhaul.gml.vm.code import Code

#: a function that is gone, or a variable that is not set
Unnamed: TypeAlias = LostFunction | UnsetVariable


class RemovedNames:
    """The functions that entries lose in an edit, and the variables that they no longer set.

    An entry is noted before it changes (:meth:`note_code`) or goes (:meth:`note_entry`);
    :meth:`used` then finds what code still uses.
    """

    def __init__(self, game: CodeModel) -> None:
        self.functions: RemovedFunctions = RemovedFunctions(game)
        self.variables: UnsetVariables = UnsetVariables(game)

    def note_code(self, root: CodeEntry, code: Code) -> None:
        """Note what an entry is about to lose for new code, and what it gains."""
        self.functions.note_code(root, code)
        self.variables.note_code(root, code)

    def note_entry(self, entry: CodeEntry) -> None:
        """Note an entry that is about to go."""
        self.functions.note_entry(entry)
        self.variables.note_entry(entry)

    def used(self, text_of: Callable[[CodeEntry], str] | None = None) -> Iterator[Unnamed]:
        """The removed names that code still uses.

        ``text_of`` gives the text of an entry, to find lines in; else entries are decompiled.
        """
        functions = list(self.functions.called(text_of))
        yield from functions
        called = {function.name for function in functions}  # a script sets what it is called
        for variable in self.variables.read(text_of):
            if variable.name.name not in called:
                yield variable

    def findings(self) -> Findings:
        """The warnings about them, as the library gives them."""
        return Findings(lost.finding() for lost in self.used())
