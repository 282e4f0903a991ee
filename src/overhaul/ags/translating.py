"""Translations as the editor makes them: what a .trs says of itself, and the .tra of its texts."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from overhaul.ags.blockdata import DecodedBlocks
from overhaul.ags.blocks import TRANSLATION
from overhaul.ags.fields import Unterminated
from overhaul.ags.properties import MapEntry, TextMap
from overhaul.ags.text import ANSI, UTF_8, decode
from overhaul.ags.translation import (
    DICTIONARY,
    GAME_ID,
    TEXT_OPTIONS,
    DictionaryBlock,
    FontReplacement,
    FontsBlock,
    GameIdBlock,
    NewTextOptionsBlock,
    Pair,
    TextOptionsBlock,
    Translation,
)
from overhaul.errors import EncodeError
from overhaul.schema.record import short_repr

if TYPE_CHECKING:
    from overhaul.schema import Record

PREFIX: Final = "X-AGS-"
_DEFAULT: Final = "DEFAULT"
_DIRECTIONS: Final = {_DEFAULT: -1, "LEFT": 1, "RIGHT": 2}
_FONT_NAME: Final = re.compile(r"Font(\d+)")
#: the game that editors since 3.6.3 name
OF_GAME: Final = {"gameid": "GameID", "gamename": "GameName"}
_KNOWN: Final = frozenset(
    {"normalfont", "speechfont", "textdirection", "encoding", "language", *OF_GAME}
    | {"autotranslateparsersaid"}
)
#: the code page in which Windows has a language, for games before UTF-8
_CODE_PAGES: Final = {
    "cp1250": "cs sk pl hu sl hr bs ro sq",
    "cp1251": "ru uk be bg mk sr kk",
    "cp1253": "el",
    "cp1254": "tr az",
    "cp1255": "he yi",
    "cp1256": "ar fa ur",
    "cp1257": "et lv lt",
    "cp1258": "vi",
    "cp874": "th",
    "cp932": "ja",
    "cp936": "zh zh_cn",
    "cp949": "ko",
    "cp950": "zh_tw zh_hk",
}
_OF_LANGUAGE: Final = {
    language: page for page, languages in _CODE_PAGES.items() for language in languages.split()
}


_UTF_8_SINCE: Final = (3, 6)
_LANGUAGE_SINCE: Final = (3, 6, 3)
FLAGS_SINCE: Final = (3, 6, 3, 10)
_WHOLE_LENGTH_SINCE: Final = (3,)
PARSER_FLAG: Final = 1

_BYTE: Final = re.compile(r"\\x([0-9A-Fa-f]{1,2})|\\u([0-9A-Fa-f]{4})|\\(.)", re.DOTALL)
LETTERS: Final = {"n": "\n", "r": "\r", "t": "\t", "a": "\a", "f": "\f", "v": "\v", "e": "\x1b"}
_SHOWN: Final = {value: f"\\{name}" for name, value in LETTERS.items()}


@dataclass
class TranslationSettings:
    """The settings that a translation has for the game; fonts and direction are -1 for the game's.

    ``encoding`` is "" where none is named; ``fonts`` are fonts in place of others; ``others`` are
    the settings of a .trs, by name, such as the game it is for.
    """

    normal_font: int = -1
    speech_font: int = -1
    direction: int = -1
    translates_parser: bool = False
    encoding: str = ""
    language: str = ""
    fonts: list[FontReplacement] = field(default_factory=list)
    others: dict[str, str] = field(default_factory=dict)

    __repr__ = short_repr

    def take_line(self, name: str, value: str) -> None:
        """Apply a line ``name=value`` of a .trs; a name that no editor knows is kept.

        Raises EncodeError if it is not valid.
        """
        known = name.casefold() in _KNOWN or _FONT_NAME.fullmatch(name.capitalize())
        if known:
            self.take(name, value)
        else:
            self.others[name] = value

    def take(self, name: str, value: str) -> None:
        """Set a setting by its name.  Raises EncodeError if it is not valid, or not known."""
        match name.casefold():
            case "normalfont":
                self.normal_font = _font(name, value)
            case "speechfont":
                self.speech_font = _font(name, value)
            case "textdirection":
                if value.upper() not in _DIRECTIONS:
                    raise _wrong(name, "DEFAULT, LEFT or RIGHT", value)
                self.direction = _DIRECTIONS[value.upper()]
            case "encoding":
                self.encoding = encoding_of(value)
            case "language":
                self.language = value.replace("-", "_")
            case "autotranslateparsersaid":
                if value.upper() not in ("ON", "OFF"):
                    raise _wrong(name, "ON or OFF", value)
                self.translates_parser = value.upper() == "ON"
            case "gameid" | "gamename":
                self.others[OF_GAME[name.casefold()]] = value
            case _:
                number = _FONT_NAME.fullmatch(name.capitalize())
                if number is None:
                    raise EncodeError(f"unknown setting {PREFIX}{name}")
                self.fonts.append(_replacement(name, int(number[1]), value))

    def lines(self) -> dict[str, str]:
        """The settings as a .trs has them, without the language."""
        direction = next(name for name, n in _DIRECTIONS.items() if n == self.direction)
        settings = {
            "NormalFont": _DEFAULT if self.normal_font < 0 else str(self.normal_font),
            "SpeechFont": _DEFAULT if self.speech_font < 0 else str(self.speech_font),
            "TextDirection": direction,
            "Encoding": "UTF-8" if self.encoding == UTF_8 else self.encoding or "ASCII",
        }
        if self.translates_parser:
            settings["AutoTranslateParserSaid"] = "ON"
        for font in self.fonts:
            shown = f"Font{font.replacement}"
            if font.replacement < 0:
                numbers = ",".join(map(str, font.settings))
                shown = f"File={font.file_name};Settings={numbers}"
            settings[f"Font{font.font}"] = shown
        return settings | self.others


def encoding_of(name: str) -> str:
    """The encoding that a setting names; "" for ASCII, which means that of the system.

    Raises EncodeError for an unknown one.
    """
    if name.upper() in ("ASCII", _DEFAULT):
        return ""
    if name.upper() in ("UTF-8", "UTF8"):
        return UTF_8
    try:
        if len("é".encode(name, "replace")) == 1 or name.casefold() in _CODE_PAGES:
            return name.casefold()
    except (LookupError, ValueError):  # ValueError: a name with a NUL, and texts that do not fit
        pass
    raise _wrong("Encoding", "UTF-8, ASCII or a code page such as cp1252", name)


def _font(name: str, value: str) -> int:
    if value.upper() == _DEFAULT:
        return -1
    if not value.isascii() or not value.isdigit() or len(value) > 6:
        raise _wrong(name, "DEFAULT or the number of a font", value)
    return int(value)


def _replacement(name: str, font: int, value: str) -> FontReplacement:
    other = _FONT_NAME.fullmatch(value)
    if other is not None:
        return FontReplacement(font, int(other[1]))
    parts = dict(part.partition("=")[::2] for part in value.rstrip(";").split(";"))
    if parts.keys() != {"File", "Settings"}:
        raise _wrong(name, "a font such as Font2", value)
    try:
        numbers = [int(number) for number in parts["Settings"].split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != 11:
        raise _wrong(name, "eleven numbers as Settings", value)
    return FontReplacement(font, -1, numbers, parts["File"])


def _wrong(name: str, expected: str, value: str) -> EncodeError:
    return EncodeError(f"{PREFIX}{name}: expected {expected}, got {value!r:.60}")


def compile_pairs(
    pairs: list[tuple[bytes, bytes]],
    settings: TranslationSettings,
    *,
    unique_id: int,
    name: str,
    release: tuple[int, ...],
) -> bytes:
    """The .tra of texts and their translations, laid out as the editor of a release does.

    ``name`` is the game's, as stored; the pairs are in the encodings that the game expects.
    """
    text: Callable[[str], str] = Unterminated if release >= _UTF_8_SINCE else str
    made = Translation(DecodedBlocks(TRANSLATION), short_id=release < _WHOLE_LENGTH_SINCE)
    stored = [Pair(text(decode(source)), text(decode(new))) for source, new in pairs]
    options: TextOptionsBlock
    if release >= FLAGS_SINCE and release[0] == 3:
        options = NewTextOptionsBlock(flags=PARSER_FLAG if settings.translates_parser else 0)
    else:
        options = TextOptionsBlock()
    options.normal_font = settings.normal_font
    options.speech_font = settings.speech_font
    options.direction = settings.direction
    blocks: list[tuple[int | str, Record]] = [
        (GAME_ID, GameIdBlock(unique_id, text(name))),
        (DICTIONARY, DictionaryBlock([*stored, Pair(text(""), text(""))])),
        (TEXT_OPTIONS, options),
    ]
    if release >= _UTF_8_SINCE:
        hint = "UTF-8" if settings.encoding == UTF_8 else "ASCII"
        entries = [MapEntry("encoding", hint)]
        if release >= _LANGUAGE_SINCE:
            entries.append(MapEntry("language", settings.language or "en_US"))
        blocks.append(("ext_sopts", TextMap(entries)))
    if settings.fonts:
        blocks.append(("ext_fonts", FontsBlock(settings.fonts)))
    for id, content in blocks:
        made.blocks.add(id, content)
    return made.to_bytes()


def code_page_of(language: str) -> str:
    """The code page that Windows has for a language such as ``ru`` or ``pt_BR``."""
    key = language.casefold()
    return _OF_LANGUAGE.get(key) or _OF_LANGUAGE.get(key.partition("_")[0], ANSI)


def unescape(line: str) -> str:
    """The text of a line: ``\\n``, ``\\"``, ``\\x41``; ``\\[`` stays, as the game reads it."""
    return _BYTE.sub(_letter, line)


