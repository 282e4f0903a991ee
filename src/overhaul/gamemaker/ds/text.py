"""Text ↔ structures, and ds strings inside other files: finding, reading and replacing one.

Games keep them in INI files (``[section]`` and ``key="2F01..."``), in XML, in JSON, in GML
literals.  The file is taken as bytes: whatever its encoding and line ends, only the digits of the
string that is edited change.
"""

from __future__ import annotations

import binascii
import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from overhaul.document.files import write_file
from overhaul.errors import FormatError
from overhaul.gamemaker.ds.codec import (
    KINDS,
    MAXIMUM_NESTING,
    as_structure,
    decode_bytes,
    digits_of,
    encode_bytes,
    to_base64,
)
from overhaul.gamemaker.ds.structures import (
    DsGrid,
    DsList,
    DsMap,
    DsPriority,
    DsQueue,
    DsStack,
    Prioritized,
    Structure,
    Value,
)

_LEAD = re.compile(r"[\s\ufeff]*(?:\xef\xbb\xbf)?[\"']?")  # a byte order mark, read as Latin-1
#: what the digits of a magic number begin with in base64, upper and lower case
_IN_BASE64 = sorted(
    {
        to_base64(case(number.to_bytes(4, "little").hex()[:6]))
        for number in KINDS
        for case in (str.upper, str.lower)
    }
)
BASE64 = re.compile(rf"(?:{'|'.join(_IN_BASE64)})[A-Za-z0-9+/]*={{0,2}}")
_DIGITS = re.compile(r"(?:[0-9A-Fa-f]{2})*")


def loads(text: str, *, encoding: str = "utf-8", nested: bool = False) -> Structure:
    """Read a ds string: what ``ds_map_write`` and the other ``ds_*_write`` return.

    ``encoding`` is that of the strings inside; strings that it can't decode become ``bytes``. With
    ``nested``, strings that are ds strings themselves become structures too. White space and a
    quotation mark around the digits are kept. The digits may be in base64. ``dumps(loads(text)) ==
    text`` for every string, whatever stands after its last element.

    FormatError: not a ds string, or one that ends early; ``offset`` counts characters.
    """
    return _loads(text, encoding, MAXIMUM_NESTING if nested else 0)


def _loads(text: str, encoding: str, nesting: int) -> Structure:
    lead, digits, rest = "", text, ""
    try:
        data = binascii.unhexlify(text)
    except ValueError:  # as the runner does: read up to the first pair that is not digits
        lead, digits, rest = _parts(text)
        data = binascii.unhexlify(digits)
    if not data:
        encoded = _from_base64(text[len(lead) :], encoding, nesting)
        if encoded is not None:
            structure, size = encoded
            structure.lead, structure.rest = lead, text[len(lead) + size :]
            return structure
        if text.lstrip().startswith("{"):
            message = "this is JSON, as old browser runners wrote it, not a ds string"
        else:
            message = "a ds string begins with hexadecimal digits"
        raise FormatError(message, offset=0)
    try:
        structure = decode_bytes(data, encoding=encoding)
    except FormatError as error:
        error.offset = None if error.offset is None else len(lead) + 2 * error.offset
        raise
    if digits != digits.upper():
        if digits == digits.lower():
            structure.lower_case = True
        else:
            structure.mixed_case = digits
    if lead:
        structure.lead = lead
    if rest:
        structure.rest = rest
    if nesting:
        _open_nested(structure, nesting)
    return structure


def _from_base64(text: str, encoding: str, nesting: int) -> tuple[Structure, int] | None:
    """The structure whose digits a text begins with in base64, and the length of these; None
    where it does not, or where it is not as encoders write it."""
    match = BASE64.match(text)
    if match is None:
        return None
    try:
        inner = binascii.a2b_base64(match.group()).decode("latin-1")
        structure = _loads(inner, encoding, nesting)
    except (ValueError, FormatError):
        return None
    structure.base64, structure.rest = structure.rest, ""
    if structure.lead or to_base64(inner) != match.group():
        return None
    return structure, match.end()


def _parts(text: str) -> tuple[str, str, str]:
    """The text before the digits, the digits, the rest."""
    lead = _LEAD.match(text)
    assert lead is not None
    digits = _DIGITS.match(text, lead.end())
    assert digits is not None
    return lead.group(), digits.group(), text[digits.end() :]


