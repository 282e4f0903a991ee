"""GUIs as files of their own, each with its controls: ``guis/gInventory.json``.

What game data stores are lists of windows and of controls by type; a window refers to its controls
by type and number.  Where the references are in order, as editors write them, a file has a window
and its controls, and the lists follow from the files.  Other game data keeps its lists in gui.json.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from overhaul.ags.folder import forms, resources
from overhaul.ags.folder.resources import ID, ThingKind, ValuePlace
from overhaul.ags.shapes import Hints, Json
from overhaul.ags.versions import GUI_COUNTED_CONTROLS
from overhaul.ags.words import Object
from overhaul.document.hints import ANY, Hint
from overhaul.document.plainfiles import Folder
from overhaul.errors import FormatError
from overhaul.folder.json_fields import (
    at_key,
    expect_integer,
    expect_list,
    expect_object,
    expect_text,
    in_file,
)

GUI_JSON: Final = "gui.json"
VERSION: Final = "gui_version"
CONTROLS: Final = "Controls"
TYPE: Final = "Type"
_REFERENCES: Final = "control_references"
_COUNT: Final = "control_count"
#: Before this version there are 30 references, whatever the count says.
_OLD_REFERENCES: Final = 30

KIND: Final = ThingKind("guis", GUI_JSON, "guis", forms.gui_window, "name")


def is_in_order(stored: Mapping[str, object], version: int) -> bool:
    """Whether each window's references are to the next controls of their types."""
    counts = dict.fromkeys((number for _, number, _ in forms.controls(version).values()), 0)
    for window in _list(stored, "guis"):
        for reference in _used(window) if isinstance(window, dict) else (None,):
            if not isinstance(reference, int) or counts.get(reference >> 16) != reference & 0xFFFF:
                return False
            counts[reference >> 16] += 1
    lists = {number: stored.get(name) for name, number, _ in forms.controls(version).values()}
    return all(
        counts[number] == (len(listed) if isinstance(listed, list) else 0)
        for number, listed in lists.items()
    )


def _used(window: Mapping[str, object]) -> list[object]:
    references = window.get(_REFERENCES)
    if not isinstance(references, list):
        return []
    count = window.get(_COUNT, len(references))
    return references[: max(0, count if isinstance(count, int) else 0)]


def hint(version: int) -> Hint:
    """What may stand in the file of a GUI."""
    kinds = forms.controls(version)
    control: Hints = {}
    for _, _, shape in kinds.values():
        for name, said in shape.hints().items():
            control[name] = said if control.get(name, said) == said else (ANY, None)
    control = {TYPE: (Hint("choice", choices=tuple(kinds)), None), **control}
    listed = Hint("list", element=Hint("object", record=lambda: control))
    window = forms.gui_window(version).hints()
    return resources.thing_hint({**window, CONTROLS: (listed, None)})


# --- showing --------------------------------------------------------------------------------


def show(stored: Mapping[str, object], version: int) -> Iterator[tuple[str, Callable[[], Json]]]:
    """(path, what shows it) of each window's file."""
    windows = [window for window in _list(stored, "guis") if isinstance(window, dict)]
    lists = {
        number: (name, _list(stored, listed), shape)
        for name, (listed, number, shape) in forms.controls(version).items()
    }
    outer = forms.gui_window(version)
    for number, path in enumerate(resources.paths(KIND, resources.row_names(KIND, windows))):
        yield path, _Window(number, windows[number], lists, outer)


def _list(stored: Mapping[str, object], name: str) -> list[object]:
    listed = stored.get(name)
    return listed if isinstance(listed, list) else []


class _Window:
    """Shows a window with its controls."""

    def __init__(
        self,
        number: int,
        row: Json,
        lists: Mapping[int, tuple[str, list[object], Object]],
        shape: Object,
    ) -> None:
        self._number = number
        self._row = row
        self._lists = lists
        self._shape = shape

    def __call__(self) -> Json:
        used = _used(self._row)
        row = {k: v for k, v in self._row.items() if k not in (_REFERENCES, _COUNT)}
        left = _list(self._row, _REFERENCES)[len(used) :]
        shown: Json = {ID: self._number, **self._shape.shown(row)}
        if any(left):
            shown["UnusedControls"] = left
        shown[CONTROLS] = [self._control(reference) for reference in used]
        return shown

    def _control(self, reference: object) -> Json:
        assert isinstance(reference, int)
        name, listed, shape = self._lists[reference >> 16]
        row = listed[reference & 0xFFFF]
        assert isinstance(row, dict)
        return {TYPE: name, **shape.shown(row)}


# --- reading --------------------------------------------------------------------------------


class Guis:
    """The windows and controls of a game's files, as they are stored, and where each is from."""

    def __init__(self, version: int) -> None:
        self._version = version
        self._window = forms.gui_window(version)
        self._kinds = forms.controls(version)
        self.lists: dict[str, list[Json]] = {"guis": []}
        self.lists |= {listed: [] for listed, _, _ in self._kinds.values()}
        self.places: dict[tuple[str, int], ValuePlace] = {}
        self.files: list[str] = []
        #: the IDs of those that were removed between others
        self.gaps: list[int] = []

    def read(self, folder: Folder, *, known: int = 0) -> None:
        """Take the files; IDs before those of the ``known`` first windows may lack.

        Raises WorkspaceError.
        """
        for _, path, shown in resources.numbered(folder, KIND.has, 0, gaps=self.gaps, known=known):
            with in_file(path):
                self.places["guis", len(self.files)] = ValuePlace(path, (), self._window)
                self.lists["guis"].append(self._read(path, shown))
            self.files.append(path)

    def _read(self, path: str, shown: Json) -> Json:
        references = []
        with at_key(CONTROLS):
            for index, item in enumerate(expect_list(shown.pop(CONTROLS, []))):
                with at_key("", index):
                    references.append(self._control(path, index, dict(expect_object(item))))
        with at_key("UnusedControls"):
            left = expect_list(shown.pop("UnusedControls", []))
            for index, item in enumerate(left):
                with at_key("", index):
                    expect_integer(item)
        for name in (_REFERENCES, _COUNT):
            if name in shown:
                with at_key(name):
                    raise FormatError(f"it follows from {CONTROLS}")
        row = self._window.stored(shown)
        count = len(references)
        if self._version < GUI_COUNTED_CONTROLS:
            if count > _OLD_REFERENCES:
                with at_key(CONTROLS):
                    raise FormatError(f"a GUI has at most {_OLD_REFERENCES}, got {count}")
            every = [*references, *left]
            every += [0] * (_OLD_REFERENCES - len(every))
            return row | {_COUNT: count, _REFERENCES: every[:_OLD_REFERENCES]}
        return row | {_REFERENCES: references}

    def _control(self, path: str, index: int, shown: Json) -> int:
        with at_key(TYPE):
            name = expect_text(shown.pop(TYPE, None))
            if name not in self._kinds:
                raise FormatError(f"expected one of {', '.join(self._kinds)}, got {name!r}")
        listed, number, shape = self._kinds[name]
        rows = self.lists[listed]
        self.places[listed, len(rows)] = ValuePlace(path, (CONTROLS, index), shape)
        rows.append(shape.stored(shown))
        return number << 16 | (len(rows) - 1)
