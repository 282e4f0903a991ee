"""Sprites of a project: their frames are PNG files next to the file of fields."""

from __future__ import annotations

import io
from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Final, cast, overload

from overhaul.document.registry import load
from overhaul.document.surface import SpriteDefaults, counted, png_of
from overhaul.errors import FormatError
from overhaul.gamemaker.ide.parts import frames_of, layers_of
from overhaul.gamemaker.ide.resources.base import Part, Resource
from overhaul.gamemaker.ide.resources.fields import Choice, Flag, Number, Real
from overhaul.gamemaker.ide.stores import MISSING
from overhaul.gamemaker.ide.values import Json, list_at
from overhaul.media import png

if TYPE_CHECKING:
    from PIL.Image import Image


class BboxMode(IntEnum):
    """How the bounding box was made: AUTOMATIC, FULL_IMAGE or MANUAL."""

    AUTOMATIC = 0
    FULL_IMAGE = 1
    MANUAL = 2


class CollisionShape(IntEnum):
    """The shape that collisions are tested with: PRECISE, RECTANGLE, ELLIPSE, DIAMOND,
    PRECISE_PER_FRAME or ROTATED_RECTANGLE."""

    PRECISE = 0
    RECTANGLE = 1
    ELLIPSE = 2
    DIAMOND = 3
    PRECISE_PER_FRAME = 4
    ROTATED_RECTANGLE = 5


class SpeedType(IntEnum):
    """The unit of a sprite's speed: FRAMES_PER_SECOND or FRAMES_PER_GAME_FRAME."""

    FRAMES_PER_SECOND = 0
    FRAMES_PER_GAME_FRAME = 1


class TileMode(IntEnum):
    """How a part of a nine-slice sprite fills its place: STRETCH, REPEAT, MIRROR, BLANK_REPEAT or
    HIDE."""

    STRETCH = 0
    REPEAT = 1
    MIRROR = 2
    BLANK_REPEAT = 3
    HIDE = 4


#: The origins by their numbers: how many halves of the width and the height.
_ORIGINS: Final = tuple((column, row) for row in range(3) for column in range(3))
_GROUPS: Final = {"X": ("TextureGroups", "TextureGroup0"), "A": ("textureGroupId",)}


class Frame:
    """A frame of a sprite: ``id`` is what its picture is called by, ``index`` its number."""

    __slots__ = ("id", "index", "sprite")

    def __init__(self, sprite: Sprite, index: int, id: str) -> None:
        self.sprite: Sprite = sprite
        self.index: int = index
        self.id: str = id

    @property
    def path(self) -> str:
        """The path of its picture."""
        if self.sprite.store.letter == "X":
            return f"{self.sprite.folder}/{self.id}".replace("\\", "/")
        return f"{self.sprite.folder}/{self.id}.png"

    @property
    def has_picture(self) -> bool:
        """Whether its picture is there."""
        return self.sprite.project.files.spelled(self.path) is not None

    @property
    def image(self) -> Image | None:
        """Its picture (RGBA), None where it is not there; setting it writes the file of its layer
        too.

        Raises FormatError for a file that is not a picture; ValueError, when it is set, for
        another size than the sprite's, and where the frame has several layers.
        """
        return picture_at(self.sprite, self.path)

    @image.setter
    def image(self, image: Image) -> None:
        sprite = self.sprite
        if image.size != (sprite.width, sprite.height):
            got = f"{image.width} x {image.height}"
            raise ValueError(
                f"expected a picture of {sprite.width} x {sprite.height} pixels, as {sprite.name} "
                f"has, got {got}"
            )
        paths = [self.path, *self._layer_path()]
        data = png_of(image.convert("RGBA"))
        assert data is not None
        for path in paths:
            sprite.project.files.write(sprite.project.files.spelled(path) or path, data)

    def _layer_path(self) -> list[str]:
        """The file of its only layer; none in Studio 1."""
        if self.sprite.store.letter == "X":
            return []
        layers = layers_of(cast("Json", self.sprite.record))
        if len(layers) > 1:
            raise ValueError(
                f"{self.sprite.name} has {len(layers)} layers: draw on one of them in GameMaker"
            )
        return [f"{self.sprite.folder}/layers/{self.id}/{layer}.png" for layer in layers]

    def __repr__(self) -> str:
        return f"<Frame {self.index} of {self.sprite.name[:80]}>"

    def _repr_png_(self) -> bytes | None:
        return png_of(self.image)


