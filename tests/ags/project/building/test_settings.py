"""The settings of a project as options of its game, and what converting says of them."""

from __future__ import annotations

import pytest

import ags_built
from overhaul.ags.game.game import Game
from overhaul.ags.game.options import OPTIONS
from overhaul.ags.project.building.game import Compiled, GameBuilder
from overhaul.ags.project.building.reading import ElementError
from overhaul.ags.project.building.releases import Release, release_of
from overhaul.ags.project.building.settings import settings_of, size_of
from overhaul.ags.project.elements import Value, group, leaf
from overhaul.ags.script.assembler import assemble
from overhaul.document.xmltext import XmlFile, XmlNode

EMPTY = assemble(".script 90\n.data 0\n.strings\n.imports 0\n.exports\n.sections\n.code\n    ret\n")
NEW, OLD, MIDDLE = (release_of(name, "") for name in ("3.6.2.12", "3.3.2", "3.4.0.16"))
NEWEST = release_of("3.6.3.10", "")
OLDER = release_of("3.2.1", "6")


def built(file: XmlFile) -> Game:
    """The data of a project's game."""
    game = file.root.find("Game")
    assert game is not None
    scripts = Compiled(EMPTY, EMPTY, {"Module.asc": EMPTY})
    return GameBuilder(game, release_of(ags_built.EDITOR, ags_built.INDEX)).build(scripts)


def made(release: Release, **values: Value) -> dict[str, int]:
    """The options that are not 0, by name."""
    shown = group("Game", [ags_built.settings(release.name, **values)])
    stored = settings_of(shown, release).options
    names = (*OPTIONS, *(f"Option{place}" for place in range(len(OPTIONS), 100)))
    return {name: value for name, value in zip(names, stored, strict=True) if value}


@pytest.mark.parametrize(
    ("release", "values", "expected"),
    [
        (NEW, {"AutoMoveInWalkMode": False}, {"NoAutoMoveInWalkMode": 1}),
        (NEW, {"UseLowResCoordinatesInScript": True}, {"NativeCoordinates": None}),
        (NEW, {"SkipSpeech": "KeyboardOnly"}, {"SkipSpeech": 1}),
        (NEW, {"SkipSpeech": "MouseOnlyStrict"}, {"SkipSpeech": 6}),
        (NEW, {"SpeechStyle": "WholeScreen"}, {"SpeechStyle": 3}),
        (NEW, {"GlobalSpeechAnimationDelay": 5}, {"GlobalSpeechAnimationDelay": -6}),
        (NEW, {"GlobalSpeechAnimationDelay": 5, "UseGlobalSpeechAnimationDelay": True},
         {"GlobalSpeechAnimationDelay": 5}),
        (OLD, {"GlobalSpeechAnimationDelay": 5}, {"GlobalSpeechAnimationDelay": -6}),
        (OLDER, {"LegacySpeechAnimationSpeed": True}, {"GlobalSpeechAnimationDelay": 1}),
        (OLDER, {"LegacySpeechAnimationSpeed": False}, {"GlobalSpeechAnimationDelay": None}),
        (NEW, {"UseOldCustomDialogOptionsAPI": True}, {"DialogOptionsAPI": -1}),
        (NEW, {}, {"DialogOptionsAPI": 1, "SafeFilePaths": 1, "GameTextEncoding": 65001}),
        (NEW, {"GameTextEncoding": "ANSI"}, {"GameTextEncoding": 1252}),
        (OLD, {}, {"DialogOptionsAPI": None, "SafeFilePaths": None, "GameTextEncoding": None}),
        (NEW, {"ScriptAPIVersion": "v360"}, {"ScriptAPIVersion": 3060000,
                                             "ScriptCompatLevel": 3060200}),
        (MIDDLE, {"ScriptAPIVersion": "v335"}, {"ScriptAPIVersion": 3, "ScriptCompatLevel": 4}),
        (NEW, {"NumberDialogOptions": "Normal"}, {"NumberDialogOptions": 1}),
        (NEW, {"NumberDialogOptions": "None"}, {"NumberDialogOptions": -1}),
        (OLD, {"NumberDialogOptions": "None"}, {"NumberDialogOptions": None}),
        (OLD, {"NumberDialogOptions": "True"}, {"NumberDialogOptions": 1}),
        (OLD, {"CrossfadeMusic": "SlowFade"}, {"CrossfadeMusic": 1}),
        (MIDDLE, {"CrossfadeMusic": "SlowFade"}, {"CrossfadeMusic": None}),
        (MIDDLE, {"CompressSprites": True}, {"CompressSprites": 1}),
        (NEW, {"CompressSpritesType": "Deflate"}, {"CompressSprites": 3}),
        (NEW, {"UseOldVoiceClipNaming": True}, {"Option54": None, "Option53": -1, "Option56": 40}),
        (NEW, {"UseOldVoiceClipNaming": False}, {"Option54": 1, "CustomEngineTag": None}),
        (NEWEST, {"TurnOrderPriority": "Random", "TextBoxKeyClaimStyle": "TextOnly"},
         {"Option60": 2, "Option61": 2}),
    ],
)  # fmt: skip
def test_options(
    release: Release, values: dict[str, Value], expected: dict[str, int | None]
) -> None:
    options = made(release, **values)
    assert {name: options.get(name) for name in expected} == expected


