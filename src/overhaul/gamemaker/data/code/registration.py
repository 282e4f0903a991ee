"""Registering changed code in a game: variables, functions, strings, locals, child entries.

New records go behind those that are there, as the tools of the field do; records nothing refers
to any more stay, with no occurrences, so that what did not change keeps its numbers.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from enum import Enum
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

import numpy as np

from overhaul.errors import EncodeError
from overhaul.findings import Findings
from overhaul.gamemaker.data.chunks.bytecode import Bytecode
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.chunks.func import CodeLocals, Local, Script, ScriptCode, Variable
from overhaul.gamemaker.data.code.index import GLOBAL, LOCAL, SELF
from overhaul.gamemaker.data.model import GameModel
from overhaul.gamemaker.data.references import NamedList
from overhaul.gml.context import Context, asset_types
from overhaul.gml.vm.code import Code, FunctionReference, StringReference, VariableReference
from overhaul.gml.vm.columns import (
    FUNCTION_BIT,
    NO_RECORD,
    check_values,
    is_call,
    is_pushref,
    is_string_push,
)
from overhaul.gml.vm.opcodes import REFERENCE_DISTANCE_MASK, InstanceType, Opcode
from overhaul.gml.vm.registration import ARGUMENTS, BUILTIN_ID, local_names
from overhaul.gml.vm.rows import to_columns
from overhaul.schema.record import Record

if TYPE_CHECKING:
    from overhaul.gamemaker.data.code.index import CodeIndex, KnownRecords


#: called right before ``method`` for a constructor, in place of the instance it belongs to
_NO_INSTANCE = "@@NullObject@@"


def child_key(entry: CodeEntry) -> tuple[str, int, int, int]:
    """The properties of an inner entry that symbolic code has."""
    return str(entry.name), entry.offset, entry.locals_count, entry.arguments


class NewChildren(NamedTuple):
    """A root, its new code, and the inner entries that it has, in the order of the list."""

    root: CodeEntry
    code: Code
    old: list[CodeEntry]


def assign_children(
    game: GameModel, root: CodeEntry, code: Code, old: list[CodeEntry]
) -> list[CodeEntry]:
    """Give a root the inner entries of its new code, in their order; return them.

    Entries are known again by their names.  New ones, and their scripts, go where the compiler
    puts them: both lists follow the order in which the functions end in the code.
    """
    return assign_all_children(game, [NewChildren(root, code, old)])[0]


def assign_all_children(game: GameModel, given: Sequence[NewChildren]) -> list[list[CodeEntry]]:
    """:func:`assign_children` for many roots, in time that grows as the number of entries."""
    chosen = []
    gone: list[CodeEntry] = []
    for change in given:
        left: dict[str, list[CodeEntry]] = {}
        for entry in change.old:
            left.setdefault(str(entry.name), []).append(entry)
        known: list[CodeEntry | None] = []
        for child in change.code.children:
            same = left.get(child.name)
            known.append(same.pop(0) if same else None)
        chosen.append(known)
        gone += (entry for entries in left.values() for entry in entries)
    if gone:
        _remove(game, gone)
    children = _in_order(game, given, chosen)
    constructing: dict[int, bool] = {}
    for change, entries in zip(given, children, strict=True):
        names = set(constructors(change.code)) if entries else set()
        for entry, child in zip(entries, change.code.children, strict=True):
            entry.offset = child.offset
            entry.locals_count = child.locals_count
            entry.arguments = child.arguments_count
            constructing[id(entry)] = str(entry.name) in names
    if constructing:
        _mark_constructors(game, constructing)
    return children


def _in_order(
    game: GameModel, given: Sequence[NewChildren], chosen: Sequence[list[CodeEntry | None]]
) -> list[list[CodeEntry]]:
    """The children of each root, the new ones added to the game."""
    for change, known in zip(given, chosen, strict=True):
        here = [entry for entry in known if entry is not None]
        order = {id(entry): number for number, entry in enumerate(change.old)}
        numbers = [order[id(entry)] for entry in here]
        if numbers != sorted(numbers):
            _reorder(game, here)
    is_new = any(entry is None for known in chosen for entry in known)
    places = _places(game) if is_new else {}
    made: list[list[CodeEntry]] = []
    added: dict[int, list[CodeEntry | None]] = {}
    for change, known in zip(given, chosen, strict=True):
        children: list[CodeEntry] = []
        behind = places.get(id(change.root), 0) + 1
        for child, entry in zip(change.code.children, known, strict=True):
            if entry is None:
                entry = CodeEntry(game.strings.add(child.name), root=change.root, game=game)
                added.setdefault(behind, []).append(entry)
            else:
                behind = places.get(id(entry), 0) + 1
            children.append(entry)
        made.append(children)
    if added:
        _insert(game.records.code, added)
        _add_scripts(game, {id(entry) for entries in added.values() for entry in entries})
    return made


def _places(game: GameModel) -> dict[int, int]:
    """The index of each code entry, by its identity."""
    return {id(entry): index for index, entry in enumerate(game.records.code)}


T = TypeVar("T", bound=Record)


def _insert(owner: NamedList[T], added: dict[int, list[T | None]]) -> None:
    if added.keys() == {len(owner)}:
        for item in added[len(owner)]:
            owner.append(item)
    else:
        owner.insert_all(added)


def _add_scripts(game: GameModel, new: set[int]) -> None:
    """Add the scripts of new code entries, known by their identities: scripts are in the order of
    their code, and where they are not, new ones come last."""
    scripts = game.records.scripts
    numbers: list[int] = []
    places: list[int] = []
    for place, script in enumerate(scripts):
        entry = None if script is None else script.code.entry
        if entry is not None:
            numbers.append(entry.index)
            places.append(place + 1)
    in_order = numbers == sorted(numbers)
    added: dict[int, list[Script | None]] = {}
    for index, entry in enumerate(game.records.code):
        if entry is not None and id(entry) in new:
            before = bisect_left(numbers, index)
            place = 0 if not before else places[before - 1]
            script = Script(entry.name, ScriptCode(game.records.code.reference(index)))
            added.setdefault(place if in_order else len(scripts), []).append(script)
    _insert(scripts, added)


def _remove(game: GameModel, entries: list[CodeEntry]) -> None:
    scripts = [script for entry in entries for script in _scripts(game, entry)]
    if scripts:
        game.records.scripts.remove(*scripts)
    game.records.code.remove(*entries)


def _scripts(game: GameModel, entry: CodeEntry) -> list[Script]:
    reference = game.records.code.reference_to(entry)
    return [
        script
        for script in game.records.scripts
        if script is not None and script.code.entry is reference
    ]


def _reorder(game: GameModel, children: list[CodeEntry]) -> None:
    """Reorder a root's entries among themselves, and their scripts with them."""
    _exchange(game.records.code, children)
    _exchange(
        game.records.scripts, [script for entry in children for script in _scripts(game, entry)]
    )


