"""What the pages of GameMaker games and projects share: the resource of a request, its pictures."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, cast

import msgspec

from overhaul.gamemaker.classic.kinds import BY_PLURAL
from overhaul.gamemaker.classic.surface.base import Resource as ProjectResource
from overhaul.gamemaker.classic.surface.base import S as P
from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.resources.base import Resource, S
from overhaul.gamemaker.data.resources.colour import Colour
from overhaul.media import png
from overhaul.viewer.answers import Answers, Asked, Crumb, Media
from overhaul.viewer.opened import NotThere
from overhaul.viewer.thumbnails import NAME, small

if TYPE_CHECKING:
    from PIL.Image import Image

    from overhaul.gamemaker.classic.documents.games import GameDocument
    from overhaul.gamemaker.classic.surface.base import Resources as ProjectResources
    from overhaul.gamemaker.data.game import GameData
    from overhaul.gamemaker.data.resources.base import Resources
    from overhaul.viewer.opened import Opened


#: the documents whose resources are those of projects
PROJECTS = ("gamemaker-project", "gamemaker-executable")


class Fact(msgspec.Struct, frozen=True, omit_defaults=True):
    """A field in words; ``href``: where what it names is shown, ``colour`` as ``#rrggbb``."""

    name: str
    text: str
    href: str = ""
    colour: str = ""


def facts(opened: Opened, it: object, *names: str) -> list[Fact]:
    """The attributes of a resource in words."""
    return [_fact(opened, name.replace("_", " "), getattr(it, name)) for name in names]


def _fact(opened: Opened, name: str, value: object) -> Fact:
    if isinstance(value, Resource):
        entry = opened.find(value.name, kind_of(value.chunk))
        return Fact(name, value.name, "" if entry is None else opened.href(entry))
    if isinstance(value, ProjectResource):
        kind = BY_PLURAL[value.kind].singular
        return Fact(name, value.name, crumb(opened, value.name, kind).href)
    if isinstance(value, Colour):
        return Fact(name, str(value), "", str(value)[:7])
    if isinstance(value, bool):
        return Fact(name, "yes" if value else "no")
    if isinstance(value, Enum):
        return Fact(name, value.name.lower().replace("_", " "))
    if isinstance(value, float):
        return Fact(name, f"{value:g}")
    return Fact(name, "none" if value is None else str(value))


def kind_of(chunk: str) -> str:
    """What the resources of a chunk are called in the list of resources."""
    kind = CHUNKS[chunk]
    return kind.title or kind.attribute.replace("_", " ")


def crumb(opened: Opened, name: str, kind: str) -> Crumb:
    """A link to a resource; to nothing where it has no page."""
    found = opened.find(name, kind)
    return Crumb(name, "" if found is None else opened.href(found))


def game_of(opened: Opened) -> GameData:
    """The game on show."""
    return cast("GameData", opened.document)


def resource_of(asked: Asked, kind: Callable[[GameData], Resources[S]]) -> S:
    """The resource of a request: ``resource_of(asked, lambda game: game.sprites)``.

    Of several with the same name it is the one at the place of the request's.  Raises NotThere.
    """
    entry, found = asked.resource, kind(game_of(asked.opened))
    at = found.records.at(entry.position)
    named = at is not None and str(at.name or "") == entry.name
    chosen = entry.position if named else entry.name
    it = found.get(chosen)
    if it is None:
        raise NotThere(f"there is no {entry.kind} {entry.name!r}")
    return it


def project_of(opened: Opened) -> GameDocument:
    """The project, or executable, on show."""
    return cast("GameDocument", opened.document)


def project_resource_of(asked: Asked, kind: Callable[[GameDocument], ProjectResources[P]]) -> P:
    """The resource of a request in a project, as :func:`resource_of`.  Raises NotThere."""
    entry, found = asked.resource, kind(project_of(asked.opened))
    if not entry.position < len(found) or found[entry.position].name != entry.name:
        raise NotThere(f"there is no {entry.kind} {entry.name!r}")
    return found[entry.position]


def either_of(
    asked: Asked,
    in_game: Callable[[GameData], Resources[S]],
    in_project: Callable[[GameDocument], ProjectResources[P]],
) -> S | P:
    """The resource of a request in a game or a project.  Raises NotThere."""
    if asked.opened.kind in PROJECTS:
        return project_resource_of(asked, in_project)
    return resource_of(asked, in_game)


def picture_part(image_of: Callable[[Asked], Image | None]) -> Answers:
    """A part that is a PNG, made once of the request's address: ``picture.png``; as
    ``thumbnail.png`` it is small."""

    def part(asked: Asked) -> Media:
        entry = asked.resource

        def make() -> bytes:
            image = image_of(asked)
            if image is None:
                raise NotThere(f"{entry.name} has no picture")
            with asked.opened.aside():
                shown = small(image) if asked.rest == NAME else image
                return png.encode(png.from_image(shown))

        key = ("picture", entry.slug, entry.key, asked.rest)
        return Media(asked.opened.remember(key, make, len), "image/png")

    return part
