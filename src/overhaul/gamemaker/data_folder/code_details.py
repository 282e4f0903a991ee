"""code.json: what a game's source does not say, for packing without the kept original.

The capabilities of the compiler that do not follow from its version, the called functions that
are not scripts, own variables whose names other releases have built in, variables that no code
uses, and for single entries: the names of the functions inside (made from places in the original
source), the numbers of array owners, line ends in texts, names with another use than tables have
(a variable with the name of an asset, a function with more arguments), and counts that include
unused locals, of the entry and of functions inside; and the names that are too long for a file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from overhaul.document.names import unescape_name
from overhaul.document.plainfiles import Folder
from overhaul.errors import FormatError, PlainFileError
from overhaul.folder.json_fields import (
    at_key,
    expect_object,
    in_file,
    json_bytes,
    read_object,
    show_value,
    wide,
)
from overhaul.gamemaker.data.code.chains import plain_dialect
from overhaul.gamemaker.data.code.context import SCRIPT_PREFIX, own_names, own_variables
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder.names import expect_keys, name_of
from overhaul.gamemaker.data_folder.view import CODE_DETAILS, FolderView
from overhaul.gml.builtins import load_constants, load_functions, load_variables
from overhaul.gml.compiler.owners import owner_numbers
from overhaul.gml.context import Context
from overhaul.gml.dialect import RULES, Dialect
from overhaul.gml.vm.code import (
    AssetReference,
    Child,
    Code,
    FunctionReference,
    Instruction,
    Variable,
    VariableReference,
    child_ends,
)
from overhaul.gml.vm.columns import FUNCTION_BIT
from overhaul.gml.vm.opcodes import WORDS, DataType, Extended, InstanceType, Opcode, ReferenceType
from overhaul.gml.vm.registration import ARGUMENTS, FIRST_VARIABLES, root_counts
from overhaul.schema.codec import JsonFields

_LOCAL = int(InstanceType.LOCAL)
_SELF = int(InstanceType.SELF)
_BUILTIN = int(InstanceType.BUILTIN)
#: the keys of :func:`_unlike_tables`
_UNLIKE = ("variables", "built_in", "writes", "calls")


def show_details(view: FolderView) -> bytes:
    """The file of a game."""
    game = view.game
    language = game.language
    dialect = plain_dialect(game)
    entries: dict[str, dict[str, object]] = {}
    for entry in view.roots().values():
        try:
            code = language.code_to_read(entry)
        except FormatError:
            continue  # its own file says why
        shown: dict[str, object] = {}
        if code.children:
            shown["functions"] = [child.name for child in code.children]
        owners = owner_numbers(code.instructions)
        if owners:
            shown["owners"] = owners
        if any(isinstance(i.operand, str) and "\r\n" in i.operand for i in code.instructions):
            shown["crlf"] = True
        if (entry.locals_count, entry.arguments) != root_counts(code, dialect):
            shown["counts"] = [entry.locals_count, entry.arguments]
        unused = _unused_locals(code)
        if unused:
            shown["locals"] = unused
        shown |= _unlike_tables(code, language.context)
        if shown:
            entries[name_of(entry)] = shown
    details = {"dialect": _dialect(game), "called": called_functions(game), "entries": entries}
    own = _own_built_ins(game)
    if own:
        details["own"] = own
    unused_variables = _unused_variables(view)
    if unused_variables:
        details["unused"] = unused_variables
    stems = {stem: name_of(entry) for stem, entry in view.roots().items()}
    long = {stem: name for stem, name in stems.items() if unescape_name(stem) != name}
    return json_bytes({**details, "names": long} if long else details, wide)


def _dialect(game: GameData) -> dict[str, bool]:
    """The capabilities of the game's compiler that do not follow from its version."""
    layout = game.release
    usual = asdict(Dialect.for_version(layout.bytecode, layout.number, layout.lts))
    capabilities = asdict(game.language.context.dialect)
    return {name: value for name, value in capabilities.items() if value != usual[name]}


def _own_built_ins(game: GameData) -> list[str]:
    """The game's own variables that have the name of something built into other releases."""
    every = (load_functions(), load_variables(), load_constants())
    context = game.language.context
    own = own_names(game, context, own_variables(game, context))
    return sorted(name for name in own if any(name in known for known in every))


def _unused_variables(view: FolderView) -> list[str]:
    """The variables of VARI that no instruction refers to, as ``self.name``, in their order.

    Every game has the first ones, and every root has its ``arguments``.
    """
    variables = list(view.game.variables.present())
    used = np.zeros(len(variables), np.bool_)
    for entry in view.roots().values():
        record = entry.bytecode.record
        used[record[(record >= 0) & (record < FUNCTION_BIT)]] = True
    return [
        f"{_scope_name(variable.instance_type)}.{variable.name}"
        for variable, is_used in zip(variables, used.tolist(), strict=True)
        if not is_used and str(variable.name) not in (*FIRST_VARIABLES, ARGUMENTS)
    ]


