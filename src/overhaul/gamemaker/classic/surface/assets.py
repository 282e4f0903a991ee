"""Sprites, backgrounds, sounds, paths, fonts and data files."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from overhaul.document.files import write_file
from overhaul.document.surface import SpriteDefaults, counted, png_of
from overhaul.gamemaker.classic.executable.records import GameBackground, GameFont, GameSprite
from overhaul.gamemaker.classic.fields import Deflated
from overhaul.gamemaker.classic.pictures import mask_of, pixels_of
from overhaul.gamemaker.classic.resources import Background as BackgroundRecord
from overhaul.gamemaker.classic.resources import DataFile as DataFileRecord
from overhaul.gamemaker.classic.resources import Font as FontRecord
from overhaul.gamemaker.classic.resources import OldSprite, PathPoint
from overhaul.gamemaker.classic.resources import Path as PathRecord
from overhaul.gamemaker.classic.resources import Sound as SoundRecord
from overhaul.gamemaker.classic.resources import Sprite as SpriteRecord
from overhaul.gamemaker.classic.surface.base import Resource
from overhaul.media import audio, png

if TYPE_CHECKING:
    import os

    import numpy
    from numpy.typing import NDArray
    from PIL.Image import Image

    from overhaul.gamemaker.classic.executable.records import GamePicture
    from overhaul.gamemaker.classic.resources import OldPicture, Picture
    from overhaul.media.audio import AudioFormat, AudioInfo

    #: pixels (height, width, 4), RGBA
    Pixels: TypeAlias = NDArray[numpy.uint8]

AnySprite: TypeAlias = OldSprite | SpriteRecord | GameSprite
AnyBackground: TypeAlias = BackgroundRecord | GameBackground
AnyFont: TypeAlias = FontRecord | GameFont


def _image(pixels: Pixels | None) -> Image | None:
    return None if pixels is None else png.to_image(pixels)


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

    @property
    def has_picture(self) -> bool:
        """Whether it has one; it may be damaged, or empty."""
        return True

    def _repr_png_(self) -> bytes | None:
        return png_of(self.image)

    def __repr__(self) -> str:
        return f"<Frame {self.index} of {self.sprite.name}>"


class Sprite(SpriteDefaults, Resource[AnySprite]):
    """A sprite; sizes and places are in pixels."""

    __slots__ = ()
    plural = "sprites"

    @property
    def fps(self) -> float:
        """Subimages per second where no code sets a speed: one in each step of a room of usual
        speed."""
        return 30.0

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
        return [mask_of(mask) for mask in getattr(self.record, "masks", ())]

    @property
    def mask_count(self) -> int:
        """How many :attr:`masks` there are."""
        return len(getattr(self.record, "masks", ()))

    @property
    def frames(self) -> list[Frame]:
        """Its subimages."""
        return [Frame(self, number) for number in range(len(self.record.frames))]

    def _about(self) -> str:
        return f"{self.width}×{self.height}, {counted(len(self.record.frames), 'frame')}"

    def _repr_png_(self) -> bytes | None:
        return self.frames[0]._repr_png_() if self.record.frames else None


class Background(Resource[AnyBackground]):
    """A background, or a set of tiles; sizes and places are in pixels."""

    __slots__ = ()
    plural = "backgrounds"

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
    def has_picture(self) -> bool:
        """Whether it has a picture; it may be damaged."""
        return self.width > 0 and self.height > 0

    @property
    def tile_size(self) -> tuple[int, int]:
        """The width and height of a tile; 0, 0 if it is not a tile set."""
        return (self.tile_width, self.tile_height) if self.tile_places else (0, 0)

    @property
    def tile_places(self) -> list[tuple[int, int]]:
        """The left and top of each tile, row by row."""
        return [(left, top) for top in self.tile_rows for left in self.tile_columns]

    @property
    def tile_columns(self) -> range:
        """The left sides of its tiles that are wholly in the picture; empty if it is not a tile
        set, and in executables, which do not store it."""
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
        return png_of(self.image)


def _bytes(data: Deflated | bytes | None) -> bytes | None:
    return data.data if isinstance(data, Deflated) else data


class Sound(Resource[SoundRecord]):
    """A sound. Properties read from its bytes are None if it has none."""

    __slots__ = ()
    plural = "sounds"
    group = None
    streamed = False

    @property
    def facts(self) -> tuple[str, ...]:
        """The attributes that a page shows: those that the file has."""
        named = ("file_name",) if self.record.file_name else ()
        return (*named, "volume", "pan") if self.record.version >= 600 else named

    @property
    def file_name(self) -> str:
        """The name of the file it was made from."""
        return self.record.file_name

    @property
    def volume(self) -> float:
        """How loud it is played, from 0 to 1 (Game Maker 6 and later)."""
        return self.record.volume

    @property
    def pan(self) -> float:
        """From -1 (left) to 1 (right) (Game Maker 6 and later)."""
        return self.record.pan

    @property
    def notes(self) -> tuple[str, ...]:
        """That it has no bytes, where it has none."""
        return () if self.bytes is not None else ("It has no sound.",)

    @property
    def bytes(self) -> bytes | None:
        """The sound file.  Raises FormatError for a damaged stream."""
        return _bytes(self.record.data) or None

    @property
    def extension(self) -> str:
        """The extension of its file, in lower case, without a dot."""
        stored = self.record.file_type or self.record.file_name.rpartition(".")[2]
        return stored.rpartition(".")[2].lower()

    @property
    def info(self) -> AudioInfo | None:
        """The properties read from its bytes. Raises FormatError for damaged ones."""
        data = self.bytes
        return None if data is None else audio.inspect(data)

    @property
    def format(self) -> AudioFormat | None:
        """The format that the bytes have, whatever the file is called."""
        data = self.bytes
        return None if data is None else audio.sniff(data)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write its bytes to a file.

        Raises FileExistsError without ``force``, FileNotFoundError where the project has none,
        FormatError for a damaged stream.
        """
        data = self.bytes
        if data is None:
            raise FileNotFoundError(2, f"the sound {self.name} has no bytes")
        write_file(path, data, force=force)

    def _about(self) -> str:
        return self.extension


