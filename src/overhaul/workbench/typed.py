"""Texts as a browser shows them and sends them back, and the texts that were meant.

A browser has one kind of line ends, no NUL and no surrogates: pages write a surrogate as an escape.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final

_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
#: a line end, an escape of a surrogate, or another character
_UNIT: Final = re.compile(r"\r\n|\\ud[89a-f][0-9a-f]{2}|(?s:.)")
_LOST: Final = re.compile(r"\r\n?|[\0\ud800-\udfff]")
#: So many pairs of characters are compared; in longer lines, odd characters keep their order.
_PAIRS: Final = 1 << 20


def in_browser(text: str) -> str:
    """A text as a field of a page shows it."""
    return _LOST.sub(lambda found: _shown(found[0]), text)


def as_typed(sent: str, before: str) -> str:
    """The text that a browser sent of one that was ``before``: where nothing was typed it is what
    it was, with its line ends, and with characters that a browser can't show."""
    text = sent.replace("\r\n", "\n").replace("\r", "\n")
    if sent == before or text == in_browser(before):
        return before
    ends = [*dict.fromkeys(re.findall(r"\r\n|\r|\n", before))]
    end = ends[0] if ends else "\n"
    if len(ends) < 2 and in_browser(before) == before.replace(end, "\n"):
        return text.replace("\n", end)
    was, typed = _LINE.findall(before), _LINE.findall(text)
    if len(was) == len(typed):
        pairs = zip(was, typed, strict=True)
        return "".join(_merged(old, new, end) for old, new in pairs)
    return "".join(
        old if new is None else _merged(old, new, end) for old, new in _changes(was, typed)
    )


def _merged(before: str, typed: str, end: str) -> str:
    """Lines that were typed in place of others: of their characters those that stay are kept."""
    if typed == in_browser(before):
        return before
    was, units = _UNIT.findall(before), _UNIT.findall(typed)
    if was and was[-1] in ("\r\n", "\r", "\n"):
        end = was[-1]
    if len(was) * len(units) <= _PAIRS:
        return "".join(
            old if new is None else new.replace("\n", end) for old, new in _changes(was, units)
        )
    odd = [unit for unit in was if _is_odd(in_browser(unit))]
    if [in_browser(unit) for unit in odd] == [unit for unit in units if _is_odd(unit)]:
        kept = iter(odd)
        units = [next(kept) if _is_odd(unit) else unit for unit in units]
    return "".join(units).replace("\n", end)


def _is_odd(unit: str) -> bool:
    """Whether a character stands for one that a browser can't show."""
    return unit == "\ufffd" or len(unit) == 6


def _changes(was: Sequence[str], typed: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    """A text in parts, each with what is typed in its place, or None where it stays."""
    shown = [in_browser(part) for part in was]
    first = _alike(shown, typed)
    last = _alike(shown[first:][::-1], typed[first:][::-1])
    before, after = len(was) - last, len(typed) - last
    yield "".join(was[:first]), None
    matcher = SequenceMatcher(None, shown[first:before], typed[first:after])
    for tag, a, b, c, d in matcher.get_opcodes():
        new = None if tag == "equal" else "".join(typed[first + c : first + d])
        yield "".join(was[first + a : first + b]), new
    yield "".join(was[before:]), None


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many parts are the same, from the first on."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _shown(found: str) -> str:
    if found[0] == "\r":
        return "\n"
    return "\ufffd" if found == "\0" else f"\\u{ord(found):x}"
