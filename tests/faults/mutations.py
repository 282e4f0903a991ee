"""Broken versions of a file, by a fixed seed, and what reading one may cost.

``check_file`` tries them in a process of its own, whose memory is limited: only errors of
Overhaul may come out, or a correct result, within two seconds of processor time each.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "src"
#: Seconds for one broken file, and memory beyond the process's own: 10 times its size and 200 MB.
SECONDS = 2.0
MEMORY_FACTOR, MEMORY_BASE = 10, 200 << 20


def truncations(data: bytes, count: int, seed: int) -> Iterator[bytes]:
    """The file cut off at ``count`` places, many of them near its beginning."""
    chooser = random.Random(f"truncate {seed}")
    for index in range(count):
        limit = min(len(data), 512) if index % 4 == 0 else len(data)
        yield data[: chooser.randrange(limit)]


def corruptions(data: bytes, count: int, seed: int) -> Iterator[bytes]:
    """The file with one byte, a few bytes, or a 32-bit number overwritten, at ``count`` places.

    Numbers are what breaks readers: 0, 1, -1, the largest, the file's size, a little more or less.
    """
    chooser = random.Random(f"corrupt {seed}")
    numbers = [0, 1, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, len(data), len(data) - 4, 0x10000, 256]
    for index in range(count):
        broken = bytearray(data)
        # Headers, lists of pointers and counts stand early in most files and chunks.
        limit = min(len(data), 4096) if index % 3 == 0 else len(data)
        kind = index % 5
        if kind in (0, 1):
            broken[chooser.randrange(limit)] ^= 1 << chooser.randrange(8)
        elif kind == 2:
            for _ in range(chooser.randrange(2, 9)):
                broken[chooser.randrange(limit)] = chooser.randrange(256)
        else:
            position = chooser.randrange(max(1, limit - 4)) & ~3
            number = chooser.choice(numbers)
            if kind == 4:
                old = int.from_bytes(broken[position : position + 4], "little")
                number = (old + chooser.choice([-8, -4, -1, 1, 4, 8])) & 0xFFFFFFFF
            broken[position : position + 4] = number.to_bytes(4, "little")
        yield bytes(broken)


def check_file(path: Path, truncated: int, corrupted: int, seed: int = 0) -> dict[str, object]:
    """Try broken versions of a file; what happened, with each failure in words."""
    done = subprocess.run(
        [sys.executable, __file__, str(path), str(truncated), str(corrupted), str(seed)],
        env={**os.environ, "PYTHONPATH": str(SOURCE), "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        words = f"the process ended with {done.returncode}: {done.stderr}"
        return {"tried": 0, "failures": [words]}
    result: dict[str, object] = json.loads(done.stdout)
    return result


def _try(data: bytes) -> str:
    """Read a file in every way that commands do."""
    import overhaul
    from overhaul.document.plainfiles import UnpackOptions
    from overhaul.errors import OverhaulError
    from overhaul.folder.texts import plain_files

    try:
        with overhaul.open(data) as document:
            document.info()
            for _ in document.tree():
                pass
            document.decode()
            document.to_bytes()
            document.coverage()
            for plain in plain_files(document, UnpackOptions()):
                plain.read()
    except OverhaulError as error:
        str(error)
        return "refused"
    return "read"


def _main(path: str, truncated: int, corrupted: int, seed: int) -> None:
    import resource
    import signal
    import time

    data = Path(path).read_bytes()
    _try(data)  # the imports are not what is measured

    def too_slow(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGPROF, too_slow)
    with open("/proc/self/statm", encoding="ascii") as file:
        own = int(file.read().split()[0]) * resource.getpagesize()
    limit = own + MEMORY_FACTOR * len(data) + MEMORY_BASE
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    counts = {"read": 0, "refused": 0}
    failures = []
    slowest = 0.0
    streams = [
        ("truncation", truncations(data, truncated, seed)),
        ("corruption", corruptions(data, corrupted, seed)),
    ]
    for kind, stream in streams:
        for index, broken in enumerate(stream):
            start = time.process_time()
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            try:
                counts[_try(broken)] += 1
            except BaseException as error:  # noqa: BLE001 - anything else is what is looked for
                failures.append(f"{kind} {index}: {_words(error)}")
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
            slowest = max(slowest, time.process_time() - start)
    json.dump(
        {"tried": truncated + corrupted, "slowest": slowest, **counts, "failures": failures},
        sys.stdout,
    )


def _words(error: BaseException) -> str:
    import traceback

    frames = traceback.extract_tb(error.__traceback__)[-3:]
    places = " < ".join(f"{Path(f.filename).name}:{f.lineno}" for f in reversed(frames))
    return f"{type(error).__name__}: {str(error)[:120]} ({places})"


if __name__ == "__main__":
    _main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
