"""Files of typefaces that draw the letters which a translation needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from overhaul.gamemaker.data.resources.typesetting import Typefaces, typefaces_of

if TYPE_CHECKING:
    import polib

    from overhaul.media.typeface import Typeface


@dataclass
class FontFiles:
    """The typefaces that draw missing letters: for each font by its name, and for all others.

    With ``rebuild`` fonts that lack letters are drawn again, so that all of their letters look
    alike; else the old ones stay as they are.
    """

    common: list[Typeface] = field(default_factory=list)
    by_name: Mapping[str, list[Typeface]] = field(default_factory=dict)
    rebuild: bool = False


def font_files(
    ttf: Typefaces | None, fonts: Mapping[str, Typefaces] | None, *, rebuild: bool = False
) -> FontFiles | None:
    """Typefaces of files; None for none.  Raises FormatError for what is none, OSError."""
    if ttf is None and not fonts:
        return None
    by_name = {name: typefaces_of(each) for name, each in (fonts or {}).items()}
    return FontFiles([] if ttf is None else typefaces_of(ttf), by_name, rebuild)


def letters(messages: polib.POFile) -> str:
    """The characters of the translations, in order; of obsolete ones not."""
    texts = (str(entry.msgstr) for entry in messages if not entry.obsolete)
    return "".join(sorted(set("".join(texts))))
