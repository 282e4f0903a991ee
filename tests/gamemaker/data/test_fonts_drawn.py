"""Fonts drawn with a typeface, and glyphs added to them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest
from PIL import Image

from drawn_games import drawn_game
from overhaul.errors import FormatError, OverhaulError
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.resources import typesetting
from overhaul.gamemaker.data.resources.fonts import Font
from small_games import again
from typefaces import OUTLINES, typeface

#: one of each group that writes fonts otherwise
RELEASES = [
    "1.0.0.1250",
    "1.4.9999",
    "2.0.6",
    "2.2.5",
    "2.3.6",
    "2022.3",
    "2023.2",
    "2023.8",
    "2024.14",
]
#: points that are twenty pixels: 50 units of the typeface are one
TWENTY = 15


def drawn(version: str, characters: str = "AHVg- ", **how: object) -> GameData:
    game = drawn_game(version)
    how = {"size": TWENTY, "chars": characters} | how
    game.fonts.add("fnt", ttf=typeface(), **how)  # type: ignore[arg-type]
    return game


def rows(font: Font, character: str) -> list[int]:
    """The first row of a glyph that has something, and the one after the last."""
    image = font.glyphs[character].image
    assert image is not None
    result = np.flatnonzero(np.asarray(image)[:, :, 3].any(axis=1))
    return [int(result[0]), int(result[-1]) + 1]


def pictures(font: Font) -> dict[str, tuple[object, ...]]:
    """All that a glyph is."""
    return {
        c: (g.width, g.height, g.shift, g.offset, None if g.image is None else g.image.tobytes())
        for c, g in font.glyphs.items()
    }


@pytest.mark.parametrize("version", RELEASES)
def test_a_font_as_each_release_writes_it(version: str) -> None:
    game = again(drawn(version))
    font, modern = game.fonts["fnt"], game.release.major >= 2
    record, release = font.record, game.release
    boxed = release.at_least(2, 2, 2, 302)
    assert "".join(font.glyphs) == " -AHVg" + "▯" * boxed
    own = {" ": 20, "-": 10, "A": 16, "H": 16, "V": 16, "g": 20}
    for character in " -AHVg":
        left, _, right, _, advance = OUTLINES[character]
        glyph = font.glyphs[character]
        width = (right - left) // 50 or advance // 50
        assert (glyph.width, glyph.height) == (width, 20 if modern else own[character])
        assert (glyph.shift, glyph.offset) == (advance // 50, left // 50)
    # capitals are 14 pixels high, the base line is after 16
    assert (rows(font, "A"), rows(font, "g"), rows(font, "-")) == ([2, 16], [6, 20], [8, 10])
    last = 0x25AF if boxed else ord("g")
    assert (record.range_start, record.range_end) == (32, last)
    assert (font.size, font.display_name, font.bold, font.italic) == (15, "Boxes", False, False)
    assert font.anti_alias == (1 if modern else 3)
    assert record.ascender_offset == record.sdf_spread == 0
    assert record.ascender == (16 if release.at_least(2022, 2) else 0)
    assert record.line_height == (20 if release.at_least(2023, 6) else 0)
    pairs = {(before, c): by for c, g in font.glyphs.items() for before, by in g.kerning.items()}
    kerned = {("V", "A"): -3, ("A", "V"): -2, ("A", "H"): 1}
    assert pairs == (kerned if release.at_least(2, 3, 6) else {})
    image = np.asarray(font.image)
    assert {int(side).bit_count() for side in image.shape[:2]} == {1}
    assert (image[:, :, :3] == 255).all()


def test_lines_before_2023_6_begin_at_the_ascent() -> None:
    faces = typeface(ascent=810, descent=190)  # 16.2 and 3.8 pixels
    for version, ascender in (("2022.3", 17), ("2023.8", 16)):
        game = drawn(version)
        game.fonts["fnt"].rebuild(faces)
        assert game.fonts["fnt"].ascender == ascender
        assert rows(game.fonts["fnt"], "A") == [ascender - 14, ascender]


@pytest.mark.parametrize("version", ["1.4.9999", "2.0.6", "2.2.5", "2024.14"])
def test_what_rises_above_the_line(version: str) -> None:
    game = again(drawn(version, "AÉg"))
    font = game.fonts["fnt"]
    # É is 20 pixels high, 4 more than the ascent
    assert (rows(font, "É"), rows(font, "A"), rows(font, "g")) == ([0, 20], [6, 20], [10, 24])
    assert font.record.ascender_offset == (4 if font.game.release.bytecode >= 17 else 0)
    if game.release.major >= 2:
        assert {glyph.height for glyph in font.glyphs.values()} == {24}
    if version == "2024.14":
        assert (font.ascender, font.line_height) == (16, 20)


def test_a_font_is_drawn_again() -> None:
    game = drawn("2024.14", "AHg", antialias=False)
    font = game.fonts["fnt"]
    assert font.anti_alias == 0
    font.bold = True
    font.rebuild(typeface(family="Other", style="Bold Italic"), size=30)
    font = again(game).fonts["fnt"]
    assert "".join(font.glyphs) == " AHg▯"
    assert (font.size, font.display_name, font.bold, font.italic) == (30, "Other", True, True)
    assert font.anti_alias == 0 and font.glyphs["A"].width == 20
    font.rebuild(
        typeface(), chars=["V", range(0x2D, 0x2E), ord("A")], antialias=True, kerning=False
    )
    assert "".join(font.glyphs) == " -AV▯"
    assert (font.size, font.anti_alias, font.bold, font.italic) == (30, 1, False, False)
    assert font.glyphs["A"].kerning == {} and (font.range_start, font.range_end) == (32, 0x25AF)
    font.rebuild(typeface(), size=15)
    assert font.glyphs["A"].kerning == {"V": -3}


def test_several_typefaces() -> None:
    game = drawn("2023.8")
    font = game.fonts["fnt"]
    wide = typeface("日A", outlines={"A": (0, 0, 1000, 700, 1000)}, family="Wide")
    font.rebuild([typeface("A -"), wide], chars="A日\x7f")
    assert (font.glyphs["A"].width, font.glyphs["日"].width, font.display_name) == (10, 20, "Boxes")
    # a control character is what the typeface draws for what it has not
    assert (font.glyphs["\x7f"].width, font.glyphs["\x7f"].shift) == (6, 8)


def test_a_typeface_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "boxes.ttf"
    path.write_bytes(typeface())
    one, two = drawn("2023.8").fonts["fnt"], drawn("2023.8").fonts["fnt"]
    one.rebuild(path)
    two.rebuild([str(path)])
    assert pictures(one) == pictures(two) == pictures(drawn("2023.8").fonts["fnt"])


@pytest.mark.parametrize("spread", [8, 3])
def test_distance_fields(spread: int) -> None:
    game = drawn("2024.14", "AHg", sdf=True if spread == 8 else spread)
    font = again(game).fonts["fnt"]
    assert (font.sdf_spread, font.ascender, font.line_height) == (spread, 16, 20)
    # around the character on all sides; its place and advance are as without
    assert {glyph.height for glyph in font.glyphs.values()} == {20 + 2 * spread}
    glyph = font.glyphs["H"]
    assert (glyph.width, glyph.shift, glyph.offset) == (8 + 2 * spread, 12, 2)
    assert glyph.image is not None
    alpha = np.asarray(glyph.image)[:, :, 3]
    inside = np.argwhere(alpha >= 128)
    assert inside.min(axis=0).tolist() == [spread + 2, spread]
    assert inside.max(axis=0).tolist() == [spread + 15, spread + 7]
    font.rebuild(typeface())
    assert font.sdf_spread == spread
    font.add_glyphs(typeface(), "V")
    assert font.glyphs["V"].offset == 0 and font.glyphs["V"].width == 12 + 2 * spread
    assert (
        np.argwhere(np.asarray(font.glyphs["V"].image)[:, :, 3] >= 128).min(axis=0)[0] == spread + 2
    )
    font.rebuild(typeface(), sdf=False)
    assert font.sdf_spread == 0 and font.glyphs["H"].width == 8
    with pytest.raises(ValueError, match=r"sdf_spread: files of 2022\.3 do not have it"):
        drawn("2022.3", sdf=True)


@pytest.mark.parametrize("version", RELEASES)
def test_added_glyphs_leave_the_others(version: str) -> None:
    game = again(drawn(version))
    font = game.fonts["fnt"]
    before, record = pictures(font), font.record
    stated = (record.ascender, record.ascender_offset, record.line_height, record.size)
    assert font.add_glyphs(typeface(), "éЖA日\n") == ["é", "Ж", "日"]
    font = again(game).fonts["fnt"]
    after = pictures(font)
    assert {c: after[c] for c in before} == before and len(after) == len(before) + 3
    record = font.record
    assert stated == (record.ascender, record.ascender_offset, record.line_height, record.size)
    # capitals of the typeface are as high, so it is drawn at 20 pixels
    assert (rows(font, "Ж"), rows(font, "日"), rows(font, "é")) == ([2, 16], [0, 18], [0, 16])
    assert [(font.glyphs[c].offset, font.glyphs[c].shift) for c in "éЖ日"] == [
        (-2, 10),
        (0, 18),
        (0, 20),
    ]
    heights = {font.glyphs[c].height for c in "éЖ日"}
    assert heights == ({20} if game.release.major >= 2 else {16, 18})
    assert record.range_end == max(map(ord, after))


def test_pairs_with_high_characters() -> None:
    high = {"\uff21": (0, 0, 600, 700, 700)}
    data = typeface(" A\uff21", outlines=high, kerning={("\uff21", "A"): -200})
    game = drawn("2024.14")
    game.fonts["fnt"].rebuild(data, chars="A\uff21")
    assert again(game).fonts["fnt"].glyphs["A"].kerning == {"\uff21": -3}


def test_added_glyphs_take_the_size_of_the_others() -> None:
    game = drawn("2024.14")
    font = game.fonts["fnt"]
    low = typeface("HЖ", outlines={"H": (0, 0, 400, 350, 400), "Ж": (0, 0, 400, 350, 400)})
    font.add_glyphs(low, "Ж")
    assert rows(font, "Ж") == [2, 16] and font.glyphs["Ж"].width == 16
    font.add_glyphs(typeface(), "日", size=7.5)
    assert rows(font, "日") == [8, 17] and font.glyphs["日"].width == 10
    assert font.size == 15


def test_added_glyphs_are_no_higher_than_the_line() -> None:
    font = drawn("2024.14").fonts["fnt"]
    assert font.add_glyphs(typeface(), "É") == ["É"]
    top, bottom = rows(font, "É")
    assert bottom == 16 and 0 <= top <= 1
    with pytest.raises(ValueError, match="is higher than the lines of the font"):
        font.add_glyphs(typeface(outlines={"Ж": (0, 0, 9, 2200, 9)}), "Ж")


def test_many_glyphs_enlarge_the_picture() -> None:
    game = drawn("2024.14")
    font = game.fonts["fnt"]
    before, size = pictures(font), font.image.size if font.image else ()
    many = {chr(0x4E00 + n): (0, 0, 10 * (n % 90) + 20, 700, 900) for n in range(300)}
    font.add_glyphs(typeface("".join(many), outlines=many), "".join(many), size=15)
    font = again(game).fonts["fnt"]
    image = font.image
    assert image is not None and image.size > size and max(image.size) <= 2048
    assert {int(side).bit_count() for side in image.size} == {1}
    after = pictures(font)
    assert {c: after[c] for c in before} == before
    taken = np.zeros(image.size[::-1], int)
    for glyph in font.glyphs.values():
        taken[glyph.y : glyph.y + glyph.height, glyph.x : glyph.x + glyph.width] += 1
    assert taken.max() == 1
    assert all(rows(font, c) == [2, 16] for c in many)


def test_added_pairs_are_kerned_among_themselves() -> None:
    font = drawn("2024.14", "H").fonts["fnt"]
    font.add_glyphs(typeface(), "AV")
    assert font.glyphs["V"].kerning == {"A": -2} and font.glyphs["A"].kerning == {"V": -3}
    assert font.glyphs["H"].kerning == {}
    font = drawn("2024.14", "H").fonts["fnt"]
    font.add_glyphs(typeface(), "AV", kerning=False)
    assert font.glyphs["V"].kerning == {}


def test_a_glyph_from_a_picture(tmp_path: Path) -> None:
    game = drawn("2024.14")
    font = game.fonts["fnt"]
    before = pictures(font)
    picture = Image.new("RGBA", (7, 23), (255, 0, 0, 255))
    picture.save(tmp_path / "letter.png")
    made = font.set_glyph("Ж", tmp_path / "letter.png", shift=9, offset=-1)
    assert (made.width, made.height, made.shift, made.offset) == (7, 23, 9, -1)
    assert again(game).fonts["fnt"].glyphs["Ж"].image.tobytes() == picture.tobytes()  # type: ignore[union-attr]
    kerning = font.glyphs["V"].kerning
    font.set_glyph("V", np.full((4, 5, 4), 9, np.uint8))
    font = again(game).fonts["fnt"]
    after = pictures(font)
    assert after["V"] == (5, 4, 5, 0, bytes([9] * 80)) and font.glyphs["V"].kerning == kerning
    assert {c: after[c] for c in before if c != "V"} == {c: before[c] for c in before if c != "V"}
    assert [glyph.character for glyph in font.record.glyphs] == sorted(map(ord, after))
    for wrong in ("", "ab", "\U0001f600"):
        with pytest.raises(ValueError, match="expected one character"):
            font.set_glyph(wrong, picture)
    fields = drawn("2024.14", sdf=True).fonts["fnt"]
    with pytest.raises(ValueError, match="distance fields"):
        fields.set_glyph("Ж", picture)


@pytest.mark.parametrize(
    ("version", "how", "message"),
    [
        ("2024.14", {"chars": "A日ж"}, r"the typeface: no glyph for ж 日; give one more"),
        ("2024.14", {"chars": ["\U0001f600"]}, r"expected characters up to U\+FFFF, got U\+1F600"),
        ("2024.14", {"chars": [-1]}, "expected characters up to"),
        ("2024.14", {"chars": range(0xFFFF, 0x10001)}, "expected characters up to"),
        ("2024.14", {"chars": "A\ud800"}, r"no glyph for U\+D800"),
        ("2024.14", {"size": 0}, "expected points above 0"),
        ("2024.14", {"size": 5000}, "expected a size of 1 to 1024 pixels"),
        ("2024.14", {"size": "12"}, "expected points above 0"),
        ("2024.14", {"sdf": 65}, "expected up to 64 pixels"),
        ("2.2.1", {"size": 7.5}, "files of 2.2.1 have whole points, got 7.5"),
        ("2.2.1", {"sdf": True}, "sdf_spread: files of 2.2.1 do not have it"),
        ("2024.14", {"ttf": []}, "at least one typeface"),
    ],
)
def test_what_is_refused_changes_nothing(
    version: str, how: dict[str, object], message: str
) -> None:
    game = drawn(version)
    data = game.to_bytes()
    how = {"ttf": typeface("AHVg- "), "chars": "AHg"} | how
    with pytest.raises(ValueError, match=message):
        game.fonts["fnt"].rebuild(**how)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=message):
        game.fonts.add("fnt_new", **how)  # type: ignore[arg-type]
    if "sdf" not in how:
        with pytest.raises(ValueError, match=message):
            game.fonts["fnt"].add_glyphs(**how | {"chars": how["chars"] or "é"})  # type: ignore[arg-type]
    assert game.to_bytes() == data


def test_a_new_font_is_of_a_typeface_or_a_picture() -> None:
    fonts = drawn("2024.14").fonts
    with pytest.raises(ValueError, match="a typeface or a picture with glyphs, got both"):
        fonts.add("fnt_b", Image.new("RGBA", (8, 8)), {}, ttf=typeface())
    with pytest.raises(ValueError, match="expected a typeface"):
        fonts.add("fnt_b", Image.new("RGBA", (8, 8)))
    assert fonts.add("fnt_b", ttf=typeface(), chars="A", display_name="Mine").display_name == "Mine"


def test_damaged_typefaces() -> None:
    game = drawn("2024.14")
    data, good = game.to_bytes(), typeface()
    font, random, refused = game.fonts["fnt"], Random(13), 0
    for _ in range(120):
        damaged = bytearray(good)
        for _ in range(random.choice((1, 3, 20))):
            damaged[random.randrange(len(damaged))] = random.choice((0, 1, 127, 128, 255))
        if random.random() < 0.2:
            del damaged[random.randrange(len(damaged)) :]
        try:
            with game.edit():
                font.rebuild(bytes(damaged))
                font.add_glyphs(bytes(damaged), "éЖ日")
                raise FormatError("take it back")
        except (OverhaulError, ValueError) as error:
            refused += "take it back" not in str(error)
    assert 20 < refused < 120
    assert game.to_bytes() == data


def test_a_picture_has_no_room_for_more(monkeypatch: pytest.MonkeyPatch) -> None:
    font = drawn("2024.14").fonts["fnt"]
    data = font.game.to_bytes()
    monkeypatch.setattr(typesetting, "_SIDES", (32,))
    with pytest.raises(ValueError, match="7 glyphs of this size do not fit a picture of 32²"):
        font.rebuild(typeface(), chars="AHVgЖ")
    monkeypatch.setattr(typesetting, "_SIDES", (16, 64))
    with pytest.raises(ValueError, match="glyphs more do not fit a picture of 64²"):
        font.add_glyphs(typeface("".join(MANY), outlines=MANY), "".join(MANY))
    assert font.game.to_bytes() == data


MANY = {chr(0x4E00 + n): (0, 0, 700, 700, 900) for n in range(40)}


def test_a_font_without_a_picture() -> None:
    game = drawn("2024.14")
    font = game.fonts["fnt"]
    font.record.texture = None
    font.record.ascender, font.record.ascender_offset = 10, 3
    font.add_glyphs(typeface(), "Ж")
    assert rows(font, "Ж") == [13 - 14 + 1, 13]


def test_a_glyph_that_points_nowhere_is_left_out() -> None:
    font = drawn("2024.14").fonts["fnt"]
    count = len(font.glyphs)
    font.record.glyphs.append(None)  # type: ignore[arg-type]  # as a damaged file is read
    assert len(font.glyphs) == count


def test_ranges_that_are_not_written() -> None:
    game = drawn("1.0.0.1250")
    record = game.fonts["fnt"].record
    record.range_start = record.range_end = 0
    game.fonts["fnt"].rebuild(typeface(), chars="AV")
    game.fonts["fnt"].add_glyphs(typeface(), "é")
    assert (record.range_start, record.range_end) == (0, 0)


def test_room_in_the_picture_is_used() -> None:
    font = drawn("2024.14").fonts["fnt"]
    assert font.image is not None
    picture = Image.new("RGBA", (130, 300))
    picture.paste(font.image)
    font.image = picture
    font.add_glyphs(typeface(), "Ж")
    assert font.image is not None and font.image.size == (130, 300)
    assert rows(font, "Ж") == [2, 16]
