"""Paths."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from overhaul.document.surface import counted
from overhaul.gamemaker.data.chunks.seqn import Path as PathRecord
from overhaul.gamemaker.data.chunks.seqn import PathPoint
from overhaul.gamemaker.data.resources.base import Resource, Resources
from overhaul.gamemaker.data.resources.fields import Flag, Number
from overhaul.gamemaker.data.resources.values import Given, Values


class Point(NamedTuple):
    """A point of a path: its place in pixels, and the speed there in per cent."""

    x: float
    y: float
    speed: float = 100.0


class Points(Values[Point, PathPoint]):
    """The points of a path: a list of (x, y, speed).

    Setting and adding takes (x, y) as well, for a speed of 100 per cent.  Raises ValueError or
    TypeError for what is no point.
    """

    title = "point"
    record = PathPoint
    fields = ("x", "y", "speed")
    shown = Point


class Path(Resource[PathRecord]):
    """A path that instances can follow."""

    __slots__ = ()
    chunk = "PATH"

    smooth: Flag = Flag("whether it is a smooth curve; else straight lines")
    closed: Flag = Flag("whether its end is joined to its beginning")

    @property
    def precision(self) -> int:
        """How finely a smooth path is divided, from 1 to 8."""
        return self.record.precision

    @precision.setter
    def precision(self, value: int) -> None:
        if value != self.record.precision:
            new = Number(name="precision").stored(value, self)
            if new not in range(1, 9):
                raise ValueError(f"precision: expected a number from 1 to 8, got {value!r}")
            self.record.precision = int(value)

    @property
    def points(self) -> Points:
        """The points, as a list; assign any list of (x, y) or (x, y, speed)."""
        return Points(self.game, self.record.points)

    @points.setter
    def points(self, values: Iterable[Given]) -> None:
        self.points.put(values)

    @property
    def about(self) -> str:
        """``5 points, smooth, closed``."""
        how = ["smooth"] * self.smooth + ["closed"] * self.closed
        return ", ".join([counted(len(self.record.points), "point"), *how])

    def _about(self) -> str:
        return self.about


class Paths(Resources[Path]):
    """The paths of a game."""

    resource = Path

    def add(
        self,
        name: str,
        points: Iterable[Given] = (),
        *,
        smooth: bool = False,
        closed: bool = False,
        precision: int = 4,
    ) -> Path:
        """Add a path with points (x, y) or (x, y, speed): pixels and per cent.

        Raises ValueError for a name that is taken or is none, ValueError and TypeError for other
        wrong values; nothing is changed then.
        """
        record = PathRecord()
        made = Path(self.game, record)
        made.points = points
        made.smooth, made.closed, made.precision = smooth, closed, precision
        return self._add(record, name)
