"""The fonts that show texts of a game, and the letters that translations need in them.

A bitmap font with more letters is a file next to the game: the engine looks there before it looks
into the package.  Source: the engine's ``AssetManager``, which searches folders first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from overhaul.ags.font import drawing
from overhaul.ags.font.model import BitmapFont, numbering
from overhaul.ags.font.wfn import write_font
from overhaul.media.typeface import Typeface
from overhaul.suggest import counted
from overhaul.translate.ags.game import GameWithRooms
from overhaul.translate.ags.settings import Settings
from overhaul.translate.ags.texts import TextPlace
from overhaul.translate.families import FontFiles
from overhaul.translate.results import quoted

_SPEECH: Final = frozenset(("Say", "SayAt", "SayBackground", "Think", "DisplaySpeech"))
_MESSAGES: Final = frozenset(("Display", "DisplayAt", "DisplayAtY", "DisplayTopBar"))
#: The fonts that the engine begins with.
_NORMAL, _SPOKEN = 0, 1


def font_at(place: TextPlace, settings: Settings, *, sets_fonts: bool) -> int:
    """The font that shows a text at a place, -1 where that is not evident.

    The engine begins with font 0 for messages and options, and font 1 for speech.
    """
    if place.font >= 0 or sets_fonts:
        return place.font
    names = {function.rpartition("::")[2] for function in place.functions}
    if names and names <= _SPEECH:
        return settings.speech_font if settings.speech_font >= 0 else _SPOKEN
    if names and names <= _MESSAGES:
        return settings.normal_font if settings.normal_font >= 0 else _NORMAL
    return -1


def fonts_of(places: Iterable[TextPlace], settings: Settings, *, sets_fonts: bool) -> list[int]:
    """The fonts that evidently show a text, in their order."""
    numbers = {font_at(place, settings, sets_fonts=sets_fonts) for place in places}
    replaced = {font.font: font.replacement for font in settings.fonts}
    return sorted(replaced.get(number, number) for number in numbers if number >= 0)


@dataclass(frozen=True, slots=True)
class ShownText:
    """A text of a translation, and the places where the game shows what it stands for."""

    text: str
    places: list[TextPlace]


def needed(
    parts: GameWithRooms, settings: Settings, texts: Iterable[ShownText], encoding: str
) -> dict[int, str]:
    """The letters that bitmap fonts lack and can have, by the number of the font.

    A text whose font is not evident needs its letters in all of them.  A letter that the encoding
    has in several bytes is in no bitmap font, which has a letter for each byte.
    """
    number_of = numbering(encoding)
    bitmaps = {n: glyphs for n, glyphs in parts.fonts.items() if glyphs.bitmap is not None}
    wanted: dict[int, dict[str, None]] = {number: {} for number in bitmaps}
    for shown in texts:
        evident = fonts_of(shown.places, settings, sets_fonts=parts.sets_fonts)
        for number in [n for n in evident if n in bitmaps] or (() if evident else bitmaps):
            missing = bitmaps[number].missing(shown.text, encoding)
            wanted[number].update({each: None for each in missing if number_of(each) is not None})
    return {number: "".join(letters) for number, letters in wanted.items() if letters}


def extend(
    parts: GameWithRooms,
    wanted: Mapping[int, str],
    files: FontFiles,
    encoding: str,
    *,
    partly: bool,
) -> Iterator[tuple[str, bytes]]:
    """Draw letters into the bitmap fonts of a game; the names and bytes of their files.

    With ``partly``, letters that no typeface has are left out.  Raises KeyError for a font that the
    game does not have as a bitmap, ValueError for letters that no typeface has.
    """
    bitmaps = {str(n) for n, glyphs in parts.fonts.items() if glyphs.bitmap is not None}
    for name in files.by_name:
        if name not in bitmaps:
            raise KeyError(f"the game has no bitmap font {name!r}")
    for number, letters in wanted.items():
        typefaces = files.by_name.get(str(number), files.common)
        glyphs = parts.fonts[number]
        if typefaces and glyphs.bitmap is not None:
            font = _extended(glyphs.bitmap, letters, typefaces, encoding, files.rebuild, partly)
            glyphs.take(font, write_font(font))
            yield glyphs.name, glyphs.data


def _extended(
    font: BitmapFont,
    letters: str,
    typefaces: list[Typeface],
    encoding: str,
    rebuild: bool,
    partly: bool,
) -> BitmapFont:
    """The font with more letters."""
    known = {character for typeface in typefaces for character in typeface.characters}
    wanted = [ord(letter) for letter in letters if not partly or ord(letter) in known]
    made = BitmapFont(list(font.glyphs))
    style = drawing.Style()
    numbers = drawing.numbers_of(wanted, encoding)
    if rebuild:
        own = font.characters(encoding)
        numbers |= {ord(letter): number for letter, number in own.items() if ord(letter) in known}
        return drawing.drawn_again(made, numbers, typefaces, style)
    drawing.add_letters(made, numbers, typefaces, style)
    return made


@dataclass(slots=True)
class Lacking:
    """The letters that a font of the game lacks (-1: every font), the number of translations
    with them, and the first text with one."""

    font: int
    first: str
    letters: dict[str, int] = field(default_factory=dict)
    texts: int = 0

    def note(self, letters: str) -> None:
        """One more translation with such letters."""
        self.texts += 1
        for letter in letters:
            self.letters[letter] = self.letters.get(letter, 0) + 1

    def in_words(self, parts: GameWithRooms, encoding: str, *, drawn: bool) -> str:
        """A warning; ``drawn``: letters were drawn into bitmap fonts."""
        counts = [f"{letter} ({count})" for letter, count in self.letters.items()]
        more = f" and {len(counts) - _LISTED} more" if len(counts) > _LISTED else ""
        where = f"font {self.font} lacks" if self.font >= 0 else "no font of the game has"
        listed = f"{where} {', '.join(counts[:_LISTED])}{more}"
        texts = counted(self.texts, "translation")
        number = numbering(encoding)
        can_draw = not drawn and any(number(letter) is not None for letter in self.letters)
        step = self._next_step(parts, drawn=drawn, can_draw=can_draw)
        return f"{listed}: in {texts}, that of {quoted(self.first)} first; {step}"

    def _next_step(self, parts: GameWithRooms, *, drawn: bool, can_draw: bool) -> str:
        font = parts.fonts.get(self.font)
        if font is not None and font.bitmap is None:
            no_drawing = "letters are not drawn into a TrueType font: " if drawn else ""
            return f"{no_drawing}replace {font.name} by a font that has them, next to the game"
        if can_draw and any(each.bitmap is not None for each in parts.fonts.values()):
            return "--ttf draws them into bitmap fonts"
        file = f"agsfnt{self.font if self.font >= 0 else 'N'}.ttf"
        return f"add a font that has them as {file}, next to the game"


#: how many letters a warning lists
_LISTED: Final = 40


def lacking(found: Iterable[tuple[str, list[tuple[int, str]]]]) -> list[Lacking]:
    """The letters that fonts lack, each font once: of texts, with the fonts and letters of each."""
    fonts: dict[int, Lacking] = {}
    for text, missing in found:
        for number, letters in missing:
            fonts.setdefault(number, Lacking(number, text)).note(letters)
    return [fonts[number] for number in sorted(fonts, key=lambda number: (number < 0, number))]
