"""Structures ↔ JSON, without loss: what ``overhaul ds decode`` prints and ``encode`` reads.

    {"ds": "map", "generation": 2, "entries": {"random": 4, "universe": 42}}

A structure is an object with ``ds``.  Reals, strings, booleans, undefined and arrays are JSON's
own numbers, strings, booleans, null and arrays; every other value is an object with a key
of its own (:data:`TYPE_KEYS`).  A map whose keys are all different strings is an object, any
other a list of [key, value].  JSON without ``ds`` is read as plain values: an object is a map, an
array a list.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, NamedTuple, TypeVar, cast

from overhaul.errors import FormatError
from overhaul.gamemaker.ds.codec import GENERATIONS
from overhaul.gamemaker.ds.structures import (
    Boolean,
    DsGrid,
    DsList,
    DsMap,
    DsPriority,
    DsQueue,
    DsStack,
    Int32,
    Int64,
    Legacy,
    Mark,
    Pointer,
    Prioritized,
    Reference,
    Rows,
    Structure,
    Value,
)
from overhaul.suggest import did_you_mean

T = TypeVar("T")
V = TypeVar("V")

_INTEGERS: dict[str, type[int]] = {"int32": Int32, "int64": Int64, "pointer": Pointer}
_INTEGER_NAMES = {type_: name for name, type_ in _INTEGERS.items()}
_NON_FINITE = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}
_SAFE = 1 << 53  # the largest integer that every JSON reader keeps exactly
_MAXIMUM_DEPTH = 96
_NAMES: dict[type, str] = {
    dict: "an object",
    list: "an array",
    str: "a string",
    bool: "true or false",
    int: "a number",
}

TYPE_KEYS = {
    "real": "a real that no JSON number has: NaN, Infinity, -Infinity or the 16 digits of its bits",
    "bytes": "a string that is not text in the encoding, in hexadecimal",
    "int32": "a 32-bit integer",
    "int64": "a 64-bit integer; as a string where JSON readers would round it",
    "pointer": "a pointer; likewise",
    "boolean": "a boolean whose stored real is neither 0 nor 1",
    "reference": "a reference; with `size` 4 if its payload is not 8 bytes",
    "marked": "an element marked as list or map; with `value` if a real follows",
    "rows": "an array of generation 2 with other than one row",
    "legacy": "the tag of a generation 1 value that stores both a real and a string",
    "ds": "a structure, whose string stands in the value's place",
}


# ------------------------------------------------------------------------------------ to JSON


def to_json(structure: Structure) -> dict[str, Any]:
    """The structure as values that ``json`` and msgspec write."""
    result: dict[str, Any] = {"ds": structure.kind, "generation": structure.generation}
    if structure.encoding != Structure.encoding:
        result["encoding"] = structure.encoding
    if structure.lower_case:
        result["lower_case"] = True
    if structure.mixed_case:
        result["mixed_case"] = structure.mixed_case
    if structure.trailing:
        result["trailing"] = structure.trailing.hex()
    if structure.base64 is not None:
        result["base64"] = structure.base64 or True
    if structure.lead:
        result["lead"] = structure.lead
    if structure.rest:
        result["rest"] = structure.rest
    if isinstance(structure, DsMap):
        pairs = structure.pairs()
        keys = {key for key, _ in pairs if isinstance(key, str)}
        if len(keys) == len(pairs):
            result["entries"] = {cast("str", key): _json(value) for key, value in pairs}
        else:
            result["entries"] = [[_json(key), _json(value)] for key, value in pairs]
    elif isinstance(structure, DsGrid):
        result |= {"width": structure.width, "height": structure.height}
        result["rows"] = [[_json(value) for value in row] for row in structure.rows()]
    elif isinstance(structure, DsPriority):
        result["items"] = [
            {"value": _json(value), "priority": _json(priority)} for value, priority in structure
        ]
    else:
        result["items"] = [_json(value) for value in cast("DsList", structure)]
        if isinstance(structure, DsQueue):
            result["before"] = [_json(value) for value in structure.before]
            result["after"] = [_json(value) for value in structure.after]
    return result


def _json(value: Value) -> object:
    kind = type(value)
    if kind is float:
        return _real(cast("float", value))
    if kind is str or kind is bool or value is None:
        return value
    return _tagged_json(value)


def _real(value: float) -> object:
    if isfinite(value):
        whole = int(value) if abs(value) < _SAFE else 0
        # 4 reads better than 4.0, but -0.0 is a number of its own
        return whole if whole == value and (whole or str(value) == "0.0") else value
    return {"real": _non_finite(value)}


def _non_finite(value: float) -> str:
    bits = struct.pack("<d", value)
    for name, known in _NON_FINITE.items():
        if bits == struct.pack("<d", known):
            return name
    return struct.pack(">d", value).hex().upper()


def _tagged_json(value: Value) -> object:
    if isinstance(value, Structure):
        return to_json(value)
    if isinstance(value, Rows):
        return {"rows": [[_json(item) for item in row] for row in value]}
    if isinstance(value, list | tuple):
        return [_json(item) for item in value]
    if isinstance(value, bytes):
        return {"bytes": value.hex().upper()}
    name = _INTEGER_NAMES.get(cast("type[int]", type(value)))
    if name is not None:
        return {name: _integer(cast("int", value))}
    if isinstance(value, Boolean):
        real = _real(value)
        return {"boolean": real["real"] if isinstance(real, dict) else real}
    if isinstance(value, Reference):
        result: dict[str, object] = {"reference": _integer(value.value)}
        return result if value.size == 8 else result | {"size": value.size}
    if isinstance(value, Mark):
        return {"marked": value.kind} | ({} if value.real is None else {"value": _real(value.real)})
    if isinstance(value, Legacy):
        return {"legacy": value.tag, "value": _real(value.real), "string": _json(value.text)}
    if isinstance(value, Mapping):
        return {key: _json(item) for key, item in value.items()}
    return value  # plain numbers that were put in by hand


def _integer(value: int) -> int | str:
    return int(value) if abs(value) < _SAFE else str(int(value))


# ---------------------------------------------------------------------------------- from JSON


class _Place(NamedTuple):
    """The place of a value: the generation of its structure, and its depth."""

    generation: int
    depth: int = 0

    def deeper(self) -> _Place:
        return _Place(self.generation, self.depth + 1)


def from_json(value: object, *, generation: int | None = None) -> Structure:
    """Read what :func:`to_json` gives, or plain values: an object is a map, an array a list.

    ``generation`` is for plain values and for a structure that names none (3 if not given).
    FormatError: with the path inside the JSON.
    """
    place = _Place(generation or Structure.generation)
    if isinstance(value, list):
        result: Structure = DsList(_values(value, place))
    elif not isinstance(value, dict):
        raise FormatError(f"expected an object or an array, got {_named(value)}")
    elif "ds" in value:
        return _structure(value, place)
    else:
        result = _entries(value, place)
    result.generation = place.generation
    return result


def _structure(value: dict[str, object], place: _Place) -> Structure:
    kind = _field(value, "ds", str)
    if kind not in _BODIES:
        raise FormatError(
            f"unknown kind of structure {kind!r:.40}{did_you_mean(kind, _BODIES)}; a map with the "
            'key "ds" is {"ds": "map", "entries": {"ds": ...}}',
            path="ds",
        )
    unknown = value.keys() - _FIELDS - _BODY_FIELDS[kind]
    if unknown:
        raise FormatError(f"a {kind} has no field {min(unknown)!r}")
    generation = _field(value, "generation", int, place.generation)
    if generation not in GENERATIONS:
        raise FormatError(f"expected 1, 2 or 3, got {generation}", path="generation")
    result = _BODIES[kind](value, _Place(generation, place.depth + 1))
    result.generation = generation
    result.lower_case = _field(value, "lower_case", bool, False)
    result.mixed_case = _field(value, "mixed_case", str, "")
    result.encoding = _field(value, "encoding", str, "utf-8")
    try:
        "".encode(result.encoding)
    except LookupError:
        message = f"{result.encoding!r} is not an encoding that Python knows"
        raise FormatError(message, path="encoding") from None
    result.trailing = _digits(_field(value, "trailing", str, ""), "trailing")
    behind = value.get("base64")
    if isinstance(behind, str):
        result.base64 = behind
    elif _field(value, "base64", bool, False):
        result.base64 = ""
    result.lead = _field(value, "lead", str, "")
    result.rest = _field(value, "rest", str, "")
    return result


def _field(value: dict[str, object], name: str, kind: type[T], default: T | None = None) -> T:
    field = value.get(name, default)
    if not isinstance(field, kind) or (kind is int and isinstance(field, bool)):
        if field is None:
            raise FormatError(f"the field {name!r} is missing")
        raise FormatError(f"expected {_NAMES[kind]}, got {_named(field)}", path=name)
    return field


def _items(value: dict[str, object], name: str, place: _Place) -> list[Value]:
    return _at(name, _values, _field(value, name, list), place)


def _queue(value: dict[str, object], place: _Place) -> DsQueue:
    items, before, after = (
        _items({name: [], **value}, name, place) for name in ("items", "before", "after")
    )
    return DsQueue(items, before=before, after=after)


def _entries(value: object, place: _Place) -> DsMap:
    pairs: list[tuple[Value, Value]] = []
    if isinstance(value, dict):
        for key, item in value.items():
            pairs.append((key, _at(key, _value, item, place)))
    elif isinstance(value, list):
        for index, pair in enumerate(value):
            if not isinstance(pair, list) or len(pair) != 2:
                raise FormatError("expected [key, value]", path=f"[{index}]")
            key, item = _at(f"[{index}]", _values, pair, place)
            pairs.append((key, item))
    else:
        raise FormatError(f"expected an object or an array, got {_named(value)}")
    return DsMap(pairs)


def _priority(value: dict[str, object], place: _Place) -> DsPriority:
    result = DsPriority()
    for index, item in enumerate(_field(value, "items", list)):
        if not isinstance(item, dict) or item.keys() != {"value", "priority"}:
            raise FormatError("expected an object with value and priority", path=f"items[{index}]")
        pair = _at(f"items[{index}]", _values, [item["value"], item["priority"]], place)
        result.append(Prioritized(*pair))
    return result


def _grid(value: dict[str, object], place: _Place) -> DsGrid:
    rows = _field(value, "rows", list)
    width = _field(value, "width", int, len(rows[0]) if rows and isinstance(rows[0], list) else 0)
    height = _field(value, "height", int, len(rows))
    if width < 0 or height < 0:
        raise FormatError(f"not a valid size of a grid: {width} by {height}")
    if len(rows) != (height if width else 0) and any(rows):
        raise FormatError(f"{len(rows)} rows in a grid of {width} by {height}", path="rows")
    table: list[list[Value]] = []
    for index, row in enumerate(rows):
        if not isinstance(row, list) or len(row) != width:
            raise FormatError(f"expected a row of {width} values", path=f"rows[{index}]")
        table.append(_at(f"rows[{index}]", _values, row, place))
    if width * height != width * len(table):
        raise FormatError(f"{len(table)} rows in a grid of {width} by {height}", path="rows")
    # without a cell, columns can be as many as a file claims: don't go through them
    cells = [row[x] for x in range(width) for row in table] if table else []
    return DsGrid(width, height, cells)


_BODIES: dict[str, Callable[[dict[str, object], _Place], Structure]] = {
    "list": lambda value, place: DsList(_items(value, "items", place)),
    "stack": lambda value, place: DsStack(_items(value, "items", place)),
    "queue": _queue,
    "map": lambda value, place: _at("entries", _entries, value.get("entries"), place),
    "priority": _priority,
    "grid": _grid,
}

#: the fields of every structure, and those of each kind
_FIELDS = {
    "ds", "generation", "encoding", "lower_case", "mixed_case", "trailing", "base64", "lead",
    "rest",
}  # fmt: skip
_BODY_FIELDS = {
    "list": {"items"},
    "stack": {"items"},
    "queue": {"items", "before", "after"},
    "map": {"entries"},
    "priority": {"items"},
    "grid": {"width", "height", "rows"},
}


def _at(step: str, read: Callable[[V, _Place], T], value: V, place: _Place) -> T:
    """Read, naming the step in the path of an error."""
    try:
        return read(value, place)
    except FormatError as error:
        raise error.within(step) from None


def _values(values: list[object], place: _Place) -> list[Value]:
    result: list[Value] = []
    for value in values:
        if type(value) is str:
            result.append(value)
            continue
        try:
            result.append(_value(value, place))
        except FormatError as error:
            raise error.within(f"[{len(result)}]") from None
    return result


def _value(value: object, place: _Place) -> Value:
    if isinstance(value, bool | str | float) or value is None:
        return value
    if isinstance(value, int):
        return float(value) if abs(value) <= _SAFE else Int64(value)
    if place.depth > _MAXIMUM_DEPTH:
        raise FormatError(f"values more than {_MAXIMUM_DEPTH} deep")
    if isinstance(value, list):
        return _values(value, place.deeper())
    if not isinstance(value, dict):
        raise FormatError(f"expected a value of JSON, got {type(value).__name__}")
    return _tagged(value, place.deeper())


def _tagged(value: dict[str, object], place: _Place) -> Value:
    """Read an object by its type key; without one it is a map nested by hand."""
    keys = value.keys()
    if "ds" in value:
        return _structure(value, place)
    if keys == {"real"}:
        return _from_real(value["real"])
    if keys == {"bytes"}:
        return _digits(value["bytes"], "bytes")
    if len(keys) == 1 and (kind := _INTEGERS.get(next(iter(keys)))) is not None:
        return kind(_whole(*value.values()))
    if keys == {"boolean"}:
        return Boolean(_from_real(value["boolean"]))
    if keys == {"reference"} or keys == {"reference", "size"}:
        size = value.get("size", 8)
        if size not in (4, 8):
            raise FormatError("expected 4 or 8", path="size")
        return Reference(_whole(value["reference"]), size)
    if keys == {"marked"} or keys == {"marked", "value"}:
        real = _from_real(value["value"]) if "value" in value else None
        if value["marked"] not in ("list", "map"):
            raise FormatError("expected list or map", path="marked")
        return Mark(value["marked"], real)
    if keys == {"rows"}:
        rows = value["rows"]
        if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
            raise FormatError("expected arrays in an array", path="rows")
        return Rows(_values(row, place) for row in rows)
    if keys == {"legacy", "value", "string"}:
        text = _value(value["string"], place)
        if value["legacy"] not in (0, 1) or not isinstance(text, str | bytes):
            raise FormatError("expected a tag of 0 or 1, a real and a string")
        return Legacy(value["legacy"], _from_real(value["value"]), text)
    return dict(_entries(value, place).pairs())  # a map of the generation of what holds it


def _from_real(value: object) -> float:
    if isinstance(value, dict) and value.keys() == {"real"}:
        value = value["real"]
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            raise FormatError("the number is too large for a real") from None
    if isinstance(value, str):
        if value in _NON_FINITE:
            return _NON_FINITE[value]
        bits = _digits(value, "real")
        if len(bits) == 8:
            return cast("float", struct.unpack(">d", bits)[0])
    raise FormatError("expected a number, NaN, Infinity, -Infinity or 16 hexadecimal digits")


def _whole(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and len(value) <= 20:
        try:
            return int(value)
        except ValueError:
            pass
    raise FormatError(f"expected an integer, got {_named(value)}")


def _digits(value: object, name: str) -> bytes:
    try:
        return bytes.fromhex(value if isinstance(value, str) else "?")
    except ValueError:
        raise FormatError("expected hexadecimal digits", path=name) from None


def _named(value: object) -> str:
    return "null" if value is None else _NAMES.get(type(value), "a number")
