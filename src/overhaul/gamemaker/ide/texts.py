"""A file in GameMaker's JSON: read, edited and written with all that was not touched as it was.

An edit changes the text of one value, and nothing else. New parts are printed as the release
prints them that wrote the file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from overhaul.document.jsontext import JsonError, line_and_column
from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker.ide.orders import class_of, place_of_key
from overhaul.gamemaker.ide.printing import DICTIONARIES, print_text, print_value
from overhaul.gamemaker.ide.scalars import string
from overhaul.gamemaker.ide.styles import Style, is_number, single, style_of
from overhaul.gamemaker.ide.values import (
    MERGE_CONFLICT,
    Json,
    Span,
    Steps,
    conflict_marks,
    path_of,
    read_values,
    root_span,
    spans_in,
)

_MARK: Final = "\ufeff"


@dataclass(frozen=True)
class JsonFile:
    """A file: its text, and whether a byte order mark is before it.

    ``source`` is the path that messages name.
    """

    text: str
    has_mark: bool = False
    source: str | None = None

    @cached_property
    def style(self) -> Style:
        """How the text is written."""
        return style_of(self.text)

    @cached_property
    def value(self) -> Json:
        """The values.  Raises FormatError, with line and column, for what is not JSON."""
        try:
            return read_values(self.text)
        except JsonError as error:
            error.source = self.source
            mark = next(conflict_marks(self.text), None)
            if mark is not None:
                error.message = f"a merge left {mark.sign} here: keep one of the two sides"
                error.line, error.column, error.code = mark.line, 1, MERGE_CONFLICT
            raise

    def at(self, *steps: str | int) -> Json:
        """The value that steps lead to.  Raises EncodeError if there is none."""
        value = self.value
        for number, step in enumerate(steps):
            if isinstance(value, dict) and isinstance(step, str) and step in value:
                value = value[step]
                continue
            if not isinstance(value, list) or not isinstance(step, int) or step >= len(value):
                raise EncodeError(f"nothing is at {path_of(steps[: number + 1])}")
            value = value[step]
        return value

    def place(self, *steps: str | int) -> tuple[int, int]:
        """The line and column, from 1, of a value, or of its key."""
        return line_and_column(self.text, self._span(steps).head)

    def to_bytes(self) -> bytes:
        """The file."""
        return ((_MARK if self.has_mark else "") + self.text).encode("utf-8")

    def printed(self) -> str:
        """The text made of the values alone, as the release of the file prints them."""
        return print_text(self.value, self.style)

    # -- edits ----------------------------------------------------------------------------------

    def replaced(self, *steps: str | int, value: Json) -> JsonFile:
        """With another value in the place of one.

        A number stays real where it is real.  Raises EncodeError if nothing is there.
        """
        span, before = self._span(steps), self.at(*steps)
        if value == before and isinstance(value, bool) == isinstance(before, bool):
            return self
        if type(value) is int and isinstance(before, float) and self.style.letter != "A":
            value = float(value)
        made = self._printed(value, steps)
        return self._spliced(span.start, span.end, made)

    def replaced_all(self, values: Mapping[Steps, Json]) -> JsonFile:
        """With other values that have no parts, in the places of some: all at once."""
        made = self.text
        spans = [(self._span(steps), steps) for steps in values]
        for span, steps in sorted(spans, reverse=True):
            made = made[: span.start] + self._printed(values[steps], steps) + made[span.end :]
        return replace(self, text=made)

    def added(self, *steps: str | int, value: Json) -> JsonFile:
        """With one value more: the last step is its key, or its number in a list.

        A key has the place that the release gives it.  Raises EncodeError if the object has the
        key, or the list no such place.
        """
        *outer, last = steps
        owner = self.at(*outer)
        if isinstance(owner, dict) and isinstance(last, str) and last not in owner:
            owners = [self.at(*outer[:depth]) for depth in range(len(outer) + 1)]
            kind = class_of(owners, outer)
            index = place_of_key(list(owner), last, self.style, kind)
            made = f"{string(last, self.style)}{self._colon(outer)}"
        elif isinstance(owner, list) and isinstance(last, int) and 0 <= last <= len(owner):
            index, made = last, ""
        else:
            raise EncodeError(f"nothing can be added at {path_of(steps)}")
        if not owner or (isinstance(owner, list) and all(map(is_number, owner))):
            return self._again(outer, _with(owner, last, value))
        return self._inserted(outer, index, made + self._printed(value, steps))

    def removed(self, *steps: str | int) -> JsonFile:
        """Without a value.  Raises EncodeError if nothing is there."""
        *outer, last = steps
        owner, gone = self.at(*outer), self._span(steps)
        assert isinstance(owner, dict | list)
        if len(owner) == 1 or (isinstance(owner, list) and all(map(is_number, owner))):
            return self._again(outer, _without(owner, last))
        inside = self._inside(outer)
        index = next(n for n, (step, _) in enumerate(inside) if step == last)
        if index + 1 < len(inside):
            return self._spliced(gone.head, inside[index + 1][1].head, "")
        return self._spliced(inside[index - 1][1].end, gone.end, "")

    def _inserted(self, outer: Sequence[str | int], index: int, made: str) -> JsonFile:
        """With the text of a member before the one of a number, or behind the last."""
        inside = [span for _, span in self._inside(outer)]
        if index < len(inside):
            before = inside[index - 1].end if index else self._span(outer).start
            head = inside[index].head
            between = self.text[before:head].partition("," if index else self.text[before])[2]
            return self._spliced(head, head, f"{made},{between}")
        first, last = inside[0], inside[-1]
        opening = self._span(outer).start
        between = self.text[opening + 1 : first.head]
        if len(inside) > 1:
            between = self.text[inside[-2].end : last.head].partition(",")[2]
        return self._spliced(last.end, last.end, f",{between}{made}")

    def _again(self, steps: Sequence[str | int], value: Json) -> JsonFile:
        """With a whole object or list printed, as its form follows from all that is in it."""
        span = self._span(steps)
        return self._spliced(span.start, span.end, self._printed(value, steps))

    def _printed(self, value: Json, steps: Sequence[str | int]) -> str:
        """The text of a value at a place."""
        style, key = self.style, steps[-1] if steps else ""
        owner = self.at(*steps[:-1]) if steps else None
        return print_value(
            _as_stored(value, style),
            style,
            len(steps),
            listed=self._is_listed(steps),
            key=key if isinstance(key, str) else "",
            owner=owner,
        )

    def _is_listed(self, steps: Sequence[str | int]) -> bool:
        """Whether a place is in a list, or in what is printed as if it were in one."""
        return any(
            isinstance(step, int) or (step in DICTIONARIES and self.style.letter == "D")
            for step in (steps if steps and isinstance(steps[-1], int) else steps[:-1])
        )

    def _colon(self, outer: Sequence[str | int]) -> str:
        """The characters between the keys of an object and its values."""
        inside = self._inside(outer)
        if inside:
            first = inside[0][1]
            return self.text[first.head : first.start].rpartition('"')[2]
        return self.style.colon

    def _span(self, steps: Sequence[str | int]) -> Span:
        """Where a value is.  Raises EncodeError if there is none."""
        if not steps:
            return root_span(self.text)
        *outer, last = steps
        found = dict(self._inside(outer)).get(last)
        if found is None:
            raise EncodeError(f"nothing is at {path_of(steps)}")
        return found

    def _inside(self, steps: Sequence[str | int]) -> list[tuple[str | int, Span]]:
        """The contents of an object or a list, and their place."""
        known = self._spans.get(tuple(steps))
        if known is None:
            start = self._span(steps).start
            known = list(spans_in(self.text, start)) if self.text[start] in "[{" else []
            self._spans[tuple(steps)] = known
        return known

    @cached_property
    def _spans(self) -> dict[Steps, list[tuple[str | int, Span]]]:
        return {}

    def _spliced(self, start: int, end: int, made: str) -> JsonFile:
        return replace(self, text=self.text[:start] + made + self.text[end:])


def read_json_file(data: bytes, *, source: str | None = None) -> JsonFile:
    """A file in GameMaker's JSON; its values are read when they are asked for.

    Raises FormatError for what is not UTF-8.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        what = "a text in UTF-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "other bytes"
        message = f"expected a text in UTF-8, got {what}"
        raise FormatError(message, source=source, offset=error.start) from None
    return JsonFile(text.removeprefix(_MARK), text.startswith(_MARK), source)


def _as_stored(value: Json, style: Style) -> Json:
    """A new value with the reals that GameMaker keeps of it."""
    if isinstance(value, float):
        return value if style.letter == "A" or value - value != 0 else single(value)
    if isinstance(value, list):
        return [_as_stored(item, style) for item in value]
    if isinstance(value, dict):
        return {key: _as_stored(item, style) for key, item in value.items()}
    return value


def _with(owner: Json, step: str | int, value: Json) -> Json:
    if isinstance(owner, list):
        assert isinstance(step, int)
        return [*owner[:step], value, *owner[step:]]
    return {str(step): value}


def _without(owner: dict[str, Json] | list[Json], step: str | int) -> Json:
    if isinstance(owner, list):
        return [item for number, item in enumerate(owner) if number != step]
    return {key: item for key, item in owner.items() if key != step}
