"""The fonts that show texts of a game, and the letters that translations need in them.

A bitmap font with more letters is a file next to the game: the engine looks there before it looks
into the package.  Source: the engine's ``AssetManager``, which searches folders first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from overhaul.ags.font import drawing
from overhaul.ags.font.model import BitmapFont
from overhaul.ags.font.wfn import write_font
from overhaul.translate.ags.game import Parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from overhaul.media.typeface import Typeface
    from overhaul.translate.ags.settings import Settings
    from overhaul.translate.ags.texts import Place
    from overhaul.translate.families import FontFiles

_SPEECH: Final = frozenset(("Say", "SayAt", "SayBackground", "Think", "DisplaySpeech"))
_MESSAGES: Final = frozenset(("Display", "DisplayAt", "DisplayAtY", "DisplayTopBar"))
#: The fonts that the engine begins with.
_NORMAL, _SPOKEN = 0, 1


def font_at(place: Place, settings: Settings, *, sets_fonts: bool) -> int:
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


def fonts_of(places: Iterable[Place], settings: Settings, *, sets_fonts: bool) -> list[int]:
    """The fonts that evidently show a text, in their order."""
    numbers = {font_at(place, settings, sets_fonts=sets_fonts) for place in places}
    replaced = {font.font: font.replacement for font in settings.fonts}
    return sorted(replaced.get(number, number) for number in numbers if number >= 0)


@dataclass(frozen=True, slots=True)
class Shown:
    """A text of a translation, and the places where the game shows what it stands for."""

    text: str
    places: list[Place]


def needed(
    parts: Parts, settings: Settings, texts: Iterable[Shown], encoding: str
) -> dict[int, str]:
    """The letters that bitmap fonts lack, by the number of the font.

    A text whose font is not evident needs its letters in all of them.
    """
    bitmaps = {n: glyphs for n, glyphs in parts.fonts.items() if glyphs.bitmap is not None}
    wanted: dict[int, dict[str, None]] = {number: {} for number in bitmaps}
    for shown in texts:
        evident = fonts_of(shown.places, settings, sets_fonts=parts.sets_fonts)
        for number in [n for n in evident if n in bitmaps] or (() if evident else bitmaps):
            wanted[number].update(dict.fromkeys(bitmaps[number].missing(shown.text, encoding)))
    return {number: "".join(letters) for number, letters in wanted.items() if letters}


def extend(
    parts: Parts, wanted: Mapping[int, str], files: FontFiles, encoding: str, *, partly: bool
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
