"""Texture pages packed again: all pictures of a game packed again, page group by page group.

A *bucket* is what can share a page: the pages of one texture group and one format.  Its pictures
are cut out, cropped where the compiler crops, stored once where they are equal, and packed by
:mod:`overhaul.media.packing`.  A picture that has a page for itself keeps it as it is ("separate
texture page" in GameMaker): code may count on texture coordinates from 0 to 1.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import IO, TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from overhaul.errors import FormatError
from overhaul.gamemaker.data.chunks.txtr import TexturePage, TexturePageItem
from overhaul.gamemaker.data.painting import (
    WRITTEN,
    border_style,
    header_size,
    is_cropped,
)
from overhaul.gamemaker.data.references import Reference
from overhaul.media import packing, pages, textures
from overhaul.media.packing import PackedPicture
from overhaul.media.pages import BORDER, Border
from overhaul.schema.record import short_repr
from overhaul.suggest import did_you_mean

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from overhaul.gamemaker.data.chunks.txtr import TextureGroup
    from overhaul.gamemaker.data.code.model import CodeModel
    from overhaul.gamemaker.data.pictures import PageImages

    Pixels: TypeAlias = NDArray[np.uint8]
    Progress: TypeAlias = Callable[[int, int, str], None]

#: the sides that pages can have
_SIDES = tuple(1 << power for power in range(6, 14))
_MOST_PADDING = 64
#: bytes of pictures that are kept in memory; more are in a temporary file
_IN_MEMORY = 64 << 20
_NO_PIXEL = np.uint8(0)
_WRAPPED = (Border.WRAPPED, Border.WRAPPED_HORIZONTALLY, Border.WRAPPED_VERTICALLY)


@dataclass(slots=True)
class PageTotals:
    """Texture pages counted: how many, their pixels, and their bytes in the file."""

    __repr__ = short_repr
    pages: int = 0
    area: int = 0
    bytes: int = 0

    def add(self, other: PageTotals) -> None:
        """Add others to these."""
        self.pages += other.pages
        self.area += other.area
        self.bytes += other.bytes


@dataclass(slots=True)
class BucketReport:
    """The result for the pages of a texture group: ``group`` is its name (None without groups).

    ``separate`` pages hold one picture each and stay; where packing again would win nothing,
    ``packed`` is False and all stay.  ``pictures`` counts the texture page items, ``distinct``
    those that are not equal to another.
    """

    __repr__ = short_repr
    group: str | None
    format: str
    before: PageTotals
    after: PageTotals
    pictures: int = 0
    distinct: int = 0
    separate: int = 0
    packed: bool = False


@dataclass(slots=True)
class RepackReport:
    """The result of :func:`repack`; ``left`` are the pages it can't read or write, which stay."""

    __repr__ = short_repr

    buckets: list[BucketReport] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    def total(self, when: str) -> PageTotals:
        """The pages of all buckets; ``when`` is ``"before"`` or ``"after"``."""
        total = PageTotals()
        for bucket in self.buckets:
            total.add(bucket.before if when == "before" else bucket.after)
        return total

    def to_jsonable(self) -> dict[str, object]:
        """The report as JSON values."""
        return {
            "before": asdict(self.total("before")),
            "after": asdict(self.total("after")),
            "groups": [asdict(bucket) for bucket in self.buckets],
            "left": self.left,
        }


class Settings(NamedTuple):
    """How pages are packed, in pixels: the largest side of a page (None: that of the pages
    before), the room around each picture, and how much of it continues the picture."""

    page_size: int | None = None
    padding: int | None = None
    extrude: int | None = None

    def check(self) -> Settings:
        """These settings; raises ValueError for values that no page can have."""
        if self.page_size is not None and self.page_size not in _SIDES:
            raise ValueError(
                f"page_size: expected a power of two from {_SIDES[0]} to {_SIDES[-1]}, "
                f"got {self.page_size}"
            )
        if not 0 <= self.room <= _MOST_PADDING:
            raise ValueError(f"padding: expected 0 to {_MOST_PADDING}, got {self.padding}")
        if not 0 <= self.drawn <= self.room:
            raise ValueError(
                f"extrude: expected 0 to the padding ({self.room}), got {self.extrude}"
            )
        return self

    @property
    def room(self) -> int:
        """The padding; GameMaker's by default."""
        return BORDER if self.padding is None else self.padding

    @property
    def drawn(self) -> int:
        """How much of the padding continues the picture: all of it by default."""
        return self.room if self.extrude is None else self.extrude

    @property
    def are_given(self) -> bool:
        """Whether anything is set, so that pages are packed again even if that saves no space."""
        return self != Settings()


