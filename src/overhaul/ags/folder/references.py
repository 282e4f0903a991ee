"""What things of a game refer to: views, scripts' functions, names that are there once.

The checks work on what files store, in JSON, before and after an edit: what was wrong before is no
mistake of the edit, as games have references to what was deleted long ago.  In a folder without its
original, what many games have (``usual``) is worth a warning.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from overhaul.ags.game.resources import Character, Cursor
from overhaul.ags.script.model import Script
from overhaul.ags.shapes import Json, Steps, key_of
from overhaul.ags.words import fields_with
from overhaul.errors import PlainFileError
from overhaul.findings import Findings

#: The fields with the number of a view, or -1 for none, of a kind of thing.
VIEWS: Final = {
    "characters": fields_with("views", Character),
    "cursors": fields_with("views", Cursor),
}
#: The lists of a game's things that scripts know by names, with the field of the name and what
#: messages call one.
NAMED: Final = {
    "characters": ("script_name", "character"),
    "inventory": ("script_name", "inventory item"),
    "dialogs": ("script_name", "dialog"),
    "audio_clips": ("script_name", "sound"),
    "guis": ("name", "GUI"),
    "buttons": ("name", "button"),
    "labels": ("name", "label"),
    "inventory_windows": ("name", "inventory window"),
    "sliders": ("name", "slider"),
    "text_boxes": ("name", "text box"),
    "list_boxes": ("name", "list box"),
}
#: The lists of controls, by the numbers of their types, which begin with 1.
_CONTROLS: Final = tuple(NAMED)[5:]
#: The kinds whose names are compared among themselves, but for controls.
ONCE: Final = ("characters", "inventory", "dialogs", "audio_clips", "guis")
#: What a button does that changes the mode of the cursor.
_SET_MODE: Final = 1


class _Number(NamedTuple):
    """A field of a kind of thing that has the number of another thing, or the ``lowest`` for none.

    ``what`` is what the other ones are called, ``missing`` the message with the number.
    """

    rows: str
    field: str
    others: str
    what: str
    missing: str
    lowest: int = 0
    usual: bool = False


_VIEW_NUMBERS: Final = [
    _Number(rows, field, "views", "view", "there is no view {}", -1)
    for rows, fields in VIEWS.items()
    for field in fields
]
_NUMBERS: Final = [
    *(
        _Number(rows, "font", "fonts", "font", "there is no font {}")
        for rows in ("buttons", "labels", "text_boxes", "list_boxes")
    ),
    _Number("buttons", "left_data", "cursors", "cursor", "there is no cursor {}", usual=True),
    _Number(
        "inventory_windows", "character", "characters", "character", "{} is no character", -1, True
    ),
]


class DeadReference(NamedTuple):
    """A reference to what is not there: the stored object and the steps in it, the message, and
    what the thing is called.  Games as their authors made them have many ``usual`` ones.  ``there``
    is what the game has instead, which edits of others change."""

    file: str
    steps: tuple[str | int, ...]
    message: str
    name: str = ""
    usual: bool = False
    there: str = ""

    @property
    def text(self) -> str:
        """The message for people."""
        return f"{self.message}: the game has {self.there}" if self.there else self.message

    @property
    def mark(self) -> tuple[object, ...]:
        """What is the same before and after an edit of something else."""
        steps = tuple(step for step in self.steps if isinstance(step, str))
        return self.file, steps, self.message, self.name

    @property
    def spot(self) -> tuple[object, ...]:
        """What is the same where the thing has another name."""
        return self.file, self.steps, self.message


def check(
    before: Iterable[DeadReference] | None,
    after: Iterable[DeadReference],
    place: Callable[[str, str], tuple[str, str]],
) -> Findings:
    """Raise PlainFileError for the first dead that was not there before.

    ``before`` is None where there was nothing: then the usual ones are warnings, which are
    returned.  ``place`` gives the file and key of a stored value.
    """
    listed = [] if before is None else list(before)
    known = {mark for dead in listed for mark in (dead.mark, dead.spot)}
    findings = Findings()
    for dead in after:
        if dead.mark in known or dead.spot in known:
            continue
        key = key_of(dead.steps)
        if before is not None or not dead.usual:
            raise PlainFileError(dead.text, dead.file, key)
        file, key = place(dead.file, key)
        findings.warn("missing-name", dead.text, file, key)
    return findings


def functions_of(scripts: Iterable[Script]) -> set[str]:
    """The functions that scripts export."""
    return {export.name.partition("$")[0] for script in scripts for export in script.exports}


def names_of(values: Mapping[str, Json]) -> set[str]:
    """The names in the objects of game data that scripts know things by."""
    return {
        name
        for value in values.values()
        for rows, (field, _) in NAMED.items()
        for row in rows_in(value, rows)
        if (name := text_of(row, field))
    }


def rows_in(value: Mapping[str, object], name: str) -> list[Json]:
    """The rows of a list in an object."""
    listed = value.get(name)
    rows = listed if isinstance(listed, list) else []
    return [row if isinstance(row, dict) else {} for row in rows]


def text_of(row: Json, field: str) -> str:
    """A text of a row, up to its first NUL."""
    return str(row.get(field) or "").split("\0")[0]


# --- game data ------------------------------------------------------------------------------


def in_game(
    values: Mapping[str, Json], functions: Collection[str] | None
) -> Iterator[DeadReference]:
    """The findings in the objects of game data; ``functions`` is None where it has no scripts."""
    files = {rows: file for file, value in values.items() for rows in value}
    game = _Game(values, files)
    yield from game.player()
    for number in _VIEW_NUMBERS:
        yield from game.numbers(number)
    for rows in (*ONCE[:-1], "views", ONCE[-1]):
        yield from game.names(rows)
    yield from game.controls()
    for number in _NUMBERS:
        yield from game.numbers(number)
    yield from game.types()
    yield from game.options()
    if functions is not None:
        yield from game.handlers(functions)


class _Game:
    def __init__(self, values: Mapping[str, Json], files: Mapping[str, str]) -> None:
        self._values = values
        self._files = files

    def rows(self, name: str) -> list[Json]:
        """The rows of a kind of thing."""
        return rows_in(self._values.get(self._files.get(name, ""), {}), name)

    def player(self) -> Iterator[DeadReference]:
        """The player is a character."""
        settings = self._values.get("game.json", {}).get("settings")
        number = settings.get("player_character") if isinstance(settings, dict) else None
        count = len(self.rows("characters"))
        if isinstance(number, int) and not 0 <= number < count:
            yield DeadReference(
                "game.json",
                ("settings", "player_character"),
                f"{number} is no character",
                there=_counted(count, "character"),
            )

    def numbers(self, field: _Number) -> Iterator[DeadReference]:
        """Things whose numbers fields have are there."""
        count = len(self.rows(field.others))
        for index, row in enumerate(self.rows(field.rows)):
            number = row.get(field.field)
            if field.field == "left_data" and row.get("left_action") != _SET_MODE:
                continue
            if isinstance(number, int) and not field.lowest <= number < count:
                yield DeadReference(
                    self._files[field.rows],
                    (field.rows, index, field.field),
                    field.missing.format(number + 1 if field.others == "views" else number),
                    _name(row),
                    usual=field.usual,
                    there=_counted(count, field.what),
                )

    def names(self, rows: str) -> Iterator[DeadReference]:
        """Names are there once."""
        field, first = (NAMED[rows][0], 0) if rows in NAMED else ("name", 1)
        seen: dict[str, int] = {}
        for index, row in enumerate(self.rows(rows)):
            name = text_of(row, field)
            if name and name in seen:
                message = f"{name!r} is the name of another one too: of ID {seen[name]}"
                yield DeadReference(self._files[rows], (rows, index, field), message)
            elif name:
                seen[name] = index + first

    def controls(self) -> Iterator[DeadReference]:
        """The controls of GUIs are there."""
        counts = {number: len(self.rows(rows)) for number, rows in enumerate(_CONTROLS, 1)}
        for index, row in enumerate(self.rows("guis")):
            references = row.get("control_references")
            used = references if isinstance(references, list) else []
            count = row.get("control_count", len(used))
            for place, reference in enumerate(used[: count if isinstance(count, int) else 0]):
                is_number = isinstance(reference, int)
                if not is_number or reference & 0xFFFF >= counts.get(reference >> 16, 0):
                    yield DeadReference(
                        self._files["guis"],
                        ("guis", index, "control_references", place),
                        "there is no such control",
                        _name(row),
                        usual=True,
                    )

    def types(self) -> Iterator[DeadReference]:
        """The types of sounds are there."""
        count = len(self.rows("audio_types"))
        for index, row in enumerate(self.rows("audio_clips") if count else ()):
            number = row.get("type")
            if isinstance(number, int) and number >= count:
                yield DeadReference(
                    self._files["audio_clips"],
                    ("audio_clips", index, "type"),
                    f"there is no type {number} of sounds",
                    _name(row),
                    usual=True,
                    there=str(count),
                )

    def options(self) -> Iterator[DeadReference]:
        """A dialog has no texts beyond its options."""
        for index, row in enumerate(self.rows("dialogs")):
            texts, count = row.get("options"), row.get("option_count")
            if not isinstance(texts, list) or not isinstance(count, int):
                continue
            for place, text in enumerate(texts):
                if place >= count and text and "\0" not in str(text):  # else what memory had there
                    yield DeadReference(
                        self._files["dialogs"],
                        ("dialogs", index, "options", place),
                        f"{str(text)[:40]!r} is no option: the dialog has "
                        f"{_counted(count, 'option')}",
                        _name(row),
                        usual=True,
                    )

    def handlers(self, functions: Collection[str]) -> Iterator[DeadReference]:
        """Functions that events run are in a script."""
        for rows in ("characters", "inventory", "guis", *_CONTROLS):
            for index, row in enumerate(self.rows(rows)):
                for steps, name in _handlers(row):
                    if name not in functions:
                        place = (rows, index, *steps)
                        yield _no_function(self._files[rows], place, name, _name(row))


def _handlers(row: Mapping[str, object]) -> Iterator[tuple[Steps, str]]:
    """The steps to each handler of a thing, and its name."""
    table = row.get("handlers")
    stored = table.get("handlers") if isinstance(table, dict) else None
    for steps, listed in ((["events"], row.get("events")), (["handlers", "handlers"], stored)):
        for place, name in enumerate(listed if isinstance(listed, list) else ()):
            if isinstance(name, str) and name:
                yield [*steps, place], name
    if isinstance(row.get("on_click"), str) and row["on_click"]:
        yield ["on_click"], str(row["on_click"])


def _no_function(
    file: str, steps: tuple[str | int, ...], function: str, name: str = ""
) -> DeadReference:
    return DeadReference(file, steps, f"no script has a function {function}", name, usual=True)


def _name(row: Mapping[str, object]) -> str:
    return str(row.get("script_name") or row.get("name") or "")


def _counted(count: int, what: str) -> str:
    return f"{count or 'no'} {what}{'' if count == 1 else 's'}"


# --- rooms ----------------------------------------------------------------------------------


def in_room(
    file: str, shown: Mapping[str, object], script: Script | None
) -> Iterator[DeadReference]:
    """The findings in a room: functions that its events run, and its script has not."""
    if script is None:
        return
    functions = functions_of([script])
    for rows in ("hotspots", "objects", "regions"):
        listed = shown.get(rows)
        for index, row in enumerate(listed if isinstance(listed, list) else ()):
            for steps, name in _handlers(row) if isinstance(row, dict) else ():
                if name not in functions:
                    yield _no_function(file, (rows, index, *steps), name, _name(row))
    blocks = shown.get("blocks")
    for number, block in enumerate(blocks if isinstance(blocks, list) else ()):
        fields = block.get("fields") if isinstance(block, dict) else None
        listed = fields.get("room_events") if isinstance(fields, dict) else None
        for place, name in enumerate(listed if isinstance(listed, list) else ()):
            if isinstance(name, str) and name and name not in functions:
                yield _no_function(file, ("blocks", number, "fields", "room_events", place), name)
