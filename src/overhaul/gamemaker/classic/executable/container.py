"""Where the game is in an executable, and the layers around it.

Each product has its own layers: Game Maker 5.3 and 6 substitute bytes, 7 the way its projects do,
8 mixes them with their neighbours and exchanges them, 8.1 adds a mask of pseudo-random words around
that.  5.3 stores its project, the later ones what they made of it.
"""

from __future__ import annotations

import re
import sys
import zlib
from array import array
from dataclasses import dataclass, field

from overhaul.document.protocol import Buffer
from overhaul.errors import FormatError
from overhaul.gamemaker.classic.executable.records import Game, GameSettings
from overhaul.gamemaker.classic.fields import BLOB, Deflated, Versioned, sized
from overhaul.gamemaker.classic.obfuscation import (
    Obfuscation,
    conceal,
    inverse,
    reveal,
    table,
    table_of_seed,
)
from overhaul.gamemaker.classic.records import Project, code_page, read_project, write_project
from overhaul.gamemaker.classic.streams import (
    SYSTEM_ENCODING,
    Content,
    ProjectReader,
    ProjectWriter,
    deflate_like,
)
from overhaul.schema import codec_for
from overhaul.schema.record import short_repr

_WORD = 0xFFFFFFFF


def unscramble(scrambled: bytes, table: bytes) -> bytes:
    """Remove the obfuscation of Game Maker 8, given the 256 bytes of its table."""
    import numpy  # start-up: looking for a game in a program needs none of this

    size = len(scrambled)
    substituted = numpy.frombuffer(scrambled.translate(inverse(table)), numpy.uint8)
    before = numpy.frombuffer(scrambled, numpy.uint8)
    mixed = substituted.copy()
    positions = numpy.resize(numpy.arange(256, dtype=numpy.uint8), size)
    mixed[1:] -= before[:-1] + positions[1:]
    if size:
        mixed[0] = before[0]
    data = bytearray(mixed.tobytes())
    for i in range(size - 1, -1, -1):
        j = i - table[i & 255]
        if j < 0:
            j = 0
        data[i], data[j] = data[j], data[i]
    return bytes(data)


def scramble(data: bytes, table: bytes) -> bytes:
    """The reverse of :func:`unscramble`."""
    result = bytearray(data)
    for i in range(len(result)):
        j = i - table[i & 255]
        if j < 0:
            j = 0
        result[i], result[j] = result[j], result[i]
    last = result[0] if result else 0
    for i in range(1, len(result)):
        result[i] = last = table[(result[i] + last + i) & 255]
    return bytes(result)


def key_checksum(number: int) -> int:
    """The second half of the seed of 8.1's mask: a CRC-32 of a text with a number in it."""
    key = f"_MJD{number}#RWK".encode("utf-16-le")
    return zlib.crc32(key) ^ _WORD  # without the final inversion


def masked(data: bytes, start: int, first: int, second: int) -> bytes:
    """XOR the words of ``data`` from ``start`` on with 8.1's mask, both ways."""
    count = (len(data) - start) // 4
    if count <= 0:
        return data
    masks = array("I", bytes(4 * count))
    for index in range(count):
        first = (first & 0xFFFF) * 0x9069 + (first >> 16) & _WORD
        second = (second & 0xFFFF) * 0x4650 + (second >> 16) & _WORD
        masks[index] = (first << 16) + (second & 0xFFFF) & _WORD
    end = start + 4 * count
    if sys.byteorder == "big":
        masks.byteswap()
    words = int.from_bytes(data[start:end], "little") ^ int.from_bytes(masks.tobytes(), "little")
    return data[:start] + words.to_bytes(end - start, "little") + data[end:]


MAGIC = (1234321).to_bytes(4, "little")
OLD_MAGIC = (1230500).to_bytes(4, "little")  # Game Maker 5.3
OFFSETS = {600: (700_000, 800_000, 1_420_000, 1_600_000), 700: (1_980_000,), 800: (2_000_000,)}
OFFSET_53 = 1_500_000
FIRST_81 = 3_800_004
STEP_80 = 10_000
#: the two words before the data of 8.1, half of whose bits are fixed
_MARK = re.compile(rb".\x00.\xf7\x67.\x14.", re.DOTALL)
_SEARCHED = 16 << 20
_SETTINGS = Versioned(GameSettings, packed=800)
_END_OF_FILES = b"READY"
HIDDEN_HEAD = 20  # bytes between the seed of 8.1's mask and the settings


