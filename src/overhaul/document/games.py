"""The document that a path stands for: the only game in a container, such as an .apk, is opened
for it."""

from __future__ import annotations

import os

from overhaul.document.registry import load


def game_of(path: str) -> str:
    """The path of what opening a path opens, which is another one for a container with one game in
    it: see :func:`overhaul.document.containers.game_path`.

    Raises OSError, and FormatError for an .app folder without a game, or with several.
    """
    if os.path.isfile(path):
        with open(path, "rb") as file:
            if file.read(2) not in (b"PK", b"MZ", b"7z"):
                return path
    elif not os.path.isdir(path):  # one with !, or one that is missed later
        return path
    found: str = load("overhaul.document.containers:game_path")(path)
    return found
