"""``acsetup.cfg`` as the element ``RuntimeSetup`` of a project.

Players change the file, as it is next to the game; what the author chose is not kept elsewhere.
Source: the editor's ``AGSEditor.cs``, which writes the file, of 3.4.1 to 3.6.3.
"""

from __future__ import annotations

import configparser
from collections.abc import Callable, Mapping
from typing import Final

from overhaul.ags.project.elements import Value

FILE: Final = "acsetup.cfg"
#: How a game is scaled: the words of the project and of the file.
SCALINGS: Final[Mapping[str, str]] = {
    "MaxInteger": "round", "Integer": "round", "StretchToFit": "stretch",
    "ProportionalStretch": "proportional",
}  # fmt: skip
TOUCH: Final[Mapping[str, str]] = {
    "Off": "off", "OneFinger": "one_finger", "TwoFingers": "two_fingers",
}  # fmt: skip
ROTATION: Final[Mapping[str, str]] = {
    "Unlocked": "unlocked", "Portrait": "portrait", "Landscape": "landscape",
}  # fmt: skip
_FULL_WINDOW: Final = "full_window"
#: A file may have this many bytes.
_MOST: Final = 1 << 20
_Read = Callable[[str], Value]


def _same(text: str) -> Value:
    return text


def _flag(text: str) -> Value:
    return text == "1"


def _megabytes(text: str) -> Value:
    return int(text[:9]) // 1024 if text.isdecimal() else None


def _word(words: Mapping[str, str]) -> _Read:
    """Reads a word of the file as that of the project."""
    found = {theirs: ours for ours, theirs in reversed(list(words.items()))}
    return found.get


def _is_off(text: str) -> Value:
    return "Disabled" if text == "0" else "Default"


#: Where the file has each element: the section and the key, in one release or another.
_ELEMENTS: Final[tuple[tuple[str, str, str, _Read], ...]] = (
    ("TitleText", "misc", "titletext", _same),
    ("GraphicsDriver", "graphics", "driver", _same),
    ("GraphicsFilter", "graphics", "filter", _same),
    ("Windowed", "graphics", "windowed", _flag),
    ("FullscreenDesktop", "graphics", "fullscreen", _FULL_WINDOW.__eq__),
    ("FullscreenGameScaling", "graphics", "game_scale_fs", _word(SCALINGS)),
    ("GameScaling", "graphics", "game_scale_win", _word(SCALINGS)),
    ("VSync", "graphics", "vsync", _flag),
    ("RenderAtScreenResolution", "graphics", "render_at_screenres", _flag),
    ("Rotation", "graphics", "rotation", _word(ROTATION)),
    ("AAScaledSprites", "graphics", "antialias", _flag),
    ("AAScaledSprites", "misc", "antialias", _flag),
    ("DowngradeTo16bit", "misc", "notruecolor", _flag),
    ("SpriteCacheSize", "graphics", "sprite_cache_size", _megabytes),
    ("SpriteCacheSize", "misc", "cachemax", _megabytes),
    ("TextureCacheSize", "graphics", "texture_cache_size", _megabytes),
    ("SoundCacheSize", "sound", "cache_size", _megabytes),
    ("DigitalSound", "sound", "enabled", _is_off),
    ("DigitalSound", "sound", "digiid", _is_off),
    ("MidiSound", "sound", "midiid", _is_off),
    ("ThreadedAudio", "sound", "threaded", _flag),
    ("UseVoicePack", "sound", "usespeech", _flag),
    ("Translation", "language", "translation", _same),
    ("AutoLockMouse", "mouse", "auto_lock", _flag),
    ("MouseSpeed", "mouse", "speed", _same),
    ("TouchToMouseEmulation", "touch", "emul_mouse_mode", _word(TOUCH)),
    ("ShowFPS", "misc", "show_fps", _flag),
    ("CompressSaves", "misc", "compress_saves", _flag),
)


def setup_in(data: bytes) -> dict[str, Value]:
    """The values that a file has for the elements of ``RuntimeSetup``; none for a file that is
    not one."""
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    try:
        parser.read_string(data[:_MOST].decode("utf-8", "surrogateescape"))
    except configparser.Error:
        return {}
    values: dict[str, Value] = {}
    for element, section, key, read in _ELEMENTS:
        text = parser.get(section, key, fallback=None)
        value = None if text is None else read(text)
        if value is not None:
            values.setdefault(element, value)
    _scaling(parser, values)
    for element, key in (("CustomSavePath", "user_data_dir"),
                         ("CustomAppDataPath", "shared_data_dir")):  # fmt: skip
        text = parser.get("misc", key, fallback=None)
        if text:
            values[element], values[f"Use{element}"] = text, True
    if parser.get("touch", "emul_mouse_relative", fallback="") == "1":
        values["TouchToMouseMotionMode"] = "Relative"
    return values


def _scaling(parser: configparser.RawConfigParser, values: dict[str, Value]) -> None:
    """A window that is a multiple of the game, ``x3``, is another way of scaling."""
    window = parser.get("graphics", "window", fallback="") or ""
    times = window.removeprefix("x")
    if times != window and times.isdecimal():
        values["GameScaling"], values["GameScalingMultiplier"] = "Integer", int(times[:9])
