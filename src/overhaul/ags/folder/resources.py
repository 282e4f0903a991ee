"""The things of a game as files of their own: ``characters/cEgo.json``, ``guis/gInventory.json``.

A thing's file has its row, in the editor's words, and its ``ID``: its number.  It is named after
what scripts call the thing, which is how people, mods and ``diff`` know it; the number is how the
game does.

A GUI's file has its window with its controls. Game data stores lists of windows and of controls
by type; a window refers to its controls by type and number. Where the references are in order,
as editors write them, the lists follow from the files. Other game data keeps its lists in
gui.json.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from overhaul.ags.folder import forms
from overhaul.ags.folder.references import FILES
from overhaul.ags.game.game import Game
from overhaul.ags.game.gui import GuiSection
from overhaul.ags.game.kinds import CONTROLS, NEW_DIALOGS
from overhaul.ags.game.records import GameContent
from overhaul.ags.game.resources import InventoryItem
from overhaul.ags.parallel import Thing, things_of
from overhaul.ags.shapes import Hints, Json, Steps
from overhaul.ags.versions import GUI_COUNTED_CONTROLS, ROOM_PROPERTIES
from overhaul.ags.words import Object, defaults
from overhaul.document.hints import ANY, Hint
from overhaul.document.names import FileNames
from overhaul.document.plainfiles import Folder
from overhaul.errors import FormatError, PlainFileError
from overhaul.folder.json_fields import (
    at_key,
    expect_integer,
    expect_list,
    expect_object,
    expect_text,
    in_file,
    read_object,
)

ID: Final = "ID"
#: The kind whose number 0 is never used, and has no file where it is as editors write it.
INVENTORY: Final = "inventory"
#: A view that was removed before others: it has no file, unless it is the last one.
VIEWS: Final = "views"
EMPTY_VIEW: Final[Json] = {"loops": [], "name": ""}
GUI_JSON: Final = FILES["guis"]
GUI_VERSION: Final = "gui_version"
_ENDING: Final = ".json"
#: The custom properties of the inventory item 0, which editors write in the first format.
_NO_PROPERTIES: Final[Json] = {"format": 1, "old_values": []}
_CONTROLS: Final = "Controls"
_UNUSED: Final = "UnusedControls"
_TYPE: Final = "Type"
_REFERENCES: Final = "control_references"
_COUNT: Final = "control_count"
#: Before GUIs have as many references as controls there are 30, whatever the count says.
_OLD_REFERENCES: Final = 30


def as_list(value: object) -> list[object]:
    """A value that is a list; else an empty one."""
    return value if isinstance(value, list) else []


def dicts_in(value: object) -> list[Json]:
    """The objects in a value that is a list."""
    return [row for row in as_list(value) if isinstance(row, dict)]


@dataclass(frozen=True, slots=True)
class ValuePlace:
    """Where a stored value is in the folder: its file, the steps before it, and its words."""

    path: str
    before: tuple[str | int, ...]
    shape: Object | None

    def key(self, row: object, steps: Steps) -> Steps:
        """The steps to the shown value for those to a stored one, in the row of the thing."""
        return [*self.before, *(steps if self.shape is None else self.shape.place(row, steps))]


@dataclass(slots=True)
class Rows:
    """The rows of a kind of thing, by the list that has them, and where each is from."""

    lists: dict[str, list[Json]]
    places: dict[str, list[ValuePlace]] = field(default_factory=dict)
    #: how many files the things have, and the IDs of things that were removed between others
    files: int = 0
    gaps: list[int] = field(default_factory=list)

    def add(self, rows: str, row: Json, place: ValuePlace) -> int:
        """Add a row to a list; return its number."""
        self.lists[rows].append(row)
        self.places.setdefault(rows, []).append(place)
        return len(self.lists[rows]) - 1


@dataclass(frozen=True, slots=True)
class ThingKind:
    """A kind of thing.

    ``rows`` is its key in its stored object, and the name of its folder; ``name`` the field that
    has its name, ``first`` the ID of the first one.
    """

    rows: str
    words: Callable[[int], Object]
    name: str
    first: int = 0

    @property
    def file(self) -> str:
        """The path of the stored object that has its rows."""
        return FILES[self.rows]

    @property
    def prefix(self) -> str:
        """The beginning of the paths of its files."""
        return f"{self.rows}/"

    def has(self, path: str) -> bool:
        """Whether a path is that of a thing's file."""
        return path.startswith(self.prefix) and path.endswith(_ENDING) and path.count("/") == 1

    def paths(self, names: Iterable[str]) -> list[str]:
        """The paths of things by their names, in their order; those without a name have their
        ID."""
        unique = FileNames()
        return [
            f"{self.prefix}{unique(name.split(chr(0))[0] or str(number))}{_ENDING}"
            for number, name in enumerate(names, self.first)
        ]

    def paths_of(self, rows: Iterable[Mapping[str, object]]) -> list[str]:
        """The paths of things by their rows."""
        return self.paths(str(row.get(self.name, "")) for row in rows)

    def version(self, game: Game) -> int:
        """The version of its files in a game."""
        return game.version

    def hint(self, version: int) -> Hint:
        """The values that the file of a thing can have."""
        known: Hints = {ID: (Hint("integer", 0), None), **self.words(version).hints()}
        return Hint("object", record=lambda: known)

    def listed(self, game: Game, shown: Callable[[str], str]) -> list[tuple[int, str, Thing]]:
        """(ID, path, thing) of the things that have files; ``shown`` gives a name as people read
        it."""
        things = things_of(game.tables(), self.rows, shown)
        paths = self.paths(thing.text(self.name) for thing in things)
        numbered = enumerate(zip(paths, things, strict=True), self.first)
        return [
            (number, path, thing)
            for number, (path, thing) in numbered
            if not self._is_hidden(number, thing, is_last=thing is things[-1])
        ]

    def _is_hidden(self, number: int, thing: Thing, *, is_last: bool) -> bool:
        if self.rows == INVENTORY and number == self.first:
            row = thing.row()
            return row == _no_item(row)
        is_empty = self.rows == VIEWS and not is_last and thing.get("loops") == []
        return is_empty and thing.row() == EMPTY_VIEW

    def files(
        self, game: Game, shown: Callable[[str], str], rows: Sequence[Json] = ()
    ) -> list[tuple[str, Callable[[], Json]]]:
        """(path, what shows it) of each thing's file; the first things have these ``rows``."""
        words = self.words(self.version(game))
        return [
            (path, partial(self._shown, words, number, rows[number:], thing))
            for number, path, thing in self.listed(game, shown)
        ]

    @staticmethod
    def _shown(words: Object, number: int, rows: Sequence[Json], thing: Thing) -> Json:
        return {ID: number, **words.shown(rows[0] if rows else thing.row())}

    def read(
        self, folder: Folder, version: int, *, known: int = 0, blank: Json | None = None
    ) -> Rows:
        """The rows of a kind, from its files.  Raises WorkspaceError.

        IDs before those of the ``known`` first things may lack; with ``blank``, their rows are
        that.
        """
        made = Rows({self.rows: []})
        rows = made.lists[self.rows]
        shape = self.words(version)
        new: list[str] = []
        files = self.numbered(folder, gaps=made.gaps, new=new, known=known)
        if self.rows == INVENTORY and files and files[0][0] != self.first:
            made.add(self.rows, item_0(version), ValuePlace(files[0][1], (), None))
        for number, path, shown in files:
            while blank is not None and len(rows) + self.first < number:
                made.add(self.rows, dict(blank), ValuePlace(path, (), None))
            with in_file(path):
                row = shape.stored(shown)
            made.add(self.rows, row, ValuePlace(path, (), shape))
        made.files = len(files)
        if new:
            self._check_new(made, new)
        return made

    def _check_new(self, made: Rows, new: Sequence[str]) -> None:
        """Raise WorkspaceError where the file of a new thing is called otherwise than the thing."""
        rows = made.lists[self.rows]
        for number, path in enumerate(self.paths_of(rows)):
            own = made.places[self.rows][number].path
            if own in new and own != path and str(rows[number].get(self.name, "")).isascii():
                raise PlainFileError(f"the file of a new thing is called by its name: {path}", own)

    def numbered(
        self, folder: Folder, *, gaps: list[int], new: list[str] | None = None, known: int
    ) -> list[tuple[int, str, Json]]:
        """(ID, path, what it has) of the files of things, in the order of their IDs.

        Files without an ID get the next ones.  ``gaps`` gets the IDs that lack before those of the
        ``known`` first things, ``new`` the files without an ID.  Raises WorkspaceError where an ID
        is there twice, or another one lacks.
        """
        by_id: dict[int, tuple[str, Json]] = {}
        without: list[tuple[str, Json]] = []
        for path in filter(self.has, folder.list()):
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
        lacks_first = self.rows == INVENTORY and self.first not in by_id
        next_id = self.first + 1 if lacks_first else self.first
        made: list[tuple[int, str, Json]] = []
        for number in sorted(by_id):
            path, shown = by_id[number]
            if next_id < number < self.first + known:
                gaps += range(next_id, number)
                next_id = number
            if number != next_id:
                with in_file(path), at_key(ID):
                    raise FormatError(
                        f"got {number}, but no file next to it has the ID {next_id}: things are "
                        "known by their numbers"
                    )
            made.append((number, path, shown))
            next_id += 1
        return made + [(next_id + at, *each) for at, each in enumerate(without)]

    def is_listed(self, value: Mapping[str, object], files: int) -> bool:
        """Whether a stored object may have the list of the things, which then have no files.

        Raises WorkspaceError where it has the list, and the things have files of their own.
        """
        if self.rows in value:
            raise PlainFileError(
                f"the list is not read: each of them is a file in {self.prefix}",
                self.file,
                self.rows,
            )
        return False


