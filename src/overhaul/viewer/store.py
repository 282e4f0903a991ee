"""Where indexes are kept: a folder of the user's caches, of a bounded size."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

from overhaul.version import __version__

#: All indexes together take so many bytes; those used least recently go first.
LARGEST = 1 << 30
#: Another number when the tables are others.
SCHEMA = 3
_PIECE = 1 << 20


def cache_folder() -> Path:
    """The folder of the indexes, made if it is not there."""
    chosen = os.environ.get("OVERHAUL_CACHE")
    if chosen:
        folder = Path(chosen)
    elif sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "overhaul"
    elif sys.platform == "darwin":
        folder = Path.home() / "Library/Caches/overhaul"
    else:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "overhaul"
    folder = folder.absolute()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def index_path(source: str) -> Path:
    """Where the index of a file, or of a folder as it is now, is kept."""
    return cache_folder() / f"{digest_of(source)}.index"


def digest_of(source: str) -> str:
    """What tells one file from another: its bytes; for a folder, what files it has since when."""
    whole = hashlib.sha256(f"{__version__} {SCHEMA} ".encode())
    if os.path.isdir(source):
        whole.update(os.path.realpath(source).encode("utf-8", "surrogateescape"))
        for folder, below, files in os.walk(source):
            below.sort()
            for name in sorted(files):
                found = os.stat(os.path.join(folder, name))
                said = f"{folder}/{name} {found.st_size} {found.st_mtime_ns}\n"
                whole.update(said.encode("utf-8", "surrogateescape"))
        return whole.hexdigest()
    path, mark, inside = source, "", ""
    if not os.path.exists(source):
        path, mark, inside = source.partition("!")
    whole.update(f"{mark}{inside}\0".encode("utf-8", "surrogateescape"))
    with open(path, "rb") as file:
        while piece := file.read(_PIECE):
            whole.update(piece)
    return whole.hexdigest()


def make_room(largest: int = LARGEST) -> None:
    """Remove the indexes that were used least recently, until the others are small enough."""
    found = []
    for path in cache_folder().glob("*.index"):
        try:
            state = path.stat()
        except FileNotFoundError:
            continue
        found.append((state.st_mtime_ns, state.st_size, path))
    total = sum(size for _, size, _ in found)
    for _, size, path in sorted(found):
        if total <= largest:
            return
        try:
            path.unlink()
        except OSError:  # another viewer has it open (Windows)
            continue
        total -= size


def touch(path: Path) -> None:
    """Note that an index is used."""
    try:
        os.utime(path)
    except OSError:
        return
