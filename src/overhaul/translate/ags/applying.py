"""Translated texts as a compiled translation of a game of Adventure Game Studio."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from overhaul.ags.text import ANSI, UTF_8, encode
from overhaul.ags.translating import compile_pairs
from overhaul.document.protocol import Document
from overhaul.findings import Findings, warning
from overhaul.translate.ags.compiled import unsupported
from overhaul.translate.ags.extracting import (
    UTF_8_SINCE,
    draw_missing,
    encoding_for,
    missing_glyphs,
    placeholders,
)
from overhaul.translate.ags.fonts import lacking
from overhaul.translate.ags.game import GameWithRooms, parts_of
from overhaul.translate.ags.settings import settings_of
from overhaul.translate.ags.texts import all_texts, find_texts, stored_texts
from overhaul.translate.families import Job
from overhaul.translate.results import Translated, quoted, refuse, refuse_broken, usable

if TYPE_CHECKING:
    import polib


def apply(game: Document, messages: polib.POFile, job: Job) -> Translated:
    """The .tra of the translated texts, in the order of the messages; the game does not change.

    With typefaces, bitmap fonts with the letters that translations need are companion files.

    Raises EncodeError for a letter that the encoding lacks, and for other placeholders than those
    of the text, if these are not forced.
    """
    parts = parts_of(game, job.progress)
    settings = settings_of(messages)
    encoding = encoding_for(parts, settings)
    shown = find_texts(parts, job.rules)
    left = {text for text, _ in all_texts(parts)} - shown.keys() if job.rules is not None else set()
    known = stored_texts(parts)
    typefaces = job.typefaces
    files = {} if typefaces is None else draw_missing(parts, messages, shown, typefaces)
    release = parts.release()
    findings = Findings(
        warning("unsupported", f"this release has no {what}")
        for what in unsupported(settings, release)
    )
    known_texts = {str(entry.msgid) for entry in messages} - left
    findings += refuse_broken(messages, known_texts, placeholders, force=job.force)
    pairs: dict[str, tuple[bytes, bytes]] = {}
    missing: list[tuple[str, list[tuple[int, str]]]] = []
    for entry in usable(messages, findings):
        text = str(entry.msgid)
        if text in left:
            findings.warn("left-out", f"{quoted(text)} is left out: a rule excludes it")
        else:
            pairs[text] = _pair(parts, known, entry, messages, encoding)
            places = shown.get(text, [])
            found = missing_glyphs(parts, settings, places, str(entry.msgstr), encoding)
            missing.append((text, found))
    drawn = typefaces is not None
    for each in lacking(missing):
        findings.warn("missing-letters", each.in_words(parts, encoding, drawn=drawn))
    findings += _unknown(parts, [text for text in pairs if text not in shown])
    settings.encoding = encoding
    data = compile_pairs(
        list(pairs.values()),
        settings,
        unique_id=parts.unique_id,
        name=parts.name.split("\0")[0],
        release=release,
    )
    return Translated(data, len(pairs), findings, files)


def _pair(
    parts: GameWithRooms,
    known: Mapping[str, str],
    entry: polib.POEntry,
    messages: polib.POFile,
    encoding: str,
) -> tuple[bytes, bytes]:
    """A text as the game looks it up, and its translation: in UTF-8 both, before 3.6 the text as it
    is stored in the game."""
    source = encoding
    if parts.release() < UTF_8_SINCE:
        source = ANSI if parts.encoding == UTF_8 else parts.encoding
        if entry.msgid in known:
            return encode(known[entry.msgid]), _stored(messages, entry, entry.msgstr, encoding)
    text = _stored(messages, entry, entry.msgid, source)
    return text, _stored(messages, entry, entry.msgstr, encoding)


def _stored(messages: polib.POFile, entry: polib.POEntry, text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        refuse(
            messages,
            entry,
            f"{encoding} lacks {text[error.start]!r}: set X-AGS-Encoding or Language in the header "
            "to one that has it",
        )


def _unknown(parts: GameWithRooms, texts: list[str]) -> Findings:
    findings = Findings()
    if parts.whole:
        for text in texts:
            findings.warn("unknown-text", f"{quoted(text)} is not a text that the game shows")
    elif texts:
        findings.warn(
            "unknown-text",
            f"{len(texts)} texts, {quoted(texts[0])} first, are not in what is here of the game: "
            "they are put in, as rooms that are not here may have them",
        )
    return findings