def _letter(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    if code:
        number = int(code, 16)
        return chr(number) if number and not 0xD800 <= number < 0xE000 else match[0]
    return "\\[" if match[3] == "[" else LETTERS.get(match[3], match[3])


def escape(text: str, *, quotes: bool = False) -> str:
    """The line of a text; undone by :func:`unescape`.  With ``quotes``, these are escaped too."""
    made = re.sub(r"\\(?!\[)", r"\\\\", text)
    made = "".join(_SHOWN.get(letter, letter) for letter in made)
    return made.replace('"', '\\"') if quotes else made


def settings_in(translation: Translation, encoding: str) -> TranslationSettings:
    """The settings that a compiled translation has; ``encoding`` is that of its texts, or ""."""
    made = TranslationSettings(encoding=encoding)
    blocks = translation.blocks
    options = blocks.find(TEXT_OPTIONS, TextOptionsBlock)
    if options is not None:
        made.normal_font, made.speech_font = options.normal_font, options.speech_font
        if options.direction in (1, 2):
            made.direction = options.direction
        if isinstance(options, NewTextOptionsBlock):
            made.translates_parser = bool(options.flags & PARSER_FLAG)
    texts = blocks.find("ext_sopts", TextMap)
    if texts is not None:
        made.language = (texts.get("language") or "").replace("-", "_")
    fonts = blocks.find("ext_fonts", FontsBlock)
    if fonts is not None:
        made.fonts = [
            FontReplacement(font.font, font.replacement, font.settings, font.file_name)
            for font in fonts.fonts
        ]
    return made
