"""Sprites of a game of Adventure Game Studio that may have lettering."""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from overhaul.ags.drawing.art import Art
from overhaul.ags.game.records import GameContent
from overhaul.document.containers import Members
from overhaul.document.protocol import Document, HasMembers
from overhaul.translate.ags.game import GameWithRooms, parts_of
from overhaul.translate.families import Job
from overhaul.translate.lettering import Lettering, words_in
from overhaul.translate.rules import Choice

if TYPE_CHECKING:
    from PIL.Image import Image


#: The type of a control that is a button, in the references of a GUI.
_BUTTON: Final = 1
#: The pictures of a button, and when each is shown.
_STATES: Final = {
    "picture": "shows it",
    "mouse_over_picture": "shows it under the mouse",
    "pushed_picture": "shows it while it is pushed",
}


def lettering(game: Document, job: Job) -> list[Lettering]:
    """The sprites of buttons without a text, of windows and views whose names speak for lettering:
    see :func:`overhaul.translate.sprite_pages.pictures`.

    Sprites are called by their numbers.
    """
    parts = parts_of(game, job.progress)
    rules = job.rules
    include, exclude = (rules.include, rules.exclude) if rules else (Choice(), Choice())
    art = Art(Members(game)) if isinstance(game, HasMembers) else parts.document.art
    reasons: dict[int, list[str]] = {}
    for number, reason in _hints(parts):
        reasons.setdefault(number, []).append(reason)
    sprites = art.sprites
    count = 0 if sprites is None else len(sprites.slots)
    for number in range(count):
        if include.sprite(str(number)):
            reasons.setdefault(number, []).insert(0, "the rules include it")
    letterings = []
    for number, why in sorted(reasons.items()):
        size = art.size(number)
        if size is None or exclude.sprite(str(number)):
            continue
        image = art.sprite(number)
        if image is not None:
            file = f"{number:05}.png"
            why = list(dict.fromkeys(why))
            letterings.append(Lettering(str(number), 1, *size, why, file, partial(_png, image)))
    return letterings


def _hints(parts: GameWithRooms) -> Iterator[tuple[int, str]]:
    """The numbers of sprites, and what speaks for lettering in each."""
    content = parts.content
    if not isinstance(content, GameContent):
        return
    gui = content.gui
    for number, window in enumerate(gui.guis):
        name = parts.shown(window.name) or f"GUI {number}"
        if words_in(name) and window.background_picture > 0:
            yield window.background_picture, f"it is the background of {name}"
        for reference in window.control_references:
            kind, index = reference >> 16, reference & 0xFFFF
            if kind != _BUTTON or index >= len(gui.buttons):
                continue
            button = gui.buttons[index]
            if parts.shown(button.text).strip():
                continue  # its lettering is drawn by the engine
            for field, when in _STATES.items():
                if getattr(button, field) > 0:
                    yield getattr(button, field), f"a button of {name} without a text {when}"
    for name, view in zip(content.view_names, content.views, strict=False):
        words = words_in(parts.shown(name))
        for loop in view.loops if words else ():
            for frame in loop.frames:
                yield frame.picture, f"the name of view {parts.shown(name)} has {words[0]}"


def _png(image: Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()
