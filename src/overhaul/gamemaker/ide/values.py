"""GameMaker's JSON: the values of a text, and where each is.

It is JSON with a comma after the last member of an object or a list.  Blanks in the place of these
commas make plain JSON of it in which every place is the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias, cast

from overhaul.document.jsontext import JsonError, line_and_column, parse_json

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | None"
#: Keys of objects and numbers of elements, from the outermost value inwards.
Steps: TypeAlias = "tuple[str | int, ...]"

#: The code of what a merge left.
MERGE_CONFLICT: Final = "merge-conflict"
#: A text, an opening bracket with a comma that nothing is in front of, or a comma after a last one.
_COMMA: Final = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[{]\s*,|,(?=\s*[\]}])', re.DOTALL)
_TOKEN: Final = re.compile(r'\s*("(?:[^"\\]|\\.)*+"|[\[\]{},:]|[^\s\[\]{},:"]++)', re.DOTALL)
_SPACE: Final = re.compile(r"\s*")
_MARKS: Final = re.compile(r"^(?:<{7}|={7}|>{7})(?=[ \r\n]|\Z)", re.MULTILINE)


def plain(text: str) -> str:
    """The text without commas after last members: blanks stand in their place."""
    return _COMMA.sub(_blank, text)


def _blank(found: re.Match[str]) -> str:
    token = found[0]
    return " " if token == "," else token


def read_values(text: str) -> Json:
    """The values of a text.

    Objects keep the order of their keys.  Numbers with a point or an exponent are floats.  Raises
    JsonError, which has the line and the column, for what is not JSON.
    """
    return cast("Json", parse_json(plain(text)))


class Mark(NamedTuple):
    """A line that a merge left in a text: the line, from 1, and what it begins with."""

    line: int
    sign: str


def conflict_marks(text: str) -> Iterator[Mark]:
    """The marks of merges in a text."""
    for found in _MARKS.finditer(text):
        yield Mark(line_and_column(text, found.start())[0], found[0])


class Span(NamedTuple):
    """Where a value is in a text; ``head`` is where its key begins, or it itself in a list."""

    head: int
    start: int
    end: int


def spans_in(text: str, start: int) -> Iterator[tuple[str | int, Span]]:
    """The keys or numbers of what is in the object or the list that begins at a place.

    The text is one that :func:`read_values` reads.
    """
    opening = text[start]
    position, number = start + 1, 0
    while True:
        token, head, end = _next(text, position)
        if token in "]}":
            return
        if token == ",":
            position = end
            continue
        step: str | int
        if opening == "{":
            step = str(parse_json(token))
            _, _, colon = _next(text, end)
            first = _past_space(text, colon)
        else:
            step, first = number, head
            number += 1
        position = _skip(text, first)
        yield step, Span(head, first, position)


def _next(text: str, position: int) -> tuple[str, int, int]:
    """A token, and where it begins and ends."""
    found = _TOKEN.match(text, position)
    if found is None:
        raise JsonError("the text ends too early", *line_and_column(text, position))
    return found[1], found.start(1), found.end(1)


def _past_space(text: str, position: int) -> int:
    """Where the blanks at a place end."""
    found = _SPACE.match(text, position)
    return position if found is None else found.end()


def _skip(text: str, position: int) -> int:
    """Where the value that begins at a place ends."""
    depth = 0
    while True:
        token, _, position = _next(text, position)
        if token in "[{":
            depth += 1
        elif token in "]}":
            depth -= 1
        if not depth and token != ",":
            return position


def root_span(text: str) -> Span:
    """Where the outermost value of a text is."""
    first = _past_space(text, 0)
    return Span(first, first, _skip(text, first))


def path_of(steps: Sequence[str | int]) -> str:
    """Steps as a path of keys: ``layers[2].instances[0].x``."""
    path = ""
    for step in steps:
        if isinstance(step, int):
            path += f"[{step}]"
        else:
            path += f".{step}" if path else step
    return path


def text_at(value: Json, *keys: str) -> str:
    """The text that keys lead to; "" if there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""


def list_at(value: Json, key: str) -> list[Json]:
    """The list at a key; empty if there is none."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, list) else []
