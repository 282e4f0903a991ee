"""Shaders, fonts, tile sets and files of sounds compared: what differs is named, field by field."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image as pillow

import overhaul
from furnished import furnished
from ide_projects import old_project, styled_project, write
from overhaul import mods
from overhaul.document.files import write_into
from overhaul.errors import FormatError
from overhaul.gamemaker.data.blank import blank_game
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide_game.assets import is_kept, shader_file
from overhaul.gamemaker.recovery import recover
from overhaul.mods.changes import Diff
from sound_files import mp3, ogg, wave

EDITIONS = ["current", "gms1"]
KINDS = ("shader", "font", "font picture", "tile set", "tile set picture", "background",
         "sound file")  # fmt: skip
PRELUDE = "uniform mat4 gm_Matrices[5];\n#define _YY_GLSLES_ 1\n"


def project_of(game: GameData, folder: Path) -> IdeProjectDocument:
    """The project of a game, in a folder."""
    found = recover(game)
    write_into(str(folder), found.files)
    project = overhaul.open_project(folder / found.name)
    assert isinstance(project, IdeProjectDocument)
    return project


def changes_of(difference: Diff) -> dict[str, list[str]]:
    """The lines of each change."""
    return {change.path: change.lines() for change in difference.changes}


def demo(edition: str) -> GameData:
    """The demo game, with a font that has kerning."""
    game = overhaul.open_game(furnished(edition))
    game.fonts["fnt_small"].glyphs["b"].kerning = {"a": -2}
    return game


@pytest.mark.parametrize("edition", EDITIONS)
def test_equal(edition: str, tmp_path: Path) -> None:
    with demo(edition) as game:
        game.backgrounds.add("bg_more", pillow.new("RGBA", (32, 16), (9, 8, 7, 255)))
        project = project_of(game, tmp_path)
        difference = mods.diff(project, game)
    assert difference.changes == []
    counts = {kind: found for kind, found in difference.equal.items() if kind in KINDS}
    expected = {"shader": 1, "font": 1, "font picture": 1, "sound file": 2}
    more = {"tile set": 2, "tile set picture": 2} if edition == "current" else {"background": 1}
    assert counts == {kind: (count, count) for kind, count in (expected | more).items()}
    assert [words for words in difference.apart if "font" in words or "sound" in words] == [
        "fields of sounds but their volume"
    ]


@pytest.mark.parametrize("edition", EDITIONS)
def test_shaders(edition: str, tmp_path: Path) -> None:
    with demo(edition) as game:
        project = project_of(game, tmp_path)
        assert project.shaders["sh_glow"].vertex == "void main() {}\n"
        game.shaders["sh_glow"].fragment = f"{PRELUDE}void main() {{ discard; }}\r\n"
        (change,) = mods.diff(project, game).changes
        assert change.path == "shaders/sh_glow.glsl"
        assert "+void main() { discard; }" in change.lines()
        game.shaders["sh_glow"].vertex = game.shaders["sh_glow"].fragment = ""
        game.shaders.add("__yy_sdf", "", "")
        difference = mods.diff(project, game)
    assert "shader" not in difference.equal
    assert "shaders whose source the game lacks: sh_glow" in difference.apart
    assert "shaders that the compiler adds: __yy_sdf" in difference.apart


def test_line_ends_of_shaders_do_not_count() -> None:
    expected = b"// for vertices\na\nb\n// for fragments\nc\n"
    assert shader_file("a\r\nb\r\n", "c") == shader_file("a\nb", "c\n\n") == expected


@pytest.mark.parametrize("edition", EDITIONS)
def test_fonts(edition: str, tmp_path: Path) -> None:
    with demo(edition) as game:
        project = project_of(game, tmp_path)
        font = project.fonts["fnt_small"]
        letter = game.fonts["fnt_small"].glyphs["a"]
        assert sorted(font.glyphs) == [ord("a"), ord("b")]
        assert font.glyphs[ord("a")]["w"] == letter.width
        assert font.kerning == {(ord("a"), ord("b")): -2}
        game.fonts["fnt_small"].glyphs["b"].kerning = {"a": -1, "z": 4}
        letter.shift = 9
        game.fonts["fnt_small"].bold = True
        game.fonts["fnt_small"].size = 13
        game.fonts["fnt_small"].display_name = "Other"
        game.fonts["fnt_small"].anti_alias = 2
        was = font.glyphs[ord("a")]["shift"], font.antialias
        game.fonts["fnt_small"].image = pillow.new("RGBA", (16, 16), (1, 2, 3, 255))
        changes = changes_of(mods.diff(project, game))
    assert list(changes) == ["font_pictures/fnt_small.png", "fonts/fnt_small.json"]
    assert sorted(changes["fonts/fnt_small.json"]) == sorted([
        'face: "fnt_small" → "Other"', "size: 12 → 13", "bold: false → true",
        f"anti_alias: {was[1]} → 2", f"glyphs.a.shift: {was[0]} → 9", "kerning.ab: -2 → -1",
    ])  # fmt: skip


def test_kerning_that_compilers_left_out(tmp_path: Path) -> None:
    picture = pillow.new("RGBA", (8, 8), (1, 2, 3, 255))
    for number, version in enumerate(("2.3.6", "2.2.2.302")):
        game = blank_game({"version": version})
        font = game.fonts.add("fnt_a", picture, {"a": (0, 0, 2, 2), "b": (3, 0, 2, 2)})
        font.glyphs["b"].kerning = {"a": -2}
        project = project_of(game, tmp_path / str(number))
        assert mods.diff(project, game).equal["font"] == (1, 1)
        font.glyphs["b"].kerning = {}
        difference = mods.diff(project, game)
        if number:
            assert difference.changes == []
            assert difference.apart == ["kerning, which the game lacks: fnt_a"]
        else:
            assert changes_of(difference) == {"fonts/fnt_a.json": ["kerning.ab: gone: -2"]}


def test_letters_of_2_2(tmp_path: Path) -> None:
    path = old_project(tmp_path)
    letter = {"character": 97, "h": 9, "offset": 1, "shift": 7, "w": 6, "x": 2, "y": 3}
    pair = {"amount": -1, "first": 97, "second": 98}
    font = {
        "id": "9", "modelName": "GMFont", "mvc": "1.1", "name": "fnt_a", "fontName": "Arial",
        "glyphs": [{"Key": 97, "Value": {"id": "8", "modelName": "GMGlyph", **letter}}],
        "kerningPairs": [{"id": "7", "modelName": "GMKerningPair", **pair}],
    }  # fmt: skip
    write(tmp_path, "fonts/fnt_a/fnt_a.yy", json.dumps(font, indent=4))
    listing = json.loads(path.read_text("utf-8"))
    row = {"id": "v9", "resourcePath": "fonts\\fnt_a\\fnt_a.yy", "resourceType": "GMFont"}
    listing["resources"].append({"Key": "9", "Value": row})
    path.write_text(json.dumps(listing, indent=4), "utf-8")
    project = overhaul.open_project(path)
    assert isinstance(project, IdeProjectDocument)
    (made,) = project.fonts
    assert {key: made.glyphs[97][key] for key in letter} == letter
    assert made.kerning == {(97, 98): -1}
    assert not made.has_picture


def test_a_rounded_background_is_equal(tmp_path: Path) -> None:
    game = blank_game({"version": "1.0.0.1307", "bytecode": 13})
    game.backgrounds.add("bg_a", pillow.new("RGBA", (4, 4), (100, 100, 100, 90)))
    project = project_of(game, tmp_path)
    game.backgrounds["bg_a"].image = pillow.new("RGBA", (4, 4), (101, 100, 100, 91))
    assert mods.diff(project, game).changes == []
    game.backgrounds["bg_a"].image = pillow.new("RGBA", (4, 4), (101, 100, 100, 92))
    assert len(mods.diff(project, game).changes) == 1


def test_letters_that_are_no_numbers(tmp_path: Path) -> None:
    with demo("current") as game:
        project = project_of(game, tmp_path)
        font = project.fonts["fnt_small"]
        font.store.put(("glyphs", str(ord("a")), "shift"), "wide")
        with pytest.raises(FormatError, match="a number as shift of a letter, got 'wide'"):
            mods.diff(project, game)


def test_tile_sets(tmp_path: Path) -> None:
    with demo("current") as game:
        project = project_of(game, tmp_path)
        tiles = game.backgrounds["ts_cave"]
        sheet = tiles.image
        assert sheet is not None
        left, top = tiles.tile_places[0]
        sheet.putpixel((left, top), (1, 2, 3, 255))
        tiles.image = sheet
        assert mods.diff(project, game).changes == []  # the compiler clears the first tile
        left, top = tiles.tile_places[7]
        sheet.putpixel((left + 15, top + 15), (1, 2, 3, 255))
        tiles.image = sheet
        tiles.frame_length = 33333
        project.backgrounds["ts_cave"].border_x = 3
        changes = changes_of(mods.diff(project, game))
    assert changes == {
        "tile_set_pictures/ts_cave.png": ["1 of 1792 pixels differs"],
        "tile_sets/ts_cave.json": ["border[0]: 3 → 2", "animation_speed: 15 → 30"],
    }


def test_backgrounds_of_studio_1(tmp_path: Path) -> None:
    with demo("gms1") as game:
        game.backgrounds.add("bg_a", pillow.new("RGBA", (4, 4), (9, 8, 7, 255)))
        project = project_of(game, tmp_path)
        game.backgrounds["bg_a"].image = pillow.new("RGBA", (4, 4), (9, 8, 6, 255))
        game.backgrounds.add("bg_b", pillow.new("RGBA", (4, 4), (9, 8, 7, 255)))
        difference = mods.diff(project, game)
    assert changes_of(difference) == {"backgrounds/bg_a.png": ["16 of 16 pixels differ"]}
    assert "pictures of backgrounds only in the game: bg_b" in difference.apart


@pytest.mark.parametrize("edition", EDITIONS)
def test_files_of_sounds(edition: str, tmp_path: Path) -> None:
    with demo(edition) as game:
        project = project_of(game, tmp_path)
        game.sounds["snd_catch"].replace(wave(900))
        game.sounds["snd_door"].replace(wave(900))
        project.sounds["snd_catch"].bytes = wave(901)
        data = wave(900)
        texts = b"LIST" + (5).to_bytes(4, "little") + b"INFO." + b"\0"
        project.sounds["snd_door"].bytes = data[:36] + texts + data[36:]
        difference = mods.diff(project, game)
        assert list(changes_of(difference)) == ["sounds/snd_catch.wav"]
        assert difference.equal["sound file"] == (1, 2)
        project.sounds["snd_catch"].bytes = mp3()
        project.files.write(project.sounds["snd_door"].file_path, None)
        difference = mods.diff(project, game)
    assert difference.changes == []
    assert "files of sounds that compilers convert: snd_catch" in difference.apart
    assert "files of sounds only in the game: snd_door" in difference.apart


def test_what_a_compiler_keeps() -> None:
    data = wave(80)
    assert is_kept(data, wave(81)) and is_kept(ogg(), ogg()) and is_kept(b"?", b"?")
    others = [wave(80, rate=9000), wave(80, channels=2), wave(80, bits=8), ogg(), mp3()]
    assert [is_kept(data, other) for other in others] == [False] * 5
    assert not is_kept(ogg(80), ogg(81))


def test_files_that_neither_has(tmp_path: Path) -> None:
    project = overhaul.open_project(styled_project(tmp_path, "C"))
    assert isinstance(project, IdeProjectDocument)
    project.sounds.add("snd_a")
    game = blank_game({"version": "2023.8"})
    game.sounds.add("snd_a", ogg(), streamed=True)
    assert "files of sounds only in the game: snd_a" in mods.diff(project, game).apart
    with overhaul.open_game(game.to_bytes()) as alone:
        apart = mods.diff(project, alone).apart
    assert "files of sounds that neither has: snd_a" in apart
