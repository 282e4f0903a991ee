"""The JSON files of a folder: writing them, reading them, and one kind of error for all.

A format's folder package writes with :func:`json_bytes` in its layout (:func:`wide`,
:func:`fitted`, :func:`rows`, :func:`indented`; see :mod:`overhaul.document.jsontext`) and reads
with :func:`read_json`, :func:`read_object` or :func:`read_list`.

What is read is of type ``object``: the ``expect_...`` functions check it and give it its type.
They, and :func:`overhaul.schema.jsonable.from_jsonable`, raise FormatError with the path of keys
(:meth:`~overhaul.errors.FormatError.within` adds the outer ones; :func:`at_key` does so for a
block).  ``with in_file(path):`` around the reading of a file turns these errors into the
WorkspaceError that people see::

    rooms/rm_start/room.json:12:5: not valid JSON: Expecting value
    rooms/rm_start/room.json:48:7: instances[3].x: expected a number, got 'left'
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from overhaul.document.jsontext import (
    JsonError,
    Layout,
    fitted,
    indented,
    json_bytes,
    json_text,
    parse_json,
    place_of,
    rows,
    wide,
)
from overhaul.document.jsonvalues import (
    at_key,
    expect_bytes,
    expect_integer,
    expect_list,
    expect_number,
    expect_object,
    expect_text,
    expect_texts,
    show_value,
)
from overhaul.document.plainfiles import Folder
from overhaul.errors import FormatError, PathError, PlainFileError

__all__ = [
    "JsonError",
    "Layout",
    "at_key",
    "expect_bytes",
    "expect_integer",
    "expect_list",
    "expect_number",
    "expect_object",
    "expect_text",
    "expect_texts",
    "fitted",
    "in_file",
    "indented",
    "json_bytes",
    "json_text",
    "parse_json",
    "placed_in",
    "read_colour",
    "read_json",
    "read_list",
    "read_object",
    "rows",
    "show_colour",
    "show_value",
    "wide",
]


# ---------------------------------------------------------------------------------------- files


def read_json(data: bytes, path: str) -> object:
    """The value of a JSON file. Raises WorkspaceError, with line and column, for other text."""
    try:
        return parse_json(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise PlainFileError("not UTF-8", path, line=line, column=column) from None
    except JsonError as error:
        raise PlainFileError(error.message, path, "", error.line, error.column) from None


def read_object(data: bytes, path: str) -> dict[str, object]:
    """The object that a JSON file holds.  Raises WorkspaceError for anything else."""
    with in_file(path):
        return expect_object(read_json(data, path))


def read_list(data: bytes, path: str) -> list[object]:
    """The list that a JSON file holds.  Raises WorkspaceError for anything else."""
    with in_file(path):
        return expect_list(read_json(data, path))


@contextmanager
def in_file(path: str) -> Iterator[None]:
    """Errors about values that were read from a plain file become a WorkspaceError naming it.

    A key may follow the path, with a colon (``room.json: blocks[3]``), or words that name the
    place, which have a space (``sprites.json: slot 3``).
    """
    try:
        yield
    except PathError as error:
        message = error.findings[0].message
        file, _, key = path.partition(": ")
        if key and " " not in key:
            path = file
            error.within(key)
        raise PlainFileError(message, path, error.path) from None
    except RecursionError:
        raise PlainFileError("nested too deeply", path) from None


@contextmanager
def placed_in(folder: Folder) -> Iterator[None]:
    """Errors about a value in a JSON file of the folder get the line and column of its key."""
    try:
        yield
    except PlainFileError as error:
        if not error.line and error.file.endswith(".json") and error.file in folder:
            text = folder.read(error.file).decode("utf-8-sig", "replace")
            error.line, error.column = place_of(text, error.key)
        raise


# -------------------------------------------------------------------------------------- colours


def show_colour(value: int) -> str | int:
    """A colour of red, green and blue from the lowest byte on, as ``#RRGGBB``.

    A number with more than these three bytes stays a number.
    """
    return f"#{value.to_bytes(3, 'little').hex().upper()}" if 0 <= value < 1 << 24 else value


def read_colour(value: object) -> int:
    """The number of what :func:`show_colour` showed.  Raises FormatError."""
    if isinstance(value, str) and len(value) == 7 and value[0] == "#":
        try:
            return int.from_bytes(bytes.fromhex(value[1:]), "little")
        except ValueError:
            pass
    elif isinstance(value, int) and not isinstance(value, bool) and -(1 << 31) <= value < 1 << 31:
        return value
    raise FormatError(f"expected a colour (#RRGGBB) or a number, got {show_value(value)}")
