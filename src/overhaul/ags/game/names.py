"""Names of full length: the block v361_objnames, and the fields of limited length before it.

With the block, the engine takes names from it alone, and the fields have their beginnings.  A
model has each name once, in the thing itself; a field that has something else (the cursors' have
the names that the editor shows) is kept in the attribute ``short_...`` of the thing.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Final, TypeVar

import msgspec

from overhaul.ags.game.extensions import NamesBlock
from overhaul.ags.game.records import GameContent
from overhaul.ags.properties import Names
from overhaul.ags.text import decode, encode
from overhaul.errors import EncodeError, FormatError
from overhaul.schema import FieldCodec, FixedCodec, Record, fields_of

R = TypeVar("R", bound=Record)
BLOCK: Final = "v361_objnames"
#: (things of the game, list of the block, fields with the names)
_LISTS: Final = (
    ("characters", "characters", ("script_name", "name")),
    ("inventory", "inventory", ("name",)),
    ("cursors", "cursors", ("name",)),
    ("audio_clips", "clips", ("script_name", "file_name")),
)


def fold(content: GameContent, names: NamesBlock) -> None:
    """Give the things the names of the block, which has none then.

    Raises FormatError if there are not as many names as things.
    """
    for things, stored, _ in _LISTS:
        expected, found = len(getattr(content, things)), len(getattr(names, stored))
        if expected != found:
            raise FormatError(f"the game has {expected} {things}, but there are {found} names")
    for thing, field, full in list(_pairs(content, names)):
        short = getattr(thing, field)
        setattr(thing, f"short_{field}", None if short == _beginning(thing, field, full) else short)
        setattr(thing, field, full)
    _clear(names)


def _pairs(content: GameContent, names: NamesBlock) -> Iterator[tuple[Record, str, str]]:
    """(thing, field, full name) of each name in the block."""
    yield content.settings, "name", names.game_name
    yield content.save, "folder", names.save_folder
    for things, stored, fields in _LISTS:
        for thing, full in zip(getattr(content, things), getattr(names, stored), strict=True):
            texts = (full.script_name, full.name) if isinstance(full, Names) else (full,)
            for field, text in zip(fields, texts, strict=True):
                yield thing, field, text


def _clear(names: NamesBlock) -> None:
    names.game_name = names.save_folder = ""
    for _, stored, _ in _LISTS:
        setattr(names, stored, [])


def unfold(content: GameContent) -> tuple[GameContent, NamesBlock]:
    """The game and its block of names as they are stored: :func:`fold` undone, on copies."""
    names = NamesBlock(content.settings.name, content.save.folder)
    stored_content = copy.copy(content)
    stored_content.settings = _shortened(content.settings, ("name",))
    stored_content.save = _shortened(content.save, ("folder",))
    for things, stored, fields in _LISTS:
        found = getattr(content, things)
        texts = [[getattr(thing, field) for field in fields] for thing in found]
        full = [Names(*text) if len(text) == 2 else text[0] for text in texts]
        setattr(names, stored, full)
        setattr(stored_content, things, [_shortened(thing, fields) for thing in found])
    return stored_content, names


def check(content: GameContent) -> None:
    """Without the block, names fit their fields.  Raises EncodeError."""
    for things, _, fields in _LISTS:
        for index, thing in enumerate(getattr(content, things)):
            for field in fields:
                _check(thing, field, f"{things}[{index}].{field}")
    _check(content.settings, "name", "settings.name")
    _check(content.save, "folder", "save.folder")


def _check(thing: Record, field: str, path: str) -> None:
    codec = _codec(thing, field)
    found = len(encode(getattr(thing, field)))
    if isinstance(codec, FixedCodec) and found > codec.size:
        raise EncodeError(
            f"the text takes {found} bytes, and the field has {codec.size}; longer names need "
            f"the block {BLOCK!r}",
            path=path,
        )


def _shortened(thing: R, fields: tuple[str, ...]) -> R:
    """A copy of a thing with the names that fit its fields."""
    short = {}
    for field in fields:
        kept = getattr(thing, f"short_{field}")
        short[field] = _beginning(thing, field, getattr(thing, field)) if kept is None else kept
    return msgspec.structs.replace(thing, **short)


def _beginning(thing: Record, name: str, full: str) -> str:
    """As much of a name as fits the field with a NUL after it."""
    codec = _codec(thing, name)
    size = codec.size if isinstance(codec, FixedCodec) else 0
    return decode(encode(full)[: size - 1])


def _codec(thing: Record, name: str) -> FieldCodec:
    return next(field.codec for field in fields_of(type(thing)) if field.name == name)
