"""The parts that the folders of all files of Adventure Game Studio share: texts in an encoding,
records, images.

Texts whose bytes are not UTF-8 are shown in the encoding of the document (``encoding`` in
overhaul.toml); a byte without a letter in it is shown as a lone surrogate, ``\\udc81``.  Nothing
is lost either way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Final, NamedTuple, TypeVar

from overhaul.ags import text
from overhaul.ags.documents.base import AgsDocument
from overhaul.ags.pictures import PALETTE_COLOURS, Pixels
from overhaul.document.jsontext import has_path
from overhaul.document.plainfiles import Folder, PlainFile
from overhaul.document.reading import open_data
from overhaul.document.registry import load
from overhaul.errors import FormatError, PathError, PlainFileError, WorkspaceError
from overhaul.findings import Finding, Findings, warning
from overhaul.folder.json_fields import (
    at_key,
    expect_object,
    fitted,
    in_file,
    indented,
    json_bytes,
    read_object,
    show_value,
)
from overhaul.folder.records import set_counts, show_record
from overhaul.folder.taken import new_findings
from overhaul.schema import Record, Scheme
from overhaul.schema.jsonable import from_jsonable

D = TypeVar("D", bound=AgsDocument)
R = TypeVar("R", bound=Record)
ENCODING: Final = "encoding"


# --- documents ------------------------------------------------------------------------------


def encoding_settings(document: AgsDocument) -> dict[str, object]:
    """The settings of a document with texts: their encoding."""
    return {ENCODING: document.encoding}


def no_settings(document: AgsDocument) -> dict[str, object]:
    """The settings of a document without texts."""
    return {}


def take_settings(document: AgsDocument, settings: Mapping[str, object]) -> None:
    """Take the encoding that overhaul.toml names.

    Raises WorkspaceError for an unknown one, and for another version than the document's.
    """
    version = str(settings.get("version", document.version))
    if version != document.version:
        raise WorkspaceError(
            f"overhaul.toml: document.version: the file is of version {document.version!r}, "
            f"got {version!r}"
        )
    named = settings.get(ENCODING)
    if named is None:
        return
    try:
        "".encode(str(named))
    except LookupError:
        raise WorkspaceError(f"overhaul.toml: unknown encoding {named!r}") from None
    document.encoding = str(named)


def new_document(document_class: type[D], settings: Mapping[str, object]) -> D:
    """An empty document of the version and encoding that the settings name."""
    document = document_class()
    document.version = str(settings.get("version", ""))
    take_settings(document, settings)
    return document


# --- plain files ----------------------------------------------------------------------------


def bytes_file(path: str, data: bytes, origin: str, note: str = "") -> PlainFile:
    """A plain file of these bytes."""
    return PlainFile(path, lambda: data, origin=origin, note=note)


def json_file(
    document: AgsDocument, path: str, show: Callable[[], object], origin: str
) -> PlainFile:
    """A JSON file of what ``show`` gives, with texts in the document's encoding."""

    def read() -> bytes:
        return json_bytes(text.recoded(show(), document.encoding, text.show), indented)

    return PlainFile(path, read, origin=origin)


def thing_file(
    document: AgsDocument, path: str, show: Callable[[], object], origin: str
) -> PlainFile:
    """As :func:`json_file`, with short objects on one line, for what people edit."""

    def read() -> bytes:
        return json_bytes(text.recoded(show(), document.encoding, text.show), _short)

    return PlainFile(path, read, origin=origin)


def _short(value: object, indent: str, used: int) -> str | None:
    return indented(value, indent, used) or (fitted(value, indent, used) if indent else None)


def read_json(document: AgsDocument, folder: Folder, path: str) -> dict[str, object]:
    """The object in a JSON file, with texts as the model has them.  Raises WorkspaceError."""
    return as_in_model(document, read_object(folder.read(path), path), path)


def as_in_model(document: AgsDocument, shown: object, path: str) -> dict[str, object]:
    """An object of a JSON file, with texts as the model has them.  Raises WorkspaceError."""
    with in_file(path):
        _refuse_null(shown)
        return expect_object(text.recoded(shown, document.encoding, text.unshow))


@contextmanager
def another_version(document: AgsDocument, folder: Folder, path: str) -> Iterator[None]:
    """A JSON file with a ``version`` is taken: errors say where it is not the document's, as
    they may follow from that. A file in the form of another version is written and read at once."""
    before = document.version

    def asked() -> object:
        return read_object(folder.read(path), path).get("version") if path in folder else None

    with reported_version("version", before, asked, path):
        yield
        if before not in ("", document.version):
            with in_file(path), open_data(document.to_bytes(), source=None) as again:
                again.info()
                for found in new_findings(document, again):
                    raise FormatError(found.message, path=found.path)


@contextmanager
def reported_version(
    key: str, before: object, asked: Callable[[], object], path: str = ""
) -> Iterator[None]:
    """Errors say where a key of a file names another version than the one before, if any."""
    try:
        yield
    except (PathError, PlainFileError) as error:
        now = asked()
        if before and now is not None and str(now) != str(before):
            where = f"{path}: " if path and path not in str(error) else ""
            error.message += f" ({where}{key}: {show_value(now)}, it was {before})"
        raise


def _refuse_null(value: object) -> None:
    """No list of these files has elements that are null.  Raises FormatError."""
    if isinstance(value, dict):
        for key, item in value.items():
            if isinstance(item, dict | list):
                with at_key(key):
                    _refuse_null(item)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            if item is None or isinstance(item, dict | list):
                with at_key("", index):
                    if item is None:
                        raise FormatError("expected a value, got null")
                    _refuse_null(item)


