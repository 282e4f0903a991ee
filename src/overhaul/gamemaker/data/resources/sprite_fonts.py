"""Fonts that code makes of the frames of a sprite: ``font_add_sprite``, ``font_add_sprite_ext``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overhaul.errors import OverhaulError
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.chunks.font import Font as FontRecord
from overhaul.gamemaker.data.chunks.font import Glyph
from overhaul.gamemaker.data.code.mentions import callers
from overhaul.gamemaker.data.code.model import CodeModel
from overhaul.gml.syntax import tree

#: functions that make a font of a sprite
MAKERS: Final = ("font_add_sprite", "font_add_sprite_ext")
_LINE_ENDS: Final = frozenset("\r\n")
_LAST: Final = 0xFFFF


@dataclass(frozen=True)
class SpriteFont:
    """A font that code makes of a sprite, and the entry that does.

    ``sprite`` is its name, ``characters`` are those of its frames, in order; "" where the code
    computes them.  ``proportional`` is whether each is as wide as what it shows, ``separation``
    are the pixels between them.  ``variable`` is the name of what it is stored in.
    """

    sprite: str
    characters: str
    proportional: bool
    separation: int
    variable: str
    where: str

    def missing(self, text: str) -> list[str]:
        """The characters of a text without a frame, each once, in their order; empty if its
        characters are not known."""
        if not self.characters:
            return []
        known = _LINE_ENDS.union(self.characters)
        return [fromkey for fromkey in dict.fromkeys(text) if fromkey not in known]

    def covers(self, text: str) -> bool:
        """Whether it has a frame for each character of a text."""
        return not self.missing(text)


def sprite_fonts(game: CodeModel) -> list[SpriteFont]:
    """The fonts that a game's code makes of sprites; code that can't be read is left out."""
    found: dict[SpriteFont, None] = {}
    for entry in [] if game.is_native else callers(game, MAKERS):
        try:
            block = game.language.decompiled.tree(entry).block
        except OverhaulError:
            continue
        for variable, call in made_by(block):
            font = _font_of(game, call, variable, entry)
            if font is not None:
                found[font] = None
    return list(found)


def made_by(block: tree.Node) -> Iterator[tuple[str, tree.Call]]:
    """The calls that make fonts of sprites, and the names of the variables that take them."""
    taken: dict[int, str] = {}
    for node in block.walk():
        target, value = None, None
        if isinstance(node, tree.Assignment):
            target, value = node.target, node.value
        elif isinstance(node, tree.Declarator | tree.StructMember):
            taken[id(node.value)] = node.name
        while isinstance(target, tree.Index):
            target = target.object
        if isinstance(target, tree.Name | tree.Member):
            taken[id(value)] = target.name
        if (
            isinstance(node, tree.Call)
            and isinstance(node.function, tree.Name)
            and node.function.name in MAKERS
        ):
            yield taken.get(id(node), ""), node


def _font_of(
    game: CodeModel, call: tree.Call, variable: str, entry: CodeEntry
) -> SpriteFont | None:
    sprite, which, proportional, separation = [*call.arguments, None, None, None, None][:4]
    name = sprite.name if isinstance(sprite, tree.Name) else ""
    record = game.named("SPRT").get(name) if name else None
    if record is None:
        return None
    count = len(record.textures)
    characters = ""
    if isinstance(which, tree.String):
        characters = which.value[:count]
    else:
        first = _number(which)
        if first is not None and 0 <= first <= _LAST:
            characters = "".join(map(chr, range(first, min(first + count, _LAST + 1))))
    return SpriteFont(
        name,
        characters,
        bool(_number(proportional)),
        _number(separation) or 0,
        variable,
        str(entry.name),
    )


def _number(node: tree.Expression | None) -> int | None:
    """The number that an argument is; None where it is computed."""
    if isinstance(node, tree.Boolean):
        return int(node.value)
    if isinstance(node, tree.Number) and abs(node.value) < 1 << 31:
        return int(node.value)
    if isinstance(node, tree.Unary) and node.operator == "-":
        number = _number(node.operand)
        return None if number is None else -number
    if (
        isinstance(node, tree.Call)
        and isinstance(node.function, tree.Name)
        and node.function.name == "ord"
        and node.arguments
        and isinstance(node.arguments[0], tree.String)
        and node.arguments[0].value
    ):
        return ord(node.arguments[0].value[0])
    return None


def as_font(game: CodeModel, font: SpriteFont) -> tuple[FontRecord, NDArray[np.uint8]]:
    """A font's glyphs, and the picture they are in (height, width, 4), as a record would have
    them."""
    record = game.named("SPRT").get(font.sprite)
    images = [] if record is None else [np.asarray(frame) for frame in record.frames if frame]
    made, pictures, x = FontRecord(), [], 0
    for character, image in zip(font.characters, images, strict=False):
        first, end = 0, image.shape[1]
        if font.proportional:
            columns = np.flatnonzero(image[:, :, 3].any(axis=0))
            if len(columns):
                first, end = int(columns[0]), int(columns[-1]) + 1
        glyph = Glyph(ord(character), x, 0, end - first, image.shape[0])
        glyph.shift = end - first + font.separation
        made.glyphs.append(glyph)
        pictures.append(image[:, first:end])
        x += end - first
    picture = np.concatenate(pictures, axis=1) if pictures else np.zeros((1, 1, 4), np.uint8)
    return made, picture
