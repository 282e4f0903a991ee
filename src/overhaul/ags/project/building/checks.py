"""The editor's checks of a project before it builds it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from overhaul.ags.project.building.reading import listed_elements, number, text_of
from overhaul.ags.project.building.releases import Release
from overhaul.ags.project.handlers import handlers_of
from overhaul.ags.script.model import Script
from overhaul.document.xmltext import XmlNode
from overhaul.findings import Finding

#: How many channels the types of sounds may reserve, in each release.
_CHANNELS: Final = (((3, 6, 2), 31), ((3, 6), 15), ((3, 5, 1), 7))
#: (message, element at fault, code)
Fault = tuple[str, XmlNode, str]


def faults(game: XmlNode, release: Release) -> Iterator[Fault]:
    """The faults that keep a project from being built."""
    settings = game.find("Settings") or game
    people = {number(node, "ID"): node for node in listed_elements(game, "Characters", "Character")}
    views = list(listed_elements(game, "Views", "View"))
    rooms = {number(node, "Number") for node in listed_elements(game, "Rooms", "UnloadedRoom")}
    guis = sum(1 for _ in listed_elements(game, "GUIs", "GUIMain"))
    player = number(game, "PlayerCharacter", -1)
    if player not in people:
        yield (
            "the game has no player character", game.find("PlayerCharacter") or game, "missing-name"
        )  # fmt: skip
    else:
        room = number(people[player], "StartingRoom")
        if room not in rooms:
            node = people[player].find("StartingRoom") or people[player]
            yield f"the player starts in room {room}, which the project lacks", node, "missing-name"
    known = {number(view, "ID") for view in views}
    for character in people.values():
        view = number(character, "NormalView")
        if view and view not in known:
            node = character.find("NormalView") or character
            name = text_of(character, "ScriptName")
            yield f"{name} has the view {view}, which the project lacks", node, "missing-name"
    yield from _doubles(game)
    seen: set[str] = set()
    for node in views:
        name = text_of(node, "Name").casefold()
        if name and name in seen:
            yield f"two views are called {text_of(node, 'Name')}", node, "duplicate"
        seen.add(name)
    options = number(settings, "DialogOptionsGUI")
    if options and not 0 <= options < guis:
        node = settings.find("DialogOptionsGUI") or settings
        yield f"the GUI {options} for options of dialogs is missing", node, "missing-name"
    yield from _channels(game, release)


def _doubles(game: XmlNode) -> Iterator[Fault]:
    """The rooms and views whose number another one has: the game has one of each number."""
    for listed, tag, key in (("Rooms", "UnloadedRoom", "Number"), ("Views", "View", "ID")):
        seen: set[int] = set()
        for node in listed_elements(game, listed, tag):
            given = number(node, key)
            if given in seen:
                kind = listed[:-1].lower()
                message = f"another {kind} has the number {given}: change one of them"
                yield message, node.find(key) or node, "duplicate"
            seen.add(given)


def _channels(game: XmlNode, release: Release) -> Iterator[Fault]:
    """The channels that types of sounds reserve."""
    most = next((count for since, count in _CHANNELS if release.since(*since)), None)
    types = list(listed_elements(game, "AudioClipTypes", "AudioClipType"))
    used = sum(number(node, "MaxChannels") for node in types)
    if most is not None and used > most:
        yield f"the types of sounds have {used} channels, of at most {most}", types[-1], "limit"


def unknown_sounds(
    game: XmlNode, place: Callable[[XmlNode], tuple[int, int]], file: str
) -> Iterator[Finding]:
    """Warnings about sounds of frames and of the score that the project lacks: none is played."""
    clips = {number(node, "Index") for node in listed_elements(game, "AudioClips", "AudioClip")}

    def lost(node: XmlNode, path: str) -> Iterator[XmlNode]:
        index, sound = number(node, path), node.find(path)
        if sound is not None and index > 0 and index not in clips:
            yield sound

    for view in listed_elements(game, "Views", "View"):
        for frame in view.walk():
            for sound in lost(frame, "Sound") if frame.tag == "ViewFrame" else ():
                message = (
                    f"a frame of the view {text_of(view, 'Name')} plays the sound {sound.text}"
                )
                yield _without_sound(message, sound, place, file)
    for sound in lost(game, "Settings/PlaySoundOnScore"):
        yield _without_sound(f"the score plays the sound {sound.text}", sound, place, file)


def _without_sound(
    message: str, node: XmlNode, place: Callable[[XmlNode], tuple[int, int]], file: str
) -> Finding:
    said = f"{message}, which the project lacks"
    return Finding("warning", "missing-name", said, file, node.tag, *place(node))


def unknown_handlers(
    game: XmlNode,
    scripts: Mapping[str, Script],
    place: Callable[[XmlNode], tuple[int, int]],
    file: str,
) -> Iterator[Finding]:
    """Warnings about events that run a function which their script lacks."""
    exported = {
        name.casefold(): {export.name.partition("$")[0] for export in script.exports}
        for name, script in scripts.items()
    }
    for handler in handlers_of(game):
        if handler.function not in exported.get(handler.script.casefold(), ()):
            message = f"the event runs {handler.function}, which its script lacks"
            node = handler.node
            yield Finding("warning", "missing-name", message, file, node.tag, *place(node))
