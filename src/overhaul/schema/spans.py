"""Where the fields of a record are in its bytes, by its declaration.

A :class:`Walk` goes through stored bytes as the generated codecs do, field by field, and notes a
:class:`Span` for each value in a window of them. Parts outside the window are read at once and not
looked at further, so that a page of a large structure costs little more than reading that.

A codec of a format's own is one value, unless it is :class:`Walked`.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum, IntFlag
from itertools import pairwise
from typing import NamedTuple, Protocol, TypeAlias, cast, runtime_checkable

from overhaul.errors import FormatError
from overhaul.schema.codec import (
    DeclaredCodec,
    Deferred,
    FieldCodec,
    FixedCodec,
    resolve,
)
from overhaul.schema.declaration import Field, fields_of
from overhaul.schema.exact import unpack_exact
from overhaul.schema.fields import Embedded, IfPresent, Switch
from overhaul.schema.generator import bind, codec_for
from overhaul.schema.lists import BoundCounted, Counted, Inline, ListCodec, Pointers, Times, ToEnd
from overhaul.schema.record import Record
from overhaul.schema.streams import LENGTHS, AnyVersion, Buffer, Reader
from overhaul.suggest import cut

#: The way from a record to a value in it: names of fields, positions in lists.
Way: TypeAlias = tuple[str | int, ...]
#: numbers of a list that have a span each; longer lists of numbers are one
_NUMBERS = 16
#: characters of a value
_LONGEST = 80
#: records in records in records
_DEEPEST = 40


class Words(str):
    """A value in words: no text of the file."""

    __slots__ = ()


class Span(NamedTuple):
    """A value in the bytes: from ``start`` to ``end``, called ``path`` (``frames[2].x``).

    ``type`` is what the documentation calls its type, ``value`` shows it.
    """

    path: str
    type: str
    start: int
    end: int
    value: str


class FoundValue(NamedTuple):
    """A value in the bytes, from ``start`` to ``end``, and how to walk through it again: with its
    ``codec``, the ``values`` of the earlier fields that it needs, and the ``version``.
    """

    start: int
    end: int
    codec: FieldCodec
    values: dict[str, object]
    version: AnyVersion


class Walk:
    """Notes the spans of what is in a window of ``data``, a file of ``version``.

    ``new_reader`` makes what the fields are resolved against.  With ``depth``, a value so many
    steps of the way down is one span.  With ``ways``, nothing else than what these lead to is
    looked for, and put into ``found``.
    """

    def __init__(
        self,
        data: Buffer,
        version: AnyVersion,
        new_reader: Callable[[], Reader],
        *,
        window: tuple[int, int] | None = None,
        depth: int | None = None,
        ways: Collection[Way] = (),
    ) -> None:
        self.data = data
        self.version = version
        self.new_reader = new_reader
        self.start, self.stop = (0, len(data)) if window is None else window
        self.depth = depth
        self.ways = ways
        self.spans: list[Span] = []
        self.found: dict[Way, FoundValue] = {}

    def wants(self, way: Way, start: int, end: int) -> bool:
        """Whether something from ``start`` to ``end`` is looked into."""
        if self.ways:
            return any(way == other[: len(way)] for other in self.ways)
        return start < self.stop and end > self.start

    @contextmanager
    def at(self, version: AnyVersion) -> Iterator[None]:
        """Read what follows in another version."""
        before, self.version = self.version, version
        try:
            yield
        finally:
            self.version = before

    def add(self, way: Way, type: str, start: int, end: int, value: object) -> None:
        """Note a value, where it is looked for."""
        if start < end and not self.ways and self.wants(way, start, end):
            shown = f"{value:#x}" if type == "pointer" and isinstance(value, int) else brief(value)
            self.spans.append(Span(_words(way), type, start, end, shown))

    # -- records -----------------------------------------------------------------------------

    def record(self, kind: type[Record], position: int, way: Way = ()) -> int:
        """Walk through a record at ``position``; return where it ends.  Raises FormatError."""
        if len(way) > _DEEPEST:
            raise FormatError(f"nested more than {_DEEPEST} levels deep", offset=position)
        values: dict[str, object] = {}
        deferred: list[tuple[Field, Deferred, int]] = []
        for field in fields_of(kind):
            if not field.present(self.version):
                continue
            if to := field.aligned(self.version):
                position += -position % to
            if field.given is not None and not field.given.holds(values.get(field.given.field)):
                values[field.name] = field.make_default()
                continue
            codec = resolve(field.codec, self.version)
            here = (*way, field.name)
            if isinstance(codec, Deferred):
                pointer = self._number(position, "I")
                self.add(here, "pointer", position, position + 4, pointer)
                deferred.append((field, codec, pointer))
                position += 4
                continue
            values[field.name], position = self.value(codec, position, here, values)
        for field, codec, pointer in deferred:
            if pointer:
                here = (*way, field.name)
                values[field.name], position = self.value(codec.inner, pointer, here, values)
        return position

    def value(
        self, codec: FieldCodec, position: int, way: Way, values: dict[str, object] | None = None
    ) -> tuple[object, int]:
        """Walk through a value; return it, and where it ends.  Raises FormatError.

        ``values`` are those of the record's earlier fields.
        """
        codec = resolve(codec, self.version)
        if isinstance(codec, FixedCodec):
            value = self.fixed(codec, position)
            self.add(way, codec.type_name(), position, position + codec.size, _named(codec, value))
            return value, position + codec.size
        bound = bind(cast("DeclaredCodec[object]", codec), self.version)
        needed = [] if values is None else [values.get(name) for name in bound.needs]
        value, end = bound.read(self.data, position, self.new_reader(), *needed)
        if way in self.ways:
            earlier = dict(zip(bound.needs, needed, strict=True)) if needed else {}
            self.found[way] = FoundValue(position, end, codec, earlier, self.version)
        elif self.wants(way, position, end):
            deep = self.depth is not None and len(way) >= self.depth
            if deep or not self._inside(codec, position, way, needed):
                self.add(way, codec.type_name(), position, end, value)
        return value, end

    def fixed(self, codec: FixedCodec, position: int) -> object:
        """A value of fixed size, resolved; as it is stored where that leads nowhere."""
        layout = struct.Struct("<" + codec.format)
        if position < 0 or position + layout.size > len(self.data):
            raise self.new_reader().truncated(self.data, position)
        (value,) = unpack_exact(layout, self.data, position)
        if codec.kind is None:
            return value
        try:
            return self.new_reader().tables[codec.kind][cast("int", value)]
        except (FormatError, LookupError):
            return value

    def _number(self, position: int, format: str) -> int:
        layout = LENGTHS[format]
        if position < 0 or position + layout.size > len(self.data):
            raise self.new_reader().truncated(self.data, position)
        (number,) = layout.unpack_from(self.data, position)
        return int(number)

    def _inside(self, codec: FieldCodec, position: int, way: Way, needed: Sequence[object]) -> bool:
        """Walk through the parts of a value that can be read; whether it has any."""
        if isinstance(codec, Walked):
            codec.walk(self, position, way, *needed)
        elif isinstance(codec, Embedded):
            self.record(codec.record, position, way)
        elif isinstance(codec, Switch):
            case = codec.case(needed[0])
            if case is not None:
                self.record(case, position, way)
        elif isinstance(codec, IfPresent):
            if codec.present(*needed):
                self.value(codec.inner, position, way)
        elif isinstance(codec, Pointers):
            self.pointers(codec, position, way)
        elif isinstance(codec, ListCodec) and codec.element is not None:
            return self._list(codec, position, way, needed)
        else:
            return False
        return True

    # -- lists -------------------------------------------------------------------------------

    def _list(self, codec: ListCodec, position: int, way: Way, needed: Sequence[object]) -> bool:
        element = resolve(cast("FieldCodec", codec.element), self.version)
        if isinstance(codec, Inline):
            count = self._number(position, codec.count)
            size = LENGTHS[codec.count].size
            self.add((*way, "count"), "count", position, position + size, count)
            position += size
        elif isinstance(codec, ToEnd):
            count = len(self.data)
        elif isinstance(codec, Counted | Times):
            # the bound codec knows how the earlier fields give the count
            bound = cast("BoundCounted[object]", bind(codec, self.version))
            count = cast("int", needed[0]) if bound.count is None else bound.count(*needed)
        else:
            return False
        self.elements(element, count, position, way)
        return True

    def elements(self, element: FieldCodec, count: int, position: int, way: Way) -> None:
        """Walk through ``count`` elements that follow one another, at most to the data's end."""
        if isinstance(element, FixedCodec) and count > _NUMBERS:
            count = min(count, (len(self.data) - position) // element.size)
            first = [self.fixed(element, position + n * element.size) for n in range(4)]
            end = position + count * element.size
            shown = ", ".join(brief(_named(element, value)) for value in first)
            self.add(way, f"{count} × {element.type_name()}", position, end, Words(f"{shown}, …"))
            return
        index = 0
        size = self._flat_size(element)
        if size and position < self.start:  # go at once to the first in the window
            index = min((self.start - position) // size, count)
            position += index * size
        while index < count and position < min(self.stop, len(self.data)):
            before = position
            _, position = self.value(element, position, (*way, index))
            if position <= before:
                break
            index += 1

    def _flat_size(self, element: FieldCodec) -> int:
        if isinstance(element, FixedCodec):
            return element.size
        if isinstance(element, Embedded):
            return codec_for(element.record, self.version).flat_size
        return 0

    def pointers(self, codec: Pointers, position: int, way: Way) -> None:
        """Walk through a count, as many pointers, and what these lead to."""
        places = self.places(position, way)
        following = dict(pairwise(sorted({*places, len(self.data)})))
        for index, pointer in enumerate(places):
            # an element ends where the next one begins, if not before
            if pointer and pointer < self.stop and following.get(pointer, 0) > self.start:
                self.value(cast("FieldCodec", codec.element), pointer, (*way, index))

    def places(self, position: int, way: Way) -> tuple[int, ...]:
        """Walk through a count and as many pointers; return them."""
        count = self._number(position, "I")
        self.add((*way, "count"), "count", position, position + 4, count)
        position += 4
        count = min(count, (len(self.data) - position) // 4)
        places = struct.unpack_from(f"<{count}I", self.data, position)
        first = max(0, (self.start - position) // 4)
        for index in range(first, min(count, max(0, (self.stop - position + 3) // 4))):
            at = position + 4 * index
            self.add((*way, index, "pointer"), "pointer", at, at + 4, places[index])
        return places


@runtime_checkable
class Walked(Protocol):
    """A codec of a format's own that says which values its bytes hold."""

    def walk(self, walk: Walk, position: int, way: Way, *needed: object) -> object:
        """Walk through the value at ``position``, with the methods of ``walk``."""


def within(
    data: Buffer, found: FoundValue, new_reader: Callable[[], Reader], start: int, end: int
) -> list[Span]:
    """The spans of a value that a walk found, from ``start`` to ``end``."""
    walk = Walk(data, found.version, new_reader, window=(start, end))
    walk.value(found.codec, found.start, (), found.values)
    return walk.spans


def brief(value: object) -> str:
    """A value in a few words."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, Words):
        return cut(value, _LONGEST)
    if isinstance(value, str):
        return str.__repr__(cut(str(value), _LONGEST))
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value[:16]).hex(" ") + (" …" if len(value) > 16 else "")
    if isinstance(value, Record):
        name = getattr(value, "name", None)
        return cut(str(name), _LONGEST) if isinstance(name, str) and name else _fields_of(value)
    name = getattr(value, "name", None)
    if isinstance(name, str):
        return cut(str(name), _LONGEST)
    if isinstance(value, Collection):
        return f"{len(value)} element{'' if len(value) == 1 else 's'}"
    return cut(str(value), _LONGEST)


def _fields_of(record: Record) -> str:
    """The fields of a record in words, those of plain values: ``x 4, y 8``."""
    held = ((name, getattr(record, name)) for name in record.__struct_fields__)
    plain = [f"{name.replace('_', ' ')} {brief(it)}" for name, it in held if _is_plain(it)]
    return cut(", ".join(plain), _LONGEST) or type(record).__name__


def _is_plain(value: object) -> bool:
    return isinstance(value, int | float | str)


def _named(codec: FixedCodec, value: object) -> object:
    """The value of a number: yes or no, or its name."""
    if codec.boolean and value in (0, 1):
        return bool(value)
    if codec.names is None or not isinstance(value, int):
        return value
    try:
        known: IntEnum | IntFlag = codec.names(value)
    except ValueError:
        return value
    return Words(f"{value} ({(known.name or str(known)).lower()})")


def _words(way: Way) -> str:
    words = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in way)
    return words.removeprefix(".")
