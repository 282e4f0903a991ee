"""Lists: inline with a count, inline with a count stored elsewhere, and lists of pointers.

Lists of fixed-size records are read in bulk; the loop over single elements is the slow twin
that also finds the exact place of an error.
"""

from __future__ import annotations

import copy
import struct
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from typing import Any, Generic, Self, TypeVar

from overhaul.errors import EncodeError, FormatError
from overhaul.schema.codec import (
    Binder,
    BoundCodec,
    Codec,
    DeclaredCodec,
    FieldCodec,
    FixedCodec,
    resolve,
)
from overhaul.schema.exact import pack_exact, unpack_exact
from overhaul.schema.fields import BoundRecord
from overhaul.schema.streams import LENGTHS, U32, Buffer, Reader, Writer

#: the exceptions of the standard library for missing bytes
StructError = struct.error
T = TypeVar("T")


# --- elements -------------------------------------------------------------------------------


class Elements(ABC, Generic[T]):
    """How to read and write many elements of one kind: what every list does with them.

    ``minimum`` is the fewest bytes that one takes.
    """

    minimum: int

    @abstractmethod
    def read_one(self, data: Buffer, position: int, reader: Reader) -> tuple[T, int]:
        """The element at ``position``, and the position after it."""

    @abstractmethod
    def read_many(
        self, data: Buffer, position: int, count: int, reader: Reader
    ) -> tuple[list[T], int]:
        """``count`` elements from ``position`` on, and the position after them."""

    @abstractmethod
    def write_many(self, writer: Writer, items: list[T]) -> None:
        """Append the elements."""


class _FixedElements(Elements[Any]):
    """Numbers, or numbers resolved through a table."""

    def __init__(self, codec: FixedCodec) -> None:
        self.codec = codec
        self.minimum = codec.size

    def layout(self, count: int) -> str:
        """The struct format of ``count`` elements; bytes have a size of their own before the s."""
        format = self.codec.format
        return "<" + format * count if format[0].isdigit() else f"<{count}{format}"

    def read_one(self, data: Buffer, position: int, reader: Reader) -> tuple[Any, int]:
        values, end = self.read_many(data, position, 1, reader)
        return values[0], end

    def read_many(
        self, data: Buffer, position: int, count: int, reader: Reader
    ) -> tuple[list[Any], int]:
        codec = self.codec
        try:
            values = list(struct.unpack_from(self.layout(count), data, position))
        except StructError:
            raise reader.truncated(data, position) from None
        if codec.kind is not None:
            table = reader.tables[codec.kind]
            try:
                values = [table[value] for value in values]
            except FormatError:
                for index, value in enumerate(values):
                    try:
                        table[value]
                    except FormatError as error:
                        error.offset = position + index * codec.size
                        error.source = reader.source
                        raise error.within("", index) from None
        elif codec.format == "f" and any(value != value for value in values):
            values = list(unpack_exact(struct.Struct(f"<{count}f"), data, position))
        return values, position + count * codec.size

    def write_many(self, writer: Writer, items: list[Any]) -> None:
        codec = self.codec
        values = items
        if codec.kind is not None:
            encode = writer.encoders[codec.kind]
            values = [encode(item) for item in items]
            if codec.patched:
                start = len(writer.out)
                end = start + codec.size * len(values)
                writer.noted(codec.kind).extend(range(start, end, codec.size))
        try:
            if codec.format == "f" and any(value != value for value in values):
                writer.out += pack_exact(struct.Struct(f"<{len(values)}f"), tuple(values))
            else:
                writer.out += struct.pack(self.layout(len(values)), *values)
        except StructError as error:
            raise EncodeError(f"a value does not fit {codec.name}: {error}") from None


