"""What the pages of Game Maker projects share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar, cast

from overhaul.viewer.opened import NotThere

if TYPE_CHECKING:
    from overhaul.gamemaker.classic.documents.games import GameDocument
    from overhaul.gamemaker.classic.fields import VersionedRecord
    from overhaul.gamemaker.classic.surface.base import Resource, Resources
    from overhaul.viewer.answers import Asked
    from overhaul.viewer.opened import Opened

S = TypeVar("S", bound="Resource[VersionedRecord]")


def document_of(opened: Opened) -> GameDocument:
    """The project."""
    return cast("GameDocument", opened.document)


def resource_of(asked: Asked, kind: Callable[[GameDocument], Resources[S]]) -> S:
    """The resource of a request: ``resource_of(asked, lambda document: document.sprites)``.

    It is the one at the place of the request's, as several may have one name.  Raises NotThere.
    """
    entry, found = asked.resource, kind(document_of(asked.opened))
    if not entry.position < len(found) or found[entry.position].name != entry.name:
        raise NotThere(f"there is no {entry.kind} {entry.name!r}")
    return found[entry.position]
