"""The things of a game as those of all versions are: views, characters, items, GUIs, dialogs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from overhaul.ags.game.dialogs import disassemble, shown_text
from overhaul.ags.game.extensions import DialogsBlock
from overhaul.ags.game.game import Game
from overhaul.ags.game.gui import GuiSection
from overhaul.ags.game.kinds import NEW_DIALOGS_BLOCK
from overhaul.ags.game.old import EarlyCharacter, EarlyDialog
from overhaul.ags.game.resources import Character, Cursor, Dialog, Frame, InventoryItem, Loop, View

#: The frames of a loop that views before 3.0 have room for.
_OLD_FRAMES: Final = 20
_EARLY_FRAMES: Final = 10
#: The turns of the engine a second.
TURNS: Final = 40
ON, GONE, SILENT = 1, 2, 4
#: In the operations of old dialogs: the player, and the narrator.
_PLAYER, _NARRATOR = 998, 999


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a dialog: whether it is on at first, and whether the player says it."""

    text: str
    on: bool
    said: bool


@dataclass(frozen=True, slots=True)
class DialogText:
    """A dialog: its options and, before 3.1, its script.

    ``source`` is the script as its author wrote it, ``lines`` what its operations do; both empty
    from 3.1 on, where the game has one compiled script for all dialogs
    (:func:`overhaul.ags.script.dialogs.dialog_steps`).
    """

    name: str
    options: list[Option]
    source: str
    lines: list[str]


def views(game: Game) -> list[View]:
    """The views of a game; the unused loops and frames of old ones are left out."""
    if game.old is not None:
        return [_early(view.loop_count, view.frame_counts, view.frames, [], _EARLY_FRAMES)
                for view in game.old.views]  # fmt: skip
    if game.content is None:
        return []
    old = [
        _early(view.loop_count, view.frame_counts, view.frames, view.loop_flags, _OLD_FRAMES)
        for view in game.content.old_views
    ]
    return [*game.content.views, *old]


def _early(
    count: int, counts: Sequence[int], frames: list[Frame], flags: Sequence[int], room: int
) -> View:
    loops = []
    for number in range(max(0, min(count, len(counts)))):
        start = number * room
        used = frames[start : start + max(0, min(counts[number], room))]
        loops.append(Loop(flags[number] if flags else 0, used))
    return View(loops)


def view_names(game: Game) -> list[str]:
    """The names of the views; their numbers, which begin with 1, where they have none."""
    names = [] if game.content is None else game.content.view_names
    return _named(names, len(views(game)), 1)


def _named(names: Sequence[str], count: int, first: int) -> list[str]:
    return [(names[at] if at < len(names) else "") or str(at + first) for at in range(count)]


def seconds(frame: Frame, delay: int = 5) -> float:
    """How long a frame is seen, in seconds; ``delay`` is that of the animation, in turns."""
    return max(1, frame.speed + delay + 1) / TURNS


def characters(game: Game) -> Sequence[Character | EarlyCharacter]:
    """The characters."""
    if game.old is not None:
        return game.old.characters
    return [] if game.content is None else game.content.characters


def inventory(game: Game) -> list[InventoryItem]:
    """The inventory items by number; item 0 is never used."""
    if game.old is not None:
        return game.old.inventory[: max(0, game.old.inventory_count)]
    return [] if game.content is None else game.content.inventory


def cursors(game: Game) -> list[Cursor]:
    """The mouse cursors."""
    records = game.old or game.content
    return [] if records is None else records.cursors


def guis(game: Game) -> tuple[int, GuiSection]:
    """The version of the GUIs, and the GUIs with their controls."""
    if game.old is not None:
        return game.old.guis
    return (
        (0, GuiSection()) if game.content is None else (game.content.gui_version, game.content.gui)
    )


def dialogs(game: Game) -> list[DialogText]:
    """The dialogs."""
    new = game.blocks.find(NEW_DIALOGS_BLOCK, DialogsBlock)
    if new is not None and game.content is not None and not game.content.dialogs:
        names = _named([dialog.script_name for dialog in new.dialogs], len(new.dialogs), 0)
        return [
            DialogText(name, [_option(o.text, o.flags) for o in dialog.options], "", [])
            for name, dialog in zip(names, new.dialogs, strict=True)
        ]
    content = game.old or game.content
    if content is None:
        return []
    records: Sequence[Dialog | EarlyDialog] = content.dialogs
    named = [] if game.content is None else game.content.dialog_script_names
    names, scripts, says = _named(named, len(records), 0), content.dialog_data, _said(game)
    made = []
    for number, dialog in enumerate(records):
        code, stored = scripts[number] if number < len(scripts) else (b"", b"")
        count = max(0, min(dialog.option_count, len(dialog.options)))
        pairs = zip(dialog.options[:count], dialog.option_flags, strict=False)
        lines = [_in_words(line, game, says) for line in disassemble(code) or ()]
        source = shown_text(stored, game.version).rstrip("\0") if stored else ""
        options = [_option(text, flags) for text, flags in pairs]
        made.append(DialogText(names[number], options, source, lines))
    return made


def _option(text: str, flags: int) -> Option:
    return Option(text, bool(flags & ON) and not flags & GONE, not flags & SILENT)


def _said(game: Game) -> list[str]:
    """The texts that the operations of old dialogs number."""
    if game.old is not None:
        return list(game.old.dialog_messages)
    if game.content is None:
        return []
    return [shown_text(line, game.version) for line in game.content.speech_lines]


def _in_words(line: str, game: Game, says: Sequence[str]) -> str:
    """An operation with what its numbers stand for: ``Ego: Hello`` for ``say 0 3``."""
    operation, *numbers = line.split()
    if operation != "say":
        return line
    who, which = map(int, numbers)
    text = says[which] if 0 <= which < len(says) else f"text {which}"
    people = characters(game)
    name = people[who].name if 0 <= who < len(people) else str(who)
    return f"{ {_PLAYER: 'the player', _NARRATOR: 'the narrator'}.get(who, name) }: {text}"
