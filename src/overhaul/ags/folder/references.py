"""What things of a game refer to: views, scripts' functions, names that are there once.

The checks work on what files store, in JSON, before and after an edit: what was wrong before is no
mistake of the edit, as games have references to what was deleted long ago.  In a folder without its
original, what many games have (``usual``) is worth a warning.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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
#: The kinds whose names are there once, with the field.
_NAMED: Final = {
    "characters": "script_name",
    "inventory": "script_name",
    "dialogs": "script_name",
    "audio_clips": "script_name",
    "views": "name",
    "guis": "name",
}
_CONTROLS: Final = {
    1: "buttons", 2: "labels", 3: "inventory_windows", 4: "sliders", 5: "text_boxes",
    6: "list_boxes",
}  # fmt: skip
#: What a button does that changes the mode of the cursor.
_SET_MODE: Final = 1
_FONTS: Final = ("buttons", "labels", "text_boxes", "list_boxes")


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
    fields = {**_NAMED, **dict.fromkeys(_CONTROLS.values(), "name")}
    fields.pop("views")  # numbers to scripts
    names: set[object] = set()
    for value in values.values():
        for rows, field in fields.items():
            listed = value.get(rows)
            for row in listed if isinstance(listed, list) else ():
                if isinstance(row, dict):
                    names.add(str(row.get(field) or "").split("\0")[0])
    return {str(name) for name in names if name}


# --- game data ------------------------------------------------------------------------------


def in_game(
    values: Mapping[str, Json], functions: Collection[str] | None
) -> Iterator[DeadReference]:
    """The findings in the objects of game data; ``functions`` is None where it has no scripts."""
    files = {rows: file for file, value in values.items() for rows in value}
    game = _Game(values, files)
    yield from game.player()
    for rows, fields in VIEWS.items():
        yield from game.views(rows, fields)
    for rows, field in _NAMED.items():
        yield from game.names(rows, field)
    yield from game.controls()
    yield from game.numbers_in_controls()
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
        listed = self._values.get(self._files.get(name, ""), {}).get(name)
        return [row for row in listed if isinstance(row, dict)] if isinstance(listed, list) else []

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

    def views(self, rows: str, fields: Sequence[str]) -> Iterator[DeadReference]:
        """Views are there."""
        count = len(self.rows("views"))
        for index, row in enumerate(self.rows(rows)):
            for field in fields:
                number = row.get(field)
                if isinstance(number, int) and not -1 <= number < count:
                    yield DeadReference(
                        self._files[rows],
                        (rows, index, field),
                        f"there is no view {number + 1}",
                        _name(row),
                        there=_counted(count, "view"),
                    )

    def names(self, rows: str, field: str) -> Iterator[DeadReference]:
        """Names are there once."""
        seen: dict[str, int] = {}
        for index, row in enumerate(self.rows(rows)):
            name = str(row.get(field) or "").split("\0")[0]
            if name and name in seen:
                message = f"{name!r} is the name of another one too: of ID {seen[name]}"
                if rows == "views":
                    message = f"{name!r} is the name of another one too: of ID {seen[name] + 1}"
                yield DeadReference(self._files[rows], (rows, index, field), message)
            elif name:
                seen[name] = index

    def controls(self) -> Iterator[DeadReference]:
        """The controls of GUIs are there, and their fonts."""
        fonts = len(self.rows("fonts"))
        for index, row in enumerate(self.rows("guis")):
            references = row.get("control_references")
            used = references if isinstance(references, list) else []
            count = row.get("control_count", len(used))
            for place, reference in enumerate(used[: count if isinstance(count, int) else 0]):
                kind = _CONTROLS.get(reference >> 16, "") if isinstance(reference, int) else ""
                if not kind or reference & 0xFFFF >= len(self.rows(kind)):
                    yield DeadReference(
                        self._files["guis"],
                        ("guis", index, "control_references", place),
                        "there is no such control",
                        _name(row),
                        usual=True,
                    )
        for kind in _FONTS:
            for index, row in enumerate(self.rows(kind)):
                font = row.get("font")
                if isinstance(font, int) and not 0 <= font < fonts:
                    yield DeadReference(
                        self._files[kind],
                        (kind, index, "font"),
                        f"there is no font {font}",
                        _name(row),
                        there=_counted(fonts, "font"),
                    )

    def numbers_in_controls(self) -> Iterator[DeadReference]:
        """The mode that a button changes to is there, and whose items a window shows."""
        modes, people = len(self.rows("cursors")), len(self.rows("characters"))
        for index, row in enumerate(self.rows("buttons")):
            mode = row.get("left_data")
            is_used = row.get("left_action") == _SET_MODE and isinstance(mode, int)
            if is_used and isinstance(mode, int) and not 0 <= mode < modes:
                yield self._in_control(
                    ("buttons", index, "left_data"),
                    f"there is no cursor {mode}",
                    _counted(modes, "cursor"),
                )
        for index, row in enumerate(self.rows("inventory_windows")):
            number = row.get("character")
            if isinstance(number, int) and not -1 <= number < people:
                yield self._in_control(
                    ("inventory_windows", index, "character"),
                    f"{number} is no character",
                    _counted(people, "character"),
                )

    def _in_control(self, steps: tuple[str, int, str], message: str, there: str) -> DeadReference:
        rows, index, _ = steps
        name = _name(self.rows(rows)[index])
        return DeadReference(self._files[rows], steps, message, name, usual=True, there=there)

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
        for rows in ("characters", "inventory", "guis", *_CONTROLS.values()):
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
