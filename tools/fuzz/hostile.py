"""Hostile files: small ones that ask for a lot of memory or time, and what each of them takes.

    python3 dev.py hostile                    # all 200, by the seed 23
    python3 dev.py hostile --kind po --kind mod
    python3 dev.py hostile --count 40 --seed 5 --keep FOLDER

Each file has 5 MB at most, and is read in a process of its own, as the commands read it.  Printed
are the memory and the CPU time of each, and those that go beyond a bound, raise anything but
Overhaul's own errors, or do not end: the exit code is 1 if there is one.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from hostile_files import COUNT, MAKERS, SEED, Hostile, files

MOST_MEMORY = 300 << 20
MOST_SECONDS = 30.0
_MB = 1 << 20

# ----------------------------------------------------------------------------------------- reading


def read_archive(path: str) -> None:
    """What ``info`` and ``verify`` do."""
    import overhaul

    with overhaul.open(path) as document:
        document.info()
        document.decode()
    overhaul.verify(path)


def read_mod(path: str) -> None:
    """What ``mod show`` and ``mod apply`` do."""
    from overhaul import mods as library
    from overhaul.gamemaker.data.blank import blank_game

    mod = library.load(path)
    mod.to_json()
    library.apply(blank_game({"version": "2023.8"}).to_bytes(), [mod])


def read_messages(path: str) -> None:
    """What ``translate`` does with a file."""
    from overhaul import translate

    translate.load(path)


def read_map(path: str) -> None:
    """What ``tiled import`` does."""
    from overhaul import gamemaker
    from overhaul.gamemaker.data.blank import blank_game

    game = blank_game({"version": "2023.8"})
    game.rooms.add("rm_first")
    folder = os.path.join(os.path.dirname(path), "maps")
    gamemaker.export_rooms(game, ("rooms/*",), folder)
    written = next(Path(folder).rglob("*.tmx"))
    written.write_bytes(Path(path).read_bytes())
    gamemaker.import_rooms(game, folder)


def read_patch(path: str) -> None:
    """What ``patch show`` and ``patch apply`` do."""
    from overhaul import patches

    data = Path(path).read_bytes()
    patches.describe(data)
    patches.apply(data, bytes(100))


READERS: dict[str, Callable[[str], None]] = {
    "archive": read_archive,
    "mod": read_mod,
    "po": read_messages,
    "tmx": read_map,
    "patch": read_patch,
}


def read(kind: str, path: str) -> str:
    """Read a file; what was wrong with it."""
    from overhaul.errors import OverhaulError

    try:
        READERS[kind](path)
    except OverhaulError as error:
        return str(error).replace(os.path.dirname(path), "")[:150]
    return "accepted"


class Measured(NamedTuple):
    """What reading a file took, and what came of it; ``broken`` is not as it should be."""

    memory: int
    seconds: float
    said: str
    broken: bool


def _status(number: int | str) -> str:
    try:
        return Path(f"/proc/{number}/status").read_text("ascii", "replace")
    except OSError:
        return ""


def _peak(text: str) -> int:
    """The most memory that a process had, in bytes, by what Linux says of it."""
    found = re.search(r"VmHWM:\s*(\d+) kB", text)
    return int(found[1]) * 1024 if found else 0


def measure(one: Hostile, folder: str) -> Measured:
    """Read a file in a process of its own."""
    outer = one.name.split("!")[0]
    Path(folder, outer).write_bytes(one.data)
    path = os.path.join(folder, one.name)
    command = [sys.executable, __file__, "--read", one.kind, path]
    start = time.monotonic()
    with tempfile.TemporaryFile() as said:
        memory = 0  # not that of wait4, which counts what this process had when it began the other
        child = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT)
        while True:
            done, status, usage = os.wait4(child.pid, os.WNOHANG)
            if done:
                break
            memory = max(memory, _peak(_status(child.pid)))
            if time.monotonic() - start > 4 * MOST_SECONDS:
                child.kill()
                _, status, usage = os.wait4(child.pid, 0)
                break
            time.sleep(0.01)
        child.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read().decode("utf-8", "replace").strip()
    memory = max(memory, _peak(text))
    seconds = usage.ru_utime + usage.ru_stime
    broken = bool(child.returncode) or memory > MOST_MEMORY or seconds > MOST_SECONDS
    text = re.sub(r" VmHWM: \d+ kB$", "", text)
    last = text.rsplit("\n", 1)[-1] if child.returncode else text
    return Measured(memory, seconds, last[:200] or f"exit code {child.returncode}", broken)


def main(arguments: list[str] | None = None) -> int:
    """Make the files, read each, print what it takes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--kind", action="append", choices=list(MAKERS), default=[])
    parser.add_argument("--keep", metavar="FOLDER", help="where to keep what broke something")
    parser.add_argument("--read", nargs=2, metavar=("KIND", "FILE"), help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.read:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        print(f"{read(*given.read)} VmHWM: {_peak(_status('self')) // 1024} kB")
        return 0
    most, longest, broken, tried = 0, 0.0, 0, 0
    for number, one in enumerate(files(given.count, given.seed, given.kind)):
        with tempfile.TemporaryDirectory() as folder:
            found = measure(one, folder)
        mark = "BROKEN" if found.broken else "      "
        print(f"{number:4} {one.kind:8}{found.memory // _MB:5} MB {found.seconds:6.1f} s {mark} "
              f"{one.about}: {found.said}", flush=True)  # fmt: skip
        most, longest = max(most, found.memory), max(longest, found.seconds)
        broken += found.broken
        tried += 1
        if found.broken and given.keep:
            os.makedirs(given.keep, exist_ok=True)
            Path(given.keep, f"{number}-{one.name.split('!')[0]}").write_bytes(one.data)
    print(f"{tried} files, {broken} broken; at most {most // _MB} MB and {longest:.1f} s of CPU")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
