"""``acsetup.cfg``, which the engine reads before the game: made of ``RuntimeSetup``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from overhaul.ags.project.building.reading import text_of
from overhaul.ags.project.building.releases import Release
from overhaul.ags.project.building.settings import size_of
from overhaul.ags.project.setup_file import ROTATION, SCALINGS, TOUCH
from overhaul.document.xmltext import XmlNode

_SECTION: Final = re.compile(r"\s*\[([^\]]*)\]\s*")
_KEY: Final = re.compile(r"\s*([^=;#\s][^=]*?)\s*=(.*)")
Sections = dict[str, dict[str, str]]


class _Setup:
    """The settings of the element RuntimeSetup."""

    def __init__(self, game: XmlNode, release: Release) -> None:
        self.game = game
        self.release = release
        self.node: XmlNode = game.find("RuntimeSetup") or XmlNode("RuntimeSetup")

    def flag(self, name: str) -> str:
        return "1" if text_of(self.node, name) == "True" else "0"

    def kilobytes(self, name: str, default: int) -> str:
        text = text_of(self.node, name)
        return str(1024 * (int(text[:9]) if text.isdecimal() else default))

    def scaling(self, name: str) -> str:
        return SCALINGS.get(text_of(self.node, name), "proportional")

    def path(self, name: str) -> str:
        """A folder of the author's; ``.`` for a blank one, nothing where none is used."""
        if text_of(self.node, f"Use{name}") != "True":
            return ""
        return text_of(self.node, name).strip() or "."

    def at_screen_resolution(self) -> str:
        own = text_of(self.game, "Settings/RenderAtScreenResolution")
        if own in ("True", "False"):
            return "1" if own == "True" else "0"
        return self.flag("RenderAtScreenResolution")

    def window(self) -> str:
        times = text_of(self.node, "GameScalingMultiplier")
        is_fixed = text_of(self.node, "GameScaling") == "Integer"
        return f"x{times}" if is_fixed and times.isdecimal() else "desktop"

    # -- releases ------------------------------------------------------------------------------

    def new(self) -> Sections:
        """The keys from 3.6 on."""
        apart = self.release.since(3, 6, 1)
        full = "full_window" if self.flag("FullscreenDesktop") == "1" else "desktop"
        graphics = {
            "driver": text_of(self.node, "GraphicsDriver") or "D3D9",
            "windowed": self.flag("Windowed"),
            "fullscreen": full,
            "window": self.window(),
            "game_scale_fs": self.scaling("FullscreenGameScaling"),
            "game_scale_win": self.scaling("GameScaling"),
            "filter": text_of(self.node, "GraphicsFilter") or "stdscale",
            "vsync": self.flag("VSync"),
            "render_at_screenres": self.at_screen_resolution(),
            "rotation": ROTATION.get(text_of(self.node, "Rotation"), "unlocked"),
        }
        misc = {
            "user_data_dir": self.path("CustomSavePath"),
            "shared_data_dir": self.path("CustomAppDataPath"),
            "titletext": text_of(self.node, "TitleText"),
        }
        sound = {
            "enabled": "0" if text_of(self.node, "DigitalSound") == "Disabled" else "1",
            "driver": "",
            "usespeech": self.flag("UseVoicePack"),
        }
        if apart:
            graphics |= {
                "antialias": self.flag("AAScaledSprites"),
                "sprite_cache_size": self.kilobytes("SpriteCacheSize", 128),
                "texture_cache_size": self.kilobytes("TextureCacheSize", 128),
            }
            sound["cache_size"] = self.kilobytes("SoundCacheSize", 32)
        else:
            misc |= {
                "antialias": self.flag("AAScaledSprites"),
                "cachemax": self.kilobytes("SpriteCacheSize", 128),
            }
        if text_of(self.game, "Settings/DebugMode") == "True":
            misc["show_fps"] = self.flag("ShowFPS")
        if self.release.since(3, 6, 3):
            misc["compress_saves"] = self.flag("CompressSaves")
        motion = text_of(self.node, "TouchToMouseMotionMode") == "Relative"
        return {
            "graphics": graphics,
            "sound": sound,
            "language": {"translation": text_of(self.node, "Translation")},
            "mouse": self._mouse(),
            "touch": {
                "emul_mouse_mode": TOUCH.get(
                    text_of(self.node, "TouchToMouseEmulation"), "one_finger"
                ),
                "emul_mouse_relative": "1" if motion else "0",
            },
            "misc": misc,
        }

    def _mouse(self) -> dict[str, str]:
        return {
            "auto_lock": self.flag("AutoLockMouse"),
            "speed": text_of(self.node, "MouseSpeed") or "1",
        }

    def middle(self) -> Sections:
        """The keys of 3.4.1 to 3.5.1."""
        wide, high = size_of(self.game.find("Settings") or XmlNode("Settings"), self.release)
        misc = {
            "game_width": str(wide),
            "game_height": str(high),
            "gamecolordepth": _depth(self.game),
            "antialias": self.flag("AAScaledSprites"),
        }
        if not self.release.since(3, 5):
            misc["notruecolor"] = self.flag("DowngradeTo16bit")
        misc |= {
            "cachemax": self.kilobytes("SpriteCacheSize", 128),
            "user_data_dir": self.path("CustomSavePath"),
            "shared_data_dir": self.path("CustomAppDataPath"),
            "titletext": text_of(self.node, "TitleText"),
        }
        has_sound = text_of(self.node, "DigitalSound") != "Disabled"
        has_music = text_of(self.node, "MidiSound") != "Disabled"
        sound = {"digiid": "-1" if has_sound else "0", "midiid": "-1" if has_music else "0"}
        if self.release.since(3, 5):
            sound["threaded"] = self.flag("ThreadedAudio")
        sound["usespeech"] = self.flag("UseVoicePack")
        return {
            "misc": misc,
            "graphics": {
                "driver": text_of(self.node, "GraphicsDriver") or "D3D9",
                "windowed": self.flag("Windowed"),
                "screen_def": "max",
                "game_scale_fs": self.scaling("FullscreenGameScaling"),
                "game_scale_win": self.scaling("GameScaling"),
                "filter": text_of(self.node, "GraphicsFilter") or "stdscale",
                "vsync": self.flag("VSync"),
                "render_at_screenres": self.at_screen_resolution(),
            },
            "sound": sound,
            "language": {"translation": text_of(self.node, "Translation")},
            "mouse": self._mouse(),
        }


