"""The extension of VS Code: its grammars, and, where node is, that it builds."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

from real_files import ROOT

VSCODE = ROOT / "editors" / "vscode"


def test_the_grammars_follow_from_the_words_of_the_lexers() -> None:
    done = subprocess.run(
        [sys.executable, VSCODE / "make_grammars.py", "--check"],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_the_extension_knows_the_commands_of_the_server() -> None:
    pytest.importorskip("pygls", reason="the extra [lsp] is not installed")
    from overhaul.lsp.answering import USES
    from overhaul.lsp.server import PACK

    source = (VSCODE / "src" / "extension.ts").read_text("utf-8")
    assert f'"{PACK}"' in source
    assert f'"{USES}"' in source
    known = json.loads((VSCODE / "package.json").read_text("utf-8"))
    endings = [end for each in known["contributes"]["languages"] for end in each["extensions"]]
    assert endings == [".gml", ".asc", ".ash", ".ads"]


def test_the_package_has_the_bundle_only() -> None:
    lines = (VSCODE / ".vscodeignore").read_text("utf-8").split()
    assert lines[0] == "**"
    assert sorted(lines[1:]) == [
        "!LICENSE", "!README.md", "!icon.png", "!language-configuration.json", "!out/extension.js",
        "!package.json", "!syntaxes/*.json",
    ]  # fmt: skip
    known = json.loads((VSCODE / "package.json").read_text("utf-8"))
    assert known["vsce"] == {"dependencies": False}
    assert known["scripts"]["vscode:prepublish"] == "npm run check && npm run build"
    assert (VSCODE / known["icon"]).read_bytes().startswith(b"\x89PNG")
    assert "](../" not in (VSCODE / "README.md").read_text("utf-8")  # a package has no such files


@pytest.mark.parametrize("folder", ["vscode", "web"])
def test_locks_of_packages_name_no_server(folder: str) -> None:
    lock = (ROOT / "editors" / folder / "package-lock.json").read_text("utf-8")
    assert '"resolved"' not in lock


@pytest.mark.parametrize("script", ["check", "build", "test"])
def test_it_builds_and_its_grammars_colour_code(script: str) -> None:
    if shutil.which("npm") is None or not (VSCODE / "node_modules").is_dir():
        pytest.skip("node, or its packages (npm ci in editors/vscode), are not here")
    done = subprocess.run(
        ["npm", "run", "--silent", script], cwd=VSCODE, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
