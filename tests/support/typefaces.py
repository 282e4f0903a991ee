"""Small typefaces: ``from typefaces import typeface``.

Each character is a rectangle in units of a hundredth of ten pixels: at 7.5 points (10 pixels) 100
units are a pixel, so what is drawn can be counted.
"""

from __future__ import annotations

from io import BytesIO

import pytest

#: characters: left, bottom, right, top, and the advance
OUTLINES = {
    " ": (0, 0, 0, 0, 300),
    "A": (100, 0, 600, 700, 700),
    "H": (100, 0, 500, 700, 600),
    "V": (0, 0, 600, 700, 600),
    "g": (100, -200, 500, 500, 600),
    "-": (100, 300, 400, 400, 500),
    "É": (100, 0, 500, 1000, 600),
    "é": (-100, 0, 400, 800, 500),
    "Ж": (0, 0, 800, 700, 900),
    "日": (0, -100, 1000, 800, 1000),
}
KERNING = {("A", "V"): -100, ("V", "A"): -200, ("A", "H"): 40}


def typeface(
    characters: str = "".join(OUTLINES),
    *,
    outlines: dict[str, tuple[int, int, int, int, int]] | None = None,
    kerning: dict[tuple[str, str], int] | None = None,
    ascent: int = 800,
    descent: int = 200,
    family: str = "Boxes",
    style: str = "Regular",
) -> bytes:
    """A TrueType file with some of :data:`OUTLINES`."""
    builder = pytest.importorskip("fontTools.fontBuilder").FontBuilder(1000, isTTF=True)
    pens = pytest.importorskip("fontTools.pens.ttGlyphPen")
    boxes = OUTLINES | (outlines or {})
    names = {character: f"u{ord(character):04X}" for character in characters}
    builder.setupGlyphOrder([".notdef", *names.values()])
    builder.setupCharacterMap({ord(each): name for each, name in names.items()})
    made, metrics = {}, {}
    for name, box in [
        (".notdef", (0, 0, 300, 600, 400)),
        *((n, boxes[c]) for c, n in names.items()),
    ]:
        left, bottom, right, top, advance = box
        pen = pens.TTGlyphPen(None)
        if left != right:
            corners = [(left, bottom), (left, top), (right, top), (right, bottom)]
            pen.moveTo(corners[0])
            for corner in corners[1:]:
                pen.lineTo(corner)
            pen.closePath()
        made[name] = pen.glyph()
        metrics[name] = (advance, left)
    builder.setupGlyf(made)
    builder.setupHorizontalMetrics(metrics)
    builder.setupHorizontalHeader(ascent=ascent, descent=-descent)
    builder.setupOS2(sTypoAscender=ascent, sTypoDescender=-descent, usWinAscent=ascent)
    builder.setupNameTable({"familyName": family, "styleName": style})
    builder.setupPost()
    pairs = KERNING if kerning is None else kerning
    pairs = {pair: by for pair, by in pairs.items() if set(pair) <= set(characters)}
    if pairs:
        _kern(builder.font, {(names[a], names[b]): by for (a, b), by in pairs.items()})
    stream = BytesIO()
    builder.save(stream)
    return stream.getvalue()


def _kern(font: object, pairs: dict[tuple[str, str], int]) -> None:
    tables = pytest.importorskip("fontTools.ttLib")
    kern = tables.newTable("kern")
    kern.version = 0
    subtable = pytest.importorskip("fontTools.ttLib.tables._k_e_r_n").KernTable_format_0()
    subtable.version, subtable.coverage, subtable.tupleIndex = 0, 1, None
    subtable.kernTable = pairs
    subtable.apple = False
    kern.kernTables = [subtable]
    font["kern"] = kern  # type: ignore[index]
