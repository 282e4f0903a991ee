"""Broken code of a game, by a fixed seed, through every tool of the language.

``check_game`` works in a process of its own with limited memory: each broken game is opened,
every entry decompiled, what came out compiled again, and each broken entry likewise.  Only errors
of Overhaul may come out, in bounded time.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).resolve().parents[2] / "src"
CODE_CHUNKS = ("CODE", "VARI", "FUNC")
#: seconds of processor time for one entry, decompiled and compiled, and for one broken file
ENTRY_SECONDS = 2.0
FILE_SECONDS = 20.0
MEMORY = 400 << 20


def broken_files(data: bytes, game: Any, count: int, chooser: random.Random) -> Iterator[bytes]:
    """The file with bits, words and numbers of its code's chunks overwritten."""
    spans = [(game.chunks[name].start, game.chunks[name].end) for name in CODE_CHUNKS]
    spans = [span for span in spans if span[1] - span[0] >= 8]
    numbers = [0, 1, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, len(data), 0x10000, 256]
    for index in range(count):
        broken = bytearray(data)
        start, end = spans[index % len(spans)]
        for _ in range(chooser.choice((1, 1, 1, 2, 8))):
            at = chooser.randrange(start, end - 4) & ~3
            kind = chooser.randrange(4)
            if kind == 0:
                broken[at + chooser.randrange(4)] ^= 1 << chooser.randrange(8)
            elif kind == 1:
                other = chooser.randrange(start, end - 4) & ~3
                broken[at : at + 4] = broken[other : other + 4]
            elif kind == 2:
                broken[at : at + 4] = chooser.choice(numbers).to_bytes(4, "little")
            else:
                old = int.from_bytes(broken[at : at + 4], "little")
                new = old + chooser.choice((-8, -4, -1, 1, 4, 8))
                broken[at : at + 4] = (new & 0xFFFFFFFF).to_bytes(4, "little")
        yield bytes(broken)


def break_code(code: Any, chooser: random.Random) -> None:
    """Take out, repeat, exchange and change instructions, and bend branches."""
    rows = code.instructions
    for _ in range(chooser.choice((1, 2, 3, 10, 40))):
        at = chooser.randrange(len(rows))
        kind = chooser.randrange(8)
        if kind == 0:
            del rows[at : at + chooser.randrange(1, 4)]
        elif kind == 1:
            rows.insert(at, rows[chooser.randrange(len(rows))])
        elif kind == 2:
            other = chooser.randrange(len(rows))
            rows[at], rows[other] = rows[other], rows[at]
        elif kind == 3:
            start = chooser.randrange(len(rows))
            rows[at:at] = rows[start : start + chooser.randrange(1, 12)]
        else:
            field = ("value", "type1", "type2", "value")[kind - 4]
            change_instruction(rows, at, field, chooser)
        if not rows:
            return


def change_instruction(rows: list[Any], at: int, field: str, chooser: random.Random) -> None:
    """One field of one instruction becomes another number."""
    from overhaul.gml.vm.code import Instruction

    old = rows[at]
    new = Instruction(old.opcode, old.type1, old.type2, old.value, old.operand)
    if field == "value":
        new.value = old.value + chooser.choice((-200, -9, -2, -1, 1, 2, 9, 200))
    elif old.size == 1:
        setattr(new, field, chooser.choice((0, 2, 4, 5, 6, 15)))
    rows[at] = new


def streams(codes: list[Any], context: Any, count: int, chooser: random.Random) -> Iterator[Any]:
    """Codes whose instructions are drawn at random from those of a game."""
    from overhaul.gml.vm.code import Code

    pool = [instruction for code in codes for instruction in code.instructions]
    for number in range(count):
        length = chooser.choice((1, 5, 20, 100, 600))
        code = Code(f"gml_Object_random_{number}", chooser.choices(pool, k=length))
        code.dialect = context.dialect
        yield code


