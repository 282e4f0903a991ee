"""Pictures of rooms, sprites and backgrounds of any document, written to a folder."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias, runtime_checkable

from overhaul.document.files import write_into
from overhaul.errors import EncodeError

if TYPE_CHECKING:
    from PIL.Image import Image

#: a picture as a whole, or from top to bottom
Made: TypeAlias = "Image | Strips"
#: called with how many pictures are done, how many there are, and the next one's path
Progress: TypeAlias = Callable[[int, int, str], None]


class Rendered(NamedTuple):
    """A picture that was written: its path in the folder, and its size in pixels."""

    path: str
    width: int
    height: int


class View(NamedTuple):
    """How rooms are drawn: only these layers, what a view shows or a rectangle of the room (left,
    top, width, height), and the size of the picture to that of the room."""

    layers: tuple[str, ...] | None = None
    view: int | None = None
    region: tuple[int, int, int, int] | None = None
    scale: float = 1.0


class Strips(NamedTuple):
    """A picture that is made from top to bottom, in little memory: its width and height, and its
    rows."""

    size: tuple[int, int]
    strips: Iterator[Image]


class Drawing(NamedTuple):
    """A picture that can be drawn: its name (``rooms/rm_first``), the path of its file, and what
    draws it.

    ``draw`` gives None where there is no picture.  It raises KeyError for an unknown layer,
    IndexError for an unknown view, ValueError for a region or scale that is none.
    """

    name: str
    path: str
    draw: Callable[[], Made | None]


@runtime_checkable
class HasPictures(Protocol):
    """A document with rooms, sprites or backgrounds to draw."""

    @property
    def warnings(self) -> list[str]:
        """What drawing found, among others."""
        return []

    def drawings(self, how: View) -> Iterable[Drawing]:
        """The pictures, in the order of the document; nothing is drawn yet."""
        return ()


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

    A pattern is a glob of ``rooms/NAME``, ``sprites/NAME`` or ``backgrounds/NAME``.  A sprite
    becomes a folder of its frames.  What is not drawn of a room is a warning of the document.
    Returns what was written, in the order of the document; nothing where nothing matches.

    Raises FileExistsError for a file that is there already, without ``force``; EncodeError for a
    layer or view that a room does not have, and for a picture that can't be drawn; FormatError for
    a damaged one.
    """
    found = {
        each.path: each.draw
        for each in document.drawings(how or View())
        if any(fnmatchcase(each.name, pattern) for pattern in patterns)
    }
    done: list[Rendered] = []

    def png_of(path: str) -> bytes:
        if progress is not None:
            progress(len(done), len(found), path)
        try:
            image = found[path]()
        except (KeyError, IndexError, ValueError) as error:
            raise EncodeError(f"{path}: {error.args[0]}") from None
        if image is None or 0 in image.size:
            raise EncodeError(f"{path}: there is no picture: its texture can't be read")
        if isinstance(image, Strips):
            from overhaul.media import png  # start-up: NumPy, for large rooms only

            data = png.encode_strips(*image.size, map(png.from_image, image.strips))
        else:
            stream = io.BytesIO()
            image.save(stream, "PNG", compress_level=4)
            data = stream.getvalue()
        done.append(Rendered(path, *image.size))
        return data

    if found:
        write_into(folder, {path: partial(png_of, path) for path in found}, force=force)
    if progress is not None:
        progress(len(done), len(found), "")
    return done


def picture_names(document: HasPictures) -> Iterator[str]:
    """What there is to draw: ``rooms/rm_first``, ``sprites/spr_player``, ..., each once."""
    yield from dict.fromkeys(each.name for each in document.drawings(View()))