def _depth(game: XmlNode) -> str:
    return {"Palette": "8", "HighColor": "16"}.get(text_of(game, "Settings/ColorDepth"), "32")


def setup(game: XmlNode, release: Release, own: bytes | None) -> bytes | None:
    """The file; None for a release whose editor does not write it with a build.

    ``own`` is the author's file of this name, whose other keys stay.
    """
    if not release.since(3, 4, 1):
        return own
    made = _Setup(game, release)
    sections = made.new() if release.since(3, 6) else made.middle()
    if release.since(3, 6):
        lines = _merged(own or b"", sections)
        return ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape")
    lines = [
        line
        for name, keys in sections.items()
        for line in (f"[{name}]", *(f"{key}={value}" for key, value in keys.items()))
    ]
    return ("\r\n".join(lines) + "\r\n").encode("utf-8", "surrogateescape")


def _merged(own: bytes, sections: Mapping[str, Mapping[str, str]]) -> list[str]:
    """The lines of the author's file with the values of keys; new ones follow, sorted."""
    left = {name: dict(sorted(keys.items())) for name, keys in sorted(sections.items())}
    lines: list[str] = []
    current = ""

    def finish() -> None:
        lines.extend(f"{key}={value}" for key, value in left.pop(current, {}).items())

    for line in own.decode("utf-8", "surrogateescape").splitlines():
        section, key = _SECTION.fullmatch(line), _KEY.fullmatch(line)
        if section is not None:
            finish()
            current = section[1]
        elif key is not None and key[1] in left.get(current, {}):
            line = f"{key[1]}={left[current].pop(key[1])}"
        lines.append(line)
    finish()
    for name in list(left):
        lines.append(f"[{name}]")
        current = name
        finish()
    return lines
