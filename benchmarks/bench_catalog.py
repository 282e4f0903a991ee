"""Catalogues: the rate of builds, how it grows with files and processes, how fast answers are.

``python3 dev.py bench catalog``; wall time, as processes are what is measured.  The shelf is made
of real files of all families: copies, renamed, damaged, in archives.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

from runner import Bench, Result

from overhaul import catalog
from overhaul.catalog.questions import QUESTIONS
from real_files import NO_CORPUS, corpus_files
from shelves import make_shelf

GLOBS = ("datawin*/*.win", "projects/*.g*", "ags/*/*.crm", "ags/*/*.dta", "ags/*/*.ags")
#: Files up to this size are taken, so that a run ends in minutes.
LARGEST = 600 << 10
FILES = 3000


def seconds(work: Path, shelf: Path, jobs: int, wanted: catalog.Wanted) -> tuple[float, int]:
    """How long a build takes, and how many bytes it reads."""
    before = time.monotonic()
    catalog.build([shelf], work, jobs=jobs, wanted=wanted)
    taken = time.monotonic() - before
    return taken, sum(path.stat().st_size for path in shelf.rglob("*") if path.is_file())


def main() -> None:
    found = [
        path for pattern in GLOBS for path in corpus_files(pattern) if path.stat().st_size < LARGEST
    ]
    if not found:
        sys.exit(NO_CORPUS)
    bench = Bench("Catalogues of many games")
    everything = catalog.Wanted()
    only_files = catalog.Wanted(verify=False, resources=False)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        rates: dict[str, float] = {}
        for count in (100, 1000, FILES):
            make_shelf(found, place / f"shelf{count}", count)
            taken, size = seconds(place / f"c{count}", place / f"shelf{count}", 2, everything)
            rates[str(count)] = count / taken
            bench.add(Result(f"everything of {count} files", count / taken, "files/s"))
            bench.add(Result(f"everything of {count} files, by size", size / taken / 1e6, "MB/s"))
        shelf = place / "shelf1000"
        one, _ = seconds(place / "one", shelf, 1, everything)
        bench.add(Result("two processes against one", rates["1000"] * one / 1000, "times", 1.8))
        taken, size = seconds(place / "files", shelf, 2, only_files)
        bench.add(Result("what files are, 1000 files", 1000 / taken, "files/s"))
        bench.add(Result("what files are, by size", size / taken / 1e6, "MB/s"))
        again, _ = seconds(place / f"c{FILES}", place / f"shelf{FILES}", 2, everything)
        bench.add(Result(f"{FILES} files again, unchanged", again, "s"))
        with catalog.open(place / f"c{FILES}") as opened:
            for name, question in QUESTIONS.items():
                start = time.monotonic()
                opened.ask(name, **dict.fromkeys(question.takes, "x")).fetchall()
                bench.add(Result(f"question {name}", time.monotonic() - start, "s", 1.0, True))
            start = time.monotonic()
            opened.similar(found[0]).fetchall()
            bench.add(Result("question similar", time.monotonic() - start, "s"))
            sql = "SELECT max(memory) FROM files"
            peak = int(opened.sql(sql).fetchall()[0][0]) / (1 << 20)
            bench.add(Result("memory of a process that reads", peak, "MB", 500, True))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        bench.add(Result("memory of the build", peak, "MB"))
    bench.finish()


if __name__ == "__main__":
    main()
