"""Code under another name: its entry, the functions inside it, and what lists them by name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from overhaul.gamemaker.data.chunks.func import Variable
from overhaul.gamemaker.data.code.context import GLOBAL_SCRIPT_PREFIX, SCRIPT_PREFIX
from overhaul.gamemaker.data.code.mentions import roots
from overhaul.gml.builtins import load_functions
from overhaul.gml.vm.code import Child, Code, FunctionReference, VariableReference
from overhaul.gml.vm.opcodes import InstanceType, Opcode, ReferenceType

if TYPE_CHECKING:
    from overhaul.gamemaker.data.chunks.code import CodeEntry
    from overhaul.gamemaker.data.code.model import CodeModel

_SELF = int(InstanceType.SELF)


class CodeNames:
    """What the functions inside an entry are called once it has another name.

    Their names hold that of the entry: ``gml_Script_anon@12@gml_Object_obj_a_Create_0``.  The
    function that a script declares under its own name goes with the script.
    """

    def __init__(self, old: str, new: str) -> None:
        self.old: str = old
        self.new: str = new
        self._parts = {old: new}
        #: the script's own function, before and after; "" for other code
        self.function: str = ""
        self.new_function: str = ""
        if old.startswith(GLOBAL_SCRIPT_PREFIX) and new.startswith(GLOBAL_SCRIPT_PREFIX):
            self.function = old.removeprefix(GLOBAL_SCRIPT_PREFIX)
            self.new_function = new.removeprefix(GLOBAL_SCRIPT_PREFIX)
            self._parts |= {
                self.function: self.new_function,
                SCRIPT_PREFIX + self.function: SCRIPT_PREFIX + self.new_function,
            }
        owner = f"(?:(?<=_){re.escape(self.function)}_)?" if self.function else ""
        self._joined = re.compile(rf"({owner}){re.escape(old)}(?=_|$)")

    def of(self, name: str) -> str:
        """The new name of the entry or of a function inside it."""
        if "@" in name:
            return "@".join(self._parts.get(part, part) for part in name.split("@"))
        if name in self._parts:
            return self._parts[name]
        return self._joined.sub(
            lambda found: (f"{self.new_function}_" if found[1] else "") + self.new, name
        )

    def code(self, code: Code) -> Code:
        """A copy of an entry's code as that of the new name."""
        own = {child.name for child in code.children} | {self.old}
        instructions = []
        for each in code.instructions:
            made = each.copy()
            if isinstance(made.operand, FunctionReference) and made.operand.name in own:
                made.operand = FunctionReference(self.of(made.operand.name))
            elif isinstance(made.operand, VariableReference) and self._is_own(made.operand):
                made.operand = made.operand._replace(name=self.new_function)
            instructions.append(made)
        children = [
            Child(self.of(child.name), child.offset, child.locals_count, child.arguments_count)
            for child in code.children
        ]
        return Code(
            self.new,
            instructions,
            children,
            code.locals_count,
            code.arguments_count,
            list(code.local_names),
        )

    def _is_own(self, operand: VariableReference) -> bool:
        return bool(self.function) and operand.name == self.function and operand.scope == _SELF


def rename_entry(game: CodeModel, entry: CodeEntry, new: str) -> None:
    """Give a root entry another name; the functions inside it, and what lists them, follow."""
    names = CodeNames(str(entry.name), new)
    inside = [each for each in game.named("CODE").present() if each is entry or each.root is entry]
    mine = {id(game.named("CODE").reference_to(each)) for each in inside}
    renamed = {}
    for each in inside:
        name = str(each.name)
        if names.of(name) != name:
            renamed[name] = names.of(name)
            each.name = game.strings.add(renamed[name])
    for script in game.records.scripts.present():
        if id(script.code.entry) in mine and str(script.name) in renamed:
            script.name = game.strings.add(renamed[str(script.name)])
    rename_functions(game, renamed)
    functions = game.record("FUNC")
    for listed in () if functions is None else functions.code_locals:
        if str(listed.name) == names.old:
            listed.name = game.strings.add(new)
    if f"{SCRIPT_PREFIX}{names.function}" in renamed:
        _rename_variable(game, entry, names)
    game.language.forget()


def rename_functions(game: CodeModel, renamed: dict[str, str]) -> None:
    """Let code that calls functions call them by their new names."""
    for function in game.functions.present():
        new = renamed.get(str(function.name))
        if new is not None:
            function.name = game.strings.add(new)


def bare_functions(game: CodeModel, old: str, new: str) -> dict[str, str]:
    """How calls of a script name it where they do so by its bare name."""
    own = game.release.number < (2, 3) or old not in load_functions()
    return {old: new} if own else {}


def _rename_variable(game: CodeModel, entry: CodeEntry, names: CodeNames) -> None:
    """The variable that holds a script's function: that of the script, and where other code reads
    it without an owner."""
    olds = [
        number
        for number, variable in enumerate(game.variables)
        if variable is not None
        and variable.name == names.function
        and variable.instance_type == _SELF
    ]
    if not olds:
        return
    added = -1
    for root in roots(game):
        columns, record = root.bytecode.columns, root.bytecode.record
        mine = np.isin(record, olds)
        if root is not entry:
            mine &= (columns.opcode == int(Opcode.PUSH)) & (columns.operand >> 24 & 0xF8 == _PLAIN)
            mine &= np.isin(columns.value, (_SELF, int(InstanceType.BUILTIN)))
        if not mine.any():
            continue
        if added < 0:
            added = _add_variable(game, names.new_function, olds[0])
        root.bytecode.record = np.where(mine, added, record).astype(record.dtype)


_PLAIN = int(ReferenceType.NORMAL)


def _add_variable(game: CodeModel, name: str, like: int) -> int:
    """The variable of a name, like another one but for its name and its own id."""
    items = game.variables.items
    old = items[like]
    for number, variable in enumerate(items):
        if variable is not None and variable.name == name and variable.instance_type == _SELF:
            return number
    string = game.strings.add(name)
    items.append(Variable(string, _SELF, string.number))
    head = game.record("VARI")
    if head is not None and old is not None and head.instance_count > old.id:
        head.instance_count = max(head.instance_count, string.number + 1)
    return len(items) - 1
