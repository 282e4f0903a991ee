"""Marks of merges in a file in GameMaker's JSON, resolved where both sides can be kept.

A file with marks is two files: with the first side of every block, and with the last.  If both
are JSON, what only one of them has is kept, in the order of the first; a value that both have and
that differs is left to people.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from overhaul.errors import FormatError
from overhaul.gamemaker.ide.texts import JsonFile, read_json_file
from overhaul.gamemaker.ide.values import Json, Steps, path_of, text_at

_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+\Z")
_SIGN: Final = re.compile(r"(<{7}|={7}|>{7})(?=[ \r\n]|\Z)")
#: Marks are in each other so deep at most.
_DEEPEST: Final = 64


class Disagreement(Exception):
    """Both sides have a value, and they differ, or a side is not JSON: the disagreement, in
    words."""


def sides_of(text: str) -> tuple[str, str]:
    """The text with the first side of every block, and with the last.

    Raises Disagreement for marks that do not belong together.
    """
    chosen: tuple[list[str], list[str]] = ([], [])
    # of each open block: its number of the side that is read
    open_blocks: list[int] = []
    lines = _LINE.findall(text)
    last = _last_sides(lines)
    starts: list[int] = []
    for number, line in enumerate(lines):
        sign = _SIGN.match(line)
        if sign is None:
            if all(side == 0 for side in open_blocks):
                chosen[0].append(line)
            if all(side == last[at] for side, at in zip(open_blocks, starts, strict=True)):
                chosen[1].append(line)
        elif sign[1][0] == "<":
            open_blocks.append(0)
            starts.append(number)
        elif not open_blocks:
            raise Disagreement(f"line {number + 1}: {sign[1]} without a beginning")
        elif sign[1][0] == "=":
            open_blocks[-1] += 1
        else:
            open_blocks.pop()
            starts.pop()
        if len(open_blocks) > _DEEPEST:
            raise Disagreement(f"line {number + 1}: marks are in each other too deep")
    if open_blocks:
        raise Disagreement(f"line {starts[-1] + 1}: a block without an end")
    return "".join(chosen[0]), "".join(chosen[1])


def _last_sides(lines: Sequence[str]) -> dict[int, int]:
    """The number of the last side of each block, by the line that it begins at."""
    counts: dict[int, int] = {}
    stack: list[int] = []
    for number, line in enumerate(lines):
        sign = _SIGN.match(line)
        if sign is None:
            continue
        if sign[1][0] == "<":
            stack.append(number)
            counts[number] = 0
        elif sign[1][0] == "=" and stack:
            counts[stack[-1]] += 1
        elif stack:
            stack.pop()
    return counts


def without_marks(data: bytes, source: str) -> JsonFile:
    """A file with both sides of its marks.  Raises Disagreement, and FormatError for no UTF-8."""
    file = read_json_file(data, source=source)
    first, last = sides_of(file.text)
    sides = []
    for text in (first, last):
        side = JsonFile(text, file.has_mark, source)
        try:
            side.at()  # its values
        except FormatError as error:
            raise Disagreement(f"one side is not JSON: {error.message}") from None
        sides.append(side)
    return _merged(sides[0], sides[1].value, ())


def _merged(file: JsonFile, other: Json, steps: Steps) -> JsonFile:
    """A file with what another value has at a place and it has not."""
    own = file.at(*steps)
    if own == other:
        return file
    if isinstance(own, dict) and isinstance(other, dict):
        for key, item in other.items():
            if key in own:
                file = _merged(file, item, (*steps, key))
            else:
                file = file.added(*steps, key, value=item)
        return file
    if isinstance(own, list) and isinstance(other, list):
        return _merged_list(file, own, other, steps)
    both = f"{_short(own)} on one side, {_short(other)} on the other"
    raise Disagreement(f"{path_of(steps)} is {both}")


def _merged_list(file: JsonFile, own: list[Json], other: list[Json], steps: Steps) -> JsonFile:
    marks = [[_identity(item) for item in items] for items in (own, other)]
    if not all(mark and len(set(mark)) == len(mark) and None not in mark for mark in marks if mark):
        raise Disagreement(f"{path_of(steps)} has other elements on both sides")
    here = list(marks[0])
    before = -1
    for mark, item in zip(marks[1], other, strict=True):
        if mark in here:
            before = here.index(mark)
            file = _merged(file, item, (*steps, before))
        else:
            before += 1
            here.insert(before, mark)
            file = file.added(*steps, before, value=item)
    return file


def _identity(item: Json) -> str | None:
    """The identity of an element of a list; None for one that has nothing."""
    if isinstance(item, str):
        return item
    for keys in (("id", "path"), ("Key",), ("path", "name"), ("roomId", "path"), ("folderPath",),
                 ("id",), ("name",), ("path",)):  # fmt: skip
        if keys == ("path", "name"):
            path, name = text_at(item, "path"), text_at(item, "name")
            found = f"{path} {name}" if path and name else ""
        else:
            found = text_at(item, *keys)
        if found:
            return found
    return None


def _short(value: Json) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
