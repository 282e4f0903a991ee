"""How fast scripts of Adventure Game Studio are compiled, in CPU seconds of one process.

Measured on the projects of the corpus of which the official compiler's blocks are there
(``ags-pairs``): each project as a whole, with all its headers, as when a game is packed; and large
scripts behind headers that are compiled already.  Cycles are collected rarely, as in commands.
"""

from __future__ import annotations

import csv
import gzip
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from runner import Bench, Result

from overhaul.ags.agf.compiling import ProjectCompiler
from overhaul.ags.agf.rooms import RoomNames
from overhaul.ags.language import ScriptError, states
from overhaul.ags.language.reading import forget_lines
from overhaul.cli import collecting_rarely
from real_files import corpus_files

RATE = 100_000.0
LARGE = 400
Project = tuple[Path, str]


def projects(place: Path) -> dict[Project, list[Path]]:
    """The scripts by project and editor; the projects are unpacked in a folder."""
    found: dict[Project, list[Path]] = {}
    for table in corpus_files("ags-pairs/*/pairs.tsv"):
        if table.parent.name.startswith("_2x"):
            continue
        with table.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                path = Path(row["source"].removesuffix(".gz"))
                folder = place / table.parent.name / path.parts[1]
                if not folder.exists():
                    shutil.copytree(table.parent / "src" / path.parts[1], folder)
                    for packed in folder.rglob("*.gz"):
                        packed.with_suffix("").write_bytes(gzip.decompress(packed.read_bytes()))
                scripts = found.setdefault((folder, row["editor"]), [])
                scripts.append(folder.joinpath(*path.parts[2:]))
    return found


def lines_of(path: Path) -> int:
    return len(path.read_bytes().splitlines()) if path.exists() else 0


def compile_all(found: dict[Project, list[Path]]) -> float:
    """The seconds to compile all scripts of all projects; nothing is known before."""
    states.forget_states()
    forget_lines()
    start = time.process_time()
    for (folder, editor), scripts in found.items():
        compiler = ProjectCompiler(folder, editor)
        for script in scripts:
            try:
                compiler.compile(script).to_bytes()
            except ScriptError:
                continue  # one script names a character that is gone
    return time.process_time() - start


def header_lines(found: dict[Project, list[Path]]) -> tuple[int, int]:
    """The lines of built-in headers, once for each editor; of other headers, once a project."""
    built_in, own = set(), 0
    for (folder, editor), scripts in found.items():
        compiler = ProjectCompiler(folder, editor)
        longest = max((compiler.headers(path.name, RoomNames()) for path in scripts), key=len)
        built_in.add((longest[0].text, compiler.options))
        own += sum(header.text.count("\n") for header in longest[1:])
    return sum(text.count("\n") for text, _ in built_in), own


def least(measure: Callable[[], float], times: int = 3) -> float:
    """The least of several measurements: what else runs on the machine only adds to it."""
    return min(measure() for _ in range(times))


def large_scripts(found: dict[Project, list[Path]]) -> tuple[int, float]:
    """The lines of large scripts without a room, and the seconds when headers are compiled."""
    lines, seconds = 0, 0.0
    seen: set[bytes] = set()
    for (folder, editor), scripts in found.items():
        for script in scripts:
            count = lines_of(script)
            if count < LARGE or script.name.startswith("room") or script.read_bytes() in seen:
                continue
            seen.add(script.read_bytes())
            compiler = ProjectCompiler(folder, editor)
            compiler.compile(script)

            def measure(compiler: ProjectCompiler = compiler, script: Path = script) -> float:
                forget_lines()
                start = time.process_time()
                compiler.compile(script).to_bytes()
                return time.process_time() - start

            lines += count
            seconds += least(measure, 5)
    return lines, seconds


def main() -> None:
    bench = Bench("Compiling scripts of Adventure Game Studio")
    with tempfile.TemporaryDirectory() as place, collecting_rarely():
        found = projects(Path(place))
        if found:
            scripts = sum(lines_of(path) for paths in found.values() for path in paths)
            built_in, own = header_lines(found)
            seconds = least(lambda: compile_all(found))
            reading = least(lambda: read_all(found))
            note = f"{scripts} lines, {own} of headers, {built_in} of built-in headers"
            bench.add(
                Result("whole projects, all lines", (scripts + own + built_in) / seconds, "lines/s",
                       RATE, note=note)
            )  # fmt: skip
            bench.add(
                Result("without reading Game.agf", (scripts + own + built_in) / (seconds - reading),
                       "lines/s", note=f"{reading:.2f} of {seconds:.2f} s")
            )  # fmt: skip
            bench.add(Result("whole projects, lines of scripts", scripts / seconds, "lines/s"))
            lines, seconds = large_scripts(found)
            bench.add(
                Result("large scripts, headers compiled", lines / seconds, "lines/s", RATE,
                       note=f"{lines} lines")
            )  # fmt: skip
    bench.finish()


def read_all(found: dict[Project, list[Path]]) -> float:
    """The seconds to read all projects."""
    start = time.process_time()
    for folder, editor in found:
        ProjectCompiler(folder, editor)
    return time.process_time() - start


if __name__ == "__main__":
    main()
