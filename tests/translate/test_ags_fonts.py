"""Letters that translations of Adventure Game Studio need: drawn into bitmap fonts, previewed."""

from __future__ import annotations

import re
import string
from pathlib import Path

import numpy as np
import polib
import pytest

import ags_games
import overhaul
from overhaul import translate
from overhaul.ags.font import BitmapFont, Glyph, read_font, write_font
from overhaul.ags.font.drawing import numbers_of
from overhaul.ags.font.model import glyph_of
from overhaul.ags.game.game import Game
from overhaul.ags.library.package import Package
from overhaul.cli import main
from typefaces import typeface

BOX = (100, 0, 500, 700, 600)
PRINTABLE = string.ascii_letters + string.digits + string.punctuation + " "
SHAPES = dict.fromkeys("HéЖ", (100, 0, 500, 700, 600)) | {" ": (0, 0, 0, 0, 300)}


def bitmap_font() -> bytes:
    """A font in which all letters up to 126 are boxes of 5 × 9 pixels."""
    pixels = np.zeros((9, 5), np.bool_)
    pixels[1:8, 1:4] = True
    glyphs = [Glyph()] * 32 + [glyph_of(pixels)] * 95
    return write_font(BitmapFont(glyphs))


@pytest.fixture
def game(tmp_path: Path) -> Path:
    made = Package.read(ags_games.package(rooms=1))
    for name in ("agsfnt0.wfn", "agsfnt1.wfn"):
        if made.get(name) is None:
            made.add(name, bitmap_font())
        else:
            made.replace(name, bitmap_font())
    path = tmp_path / "game.ags"
    path.write_bytes(made.to_bytes())
    return path


@pytest.fixture
def messages(game: Path) -> polib.POFile:
    made = translate.extract(game)
    assert len(made) > 2
    for entry in made:
        entry.msgstr = f"{entry.msgid} é"
    return made


def test_letters_are_drawn_into_files_next_to_the_translation(
    game: Path, messages: polib.POFile, tmp_path: Path
) -> None:
    plain = translate.apply(game, messages)
    assert any("é" in warning for warning in plain.warnings)
    assert plain.companions == {}
    made = translate.apply(game, messages, ttf=typeface("Hé ", outlines=SHAPES))
    assert not any("é" in warning for warning in made.warnings)
    font = read_font(made.companions["agsfnt0.wfn"])
    number = "é".encode("cp1252")[0] if len(font.glyphs) <= 256 else ord("é")
    drawn = font.glyphs[number].pixels
    assert drawn.shape[0] == 9
    assert np.flatnonzero(drawn.any(axis=1)).tolist() == list(range(1, 8))
    assert font.glyphs[72].pixels.tolist() == read_font(bitmap_font()).glyphs[72].pixels.tolist()
    with overhaul.open_package(game) as again:  # the game itself does not change
        assert again.package["agsfnt0.wfn"].read() == bitmap_font()


def test_missing_letters_are_one_warning_for_each_font(game: Path, messages: polib.POFile) -> None:
    messages[0].msgstr += "ö"
    made = translate.apply(game, messages)
    about = [warning for warning in made.warnings if "é" in warning]
    assert [warning.partition(" é")[0] for warning in about] == [
        "font 0 lacks", "font 1 lacks", "no font of the game has",
    ]  # fmt: skip
    counts = [int(found[1]) for w in about if (found := re.search(r"é \((\d+)\)", w))]
    texts = [int(found[1]) for w in about if (found := re.search(r"in (\d+) translation", w))]
    assert counts == texts and sum(counts) == len(messages) and max(counts) > 1
    assert sum("ö (1)" in warning for warning in about) == 1
    assert all(warning.endswith("; --ttf draws them into bitmap fonts") for warning in about)


def before_unicode(game: Path) -> None:
    """Make the game one of before 3.6, whose translations are in a code page."""
    made = Package.read(game.read_bytes())
    older = Game.read(made["game28.dta"].read())
    assert older.content is not None
    older.header.compiled_with = "3.5.1.23"
    older.content.settings.options[49] = 0
    made.replace("game28.dta", older.to_bytes())
    game.write_bytes(made.to_bytes())


