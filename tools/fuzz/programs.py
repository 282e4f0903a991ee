"""Random GML programs in every release of the compiler: compiled, decompiled and compiled again.

    python3 dev.py programs                          # 100,000 of each release: days on one core
    python3 dev.py programs --count 1000             # 1,000 of each release
    python3 dev.py programs 16-2.0 17-2.3.7 --first 5000 --jobs 4
    python3 dev.py programs 17-2.3.7 --first 21000886 --count 1 --reduce
    python3 dev.py programs --flow --count 1000      # small ones of nothing but control flow
    python3 dev.py programs --chains --count 1000    # elements of elements, functions in structs
    python3 dev.py programs --grafts --count 1000    # sources of the corpus, grown together

A program of a seed is always the same one.  Each that does not hold is printed with its seed (with
``--reduce`` a smaller one in its place that does not hold in the same way); the exit code is 1 if
there is one.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "support"))

from gml_chains import ChainWriter
from gml_fixed_point import ProgramWriter, broken, failure, program
from gml_flow import FlowWriter
from gml_grafts import GraftWriter
from gml_programs import RELEASES, Release
from gml_reducer import reduced
from gml_writer import Writer, context
from real_files import NO_CORPUS, corpus_folder

WRITERS: Final[dict[str, tuple[ProgramWriter, str]]] = {
    "flow": (FlowWriter, "nothing but control flow"),
    "chains": (ChainWriter, "elements of elements"),
    "grafts": (GraftWriter, "parts of the sources of the corpus in each other's places"),
}
#: programs that a process takes at a time
BLOCK = 100


def name(release: Release) -> str:
    """A release as the command line names it: 13-1.0.0.1044, 17-2.3."""
    bytecode, version = release
    numbers = list(version)
    while len(numbers) > 2 and numbers[-1] == 0:
        numbers.pop()
    return f"{bytecode}-{'.'.join(map(str, numbers))}"


def smaller(release: Release, seed: int, writer: ProgramWriter) -> str:
    """A small program that does not hold, in the way in which that of a seed does not."""
    dialect, kind, source = program(release, seed, writer)
    found = broken(source, dialect, kind)
    if found is None:
        return source

    def same(text: str) -> bool:
        now = broken(text, dialect, kind)
        return now is not None and now[0] == found[0]

    text = reduced(source, context(dialect), same)
    return f"seed {seed}, {kind}: {found[0]}:\n{text}\n{(broken(text, dialect, kind) or found)[1]}"


def failures(
    release: Release, writer: ProgramWriter, seeds: range, reduce: bool = False
) -> list[str]:
    """What does not hold, for the programs of some seeds."""
    found = []
    for seed in seeds:
        try:
            problem = failure(release, seed, writer)
        except Exception:  # noqa: BLE001 - whatever goes wrong is what is looked for
            problem = traceback.format_exc()
        else:
            if problem is not None and reduce:
                problem = smaller(release, seed, writer)
        if problem is not None:
            found.append(problem)
    return found


def main() -> int:
    """Look at the programs that the command line names; return the exit code."""
    known = {name(release): release for release in RELEASES}
    parser = argparse.ArgumentParser(description="Random GML programs in every release.")
    parser.add_argument("releases", nargs="*", metavar="RELEASE", help=", ".join(known))
    parser.add_argument("--count", type=int, default=100_000, help="programs of each release")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=None, help="processes")
    for word, (writer, meaning) in WRITERS.items():
        parser.add_argument(
            f"--{word}", dest="writer", action="store_const", const=writer, default=Writer,
            help=meaning,
        )  # fmt: skip
    parser.add_argument("--reduce", action="store_true", help="print small programs")
    given = parser.parse_args()
    if unknown := [each for each in given.releases if each not in known]:
        parser.error(f"no such release: {', '.join(unknown)}")
    if given.writer is GraftWriter and corpus_folder() is None:
        parser.error(NO_CORPUS)
    seeds = range(given.first, given.first + given.count)
    blocks = [seeds[at : at + BLOCK] for at in range(0, len(seeds), BLOCK)]
    total = 0
    with ProcessPoolExecutor(given.jobs) as pool:
        for each in given.releases or known:
            start, count = time.monotonic(), 0
            look = partial(failures, known[each], given.writer, reduce=given.reduce)
            for found in pool.map(look, blocks):
                count += len(found)
                for problem in found:
                    print(f"{each}: {problem}\n", flush=True)
            seconds = time.monotonic() - start
            print(f"{each}: {len(seeds)} programs, {count} failed, {seconds:.0f} s", flush=True)
            total += count
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
