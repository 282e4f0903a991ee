"""Reading and writing the plain files of a project's folder: JSON, GML, and whose file is whose."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from overhaul.document.protocol import Folder
from overhaul.errors import FormatError
from overhaul.gamemaker.classic_folder.names import Names
from overhaul.gamemaker.ds.jsonform import json_text, parse_json
from overhaul.schema import Record
from overhaul.schema.jsonable import Scheme, from_jsonable, to_jsonable

R = TypeVar("R", bound=Record)

#: the kinds of resources that have a folder each; the others are files beside one another
WITH_FOLDERS = ("sprites", "timelines", "objects", "rooms")
FLAT = ("sounds", "backgrounds", "paths", "scripts", "data_files", "fonts", "triggers")


def json_bytes(value: Any) -> bytes:
    """A JSON file.  Bytes of a text that are no characters come as escapes of lone surrogates."""
    return json_text(value).encode("utf-8", "backslashreplace")


def text_bytes(text: str) -> bytes:
    """A text file in UTF-8; bytes that are no characters stay as they are."""
    return text.encode("utf-8", "surrogateescape")


class Files:
    """The files of a folder that is packed, sorted to the resources they belong to."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.units: dict[tuple[str, str], list[str]] = defaultdict(list)
        self.others: list[str] = []
        self.warnings: list[str] = []
        for path in folder.list():
            unit = unit_of(path)
            if unit is None:
                self.others.append(path)
            else:
                self.units[unit].append(path)

    def __contains__(self, path: str) -> bool:
        return path in self.folder

    def bytes(self, path: str) -> bytes:
        """The bytes of a file.  FormatError: there is none."""
        if path not in self.folder:
            raise FormatError("the file is missing", source=path)
        return self.folder.read(path)

    def text(self, path: str) -> str:
        """The text of a file, read as UTF-8."""
        return self.bytes(path).decode("utf-8", "surrogateescape")

    def json(self, path: str) -> Any:
        """The value of a JSON file.  FormatError: it is none."""
        try:
            return parse_json(self.bytes(path).decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            raise FormatError("JSON is UTF-8", source=path, offset=error.start) from None
        except FormatError as error:
            error.source = path
            raise

    def object(self, path: str) -> dict[str, Any]:
        """The object of a JSON file; an empty one if there is no such file."""
        value = self.json(path) if path in self.folder else {}
        if not isinstance(value, dict):
            raise FormatError("an object is expected", source=path)
        return value

    def array(self, path: str) -> list[Any]:
        """The array of a JSON file; an empty one if there is no such file."""
        value = self.json(path) if path in self.folder else []
        if not isinstance(value, list):
            raise FormatError("an array is expected", source=path)
        return value


def unit_of(path: str) -> tuple[str, str] | None:
    """The kind and file name of the resource a file belongs to; None for the project's own."""
    kind, _, rest = path.partition("/")
    if kind in WITH_FOLDERS and "/" in rest:
        return kind, rest.partition("/")[0]
    if kind in FLAT and rest and "/" not in rest and "." in rest:
        return kind, rest.rpartition(".")[0]
    return None


def in_file(path: str, read: Callable[[], Any]) -> Any:
    """Read something from a file; an error names the file."""
    try:
        return read()
    except FormatError as error:
        if error.source is None:
            error.source = path
        raise


# --------------------------------------------------------------------------- records as JSON

Reference = tuple[str, int]  # which kind of resource, and the number that means none


def show_colour(value: int) -> str | int:
    """``#RRGGBB``, or the number where it is more than a colour."""
    if not 0 <= value < 1 << 24:
        return value
    return f"#{value & 255:02X}{value >> 8 & 255:02X}{value >> 16:02X}"


def read_colour(value: Any) -> int:
    """The number of what :func:`show_colour` showed."""
    if isinstance(value, int) and not isinstance(value, bool) and -(1 << 31) <= value < 1 << 31:
        return value
    if isinstance(value, str) and len(value) == 7 and value[0] == "#":
        try:
            return int.from_bytes(bytes.fromhex(value[1:]), "little")
        except ValueError:
            pass
    raise FormatError(f"a colour is #RRGGBB or a number, not {value!r:.40}")


def show_record(
    record: Record,
    version: int,
    names: Names,
    *,
    without: Iterable[str] = (),
    references: Mapping[str, Reference] | None = None,
    colours: Iterable[str] = (),
    short: bool = False,
) -> dict[str, Any]:
    """A record's fields for JSON; with ``short``, without those that have their default."""
    plain = to_jsonable(record, Scheme(version, omit_defaults=short))
    for name in without:
        plain.pop(name, None)
    for name, (kind, none) in (references or {}).items():
        if name in plain:
            plain[name] = names.show(kind, plain[name], none)
    for name in colours:
        if name in plain:
            plain[name] = show_colour(plain[name])
    return plain


def read_record(
    kind: type[R],
    plain: Any,
    version: int,
    names: Names,
    *,
    references: Mapping[str, Reference] | None = None,
    colours: Iterable[str] = (),
    base: R | None = None,
) -> R:
    """The record of what :func:`show_record` showed; missing fields are those of ``base``."""
    if not isinstance(plain, dict):
        raise FormatError("an object is expected")
    plain = dict(plain)
    for name, (resources, none) in (references or {}).items():
        if name in plain:
            try:
                plain[name] = names.read(resources, plain[name], none)
            except FormatError as error:
                raise error.within(name) from None
    for name in colours:
        if name in plain:
            try:
                plain[name] = read_colour(plain[name])
            except FormatError as error:
                raise error.within(name) from None
    return from_jsonable(kind, plain, Scheme(version), base=base)
