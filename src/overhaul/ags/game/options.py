"""The options of a game: what they are called, and what their numbers mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from overhaul.ags.shapes import ByName, NamedNumber, Truth

#: The names of the options of a game, by their places.
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

COUNT: Final = 100
SHAPE: Final = ByName(
    OPTIONS,
    "Option",
    quiet=0,
    length=COUNT,
    shapes={
        **{name: Truth() for name in _TRUE},
        **{name: NamedNumber(choices) for name, choices in _CHOICES.items()},
    },
)
"""The options by their names; those without one only where they are set."""
