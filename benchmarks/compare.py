"""What whole processes cost, compared with the last release: ``python3 dev.py bench --compare``.

Instructions are counted, as times say little on a machine that does other things: by ``perf``, or
by ``valgrind``; where there is neither, the least CPU time of several runs counts.  The figures of
the last release are in ``figures.json``, by what counted them and for which Python.  A process that
costs 3 % more than that, or takes 5 % more memory, fails.

``--write`` takes the figures of this checkout (for a release), and writes the table of
docs/benchmarks.md.  ``--against REVISION`` takes those of another revision of this repository
first, instead of the kept ones.  Names choose some of the processes.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias

from runner import ROOT, machine

from furnished import furnish
from overhaul.gamemaker.data.game import GameData
from real_files import corpus_files
from small_games import game_of

FIGURES = ROOT / "benchmarks" / "figures.json"
PAGE = ROOT / "docs" / "benchmarks.md"
#: how much more is a failure: of instructions, of CPU time, of memory
MORE = {"instructions": 0.03, "seconds": 0.10, "memory": 0.05}
#: what memory may differ by from run to run, in megabytes
NOISE = 1.0
RUNS = 7
BEGIN, END = "<!-- compare: begin -->", "<!-- compare: end -->"

COMMAND = "import sys\nfrom overhaul.cli import main\nsys.argv[0] = 'overhaul'\nsys.exit(main())\n"
EDIT = """import sys, overhaul
with overhaul.open(sys.argv[1]) as game:
    texts = game.strings[len(game.strings) // 2:]
    number = next(text.number for text in texts if not text.startswith("GM"))
    game.strings[number] += " edited"
    game.save(sys.argv[2], force=True)
"""
#: says the memory of the process itself, at its end
PEAK = """import atexit, sys
def say(file=sys.stderr, open=open):
    with open("/proc/self/status") as status:
        print([line for line in status if line.startswith("VmHWM")][0], file=file)
atexit.register(say)
"""

#: name: instructions (or seconds), and megabytes
Figures: TypeAlias = dict[str, tuple[float, float]]


class Work(NamedTuple):
    """A process: its code and arguments; ``once`` is run before it, and not counted."""

    name: str
    code: str
    arguments: tuple[str, ...] = ()
    once: tuple[str, ...] = ()


@dataclass
class Games:
    """The games that processes work on, by what they are called here: made, or of the corpus."""

    folder: Path

    def made(self) -> str:
        path = self.folder / "made.win"
        if not path.exists():
            game: GameData = game_of("2023.8")
            furnish_all(game)
            path.write_bytes(game.to_bytes())
        return str(path)

    def real(self) -> Iterator[tuple[str, str]]:
        wanted = {
            "0.3 MB": "datawin2/Natesky9__ZAAP*20ce8308.win",
            "1.0 MB of code": "datawin2/Gatoiq__tiempo-del-este*.win",
        }
        for name, pattern in wanted.items():
            for path in corpus_files(pattern)[:1]:
                yield name, str(path)

    def room(self) -> Iterator[str]:
        rooms = sorted(corpus_files("ags/*/*.crm"), key=lambda path: path.stat().st_size)
        if rooms:
            yield str(rooms[-len(rooms) // 8])


def furnish_all(game: GameData) -> None:
    from PIL import Image

    game.sprites.add("spr_keeper", [Image.new("RGBA", (16, 16), (200, 100, 0, 255))])
    furnish(game)


def works(folder: Path) -> Iterator[Work]:
    """All processes, the quickest first."""
    games = Games(folder)
    out = str(folder / "out")
    yield Work("import overhaul", "import overhaul")
    yield Work("overhaul --help", COMMAND, ("--help",))
    named = [("a made game", games.made()), *games.real()]
    for name, path in named:
        yield Work(f"info, {name}", COMMAND, ("info", path))
        yield Work(f"one text changed, {name}", EDIT, (path, out + ".win"))
        yield Work(f"verify, {name}", COMMAND, ("verify", path))
    for name, path in named:
        yield Work(f"decompile, {name}", COMMAND, ("decompile", path, "--json"))
        remove = f"import shutil; shutil.rmtree({out!r}, True)\n"
        yield Work(f"unpack, {name}", remove + COMMAND, ("unpack", path, out))
        edit = folder / "edited"
        yield Work(
            f"pack with a text changed, {name}",
            COMMAND,
            ("pack", str(edit), "-o", out + ".win", "--force"),
            ("unpack", path, str(edit), "--discard", "--code", "asm"),
        )
        yield Work(f"texts to translate, {name}", COMMAND, ("translate", "extract", path, "-o",
            out + ".po", "--force"))  # fmt: skip
    for path in games.room():
        yield Work("verify, a room of AGS", COMMAND, ("verify", path))


# -- counting --------------------------------------------------------------------------------------


def counter() -> str:
    """What counts here: ``perf``, ``valgrind`` or ``seconds``."""
    for name, command in (
        ("perf", ["perf", "stat", "-x,", "-e", "instructions:u", "true"]),
        ("valgrind", ["valgrind", "--version"]),
    ):
        if shutil.which(command[0]):
            said = subprocess.run(command, capture_output=True, text=True, check=False)
            if said.returncode == 0 and "not supported" not in said.stderr:
                return name
    return "seconds"


def environment(source: Path, cache: str) -> dict[str, str]:
    unwanted = ("PYTHONDONTWRITEBYTECODE", "PYTHONHOME", "OVERHAUL_CORPUS")
    kept = {name: value for name, value in os.environ.items() if name not in unwanted}
    return kept | {
        "PYTHONPATH": str(source),
        "PYTHONPYCACHEPREFIX": cache,
        "OVERHAUL_CACHE": os.path.join(cache, "kept"),
        "PYTHONHASHSEED": "0",
    }


def run(command: list[str], surroundings: dict[str, str]) -> tuple[str, float]:
    """What a process says on its error output, and its CPU seconds."""
    with subprocess.Popen(
        command,
        env=surroundings,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        said = process.stderr.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command[:6])} ... failed:\n{said}")
    return said, used.ru_utime + used.ru_stime


def cost(kind: str, command: list[str], surroundings: dict[str, str]) -> float:
    """The instructions of a process, in millions; or its CPU seconds."""
    if kind == "valgrind":
        tool = [
            "valgrind",
            "--tool=cachegrind",
            "--cache-sim=no",
            "--cachegrind-out-file=/dev/null",
        ]
        said, _ = run([*tool, *command], surroundings)
        (number,) = re.findall(r"I\s+refs:\s+([\d,]+)", said)
        return int(number.replace(",", "")) / 1e6
    if kind == "perf":
        tool = ["perf", "stat", "-x,", "-e", "instructions:u", "--"]
        said, _ = run([*tool, *command], surroundings)
        (number,) = re.findall(r"^(\d+),", said, re.M)
        return int(number) / 1e6
    return min(run(command, surroundings)[1] for _ in range(RUNS))


def measure(source: Path, kind: str, folder: Path, names: list[str]) -> Figures:
    """The figures of a source folder."""
    figures: Figures = {}
    with tempfile.TemporaryDirectory() as cache:
        surroundings = environment(source, cache)
        for work in works(folder):
            if names and not any(name in work.name for name in names):
                continue
            if work.once:
                prepare(work, surroundings)
            arguments = [*work.arguments]
            # The first run compiles the modules; it also says how much memory there is.
            run([sys.executable, "-c", work.code, *arguments], surroundings)
            said, _ = run([sys.executable, "-c", PEAK + work.code, *arguments], surroundings)
            memory = int(re.findall(r"VmHWM:\s+(\d+)", said)[-1]) / 1024
            spent = cost(kind, [sys.executable, "-c", work.code, *arguments], surroundings)
            figures[work.name] = (round(spent, 3), round(memory, 1))
            unit = "s" if kind == "seconds" else "M"
            print(f"  {work.name:<42} {spent:>10.3f} {unit} {memory:>8.1f} MB", flush=True)
    return figures


def prepare(work: Work, surroundings: dict[str, str]) -> None:
    """Run what stands before a process, and edit the folder that it made."""
    run([sys.executable, "-c", COMMAND, *work.once], surroundings)
    path = Path(work.once[2], "strings.csv")
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    row = next(row for row in reversed(rows) if not any(row[2:]))  # other texts are names
    row[1] += " edited"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(rows)


# -- comparing -------------------------------------------------------------------------------------


def key_of(kind: str) -> str:
    """What figures can be compared: by one counter, for one Python."""
    return f"{kind}, {sys.implementation.name} {sys.version_info[0]}.{sys.version_info[1]}"


def kept() -> dict[str, Figures]:
    return json.loads(FIGURES.read_text("utf-8")) if FIGURES.exists() else {}


def worse(kind: str, before: Figures, now: Figures) -> list[str]:
    """What costs too much more."""
    limit = MORE["seconds" if kind == "seconds" else "instructions"]
    found = []
    for name in before.keys() & now.keys():
        (old, old_memory), (new, new_memory) = before[name], now[name]
        if new > old * (1 + limit):
            found.append(f"{name}: {new / old - 1:+.1%} ({old:g} -> {new:g})")
        if new_memory > old_memory * (1 + MORE["memory"]) + NOISE:
            found.append(f"{name}: {old_memory:g} MB -> {new_memory:g} MB")
    return sorted(found)


def table(kind: str, before: Figures, now: Figures) -> str:
    unit = "CPU seconds" if kind == "seconds" else "millions of instructions"
    rows = [f"| {unit} (MB of memory) | before | now | |", "| --- | --- | --- | --- |"]
    for name, (new, memory) in now.items():
        old, old_memory = before.get(name, (0.0, 0.0))
        was = f"{old:,.4g} ({old_memory:.0f})" if old else ""
        change = f"{new / old - 1:+.0%}" if old else ""
        rows.append(f"| {name} | {was} | {new:,.4g} ({memory:.0f}) | {change} |")
    return "\n".join(rows)


def archived(revision: str, folder: Path) -> Path:
    """The source folder of another revision."""
    place = folder / "revision"
    place.mkdir()
    packed = subprocess.run(
        ["git", "archive", revision, "src"], cwd=ROOT, check=True, capture_output=True
    ).stdout
    subprocess.run(["tar", "x", "-C", str(place)], input=packed, check=True)
    return place / "src"


def write(kind: str, before: Figures, now: Figures) -> None:
    """Keep the figures, and put their table on the page."""
    figures = {**kept(), key_of(kind): now}
    FIGURES.write_text(json.dumps(figures, indent=1, sort_keys=True) + "\n", "utf-8")
    page = PAGE.read_text("utf-8")
    head, rest = page.split(BEGIN)
    _, tail = rest.split(END)
    words = f"Whole processes, counted by {key_of(kind)}, on {machine()}:"
    PAGE.write_text(
        f"{head}{BEGIN}\n\n{words}\n\n{table(kind, before, now)}\n\n{END}{tail}", "utf-8"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("names", nargs="*", help="parts of the names of processes")
    parser.add_argument("--against", metavar="REVISION", help="measure this one first")
    parser.add_argument("--write", action="store_true", help="keep the figures; write the table")
    parser.add_argument("--counter", choices=("perf", "valgrind", "seconds"))
    options = parser.parse_args()
    kind = options.counter or counter()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        if options.against:
            print(f"{options.against}, counted by {kind}")
            before = measure(archived(options.against, folder), kind, folder, options.names)
        else:
            before = {name: (old[0], old[1]) for name, old in kept().get(key_of(kind), {}).items()}
        print(f"this checkout, counted by {kind}")
        now = measure(ROOT / "src", kind, folder, options.names)
    print()
    print(table(kind, before, now))
    if options.write:
        write(kind, before, now)
    if not before:
        print(f"\nno figures of a release by {key_of(kind)}: --write or --against takes them")
        return 0
    failed = worse(kind, before, now)
    for line in failed:
        print(f"WORSE {line}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
