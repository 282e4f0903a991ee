"""Print what breaks the law: ``python tests/edit_law [options] FILES...``; see CONTRIBUTING.md."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from edit_law.edits import all_edits
from edit_law.law import Finding, compact, judge, summary
from edit_law.subject import Subject
from overhaul.errors import OverhaulError


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=int, default=0, help="edits of each file (0: all)")
    parser.add_argument("--kind", default="", help="only edits whose kind begins so")
    parser.add_argument("--where", default="", help="only edits of files whose pattern has this")
    parser.add_argument("--seconds", type=float, default=1e9, help="for each file")
    parser.add_argument("--refused", action="store_true", help="list refused edits too")
    options = parser.parse_args()
    found: list[Finding] = []
    for number, path in enumerate(options.files):
        began = time.perf_counter()
        try:
            subject = Subject(path.name, path.read_bytes())
        except OverhaulError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            continue
        edits = [e for e in all_edits(subject.files, options.seed + number)
                 if e.kind.startswith(options.kind) and options.where in e.family]  # fmt: skip
        mine = []
        for edit in edits[:: max(1, len(edits) // options.limit) if options.limit else 1]:
            if time.perf_counter() - began > options.seconds:
                break
            mine.append(judge(subject, edit))
        seconds = time.perf_counter() - began
        words = f"{path.name}: {len(mine)} of {len(edits)} edits, {seconds:.1f} s: {summary(mine)}"
        print(words, file=sys.stderr, flush=True)
        found += mine
    for line in compact(found):
        print(line)
    if options.refused:
        seen = set()
        for one in found:
            key = (one.edit.kind, one.edit.family, one.edit.where)
            if one.outcome in ("refused", "told") and key not in seen:
                seen.add(key)
                print(one)
    print(summary(found))
    return int(any(not finding.good for finding in found))


if __name__ == "__main__":
    sys.exit(main())
