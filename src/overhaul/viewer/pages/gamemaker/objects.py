"""The pages of what runs code: objects with events and family, timelines with moments."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice
from typing import cast

import msgspec

from overhaul.document.registry import folder_format_of
from overhaul.document.views import ObjectView, TimelineView
from overhaul.gamemaker.data.game import GameData
from overhaul.viewer.answers import Asked, Crumb, Page
from overhaul.viewer.opened import ListedResource, Opened
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.files import href_of
from overhaul.viewer.pages.gamemaker.action_lists import (
    EventShown,
    Writer,
    actions_href,
    events_of,
    moments_of,
)
from overhaul.viewer.pages.page_parts import crumb

#: objects in the picture of a family
_FAMILY = 200
#: events that a page proposes; others are added by their names too
_LISTED = 800


class Member(msgspec.Struct, frozen=True):
    """An object of a family, with those that inherit from it."""

    name: str
    href: str
    here: bool
    children: list[Member]


class ObjectPage(generic.ResourcePage, frozen=True):
    """An object as every resource is shown, with its events, its family and its picture.

    ``instances`` is null where they are not counted; ``more_lines`` of its code are not shown.
    ``act`` is where its events are changed, "" where they can't be; ``free`` are those that it can
    get, or the first of them, and ``problem`` is why they did not change.
    """

    events: list[EventShown]
    family: Member
    sprite: Crumb | None
    picture: str
    instances: int | None
    more_lines: int
    act: str
    free: list[str]
    problem: str = ""


def show_object(asked: Asked) -> ObjectPage:
    """The page of an object."""
    opened, it = asked.opened, asked.view
    if not isinstance(it, ObjectView):
        raise asked.nothing()
    top = [it, *it.ancestors()][-1]
    sprite, writer = it.sprite, Writer(opened, whole=True)
    entry = None if sprite is None else opened.find(sprite.name, sprite.kind)
    act = events_href(opened, asked.resource)
    return ObjectPage(
        **msgspec.structs.asdict(generic.base(asked)),
        events=[*_events(opened, it, writer)],
        family=_member(opened, top, it, []),
        sprite=None if sprite is None else crumb(opened, sprite.name, sprite.kind),
        picture="" if entry is None else opened.href(entry, "thumbnail.png"),
        instances=it.instance_count,
        more_lines=writer.more,
        act=act,
        free=_free(opened, it) if act else [],
    )


def events_href(opened: Opened, entry: ListedResource) -> str:
    """Where the events of an object are changed; "" where that is not possible."""
    if opened.writer is None or opened.writer.why or entry.kind != "object":
        return ""
    known = folder_format_of(opened.document.kind)
    if next(iter(known.additions.event_titles(opened.document)), None) is None:
        return ""
    return f"{opened.prefix}/-/events{opened.own_path(entry)}"


def _free(opened: Opened, it: ObjectView) -> list[str]:
    """The first of the events that an object can get besides its present ones."""
    taken = {event.title for event in it.own_events}
    titles = folder_format_of(opened.document.kind).additions.event_titles(opened.document)
    return list(islice((title for title in titles if title not in taken), _LISTED))


def _events(opened: Opened, it: ObjectView, writer: Writer) -> Iterator[EventShown]:
    """Its own events in their order, then those of its ancestors that it does not have."""
    known = set()
    for word, event in events_of(opened, it):
        if event.key not in known or event.code is None or isinstance(event.code, str):
            known.add(event.key)
            shown = writer.shown(event, word)
            yield _with_links(opened, it, shown, word)
    for ancestor in it.ancestors():
        inherited = crumb(opened, ancestor.name, ancestor.kind)
        for event in ancestor.own_events:
            if event.key not in known:
                known.add(event.key)
                code = event.code
                link = None
                if code is not None and not isinstance(code, str):
                    link = crumb(opened, code.name, code.kind)
                yield EventShown(event.key, event.title, link, inherited)


def _with_links(opened: Opened, it: ObjectView, shown: EventShown, word: str) -> EventShown:
    """An event that is files of the object, with where they are edited."""
    entry = opened.find(it.name, it.kind)
    if entry is None or opened.writer is None or shown.edit or not shown.anchor:
        return shown
    actions = actions_href(opened, entry, word)
    path = f"{entry.path}/{shown.anchor}"
    if path in opened.files:
        return msgspec.structs.replace(shown, edit=href_of(opened, path), as_actions=actions)
    is_list = f"{entry.path}/{word}/actions.json" in opened.files
    return msgspec.structs.replace(shown, edit=actions) if is_list else shown


def _member(opened: Opened, it: ObjectView, here: ObjectView, seen: list[ObjectView]) -> Member:
    """An object and those below it, each once."""
    seen.append(it)
    children = [
        _member(opened, child, here, seen)
        for child in it.children
        if child not in seen and len(seen) < _FAMILY
    ]
    link = crumb(opened, it.name, it.kind)
    return Member(link.text, link.href, it == here, children)


OBJECT = Page(show_object, "object.html", {"files": generic.file_part})


#: moments that the page shows, those whose first lines it shows, and how many of these
_MOMENTS, _WITH_CODE, _LINES = 2000, 60, 4
#: steps a second in a new room
_ROOM_SPEED = 30.0


class MomentRow(EventShown, frozen=True):
    """A moment: ``place`` is where it is on the line, from 0 to 1; ``first`` are the first lines
    of code that has a page, ``more`` how many others there are."""

    step: int = 0
    place: float = 0.0
    first: list[str] = []
    more: int = 0


class TimelinePage(generic.ResourcePage, frozen=True):
    """A timeline; ``last`` is its last step, and ``fps`` are steps a second; ``more_lines`` of its
    code are not shown."""

    last: int
    fps: float
    moments: list[MomentRow]
    count: int
    more_lines: int


def _steps_a_second(opened: Opened) -> float:
    """The speed of a game; that of new rooms, 30, where each room has its own."""
    if opened.kind != "gamemaker-data":
        return _ROOM_SPEED
    game = cast("GameData", opened.document)
    speed = game.general.game_speed if game.release.major >= 2 else _ROOM_SPEED
    return speed if 0 < speed < math.inf else _ROOM_SPEED


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
        fps=_steps_a_second(asked.opened),
        moments=rows,
        count=len(steps),
        more_lines=writer.more,
    )


TIMELINE = Page(show_timeline, "timeline.html", {"files": generic.file_part}, slow=True)
