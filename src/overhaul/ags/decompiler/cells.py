"""Types that are found out: what is known about the values of variables that flow together."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from typing import Final

from overhaul.ags.decompiler.library import Library

TEXT: Final = "const string"
#: The type of values that are true or false.
TRUTH: Final = "bool"
#: The types of numbers of any size.
_NUMBERS: Final = frozenset(("int", "char", "short"))
#: The type of a pointer that is compared by its address, where no script shows its own type.
_SOME_THING: Final = "Character*"


class Cell:
    """The facts known about a value.

    ``below`` are the types of what is put there, ``above`` those that it is given as, ``owners``
    the structs whose members are used of it, ``near`` those that it is compared with pointers to;
    ``constants`` the numbers that are put there or compared with it, ``given`` the numbers put
    there; ``is_truth``: a condition asks for it; ``is_switched``: ``switch`` does, which no bool
    needs; ``is_managed``: a pointer or a dynamic array; ``is_parameter``: of a function that is
    read; ``is_thing``: compared by its address, as texts are not.
    """

    __slots__ = (
        "above",
        "below",
        "constants",
        "element",
        "given",
        "is_array",
        "is_managed",
        "is_parameter",
        "is_pointer",
        "is_switched",
        "is_thing",
        "is_truth",
        "near",
        "owners",
        "parent",
        "record",
        "sum_of",
        "width",
    )

    def __init__(self) -> None:
        self.parent: Cell | None = None
        self.is_pointer: bool = False
        self.is_array: bool = False
        self.is_managed: bool = False
        self.is_parameter: bool = False
        self.is_thing: bool = False
        self.is_truth: bool = False
        self.is_switched: bool = False
        self.below: set[str] = set()
        self.above: set[str] = set()
        self.owners: set[str] = set()
        self.near: set[str] = set()
        self.constants: set[int] = set()
        self.given: set[int] = set()
        self.element: Cell | None = None
        self.record: Record | None = None
        #: The enum whose members are together in it.
        self.sum_of: str = ""
        #: The bytes of an element of a dynamic array, where it is a char or short.
        self.width: int = 0

    def root(self) -> Cell:
        """The cell that stands for all that were united with this one."""
        cell = self
        while cell.parent is not None:
            cell = cell.parent
        while self is not cell:
            self.parent, self = cell, self.parent or cell
        return cell

    def note(self, how: str) -> None:
        """Note how the value is read or written."""
        root = self.root()
        if how == "p":
            root.is_pointer = True
        elif how == "a":
            root.is_array = True

    def elements(self) -> Cell:
        """The cell of the elements, where this is an array."""
        root = self.root()
        if root.element is None:
            root.element = Cell()
        root.is_array = True
        return root.element.root()


Type = str | Cell | None
"""A type that is known, a cell that it will be known of, or nothing known (of a number)."""


def unite(first: Cell, second: Cell) -> None:
    """Let two cells have one type."""
    pending = [(first, second)]
    while pending:
        a, b = (cell.root() for cell in pending.pop())
        if a is b:
            continue
        b.parent = a
        a.is_pointer |= b.is_pointer
        a.is_array |= b.is_array
        a.is_managed |= b.is_managed
        a.is_parameter |= b.is_parameter
        a.is_thing |= b.is_thing
        a.is_truth |= b.is_truth
        a.is_switched |= b.is_switched
        a.width = max(a.width, b.width)
        a.sum_of = a.sum_of or b.sum_of
        a.below |= b.below
        a.above |= b.above
        a.owners |= b.owners
        a.near |= b.near
        a.constants |= b.constants
        a.given |= b.given
        if a.element is None:
            a.element = b.element
        elif b.element is not None:
            pending.append((a.element, b.element))
        if a.record is None:
            a.record = b.record
        elif b.record is not None:
            a.record, same = meet(a.record, b.record)
            pending += same


def flow(target: Type, source: Type, constant: int | None = None) -> None:
    """Let a value be put where a type is expected; ``constant`` is its number, if it is one."""
    if isinstance(target, Cell):
        if isinstance(source, Cell):
            unite(target, source)
        elif source is not None:
            put(target, source)
        elif constant is not None:
            root = target.root()
            root.constants.add(constant)
            root.given.add(constant)
    elif isinstance(source, Cell) and target is not None:
        give(source, target)


def put(cell: Cell, type: str) -> None:
    """A value of a type is put into a variable."""
    if type.endswith("[]"):
        put(cell.elements(), type[:-2])
    cell.root().below.add(type)


def give(cell: Cell, type: str) -> None:
    """A variable is given where a type is expected."""
    if type.endswith("[]"):
        give(cell.elements(), type[:-2])
    cell.root().above.add(type)


class CellItem:
    """A variable or field: ``count`` elements (0: no array) of ``stride`` bytes, a value
    (``cell``) or a struct (``record``)."""

    __slots__ = (
        "by_value",
        "cell",
        "count",
        "exported",
        "is_buffer",
        "name",
        "offset",
        "record",
        "stride",
        "used"
    )  # fmt: skip

    def __init__(self, offset: int, stride: int, count: int = 0) -> None:
        self.name: str = ""
        self.offset: int = offset
        self.stride: int = stride
        self.count: int = count
        self.cell: Cell = Cell()
        self.record: Record | None = None
        self.exported: bool = False
        self.used: bool = True
        self.by_value: bool = False
        self.is_buffer: bool = False

    @property
    def size(self) -> int:
        """All its bytes."""
        return self.stride * max(self.count, 1)


class Record:
    """A struct of the game's own: its fields by offset, as they are met with."""

    __slots__ = ("base", "fields", "first", "name", "parent", "room", "size")

    def __init__(
        self, size: int = 0, name: str = "", room: int = 0, first: int | None = None
    ) -> None:
        self.name: str = name
        self.size: int = size
        #: The most bytes that it can have, where variables of it show that; or 0.
        self.room: int = room
        #: The most bytes that what it extends can have, where local variables show that.
        self.first: int | None = first
        self.parent: Record | None = None
        self.base: Record | None = None
        self.fields: dict[int, CellItem] = {}

    def root(self) -> Record:
        """The record that stands for all that were joined with this one."""
        record = self
        while record.parent is not None:
            record = record.parent
        return record

    def type_name(self) -> str:
        """The name of the struct."""
        return self.root().name

    def lineage(self) -> Iterator[Record]:
        """The record and those it extends."""
        record: Record | None = self.root()
        while record is not None:
            yield record
            record = record.base.root() if record.base is not None else None

    def derives(self, other: Record) -> bool:
        """Whether a record is another one, or extends it."""
        return any(record is other.root() for record in self.lineage())

    def has_room(self, base: Record) -> bool:
        """Whether a record can extend another one, as far as variables show it."""
        end = base.end()
        return not 0 < self.room < end and (self.first is None or end <= self.first)

    def at(self, offset: int, width: int, array: tuple[int, int] | None) -> CellItem:
        """The field at an offset, made where there is none: of some bytes, or an array of elements
        of some bytes and their number (0: not known)."""
        for record in self.lineage():
            known = record.fields.get(offset)
            if known is not None:
                if array and not known.count:
                    known.count = array[1] or 1
                return known
        for record in self.lineage():
            for item in record.fields.values():
                if item.offset <= offset < item.offset + item.size:
                    return item
        made = CellItem(offset, array[0], array[1] or 1) if array else CellItem(offset, width)
        made.name = f"field_{offset}"
        self.root().fields[offset] = made
        return made

    def end(self) -> int:
        """The bytes that the record has at least."""
        ends = [item.offset + item.size for r in self.lineage() for item in r.fields.values()]
        ends += [record.size for record in self.lineage()]
        return (max(ends) + 3) // 4 * 4

    def used(self) -> int:
        """Where the last field ends, or what the record extends."""
        fields = self.root().fields.values()
        base = self.root().base
        ends = [item.offset + item.size for item in fields]
        return max([0, *ends] if base is None else [base.end(), *ends])

    def decide_fields(self) -> bool:
        """Let fields that lie in the record that this one extends be its fields; whether there
        were any.

        One that becomes its field can give the other record more bytes, in which the next field
        lies: what extends a record begins at a multiple of 4.
        """
        record = self.root()
        if record.base is None:
            return False
        base = record.base.root()
        end = base.end()
        moved = False
        for offset in sorted(record.fields):
            if offset >= end:
                break
            moved = True
            item = record.fields.pop(offset)
            known = base.fields.setdefault(offset, item)
            if known is not item:
                known.count = max(known.count, item.count)
                unite(known.cell, item.cell)
            end = max(end, (offset + known.size + 3) // 4 * 4)
        return moved


def meet(
    first: Record, second: Record, *, ordered: bool = False
) -> tuple[Record, list[tuple[Cell, Cell]]]:
    """The record of an object that belongs to both of two records, and the cells that become the
    same.

    Records that have no two names become one; of others one extends the other: the first the
    second, where they are ``ordered``, or else the one that is known to have more bytes, if its
    own pointers are behind those of the other.
    """
    a, b = first.root(), second.root()
    if a is b or a.derives(b):
        return a, []
    if b.derives(a):
        return b, []
    if a.name and b.name:
        if 0 < a.room < b.end() or (not ordered and _is_base(a, b)):
            a, b = b, a
        _insert(a, b)
        return a, []
    if b.name:
        a, b = b, a
    b.parent = a
    same: list[tuple[Cell, Cell]] = []
    if a.base is None or b.base is None:
        a.base = a.base or b.base
    else:
        a.base, same = meet(a.base, b.base)
    a.size = max(a.size, b.size)
    for offset, item in b.fields.items():
        known = a.fields.setdefault(offset, item)
        if known is not item:
            known.count = max(known.count, item.count)
            same.append((known.cell, item.cell))
    return a, same


def _is_base(first: Record, second: Record) -> bool:
    """Whether the second of two records rather extends the first than the first the second."""
    if first.has_room(second) != second.has_room(first):
        return second.has_room(first)
    return first.size < second.size


def _insert(record: Record, base: Record) -> None:
    """Let a record extend another one: behind all that it extends, but for what is too small to
    have all of that, and what both extend."""
    above = list(base.lineage())
    last = record
    while last.base is not None:
        following = last.base.root()
        if following in above or not following.has_room(base):
            break
        last = following
    rest, last.base = last.base, base
    if rest is not None and rest.root() not in above:
        below = list(rest.lineage())
        tail = next(one for one in above if one.base is None or one.base.root() in below)
        tail.base = rest


def _is_flag(cell: Cell, parameter: bool) -> bool:
    """Whether the numbers that are known of a value are those of a bool, if no condition asks for
    it: a function or variable of another script that is only compared with 0 counts something, and
    one number alone that another script's function gets is no choice."""
    if not cell.is_parameter:
        is_count = cell.constants == {0} and not cell.given
        is_same = parameter and len(cell.constants) == 1 and cell.constants == cell.given
        if is_count or is_same:
            return False
    return bool(cell.constants) and cell.constants <= {0, 1}


def looks_like_float(number: int) -> bool:
    """Whether a number is more likely the bits of a float: one with few digits."""
    if not 0x2000_0000 < number & 0x7FFF_FFFF < 0x6000_0000:
        return False
    bits = (number & 0xFFFF_FFFF).to_bytes(4, "little")
    value: float = struct.unpack("<f", bits)[0]
    return struct.pack("<f", float(f"{value:.5g}")) == bits


class Types:
    """The types of cells, once all that flows together has."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._known: dict[int, str] = {}
        self._open: set[int] = set()

    def of(self, type: Type, *, parameter: bool = False) -> str:
        """The type as written; ``int`` where nothing is known."""
        if not isinstance(type, Cell):
            return type or "int"
        root = type.root()
        key = 2 * id(root) + parameter
        if key not in self._known:
            if key in self._open:
                return "int"
            self._open.add(key)
            self._known[key] = self._find(root, parameter)
            self._open.discard(key)
        return self._known[key]

    def _find(self, cell: Cell, parameter: bool) -> str:
        known = cell.below | cell.above
        if cell.width:
            return "char" if cell.width == 1 else "short"
        if cell.is_array:
            element = self.of(cell.element) if cell.element is not None else "int"
            return f"{element}[]"
        is_pointer = cell.is_pointer or cell.is_managed or cell.owners or cell.near
        if is_pointer or any(map(self.library.is_pointer, known)):
            return self._pointer(cell)
        if cell.record is not None and cell.constants <= {0}:
            return f"{cell.record.type_name()}*"
        if "float" in known:
            return "float"
        if TEXT in known or "string" in known:
            return TEXT if parameter and "string" not in cell.above else "string"
        return self._enum(cell, known, parameter)

    def _enum(self, cell: Cell, known: set[str], parameter: bool) -> str:
        enums = {type for type in known if type in self.library.enums}
        numbers = cell.constants - {0}
        if not enums and "int" not in known and numbers and all(map(looks_like_float, numbers)):
            return "float"
        is_number = known & _NUMBERS or (cell.is_switched and not enums)
        is_flag = cell.is_truth or _is_flag(cell, parameter)
        if is_flag and not is_number and not enums - {"bool"}:
            return "bool" if cell.constants <= {0, 1} else "int"
        if len(enums) != 1 or cell.below & _NUMBERS:
            return "int"
        (enum,) = enums
        members = self.library.enums[enum]
        is_known = cell.constants <= members.keys() or (enum in cell.below and enum != TRUTH)
        return enum if is_known else "int"

    def _pointer(self, cell: Cell) -> str:
        known = cell.below | cell.above
        if "String" in known or TEXT in known or "String" in cell.owners:
            return "String"
        below = {type[:-1] for type in cell.below if type.endswith("*")}
        above = {type[:-1] for type in cell.above if type.endswith("*")} | cell.owners
        if not below and not above:
            above |= cell.near
        if cell.record is not None and not any(map(self.library.is_struct, below | above)):
            above.add(cell.record.type_name())
        lowest = self._common(below)
        if lowest and all(self._fits(lowest, name) for name in above):
            return f"{lowest}*"
        deepest = self._deepest(above)
        if deepest or lowest:
            return f"{deepest or lowest}*"
        return _SOME_THING if cell.is_thing else "String"

    def _fits(self, name: str, base: str) -> bool:
        return name == base or self.library.derives(name, base)

    def _common(self, names: Iterable[str]) -> str:
        """The properties that all of some structs share."""
        names = sorted(names)
        if len(names) < 2:
            return names[0] if names else ""
        for base in self.library.lineage(names[0]):
            if all(self._fits(name, base.name) for name in names):
                return base.name
        return ""

    def _deepest(self, names: Iterable[str]) -> str:
        """The one of some structs that extends the others."""
        names = sorted(names)
        for name in names:
            if all(self._fits(name, base) for base in names):
                return name
        return names[0] if names else ""
