"""PATH: paths."""

from typing import Annotated

from overhaul.gamemaker.data.fields import StringRef
from overhaul.schema import Inline, Pointers, Record, b32, f32, u32


class PathPoint(Record):
    """A point of a path."""

    x: f32 = 0.0
    y: f32 = 0.0
    speed: Annotated[f32, "per cent"] = 100.0


class Path(Record):
    """A path."""

    name: StringRef = None
    smooth: b32 = False
    closed: b32 = False
    precision: Annotated[u32, "1 to 8"] = 4
    points: Annotated[list[PathPoint], Inline()] = []


class PathList(Record):
    """All paths."""

    paths: Annotated[list[Path], Pointers()] = []
