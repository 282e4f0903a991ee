"""ACRV and PATH: animation curves and paths."""

import enum
from typing import Annotated

from overhaul.gamemaker.data.fields import StringRef
from overhaul.gamemaker.data.version import since
from overhaul.schema import Align, Condition, Inline, Pointers, Record, b32, enum32, f32, u32


class CurveFunction(enum.IntEnum):
    """How a channel goes from point to point."""

    LINEAR = 0
    SMOOTH = 1
    BEZIER = 2


class CurvePoint(Record):
    """A point of a channel."""

    x: f32 = 0.0
    value: f32 = 0.0
    unknown: Annotated[u32, Condition(lambda v: v.number < (2, 3, 1), "2.3.0"), "0"] = 0
    bezier_x0: Annotated[f32, since(2, 3, 1)] = 0.0
    bezier_y0: Annotated[f32, since(2, 3, 1)] = 0.0
    bezier_x1: Annotated[f32, since(2, 3, 1)] = 0.0
    bezier_y1: Annotated[f32, since(2, 3, 1)] = 0.0


class CurveChannel(Record):
    """A channel of a curve."""

    name: StringRef = None
    function: Annotated[int, enum32(CurveFunction)] = 0
    iterations: u32 = 16
    points: Annotated[list[CurvePoint], Inline()] = []


class UnnamedCurve(Record):
    """A curve inside a key frame."""

    graph_type: u32 = 0
    channels: Annotated[list[CurveChannel], Inline()] = []


class AnimationCurve(Record):
    """An animation curve."""

    name: StringRef = None
    graph_type: u32 = 0
    channels: Annotated[list[CurveChannel], Inline()] = []


class AnimationCurveList(Record):
    """All animation curves."""

    version: Annotated[u32, Align(4), "1"] = 1
    curves: Annotated[list[AnimationCurve], Pointers()] = []


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
