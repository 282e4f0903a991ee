"""The settings of a game, concluded from what of the engine its script uses."""

from __future__ import annotations

import pytest

from overhaul.ags.decompiler.code import Name
from overhaul.ags.decompiler.library import Import, fitting_settings

#: what is in each engine, and what only with older settings: owner, name, parameters
THINKING = Name("Character", "Thinking", -1)
WALKABLE = Name("", "GetWalkableAreaAt", 2)
VOICE = Name("", "SetVoiceMode", 1)
DRAW_IMAGE = Name("DrawingSurface", "DrawImage", 6)
LOCK_VIEW = Name("Character", "LockView", 1)
ANIMATE = Name("Object", "Animate", 5)
MUSIC = Name("", "PlayMusic", 1)


@pytest.mark.parametrize(
    ("used", "api", "compatibility", "new_audio"),
    [
        ([], "", "", True),
        ([THINKING], "", "", True),
        ([WALKABLE], "", "v350", True),
        ([WALKABLE, VOICE], "", "v321", True),
        ([VOICE, WALKABLE], "", "v321", True),
        ([DRAW_IMAGE], "v351", "", True),
        ([DRAW_IMAGE, LOCK_VIEW, ANIMATE], "v340", "", True),
        ([ANIMATE, MUSIC, WALKABLE], "v350", "v350", False),
    ],
)
def test_the_oldest_thing_decides(
    used: list[Name], api: str, compatibility: str, new_audio: bool
) -> None:
    settings = fitting_settings([Import(name) for name in used], 90, "3.6.1.20")
    assert (settings.version, settings.api) == ("3.6.1.20", api)
    assert settings.compatibility == compatibility
    assert (settings.new_audio, settings.new_strings, settings.object_based) == (
        new_audio, True, True,
    )  # fmt: skip
