"""Dialogs before 3.1: byte code and its assembly, source, speech lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from overhaul.ags.text import add_key, decode, encode, subtract_key
from overhaul.errors import EncodeError, FormatError
from overhaul.schema import Buffer, Reader, Scheme, SizedBytes, VariableCodec, Writer
from overhaul.schema.codec import bytes_from_json, list_of_json, text_from_json

GUI_MAGIC: Final = (0xCAFEBEEF).to_bytes(4, "little")
"""The first bytes of the GUIs, which end the speech lines."""

#: Data versions whose texts of dialogs are not obfuscated; those of 5 to 12 are, too.
_PLAIN_TEXTS: Final = range(13, 26)


class HasCode(Protocol):
    """A dialog: its options store the sizes of their code."""

    code_size: int


class DialogData(VariableCodec[list[tuple[bytes, bytes]]]):
    """The byte code and source text of each dialog, before 3.1."""

    needs: tuple[str, ...] = ("dialogs",)

    def type_name(self) -> str:
        return "code_size bytes, then u32 length and obfuscated text, for each dialog"

    def read(
        self, data: Buffer, position: int, reader: Reader, dialogs: Sequence[HasCode]
    ) -> tuple[list[tuple[bytes, bytes]], int]:
        pairs: list[tuple[bytes, bytes]] = []
        sized = SizedBytes()
        for dialog in dialogs:
            end = position + dialog.code_size
            if end > len(data):
                raise reader.truncated(data, position)
            text, after = sized.read(data, end, reader)
            pairs.append((bytes(data[position:end]), text))
            position = after
        return pairs, position

    def write(
        self, writer: Writer, value: list[tuple[bytes, bytes]], dialogs: Sequence[HasCode]
    ) -> None:
        if len(value) != len(dialogs):
            raise EncodeError(f"expected {len(dialogs)} dialog scripts, got {len(value)}")
        sized = SizedBytes()
        for dialog, (code, text) in zip(dialogs, value, strict=True):
            if len(code) != dialog.code_size:
                raise EncodeError(f"expected {dialog.code_size} bytes of code, got {len(code)}")
            writer.out += code
            sized.write(writer, text)

    def to_jsonable(self, value: list[tuple[bytes, bytes]], scheme: Scheme) -> object:
        return [
            {
                "code": disassemble(code) or code.hex(),
                "text": shown_text(text, scheme.version),
            }
            for code, text in value
        ]

    def from_jsonable(self, value: object, scheme: Scheme) -> list[tuple[bytes, bytes]]:
        pairs: list[tuple[bytes, bytes]] = []
        for item in list_of_json(value):
            if not isinstance(item, dict) or {"code", "text"} != item.keys():
                raise FormatError("expected an object with code and text, and nothing else")
            lines = item["code"]
            code = assemble(lines) if isinstance(lines, list) else bytes_from_json(lines)
            pairs.append((code, stored_text(item["text"], scheme.version)))
        return pairs


def shown_text(stored: bytes, version: int) -> str:
    """A text of dialogs before 3.1; most versions obfuscate it."""
    return decode(stored if version in _PLAIN_TEXTS else subtract_key(stored))


def stored_text(shown: object, version: int) -> bytes:
    """The stored form of a text; undoes :func:`shown_text`."""
    data = encode(text_from_json(shown))
    return data if version in _PLAIN_TEXTS else add_key(data)


class SpeechLines(VariableCodec[list[bytes]]):
    """Speech lines up to the magic number of the GUIs, before 3.1."""

    def type_name(self) -> str:
        return "texts to the magic number of the GUIs"

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[list[bytes], int]:
        if reader.version in _PLAIN_TEXTS:
            end = bytes(data).find(GUI_MAGIC, position)
            if end < 0:
                raise reader.fail("the magic number of the GUIs is missing", position)
            return [bytes(data[position:end])], end
        pairs: list[bytes] = []
        sized = SizedBytes()
        while bytes(data[position : position + 4]) != GUI_MAGIC:
            line, position = sized.read(data, position, reader)
            pairs.append(line)
        return pairs, position

    def write(self, writer: Writer, value: list[bytes]) -> None:
        sized = SizedBytes()
        for line in value:
            if writer.version in _PLAIN_TEXTS:
                writer.out += line
            else:
                sized.write(writer, line)

    def to_jsonable(self, value: list[bytes], scheme: Scheme) -> object:
        return [shown_text(line, scheme.version) for line in value]

    def from_jsonable(self, value: object, scheme: Scheme) -> list[bytes]:
        return [stored_text(line, scheme.version) for line in list_of_json(value)]


OPERATIONS: Final = {
    1: ("say", 2),
    2: ("option-off", 1),
    3: ("option-on", 1),
    4: ("return", 0),
    5: ("stop", 0),
    6: ("option-off-forever", 1),
    7: ("run-script", 1),
    8: ("goto-dialog", 1),
    9: ("play-sound", 1),
    10: ("add-inv", 1),
    11: ("set-speech-view", 2),
    12: ("new-room", 1),
    13: ("set-globalint", 2),
    14: ("give-score", 1),
    15: ("goto-previous", 0),
    16: ("lose-inv", 1),
    255: ("end", 0),
}
"""(name, number of arguments) of each operation."""

_NUMBERS: Final = {name: (number, count) for number, (name, count) in OPERATIONS.items()}


def disassemble(code: bytes) -> list[str] | None:
    """The code as lines such as ``say 6 0`` (a character and a line); None if not valid."""
    lines: list[str] = []
    position = 0
    while position < len(code):
        name, count = OPERATIONS.get(code[position], ("", 0))
        end = position + 1 + 2 * count
        if not name or end > len(code):
            return None
        numbers = (
            int.from_bytes(code[at : at + 2], "little", signed=True)
            for at in range(position + 1, end, 2)
        )
        lines.append(" ".join([name, *map(str, numbers)]))
        position = end
    return lines


def assemble(lines: list[str]) -> bytes:
    """The code of such lines.  Raises FormatError for a line that is not valid."""
    code = bytearray()
    for index, line in enumerate(lines):
        words = line.split() if isinstance(line, str) else []
        number, count = _NUMBERS.get(words[0], (0, 0)) if words else (0, 0)
        if not number or len(words) != count + 1:
            raise FormatError(f"not a valid dialog operation: {line!r}", path=f"[{index}]")
        code.append(number)
        for word in words[1:]:
            try:
                code += int(word).to_bytes(2, "little", signed=True)
            except (ValueError, OverflowError):
                message = f"expected a number of 16 bits, got {word!r}"
                raise FormatError(message, path=f"[{index}]") from None
    return bytes(code)
