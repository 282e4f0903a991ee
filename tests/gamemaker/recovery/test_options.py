"""The options of recovered projects: the window, how the game behaves, its version."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from overhaul.document.xmltext import read_xml
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


def test_a_window_without_a_title_has_none_in_the_project() -> None:
    game = blank_game({"version": "2024.14"})
    game.general.display_name = game.strings.add("")
    assert options_of(game, "Windows")["display_name"] == ""
    game.general.display_name = None
    assert options_of(game, "Windows")["display_name"] != ""


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
        game.general.game_guid = bytes(range(16))
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
        assert main["gameguid"] == "03020100-0504-0706-0809-0a0b0c0d0e0f"
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
        studio = blank_game({"version": "1.0.0.1763"})
        studio.texture_items.append(item)
        assert studio_options_of(studio)["windows_texture_page"] == str(expected)


#: What the editor of Studio 1 calls flags of the game: by their bits, and as words of old builds.
_STUDIO = {
    "fullscreen": (0, "fullscreen"), "interpolate": (1, "interpolate"),
    "noborder": (3, "no_border"), "showcursor": (4, "show_cursor"), "sizeable": (5, "sizeable"),
    "stayontop": (6, "stay_on_top"), "changeresolution": (7, "change_resolution"),
    "nobuttons": (8, "no_buttons"), "screenkey": (9, "screen_key"), "quitkey": (11, "quit_key"),
    "savekey": (12, "save_key"), "screenshotkey": (13, "screenshot_key"),
    "closeesc": (14, "close_secondary"), "freeze": (15, "freeze"),
    "loadtransparent": (17, "load_transparent"), "scaleprogress": (18, "scale_progress"),
    "displayerrors": (19, "display_errors"), "writeerrors": (20, "write_errors"),
    "aborterrors": (21, "abort_errors"), "use_new_audio": (2, "new_audio"),
}  # fmt: skip


def studio_options_of(game: GameData) -> dict[str, str]:
    """The options of the default configuration of a recovered project of Studio 1."""
    made = recover(game).files["Configs/Default.config.gmx"]()
    options = read_xml(made).root.find("Options")
    assert options is not None
    return {node.tag.removeprefix("option_"): node.text for node in options.children}


@pytest.mark.parametrize("release", ["1.0.0.1250", "1.0.0.1451", "1.0.0.1763", "1.0.0.9999"])
def test_options_of_studio_are_flags_or_words(release: str) -> None:
    random = Random(release)
    is_old = int(release.rpartition(".")[2]) < 1380
    for _ in range(20):
        game = blank_game({"version": release})
        options = game.options
        assert options is not None and bool(game.release.old_options) is is_old
        bits = random.getrandbits(36) | 1 << 22
        options.flags = OptionFlags(0 if is_old else bits)
        for bit, word in _STUDIO.values():
            setattr(options, word, bool(bits >> bit & 1) if is_old else random.random() < 0.5)
        options.scale, options.load_alpha, options.priority = -1, 200, 2
        said = studio_options_of(game)
        assert {name: said[name] for name in _STUDIO} == {
            name: str(bool(bits >> bit & 1)).lower() for name, (bit, _) in _STUDIO.items()
        }
        assert (said["scale"], said["loadalpha"], said["priority"]) == ("-1", "200", "2")
        version = [said[f"version_{part}"] for part in ("major", "minor", "release", "build")]
        assert version == ["1", "0", "0", "0"]  # the game has that of the editor


def test_the_bounds_of_a_world_of_physics_are_those_of_the_room() -> None:
    game = blank_game({"version": "1.0.0.1763"})
    room = game.rooms.add("rm_first").record
    room.physics_left, room.physics_top, room.physics_right, room.physics_bottom = 3, 4, 500, 600
    made = recover(game).files["rooms/rm_first.room.gmx"]()
    root = read_xml(made).root
    said = [root.value(f"PhysicsWorld{side}") for side in ("Left", "Top", "Right", "Bottom")]
    assert said == ["3", "4", "500", "600"]
