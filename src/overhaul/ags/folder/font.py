"""A bitmap font as files: font.json, and font.png with all of its letters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from overhaul.ags.documents.font import FontDocument
from overhaul.ags.folder import file_io
from overhaul.ags.folder.format import AgsFormat
from overhaul.ags.font.model import BitmapFont, Glyph
from overhaul.ags.font.wfn import keeps_places
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource
from overhaul.document.registry import load
from overhaul.errors import FormatError
from overhaul.findings import Findings, warning
from overhaul.folder.json_fields import (
    at_key,
    expect_bytes,
    expect_integer,
    expect_list,
    expect_object,
    in_file,
)

FONT_JSON: Final = "font.json"
FONT_PNG: Final = "font.png"
_SHEET: Final = "overhaul.ags.font.sheet:"
_LARGEST: Final = 0xFFFF


class FontFormat(AgsFormat[FontDocument]):
    """A font as a folder."""

    document_class = FontDocument

    def tree(self, document: FontDocument) -> Iterable[Resource]:
        """The font."""
        yield Resource("font", "font", FONT_JSON, document.size or None)

    def plain_files(self, document: FontDocument, options: UnpackOptions) -> Iterator[PlainFile]:
        """The layout as JSON, the letters as a picture."""
        font = document.font
        sheet = load(f"{_SHEET}sheet_of")(font)
        yield file_io.json_file(document, FONT_JSON, partial(_show, font, sheet), "font")
        draw = partial(load(f"{_SHEET}picture_of"), font, sheet)
        yield file_io.png_file(FONT_PNG, draw, lambda: load(f"{_SHEET}COLOURS"), "glyphs")

    def apply(
        self, document: FontDocument, folder: Folder, changes: Mapping[str, Change]
    ) -> Findings:
        """Take the letters from the picture, and the layout from the JSON file."""
        file_io.take_settings(document, folder.settings)
        if not changes:
            return Findings()
        document.font = _read(document, folder)
        document.edited(document.version)
        if keeps_places(document.font):
            return Findings()
        document.font.forget_places()
        message = "offsets, table and extra no longer fit the letters: they are left out"
        return Findings([warning("left-out", message, FONT_JSON)])


FORMAT: Final = FontFormat()


def _show(font: BitmapFont, sheet: object) -> dict[str, object]:
    """The fields that the picture does not show."""
    names = ("letters", "columns", "width", "height")
    shown: dict[str, object] = {name: getattr(sheet, name) for name in names}
    numbered = list(enumerate(font.glyphs))
    parts: dict[str, dict[str, object]] = {
        "empty": {
            str(number): [glyph.width, glyph.height]
            for number, glyph in numbered
            if (glyph.width == 0) != (glyph.height == 0)
        },
        "padding": {
            str(number): padding.hex() for number, glyph in numbered if (padding := glyph.padding)
        },
        "extra": {str(place): piece.hex() for place, piece in font.extra.items()},
    }
    shown |= {name: part for name, part in parts.items() if part}
    if font.offsets is not None:
        shown |= {"table": font.table, "offsets": font.offsets}
    return shown


def _read(document: FontDocument, folder: Folder) -> BitmapFont:
    """The font that both files say."""
    shown = file_io.read_json(document, folder, FONT_JSON)
    with in_file(FONT_JSON):
        layout = {
            name: _whole(shown.pop(name, 1), name)
            for name in ("letters", "columns", "width", "height")
        }
        sheet = load(f"{_SHEET}Sheet")(**layout)
        empties = {
            number: [_whole(side, "empty") for side in expect_list(sides)]
            for number, sides in _numbered(shown.pop("empty", {}), "empty")
        }
        padding = {n: expect_bytes(v) for n, v in _numbered(shown.pop("padding", {}), "padding")}
        extra = {n: expect_bytes(v) for n, v in _numbered(shown.pop("extra", {}), "extra")}
        font = BitmapFont(table=_whole(shown.pop("table", 0), "table"), extra=extra)
        if "offsets" in shown:
            offsets = expect_list(shown.pop("offsets"))
            font.offsets = [_whole(offset, "offsets") for offset in offsets]
        if shown:
            raise FormatError(f"unknown field {min(shown)!r}")
    with in_file(FONT_PNG):
        pixels = load(f"{_SHEET}read_picture")(folder.read(FONT_PNG), sheet)
    take = load(f"{_SHEET}take_pixels")
    for number, letter in enumerate(pixels):
        old = document.font.glyph(number)
        font.glyphs.append(take(old, letter, padding.pop(number, b"")))
    with in_file(FONT_JSON):
        _take_empty(font, empties)
        if padding:
            with at_key("padding"):
                raise FormatError(f"the font has no letter {min(padding)}")
    return font


def _take_empty(font: BitmapFont, empties: Mapping[int, list[int]]) -> None:
    """The width and the height of letters without pixels."""
    for number, sides in empties.items():
        with at_key("empty"), at_key(str(number)):
            glyph = font.glyph(number)
            if glyph is None:
                raise FormatError(f"the font has no letter {number}")
            if len(sides) != 2 or all(sides) or glyph.width or glyph.height:
                raise FormatError("expected the width and height of a letter without pixels")
            font.glyphs[number] = Glyph(sides[0], sides[1])


def _whole(value: object, name: str) -> int:
    with at_key(name):
        number = expect_integer(value)
        if not 0 <= number <= _LARGEST + 1:
            raise FormatError(f"expected 0 to {_LARGEST + 1}, got {number}")
        return number


def _numbered(value: object, name: str) -> Iterator[tuple[int, object]]:
    """The values of an object whose keys are numbers."""
    with at_key(name):
        for key, item in expect_object(value).items():
            if not key.isdecimal() or len(key) > len(str(_LARGEST)):
                raise FormatError(f"expected a number, got {key!r}")
            with at_key(key):
                yield int(key), item
