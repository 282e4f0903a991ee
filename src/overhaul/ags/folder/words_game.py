"""The words of the editor for the settings of a game: see :mod:`overhaul.ags.folder.words`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from overhaul.ags.folder.shapes import (
    ByName,
    Named,
    NamedNumber,
    Object,
    Shape,
    Sparse,
    Truth,
    Word,
)
from overhaul.ags.folder.words import defaults
from overhaul.ags.game.game import COUNTS
from overhaul.ags.game.records import GameSettings

#: What the options of a game are called, by their places.
OPTIONS: Final = (
    "DebugMode", "PlaySoundOnScore", "WalkInLookMode", "DialogOptionsGUI", "AntiGlideMode",
    "TextWindowGUI", "DialogOptionsGap", "SkipSpeech", "WhenInterfaceDisabled",
    "AlwaysDisplayTextAsSpeech", "SpeechStyle", "PixelPerfect", "NoAutoMoveInWalkMode",
    "LetterboxMode", "FixedInventoryCursors", "NoLoseInventory", "FontsForHiRes",
    "SplitResources", "TurnBeforeWalking", "RoomTransition", "HandleInvClicksInScript",
    "MouseWheelEnabled", "NumberDialogOptions", "DialogOptionsBackwards", "CrossfadeMusic",
    "AntiAliasFonts", "ThoughtGUI", "TurnBeforeFacing", "BackwardsText",
    "DisplayMultipleInventory", "SaveScreenshots", "SpeechPortraitSide",
    "EnforceObjectBasedScript", "LeftToRightPrecedence", "CompressSprites", "EnforceNewStrings",
    "GUIAlphaStyle", "RunGameLoopsWhileDialogOptionsDisplayed", "NativeCoordinates",
    "GlobalSpeechAnimationDelay", "SpriteAlphaStyle", "SafeFilePaths", "DialogOptionsAPI",
    "ScriptAPIVersion", "ScriptCompatLevel", "RenderAtScreenResolution",
    "AllowRelativeAssetResolutions", "AbsoluteMovementSpeed", "ClipGUIControls",
    "GameTextEncoding", "NewKeyboardHandling", "CustomEngineTag", "ScaleCharacterSpriteOffsets",
)  # fmt: skip
_TRUE: Final = (
    "DebugMode", "WalkInLookMode", "AntiGlideMode", "AlwaysDisplayTextAsSpeech", "PixelPerfect",
    "NoAutoMoveInWalkMode", "LetterboxMode", "FixedInventoryCursors", "NoLoseInventory",
    "FontsForHiRes", "HandleInvClicksInScript", "MouseWheelEnabled", "DialogOptionsBackwards",
    "AntiAliasFonts", "DisplayMultipleInventory", "SaveScreenshots", "EnforceObjectBasedScript",
    "LeftToRightPrecedence", "EnforceNewStrings", "RunGameLoopsWhileDialogOptionsDisplayed",
    "NativeCoordinates", "AllowRelativeAssetResolutions", "AbsoluteMovementSpeed",
    "ClipGUIControls", "NewKeyboardHandling", "ScaleCharacterSpriteOffsets", "BackwardsText",
    "TurnBeforeFacing", "TurnBeforeWalking", "SafeFilePaths",
)  # fmt: skip
_CHOICES: Final[Mapping[str, Mapping[int, str]]] = {
    "SpeechStyle": {0: "Lucasarts", 1: "SierraTransparent", 2: "SierraWithBackground",
                    3: "SierraFullScreen"},
    "RoomTransition": {0: "FadeOutAndIn", 1: "Instant", 2: "Dissolve", 3: "BlackBoxOut",
                       4: "CrossFade"},
    "SpeechPortraitSide": {0: "Left", 1: "Right", 2: "Alternate", 3: "BasedOnCharacterPosition"},
    "NumberDialogOptions": {-1: "None", 0: "KeyShortcutsOnly", 1: "Normal"},
    "RenderAtScreenResolution": {0: "UserDefined", 1: "True", 2: "False"},
    "ScriptAPIVersion": {},
}  # fmt: skip


def settings(version: int) -> Object:
    """The settings of a game."""
    shapes: dict[str, Shape] = {name: Truth() for name in _TRUE}
    shapes |= {name: NamedNumber(choices) for name, choices in _CHOICES.items()}
    options = ByName(OPTIONS, "Option", quiet=0, length=100, shapes=shapes)
    words: list[Word] = [
        Named("GameName", "name"),
        Named("UniqueID", "unique_id"),
        Named("PlayerCharacter", "player_character"),
        Named("MaximumScore", "total_score"),
        Named(
            "ColorDepth",
            "colour_depth",
            NamedNumber({1: "Palette", 2: "HighColor", 4: "TrueColor"}),
        ),
        Named("Resolution", "resolution"),
        Named("Width", "width"),
        Named("Height", "height"),
        Named("InventoryHotspotMarkerSprite", "inventory_hot_sprite"),
        Named("InventoryHotspotMarkerDotColor", "hot_dot_colour_16"),
        Named("InventoryHotspotMarkerCrosshairColor", "hot_cross_colour_16"),
        Named("DialogOptionsBullet", "dialog_bullet"),
        Named("Options", "options", options),
        Named("GlobalMessages", "has_message", Sparse(500)),
    ]
    quiet = defaults(GameSettings, version)
    for said in (*COUNTS, "extension_offset"):  # where they are there, they do not follow
        quiet.pop(said, None)
    return Object(words, quiet)


def game(version: int) -> Object:
    """What game.json has."""
    save = Object(
        [
            Named("GUID", "guid"),
            Named("SaveGameFileExtension", "extension"),
            Named("SaveGameFolderName", "folder"),
        ]
    )
    kept = ("version", "compiled_with", "capabilities")
    return Object(
        [
            *(Named(name, name) for name in kept),
            Named("Settings", "settings", settings(version)),
            Named("Saves", "save", save),
        ]
    )
