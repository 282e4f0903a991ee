"""Structs that several scripts of a compiled game share, put together from what each uses.

Code has no names of fields, only their offsets; so a script knows the fields that it uses, which
the decompiler names by their offsets (``short_18``), and gaps between them (``unused_20``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

_FIELD: Final = re.compile(
    r"^\s*(?P<type>\w+ ?\*?) ?\b(?P<name>[a-z]\w*_(?P<offset>\d{1,6}))(?:\[(?P<count>\d{1,6})\])?;$"
)
_UNUSED: Final = "unused_"
#: The bytes of the types that the decompiler gives fields; pointers have 4 too.
_SIZES: Final = {"char": 1, "short": 2, "int": 4, "float": 4, "bool": 4, "String": 4}


class _Field(NamedTuple):
    offset: int
    size: int
    line: str
    name: str

    @property
    def strength(self) -> int:
        """How much its type says: a pointer more than true or false, and that more than a number.

        A field of more bytes is another one.
        """
        if "*" in self.line or "String" in self.line:
            return 3
        return 1 if self.line.lstrip().startswith("int ") else 2


def size_of(lines: Iterable[str]) -> int:
    """The bytes that the known fields of a struct take."""
    return max((field.offset + field.size for field in _fields(lines) or ()), default=0)


def renamed_fields(own: Iterable[str], final: Iterable[str]) -> dict[str, str]:
    """The fields of a struct as a script names them, and their other names in the final one."""
    names = {field.offset: field.name for field in _fields(final) or ()}
    return {
        field.name: names[field.offset]
        for field in _fields(own) or ()
        if not _is_gap(field) and names.get(field.offset, field.name) != field.name
    }


def merged(one: Iterable[str], two: Iterable[str]) -> list[str] | None:
    """The lines of a struct with the fields of both; None where they do not agree.

    Of two names for one field that of the type counts which says more, else the first.
    """
    first, second = _fields(one), _fields(two)
    if first is None or second is None:
        return None
    known: dict[int, _Field] = {}
    for field in (*first, *second):
        held = known.get(field.offset)
        if _is_gap(field) or (held is not None and field.strength <= held.strength):
            continue
        if held is not None and held.size != field.size:
            return None
        known[field.offset] = field
    lines: list[str] = []
    end = 0
    for field in sorted(known.values()):
        if field.offset < end:
            return None
        lines += _gap(end, field.offset)
        lines.append(field.line)
        end = field.offset + field.size
    size = max((field.offset + field.size for field in (*first, *second)), default=0)
    return [*lines, *_gap(end, size)]


def _fields(lines: Iterable[str]) -> list[_Field] | None:
    """The fields of a struct; None if the size of one is not known."""
    fields = []
    for line in lines:
        found = _FIELD.match(line)
        if found is None:
            return None
        size = 4 if "*" in found["type"] else _SIZES.get(found["type"].strip())
        if size is None:
            return None
        fields.append(
            _Field(int(found["offset"]), size * int(found["count"] or 1), line, found["name"])
        )
    return fields


def _is_gap(field: _Field) -> bool:
    return _UNUSED in field.line


def _gap(start: int, end: int) -> Iterator[str]:
    if end > start:
        count = f"[{end - start}]" if end - start > 1 else ""
        yield f"  char {_UNUSED}{start}{count};"
