"""The interface of rooms for pages, drawings and lists, whatever the family of the game.

A room is a resource (:class:`~overhaul.document.views.ResourceView`) that is drawn: these are its
parts, and what draws it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from overhaul.document.views import CodeView, ResourceView

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol, runtime_checkable

    from PIL.Image import Image
else:  # the functions of typing evaluate properties
    from overhaul.document.protocol import Protocol, runtime_checkable


class LayerShown(NamedTuple):
    """A part of a room's picture that can be drawn by itself.

    ``name`` is what ``View.layers`` calls it, ``about`` says what it is, ``visible`` whether the
    game shows it at first. A layer of less ``depth`` is drawn above, and of the same depth the
    later one.
    """

    name: str
    about: str = ""
    visible: bool = True
    depth: int = 0


class Area(NamedTuple):
    """The part of a room that a view shows: ``x``, ``y``, ``width`` and ``height`` in pixels;
    ``number`` is that of the view.
    """

    number: int
    x: int
    y: int
    width: int
    height: int


class PlacedSprite(Protocol):
    """The sprite of an instance, as far as its place needs it.

    ``width``, ``height`` and ``origin`` are in pixels.
    """

    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def origin(self) -> tuple[int, int] | None: ...


class PlacedObject(Protocol):
    """The thing that an instance is made of.

    ``name`` is that of the object, ``sprite`` the one it has at first.
    """

    @property
    def name(self) -> str: ...
    @property
    def sprite(self) -> PlacedSprite | None: ...


class InstanceView(Protocol):
    """An object in a room: its origin in pixels (``x``, ``y``), its scale (``scale_x``,
    ``scale_y``), its ``rotation`` in degrees (counterclockwise).

    ``creation_code`` is a resource of its own, its source, or None.  ``id`` is the instance's own,
    ``object`` what it is one of, ``layer_name`` the layer that it is on.
    """

    @property
    def id(self) -> int: ...
    @property
    def object(self) -> PlacedObject | None: ...
    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...
    @property
    def scale_x(self) -> float: ...
    @property
    def scale_y(self) -> float: ...
    @property
    def rotation(self) -> float: ...
    @property
    def layer_name(self) -> str | None: ...
    @property
    def creation_code(self) -> CodeView | str | None: ...


class RoomDrawing(Protocol):
    """A room made ready to be drawn, on any thread."""

    def image(
        self, region: tuple[int, int, int, int], scale: float = 1.0, *, quick: bool = False
    ) -> Image:
        """A rectangle of it (left, top, width, height), scaled."""

    def strips(
        self, region: tuple[int, int, int, int], scale: float = 1.0
    ) -> tuple[tuple[int, int], Iterator[Image]]:
        """The size of what :meth:`image` gives, and the image from top to bottom in strips."""


@runtime_checkable
class RoomView(ResourceView, Protocol):
    """A room; sizes and places are in pixels.

    ``shown_layers`` are the parts of its picture, ``view_areas`` what its views that are on show;
    ``has_picture``: whether there is anything to draw.  ``weight`` is about how many bytes a
    drawing takes besides its pictures.  ``width`` and ``height`` are those of the room;
    ``instances`` are in the order of the file; ``creation_code`` runs when it begins.
    """

    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def has_picture(self) -> bool: ...
    @property
    def weight(self) -> int: ...
    @property
    def shown_layers(self) -> Sequence[LayerShown]: ...
    @property
    def view_areas(self) -> Sequence[Area]: ...
    @property
    def instances(self) -> Sequence[InstanceView]: ...
    @property
    def creation_code(self) -> CodeView | str | None: ...

    def drawing(self, *, layers: Iterable[str] | None = None) -> RoomDrawing:
        """The room made ready to be drawn: these layers, or those that the game shows.

        Raises KeyError for a layer that it does not have.
        """

    def strips(
        self,
        *,
        layers: Iterable[str] | None = None,
        view: int | None = None,
        region: tuple[int, int, int, int] | None = None,
        scale: float = 1.0,
    ) -> tuple[tuple[int, int], Iterator[Image]]:
        """The size of a picture of the room, and the picture from top to bottom in strips."""

    def not_drawn(self, *, layers: Iterable[str] | None = None) -> list[str]:
        """The parts that a picture of these layers leaves out, in words."""


class MaskFile(NamedTuple):
    """A mask of a room: its file, the kind of its areas as the room calls it, and in words."""

    path: str
    kind: str
    title: str


class NamedArea(Protocol):
    """An area of a room: its number in the mask, and its names."""

    @property
    def number(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def script_name(self) -> str: ...


@runtime_checkable
class MaskedView(ResourceView, Protocol):
    """A room with masks: pictures over its background whose colours are the numbers of areas."""

    @property
    def width(self) -> int:
        """Its width in pixels."""

    @property
    def height(self) -> int:
        """Its height in pixels."""

    @property
    def masks(self) -> Sequence[MaskFile]:
        """The masks that a room may have."""

    def parts(self, kind: str) -> Iterable[NamedArea]:
        """The areas of a kind, by number; those without pixels too."""

    def painted(self, kind: str) -> frozenset[int]:
        """The numbers of a kind that have pixels.  Raises FormatError for a damaged mask."""

    def background_image(self, number: int) -> Image:
        """A background.  Raises FormatError, and IndexError for a wrong number."""

    def sprite_image(self, number: int) -> Image | None:
        """A sprite of the game as the room shows it; None where there is none."""
