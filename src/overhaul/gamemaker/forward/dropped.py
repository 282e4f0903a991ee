"""Parts of the language that later releases dropped, and their replacements.

A function that has the same name in ``dropped.gml`` is *scripted*; one that GameMaker 2 and later
still have is *native*; all others have *no equivalent*.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from overhaul.gml.builtins import (
    load_classic_functions,
    load_constants,
    load_functions,
    load_variables,
)

_HEAD: Final = re.compile(r"^function (\w+)\(", re.MULTILINE)
_COMMENTS: Final = re.compile(r"(?:^//.*\n)*\Z", re.MULTILINE)
_WORD: Final = re.compile(r"\b[a-z_]\w*\b")
#: Functions whose sources each project has of its own: the depths of objects, what F1 showed.
DEPTHS: Final = "object_get_depth"
INFORMATION: Final = "show_info"
MADE: Final = (DEPTHS, INFORMATION)
#: The beginnings of the names of the functions of actions: earlier releases have these too.
ACTIONS: Final = "action_"
SET_DEPTH: Final = "object_set_depth"

#: Variables of views and backgrounds that functions get and set, by what those call them.
VIEWS: Final = {
    name: name.removeprefix("view_")
    for name in (
        *("view_xview", "view_yview", "view_wview", "view_hview", "view_angle", "view_hborder"),
        *("view_vborder", "view_hspeed", "view_vspeed", "view_object"),
    )
}
BACKGROUNDS: Final = {
    f"background_{name}": {"colour": "color", "showcolour": "showcolor"}.get(name, name)
    for name in (
        *("visible", "foreground", "index", "x", "y", "hspeed", "vspeed", "htiled", "vtiled"),
        *("xscale", "yscale", "blend", "alpha", "width", "height", "color", "colour"),
        *("showcolor", "showcolour"),
    )
}
#: Variables that nothing stands for.
GONE: Final = frozenset(
    (
        *("caption_score", "caption_lives", "caption_health", "show_score", "show_lives"),
        *("show_health", "transition_kind", "transition_steps", "room_caption", "error_last"),
        *("error_occurred", "gamemaker_registered", "gamemaker_pro", "gamemaker_version"),
        *("secure_mode", "transition_time", "transition_color", "cursor_color"),
    )
)
#: Functions of Game Maker 5 to 8.1 whose names are also in the lists of later functions.
_NAMED: Final = frozenset(("execute_file", "execute_string", "mplay_init_ipx"))
#: Where functions take a text in which # begins a new line.
TEXTS: Final = {
    **dict.fromkeys(
        (
            *("draw_text", "draw_text_ext", "draw_text_color", "draw_text_colour"),
            *("draw_text_ext_color", "draw_text_ext_colour", "draw_text_transformed"),
            *("draw_text_ext_transformed", "draw_text_transformed_color"),
            *("draw_text_transformed_colour", "draw_text_ext_transformed_color"),
            "draw_text_ext_transformed_colour",
        ),
        2,
    ),
    **dict.fromkeys(
        (
            *("string_width", "string_height", "string_width_ext", "string_height_ext"),
            *("show_message", "show_question"),
        ),
        0,
    ),
}
#: Instance variables that came with GameMaker 2 or later; earlier code has its own.
NEW_VARIABLES: Final = frozenset(
    (
        *("layer", "in_sequence", "sequence_instance", "on_ui_layer", "managed", "event_data"),
        *("drawn_by_sequence", "collision_space", "in_collision_tree", "player_id"),
        *("player_local", "player_type", "player_user_id", "player_avatar_url"),
        *("player_avatar_sprite", "wallpaper_config", "audio_bus_main", "view_camera"),
    )
)


class Scripted(NamedTuple):
    """A function that stands for a dropped one, or helps those: its source, and what it uses."""

    name: str
    source: str
    uses: tuple[str, ...]


@cache
def scripted() -> dict[str, Scripted]:
    """The functions of ``dropped.gml`` by name."""
    text = files(__package__).joinpath("dropped.gml").read_text("utf-8")
    heads = list(_HEAD.finditer(text))
    names = {head[1] for head in heads}.union(MADE)
    found: dict[str, Scripted] = {}
    for head in heads:
        end = text.index("\n}\n", head.start()) + 3
        before = _COMMENTS.search(text[: head.start()])
        notes = "" if before is None else before[0]
        body = text[head.start() : end]
        uses = dict.fromkeys(word for word in _WORD.findall(body) if word in names)
        uses.pop(head[1], None)
        found[head[1]] = Scripted(head[1], notes + body, tuple(uses))
    return found


@cache
def helpers() -> frozenset[str]:
    """The functions of ``dropped.gml`` that no list of the functions of a release has."""
    return frozenset(scripted()) - load_functions().keys() - load_classic_functions()


def needed(names: Iterable[str]) -> list[str]:
    """The functions that some need, those too, in the order of their names."""
    found: set[str] = set()
    left = list(names)
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            known = scripted().get(name)
            left += () if known is None else known.uses
    return sorted(found)


@cache
def without_equivalent() -> frozenset[str]:
    """The functions of earlier releases that nothing stands for."""
    own = scripted().keys() | MADE
    only = {name for name, known in load_functions().items() if known.generation == "gms1"}
    return frozenset((load_classic_functions() | only | _NAMED) - own)


@cache
def later_names() -> frozenset[str]:
    """The names that the language of later releases has, and that earlier code may give to
    variables of its own."""
    functions = (name for name, known in load_functions().items() if known.generation != "gms1")
    constants = (name for name, known in load_constants().items() if known.generation == "gms2")
    own = NEW_VARIABLES & load_variables().keys() | NEW_VARIABLES
    words = ("function", "constructor", "new", "delete", "try", "catch", "finally", "throw")
    return frozenset((*functions, *constants, *own, *words, "static"))