def _scope_name(scope: int) -> str:
    try:
        return InstanceType(scope).name.lower()
    except ValueError:
        return str(scope)


def _read_variable(text: str) -> Variable:
    """The variable that a text names; ValueError for another text."""
    scope, dot, name = text.partition(".")
    if not dot or not name:
        raise ValueError(text)
    if scope.upper() in InstanceType.__members__:
        return Variable(name, int(InstanceType[scope.upper()]))
    return Variable(name, int(scope))


def _unused_locals(code: Code) -> dict[str, int]:
    """The counts of locals of functions inside an entry that do not follow from its instructions: a
    ``var`` that is never used leaves no other trace."""
    if not code.children:
        return {}
    used: list[set[str]] = [set() for _ in code.children]
    ends = child_ends(code.instructions, code.children)
    starts = sorted((child.offset, number) for number, child in enumerate(code.children))
    inside: list[int] = []
    at = 0
    for instruction in code.instructions:
        while inside and ends[inside[-1]] <= at:
            inside.pop()
        while starts and starts[0][0] <= at:
            inside.append(starts.pop(0)[1])
        operand = instruction.operand
        if inside and isinstance(operand, VariableReference) and operand.scope == _LOCAL:
            used[inside[-1]].add(operand.name)
        at += 4 * WORDS[instruction.opcode << 4 | instruction.type1]
    return {
        child.name: child.locals_count
        for child, names in zip(code.children, used, strict=True)
        if child.locals_count != len(names)
    }


def _unlike_tables(code: Code, context: Context) -> dict[str, object]:
    """The uses of names that differ from the tables of the release: variables with the name of an
    asset or a function, built-in variables that it writes or that no table has, and functions with
    another number of arguments."""
    tables: dict[str, set[object]] = {key: set() for key in _UNLIKE}
    assets = set()
    declared = {child.name for child in code.children}
    tables["writes"] |= {
        name
        for name in (_function_name(child, code.name) for child in declared)
        if name in context.builtin_functions or context.asset_ids.get(name, _SCRIPT)[0] != "script"
    }
    for instruction in {id(each): each for each in code.instructions}.values():
        operand, opcode = instruction.operand, instruction.opcode
        if operand is None:
            continue
        if isinstance(operand, VariableReference):
            name = operand.name
            builtin = context.builtin_variables.get(name)
            if opcode == Opcode.POP and (
                (builtin is not None and builtin.readonly)
                or (
                    SCRIPT_PREFIX + name not in declared
                    and _is_read_alone(instruction, operand)
                    and _is_no_variable(context, name)
                )
            ):
                tables["writes"].add(name)
            if opcode == Opcode.PUSHBLTN and builtin is None:
                tables["built_in"].add(name)
            elif _is_read_alone(instruction, operand) and _asset(context, name):
                tables["variables"].add(name)
        elif isinstance(operand, AssetReference):
            assets.add(operand)
        elif isinstance(operand, FunctionReference) and opcode == Opcode.CALL:
            function = context.builtin_functions.get(operand.name)
            count = instruction.value
            if function is None or operand.name in context.functions:
                continue
            if count < function.minimum or 0 <= function.maximum < count:
                tables["calls"].add((operand.name, count))
    tables["variables"] -= {name for name in tables["variables"] if _asset(context, name) in assets}
    return {key: sorted(values, key=str) for key, values in tables.items() if values}


def _is_read_alone(instruction: Instruction, operand: VariableReference) -> bool:
    """Whether a variable of the instance itself is used without an owner before it."""
    own = operand.scope == _SELF and operand.kind == int(ReferenceType.NORMAL)
    return own and instruction.value in (_SELF, _BUILTIN)


def _function_name(code_name: str, entry: str) -> str:
    """The name of a function at the root of an entry, as its source has it."""
    name = code_name.removeprefix(SCRIPT_PREFIX).removesuffix(f"_{entry}")
    return name.partition("@")[0]


_SCRIPT = ("script", 0)


def _is_no_variable(context: Context, name: str) -> bool:
    """Whether the compiler takes a name for that of an asset or a function."""
    functions = context.functions, context.builtin_functions, context.extension_functions
    return _asset(context, name) is not None or any(name in names for names in functions)


def _asset(context: Context, name: object) -> tuple[str, int] | None:
    return context.asset_id(str(name))


def called_functions(game: GameData) -> list[str]:
    """The functions that code calls, other than scripts and the language's own.

    From 2.3 on, a script is called only by its name if its code is not a function (an import of
    an earlier project): the name is listed here.
    """
    context = game.language.context
    names = (str(function.name) for function in game.functions.present())
    return [
        name
        for name in names
        if name not in context.functions
        and name not in context.builtin_functions
        and not name.startswith(("@@", "gml_"))
    ]


def _variable_mark(opcode: Opcode, value: int) -> Callable[[str], Instruction]:
    """A function that makes an instruction which uses a variable of a name."""

    def mark(name: str) -> Instruction:
        operand = VariableReference(name, _SELF, int(ReferenceType.NORMAL))
        return Instruction(opcode, DataType.VARIABLE, value=value, operand=operand)

    return mark


