"""How fast a whole game's code is read as source, written back, and linked.

Whole processes of ``overhaul decompile`` with all that they start, the assignment of every entry
its own source, and one entry compiled and linked at a time.  Measured on the corpus's games.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from runner import Bench, Result, median, process

import overhaul
from overhaul.folder.parallel import Workers
from overhaul.gamemaker.data_folder.entry_texts import entry_texts
from real_files import corpus_files

#: with compiled .pyc files, as an installed package has
CACHE = "PYTHONPYCACHEPREFIX"
COMMAND = [sys.executable, "-m", "overhaul"]


def with_code() -> list[Path]:
    """The corpus's games that have bytecode, by size."""
    paths = sorted(corpus_files("datawin/*.win"), key=lambda path: path.stat().st_size)
    return [path for path in paths if not open_game(path).is_native]


def open_game(path: Path) -> Any:
    return overhaul.open(path)


def roots_of(game: Any) -> list[Any]:
    return [entry for entry in game.records.code if entry is not None and entry.root is None]


def instructions(game: Any) -> int:
    return sum(len(root.bytecode) for root in roots_of(game))


def whole_processes(bench: Bench, median_game: Path, largest: Path, folder: Path) -> None:
    """``overhaul decompile`` of everything, start-up included."""
    for path, target in ((median_game, 0.35), (largest, None)):
        arguments = ["decompile", "-q", "--force", "-j", "1", str(path)]
        arguments += ["-o", str(folder / "source")]
        seconds = process([*COMMAND, *arguments, "--no-cache"], bench.options.repeats)
        size = path.stat().st_size / 1e6
        note = f"{size:.2f} MB, {instructions(open_game(path)):,} instructions"
        name = f"overhaul decompile, the {'median' if target else 'largest'} game"
        bench.add(Result(name, seconds, "s", target, True, note))
        again = process(COMMAND + arguments, bench.options.repeats)
        bench.add(
            Result("the same command again", again, "s", 0.3 * seconds if target else None, True)
        )


def reading(bench: Bench, path: Path) -> None:
    """All entries as source, in the library: functions inside entries have the text of these."""

    def read() -> None:
        for entry in open_game(path).code:
            assert entry.gml is not None

    bench.add(Result("for entry in game.code: entry.gml", median(read, 3), "s"))


def assigning(bench: Bench, path: Path) -> None:
    """Every entry assigned its own source, and each compiled and linked alone."""
    game = open_game(path)
    data = game.to_bytes()
    roots = roots_of(game)
    sources = [root.gml for root in roots]

    def assign() -> None:
        for root, source in zip(roots, sources, strict=True):
            root.gml = source

    note = f"{len(roots)} entries, {instructions(game):,} instructions"
    bench.add(Result("assign a game its own source", median(assign, 3), "s", 2, True, note))
    assert game.to_bytes() == data
    names = [str(root.name) for root in roots]

    def compile_and_link() -> None:
        for name, source in zip(names, sources, strict=True):
            game.compile(name, source).to_bytes()

    each = 1e3 * median(compile_and_link, 3) / len(names)
    bench.add(Result("compile and link one entry", each, "ms", 5, True, note))


def in_processes(bench: Bench, path: Path) -> None:
    """Learned from and decompiled in one process and in two; by the clock on the wall."""
    count = instructions(open_game(path)) / 1e3
    for jobs, target in ((1, 60), (2, 120)):
        seconds = []
        for _ in range(bench.options.repeats):
            game = open_game(path)
            game.language.context.builtin_functions  # noqa: B018 - read before the clock starts
            start = time.perf_counter()
            texts, _ = entry_texts(Workers(path, game, jobs=jobs))
            seconds.append(time.perf_counter() - start)
            assert all(text.text is not None for text in texts)
        rate = count / min(seconds)
        name = f"decompile, {jobs} process{'es' if jobs > 1 else ''} (wall clock)"
        bench.add(Result(name, rate, "k/s", target))


def packing(bench: Bench, path: Path, folder: Path) -> None:
    """``overhaul pack`` after one script was edited."""
    plain = folder / "game"
    unpack = ["unpack", "-q", "--code", "gml", str(path), str(plain)]
    subprocess.run(COMMAND + unpack, check=True)
    script = max((plain / "code").glob("*.gml"), key=lambda found: found.stat().st_size)
    with script.open("a", encoding="utf-8") as file:
        file.write('\nshow_debug_message("one line more");\n')
    arguments = ["pack", "-q", "--force", str(plain), "-o", str(folder / "again.win")]
    seconds = process(COMMAND + arguments, bench.options.repeats)
    bench.add(Result("overhaul pack, one script changed", seconds, "s", note=script.stem[:40]))


def main() -> None:
    bench = Bench("The code of whole games (overhaul decompile, game.records.code)")
    games = with_code()
    if not games:
        print("no corpus of real games here", file=sys.stderr)
        bench.finish()
    largest = max(games, key=lambda path: instructions(open_game(path)))
    middle = min(games, key=lambda path: abs(path.stat().st_size - 470_000))
    folder = Path(tempfile.mkdtemp())
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPATH"] = str(Path(overhaul.__file__).parents[1])
    os.environ[CACHE] = str(folder / "compiled modules")
    try:
        whole_processes(bench, middle, largest, folder)
        reading(bench, largest)
        assigning(bench, largest)
        in_processes(bench, largest)
        packing(bench, largest, folder)
    finally:
        shutil.rmtree(folder)
    bench.finish()


if __name__ == "__main__":
    main()
