"""The string table (STRG): entries with an identity, which behave like ``str`` to people."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from typing import Any, Self, SupportsIndex, overload

from overhaul.document.notebook import table_of
from overhaul.errors import EncodeError, FormatError
from overhaul.schema.streams import Buffer, Reader, Writer

Data = bytes | memoryview

_U32 = struct.Struct("<I")


class String(str):
    """One entry of the string table: a ``str`` that knows its place.

    Fields that name a string hold the entry itself, so that order and duplicates survive.  An
    entry never changes, but the table can put another in its place (``table[number] = "text"``);
    fields that hold the one before then show the new one, as all share it.  Bytes that are not
    UTF-8 appear as surrogate escapes and write back as they were.
    """

    __slots__ = ("later", "number", "table")

    #: its place in the table; -1 outside of any
    number: int
    #: the table the entry is in
    table: StringTable | None
    #: the entry that took its place
    later: String | None

    def __new__(cls, text: str | bytes = "", number: int = -1) -> String:
        """An entry that is in no table yet."""
        self = decoded(text) if isinstance(text, bytes) else str.__new__(cls, text)
        self.number = number
        self.table = self.later = None
        return self

    @property
    def current(self) -> String:
        """The entry that has this place now: itself, until another took it."""
        string = self
        while string.later is not None:
            string = string.later
        if string is not self:
            self.later = string
        return string

    @property
    def text(self) -> str:
        """The text that this place of the table has now; setting it is ``table[number] = text``."""
        return str(self.current)

    @text.setter
    def text(self, value: str) -> None:
        entry, table = self.current, self.table
        if table is not None and self.number < len(table) and table[self.number] is entry:
            table[self.number] = value
        else:
            entry.later = String(value)

    @property
    def raw(self) -> bytes:
        """The bytes that this place of the table has now, without the terminating zero."""
        try:
            return self.current.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError as error:
            raise EncodeError(f"the string {self.text!r} is not text: {error}") from None

    def __copy__(self) -> String:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> String:
        return self  # a copied record has the same string

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (str(self),)  # another process has no table


def decoded(raw: bytes) -> String:
    """An entry of these bytes, for a table that is made of many at once."""
    return str.__new__(String, raw, "utf-8", "surrogateescape")


def current(value: object) -> object:
    """The current entry at the place of ``value``, which a field shows."""
    if type(value) is String and value.later is not None:
        return value.current
    return value


class StringTable(list["String"]):
    """All strings of a game, in file order.  Plain texts put into it become entries."""

    def __init__(self, strings: Iterable[String] = ()) -> None:
        super().__init__(strings)
        self._known: dict[str, String] | None = None
        self._looked_up = (0, 0)
        #: called before entries move: fields not read yet hold addresses of the stored order, and
        #: code has the numbers of texts
        self.changing: Callable[[], None] | None = None
        #: how many entries were replaced: earlier lookups by text may be stale
        self.edits: int = 0
        self.renumber()

    def __repr__(self) -> str:
        return f"<{len(self)} strings>"

    def _repr_html_(self) -> str:
        """A table of the first strings, for notebooks."""
        rows = ([number, str(string)] for number, string in enumerate(self))
        return table_of(f"{len(self)} strings", ["", "text"], rows, len(self))

    def renumber(self) -> None:
        """Set every entry's number after the order changed."""
        for number, string in enumerate(self):
            string.number = number
            string.table = self
            string.later = None

    def forget(self) -> None:
        """Renumber the entries and forget lookups, after the list was edited in place."""
        self._known = None
        self.renumber()

    @overload
    def __setitem__(self, key: SupportsIndex, value: str) -> None: ...
    @overload
    def __setitem__(self, key: slice, value: Iterable[str]) -> None: ...
    def __setitem__(self, key: Any, value: Any) -> None:
        numbers = range(len(self))[key]
        if isinstance(numbers, int):
            self._replace(numbers, value)
            return
        texts = list(value)
        if len(texts) == len(numbers):
            for number, text in zip(numbers, texts, strict=True):
                self._replace(number, text)
        else:
            self._before_move()
            super().__setitem__(key, [_new(text) for text in texts])
            self.forget()

    def _before_move(self) -> None:
        if self.changing is not None:
            self.changing()

    def _replace(self, number: int, text: str) -> None:
        """Give a place another text, for everything that shares the entry."""
        before = self[number]
        if text is before:
            return
        new = String(_text(text), number)
        new.table = self
        super().__setitem__(number, new)
        before.later = new
        self.edits += 1

    def let_go(self) -> None:
        """Let go of the entries, which hold the table."""
        self.changing = self._known = None
        for string in self:
            string.table = None
        list.clear(self)

    def find(self, text: str) -> String | None:
        """The first entry with this text."""
        known = self._known
        if known is not None:
            number = known.get(text)
            if number is not None and number.later is None:
                return number
            if self._looked_up == (len(self), self.edits):
                return None
        known = self._known = {}
        for string in self:
            known.setdefault(string, string)
        self._looked_up = (len(self), self.edits)
        return known.get(text)

    def add(self, text: str) -> String:
        """The first entry with this text; a new one at the end if there is none."""
        number = self.find(text)
        if number is None:
            number = self.add_new(text)
        return number

    def add_new(self, text: str) -> String:
        """A new entry at the end, whether or not the text is there already."""
        count = len(self)
        string = _new(text)
        string.number = count
        string.table = self
        super().append(string)
        if self._known is not None:
            self._known.setdefault(string, string)
            if self._looked_up[0] == count:
                self._looked_up = (count + 1, self._looked_up[1])
        return string

    def append(self, text: str) -> None:
        """As :meth:`add_new`."""
        self.add_new(text)

    def extend(self, texts: Iterable[str]) -> None:
        """Add new entries at the end."""
        for text in texts:
            self.add_new(text)

    def __iadd__(self, texts: Iterable[str]) -> Self:  # type: ignore[misc,override]
        self.extend(texts)
        return self

    def insert(self, number: SupportsIndex, text: str) -> None:
        """Add a new entry before number ``number``; those behind it move.

        Raises EncodeError in a game with code, whose instructions have the numbers of texts, as
        all that moves or removes entries does.
        """
        self._before_move()
        super().insert(number, _new(text))
        self.forget()

    def __delitem__(self, key: SupportsIndex | slice) -> None:
        self._before_move()
        super().__delitem__(key)
        self.forget()

    def pop(self, number: SupportsIndex = -1) -> String:
        """Take out an entry; those behind it move."""
        self._before_move()
        taken = super().pop(number)
        self.forget()
        return taken

    def remove(self, text: str) -> None:
        """Take out the first entry with a text; those behind it move.  Raises ValueError where no
        entry has it."""
        number = next((number for number, each in enumerate(self) if each == text), None)
        if number is None:
            raise ValueError(f"there is no text {text!r}")
        del self[number]

    def clear(self) -> None:
        """Take out all entries."""
        del self[:]

    def reverse(self) -> None:
        """Turn the order round."""
        self._before_move()
        super().reverse()
        self.forget()

    def sort(self, **how: Any) -> None:
        """Sort the entries."""
        self._before_move()
        super().sort(**how)
        self.forget()

    def __imul__(self, count: SupportsIndex) -> Self:
        raise EncodeError("the texts of a game can't be multiplied")

    def cut(self, count: int) -> None:
        """Take out the entries from number ``count`` on (those added last)."""
        known = self._known
        if known is not None and self._looked_up[0] == len(self):
            for string in self[count:]:
                if known.get(string) is string:
                    del known[string]
            self._looked_up = (min(count, len(self)), self._looked_up[1])
        super().__delitem__(slice(count, None))

    def encode(self, value: object) -> int:
        """The provisional number of a string field: number + 1, or 0 for no string."""
        if type(value) is String:
            entry = value if value.later is None else value.current
            number = entry.number
            if 0 <= number < len(self) and self[number] is entry:
                return number + 1
            return self.add(entry).number + 1
        if value is None:
            return 0
        return self.add(_text(value)).number + 1


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise EncodeError(f"expected a string, got {type(value).__name__}")
    return value


