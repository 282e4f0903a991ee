"""Whole processes, start-up included: what a person at a terminal waits for.

    python3 dev.py bench startup

Prints the median of the wall time and of the CPU time, and what the promise is.  Real files are
taken from the corpus (OVERHAUL_CORPUS, else ../shared/corpus); without one, only what needs none.
"""

from __future__ import annotations

import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RUNS = int(os.environ.get("RUNS", "15"))


def measure(*command: str) -> tuple[float, float]:
    """The median wall and CPU seconds of a process."""
    walls, cpus = [], []
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        walls.append(time.perf_counter() - start)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpus.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return statistics.median(walls), statistics.median(cpus)


def show(name: str, times: tuple[float, float], promise: str = "") -> None:
    wall, cpu = times
    print(f"{name:46} {wall * 1000:8.1f} ms {cpu * 1000:8.1f} ms CPU  {promise}")


def games() -> list[Path]:
    folder = Path(os.environ.get("OVERHAUL_CORPUS") or ROOT.parent / "shared" / "corpus")
    files = (folder / "datawin").glob("*") if folder.is_dir() else ()
    return sorted((p for p in files if p.suffix == ".win"), key=lambda path: path.stat().st_size)


def main() -> int:
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"medians of {RUNS} runs"
    )
    python = sys.executable
    overhaul = (python, "-m", "overhaul")
    show("python -c pass", measure(python, "-c", "pass"))
    base = measure(python, "-c", "import overhaul")
    show("python -c 'import overhaul'", base)
    show("overhaul --help", measure(*overhaul, "--help"), "promise: 150 ms CPU")
    found = games()
    if not found:
        print("no corpus of real files here (set OVERHAUL_CORPUS to its folder)")
        return 0
    median, largest = found[len(found) // 2], found[-1]
    limit = f"promise: {1500 * base[0]:.1f} ms"
    show(f"info, largest ({size(largest)})", measure(*overhaul, "info", str(largest)), limit)
    show(
        f"verify, median ({size(median)})",
        measure(*overhaul, "verify", str(median)),
        "promise: 250 ms",
    )
    show(
        f"verify, largest ({size(largest)})",
        measure(*overhaul, "verify", str(largest)),
        "promise: 500 ms for 4 MB",
    )
    return 0


def size(path: Path) -> str:
    return f"{path.stat().st_size / 1e6:.1f} MB"


if __name__ == "__main__":
    sys.exit(main())
