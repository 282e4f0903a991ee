"""A program that is killed while it makes steps: what it said to be done is there.

It is killed a few times; with OVERHAUL_FULL=1 between any two of 30 steps.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

import overhaul
from modded_games import lantern
from overhaul.workbench import FileBench, FolderBench
from repeats import times

CODE = "code/gml_Object_obj_keeper_Create_0.gml"
STEPS = 30
KILLS = times(30, 10)
PROGRAM = f"""
import os, sys
from overhaul.workbench import FileBench, FolderBench
path = sys.argv[1]
bench = FolderBench(path) if os.path.isdir(path) else FileBench(path)
bench.load()
while True:
    number = len(bench.history.path_to())
    bench.step({{"{CODE}": bench.read("{CODE}") + b"step_%d = 1;\\n" % number}}, f"step {{number}}")
    if number % 7 == 3 and bench.saves:
        bench.save()
    print(number, flush=True)
"""


@pytest.mark.parametrize("form", ["file", "folder"])
def test_nothing_that_was_done_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.setenv("OVERHAUL_DATA", str(tmp_path / "data"))
    source = tmp_path / "game.win"
    source.write_bytes(lantern("current"))
    if form == "folder":
        overhaul.unpack(source, tmp_path / "folder")
        source = tmp_path / "folder"
    chance = random.Random(7)
    done = 0
    for _ in range(KILLS):
        with subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(source)], stdout=subprocess.PIPE, text=True
        ) as program:
            assert program.stdout is not None
            for _ in range(max(1, STEPS // KILLS)):
                line = program.stdout.readline()
                assert int(line) >= done
                done = int(line) + 1
            time.sleep(chance.random() * 0.15)
            program.kill()
            more = program.stdout.read().split()
            done = int(more[-1]) + 1 if more else done
        bench = FolderBench(str(source)) if form == "folder" else FileBench(str(source))
        bench.load()
        labels = [step.label for step in bench.history.path_to()]
        # the last one may have been done, and not said
        assert labels[:done] == [f"step {number}" for number in range(done)]
        assert len(labels) <= done + 1
        text = bench.read(CODE)
        for number in range(len(labels)):
            assert text.count(b"step_%d = 1;" % number) == 1
        assert b"step_%d = 1;" % len(labels) not in text
        bench.close()
        done = len(labels)
