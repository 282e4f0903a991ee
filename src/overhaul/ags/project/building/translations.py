"""The translations of a project: its .trs files as the .tra that the game reads."""

from __future__ import annotations

import re
from typing import Final

from overhaul.ags.project.building.releases import Release
from overhaul.ags.text import UTF_8, encode
from overhaul.ags.translating import TranslationSettings, compile_pairs, unescape
from overhaul.errors import EncodeError, SourceError
from overhaul.findings import Findings

_LINES: Final = re.compile(r"\r\n|\r|\n")
_ENCODING: Final = re.compile(rb"^//#Encoding=(\S*)", re.MULTILINE | re.IGNORECASE)
_SETTING, _NOTE, _COMMENT = "//#", "//$", "//"
_NEW: Final = (3, 6)


def translation_of(
    data: bytes, name: str, release: Release, unique_id: int, game: str, findings: Findings
) -> bytes:
    """The .tra of a .trs.  Raises SourceError with the line that is not valid.

    Of a text that is there twice the first translation counts; texts without one are left out.
    ``game`` is the game's name as it is stored.
    """
    settings = TranslationSettings()
    encoding = _encoding(data) if release.since(*_NEW) else ""
    text = data.decode(encoding or "latin-1", "surrogateescape").removeprefix("\ufeff")
    pairs: dict[str, str] = {}
    numbered = enumerate(_LINES.split(text), start=1)
    for number, line in numbered:
        if line.startswith(_SETTING):
            _take(settings, line[len(_SETTING) :], name, number)
        elif not line.startswith(_COMMENT):
            translated = next(numbered, (0, ""))[1]
            if line in pairs:
                if translated and translated != pairs[line]:
                    findings.warn(
                        "two-translations",
                        f"{unescape(line)[:60]!r} has a translation already, which counts",
                        name,
                        line=number,
                    )
                continue
            pairs[line] = translated
    made = [
        (_stored(unescape(source), encoding), _stored(unescape(new), encoding))
        for source, new in pairs.items()
        if source and new
    ]
    if not made and not release.since(*_NEW):
        raise SourceError("the translation has no translated line", name=name)
    settings.encoding = encoding
    return compile_pairs(
        made, settings, unique_id=unique_id, name=game, release=_as_release(release)
    )


def _as_release(release: Release) -> tuple[int, ...]:
    """A build of four numbers."""
    return (*release.build, *(0,) * (4 - len(release.build)))


def _encoding(data: bytes) -> str:
    """The encoding that a .trs of 3.6 names; "" for that of the system, whose bytes stay."""
    named = _ENCODING.search(data)
    word = named[1].decode("ascii", "replace").upper() if named is not None else ""
    return UTF_8 if word in ("UTF-8", "UTF8") else ""


def _take(settings: TranslationSettings, line: str, name: str, number: int) -> None:
    key, equals, value = line.partition("=")
    if not equals:
        return
    try:
        settings.take_line(key.strip(), value.strip())
    except EncodeError as error:
        raise SourceError(error.message, number, 1, name=name) from error


def _stored(text: str, encoding: str) -> bytes:
    return encode(text) if encoding else text.encode("latin-1", "replace")
