"""The fields that a record class declares: its annotations, read once; and their documentation."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol, cast, runtime_checkable

from overhaul.schema.codec import (
    DeclaredCodec,
    Deferred,
    Either,
    FieldCodec,
    FixedCodec,
    resolve,
)
from overhaul.schema.conditions import Condition, When
from overhaul.schema.fields import CountedBytes, Embedded, IfPresent
from overhaul.schema.lists import Counted, ListCodec
from overhaul.schema.record import Align, CountOf, Factory, NotStored, Record, defaults_of, summary


@dataclass(frozen=True)
class Field:
    """One field of a record, as the generator, JSON and documentation see it.

    ``counts`` is set for a count that follows from another field, and is not a field of the
    class: the name of that field, and how many of its bytes count as one. ``codec`` reads and
    writes it, ``default`` is its value in a new record. It is stored where ``condition`` (of the
    version) and ``given`` (of an earlier field) hold, at an ``align`` if it has one; ``doc`` is
    its meaning. ``marks`` are the other objects in its annotation: what a format says of it.
    """

    name: str
    codec: FieldCodec
    default: object
    condition: Condition | None
    given: When | None
    align: Align | None
    doc: str
    counts: tuple[str, int] | None = None
    marks: tuple[object, ...] = ()

    def present(self, version: object) -> bool:
        """Whether the field is stored at all in this version."""
        return self.condition is None or self.condition.holds(version)

    def aligned(self, version: object) -> int:
        """The alignment of the field's position in this version; 0 without a rule."""
        return self.align.to if self.align is not None and self.align.active(version) else 0

    def make_default(self) -> object:
        """The value of the field in a new record."""
        return self.default.make() if isinstance(self.default, Factory) else self.default


def fields_of(record: type[Record]) -> tuple[Field, ...]:
    """The declared fields of a record class, in file order; those not stored are left out."""
    plan = record.__dict__.get("__plan__")
    if plan is None:
        plan = record.__plan__ = tuple(_read_declaration(record))
        for field in plan:
            show_through(record, field.name, field.codec)
    return cast("tuple[Field, ...]", plan)


def show_through(record: type[Record], name: str, codec: FieldCodec) -> None:
    """Let an attribute of the records show its value, or the elements of its list, as the codec's
    ``shown`` says."""
    element = codec.element if isinstance(codec, ListCodec) else codec
    shown = element.shown if isinstance(element, FixedCodec) else None
    if shown is None:
        return
    owner = next(base for base in record.__mro__ if name in base.__dict__)
    held = owner.__dict__[name]
    if not isinstance(held, property):
        made = _list_property if element is not codec else _value_property
        setattr(owner, name, made(held.__get__, held.__set__, shown))


def _value_property(
    get: Callable[[object], object], put: Callable[[Any, object], None], shown: Callable[[Any], Any]
) -> property:
    def show(record: object) -> object:
        value = get(record)
        now = shown(value)
        if now is not value:
            put(record, now)  # so that equal records compare equal
        return now

    return property(show, put)


def _list_property(
    get: Callable[[object], Any], put: Callable[[Any, object], None], shown: Callable[[Any], Any]
) -> property:
    def show(record: object) -> object:
        items = get(record)
        for index, item in enumerate(items if isinstance(items, list) else ()):
            now = shown(item)
            if now is not item:
                items[index] = now
        return items

    return property(show, put)


def lengths(record: Record, version: object) -> dict[str, dict[str, int]]:
    """The counts of a record that follow from lists: by count, the lists and how long each is.

    Lists that are not stored, and counts that mean something else than a length, are left out.
    """
    lengths_of: dict[str, dict[str, int]] = {}
    for field, count, unit, codec in _counting(type(record)):
        if not field.present(version):
            continue
        if field.given is not None and not field.given.holds(getattr(record, field.given.field)):
            continue
        if codec is not None:
            resolved = resolve(codec, version)
            if not isinstance(resolved, Counted | CountedBytes) or not resolved.is_length(version):
                continue
        value = getattr(record, field.name)
        if isinstance(value, list | bytes):
            lengths_of.setdefault(count, {})[field.name] = len(value) // unit
    return lengths_of


def has_counts(record: type[Record]) -> bool:
    """Whether records of a class have counts that follow from lists."""
    return bool(_counting(record))


@cache
def _counting(record: type[Record]) -> list[tuple[Field, str, int, FieldCodec | None]]:
    """The fields that are counted: the count, bytes for each of it, and how they are stored."""
    fields = {field.name: field for field in fields_of(record)}
    counting: list[tuple[Field, str, int, FieldCodec | None]] = [
        (fields[field.counts[0]], field.name, field.counts[1], None)
        for field in fields.values()
        if field.counts is not None
    ]
    for field in fields.values():
        codec = field.codec.inner if isinstance(field.codec, Deferred) else field.codec
        for branch in (codec.then, codec.otherwise) if isinstance(codec, Either) else (codec,):
            if (
                isinstance(branch, Counted | CountedBytes)
                and branch.needs
                and branch.needs[0] in fields
            ):
                unit = branch.unit if isinstance(branch, CountedBytes) else 1
                counting.append((field, branch.needs[0], unit, codec))
    return counting