class Path(Resource[PathRecord]):
    """A path; its points are in pixels, their speeds in per cent."""

    __slots__ = ()
    plural = "paths"

    @property
    def points(self) -> list[PathPoint]:
        """Its points."""
        return self.record.points

    @property
    def smooth(self) -> bool:
        """Whether it is a curve, not straight lines."""
        return self.record.connection == 1

    @property
    def closed(self) -> bool:
        """Whether its end leads to its beginning."""
        return bool(self.record.closed)

    @property
    def room_name(self) -> str:
        """The name of the room over which the editor draws it; empty without one."""
        return self.places.name_of("rooms", self.record.background_room) or ""

    @property
    def about(self) -> str:
        """``5 points, smooth, closed``."""
        points = counted(len(self.record.points), "point")
        return f"{points}{', smooth' if self.smooth else ''}{', closed' if self.closed else ''}"

    def _about(self) -> str:
        return self.about


class Font(Resource[AnyFont]):
    """A font of the author's system; only executables hold its glyphs."""

    __slots__ = ()
    plural = "fonts"

    @property
    def face(self) -> str:
        """The name of the typeface."""
        return self.record.font_name

    @property
    def size(self) -> int:
        """Points."""
        return self.record.size

    @property
    def bold(self) -> bool:
        """Whether it is bold."""
        return bool(self.record.bold)

    @property
    def italic(self) -> bool:
        """Whether it is italic."""
        return bool(self.record.italic)

    @property
    def characters(self) -> range:
        """The codes of its characters."""
        return range(self.record.range_start & 0xFFFF, (self.record.range_end & 0xFFFF) + 1)

    def _about(self) -> str:
        style = f"{' bold' if self.bold else ''}{' italic' if self.italic else ''}"
        return f"{self.face} {self.size}{style}"


class DataFile(Resource[DataFileRecord]):
    """A file in a Game Maker 5 project."""

    __slots__ = ()
    plural = "data_files"

    @property
    def bytes(self) -> bytes | None:
        """Its content; None where it has none."""
        return _bytes(self.record.data)
