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

The metadata of ``Annotated`` may hold one field codec (see :mod:`.fields`), a
:class:`~.conditions.Condition` or :class:`~.conditions.Given`, an :class:`Align`, and a plain
string, which is the field's documentation.  From this the codec generator makes straight-line
read and write functions, and the same declaration gives JSON, documentation and test data.
"""

from __future__ import annotations

import inspect
import typing
from dataclasses import dataclass
from typing import Any, ClassVar

import msgspec

from overhaul.schema.conditions import Condition, When

if typing.TYPE_CHECKING:
    from overhaul.schema.fields import FieldCodec


class Record(msgspec.Struct):
    """The base of every record: a slotted, typed, comparable value."""

    __plan__: ClassVar[tuple[Field, ...] | None] = None


@dataclass(frozen=True)
class Align:
    """Zero bytes before the field until the absolute position is a multiple of ``to``."""

    to: int
    when: Condition | None = None

    def active(self, version: Any) -> bool:
        return self.when is None or self.when.holds(version)


@dataclass(frozen=True)
class Field:
    """One field of a record, as the generator, JSON and documentation see it."""

    name: str
    codec: FieldCodec
    default: Any
    condition: Condition | None
    given: When | None
    align: Align | None
    doc: str

    def present(self, version: Any) -> bool:
        """Whether the field is stored at all in this version."""
        return self.condition is None or self.condition.holds(version)


def fields_of(record: type[Record]) -> tuple[Field, ...]:
    """The declared fields of a record class, in file order; those not stored are left out."""
    plan = record.__dict__.get("__plan__")
    if plan is not None:
        return typing.cast("tuple[Field, ...]", plan)
    from overhaul.schema.fields import codec_of_annotation

    hints = _annotations(record)
    defaults = defaults_of(record)
    found: list[Field] = []
    for name in record.__struct_fields__:
        codec = codec_of_annotation(hints[name])
        if codec is None:
            continue
        condition: Condition | None = None
        given: When | None = None
        align: Align | None = None
        doc = ""
        for item in _metadata(hints[name]):
            if isinstance(item, Condition):
                condition = item if condition is None else condition & item
            elif isinstance(item, When):
                given = item
            elif isinstance(item, Align):
                align = item
            elif isinstance(item, str):
                doc = item
        found.append(Field(name, codec, defaults.get(name), condition, given, align, doc))
    plan = tuple(found)
    record.__plan__ = plan
    return plan


@dataclass(frozen=True)
class Factory:
    """A default that is made anew for each record."""

    make: Any


def _annotations(record: type[Record]) -> dict[str, Any]:
    """The annotations of a record and its bases, names in quotes resolved.

    Annotations that are objects already (modules that do not postpone them) cost nothing; with
    a few hundred records that is what makes start-up quick.
    """
    found: dict[str, Any] = {}
    for base in reversed(record.__mro__):
        found.update(inspect.get_annotations(base))
    if any(_has_forward_reference(annotation) for annotation in found.values()):
        return typing.get_type_hints(record, include_extras=True)
    return found


def _has_forward_reference(annotation: Any) -> bool:
    if isinstance(annotation, (str, typing.ForwardRef)):
        return True
    origin = getattr(annotation, "__origin__", None)
    if origin is None:
        return False
    arguments = getattr(annotation, "__args__", ())
    return _has_forward_reference(origin) or any(map(_has_forward_reference, arguments))


def defaults_of(record: type[Record]) -> dict[str, Any]:
    """The default of each field that has one; those made anew are :class:`Factory`."""
    defaults = record.__struct_defaults__
    names = record.__struct_fields__[len(record.__struct_fields__) - len(defaults) :]
    return {
        name: Factory(default.factory) if hasattr(default, "factory") else default
        for name, default in zip(names, defaults, strict=True)
        if default is not msgspec.NODEFAULT
    }


def _metadata(annotation: Any) -> tuple[Any, ...]:
    return getattr(annotation, "__metadata__", ())


def summary(record: type) -> str:
    """The first line of a record's docstring."""
    text = (record.__doc__ or "").strip()
    return text.splitlines()[0] if text else ""