def test_letters_of_several_bytes_need_a_truetype_font(game: Path, messages: polib.POFile) -> None:
    before_unicode(game)
    for each in messages:
        each.msgstr = f"{each.msgid} こ"
    messages.metadata["Language"] = "ja"
    for name in [name for name in messages.metadata if name.startswith("X-AGS")]:
        del messages.metadata[name]
    ttf = typeface("Hこ ", outlines={"H": SHAPES["H"], "こ": SHAPES["H"], " ": SHAPES[" "]})
    problems = translate.check(game, messages, ttf=ttf)
    assert {problem.message for problem in problems if "こ" in problem.message} == {
        "font 0 lacks こ", "font 1 lacks こ", "no font of the game has こ",
    }  # fmt: skip
    for made in (translate.apply(game, messages), translate.apply(game, messages, ttf=ttf)):
        assert made.companions == {}
        (first,) = [warning for warning in made.warnings if warning.startswith("font 0 lacks こ")]
        assert first.endswith("first; add a font that has them as agsfnt0.ttf, next to the game")
    with pytest.raises(ValueError, match="cp932 has こ in several bytes, and a bitmap font has a"):
        numbers_of([0x41, ord("こ")], "cp932")


def test_letters_are_not_drawn_into_truetype_fonts(game: Path, messages: polib.POFile) -> None:
    made = Package.read(game.read_bytes())
    for number in (0, 1):
        made.remove(f"agsfnt{number}.wfn")
        made.add(f"agsfnt{number}.ttf", typeface(PRINTABLE, outlines=dict.fromkeys(PRINTABLE, BOX)))
    game.write_bytes(made.to_bytes())
    done = translate.apply(game, messages, ttf=typeface("Hé ", outlines=SHAPES))
    assert done.companions == {}
    about = [warning for warning in done.warnings if "é" in warning]
    assert about[0].startswith("font 0 lacks é (")
    assert about[0].endswith(
        "letters are not drawn into a TrueType font: replace agsfnt0.ttf by a font that has them, "
        "next to the game"
    )
    assert about[-1].endswith("add a font that has them as agsfntN.ttf, next to the game")


def test_fonts_drawn_again(game: Path, messages: polib.POFile) -> None:
    ttf = typeface("Hé ", outlines=SHAPES)
    made = translate.apply(game, messages, ttf=ttf, rebuild_fonts=True)
    font = read_font(made.companions["agsfnt0.wfn"])
    assert font.glyphs[72].width == 6
    assert font.glyphs[65].width == 0  # the typeface does not have it


def test_letters_that_no_typeface_has(game: Path, messages: polib.POFile) -> None:
    ttf = typeface("H ", outlines=SHAPES)
    with pytest.raises(ValueError, match="no typeface has é"):
        translate.apply(game, messages, ttf=ttf)
    assert any("é" in problem.message for problem in translate.check(game, messages, ttf=ttf))
    with pytest.raises(KeyError, match="no bitmap font '7'"):
        translate.apply(game, messages, fonts={"7": ttf})


def test_previews(game: Path, messages: polib.POFile, tmp_path: Path) -> None:
    shown = translate.preview(game, messages)
    assert {one.missing for one in shown} == {"é"}
    first = shown[0]
    assert first.font == "font 0" or first.font == "font 1"
    assert first.image is not None
    red = (np.asarray(first.image) == (255, 48, 48)).all(axis=-1)
    assert red.any()
    assert not (np.asarray(first.original) == (255, 48, 48)).all(axis=-1).any()
    drawn = translate.preview(game, messages, ttf=typeface("Hé ", outlines=SHAPES))
    assert {one.missing for one in drawn} == {""}
    messages.save(tmp_path / "es.po")
    arguments = ["translate", "preview", str(game), str(tmp_path / "es.po")]
    assert main([*arguments, "-o", str(tmp_path / "shown")]) in (0, 1)
    assert (tmp_path / "shown" / "index.html").exists()
