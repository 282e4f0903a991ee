"""The compiled build (mypyc) passes the same tests as the plain one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(find_spec("mypyc") is None, reason="mypyc is not installed")
@pytest.mark.skipif(
    not any(shutil.which(name) for name in (os.environ.get("CC", "cc"), "gcc", "clang")),
    reason="there is no C compiler",
)
def test_the_compiled_qoi_passes_the_same_tests(tmp_path: Path) -> None:
    def run(*arguments: object) -> str:
        done = subprocess.run(
            [sys.executable, *map(str, arguments)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            env={k: v for k, v in os.environ.items() if not k.startswith("PYTEST")},
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("benchmarks/compiled.py", tmp_path, "media/qoi.py")
    options = ("-q", "-p", "no:cacheprovider", "-o", f"pythonpath={tmp_path} tests")
    output = run(
        "-m", "pytest", *options, "tests/media/test_qoi.py", "tests/media/test_textures.py"
    )
    assert "passed" in output
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from overhaul.media import qoi"
    assert run("-c", f"{program}; print(qoi.__file__)").strip().endswith((".so", ".pyd"))
