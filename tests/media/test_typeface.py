"""Typefaces: which characters they have, and what is drawn."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from overhaul.errors import FormatError
from overhaul.media.typeface import Typeface, distance_field
from typefaces import OUTLINES, typeface


def of(data: bytes) -> Typeface:
    return Typeface(data, "boxes.ttf")


def test_what_a_typeface_has() -> None:
    made = of(typeface())
    assert made.characters == set(map(ord, OUTLINES))
    assert (made.family, made.style, made.units) == ("Boxes", "Regular", 1000)


@pytest.mark.parametrize("hinting", [True, False])
@pytest.mark.parametrize("antialias", [True, False])
def test_a_character_is_drawn_where_its_outline_is(antialias: bool, hinting: bool) -> None:
    face = of(typeface()).at(10, antialias=antialias, hinting=hinting)
    assert (face.ascent, face.descent, face.line_height) == (8, 2, 10)
    for character, (left, bottom, right, top, advance) in OUTLINES.items():
        drawn = face.draw(ord(character))
        assert drawn.advance == advance // 100, character
        if left == right:
            assert drawn.alpha.shape == (0, 0)
            continue
        assert (drawn.left, drawn.top, drawn.bottom) == (left // 100, top // 100, -bottom // 100)
        assert drawn.alpha.shape == ((top - bottom) // 100, (right - left) // 100)
        assert (drawn.alpha == 255).all(), character


def test_half_pixels() -> None:
    half = {"x": (50, 0, 550, 650, 660)}
    face = of(typeface("x", outlines=half)).at(10, hinting=False)
    drawn = face.draw(ord("x"))
    assert (drawn.left, drawn.top, drawn.advance) == (0, 7, 7)
    assert drawn.alpha[3].tolist() == [128, 255, 255, 255, 255, 128]
    assert drawn.alpha[0].tolist() == [64, 128, 128, 128, 128, 64]
    sharp = of(typeface("x", outlines=half)).at(10, hinting=False, antialias=False)
    assert set(sharp.draw(ord("x")).alpha.ravel().tolist()) <= {0, 255}


def test_kerning_is_scaled() -> None:
    made = of(typeface())
    pairs = {(chr(a), chr(b)): by for (a, b), by in made.at(30).kerning(map(ord, "AVH")).items()}
    assert pairs == {("A", "V"): -3, ("V", "A"): -6, ("A", "H"): 1}
    # less below 25 pixels, as FreeType does; what is no pixel is left out
    small = {(chr(a), chr(b)): by for (a, b), by in made.at(20).kerning(map(ord, "AVH")).items()}
    assert small == {("A", "V"): -2, ("V", "A"): -3, ("A", "H"): 1}
    assert made.at(30).kerning(map(ord, "AH")) == {(65, 72): 1}
    assert made.at(10).kerning(map(ord, "AH")) == {}
    assert of(typeface(kerning={})).at(30).kerning(map(ord, "AV")) == {}


def pairs_of(*rows: tuple[int, int, int], coverage: int = 1) -> bytes:
    """A table of pairs of glyphs."""
    body = b"".join(struct.pack(">HHh", *row) for row in rows)
    return struct.pack(">HHHHHHH", 0, 14 + len(body), coverage, len(rows), 0, 0, 0) + body


@pytest.mark.parametrize(
    ("tables", "moved"),
    [
        ([pairs_of((1, 2, -100))], -3),
        ([pairs_of((1, 2, -100)), pairs_of((1, 2, -200))], -9),
        ([pairs_of((1, 2, -100)), pairs_of((1, 2, -200), coverage=9)], -6),
        # vertical pairs, least distances, across the line, in classes
        (
            [pairs_of((1, 2, -100)), *(pairs_of((1, 2, 500), coverage=c) for c in (0, 3, 5, 513))],
            -3,
        ),
        # as many as there are
        ([pairs_of((1, 2, -100))[:-8] + bytes(2) + struct.pack(">HHh", 1, 2, -100)], -3),
    ],
)
def test_tables_of_pairs(tables: list[bytes], moved: int) -> None:
    data = typeface("AHV", kerning={("A", "H"): 1})
    kern = struct.pack(">HH", 0, len(tables)) + b"".join(tables)
    face = of(with_table(data, b"kern", kern)).at(30)
    assert face.kerning(map(ord, "AHV")) == {(ord("A"), ord("H")): moved}
    assert of(with_table(data, b"kern", kern[:20])).at(30).kerning(map(ord, "AHV")) == {}


def test_a_distance_field() -> None:
    face = of(typeface()).at(10)
    drawn = face.field(ord("H"), 4)
    assert (drawn.left, drawn.top, drawn.advance) == (1 - 4, 7 + 4, 6)
    assert drawn.alpha.shape == (7 + 8, 4 + 8)
    row = drawn.alpha[7].tolist()  # 32 for each pixel, from the middle of one
    assert row == [16, 48, 80, 112, 144, 176, 176, 144, 112, 80, 48, 16]
    assert drawn.alpha[0, 0] == 0
    assert face.field(32, 4).alpha.size == 0 and face.field(32, 4).advance == 3


def test_a_distance_field_begins_where_half_of_a_quarter_pixel_is_covered() -> None:
    def field(left: int) -> bytes:
        made = typeface("x", outlines={"x": (left, 0, 500, 700, 600)})
        return of(made).at(10).field(ord("x"), 4).alpha.tobytes()

    # four samples a pixel: each is 25 units
    assert field(115) == field(125) != field(110) == field(100)


def test_distances_are_those_to_the_nearest_edge() -> None:
    rng = np.random.default_rng(5)
    inside = rng.random((24, 20)) < 0.2
    distances = distance_field(inside, 1, 6).astype(float)
    for y, x in np.ndindex(inside.shape):
        others = np.argwhere(inside != inside[y, x])
        nearest = np.sqrt(((others - (y, x)) ** 2).sum(axis=1)).min()
        distance = (nearest - 0.5) * (1 if inside[y, x] else -1)
        assert distances[y, x] == np.clip(np.rint(128 + distance * 128 / 6), 0, 255)


def with_cmap(data: bytes, cmap: bytes) -> bytes:
    """A typeface with another table of characters."""
    return with_table(data, b"cmap", cmap)


def with_table(data: bytes, tag: bytes, table: bytes) -> bytes:
    """A typeface with another table, at its end."""
    (count,) = struct.unpack_from(">H", data, 4)
    for at in range(12, 12 + 16 * count, 16):
        if data[at : at + 4] == tag:
            entry = struct.pack(">4sIII", tag, 0, len(data), len(table))
            return data[:at] + entry + data[at + 16 :] + table
    raise AssertionError(tag)


def cmap(*tables: tuple[int, int, bytes]) -> bytes:
    head, body = struct.pack(">HH", 0, len(tables)), b""
    for platform, encoding, table in tables:
        head += struct.pack(">HHI", platform, encoding, 4 + 8 * len(tables) + len(body))
        body += table
    return head + body


def groups(*rows: tuple[int, int, int]) -> bytes:
    body = b"".join(struct.pack(">III", *row) for row in rows)
    return struct.pack(">HHIII", 12, 0, 16 + len(body), 0, len(rows)) + body


def trimmed(first: int, *glyphs: int) -> bytes:
    return struct.pack(
        f">HHHHH{len(glyphs)}H", 6, 10 + 2 * len(glyphs), 0, first, len(glyphs), *glyphs
    )


#: two segments: 65 and 66 by a list, from the first word behind it, plus 5
SEGMENTS = struct.pack(">16H", 4, 36, 0, 4, 0, 0, 0, 66, 0xFFFF, 0, 65, 0xFFFF, 5, 1, 4, 0)


@pytest.mark.parametrize(
    ("table", "wanted"),
    [
        (cmap((3, 1, trimmed(65, 1, 0, 2))), "AC"),
        (cmap((3, 10, groups((65, 67, 1)))), "ABC"),
        # the whole of Unicode first, whatever stands before it
        (cmap((3, 1, trimmed(65, 1)), (3, 10, groups((97, 98, 1)))), "ab"),
        (cmap((3, 10, groups((97, 98, 1))), (3, 1, trimmed(65, 1))), "ab"),
        # beyond U+FFFF, glyphs that there are not
        (cmap((3, 10, groups((65, 70, 3), (0xFFFE, 0x20000, 1)))), "AB\ufffe\uffff"),
        # that of 66 is 2 + 5, which there is not
        (cmap((3, 1, SEGMENTS + struct.pack(">HH", 0xFFFC, 2))), "A"),
        (cmap((0, 3, SEGMENTS + struct.pack(">HH", 0xFFFC, 0xFFFE))), "AB"),
    ],
)
def test_tables_of_characters(table: bytes, wanted: str) -> None:
    data = with_cmap(typeface("AHVg"), table)
    assert of(data).characters == set(map(ord, wanted))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: b"", "expected a TrueType or OpenType file, got one that begins with b''"),
        (lambda data: b"wOF2" + data[4:], r"unpack it to .ttf first"),
        (lambda data: data[:14], "the tables of the typeface are cut off"),
        (lambda data: data.replace(b"cmap", b"cmax", 1), "the tables of the typeface are cut off"),
        (lambda data: with_cmap(data, cmap()), "no characters of Unicode"),
        (lambda data: with_cmap(data, cmap((3, 0, trimmed(65, 1)))), "no characters of Unicode"),
        (lambda data: data.replace(b"hhea", b"hhex", 1), "not a typeface"),
    ],
)
def test_what_is_no_typeface(change, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(FormatError, match=message) as caught:
        of(change(typeface())).at(10).draw(65)
    assert caught.value.source == "boxes.ttf"


def test_what_cant_be_drawn() -> None:
    made = of(typeface())
    for size in (0.5, 1025, float("nan")):
        with pytest.raises(ValueError, match="expected a size of 1 to 1024 pixels"):
            made.at(size)
    huge = of(typeface("A", outlines={"A": (0, 0, 32000, 32000, 700)}))
    with pytest.raises(FormatError, match="the outline of 'A' is too large"):
        huge.at(100).draw(65)
    high = of(typeface(ascent=32000))
    with pytest.raises(FormatError, match="no sensible height"):
        high.at(10)
