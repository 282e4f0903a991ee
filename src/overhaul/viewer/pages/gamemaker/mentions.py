"""The uses in a project: references, actions, and names in code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple, cast

from overhaul.document.views import EventView
from overhaul.gamemaker.classic.actions import REFERENCES
from overhaul.gamemaker.classic.documents.games import GameDocument
from overhaul.gamemaker.classic.kinds import BY_PLURAL
from overhaul.gamemaker.classic.surface.objects import Actions, Object
from overhaul.gamemaker.classic.surface.rooms import Room
from overhaul.viewer.answers import Crumb
from overhaul.viewer.opened import ListedResource, Listing, Opened
from overhaul.viewer.pages.gamemaker.action_lists import anchor_of, events_of, moments_of
from overhaul.viewer.pages.uses import Use

#: kinds of resources that nothing uses by their name
USED_BY_NOTHING = frozenset({"settings", "information", "constants", "project"})
#: lines that are kept of each user of a resource, and characters of a line
_LINES, _LONG = 8, 200
_WORD = re.compile(r"[^\W\d]\w*")


class Mention(NamedTuple):
    """A place that uses a resource: the kind and name of what uses it, the words, the anchor."""

    kind: str
    name: str
    text: str
    anchor: str = ""


def uses_of(opened: Opened, entry: ListedResource) -> list[Use]:
    """The resources that use one, as pages show them."""
    users = users_of(opened, entry)
    return [Use(user.kind, user.name, opened.href(user), lines) for user, lines in users]


def are_counted(opened: Opened, listing: Listing) -> bool:
    """Whether resources of a kind are used by their names."""
    return listing.kind not in USED_BY_NOTHING


def counts_of(opened: Opened, listing: Listing) -> dict[str, int]:
    """How many things use each resource of a list, by the last part of its address."""
    return {entry.key: len(users_of(opened, entry)) for entry in listing.entries.values()}


def users_of(opened: Opened, entry: ListedResource) -> list[tuple[ListedResource, list[Crumb]]]:
    """The resources that use one, each with lines where it does so."""
    uses = opened.remember(
        "project uses",
        lambda: _all(opened),
        lambda known: 1000 + 300 * sum(len(users) for users in known.values()),
    )
    users = uses.get((entry.kind, entry.name), {})
    return [(user, lines) for user, lines in users.items() if user != entry]


def _all(opened: Opened) -> dict[tuple[str, str], dict[ListedResource, list[Crumb]]]:
    """By kind and name of what is used: the users, with lines."""
    users: dict[tuple[str, str], dict[ListedResource, list[Crumb]]] = {}
    reader = _MentionReader(opened)
    for user, mentions in reader.all():
        href = opened.href(user)
        for mention in mentions:
            lines = users.setdefault((mention.kind, mention.name), {}).setdefault(user, [])
            crumb = Crumb(mention.text.strip()[:_LONG], href + mention.anchor)
            if mention.text and len(lines) < _LINES and crumb not in lines:
                lines.append(crumb)
    return users


class _MentionReader:
    """Reads what each resource of a project mentions."""

    def __init__(self, opened: Opened) -> None:
        self.opened = opened
        self.project = cast("GameDocument", opened.document)
        self.places = self.project.sprites.places
        self.names: dict[str, set[str]] = {}
        for entry in opened.entries():
            self.names.setdefault(entry.name, set()).add(entry.kind)

    def all(self) -> Iterator[tuple[ListedResource, Iterator[Mention]]]:
        """Every resource that may mention others, with what it mentions."""
        project = self.project
        for entry, it in zip(self._entries("object"), project.objects, strict=False):
            yield entry, self._object(it)
        for entry, timeline in zip(self._entries("timeline"), project.timelines, strict=False):
            yield entry, self._lists(moments_of(timeline))
        for entry, script in zip(self._entries("script"), project.scripts, strict=False):
            yield entry, self._code(script.code, "#L")
        for entry, trigger in zip(self._entries("trigger"), project.triggers, strict=False):
            yield entry, self._code(trigger.code, "#L")
        for entry, room in zip(self._entries("room"), project.rooms, strict=False):
            yield entry, self._room(room)
        for entry, path in zip(self._entries("path"), project.paths, strict=False):
            yield entry, self._referred("rooms", path.record.background_room, "shown behind it")

    def _entries(self, kind: str) -> Iterator[ListedResource]:
        for listing in self.opened.listings.values():
            if listing.kind == kind:
                yield from listing.entries.values()

    def _referred(self, plural: str, index: int, text: str, anchor: str = "") -> Iterator[Mention]:
        name = self.places.name_of(plural, index)
        if name is not None:
            yield Mention(BY_PLURAL[plural].singular, name, text, anchor)

    def _object(self, it: Object) -> Iterator[Mention]:
        record = it.record
        yield from self._referred("sprites", record.sprite, "its sprite")
        yield from self._referred("sprites", record.mask, "its mask")
        yield from self._referred("objects", record.parent, "its parent")
        lists = events_of(self.opened, it)
        for event, (word, _) in zip(it.events, lists, strict=True):
            if event.category in REFERENCES:
                kind, anchor = REFERENCES[event.category], anchor_of(word, event)
                yield from self._referred(kind, event.sub_type, event.title, f"#{anchor}")
        yield from self._lists(lists)

    def _lists(self, lists: list[tuple[str, EventView]]) -> Iterator[Mention]:
        """The mentions in lists of actions: in sentences, in expressions, in code."""
        for word, actions in lists:
            if not isinstance(actions, Actions):
                continue
            title, code = actions.title, actions.code
            if code is not None:
                yield from self._code(code, f"#{anchor_of(word, actions)}-L")
                continue
            for line in actions.lines:
                text = f"{title}: {line.sentence}"
                for part in line.sentence:
                    if part.kind == "gml":
                        yield from self._words(part.text, text, f"#{word}")
                    elif part.kind not in ("", "colour"):
                        yield Mention(part.kind, part.text, text, f"#{word}")
                for row in (line.code or "").splitlines():
                    yield from self._words(row, f"{title}: {row.strip()}", f"#{word}")

    def _room(self, room: Room) -> Iterator[Mention]:
        record = room.record
        for index, count in Counter(instance.object for instance in record.instances).items():
            said = f"{count} instance{'' if count == 1 else 's'}"
            yield from self._referred("objects", index, said)
        for background in record.backgrounds:
            said = "a foreground" if background.foreground else "a background"
            yield from self._referred("backgrounds", background.background, said)
        for index, count in Counter(tile.background for tile in record.tiles).items():
            said = f"{count} tile{'' if count == 1 else 's'}"
            yield from self._referred("backgrounds", index, said)
        yield from self._code(record.creation_code, "#creation.gml-L")
        for placed in record.instances:
            if placed.creation_code:
                yield from self._code(placed.creation_code, f"#instance_{placed.id}.gml-L")

    def _code(self, source: str, anchor: str) -> Iterator[Mention]:
        """The names in code; ``anchor`` stands before the number of a line."""
        for number, line in enumerate(source.splitlines(), 1):
            yield from self._words(line, line, f"{anchor}{number}")

    def _words(self, code: str, text: str, anchor: str) -> Iterator[Mention]:
        for word in _WORD.findall(code):
            for kind in self.names.get(word, ()):
                yield Mention(kind, word, text, anchor)
