"""The pictures a drawing is made of, cut out of their texture pages once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from overhaul.gamemaker.data.pictures import page_number
from overhaul.media import png

if TYPE_CHECKING:
    from PIL.Image import Image

    from overhaul.gamemaker.data.pictures import Item, PageImages

#: bytes of pieces kept at a time
_CACHE = 192 << 20


class Piece(NamedTuple):
    """The visible part of a picture, and where it is on the picture's canvas."""

    image: Image
    x: int
    y: int


class Pieces:
    """The visible parts of texture page items; those used last are kept."""

    def __init__(self, pages_: PageImages) -> None:
        self.pages = pages_
        self._kept: OrderedDict[tuple[object, ...], tuple[Item, Piece | None]] = OrderedDict()
        self._size = 0

    def prepare(self, items: Iterable[Item]) -> None:
        """Cut out all of them, page by page, so that each page is decoded once."""
        unique = {id(item): item for item in items if item is not None}
        for item in sorted(unique.values(), key=page_number):
            if self._size > _CACHE // 2:
                return
            self.get(item)

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

    def sheet(self, item: Item) -> np.ndarray[tuple[int, int, int], np.dtype[np.uint8]] | None:
        """The whole canvas of an item as (height, width, 4); None where it has no picture."""
        return self.pages.frame(item)

    def _made(
        self, key: tuple[object, ...], item: Item, make: Callable[[], Piece | None]
    ) -> Piece | None:
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
            return found[1]
        piece = make()
        self._kept[key] = (item, piece)
        self._size += _bytes(piece)
        while self._size > _CACHE and len(self._kept) > 1:
            _, (_, old) = self._kept.popitem(last=False)
            self._size -= _bytes(old)
        return piece

    def _cut(self, item: Item) -> Piece | None:
        found = self.pages.visible(item)
        if found is None or not found[0].size:
            return None
        return Piece(png.to_image(found[0]), *found[1:])


def _bytes(piece: Piece | None) -> int:
    return 64 if piece is None else 64 + 4 * piece.image.width * piece.image.height
