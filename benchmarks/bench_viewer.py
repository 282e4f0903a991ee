"""The viewer: the first page, warm pages, and a minute of requests.

``python3 dev.py bench viewer``.  The viewer is a process of its own, asked over the network of this
computer; ``--seconds N`` is how long the requests last.  The game is the demo with 1,500 sprites,
3,000 texts and 300 scripts added, some 100 MB.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx2
import numpy as np
from PIL import Image
from runner import ROOT, Bench, Result

import overhaul

#: requests in a second
RATE = 50
SECONDS = 60
#: a page of every kind, and what is in them
PAGES = [
    "/", "/sprites", "/sprites/spr_big_7", "/objects/obj_keeper", "/rooms/rm_cave", "/code",
    "/code/gml_Object_obj_keeper_Step_0", "/tables/strings", "/-/names?q=big", "/sounds",
    "/sprites/spr_keeper/thumbnail.png", "/objects/obj_keeper.json", "/-/search?q=keeper",
]  # fmt: skip


def make(path: Path) -> None:
    """A game of some 100 MB."""
    small = path.with_name("lantern.win")
    overhaul.pack(ROOT / "examples/lantern/current", small)
    noise = np.random.default_rng(1)
    with overhaul.open_game(small) as game:
        for number in range(1500):
            pixels = noise.integers(0, 256, (128, 128, 4), dtype=np.uint8)
            game.sprites.add(f"spr_big_{number}", frames=[Image.fromarray(pixels, "RGBA")])
        for number in range(3000):
            game.strings.add(f"a text of the game, number {number}")
        for number in range(300):
            name = f"scr_big_{number}"
            game.add_script(name, f"function {name}(a, b) {{ return a * {number} + b; }}")
        game.save(path)


def seconds(client: httpx2.Client, address: str) -> float:
    started = time.perf_counter()
    answer = client.get(address)
    assert answer.status_code == 200, f"{address}: {answer.status_code}"
    return time.perf_counter() - started


def used(pid: int) -> tuple[float, float]:
    """The seconds of CPU and the MB of memory that a process has taken (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    ticks = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return ticks, pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> None:
    lasting = SECONDS
    if "--seconds" in sys.argv:
        at = sys.argv.index("--seconds")
        lasting = int(sys.argv[at + 1])
        del sys.argv[at : at + 2]
    bench = Bench("The viewer, a game of 100 MB")
    with tempfile.TemporaryDirectory() as folder:
        game = Path(folder, "big.win")
        make(game)
        started = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-m", "overhaul", "view", str(game), "--no-open", "-q"],
            env={"PYTHONPATH": str(ROOT / "src"), "OVERHAUL_CACHE": folder},
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            bench.add(Result("until the address", time.perf_counter() - started, "s"))
            with httpx2.Client(base_url=re.sub(r"/\?.*", "", address), timeout=120) as client:
                measure(bench, client, address, process.pid, game.stat().st_size, lasting)
        finally:
            process.terminate()
            process.communicate()
    bench.finish()


def measure(
    bench: Bench, client: httpx2.Client, address: str, pid: int, size: int, lasting: int
) -> None:
    """The first page, each page twice, and requests for a while."""
    bench.add(Result("first page", seconds(client, address), "s", 1.0, at_most=True))
    for page in PAGES:
        seconds(client, page)
    warm = max(statistics.median(seconds(client, page) for _ in range(5)) for page in PAGES)
    bench.add(Result("slowest warm page", warm, "s", 0.2, at_most=True))
    while client.get("/-/search.json?q=").json()["state"] == "building":
        time.sleep(0.5)
    for page in PAGES:
        seconds(client, page)
    cpu, memory = used(pid)
    times = []
    started = time.perf_counter()
    for number in range(RATE * lasting):
        time.sleep(max(0.0, started + number / RATE - time.perf_counter()))
        times.append(seconds(client, PAGES[number % len(PAGES)]))
    lasted = time.perf_counter() - started
    busy, after = used(pid)
    bench.add(Result("requests in a second", len(times) / lasted, "", RATE * 0.98))
    bench.add(Result("CPU per request", 1000 * (busy - cpu) / len(times), "ms"))
    bench.add(Result("median of these", 1000 * statistics.median(times), "ms"))
    bench.add(Result("growth meanwhile", after - memory, "MB", 10, at_most=True))
    bench.add(Result("memory", after, "MB", 2 * size / 1e6 + 300, at_most=True))


if __name__ == "__main__":
    main()
