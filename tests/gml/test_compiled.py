"""The syntax modules compiled by mypyc pass the same tests as the plain ones."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "src" / "overhaul" / "gml" / "syntax"


@pytest.mark.skipif(find_spec("mypyc") is None, reason="mypyc is not installed")
@pytest.mark.skipif(
    not any(shutil.which(name) for name in (os.environ.get("CC", "cc"), "gcc", "clang")),
    reason="there is no C compiler",
)
def test_the_compiled_syntax_passes_the_same_tests(tmp_path: Path) -> None:
    def run(*arguments: object) -> str:
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

    names = sorted(path.name for path in FOLDER.glob("*.py") if path.name != "__init__.py")
    run("benchmarks/compiled.py", tmp_path, *(f"gml/syntax/{name}" for name in names))
    options = ("-q", "-p", "no:cacheprovider", "-o", f"pythonpath={tmp_path} tests tests/faults")
    assert "passed" in run("-m", "pytest", *options, "tests/gml/syntax")
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from overhaul.gml.syntax import "
    for name in names:
        module = name.removesuffix(".py")
        path = run("-c", f"{program}{module}; print({module}.__file__)").strip()
        assert path.endswith((".so", ".pyd"))


def test_every_module_that_is_compiled_is_there() -> None:
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        from compiled import SOURCE, hot_modules
    finally:
        sys.path.remove(str(ROOT / "benchmarks"))
    modules = hot_modules()
    assert {"media/qoi.py", "gml/decompiler/lift/expressions.py", "gml/vm/rows.py"} <= set(modules)
    assert not any(name.endswith("__init__.py") for name in modules)
    assert all((SOURCE / name).is_file() for name in modules)
