"""Where the steps of a game are kept: a folder of the user's data.

Unlike caches, what is there is the only copy of somebody's work.  The environment variable
``OVERHAUL_DATA`` moves the folder.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path


def data_folder() -> Path:
    """The folder of the user's data of Overhaul; it is not made.  Raises RuntimeError without a
    home."""
    chosen = os.environ.get("OVERHAUL_DATA")
    if chosen:
        folder = Path(chosen)
    elif sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local"
        folder = Path(local) / "overhaul-data"
    elif sys.platform == "darwin":
        folder = Path.home() / "Library/Application Support/overhaul"
    else:
        folder = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "overhaul"
    return folder.absolute()


def journals_of(source: str) -> Path:
    """The folder of all journals of a file or folder, by its real path."""
    real = os.path.realpath(source).encode("utf-8", "surrogateescape")
    return data_folder() / "workbench" / hashlib.sha256(real).hexdigest()[:32]
