"""The first page of a file; the list of files; errors."""

from __future__ import annotations

import msgspec

from overhaul.viewer.answers import Asked, Shown
from overhaul.viewer.frame import KindLink, kind_links


class Overview(msgspec.Struct, frozen=True):
    """What a file is."""

    title: str
    kind: str
    version: str
    info: dict[str, object]
    kinds: list[KindLink]
    warnings: list[str]


class DocumentLink(msgspec.Struct, frozen=True):
    """A file that is open; ``diff``: where it is compared with the next one of its kind."""

    title: str
    kind: str
    href: str
    diff: str


class Documents(msgspec.Struct, frozen=True):
    """The files that are open."""

    documents: list[DocumentLink]


class ErrorPage(msgspec.Struct, frozen=True):
    """What went wrong."""

    status: int
    error: str


def show_overview(asked: Asked) -> Shown:
    """The first page of a file."""
    opened = asked.opened
    document = opened.document
    info = document.info()
    name = info.get("display_name") or info.get("name")
    data = Overview(
        str(name or opened.title),
        document.kind,
        document.version,
        info,
        kind_links(opened),
        list(document.warnings),
    )
    return Shown("overview.html", data)


def show_documents(asked: Asked) -> Shown:
    """The list of the files that are open."""
    documents = asked.site.documents
    links = []
    for number, each in enumerate(documents):
        later = range(number + 1, len(documents))
        other = next((n for n in later if documents[n].kind == each.kind), 0)
        diff = f"{each.prefix}/-/diff/{other + 1}" if other else ""
        links.append(DocumentLink(each.title, each.kind, f"{each.prefix}/", diff))
    return Shown("documents.html", Documents(links), "Files")
