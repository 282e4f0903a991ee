"""A copy of the package in which hot modules are compiled by mypyc.

``python benchmarks/compiled.py FOLDER [MODULE...]`` makes it (without modules: all that
``pyproject.toml`` names), and the tests run on it with
``pytest -o pythonpath="FOLDER tests tests/faults" tests/gml``.  The modules are the same files
that run uncompiled; nothing is generated but machine code.  Needs mypy and a C compiler;
``MYPYC_OPT_LEVEL=0`` in the environment builds faster, for tests.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "overhaul"


def hot_modules() -> tuple[str, ...]:
    """The modules that a compiled wheel has compiled, as ``pyproject.toml`` lists them."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        settings = tomllib.load(file)
    hook = settings["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["mypyc"]
    excluded = {path for pattern in hook["exclude"] for path in ROOT.glob(pattern)}
    return tuple(
        path.relative_to(SOURCE).as_posix()
        for pattern in hook["include"]
        for path in sorted(ROOT.glob(pattern))
        if path not in excluded
    )


def build(folder: Path, modules: tuple[str, ...] = ()) -> Path:
    """Copy the package into a folder and compile the modules there (all hot ones, without any);
    returns the folder."""
    modules = modules or hot_modules()
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
    print(build(Path(sys.argv[1]), tuple(sys.argv[2:])))
