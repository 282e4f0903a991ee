"""Textures: TXTR, TPAG, BGND, TGIN and EMBI."""

import enum
from array import array
from collections.abc import Hashable, MutableSequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from overhaul.errors import FormatError
from overhaul.gamemaker.data.fields import (
    BackgroundRef,
    FontRef,
    ItemRef,
    SpriteRef,
    StringRef,
    TextureRef,
    reference,
)
from overhaul.gamemaker.data.pictures import image_of_item, image_of_page, png_bytes
from overhaul.gamemaker.data.version import before, gms2, since
from overhaul.media import textures
from overhaul.schema import (
    Binder,
    BoundCodec,
    Buffer,
    DeclaredCodec,
    Deferred,
    Either,
    Embedded,
    FixedCodec,
    Inline,
    Numbers,
    Padding,
    Pointers,
    Reader,
    Record,
    Scheme,
    Writer,
    b32,
    bind,
    codec_for,
    enum32,
    i32,
    i64,
    u16,
    u32,
)
from overhaul.schema.jsonable import list_from_jsonable, value_to_jsonable

if TYPE_CHECKING:
    from PIL.Image import Image

    from overhaul.schema.outline import Outline
    from overhaul.schema.outlining import Outliner, SlotOf
    from overhaul.schema.spans import Walk, Way


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

    def outline(self, outliner: "Outliner", slot_of: "SlotOf") -> "Outline":
        return ("own", "pages", (), -1)

    def signature(self, binder: Binder) -> Hashable:
        return self.heads.signature(binder)

    def walk(self, walk: "Walk", position: int, way: "Way") -> None:
        """Walk through the pages, then the blobs."""
        walk.pointers(self.heads, position, way)
        pages, _ = bind(self.heads, walk.version).read(walk.data, position, walk.new_reader())
        starts = sorted({page.address for page in pages if page and page.address})
        limits = dict(zip(starts, [*starts[1:], len(walk.data)], strict=False))
        for index, page in enumerate(pages):
            if page is not None and page.address:
                start, limit = page.address, limits[page.address]
                if walk.wants((*way, index, "blob"), start, limit):
                    blob = memoryview(walk.data)[start:limit]
                    end = start + (page.block_size or blob_length(blob))
                    walk.add((*way, index, "blob"), "bytes", start, end, blob[:16])

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
        page.blob = reader.media(data, start, start + length, read=True)
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


class Background(Record):
    """A background, or from GMS2 on a tile set."""

    name: StringRef = None
    transparent: b32 = False
    smooth: b32 = False
    preload: b32 = False
    texture: ItemRef = None
    tileset_version: Annotated[u32, gms2, "2"] = 2
    tile_width: Annotated[u32, gms2] = 16
    tile_height: Annotated[u32, gms2] = 16
    tile_separation_x: Annotated[u32, since(2024, 14, 1)] = 0
    tile_separation_y: Annotated[u32, since(2024, 14, 1)] = 0
    output_border_x: Annotated[u32, gms2] = 2
    output_border_y: Annotated[u32, gms2] = 2
    columns: Annotated[u32, gms2] = 0
    frames_per_tile: Annotated[u32, gms2] = 1
    tile_count: Annotated[u32, gms2] = 0
    exported_sprite: Annotated[
        object,
        Either(since(2023, 8), reference("SPRT", "sprite"), FixedCodec("i", "i32")),
        gms2,
        "0 before 2023.8",
    ] = None
    frame_length: Annotated[i64, gms2, "microseconds"] = 66666
    tile_ids: Annotated[
        MutableSequence[int], Numbers("I", "frames_per_tile", "tile_count"), gms2, "tile by tile"
    ] = msgspec.field(default_factory=lambda: array("I"))

    @property
    def image(self) -> "Image | None":
        """The picture, a Pillow image (RGBA); None where there is none."""
        return image_of_item(self.texture)

    def _repr_png_(self) -> bytes | None:
        return png_bytes(self.image)


class BackgroundList(Record):
    """All backgrounds or tile sets."""

    backgrounds: Annotated[
        list[Background], Pointers(align=lambda version: version.background_alignment)
    ] = []


class LoadType(enum.IntEnum):
    """Where the textures of a group are."""

    IN_FILE = 0
    SEPARATE_GROUP = 1
    SEPARATE_TEXTURES = 2


class TextureGroup(Record):
    """A texture group: its pages, and what is drawn from them."""

    name: StringRef = None
    directory: Annotated[StringRef, since(2022, 9)] = None
    extension: Annotated[StringRef, since(2022, 9)] = None
    load_type: Annotated[int, enum32(LoadType, "i"), since(2022, 9)] = 0
    pages: Annotated[list[TextureRef], Deferred(Inline())] = []
    sprites: Annotated[list[SpriteRef], Deferred(Inline())] = []
    spine_sprites: Annotated[list[SpriteRef], Deferred(Inline()), before(2023, 1, lts=True)] = []
    fonts: Annotated[list[FontRef], Deferred(Inline())] = []
    tilesets: Annotated[list[BackgroundRef], Deferred(Inline())] = []


class TextureGroupList(Record):
    """All texture groups."""

    version: Annotated[u32, "1"] = 1
    groups: Annotated[list[TextureGroup], Pointers()] = []


class EmbeddedImage(Record):
    """An image the runner itself draws with."""

    name: StringRef = None
    image: ItemRef = None


class EmbeddedImageList(Record):
    """All embedded images."""

    version: Annotated[u32, "1"] = 1
    images: Annotated[list[EmbeddedImage], Inline()] = []
