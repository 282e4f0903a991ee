"""Translation: the texts of the corpus's game with most code, and all of them put back translated.

``python3 dev.py bench translate``; CPU time of one core.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from runner import Bench, Result

import overhaul
from overhaul import translate
from real_files import NO_CORPUS, corpus_files

GAME = "datawin*/*tiempo-del-este*.win"


def cpu_time(work: Callable[[], object], repeats: int) -> float:
    """The median of the CPU seconds."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def main() -> None:
    path = next(iter(corpus_files(GAME)), None)
    if path is None:
        sys.exit(NO_CORPUS)
    bench = Bench("Translation: the game with most code")
    repeats = bench.options.repeats
    messages = translate.extract(path)
    for entry in messages:
        entry.msgstr = "é" + entry.msgid
    note = f"{len(messages)} texts, {path.stat().st_size / 1e6:.1f} MB"
    extracting = cpu_time(lambda: translate.extract(path), repeats)
    bench.add(Result("extract", extracting, "s", 2, at_most=True, note=note))
    applying = cpu_time(lambda: translate.apply(path, messages), repeats)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "game")
        overhaul.unpack(path, folder)
        for file in folder.rglob("*.gml"):
            file.write_text(file.read_text("utf-8") + "\n// changed\n", "utf-8")
        packed = Path(place, "new.win")
        packing = cpu_time(lambda: overhaul.pack(folder, packed, force=True), repeats)
    bench.add(Result("apply", applying, "s", note=note))
    share = applying / packing
    told = f"packing its folder with all code compiled takes {packing:.1f} s"
    bench.add(Result("apply, by packing", share, "times", 1.5, at_most=True, note=told))
    bench.finish()


if __name__ == "__main__":
    main()