def locate(data: Buffer) -> tuple[int, int] | None:
    """The product's version and the offset of the game in an executable; None without one."""
    if bytes(data[:2]) != b"MZ":
        return None
    for version, offsets in OFFSETS.items():
        mark = MAGIC + version.to_bytes(4, "little")
        for offset in offsets:
            if bytes(data[offset : offset + 8]) == mark:
                return version, offset
    if bytes(data[OFFSET_53 : OFFSET_53 + 4]) == OLD_MAGIC:
        return 530, OFFSET_53
    mark = MAGIC + (800).to_bytes(4, "little")
    for offset in range(OFFSETS[800][0], min(len(data), OFFSETS[800][0] + _SEARCHED), STEP_80):
        if bytes(data[offset : offset + 8]) == mark:
            return 800, offset
    for match in _MARK.finditer(bytes(data[FIRST_81 : FIRST_81 + _SEARCHED])):
        offset = FIRST_81 + match.start()
        if _is_81(bytes(data[offset : offset + 16 + HIDDEN_HEAD + 4])):
            return 810, offset
    return None


def _is_81(head: bytes) -> bool:
    """Whether the words after the mark of 8.1, unmasked, begin a game."""
    if len(head) < 16 + HIDDEN_HEAD:
        return False
    number, first = _number(head, 8), _number(head, 12)
    second = key_checksum(number)
    plain = masked(head, 16 + (second & 0xFF) + 10, first, second)
    return plain[20:28] == bytes(8) and _number(plain, 32) == 800


@dataclass
class Executable:
    """A game in its layers, each with what it takes to put it back.

    ``runner`` are the bytes before the game; ``head`` its first words (without the settings);
    ``files`` the named files that come first; ``garbage`` the random words after the game.
    """

    __repr__ = short_repr

    version: int
    encoding: str = SYSTEM_ENCODING
    runner: bytes = b""
    head: bytes = b""
    settings: GameSettings | None = None
    files: list[tuple[bytes, bytes]] = field(default_factory=list)
    game: Game = field(default_factory=Game)
    inner_head: bytes = b""
    garbage: bytes = b""
    behind: bytes = b""
    hidden: Obfuscation = field(
        default_factory=lambda: Obfuscation(0, 0, array("i"), 248, array("i"))
    )
    project: Project | None = None  # of 5.3: the game is its project
    stream: bytes = b""  # of 6 and 7: the zlib stream with the game
    junk: tuple[bytes, bytes] = b"", b""  # of 8: around the table
    table: bytes = bytes(range(256))
    mask: tuple[int, int] = 0, 0  # of 8.1: the number and the first seed

    @property
    def information(self) -> bytes:
        """The game information (F1), as Rich Text (RTF)."""
        if self.project is not None:
            return self.project.information.text
        information = self.game.information
        text: Deflated | bytes = b"" if information is None else information.text
        return text.data if isinstance(text, Deflated) else text


def read_executable(data: Buffer, *, source: str | None = None) -> Executable:
    """Read the game in an executable.

    Raises FormatError if there is none or it is broken.
    """
    located = locate(data)
    if located is None:
        raise FormatError("this executable has no game of Game Maker 5.3 to 8.1", source=source)
    version, offset = located
    raw = bytes(data)
    if version == 530:
        return _read_53(raw, offset, source)
    result = Executable(version, "utf-8" if version >= 810 else SYSTEM_ENCODING)
    reader = _read(result, raw, offset, source)
    named = code_page(result.information) if version < 810 and reader.foreign_text else None
    if named is not None and named != result.encoding:
        result = Executable(version, named)
        _read(result, raw, offset, source)
    return result


