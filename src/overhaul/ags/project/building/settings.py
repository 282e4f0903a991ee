"""The settings of a project as the first section of its game: what converting says, undone."""

from __future__ import annotations

from typing import Final

from overhaul.ags.api import LEVELS
from overhaul.ags.folder import forms
from overhaul.ags.game.options import OPTIONS
from overhaul.ags.game.records import GameSettings
from overhaul.ags.project.building.reading import (
    ElementError,
    choice,
    number,
    record,
    text_of,
    unescaped,
    values_of,
)
from overhaul.ags.project.building.releases import Release
from overhaul.ags.project.settings import (
    CHOICES,
    INFORMATION,
    INVERTED,
    NEW_OPTIONS,
    OPTION_WORDS,
    SIZES,
    turned,
)
from overhaul.ags.properties import MapEntry, TextMap
from overhaul.ags.shapes import Json
from overhaul.document.xmltext import XmlNode

#: The number of each level of the script API, which are builds from 3.6.0 on.
_LEVELS: Final = {
    "v321": 0, "v330": 1, "v334": 2, "v335": 3, "v340": 4, "v341": 5, "v350": 6, "v3507": 7,
    "v351": 8, "v360": 3060000, "v36026": 3060026, "v361": 3060100, "v362": 3060200,
    "v363": 3060300,
}  # fmt: skip
_OWN_SIZE: Final = 8
_UTF_8, _ANSI = 65001, 1252
#: Options that only some releases write: the first, and the first that does not.
_WRITTEN: Final = {
    "CrossfadeMusic": ((0,), (3, 4)),
    "FontsForHiRes": ((0,), (3, 5)),
    "SpriteAlphaStyle": ((3, 3), (9,)),
    "SafeFilePaths": ((3, 3, 5), (9,)),
    "DialogOptionsAPI": ((3, 4), (9,)),
    "ScriptAPIVersion": ((3, 4), (9,)),
    "ScriptCompatLevel": ((3, 4), (9,)),
    "RenderAtScreenResolution": ((3, 4, 1), (9,)),
    "AllowRelativeAssetResolutions": ((3, 5), (9,)),
    "AbsoluteMovementSpeed": ((3, 5), (9,)),
    "ClipGUIControls": ((3, 6), (9,)),
    "GameTextEncoding": ((3, 6), (9,)),
    "NewKeyboardHandling": ((3, 6), (9,)),
    "ScaleCharacterSpriteOffsets": ((3, 6, 1, 9), (9,)),
}
_DEPTHS: Final = {"Palette": 1, "HighColor": 2, "TrueColor": 4}
_MARKERS: Final = {"None": 0, "Crosshair": 1, "Sprite": 2}
_LANGUAGE_SINCE: Final = (3, 6, 3, 10)
#: Where a script can't write outside of the folders of the game: always.
_SAFE_PATHS: Final = 1


def settings_of(game: XmlNode, release: Release) -> GameSettings:
    """The settings of a game, without its counts.  Raises ElementError."""
    node = game.find("Settings")
    if node is None:
        raise ElementError("the project has no Settings", game)
    values = values_of(node, release)
    marker = choice(node, "InventoryHotspotMarkerStyle", _MARKERS, "None")
    shown: Json = {
        "GameName": unescaped(text_of(node, "GameName"), release),
        "UniqueID": values["UniqueID"],
        "PlayerCharacter": number(game, "PlayerCharacter"),
        "MaximumScore": values["MaximumScore"],
        "ColorDepth": values["ColorDepth"],
        "DialogOptionsBullet": values["DialogOptionsBullet"],
        "Options": _options(node, values, release),
    }
    if marker == _MARKERS["Sprite"]:
        shown["InventoryHotspotMarkerSprite"] = values["InventoryHotspotMarkerSprite"]
    if marker != _MARKERS["None"]:
        shown["InventoryHotspotMarkerDotColor"] = values["InventoryHotspotMarkerDotColor"]
    crosshair = "InventoryHotspotMarkerCrosshairColor"
    shown[crosshair] = values[crosshair]
    shown |= _size(node, values, release)
    made = record(GameSettings, forms.settings(release.data), shown, node, release.data)
    for place, name, since, inverted in NEW_OPTIONS:
        if release.since(*since):
            stored = _plain(values.get(name, 0), name, node)
            made.options[place] = 1 - stored if inverted else stored
    if release.since(3, 6, 2, 1):
        made.options[53] = -1
    return made


def information_of(settings: XmlNode, release: Release) -> TextMap:
    """The description of the game, from 3.6.3 on."""
    entries = []
    for key, name in INFORMATION.items():
        text = text_of(settings, name)
        if key == "release_date":
            text = turned(text, "-", ".")
        if key == "text_lang":
            if not release.since(*_LANGUAGE_SINCE):
                continue
            text = text.replace("-", "_")
        entries.append(MapEntry(key, text))
    return TextMap(entries)


