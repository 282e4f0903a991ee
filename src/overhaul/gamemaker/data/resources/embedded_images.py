"""Embedded images, which the runner itself draws with, and texture pages."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from overhaul.document.surface import ResourceSurface
from overhaul.gamemaker.data.chunks.txtr import EmbeddedImage as EmbeddedImageRecord
from overhaul.gamemaker.data.painting import group_of
from overhaul.gamemaker.data.pictures import image_of_item, image_of_page, png_bytes
from overhaul.gamemaker.data.resources.base import Resource, Resources
from overhaul.gamemaker.data.resources.pixels import pixels_of

if TYPE_CHECKING:
    from PIL.Image import Image

    from overhaul.gamemaker.data.chunks.txtr import TexturePage as PageRecord
    from overhaul.gamemaker.data.code.model import CodeModel
    from overhaul.gamemaker.data.resources.pixels import Picture


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
        """What ``overhaul ls`` calls it."""
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
