"""What stands in a room, found in its JSON files: moved, added and removed by pointers.

The rooms of all families have lists of elements with a place: instances, tiles, sprites, objects of
Adventure Game Studio.  :data:`SHAPES` says how each is recognised; the rest is one implementation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Final, NamedTuple

import msgspec

from overhaul.errors import WorkspaceError
from overhaul.folder.json_fields import read_json
from overhaul.workbench.forms import pointer_to, value_at, written_as

#: How deep lists of elements are looked for.
_DEEPEST: Final = 5
#: Operations that one step may have, and numbers that a place may have.
MOST: Final = 20_000
_FARTHEST: Final = 1 << 30


class Shape(NamedTuple):
    """A list of elements: the key of the list, what one of them is called, the keys of its place,
    and those that name what it shows.

    ``row``: an element may also be a list that begins with its place; what a new one has behind it.
    """

    key: str
    word: str
    x: str
    y: str
    names: tuple[str, ...]
    row: tuple[float, ...] | None = None


SHAPES: Final = (
    Shape("instances", "instance", "x", "y", ("object",)),
    Shape("tiles", "tile", "x", "y", ("background", "tileset", "sprite")),
    Shape("legacy_tiles", "tile", "x", "y", ("background", "tileset", "sprite")),
    Shape("sprites", "sprite", "x", "y", ("sprite",)),
    Shape("Objects", "object", "StartX", "StartY", ("Image", "Sprite", "ScriptName", "Name")),
    Shape("points", "point", "x", "y", (), (100,)),
)
#: keys by which an element is known to the rest of a game; a copy gets new ones
_IDS: Final = ("id",)


class Element(NamedTuple):
    """An element in a room: the pointer to it in the file, its place, and its fields."""

    pointer: str
    x: float
    y: float
    fields: dict[str, object]


class Placed(NamedTuple):
    """A list of elements: the file, the pointer to it, its shape, and the layer that has it."""

    path: str
    pointer: str
    shape: Shape
    layer: str
    elements: list[Element]


def placed_in(path: str, data: bytes, keys: Iterable[str] = ()) -> list[Placed]:
    """The lists of elements in a JSON file of a room.  ``keys``: only of these keys."""
    value = read_json(data, path)
    stem = path.rpartition("/")[2].removesuffix(".json")
    wanted = set(keys)
    return [made for made in _lists(path, value, stem) if not wanted or made.shape.key in wanted]


def _lists(path: str, value: object, stem: str) -> Iterator[Placed]:
    shape = next((shape for shape in SHAPES if shape.key == stem), None)
    if isinstance(value, list) and shape is not None:
        yield from _placed(path, "", shape, "", value)
    elif isinstance(value, dict):
        yield from _inside(path, value, (), "", 0)


def _inside(
    path: str, value: Mapping[str, object], way: tuple[str | int, ...], layer: str, deep: int
) -> Iterator[Placed]:
    named = value.get("name")
    layer = named if deep and isinstance(named, str) else layer
    for key, each in value.items():
        shape = next((shape for shape in SHAPES if shape.key == key), None)
        if isinstance(each, list) and shape is not None:
            yield from _placed(path, pointer_to(*way, key), shape, layer, each)
        elif deep < _DEEPEST and isinstance(each, dict):
            yield from _inside(path, each, (*way, key), layer, deep + 1)
        elif deep < _DEEPEST and isinstance(each, list):
            for index, item in enumerate(each):
                if isinstance(item, dict):
                    yield from _inside(path, item, (*way, key, index), layer, deep + 1)


def _placed(
    path: str, pointer: str, shape: Shape, layer: str, value: Sequence[object]
) -> Iterator[Placed]:
    """A list of elements by layer: one for each where the elements say in which they are."""
    if shape.row is not None and value and all(isinstance(item, list) for item in value):
        yield from _rows(path, pointer, shape, layer, value)
        return
    if not all(isinstance(item, dict) for item in value):
        return  # a tile map: rows of numbers
    elements: dict[str, list[Element]] = {}
    for index, each in enumerate(value):
        assert isinstance(each, dict)
        own = each.get("layer")
        x, y = _number(each.get(shape.x, 0)), _number(each.get(shape.y, 0))
        if x is None or y is None:
            return
        at = own if isinstance(own, str) else layer
        elements.setdefault(at, []).append(Element(f"{pointer}/{index}", x, y, each))
    for at, them in (elements or {layer: []}).items():
        yield Placed(path, pointer, shape, at, them)


def _rows(
    path: str, pointer: str, shape: Shape, layer: str, value: Sequence[object]
) -> Iterator[Placed]:
    """A list of elements that are lists themselves: x, y, and what follows."""
    elements = []
    for index, each in enumerate(value):
        x, y = map(_number, each[:2]) if isinstance(each, list) and len(each) > 1 else (None, None)
        if x is None or y is None:
            return
        elements.append(Element(f"{pointer}/{index}", x, y, {}))
    yield Placed(path, pointer, shape, layer, elements)


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) else None


# ------------------------------------------------------------------------------------ operations


class Operation(msgspec.Struct, frozen=True):
    """What is done with an element of the file ``path``, by the pointers that there were.

    ``set`` moves the element ``at``; ``remove`` removes it; ``add`` adds to the list ``to`` a copy
    of the element ``at``, or, without, a new one with the ``fields`` (texts).
    """

    op: str
    path: str
    at: str = ""
    to: str = ""
    x: float = 0
    y: float = 0
    fields: dict[str, str] = {}


def operations(text: str) -> list[Operation]:
    """Operations from JSON.  Raises WorkspaceError for anything else."""
    try:
        made = msgspec.json.decode(text, type=list[Operation])
    except msgspec.MsgspecError as error:
        raise WorkspaceError(f"not a list of changes: {error}") from error
    if len(made) > MOST:
        raise WorkspaceError(f"more than {MOST} changes at once are not taken")
    for operation in made:
        if not all(math.isfinite(n) and abs(n) <= _FARTHEST for n in (operation.x, operation.y)):
            raise WorkspaceError("a place is too far away")
    return made


def changed(operations: Sequence[Operation], read: Callable[[str], bytes]) -> dict[str, bytes]:
    """The JSON files with what operations do to them.  Raises WorkspaceError."""
    files: dict[str, bytes] = {}
    for path in dict.fromkeys(operation.path for operation in operations):
        data = read(path)
        known = {placed.pointer: placed.shape for placed in placed_in(path, data)}
        value = deepcopy(read_json(data, path))
        own = [operation for operation in operations if operation.path == path]
        for operation in own:
            if operation.op not in ("set", "add", "remove"):
                raise WorkspaceError(
                    f"{operation.op[:20]!r} can't be done with an element of a room"
                )
        for operation in own:
            if operation.op == "set":
                _move(_element(value, operation.at, known), _shape(operation.at, known), operation)
        for operation in own:
            if operation.op == "add":
                _add(value, operation, known)
        _remove(value, [operation.at for operation in own if operation.op == "remove"], known)
        files[path] = written_as(value, data)
    return files


def _shape(pointer: str, known: Mapping[str, Shape]) -> Shape:
    shape = known.get(pointer.rpartition("/")[0])
    if shape is None:
        raise WorkspaceError(f"there is no element at {pointer[:100]}")
    return shape


def _element(
    value: object, pointer: str, known: Mapping[str, Shape]
) -> dict[str, object] | list[object]:
    shape = _shape(pointer, known)
    found = value_at(value, pointer)
    if not (isinstance(found, dict) or (shape.row is not None and isinstance(found, list))):
        raise WorkspaceError(f"there is no element at {pointer[:100]}")
    return found


def _move(element: dict[str, object] | list[object], shape: Shape, to: Operation) -> None:
    for at, (key, number) in enumerate(((shape.x, to.x), (shape.y, to.y))):
        old = element.get(key, 0) if isinstance(element, dict) else element[at]
        made: float = number if isinstance(old, float) or number != int(number) else int(number)
        if made == old:
            continue
        if isinstance(element, dict):
            element[key] = made
        else:
            element[at] = made


def _add(value: object, each: Operation, known: Mapping[str, Shape]) -> None:
    shape = known.get(each.to)
    elements = value_at(value, each.to)
    if shape is None or not isinstance(elements, list):
        raise WorkspaceError(f"there is no list of elements at {each.to[:100]}")
    element: dict[str, object] | list[object] = {}
    if each.at:
        element = deepcopy(_element(value, each.at, known))
    elif shape.row is not None and elements and isinstance(elements[0], list):
        element = [0, 0, *shape.row]
    if isinstance(element, dict):
        for key in _IDS:
            element.pop(key, None)
        element.update({key[:100]: text for key, text in each.fields.items()})
    _move(element, shape, each)
    elements.append(element)


def _remove(value: object, pointers: Iterable[str], known: Mapping[str, Shape]) -> None:
    gone: dict[str, set[int]] = {}
    for pointer in pointers:
        _element(value, pointer, known)
        head, _, last = pointer.rpartition("/")
        gone.setdefault(head, set()).add(int(last))
    for head, indices in gone.items():
        elements = value_at(value, head)
        assert isinstance(elements, list)
        elements[:] = [each for n, each in enumerate(elements) if n not in indices]
