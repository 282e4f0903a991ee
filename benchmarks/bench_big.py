"""Small edits of small and of big games: CPU time and peak memory of whole processes, by size.

The big ones are sparse: a made game whose sounds are holes in the file.  ``python3 dev.py bench
big``.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from runner import ROOT, Bench, Result

from game_blobs import chunk
from overhaul.gamemaker.data.chunks.sond import Audio
from overhaul.gamemaker.data.game import GameData
from small_games import game_of

#: megabytes, and the most CPU seconds and megabytes of memory that an edit takes; a gigabyte is
#: copied by the system, in its time
SIZES = ((1, 0.2, 40), (10, 0.2, 40), (100, 0.25, 60), (1000, None, 200), (2000, None, 400))
SOUND = 1 << 20
INFO = """
import sys
from overhaul.cli import main
sys.argv[1:1] = ["info"]
sys.exit(main())
"""
EDIT = """
import sys, overhaul
with overhaul.open(sys.argv[1]) as game:
    number = len(game.strings) // 2
    game.strings[number] = game.strings[number] + " edited"
    game.save(sys.argv[2], force=True)
"""


def sparse(path: Path, megabytes: int) -> None:
    """Write a game of a size whose sounds take no room on the disk."""
    game = game_of("2023.8")
    game.load_all()
    game.audio.items[:] = [Audio(b"\0" * 16) for _ in range(megabytes)]
    made = bytearray(game.to_bytes())
    start, _ = chunk(bytes(made), b"AUDO")
    head = 4 + 4 * megabytes
    begin = start + head + -(start + head) % 4
    step = SOUND - 16  # the lengths stand between the sounds
    pointers = [begin + number * (4 + step) for number in range(megabytes)]
    end = pointers[-1] + 4 + step
    struct.pack_into(f"<{megabytes}I", made, start + 4, *pointers)
    struct.pack_into("<I", made, 4, end - 8)
    struct.pack_into("<I", made, start - 4, end - start)
    with path.open("wb") as file:
        file.write(made[:begin])
        for pointer in pointers:
            file.seek(pointer)
            file.write(struct.pack("<I", step))
        file.truncate(end)


#: the memory of a process itself: what getrusage says includes that of the one that started it
PEAK = """
import atexit, sys
def say():
    with open("/proc/self/status") as status:
        print([line.split()[1] for line in status if line.startswith("VmHWM")][0], file=sys.stderr)
atexit.register(say)
"""


def measured(*arguments: str) -> tuple[float, float]:
    """The CPU seconds and the megabytes of a process."""
    code = PEAK + arguments[0]
    with subprocess.Popen(
        [sys.executable, "-c", code, *arguments[1:]],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        said = process.stderr.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{arguments[1:]} failed: {said}")
    return used.ru_utime + used.ru_stime, int(said.split()[-1]) / 1024


def main() -> None:
    bench = Bench("Small edits, by the size of the game")
    os.environ["PYTHONPATH"] = str(ROOT / "src")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PYTHONPYCACHEPREFIX"] = folder
        path, out = Path(folder, "data.win"), Path(folder, "out.win")
        for megabytes, seconds, memory in SIZES:
            sparse(path, megabytes)
            runs = [measured(EDIT, str(path), str(out)) for _ in range(bench.options.repeats)]
            time, peak = sorted(runs)[len(runs) // 2]
            name = f"one text of {megabytes} MB changed"
            bench.add(Result(name, time, "s", seconds, at_most=True))
            bench.add(Result(f"{name}: memory", peak, "MB", memory, at_most=True))
            if megabytes == 100:
                with GameData.from_bytes(path.read_bytes()) as before:
                    number = len(before.strings) // 2
                    before.strings[number] += " edited"
                    if before.to_bytes() != out.read_bytes():
                        sys.exit("the file written in pieces is not the one that is built")
            info = measured(INFO, str(path))
            bench.add(Result(f"info of {megabytes} MB", 1000 * info[0], "ms", 90, at_most=True))
    bench.finish()


if __name__ == "__main__":
    main()
