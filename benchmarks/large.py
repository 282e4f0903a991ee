"""Commands on large games: CPU and clock time, memory, and how both grow with the game.

``python3 dev.py bench --large``; or ``python benchmarks/large.py --entries 1000 --entries 5000
--release 2024.14 grep refs``.  A game is made of the corpus's games of a release (else of the
example) by copies under prefixes (tests/support/large_games.py), and kept in the user's cache
folder.  ``--source`` measures another checkout's src folder.  The exponent says how the CPU time
grows from the smallest to the largest game: 1 is in proportion, 0 is not at all.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

USER_CACHE = os.environ.get("OVERHAUL_CACHE")

from runner import ROOT, machine  # noqa: E402 - it moves the cache

import overhaul  # noqa: E402
from large_games import enlarge, entries_of  # noqa: E402
from overhaul.document import caches  # noqa: E402
from overhaul.examples import write_example  # noqa: E402
from overhaul.gamemaker.data.game import GameData  # noqa: E402
from real_files import corpus_files  # noqa: E402

COMMAND = "import sys\nfrom overhaul.cli import main\nsys.argv[0] = 'overhaul'\nsys.exit(main())\n"
LIBRARY = """import sys, overhaul
with overhaul.open(sys.argv[1]) as game:
    entry = game.code[sys.argv[3]]
    entry.gml = entry.gml + "\\nzz = 1;\\n"
    game.save(sys.argv[2], force=True)
"""
SIZES = (1000, 5000)
#: a game that a release's large ones are made of has so many code entries at least
ENTRIES = 50
#: seconds and bytes after which a command is ended
LONGEST, LARGEST = 600.0, 8 << 30


class Work(NamedTuple):
    """A command: its name, code and arguments; ``first``: without what earlier runs kept."""

    name: str
    arguments: tuple[str, ...]
    code: str = COMMAND
    first: bool = False


@dataclass
class Cost:
    """What a process and those that it started took; ``ended`` says why it was ended."""

    cpu: float
    wall: float
    megabytes: float
    ended: str = ""


# -- the games -------------------------------------------------------------------------------------


def parts(release: str, folder: Path) -> list[Path]:
    """The corpus's games of a release with most code, unpacked; else the example."""
    chosen: list[tuple[int, Path]] = []
    for path in corpus_files("datawin*/*.win"):
        try:
            with overhaul.open(path) as game:
                if not isinstance(game, GameData) or str(game.version) != release:
                    continue
                if len(game.code) >= ENTRIES:
                    chosen.append((len(game.code), path))
        except overhaul.OverhaulError:
            continue
    made = []
    for _, path in sorted(chosen, reverse=True)[:2]:
        target = folder / path.stem
        overhaul.unpack(path, target)
        if entries_of(target):
            made.append(target)
    if made:
        return made
    example = folder / "example.win"
    name = "lantern-old" if release.startswith("1.") else "lantern"
    write_example(name, example)
    overhaul.unpack(example, folder / "example")
    return [folder / "example"]


def large_game(release: str, entries: int) -> Path:
    """A game of a release with so many code entries, made if it is not kept."""
    place = caches.cache_folder() / "large games"
    kept = place / f"{release}-{entries}.win"
    if not kept.exists():
        place.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place) as temporary:
            sources = parts(release, Path(temporary))
            folder = Path(temporary, "made")
            shutil.copytree(sources[0], folder)
            enlarge(folder, sources, entries)
            overhaul.pack(folder, Path(temporary, "made.win"))
            os.replace(Path(temporary, "made.win"), kept)
    return kept


# -- the commands ----------------------------------------------------------------------------------


