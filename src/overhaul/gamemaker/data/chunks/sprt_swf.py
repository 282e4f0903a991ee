"""SWF and vector sprites: shapes, bitmaps, time line."""

import enum
from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec

from overhaul.errors import EncodeError
from overhaul.gamemaker.data.fields import ItemRef
from overhaul.gamemaker.data.version import before, since
from overhaul.schema import (
    Align,
    Buffer,
    Bytes,
    Condition,
    Counted,
    CountedBytes,
    Inline,
    Padding,
    Reader,
    Record,
    Scheme,
    Switch,
    VariableCodec,
    When,
    Writer,
    b32,
    count_of,
    enum32,
    f32,
    i32,
    u32,
)
from overhaul.schema.codec import object_of_json
from overhaul.schema.streams import U32

if TYPE_CHECKING:
    from overhaul.schema.outline import Outline
    from overhaul.schema.outlining import Outliner, SlotOf


class Matrix(Record):
    """A 3×3 matrix, row by row."""

    m11: f32 = 1.0
    m12: f32 = 0.0
    m13: f32 = 0.0
    m21: f32 = 0.0
    m22: f32 = 1.0
    m23: f32 = 0.0
    m31: f32 = 0.0
    m32: f32 = 0.0
    m33: f32 = 1.0


class GradientRecord(Record):
    """A colour of a gradient."""

    ratio: i32 = 0
    colour: Annotated[bytes, Bytes(4), "RGBA"] = bytes(4)


class SolidFill(Record):
    """One colour."""

    colour: Annotated[bytes, Bytes(4), "RGBA"] = bytes(4)


class GradientFill(Record):
    """A gradient."""

    kind: i32 = 0
    item_index: Annotated[i32, since(2022, 1)] = 0
    matrix: Matrix = msgspec.field(default_factory=Matrix)
    records: Annotated[list[GradientRecord], Inline()] = []


class BitmapFill(Record):
    """A bitmap."""

    kind: i32 = 0
    character: i32 = 0
    matrix: Matrix = msgspec.field(default_factory=Matrix)


class FillType(enum.IntEnum):
    """The type of a shape's fill."""

    SOLID = 1
    GRADIENT = 2
    BITMAP = 3


class Fill(Record):
    """A fill style."""

    type: Annotated[int, enum32(FillType, "i")] = 1
    data: Annotated[
        object,
        Switch("type", {1: SolidFill, 2: GradientFill, 3: BitmapFill}),
    ] = None


class LineStyle(Record):
    """The colour of a line."""

    colour: Annotated[bytes, Bytes(4), "RGBA"] = bytes(4)


class Point(Record):
    """A point."""

    x: f32 = 0.0
    y: f32 = 0.0


class Line(Record):
    """A line between two points, by index."""

    first: i32 = 0
    second: i32 = 0


class Triangle(Record):
    """A triangle of three points, by index."""

    first: i32 = 0
    second: i32 = 0
    third: i32 = 0


class SubShape(Record):
    """A part of a shape with one style."""

    fill_style1: i32 = 0
    fill_style2: i32 = 0
    line_style: i32 = 0
    point_count: ClassVar[i32] = count_of("points")
    line_count: ClassVar[i32] = count_of("lines")
    triangle_count: ClassVar[i32] = count_of("triangles")
    line_point_count: ClassVar[i32] = count_of("line_points")
    line_triangle_count: ClassVar[i32] = count_of("line_triangles")
    aa_line_count: ClassVar[i32] = count_of("aa_lines")
    aa_vector_count: ClassVar[i32] = count_of("aa_vectors")
    line_aa_line_count: ClassVar[i32] = count_of("line_aa_lines")
    line_aa_vector_count: ClassVar[i32] = count_of("line_aa_vectors")
    points: Annotated[list[Point], Counted("point_count")] = []
    lines: Annotated[list[Line], Counted("line_count")] = []
    triangles: Annotated[list[Triangle], Counted("triangle_count")] = []
    line_points: Annotated[list[Point], Counted("line_point_count")] = []
    line_triangles: Annotated[list[Triangle], Counted("line_triangle_count")] = []
    aa_lines: Annotated[list[Line], Counted("aa_line_count")] = []
    aa_vectors: Annotated[list[Point], Counted("aa_vector_count")] = []
    line_aa_lines: Annotated[list[Line], Counted("line_aa_line_count")] = []
    line_aa_vectors: Annotated[list[Point], Counted("line_aa_vector_count")] = []


