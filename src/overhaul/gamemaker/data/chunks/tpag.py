"""TPAG: texture page items."""

from typing import TYPE_CHECKING, Annotated, Any

from overhaul.gamemaker.data.pictures import image_of_item, png_bytes
from overhaul.schema import FixedCodec, Padding, Pointers, Record, u16

if TYPE_CHECKING:
    from PIL.Image import Image


class TexturePageItem(Record):
    """A rectangle of a texture page, and where it goes in its image."""

    source_x: Annotated[u16, "rectangle on the page"] = 0
    source_y: u16 = 0
    source_width: u16 = 0
    source_height: u16 = 0
    target_x: Annotated[u16, "where it is placed in the image"] = 0
    target_y: u16 = 0
    target_width: u16 = 0
    target_height: u16 = 0
    bounding_width: Annotated[u16, "size of the whole image"] = 0
    bounding_height: u16 = 0
    page: Annotated[Any, FixedCodec("h", "texture page (index in TXTR)", kind="TXTR")] = None

    @property
    def image(self) -> "Image | None":
        """The picture on its full canvas, a Pillow image (RGBA); None where there is none."""
        return image_of_item(self)

    def _repr_png_(self) -> bytes | None:
        return png_bytes(self.image)


class TexturePageItemList(Record):
    """All texture page items; others point at them by address."""

    items: Annotated[list[TexturePageItem], Pointers()] = []
    padding: Annotated[None, Padding(4)] = None
