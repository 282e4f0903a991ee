"""Files in GameMaker's JSON that are broken, mended where only one reading is possible.

Small edits at the place of the mistake are tried: a comma or a bracket put in or taken out, a
closing quote, a block of lines that is there twice. A text counts if GameMaker would write it so
but for the lines of the edits; of several that do, none is taken. Texts that may have lost
something are left to people.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter
from dataclasses import replace
from typing import Final, NamedTuple

from overhaul.document.jsontext import JsonError
from overhaul.errors import EncodeError
from overhaul.gamemaker.ide.declared import declared, undeclared
from overhaul.gamemaker.ide.orders import place_of_key
from overhaul.gamemaker.ide.printing import print_text
from overhaul.gamemaker.ide.styles import Style, style_of
from overhaul.gamemaker.ide.syntax_edits import (
    COMMA,
    CUT,
    OPENING,
    TextEdit,
    edits_at,
    position_of,
)
from overhaul.gamemaker.ide.values import Json, read_values, text_at

_MARK: Final = "\ufeff"
_CONTENT: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"|[^\s\[\]{},:"]+')
#: So many edits mend a file at most, so many texts are tried, of so many characters together.
_EDITS: Final = 4
_TRIES: Final = 600
_CHARACTERS: Final = 60_000_000
#: Members that files of a release may lack.
_OPTIONAL: Final = frozenset(
    ("tags", "ConfigValues", "scriptSource", "configDeltaFiles", "configDeltas",
     "resourceCreationConfigs", "resourcePath", "textureGroup")
)  # fmt: skip


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
        raise Unmendable(f"line {line}: the bytes are not text in UTF-8") from None
    if text.startswith(_MARK):
        text = text.removeprefix(_MARK)
        if not steps:
            steps.append("the byte order mark before the text is gone")
    whole = text.rstrip("\0")
    if not whole.strip():
        raise Unmendable("nothing of it is left: get it from a copy")
    if whole != text:
        steps.append(f"{len(text) - len(whole)} zeros after the end are gone")
    return Mended(whole, steps)


def mended(data: bytes) -> Mended:
    """A file that can be read.  Raises Unmendable for one that may have lost something."""
    text, steps = decoded(data)
    try:
        read_values(text)
    except JsonError as error:
        found = _Search(text).result(error)
        return Mended(found.text, [*steps, *found.steps])
    except RecursionError:
        raise Unmendable("nested too deeply") from None
    return Mended(text, steps)


def in_form(file: Mended) -> Mended:
    """A file with the blanks, commas and brackets that GameMaker writes, if only these differ."""
    try:
        printed = print_text(read_values(file.text), style_of(file.text))
    except (EncodeError, RecursionError):
        return file
    if printed == file.text or _CONTENT.findall(printed) != _CONTENT.findall(file.text):
        return file
    return Mended(printed, file.steps or ["blanks and commas are as GameMaker writes them"])


class _Try(NamedTuple):
    """A text with some edits, the last of them not made yet: fewer edits first.

    ``unread`` is how much could not be read before the last.
    """

    made: int
    number: int
    before: str
    edits: tuple[TextEdit, ...]
    unread: int

    @property
    def text(self) -> str:
        """The text with the last edit."""
        return self.edits[-1].of(self.before) if self.edits else self.before

    @property
    def steps(self) -> list[str]:
        """The effects of the edits."""
        return [edit.step for edit in self.edits]


class _Found(NamedTuple):
    """A whole text: how many edits it took, how many of its lines GameMaker writes otherwise."""

    made: int
    apart: int
    text: str
    steps: list[str]


class _Search:
    """Looks for the edits that make a text whole."""

    def __init__(self, text: str) -> None:
        self._text = text
        style = style_of(text)
        self._style = style if text.rstrip().endswith("}") else replace(style, ending="")
        self._waiting = [_Try(0, 0, text, (), len(text) + 1)]
        self._number = 0
        self._found: dict[str, _Found] = {}
        self._lost = ""

    def result(self, error: JsonError) -> Mended:
        """The mended text.  Raises Unmendable for none, and for several."""
        seen: set[str] = set()
        budget = _CHARACTERS
        for _ in range(_TRIES):
            if not self._waiting or budget < 0:
                break
            tried = heapq.heappop(self._waiting)
            if self._found and tried.made > min(one.made for one in self._found.values()):
                break
            text = tried.text
            budget -= len(text)
            if text not in seen:
                seen.add(text)
                self._try(tried, text)
        place = f"line {error.line}, column {error.column}"
        if not self._found:
            raise Unmendable(self._lost or f"{place}: {error.reason}: no small edit makes it whole")
        least = min(one[:2] for one in self._found.values())
        chosen = [one for one in self._found.values() if one[:2] == least]
        if len({repr(read_values(one.text)) for one in chosen}) > 1:
            raise Unmendable(f"{place}: {error.reason}: it can be mended in {len(chosen)} ways")
        return Mended(chosen[0].text, chosen[0].steps)

    def _try(self, tried: _Try, text: str) -> None:
        """Read a text: it is whole, or other edits may make it so."""
        try:
            value = read_values(text)
        except JsonError as wrong:
            unread = len(text) - position_of(text, wrong)
            if tried.made < _EDITS and wrong.line and unread < tried.unread:
                for edit in edits_at(text, wrong):
                    self._number += 1
                    edits = (*tried.edits, edit)
                    more = _Try(tried.made + 1, self._number, text, edits, unread)
                    heapq.heappush(self._waiting, more)
            return
        if any(CUT in step for step in tried.steps):
            lost = _may_lack(value, self._style)
            self._lost = self._lost or lost
            if lost:
                return
        fitting = _fitting(value, self._style, text, tried.steps)
        if fitting is not None:
            self._found.setdefault(fitting.text, fitting)


# -- whether a text is right ----------------------------------------------------------------------


def _fitting(value: Json, style: Style, text: str, steps: list[str]) -> _Found | None:
    """The text that GameMaker writes, if all that a tried one says is in it, and all of its lines
    but those of the edits are."""
    is_moved = any("bracket" in step for step in steps)
    if is_moved and (_is_mistyped(value) or undeclared(value)):
        return None  # members would be of another object
    try:
        printed = print_text(value, style)
    except (EncodeError, RecursionError):
        return None
    lines, own = printed.splitlines(), text.splitlines()
    if len(lines) != len(own) and any(step.endswith(OPENING) for step in steps):
        return None  # a row of a list would be two
    apart = (Counter(lines) - Counter(own)).total()
    if _CONTENT.findall(printed) == _CONTENT.findall(text) and apart <= 2 * len(steps) + 1:
        return _Found(len(steps), apart, printed, steps)
    if all(step.endswith(COMMA) for step in steps):  # another program wrote the file
        return _Found(len(steps), 0, text, steps)
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
    """The parts that a text that was cut off may have lost; "" for none."""
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
    return f"it is cut off after {keys[-1]}, and may have had {lost[0]}: get the rest from a copy"