class DialogKind(ThingKind):
    """Dialogs, which a block has in later games."""

    __slots__ = ()

    def version(self, game: Game) -> int:
        """The version of the dialogs."""
        return forms.IN_BLOCK if game.tables().kinds.get(self.rows) is NEW_DIALOGS else 0


KINDS: Final = (
    ThingKind("characters", forms.character, "script_name"),
    ThingKind(INVENTORY, forms.inventory_item, "script_name"),
    ThingKind("cursors", forms.cursor, "name"),
    ThingKind(VIEWS, forms.view, "name", 1),
    DialogKind("dialogs", forms.dialog, "script_name"),
    ThingKind("fonts", forms.font, "name"),
    ThingKind("audio_clips", forms.audio_clip, "script_name"),
)


def inventory_names(content: GameContent) -> list[str]:
    """The names of the inventory items in scripts, item 0 included."""
    named = content.inventory_script_names
    return [named[at] if at < len(named) else "" for at in range(len(content.inventory))]


def _no_item(row: Mapping[str, object]) -> Json:
    """The inventory item 0 as editors write it, as far as a row has it."""
    usual = {
        **defaults(InventoryItem),
        "script_name": "",
        "properties": _NO_PROPERTIES,
    }
    return {key: usual[key] for key in row if key in usual}


