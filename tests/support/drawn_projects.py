"""Small projects whose resources are made of records, to be looked at."""

from __future__ import annotations

from typing import Any

from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.classic.fields import Deflated, Slot
from overhaul.gamemaker.classic.kinds import empty_project, item_version
from overhaul.gamemaker.classic.pictures import bmp_of
from overhaul.gamemaker.classic.resources import Background, OldPicture, OldSprite, Picture, Sprite

RED, GREEN, BLUE, CLEAR = (255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 255), (9, 9, 9, 0)
WHITE, BLACK = (255, 255, 255, 255), (0, 0, 0, 255)


def pixels(*rows: list[tuple[int, int, int, int]]) -> Any:
    """Rows of colours as an array."""
    import numpy

    return numpy.array(rows, numpy.uint8)


def picture(shown: Any) -> Picture:
    """A picture as Game Maker 8 stores it."""
    height, width = shown.shape[:2]
    stored = shown[:, :, [2, 1, 0, 3]].tobytes()
    return Picture(version=800, width=width, height=height, pixels=stored)


class Made:
    """A project that is filled one resource at a time; each gets the next id of its kind."""

    def __init__(self, version: int = 810) -> None:
        self.version = version
        self.project = empty_project(version)

    def add(self, kind: str, name: str, resource: Any) -> int:
        """Add a resource; its id."""
        slots = getattr(self.project, kind).slots
        if kind == "objects" and not resource.categories:
            resource.categories = [[] for _ in range(resource.last_category + 1)]
        slots.append(Slot(exists=1, name=name, resource=resource))
        return len(slots) - 1

    def sprite(self, name: str, *frames: Any, origin: tuple[int, int] = (0, 0)) -> int:
        """Add a sprite."""
        x, y = origin
        height, width = frames[0].shape[:2] if frames else (0, 0)
        made: OldSprite | Sprite
        if self.version < 800:
            old = [OldPicture(file=Deflated.of(bmp_of(frame))) for frame in frames]
            made = OldSprite(version=542, width=width, height=height, frames=old)
        else:
            made = Sprite(version=800, frames=[picture(frame) for frame in frames])
        made.origin_x, made.origin_y = x, y
        return self.add("sprites", name, made)

    def background(self, name: str, shown: Any, **fields: Any) -> int:
        """Add a background."""
        height, width = shown.shape[:2]
        made = Background(version=item_version("backgrounds", self.version), **fields)
        if self.version < 800:
            made.width, made.height, made.has_image = width, height, 1
            made.old_image = OldPicture(file=Deflated.of(bmp_of(shown)))
        else:
            made.image = picture(shown)
        return self.add("backgrounds", name, made)

    @property
    def document(self) -> ProjectDocument:
        """The project as a document."""
        return ProjectDocument.of(self.project)
