"""Objects and timelines of projects: what they do, as a person reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from overhaul.gamemaker.classic_folder.actions import CODE, event_words, numbered, only_code
from overhaul.gamemaker.classic_folder.names import Names as FileNames
from overhaul.viewer.answers import Asked, Crumb, Page
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.code import LINES, Line, Part
from overhaul.viewer.pages.games import Fact, crumb, facts, project_of, project_resource_of
from overhaul.viewer.pages.objects import Member
from overhaul.viewer.pages.projects.code import marked, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from overhaul.gamemaker.classic.describing import Word
    from overhaul.gamemaker.classic.surface.objects import Actions, Object, Timeline
    from overhaul.viewer.opened import Opened

#: the fields that the page shows
_FACTS = ("sprite", "mask", "parent", "visible", "solid", "persistent", "depth")
#: objects in the picture of a family
_FAMILY = 200


class ActionLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of a list of actions; ``depth`` counts the blocks it is in.

    ``role`` is ``block`` for what decides about the lines below it, or ``comment``; ``anchor``
    stands before the numbers of the lines of its code.
    """

    number: int
    depth: int
    text: str
    parts: list[Part]
    role: str = ""
    code: list[Line] = []
    anchor: str = ""


class Happening(msgspec.Struct, frozen=True):
    """An event or a moment: ``code`` where it is nothing but code, else the actions."""

    title: str
    anchor: str
    code: list[Line]
    actions: list[ActionLine]


class Inherited(msgspec.Struct, frozen=True):
    """An event that an object has from another one."""

    title: str
    of: Crumb


class ObjectPage(generic.ResourcePage, frozen=True):
    """An object: its events, those it inherits, its family and its picture."""

    events: list[Happening]
    inherited: list[Inherited]
    family: Member
    sprite: Crumb | None
    picture: str
    facts: list[Fact]
    more_lines: int


class TimelinePage(generic.ResourcePage, frozen=True):
    """A timeline; ``places`` are those of its moments on a line from 0 to 1."""

    moments: list[Happening]
    places: list[float]
    last: int
    more_lines: int


def anchor_of(word: str, actions: Actions) -> str:
    """Where a list is on its page: the name of its file, where it is nothing but code."""
    if actions.code is None:
        return word
    return f"{word}/1.gml" if only_code(actions.record) is None else f"{word}.gml"


class Writer:
    """Makes pages' lines of actions, up to a number of lines of code in all."""

    def __init__(self, opened: Opened) -> None:
        self.opened = opened
        self.left: int = LINES
        self.more: int = 0

    def happenings(self, them: Iterable[tuple[str, str, Actions]]) -> Iterator[Happening]:
        """Lists of actions with their titles and the names of their files."""
        for title, word, actions in them:
            code = actions.code
            if code is not None:
                yield Happening(title, anchor_of(word, actions), self._code(code), [])
            else:
                yield Happening(title, word, [], [*self._lines(word, actions)])

    def _code(self, code: str) -> list[Line]:
        lines = marked(self.opened, code)
        shown = lines[: self.left]
        self.left -= len(shown)
        self.more += len(lines) - len(shown)
        return shown

    def _lines(self, word: str, actions: Actions) -> Iterator[ActionLine]:
        files = 0
        for line in actions.lines:
            if self.left <= 0:
                self.more += 1
                continue
            self.left -= 1
            action = actions.actions[line.number]
            own_file = (action.library_id, action.action_id) == (1, CODE) and line.code is not None
            files += own_file
            yield ActionLine(
                line.number,
                line.depth,
                str(line.sentence),
                [part for word_ in line.sentence for part in self._parts(word_)],
                line.role,
                [] if line.code is None else self._code(line.code),
                f"{word}/{files}.gml-L" if own_file else f"{word}/{line.number}-L",
            )

    def _parts(self, word: Word) -> list[Part]:
        if word.kind == "gml":
            return parts_of(self.opened, word.text)
        if word.kind in ("", "colour"):
            return [Part(word.text, word.kind)]
        entry = self.opened.find(word.text, word.kind)
        if entry is None:
            return [Part(word.text)]
        picture = ""
        if word.kind in ("sprite", "background"):
            picture = self.opened.href(entry, "thumbnail.png")
        return [Part(word.text, "resource", self.opened.href(entry), "", picture)]


def file_names(opened: Opened) -> FileNames:
    """The file names of the resources of a project; kept."""
    slots = project_of(opened).slots
    return opened.remember(
        "project file names",
        lambda: FileNames.of_slots(int(opened.document.version), slots()),
        lambda names: 200 * sum(map(len, names.stems.values())),
    )


def events_of(opened: Opened, it: Object) -> list[tuple[str, str, Actions]]:
    """The events of an object, with their titles and the names of their files."""
    # the files are in the order of the file, the events in that of the editor
    words = event_words(it.record, file_names(opened))
    places = {
        id(event.actions): word
        for word, event in zip(
            words, (event for events in it.record.categories for event in events), strict=True
        )
    }
    return [(each.title, places[id(each.record)], each) for each in it.events]


def moments_of(it: Timeline) -> list[tuple[str, str, Actions]]:
    """The moments of a timeline, with their titles and the names of their files."""
    moments = it.moments
    words = numbered(str(each.step) for each in moments)
    return [(f"Step {each.step}", word, each) for word, each in zip(words, moments, strict=True)]


def show_object(asked: Asked) -> ObjectPage:
    """The page of an object."""
    opened, it = asked.opened, project_resource_of(asked, lambda project: project.objects)
    writer = Writer(opened)
    sprite = it.sprite
    shown = None if sprite is None else opened.find(sprite.name, "sprite")
    return ObjectPage(
        **msgspec.structs.asdict(generic.base(asked)),
        events=[*writer.happenings(events_of(opened, it))],
        inherited=[*_inherited(opened, it)],
        family=_member(opened, ([it, *it.ancestors()])[-1], it, set()),
        sprite=None if sprite is None else crumb(opened, sprite.name, "sprite"),
        picture="" if shown is None else opened.href(shown, "thumbnail.png"),
        facts=facts(opened, it, *_FACTS),
        more_lines=writer.more,
    )


def _inherited(opened: Opened, it: Object) -> Iterator[Inherited]:
    """The events of its ancestors that it does not have."""
    own = {each.title for each in it.events}
    for ancestor in it.ancestors():
        for event in ancestor.events:
            if event.title not in own:
                own.add(event.title)
                yield Inherited(event.title, crumb(opened, ancestor.name, "object"))


def _member(opened: Opened, each: Object, here: Object, seen: set[int]) -> Member:
    """An object and those below it, each once."""
    seen.add(each.index)
    children = [
        _member(opened, child, here, seen)
        for child in each.children
        if child.index not in seen and len(seen) < _FAMILY
    ]
    found = crumb(opened, each.name, "object")
    return Member(found.text, found.href, each == here, children)


def show_timeline(asked: Asked) -> TimelinePage:
    """The page of a timeline."""
    it = project_resource_of(asked, lambda project: project.timelines)
    moments = it.moments
    writer = Writer(asked.opened)
    last = max((each.step for each in moments), default=0)
    return TimelinePage(
        **msgspec.structs.asdict(generic.base(asked)),
        moments=[*writer.happenings(moments_of(it))],
        places=[round(max(0, each.step) / max(1, last), 4) for each in moments],
        last=last,
        more_lines=writer.more,
    )


OBJECT = Page(show_object, "project-object.html", {"files": generic.file_part})
TIMELINE = Page(show_timeline, "project-timeline.html", {"files": generic.file_part})
