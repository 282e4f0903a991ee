"""Records as plain JSON-able data and back, from the same declaration.

A :class:`Scheme` says how resolved values (references, strings) are shown: by name, for people.
Numbers with names (enumerations, flags) are shown by name, 32-bit floats in their shortest exact
form, and values JSON has no word for as text: ``"inf"``, ``"nan:7fc00001"``.
"""

from __future__ import annotations

import enum
import math
import struct
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from overhaul.errors import FormatError
from overhaul.schema.exact import RawFloat
from overhaul.schema.fields import (
    Deferred,
    Either,
    FieldCodec,
    FixedCodec,
    Padding,
    Switch,
    VariableCodec,
)
from overhaul.schema.record import Factory, Record, fields_of

R = TypeVar("R", bound=Record)

_FLOAT = struct.Struct("<f")
_BITS = struct.Struct("<I")


class Scheme:
    """How values are shown in JSON and read back, for one version of a format.

    ``show`` and ``read`` map the kind of a resolved field to a function from the value to
    JSON-able data and back.  ``omit_defaults`` leaves out fields that have their default value.
    """

    def __init__(
        self,
        version: Any = None,
        *,
        show: Mapping[str, Callable[[Any], Any]] | None = None,
        read: Mapping[str, Callable[[Any], Any]] | None = None,
        omit_defaults: bool = False,
    ) -> None:
        self.version = version
        self.show: Mapping[str, Callable[[Any], Any]] = show or {}
        self.read: Mapping[str, Callable[[Any], Any]] = read or {}
        self.omit_defaults = omit_defaults


def to_jsonable(record: Record, scheme: Scheme) -> dict[str, Any]:
    """A record as a dictionary of JSON-able values, in the order of declaration."""
    shown: dict[str, Any] = {}
    for field in fields_of(type(record)):
        if not field.present(scheme.version):
            continue
        if field.given is not None and not field.given.holds(getattr(record, field.given.field)):
            continue
        if isinstance(field.codec, Padding):
            continue
        value = getattr(record, field.name)
        if scheme.omit_defaults:
            default = field.default.make() if isinstance(field.default, Factory) else field.default
            if type(value) in (int, float, bool, list) and value == default:
                continue
            if value is None and default is None:
                continue
        shown[field.name] = value_to_jsonable(field.codec, value, scheme)
    return shown


def from_jsonable(
    record: type[R],
    plain: Any,
    scheme: Scheme,
    *,
    base: R | None = None,
    extra: frozenset[str] = frozenset(),
) -> R:
    """A record from a dictionary; FormatError (with the path of the key) where it can't be.

    Missing keys keep the value of ``base``, or else the default; keys in ``extra`` belong to
    the caller and are passed over.
    """
    if not isinstance(plain, dict):
        raise FormatError(f"expected an object with the fields of {record.__name__}")
    values: dict[str, Any] = {}
    known: set[str] = set()
    for field in fields_of(record):
        if not field.present(scheme.version):
            continue
        name = field.name
        known.add(name)
        if isinstance(field.codec, Padding):
            continue
        if name not in plain:
            if base is not None:
                values[name] = getattr(base, name)
            continue
        try:
            if isinstance(field.codec, Switch):
                selector = values.get(field.codec.needs[0], _default(record, field.codec.needs[0]))
                values[name] = field.codec.from_plain_case(plain[name], scheme, selector)
            else:
                values[name] = value_from_jsonable(field.codec, plain[name], scheme)
        except FormatError as error:
            raise error.within(name) from None
    if base is not None:
        for name in record.__struct_fields__:
            if name not in known:
                values[name] = getattr(base, name)
    unknown = set(plain) - known - extra
    if unknown:
        raise FormatError(f"{record.__name__} has no field {min(unknown)!r} in this version")
    try:
        return record(**values)
    except TypeError as error:
        raise FormatError(f"{record.__name__}: {error}") from None


def _default(record: type[Record], name: str) -> Any:
    """The default of a field that decides which record another field holds."""
    default = next(field.default for field in fields_of(record) if field.name == name)
    return default.make() if isinstance(default, Factory) else default


