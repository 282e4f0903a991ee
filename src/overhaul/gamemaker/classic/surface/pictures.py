"""Sprites and backgrounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from overhaul.gamemaker.classic.executable.records import GameBackground, GameSprite
from overhaul.gamemaker.classic.pictures import mask_of, pixels_of
from overhaul.gamemaker.classic.resources import Background as BackgroundRecord
from overhaul.gamemaker.classic.resources import OldSprite
from overhaul.gamemaker.classic.resources import Sprite as SpriteRecord
from overhaul.gamemaker.classic.surface.base import Resource
from overhaul.media import png

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray
    from PIL.Image import Image

    from overhaul.gamemaker.classic.executable.records import GamePicture
    from overhaul.gamemaker.classic.resources import OldPicture, Picture

    #: pixels (height, width, 4), RGBA
    Pixels: TypeAlias = NDArray[numpy.uint8]

AnySprite: TypeAlias = OldSprite | SpriteRecord | GameSprite
AnyBackground: TypeAlias = BackgroundRecord | GameBackground


def _image(pixels: Pixels | None) -> Image | None:
    return None if pixels is None else png.to_image(pixels)


def _png(pixels: Pixels | None) -> bytes | None:
    return None if pixels is None else png.encode(pixels)


class Frame:
    """A subimage of a sprite."""

    __slots__ = ("index", "sprite")

    def __init__(self, sprite: Sprite, index: int) -> None:
        self.sprite: Sprite = sprite
        self.index: int = index

    @property
    def pixels(self) -> Pixels | None:
        """Its pixels (height, width, 4); None where it has none.  Raises FormatError."""
        picture: OldPicture | Picture | GamePicture = self.sprite.record.frames[self.index]
        return pixels_of(picture, keyed=bool(getattr(self.sprite.record, "transparent", 0)))

    @property
    def image(self) -> Image | None:
        """Its picture (RGBA); None where it has none.  Raises FormatError for a damaged one."""
        return _image(self.pixels)

    def _repr_png_(self) -> bytes | None:
        return _png(self.pixels)

    def __repr__(self) -> str:
        return f"<Frame {self.index} of {self.sprite.name}>"


class Sprite(Resource[AnySprite]):
    """A sprite; sizes and places are in pixels."""

    __slots__ = ()
    kind = "sprites"
    #: no sprite of these releases has such cuts
    nine_slice = None
    #: subimages per second where no code sets a speed: one in each step of a room of usual speed
    fps: float = 30.0

    @property
    def width(self) -> int:
        """The width of its subimages."""
        return self._size[0]

    @property
    def height(self) -> int:
        """The height of its subimages."""
        return self._size[1]

    @property
    def _size(self) -> tuple[int, int]:
        record = self.record
        if isinstance(record, OldSprite):
            return record.width, record.height
        if not record.frames:
            return 0, 0
        return record.frames[0].width, record.frames[0].height

    @property
    def origin_x(self) -> int:
        """The point of the sprite that is drawn at (x, y), from its left."""
        return self.record.origin_x

    @property
    def origin_y(self) -> int:
        """The point of the sprite that is drawn at (x, y), from its top."""
        return self.record.origin_y

    @property
    def origin(self) -> tuple[int, int]:
        """``origin_x`` and ``origin_y``."""
        return self.record.origin_x, self.record.origin_y

    @property
    def bbox(self) -> tuple[int, int, int, int]:
        """The bounding box: left, top, right, bottom, the last column and row included."""
        record = self.record
        if isinstance(record, GameSprite) and record.version >= 800:
            if not record.masks:
                return 0, 0, -1, -1
            mask = record.masks[0]
            return mask.left, mask.top, mask.right, mask.bottom
        return record.bbox_left, record.bbox_top, record.bbox_right, record.bbox_bottom

    @property
    def masks(self) -> list[NDArray[numpy.bool_]]:
        """The collision masks (height, width), True where solid; only executables of Game Maker 8
        hold them."""
        return [mask_of(each) for each in getattr(self.record, "masks", ())]

    @property
    def frames(self) -> list[Frame]:
        """Its subimages."""
        return [Frame(self, number) for number in range(len(self.record.frames))]

    def _about(self) -> str:
        count = len(self.record.frames)
        return f"{self.width}×{self.height}, {count} frame{'' if count == 1 else 's'}"

    def _repr_png_(self) -> bytes | None:
        return self.frames[0]._repr_png_() if self.record.frames else None


class Background(Resource[AnyBackground]):
    """A background, or a set of tiles; sizes and places are in pixels."""

    __slots__ = ()
    kind = "backgrounds"

    @property
    def _picture(self) -> OldPicture | Picture | GamePicture | None:
        record = self.record
        if isinstance(record, GameBackground):
            return record.picture
        return record.image if record.version >= 710 else record.old_image

    @property
    def pixels(self) -> Pixels | None:
        """Its pixels (height, width, 4); None where it has none.  Raises FormatError."""
        keyed = self.record.version < 710 and bool(self.record.transparent)
        return pixels_of(self._picture, keyed=keyed)

    @property
    def image(self) -> Image | None:
        """Its picture (RGBA); None where it has none.  Raises FormatError for a damaged one."""
        return _image(self.pixels)

    @property
    def width(self) -> int:
        """The width of its picture; 0 without one."""
        return self._size[0]

    @property
    def height(self) -> int:
        """The height of its picture; 0 without one."""
        return self._size[1]

    @property
    def _size(self) -> tuple[int, int]:
        if self.record.version < 710:
            return self.record.width, self.record.height
        picture = self.record.image
        return (0, 0) if picture is None else (picture.width, picture.height)

    @property
    def tile_columns(self) -> range:
        """The left sides of its tiles that are wholly in the picture; empty where it is no tile
        set, and in executables, which do not tell."""
        return self._steps("width", "h")

    @property
    def tile_rows(self) -> range:
        """The upper sides of its tiles, as :attr:`tile_columns`."""
        return self._steps("height", "v")

    def _steps(self, side: str, way: str) -> range:
        record = self.record
        if not isinstance(record, BackgroundRecord) or not record.use_as_tileset:
            return range(0)
        size: int = getattr(record, f"tile_{side}")
        step: int = size + getattr(record, f"tile_{way}_sep")
        start: int = getattr(record, f"tile_{way}_offset")
        whole: int = getattr(self, side)
        return range(max(0, start), whole - size + 1, step) if min(size, step) > 0 else range(0)

    @property
    def tile_width(self) -> int:
        """The width of a tile."""
        return getattr(self.record, "tile_width", 0)

    @property
    def tile_height(self) -> int:
        """The height of a tile."""
        return getattr(self.record, "tile_height", 0)

    def _about(self) -> str:
        return f"{self.width}×{self.height}"

    def _repr_png_(self) -> bytes | None:
        return _png(self.pixels)
