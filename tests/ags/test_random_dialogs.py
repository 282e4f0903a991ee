"""Random dialogs: their script is decompiled to lines in the editor's language, which give it."""

from __future__ import annotations

import os

import pytest

from ags_conversations import DIALOGS, OPTIONS, PEOPLE, talk
from overhaul.ags.decompiler.files import script_files
from overhaul.ags.folder.dialogs import DialogFiles

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
