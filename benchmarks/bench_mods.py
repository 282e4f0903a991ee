"""Mods: compare, make and put on a change of one line, in the corpus's largest game, in the one
with most code, and in one of 100 MB that is made of the largest; pack a folder of 10 MB after it.

``python3 dev.py bench mods``; CPU time of one core.
"""

from __future__ import annotations

import io
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import wave
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from runner import Bench, Result, median

import overhaul
from modded_games import changed
from overhaul import mods
from overhaul.folder.packing import Packed
from overhaul.folder.watching import watch
from overhaul.gamemaker.data.game import GameData
from overhaul.mods.view import opened
from real_files import NO_CORPUS, corpus_files

GAMES = {"largest": "*Chonko*.win", "most code": "*tiempo-del-este*.win"}


def enlarged(game: bytes, megabytes: int) -> bytes:
    """A game with sprites and sounds of noise until it has a size."""
    made = GameData.from_bytes(game)
    noise = np.random.default_rng(1)
    for number in range((megabytes - len(game) // 1_000_000) // 2):
        frame = noise.integers(0, 256, (512, 512, 4), np.uint8)
        frame[..., 3] = 255
        made.sprites.add(f"spr_noise_{number}", [frame])
        out = io.BytesIO()
        with wave.open(out, "wb") as file:
            file.setparams((2, 2, 44100, 0, "NONE", ""))
            file.writeframes(noise.integers(0, 256, 1_000_000, np.uint8).tobytes())
        made.sounds.add(f"snd_noise_{number}", out.getvalue())
    return made.to_bytes()


def with_line(game: bytes) -> tuple[bytes, str]:
    """The game with a line more in one entry, and the file of that entry."""
    with opened(game) as view:
        entries = sorted(p for p, file in view.files.items() if p in view.assembly)
    code = entries[len(entries) // 2]
    return changed(game, {code: lambda text: "zz = 1;\n" + text}), code


def peak_of_diff(old: Path, new: Path) -> float:
    """The peak memory of comparing two files in a process of its own, in bytes."""
    program = (
        "import sys\nfrom overhaul import mods\n"
        "assert len(mods.diff(*sys.argv[1:])) == 1\n"
        "status = open('/proc/self/status').read()\n"  # ru_maxrss has what this process had
        "print(1024 * int(status.split('VmHWM:')[1].split()[0]))\n"
    )
    words = [sys.executable, "-c", program, str(old), str(new)]
    return float(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def in_turns(clock: Callable[[], float], *works: Callable[[], object]) -> list[float]:
    """The median times of five runs of each, one after the other, as the machine may be busy."""
    times: list[list[float]] = [[] for _ in works]
    for turn in range(6):
        for work, found in zip(works, times, strict=True):
            start = clock()
            work()
            if turn:  # the first one imports
                found.append(clock() - start)
    return [statistics.median(found) for found in times]


def after_saving(folder: Path, script: Path, target: Path) -> tuple[float, float]:
    """Seconds from saving a script to the game that ``overhaul watch`` packs, by the clock and of
    CPU time: medians of five."""
    times: list[tuple[float, float]] = []
    saved = [0.0, 0.0]

    def save() -> None:
        saved[:] = time.perf_counter(), time.process_time()
        script.write_text("zz = 1;\n" + script.read_text())

    packed = watch(folder, target, force=True)
    next(packed)
    for _ in range(6):
        threading.Timer(0.3, save).start()
        assert isinstance(next(packed), Packed)
        times.append((time.perf_counter() - saved[0], time.process_time() - saved[1]))
    packed.close()
    wall, work = zip(*times[1:], strict=True)  # the first one imports
    return statistics.median(wall), statistics.median(work)


def measure_large(bench: Bench, game: bytes) -> None:
    """Two files of 100 MB that differ in one entry, and a folder of 10 MB."""
    large = enlarged(game, 100)
    new, _ = with_line(large)
    with tempfile.TemporaryDirectory() as place:
        paths = [Path(place, name) for name in ("old.win", "new.win", "copy.win")]
        for path, data in zip(paths, (large, new), strict=False):
            path.write_bytes(data)
        mod = mods.make(paths[0], paths[1], name="line")
        comparing = median(lambda: mods.diff(paths[0], paths[1]))
        bench.add(Result("diff of 100 MB", comparing, "s", 2, at_most=True))
        peak = peak_of_diff(paths[0], paths[1]) / (len(large) + len(new))
        bench.add(Result("its memory, by the files", peak, "times", 1.5, at_most=True))
        for clock in (time.process_time, time.perf_counter):
            copying, applying = in_turns(
                clock,
                lambda: paths[2].write_bytes(paths[0].read_bytes()),
                lambda: paths[2].write_bytes(mods.apply(paths[0], [mod]).data),
            )
            assert paths[2].read_bytes() == new
            note = f"{clock.__name__}: {applying:.2f} s, copying takes {copying:.2f} s"
            name = "apply to 100 MB, by copying it"
            bench.add(Result(name, applying / copying, "times", 3, True, note))
        folder = Path(place, "game")
        _, code = with_line(game)
        overhaul.unpack(enlarged(game, 10), folder)
        (folder / code).write_text("zz = 1;\n" + (folder / code).read_text())
        packing = median(lambda: overhaul.pack(folder, paths[2], force=True))
        bench.add(Result("pack after saving, 10 MB", packing, "s", 0.3, at_most=True))
        waiting, working = after_saving(folder, folder / code, paths[2])
        note = f"{working:.2f} s of CPU time, the rest is waiting"
        bench.add(Result("watch, from saving to the game", waiting, "s", 0.3, True, note))


def main() -> None:
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
        new, code = with_line(game)
        if which == "largest":
            measure_large(bench, game)
        mod = mods.make(game, new, name="line")
        note = f"{which}: {len(game) / 1e6:.1f} MB"
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
