"""acsetup.cfg of each release, and what it keeps of the author's."""

from __future__ import annotations

import pytest

from overhaul.ags.project.building.releases import release_of
from overhaul.ags.project.building.setup import setup
from overhaul.ags.project.elements import Value, group, leaf, node
from overhaul.document.xmltext import XmlNode

NEW = "3.6.1.26"


def game(editor: str, **values: Value) -> XmlNode:
    """A game with a setup."""
    more: dict[str, Value] = {"TitleText": "Setup", "GraphicsDriver": "D3D9",
                              "GraphicsFilter": "stdscale", "UseVoicePack": True,
                              "FullscreenGameScaling": "ProportionalStretch",
                              "GameScaling": "MaxInteger"}  # fmt: skip
    said = group("Settings", [leaf("CustomResolution", "640,360"), leaf("DebugMode", "True")])
    return group("Game", [said, node("RuntimeSetup", more | values, editor)])


def lines(
    editor: str, own: bytes | None = None, values: dict[str, Value] | None = None
) -> list[str]:
    """The lines of the file."""
    made = setup(game(editor, **(values or {})), release_of(editor, ""), own)
    assert made is not None
    return made.decode().splitlines()


def test_the_file_of_3_6_1_is_sorted() -> None:
    assert lines(NEW) == [
        "[graphics]", "antialias=0", "driver=D3D9", "filter=stdscale", "fullscreen=full_window",
        "game_scale_fs=proportional", "game_scale_win=round", "render_at_screenres=0",
        "rotation=unlocked", "sprite_cache_size=131072", "texture_cache_size=131072", "vsync=0",
        "window=desktop", "windowed=0", "[language]", "translation=", "[misc]", "shared_data_dir=",
        "show_fps=0", "titletext=Setup", "user_data_dir=", "[mouse]", "auto_lock=0", "speed=1",
        "[sound]", "cache_size=32768", "driver=", "enabled=1", "usespeech=1", "[touch]",
        "emul_mouse_mode=one_finger", "emul_mouse_relative=0",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("values", "line"),
    [
        ({"GameScaling": "Integer", "GameScalingMultiplier": 3}, "window=x3"),
        ({"FullscreenDesktop": False}, "fullscreen=desktop"),
        ({"GameScaling": "StretchToFit"}, "game_scale_win=stretch"),
        ({"UseCustomSavePath": True, "CustomSavePath": " "}, "user_data_dir=."),
        ({"UseCustomSavePath": True, "CustomSavePath": "saves"}, "user_data_dir=saves"),
        ({"CustomSavePath": "saves"}, "user_data_dir="),
        ({"DigitalSound": "Disabled"}, "enabled=0"),
        ({"TouchToMouseMotionMode": "Relative"}, "emul_mouse_relative=1"),
        ({"Translation": "German"}, "translation=German"),
        ({"Windowed": True}, "windowed=1"),
        ({"SoundCacheSize": 64}, "cache_size=65536"),
    ],
)
def test_values(values: dict[str, Value], line: str) -> None:
    assert line in lines(NEW, None, values)


def test_keys_of_the_author_stay() -> None:
    own = b"; mine\n[misc]\nuser_key = 5\ntitletext=Old\n[override]\nos=win\n"
    made = lines(NEW, own)
    assert made[:3] == ["; mine", "[misc]", "user_key = 5"]
    assert made[3] == "titletext=Setup"
    assert made[4:7] == ["shared_data_dir=", "show_fps=0", "user_data_dir="]
    assert made[7:10] == ["[override]", "os=win", "[graphics]"]


def test_other_releases() -> None:
    assert "cachemax=131072" in lines("3.6.0.51") and "antialias=0" in lines("3.6.0.51")
    assert "compress_saves=0" in lines("3.6.3.10")
    middle = lines("3.5.0.24")
    assert middle[:4] == ["[misc]", "game_width=640", "game_height=360", "gamecolordepth=32"]
    assert "threaded=0" in middle and "notruecolor=0" not in middle
    assert "notruecolor=0" in lines("3.4.1.15")
    assert setup(game("3.3.5"), release_of("3.3.5", ""), None) is None
    assert setup(game("3.3.5"), release_of("3.3.5", ""), b"mine") == b"mine"


@pytest.mark.parametrize("text", [None, "", "many", "-5"])
def test_caches_without_a_size_are_as_in_a_new_project(text: str | None) -> None:
    names = ("SpriteCacheSize", "TextureCacheSize", "SoundCacheSize")

    def sizes(editor: str) -> dict[str, str]:
        said = game(editor)
        own = said.find("RuntimeSetup")
        assert own is not None
        own.children = [child for child in own.children if child.tag not in names]
        own.children += [leaf(name, text) for name in names if text is not None]
        made = setup(said, release_of(editor, ""), None)
        assert made is not None
        pairs = (line.split("=", 1) for line in made.decode().splitlines() if "cache" in line)
        return dict(pairs)

    assert sizes(NEW) == {
        "sprite_cache_size": "131072", "texture_cache_size": "131072", "cache_size": "32768"
    }  # fmt: skip
    for editor in ("3.6.0.51", "3.5.0.24", "3.4.1.15"):
        assert sizes(editor) == {"cachemax": "131072"}
