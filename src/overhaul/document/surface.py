"""The parts that the resources of all families share: names, equality, texts, lists, pictures of
rooms.

See :mod:`overhaul.document.views` for what pages and commands ask of a resource.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, Generic, NoReturn, TypeVar, cast, overload

from overhaul.document.notebook import html_of
from overhaul.document.registry import load
from overhaul.suggest import counted as counted
from overhaul.suggest import cut, did_you_mean

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray
    from PIL.Image import Image

    from overhaul.document.room_views import Area, RoomDrawing
    from overhaul.document.views import NineSliceView

S = TypeVar("S", bound="ResourceSurface")

#: how many elements the text of a list shows
_SHOWN = 12
#: the longer side of the picture of a room that a notebook shows
_SIDE = 1024


class Surface:
    """Anything over a ``record``, which holds all that the file has; two are equal where they stand
    for the same record."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def record(self) -> object: ...

    def _label(self) -> str:
        """The text of its ``repr`` after the type."""
        return self._about()

    @property
    def summary(self) -> str:
        """The text of its ``repr`` besides the name: ``32×48, 4 frames``."""
        return self._about()

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        """Refuse to be pickled or copied: it is of a document, whose file is open."""
        raise TypeError(
            f"a {type(self).__name__} is a part of an open file, and is not copied or pickled: "
            "give others the path of the file and its name, or use duplicate() and copy_from()"
        )

    def _about(self) -> str:
        """The text of its ``repr`` besides the name, e.g. ``32×48, 4 frames``."""
        return ""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Surface):
            return NotImplemented
        return self.record is other.record

    def __hash__(self) -> int:
        return id(self.record)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {cut(self._label(), 170)}>"

    def __dir__(self) -> list[str]:
        return [name for name in object.__dir__(self) if not name.startswith("_")]


class ResourceSurface(Surface):
    """One resource of a document: a surface over its record."""

    __slots__ = ()
    #: the names of the attributes that a page shows as a table
    _facts: ClassVar[tuple[str, ...]] = ()

    @property
    @abstractmethod
    def name(self) -> str:
        """Its name."""

    @property
    @abstractmethod
    def kind(self) -> str:
        """Its kind in ``overhaul ls``."""

    @property
    def facts(self) -> Sequence[str]:
        """The names of the attributes that a page shows as a table."""
        return self._facts

    @property
    def place(self) -> int | None:
        """Its position among those of its kind that ``ls`` lists; None where its name is enough."""
        return None

    @property
    def notes(self) -> Sequence[str]:
        """Sentences about what is missing, or can't be shown."""
        return ()

    @property
    def document(self) -> object:
        """The document it is of."""
        return None

    def _label(self) -> str:
        about = self._about()
        return f"{cut(self.name, 80)}{' ' + cut(about, 80) if about else ''}"

    def _repr_html_(self) -> str | None:
        return html_of(self)


class ResourceList(Generic[S]):
    """The resources of one kind of a document, by name and by number.

    Of several with one name, a name means the first.
    """

    @property
    @abstractmethod
    def kind(self) -> str:
        """The kind of one of them in ``overhaul ls``."""

    @property
    def title(self) -> str:
        """The word for one of them in messages."""
        return self.kind

    @property
    def document(self) -> object:
        """The document they are of."""
        return None

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __iter__(self) -> Iterator[S]: ...

    @abstractmethod
    def _numbered(self, number: int) -> S | None:
        """The resource of a number; None where there is none."""

    def _named(self, name: str) -> S | None:
        """The first resource of a name."""
        return next((resource for resource in self if resource.name == name), None)

    def _missing(self, number: int) -> str:
        """The message of an error for a number without a resource."""
        return f"there is no {self.title} number {number}"

    def names(self) -> list[str]:
        """The names of all of them."""
        return [resource.name for resource in self]

    def keys(self) -> list[str]:
        """The names of all of them, as of a dictionary; iterating gives the resources."""
        return self.names()

    def values(self) -> list[S]:
        """All of them."""
        return list(self)

    def items(self) -> list[tuple[str, S]]:
        """All of them with their names."""
        return [(resource.name, resource) for resource in self]

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        """Refuse to be pickled or copied, as documents are."""
        raise TypeError(
            f"{type(self).__name__} belong to an open file, and are not copied or pickled: "
            "list(...) gives the resources, names() their names"
        )

    def __contains__(self, value: object) -> bool:
        return any(resource.name == value or resource == value for resource in self)

    @overload
    def __getitem__(self, key: int | str) -> S: ...
    @overload
    def __getitem__(self, key: slice) -> list[S]: ...
    def __getitem__(self, key: int | str | slice) -> S | list[S]:
        """The resource of a name or number; KeyError or IndexError where there is none."""
        if isinstance(key, slice):
            return self._slice(key)
        resource = self.get(key)
        if resource is not None:
            return resource
        if isinstance(key, int):
            raise IndexError(self._missing(key))
        near = did_you_mean(key, self.names())
        raise KeyError(f"there is no {self.title} named {key!r}{near}")

    def _slice(self, key: slice) -> list[S]:
        return list(self)[key]

    @overload
    def get(self, key: int | str) -> S | None: ...
    @overload
    def get(self, key: int | str, default: S) -> S: ...
    def get(self, key: int | str, default: S | None = None) -> S | None:
        """The resource of a name or number; ``default`` where there is none."""
        resource = self._numbered(key) if isinstance(key, int) else self._named(key)
        return default if resource is None else resource

    def __repr__(self) -> str:
        return list_text(self, self.title)

    def _repr_html_(self) -> str | None:
        return html_of(self)

    def _ipython_key_completions_(self) -> list[str]:
        return self.names()

    def __dir__(self) -> list[str]:
        return [name for name in object.__dir__(self) if not name.startswith("_")]


