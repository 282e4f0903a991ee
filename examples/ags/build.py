"""Write a small Adventure Game Studio package from plain files: python build.py [FOLDER]

The folder ``park`` is a game as one tree: a room, the things of the game, sprites and scripts, as
JSON, PNG images and the source of its scripts.
"""

from __future__ import annotations

import sys
from pathlib import Path

import overhaul

HERE = Path(__file__).resolve().parent


def build(target: Path) -> Path:
    """Pack the game into the folder ``target``; return the package."""
    overhaul.pack(HERE / "park", target / "park.ags")
    return target / "park.ags"


if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "build")
    folder.mkdir(parents=True, exist_ok=True)
    written = build(folder)
    report = overhaul.verify(written)
    print(f"{written}: {report.size} bytes, {len(report.members)} documents in it")