class VectorSubShape(Record):
    """A part of a vector shape with one style."""

    fill_style1: i32 = 0
    fill_style2: i32 = 0
    line_style: i32 = 0
    point_count: ClassVar[i32] = count_of("points")
    point_colour_count: ClassVar[i32] = count_of("point_colours")
    unused1: Annotated[i32, "0"] = 0
    triangle_count: ClassVar[i32] = count_of("triangles")
    unused2: Annotated[i32, "0"] = 0
    unused3: Annotated[i32, "0"] = 0
    aa_line_count: ClassVar[i32] = count_of("aa_lines")
    aa_vector_count: ClassVar[i32] = count_of("aa_vectors")
    unused4: Annotated[i32, "0"] = 0
    unused5: Annotated[i32, "0"] = 0
    points: Annotated[list[Point], Counted("point_count")] = []
    point_colours: Annotated[list[u32], Counted("point_colour_count")] = []
    triangles: Annotated[list[Triangle], Counted("triangle_count")] = []
    aa_lines: Annotated[list[Line], Counted("aa_line_count")] = []
    aa_vectors: Annotated[list[Point], Counted("aa_vector_count")] = []


class StyleGroup(Record):
    """Fills, lines and the shapes drawn with them."""

    fill_count: ClassVar[i32] = count_of("fills")
    line_count: ClassVar[i32] = count_of("lines")
    shape_count: ClassVar[i32] = count_of("shapes")
    fills: Annotated[list[Fill], Counted("fill_count")] = []
    lines: Annotated[list[LineStyle], Counted("line_count")] = []
    shapes: Annotated[list[SubShape], Counted("shape_count")] = []


class VectorStyleGroup(Record):
    """Fills, lines and the vector shapes drawn with them."""

    fill_count: ClassVar[i32] = count_of("fills")
    line_count: ClassVar[i32] = count_of("lines")
    shape_count: ClassVar[i32] = count_of("shapes")
    fills: Annotated[list[Fill], Counted("fill_count")] = []
    lines: Annotated[list[LineStyle], Counted("line_count")] = []
    shapes: Annotated[list[VectorSubShape], Counted("shape_count")] = []


class ShapeItem(Record):
    """A shape."""

    min_x: f32 = 0.0
    max_x: f32 = 0.0
    min_y: f32 = 0.0
    max_y: f32 = 0.0
    groups: Annotated[list[StyleGroup], Inline()] = []


old: Condition = before(2022, 1)


class BitmapItem(Record):
    """A bitmap: bytes of its own, from 2022.1 on a place on a texture page."""

    bitmap_type: Annotated[i32, "0 JPEG without header … 9 lossless 32-bit"] = 0
    width: i32 = 0
    height: i32 = 0
    item_index: Annotated[i32, since(2022, 1)] = 0
    image_length: ClassVar[Annotated[i32, old]] = count_of("image")
    alpha_length: ClassVar[Annotated[i32, old]] = count_of("alpha")
    palette_length: ClassVar[Annotated[i32, old]] = count_of("palette")
    image: Annotated[bytes, CountedBytes("image_length", media=True), old] = b""
    alpha: Annotated[bytes, CountedBytes("alpha_length", media=True), old] = b""
    palette: Annotated[bytes, CountedBytes("palette_length", media=True), old] = b""
    padding: Annotated[None, Padding(4), old] = None


class ItemType(enum.IntEnum):
    """The type of an item of the time line."""

    SHAPE = 1
    BITMAP = 2
    FONT = 3
    TEXT = 4
    SPRITE = 5


class SwfItem(Record):
    """An item of the time line."""

    type: Annotated[int, enum32(ItemType, "i")] = 1
    id: i32 = 0
    data: Annotated[object, Switch("type", {1: ShapeItem, 2: BitmapItem})] = None


class SwfObject(Record):
    """An item as it is placed in a frame."""

    character_id: i32 = 0
    character_index: i32 = 0
    depth: i32 = 0
    clip_depth: i32 = 0
    add_red: i32 = 0
    add_green: i32 = 0
    add_blue: i32 = 0
    add_alpha: i32 = 0
    multiply_red: i32 = 0
    multiply_green: i32 = 0
    multiply_blue: i32 = 0
    multiply_alpha: i32 = 0
    min_x: f32 = 0.0
    max_x: f32 = 0.0
    min_y: f32 = 0.0
    max_y: f32 = 0.0
    m11: f32 = 1.0
    m12: f32 = 0.0
    m13: f32 = 0.0
    m21: f32 = 0.0
    m22: f32 = 1.0
    m23: f32 = 0.0
    m31: f32 = 0.0
    m32: f32 = 0.0
    m33: f32 = 1.0


