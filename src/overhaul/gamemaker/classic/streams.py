"""What the codecs of projects read from and write to, beside the bytes: the text encoding and
the room that compressed parts may take."""

from __future__ import annotations

import zlib

from overhaul.errors import EncodeError, FormatError
from overhaul.schema import Reader, Writer

MAXIMUM_BLOCK = 256 << 20
SMALL_FILES = 64 << 20  # what any file may expand to; large ones by their size
USUAL_RATIO = 60  # how many times its size a large file may take when inflated; 16 is common
_WORST_RATIO = 1040  # of zlib: what a stream can expand to
_SLICE, _PIECE = 1 << 16, 1 << 20
SYSTEM_ENCODING = "cp1252"  # where a file does not tell: the code page of most of them


class ProjectReader(Reader):
    """A reader that decodes text and inflates blocks.

    ``encoding`` is that of all strings.  ``foreign_text`` is set when a string was met that is
    not plain ASCII, so that the encoding mattered; ``undecoded`` when one was no text in it.
    ``size`` is that of the file: all its blocks together may expand to :func:`allowance` of it.
    """

    def __init__(
        self, *, encoding: str = SYSTEM_ENCODING, source: str | None = None, size: int = 0
    ) -> None:
        super().__init__(source=source)
        self.allowance = allowance(size)
        self.encoding = encoding
        self.foreign_text = False
        self.undecoded = False
        self.inflated = 0

    def text(self, raw: bytes) -> str:
        """The text of a string's bytes; what is no text in the encoding becomes surrogates.

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

    def inflate(self, stream: bytes, position: int) -> tuple[bytes, bytes]:
        """The content of a zlib stream, and the bytes behind its end.

        FormatError: not a zlib stream, one that ends early, or one that expands beyond reason.
        """
        try:
            content, rest = inflate(stream, min(MAXIMUM_BLOCK, self.allowance - self.inflated))
        except FormatError as error:
            error.offset, error.source = position, self.source
            raise
        self.inflated += len(content)
        return content, rest


class ProjectWriter(Writer):
    """A writer that encodes text."""

    def __init__(self, *, encoding: str = SYSTEM_ENCODING) -> None:
        super().__init__()
        self.encoding = encoding

    def raw(self, text: str) -> bytes:
        """The bytes of a text.  EncodeError: it has characters the encoding does not."""
        try:
            return text.encode(self.encoding, "surrogateescape")
        except UnicodeEncodeError as error:
            raise EncodeError(
                f"{text[error.start]!r} does not exist in the project's encoding, {self.encoding}"
            ) from None


def allowance(size: int) -> int:
    """How many bytes the zlib streams of a file of ``size`` bytes may expand to, together."""
    return max(SMALL_FILES, USUAL_RATIO * size)


def inflate(stream: bytes, limit: int = MAXIMUM_BLOCK) -> tuple[bytes, bytes]:
    """The content of a zlib stream, and the bytes behind its end; FormatError beyond ``limit``."""
    try:
        if len(stream) * _WORST_RATIO > limit and _expands_beyond(stream, limit):
            raise FormatError(f"a zlib stream of {len(stream)} bytes expands beyond all reason")
        machine = zlib.decompressobj()
        content = machine.decompress(stream)
        if not machine.eof:
            raise FormatError("a zlib stream ends early")
    except zlib.error as error:
        raise FormatError(f"a damaged zlib stream: {error}") from None
    return content, machine.unused_data


def _expands_beyond(stream: bytes, limit: int) -> bool:
    """Does a stream expand beyond a limit?  Told without ever holding what it expands to."""
    machine = zlib.decompressobj()
    total = 0
    for start in range(0, len(stream), _SLICE):
        left = stream[start : start + _SLICE]
        while left:
            total += len(machine.decompress(left, _PIECE))
            if total > limit:
                return True
            left = machine.unconsumed_tail
        if machine.eof:
            break
    return False


def extends_ascii(encoding: str) -> bool:
    """Is this a text encoding that Python knows, whose first 128 characters are ASCII?"""
    plain = bytes(range(128))
    try:
        return plain.decode(encoding) == plain.decode("ascii")
    except (LookupError, UnicodeError):
        return False


def beginning(stream: bytes, length: int) -> bytes:
    """The first bytes of what a zlib stream holds.  FormatError: it is damaged."""
    try:
        return zlib.decompressobj().decompress(stream, length)
    except zlib.error as error:
        raise FormatError(f"a damaged zlib stream: {error}") from None


def deflate(content: bytes | bytearray) -> bytes:
    """A zlib stream as Game Maker writes it: the library's default level."""
    return zlib.compress(content)


def deflate_like(content: bytes | bytearray, kept: bytes) -> bytes:
    """``kept`` if it is a stream of this content (and what follows it), otherwise a new one."""
    return kept if kept and _is_stream_of(kept, content) else deflate(content)


def _is_stream_of(stream: bytes, content: bytes | bytearray) -> bool:
    """Does a zlib stream hold just this content?  Told a piece at a time."""
    machine, position, left = zlib.decompressobj(), 0, stream
    with memoryview(content) as view:
        try:
            while not machine.eof:
                piece = machine.decompress(left, _PIECE)
                if view[position : position + len(piece)] != piece or not (piece or machine.eof):
                    return False
                position += len(piece)
                left = machine.unconsumed_tail
        except zlib.error:
            return False
        return position == len(view)
