"""The FORM container of GameMaker's files, read and written.

A FORM is a length and chunks; a chunk is four letters, a length and its content.  Games (data.win),
audio groups and debugger files are FORMs.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from overhaul.errors import EncodeError, FormatError, UnsupportedVersion
from overhaul.schema import Writer
from overhaul.schema.streams import U32

Data = bytes | memoryview

_HEAD = struct.Struct("<4sI")
#: the GMS2 rule: every chunk header but the first stands at a multiple of this
CHUNK_ALIGNMENT = 16


class FormChunk(NamedTuple):
    """A chunk's name, and the absolute offsets its content begins and ends at."""

    name: str
    start: int
    end: int


class Form(NamedTuple):
    """A FORM file.

    ``alignment`` is 16 where the chunk headers but the first stand at multiples of 16 (the bytes
    decide: no version number says so; a few that another tool added may stand elsewhere), else 1.
    ``form_length`` is the stored length; ``trailing`` are bytes after the FORM.  A compiler that
    was stopped leaves a length of 0, which it fills in at the end: such a FORM goes on to the end
    of the file.
    """

    chunks: tuple[FormChunk, ...]
    alignment: int
    form_length: int
    trailing: bytes

    @property
    def form_excess(self) -> int | None:
        """How much more the stored length is than that of the chunks: 0 in a whole file, None
        where it was never filled in."""
        if self.form_length == 0 and self.chunks:
            return None
        return self.form_length - (self.chunks[-1].end - 8 if self.chunks else 0)

    def find(self, name: str) -> FormChunk | None:
        """The place of a chunk, or None."""
        for chunk in self.chunks:
            if chunk.name == name:
                return chunk
        return None


def read_form(data: Data, source: str | None = None) -> Form:
    """The chunks of a FORM file.

    Raises FormatError for anything else or a broken chain of chunks, UnsupportedVersion for
    big-endian files of old consoles.
    """
    if len(data) < 8:
        raise FormatError("too short for a FORM file", source=source, offset=0)
    magic, length = _HEAD.unpack_from(data, 0)
    turned = int.from_bytes(data[4:8], "big")
    if magic == b"MROF" or (magic == b"FORM" and turned == len(data) - 8 < length):
        kind = "an AIFF sound" if bytes(data[8:12]) in (b"AIFF", b"AIFC") else "of an old console"
        raise UnsupportedVersion(
            f"a big-endian FORM file ({kind}), which Overhaul does not read",
            source=source,
            offset=0,
        )
    if magic != b"FORM":
        raise FormatError("not a FORM file", source=source, offset=0)
    end = min(len(data), 8 + length) if length else len(data)
    chunks: list[FormChunk] = []
    names: set[str] = set()
    position = 8
    while position < end:
        if end - position < 8:
            raise FormatError("a chunk header is cut off", source=source, offset=position)
        raw, size = _HEAD.unpack_from(data, position)
        name = raw.decode("ascii", "backslashreplace")
        if not (len(name) == 4 and name.isprintable()):
            raise FormatError("no chunk begins here", source=source, offset=position)
        start = position + 8
        if size > end - start:
            raise FormatError(
                f"the chunk says {size} bytes, but {end - start} are left",
                source=source,
                offset=position + 4,
                path=name,
            )
        if name in names:
            raise FormatError("the chunk occurs twice", source=source, offset=position, path=name)
        names.add(name)
        chunks.append(FormChunk(name, start, start + size))
        position = start + size
    aligned = sum((chunk.start - 8) % CHUNK_ALIGNMENT == 0 for chunk in chunks[1:])
    rule = len(chunks) > 1 and aligned >= (len(chunks) - 1) * 3 / 4  # by chance it is 1/16
    alignment = CHUNK_ALIGNMENT if rule else 1
    return Form(tuple(chunks), alignment, length, bytes(data[max(end, 8 + length) :]))


class FormWriter:
    """Writes a FORM, chunk after chunk, and fills in the lengths.

    ``starts`` are the offsets at which the contents of the chunks begin.
    """

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.starts: dict[str, int] = {}
        #: the same in what the writer holds
        self._places: dict[str, int] = {}
        writer.out += b"FORM\0\0\0\0"

    @contextmanager
    def chunk(self, name: str, *, align: int = 1) -> Iterator[None]:
        """The head of a chunk; what is written inside the block is its content.

        ``align`` pads the content up to a multiple of that many bytes.  An EncodeError gets the
        chunk's name.
        """
        out = self.writer.out
        out += name.encode("ascii", "backslashreplace")[:4] + b"\0\0\0\0"
        start = self._places[name] = len(out)
        self.starts[name] = self.writer.position
        try:
            yield
        except EncodeError as error:
            raise error.within(name) from None
        self.writer.align(align)
        U32.pack_into(out, start - 4, self.writer.position - self.starts[name])

    def finish(self, excess: int | None = 0) -> None:
        """Store the length of the FORM, ``excess`` more than that of its chunks; None: leave 0."""
        if excess is not None:
            U32.pack_into(self.writer.out, 4, self.writer.position - 8 + excess)

    def pointers(self, name: str) -> tuple[int, ...]:
        """The pointers that the list at the beginning of a chunk was written with."""
        start = self._places.get(name)
        out = self.writer.out
        if start is None or U32.unpack_from(out, start - 4)[0] < U32.size:  # it has no list
            return ()
        (count,) = U32.unpack_from(out, start)
        return struct.unpack_from(f"<{count}I", out, start + 4)
