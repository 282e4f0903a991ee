"""Where the corpus of real files is, and how much of it to read: ``from real_files import ...``.

``OVERHAUL_CORPUS`` names the corpus folder; without it, ``../shared/corpus`` next to the repository
is used if it is there.  Tests that need it say so and are skipped otherwise.  ``OVERHAUL_FULL=1``
reads all of the corpus where a test would take a sample.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

#: what a sample is taken of: files, or pairs of them
Chosen = TypeVar("Chosen", Path, tuple[Path, Path], str)

ROOT = Path(__file__).resolve().parents[2]
#: This many files are taken where a test asks for them, and for more.
_FEW = 4
NO_CORPUS = "no corpus of real files here (set OVERHAUL_CORPUS to its folder)"


def corpus_folder() -> Path | None:
    """The corpus of real files, or None."""
    named = os.environ.get("OVERHAUL_CORPUS")
    folder = Path(named) if named else ROOT.parent / "shared" / "corpus"
    return folder if folder.is_dir() else None


def corpus_files(pattern: str) -> list[Path]:
    """Files of the corpus by glob, in a stable order; none without a corpus."""
    folder = corpus_folder()
    return sorted(p for p in folder.glob(pattern) if p.is_file()) if folder else []


def finished(files: Sequence[Path]) -> list[Path]:
    """The games among the files whose compiler came to the end: it fills in the length last."""
    found = []
    for path in files:
        with path.open("rb") as file:
            if any(file.read(8)[4:]):
                found.append(path)
    return found


def sample(files: Sequence[Chosen], count: int, seed: int = 0) -> list[Chosen]:
    """About ``count`` of the files, the same ones every time; all of them with OVERHAUL_FULL=1.

    Of many files two in three are taken, so that all tests end in time on two cores.
    """
    if count > _FEW:
        count = max(_FEW, count * 2 // 3)
    if os.environ.get("OVERHAUL_FULL") == "1" or len(files) <= count:
        return list(files)
    return sorted(random.Random(seed).sample(list(files), count))
