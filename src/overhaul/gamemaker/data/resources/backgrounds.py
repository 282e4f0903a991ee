"""Backgrounds, which are tile sets from GameMaker 2 on; embedded images; texture pages."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from overhaul.document.surface import ResourceSurface
from overhaul.gamemaker.data.chunks.txtr import Background as BackgroundRecord
from overhaul.gamemaker.data.chunks.txtr import EmbeddedImage as EmbeddedImageRecord
from overhaul.gamemaker.data.painting import group_of, is_cropped
from overhaul.gamemaker.data.pictures import has_picture, image_of_item, image_of_page, png_bytes
from overhaul.gamemaker.data.resources.base import Resource, Resources
from overhaul.gamemaker.data.resources.fields import Flag, Number
from overhaul.gamemaker.data.resources.pixels import pixels_of
from overhaul.gamemaker.data.sprite_shape import cell_of, follows_rule, set_tile_count, with_borders
from overhaul.media import png

if TYPE_CHECKING:
    from PIL.Image import Image

    from overhaul.gamemaker.data.chunks.txtr import TexturePage as PageRecord
    from overhaul.gamemaker.data.code.model import CodeModel
    from overhaul.gamemaker.data.resources.pixels import Picture, Pixels

    Pair: TypeAlias = tuple[int, int]


class Background(Resource[BackgroundRecord]):
    """A background, or since GameMaker 2 a tile set."""

    __slots__ = ()
    chunk = "BGND"

    transparent: Flag = Flag("whether a colour of the picture is transparent")
    smooth: Flag = Flag("whether its edges are smoothed")
    preload: Flag = Flag("whether the texture is loaded at the start")
    tile_width: Number = Number("of a tile, in pixels (GameMaker 2 and later)")
    tile_height: Number = Number("of a tile, in pixels (GameMaker 2 and later)")
    border_x: Number = Number(
        "how much a tile is continued at its left and right in the picture, in pixels",
        "output_border_x",
    )
    border_y: Number = Number(
        "how much a tile is continued above and below it in the picture, in pixels",
        "output_border_y",
    )
    columns: Number = Number("tiles in a row of the picture")
    tile_count: Number = Number("tiles in the picture; the first one, 0, is not drawn")
    frames_per_tile: Number = Number("the frames of each animated tile; 1 without animation")
    frame_length: Number = Number("how long a frame is shown, in microseconds")

    @property
    def width(self) -> int:
        """Of the picture, in pixels; 0 without one."""
        return 0 if self.record.texture is None else int(self.record.texture.bounding_width)

    @property
    def height(self) -> int:
        """Of the picture, in pixels; 0 without one."""
        return 0 if self.record.texture is None else int(self.record.texture.bounding_height)

    @property
    def image(self) -> Image | None:
        """A copy of the picture (RGBA); in that of a tile set, each tile has its borders around
        it.  None where there is none.

        Setting it takes a Pillow image, or an array (height, width, 4). The tiles of a tile set
        follow its size, and the borders of those that were repainted are drawn again. Raises
        ValueError for a picture that no texture page can hold, and for one whose size is not a
        whole number of tiles.
        """
        return image_of_item(self.record.texture)

    @image.setter
    def image(self, picture: Picture) -> None:
        record = self.record
        pixels = pixels_of(picture, self.game.release)
        height, width = pixels.shape[:2]
        item = record.texture
        old = self.game.painting.images.frame(item)
        if self.game.release.major >= 2 and record.tile_width and old is not None:
            border = (record.output_border_x, record.output_border_y)
            pixels = with_borders(pixels, old, cell_of(record), border)
        resized = item is None or (width, height) != (self.width, self.height)
        if self.game.release.major >= 2 and record.tile_width and resized:
            cell = cell_of(record)
            if width % cell[0] or height % cell[1]:
                raise ValueError(
                    f"{width} x {height} pixels are not a whole number of tiles of {cell[0]} x "
                    f"{cell[1]} (a tile and its borders)"
                )
            followed = item is None or follows_rule(record, (self.width, self.height))
            if followed:
                record.columns = width // cell[0]
                set_tile_count(record, record.columns * (height // cell[1]))
        self.game.painting.put(
            pixels,
            item,
            partial(setattr, record, "texture"),
            group=lambda: group_of(self.game, "BGND", record),
            path=self.name,
            crop=is_cropped("BGND", self.game.release),
        )

    @property
    def has_picture(self) -> bool:
        """Whether it has a picture, as far as the game says; its page may be damaged."""
        return has_picture(self.record.texture)

    @property
    def _has_tiles(self) -> bool:
        return self.game.release.major >= 2 and self.record.columns > 0

    @property
    def tile_size(self) -> tuple[int, int]:
        """The width and height of a tile; 0, 0 if it is not a tile set."""
        return (self.tile_width, self.tile_height) if self._has_tiles else (0, 0)

    @property
    def tile_places(self) -> list[tuple[int, int]]:
        """The left and top of each tile in the picture, without its borders."""
        if not self._has_tiles:
            return []
        across, down = cell_of(self.record)
        return [
            (n % self.columns * across + self.border_x, n // self.columns * down + self.border_y)
            for n in range(self.tile_count)
        ]

    def tile(self, number: int) -> Image:
        """The picture of a tile, without its borders.  Raises IndexError for a number that there
        is not, ValueError for a background without tiles."""
        record = self.record
        image = self.game.painting.images.frame(record.texture)
        if image is None or self.game.release.major < 2 or not record.columns:
            raise ValueError(f"{self.name} has no tiles with a picture")
        if not 0 <= number < record.tile_count:
            raise IndexError(f"{self.name} has {record.tile_count} tiles, no tile {number}")
        cell = cell_of(record)
        x = number % record.columns * cell[0] + record.output_border_x
        y = number // record.columns * cell[1] + record.output_border_y
        return png.to_image(image[y : y + record.tile_height, x : x + record.tile_width])

    def _about(self) -> str:
        size = f"{self.width}×{self.height}"
        if self.game.release.major < 2:
            return size
        count = self.record.tile_count
        tile = f"{self.record.tile_width}×{self.record.tile_height}"
        return f"{size}, {count} tile{'' if count == 1 else 's'} of {tile}"

    def _repr_png_(self) -> bytes | None:
        return png_bytes(self.image)


class Backgrounds(Resources[Background]):
    """The backgrounds of a game; from GameMaker 2 on its tile sets."""

    resource = Background

    def add(
        self,
        name: str,
        picture: Picture,
        *,
        tile_size: Pair = (16, 16),
        border: Pair = (2, 2),
    ) -> Background:
        """Add a background, or from GameMaker 2 on a tile set.

        The picture of a tile set is as one draws it, tile next to tile from the top left, the
        first one empty; ``border`` is how far each is continued in the game, in pixels. Raises
        ValueError for a name that is taken or invalid, and for a picture whose size is not a
        whole number of tiles of ``tile_size`` or that no texture page can hold.
        """
        self._check_kind()
        pixels = pixels_of(picture, self.game.release)
        record = BackgroundRecord()
        if self.game.release.major >= 2:
            record.tile_width, record.tile_height = tile_size
            record.output_border_x, record.output_border_y = border
            if not self.game.release.at_least(2023, 8):
                record.exported_sprite = 0
            pixels = pixels_of(_spread(pixels, tile_size, border), self.game.release)
        background = self._add(record, name)
        background.image = pixels
        return background


def _spread(pixels: Pixels, size: Pair, border: Pair) -> Pixels:
    """The picture of a tile set as games have it: each tile with its edges continued."""
    (width, height), (across, down) = size, border
    if min(*size, across + 1, down + 1) < 1:
        raise ValueError(f"expected tiles of at least 1 x 1 pixels, got {size}, borders {border}")
    rows, columns = pixels.shape[0] // height, pixels.shape[1] // width
    if pixels.shape[:2] != (rows * height, columns * width):
        raise ValueError(
            f"{pixels.shape[1]} x {pixels.shape[0]} pixels are not a whole number of tiles of "
            f"{width} x {height}"
        )
    tiles = pixels.reshape(rows, height, columns, width, 4).swapaxes(1, 2)
    padded = np.pad(tiles, ((0, 0), (0, 0), (down, down), (across, across), (0, 0)), mode="edge")
    cells = padded.swapaxes(1, 2)
    return cells.reshape(rows * (height + 2 * down), columns * (width + 2 * across), 4)


class EmbeddedImage(Resource[EmbeddedImageRecord]):
    """A picture that the runner draws with: the shape of a particle, a texture that is missing.

    The runner finds it by its name, which is that of a file, often with the folders of the
    compiler's machine.
    """

    __slots__ = ()
    chunk = "EMBI"

    @property
    def image(self) -> Image | None:
        """A copy of the picture (RGBA); None where there is none.

        Setting it takes a Pillow image, or an array (height, width, 4).  Raises ValueError for a
        picture that no texture page can hold.
        """
        return image_of_item(self.record.image)

    @image.setter
    def image(self, picture: Picture) -> None:
        self.game.painting.put(
            pixels_of(picture, self.game.release),
            self.record.image,
            partial(setattr, self.record, "image"),
            group=lambda: group_of(self.game, "EMBI", self.record),
            path=self.name,
        )

    def _about(self) -> str:
        item = self.record.image
        return "" if item is None else f"{item.bounding_width}×{item.bounding_height}"

    def _repr_png_(self) -> bytes | None:
        return png_bytes(self.image)


class TexturePage(ResourceSurface):
    """A texture page, known by its number."""

    __slots__ = ("game", "number", "record")

    def __init__(self, game: CodeModel, number: int, record: PageRecord) -> None:
        self.game: CodeModel = game
        self.number: int = number
        self.record: PageRecord = record

    @property
    def kind(self) -> str:
        """Its kind in ``overhaul ls``."""
        return "texture page"

    @property
    def name(self) -> str:
        """Its number as text."""
        return str(self.number)

    @property
    def document(self) -> object:
        """The game it is of."""
        return self.game

    @property
    def image(self) -> Image | None:
        """All of it (RGBA); None where its bytes are elsewhere.  Raises FormatError."""
        return image_of_page(self.record)

    def _repr_png_(self) -> bytes | None:
        return png_bytes(self.image)


def texture_page(game: CodeModel, number: int) -> TexturePage | None:
    """The texture page of a number; None where there is none in the game's own file."""
    page = game.named("TXTR").at(number)
    return None if page is None or page.blob is None else TexturePage(game, number, page)


class EmbeddedImages(Resources[EmbeddedImage]):
    """The embedded images of a game (GameMaker 2 and later)."""

    resource = EmbeddedImage

    def add(self, name: str, picture: Picture) -> EmbeddedImage:
        """Add a picture under the name of a file.

        Raises ValueError for a name that is taken or is none, for a picture that no texture page
        can hold, and where the release has no embedded images.
        """
        self._check_kind()
        pixels = pixels_of(picture, self.game.release)
        made = self._add(EmbeddedImageRecord(), name)
        made.image = pixels
        return made
