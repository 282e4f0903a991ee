"""The way to a place in memory, and the type of what is there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from overhaul.ags.decompiler.cells import Cell, CellItem, Record, Type, give, put, unite
from overhaul.ags.decompiler.code import Code, Name
from overhaul.ags.decompiler.errors import Unstructured
from overhaul.ags.decompiler.events import Handlers
from overhaul.ags.decompiler.layout import Access, unused_items
from overhaul.ags.decompiler.library import Known, Library, Member
from overhaul.ags.decompiler.nodes import (
    ELEMENTS,
    GLOBAL,
    IMPORT,
    LOCAL,
    POINTER,
    Call,
    Expression,
    Index,
    MemoryPlace,
    New,
    Variable,
)
from overhaul.ags.decompiler.shared import Shared
from overhaul.ags.decompiler.structure import Body

#: The types that all scripts know, but for int: a value of one may turn out to be of another.
_SHARED: Final = frozenset(("float", "String", "const string"))


@dataclass(slots=True)
class Unknown:
    """A function, method or attribute that the script imports and the library lacks."""

    slot: int
    name: Name
    parameters: list[Cell]
    result: Cell = field(default_factory=Cell)
    is_static: bool = False
    is_property: bool = False
    is_written: bool = False
    is_indexed: bool = False
    is_used: bool = False


@dataclass(slots=True)
class Attribute:
    """An attribute whose functions the script has, and their numbers."""

    is_static: bool
    is_indexed: bool
    type: Cell = field(default_factory=Cell)
    functions: list[int] = field(default_factory=list)


Part = Variable | CellItem | Member | Index | Expression | int
"""An int is the slot of an import."""


class Places(ABC):
    """Finds variables, fields and elements; :meth:`visit` gives the types of expressions."""

    def __init__(
        self,
        code: Code,
        library: Library,
        bodies: dict[int, Body],
        known_structs: dict[int, str] | None = None,
        known: Mapping[str, Known] = MappingProxyType({}),
        shared: Shared | None = None,
        handlers: Handlers = MappingProxyType({}),
    ) -> None:
        self.shared: Shared = Shared((code,)) if shared is None else shared
        self.accesses: list[tuple[MemoryPlace, Access]] = []
        #: The places in the script's memory that are objects, and the structs of these.
        self.objects: list[tuple[MemoryPlace, str]] = []
        self.imported: dict[str, list[Access]] = {}
        #: The imports that are used as variables.
        self.slots: set[int] = set()
        self.code = code
        self.library = library
        self.bodies = bodies
        self.results: list[Cell] = [Cell() for _ in range(len(code))]
        self.returns_value: list[bool] = [False] * len(code)
        self._private: dict[str, Record] = {}
        #: The structs of the game's own that the script names.
        self.named: set[str] = set()
        self.anonymous: list[Record] = []
        #: The objects that are made, with their types, and the structs of those that extend these.
        self.news: list[tuple[New, Cell]] = []
        self.heirs: dict[New, Record] = {}
        self.unknown: dict[int, Unknown] = {}
        self.lost: dict[int, list[Cell]] = {}
        #: Where variables of the script begin for certain, in order.
        self.fixed: list[int] = []
        #: The attributes whose functions the script has, by struct and name.
        self.attributes: dict[tuple[str, str], Attribute] = {}
        #: The functions of the script that are called by their names, not by those of attributes.
        self.called: set[int] = set()
        #: The functions of the script by their names.
        self.own: dict[str, int] = {code.names[number].full: number for number in range(len(code))}
        self.negative_calls: list[Call] = []
        """Calls of what the library lacks, with negative numbers among the arguments."""
        self.variables: dict[int, CellItem] = {}
        self.function = 0
        self.place_word = 0
        self._types: dict[int, Type] = {}
        self._kept: list[Expression] = []
        self.known = known
        #: The functions that the game's data names for events.
        self.handlers: Handlers = handlers
        self.known_structs: dict[int, str] = known_structs if known_structs is not None else {}
        self.items: list[CellItem] = []
        #: The variables as accesses show them; ``items`` has them as their structs are.
        self.laid_out: list[CellItem] = []
        self.starts: dict[int, CellItem] = {}

    def record_named(self, name: str) -> Record:
        """The struct of the game's own that has a name."""
        self.named.add(name)
        if name in self.shared.private:  # the sizes that are known are those of all of the name
            return self._private.setdefault(name, Record(name=name))
        records = self.shared.records
        if name not in records:
            shared = self.shared
            room, first = shared.rooms.get(name, 0), shared.firsts.get(name)
            first = 0 if name in shared.empty else first
            records[name] = Record(shared.sizes.get(name, 0), name, room, first)
        return records[name]

    def all_named(self) -> set[str]:
        """The names of the structs of the game's own."""
        return {*self.shared.records, *self._private}

    def struct_named(self, name: str) -> Record | None:
        """The struct of the game's own that has a name, if there is one."""
        return self._private.get(name) or self.shared.records.get(name)

    def learn(self, cell: Cell, type: str, *, exact: bool) -> None:
        """Take over what another script says about a type, if it is not one of its own.

        ``exact``: ``int`` counts too; of a variable it is said where nothing is known.
        """
        bare = type.rstrip("*[]")
        library = self.library
        if (
            (exact and type == "int")
            or library.is_struct(bare)
            or bare in library.enums
            or bare in _SHARED
        ):
            put(cell, type)

    def _record(self, record: Record) -> Record:
        self.anonymous.append(record)
        return record

    def decide(self) -> list[tuple[int, int]]:
        """Let structs have all their bytes, where what follows them was taken for variables.

        Returns the place of each variable, and the bytes that it or its struct has.  A field that
        is found later can give another struct more bytes: then this is done again.
        """
        kept: list[CellItem] = []
        last: CellItem | None = None
        end = 0
        for item in self.laid_out:
            if not item.size:
                kept.append(item)
                continue
            if item.offset < end and not item.used:
                data = self.code.script.global_data
                kept += unused_items(end, item.offset + item.size, data)
                continue
            if item.offset < end and last is not None and last.record is not None:
                array = (item.stride, item.count) if item.count else None
                field = last.record.at(item.offset - last.offset, item.stride, array)
                if item.record is None:
                    unite(field.cell, item.cell)
                last.stride = max(last.stride, last.record.end())
                end = last.offset + last.size
                continue
            if item.record is not None and not item.count:
                item.stride = max(item.stride, item.record.end())
            kept.append(item)
            last = item
            end = item.offset + item.size
        self.items = kept
        self.starts = {item.offset: item for item in kept if item.size}
        return [(i.offset, i.size if i.record is None else i.record.end()) for i in kept]

    def take_controls(self) -> None:
        """Take things that scripts only hand on, and whose type nothing shows, for controls."""
        for variable in self.variables.values():
            if variable.by_value and variable.record is None and not self.struct_of(variable.cell):
                give(variable.cell, "GUIControl*")

    def _base_item(self, place: MemoryPlace) -> CellItem | None:
        """The variable that a place is in."""
        if isinstance(place.base, CellItem):
            return place.base
        if place.kind == GLOBAL:
            return self.global_at(place.offset)
        if place.kind == LOCAL and isinstance(place.base, Variable):
            return place.base.item
        if place.kind == IMPORT and isinstance(place.base, int):
            return self.variables.get(place.base)
        return None

    def global_at(self, offset: int) -> CellItem | None:
        """The global variable that a byte is in."""
        item = self.starts.get(offset)
        if item is not None:
            return item
        low, high = 0, len(self.items)
        while low < high:
            middle = (low + high) // 2
            if self.items[middle].offset <= offset:
                low = middle + 1
            else:
                high = middle
        item = self.items[low - 1] if low else None
        if item is None or offset >= item.offset + item.size:
            return None
        return item

    def place(self, place: MemoryPlace, how: str) -> tuple[list[Part], Type]:
        """The way to a place, and the type of what is there."""
        if place.kind == POINTER:
            return self._behind_pointer(place, how)
        if place.kind == ELEMENTS:
            return self._element(place, how)
        if place.kind == IMPORT and place.base not in self.variables:
            return self._library_place(place, how)
        item = self._base_item(place)
        if item is None:
            raise self._fail("no variable lies there")
        start: Part = item
        offset = place.offset - (item.offset if place.kind == GLOBAL else 0)
        if isinstance(place.base, (Variable, int)):
            start = place.base
        parts, type = self._in_item(item, offset, place.indexes, how)
        if isinstance(place.base, Variable) and place.base.is_parameter and how in ("1", "2"):
            type = _narrow(how)
        return [start, *parts], type

    def _fail(self, reason: str) -> Unstructured:
        return Unstructured(reason, self.code.starts[self.function])

    def _in_item(
        self, item: CellItem, offset: int, indexes: tuple[Index, ...], how: str
    ) -> tuple[list[Part], Type]:
        parts: list[Part] = []
        if item.count:
            if not indexes and how == "&" and not offset:
                return parts, "string" if item.stride == 1 else None
            if not indexes:
                raise self._fail("an array is used without an index")
            self._index(indexes[0])
            parts.append(indexes[0])
            indexes = indexes[1:]
        if item.is_buffer:
            return parts, "string"
        if item.record is None:
            if item.by_value and (offset or indexes):
                owner = self.struct_of(item.cell)
                return self._library_field(owner, parts, Access(offset, indexes, how))
            if offset or indexes:
                raise self._fail("a part of a value is used")
            if how == "&":
                return parts, item.cell
            return parts, self._value(item.cell, how)
        if how == "&" and not offset:
            return parts, item.record.type_name() or None
        return self._in_record(item.record, parts, Access(offset, indexes, how))

    def struct_of(self, cell: Cell) -> str:
        """The library's struct that a cell is known to be of, or to point to; or empty."""
        root = cell.root()
        names = {name.rstrip("*") for name in root.below | root.above | root.owners | root.near}
        return next((name for name in sorted(names) if self.library.is_struct(name)), "")

    def _in_record(
        self, record: Record, parts: list[Part], access: Access
    ) -> tuple[list[Part], Type]:
        text = access.how == "&" and not access.indexes
        item = record.at(access.offset, access.width, (1, 0) if text else access.array)
        parts.append(item)
        if text:
            if item.stride != 1:
                raise self._fail("the address of a part of a struct is used")
            return parts, "string"
        if item.count:
            if not access.indexes:
                raise self._fail("an array is used without an index")
            self._index(access.indexes[0])
            parts.append(access.indexes[0])
        elif access.indexes or access.offset != item.offset:
            raise self._fail("a part of a value is used")
        return parts, self._value(item.cell, access.how)

    def _value(self, cell: Cell, how: str) -> Type:
        if how in ("1", "2"):
            return _narrow(how)
        cell.note(how)
        return cell

    def _index(self, index: Index) -> None:
        type = self.visit(index.value)
        if isinstance(type, Cell):
            give(type, "int")

    def _behind_pointer(self, place: MemoryPlace, how: str) -> tuple[list[Part], Type]:
        base = place.base
        if not isinstance(base, Expression):
            raise self._fail("a pointer has no value")
        type = self.visit(base)
        access = Access(place.offset, place.indexes, how)
        if isinstance(type, Cell):
            root = type.root()
            root.is_pointer = True
            known = self.struct_of(root)
            if known:
                return self._library_field(known, [base], access)
            if root.record is None:
                root.record = self._record(Record())
            return self._in_record(root.record, [base], access)
        if not isinstance(type, str):
            raise self._fail("a pointer has no value")
        name = type.rstrip("*")
        if self.library.is_struct(name):
            return self._library_field(name, [base], access)
        return self._in_record(self.record_named(name), [base], access)

    def _element(self, place: MemoryPlace, how: str) -> tuple[list[Part], Type]:
        base = place.base
        if not isinstance(base, Expression) or not place.indexes:
            raise self._fail("an array is used without an index")
        index, rest = place.indexes[0], place.indexes[1:]
        type = self.visit(base)
        self._index(index)
        parts: list[Part] = [base, index]
        access = Access(place.offset, rest, how)
        if not isinstance(type, Cell):
            element = (type or "int").removesuffix("[]")
            if self.library.is_struct(element) and not self.library.is_pointer(element):
                return self._library_field(element, parts, access)
            return parts, element
        cell = type.elements()
        if how == "&" or place.offset or rest or access.width < min(index.stride, 4):
            return self._struct_element(cell, index, parts, access)
        if index.stride > 4 or (cell.record is not None and not cell.is_pointer):
            return self._struct_element(cell, index, parts, access)
        if how in ("1", "2"):
            cell.width = int(how)
        return parts, self._value(cell, how)

    def _struct_element(
        self, cell: Cell, index: Index, parts: list[Part], access: Access
    ) -> tuple[list[Part], Type]:
        if cell.record is None:
            cell.record = self._record(Record(index.stride))
        if access.how == "&":
            return parts, cell.record.type_name() or None
        return self._in_record(cell.record, parts, access)

    def _library_place(self, place: MemoryPlace, how: str) -> tuple[list[Part], Type]:
        slot = place.base
        if not isinstance(slot, int) or not 0 <= slot < len(self.code.imports):
            raise self._fail("no import has this number")
        member = self.library.variables.get(self.code.imports[slot].name)
        if member is None:
            raise self._fail("a variable is used that is none")
        parts: list[Part] = [slot]
        indexes = place.indexes
        if member.count or (indexes and not self._is_of_field(member.type, place)):
            if not indexes:
                raise self._fail("an array is used without an index")
            self._index(indexes[0])
            parts.append(indexes[0])
            indexes = indexes[1:]
        access = Access(place.offset, indexes, how)
        if how == "&" and not place.offset:
            return parts, member.type
        if self.library.is_struct(member.type) and not self.library.is_pointer(member.type):
            return self._library_field(member.type, parts, access)
        return parts, member.type

    def _is_of_field(self, type: str, place: MemoryPlace) -> bool:
        """Whether the first index counts elements of a field, by their size, and not structs."""
        if not self.library.is_struct(type) or self.library.is_pointer(type):
            return False
        member, stride = self.library.field_at(type, place.offset), place.indexes[0].stride
        if member is None or not member.count:
            return False
        return self.library.size_of(member.type) == stride != self.library.size_of(type)

    def _library_field(
        self, owner: str, parts: list[Part], access: Access
    ) -> tuple[list[Part], Type]:
        member = self.library.field_at(owner, access.offset)
        if member is None:
            raise self._fail(f"{owner or 'a struct'} has no field at {access.offset}")
        parts.append(member)
        if member.count:
            if not access.indexes:
                raise self._fail("an array is used without an index")
            self._index(access.indexes[0])
            parts.append(access.indexes[0])
        return parts, member.type

    @abstractmethod
    def _visit(self, node: Expression) -> Type:
        """The type of an expression that was not visited."""

    def visit(self, node: Expression) -> Type:
        """The type of an expression; None of a number that may be of any."""
        key = id(node)
        if key in self._types:
            return self._types[key]
        type = self._visit(node)
        self._types[key] = type
        self._kept.append(node)
        return type


def _narrow(how: str) -> str:
    return "char" if how == "1" else "short"
