"""Records: a format's structures, declared once.

A record is a typed class whose annotations say how each field is stored::

    class TexturePageItem(Record):
        source_x: u16 = 0
        source_y: u16 = 0
        page: i16 = -1

    class Sound(Record):
        name: StringRef = None
        volume: f32 = 1.0
        length: Annotated[f32, since(2024, 6), "seconds"] = 0.0

    class Path(Record):
        point_count: ClassVar[u32] = count_of("points")
        closed: b32 = False
        points: Annotated[list[Point], Counted("point_count")] = []

The metadata of ``Annotated`` may hold one field codec (see :mod:`overhaul.schema.fields`), a
:class:`~overhaul.schema.conditions.Condition` or :class:`~overhaul.schema.conditions.When`, an
:class:`Align`, a plain string, which is the field's documentation, and marks of the format's own.
From this the codec generator makes straight-line read and write functions, and the same declaration
gives JSON, documentation and test data.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar, cast

import msgspec

from overhaul.schema.conditions import Condition
from overhaul.suggest import cut


class Record(msgspec.Struct):
    """The base of every record: a slotted, typed, comparable value."""

    #: the result of :func:`overhaul.schema.declaration.fields_of`, kept with each class
    __plan__: ClassVar[object] = None

    def __repr__(self) -> str:
        return short_repr(self)


#: how many characters of its fields a record shows, and of a value
_LONGEST = 150
_LONGEST_VALUE = 40


def short_repr(value: object) -> str:
    """A record or dataclass in one line: its name and what differs from the defaults, lists and
    bytes as counts.  A dataclass gets it by ``__repr__ = short_repr``."""
    kind = type(value)
    if isinstance(value, Record):
        defaults = defaults_of(type(value))
        names = value.__struct_fields__
    else:
        fields: dict[str, dataclasses.Field[object]] = kind.__dataclass_fields__  # type: ignore[attr-defined]
        defaults = {
            name: field.default
            if field.default_factory is dataclasses.MISSING
            else Factory(field.default_factory)
            for name, field in fields.items()
        }
        names = tuple(fields)
    parts: list[str] = []
    size = 0
    for name in sorted(names, key="name".__ne__):
        held = getattr(value, name)
        default = defaults.get(name, value)
        if isinstance(default, Factory):
            default = default.make()
        if type(held) is type(default) and held == default:
            continue
        part = _brief(held) if name == "name" else f"{name}={_brief(held)}"
        size += len(part) + 2
        if size > _LONGEST:
            parts.append("...")
            break
        parts.append(part)
    return f"{kind.__name__}({', '.join(parts)})"


def _brief(value: object) -> str:
    """A value, short: the beginning of a text, how many elements a list has, a record's name."""
    if isinstance(value, str):
        text = repr(str(value[:_LONGEST_VALUE]))
        return cut(text + "..." if len(value) > _LONGEST_VALUE else text)
    if isinstance(value, bytes | bytearray | memoryview):
        return f"<{len(value)} bytes>"
    if isinstance(value, Record) or hasattr(type(value), "__dataclass_fields__"):
        name = getattr(value, "name", None)
        return cut(f"<{type(value).__name__} {name}") + ">" if name else f"<{type(value).__name__}>"
    if isinstance(value, Collection):
        kinds = dict.fromkeys(type(item).__name__ for item in islice(value, 8))
        return f"<{len(value)} x {next(iter(kinds))}>" if len(kinds) == 1 else f"<{len(value)}>"
    return cut(repr(value))


@dataclass(frozen=True)
class NotStored:
    """In an annotation: the value, a record, is not a field in the file."""


@dataclass(frozen=True)
class Align:
    """Zero bytes before the field until the absolute position is a multiple of ``to``.

    With ``when``, only in the versions for which that holds.
    """

    to: int
    when: Condition | None = None

    def active(self, version: object) -> bool:
        """Whether it applies in a version."""
        return self.when is None or self.when.holds(version)


@dataclass(frozen=True)
class Factory:
    """A default that is made for each record.

    ``make`` makes it.
    """

    make: Callable[[], object]


class CountOf:
    """A stored count that follows from a list or bytes of the record: an attribute, not a field.

    ``unit`` is how many bytes count as one.
    """

    def __init__(self, field: str, unit: int) -> None:
        self.field = field
        self.unit = unit

    def __get__(self, record: object, owner: type[Record]) -> object:
        return self if record is None else len(getattr(record, self.field)) // self.unit

    def __set__(self, record: object, value: object) -> None:
        raise AttributeError(f"this count is the length of {self.field}")


def count_of(field: str, *, unit: int = 1) -> int:
    """Declare the count of a :class:`~overhaul.schema.lists.Counted` field of the record.

    It stands in the record's annotations as ``ClassVar[u32]``, where it is stored in the file.
    ``unit`` is how many bytes of the field are counted as one.
    """
    return cast("int", CountOf(field, unit))


def defaults_of(record: type[Record]) -> dict[str, object]:
    """The default of each field that has one; those made for each record are :class:`Factory`."""
    defaults = record.__struct_defaults__
    names = record.__struct_fields__[len(record.__struct_fields__) - len(defaults) :]
    return {
        name: Factory(default.factory) if hasattr(default, "factory") else default
        for name, default in zip(names, defaults, strict=True)
        if default is not msgspec.NODEFAULT
    }


def summary(record: type) -> str:
    """The first line of a record's docstring."""
    text = (record.__doc__ or "").strip()
    return text.splitlines()[0] if text else ""
