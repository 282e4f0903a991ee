"""Every data.win of the corpus: decoded, rebuilt, compared, unpacked; and the memory it takes.

``python3 dev.py bench datawin``; CPU time of one core.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from runner import ROOT, Bench, Result

from real_files import NO_CORPUS, corpus_files

#: The peak is read from the kernel; getrusage would tell the parent's, which it starts with.
MEMORY = """
import sys
import overhaul
assert overhaul.verify(sys.argv[1]).identical
with open("/proc/self/status") as status:
    print(next(line.split()[1] for line in status if line.startswith("VmHWM")))
"""


def main() -> None:
    import overhaul

    bench = Bench("data.win: every game of the corpus")
    games = corpus_files("datawin/*.win")
    if not games:
        sys.exit(NO_CORPUS)
    size = sum(path.stat().st_size for path in games)
    overhaul.verify(games[0])

    times = []
    for _ in range(bench.options.repeats):
        start = time.process_time()
        for path in games:
            assert overhaul.verify(path).identical, path
        times.append(time.process_time() - start)
    seconds = statistics.median(times)
    note = f"{len(games)} games, {size / 1e6:.0f} MB; {size / 1e6 / seconds:.1f} MB/s"
    bench.add(Result("decode, rebuild, compare", seconds, "s", 3, at_most=True, note=note))

    files, unpacking, packing = 0, 0.0, 0.0
    for path in games:
        with tempfile.TemporaryDirectory() as place:
            start = time.process_time()
            files += overhaul.unpack(path, os.path.join(place, "folder")).files
            middle = time.process_time()
            overhaul.pack(os.path.join(place, "folder"), os.path.join(place, "packed"))
            unpacking += middle - start
            packing += time.process_time() - middle
    note = f"{files} plain files"
    bench.add(Result("unpack", unpacking, "s", 30, at_most=True, note=note))
    bench.add(Result("pack, untouched", packing, "s"))

    worst = max((memory(path), path.stat().st_size) for path in games)
    allowed = 2.5 * worst[1] / 1e6 + 80
    note = f"of a game of {worst[1] / 1e6:.1f} MB"
    bench.add(Result("peak memory of verify", worst[0], "MB", allowed, at_most=True, note=note))
    bench.finish()


def memory(path: Path) -> float:
    """The peak memory in MB of a process that verifies a game."""
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, str(path)],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout) * 1024 / 1e6


if __name__ == "__main__":
    main()
