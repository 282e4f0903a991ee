"""How fast code becomes source: symbolic instructions in, text out.

Measured on the corpus's games where it is, else on one made entry.  Thousands of instructions per
second, CPU time of one core.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import compiled
from runner import Bench, Result, median

import overhaul
from overhaul import gml
from overhaul.gamemaker.data.game import GameData
from overhaul.gml.decompiler import gather
from overhaul.gml.roundtrip import decompile
from overhaul.gml.vm.code import Code
from present import opened
from real_files import corpus_files

_SOURCE = Path(overhaul.__file__).parent
MODULES = (
    "gml/syntax/tree.py",
    "gml/syntax/printer.py",
    *(
        path.relative_to(_SOURCE).as_posix()
        for path in sorted((_SOURCE / "gml" / "decompiler").rglob("*.py"))
        if path.name != "__init__.py"
    ),
)
MADE = """
for (var i = 0; i < array_length(list); i++)
{
    if (list[i].alive && (x > 0 || list[i].kind == "bird"))
    {
        list[i].speed += 0.5 * i;
        draw_text(x, y + i * 12, "step " + string(i));
    }
}
"""

Game = tuple[list[Code], gml.Context]


def games() -> list[Game]:
    """The code of every game, and what is known of it."""
    found: list[Game] = []
    for path in corpus_files("datawin/*"):
        if path.suffix == ".tsv":
            continue
        game = opened(path, GameData)
        entries = [each for each in game.records.code if each is not None and each.root is None]
        found.append(([game.language.code(each) for each in entries], game.language.context))
    if found:
        return found
    context = gml.Context()
    return [([gml.compile(MADE * 20, context, "event", "gml_Object_o_Step_0")] * 50, context)]


def instructions(work: list[Game]) -> int:
    return sum(len(code.instructions) for codes, _ in work for code in codes)


def decompile_all(work: list[Game]) -> None:
    for codes, context in work:
        for code in codes:
            decompile(code, context)


def gather_all(work: list[Game]) -> None:
    for codes, context in work:
        gather(codes, context)


def rate(work: list[Game], repeats: int) -> float:
    """Thousands of instructions per second, from symbolic code to text."""
    return instructions(work) / 1e3 / median(lambda: decompile_all(work), repeats)


def measure_compiled(repeats: int) -> float | None:
    """The rate with the hot modules compiled; None without a compiler."""
    program = """
import sys
sys.path[:0] = sys.argv[1:3]
import bench_decompiler
import overhaul.gml.decompiler.regions.reader as module
assert not module.__file__.endswith(".py"), "not compiled"
print(bench_decompiler.rate(bench_decompiler.games(), int(sys.argv[3])))
"""
    with tempfile.TemporaryDirectory() as name:
        try:
            folder = compiled.build(Path(name), MODULES)
        except (OSError, subprocess.CalledProcessError):
            return None
        arguments = [str(folder), str(Path(__file__).parent), str(repeats)]
        output = subprocess.run(
            [sys.executable, "-c", program, *arguments], check=True, capture_output=True, text=True
        ).stdout
    return float(output)


def main() -> None:
    bench = Bench("Decompiling GML (overhaul.gml.decompiler)")
    repeats = bench.options.repeats
    work = games()
    count = instructions(work)
    note = f"{count:,} instructions of {len(work)} games"
    bench.add(Result("decompile", rate(work, repeats), "k/s", 60, note=note))
    learning = count / 1e3 / median(lambda: gather_all(work), repeats)
    bench.add(Result("learn a game's types", learning, "k/s", 60))
    fast = measure_compiled(repeats)
    if fast is None:
        print("  (no mypyc or no C compiler: the compiled build was not measured)", file=sys.stderr)
    else:
        bench.add(Result("decompile, compiled (mypyc)", fast, "k/s", 180))
    bench.finish()


if __name__ == "__main__":
    main()
