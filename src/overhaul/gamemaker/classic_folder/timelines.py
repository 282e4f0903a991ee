"""Timelines: ``timeline.json``, and each moment as GML or as a list of actions."""

from __future__ import annotations

from collections.abc import Iterator

from overhaul.errors import FormatError
from overhaul.gamemaker.classic.resources import Moment, Timeline
from overhaul.gamemaker.classic_folder.actions import (
    in_order,
    numbered,
    read_actions,
    references_of,
    show_actions,
    word_of,
    words_of,
)
from overhaul.gamemaker.classic_folder.files import JsonObject, Made, expect_no_more, made_json
from overhaul.gamemaker.classic_folder.kind import FolderKind, Reference, Unit
from overhaul.gamemaker.classic_folder.names import Names


def _show(timeline: Timeline, stem: str, extra: JsonObject, names: Names) -> Iterator[Made]:
    positions = [moment.position for moment in timeline.moments]
    words = numbered(map(str, positions))
    for word, moment in zip(words, timeline.moments, strict=True):
        yield from show_actions(moment.actions, f"{stem}/{word}", names)
    if positions != sorted(set(positions)):
        extra = extra | {"moments": words}
    yield f"{stem}/timeline.json", made_json(extra)


def _read(unit: Unit, base: Timeline | None) -> Timeline:
    given = unit.plain.pop("moments", None)
    expect_no_more(unit.plain)
    words = words_of(unit.paths)
    if given is None:
        words.sort(key=lambda word: (_position(word), word))
    else:
        words = in_order(given, words, "moments")
    moments = [
        Moment(_position(word), read_actions(unit.files, f"{unit.folder}/{word}", unit.names))
        for word in words
    ]
    return Timeline(version=unit.version, moments=moments)


def _position(word: str) -> int:
    try:
        position = int(word_of(word))
    except ValueError:
        position = 1 << 40
    if not -(1 << 31) <= position < 1 << 31:
        raise FormatError(f"expected the step of a moment, got {word!r:.40}")
    return position


def _references(timeline: Timeline) -> Iterator[Reference]:
    for moment in timeline.moments:
        yield from references_of(moment.actions)


TIMELINES = FolderKind("timelines", _show, _read, json="/timeline.json", references=_references)
