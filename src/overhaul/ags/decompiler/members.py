"""Types of calls and attributes, and what they say about objects."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from typing import Final

from overhaul.ags.decompiler.cells import Cell, Record, Type, flow, give, meet, unite
from overhaul.ags.decompiler.code import VARIADIC, Name
from overhaul.ags.decompiler.library import Signature
from overhaul.ags.decompiler.nodes import (
    GLOBAL,
    IMPORT,
    LOCAL,
    OBJECT,
    Address,
    Call,
    Constant,
    Expression,
    MemoryPlace,
    Property,
    This,
    Variable,
)
from overhaul.ags.decompiler.places import Attribute, Places, Unknown

#: The name of a function behind an attribute.
ACCESSOR: Final = re.compile(r"(get|set)(i?)_(\w+)")


class Members(Places):
    """Calls and attributes of the library, of the script, and unknown ones."""

    def signature(self, node: Call) -> Signature | None:
        """The library's declaration of what is called; None if it has none."""
        if node.target.own:
            return None
        name = self.code.imports[node.target.value]
        if name.owner:
            found = self.library.method(name.owner, name.name)
        else:
            found = self.library.functions.get(name.name)
        if found is None or name.parameters < 0:
            return found
        count = len(found.parameters) + (VARIADIC if found.is_variadic else 0)
        return found if count == name.parameters else None

    def _call(self, node: Call) -> Type:
        types = [self.visit(argument) for argument in node.arguments]
        numbers = [number_of(argument) for argument in node.arguments]
        object = node.object or node.via
        if object is not None:
            self._object(object, self._name(node).owner)
        wanted: Iterable[Type]
        if node.target.own:
            number = node.target.value
            self.called.add(number)
            body = self.bodies.get(number)
            if body is None:
                wanted = self.lost.setdefault(number, [Cell() for _ in types])
            else:
                wanted = [v.item.cell if v.item and v.width == 4 else None for v in body.parameters]
            result: Type = self.results[number]
        else:
            found = self.signature(node)
            if found is None:
                unknown = self._unknown(node.target.value, len(types))
                unknown.is_static = node.object is None and bool(unknown.name.owner)
                wanted, result = unknown.parameters, unknown.result
            else:
                wanted = [parameter.type for parameter in found.parameters]
                result = found.result
        if any(number is not None and number < 0 for number in numbers):
            self.negative_calls.append(node)
        for target, type, value in zip(wanted, types, numbers, strict=False):
            self._flow(target, type, value)
        return result

    def _name(self, node: Call) -> Name:
        names = self.code.names if node.target.own else self.code.imports
        return names[node.target.value]

    def _unknown(self, slot: int, count: int) -> Unknown:
        known = self.unknown.get(slot)
        if known is None:
            name = self.code.imports[slot]
            if self.library.declares(name.owner, name.name):
                raise self._fail(f"the editor declares {name.full} with other parameters")
            known = self.unknown[slot] = Unknown(slot, name, [])
            if name.full in self.own:
                self._is_own(known, self.own[name.full])
            else:
                if name.full in self.known:
                    self.learn(known.result, self.known[name.full].type, exact=True)
                self._is_shared(known)
            if name.owner and not self.library.is_struct(name.owner):
                self.record_named(name.owner)
            count = name.parameters % VARIADIC if name.parameters >= 0 else count
        said = self.known.get(known.name.full)
        full = known.name.full
        shared = None if full in self.own else self.shared.function(full)
        while len(known.parameters) < count:
            cell = Cell()
            if shared is not None:
                unite(shared.parameter(len(known.parameters)), cell)
            if said is not None and len(known.parameters) < len(said.parameters):
                self.learn(cell, said.parameters[len(known.parameters)], exact=True)
            known.parameters.append(cell)
        return known

    def _is_shared(self, unknown: Unknown) -> None:
        """An import is a function of another script."""
        unite(self.shared.function(unknown.name.full).result, unknown.result)

    def _is_own(self, unknown: Unknown, number: int) -> None:
        """An import is a function of the script itself, which is defined behind its use."""
        unknown.result = self.results[number]
        body = self.bodies.get(number)
        for variable in () if body is None else body.parameters:
            item = variable.item if variable.width == 4 else None
            unknown.parameters.append(Cell() if item is None else item.cell)

    def _object(self, node: Expression, owner: str) -> None:
        """A member of a struct is used of an object."""
        if isinstance(node, Address):
            self._owner_of(node.place, owner)
        type = self.visit(node)
        if isinstance(node, This):
            self._extends(self.code.names[self.function].owner, owner)
        elif isinstance(type, Cell):
            root = type.root()
            if self.library.is_struct(owner):
                root.owners.add(owner)
            else:
                self._join(root, self.record_named(owner))

    def _extends(self, own: str, owner: str) -> None:
        """A method of one struct calls, of its own object, one of another: it extends that."""
        if own and owner and own != owner and not self.library.is_struct(own):
            self._meet(self.record_named(own), self.record_named(owner), ordered=True)

    def _join(self, cell: Cell, record: Record) -> None:
        if self.shared.apart:
            cell.record = self._extending(cell.record or Record(), record)
        else:
            cell.record = record if cell.record is None else self._meet(cell.record, record)

    def _flow(self, target: Type, source: Type, constant: int | None) -> None:
        """Let a value be put where a type is expected."""
        if self.shared.apart and isinstance(target, Cell) and isinstance(source, Cell):
            self.shared.flows.append((target, source))
        else:
            flow(target, source, constant)

    def _meet(self, first: Record, second: Record, *, ordered: bool = False) -> Record:
        record, same = meet(first, second, ordered=ordered)
        for one, other in same:
            unite(one, other)
        return record

    def _owner_of(self, place: MemoryPlace, owner: str) -> None:
        """Let a variable be of the struct whose member is used of it."""
        item = self._base_item(place)
        if item is None:
            return
        if self.library.is_struct(owner):
            if item.record is not None and item.by_value and isinstance(place.base, int):
                self.known_structs[place.base] = owner
            return
        record = self.record_named(owner)
        if self.shared.apart:
            made = item.record = self._extending(item.record or Record(), record)
            if item.count or place.kind != IMPORT:
                made.size = max(made.size, item.stride)
            return
        size = item.stride
        if place.kind == IMPORT and not item.count and isinstance(place.base, int):
            name = self.code.imports[place.base].name
            uses = self.shared.uses.get(name) or self.imported.get(name, [])
            size = max((access.extent for access in uses if access.how != OBJECT), default=0)
            if size <= self.shared.rooms.get(owner, size):
                size = 0
        if size > (0 if owner in self.shared.empty else self.shared.rooms.get(owner, size)):
            item.record = self._extending(item.record or Record(size), record)
            return
        record.root().size = max(record.root().size, size)
        item.record = record if item.record is None else self._meet(item.record, record)

    def _note_room(self, place: MemoryPlace, owner: str) -> None:
        """Note how large a struct is at most: a variable of it, or of what extends it, has room.

        A local struct releases its own pointers only: what it extends ends before the first one.
        """
        item = self._base_item(place)
        if item is None or self.library.is_struct(owner):
            return
        if isinstance(place.base, Variable) and place.base.freed:
            first = min(at for at, _ in place.base.freed)
            firsts = self.shared.firsts
            firsts[owner] = min(firsts.get(owner, first), first)
        room = 0
        if item.count or place.kind == LOCAL:
            room = item.stride
        elif place.kind == GLOBAL:
            behind = bisect_right(self.fixed, item.offset)
            end = len(self.code.script.global_data)
            room = (self.fixed[behind] if behind < len(self.fixed) else end) - item.offset
        if room:
            self.shared.rooms[owner] = min(self.shared.rooms.get(owner, room), room)

    def _extending(self, record: Record, base: Record) -> Record:
        """A struct that is known to extend another."""
        root = record.root()
        if root.name:
            return self._meet(root, base)
        if root.base is None:
            root.base = base
        else:
            root.base = self._meet(root.base, base)
        return root

    def _property(self, node: Property, *, written: bool) -> Type:
        object = node.object or node.via
        if object is not None:
            self._object(object, node.owner)
        if node.index is not None:
            index = self.visit(node.index)
            if isinstance(index, Cell):
                give(index, "int")
        known = self.library.attribute(node.owner, node.name)
        if known is not None:
            return known.type
        names = self.code.names if node.target.own else self.code.imports
        if node.target.own or names[node.target.value].full in self.own:
            return self._own_property(node)
        return self._unknown_property(node, written=written)

    def _own_property(self, node: Property) -> Cell:
        """The type of an attribute whose functions the script has."""
        return self._attribute(node.owner, node.name, node.object is None, node.index is not None)

    def _attribute(self, owner: str, name: str, is_static: bool, is_indexed: bool) -> Cell:
        """The type of an attribute whose functions the script has."""
        key = owner, name
        known = self.attributes.get(key)
        if known is None:
            known = self.attributes[key] = Attribute(is_static, is_indexed)
            for verb in ("get", "set"):
                more = "i" if known.is_indexed else ""
                number = self.own.get(f"{owner}::{verb}{more}_{name}")
                if number is None:
                    continue
                known.functions.append(number)
                body = self.bodies.get(number)
                parameters = [] if body is None else body.parameters
                if known.is_indexed and parameters and parameters[0].item is not None:
                    give(parameters[0].item.cell, "int")
                last = parameters[-1].item if parameters else None
                if verb == "get":
                    unite(known.type, self.results[number])
                elif last is not None:
                    unite(known.type, last.cell)
        return known.type

    def find_attributes(self) -> None:
        """Take functions that are named as those of attributes, and called by no other name, for
        those of attributes that the script does not use."""
        found: dict[tuple[str, str], set[tuple[bool, bool]]] = {}
        for number, body in self.bodies.items():
            name = body.function.name
            match = ACCESSOR.fullmatch(name.name) if name.owner else None
            if match is None or self.library.is_struct(name.owner):
                continue
            verb, index, plain = match.groups()
            key = name.owner, plain
            is_plain = len(body.parameters) == (verb == "set") + bool(index)
            if number in self.called or not is_plain or f"{name.owner}::{plain}" in self.own:
                found.setdefault(key, set()).update(((True, True), (False, False)))
            found.setdefault(key, set()).add((not body.is_method, bool(index)))
        for (owner, plain), forms in found.items():
            if len(forms) == 1 and (owner, plain) not in self.attributes:
                self._attribute(owner, plain, *forms.pop())

    def _unknown_property(self, node: Property, *, written: bool) -> Cell:
        slot = node.target.value
        unknown = self._unknown(slot, 0)
        unknown.is_property = True
        unknown.is_static = node.object is None
        if unknown.is_static:
            self.shared.statics.add((node.owner, node.name))
        unknown.is_indexed = node.index is not None
        unknown.is_written = written
        more = "i" if unknown.is_indexed else ""
        writes = self.shared.function(f"{node.owner}::set{more}_{node.name}")
        unite(unknown.result, writes.parameter(len(more)))
        for other in self.unknown.values():
            same = other.is_property and other.name.owner == node.owner
            if same and property_name(other.name) == node.name and other is not unknown:
                unite(other.result, unknown.result)
        return unknown.result


def property_name(name: Name) -> str:
    """The name of the attribute that a function reads or writes."""
    for head in ("geti_", "seti_", "get_", "set_"):
        if name.name.startswith(head):
            return name.name.removeprefix(head)
    return name.name


def number_of(node: Expression) -> int | None:
    """The number that an expression is; None if it is another one."""
    if isinstance(node, Constant):
        return node.value
    return None