class Place:
    """A game with what the commands need: its folder, a changed folder, a changed game."""

    def __init__(self, game: Path, place: Path) -> None:
        self.game, self.place = game, place
        self.folder = place / "folder"
        overhaul.unpack(game, self.folder)
        entries = sorted((self.folder / "code").glob("*.gml"))
        self.entry = entries[len(entries) // 2]
        sprites = sorted((self.folder / "sprites").iterdir())
        self.sprite = sprites[len(sprites) // 2].name
        self.plain = place / "plain"
        shutil.copytree(self.folder, self.plain, ignore=shutil.ignore_patterns(".overhaul"))
        self.entry.write_text(self.entry.read_text("utf-8") + "\nzz = 1;\n", "utf-8")
        self.changed = place / "changed.win"
        overhaul.pack(self.folder, self.changed)

    def works(self) -> Iterator[Work]:
        game, out = str(self.game), str(self.place / "out")
        code, changed = self.entry.stem, str(self.changed)
        yield Work("info", ("info", game))
        yield Work("ls sprites", ("ls", game, "sprites/*"))
        yield Work("verify", ("verify", game))
        cat = ("cat", game, f"code/{code}.gml")
        yield Work("cat, first", cat, first=True)
        yield Work("cat, again", cat)
        yield Work("decompile, first", ("decompile", game, "--json"), first=True)
        yield Work("decompile, again", ("decompile", game, "--json"))
        yield Work("verify --code", ("verify", "--code", game), first=True)
        yield Work("unpack", ("unpack", game, out, "--discard"), first=True)
        yield Work("pack, one script", ("pack", str(self.folder), "-o", out + ".win", "--force"))
        yield Work("pack, plain files", ("pack", str(self.plain), "-o", out + ".win", "--force"))
        yield Work("grep, first", ("grep", "hp", game), first=True)
        yield Work("grep, again", ("grep", "hp", game))
        yield Work("refs, first", ("refs", game, f"sprites/{self.sprite}"), first=True)
        yield Work("refs, again", ("refs", game, f"sprites/{self.sprite}"))
        yield Work("diff", ("diff", game, changed), first=True)
        mod = out + ".omod"
        yield Work("mod make", ("mod", "make", game, changed, "-o", mod, "--force"), first=True)
        yield Work("mod apply", ("mod", "apply", game, mod, "-o", out + ".win", "--force"))
        extract = ("translate", "extract", game, "-o", out + ".po", "--force")
        yield Work("translate extract, first", extract, first=True)
        yield Work("translate extract, again", extract)
        yield Work("library: one entry", (game, out + ".win", code), LIBRARY)
        yield Work("render rooms", ("render", game, "rooms/*", "-o", out + ".rooms", "--force"))


def tree(process: int) -> Iterator[int]:
    """A process and those below it."""
    yield process
    try:
        below = Path(f"/proc/{process}/task/{process}/children").read_text("ascii").split()
    except OSError:
        return
    for child in below:
        yield from tree(int(child))


def share(process: int) -> int:
    """The bytes of memory of a process; what it shares with others counts in part."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text("ascii").splitlines()
    except OSError:
        return 0
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def measured(work: Work, surroundings: dict[str, str]) -> Cost:
    """Run a command; one that takes too long, or too much memory, is ended."""
    if work.first:
        shutil.rmtree(surroundings["OVERHAUL_CACHE"], ignore_errors=True)
    start = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-c", work.code, *work.arguments],
        env=surroundings,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    peak, ended = 0, ""
    over = threading.Event()

    def watch() -> None:
        nonlocal peak, ended
        while not over.wait(0.05):
            peak = max(peak, sum(share(number) for number in tree(process.pid)))
            if peak > LARGEST or time.monotonic() - start > LONGEST:
                ended = "memory" if peak > LARGEST else "time"
                os.killpg(process.pid, signal.SIGKILL)
                return

    watcher = threading.Thread(target=watch)
    watcher.start()
    assert process.stderr is not None
    said = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    over.set()
    watcher.join()
    if process.returncode not in (0, 1) and not ended:
        sys.exit(f"{' '.join(work.arguments)} failed:\n{said}")
    return Cost(used.ru_utime + used.ru_stime, time.monotonic() - start, max(peak, 0) / 1e6, ended)


def exponent(small: Cost, large: Cost, times: float) -> float:
    """How the CPU time grows with the game."""
    return math.log(max(large.cpu, 0.01) / max(small.cpu, 0.01)) / math.log(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("names", nargs="*", help="parts of the names of commands")
    parser.add_argument("--entries", type=int, action="append", metavar="N")
    parser.add_argument("--release", default="1.0.0.1804")
    parser.add_argument("--source", type=Path, default=ROOT / "src", help="the code to measure")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the costs there too")
    options = parser.parse_args()
    os.environ.pop("OVERHAUL_CACHE", None)
    if USER_CACHE:
        os.environ["OVERHAUL_CACHE"] = USER_CACHE
    print(f"Large games of {options.release}\n{machine()}\n")
    sizes = options.entries or list(SIZES)
    costs: dict[str, dict[int, Cost]] = {}
    for entries in sizes:
        with caches.without():
            game = large_game(options.release, entries)
        print(f"{entries} entries, {game.stat().st_size / 1e6:.1f} MB", flush=True)
        with tempfile.TemporaryDirectory() as temporary:
            with caches.without():
                place = Place(game, Path(temporary))
            surroundings = os.environ | {
                "PYTHONPATH": str(options.source.resolve()),
                "PYTHONPYCACHEPREFIX": str(Path(temporary, "pyc")),
                "OVERHAUL_CACHE": str(Path(temporary, "cache")),
            }
            surroundings.pop("PYTHONDONTWRITEBYTECODE", None)
            compiling = [sys.executable, "-m", "compileall", "-q", str(options.source.resolve())]
            subprocess.run(compiling, env=surroundings, check=True)
            for work in place.works():
                if options.names and not any(name in work.name for name in options.names):
                    continue
                cost = measured(work, surroundings)
                row = costs.setdefault(work.name, {})
                row[entries] = cost
                grown = (
                    f"exponent {exponent(row[sizes[0]], cost, entries / sizes[0]):5.2f}"
                    if len(row) > 1
                    else ""
                )
                print(
                    f"  {work.name:<26} {cost.cpu:8.2f} s CPU {cost.wall:8.2f} s "
                    f"{cost.megabytes:7.0f} MB  {grown} {cost.ended and 'ended: ' + cost.ended}",
                    flush=True,
                )
    if options.json:
        rows = {
            name: {size: asdict(cost) for size, cost in row.items()} for name, row in costs.items()
        }
        options.json.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
