"""Pictures of a game: frames cut out of texture pages, and changed ones put back.

A changed frame of the same size goes back to its place on its page; no other page changes. A
picture of another size, or one whose pixels others share, goes to a new page with all others of
its texture group; existing pages stay unchanged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, repeat
from operator import attrgetter, is_
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np

from overhaul.errors import EncodeError, FormatError, WorkspaceError
from overhaul.gamemaker.data.chunks.txtr import TextureGroup, TexturePage, TexturePageItem
from overhaul.gamemaker.data.references import Reference
from overhaul.media import packing, pages, textures
from overhaul.media.bounds import MAX_PIXELS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from overhaul.gamemaker.data.model import GameModel
    from overhaul.gamemaker.data.pictures import Page, PageImages
    from overhaul.gamemaker.data.version import Version

    Pixels: TypeAlias = NDArray[np.uint8]
    Item: TypeAlias = TexturePageItem
    Place: TypeAlias = Callable[[TexturePageItem], None]

#: the lists of a texture group, by the chunk of their elements
GROUP_FIELDS = {"SPRT": "sprites", "FONT": "fonts", "BGND": "tilesets"}
#: the largest side of a page made for a picture that is larger than pages usually are
_LARGEST: Final = 8192
#: bytes of pictures that wait for a page, for each texture group
_WAITING: Final = 4 * 4 * packing.MAX_PAGE_SIZE**2
#: the formats of pages that can be written
WRITTEN: Final = frozenset(
    (textures.TextureFormat.PNG, textures.TextureFormat.QOI, textures.TextureFormat.BZ2_QOI)
)


_TEXTURES, _SPECIAL = attrgetter("textures"), attrgetter("special")


class Pending(NamedTuple):
    """The item of a picture that goes to a new page, and the texture group it belongs to."""

    item: Item
    group: TextureGroup | None


class ImageEdits:
    """Pictures put back into a game.

    Pages are encoded and made by :meth:`finish` only, so that many pictures share them.  Until
    then ``images`` shows the pages as they were; with ``live`` it shows the new pictures at once.
    """

    def __init__(self, game: GameModel, images: PageImages, *, live: bool = False) -> None:
        self.game = game
        self.images = images
        self._textures = game.textures
        self._edited = images.edited if live else {}
        self._drawn = images.drawn if live else {}
        self._pending: dict[int, list[Pending]] = {}
        #: the keys of pictures that have no page yet, by the identity of their items
        self._keys: dict[int, tuple[packing.PackedPicture, Hashable]] = {}
        #: bytes of pictures that have no page yet
        self._waiting = 0
        #: the items of each page and their edges, by the page's identity
        self._on_page: dict[int, tuple[list[Item], NDArray[np.int64]]] = {}
        #: how many items there were
        self._items_known = -1
        #: how often each item is shown, by its identity, while that is counted
        self._counts = False
        self._uses: Counter[int] | None = None

    def put(
        self,
        pixels: Pixels,
        item: Item | None,
        place: Place,
        *,
        group: Callable[[], TextureGroup | None],
        path: str,
        crop: bool = True,
    ) -> bool:
        """Show this picture where ``item`` was shown; whether anything changes.

        ``place`` is called with the new item where one is needed; ``group`` gives the texture group
        that a new page belongs to; ``crop``: see :func:`is_cropped`. Raises WorkspaceError with
        ``path`` for a picture that no page can hold.
        """
        if item is not None:
            current = self._current(item)
            if current is not None and np.array_equal(current, pixels):
                return False
            if (
                current is not None
                and not self._is_shared(item)
                and self._in_place(pixels, item, crop)
            ):
                return True
        try:
            picture = new_picture(pixels, self.game.release, crop)
        except EncodeError as error:
            raise WorkspaceError(f"{path}: {error}") from None
        new = self.add(picture, place, group())
        self.shows_others((item,), (new,))
        return True

    def add(self, picture: packing.PackedPicture, place: Place, group: TextureGroup | None) -> Item:
        """Keep a picture for a new page of a texture group; ``place`` is called with its item,
        which is returned."""
        new = TexturePageItem(
            **_rectangles(picture.placed(0, 0)), page=Reference(self._textures, -1)
        )
        self.game.load_all()  # the decoder finds items where the file has them
        known = self._items_known == len(self.game.texture_items)
        self.game.texture_items.append(new)
        self._items_known += known  # it is on no page so far, where it would have neighbours
        self._drawn[id(new)] = new, picture
        place(new)
        self._wait(Pending(new, group))
        return new

    def _wait(self, pending: Pending) -> None:
        """Keep a picture for a new page; make pages if there are many."""
        members = self._pending.setdefault(id(pending.group), [])
        members.append(pending)
        self._waiting += self._drawn[id(pending.item)][1].pixels.size
        if self._waiting > _WAITING:
            for painted in self._pending.values():
                self._make_pages(painted, all_of_them=False)
            left = chain.from_iterable(self._pending.values())
            self._waiting = sum(self._drawn[id(painted.item)][1].pixels.size for painted in left)

    def _page_pixels(self, page: TexturePage | None) -> Pixels | None:
        edited = self._edited.get(id(page))
        return edited[1] if edited is not None else self.images.page(page)

    def _current(self, item: Item) -> Pixels | None:
        drawn = self._drawn.get(id(item))
        if drawn is not None:
            return drawn[1].frame()
        if not isinstance(item.page, Reference):
            return None
        page = self._page_pixels(item.page.target)
        if page is None:
            return None
        try:
            return pages.frame(page, item)
        except FormatError:
            return None

    def _in_place(self, pixels: Pixels, item: Item, crop: bool) -> bool:
        """Put a picture where another was, if it can go there."""
        if id(item) in self._drawn:
            picture = new_picture(pixels, self.game.release, crop)
            self._drawn[id(item)] = item, picture
            for name, value in _rectangles(picture.placed(0, 0)).items():
                setattr(item, name, value)
            return True
        if not pages.fits(pixels, item):
            return False
        page = item.page.target
        if page is None or textures.sniff(page.blob) not in WRITTEN:
            return False
        edited = self._edited.get(id(page))
        if edited is None:
            decoded = self.images.page(page)
            if decoded is None:
                return False
            edited = self._edited[id(page)] = (page, decoded.copy())
        pages.replace(edited[1], item, pixels, neighbours=self._neighbours(item))
        return True

    def _neighbours(self, item: Item) -> list[Item]:
        """The other items that reach into the border of an item."""
        if self._items_known != len(self.game.texture_items):
            by_page: dict[int, list[Item]] = {}
            for other in self.game.texture_items.present():
                if isinstance(other.page, Reference):
                    by_page.setdefault(id(other.page.target), []).append(other)
            self._on_page = {page: (items, _edges(items)) for page, items in by_page.items()}
            self._items_known = len(self.game.texture_items)
        items, edges = self._on_page[id(item.page.target)]
        left, top, right, bottom = _edges([item])[:, 0]
        near = (edges[0] < right + pages.BORDER) & (left - pages.BORDER < edges[2])
        near &= (edges[1] < bottom + pages.BORDER) & (top - pages.BORDER < edges[3])
        return [items[index] for index in np.flatnonzero(near) if items[index] is not item]

    def _is_shared(self, item: Item) -> bool:
        """Whether other pictures show the same pixels."""
        near = () if id(item) in self._drawn else self._neighbours(item)
        if any(pages.overlap(item, other) for other in near):
            return True
        if not self._counts:
            return sum(map(is_, self._shown_items(), repeat(item))) > 1
        if self._uses is None:
            self._uses = Counter(map(id, self._shown_items()))
        return self._uses[id(item)] > 1

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count the users of each item once, when a picture first asks for it.

        Inside, what is shown changes only through :meth:`put`, or is reported to
        :meth:`shows_others`.
        """
        self._counts = True
        try:
            yield
        finally:
            self._counts, self._uses = False, None

    def shows_others(self, old: Iterable[Item | None], new: Iterable[Item | None]) -> None:
        """A resource that showed the ``old`` items shows the ``new`` ones."""
        if self._uses is not None:
            self._uses.subtract(map(id, old))
            self._uses.update(map(id, new))

    def _used(self) -> set[int]:
        """The identities of the items of the game that anything shows."""
        return set(map(id, self._shown_items())) & set(map(id, self.game.texture_items))

    def _shown_items(self) -> list[Item | None]:
        """The items that anything shows, once for each use.

        Records may change between two pictures, so without counting this runs for each of them and
        has to be fast.
        """
        game = self.game
        sprites = [*filter(None, game.records.sprites.items)]
        shown: list[Item | None] = [*chain.from_iterable(map(_TEXTURES, sprites))]
        for special in filter(None, map(_SPECIAL, sprites)):
            shown += getattr(special, "items", None) or ()
        for chunk, name in (("BGND", "texture"), ("FONT", "texture"), ("EMBI", "image")):
            shown += map(attrgetter(name), filter(None, game.named(chunk).items))
        options = game.options
        if options is not None:
            shown += (options.back_image, options.front_image, options.load_image)
        return shown

    def replace_page(self, page: TexturePage, pixels: Pixels) -> None:
        """Give a page other pixels, of any size."""
        self.images.forget(page)
        self._edited[id(page)] = (page, pixels)

    def finish(self) -> None:
        """Encode the edited pages, and make new ones for pictures without a place."""
        for page, pixels in self._edited.values():
            kind = textures.sniff(page.blob) if page.blob is not None else None
            size = header_size(page, self.game.release)
            page.blob = textures.encode(
                pixels, kind or page_format(self.game.release), header_size=size
            )
            page.height, page.width = pixels.shape[:2]
            self.images.forget(page)
        self._edited.clear()
        pending, self._pending, self._waiting = self._pending, {}, 0
        used = self._used() if pending else set()
        unused = {id(item) for item, _ in self._drawn.values()} - used
        if unused:  # of sprites that were removed, or moved to another group
            items = self.game.texture_items.items
            items[:] = [item for item in items if id(item) not in unused]
        for members in pending.values():
            self._make_pages([member for member in members if id(member.item) in used])
        self._drawn.clear()
        self._keys.clear()

    def forget(self) -> None:
        """Drop the waiting pictures, after the game was rolled back."""
        self._edited.clear()
        self._drawn.clear()
        self._keys.clear()
        self._pending, self._waiting = {}, 0
        self._items_known = -1

    def _make_pages(self, members: list[Pending], *, all_of_them: bool = True) -> None:
        """Put pictures on new pages, and drop them from the list; without ``all_of_them`` the
        last page, which may have room left, is not made yet."""
        ordinary = []
        for pending in members:
            if max(self._drawn[id(pending.item)][1].size) > packing.MAX_PAGE_SIZE:
                self._build([pending], _LARGEST)
            else:
                ordinary.append(pending)
        members[:] = self._build(ordinary, packing.MAX_PAGE_SIZE, all_of_them)

    def _build(
        self, members: list[Pending], largest: int, all_of_them: bool = True
    ) -> list[Pending]:
        """Make pages for pictures; return those whose page was not made."""
        pictures = [self._drawn[id(pending.item)][1] for pending in members]
        planned = packing.plan(
            [*map(self._key, (pending.item for pending in members), pictures)],
            [picture.size for picture in pictures],
            max_size=largest,
        )
        count = len(planned.pages) - (not all_of_them)
        made = [
            self.add_page(packing.draw(page, pictures.__getitem__), members[0].group)
            for page in planned.pages[:count]
        ]
        left = []
        for pending, (number, x, y) in zip(members, planned.where, strict=True):
            if number >= count:
                left.append(pending)
                continue
            pending.item.source_x, pending.item.source_y = x, y
            pending.item.page = made[number]
            self._drawn.pop(id(pending.item), None)
            self._keys.pop(id(pending.item), None)
        self._items_known = -1
        return left

    def _key(self, item: Item, picture: packing.PackedPicture) -> Hashable:
        """The key of a picture, which may wait for its page through many plans."""
        known = self._keys.get(id(item))
        if known is None or known[0] is not picture:
            known = self._keys[id(item)] = picture, picture.key
        return known[1]

    def add_page(self, pixels: Pixels, group: TextureGroup | None) -> Reference[TexturePage]:
        """A new page of the game, in a texture group."""
        layout = self.game.release
        others = list(self._textures.present())
        kind = page_format(layout)
        header = 8 if layout.number < (2022, 5) else 12
        if others and others[-1].blob is not None:
            info = textures.sniff(others[-1].blob)
            if info in WRITTEN:
                kind, header = info, header_size(others[-1], layout)
        page = TexturePage(
            scaled=others[-1].scaled if others else default_scaled(layout),
            width=pixels.shape[1],
            height=pixels.shape[0],
            index_in_group=0 if group is None else len(group.pages),
            blob=textures.encode(pixels, kind, header_size=header),
        )
        reference = self._textures.append(page)
        if group is not None:
            group.pages.append(reference)
        return reference