def item_0(version: int) -> Json:
    """The inventory item 0, which is never used and has no file."""
    return {"properties": _NO_PROPERTIES} if version >= ROOM_PROPERTIES else {}


# --- GUIs -----------------------------------------------------------------------------------


class GuiKind(ThingKind):
    """GUIs, each with its controls; they have a version of their own."""

    __slots__ = ()

    def version(self, game: Game) -> int:
        """The version of the GUIs."""
        return forms.GUI_VERSION if game.content is None else game.content.gui_version

    def hint(self, version: int) -> Hint:
        """The values that the file of a GUI can have."""
        kinds = forms.controls(version)
        control: Hints = {}
        for _, _, shape in kinds.values():
            for name, said in shape.hints().items():
                control[name] = said if control.get(name, said) == said else (ANY, None)
        control = {_TYPE: (Hint("choice", choices=tuple(kinds)), None), **control}
        listed = Hint("list", element=Hint("object", record=lambda: control))
        window = super().hint(version)
        assert window.record is not None
        known = {**window.record(), _CONTROLS: (listed, None)}
        return Hint("object", record=lambda: known)

    def listed(self, game: Game, shown: Callable[[str], str]) -> list[tuple[int, str, Thing]]:
        """(ID, path, thing) of the GUIs, which are in one file where they are not in order."""
        in_order = game.content is not None and controls_in(game.content.gui) is not None
        every = super().listed(game, shown)
        return [(number, path if in_order else GUI_JSON, thing) for number, path, thing in every]

    def files(
        self, game: Game, shown: Callable[[str], str], rows: Sequence[Json] = ()
    ) -> list[tuple[str, Callable[[], Json]]]:
        """(path, what shows it) of each window's file; none where they are not in order."""
        version = self.version(game)
        controls = {
            number: (name, things_of(game.tables(), listed), words)
            for name, (listed, number, words) in forms.controls(version).items()
        }
        words = self.words(version)
        return [
            (path, partial(self._window, words, number, thing, controls))
            for number, path, thing in self.listed(game, shown)
            if path != GUI_JSON
        ]

    @staticmethod
    def _window(
        words: Object,
        number: int,
        window: Thing,
        controls: Mapping[int, tuple[str, list[Thing], Object]],
    ) -> Json:
        """A window with its controls."""
        row = window.row()
        used = _used(row)
        left = as_list(row.get(_REFERENCES))[len(used) :]
        own = {k: v for k, v in row.items() if k not in (_REFERENCES, _COUNT)}
        shown = {ID: number, **words.shown(own)}
        if any(left):
            shown[_UNUSED] = left
        listed = []
        for reference in used:
            assert isinstance(reference, int)
            name, things, form = controls[reference >> 16]
            listed.append({_TYPE: name, **form.shown(things[reference & 0xFFFF].row())})
        shown[_CONTROLS] = listed
        return shown

    def read(
        self, folder: Folder, version: int, *, known: int = 0, blank: Json | None = None
    ) -> Rows:
        """The windows and controls, from the files.  Raises WorkspaceError."""
        kinds = forms.controls(version)
        made = Rows({"guis": [], **{listed: [] for listed, _, _ in kinds.values()}})
        shape = self.words(version)
        for _, path, shown in self.numbered(folder, gaps=made.gaps, known=known):
            with in_file(path):
                references = []
                with at_key(_CONTROLS):
                    for index, item in enumerate(expect_list(shown.pop(_CONTROLS, []))):
                        with at_key("", index):
                            control = dict(expect_object(item))
                            place = (path, (_CONTROLS, index))
                            references.append(_read_control(made, kinds, control, *place))
                row = self._read_window(shape, shown, references, version)
                made.add("guis", row, ValuePlace(path, (), shape))
            made.files += 1
        return made

    @staticmethod
    def _read_window(shape: Object, shown: Json, references: list[int], version: int) -> Json:
        with at_key(_UNUSED):
            left = expect_list(shown.pop(_UNUSED, []))
            for index, item in enumerate(left):
                with at_key("", index):
                    expect_integer(item)
        for name in (_REFERENCES, _COUNT):
            if name in shown:
                with at_key(name):
                    raise FormatError(f"it follows from {_CONTROLS}")
        row = shape.stored(shown)
        if version >= GUI_COUNTED_CONTROLS:
            return row | {_REFERENCES: references}
        count = len(references)
        if count > _OLD_REFERENCES:
            with at_key(_CONTROLS):
                raise FormatError(f"a GUI has at most {_OLD_REFERENCES}, got {count}")
        every = [*references, *left, *[0] * _OLD_REFERENCES]
        return row | {_COUNT: count, _REFERENCES: every[:_OLD_REFERENCES]}

    def is_listed(self, value: Mapping[str, object], files: int) -> bool:
        """See :meth:`ThingKind.is_listed`: lists that are not in order may be there."""
        if "guis" in value and not files and not _is_in_order(value):
            return True
        return super().is_listed(value, files)


