"""Lists: inline with a count, inline with a count stored elsewhere, and lists of pointers.

Lists of fixed-size records are read in bulk; the loop over single elements is the slow twin
that also finds the exact place of an error.
"""

from __future__ import annotations

import struct
import typing
from typing import Any

from overhaul.errors import EncodeError, FormatError
from overhaul.schema.fields import Embedded, FieldCodec, FixedCodec, VariableCodec
from overhaul.schema.streams import U32, Buffer, Reader, Writer

StructError = struct.error


class ListCodec(VariableCodec):
    """The base of list codecs; the element comes from the annotation ``list[Element]``."""

    element: FieldCodec | None = None

    def with_element(self, element: FieldCodec) -> ListCodec:
        """A copy of this codec for one kind of element."""
        copy: ListCodec = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy.element = element
        return copy

    def signature(self, version: Any) -> Any:
        element = self.element
        return element.signature(version) if isinstance(element, VariableCodec) else None

    def to_jsonable(self, value: Any, scheme: Any) -> Any:
        from overhaul.schema.jsonable import value_to_jsonable

        return [value_to_jsonable(self.element, item, scheme) for item in value]

    def from_jsonable(self, value: Any, scheme: Any) -> Any:
        from overhaul.schema.jsonable import list_from_plain

        return list_from_plain(self.element, value, scheme)

    def bind(self, version: Any) -> VariableCodec:
        copy = self.with_element(typing.cast(FieldCodec, self.element))
        copy._elements = bind_element(copy.element, version)  # type: ignore[attr-defined]
        return copy


class _Elements:
    """How to read and write many elements of one kind: what every list codec uses."""

    minimum: int

    def read_many(
        self, data: Buffer, position: int, count: int, reader: Reader
    ) -> tuple[list[Any], int]:
        raise TypeError

    def write_many(self, writer: Writer, items: list[Any]) -> None:
        raise TypeError


class _FixedElements(_Elements):
    """Numbers, or numbers resolved through a table."""

    def __init__(self, codec: FixedCodec) -> None:
        self.codec = codec
        self.minimum = codec.size

    def layout(self, count: int) -> str:
        """The struct format of ``count`` elements; bytes have a size of their own before the s."""
        format = self.codec.format
        return "<" + format * count if format[0].isdigit() else f"<{count}{format}"

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
            from overhaul.schema.exact import unpack_exact

            layout = struct.Struct(f"<{count}f")
            values = list(unpack_exact(layout, data, position))
        return values, position + count * codec.size

    def write_many(self, writer: Writer, items: list[Any]) -> None:
        codec = self.codec
        values = items
        if codec.kind is not None:
            encode = writer.encoders[codec.kind]
            values = [encode(item) for item in items]
            if codec.patched:
                start = len(writer.out)
                writer.noted(codec.kind).extend(
                    range(start, start + codec.size * len(values), codec.size)
                )
        try:
            if codec.format == "f" and any(value != value for value in values):
                from overhaul.schema.exact import pack_exact

                writer.out += pack_exact(struct.Struct(f"<{len(values)}f"), tuple(values))
            else:
                writer.out += struct.pack(self.layout(len(values)), *values)
        except StructError as error:
            raise EncodeError(f"a value does not fit {codec.name}: {error}") from None


class _VariableElements(_Elements):
    """Elements that read themselves: records and anything with a codec of its own."""

    def __init__(self, codec: VariableCodec, version: Any) -> None:
        self.codec = codec
        self.minimum = codec.minimum(version)
        self.bulk = getattr(codec, "codec", None) if isinstance(codec, Embedded) else None

    def read_one(self, data: Buffer, position: int, reader: Reader) -> tuple[Any, int]:
        return self.codec.read(data, position, reader)

    def read_many(
        self, data: Buffer, position: int, count: int, reader: Reader
    ) -> tuple[list[Any], int]:
        bulk = self.bulk
        if bulk is not None and bulk.flat_size and count > 1:
            end = position + count * bulk.flat_size
            if end <= len(data):
                try:
                    return bulk.read_flat(data, position, count, reader), end
                except FormatError:
                    pass  # the loop below meets the same error and knows its place
        read = self.codec.read
        items: list[Any] = []
        append = items.append
        index = 0
        try:
            for index in range(count):  # noqa: B007 - the except clause names it
                item, position = read(data, position, reader)
                append(item)
        except FormatError as error:
            raise error.within("", index) from None
        return items, position

    def write_many(self, writer: Writer, items: list[Any]) -> None:
        bulk = self.bulk
        if bulk is not None and bulk.flat_size and len(items) > 1:
            bulk.write_flat(writer, items)
            return
        write = self.codec.write
        index = 0
        try:
            for index, item in enumerate(items):  # noqa: B007 - the except clause names it
                write(writer, item)
        except EncodeError as error:
            raise error.within("", index) from None


def bind_element(element: FieldCodec | None, version: Any) -> _Elements:
    """The element reader and writer for one version."""
    if isinstance(element, FixedCodec):
        return _FixedElements(element)
    if isinstance(element, VariableCodec):
        return _VariableElements(element.bind(version), version)
    raise TypeError(f"{element!r} can't be an element of a list")


def check_count(
    reader: Reader, data: Buffer, count: int, minimum: int, position: int, counted_at: int
) -> None:
    """FormatError if ``count`` elements of at least ``minimum`` bytes can't be there."""
    if count < 0 or count * (minimum or 1) > len(data) - position:
        raise reader.fail(
            f"a count of {count} does not fit the {max(0, len(data) - position)} bytes left",
            counted_at,
        )