def _edges(items: list[Item]) -> NDArray[np.int64]:
    """The left, top, right and bottom edges of items on their page, as four rows."""
    sides = ("source_x", "source_y", "source_width", "source_height")
    rows = np.array(list(map(attrgetter(*sides), items)), np.int64).T
    rows[2:] += rows[:2]
    return rows


def new_picture(
    pixels: Pixels,
    release: Version,
    crop: bool = True,
    *,
    at: tuple[int, int] = (0, 0),
    canvas: tuple[int, int] | None = None,
) -> packing.PackedPicture:
    """The part of a frame that goes to a page; raises EncodeError where no page can hold it.

    ``pixels`` may be a part of the frame: that at ``at`` (x, y) of a ``canvas`` (width, height).
    """
    width, height = canvas or (pixels.shape[1], pixels.shape[0])
    if not width * height:
        raise EncodeError("the picture has no pixels")
    picture = None
    if max(width, height) <= 0xFFFF and width * height <= MAX_PIXELS:
        if not crop or not pixels.size:
            pixels, at = pages.on_canvas(pixels, *at, (width, height)), (0, 0)
        picture = packing.trim(pixels, border_style(release), crop=crop, hidden_colours=True)
        picture = replace(picture, x=picture.x + at[0], y=picture.y + at[1], canvas=(width, height))
    if picture is None or max(picture.size) > _LARGEST:
        raise EncodeError(
            f"a picture of {width} x {height} is larger than a texture page can be "
            f"({_LARGEST} x {_LARGEST})"
        )
    return picture


