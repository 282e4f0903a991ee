"""The string table (STRG): entries with an identity, which behave like ``str`` to people."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

from overhaul.errors import EncodeError, FormatError

Data = bytes | memoryview

_U32 = struct.Struct("<I")


class String:
    """One entry of the string table.

    Fields that name a string hold the entry itself, so that order and duplicates survive.
    Setting :attr:`text` changes the string for everything that shares the entry.  Bytes that are
    not UTF-8 appear as surrogate escapes and write back as they were.
    """

    __slots__ = ("_raw", "_text", "index", "table")

    def __init__(self, text: str | bytes = "", index: int = -1) -> None:
        self._raw: bytes | None = None
        self._text: str | None = None
        if isinstance(text, bytes):
            self._raw = text
        else:
            self._text = text
        self.index = index
        #: the table the entry is in, which counts changes of texts
        self.table: StringTable | None = None

    @property
    def text(self) -> str:
        """The string as text."""
        text = self._text
        if text is None:
            text = self._text = self.raw.decode("utf-8", "surrogateescape")
        return text

    @text.setter
    def text(self, value: str) -> None:
        self._text = value
        self._raw = None
        if self.table is not None:
            self.table.edits += 1

    @property
    def raw(self) -> bytes:
        """The string's bytes, without the terminating zero."""
        raw = self._raw
        if raw is None:
            try:
                raw = self._raw = (self._text or "").encode("utf-8", "surrogateescape")
            except UnicodeEncodeError as error:
                raise EncodeError(f"the string {self._text!r} is not text: {error}") from None
        return raw

    def __deepcopy__(self, memo: dict[int, object]) -> String:
        return self  # a copied record has the same string

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return repr(self.text)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, String):
            return self is other or self.text == other.text
        return self.text == other if isinstance(other, str) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)

    def __lt__(self, other: String | str) -> bool:
        return self.text < str(other)

    def __len__(self) -> int:
        return len(self.text)

    def __contains__(self, part: str) -> bool:
        return part in self.text

    def __iter__(self) -> Iterator[str]:
        return iter(self.text)

    def __getitem__(self, item: int | slice) -> str:
        return self.text[item]

    def __add__(self, other: object) -> str:
        return self.text + str(other)

    def __radd__(self, other: str) -> str:
        return other + self.text

    def __format__(self, format: str) -> str:
        return self.text.__format__(format)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.text, name)


class StringTable(list["String"]):
    """All strings of a game, in file order."""

    def __init__(self, strings: list[String] | tuple[String, ...] = ()) -> None:
        super().__init__(strings)
        self._known: dict[str, String] | None = None
        self._looked_up = (0, 0)
        #: how often the text of an entry was set: what was looked up by text before may be stale
        self.edits = 0
        self.number()

    def number(self) -> None:
        """Set every entry's index after the order changed."""
        for index, string in enumerate(self):
            string.index = index
            string.table = self

    def forget(self) -> None:
        """Renumber the entries and forget lookups, after the list was edited in place."""
        self._known = None
        self.number()

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        self._known = None

    def find(self, text: str) -> String | None:
        """The first entry with this text."""
        known = self._known
        if known is not None:
            found = known.get(text)
            if found is not None and found.text == text:
                return found
            if self._looked_up == (len(self), self.edits):
                return None
        known = self._known = {}
        for string in self:
            string.table = self
            known.setdefault(string.text, string)
        self._looked_up = (len(self), self.edits)
        return known.get(text)

    def add(self, text: str) -> String:
        """The first entry with this text; a new one at the end if there is none."""
        found = self.find(text)
        if found is None:
            found = self.add_new(text)
        return found

    def add_new(self, text: str) -> String:
        """A new entry at the end, whether or not the text is there already."""
        count = len(self)
        string = String(text, count)
        string.table = self
        self.append(string)
        if self._known is not None:
            self._known.setdefault(text, string)
            if self._looked_up[0] == count:
                self._looked_up = (count + 1, self._looked_up[1])
        return string

    def cut(self, count: int) -> None:
        """Take out the entries from number ``count`` on (those added last)."""
        known = self._known
        if known is not None and self._looked_up[0] == len(self):
            for string in self[count:]:
                if known.get(string.text) is string:
                    del known[string.text]
            self._looked_up = (min(count, len(self)), self._looked_up[1])
        del self[count:]

    def encode(self, value: object) -> int:
        """The provisional number of a string field: index + 1, or 0 for no string."""
        if type(value) is String:
            index = value.index
            if 0 <= index < len(self) and self[index] is value:
                return index + 1
            return self.add(value.text).index + 1
        if value is None:
            return 0
        if isinstance(value, str):
            return self.add(value).index + 1
        raise EncodeError(f"expected a string, got {type(value).__name__}")


class AddressTable(dict[int, String | None]):
    """String fields on reading: from the address of the first character to the entry."""

    def __init__(self, table: StringTable, pointers: tuple[int, ...]) -> None:
        super().__init__()
        self[0] = None
        # entries added since the file was opened follow those it has
        for pointer, string in zip(pointers, table, strict=False):
            self[pointer + 4] = string

    def __missing__(self, address: int) -> String | None:
        raise FormatError(f"no string begins at {address:#x}")


def string_at(data: Data, address: int) -> str:
    """The string whose first character is at ``address``, read without the table."""
    if address == 0:
        return ""
    if not 4 <= address <= len(data):
        raise FormatError(f"no string begins at {address:#x}")
    (length,) = _U32.unpack_from(data, address - 4)
    if length > len(data) - address:
        raise FormatError(f"the string at {address:#x} is longer than the file")
    return bytes(data[address : address + length]).decode("utf-8", "surrogateescape")
