"""References of a game's things: to views, functions of scripts, and names that must be unique.

The checks compare the stored things before and after an edit: a fault that was there before is
not a fault of the edit, as games refer to things that were deleted long ago. In a folder without
its original, what many games have (``usual``) is worth a warning.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from typing import Final, NamedTuple

from overhaul.ags import text
from overhaul.ags.game.game import Game
from overhaul.ags.game.kinds import CONTROLS
from overhaul.ags.game.records import GameContent
from overhaul.ags.game.resources import Character, Cursor
from overhaul.ags.parallel import Tables, Thing, things_of
from overhaul.ags.properties import HandlerTable
from overhaul.ags.room.room import Room
from overhaul.ags.script.model import Script
from overhaul.ags.shapes import key_of
from overhaul.ags.words import fields_with
from overhaul.errors import PlainFileError
from overhaul.findings import Findings

#: The file of the stored object that has each list of things, and what else findings are in.
FILES: Final = {
    "settings": "game.json",
    "fonts": "game.json",
    "characters": "characters.json",
    "inventory": "inventory.json",
    "cursors": "cursors.json",
    "views": "views.json",
    "dialogs": "dialogs.json",
    "audio_clips": "audio.json",
    **dict.fromkeys(("guis", *(kind.name for kind in CONTROLS)), "gui.json"),
    **dict.fromkeys(("hotspots", "objects", "regions", "blocks"), "room.json"),
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
_CONTROLS: Final = tuple(kind.name for kind in CONTROLS)
#: The kinds whose names are compared among themselves, but for controls.
ONCE: Final = ("characters", "inventory", "dialogs", "audio_clips", "guis")
#: The kinds whose things scripts may know by their numbers.
NUMBERED: Final = ("characters", "inventory", "dialogs", "guis", "cursors", "views")
#: The actions of a button that change the mode of the cursor.
_SET_MODE: Final = 1


class Things:
    """The things of a game or a room by their kinds, with texts in an encoding."""

    def __init__(self, tables: Tables, encoding: str) -> None:
        self._tables = tables
        self._made: dict[str, list[Thing]] = {}
        #: gives a text as people read it
        self.shown: Callable[[str], str] = partial(text.show, encoding=encoding)

    def __call__(self, rows: str) -> list[Thing]:
        """The things of a kind, none where the file has no such kind."""
        if rows not in self._made:
            self._made[rows] = things_of(self._tables, rows, self.shown)
        return self._made[rows]


class Number(NamedTuple):
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

    def found(self, things: Things) -> Iterator[tuple[int, Thing, int]]:
        """(place, thing, number) of each thing that has one."""
        for place, thing in enumerate(things(self.rows)):
            number = thing.get(self.field)
            changes_mode = self.field != "left_data" or thing.get("left_action") == _SET_MODE
            if isinstance(number, int) and changes_mode:
                yield place, thing, number


NUMBERS: Final = [
    *(
        Number(rows, field, "views", "view", "there is no view {}", -1)
        for rows, record in (("characters", Character), ("cursors", Cursor))
        for field in fields_with("views", record)
    ),
    *(
        Number(rows, "font", "fonts", "font", "there is no font {}")
        for rows in ("buttons", "labels", "text_boxes", "list_boxes")
    ),
    Number("buttons", "left_data", "cursors", "cursor", "there is no cursor {}", usual=True),
    Number(
        "inventory_windows",
        "character",
        "characters",
        "character",
        "{} is not a character",
        -1,
        True,
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
        """A value that stays the same when an edit changes something else."""
        steps = tuple(step for step in self.steps if isinstance(step, str))
        return self.file, steps, self.message, self.name

    @property
    def spot(self) -> tuple[object, ...]:
        """A value that stays the same when the thing is renamed."""
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


def names_of(things: Things) -> set[str]:
    """The names that scripts know the things of a game by."""
    named = (thing.text(field) for rows, (field, _) in NAMED.items() for thing in things(rows))
    return {name for name in named if name}


def numbered(things: Things) -> dict[str, list[str]]:
    """The names of the things of each kind that has numbers, in their order."""
    return {rows: [thing.text(_name_of(rows)) for thing in things(rows)] for rows in NUMBERED}


def _name_of(rows: str) -> str:
    """The field of the name of a kind of thing."""
    return NAMED[rows][0] if rows in NAMED else "name"


# --- game data ------------------------------------------------------------------------------


def in_game(game: Game, things: Things) -> Iterator[DeadReference]:
    """The findings in a game."""
    content = game.content
    if content is None:
        return
    yield from _player(content, things)
    for number in NUMBERS:
        if number.others == "views":
            yield from _numbers(number, things)
    for rows in (*ONCE[:-1], "views", ONCE[-1]):
        yield from _names(rows, things)
    yield from _controls(things)
    for number in NUMBERS:
        if number.others != "views":
            yield from _numbers(number, things)
    yield from _types(content, things)
    yield from _options(things)
    scripts = [script for _, script in game.scripts()]
    if scripts:
        functions = functions_of(scripts)
        for rows in ("characters", "inventory", "guis", *_CONTROLS):
            yield from _handlers(rows, things(rows), functions)


def _player(content: GameContent, things: Things) -> Iterator[DeadReference]:
    """The player is a character."""
    number, count = content.settings.player_character, len(things("characters"))
    if not 0 <= number < count:
        yield DeadReference(
            FILES["settings"],
            ("settings", "player_character"),
            f"{number} is not a character",
            there=_counted(count, "character"),
        )


def _numbers(field: Number, things: Things) -> Iterator[DeadReference]:
    """Things whose numbers fields have are there."""
    count = len(things(field.others))
    for index, thing, number in field.found(things):
        if not field.lowest <= number < count:
            yield _dead(
                thing,
                (field.rows, index, field.field),
                field.missing.format(number + 1 if field.others == "views" else number),
                _counted(count, field.what),
                usual=field.usual,
            )


def _names(rows: str, things: Things) -> Iterator[DeadReference]:
    """Names are there once."""
    field, first = _name_of(rows), 1 if rows == "views" else 0
    seen: dict[str, int] = {}
    for index, thing in enumerate(things(rows)):
        name = thing.text(field)
        if name and name in seen:
            message = f"{name!r} is the name of another one too: of ID {seen[name]}"
            yield DeadReference(FILES[rows], (rows, index, field), message)
        elif name:
            seen[name] = index + first


def _controls(things: Things) -> Iterator[DeadReference]:
    """The controls of GUIs are there."""
    counts = {number: len(things(rows)) for number, rows in enumerate(_CONTROLS, 1)}
    for index, thing in enumerate(things("guis")):
        used = thing.listed("control_references")[: thing.number("control_count")]
        for place, reference in enumerate(used):
            number = reference if isinstance(reference, int) else 0
            if number & 0xFFFF >= counts.get(number >> 16, 0):
                steps = ("guis", index, "control_references", place)
                yield _dead(thing, steps, "there is no such control")


def _types(content: GameContent, things: Things) -> Iterator[DeadReference]:
    """The types of sounds are there."""
    count = len(content.audio_types or ())
    for index, thing in enumerate(things("audio_clips") if count else ()):
        number = thing.number("type")
        if number >= count:
            steps = ("audio_clips", index, "type")
            yield _dead(thing, steps, f"there is no type {number} of sounds", str(count))


def _options(things: Things) -> Iterator[DeadReference]:
    """A dialog has no texts beyond its options."""
    for index, thing in enumerate(things("dialogs")):
        count = thing.number("option_count")  # later dialogs have lists of options alone
        for place, option in enumerate(thing.listed("options") if count >= 0 else ()):
            said = str(option)
            if place >= count and said and "\0" not in said:  # else what memory had there
                yield _dead(
                    thing,
                    ("dialogs", index, "options", place),
                    f"{thing.shown(said)[:40]!r} is not an option: the dialog has "
                    f"{_counted(count, 'option')}",
                )


def _handlers(
    rows: str, things: Iterable[Thing], functions: Collection[str]
) -> Iterator[DeadReference]:
    """Functions that events run are in a script."""
    for index, thing in enumerate(things):
        table = thing.get("handlers")
        listed = table.handlers if isinstance(table, HandlerTable) else []
        found: dict[tuple[str | int, ...], object] = {
            **{("events", at): name for at, name in enumerate(thing.listed("events"))},
            **{("handlers", "handlers", at): name for at, name in enumerate(listed)},
            ("on_click",): str(thing.get("on_click") or "").partition("\0")[0],
        }
        for steps, name in found.items():
            if name and name not in functions:
                message = f"no script has a function {thing.shown(str(name))}"
                yield _dead(thing, (rows, index, *steps), message)


def _dead(
    thing: Thing, steps: tuple[str | int, ...], message: str, there: str = "", *, usual: bool = True
) -> DeadReference:
    name = thing.text("script_name") or thing.text("name")
    return DeadReference(FILES[str(steps[0])], steps, message, name, usual, there)


def _counted(count: int, what: str) -> str:
    return f"{count or 'no'} {what}{'' if count == 1 else 's'}"


# --- rooms ----------------------------------------------------------------------------------


def in_room(room: Room, things: Things, sources: Collection[str]) -> Iterator[DeadReference]:
    """The findings in a room: functions that its events run, and its script has not; ``sources``
    are those in the script of its project, which is compiled later."""
    if room.script is None:
        return
    functions = {*functions_of([room.script]), *sources}
    for rows in ("hotspots", "objects", "regions"):
        yield from _handlers(rows, things(rows), functions)
    for place, name in enumerate(() if room.main is None else room.main.room_events):
        if name and name not in functions:
            steps = ("blocks", 0, "fields", "room_events", place)
            message = f"no script has a function {things.shown(name)}"
            yield DeadReference(FILES["blocks"], steps, message, usual=True)