def _read(result: Executable, data: bytes, offset: int, source: str | None) -> ProjectReader:
    """Read the game that begins at an offset, with the encoding of the result."""
    result.runner = data[:offset]
    reader = ProjectReader(encoding=result.encoding, source=source, size=len(data))
    read = {600: _read_6, 700: _read_7, 800: _read_8, 810: _read_81}[result.version]
    read(result, data, offset, reader)
    return reader


def write_executable(executable: Executable) -> bytes:
    """The bytes of an executable."""
    if executable.project is not None:
        return _write_53(executable, executable.project)
    writer = ProjectWriter(encoding=executable.encoding)
    write = {600: _write_6, 700: _write_7, 800: _write_8, 810: _write_81}[executable.version]
    return executable.runner + write(executable, writer)


def _number(data: bytes, position: int) -> int:
    if position + 4 > len(data):
        raise FormatError("the data ends here", offset=position)
    return int.from_bytes(data[position : position + 4], "little")


def _read_game(
    result: Executable, plain: bytes, position: int, version: int, reader: ProjectReader
) -> None:
    """The game in its plain bytes, and the garbage behind it."""
    result.inner_head = plain[:position]
    result.game, end = codec_for(Game, version).read(plain, position, reader)
    result.garbage = plain[end:]


def _plain(result: Executable, writer: ProjectWriter, version: int) -> bytes:
    """The game's plain bytes, with what comes before and after it."""
    inner = ProjectWriter(encoding=writer.encoding)
    inner.out += result.inner_head
    codec_for(Game, version).write(inner, result.game)
    return bytes(inner.out) + result.garbage


def _read_file(result: Executable, data: bytes, position: int, reader: ProjectReader) -> int:
    """The next named file; returns the position after it."""
    name, position = sized(data, position, reader)
    if name == _END_OF_FILES:
        return position
    content, position = sized(data, position, reader)
    result.files.append((name, content))
    return position


def _write_front(result: Executable, writer: ProjectWriter) -> None:
    """The settings, except in 6, and the named files."""
    if result.settings is not None:
        _SETTINGS.write(writer, result.settings)
    for file in result.files:
        for part in file:
            BLOB.write(writer, part)


def _read_stream(result: Executable, data: bytes, position: int, reader: ProjectReader) -> bytes:
    """The content of the zlib stream with the game of 6 and 7."""
    result.stream, position = sized(data, position, reader)
    result.behind = data[position:]
    return bytes(reader.inflate(result.stream, position)[0])


def _write_stream(result: Executable, writer: ProjectWriter, content: bytes) -> bytes:
    result.stream = deflate_like(Content.of(content), result.stream)
    BLOB.write(writer, result.stream)
    return bytes(writer.out) + result.behind


# ----------------------------------------------------------------------------- Game Maker 5.3


def _read_53(data: bytes, offset: int, source: str | None) -> Executable:
    """Read the project behind the key, a number and a file."""
    start = offset + 8
    result = Executable(530, runner=data[:offset], head=data[offset:start])
    plain = data[start:].translate(inverse(table(_number(data, offset + 4), 0)))
    position = 8 + _number(plain, 4)
    result.inner_head = plain[:position]
    try:
        result.project = read_project(plain[position:], source=source)
    except FormatError as error:
        if error.offset is not None:
            error.offset += start + position
        raise
    result.encoding = result.project.encoding
    return result


def _write_53(executable: Executable, project: Project) -> bytes:
    plain = executable.inner_head + write_project(project)
    substituted = plain.translate(table(_number(executable.head, 4), 0))
    return executable.runner + executable.head + substituted


# ----------------------------------------------------------------------------- Game Maker 6


def _read_6(result: Executable, data: bytes, offset: int, reader: ProjectReader) -> None:
    position, count = offset + 20, -1
    result.head = data[offset:position]
    while count != len(result.files):  # up to the end mark
        count = len(result.files)
        position = _read_file(result, data, position, reader)
    content = _read_stream(result, data, position, reader)
    result.hidden, start = codec_for(Obfuscation).read(content, 4, reader)
    substituted = content[start + 1 :].translate(inverse(table_of_seed(result.hidden.seed)))
    plain = content[:4] + content[start : start + 1] + substituted
    _read_game(result, plain, 32, 600, reader)