def list_text(elements: Collection[object] | ResourceList[S], title: str) -> str:
    """The text of a list: how many there are, and the first of them."""
    count = len(elements)
    rows = [f"  {element!r}" for element in islice(elements, _SHOWN)]
    more = [f"  … {count - _SHOWN} more"] if count > _SHOWN else []
    return "\n".join([f"<{counted(count, title)}>", *rows, *more])


class SpriteDefaults:
    """Defaults for members that the sprites of a format may lack: see
    :class:`~overhaul.document.views.SpriteView`."""

    __slots__ = ()

    @property
    def is_single(self) -> bool:
        """Whether all sprites of the format have one frame."""
        return False

    @property
    def origin(self) -> tuple[int, int] | None:
        """The point that is drawn at (x, y); None where sprites have none."""
        return None

    @property
    def bbox(self) -> tuple[int, int, int, int] | None:
        """The bounding box; None where sprites have none."""
        return None

    @property
    def nine_slice(self) -> NineSliceView | None:
        """The cuts of a nine-slice sprite; None for others."""
        return None

    @property
    def fps(self) -> float:
        """Frames per second; 0 where it is not animated by itself."""
        return 0.0

    @property
    def mask_count(self) -> int:
        """How many collision masks there are."""
        return 0

    @property
    def masks(self) -> Sequence[NDArray[numpy.bool_]]:
        """The collision masks."""
        return []


class DrawnRoom:
    """A room that is drawn: pictures of all of it, of what a view shows, or of a rectangle.

    ``width`` and ``height`` are those of the room in pixels.
    """

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def width(self) -> int: ...
        @property
        def height(self) -> int: ...

    @abstractmethod
    def drawing(self, *, layers: Iterable[str] | None = None) -> RoomDrawing:
        """The room made ready to be drawn: these layers, or those that the game shows.

        Raises KeyError for a layer that it does not have.
        """

    def _view(self, number: int) -> tuple[int, int, int, int]:
        """The rectangle that a view shows, also one that is off.  Raises IndexError."""
        raise IndexError("this room has no views")

    def image(
        self,
        *,
        layers: Iterable[str] | None = None,
        view: int | None = None,
        region: tuple[int, int, int, int] | None = None,
        scale: float = 1.0,
    ) -> Image:
        """The room as the game draws it in its first step, as a Pillow image (RGBA)."""
        return self.drawing(layers=layers).image(self._region(view, region, scale), scale)

    def strips(
        self,
        *,
        layers: Iterable[str] | None = None,
        view: int | None = None,
        region: tuple[int, int, int, int] | None = None,
        scale: float = 1.0,
    ) -> tuple[tuple[int, int], Iterator[Image]]:
        """The size of what :meth:`image` gives, and the image from top to bottom in strips: a
        large room in little memory.

        Raises as :meth:`image`, but EncodeError for a picture of more than 2**30 pixels.
        """
        return self.drawing(layers=layers).strips(self._region(view, region, scale), scale)

    def _region(
        self, view: int | None, region: tuple[int, int, int, int] | None, scale: float
    ) -> tuple[int, int, int, int]:
        region_of = load("overhaul.media.canvas:region_of")  # NumPy, where pictures are made
        seen = None if view is None else self._view(view)
        size = max(0, self.width), max(0, self.height)
        return cast("tuple[int, int, int, int]", region_of(size, seen, region, scale))

    @property
    def has_picture(self) -> bool:
        """Whether there is anything to draw."""
        return self.width > 0 and self.height > 0

    @property
    def view_areas(self) -> Sequence[Area]:
        """The areas of its enabled views."""
        return ()

    def not_drawn(self, *, layers: Iterable[str] | None = None) -> list[str]:
        """The parts that :meth:`image` leaves out of a picture of these layers, in words."""
        return []

    def _repr_png_(self) -> bytes | None:
        if not self.has_picture:
            return None
        scale = min(1.0, _SIDE / max(self.width, self.height))
        whole = (0, 0, self.width, self.height)
        return png_of(self.drawing().image(whole, scale, quick=True))


def png_of(image: Image | None) -> bytes | None:
    """An image as a PNG file, for notebooks; None without one."""
    if image is None:
        return None
    png = load("overhaul.media.png")  # NumPy, where pictures are made
    return cast("bytes", png.encode(png.from_image(image)))
