"""Texture pages rearranged: pictures moved to another page, and those of one page packed again.

Nothing of the game changes here. The result, :class:`Rearranged`, says where each picture goes
and what the pages become; ``data_folder.texture_moves`` makes plain files of it. Sprites and
other users of a picture do not change: each has its pixels, its canvas and its texture group.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from overhaul.errors import FormatError, WorkspaceError
from overhaul.gamemaker.data.chunks.txtr import TexturePage, TexturePageItem
from overhaul.gamemaker.data.painting import WRITTEN, border_style
from overhaul.gamemaker.data.references import Reference
from overhaul.media import packing, pages, textures
from overhaul.media.packing import PackedPage, PackedPicture
from overhaul.media.pages import Border, Box

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from overhaul.gamemaker.data.chunks.txtr import TextureGroup
    from overhaul.gamemaker.data.model import GameModel
    from overhaul.gamemaker.data.pictures import PageImages
    from overhaul.gamemaker.data.version import Version

    Pixels: TypeAlias = NDArray[np.uint8]
    Item: TypeAlias = TexturePageItem


class Rearranged(NamedTuple):
    """``places`` has page, x and y of each item that moves, by its number; ``pixels`` the pages
    that are painted.  ``like``: the page whose
    texture group a new last page joins."""

    places: dict[int, tuple[int, int, int]]
    pixels: dict[int, Pixels]
    like: int | None = None


class Pages:
    """The texture pages of a game, and the items on each.  Raises WorkspaceError throughout."""

    def __init__(self, game: GameModel, images: PageImages) -> None:
        self._game = game
        self._images = images
        self._bare = {id(font.texture) for font in game.records.fonts.present()}
        self._items: dict[int, list[int]] = {}
        for number, item in enumerate(game.texture_items):
            if item is not None and isinstance(item.page, Reference):
                self._items.setdefault(item.page.index, []).append(number)

    @property
    def release(self) -> Version:
        """The release of the game."""
        return self._game.release

    def group(self, number: int) -> TextureGroup | None:
        """The texture group that lists a page; None where none does."""
        if "TGIN" not in self._game.chunks:
            return None
        for group in self._game.records.texture_groups.present():
            if any(isinstance(page, Reference) and page.index == number for page in group.pages):
                return group
        return None

    def places(self, number: int) -> list[list[int]]:
        """The items on a page; those that show the same rectangle together."""
        together: dict[tuple[int, int, int, int], list[int]] = {}
        for each in self._items.get(number, ()):
            box = _box(self._item(each))
            together.setdefault((box.y, box.x, box.width, box.height), []).append(each)
        return [together[place] for place in sorted(together)]

    def why_not(self, number: int) -> str:
        """Why the pictures of a page can't be moved; empty where they can."""
        page = self._game.textures[number]
        if page is None or page.blob is None:
            return "its picture is in another file"
        kind = textures.sniff(page.blob)
        return "" if kind in WRITTEN else f"pages of the format {kind.value} are not written"

    def others(self, number: int) -> list[int]:
        """The pages to which pictures of a page can move: those of the same texture group."""
        page, group = self._page(number), self.group(number)
        return [
            other
            for other, candidate in enumerate(self._game.textures)
            if other != number
            and candidate is not None
            and self.group(other) is group
            and (candidate.scaled, candidate.generated_mips) == (page.scaled, page.generated_mips)
            and not self.why_not(other)
        ]

    def is_separate(self, number: int) -> bool:
        """Whether one picture has the page for itself: code may count on its coordinates."""
        places = self.places(number)
        if len(places) != 1:
            return False
        box = _box(self._item(places[0][0]))
        return (box.x, box.y) == (0, 0)

    def moved(self, number: int, items: Sequence[int], to: int | None) -> Rearranged:
        """The pages with some pictures of one on another; None: on a new one.

        Items that show the same rectangle move along.
        """
        chosen = [each for each in self.places(number) if not set(each).isdisjoint(items)]
        if not chosen:
            raise WorkspaceError("choose the pictures that move")
        if to is not None and to not in self.others(number):
            raise WorkspaceError(f"pictures of page {number} can't move to page {to}")
        old = self._pixels(number)
        pictures = [self._picture(old, self._item(each[0])) for each in chosen]
        sizes = [picture.size for picture in pictures]
        onto = None
        if to is None:
            largest = max(packing.MAX_PAGE_SIZE, *old.shape[:2])
            packed = packing.pack(sizes, max_size=largest)
            planned = packed[0] if len(packed) == 1 else None
        else:
            onto = self._pixels(to)
            taken = [_box(self._item(each[0])) for each in self.places(to)]
            planned = packing.room((onto.shape[1], onto.shape[0]), taken, sizes)
        if planned is None:
            where = "one page" if to is None else f"page {to}"
            raise WorkspaceError(f"{where} has no room for all of them: choose fewer")
        page = len(self._game.textures) if to is None else to
        pixels = packing.draw(planned, pictures.__getitem__, onto=onto)
        like = number if to is None else None
        return Rearranged(_placed(planned, chosen, page), {page: pixels}, like)

    def repacked(self, number: int) -> Rearranged:
        """The pages with the pictures of one packed again, as tightly as they fit."""
        places = self.places(number)
        if not places:
            raise WorkspaceError(f"page {number} has no pictures")
        if self.is_separate(number):
            raise WorkspaceError(f"one picture has page {number} for itself, and keeps it")
        old = self._pixels(number)
        pictures = [self._picture(old, self._item(each[0])) for each in places]
        planned = packing.plan(
            [picture.key for picture in pictures],
            [picture.size for picture in pictures],
            max_size=max(old.shape[:2]),
        )
        height, width = old.shape[:2]
        page = planned.pages[0]
        if len(planned.pages) > 1 or page.width * page.height > width * height:
            raise WorkspaceError(f"the pictures of page {number} can't lie closer than they do")
        moves = {
            item: (number, x, y)
            for each, (_, x, y) in zip(places, planned.where, strict=True)
            for item in each
        }
        return Rearranged(moves, {number: packing.draw(page, pictures.__getitem__)})

    # -- pages and pictures -----------------------------------------------------------------

    def _page(self, number: int) -> TexturePage:
        page = self._game.textures[number] if 0 <= number < len(self._game.textures) else None
        if page is None:
            raise WorkspaceError(f"there is no page {number}")
        return page

    def _item(self, number: int) -> Item:
        item = self._game.texture_items[number]
        assert item is not None
        return item

    def _pixels(self, number: int) -> Pixels:
        page = self._page(number)
        why = self.why_not(number)
        pixels = None if why else self._images.page(page)
        if pixels is None:
            raise WorkspaceError(f"page {number}: {why or self._images.broken[id(page)]}")
        return pixels

    def _picture(self, page: Pixels, item: Item) -> PackedPicture:
        """The stored picture of an item, with its border."""
        try:
            source = pages.source_of(page, item).copy()
            style: Border | None = None
            if id(item) not in self._bare and source.size and not pages.is_scaled(item):
                style = pages.border_of(page, item) or border_style(self.release)
        except FormatError as error:
            raise WorkspaceError(f"a picture is not on its page: {error}") from None
        canvas = (item.bounding_width, item.bounding_height)
        return PackedPicture(source, item.target_x, item.target_y, canvas, style)


def _box(item: Item) -> Box:
    return Box(item.source_x, item.source_y, item.source_width, item.source_height)


def _placed(
    planned: PackedPage, chosen: Sequence[Sequence[int]], page: int
) -> dict[int, tuple[int, int, int]]:
    return {item: (page, x, y) for index, x, y in planned.places for item in chosen[index]}