class _VariableElements(Elements[T]):
    """Elements that read themselves: records and anything with a codec of its own."""

    def __init__(self, codec: BoundCodec[T]) -> None:
        self.codec = codec
        self.minimum = codec.minimum
        #: the codec of elements that are records: those of fixed size go in bulk
        self.record: Codec[Any] | None = codec.codec if isinstance(codec, BoundRecord) else None

    def read_one(self, data: Buffer, position: int, reader: Reader) -> tuple[T, int]:
        return self.codec.read(data, position, reader)

    def read_many(
        self, data: Buffer, position: int, count: int, reader: Reader
    ) -> tuple[list[T], int]:
        record = self.record
        if record is not None and record.flat_size and count > 1:
            end = position + count * record.flat_size
            if end <= len(data):
                try:
                    return record.read_flat(data, position, count, reader), end
                except FormatError:
                    pass  # the loop below meets the same error and knows its place
        read = self.codec.read
        items: list[T] = []
        append = items.append
        index = 0
        try:
            for index in range(count):  # noqa: B007 - the except clause names it
                item, position = read(data, position, reader)
                append(item)
        except FormatError as error:
            raise error.within("", index) from None
        return items, position

    def write_many(self, writer: Writer, items: list[T]) -> None:
        record = self.record
        if record is not None and record.flat_size and len(items) > 1:
            record.write_flat(writer, items)
            return
        if len(items) > 1 and self.codec.write_many(writer, items):
            return
        write = self.codec.write
        index = 0
        try:
            for index, item in enumerate(items):  # noqa: B007 - the except clause names it
                write(writer, item)
        except EncodeError as error:
            raise error.within("", index) from None


def check_count(
    reader: Reader, data: Buffer, count: int, minimum: int, position: int, counted_at: int
) -> None:
    """FormatError if ``count`` elements of at least ``minimum`` bytes can't be there."""
    if count < 0 or count * (minimum or 1) > len(data) - position:
        raise reader.fail(
            f"a count of {count} does not fit the {max(0, len(data) - position)} bytes left",
            counted_at,
        )


# --- lists ----------------------------------------------------------------------------------


class ListCodec(DeclaredCodec[list[Any]]):
    """The base of list codecs; the element comes from the annotation ``list[Element]``."""

    element: FieldCodec | None = None

    def with_element(self, element: FieldCodec) -> Self:
        """A copy of this codec for one kind of element."""
        copied = copy.copy(self)
        copied.element = element
        return copied

    def element_name(self) -> str:
        """The element's type, as documentation shows it."""
        return "?" if self.element is None else self.element.type_name()

    def elements(self, binder: Binder) -> Elements[Any]:
        """How elements are read and written in one version."""
        element = None if self.element is None else resolve(self.element, binder.version)
        if isinstance(element, FixedCodec):
            return _FixedElements(element)
        if isinstance(element, DeclaredCodec):
            return _VariableElements(element.bind(binder))
        raise TypeError(f"{element!r} can't be an element of a list")

    def signature(self, binder: Binder) -> Hashable:
        return None if self.element is None else self.element.signature(binder)


class Inline(ListCodec):
    """A count, then the elements one after another."""

    def __init__(self, count: str = "I") -> None:
        self.count = count

    def type_name(self) -> str:
        return f"list of {self.element_name()}"

    def bind(self, binder: Binder) -> BoundCodec[list[Any]]:
        return BoundInline(self.elements(binder), self.count)


class BoundInline(BoundCodec[list[T]]):
    """A count, then the elements, in one version.

    ``layout`` is how the count is stored.
    """

    def __init__(self, elements: Elements[T], count: str) -> None:
        self.elements = elements
        self.layout: struct.Struct = LENGTHS[count]
        self.minimum = self.layout.size

    def read(
        self, data: Buffer, position: int, reader: Reader, *needed: object
    ) -> tuple[list[T], int]:
        try:
            (count,) = self.layout.unpack_from(data, position)
        except StructError:
            raise reader.truncated(data, position) from None
        start = position + self.layout.size
        if not count:
            return [], start
        elements = self.elements
        check_count(reader, data, count, elements.minimum, start, position)
        return elements.read_many(data, start, count, reader)

    def write(self, writer: Writer, value: list[T], *needed: object) -> None:
        try:
            writer.out += self.layout.pack(len(value))
        except StructError:
            raise EncodeError(f"{len(value)} elements are more than a count can hold") from None
        if value:
            self.elements.write_many(writer, value)