def _rectangles(placement: pages.Placement) -> dict[str, int]:
    return {name: getattr(placement, name) for name in placement.__dataclass_fields__}


def page_format(version: Version) -> textures.TextureFormat:
    """The format of texture pages that the compiler of a release writes."""
    if version.at_least(2022, 1):
        return textures.TextureFormat.BZ2_QOI
    return textures.TextureFormat.PNG


def default_scaled(version: Version) -> int:
    """The first word of a texture page: 1 in bytecode 13 and 14, 0 in most files since."""
    return 1 if version.bytecode <= 14 else 0


def is_cropped(chunk: str, version: Version) -> bool:
    """Whether the compiler crops pictures of a kind: all but fonts and tile sets, where positions
    count from the corner."""
    return chunk != "FONT" and (chunk != "BGND" or version.major < 2)


def border_style(version: Version) -> pages.Border:
    """The border that the compiler of a release draws around pictures."""
    if version.bytecode <= 15:
        return pages.Border.REPEATED
    return pages.Border.COLOURED if version.at_least(2, 3, 6) else pages.Border.CLEAR


def header_size(page: Page, version: Version) -> int:
    """The header's size of the ``2zoq`` blob of a page, or that of new ones of a release."""
    if page.blob is not None and textures.sniff(page.blob) is textures.TextureFormat.BZ2_QOI:
        for size in (12, 8):
            if bytes(page.blob[size : size + 3]) == b"BZh":
                return size
    return 8 if version.number < (2022, 5) else 12


