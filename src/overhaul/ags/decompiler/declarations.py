"""The declarations that a decompiled script needs: its global variables, and the names of other
scripts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from overhaul.ags.decompiler.cells import Cell, CellItem, Record, Types, looks_like_float
from overhaul.ags.decompiler.declared import Declaration, DeclaredMember, GlobalVariable
from overhaul.ags.decompiler.expressions import Expressions, float_text
from overhaul.ags.decompiler.heirs import divide_made, find_heirs, fit_made, hold_arrays, join_heirs
from overhaul.ags.decompiler.inference import Inference
from overhaul.ags.decompiler.library import Library
from overhaul.ags.decompiler.members import property_name
from overhaul.ags.decompiler.names import stem_of
from overhaul.ags.decompiler.places import Unknown
from overhaul.ags.decompiler.writer import Writer, declared

#: The variable that the editor declares for dialogs.
_DIALOG_VALUE: Final = "__dlgscript_tempval"


class Declarations:
    """Writes declarations of a script whose types are known."""

    def __init__(self, inference: Inference, expressions: Expressions, writer: Writer) -> None:
        self.inference = inference
        self.expressions = expressions
        self.types: Types = expressions.types
        self.writer = writer
        self.library: Library = inference.library
        self.data: bytes = inference.code.script.global_data
        #: The functions that could not be read, and whether they are of an object.
        self.lost: dict[int, bool] = {}
        self._records: list[Record] | None = None
        self._named: set[str] = set()
        #: The structs of all scripts of the game that pointers lead to.
        self.managed: set[str] = set()

    # ------------------------------------------------------------------------------------- naming

    def records(self) -> list[Record]:
        """The game's own structs that the script uses, and the structs that their fields have."""
        if self._records is None:
            self._records = self._find_records()
        return self._records

    def look_again(self) -> None:
        """Let :meth:`records` find structs that were made since."""
        self._records = None

    def decide(self) -> list[tuple[int, int]]:
        """Let structs have all their bytes; where variables lie, and their bytes."""
        if self._records:
            self._records = None
        return self.inference.decide()

    def _find_records(self) -> list[Record]:
        self._named = self.inference.all_named()
        inference = self.inference
        waiting: list[Record] = [*filter(None, map(inference.struct_named, inference.named))]
        waiting.sort(key=lambda record: record.name)
        waiting += inference.anonymous
        items = [*inference.items, *inference.variables.values()]
        cells: list[Cell] = [*inference.results]
        for body in inference.bodies.values():
            items += [v.item for v in (*body.parameters, *body.variables) if v.item is not None]
        for unknown in inference.unknown.values():
            cells += [unknown.result, *unknown.parameters]
        for item in items:
            if item.record is not None:
                waiting.append(item.record)
            cells.append(item.cell)
        for cell in cells:
            waiting += self._records_of(cell)
        found: dict[int, Record] = {}
        waiting.reverse()
        while waiting:
            record = waiting.pop()
            for one in record.lineage():
                if id(one) in found:
                    continue
                found[id(one)] = one
                for field in one.fields.values():
                    waiting += self._records_of(field.cell)
                    if field.record is not None:
                        waiting.append(field.record)
        return list(found.values())

    def _records_of(self, cell: Cell) -> Iterator[Record]:
        """The structs that a type names."""
        root: Cell | None = cell.root()
        while root is not None:
            if root.record is not None:
                yield root.record
            if self._named:
                yield from self._named_by(root)
            root = root.element.root() if root.element is not None else None

    def _named_by(self, cell: Cell) -> Iterator[Record]:
        """The structs whose names a type has."""
        names = {type.rstrip("*[]") for type in cell.below | cell.above | cell.near}
        for name in sorted((names | cell.owners) & self._named):
            named = self.inference.struct_named(name)
            if named is not None:
                yield named

    def name_fields(self, records: list[Record]) -> None:
        """Name the fields of structs, by their types."""
        for record in records:
            for item in record.fields.values():
                item.name = f"{stem_of(self.item_type(item))}_{item.offset}"

    def name_globals(self, taken: set[str]) -> None:
        """Name the variables of the script that are not exported."""
        counts: dict[str, int] = {}
        first = self.inference.items[0] if self.inference.items else None
        if first is not None and not first.name and self._has_dialogs():
            first.name = _DIALOG_VALUE
        for item in self.inference.items:
            if item.name:
                continue
            stem = "unused" if not item.used else "g_" + stem_of(self.item_type(item))
            while not item.name or item.name in taken:
                counts[stem] = counts.get(stem, 0) + 1
                item.name = f"{stem}{counts[stem]}"

    def _has_dialogs(self) -> bool:
        """Whether the script is the one that the editor makes of dialogs."""
        return any(name.full == "_run_dialog_request" for name in self.inference.code.names)

    # -------------------------------------------------------------------------------------- types

    def item_type(self, item: CellItem) -> str:
        """The type of a variable or field, or of its elements."""
        if item.is_buffer:
            return "string"
        if item.record is not None:
            return item.record.type_name()
        if item.stride in (1, 2):
            return "char" if item.stride == 1 else "short"
        type = self.types.of(item.cell)
        if type == "int" and item.exported and item.cell.root() is item.cell:
            start = int.from_bytes(self.data[item.offset : item.offset + 4], "little")
            if looks_like_float(start) and "int" not in item.cell.below:
                return "float"
        return type.rstrip("*") if item.by_value else type

    # ------------------------------------------------------------------------------------ variables

    def variables(self) -> Iterator[str]:
        """The declarations of the script's own variables."""
        for item in self.inference.items:
            type = self.item_type(item)
            text = declared(type, item.name)
            value = "" if item.count else self._value(item, type)
            text += f"[{item.count}]" if item.count else f" = {value}" if value else ""
            raw = self.data[item.offset : item.offset + item.size]
            lost = any(raw) and not value and not item.is_buffer
            yield f"{text}; /* it begins as {raw[:16].hex(' ')} */" if lost else f"{text};"

    def values(self, assigned: Mapping[str, str]) -> list[GlobalVariable]:
        """The script's own variables; ``assigned`` are the texts that its functions give them."""
        made = []
        for item in self.inference.items:
            type = self.item_type(item).removesuffix("[]")
            value = "" if item.count else self._value(item, type)
            made.append(GlobalVariable(item.name, type, value or assigned.get(item.name, "")))
        return made

    def exports(self) -> Iterator[str]:
        """The exports of the script's own variables."""
        for export in self.inference.code.script.exports:
            if export.address >> 24 == 2:
                yield f"export {export.name};"

    def _value(self, item: CellItem, type: str) -> str:
        raw = self.data[item.offset : item.offset + item.stride]
        if not any(raw) or item.is_buffer:
            return ""
        if item.record is not None or self.library.is_pointer(type) or type.endswith("[]"):
            return ""
        value = int.from_bytes(raw, "little", signed=item.stride != 1)
        if type == "float":
            bits = value & 0x7FFFFFFF
            return ("-" if value < 0 else "") + float_text(bits)
        return self.expressions.number(value, type)

    # -------------------------------------------------------------------------------------- structs

    def structs(self) -> Iterator[Declaration]:
        """The declarations of the game's own structs."""
        records = [record for record in self.records() if not self.library.is_struct(record.name)]
        managed = self.managed
        names = [record.name for record in records]
        for name in names:
            if name in managed:
                yield Declaration("managed", name, f"managed struct {name};")
        records.sort(key=lambda record: len(list(record.lineage())))
        for record in records:
            word = "managed " if record.name in managed else ""
            base = record.base.type_name() if record.base is not None else ""
            extends = f" extends {base}" if base else ""
            head = f"{word}struct {record.name}{extends} {{"
            yield Declaration("struct", record.name, head, tuple(self._members(record)), base)

    def pointed(self) -> set[str]:
        """The names of the structs that pointers lead to."""
        inference = self.inference
        found: set[str] = {heir.type_name() for heir in inference.heirs.values()}
        cells: list[Cell] = list(inference.results)
        for item in [*inference.items, *inference.variables.values()]:
            cells.append(item.cell)
        for record in self.records():
            cells += [item.cell for item in record.fields.values()]
        for body in inference.bodies.values():
            cells += [v.item.cell for v in (*body.parameters, *body.variables) if v.item]
        for unknown in inference.unknown.values():
            cells += [unknown.result, *unknown.parameters]
        for cell in cells:
            type = self.types.of(cell).removesuffix("[]")
            if type.endswith("*"):
                found.add(type[:-1])
        return found

    def _members(self, record: Record) -> Iterator[DeclaredMember]:
        yield from self._methods(record.name)
        end = record.base.end() if record.base is not None else 0
        for offset in sorted(record.fields):
            item = record.fields[offset]
            if offset < end:
                continue
            if offset > end:
                yield self._padding(end, offset)
            text = declared(self.item_type(item), item.name)
            text += f"[{item.count}];" if item.count else ";"
            yield DeclaredMember(item.name, text)
            end = offset + item.size
        if record.size > end and (record.size + 3) // 4 != (end + 3) // 4:
            yield self._padding(end, record.size)

    def _padding(self, start: int, end: int) -> DeclaredMember:
        name, room = f"unused_{start}", end - start
        count = f"[{room // 4}]" if room > 4 else ""
        text = f"int {name}{count};" if room % 4 == 0 else f"char {name}[{room}];"
        return DeclaredMember(name, text)

    def _methods(self, owner: str) -> Iterator[DeclaredMember]:
        seen: set[str] = set()
        for (struct, plain), own in self.inference.attributes.items():
            if struct == owner:
                seen |= {self.inference.code.names[number].name for number in own.functions}
                seen.add(plain)
                is_static = own.is_static or (struct, plain) in self.inference.shared.statics
                yield self._attribute(own.type, plain, is_static, own.is_indexed)
        for body in self.inference.bodies.values():
            function = body.function
            name = function.name
            if name.owner == owner and name.name not in seen and not self.writer.extends(name):
                seen.add(name.name)
                has_defaults = bool(self.expressions.defaults(True, function.number))
                text = f"import {self.writer.head(body, prototype=True)};"
                yield DeclaredMember(name.name, text, "function", has_defaults)
        for number, is_method in self.lost.items():
            lost = self.inference.code.names[number]
            if lost.owner == owner and lost.name not in seen and not self.writer.extends(lost):
                seen.add(lost.name)
                head = self.writer.stub_head(number, is_method=is_method, prototype=True)
                yield DeclaredMember(lost.name, f"import {head};", "function")
        for unknown in self.inference.unknown.values():
            name = unknown.name
            if name.owner != owner or name.name in seen:
                continue
            if unknown.is_property:
                plain = property_name(name)
                if plain not in seen:
                    seen.add(plain)
                    static, indexed = unknown.is_static, unknown.is_indexed
                    yield self._attribute(unknown.result, plain, static, indexed)
            else:
                seen.add(name.name)
                has_defaults = bool(self.expressions.defaults(False, unknown.slot))
                text = self._function(unknown, name.name)
                yield DeclaredMember(name.name, text, "function", has_defaults)

    def _attribute(
        self, type: Cell, name: str, is_static: bool, is_indexed: bool
    ) -> DeclaredMember:
        static = "static " if is_static else ""
        index = "[]" if is_indexed else ""
        text = f"import {static}attribute {declared(self.types.of(type), name)}{index};"
        return DeclaredMember(name, text, "attribute")

    def attributes(self) -> Iterator[tuple[str, str]]:
        """The attributes of the game's own structs that the script shows, by struct and name."""
        for record in self.records():
            if not self.library.is_struct(record.name):
                for member in self._methods(record.name):
                    if member.kind == "attribute":
                        yield record.name, member.name

    # -------------------------------------------------------------------------------------- imports

    def enums(self) -> Iterator[Declaration]:
        """An enum for each negative number that no literal is."""
        for value in sorted(self.expressions.negative_members, reverse=True):
            member = self.inference.shared.negative_member(value)
            name = member.removeprefix("e")
            yield Declaration("enum", name, f"enum {name} {{ {member} = {value} }};")

    def imports(self) -> Iterator[Declaration]:
        """The declarations of what other scripts, and the editor, give."""
        for slot, item in self.inference.variables.items():
            name = self.inference.code.imports[slot].name
            count = f"[{item.count}]" if item.count else ""
            text = f"import {declared(self.item_type(item), name)}{count};"
            yield Declaration("import", name, text)
        own = {name.full for name in self.inference.code.names}
        for unknown in self.inference.unknown.values():
            used = unknown.name
            if not used.owner:
                if used.full not in own:
                    yield Declaration("import", used.name, self._function(unknown, used.name))
            elif self.library.is_struct(used.owner):
                this = f"static {used.owner}" if unknown.is_static else f"this {used.owner}*"
                text = self._function(unknown, used.name, this)
                yield Declaration("import", f"{used.owner}::{used.name}", text)

    def _function(self, unknown: Unknown, name: str, this: str = "") -> str:
        result = self.types.of(unknown.result)
        types = [self.types.of(cell, parameter=True) for cell in unknown.parameters]
        parts = [this] if this else []
        defaults = self.expressions.defaults(False, unknown.slot)
        for number, type in enumerate(types):
            value = f" = {defaults[number]}" if number in defaults else ""
            parts.append(declared(type, f"p{number}") + value)
        if unknown.name.parameters >= 100:
            parts.append("...")
        static = "static " if unknown.is_static and not this else ""
        return f"import {static}{result} {name}({', '.join(parts)});"


