"""Edits of texts: applied, and made of two texts; names in JSON files."""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from overhaul.errors import OverhaulError
from overhaul.language.answers import Edit, Move, Span
from overhaul.language.texts import Texts

#: keys whose values are names that only look like those of resources
_NO_REFERENCES = frozenset(("name", "layer", "text", "comment", "value", "description", "tag"))
_TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_EVENT = re.compile(r"[A-Z][A-Za-z]*_")
_KEY = re.compile(r'"((?:[^"\\\n]|\\.)*)"\s*:\s*\Z')


def applied(text: str, edits: Iterable[Edit]) -> str:
    """A text with edits, which do not overlap."""
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda each: each.start):
        parts += text[at : edit.start], edit.text
        at = edit.end
    parts.append(text[at:])
    return "".join(parts)


def changed(path: str, before: str, after: str) -> list[Edit]:
    """One edit that makes a text another, as short as can be; none for equal ones."""
    if before == after:
        return []
    start, most = 0, min(len(before), len(after))
    while start < most and before[start] == after[start]:
        start += 1
    end = 0
    while end < most - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return [Edit(path, start, len(before) - end, after[start : len(after) - end])]


def after_edits(
    texts: Texts, edits: Iterable[Edit], moves: Iterable[Move]
) -> Mapping[str, bytes | None]:
    """The contents of files once edits and moves are made; None for a path that is gone.

    A mark of UTF-8 at the beginning of a file stays.
    """
    by_path: dict[str, list[Edit]] = {}
    for edit in edits:
        by_path.setdefault(edit.path, []).append(edit)
    made: dict[str, bytes | None] = {}
    for path, own in by_path.items():
        mark = BOM_UTF8 if texts.data(path).startswith(BOM_UTF8) else b""
        made[path] = mark + applied(texts.read(path), own).encode("utf-8", "surrogateescape")
    for move in moves:
        edited = made.pop(move.path, None)
        made[move.to] = texts.data(move.path) if edited is None else edited
        made[move.path] = None
    return made


def text_at(text: str, offset: int) -> tuple[int, str] | None:
    """The text between quotes at a place of a JSON file, and its beginning; of the key of an
    event (``Collision_obj_wall``) the part after the underscore."""
    begin = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    for match in _TEXT.finditer(text, begin, len(text) if end < 0 else end):
        if match.start() < offset < match.end():
            start, value = match.start() + 1, match[0][1:-1]
            event = _EVENT.match(value)
            if event is not None and text[match.end() : match.end() + 1] == ":":
                return start + event.end(), value[event.end() :]
            return start, value
    return None


class Mention(NamedTuple):
    """A name in a JSON file; ``certain``: it stands where a resource is referred to."""

    span: Span
    certain: bool


def mentions(texts: Texts, name: str) -> Iterator[Mention]:
    """Where JSON files name a resource: as a value, a key, or in the key of an event
    (``Collision_obj_wall``)."""
    quoted = json.dumps(name, ensure_ascii=False)[1:-1]
    pattern = re.compile(rf'"(?:[A-Za-z]+_)?{re.escape(quoted)}"')
    for path in texts.paths():
        if not path.endswith(".json"):
            continue
        try:
            text = texts.read(path)
        except OverhaulError:
            continue  # the file has just gone
        if quoted not in text:
            continue
        for match in pattern.finditer(text):
            start = match.end() - 1 - len(quoted)
            is_event = start > match.start() + 1
            is_key = text[match.end() : match.end() + 2].lstrip().startswith(":")
            if is_event and not is_key:
                continue
            key = _KEY.search(text, max(0, match.start() - 200), match.start())
            certain = is_key or key is None or key[1] not in _NO_REFERENCES
            yield Mention(Span(path, start, start + len(quoted)), certain)
