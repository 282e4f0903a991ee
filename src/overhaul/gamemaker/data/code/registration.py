"""Registering changed code in a game: variables, functions, strings, locals, child entries.

New records go behind those that are there, as the tools of the field do; records nothing refers
to any more stay, with no occurrences, so that what did not change keeps its numbers.
"""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any

from ....errors import EncodeError
from ....gml.context import Context, asset_types
from ....gml.vm.chains import FUNCTION_BIT, NO_RECORD
from ....gml.vm.code import Child, Code, StringReference, VariableReference
from ....gml.vm.opcodes import InstanceType
from ....gml.vm.registration import ARGUMENTS, BUILTIN_ID, local_names
from ....gml.vm.rows import to_columns
from ..chunks.code import Bytecode, CodeEntry
from ..chunks.func import CodeLocals, Function, Local
from ..chunks.scpt import Script, ScriptCode
from ..chunks.vari import Variable

if TYPE_CHECKING:
    from ..game import GameData

LOCAL = int(InstanceType.LOCAL)
SELF = int(InstanceType.SELF)
GLOBAL = int(InstanceType.GLOBAL)
BUILTIN = int(InstanceType.BUILTIN)


class Registrar:
    """Gives names in symbolic code the numbers of a game, adding records for new ones.

    With ``trial`` everything that was added is taken out again at the end of the ``with`` block.
    """

    #: the number of the root being registered, for those who make the tables of all roots
    root_number = 0

    def __init__(self, game: GameData, *, trial: bool = False) -> None:
        self.game = game
        self.trial = trial
        self.variables: list[Any] = game.variables.items
        self.functions: list[Any] = game.functions.items
        self._sizes = (len(self.variables), len(self.functions), len(game.strings))
        self._shared: dict[tuple[str, int], int] = {}
        self._functions: dict[str, int] = {}
        typed = game.layout.bytecode >= 15
        for number, variable in enumerate(self.variables):
            scope = variable.instance_type if typed else SELF
            if scope != LOCAL or not typed:
                self._shared.setdefault((str(variable.name), scope), number)
        for number, function in enumerate(self.functions):
            self._functions.setdefault(str(function.name), number)
        self._typed = typed
        self._locals: dict[str, int] = {}
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
            variables, functions, strings = self._sizes
            del self.variables[variables:]
            del self.functions[functions:]
            self.game.strings.cut(strings)

    # -- numbers (gml.vm.rows.Numbers) -------------------------------------------------------

    def variable_record(self, reference: VariableReference) -> int:
        """The number of a variable, registered if it is new."""
        name, scope = reference.name, reference.scope
        if scope == LOCAL and self._typed:
            number = self._locals.get(name)
            if number is None:
                number = self._locals[name] = self._add_variable(name, LOCAL)
            return number
        key = (name, scope if self._typed else SELF)
        number = self._shared.get(key)
        if number is None:
            number = self._shared[key] = self._add_variable(*key)
        return number

    def function_record(self, name: str) -> int:
        """The number of a function, registered if it is new."""
        number = self._functions.get(name)
        if number is None:
            number = self._functions[name] = len(self.functions)
            self.functions.append(Function(self.game.strings.add(name)))
        return number

    def string_index(self, text: str) -> int:
        """The index of a string, added if it is new."""
        strings = self.game.strings
        if isinstance(text, StringReference):
            number = text.number
            if number < len(strings) and strings[number].text == str(text):
                return number
        return int(strings.add(str(text)).index)

    def asset_number(self, kind: str) -> int:
        """The type number of an asset kind in a pushref."""
        assert self._context is not None
        for number, name in asset_types(self._context.dialect).items():
            if name == kind:
                return number
        if kind.startswith("type_") and kind[5:].isdecimal():
            return int(kind[5:])
        raise EncodeError(f"this release has no references to assets of kind {kind!r}")

    def _add_variable(self, name: str, scope: int) -> int:
        game = self.game
        string = game.strings.add(name)
        variable = Variable(string, scope)
        if self._typed:
            variable.id = self._variable_id(name, scope, int(string.index))
        self.variables.append(variable)
        return len(self.variables) - 1

    def _variable_id(self, name: str, scope: int, string_index: int) -> int:
        assert self._context is not None
        builtin = name in self._context.builtin_variables
        if self._context.dialect.gml_v2:
            if scope == BUILTIN:
                return 0
            return BUILTIN_ID if scope == SELF and builtin else string_index
        if scope == LOCAL:
            return self._local_list.index(name) if name in self._local_list else 0
        if scope == SELF and builtin:
            return BUILTIN_ID
        layout = self.game.layout
        separate = layout.bytecode == 15 and layout.major < 2
        pool = [
            v.id
            for v in self.variables
            if v.instance_type != LOCAL and (not separate or v.instance_type == scope)
        ]
        return max(pool, default=-1) + 1

    # -- code --------------------------------------------------------------------------------

    def bytecode(self, root: CodeEntry, code: Code, context: Context) -> Bytecode:
        """The instructions of symbolic code in the game's numbers."""
        self._context = context
        self._locals = self._locals_of(root)
        self._local_list = code.local_names or local_names(code)
        columns, record = to_columns(code.instructions, self)
        return Bytecode(columns, record)

    def _locals_of(self, root: CodeEntry) -> dict[str, int]:
        """The local variable records that a root's instructions refer to."""
        if root.bytecode is None or not self._typed:
            return {}
        found: dict[str, int] = {}
        for number in sorted(set(root.bytecode.record.tolist())):
            if number == NO_RECORD or number & FUNCTION_BIT:
                continue
            variable = self.variables[number]
            if variable.instance_type == LOCAL:
                found[str(variable.name)] = number
        own = self._arguments_record(root)
        if own is not None:
            found.setdefault(ARGUMENTS, own)
        return found

    def _arguments_record(self, root: CodeEntry) -> int | None:
        """The root's own record of ``arguments``: they stand in the order of the roots."""
        own = [
            number
            for number, variable in enumerate(self.variables[: self._sizes[0]])
            if variable.instance_type == LOCAL and variable.name == ARGUMENTS
        ]
        roots = [e for e in self.game.code if e is not None and e.root is None]
        place = next((i for i, e in enumerate(roots) if e is root), -1)
        return own[place] if len(own) == len(roots) and place >= 0 else None

    def assign(
        self, root: CodeEntry, code: Code, context: Context, children: list[CodeEntry]
    ) -> None:
        """Put the code in the root's place: instructions, counts, children, code locals."""
        bytecode = self.bytecode(root, code, context)
        self._assign_children(root, code, children)
        root.bytecode = bytecode
        root.game = self.game
        root.locals_count = code.locals_count
        root.arguments = code.arguments_count
        self._assign_locals(root, code)
        self._raise_counts()

    def _assign_children(self, root: CodeEntry, code: Code, old: list[CodeEntry]) -> None:
        game = self.game
        by_name = {str(entry.name): entry for entry in old}
        used: set[int] = set()
        after = game.code.index(old[-1] if old else root)
        for child in code.children:
            entry = by_name.get(child.name)
            if entry is None:
                entry = self._new_child(root, child, after + 1)
                after += 1
            used.add(id(entry))
            entry.offset = child.offset
            entry.locals_count = child.locals_count
            entry.arguments = child.arguments_count
        for entry in old:
            if id(entry) not in used:
                self._remove_child(entry)

    def _new_child(self, root: CodeEntry, child: Child, place: int) -> CodeEntry:
        game = self.game
        name = game.strings.add(child.name)
        entry = CodeEntry(name, root=root, game=game)
        if place >= len(game.code):
            reference = game.code.append(entry)
        else:
            reference = game.code.insert(place, entry)
        game.scripts.append(Script(name, ScriptCode(reference)))
        return entry

    def _remove_child(self, entry: CodeEntry) -> None:
        game = self.game
        reference = game.code.reference_to(entry)
        scripts = [
            script
            for script in game.scripts
            if script is not None and script.code.entry is reference
        ]
        for script in scripts:
            game.scripts.remove(script)
        game.code.remove(entry)

    def _assign_locals(self, root: CodeEntry, code: Code) -> None:
        record = self.game.chunk("FUNC")
        dialect = self._context.dialect if self._context is not None else None
        if record is None or dialect is None or not dialect.code_locals_list:
            return
        names = code.local_names or local_names(code)
        strings = self.game.strings
        found = next((e for e in record.code_locals if e.name == root.name), None)
        if found is not None and [str(local.name) for local in found.locals] == names:
            return
        if found is None:
            found = CodeLocals(name=root.name)
            record.code_locals.append(found)
        locals_: list[Local] = []
        for place, name in enumerate(names):
            string = strings.add(name)
            locals_.append(Local(string.index if dialect.gml_v2 else place, string))
        found.locals = locals_
        found.count = len(locals_)

    def _raise_counts(self) -> None:
        """VARI's counts, where new records go beyond them."""
        if not self._typed or len(self.variables) == self._sizes[0]:
            return
        head = self.game.chunk("VARI")
        new = self.variables[self._sizes[0] :]
        layout = self.game.layout
        separate = layout.bytecode == 15 and layout.major < 2
        for variable in new:
            if variable.instance_type == LOCAL:
                continue
            if not separate or variable.instance_type == GLOBAL:
                head.globals_count = max(head.globals_count, variable.id + 1)
            if not separate or variable.instance_type != GLOBAL:
                head.instance_count = max(head.instance_count, variable.id + 1)
        head.max_locals = max(head.max_locals, len(self._local_list))
