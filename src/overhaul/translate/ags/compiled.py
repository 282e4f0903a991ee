"""Compiled translations (.tra) from messages, and messages from them."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING, Final

import polib

from overhaul.ags.documents.translation import TranslationDocument
from overhaul.ags.text import UTF_8, is_foreign, show
from overhaul.ags.translating import FLAGS_SINCE, settings_in
from overhaul.ags.translation import (
    DICTIONARY,
    GAME_ID,
    TEXT_OPTIONS,
    GameIdBlock,
)
from overhaul.bounds import MESSAGE, Budget
from overhaul.errors import FormatError
from overhaul.translate.ags.settings import Settings
from overhaul.translate.results import new_messages, one_line

if TYPE_CHECKING:
    pass

_FONTS_SINCE: Final = (3, 6, 3)


def unsupported(settings: Settings, release: tuple[int, ...]) -> list[str]:
    """The settings that games of a release do not know."""
    features = []
    if settings.fonts and release < _FONTS_SINCE:
        features.append("fonts in place of others")
    if settings.translates_parser and not (release >= FLAGS_SINCE and release[0] == 3):
        features.append("AutoTranslateParserSaid")
    return features


def read(data: bytes, name: str, encoding: str | None) -> polib.POFile:
    """The messages of a .tra; ``encoding`` is its code page, if it names none.  Raises
    FormatError."""
    document = TranslationDocument.from_bytes(data, source=name)
    if encoding is not None and document.declared_encoding() is None:
        document.encoding = known_encoding(encoding, name)
    return to_messages(document)


def to_messages(document: TranslationDocument) -> polib.POFile:
    """The texts of a .tra, with their translations.

    The game's name and number are not there: a translation is put into a game again.  Raises
    FormatError for texts that are not in the translation's encoding.
    """
    translation = document.translation
    encoding = document.encoding
    game = translation.blocks.find(GAME_ID, GameIdBlock)
    made = new_messages(_read(game.game_name, encoding) if game is not None else "")
    made.header = "Made from a compiled translation of Adventure Game Studio"
    made.metadata.update(_settings(document).headers())
    language = _settings(document).language
    if language:
        made.metadata["Language"] = one_line(language)
    known = {GAME_ID, DICTIONARY, TEXT_OPTIONS, "ext_sopts", "ext_fonts"}
    for block in translation.blocks.blocks:
        if block.id not in known:
            made.header += f"\nIts block {block.id!r} is not in this file"
    seen: set[str] = set()
    budget = Budget(len(document.to_bytes()), document.source)
    for number, pair in enumerate(translation.pairs):
        source, new = _read(pair.source, encoding), _read(pair.text, encoding)
        if is_foreign(source) or is_foreign(new):
            advice = ": name its code page (latin-1 has all bytes)"
            raise FormatError(
                f"not a text in {encoding}{'' if document.declared_encoding() else advice}",
                source=document.source,
                path=f"pairs[{number}]",
            )
        if source and source not in seen:  # the game takes the first of several
            seen.add(source)
            budget.take(MESSAGE, f"pairs[{number}]")
            made.append(polib.POEntry(msgid=source, msgstr=new))
    return made


def known_encoding(name: str, source: str) -> str:
    """A code page by its name.  Raises FormatError for an unknown one."""
    try:
        return codecs.lookup(name).name
    except (LookupError, ValueError):
        raise FormatError(f"unknown encoding {name!r:.40}", source=source) from None


def _settings(document: TranslationDocument) -> Settings:
    foreign = document.has_foreign_texts()
    named = document.declared_encoding() or (document.encoding if foreign else "")
    return Settings(**vars(settings_in(document.translation, named)))


def _read(text: str, encoding: str) -> str:
    text = text.split("\0")[0]
    return text if encoding == UTF_8 else show(text, encoding)
