"""How fast GML compiles: source in, code out, lexer to last instruction.

Measured on the original sources of the corpus where it is, else on one made source. Thousands of
instructions (of the compiled code) per second, CPU time of one core.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import compiled
from runner import Bench, Result, median

from overhaul import gml
from overhaul.gml.syntax.parser import parse
from overhaul.gml.syntax.printer import to_source
from overhaul.gml.vm.code import Code
from sourcepairs import builds

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

Work = tuple[str, gml.Context, str, str, Code | None]


def sources() -> list[Work]:
    """Source, context, kind, name and old code of what to compile."""
    work: list[Work] = []
    for build in builds():
        for pair in build.pairs():
            if pair.strict:
                kind = "global_script" if pair.entry.startswith("gml_GlobalScript") else "event"
                old = build.official(pair.entry)
                work.append((pair.source, build.context, kind, pair.entry, old))
    return work or [(MADE * 20, gml.Context(), "event", "gml_Object_o_Step_0", None)] * 50


def compile_all(work: list[Work]) -> int:
    """Compile everything; the number of instructions."""
    count = 0
    for source, context, kind, name, old in work:
        try:
            count += len(gml.compile(source, context, kind, name, previous=old).instructions)
        except gml.SyntaxError_:
            continue
    return count


def rate(work: list[Work], repeats: int) -> float:
    """Thousands of instructions per second."""
    return compile_all(work) / 1e3 / median(lambda: compile_all(work), repeats)


def measure_compiled(repeats: int) -> float | None:
    """The rate with the hot modules compiled; None without a compiler."""
    program = """
import sys
sys.path[:0] = sys.argv[1:3]
import bench_compiler
import overhaul.gml.compiler.functions as module
assert not module.__file__.endswith(".py"), "not compiled"
print(bench_compiler.rate(bench_compiler.sources(), int(sys.argv[3])))
"""
    with tempfile.TemporaryDirectory() as name:
        try:
            folder = compiled.build(Path(name))
        except (OSError, subprocess.CalledProcessError):
            return None
        arguments = [str(folder), str(Path(__file__).parent), str(repeats)]
        output = subprocess.run(
            [sys.executable, "-c", program, *arguments], check=True, capture_output=True, text=True
        ).stdout
    return float(output)


def main() -> None:
    bench = Bench("Compiling GML (overhaul.gml.compiler)")
    repeats = bench.options.repeats
    work = sources()
    note = f"{len(work):,} sources"
    bench.add(Result("compile", rate(work, repeats), "k/s", 60, note=note))
    characters = sum(len(each[0]) for each in work) / 1e6
    trees = [(parse(text, context.dialect), context) for text, context, *_ in work]
    parsing = median(lambda: [parse(text, c.dialect) for text, c, *_ in work], repeats)
    printing = median(lambda: [to_source(block, c.dialect) for block, c in trees], repeats)
    bench.add(Result("parse", characters / parsing, "MB/s"))
    bench.add(Result("print", characters / printing, "MB/s"))
    fast = measure_compiled(repeats)
    if fast is None:
        print("  (no mypyc or no C compiler: the compiled build was not measured)", file=sys.stderr)
    else:
        bench.add(Result("compile, compiled (mypyc)", fast, "k/s", 180))
    bench.finish()


if __name__ == "__main__":
    main()