class Counted(ListCodec):
    """Elements whose count is an earlier field, or computed from earlier fields by ``count``.

    ``needs`` names the fields.
    """

    def __init__(self, *fields: str, count: Callable[..., int] | None = None) -> None:
        self.needs = fields
        self.count = count

    def is_length(self, version: object) -> bool:
        """Whether the earlier field is the length of the list itself, in a version."""
        return self.count is None

    def type_name(self) -> str:
        return f"{self.element_name()} × {self.needs[0]}"

    def bind(self, binder: Binder) -> BoundCodec[list[Any]]:
        return BoundCounted(self.elements(binder), self.needs, self.count)


class Times(ListCodec):
    """A fixed ``count`` of elements."""

    def __init__(self, count: int) -> None:
        self.count = count

    def type_name(self) -> str:
        return f"{self.element_name()} × {self.count}"

    def bind(self, binder: Binder) -> BoundCodec[list[Any]]:
        return BoundCounted(self.elements(binder), (), lambda: self.count)


class BoundCounted(BoundCodec[list[T]]):
    """Elements whose count is known from elsewhere, in one version.

    ``elements`` reads and writes them.
    """

    def __init__(
        self,
        elements: Elements[T],
        needs: tuple[str, ...],
        count: Callable[..., int] | None = None,
    ) -> None:
        self.elements = elements
        self.needs = needs
        self.count = count

    def read(
        self, data: Buffer, position: int, reader: Reader, *needed: Any
    ) -> tuple[list[T], int]:
        count = needed[0] if self.count is None else self.count(*needed)
        if not count:
            return [], position
        check_count(reader, data, count, self.elements.minimum, position, position)
        return self.elements.read_many(data, position, count, reader)

    def write(self, writer: Writer, value: list[T], *needed: object) -> None:
        count = needed[0] if self.count is None else self.count(*needed)
        if len(value) != count:
            name = " and ".join(self.needs) or "the count"
            if self.needs and self.count is not None:
                name = f"the count by {name}"
            raise EncodeError(f"{name} is {count}, but there are {len(value)}")
        self.elements.write_many(writer, value)


class ToEnd(ListCodec):
    """Elements up to the end of the structure they stand in; no count is stored.

    With ``whole``, the list ends before bytes that are too few for an element.
    """

    def __init__(self, *, whole: bool = False) -> None:
        self.whole = whole

    def type_name(self) -> str:
        return f"{self.element_name()} to the end"

    def bind(self, binder: Binder) -> BoundCodec[list[Any]]:
        return _BoundToEnd(self.elements(binder), self.whole)


class _BoundToEnd(BoundCodec[list[T]]):
    def __init__(self, elements: Elements[T], whole: bool) -> None:
        self.elements = elements
        self.whole = whole

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[list[T], int]:
        elements = self.elements
        if self.whole:
            count = max(0, len(data) - position) // elements.minimum
            return elements.read_many(data, position, count, reader)
        items: list[T] = []
        while position < len(data):
            try:
                item, end = elements.read_one(data, position, reader)
            except FormatError as error:
                raise error.within("", len(items)) from None
            if end <= position:
                raise reader.fail("an element takes no bytes", position)
            items.append(item)
            position = end
        return items, position

    def write(self, writer: Writer, value: list[T]) -> None:
        self.elements.write_many(writer, value)


# --- pointers -------------------------------------------------------------------------------


class Pointers(ListCodec):
    """A count, as many absolute pointers, then the records they point to.

    ``align`` puts each record at a multiple of that many bytes (a number, or a function of the
    version).  A zero pointer is a None element; with ``present``, it is refused.
    """

    def __init__(self, align: int | Callable[[Any], int] = 1, *, present: bool = False) -> None:
        self.align = align
        self.present = present

    def type_name(self) -> str:
        return f"pointer list of {self.element_name()}"

    def alignment(self, version: object) -> int:
        """The alignment of records in a version."""
        return self.align if isinstance(self.align, int) else self.align(version)

    def signature(self, binder: Binder) -> Hashable:
        return self.alignment(binder.version), self.present, super().signature(binder)

    def bind(self, binder: Binder) -> BoundCodec[list[Any]]:
        elements = self.elements(binder)
        if not isinstance(elements, _VariableElements):
            raise TypeError("a pointer leads to a record, not to a number")
        return _BoundPointers(elements, self.alignment(binder.version), self.present)


