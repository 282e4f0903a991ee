"""Loose parts of a project of GameMaker Studio 2 and later: code, folders, inheritance."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from overhaul.gamemaker.ide.files import ProjectFiles
from overhaul.gamemaker.ide.listing import KINDS, ListedEntry
from overhaul.gamemaker.ide.modern import ModernProject
from overhaul.gamemaker.ide.references import NO_ID
from overhaul.gamemaker.ide.values import Json, Steps, list_at, text_at

#: How the names of events begin, by their types.
EVENT_WORDS: Final = (
    "Create", "Destroy", "Alarm", "Step", "Collision", "Keyboard", "Mouse", "Other", "Draw",
    "KeyPress", "KeyRelease", "Trigger", "CleanUp", "Gesture", "PreCreate",
)  # fmt: skip
_COLLISION: Final = 4
#: Members that are true where something is inherited.
_INHERITS: Final = ("inheritLayerSettings", "inheritLayerDepth")
#: Folders of a project that have no resources.
_OTHERS: Final = frozenset(("options", "datafiles", "datafiles_yy", "views", "configs"))


def events_of(value: Json) -> list[str]:
    """The names of the files of the events of an object, in their order, without an ending."""
    return [_event(row) for row in list_at(value, "eventList")]


def _event(row: Json) -> str:
    members = row if isinstance(row, dict) else {}
    kind = members.get("eventType", members.get("eventtype"))
    number = members.get("eventNum", members.get("enumb"))
    if kind == _COLLISION:
        name = text_at(row, "collisionObjectId", "name") or text_at(row, "id")
        return f"{EVENT_WORDS[_COLLISION]}_{name}"
    is_known = isinstance(kind, int) and 0 <= kind < len(EVENT_WORDS)
    return f"{EVENT_WORDS[kind]}_{number}" if is_known and isinstance(kind, int) else ""


def code_of_no_event(files: ProjectFiles, folder: str, value: Json) -> list[str]:
    """The files of code in the folder of an object that no event has."""
    known = {f"{name}.gml".casefold() for name in events_of(value)}
    return [
        name for name in files.listing(folder)[0]
        if name.endswith(".gml") and name.casefold() not in known
    ]  # fmt: skip


def folders_of_nothing(
    files: ProjectFiles, listed: Collection[str]
) -> Iterator[tuple[str, list[str]]]:
    """Folders of a resource that have files, and none of a resource, by the folder of the kind;
    ``listed`` are those of resources that the project lists, in small letters."""
    for kind in sorted(set(files.listing("")[1]) & KINDS.keys() - _OTHERS):
        found = []
        for name in files.listing(kind)[1]:
            inside, folders = files.listing(f"{kind}/{name}")
            is_listed = f"{kind}/{name}".casefold() in listed
            has_own = is_listed or any(one.endswith(".yy") for one in inside)
            if (inside or folders) and not has_own:
                found.append(f"{kind}/{name}")
        if found:
            yield kind, found


def folders_without_an_outer(project: ModernProject) -> Iterator[tuple[Steps, str, str]]:
    """Folders of the asset browser that are in one that is not there: the place, both paths."""
    for number, row in enumerate(list_at(project.value, "Folders")):
        path = text_at(row, "folderPath")
        outer = path.removesuffix(".yy").rpartition("/")[0]
        if outer not in ("", "folders") and f"{outer}.yy" not in project.folders:
            yield ("Folders", number, "folderPath"), path, f"{outer}.yy"


def inherited_of_nothing(entry: ListedEntry, value: Json) -> Iterator[tuple[Steps, str, bool]]:
    """The inheritances of a room without a parent: the place, the kind, and whether it is usual."""
    if entry.kind != "room" or not isinstance(value, dict):
        return
    parent = value.get("parentRoom") or value.get("parentId", NO_ID) != NO_ID
    if not parent:
        yield from _inherited(value, ())


def _inherited(value: Json, steps: Steps) -> Iterator[tuple[Steps, str, bool]]:
    for number, layer in enumerate(list_at(value, "layers")):
        at = (*steps, "layers", number)
        name = text_at(layer, "name")
        if isinstance(layer, dict) and any(layer.get(key) is True for key in _INHERITS):
            yield at, f"the layer {name}", True
        for index, row in enumerate(list_at(layer, "instances")):
            members = row if isinstance(row, dict) else {}
            origin = members.get("inheritedItemId") or members.get("m_originalParentID")
            if origin not in (None, NO_ID):
                yield (*at, "instances", index), f"the instance {text_at(row, 'name')}", False
        yield from _inherited(layer, at)
