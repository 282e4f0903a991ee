"""The dialogs of a project as records of its game: up to 3.6.3.3 with 30 options, then a block."""

from __future__ import annotations

from typing import Final

from overhaul.ags.game.extensions import NewDialog, NewDialogOption
from overhaul.ags.game.resources import Dialog
from overhaul.ags.project.building.reading import ElementError, text_of, unescaped
from overhaul.ags.project.building.releases import Release
from overhaul.document.xmltext import XmlNode

_MOST: Final = 30
_SHOWN, _NOT_SAID = 1, 4
_TRUE: Final = "True"


def _options(node: XmlNode) -> list[XmlNode]:
    found = node.find("DialogOptions")
    return [] if found is None else list(found.all("DialogOption"))


def _flags(option: XmlNode) -> int:
    shown = _SHOWN if text_of(option, "Show") == _TRUE else 0
    return shown | (0 if text_of(option, "Say") == _TRUE else _NOT_SAID)


def dialog(node: XmlNode, release: Release) -> Dialog:
    """A dialog.  Raises ElementError for one with more options than the game has room for."""
    options = _options(node)
    if len(options) > _MOST:
        raise ElementError(
            f"a dialog has at most {_MOST} options, got {len(options)}", options[_MOST]
        )
    texts = [unescaped(text_of(option, "Text"), release) for option in options]
    free = _MOST - len(options)
    return Dialog(
        options=[*texts, *[""] * free],
        option_flags=[*map(_flags, options), *[0] * free],
        option_count=len(options),
        flags=1 if text_of(node, "ShowTextParser") == _TRUE else 0,
    )


def new_dialog(node: XmlNode) -> NewDialog:
    """A dialog from 3.6.3.4 on, whose texts are stored unchanged."""
    options = [NewDialogOption(text_of(one, "Text"), _flags(one)) for one in _options(node)]
    return NewDialog(
        text_of(node, "Name"),
        1 if text_of(node, "ShowTextParser") == _TRUE else 0,
        options=options,
    )