class _BoundPointers(BoundCodec[list["T | None"]]):
    minimum = 4

    def __init__(self, elements: _VariableElements[T], alignment: int, present: bool) -> None:
        self.codec = elements.codec
        self.record = elements.record
        self.alignment = alignment
        self.present = present

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[list[T | None], int]:
        try:
            (count,) = U32.unpack_from(data, position)
        except StructError:
            raise reader.truncated(data, position) from None
        check_count(reader, data, count, 4, position + 4, position)
        position += 4
        pointers = struct.unpack_from(f"<{count}I", data, position)
        position += 4 * count
        record = self.record
        if record is not None and record.flat_size and count > 1:
            size = record.flat_size
            start = position + (-position % self.alignment)
            if (
                size % self.alignment == 0
                and pointers[0] == start
                and pointers[-1] == start + (count - 1) * size
                and start + count * size <= len(data)
                and pointers == tuple(range(start, start + count * size, size))
            ):
                try:
                    items = record.read_flat(data, start, count, reader)
                    reader.skip_padding(data, position, self.alignment)
                    return items, start + count * size
                except FormatError:
                    pass  # the loop below meets the same error and knows its place
        return self._read_each(data, position, reader, pointers)

    def _read_each(
        self,
        data: Buffer,
        position: int,
        reader: Reader,
        pointers: tuple[int, ...],
    ) -> tuple[list[T | None], int]:
        read = self.codec.read
        alignment = self.alignment
        items: list[T | None] = []
        seen: dict[int, T] = {}
        index = 0
        try:
            for index, pointer in enumerate(pointers):  # noqa: B007 - see the except clause
                if pointer == 0:
                    if self.present:
                        raise reader.fail("it is missing: its pointer is 0", position)
                    items.append(None)
                    continue
                if alignment > 1:
                    expected = position + (-position % alignment)
                    if expected == pointer and expected != position:
                        reader.skip_padding(data, position, alignment)
                else:
                    expected = position
                if pointer != expected:
                    if pointer in seen:
                        reader.note("two pointers to one element", pointer)
                        items.append(seen[pointer])
                        continue
                    if not reader.base <= pointer < len(data):
                        raise reader.fail(
                            f"the pointer {pointer:#x} leads out of the structure",
                            pointer if pointer < len(data) else None,
                        )
                    reader.note(f"an element out of running order ({expected:#x})", pointer)
                    item, end = read(data, pointer, reader)
                    reader.charge(data, end - pointer, pointer)
                    position = max(position, end)
                else:
                    item, position = read(data, pointer, reader)
                seen[pointer] = item
                items.append(item)
        except FormatError as error:
            raise error.within("", index) from None
        return items, position

    def write(self, writer: Writer, value: list[T | None]) -> None:
        out = writer.out
        count = len(value)
        out += U32.pack(count)
        table = len(out)
        out += bytes(4 * count)
        record = self.record
        alignment = self.alignment
        noted = writer.noted("pointer")
        if (
            record is not None
            and record.flat_size
            and count > 1
            and record.flat_size % alignment == 0
            and None not in value
        ):
            writer.align(alignment)
            start = writer.position
            record.write_flat(writer, value)
            size = record.flat_size
            struct.pack_into(f"<{count}I", out, table, *range(start, start + count * size, size))
            noted.extend(range(table, table + 4 * count, 4))
            return
        write = self.codec.write
        index = 0
        try:
            for index, item in enumerate(value):
                if item is None:
                    continue
                if alignment > 1:
                    out += bytes(-len(out) % alignment)
                U32.pack_into(out, table + 4 * index, len(out) + writer.left_out)
                noted.append(table + 4 * index)
                write(writer, item)
        except EncodeError as error:
            raise error.within("", index) from None
