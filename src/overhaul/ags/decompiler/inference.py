"""The types of a script's variables and imports, inferred from its code."""

from __future__ import annotations

import re
from typing import Final

from overhaul.ags.decompiler.cells import (
    TEXT,
    TRUTH,
    Cell,
    CellItem,
    Record,
    Type,
    give,
    put,
    unite,
)
from overhaul.ags.decompiler.emptied import Emptied, has_no_bytes, place_of, without_room
from overhaul.ags.decompiler.events import event_sums, event_types
from overhaul.ags.decompiler.layout import Access, import_shape, lay_out, lay_out_local
from overhaul.ags.decompiler.members import Members, number_of
from overhaul.ags.decompiler.nodes import (
    GLOBAL,
    IMPORT,
    LOCAL,
    OBJECT,
    POINTER,
    Address,
    Assign,
    AsText,
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
    Load,
    MakeString,
    MemoryPlace,
    New,
    NewArray,
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


class Inference(Members):
    """Finds types: after :meth:`lay_out` and :meth:`find_imports` of all scripts of a game,
    :meth:`run` goes through all functions of one; then the cells are full."""

    def run(self) -> None:
        """Go through all functions."""
        for number, body in self.bodies.items():
            self.function = number
            self._start(number, body)
        self.extend_structs()
        for number, body in self.bodies.items():
            self.function = number
            for object, owner in body.objects:
                if isinstance(object, Address):
                    self._owner_of(object.place, owner)
        for number, body in self.bodies.items():
            self.function = number
            self._block(body.block)
        self.find_attributes()

    def find_accesses(self) -> None:
        """Find the uses of the script's own memory, and of variables of other scripts by their
        names; local variables get their shapes."""
        imports = self.imported
        data = self.code.script.global_data
        names = self.code.imports
        for body in self.bodies.values():
            local: dict[int, list[Access]] = {}
            self._find_objects(body, len(data))
            objects = [
                (object.place, OBJECT)
                for object, owner in body.objects
                if isinstance(object, Address)
                and not (object.place.kind == IMPORT and self.library.is_struct(owner))
            ]
            for place, how in (*body.uses, *objects):
                access = Access(place.offset, place.indexes, how)
                if place.kind == GLOBAL:
                    self.accesses.append((place, access))
                elif place.kind == LOCAL and isinstance(place.base, Variable):
                    local.setdefault(id(place.base), []).append(access)
                elif place.kind == IMPORT and isinstance(place.base, int):
                    self.slots.add(place.base)
                    name = names[place.base].name if 0 <= place.base < len(names) else ""
                    if name and name not in self.library.variables:
                        imports.setdefault(name, []).append(access)
            for variable in body.variables:
                seen = local.get(id(variable), [])
                variable.item = lay_out_local(variable, seen)
            for variable in body.parameters:
                variable.item = CellItem(0, 4)
                variable.item.cell.is_parameter = True
                for access in local.get(id(variable), []):
                    variable.width = min(variable.width, access.width)
        exports = self.code.script.exports
        self.shared.behind |= {e.name for e in exports if has_no_bytes(place_of(e), data)}
        places = {*map(place_of, exports), len(data)}
        accesses = [access for _, access in self.accesses]
        self.shared.empty |= without_room(self.objects, accesses, places, data)

    def _find_objects(self, body: Body, size: int) -> None:
        """Note whose members are used of what, and which structs have no bytes."""
        shared = self.shared
        for object, owner in body.objects:
            if not isinstance(object, Address) or not owner or self.library.is_struct(owner):
                continue
            place, base = object.place, object.place.base
            if place.kind == GLOBAL:
                self.objects.append((place, owner))
            elif place.kind == IMPORT and isinstance(base, int) and base < len(self.code.imports):
                shared.objects.setdefault(self.code.imports[base].name, set()).add(owner)
            is_empty = isinstance(base, Variable) and not base.size and not base.is_parameter
            is_behind = place.kind == GLOBAL and place.offset >= size
            if is_empty or is_behind or (place.indexes and not place.indexes[0].stride):
                shared.empty.add(owner)

    def lay_out(self) -> None:
        """Find where variables lie."""
        shared, data = self.shared, self.code.script.global_data
        found = Emptied(shared.empty, shared.objects, shared.uses, len(data))
        found.take_exports(self.code.script.exports)
        found.take_objects(self.objects)
        exports = found.exports
        own = {at: name for at, name in exports.items()
               if shared.owners.get(name) is self.code}  # fmt: skip
        others = {at: shared.uses[name] for at, name in own.items() if name in shared.uses}
        accesses = [access for place, access in self.accesses if place not in found.places]
        empty = {item.offset for item in found.items}
        items = lay_out(accesses, exports, data, self.code.buffers, others, empty)
        self.starts = {item.offset: item for item in items}
        self.items = sorted([*found.items, *items], key=lambda item: (item.offset, item.size > 0))
        self.laid_out = self.items
        self.fixed = [i.offset for i in items if i.exported or i.record is not None]
        for item in self.items:
            if item.exported and shared.owners.get(item.name) is self.code:
                shared.publish(item.name, item)

    def note_extensions(self) -> None:
        """Note how large structs are at least, and which structs extend which: methods use parts of
        ``this``, and call methods of the others of it."""
        sizes = self.shared.sizes
        for body in self.bodies.values():
            own = body.function.name.owner
            for place, how in body.uses if own else ():
                if isinstance(place.base, This) and place.kind == POINTER:
                    extent = Access(place.offset, place.indexes, how).extent
                    sizes[own] = max(sizes.get(own, 0), extent)
            for object, owner in body.objects:
                structs = own and owner and own != owner and not self.library.is_struct(own)
                if isinstance(object, This) and structs and not self.library.is_struct(owner):
                    self.shared.extends.setdefault(own, set()).add(owner)

    def extend_structs(self) -> None:
        """Let structs extend each other, the shortest lines first; of several bases a struct takes
        the one with the longest line first, so that all bases are in one line."""
        for own, owners in self.shared.extensions():
            for owner in owners:
                self._extends(own, owner)

    def find_imports(self) -> None:
        """Find the variables of other scripts, with the types that these scripts have for them."""
        for slot in sorted(self.slots):
            name = self.code.imports[slot].name if 0 <= slot < len(self.code.imports) else ""
            used = [one for one in self.imported.get(name, ()) if one.how != OBJECT]
            there = self.shared.variables.get(name)
            if not name or name not in self.imported or not (used or there):
                continue
            item = self.variables[slot] = self._imported(name, used)
            if there is None and name in self.known and not item.by_value and item.record is None:
                self.learn(item.cell, self.known[name].type, exact=False)
            if item.by_value:
                self._by_name(item, name, self.known_structs.get(slot, ""))
        for body in self.bodies.values():
            for object, owner in body.objects:
                if isinstance(object, Address):
                    self._note_room(object.place, owner)

    def _imported(self, name: str, used: list[Access]) -> CellItem:
        """A variable of another script: as that script has it, or else as all scripts use it.  A
        thing that is handed on by value stays apart: two rooms can have things of one name."""
        there = self.shared.variables.get(name)
        if there is None:
            made = import_shape(used)
            if not made.by_value and name not in self.shared.owners:
                uses = [one for one in self.shared.uses.get(name, used) if one.how != OBJECT]
                self.shared.publish(name, import_shape(uses))
            there = self.shared.variables.get(name, made)
        return _copy(there)

    def _by_name(self, item: CellItem, name: str, type: str) -> None:
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
        """The facts that the names of functions, and their first instructions, show."""
        name = body.function.name
        types = (
            event_types(name.name, len(body.parameters), self.handlers) if not name.owner else ()
        )
        for variable, type in zip(body.parameters, types, strict=False):
            if variable.item is not None:
                put(variable.item.cell, type)
        for place, enum in event_sums(name.full).items():
            if place < len(body.parameters) and enum in self.library.enums:
                item = body.parameters[place].item
                if item is not None:
                    item.cell.root().sum_of = enum
        for variable in (*body.parameters, *body.variables):
            if variable.pointer and variable.item is not None:
                root = variable.item.cell.root()
                root.is_pointer = root.is_pointer or variable.pointer == "p"
                root.is_managed = root.is_managed or variable.pointer in ("?", "a")
        if name.owner and not self.library.is_struct(name.owner):
            self.record_named(name.owner)
        if self.shared.owners.get(name.full) is not self.code:
            return  # another script has one of this name, which is the one that others call
        shared = self.shared.function(name.full)
        unite(shared.result, self.results[number])
        for place, variable in enumerate(body.parameters):
            if variable.item is not None and variable.width == 4:
                unite(shared.parameter(place), variable.item.cell)

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
                self._truth(statement.condition)
                self._block(statement.then)
                if statement.otherwise is not None:
                    self._block(statement.otherwise)
            case While():
                self._loop(statement)
            case Do():
                self._block(statement.body)
                self._truth(statement.condition)
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
        self._truth(statement.condition)
        self._block(statement.body)
        if statement.next is not None:
            self._statement(statement.next)

    def _truth(self, condition: Expression) -> None:
        """A condition asks for a value."""
        type = self.visit(condition)
        if isinstance(type, Cell):
            type.root().is_truth = True

    def _switch(self, statement: Switch) -> None:
        type = self.visit(statement.value)
        if isinstance(type, Cell):
            type.root().is_switched = True
            if statement.is_text:
                give(type, "String")
        for case in statement.cases:
            for value, _, _ in case.labels:
                if value is not None:
                    self._alike(type, self.visit(value), value)
            self._block(case.body)

    def _return(self, statement: Return) -> None:
        value = statement.value
        type = self.visit(value)
        if not (isinstance(value, Constant) and value.value == 0):
            self.returns_value[self.function] = True
        self._flow(self.results[self.function], type, number_of(value))

    def _assign(self, statement: Assign) -> None:
        target = self._target(statement.target, statement.how)
        value = self.visit(statement.value)
        if statement.operator == "=":
            self._flow(target, value, number_of(statement.value))
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
        self._flow(item.cell, type, number_of(statement.value))

    def _target(self, target: MemoryPlace | Property, how: str) -> Type:
        if isinstance(target, Property):
            return self._property(target, written=True)
        return self.place(target, how)[1]

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
                type = self.visit(node.value)
                if isinstance(type, Cell):
                    give(type, TEXT)
                return "String"
            case AsText():
                type = self.visit(node.value)
                if isinstance(type, Cell):
                    give(type, "String")
                return TEXT
            case Address():
                type = self.place(node.place, "&")[1]
                return f"{type}*" if isinstance(type, str) and self._is_thing(type) else type
            case This():
                return self._this(self.code.names[self.function].owner)
            case New():
                made = Cell()
                made.is_pointer = True
                made.record = self._record(Record(node.size))
                self.news.append((node, made))
                return made
            case NewArray():
                return self._new_array(node)
            case _:
                return None

    def _this(self, owner: str) -> Type:
        """The type of ``this`` in a method of a struct."""
        if not owner or self.library.is_struct(owner):
            return f"{owner}*" if owner else None
        made = Cell()
        made.is_pointer = True
        made.record = self.record_named(owner)
        return made

    def _is_thing(self, type: str) -> bool:
        """Whether a variable of a type is given on as a pointer to it."""
        return self.library.is_struct(type) and not self.library.is_pointer(type)

    def _new_array(self, node: NewArray) -> Cell:
        count = self.visit(node.count)
        if isinstance(count, Cell):
            put(count, "int")  # a size is an int: no bool, no member of an enum
        made = Cell()
        element = made.elements()
        if node.managed:
            element.is_pointer = True
        elif node.size in (1, 2):
            element.width = node.size
        elif node.size != 4:
            element.record = self._record(Record(node.size))
        return made

    def _unary(self, node: Unary) -> Type:
        type = self.visit(node.value)
        if node.operator == "!":
            self._truth(node.value)
            return TRUTH
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
            return TRUTH
        if operator in ("==", "!="):
            for type in (left, right):
                if isinstance(type, Cell) and left is not None and right is not None:
                    type.root().is_thing = True
            self._alike(left, right, node.right)
            self._alike(right, left, node.left)
            return TRUTH
        if node.is_float:
            for type in (left, right):
                if isinstance(type, Cell):
                    put(type, "float")
            return TRUTH if operator in _COMPARES else "float"
        if operator in _BOOL:
            self._truth(node.left)
            self._truth(node.right)
            return TRUTH
        for type in (left, right):
            if isinstance(type, Cell):
                put(type, "int")
        return TRUTH if operator in _COMPARES else "int"

    def _alike(self, type: Type, other: Type, node: Expression) -> None:
        """Two values are compared."""
        if not isinstance(type, Cell):
            return
        number = number_of(node)
        if isinstance(other, Cell):
            own, its = self.struct_of(type), self.struct_of(other)
            if own and its and own != its:
                type.root().near.add(its)
            elif self.shared.apart:
                self.shared.compared.append((type, other))
            else:
                unite(type, other)
        elif number is not None:
            type.root().constants.add(number)
        elif other is not None and other.endswith("*"):
            type.root().near.add(other[:-1])
        elif other is not None and other != TEXT:
            give(type, other)


def _copy(item: CellItem) -> CellItem:
    """A variable of another script: of the same type, with a place of its own."""
    made = CellItem(0, item.stride, item.count)
    made.cell, made.record, made.is_buffer = item.cell, item.record, item.is_buffer
    made.by_value = item.by_value
    return made
