"""How resources look in a room: a picture, its size, and where its origin is in it."""

from __future__ import annotations

import msgspec

from overhaul.document.room_views import MaskedView
from overhaul.document.views import ObjectView, PictureView, SpriteView
from overhaul.viewer.opened import ListedResource, Opened

#: the kind of resource that a field of an element names, by its key
KINDS = {"object": "object", "sprite": "sprite", "background": "background"}


class Look(msgspec.Struct, frozen=True):
    """How elements of one name look: the picture, its size, and where its origin is in it."""

    href: str
    width: float
    height: float
    left: float = 0
    top: float = 0


class Looks:
    """Looks of what elements of a room show, each made once; by the key of the field and a name."""

    def __init__(self, opened: Opened, entry: ListedResource) -> None:
        self.opened, self.entry = opened, entry
        self.made: dict[str, Look] = {}

    def of(self, key: str, name: object) -> str:
        """The key of the look of what a field of an element names; "" where it has none."""
        known = f"{key}:{name}"
        if known not in self.made:
            made = self._make(key, name)
            if made is None:
                return ""
            self.made[known] = made
        return known

    def _make(self, key: str, name: object) -> Look | None:
        if key == "Image" and isinstance(name, int):
            return self._of_slot(name)
        kind = KINDS.get(key, "background")
        entry = self._background(name) if kind == "background" else self.opened.find(name, kind)
        return look_of(self.opened, entry)

    def _background(self, name: object) -> ListedResource | None:
        return self.opened.find(name, "background") or self.opened.find(name, "tile set")

    def _of_slot(self, number: int) -> Look | None:
        room = self.opened.resource(self.entry)
        if not isinstance(room, MaskedView):
            return None
        image = room.sprite_image(number)
        if image is None:
            return None
        href = self.opened.href(self.entry, "sprites", f"{number}.png")
        return Look(href, image.width, image.height, 0, image.height)


def look_of(opened: Opened, entry: ListedResource | None) -> Look | None:
    """How a resource looks; an object as its sprite.  None for one that shows nothing."""
    view = None if entry is None else opened.resource(entry)
    if isinstance(view, ObjectView):
        view = view.sprite
        entry = None if view is None else opened.find(view.name, "sprite")
    if entry is None:
        return None
    if isinstance(view, SpriteView) and len(view.frames):
        left, top = view.origin or (0, 0)
        href = opened.href(entry, "frames", "0.png")
        return Look(href, view.width, view.height, left, top)
    if isinstance(view, PictureView) and view.width:
        return Look(opened.href(entry, "picture.png"), view.width, view.height)
    return None
