"""The setup file of a game as an element of its project."""

from __future__ import annotations

from pathlib import Path

import pytest

import overhaul
from ags_furnished import furnished, write
from overhaul import ags
from overhaul.ags import project as ags_project
from overhaul.ags.project.setup_file import setup_in


def test_each_kind_of_value_is_read() -> None:
    said = setup_in(
        b"[graphics]\r\ndriver=OGL\nwindow=x3\ngame_scale_win=round\ngame_scale_fs=stretch\n"
        b"fullscreen=desktop\nrotation=portrait\nsprite_cache_size=65536\n"
        b"[misc]\ntitletext=Gr\xc3\xbc\xc3\x9fe = 100%\nuser_data_dir=saves\nshared_data_dir=\n"
        b"[sound]\nenabled=0\n[touch]\nemul_mouse_mode=off\nemul_mouse_relative=1\n"
    )
    assert said == {
        "GraphicsDriver": "OGL", "GameScaling": "Integer", "GameScalingMultiplier": 3,
        "FullscreenGameScaling": "StretchToFit", "FullscreenDesktop": False,
        "Rotation": "Portrait", "SpriteCacheSize": 64, "TitleText": "Grüße = 100%",
        "CustomSavePath": "saves", "UseCustomSavePath": True, "DigitalSound": "Disabled",
        "TouchToMouseEmulation": "Off", "TouchToMouseMotionMode": "Relative",
    }  # fmt: skip


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\0\xff\xfe", b"no section\n", b"[graphics\n", b"[graphics]\ndriver\nrotation=up\n",
        b"[graphics]\nsprite_cache_size=many\nwindow=x\n[graphics]\n",
    ],
)  # fmt: skip
def test_what_a_file_does_not_say_is_left_out(data: bytes) -> None:
    assert setup_in(data) == {}


def test_a_game_without_the_file_has_the_usual_title(tmp_path: Path) -> None:
    project = write(tmp_path / "mine", furnished(1, "3.6.2.12", "3060209"))
    built = ags.build(project, tmp_path / "game")
    (tmp_path / "game" / "acsetup.cfg").unlink()
    with overhaul.open(built.path) as document:
        text = ags_project.convert(document).files["Game.agf"]().decode()
    assert '<TitleText xml:space="preserve">Small Setup</TitleText>' in text
