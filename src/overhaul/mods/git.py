"""A game as one text, for ``git diff``: all plain files that are not derived from others."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator

from overhaul.errors import OverhaulError
from overhaul.media import audio, png
from overhaul.mods.comparing import is_lines
from overhaul.mods.view import Game, View, opened

#: The endings of the files that git-setup is for.
PATTERNS = (
    "*.win", "*.unx", "*.ios", "*.droid", "*.gmd", "*.gm6", "*.gmk", "*.gm81", "*.crm", "*.dta",
    "*.ags", "*.tra", "*.spr",
)  # fmt: skip
_CONFIG = """\
[diff "overhaul"]
\ttextconv = overhaul textconv
\tcachetextconv = true
[merge "overhaul"]
\tname = merge games by name
\tdriver = overhaul mod merge %O %A %B -o %A --force
"""


def textconv(game: Game) -> str:
    """The plain files of a game as one text; the same for the same game.

    Pictures, sounds and the like are a line each: the kind, and the digest.
    """
    with opened(game) as view:
        return "".join(_parts(view))


def _parts(view: View) -> Iterator[str]:
    for path in sorted(view.files):
        data = view.read(path)
        yield f"=== {path}\n"
        if path.endswith(".json") or is_lines(path):
            text = data.decode("utf-8", "replace")
            yield text if text.endswith("\n") else f"{text}\n"
        else:
            yield f"{_about(path, data)} sha256 {hashlib.sha256(data).hexdigest()}\n"


def _about(path: str, data: bytes) -> str:
    if path.endswith(".png"):
        try:
            height, width = png.decode(data).shape[:2]
        except OverhaulError:
            return f"{len(data)} bytes"
        return f"{width} x {height} pixels"
    sound = audio.inspect(data)
    if sound.duration is None:
        return f"{len(data)} bytes"
    return f"{sound.format.value}, {sound.duration:.3f} s, {len(data)} bytes"


def git_lines() -> tuple[str, str]:
    """The lines for ``.gitattributes`` and for git's configuration."""
    return "".join(f"{pattern} diff=overhaul merge=overhaul\n" for pattern in PATTERNS), _CONFIG


def git_setup(folder: str | os.PathLike[str]) -> list[str]:
    """Add these lines to a repository; return the files that were changed.

    Raises FileNotFoundError if the folder is not the top of a repository, OSError.
    """
    root = os.fspath(folder)
    config = os.path.join(root, ".git", "config")
    if not os.path.isfile(config):
        raise FileNotFoundError(2, "not the top of a git repository", root)
    attributes, settings = git_lines()
    changed = []
    for path, text, mark in (
        (os.path.join(root, ".gitattributes"), attributes, "diff=overhaul"),
        (config, settings, '[diff "overhaul"]'),
    ):
        before = ""
        if os.path.exists(path):
            with open(path, encoding="utf-8", errors="surrogateescape") as file:
                before = file.read()
        if mark not in before:
            line = "" if not before or before.endswith("\n") else "\n"
            with open(path, "a", encoding="utf-8", newline="\n") as file:
                file.write(line + text)
            changed.append(path)
    return changed
