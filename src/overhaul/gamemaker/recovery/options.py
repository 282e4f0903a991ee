"""The options of a project: of Studio 1, or those of all platforms and of Windows later.

A game has them in its general information, in the flags of OPTN, and in constants whose names
begin with ``@@``.  Which is which: projects of the corpus with their games, see
docs/formats/yyp.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final
from uuid import UUID

from overhaul.gamemaker.data.chunks.gen8 import InfoFlags
from overhaul.gamemaker.data.chunks.optn import OptionFlags
from overhaul.gamemaker.data.sound_rules import has_new_audio
from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.recovery.drafts import finite
from overhaul.gamemaker.recovery.modern import ModernDraft, ModernProjectDraft

if TYPE_CHECKING:
    from overhaul.gamemaker.data.game import GameData

MAIN: Final = "options/main/options_main.yy"
WINDOWS: Final = "options/windows/options_windows.yy"
#: How a game runs, by the flags of OPTN.
_BEHAVIOUR: Final = {
    "option_collision_compatibility": OptionFlags.FAST_COLLISION_COMPATIBILITY,
    "option_copy_on_write_enabled": OptionFlags.COPY_ON_WRITE,
    "option_legacy_json_parsing": OptionFlags.LEGACY_JSON,
    "option_legacy_number_conversion": OptionFlags.LEGACY_NUMBER_CONVERSION,
    "option_legacy_other_behaviour": OptionFlags.LEGACY_OTHER_BEHAVIOUR,
    "option_audio_error_behaviour": OptionFlags.AUDIO_ERROR_BEHAVIOUR,
    "option_allow_instance_change": OptionFlags.ALLOW_INSTANCE_CHANGE,
    "option_legacy_primitive_drawing": OptionFlags.LEGACY_PRIMITIVE_DRAWING,
}
#: The behaviour of a game's window, by the flags of its general information.
_WINDOW: Final = {
    "allow_fullscreen_switching": InfoFlags.ALLOW_FULLSCREEN_KEY,
    "borderless": InfoFlags.BORDERLESS,
    "enable_steam": InfoFlags.STEAM,
    "display_cursor": InfoFlags.SHOW_CURSOR,
    "interpolate_pixels": InfoFlags.INTERPOLATE,
    "resize_window": InfoFlags.SIZEABLE,
    "start_fullscreen": InfoFlags.FULLSCREEN,
    "vsync": InfoFlags.SYNC_VERTEX1 | InfoFlags.SYNC_VERTEX2 | InfoFlags.SYNC_VERTEX3,
}
#: The options of Studio 1 that are flags.  The game does not keep whether F1 shows help, and
#: has a flag for unknown variables that does not follow the option.
_STUDIO: Final = {
    "aborterrors": OptionFlags.ABORT_ERRORS,
    "changeresolution": OptionFlags.CHANGE_RESOLUTION,
    "closeesc": OptionFlags.CLOSE_SECONDARY,
    "displayerrors": OptionFlags.DISPLAY_ERRORS,
    "fast_collision_compatibility": OptionFlags.FAST_COLLISION_COMPATIBILITY,
    "freeze": OptionFlags.FREEZE,
    "fullscreen": OptionFlags.FULLSCREEN,
    "interpolate": OptionFlags.INTERPOLATE,
    "loadtransparent": OptionFlags.LOAD_TRANSPARENT,
    "nobuttons": OptionFlags.NO_BUTTONS,
    "noborder": OptionFlags.NO_BORDER,
    "quitkey": OptionFlags.QUIT_KEY,
    "savekey": OptionFlags.SAVE_KEY,
    "scaleprogress": OptionFlags.SCALE_PROGRESS,
    "screenkey": OptionFlags.SCREEN_KEY,
    "screenshotkey": OptionFlags.SCREENSHOT_KEY,
    "showcursor": OptionFlags.SHOW_CURSOR,
    "sizeable": OptionFlags.SIZEABLE,
    "stayontop": OptionFlags.STAY_ON_TOP,
    "use_fast_collision": OptionFlags.FAST_COLLISION,
    "writeerrors": OptionFlags.WRITE_ERRORS,
}
_VERSION: Final = ("@@VersionMajor", "@@VersionMinor", "@@VersionRevision", "@@VersionBuild")
_COLOUR, _SLEEP = "@@DrawColour", "@@SleepMargin"
_WHITE: Final = 4294967295
_USUAL_PAGE: Final = 2048
_COMPATIBLE_UNTIL: Final = (2022, 1)


def add_options(draft: ModernDraft) -> None:
    """Add the options that a game says."""
    windows = windows_options(draft.game)
    if draft.game.general.display_name is None:  # games of early Studio 1: not "", the author's
        windows["display_name"] = draft.name
    windows["texture_page"] = "{0}x{0}".format(_page_size(draft.game))
    add_main_options(draft, main_options(draft.game))
    add_windows_options(draft, windows)


def main_options(game: GameData) -> dict[str, Json]:
    """A game's values for the options of all platforms."""
    general = game.general
    main: dict[str, Json] = {
        "option_game_speed": round(finite(general.game_speed) or 60),
        "option_gameid": str(general.game_id),
        "option_steam_app_id": str(general.steam_app_id or 0),
        "option_draw_colour": _constants(game).get(_COLOUR, _WHITE),
    }
    if any(general.game_guid):
        main["option_gameguid"] = str(UUID(bytes_le=bytes(general.game_guid)))
    if game.options is not None:
        behaves = option_flags(game)
        main |= {name: bool(behaves & flag) for name, flag in _BEHAVIOUR.items()}
    return main


