"""Files in GameMaker's JSON that are broken, mended where only one reading is possible.

Small edits at the place of the mistake are tried: a comma or a bracket put in or taken out, a
closing quote, a block of lines that is there twice.  A text counts if GameMaker would write it so
but for the lines of the edits; of several that do, none is taken.  What may have lost something is
left to people.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from overhaul.document.jsontext import JsonError
from overhaul.errors import EncodeError
from overhaul.gamemaker.ide.declared import declared, undeclared
from overhaul.gamemaker.ide.orders import place_of_key
from overhaul.gamemaker.ide.printing import print_text
from overhaul.gamemaker.ide.styles import Style, style_of
from overhaul.gamemaker.ide.values import Json, read_values, text_at

_MARK: Final = "\ufeff"
_CONTENT: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"|[^\s\[\]{},:"]+')
_TOKEN: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+|"')
#: So many edits mend a file at most, so many texts are tried, of so many characters together.
_EDITS: Final = 4
_TRIES: Final = 600
_CHARACTERS: Final = 60_000_000
#: A block that is there twice has so many lines at most.
_BLOCK: Final = 400
#: Members that files of a release may lack.
_OPTIONAL: Final = frozenset(
    ("tags", "ConfigValues", "scriptSource", "configDeltaFiles", "configDeltas",
     "resourceCreationConfigs", "resourcePath", "textureGroup")
)  # fmt: skip
#: Brackets that stand in no file one after another.
_NEVER: Final = re.compile(r"\[\s*\[|\{\s*[\[{]")
#: A key with an object, which may have been a list.
_OBJECT: Final = re.compile(r'":\s*(?=\{)')
_NEAR: Final = 40


class Unmendable(Exception):
    """A file that is left to people: why."""


class Mended(NamedTuple):
    """A mended text: it is whole, and what was done, each with its line."""

    text: str
    steps: list[str]


def decoded(data: bytes) -> Mended:
    """The text of a file: one in UTF-16 or with a mark is that of UTF-8 without one, and zeros
    behind the end are left out.

    Raises Unmendable for a text in another encoding.
    """
    steps: list[str] = []
    encoding = "utf-8"
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:2]:
        encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else (
            "utf-16-le" if data[1:2] == b"\0" else "utf-16-be"
        )  # fmt: skip
        steps.append("it was in UTF-16, and is in UTF-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise Unmendable(f"line {line}: the bytes are no text in UTF-8") from None
    if text.startswith(_MARK):
        text = text.removeprefix(_MARK)
        if not steps:
            steps.append("the byte order mark before the text is gone")
    whole = text.rstrip("\0")
    if not whole.strip():
        raise Unmendable("nothing of it is left: get it from a copy")
    if whole != text:
        steps.append(f"{len(text) - len(whole)} zeros behind the end are gone")
    return Mended(whole, steps)


def mended(data: bytes) -> Mended:
    """A file that can be read.  Raises Unmendable for one that may have lost something."""
    text, steps = decoded(data)
    try:
        read_values(text)
    except JsonError as error:
        found = _search(text, error)
        return Mended(found.text, [*steps, *found.steps])
    return Mended(text, steps)


def in_form(file: Mended) -> Mended:
    """A file with the blanks, commas and brackets that GameMaker writes, if only these differ."""
    try:
        printed = print_text(read_values(file.text), style_of(file.text))
    except EncodeError:
        return file
    if printed == file.text or _CONTENT.findall(printed) != _CONTENT.findall(file.text):
        return file
    return Mended(printed, file.steps or ["blanks and commas are as GameMaker writes them"])


class _Try(NamedTuple):
    """A text with some edits: fewer edits first; how much could not be read before the last."""

    edits: int
    number: int
    text: str
    steps: tuple[str, ...]
    unread: int


def _search(text: str, error: JsonError) -> Mended:
    place = f"line {error.line}, column {error.column}"
    said = error.message.removeprefix("not valid JSON: ")
    waiting = [_Try(0, 0, text, (), len(text) + 1)]
    seen = {text}
    budget, tries = _CHARACTERS, 0
    found: dict[str, tuple[int, int, tuple[str, ...]]] = {}
    cut_off = ""
    style = style_of(text)
    if not text.rstrip().endswith("}"):
        style = replace(style, ending="")
    while waiting and tries < _TRIES and budget > 0:
        best = heapq.heappop(waiting)
        if found and best.edits > min(edits for edits, _, _ in found.values()):
            break
        budget -= len(best.text)
        tries += 1
        try:
            value = read_values(best.text)
        except JsonError as wrong:
            unread = len(best.text) - _position(best.text, wrong) if wrong.line else len(text)
            if best.edits < _EDITS and wrong.line and unread < best.unread:
                for made, step in _candidates(best.text, wrong):
                    if made not in seen:
                        seen.add(made)
                        steps = (*best.steps, step)
                        more = _Try(best.edits + 1, len(seen), made, steps, unread)
                        heapq.heappush(waiting, more)
            continue
        lost = _may_lack(value, style) if any(_CUT in step for step in best.steps) else ""
        cut_off = cut_off or lost
        fits = None if lost else _fitting(value, style, best)
        if fits is not None:
            found.setdefault(fits.text, (best.edits, fits.apart, best.steps))
    if not found:
        raise Unmendable(cut_off or f"{place}: {said}: no small edit makes it whole")
    least = min((edits, apart) for edits, apart, _ in found.values())
    chosen = [(made, steps) for made, (*how, steps) in found.items() if tuple(how) == least]
    if len(chosen) > 1 and len({repr(read_values(made)) for made, _ in chosen}) > 1:
        raise Unmendable(f"{place}: {said}: it can be mended in {len(chosen)} ways")
    return Mended(chosen[0][0], list(chosen[0][1]))


# -- whether a text is right ----------------------------------------------------------------------


class _Fitting(NamedTuple):
    """A text that may be right, and how many of its lines GameMaker writes otherwise."""

    text: str
    apart: int


def _fitting(value: Json, style: Style, tried: _Try) -> _Fitting | None:
    """The text that GameMaker writes, if all that a tried one says is in it, and all of its lines
    but those of the edits are."""
    is_moved = any("bracket" in step for step in tried.steps)
    if is_moved and (_is_mistyped(value) or undeclared(value)):
        return None  # members would be of another object
    try:
        printed = print_text(value, style)
    except EncodeError:
        return None
    lines = len(printed.splitlines()), len(tried.text.splitlines())
    if lines[0] != lines[1] and any(step.endswith(_OPENING) for step in tried.steps):
        return None  # a row of a list would be two
    apart = (Counter(printed.splitlines()) - Counter(tried.text.splitlines())).total()
    if _CONTENT.findall(printed) == _CONTENT.findall(tried.text) and apart <= 2 * tried.edits + 1:
        return _Fitting(printed, apart)
    if all(step.endswith(_COMMA) for step in tried.steps):  # another program wrote the file
        return _Fitting(tried.text, 0)
    return None


def _is_mistyped(value: Json, kind: str = "") -> bool:
    """Whether an object stands where files have a list, or the other way round."""
    if isinstance(value, list):
        return any(isinstance(item, list) or _is_mistyped(item, f"{kind}[]") for item in value)
    if not isinstance(value, dict):
        return False
    own = text_at(value, "resourceType") or text_at(value, "modelName")
    fields = declared().get(own or kind, {})
    for key, item in value.items():
        field = fields.get(key)
        types = () if field is None else field.types
        if isinstance(item, dict) and types and set(types) <= {"list", "null"}:
            return True
        if isinstance(item, list) and types and "list" not in types:
            return True
        if isinstance(item, str | float | int) and set(types) == {"list"}:
            return True
        if _is_mistyped(item, f"{own or kind}.{'#' if key.isdecimal() else key}"):
            return True
    return False


def _may_lack(value: Json, style: Style) -> str:
    """What a text that was cut off may have lost; "" for nothing."""
    members = value if isinstance(value, dict) else {}
    kind = text_at(value, "resourceType") or text_at(value, "modelName")
    known = {
        key for key, field in declared().get(kind, {}).items() if style.letter in field.letters
    } - _OPTIONAL
    keys = list(members)
    if not keys or not known:
        return "it is cut off: get the rest from a copy"
    if style.letter == "B":
        lost = [] if keys[-1] == "resourceType" else ["resourceType"]
    elif style.letter == "A":
        lost = sorted(known - members.keys())
    else:
        lost = [key for key in sorted(known - members.keys())
                if place_of_key(keys, key, style, kind) == len(keys)]  # fmt: skip
    if not lost:
        return ""
    return f"it is cut off behind {keys[-1]}, and may have had {lost[0]}: get the rest from a copy"


# -- edits ----------------------------------------------------------------------------------------

_COMMA: Final = "comma"
_OPENING: Final = "put in an opening bracket"
_CUT: Final = "the closing bracket at the end"


def _position(text: str, error: JsonError) -> int:
    """Where a mistake is."""
    at = 0
    for _ in range(error.line - 1):
        at = text.find("\n", at) + 1
    return min(at + max(error.column - 1, 0), len(text))


def _candidates(text: str, error: JsonError) -> Iterator[tuple[str, str]]:
    """Texts with one edit at the place of a mistake, and what each does."""
    known = len(_NEVER.findall(text))
    for made, step in _edited(text, error):
        if len(_NEVER.findall(made)) <= known:
            yield made, step


def _edited(text: str, error: JsonError) -> Iterator[tuple[str, str]]:
    at = _position(text, error)
    if "duplicate key" in error.message:
        yield from _without_blocks(text, error.line)
        return
    before = list(_TOKEN.finditer(text, max(0, at - 2000), at))
    last = before[-1] if before else None
    end = last.end() if last is not None else 0
    here = _TOKEN.match(text, _past_blanks(text, at))
    token = here[0] if here is not None else ""
    line = f"line {error.line}"
    if not text[at:].strip():
        closing = _closing(text)
        if closing:
            yield f"{text.rstrip()}{closing}", f"{line}: put in {_CUT}"
        return
    if error.message.endswith("Extra data") and not text[at:].strip("]},\r\n\t "):
        yield text[:at].rstrip(), f"{line}: take out brackets behind the end"
    if error.message.endswith("Extra data") and last is not None:
        yield text[: last.start()] + text[last.end() :], f"{line}: take out a bracket"
    yield text[:end] + "," + text[end:], f"{line}: put in a {_COMMA}"
    if token == "," and here is not None:
        yield text[: here.start()] + text[here.end() :], f"{line}: take out a {_COMMA}"
    if last is not None and last[0] == ",":
        yield text[: last.start()] + text[last.end() :], f"{line}: take out a {_COMMA}"
    if token and token in "]}" and here is not None:
        yield text[: here.start()] + text[here.end() :], f"{line}: take out a bracket"
    for found in before[-4:]:
        if found[0] in "[]{}":
            yield _without_bracket(text, found.start()), f"{line}: take out a bracket"
    for bracket in "]}":
        step = f"{line}: put in a closing bracket"
        yield _closed(text, end, bracket), step
        if token == ":" and len(before) > 1:
            yield _closed(text, before[-2].end(), bracket), step
    for bracket in "[{":
        yield text[:end] + bracket + text[end:], f"{line}: {_OPENING}"
        if last is not None:
            made = text[: last.start()] + bracket + text[last.start() :]
            yield made, f"{line}: {_OPENING}"
    if token in ("]", "{"):
        for found in list(_OBJECT.finditer(text, 0, at))[-_NEAR:]:
            made = text[: found.end()] + "[" + text[found.end() :]
            place = text.count("\n", 0, found.end()) + 1
            yield made, f"line {place}: {_OPENING}"
    yield from _quoted(text, error.line)
    yield from _without_blocks(text, error.line)


def _closed(text: str, at: int, bracket: str) -> str:
    """A text with a closing bracket behind a place, and the commas that GameMaker writes."""
    before = "" if text[at - 1 : at] in (",", "[", "{") else ","
    after = "" if text[_past_blanks(text, at) :][:1] in (",", "") else ","
    return f"{text[:at]}{before}{bracket}{after}{text[at:]}"


def _without_bracket(text: str, at: int) -> str:
    """A text without a bracket, and without a comma that would follow another one."""
    end = at + 1
    if text[:at].rstrip().endswith(",") and text[end : end + 1] == ",":
        end += 1
    return text[:at] + text[end:]


def _past_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    return at


def _closing(text: str) -> str:
    """The bracket that the text lacks at its end; "" if it lacks more than that of the outermost
    object, as it may have lost elements then."""
    stack: list[str] = []
    for found in _TOKEN.finditer(text):
        if found[0] in "[{":
            stack.append(found[0])
        elif found[0] in "]}" and stack:
            stack.pop()
    if stack != ["{"]:
        return ""
    style = style_of(text)
    comma = "," if style.letter != "A" and not text.rstrip().endswith(",") else ""
    return f"{comma}{style.newline}}}"


def _quoted(text: str, line: int) -> Iterator[tuple[str, str]]:
    """Texts with a quote more in a line, if it has an odd number of them."""
    start = 0
    for _ in range(line - 1):
        start = text.find("\n", start) + 1
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    if text.count('"', start, end) % 2 == 0:
        return
    for found in re.finditer(r"[,:}\]]|\b", text[start:end]):
        at = start + found.start()
        yield f'{text[:at]}"{text[at:]}', f"line {line}: put in a quote"


def _without_blocks(text: str, line: int) -> Iterator[tuple[str, str]]:
    """Texts without the second of two equal blocks of lines that are one after another, with the
    line of the mistake in or next to the second."""
    lines = text.splitlines(keepends=True)
    for size in range(1, min(_BLOCK, len(lines) // 2) + 1):
        for start in range(max(0, line - 2 * size - 1), min(line + 1, len(lines) - 2 * size + 1)):
            middle, end = start + size, start + 2 * size
            if lines[start] == lines[middle] and lines[start:middle] == lines[middle:end]:
                made = "".join(lines[:middle] + lines[end:])
                many = f"lines {middle + 1} to {end}" if size > 1 else f"line {middle + 1}"
                yield made, f"{many}: take out what is there twice"
