"""Mods: compare, make and put on a change of one line, in the corpus's largest game and in the one
with most code; pack their folder after it.

``python3 dev.py bench mods``; CPU time of one core.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from runner import Bench, Result

from modded_games import changed
from overhaul.mods.view import opened
from real_files import NO_CORPUS, corpus_files

GAMES = {"largest": "*Chonko*.win", "most code": "*tiempo-del-este*.win"}


def main() -> None:
    import overhaul
    from overhaul import mods

    bench = Bench("Mods: a change of one line")

    def measure(name: str, work: Callable[[], object], note: str, limit: float) -> None:
        times = []
        for _ in range(bench.options.repeats):
            start = time.process_time()
            work()
            times.append(time.process_time() - start)
        bench.add(Result(name, statistics.median(times), "s", limit, at_most=True, note=note))

    for which, pattern in GAMES.items():
        path = next(iter(corpus_files(f"datawin*/{pattern}")), None)
        if path is None:
            sys.exit(NO_CORPUS)
        game = path.read_bytes()
        with opened(game) as view:
            entries = sorted(p for p, file in view.files.items() if p in view.assembly)
            code = entries[len(entries) // 2]
        new = changed(game, {code: lambda text: "zz = 1;\n" + text})
        mod = mods.make(game, new, name="line")
        note = f"{which}: {len(game) / 1e6:.1f} MB, {len(entries)} entries"
        assert mods.apply(game, [mod]).data == new
        measure("diff", partial(mods.diff, game, new), note, 5)
        measure("make", partial(mods.make, game, new, name="line"), note, 6)
        measure("apply", partial(mods.apply, game, [mod]), note, 3)
        bench.add(Result("size", len(mod.to_bytes()), "B", 4000, at_most=True, note=note))
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place, "game")
            overhaul.unpack(game, folder)
            (folder / code).write_text("zz = 1;\n" + (folder / code).read_text())
            packed = Path(place, "new.win")
            measure("pack", partial(overhaul.pack, folder, packed, force=True), note, 2)
            assert packed.read_bytes() == new
    bench.finish()


if __name__ == "__main__":
    main()