def _main(path: str, files: int, entries: int, seed: int) -> None:
    import resource
    import signal
    import time

    import overhaul
    from overhaul.errors import OverhaulError
    from overhaul.gml.compiler import compile as compile_source
    from overhaul.gml.roundtrip import decompile
    from overhaul.gml.vm.assembler import assemble
    from overhaul.gml.vm.disassembler import disassemble

    def too_slow(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGPROF, too_slow)
    data = Path(path).read_bytes()
    game: Any = overhaul.open(data)
    game.to_bytes()
    language = game.language
    context = language.context
    roots = [entry for entry in game.records.code if entry is not None and entry.root is None]
    roots = [root for root in roots if len(root.bytecode) > 1]
    disassemble(language.code(roots[0]), context)
    compile_source(decompile(language.code(roots[0]), context), context)
    with open("/proc/self/statm", encoding="ascii") as file:
        own = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (own + MEMORY, own + MEMORY))
    chooser = random.Random(f"{Path(path).name} {seed}")
    counts = dict.fromkeys(("read", "opaque", "refused", "entries", "no source", "no compile"), 0)
    failures: list[str] = []
    slowest = {"entry": 0.0, "file": 0.0}

    def tools(code: Any, own: Any, what: str) -> None:
        """Decompile and compile one entry, and through assembly."""
        counts["entries"] += 1
        start = time.process_time()
        step = "no source"
        try:
            source = decompile(code, own)
            step = "no compile"
            compile_source(source, own, name=code.name, previous=code)
            assemble(disassemble(code, own), own)
        except OverhaulError as error:
            str(error)
            counts[step] += 1
        except BaseException as error:  # noqa: BLE001 - what is looked for
            failures.append(f"{what} {code.name}, {step}: {_words(error)}")
        used = time.process_time() - start
        slowest["entry"] = max(slowest["entry"], used)
        if used > ENTRY_SECONDS:
            failures.append(f"{what} {code.name}: {used:.1f} s")

    def whole(broken: bytes, what: str) -> str:
        opened: Any = overhaul.open(broken)
        opened.load_all()
        opened.to_bytes()
        if opened.is_native or opened.record("CODE") is None:
            return "opaque"
        mine = opened.language
        mine.decompiled.learn()
        for entry in opened.records.code:
            if entry is None or entry.root is not None:
                continue
            try:
                code = mine.code(entry)
            except OverhaulError as error:
                str(error)
                continue
            reference = None if entry.name is None else original.get(str(entry.name))
            if reference == code:
                continue
            tools(code, mine.context, what)
        return "read"

    original = {str(root.name): language.code(root) for root in roots}
    for number, broken in enumerate(broken_files(data, game, files, chooser)):
        start = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, FILE_SECONDS)
        try:
            counts[whole(broken, f"file {number}:")] += 1
        except OverhaulError as error:
            str(error)
            counts["refused"] += 1
        except BaseException as error:  # noqa: BLE001 - what is looked for
            failures.append(f"file {number}: {_words(error)}")
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        slowest["file"] = max(slowest["file"], time.process_time() - start)

    def mutants() -> Iterator[Any]:
        for _ in range(entries):
            code = language.code(chooser.choice(roots))
            break_code(code, chooser)
            yield code
        yield from streams(list(original.values()), context, entries // 2, chooser)

    for number, code in enumerate(mutants()):
        signal.setitimer(signal.ITIMER_PROF, 5 * ENTRY_SECONDS)
        try:
            tools(code, context, f"entry {number}:")
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    json.dump({"slowest": slowest, **counts, "failures": failures}, sys.stdout)


def _words(error: BaseException) -> str:
    import traceback

    frames = traceback.extract_tb(error.__traceback__)[-3:]
    places = " < ".join(f"{Path(f.filename).name}:{f.lineno}" for f in reversed(frames))
    return f"{type(error).__name__}: {str(error)[:120]} ({places})"


def check_game(path: Path, files: int, entries: int, seed: int = 0) -> dict[str, Any]:
    """Try broken versions of a game's code; what happened, with each failure in words."""
    done = subprocess.run(
        [sys.executable, __file__, str(path), str(files), str(entries), str(seed)],
        env={**os.environ, "PYTHONPATH": str(SOURCE), "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        return {"failures": [f"the process ended with {done.returncode}: {done.stderr[-2000:]}"]}
    result: dict[str, Any] = json.loads(done.stdout)
    return result


if __name__ == "__main__":
    _main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