def _is_in_order(stored: Mapping[str, object]) -> bool:
    """Whether each window's references are to the next controls of their types."""
    lengths = {
        number: len(as_list(stored.get(kind.name))) for number, kind in enumerate(CONTROLS, 1)
    }
    windows = as_list(stored.get("guis"))
    used = (_used(window) if isinstance(window, dict) else [None] for window in windows)
    return places_of_controls(used, lengths) is not None


def controls_in(section: GuiSection) -> dict[tuple[int, int], tuple[int, int]] | None:
    """See :func:`places_of_controls`."""
    used = [gui.control_references[: max(0, gui.control_count)] for gui in section.guis]
    counts = (len(getattr(section, kind.name)) for kind in CONTROLS)
    return places_of_controls(used, dict(enumerate(counts, 1)))


def places_of_controls(
    used: Iterable[Sequence[object]], lengths: Mapping[int, int]
) -> dict[tuple[int, int], tuple[int, int]] | None:
    """The window of each control, by its type and number, and its place there.

    ``used`` are the references of each window.  None where they are not to the next controls of
    their types, or not to all that the ``lengths`` of the lists say.
    """
    made: dict[tuple[int, int], tuple[int, int]] = {}
    counts = dict.fromkeys(lengths, 0)
    for number, references in enumerate(used):
        for place, reference in enumerate(references):
            if not isinstance(reference, int):
                return None
            kind, index = reference >> 16, reference & 0xFFFF
            if counts.get(kind) != index:
                return None
            made[kind, index] = number, place
            counts[kind] += 1
    return made if counts == lengths else None


def _used(window: Mapping[str, object]) -> list[object]:
    """The references of a window to its controls, without empty ones."""
    references = as_list(window.get(_REFERENCES))
    count = window.get(_COUNT, len(references))
    return references[: max(0, count if isinstance(count, int) else 0)]


def _read_control(
    made: Rows,
    kinds: Mapping[str, tuple[str, int, Object]],
    shown: Json,
    path: str,
    steps: tuple[str, int],
) -> int:
    """Add a control of a window's file to the list of its type; return the reference to it."""
    with at_key(_TYPE):
        name = expect_text(shown.pop(_TYPE, None))
        if name not in kinds:
            raise FormatError(f"expected one of {', '.join(kinds)}, got {name!r}")
    listed, number, shape = kinds[name]
    return number << 16 | made.add(listed, shape.stored(shown), ValuePlace(path, steps, shape))


GUIS: Final = GuiKind("guis", forms.gui_window, "name")
ALL_KINDS: Final = (*KINDS, GUIS)
KINDS_OF: Final[dict[str, ThingKind]] = {kind.rows: kind for kind in ALL_KINDS}