def picture_at(resource: Resource, path: str) -> Image | None:
    """The picture (RGBA) in a file of a project; None where it is not there.

    Raises FormatError for a file that is not a picture.
    """
    files = resource.project.files
    spelled = files.spelled(path)
    if spelled is None:
        return None
    data = files.read(spelled)
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        try:
            return png.to_image(png.decode(data))
        except FormatError as error:
            raise FormatError(error.message, source=spelled) from None
    if data[:2] == b"BM":  # Studio 1 kept what people imported
        try:
            return cast("Image", load("PIL.Image:open")(io.BytesIO(data)).convert("RGBA"))
        except (OSError, ValueError):
            raise FormatError("a damaged BMP picture", source=spelled) from None
    raise FormatError("expected a PNG picture", source=spelled)


class NineSlice(Part):
    """The cuts of a nine-slice sprite, in pixels from its sides."""

    __slots__ = ()
    left = Number("The width of the left column.", "left", old=None)
    top = Number("The height of the top row.", "top", old=None)
    right = Number("The width of the right column.", "right", old=None)
    bottom = Number("The height of the bottom row.", "bottom", old=None)
    enabled = Flag("Whether the sprite is drawn so.", "enabled", old=None)
    left_mode = Choice(TileMode, "How the left side is filled.", "tileMode.0", old=None)
    top_mode = Choice(TileMode, "How the top side is filled.", "tileMode.1", old=None)
    right_mode = Choice(TileMode, "How the right side is filled.", "tileMode.2", old=None)
    bottom_mode = Choice(TileMode, "How the bottom side is filled.", "tileMode.3", old=None)
    centre_mode = Choice(TileMode, "How the centre is filled.", "tileMode.4", old=None)


class Frames(Sequence[Frame]):
    """The frames of a sprite, in their order."""

    def __init__(self, sprite: Sprite) -> None:
        self._sprite = sprite

    def _ids(self) -> list[str]:
        if not self._sprite.is_here:
            return []
        store = self._sprite.store
        if store.letter == "X":
            count = store.count(("frames",))
            ids = [store.get(("frames", number)) for number in range(count)]
            return [text if isinstance(text, str) else "" for text in ids]
        return frames_of(cast("Json", self._sprite.record))

    def __len__(self) -> int:
        return len(self._ids())

    @overload
    def __getitem__(self, key: int) -> Frame: ...
    @overload
    def __getitem__(self, key: slice) -> list[Frame]: ...
    def __getitem__(self, key: int | slice) -> Frame | list[Frame]:
        frames = [Frame(self._sprite, number, id) for number, id in enumerate(self._ids())]
        return frames[key]

    def __repr__(self) -> str:
        return f"<{counted(len(self), 'frame')} of {self._sprite.name}>"


