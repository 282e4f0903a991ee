"""Shelves of many files made of some: copies, renamed, damaged, packed into archives."""

from __future__ import annotations

import os
import random
import shutil
import zipfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

#: What becomes of a file, and how often of a hundred.
_WAYS = {"copied": 45, "renamed": 20, "truncated": 8, "flipped": 9, "zipped": 12, "nested": 6}


def make_shelf(files: Sequence[Path], folder: Path, count: int, seed: int = 0) -> Counter[str]:
    """Fill a folder with ``count`` files made of the given ones; what became of how many."""
    chance = random.Random(seed)
    made: Counter[str] = Counter()
    ways, weights = list(_WAYS), list(_WAYS.values())
    for number in range(count):
        source = files[number % len(files)]
        way = "copied" if number < len(files) else chance.choices(ways, weights)[0]
        made[way] += 1
        target = folder / f"{number % 17:02}" / f"{number:05}-{source.name}"
        target.parent.mkdir(parents=True, exist_ok=True)
        _make(way, source, target, chance)
    return made


def _make(way: str, source: Path, target: Path, chance: random.Random) -> None:
    if way == "copied":
        shutil.copyfile(source, target)
    elif way == "renamed":
        shutil.copyfile(source, target.with_suffix(chance.choice((".bin", ".dat", ".txt", ".old"))))
    elif way in ("truncated", "flipped"):
        data = bytearray(source.read_bytes())
        if way == "truncated":
            del data[chance.randrange(len(data) // 2, len(data)) :]
        else:
            for _ in range(3):
                data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        target.write_bytes(data)
    else:
        _zip(target.with_suffix(".zip"), f"games/{source.name}", source)
        if way == "nested":
            inner = target.with_suffix(".zip")
            _zip(target.with_suffix(".outer.zip"), "inner.zip", inner)
            os.unlink(inner)


def _zip(archive: Path, name: str, source: Path) -> None:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as made:
        made.write(source, name)