@dataclass(slots=True)
class _Bucket:
    """Pages that can share their pictures: of one group, format and kind of texture;
    ``separate`` are the pages that stay unchanged."""

    __repr__ = short_repr
    group: TextureGroup | None
    format: textures.TextureFormat
    header_size: int
    scaled: int
    mips: int
    pages: list[TexturePage] = field(default_factory=list)
    separate: list[TexturePage] = field(default_factory=list)

    def holds(self, other: _Bucket) -> bool:
        """Whether the pages of another bucket can join this one."""
        return self.group is other.group and (
            (self.format, self.header_size, self.scaled, self.mips)
            == (other.format, other.header_size, other.scaled, other.mips)
        )


class _Cut(NamedTuple):
    """A picture cut out of its page: its place in the store, and its item's new rectangles."""

    item: TexturePageItem
    key: Hashable
    size: tuple[int, int]
    #: how much was cropped at the left and top
    offset: tuple[int, int]


@dataclass(slots=True)
class _New:
    """The new pages of a bucket, and where each item goes: page among them, x, y."""

    __repr__ = short_repr
    pages: list[TexturePage]
    places: list[tuple[_Cut, tuple[int, int, int]]]


class _Store:
    """Pictures by key, each stored once; many of them in a temporary file."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._known: dict[Hashable, tuple[int, PackedPicture]] = {}

    def put(self, picture: PackedPicture) -> Hashable:
        """Store a picture; return its key."""
        key = picture.key
        if key not in self._known:
            at, shape = self._file.seek(0, 2), picture.pixels.shape
            self._file.write(np.ascontiguousarray(picture.pixels).data)
            self._known[key] = at, replace(picture, pixels=np.broadcast_to(_NO_PIXEL, shape))
        return key

    def get(self, key: Hashable) -> PackedPicture:
        """The picture of a key."""
        at, picture = self._known[key]
        self._file.seek(at)
        data = np.frombuffer(self._file.read(picture.pixels.size), np.uint8)
        return replace(picture, pixels=data.reshape(picture.pixels.shape))


def repack(
    game: CodeModel,
    groups: Iterable[str] | None = None,
    *,
    page_size: int | None = None,
    padding: int | None = None,
    extrude: int | None = None,
    progress: Progress = lambda done, total, name: None,
) -> RepackReport:
    """Pack the texture pages of a game again, or those of some texture groups.

    Every picture keeps its pixels and its group. ``page_size`` is the largest side of a page, a
    power of two (by default 2048, or that of a larger page there is); a picture that is larger has
    a page of its own. ``padding`` is the room around each picture and ``extrude`` how much of it
    continues the picture, in pixels (2 and all of it by default, as GameMaker has it). Without any
    of these three, pages that would not get smaller stay unchanged. ``progress`` is called with
    pages done, all pages, and a group's name.

    Raises KeyError for an unknown group, ValueError for settings no page can have.
    """
    settings = Settings(page_size, padding, extrude).check()
    game.load_all()
    painting = game.painting
    painting.finish()
    chosen = _chosen(game, groups)
    report = RepackReport()
    work = _Repacking(game, painting.images, settings)
    buckets = work.buckets(chosen, report)
    total = sum(len(bucket.pages) for bucket in buckets)
    made: list[tuple[_Bucket, _New]] = []
    done = 0
    for bucket in buckets:
        new = work.repack(bucket, report, partial(progress, done, total))
        if new is not None:
            made.append((bucket, new))
        done += len(bucket.pages)
    progress(total, total, "")
    _replace_pages(game, made)
    painting.forget()
    return report


def _chosen(game: CodeModel, groups: Iterable[str] | None) -> list[TextureGroup] | None:
    """The texture groups of these names; None for all pages."""
    if groups is None:
        return None
    known = {str(group.name): group for group in game.records.texture_groups.present()}
    wanted = [groups] if isinstance(groups, str) else list(groups)
    for name in wanted:
        if name not in known:
            raise KeyError(f"there is no texture group named {name!r}{did_you_mean(name, known)}")
    return [known[name] for name in wanted]


def _name(group: TextureGroup | None) -> str | None:
    return None if group is None else str(group.name)


class _Repacking:
    """The state that all buckets of one run share."""

    def __init__(self, game: CodeModel, images: PageImages, settings: Settings) -> None:
        self.game = game
        self.images = images
        self.settings = settings
        self.style = border_style(game.release)
        #: the largest side that a page may have
        self.limit = settings.page_size or packing.MAX_PAGE_SIZE
        self.items: dict[int, list[TexturePageItem]] = {}
        for item in game.texture_items.present():
            if isinstance(item.page, Reference):
                self.items.setdefault(id(item.page.target), []).append(item)
        #: items that are never cropped, and those without a border
        fonts = [font.texture for font in game.records.fonts.present()]
        tiles = [background.texture for background in game.records.backgrounds.present()]
        self.bare = set(map(id, fonts))
        tiles = [] if is_cropped("BGND", game.release) else tiles
        self.whole = self.bare | set(map(id, tiles))

    # -- what is packed together --------------------------------------------------------------

    def buckets(self, chosen: Sequence[TextureGroup] | None, report: RepackReport) -> list[_Bucket]:
        """The buckets, each with its pages; the report lists what can't be packed."""
        group_of: dict[int, TextureGroup] = {}
        if "TGIN" in self.game.chunks:
            for owner in self.game.records.texture_groups.present():
                for listed in owner.pages:
                    if isinstance(listed, Reference):
                        group_of.setdefault(id(listed.target), owner)
        buckets: list[_Bucket] = []
        for index, page in enumerate(self.game.textures):
            if page is None or page.blob is None:
                continue
            group = group_of.get(id(page))
            if chosen is not None and not any(group is member for member in chosen):
                continue
            kind = textures.sniff(page.blob)
            if kind not in WRITTEN:
                report.left.append(f"textures[{index}]: pages of the format {kind.value}")
                continue
            new = _Bucket(
                group, kind, header_size(page, self.game.release), page.scaled, page.generated_mips
            )
            bucket = next((candidate for candidate in buckets if candidate.holds(new)), None)
            if bucket is None:
                bucket = new
                buckets.append(bucket)
            try:
                self._check(page)
            except FormatError as error:
                report.left.append(f"textures[{index}]: {error}")
                continue
            if self._is_separate(page):
                bucket.separate.append(page)
            else:
                bucket.pages.append(page)
        if self.settings.page_size is None:
            self.limit = _usual_limit(buckets)
        return buckets

    def _check(self, page: TexturePage) -> None:
        """Raise FormatError for a page that is broken, or has items that reach beyond it."""
        info = textures.inspect(page.blob or b"")
        for item in self.items.get(id(page), ()):
            right, bottom = item.source_x + item.source_width, item.source_y + item.source_height
            if right > info.width or bottom > info.height:
                size = f"{info.width} x {info.height}"
                raise FormatError(f"a picture reaches beyond the page of {size} pixels")

    def _is_separate(self, page: TexturePage) -> bool:
        """Whether one picture, in the corner, has the page for itself (or nothing is on it)."""
        items = self.items.get(id(page), ())
        places = {(i.source_x, i.source_y, i.source_width, i.source_height) for i in items}
        return not places or (len(places) == 1 and next(iter(places))[:2] == (0, 0))

    # -- packing ------------------------------------------------------------------------------

    def repack(
        self, bucket: _Bucket, report: RepackReport, at: Callable[[str], None]
    ) -> _New | None:
        """The new pages of a bucket; None where the old ones stay.

        ``at`` is called with a description of each step.
        """
        counts = BucketReport(
            _name(bucket.group),
            bucket.format.value,
            _totals([*bucket.pages, *bucket.separate]),
            _totals(bucket.separate),
            separate=len(bucket.separate),
        )
        report.buckets.append(counts)
        new = None
        with tempfile.SpooledTemporaryFile(_IN_MEMORY) as file:
            store = _Store(file)
            cuts = self._cuts(bucket, store, report, at)
            counts.pictures = len(cuts)
            counts.distinct = len({cut.key for cut in cuts})
            if cuts:
                new = self._plan(bucket, cuts, store, at)
        counts.packed = new is not None
        counts.after.add(_totals(bucket.pages if new is None else new.pages))
        return new

    def _cuts(
        self, bucket: _Bucket, store: _Store, report: RepackReport, at: Callable[[str], None]
    ) -> list[_Cut]:
        """All pictures of a bucket; none where a page can't be decoded."""
        items = [item for page in bucket.pages for item in self.items[id(page)]]
        crop = any(not _is_whole(item) for item in items)
        cuts = []
        for number, page in enumerate(bucket.pages):
            at(f"{_title(bucket)}, reading page {number + 1} of {len(bucket.pages)}")
            pixels = self.images.page(page)
            if pixels is None:
                place = f"textures[{self.game.textures.index(page)}]"
                report.left.append(f"{place}: {self.images.broken.get(id(page), 'no bytes')}")
                return []
            for item in self.items[id(page)]:
                picture, offset = self._cut(pixels, item, crop)
                cuts.append(_Cut(item, store.put(picture), picture.size, offset))
            self.images.forget(page)
        return cuts

    def _cut(
        self, page: Pixels, item: TexturePageItem, crop: bool
    ) -> tuple[PackedPicture, tuple[int, int]]:
        """The picture of an item, and how much is cropped at its left and top."""
        source = pages.source_of(page, item)
        style: Border | None = None
        if id(item) not in self.bare:
            border = pages.border_of(page, item)
            style = border if border in _WRAPPED else self.style
        if not source.size or pages.is_scaled(item):
            return PackedPicture(source.copy(), 0, 0, source.shape[1::-1], style), (0, 0)
        whole = id(item) in self.whole or style in _WRAPPED
        box = packing.trim(source, style, crop=crop and not whole, hidden_colours=True)
        x, y = item.target_x + box.x, item.target_y + box.y
        canvas = (item.bounding_width, item.bounding_height)
        return PackedPicture(box.pixels, x, y, canvas, style), (box.x, box.y)

    def _plan(
        self, bucket: _Bucket, cuts: list[_Cut], store: _Store, at: Callable[[str], None]
    ) -> _New | None:
        """The new pages; None where they save nothing."""
        at(f"{_title(bucket)}, packing {len(cuts)} pictures")
        together: dict[Hashable, list[_Cut]] = {}
        for cut in cuts:  # a picture larger than a page has one for itself
            together.setdefault(cut.key if max(cut.size) > self.limit else None, []).append(cut)
        new = _New([], [])
        drawings: list[tuple[packing.PackedPage, list[Hashable]]] = []
        for key, members in together.items():
            keys = [cut.key for cut in members]
            planned = packing.plan(
                keys,
                [cut.size for cut in members],
                max_size=self.limit if key is None else _SIDES[-1],
                border=self.settings.room,
                strict=self.settings.padding is not None,
            )
            places = [(len(drawings) + number, x, y) for number, x, y in planned.where]
            new.places += zip(members, places, strict=True)
            drawings += [(page, keys) for page in planned.pages]
        new_area = sum(page.width * page.height for page, _ in drawings)
        if new_area >= _totals(bucket.pages).area and not self.settings.are_given:
            return None
        for number, (page, keys) in enumerate(drawings):
            at(f"{_title(bucket)}, writing page {number + 1} of {len(drawings)}")
            pixels = packing.draw(page, partial(_stored, store, keys), border=self.settings.drawn)
            new.pages.append(_page(bucket, pixels))
        return new


