"""Completion, in the shells that this machine has; PowerShell's by what it calls."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src"


def script(shell: str) -> str:
    return subprocess.run(
        [sys.executable, "-m", "overhaul", "completion", shell],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def shell_of(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"there is no {name} here")
    return path


@pytest.fixture
def surroundings(tmp_path: Path) -> dict[str, str]:
    """An environment in which ``overhaul`` is this one."""
    program = tmp_path / "overhaul"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m overhaul "$@"\n')
    program.chmod(0o755)
    path = os.pathsep.join([str(tmp_path), os.environ["PATH"]])
    return {**os.environ, "PATH": path, "PYTHONPATH": str(SOURCE)}


def test_bash_completes_commands_and_options(surroundings: dict[str, str]) -> None:
    bash = shell_of("bash")
    (start,) = (line for line in script("bash").splitlines() if "completion()" in line)
    function = start.split("()")[0].strip()
    for words, wanted in {"ver": "verify", "unpack --fl": "--flat", "catalog bu": "build"}.items():
        parts = ["overhaul", *words.split()]
        array = " ".join(f"'{part}'" for part in parts)
        lines = (
            f"COMP_WORDS=({array}); COMP_CWORD={len(parts) - 1}",
            f"{function} overhaul",
            'printf "%s\\n" "${COMPREPLY[@]}"',
        )
        text = script("bash") + "\n" + "\n".join(lines)
        said = subprocess.run(
            [bash, "-c", text], env=surroundings, capture_output=True, text=True, check=True
        )
        assert said.stdout.split() == [wanted]


def test_fish_completes_commands_with_their_help(surroundings: dict[str, str]) -> None:
    fish = shell_of("fish")
    text = script("fish") + "\ncomplete --do-complete 'overhaul ver'"
    said = subprocess.run(
        [fish, "--no-config", "-c", text], env=surroundings, capture_output=True, text=True
    )
    assert said.stdout.splitlines() == ["verify\tDecode files, rebuild them, compare, and..."]


def test_zsh_reads_the_script(surroundings: dict[str, str], tmp_path: Path) -> None:
    zsh = shell_of("zsh")
    home = {**surroundings, "HOME": str(tmp_path), "ZDOTDIR": str(tmp_path)}
    # what the function would offer, as the system of completion itself needs a terminal
    lines = (
        "autoload -Uz compinit; compinit -u",
        script("zsh"),
        "_describe() { eval 'print -l -- \"${'$3'[@]}\"'; }",
        "compadd() { print -l -- ${@[-1]}; }",
        "words=(overhaul ver); CURRENT=2; _overhaul_completion",
    )
    said = subprocess.run(
        [zsh, "-f", "-c", "\n".join(lines)], env=home, capture_output=True, text=True
    )
    assert "verify:Decode files, rebuild them, compare, and..." in said.stdout, said


@pytest.mark.parametrize(
    ("line", "word", "wanted"),
    [
        ("overhaul ver", "ver", ["plain\tverify\tDecode files, rebuild them, compare, and..."]),
        ("overhaul unpack --fl", "--fl", ["plain\t--flat\t"]),
        (r'overhaul unpack "C:\My games\data.win" --fl', "--fl", ["plain\t--flat\t"]),
        ("overhaul completion p", "p", ["plain\tpowershell\t"]),
        ('overhaul completion "p', "p", ["plain\tpowershell\t"]),
    ],
)
def test_powershell_gets_lines(
    surroundings: dict[str, str], line: str, word: str, wanted: list[str]
) -> None:
    asked = {
        "_OVERHAUL_COMPLETE": "powershell_complete",
        "OVERHAUL_COMPLETE_LINE": line,
        "OVERHAUL_COMPLETE_WORD": word,
    }
    said = subprocess.run(
        [sys.executable, "-m", "overhaul"],
        env={**surroundings, **asked},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = said.stdout.splitlines()
    assert [found[: len(start)] for found, start in zip(lines, wanted, strict=True)] == wanted


def test_powershell_s_script_asks_for_the_line() -> None:
    text = script("powershell")
    assert "Register-ArgumentCompleter -Native -CommandName overhaul" in text
    assert '$env:_OVERHAUL_COMPLETE = "powershell_complete"' in text
    assert text.count("{") == text.count("}")
