"""The map of a room in Tiled, and the XML it is written in.

Document types are refused, and with them entities: nothing is expanded and nothing is fetched.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from overhaul.bounds import ELEMENT, LINE, Budget
from overhaul.errors import FormatError, PlainFileError
from overhaul.media.canvas import cosine_and_sine

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: the values of properties by name, as texts
Properties: TypeAlias = dict[str, str]


class TiledPicture(NamedTuple):
    """The picture that an object or layer shows, by its number in the game: an ``object``, a
    ``sprite``, a ``background``, or a ``part`` of a background or sprite (the rectangle
    ``source``)."""

    kind: str
    number: int
    source: tuple[int, int, int, int] = (0, 0, 0, 0)


class Frame(NamedTuple):
    """The size and origin of a picture, in pixels."""

    width: int
    height: int
    origin_x: int = 0
    origin_y: int = 0


class Placement(NamedTuple):
    """Where a object_ is in a room: its origin, its scale, and its angle (anticlockwise)."""

    x: float
    y: float
    scale_x: float
    scale_y: float
    angle: float


@dataclass(slots=True)
class MapObject:
    """An object of a map: its upper left corner, size and rotation (clockwise, around the corner).

    ``number`` is Tiled's own number of it, ``id`` what the room knows it by (None: a new one).
    """

    picture: TiledPicture
    x: float
    y: float
    width: float
    height: float
    rotation: float = 0.0
    mirrored: bool = False
    flipped: bool = False
    visible: bool = True
    name: str = ""
    id: int | None = None
    number: int = 0
    properties: Properties = field(default_factory=dict)
    line: int = 0

    def place(self, frame: Frame) -> Placement:
        """Where it is in a room."""
        scale_x = self.width / max(1, frame.width) * (-1 if self.mirrored else 1)
        scale_y = self.height / max(1, frame.height) * (-1 if self.flipped else 1)
        left, top = _corner(frame, scale_x, scale_y)
        cosine, sine = cosine_and_sine(-self.rotation)
        x = self.x - left * cosine - top * sine
        y = self.y + left * sine - top * cosine
        return Placement(x, y, scale_x, scale_y, -self.rotation)


def object_at(picture: TiledPicture, frame: Frame, place: Placement) -> MapObject:
    """The object of a map for what is at a place of a room."""
    left, top = _corner(frame, place.scale_x, place.scale_y)
    cosine, sine = cosine_and_sine(place.angle)
    return MapObject(
        picture,
        _rounded(place.x + left * cosine + top * sine),
        _rounded(place.y - left * sine + top * cosine),
        _rounded(frame.width * abs(place.scale_x)),
        _rounded(frame.height * abs(place.scale_y)),
        -place.angle if place.angle else 0.0,
        place.scale_x < 0,
        place.scale_y < 0,
    )


def _corner(frame: Frame, scale_x: float, scale_y: float) -> tuple[float, float]:
    """The upper left corner of a picture that is not turned, from its origin."""
    left = -frame.origin_x if scale_x >= 0 else frame.width - frame.origin_x
    top = -frame.origin_y if scale_y >= 0 else frame.height - frame.origin_y
    return left * scale_x, top * scale_y


def _rounded(value: float) -> float:
    return round(value, 4) if math.isfinite(value) else 0.0


def same(one: float, two: float) -> bool:
    """Whether two numbers are the same as far as Tiled writes them: to six digits."""
    largest = max(abs(one), abs(two))
    return one == two or abs(one - two) <= 0.501 * 10.0 ** (math.floor(math.log10(largest)) - 5)


@dataclass(slots=True)
class Layer:
    """A layer of a map: ``tiles``, ``objects`` or an ``image``.

    ``cells`` are tile words as rooms have them, whatever the map's own numbers are; ``step`` is
    how many cells of the map's grid a tile takes, across and down.
    """

    kind: str
    id: int | None
    name: str
    visible: bool = True
    opacity: float = 1.0
    offset_x: float = 0.0
    offset_y: float = 0.0
    tint: str = ""
    repeat_x: bool = False
    repeat_y: bool = False
    image: TiledPicture | None = None
    tile_set: int | None = None
    cells: NDArray[np.uint32] | None = None
    step: tuple[int, int] = (1, 1)
    objects: list[MapObject] = field(default_factory=list)
    properties: Properties = field(default_factory=dict)
    line: int = 0


@dataclass(slots=True)
class Map:
    """A map: the number of the room it shows, its size in pixels, the size of its grid, and its
    layers from the back to the front."""

    room: int
    width: int
    height: int
    grid: tuple[int, int]
    colour: str = ""
    layers: list[Layer] = field(default_factory=list)


#: how deep elements may be nested
_DEEPEST = 64


@dataclass(slots=True)
class TiledElement:
    """An element."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[TiledElement] = field(default_factory=list)
    text: str = ""
    line: int = 0

    def add(self, tag: str, **attributes: object) -> TiledElement:
        """Add an element at the end; attributes that are None are left out."""
        values = {name: shown(value) for name, value in attributes.items() if value is not None}
        node = TiledElement(tag, values)
        self.children.append(node)
        return node

    def all(self, tag: str) -> Iterator[TiledElement]:
        """The children of a name."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> TiledElement | None:
        """The first child of a name."""
        return next(self.all(tag), None)


def shown(value: object) -> str:
    """A value as an attribute: whole numbers without a point."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    return str(value)


def parse(data: bytes, file: str, budget: Budget | None = None) -> TiledElement:
    """The root element of a document.  Raises PlainFileError with the line.

    ``budget`` bounds what its elements take; without one, the size of the document does.
    """
    budget = budget or Budget(len(data))
    parser = expat.ParserCreate()
    parser.buffer_text = True
    root = TiledElement("")
    stack = [root]
    texts: list[list[str]] = [[]]

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(stack) > _DEEPEST:
            raise PlainFileError("elements are nested too deep", file, "", parser.CurrentLineNumber)
        try:
            budget.take(ELEMENT + LINE * len(attributes), f"a {tag!r:.40} element")
        except FormatError as error:
            line = parser.CurrentLineNumber
            raise PlainFileError(error.message, file, "", line) from None
        node = TiledElement(tag, attributes, line=parser.CurrentLineNumber)
        stack[-1].children.append(node)
        stack.append(node)
        texts.append([])

    def end(tag: str) -> None:
        stack.pop().text = "".join(texts.pop())

    def text(characters: str) -> None:
        texts[-1].append(characters)

    def refuse(*_: object) -> None:
        line = parser.CurrentLineNumber
        raise PlainFileError("a document type is not allowed", file, "", line)

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        message = f"broken XML: {expat.ErrorString(error.code)}"
        raise PlainFileError(message, file, "", error.lineno, error.offset + 1) from None
    except (LookupError, ValueError) as error:
        raise PlainFileError(f"broken XML: {error}", file) from None
    return root.children[0]


def to_bytes(root: TiledElement) -> bytes:
    """A document, indented by a space for each level."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    _write(root, 0, lines)
    return ("\n".join(lines) + "\n").encode("utf-8", "surrogatepass")


def _write(node: TiledElement, level: int, lines: list[str]) -> None:
    words = [node.tag, *(f"{name}={quoteattr(v)}" for name, v in node.attributes.items())]
    head = f"{' ' * level}<{' '.join(words)}"
    if node.children:
        lines.append(head + ">")
        for child in node.children:
            _write(child, level + 1, lines)
        lines.append(f"{' ' * level}</{node.tag}>")
    else:
        lines.append(f"{head}>{escape(node.text)}</{node.tag}>" if node.text else head + "/>")
