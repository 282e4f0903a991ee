"""Records as plain JSON-able data and back, from the same declaration.

A :class:`Scheme` says how resolved values (references, strings) are shown: by name, for people.
Numbers with names (enumerations, flags) are shown by name, 32-bit floats in their shortest exact
form, and values JSON has no word for as text: ``"inf"``, ``"nan:7fc00001"``.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from enum import IntEnum, IntFlag
from typing import Any, Final, TypeAlias, TypeVar

from overhaul.errors import FormatError
from overhaul.schema.codec import (
    DeclaredCodec,
    Deferred,
    Either,
    FieldCodec,
    FieldPlan,
    FixedCodec,
    JsonFields,
    Scheme,
    bytes_from_json,
    list_of_json,
)
from overhaul.schema.declaration import Field, fields_of, has_counts, lengths
from overhaul.schema.exact import RawFloat
from overhaul.schema.fields import Embedded, IfPresent, Padding, Switch
from overhaul.schema.lists import ListCodec
from overhaul.schema.record import Record
from overhaul.suggest import did_you_mean

R = TypeVar("R", bound=Record)

#: an error lists so many keys where none is meant
_LISTED = 12
_FLOAT = struct.Struct("<f")
_BITS = struct.Struct("<I")


def to_jsonable(record: Record, scheme: Scheme) -> JsonFields:
    """A record as a dictionary of JSON-able values, in the order of declaration.

    Counts that follow from lists are left out.
    """
    kind = type(record)
    plan = scheme.plans.get(kind)
    if plan is None:
        plan = scheme.plans[kind] = _plan_of(kind, scheme.version)
    shown: JsonFields = {}
    hidden = agreeing_counts(record, scheme.version) if has_counts(kind) else ()
    omits = scheme.omit_defaults
    for name, given, default, codec, form in plan:
        if name in hidden or (given is not None and not given.holds(getattr(record, given.field))):
            continue
        value = getattr(record, name)
        if value is None:
            if not omits or default is not None:
                shown[name] = None
        elif not omits or type(value) not in _PLAIN or value != default:
            shown[name] = form(codec, value, scheme)
    return shown


#: the types of values that are left out where they are the default
_PLAIN: Final = frozenset((int, float, bool, list))


def _plan_of(kind: type[Record], version: object) -> list[FieldPlan]:
    """The fields of records of a kind that a version stores, with what shows each."""
    return [
        FieldPlan(
            field.name,
            field.given,
            field.make_default(),
            field.codec,
            _shows(field.codec),
        )
        for field in fields_of(kind)
        if field.present(version) and type(field.codec) is not Padding
    ]


def from_jsonable(
    record: type[R],
    plain: object,
    scheme: Scheme,
    *,
    base: R | None = None,
    extra: frozenset[str] = frozenset(),
) -> R:
    """A record from a dictionary; FormatError (with the path of the key) where it can't be.

    Missing keys keep the value of ``base``, or else the default; counts follow from what they
    count, and must agree with it where they are given.  Keys in ``extra`` belong to the caller
    and are passed over.
    """
    if not isinstance(plain, dict):
        expected = f"expected an object with the fields of {record.__name__}"
        raise FormatError(f"{expected}, got null" if plain is None else expected)
    values: dict[str, object] = {}
    known: set[str] = set()
    conditional: list[Field] = []
    for field in fields_of(record):
        if not field.present(scheme.version):
            continue
        name = field.name
        known.add(name)
        if field.given is not None and name in plain:
            conditional.append(field)
        if type(field.codec) is Padding or field.counts is not None:
            continue
        if name not in plain:
            if base is not None:
                values[name] = getattr(base, name)
            continue
        try:
            codec = field.codec.inner if isinstance(field.codec, Deferred) else field.codec
            if isinstance(codec, Switch):
                (selector,) = (f for f in fields_of(record) if f.name == codec.needs[0])
                chosen = values.get(selector.name, selector.make_default())
                values[name] = _case_from_jsonable(codec, chosen, plain[name], scheme)
            else:
                values[name] = value_from_jsonable(field.codec, plain[name], scheme)
        except FormatError as error:
            raise error.within(name) from None
    if base is not None:
        for name in record.__struct_fields__:
            if name not in known:
                values[name] = getattr(base, name)
    _refuse_unknown(record, plain.keys() - known - extra, known, extra)
    try:
        made = record(**values)
    except TypeError as error:
        raise FormatError(f"{record.__name__}: {error}") from None
    for field in conditional:
        _refuse_unstored(made, field)
    _set_counts(made, plain, scheme.version)
    return made


def _refuse_unknown(
    record: type[Record], unknown: set[str], known: set[str], extra: frozenset[str]
) -> None:
    """FormatError if there are keys that name no field."""
    if unknown:
        name = str(min(unknown, key=str))
        since = "" if name not in record.__struct_fields__ else " in this version"
        meant = did_you_mean(name, known | extra)
        if not meant and len(known) <= _LISTED:
            meant = f" (there are {', '.join(sorted(known))})"
        raise FormatError(f"{record.__name__} has no such key{since}{meant}").within(name)


def _refuse_unstored(record: Record, field: Field) -> None:
    """FormatError if a field has a value, but another field says that it is not stored."""
    assert field.given is not None
    stored = field.given.holds(getattr(record, field.given.field))
    if not stored and getattr(record, field.name) != field.make_default():
        words = field.given.words.removeprefix("if ")
        raise FormatError(f"it is stored only if {words}", path=field.name)


def agreeing_counts(record: Record, version: object) -> set[str]:
    """The counts of a record that agree with the lists they count, all of them."""
    return {
        count
        for count, lists in lengths(record, version).items()
        if set(lists.values()) == {getattr(record, count)}
    }


def _set_counts(record: Record, plain: JsonFields, version: object) -> None:
    """Set the counts to the lengths of the lists.  FormatError where they do not agree."""
    for count, lists in lengths(record, version).items():
        given = [name for name in lists if name in plain]
        if not given and count not in plain:
            continue
        (first, length), *others = lists.items()
        for name, other in others:
            if other != length:
                message = f"{name} has {other} elements, but {first} has {length}: they go together"
                raise FormatError(message, path=(given or [count])[-1])
        if count in plain and plain[count] != length:
            message = f"expected {length}, the length of {first}, got {plain[count]!r:.40}"
            raise FormatError(f"{message}; a count may be left out", path=count)
        if isinstance(getattr(record, count), int) and getattr(record, count) != length:
            setattr(record, count, length)


def _case_from_jsonable(
    codec: Switch, selector: object, plain: object, scheme: Scheme
) -> Record | None:
    """The record of the case that ``selector`` (the earlier field's value) names."""
    case = codec.case(selector)
    return None if case is None else from_jsonable(case, plain, scheme)


def value_to_jsonable(codec: FieldCodec | None, value: Any, scheme: Scheme) -> Any:
    """One field's value as JSON-able data."""
    if value is None:
        return None
    return (_SHOW.get(type(codec)) or _form_of(codec)[0])(codec, value, scheme)


def value_from_jsonable(codec: FieldCodec | None, plain: object, scheme: Scheme) -> Any:
    """One field's value from JSON-able data."""
    return (_READ.get(type(codec)) or _form_of(codec)[1])(codec, plain, scheme)


def list_from_jsonable(element: FieldCodec | None, plain: object, scheme: Scheme) -> list[Any]:
    """A list of elements from a JSON list; errors carry the index.

    An element may be null, except a record: of the lists in files only those of whole resources
    have gaps, which no JSON shows.
    """
    values = []
    nullable = isinstance(element, DeclaredCodec) and not isinstance(element, Embedded)
    for index, item in enumerate(list_of_json(plain)):
        try:
            values.append(
                None if item is None and nullable else value_from_jsonable(element, item, scheme)
            )
        except FormatError as error:
            raise error.within("", index) from None
    return values


def _fixed_to_jsonable(codec: FixedCodec, value: Any, scheme: Scheme) -> object:
    if codec.kind is not None:
        show = scheme.show.get(codec.kind)
        return value if show is None else show(value)
    if codec.boolean:
        return bool(value) if value in (0, 1) else int(value)
    if codec.names is not None:
        return show_enum(codec.names, value)
    if codec.format in "fd":
        return show_float(value, codec.format)
    if isinstance(value, bytes):
        return value.hex()
    return int(value) if isinstance(value, int) else value


def _fixed_from_jsonable(codec: FixedCodec, plain: object, scheme: Scheme) -> object:
    if codec.kind is not None:
        return scheme.read.get(codec.kind, codec.resolved_from_json)(plain)
    if codec.names is not None:
        return read_enum(codec.names, plain)
    if codec.format in "fd":
        return read_float(plain, codec.format)
    if codec.format.endswith("s"):
        raw = bytes_from_json(plain)
        if len(raw) != codec.size:
            raise FormatError(f"expected {codec.size} bytes, got {len(raw)}")
        return raw
    if not isinstance(plain, int):
        expected = "true or false" if codec.boolean else f"a number ({codec.name})"
        raise FormatError(f"expected {expected}, got {plain!r}")
    try:
        struct.pack("<" + codec.format, plain)
    except struct.error:
        raise FormatError(f"{plain} does not fit {codec.name}") from None
    return int(plain)


def _record_to_jsonable(_: FieldCodec, value: Record, scheme: Scheme) -> JsonFields:
    return to_jsonable(value, scheme)


def _embedded_from_jsonable(codec: Embedded[R], plain: object, scheme: Scheme) -> R:
    return from_jsonable(codec.record, plain, scheme)


def _list_to_jsonable(codec: ListCodec, value: list[Any], scheme: Scheme) -> list[object]:
    element = codec.element
    return [value_to_jsonable(element, item, scheme) for item in value]


def _list_from_jsonable(codec: ListCodec, plain: object, scheme: Scheme) -> list[Any]:
    return list_from_jsonable(codec.element, plain, scheme)


def _either_to_jsonable(codec: Either, value: object, scheme: Scheme) -> object:
    return value_to_jsonable(codec.choose(scheme.version), value, scheme)


def _either_from_jsonable(codec: Either, plain: object, scheme: Scheme) -> object:
    return value_from_jsonable(codec.choose(scheme.version), plain, scheme)


def _inner_to_jsonable(codec: Deferred | IfPresent, value: object, scheme: Scheme) -> object:
    return value_to_jsonable(codec.inner, value, scheme)


def _inner_from_jsonable(codec: Deferred | IfPresent, plain: object, scheme: Scheme) -> object:
    return None if plain is None else value_from_jsonable(codec.inner, plain, scheme)


_Form: TypeAlias = Callable[[Any, Any, Scheme], object]
#: How the values of each class of codecs are shown and read; a subclass goes before its bases.
_FORMS: Final[dict[type[FieldCodec], tuple[_Form, _Form]]] = {
    FixedCodec: (_fixed_to_jsonable, _fixed_from_jsonable),
    Embedded: (_record_to_jsonable, _embedded_from_jsonable),
    Switch: (_record_to_jsonable, Switch.from_jsonable),
    ListCodec: (_list_to_jsonable, _list_from_jsonable),
    Either: (_either_to_jsonable, _either_from_jsonable),
    Deferred: (_inner_to_jsonable, _inner_from_jsonable),
    IfPresent: (_inner_to_jsonable, _inner_from_jsonable),
}
#: The same for the classes met so far: looking for a base takes longer than most values do.
_SHOW: Final[dict[type, _Form]] = {}
_READ: Final[dict[type, _Form]] = {}


def _form_of(codec: FieldCodec | None) -> tuple[_Form, _Form]:
    kind = type(codec)
    form = next((forms for base, forms in _FORMS.items() if isinstance(codec, base)), None)
    if form is None:
        if not isinstance(codec, DeclaredCodec):
            raise TypeError(f"no JSON form for {codec!r}")
        form = type(codec).to_jsonable, type(codec).from_jsonable
    _SHOW[kind], _READ[kind] = form
    return form


def _shows(codec: FieldCodec) -> _Form:
    """The function that shows the values of a field other than None."""
    if not isinstance(codec, FixedCodec | DeclaredCodec):
        return value_to_jsonable  # there may be no form, but then there are no values either
    if isinstance(codec, FixedCodec) and codec.kind is None and codec.names is None:
        return _fixed_to_jsonable if codec.boolean or codec.format in "fd" else _show_number
    return _form_of(codec)[0]


def _show_number(codec: FixedCodec, value: object, scheme: Scheme) -> object:
    return value if type(value) is int else _fixed_to_jsonable(codec, value, scheme)


def show_float(value: float, format: str = "f") -> float | str:
    """A float as the shortest number that gives the same bits, or as text."""
    if value != value:
        if format == "d":
            return f"nan:{struct.pack('>d', value).hex()}"
        bits = value.bits if isinstance(value, RawFloat) else 0x7FC00000
        return f"nan:{bits:08x}"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if format == "f":
        try:
            packed = _FLOAT.pack(value)
        except OverflowError:
            return value
        for digits in (6, 7, 8):
            short = float(f"{value:.{digits}g}")
            if _FLOAT.pack(short) == packed:
                return short
    return float(value)


def read_float(plain: object, format: str = "f") -> float:
    """The float that :func:`show_float` showed, rounded to 32 bits where it is stored so."""
    if isinstance(plain, bool) or not isinstance(plain, (int, float, str)):
        raise FormatError(f"expected a number, got {plain!r}")
    if isinstance(plain, str):
        if plain in ("inf", "-inf"):
            return float(plain)
        if plain.startswith("nan:"):
            try:
                if format == "d" and len(plain) == 20:
                    return float(struct.unpack(">d", bytes.fromhex(plain[4:]))[0])
                return RawFloat(int(plain[4:], 16) & 0xFFFFFFFF)
            except ValueError:
                pass
        raise FormatError(f"expected a number, got {plain!r}")
    try:
        value = float(plain)
        return float(_FLOAT.unpack(_FLOAT.pack(value))[0]) if format == "f" else value
    except OverflowError:
        raise FormatError(f"{plain} is too large") from None


def show_enum(names: type[IntEnum] | type[IntFlag], value: int) -> str | int | list[str | int]:
    """A named number as its name; flags as a list of names; the rest as numbers.

    A flag may have several bits, which only together have its name.
    """
    if issubclass(names, IntFlag):
        shown: list[str | int] = []
        left = int(value)
        for member in names.__members__.values():
            bits = int(member.value)
            if bits and left & bits == bits:
                shown.append(str(member.name).lower())
                left &= ~bits
        if left:
            shown.append(left)
        return shown
    try:
        return str(names(value).name).lower()
    except ValueError:
        return int(value)


def read_enum(names: type[IntEnum] | type[IntFlag], plain: object) -> int:
    """The number that :func:`show_enum` showed."""
    if isinstance(plain, list):
        total = 0
        for item in plain:
            total |= read_enum(names, item)
        return total
    if isinstance(plain, str):
        try:
            return int(names[plain.upper()].value)
        except KeyError:
            choices = [name.lower() for name in names.__members__]
            raise FormatError(
                f"{plain!r} is not one of {', '.join(choices)}{did_you_mean(plain, choices)}"
            ) from None
    if isinstance(plain, bool) or not isinstance(plain, int):
        raise FormatError(f"expected a name or a number, got {plain!r}")
    return plain
