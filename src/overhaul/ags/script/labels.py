"""The labels of assembly: they say what they stand for, so that others keep theirs when it changes.

A label is a name for people and a digest of what is there: of a string's text, or of the
instructions around a place of the code, without what changes with other places.  So it is the same
in another build, and does not mean another place there.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from overhaul.ags.script.model import Script
from overhaul.ags.script.tables import CODE_FIXUPS, IMPORT, Opcode
from overhaul.ags.text import encode

_DIGEST: Final = 6
_LONGEST: Final = 24
_WORD: Final = re.compile(rb"[0-9A-Za-z_]{1,60}")
_OTHER: Final = re.compile(rb"[^0-9A-Za-z]+")
#: How many instructions of the function, before and behind a place of the code, its label is of.
_AROUND: Final = 6


class _Names:
    """Gives each label once: the next one that is the same has a number."""

    def __init__(self) -> None:
        self._given: dict[str, int] = {}

    def give(self, name: str) -> str:
        """The name, or the name with a number."""
        count = self._given[name] = self._given.get(name, 0) + 1
        return name if count == 1 else f"{name}.{count}"


def string_labels(pieces: Iterable[tuple[int, bytes, bool]]) -> dict[int, str]:
    """The labels of the strings, by their offset."""
    names = _Names()
    return {offset: names.give(_label("s", text, text)) for offset, text, _ in pieces}


def _label(head: str, text: bytes, content: bytes) -> str:
    word = _OTHER.sub(b"_", text[: 2 * _LONGEST])[:_LONGEST].strip(b"_").decode()
    digest = hashlib.sha256(content).hexdigest()[:_DIGEST]
    return f"{head}_{word}_{digest}" if word else f"{head}_{digest}"


def code_labels(
    script: Script,
    instructions: Sequence[tuple[int, Opcode | None]],
    fixups: Mapping[int, int],
    targets: Collection[int],
) -> dict[int, str]:
    """The labels of places of the code (``targets``), which ``found`` has as instructions.

    The beginning of an exported function, or of a section, has its name, another place that of what
    it is in.
    """
    functions = {section.offset: encode(section.name) for section in reversed(script.sections)} | {
        export.address & 0xFFFFFF: encode(export.name.partition("$")[0])
        for export in reversed(script.exports)
        if export.address >> 24 == 1
    }
    order, starts = sorted(functions), [start for start, _ in instructions]
    words, shown = script.words, dict[int, bytes]()

    def instruction(number: int) -> bytes:
        if number not in shown:
            start, opcode = instructions[number]
            shown[number] = encode(" ".join(_said(script, words, start, opcode, fixups)))
        return shown[number]

    names = _Names()
    labels = {}
    for target in sorted(targets):
        at = bisect_right(order, target) - 1
        function = functions[order[at]] if at >= 0 else b""
        if target in functions and function:
            is_word = _WORD.fullmatch(function)
            name = f"L_{function.decode()}" if is_word else _label("L", function, function)
            labels[target] = names.give(name)
            continue
        here = bisect_left(starts, target)
        first = bisect_left(starts, order[at]) if at >= 0 else 0
        last = bisect_left(starts, order[at + 1]) if at + 1 < len(order) else len(instructions)
        around = range(max(first, here - _AROUND), min(last, here + _AROUND))
        content = b"\n".join([b"%d" % (here - around.start), *map(instruction, around)])
        labels[target] = names.give(_label("L", function, content))
    return labels


def _said(
    script: Script,
    words: Sequence[int],
    start: int,
    opcode: Opcode | None,
    fixups: Mapping[int, int],
) -> Iterator[str]:
    """An instruction without what changes with other places and texts."""
    if opcode is None:
        yield ".word"
        return
    yield opcode.name
    if opcode.name == "sourceline":
        return
    for number in range(start + 1, start + 1 + len(opcode.arguments)):
        value, kind = words[number], fixups.get(number)
        if kind == IMPORT and 0 <= value < len(script.imports):
            yield script.imports[value]
        elif kind is not None:
            yield CODE_FIXUPS[kind]
        elif not opcode.is_jump:
            yield str(value)
