"""The text files of a .gm82 folder: lines, ``key=value``, numbers, and how a file was laid out."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from overhaul.errors import FormatError

_MARK: Final = "\ufeff"
_LOWEST: Final = -(1 << 31)
_HIGHEST: Final = (1 << 32) - 1


def wrong(path: str, line: int, message: str) -> FormatError:
    """The error of a line of a file."""
    return FormatError(f"line {line}: {message}", source=path)


@dataclass(frozen=True)
class Shape:
    """The form of a file besides its lines: its mark, its line ends, and its last characters."""

    mark: str = ""
    newline: str = "\n"
    ending: str = "\n"


USUAL: Final = Shape()


@dataclass
class Layouts:
    """How files differ from what Game Maker 8.2 writes, by path.

    ``shapes`` are their line ends; ``keys`` the lines of those with keys: a key, or a whole line
    that is not understood, which begins with ``=``; ``undecoded`` the first lines that are not
    UTF-8, whose bytes are kept.
    """

    shapes: dict[str, Shape] = field(default_factory=dict)
    keys: dict[str, list[str]] = field(default_factory=dict)
    undecoded: dict[str, int] = field(default_factory=dict)

    def read(self, path: str, data: bytes) -> str:
        """The text of a file with LF between its lines and none at its end."""
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            self.undecoded[path] = data.count(b"\n", 0, error.start) + 1
            text = data.decode("utf-8", "surrogateescape")
        mark = _MARK if text.startswith(_MARK) else ""
        text = text[len(mark) :]
        breaks = text.count("\n")
        newline = "\r\n" if breaks and text.count("\r\n") == breaks else "\n"
        text = text.replace(newline, "\n")
        body = text.removesuffix("\n")
        shape = Shape(mark, newline, text[len(body) :])
        if shape != _usual(body):
            self.shapes[path] = shape
        return body

    def written(self, path: str, body: str) -> bytes:
        """The bytes of a file of a text."""
        shape = self.shapes.get(path) or _usual(body)
        text = (body + shape.ending).replace("\n", shape.newline)
        return (shape.mark + text).encode("utf-8", "surrogateescape")

    def read_keys(self, path: str, data: bytes, usual: list[str]) -> dict[str, tuple[str, int]]:
        """The values of a file by their keys, with the line of each.

        ``usual`` are the keys that Game Maker 8.2 writes, empty for an empty line; other lines are
        kept.
        """
        body = self.read(path, data)
        values: dict[str, tuple[str, int]] = {}
        layout: list[str] = []
        known = set(usual)
        for number, line in enumerate(body.split("\n") if body else (), 1):
            key, sign, value = line.partition("=")
            if line and sign and key in known and key not in values:
                values[key] = value, number
                layout.append(key)
            else:
                layout.append(f"={line}" if line else "")
        if layout != usual:
            self.keys[path] = layout
        return values

    def written_keys(self, path: str, values: dict[str, str], usual: list[str]) -> bytes:
        """The bytes of a file with keys."""
        lines = []
        for key in self.keys.get(path, usual):
            lines.append(key[1:] if key[:1] == "=" else f"{key}={values[key]}" if key else "")
        return self.written(path, "\n".join(lines))

    def kept_lines(self) -> list[tuple[str, str]]:
        """The lines that are not understood, each with its file."""
        return [(path, key[1:]) for path, keys in self.keys.items() for key in keys
                if key[:1] == "="]  # fmt: skip


def _usual(body: str) -> Shape:
    return USUAL if body else Shape(ending="")


def lines_of(body: str) -> list[str]:
    """The lines of a text; none of an empty one."""
    return body.split("\n") if body else []


#: letters that no file of Windows has in its name
NOT_IN_NAMES: Final = frozenset('<>:"/\\|?*') | {chr(number) for number in range(32)}


def is_file_name(name: str) -> bool:
    """Whether a file or a folder of Windows can be called so."""
    return bool(name.strip()) and not name.endswith((".", " ")) and not NOT_IN_NAMES & set(name)


# ---------------------------------------------------------------------------------- values


def integer(text: str, path: str, line: int) -> int:
    """A number of 32 bits, signed or not."""
    try:
        number = int(text)
    except ValueError:
        raise wrong(path, line, f"{text!r} is not a whole number") from None
    if not _LOWEST <= number <= _HIGHEST:
        raise wrong(path, line, f"{number} does not fit into 32 bits")
    return number


def signed(number: int) -> int:
    """A number of 32 bits as a signed one."""
    return number - (1 << 32) if number > 0x7FFFFFFF else number


def unsigned(number: int) -> int:
    """A number of 32 bits as one without a sign."""
    return number & 0xFFFFFFFF


def real(text: str, path: str, line: int) -> float:
    """A number with a fraction."""
    try:
        return float(text)
    except ValueError:
        raise wrong(path, line, f"{text!r} is not a number") from None


def real_text(number: float) -> str:
    """A number with a fraction as Game Maker 8.2 writes it: without an exponent."""
    if number - number != 0:
        return {"inf": "inf", "-inf": "-inf"}.get(repr(number), "NaN")
    if number == int(number):
        return "-0" if str(number) == "-0.0" else str(int(number))
    return format(Decimal(repr(number)), "f")


_ESCAPES: Final = {"\\": "\\", "r": "\r", "n": "\n", "/": "/"}


def delimited(text: str) -> str:
    """A text on one line, as the arguments of actions are written."""
    plain = text.replace("\\", "\\\\").replace("\r", "\\r").replace("\n", "\\n")
    return plain.replace("*/", "*\\/")


def undelimited(text: str) -> str:
    """The text that :func:`delimited` wrote; a backslash before another letter stays."""
    parts: list[str] = []
    position = 0
    while position < len(text):
        letter = text[position]
        meant = _ESCAPES.get(text[position + 1 : position + 2]) if letter == "\\" else None
        parts.append(letter if meant is None else meant)
        position += 1 if meant is None else 2
    return "".join(parts)


def one_line(text: str) -> str:
    """A text with a blank for each line end."""
    return text.replace("\r\n", " ").replace("\n", " ")


def to_code(body: str) -> str:
    """Code of a file as projects store it: with CR LF between its lines."""
    return body.replace("\n", "\r\n")


def from_code(code: str) -> str:
    """Code of a project as files have it: with LF between its lines."""
    return code.replace("\r\n", "\n")
