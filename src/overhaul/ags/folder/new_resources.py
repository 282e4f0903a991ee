"""The files of new things of a game: a character, an item, a cursor, a view, a dialog, a GUI or a
room.

A new thing has the settings of the first of its kind without what that one does: no events,
items, controls or options.  A new room is as large as another one of the game, and empty.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from PIL import Image

from overhaul.ags.folder import resources
from overhaul.ags.images import open_png
from overhaul.ags.shapes import Json
from overhaul.ags.words import is_behind_end
from overhaul.document.names import escape_name
from overhaul.document.plainfiles import Change, Folder, readers
from overhaul.document.protocol import Document
from overhaul.document.registry import folder_format_of
from overhaul.errors import WorkspaceError
from overhaul.folder.json_fields import in_file, json_bytes, read_object

#: The names that ``Resource.kind`` has for the kinds of things.
KINDS: Final[dict[str, resources.ThingKind]] = {
    "character": resources.KINDS_OF["characters"],
    "inventory": resources.KINDS_OF[resources.INVENTORY],
    "cursor": resources.KINDS_OF["cursors"],
    "view": resources.KINDS_OF["views"],
    "dialog": resources.KINDS_OF["dialogs"],
    "gui": resources.GUIS,
}
NOTES: Final = {
    "character": "in no room",
    "view": "with one loop of one frame",
    "gui": "without controls",
    "dialog": "without options",
}
ROOM: Final = "room"
ROOM_NOTE: Final = "called by its number, such as 12; empty, as large as another room"
#: The lines of a dialog before 3.1.
LINES: Final = b"@S  // dialog startup entry point\nreturn\n"
#: Properties and events of a thing that a new one of its kind does not have.
_OWN: Final = frozenset(
    (resources.ID, "Interactions", "Properties", "Inventory", "Controls", "Options", "OnClick",
     "UnusedControls", "UnusedOptions", "PlayerStartsWithItem", "StandardMode", "short_name",
     "TextWindow", "on", "on_click", "option_count", "script", "ActiveInventory")
)  # fmt: skip
#: The words of names: the first one that a thing has is what scripts call it.
_NAMES: Final = ("ScriptName", "Name")
_TITLES: Final = ("RealName", "Description")
_ROOM_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,8}")


def new_thing(kind: str, name: str, first: Json | None) -> Mapping[str, bytes]:
    """The file of a new thing; ``first`` is the first one of its kind as its file shows it.

    Raises WorkspaceError where things of this kind have no names.
    """
    known = KINDS[kind]
    shown: Json = {}
    field = "ScriptName" if kind == "character" else "Name"
    if first is not None:
        found = next((each for each in _NAMES if each in first), "")
        if not found:
            raise WorkspaceError(f"{known.rows} of this version have no names: duplicate one")
        field = found
        shown = {
            key: value
            for key, value in first.items()
            if key not in _OWN and not is_behind_end(value)
        }
    shown[field] = name
    shown.update({title: name for title in _TITLES if title in shown})
    if "StartingRoom" in shown:
        shown["StartingRoom"] = -1
    if kind == "view":
        if first is not None and "Loops" not in first:
            raise WorkspaceError("views of this version have other parts: duplicate one")
        shown["Loops"] = _loops(first)
    return {f"{known.prefix}{escape_name(name)}.json": json_bytes(shown)}


def _loops(first: Json | None) -> list[Json]:
    """One loop with one frame of the sprite 0, with what loops and frames of the game have."""
    loop: Json = {"RunNextLoop": False}
    frame: Json = {"Image": 0, "Flipped": False, "Delay": 0}
    listed = None if first is None else first.get("Loops")
    for item in listed if isinstance(listed, list) else ():
        frames = item.get("Frames") if isinstance(item, dict) else None
        if isinstance(frames, list) and frames and isinstance(frames[0], dict):
            loop = {key: value for key, value in item.items() if key in loop}
            frame = {key: value for key, value in frame.items() if key in frames[0]}
            break
    return [{**loop, "Frames": [frame]}]


# --- rooms ----------------------------------------------------------------------------------


def new_room(
    name: str, folder: str, files: Sequence[str], read: Callable[[str], bytes]
) -> dict[str, bytes]:
    """The files of an empty room; ``files`` are those of another room, in its ``folder``.

    Raises WorkspaceError for a name that is not a number.
    """
    if _ROOM_NUMBER.fullmatch(name) is None:
        raise WorkspaceError(f"a room is called by its number, such as 12: got {name[:40]!r}")
    made: dict[str, bytes] = {}
    for path in files:
        short = path[len(folder) :]
        if short == "room.json":
            made[short] = json_bytes(_empty_room(read_object(read(path), path)))
        elif short.endswith(".png") and "/" not in short:
            made[short] = _blank(read(path), path)
        elif short == "script.asc":
            made[short] = b"// room script file\n"
    return {f"rooms/{name}/{short}": data for short, data in made.items()}


def made_room(
    room: Document, had: Mapping[str, bytes], made: Mapping[str, bytes], old: str, new: str
) -> bytes:
    """The file of a new room: another one, whose files (in the folder ``old``) become those that
    were ``made`` (in ``new``)."""
    known = folder_format_of(room.kind)
    files = {path[len(new) :]: data for path, data in made.items()}
    changes: dict[str, Change] = {
        path[len(old) :]: "removed" for path in had if path[len(old) :] not in files
    }
    changes |= dict.fromkeys(files, "changed")
    known.apply(room, Folder.of(readers(files), known.settings(room)), changes)
    return bytes(room.to_bytes())


def _empty_room(shown: Json) -> Json:
    """A room's settings without what stands and happens in it."""
    made = {key: value for key, value in shown.items() if key != "Objects"}
    if "Objects" in shown:
        made["Objects"] = []
    _without_events(made)
    for rows in ("Hotspots", "Regions", "WalkableAreas", "WalkBehinds"):
        listed = made.get(rows)
        if isinstance(listed, list):
            made[rows] = [_empty_row(rows, row) for row in listed]
    return made


def _empty_row(rows: str, row: object) -> object:
    if not isinstance(row, dict):
        return row
    made: Json = {key: value for key, value in row.items() if not is_behind_end(value)}
    _without_events(made)
    if rows == "Hotspots":
        for key, value in (("Description", ""), ("Name", f"hHotspot{made.get('ID')}")):
            if key in made:
                made[key] = value
    return made


def _without_events(made: Json) -> None:
    events = made.get("Interactions")
    if isinstance(events, dict | list):
        made["Interactions"] = type(events)()


def _blank(data: bytes, path: str) -> bytes:
    """A picture of the same size and kind, all of its first colour."""
    with in_file(path):
        picture = open_png(data)
    made = Image.new(picture.mode, picture.size)
    palette = picture.getpalette() if picture.mode == "P" else None
    if palette is not None:
        made.putpalette(palette)
    out = io.BytesIO()
    made.save(out, "PNG")
    return out.getvalue()
