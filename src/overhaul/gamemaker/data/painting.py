"""Pictures of a game: frames cut out of texture pages, and changed ones put back.

A changed frame of the same size goes back to its place on its page, whose blob alone changes.
One of another size, or one whose pixels others share, goes to a new page with all others of its
texture group; existing pages stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from overhaul.errors import EncodeError, FormatError, WorkspaceError
from overhaul.gamemaker.data.chunks.tgin import TextureGroup
from overhaul.gamemaker.data.chunks.tpag import TexturePageItem
from overhaul.gamemaker.data.chunks.txtr import TexturePage
from overhaul.gamemaker.data.references import Reference
from overhaul.media import packing, pages, png, textures

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image

    from overhaul.gamemaker.data.chunks.sprt import Sprite
    from overhaul.gamemaker.data.model import GameModel
    from overhaul.gamemaker.data.pictures import PageImages
    from overhaul.gamemaker.data.version import Version
    from overhaul.schema import Record

    Pixels: TypeAlias = NDArray[np.uint8]
    Item: TypeAlias = TexturePageItem
    Place: TypeAlias = Callable[[TexturePageItem], None]

#: the largest side of a page made for a picture that is larger than pages usually are
_LARGEST = 8192


class Pending(NamedTuple):
    """A picture that goes to a new page: what sets its item, and the group it belongs to."""

    pixels: Pixels
    place: Place
    group: TextureGroup | None
    path: str


class ImageEdits:
    """Pictures put back into a game."""

    def __init__(self, game: GameModel, images: PageImages) -> None:
        self.game = game
        self.images = images
        self._edited: dict[int, tuple[TexturePage, Pixels]] = {}
        self._pending: list[Pending] = []
        self._sharing: dict[int, bool] | None = None

    def put(
        self,
        pixels: Pixels,
        item: Item | None,
        place: Place,
        *,
        group: Callable[[], TextureGroup | None],
        path: str,
    ) -> bool:
        """Show this picture where ``item`` was shown; whether anything changes.

        ``place`` is called with another item where it has to be one; ``group`` gives the texture
        group that a new page belongs to.
        """
        if item is not None:
            current = self._current(item)
            if current is not None and np.array_equal(current, pixels):
                return False
            if current is not None and not self._is_shared(item) and self._in_place(pixels, item):
                return True
        if 0 in pixels.shape:
            raise WorkspaceError(f"{path}: the picture has no pixels")
        self._pending.append(Pending(pixels, place, group(), path))
        return True

    def _page_pixels(self, page: TexturePage | None) -> Pixels | None:
        edited = self._edited.get(id(page))
        return edited[1] if edited is not None else self.images.page(page)

    def _current(self, item: Item) -> Pixels | None:
        if not isinstance(item.page, Reference):
            return None
        page = self._page_pixels(item.page.target)
        if page is None:
            return None
        try:
            return pages.frame(page, item)
        except FormatError:
            return None

    def _in_place(self, pixels: Pixels, item: Item) -> bool:
        if not pages.fits(pixels, item):
            return False
        page = item.page.target
        kind = textures.sniff(page.blob)
        if kind not in (
            textures.TextureFormat.PNG,
            textures.TextureFormat.QOI,
            textures.TextureFormat.BZ2_QOI,
        ):
            return False
        edited = self._edited.get(id(page))
        if edited is None:
            decoded = self.images.page(page)
            if decoded is None:
                return False
            edited = self._edited[id(page)] = (page, decoded.copy())
        near = [
            other
            for other in self.game.texture_items
            if other is not None and isinstance(other.page, Reference) and other.page.target is page
        ]
        pages.replace(edited[1], item, pixels, neighbours=near)
        return True

    def _is_shared(self, item: Item) -> bool:
        """Whether other pictures show the same pixels."""
        if self._sharing is None:
            items = [i for i in self.game.texture_items if i is not None]
            overlapping = pages.sharing(items)
            self._sharing = {id(items[index]): True for index in overlapping}
            users: dict[int, int] = {}
            for used in self.used_items():
                users[id(used)] = users.get(id(used), 0) + 1
            self._sharing.update({key: True for key, count in users.items() if count > 1})
        return self._sharing.get(id(item), False)

    def used_items(self) -> list[Item]:
        """The items that something shows, once for each use."""
        game = self.game
        used: list[Item] = []
        for sprite in game.records.sprites.present():
            used.extend(item for item in sprite.textures if item is not None)
            used.extend(getattr(sprite.special, "items", None) or ())
        for chunk, name in (("BGND", "texture"), ("FONT", "texture"), ("EMBI", "image")):
            for record in game.named(chunk):
                item = None if record is None else getattr(record, name)
                if item is not None:
                    used.append(item)
        options = game.options
        if options is not None:
            images = (options.back_image, options.front_image, options.load_image)
            used.extend(item for item in images if item is not None)
        return used

    def replace_page(self, page: TexturePage, pixels: Pixels) -> None:
        """Give a page other pixels, of any size."""
        self.images.forget(page)
        self._edited[id(page)] = (page, pixels)

    def finish(self) -> None:
        """Encode the edited pages, and make new ones for what found no place."""
        for page, pixels in self._edited.values():
            kind = textures.sniff(page.blob) if page.blob is not None else None
            header = _header_size(page, self.game.release)
            page.blob = textures.encode(
                pixels, kind or page_format(self.game.release), header_size=header
            )
            page.height, page.width = pixels.shape[:2]
            self.images.forget(page)
        self._edited = {}
        self._make_pages()

    def _make_pages(self) -> None:
        groups: dict[int, list[Pending]] = {}
        for pending in self._pending:
            groups.setdefault(id(pending.group), []).append(pending)
        self._pending = []
        for members in groups.values():
            ordinary = [p for p in members if max(p.pixels.shape) <= packing.MAX_PAGE_SIZE]
            large = [p for p in members if max(p.pixels.shape) > packing.MAX_PAGE_SIZE]
            if ordinary:
                self._build(ordinary, packing.MAX_PAGE_SIZE)
            for pending in large:
                self._build([pending], _LARGEST)

    def _build(self, members: list[Pending], largest: int) -> None:
        layout = self.game.release
        try:
            built = packing.build(
                [pending.pixels for pending in members],
                max_size=largest,
                style=border_style(layout),
                hidden_colours=True,
            )
        except EncodeError as error:
            raise WorkspaceError(f"{members[0].path}: {error}") from None
        made = [self.add_page(pixels, members[0].group) for pixels in built.pages]
        for pending, (number, placement) in zip(members, built.items, strict=True):
            item = TexturePageItem(
                **{name: getattr(placement, name) for name in placement.__dataclass_fields__},
                page=made[number],
            )
            self.game.texture_items.append(item)
            pending.place(item)

    def add_page(self, pixels: Pixels, group: TextureGroup | None) -> Reference[TexturePage]:
        """A new page of the game, in a texture group."""
        game = self.game
        layout = game.release
        others = [page for page in game.textures if page is not None]
        kind = page_format(layout)
        header = 8 if layout.number < (2022, 5) else 12
        if others and others[-1].blob is not None:
            info = textures.sniff(others[-1].blob)
            if info in (
                textures.TextureFormat.PNG,
                textures.TextureFormat.BZ2_QOI,
                textures.TextureFormat.QOI,
            ):
                kind, header = info, _header_size(others[-1], layout)
        page = TexturePage(
            scaled=others[-1].scaled if others else default_scaled(layout),
            width=pixels.shape[1],
            height=pixels.shape[0],
            index_in_group=0 if group is None else len(group.pages),
            blob=textures.encode(pixels, kind, header_size=header),
        )
        reference = game.textures.append(page)
        if group is not None:
            group.pages.append(reference)
        return reference


def set_frame(
    game: GameModel, images: PageImages, sprite: Sprite, index: int, image: Image
) -> None:
    """Give a frame of a sprite another picture of the same canvas."""
    if not 0 <= index < len(sprite.textures):
        raise IndexError(f"{sprite.name} has {len(sprite.textures)} frames, no frame {index}")
    if image.size != (sprite.width, sprite.height):
        size = f"{sprite.width} x {sprite.height}"
        raise ValueError(
            f"{sprite.name} is {size}, but the picture is {image.width} x {image.height}"
        )
    edits = ImageEdits(game, images)
    edits.put(
        png.from_image(image),
        sprite.textures[index],
        partial(sprite.textures.__setitem__, index),
        group=lambda: group_of(game, "SPRT", sprite),
        path=f"{sprite.name}[{index}]",
    )
    edits.finish()


def page_format(version: Version) -> textures.TextureFormat:
    """The format of texture pages that the compiler of a release writes."""
    if version.at_least(2022, 1):
        return textures.TextureFormat.BZ2_QOI
    return textures.TextureFormat.PNG


def default_scaled(version: Version) -> int:
    """The first word of a texture page: 1 in bytecode 13 and 14, 0 in most files since."""
    return 1 if version.bytecode <= 14 else 0


def border_style(version: Version) -> pages.Border:
    """What the compiler of a release draws around pictures."""
    if version.bytecode <= 15:
        return pages.Border.REPEATED
    return pages.Border.COLOURED if version.at_least(2, 3, 6) else pages.Border.CLEAR


def _header_size(page: TexturePage, version: Version) -> int:
    if page.blob is not None and textures.sniff(page.blob) is textures.TextureFormat.BZ2_QOI:
        for size in (12, 8):
            if bytes(page.blob[size : size + 3]) == b"BZh":
                return size
    return 8 if version.number < (2022, 5) else 12


def group_of(game: GameModel, chunk: str, record: Record) -> TextureGroup | None:
    """The texture group that lists a resource; the ordinary one for what no group lists.

    None where the release has no texture groups.
    """
    if "TGIN" not in game.chunks:
        return None
    field = {"SPRT": "sprites", "FONT": "fonts", "BGND": "tilesets"}.get(chunk)
    groups = [group for group in game.records.texture_groups if group is not None]
    if field is not None:
        for group in groups:
            if any(r.target is record for r in getattr(group, field) if isinstance(r, Reference)):
                return group
    for group in groups:
        if not str(group.name or "").lower().startswith("__yy__"):
            return group
    group = TextureGroup(name=game.strings.add("Default"))
    if game.release.at_least(2022, 9):
        group.directory = game.strings.add("")
        group.extension = game.strings.add(".yytex")
    game.records.texture_groups.append(group)
    return group


def list_in_group(game: GameModel, chunk: str, record: Record) -> None:
    """Enter a new resource into a texture group, if none lists it."""
    field = {"SPRT": "sprites", "FONT": "fonts", "BGND": "tilesets"}.get(chunk)
    if field is None or "TGIN" not in game.chunks:
        return
    owner = game.named(chunk)
    reference = owner.reference(owner.index(record))
    for group in game.records.texture_groups:
        if group is not None and any(r is reference for r in getattr(group, field)):
            return
    getattr(group_of(game, chunk, record), field).append(reference)
