"""Paths and animation curves: lists of points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableSequence
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Generic,
    NamedTuple,
    TypeAlias,
    TypeVar,
    cast,
    overload,
)

from overhaul.document.surface import counted, list_text
from overhaul.gamemaker.data.chunks.seqn import AnimationCurve as CurveRecord
from overhaul.gamemaker.data.chunks.seqn import CurveChannel as ChannelRecord
from overhaul.gamemaker.data.chunks.seqn import CurveFunction, PathPoint, UnnamedCurve
from overhaul.gamemaker.data.chunks.seqn import CurvePoint as PointRecord
from overhaul.gamemaker.data.chunks.seqn import Path as PathRecord
from overhaul.gamemaker.data.code.model import CodeModel
from overhaul.gamemaker.data.resources.base import Resource, Resources
from overhaul.gamemaker.data.resources.fields import (
    Choice,
    Flag,
    NamedParts,
    Number,
    Real,
    Text,
    put_field,
)
from overhaul.gamemaker.data.resources.parts import Part

if TYPE_CHECKING:
    from overhaul.schema import Record


V = TypeVar("V", bound=tuple[float, ...])
T = TypeVar("T", bound="Record")
#: the accepted values: a tuple of numbers, whose last one may be left out
Given: TypeAlias = tuple[float, ...]


class Values(MutableSequence[V], Generic[V, T]):
    """A list of records of numbers, each shown as a named tuple."""

    #: the name of one of them
    title: ClassVar[str]
    #: the record of one, its fields, and the tuple they are shown as
    record: ClassVar[type[Record]]
    fields: ClassVar[tuple[str, ...]]
    shown: ClassVar[Callable[..., Any]]

    def __init__(self, game: CodeModel, records: list[T]) -> None:
        self.game = game
        #: the records beneath
        self.records = records

    def _show(self, record: T) -> V:
        made: V = type(self).shown(*(getattr(record, name) for name in self.fields))
        return made

    def _made(self, value: Given) -> T:
        """The record of a value.  Raises ValueError or TypeError."""
        try:
            full: Given = type(self).shown(*value)
        except TypeError:
            words = ", ".join(self.fields)
            raise TypeError(f"expected a {self.title} as ({words}), got {value!r}") from None
        made = cast("T", type(self).record())
        holder = Part(self.game, None, made)
        for name, number in zip(self.fields, full, strict=True):
            if number != getattr(made, name):
                put_field(holder, name, Real(name=name).stored(number, holder))
        return made

    def put(self, values: Iterable[Given]) -> None:
        """Have these values; those that are there already keep their records."""
        old = {self._show(record): record for record in self.records}
        made = [self._made(value) for value in values]
        shown = [self._show(channel) for channel in made]
        kept = [old.pop(value, each) for value, each in zip(shown, made, strict=True)]
        self.records[:] = kept

    def __len__(self) -> int:
        return len(self.records)

    @overload
    def __getitem__(self, key: int) -> V: ...
    @overload
    def __getitem__(self, key: slice) -> list[V]: ...
    def __getitem__(self, key: int | slice) -> V | list[V]:
        if isinstance(key, slice):
            return [self._show(record) for record in self.records[key]]
        return self._show(self.records[self._place(key)])

    def _place(self, number: int) -> int:
        if not -len(self) <= number < len(self):
            raise IndexError(f"there is no {self.title} number {number} of {len(self)}")
        return number

    def __setitem__(self, key: int | slice, value: Any) -> None:
        values: list[Given] = list(self)
        if isinstance(key, int):
            self._place(key)
        values[key] = value
        self.put(values)

    def __delitem__(self, key: int | slice) -> None:
        if isinstance(key, int):
            self._place(key)
        del self.records[key]

    def insert(self, index: int, value: Given) -> None:
        """Add a value before another."""
        self.records.insert(index, self._made(value))

    def append(self, value: Given) -> None:
        """Add a value at the end."""
        self.records.append(self._made(value))

    def __eq__(self, other: object) -> bool:
        return list(self) == other if isinstance(other, list) else self is other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return list_text(self, self.title)


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


class Point(NamedTuple):
    """A point of a path: its place in pixels, and the speed there in per cent."""

    x: float
    y: float
    speed: float = 100.0


class Points(Values[Point, PathPoint]):
    """The points of a path: a list of (x, y, speed).

    Setting and adding takes (x, y) as well, for a speed of 100 per cent. Raises ValueError or
    TypeError for an invalid point.
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
