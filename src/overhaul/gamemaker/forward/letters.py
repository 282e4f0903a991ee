"""The letters of fonts, drawn with a typeface of this machine, if it has what a font names."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from overhaul.errors import FormatError
from overhaul.gamemaker.data.chunks.font import Glyph
from overhaul.gamemaker.data.resources.typesetting import Style, picture_of, typeset
from overhaul.gamemaker.data.version import Version
from overhaul.media import png
from overhaul.media.typeface import Typeface

_RELEASE: Final = Version(16, 1, 4, 9999)
_ENDINGS: Final = (".ttf", ".otf")
#: A file whose name begins otherwise than its typeface is not looked at.
_BEGINNING: Final = 3
_MOST_LETTERS: Final = 2000
_MOST_BYTES: Final = 32 << 20
#: The names of styles that are upright, and those that are slanted.
_UPRIGHT, _SLANTED = ("regular", "book", "normal", "roman", ""), ("italic", "oblique")


class Letters(NamedTuple):
    """The glyphs of a font, and the picture with them as PNG."""

    glyphs: list[Glyph]
    picture: bytes


def system_folders() -> list[str]:
    """The folders that a system has its typefaces in."""
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA", home)
        windows = os.environ.get("WINDIR", "C:\\Windows")
        return [f"{windows}\\Fonts", f"{local}\\Microsoft\\Windows\\Fonts"]
    if sys.platform == "darwin":
        return ["/System/Library/Fonts", "/Library/Fonts", f"{home}/Library/Fonts"]
    return ["/usr/share/fonts", "/usr/local/share/fonts", f"{home}/.fonts",
            f"{home}/.local/share/fonts"]  # fmt: skip


@lru_cache(maxsize=4)
def _files(folders: tuple[str, ...]) -> tuple[str, ...]:
    """The files of typefaces in some folders."""
    found: list[str] = []
    for folder in folders:
        for place, _, names in os.walk(folder):
            found += [os.path.join(place, name) for name in names
                      if name.lower().endswith(_ENDINGS)]  # fmt: skip
    return tuple(sorted(found))


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def _candidates(family: str, folders: Sequence[str]) -> Iterator[Typeface]:
    """The typefaces of a family."""
    wanted = _plain(family)
    for path in _files(tuple(folders)):
        if not wanted or _plain(os.path.basename(path))[:_BEGINNING] != wanted[:_BEGINNING]:
            continue
        try:
            if os.path.getsize(path) > _MOST_BYTES:
                continue
            with open(path, "rb") as file:
                typeface = Typeface(file.read(), path)
        except (OSError, FormatError):  # another file may have it
            continue
        if _plain(typeface.family) == wanted:
            yield typeface


@lru_cache(maxsize=32)
def _typeface(family: str, bold: bool, italic: bool, folders: tuple[str, ...]) -> Typeface | None:
    """The typeface of a family and a style; None where this machine lacks it."""
    for typeface in _candidates(family, folders):
        words = typeface.style.lower().split()
        is_bold = "bold" in words
        is_italic = any(word in words for word in _SLANTED)
        rest = [word for word in words if word not in ("bold", *_SLANTED, *_UPRIGHT)]
        if (is_bold, is_italic, rest) == (bold, italic, []):
            return typeface
    return None


def letters_of(
    family: str,
    points: float,
    style: tuple[bool, bool],
    characters: Sequence[int],
    *,
    smooth: bool = True,
) -> Letters | None:
    """The letters of a font that a typeface of this machine has; None without one.

    ``style`` is whether it is bold, and whether it is italic.
    """
    typeface = _typeface(family, *style, tuple(system_folders()))
    if typeface is None:
        return None
    wanted = [number for number in characters if number in typeface.characters]
    if not wanted or len(wanted) > _MOST_LETTERS:
        return None
    try:
        made = typeset([typeface], wanted, points, Style(antialias=smooth), _RELEASE)
        picture = picture_of(made)
    except (ValueError, FormatError):  # a size or an outline that can't be drawn
        return None
    return Letters(made.glyphs, png.encode(picture))
