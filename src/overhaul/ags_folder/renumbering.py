"""Things that are removed before others of their kind: what follows them gets another number.

A gap in the IDs of a kind's files is a thing that was removed.  The numbers that game data and the
lines of dialogs refer with follow.  Views keep their numbers, as in the editor: a view that is
removed is an empty one.  What refers to the thing itself stands against removing it, and so do
scripts that use the list of the kind, or functions that take its numbers: they hold numbers that
may mean another thing then.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from overhaul.ags.script.model import Script
from overhaul.ags_folder import gui_files, references, things
from overhaul.ags_folder.shapes import Json, key_of
from overhaul.document.plainfiles import Change, Folder
from overhaul.errors import PlainFileError, WorkspaceError

#: The version of 3.1: before it, dialogs and interactions hold numbers that are not followed.
SINCE: Final = 38
#: What a kind's things are called.
_SINGULAR: Final = {
    "characters": "character", things.INVENTORY: "inventory item", "cursors": "cursor",
    "dialogs": "dialog", "guis": "GUI", "views": "view",
}  # fmt: skip
#: The kinds whose things are renumbered; of others only the last one can be removed.
KINDS: Final = frozenset(("characters", things.INVENTORY, "dialogs", "guis", "cursors"))
#: The list of a kind in scripts, and the functions of the script API that take or give its
#: numbers.  Source: the manual, "Upgrading to AGS 2.7", and the headers of the editor.
_BY_NUMBER: Final[Mapping[str, re.Pattern[str]]] = {
    "characters": re.compile(
        r"character|(?:Add|Lose)Inventory\w*Character|(?!\w*::)\w*Char(?:acter|s|Obj)\w*"
        r"|DisplaySpeech\w*|DisplayThought|FaceLocation|NewRoomNPC|MoveToWalkableArea"
        r"|SetTalkingColor|StopMoving|ReleaseViewport"
    ),
    things.INVENTORY: re.compile(
        r"inventory|(?:Add|Lose|SetActive|Update|Run)Inv\w*|[SG]et(?:Inv|Active)\w*|IsInv\w*"
        r"|Character::[gs]eti_InventoryQuantity|SetMouseCursor\w*|InventoryScreen"
    ),
    "dialogs": re.compile(r"dialog|RunDialog|[GS]etDialogOption"),
    "guis": re.compile(
        r"gui|GUIO(?:n|ff)|Interface(?:On|Off)|CentreGUI|IsGUIOn|GetGUI\w*|SetGUI\w*|Set\w+GUI"
        r"|SetLabel\w+|[GS]etButton\w+|AnimateButton|[GS]etSlider\w+|[GS]etTextBox\w+|ListBox\w+"
    ),
    "cursors": re.compile(
        r"mouse|Mouse::.*|\w*Cursor\w*|\w*Mode\w*|Room::ProcessClick|ProcessClick|\w+::RunInteraction"
        r"|\w*IsInteractionAvailable\w*"
    ),
}  # fmt: skip
_GOTO: Final = re.compile(r"^([ \t]*goto-dialog[ \t]+)(\d{1,9})(?=\s|$)", re.MULTILINE)
_ANY: Final = 1 << 30
_RUN_DIALOG: Final = "_run_dialog"


class Gaps:
    """The numbers of the things of a kind that were removed, as they were before."""

    def __init__(self, rows: str, numbers: Iterable[int]) -> None:
        self.rows = rows
        self.numbers: list[int] = sorted(numbers)

    @property
    def name(self) -> str:
        """What a thing of the kind is called."""
        return _SINGULAR[self.rows]

    @property
    def folder(self) -> str:
        """The folder of the kind."""
        return "guis" if self.rows == "guis" else things.KINDS_OF[self.rows].folder

    def now(self, number: int) -> int:
        """The number that a thing has now."""
        return number - sum(gone < number for gone in self.numbers)

    def moves(self, count: int) -> bool:
        """Whether a thing of ``count`` has another number now."""
        return any(self.now(number) != number for number in range(count))


def follow(gaps: Gaps, values: Mapping[str, Json], version: int) -> None:
    """Let the numbers in stored objects follow.  Raises WorkspaceError where something refers to
    what was removed, and in games before 3.1."""
    if version < SINCE:
        raise WorkspaceError(
            f"the {gaps.name} {gaps.numbers[0]} can't be removed from {gaps.folder}: games before "
            "3.1 hold numbers of the others in their interactions and dialogs; the last one can be"
        )
    for file, steps, owner, key, number in _references(gaps.rows, values):
        if number in gaps.numbers:
            raise PlainFileError(
                f"{number} is the {gaps.name} that was removed from {gaps.folder}",
                file,
                key_of([*steps, key]),
            )
        _put(owner, key, gaps.now(number))
    if gaps.rows == things.INVENTORY:
        _drop_quantities(gaps, values)


def check_views(holes: Iterable[int], values: Mapping[str, Json]) -> None:
    """Raise PlainFileError where something shows a view that is removed (numbers from 0)."""
    gone = set(holes)
    for rows, fields in references.VIEWS.items() if gone else ():
        for field in fields:
            for file, steps, row, key in _of_rows(values, rows, field):
                number = row.get(key) if isinstance(row, dict) else None
                if number in gone:
                    message = f"{number + 1} is the view that was removed from views"
                    raise PlainFileError(message, file, key_of([*steps, key]))


def _references(
    rows: str, values: Mapping[str, Json]
) -> Iterator[tuple[str, list[str | int], object, str | int, int]]:
    """(file, steps, the object or list, the key, what it has) of each number that refers to a
    thing."""
    settings = values.get("game.json", {}).get("settings")
    found: list[tuple[str, list[str | int], object, str | int]] = []
    if rows == "characters":
        found.append(("game.json", ["settings"], settings, "player_character"))
        found += _of_rows(values, "inventory_windows", "character")
    elif rows == things.INVENTORY:
        found += _of_rows(values, "characters", "active_inventory")
    elif rows == "cursors":
        found += [row for row in _of_rows(values, "buttons", "left_data") if _sets_mode(row[2])]
    elif rows == "guis" and isinstance(settings, dict):
        for at in _GUI_OPTIONS:
            found.append(("game.json", ["settings", "options"], settings.get("options"), at))
    # of options and items 0 is none, of the others -1
    least = 1 if rows in (things.INVENTORY, "guis") else 0
    for file, steps, owner, key in found:
        number = _get(owner, key)
        if isinstance(number, int) and not isinstance(number, bool) and number >= least:
            yield file, steps, owner, key, number


def _get(owner: object, key: str | int) -> object:
    if isinstance(owner, dict):
        return owner.get(key)
    if isinstance(owner, list) and isinstance(key, int) and key < len(owner):
        return owner[key]
    return None


def _put(owner: object, key: str | int, number: int) -> None:
    if isinstance(owner, dict):
        owner[key] = number
        return
    assert isinstance(owner, list) and isinstance(key, int)
    owner[key] = number


#: The places among the game's options that are GUIs: of texts, thoughts, options of dialogs.
_GUI_OPTIONS: Final = (3, 5, 26)


def _of_rows(
    values: Mapping[str, Json], rows: str, field: str
) -> Iterator[tuple[str, list[str | int], object, str | int]]:
    for file, value in values.items():
        listed = value.get(rows)
        for index, row in enumerate(listed if isinstance(listed, list) else ()):
            yield file, [rows, index], row, field


def _sets_mode(row: object) -> bool:
    return isinstance(row, dict) and row.get("left_action") == 1


def _drop_quantities(gaps: Gaps, values: Mapping[str, Json]) -> None:
    """Take what characters have of the items that were removed."""
    for _, _, row, _ in _of_rows(values, "characters", ""):
        held = row.get("inventory") if isinstance(row, dict) else None
        if isinstance(row, dict) and isinstance(held, list):
            left = [each for at, each in enumerate(held) if at not in gaps.numbers]
            row["inventory"] = left + [0] * (len(held) - len(left))


# --- dialogs --------------------------------------------------------------------------------


def lines_now(gaps: Gaps, path: str, lines: str) -> str:
    """The lines of a dialog with the numbers that others have now.  Raises WorkspaceError for one
    that goes to a dialog which was removed."""

    def now(found: re.Match[str]) -> str:
        number = int(found[2])
        if number in gaps.numbers:
            line = lines.count("\n", 0, found.start()) + 1
            raise WorkspaceError(
                f"{path}:{line}: it goes to the dialog {number}, which was removed"
            )
        return f"{found[1]}{gaps.now(number)}"

    return _GOTO.sub(now, lines)


# --- scripts --------------------------------------------------------------------------------


def in_scripts(gaps: Gaps, scripts: Iterable[tuple[str, Script]]) -> list[str]:
    """What in scripts holds numbers of a kind, which may mean other things then: messages."""
    pattern = _BY_NUMBER.get(gaps.rows)
    found = []
    for path, script in scripts if pattern is not None else ():
        assert pattern is not None
        used = sorted({each.partition("^")[0] for each in script.imports})
        names = [name for name in used if pattern.fullmatch(name)]
        if names:
            found.append(f"{path} uses {', '.join(names[:4])}")
    return found


def refuse(gaps: Gaps, found: list[str], *, accept: bool) -> list[str]:
    """Raise WorkspaceError for what scripts use; with ``accept`` they are warnings."""
    if found and not accept:
        raise WorkspaceError(
            f"{gaps.folder}: the {gaps.name} {gaps.numbers[0]} is not the last one, and scripts "
            "may hold numbers of those behind it, which become others: "
            f"{'; '.join(found[:6])}. Accept that these numbers stay as they are "
            "(--accept-renumbering), or keep it"
        )
    note = f"numbers of a {gaps.name} may mean another one now"
    return [f"{place}: {note}" for place in found]


def own_part(text: str, gaps: Gaps, count: int) -> str:
    """The first function of a dialog with another number that a script has in its own text; ""
    where there is none."""
    moved = [number for number in range(count) if gaps.now(number) != number]
    names = (f"{_RUN_DIALOG}{number}" for number in (*gaps.numbers, *moved))
    return next((name for name in names if re.search(rf"\b{name}\b", text)), "")


def gaps_in(folder: Folder, changes: Mapping[str, Change]) -> Iterator[Gaps]:
    """What the files of things that are left show of those that were removed."""
    kinds = [kind for kind in things.KINDS if kind.rows in KINDS]
    for kind in (*kinds, gui_files.KIND):
        if any(kind.has(path) and change == "removed" for path, change in changes.items()):
            numbers: list[int] = []
            lacks = kind.rows == things.INVENTORY
            things.numbered(
                folder, kind.has, kind.first, first_lacks=lacks, gaps=numbers, known=_ANY
            )
            if numbers:
                yield Gaps(kind.rows, numbers)
