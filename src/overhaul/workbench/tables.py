"""Lists that people see as tables: loops of views, tracks of sequences, controls of GUIs, points of
animation curves.

A table shows a list of a JSON file, with a row for each element; the cells of a row are named by
JSON pointers.  :func:`edited` makes of what people typed, and of a button that they pressed, the
file as it is then.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Final, Literal, TypeAlias

import msgspec

from overhaul.document.hints import ANY
from overhaul.errors import WorkspaceError
from overhaul.workbench import curves, keyframes
from overhaul.workbench.forms import Mistyped, pointer_to, steps_of, value_at, with_element
from overhaul.workbench.typed import as_typed

CellType: TypeAlias = Literal["integer", "number", "flag", "text", "choice"]
#: tracks within tracks, and rows of all tables, that are shown
_DEEPEST: Final = 8
MOST: Final = 2000
#: the prefixes of the names of a cell in a form, of the mark of a row that the form has, and of the
#: value of a first keyframe
CELL: Final = "v:"
ROW: Final = "r:"
FIRST: Final = "n:"
_KEYFRAMES: Final = "/keyframes/frames"
_FARTHEST: Final = 1 << 31
_NEW_FRAME: Final[Mapping[str, object]] = {"Image": 0, "Flipped": False, "Delay": 0}
_DO: Final = ("add", "duplicate", "remove", "up", "down")
#: the places of GUIs and controls, and the texts of controls, by their words
BOX: Final = ("Left", "Top", "Width", "Height")
_CONTROLS: Final = "Controls"
_CONTROL: Final = re.compile(r"/Controls/(\d{1,6})")
_TO: Final = ("front", "back")


class Cell(msgspec.Struct, frozen=True):
    """A value: the pointer to it, what it is called, its type, and its text (of a flag "on" or
    ""); ``choices`` are the texts that it can have, if these are known."""

    pointer: str
    label: str
    type: CellType
    text: str
    choices: list[str] = []


class TableRow(msgspec.Struct, frozen=True):
    """An element: the pointer to it, its cells, where it stands on a ruler, and what it is called,
    or "" for its number."""

    pointer: str
    cells: list[Cell]
    at: float = 0
    title: str = ""

    def under(self, labels: Sequence[str]) -> list[Cell | None]:
        """The cells in the order of the columns of a table; None in a column that it lacks."""
        found = {cell.label: cell for cell in self.cells}
        return [found.get(label) for label in labels]


class ElementTable(msgspec.Struct, frozen=True):
    """A list: the pointer to it, what it is called, what an element is called, and its rows.

    ``own`` are values of what has the list; ``element`` is the pointer to that where it is an
    element of a list itself; ``length`` that of the ruler, 0 without one.  ``first`` is what the
    first keyframe of an empty track holds that must be typed, and ``kind`` the kind of resource
    that it names, if it does; ``full`` is set where nothing can be added.
    """

    pointer: str
    title: str
    word: str
    rows: list[TableRow]
    own: list[Cell] = []
    element: str = ""
    length: float = 0
    first: str = ""
    kind: str = ""
    full: bool = False

    @property
    def labels(self) -> list[str]:
        """The titles of the columns: what any row has."""
        return list(dict.fromkeys(cell.label for row in self.rows for cell in row.cells))


def tables_of(value: object) -> list[ElementTable]:
    """The tables of a file; none for one that has no such lists."""
    if not isinstance(value, dict):
        return []
    loops, tracks, controls = value.get("Loops"), value.get("tracks"), value.get(_CONTROLS)
    if isinstance(loops, list):
        return [*_loops(loops)]
    if isinstance(tracks, list):
        return [*_tracks(tracks, ("tracks",), "", _number_of(value.get("length")), 0)]
    if isinstance(controls, list):
        return [_controls(value, controls)]
    return [*_channels(value)]


def _channels(value: dict[str, object]) -> Iterator[ElementTable]:
    """The channels of an animation curve: how each goes from point to point, and its points."""
    for number, channel, points in curves.channels_of(value):
        at = pointer_to("channels", number)
        shape = str(channel.get("function", curves.SHAPES[0]))
        own = []
        if shape in curves.SHAPES:
            own = [Cell(f"{at}/function", "Shape", "choice", shape, [*curves.SHAPES])]
        keys = ("x", "value", *(curves.HANDLES if shape == "bezier" else ()))
        rows = [
            TableRow(
                f"{at}/points/{place}",
                [
                    Cell(
                        f"{at}/points/{place}/{key}",
                        key.replace("_", " "),
                        "number",
                        _text(curves.number_in(point, key)),
                    )
                    for key in keys
                ],
            )
            for place, point in enumerate(points[:MOST])
        ]
        title = str(channel.get("name") or f"Channel {number}")
        yield ElementTable(f"{at}/points", title, "point", rows, own, first="x and value")


def _controls(window: dict[str, object], controls: list[object]) -> ElementTable:
    """The controls of a GUI: where each is, its place from the back, and its text."""
    rows = []
    for number, control in enumerate(controls[:MOST]):
        if isinstance(control, dict):
            at = f"/{_CONTROLS}/{number}"
            keys = [key for key in (*BOX, "ZOrder") if isinstance(control.get(key), int)]
            cells = [_cell(f"{at}/{key}", key, control[key]) for key in keys]
            text = control.get("Text")
            if isinstance(text, str):
                cells.append(Cell(f"{at}/Text", "Text", "text", text))
            about = f"{control.get('Name') or number} ({control.get('Type', '')})"
            rows.append(TableRow(at, cells, title=about))
    own = [_cell(f"/{key}", key, window[key]) for key in BOX if isinstance(window.get(key), int)]
    return ElementTable(f"/{_CONTROLS}", "Controls", "control", rows, own)


def outer_list(value: object) -> str:
    """The pointer to the list whose elements have tables of their own; "" for none."""
    is_view = isinstance(value, dict) and isinstance(value.get("Loops"), list)
    return "/Loops" if is_view else ""


def _loops(loops: list[object]) -> Iterator[ElementTable]:
    left = MOST
    for number, loop in enumerate(loops):
        frames = loop.get("Frames") if isinstance(loop, dict) else None
        if not isinstance(loop, dict) or not isinstance(frames, list):
            continue
        at = pointer_to("Loops", number)
        goes_on = _cell(
            f"{at}/RunNextLoop", "The next loop follows", loop.get("RunNextLoop", False)
        )
        keys = [*_NEW_FRAME]
        keys += sorted({"Sound"} & {k for item in frames if isinstance(item, dict) for k in item})
        rows = [
            TableRow(
                f"{at}/Frames/{place}",
                [
                    _cell(
                        f"{at}/Frames/{place}/{key}", key, frame.get(key, _NEW_FRAME.get(key, -1))
                    )
                    for key in keys
                ],
            )
            for place, frame in enumerate(frames[:left])
            if isinstance(frame, dict)
        ]
        left -= len(rows)
        yield ElementTable(f"{at}/Frames", f"Loop {number}", "frame", rows, [goes_on], at)


def _tracks(
    tracks: list[object], way: tuple[str | int, ...], before: str, length: float, deep: int
) -> Iterator[ElementTable]:
    for number, track in enumerate(tracks):
        if not isinstance(track, dict):
            continue
        title = f"{before}{track.get('name', number)}"
        at = (*way, number)
        frames = keyframes.frames_of(track)
        if frames is not None:
            to = pointer_to(*at, "keyframes", "frames")
            rows = [
                _keyframe(f"{to}/{place}", frame)
                for place, frame in enumerate(frames[:MOST])
                if isinstance(frame, dict)
            ]
            table = ElementTable(to, title, "keyframe", rows, length=max(length, 1))
            yield table if rows else _empty(table, keyframes.held_by(track))
        inner = track.get("tracks")
        if isinstance(inner, list) and deep < _DEEPEST:
            yield from _tracks(inner, (*at, "tracks"), f"{title} / ", length, deep + 1)


def _empty(table: ElementTable, held: keyframes.Held | None) -> ElementTable:
    """The table of a track without keyframes, with what its first one needs."""
    if held is None:
        return msgspec.structs.replace(table, full=True)
    word = (held.kind or held.key) if held.typed else ""
    return msgspec.structs.replace(table, first=word, kind=held.kind)


def _keyframe(at: str, frame: dict[str, object]) -> TableRow:
    key = _number_of(frame.get("key"))
    cells = [
        Cell(f"{at}/key", "at", "number", _text(key)),
        Cell(f"{at}/length", "length", "number", _text(_number_of(frame.get("length", 1.0)))),
    ]
    channels = frame.get("channels")
    for number, channel in enumerate(channels if isinstance(channels, list) else ()):
        if not isinstance(channel, dict):
            continue
        named = [(k, v) for k, v in channel.items() if isinstance(v, str)]
        label = channel.get("channel", 0)
        for name, value in named:
            cells.append(Cell(f"{at}/channels/{number}/{name}", name, "text", value))
        if not named:
            text = _text(_number_of(channel.get("value")))
            place = f"{at}/channels/{number}/value"
            cells.append(Cell(place, f"value {label}", "number", text))
    return TableRow(at, cells, key)


def _number_of(value: object) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and isinstance(value, int | float) else 0.0


def _text(number: float) -> str:
    return str(int(number)) if number == int(number) else repr(number)


def _cell(pointer: str, label: str, value: object) -> Cell:
    if isinstance(value, bool):
        return Cell(pointer, label, "flag", "on" if value else "")
    return Cell(pointer, label, "integer", str(value))


# ----------------------------------------------------------------------------------------- edits


def edited(value: object, given: Mapping[str, str]) -> object:
    """The value of a file with what a form has; ``do`` (``add:/Loops/0/Frames``) is the button.

    Raises Mistyped and WorkspaceError.
    """
    made = deepcopy(value)
    for table in tables_of(value):
        _take(made, table.own, given, f"{ROW}{table.pointer}" in given)
        for row in table.rows:
            _take(made, row.cells, given, f"{ROW}{row.pointer}" in given)
    do, _, pointer = given.get("do", "").partition(":")
    if do:
        if do not in _DO + _TO:
            raise WorkspaceError(f"{do[:20]!r} can't be done with a row of a table")
        made = _done(made, do, pointer, given.get(FIRST + pointer, "").strip())
    _sort_keyframes(made, 0)
    curves.sort_points(value, made)
    return made


def _take(value: object, cells: list[Cell], given: Mapping[str, str], is_there: bool) -> None:
    if not is_there:
        return
    for cell in cells:
        text = as_typed(given.get(CELL + cell.pointer, ""), cell.text)
        if text != cell.text:
            *way, last = steps_of(cell.pointer)
            owner = value_at(value, pointer_to(*way))
            assert isinstance(owner, dict)
            owner[last] = _typed(cell, text)


def _typed(cell: Cell, text: str) -> object:
    if cell.type == "flag":
        return text == "on"
    if cell.type == "text":
        return text
    if cell.type == "choice":
        if text not in cell.choices:
            raise Mistyped(cell.pointer, f"{cell.label}: {text[:40]!r} is none of them")
        return text
    try:
        number = int(text.strip()) if cell.type == "integer" else float(text.strip())
    except ValueError:
        raise Mistyped(cell.pointer, f"{cell.label}: {text[:40]!r} is not a number") from None
    if not math.isfinite(number) or abs(number) > _FARTHEST:
        raise Mistyped(cell.pointer, f"{cell.label}: {text[:40]} is too large")
    return number


def _done(value: object, do: str, pointer: str, typed: str) -> object:
    """The value once a button is pressed; ``typed`` is what a first keyframe is to hold."""
    if _CONTROL.fullmatch(pointer) is not None:
        return _with_control(value, do, pointer)
    if do != "add":
        return with_element(value, pointer, do, ANY)
    points = curves.points_at(value, pointer)
    if points is not None:
        curves.add_point(points, typed)
        return value
    track = _track_of(value, pointer)
    if track is not None and not keyframes.frames_of(track):
        length = value.get("length") if isinstance(value, dict) else 0
        keyframes.add_first(track, typed, _number_of(length))
        return value
    elements = value_at(value, pointer)
    if not isinstance(elements, list):
        raise WorkspaceError(f"there is no list at {pointer[:100]}")
    if pointer == outer_list(value):
        elements.append({"RunNextLoop": False, "Frames": [dict(_NEW_FRAME)]})
    elif elements:
        made = deepcopy(elements[-1])
        if isinstance(made, dict) and isinstance(made.get("channels"), list):
            made["key"] = _number_of(made.get("key")) + _number_of(made.get("length", 1.0))
        elements.append(made)
    elif pointer.endswith("/Frames"):
        elements.append(dict(_NEW_FRAME))
    else:
        raise WorkspaceError(f"nothing can be added to {pointer[:100]}")
    return value


def _track_of(value: object, pointer: str) -> dict[str, object] | None:
    """The track whose keyframes a pointer is to; None for another pointer."""
    if not pointer.endswith(_KEYFRAMES):
        return None
    track = value_at(value, pointer.removesuffix(_KEYFRAMES))
    return track if isinstance(track, dict) else None


def _with_control(value: object, do: str, pointer: str) -> object:
    """A GUI with a control in front of others or behind them, copied, or removed."""
    control = value_at(value, pointer)
    controls = value_at(value, f"/{_CONTROLS}")
    if not isinstance(control, dict) or not isinstance(controls, list):
        raise WorkspaceError(f"there is no control at {pointer}")
    if do == "duplicate":
        made = deepcopy(control)
        names = {item.get("Name") for item in controls if isinstance(item, dict)}
        number = 2
        while f"{control.get('Name', '')}{number}" in names:
            number += 1
        made["Name"] = f"{control.get('Name', '')}{number}"
        controls.append(made)
    elif do == "remove":
        controls.remove(control)
    elif do in _TO:
        ordered = sorted(controls, key=lambda each: _number_of(each.get("ZOrder")))
        ordered.remove(control)
        ordered.insert(len(ordered) if do == "front" else 0, control)
        for number, each in enumerate(ordered):
            each["ZOrder"] = number
    else:
        raise WorkspaceError("the order of controls is by ZOrder: scripts know them by number")
    return value


def _sort_keyframes(value: object, deep: int) -> None:
    """Keyframes stand in the order of their places.  Raises WorkspaceError for two at one."""
    tracks = value.get("tracks") if isinstance(value, dict) else None
    for track in tracks if isinstance(tracks, list) and deep <= _DEEPEST else ():
        frames = keyframes.frames_of(track) if isinstance(track, dict) else None
        if frames and all(isinstance(frame, dict) for frame in frames):
            frames.sort(key=_key_of)
        _sort_keyframes(track, deep + 1)


def _key_of(keyframe: object) -> float:
    return _number_of(keyframe.get("key")) if isinstance(keyframe, dict) else 0.0
