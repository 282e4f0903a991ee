"""The pages of texts: one that players read, translations side by side, constants."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

import msgspec

from overhaul.document.views import TextsView, TextView
from overhaul.viewer.answers import Asked, Page
from overhaul.viewer.pages import generic

#: texts on a page
PAGE: Final = 500


class TextPage(generic.ResourcePage, frozen=True):
    """A text that players read."""

    text: str


def show_text(asked: Asked) -> TextPage:
    """The page of a text."""
    view = asked.view
    if not isinstance(view, TextView):
        raise asked.nothing()
    return TextPage(**msgspec.structs.asdict(generic.base(asked, "text", "other")), text=view.text)


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
    opened, entry, view = asked.opened, asked.resource, asked.view
    if not isinstance(view, TextsView):
        raise asked.nothing()
    pairs = [Pair(number, *pair) for number, pair in enumerate(view.pairs, 1)]
    text, only = asked.query.get("filter", ""), asked.query.get("only", "")
    wanted = text.casefold()
    matching = [
        pair
        for pair in pairs
        if (wanted in pair.source.casefold() or wanted in pair.text.casefold())
        and (
            only not in ("translated", "untranslated") or (only == "translated") == bool(pair.text)
        )
    ]
    start = asked.number("from")
    following = len(matching) if asked.json else start + PAGE

    def address(start: int) -> str:
        return f"{opened.href(entry)}?{urlencode({'filter': text, 'only': only, 'from': start})}"

    return TranslationPage(
        **msgspec.structs.asdict(generic.base(asked, "text")),
        count=len(pairs),
        translated=sum(bool(pair.text) for pair in pairs),
        found=len(matching),
        filter=text,
        only=only,
        pairs=matching[start:following],
        next=address(following) if following < len(matching) else "",
        back=address(max(0, start - PAGE)) if start else "",
    )


TEXT = Page(show_text, "project-information.html", {"files": generic.file_part})
TRANSLATION = Page(show_translation, "ags-translation.html", {"files": generic.file_part})
