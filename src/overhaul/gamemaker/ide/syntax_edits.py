"""Small edits of a text in GameMaker's JSON at the place of a mistake, for mending it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from overhaul.document.jsontext import JsonError
from overhaul.gamemaker.ide.styles import style_of

#: why text that goes on behind a value is not JSON, in the words of the json module
_EXTRA: Final = "Extra data"
_TOKEN: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+|"')
#: A block that is there twice has so many lines at most.
_BLOCK: Final = 200
#: Brackets that stand in no file one after another.
_NEVER: Final = re.compile(r"\[\s*\[|\{\s*[\[{]")
#: So many characters around an edit are looked at for them.
_AROUND: Final = 200
#: A key with an object, which may have been a list; so many before a mistake are tried.
_OBJECT: Final = re.compile(r'":\s*(?=\{)')
_NEAR: Final = 40
#: Before a mistake, tokens are looked for among so many characters.
_BEFORE: Final = 2000
#: How what some edits do ends.
COMMA: Final = "comma"
OPENING: Final = "put in an opening bracket"
CUT: Final = "the closing bracket at the end"


class TextEdit(NamedTuple):
    """Another text from ``start`` to ``end``, and what that does, with its line."""

    start: int
    end: int
    text: str
    step: str

    def of(self, text: str) -> str:
        """A text with it."""
        return text[: self.start] + self.text + text[self.end :]


def edits_at(text: str, error: JsonError) -> Iterator[TextEdit]:
    """The edits of a text that may mend a mistake."""
    if "duplicate key" in error.message:
        yield from _without_blocks(text, error.line)
        return
    at = position_of(text, error)
    if not text[at:].strip():
        yield from _closing(text, f"line {error.line}")
        return
    for edit in _near(text, at, error):
        start, end = max(0, edit.start - _AROUND), edit.end + _AROUND
        made = text[start : edit.start] + edit.text + text[edit.end : end]
        if len(_NEVER.findall(made)) <= len(_NEVER.findall(text[start:end])):
            yield edit


def position_of(text: str, error: JsonError) -> int:
    """Where a mistake is."""
    at = 0
    for _ in range(error.line - 1):
        at = text.find("\n", at) + 1
    return min(at + max(error.column - 1, 0), len(text))


def _near(text: str, at: int, error: JsonError) -> Iterator[TextEdit]:
    before = list(_TOKEN.finditer(text, max(0, at - _BEFORE), at))
    last = before[-1] if before else None
    end = last.end() if last is not None else 0
    here = _TOKEN.match(text, _past_blanks(text, at))
    token = here[0] if here is not None else ""
    line = f"line {error.line}"
    if error.reason == _EXTRA and not text[at:].strip("]},\r\n\t "):
        yield TextEdit(at, len(text), "", f"{line}: take out brackets after the end")
    yield TextEdit(end, end, ",", f"{line}: put in a {COMMA}")
    for found in (here, last):
        if found is not None and found[0] == ",":
            yield TextEdit(found.start(), found.end(), "", f"{line}: take out a {COMMA}")
    for found in (*before[-4:], here):
        if found is not None and found[0] in ("[", "]", "{", "}"):
            yield _without_bracket(text, found.start(), line)
    for bracket in "]}":
        yield _closed(text, end, bracket, line)
        if token == ":" and len(before) > 1:
            yield _closed(text, before[-2].end(), bracket, line)
    for bracket in "[{":
        yield TextEdit(end, end, bracket, f"{line}: {OPENING}")
        if last is not None:
            yield TextEdit(last.start(), last.start(), bracket, f"{line}: {OPENING}")
    if token in ("]", "{"):
        for found in list(_OBJECT.finditer(text, 0, at))[-_NEAR:]:
            place = text.count("\n", 0, found.end()) + 1
            yield TextEdit(found.end(), found.end(), "[", f"line {place}: {OPENING}")
    yield from _quoted(text, error.line)
    yield from _without_blocks(text, error.line)


def _closed(text: str, at: int, bracket: str, line: str) -> TextEdit:
    """A closing bracket behind a place, with the commas that GameMaker writes."""
    before = "" if text[at - 1 : at] in (",", "[", "{") else ","
    after = "" if text[_past_blanks(text, at) :][:1] in (",", "") else ","
    return TextEdit(at, at, f"{before}{bracket}{after}", f"{line}: put in a closing bracket")


def _without_bracket(text: str, at: int, line: str) -> TextEdit:
    """A bracket taken out, with a comma that would follow another one."""
    end = at + 1
    if text[max(0, at - _AROUND) : at].rstrip().endswith(",") and text[end : end + 1] == ",":
        end += 1
    return TextEdit(at, end, "", f"{line}: take out a bracket")


def _past_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    return at


def _closing(text: str, line: str) -> Iterator[TextEdit]:
    """The bracket that a text lacks at its end; nothing if it lacks more than that of the outermost
    object, as it may have lost elements then."""
    stack: list[str] = []
    for found in _TOKEN.finditer(text):
        if found[0] in ("[", "{"):
            stack.append(found[0])
        elif found[0] in ("]", "}") and stack:
            stack.pop()
    if stack == ["{"]:
        style, whole = style_of(text), text.rstrip()
        comma = "," if style.letter != "A" and not whole.endswith(",") else ""
        yield TextEdit(len(whole), len(text), f"{comma}{style.newline}}}", f"{line}: put in {CUT}")


def _quoted(text: str, line: int) -> Iterator[TextEdit]:
    """A quote more in a line, if it has an odd number of them."""
    start = 0
    for _ in range(line - 1):
        start = text.find("\n", start) + 1
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    if text.count('"', start, end) % 2 == 0:
        return
    for found in re.finditer(r"[,:}\]]|\b", text[start:end]):
        at = start + found.start()
        yield TextEdit(at, at, '"', f"line {line}: put in a quote")


def _without_blocks(text: str, line: int) -> Iterator[TextEdit]:
    """The second of two equal blocks of lines that are one after another taken out, with the line
    of the mistake in or next to it."""
    lines = text.splitlines(keepends=True)
    starts = [0]
    for one in lines:
        starts.append(starts[-1] + len(one))
    for size in range(1, min(_BLOCK, len(lines) // 2) + 1):
        for start in range(max(0, line - 2 * size - 1), min(line + 1, len(lines) - 2 * size + 1)):
            middle, end = start + size, start + 2 * size
            if lines[start] == lines[middle] and lines[start:middle] == lines[middle:end]:
                many = f"lines {middle + 1} to {end}" if size > 1 else f"line {middle + 1}"
                step = f"{many}: take out duplicates"
                yield TextEdit(starts[middle], starts[end], "", step)