def _call_mark(call: Sequence[Any]) -> Instruction:
    name, count = call
    return Instruction(
        Opcode.CALL, DataType.INT32, value=int(count), operand=FunctionReference(str(name))
    )


#: by key of an entry: the function that makes the instructions of its old code from the file
_MARKS: dict[str, Callable[[Any], Instruction]] = {
    "variables": _variable_mark(Opcode.PUSH, _BUILTIN),
    "built_in": _variable_mark(Opcode.PUSHBLTN, _BUILTIN),
    "writes": _variable_mark(Opcode.POP, 0),
    "calls": _call_mark,
}


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(value)
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(value)
    return value


def _two_numbers(values: Sequence[object]) -> tuple[int, int]:
    first, second = values
    return _number(first), _number(second)


class CodeDetails:
    """The content of the file; empty without a file."""

    def __init__(self, folder: Folder) -> None:
        plain: JsonFields = {}
        if CODE_DETAILS in folder:
            plain = read_object(folder.read(CODE_DETAILS), CODE_DETAILS)
            _check_keys(plain)
        try:
            #: the names of entries whose files can't be called so
            self.names: dict[str, str] = {k: _text(v) for k, v in plain.get("names", {}).items()}
            self.dialect: dict[str, bool] = dict(plain.get("dialect", {}))
            self.called: list[str] = [_text(name) for name in plain.get("called", [])]
            self.own: list[str] = [_text(name) for name in plain.get("own", [])]
            #: the variables that no code uses
            self.unused: list[Variable] = [
                _read_variable(_text(text)) for text in plain.get("unused", [])
            ]
            self._entries: dict[str, JsonFields] = dict(plain.get("entries", {}))
            self._functions = {
                name: [_text(function) for function in entry["functions"]]
                for name, entry in self._entries.items()
                if "functions" in entry
            }
            self._owners = {
                name: [_number(number) for number in entry["owners"]]
                for name, entry in self._entries.items()
                if "owners" in entry
            }
            self.crlf: set[str] = {
                name for name, entry in self._entries.items() if _flag(entry.get("crlf", False))
            }
            self._counts = {
                name: _two_numbers(entry["counts"])
                for name, entry in self._entries.items()
                if "counts" in entry
            }
            self._marks = {
                name: [mark for key in _UNLIKE for mark in map(_MARKS[key], entry.get(key, []))]
                for name, entry in self._entries.items()
                if any(key in entry for key in _UNLIKE)
            }
            self._locals = {
                name: {child: _number(count) for child, count in entry["locals"].items()}
                for name, entry in self._entries.items()
                if "locals" in entry
            }
        except (AttributeError, IndexError, TypeError, ValueError):
            raise PlainFileError(
                "expected the names of called functions and, for entries, "
                "names of functions and counts",
                CODE_DETAILS,
            ) from None

    def declare(self, context: Context) -> None:
        """Make known to a context what the file says of all code."""
        context.dialect = context.dialect.replace(**self.dialect)
        for name in self.called:
            context.add_extension_function(name)
        context.without_builtins(self.own)

    def before(self, name: str) -> Code | None:
        """An entry as far as it is known before its source is compiled."""
        if all(name not in known for known in (self._functions, self._owners, self._marks)):
            return None
        marks = [
            instruction
            for number in self._owners.get(name, [])
            for instruction in (
                Instruction(Opcode.PUSH, DataType.INT32, operand=number),
                Instruction(Opcode.BREAK, DataType.INT16, value=Extended.SETOWNER),
            )
        ]
        marks += self._marks.get(name, [])
        children = [Child(function, 0) for function in self._functions.get(name, [])]
        return Code(name, marks, children)

    def finish(self, name: str, code: Code, dialect: Dialect) -> None:
        """Give compiled code the counts that do not follow from its source."""
        counts = self._counts.get(name)
        if counts is None and not code.instructions:
            counts = root_counts(code, dialect)
        if counts is not None and len(code.children) == len(self._functions.get(name, [])):
            code.locals_count, code.arguments_count = counts
        unused = self._locals.get(name, {})
        for child in code.children:
            child.locals_count = unused.get(child.name, child.locals_count)


def _check_keys(plain: JsonFields) -> None:
    """Raise WorkspaceError for an unknown key."""
    with in_file(CODE_DETAILS):
        expect_keys(plain, ("dialect", "called", "own", "unused", "entries", "names"))
        with at_key("dialect"):
            expect_keys(plain.get("dialect"), RULES)
            for rule, value in expect_object(plain.get("dialect", {})).items():
                if not isinstance(value, bool):
                    raise FormatError(f"expected true or false, got {show_value(value)}").within(
                        rule
                    )
        entries = plain.get("entries")
        for name, entry in entries.items() if isinstance(entries, dict) else ():
            with at_key("entries"), at_key(name):
                expect_keys(entry, ("functions", "owners", "crlf", "counts", "locals", *_UNLIKE))
