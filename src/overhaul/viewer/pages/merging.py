"""A text that was edited on two pages at once: both edits in one text, to be looked at and sent.

A page sends back the state it was opened with, so that nothing has to be remembered of pages.
"""

from __future__ import annotations

import difflib

import msgspec

from overhaul.mods.updating import MARKS, merge_lines

#: lines around a change that the differences show
_AROUND = 3


class Merge(msgspec.Struct, frozen=True):
    """Two edits of one text: ``line`` is the first (from 1) of the lines that both changed, with
    both sides between marks, or 0; ``theirs`` and ``yours`` are what each edit changes."""

    line: int
    theirs: list[str]
    yours: list[str]


def merged(path: str, base: str, mine: str, theirs: str) -> tuple[str, Merge]:
    """The text with both edits of ``base``, and the lines of the edits."""
    was, yours, there = (text.rstrip("\n").split("\n") for text in (base, mine, theirs))
    lines, first = merge_lines(was, yours, there, MARKS)
    merge = Merge(first, difference(path, was, there), difference(path, was, yours))
    return "\n".join(lines), merge


def difference(path: str, old: list[str], new: list[str]) -> list[str]:
    """The differences between the lines of a file, without the lines that name it."""
    return list(difflib.unified_diff(old, new, path, path, lineterm="", n=_AROUND))[2:]


def marked_line(text: str) -> int:
    """The line (from 1) at which the sides of a merge still stand between marks, or 0."""
    lines = text.split("\n")
    if not all(mark in lines for mark in MARKS):
        return 0
    return lines.index(MARKS[0]) + 1


#: the note about it
STILL_MARKED = (
    "the lines of both sides stand here between marks: keep what you want, and remove the marks"
)
