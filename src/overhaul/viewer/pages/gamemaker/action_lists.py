"""Lists of drag-and-drop actions as a person reads them, and code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast
from urllib.parse import urlencode

import msgspec

from overhaul.document.views import EventView, ObjectView, TimelineView
from overhaul.gamemaker.classic.describing import SentencePart
from overhaul.gamemaker.classic.documents.games import GameDocument
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.classic.surface.objects import Actions, Object
from overhaul.gamemaker.classic_folder.actions import CODE, event_words, numbered, only_code
from overhaul.gamemaker.classic_folder.names import ResourceFileNames as FileNames
from overhaul.gamemaker.data.resources.code import Code
from overhaul.viewer.answers import Crumb
from overhaul.viewer.opened import ListedResource, Opened
from overhaul.viewer.pages.gamemaker.code import code_lines
from overhaul.viewer.pages.gamemaker.sources import marked, parts_of
from overhaul.viewer.pages.lines import HEAVY, LINES, CodePiece, Line, stretch, weight
from overhaul.viewer.pages.page_parts import crumb

#: lines of code on a page that also stand on pages of their own
_COPIED = 1000


class ActionLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of a list of actions; ``depth`` counts the blocks it is in.

    ``role`` is ``block`` for what decides about the lines below it, or ``comment``; ``anchor``
    stands before the numbers of the lines of its code.
    """

    number: int
    depth: int
    text: str
    parts: list[CodePiece]
    role: str = ""
    code: list[Line] = []
    anchor: str = ""


class EventShown(msgspec.Struct, frozen=True):
    """An event that runs: ``name`` is what code calls it (``Keyboard_37``), ``title`` what people
    do; ``inherited``: the object it is inherited from, if any.

    ``code`` leads to its code, where that has a page.  Here it stands under ``anchor``: ``lines``
    where it is nothing but code, or ``actions``.  ``edit`` is where the code is edited, and
    ``as_actions`` where code of a project is edited as a list of actions.
    """

    name: str
    title: str
    code: Crumb | None
    inherited: Crumb | None
    anchor: str = ""
    lines: list[Line] = []
    actions: list[ActionLine] = []
    edit: str = ""
    as_actions: str = ""


def anchor_of(word: str, actions: Actions) -> str:
    """Where a list is on its page: the name of its file, where it is nothing but code."""
    if actions.code is None:
        return word
    return f"{word}/1.gml" if only_code(actions.record) is None else f"{word}.gml"


class Writer:
    """Makes pages' lines of actions, up to a number of lines of code in all.

    With ``whole``, code that has a page of its own stands here, too, as far as it is not long.
    """

    def __init__(self, opened: Opened, *, whole: bool = False) -> None:
        self.opened = opened
        self.whole = whole
        self.left: int = LINES
        self._room = _COPIED
        self._bytes = HEAVY
        self.more: int = 0

    def shown(self, event: EventView, word: str) -> EventShown:
        """An event or a moment; ``word`` is the name of its file."""
        code = event.code
        name, title = event.key, event.title
        if isinstance(code, str):
            anchor = anchor_of(word, event) if isinstance(event, Actions) else word
            return EventShown(name, title, None, None, anchor, self._code(code))
        if isinstance(event, Actions):
            return EventShown(name, title, None, None, word, actions=[*self._lines(word, event)])
        link = None if code is None else crumb(self.opened, code.name, code.kind)
        if self.whole and isinstance(code, Code) and link is not None and link.href:
            lines = code_lines(self.opened, code)
            size = sum(map(weight, lines))
            if len(lines) > self._room or size > self._bytes:
                return EventShown(name, title, link, None)
            self._room -= len(lines)
            self._bytes -= size
            prefix = self.opened.prefix
            edit = f"{prefix}/-/edit{link.href.removeprefix(prefix)}" if self.opened.writer else ""
            return EventShown(name, title, link, None, f"event-{name}", lines, edit=edit)
        return EventShown(name, title, link, None)

    def _code(self, code: str) -> list[Line]:
        lines = marked(self.opened, code)
        _, stop = stretch(lines, self._bytes) if self._bytes > 0 else (0, 0)
        shown = lines[: min(self.left, stop)]
        self._bytes -= sum(map(weight, shown))
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

    def _parts(self, word: SentencePart) -> list[CodePiece]:
        if word.kind == "gml":
            return parts_of(self.opened, word.text)
        if word.kind in ("", "colour"):
            return [CodePiece(word.text, word.kind)]
        entry = self.opened.find(word.text, word.kind)
        if entry is None:
            return [CodePiece(word.text)]
        picture = ""
        if word.kind in ("sprite", "background"):
            picture = self.opened.href(entry, "thumbnail.png")
        return [CodePiece(word.text, "resource", self.opened.href(entry), "", picture)]


def actions_href(opened: Opened, entry: ListedResource, event: str) -> str:
    """Where the actions of an event are edited, which is called as its file."""
    return f"{opened.prefix}/-/actions{opened.own_path(entry)}?{urlencode({'event': event})}"


def file_names(opened: Opened) -> FileNames:
    """The file names of the resources of a project; kept."""
    document = cast("GameDocument", opened.document)

    def make() -> FileNames:
        if isinstance(document, ProjectDocument):  # the version of a .gm82 is called 8.2
            return FileNames.of(document.project)
        return FileNames.of_slots(int(document.version), document.slots())

    return opened.remember(
        "project file names",
        make,
        lambda names: 200 * sum(map(len, names.stems.values())),
    )


def events_of(opened: Opened, it: ObjectView) -> list[tuple[str, EventView]]:
    """The events of an object with the names of their files."""
    events = it.own_events
    if not isinstance(it, Object):
        return [(event.key, event) for event in events]
    # the files are in the order of the file, the events in that of the editor
    words = event_words(it.record, file_names(opened))
    places = {
        id(event.actions): word
        for word, event in zip(
            words, (event for events in it.record.categories for event in events), strict=True
        )
    }
    return [(places[id(event.record)], event) for event in it.events]


def moments_of(it: TimelineView) -> list[tuple[str, EventView]]:
    """The moments of a timeline with the names of their files."""
    steps = it.steps
    words = numbered(str(step) for step, _ in steps)
    return [(word, moment) for word, (_, moment) in zip(words, steps, strict=True)]