def _exchange(items: NamedList[T], moved: list[T]) -> None:
    order = list(range(len(items)))
    numbers = [items.index(item) for item in moved]
    for place, number in zip(sorted(numbers), numbers, strict=True):
        order[place] = number
    if order != sorted(order):
        items.reorder(order)


def _mark_constructors(game: GameModel, constructing: dict[int, bool]) -> None:
    """Mark the scripts of inner entries, known by their identities, that are constructors."""
    entries = game.records.code.items
    for script in game.records.scripts:
        reference = None if script is None else script.code.entry
        if script is None or reference is None or not 0 <= reference.index < len(entries):
            continue
        constructor = constructing.get(id(entries[reference.index]))
        if constructor is not None and script.code.constructor != constructor:
            script.code = script.code._replace(constructor=constructor)


def constructors(code: Code) -> Iterator[str]:
    """The inner functions that the code turns into constructors."""
    pushed = ""
    for instruction in code.instructions:
        operand = instruction.operand
        if isinstance(operand, FunctionReference):
            if operand.name == _NO_INSTANCE:
                yield pushed
            pushed = operand.name


BUILTIN = int(InstanceType.BUILTIN)
CALL = int(Opcode.CALL)
#: stands for the record of a function that a removed object calls: the call has none
UNLINKED = FUNCTION_BIT - 1


