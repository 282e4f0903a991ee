"""The options of a project of Studio 1 as those of later releases, and its texture groups."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from overhaul.gamemaker.forward.modern import ForwardDraft, is_on, whole
from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.recovery.options import WINDOWS, add_main_options, add_windows_options
from overhaul.gamemaker.recovery.texture_groups import DEFAULT, Group, TextureGroups

#: Enabled options that no later release has: the behaviour of the old runner.
_GONE: Final[Mapping[str, Mapping[str, str]]] = {
    "later runners do nothing when these keys are pressed": {
        "quitkey": "Esc ended the game",
        "savekey": "F5 saved the game and F6 loaded it",
        "screenshotkey": "F9 made a picture of the game",
    },
    "no option of later releases does this": {
        "freeze": "the game stood still while another window was active",
        "stayontop": "the window stayed above others",
        "nobuttons": "the window had no buttons",
        "changeresolution": "the game changed the resolution of the screen",
    },
}
_WHOLE: Final = (
    "conditions were evaluated whole: the right side of a false && or a true || is skipped now"
)
#: The description of a project, in a note.
_SAID_BY: Final = "project_information"
_USUAL_VERSIONS: Final = ("", "100")
_SAID: Final = {"author": "Author", "version": "Version", "information": "Information"}
_INFORMATION: Final = ("company", "copyright", "description", "product")
#: The editor of Studio 1 spells the second so.
_PARTS: Final = ("major", "mainor", "release", "build")
_OLD_PARTS: Final = ("major", "minor", "release", "build")
#: Pictures of the program, by their options: the file in the new project, and its member.
_FILES: Final = {
    "windows_game_icon": "windows/icons/icon.ico",
    "windows_splash_screen": "windows/splash/splash.png",
}
_MEMBERS: Final = {"windows_game_icon": "icon", "windows_splash_screen": "splash_screen"}
_GUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_USUAL_PAGE: Final = 2048
_MOST_GROUPS: Final = 1000
_NO_PARENT: Final = "<none>"


def add_options(draft: ForwardDraft, speed: int, values: Mapping[str, str]) -> None:
    """Add the options: the main ones, and those for Windows."""
    main: dict[str, Json] = {
        "option_author": values.get("author", ""),
        "option_game_speed": speed,
        "option_gameid": str(whole(values.get("gameid", "0"))),
        "option_steam_app_id": str(whole(values.get("windows_steam_app_id", "0"))),
        "option_legacy_other_behaviour": True,
        "option_allow_instance_change": True,
    }
    identity = values.get("gameguid", "").strip("{}").lower()
    if _GUID.fullmatch(identity):
        main["option_gameguid"] = identity
    add_main_options(draft, main)
    page = max(_USUAL_PAGE, whole(values.get("windows_texture_page", "0")))
    windows: dict[str, Json] = {
        "allow_fullscreen_switching": is_on(values.get("screenkey", "0")),
        "borderless": any(is_on(values.get(name, "0")) for name in ("borderless", "noborder")),
        **{f"{name}_info": _said(values, f"{name}_info", name) for name in _INFORMATION},
        "display_cursor": is_on(values.get("showcursor", "-1")),
        "display_name": values.get("display_name", "") or draft.name,
        "interpolate_pixels": is_on(values.get("interpolate", "0")),
        "resize_window": is_on(values.get("sizeable", "0")),
        "scale": 0 if whole(values.get("scale", "0")) == -1 else 1,
        "start_fullscreen": is_on(values.get("fullscreen", "0")),
        "enable_steam": is_on(values.get("windows_enable_steam", "0")),
        "save_location": int(is_on(values.get("windows_save_location", "0"))),
        "sleep_margin": whole(values.get("windows_sleep_margin", "")) or 10,
        "texture_page": f"{page}x{page}",
        "version": ".".join(_version(values)),
        "vsync": is_on(values.get("sync_vertex", "0")),
    }
    for option, path in _FILES.items():
        named = values.get(option, "").replace("\\", "/")
        read = draft.file_at(named, WINDOWS) if named and _is_used(values, option) else None
        if read is not None:
            draft.files[f"options/{path}"] = read
            windows[_MEMBERS[option]] = f"${{options_dir}}/{path}"
    windows["use_splash"] = _MEMBERS["windows_splash_screen"] in windows
    add_windows_options(draft, windows)


def _is_used(values: Mapping[str, str], option: str) -> bool:
    return option != "windows_splash_screen" or is_on(values.get("windows_use_splash", "0"))


def _said(values: Mapping[str, str], name: str, old: str) -> str:
    """A text about the program: that of Windows, or that of all platforms, as Game Maker 8 has."""
    return values.get(f"windows_{name}", "") or values.get(f"version_{old}", "")


def _version(values: Mapping[str, str]) -> list[str]:
    """The four numbers of the version."""
    own = [values.get(f"windows_{part}_version", "") for part in _PARTS]
    if not any(own):
        own = [values.get(f"version_{part}", "0") for part in _OLD_PARTS]
    return [str(max(0, whole(part or "0"))) for part in own]


def report_options(draft: ForwardDraft, values: Mapping[str, str]) -> None:
    """Report options that no later release has, and keep what the author says of the game."""
    for done, options in _GONE.items():
        found = [what for option, what in options.items() if is_on(values.get(option, "0"))]
        if found:
            draft.findings.warn("unsupported", f"{', '.join(found)}: {done}", WINDOWS)
    if not is_on(values.get("shortcircuit", "-1")):
        draft.findings.warn("approximated", _WHOLE, WINDOWS)
    said = [
        f"{title}: {values[option]}" for option, title in _SAID.items() if values.get(option, "")
    ]
    if values.get("information", "") or values.get("version", "") not in _USUAL_VERSIONS:
        draft.add(
            "note", _SAID_BY, "GMNotes", {}, {f"{_SAID_BY}.txt": draft.source("\n".join(said))}
        )
        message = "the description of the project is a note: later releases have no field for it"
        draft.findings.warn("approximated", message, f"notes/{_SAID_BY}")


def configured(draft: ForwardDraft) -> dict[str, str]:
    """The options of the first configuration; those of others are reported."""
    entries = draft.old.entries_of("configuration")
    for entry in entries[1:]:
        message = f"the configuration {entry.name} is left out"
        draft.findings.warn("left-out", message, entry.path)
    options = draft.root(entries[0]).find("Options") if entries else None
    found = () if options is None else options.children
    return {node.tag.removeprefix("option_"): node.text for node in found}


def texture_groups(values: Mapping[str, str]) -> TextureGroups:
    """The texture groups, in the order of the numbers that resources have of them."""
    count = min(_MOST_GROUPS, whole(values.get("textureGroup_count", "0")))
    made = []
    for number in range(count):
        said = f"textureGroup{number}_"
        parent = values.get(f"{said}parent", _NO_PARENT)
        made.append(
            Group(
                values.get(f"textureGroups{number}", "") or DEFAULT,
                is_on(values.get(f"{said}scaled", "0")),
                is_cropped=not is_on(values.get(f"{said}nocropping", "0")),
                border=whole(values.get(f"{said}border", "2")),
                parent="" if parent == _NO_PARENT else parent,
            )
        )
    return TextureGroups(made) if made else TextureGroups()