def _read_declaration(record: type[Record]) -> typing.Iterator[Field]:
    hints = _annotations(record)
    defaults = defaults_of(record)
    order = list(record.__struct_fields__)
    counts: dict[str, tuple[str, int]] = {}
    following = list(hints)
    for position, name in reversed([*enumerate(hints)]):
        count = inspect.getattr_static(record, name, None)
        if isinstance(count, CountOf):
            counts[name] = (count.field, count.unit)
            hints[name] = typing.get_args(hints[name])[0]  # the type of ClassVar[...]
            defaults[name] = 0
            after = next(later for later in following[position + 1 :] if later in order)
            order.insert(order.index(after), name)
    for name in order:
        codec = codec_of_annotation(hints[name])
        if codec is None:
            continue
        condition: Condition | None = None
        given: When | None = None
        align: Align | None = None
        doc = ""
        marks: list[object] = []
        for item in getattr(hints[name], "__metadata__", ()):
            if isinstance(item, Condition):
                condition = item if condition is None else condition & item
            elif isinstance(item, When):
                given = item
            elif isinstance(item, Align):
                align = item
            elif isinstance(item, str):
                doc = item
            elif not isinstance(item, FieldCodec):
                marks.append(item)
        default = defaults.get(name)
        count = counts.get(name)
        yield Field(name, codec, default, condition, given, align, doc, count, tuple(marks))


def _annotations(record: type[Record]) -> dict[str, object]:
    """The annotations of a record and its bases, names in quotes resolved.

    Annotations that are objects already (modules that do not postpone them) cost nothing; with
    a few hundred records that is what makes start-up quick.
    """
    annotations: dict[str, object] = {}
    for base in reversed(record.__mro__):
        annotations.update(inspect.get_annotations(base))
    if any(_has_forward_reference(annotation) for annotation in annotations.values()):
        return typing.get_type_hints(record, include_extras=True)
    return annotations


def _has_forward_reference(annotation: object) -> bool:
    if isinstance(annotation, (str, typing.ForwardRef)):
        return True
    origin = getattr(annotation, "__origin__", None)
    if origin is None:
        return False
    arguments = getattr(annotation, "__args__", ())
    return _has_forward_reference(origin) or any(map(_has_forward_reference, arguments))


def codec_of_annotation(annotation: object) -> FieldCodec | None:
    """The codec an annotation names; None for a field that is not stored."""
    metadata = getattr(annotation, "__metadata__", ())
    annotated: object = getattr(annotation, "__origin__", None) if metadata else annotation
    for item in metadata:
        if isinstance(item, FieldCodec):
            return _with_element(item, annotated)
        if isinstance(item, NotStored):
            return None
    plain = _strip_optional(annotated)
    if isinstance(plain, type) and issubclass(plain, Record):
        return Embedded(plain)
    if plain is not annotation and hasattr(plain, "__metadata__"):
        return codec_of_annotation(plain)
    return None


def _with_element(codec: FieldCodec, annotation: object) -> FieldCodec:
    """The codec, its lists with the element that the annotation names."""
    if isinstance(codec, Either):
        then = _with_element(codec.then, annotation)
        return Either(codec.condition, then, _with_element(codec.otherwise, annotation))
    if isinstance(codec, Deferred):
        inner = _with_element(codec.inner, annotation)
        return Deferred(cast("DeclaredCodec[Any]", inner), align=codec.align)
    if isinstance(codec, IfPresent):
        inner = _with_element(codec.inner, annotation)
        return IfPresent(inner, *codec.needs, present=codec.present, empty=codec.empty)
    if isinstance(codec, ListCodec) and codec.element is None:
        return codec.with_element(_element_codec(_strip_optional(annotation)))
    return codec


def _strip_optional(annotation: object) -> object:
    arguments = typing.get_args(annotation)
    others = [argument for argument in arguments if argument is not type(None)]
    return others[0] if len(others) == 1 and len(arguments) == 2 else annotation


def _element_codec(annotation: object) -> FieldCodec:
    arguments = typing.get_args(annotation)
    if not arguments:
        raise TypeError(f"a list field needs an element type, not {annotation!r}")
    codec = codec_of_annotation(_strip_optional(arguments[0]))
    if codec is None:
        raise TypeError(f"no codec for the list element {arguments[0]!r}")
    return codec


@runtime_checkable
class Called(Protocol):
    """A mark in the annotation of a field that says what plain files call it, as Markdown."""

    @property
    def called(self) -> str: ...


@dataclass(frozen=True)
class FieldRow:
    """One row of a field table.

    ``name`` and ``type`` are those of the field, ``condition`` says when it is stored, ``doc`` what
    it is, ``called`` what plain files call it, where a mark says so.
    """

    name: str
    type: str
    condition: str
    doc: str
    called: str = ""


def describe(record: type[Record]) -> list[FieldRow]:
    """The fields of a record in file order, with their types and conditions in words."""
    rows = []
    for field in fields_of(record):
        conditions = []
        if field.condition is not None:
            conditions.append(field.condition.words)
        if field.given is not None:
            conditions.append(field.given.words)
        doc = field.doc
        if field.align is not None:
            doc = f"{doc} (aligned to {field.align.to})".strip()
        called = ", ".join(mark.called for mark in field.marks if isinstance(mark, Called))
        kind, condition = field.codec.type_name(), ", ".join(conditions)
        rows.append(FieldRow(field.name, kind, condition, doc, called))
    return rows


def markdown_table(record: type[Record]) -> str:
    """The field table of a record as Markdown, under its name and summary."""
    lines = [f"### {record.__name__}", "", summary(record), ""]
    rows = describe(record)
    has_names = any(row.called for row in rows)
    head = ["Field", "Type", "Present", *(["In plain files"] if has_names else []), "Meaning"]
    lines += [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for row in rows:
        called = [row.called] if has_names else []
        cells = (f"`{row.name}`", row.type, row.condition, *called, row.doc)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"