def _new(text: str) -> String:
    """An entry that is in no table."""
    return text if type(text) is String and text.table is None else String(_text(text))


class AddressTable(dict[int, String | None]):
    """String fields on reading: from the address of the first character to the entry."""

    def __init__(self, table: StringTable, pointers: tuple[int, ...]) -> None:
        super().__init__()
        self[0] = None
        # entries added since the file was opened follow the stored ones
        for pointer, string in zip(pointers, table, strict=False):
            self[pointer + 4] = string

    def __missing__(self, address: int) -> String | None:
        raise FormatError(f"no string begins at {address:#x}")


#: the strings are padded to a multiple of this
STRINGS_END = 128


class StringRecord:
    """The content of STRG, read without the classes of records: as
    :class:`~overhaul.gamemaker.data.chunks.strg.StringList`."""

    __slots__ = ("strings",)

    def __init__(self, strings: StringTable) -> None:
        self.strings: StringTable = strings

    def __eq__(self, other: object) -> bool:
        strings: object = getattr(other, "strings", None)
        return strings == self.strings if isinstance(strings, list) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


def read_pointers(data: Buffer, position: int, reader: Reader) -> tuple[tuple[int, ...], int]:
    """The count and pointers a pointer list begins with, and the position after them."""
    reader.take(data, position, 4)
    (count,) = _U32.unpack_from(data, position)
    if 4 * count > len(data) - position - 4:
        raise reader.fail(f"a count of {count} does not fit the chunk", position)
    pointers = struct.unpack_from(f"<{count}I", data, position + 4)
    return pointers, position + 4 + 4 * count