def _write_6(result: Executable, writer: ProjectWriter) -> bytes:
    plain = _plain(result, writer, 600)
    inner = ProjectWriter()
    inner.out += plain[:4]
    codec_for(Obfuscation).write(inner, result.hidden)
    inner.out += plain[4:5] + plain[5:].translate(table_of_seed(result.hidden.seed))
    writer.out += result.head
    _write_front(result, writer)
    BLOB.write(writer, _END_OF_FILES)
    return _write_stream(result, writer, bytes(inner.out))


# ----------------------------------------------------------------------------- Game Maker 7


def _read_7(result: Executable, data: bytes, offset: int, reader: ProjectReader) -> None:
    result.head = data[offset : offset + 12]
    result.settings, position = _SETTINGS.read(data, offset + 12, reader)
    content = _read_stream(result, data, _read_file(result, data, position, reader), reader)
    result.hidden, start = codec_for(Obfuscation).read(content, 0, reader)
    plain = reveal(content[start:], result.hidden.seed, start)
    _read_game(result, plain, 4, 700, reader)


def _write_7(result: Executable, writer: ProjectWriter) -> bytes:
    inner = ProjectWriter()
    codec_for(Obfuscation).write(inner, result.hidden)
    start = len(inner.out)
    inner.out += conceal(_plain(result, writer, 700), result.hidden.seed, start)
    writer.out += result.head
    _write_front(result, writer)
    return _write_stream(result, writer, bytes(inner.out))


# ----------------------------------------------------------------------------- Game Maker 8


def _read_8(result: Executable, data: bytes, offset: int, reader: ProjectReader) -> None:
    result.head = data[offset : offset + 12]
    _read_common(result, data, offset + 12, reader)


def _read_common(result: Executable, data: bytes, position: int, reader: ProjectReader) -> None:
    """Read the parts that 8.0 and 8.1 have in common, from the settings on."""
    result.settings, position = _SETTINGS.read(data, position, reader)
    position = _read_file(result, data, position, reader)
    counts = _number(data, position), _number(data, position + 4)
    position += 8
    table_at = position + 4 * counts[0]
    junk_at = table_at + 256
    end = junk_at + 4 * counts[1]
    result.junk = data[position:table_at], data[junk_at:end]
    result.table = data[table_at:junk_at]
    if len(set(result.table)) != 256:
        raise reader.fail("not a valid substitution table of 256 different bytes", table_at)
    scrambled, position = sized(data, end, reader)
    result.behind = data[position:]
    plain = unscramble(scrambled, result.table)
    start = 4 + 4 * _number(plain, 0) + 4
    if start > len(plain):
        raise reader.fail("the game ends in its header", end)
    _read_game(result, plain, start, 800, reader)


def _write_8(result: Executable, writer: ProjectWriter) -> bytes:
    plain = _plain(result, writer, 800)
    _write_front(result, writer)
    for junk in result.junk:
        writer.out += (len(junk) // 4).to_bytes(4, "little")
    writer.out += result.junk[0] + result.table + result.junk[1]
    BLOB.write(writer, scramble(plain, result.table))
    return result.head + bytes(writer.out) + result.behind


def _read_81(result: Executable, data: bytes, offset: int, reader: ProjectReader) -> None:
    result.mask = _number(data, offset + 8), _number(data, offset + 12)
    after = offset + 16
    plain = _masked(result, data, after)
    position = after + HIDDEN_HEAD - 4  # the settings' own version number is the last word
    result.head = data[offset:after] + plain[after:position]
    _read_common(result, plain, position, reader)


def _write_81(result: Executable, writer: ProjectWriter) -> bytes:
    return _masked(result, _write_8(result, writer), 16)


def _masked(result: Executable, data: bytes, after: int) -> bytes:
    """Apply or remove the mask, whose numbers end at ``after``."""
    number, first = result.mask
    second = key_checksum(number)
    return masked(data, after + (second & 0xFF) + 10, first, second)
