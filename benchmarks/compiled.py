"""A copy of the package in which hot modules are compiled by mypyc.

``python benchmarks/compiled.py FOLDER`` makes it, and the tests run on it with
``pytest -o pythonpath="FOLDER tests" tests/media tests/properties/test_media.py``.  The modules
are the same files that run uncompiled; nothing is generated but machine code.  Needs mypy and a C
compiler.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src" / "overhaul"
MODULES = ("media/qoi.py",)


def build(folder: Path, modules: tuple[str, ...] = MODULES) -> Path:
    """Copy the package into a folder and compile the modules there; returns the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    ignore = shutil.ignore_patterns("*.so", "__pycache__")
    shutil.copytree(SOURCE, folder / "overhaul", dirs_exist_ok=True, ignore=ignore)
    paths = [str(Path("overhaul") / module) for module in modules]
    # mypyc's own command reads no configuration but ours; the layers above don't concern it.
    (folder / "mypy.ini").write_text("[mypy]\nfollow_imports = silent\n", encoding="utf-8")
    subprocess.run(
        [sys.executable, "-m", "mypyc", *paths], cwd=folder, check=True, capture_output=True
    )
    return folder


if __name__ == "__main__":
    print(build(Path(sys.argv[1])))
