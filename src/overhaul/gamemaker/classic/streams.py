"""Reading and writing projects: the text encoding, and limits for compressed parts."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Self

from overhaul.bounds import EXPANSION, expansion
from overhaul.errors import CharacterError, FormatError
from overhaul.schema import Buffer, Reader, Writer

if TYPE_CHECKING:
    from zlib import _Decompress as Inflater

MAXIMUM_BLOCK = 256 << 20
SMALL_FILES = 64 << 20  # how many bytes any file may expand to; a large one more, by its size
USUAL_RATIO = 60  # how many times its size a large file may take when inflated; 16 is common
_WORST_RATIO = 1040  # of zlib: the size to which a stream can expand
_SLICE, _PIECE = 1 << 16, 1 << 20
SYSTEM_ENCODING = "cp1252"  # of files that don't name one: the code page of most of them


class ProjectReader(Reader):
    """A reader that decodes text and inflates blocks.

    ``encoding`` is that of all strings.  ``foreign_text`` is set by a string that is not ASCII, so
    that the encoding matters; ``undecoded`` by one that is not valid in it.  ``size`` is that of
    the file: all its blocks together may expand to :func:`allowance` of it.
    """

    def __init__(
        self, *, encoding: str = SYSTEM_ENCODING, source: str | None = None, size: int = 0
    ) -> None:
        super().__init__(source=source)
        self.allowance: int = allowance(size)
        self.encoding = encoding
        self.foreign_text: bool = False
        self.undecoded: bool = False
        self.inflated: int = 0

    def text(self, raw: bytes) -> str:
        """The text of a string's bytes; bytes that are not valid become surrogates.

        Encoding it again always gives the same bytes.
        """
        if raw.isascii():
            return raw.decode("ascii")
        self.foreign_text = True
        try:
            text = raw.decode(self.encoding)
            if text.encode(self.encoding) == raw:
                return text
        except UnicodeError:
            pass
        self.undecoded = True
        return raw.decode("ascii", "surrogateescape")

    def inflate(self, stream: bytes, position: int) -> tuple[Buffer, bytes]:
        """The content of a zlib stream, a view where it is large, and the bytes after it.

        Raises FormatError if it is damaged, ends early, or expands beyond the limit.
        """
        try:
            content, rest = inflate(stream, self.allowance - self.inflated)
        except FormatError as error:
            error.offset, error.source = position, self.source
            raise
        self.inflated += len(content)
        return content, rest


class ProjectWriter(Writer):
    """A writer that encodes text, and does not copy the large pieces of a zlib block."""

    def __init__(self, *, encoding: str = SYSTEM_ENCODING) -> None:
        super().__init__()
        self.encoding = encoding
        #: the large pieces of the block that is written, behind as many bytes of ``out``; None
        #: outside of a block
        self._large: list[tuple[int, Buffer]] | None = None

    def blob(self, data: Buffer) -> None:
        """Write bytes, which must not change before the block is written."""
        if self._large is None or len(data) < _PIECE:
            self.out += data
        else:
            self._large.append((len(self.out), data))

    def block(self, write: Callable[[], None]) -> Content:
        """The stored bytes of a zlib block."""
        outer, large = self.out, self._large
        self.out, self._large = bytearray(), []
        try:
            write()
            return Content(self.out, self._large)
        finally:
            self.out, self._large = outer, large

    def raw(self, text: str) -> bytes:
        """The bytes of a text.  Raises EncodeError for characters that the encoding lacks."""
        try:
            return text.encode(self.encoding, "surrogateescape")
        except UnicodeEncodeError as error:
            raise CharacterError(
                text[error.start], f"the project's encoding, {self.encoding}"
            ) from None


class Content:
    """The content of a zlib block in pieces: what was written, and large pieces between that."""

    def __init__(self, written: bytearray, large: list[tuple[int, Buffer]]) -> None:
        self._written = written
        self._large = large

    @classmethod
    def of(cls, data: Buffer) -> Self:
        """The content that some bytes are."""
        return cls(bytearray(), [(0, data)])

    def __iadd__(self, more: Buffer) -> Self:
        self._written += more
        return self

    def __len__(self) -> int:
        return len(self._written) + sum(len(piece) for _, piece in self._large)

    def pieces(self) -> Iterator[memoryview]:
        """Its bytes, in pieces of at most a megabyte."""
        start = 0
        for end, large in [*self._large, (len(self._written), b"")]:
            for piece in (memoryview(self._written)[start:end], memoryview(large)):
                for begin in range(0, len(piece), _PIECE):
                    yield piece[begin : begin + _PIECE]
            start = end


def allowance(size: int) -> int:
    """How many bytes the zlib streams of a file of ``size`` bytes may expand to, together."""
    return expansion(max(SMALL_FILES, USUAL_RATIO * size))


def inflate(stream: bytes, limit: int | None = None) -> tuple[Buffer, bytes]:
    """The content of a zlib stream, a view where it is large, and the bytes after it.

    At no time are there two copies of a large content.

    Raises FormatError if it expands to more than ``limit`` or a block may have, or is damaged.
    """
    block = expansion(MAXIMUM_BLOCK)
    limit = block if limit is None else min(block, limit)
    try:
        if len(stream) * _WORST_RATIO > limit and _expands_beyond(stream, limit):
            raise FormatError(
                f"a zlib stream of {len(stream)} bytes expands beyond the limit, {limit >> 20} MB "
                f"here: {EXPANSION}=2GB raises it",
                code="limit",
            )
        inflater = zlib.decompressobj()
        content: Buffer = inflater.decompress(stream, _PIECE)
        if not inflater.eof:
            content = _all(inflater, content)
        if not inflater.eof:
            raise FormatError("a zlib stream ends early")
    except zlib.error as error:
        raise FormatError(f"a damaged zlib stream: {error}") from None
    return content, inflater.unused_data


def _all(inflater: Inflater, first: Buffer) -> memoryview:
    """The content of a stream that begins with ``first``."""
    content = bytearray(first)
    while not inflater.eof:
        piece = inflater.decompress(inflater.unconsumed_tail, _PIECE)
        if not piece and not inflater.unconsumed_tail:
            break
        content += piece
    return memoryview(content).toreadonly()


def _expands_beyond(stream: bytes, limit: int) -> bool:
    """Whether a stream expands beyond a limit; never holds more than a piece of the content."""
    inflater = zlib.decompressobj()
    total = 0
    for start in range(0, len(stream), _SLICE):
        left = stream[start : start + _SLICE]
        while left:
            total += len(inflater.decompress(left, _PIECE))
            if total > limit:
                return True
            left = inflater.unconsumed_tail
        if inflater.eof:
            break
    return False


def extends_ascii(encoding: str) -> bool:
    """Whether this is an encoding that Python knows, whose first 128 characters are ASCII."""
    plain = bytes(range(128))
    try:
        return plain.decode(encoding) == plain.decode("ascii")
    except (LookupError, UnicodeError):
        return False


def beginning(stream: bytes, length: int) -> bytes:
    """The first bytes of the content of a zlib stream.  Raises FormatError if it is damaged."""
    try:
        return zlib.decompressobj().decompress(stream, length)
    except zlib.error as error:
        raise FormatError(f"a damaged zlib stream: {error}") from None


def deflate(content: bytes | Content) -> bytes:
    """A zlib stream as Game Maker writes it: the library's default level."""
    if isinstance(content, bytes):
        return zlib.compress(content)
    deflater = zlib.compressobj()
    return b"".join([*map(deflater.compress, content.pieces()), deflater.flush()])


def deflate_like(content: Content, kept: bytes) -> bytes:
    """``kept`` if it is a stream of this content, with any bytes after it; else a new stream."""
    return kept if kept and _is_stream_of(kept, content) else deflate(content)


def _is_stream_of(stream: bytes, content: Content) -> bool:
    """Whether the content of a zlib stream is this; compares a piece at a time."""
    inflater, left = zlib.decompressobj(), stream
    try:
        for expected in content.pieces():
            while expected:
                piece = inflater.decompress(left, len(expected))
                if not piece or expected[: len(piece)] != piece:
                    return False
                expected = expected[len(piece) :]
                left = inflater.unconsumed_tail
        if not inflater.eof:  # the rest is the end of the stream, without content
            return not inflater.decompress(left, 1) and inflater.eof
    except zlib.error:
        return False
    return True
