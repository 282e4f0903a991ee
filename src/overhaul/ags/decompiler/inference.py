"""What the code of a script says about the types of its variables and of what it imports."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from overhaul.ags.decompiler.cells import TEXT, Cell, Type, flow, give, put, unite
from overhaul.ags.decompiler.code import VARIADIC, Code, Name
from overhaul.ags.decompiler.errors import Unstructured
from overhaul.ags.decompiler.events import event_types
from overhaul.ags.decompiler.layout import Access, Item, Record, lay_out, lay_out_local, meet
from overhaul.ags.decompiler.library import Library, Member, Signature
from overhaul.ags.decompiler.nodes import (
    ELEMENTS,
    GLOBAL,
    IMPORT,
    LOCAL,
    POINTER,
    Address,
    AsText,
    Assign,
    Binary,
    Block,
    Braces,
    Call,
    Constant,
    Declare,
    Do,
    Evaluate,
    Expression,
    If,
    Increase,
    Index,
    Load,
    MakeString,
    New,
    NewArray,
    Place,
    Property,
    Return,
    Statement,
    Switch,
    Text,
    This,
    Unary,
    Variable,
    While,
)
from overhaul.ags.decompiler.structure import Body

_THING_NAME: Final = re.compile(r"([a-z]{1,3})[A-Z0-9]")
_THINGS: Final = {
    "c": "Character", "h": "Hotspot", "o": "Object", "i": "InventoryItem", "g": "GUI",
    "d": "Dialog", "a": "AudioClip", "btn": "Button", "lbl": "Label", "txt": "TextBox",
    "lst": "ListBox", "sld": "Slider", "inv": "InvWindow",
}  # fmt: skip
_ARRAYS: Final = {
    "character": "Character", "dialog": "Dialog", "gui": "GUI", "hotspot": "Hotspot",
    "inventory": "InventoryItem", "object": "Object", "region": "Region",
}  # fmt: skip
_COMPARES: Final = frozenset(("==", "!=", ">", "<", ">=", "<=", "&&", "||"))
_BOOL: Final = frozenset(("&&", "||"))


@dataclass(slots=True)
class Unknown:
    """A function, method or attribute that the script imports and the library lacks."""

    name: Name
    parameters: list[Cell]
    result: Cell = field(default_factory=Cell)
    is_static: bool = False
    is_property: bool = False
    is_written: bool = False
    is_indexed: bool = False
    is_used: bool = False


Part = Variable | Item | Member | Index | Expression | int
"""An int is the slot of an import."""


class Inference:
    """Finds types: :meth:`run` goes through all functions, then the cells are full."""

    def __init__(
        self,
        code: Code,
        library: Library,
        bodies: dict[int, Body],
        known_structs: dict[int, str] | None = None,
    ) -> None:
        self.code = code
        self.library = library
        self.bodies = bodies
        self.results = [Cell() for _ in range(len(code))]
        self.returns_value = [False] * len(code)
        self.records: dict[str, Record] = {}
        self.anonymous: list[Record] = []
        self.unknown: dict[int, Unknown] = {}
        self.lost: dict[int, list[Cell]] = {}
        self.variables: dict[int, Item] = {}
        self.function = 0
        self.place_word = 0
        self._types: dict[int, Type] = {}
        self._kept: list[Expression] = []
        self.known_structs = known_structs if known_structs is not None else {}
        self.items: list[Item] = []
        self.starts: dict[int, Item] = {}

    # ------------------------------------------------------------------------------------- running

    def run(self) -> None:
        """Go through all functions."""
        self._lay_out_memory()
        for number, body in self.bodies.items():
            self._start(number, body)
        for number, body in self.bodies.items():
            self.function = number
            self._block(body.block)

    def _lay_out_memory(self) -> None:
        accesses: list[Access] = []
        imports: dict[int, list[Access]] = {}
        for body in self.bodies.values():
            local: dict[int, list[Access]] = {}
            for place, how in body.uses:
                access = Access(place.offset, place.indexes, how)
                if place.kind == GLOBAL:
                    accesses.append(access)
                elif place.kind == LOCAL and isinstance(place.base, Variable):
                    local.setdefault(id(place.base), []).append(access)
                elif place.kind == IMPORT and isinstance(place.base, int):
                    imports.setdefault(place.base, []).append(access)
            for variable in body.variables:
                seen = local.get(id(variable), [])
                variable.item = lay_out_local(variable.size, seen, variable.pointer)
            for variable in body.parameters:
                variable.item = Item(0, 4)
                for access in local.get(id(variable), []):
                    variable.width = min(variable.width, access.width)
        exports = {
            export.address & 0xFFFFFF: export.name
            for export in self.code.script.exports
            if export.address >> 24 == 2
        }
        self.items = lay_out(
            accesses, exports, len(self.code.script.global_data), self.code.buffers
        )
        self.starts = {item.offset: item for item in self.items}
        for slot, used in imports.items():
            if not 0 <= slot < len(self.code.imports):
                continue
            name = self.code.imports[slot].name
            if name not in self.library.variables:
                item = self.variables[slot] = _import_shape(used)
                if item.by_value:
                    self._by_name(item, name, self.known_structs.get(slot, ""))

    def _by_name(self, item: Item, name: str, type: str) -> None:
        """Guess the struct of a thing of the game from how the editor names such things."""
        match = _THING_NAME.match(name)
        if not type and item.count:
            type = _ARRAYS.get(name, "")
        elif not type and match is not None:
            type = _THINGS.get(match[1], "")
        if self.library.is_struct(type):
            put(item.cell, f"{type}*")
            item.record = None

    def _start(self, number: int, body: Body) -> None:
        """What the names of functions, and the way they begin, say."""
        name = body.function.name
        types = event_types(name.name, len(body.parameters)) if not name.owner else ()
        for variable, type in zip(body.parameters, types, strict=False):
            if variable.item is not None:
                put(variable.item.cell, type)
        for variable in (*body.parameters, *body.variables):
            if variable.pointer and variable.item is not None:
                root = variable.item.cell.root()
                root.is_pointer = root.is_pointer or variable.pointer == "p"
        if name.owner and not self.library.is_struct(name.owner):
            self.record_named(name.owner)

    def record_named(self, name: str) -> Record:
        """The struct of the game's own that has a name."""
        if name not in self.records:
            self.records[name] = Record(name=name)
        return self.records[name]

    # ---------------------------------------------------------------------------------- statements

    def _block(self, block: Block) -> None:
        for statement in block.statements:
            self._statement(statement)

    def _statement(self, statement: Statement) -> None:
        match statement:
            case Evaluate():
                self.visit(statement.value)
            case Assign():
                self._assign(statement)
            case Declare():
                self._declare(statement)
            case Increase():
                type = self._target(statement.target, statement.how)
                if isinstance(type, Cell):
                    put(type, "float" if statement.is_float else "int")
            case If():
                self.visit(statement.condition)
                self._block(statement.then)
                if statement.otherwise is not None:
                    self._block(statement.otherwise)
            case While():
                self._loop(statement)
            case Do():
                self._block(statement.body)
                self.visit(statement.condition)
            case Switch():
                self._switch(statement)
            case Braces():
                self._block(statement.body)
            case Return():
                self._return(statement)
            case _:
                pass

    def _loop(self, statement: While) -> None:
        if statement.first is not None:
            self._statement(statement.first)
        self.visit(statement.condition)
        self._block(statement.body)
        if statement.next is not None:
            self._statement(statement.next)

    def _switch(self, statement: Switch) -> None:
        type = self.visit(statement.value)
        for case in statement.cases:
            for value, _ in case.values:
                if value is not None:
                    self._alike(type, self.visit(value), value)
            self._block(case.body)

    def _return(self, statement: Return) -> None:
        value = statement.value
        type = self.visit(value)
        if not (isinstance(value, Constant) and value.value == 0):
            self.returns_value[self.function] = True
        flow(self.results[self.function], type, _number(value))

    def _assign(self, statement: Assign) -> None:
        target = self._target(statement.target, statement.how)
        value = self.visit(statement.value)
        if statement.operator == "=":
            flow(target, value, _number(statement.value))
            return
        word = "float" if statement.is_float else "int"
        for type in (target, value):
            if isinstance(type, Cell):
                put(type, word)

    def _declare(self, statement: Declare) -> None:
        item = statement.variable.item
        if statement.value is None or item is None:
            return
        type = self.visit(statement.value)
        if item.stride in (1, 2) or item.record is not None:
            return
        if isinstance(statement.value, (NewArray,)):
            item.cell.root().is_array = True
        flow(item.cell, type, _number(statement.value))

    def _target(self, target: Place | Property, how: str) -> Type:
        if isinstance(target, Property):
            return self._property(target, written=True)
        return self.place(target, how)[1]

    # --------------------------------------------------------------------------------- expressions

    def visit(self, node: Expression) -> Type:
        """The type of an expression; None of a number that may be of any."""
        key = id(node)
        if key in self._types:
            return self._types[key]
        type = self._visit(node)
        self._types[key] = type
        self._kept.append(node)
        return type

    def _visit(self, node: Expression) -> Type:
        match node:
            case Constant():
                return None
            case Load():
                return self.place(node.place, node.how)[1]
            case Binary():
                return self._binary(node)
            case Call():
                return self._call(node)
            case Property():
                return self._property(node, written=False)
            case Unary():
                return self._unary(node)
            case Text():
                return TEXT
            case MakeString():
                self.visit(node.value)
                return "String"
            case AsText():
                type = self.visit(node.value)
                if isinstance(type, Cell):
                    give(type, "String")
                return TEXT
            case Address():
                return self.place(node.place, "&")[1]
            case This():
                owner = self.code.names[self.function].owner
                return f"{owner}*" if owner else None
            case New():
                made = Cell()
                made.is_pointer = True
                made.record = self._record(Record(node.size))
                return made
            case NewArray():
                return self._new_array(node)
            case _:
                return None

    def _record(self, record: Record) -> Record:
        self.anonymous.append(record)
        return record

    def _new_array(self, node: NewArray) -> Cell:
        self.visit(node.count)
        made = Cell()
        element = made.elements()
        if node.managed:
            element.is_pointer = True
        elif node.size in (1, 2):
            put(element, "char" if node.size == 1 else "short")
        elif node.size != 4:
            element.record = self._record(Record(node.size))
        return made

    def _unary(self, node: Unary) -> Type:
        type = self.visit(node.value)
        if node.operator == "!":
            return "int"
        word = "float" if node.is_float else "int"
        if isinstance(type, Cell) and node.is_float:
            put(type, word)
        return word

    def _binary(self, node: Binary) -> Type:
        left, right = self.visit(node.left), self.visit(node.right)
        operator = node.operator
        if operator in ("=s", "!s"):
            for type in (left, right):
                if isinstance(type, Cell):
                    give(type, "String")
            return "int"
        if operator in ("==", "!="):
            self._alike(left, right, node.right)
            self._alike(right, left, node.left)
            return "int"
        if node.is_float:
            for type in (left, right):
                if isinstance(type, Cell):
                    put(type, "float")
            return "int" if operator in _COMPARES else "float"
        if operator not in _COMPARES:
            for type in (left, right):
                if isinstance(type, Cell):
                    put(type, "int")
        return "int"

    def _alike(self, type: Type, other: Type, node: Expression) -> None:
        """Two values are compared."""
        if not isinstance(type, Cell):
            return
        number = _number(node)
        if isinstance(other, Cell):
            unite(type, other)
        elif number is not None:
            type.root().constants.add(number)
        elif other is not None and other != TEXT:
            give(type, other)

    # ---------------------------------------------------------------------------------------- calls

    def signature(self, node: Call) -> Signature | None:
        """The library's declaration of what is called; None if it has none."""
        if node.target.own:
            return None
        name = self.code.imports[node.target.value]
        if name.owner:
            found = self.library.method(name.owner, name.name)
        else:
            found = self.library.functions.get(name.name)
        if found is None or name.count < 0:
            return found
        count = len(found.parameters) + (VARIADIC if found.is_variadic else 0)
        return found if count == name.count else None

    def _call(self, node: Call) -> Type:
        types = [self.visit(argument) for argument in node.arguments]
        numbers = [_number(argument) for argument in node.arguments]
        object = node.object or node.via
        if object is not None:
            self._object(object, self._name(node).owner)
        wanted: Iterable[Type]
        if node.target.own:
            number = node.target.value
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
        for target, type, value in zip(wanted, types, numbers, strict=False):
            flow(target, type, value)
        return result

    def _name(self, node: Call) -> Name:
        names = self.code.names if node.target.own else self.code.imports
        return names[node.target.value]

    def _unknown(self, slot: int, count: int) -> Unknown:
        known = self.unknown.get(slot)
        if known is None:
            name = self.code.imports[slot]
            known = self.unknown[slot] = Unknown(name, [])
            if name.owner and not self.library.is_struct(name.owner):
                self.record_named(name.owner)
            count = name.count % VARIADIC if name.count >= 0 else count
        while len(known.parameters) < count:
            known.parameters.append(Cell())
        return known

    def _object(self, node: Expression, owner: str) -> None:
        """A member of a struct is used of an object."""
        if isinstance(node, Address):
            self._owner_of(node.place, owner)
        type = self.visit(node)
        if isinstance(type, Cell):
            root = type.root()
            if self.library.is_struct(owner):
                root.owners.add(owner)
            else:
                self._join(root, self.record_named(owner))
        elif isinstance(node, This) and owner:
            own = self.code.names[self.function].owner
            if own and own != owner and not self.library.is_struct(own):
                self._meet(self.record_named(own), self.record_named(owner))

    def _join(self, cell: Cell, record: Record) -> None:
        cell.record = record if cell.record is None else self._meet(cell.record, record)

    def _meet(self, first: Record, second: Record) -> Record:
        record, same = meet(first, second)
        for one, other in same:
            unite(one, other)
        return record

    def _owner_of(self, place: Place, owner: str) -> None:
        """Let a variable be of the struct whose member is used of it."""
        item = self._base_item(place)
        if item is None:
            return
        if self.library.is_struct(owner):
            if item.record is not None and item.by_value and isinstance(place.base, int):
                self.known_structs[place.base] = owner
            return
        record = self.record_named(owner)
        if place.kind != IMPORT or item.count:
            record.root().size = max(record.root().size, item.stride)
        item.record = record if item.record is None else self._meet(item.record, record)

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
        if node.target.own:
            body = self.bodies.get(node.target.value)
            if not written:
                return self.results[node.target.value]
            last = body.parameters[-1].item if body is not None and body.parameters else None
            return last.cell if last is not None else None
        return self._unknown_property(node, written=written)

    def _unknown_property(self, node: Property, *, written: bool) -> Cell:
        slot = node.target.value
        unknown = self._unknown(slot, 0)
        unknown.is_property = True
        unknown.is_static = node.object is None
        unknown.is_indexed = node.index is not None
        unknown.is_written = written
        for other in self.unknown.values():
            same = other.is_property and other.name.owner == node.owner
            if same and property_name(other.name) == node.name and other is not unknown:
                unite(other.result, unknown.result)
        return unknown.result

    # ---------------------------------------------------------------------------------------- places

    def _base_item(self, place: Place) -> Item | None:
        """The variable that a place is in."""
        if place.kind == GLOBAL:
            return self.global_at(place.offset)
        if place.kind == LOCAL and isinstance(place.base, Variable):
            return place.base.item
        if place.kind == IMPORT and isinstance(place.base, int):
            return self.variables.get(place.base)
        return None

    def settle(self) -> None:
        """Let structs have all their bytes, where what follows them was taken for variables.

        Things that are only handed on, of which nothing is known, are taken for controls.
        """
        for variable in self.variables.values():
            if variable.by_value and variable.record is None and not self.struct_of(variable.cell):
                give(variable.cell, "GUIControl*")
        kept: list[Item] = []
        end = 0
        for item in self.items:
            last = kept[-1] if kept else None
            if item.offset < end and last is not None and last.record is not None:
                how = {1: "1", 2: "2"}.get(item.stride, "4")
                index = (Index(Constant(0), item.stride, item.count),) if item.count else ()
                field = last.record.at(Access(item.offset - last.offset, index, how))
                if item.record is None:
                    unite(field.cell, item.cell)
                continue
            if item.record is not None and not item.count:
                item.stride = max(item.stride, item.record.end())
            kept.append(item)
            end = item.offset + item.size
        self.items = kept
        self.starts = {item.offset: item for item in kept}

    def global_at(self, offset: int) -> Item | None:
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

    def place(self, place: Place, how: str) -> tuple[list[Part], Type]:
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
        self, item: Item, offset: int, indexes: tuple[Index, ...], how: str
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
        if how == "&":
            return parts, item.record.type_name() or None
        return self._in_record(item.record, parts, Access(offset, indexes, how))

    def struct_of(self, cell: Cell) -> str:
        """The library's struct that a cell is known to be of, or to point to; or empty."""
        root = cell.root()
        names = {name.rstrip("*") for name in root.below | root.above | root.owners}
        return next((name for name in sorted(names) if self.library.is_struct(name)), "")

    def _in_record(
        self, record: Record, parts: list[Part], access: Access
    ) -> tuple[list[Part], Type]:
        item = record.at(access)
        parts.append(item)
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

    def _behind_pointer(self, place: Place, how: str) -> tuple[list[Part], Type]:
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

    def _element(self, place: Place, how: str) -> tuple[list[Part], Type]:
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
        if index.stride > 4 or cell.record is not None and not cell.is_pointer:
            return self._struct_element(cell, index, parts, access)
        if how in ("1", "2"):
            put(cell, _narrow(how))
        return parts, self._value(cell, how)

    def _struct_element(
        self, cell: Cell, index: Index, parts: list[Part], access: Access
    ) -> tuple[list[Part], Type]:
        if cell.record is None:
            cell.record = self._record(Record(index.stride))
        if access.how == "&":
            return parts, cell.record.type_name() or None
        return self._in_record(cell.record, parts, access)

    def _library_place(self, place: Place, how: str) -> tuple[list[Part], Type]:
        slot = place.base
        if not isinstance(slot, int) or not 0 <= slot < len(self.code.imports):
            raise self._fail("no import has this number")
        member = self.library.variables.get(self.code.imports[slot].name)
        if member is None:
            raise self._fail("a variable is used that is none")
        parts: list[Part] = [slot]
        indexes = place.indexes
        if member.count or indexes:
            if not indexes:
                raise self._fail("an array is used without an index")
            self._index(indexes[0])
            parts.append(indexes[0])
            indexes = indexes[1:]
        access = Access(place.offset, indexes, how)
        if how == "&":
            return parts, member.type
        if self.library.is_struct(member.type) and not self.library.is_pointer(member.type):
            return self._library_field(member.type, parts, access)
        return parts, member.type

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


def property_name(name: Name) -> str:
    """The name of the attribute that a function reads or writes."""
    for head in ("geti_", "seti_", "get_", "set_"):
        if name.name.startswith(head):
            return name.name.removeprefix(head)
    return name.name


def _narrow(how: str) -> str:
    return "char" if how == "1" else "short"


def _number(node: Expression) -> int | None:
    if isinstance(node, Constant):
        return node.value
    return None


def _import_shape(uses: list[Access]) -> Item:
    """The shape of a variable of another script."""
    indexed = [access for access in uses if access.indexes]
    if indexed and len(indexed) == len(uses):
        first = indexed[0].indexes[0]
        item = Item(0, first.stride, first.bound or 1)
        part = any(a.offset or len(a.indexes) > 1 for a in indexed)
        item.by_value = any(access.how == "&" for access in indexed)
        if part or (not item.by_value and any(a.width < first.stride for a in indexed)):
            item.record = Record(first.stride)
        return item
    item = Item(0, 4)
    item.by_value = any(access.how == "&" for access in uses)
    if indexed or any(access.offset for access in uses):
        item.record = Record()
    elif all(access.width < 4 for access in uses):
        item.stride = uses[0].width
    return item
