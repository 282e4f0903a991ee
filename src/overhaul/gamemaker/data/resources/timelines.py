"""Timelines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from overhaul.document.surface import counted
from overhaul.gamemaker.data.chunks.objt import Moment as MomentRecord
from overhaul.gamemaker.data.chunks.objt import Timeline as TimelineRecord
from overhaul.gamemaker.data.code.additions import add_moment
from overhaul.gamemaker.data.resources.base import Resource, Resources
from overhaul.gamemaker.data.resources.edits import Edits
from overhaul.gamemaker.data.resources.fields import Number, put_field
from overhaul.gamemaker.data.resources.happenings import Happening, Happenings


class Moment(Happening[TimelineRecord, MomentRecord]):
    """A step of a timeline, at which code runs."""

    __slots__ = ()

    @property
    def step(self) -> int:
        """The step, from 0.  Raises ValueError for one that the timeline has another moment at."""
        return self.record.step

    @step.setter
    def step(self, value: int) -> None:
        new = Number(name="step").stored(value, self)
        moments = self.owner.moments
        if any(each.step == new and each is not self.record for each in moments):
            raise ValueError(f"step: {self.owner.name} has a moment at step {new}")
        if new != self.record.step:
            put_field(self, "step", new)
            moments.sort(key=lambda each: each.step)

    @property
    def key(self) -> str:
        """Its step."""
        return str(self.record.step)

    @property
    def title(self) -> str:
        """``Step 30``."""
        return f"Step {self.record.step}"

    def _about(self) -> str:
        return f"step {self.step} of {self.owner.name}"


class Moments(Happenings[int, Moment]):
    """The moments of a timeline by step, in the order of the file."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline

    def _all(self) -> Iterator[tuple[int, Moment]]:
        timeline = self._timeline
        for record in timeline.record.moments:
            yield record.step, Moment(timeline.game, timeline.record, record)

    def _missing(self, key: int) -> str:
        return f"{self._timeline.name} has no moment at step {key!r}; it has {self._keys()}"

    def add(self, step: int, source: str, definitions: str = "") -> Moment:
        """Add a moment at a step, in the order of the steps.

        ``definitions``: GML text with ``#macro`` and ``enum`` lines.  Raises ValueError for a step
        that is there, SyntaxError_ and CompileError for the source; nothing is changed then.
        """
        trial = Moment(self._timeline.game, self._timeline.record, MomentRecord())
        put_field(trial, "step", Number(name="step").stored(step, trial))
        add_moment(self._timeline.game, self._timeline.record, step, source, definitions)
        return self[step]

    def __delitem__(self, step: int) -> None:
        """Remove a moment, and its code if nothing else runs that."""
        self[step]._remove_from(self._timeline.record.moments)

    def __repr__(self) -> str:
        return f"<moments of {self._timeline.name}: {self._keys()}>"


class Timeline(Resource[TimelineRecord]):
    """A timeline: code that runs at certain steps."""

    __slots__ = ()
    chunk = "TMLN"

    @property
    def moments(self) -> Moments:
        """The moments by step: ``timeline.moments[30].gml``."""
        return Moments(self)

    @property
    def steps(self) -> list[tuple[int, Moment]]:
        """The moments with their steps, in the order of the file."""
        return [
            (record.step, Moment(self.game, self.record, record)) for record in self.record.moments
        ]

    def _about(self) -> str:
        return counted(len(self.record.moments), "moment")


class Timelines(Resources[Timeline]):
    """The timelines of a game."""

    resource = Timeline

    def add(self, name: str, moments: Mapping[int, str] | None = None) -> Timeline:
        """Add a timeline, with the source of its moments by step.

        Raises ValueError for a name that is taken or is none, SyntaxError_ and CompileError for a
        source; nothing is changed then.
        """
        sources = dict(sorted((moments or {}).items()))
        trial = Moment(self.game, TimelineRecord(), MomentRecord())
        for step in sources:
            put_field(trial, "step", Number(name="step").stored(step, trial))
        with Edits(self.game)():
            made = self._add(TimelineRecord(), name)
            made.moments.add_all(sources)
        return made
