"""The contents of a room, found in its JSON files: moved, added and removed by pointers.

The rooms of all families have lists of elements with a place: instances, tiles, sprites, objects of
Adventure Game Studio.  :data:`SHAPES` says how each is recognised; the rest is one implementation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Final, NamedTuple, cast

import msgspec

from overhaul.document.hints import ANY, Hint
from overhaul.errors import WorkspaceError
from overhaul.folder.json_fields import read_json
from overhaul.workbench.forms import pointer_to, taken, value_at, written_as

#: How deep lists of elements are looked for.
_DEEPEST: Final = 5
#: Operations that one step may have, and numbers that a place may have.
MOST: Final = 20_000
_FARTHEST: Final = 1 << 30


class Shape(NamedTuple):
    """A list of elements: the key of the list, what one of them is called, the keys of its place,
    and those that name what it shows.

    ``row``: an element may also be a list that begins with its place; what a new one has behind it.
    ``fixed``: elements are known by their numbers, so none is added, removed or put elsewhere.
    ``layered``: elements say which layer of the file they are in.
    """

    key: str
    word: str
    x: str
    y: str
    names: tuple[str, ...]
    row: tuple[float, ...] | None = None
    fixed: bool = False
    layered: bool = False


SHAPES: Final = (
    Shape("instances", "instance", "x", "y", ("object",), layered=True),
    Shape("tiles", "tile", "x", "y", ("background", "tileset", "sprite")),
    Shape("legacy_tiles", "tile", "x", "y", ("background", "tileset", "sprite")),
    Shape("sprites", "sprite", "x", "y", ("sprite",)),
    Shape("Objects", "object", "StartX", "StartY", ("Image", "Sprite", "ScriptName", "Name")),
    Shape("points", "point", "x", "y", (), (100,)),
    Shape("views", "view", "view_x", "view_y", (), fixed=True),
)
#: keys by which an element is known to the rest of a game; a copy gets new ones
_IDS: Final = ("id",)
#: the key by which an element says its layer, and the type of such layers
LAYER: Final = "layer"
_LAYERED: Final = "instances"


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
    found = [made for made in _lists(path, value, stem) if not wanted or made.shape.key in wanted]
    return _with_empty_layers(value, found)


def _with_empty_layers(value: object, found: list[Placed]) -> list[Placed]:
    """The lists, and one of no elements for each layer in which none is yet."""
    last = next((n for n in reversed(range(len(found))) if found[n].shape.layered), None)
    if last is None:
        return found
    placed, layers = found[last], layers_of(value)
    used = {each.layer for each in found if each.pointer == placed.pointer}
    empty = [placed._replace(layer=name, elements=[]) for name in layers if name not in used]
    kept = [] if layers and not placed.layer and not placed.elements else [placed]
    return [*found[:last], *kept, *empty, *found[last + 1 :]]


def layers_of(value: object) -> dict[str, list[object]]:
    """The layers of a room's file whose elements are in a list for all of them, with the ids that a
    layer itself lists; other elements say their layer."""
    layers = value.get("layers") if isinstance(value, dict) else None
    made: dict[str, list[object]] = {}
    for layer in layers if isinstance(layers, list) else ():
        if not isinstance(layer, dict) or layer.get("type", _LAYERED) != _LAYERED:
            continue
        name, data = layer.get("name"), layer.get("data")
        listed = data.get(_LAYERED) if isinstance(data, dict) else None
        if isinstance(name, str) and (not data or isinstance(listed, list)):
            made.setdefault(name, listed if isinstance(listed, list) else [])
    return made


def _lists(path: str, value: object, stem: str) -> Iterator[Placed]:
    shape = next((shape for shape in SHAPES if shape.key == stem), None)
    if isinstance(value, list) and shape is not None:
        yield from _placed(path, "", shape, "", value)
    elif isinstance(value, dict):
        yield from _by_id(layers_of(value), _inside(path, value, (), "", 0))


def _by_id(layers: Mapping[str, list[object]], found: Iterator[Placed]) -> Iterator[Placed]:
    """Lists whose elements without a layer of their own are in the layer that lists their id."""
    known = {number: name for name, ids in layers.items() for number in ids if type(number) is int}
    for placed in found:
        if not known or not placed.shape.layered or placed.layer:
            yield placed
            continue
        by_layer: dict[str, list[Element]] = {}
        for element in placed.elements:
            layer = known.get(cast("int", element.fields.get("id")), "")
            by_layer.setdefault(layer, []).append(element)
        for layer, elements in (by_layer or {"": []}).items():
            yield placed._replace(layer=layer, elements=elements)


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
    """A list of elements by layer: one for each if the elements name their layers."""
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
    """An operation on an element of the file ``path``, by the pointers before it.

    ``set`` moves the element ``at``, and puts the texts ``fields`` into its fields; ``remove``
    removes it; ``add`` adds to the list ``to`` a copy of the element ``at``, or a new one with the
    fields ``value``, into which ``fields`` are put; ``order`` puts the elements of the list ``to``
    in another order: their numbers, among which new ones follow those that there were.
    ``layer``: the layer that the element is in then.
    """

    op: str
    path: str
    at: str = ""
    to: str = ""
    x: float = 0
    y: float = 0
    fields: dict[str, str] = {}
    value: dict[str, object] = {}
    layer: str | None = None
    order: list[int] = []


_OPERATIONS: Final = ("set", "add", "order", "remove")


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


def changed(
    operations: Sequence[Operation],
    read: Callable[[str], bytes],
    hint_of: Callable[[str], Hint] = lambda path: ANY,
) -> dict[str, bytes]:
    """The JSON files with what operations do to them; ``hint_of`` says what may stand in them.

    Raises WorkspaceError, and Mistyped for a text that is not a value of its field.
    """
    files: dict[str, bytes] = {}
    for path in dict.fromkeys(operation.path for operation in operations):
        data = read(path)
        room = _Room(path, data, hint_of(path))
        own = [operation for operation in operations if operation.path == path]
        strange = next((each.op for each in own if each.op not in _OPERATIONS), None)
        if strange is not None:
            raise WorkspaceError(f"{strange[:20]!r} can't be done with an element of a room")
        files[path] = written_as(room.done(own), data)
    return files


class _Room:
    """The file of a room, in which operations are done."""

    def __init__(self, path: str, data: bytes, hint: Hint) -> None:
        placed = placed_in(path, data)
        self.known: dict[str, Shape] = {each.pointer: each.shape for each in placed}
        self.value: object = deepcopy(read_json(data, path))
        self.layers = {*layers_of(self.value), *(each.layer for each in placed)} - {""}
        self.lost: set[object] = set()
        self.hint = hint
        self.typed: dict[str, str] = {}

    def done(self, operations: Sequence[Operation]) -> object:
        """The value with what operations do to it."""
        for each in operations:
            if each.op == "set":
                shape = self._shape(each.at)
                element = self._element(each.at)
                _move(element, shape, each)
                self._fill(element, shape, each, each.at)
        for each in operations:
            if each.op == "add":
                self._add(each)
        if self.typed:
            self.value = taken(self.value, self.hint, self.typed, {})
        orders = {each.to: each.order for each in operations if each.op == "order"}
        gone: dict[str, set[int]] = {}
        for each in operations:
            if each.op == "remove":
                self._element(each.at)
                head, _, last = each.at.rpartition("/")
                gone.setdefault(head, set()).add(int(last))
        for pointer in dict.fromkeys([*orders, *gone]):
            self._arrange(pointer, orders.get(pointer), gone.get(pointer, set()))
        if self.lost:
            for ids in layers_of(self.value).values():
                ids[:] = [number for number in ids if number not in self.lost]
        return self.value

    def _shape(self, pointer: str) -> Shape:
        shape = self.known.get(pointer.rpartition("/")[0])
        if shape is None:
            raise WorkspaceError(f"there is no element at {pointer[:100]}")
        return shape

    def _element(self, pointer: str) -> dict[str, object] | list[object]:
        shape = self._shape(pointer)
        found = value_at(self.value, pointer)
        if not (isinstance(found, dict) or (shape.row is not None and isinstance(found, list))):
            raise WorkspaceError(f"there is no element at {pointer[:100]}")
        return found

    def _list(self, pointer: str) -> tuple[Shape, list[object]]:
        """Which elements are added, removed or moved."""
        shape = self.known.get(pointer)
        elements = None if shape is None else value_at(self.value, pointer)
        if shape is None or not isinstance(elements, list):
            raise WorkspaceError(f"there is no list of elements at {pointer[:100]}")
        if shape.fixed:
            raise WorkspaceError(f"a {shape.word} is known by its number: none comes or goes")
        return shape, elements

    def _fill(
        self, element: dict[str, object] | list[object], shape: Shape, each: Operation, at: str
    ) -> None:
        """Put an element into a layer, and note the texts of its fields, which are read at once."""
        self.typed |= {f"{at}{pointer_to(key)}": text for key, text in each.fields.items()}
        if each.layer is None:
            return
        if not shape.layered or each.layer not in self.layers or not isinstance(element, dict):
            raise WorkspaceError(f"there is no layer {each.layer[:100]!r} for {at[:100]}")
        self._unlist(element)
        element[LAYER] = each.layer

    def _unlist(self, element: object) -> None:
        """An element is in no layer that lists ids any more."""
        number = element.get("id") if isinstance(element, dict) else None
        if type(number) is int:
            self.lost.add(number)

    def _add(self, each: Operation) -> None:
        shape, elements = self._list(each.to)
        element: dict[str, object] | list[object] = dict(each.value)
        if each.at:
            element = deepcopy(self._element(each.at))
        elif shape.row is not None and elements and isinstance(elements[0], list):
            element = [0, 0, *shape.row]
        fields = dict(each.fields)
        if isinstance(element, dict):
            for key in _IDS:
                element.pop(key, None)
            named = [key for key in shape.names if key in fields and key not in element]
            element.update({key: fields.pop(key) for key in named})
        _move(element, shape, each)
        elements.append(element)
        each = msgspec.structs.replace(each, fields=fields)
        self._fill(element, shape, each, f"{each.to}/{len(elements) - 1}")

    def _arrange(self, pointer: str, order: list[int] | None, gone: set[int]) -> None:
        shape, elements = self._list(pointer)
        if shape.layered:
            for number in gone:
                self._unlist(elements[number])
        numbers = [*range(len(elements))]
        if order is not None and sorted(order) != numbers:
            raise WorkspaceError(f"the order of {pointer[:100]} does not have each element once")
        elements[:] = [elements[n] for n in (numbers if order is None else order) if n not in gone]


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
