"""The bytes that a resource, or a part of the file, is stored as, with the fields in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import urlencode

import msgspec

from overhaul.document.stored import ShowsBytes, Stored
from overhaul.schema.spans import Span
from overhaul.viewer.answers import Asked, Crumb, DataPage
from overhaul.viewer.opened import ListedResource, NotThere, Opened
from overhaul.viewer.pages.generic import way_of

#: bytes in a row, in a page, and fields that a page shows
ROW, PAGE, FIELDS = 16, 1024, 240
#: how many colours fields have
COLOURS = 8
#: parts of a file or a resource that have a link
_PARTS = 400


class FieldShown(msgspec.Struct, frozen=True):
    """A field: ``place`` is where it begins in the file, ``end`` the address of what follows, where
    that is not on the page; ``colour`` counts from 0, -1 of what is not declared."""

    number: int
    path: str
    type: str
    place: str
    size: int
    value: str
    colour: int
    end: str = ""


class Run(msgspec.Struct, frozen=True):
    """Bytes in a row that belong to one field: as hexadecimal numbers, and as characters."""

    field: int
    hex: str
    text: str


class ByteRow(msgspec.Struct, frozen=True):
    """Sixteen bytes: where they are, and the runs of them."""

    place: str
    runs: list[Run]


class BytesPage(msgspec.Struct, frozen=True):
    """The bytes from ``first`` on of a stretch of ``size`` bytes.

    ``parts`` are the stretches there are, ``part`` the number of the one that is shown; ``before``
    and ``after`` the addresses of the other pages of it.
    """

    name: str
    title: str
    note: str
    parts: list[Crumb]
    part: int
    first: int
    size: int
    rows: list[ByteRow]
    fields: list[FieldShown]
    before: str
    after: str


def bytes_href(opened: Opened, entry: ListedResource | None) -> str:
    """Where the bytes of a resource are shown, or of the file; "" where they can't be."""
    if not isinstance(opened.document, ShowsBytes):
        return ""
    return f"{opened.prefix}/-/bytes" + ("" if entry is None else opened.own_path(entry))


def show_bytes(asked: Asked) -> DataPage:
    """``/-/bytes/sprites/spr_player?part=0&from=0``; without a resource those of the file."""
    opened = asked.opened
    document = opened.document
    if not isinstance(document, ShowsBytes):
        raise NotThere("the bytes of such a file are not shown")
    entry = None
    if asked.rest:
        slug, _, key = asked.rest.partition("/")
        entry = opened.entry(slug, key)

    def find() -> list[Stored]:
        if entry is None:
            return [*document.stored_parts()]
        return [*document.stored(entry.kind, entry.position, entry.name)]

    kept = ("stored",) if entry is None else ("stored", entry.slug, entry.key)
    parts = opened.remember(kept, find, _cost)
    name = opened.title if entry is None else entry.name
    way = () if entry is None else way_of(opened, entry)
    address = f"{opened.prefix}/-/bytes" + ("" if entry is None else opened.own_path(entry))
    if not parts:
        page = BytesPage(name, "", "", [], 0, 0, 0, [], [], "", "")
        return DataPage("bytes.html", page, "Bytes", way)
    number = asked.number("part", most=len(parts) - 1)
    part = parts[number]
    size = part.end - part.start
    first = asked.number("from", most=max(0, size - 1))
    links = [
        Crumb(each.title, f"{address}?{urlencode({'part': n})}")
        for n, each in enumerate(parts[:_PARTS])
    ]
    return DataPage("bytes.html", _page(name, part, number, first, links, address), "Bytes", way)


def _cost(parts: Sequence[Stored]) -> int:
    """The bytes that are kept for stretches: one copy of each file that was made for them.

    Views of the file that is open are not kept: it could not be closed.
    """
    made = {id(part.data): part.data for part in parts}.values()
    if any(isinstance(data, memoryview) for data in made):
        return 1 << 62
    return 200 * len(parts) + sum(len(data) for data in made)


def _page(
    name: str, part: Stored, number: int, first: int, links: list[Crumb], address: str
) -> BytesPage:
    start = part.start + first
    stop = min(part.end, start + PAGE)
    spans = list(_whole(part, start, stop))
    if len(spans) > FIELDS:
        spans = spans[:FIELDS]
        stop = min(stop, spans[-1].end)

    def href(place: int) -> str:
        return f"{address}?{urlencode({'part': number, 'from': place - part.start})}"

    def place(at: int) -> str:
        return f"{at:#x}" if part.offset is None else f"{at + part.offset:#x}"

    fields: list[FieldShown] = []
    colour = 0
    for span in spans:
        declared = span.type != ""
        fields.append(
            FieldShown(
                len(fields), span.path, span.type, place(span.start), span.end - span.start,
                span.value, colour % COLOURS if declared else -1,
                href(span.end) if stop < span.end < part.end else "",
            )
        )  # fmt: skip
        colour += declared
    return BytesPage(
        name, part.title, part.note, links, number, first, part.end - part.start,
        [
            ByteRow(place(at), [*_runs(part, spans, max(at, start), min(at + ROW, stop))])
            for at in range(start - (start - part.start) % ROW, stop, ROW)
        ],
        fields,
        href(max(part.start, start - PAGE)) if first else "",
        href(stop) if stop < part.end else "",
    )  # fmt: skip


def _whole(part: Stored, start: int, stop: int) -> Iterator[Span]:
    """The fields from ``start`` to ``stop`` without a gap: what is not declared, too."""
    at = start
    for span in sorted(part.spans(start, stop), key=lambda span: (span.start, span.end)):
        if span.end <= at or span.start >= stop:
            continue
        if span.start > at:
            yield _gap(part, at, span.start)
        yield span
        at = span.end
    if at < stop:
        yield _gap(part, at, stop)


def _gap(part: Stored, start: int, end: int) -> Span:
    empty = not any(part.data[start:end])
    return Span("padding" if empty else "not declared", "", start, end, "")


def _runs(part: Stored, spans: Sequence[Span], start: int, end: int) -> Iterator[Run]:
    for number, span in enumerate(spans):
        first, last = max(span.start, start), min(span.end, end)
        if first < last:
            data = bytes(part.data[first:last])
            text = "".join(chr(byte) if 32 <= byte < 127 else "·" for byte in data)
            yield Run(number, data.hex(" "), text)