def key_in(folder: Folder, path: str, key: str, old_key: str) -> str:
    """The key of a value in a JSON file: in the words of this release, or in those before where
    the file has these."""
    text = folder.read(path).decode("utf-8-sig", "replace")
    return old_key if not has_path(text, key) and has_path(text, old_key) else key


# --- records --------------------------------------------------------------------------------


def show(
    record: Record,
    version: int | None,
    only: Collection[str] | None = None,
    without: Collection[str] = (),
) -> dict[str, object]:
    """The fields of a record as JSON-able values; those that hold None are left out."""
    return show_record(record, Scheme(version), only=only, without=without, nulls=False)


def read(
    record: type[R],
    shown: object,
    version: int | None,
    path: str,
    *,
    base: R | None = None,
    only: Collection[str] | None = None,
) -> R:
    """The record that :func:`show` showed, over ``base``; counts follow from the lists.

    Raises WorkspaceError with ``path`` and the path of keys, also for fields not in ``only``.
    """
    with in_file(path):
        unknown = set(expect_object(shown)) - set(only) if only is not None else None
        if unknown:
            raise FormatError(f"unknown field {min(unknown)!r}")
        made = from_jsonable(record, shown, Scheme(version), base=base)
    set_counts(made, version)
    return made


# --- images ---------------------------------------------------------------------------------


def png_file(
    path: str, pixels: Callable[[], Pixels], palette: Callable[[], bytes], origin: str
) -> PlainFile:
    """A PNG file of a picture; ``palette`` has 8-bit r, g, b and is asked for if it is indexed."""
    return _PngFile(path, pixels, palette, origin)


class _PngFile(PlainFile):
    """A picture as PNG."""

    __slots__ = ("_palette", "_pixels")

    def __init__(
        self, path: str, pixels: Callable[[], Pixels], palette: Callable[[], bytes], origin: str
    ) -> None:
        super().__init__(path, self._png, origin=origin)
        self._pixels, self._palette = pixels, palette

    def _png(self) -> bytes:
        from overhaul.ags.images import to_png  # start-up: Pillow and NumPy

        picture = self._pixels()
        with in_file(self.path):
            return to_png(picture, self._palette() if picture.depth == 1 else None)

    def agrees(self, data: bytes) -> bool:
        """Whether a PNG gives these pixels; what has a palette is compared as it is written."""
        from overhaul.ags.images import from_png  # start-up: Pillow and NumPy

        picture = self._pixels()
        if picture.depth == 1:
            return False
        alpha = picture.uniform_alpha if picture.depth == 4 else None
        try:
            again, _, exact = from_png(data, picture.depth, alpha=255 if alpha is None else alpha)
        except FormatError:
            return False
        return exact and again == picture


class ReadImage(NamedTuple):
    """The contents of a PNG file; ``quick_lzw`` packs such pixels, other than editors do.

    ``note`` is a warning where pixels of ``depth`` bytes can't hold all of it.
    """

    pixels: Pixels
    palette: bytes
    quick_lzw: Callable[[bytes], bytes]
    note: Finding | None = None


def read_png(folder: Folder, path: str, depth: int, alpha: int | None = None) -> ReadImage:
    """The pixels of a PNG file at ``depth`` bytes each, and its palette; see ``from_image``.

    Raises WorkspaceError for a broken file, or one that is not indexed at a depth of 1.
    """
    from overhaul.ags.images import compress_lzw_fast, from_png  # start-up: Pillow and NumPy

    with in_file(path):
        data, filler = folder.read(path), 255 if alpha is None else alpha
        pixels, palette, exact = from_png(data, depth, alpha=filler)
    uniform = pixels.uniform_alpha
    if alpha is not None and uniform == 255 != alpha:  # an editor wrote the opaque picture as RGBA
        opaque = bytearray(pixels.data)
        opaque[3::4] = bytes([alpha]) * (pixels.width * pixels.height)
        pixels = replace(pixels, data=bytes(opaque))
    said = f"it is stored with {8 * depth} bits a pixel, and loses some colours"
    note = None if exact else warning("approximated", said, path)
    return ReadImage(pixels, palette, compress_lzw_fast, note)


def read_mask(folder: Folder, path: str, colours: bytes) -> tuple[ReadImage, bool]:
    """The numbers of the areas in a PNG file, and whether it is indexed.

    One that is not, as many editors write, has the ``colours`` (r, g, b) of the areas; what is
    transparent is area 0.  Raises WorkspaceError for another colour, or a broken file.
    """
    with in_file(path):
        read = load("overhaul.ags.images:area_numbers")
        numbers: Pixels | None = read(folder.read(path), colours)
    if numbers is None:
        return read_png(folder, path, 1), True
    return ReadImage(numbers, colours, load("overhaul.ags.images:compress_lzw_fast")), False


def other_colours(image: ReadImage, palette: bytes, path: str) -> Findings:
    """A warning if colours of an indexed picture, whose palette is not stored, have no effect.

    That is so if a pixel's number stands for another colour in ``palette``; other numbers count
    only if they have a colour, as some editors write none for them.
    """
    used = set(image.pixels.data)
    for number in sorted(range(PALETTE_COLOURS), key=lambda number: number not in used):
        new, known = (colours[3 * number : 3 * number + 3] for colours in (image.palette, palette))
        if new != known and (number in used or any(new)):
            message = (
                f"colour {number} is #{new.hex().upper()} in its palette, and stays "
                f"#{known.hex().upper()}: only the pixels are stored"
            )
            return Findings([warning("no-effect", message, path)])
    return Findings()