def read_strings(data: Buffer, position: int, reader: Reader) -> tuple[StringTable, int]:
    """The strings of a pointer list: length, bytes, a zero; aligned to 4 in newer files."""
    pointers, position = read_pointers(data, position, reader)
    alignment = reader.version.string_alignment
    unpack = _U32.unpack_from
    size = len(data)
    strings: list[String] = []
    append = strings.append
    for index, pointer in enumerate(pointers):
        if alignment > 1 and position % alignment:
            position = reader.skip_padding(data, position, alignment)
        if pointer != position:
            if not reader.base <= pointer <= size - 5:
                raise reader.fail(
                    f"the pointer {pointer:#x} is outside the chunk", position
                ).within("", index)
            reader.note("a string out of order", pointer)
            reader.charge(data, 64, pointer)
        if pointer > size - 5:
            raise reader.truncated(data, pointer).within("", index)
        (length,) = unpack(data, pointer)
        end = pointer + 4 + length
        if end >= size or data[end]:
            raise reader.fail("a string without a zero byte at the end", pointer).within("", index)
        append(decoded(bytes(data[pointer + 4 : end])))
        position = end + 1
    return StringTable(strings), position


def write_strings(writer: Writer, table: StringTable) -> None:
    """Append the pointer list of the strings."""
    out = writer.out
    count = len(table)
    out += _U32.pack(count)
    start = len(out)
    position = writer.position + 4 * count
    alignment = writer.version.string_alignment
    pointers = []
    parts = []
    for string in table:
        raw = string.raw
        padding = -position % alignment
        if padding:
            parts.append(bytes(padding))
            position += padding
        pointers.append(position)
        parts.append(_U32.pack(len(raw)))
        parts.append(raw)
        parts.append(b"\0")
        position += 5 + len(raw)
    out += struct.pack(f"<{count}I", *pointers)
    out += b"".join(parts)
    writer.noted("pointer").extend(range(start, start + 4 * count, 4))


#: no name of a game or of a file is longer
_LONGEST_NAME = 1 << 16


def name_at(data: Data, address: int) -> str:
    """The name whose first character is at ``address``, read without the table of strings."""
    if address == 0:
        return ""
    if not 4 <= address <= len(data):
        raise FormatError(f"no string begins at {address:#x}")
    (length,) = _U32.unpack_from(data, address - 4)
    if length > min(len(data) - address, _LONGEST_NAME):
        raise FormatError(f"the string at {address:#x} is longer than a name, or than the file")
    return bytes(data[address : address + length]).decode("utf-8", "surrogateescape")
