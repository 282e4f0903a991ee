"""The page of a dialog: its options, and what is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from overhaul.ags.game import uniform
from overhaul.ags.script.dialogs import Block, Step, dialog_steps
from overhaul.viewer.answers import Asked, Crumb, Page
from overhaul.viewer.opened import NotThere
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.ags import scripts, things
from overhaul.viewer.pages.ags.games import Thing, document_of, thing

if TYPE_CHECKING:
    from overhaul.viewer.opened import Opened


class Said(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of a dialog: who says it, or what is done where nobody does.

    ``depth`` counts the conditions around it; ``condition``: it is itself one, of what follows.
    """

    who: str
    href: str
    text: str
    depth: int = 0
    condition: bool = False


class OptionRow(msgspec.Struct, frozen=True):
    """An option, and what follows when it is chosen; option 0 is how the dialog begins."""

    number: int
    text: str
    on: bool
    said: bool
    lines: list[Said]


class DialogPage(Thing, frozen=True):
    """A dialog; ``source`` is its script as the author wrote it, where the game holds that."""

    options: list[OptionRow]
    source: str
    lines: list[Said]
    function: Crumb | None


def show_dialog(asked: Asked) -> DialogPage:
    """The page of a dialog."""
    opened, number, document = asked.opened, asked.resource.position, document_of(asked)
    every = uniform.dialogs(document.game)
    if number >= len(every):
        raise NotThere(f"there is no dialog {number}")
    dialog = every[number]
    steps = _steps(asked).get(number, [])
    names = _names(opened, asked)
    options = [
        OptionRow(
            at,
            document.shown(each.text),
            each.on,
            each.said,
            _lines([step for step in steps if step.option == at], names),
        )
        for at, each in enumerate(dialog.options, 1)
    ]
    begins = _lines([step for step in steps if not 0 < step.option <= len(options)], names)
    if begins:
        options.insert(0, OptionRow(0, "", True, False, begins))
    function = scripts.function_link(opened, f"_run_dialog{number}")
    return thing(
        asked,
        DialogPage,
        "dialogs.json",
        "dialogs",
        number,
        options=options,
        source=document.shown(dialog.source),
        lines=[_line(document.shown(line)) for line in dialog.lines] if not dialog.source else [],
        function=function if function.href else None,
    )


def _steps(asked: Asked) -> dict[int, list[Step]]:
    content = document_of(asked).game.content
    script = None if content is None else content.dialog_script
    if script is None:
        return {}
    return asked.opened.remember(
        "dialogs", lambda: dialog_steps(script), lambda made: 200 * sum(map(len, made.values()))
    )


def _names(opened: Opened, asked: Asked) -> dict[str, tuple[str, str]]:
    """What characters are called, and their pages, by the names that scripts know them by."""
    document = document_of(asked)
    found = {"player": ("the player", "")}
    for at, each in enumerate(uniform.characters(document.game)):
        link = things.nth_link(opened, "character", at)
        name = document.shown(each.name) or document.shown(each.script_name)
        found[each.script_name] = name, "" if link is None else link.href
    return found


def _lines(steps: list[Step], names: dict[str, tuple[str, str]]) -> list[Said]:
    """Steps as lines, each condition as a line before those that it is of."""
    found: list[Said] = []
    before: tuple[Block, ...] = ()
    for step in steps:
        same = next(
            (
                n
                for n, pair in enumerate(zip(before, step.blocks, strict=False))
                if len({*pair}) > 1
            ),
            min(len(before), len(step.blocks)),
        )
        for depth, block in enumerate(step.blocks[same:], same):
            found.append(Said("", "", block.text, depth, True))
        name, href = names.get(step.who, (step.who, ""))
        found.append(Said(name, href, step.text, len(step.blocks)))
        before = step.blocks
    return found


def _line(line: str) -> Said:
    who, colon, text = line.partition(": ")
    return Said(who, "", text) if colon else Said("", "", line)


DIALOG = Page(show_dialog, "ags-dialog.html", {"files": generic.file_part})
