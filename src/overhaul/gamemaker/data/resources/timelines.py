"""Timelines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from overhaul.gamemaker.data.chunks.tmln import Moment as MomentRecord
from overhaul.gamemaker.data.chunks.tmln import Timeline as TimelineRecord
from overhaul.gamemaker.data.code.additions import add_moment
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data.resources.base import Resource, Resources
from overhaul.gamemaker.data.resources.code import (
    RunsCode,
    code_or_none,
    remove_happening,
)
from overhaul.gamemaker.data.resources.edits import Edits
from overhaul.gamemaker.data.resources.fields import Number, put_field
from overhaul.gamemaker.data.resources.parts import Part

if TYPE_CHECKING:
    from overhaul.gamemaker.data.resources.code import Code


class Moment(Part[TimelineRecord, MomentRecord], RunsCode):
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
    def code(self) -> Code | None:
        """The code it runs; None where it runs none (as in a game of native code)."""
        runs = [action.code for action in self.record.actions]
        first = next((each for each in runs if isinstance(each, Reference)), None)
        return code_or_none(self.game, first)

    def _about(self) -> str:
        return f"step {self.step} of {self.owner.name}"


class Moments(Mapping[int, Moment]):
    """The moments of a timeline by step, in the order of the file."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline

    def __getitem__(self, step: int) -> Moment:
        for record in self._timeline.record.moments:
            if record.step == step:
                return Moment(self._timeline.game, self._timeline.record, record)
        steps = ", ".join(map(str, self)) or "none"
        raise KeyError(f"{self._timeline.name} has no moment at step {step!r}; it has {steps}")

    def __iter__(self) -> Iterator[int]:
        return iter(dict.fromkeys(record.step for record in self._timeline.record.moments))

    def __len__(self) -> int:
        return len(set(self))

    def add(self, step: int, source: str, definitions: str = "") -> Moment:
        """Add a moment, in the order of the steps.

        ``definitions``: GML text with ``#macro`` and ``enum`` lines.  Raises ValueError for a step
        that is there, SyntaxError_ and CompileError for the source; nothing is changed then.
        """
        trial = Moment(self._timeline.game, self._timeline.record, MomentRecord())
        put_field(trial, "step", Number(name="step").stored(step, trial))
        add_moment(self._timeline.game, self._timeline.record, step, source, definitions)
        return self[step]

    def __setitem__(self, step: int, source: str) -> None:
        """Give a moment other code; add it where there is none at this step."""
        if step in self:
            self[step].gml = source
        else:
            self.add(step, source)

    def __delitem__(self, step: int) -> None:
        """Remove a moment, and its code if nothing else runs that."""
        moment = self[step]
        moments = self._timeline.record.moments
        remove_happening(moment.game, moments, moment.record, moment.record.actions)

    def __repr__(self) -> str:
        steps = ", ".join(map(str, self)) or "none"
        return f"<moments of {self._timeline.name}: {steps}>"


class Timeline(Resource[TimelineRecord]):
    """A timeline: code that runs at certain steps."""

    __slots__ = ()
    chunk = "TMLN"

    @property
    def moments(self) -> Moments:
        """The moments by step: ``timeline.moments[30].gml``."""
        return Moments(self)

    def _about(self) -> str:
        count = len(self.record.moments)
        return f"{count} moment{'' if count == 1 else 's'}"


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
            for step, source in sources.items():
                made.moments.add(step, source)
        return made
