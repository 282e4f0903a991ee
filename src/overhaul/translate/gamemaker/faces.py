"""The fonts that draw a game's texts: which characters they have, and how wide texts are."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from overhaul.gamemaker.data.chunks.font import Font as FontRecord
from overhaul.gamemaker.data.chunks.room import TextInstance
from overhaul.gamemaker.data.drawing.elements import Layout
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data.resources.fonts import Font
from overhaul.gamemaker.data.resources.sprite_fonts import SpriteFont, as_font
from overhaul.translate.gamemaker.looks import UNKNOWN, Look, Looks, looks_of_texts

if TYPE_CHECKING:
    from overhaul.translate.gamemaker.shown import ShownTexts

#: the characters of the font that draws texts where no font is set
OWN_LETTERS: Final = frozenset(map(chr, range(32, 127)))
_HASH: Final = re.compile(r"\\#|#")


#: that of a text which no code is known to draw
UNKNOWN_LOOK: Final = (Look(),)


def letters_of(game: GameData, text: str) -> set[str]:
    """The characters that a text needs glyphs for."""
    return {
        character for character in shown_text(game, text) if unicodedata.category(character) != "Cc"
    }


class Face:
    """A font of the game: one of its resources, or one that code makes of a sprite."""

    def __init__(self, game: GameData, font: Font | SpriteFont) -> None:
        self.game = game
        self.font = font
        self.of_sprite: bool = isinstance(font, SpriteFont)
        self._known: dict[str, bool] = {}
        self.name: str = f"the font of {font.sprite}" if isinstance(font, SpriteFont) else font.name

    def missing(self, text: str) -> str:
        """The characters of a translation that it has not, in order."""
        lacking, known = [], self._known
        for letter in letters_of(self.game, text):
            has = known.get(letter)
            if has is None:
                has = known[letter] = not self.font.missing(letter)
            if not has:
                lacking.append(letter)
        return "".join(sorted(lacking))

    def forget(self) -> None:
        """Its glyphs were changed."""
        self._known.clear()
        vars(self).pop("drawn", None)

    @cached_property
    def drawn(self) -> tuple[FontRecord, NDArray[np.uint8]]:
        """Its glyphs, and the picture they are in (height, width, 4)."""
        if isinstance(self.font, SpriteFont):
            return as_font(self.game, self.font)
        image = self.font.record.image
        pixels = np.zeros((1, 1, 4), np.uint8) if image is None else np.asarray(image)
        return self.font.record, pixels

    def layout(self, text: str, look: Look) -> Layout:
        """The lines of a text as the look breaks them."""
        record, _ = self.drawn
        flat = Layout(record, TextInstance())
        spacing = look.separation - flat.line_height if look.separation >= 0 else 0
        wrapped = TextInstance(
            text=shown_text(self.game, text),
            wrap=look.width > 0,
            frame_width=look.width,
            line_spacing=spacing,
        )
        return Layout(record, wrapped)


def shown_text(game: GameData, text: str) -> str:
    """A text as it is drawn: ``#`` breaks lines before GameMaker 2, where ``\\#`` is the sign."""
    if game.release.major >= 2:
        return text
    return _HASH.sub(lambda found: "\n" if found[0] == "#" else "#", text)


class Faces:
    """Which fonts draw each text of a game, as far as its code shows it.

    ``looks`` has the looks of each shown text.
    """

    def __init__(self, game: GameData, shown: ShownTexts) -> None:
        self.game = game
        self.fonts: dict[str, Face] = {
            font.name: Face(game, font) for font in game.fonts if font.name
        }
        self._usual: Face | None = None
        self._made = {font.variable: Face(game, font) for font in game.fonts.from_sprites()}
        self.looks: defaultdict[str, dict[Look, None]] = defaultdict(dict)
        looks = Looks()
        for block, name in shown.blocks:
            looks.read(block, name)
        looks.follow()
        self._held = looks.held
        by_node = looks_of_texts(shown.flow, looks)
        for entry in shown.entries:
            for literal in entry.literals:
                if id(literal.node) in shown.shown:
                    known = by_node.get(id(literal.node), {Look()})
                    self.looks[literal.text] |= dict.fromkeys(sorted(known))
        for item in shown.fields:
            self.looks[item.text][self._look_of(item.record)] = None

    def _look_of(self, record: object) -> Look:
        """How a text of a room is drawn; the caption is of the window."""
        if not isinstance(record, TextInstance):
            return Look(drawn=False)
        font = record.font.target if isinstance(record.font, Reference) else None
        name = UNKNOWN if font is None else str(font.name)
        return Look(name, width=max(0.0, record.frame_width) if record.wrap else 0)

    def of(self, look: Look) -> Face | None:
        """The font of a look; None where it is not evident."""
        if not look.font:
            return self._usual
        face = self.fonts.get(look.font)
        if face is None and (held := self._held(look.font)) != look.font:
            face = self._made.get(look.font) if held.startswith("@") else self.fonts.get(held)
        return face

    def any(self) -> list[Face]:
        """All fonts of the game."""
        return [*self.fonts.values(), *self._made.values()]

    def likeliest(self, text: str) -> Face | None:
        """The font that has most characters of a text; None in a game without fonts."""
        return min(self.any(), key=lambda face: len(face.missing(text)), default=None)

    def needs(self, text: str, new: str) -> tuple[dict[str, str], str]:
        """The letters that are missing for the translation of a text: by the names of the fonts
        that draw it, and those that all fonts lack where the font is not evident."""
        missing: dict[str, str] = {}
        open_ones = ""
        for look in self.looks.get(text, UNKNOWN_LOOK):
            if not look.drawn:
                continue
            face = self.of(look)
            if face is not None:
                if lacks := face.missing(new):
                    missing[face.name] = lacks
            else:
                open_ones = self.nowhere(new)
        return missing, open_ones

    def nowhere(self, text: str) -> str:
        """The characters of a text that no font has: in a game without fonts, GameMaker's own draws
        the texts."""
        faces = self.any()
        left = {
            letter for letter in letters_of(self.game, text) if faces or letter not in OWN_LETTERS
        }
        for face in faces:
            if not left:
                break
            left &= set(face.missing(text))
        return "".join(sorted(left))

    def add(self, font: Font) -> None:
        """The game has one more font, which draws what no other is set for."""
        self.fonts[font.name] = self._usual = Face(self.game, font)

    def overflows(self, text: str, new: str) -> Iterable[str]:
        """Where the translation of a text is too long for the box that the text is drawn in."""
        said: dict[str, None] = {}
        for look in self.looks.get(text, ()):
            face = self.of(look)
            if face is None or not look.width:
                continue
            before, after = face.layout(text, look), face.layout(new, look)
            where = f"{look.width:g} pixels wide ({face.name})"
            widest = max(map(after.width, after.lines), default=0)
            if widest > look.width and widest > max(map(before.width, before.lines), default=0):
                said[f"a word is {widest:g} pixels long, the box is {where}"] = None
            lines = len(before.lines), len(after.lines)
            if lines[1] >= min(2 * lines[0], lines[0] + 2) and lines[1] > lines[0]:
                said[f"it takes {lines[1]} lines, the text {lines[0]}; the box is {where}"] = None
        return said
