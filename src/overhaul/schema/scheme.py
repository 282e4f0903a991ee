"""How values are shown in JSON and read back: what a :class:`Scheme` says, and checked texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from overhaul.errors import FormatError
from overhaul.schema.streams import AnyVersion

#: A record as JSON-able data, by the names of its fields.
JsonFields: TypeAlias = dict[str, Any]


class Scheme:
    """How values are shown in JSON and read back, for one version of a format.

    ``show`` and ``read`` map the kind of a resolved field to a function from the value to
    JSON-able data and back.  ``omit_defaults`` leaves out fields that have their default value.
    """

    def __init__(
        self,
        version: AnyVersion = None,
        *,
        show: Mapping[str, Callable[[Any], object]] | None = None,
        read: Mapping[str, Callable[[Any], Any]] | None = None,
        omit_defaults: bool = False,
    ) -> None:
        self.version: AnyVersion = version
        self.show: Mapping[str, Callable[[Any], object]] = show or {}
        self.read: Mapping[str, Callable[[Any], Any]] = read or {}
        self.omit_defaults = omit_defaults


def text_from_json(value: object) -> str:
    """A text from JSON; FormatError for anything else."""
    if not isinstance(value, str):
        raise FormatError(f"expected a text, got {value!r:.40}")
    return value


def bytes_from_json(value: object) -> bytes:
    """Bytes from their hexadecimal form in JSON; FormatError for anything else."""
    try:
        return bytes.fromhex(text_from_json(value))
    except (FormatError, ValueError):
        raise FormatError(f"expected hexadecimal bytes, got {value!r:.40}") from None


def object_of_json(value: object) -> JsonFields:
    """An object from JSON; FormatError for anything else."""
    if not isinstance(value, dict):
        raise FormatError(f"expected an object, got {value!r:.40}")
    return value


def list_of_json(value: object) -> list[object]:
    """A list from JSON; FormatError for anything else."""
    if not isinstance(value, list):
        raise FormatError(f"expected a list, got {value!r:.40}")
    return value
