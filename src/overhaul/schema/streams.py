"""The streams that generated codecs read from and write to.

A :class:`Reader` carries what a format's fields are resolved against; positions are absolute
offsets into ``data``, a view of the file cut off at the end of the enclosing structure, so that
nothing can be read beyond it.  A :class:`Writer` grows one ``bytearray`` in file order and notes
where pointers stand, so that they are patched in one pass at the end.  Large media may be left out
of it until then, so that they are copied once.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from overhaul.errors import EncodeError, FormatError
from overhaul.stretch import Passing, Stretch, joined

if TYPE_CHECKING:
    from overhaul.stretch import Piece

#: bytes that can be read
Buffer = bytes | bytearray | memoryview
#: The version of a format: of the type that the format's own conditions and codecs look at.
AnyVersion: TypeAlias = Any

#: a number of 32 bits
U32 = struct.Struct("<I")
#: the numbers a count or a length is stored as, by their struct format
LENGTHS = {format: struct.Struct("<" + format) for format in "BHIbhi"}
#: how deep records may be nested
MAX_DEPTH = 64
#: Media are left out in pieces of this size, a multiple of every alignment.
_PIECE = 4096


class Reader:
    """The state of reading one structure.

    ``tables`` maps the kind of a resolved field (a string pointer, a reference to a resource) to a
    mapping from the stored number to the value it stands for.  ``notes`` collects every place where
    the bytes do not follow the layout rule (a gap, an element out of order or shared, padding that
    is not zero): the values are right, but the rule by itself would not write the same bytes.
    ``version`` is the one that is read, ``source`` the name of the file, ``base`` the offset of
    ``data`` in it.  ``depth`` and ``spent`` bound how deep records may be nested, and how many
    bytes are read out of turn.
    """

    def __init__(
        self,
        *,
        version: AnyVersion = None,
        tables: Mapping[str, Mapping[int, Any]] | None = None,
        source: str | None = None,
        base: int = 0,
    ) -> None:
        self.version = version
        self.tables: Mapping[str, Mapping[int, Any]] = {} if tables is None else tables
        self.source = source
        self.base = base
        self.notes: list[str] = []
        self.depth: int = 0
        self.spent: int = 0
        #: large bytes of a format of their own, by their ids, and where in the file they begin
        self.places: dict[int, tuple[memoryview, int]] = {}
        #: the values that codecs keep for another reading of the same bytes
        self.found: dict[str, object] = {}
        self._passing: Passing | None = None

    def media(self, data: Buffer, start: int, end: int, *, read: bool = False) -> memoryview:
        """Bytes of a format of their own, as a view: they stay in the memory of the file.

        ``read`` says that they were gone through already.
        """
        view = memoryview(data)[start:end]
        if end - start >= _PIECE:
            self.places[id(view)] = view, start
            if self._passing is None:
                self._passing = Passing(data)
            (self._passing.read if read else self._passing.over)(end - start)
        return view

    def fail(self, message: str, offset: int | None = None) -> FormatError:
        """A FormatError of this source at ``offset``; to be raised by the caller."""
        return FormatError(message, source=self.source, offset=offset)

    def text(self, raw: bytes) -> str:
        """The text of a string's bytes: UTF-8, other bytes as surrogates; encoding undoes it."""
        return raw.decode("utf-8", "surrogateescape")

    def take(self, data: Buffer, position: int, size: int) -> int:
        """The end of ``size`` bytes at ``position``; FormatError where fewer are left."""
        if not 0 <= size <= len(data) - position:
            left = max(0, len(data) - position)
            raise self.fail(f"{size} bytes do not fit the {left} bytes left", position)
        return position + size

    def sized(self, data: Buffer, position: int, format: str = "I") -> tuple[int, int]:
        """Start and end of the bytes behind a length at ``position``."""
        layout = LENGTHS[format]
        start = position + layout.size
        if start > len(data):
            raise self.truncated(data, position)
        (size,) = layout.unpack_from(data, position)
        if not 0 <= size <= len(data) - start:
            raise self.fail(
                f"a length of {size} does not fit the {len(data) - start} bytes left", position
            )
        return start, start + size

    def truncated(self, data: Buffer, position: int) -> FormatError:
        """The error for a structure that ends in the middle of a field."""
        left = max(0, len(data) - position)
        return self.fail(f"the data ends here: only {left} bytes are left", position)

    def note(self, message: str, offset: int) -> None:
        """Remember that the layout rule is broken at ``offset``."""
        if len(self.notes) < 100:
            self.notes.append(f"{message} at {offset:#x}")
        else:
            self.notes[-1] = "more places follow"

    def enter(self, position: int) -> None:
        """Go one level down in a recursive structure; FormatError beyond the limit."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.fail(f"nested more than {MAX_DEPTH} levels deep", position)

    def charge(self, data: Buffer, count: int, position: int) -> None:
        """Account for bytes read out of turn, so that overlapping pointers stay bounded."""
        self.spent += count
        if self.spent > 4 * len(data) + 65536:
            raise self.fail("pointers overlap: more is read than the file holds", position)

    def follow(self, data: Buffer, pointer: int, position: int, alignment: int) -> int:
        """Where to read what a pointer inside a record leads to.

        The layout rule puts it at ``position`` (aligned); elsewhere is noted, and bounded.
        """
        expected = position + (-position % alignment)
        if pointer == expected:
            if expected != position:
                self.skip_padding(data, position, alignment)
            return pointer
        if not self.base <= pointer < len(data):
            raise self.fail(f"the pointer {pointer:#x} leads out of the structure", position)
        self.note(f"a structure out of running order ({expected:#x})", pointer)
        self.charge(data, 256, pointer)
        return pointer

    def skip_padding(self, data: Buffer, position: int, alignment: int) -> int:
        """The next multiple of ``alignment``; padding that is not zero is noted."""
        end = position + (-position % alignment)
        if end != position:
            if end > len(data):
                raise self.truncated(data, position)
            if any(data[position:end]):
                self.note("padding is not zero", position)
        return end


class Writer:
    """The state of writing one file.

    ``encoders`` turns the value of a resolved field into the number to store; for kinds whose
    number is only known at the end (``patched`` fields) that number is provisional and its
    position is noted under the kind in ``positions``.

    Of a ``lean`` writer, large media are not in ``out``: ``left_out`` is their size, so that the
    end of the file is at ``position``. Later records may point only by ``position``; alignments
    hold by the length of ``out`` as well. ``version`` is the one that is written; ``opaque``
    counts the bytes that are not understood, ``places`` are the reader's places of large media.
    """

    def __init__(
        self,
        *,
        version: AnyVersion = None,
        encoders: Mapping[str, Callable[[Any], int]] | None = None,
    ) -> None:
        self.version = version
        self.out: bytearray = bytearray()
        self.encoders: Mapping[str, Callable[[Any], int]] = {} if encoders is None else encoders
        self.positions: dict[str, list[int]] = {}
        self.media: int = 0
        self.opaque = 0
        self.lean = False
        self.left_out: int = 0
        self._pieces: list[tuple[int, Piece]] = []
        #: the file that was read, and the places in it that its reader noted
        self.source: Buffer = b""
        self.places: Mapping[int, tuple[memoryview, int]] = {}

    @property
    def position(self) -> int:
        """The offset in the file of what is written next."""
        return len(self.out) + self.left_out

    def add_media(self, value: Buffer) -> None:
        """Add the bytes of a format of their own."""
        self.media += len(value)
        view, start = self.places.get(id(value), (None, 0))
        if self.lean and view is value:
            self.add_range(self.source, start, start + len(value))
        else:
            self.add(value)

    def add(self, value: Buffer) -> None:
        """Add bytes that are not changed later; many of them are not copied."""
        size = len(value) // _PIECE * _PIECE
        if self.lean and size:
            value = memoryview(value)
            self._pieces.append((len(self.out), value[:size]))
            self.left_out += size
            value = value[size:]
        self.out += value

    def add_range(self, source: Buffer, start: int, end: int) -> None:
        """Add bytes of the file that was read."""
        size = (end - start) // _PIECE * _PIECE
        if self.lean and size:
            self._pieces.append((len(self.out), Stretch(source, start, start + size)))
            self.left_out += size
            start += size
        self.out += source[start:end]

    def pieces(self) -> list[Piece]:
        """The whole file, in pieces."""
        parts: list[Piece] = []
        start = 0
        out = memoryview(self.out)
        for end, piece in self._pieces:
            parts += out[start:end], piece
            start = end
        return [*parts, out[start:]]

    def finished(self) -> bytes:
        """The whole file."""
        return joined(self.pieces())

    def noted(self, kind: str) -> list[int]:
        """The list of positions for a patched kind."""
        return self.positions.setdefault(kind, [])

    def raw(self, text: str) -> bytes:
        """The bytes of a text, as :meth:`Reader.text` read it."""
        try:
            return text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError as error:
            raise EncodeError(f"the text {text!r} can't be written as bytes") from error

    def length(self, size: int, format: str = "I") -> None:
        """Add a length."""
        try:
            self.out += LENGTHS[format].pack(size)
        except struct.error:
            raise EncodeError(f"a length of {size} does not fit its field") from None

    def align(self, alignment: int) -> None:
        """Add zero bytes up to the next multiple of ``alignment``."""
        self.out += bytes(-len(self.out) % alignment)

    def reserve(self) -> int:
        """Leave room for a pointer and return its position."""
        position = len(self.out)
        self.out += b"\0\0\0\0"
        return position

    def point(self, position: int, target: int) -> None:
        """Store a pointer to ``target`` at a reserved ``position``."""
        U32.pack_into(self.out, position, target)
        self.noted("pointer").append(position)

    def encode_error(self, record: object, error: Exception) -> EncodeError:
        """The error for a value that does not fit its field."""
        return EncodeError(f"{type(record).__name__}: a value does not fit its field: {error}")
