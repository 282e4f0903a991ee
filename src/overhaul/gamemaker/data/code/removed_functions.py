"""Functions that an edit took out of code, though other code still calls them by their names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from typing import NamedTuple

from overhaul.findings import Finding, warning
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code.checking import exact
from overhaul.gamemaker.data.code.context import GLOBAL_SCRIPT_PREFIX, SCRIPT_PREFIX
from overhaul.gamemaker.data.code.mentions import callers
from overhaul.gamemaker.data.code.model import CodeModel
from overhaul.gamemaker.data.code.places import SourceLine, lines_with
from overhaul.gml.vm.code import Code, FunctionReference, child_ends


class Function(NamedTuple):
    """A function without its name: the entry or extension that has it, the number of arguments, and
    the code."""

    home: str
    arguments: int
    body: tuple[object, ...]


class LostFunction(NamedTuple):
    """A function that is gone, and the places that call it.

    ``home`` is the entry that had it (``is_of_code``), or the extension; ``is_removed``: that is
    gone too.  ``now`` is the
    name that it seems to have now ("" for none), and ``is_sure`` whether that one has the very same
    code.
    """

    name: str
    home: str
    is_removed: bool
    places: list[SourceLine]
    now: str
    is_sure: bool
    is_of_code: bool = True

    def finding(self, home: str = "", shown: Callable[[SourceLine], str] = str) -> Finding:
        """The warning about it, which calls the entry ``home``; ``shown`` gives places as text."""
        places = ", ".join(map(shown, self.places))
        if self.is_removed:
            text = f"it was removed, but code calls its function {self.name}: {places}"
        else:
            text = f"it no longer has the function {self.name}, which code calls: {places}"
        if self.now and self.is_sure:
            text += f" (it is {self.now} now: write that name there)"
        elif self.now:
            text += f" (is it {self.now} now? Then write that name there)"
        return warning("lost-function", text, home or self.home)


class RemovedFunctions:
    """The functions that entries lose in an edit, and those that they gain.

    An entry is noted before it changes (:meth:`note_code`) or goes (:meth:`note_entry`);
    :meth:`called` then finds which of the functions code still calls, by the references in its
    instructions: no code but that of the callers is decompiled.
    """

    def __init__(self, game: CodeModel) -> None:
        self.game = game
        #: removed functions, by their names in instructions
        self._gone: dict[str, Function] = {}
        #: the extensions of functions, by their names
        self._extensions: dict[str, str] = {}
        #: the new code of entries with new functions, and the names of these
        self._came: list[tuple[Code, set[str]]] = []

    def note_code(self, root: CodeEntry, code: Code) -> None:
        """Note the functions that an entry is about to lose for new code, and those it gains."""
        children = self.game.language.children(root)
        before = {str(child.name) for child in children}
        now = {child.name for child in code.children}
        if before - now and not root.unreadable:
            old = functions_in(self.game.language.code_to_read(root))
            self._gone |= {name: old[name] for name in old if name not in now}
        if now - before:
            self._came.append((code, now - before))
        elif not len(root.bytecode) and code.name.startswith(SCRIPT_PREFIX):
            self._came.append((code, {code.name}))

    def note_entry(self, entry: CodeEntry) -> None:
        """Note an entry that is about to go, with the functions in it."""
        name = str(entry.name)
        if entry.root is not None:
            if not entry.unreadable:
                inside = functions_in(self.game.language.code_to_read(entry.root))
                self._gone[name] = inside[name]
            return
        code = None if entry.unreadable else self.game.language.code_to_read(entry)
        inside = {} if code is None else functions_in(code)
        self._gone |= inside
        script = next((p for p in (GLOBAL_SCRIPT_PREFIX, SCRIPT_PREFIX) if name.startswith(p)), "")
        if script and not inside:  # the entry is the function
            own = Function(name, 0, ()) if code is None else _whole(code)
            self._gone |= dict.fromkeys((name, name.removeprefix(script)), own)

    def note_extensions(self) -> None:
        """Note the functions of all extensions, which are about to change."""
        self._extensions = _extension_functions(self.game)

    def called(self, text_of: Callable[[CodeEntry], str] | None = None) -> Iterator[LostFunction]:
        """The functions that no longer exist and code still calls.

        ``text_of`` gives the text of an entry, to find lines in; else callers are decompiled.
        """
        game = self.game
        self._find_extensions()
        here = game.named("CODE")
        known = game.language.context.functions if self._gone else {}
        gone = {
            name: function
            for name, function in self._gone.items()
            if name not in here and known.get(name) not in here
        }
        users = {name: list(callers(game, {name})) for name in gone}
        came = dict(self._functions_that_came()) if any(users.values()) else {}
        for name, function in gone.items():
            if users[name]:
                bare = name.removeprefix(SCRIPT_PREFIX)
                places = [
                    place
                    for entry in users[name]
                    for place in lines_with(entry, {bare, SCRIPT_PREFIX + bare}, text_of)
                ]
                if name in self._extensions:
                    yield self._lost_of_extension(name, places)
                    continue
                now, is_sure = self._successor(function, gone, came)
                yield LostFunction(
                    bare, function.home, function.home not in here, places, now, is_sure
                )

    def _find_extensions(self) -> None:
        """Add the functions of extensions that are gone."""
        now = _extension_functions(self.game) if self._extensions else {}
        for name, home in self._extensions.items():
            if name not in now:
                self._gone[name] = Function(home, 0, ())

    def _lost_of_extension(self, name: str, places: list[SourceLine]) -> LostFunction:
        home = self._extensions[name]
        is_removed = home not in self.game.named("EXTN")
        return LostFunction(
            name, f"the extension {home}", is_removed, places, "", is_sure=False, is_of_code=False
        )

    def _functions_that_came(self) -> Iterator[tuple[str, Function]]:
        here = self.game.named("CODE")
        for code, names in self._came:
            functions = functions_in(code) or {code.name: _whole(code)}
            for name, function in functions.items():
                if name in names and name in here:
                    yield name, function

    def _successor(
        self, function: Function, gone: dict[str, Function], came: dict[str, Function]
    ) -> tuple[str, bool]:
        """The new name of a function: of one with the same code, else of the only new one of its
        script that takes as many arguments; and whether the code is the same."""
        for is_sure, alike in ((True, slice(1, 3)), (False, slice(0, 2))):
            # a script that is a function is gone by two names
            others = {id(other) for other in gone.values() if other[alike] == function[alike]}
            names = [name for name, other in came.items() if other[alike] == function[alike]]
            if len(names) == len(others) == 1:
                return names[0].removeprefix(SCRIPT_PREFIX), is_sure
        return "", False


def _extension_functions(game: CodeModel) -> dict[str, str]:
    """The functions of extensions, with the names of these."""
    return {
        str(function.name): str(extension.name)
        for extension in game.records.extensions.present()
        for file in extension.files or ()
        for function in file.functions
    }


def functions_in(code: Code) -> dict[str, Function]:
    """The functions inside an entry's code, by their names."""
    starts = {}
    offset = 0
    for row, instruction in enumerate(code.instructions):
        starts[offset] = row
        offset += 4 * instruction.size
    starts[offset] = len(code.instructions)
    ends = child_ends(code.instructions, code.children)
    inside = {child.name for child in code.children}
    return {
        child.name: Function(
            code.name, child.arguments, _body(code, starts[child.offset], starts[end], inside)
        )
        for child, end in zip(code.children, ends, strict=True)
    }


def _whole(code: Code) -> Function:
    """An entry that is a function as a whole."""
    return Function(code.name, 0, _body(code, 0, len(code.instructions), set()))


def _body(code: Code, start: int, stop: int, inside: Set[str]) -> tuple[object, ...]:
    """Some instructions as a key, in which the functions of the entry have no names."""
    rows: list[object] = []
    for instruction in code.instructions[start:stop]:
        operand = instruction.operand
        if isinstance(operand, FunctionReference) and operand.name in inside:
            rows.append((instruction.opcode, instruction.value))
        else:
            rows.append(exact(instruction))
    return tuple(rows)
