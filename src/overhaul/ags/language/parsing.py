"""Paths as they stand in the text: a variable and its members, each perhaps with an index."""

from __future__ import annotations

from typing import Final

from overhaul.ags.language import symbols as s
from overhaul.ags.language.emitter import Emitter
from overhaul.ags.language.options import ARRAY_LENGTH
from overhaul.ags.language.symbols import Function, NamedType, Symbol, Variable
from overhaul.ags.language.unit import Unit, is_name
from overhaul.suggest import did_you_mean

_CLOSED_BY = {"(": ")", "[": "]", "{": "}"}
_OPENED = frozenset("([{")
_CLOSED = frozenset(")]}")
#: The attribute of dynamic arrays, whose import each script adds where it uses it first.
LENGTH: Final = "__Builtin_DynamicArray::Length"
_LENGTH_GETTER = "__Builtin_DynamicArray::get_Length"


class Path:
    """A path as parsed: its steps, the function at its end if it is a call, and where it stands."""

    __slots__ = ("call", "end", "opened", "start", "steps")

    def __init__(self, start: int) -> None:
        self.start: int = start
        #: Where the next token is: the opening bracket of the arguments for a call.
        self.end: int = start
        self.steps: list[Symbol] = []
        #: Where the bracket of each step's index opens (-1: no index); empty if none has one.
        self.opened: list[int] = []
        self.call: Function | None = None

    @property
    def target(self) -> Symbol:
        """Its last step."""
        return self.steps[-1]

    @property
    def indexed(self) -> bool:
        """Whether its last step has an index."""
        return bool(self.opened) and self.opened[-1] >= 0

    def add(self, step: Symbol, opened: int) -> None:
        """Append a step with the bracket of its index."""
        if opened >= 0 or self.opened:
            self.opened += [-1] * (len(self.steps) - len(self.opened))
            self.opened.append(opened)
        self.steps.append(step)


class PathParser:
    """Parses paths."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.code: Emitter = unit.code
        self.tokens: list[str] = unit.tokens
        #: Where brackets close that were looked at.
        self._matching: dict[int, int] = {}

    def parse(self, at: int) -> Path:
        """The path that begins at a token: a variable, or a type with a static member."""
        unit = self.unit
        tokens = self.tokens
        path = Path(at)
        symbol = unit.symbols[tokens[at]]
        fresh = unit.names.fresh
        opened = -1
        at += 1
        while True:
            token = tokens[at]
            if token == ".":
                name = tokens[at + 1]
                member: Symbol | None = None
                if opened < 0:
                    if path.opened:
                        path.add(symbol, opened)
                    else:
                        path.steps.append(symbol)
                    if symbol.members is not None and name not in fresh:
                        member = symbol.members.get(name)
                else:
                    path.add(symbol, opened)
                if member is None:
                    member = self._member(symbol, opened, at + 1, first=len(path.steps) == 1)
                symbol = member
                opened = -1
                at += 2
                if isinstance(symbol, Function):
                    path.call = symbol
                    break
            elif token == "[":
                if opened >= 0 or not isinstance(symbol, Variable) or not symbol.array:
                    unit.fail(f"{symbol.name.rpartition(':')[2]!r} is not an array", at)
                opened = at
                at = self.close(at) + 1
                if at == opened + 2:
                    unit.fail("expected an index between the brackets", opened + 1)
            else:
                if opened < 0 and not path.opened:
                    path.steps.append(symbol)
                else:
                    path.add(symbol, opened)
                break
        path.end = at
        return path

    def method(self, item: Variable, name: str) -> Function | None:
        """The function behind the dot of a variable, if it is known."""
        if item.members is None or name in self.unit.names.fresh:
            return None
        member = item.members.get(name)
        return member if isinstance(member, Function) else None

    def close(self, at: int) -> int:
        """Where the bracket at a token closes."""
        end = self._matching.get(at)
        if end is not None:
            return end
        tokens = self.tokens
        if tokens[at + 1] == ")" and tokens[at] == "(":
            return at + 1
        try:
            end = tokens.index(_CLOSED_BY[tokens[at]], at)
        except ValueError:
            self.unit.fail(f"{tokens[at]!r} is not closed", at)
        if not _OPENED.isdisjoint(tokens[at + 1 : end]):
            return self._close_behind_others(at)
        self._matching[at] = end
        return end

    def _close_behind_others(self, at: int) -> int:
        """Where a bracket closes that has others in it."""
        tokens = self.tokens
        opened = [at]
        index = at
        while opened:
            index += 1
            if index == len(tokens):
                self.unit.fail(f"{tokens[at]!r} is not closed", at)
            token = tokens[index]
            if token in _OPENED:
                opened.append(index)
            elif token in _CLOSED and token == _CLOSED_BY[tokens[opened[-1]]]:
                self._matching[opened.pop()] = index
        return index

    def _member(self, owner: Symbol, opened: int, at: int, *, first: bool) -> Symbol:
        """The member after a dot."""
        unit = self.unit
        name = unit.tokens[at]
        if isinstance(owner, NamedType):
            number = owner.number
        elif isinstance(owner, Variable):
            number = owner.type
            if owner.array and opened < 0:
                if owner.dynamic and name == "Length":
                    return self._length(at)
                unit.fail("expected an index before the member of an array's element", at - 1)
        else:
            unit.fail(f"{owner.name!r} has no members", at - 1)
        member = unit.names.member(number, name)
        if member is None:
            self._no_member(number, at)
        if not isinstance(member, (Variable, Function)):
            unit.fail(f"{name!r} can't follow a dot", at)
        if member.protected and not (isinstance(owner, Variable) and owner.this):
            unit.fail(f"{member.name} is protected: only its struct's functions can use it", at)
        if first and isinstance(owner, NamedType) and not member.static:
            unit.fail(f"{member.name} is not static: it needs an object before the dot", at)
        if (isinstance(owner, NamedType) or not owner.array) and name not in unit.names.fresh:
            if owner.members is None:
                owner.members = {}
            owner.members[name] = member
        return member

    def _no_member(self, number: int, at: int) -> None:
        unit = self.unit
        name = unit.tokens[at]
        item = unit.types[number]
        if not item.struct:
            unit.fail(f"expected a struct before the dot, got {unit.names.text(number)}", at - 1)
        if not is_name(name) or name in unit.keywords:
            unit.fail(f"expected a member of {item.name}, got {unit.shown(at)}", at)
        known: list[str] = []
        while number:
            prefix = f"{unit.types[number].name}::"
            known += [key[len(prefix) :] for key in unit.symbols if key.startswith(prefix)]
            number = unit.types[number].base
        error = unit.error(f"{item.name} has no member {name!r}{did_you_mean(name, known)}", at)
        error.unknown = name
        raise error

    def _length(self, at: int) -> Symbol:
        """The attribute Length of dynamic arrays; its import is added where it is used first."""
        unit = self.unit
        if unit.options.editor < ARRAY_LENGTH:
            unit.fail("arrays have no Length in this version of the editor", at)
        found = unit.symbols.get(LENGTH)
        if found is None:
            item = Variable(LENGTH, s.MEMBER, s.INT, 4)
            item.imported = item.readonly = True
            item.getter = self.code.add_import(_LENGTH_GETTER)
            unit.symbols[LENGTH] = found = item
        return found
