"""Variables that an edit leaves without code that sets them, though code still reads them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set
from typing import NamedTuple

import numpy as np

from overhaul.findings import Finding, warning
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code.mentions import callers, entries_with_texts, roots
from overhaul.gamemaker.data.code.model import CodeModel
from overhaul.gamemaker.data.code.places import SourceLine, lines_matching
from overhaul.gml.vm.code import Code, VariableReference
from overhaul.gml.vm.columns import Columns, Mask, is_variable
from overhaul.gml.vm.opcodes import InstanceType, Opcode, ReferenceType

#: functions that set a variable whose name is a text
SETTERS = frozenset(
    (
        *("variable_instance_set", "variable_global_set", "variable_struct_set", "struct_set"),
        *("variable_local_set", "variable_global_array_set", "variable_global_array2_set"),
        *("variable_local_array_set", "variable_local_array2_set"),
    )
)
_GLOBAL = int(InstanceType.GLOBAL)
#: variables that are set before an entry runs, or are of one entry only
_OWN = {int(InstanceType.LOCAL), int(InstanceType.ARGUMENT)}
_POP = int(Opcode.POP)
#: how an element of an array in an array is set: the outer array is pushed
_SET_INSIDE = int(ReferenceType.ARRAY_POPAF)


class Name(NamedTuple):
    """The name of a variable, and whether it is a global one."""

    name: str
    is_global: bool

    def __str__(self) -> str:
        return f"global.{self.name}" if self.is_global else self.name

    def places(
        self, entry: CodeEntry, text_of: Callable[[CodeEntry], str] | None = None
    ) -> list[SourceLine]:
        """The lines of an entry that say it."""
        word = re.escape(self.name)
        if not self.is_global:
            return lines_matching(entry, rf"(?<!\bglobal\.)\b{word}\b", text_of)
        places = lines_matching(entry, rf"\bglobal\.{word}\b", text_of)
        # after "globalvar" code says it without its owner
        return places if places[0].line else lines_matching(entry, rf"\b{word}\b", text_of)


class UnsetVariable(NamedTuple):
    """A variable that no code sets since an edit, and the places that read it.

    ``home`` is the entry that set it, and ``is_removed`` whether that is gone.  ``now`` is the only
    variable that its new code sets for the first time ("" for none, or several).
    """

    name: Name
    home: str
    is_removed: bool
    places: list[SourceLine]
    now: str = ""
    is_of_code: bool = True

    def finding(self, home: str = "", shown: Callable[[SourceLine], str] = str) -> Finding:
        """The warning about it, which calls the entry ``home``; ``shown`` gives places as text."""
        places = ", ".join(map(shown, self.places))
        if self.is_removed:
            text = f"it was removed, and no other code sets {self.name}, which code reads"
        else:
            text = f"it no longer sets {self.name}, nor does other code, and code reads it"
        renamed = f" (is it {self.now} now? Then write that name there)" if self.now else ""
        return warning("unset-variable", f"{text}: {places}{renamed}", home or self.home)


class UnsetVariables:
    """The variables that entries no longer set after an edit.

    :meth:`note_code` is called before an entry gets other code, :meth:`note_entry` before it goes.
    :meth:`read` then finds which of the variables no code sets, and who reads them, by the
    references in instructions.
    """

    def __init__(self, game: CodeModel) -> None:
        self.game = game
        #: the entries that set each, and the only variable that each of them sets now instead
        self._lost: dict[Name, dict[str, str]] = {}

    def note_code(self, root: CodeEntry, code: Code) -> None:
        """Note the variables that an entry sets, and its new code does not."""
        before, now = self._set_by(root), set_in(self.game, code)
        gone = before - now
        came = now - before
        for name in sorted(gone):
            likely = [other for other in came if other.is_global == name.is_global]
            only = len(gone) == len(likely) == 1
            self._lost.setdefault(name, {})[str(root.name)] = str(likely[0]) if only else ""

    def lost_with(self, root: CodeEntry, code: Code) -> set[Name]:
        """The variables that an entry sets, and other code in its place would not."""
        return self._set_by(root) - set_in(self.game, code)

    def note_entry(self, entry: CodeEntry) -> None:
        """Note an entry that is about to go."""
        if entry.root is None:
            for name in sorted(self._set_by(entry)):
                self._lost.setdefault(name, {})[str(entry.name)] = ""

    def _set_by(self, root: CodeEntry) -> set[Name]:
        if root.unreadable:
            return set()
        return set(names_in(self.game, root, setting_rows(root.bytecode.columns)))

    def read(self, text_of: Callable[[CodeEntry], str] | None = None) -> Iterator[UnsetVariable]:
        """The variables that code reads and that no code sets any longer.

        ``text_of`` gives the text of an entry, to find lines in; else entries are decompiled.
        """
        if not self._lost:
            return
        readers = self._readers()
        here = self.game.named("CODE")
        for name, homes in self._lost.items():
            if readers.get(name):
                places = [place for entry in readers[name] for place in name.places(entry, text_of)]
                home, now = next(iter(homes.items()))
                yield UnsetVariable(name, home, home not in here, places, now)

    def _readers(self) -> dict[Name, list[CodeEntry]]:
        """The entries that read each of the variables that no code sets."""
        words = {name.name for name in self._lost}
        numbers = [
            number
            for number, variable in enumerate(self.game.variables)
            if variable is not None and str(variable.name) in words
        ]
        left = self._lost.keys() - self._set_by_text(words)
        readers: dict[Name, list[CodeEntry]] = {name: [] for name in self._lost if name in left}
        for root in roots(self.game):
            rows = np.isin(root.bytecode.record, numbers)
            if not rows.any():
                continue
            columns = root.bytecode.columns
            sets = setting_rows(columns)
            for name in names_in(self.game, root, rows & sets):
                readers.pop(name, None)
            for name in names_in(self.game, root, rows & is_variable(columns) & ~sets):
                if name in readers:
                    readers[name].append(root)
        return readers

    def _set_by_text(self, words: Set[str]) -> set[Name]:
        """The variables whose names are texts in code that sets variables by texts."""
        setting = {id(entry) for entry in callers(self.game, SETTERS)}
        if not setting:
            return set()
        return {
            Name(word, is_global)
            for word, entries in entries_with_texts(self.game, words).items()
            if any(id(entry) in setting for entry in entries)
            for is_global in (False, True)
        }


def names_in(game: CodeModel, root: CodeEntry, rows: Mask) -> Iterator[Name]:
    """The variables of some rows, but for built-in ones and those of the entry alone."""
    record, value = root.bytecode.record[rows], root.bytecode.columns.value[rows]
    variables = game.variables.items
    built_in = game.language.context.builtin_variables
    for number, owner in set(zip(record.tolist(), value.tolist(), strict=True)):
        variable = variables[number] if 0 <= number < len(variables) else None
        if variable is None or owner in _OWN or variable.instance_type in _OWN:
            continue
        name = str(variable.name)
        if name not in built_in:
            yield Name(name, _GLOBAL in (owner, variable.instance_type))


def setting_rows(columns: Columns) -> Mask:
    """The rows that set a variable."""
    inside = (columns.operand >> 24 & 0xF8) == _SET_INSIDE
    sets: Mask = (columns.opcode == _POP) | inside
    return is_variable(columns) & sets


def set_in(game: CodeModel, code: Code) -> set[Name]:
    """The variables that symbolic code sets, but for built-in ones and those of one entry."""
    built_in = game.language.context.builtin_variables
    return {
        Name(operand.name, operand.scope == _GLOBAL or instruction.value == _GLOBAL)
        for instruction in code.instructions
        if isinstance(operand := instruction.operand, VariableReference)
        and operand.scope not in _OWN
        and operand.name not in built_in
        and (int(instruction.opcode) == _POP or operand.kind == _SET_INSIDE)
    }
