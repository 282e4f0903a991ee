"""How projects write and read their plain files, on top of :mod:`overhaul.folder`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias, TypeVar

from overhaul.errors import FormatError
from overhaul.folder.edits import Edits
from overhaul.folder.jsonkit import (
    Layout,
    at_key,
    expect_integer,
    expect_object,
    fitted,
    json_bytes,
    read_colour,
    show_colour,
)
from overhaul.gamemaker.classic.fields import Deflated
from overhaul.gamemaker.classic_folder.names import Names
from overhaul.schema import Record, Scheme
from overhaul.schema.jsonable import from_jsonable, to_jsonable

R = TypeVar("R", bound=Record)
T = TypeVar("T")
U = TypeVar("U")

JsonObject: TypeAlias = dict[str, object]
#: the path of a file, and what makes its bytes
Made: TypeAlias = tuple[str, Callable[[], bytes]]


def made_json(value: object, layout: Layout = fitted) -> Callable[[], bytes]:
    """A function that makes a JSON file."""
    return lambda: json_bytes(value, layout)


def made_text(text: str) -> Callable[[], bytes]:
    """A function that makes a text file in UTF-8; bytes that are not text are kept."""
    return lambda: text.encode("utf-8", "surrogateescape")


def take(plain: JsonObject, key: str, expect: Callable[[object], T], default: object) -> T:
    """The value of a key, checked and removed from the object."""
    with at_key(key):
        return expect(plain.pop(key, default))


def take_integer(
    plain: JsonObject, key: str, default: int | None, low: int = -(1 << 31), high: int = 1 << 31
) -> int:
    """The value of a key, an integer from ``low`` to below ``high``, removed from the object."""
    return take(plain, key, lambda value: expect_integer(value, low, high - 1), default)


def take_version(plain: JsonObject, usual: int, known: Iterable[int]) -> int:
    """The version number of a record, removed from the object."""
    version = plain.pop("version", usual)
    if not isinstance(version, int) or version not in known:
        raise FormatError(f"not a valid version: {version!r:.20}", path="version")
    return version


def expect_no_more(plain: JsonObject) -> None:
    """FormatError for a key that nothing has taken from the object."""
    if plain:
        raise FormatError("there is no such key here", path=min(plain))


def left_out(files: Edits, path: str, message: str) -> None:
    """Report a name in an edited file of the project that no resource has."""
    if files.edited(path):
        files.warnings.append(f"{path}: {message}; it is left out")


def each(read: Callable[[T], U], items: Iterable[T], key: str = "") -> list[U]:
    """Apply ``read`` to each item of a list; errors name the key and the index."""
    result = []
    for index, item in enumerate(items):
        with at_key(key, index):
            result.append(read(item))
    return result


def deflated(data: bytes, before: object) -> Deflated:
    """The zlib stream of a file; the one ``before`` if it has the same content."""
    if isinstance(before, Deflated) and before.data == data:
        return before
    return Deflated.of(data)


# ---------------------------------------------------------------------------- records as JSON

#: by field: the kind of resource it refers to, and the number that means none
References: TypeAlias = Mapping[str, tuple[str, int]]


def show_record(
    record: Record,
    version: int,
    names: Names,
    *,
    without: Iterable[str] = (),
    references: References | None = None,
    colours: Iterable[str] = (),
    short: bool = False,
) -> JsonObject:
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
    record: type[R],
    plain: object,
    version: int,
    names: Names,
    *,
    references: References | None = None,
    colours: Iterable[str] = (),
    base: R | None = None,
) -> R:
    """The record of what :func:`show_record` showed; missing fields are those of ``base``."""
    values = dict(expect_object(plain))
    for name, (resources, none) in (references or {}).items():
        if name in values:
            with at_key(name):
                values[name] = names.read(resources, values[name], none)
    for name in colours:
        if name in values:
            with at_key(name):
                values[name] = read_colour(values[name])
    return from_jsonable(record, values, Scheme(version), base=base)
