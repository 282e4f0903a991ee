"""The options of a project and of its game.

Only what both can say is compared: an option that the project's release does not have, or that no
game keeps, is left out of both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from overhaul.errors import FormatError
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide_game.documents import Side
from overhaul.gamemaker.ide_game.saying import as_json
from overhaul.gamemaker.recovery.options import (
    MAIN,
    WINDOWS,
    main_options,
    studio_options,
    windows_options,
)

_CONFIGURATION: Final = "configuration"
#: The options that no game of Studio 1 keeps: a recovered project has usual values for them.
_NOT_KEPT: Final = frozenset(
    ("option_author", "option_gameguid", "option_shortcircuit", "option_windowcolor",
     "option_version_build", "option_version_major", "option_version_minor",
     "option_version_release", "option_windows_texture_page")
)  # fmt: skip


def add_options(project: IdeProjectDocument, game: GameData, ours: Side, theirs: Side) -> None:
    """Add the options to both sides, a file for each file of the project."""
    if game.release.major < 2:
        said = {k: v for k, v in studio_options(game, "").items() if k not in _NOT_KEPT}
        words = _configured(project)
        own = {k: _as(said[k], words[k]) for k in words.keys() & said.keys()}
        _add("options", own, said, ours, theirs)
        return
    prefix = "option_windows_"
    windows = {f"{prefix}{name}": value for name, value in windows_options(game).items()}
    _add("main", _options(project, MAIN), main_options(game), ours, theirs)
    _add("windows", _options(project, WINDOWS), windows, ours, theirs)


def _add(
    name: str, own: Mapping[str, object], other: Mapping[str, object], ours: Side, theirs: Side
) -> None:
    """Add what both say; nothing where the project says nothing."""
    both = sorted(own.keys() & other.keys())
    for side, said in ((ours, own), (theirs, other)) if both else ():
        read: Callable[[], bytes] = partial(as_json, {key: said[key] for key in both})
        side.add("options", name, f"options/{name}.json", read)


def _options(project: IdeProjectDocument, path: str) -> dict[str, object]:
    """The options in a file of a project; none of one that is broken or is not there."""
    if not project.files.has(path):
        return {}
    try:
        value = project.json_file(path).value
    except FormatError:  # check says what is wrong with it
        return {}
    return dict(value) if isinstance(value, dict) else {}


def _configured(project: IdeProjectDocument) -> dict[str, str]:
    """The words of the first configuration of a project of Studio 1."""
    for entry in project.entries_of(_CONFIGURATION):
        path = project.path_of(entry)
        try:
            root = None if path is None else project.gmx_file(path).root
        except FormatError:  # check says what is wrong with it
            return {}
        options = None if root is None else root.find("Options")
        return {} if options is None else {node.tag: node.text for node in options.children}
    return {}


def _as(value: object, word: str) -> object:
    """A word of the project as the game has the value: editors write truth in several ways."""
    word = word.strip()
    if isinstance(value, bool):
        return word.lower() not in ("", "0", "false")
    if isinstance(value, int) and word.removeprefix("-").isdecimal():
        return int(word[:11])
    return word
