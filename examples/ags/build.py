"""Write a small Adventure Game Studio package from plain files: python build.py [FOLDER]

The folders here are a room, game data and a sprite set, unpacked: JSON, PNG images and script
assembly.  Each is packed to the file it is named after; these files become the assets of
park.ags.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import overhaul

HERE = Path(__file__).resolve().parent


def build(target: Path) -> Path:
    """Pack everything into the folder ``target``; return the package."""
    package = target / "park"
    shutil.copytree(HERE / "park.ags", package)
    (package / "assets").mkdir()
    for name in ("game28.dta", "acsprset.spr", "room1.crm"):
        overhaul.pack(HERE / name, package / "assets" / name)
    overhaul.pack(package, target / "park.ags")
    return target / "park.ags"


if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "build")
    folder.mkdir(parents=True, exist_ok=True)
    written = build(folder)
    report = overhaul.verify(written)
    print(f"{written}: {report.size} bytes, {len(report.members)} documents in it")
