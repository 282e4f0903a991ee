"""Bitmap fonts: files, pictures of their letters, letters drawn again."""

from __future__ import annotations

import io
import json
import shutil
import struct
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import overhaul
from overhaul.ags.documents.font import FontDocument
from overhaul.ags.font import (
    BitmapFont,
    Glyph,
    read_font,
    read_loose,
    read_sci_font,
    write_font,
    write_sci_font,
)
from overhaul.ags.font.model import glyph_of
from overhaul.ags.library.package import Package
from overhaul.ags.surface.fonts import BitmapFontView
from overhaul.cli import main
from overhaul.errors import FormatError, OverhaulError
from typefaces import typeface

LETTERS = dict.fromkeys("ABHé", (100, 0, 500, 700, 600)) | {" ": (0, 0, 0, 0, 300)}


def letter(*rows: str) -> Glyph:
    """A letter: ``#`` is a pixel."""
    return glyph_of(np.array([[pixel == "#" for pixel in row] for row in rows]))


def small_font() -> BitmapFont:
    """A font with three letters, one without height and one wider than a byte."""
    return BitmapFont([letter("##.", "#.#"), Glyph(4, 0), letter("#........#", "..........")])


def wfn_of(table: int, offsets: list[int], letters: dict[int, bytes]) -> bytes:
    """A WFN file with letters at places of their own."""
    out = bytearray(table + 2 * len(offsets))
    out[:17] = b"WGT Font File  " + struct.pack("<H", table)
    for place, stored in letters.items():
        out[place : place + len(stored)] = stored
    out[table:] = struct.pack(f"<{len(offsets)}H", *offsets)
    return bytes(out)


def stored(glyph: Glyph) -> bytes:
    return struct.pack("<HH", glyph.width, glyph.height) + bytes(glyph.rows)


# -- files -----------------------------------------------------------------------------------


def test_a_font_is_its_letters_one_behind_the_other_and_a_table() -> None:
    data = write_font(small_font())
    assert data == (
        b"WGT Font File  \x29\x00"
        b"\x03\0\x02\0\xc0\xa0"
        b"\x04\0\0\0"
        b"\x0a\0\x02\0\x80\x40\0\0"
        b"\x11\0\x17\0\x1b\0"
    ).replace(b"\x29", bytes([17 + 6 + 4 + 8]), 1)
    font = read_font(data)
    assert font.offsets is None
    assert font.extra == {}
    assert [(g.width, g.height, bytes(g.rows)) for g in font.glyphs] == [
        (3, 2, b"\xc0\xa0"),
        (4, 0, b""),
        (10, 2, b"\x80\x40\0\0"),
    ]
    assert font.height == 2
    assert write_font(font) == data


def test_letters_that_share_bytes_stay_where_they_are() -> None:
    one = letter("#.")
    data = wfn_of(26, [19, 19], {17: b"\x07", 19: stored(one)})
    font = read_font(data)
    assert font.offsets == [19, 19]
    assert font.extra == {17: b"\x07\0"}
    assert write_font(font) == data
    font.glyphs[1] = letter("##")  # no longer what the shared bytes say
    again = read_font(write_font(font))
    assert [bytes(g.rows) for g in again.glyphs] == [b"\x80", b"\xc0"]


