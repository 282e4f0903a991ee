"""Animation curves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from overhaul.gamemaker.data.chunks.seqn import AnimationCurve as CurveRecord
from overhaul.gamemaker.data.chunks.seqn import CurveChannel as ChannelRecord
from overhaul.gamemaker.data.chunks.seqn import CurveFunction, UnnamedCurve
from overhaul.gamemaker.data.chunks.seqn import CurvePoint as PointRecord
from overhaul.gamemaker.data.resources.base import Resource, Resources
from overhaul.gamemaker.data.resources.fields import Choice, Number, Text
from overhaul.gamemaker.data.resources.parts import Part
from overhaul.gamemaker.data.resources.related import NamedParts
from overhaul.gamemaker.data.resources.values import Given, Values


class CurvePoint(NamedTuple):
    """A point of a channel, and where the handles of a Bézier curve lie from it."""

    x: float
    value: float
    bezier_x0: float = 0.0
    bezier_y0: float = 0.0
    bezier_x1: float = 0.0
    bezier_y1: float = 0.0


class CurvePoints(Values[CurvePoint, PointRecord]):
    """The points of a channel: a list of (x, value), or with the handles of a Bézier curve."""

    title = "point"
    record = PointRecord
    fields = CurvePoint._fields
    shown = CurvePoint


class CurveChannel(Part[CurveRecord | UnnamedCurve, ChannelRecord]):
    """A channel of a curve."""

    __slots__ = ()

    name: Text = Text("its name")
    function: Choice[CurveFunction] = Choice(CurveFunction, "how it goes from point to point")
    iterations: Number = Number("how finely it is divided")

    @property
    def points(self) -> CurvePoints:
        """The points, as a list; assign any list of (x, value)."""
        return CurvePoints(self.game, self.record.points)

    @points.setter
    def points(self, values: Iterable[Given]) -> None:
        self.points.put(values)

    def _about(self) -> str:
        count = len(self.record.points)
        return f"{self.name or ''}: {count} point{'' if count == 1 else 's'}"


class CurveChannels(NamedParts[CurveChannel]):
    """The channels of a curve."""

    title = "channel"

    def _over(self, record: ChannelRecord) -> CurveChannel:
        return CurveChannel(self.game, self.owner, record)


class AnimationCurve(Resource[CurveRecord]):
    """An animation curve."""

    __slots__ = ()
    chunk = "ACRV"

    graph_type: Number = Number("how GameMaker's editor shows it")

    @property
    def channels(self) -> CurveChannels:
        """The channels by number and by name."""
        return CurveChannels(self.game, self.record, self.record.channels)

    def _about(self) -> str:
        count = len(self.record.channels)
        return f"{count} channel{'' if count == 1 else 's'}"


class AnimationCurves(Resources[AnimationCurve]):
    """The animation curves of a game."""

    resource = AnimationCurve

    def add(
        self,
        name: str,
        channels: Mapping[str, Iterable[Given]],
        *,
        function: CurveFunction | str = CurveFunction.LINEAR,
    ) -> AnimationCurve:
        """Add a curve, with the points (x, value) of its channels by name.

        Raises ValueError for a name that is taken or is none, and where the release has no curves,
        ValueError and TypeError for other wrong values; nothing is changed then.
        """
        made = CurveRecord()
        points: dict[str, list[PointRecord]] = {}
        for channel, values in channels.items():
            if not isinstance(channel, str):
                raise TypeError(f"channels: expected names of channels, got {channel!r}")
            filled = CurvePoints(self.game, [])
            filled.put(values)
            points[channel] = filled.records
        chosen = ChannelRecord()
        CurveChannel(self.game, made, chosen).function = function
        added = self._add(made, name)
        made.channels = [
            ChannelRecord(self.game.strings.add(channel), chosen.function, points=records)
            for channel, records in points.items()
        ]
        return added
