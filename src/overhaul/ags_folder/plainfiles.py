"""Plain files of the unpacked folder: JSON with readable texts, and PNG images.

Texts whose bytes are not UTF-8 are shown in the code page the document names (``encoding`` in
overhaul.toml); a byte the code page has no letter for is shown as a lone surrogate, ``\\udc81``.
Both ways nothing is lost.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from overhaul.ags import text
from overhaul.document.protocol import Folder
from overhaul.errors import EncodeError, FormatError, WorkspaceError
from overhaul.schema import Counted, Record, fields_of
from overhaul.schema.jsonable import Scheme, from_jsonable, value_to_jsonable

if TYPE_CHECKING:
    from PIL.Image import Image

R = TypeVar("R", bound=Record)
UTF_8 = "utf-8"
ANSI = "cp1252"
_SURROGATE = re.compile("[\ud800-\udfff]")
_MAX_PIXELS = 1 << 28


# --- JSON -----------------------------------------------------------------------------------


def dump_json(value: Any, encoding: str = UTF_8) -> bytes:
    """A value as a JSON file: two spaces, LF, UTF-8."""
    if encoding != UTF_8:
        value = _recode(value, encoding, text.show)
    shown = json.dumps(value, ensure_ascii=False, indent=2)
    shown = _SURROGATE.sub(lambda match: f"\\u{ord(match.group()):04x}", shown)
    return _fold_numbers(shown).encode() + b"\n"


_NUMBERS = re.compile(r"\[\n\s+(-?\d+(?:,\n\s+-?\d+)*)\n\s+\]")


def _fold_numbers(text: str) -> str:
    """Lists of numbers on one line, as nobody reads them in a column."""
    return _NUMBERS.sub(lambda m: "[" + re.sub(r",\n\s+", ", ", m.group(1)) + "]", text)


def load_json(data: bytes, path: str, encoding: str = UTF_8) -> dict[str, Any]:
    """The object in a JSON file; WorkspaceError where it can't be read."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise WorkspaceError(f"{path} is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise WorkspaceError(f"{path} must hold an object")
    if encoding == UTF_8:
        return value
    try:
        return cast("dict[str, Any]", _recode(value, encoding, text.unshow))
    except EncodeError as error:
        raise WorkspaceError(f"{path}: {error.message}") from None


def read_text(folder: Folder, path: str) -> str:
    """A text file of the folder; WorkspaceError where it is not UTF-8."""
    try:
        return folder.read(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise WorkspaceError(f"{path} is not UTF-8: {error}") from None


def _recode(value: Any, encoding: str, change: Callable[[str, str], str]) -> Any:
    if isinstance(value, str):
        return change(value, encoding)
    if isinstance(value, list):
        return [_recode(item, encoding, change) for item in value]
    if isinstance(value, dict):
        return {key: _recode(item, encoding, change) for key, item in value.items()}
    return value


def has_foreign_bytes(value: Any) -> bool:
    """Whether a text in the value has bytes that are not UTF-8."""
    if isinstance(value, str):
        return not value.isascii() and _SURROGATE.search(value) is not None
    if isinstance(value, list):
        return any(map(has_foreign_bytes, value))
    if isinstance(value, dict):
        return any(map(has_foreign_bytes, value.values()))
    return False


def show(record: Record, version: Any, names: Iterable[str] | None = None) -> dict[str, Any]:
    """The fields of a record as JSON-able data; only those in ``names``, if given."""
    scheme = Scheme(version)
    wanted = None if names is None else set(names)
    shown: dict[str, Any] = {}
    for field in fields_of(type(record)):
        if not field.present(version) or (wanted is not None and field.name not in wanted):
            continue
        if field.given is not None and not field.given.holds(getattr(record, field.given.field)):
            continue
        value = getattr(record, field.name)
        if value is not None:
            shown[field.name] = value_to_jsonable(field.codec, value, scheme)
    return shown


def presents(record: Record, version: Any, names: Iterable[str]) -> bool:
    """Whether one of these fields is stored in this version."""
    wanted = set(names)
    return any(f.name in wanted and f.present(version) for f in fields_of(type(record)))


def read(
    record: type[R],
    plain: Any,
    version: Any,
    path: str,
    *,
    base: R | None = None,
    extra: Collection[str] = (),
) -> R:
    """The record that :func:`show` showed; WorkspaceError names the file and the place."""
    try:
        found = from_jsonable(record, plain, Scheme(version), base=base, extra=frozenset(extra))
    except FormatError as error:
        raise WorkspaceError(f"{path}: {error}") from None
    set_counts(found, version)
    return found


def set_counts(record: Record, version: Any) -> None:
    """Make the count fields of a record fit lists that people made longer or shorter."""
    settled: set[str] = set()
    for field in fields_of(type(record)):
        if not field.present(version):
            continue
        value = getattr(record, field.name)
        codec: Any = field.codec
        if isinstance(codec, Counted):
            (name, *_) = codec.needs
            count = getattr(record, name)
            bound: Any = codec.bind(version)
            effective = bound.count(count) if hasattr(bound, "count") else count
            if name not in settled and isinstance(count, int) and effective != len(value):
                setattr(record, name, len(value))
            settled.add(name)
        if isinstance(value, Record):
            set_counts(value, version)
        elif isinstance(value, list) and value and isinstance(value[0], Record):
            for item in value:
                set_counts(item, version)


# --- images ---------------------------------------------------------------------------------


def png_bytes(image: Image) -> bytes:
    """An image as a PNG file, the same bytes every time; WorkspaceError without pixels."""
    if not image.width or not image.height:
        raise WorkspaceError(f"a picture of {image.width}x{image.height} pixels can't be a PNG")
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def read_png(data: bytes, path: str) -> Image:
    """The image in a PNG file; WorkspaceError where it can't be read."""
    from PIL import Image as pillow

    from overhaul.media.png import PILLOW_ERRORS

    try:
        image = pillow.open(io.BytesIO(data), formats=["PNG"])
        if image.width * image.height > _MAX_PIXELS:
            raise WorkspaceError(f"{path} has too many pixels")
        image.load()
    except PILLOW_ERRORS as error:
        raise WorkspaceError(f"{path} is not a PNG image that can be read: {error}") from None
    return image