class Sprite(SpriteDefaults, Resource):
    """A sprite; sizes and places are in pixels."""

    __slots__ = ()
    kind_name = "sprite"
    _facts = ("origin", "bbox", "bbox_mode", "collision_shape", "speed", "texture_group")

    width = Number("Its width.", "width", xml="width")
    height = Number("Its height.", "height", xml="height")
    bbox_left = Number("The first column of its bounding box.", "bbox_left", xml="bbox_left")
    bbox_top = Number("The first row of its bounding box.", "bbox_top", xml="bbox_top")
    bbox_right = Number("The last column of its bounding box.", "bbox_right", xml="bbox_right")
    bbox_bottom = Number("The last row of its bounding box.", "bbox_bottom", xml="bbox_bottom")
    bbox_mode = Choice(
        BboxMode, "How the bounding box was made.", "bboxMode", old="bboxmode", xml="bboxmode"
    )
    collision_shape = Choice(
        CollisionShape, "The shape that collisions are tested with.", "collisionKind",
        old="colkind", xml="colkind",
    )  # fmt: skip
    tolerance = Number(
        "Pixels of less alpha do not collide.", "collisionTolerance", old="coltolerance",
        xml="coltolerance",
    )  # fmt: skip
    separate_masks = Flag(
        "Whether each frame has a mask of its own.", None, old="sepmasks", xml="sepmasks"
    )
    origin_x = Number("The column of its origin.", "sequence.xorigin", old="xorig", xml="xorig")
    origin_y = Number("The row of its origin.", "sequence.yorigin", old="yorig", xml="yorigin")
    speed = Real("How fast it plays.", "sequence.playbackSpeed", old="playbackSpeed", default=15.0)
    speed_type = Choice(
        SpeedType, "The unit of the speed.", "sequence.playbackSpeedType", old="playbackSpeedType"
    )
    tile_horizontally = Flag("Whether it is tiled across.", "HTile", xml="HTile")
    tile_vertically = Flag("Whether it is tiled down.", "VTile", xml="VTile")
    separate_page = Flag("Whether it has a texture page of its own.", "For3D", xml="For3D")

    @property
    def frames(self) -> Frames:
        """Its pictures, in their order."""
        return Frames(self)

    @property
    def origin(self) -> tuple[int, int]:
        """The point that is drawn at (x, y).

        Setting it changes both numbers, and that of the origin in 2.3 and later.
        """
        store = self.store
        number = store.get(("origin",))
        has_places = store.letter in "AX" or store.get(("sequence", "xorigin")) is not MISSING
        if not has_places and isinstance(number, int) and 0 <= number < len(_ORIGINS):
            across, down = _ORIGINS[number]
            return self.width * across // 2, self.height * down // 2
        return self.origin_x, self.origin_y

    @origin.setter
    def origin(self, place: tuple[int, int]) -> None:
        self.origin_x, self.origin_y = place
        store = self.store
        if store.letter in "BCD" and store.get(("origin",)) is not MISSING:
            store.put(("origin",), _number_of(place, self.width, self.height))

    @property
    def bbox(self) -> tuple[int, int, int, int]:
        """Left, top, right and bottom of its bounding box, the last column and row included."""
        return self.bbox_left, self.bbox_top, self.bbox_right, self.bbox_bottom

    @property
    def nine_slice(self) -> NineSlice | None:
        """Its cuts; None if it is not a nine-slice sprite."""
        found = self.store.get(("nineSlice",)) if self.store.letter in "BCD" else None
        return NineSlice(self, ("nineSlice",)) if isinstance(found, dict) else None

    @property
    def fps(self) -> float:
        """Frames per second; 0 where the speed counts frames of the game."""
        by_second = self.speed_type == SpeedType.FRAMES_PER_SECOND
        return self.speed if by_second and self.store.letter != "X" else 0.0

    @property
    def texture_group(self) -> str:
        """The name of its texture group (its id in 2.0 to 2.2, its number in Studio 1)."""
        store = self.store
        found = store.get(_GROUPS.get(store.letter, ("textureGroupId", "name")))
        return found if isinstance(found, str) else ""

    @property
    def layers(self) -> list[str]:
        """The names of the layers of its pictures; none in Studio 1."""
        rows = list_at(cast("Json", self.record), "layers") if self.path.endswith(".yy") else []
        shown = [row.get("displayName") or row.get("name") for row in rows if isinstance(row, dict)]
        return [str(name) for name in shown]

    def _about(self) -> str:
        return f"{self.width}×{self.height}, {counted(len(self.frames), 'frame')}"

    def _repr_png_(self) -> bytes | None:
        return png_of(self.frames[0].image) if self.frames else None


def _number_of(place: tuple[int, int], width: int, height: int) -> int:
    """The number of an origin: that of a corner, a side or the centre, or 9."""
    for number, (across, down) in enumerate(_ORIGINS):
        if place == (width * across // 2, height * down // 2):
            return number
    return len(_ORIGINS)
