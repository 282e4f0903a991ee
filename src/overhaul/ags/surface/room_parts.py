"""The places in a room: areas in masks, and objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from overhaul.ags.surface.base import Fields, Part, Setting
from overhaul.document.refs import Ref

if TYPE_CHECKING:
    from overhaul.ags.drawing import Area as DrawnArea
    from overhaul.ags.drawing import Placed
    from overhaul.ags.room.records import RoomObject as ObjectRecord
    from overhaul.ags.surface.sprites import Sprite


class Area(Part):
    """A hotspot, region, walkable area or walk-behind: the pixels with its number in a mask.

    ``drawn`` are these pixels, None where it has none; ``baseline`` is that of a walk-behind.
    ``kind`` is one of these.
    """

    __slots__ = ("baseline", "drawn", "kind", "number")

    def __init__(
        self,
        kind: str,
        number: int,
        fields: Fields,
        drawn: DrawnArea | None,
        baseline: int | None,
        setting: Setting,
    ) -> None:
        self.kind: str = kind
        self.number: int = number
        super().__init__(fields, setting)
        self.drawn: DrawnArea | None = drawn
        self.baseline: int | None = baseline

    def __repr__(self) -> str:
        return f"<{self.kind} {self.number} {self.script_name or self.name}>"


class Areas(NamedTuple):
    """The areas of a kind that have pixels, by number; ``total`` are in the file.

    ``title`` and ``about`` are what a page says of them; these with pixels are ``drawn``.
    """

    kind: str
    title: str
    about: str
    drawn: list[Area]
    total: int


class RoomObject(Part):
    """An object as it stands when the room is entered first; places are in pixels.

    ``sprite`` is the one it has then.
    """

    __slots__ = ("_placed", "_stored", "sprite")

    def __init__(
        self,
        placed: Placed,
        stored: ObjectRecord,
        fields: Fields,
        sprite: Ref[Sprite],
        setting: Setting,
    ) -> None:
        self._placed = placed
        self._stored = stored
        super().__init__(fields, setting)
        self.sprite: Ref[Sprite] = sprite

    @property
    def number(self) -> int:
        """Its number in the room."""
        return self._placed.number

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, width and height: those of its sprite, where that is ``known``."""
        return self._placed.box

    @property
    def known(self) -> bool:
        """Whether its sprite is known."""
        return self._placed.known

    @property
    def x(self) -> int:
        """Where it stands at first, as scripts have it."""
        return self._stored.x

    @x.setter
    def x(self, new: int) -> None:
        self.edit(StartX=new)

    @property
    def y(self) -> int:
        """Where it stands at first, as scripts have it: since 2.5 of its lower edge."""
        return self._stored.y

    @y.setter
    def y(self, new: int) -> None:
        self.edit(StartY=new)

    @property
    def visible(self) -> bool:
        """Whether it is on at first."""
        return self._placed.visible

    @visible.setter
    def visible(self, new: bool) -> None:
        self.edit(Visible=new)

    def __repr__(self) -> str:
        return f"<object {self.number} {self.script_name or self.name}>"
