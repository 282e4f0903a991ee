"""Print what breaks the law: ``python tests/edit_law [options] FILES...``; see CONTRIBUTING.md."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from edit_law.edits import all_edits, in_turn
from edit_law.law import Finding, compact, judge, summary, table
from edit_law.subject import Files, Subject
from overhaul.ags import sprites
from overhaul.ags.compression import decompress_lzw
from overhaul.ags.folder import code
from overhaul.ags.room import pictures as room_pictures
from overhaul.ags.script import Script, disassemble
from overhaul.errors import OverhaulError
from overhaul.media import png, textures
from overhaul.media.bounds import MAX_PIXELS

T = TypeVar("T")


def main() -> int:
    options = _options()
    png._COMPRESSION_LEVEL = 1  # type: ignore[misc]  # quicker, and the same on both sides
    remember_decoded()
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
            if one.outcome in ("refused", "reported") and one.edit.key not in seen:
                seen.add(one.edit.key)
                print(one)
    for line in table(found):
        print(line)
    return int(any(not finding.good for finding in found))


def remember_decoded() -> None:
    """Decode and encode each picture and script once: nearly all are the same after each edit."""
    decode, encode = textures.decode, png.encode

    def decoded(data: bytes | memoryview, *, max_pixels: int = MAX_PIXELS) -> NDArray[np.uint8]:
        return pages(partial(decode, data, max_pixels=max_pixels), data).copy()

    def encoded(pixels: NDArray[np.uint8]) -> bytes:
        shape = repr(pixels.shape).encode()
        return files(partial(encode, pixels), shape, np.ascontiguousarray(pixels).data)

    def unpacked(packed: bytes, size: int) -> bytes:
        return backgrounds(partial(decompress_lzw, packed, size), b"%d " % size, packed)

    def disassembled(script: Script, encoding: str = "utf-8") -> str:
        made = partial(disassemble, script, encoding)
        return assembly(made, f"{encoding} ".encode(), script.to_bytes())

    pages, files = _Memory[NDArray[np.uint8]](8), _Memory[bytes](20_000)
    backgrounds, assembly = _Memory[bytes](20), _Memory[str](100)
    textures.decode, png.encode = decoded, encoded
    room_pictures.decompress_lzw = sprites.decompress_lzw = unpacked  # type: ignore[attr-defined]
    code.disassemble = disassembled  # type: ignore[attr-defined]


class _Memory(Generic[T]):
    """What was made of some bytes; the ``most`` used last are kept."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[bytes, T] = OrderedDict()

    def __call__(self, make: Callable[[], T], *data: bytes | memoryview) -> T:
        digest = blake2b(digest_size=16)
        for each in data:
            digest.update(each)
        key = digest.digest()
        if key not in self._kept:
            self._kept[key] = make()
        self._kept.move_to_end(key)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return self._kept[key]


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
    siblings = (path.parent / "side").glob(f"{owner}__*__audiogroup*.dat")
    return {file.name.rpartition("__")[2]: file.read_bytes() for file in siblings}


if __name__ == "__main__":
    sys.exit(main())