def test_bits_behind_a_row_are_kept() -> None:
    data = wfn_of(23, [17], {17: struct.pack("<HH", 3, 2) + b"\xdf\xa1"})
    font = read_font(data)
    assert font.glyphs[0].padding == b"\x1f\x01"
    assert Glyph(width=0, height=3).padding == b""  # rows without bytes
    assert font.glyphs[0].pixels.tolist() == [[True, True, False], [True, False, True]]
    assert write_font(font) == data
    assert bytes(glyph_of(font.glyphs[0].pixels, b"\x1f\x01").rows) == b"\xdf\xa1"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"WGT Font File  ", "not a font"),
        (b"WGT Font Fill  \x11\0", "not a font"),
        (b"WGT Font File  \x10\0", "the table of letters between 17 and 17, got 16"),
        (b"WGT Font File  \x12\0", "got 18"),
        (b"WGT Font File  \x11\0\0", "the table of letters"),
        (wfn_of(17, [16], {}), "outside of the file"),
        (wfn_of(21, [17], {17: b"\x09\0\x02\0"}), "outside of the file"),
    ],
)
def test_broken_fonts(data: bytes, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        read_font(data)


def test_letters_that_take_far_more_than_the_file_are_refused() -> None:
    big = struct.pack("<HH", 800, 8) + bytes(800)
    data = wfn_of(17 + len(big), [17] * 400, {17: big})
    with pytest.raises(FormatError, match="share too many bytes"):
        read_font(data)


def test_a_damaged_font_still_shows_its_whole_letters() -> None:
    good = letter("#")
    data = wfn_of(22, [17, 900], {17: stored(good)})
    font = read_loose(data)
    assert [g.width for g in font.glyphs] == [1, 0]


def test_a_font_that_is_too_large_is_refused() -> None:
    wide = Glyph(800, 100, bytes(10000))
    with pytest.raises(FormatError, match="up to 65535 bytes of letters, got 70045"):
        write_font(BitmapFont([wide] * 7))


def test_fonts_of_sierra() -> None:
    font = BitmapFont([letter("##.", "#.#"), letter("#........#")])
    data = write_sci_font(font)
    assert data[:2] == b"\x87\0"
    assert struct.unpack_from("<3H2H", data, 2) == (0, 2, 2, 10, 14)
    assert data[12:] == b"\x03\x02\xc0\xa0\x0a\x01\x80\x40"
    again = read_sci_font(data)
    assert [(g.width, g.height, bytes(g.rows)) for g in again.glyphs] == [
        (3, 2, b"\xc0\xa0"),
        (10, 1, b"\x80\x40"),
    ]
    with pytest.raises(FormatError, match="outside of the file"):
        read_sci_font(data[:-1])
    with pytest.raises(FormatError, match="not a font of Sierra's"):
        read_sci_font(b"\x87\0" + bytes(20))
    with pytest.raises(FormatError, match="1 to 256 letters, got 0"):
        write_sci_font(BitmapFont())
    with pytest.raises(FormatError, match=r"glyphs\[0\].*too large"):
        write_sci_font(BitmapFont([Glyph(256, 1, bytes(32))]))


# -- letters by character --------------------------------------------------------------------


def test_missing_letters_depend_on_the_encoding() -> None:
    font = BitmapFont([Glyph()] * 256)
    font.set_glyph(0xE9, letter("#"))
    assert font.missing("éñ ", "cp1252") == "ñ"
    assert font.missing("éЖ", "utf-8") == "Ж"
    assert font.missing("éЖ", "cp1251") == "éЖ"
    font.set_glyph(0x416, letter("#"))
    assert len(font.glyphs) == 0x417
    assert font.missing("Ж", "UTF-8") == ""
    with pytest.raises(ValueError, match="0 to 65535, got 65536"):
        font.set_glyph(0x10000, letter("#"))


def view(font: BitmapFont, encoding: str = "cp1252") -> BitmapFontView:
    document = FontDocument()
    document.version = "wfn"
    document.font, document.encoding = font, encoding
    return document.fonts["font"]


def test_a_font_drawn_with_a_typeface() -> None:
    font = view(BitmapFont([Glyph()] * 128))
    font.rebuild(typeface("ABHé ", outlines=LETTERS), size=7.5, chars="ABHé")
    assert "".join(font.glyphs) == " ABHé"
    a, space = font.glyphs["A"], font.glyphs[" "]
    assert (a.width, a.height) == (6, 7)
    assert a.pixels.tolist() == [[False, True, True, True, True, False]] * 7
    assert (space.width, space.is_blank) == (3, True)
    assert font.line_height == 7
    assert font.size == 5.25
    assert font.missing("AЖ") == ["Ж"]


def test_letters_are_added_on_the_base_line_of_the_others() -> None:
    rows = ["......"] * 2 + [".####."] * 7 + ["......"] * 3
    font = view(BitmapFont([Glyph()] * 128))
    font.record.set_glyph(ord("H"), letter(*rows))
    assert font.add_glyphs(typeface("ABHé ", outlines=LETTERS), "éH") == ["é"]
    made = font.glyphs["é"]
    assert made.height == 12
    assert np.flatnonzero(made.pixels.any(axis=1)).tolist() == list(range(2, 9))
    assert font.glyphs["H"].pixels.tolist() == letter(*rows).pixels.tolist()


def test_what_bitmap_fonts_do_not_have_is_refused() -> None:
    font = view(small_font())
    ttf = typeface("ABHé ", outlines=LETTERS)
    for options, words in (
        ({"antialias": True}, "no grey pixels"),
        ({"sdf": True}, "no distance fields"),
        ({"chars": "Ж"}, "the texts of the game are in cp1252, which has no Ж"),
        ({"chars": "Z"}, "no typeface has Z"),
    ):
        with pytest.raises(ValueError, match=words):
            font.rebuild(ttf, **options)
    assert [g.width for g in font.record.glyphs] == [3, 4, 10]


def test_a_letter_from_a_picture(tmp_path: Path) -> None:
    image = Image.new("RGBA", (2, 3))
    image.putpixel((1, 2), (9, 9, 9, 255))
    image.save(tmp_path / "e.png")
    font = view(BitmapFont([Glyph()] * 128))
    made = font.set_glyph("é", tmp_path / "e.png", shift=5, offset=1)
    assert made.pixels.tolist() == [[False] * 5] * 2 + [[False, False, True, False, False]]
    assert font.set_glyph("A", np.asarray(image)).width == 2
    with pytest.raises(ValueError, match="one character"):
        font.set_glyph("AB", image)
    with pytest.raises(OverhaulError, match="not a picture"):
        font.set_glyph("A", tmp_path / "none.png")


# -- folders ---------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A font, unpacked."""
    (tmp_path / "a.wfn").write_bytes(write_font(small_font()))
    overhaul.unpack(tmp_path / "a.wfn", tmp_path / "font")
    return tmp_path / "font"


def packed(folder: Path) -> BitmapFont:
    overhaul.pack(folder, folder.parent / "b.wfn", force=True)
    return read_font((folder.parent / "b.wfn").read_bytes())


def picture(folder: Path) -> Image.Image:
    return Image.open(io.BytesIO((folder / "font.png").read_bytes())).convert("RGBA")


def test_plain_files_alone_give_the_same_font(tmp_path: Path) -> None:
    odd = wfn_of(27, [20, 20], {17: b"\x07", 20: struct.pack("<HH", 3, 2) + b"\xdf\xa1"})
    for number, data in enumerate((write_font(small_font()), odd, write_sci_font(small_font()))):
        file, plain = tmp_path / f"{number}.wfn", tmp_path / f"folder{number}"
        file.write_bytes(data)
        overhaul.unpack(file, plain)
        shutil.rmtree(plain / ".overhaul")
        overhaul.pack(plain, tmp_path / "again.wfn", force=True)
        assert (tmp_path / "again.wfn").read_bytes() == data


def test_a_repainted_letter(folder: Path) -> None:
    image = picture(folder)
    assert image.size == (16 * 10, 2)
    assert image.getpixel((3, 0)) == (255, 0, 255, 255)
    image.putpixel((1, 1), (255, 255, 255, 255))
    for y in (0, 1):  # one pixel wider
        image.putpixel((3, y), (0, 0, 0, 255))
    image.save(folder / "font.png")
    made = packed(folder).glyphs
    assert (made[0].width, bytes(made[0].rows)) == (4, b"\xc0\xe0")
    assert (made[1].width, made[1].height) == (4, 0)


@pytest.mark.parametrize(
    ("place", "colour", "words"),
    [
        ((5, 0), (255, 255, 255, 255), "letter 0 is no rectangle at the top left"),
        ((0, 0), (1, 2, 3, 255), r"the pixel at 0, 0 is #010203: expected black"),
        ((0, 0), (0, 0, 0, 0), "letter 0 is no rectangle"),
    ],
)
def test_pictures_that_are_no_letters(
    folder: Path, place: tuple[int, int], colour: tuple[int, ...], words: str
) -> None:
    image = picture(folder)
    image.putpixel(place, colour)
    image.save(folder / "font.png")
    with pytest.raises(OverhaulError, match=rf"font\.png.*{words}"):
        packed(folder)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"letters": 40}, r"expected 160 x 6 pixels \(letters: 40 in columns: 16, .* got 160 x 2"),
        ({"width": 9}, "expected 144 x 2 pixels"),
        ({"height": 0}, "a cell of 1 to 1024 pixels"),
        ({"columns": 0}, "1 to 65536 columns"),
        ({"empty": {"9": [4, 0]}}, "the font has no letter 9"),
        ({"empty": {"0": [4, 0]}}, "a letter without pixels"),
        ({"empty": {"x": [4, 0]}}, "expected a number, got 'x'"),
        ({"padding": {"7": "01"}}, "the font has no letter 7"),
        ({"letters": -1}, "letters.*0 to 65536, got -1"),
        ({"more": 1}, "unknown field 'more'"),
    ],
)
def test_layouts_that_can_not_be(folder: Path, change: dict[str, object], words: str) -> None:
    layout = json.loads((folder / "font.json").read_text("utf-8"))
    (folder / "font.json").write_text(json.dumps(layout | change), "utf-8")
    with pytest.raises(OverhaulError, match=words):
        packed(folder)


