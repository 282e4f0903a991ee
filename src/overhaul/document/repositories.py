"""Facts about a repository, read from git."""

from __future__ import annotations

import subprocess
from collections.abc import Collection

from overhaul.errors import WorkspaceError


def git(*words: str, folder: str = ".", given: bytes = b"", codes: Collection[int] = (0,)) -> bytes:
    """The output of git in a folder; ``codes`` are the exit codes of an answer.

    Raises WorkspaceError where git says that something is wrong.
    """
    try:
        done = subprocess.run(
            ["git", "-C", folder, *words], input=given, capture_output=True, check=False
        )
    except FileNotFoundError as error:
        raise WorkspaceError("git is not installed, or not in PATH") from error
    if done.returncode not in codes:
        reason = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise WorkspaceError(f"git {words[0]}: {reason or 'it failed'}")
    return done.stdout
