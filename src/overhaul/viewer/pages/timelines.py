"""The page of a timeline: its moments on a line, each with its code."""

from __future__ import annotations

import msgspec

from overhaul.document.views import TimelineView
from overhaul.viewer.answers import Asked, Page
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.actions import EventShown, Writer, moments_of

#: moments that the page shows, those whose first lines it shows, and how many of these
_MOMENTS, _WITH_CODE, _LINES = 2000, 60, 4


class MomentRow(EventShown, frozen=True):
    """A moment: ``place`` is where it is on the line, from 0 to 1; ``first`` are the first lines
    of code that has a page, ``more`` how many others there are."""

    step: int = 0
    place: float = 0.0
    first: list[str] = []
    more: int = 0


class TimelinePage(generic.ResourcePage, frozen=True):
    """A timeline; ``last`` is its last step; ``more_lines`` of its code are not shown."""

    last: int
    moments: list[MomentRow]
    count: int
    more_lines: int


def show_timeline(asked: Asked) -> TimelinePage:
    """The page of a timeline."""
    it, writer = asked.view, Writer(asked.opened)
    if not isinstance(it, TimelineView):
        raise asked.nothing()
    steps = it.steps
    last = max((step for step, _ in steps), default=0)
    rows = []
    for number, (word, moment) in enumerate(moments_of(it)[:_MOMENTS]):
        shown, step = writer.shown(moment, word), steps[number][0]
        code = moment.code
        source = getattr(code, "gml", "") if number < _WITH_CODE else ""
        lines = source.splitlines()
        rows.append(
            MomentRow(
                **msgspec.structs.asdict(shown),
                step=step,
                place=round(max(0, step) / max(1, last), 4),
                first=lines[:_LINES],
                more=max(0, len(lines) - _LINES),
            )
        )
    return TimelinePage(
        **msgspec.structs.asdict(generic.base(asked)),
        last=last,
        moments=rows,
        count=len(steps),
        more_lines=writer.more,
    )


TIMELINE = Page(show_timeline, "timeline.html", {"files": generic.file_part}, slow=True)
