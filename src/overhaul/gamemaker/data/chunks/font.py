"""FONT: fonts and their glyphs."""

from typing import TYPE_CHECKING, Annotated

from overhaul.gamemaker.data.fields import ItemRef, StringRef
from overhaul.gamemaker.data.pictures import image_of_item, png_bytes
from overhaul.gamemaker.data.version import before, bytecode, since
from overhaul.schema import (
    Buffer,
    Either,
    FixedCodec,
    Inline,
    Padding,
    Pointers,
    RawBytes,
    Reader,
    Record,
    Scheme,
    b32,
    f32,
    i16,
    i32,
    u8,
    u16,
    u32,
)
from overhaul.schema.codec import bytes_from_json

if TYPE_CHECKING:
    from PIL.Image import Image

    from overhaul.schema.outline import Outline
    from overhaul.schema.outlining import Outliner, SlotOf

#: the characters of a code page, as 16-bit numbers
TRAILER_SIZE = 512


def ascii_code_page() -> bytes:
    """The table from build 1380 on: ASCII, and question marks above it."""
    return b"".join(number.to_bytes(2, "little") for number in [*range(128), *([0x3F] * 128)])


def windows_code_page() -> bytes:
    """The table of builds 1044 to 1336: Windows-1252."""
    numbers = []
    for byte in range(256):
        try:
            numbers.append(ord(bytes([byte]).decode("cp1252")))
        except UnicodeDecodeError:  # the five bytes without a character map to themselves
            numbers.append(byte)
    return b"".join(number.to_bytes(2, "little") for number in numbers)


class CodePage(RawBytes):
    """512 bytes at the end of the chunk; files written by other tools may lack them."""

    def type_name(self) -> str:
        return "256 × u16, the characters of a code page"

    def outline(self, outliner: "Outliner", slot_of: "SlotOf") -> "Outline":
        return ("own", "code page", (), -1)

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[bytes, int]:
        end = position + TRAILER_SIZE
        if end > len(data):
            return b"", position
        return bytes(data[position:end]), end

    def to_jsonable(self, value: bytes, scheme: Scheme) -> object:
        if value == ascii_code_page():
            return "ascii"
        return "windows-1252" if value == windows_code_page() else value.hex()

    def from_jsonable(self, value: object, scheme: Scheme) -> bytes:
        if value in ("ascii", "windows-1252"):
            return ascii_code_page() if value == "ascii" else windows_code_page()
        return bytes_from_json(value)


class Kerning(Record):
    """A pair of characters and the space between them."""

    other: Annotated[i16, "the character before"] = 0
    amount: Annotated[i16, "pixels"] = 0


class Glyph(Record):
    """A character of a font."""

    character: Annotated[u16, "Unicode"] = 0
    x: Annotated[u16, "place in the font's image"] = 0
    y: u16 = 0
    width: u16 = 0
    height: u16 = 0
    shift: Annotated[i16, "pixels to the next character"] = 0
    offset: i16 = 0
    unknown: Annotated[i16, since(2024, 11), "0"] = 0
    kerning: Annotated[list[Kerning], Inline("H")] = []


class Font(Record):
    """A font."""

    name: StringRef = None
    display_name: StringRef = None
    size: Annotated[
        float,
        Either(since(2, 2, 2, 302), FixedCodec("f", "f32"), FixedCodec("I", "u32")),
        "stored negated where it is a float",
    ] = 12
    bold: b32 = False
    italic: b32 = False
    range_start: u16 = 32
    charset: u8 = 0
    anti_alias: u8 = 1
    range_end: u32 = 127
    texture: ItemRef = None
    scale_x: f32 = 1.0
    scale_y: f32 = 1.0
    ascender_offset: Annotated[i32, bytecode(17)] = 0
    ascender: Annotated[u32, since(2022, 2)] = 0
    sdf_spread: Annotated[u32, since(2023, 2, lts=False)] = 0
    line_height: Annotated[u32, since(2023, 6)] = 0
    glyphs: Annotated[list[Glyph], Pointers()] = []
    padding: Annotated[None, Padding(4), since(2024, 14)] = None

    @property
    def image(self) -> "Image | None":
        """The picture all glyphs are in, a Pillow image (RGBA); None where there is none."""
        return image_of_item(self.texture)

    def _repr_png_(self) -> bytes | None:
        return png_bytes(self.image)


def range_of(font: Font) -> tuple[int, int]:
    """The first and the last character that a font has."""
    characters = [glyph.character for glyph in font.glyphs]
    return min(characters, default=0), max(characters, default=0)


class FontList(Record):
    """All fonts, and before 2024.14 a code page."""

    fonts: Annotated[list[Font], Pointers()] = []
    code_page: Annotated[bytes, CodePage(), before(2024, 14)] = b""
