"""The macros that an editor defines before it compiles, by the settings of the game.

Source: the editor's ``AGSEditor.cs`` and the enum ``ScriptAPIVersion``, and the headers, which ask
for these macros.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from overhaul.ags.api.table import Version, parse_version

#: The levels of the script API by name, and the build of the editor that brought each.
LEVELS: Final[dict[str, Version]] = {
    "v321": (3, 2, 1, 0),
    "v330": (3, 3, 0, 0),
    "v334": (3, 3, 4, 0),
    "v335": (3, 3, 5, 0),
    "v340": (3, 4, 0, 0),
    "v341": (3, 4, 1, 0),
    "v350": (3, 5, 0, 0),
    "v3507": (3, 5, 0, 7),
    "v351": (3, 5, 1, 0),
    "v360": (3, 6, 0, 0),
    "v36026": (3, 6, 0, 26),
    "v361": (3, 6, 1, 0),
    "v362": (3, 6, 2, 0),
    "v363": (3, 6, 3, 0),
}
#: Editors have levels of the API since this build; before it, all that an editor has is there.
_LEVELS_SINCE: Final = (3, 4, 0, 8)


@dataclass(frozen=True, slots=True)
class ScriptSettings:
    """The settings of a game that change its scripts.

    ``api`` and ``compatibility`` name a level such as ``v350``; "" is the newest of the editor.
    ``old_player``: the player is a struct, as before 2.7, and no pointer.
    """

    version: str
    api: str = ""
    compatibility: str = ""
    object_based: bool = True
    new_strings: bool = True
    new_audio: bool = True
    new_dialog_options: bool = True
    new_keyboard: bool = True
    left_to_right: bool = True
    debug: bool = False
    unicode: bool = False
    old_player: bool = False

    @property
    def is_strict(self) -> bool:
        """Whether the editor declares nothing old for scripts, but for functions of sounds."""
        return (
            self.object_based and self.new_strings and self.new_dialog_options and self.new_keyboard
        )

    def loosened(self, other: ScriptSettings) -> ScriptSettings:
        """These settings, with the old declarations that ``other`` has besides."""
        return replace(
            self,
            object_based=self.object_based and other.object_based,
            new_strings=self.new_strings and other.new_strings,
            new_dialog_options=self.new_dialog_options and other.new_dialog_options,
            new_keyboard=self.new_keyboard and other.new_keyboard,
        )


def script_macros(settings: ScriptSettings) -> dict[str, str]:
    """The macros and their values for scripts of a game with ``settings``."""
    build = parse_version(settings.version)
    switches = {
        "DEBUG": settings.debug,
        "STRICT": settings.object_based,
        "STRICT_STRINGS": settings.new_strings,
        "STRICT_AUDIO": settings.new_audio,
        "LRPRECEDENCE": settings.left_to_right,
        "NEW_DIALOGOPTS_API": settings.new_dialog_options and build >= (3, 4, 0, 0),
        "NEW_KEYINPUT_API": settings.new_keyboard and build >= (3, 6, 0, 0),
        "UNICODE": settings.unicode and build >= (3, 6, 0, 0),
        "OLD_PLAYER": settings.old_player,
        "SCRIPT_EXT_DYNARRAY_LENGTH": build >= (3, 6, 2, 3),
    }
    names = ["AGS_NEW_STRINGS", "AGS_SUPPORTS_IFVER"]
    names += [name for name, defined in switches.items() if defined]
    names += _level_macros(settings, build)
    return dict.fromkeys(names, "1")


def _level_macros(settings: ScriptSettings, build: Version) -> Iterator[str]:
    """SCRIPT_API_x up to the chosen level, and SCRIPT_COMPAT_x from the chosen one on."""
    known = {name: since for name, since in LEVELS.items() if since <= build}
    newest = max(known.values(), default=LEVELS["v321"])
    leveled = build >= _LEVELS_SINCE
    api = LEVELS.get(settings.api, newest) if leveled else newest
    oldest = LEVELS.get(settings.compatibility, newest) if leveled else LEVELS["v321"]
    for name, since in known.items():
        if since <= api:
            yield f"SCRIPT_API_{name}"
    for name, since in known.items():
        if since >= oldest:
            yield f"SCRIPT_COMPAT_{name}"