def _plain(value: object, name: str, node: XmlNode) -> int:
    """The number of an option that words have no name for."""
    words = OPTION_WORDS.get(name, {"True": 1, "False": 0})
    if isinstance(value, int):
        return int(value)
    text = str(value)
    if text in words:
        return words[text]
    if text.isdecimal():
        return int(text[:9])
    found = node.find(name)
    raise ElementError(f"expected one of {', '.join(words)}, got {text[:40]!r}", found or node)


def _options(node: XmlNode, values: Json, release: Release) -> Json:
    """The options by their names in game data, as far as the release has them."""
    made: Json = {}
    said: Json = {theirs: not values[ours] for ours, theirs in INVERTED.items() if ours in values}
    said |= _derived(node, values, release)
    for name in OPTIONS:
        first, last = _WRITTEN.get(name, ((0,), (9,)))
        if not release.since(*first) or release.since(*last):
            continue
        if name in said:
            made[name] = said[name]
        elif name in CHOICES:
            made[name] = _chosen(name, str(values[name]), node)
        elif name in values:
            made[name] = values[name]
    made["CustomEngineTag"] = 0
    return made


def _chosen(name: str, word: str, node: XmlNode) -> int:
    """The number of a word."""
    numbers = {shown: stored for stored, shown in CHOICES[name].items()}
    if word.isdecimal():
        return int(word[:9])
    if word not in numbers:
        found = node.find(name)
        raise ElementError(f"expected one of {', '.join(numbers)}, got {word[:40]!r}",
                           found or node)  # fmt: skip
    return numbers[word]


def _derived(node: XmlNode, values: Json, release: Release) -> Json:
    """Options that follow from several settings, or are stored in another way."""
    delay = values.get("GlobalSpeechAnimationDelay", 5)
    assert isinstance(delay, int)
    shared = values.get("UseGlobalSpeechAnimationDelay", False) in (True, "True")
    numbered: Json = {"True": "Normal", "False": "KeyShortcutsOnly"}
    if not release.since(3, 3, 3):
        numbered["None"] = "KeyShortcutsOnly"
    said: Json = {
        "PlaySoundOnScore": 0 if release.has_clips else number(node, "PlaySoundOnScore"),
        "GlobalSpeechAnimationDelay": delay if shared else -delay - 1,
        "DialogOptionsAPI": -1 if values.get("UseOldCustomDialogOptionsAPI") is True else 1,
        "ScriptAPIVersion": _level(str(values.get("ScriptAPIVersion", "")), node, release),
        "ScriptCompatLevel": _level(str(values.get("ScriptCompatLevel", "")), node, release),
        "GameTextEncoding": _UTF_8 if values.get("GameTextEncoding") == "utf-8" else _ANSI,
        "NumberDialogOptions": numbered.get(
            str(values["NumberDialogOptions"]), values["NumberDialogOptions"]
        ),
        "SafeFilePaths": bool(_SAFE_PATHS),
    }
    if not release.since(3, 3):  # the option says whether speech has the speed of older games
        said["GlobalSpeechAnimationDelay"] = int(values["LegacySpeechAnimationSpeed"] is True)
    if release.since(3, 6):
        word = str(values["CompressSpritesType"])
        said["CompressSprites"] = _chosen("CompressSpritesType", word, node)
    else:
        said["CompressSprites"] = 1 if values["CompressSprites"] is True else 0
    return said


def _level(word: str, node: XmlNode, release: Release) -> int:
    """The number of a level of the script API."""
    known = [name for name, since in LEVELS.items() if since <= (*release.build, 999)]
    if word in ("", "Highest"):
        return _LEVELS[known[-1]] if known else 0
    if word not in _LEVELS:
        raise ElementError(f"unknown level of the script API: {word[:40]!r}", node)
    return _LEVELS[word]


def _size(node: XmlNode, values: Json, release: Release) -> Json:
    """The screen: one of the old sizes by its number, or width and height."""
    wide, high = size_of(node, release)
    old = {size: key for key, size in SIZES.items() if key}
    if not release.since(3, 4):
        if (wide, high) not in old:
            raise ElementError(f"a game of {wide} x {high} needs the editor 3.4", node)
        return {"Resolution": old[wide, high]}
    if values["LetterboxMode"] is True and (wide, high) in ((320, 200), (640, 400)):
        return {"Resolution": old[wide, high]}
    return {"Resolution": _OWN_SIZE, "Width": wide, "Height": high}


def size_of(node: XmlNode, release: Release) -> tuple[int, int]:
    """Width and height of the screen in pixels.  Raises ElementError."""
    tag = "CustomResolution" if node.find("CustomResolution") is not None else "Resolution"
    text = text_of(node, tag)
    parts = text.removeprefix("R").replace("x", ",").split(",")
    if len(parts) != 2 or not all(part.strip().isdecimal() for part in parts):
        found = node.find(tag)
        raise ElementError(f"expected a width and a height, got {text[:40]!r}", found or node)
    return int(parts[0][:9]), int(parts[1][:9])
