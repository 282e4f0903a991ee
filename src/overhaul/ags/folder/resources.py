"""The things of a game as files of their own: ``characters/cEgo.json``, ``guis/gInventory.json``.

What game data stores of a kind is a list of rows in one JSON object
(:mod:`overhaul.ags.folder.stored_game`).  A thing's file has its row, in the editor's words, and
its ``ID``: its number.  It is named after what scripts call the thing, which is how people, mods
and ``diff`` know it; the number is how the game does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from overhaul.ags.folder import forms
from overhaul.ags.game.records import GameContent
from overhaul.ags.game.resources import InventoryItem
from overhaul.ags.shapes import Hints, Json, Steps
from overhaul.ags.versions import ROOM_PROPERTIES
from overhaul.ags.words import Object, defaults
from overhaul.document.hints import Hint
from overhaul.document.names import FileNames
from overhaul.document.plainfiles import Folder
from overhaul.errors import FormatError, PlainFileError
from overhaul.folder.json_fields import (
    at_key,
    expect_integer,
    in_file,
    read_object,
)

ID: Final = "ID"
#: The kind whose number 0 is never used, and has no file where it is as editors write it.
INVENTORY: Final = "inventory"
#: A view that was removed before others: it has no file, unless it is the last one.
VIEWS: Final = "views"
EMPTY_VIEW: Final[Json] = {"loops": [], "name": ""}
_ENDING: Final = ".json"
#: The custom properties of the inventory item 0, which editors write in the first format.
_NO_PROPERTIES: Final[Json] = {"format": 1, "old_values": []}


@dataclass(frozen=True, slots=True)
class ThingKind:
    """A kind of thing: the key of its ``rows`` in the stored object ``file``, the ``folder`` of its
    files, the ID of the ``first``, its ``words``, and the field that has its ``name``."""

    rows: str
    file: str
    folder: str
    words: Callable[[int], Object]
    name: str
    first: int = 0

    @property
    def prefix(self) -> str:
        """What the paths of its files begin with."""
        return f"{self.folder}/"

    def has(self, path: str) -> bool:
        """Whether a path is that of a thing's file."""
        return path.startswith(self.prefix) and path.endswith(_ENDING) and path.count("/") == 1

    def hint(self, version: int) -> Hint:
        """What may stand in the file of a thing."""
        return thing_hint(self.words(version).hints())


def thing_hint(fields: Hints) -> Hint:
    """What may stand in the file of a thing that has an ID, and these fields."""
    known: Hints = {ID: (Hint("integer", 0), None), **fields}
    return Hint("object", record=lambda: known)


KINDS: Final = (
    ThingKind("characters", "characters.json", "characters", forms.character, "script_name"),
    ThingKind(INVENTORY, "inventory.json", INVENTORY, forms.inventory_item, "script_name"),
    ThingKind("cursors", "cursors.json", "cursors", forms.cursor, "name"),
    ThingKind("views", "views.json", "views", forms.view, "name", 1),
    ThingKind("dialogs", "dialogs.json", "dialogs", forms.dialog, "script_name"),
    ThingKind("fonts", "game.json", "fonts", forms.font, ""),
    ThingKind("audio_clips", "audio.json", "audio_clips", forms.audio_clip, "script_name"),
)
KINDS_OF: Final[dict[str, ThingKind]] = {kind.rows: kind for kind in KINDS}


def paths(kind: ThingKind, names: Iterable[str]) -> list[str]:
    """The paths of things by their names, in their order; those without a name have their ID."""
    unique = FileNames()
    return [
        f"{kind.prefix}{unique(name.split(chr(0))[0] or str(number))}{_ENDING}"
        for number, name in enumerate(names, kind.first)
    ]


def row_names(kind: ThingKind, rows: Sequence[Mapping[str, object]]) -> list[str]:
    """The names of things, by their rows."""
    return [str(row.get(kind.name, "")) for row in rows]


def inventory_names(content: GameContent) -> list[str]:
    """What scripts call the inventory items, item 0 included."""
    named = content.inventory_script_names
    return [named[at] if at < len(named) else "" for at in range(len(content.inventory))]


# --- showing --------------------------------------------------------------------------------


def show(
    kind: ThingKind, rows: Sequence[Json], version: int
) -> Iterator[tuple[str, Callable[[], Json]]]:
    """(path, what shows it) of each thing's file."""
    shape = kind.words(version)
    for number, path in enumerate(paths(kind, row_names(kind, rows))):
        if kind.rows == INVENTORY and not number and rows[0] == _no_item(rows[0]):
            continue
        if kind.rows == VIEWS and rows[number] == EMPTY_VIEW and number < len(rows) - 1:
            continue
        yield path, _ThingWriter(shape, number + kind.first, rows[number])


