"""Print what breaks the laws of mods in real games; see CONTRIBUTING.md.

``pairs data|projects|ags``: a mod of two builds makes the one of the other.  ``put FILES...``:
generated mods of a game commute, and those that touch the same conflict.  ``carry FILES...``: those
of the first build are carried to the others; ``carry data|projects|ags``: of each three builds.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from mod_laws.builds import FAMILIES, Outcome, judge, pairs, trios
from mod_laws.putting import carried, together
from overhaul.errors import OverhaulError


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests/mod_laws", description=__doc__)
    parser.add_argument("law", choices=("pairs", "put", "carry"))
    parser.add_argument("of", nargs="+", help=f"a family ({', '.join(FAMILIES)}), or files")
    parser.add_argument("--only", default="", help="pairs whose names have this in them")
    parser.add_argument("--step", type=int, default=1, help="every how many pairs one is tried")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    return {"pairs": _pairs, "put": _put, "carry": _carry}[options.law](options)


def _pairs(options: argparse.Namespace) -> int:
    counts: Counter[str] = Counter()
    for old, new in list(pairs(options.of[0]))[:: options.step]:
        if options.only in f"{old.name} {new.name}":
            began = time.process_time()
            outcome, _ = judge(old, new)
            counts[outcome.word] += 1
            seconds = time.process_time() - began
            words = f"{outcome.word} {old.name} {new.name} {seconds:.1f} s {outcome.why}"
            print(words, flush=True)
    print(dict(counts))
    return int(not all(Outcome(word).good for word in counts))


def _put(options: argparse.Namespace) -> int:
    total: Counter[str] = Counter()
    for name in options.of:
        began = time.process_time()
        try:
            counts, wrong = together(Path(name), options.seed)
        except OverhaulError as error:
            counts, wrong = Counter(["not opened"]), [str(error)]
        total += counts
        seconds = time.process_time() - began
        print(f"{Path(name).name}: {dict(counts)} {seconds:.1f} s", *wrong, sep="\n  ", flush=True)
    print(dict(total))
    return int(any(word.startswith("do not") for word in total))


def _carry(options: argparse.Namespace) -> int:
    family = options.of[0]
    rows = trios(family) if family in FAMILIES else [tuple(Path(name) for name in options.of)]
    total: Counter[str] = Counter()
    for builds in [*rows][:: options.step]:
        began = time.process_time()
        counts, wrong = carried(builds, options.seed)
        total += counts
        seconds = time.process_time() - began
        names = ", ".join(path.name for path in builds)
        print(f"{names}: {dict(counts)} {seconds:.1f} s", *wrong, sep="\n  ", flush=True)
    print(dict(total))
    return int(bool(total["lost"]))


if __name__ == "__main__":
    sys.exit(main())
