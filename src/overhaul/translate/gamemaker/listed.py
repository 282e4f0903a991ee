"""The texts that extraction writes, as plain values, which are kept in the user's cache folder.

They follow from the file without its pictures and sounds, from the rules and from this package,
so the name of the file in the cache is a digest of these. A game that was partly read, and so
may have been changed, is read again.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from overhaul.document import caches
from overhaul.document.registry import load
from overhaul.gamemaker.data.model import MEDIA_CHUNKS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhaul.gamemaker.data.game import GameData
    from overhaul.translate.families import Job
    from overhaul.translate.rules import Choice, Rules

    #: the members of Listed, with lists in the place of dictionaries of tuples
    _Value = tuple[
        str,
        list[tuple[str, list[tuple[str, int, str, str, str]]]],
        dict[str, list[str]],
        list[str],
        list[tuple[str, str, list[str]]],
    ]

_ENDING: Final = "texts"
_FIND: Final = "overhaul.translate.gamemaker.shown:find_texts"
#: the state of a game once its pictures or sounds were touched
_TOOLS: Final = ("painting", "audio_files")


class TextPlace(NamedTuple):
    """Where a text is shown: a line of code, or a field of a room."""

    where: str
    line: int
    owner: str
    source: str
    reason: str = ""


class Listed(NamedTuple):
    """The title of a game, and the members of the same name of
    :class:`~overhaul.translate.gamemaker.shown.ShownTexts`."""

    title: str
    places: dict[str, list[TextPlace]]
    other: dict[str, list[str]]
    unread: list[str]
    files: dict[tuple[str, str], list[str]]


def listed(game: GameData, job: Job) -> Listed:
    """The texts that a player sees, from the cache or from the code."""
    name = _digest(game, job.rules) if caches.is_allowed() and _is_untouched(game) else ""
    known = _read(name) if name else None
    if known is not None:
        return known
    shown = load(_FIND)(game, job)
    title = str(game.general.display_name or "")
    made = Listed(title, shown.places(), shown.other, shown.unread, shown.files)
    if name:
        places = [[text, list(map(list, places))] for text, places in made.places.items()]
        files = [[*file, entries] for file, entries in made.files.items()]
        caches.write_value(name, _ENDING, [title, places, made.other, made.unread, files])
    return made


def _read(name: str) -> Listed | None:
    """The content that is kept under a name; None for nothing."""
    kept = caches.read_value(name, _ENDING)
    try:
        title, texts, other, unread, named = cast("_Value", kept)
        places = {text: [TextPlace(*place) for place in places] for text, places in texts}
        files = {(pattern, function): entries for pattern, function, entries in named}
    except (TypeError, ValueError):  # nothing, or values of another shape
        return None
    return Listed(title, places, other, unread, files)


def _is_untouched(game: GameData) -> bool:
    """Whether nothing of a game was read since it was opened."""
    decoded = any(chunk.decoded for chunk in game.chunks.values())
    return not decoded and not any(tool in game.__dict__ for tool in _TOOLS)


def _digest(game: GameData, rules: Rules | None) -> str:
    """The digest of everything that the texts of a game follow from."""
    whole = hashlib.blake2b(digest_size=20)
    said = [] if rules is None else [*_said(rules.include), *_said(rules.exclude)]
    for part in (caches.stamp_of(""), game.release, game.strict, game.alignment, said):
        whole.update(repr(part).encode("utf-8", "surrogatepass"))
        whole.update(b"\0")
    for chunk in game.chunks.values():
        whole.update(f"{chunk.name} {chunk.start} {chunk.end}\0".encode())
        if chunk.name not in MEDIA_CHUNKS:
            whole.update(game.data[chunk.start : chunk.end])
    return whole.hexdigest()


def _said(choice: Choice) -> Iterator[object]:
    """The rules of a table that decide about texts, always in the same order."""
    yield sorted(choice.texts)
    yield [(pattern.pattern, pattern.flags) for pattern in choice.patterns]
    yield [choice.entries, choice.functions]
