"""The settings of a game as those of its project.

Values that the game stores inverted, or as a number, are written in the editor's words. Sources:
the editor's ``DataFileWriter.cs``; the projects of games whose compiled data is known.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from overhaul.ags.api import LEVELS, parse_version
from overhaul.ags.project.elements import Value, node
from overhaul.ags.project.resources import Json, authored, number, values_of
from overhaul.document.xmltext import XmlNode

#: Settings that the game stores inverted: the project's name, and the game's.
INVERTED: Final = {
    "AutoMoveInWalkMode": "NoAutoMoveInWalkMode",
    "InventoryCursors": "FixedInventoryCursors",
    "UseLowResCoordinatesInScript": "NativeCoordinates",
    "ScaleMovementSpeedWithMaskResolution": "AbsoluteMovementSpeed",
    "UseOldKeyboardHandling": "NewKeyboardHandling",
}
CHOICES: Final[Mapping[str, Mapping[int, str]]] = {
    "SkipSpeech": {
        0: "MouseOrKeyboardOrTimer",
        1: "KeyboardOnly",
        2: "TimerOnly",
        3: "MouseOrKeyboard",
        4: "MouseOnly",
        5: "KeyboardOnlyStrict",
        6: "MouseOnlyStrict",
    },
    "WhenInterfaceDisabled": {0: "GreyOut", 1: "GoBlack", 2: "Unchanged", 3: "TurnOff"},
    "CrossfadeMusic": {0: "No", 1: "SlowFade", 2: "MediumFade", 3: "FastFade"},
    "GUIAlphaStyle": {0: "Classic", 1: "AdditiveOpacity", 2: "MultiplyTranslucenceSrcBlend"},
    "SpriteAlphaStyle": {0: "Classic", 1: "Improved"},
    "SpeechStyle": {
        0: "Lucasarts",
        1: "SierraTransparent",
        2: "SierraWithBackground",
        3: "WholeScreen",
    },
    "CompressSpritesType": {0: "None", 1: "RLE", 2: "LZW", 3: "Deflate"},
}
#: The options of 3.6.2 and 3.6.3 that have no other name, by their places: the setting, the build
#: that has it first, and whether it is stored inverted.
NEW_OPTIONS: Final[tuple[tuple[int, str, tuple[int, ...], bool], ...]] = (
    (54, "UseOldVoiceClipNaming", (3, 6, 2), True),
    (56, "GameFPS", (3, 6, 2, 6), False),
    (57, "GUIHandleOnlyLeftMouseButton", (3, 6, 3), False),
    (59, "DisplaySingleDialogOption", (3, 6, 3), False),
    (60, "TurnOrderPriority", (3, 6, 3), False),
    (61, "TextBoxKeyClaimStyle", (3, 6, 3), False),
)
OPTION_WORDS: Final[Mapping[str, Mapping[str, int]]] = {
    "TurnOrderPriority": {"Clockwise": 0, "CounterClockwise": 1, "Random": 2, "FaceDown": 3},
    "TextBoxKeyClaimStyle": {"All": 0, "Handled": 1, "TextOnly": 2},
}
_NUMBERS: Final = ("GameFPS",)
#: Since when a block has the name of the game as the author writes it.
_NAME_AS_WRITTEN: Final = (3, 6, 1, 14)
#: The values of ``v363_gameinfo``, and the setting of each.
INFORMATION: Final[Mapping[str, str]] = {
    "title": "GameName",
    "description": "Description",
    "dev_name": "DeveloperName",
    "dev_url": "DeveloperURL",
    "genre": "Genre",
    "release_date": "ReleaseDate",
    "version": "Version",
    "text_lang": "GameTextLanguage",
}
#: A word of the tree that projects have another one for.
_FULL_SCREEN: Final = {"SierraFullScreen": "WholeScreen"}
SIZES: Final = {
    0: (320, 200),
    1: (320, 200),
    2: (320, 240),
    3: (640, 400),
    4: (640, 480),
    5: (800, 600),
    6: (1024, 768),
    7: (1280, 720),
}
_UTF_8: Final = 65001
#: Since when the option is a number of frames; before, whether speech has the speed of old games.
_DELAY_SINCE: Final = (3, 3)
_CHOICE_OF_NUMBERS: Final = (3, 3, 3, 0)


def settings(
    game: Json,
    version: str,
    name: str,
    sounds: Mapping[int, int],
    *,
    old_audio: bool,
    about: Mapping[str, Value],
) -> XmlNode:
    """The settings; ``game`` is what game.json says, ``name`` that of the game's files, ``sounds``
    are the fixed indexes of sounds by their numbers in the game, ``about`` is what the game says
    that it is about.

    ``old_audio``: scripts call functions that the editor allows only without EnforceNewAudio.
    """
    shown = game.get("Settings")
    stored = values_of(shown) if isinstance(shown, dict) else {}
    listed = shown.get("Options") if isinstance(shown, dict) else None
    options = values_of(listed) if isinstance(listed, dict) else {}
    saves = game.get("Saves")
    values: dict[str, Value] = {**options, **stored}
    if isinstance(saves, dict):
        values |= values_of(saves)
        values["GUIDAsString"] = str(saves.get("GUID", ""))
    for ours, theirs in INVERTED.items():
        values[ours] = not options.get(theirs)
    for option, choices in CHOICES.items():
        if option in options:
            said = options[option]
            values[option] = _FULL_SCREEN.get(str(said)) or choices.get(number(said, -1), str(said))
    values |= _derived(options, stored, version)
    build = parse_version(version)
    for place, option, since, inverted in NEW_OPTIONS:
        if build >= since:
            value = number(options.get(f"Option{place}"))
            values[option] = _new_option(option, 1 - value if inverted else value)
    if "score_clip" in game:
        values["PlaySoundOnScore"] = sounds.get(number(game.get("score_clip"), -1), 0)
    if "TTFHeightDefinedBy" in game:
        values["TTFHeightDefinedBy"] = str(game["TTFHeightDefinedBy"])
    if build < _NAME_AS_WRITTEN:
        values = authored(values, ("GameName",), version)
    values["AudioIndexer"] = max(sounds.values(), default=0)
    values["GameFileName"] = name
    values["EnforceNewAudio"] = not old_audio
    values["EnhancedSaveGames"] = bool(values.get("SaveGameFileExtension"))
    return node("Settings", {**values, **about}, version)


def turned(date: str, between: str, instead: str) -> str:
    """A date of three parts from its end, with another sign between them; other texts as they are.

    The project has ``2026-12-01``, the game ``01.12.2026``.
    """
    parts = date.split(between)
    return instead.join(reversed(parts)) if len(parts) == 3 else date


def information(stored: Mapping[str, str]) -> dict[str, Value]:
    """The description of a game as settings; its name is stored apart."""
    values: dict[str, Value] = {
        INFORMATION[key]: text for key, text in stored.items() if key in INFORMATION
    }
    values.pop("GameName", None)
    if "release_date" in stored:
        values["ReleaseDate"] = turned(stored["release_date"], ".", "-")
    if "text_lang" in stored:
        values["GameTextLanguage"] = stored["text_lang"].replace("_", "-")
    return values


def _derived(
    options: Mapping[str, Value], stored: Mapping[str, Value], version: str
) -> dict[str, Value]:
    """Settings that follow from several values of the game."""
    delay = number(options.get("GlobalSpeechAnimationDelay"))
    is_shared = delay >= 0 if parse_version(version) >= _DELAY_SINCE else delay != 0
    wide, high = size_of(stored)
    sprite = number(stored.get("InventoryHotspotMarkerSprite"))
    dot = number(stored.get("InventoryHotspotMarkerDotColor"))
    marker = "Sprite" if sprite > 0 else "Crosshair" if dot > 0 else "None"
    encoding = number(options.get("GameTextEncoding"))
    compressed = number(options.get("CompressSprites"))
    return {
        # the editor of 3.3 has the older setting as another name of this
        "LegacySpeechAnimationSpeed": is_shared,
        "UseGlobalSpeechAnimationDelay": is_shared,
        "GlobalSpeechAnimationDelay": delay if delay >= 0 else -delay - 1,
        "CustomResolution": f"{wide},{high}",
        "Resolution": f"R{wide}x{high}",
        "InventoryHotspotMarkerStyle": marker,
        "UseOldCustomDialogOptionsAPI": number(options.get("DialogOptionsAPI")) == -1,
        "ScriptAPIVersion": _level(options.get("ScriptAPIVersion"), version),
        "ScriptCompatLevel": _level(options.get("ScriptCompatLevel"), version),
        "GameTextEncoding": "utf-8" if encoding == _UTF_8 else "ANSI",
        "CompressSprites": compressed != 0,
        "CompressSpritesType": CHOICES["CompressSpritesType"].get(compressed, "None"),
        "NumberDialogOptions": _numbered(options.get("NumberDialogOptions"), version),
    }


def _new_option(name: str, value: int) -> Value:
    """The value of an option that is a number in the game."""
    if name in _NUMBERS:
        return value
    if name in OPTION_WORDS:
        words = {stored: word for word, stored in OPTION_WORDS[name].items()}
        return words.get(value, str(value))
    return bool(value)


def size_of(stored: Mapping[str, Value]) -> tuple[int, int]:
    """Width and height of the screen in pixels."""
    resolution = number(stored.get("Resolution"))
    if resolution in SIZES:
        return SIZES[resolution]
    return number(stored.get("Width"), 320), number(stored.get("Height"), 200)


def _level(stored: Value, version: str) -> str:
    """A level of the script API by name; the newest of the editor is ``Highest``."""
    build = parse_version(version)
    known = [name for name, since in LEVELS.items() if since <= build]
    place = number(stored, -1)
    return known[place] if 0 <= place < len(known) - 1 else "Highest"


def _numbered(stored: Value, version: str) -> str:
    """Whether options of dialogs have numbers, which is true or false before 3.3.3."""
    if parse_version(version) < _CHOICE_OF_NUMBERS:
        return str(stored in ("Normal", 1))
    return str(stored)
