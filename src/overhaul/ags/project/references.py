"""References of a project's things: to views, sprites, fonts, and names that must be unique.

A fault that was there before is not a fault of the edit, as projects refer to things that were
deleted long ago. In a folder without its original all of it is worth a warning. Functions that
events run are in scripts, which lie next to the project and not in its folder.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Final, NamedTuple

from overhaul.ags.game.gui import Button, Gui, Slider
from overhaul.ags.game.resources import Character, Cursor, Frame, InventoryItem
from overhaul.ags.project.document import LISTS, ProjectDocument, things_in
from overhaul.ags.words import words_with
from overhaul.document.xmltext import XmlNode
from overhaul.errors import PlainFileError
from overhaul.findings import Findings

#: The elements with the number of a view; 0 is none.
_VIEWS: Final = {
    "Character": words_with("views", Character),
    "MouseCursor": words_with("views", Cursor),
}
#: The elements with the number of a sprite, in things and what is in them; 0 is none.
_SPRITES: Final = frozenset(
    words_with("sprites", InventoryItem, Cursor, Frame, Gui, Button, Slider)
)
_FONT: Final = "Font"


class DeadReference(NamedTuple):
    """A reference to what is not there: the thing (None: the settings), the element with its
    ``value``, the message, and what the thing is called."""

    thing: XmlNode | None
    key: str
    value: str
    message: str
    name: str = ""

    @property
    def mark(self) -> tuple[str, str, str, str]:
        """A value that stays the same when an edit changes something else."""
        return (self.thing.tag if self.thing is not None else "", self.key, self.message, self.name)


def check(
    before: Iterable[DeadReference] | None,
    after: Iterable[DeadReference],
    place: Callable[[DeadReference], tuple[str, str]],
) -> Findings:
    """Raise PlainFileError for the first finding that was not there before.

    ``before`` is None where there was nothing: then warnings are returned.  ``place`` gives the
    file of a finding and the key in it.
    """
    known = Counter() if before is None else Counter(finding.mark for finding in before)
    findings = Findings()
    for finding in after:
        if known[finding.mark]:
            known[finding.mark] -= 1
            continue
        file, key = place(finding)
        if before is not None:
            raise PlainFileError(finding.message, file, key)
        findings.warn("missing-name", finding.message, file, key)
    return findings


def steps_to(shown: object, key: str, value: str) -> tuple[str | int, ...]:
    """The steps in JSON to the field ``key`` with a value; empty without one."""
    rows: Iterable[tuple[str | int, object]] = ()
    if isinstance(shown, dict):
        rows = shown.items()
        if key in shown and str(shown[key]) == value:
            return (key,)
    elif isinstance(shown, list):
        rows = enumerate(shown)
    for step, inner in rows:
        if isinstance(inner, dict | list):
            steps = steps_to(inner, key, value)
            if steps:
                return (step, *steps)
    return ()


def in_project(document: ProjectDocument) -> Iterator[DeadReference]:
    """The references of a project to what it does not have."""
    project = _Project(document)
    yield from project.player()
    for listed, tag, key in LISTS:
        things = list(document.things(listed, tag))
        if key:
            yield from _names(things, key)
        for thing in things:
            yield from project.in_thing(thing, _name(thing, key))


def _name(thing: XmlNode, key: str) -> str:
    inner = thing.children[0] if thing.tag == "GUIMain" and thing.children else thing
    return inner.value(key) if key else inner.value("ID")


def _names(things: Iterable[XmlNode], key: str) -> Iterator[DeadReference]:
    """Names are there once."""
    seen: set[str] = set()
    for thing in things:
        name = _name(thing, key)
        if name and name in seen:
            yield DeadReference(thing, key, name, f"{name!r} is the name of another one too", name)
        seen.add(name)


def _numbers(document: ProjectDocument, listed: str, tag: str, key: str = "ID") -> set[str]:
    return {thing.value(key) for thing in document.things(listed, tag)}


class _Project:
    """The names that can be referred to; a set is empty where nothing is known."""

    def __init__(self, document: ProjectDocument) -> None:
        self.game = document.game
        self.characters = _numbers(document, "Characters", "Character")
        self.views = _numbers(document, "Views", "View")
        self.fonts = _numbers(document, "Fonts", "Font")
        self.cursors = _numbers(document, "Cursors", "MouseCursor")
        self.types = _numbers(document, "AudioClipTypes", "AudioClipType", "TypeID")
        sprites = self.game.find("Sprites")
        self.sprites = {
            node.attributes.get("Slot", "")
            for node in (() if sprites is None else things_in(sprites, "Sprite"))
        }

    def player(self) -> Iterator[DeadReference]:
        """The player is a character."""
        number = self.game.value("PlayerCharacter")
        if number and number not in self.characters:
            yield DeadReference(
                None, "PlayerCharacter", number, f"no character has the ID {number}"
            )

    def in_thing(self, thing: XmlNode, name: str) -> Iterator[DeadReference]:
        """The references of a thing."""
        for key in _VIEWS.get(thing.tag, ()):
            number = thing.value(key)
            if number.isdecimal() and number != "0" and number not in self.views:
                yield DeadReference(thing, key, number, f"there is no view {number}", name)
        if thing.tag == "AudioClip":
            yield from self._one_of(thing, thing, "Type", self.types, "type of sounds", name)
        for node in thing.walk():
            if node.tag in _SPRITES:
                slot = node.text
                if self.sprites and slot.isdecimal() and slot != "0" and slot not in self.sprites:
                    yield DeadReference(thing, node.tag, slot, f"there is no sprite {slot}", name)
            elif node.tag.startswith("GUI"):
                yield from self._in_control(thing, node, f"{name}.{node.value('Name')}")

    def _in_control(self, thing: XmlNode, control: XmlNode, name: str) -> Iterator[DeadReference]:
        yield from self._one_of(thing, control, _FONT, self.fonts, "font", name)
        if control.value("ClickAction") == "SetCursorMode":
            yield from self._one_of(thing, control, "NewModeNumber", self.cursors, "cursor", name)
        yield from self._one_of(thing, control, "CharacterID", self.characters, "character", name)

    @staticmethod
    def _one_of(
        thing: XmlNode, node: XmlNode, key: str, known: Collection[str], what: str, name: str
    ) -> Iterator[DeadReference]:
        number = node.value(key)
        if known and number.isdecimal() and number not in known:
            yield DeadReference(thing, key, number, f"there is no {what} {number}", name)
