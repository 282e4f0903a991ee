"""The pictures a drawing is made of, cut out of their texture pages once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from overhaul.gamemaker.data.pictures import page_number
from overhaul.media import png
from overhaul.media.pool import KEPT, Share

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image

    from overhaul.gamemaker.data.pictures import Item, PageImages


class Piece(NamedTuple):
    """The visible part of a picture, and where it is on the picture's canvas."""

    image: Image
    x: int
    y: int


class Pieces:
    """The visible parts of texture page items; those used last are kept.

    Several threads may ask at a time.
    """

    def __init__(self, pages_: PageImages) -> None:
        self.pages = pages_
        # with its item, whose identity is the key
        self._kept: Share[tuple[Item, Piece | None]] = Share()
        self._sheets: Share[tuple[Item, NDArray[np.uint8]]] = Share()

    def prepare(self, items: Iterable[Item]) -> None:
        """Cut out all of them, page by page, so that each page is decoded once."""
        unique = {id(item): item for item in items if item is not None}
        size = 0
        for item in sorted(unique.values(), key=page_number):
            size += _bytes(self.get(item))
            if size > KEPT.limit // 4:
                return

    def get(self, item: Item) -> Piece | None:
        """The piece of an item; None where it has no picture."""
        return self._made((id(item),), item, lambda: self._cut(item))

    def part(self, item: Item, left: int, top: int, width: int, height: int) -> Piece | None:
        """The piece of a rectangle of an item's canvas; None where nothing is visible there."""
        whole = self.get(item)
        if whole is None:
            return None

        def cut() -> Piece | None:
            x, y = max(left, whole.x), max(top, whole.y)
            right = min(left + width, whole.x + whole.image.width)
            bottom = min(top + height, whole.y + whole.image.height)
            if x >= right or y >= bottom:
                return None
            box = (x - whole.x, y - whole.y, right - whole.x, bottom - whole.y)
            return Piece(whole.image.crop(box), x - left, y - top)

        return self._made((id(item), left, top, width, height), item, cut)

    def sheet(self, item: Item) -> NDArray[np.uint8] | None:
        """The whole canvas of an item as (height, width, 4); None where it has no picture."""
        found = self._sheets.get(id(item))
        if found is not None:
            return found[1]
        made = self.pages.frame(item)
        if made is not None:
            self._sheets.put(id(item), (item, made), made.nbytes)
        return made

    def _made(
        self, key: tuple[object, ...], item: Item, make: Callable[[], Piece | None]
    ) -> Piece | None:
        found = self._kept.get(key)
        if found is not None:
            return found[1]
        piece = make()
        self._kept.put(key, (item, piece), _bytes(piece))
        return piece

    def _cut(self, item: Item) -> Piece | None:
        found = self.pages.visible(item)
        if found is None or not found[0].size:
            return None
        return Piece(png.to_image(found[0]), *found[1:])


def _bytes(piece: Piece | None) -> int:
    return 200 if piece is None else 300 + 4 * piece.image.width * piece.image.height