def group_of(game: GameModel, chunk: str, record: object) -> TextureGroup | None:
    """The texture group that lists a resource; the default group for resources that no group lists.

    None where the release has no texture groups.
    """
    if "TGIN" not in game.chunks:
        return None
    listing = _listing_group(game, chunk, record)
    if listing is not None:
        return listing
    groups = list(game.records.texture_groups.present())
    for group in groups:
        if not str(group.name or "").lower().startswith("__yy__"):
            return group
    group = TextureGroup(name=game.strings.add("Default"))
    if game.release.at_least(2022, 9):
        group.directory = game.strings.add("")
        group.extension = game.strings.add(".yytex")
    game.records.texture_groups.append(group)
    return group


def _listing_group(game: GameModel, chunk: str, record: object) -> TextureGroup | None:
    """The texture group that lists a resource; None where none does."""
    field = GROUP_FIELDS.get(chunk)
    if field is None or record not in (owner := game.named(chunk)):
        return None
    reference = owner.references.get(owner.index(record))
    for group in game.records.texture_groups.present() if reference is not None else ():
        if any(map(is_, getattr(group, field), repeat(reference))):
            return group
    return None


def list_in_group(game: GameModel, chunk: str, record: object) -> None:
    """List a new resource in a texture group, if no group lists it."""
    field = GROUP_FIELDS.get(chunk)
    if field is None or "TGIN" not in game.chunks or _listing_group(game, chunk, record):
        return
    reference = game.named(chunk).reference_to(record)
    getattr(group_of(game, chunk, record), field).append(reference)
