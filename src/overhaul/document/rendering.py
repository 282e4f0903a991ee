"""Pictures of rooms, sprites and backgrounds of any document, written to a folder."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias, runtime_checkable

from overhaul.document.files import write_into
from overhaul.document.names import FileNames
from overhaul.document.room_views import RoomView
from overhaul.document.views import (
    AnimatedView,
    FrameView,
    ListedView,
    OverlaidView,
    PictureView,
    ResourceView,
    SpriteView,
)
from overhaul.document.views import HasPictures as HasPictures
from overhaul.errors import EncodeError

if TYPE_CHECKING:
    from PIL.Image import Image


#: a picture as a whole, or from top to bottom
Made: TypeAlias = "Image | Strips | Animated"
#: called with how many pictures are done, how many there are, and the next one's path
Progress: TypeAlias = Callable[[int, int, str], None]


class Rendered(NamedTuple):
    """A picture that was written: its ``path`` in the folder, its ``width`` and ``height`` in
    pixels.
    """

    path: str
    width: int
    height: int


class View(NamedTuple):
    """How rooms are drawn: only these ``layers``, what a ``view`` shows or a ``region`` of the room
    (left, top, width, height), the size of the picture to that of the room (``scale``), and what is
    shown over it (``overlays``).
    """

    layers: tuple[str, ...] | None = None
    view: int | None = None
    region: tuple[int, int, int, int] | None = None
    scale: float = 1.0
    overlays: tuple[str, ...] = ()


class Animated(NamedTuple):
    """An animation: its ``size`` (width, height) in pixels, and ``data``, the bytes of a GIF
    file.
    """

    size: tuple[int, int]
    data: bytes


class Strips(NamedTuple):
    """A picture that is made from top to bottom, in little memory: its ``size`` (width, height) in
    pixels, and ``strips`` of it, as images.
    """

    size: tuple[int, int]
    strips: Iterator[Image]


class Drawing(NamedTuple):
    """A picture that can be drawn: its name (``rooms/rm_first``), the path of its file, and what
    draws it.

    ``draw`` gives None if there is no picture. It raises KeyError for an unknown layer,
    IndexError for an unknown view, ValueError for a wrong region or scale. ``other`` is another
    name that it has: of a room that ``ls`` lists as ``rooms/1``, ``rooms/room1``.
    """

    name: str
    path: str
    draw: Callable[[], Made | None]
    other: str

    def fits(self, pattern: str) -> bool:
        """Whether a glob of names matches one of its names."""
        return fnmatchcase(self.name, pattern) or fnmatchcase(self.other, pattern)


@runtime_checkable
class NotesDrawing(Protocol):
    """A document that adds warnings once pictures are drawn: what could not be read for them."""

    def note_drawing(self) -> None:
        """Add to ``warnings`` what drawing could not read, so far."""


def drawings(document: HasPictures, how: View) -> Iterator[Drawing]:
    """The rooms, sprites and backgrounds of a document, in its order; nothing is drawn yet."""
    note = document.note_drawing if isinstance(document, NotesDrawing) else _nothing
    for kind in document.drawn_kinds:
        stems = FileNames()
        for resource in document.resources(kind):
            listed = resource.listed if isinstance(resource, ListedView) else resource.name
            for path, draw in _pictures(document, resource, stems(resource.name), how):
                folder = path.partition("/")[0]
                draw_noted = partial(_drawn, draw, note)
                yield Drawing(f"{folder}/{listed}", path, draw_noted, f"{folder}/{resource.name}")


def _pictures(
    document: HasPictures, resource: ResourceView, stem: str, how: View
) -> Iterator[tuple[str, Callable[[], Made | None]]]:
    """The path of each picture of a resource, and what draws it."""
    if isinstance(resource, AnimatedView):
        for name, frames in resource.animations():
            yield f"views/{stem}/{name}.gif", partial(_animated, frames)
    elif isinstance(resource, RoomView):
        if resource.has_picture:
            yield f"rooms/{stem}.png", partial(_room, document, resource, how)
    elif isinstance(resource, SpriteView):
        for number, frame in enumerate(resource.frames):
            if frame.has_picture:
                file = f"{stem}.png" if resource.is_single else f"{stem}/{number}.png"
                yield f"sprites/{file}", partial(_image, frame)
    elif isinstance(resource, PictureView) and resource.has_picture:
        yield f"backgrounds/{stem}.png", partial(_image, resource)


def _nothing() -> None:
    """Nothing to note."""


def _image(picture: FrameView | PictureView) -> Image | None:
    return picture.image


def _animated(frames: Sequence[tuple[Callable[[], Image | None], float]]) -> Animated | None:
    """An animation of the frames whose pictures are known."""
    from overhaul.media import png  # start-up: NumPy and Pillow, for animations only
    from overhaul.media.frames import timed_gif  # start-up: see above

    known = [(image, seconds) for draw, seconds in frames if (image := draw()) is not None]
    if not known:
        return None
    pixels = [png.from_image(image) for image, _ in known]
    return Animated(known[0][0].size, timed_gif(pixels, [seconds for _, seconds in known]))


def _room(document: HasPictures, room: RoomView, how: View) -> Made:
    """The picture of a room; what it leaves out are warnings of the document."""
    if how.overlays:
        if not isinstance(room, OverlaidView):
            raise ValueError("rooms of this game have no overlays")
        return room.overlaid(0, how.overlays)
    size, strips = room.strips(layers=how.layers, view=how.view, region=how.region, scale=how.scale)
    left_out = room.not_drawn(layers=how.layers)
    for what in left_out:
        document.findings.warn("not-drawn", f"not drawn: {what}", f"rooms/{room.name}")
    return Strips(size, strips)


def _drawn(draw: Callable[[], Made | None], note: Callable[[], None]) -> Made | None:
    made = draw()
    if isinstance(made, Strips):
        return Strips(made.size, _noted(made.strips, note))
    note()
    return made


def _noted(strips: Iterable[Image], note: Callable[[], None]) -> Iterator[Image]:
    yield from strips
    note()


def render(
    document: HasPictures,
    patterns: Sequence[str],
    folder: str,
    *,
    how: View | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> list[Rendered]:
    """Write pictures of what matches the patterns to a folder, as PNG; all or none.

    A pattern is a glob of ``rooms/NAME``, ``sprites/NAME`` or ``backgrounds/NAME``. A sprite
    becomes a folder of its frames. Parts of a room that are not drawn are a warning of the
    document. Returns what was written, in the order of the document; nothing where nothing matches.

    Raises FileExistsError for a file that is there already, without ``force``; EncodeError for a
    layer or view that a room does not have, and for a picture that can't be drawn; FormatError for
    a damaged one.
    """
    chosen = {
        drawing.path: drawing.draw
        for drawing in drawings(document, how or View())
        if any(map(drawing.fits, patterns))
    }
    done: list[Rendered] = []

    def png_of(path: str) -> bytes:
        if progress is not None:
            progress(len(done), len(chosen), path)
        try:
            image = chosen[path]()
        except (KeyError, IndexError, ValueError) as error:
            raise EncodeError(f"{path}: {error.args[0]}") from None
        if image is None or 0 in image.size:
            raise EncodeError(f"{path}: there is no picture: its texture can't be read")
        if isinstance(image, Animated):
            data = image.data
        elif isinstance(image, Strips):
            from overhaul.media import png  # start-up: NumPy, for large rooms only

            data = png.encode_strips(*image.size, map(png.from_image, image.strips))
        else:
            stream = io.BytesIO()
            image.save(stream, "PNG", compress_level=4)
            data = stream.getvalue()
        done.append(Rendered(path, *image.size))
        return data

    if chosen:
        write_into(folder, {path: partial(png_of, path) for path in chosen}, force=force)
    if progress is not None:
        progress(len(done), len(chosen), "")
    return done


def picture_names(document: HasPictures) -> Iterator[str]:
    """The pictures that can be drawn: ``rooms/rm_first``, ``sprites/spr_player``, ..., each
    once."""
    yield from dict.fromkeys(drawing.name for drawing in drawings(document, View()))
