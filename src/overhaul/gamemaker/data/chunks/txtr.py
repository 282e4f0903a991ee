"""TXTR and TPAG: texture pages, and the items on them."""

from collections.abc import Hashable
from typing import TYPE_CHECKING, Annotated, Any

from overhaul.errors import FormatError
from overhaul.gamemaker.data.pictures import image_of_item, image_of_page, png_bytes
from overhaul.gamemaker.data.version import since
from overhaul.media import textures
from overhaul.schema import (
    Binder,
    BoundCodec,
    Buffer,
    DeclaredCodec,
    Embedded,
    FixedCodec,
    Padding,
    Pointers,
    Reader,
    Record,
    Scheme,
    Writer,
    codec_for,
    i32,
    u16,
    u32,
)
from overhaul.schema.jsonable import list_from_jsonable, value_to_jsonable

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


ALIGNMENT = 128


class TexturePage(Record):
    """A texture page; ``blob`` holds its bytes, None where they are in a file next to the game.

    ``stored_length`` is the length of the blob that ``block_size`` was stored for: a block size
    that is wrong stays so until the blob changes.
    """

    scaled: Annotated[u32, "0 or 1"] = 0
    generated_mips: Annotated[u32, since(2, 0, 6)] = 0
    block_size: Annotated[u32, since(2022, 3), "bytes of the blob"] = 0
    width: Annotated[i32, since(2022, 9)] = 0
    height: Annotated[i32, since(2022, 9)] = 0
    index_in_group: Annotated[i32, since(2022, 9)] = 0
    address: Annotated[u32, "where the blob begins; 0: in a file of its own"] = 0
    blob: bytes | memoryview | None = None
    stored_length: int = 0

    @property
    def name(self) -> None:
        """Texture pages have no names."""
        return None

    @property
    def image(self) -> "Image | None":
        """The whole page, a Pillow image (RGBA); None where its bytes are elsewhere."""
        return image_of_page(self)

    def _repr_png_(self) -> bytes | None:
        return png_bytes(self.image)


class TexturePages(DeclaredCodec[list[TexturePage]]):
    """A pointer list of pages, then their blobs, each at a multiple of 128."""

    heads: Pointers = Pointers().with_element(Embedded(TexturePage))

    def type_name(self) -> str:
        return "pointer list of TexturePage, then the blobs, aligned to 128"

    def signature(self, binder: Binder) -> Hashable:
        return self.heads.signature(binder)

    def bind(self, binder: Binder) -> BoundCodec[list[TexturePage]]:
        return _BoundTexturePages(self.heads.bind(binder))

    def to_jsonable(self, value: list[TexturePage], scheme: Scheme) -> object:
        return [value_to_jsonable(Embedded(TexturePage), page, scheme) for page in value]

    def from_jsonable(self, value: object, scheme: Scheme) -> list[TexturePage]:
        return list_from_jsonable(Embedded(TexturePage), value, scheme)


class _BoundTexturePages(BoundCodec[list[TexturePage]]):
    def __init__(self, heads: BoundCodec[list[Any]]) -> None:
        self.heads = heads

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[list[TexturePage], int]:
        pages, position = self.heads.read(data, position, reader)
        addresses = sorted({page.address for page in pages if page and page.address})
        ends = dict(zip(addresses, [*addresses[1:], len(data)], strict=False))
        for index, page in enumerate(pages):
            if page is None or not page.address:
                continue
            try:
                position = self._read_blob(data, position, reader, page, ends[page.address])
            except FormatError as error:
                raise error.within("", index).within("blob") from None
        return pages, position

    def _read_blob(
        self, data: Buffer, position: int, reader: Reader, page: TexturePage, limit: int
    ) -> int:
        start = reader.follow(data, page.address, position, ALIGNMENT)
        view = memoryview(data)[start:limit]
        if reader.version.number >= (2022, 3) and 0 < page.block_size <= len(view):
            length = page.block_size
        else:
            length = blob_length(view)
        page.blob = view[:length]
        page.stored_length = length
        page.address = 0  # follows from the layout
        return start + length

    def write(self, writer: Writer, value: list[TexturePage]) -> None:
        out = writer.out
        self.heads.write(writer, [self._measured(page) for page in value])
        size = codec_for(TexturePage, writer.version).flat_size
        pages = [page for page in value if page is not None]
        slot = len(out) - size * len(pages) - 4  # the address is a head's last word
        for page in pages:
            slot += size
            if page.blob is None:
                continue
            writer.align(ALIGNMENT)
            writer.point(slot, writer.position)
            writer.add_media(page.blob)

    @staticmethod
    def _measured(page: TexturePage | None) -> TexturePage | None:
        if page is None or page.blob is None:
            return page
        if page.stored_length != len(page.blob):
            page.block_size = page.stored_length = len(page.blob)
        return page


def blob_length(view: memoryview) -> int:
    """The length of a blob from its own structure; the whole space where that is unknown."""
    try:
        info = textures.inspect(view)
    except FormatError:
        return len(view)
    length = info.length
    return len(view) if length is None or any(view[length:]) else length


class TextureList(Record):
    """All texture pages."""

    pages: Annotated[list[TexturePage], TexturePages()] = []
    padding: Annotated[None, Padding(4)] = None
