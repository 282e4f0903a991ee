"""The byte code of dialogs before 3.1: an operation (u8) and its arguments (i16 each).

Checked on the dialogs of a 3.0.1 game against the source texts stored with their code.
"""

from __future__ import annotations

from typing import Final

from overhaul.errors import FormatError

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
