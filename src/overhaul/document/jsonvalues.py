"""Values of JSON that somebody wrote: functions that check their type, and give it to them.

Values that are read are of type ``object``; the ``expect_...`` functions raise FormatError, and
:func:`at_key` adds the path of keys to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from overhaul.errors import FormatError, PathError


@contextmanager
def at_key(name: str, index: int | None = None) -> Iterator[None]:
    """Errors get a step of the path before theirs: a key, an index (``""``, 3), or both."""
    try:
        yield
    except PathError as error:
        raise error.within(name, index) from None


def expect_object(value: object) -> dict[str, object]:
    """The value, which must be an object.  Raises FormatError."""
    if isinstance(value, dict):
        return value
    raise _unexpected("an object", value)


def expect_list(value: object) -> list[object]:
    """The value, which must be a list.  Raises FormatError."""
    if isinstance(value, list):
        return value
    raise _unexpected("a list", value)


def expect_text(value: object) -> str:
    """The value, which must be a text.  Raises FormatError."""
    if isinstance(value, str):
        return value
    raise _unexpected("a text", value)


def expect_texts(value: object) -> list[str]:
    """The value, which must be a list of texts.  Raises FormatError."""
    texts = []
    for index, item in enumerate(expect_list(value)):
        with at_key("", index):
            texts.append(expect_text(item))
    return texts


def expect_integer(value: object, low: int = -(1 << 31), high: int = (1 << 31) - 1) -> int:
    """The value, which must be a whole number from ``low`` to ``high``.  Raises FormatError."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise _unexpected("a whole number", value)
    if not low <= value <= high:
        raise FormatError(f"expected a whole number from {low} to {high}, got {value}")
    return value


def expect_number(value: object) -> float:
    """The value, which must be a number, as a float.  Raises FormatError."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _unexpected("a number", value)
    try:
        return float(value)
    except OverflowError:
        raise FormatError("the number is too large") from None


def expect_bytes(value: object, length: int | None = None) -> bytes:
    """The bytes of hexadecimal digits, ``length`` of them if given.  Raises FormatError."""
    try:
        data = bytes.fromhex(expect_text(value))
    except ValueError:  # FormatError is one
        raise _unexpected("hexadecimal digits", value) from None
    if length is not None and len(data) != length:
        raise FormatError(f"expected {length} bytes, got {len(data)}")
    return data


def _unexpected(expected: str, value: object) -> FormatError:
    return FormatError(f"expected {expected}, got {show_value(value)}")


def show_value(value: object) -> str:
    """A value of JSON as an error message names it: short."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    return f"{value!r:.40}"
