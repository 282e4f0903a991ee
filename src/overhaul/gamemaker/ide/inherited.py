"""``options_main.inherited.yy`` of GameMaker Studio 2.0 to 2.2: what differs from the defaults.

It is not JSON: parts with an arrow between them, each with the id of what it changes and a JSON
object.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from overhaul.errors import FormatError
from overhaul.gamemaker.ide.printing import print_value
from overhaul.gamemaker.ide.styles import Style
from overhaul.gamemaker.ide.texts import JsonFile, read_json_file

#: Stands between the parts.
ARROW: Final = "\u2190"
_BEGINS: Final = re.compile("[0-9.]+\u2190")
_PART: Final = re.compile(r"([0-9a-f-]{36})\|")


@dataclass(frozen=True)
class InheritedPart:
    """The changed members of one thing, by its id."""

    id: str
    members: JsonFile


@dataclass(frozen=True)
class InheritedFile:
    """A file: the version in front, the id of the options, and the parts."""

    version: str
    options: str
    parts: tuple[InheritedPart, ...]

    def to_bytes(self) -> bytes:
        """The file."""
        texts = [f"{part.id}|{part.members.text}" for part in self.parts]
        return ARROW.join([self.version, self.options, *texts]).encode("utf-8")

    def printed(self) -> str:
        """The text made of the values alone."""
        newline = next((p.members.style.newline for p in self.parts), "\n")
        style = Style("A", newline)
        texts = [f"{part.id}|{print_value(part.members.value, style)}" for part in self.parts]
        return ARROW.join([self.version, self.options, *texts])

    def replaced(self, part: int, *steps: str | int, value: str | int | bool) -> InheritedFile:
        """With another value in a part."""
        kept = list(self.parts)
        made = kept[part].members.replaced(*steps, value=value)
        kept[part] = replace(kept[part], members=made)
        return replace(self, parts=tuple(kept))


def is_inherited(data: bytes) -> bool:
    """Whether a file is of this form."""
    return bool(_BEGINS.match(data[:100].decode("utf-8", "replace")))


def read_inherited(data: bytes, *, source: str | None = None) -> InheritedFile:
    """A file; its JSON is read when it is asked for.  Raises FormatError for another form."""
    text = read_json_file(data, source=source).text
    version, *rest = text.split(ARROW)
    if not rest:
        raise FormatError(f"expected {ARROW} after the version", source=source)
    parts: list[InheritedPart] = []
    for number, piece in enumerate(rest[1:]):
        found = _PART.match(piece)
        if found is None:
            raise FormatError("expected an id and |", source=source, path=f"parts[{number}]")
        parts.append(InheritedPart(found[1], JsonFile(piece[found.end() :], source=source)))
    return InheritedFile(version, rest[0], tuple(parts))