class Change(Enum):
    """The kind of change that assigning code made."""

    NOTHING = 0
    #: the entry's instructions, and records they brought along
    CODE = 1
    #: the entries inside it, or what arguments they take, as well
    CHILDREN = 2


class NotesNames(Protocol):
    """Notes the functions and variables that code loses (:class:`.removed_names.RemovedNames`)."""

    def note_code(self, root: CodeEntry, code: Code) -> None: ...
    def note_entry(self, entry: CodeEntry) -> None: ...
    def findings(self) -> Findings: ...


class Registrar:
    """Gives names in symbolic code the numbers of a game, adding records for new ones.

    With ``trial`` everything that was added is taken out again at the end of the ``with`` block.
    ``removed`` notes the functions and variables that entries lose.  Raises
    EncodeError for a game without the tables of variables and functions.
    """

    #: the number of the root being registered, for subclasses that make the tables of all roots
    root_number = 0

    def __init__(
        self, index: CodeIndex, *, trial: bool = False, removed: NotesNames | None = None
    ) -> None:
        game = index.game
        variables, functions = game.record("VARI"), game.record("FUNC")
        if variables is None or functions is None:
            raise EncodeError("code can't be compiled: the game has no readable VARI and FUNC")
        self.game = game
        self._index = index
        self.trial = trial
        self._removed = removed
        self.known: KnownRecords = index.records
        self.variables: list[Variable] = self.known.variables
        self._head = variables
        self._locals_head = functions
        self._mark = self.known.mark()
        #: how many variables VARI's counts cover
        self._counted = self._mark.variables
        self._typed = self.known.typed
        #: the records that the root being registered refers to already
        self._own: dict[tuple[str, int], int] = {}
        self._own_functions: dict[str, int] = {}
        self._own_strings: dict[str, int] = {}
        self._context: Context | None = None
        self._local_list: list[str] = []

    def __enter__(self) -> Registrar:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.trial or error is not None:
            self.known.cut(self._mark)

    # -- numbers (gml.vm.rows.Numbers) -------------------------------------------------------

    def variable_record(self, reference: VariableReference) -> int:
        """The number of a variable, registered if it is new."""
        key = (reference.name, reference.scope if self._typed else SELF)
        number = self._own.get(key)
        if number is None:
            known = self.known
            shared = None if key[1] == LOCAL and self._typed else known.shared.get(key)
            if shared is None:
                shared = known.add_variable(*key, self._variable_id(*key))
            number = self._own[key] = shared
        return number

    def function_record(self, name: str) -> int:
        """The number of a function, registered if it is new."""
        number = self._own_functions.get(name)
        if number is None:
            known = self.known.function_numbers.get(name)
            number = self.known.add_function(name) if known is None else known
            self._own_functions[name] = number
        return number

    def string_index(self, text: str) -> int:
        """The index of a string, added if it is new."""
        strings = self.game.strings
        if isinstance(text, StringReference):
            number = text.number
            if number < len(strings) and strings[number] == str(text):
                return number
        known = self._own_strings.get(text)
        return int(strings.add(str(text)).number) if known is None else known

    def asset_number(self, kind: str) -> int:
        """The type number of an asset kind in a pushref."""
        assert self._context is not None
        for number, name in asset_types(self._context.dialect).items():
            if name == kind:
                return number
        if kind.startswith("type_") and kind[5:].isdecimal():
            return int(kind[5:])
        raise EncodeError(f"this release has no references to assets of kind {kind!r}")

    def _variable_id(self, name: str, scope: int) -> int | None:
        """The id of a new variable; None: the index of its name."""
        if not self._typed:
            return 0
        assert self._context is not None
        builtin = name in self._context.builtin_variables
        if self._context.dialect.gml_v2:
            if scope == BUILTIN:
                return 0
            return BUILTIN_ID if scope == SELF and builtin else None
        if scope == LOCAL:
            return self._local_list.index(name) if name in self._local_list else 0
        if scope == SELF and builtin:
            return BUILTIN_ID
        pool = self.known.pool(scope)
        head = self._head
        count = head.globals_count if pool == GLOBAL else head.instance_count
        return max(self.known.highest.get(pool, -1) + 1, int(count))

    # -- code --------------------------------------------------------------------------------

    def bytecode(self, root: CodeEntry, code: Code, context: Context) -> Bytecode:
        """The instructions of symbolic code in the game's numbers.

        Raises EncodeError for what the game has no number for, and values that can't be encoded.
        """
        made = self.numbered(root, code, context)
        check_values(made.columns, context.dialect.bytecode)
        return made

    def numbered(self, root: CodeEntry, code: Code, context: Context) -> Bytecode:
        """As :meth:`bytecode`, without a look at whether values can be encoded."""
        self._context = context
        self._local_list = code.local_names or local_names(code)
        self._look_at(root)
        columns, record = to_columns(code.instructions, self)
        for row in np.flatnonzero(record == UNLINKED | FUNCTION_BIT).tolist():
            function = code.instructions[row].operand
            assert isinstance(function, FunctionReference)
            kind = 0 if columns.opcode[row] == CALL else self.asset_number("script")
            columns.operand[row] = kind << 24 | self.string_index(function.name)
            record[row] = NO_RECORD
        return Bytecode(columns, record)

    def _look_at(self, root: CodeEntry) -> None:
        """Note the records and strings that a root refers to. Of several with one name the root
        keeps its own, its locals belong only to it, and what the code of a removed object
        (2024.11 and later) calls has no record."""
        self._own, self._own_functions, self._own_strings = {}, {}, {}
        bytecode = root.bytecode
        functions = self.known.functions
        for number in sorted(set(bytecode.record.tolist())):
            if number == NO_RECORD:
                continue
            if number & FUNCTION_BIT:
                number &= ~FUNCTION_BIT
                self._own_functions[str(functions[number].name)] = number
            else:
                variable = self.variables[number]
                scope = variable.instance_type if self._typed else SELF
                self._own[str(variable.name), scope] = number
        if self._typed:
            own = self._arguments_record(root)
            if own is not None:
                self._own.setdefault((ARGUMENTS, LOCAL), own)
        strings = self.game.strings
        columns = bytecode.columns
        for name in self._unlinked_functions(bytecode):
            self._own_functions.setdefault(name, UNLINKED)
        for number in sorted(set(columns.operand[is_string_push(columns)].tolist())):
            text = str(strings[number])
            string = strings.find(text)
            if string is not None and string.index != number:
                self._own_strings.setdefault(text, number)

    def _unlinked_functions(self, bytecode: Bytecode) -> list[str]:
        """The functions that code refers to by their names' string indices, not by records."""
        assert self._context is not None
        columns = bytecode.columns
        loose = bytecode.record == NO_RECORD
        calls = columns.operand[loose & is_call(columns)] & REFERENCE_DISTANCE_MASK
        shown = columns.operand[loose & is_pushref(columns)].tolist()
        types = asset_types(self._context.dialect)
        numbers = calls.tolist() + [
            number & 0xFFFFFF for number in shown if types.get(number >> 24) == "script"
        ]
        strings = self.game.strings
        return [str(strings[number]) for number in sorted(set(numbers)) if number < len(strings)]

    def _arguments_record(self, root: CodeEntry) -> int | None:
        """The root's own record of ``arguments``: they are in the order of the roots, and a
        new root, which is the last, gets one."""
        own = self.known.arguments
        places = self._index.root_numbers
        place = places.get(id(root), -1)
        if place < 0:
            return None
        if len(own) == len(places):
            return own[place]
        if len(own) <= place and not len(root.bytecode):
            while len(own) <= place:
                self.known.add_variable(ARGUMENTS, LOCAL, self._arguments_id())
            return own[place]
        return None

    def _arguments_id(self) -> int | None:
        assert self._context is not None
        return None if self._context.dialect.gml_v2 else 0

    def assign(
        self, root: CodeEntry, code: Code, context: Context, children: list[CodeEntry]
    ) -> Change:
        """Put the code in the root's place: instructions, counts, children, code locals."""
        bytecode = self.bytecode(root, code, context)
        if self._is_same(root, bytecode, code, children):
            return Change.NOTHING
        before = [child_key(child) for child in children]
        if self._removed is not None:
            self._removed.note_code(root, code)
        children = self.assign_children(root, code, children)
        root.bytecode = bytecode
        root.game = self.game
        had = max(root.locals_count, len(self._index.local_names(str(root.name)) or ()))
        root.locals_count = code.locals_count
        root.arguments = code.arguments_count
        self._assign_locals(root, code)
        self._raise_counts(code, had)
        known = [(name, arguments) for name, _, _, arguments in before]
        if known != [(str(child.name), child.arguments) for child in children]:
            return Change.CHILDREN
        return Change.CODE

    def assign_children(self, root: CodeEntry, code: Code, old: list[CodeEntry]) -> list[CodeEntry]:
        """Give a root the inner entries of its new code; return them."""
        return assign_children(self.game, root, code, old)

    def _is_same(
        self, root: CodeEntry, bytecode: Bytecode, code: Code, children: list[CodeEntry]
    ) -> bool:
        return (
            root.bytecode.columns.residue is None
            and len(bytecode) > 0
            and (root.locals_count, root.arguments) == (code.locals_count, code.arguments_count)
            and [
                (child.name, child.offset, child.locals_count, child.arguments_count)
                for child in code.children
            ]
            == [child_key(child) for child in children]
            and root.bytecode == bytecode
            and self._index.local_names(str(root.name)) in (None, self._local_list)
        )

    def _assign_locals(self, root: CodeEntry, code: Code) -> None:
        """The code locals list, and before 2.3 the ids of the locals: their places in it."""
        assert self._context is not None
        dialect = self._context.dialect
        names = self._local_list
        if self._typed and not dialect.gml_v2:
            self._renumber_locals(root)
        record = self._locals_head
        if not dialect.code_locals_list:
            return
        if self._index.local_names(str(root.name)) == names:
            return
        lists = self._index.locals_lists
        known = lists.get(str(root.name))
        if known is None:
            known = lists[str(root.name)] = CodeLocals(name=root.name)
            record.code_locals.append(known)
        strings = self.game.strings
        locals_: list[Local] = []
        for place, name in enumerate(names):
            string = strings.add(name)
            locals_.append(Local(string.number if dialect.gml_v2 else place, string))
        known.locals = locals_

    def _renumber_locals(self, root: CodeEntry) -> None:
        places = {name: place for place, name in enumerate(self._local_list)}
        for (name, scope), number in self._own.items():
            variable = self.variables[number]
            place = places.get(name)
            if scope != LOCAL or place is None or variable.id == place:
                continue
            if not self._index.is_shared(number, root):
                variable.id = place

    def _raise_counts(self, code: Code, had: int) -> None:
        """VARI's counts, raised where new records exceed them, or more locals than the entry
        ``had``: a game may count fewer than its own."""
        if not self._typed:
            return
        head = self._head
        new = self.variables[self._counted :]
        self._counted = len(self.variables)
        for variable in new:
            if variable.instance_type == LOCAL:
                continue
            pool = self.known.pool(variable.instance_type)
            if pool == GLOBAL or not self.known.separate:
                head.globals_count = max(head.globals_count, variable.id + 1)
            if pool == SELF:
                head.instance_count = max(head.instance_count, variable.id + 1)
        most = max(len(self._local_list), code.locals_count)
        if most > had:
            head.max_locals = max(head.max_locals, most)
