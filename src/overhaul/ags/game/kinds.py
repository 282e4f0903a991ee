"""The things of game data, and the lists that each kind of them is an element of."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Final, TypeVar

import msgspec

from overhaul.ags.game.extensions import NamesBlock
from overhaul.ags.game.records import GameContent
from overhaul.ags.parallel import Column, ParallelKind
from overhaul.ags.properties import ThingNames
from overhaul.ags.text import decode, encode
from overhaul.ags.words import Shown
from overhaul.errors import EncodeError, FormatError
from overhaul.schema import FieldCodec, FixedCodec, Record, fields_of

#: The source of the lists in the GUI section.
GUI: Final = "gui"


def _events(kind: str) -> tuple[Column, ...]:
    """The handlers of events in 3.6.2, and in AGS 4."""
    old = () if kind == "guis" else tuple(
        Column("handlers", kind, block) for block in ("v362_interevents", "v362_interevent2")
    )  # fmt: skip
    return (*old, Column("event_handlers", f"{kind}.tables", "v400_eventtables"))


def _control(name: str, *more: Column) -> ParallelKind:
    """A kind of control."""
    return ParallelKind(
        name,
        (
            Column("", name, GUI),
            *more,
            Column("look", name, "v363_guictrls2"),
            Column("properties", name, "v400_customprops"),
            Column("drawing", name, "v400_guictrlgfx"),
            Column("event_handlers", f"{name}.tables", "v400_eventtables"),
        ),
    )


_BLENDED: Final = ("characters", "guis")

CONTROLS: Final = (
    _control("buttons", Column("padding", "buttons", "v362_guictrls")),
    _control("labels"),
    _control("inventory_windows"),
    _control("sliders"),
    _control("text_boxes"),
    _control("list_boxes"),
)
DIALOGS: Final = ParallelKind(
    "dialogs",
    (
        Column("", "dialogs"),
        Column("script_name", "dialog_script_names", shows=Shown("Name")),
        Column("script", "dialog_data", shows=Shown("Script")),
    ),
    derived=(("code_size", "script"),),
)
NEW_DIALOGS_BLOCK: Final = "v363_dialogsnew"
NEW_DIALOGS: Final = ParallelKind(
    "dialogs",
    (
        Column("", "dialogs", NEW_DIALOGS_BLOCK),
        Column("properties", "dialogs", "v400_customprops"),
    ),
)
"""The dialogs of 3.6.3 and later; the standard part has none then."""

INVENTORY: Final = ParallelKind(
    "inventory",
    (
        Column("", "inventory"),
        Column("script_name", "inventory_script_names", shows=Shown("Name")),
        Column("interaction", "inventory_interactions"),
        Column("events", "inventory_events", first=1),
        Column("properties", "inventory_properties"),
        *_events("inventory"),
    ),
    extra=("short_name",),
)
VIEWS: Final = ParallelKind(
    "views",
    (
        Column("", "views"),
        Column("", "old_views"),
        Column("name", "view_names", shows=Shown("Name")),
        Column("event", "views", "v400_viewevents", spread=("loops", "frames")),
    ),
)
_MODULE: Final = Shown("ScriptModule")
GUIS: Final = ParallelKind(
    "guis",
    (
        Column("", "guis", GUI),
        Column("script_module", "gui_script_modules", "v362_interevents", shows=_MODULE),
        Column("script_module", "gui_script_modules", "v362_interevent2", shows=_MODULE),
        Column("blending", "things", "ext_ags399", joined=_BLENDED),
        Column("properties", "guis", "v400_customprops"),
        *_events("guis"),
    ),
)
KINDS: Final = (
    ParallelKind(
        "characters",
        (
            Column("", "characters"),
            Column("interaction", "character_interactions"),
            Column("events", "character_events"),
            Column("properties", "character_properties"),
            *_events("characters"),
            Column("blending", "things", "ext_ags399", joined=_BLENDED),
            Column("anchor", "characters", "v400_charopts2"),
        ),
        extra=("short_name", "short_script_name"),
    ),
    INVENTORY,
    ParallelKind(
        "cursors",
        (
            Column("", "cursors"),
            Column("options", "cursors", "v360_cursors"),
            Column("role", "cursors", "v400_eventtables"),
        ),
        extra=("short_name",),
    ),
    VIEWS,
    ParallelKind(
        "fonts",
        (
            Column("", "fonts"),
            Column("flags", "font_flags"),
            Column("outline", "font_outlines"),
            Column("y_offset", "font_offsets"),
            Column("spacing", "font_spacings"),
            Column("options", "fonts", "v360_fonts"),
            Column("file", "files", "v400_fontfiles"),
        ),
    ),
    ParallelKind(
        "audio_clips",
        (Column("", "audio_clips"), Column("properties", "clips", "v400_customprops")),
        extra=("short_script_name", "short_file_name"),
    ),
    GUIS,
    *CONTROLS,
)
"""Each other kind of thing."""


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
    for field_name, stored, _ in _LISTS:
        expected, got = len(getattr(content, field_name)), len(getattr(names, stored))
        if expected != got:
            raise FormatError(f"the game has {expected} {field_name}, but there are {got} names")
    for record, field, full in list(_pairs(content, names)):
        short = getattr(record, field)
        setattr(
            record, f"short_{field}", None if short == _beginning(record, field, full) else short
        )
        setattr(record, field, full)
    _clear(names)


def _pairs(content: GameContent, names: NamesBlock) -> Iterator[tuple[Record, str, str]]:
    """(thing, field, full name) of each name in the block."""
    yield content.settings, "name", names.game_name
    yield content.save, "folder", names.save_folder
    for field_name, stored, fields in _LISTS:
        for record, full in zip(getattr(content, field_name), getattr(names, stored), strict=True):
            texts = (full.script_name, full.name) if isinstance(full, ThingNames) else (full,)
            for field, text in zip(fields, texts, strict=True):
                yield record, field, text


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
    for field_name, stored, fields in _LISTS:
        records = getattr(content, field_name)
        texts = [[getattr(thing, field) for field in fields] for thing in records]
        full = [ThingNames(*text) if len(text) == 2 else text[0] for text in texts]
        setattr(names, stored, full)
        setattr(stored_content, field_name, [_shortened(thing, fields) for thing in records])
    return stored_content, names


def check(content: GameContent) -> None:
    """Without the block, names fit their fields.  Raises EncodeError."""
    for field_name, _, fields in _LISTS:
        for index, record in enumerate(getattr(content, field_name)):
            for field in fields:
                _check(record, field, f"{field_name}[{index}].{field}")
    _check(content.settings, "name", "settings.name")
    _check(content.save, "folder", "save.folder")


def _check(record: Record, field: str, path: str) -> None:
    codec = _codec(record, field)
    length = len(encode(getattr(record, field)).partition(b"\0")[0])
    if isinstance(codec, FixedCodec) and length > codec.size:
        raise EncodeError(
            f"the text takes {length} bytes, and the field has {codec.size}; longer names need "
            f"the block {BLOCK!r}",
            path=path,
        )


def _shortened(record: R, fields: tuple[str, ...]) -> R:
    """A copy of a thing with the names that fit its fields."""
    short = {}
    for field in fields:
        kept = getattr(record, f"short_{field}")
        short[field] = _beginning(record, field, getattr(record, field)) if kept is None else kept
    return msgspec.structs.replace(record, **short)


def _beginning(record: Record, name: str, full: str) -> str:
    """As much of a name as fits the field with a NUL after it."""
    codec = _codec(record, name)
    size = codec.size if isinstance(codec, FixedCodec) else 0
    return decode(encode(full)[: size - 1])


def _codec(record: Record, name: str) -> FieldCodec:
    return next(field.codec for field in fields_of(type(record)) if field.name == name)
