"""The options of recovered projects: the window, how the game behaves, its version."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from overhaul.gamemaker.data.blank import blank_game
from overhaul.gamemaker.data.chunks.gen8 import InfoFlags
from overhaul.gamemaker.data.chunks.optn import Constant, OptionFlags
from overhaul.gamemaker.data.chunks.txtr import TexturePageItem
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.ide.values import read_values
from overhaul.gamemaker.recovery import recover

#: What the editor's words are in a game: the flag of the general information, or of the options.
_WINDOW = {
    "allow_fullscreen_switching": 0x80, "borderless": 0x4000, "display_cursor": 0x20,
    "enable_steam": 0x1000, "interpolate_pixels": 0x8, "resize_window": 0x40,
    "start_fullscreen": 0x1, "save_location": 0x2000,
}  # fmt: skip
_BEHAVIOUR = {
    "collision_compatibility": (1 << 27, (2022, 1)), "copy_on_write_enabled": (1 << 29, (2022, 1)),
    "legacy_json_parsing": (1 << 30, (2024, 8)), "legacy_number_conversion": (1 << 31, (2024, 8)),
    "legacy_other_behaviour": (1 << 32, (2024, 8)), "audio_error_behaviour": (1 << 33, (2024, 8)),
    "allow_instance_change": (1 << 34, (2024, 14)),
    "legacy_primitive_drawing": (1 << 35, (2024, 14)),
}  # fmt: skip


def options_of(game: GameData, platform: str) -> dict[str, Any]:
    """The options of a recovered project, by their names without the platform's."""
    files = recover(game).files
    name = f"options/{platform.lower()}/options_{platform.lower()}.yy"
    values: Any = read_values(files[name]().decode("utf-8"))
    assert values["name"] == platform and values["resourceType"] == f"GM{platform}Options"
    start = "option_windows_" if platform == "Windows" else "option_"
    return {
        key.removeprefix(start): value for key, value in values.items() if key.startswith(start)
    }


@pytest.mark.parametrize("release", ["2.3.2", "2022.6", "2023.11", "2024.8", "2024.14"])
def test_options_are_the_flags_of_the_game(release: str) -> None:
    random = Random(release)
    version = tuple(map(int, release.split(".")))
    for _ in range(20):
        game = blank_game({"version": release})
        flags, behaves = random.getrandbits(19), random.getrandbits(36)
        game.general.flags = InfoFlags(flags)
        assert game.options is not None
        game.options.flags = OptionFlags(behaves)
        game.general.display_name = game.strings.add("Grüße & <more>")
        windows = options_of(game, "Windows")
        assert windows["display_name"] == "Grüße & <more>"
        assert {name: bool(windows[name]) for name in _WINDOW} == {
            name: bool(flags & flag) for name, flag in _WINDOW.items()
        }
        assert windows["scale"] == (0 if flags & 0x10 else 1)
        assert windows["vsync"] is bool(flags & 0x106)
        assert windows["disable_sandbox"] is bool(behaves >> 28 & 1)
        main = options_of(game, "Main")
        said = {name: main[name] for name in _BEHAVIOUR if name in main}
        assert said == {
            name: bool(behaves & flag)
            for name, (flag, since) in _BEHAVIOUR.items()
            if version >= since
        }


def test_options_are_constants_of_the_game() -> None:
    game = blank_game({"version": "2024.14"})
    assert game.options is not None
    assert options_of(game, "Windows")["version"] == "1.0.0.0"
    said = {
        "@@VersionMajor": "3", "@@VersionMinor": "", "@@VersionBuild": "7",
        "@@VersionRevision": "12", "@@SleepMargin": "4", "@@DrawColour": "4280491036",
    }  # fmt: skip
    game.options.constants = [
        Constant(game.strings.add(name), game.strings.add(value)) for name, value in said.items()
    ]
    windows = options_of(game, "Windows")
    assert (windows["version"], windows["sleep_margin"]) == ("3.0.12.7", 4)
    assert options_of(game, "Main")["draw_colour"] == 4280491036


def test_texture_pages_have_room_for_each_picture() -> None:
    """On smaller ones the editor makes pictures smaller."""
    game = blank_game({"version": "2024.14"})
    assert options_of(game, "Windows")["texture_page"] == "2048x2048"
    for corner, expected in ((2048, 2048), (2049, 4096), (4096, 4096), (5000, 8192)):
        item = TexturePageItem(source_x=corner - 10, source_width=10, source_height=1)
        game.texture_items.append(item)
        assert options_of(game, "Windows")["texture_page"] == f"{expected}x{expected}"