def test_fewer_letters(folder: Path) -> None:
    layout = json.loads((folder / "font.json").read_text("utf-8"))
    layout["letters"] = 2
    (folder / "font.json").write_text(json.dumps(layout), "utf-8")
    with pytest.raises(OverhaulError, match="there is a letter 2, and letters: 2"):
        packed(folder)
    image = picture(folder)
    image.paste((255, 0, 255, 255), (20, 0, 30, 2))
    image.save(folder / "font.png")
    assert [g.width for g in packed(folder).glyphs] == [3, 4]


def test_an_edit_that_no_longer_fits_shared_bytes_is_reported(tmp_path: Path) -> None:
    one = letter("#.", "..")
    (tmp_path / "a.wfn").write_bytes(wfn_of(25, [19, 19], {19: stored(one)}))
    overhaul.unpack(tmp_path / "a.wfn", tmp_path / "font")
    image = picture(tmp_path / "font")
    image.putpixel((1, 1), (255, 255, 255, 255))
    image.save(tmp_path / "font" / "font.png")
    warnings = overhaul.pack(tmp_path / "font", tmp_path / "b.wfn").warnings
    assert any("offsets, table and extra no longer fit" in warning for warning in warnings)
    made = read_font((tmp_path / "b.wfn").read_bytes())
    assert [bytes(g.rows) for g in made.glyphs] == [b"\x80\x40", b"\x80\x00"]


def test_fonts_of_a_package(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    font = BitmapFont([Glyph()] * 128)
    font.set_glyph(ord("H"), letter("#.#", "###"))
    made = Package(version=21)
    made.add("agsfnt1.ttf", b"")
    made.add("AGSFNT0.wfn", write_font(font))
    made.add("agsfnt12.WFN", write_font(small_font()))
    (tmp_path / "game.ags").write_bytes(made.to_bytes())
    with overhaul.open_package(tmp_path / "game.ags") as game:
        assert [font.name for font in game.fonts] == ["0", "12"]
        assert game.fonts["12"].line_height == 2
    arguments = ["font", "set", str(tmp_path / "game.ags"), "0", f"A={tmp_path / 'a.png'}"]
    Image.new("RGBA", (2, 2), "white").save(tmp_path / "a.png")
    assert main([*arguments, "-o", str(tmp_path / "new.ags")]) == 0, capsys.readouterr().err
    with overhaul.open_package(tmp_path / "new.ags") as game:
        assert "".join(game.fonts["0"].glyphs) == "AH"
        assert game.package["agsfnt1.ttf"].read() == b""
        with pytest.raises(KeyError, match="1"):
            game.fonts["1"]
