"""The page of a translation: the texts and their translations side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast
from urllib.parse import urlencode

import msgspec

from overhaul.viewer.answers import Asked, Page
from overhaul.viewer.pages import generic

if TYPE_CHECKING:
    from overhaul.ags.documents.translation import TranslationDocument

#: texts on a page
PAGE: Final = 500


class Pair(msgspec.Struct, frozen=True):
    """A text and its translation, which is empty where there is none."""

    number: int
    source: str
    text: str


class TranslationPage(generic.ResourcePage, frozen=True):
    """A translation; ``found`` of its ``count`` texts contain ``filter``.

    ``only``: ``untranslated``, ``translated`` or empty for both; ``next`` and ``back`` are the
    addresses of the texts that follow and come before.
    """

    count: int
    translated: int
    found: int
    filter: str
    only: str
    pairs: list[Pair]
    next: str
    back: str


def show_translation(asked: Asked) -> TranslationPage:
    """The page of a translation; as JSON, all texts that are asked for."""
    opened, entry = asked.opened, asked.resource
    document = cast("TranslationDocument", opened.document)
    every = [
        Pair(number, document.shown(str(each.source)), document.shown(str(each.text)))
        for number, each in enumerate(document.translation.pairs, 1)
    ]
    text, only = asked.query.get("filter", ""), asked.query.get("only", "")
    wanted = text.casefold()
    found = [
        each
        for each in every
        if (wanted in each.source.casefold() or wanted in each.text.casefold())
        and (
            only not in ("translated", "untranslated") or (only == "translated") == bool(each.text)
        )
    ]
    start = asked.number("from")
    following = len(found) if asked.json else start + PAGE

    def address(start: int) -> str:
        return f"{opened.href(entry)}?{urlencode({'filter': text, 'only': only, 'from': start})}"

    return TranslationPage(
        **msgspec.structs.asdict(generic.base(asked, "text")),
        count=len(every),
        translated=sum(bool(each.text) for each in every),
        found=len(found),
        filter=text,
        only=only,
        pairs=found[start:following],
        next=address(following) if following < len(found) else "",
        back=address(max(0, start - PAGE)) if start else "",
    )


TRANSLATION = Page(show_translation, "ags-translation.html", {"files": generic.file_part})
