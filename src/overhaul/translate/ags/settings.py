"""The settings of a translation: headers ``X-AGS-...`` of the messages, comments of a .trs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from overhaul.ags.text import ANSI, UTF_8
from overhaul.ags.translation import FontReplacement
from overhaul.errors import EncodeError
from overhaul.translate.results import one_line, refuse

if TYPE_CHECKING:
    import polib

_PREFIX: Final = "X-AGS-"
_DEFAULT: Final = "DEFAULT"
_DIRECTIONS: Final = {_DEFAULT: -1, "LEFT": 1, "RIGHT": 2}
_FONT_NAME: Final = re.compile(r"Font(\d+)")
#: the header of a line of a .trs that no editor knows
_TAG: Final = f"{_PREFIX}Tag-"
#: the game that editors since 3.6.3 name
_OF_GAME: Final = {"gameid": "GameID", "gamename": "GameName"}
_KNOWN: Final = frozenset(
    {"normalfont", "speechfont", "textdirection", "encoding", "language", *_OF_GAME}
    | {"autotranslateparsersaid"}
)
#: the header of each setting of a .trs
NAMES: Final = ("NormalFont", "SpeechFont", "TextDirection", "Encoding", "AutoTranslateParserSaid")
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


@dataclass
class Settings:
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

    @classmethod
    def of(cls, metadata: Mapping[str, str]) -> Settings:
        """The settings in the header of messages.  Raises EncodeError for one that is not valid."""
        made = cls()
        for name, value in metadata.items():
            folded = name.casefold()
            if folded == "language":
                made.language = value.strip().replace("-", "_")
            elif folded.startswith(_TAG.casefold()):
                made.others[name[len(_TAG) :]] = value.strip()
            elif folded.startswith(_PREFIX.casefold()) and value.strip():
                made.take(name[len(_PREFIX) :], value.strip())
        return made

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
                self.others[_OF_GAME[name.casefold()]] = value
            case _:
                number = _FONT_NAME.fullmatch(name.capitalize())
                if number is None:
                    raise EncodeError(f"unknown setting {_PREFIX}{name}")
                self.fonts.append(_replacement(name, int(number[1]), value))

    def headers(self) -> dict[str, str]:
        """The headers of messages that have the settings."""
        return {
            (_TAG if name in self.others and name not in _OF_GAME.values() else _PREFIX) + name:
                one_line(value)
            for name, value in self.lines().items()
        }  # fmt: skip

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


def settings_of(messages: polib.POFile) -> Settings:
    """The settings of messages.  Raises EncodeError with the name of their file."""
    try:
        return Settings.of(messages.metadata)
    except EncodeError as error:
        refuse(messages, None, error.message)


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
    except (LookupError, UnicodeError):
        pass
    raise _wrong("Encoding", "UTF-8, ASCII or a code page such as cp1252", name)


def code_page_of(language: str) -> str:
    """The code page that Windows has for a language such as ``ru`` or ``pt_BR``."""
    key = language.casefold()
    return _OF_LANGUAGE.get(key) or _OF_LANGUAGE.get(key.partition("_")[0], ANSI)


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
    return EncodeError(f"{_PREFIX}{name}: expected {expected}, got {value!r:.60}")
