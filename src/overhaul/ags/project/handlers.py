"""The functions that the events of a project and of its rooms run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from overhaul.ags.project.document import things_in
from overhaul.ags.room.room import Room
from overhaul.document.xmltext import XmlNode

MAIN: Final = "GlobalScript.asc"
_EVENTS: Final = ("OnClick", "OnChange", "OnActivate", "OnSelectionChanged")


class Handler(NamedTuple):
    """The ``function`` that an event of the thing ``owner`` runs: it is in ``script``, whose name
    may be in other letters; ``node`` is the element with its name."""

    script: str
    function: str
    owner: str
    node: XmlNode


def handlers_of(game: XmlNode) -> Iterator[Handler]:
    """The functions that events of characters, inventory items and GUIs run."""
    for listed, tag in (("Characters", "Character"), ("InventoryItems", "InventoryItem")):
        for thing in _listed(game, listed, tag):
            owner = thing.value("ScriptName") or thing.value("Name")
            script = thing.value("Interactions/ScriptModule") or MAIN
            found = thing.find("Interactions")
            for node in () if found is None else found.all("Event"):
                if node.text:
                    yield Handler(script, node.text, owner, node)
    for gui in _listed(game, "GUIs", "GUIMain"):
        window = gui.children[0] if gui.children else gui
        script = window.value("ScriptModule") or MAIN
        controls = gui.find("Controls")
        for control in (window, *(() if controls is None else controls.children)):
            for node in control.children:
                if node.tag in _EVENTS and node.text:
                    owner = control.value("Name") or window.value("Name")
                    yield Handler(script, node.text, owner, node)


def handlers_in(room: Room) -> list[str]:
    """The functions that events of a room and of its things run, each once."""
    main = room.main
    if main is None:
        return []
    lists = [main.room_events]
    for events in (main.hotspot_events, main.object_events, main.region_events):
        lists += events
    return list(dict.fromkeys(name for names in lists for name in names if name))


def _listed(game: XmlNode, listed: str, tag: str) -> Iterator[XmlNode]:
    section = game.find(listed)
    return iter(()) if section is None else things_in(section, tag)
