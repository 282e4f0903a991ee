"""The things of game data, and the lists that each kind of them is an element of."""

from __future__ import annotations

from typing import Final

from overhaul.ags.parallel import Column, Kind

#: The source of the lists in the GUI section.
GUI: Final = "gui"


def _events(kind: str) -> tuple[Column, ...]:
    """The handlers of events in 3.6.2, and in AGS 4."""
    old = () if kind == "guis" else tuple(
        Column("handlers", kind, block) for block in ("v362_interevents", "v362_interevent2")
    )  # fmt: skip
    return (*old, Column("event_handlers", f"{kind}.tables", "v400_eventtables"))


def _control(name: str, *more: Column) -> Kind:
    """A kind of control."""
    return Kind(
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
DIALOGS: Final = Kind(
    "dialogs",
    (
        Column("", "dialogs"),
        Column("script_name", "dialog_script_names"),
        Column("script", "dialog_data"),
    ),
    derived=(("code_size", "script"),),
)
NEW_DIALOGS_BLOCK: Final = "v363_dialogsnew"
NEW_DIALOGS: Final = Kind(
    "dialogs",
    (
        Column("", "dialogs", NEW_DIALOGS_BLOCK),
        Column("properties", "dialogs", "v400_customprops"),
    ),
)
"""The dialogs of 3.6.3 and later; the standard part has none then."""

KINDS: Final = (
    Kind(
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
    Kind(
        "inventory",
        (
            Column("", "inventory"),
            Column("script_name", "inventory_script_names"),
            Column("interaction", "inventory_interactions"),
            Column("events", "inventory_events", first=1),
            Column("properties", "inventory_properties"),
            *_events("inventory"),
        ),
        extra=("short_name",),
    ),
    Kind(
        "cursors",
        (
            Column("", "cursors"),
            Column("options", "cursors", "v360_cursors"),
            Column("role", "cursors", "v400_eventtables"),
        ),
        extra=("short_name",),
    ),
    Kind(
        "views",
        (
            Column("", "views"),
            Column("", "old_views"),
            Column("name", "view_names"),
            Column("event", "views", "v400_viewevents", spread=("loops", "frames")),
        ),
    ),
    Kind(
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
    Kind(
        "audio_clips",
        (Column("", "audio_clips"), Column("properties", "clips", "v400_customprops")),
        extra=("short_script_name", "short_file_name"),
    ),
    Kind(
        "guis",
        (
            Column("", "guis", GUI),
            Column("script_module", "gui_script_modules", "v362_interevents"),
            Column("script_module", "gui_script_modules", "v362_interevent2"),
            Column("blending", "things", "ext_ags399", joined=_BLENDED),
            Column("properties", "guis", "v400_customprops"),
            *_events("guis"),
        ),
    ),
    *CONTROLS,
)
"""Each other kind of thing."""
