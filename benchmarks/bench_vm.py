"""How fast bytecode goes in and out: columns, chains, symbolic instructions, assembly text.

Measured on the code of the corpus's games where it is, else on made instructions.  Millions of
instructions per second, CPU time of one core.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import compiled
from runner import Bench, Result, median

from overhaul import gml
from overhaul.gml.vm import assembler, disassembler
from overhaul.gml.vm.code import Code
from overhaul.gml.vm.columns import decode, encode
from overhaul.gml.vm.linking import Tables, concatenate, link, read_chains
from overhaul.gml.vm.registration import function_order, string_order, variable_order
from overhaul.gml.vm.rows import RowReader

MODULES = tuple(
    f"gml/vm/{name}.py"
    for name in ("assembler", "disassembler", "opcodes", "registration", "rows", "text")
)

LOOP = """
:[0]
push.v self.counter
pushi.e {number}
cmp.i.v LT
bf [2]

:[1]
push.s "step {number}"
conv.s.v
call.i show_debug_message(argc=1)
popz.v
pushloc.v local.total
push.d 0.5
mul.d.v
pop.v.v local.total
pushi.e -1
pushi.e {number}
push.v [array]self.list
pop.v.v self.last_{number}
b [0]

:[2]
exit.i"""


def real_games() -> list[tuple[gml.Context, list[Code]]]:
    """The context and the symbolic code of every game of the corpus."""
    import overhaul
    from real_files import corpus_files

    games = []
    for path in corpus_files("datawin/*.win"):
        document: Any = overhaul.open(path)
        roots = [
            entry for entry in document.records.code if entry is not None and entry.root is None
        ]
        if roots:
            language = document.language
            games.append((language.context, [language.code(entry) for entry in roots]))
    return games


def made_games() -> list[tuple[gml.Context, list[Code]]]:
    """A game of 3,000 entries."""
    context = gml.Context()
    codes = [gml.assemble(LOOP.format(number=number % 500), context) for number in range(3000)]
    return [(context, codes)]


def tables_of(context: gml.Context, codes: list[Code]) -> Tables:
    strings = string_order(codes, context.dialect)
    return Tables(
        context.dialect,
        variable_order(codes, context.dialect),
        {name: number for number, name in enumerate(function_order(codes))},
        {text: number for number, text in enumerate(strings)},
        strings,
    )


class Names:
    """A made file's names: those of the tables it was linked with."""

    def __init__(self, tables: Tables) -> None:
        self.variables = tables.variables.variables
        self.functions = list(tables.functions)
        self.strings = tables.string_list

    def variable(self, record: int) -> Any:
        return self.variables[record]

    def function(self, record: int) -> str:
        return self.functions[record]

    def string(self, index: int) -> str:
        return self.strings[index]

    def asset_kind(self, number: int) -> str:
        return f"type_{number}"


def disassemble_all(codes: list[Code], context: gml.Context) -> list[str]:
    return [gml.disassemble(code, context) for code in codes]


def assemble_all(texts: list[str], context: gml.Context) -> list[Code]:
    return [gml.assemble(text, context) for text in texts]


def text_rates(
    games: list[tuple[gml.Context, list[Code]]], count: int, repeats: int
) -> tuple[float, float]:
    """Millions of instructions per second disassembled and assembled; what lines mean is
    remembered within a game only."""
    seconds = [0.0, 0.0]
    for context, codes in games:
        texts = [gml.disassemble(code, context) for code in codes]
        seconds[0] += median(
            partial(disassemble_all, codes, context),
            repeats,
            disassembler._memo.clear,
        )
        seconds[1] += median(
            partial(assemble_all, texts, context),
            repeats,
            assembler._memo.clear,
        )
    return count / 1e6 / seconds[0], count / 1e6 / seconds[1]


def measure_compiled(repeats: int) -> list[float] | None:
    """The same with the package's hot modules compiled; None without a compiler."""
    program = """
import sys
sys.path[:0] = sys.argv[1:3]
sys.argv[1:] = ["--repeats", sys.argv[3]]
import bench_vm
import overhaul.gml.vm.disassembler as module
assert not module.__file__.endswith(".py"), "not compiled"
games = bench_vm.real_games() or bench_vm.made_games()
count = sum(len(code.instructions) for _, codes in games for code in codes)
print(*bench_vm.text_rates(games, count, int(sys.argv[2])))
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
    return [float(number) for number in output.split()]


def main() -> None:
    bench = Bench("Bytecode (overhaul.gml.vm)")
    repeats = bench.options.repeats
    games = real_games()
    note = f"{len(games)} games of the corpus"
    if not games:
        games, note = made_games(), "a made game; no corpus here"
    count = sum(len(code.instructions) for _, codes in games for code in codes)
    note += f", {count:,} instructions"

    def add(
        name: str, work: Callable[[], object], target: float | None = None, note: str = ""
    ) -> None:
        bench.add(Result(name, count / 1e6 / median(work, repeats), "M/s", target, note=note))

    tables = [tables_of(context, codes) for context, codes in games]
    linked = []
    for (_, codes), own in zip(games, tables, strict=True):
        ends = 0
        addresses = []
        for code in codes:
            addresses.append(ends)
            ends += len(code)
        linked.append(link(codes, addresses, own))
    blobs = [b"".join(each.entries) for each in linked]
    versions = [context.dialect.bytecode for context, _ in games]
    columns = [decode(blob, version) for blob, version in zip(blobs, versions, strict=True)]
    add(
        "words to columns",
        lambda: [decode(blob, version) for blob, version in zip(blobs, versions, strict=True)],
        5,
        note,
    )
    add(
        "columns to words",
        lambda: [encode(each, version) for each, version in zip(columns, versions, strict=True)],
    )

    def chains_of(index: int) -> Any:
        tables = [
            (table.first, table.occurrences)
            for table in (linked[index].variables, linked[index].functions)
        ]
        return read_chains(columns[index], columns[index].offset.astype("int64"), *tables)

    add("following reference chains", lambda: [chains_of(index) for index in range(len(games))])
    records = [chains_of(index).record for index in range(len(games))]

    def read_rows() -> None:
        for index, own in enumerate(tables):
            RowReader(Names(own)).instructions(columns[index], records[index])

    add("columns to symbolic instructions", read_rows)
    disassembling, assembling = text_rates(games, count, repeats)
    bench.add(Result("disassemble", disassembling, "M/s", 1))
    bench.add(Result("assemble", assembling, "M/s"))
    rates = measure_compiled(repeats)
    if rates is None:
        print("  (no mypyc or no C compiler: the compiled build was not measured)", file=sys.stderr)
    else:
        bench.add(Result("disassemble, compiled (mypyc)", rates[0], "M/s", 3))
        bench.add(Result("assemble, compiled (mypyc)", rates[1], "M/s"))
    joined = concatenate([each for each, v in zip(columns, versions, strict=True) if v >= 15])
    large = encode(concatenate([joined] * 10), 17)
    seconds = median(lambda: decode(large, 17), repeats)
    bench.add(
        Result("words to columns, one large blob", len(joined) / 1e5 / seconds, "M/s", 5,
               note=f"{len(large) / 1e6:.0f} MB")
    )  # fmt: skip
    bench.finish()


if __name__ == "__main__":
    main()