class SwfFrame(Record):
    """A frame of the time line."""

    object_count: ClassVar[i32] = count_of("objects")
    min_x: f32 = 0.0
    max_x: f32 = 0.0
    min_y: f32 = 0.0
    max_y: f32 = 0.0
    objects: Annotated[list[SwfObject], Counted("object_count")] = []


class RunLengthMask(Record):
    """A run-length coded collision mask."""

    length: ClassVar[i32] = count_of("data")
    data: Annotated[bytes, CountedBytes("length", media=True)] = b""
    padding: Annotated[None, Padding(4)] = None


class JpegTableData(Record):
    """The JPEG table of an SWF sprite, and the mark on its length."""

    marked: bool = True
    version: int = 8
    data: bytes = b""


class JpegTable(VariableCodec[JpegTableData]):
    """The length of the JPEG table (its top bit is a mark), the version again, and the bytes."""

    def type_name(self) -> str:
        return "u32 length and mark, i32 version, bytes, padding to 4"

    def outline(self, outliner: "Outliner", slot_of: "SlotOf") -> "Outline":
        return ("own", "jpeg table", (), -1)

    def read(self, data: Buffer, position: int, reader: Reader) -> tuple[JpegTableData, int]:
        position = reader.skip_padding(data, position, 4)
        reader.take(data, position, 8)
        (word,) = U32.unpack_from(data, position)
        (version,) = U32.unpack_from(data, position + 4)
        end = position + 8 + (word & 0x7FFFFFFF)
        if end > len(data):
            raise reader.fail("the JPEG table is longer than the chunk", position)
        table = JpegTableData(word >= 0x80000000, version, bytes(data[position + 8 : end]))
        return table, reader.skip_padding(data, end, 4)

    def write(self, writer: Writer, value: JpegTableData) -> None:
        if value is None:
            raise EncodeError("an SWF sprite needs a JPEG table (it may be empty)")
        writer.align(4)
        word = len(value.data) | (0x80000000 if value.marked else 0)
        writer.out += U32.pack(word) + U32.pack(value.version) + value.data
        writer.align(4)

    def to_jsonable(self, value: JpegTableData, scheme: Scheme) -> object:
        return {"marked": value.marked, "version": value.version, "data": value.data.hex()}

    def from_jsonable(self, value: object, scheme: Scheme) -> JpegTableData:
        plain = object_of_json(value)
        return JpegTableData(plain["marked"], plain["version"], bytes.fromhex(plain["data"]))


class SwfSprite(Record):
    """An SWF sprite."""

    version: Annotated[i32, "7 or 8"] = 8
    items_on_pages: Annotated[
        list[ItemRef], Inline(), When("version", lambda v: v == 8, "version 8")
    ] = []
    jpeg_table: Annotated[JpegTableData, JpegTable()] = msgspec.field(default_factory=JpegTableData)
    items: Annotated[list[SwfItem], Inline()] = []
    frame_rate: Annotated[f32, "frames per second"] = 30.0
    frame_count: ClassVar[i32] = count_of("frames")
    min_x: f32 = 0.0
    max_x: f32 = 0.0
    min_y: f32 = 0.0
    max_y: f32 = 0.0
    mask_count: ClassVar[i32] = count_of("masks")
    mask_width: i32 = 0
    mask_height: i32 = 0
    frames: Annotated[list[SwfFrame], Counted("frame_count")] = []
    masks: Annotated[list[RunLengthMask], Counted("mask_count")] = []


class VectorShape(Record):
    """A vector shape."""

    format: Annotated[i32, Align(4), "3 or 4"] = 4
    min_x: f32 = 0.0
    max_x: f32 = 0.0
    min_y: f32 = 0.0
    max_y: f32 = 0.0
    groups: Annotated[list[VectorStyleGroup], Inline()] = []


fourth: When = When("version", lambda v: v >= 4, "version 4")
third: When = When("version", lambda v: v < 4, "version 3")


class VectorSprite(Record):
    """A vector sprite (2024 and later)."""

    version: Annotated[i32, "3 or 4"] = 4
    items: Annotated[list[ItemRef], Inline()] = []
    frame_map: Annotated[list[i32], Inline(), fourth] = []
    shapes: Annotated[list[VectorShape], Inline(), fourth] = []
    shape: Annotated[VectorShape | None, third] = None
    mask_count: Annotated[i32, fourth] = 0
    has_mask: Annotated[b32, third] = False
    mask_width: i32 = 0
    mask_height: i32 = 0
    masks: Annotated[list[RunLengthMask], Counted("mask_count"), fourth] = []
    mask: Annotated[RunLengthMask | None, When("has_mask", bool, "version 3 with a mask")] = None