def _title(bucket: _Bucket) -> str:
    """The title of a bucket's pages."""
    return _name(bucket.group) or f"{bucket.format.value} pages"


def _stored(store: _Store, keys: list[Hashable], index: int) -> PackedPicture:
    return store.get(keys[index])


def page_size(page: TexturePage) -> tuple[int, int]:
    """The width and height of a page, by its bytes; zeros where they are elsewhere."""
    if page.blob is None:
        return 0, 0
    info = textures.inspect(page.blob)
    return info.width, info.height


def _usual_limit(buckets: Sequence[_Bucket]) -> int:
    """The largest side that pages may have: GameMaker's default, or that of a larger one."""
    sides = [max(page_size(page)) for bucket in buckets for page in bucket.pages]
    return 1 << (max([packing.MAX_PAGE_SIZE, *sides]) - 1).bit_length()


def _totals(pages: Iterable[TexturePage]) -> PageTotals:
    total = PageTotals()
    for page in pages:
        width, height = page_size(page)
        total.add(PageTotals(1, width * height, len(page.blob or b"")))
    return total


def _is_whole(item: TexturePageItem) -> bool:
    """Whether a picture covers its canvas: nothing was cropped."""
    return (item.target_x, item.target_y, item.target_width, item.target_height) == (
        *(0, 0),
        item.bounding_width,
        item.bounding_height,
    )


