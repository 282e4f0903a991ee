"""The resources of a document by kind, with the address of each, and what people call them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

from overhaul.document.names import FileNames
from overhaul.document.protocol import Document, NamesKinds, Resource
from overhaul.document.views import HasResources
from overhaul.suggest import plural as plural

#: Words of kinds that are initials.
_INITIALS = re.compile(r"\b(?:gui|ui|id)(?=s?\b)")


class ListedResource(NamedTuple):
    """A resource with its address: ``/slug/key``.  ``position`` counts in its kind from 0."""

    kind: str
    slug: str
    key: str
    name: str
    path: str
    size: int | None
    position: int


class Listing(NamedTuple):
    """All resources of a kind, by the last part of their addresses; ``noun``: one of them."""

    kind: str
    slug: str
    title: str
    noun: str
    entries: dict[str, ListedResource]


def listings_in(document: Document) -> dict[str, Listing]:
    """The kinds of resources of a document by address, in its order."""
    shown: object = document
    more = shown.also_shown() if isinstance(shown, HasResources) else ()
    return listings_of([*document.tree(), *more], partial(kind_called, document))


def kind_called(document: object, kind: str) -> str:
    """The word that people use for a resource of a kind in such a file."""
    return document.kind_word(kind) if isinstance(document, NamesKinds) else kind


def listings_of(
    resources: Iterable[Resource], called: Callable[[str], str] = str
) -> dict[str, Listing]:
    """Resources by kind, with an address each; ``called`` is what people call a kind."""
    listings: dict[str, Listing] = {}
    slugs: dict[str, str] = {}
    names: dict[str, FileNames] = {}
    for resource in resources:
        kind = resource.kind
        slug = slugs.get(kind)
        if slug is None:
            slug = slugs[kind] = plural(kind).replace(" ", "-")
            names[kind] = FileNames()
            word = called(kind)
            listings[slug] = Listing(kind, slug, capitalised(plural(word)), capitalised(word), {})
        entries = listings[slug].entries
        key = names[kind](resource.name)
        if key.endswith(".json"):  # that is the address of a page's JSON
            key = f"{key.removesuffix('.json')}%2Ejson"
        entries[key] = ListedResource(
            kind, slug, key, resource.name, resource.path, resource.size, len(entries)
        )
    return listings


def capitalised(kind: str) -> str:
    """The name of a kind at the beginning of a line: ``Sprite``, ``GUIs``, ``Room UIs``."""
    written = _INITIALS.sub(lambda found: found[0].upper(), kind)
    return f"{written[:1].upper()}{written[1:]}"


def uncapitalised(title: str) -> str:
    """The title of a kind inside a sentence: ``sprites``, ``GUIs``."""
    return title if title[:2].isupper() else title[:1].lower() + title[1:]
