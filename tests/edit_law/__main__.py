"""Print what breaks the law: ``python tests/edit_law [options] FILES...``; see CONTRIBUTING.md."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, OrderedDict
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from edit_law.edits import all_edits, in_turn
from edit_law.law import Finding, compact, judge, summary, table
from edit_law.subject import Files, Subject
from overhaul.errors import OverhaulError
from overhaul.media import png, textures
from overhaul.media.bounds import MAX_PIXELS

T = TypeVar("T")


def main() -> int:
    options = _options()
    png._COMPRESSION_LEVEL = 1  # type: ignore[misc]  # quicker, and the same on both sides
    remember_pictures()
    found: list[Finding] = []
    tried: Counter[tuple[str, str, str]] = Counter()
    for number, path in enumerate(options.files):
        try:
            subject = Subject(path.name, path.read_bytes(), _companions(path))
        except OverhaulError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            continue
        edits = [e for e in all_edits(subject.files, options.seed + number)
                 if e.kind.startswith(options.kind) and options.where in e.family]  # fmt: skip
        chosen = in_turn(edits, tried, options.seed + number)[: options.limit or None]
        mine = []
        began = time.process_time()
        for edit in chosen:
            if time.process_time() - began > options.seconds:
                break
            mine.append(judge(subject, edit))
            tried[edit.key] += 1
            if not mine[-1].good and options.show:
                print(mine[-1], flush=True)
        seconds = time.process_time() - began
        words = f"{path.name}: {len(mine)} of {len(edits)} edits, {seconds:.1f} s: {summary(mine)}"
        print(words, file=sys.stderr, flush=True)
        found += mine
    for line in compact(found):
        print(line)
    if options.refused:
        seen = set()
        for one in found:
            if one.outcome in ("refused", "told") and one.edit.key not in seen:
                seen.add(one.edit.key)
                print(one)
    for line in table(found):
        print(line)
    return int(any(not finding.good for finding in found))


def remember_pictures() -> None:
    """Decode and encode each picture once: nearly all are the same after each edit."""
    pages: OrderedDict[bytes, NDArray[np.uint8]] = OrderedDict()
    files: OrderedDict[bytes, bytes] = OrderedDict()
    decode, encode = textures.decode, png.encode

    def decoded(data: bytes | memoryview, *, max_pixels: int = MAX_PIXELS) -> NDArray[np.uint8]:
        key = blake2b(data, digest_size=16).digest()
        if key not in pages:
            pages[key] = decode(data, max_pixels=max_pixels)
        return _kept(pages, key, 8).copy()

    def encoded(pixels: NDArray[np.uint8]) -> bytes:
        key = blake2b(
            np.ascontiguousarray(pixels).data, digest_size=16, key=repr(pixels.shape).encode()
        )
        if key.digest() not in files:
            files[key.digest()] = encode(pixels)
        return _kept(files, key.digest(), 20_000)

    textures.decode, png.encode = decoded, encoded


def _kept(values: OrderedDict[bytes, T], key: bytes, most: int) -> T:
    values.move_to_end(key)
    while len(values) > most:
        values.popitem(last=False)
    return values[key]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=int, default=0, help="edits of each file (0: all)")
    parser.add_argument("--seconds", type=float, default=1e9, help="of CPU, for each file")
    parser.add_argument("--kind", default="", help="only edits whose kind begins so")
    parser.add_argument("--where", default="", help="only edits of files whose pattern has this")
    parser.add_argument("--show", action="store_true", help="print each breach when it is found")
    parser.add_argument("--refused", action="store_true", help="list refused edits too")
    return parser.parse_args()


def _companions(path: Path) -> Files:
    """Audio groups that the corpus has in ``side/``, for games of the same repository."""
    owner = "__".join(path.name.split("__")[:2])
    beside = (path.parent / "side").glob(f"{owner}__*__audiogroup*.dat")
    return {file.name.rpartition("__")[2]: file.read_bytes() for file in beside}


if __name__ == "__main__":
    sys.exit(main())
