"""ds strings inside other files: finding them, and editing one without touching the rest.

Games keep them in INI files (``[section]`` and ``key="2F01..."``), in XML, in JSON, in GML
literals.  The file is taken as bytes: whatever its encoding and line ends, only the digits of the
string that is edited change.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from overhaul.errors import FormatError
from overhaul.gamemaker.ds.codec import KINDS, digits_of, encode_bytes
from overhaul.gamemaker.ds.structures import DsGrid, DsMap, Structure
from overhaul.gamemaker.ds.text import BASE64, loads

_MAGICS = b"|".join(number.to_bytes(4, "little").hex().encode() for number in sorted(KINDS))
_CANDIDATE = re.compile(
    rb"(?<![0-9A-Fa-f])(?:(?i:%s)(?:[0-9A-Fa-f]{2})+)|(?<![0-9A-Za-z+/])(?:%s)"
    % (_MAGICS, BASE64.pattern.encode("ascii"))
)
_SECTION = re.compile(rb"^[ \t\xef\xbb\xbf]*\[([^\]\r\n]*)\]", re.MULTILINE)
_SEPARATORS, _QUOTES = (b"=", b":", b">"), (b'"', b"'")
_NO_NAME = re.compile(rb"""["'<>={}\[\](),;\r\n]""")


@dataclass(frozen=True, slots=True)
class Found:
    """A ds string in a file: ``data[start:end]`` are its digits, perhaps in base64.

    ``key`` tells it from the others in the file: ``section/name`` in an INI file, the name before
    it elsewhere, with ``#2`` and so on for a repeated name; ``@start`` where nothing names it.
    """

    key: str
    kind: str
    generation: int
    elements: int
    start: int
    end: int


def find(data: bytes) -> list[Found]:
    """Every ds string in a file's bytes that reads to its end, in order."""
    sections = [(match.start(), match.group(1)) for match in _SECTION.finditer(data)]
    seen: Counter[str] = Counter()
    result: list[Found] = []
    at = 0
    for match in _CANDIDATE.finditer(data):
        start, end = match.span()
        try:
            structure = loads(match.group().decode("ascii"))
        except FormatError:
            continue
        while at < len(sections) and sections[at][0] < start:
            at += 1
        key = _key(data, start, sections[at - 1][1] if at else None)
        seen[key] += 1
        if seen[key] > 1:
            key = f"{key}#{seen[key]}"
        result.append(
            Found(key, structure.kind, structure.generation, _elements(structure), start, end)
        )
    return result


def _elements(structure: Structure) -> int:
    if isinstance(structure, DsGrid):
        return len(structure.cells)
    assert isinstance(structure, DsMap | list)
    return len(structure)


def _key(data: bytes, start: int, section: bytes | None) -> str:
    nearest = max(0, start - 200)  # no name is longer; a file may be one line
    line = max(data.rfind(b"\n", nearest, start), data.rfind(b"\r", nearest, start)) + 1
    before = data[max(line, nearest) : start]
    name = _name(before)
    if not name:
        return f"@{start}"
    # in an INI file the name begins its line
    if section is not None and before.strip().startswith(name):
        name = section + b"/" + name
    return name.decode("utf-8", "backslashreplace")


def _name(before: bytes) -> bytes:
    """What names a value on its line: key= "key": <tag> var key =; nothing where nothing does."""
    before = _without_quote(before).rstrip()
    if not before.endswith(_SEPARATORS):
        return b""
    return _NO_NAME.split(_without_quote(before[:-1].rstrip()))[-1].strip()


def _without_quote(text: bytes) -> bytes:
    return text[:-1] if text.endswith(_QUOTES) else text


def locate(data: bytes, key: str) -> Found:
    """The string of that key (or ``@offset``).  FormatError: there is none; the keys there are."""
    found = find(data)
    for item in found:
        if key in (item.key, f"@{item.start}"):
            return item
    folded = [item for item in found if item.key.casefold() == key.casefold()]
    if len(folded) == 1:
        return folded[0]
    known = ", ".join(item.key for item in found[:10]) + (", ..." if len(found) > 10 else "")
    raise FormatError(f"no ds string has the key {key!r} (there are: {known or 'none'})")


def extract(data: bytes, key: str, *, encoding: str = "utf-8", nested: bool = False) -> Structure:
    """Read the string of that key.  FormatError: there is none."""
    item = locate(data, key)
    text = data[item.start : item.end].decode("ascii")
    return loads(text, encoding=encoding, nested=nested)


def replaced(data: bytes, key: str, structure: Structure) -> bytes:
    """The file's bytes with another string in the place of one; every other byte is the same.

    FormatError: no string has that key.  EncodeError: the structure has no string.
    """
    item = locate(data, key)
    # what stood around the digits in a file of their own would land in the middle here; whether
    # they are in base64 is the file's matter
    place = loads(data[item.start : item.end].decode("ascii"))
    before, structure.base64 = structure.base64, place.base64
    try:
        digits = digits_of(structure, encode_bytes(structure))
    finally:
        structure.base64 = before
    return data[: item.start] + digits.encode("ascii") + data[item.end :]
