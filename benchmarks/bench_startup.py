"""Whole processes, start-up included: what a person at a terminal waits for.

``python3 dev.py bench startup``; CPU time, with compiled .pyc files as an installed package has.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from runner import ROOT, Bench, Result, process

from game_blobs import chunk
from real_files import NO_CORPUS, corpus_files


def main() -> None:
    bench = Bench("Whole processes, start-up included")
    repeats = max(9, bench.options.repeats)
    with tempfile.TemporaryDirectory() as cache:
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        variables = {"PYTHONPATH": str(ROOT / "src"), "PYTHONPYCACHEPREFIX": cache}

        def milliseconds(*words: str) -> float:
            return 1000 * process([sys.executable, *words], repeats, **variables)

        def measure(name: str, target: float | None, *words: str) -> None:
            bench.add(Result(name, milliseconds(*words), "ms", target, at_most=True))

        measure("python -c pass", None, "-c", "pass")
        measure("python -c 'import overhaul'", None, "-c", "import overhaul")
        base = bench.results[-1].value
        command = ("-m", "overhaul")
        measure("overhaul --help", 150, *command, "--help")
        games = sorted(corpus_files("datawin/*.win"), key=lambda path: path.stat().st_size)
        if not games:
            sys.exit(NO_CORPUS)
        median, largest = games[len(games) // 2], games[-1]
        half = min(games, key=lambda path: abs(path.stat().st_size - 500_000))
        measure(named("info", largest), 1.5 * base, *command, "info", str(largest))
        measure(named("verify", median), 250, *command, "verify", str(median))
        measure(named("verify", half), 250, *command, "verify", str(half))
        measure(named("verify", largest), 500, *command, "verify", str(largest))
        measure(named("verify --code", half), None, *command, "verify", "--code", str(half))
        games = [game for game in games if chunk(game.read_bytes(), b"CODE")[1]]
        median, largest = games[len(games) // 2], games[-1]
        for game, target in ((median, 350), (largest, None)):
            words = ("decompile", "--no-cache", str(game), "--json")
            measure(named("decompile", game), target, *command, *words)
    bench.finish()


def named(command: str, path: Path) -> str:
    return f"overhaul {command}, a game of {path.stat().st_size / 1e6:.1f} MB"


if __name__ == "__main__":
    main()
