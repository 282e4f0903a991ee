"""The pages of paths and animation curves, drawn as plots."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import msgspec

from overhaul.document.room_views import RoomView
from overhaul.document.views import NamesRoom, PathView
from overhaul.gamemaker.data.drawing.sequences import curve_points
from overhaul.gamemaker.data.resources.curves import AnimationCurve
from overhaul.viewer.answers import Asked, Page
from overhaul.viewer.opened import Opened
from overhaul.viewer.pages import generic

#: numbers beyond this are not places in a picture
_FAR = 1e7
#: the size of the plot of a curve
_WIDTH, _HEIGHT = 600.0, 260.0


class Dot(msgspec.Struct, frozen=True):
    """A point of a line; ``about`` is what it says."""

    x: float
    y: float
    about: str


class Curve(msgspec.Struct, frozen=True):
    """A line: the data of an SVG path, and its points."""

    name: str
    path: str
    dots: list[Dot]


class Behind(msgspec.Struct, frozen=True):
    """The room that a path is drawn over: its page, its picture, and its size."""

    name: str
    href: str
    picture: str
    width: int
    height: int


class PlotPage(generic.ResourcePage, frozen=True):
    """A resource as lines in a box of ``box``: left, top, width, height."""

    box: tuple[float, float, float, float]
    dot: float
    lines: list[Curve]
    about: str
    room: Behind | None = None


def show_path(asked: Asked) -> PlotPage:
    """The page of a path."""
    path = asked.view
    if not isinstance(path, PathView):
        raise asked.nothing()
    points = [p for p in path.points if _near(p.x, p.y)]
    places = [(p.x, p.y) for p in points]
    dots = [
        Dot(p.x, p.y, f"point {n}: {p.x:g}, {p.y:g}, speed {p.speed:g}")
        for n, p in enumerate(points)
    ]
    line = _smooth(places, path.closed) if path.smooth else _straight(places, path.closed)
    left, top, width, height = _around(places)
    return PlotPage(
        **msgspec.structs.asdict(generic.base(asked)),
        box=(left, top, width, height),
        dot=max(width, height) / 120,
        lines=[Curve(path.name, line, dots)],
        about=path.about,
        room=_behind(asked.opened, path),
    )


def _behind(opened: Opened, path: PathView) -> Behind | None:
    """The room that a path names."""
    name = path.room_name if isinstance(path, NamesRoom) else ""
    entry = opened.find(name, "room") if name else None
    room = None if entry is None else opened.resource(entry)
    if entry is None or not isinstance(room, RoomView) or not room.has_picture:
        return None
    picture = opened.href(entry, "picture.png")
    return Behind(entry.name, opened.href(entry), picture, room.width, room.height)


def show_curve(asked: Asked) -> PlotPage:
    """The page of an animation curve."""
    curve = asked.view
    if not isinstance(curve, AnimationCurve):
        raise asked.nothing()
    channels = [(c.name, [p for p in c.points if _near(p.x, p.value)]) for c in curve.channels]
    values = [point.value for _, points in channels for point in points] or [0.0]
    low, high = min(values), max(values)
    scale = _HEIGHT / ((high - low) or 1.0)
    lines = []
    for channel, (name, points) in zip(curve.channels, channels, strict=True):
        dots = [
            Dot(p.x * _WIDTH, (high - p.value) * scale, f"{name}: {p.x:g}, {p.value:g}")
            for p in points
        ]
        around = [point for point in curve_points(channel.record) if _near(*point)]
        places = [(x * _WIDTH, (high - value) * scale) for x, value in around]
        lines.append(Curve(str(name or ""), _straight(places, closed=False), dots))
    return PlotPage(
        **msgspec.structs.asdict(generic.base(asked)),
        box=(-20.0, -20.0, _WIDTH + 40, _HEIGHT + 40),
        dot=4.0,
        lines=lines,
        about=f"{len(lines)} channel{'' if len(lines) == 1 else 's'}, {low:g} to {high:g}",
    )


def _near(*numbers: float) -> bool:
    return all(math.isfinite(n) and abs(n) < _FAR for n in numbers)


def _around(places: Sequence[tuple[float, float]]) -> tuple[float, float, float, float]:
    """A box around points with a little room."""
    xs, ys = [x for x, _ in places] or [0.0], [y for _, y in places] or [0.0]
    room = max(max(xs) - min(xs), max(ys) - min(ys), 16.0) * 0.06
    return (
        min(xs) - room, min(ys) - room,
        max(xs) - min(xs) + 2 * room, max(ys) - min(ys) + 2 * room,
    )  # fmt: skip


def _straight(places: Iterable[tuple[float, float]], closed: bool) -> str:
    drawn = " L".join(f"{x:g} {y:g}" for x, y in places)
    return f"M{drawn}{' Z' if closed else ''}" if drawn else ""


def _smooth(places: Sequence[tuple[float, float]], closed: bool) -> str:
    """A smooth path goes by the middles of its lines, bent towards its points; an open one begins
    and ends at its ends."""
    if len(places) < 3:
        return _straight(places, closed)
    middles = [
        ((x1 + x2) / 2, (y1 + y2) / 2)
        for (x1, y1), (x2, y2) in zip(places, [*places[1:], places[0]], strict=True)
    ]
    if closed:
        bends = list(zip([*places[1:], places[0]], [*middles[1:], middles[0]], strict=True))
        drawn = [f"M{middles[0][0]:g} {middles[0][1]:g}"]
    else:
        bends = list(zip(places[1:-1], middles[1:-1], strict=True))
        drawn = [f"M{places[0][0]:g} {places[0][1]:g} L{middles[0][0]:g} {middles[0][1]:g}"]
    drawn += [f"Q{bx:g} {by:g} {x:g} {y:g}" for (bx, by), (x, y) in bends]
    end = "" if closed else f"L{places[-1][0]:g} {places[-1][1]:g}"
    return " ".join([*drawn, end]).strip()


PATH = Page(show_path, "plot.html", {"files": generic.file_part})
CURVE = Page(show_curve, "plot.html", {"files": generic.file_part})
