"""Compiled translations (.tra), and their texts as lines (.trs).

A compiled translation is a block list with 4-byte ids.  Sources: the engine's
``Common/data/tra_file.cpp``; see docs/formats/ags-translations.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Final

from overhaul.ags.blockdata import DecodedBlocks, decode_blocks
from overhaul.ags.blocks import TRANSLATION, read_blocks
from overhaul.ags.detect import TRANSLATION as SIGNATURE
from overhaul.ags.fields import EString, estr, lstr, new, zeros
from overhaul.ags.properties import TextMap
from overhaul.errors import EncodeError, FormatError, SourceError
from overhaul.schema import (
    Buffer,
    Inline,
    Reader,
    Record,
    Scheme,
    Times,
    VariableCodec,
    When,
    Writer,
    i32,
)
from overhaul.schema.codec import list_of_json
from overhaul.schema.jsonable import from_jsonable, to_jsonable
from overhaul.schema.record import short_repr

GAME_ID, DICTIONARY, TEXT_OPTIONS = 2, 1, 3


class Pair(Record):
    """A text and its translation."""

    source: estr = ""
    text: estr = ""


class _Pairs(VariableCodec[list[Pair]]):
    """Pairs up to one whose texts are both empty, which is kept as the last."""

    def type_name(self) -> str:
        return "pairs of obfuscated texts to an empty pair"

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[list[Pair], int]:
        codec = EString()
        pairs: list[Pair] = []
        while True:
            source, position = codec.read(data, position, reader)
            text, position = codec.read(data, position, reader)
            pairs.append(Pair(source, text))
            if not source and not text:
                return pairs, position

    def write(self, writer: Writer, value: list[Pair]) -> None:
        codec = EString()
        if not value or value[-1].source or value[-1].text:
            raise EncodeError("a dictionary ends with an empty pair")
        for pair in value:
            codec.write(writer, pair.source)
            codec.write(writer, pair.text)

    def to_jsonable(self, value: list[Pair], scheme: Scheme) -> object:
        return [to_jsonable(pair, scheme) for pair in value]

    def from_jsonable(self, value: object, scheme: Scheme) -> list[Pair]:
        return [from_jsonable(Pair, pair, scheme) for pair in list_of_json(value)]


class DictionaryBlock(Record):
    """Block 1: the translations, in file order; the last pair is empty."""

    pairs: Annotated[list[Pair], _Pairs()] = new(lambda: [Pair("", "")])


class GameIdBlock(Record):
    """Block 2: the game that the translation is for."""

    unique_id: i32 = 0
    game_name: estr = ""


class TextOptionsBlock(Record):
    """Block 3: fonts and direction of the texts (-1: as in the game)."""

    normal_font: i32 = -1
    speech_font: i32 = -1
    direction: Annotated[i32, "1 left to right, 2 right to left"] = -1


class NewTextOptionsBlock(TextOptionsBlock):
    """Block 3 from 3.6.3 on."""

    flags: Annotated[i32, "1 translates what the parser reads"] = 0


def _is_own(replacement: int) -> bool:
    return replacement < 0


class FontReplacement(Record):
    """A font in place of another: one of the game, or a file with eleven settings."""

    font: i32 = 0
    replacement: i32 = 0
    settings: Annotated[
        list[i32],
        Times(11),
        When("replacement", _is_own, "replacement is below 0"),
    ] = zeros(11)
    file_name: Annotated[lstr, When("replacement", _is_own, "replacement is below 0")] = ""


class FontsBlock(Record):
    """Block ext_fonts."""

    fonts: Annotated[list[FontReplacement], Inline("i")] = []


BLOCKS: Final[dict[int | str, type[Record]]] = {
    DICTIONARY: DictionaryBlock,
    GAME_ID: GameIdBlock,
    TEXT_OPTIONS: TextOptionsBlock,
    "ext_sopts": TextMap,
    "ext_parserdict": DictionaryBlock,
    "ext_fonts": FontsBlock,
}


@dataclass(slots=True)
class Translation:
    """A compiled translation; ``trailing`` are the zeros that editors write after the list.

    ``blocks`` has its texts and the game that it is for; ``short_id``: the stored length of the
    game's identity is one too small, as editors before 3.0 write it.
    """

    __repr__ = short_repr

    blocks: DecodedBlocks = field(default_factory=lambda: DecodedBlocks(TRANSLATION))
    trailing: bytes = bytes(4)
    short_id: bool = False

    @classmethod
    def read(
        cls, data: bytes | memoryview, *, source: str | None = None, strict: bool = False
    ) -> Translation:
        """The translation in ``data``.  Raises FormatError."""
        start = len(SIGNATURE)
        if bytes(data[:start]) != SIGNATURE:
            raise FormatError("not a translation: expected AGSTranslation", source=source, offset=0)
        data, short_id = _lengthen_short_id(bytes(data), start)
        try:
            blocks = read_blocks(data, TRANSLATION, start)
        except FormatError as error:
            error.source = source
            raise
        records = dict(BLOCKS)
        options = blocks.get(TEXT_OPTIONS)
        if options is not None and len(options.data) >= 16:
            records[TEXT_OPTIONS] = NewTextOptionsBlock
        decoded = decode_blocks(blocks, start, None, records, strict=strict, source=source)
        return cls(decoded, data[start + blocks.size :], short_id)

    def to_bytes(self) -> bytes:
        """The translation as stored in a file."""
        data = SIGNATURE + self.blocks.to_list().to_bytes() + self.trailing
        return _shorten_id(data, len(SIGNATURE)) if self.short_id else data

    @property
    def pairs(self) -> list[Pair]:
        """The texts and their translations, in file order, without the empty pair at the end."""
        content = self.blocks.find(DICTIONARY, DictionaryBlock)
        return content.pairs[:-1] if content is not None else []

    def set_pairs(self, pairs: list[Pair]) -> None:
        """Replace the translations; new empty texts are stored as the file stores its others."""
        content = self.blocks.find(DICTIONARY, DictionaryBlock)
        if content is None:
            content = DictionaryBlock()
            self.blocks.add(DICTIONARY, content)
        last = content.pairs[-1]
        known = {(pair.source, pair.text): pair for pair in content.pairs[:-1]}
        kept = []
        for pair in pairs:
            text = pair.text or type(last.text)("")
            kept.append(known.get((pair.source, pair.text), Pair(pair.source, text)))
        content.pairs = [*kept, last]


def _lengthen_short_id(data: bytes, start: int) -> tuple[bytes, bool]:
    """(data with the right length of block 2, whether it was wrong).

    Editors before 3.0 write that length one too small.
    """
    head = data[start : start + 16]
    id, length, _, name = (int.from_bytes(head[i : i + 4], "little") for i in (0, 4, 8, 12))
    if len(head) < 16 or id != GAME_ID or length + 1 != name + 8:
        return data, False
    return data[: start + 4] + (length + 1).to_bytes(4, "little") + data[start + 8 :], True


def _shorten_id(data: bytes, start: int) -> bytes:
    """Undo :func:`_lengthen_short_id`."""
    length = int.from_bytes(data[start + 4 : start + 8], "little")
    return data[: start + 4] + (length - 1).to_bytes(4, "little") + data[start + 8 :]


# --- as text --------------------------------------------------------------------------------


def to_lines(pairs: list[Pair]) -> str:
    """The pairs as alternating lines, as .trs files have them.

    They can't hold texts with line breaks, and sources that read as comments.
    """
    return "".join(f"{pair.source}\n{pair.text}\n" for pair in pairs)


def from_lines(text: str) -> list[Pair]:
    """The pairs of a .trs text; comments are skipped.

    The line behind a text is its translation, whatever it begins with, as for the editor; also
    behind an empty line. Two empty lines are not a pair: in a .tra they would end it. Raises
    SourceError for a missing line.
    """
    lines = [line.rstrip("\r") for line in text.split("\n")]
    if lines and not lines[-1]:
        lines.pop()
    numbered = enumerate(lines, start=1)
    pairs: list[Pair] = []
    for line, source in numbered:
        if source.startswith("//"):
            continue
        _, translated = next(numbered, (0, None if source else ""))
        if translated is None:
            raise SourceError("the translation of the last text is missing", line, 1)
        if not source and not translated:
            continue
        pairs.append(Pair(source, translated))
    return pairs
