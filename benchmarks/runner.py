"""What all benchmarks share: medians of CPU time, the machine's name, and a plain table.

A benchmark is a script ``bench_*.py`` that makes a :class:`Bench`, measures, and ends with
``bench.finish()``: a table, or JSON with ``--json``; exit status 1 when a target was missed.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
for folder in (ROOT / "tests", ROOT / "tests/support", ROOT / "src"):
    if str(folder) not in sys.path:
        sys.path.append(str(folder))

from overhaul.cli import collecting_rarely  # noqa: E402 - the path is set above
from overhaul.document import caches  # noqa: E402

# What earlier runs concluded from a game is no part of what is measured.
_cache = tempfile.TemporaryDirectory(prefix="overhaul cache ")
os.environ["OVERHAUL_CACHE"] = _cache.name
_uncached = ExitStack()
_uncached.enter_context(caches.without())
# What is measured runs as in a command.
_uncached.enter_context(collecting_rarely())


@dataclass
class Result:
    """One measured promise; ``target`` is the least (or, with ``at_most``, the most) allowed."""

    name: str
    value: float
    unit: str
    target: float | None = None
    at_most: bool = False
    note: str = ""

    @property
    def kept(self) -> bool:
        if self.target is None:
            return True
        return self.value <= self.target if self.at_most else self.value >= self.target


def machine() -> str:
    """The machine in one line: processor, cores, system, Python."""
    processor = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="ascii").splitlines():
            if line.startswith("model name"):
                processor = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    return (
        f"{processor}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}, "
        f"{platform.python_implementation()} {platform.python_version()}"
    )


def median(
    function: Callable[[], object],
    repeats: int = 5,
    before: Callable[[], object] = lambda: None,
) -> float:
    """The median CPU seconds of a call, after one that doesn't count.

    ``before``: called before each, outside of the time.
    """
    function()
    times = []
    for _ in range(repeats):
        before()
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return statistics.median(times)


def process(arguments: list[str], repeats: int = 5, **variables: str) -> float:
    """The median CPU seconds of a whole process, start-up included."""
    times = []
    for _ in range(repeats + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(arguments, check=True, capture_output=True, env=os.environ | variables)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return statistics.median(times[1:])


class Bench:
    """The results of one script."""

    def __init__(self, title: str) -> None:
        parser = argparse.ArgumentParser(description=title)
        parser.add_argument("--json", action="store_true", help="print JSON")
        parser.add_argument("--repeats", type=int, default=5, help="runs per median")
        self.title = title
        self.options = parser.parse_args()
        self.results: list[Result] = []

    def add(self, result: Result) -> None:
        """Note a result; shown as it comes, as some take long."""
        self.results.append(result)
        if not self.options.json:
            if len(self.results) == 1:
                print(f"{self.title}\n{machine()}\n")
            print(self._row(result), flush=True)

    @staticmethod
    def _row(result: Result) -> str:
        target = ""
        if result.target is not None:
            sign = "≤" if result.at_most else "≥"
            target = f"{sign} {result.target:g}{'' if result.kept else '  MISSED'}"
        return (
            f"  {result.name:<46} {result.value:>9.3g} {result.unit:<6} {target:<16} {result.note}"
        )

    def finish(self) -> None:
        """Print what is left to print and end the script."""
        if self.options.json:
            rows = [asdict(result) | {"kept": result.kept} for result in self.results]
            print(
                json.dumps({"title": self.title, "machine": machine(), "results": rows}, indent=1)
            )
        sys.exit(0 if all(result.kept for result in self.results) else 1)