#: The most rounds in which structs get more bytes, as other structs got more.
_MOST_ROUNDS: Final = 8


def decide_layouts(scripts: Sequence[Declarations]) -> None:
    """Let structs have the fields that lie in them, and variables all bytes of their structs."""
    for script in scripts:
        script.inference.take_controls()
    fit_made(script.inference for script in scripts)
    before = None
    for _ in range(_MOST_ROUNDS):
        found = {id(record): record for script in scripts for record in script.records()}
        _move_fields(found.values())
        join_heirs((script.inference for script in scripts), found.values())
        places = [script.decide() for script in scripts]
        if places == before or not found:
            return
        before = places


def _move_fields(records: Iterable[Record]) -> None:
    """Let structs have the fields that lie in them.

    A struct of several heirs can get bytes by the field of one, and in these a field of another.
    """
    heirs_first = sorted(records, key=lambda record: -len(list(record.lineage())))
    moved = True
    while moved:
        moved = False
        for record in heirs_first:
            moved |= record.decide_fields()


def _number(
    scripts: Sequence[Declarations], taken: set[str]
) -> Collection[tuple[Record, Declarations]]:
    """Give the structs without a name one that is not ``taken``; all structs, each with a script
    that has it."""
    found: dict[int, tuple[Record, Declarations]] = {}
    for script in scripts:
        for record in script.records():
            found.setdefault(id(record), (record, script))
    number = 1
    for record, _ in found.values():
        while not record.name:
            if f"Struct{number}" not in taken:
                record.name = f"Struct{number}"
                taken.add(record.name)
            number += 1
    return found.values()


def name_structs(scripts: Sequence[Declarations], taken: set[str]) -> None:
    """Name the structs without a name, and all fields, of a game."""
    taken = set(taken)
    divide_made(script.inference for script in scripts)
    for script in scripts:
        script.look_again()
    _number(scripts, taken)
    known = [(script.inference, script.item_type) for script in scripts]
    find_heirs(known)
    hold_arrays(known)
    for script in scripts:
        script.look_again()
    for record, script in _number(scripts, taken):
        script.name_fields([record])
    managed = {name for script in scripts for name in script.pointed()}
    for script in scripts:
        script.managed = managed
