"""The page of a timeline: its moments on a line, each with its code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from overhaul.viewer.answers import Asked, Crumb, Page
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.games import crumb, resource_of

if TYPE_CHECKING:
    from overhaul.gamemaker.data.resources.timelines import Moment

#: moments that the page shows, those whose first lines it shows, and how many of these
_MOMENTS, _WITH_CODE, _LINES = 2000, 60, 4


class MomentRow(msgspec.Struct, frozen=True):
    """A moment: ``place`` is where it is on the line, from 0 to 1; ``lines`` the first lines of
    its code, ``more`` how many others there are."""

    step: int
    place: float
    code: Crumb | None
    lines: list[str]
    more: int


class TimelinePage(generic.ResourcePage, frozen=True):
    """A timeline; ``last`` is its last step."""

    last: int
    moments: list[MomentRow]
    count: int


def show_timeline(asked: Asked) -> TimelinePage:
    """The page of a timeline."""
    moments = list(resource_of(asked, lambda game: game.timelines).moments.values())
    last = max((moment.step for moment in moments), default=0)
    shown = enumerate(moments[:_MOMENTS])
    return TimelinePage(
        **msgspec.structs.asdict(generic.base(asked)),
        last=last,
        moments=[_row(asked, moment, last, n < _WITH_CODE) for n, moment in shown],
        count=len(moments),
    )


def _row(asked: Asked, moment: Moment, last: int, with_code: bool) -> MomentRow:
    code = moment.code
    lines = code.gml.splitlines() if code is not None and with_code else []
    return MomentRow(
        moment.step,
        moment.step / max(1, last),
        None if code is None else crumb(asked.opened, code.name, "code entry"),
        lines[:_LINES],
        max(0, len(lines) - _LINES),
    )


TIMELINE = Page(show_timeline, "timeline.html", {"files": generic.file_part}, slow=True)