def value_to_jsonable(codec: FieldCodec | None, value: Any, scheme: Scheme) -> Any:
    """One field's value as JSON-able data."""
    if value is None:
        return None
    if isinstance(codec, FixedCodec):
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
    if isinstance(codec, Either):
        return value_to_jsonable(codec.choose(scheme.version), value, scheme)
    if isinstance(codec, Deferred):
        return value_to_jsonable(codec.inner, value, scheme)
    if isinstance(codec, VariableCodec):
        return codec.to_jsonable(value, scheme)
    raise TypeError(f"no plain form for {codec!r}")


def value_from_jsonable(codec: FieldCodec | None, plain: Any, scheme: Scheme) -> Any:
    """One field's value from JSON-able data."""
    if isinstance(codec, FixedCodec):
        return _fixed_from_plain(codec, plain, scheme)
    if isinstance(codec, Either):
        return value_from_jsonable(codec.choose(scheme.version), plain, scheme)
    if isinstance(codec, Deferred):
        return None if plain is None else value_from_jsonable(codec.inner, plain, scheme)
    if isinstance(codec, VariableCodec):
        return codec.from_jsonable(plain, scheme)
    raise TypeError(f"no plain form for {codec!r}")


def list_from_plain(element: FieldCodec | None, plain: Any, scheme: Scheme) -> list[Any]:
    """A list of elements from a JSON list; errors carry the index."""
    if not isinstance(plain, list):
        raise FormatError("expected a list")
    values = []
    for index, item in enumerate(plain):
        try:
            values.append(
                None
                if item is None and isinstance(element, VariableCodec)
                else value_from_jsonable(element, item, scheme)
            )
        except FormatError as error:
            raise error.within("", index) from None
    return values


def _fixed_from_plain(codec: FixedCodec, plain: Any, scheme: Scheme) -> Any:
    if codec.kind is not None:
        read = scheme.read.get(codec.kind)
        return plain if read is None else read(plain)
    if codec.names is not None:
        return read_enum(codec.names, plain)
    if codec.format in "fd":
        return read_float(plain, codec.format)
    if codec.format.endswith("s"):
        return _read_bytes(codec, plain)
    if not isinstance(plain, int):
        raise FormatError(f"expected a number ({codec.name}), not {plain!r}")
    try:
        struct.pack("<" + codec.format, plain)
    except struct.error:
        raise FormatError(f"{plain} does not fit {codec.name}") from None
    return int(plain)


def _read_bytes(codec: FixedCodec, plain: Any) -> bytes:
    try:
        value = bytes.fromhex(plain)
    except (TypeError, ValueError):
        raise FormatError(f"expected hexadecimal bytes, not {plain!r}") from None
    if len(value) != codec.size:
        raise FormatError(f"expected {codec.size} bytes, not {len(value)}")
    return value


def show_float(value: float, format: str = "f") -> Any:
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


def read_float(plain: Any, format: str = "f") -> float:
    """The float that :func:`show_float` showed, rounded to 32 bits where it is stored so."""
    if isinstance(plain, bool) or not isinstance(plain, (int, float, str)):
        raise FormatError(f"expected a number, not {plain!r}")
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
        raise FormatError(f"expected a number, not {plain!r}")
    try:
        value = float(plain)
        return float(_FLOAT.unpack(_FLOAT.pack(value))[0]) if format == "f" else value
    except OverflowError:
        raise FormatError(f"{plain} is too large") from None


def show_enum(names: type[Any], value: int) -> Any:
    """A named number as its name; flags as a list of names; the rest as numbers."""
    if issubclass(names, enum.Flag):
        shown: list[Any] = []
        left = int(value)
        for member in names:
            bits = int(member.value)
            if bits and left & bits == bits:
                shown.append(str(member.name).lower())
                left &= ~bits
        if left:
            shown.append(left)
        return shown
    try:
        return names(value).name.lower()
    except ValueError:
        return int(value)


def read_enum(names: type[Any], plain: Any) -> int:
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
            choices = ", ".join(member.name.lower() for member in names)
            raise FormatError(f"{plain!r} is not one of {choices}") from None
    if isinstance(plain, bool) or not isinstance(plain, int):
        raise FormatError(f"expected a name or a number, not {plain!r}")
    return plain
