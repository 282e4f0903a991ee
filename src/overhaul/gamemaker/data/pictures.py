"""Pictures of the model: decoded texture pages, frames cut out of them, Pillow images.

Records find their game through the references they hold, so ``game.sprites["spr_player"].frames``
works without naming the game again.
"""

from __future__ import annotations

import hashlib
import io
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from overhaul.errors import FormatError
from overhaul.gamemaker.data.references import Reference
from overhaul.media import pages, png, textures
from overhaul.media.pool import Share

if TYPE_CHECKING:
    from PIL.Image import Image

    from overhaul.media.packing import PackedPicture

T = TypeVar("T")


class PageItem(pages.Rectangles, Protocol):
    """A texture page item, or a reference to one."""

    @property
    def page(self) -> Any: ...


class Page(Protocol):
    """A texture page."""

    blob: bytes | memoryview | None
    width: int
    height: int


#: decoded pages, by a digest of so many bytes of what is stored
_DECODED: Final[Share[NDArray[np.uint8]]] = Share()
_DIGEST: Final = 20
#: the widest strip of frames a notebook shows, in pixels
WIDEST_STRIP = 1600


class PageImages:
    """Decoded texture pages and the frames on them; the last few pages are kept.

    The pages of all open games are kept together: a page that several have is decoded once.

    ``edited`` has the pixels of pages whose bytes are not made yet, and ``drawn`` the pictures of
    items that have no page yet, both by identity (see ``painting.ImageEdits``).
    """

    def __init__(self) -> None:
        #: by identity, pages with their bytes, and what identifies these
        self._known: dict[int, tuple[Page, object, bytes]] = {}
        self.broken: dict[int, str] = {}
        self.edited: dict[int, tuple[Page, NDArray[np.uint8]]] = {}
        self.drawn: dict[int, tuple[PageItem, PackedPicture]] = {}
        #: several threads may ask for pages
        self._lock = threading.Lock()
        self._alike: dict[tuple[int, int], tuple[Page, Page, bool]] = {}

    def same_page(self, one: Page | None, other: Page | None) -> bool:
        """Whether two pages, of two games for example, have the same bytes; pages without bytes are
        equal."""
        if one is None or other is None or one.blob is None or other.blob is None:
            return (one is None or one.blob is None) and (other is None or other.blob is None)
        known = self._alike.get((id(one), id(other)))
        if known is None:
            # NumPy compares memory at once, views of it go byte by byte
            mine, theirs = np.frombuffer(one.blob, np.uint8), np.frombuffer(other.blob, np.uint8)
            known = self._alike[id(one), id(other)] = one, other, np.array_equal(mine, theirs)
        return known[2]

    def page(self, page: Page | None) -> NDArray[np.uint8] | None:
        """The pixels of a page; None where it has none or they can't be decoded."""
        with self._lock:
            return None if page is None else self._decoded(page)

    def know(self, page: Page, pixels: NDArray[np.uint8]) -> None:
        """The bytes of a page were made of these pixels, which must no longer change."""
        if page.blob is not None:
            digest = hashlib.blake2b(page.blob, digest_size=_DIGEST).digest()
            with self._lock:
                self._known[id(page)] = page, page.blob, digest
            pixels.setflags(write=False)
            _DECODED.put(digest, pixels, pixels.nbytes)

    def _decoded(self, page: Page) -> NDArray[np.uint8] | None:
        if id(page) in self.edited:
            return self.edited[id(page)][1]
        if page.blob is None or id(page) in self.broken:
            return None
        _, blob, digest = self._known.get(id(page), (page, None, b""))
        if blob is not page.blob:
            digest = hashlib.blake2b(page.blob, digest_size=_DIGEST).digest()
            self._known[id(page)] = page, page.blob, digest
        pixels = _DECODED.get(digest)
        if pixels is None:
            try:
                pixels = textures.decode(page.blob)
            except FormatError as error:
                self.broken[id(page)] = str(error)
                return None
            pixels.setflags(write=False)  # several games have it
            _DECODED.put(digest, pixels, pixels.nbytes)
        return pixels

    def forget_all(self) -> None:
        """Drop all decoded pages, and pictures that are on none yet."""
        for known in (self._known, self.broken, self.edited, self.drawn):
            known.clear()

    def forget(self, page: Page) -> None:
        """Drop a decoded page: it is decoded again when it is next asked for."""
        self._known.pop(id(page), None)

    def frame(self, item: PageItem | None) -> NDArray[np.uint8] | None:
        """The picture of an item on its canvas; None where there is none."""
        if id(item) in self.drawn:
            return self.drawn[id(item)][1].frame()
        return self._cut(item, pages.frame)

    def visible(self, item: PageItem | None) -> tuple[NDArray[np.uint8], int, int] | None:
        """The part of a picture that its page shows, and where it is on the canvas: x, y.

        None where there is none.  It may be a view of the page.
        """
        if id(item) in self.drawn:
            picture = self.drawn[id(item)][1]
            return picture.pixels, picture.x, picture.y
        return self._cut(item, pages.visible)

    def _cut(
        self, item: PageItem | None, cut: Callable[[NDArray[np.uint8], PageItem], T]
    ) -> T | None:
        if item is None or not isinstance(item.page, Reference):
            return None
        if not item.bounding_width or not item.bounding_height:
            return None
        page = self.page(item.page.target)
        if page is None:
            return None
        try:
            return cut(page, item)
        except FormatError:
            return None


def page_number(item: PageItem | None) -> int:
    """The number of the page an item is on; -1 for none."""
    return item.page.index if item is not None and isinstance(item.page, Reference) else -1


def has_picture(item: PageItem | None) -> bool:
    """Whether an item has a picture to show (cheap: nothing is decoded)."""
    if item is None or not isinstance(item.page, Reference):
        return False
    page = item.page.target
    if page is None:
        return id(item) in cast("_Game", item.page.owner.game).pictures.drawn
    return (
        page.blob is not None
        and bool(item.bounding_width and item.bounding_height)
        and textures.sniff(page.blob) is not textures.TextureFormat.UNKNOWN
    )


class _Game(Protocol):
    pictures: PageImages


def page_images(game: object) -> PageImages:
    """The decoded texture pages of a game."""
    return cast("_Game", game).pictures


def image_of_item(item: PageItem | None) -> Image | None:
    """The picture of a texture page item on its full canvas, as RGBA; None where it has none."""
    if item is None or not isinstance(item.page, Reference):
        return None
    pixels = page_images(item.page.owner.game).frame(item)
    return None if pixels is None else png.to_image(pixels)


def image_of_page(page: Page) -> Image | None:
    """A whole texture page as RGBA; None where its bytes are elsewhere.  Raises FormatError."""
    return None if page.blob is None else png.to_image(textures.decode(page.blob))


def strip(images: Iterable[Image | None]) -> Image | None:
    """Images side by side, as many as fit."""
    from PIL import Image as pillow  # start-up: Pillow

    shown: list[Image] = []
    width = 0
    for image in images:
        if image is None or (shown and width + image.width > WIDEST_STRIP):
            continue
        shown.append(image)
        width += image.width
    if not shown:
        return None
    sheet = pillow.new("RGBA", (width, max(image.height for image in shown)))
    at = 0
    for image in shown:
        sheet.paste(image, (at, 0))
        at += image.width
    return sheet


def png_bytes(image: Image | None) -> bytes | None:
    """An image as PNG, for notebooks."""
    if image is None:
        return None
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()