def _page(bucket: _Bucket, pixels: Pixels) -> TexturePage:
    return TexturePage(
        scaled=bucket.scaled,
        generated_mips=bucket.mips,
        width=pixels.shape[1],
        height=pixels.shape[0],
        blob=textures.encode(pixels, bucket.format, header_size=bucket.header_size),
    )


def _replace_pages(game: CodeModel, made: list[tuple[_Bucket, _New]]) -> None:
    """Put the new pages of each bucket where the first of the old ones was."""
    first = {id(bucket.pages[0]): new for bucket, new in made}
    gone = {id(page) for bucket, _ in made for page in bucket.pages}
    listed: list[TexturePage | None] = []
    mapping: dict[int, int] = {}
    for index, page in enumerate(game.textures):
        if id(page) in first:
            listed += first[id(page)].pages
        if id(page) in gone:
            mapping[index] = -1
        else:
            mapping[index] = len(listed)
            listed.append(page)
    game.textures.put(listed, mapping)
    number = {id(page): index for index, page in enumerate(listed)}
    for bucket, new in made:
        references = [game.textures.reference(number[id(page)]) for page in new.pages]
        if bucket.group is not None:
            _list_pages(bucket.group, references)
        for cut, (which, x, y) in new.places:
            _move(cut, references[which], x, y)


def _list_pages(group: TextureGroup, new: list[Reference[TexturePage]]) -> None:
    """Enter new pages into a group, where the old ones were."""
    gone = [isinstance(page, Reference) and page.index < 0 for page in group.pages]
    place = gone.index(True) if True in gone else len(gone)
    kept = [page for page, is_gone in zip(group.pages, gone, strict=True) if not is_gone]
    group.pages[:] = [*kept[:place], *new, *kept[place:]]
    for index, page in enumerate(group.pages):
        if isinstance(page, Reference) and page.target is not None:
            page.target.index_in_group = index


def _move(cut: _Cut, page: Reference[TexturePage], x: int, y: int) -> None:
    """Let an item show its picture at another place."""
    item = cut.item
    item.page, item.source_x, item.source_y = page, x, y
    if (item.source_width, item.source_height) == cut.size:
        return
    item.source_width, item.source_height = cut.size
    item.target_width, item.target_height = cut.size
    item.target_x += cut.offset[0]
    item.target_y += cut.offset[1]