@pytest.mark.parametrize(
    ("release", "size", "letterbox", "expected"),
    [
        (OLD, "320,200", False, (1, 0, 0)),
        (OLD, "1024,768", False, (6, 0, 0)),
        (NEW, "320,200", False, (8, 320, 200)),
        (NEW, "320,200", True, (1, 0, 0)),
        (NEW, "640,400", True, (3, 0, 0)),
        (NEW, "1366,768", True, (8, 1366, 768)),
    ],
)
def test_the_screen(
    release: Release, size: str, letterbox: bool, expected: tuple[int, int, int]
) -> None:
    shown = ags_built.settings(release.name, CustomResolution=size, LetterboxMode=letterbox)
    stored = settings_of(group("Game", [shown]), release)
    assert (stored.resolution, stored.width, stored.height) == expected


def test_sizes_of_old_projects_have_names() -> None:
    assert size_of(group("Settings", [leaf("Resolution", "R640x480")]), OLD) == (640, 480)


@pytest.mark.parametrize(
    ("style", "expected"), [("None", (0, 0, 5)), ("Crosshair", (0, 6, 5)), ("Sprite", (9, 6, 5))]
)
def test_the_mark_of_an_items_hotspot(style: str, expected: tuple[int, int, int]) -> None:
    name = "InventoryHotspotMarker"
    values: dict[str, Value] = {
        f"{name}Style": style, f"{name}Sprite": 9, f"{name}DotColor": 6, f"{name}CrosshairColor": 5,
    }  # fmt: skip
    stored = settings_of(group("Game", [ags_built.settings(NEW.name, **values)]), NEW)
    got = stored.inventory_hot_sprite, stored.hot_dot_colour_16, stored.hot_cross_colour_16
    assert got == expected


def test_numbers_of_a_game() -> None:
    shown = ags_built.settings(NEW.name, MaximumScore=7, DialogOptionsBullet=8)
    depth = shown.find("ColorDepth")
    assert depth is not None
    depth.text = "Palette"
    stored = settings_of(group("Game", [shown, leaf("PlayerCharacter", 2)]), NEW)
    assert (stored.name, stored.unique_id, stored.player_character) == ("A small game", 4711, 2)
    assert (stored.total_score, stored.dialog_bullet, stored.colour_depth) == (7, 8, 1)


@pytest.mark.parametrize(
    ("values", "tag", "reason"),
    [
        ({"SkipSpeech": "Never"}, "SkipSpeech", "got 'Never'"),
        ({"CustomResolution": "wide"}, "CustomResolution", "a width and a height, got 'wide'"),
        ({"ScriptAPIVersion": "v999"}, "Settings", "level of the script API: 'v999'"),
        ({"SpeechStyle": "Loud"}, "SpeechStyle", "got 'Loud'"),
    ],
)
def test_what_is_refused(values: dict[str, Value], tag: str, reason: str) -> None:
    with pytest.raises(ElementError, match=reason) as caught:
        made(NEW, **values)
    assert caught.value.node.tag == tag


def test_what_old_releases_can_not_have() -> None:
    shown = ags_built.settings(OLD.name, CustomResolution="1366,768")
    with pytest.raises(ElementError, match=r"a game of 1366 x 768 needs the editor 3\.4"):
        settings_of(group("Game", [shown]), OLD)
    with pytest.raises(ElementError, match="no Settings"):
        settings_of(XmlNode("Game"), NEW)


def test_unknown_words_of_the_editor_are_errors() -> None:
    for name, word in (("InventoryHotspotMarkerStyle", "Sprit"), ("SkipSpeech", "Never")):
        with pytest.raises(ElementError, match=f"expected one of .*, got '{word}'"):
            made(NEW, **{name: word})
    file = ags_built.project()
    node = file.root.find("Game/LipSync/Type")
    assert node is not None
    node.text = "Txt"
    with pytest.raises(ElementError, match="expected one of None, Text, PamelaVoiceFiles, got"):
        built(file)


@pytest.mark.parametrize(("word", "expected"), [("None", 0), ("Text", 1), ("PamelaVoiceFiles", 0)])
def test_mouths_move_by_the_letters_of_texts(word: str, expected: int) -> None:
    file = ags_built.project()
    node = file.root.find("Game/LipSync/Type")
    assert node is not None
    node.text = word
    content = built(file).content
    assert content is not None and content.settings.options[99] == expected