def windows_options(game: GameData) -> dict[str, Json]:
    """A game's values for the options of Windows, by their names without ``option_windows_``."""
    general = game.general
    flags = InfoFlags(int(general.flags))
    windows: dict[str, Json] = {name: bool(flags & flag) for name, flag in _WINDOW.items()}
    windows["scale"] = 0 if flags & InfoFlags.KEEP_ASPECT else 1
    windows["save_location"] = 1 if flags & InfoFlags.SAVE_UNDER_APPDATA else 0
    windows["display_name"] = str(general.display_name or "")
    windows["disable_sandbox"] = bool(option_flags(game) & OptionFlags.DISABLE_SANDBOX)
    constants = _constants(game)
    windows["sleep_margin"] = constants.get(_SLEEP, 10)
    if _VERSION[0] in constants:
        windows["version"] = ".".join(str(constants.get(name, 0)) for name in _VERSION)
    return windows


def option_flags(game: GameData) -> OptionFlags:
    """The enabled options, which builds before 1380 store as a word each."""
    options = game.options
    if options is None:
        return OptionFlags(0)
    if not game.release.old_options:
        return OptionFlags(int(options.flags))
    words = (flag for flag in OptionFlags if getattr(options, str(flag.name).lower(), False))
    return OptionFlags(sum(words))


def _page_size(game: GameData) -> int:
    """Width and height of texture pages in pixels, on which each picture has room.

    The editor makes pictures smaller that have none.
    """
    corners = (
        max(int(item.source_x + item.source_width), int(item.source_y + item.source_height))
        for item in game.texture_items
        if item is not None
    )
    return max(_USUAL_PAGE, 1 << (max(corners, default=1) - 1).bit_length())


def _constants(game: GameData) -> dict[str, int]:
    """The constants with numbers."""
    found = () if game.options is None else game.options.constants
    return {
        str(constant.name): int(str(constant.value)[:10])
        for constant in found
        if str(constant.value).isdecimal()
    }


def add_main_options(draft: ModernProjectDraft, given: Mapping[str, Json]) -> None:
    """Add the options of all platforms: the speed of the game, and what names it."""
    is_new = draft.release.at_least(*_COMPATIBLE_UNTIL)
    members: dict[str, Json] = {
        "option_author": "",
        "option_collision_compatibility": not is_new,
        "option_copy_on_write_enabled": not is_new,
        "option_draw_colour": _WHITE,
        "option_gameguid": draft.id("game"),
        "option_mips_for_3d_textures": False,
        "option_sci_usesci": False,
        "option_spine_licence": False,
        "option_window_colour": 255,
        **given,
    }
    draft.files[MAIN] = draft.text(draft.record("GMMainOptions", members, "Main"))


def add_windows_options(draft: ModernProjectDraft, given: Mapping[str, Json]) -> None:
    """Add the options of Windows, by their names without ``option_windows_``."""
    base = "${base_options_dir}/windows"
    values: dict[str, Json] = {
        "allow_fullscreen_switching": False,
        "borderless": False,
        "company_info": "",
        "copyright_info": "",
        "copy_exe_to_dest": False,
        "description_info": "",
        "disable_sandbox": False,
        "display_cursor": True,
        "display_name": draft.name,
        "enable_steam": False,
        "executable_name": "${project_name}.exe",
        "icon": f"{base}/icons/icon.ico",
        "installer_finished": f"{base}/installer/finished.bmp",
        "installer_header": f"{base}/installer/header.bmp",
        "interpolate_pixels": False,
        "license": f"{base}/installer/license.txt",
        "nsis_file": f"{base}/installer/nsis_script.nsi",
        "product_info": "",
        "resize_window": False,
        "save_location": 0,
        "scale": 0,
        "sleep_margin": 10,
        "splash_screen": f"{base}/splash/splash.png",
        "start_fullscreen": False,
        "steam_use_alternative_launcher": False,
        "texture_page": f"{_USUAL_PAGE}x{_USUAL_PAGE}",
        "use_splash": False,
        "version": "1.0.0.0",
        "vsync": False,
        **given,
    }
    members = {f"option_windows_{name}": value for name, value in values.items()}
    draft.files[WINDOWS] = draft.text(draft.record("GMWindowsOptions", members, "Windows"))


def studio_options(game: GameData, identity: str) -> dict[str, object]:
    """The options of the default configuration of a game of Studio 1."""
    general = game.general
    values: dict[str, object] = {
        "option_author": "",
        "option_display_name": str(general.display_name or ""),
        "option_gameguid": f"{{{identity.upper()}}}",
        "option_gameid": int(general.game_id),
        "option_shortcircuit": True,
        "option_version_build": 0,
        "option_version_major": 1,
        "option_version_minor": 0,
        "option_version_release": 0,
        "option_windowcolor": "clBlack",
        "option_windows_enable_steam": bool(int(general.flags) & InfoFlags.STEAM),
        "option_windows_steam_app_id": int(general.steam_app_id or 0),
        "option_windows_texture_page": _page_size(game),
    }
    options = game.options
    if options is not None:
        on = option_flags(game)
        values |= {f"option_{word}": bool(on & flag) for word, flag in _STUDIO.items()}
        values["option_use_new_audio"] = has_new_audio(game)
        values |= {
            "option_colordepth": int(options.colour_depth),
            "option_frequency": int(options.frequency),
            "option_loadalpha": int(options.load_alpha),
            "option_priority": int(options.priority),
            "option_resolution": int(options.resolution),
            "option_scale": int(options.scale),
            "option_sync_vertex": int(options.vertex_sync),
        }
    return values
