"""One build by mypyc for all tests that need compiled modules, kept between runs.

The compiled modules are in the user's cache folder (``OVERHAUL_TEST_CACHE`` names another) under
the hash of what they are made from. A lock makes parallel workers wait for the one that builds.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "overhaul"
SYNTAX = [
    f"gml/syntax/{path.name}"
    for path in sorted(SOURCE.glob("gml/syntax/*.py"))
    if path.name != "__init__.py"
]
MODULES = [*SYNTAX, "media/qoi.py"]
KEPT = 3  # builds


def why_not() -> str:
    """Why nothing can be compiled here; empty where it can."""
    if find_spec("mypyc") is None:
        return "mypyc is not installed"
    if not any(shutil.which(name) for name in (os.environ.get("CC", "cc"), "gcc", "clang")):
        return "there is no C compiler"
    return ""


def run(*arguments: object) -> str:
    """What a Python program prints; fails when it fails."""
    plain = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env=plain | {"MYPYC_OPT_LEVEL": "0"},  # quick to build: it is not measured here
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def passes(folder: Path, tests: list[str], modules: list[str]) -> None:
    """Check that tests pass on a copy of the package, in ``folder``, with compiled modules."""
    ignore = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(SOURCE, folder / "overhaul", ignore=ignore)
    shutil.copytree(_built(), folder, dirs_exist_ok=True)
    configured = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    paths = configured["tool"]["pytest"]["ini_options"]["pythonpath"]
    instead = " ".join(str(folder) if path == "src" else path for path in paths)
    options = ("-q", "-p", "no:cacheprovider", "-o", f"pythonpath={instead}")
    assert "passed" in run("-m", "pytest", *options, *tests)
    names = [name.removesuffix(".py").replace("/", ".") for name in modules]
    program = (
        f"import sys; sys.path.insert(0, {str(folder)!r})\nfrom importlib import import_module\n"
    )
    program += f"for name in {names}: print(import_module('overhaul.' + name).__file__)"
    assert all(path.endswith((".so", ".pyd")) for path in run("-c", program).split())


def _built() -> Path:
    """A folder with the compiled modules alone."""
    made_from = [*SOURCE.glob("*.py"), *SOURCE.glob("gml/*.py"), *(SOURCE / m for m in MODULES)]
    key = hashlib.sha256(f"{sys.version} {version('mypy')} {MODULES}".encode())
    for path in made_from:
        key.update(path.read_bytes())
    default = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache", "overhaul-tests").expanduser()
    cache = Path(os.environ.get("OVERHAUL_TEST_CACHE") or default)
    cache.mkdir(parents=True, exist_ok=True)
    built = cache / key.hexdigest()[:24]
    if built.exists():
        return built
    with _locked(cache / "lock"):
        if not built.exists():
            with tempfile.TemporaryDirectory(dir=cache) as name:
                folder = Path(name)
                run("benchmarks/compiled.py", folder / "all", *MODULES)
                for path in [*folder.glob("all/**/*.so"), *folder.glob("all/**/*.pyd")]:
                    kept = folder / "built" / path.relative_to(folder / "all")
                    if "build" not in kept.relative_to(folder / "built").parts:
                        kept.parent.mkdir(parents=True, exist_ok=True)
                        path.rename(kept)
                (folder / "built").rename(built)
            builds = [path for path in cache.iterdir() if len(path.name) == 24]
            for old in sorted(builds, key=lambda path: path.stat().st_mtime)[:-KEPT]:
                shutil.rmtree(old, ignore_errors=True)
    return built


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a lock file; where the system has no such locks, several may build."""
    with path.open("w") as file:
        try:
            import fcntl  # not on Windows
        except ImportError:
            pass
        else:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
