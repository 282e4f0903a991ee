"""Mutation testing of one area: ``python3 dev.py mutate AREA [--part K/N]``.

mutmut changes the code of the area in a copy of the repository (``.mutate/AREA``), one small
change at a time, and runs the tests that reach the change.  A change that no test notices is a
survivor: a rule that nothing holds.  The tests see no corpus, as on a fresh machine.

``--part 3/10`` takes every mutant whose number ends like the third tenth, the same ones on each
run.  A mutant that changes nothing but the wording of a message is counted apart: tests here
compare what a message is about, not each word of it.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

GAMEMAKER = "src/overhaul/gamemaker"
#: What is changed, and the tests that should notice, for each area.
AREAS: dict[str, tuple[list[str], list[str]]] = {
    "schema": (["src/overhaul/schema/*.py"], ["tests/schema", "tests/testing", "tests/ags"]),
    "folder": (["src/overhaul/folder/*.py"], ["tests/folder", "tests/cli", "tests/document"]),
    "compiler": (["src/overhaul/gml/compiler/*.py"], ["tests/gml"]),
    "passes": (["src/overhaul/gml/decompiler/passes/*.py"], ["tests/gml"]),
    "sprites": (
        [f"{GAMEMAKER}/data/chunks/sprt.py", f"{GAMEMAKER}/data_folder/sprites.py"],
        ["tests/gamemaker/data", "tests/media"],
    ),
    "classic-rooms": (
        [f"{GAMEMAKER}/classic/rooms.py", f"{GAMEMAKER}/classic_folder/rooms.py"],
        ["tests/gamemaker/classic", "tests/properties"],
    ),
    "ags-room": (
        ["src/overhaul/ags/room/*.py", "src/overhaul/ags_folder/room.py"],
        ["tests/ags", "tests/properties"],
    ),
}  # fmt: skip

COPIED = ("src", "tests", "examples", "docs", "benchmarks", "fuzz")
FILES = ("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "dev.py", "mkdocs.yml")
#: mutmut's exit codes of the tests: passed (nobody noticed), no test reaches it.
SURVIVED, UNTESTED = 0, 33


def main() -> int:
    """Run mutmut on one area and report the score and the survivors."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("area", choices=AREAS)
    parser.add_argument("--part", default="", metavar="K/N", help="N is 10 or 100")
    parser.add_argument("--only", default="*", metavar="GLOB", help="modules, as overhaul.x.*")
    arguments = parser.parse_args()
    folder = ROOT / ".mutate" / arguments.area
    prepare(folder, *AREAS[arguments.area])
    names = [f"{arguments.only}__mutmut_{ending}" for ending in endings(arguments.part)]
    # A process of its own: the tests must not find the checkout's package, nor a corpus.
    environment = {**os.environ, "OVERHAUL_CORPUS": str(folder / "none"), "PYTHONPATH": "src"}
    command = [sys.executable, "-m", "mutmut", "run", *names]
    if subprocess.call(command, cwd=folder, env=environment) != 0:
        return 1
    return report(folder)


def endings(part: str) -> list[str]:
    """The ends of the numbers of the mutants to run."""
    if not part:
        return ["*"]
    which, _, parts = part.partition("/")
    digits = {"10": 1, "100": 2}.get(parts)
    if digits is None or not which.isdigit():
        raise SystemExit("mutate.py: --part is K/10 or K/100")
    ending = str(int(which) % int(parts)).zfill(digits)
    return [f"*{ending}"] if digits == 1 or ending[0] != "0" else [f"*{ending}", ending[1]]


def prepare(folder: Path, mutated: list[str], tests: list[str]) -> None:
    """Bring the copy of the repository up to date; results of unchanged functions are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in COPIED:
        shutil.rmtree(folder / name, ignore_errors=True)
        if (ROOT / name).is_dir():
            ignore = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, folder / name, ignore=ignore)
    for name in FILES:
        shutil.copy(ROOT / name, folder / name)
    settings = {
        "source_paths": ["src"],
        "only_mutate": mutated,
        "also_copy": [*(n for n in COPIED[1:] if (ROOT / n).is_dir()), *FILES],
        "pytest_add_cli_args_test_selection": tests,
        "pytest_add_cli_args": ["-p", "no:cacheprovider", "-x", "-q"],
    }
    with open(folder / "pyproject.toml", "a", encoding="utf-8") as file:
        lines = [f"{key} = {json.dumps(value)}" for key, value in settings.items()]
        file.write("\n[tool.mutmut]\n" + "\n".join(lines) + "\n")


def report(folder: Path) -> int:
    """Print the score, and the survivors with their changes."""
    killed, survivors = 0, []
    for path in sorted((folder / "mutants").rglob("*.meta")):
        codes = json.loads(path.read_text("utf-8"))["exit_code_by_key"]
        killed += sum(code not in (None, SURVIVED, UNTESTED) for code in codes.values())
        survivors += [name for name, code in codes.items() if code in (SURVIVED, UNTESTED)]
    changes = {name: change_of(folder, name) for name in survivors}
    wording = [name for name in survivors if is_wording(changes[name])]
    real = [name for name in survivors if name not in wording]
    for name in real:
        print(f"\n{name}\n" + "\n".join(f"    {line}" for line in changes[name]))
    total = killed + len(survivors)
    rules = killed + len(real)
    print(f"\n{total} mutants: {killed} killed, {len(wording)} wording, {len(real)} survived")
    print(f"killed {killed / max(rules, 1):.1%} (with wording {killed / max(total, 1):.1%})")
    return 0


def change_of(folder: Path, name: str) -> list[str]:
    """The lines that a mutant takes away and puts in."""
    shown = subprocess.run(
        [sys.executable, "-m", "mutmut", "show", name],
        cwd=folder, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    lines = shown.split("\n")
    return [n for n in lines if n[:1] in "+-" and n[:3] not in ("+++", "---") and n]


def is_wording(change: list[str]) -> bool:
    """Whether a change is in the words of a text only: letters of another case, or marks at it."""
    if len(change) != 2:
        return False
    texts = [re.findall(r'"[^"]*"', line) for line in change]
    changed = [pair for pair in zip(*texts, strict=False) if pair[0] != pair[1]]
    same = len({line[1:].replace("XX", "").casefold() for line in change}) == 1
    return same and bool(changed) and all(" " in before for before, _ in changed)


if __name__ == "__main__":
    sys.exit(main())
