"""Letters of a translation drawn into the fonts that lack them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING

from overhaul.errors import OverhaulError
from overhaul.suggest import did_you_mean
from overhaul.translate.gamemaker.faces import UNKNOWN_LOOK, Faces, letters_of

if TYPE_CHECKING:
    from overhaul.gamemaker.data.game import GameData
    from overhaul.translate.typefaces import FontFiles


def check_names(files: FontFiles, game: GameData) -> None:
    """Raise KeyError for the name of a font that the game has not."""
    names = game.fonts.names()
    for name in files.by_name:
        if name not in names:
            raise KeyError(f"there is no font named {name!r}{did_you_mean(name, names)}")


def extend(files: FontFiles, faces: Faces, wanted: Mapping[str, str]) -> None:
    """Draw what the translations (by their texts) need; where the font of a text is not evident,
    into all fonts.  Raises ValueError for letters that no typeface has."""
    needed: defaultdict[str, set[str]] = defaultdict(set)
    for text, new in wanted.items():
        letters = letters_of(faces.game, new)
        for look in faces.looks.get(text, UNKNOWN_LOOK):
            face = faces.of(look)
            if look.drawn and (face is None or not face.of_sprite):
                for name in faces.fonts if face is None else (face.name,):
                    needed[name] |= letters
    for name, letters in needed.items():
        typefaces = files.by_name.get(name, files.common)
        font = faces.game.fonts[name]
        if not typefaces or not (missing := font.missing("".join(sorted(letters)))):
            continue
        try:
            if files.rebuild:
                font.rebuild(typefaces, chars=[*font.glyphs, *missing])
            else:
                font.add_glyphs(typefaces, missing)
        except OverhaulError:
            raise
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