class _ThingWriter:
    """Shows a thing."""

    __slots__ = ("_number", "_row", "_shape")

    def __init__(self, shape: Object, number: int, row: Json) -> None:
        self._shape = shape
        self._number = number
        self._row = row

    def __call__(self) -> Json:
        return {ID: self._number, **self._shape.shown(self._row)}


def _no_item(row: Mapping[str, object]) -> Json:
    """The inventory item 0 as editors write it, as far as a row has it."""
    usual = {
        **defaults(InventoryItem),
        "script_name": "",
        "properties": _NO_PROPERTIES,
    }
    return {key: usual[key] for key in row if key in usual}


# --- reading --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ValuePlace:
    """Where a stored value is in the folder: its file, the steps before it, and its words."""

    path: str
    before: tuple[str | int, ...]
    shape: Object | None

    def key(self, row: object, steps: Steps) -> Steps:
        """The steps to the shown value for those to a stored one, in the row of the thing."""
        return [*self.before, *(steps if self.shape is None else self.shape.place(row, steps))]


class Rows:
    """The rows of a kind of thing, and where each is from."""

    def __init__(self) -> None:
        self.rows: list[Json] = []
        self.places: list[ValuePlace] = []
        #: the IDs of those that were removed between others
        self.gaps: list[int] = []


def numbered(
    folder: Folder,
    has: Callable[[str], bool],
    first: int,
    *,
    first_lacks: bool = False,
    gaps: list[int] | None = None,
    new: list[str] | None = None,
    known: int = 0,
) -> list[tuple[int, str, Json]]:
    """(ID, path, what it has) of the files of things, in the order of their IDs.

    Files without an ID get the next ones.  With ``first_lacks`` the first may have no file.
    ``gaps`` gets the IDs that lack before those of things that were ``known``, ``new`` the files
    without an ID.  Raises WorkspaceError where an ID is there twice, or another one lacks.
    """
    by_id: dict[int, tuple[str, Json]] = {}
    without: list[tuple[str, Json]] = []
    for path in folder.list():
        if not has(path):
            continue
        shown = read_object(folder.read(path), path)
        if ID not in shown:
            without.append((path, shown))
            if new is not None:
                new.append(path)
            continue
        with in_file(path), at_key(ID):
            number = expect_integer(shown.pop(ID), 0)
            if number in by_id:
                raise FormatError(f"{number} is the ID of {by_id[number][0]} too")
        by_id[number] = path, shown
    ordered = sorted(by_id)
    next_id = first + 1 if first_lacks and first not in by_id else first
    made: list[tuple[int, str, Json]] = []
    for number in ordered:
        path, shown = by_id[number]
        if gaps is not None and next_id < number < known:
            gaps += range(next_id, number)
            next_id = number
        if number != next_id:
            with in_file(path), at_key(ID):
                raise FormatError(
                    f"got {number}, but no file next to it has the ID {next_id}: things are known "
                    "by their numbers"
                )
        made.append((number, path, shown))
        next_id += 1
    return made + [(next_id + at, *each) for at, each in enumerate(without)]


def read(
    kind: ThingKind, folder: Folder, version: int, *, known: int = 0, blank: Json | None = None
) -> Rows:
    """The rows of a kind, from its files.  Raises WorkspaceError.

    IDs before those of the ``known`` first things may lack; with ``blank``, their rows are that.
    """
    made = Rows()
    shape = kind.words(version)
    is_inventory = kind.rows == INVENTORY
    new: list[str] = []
    files = numbered(
        folder,
        kind.has,
        kind.first,
        first_lacks=is_inventory,
        gaps=made.gaps,
        new=new,
        known=kind.first + known,
    )
    if is_inventory and files and files[0][0] != kind.first:  # item 0, which has no file
        made.rows.append(item_0(version))
        made.places.append(ValuePlace(files[0][1], (), None))
    for number, path, shown in files:
        while blank is not None and len(made.rows) + kind.first < number:
            made.rows.append(dict(blank))
            made.places.append(ValuePlace(path, (), None))
        with in_file(path):
            made.rows.append(shape.stored(shown))
        made.places.append(ValuePlace(path, (), shape))
    _check_new(kind, made, new)
    return made


def _check_new(kind: ThingKind, made: Rows, new: Sequence[str]) -> None:
    """Raise WorkspaceError where the file of a new thing is called otherwise than the thing."""
    if not new:
        return
    names = row_names(kind, made.rows)
    called = paths(kind, names)
    for name, path, place in zip(names, called, made.places, strict=True):
        if place.path in new and place.path != path and name.isascii():
            raise PlainFileError(
                f"the file of a new thing is called by its name: {path}", place.path
            )


def item_0(version: int) -> Json:
    """The inventory item 0, which is never used and has no file."""
    return {"properties": _NO_PROPERTIES} if version >= ROOM_PROPERTIES else {}


def refuse_list(name: str, path: str, prefix: str) -> None:
    """Raise WorkspaceError for a list of things, which have files of their own."""
    raise PlainFileError(f"the list is not read: each of them is a file in {prefix}", path, name)