def dumps(
    value: Structure | Mapping[Value, Value] | Iterable[Value],
    *,
    generation: int | None = None,
    encoding: str | None = None,
) -> str:
    """Write a ds string.

    ``value`` is a structure, a plain mapping (written as a map) or a plain iterable (a list); a
    plain list inside is an array, a mapping or structure inside is a string nested by hand.
    ``generation`` (1, 2 or 3; the structure's own, 3 for plain values) says for which runners:
    see :class:`~overhaul.gamemaker.ds.structures.Structure`.

    EncodeError: a value without a form in this generation, with its path.
    """
    structure = as_structure(value)
    digits = digits_of(structure, encode_bytes(structure, generation=generation, encoding=encoding))
    return structure.lead + digits + structure.rest


def load(
    path: str | os.PathLike[str], *, encoding: str = "utf-8", nested: bool = False
) -> Structure:
    """Read a file that holds one ds string (and perhaps a line end)."""
    try:
        return loads(Path(path).read_bytes().decode("latin-1"), encoding=encoding, nested=nested)
    except FormatError as error:
        error.source = os.fspath(path)
        raise


def dump(
    value: Structure | Mapping[Value, Value] | Iterable[Value],
    path: str | os.PathLike[str],
    *,
    generation: int | None = None,
    encoding: str | None = None,
    force: bool = False,
) -> None:
    """Write a ds string to a file of its own, all or nothing.

    FileExistsError: the file is there and ``force`` is not set.
    """
    text = dumps(value, generation=generation, encoding=encoding)
    write_file(path, file_bytes(text), force=force)


def file_bytes(text: str) -> bytes:
    """The bytes of a string in a file of its own, whose bytes were read as Latin-1.

    Only text around the digits that came from elsewhere can be more than that: it is UTF-8.
    """
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape")


def looks_like(text: str) -> bool:
    """Does the text begin with the magic number of a ds string, as digits or in base64?"""
    if BASE64.match(text):
        return True
    try:
        return int.from_bytes(bytes.fromhex(text[:8]), "little") in KINDS and len(text) >= 16
    except ValueError:
        return False


def _open_nested(structure: Structure, nesting: int) -> None:
    """Put structures in the place of the values (not the keys) that are their strings."""

    def opened(value: Value) -> Value:
        if isinstance(value, str) and looks_like(value):
            try:
                return _loads(value, structure.encoding, nesting - 1)
            except FormatError:
                return value
        if isinstance(value, list):
            value[:] = map(opened, value)
        return value

    if isinstance(structure, DsMap):
        for number, (key, value) in structure._entries.items():
            structure._entries[number] = (key, opened(value))
    elif isinstance(structure, DsGrid):
        structure.cells[:] = map(opened, structure.cells)
    elif isinstance(structure, DsPriority):
        structure[:] = [Prioritized(opened(value), priority) for value, priority in structure]
    elif isinstance(structure, DsQueue):
        for values in (structure, structure.before, structure.after):
            values[:] = map(opened, values)
    elif isinstance(structure, DsList | DsStack):
        structure[:] = map(opened, structure)


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

    ``key`` names it in the file: ``section/name`` in an INI file, the name before
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
    """The name of a value on its line: key= "key": <tag> var key =; empty if there is none."""
    before = _without_quote(before).rstrip()
    if not before.endswith(_SEPARATORS):
        return b""
    return _NO_NAME.split(_without_quote(before[:-1].rstrip()))[-1].strip()


def _without_quote(text: bytes) -> bytes:
    return text[:-1] if text.endswith(_QUOTES) else text


def locate(data: bytes, key: str) -> Found:
    """The string of that key (or ``@offset``).  FormatError: there is none; the keys there are."""
    strings = find(data)
    for item in strings:
        if key in (item.key, f"@{item.start}"):
            return item
    folded = [item for item in strings if item.key.casefold() == key.casefold()]
    if len(folded) == 1:
        return folded[0]
    known = ", ".join(item.key for item in strings[:10]) + (", ..." if len(strings) > 10 else "")
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
    # text around the digits in a file of their own would land in the middle here; whether they are
    # in base64 is the file's matter
    place = loads(data[item.start : item.end].decode("ascii"))
    before, structure.base64 = structure.base64, place.base64
    try:
        digits = digits_of(structure, encode_bytes(structure))
    finally:
        structure.base64 = before
    return data[: item.start] + digits.encode("ascii") + data[item.end :]
