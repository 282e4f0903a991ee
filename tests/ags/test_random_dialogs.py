"""Random dialogs: their script is decompiled to lines in the editor's language, which give it."""

from __future__ import annotations

import os
import re
from random import Random

import pytest

from ags_conversations import DIALOGS, OPTIONS, PEOPLE, conversation, talk
from overhaul.ags.decompiler.files import script_files
from overhaul.ags.folder.dialogs import DialogFiles
from overhaul.ags.script.dialogs import dialog_steps

SEEDS = range(1000 if os.environ.get("OVERHAUL_FULL") == "1" else 40)
EDITORS = ("3.1.2.82", "3.3.0.1162", "3.4.0.14", "3.4.3.1", "3.5.1.22", "3.6.0.51", "3.6.2.21")


def left_out(seed: int, editor: str) -> list[str]:
    """The dialogs that stay script."""
    script, known = talk(seed, editor)
    files = script_files(script, known)
    paths = [f"dialogs/{name}.ads" for name in DIALOGS]
    dialogs = DialogFiles(paths, DIALOGS, [OPTIONS] * len(DIALOGS), PEOPLE)
    taken = dialogs.split(files, script).dialogs
    return [name for number, name in enumerate(DIALOGS) if number not in taken]


@pytest.mark.parametrize("editor", EDITORS)
def test_random_dialogs_come_back_in_their_language(editor: str) -> None:
    assert {seed: left for seed in SEEDS if (left := left_out(seed, editor))} == {}


def said_in(lines: str) -> list[tuple[int, str]]:
    """The letters that are said in the lines of a dialog, each with its entry point."""
    said: list[tuple[int, str]] = []
    entry = -1
    for line in lines.split("\n"):
        command = line.partition("//")[0].strip()
        if command[:1] == "@":
            entry = 0 if command[1] == "S" else int(command[1:])
        elif command.lower().startswith(("return", "stop", "goto", "new-room")):
            entry = entry if line[0] == " " else -1
        elif ":" in command[1:] and line[0] not in " \t" and entry >= 0:
            said.append((entry, _letters(command.partition(":")[2])))
    return said


def _letters(text: str) -> str:
    return re.sub(r"\W", "", text)


@pytest.mark.parametrize("editor", EDITORS)
def test_steps_of_random_dialogs_are_those_of_their_options(editor: str) -> None:
    for seed in SEEDS:
        random = Random(seed)
        steps = dialog_steps(talk(seed, editor)[0])
        for number in range(len(DIALOGS)):
            spoken = [
                (step.option, _letters(step.text.removeprefix("Display(")))
                for step in steps[number]
                if (step.who and step.text not in ("x", "…")) or step.text.startswith('Display("')
            ]
            assert spoken == said_in(conversation(random)), (seed, number)
