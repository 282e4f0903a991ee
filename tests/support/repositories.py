"""Git repositories in which ``overhaul`` is a command: ``from repositories import git``."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from real_files import ROOT


def started(folder: Path, programs: Path, patch: pytest.MonkeyPatch) -> Path:
    """Begin a repository in a folder, and be in it; ``programs`` is a folder for the command."""
    programs.mkdir()
    program = programs / "overhaul"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(ROOT / 'src')!r})\n"
        "from overhaul.cli import main\nsys.exit(main())\n"
    )
    program.chmod(0o755)
    patch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    for name in ("AUTHOR", "COMMITTER"):
        patch.setenv(f"GIT_{name}_NAME", "a")
        patch.setenv(f"GIT_{name}_EMAIL", "a@example.org")
    patch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    folder.mkdir(exist_ok=True)
    patch.chdir(folder)
    git("init", "-q", "-b", "main")
    return folder


def git(*words: str, code: int | None = 0) -> str:
    """Run git; what it prints.  ``code``: the exit code that is expected, None for any."""
    done = subprocess.run(["git", *words], capture_output=True, text=True, check=False)
    assert code is None or done.returncode == code, done.stderr + done.stdout
    return done.stdout + done.stderr
