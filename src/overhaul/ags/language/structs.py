"""Structs: members with their offsets, functions and attributes with their imports."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from overhaul.ags.language import symbols as s
from overhaul.ags.language.emitter import Emitter
from overhaul.ags.language.functions import Functions
from overhaul.ags.language.options import FUNCTION_BASES
from overhaul.ags.language.symbols import ARRAY, CONST, POINTER, Function, NamedType, Variable
from overhaul.ags.language.unit import Unit, is_name

_WORDS: Final = {
    "protected": "protected",
    "writeprotected": "writeprotected",
    "readonly": "readonly",
    "const": "const",
    "import": "imported",
    "static": "static",
    "attribute": "attribute",
}
#: The official compiler counts sizes with 32 bits.
_LARGEST: Final = (1 << 31) - 1


@dataclass
class MemberWords:
    """The words before a member; they are kept and not changed."""

    protected: bool = False
    writeprotected: bool = False
    readonly: bool = False
    const: bool = False
    imported: bool = False
    static: bool = False
    attribute: bool = False


@lru_cache(1024)
def _words_of(tokens: tuple[str, ...]) -> MemberWords:
    return MemberWords(**{_WORDS[token]: True for token in tokens})


class Structs:
    """Compiles the declarations of structs."""

    def __init__(self, unit: Unit, functions: Functions) -> None:
        self.unit = unit
        self.code: Emitter = unit.code
        self.functions = functions

    def struct(self, *, managed: bool, builtin: bool, autoptr: bool, string: bool) -> None:
        """A struct, or its announcement; the next token is ``struct``."""
        unit = self.unit
        start = unit.at
        unit.at += 1
        name = unit.new_name("a struct")
        known = unit.symbols.get(name)
        if known is not None and not (isinstance(known, NamedType) and not known.defined):
            unit.fail(f"{name!r} is already declared")
        unit.at += 1
        item = self._new(name, known)
        item.managed = managed or (isinstance(known, NamedType) and known.managed)
        item.builtin = builtin
        item.autoptr = autoptr
        if unit.tokens[unit.at] == ";":
            item.defined = False
            item.size = 4
            unit.at += 1
            unit.see_range(start, unit.at - 1)
            return
        item.managed = managed or item.managed
        if string:
            unit.names.string_struct = item.number
        if unit.tokens[unit.at] == "extends":
            unit.at += 1
            self._extend(item)
        unit.expect("{")
        while unit.tokens[unit.at] != "}":
            if not unit.tokens[unit.at]:
                unit.fail(f"the struct {name} is not closed", start)
            self._members(item)
        if unit.options.editor >= FUNCTION_BASES:
            item.size = (item.size + 3) & ~3
        unit.at += 1
        unit.expect(";", "';' after the struct")
        unit.see_range(start, unit.at - 1)

    def _new(self, name: str, known: s.Symbol | None) -> NamedType:
        """The type of a struct; it replaces one that is announced."""
        unit = self.unit
        if not isinstance(known, NamedType):
            return unit.names.add_type(name, 0, struct=True)
        self.functions.forget_parameters()
        item = NamedType(name, known.number, 0, struct=True)
        unit.types[item.number] = item
        unit.symbols[name] = item
        return item

    def _extend(self, item: NamedType) -> None:
        """The struct that another extends."""
        unit = self.unit
        base = unit.pointed(unit.tokens[unit.at])
        if base is None or not base.struct or base is item:
            unit.fail(f"expected a struct to extend, got {unit.shown(unit.at)}")
        if not base.defined:
            unit.fail(f"the struct {base.name} is only announced")
        item.size = base.size
        item.base = base.number
        unit.at += 1

    def _members(self, item: NamedType) -> None:
        """The members of one declaration."""
        unit = self.unit
        tokens = unit.tokens
        start = at = unit.at
        while tokens[at] in _WORDS:
            at += 1
        words = _words_of(tuple(tokens[start:at]))
        unit.at = at
        kind = unit.pointed(tokens[at])
        if kind is None:
            unit.fail(f"expected the type of a member, got {unit.shown(at)}")
        if kind.number == s.STRING:
            unit.fail("a member can't be a string")
        unit.at += 1
        pointer = self.functions.pointer(kind)
        if kind.struct and not pointer:
            unit.fail(f"a member can't be a whole {kind.name}", at)
        if pointer and not kind.managed:
            unit.fail(f"can't point to {kind.name}: it is not managed", at)
        if words.protected and words.writeprotected:
            unit.fail("a member is protected or writeprotected, not both", at)
        while True:
            dynamic = tokens[unit.at] == "["
            if dynamic:
                self.functions.brackets(kind, pointer=pointer)
            name = tokens[unit.at]
            if not is_name(name):
                unit.fail(f"expected the name of a member, got {unit.shown(unit.at)}")
            if unit.names.member(item.number, name) is not None:
                unit.fail(f"{item.name} has a member {name!r} already")
            if tokens[unit.at + 1] == "(":
                self._function(item, kind, words, pointer=pointer, dynamic=dynamic)
            elif dynamic:
                unit.fail(f"expected '(', got {unit.shown(unit.at + 1)}", unit.at + 1)
            elif words.attribute:
                self._attribute(item, kind, words, pointer=pointer)
            else:
                self._variable(item, kind, words, pointer=pointer)
            if tokens[unit.at] != ",":
                break
            unit.at += 1
        unit.expect(";", "',' or ';'")

    def _function(
        self, item: NamedType, kind: NamedType, words: MemberWords, *, pointer: bool, dynamic: bool
    ) -> None:
        """A function of a struct."""
        unit = self.unit
        name = unit.tokens[unit.at]
        if not words.imported:
            unit.fail("a function in a struct needs 'import'")
        result = kind.number | (POINTER if pointer else 0) | (ARRAY if dynamic else 0)
        result |= CONST if words.const else 0
        function = Function(f"{item.name}::{name}", result)
        function.imported = True
        function.static = words.static
        function.protected = words.protected
        unit.at += 2
        self.functions.parameters(function)
        self.functions.add_import(function, member=True)
        unit.symbols[function.name] = function

    def _member(
        self, item: NamedType, kind: NamedType, words: MemberWords, *, pointer: bool
    ) -> Variable:
        """A member that is not a function; its name is taken."""
        unit = self.unit
        full = f"{item.name}::{unit.tokens[unit.at]}"
        member = Variable(full, s.MEMBER, kind.number, 4 if pointer else kind.size)
        member.pointer = pointer
        member.readonly = words.readonly
        member.const = words.const
        member.protected = words.protected
        member.writeprotected = words.writeprotected
        unit.at += 1
        return member

    def _attribute(
        self, item: NamedType, kind: NamedType, words: MemberWords, *, pointer: bool
    ) -> None:
        """An attribute: the imports of its functions."""
        unit = self.unit
        code = self.code
        if not words.imported:
            unit.fail("an attribute needs 'import'")
        name = unit.tokens[unit.at]
        member = self._member(item, kind, words, pointer=pointer)
        member.imported = True
        member.static = words.static
        indexed = ""
        if unit.tokens[unit.at] == "[":
            unit.at += 1
            unit.expect("]", "']': an attribute's array has no size")
            member.array = True
            member.count = 0
            indexed = "i"
        member.getter = code.add_import(f"{item.name}::get{indexed}_{name}")
        if not words.readonly:
            member.setter = code.add_import(f"{item.name}::set{indexed}_{name}")
        unit.symbols[member.name] = member

    def _variable(
        self, item: NamedType, kind: NamedType, words: MemberWords, *, pointer: bool
    ) -> None:
        """A member with a place in the struct."""
        unit = self.unit
        at = unit.at
        if words.imported or words.static:
            word = "import" if words.imported else "static"
            unit.fail(f"a variable in a struct can't be {word}")
        if kind.number == s.VOID:
            unit.fail("a member can't be void", at - 1)
        member = self._member(item, kind, words, pointer=pointer)
        member.offset = item.size
        size = member.size
        if unit.tokens[unit.at] == "[":
            unit.at += 1
            member.array = True
            if unit.tokens[unit.at] == "]":
                member.dynamic = item.has_arrays = True
                size = 4
            else:
                member.count = unit.constant("the size of the array")
                if member.count < 1:
                    unit.fail("an array needs at least one element", unit.at - 1)
                size *= member.count
            unit.expect("]")
        item.size += size
        if item.size > _LARGEST:
            unit.fail(f"the struct {item.name} is too large", at)
        if pointer:
            item.pointers.append(member)
        unit.symbols[member.name] = member
