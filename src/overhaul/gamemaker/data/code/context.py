"""The language tools' knowledge of a game: its context, and the names of its numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, overload

import numpy as np

from overhaul.gamemaker.data.chunks import KIND_CHUNKS
from overhaul.gamemaker.data.code.dialect import game_dialect
from overhaul.gamemaker.data.listed_names import resource_names, string_addresses
from overhaul.gamemaker.data.model import GameModel
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data.strings import String
from overhaul.gml.context import Context, asset_types
from overhaul.gml.vm.code import StringReference, struct_number
from overhaul.gml.vm.opcodes import DataType, InstanceType, Opcode, ReferenceType

SCRIPT_PREFIX = "gml_Script_"
GLOBAL_SCRIPT_PREFIX = "gml_GlobalScript_"


def game_context(game: GameModel) -> Context:
    """The context of a game: dialect, assets, script and extension functions."""
    context = Context(game_dialect(game))
    context.configuration = str(game.record("GEN8").config or "")
    table = string_addresses(game)
    for kind, chunk in KIND_CHUNKS.items():
        context.add_assets(kind, resource_names(game, chunk, table))
    context.add_assets("audio_group", resource_names(game, "AGRP", table))
    if context.dialect.gml_v2:
        _add_functions(game, context)
    else:
        _add_scripts(game, context)
    for extension in game.records.extensions:
        if extension is None:
            continue
        for file in extension.files or ():
            for function in file.functions:
                context.add_extension_function(str(function.name), len(function.arguments))
    _add_called(game, context)
    own = own_variables(game, context)
    context.without_builtins(own_names(game, context, own), own)
    context.next_struct = next_struct(game)
    context.strings = StringTexts(game.strings)
    return context


def next_struct(game: GameModel) -> int:
    """The number that the next struct literal gets in its name."""
    numbers = [struct_number(str(entry.name)) for entry in game.records.code if entry is not None]
    return max(numbers, default=-1) + 1


def _add_functions(game: GameModel, context: Context) -> None:
    """2.3 and later: the named functions of global scripts are known everywhere, those of
    extensions, which are entries of their own, and scripts imported from 2.2, whose text is the
    body: these are called by their bare name.
    """
    parents: set[int] = set()
    #: whether the name of a root is that of a global script, by its id
    scripts: dict[int, bool] = {}
    globals_: set[str] = set()
    for entry in game.records.code:
        if entry is None:
            continue
        code_name, root = str(entry.name), entry.root
        if code_name.startswith(GLOBAL_SCRIPT_PREFIX):
            globals_.add(code_name)
        parents.add(id(root))
        if root is None:
            if code_name.startswith(SCRIPT_PREFIX):
                context.add_function(code_name.removeprefix(SCRIPT_PREFIX), code_name)
            continue
        is_script = scripts.get(id(root))
        if is_script is None:
            is_script = scripts[id(root)] = str(root.name).startswith(GLOBAL_SCRIPT_PREFIX)
        name = code_name.removeprefix(SCRIPT_PREFIX)
        if not is_script or "@" in name or name.startswith(("anon_", "___struct___")):
            continue
        context.add_function(name, code_name)
    for script in game.records.scripts:
        if script is None or f"{GLOBAL_SCRIPT_PREFIX}{script.name}" not in globals_:
            continue
        reference = script.code.entry
        entry = reference.target if isinstance(reference, Reference) else None
        if (
            entry is None  # also where the code can't be read
            or str(entry.name) != f"{GLOBAL_SCRIPT_PREFIX}{script.name}"
        ):
            continue
        if len(entry.bytecode) > 1 and id(entry) not in parents:
            context.functions.setdefault(str(script.name), str(script.name))


def _add_called(game: GameModel, context: Context) -> None:
    """Add functions that the game's code calls and no table of its release has, such as those of an
    extension that the compiler left out: calling them is valid."""
    functions, extensions = context.functions, context.extension_functions
    builtins = context.builtin_functions
    for function in game.functions.present():
        name = str(function.name)
        if name.startswith(("@@", "gml_")):
            continue
        is_known = name in functions or name in extensions or name in builtins
        if not is_known or context.lacks(name):
            context.add_extension_function(name)


def own_names(game: GameModel, context: Context, own: set[str]) -> set[str]:
    """The game's ``own`` variables (:func:`own_variables`). Some may have the name of a function or
    variable that is built into other releases.

    From 2.3 on structs have members of any name, those of constants and functions too: what is
    read without an owner is a variable's name.
    """
    return own & _read_plainly(game, context) if context.dialect.gml_v2 else own


def own_variables(game: GameModel, context: Context) -> set[str]:
    """The names of the game's own variables, without built-in ones.

    A built-in variable has the id -6 (bytecode 15 and later); a function that the game calls has a
    record of its own, and the arguments of functions are variables in more than one way.
    """
    if game.release.bytecode < 15:
        return set()
    owners = _OWNERS[context.dialect.gml_v2 :]
    own: set[str] = set()
    built_in: set[str] = set()
    for variable in game.variables.present():
        if variable.id == _BUILTIN_ID:
            built_in.add(str(variable.name))
        elif variable.instance_type in owners:
            own.add(str(variable.name))
    own -= built_in
    return own.difference([str(function.name) for function in game.functions.present()])


def _read_plainly(game: GameModel, context: Context) -> set[str]:
    """The names of the variables that the code reads without an owner (2.3 and later)."""
    chunk = game.record("CODE")
    if chunk is None or chunk.area is None:
        return set()
    code = chunk.area.code
    owners = [int(InstanceType.BUILTIN)]
    if not context.dialect.self_to_builtin:
        owners.append(int(InstanceType.SELF))
    numbers: set[int] = set()
    for start, columns in code.parts():
        record = code.record[start : start + len(columns)]
        plain = (columns.opcode == int(Opcode.PUSH)) & (columns.type1 == int(DataType.VARIABLE))
        plain &= np.isin(columns.value, owners) & (record >= 0)
        plain &= columns.operand >> 24 & 0xF8 == int(ReferenceType.NORMAL)
        numbers.update(np.unique(record[plain]).tolist())
    items = game.variables.items
    variables = [items[number] for number in numbers]
    return {str(variable.name) for variable in variables if variable is not None}


_BUILTIN_ID = -6
_OWNERS = (-5, -1)  # global, self; from 2.3 on only self


def _add_scripts(game: GameModel, context: Context) -> None:
    """Before 2.3 every script is a function."""
    for script in game.records.scripts:
        if script is not None:
            entry = script.code.entry
            code_name = str(getattr(entry, "name", None) or SCRIPT_PREFIX + str(script.name))
            context.add_function(str(script.name), code_name)


class KnownNames(Collection[str]):
    """The names that variables have in a game, for the check of names in sources.

    A text of the string table may be the name of a variable or name one at run time; those that
    were added since then are known if code sets them (``given``).
    """

    def __init__(self, game: GameModel) -> None:
        self._game = game
        self.given: set[str] = set()
        #: the new names of renamed resources, by the names that they had
        self.renamed: dict[str, str] = {}
        self.stored: int = 0
        self.refresh()

    def refresh(self) -> None:
        """Count all strings that are there as known."""
        self.stored = len(self._game.strings)

    def __contains__(self, name: object) -> bool:
        number = self._game.strings.find(str(name))
        if name in self.renamed and not self._is_variable(str(name)):
            return name in self.given
        return (number is not None and number.number < self.stored) or name in self.given

    def _is_variable(self, name: str) -> bool:
        return any(variable.name == name for variable in self._game.variables.present())

    def __iter__(self) -> Iterator[str]:
        names = dict.fromkeys(str(variable.name) for variable in self._game.variables.present())
        find = self._game.strings.find
        for name in names:  # names for which __contains__ is true are variables
            number = find(name)
            if (number is not None and number.number < self.stored) or name in self.given:
                yield name

    def __len__(self) -> int:
        return len(self._game.variables)


class StringTexts(Sequence[str]):
    """The texts of a string table, as they are now."""

    def __init__(self, table: Sequence[String]) -> None:
        self._table = table

    def __len__(self) -> int:
        return len(self._table)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [str(string) for string in self._table[index]]
        return str(self._table[index])


class GameNames:
    """The meaning of the numbers in a game's instructions (``gml.vm.rows.Names``)."""

    def __init__(self, game: GameModel, context: Context) -> None:
        self._variables: list[Any] = game.variables.items
        self._functions: list[Any] = game.functions.items
        self._strings = game.strings
        self._types = asset_types(context.dialect)
        self._typed = game.release.bytecode >= 15
        self._first: dict[str, int] = {}
        self._counted = 0

    def variable(self, record: int) -> tuple[str, int | None]:
        """The name and instance type of a variable (no type in bytecode 13 and 14)."""
        variable = self._variables[record]
        return str(variable.name), variable.instance_type if self._typed else None

    def function(self, record: int) -> str:
        """The name of a function."""
        return str(self._functions[record].name)

    def string(self, index: int) -> str:
        """A string, marked with its number where it is not the first of its content."""
        text = str(self._strings[index])
        if index >= self._counted:
            self._count()
        return text if self._first[text] == index else StringReference(text, index)

    def _count(self) -> None:
        """Note which string is the first of its content; new ones are at the end."""
        for index in range(self._counted, len(self._strings)):
            self._first.setdefault(str(self._strings[index]), index)
        self._counted = len(self._strings)

    def asset_kind(self, number: int) -> str:
        """The asset kind of a type number."""
        return self._types.get(number, f"type_{number}")