class Inline(ListCodec):
    """A count, then the elements one after another."""

    def __init__(self, count: str = "I") -> None:
        self.layout = struct.Struct("<" + count)

    def type_name(self) -> str:
        return f"list of {self.element.type_name() if self.element else '?'}"

    def minimum(self, version: Any) -> int:
        return self.layout.size

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        try:
            (count,) = self.layout.unpack_from(data, position)
        except StructError:
            raise reader.truncated(data, position) from None
        elements: _Elements = self._elements  # type: ignore[attr-defined]
        start = position + self.layout.size
        if not count:
            return [], start
        check_count(reader, data, count, elements.minimum, start, position)
        return elements.read_many(data, start, count, reader)

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        try:
            writer.out += self.layout.pack(len(value))
        except StructError:
            raise EncodeError(f"{len(value)} elements are more than a count can hold") from None
        if value:
            self._elements.write_many(writer, value)  # type: ignore[attr-defined]


class Counted(ListCodec):
    """Elements whose count is an earlier field of the record."""

    def __init__(self, field: str) -> None:
        self.needs = (field,)

    def type_name(self) -> str:
        return f"{self.element.type_name() if self.element else '?'} × {self.needs[0]}"

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        elements: _Elements = self._elements  # type: ignore[attr-defined]
        count = needed[0]
        if not count:
            return [], position
        check_count(reader, data, count, elements.minimum, position, position)
        return elements.read_many(data, position, count, reader)

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        if len(value) != needed[0]:
            raise EncodeError(f"{self.needs[0]} is {needed[0]}, but there are {len(value)}")
        self._elements.write_many(writer, value)  # type: ignore[attr-defined]


class Pointers(ListCodec):
    """A count, as many absolute pointers, then the records they point to.

    ``align`` puts each record at a multiple of that many bytes (a number, or a function of the
    version).  A zero pointer is a None element.
    """

    def __init__(self, align: Any = 1) -> None:
        self.align = align
        self.alignment = align if isinstance(align, int) else 1

    def type_name(self) -> str:
        return f"pointer list of {self.element.type_name() if self.element else '?'}"

    def minimum(self, version: Any) -> int:
        return 4

    def signature(self, version: Any) -> Any:
        alignment = self.align if isinstance(self.align, int) else self.align(version)
        return alignment, super().signature(version)

    def bind(self, version: Any) -> VariableCodec:
        copy = typing.cast(Pointers, super().bind(version))
        if not isinstance(self.align, int):
            copy.alignment = int(self.align(version))
        return copy

    def read(self, data: Buffer, position: int, reader: Reader, *needed: Any) -> tuple[Any, int]:
        try:
            (count,) = U32.unpack_from(data, position)
        except StructError:
            raise reader.truncated(data, position) from None
        check_count(reader, data, count, 4, position + 4, position)
        position += 4
        pointers = struct.unpack_from(f"<{count}I", data, position)
        position += 4 * count
        elements: _VariableElements = self._elements  # type: ignore[attr-defined]
        bulk = elements.bulk
        if bulk is not None and bulk.flat_size and count > 1:
            size = bulk.flat_size
            start = position + (-position % self.alignment)
            if (
                size % self.alignment == 0
                and pointers[0] == start
                and pointers[-1] == start + (count - 1) * size
                and start + count * size <= len(data)
                and pointers == tuple(range(start, start + count * size, size))
            ):
                try:
                    items = bulk.read_flat(data, start, count, reader)
                    reader.skip_padding(data, position, self.alignment)
                    return items, start + count * size
                except FormatError:
                    pass  # the loop below meets the same error and knows its place
        return self._read_each(data, position, reader, pointers, elements)

    def _read_each(
        self,
        data: Buffer,
        position: int,
        reader: Reader,
        pointers: tuple[int, ...],
        elements: _VariableElements,
    ) -> tuple[list[Any], int]:
        read = elements.codec.read
        alignment = self.alignment
        items: list[Any] = []
        seen: dict[int, Any] = {}
        index = 0
        try:
            for index, pointer in enumerate(pointers):  # noqa: B007 - see the except clause
                if pointer == 0:
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

    def write(self, writer: Writer, value: Any, *needed: Any) -> None:
        out = writer.out
        elements: _VariableElements = self._elements  # type: ignore[attr-defined]
        count = len(value)
        out += U32.pack(count)
        table = len(out)
        out += bytes(4 * count)
        bulk = elements.bulk
        alignment = self.alignment
        if (
            bulk is not None
            and bulk.flat_size
            and count > 1
            and bulk.flat_size % alignment == 0
            and None not in value
        ):
            writer.align(alignment)
            start = len(out)
            bulk.write_flat(writer, value)
            size = bulk.flat_size
            struct.pack_into(f"<{count}I", out, table, *range(start, start + count * size, size))
            writer.noted("pointer").extend(range(table, table + 4 * count, 4))
            return
        write = elements.codec.write
        noted = writer.noted("pointer")
        index = 0
        try:
            for index, item in enumerate(value):
                if item is None:
                    continue
                if alignment > 1:
                    out += bytes(-len(out) % alignment)
                U32.pack_into(out, table + 4 * index, len(out))
                noted.append(table + 4 * index)
                write(writer, item)
        except EncodeError as error:
            raise error.within("", index) from None
