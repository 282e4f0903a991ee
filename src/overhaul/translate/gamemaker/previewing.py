"""Texts drawn with the fonts of their game, next to their translations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from overhaul.gamemaker.data.chunks.font import Glyph
from overhaul.gamemaker.data.game import GameData
from overhaul.translate.families import Job
from overhaul.translate.gamemaker.extending import drawable, extend
from overhaul.translate.gamemaker.faces import Face, Faces
from overhaul.translate.gamemaker.looks import Look
from overhaul.translate.gamemaker.shown import find_texts
from overhaul.translate.results import Preview, translations

if TYPE_CHECKING:
    import polib


_BACKGROUND: Final = (32, 32, 40)
_RED: Final = (255, 48, 48)
_EDGE: Final = (90, 140, 255)
_MARGIN: Final = 8
#: the longest side of a picture, and the most characters of a text that are drawn
_LARGEST: Final = 4096
_MOST: Final = 2000


def preview(game: GameData, messages: polib.POFile, job: Job) -> list[Preview]:
    """Each text of the messages, drawn as the code that shows it draws it; typefaces draw what
    they have into the fonts before."""
    with drawable(game, job) as drawn:
        return _preview(drawn, messages, job)


def _preview(game: GameData, messages: polib.POFile, job: Job) -> list[Preview]:
    shown = find_texts(game, job)
    faces = Faces(game, shown)
    if job.typefaces is not None:
        extend(job.typefaces, faces, translations(messages, shown.texts()), shown, partly=True)
    made = []
    for entry in messages:
        text, new = str(entry.msgid), str(entry.msgstr)
        if entry.obsolete:
            continue
        for look in faces.looks.get(text, ()):
            known = faces.of(look)
            face = faces.likeliest(text) if known is None else known
            if look.drawn and face is not None:
                made.append(_previewed(face, look, text, new, evident=known is not None))
    return made


def _previewed(face: Face, look: Look, text: str, new: str, *, evident: bool) -> Preview:
    return Preview(
        text,
        new,
        face.name,
        evident,
        look.width,
        face.missing(new),
        max(0.0, _widest(face, look, new) - look.width) if look.width and new else 0.0,
        _draw(face, look, text),
        _draw(face, look, new) if new else None,
    )


def _widest(face: Face, look: Look, text: str) -> float:
    layout = face.layout(text[:_MOST], look)
    return max(map(layout.width, layout.lines), default=0)


def _draw(face: Face, look: Look, text: str) -> Image.Image:
    """A text in its box: what goes beyond it is red, as are letters that the font has not."""
    record, pixels = face.drawn
    layout = face.layout(text[:_MOST], look)
    glyphs, blank = layout.glyphs, max(3, round(layout.line_height * 0.5))
    placed, ends = [], [look.width]
    for row, line in enumerate(layout.lines):
        x, before = 0.0, 0
        for character in line:
            glyph = glyphs.get(ord(character))
            placed.append((glyph, x, row * layout.line_height))
            if glyph is None:
                x, before = x + blank, 0
                continue
            kerning = sum(k.amount for k in glyph.kerning if k.other & 0xFFFF == before)
            placed[-1] = glyph, x + kerning, row * layout.line_height
            x, before = x + kerning + glyph.shift, glyph.character
        ends.append(x)
    tallest = max((glyph.height for glyph, *_ in placed if glyph is not None), default=0)
    height = (len(layout.lines) - 1) * layout.line_height + max(tallest, layout.line_height)
    size = [min(_LARGEST, round(length) + 2 * _MARGIN) for length in (max(ends), height)]
    image = Image.new("RGB", (max(1, size[0]), max(1, size[1])), _BACKGROUND)
    draw = ImageDraw.Draw(image)
    for glyph, x, y in placed:
        left, top = round(x) + _MARGIN, round(y) + _MARGIN
        if glyph is None:
            box = (left, top, left + blank - 2, top + round(layout.line_height) - 2)
            draw.rectangle(box, outline=_RED, fill=None)
        elif glyph.width and glyph.height:
            shift = (left + glyph.offset - record.sdf_spread, top - record.sdf_spread)
            _paste(image, pixels, glyph, shift, record.sdf_spread)
    if look.width:
        edge = round(look.width) + _MARGIN
        if edge < image.width - _MARGIN:
            beyond = image.crop((edge, 0, image.width, image.height))
            red = Image.new("RGB", beyond.size, _RED)
            image.paste(Image.blend(beyond, red, 0.45), (edge, 0))
        draw.line((edge, 0, edge, image.height), fill=_EDGE)
    return image


def _paste(
    image: Image.Image,
    pixels: NDArray[np.uint8],
    glyph: Glyph,
    at: tuple[int, int],
    spread: int,
) -> None:
    part = pixels[glyph.y : glyph.y + glyph.height, glyph.x : glyph.x + glyph.width]
    if not part.size:
        return
    alpha = part[:, :, 3]
    if spread:
        near = (alpha.astype(float) - 128) * spread / 128 + 0.5  # pixels from the outline
        alpha = (np.clip(near, 0, 1) * 255).astype(np.uint8)
    mask = Image.fromarray(np.ascontiguousarray(alpha))
    image.paste(Image.fromarray(np.ascontiguousarray(part[:, :, :3])), at, mask)
